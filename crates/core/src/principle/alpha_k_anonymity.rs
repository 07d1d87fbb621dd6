//! # (alpha, k)-anonymity
//!
//! **Definition.** A class is (alpha, k)-anonymous iff it has at least k rows and the share of
//! every sensitive value (or of every value in `values`) is at most alpha.
//! **Formula.** |C| >= k and max_s n_s <= alpha * |C|.
//! **Parameters.** `attribute`: sensitive. `alpha`: number above 0, at most 1. `k`: integer, at
//! least 1, in rows. `values`: the values whose share is limited, default all.
//! **Level.** `alpha`: the largest share, exact; smaller is safer. `k`: the size; larger is safer.
//! Each level of a release is the worst level of any class.
//! **Monotone.** Merging preserves the principle, because the share of a value in a union is
//! between its shares in the parts (test `merging_keeps`). Suppressing whole classes preserves the
//! principle for the remaining classes.
//! **Complexity.** O(values of the class).
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** Background knowledge that excludes values. Similar values. Linkage
//! of releases. Inference of finer values from the choice of classes and labels (attack
//! `refinement`).
//! **Source.** Wong, Li, Fu, Wang, KDD 2006; named in the (epsilon, m) paper. Deviations: a missing
//! value counts as a value.

use super::*;

pub(super) static KIND: Kind = Kind {
    name: "alpha-k-anonymity",
    definition: "Every class has at least k rows, and the share of each sensitive value in a class \
                 is at most alpha.",
    promise: &[
        Phrase {
            when: &[Condition::LeftOut("values")],
            text: "Every class has at least {k:row|rows}, and each sensitive value occurs in at \
                   most {alpha:%} of them.",
        },
        Phrase {
            when: &[Condition::Given("values")],
            text: "Every class has at least {k:row|rows}, and each of these sensitive values \
                   occurs in at most {alpha:%} of them: {values}.",
        },
    ],
    of_people: OfPeople::Promises(&[
        Phrase {
            when: &[Condition::LeftOut("values")],
            text: "Every class contains rows of at least {k:person|people}, and each sensitive \
                value belongs to at most {alpha:%} of them.",
        },
        Phrase {
            when: &[Condition::Given("values")],
            text: "Every class contains rows of at least {k:person|people}, and each of these \
                   sensitive values belongs to at most {alpha:%} of them: {values}.",
        },
    ]),
    parameters: &parameters! {
        /// maximum share of a sensitive value in a class
        "alpha" => Number(NumberRange::AboveUpTo(0, 1)), Required;
        /// minimum number of rows in a class
        "k" => Integer { at_least: 1 }, Required;
        /// the sensitive values whose share is limited; all values by default
        "values" => Values, Optional;
    },
    level: "alpha, the largest share of a value in a class, and k, the number of rows in the \
        smallest class",
    safer_below: &["alpha"],
    merging: Merging::Keeps,
    does_not_protect_against: "adversaries who can rule out some of the values, disclosure by \
        values with similar meanings, inference of finer values from the choice of classes and \
        labels, or linkage of several releases",
    source: "Wong, Li, Fu, Wang, KDD 2006",
    readings: &["H-1"],
    size: Some("k"),
    ..Kind::base(build)
};

/// Returns (alpha, k)-anonymity with given alpha and k, in the form that a policy uses.
pub fn alpha_k_anonymity(alpha: Rational, k: Rational) -> (&'static Kind, Parameters) {
    (&KIND, Parameters::of_numbers([("alpha", alpha), ("k", k)]))
}

#[derive(Debug)]
struct AlphaKAnonymity {
    attribute: usize,
    values: Option<Vec<u32>>,
    smallest_size: u64,
    bounds: [Bound; 2],
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let (alpha, k) = (parameters.number("alpha"), parameters.number("k"));
    let values = parameters.values("values").map(|values| context.codes_of(values));
    // If the share of every value is limited, a class needs at least 1 / alpha rows, because some
    // value occurs in at least one row.
    let rows = if values.is_none() { rows_at_least(&alpha.recip()) } else { 1 };
    Ok(Box::new(AlphaKAnonymity {
        attribute: context.attribute(),
        values,
        smallest_size: rows.max(parameters.whole("k")),
        bounds: [
            Bound { name: "alpha", relation: Relation::AtMost, threshold: alpha },
            Bound { name: "k", relation: Relation::AtLeast, threshold: k },
        ],
    }))
}

impl Principle for AlphaKAnonymity {
    fn limits(&self, code: u32) -> bool {
        self.values.as_ref().is_none_or(|codes| codes.binary_search(&code).is_ok())
    }

    fn of_class(&self, class: &ClassView<'_>) -> Level {
        let histogram = histogram(class, self.attribute);
        let largest = match &self.values {
            None => histogram.largest(),
            Some(codes) => {
                let counts = histogram.entries.iter();
                let limited = counts.filter(|entry| codes.binary_search(&entry.0).is_ok());
                limited.map(|entry| entry.1).max().unwrap_or(0)
            }
        };
        Level::Two(
            Quantity::Ratio { numerator: largest, denominator: class.size.max(1) },
            Quantity::Count(class.size),
        )
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn smallest_size(&self) -> u64 {
        self.smallest_size
    }
}
