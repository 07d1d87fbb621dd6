//! The objective of a node, and bounds on the objective before the node is evaluated.
//!
//! The bounds on the divergence of a node are justified as follows.
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
use indistinct_core::loss::{CellCosts, Form, Sizes, cell_costs, weighted_mean};
use indistinct_core::model::CountedColumn;
use indistinct_core::{FrequencyTable, Hierarchy};

use super::histograms::Histograms;
use super::lattice::Lattice;
use crate::Problem;

/// The costs of cells as fractions of the objective.
#[derive(Debug)]
pub(super) struct Cells {
    costs: Vec<CellCosts>,
    weights: Vec<f64>,
    n_rows: u64,
    /// For each attribute and level, the number of rows with each label.
    rows: Vec<Vec<Vec<u64>>>,
    /// For each attribute and level, the lowest cost fraction at this level or above. Despite
    /// rounding, this fraction does not fall as the level rises.
    floor: Vec<Vec<f64>>,
}

/// The objective, classified by the input of its computation.
#[derive(Debug)]
pub(super) enum Objective {
    Cells(Cells),
    Classes(fn(&Sizes) -> f64),
    Levels(fn(&[usize]) -> f64),
    Joint(Divergence),
}

/// All classes of a node, including the classes whose rows would be suppressed.
#[derive(Debug, Clone, Copy)]
pub(super) struct AllClasses {
    pub n_classes: u64,
    pub squares: u128,
    pub largest: u64,
    /// The divergence without suppression if the objective is a divergence; 0 if it was not
    /// computed.
    pub divergence: f64,
}

/// Upper bound on the difference between equal objectives that were computed in different ways.
const ROUNDING: f64 = 1e-12;

/// Like [`ROUNDING`], for sums of one logarithm per tuple.
const ROUNDING_OF_LOGARITHMS: f64 = 1e-9;

impl Objective {
    pub fn new(problem: &Problem<'_>) -> Self {
        match problem.objective.form {
            Form::Classes(loss) => Objective::Classes(loss),
            Form::Levels(loss) => Objective::Levels(loss),
            Form::Joint => {
                Objective::Joint(Divergence::new(problem.table, &problem.policy.hierarchies))
            }
            Form::Cells(cost) => {
                let costs = cell_costs(cost, problem.table, &problem.policy.hierarchies);
                let mut cells = Cells {
                    costs,
                    rows: rows_per_label(problem),
                    weights: problem.weights.clone(),
                    n_rows: problem.table.n_rows(),
                    floor: Vec::new(),
                };
                cells.floor = (0..cells.costs.len())
                    .map(|attribute| {
                        let total = &cells.costs[attribute].total;
                        let mut floor: Vec<f64> =
                            total.iter().map(|total| cells.share(attribute, *total)).collect();
                        for level in (1..floor.len()).rev() {
                            floor[level - 1] = floor[level - 1].min(floor[level]);
                        }
                        floor
                    })
                    .collect();
                Objective::Cells(cells)
            }
        }
    }

    /// Returns a lower bound on the objective of all nodes at or above these levels, from the
    /// levels alone.
    pub fn floor(&self, levels: &[usize]) -> f64 {
        match self {
            Objective::Cells(cells) => {
                levels.iter().zip(&cells.floor).map(|(&level, floor)| floor[level]).sum()
            }
            Objective::Levels(loss) => loss(levels),
            Objective::Joint(divergence) => divergence.floor(levels),
            Objective::Classes(_) => 0.0,
        }
    }

    /// Returns the lowest cost of an attribute at a level without suppression, if the objective is
    /// a sum over attributes.
    pub fn term(&self, attribute: usize, level: usize) -> Option<f64> {
        match self {
            Objective::Cells(cells) => {
                Some(cells.share(attribute, cells.costs[attribute].total[level]))
            }
            Objective::Levels(_) | Objective::Joint(_) | Objective::Classes(_) => None,
        }
    }

    /// Returns a lower bound on the objective of the nodes at or above a node with the given
    /// classes, if at most `most` rows are suppressed.
    ///
    /// A row that is not suppressed is in a class at least as large as its class below. With s
    /// suppressed rows, the sum of squares is therefore at least `squares - s * largest`, and there
    /// are at most `n_classes` classes. The bound is sound for losses that do not fall with the sum
    /// of squares, do not rise with the number of classes, and take their minimum along this line
    /// at one of its ends: discernibility and the average class size. For divergences, see
    /// [`Divergence`].
    pub fn above(&self, classes: &AllClasses, n_rows: u64, most: u64) -> f64 {
        let loss = match self {
            Objective::Classes(loss) => loss,
            Objective::Joint(divergence) => return divergence.above(classes.divergence),
            Objective::Cells(_) | Objective::Levels(_) => return 0.0,
        };
        let at = |n_suppressed: u64| {
            let torn = u128::from(n_suppressed) * u128::from(classes.largest);
            loss(&Sizes {
                n_rows,
                n_suppressed,
                n_classes: classes.n_classes,
                squares: classes.squares.saturating_sub(torn),
            })
        };
        at(0).min(at(most.min(n_rows)))
    }

