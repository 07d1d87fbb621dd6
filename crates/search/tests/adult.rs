//! Known exact results on Adult, and an exhaustive search over its lattices.

mod support;

use indistinct_core::{Silent, certify};
use indistinct_search::full_domain::{FullDomain, Minimal, Node};
use indistinct_search::{FoundRecoding, Outcome, Search};
use indistinct_testkit::adult::{FIVE, MINIMAL_5_ANONYMOUS};
use indistinct_testkit::lattice_oracle::{
    PlainAnswer, PlainHierarchy, PlainLevel, PlainObjective, PlainPrinciple, PlainProblem,
    PlainRow, PlainSuppression, search_exhaustively,
};
use support::{ALL_NINE, Adult, Wanted, k_anonymity, requirement};

const ALL: FullDomain = FullDomain { all_minimal: Minimal::List };

fn entropy_4() -> Wanted {
    requirement("entropy-l-diversity", Some(0), &[("l", "4")])
}

fn recursive_3_4() -> Wanted {
    requirement("recursive-diversity", Some(0), &[("c", "3"), ("l", "4")])
}

fn find(adult: &Adult, objective: &str, search: &FullDomain) -> FoundRecoding<Node> {
    match search.search(&adult.problem(objective), &Silent).expect("an answer") {
        Outcome::Found(found) => {
            let release =
                certify(&adult.table, &adult.policy, &found.proposal.recoding).expect("it holds");
            assert_eq!(release.n_suppressed(), found.n_suppressed);
            assert_eq!(release.claims().n_classes, found.n_classes);
            *found
        }
        Outcome::NotFound(infeasible) => panic!("{infeasible:?}"),
    }
}

/// Exhaustive search over the whole lattice with suppression limit 0.
fn brute_force(adult: &Adult, principle: PlainPrinciple) -> PlainAnswer {
    let table = &adult.table;
    let rows = (0..table.n_tuples())
        .map(|at| PlainRow {
            quasi_identifiers: table
                .quasi_identifiers()
                .iter()
                .map(|column| column.codes[at] as usize)
                .collect(),
            sensitive: table.sensitive().iter().map(|column| column.codes[at] as usize).collect(),
            count: table.counts()[at],
        })
        .collect();
    let hierarchies: Vec<PlainHierarchy> = adult
        .policy
        .hierarchies
        .iter()
        .map(|hierarchy| PlainHierarchy {
            levels: (0..hierarchy.n_levels())
                .map(|level| PlainLevel {
                    label_of: hierarchy.level(level).map.iter().map(|&at| at as usize).collect(),
                    labels: hierarchy.level(level).labels.clone(),
                    covered: hierarchy.level(level).covered.clone(),
                })
                .collect(),
            domain_size: hierarchy.domain_size(),
        })
        .collect();
    search_exhaustively(&PlainProblem {
        rows,
        bounds: hierarchies.iter().map(|hierarchy| (0, hierarchy.levels.len() - 1)).collect(),
        weights: vec![1.0; hierarchies.len()],
        hierarchies,
        principles: vec![principle],
        limit: (0, 1),
        suppressed: PlainSuppression::Dropped,
        objective: PlainObjective::Height,
    })
}

fn minimal_of(answer: &PlainAnswer) -> Vec<Vec<usize>> {
    answer.minimal.iter().map(|&at| answer.nodes[at].levels.clone()).collect()
}

#[test]
fn k_5_on_five_attributes_has_nine_minimal_nodes() {
    let Some(adult) = Adult::new(&FIVE, "0", vec![k_anonymity("5")]) else { return };
    let found = find(&adult, "loss", &ALL);
    assert_eq!(found.effort.lattice.map(|it| it.n_nodes), Some(240));
    let minimal = found.proposal.minimal_nodes.expect("the search lists the minimal nodes");
    assert_eq!(minimal, MINIMAL_5_ANONYMOUS.map(Vec::from));
    let answer = brute_force(&adult, PlainPrinciple::KAnonymity(5));
    assert_eq!(answer.nodes.iter().filter(|node| node.satisfies).count(), 33);
    assert_eq!(minimal, minimal_of(&answer));
    assert!(found.effort.lattice.is_some_and(|it| it.n_evaluated < 240), "{:?}", found.effort);
}

#[test]
fn entropy_4_equals_brute_force() {
    let Some(adult) = Adult::new(&FIVE, "0", vec![entropy_4()]) else { return };
    let answer = brute_force(&adult, PlainPrinciple::Entropy { on: 0, l: (4, 1) });
    assert!(!answer.minimal.is_empty());
    assert_eq!(find(&adult, "loss", &ALL).proposal.minimal_nodes, Some(minimal_of(&answer)));
}

#[test]
fn recursive_3_4_equals_brute_force() {
    let Some(adult) = Adult::new(&FIVE, "0", vec![recursive_3_4()]) else { return };
    let answer = brute_force(&adult, PlainPrinciple::Recursive { on: 0, c: (3, 1), l: 4 });
    assert!(!answer.minimal.is_empty());
    assert_eq!(find(&adult, "loss", &ALL).proposal.minimal_nodes, Some(minimal_of(&answer)));
}

#[test]
fn k_5_on_nine_attributes_has_a_known_optimum() {
    let Some(adult) = Adult::new(&ALL_NINE, "0.04", vec![k_anonymity("5")]) else { return };
    let found = find(&adult, "loss", &FullDomain::default());
    assert_eq!(found.proposal.levels, [0, 3, 0, 1, 1, 1, 1, 0, 2]);
    assert_eq!((found.n_suppressed, found.n_classes), (1178, 370));
    assert_eq!(
        format!("{:.4}", found.objective.expect("the search minimizes an objective")),
        "0.2928"
    );
    assert_eq!(found.proposal.minimal_nodes, None);
    assert!(found.effort.lattice.is_some_and(|it| it.n_evaluated < 2_000), "{:?}", found.effort);
}

#[test]
fn entropy_4_is_decided_exactly() {
    let Some(adult) = Adult::new(&ALL_NINE[..8], "0.04", vec![entropy_4()]) else { return };
    assert_eq!(find(&adult, "loss", &FullDomain::default()).n_suppressed, 997);
}

#[test]
fn thread_count_does_not_change_adult_results() {
    let Some(adult) = Adult::new(&ALL_NINE[..8], "0.04", vec![recursive_3_4()]) else { return };
    let on = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("a pool");
        pool.install(|| find(&adult, "discernibility", &FullDomain::default()))
    };
    assert_eq!(on(1), on(2));
}
