//! Time limits, cancellation, bounds, wide keys, and special cases that random lattices rarely
//! contain.

mod support;

use indistinct_diagnostics::Coded;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indistinct_core::Optimality;
use indistinct_core::{Observer, Phase, Silent, certify};
use indistinct_search::full_domain::{FullDomain, Minimal, Node};
use indistinct_search::{Outcome, Problem, Search, SearchError};
use indistinct_testkit::lattice_oracle::{
    PlainHierarchy, PlainLevel, PlainObjective, PlainPrinciple, PlainProblem, PlainRow,
    PlainSuppression, search_exhaustively,
};
use support::plain::Translated;

/// Creates a level from the label of each code.
fn level(label_of: &[&str]) -> PlainLevel {
    let mut labels: Vec<String> = Vec::new();
    for label in label_of {
        if !labels.iter().any(|other| other == label) {
            labels.push((*label).to_owned());
        }
    }
    let index = |label: &str| labels.iter().position(|other| other == label);
    PlainLevel {
        label_of: label_of.iter().filter_map(|label| index(label)).collect(),
        covered: labels
            .iter()
            .map(|label| label_of.iter().filter(|other| *other == label).count() as u64)
            .collect(),
        labels,
    }
}

fn rows(counts: &[u64]) -> Vec<PlainRow> {
    let row =
        |(code, &count)| PlainRow { quasi_identifiers: vec![code], sensitive: Vec::new(), count };
    counts.iter().enumerate().map(row).collect()
}

/// Creates a problem with one attribute and three values, which occur in 2, 2, and 6 rows.
fn three_values(levels: Vec<PlainLevel>) -> PlainProblem {
    PlainProblem {
        rows: rows(&[2, 2, 6]),
        bounds: vec![(0, levels.len() - 1)],
        hierarchies: vec![PlainHierarchy { levels, domain_size: 3 }],
        principles: vec![PlainPrinciple::KAnonymity(4)],
        limit: (1, 5),
        suppressed: PlainSuppression::Starred,
        objective: PlainObjective::Loss,
        weights: vec![1.0],
    }
}

const ALL: FullDomain = FullDomain { all_minimal: Minimal::List };

fn search(
    plain: &PlainProblem,
    time_limit: Option<Duration>,
) -> Result<Outcome<Node>, SearchError> {
    let translated = Translated::new(plain, 0);
    ALL.search(&Problem { time_limit, ..translated.problem() }, &Silent)
}

