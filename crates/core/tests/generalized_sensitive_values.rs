//! Tests recodings with generalized values of a sensitive attribute.

mod support;

use std::sync::Arc;

use indistinct_core::model::{Population, Taxonomy};
use indistinct_core::principle::{Context, Parameters, find};
use indistinct_core::{
    Cell, ClassColumn, Classes, FrequencyTable, Generalization, Hierarchy, InvalidRecoding,
    NotCertified, Others, Part, Policy, Rational, Recoding, Requirement, SensitiveLabels,
    SensitiveProblem, SuppressionRule, certify, check_rows,
};
use proptest::prelude::*;
use support::{check, context, fields, given, int, num, of_counts, table, taxonomy, word};

fn tree() -> Taxonomy {
    let chains: [&[&str]; 4] = [
        &["asthma", "lungs", "*"],
        &["flu", "lungs", "*"],
        &["gastritis", "stomach", "*"],
        &["ulcer", "stomach", "*"],
    ];
    taxonomy(&chains)
}

fn requirement(context: &Context<'_>, kind: &str, parameters: Parameters) -> Requirement {
    let kind = find(kind).expect("the registry contains the kind");
    Requirement::new(kind, context, parameters, Others::Ignored).expect("it fits")
}

fn tau_l(tau: &str, l: u64) -> Parameters {
    given(&[("tau", num(tau)), ("l", int(l))])
}

fn policy(table: &FrequencyTable, requirements: Vec<Requirement>) -> Policy {
    let flat = |column: &indistinct_core::model::CountedColumn| Hierarchy::flat(&column.dictionary);
    Policy {
        hierarchies: table.quasi_identifiers().iter().map(flat).collect(),
        requirements,
        suppression_limit: Rational::from_integer(1),
        suppressed: SuppressionRule::Dropped,
        published: ClassColumn::Absent,
    }
}

/// Creates a recoding with one class of all rows, with the given parts and sensitive values.
fn recoding(parts: &[(u32, u64)], labels: &[&str], of: &[u32]) -> Recoding {
    let classes = Classes {
        parts: Some(parts.iter().map(|&(tuple, rows)| Part { tuple, rows }).collect()),
        class_of: vec![0; parts.len()],
        cells: [vec![Cell::Label { level: 1, label: 0 }]].into_iter().collect(),
        highest: None,
    };
    let labels = labels.iter().map(|label| (*label).to_owned()).collect();
    Recoding {
        generalization: Generalization::Classes(classes),
        suppressed: vec![false; parts.len()],
        sensitive: Some(SensitiveLabels { attribute: 0, labels, of: of.to_vec() }),
    }
}

/// Three of four rows have flu. If two rows with flu are released with "lungs", the induced share
/// of flu is one half.
#[test]
fn principles_evaluate_released_sensitive_values() {
    let rows = table(&[("1", "flu"), ("1", "flu"), ("2", "flu"), ("3", "asthma")]);
    let tree = tree();
    let required =
        requirement(&context(&rows).with_taxonomy(&tree), "tau-l-diversity", tau_l("0.5", 2));
    let policy = policy(&rows, vec![required]);
    let parts = [(0, 1), (0, 1), (1, 1), (2, 1)];
    let labels = ["lungs", "flu", "asthma"];

    let raw = recoding(&parts, &labels, &[1, 1, 1, 2]);
    assert!(matches!(certify(&rows, &policy, &raw), Err(NotCertified::Fails { .. })));
    let generalized = recoding(&parts, &labels, &[0, 1, 0, 2]);
    let release = certify(&rows, &policy, &generalized).expect("the share of flu is (1 + 2/2) / 4");
    let column = &release.table().sensitive()[0];
    let released: Vec<&str> =
        column.codes.iter().map(|&code| column.dictionary.value(code)).collect();
    assert_eq!(released, ["lungs", "flu", "lungs", "asthma"]);
    assert_eq!(release.counted(), &rows);
    // A recipient who has only the released rows computes the same claims.
    let observed = support::one_class(&released);
    let stated = policy.requirements[0].principle.effective_parameters(&tau_l("0.5", 2));
    let later = requirement(&context(&observed).with_taxonomy(&tree), "tau-l-diversity", stated);
    let claims = check_rows(&observed, &[later]).claims;
    assert_eq!(claims.principles[0].reached, release.claims().principles[0].reached);
    assert_eq!(claims.n_classes, release.claims().n_classes);
}

