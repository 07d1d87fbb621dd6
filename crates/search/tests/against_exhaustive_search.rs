//! Comparison of every pruned search with the exhaustive search of the test kit, on small random
//! lattices.

mod support;

use std::sync::atomic::{AtomicU64, Ordering};

use indistinct_core::Optimality;
use indistinct_core::{Observer, Phase, Silent, certify};
use indistinct_search::full_domain::{FullDomain, Minimal, Node, SurveyedNode, survey};
use indistinct_search::{Outcome, Search, SearchError, with_suppression};
use indistinct_testkit::lattice_generator::problems;
use indistinct_testkit::lattice_oracle::{
    PlainHierarchy, PlainLevel, PlainObjective, PlainPrinciple, PlainProblem, PlainRow,
    PlainSuppression, search_exhaustively,
};
use indistinct_testkit::suppression_oracle::{by_row, least_of_any_rows};
use proptest::prelude::*;
use proptest::sample::select;
use support::exhaustive::{all_nodes, best, minimal};
use support::plain::Translated;
use support::policies::policies;

const ALL: FullDomain = FullDomain { all_minimal: Minimal::List };

/// Runs the search on a given number of threads.
fn search_on(n_threads: usize, translated: &Translated) -> Outcome<Node> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("a pool");
    pool.install(|| ALL.search(&translated.problem(), &Silent)).expect("an answer")
}

