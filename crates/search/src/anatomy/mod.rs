//! # Anatomy
//!
//! **Definition.** Nothing is generalized. Rows are divided into classes, and two tables are released: the raw
//! quasi-identifiers with the class of each row, and for each class how often each sensitive value occurs in it.
//! **Formula.** A class is one row of each of the largest buckets (a bucket are the rows with one sensitive value), as
//! many as it takes to hold. Rows that are left at the end go to classes without their sensitive value.
//! **Choice.** How many rows of each sensitive value a class has follows from the counts of the sensitive values alone; which
//! rows these are, and how classes are numbered, from the key alone. So all ways to match the rows of a class with its
//! sensitive values are equally likely also to whoever knows the algorithm (test `every_matching_is_as_likely`).
//! **Serves.** Every principle on the one sensitive attribute that merging keeps. Since the rows left behind always hold
//! as one class, classes are found wherever the table holds (test `infeasible_where_no_division_holds`).
//! Frequency l-diversity with a whole l gets as many classes as there can be, n / l rounded down (test `as_many_classes_as_can_be`).
//! **Suppression.** Only where the table fails as a whole: the fewest rows for principles that ask only how often
//! sensitive values occur. They are in neither table.
//! **Objective.** None: quasi-identifiers lose nothing, and the reconstruction error of the sensitive values falls with every
//! class more.
//! **Complexity.** O(n + c s) steps and O(n) memory for n rows, c classes and s distinct sensitive values.
//! **Errors.** [`SearchError`].
//! **Does not protect against.** Learning who is in the table, and which row is whose (membership and identity):
//! quasi-identifiers are released as they are. Similar sensitive values; linkage of releases.
//! **Source.** Xiao, Tao, VLDB 2006, Figure 3. Deviations: any principle that merging keeps takes the place of
//! l-diversity, with "the rows left hold as one class" as the eligibility condition; a row that is left goes to the class
//! that comes next, not to a random one, since rows are drawn after the classes are made.

mod buckets;
mod table;

use indistinct_core::{Anatomy, Observer};

use crate::{Outcome, Problem, Search, SearchError};

/// Divides the rows into classes by their sensitive value; on one thread. The hierarchies of the policy, weights and bounds are
/// ignored. Where the time is up, the rows that are left make one class.
#[derive(Clone, Copy)]
pub struct TwoTables {
    /// What decides which rows are in one class, from the seed and a digest of the private input. Nobody may learn it.
    pub key: [u8; 32],
}

impl std::fmt::Debug for TwoTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The key is private.
        f.debug_struct("TwoTables").finish_non_exhaustive()
    }
}

impl Search for TwoTables {
    type Proposal = Anatomy;
    type Nearest = indistinct_core::Nearest;

    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Anatomy>, SearchError> {
        table::separate(problem, self.key, observer)
    }
}
