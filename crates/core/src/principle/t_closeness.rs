//! # t-closeness
//!
//! **Definition.** A class has t-closeness iff the earth mover's distance between the distribution
//! P of its sensitive attribute and the distribution Q of all released rows is at most t.
//! **Formula.** Equal distance: sum_s max(p_s - q_s, 0). Ordered distance: 1/(m-1) *
//! sum_{i=1}^{m-1} |sum_{j<=i} (p_j - q_j)| over the m distinct released numbers, by rank; 0 for
//! m = 1. Hierarchical distance: the distance between two values is the height of their lowest
//! common ancestor divided by the height of the tree, so EMD = sum over all nodes v except the root
//! of (height(parent) - height(v)) * |P(v) - Q(v)| / (2 height(root)).
//! **Parameters.** `attribute`: sensitive; numeric for the ordered distance. `t`: from 0 to 1.
//! `distance`: `equal` (default, the largest), `ordered`, or `hierarchical`.
//! **Level.** `t`: the exact distance; the maximum over all classes; smaller is safer.
//! **Monotone.** Merging preserves the principle, because the distance to a fixed distribution is
//! convex (test `merging_keeps`). Suppression may break the principle, because the released rows
//! change (test `suppression_changes_reference_distribution`).
//! **Complexity.** Equal: O(v) for the v values of a class; ordered: O(v log m); hierarchical:
//! O(v * height). Additionally O(m) once.
//! **Errors.** `Missing`, `OutOfRange`; ordered: `NotNumeric`, `TooManyDigits`, `MissingNumbers`;
//! hierarchical: `NoTaxonomy`, `NotInTaxonomy`.
//! **Does not protect against.** Identity disclosure. Information that all released rows together
//! reveal. Linkage of releases. Inference of finer values from the choice of classes and labels
//! (attack `refinement`).
//! **Source.** Li, Li, Venkatasubramanian, ICDE 2007, Definition 2. Deviations: the ordered
//! distance uses ranks (reading C-13); equal numbers with different spellings are one value; with
//! `missing = "separate-value"`, a missing value has the lowest rank.

use rustc_hash::FxHashMap;

use super::*;

const PARAMETERS: [ParameterSpec; 2] = parameters! {
    /// maximum distance between the distribution in a class and that in all released rows
    "t" => Number(NumberRange::Within(0, 1)), Required;
    /// distance between two values: equal for all pairs, by rank, or by the height of their lowest
    /// common label in the hierarchy
    "distance" => Word { one_of: &["equal", "ordered", "hierarchical"] }, Default("equal");
};

/// The parameter `distance`.
const DISTANCE: ParameterSpec = PARAMETERS[1];

pub(super) static KIND: Kind = Kind {
    name: "t-closeness",
    definition: "In every class, the distance between the distribution of the sensitive attribute \
                 and its distribution in all released rows is at most t.",
    promise: &[
        Phrase {
            when: &[Condition::Word("distance", "equal")],
            text: "In every class, the distance between the distribution of the sensitive \
                   attribute and its distribution in all released rows is at most {t}, where all \
                   pairs of values have distance 1.",
        },
        Phrase {
            when: &[Condition::Word("distance", "ordered")],
            text: "In every class, the distance between the distribution of the sensitive \
                   attribute and its distribution in all released rows is at most {t}, where the \
                   distance between two values is the difference of their ranks, scaled to at \
                   most 1.",
        },
        Phrase {
            when: &[Condition::Word("distance", "hierarchical")],
            text: "In every class, the distance between the distribution of the sensitive \
                   attribute and its distribution in all released rows is at most {t}, where the \
                   distance between two values is the height of their lowest common label in the \
                   hierarchy, scaled to at most 1.",
        },
    ],
    of_people: OfPeople::Promises(&[Phrase {
        when: &[Condition::Word("distance", "equal")],
        text: "In every class, the fractions of people with each sensitive value exceed the \
               fractions of all released people with the same value by at most {t} in total.",
    }]),
    parameters: &PARAMETERS,
    level: "t, the largest distance between a class and all released rows",
    safer_below: &["t"],
    merging: Merging::Keeps,
    does_not_protect_against: "identity disclosure, information revealed by all released rows \
        together, inference of finer values from the choice of classes and labels, or linkage of \
        several releases",
    source: "Li, Li, Venkatasubramanian, ICDE 2007, Definition 2",
    readings: &["C-13", "H-4"],
    ..Kind::base(build)
};

/// The metric space to which the sensitive values belong.
#[derive(Debug, Clone)]
enum Space {
    Equal,
    /// The rank of each code's number among the distinct numbers of the dictionary.
    Ordered {
        ranks: Vec<u32>,
    },
    Hierarchical {
        tree: Tree,
    },
}

