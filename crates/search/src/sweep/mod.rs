//! # sequential sweep
//!
//! **Definition.** Rows start in the class of their base values. The classes are visited in the order of their level vectors,
//! the most informative first; rows are swept out of a class that fails into their next class, one by one, until it holds or is
//! empty. In the last class secrets are generalized until it holds. Before all that, secrets are generalized until the
//! table as one class holds.
//! **Formula.** The level vector of a class is <I, L1, ..., Ld>, with I the average information that values of these levels
//! retain; vectors are in descending lexicographic order (reading E-1). Attributes are in the order of their weights.
//! **Ties.** The dominant secret is the first one in the order of the taxonomy; swept is the row that lowers its frequency
//! most, then the first; generalized is the least general secret that covers it, then that of the first row (reading E-9).
//! **Choice.** With [`Choice::Random`] the secrets to generalize are drawn among all below the root. The rule of the text
//! generalizes just those that cover the dominant secret, so that whoever knows the rule undoes it (reading E-13, test
//! `the_dominant_choice_can_be_undone_and_the_random_one_not`).
//! **Assumes.** [`ASSUMPTION`].
//! **Serves.** One requirement that is judged on nodes of a taxonomy ((tau, l)-diversity), beside requirements on the size of
//! classes. Others are refused: a generalized secret is no value to them.
//! **Ends.** Generalizing ends where no secret is left to generalize: then no recoding satisfies the policy, if the weights of
//! all base values that have one are equal (reading E-2). With unequal ones the last class may fail where the table
//! holds (reading E-3): then the classes that were closed last join it. Rows that hold in no class within the bounds of their
//! attributes are suppressed, if the limit allows it.
//! **Complexity.** O((H + h) n) steps for H level vectors, the height h of the secret's taxonomy and n rows, as in Theorem 3;
//! a step costs the number of distinct secrets of the class, not its rows: classes are kept as histograms.
//! **Errors.** [`SweepError`].
//! **Does not protect against.** An adversary who knows the rule of choice; similar secrets; linkage of releases.
//! **Source.** The (tau, l)-diversity text, Section III. Deviations: readings E-1 to E-3, E-7 to E-9, E-11, E-13.

mod engine;
mod order;
mod outcome;
mod pool;
mod rows;
mod shares;
mod table;

use std::time::{Duration, Instant};

use indistinct_core::{Observer, Silent};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

pub use order::{LevelVector, MAX_LEVEL_VECTORS, level_information, level_vectors, sweep_chain};
pub use outcome::{Found, Infeasible, Outcome, SweepError};
pub use rows::{SweptAttribute, SweptRows};
pub use shares::TauL;
pub use table::{Problem, sweep};

use engine::{Engine, Swept};
use pool::Chooser;
use shares::Shares;

/// What the guarantee rests on, for the certificate.
pub const ASSUMPTION: &str = "uniform within a generalized secret";

/// Which secrets are generalized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// The text's: those that cover the dominant base value.
    #[default]
    Dominant,
    /// Drawn among all.
    Random {
        /// The seed.
        key: [u8; 32],
    },
}

/// How to sweep. The number of threads does not matter: it is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// How long to sweep.
    pub deadline: Option<Duration>,
}

/// When to stop.
struct Clock<'a> {
    observer: &'a dyn Observer,
    end: Option<Instant>,
}

impl Clock<'_> {
    fn check(&self) -> Result<(), SweepError> {
        if self.observer.is_cancelled() {
            return Err(SweepError::Cancelled);
        }
        match self.end.is_some_and(|end| Instant::now() >= end) {
            true => Err(SweepError::TimeLimit),
            false => Ok(()),
        }
    }
}

impl Choice {
    fn chooser(self) -> Chooser {
        match self {
            Choice::Dominant => Chooser::Dominant,
            Choice::Random { key } => Chooser::Random(Box::new(ChaCha20Rng::from_seed(key))),
        }
    }
}

/// A row after the sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweptRow {
    /// For each quasi-identifier the released node.
    pub quasi_identifiers: Vec<u32>,
    /// The released node of the secret.
    pub secret: u32,
}

/// Sweeps units of one row each, within no bounds but the root; for each the released nodes. `None` if no class of all rows
/// holds, however secrets are generalized.
///
/// # Errors
/// [`SweepError`] if there are too many level vectors or attributes, or a secret has no weight.
pub fn sweep_rows(
    rows: &SweptRows<'_>,
    required: &TauL,
    choice: Choice,
) -> Result<Option<Vec<SweptRow>>, SweepError> {
    let clock = Clock { observer: &Silent, end: None };
    let Some(swept) = run(rows, required, 1, choice, &clock)? else { return Ok(None) };
    if !swept.rest.is_empty() {
        return Ok(None);
    }
    let mut released = vec![None; rows.secrets.len()];
    for class in swept.classes {
        for piece in class.pieces {
            released[piece.unit as usize] =
                Some(SweptRow { quasi_identifiers: class.nodes.clone(), secret: piece.node });
        }
    }
    Ok(released.into_iter().collect())
}

fn run(
    rows: &SweptRows<'_>,
    required: &TauL,
    smallest_size: u64,
    choice: Choice,
    clock: &Clock<'_>,
) -> Result<Option<Swept>, SweepError> {
    let mut occurring = rows.secrets.clone();
    occurring.sort_unstable();
    occurring.dedup();
    let long = Shares::new(rows.taxonomy, required, &occurring).ok_or(SweepError::NoWeight)?;
    let chooser = &mut choice.chooser();
    match long.short() {
        Some(short) => Engine::new(rows, &short, smallest_size)?.run(chooser, clock),
        None => Engine::new(rows, &long, smallest_size)?.run(chooser, clock),
    }
}
