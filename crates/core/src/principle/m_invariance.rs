//! # m-invariance
//!
//! **Definition.** A class is m-unique iff it has at least m rows and no sensitive value occurs in
//! it twice. Releases of a growing table are m-invariant iff all their classes are m-unique and,
//! for every person in several releases, all classes of this person have the same set of sensitive
//! values (the *signature*).
//! **Formula.** |C| >= m and max_s n_s = 1.
//! **Parameters.** `attribute`: sensitive. `m`: integer, at least 2, in rows.
//! **Level.** The number of rows of the class, or 0 if a sensitive value occurs in it twice; the
//! minimum over all classes; larger is safer. A single release shows only m-uniqueness;
//! [`across_versions`] compares signatures.
//! **Monotone.** Merging may break the principle; a counterexample is {flu, ulcer} and {flu, ulcer}
//! (test `merging_may_break_m_uniqueness`). Suppressing whole classes preserves the principle for
//! the remaining classes.
//! **Generalizable.** Iff m * max_s n_s <= |C| (m-eligibility in the paper); the partition assigns
//! the rows, sorted by sensitive value, to max_s n_s classes in turn (test
//! `m_uniqueness_matches_partition_enumeration`).
//! **Complexity.** O(sensitive values of the class).
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** Similar sensitive values; an adversary who can exclude some of
//! them; sensitive values that change between releases; releases that are not versions of the same
//! table. Inference of finer values from the choice of classes and labels (attack `refinement`).
//! **Source.** Xiao, Tao, SIGMOD 2007. Deviation: a person who is missing from some releases and
//! returns is compared as well.

use std::collections::BTreeMap;

use super::proximity::Assignment;
use super::*;

/// The name of the principle, which is also used by the method that achieves m-invariance.
pub const NAME: &str = "m-invariance";

pub(super) static KIND: Kind = Kind {
    name: NAME,
    definition: "Every class has at least m rows, all with distinct sensitive values; in all \
                 versions of a growing table, the classes of each person have the same set of \
                 sensitive values.",
    promise: &always("Every class has at least {m:row|rows}, all with distinct sensitive values."),
    of_people: OfPeople::Nothing("the principle requires exactly one row for each person"),
    parameters: &parameters! {
        /// minimum number of rows in a class, whose sensitive values must all differ
        "m" => Integer { at_least: 2 }, Required;
    },
    level: "m, the number of rows in the smallest class, or 0 if a class repeats a sensitive \
        value. A single release shows only this level; `ledger check` verifies that each person's \
        set of sensitive values is the same in all versions",
    merging: Merging::MayBreak,
    status: Status::Experimental {
        reason: "The guarantee depends on all earlier versions in the ledger, and no published \
                 release is available for comparison.",
    },
    does_not_protect_against: "disclosure by values with similar meanings, adversaries who can \
        rule out some of the values, changes of sensitive values between versions, inference of \
        finer values from the choice of classes and labels, or linkage of releases that are not \
        versions of one table",
    source: "Xiao, Tao, SIGMOD 2007",
    readings: &["F-1", "F-2"],
    ..Kind::base(build)
};

/// Returns the m of an m-invariance requirement, or `None` for any other kind.
pub fn invariant_m(kind: &Kind, parameters: &Parameters) -> Option<u64> {
    std::ptr::eq(kind, &KIND).then(|| parameters.whole("m"))
}

#[derive(Debug)]
struct MInvariance {
    attribute: usize,
    m: u64,
    bounds: [Bound; 1],
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let m = parameters.number("m");
    let bounds = [Bound { name: "m", relation: Relation::AtLeast, threshold: m }];
    let (attribute, m) = (context.attribute(), parameters.whole("m"));
    Ok(Box::new(MInvariance { attribute, m, bounds }))
}

/// Returns the largest m for which the rows can be divided into m-unique classes.
fn eligible(rows: &Histogram<'_>) -> u64 {
    match rows.largest() {
        0 => 0,
        largest => rows.total() / largest,
    }
}

impl Principle for MInvariance {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        let is_unique = histogram(class, self.attribute).largest() <= 1;
        Level::One(Quantity::Count(if is_unique { class.size } else { 0 }))
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn smallest_size(&self) -> u64 {
        self.m
    }

    fn merging(&self) -> Merging {
        Merging::MayBreak
    }

    /// The number of parts is at least the number of rows with the most frequent sensitive value.
    fn upper_bound(&self, rows: &ClassView<'_>) -> Level {
        Level::One(Quantity::Count(eligible(&histogram(rows, self.attribute))))
    }

    fn shown_reachable(&self, rows: &ClassView<'_>) -> Level {
        self.upper_bound(rows)
    }

    fn partition(&self, class: &ClassView<'_>) -> Option<Assignment> {
        let n_buckets = histogram(class, self.attribute).largest().max(1);
        (!self.is_ruled_out(class)).then_some(Assignment { n_buckets })
    }
}

/// The result of comparing the people in one version with the people in earlier versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, schemars::JsonSchema)]
pub struct AcrossVersions {
    /// People who are not in any earlier version.
    pub n_new: u64,
    /// People whose signature is the same as in all earlier versions.
    pub n_retained: u64,
    /// People whose signature differs from their signature in an earlier version. This violates
    /// m-invariance.
    pub n_changed: u64,
}

impl AcrossVersions {
    /// Returns whether no signature changed.
    pub fn holds(&self) -> bool {
        self.n_changed == 0
    }
}

/// Compares the signature of each person with the person's earlier signatures.
///
/// `earlier` contains the signatures of people in all earlier versions. A person in several
/// versions has several signatures. Signatures are compared as sets, so the order of their
/// sensitive values is irrelevant.
pub fn across_versions<Person: Ord, SensitiveValue: Ord>(
    earlier: impl IntoIterator<Item = (Person, Vec<SensitiveValue>)>,
    now: impl IntoIterator<Item = (Person, Vec<SensitiveValue>)>,
) -> AcrossVersions {
    let set = |mut values: Vec<SensitiveValue>| {
        values.sort();
        values.dedup();
        values
    };
    let mut before: BTreeMap<Person, Vec<Vec<SensitiveValue>>> = BTreeMap::new();
    for (person, signature) in earlier {
        before.entry(person).or_default().push(set(signature));
    }
    let mut report = AcrossVersions::default();
    for (person, signature) in now {
        let signature = set(signature);
        match before.get(&person) {
            None => report.n_new += 1,
            Some(all) if all.iter().all(|one| *one == signature) => report.n_retained += 1,
            Some(_) => report.n_changed += 1,
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_signature_changes_are_detected() {
        let earlier = [
            ("ann", vec!["flu", "ulcer"]),
            ("ann", vec!["ulcer", "flu"]),
            ("bob", vec!["flu", "ulcer"]),
            ("bob", vec!["flu", "cold"]),
            ("eve", vec!["flu", "cold"]),
        ];
        let now = [
            ("ann", vec!["flu", "ulcer"]),
            ("bob", vec!["flu", "cold"]),
            ("eve", vec!["flu", "cold", "gout"]),
            ("zoe", vec!["gout"]),
        ];
        let report = across_versions(earlier, now);
        assert_eq!(report, AcrossVersions { n_new: 1, n_retained: 1, n_changed: 2 });
        assert!(!report.holds());
    }
}
