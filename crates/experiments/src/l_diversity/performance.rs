//! Reproduces Figure 13, the computation time as a function of the number of quasi-identifiers.

use indistinct_search::full_domain::Minimal;

use super::{INFERRED_HIERARCHIES, about, adult, why_other_rows};
use crate::comparison::{Agreement, Row, SIMILAR, is_lower, no_change};
use crate::data::{ADULT, Table};
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab};
use crate::figure::Panel;
use crate::search::{RequestedPrinciple, best_node, policy, timed};

/// The time to find all minimal tables for k-anonymity and for entropy l-diversity.
pub(crate) static FIGURE_13: Experiment = Experiment {
    name: "l-diversity-13",
    title: "Time as a function of the number of quasi-identifiers, for k-anonymity and entropy \
         l-diversity",
    source: "l-diversity paper (TKDD 2007), Figure 13",
    needs: &[&ADULT],
    work: run,
};

/// The attributes in the order of Figure 7.
const EIGHT: [&str; 8] = [
    "age",
    "sex",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "salary-class",
];

/// Measurements for entropy l-diversity and k-anonymity, for each number of quasi-identifiers. A
/// measurement is `None` if no node satisfies the principle.
pub(super) struct Times {
    /// The median time in milliseconds.
    pub(super) ms: [Vec<Option<f64>>; 2],
    /// The number of evaluated nodes.
    pub(super) evaluated: [Vec<Option<f64>>; 2],
}

/// For each size, measures the time to find all minimal tables for k = l = 6, using that many of
/// the quasi-identifiers, in order.
pub(super) fn times(
    table: &Table,
    all: &[&str],
    sensitive: &str,
    sizes: &[usize],
    n_runs: usize,
) -> Result<Times, Error> {
    let (mut ms, mut evaluated): ([Vec<_>; 2], [Vec<_>; 2]) = Default::default();
    for &size in sizes {
        let names = &all[..size];
        let counted = table.counted(names, &[sensitive], &table.all());
        for (at, requested) in
            [RequestedPrinciple::entropy(6), RequestedPrinciple::k(6)].iter().enumerate()
        {
            let policy = policy(table.hierarchies(names), vec![requested.on(&counted, None)]);
            let (time, found) =
                timed(n_runs, || best_node(&counted, &policy, "height", Minimal::List))?;
            ms[at].push(found.as_ref().map(|_| time));
            evaluated[at]
                .push(found.map(|it| it.effort.lattice.map_or(0, |it| it.n_evaluated) as f64));
        }
    }
    Ok(Times { ms, evaluated })
}

/// Plots the times and the numbers of evaluated nodes.
pub(super) fn panels(
    sizes: &[usize],
    ms: &[Vec<Option<f64>>; 2],
    evaluated: &[Vec<Option<f64>>; 2],
) -> Vec<Panel> {
    let labels: Vec<String> = sizes.iter().map(usize::to_string).collect();
    let panel = |id: &str, title: &str, y: &str, values: &[Vec<Option<f64>>; 2]| {
        Panel::new(id, title, ("quasi-identifiers", y), labels.clone())
            .with("entropy l-diversity (l = 6)", values[0].clone())
            .with("k-anonymity (k = 6)", values[1].clone())
    };
    vec![
        panel("time", "Time to find all minimal tables", "ms", ms),
        panel("nodes", "Evaluated lattice nodes", "nodes", evaluated),
    ]
}

