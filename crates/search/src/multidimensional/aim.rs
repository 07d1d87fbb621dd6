//! The objective as a sum over classes. Every step of the search is evaluated by its effect on this
//! sum.
//!
//! | objective | contribution of a class of n rows |
//! |---|---|
//! | of cells | n * the cost of its cells |
//! | of class sizes | a n^2 - b; a: slope in the sum of squares, b: decrease per additional class |
//! | of joint distributions | n * ln(area) - sum over sensitive values of n_s ln n_s |
//!
//! For the last two rows of the table, the sum differs from the objective, because classes with
//! equal released values are one class, and a joint distribution takes into account all classes
//! that cover a combination. Complete proposals are therefore compared by the objective itself
//! (`outcome`).

use indistinct_core::loss::{Form, Sizes};

use super::judge::{Judge, Tally};
use super::space::Space;
use crate::Problem;

/// Values of x ln x are tabulated up to this number.
const LARGEST_LISTED: u64 = 1024;

/// The contribution of a class to the objective.
#[derive(Debug)]
pub(super) struct Aim {
    terms: Terms,
    /// The contribution of a suppressed row.
    pub suppressed: f64,
}

#[derive(Debug)]
enum Terms {
    Cells,
    /// Because `per_cost` is small, the cost of cells only breaks ties between classes of equal
    /// size.
    Sizes {
        per_square: f64,
        per_class: f64,
        per_cost: f64,
    },
    Joint {
        /// The values of x ln x for small numbers.
        listed: Vec<f64>,
        /// The logarithm of the number of rows.
        of_all: f64,
    },
}

/// Returns x ln x.
fn product(x: u64) -> f64 {
    if x == 0 { 0.0 } else { x as f64 * (x as f64).ln() }
}

impl Aim {
    pub fn new(problem: &Problem<'_>, space: &Space<'_>, judge: &Judge<'_>) -> Self {
        match problem.objective.form {
            Form::Cells(_) | Form::Levels(_) => {
                Self { terms: Terms::Cells, suppressed: space.suppressed_cost }
            }
            Form::Classes(of_sizes) => Self::of_sizes(problem, judge, of_sizes, space),
            Form::Joint => {
                let listed = (0..=LARGEST_LISTED).map(product).collect();
                // The first suppressed row is spread over all combinations; further rows cost less.
                let occurring = |rows: Vec<u64>| rows.iter().filter(|rows| **rows > 0).count();
                let values = problem.table.sensitive().iter();
                let values = values.map(|column| occurring(problem.table.marginal(column)));
                let of_sensitive_values: f64 = values.map(|n| (n.max(1) as f64).ln()).sum();
                let suppressed = space.suppressed_cost + of_sensitive_values;
                let of_all = (problem.table.n_rows().max(1) as f64).ln();
                Self { terms: Terms::Joint { listed, of_all }, suppressed }
            }
        }
    }

    /// Linearizes the objective in the class sizes, near classes of the minimum size.
    fn of_sizes(
        problem: &Problem<'_>,
        judge: &Judge<'_>,
        loss: fn(&Sizes) -> f64,
        space: &Space<'_>,
    ) -> Self {
        let n_rows = problem.table.n_rows().max(1);
        let size = judge.smallest_size.min(n_rows);
        let n_classes = (n_rows / size).max(1);
        let squares = u128::from(n_classes) * u128::from(size) * u128::from(size);
        let here = Sizes { n_rows, n_suppressed: 0, n_classes, squares };
        let more_squares = Sizes { squares: squares + u128::from(n_rows), ..here };
        let per_square = (loss(&more_squares) - loss(&here)) / n_rows as f64;
        let per_class = loss(&here) - loss(&Sizes { n_classes: n_classes + 1, ..here });
        let suppressed = (loss(&Sizes { n_suppressed: 1, ..here }) - loss(&here)).max(0.0);
        let most = per_square.max(per_class);
        let unit = if most > 0.0 { most } else { 1.0 };
        let per_cost = 1.0 / (2.0 * n_rows as f64);
        let suppressed = suppressed / unit + per_cost * space.suppressed_cost;
        let (per_square, per_class) = (per_square / unit, per_class / unit);
        Self { terms: Terms::Sizes { per_square, per_class, per_cost }, suppressed }
    }

    /// Returns whether only the sizes of classes matter. In this case, classes with equal released
    /// values contribute more than the sum indicates.
    pub fn is_on_sizes(&self) -> bool {
        matches!(self.terms, Terms::Sizes { .. })
    }

    /// Returns whether the objective depends only on the cells and the number of rows of each
    /// class.
    pub fn is_of_cells(&self) -> bool {
        matches!(self.terms, Terms::Cells)
    }

    fn product(listed: &[f64], x: u64) -> f64 {
        listed.get(x as usize).copied().unwrap_or_else(|| product(x))
    }