/// Theorem 1 of the (tau, l) paper: an adversary believes with a probability of at most psi(k) that
/// a person has one of k base values, for every choice of k values.
#[test]
fn belief_in_any_k_base_values_is_at_most_psi() {
    let tree = tree();
    // The base values below each value, as bits.
    let below = [
        ("asthma", 0b0001u32),
        ("flu", 0b0010),
        ("gastritis", 0b0100),
        ("ulcer", 0b1000),
        ("lungs", 0b0011),
        ("stomach", 0b1100),
        ("*", 0b1111),
    ];
    let n_held = std::cell::Cell::new([0; 2]);
    let rows = prop::collection::vec(prop::sample::select(below.to_vec()), 1..9);
    check(600, &(rows, 1u64..10, 2u64..6), |(rows, tenths, l)| {
        let values: Vec<&str> = rows.iter().map(|row| row.0).collect();
        let table = support::one_class(&values);
        let parameters = given(&[
            ("tau", support::ratio((tenths, 10))),
            ("l", int(l)),
            ("weights", word("domain")),
        ]);
        let context = context(&table).with_taxonomy(&tree);
        let holds = support::claim(&context, "tau-l-diversity", &parameters).holds;
        let exceeds = (1u32..16).any(|chosen| {
            let k = u64::from(chosen.count_ones());
            // A person is equally likely to have each row, and each base value below its value. The
            // number of base values divides 4.
            let share =
                |below: u32| u64::from((below & chosen).count_ones() * 4 / below.count_ones());
            let belief: u64 = rows.iter().map(|row| share(row.1)).sum();
            let psi = tenths * (l - 1) + (10 - tenths) * (k - 1);
            k < l && belief * 10 * (l - 1) > 4 * rows.len() as u64 * psi
        });
        prop_assert_eq!(holds, !exceeds);
        let mut n = n_held.get();
        n[usize::from(holds)] += 1;
        n_held.set(n);
        Ok(())
    });
    assert!(n_held.get().iter().all(|&n| n > 60), "{:?}", n_held.get());
}