    /// Rounds an objective to the value by which nodes are compared.
    pub fn rounded(&self, objective: f64) -> f64 {
        self.rounding().map_or(objective, |rounding| (objective / rounding).round())
    }

    /// Returns the lowest comparison value of a node whose objective is at least `bound`.
    pub fn rounded_below(&self, bound: f64) -> f64 {
        self.rounding().map_or(bound, |rounding| ((bound / rounding).round() - 1.0).max(0.0))
    }

    fn rounding(&self) -> Option<f64> {
        match self {
            Objective::Cells(_) => Some(ROUNDING),
            Objective::Joint(_) => Some(ROUNDING_OF_LOGARITHMS),
            Objective::Classes(_) | Objective::Levels(_) => None,
        }
    }
}

/// Returns the number of rows with each label, by attribute and level.
fn rows_per_label(problem: &Problem<'_>) -> Vec<Vec<Vec<u64>>> {
    let columns = problem.table.quasi_identifiers().iter();
    let of_attribute = |(column, hierarchy): (&CountedColumn, &Hierarchy)| {
        let marginal = problem.table.marginal(column);
        let of_level = |level: usize| {
            let level = hierarchy.level(level);
            let mut rows = vec![0; level.labels.len()];
            for (&label, count) in level.map.iter().zip(&marginal) {
                rows[label as usize] += count;
            }
            rows
        };
        (0..hierarchy.n_levels()).map(of_level).collect()
    };
    columns.zip(&problem.policy.hierarchies).map(of_attribute).collect()
}

impl Cells {
    /// Returns the number of rows with each label of an attribute at a level.
    pub fn rows(&self, attribute: usize, level: usize) -> &[u64] {
        &self.rows[attribute][level]
    }

    fn share(&self, attribute: usize, total: f64) -> f64 {
        let mut totals = vec![0.0; self.weights.len()];
        totals[attribute] = total;
        weighted_mean(&totals, &self.weights, self.n_rows)
    }

    /// Computes the objective of a node from the number of suppressed rows with each label of each
    /// attribute.
    pub fn of_node(&self, levels: &[usize], suppressed: &[Vec<u64>]) -> f64 {
        let totals: Vec<f64> = levels
            .iter()
            .zip(&self.costs)
            .zip(suppressed)
            .map(|((&level, costs), rows)| {
                let more: f64 = rows
                    .iter()
                    .zip(&costs.suppression[level])
                    .map(|(&rows, cost)| rows as f64 * cost)
                    .sum();
                costs.total[level] + more
            })
            .collect();
        weighted_mean(&totals, &self.weights, self.n_rows)
    }

    /// Returns, by attribute and level, the minimum cost fraction that suppressing the given rows
    /// adds to nodes at or below a node. The labels in `suppressed` are those of the node, and
    /// `least` is the minimum cost of suppressing a row with a given label at a lower level.
    pub fn least_added(
        &self,
        lattice: &Lattice,
        levels: &[usize],
        suppressed: &[Vec<u64>],
        least: &LeastCosts,
    ) -> Vec<Vec<f64>> {
        (0..levels.len())
            .map(|attribute| {
                let from = lattice.min()[attribute];
                (from..=levels[attribute])
                    .map(|level| {
                        let costs = &least.0[attribute][levels[attribute]][level - from];
                        let rows = &suppressed[attribute];
                        let sum = rows.iter().zip(costs).map(|(&n, cost)| n as f64 * cost).sum();
                        self.share(attribute, sum)
                    })
                    .collect()
            })
            .collect()
    }
}

/// The minimum cost of suppressing a row, by attribute, upper level, lower level, and label of the
/// upper level: the row has this label at the upper level and is released at the lower level.
#[derive(Debug)]
pub(super) struct LeastCosts(Vec<Vec<Vec<Vec<f64>>>>);

impl LeastCosts {
    pub fn new(problem: &Problem<'_>, cells: &Cells, lattice: &Lattice) -> Self {
        let of_attribute = |attribute: usize| {
            let hierarchy = &problem.policy.hierarchies[attribute];
            (0..hierarchy.n_levels())
                .map(|upper| {
                    let labels = &hierarchy.level(upper).map;
                    (lattice.min()[attribute]..=upper)
                        .map(|lower| {
                            let costs = &cells.costs[attribute].suppression[lower];
                            let n_labels = hierarchy.level(upper).labels.len();
                            let mut least = vec![f64::INFINITY; n_labels];
                            for (&low, &high) in hierarchy.level(lower).map.iter().zip(labels) {
                                let least = &mut least[high as usize];
                                *least = least.min(costs[low as usize]);
                            }
                            least.iter_mut().filter(|cost| cost.is_infinite()).for_each(|cost| {
                                *cost = 0.0;
                            });
                            least
                        })
                        .collect()
                })
                .collect()
        };
        Self((0..lattice.n_attributes()).map(of_attribute).collect())
    }
}

/// Computes divergences for one table.
#[derive(Debug)]
pub(super) struct Divergence {
    measure: Measure,
    /// For each attribute and level, the lowest divergence of any node at this level or above;
    /// `None` if a label covers fewer values than the labels below it together.
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

/// Returns the lowest divergence of one attribute alone at or above each level.
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
