//! An exhaustive search for policies with any principles, which queries the certifier for every
//! node.
//!
//! The suppression rule: the rows of failing classes are suppressed. If suppressed rows are
//! dropped, the certifier evaluates the remaining rows again, until no class fails. If suppressed
//! rows are starred and the class of `*` fails, the smallest other class is starred too, until the
//! class of `*` satisfies the policy or no class is left. The node satisfies the policy if the
//! certifier then accepts the recoding.

use std::collections::BTreeMap;

use indistinct_core::{DROPPED, Partition, claims_of};
use indistinct_core::{Generalization, Recoding, STAR, SuppressionRule};
use indistinct_search::Problem;
use indistinct_testkit::lattice_oracle::PlainObjective;

/// One node of the lattice.
#[derive(Debug, Clone)]
pub struct Node {
    pub levels: Vec<usize>,
    /// Number of rows that must be suppressed; `None` if suppression does not help.
    pub n_needed: Option<u64>,
    /// Number of rows in failing classes before suppression.
    pub n_failing: u64,
    pub n_classes: u64,
    pub satisfies: bool,
    pub objective: f64,
    pub suppressed: Vec<bool>,
}

/// Returns every node in lexicographic order.
pub fn all_nodes(problem: &Problem<'_>, objective: PlainObjective) -> Vec<Node> {
    let mut all = vec![Vec::new()];
    for bounds in &problem.bounds {
        let longer = |levels: Vec<usize>| {
            bounds.clone().map(move |level| [levels.clone(), vec![level]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all.into_iter().map(|levels| node(problem, objective, levels)).collect()
}

/// Returns the node that the search must find.
pub fn best(nodes: &[Node], objective: PlainObjective) -> Option<&Node> {
    let rank = |node: &Node| {
        let exact = match objective {
            PlainObjective::Loss => (node.objective * 1e12).round(),
            PlainObjective::KlDivergence => (node.objective * 1e9).round(),
            _ => node.objective,
        };
        (exact, node.n_needed, node.levels.iter().sum::<usize>(), node.levels.clone())
    };
    let satisfying = nodes.iter().filter(|node| node.satisfies);
    satisfying
        .min_by(|a, b| rank(a).partial_cmp(&rank(b)).expect("objective values are comparable"))
}

/// Returns the levels of satisfying nodes without a satisfying node below them.
pub fn minimal(nodes: &[Node]) -> Vec<Vec<usize>> {
    let below = |a: &Node, b: &Node| {
        a.levels != b.levels && a.levels.iter().zip(&b.levels).all(|(a, b)| a <= b)
    };
    let satisfying: Vec<&Node> = nodes.iter().filter(|node| node.satisfies).collect();
    let is_minimal = |node: &&&Node| !satisfying.iter().any(|other| below(other, node));
    satisfying.iter().filter(is_minimal).map(|node| node.levels.clone()).collect()
}

fn node(problem: &Problem<'_>, objective: PlainObjective, levels: Vec<usize>) -> Node {
    let (table, policy) = (problem.table, problem.policy);
    let mut recoding = Recoding {
        generalization: Generalization::of_levels(levels.clone()),
        suppressed: vec![false; table.n_tuples()],
        sensitive: None,
    };
    // The tuples of each class before suppression, by the labels of the class.
    let mut classes: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
    for tuple in 0..table.n_tuples() {
        let label = |(at, &level): (usize, &usize)| {
            let code = table.quasi_identifiers()[at].codes[tuple];
            policy.hierarchies[at].level(level).map[code as usize]
        };
        classes.entry(levels.iter().enumerate().map(label).collect()).or_default().push(tuple);
    }
    let is_star = |labels: &[u32]| {
        let label = |(at, &label): (usize, &u32)| {
            &policy.hierarchies[at].level(levels[at]).labels[label as usize]
        };
        labels.iter().enumerate().map(label).all(|label| label == STAR)
    };
    let size = |tuples: &[usize]| tuples.iter().map(|&at| table.counts()[at]).sum::<u64>();
    let starred = policy.suppressed == SuppressionRule::Starred;
    let star = classes.keys().find(|labels| starred && is_star(labels)).cloned();
    let mut others: Vec<Vec<usize>> = classes
        .iter()
        .filter(|(labels, _)| Some(*labels) != star.as_ref())
        .map(|(_, tuples)| tuples.clone())
        .collect();
    others.sort_by_key(|tuples| size(tuples));

    let ask = |recoding: &Recoding| {
        let partition =
            Partition::new(table, policy, recoding).expect("the recoding is valid for the table");
        let judged = claims_of(table, &partition, &policy.requirements);
        (partition, judged)
    };
    // Returns for each tuple whether its class fails.
    let fails = |recoding: &Recoding| -> Vec<bool> {
        let (partition, judged) = ask(recoding);
        let class_fails = |&class: &u32| class != DROPPED && !judged.class_holds[class as usize];
        partition.class_of.iter().map(class_fails).collect()
    };
    let mut n_failing = None;
    loop {
        let failing = fails(&recoding);
        let rows = (0..table.n_tuples()).filter(|&at| failing[at]).collect::<Vec<_>>();
        n_failing = n_failing.or(Some(size(&rows)));
        let before = recoding.suppressed.clone();
        let in_star = |tuple: usize| {
            star.as_ref().is_some_and(|star| classes[star].contains(&tuple))
                || starred && recoding.suppressed[tuple]
        };
        let whole: Vec<usize> = rows.iter().copied().filter(|&at| !in_star(at)).collect();
        if whole.is_empty() && !rows.is_empty() {
            // Only the class of `*` fails.
            let next = others.iter().find(|tuples| !recoding.suppressed[tuples[0]]);
            next.into_iter().flatten().for_each(|&at| recoding.suppressed[at] = true);
        }
        whole.into_iter().for_each(|at| recoding.suppressed[at] = true);
        if recoding.suppressed == before {
            break;
        }
    }
    let (partition, judged) = ask(&recoding);
    let suppressed: Vec<usize> =
        (0..table.n_tuples()).filter(|&at| recoding.suppressed[at]).collect();
    let n_suppressed = size(&suppressed);
    let holds = judged.claims.principles.iter().all(|claim| claim.holds);
    let retained: Vec<u64> = classes
        .values()
        .filter(|tuples| !recoding.suppressed[tuples[0]])
        .map(|tuples| size(tuples))
        .collect();
    Node {
        n_needed: holds.then_some(n_suppressed),
        n_failing: n_failing.expect("the check ran once"),
        n_classes: partition.classes.len() as u64,
        satisfies: holds && policy.allows_suppressing(n_suppressed, table),
        objective: cost(problem, objective, &levels, &recoding.suppressed, &retained),
        suppressed: recoding.suppressed,
        levels,
    }
}

fn cost(
    problem: &Problem<'_>,
    objective: PlainObjective,
    levels: &[usize],
    suppressed: &[bool],
    retained: &[u64],
) -> f64 {
    let n_rows = problem.table.n_rows();
    let n_suppressed = n_rows - retained.iter().sum::<u64>();
    match objective {
        PlainObjective::Height => levels.iter().sum::<usize>() as f64,
        PlainObjective::Discernibility => {
            (retained.iter().map(|size| size * size).sum::<u64>() + n_suppressed * n_rows) as f64
        }
        PlainObjective::AverageClassSize if retained.is_empty() => n_rows as f64,
        PlainObjective::AverageClassSize => (n_rows - n_suppressed) as f64 / retained.len() as f64,
        PlainObjective::Loss => {
            let weight: f64 = problem.weights.iter().sum();
            let of_attribute = |(at, &level): (usize, &usize)| {
                problem.weights[at] * mean_loss(problem, at, level, suppressed)
            };
            let sum: f64 = levels.iter().enumerate().map(of_attribute).sum();
            if weight == 0.0 || n_rows == 0 { 0.0 } else { sum / weight }
        }
        PlainObjective::KlDivergence if n_rows == 0 => 0.0,
        PlainObjective::KlDivergence => divergence(problem, levels, suppressed),
        PlainObjective::Entropy | PlainObjective::Information => {
            unreachable!("only the oracle of the test kit supports these objectives")
        }
    }
}

/// Returns the mean logarithm of the ratio between the actual number of rows equal to a row and the
/// number expected from the release.
fn divergence(problem: &Problem<'_>, levels: &[usize], suppressed: &[bool]) -> f64 {
    let (table, hierarchies) = (problem.table, &problem.policy.hierarchies);
    let n_attributes = levels.len();
    let code = |at: usize, tuple: usize| table.quasi_identifiers()[at].codes[tuple];
    let label = |at: usize, tuple: usize| {
        hierarchies[at].level(levels[at]).map[code(at, tuple) as usize] as usize
    };
    let area = |tuple: usize| -> f64 {
        let covered = |at: usize| hierarchies[at].level(levels[at]).covered[label(at, tuple)];
        (0..n_attributes).map(|at| covered(at) as f64).product()
    };
    let same_sensitive_value = |a: usize, b: usize| {
        table.sensitive().iter().all(|column| column.codes[a] == column.codes[b])
    };
    let domain: f64 = hierarchies.iter().map(|h| h.domain_size() as f64).product();
    let occurring = table
        .sensitive()
        .iter()
        .map(|column| column.codes.iter().collect::<std::collections::BTreeSet<_>>().len() as f64);
    let everything = domain * occurring.product::<f64>();
    let of_tuple = |tuple: usize| {
        let mut expected = 0.0;
        for (other, &is_suppressed) in suppressed.iter().enumerate() {
            let rows = table.counts()[other] as f64;
            if is_suppressed {
                expected += rows / everything;
            } else if same_sensitive_value(tuple, other)
                && (0..n_attributes).all(|at| label(at, tuple) == label(at, other))
            {
                expected += rows / area(other);
            }
        }
        // The tuples of a table are distinct.
        let rows = table.counts()[tuple] as f64;
        rows * (rows / expected).ln()
    };
    (0..table.n_tuples()).map(of_tuple).sum::<f64>() / table.n_rows() as f64
}

fn mean_loss(problem: &Problem<'_>, at: usize, level: usize, suppressed: &[bool]) -> f64 {
    let hierarchy = &problem.policy.hierarchies[at];
    let (level, domain) = (hierarchy.level(level), hierarchy.domain_size());
    let of_tuple = |tuple: usize| {
        let code = problem.table.quasi_identifiers()[at].codes[tuple];
        let covered = level.covered[level.map[code as usize] as usize];
        let share = match (suppressed[tuple], domain) {
            (true, _) => 1.0,
            (false, 0 | 1) => 0.0,
            (false, _) => (covered - 1) as f64 / (domain - 1) as f64,
        };
        problem.table.counts()[tuple] as f64 * share
    };
    (0..problem.table.n_tuples()).map(of_tuple).sum::<f64>() / problem.table.n_rows() as f64
}
