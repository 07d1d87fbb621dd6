//! Tests of classes with their own released values: every found recoding is certified, and feasible
//! problems are solved.

#[path = "multidimensional/cells.rs"]
mod cells;
mod multidimensional_support;
#[path = "multidimensional/particular.rs"]
mod particular;
#[path = "multidimensional/starts.rs"]
mod starts;
#[path = "multidimensional/wide.rs"]
mod wide;

use std::collections::BTreeMap;

use indistinct_core::Optimality;
use indistinct_core::feasibility::reach;
use indistinct_core::hierarchy::HierarchyLevel;
use indistinct_core::loss::{self, Loss};
use indistinct_core::model::CountedColumn;
use indistinct_core::recoding::{ClassColumn, Others};
use indistinct_core::{
    ClassView, Dictionary, FrequencyTable, Generalization, Hierarchy, Histogram, Observer, Phase,
    Policy, Rational, Recoding, Silent, SuppressionRule, certify, check_rows,
};
use indistinct_search::multidimensional::{GeneralizeTo, Grain, Multidimensional, Split};
use indistinct_search::{Outcome, SearchError};
use indistinct_testkit::numeric_oracles::any_partition;
use multidimensional_support::{Task, problem, requirement};
use proptest::prelude::*;

const SPLITS: [Split; 2] = [Split::Best, Split::Median];
const ALIGNS: [GeneralizeTo; 2] = [GeneralizeTo::Hierarchy, GeneralizeTo::Bounds];

/// Rows of codes: two quasi-identifiers and a sensitive value.
#[derive(Debug, Clone)]
struct Rows {
    rows: Vec<(u32, u32, u32)>,
}

fn rows(most: usize, n_sensitive_values: u32) -> impl Strategy<Value = Rows> {
    let row = (0..9u32, 0..4u32, 0..n_sensitive_values);
    proptest::collection::vec(row, 1..=most).prop_map(|rows| Rows { rows })
}

fn numbers(n: u32) -> Dictionary {
    Dictionary::from_distinct((0..n).map(|value| (value * 10).to_string()).collect()).0
}

fn letters(n: u32) -> Dictionary {
    Dictionary::from_distinct((0..n).map(|value| format!("v{value}")).collect()).0
}

/// Returns a hierarchy with three values per label, followed by a label for all values.
fn in_threes(dictionary: &Dictionary) -> Hierarchy {
    let n = dictionary.len() as u32;
    let level = |width: u32| {
        let n_labels = n.div_ceil(width);
        HierarchyLevel {
            map: (0..n).map(|code| code / width).collect(),
            labels: match width {
                1 => dictionary.values().to_vec(),
                _ if n_labels == 1 => vec!["*".to_owned()],
                _ => (0..n_labels).map(|label| format!("{width}-{label}")).collect(),
            },
            covered: (0..n_labels).map(|label| u64::from(width.min(n - label * width))).collect(),
        }
    };
    Hierarchy::new(vec![level(1), level(3), level(n)], u64::from(n)).expect("nested")
}

fn table(rows: &Rows, n_sensitive_values: u32) -> FrequencyTable {
    let column = |name: &str, dictionary: Dictionary, codes: Vec<u32>| CountedColumn {
        name: name.to_owned(),
        dictionary,
        codes,
    };
    let rows = &rows.rows;
    let quasi_identifiers = vec![
        column("age", numbers(9), rows.iter().map(|row| row.0).collect()),
        column("zip", letters(4), rows.iter().map(|row| row.1).collect()),
    ];
    let value = vec![column(
        "sensitive",
        numbers(n_sensitive_values),
        rows.iter().map(|row| row.2).collect(),
    )];
    FrequencyTable::new(quasi_identifiers, value, vec![1; rows.len()]).expect("well-formed")
}

type RequiredPrinciple<'a> = (&'a str, &'a [(&'a str, &'a str)]);