fn problem(table: &FrequencyTable, policy: &Policy, recoding: &Recoding) -> SensitiveProblem {
    match certify(table, policy, recoding) {
        Err(NotCertified::Invalid(InvalidRecoding::Sensitive { attribute: _, problem })) => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn uncovered_sensitive_values_are_rejected() {
    let rows = table(&[("1", "flu"), ("1", "flu"), ("2", "ulcer")]);
    let tree = tree();
    let required =
        || requirement(&context(&rows).with_taxonomy(&tree), "tau-l-diversity", tau_l("1", 2));
    let policy = policy(&rows, vec![required()]);
    let of = |labels: &[&str], of: &[u32]| {
        problem(&rows, &policy, &recoding(&[(0, 2), (1, 1)], labels, of))
    };
    assert_eq!(of(&["lungs"], &[0, 0]), SensitiveProblem::NotCovered { n_rows: 1 });
    assert_eq!(of(&["asthma", "ulcer"], &[0, 1]), SensitiveProblem::NotCovered { n_rows: 2 });
    assert_eq!(of(&["brain", "ulcer"], &[0, 1]), SensitiveProblem::NotCovered { n_rows: 2 });
    assert_eq!(of(&["*"], &[0, 1]), SensitiveProblem::NotCovered { n_rows: 1 });
    assert_eq!(of(&["*", "*"], &[0, 1]), SensitiveProblem::SameLabel);
    let mut other = recoding(&[(0, 2), (1, 1)], &["*"], &[0, 0]);
    certify(&rows, &policy, &other).expect("the label `*` covers all values");
    let values = other.sensitive.as_mut().expect("the recoding has sensitive labels");
    values.attribute = 1;
    assert_eq!(problem(&rows, &policy, &other), SensitiveProblem::NoAttribute);
    other.sensitive = Some(SensitiveLabels { attribute: 0, labels: Vec::new(), of: vec![0] });
    let length = InvalidRecoding::Length { what: "released sensitive values", got: 1, expected: 2 };
    assert_eq!(certify(&rows, &policy, &other).unwrap_err(), NotCertified::Invalid(length));

    // Labels of dropped rows are ignored, but labels of starred rows are checked.
    let mut some = recoding(&[(0, 2), (1, 1)], &["flu"], &[0, 7]);
    some.suppressed = vec![false, true];
    certify(&rows, &policy, &some).expect("only the suppressed row has an invalid label");
    let starred = Policy { suppressed: SuppressionRule::Starred, ..policy };
    assert_eq!(problem(&rows, &starred, &some), SensitiveProblem::NotCovered { n_rows: 1 });
}

#[test]
fn generalized_sensitive_values_reject_other_principles() {
    let rows = table(&[("1", "flu"), ("1", "ulcer")]);
    let distinct = requirement(&context(&rows), "distinct-l-diversity", given(&[("l", int(2))]));
    let policy = policy(&rows, vec![distinct]);
    let proposed = recoding(&[(0, 1), (1, 1)], &["*", "flu"], &[1, 0]);
    let kind = "distinct-l-diversity";
    assert_eq!(problem(&rows, &policy, &proposed), SensitiveProblem::NotJudged { kind });
}

/// Without a hierarchy, the taxonomy consists of the values and `*`.
#[test]
fn flat_taxonomy_has_a_root() {
    let rows = table(&[("1", "a"), ("1", "a"), ("1", "b")]);
    let required = requirement(&context(&rows), "tau-l-diversity", tau_l("0.5", 2));
    let policy = policy(&rows, vec![required]);
    let of = |values: [u32; 3]| recoding(&[(0, 1), (0, 1), (1, 1)], &["*", "a", "b"], &values);
    assert!(matches!(certify(&rows, &policy, &of([1, 1, 2])), Err(NotCertified::Fails { .. })));
    certify(&rows, &policy, &of([1, 0, 2])).expect("the share of both values is (1 + 1/2) / 3");
}

/// A requirement that is rebuilt for released rows gives the same results for original rows.
#[test]
fn rebuilt_requirement_is_equivalent() {
    let strategy = (prop::collection::vec(1..5u64, 2..5), 1..8u64, any::<bool>());
    check(100, &strategy, |(counts, tau, weighted)| {
        let values = of_counts(&counts);
        let rows = support::one_class(&values);
        let mut parameters = given(&[("tau", num(&format!("0.{tau}"))), ("l", int(2))]);
        if weighted {
            let weights = fields(&[("v0", int(2)), ("v1", int(1))]);
            parameters.0.insert("weights".to_owned(), weights);
        } else {
            parameters.0.insert("weights".to_owned(), word("occurring"));
        }
        let chains: Vec<Vec<String>> =
            (0..6).map(|at| vec![format!("v{at}"), "*".to_owned()]).collect();
        let chains: Vec<Vec<&str>> =
            chains.iter().map(|chain| chain.iter().map(String::as_str).collect()).collect();
        let tree = Taxonomy::of_chains(&chains).expect("the list of chains is not empty");
        let kind = find("tau-l-diversity").expect("the registry contains the kind");
        let with_tree = context(&rows).with_taxonomy(&tree);
        let Ok(first) = Requirement::new(kind, &with_tree, parameters, Others::Ignored) else {
            // If only some values have weights, other values have no weight.
            prop_assert!(weighted);
            return Ok(());
        };
        // The table contains fewer values, and `*`.
        let fewer = support::one_class(&["v0", "*", "*"]);
        let again = first.rebuilt(&fewer).expect("it fits");
        prop_assert_eq!(&again.parameters, &first.parameters);
        prop_assert_eq!(&again.taxonomy, &first.taxonomy);
        let written = |r: &Requirement| r.principle.effective_parameters(&r.parameters);
        prop_assert_eq!(written(&again), written(&first));
        let back = again.rebuilt(&rows).expect("it fits");
        let claims = |r: Requirement| check_rows(&rows, &[r]).claims;
        prop_assert_eq!(claims(back), claims(first));
        Ok(())
    });
}

/// If classes have their own labels, the class of a person without a row is unknown.
#[test]
fn population_principles_require_full_domain_recoding() {
    let rows = table(&[("1", "flu"), ("2", "ulcer")]);
    let (rows, population) =
        Population::join(&rows, &rows).expect("the population contains the table");
    let context = Context::new(&rows, None).with_population(Arc::new(population));
    let parameters = given(&[("min", int(0)), ("max", int(1)), ("population", word("people"))]);
    let policy = policy(&rows, vec![requirement(&context, "delta-presence", parameters)]);
    let mut proposed = recoding(&[(0, 1), (1, 1)], &[], &[]);
    proposed.sensitive = None;
    let expected = InvalidRecoding::Population { kind: "delta-presence" };
    assert_eq!(certify(&rows, &policy, &proposed).unwrap_err(), NotCertified::Invalid(expected));
    proposed.generalization = Generalization::of_levels(vec![1]);
    certify(&rows, &policy, &proposed).expect("both people in the population are in the table");
}
