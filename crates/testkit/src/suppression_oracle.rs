//! A naive oracle for full-domain recoding with any suppression: every node of the lattice with
//! every set of suppressed rows, including sets that split classes.

use std::collections::BTreeMap;

use crate::lattice_oracle::{
    PlainProblem, PlainRow, PlainSuppression, all_levels, holds, objective,
};

/// Returns the problem with identical rows listed individually, to allow the suppression of any
/// subset. The problem is truncated to `most` rows.
pub fn by_row(problem: &PlainProblem, most: usize) -> PlainProblem {
    let one = |row: &PlainRow| PlainRow { count: 1, ..row.clone() };
    let rows = problem.rows.iter().flat_map(|row| (0..row.count).map(move |_| one(row)));
    PlainProblem { rows: rows.take(most).collect(), ..problem.clone() }
}

/// Returns the minimum objective of a full-domain recoding that satisfies the policy with any set
/// of suppressed rows, or `None` without such a recoding. The problem must list [each row
/// individually](by_row).
pub fn least_of_any_rows(problem: &PlainProblem) -> Option<f64> {
    let n_rows = problem.rows.len();
    let suppressible = (0u32..1 << n_rows).filter(|set| {
        u64::from(set.count_ones()) * problem.limit.1 <= problem.limit.0 * n_rows as u64
    });
    let sets: Vec<Vec<bool>> =
        suppressible.map(|set| (0..n_rows).map(|row| set >> row & 1 == 1).collect()).collect();
    let nodes = all_levels(problem);
    let all = nodes.iter().flat_map(|levels| sets.iter().map(move |set| (levels, set)));
    all.filter_map(|(levels, set)| of_rows(problem, levels, set)).min_by(f64::total_cmp)
}

/// Returns the objective of a node with the given suppressed rows, if it satisfies the principles.
fn of_rows(problem: &PlainProblem, levels: &[usize], is_suppressed: &[bool]) -> Option<f64> {
    let is_starred = problem.suppressed == PlainSuppression::Starred;
    let labels = |row: usize| -> Vec<&str> {
        let codes = problem.rows[row].quasi_identifiers.iter().zip(levels).enumerate();
        codes
            .map(|(at, (&code, &level))| {
                let level = &problem.hierarchies[at].levels[level];
                match is_suppressed[row] {
                    true => "*",
                    false => level.labels[level.label_of[code]].as_str(),
                }
            })
            .collect()
    };
    let n_rows = problem.rows.len();
    let released: Vec<usize> =
        (0..n_rows).filter(|&row| is_starred || !is_suppressed[row]).collect();
    let mut classes: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
    for &row in &released {
        classes.entry(labels(row)).or_default().push(row);
    }
    if !classes.values().all(|rows| holds(problem, rows, &released)) {
        return None;
    }
    let retained =
        |rows: &Vec<usize>| rows.iter().filter(|&&row| !is_suppressed[row]).count() as u64;
    let sizes: Vec<u64> = classes.values().map(retained).filter(|&size| size > 0).collect();
    let n_suppressed = is_suppressed.iter().filter(|is| **is).count() as u64;
    Some(objective(problem, levels, n_rows as u64, n_suppressed, &sizes, is_suppressed))
}