fn policy(
    table: &FrequencyTable,
    required: &[RequiredPrinciple<'_>],
    limit: (i128, i128),
    published: ClassColumn,
) -> Policy {
    let columns = table.quasi_identifiers();
    let requirements = required
        .iter()
        .map(|(kind, numbers)| {
            let attribute = (*kind != "k-anonymity").then_some(0);
            requirement(table, kind, attribute, numbers, Others::Ignored)
        })
        .collect();
    Policy {
        hierarchies: columns.iter().map(|column| in_threes(&column.dictionary)).collect(),
        requirements,
        suppression_limit: Rational::new(limit.0, limit.1),
        suppressed: SuppressionRule::Dropped,
        published,
    }
}

type FoundRecoding = indistinct_search::FoundRecoding<Recoding>;

fn search(task: &Task<'_>) -> Outcome<Recoding> {
    task.run(&Silent).expect("an answer")
}

/// Checks that the certifier confirms the results of a search.
fn is_certified(task: &Task<'_>, found: &FoundRecoding) -> Result<(), TestCaseError> {
    let (problem, recoding) = (&task.problem, &found.proposal);
    let release = match certify(problem.table, problem.policy, recoding) {
        Ok(release) => release,
        Err(refusal) => return Err(TestCaseError::fail(refusal.to_string())),
    };
    prop_assert_eq!(release.n_suppressed(), found.n_suppressed);
    prop_assert_eq!(release.claims().n_classes, found.n_classes);
    let loss = indistinct_core::loss::of_release(
        problem.objective,
        &release,
        problem.policy,
        recoding,
        &problem.weights,
    );
    prop_assert!(
        loss.is_some_and(|loss| (loss - found.objective.expect("minimized")).abs() < 1e-9),
        "{:?}",
        loss
    );
    Ok(())
}

/// Returns whether all rows as one class satisfy the policy.
fn one_class_holds(table: &FrequencyTable, policy: &Policy) -> bool {
    let mut all = table.quasi_identifiers().to_vec();
    for column in &mut all {
        column.codes.fill(0);
    }
    let all = FrequencyTable::new(all, table.sensitive().to_vec(), table.counts().to_vec());
    let judged = check_rows(&all.expect("well-formed"), &policy.requirements);
    judged.claims.principles.iter().all(|claim| claim.holds)
}

/// Principles that are preserved when classes are merged.
const PRESERVED: [&[RequiredPrinciple<'static>]; 5] = [
    &[("k-anonymity", &[("k", "3")])],
    &[("k-anonymity", &[("k", "2")]), ("distinct-l-diversity", &[("l", "3")])],
    &[("recursive-diversity", &[("c", "2"), ("l", "2")])],
    &[("entropy-l-diversity", &[("l", "2")])],
    &[("frequency-l-diversity", &[("l", "5/2")]), ("k-anonymity", &[("k", "4")])],
];

const NUMERIC: [&[RequiredPrinciple<'static>]; 3] = [
    &[("epsilon-m-anonymity", &[("epsilon", "10"), ("m", "2")])],
    &[("epsilon-m-anonymity", &[("epsilon", "20"), ("m", "2")]), ("k-anonymity", &[("k", "3")])],
    &[("e1-e2-m-anonymity", &[("e1", "0"), ("e2", "10"), ("m", "2")])],
];

/// Returns all objectives that are defined for classes.
fn objectives() -> Vec<&'static Loss> {
    loss::REGISTRY
        .iter()
        .copied()
        .filter(|loss| !matches!(loss.form, loss::Form::Levels(_)))
        .collect()
}

/// Computes an objective of a recoding that was found for any objective.
fn objective_of(task: &Task<'_>, found: &FoundRecoding, objective: &Loss) -> f64 {
    let (problem, recoding) = (&task.problem, &found.proposal);
    let release = certify(problem.table, problem.policy, recoding).expect("certified");
    let value = loss::of_release(objective, &release, problem.policy, recoding, &problem.weights);
    value.expect("the loss is defined for classes")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// The result is never worse than that of the textbook order for the same objective, nor than
    /// the result for `loss`.
    #[test]
    fn objective_never_exceeds_starting_value(
        rows in rows(40, 5),
        required in 0..PRESERVED.len(),
        align in 0..2usize,
        objective in 0..objectives().len(),
        limit in prop_oneof![Just((0, 1)), Just((1, 5))],
        suppressed in prop_oneof![Just(SuppressionRule::Dropped), Just(SuppressionRule::Starred)],
        weight in prop_oneof![Just(1.0), Just(3.0), Just(0.0)],
    ) {
        let table = table(&rows, 5);
        let mut policy = policy(&table, PRESERVED[required], limit, ClassColumn::Absent);
        policy.suppressed = suppressed;
        let loss = problem(&table, &policy, ALIGNS[align], Split::Best);
        let mut loss = loss;
        loss.problem.weights = vec![weight, 1.0];
        let mut best = loss.clone();
        best.problem.objective = objectives()[objective];
        let mut median = best.clone();
        median.search.split = Split::Median;
        if let Outcome::Found(found) = search(&best) {
            is_certified(&best, &found)?;
            for other in [&median, &loss] {
                if let Outcome::Found(other) = search(other) {
                    let before = objective_of(&best, &other, best.problem.objective);
                    let slack = 1e-9 * before.abs().max(1.0);
                    prop_assert!(found.objective.expect("minimized") <= before + slack,
                        "{:?} > {before}", found.objective);
                }
            }
        }
    }

    /// Starred rows must satisfy the policy themselves; without suppression, there is at most one
    /// additional class.
    #[test]
    fn starred_rows_satisfy_policy(
        rows in rows(40, 5),
        required in 0..PRESERVED.len(),
        split in 0..2usize,
        max in 0..3usize,
    ) {
        let table = table(&rows, 5);
        let mut policy = policy(&table, PRESERVED[required], (1, 2), ClassColumn::Absent);
        policy.suppressed = SuppressionRule::Starred;
        let mut problem = problem(&table, &policy, GeneralizeTo::Hierarchy, SPLITS[split]);
        problem.problem.bounds[0] = 0..=max;
        match search(&problem) {
            Outcome::Found(found) => is_certified(&problem, &found)?,
            Outcome::NotFound(infeasible) if one_class_holds(&table, &policy) => {
                prop_assert!(max < 2);
                prop_assert!(!infeasible.is_proved);
            }
            Outcome::NotFound(infeasible) => {
                prop_assert!(infeasible.is_proved);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn multidimensional_results_are_valid_and_complete(
        rows in rows(24, 5),
        required in 0..PRESERVED.len(),
        split in 0..2usize,
        align in 0..2usize,
        limit in prop_oneof![Just((0, 1)), Just((1, 5))],
    ) {
        let table = table(&rows, 5);
        let policy = policy(&table, PRESERVED[required], limit, ClassColumn::Absent);
        let problem = problem(&table, &policy, ALIGNS[align], SPLITS[split]);
        match search(&problem) {
            Outcome::Found(found) => is_certified(&problem, &found)?,
            Outcome::NotFound(infeasible) => {
                prop_assert!(!one_class_holds(&table, &policy));
                let none_allowed = policy.max_suppressed(&table) == 0;
                prop_assert_eq!(infeasible.is_proved, none_allowed);
            }
        }
        prop_assert!(limit.0 > 0 || matches!(search(&problem), Outcome::Found(_)) == one_class_holds(&table, &policy));
    }

    #[test]
    fn numeric_principles_are_reached_as_theorems_state(
        rows in rows(16, 9),
        required in 0..NUMERIC.len(),
        split in 0..2usize,
        align in 0..2usize,
    ) {
        let table = table(&rows, 9);
        let policy = policy(&table, NUMERIC[required], (0, 1), ClassColumn::Published);
        let problem = problem(&table, &policy, ALIGNS[align], SPLITS[split]);
        let within = policy
            .requirements
            .iter()
            .all(|requirement| reach(&table, requirement).is_some_and(|reach| reach.is_within));
        match search(&problem) {
            Outcome::Found(found) => {
                prop_assert!(within);
                is_certified(&problem, &found)?;
            }
            Outcome::NotFound(infeasible) => {
                prop_assert_eq!(infeasible.is_proved, !within);
                prop_assert!(!within || policy.requirements.len() > 1);
            }
        }
    }

    #[test]
    fn equal_released_values_merge_without_class_column(
        rows in rows(16, 9),
        required in 0..NUMERIC.len(),
        split in 0..2usize,
        align in 0..2usize,
    ) {
        let table = table(&rows, 9);
        let policy = policy(&table, NUMERIC[required], (0, 1), ClassColumn::Absent);
        let problem = problem(&table, &policy, ALIGNS[align], SPLITS[split]);
        match search(&problem) {
            Outcome::Found(found) => is_certified(&problem, &found)?,
            Outcome::NotFound(infeasible) => {
                prop_assert!(!one_class_holds(&table, &policy));
                let within = policy
                    .requirements
                    .iter()
                    .all(|requirement| reach(&table, requirement).is_some_and(|r| r.is_within));
                prop_assert!(!infeasible.is_proved || !within);
            }
        }
    }

    #[test]
    fn thread_count_does_not_change_recoding(
        rows in rows(40, 5),
        required in 0..PRESERVED.len(),
        split in 0..2usize,
    ) {
        let table = table(&rows, 5);
        let policy = policy(&table, PRESERVED[required], (1, 10), ClassColumn::Absent);
        let problem = problem(&table, &policy, GeneralizeTo::Hierarchy, SPLITS[split]);
        let on = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build();
            pool.expect("a pool").install(|| search(&problem))
        };
        prop_assert_eq!(on(1), on(2));
    }
}

/// A random number generator with the same sequence on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// With this grain, rows that are equal at the lowest levels are in one class or are suppressed
/// together.
#[test]
fn equal_combinations_share_classes() {
    let runner =
        ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() };
    let cases = (rows(24, 3), 0..PRESERVED.len(), 0..2usize, 0..2usize, 0..2i128);
    let check = |(rows, required, align, lowest, limit): (Rows, usize, usize, usize, i128)| {
        let table = table(&rows, 3);
        let policy = policy(&table, PRESERVED[required], (limit, 4), ClassColumn::Absent);
        for split in SPLITS {
            let mut task = problem(&table, &policy, ALIGNS[align], split);
            task.search = Multidimensional { grain: Grain::Combinations, ..task.search };
            task.problem.bounds[0] = lowest..=*task.problem.bounds[0].end();
            let Outcome::Found(found) = search(&task) else { continue };
            is_certified(&task, &found)?;
            let Generalization::Classes(classes) = &found.proposal.generalization else {
                panic!("the classes have their own released values");
            };
            prop_assert!(classes.parts.is_none());
            let [first, second] = [0, 1].map(|at| &table.quasi_identifiers()[at].codes);
            let level = &policy.hierarchies[0].level(lowest).map;
            let mut observed: BTreeMap<(u32, u32), (bool, u32)> = BTreeMap::new();
            for tuple in 0..table.n_tuples() {
                let key = (level[first[tuple] as usize], second[tuple]);
                let is_suppressed = found.proposal.suppressed[tuple];
                let place = if is_suppressed { 0 } else { classes.class_of[tuple] };
                let first = *observed.entry(key).or_insert((is_suppressed, place));
                prop_assert_eq!(first, (is_suppressed, place));
            }
        }
        Ok(())
    };
    proptest::test_runner::TestRunner::new(runner).run(&cases, check).unwrap();
}
