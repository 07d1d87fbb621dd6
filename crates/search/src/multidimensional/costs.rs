//! The cost of released values per row, by the form of the objective.
//!
//! | objective | cost of a cell per row |
//! |---|---|
//! | of cells | the cost of the loss, up to a sum that is the same for all recodings |
//! | of joint distributions | the logarithm of the number of values that it covers |
//! | of class sizes | the cost for `loss`, which groups similar tuples first |
//!
//! The labels of a hierarchy form a tree with the cost of each label.

use std::ops::RangeInclusive;

use indistinct_core::Hierarchy;
use indistinct_core::loss::{Column, Coverage, Form, SuppressionOf};
use rustc_hash::FxHashMap;

use crate::Problem;

/// The cost of a range or a set, by the values that it covers.
#[derive(Debug, Clone, Copy)]
pub(super) enum PricedCover {
    /// The number of other covered values, as a fraction of the given number.
    Others(f64),
    /// The maximum saving minus the additional cost of suppressing the row.
    Saved { of: SuppressionOf, domain: u64, n_rows: u64, most: f64 },
    /// The logarithm of the number of values.
    Area,
}

impl PricedCover {
    pub fn new(problem: &Problem<'_>, at: usize) -> Self {
        let hierarchy = &problem.policy.hierarchies[at];
        let n_rows = problem.table.n_rows();
        let marginal = problem.table.marginal(&problem.table.quasi_identifiers()[at]);
        match problem.objective.form {
            Form::Joint => Self::Area,
            Form::Cells(costs) => {
                let costs = costs(&Column { hierarchy, marginal: &marginal, n_rows });
                match costs.suppression_of {
                    SuppressionOf::Share => Self::Others(others(problem, at)),
                    of => {
                        let most = most_saved(&costs.suppression);
                        Self::Saved { of, domain: hierarchy.domain_size(), n_rows, most }
                    }
                }
            }
            Form::Classes(_) | Form::Levels(_) => Self::Others(others(problem, at)),
        }
    }

    /// Returns the cost of a cell that covers the given number of values; `rows` counts the covered
    /// rows if the cost depends on them.
    #[inline]
    pub fn of(self, values: u32, rows: impl FnOnce() -> u64) -> f64 {
        match self {
            Self::Others(others) => f64::from(values.saturating_sub(1)) / others,
            Self::Saved { of, domain, n_rows, most } => {
                let rows = if matches!(of, SuppressionOf::Logarithm { .. }) { rows() } else { 0 };
                most - of.cost(&Coverage { values: u64::from(values), rows }, domain, n_rows)
            }
            Self::Area => f64::from(values.max(1)).ln(),
        }
    }
}

fn others(problem: &Problem<'_>, at: usize) -> f64 {
    problem.policy.hierarchies[at].domain_size().saturating_sub(1).max(1) as f64
}

/// Returns the weight of each attribute in the cost of a row.
pub(super) fn shares(problem: &Problem<'_>) -> Vec<f64> {
    // The attributes of a joint distribution have no weights.
    if matches!(problem.objective.form, Form::Joint) {
        return vec![1.0; problem.weights.len()];
    }
    let whole: f64 = problem.weights.iter().sum();
    let share = |weight: &f64| if whole > 0.0 { weight / whole } else { 0.0 };
    problem.weights.iter().map(share).collect()
}

/// Returns the maximum additional cost of a suppressed row compared with a row that has the
/// cheapest value.
fn most_saved(saved: &[Vec<f64>]) -> f64 {
    saved.iter().flatten().copied().fold(0.0, f64::max)
}

/// Returns the cost of each label per row.
pub(super) fn label_costs(problem: &Problem<'_>, at: usize) -> Vec<Vec<f64>> {
    let hierarchy = &problem.policy.hierarchies[at];
    let by_covered = |of: &dyn Fn(u64) -> f64| -> Vec<Vec<f64>> {
        let levels = (0..hierarchy.n_levels()).map(|at| &hierarchy.level(at).covered);
        levels.map(|covered| covered.iter().map(|&covered| of(covered)).collect()).collect()
    };
    match problem.objective.form {
        Form::Cells(costs) => {
            let marginal = problem.table.marginal(&problem.table.quasi_identifiers()[at]);
            let n_rows = problem.table.n_rows();
            let saved = costs(&Column { hierarchy, marginal: &marginal, n_rows }).suppression;
            let most = most_saved(&saved);
            let of_label = |saved: &f64| most - saved;
            saved.iter().map(|level| level.iter().map(of_label).collect()).collect()
        }
        Form::Joint => by_covered(&|covered| (covered.max(1) as f64).ln()),
        Form::Classes(_) | Form::Levels(_) => {
            let others = others(problem, at);
            by_covered(&|covered| covered.saturating_sub(1) as f64 / others)
        }
    }
}