/// A taxonomy, prepared for computing the earth mover's distance.
#[derive(Debug, Clone)]
struct Tree {
    /// The leaf of each code.
    leaves: Vec<u32>,
    parents: Vec<Option<u32>>,
    /// The difference in height between each node and its parent.
    rises: Vec<i128>,
    height: i128,
}

/// The distribution with which classes are compared.
#[derive(Debug, Clone)]
enum Reference {
    /// The number of rows with each code.
    Equal(Vec<u64>),
    Ordered {
        /// The position of each rank of the dictionary among the ranks that are released.
        positions: Vec<u32>,
        /// The number of rows up to and including each position.
        up_to: Vec<u64>,
        /// The sum of `up_to` before each position.
        areas: Vec<i128>,
    },
    Hierarchical {
        /// The number of rows below each node.
        nodes: Vec<i128>,
        /// The sum, over all nodes, of the difference in height multiplied by the number of rows.
        total: i128,
    },
}

/// Returns t-closeness with a given t, in the form that a policy uses.
pub fn t_closeness(t: Rational) -> (&'static Kind, Parameters) {
    (&KIND, Parameters::of_numbers([("t", t)]))
}

#[derive(Debug)]
struct TCloseness {
    attribute: usize,
    space: Space,
    reference: Reference,
    n_released: u64,
    bounds: [Bound; 1],
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let column = context.column();
    let space = match parameters.word(&DISTANCE) {
        "ordered" => Space::Ordered { ranks: ranks(&context.numbers()?) },
        "hierarchical" => {
            let attribute = || column.name.clone();
            let taxonomy =
                context.taxonomy.ok_or_else(|| DataError::NoTaxonomy { attribute: attribute() })?;
            let tree = Tree::new(taxonomy, column.dictionary.values()).map_err(|codes| {
                let (n_rows, values) = context.rows_with(&codes);
                DataError::NotInTaxonomy { attribute: attribute(), n_rows, values }
            })?;
            Space::Hierarchical { tree }
        }
        _ => Space::Equal,
    };
    let marginal = context.table.marginal(column);
    Ok(Box::new(TCloseness {
        attribute: context.attribute(),
        reference: space.reference(&marginal),
        space,
        n_released: context.table.n_rows(),
        bounds: [Bound {
            name: "t",
            relation: Relation::AtMost,
            threshold: parameters.number("t"),
        }],
    }))
}

/// Returns the rank of each code. A missing value has the lowest rank.
fn ranks(numbers: &Numbers) -> Vec<u32> {
    let all = numbers.all_scaled();
    let mut ranks = Vec::with_capacity(all.len());
    let mut rank = 0;
    for (code, number) in all.iter().enumerate() {
        let is_first_number = code == numbers.first() as usize;
        if code > 0 && (is_first_number || all[code - 1] != *number) {
            rank += 1;
        }
        ranks.push(rank);
    }
    ranks
}

impl Tree {
    /// Creates a tree, or returns the codes of values that are not leaves.
    fn new(taxonomy: &Taxonomy, values: &[String]) -> Result<Self, Vec<u32>> {
        let leaf = |value: &String| taxonomy.node_of(value).filter(|&node| taxonomy.is_leaf(node));
        let found: Vec<Option<u32>> = values.iter().map(leaf).collect();
        let leaves: Vec<u32> = found.iter().copied().flatten().collect();
        if leaves.len() < values.len() {
            let codes = 0..values.len() as u32;
            return Err(codes.filter(|&code| found[code as usize].is_none()).collect());
        }
        let heights = taxonomy.heights();
        let parents: Vec<Option<u32>> =
            (0..taxonomy.n_nodes() as u32).map(|node| taxonomy.parent(node)).collect();
        let rise = |(node, parent): (usize, &Option<u32>)| {
            parent.map_or(0, |parent| i128::from(heights[parent as usize] - heights[node]))
        };
        let rises = parents.iter().enumerate().map(rise).collect();
        let height = heights.first().map_or(0, |&height| i128::from(height));
        Ok(Self { leaves, parents, rises, height })
    }

    /// Calls `f` for each node on the path from a leaf to the root.
    fn climb(&self, code: u32, mut f: impl FnMut(u32)) {
        let mut node = Some(self.leaves[code as usize]);
        while let Some(at) = node {
            f(at);
            node = self.parents[at as usize];
        }
    }
}

