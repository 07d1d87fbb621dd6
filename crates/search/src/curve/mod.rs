//! # one-dimensional classes along a curve
//!
//! **Definition.** Rows are put in the order of a Hilbert curve through the space of their quasi-identifiers (values in the
//! order of their hierarchy's leaves), and classes are made of rows that are near each other in this order. For principles
//! on sizes alone: the cheapest cut into consecutive classes, by dynamic programming. For others: the frontier heuristic, which takes
//! the next rows of different sensitive values, so that a class holds with few rows.
//! **Formula.** The cost of a class is its rows times the `loss` of its cells.
//! **Cells.** The smallest common label of each hierarchy ([`GeneralizeTo::Hierarchy`]), or the bounding range or set of values
//! ([`GeneralizeTo::Bounds`]). Classes with equal cells are one class for an adversary, which the principles survive.
//! **Bounds.** Rows with different labels at the highest level allowed are never in one class: each block of rows that
//! agree on them is a table of its own.
//! **Suppression.** Only where a block fails as a whole; see the module `suppress`.
//! **Serves.** Every principle that merging keeps, on whatever sensitive attributes: since the rows left behind always hold as one
//! class, they are found wherever the table holds. Principles that merging may break are refused, and those
//! that count a population.
//! **Objective.** The loss, whatever else the policy asks for.
//! **Stopped.** What has no class yet is halved along the curve while both halves hold (on sizes: cut into the fewest rows that
//! a class needs), so that there is an answer at any time, if the table has one.
//! **Complexity.** O(n k) for the dynamic program; O(n s) for the heuristic with s distinct sensitive values (at most 256 are
//! looked at), as long as the sensitive values left are not close to failing.
//! **Errors.** [`SearchError`].
//! **Does not protect against.** What the principles do not.
//! **Source.** Ghinita, Karras, Kalnis, Mamoulis, VLDB 2007. Deviations: of the rows on the frontier the cheapest is taken
//! rather than the first; any principle that merging keeps takes the place of l-diversity, with "the rows left hold as one
//! class" as the eligibility condition; groups of equal rows that hold stay as they are.

mod dynamic;
mod frontier;
mod halves;
mod hilbert;
pub(crate) mod judge;
mod order;
mod rows;
pub(crate) mod space;
mod starred;
pub(crate) mod suppress;
pub(crate) mod table;

use indistinct_core::{Observer, Recoding};

pub use crate::multidimensional::GeneralizeTo;
pub use order::{Axis, order};

use crate::{Outcome, Problem, Search, SearchError};

/// Searches for classes along the curve; on one thread, and with `loss` as the objective whatever the problem says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Curve {
    /// What released values are made of.
    pub align: GeneralizeTo,
}

impl Search for Curve {
    type Proposal = Recoding;
    type Nearest = indistinct_core::Nearest;

    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Recoding>, SearchError> {
        table::curve(problem, self.align, observer)
    }
}
