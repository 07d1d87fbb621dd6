//! A naive oracle for full-domain searches, which evaluates every node of the lattice by the
//! definitions.
//!
//! The oracle shares no code and no types with the crates under test, and contains no
//! optimizations.

use std::collections::BTreeMap;

use num_bigint::BigUint;

/// A distinct row and the number of its occurrences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainRow {
    /// The code of each quasi-identifier.
    pub quasi_identifiers: Vec<usize>,
    /// The code of each sensitive attribute.
    pub sensitive: Vec<usize>,
    /// The number of occurrences.
    pub count: u64,
}

/// A level of a hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainLevel {
    /// The label number of each code.
    pub label_of: Vec<usize>,
    /// The text of each label.
    pub labels: Vec<String>,
    /// The number of domain values that each label covers.
    pub covered: Vec<u64>,
}

/// The hierarchy of a quasi-identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainHierarchy {
    /// The levels, starting with the original values.
    pub levels: Vec<PlainLevel>,
    /// The number of values in the domain.
    pub domain_size: u64,
}

/// A principle. Fractions are pairs (numerator, denominator), and `on` is the index of a sensitive
/// attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainPrinciple {
    /// Each class has at least k rows.
    KAnonymity(u64),
    /// Each class has at least l distinct sensitive values.
    Distinct {
        /// The index of the sensitive attribute.
        on: usize,
        /// The minimum number of distinct values.
        l: u64,
    },
    /// No sensitive value has a frequency above 1/l.
    Frequency {
        /// The index of the sensitive attribute.
        on: usize,
        /// The reciprocal of the maximum frequency.
        l: (u64, u64),
    },
    /// The entropy of the sensitive values is at least log l.
    Entropy {
        /// The index of the sensitive attribute.
        on: usize,
        /// The exponential of the minimum entropy.
        l: (u64, u64),
    },
    /// The count of the most frequent value is less than c times the sum of the counts from rank l
    /// on.
    Recursive {
        /// The index of the sensitive attribute.
        on: usize,
        /// The factor c.
        c: (u64, u64),
        /// The rank l.
        l: u64,
    },
    /// The sum of the absolute differences between the frequencies in a class and in all released
    /// rows is at most 2 t. Only the [oracle for all sets of rows](crate::suppression_oracle)
    /// supports this principle, because the failing classes depend on the suppressed rows.
    Closeness {
        /// The index of the sensitive attribute.
        on: usize,
        /// The maximum distance t.
        t: (u64, u64),
    },
}

/// The treatment of suppressed rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainSuppression {
    /// Suppressed rows are dropped.
    Dropped,
    /// Suppressed rows are released with `*` in all quasi-identifiers.
    Starred,
}

/// The objective to minimize.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainObjective {
    /// The mean fraction of other domain values that a label covers.
    Loss,
    /// The sum of squared class sizes.
    Discernibility,
    /// The mean number of rows per class.
    AverageClassSize,
    /// Non-uniform entropy.
    Entropy,
    /// The sum of levels.
    Height,
    /// The mean of 1 - 1 / (number of covered values).
    Information,
    /// The divergence of the joint distribution of all attributes.
    KlDivergence,
}

/// The input of a full-domain search.
#[derive(Debug, Clone)]
pub struct PlainProblem {
    /// The rows of the table.
    pub rows: Vec<PlainRow>,
    /// The hierarchy of each quasi-identifier.
    pub hierarchies: Vec<PlainHierarchy>,
    /// The principles that every released class must satisfy.
    pub principles: Vec<PlainPrinciple>,
    /// The largest fraction of rows that may be suppressed.
    pub limit: (u64, u64),
    /// The treatment of suppressed rows.
    pub suppressed: PlainSuppression,
    /// The objective to minimize.
    pub objective: PlainObjective,
    /// The weight of each quasi-identifier.
    pub weights: Vec<f64>,
    /// The lowest and highest allowed level of each quasi-identifier.
    pub bounds: Vec<(usize, usize)>,
}

/// A node of the lattice.
#[derive(Debug, Clone, PartialEq)]
pub struct PlainNode {
    /// The level of each quasi-identifier.
    pub levels: Vec<usize>,
    /// Whether the node satisfies the policy.
    pub satisfies: bool,
    /// The number of rows to suppress to satisfy the principles, regardless of the limit; `None` if
    /// suppression cannot satisfy the principles.
    pub n_needed: Option<u64>,
    /// The number of classes in the release.
    pub n_classes: u64,
    /// The value of the objective.
    pub objective: f64,
}