impl Space {
    /// Computes the distribution of all released rows from the number of rows with each code.
    fn reference(&self, rows: &[u64]) -> Reference {
        match self {
            Space::Equal => Reference::Equal(rows.to_vec()),
            Space::Ordered { ranks } => {
                let n_ranks = ranks.last().map_or(0, |last| *last as usize + 1);
                let mut by_rank = vec![0; n_ranks];
                for (&rank, &rows) in ranks.iter().zip(rows) {
                    by_rank[rank as usize] += rows;
                }
                let mut positions = Vec::with_capacity(n_ranks);
                let (mut up_to, mut areas) = (Vec::new(), vec![0i128]);
                let (mut sum, mut area) = (0, 0);
                for rows in by_rank {
                    positions.push(up_to.len() as u32);
                    if rows > 0 {
                        sum += rows;
                        area += i128::from(sum);
                        up_to.push(sum);
                        areas.push(area);
                    }
                }
                Reference::Ordered { positions, up_to, areas }
            }
            Space::Hierarchical { tree } => {
                let mut nodes = vec![0i128; tree.parents.len()];
                for (code, &rows) in rows.iter().enumerate() {
                    tree.climb(code as u32, |node| nodes[node as usize] += i128::from(rows));
                }
                let total = nodes.iter().zip(&tree.rises).map(|(rows, rise)| rows * rise).sum();
                Reference::Hierarchical { nodes, total }
            }
        }
    }
}

impl TCloseness {
    /// Returns the same principle for `n_released` released rows or people with these values.
    fn among_released(&self, values: &Histogram<'_>, n_released: u64) -> Self {
        Self {
            attribute: self.attribute,
            reference: self.space.reference(&values.by_code()),
            space: self.space.clone(),
            n_released,
            bounds: self.bounds.clone(),
        }
    }

    /// Returns the distance as a fraction, which is not reduced to lowest terms.
    fn distance(&self, entries: &[(u32, u64)], n: u64) -> Rational {
        let (n, all) = (i128::from(n), i128::from(self.n_released));
        let (moved, most) = match (&self.reference, &self.space) {
            (Reference::Equal(rows), _) => {
                let surplus = entries.iter().map(|&(code, count)| {
                    (i128::from(count) * all - i128::from(rows[code as usize]) * n).max(0)
                });
                (surplus.sum::<i128>(), n * all)
            }
            (Reference::Ordered { positions, up_to, areas }, Space::Ordered { ranks }) => {
                let position = |code: u32| positions[ranks[code as usize] as usize] as usize;
                let steps = up_to.len().saturating_sub(1);
                // Returns the sum of |n * up_to - all * below| over a range of positions, where
                // `below` is the number of rows of the class at or before these positions.
                let between = |from: usize, to: usize, below: u64| {
                    let level = i128::from(below) * all;
                    let turn =
                        from + up_to[from..to].partition_point(|&q| i128::from(q) * n < level);
                    let under = level * (turn - from) as i128 - n * (areas[turn] - areas[from]);
                    let over = n * (areas[to] - areas[turn]) - level * (to - turn) as i128;
                    under + over
                };
                let (mut from, mut below, mut moved) = (0, 0, 0);
                for &(code, count) in entries {
                    let at = position(code).min(steps);
                    moved += between(from, at, below);
                    (from, below) = (at, below + count);
                }
                (moved + between(from, steps, below), n * all * steps as i128)
            }
            (Reference::Hierarchical { nodes, total }, Space::Hierarchical { tree }) => {
                let mut below: FxHashMap<u32, i128> = FxHashMap::default();
                for &(code, count) in entries {
                    tree.climb(code, |node| *below.entry(node).or_default() += i128::from(count));
                }
                // The initial sum assumes that the class has no rows below any node.
                let mut moved = n * total;
                #[allow(clippy::iter_over_hash_type)]
                // The order of summation does not affect the sum of integers.
                for (&node, &rows) in &below {
                    let (rise, released) = (tree.rises[node as usize], nodes[node as usize]);
                    moved += rise * ((rows * all - released * n).abs() - released * n);
                }
                (moved, 2 * tree.height * n * all)
            }
            _ => unreachable!("each space creates its own reference"),
        };
        if most == 0 { Rational::from_integer(0) } else { Rational::new_raw(moved, most) }
    }
}

impl Principle for TCloseness {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        let entries = histogram(class, self.attribute).entries;
        Level::One(Quantity::Exact(self.distance(entries, class.size)))
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn depends_on(&self) -> DependsOn {
        DependsOn::ReleasedRows
    }

    fn against(&self, released: &[Histogram<'_>]) -> Option<Box<dyn Principle>> {
        let histogram = &released[self.attribute];
        Some(Box::new(self.among_released(histogram, histogram.total())))
    }

    fn against_people(&self, released: &ClassView<'_>) -> Option<Box<dyn Principle>> {
        let histogram = &released.histograms[self.attribute];
        Some(Box::new(self.among_released(histogram, released.size)))
    }
}
