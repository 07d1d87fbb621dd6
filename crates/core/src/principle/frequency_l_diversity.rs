//! # frequency l-diversity
//!
//! **Definition.** A class is frequency l-diverse iff the share of its most frequent sensitive
//! value is at most 1/l.
//! **Formula.** l * max_s n_s <= |C|.
//! **Parameters.** `attribute`: sensitive. `l`: number, at least 1.
//! **Level.** |C| / max_s n_s, exact; the minimum over all classes; larger is safer.
//! **Monotone.** Merging preserves the principle (test `merging_keeps`). Suppressing whole classes
//! preserves the principle for the remaining classes.
//! **Complexity.** O(values of the class).
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** Background knowledge that excludes values. Similar values. Linkage
//! of releases. Inference of finer values from the choice of classes and labels (attack
//! `refinement`).
//! **Source.** The simple l-diversity of the (tau, l) and (delta, l) papers, Definition 1.
//! Deviations: a missing value counts as a value.

use super::*;

pub(super) static KIND: Kind = Kind {
    name: "frequency-l-diversity",
    definition: "In every class, each sensitive value occurs in at most 1/l of the rows.",
    promise: &always("In every class, each sensitive value occurs in at most 1/{l} of the rows."),
    of_people: OfPeople::Promises(&always(
        "In every class, each sensitive value belongs to at most 1/{l} of the people.",
    )),
    parameters: &parameters! {
        /// each sensitive value occurs in at most 1/l of the rows of a class
        "l" => Number(NumberRange::AtLeast(1)), Required;
    },
    level: "l, the reciprocal of the largest share of a value in a class",
    merging: Merging::Keeps,
    does_not_protect_against: "adversaries who can rule out some of the values, disclosure by \
        values with similar meanings, inference of finer values from the choice of classes and \
        labels, or linkage of several releases",
    source: "the (tau, l)-diversity and (delta, l)-diversity papers, Definition 1",
    readings: &["H-1"],
    ..Kind::base(build)
};

/// Returns frequency l-diversity with a given l, in the form that a policy uses.
pub fn frequency_l_diversity(l: Rational) -> (&'static Kind, Parameters) {
    (&KIND, Parameters::of_numbers([("l", l)]))
}

#[derive(Debug)]
struct FrequencyLDiversity {
    attribute: usize,
    bounds: [Bound; 1],
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let l = parameters.number("l");
    let attribute = context.attribute();
    let bounds = [Bound { name: "l", relation: Relation::AtLeast, threshold: l }];
    Ok(Box::new(FrequencyLDiversity { attribute, bounds }))
}

impl Principle for FrequencyLDiversity {
    fn limits(&self, _code: u32) -> bool {
        true
    }

    fn of_class(&self, class: &ClassView<'_>) -> Level {
        let largest = histogram(class, self.attribute).largest();
        Level::One(Quantity::Ratio { numerator: class.size, denominator: largest })
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn smallest_size(&self) -> u64 {
        rows_at_least(&self.bounds[0].threshold)
    }
}