/// The result of an exhaustive search.
#[derive(Debug, Clone, PartialEq)]
pub struct PlainAnswer {
    /// All nodes in lexicographic order.
    pub nodes: Vec<PlainNode>,
    /// The index of the best satisfying node.
    pub best: Option<usize>,
    /// The indices of the minimal satisfying nodes, below which no other node satisfies the policy.
    pub minimal: Vec<usize>,
}

#[derive(Debug, Clone, Default)]
struct PlainClass {
    rows: Vec<usize>,
    size: u64,
}

/// Returns the levels of all nodes in lexicographic order.
pub(crate) fn all_levels(problem: &PlainProblem) -> Vec<Vec<usize>> {
    let mut all_levels = vec![Vec::new()];
    for &(min, max) in &problem.bounds {
        all_levels = all_levels
            .into_iter()
            .flat_map(|levels: Vec<usize>| {
                (min..=max).map(move |level| {
                    let mut levels = levels.clone();
                    levels.push(level);
                    levels
                })
            })
            .collect();
    }
    all_levels
}

/// Evaluates every node.
pub fn search_exhaustively(problem: &PlainProblem) -> PlainAnswer {
    let nodes: Vec<PlainNode> =
        all_levels(problem).into_iter().map(|levels| node_at(problem, levels)).collect();
    let strictly_below = |a: &PlainNode, b: &PlainNode| {
        a.levels != b.levels && a.levels.iter().zip(&b.levels).all(|(x, y)| x <= y)
    };
    let minimal = (0..nodes.len())
        .filter(|&at| {
            nodes[at].satisfies
                && !nodes.iter().any(|other| other.satisfies && strictly_below(other, &nodes[at]))
        })
        .collect();
    let rank = |node: &PlainNode| {
        let exact = match problem.objective {
            PlainObjective::Loss | PlainObjective::Entropy | PlainObjective::Information => {
                (node.objective * 1e12).round()
            }
            PlainObjective::KlDivergence => (node.objective * 1e9).round(),
            _ => node.objective,
        };
        (exact, node.n_needed, node.levels.iter().sum::<usize>(), node.levels.clone())
    };
    let best = (0..nodes.len()).filter(|&at| nodes[at].satisfies).min_by(|&a, &b| {
        rank(&nodes[a]).partial_cmp(&rank(&nodes[b])).expect("objective values are comparable")
    });
    PlainAnswer { nodes, best, minimal }
}

fn node_at(problem: &PlainProblem, levels: Vec<usize>) -> PlainNode {
    let n_rows: u64 = problem.rows.iter().map(|row| row.count).sum();
    let all: Vec<usize> = (0..problem.rows.len()).collect();
    let holds = |problem, rows: &[usize]| holds(problem, rows, &all);
    let mut by_label: BTreeMap<Vec<usize>, PlainClass> = BTreeMap::new();
    for (at, row) in problem.rows.iter().enumerate() {
        let labels = row
            .quasi_identifiers
            .iter()
            .enumerate()
            .map(|(qi, &code)| problem.hierarchies[qi].levels[levels[qi]].label_of[code])
            .collect();
        let class = by_label.entry(labels).or_default();
        class.rows.push(at);
        class.size += row.count;
    }
    let is_star = |labels: &[usize]| {
        labels
            .iter()
            .enumerate()
            .all(|(qi, &label)| problem.hierarchies[qi].levels[levels[qi]].labels[label] == "*")
    };
    let starred_mode = problem.suppressed == PlainSuppression::Starred;
    let mut star = PlainClass::default();
    let mut retained: Vec<(Vec<usize>, PlainClass)> = Vec::new();
    let mut suppressed: Vec<PlainClass> = Vec::new();
    for (labels, class) in by_label {
        if starred_mode && is_star(&labels) {
            star = class;
        } else if holds(problem, &class.rows) {
            retained.push((labels, class));
        } else {
            suppressed.push(class);
        }
    }
    // The losses treat the rows whose labels are all `*` as a separate class.
    let star_size = star.size;
    let mut possible = true;
    if starred_mode {
        for class in &suppressed {
            star.rows.extend(&class.rows);
        }
        retained.sort_by(|a, b| (a.1.size, &a.0).cmp(&(b.1.size, &b.0)));
        while !star.rows.is_empty() && !holds(problem, &star.rows) {
            if retained.is_empty() {
                possible = false;
                break;
            }
            let (_, class) = retained.remove(0);
            star.rows.extend(&class.rows);
            suppressed.push(class);
        }
    }
    let n_suppressed: u64 = suppressed.iter().map(|class| class.size).sum();
    let mut unsuppressed: Vec<u64> = retained.iter().map(|(_, class)| class.size).collect();
    if star_size > 0 {
        unsuppressed.push(star_size);
    }
    let mut is_suppressed = vec![false; problem.rows.len()];
    for &row in suppressed.iter().flat_map(|class| &class.rows) {
        is_suppressed[row] = true;
    }
    let released_star = starred_mode && !star.rows.is_empty();
    PlainNode {
        satisfies: possible && n_suppressed * problem.limit.1 <= problem.limit.0 * n_rows,
        n_needed: possible.then_some(n_suppressed),
        n_classes: retained.len() as u64 + u64::from(released_star),
        objective: objective(problem, &levels, n_rows, n_suppressed, &unsuppressed, &is_suppressed),
        levels,
    }
}

