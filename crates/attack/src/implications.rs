//! # Implications
//!
//! **Definition.** The adversary knows k basic implications between people: if some people have
//! some values, then one of several people has one of several values ("if Ann has flu, Bob also has
//! flu"). A release is (c, k)-safe if and only if, for all sets of k implications, the belief in
//! any value of any person is at most c.
//! **Formula.** See [`indistinct_core::implications`].
//! **Parameters.** k = 0, ..., [`MOST_IMPLICATIONS`].
//! **Assumes.** The adversary knows the class of each person; within a class, all assignments of
//! the values are equally likely.
//! **Gets.** For each k, the largest belief, and the distribution of the largest belief about each
//! person over the rows; the smallest k that makes some value certain.
//! **Complexity.** O(classes * (k^2 + partitions of k)) after the counts are sorted.
//! **Stopped by.** (c, k)-safety; partly by recursive (c, l)-diversity, which withstands l - 2
//! statements of the form "not v".
//! **Source.** Martin, Kifer, Machanavajjhala, Gehrke, Halpern, ICDE 2007. Deviations: figures are
//! doubles, because no verdict depends on them; they are compared with all worlds and all
//! implications of small tables (test `worst_implications_match_enumeration`).

use indistinct_core::Observer;
use indistinct_core::Status;
use indistinct_core::implications::{Guesses, joined, no_class};
use indistinct_core::published::PublishedRows;
use serde::Serialize;

use crate::figures::classes;
use crate::{Attack, Distribution, RiskKind};

/// The registry entry of the attack `implications`.
pub static ATTACK: Attack = Attack {
    name: "implications",
    risk: RiskKind::Inference,
    assumes: "The adversary knows the class of each person and some implications of the form \"if \
              one person has a certain value, then another person has a certain value\".",
    gets: "The largest probability that an adversary assigns to a sensitive value after learning a \
           small number of implications, in the worst case.",
    stopped_by: "(c, k)-safety. l-diversity limits statements \"not v\" about one person, but not \
                 implications between people.",
    status: Status::Experimental { reason: "No published result is available for comparison." },
    source: "Martin, Kifer, Machanavajjhala, Gehrke, Halpern, ICDE 2007",
};

/// The largest number of implications that the attack evaluates.
pub const MOST_IMPLICATIONS: usize = 5;

/// The result of the attack `implications`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Implications {
    /// The figures for each number of implications, starting with 0.
    pub by_number: Vec<OfNumber>,
    /// The smallest number of implications that makes some value certain, if the attack evaluates
    /// that number.
    pub certain_from: Option<u64>,
}

/// The figures for one number of implications.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct OfNumber {
    /// Number of implications.
    pub n_implications: u64,
    /// The largest belief in a sensitive value of a person. The release is (c, k)-safe for this c.
    pub largest: f64,
    /// The distribution over rows of the adversary's largest belief in a sensitive value.
    pub beliefs: Option<Distribution>,
}

/// Computes the effect of the worst implications.
///
/// # Panics
/// Panics if the attribute does not exist.
pub fn attack(
    published: &PublishedRows,
    attribute: usize,
    observer: &dyn Observer,
) -> Implications {
    let classes: Vec<(Guesses<f64>, u64)> = classes(&published.sensitive[attribute], observer)
        .map(|(entries, n_rows)| {
            let mut counts: Vec<u64> = entries.iter().map(|entry| entry.1).collect();
            counts.sort_unstable_by(|a, b| b.cmp(a));
            (Guesses::new(&counts, n_rows, MOST_IMPLICATIONS), n_rows)
        })
        .collect();
    let all = classes
        .iter()
        .fold(no_class(MOST_IMPLICATIONS), |all, (guesses, _)| joined(&all, &guesses.missed));
    let mut beliefs = vec![Vec::new(); MOST_IMPLICATIONS + 1];
    for (guesses, n_rows) in classes.iter().take_while(|_| !observer.is_cancelled()) {
        for (k, against) in joined(&all, &guesses.against).iter().enumerate() {
            beliefs[k].push((1.0 / (1.0 + against), *n_rows));
        }
    }
    let by_number: Vec<OfNumber> = (0u64..)
        .zip(beliefs)
        .map(|(n_implications, beliefs)| OfNumber {
            n_implications,
            largest: beliefs.iter().map(|belief| belief.0).fold(0.0, f64::max),
            beliefs: Distribution::from_figures(beliefs),
        })
        .collect();
    let certain = by_number.iter().find(|of| of.largest >= 1.0);
    let certain_from = certain.map(|of| of.n_implications);
    Implications { by_number, certain_from }
}
