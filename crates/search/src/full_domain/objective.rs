//! The objective of a node, and what is known of it before the node is evaluated.

use indistinct_core::Hierarchy;
use indistinct_core::loss::{CellCosts, Form, Sizes, cell_costs, weighted_mean};
use indistinct_core::model::CountedColumn;

use super::divergence::Divergence;
use super::lattice::Lattice;
use crate::Problem;

/// What cells cost, as shares of the objective.
#[derive(Debug)]
pub(super) struct Cells {
    costs: Vec<CellCosts>,
    weights: Vec<f64>,
    n_rows: u64,
    /// For each attribute and level the number of rows with each label.
    rows: Vec<Vec<Vec<u64>>>,
    /// For each attribute and level the least share of this level or any above: does not fall by rounding either.
    floor: Vec<Vec<f64>>,
}

/// The objective, by what it is computed from.
#[derive(Debug)]
pub(super) enum Objective {
    Cells(Cells),
    Classes(fn(&Sizes) -> f64),
    Levels(fn(&[usize]) -> f64),
    Joint(Divergence),
}

/// All classes of a node, those included whose rows would be suppressed.
#[derive(Debug, Clone, Copy)]
pub(super) struct AllClasses {
    pub n_classes: u64,
    pub squares: u128,
    pub largest: u64,
    /// Where the objective is a divergence, its value if nothing is suppressed; 0 where that was not computed.
    pub divergence: f64,
}

/// Two objectives that are computed differently, but are equal, differ by less than this.
const ROUNDING: f64 = 1e-12;

/// The same for sums of as many logarithms as there are tuples.
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

    /// What nodes at or above these levels cost at least, from the levels alone.
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

    /// Where the objective is a sum over attributes: what one costs at least at a level, as long as no row is suppressed.
    pub fn term(&self, attribute: usize, level: usize) -> Option<f64> {
        match self {
            Objective::Cells(cells) => {
                Some(cells.share(attribute, cells.costs[attribute].total[level]))
            }
            Objective::Levels(_) | Objective::Joint(_) | Objective::Classes(_) => None,
        }
    }

    /// What nodes at or above one with the given classes cost at least if at most `most` rows are suppressed.
    ///
    /// A row that stays is in a class of at least the size that it had below, so with s rows suppressed the squares are
    /// at least `squares - s * largest`, and there are at most `n_classes` classes. Sound for losses that do not
    /// fall with the squares nor rise with the number of classes, and take their least value along this line at one of its ends:
    /// discernibility and the average class size. Divergences: see [`Divergence`].
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

    /// The value by which nodes are compared.
    pub fn rounded(&self, objective: f64) -> f64 {
        self.rounding().map_or(objective, |rounding| (objective / rounding).round())
    }

    /// The least value by which a node may be compared whose objective is at least `bound`.
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

/// By attribute and level, the number of rows with each label.
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
    /// The number of rows with each label of an attribute at a level.
    pub fn rows(&self, attribute: usize, level: usize) -> &[u64] {
        &self.rows[attribute][level]
    }

    fn share(&self, attribute: usize, total: f64) -> f64 {
        let mut totals = vec![0.0; self.weights.len()];
        totals[attribute] = total;
        weighted_mean(&totals, &self.weights, self.n_rows)
    }

    /// The objective of a node, given the number of suppressed rows with each label of each attribute.
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

    /// The share that suppressing the given rows adds at least, by attribute and level, to nodes at or below a node: the
    /// labels are those of the node, `least` the least cost of suppressing a row with this label when it is
    /// at a lower level.
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

/// By attribute, upper level, lower level and label of the upper level: the least that suppressing a row costs which has
/// this label at the upper level, when it is at the lower level.
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