pub(crate) fn objective(
    problem: &PlainProblem,
    levels: &[usize],
    n_rows: u64,
    n_suppressed: u64,
    unsuppressed: &[u64],
    is_suppressed: &[bool],
) -> f64 {
    match problem.objective {
        PlainObjective::Height => levels.iter().sum::<usize>() as f64,
        PlainObjective::Discernibility => {
            (unsuppressed.iter().map(|size| size * size).sum::<u64>() + n_suppressed * n_rows)
                as f64
        }
        PlainObjective::AverageClassSize if unsuppressed.is_empty() => n_rows as f64,
        PlainObjective::AverageClassSize => {
            (n_rows - n_suppressed) as f64 / unsuppressed.len() as f64
        }
        PlainObjective::KlDivergence => {
            if n_rows == 0 {
                0.0
            } else {
                divergence(problem, levels, is_suppressed)
            }
        }
        PlainObjective::Loss | PlainObjective::Entropy | PlainObjective::Information => {
            let weight: f64 = problem.weights.iter().sum();
            if weight == 0.0 || n_rows == 0 {
                return 0.0;
            }
            let sum: f64 = (0..levels.len())
                .map(|qi| problem.weights[qi] * mean_cost(problem, levels, qi, is_suppressed))
                .sum();
            sum / weight
        }
    }
}

/// Computes the divergence row by row from the definitions.
fn divergence(problem: &PlainProblem, levels: &[usize], is_suppressed: &[bool]) -> f64 {
    let n_rows: u64 = problem.rows.iter().map(|row| row.count).sum();
    let label = |row: &PlainRow, qi: usize| {
        problem.hierarchies[qi].levels[levels[qi]].label_of[row.quasi_identifiers[qi]]
    };
    let n_sensitive = problem.rows[0].sensitive.len();
    let mut everything: f64 = problem.hierarchies.iter().map(|h| h.domain_size as f64).product();
    for on in 0..n_sensitive {
        let mut values: Vec<usize> = problem.rows.iter().map(|row| row.sensitive[on]).collect();
        values.sort_unstable();
        values.dedup();
        everything *= values.len() as f64;
    }
    let mut divergence = 0.0;
    for row in &problem.rows {
        let (mut equal, mut estimate) = (0, 0.0);
        let mut area = 1.0;
        for (qi, (hierarchy, &level)) in problem.hierarchies.iter().zip(levels).enumerate() {
            area *= hierarchy.levels[level].covered[label(row, qi)] as f64;
        }
        for (at, other) in problem.rows.iter().enumerate() {
            if other.quasi_identifiers == row.quasi_identifiers && other.sensitive == row.sensitive
            {
                equal += other.count;
            }
            if is_suppressed[at] {
                estimate += other.count as f64 / everything;
            } else if other.sensitive == row.sensitive
                && (0..levels.len()).all(|qi| label(other, qi) == label(row, qi))
            {
                estimate += other.count as f64 / area;
            }
        }
        divergence += row.count as f64 * (equal as f64 / estimate).ln();
    }
    divergence / n_rows as f64
}

