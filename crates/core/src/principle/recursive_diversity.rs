//! # recursive (c, l)-diversity
//!
//! **Definition.** With the counts of the sensitive values in descending order r_1 >= r_2 >= ... >= r_m, a class is
//! recursive (c, l)-diverse iff r_1 < c * (r_l + r_(l+1) + ... + r_m).
//! **Formula.** r_1 < c * sum_{i=l}^{m} r_i; strict (reading B-1); always for l = 1; never for l > m (reading B-10).
//! **Parameters.** `attribute`: sensitive. `c`: number above 0. `l`: whole number, at least 1.
//! **Level.** `c_exceeds`: r_1 / sum_{i=l}^{m} r_i, exact, which c must exceed; the largest over all classes; smaller is safer. No c does for l > m; 0 for l = 1.
//! **Monotone.** Under merging: yes, the tail is super-additive (reading B-9) [merging_keeps]. Under suppression of whole classes: yes for the classes that remain.
//! **Complexity.** O(v log v) for v values in the class.
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** Similar values. An adversary who can exclude l - 1 values or more. Linkage of releases.
//! **Source.** Machanavajjhala et al., TKDD 2007, Definition 4.2. Deviations: readings B-1 and B-10; a missing value counts as a value.

use super::{
    Bound, Kind, Level, Merging, ParameterError, ParameterKind, ParameterSpec, Parameters,
    Principle, Quantity, Relation, Subject, histogram,
};
use crate::model::ClassView;

const PARAMETERS: [ParameterSpec; 2] = [
    ParameterSpec {
        name: "c",
        kind: ParameterKind::RealAbove { limit: 0 },
        doc: "the most frequent value occurs less than c times as often as all values from the l-th on together",
    },
    ParameterSpec {
        name: "l",
        kind: ParameterKind::Integer { at_least: 1 },
        doc: "rank from which the less frequent values are added up",
    },
];

pub(super) static KIND: Kind = Kind {
    name: "recursive-diversity",
    definition: "In every class the most frequent sensitive value occurs less than c times as often as all values from the l-th most frequent on together.",
    subject: Subject::SensitiveAttribute,
    parameters: &PARAMETERS,
    merging: Merging::Keeps,
    does_not_protect_against: "an adversary who can exclude l - 1 of the values or more, values that mean nearly the same, and joining several releases",
    source: "Machanavajjhala et al., ACM TKDD 2007, Definition 4.2",
    build,
};

#[derive(Debug)]
struct RecursiveDiversity {
    attribute: usize,
    l: usize,
    bounds: [Bound; 1],
}

fn build(
    attribute: Option<usize>,
    parameters: &Parameters,
) -> Result<Box<dyn Principle>, Vec<ParameterError>> {
    let [c, l] = parameters.numbers(&PARAMETERS)?;
    let attribute = attribute.expect("the policy gives kinds on a sensitive attribute one");
    let l = usize::try_from(l.to_integer()).unwrap_or(usize::MAX);
    let bounds = [Bound { name: "c_exceeds", relation: Relation::Below, threshold: c }];
    Ok(Box::new(RecursiveDiversity { attribute, l, bounds }))
}

impl Principle for RecursiveDiversity {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        if self.l == 1 {
            return Level::One(Quantity::Ratio { numerator: 0, denominator: 1 });
        }
        histogram(class, self.attribute).with_descending(|counts| {
            let tail: u64 = counts.iter().skip(self.l - 1).sum();
            Level::One(match tail {
                0 => Quantity::Unreachable,
                tail => Quantity::Ratio { numerator: counts[0], denominator: tail },
            })
        })
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn smallest_size(&self) -> u64 {
        self.l as u64
    }

    fn merging(&self) -> Merging {
        Merging::Keeps
    }
}
