//! Tests of principles that need more than the separate evaluation of each class, with one
//! constructed case each.

mod support;

use indistinct_core::{Others, Silent, certify};
use indistinct_search::full_domain::{FullDomain, Minimal, Node};
use indistinct_search::{FoundRecoding, Outcome, Search};
use indistinct_testkit::lattice_oracle::{
    PlainHierarchy, PlainLevel, PlainObjective, PlainProblem, PlainRow, PlainSuppression,
};
use support::exhaustive::all_nodes;
use support::plain::Translated;
use support::policies::Policies;
use support::{Wanted, k_anonymity, requirement};

const ALL: FullDomain = FullDomain { all_minimal: Minimal::List };

/// Rows of one quasi-identifier: its code, the codes of the sensitive values, and the number of
/// rows.
type Rows<'a> = &'a [(usize, &'a [usize], u64)];

/// Creates a problem with one quasi-identifier, labels for each level, and suppression limit 0;
/// suppressed rows would be dropped.
fn problem(levels: &[&[&str]], rows: Rows<'_>, wanted: Vec<Wanted>) -> Policies {
    let level = |labels: &&[&str]| {
        let mut distinct: Vec<&str> = labels.to_vec();
        distinct.dedup();
        let covered = |label: &&str| labels.iter().filter(|other| *other == label).count() as u64;
        PlainLevel {
            label_of: labels
                .iter()
                .filter_map(|label| distinct.iter().position(|other| other == label))
                .collect(),
            covered: distinct.iter().map(covered).collect(),
            labels: distinct.iter().map(|label| (*label).to_owned()).collect(),
        }
    };
    let row = |&(code, sensitive, count): &(usize, &[usize], u64)| PlainRow {
        quasi_identifiers: vec![code],
        sensitive: sensitive.to_vec(),
        count,
    };
    let plain = PlainProblem {
        rows: rows.iter().map(row).collect(),
        hierarchies: vec![PlainHierarchy {
            levels: levels.iter().map(level).collect(),
            domain_size: levels[0].len() as u64,
        }],
        principles: Vec::new(),
        limit: (0, 1),
        suppressed: PlainSuppression::Dropped,
        objective: PlainObjective::Loss,
        weights: vec![1.0],
        bounds: vec![(0, levels.len() - 1)],
    };
    Policies { plain, wanted, times: 1, others: Vec::new() }
}

fn search(translated: &Translated) -> Outcome<Node> {
    ALL.search(&translated.problem(), &Silent).expect("an answer")
}

fn found(policies: &Policies) -> FoundRecoding<Node> {
    let translated = policies.translate();
    match search(&translated) {
        Outcome::Found(found) => {
            certify(&translated.table, &translated.policy, &found.proposal.recoding)
                .expect("it holds");
            *found
        }
        other => panic!("{other:?}"),
    }
}

/// Returns whether no node satisfies the policy; asserts that the search and the certifier agree.
fn is_infeasible(policies: &Policies) -> bool {
    let translated = policies.translate();
    let nodes = all_nodes(&translated.problem(), PlainObjective::Loss);
    let none = nodes.iter().all(|node| !node.satisfies);
    assert_eq!(matches!(search(&translated), Outcome::NotFound(_)), none);
    none
}

fn near_3_at_most_half() -> Wanted {
    requirement("epsilon-m-anonymity", Some(0), &[("epsilon", "3"), ("m", "2")])
}

/// The sensitive values 1 and 5 are far from each other, and so are 2 and 10. In the union, 2 is
/// near 1 and 5.
#[test]
fn failing_node_does_not_exclude_lower_nodes() {
    let rows: Rows<'_> = &[(0, &[0], 1), (0, &[2], 1), (1, &[1], 1), (1, &[3], 1)];
    let policies = problem(&[&["v0", "v1"], &["*", "*"]], rows, vec![near_3_at_most_half()]);
    let found = found(&policies);
    assert_eq!(
        (found.proposal.levels, found.proposal.minimal_nodes),
        (vec![0], Some(vec![vec![0]]))
    );
}

/// As in the previous test, but a third class fails until it is merged with a fourth one.
#[test]
fn merged_classes_are_reevaluated_if_not_monotone() {
    let values = [(0, 0, 1), (0, 2, 1), (1, 1, 1), (1, 3, 1), (2, 0, 2), (3, 2, 1), (3, 3, 1)];
    let values = values.map(|(code, value, count)| (code, vec![value], count));
    let rows: Vec<(usize, &[usize], u64)> =
        values.iter().map(|(code, value, count)| (*code, value.as_slice(), *count)).collect();
    let levels: [&[&str]; 4] = [
        &["v0", "v1", "v2", "v3"],
        &["w0", "w1", "w2", "w3"],
        &["x", "x", "y", "y"],
        &["*", "*", "*", "*"],
    ];
    assert!(is_infeasible(&problem(&levels, &rows, vec![near_3_at_most_half()])));
}

/// Dropping the class of one row moves the distribution of the released rows away from a second
/// class, and dropping the second class moves it away from a third.
#[test]
fn dropping_continues_while_classes_are_too_far() {
    let rows: Rows<'_> = &[
        (0, &[1], 1),
        (1, &[0], 5),
        (1, &[1], 3),
        (2, &[0], 1),
        (2, &[1], 3),
        (3, &[0], 1),
        (3, &[1], 2),
    ];
    let t = requirement("t-closeness", Some(0), &[("t", "1/5")]);
    let levels: [&[&str]; 2] = [&["v0", "v1", "v2", "v3"], &["*", "*", "*", "*"]];
    let mut policies = problem(&levels, rows, vec![k_anonymity("2"), t]);
    policies.plain.bounds = vec![(0, 0)];
    policies.plain.limit = (8, 16);
    let dropped = found(&policies);
    assert_eq!((dropped.n_suppressed, dropped.n_classes), (8, 1));
    policies.plain.limit = (7, 16);
    assert!(is_infeasible(&policies));
    policies.plain.suppressed = PlainSuppression::Starred;
    // Starred rows remain released, so the distribution does not change.
    let starred = found(&policies);
    assert_eq!((starred.n_suppressed, starred.n_classes), (4, 3));
}

#[test]
fn unreleased_people_reduce_presence_below_minimum() {
    let rows: Rows<'_> = &[(0, &[], 4), (1, &[], 1)];
    let presence = |min| {
        let numbers = [("min", min), ("max", "1")];
        let text = indistinct_core::principle::ParameterValue::Text("people.csv".to_owned());
        let mut presence = requirement("delta-presence", None, &numbers);
        presence.parameters.0.insert("population".to_owned(), text);
        presence
    };
    let levels: [&[&str]; 3] = [&["v0", "v1", "v2"], &["v0", "x", "x"], &["*", "*", "*"]];
    let mut policies = problem(&levels, rows, vec![presence("0"), k_anonymity("2")]);
    policies.plain.bounds = vec![(0, 0)];
    policies.plain.limit = (1, 5);
    policies.plain.rows.iter_mut().for_each(|row| row.sensitive.clear());
    assert_eq!(found(&policies).n_suppressed, 1, "no row has to be present");
    policies.wanted[0] = presence("1/2");
    assert!(is_infeasible(&policies), "the row of v1 cannot be both released and suppressed");
    policies.wanted.truncate(1);
    assert_eq!(found(&policies).n_suppressed, 0);
    // A person with value v2 is in no class at level 0, and in one of two classes at level 1.
    policies.others =
        vec![PlainRow { quasi_identifiers: vec![2], sensitive: Vec::new(), count: 1 }];
    assert!(is_infeasible(&policies));
    policies.plain.bounds = vec![(0, 1)];
    assert_eq!(found(&policies).proposal.levels, [1]);
}

#[test]
fn known_sensitive_value_splits_classes() {
    let rows: Rows<'_> = &[(0, &[0, 0], 1), (0, &[1, 1], 1), (1, &[1, 0], 1), (1, &[0, 1], 1)];
    let levels: [&[&str]; 2] = [&["v0", "v1"], &["*", "*"]];
    let distinct = requirement("distinct-l-diversity", Some(0), &[("l", "2")]);
    let mut policies = problem(&levels, rows, vec![distinct]);
    assert_eq!(found(&policies).proposal.levels, [0]);
    policies.wanted[0].others = Others::QuasiIdentifier;
    assert_eq!(found(&policies).proposal.levels, [1]);
    policies.plain.rows.pop();
    assert!(is_infeasible(&policies));
}
