//! Tests of single suppressed cells: the release satisfies the principles, no cell is starred
//! unnecessarily, and the number of suppressed rows is within the limit.

use indistinct_core::Cell;
use indistinct_search::full_domain::FullDomain;
use indistinct_search::{Problem, Search, with_suppression};

use super::*;

/// A row of a release: its tuple and its released values.
type Released = (u32, Vec<Cell>);

/// Returns the released rows one by one.
fn released(table: &FrequencyTable, policy: &Policy, recoding: &Recoding) -> Vec<Released> {
    let label = |at: usize, level: usize, tuple: u32| {
        let code = table.quasi_identifiers()[at].codes[tuple as usize];
        Cell::Label { level, label: policy.hierarchies[at].level(level).map[code as usize] }
    };
    assert!(recoding.suppressed.iter().all(|suppressed| !suppressed));
    match &recoding.generalization {
        Generalization::FullDomain { levels, parts } => {
            assert!(parts.is_none());
            let of = |tuple| (0..levels.len()).map(|at| label(at, levels[at], tuple)).collect();
            let rows = (0u32..).zip(table.counts());
            rows.flat_map(|(tuple, &n)| vec![(tuple, of(tuple)); n as usize]).collect()
        }
        Generalization::Classes(classes) => {
            let parts: Vec<(u32, u64)> = match &classes.parts {
                Some(parts) => parts.iter().map(|part| (part.tuple, part.rows)).collect(),
                None => (0u32..).zip(table.counts().iter().copied()).collect(),
            };
            let rows = parts.iter().zip(&classes.class_of);
            rows.flat_map(|(&(tuple, n), &class)| {
                let cells: Vec<Cell> = classes.cells.of_class(class as usize).cloned().collect();
                vec![(tuple, cells); n as usize]
            })
            .collect()
        }
    }
}

/// Returns whether the classes of rows with equal strings satisfy all principles.
fn hold(table: &FrequencyTable, policy: &Policy, rows: &[Released]) -> bool {
    let columns = table.quasi_identifiers().iter().enumerate().map(|(at, column)| {
        let text = |row: &Released| row.1[at].text(&column.dictionary, &policy.hierarchies[at]);
        let texts: std::collections::BTreeSet<String> = rows.iter().map(text).collect();
        let (dictionary, _) = Dictionary::from_distinct(texts.into_iter().collect());
        let code = |row: &Released| {
            let text = text(row);
            dictionary.values().iter().position(|value| *value == text).expect("listed") as u32
        };
        let codes = rows.iter().map(code).collect();
        CountedColumn { name: column.name.clone(), dictionary, codes }
    });
    let sensitive = table.sensitive().iter().map(|column| CountedColumn {
        codes: rows.iter().map(|row| column.codes[row.0 as usize]).collect(),
        ..column.clone()
    });
    let counts = vec![1; rows.len()];
    let released = FrequencyTable::new(columns.collect(), sensitive.collect(), counts);
    let released = released.expect("well-formed");
    check_rows(&released, &policy.requirements).claims.principles.iter().all(|claim| claim.holds)
}

/// Returns the weighted fraction of suppressed cells.
fn starred(rows: &[Released], highest: &[usize], weights: &[f64]) -> f64 {
    let is_above =
        |cell: &Cell, at: usize| matches!(cell, Cell::Label { level, .. } if *level > highest[at]);
    let of = |row: &Released| -> f64 {
        let cells = row.1.iter().enumerate();
        cells.map(|(at, cell)| if is_above(cell, at) { weights[at] } else { 0.0 }).sum()
    };
    rows.iter().map(of).sum()
}

fn highest(recoding: &Recoding) -> Option<Vec<usize>> {
    match &recoding.generalization {
        Generalization::Classes(classes) => classes.highest.clone(),
        Generalization::FullDomain { .. } => None,
    }
}

