//! The divergence of nodes, and bounds on it that are known before nodes are evaluated.
//!
//! Without suppression, the uniform distribution over some areas, weighted by the rows of the
//! table, has the highest likelihood among all distributions that are uniform on each area (Gibbs'
//! inequality). The estimate from a release is uniform on the areas of every node at or below the
//! node of the release, and its marginal distribution of an attribute is uniform on the labels of
//! that attribute. Therefore, the following values are lower bounds for every choice of suppressed
//! rows:
//! 1. the divergence of all classes of a node, for nodes above it;
//! 2. the divergence of a single attribute at its level, for nodes at or above this level.
//!
//! Both bounds require that a label covers at least the values of the labels below it. Hierarchies
//! that count differently do not yield bounds.

use indistinct_core::loss::kl_divergence::{Areas, Measure};
use indistinct_core::{FrequencyTable, Hierarchy};

use super::histograms::Histograms;

/// Computes divergences for one table.
#[derive(Debug)]
pub(super) struct Divergence {
    measure: Measure,
    /// For each attribute and level, the lowest divergence of any node at this level or above;
    /// `None` if the areas do not add up.
    floor: Option<Vec<Vec<f64>>>,
}

impl Divergence {
    pub fn new(table: &FrequencyTable, hierarchies: &[Hierarchy]) -> Self {
        let adds_up = hierarchies.iter().all(adds_up);
        let floor = || {
            let columns = table.quasi_identifiers().iter().zip(hierarchies);
            columns.map(|(column, hierarchy)| floor(&table.marginal(column), hierarchy)).collect()
        };
        Self { measure: Measure::new(table, hierarchies), floor: adds_up.then(floor) }
    }

    /// Returns a lower bound on the divergence of nodes at or above these levels.
    pub fn floor(&self, levels: &[usize]) -> f64 {
        let floor = self.floor.iter().flatten().zip(levels);
        floor.map(|(floor, &level)| floor[level]).fold(0.0, f64::max)
    }

    /// Returns a lower bound on the divergence of the nodes above a node with the given divergence
    /// without suppression.
    pub fn above(&self, of_all: f64) -> f64 {
        self.floor.as_ref().map_or(0.0, |_| of_all)
    }

    /// Returns the divergence of the given classes and of the given number of suppressed rows. Each
    /// class is given by its index in the histograms and its labels.
    pub fn of_classes<L: Iterator<Item = usize>>(
        &self,
        areas: &Areas<'_>,
        histograms: &Histograms,
        classes: impl Iterator<Item = (usize, L)>,
        n_suppressed: u64,
    ) -> f64 {
        let mut sum = self.measure.sum(n_suppressed);
        let mut buffer = Vec::new();
        for (class, labels) in classes {
            sum.add_class(areas.of_labels(labels), histograms.entries(class, &mut buffer));
        }
        sum.divergence()
    }
}

/// Returns whether each label covers at least as many values as the labels below it together.
fn adds_up(hierarchy: &Hierarchy) -> bool {
    let top: u64 = hierarchy.level(hierarchy.n_levels() - 1).covered.iter().sum();
    top <= hierarchy.domain_size()
        && (1..hierarchy.n_levels()).all(|level| {
            let (low, high) = (hierarchy.level(level - 1), hierarchy.level(level));
            let mut below = vec![0u64; high.labels.len()];
            let mut parent = vec![None; low.labels.len()];
            for (&label, &above) in low.map.iter().zip(&high.map) {
                parent[label as usize] = Some(above as usize);
            }
            for (parent, covered) in parent.into_iter().zip(&low.covered) {
                parent.into_iter().for_each(|parent| below[parent] += covered);
            }
            below.iter().zip(&high.covered).all(|(below, covered)| below <= covered)
        })
}

/// Returns for each level the lowest divergence of one attribute alone at this level or above.
fn floor(marginal: &[u64], hierarchy: &Hierarchy) -> Vec<f64> {
    let n_rows = marginal.iter().sum::<u64>() as f64;
    let nats = |rows: u64, area: f64| match rows {
        0 => 0.0,
        rows => rows as f64 / n_rows * (rows as f64 / (n_rows * area)).ln(),
    };
    let own: f64 = marginal.iter().map(|&rows| nats(rows, 1.0)).sum();
    let mut floor: Vec<f64> = (0..hierarchy.n_levels())
        .map(|level| {
            let level = hierarchy.level(level);
            let mut rows = vec![0; level.labels.len()];
            for (&label, count) in level.map.iter().zip(marginal) {
                rows[label as usize] += count;
            }
            let covered = rows.iter().zip(&level.covered);
            (own - covered.map(|(&rows, &covered)| nats(rows, covered as f64)).sum::<f64>())
                .max(0.0)
        })
        .collect();
    for level in (1..floor.len()).rev() {
        floor[level - 1] = floor[level - 1].min(floor[level]);
    }
    floor
}
