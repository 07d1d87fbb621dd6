//! # m-invariant versions of a growing table
//!
//! **Definition.** Every class has at least m rows with different sensitive values, and every
//! person who was in an earlier version is in a class with the same set of sensitive values (the
//! *signature* of the person) as before. The classes of a person in all versions therefore have
//! these sensitive values in common, and joining the versions excludes none of them.
//! **Formula.**
//! 1. *Division*: each person with a signature is assigned to the bucket of this signature.
//! 2. *Balancing*: a bucket must have equally many rows of each of its sensitive values. Missing
//!    rows are taken from the new rows as long as the new rows stay m-eligible (no sensitive value
//!    in more than 1/m of them); otherwise, they are generated (*counterfeits*).
//! 3. *Assignment*: the other new rows go to the bucket of the b >= m most frequent sensitive
//!    values, an equal number of each value at a time, as many at a time as leave the rest
//!    m-eligible.
//! 4. *Split*: buckets are halved, with the same number of rows of each sensitive value on both
//!    sides, along the attribute with the lowest loss, down to one row of each sensitive value.
//!
//! **Choice.** The key alone determines which of the new rows with one sensitive value go to which
//! bucket. The quasi-identifiers and sensitive values determine how a bucket is halved.
//! **Counterfeits.** A counterfeit has a sensitive value of the signature and the released values
//! of its class. The number of counterfeits is published.
//! **Bounds.** Minimum levels are respected. Maximum levels are not supported, because a signature
//! may bring any rows together.
//! **Suppression.** If the new rows are not m-eligible, rows with the most frequent sensitive
//! values are suppressed, within the limit. If that is not sufficient, new rows join buckets of
//! earlier versions, which may require further counterfeits. If both fail, the search returns no
//! result.
//! **Objective.** The loss.
//! **Complexity.** O(n d log n) steps and O(n) memory for n rows and d attributes, in addition to
//! O(s log s) for s sensitive values per round of assignment.
//! **Errors.** [`SearchError`].
//! **Does not protect against.** An adversary who knows the algorithm and the quasi-identifiers of
//! all people, and infers from the halving of a bucket which sensitive value belongs to whom;
//! changing sensitive values; similar sensitive values; an adversary who can rule out some
//! sensitive values.
//! **Source.** Xiao, Tao, SIGMOD 2007. Deviations: a person who returns after an absence keeps the
//! signature; new rows that are not m-eligible do not end the search (see suppression).

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
    /// The tuple of the person in the counted table.
    pub tuple: u32,
    /// The sensitive values of the person's classes in earlier versions, as ascending codes; `None`
    /// for a new person.
    pub signature: Option<Vec<u32>>,
}

/// Divides the rows of a version into classes in which every person keeps the signature, on one
/// thread.
///
/// The dictionary of the table must contain all sensitive values of the signatures. The search uses
/// the hierarchies and the suppression limit of the policy; the certifier evaluates its principles.
/// Maximum levels have no effect, and the objective is always the loss. After the time limit,
/// buckets are halved along a curve, without a search over attributes.
#[derive(Clone, Copy)]
pub struct Invariant<'a> {
    /// Minimum number of different sensitive values in a class.
    pub m: u64,
    /// One person for each row of the table.
    pub people: &'a [Person],
    /// The kind of released values.
    pub align: GeneralizeTo,
    /// The secret key that decides which new rows go to which bucket, derived from the seed and a
    /// digest of the private input.
    pub key: [u8; 32],
}

impl std::fmt::Debug for Invariant<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Omit the key, which is secret.
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
