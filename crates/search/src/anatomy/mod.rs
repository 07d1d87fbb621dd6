//! # Anatomy
//!
//! **Definition.** Nothing is generalized. Rows are divided into classes, and two tables are
//! released: the raw quasi-identifiers with the class of each row, and the number of occurrences of
//! each sensitive value in each class.
//! **Formula.** A bucket consists of the rows with one sensitive value. A class takes one row from
//! each of the largest buckets until it satisfies the principles. The rows that remain at the end
//! join classes without their sensitive value.
//! **Choice.** The counts of the sensitive values alone determine the number of rows of each
//! sensitive value in a class; the key alone determines which rows these are and how classes are
//! numbered. Therefore, all assignments of the sensitive values of a class to its rows are equally
//! likely, even for an adversary who knows the algorithm (test `all_matchings_are_equally_likely`).
//! **Supports.** Every principle that merging preserves, on exactly one sensitive attribute.
//! Because the remaining rows always satisfy the principles as one class, the search finds classes
//! whenever the whole table satisfies them (test `anatomy_feasibility_matches_brute_force`). For
//! frequency l-diversity with an integer l, the number of classes is the maximum, n / l rounded
//! down (test `number_of_classes_is_maximal`).
//! **Suppression.** Rows are suppressed only if the table fails as a whole. For principles that
//! depend only on the frequencies of sensitive values, the number of suppressed rows is minimal.
//! Suppressed rows are in neither table. **Objective.** None, because quasi-identifiers lose
//! nothing, and the reconstruction error of the sensitive values falls with the number of classes.
//! **Complexity.** O(n + c s) steps and O(n) memory for n rows, c classes, and s distinct sensitive
//! values.
//! **Errors.** [`SearchError`].
//! **Does not protect against.** Membership and identity disclosure, because quasi-identifiers are
//! released unchanged; similar sensitive values; linkage of releases.
//! **Source.** Xiao, Tao, VLDB 2006, Figure 3. Deviations: any principle that merging preserves
//! replaces l-diversity, with "the remaining rows satisfy the principles as one class" as the
//! eligibility condition; a remaining row joins the next possible class instead of a random one,
//! because rows are drawn after the classes are formed.

mod buckets;
mod table;

use indistinct_core::{Anatomy, Observer};

use crate::{Outcome, Problem, Search, SearchError};

/// Divides the rows into classes by sensitive value, on one thread. The search ignores the
/// hierarchies of the policy, the weights, and the bounds. After the time limit, the remaining rows
/// form one class.
#[derive(Clone, Copy)]
pub struct TwoTables {
    /// The secret key that decides which rows are in one class, derived from the seed and a digest
    /// of the private input.
    pub key: [u8; 32],
}

impl std::fmt::Debug for TwoTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Omit the key, which is secret.
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