/// Returns the cost of a suppressed cell.
pub(super) fn suppressed_cost(problem: &Problem<'_>, at: usize) -> f64 {
    let hierarchy = &problem.policy.hierarchies[at];
    match problem.objective.form {
        Form::Cells(costs) => {
            let marginal = problem.table.marginal(&problem.table.quasi_identifiers()[at]);
            let column = Column { hierarchy, marginal: &marginal, n_rows: problem.table.n_rows() };
            most_saved(&costs(&column).suppression)
        }
        Form::Joint => (hierarchy.domain_size().max(1) as f64).ln(),
        Form::Classes(_) | Form::Levels(_) => 1.0,
    }
}

/// Lowest common ancestors are tabulated for trees with at most this number of labels.
const LARGEST_TABLE: usize = 1024;

/// The cost of a cell that the level bounds forbid.
pub(super) const FORBIDDEN: f64 = f64::INFINITY;

/// The labels of a hierarchy between the level bounds. A label that is repeated from one level to
/// the next counts once.
#[derive(Debug)]
pub(super) struct Tree {
    /// The level of each label, and its position at that level.
    pub labels: Vec<(usize, u32)>,
    /// A number for each label; labels with equal released strings have the same number.
    pub texts: Vec<u32>,
    /// The parent of each label, or the label itself if it has no parent. Parents have higher
    /// numbers than their children.
    parent: Vec<u32>,
    /// The cost of each label.
    pub costs: Vec<f64>,
    /// The lowest common ancestor for each pair of labels; empty if there are too many labels.
    ancestors: Vec<u32>,
    /// The label of each code at the lowest level.
    pub leaf_of: Vec<u32>,
}

impl Tree {
    pub fn new(
        hierarchy: &Hierarchy,
        bounds: RangeInclusive<usize>,
        costs_of: &[Vec<f64>],
    ) -> Self {
        let (min, max) = (*bounds.start(), *bounds.end());
        let mut labels: Vec<(usize, u32)> = Vec::new();
        let mut costs = Vec::new();
        let mut texts: Vec<u32> = Vec::new();
        let mut text_numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let mut parent: Vec<u32> = Vec::new();
        // The number of each label of the previous level.
        let mut before: Vec<u32> = Vec::new();
        for (at, costs_of) in costs_of.iter().enumerate().take(max + 1).skip(min) {
            let level = hierarchy.level(at);
            let mut of_label: Vec<Option<u32>> = vec![None; level.labels.len()];
            // For each label of this level, the labels of the previous level that it covers; a
            // single label with the same text is reused.
            let mut below: Vec<Vec<u32>> = vec![Vec::new(); level.labels.len()];
            if at > min {
                for (&low, &high) in hierarchy.level(at - 1).map.iter().zip(&level.map) {
                    let number = before[low as usize];
                    if !below[high as usize].contains(&number) {
                        below[high as usize].push(number);
                    }
                }
            }
            for (label, text) in level.labels.iter().enumerate() {
                let next = text_numbers.len() as u32;
                let text = *text_numbers.entry(text).or_insert(next);
                if let [only] = below[label][..]
                    && texts[only as usize] == text
                {
                    of_label[label] = Some(only);
                    continue;
                }
                let number = labels.len() as u32;
                of_label[label] = Some(number);
                labels.push((at, label as u32));
                texts.push(text);
                costs.push(costs_of[label]);
                parent.push(number);
                for &low in &below[label] {
                    parent[low as usize] = number;
                }
            }
            before = of_label.into_iter().flatten().collect();
        }
        let first = hierarchy.level(min);
        // At the lowest level, the number of a label is its position.
        let leaf_of = first.map.clone();
        let nothing = labels.len() as u32;
        labels.push((max, u32::MAX));
        texts.push(u32::MAX);
        costs.push(FORBIDDEN);
        parent.push(nothing);
        for (number, above) in parent.iter_mut().enumerate() {
            if *above == number as u32 {
                *above = nothing;
            }
        }
        let mut tree = Self { labels, texts, parent, costs, ancestors: Vec::new(), leaf_of };
        let n = tree.labels.len();
        if n <= LARGEST_TABLE {
            tree.ancestors =
                (0..n * n).map(|pair| tree.climb((pair / n) as u32, (pair % n) as u32)).collect();
        }
        tree
    }

    fn climb(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            if a < b {
                a = self.parent[a as usize];
            } else {
                b = self.parent[b as usize];
            }
        }
        a
    }

    #[inline]
    pub fn join(&self, a: u32, b: u32) -> u32 {
        if self.ancestors.is_empty() {
            return self.climb(a, b);
        }
        self.ancestors[a as usize * self.labels.len() + b as usize]
    }
}
