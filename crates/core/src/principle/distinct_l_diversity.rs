//! # distinct l-diversity
//!
//! **Definition.** A class is distinct l-diverse iff its sensitive attribute takes at least l
//! distinct values.
//! **Formula.** |{s : n_s > 0}| >= l.
//! **Parameters.** `attribute`: sensitive. `l`: integer, at least 1, in values.
//! **Level.** The number of distinct values; the minimum over all classes; larger is safer.
//! **Monotone.** Merging preserves the principle (test `merging_keeps`). Suppressing whole classes
//! preserves the principle for the remaining classes.
//! **Complexity.** O(1) for each class, given its histogram.
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** Probabilistic inference: nearly all rows may have the same value.
//! Similar values. Linkage of releases. Inference of finer values from the choice of classes and
//! labels (attack `refinement`).
//! **Source.** Machanavajjhala et al., TKDD 2007, Section 4 (the weakest instantiation).
//! Deviations: a missing value counts as a value.

use super::by_people::most_concentrated;
use super::*;

pub(super) static KIND: Kind = Kind {
    name: "distinct-l-diversity",
    definition: "Every class contains at least l distinct values of the sensitive attribute.",
    promise: &always(
        "Every class contains at least {l:distinct value|distinct values} of the sensitive \
         attribute.",
    ),
    of_people: OfPeople::Promises(&always(
        "In every class, an adversary must list at least {l:sensitive value|sensitive values} to \
         be certain that a person has one of them.",
    )),
    parameters: &parameters! {
        /// minimum number of distinct sensitive values in a class
        "l" => Integer { at_least: 1 }, Required;
    },
    level: "l, the smallest number of distinct values in a class",
    merging: Merging::Keeps,
    does_not_protect_against: "probabilistic inference if nearly all rows of a class share a \
        value, disclosure by values with similar meanings, inference of finer values from the \
        choice of classes and labels, or linkage of several releases",
    source: "Machanavajjhala et al., ACM TKDD 2007, Section 4",
    readings: &["H-1"],
    ..Kind::base(build)
};

/// Returns distinct l-diversity with a given l, in the form that a policy uses.
pub fn distinct_l_diversity(l: u64) -> (&'static Kind, Parameters) {
    (&KIND, Parameters::of_whole("l", l))
}

/// Returns the l of a distinct l-diversity requirement, or `None` for any other kind.
pub fn distinct_l(kind: &Kind, parameters: &Parameters) -> Option<u64> {
    std::ptr::eq(kind, &KIND).then(|| parameters.whole("l"))
}

#[derive(Debug)]
struct DistinctLDiversity {
    attribute: usize,
    bounds: [Bound; 1],
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let l = parameters.number("l");
    let attribute = context.attribute();
    let bounds = [Bound { name: "l", relation: Relation::AtLeast, threshold: l }];
    Ok(Box::new(DistinctLDiversity { attribute, bounds }))
}

impl Principle for DistinctLDiversity {
    fn limits(&self, _code: u32) -> bool {
        true
    }

    fn of_class(&self, class: &ClassView<'_>) -> Level {
        Level::One(Quantity::Count(histogram(class, self.attribute).entries.len() as u64))
    }

    /// Returns the smallest number of values whose counts of people add up to at least the size of
    /// the class. For any smaller set of values, some person has none of them. If each person has
    /// one value, the result is the number of distinct values.
    fn of_people(&self, class: &ClassView<'_>) -> Level {
        most_concentrated(class, self.attribute, |class| self.of_class(class))
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn smallest_size(&self) -> u64 {
        rows_at_least(&self.bounds[0].threshold)
    }

    fn fails_in_parts(&self) -> bool {
        true
    }
}
