//! # (k, e)-anonymity
//!
//! **Definition.** A class is (k, e)-anonymous iff its numeric sensitive attribute takes at least k
//! distinct values, and the largest and the smallest of them differ by at least e.
//! **Formula.** |{x}| >= k and max x - min x >= e.
//! **Parameters.** `attribute`: sensitive, numeric. `k`: integer, at least 1, in values. `e`:
//! number, at least 0, in the unit of the attribute.
//! **Level.** `k`: the number of distinct values. `e`: the range, exact. Each level of a release is
//! the minimum over all classes; larger is safer.
//! **Monotone.** Merging preserves the principle, because both levels can only increase (test
//! `merging_keeps`). Suppressing whole classes preserves the principle for the remaining classes.
//! **Complexity.** O(values of the class).
//! **Errors.** `Missing`, `OutOfRange`, `NotNumeric`, `TooManyDigits`, `MissingNumbers`.
//! **Does not protect against.** Proximity: nearly all rows may have nearly the same value. Linkage
//! of releases. Inference of finer values from the choice of classes and labels (attack
//! `refinement`).
//! **Source.** Zhang, Koudas, Srivastava, Yu, ICDE 2007; named in the (epsilon, m) paper.
//! Deviations: equal numbers with different spellings are one value; with `missing =
//! "separate-value"`, a missing value is an additional value that does not affect the range.

use super::*;

pub(super) static KIND: Kind = Kind {
    name: "k-e-anonymity",
    definition: "In every class, the numeric sensitive attribute has at least k distinct values, \
        and the largest and smallest values differ by at least e.",
    promise: &always(
        "In every class, the numeric sensitive attribute has at least {k:distinct value|distinct \
         values}, and the largest and smallest values differ by at least {e}.",
    ),
    of_people: OfPeople::Nothing("the values of a single person may span the entire range"),
    parameters: &parameters! {
        /// minimum number of distinct values in a class
        "k" => Integer { at_least: 1 }, Required;
        /// minimum difference between the largest and the smallest value of a class
        "e" => Number(NumberRange::AtLeast(0)), Required;
    },
    level: "k, the smallest number of distinct values in a class, and e, the smallest range",
    merging: Merging::Keeps,
    status: Status::Experimental {
        reason: "No other implementation or published result is available for comparison.",
    },
    does_not_protect_against: "approximate disclosure if most values of a class are close \
        together, inference of finer values from the choice of classes and labels, or linkage of \
        several releases",
    source: "Zhang, Koudas, Srivastava, Yu, ICDE 2007",
    ..Kind::base(build)
};

/// Returns (k, e)-anonymity with given k and e, in the form that a policy uses.
pub fn k_e_anonymity(k: Rational, e: Rational) -> (&'static Kind, Parameters) {
    (&KIND, Parameters::of_numbers([("k", k), ("e", e)]))
}

#[derive(Debug)]
struct KEAnonymity {
    attribute: usize,
    numbers: Numbers,
    bounds: [Bound; 2],
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let bound =
        |name| Bound { name, relation: Relation::AtLeast, threshold: parameters.number(name) };
    Ok(Box::new(KEAnonymity {
        attribute: context.attribute(),
        numbers: context.numbers()?,
        bounds: [bound("k"), bound("e")],
    }))
}

impl Principle for KEAnonymity {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        let entries = histogram(class, self.attribute).entries;
        let first = entries.partition_point(|entry| entry.0 < self.numbers.first());
        let numbers = entries[first..].iter().map(|entry| self.numbers.scaled(entry.0));
        let mut n_values = first as u64;
        let mut last = None;
        let mut smallest = None;
        for number in numbers {
            n_values += u64::from(last != Some(number));
            last = Some(number);
            smallest.get_or_insert(number);
        }
        let range = last.zip(smallest).map_or(0, |(last, smallest)| last - smallest);
        Level::Two(Quantity::Count(n_values), Quantity::Exact(self.numbers.unscaled(range)))
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
