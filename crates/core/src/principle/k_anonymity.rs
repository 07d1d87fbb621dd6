//! # k-anonymity
//!
//! **Definition.** A class is k-anonymous iff it has at least k rows; a release is k-anonymous iff
//! every class is.
//! **Formula.** |C| >= k.
//! **Parameters.** `k`: integer, at least 1, in rows.
//! **Level.** The size of the class; the minimum over all classes; larger is safer.
//! **Monotone.** Merging preserves the principle (test `merging_keeps`). Suppressing whole classes
//! preserves the principle, because the sizes of other classes do not change.
//! **Complexity.** O(1) for each class.
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** Homogeneity: all rows of a class may have the same sensitive
//! value. Background knowledge. Linkage of releases. Inference of finer values from the choice of
//! classes and labels (attack `refinement`).
//! **Source.** Samarati, TKDE 2001; Sweeney, IJUFKS 2002. Deviations: none.

use super::*;

pub(super) static KIND: Kind = Kind {
    name: "k-anonymity",
    definition: "Every class has at least k rows.",
    promise: &always("Every class has at least {k:row|rows}."),
    of_people: OfPeople::Promises(&always(
        "Every class contains rows of at least {k:person|people}.",
    )),
    subject: Subject::Class,
    parameters: &parameters! {
        /// minimum number of rows in a class
        "k" => Integer { at_least: 1 }, Required;
    },
    level: "k, the number of rows in the smallest class",
    merging: Merging::Keeps,
    does_not_protect_against: "disclosure of a sensitive value shared by all rows of a class, \
        adversaries who know more than the quasi-identifiers, inference of finer values from the \
        choice of classes and labels, or linkage of several releases",
    source: "Samarati, IEEE TKDE 2001; Sweeney, IJUFKS 2002",
    readings: &["H-1"],
    size: Some("k"),
    ..Kind::base(build)
};

/// Returns k-anonymity with a given k, in the form that a policy uses.
pub fn k_anonymity(k: u64) -> (&'static Kind, Parameters) {
    (&KIND, Parameters::of_whole("k", k))
}

#[derive(Debug)]
struct KAnonymity {
    k: u64,
    bounds: [Bound; 1],
}

fn build(_: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let k = parameters.number("k");
    let bounds = [Bound { name: "k", relation: Relation::AtLeast, threshold: k }];
    Ok(Box::new(KAnonymity { k: parameters.whole("k"), bounds }))
}

impl Principle for KAnonymity {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        Level::One(Quantity::Count(class.size))
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn smallest_size(&self) -> u64 {
        self.k
    }

    fn fails_in_parts(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FrequencyTable;
    use crate::model::Rational;
    use crate::principle::{BuildError, ParameterValue};

    fn k(value: Rational) -> Result<Box<dyn Principle>, Vec<BuildError>> {
        let table = FrequencyTable::new(Vec::new(), Vec::new(), Vec::new())
            .expect("an empty table is valid");
        let number = ParameterValue::Number(value);
        let parameters = Parameters([("k".to_owned(), number)].into_iter().collect());
        KIND.build(&Context::new(&table, None), &parameters)
    }

    #[test]
    fn class_size_determines_result() {
        let principle = k(Rational::from_integer(4)).expect("4 is a valid k");
        for (size, holds) in [(1, false), (3, false), (4, true), (5, true)] {
            let level = principle.of_class(&ClassView::new(size, &[]));
            assert_eq!(level.meets(principle.bounds()), holds, "size {size}");
        }
    }

    #[test]
    fn invalid_and_unknown_parameters_are_rejected() {
        assert!(k(Rational::from_integer(0)).is_err());
        assert!(k(Rational::new(5, 2)).is_err());
        assert!(KIND.check(&Parameters::default()).is_err());
        let two = [("k", 2), ("l", 2)].map(|(name, value)| {
            (name.to_owned(), ParameterValue::Number(Rational::from_integer(value)))
        });
        let errors = KIND
            .check(&Parameters(two.into_iter().collect()))
            .expect_err("the parameter l is unknown");
        assert!(matches!(errors.as_slice(), [crate::principle::ParameterError::Unknown { .. }]));
    }
}