fn translate(plain: &PlainProblem) -> Translated {
    Translated::new(plain, plain.rows.first().map_or(2, |row| row.sensitive.len()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn search_matches_exhaustive_search(plain in problems()) {
        let answer = search_exhaustively(&plain);
        let translated = translate(&plain);
        let outcome = ALL.search(&translated.problem(), &Silent).expect("an answer");
        match (outcome, answer.best) {
            (Outcome::Found(found), Some(best)) => {
                let best = &answer.nodes[best];
                prop_assert_eq!(&found.proposal.levels, &best.levels);
                prop_assert_eq!(Some(found.n_suppressed), best.n_needed);
                prop_assert_eq!(found.n_classes, best.n_classes);
                let objective = found.objective.expect("the search minimizes an objective");
                let difference = (objective - best.objective).abs();
                prop_assert!(difference <= 1e-9, "{} {}", objective, best.objective);
                prop_assert!(matches!(
                    found.optimality,
                    Optimality::Proved | Optimality::ProvedForLevels
                ));
                let minimal: Vec<_> =
                    answer.minimal.iter().map(|&at| answer.nodes[at].levels.clone()).collect();
                prop_assert_eq!(found.proposal.minimal_nodes, Some(minimal));

                let release =
                    certify(&translated.table, &translated.policy, &found.proposal.recoding);
                let release = match release {
                    Ok(release) => release,
                    Err(refusal) => return Err(TestCaseError::fail(refusal.to_string())),
                };
                prop_assert_eq!(release.n_suppressed(), found.n_suppressed);
                prop_assert_eq!(release.claims().n_classes, found.n_classes);
            }
            (Outcome::NotFound(infeasible), None) => {
                prop_assert!(answer.minimal.is_empty());
                let nearest =
                    infeasible.nearest.expect("without a time limit, the nearest node is known");
                let fewest = answer.nodes.iter().filter_map(|node| node.n_needed).min();
                prop_assert_eq!(nearest.n_suppressed_needed, fewest);
                let node = answer.nodes.iter().find(|node| node.levels == nearest.levels);
                prop_assert_eq!(node.and_then(|node| node.n_needed), fewest);
            }
            (outcome, best) => {
                prop_assert!(false, "{:?}, but the oracle expects {:?}", outcome, best)
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn thread_count_does_not_change_recoding(plain in problems()) {
        let translated = translate(&plain);
        prop_assert_eq!(search_on(1, &translated), search_on(2, &translated));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn search_agrees_with_certifier_for_all_principles(
        policies in policies(problems())
    ) {
        let translated = policies.translate();
        let problem = translated.problem();
        let nodes = all_nodes(&problem, translated.objective);
        match ALL.search(&problem, &Silent).expect("an answer") {
            Outcome::Found(found) => {
                let Some(best) = best(&nodes, translated.objective) else {
                    return Err(TestCaseError::fail(format!(
                        "no node satisfies the policy, but the search found {found:?}")));
                };
                prop_assert_eq!(&found.proposal.levels, &best.levels);
                prop_assert_eq!(&found.proposal.recoding.suppressed, &best.suppressed);
                prop_assert_eq!(Some(found.n_suppressed), best.n_needed);
                prop_assert_eq!(found.n_classes, best.n_classes);
                let objective = found.objective.expect("the search minimizes an objective");
                let difference = (objective - best.objective).abs();
                prop_assert!(difference <= 1e-9, "{} {}", objective, best.objective);
                prop_assert_eq!(found.proposal.minimal_nodes, Some(minimal(&nodes)));
                let release = certify(&translated.table, &translated.policy, &found.proposal.recoding);
                prop_assert!(release.is_ok(), "{:?}", release);
            }
            Outcome::NotFound(infeasible) => {
                prop_assert!(nodes.iter().all(|node| !node.satisfies));
                let nearest = infeasible.nearest.expect(
                    "without a time limit, the nearest node is known");
                let fewest = nodes.iter().filter_map(|node| node.n_needed).min();
                prop_assert_eq!(nearest.n_suppressed_needed, fewest);
                let node = nodes.iter().find(|node| node.levels == nearest.levels);
                prop_assert_eq!(node.and_then(|node| node.n_needed), fewest);
                prop_assert_eq!(node.map(|node| node.n_failing), Some(nearest.n_failing_rows));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn survey_agrees_with_certifier_for_each_node(policies in policies(problems())) {
        let translated = policies.translate();
        let problem = translated.problem();
        let nodes = all_nodes(&problem, translated.objective);
        let whole = survey(&problem, u64::MAX, &Silent).expect("an answer");
        prop_assert!(whole.is_whole);
        prop_assert_eq!(whole.nodes.len(), nodes.len());
        prop_assert_eq!(whole.layers.iter().sum::<u64>(), nodes.len() as u64);
        for node in &nodes {
            let own = whole.nodes.iter().find(|own| own.levels == node.levels).expect("every node");
            prop_assert_eq!(own.n_failing, node.n_failing);
            prop_assert_eq!(own.n_needed, node.n_needed);
            prop_assert_eq!(own.satisfied.is_some(), node.satisfies, "{:?}", node.levels);
            if let Some(satisfied) = own.satisfied {
                prop_assert_eq!(satisfied.n_classes, node.n_classes);
                prop_assert_eq!(Some(satisfied.n_suppressed), node.n_needed);
                prop_assert!((satisfied.objective - node.objective).abs() <= 1e-9);
            }
        }
        let levels = |is: fn(&SurveyedNode) -> bool| -> Vec<Vec<usize>> {
            let mut all: Vec<_> = whole
                .nodes
                .iter()
                .filter(|node| is(node))
                .map(|node| node.levels.clone())
                .collect();
            all.sort();
            all
        };
        prop_assert_eq!(levels(|node| node.is_minimal), minimal(&nodes));
        let expected: Vec<_> =
            best(&nodes, translated.objective).iter().map(|node| node.levels.clone()).collect();
        prop_assert_eq!(levels(|node| node.is_best), expected.clone());

        // If not all nodes are examined, the path has one node of each height, each one step above
        // the previous one, and contains the best node.
        let part = survey(&problem, 0, &Silent).expect("an answer");
        prop_assert_eq!(&part.layers, &whole.layers);
        let way: Vec<&SurveyedNode> = part.nodes.iter().filter(|node| node.is_on_way).collect();
        prop_assert_eq!(way.len(), part.layers.len());
        for pair in way.windows(2) {
            let differs =
                pair[0].levels.iter().zip(&pair[1].levels).filter(|(a, b)| a != b).count();
            prop_assert_eq!((differs, pair[0].height + 1), (1, pair[1].height));
        }
        let on_way = way.iter().filter(|node| node.is_best).map(|node| node.levels.clone());
        prop_assert_eq!(on_way.collect::<Vec<_>>(), expected);
        for node in &part.nodes {
            let same = whole
                .nodes
                .iter()
                .find(|own| own.levels == node.levels)
                .expect("the whole lattice contains the node");
            prop_assert_eq!((same.n_failing, same.n_needed), (node.n_failing, node.n_needed));
            prop_assert_eq!(same.satisfied, node.satisfied);
        }
    }
}

/// An observer that requests the best result so far after some rounds.
struct ContentAfter(AtomicU64);

impl Observer for ContentAfter {
    fn progress(&self, _: Phase, _: u64, _: u64) {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
    }

    fn wants_best_so_far(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, ..ProptestConfig::default() })]

    /// A search that is stopped at any point returns a certified result, and its lower bound does
    /// not exceed the optimum.
    #[test]
    fn stopped_search_claims_are_valid(
        policies in policies(problems()),
        n_rounds in 1u64..12,
    ) {
        let translated = policies.translate();
        let problem = translated.problem();
        let observer = ContentAfter(AtomicU64::new(n_rounds));
        let nodes = all_nodes(&problem, translated.objective);
        let best = best(&nodes, translated.objective);
        match FullDomain::default().search(&problem, &observer) {
            Ok(Outcome::Found(found)) => {
                let Some(best) = best else {
                    return Err(TestCaseError::fail(format!(
                        "no node satisfies the policy, but the search found {found:?}")));
                };
                let objective = found.objective.expect("the search minimizes an objective");
                match found.optimality {
                    Optimality::Proved | Optimality::ProvedForLevels => {
                        prop_assert_eq!(&found.proposal.levels, &best.levels);
                    }
                    // If the suppressed rows can be chosen, the best levels are found, but not
                    // proved to be optimal.
                    Optimality::Heuristic if found.proposal.levels == best.levels => {}
                    Optimality::Stopped { .. } => {
                        if let Optimality::Stopped { lower_bound: Some(at_least), .. } = found.optimality {
                            prop_assert!(at_least <= best.objective + 1e-9, "{at_least} {}", best.objective);
                            prop_assert!(at_least <= objective);
                        }
                        // In a stopped search, lowering one attribute by a single level never gives
                        // a better node.
                        let levels = &found.proposal.levels;
                        for at in 0..levels.len() {
                            let below = nodes.iter().find(|node| {
                                let mut above = node.levels.clone();
                                above[at] += 1;
                                above == *levels
                            });
                            let is_better = below
                                .is_some_and(|node| node.satisfies && node.objective < objective - 1e-9);
                            prop_assert!(!is_better, "{levels:?} {at}");
                        }
                    }
                    other => prop_assert!(false, "{other:?}"),
                }
                prop_assert!(objective >= best.objective - 1e-9);
                let recoding = &found.proposal.recoding;
                prop_assert!(certify(&translated.table, &translated.policy, recoding).is_ok());
            }
            Ok(Outcome::NotFound(_)) => prop_assert!(best.is_none()),
            // If the best result so far is requested before there is one, the search is cancelled.
            Err(error) => prop_assert_eq!(error, SearchError::Cancelled),
        }
    }
}

/// Problems with few rows and a high suppression limit; some require t-closeness.
fn few_rows() -> impl Strategy<Value = PlainProblem> {
    let t = select(vec![(1, 10), (1, 4), (2, 5), (1, 2)]);
    let limit = select(vec![(0, 1), (1, 4), (1, 3), (2, 5), (3, 5), (1, 1)]);
    (problems(), prop::option::weighted(0.4, t), limit).prop_map(|(plain, t, limit)| {
        let mut plain = PlainProblem { limit, ..by_row(&plain, 7) };
        let on = 0;
        plain.principles.truncate(2);
        plain.principles.extend(t.map(|t| PlainPrinciple::Closeness { on, t }));
        plain
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, ..ProptestConfig::default() })]

    /// Proofs and optimality cover all recodings: no set of suppressed rows is better at any
    /// levels, whether it consists of whole classes or not.
    #[test]
    fn no_suppressed_row_set_refutes_claims(plain in few_rows(), n_rounds in 0u64..12) {
        let least = least_of_any_rows(&plain);
        let translated = translate(&plain);
        let problem = translated.problem();
        let observer = ContentAfter(AtomicU64::new(if n_rounds == 0 { 1 } else { u64::MAX }));
        let outcomes = [
            FullDomain::default().search(&problem, &observer),
            with_suppression(&FullDomain::default(), &problem, &Silent),
        ];
        for outcome in outcomes {
            match outcome {
                Ok(Outcome::Found(found)) => {
                    let least = least.expect("the oracle found a recoding");
                    match found.optimality {
                        Optimality::Proved => {
                            let objective =
                                found.objective.expect("the search minimizes an objective");
                            prop_assert!((objective - least).abs() <= 1e-9, "{objective} {least}");
                        }
                        Optimality::Stopped { lower_bound: Some(at_least), .. } => {
                            prop_assert!(at_least <= least + 1e-9)
                        }
                        Optimality::ProvedForLevels
                        | Optimality::STOPPED
                        | Optimality::Heuristic => {}
                        other => panic!("{other:?}"),
                    }
                }
                Ok(Outcome::NotFound(not_found)) => {
                    prop_assert!(!not_found.is_proved || least.is_none(), "{least:?}");
                    // If no row may be suppressed or no class size suffices, infeasibility is
                    // proved.
                    prop_assert!(not_found.is_proved || plain.limit.0 > 0);
                }
                Err(error) => prop_assert_eq!(error, SearchError::Cancelled),
            }
        }
    }
}

/// Two regression examples: 11 rows for which suppressing one row is sufficient, and a single class
/// whose discernibility falls with each suppressed row.
#[test]
fn loss_improvable_by_rows_is_not_called_optimal() {
    let plain = |principles: Vec<PlainPrinciple>, objective: PlainObjective| {
        let level = |labels: &[&str], label_of: [usize; 2], covered: u64| PlainLevel {
            labels: labels.iter().map(|&label| label.to_owned()).collect(),
            covered: vec![covered; labels.len()],
            label_of: label_of.to_vec(),
        };
        let row = |q: usize, s: usize, count: u64| PlainRow {
            quasi_identifiers: vec![q],
            sensitive: vec![s],
            count,
        };
        PlainProblem {
            rows: vec![row(0, 0, 4), row(0, 1, 4), row(1, 0, 2), row(1, 1, 1)],
            hierarchies: vec![PlainHierarchy {
                levels: vec![level(&["v0", "v1"], [0, 1], 1), level(&["*"], [0, 0], 2)],
                domain_size: 2,
            }],
            principles,
            limit: (2, 5),
            suppressed: PlainSuppression::Dropped,
            objective,
            weights: vec![1.0],
            bounds: vec![(0, 0)],
        }
    };
    let found = |plain: &PlainProblem| {
        let translated = translate(plain);
        let found = FullDomain::default().search(&translated.problem(), &Silent);
        let found = found.expect("an answer").found().expect("a recoding");
        (
            found.optimality,
            found.objective.expect("the search minimizes an objective"),
            least_of_any_rows(&by_row(plain, 20)),
        )
    };
    // All three rows of the second class are suppressed, although one would be sufficient.
    let frequency = vec![PlainPrinciple::Frequency { on: 0, l: (2, 1) }];
    let (optimality, loss, least) = found(&plain(frequency, PlainObjective::Loss));
    assert_eq!(
        (optimality, loss, least),
        (Optimality::ProvedForLevels, 3.0 / 11.0, Some(1.0 / 11.0))
    );
    // The suppression of single rows never increases the number of distinct values of a class.
    let distinct = || vec![PlainPrinciple::Distinct { on: 0, l: 2 }, PlainPrinciple::KAnonymity(4)];
    let (optimality, loss, least) = found(&plain(distinct(), PlainObjective::Loss));
    assert_eq!((optimality, Some(loss)), (Optimality::Proved, least));
    // Eight of eleven rows are in one class: 64 + 3 * 11. After suppressing one more row: 49 + 4 *
    // 11.
    let (optimality, loss, least) = found(&plain(distinct(), PlainObjective::Discernibility));
    assert_eq!((optimality, loss, least), (Optimality::ProvedForLevels, 97.0, Some(93.0)));
}