/// Returns the recoding that the full-domain or the multidimensional search finds.
fn found(task: &Task<'_>, by_level: bool) -> Option<Recoding> {
    let recoding = match by_level {
        true => {
            let outcome = with_suppression(&FullDomain::default(), &task.problem, &Silent);
            outcome.expect("an answer").found().ok().map(|found| found.proposal.recoding)
        }
        false => {
            let outcome = with_suppression(&task.search, &task.problem, &Silent);
            outcome.expect("an answer").found().ok().map(|found| found.proposal)
        }
    };
    if let Some(recoding) = &recoding {
        certify(task.problem.table, task.problem.policy, recoding)
            .expect("the certifier accepts the recoding");
    }
    recoding
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_suppressed_cell_can_be_restored(
        rows in rows(40, 5),
        required in 0..PRESERVED.len(),
        by_level in any::<bool>(),
        max in 0..3usize,
        weight in prop_oneof![Just(1.0), Just(5.0)],
    ) {
        let table = table(&rows, 5);
        let mut policy = policy(&table, PRESERVED[required], (1, 2), ClassColumn::Absent);
        policy.suppressed = SuppressionRule::Cells;
        let mut task = problem(&table, &policy, GeneralizeTo::Hierarchy, Split::Best);
        task.problem.bounds[0] = 0..=max;
        task.problem.weights = vec![weight, 1.0];
        // Feasibility does not depend on whether rows are suppressed as a whole or cell by cell.
        let mut whole = policy_like(&table, required);
        whole.suppressed = SuppressionRule::Starred;
        let mut as_rows = task.clone();
        as_rows.problem.policy = &whole;
        let of_rows = match by_level {
            true => {
                let outcome = FullDomain::default().search(&as_rows.problem, &Silent);
                outcome.expect("an answer").found().ok().map(|found| found.proposal.recoding)
            }
            false => search(&as_rows).found().ok().map(|found| found.proposal),
        };
        let recoding = found(&task, by_level);
        prop_assert_eq!(recoding.is_some(), of_rows.is_some());
        let (Some(recoding), Some(of_rows)) = (recoding, of_rows) else { return Ok(()) };
        // The suppression of cells loses no more than the suppression of rows.
        let lost = |policy: &Policy, recoding: &Recoding| {
            let release = certify(&table, policy, recoding).expect(
                "the certifier accepts the recoding");
            let Problem { objective, weights, .. } = &task.problem;
            loss::of_release(objective, &release, policy, recoding, weights).expect("a value")
        };
        let (of_cells, of_rows) = (lost(&policy, &recoding), lost(&whole, &of_rows));
        prop_assert!(of_cells <= of_rows + 1e-9, "loss {} with cells, {} with rows", of_cells, of_rows);
        let Some(highest) = highest(&recoding) else { return Ok(()) };
        let released = released(&table, &policy, &recoding);
        prop_assert!(hold(&table, &policy, &released));
        for (row, (tuple, cells)) in released.iter().enumerate() {
            for (at, cell) in cells.iter().enumerate() {
                let Cell::Label { level, .. } = cell else { continue };
                if *level <= highest[at] {
                    continue;
                }
                let lowest = if by_level { highest[at] } else { 0 };
                for level in lowest..=highest[at] {
                    let code = table.quasi_identifiers()[at].codes[*tuple as usize] as usize;
                    let label = policy.hierarchies[at].level(level).map[code];
                    let mut restored = released.clone();
                    restored[row].1[at] = Cell::Label { level, label };
                    prop_assert!(!hold(&table, &policy, &restored), "row {row}, attribute {at}");
                }
            }
        }
    }
}

fn policy_like(table: &FrequencyTable, required: usize) -> Policy {
    policy(table, PRESERVED[required], (1, 2), ClassColumn::Absent)
}

/// Comparison with an exhaustive search over all starred cells of all rows at the same levels. The
/// search is a heuristic: it is never better than the exhaustive search, and usually equally good.
#[test]
fn suppressed_cells_are_usually_cheapest() {
    let mut random = Random(11);
    let (mut n_compared, mut n_least) = (0, 0);
    for case in 0..120 {
        let n = 4 + random.below(3) as u32;
        let row = |_| (random.below(4) as u32, random.below(3) as u32, random.below(3) as u32);
        let table = table(&Rows { rows: (0..n).map(row).collect() }, 3);
        let required: &[RequiredPrinciple<'_>] = match case % 2 {
            0 => &[("k-anonymity", &[("k", "2")])],
            _ => &[("k-anonymity", &[("k", "2")]), ("distinct-l-diversity", &[("l", "2")])],
        };
        let mut policy = policy(&table, required, (1, 1), ClassColumn::Absent);
        policy.suppressed = SuppressionRule::Cells;
        let mut task = problem(&table, &policy, GeneralizeTo::Hierarchy, Split::Best);
        // Only level 0 is permitted, so all generalization consists of starred cells.
        task.problem.bounds = vec![0..=0, 0..=0];
        task.problem.weights = vec![1.0, 2.0];
        let weights = task.problem.weights.clone();
        let Some(recoding) = found(&task, true) else { continue };
        let rows = released(&table, &policy, &recoding);
        let highest = [0, 0];
        let cost = starred(&rows, &highest, &weights);
        let mut least = f64::INFINITY;
        for chosen in 0..1u32 << (2 * rows.len()) {
            let tried: Vec<Released> = rows
                .iter()
                .enumerate()
                .map(|(row, &(tuple, _))| {
                    let cell = |at: usize| {
                        let is_starred = chosen >> (2 * row + at) & 1 == 1;
                        let level = if is_starred { 2 } else { 0 };
                        let code = table.quasi_identifiers()[at].codes[tuple as usize] as usize;
                        let label = policy.hierarchies[at].level(level).map[code];
                        Cell::Label { level, label }
                    };
                    (tuple, vec![cell(0), cell(1)])
                })
                .collect();
            let of_these = starred(&tried, &highest, &weights);
            if of_these < least && hold(&table, &policy, &tried) {
                least = of_these;
            }
        }
        assert!(cost >= least, "case {case}: cost {cost} is below the minimum {least}");
        n_compared += 1;
        n_least += u32::from(cost == least);
    }
    assert!(
        n_compared > 80 && n_least * 10 >= n_compared * 8,
        "{n_least} of {n_compared} cases have the minimum cost"
    );
}
