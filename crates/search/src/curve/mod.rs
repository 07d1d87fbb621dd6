//! # one-dimensional classes along a Hilbert curve
//!
//! **Definition.** Rows are sorted along a Hilbert curve through the space of their
//! quasi-identifiers (with values in the order of the leaves of their hierarchy), and classes are
//! formed of rows that are near each other in this order. For principles that only depend on class
//! sizes, dynamic programming finds the cheapest cut into consecutive classes. For other
//! principles, the frontier heuristic combines the next rows of different sensitive values to keep
//! classes small.
//! **Formula.** The cost of a class is its number of rows times the `loss` of its cells.
//! **Cells.** The lowest common label of each hierarchy ([`GeneralizeTo::Hierarchy`]), or the
//! bounding range or set of values ([`GeneralizeTo::Bounds`]). Classes with equal cells are one
//! class for an adversary; merging preserves the principles.
//! **Bounds.** Rows with different labels at the highest permitted level are never in one class.
//! Each block of rows with equal labels is processed as a separate table.
//! **Suppression.** Rows are suppressed only if a block fails as a whole; see the `suppress`
//! module.
//! **Supports.** Every principle that is preserved when classes are merged, on any sensitive
//! attributes. Because the remaining rows always satisfy the principles as one class, the search
//! finds classes whenever the whole table satisfies them. The search rejects principles that
//! merging may violate and principles that count a population.
//! **Objective.** The search always minimizes `loss`, regardless of the objective of the problem.
//! **Stopping.** Rows without a class are halved along the curve as long as both halves satisfy the
//! principles (for principles on sizes: cut into classes of minimum size). A search that is stopped
//! therefore returns a result whenever the table has one.
//! **Complexity.** O(n k) for the dynamic program; O(n s) for the heuristic with s distinct
//! sensitive values (at most 256 are examined), as long as the remaining sensitive values are not
//! close to failing.
//! **Errors.** [`SearchError`].
//! **Does not protect against.** Threats that the principles do not cover.
//! **Source.** Ghinita, Karras, Kalnis, Mamoulis, VLDB 2007. Deviations: the heuristic takes the
//! cheapest row of the frontier instead of the first one; any principle that is preserved when
//! classes are merged replaces l-diversity, with "the remaining rows satisfy the principles as one
//! class" as the eligibility condition; groups of equal rows that satisfy the principles stay
//! unchanged.

mod dynamic;
mod frontier;
mod hilbert;
pub(crate) mod judge;
pub(crate) mod space;
pub(crate) mod suppress;
pub(crate) mod table;

use indistinct_core::{Observer, Recoding};

pub use crate::multidimensional::GeneralizeTo;
pub use hilbert::{Axis, order};

use crate::{Outcome, Problem, Search, SearchError};

/// Searches for classes along the curve, on one thread. The objective is always `loss`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Curve {
    /// The kind of released values.
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