    /// Returns the contribution of a class, given the cost of its cells per row, its number of
    /// rows, and its sensitive values.
    pub fn total(&self, judge: &Judge<'_>, cost: f64, size: u64, tally: &Tally) -> f64 {
        let rows = size as f64;
        match &self.terms {
            Terms::Cells => cost * rows,
            Terms::Sizes { per_square, per_class, per_cost } => {
                per_square * rows * rows - per_class + per_cost * cost * rows
            }
            Terms::Joint { listed, .. } => {
                let of_sensitive_values: f64 = match judge.joint(tally) {
                    Some(entries) => entries.iter().map(|e| Self::product(listed, e.1)).sum(),
                    None => Self::product(listed, size),
                };
                cost * rows - of_sensitive_values
            }
        }
    }

    /// Returns the contribution of a class after a change by the rows of a tuple, given the cost of
    /// its new cells per row.
    pub fn total_with(&self, judge: &Judge<'_>, of: &Cluster, change: Change, cost: f64) -> f64 {
        let (tuple, rows, size) = match change {
            Change::Without(tuple) => {
                let rows = judge.rows(tuple);
                (tuple, rows, of.size - rows)
            }
            Change::With(tuple) => (tuple, judge.rows(tuple), of.size + judge.rows(tuple)),
        };
        let Terms::Joint { listed, .. } = &self.terms else {
            return self.total(judge, cost, size, &of.tally);
        };
        let (before, after) = match judge.joint(&of.tally) {
            Some(entries) => {
                let value = judge.joint_sensitive_value(tuple);
                let at = entries.binary_search_by_key(&value, |entry| entry.0);
                let before = at.map_or(0, |at| entries[at].1);
                let after = match change {
                    Change::Without(_) => before.saturating_sub(rows),
                    Change::With(_) => before + rows,
                };
                (before, after)
            }
            None => (of.size, size),
        };
        let of_sensitive_values = of.cost * of.size as f64 - of.total;
        let of_sensitive_values =
            of_sensitive_values + Self::product(listed, after) - Self::product(listed, before);
        cost * size as f64 - of_sensitive_values
    }

    /// Returns the increase in contribution from joining two classes, given the cost per row of
    /// cells that cover both. If only sizes matter, similar classes are joined first.
    pub fn added(&self, judge: &Judge<'_>, a: &Cluster, b: &Cluster, cost: f64) -> f64 {
        let cells = cost * (a.size + b.size) as f64 - a.of_cells() - b.of_cells();
        let Terms::Joint { listed, .. } = &self.terms else { return cells };
        let gain = |x: u64, y: u64| {
            let apart = Self::product(listed, x) + Self::product(listed, y);
            Self::product(listed, x + y) - apart
        };
        let (Some(x), Some(y)) = (judge.joint(&a.tally), judge.joint(&b.tally)) else {
            return cells - gain(a.size, b.size);
        };
        let (mut i, mut j, mut sum) = (0, 0, 0.0);
        while i < x.len() && j < y.len() {
            match x[i].0.cmp(&y[j].0) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    sum += gain(x[i].1, y[j].1);
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        cells - sum
    }

    /// Returns the contribution of a part of a region that depends only on its size.
    pub fn of_part(&self, cost: f64, rows: u64) -> f64 {
        match &self.terms {
            Terms::Cells => cost * rows as f64,
            Terms::Sizes { per_square, per_cost, .. } => {
                let rows = rows as f64;
                per_square * rows * rows + per_cost * cost * rows
            }
            // Adding `of_all` keeps the result nonnegative, because `rows` is at most the total
            // number of rows.
            Terms::Joint { of_all, .. } => (cost + of_all) * rows as f64 - product(rows),
        }
    }

    /// Returns an estimate of the possible gain from rebuilding a class, or 0 if no gain is
    /// possible.
    pub fn urgency(&self, judge: &Judge<'_>, of: &Cluster) -> f64 {
        match self.terms {
            Terms::Sizes { .. } => of.size.saturating_sub(judge.smallest_size) as f64,
            Terms::Cells | Terms::Joint { .. } => of.cost,
        }
    }
}

/// Adds or removes all rows of a tuple in a class.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change {
    Without(u32),
    With(u32),
}

/// A class, or a candidate for a class.
#[derive(Debug, Clone)]
pub(super) struct Cluster {
    /// Tuples in ascending order.
    pub tuples: Vec<u32>,
    /// Number of rows.
    pub size: u64,
    /// The narrowest cells that cover all tuples.
    pub cells: Vec<u32>,
    pub tally: Tally,
    /// The cost of the cells per row.
    pub cost: f64,
    /// The contribution of the class to the objective.
    pub total: f64,
    /// Whether the class satisfies all principles.
    pub holds: bool,
}

impl Cluster {
    /// Returns the cost of the cells for all rows.
    pub fn of_cells(&self) -> f64 {
        self.cost * self.size as f64
    }
}