/// Returns the mean loss of one quasi-identifier over all rows.
fn mean_cost(problem: &PlainProblem, levels: &[usize], qi: usize, is_suppressed: &[bool]) -> f64 {
    let level = &problem.hierarchies[qi].levels[levels[qi]];
    let rows_with = |same: &dyn Fn(usize) -> bool| -> f64 {
        let with = problem.rows.iter().filter(|row| same(row.quasi_identifiers[qi]));
        with.map(|row| row.count).sum::<u64>() as f64
    };
    let n_rows = rows_with(&|_| true);
    let (mut lost, mut most) = (0.0, 0.0);
    for (at, row) in problem.rows.iter().enumerate() {
        let code = row.quasi_identifiers[qi];
        let count = row.count as f64;
        match problem.objective {
            PlainObjective::Loss => {
                let domain = problem.hierarchies[qi].domain_size;
                let covered = level.covered[level.label_of[code]];
                most += count;
                lost += match (is_suppressed[at], domain) {
                    (true, _) => count,
                    (false, 0 | 1) => 0.0,
                    (false, _) => count * (covered - 1) as f64 / (domain - 1) as f64,
                };
            }
            PlainObjective::Information => {
                most += count;
                lost += match is_suppressed[at] {
                    true => count,
                    false => count * (1.0 - 1.0 / level.covered[level.label_of[code]] as f64),
                };
            }
            _ => {
                let n_value = rows_with(&|other| other == code);
                let n_label = match is_suppressed[at] {
                    true => n_rows,
                    false => rows_with(&|other| level.label_of[other] == level.label_of[code]),
                };
                most += count * (n_rows / n_value).ln();
                lost += count * (n_label / n_value).ln();
            }
        }
    }
    if most > 0.0 { lost / most } else { 0.0 }
}

/// Returns whether a class satisfies all principles, given its rows and all released rows.
pub(crate) fn holds(problem: &PlainProblem, rows: &[usize], released: &[usize]) -> bool {
    problem.principles.iter().all(|principle| {
        let of_values = |on: usize, rows: &[usize]| {
            let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
            for &row in rows {
                let row = &problem.rows[row];
                *counts.entry(row.sensitive[on]).or_default() += row.count;
            }
            counts
        };
        let counts = |on: usize| {
            let mut counts: Vec<u64> = of_values(on, rows).into_values().collect();
            counts.sort_unstable();
            counts.reverse();
            counts
        };
        let size: u64 = rows.iter().map(|&row| problem.rows[row].count).sum();
        match *principle {
            PlainPrinciple::KAnonymity(k) => size >= k,
            PlainPrinciple::Distinct { on, l } => counts(on).len() as u64 >= l,
            PlainPrinciple::Frequency { on, l } => l.0 * counts(on)[0] <= size * l.1,
            PlainPrinciple::Entropy { on, l } => has_entropy(&counts(on), l),
            PlainPrinciple::Recursive { l: 1, .. } => true,
            PlainPrinciple::Recursive { on, c, l } => {
                let counts = counts(on);
                let tail: u64 = counts.iter().skip(l as usize - 1).sum();
                counts[0] * c.1 < c.0 * tail
            }
            PlainPrinciple::Closeness { on, t } => {
                let (own, all) = (of_values(on, rows), of_values(on, released));
                let n_all: u64 = all.values().sum();
                let apart = |(value, &of_all): (&usize, &u64)| {
                    (own.get(value).unwrap_or(&0) * n_all).abs_diff(of_all * size)
                };
                all.iter().map(apart).sum::<u64>() * t.1 <= 2 * t.0 * size * n_all
            }
        }
    })
}

/// Checks that n^n * den^n >= num^n * product of n_s^n_s in exact integer arithmetic.
fn has_entropy(counts: &[u64], (numerator, denominator): (u64, u64)) -> bool {
    let n: u64 = counts.iter().sum();
    let nats = (n as f64).ln()
        - counts.iter().map(|&c| c as f64 * (c as f64).ln()).sum::<f64>() / n as f64;
    let wanted = (numerator as f64 / denominator as f64).ln();
    // Avoid computing large powers for classes that are far from the boundary.
    if n > 100 && (nats - wanted).abs() > 1e-6 {
        return nats > wanted;
    }
    let power = |base: u64, exponent: u64| {
        BigUint::from(base)
            .pow(u32::try_from(exponent).expect("the classes of the oracle are small"))
    };
    let left = power(n, n) * power(denominator, n);
    let right = counts.iter().fold(power(numerator, n), |product, &c| product * power(c, c));
    left >= right
}