fn run(lab: &Lab<'_>) -> Result<Findings, Error> {
    let table = adult(lab)?;
    let largest = lab.by_effort(8, 4);
    let n_runs = lab.by_effort(5, 1);
    let sizes: Vec<usize> = (3..=largest).collect();
    let Times { ms, evaluated } = times(&table, &EIGHT, "occupation", &sizes, n_runs)?;
    let panels = panels(&sizes, &ms, &evaluated);
    let rows = vec![
        similar(&ms, "times measured in this run"),
        sometimes_faster(&sizes, &ms, &evaluated),
        Row::new(
            "The times are given in minutes: up to 6 with 8 quasi-identifiers",
            ms[1]
                .last()
                .copied()
                .flatten()
                .map_or_else(String::new, |ms| format!("{ms:.0} ms for k-anonymity")),
            Agreement::NotComparable,
            "the machine and the program are different: this run searches in memory, whereas the \
             paper uses a database on a 3 GHz Pentium 4",
        )
        .printed("from the axis of the plot; the plotted values are not available"),
    ];
    let mut differences: Vec<String> = why_other_rows(&table).into_iter().collect();
    differences.push(INFERRED_HIERARCHIES.to_owned());
    differences.push(
        "The paper computes all 6-anonymous (or 6-diverse) tables with Incognito, which visits the \
         lattices of all subsets of attributes. Indistinct searches a single lattice: it decides \
         every node and lists the minimal nodes, which determine all other nodes. It does not \
         evaluate nodes whose result follows from class sizes or from monotonicity."
            .to_owned(),
    );
    let setting = vec![
        about(&table),
        format!(
            "The quasi-identifiers are the first 3 to {largest} attributes in Figure 7 of the \
             paper (salary class is the eighth), and the sensitive attribute is occupation. The \
             parameters are k = l = 6, without suppression. Run times are medians of {n_runs} \
             runs."
        ),
    ];
    Ok(Findings { setting, panels, rows, differences })
}

/// Returns the values of entropy l-diversity and k-anonymity for each number of quasi-identifiers
/// with both values.
fn pairs(of: &[Vec<Option<f64>>; 2]) -> Vec<(f64, f64)> {
    of[0].iter().zip(&of[1]).filter_map(|(l, k)| Some(((*l)?, (*k)?))).collect()
}

/// Compares the statement that both running times were similar with the times in milliseconds.
pub(super) fn similar(ms: &[Vec<Option<f64>>; 2], note: &str) -> Row {
    let ratios: Vec<f64> = pairs(ms).iter().map(|(l, k)| l / k.max(1e-9)).collect();
    let low = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let high = ratios.iter().copied().fold(0.0, f64::max);
    Row::new(
        "The running times for k-anonymity and l-diversity were similar",
        format!("entropy l-diversity takes {low:.2} to {high:.2} times as long as k-anonymity"),
        match ratios.is_empty() {
            true => Agreement::NotComparable,
            false => Agreement::from(high <= SIMILAR && low >= 1.0 / SIMILAR),
        },
        format!(
            "criterion: for each number of quasi-identifiers, the two times differ by a factor of \
             at most {SIMILAR}; {note}"
        ),
    )
}

/// Compares the statement that l-diversity was sometimes faster with the times and the numbers of
/// evaluated nodes.
fn sometimes_faster(
    sizes: &[usize],
    ms: &[Vec<Option<f64>>; 2],
    evaluated: &[Vec<Option<f64>>; 2],
) -> Row {
    let sizes_with = |of: &[Vec<Option<f64>>; 2], is_less: fn(f64, f64) -> bool| -> Vec<usize> {
        let pairs = sizes.iter().copied().zip(pairs(of));
        pairs.filter(|(_, (l, k))| is_less(*l, *k)).map(|it| it.0).collect()
    };
    let faster = sizes_with(ms, is_lower);
    let fewer = sizes_with(evaluated, |l, k| l < k);
    Row::new(
        "Sometimes the running time for l-diversity was shorter, because the algorithm pruned \
         parts of the lattice earlier",
        format!(
            "faster for {} of {} numbers of quasi-identifiers {faster:?}; fewer evaluated nodes \
             for {fewer:?}",
            faster.len(),
            sizes.len()
        ),
        faster.iter().any(|size| fewer.contains(size)),
        format!(
            "criterion: faster, with fewer evaluated nodes, for at least one number of \
             quasi-identifiers; {}; times measured in this run",
            no_change()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_tests::{assert_rows, stored};

    fn stored_values(panel: &Panel) -> [Vec<Option<f64>>; 2] {
        ["entropy l-diversity (l = 6)", "k-anonymity (k = 6)"].map(|it| panel.values(it).to_vec())
    }

    #[test]
    fn verdicts_follow_from_stored_times() {
        let panels = stored("l-diversity-13");
        let [ms, evaluated] = [0, 1].map(|at: usize| stored_values(&panels[at]));
        let sizes: Vec<usize> = (3..=8).collect();
        let rows =
            [similar(&ms, "times measured in this run"), sometimes_faster(&sizes, &ms, &evaluated)];
        assert_rows("l-diversity-13", &rows);
        let ms = stored_values(&stored("l-diversity-14")[0]);
        let row = similar(&ms, "times measured in this run for a synthetic table");
        assert_rows("l-diversity-14", &[row]);
    }
}
