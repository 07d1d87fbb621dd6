//! # sequential sweep
//!
//! **Definition.** Rows start in the class of their base values. The classes are visited in the
//! order of their level vectors, the most informative first. If a class fails, its rows are swept
//! one by one into their next class until the class satisfies the requirement or is empty. In the
//! last class, sensitive values are generalized until it satisfies the requirement. Before the
//! sweep, sensitive values are generalized until the whole table satisfies the requirement as one
//! class.
//! **Formula.** The level vector of a class is <I, L1, ..., Ld>, where I is the average information
//! that values at the given levels retain; vectors are in descending lexicographic order (reading
//! E-1). Attributes are in the order of their weights.
//! **Ties.** The dominant sensitive value is the first one in the order of the taxonomy. The row
//! that is swept is the one that lowers the dominant frequency most, then the first row. The value
//! that is generalized is the least general sensitive value that covers the dominant one, then that
//! of the first row (reading E-9).
//! **Choice.** With [`Choice::Random`], the sensitive values to generalize are drawn among all
//! values below the root. The rule of the paper only generalizes values that cover the dominant
//! sensitive value, so an adversary who knows the rule can reverse the generalization (reading
//! E-13, test `dominant_choice_is_reversible_but_random_is_not`).
//! **Assumes.** The values within a generalized sensitive value are uniform.
//! **Supports.** One requirement that is evaluated on the nodes of a taxonomy ((tau, l)-diversity),
//! in addition to requirements on class sizes. The search rejects other requirements, because they
//! do not accept generalized sensitive values.
//! **Termination.** Generalization ends if no sensitive value can be generalized further. If all
//! nonzero weights of base values are equal, this proves that no recoding satisfies the policy
//! (reading E-2). With unequal weights, the last class may fail although the whole table satisfies
//! the requirement (reading E-3); the most recently closed classes then join the last class. Rows
//! that fail in every class within the bounds of their attributes are suppressed, if the limit
//! permits it.
//! **Stopping.** Rows without a class go to their last class. A search that is stopped therefore
//! returns a result whenever the table has one.
//! **Complexity.** O((H + h) n) steps for H level vectors, the height h of the sensitive
//! attribute's taxonomy, and n rows, as in Theorem 3. The cost of a step is the number of distinct
//! sensitive values of the class, not its number of rows, because classes are stored as histograms.
//! **Errors.** [`SearchError`].
//! **Does not protect against.** An adversary who knows the selection rule; similar sensitive
//! values; linkage of releases.
//! **Source.** The (tau, l)-diversity paper, Section III. Deviations: readings E-1 to E-3, E-7 to
//! E-9, E-11, E-13.

mod engine;
mod rows;
mod shares;
mod table;

use std::sync::Arc;

use engine::{Engine, SweepResult};
use indistinct_core::model::Taxonomy;
use indistinct_core::{Observer, Recoding, Silent};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
pub use rows::{
    LevelVector, LevelWeights, SweptAttribute, SweptRows, level_information, level_vectors,
    sweep_chain,
};
pub use shares::TauL;
use shares::{Chooser, Shares};

use crate::stop::Stop;
use crate::{Outcome, Problem, Search, SearchError};

/// The rule that selects the sensitive values to generalize.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// The rule of the paper: values that cover the dominant base value.
    #[default]
    Dominant,
    /// A random choice among all values.
    Random {
        /// The seed.
        key: [u8; 32],
    },
}

/// The `sweep` method, which runs on one thread. The weights of the problem also define the
/// importance of attributes in the order of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sweep {
    /// The rule that selects the sensitive values to generalize.
    pub choice: Choice,
    /// The weights of values that determine the order of classes.
    pub level_weights: LevelWeights,
}

/// The proposal of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct SweptTable {
    /// The recoding to certify: classes, parts of tuples whose rows are in several classes,
    /// generalized sensitive values if there are any, and suppressed rows.
    pub recoding: Recoding,
    /// The released node of the sensitive value for each part (or tuple); ignored if suppressed.
    pub nodes: Vec<u32>,
    /// The taxonomy of the sensitive attribute.
    pub taxonomy: Arc<Taxonomy>,
    /// Number of rows with a generalized sensitive value.
    pub n_generalized: u64,
    /// The fraction of the information of the table that is retained, including sensitive values;
    /// suppressed rows retain none ((tau, l) paper, Definition 5).
    pub utility: f64,
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
    /// The released node of each quasi-identifier.
    pub quasi_identifiers: Vec<u32>,
    /// The released node of the sensitive value.
    pub sensitive: u32,
}

/// Sweeps units of one row each, without bounds on levels, and returns the released nodes of each
/// unit. Returns `None` if all rows together fail as one class for every generalization of
/// sensitive values.
///
/// # Errors
/// [`SearchError`] if there are too many level vectors or attributes, or a sensitive value has no
/// weight.
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