/// At levels 2 and 3, the classes of the first two values are too small: they have 4 rows, and only
/// 2 may be starred. At level 1, the first value is `*` because of its level, so only the second
/// value is starred, and both together are large enough.
#[test]
fn temporary_star_prevents_conclusions_from_class_sizes() {
    let plain = three_values(vec![
        level(&["v0", "v1", "v2"]),
        level(&["*", "v1", "v2"]),
        level(&["x", "y", "z"]),
        level(&["x", "y", "z"]),
        level(&["any", "any", "any"]),
    ]);
    let answer = search_exhaustively(&plain);
    let best = &answer.nodes[answer.best.expect("level 1")];
    assert_eq!((best.levels.as_slice(), best.n_needed), ([1].as_slice(), Some(2)));
    match search(&plain, None) {
        Ok(Outcome::Found(found)) => {
            assert_eq!((found.proposal.levels, found.n_suppressed), (vec![1], 2));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn nearest_infeasible_node_is_reported() {
    let mut plain = three_values(vec![level(&["v0", "v1", "v2"]), level(&["v0", "v0", "v2"])]);
    plain.hierarchies[0].levels.push(level(&["*", "*", "*"]));
    plain.bounds = vec![(0, 1)];
    plain.principles = vec![PlainPrinciple::KAnonymity(5)];
    plain.suppressed = PlainSuppression::Dropped;
    match search(&plain, None) {
        Ok(Outcome::NotFound(infeasible)) => {
            let nearest = infeasible.nearest.expect("a node");
            assert_eq!(nearest.levels, [1], "the higher of equally good nodes");
            assert_eq!((nearest.n_suppressed_needed, nearest.n_failing_rows), (Some(4), 4));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn time_limit_returns_best_result_or_error() {
    let options = Some(Duration::ZERO);
    let mut plain = three_values(vec![level(&["v0", "v1", "v2"]), level(&["*", "*", "*"])]);
    plain.suppressed = PlainSuppression::Dropped;
    match search(&plain, options) {
        Ok(Outcome::Found(found)) => {
            let Optimality::Stopped { lower_bound: Some(at_least), .. } = found.optimality else {
                panic!("{found:?}")
            };
            assert!(found.objective.is_some_and(|objective| at_least <= objective));
            assert_eq!(found.proposal.levels, [1]);
            assert_eq!(found.proposal.minimal_nodes, None);
        }
        other => panic!("{other:?}"),
    }
    // The choice of additional starred rows is not exhaustive, so infeasibility is not proved.
    plain.suppressed = PlainSuppression::Starred;
    let found = search(&plain, options).expect("an answer").found().expect("a node");
    assert_eq!((found.optimality, found.proposal.levels), (Optimality::STOPPED, vec![1]));
    plain.principles = vec![PlainPrinciple::KAnonymity(11)];
    plain.limit = (1, 1);
    plain.suppressed = PlainSuppression::Starred;
    let error = search(&plain, options).expect_err("the search stops without a result or a proof");
    assert_eq!(error.code(), "E-SEARCH-002");
    assert!(error.help().is_some());
}

/// Fifteen attributes with two levels, a value or `*`, and pairs of equal rows, so every attribute
/// may keep its values. As a regression, a search without time returned the top node although one
/// level less in any attribute would satisfy all principles.
#[test]
fn zero_time_limit_does_not_return_top_node() {
    let n = 15;
    let values: Vec<String> = (0..4).map(|value| format!("v{value}")).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let levels = vec![level(&values), level(&["*"; 4])];
    let row = |value: usize, count| PlainRow {
        quasi_identifiers: vec![value; n],
        sensitive: Vec::new(),
        count,
    };
    let mut plain = PlainProblem {
        rows: (0..4).map(|value| row(value, 2)).collect(),
        bounds: vec![(0, 1); n],
        hierarchies: vec![PlainHierarchy { levels, domain_size: 4 }; n],
        principles: vec![PlainPrinciple::KAnonymity(2)],
        limit: (0, 1),
        suppressed: PlainSuppression::Dropped,
        objective: PlainObjective::Loss,
        weights: vec![1.0; n],
    };
    let levels = |plain: &PlainProblem| match search(plain, Some(Duration::ZERO)) {
        Ok(Outcome::Found(found)) => {
            assert!(
                matches!(found.optimality, Optimality::Stopped { lower_bound: Some(_), .. }),
                "{found:?}"
            );
            found.proposal.levels
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(levels(&plain), vec![0; n]);
    // An attribute that distinguishes the rows is the only one that remains at the top.
    for (at, row) in plain.rows.iter_mut().enumerate() {
        row.quasi_identifiers[3] = at % 2;
        row.quasi_identifiers[0] = at / 2;
        (0..n).filter(|it| ![0, 3].contains(it)).for_each(|it| row.quasi_identifiers[it] = 0);
    }
    plain.principles = vec![PlainPrinciple::KAnonymity(4)];
    let found = levels(&plain);
    assert_eq!(found.iter().sum::<usize>(), 1, "{found:?}");
}

/// An observer that cancels after some calls of `progress`.
struct CancelAfter(AtomicU64);

impl Observer for CancelAfter {
    fn progress(&self, phase: Phase, done: u64, total: u64) {
        assert_eq!(phase, Phase::Search);
        assert!(done <= total);
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

#[test]
fn cancellation_ends_search() {
    let plain = three_values(vec![level(&["v0", "v1", "v2"]), level(&["*", "*", "*"])]);
    let translated = Translated::new(&plain, 0);
    for after in [0, 1] {
        let observer = CancelAfter(AtomicU64::new(after));
        let result = ALL.search(&translated.problem(), &observer);
        assert_eq!(result.expect_err("cancelled"), SearchError::Cancelled);
    }
}

#[test]
fn invalid_search_arguments_are_rejected() {
    let plain = three_values(vec![level(&["v0", "v1", "v2"]), level(&["*", "*", "*"])]);
    let translated = Translated::new(&plain, 0);
    let refused = |change: fn(&mut Problem<'_>)| {
        let mut problem = translated.problem();
        change(&mut problem);
        ALL.search(&problem, &Silent).expect_err("the search rejects the arguments")
    };
    assert!(matches!(
        refused(|problem| problem.bounds = vec![0..=2]),
        SearchError::Bounds { highest: 1, max: 2, .. }
    ));
    assert!(matches!(
        refused(|problem| problem.bounds = vec![std::ops::RangeInclusive::new(1, 0)]),
        SearchError::Bounds { .. }
    ));
    assert!(matches!(
        refused(|problem| problem.weights = vec![f64::NAN]),
        SearchError::Weight { .. }
    ));
    assert!(matches!(
        refused(|problem| problem.weights.clear()),
        SearchError::Length { what: "weights", got: 0, expected: 1 }
    ));
}

/// Labels of 85 bits, which require keys of two words, and of 165 bits, which require more words.
#[test]
fn multi_word_keys_give_correct_results() {
    for n_attributes in [5, 10] {
        let n_values = 66_000;
        let raw: Vec<usize> = (0..n_values).collect();
        let hierarchy = PlainHierarchy {
            levels: vec![
                PlainLevel {
                    labels: raw.iter().map(|code| format!("v{code:05}")).collect(),
                    label_of: raw.clone(),
                    covered: vec![1; n_values],
                },
                PlainLevel {
                    labels: (0..66).map(|label| format!("thousand {label}")).collect(),
                    label_of: raw.iter().map(|code| code / 1000).collect(),
                    covered: vec![1000; 66],
                },
                PlainLevel {
                    labels: vec!["*".to_owned()],
                    label_of: vec![0; n_values],
                    covered: vec![n_values as u64],
                },
            ],
            domain_size: n_values as u64,
        };
        let row = |at: usize| PlainRow {
            // With each further attribute, more rows differ.
            quasi_identifiers: (0..n_attributes)
                .map(|qi| 65_999 - (at % (qi / 2 + 1)) * 700)
                .collect(),
            sensitive: Vec::new(),
            count: 1 + at as u64 % 3,
        };
        let plain = PlainProblem {
            rows: (0..24).map(row).collect(),
            // Only the last four attributes are generalized, so the oracle finishes quickly.
            bounds: (0..n_attributes)
                .map(|qi| if qi + 4 < n_attributes { (0, 0) } else { (0, 2) })
                .collect(),
            hierarchies: vec![hierarchy; n_attributes],
            principles: vec![PlainPrinciple::KAnonymity(8)],
            limit: (1, 5),
            suppressed: PlainSuppression::Starred,
            objective: PlainObjective::Discernibility,
            weights: vec![1.0; n_attributes],
        };
        let answer = search_exhaustively(&plain);
        let translated = Translated::new(&plain, 0);
        let outcome = ALL.search(&translated.problem(), &Silent).expect("an answer");
        let Outcome::Found(found) = outcome else { panic!("{outcome:?}") };
        let best = &answer.nodes[answer.best.expect("a node satisfies the policy")];
        let node = &found.proposal;
        assert_eq!((&node.levels, found.n_classes), (&best.levels, best.n_classes));
        assert_eq!(node.minimal_nodes.as_ref().map(Vec::len), Some(answer.minimal.len()));
        certify(&translated.table, &translated.policy, &node.recoding).expect("it holds");
    }
}
