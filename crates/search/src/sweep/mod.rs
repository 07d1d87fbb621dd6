//! # sequential sweep
//!
//! **Definition.** Rows start in the class of their base values. The classes are visited in the order of their level vectors,
//! the most informative first; rows are swept out of a class that fails into their next class, one by one, until it holds or is
//! empty. In the last class sensitive values are generalized until it holds. Before all that, sensitive values are
//! generalized until the table as one class holds.
//! **Formula.** The level vector of a class is <I, L1, ..., Ld>, with I the average information that values of these levels
//! retain; vectors are in descending lexicographic order (reading E-1). Attributes are in the order of their weights.
//! **Ties.** The dominant sensitive value is the first one in the order of the taxonomy; swept is the row that lowers its
//! frequency most, then the first; generalized is the least general sensitive value that covers it, then that of the first
//! row (reading E-9).
//! **Choice.** With [`Choice::Random`] the sensitive values to generalize are drawn among all below the root. The rule of
//! the text generalizes just those that cover the dominant sensitive value, so that whoever knows the rule undoes it
//! (reading E-13, test `the_dominant_choice_can_be_undone_and_the_random_one_not`).
//! **Assumes.** [`ASSUMPTION`].
//! **Serves.** One requirement that is judged on nodes of a taxonomy ((tau, l)-diversity), beside requirements on the size of
//! classes. Others are refused: a generalized sensitive value is no value to them.
//! **Ends.** Generalizing ends where no sensitive value is left to generalize: then no recoding satisfies the policy, if the
//! weights of all base values that have one are equal (reading E-2). With unequal ones the last class may fail where
//! the table holds (reading E-3): then the classes that were closed last join it. Rows that hold in no class within the
//! bounds of their attributes are suppressed, if the limit allows it.
//! **Stopped.** Rows that are in no class yet go to their last one, so that there is an answer at any time, if the table has one.
//! **Complexity.** O((H + h) n) steps for H level vectors, the height h of the sensitive value's taxonomy and n rows, as in
//! Theorem 3; a step costs the number of distinct sensitive values of the class, not its rows: classes are kept as
//! histograms.
//! **Errors.** [`SearchError`].
//! **Does not protect against.** An adversary who knows the rule of choice; similar sensitive values; linkage of
//! releases.
//! **Source.** The (tau, l)-diversity text, Section III. Deviations: readings E-1 to E-3, E-7 to E-9, E-11, E-13.

mod engine;
mod order;
mod pool;
mod rows;
mod shares;
mod table;

use std::sync::Arc;

use indistinct_core::model::Taxonomy;
use indistinct_core::{Observer, Recoding, Silent};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

pub use order::{LevelVector, level_information, level_vectors, sweep_chain};
pub use rows::{LevelWeights, SweptAttribute, SweptRows};
pub use shares::TauL;

use engine::{Engine, SweepResult};
use pool::Chooser;
use shares::Shares;

use crate::stop::Stop;
use crate::{Outcome, Problem, Search, SearchError};

/// What the guarantee rests on, for the certificate.
pub const ASSUMPTION: &str = "uniform within a generalized sensitive value";

/// Which sensitive values are generalized.
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

/// Sweeps a table; on one thread. Weights are also the importance of attributes in the order of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sweep {
    /// Which sensitive values are generalized.
    pub choice: Choice,
    /// What values count in the order of classes.
    pub level_weights: LevelWeights,
}

/// What a sweep proposes.
#[derive(Debug, Clone, PartialEq)]
pub struct SweptTable {
    /// The recoding to certify: classes, parts of tuples where rows of one are in several, generalized sensitive values where
    /// there are any, and what is suppressed.
    pub recoding: Recoding,
    /// For each part (or tuple) the released node of the sensitive value; ignored if suppressed.
    pub nodes: Vec<u32>,
    /// The taxonomy of the sensitive attribute.
    pub taxonomy: Arc<Taxonomy>,
    /// Rows with a generalized sensitive value.
    pub n_generalized: u64,
    /// The share of the table's information that is retained, sensitive values included; suppressed rows retain none.
    /// ((tau, l) text, Definition 5)
    pub utility: f64,
    /// What the guarantee rests on; `None` where no sensitive value is generalized.
    pub assumes: Option<&'static str>,
}

impl Search for Sweep {
    type Proposal = SweptTable;
    type Nearest = indistinct_core::Nearest;

    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<SweptTable>, SearchError> {
        table::sweep(problem, *self, observer)
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
    /// The released node of the sensitive value.
    pub sensitive: u32,
}

/// Sweeps units of one row each, within no bounds but the root; for each the released nodes. `None` if no class of all rows
/// holds, however sensitive values are generalized.
///
/// # Errors
/// [`SearchError`] if there are too many level vectors or attributes, or a sensitive value has no weight.
pub fn sweep_rows(
    rows: &SweptRows<'_>,
    required: &TauL,
    choice: Choice,
) -> Result<Option<Vec<SweptRow>>, SearchError> {
    let stop = Stop::new(&Silent, None);
    let Some(swept) = run(rows, required, 1, choice, &stop)? else { return Ok(None) };
    if !swept.rest.is_empty() {
        return Ok(None);
    }
    let mut released = vec![None; rows.sensitive.len()];
    for class in swept.classes {
        for piece in class.pieces {
            released[piece.unit as usize] =
                Some(SweptRow { quasi_identifiers: class.nodes.clone(), sensitive: piece.node });
        }
    }
    Ok(released.into_iter().collect())
}

fn run(
    rows: &SweptRows<'_>,
    required: &TauL,
    smallest_size: u64,
    choice: Choice,
    stop: &Stop<'_>,
) -> Result<Option<SweepResult>, SearchError> {
    let mut occurring = rows.sensitive.clone();
    occurring.sort_unstable();
    occurring.dedup();
    let long = Shares::new(rows.taxonomy, required, &occurring).ok_or(SearchError::NoWeight)?;
    let chooser = &mut choice.chooser();
    match long.short() {
        Some(short) => Engine::new(rows, &short, smallest_size)?.run(chooser, stop),
        None => Engine::new(rows, &long, smallest_size)?.run(chooser, stop),
    }
}
