//! # m-invariant versions of a growing table
//!
//! **Definition.** Every class has at least m rows with different sensitive values, and who was in an earlier version is in a
//! class with the same set of sensitive values (her *signature*) as then. So the classes of one person in all versions
//! have these sensitive values in common: joining them excludes none.
//! **Formula.** 1. *Division*: who has a signature goes to its bucket. 2. *Balancing*: a bucket must have as many rows of each of its
//! sensitive values; what is missing is taken from the new rows as long as these stay m-eligible (no sensitive value in more
//! than 1/m of them), and invented otherwise (*counterfeits*). 3. *Assignment*: the other new rows go, an equal number
//! of each of the b >= m most frequent sensitive values at a time, to the bucket of these sensitive values, as many at a
//! time as leave the rest m-eligible.
//! 4. *Split*: buckets are halved, the same number of rows of each sensitive value on both sides, along the attribute that leaves
//! the least loss, down to one row of each sensitive value.
//! **Choice.** Which of the new rows with one sensitive value go to which bucket follows from the key alone; where a bucket is
//! halved, from quasi-identifiers and sensitive values.
//! **Counterfeits.** They have a sensitive value of the signature and the released values of their class, and are told to
//! everybody.
//! **Bounds.** Lowest levels are kept; of highest ones there can be none, since a signature may bring any rows together.
//! **Suppression.** Where the new rows are not m-eligible: those of the most frequent sensitive values, within the limit. Then new
//! rows are put into buckets of earlier versions, which may take further counterfeits. If neither does, there is no
//! answer.
//! **Objective.** The loss.
//! **Complexity.** O(n d log n) steps and O(n) memory for n rows and d attributes, beside O(s log s) for s sensitive values a round of
//! assignment.
//! **Errors.** [`SearchError`].
//! **Does not protect against.** Who knows the algorithm and everybody's quasi-identifiers may conclude which sensitive value
//! goes with whom where a bucket was halved; a sensitive value that changes; similar sensitive values; an adversary who
//! can exclude some of them.
//! **Source.** Xiao, Tao, SIGMOD 2007. Deviations: who comes back after an absence keeps her signature; new rows that are not
//! m-eligible do not end the search (see suppression).

mod balance;
mod outcome;
mod plan;
mod split;

use indistinct_core::Observer;

pub use crate::multidimensional::GeneralizeTo;
pub use outcome::{FoundClass, Shortage, Version, with_sensitive_values};

use crate::{Outcome, Problem, Search, SearchError};

/// A person of this version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Her tuple of the counted table.
    pub tuple: u32,
    /// The sensitive values of her classes in earlier versions, as ascending codes; `None` if she is new.
    pub signature: Option<Vec<u32>>,
}

/// Divides the rows of a version into classes in which everybody keeps her signature; on one thread.
///
/// The dictionary of the table has all sensitive values of the signatures. Of the policy it takes hierarchies and the suppression
/// limit; which principles there are, the certifier asks. Highest levels have no effect, and the objective is the loss. Where
/// the time is up, buckets are halved along a curve, without looking at the attributes.
#[derive(Clone, Copy)]
pub struct Invariant<'a> {
    /// The smallest number of different sensitive values in a class.
    pub m: u64,
    /// One for each row of the table.
    pub people: &'a [Person],
    /// What released values are made of.
    pub align: GeneralizeTo,
    /// What decides which new rows go to which bucket, from the seed and a digest of the private input. Nobody may learn it.
    pub key: [u8; 32],
}

impl std::fmt::Debug for Invariant<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The key is private.
        f.debug_struct("Invariant").field("m", &self.m).finish_non_exhaustive()
    }
}

impl Search for Invariant<'_> {
    type Proposal = Version;
    type Nearest = Shortage;

    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Version, Shortage>, SearchError> {
        plan::invariant(problem, self, observer)
    }
}
