//! # Anatomy
//!
//! **Definition.** Nothing is generalized. Rows are divided into classes, and two tables are released: the raw
//! quasi-identifiers with the class of each row, and for each class how often each secret occurs in it.
//! **Formula.** A class is one row of each of the largest buckets (a bucket are the rows with one secret), as many as it
//! takes to hold. Rows that are left at the end go to classes without their secret.
//! **Choice.** How many rows of each secret a class has follows from the counts of the secrets alone; which rows these are, and
//! how classes are numbered, from the key alone. So all ways to match the rows of a class with its secrets are equally
//! likely also to whoever knows the algorithm (test `every_matching_is_as_likely`).
//! **Serves.** Every principle on the one sensitive attribute that merging keeps. Since the rows left behind always hold
//! as one class, classes are found wherever the table holds (test `infeasible_where_no_division_holds`).
//! Frequency l-diversity with a whole l gets as many classes as there can be, n / l rounded down (test `as_many_classes_as_can_be`).
//! **Suppression.** Only where the table fails as a whole: the fewest rows for principles that ask only how often secrets
//! occur. They are in neither table.
//! **Objective.** None: quasi-identifiers lose nothing, and the reconstruction error of the secrets falls with every class more.
//! **Complexity.** O(n + c s) steps and O(n) memory for n rows, c classes and s distinct secrets.
//! **Errors.** [`AnatomyError`].
//! **Does not protect against.** Learning who is in the table, and which row is whose (membership and identity):
//! quasi-identifiers are released as they are. Similar secrets; linkage of releases.
//! **Source.** Xiao, Tao, VLDB 2006, Figure 3. Deviations: any principle that merging keeps takes the place of
//! l-diversity, with "the rows left hold as one class" as the eligibility condition; a row that is left goes to the class
//! that comes next, not to a random one, since rows are drawn after the classes are made.

mod buckets;
mod outcome;
mod table;

use std::time::Duration;

use indistinct_core::{FrequencyTable, Policy};

pub use outcome::{AnatomyError, Found, Infeasible, Outcome};
pub use table::anatomy;

/// What is searched for.
#[derive(Debug, Clone)]
pub struct Problem<'a> {
    /// The counted table, with one sensitive attribute.
    pub table: &'a FrequencyTable,
    /// What a release must meet. Its hierarchies are of no matter.
    pub policy: &'a Policy,
}

/// How to search. The number of threads does not matter: it is one.
#[derive(Clone, Copy)]
pub struct Options {
    /// What decides which rows are in one class: secret, from the seed and a digest of the private input.
    pub key: [u8; 32],
    /// How long to search. Then the rows that are left make one class.
    pub deadline: Option<Duration>,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The key is a secret.
        f.debug_struct("Options").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}
