//! Comparison of the sequential sweep with naive oracles and exhaustive generalization on small
//! random tables.

mod classes_support;

use classes_support::{
    Adult, Dice, EIGHT, Impatient, N_VALUES, PlainTable, number, released_rows, requirement,
};
use indistinct_core::Optimality;
use indistinct_core::model::{Branch, Taxonomy};
use indistinct_core::principle::{Growth, ParameterValue};
use indistinct_core::{FrequencyTable, Policy, Rational, Requirement, Silent, certify};
use indistinct_search::sweep::{
    Choice, LevelWeights, Sweep, SweptAttribute, SweptRows, SweptTable,
};
use indistinct_search::{NotFound, Problem, Search, SearchError};
use indistinct_testkit::categorical_oracles::{Path, induced, tau_l_by};
use indistinct_testkit::numeric_oracles::Number as BigRational;
use indistinct_testkit::principles::Row;
use proptest::prelude::*;

const DOMINANT: Choice = Choice::Dominant;
const RANDOM: Choice = Choice::Random { key: [3; 32] };

/// The taxonomy any -> (low -> s0, s1), (high -> s2, s3).
fn sensitive_values() -> Taxonomy {
    let leaf = |code: u8| Branch::Leaf(format!("s{code}"));
    let low = Branch::Inner("low".to_owned(), vec![leaf(0), leaf(1)]);
    let high = Branch::Inner("high".to_owned(), vec![leaf(2), leaf(3)]);
    Taxonomy::of_tree(&Branch::Inner("any".to_owned(), vec![low, high]))
}

fn paths() -> Vec<Path> {
    let path = |inner: &str, code: u8| vec!["any".to_owned(), inner.to_owned(), format!("s{code}")];
    vec![path("low", 0), path("low", 1), path("high", 2), path("high", 3)]
}

fn big(value: &Rational) -> BigRational {
    BigRational::new((*value.numer()).into(), (*value.denom()).into())
}

/// Returns weight 1 for occurring values, or the given weights.
fn weights(plain: &PlainTable, given: Option<&[u64; 4]>) -> Vec<BigRational> {
    let occurs = |code: u8| u64::from(plain.rows.iter().any(|row| row.1[0] == code));
    let of = |code: u8| given.map_or(occurs(code), |weights| weights[code as usize]);
    (0..4).map(|code| BigRational::from_integer(of(code).into())).collect()
}

struct Case {
    plain: PlainTable,
    tau: Rational,
    l: Rational,
    k: u64,
    weights: Option<[u64; 4]>,
    growth: Growth,
}

impl Case {
    fn core(&self) -> (FrequencyTable, Policy) {
        let table = self.plain.table();
        let (tau, l) = (self.tau.to_string(), self.l.to_string());
        let mut on_sensitive_values = requirement(
            &table,
            "tau-l-diversity",
            Some(0),
            Some(&sensitive_values()),
            &[("tau", &tau), ("l", &l)],
        );
        if self.weights.is_some() || self.growth != Growth::Linear {
            let mut parameters = on_sensitive_values.parameters.clone();
            if let Some(weights) = self.weights {
                let stated =
                    (0..4).map(|code| (format!("s{code}"), number(&weights[code].to_string())));
                parameters.0.insert("weights".to_owned(), ParameterValue::Table(stated.collect()));
            }
            let psi = ParameterValue::Text(self.growth.name().to_owned());
            parameters.0.insert("psi".to_owned(), psi);
            let kind = indistinct_core::principle::find("tau-l-diversity")
                .expect("the registry contains the principle");
            let taxonomy = sensitive_values();
            let context =
                indistinct_core::principle::Context::new(&table, Some(0)).with_taxonomy(&taxonomy);
            on_sensitive_values =
                Requirement::new(kind, &context, parameters, indistinct_core::Others::Ignored)
                    .expect("valid weights");
        }
        let mut requirements = vec![on_sensitive_values];
        if self.k > 1 {
            let k = self.k.to_string();
            requirements.push(requirement(&table, "k-anonymity", None, None, &[("k", &k)]));
        }
        let policy = self.plain.policy(&table, requirements, Rational::from_integer(0));
        (table, policy)
    }

    fn holds(&self, class: &[String]) -> bool {
        let frequencies = induced(class, &paths(), &weights(&self.plain, self.weights.as_ref()));
        let growth = |x: &BigRational| match self.growth {
            Growth::Linear => x.clone(),
            Growth::Convex => x * x,
            Growth::Concave => x + x - x * x,
        };
        tau_l_by(&frequencies, &big(&self.tau), &big(&self.l), growth)
            && class.len() as u64 >= self.k
    }

    fn check(&self, table: &FrequencyTable, policy: &Policy, found: &FoundRecoding) {
        let rows = released_rows(table, policy, &found.proposal.recoding);
        assert_eq!(rows.len(), self.plain.rows.len());
        let mut classes: std::collections::BTreeMap<&[String], Vec<String>> = Default::default();
        for row in &rows {
            classes.entry(&row.0).or_default().push(row.1[0].clone());
        }
        for (labels, class) in &classes {
            assert!(self.holds(class), "{labels:?}: {class:?}");
        }
        assert_eq!(classes.len() as u64, found.n_classes);
        let is_generalized = |row: &&Row| ["any", "low", "high"].contains(&row.1[0].as_str());
        assert_eq!(rows.iter().filter(is_generalized).count() as u64, found.proposal.n_generalized);
        assert_eq!(found.proposal.recoding.sensitive.is_some(), found.proposal.n_generalized > 0);
        let release = certify(table, policy, &found.proposal.recoding)
            .expect("the certifier accepts the recoding");
        assert_eq!(release.claims().n_classes, found.n_classes);
    }
}

type FoundRecoding = indistinct_search::FoundRecoding<SweptTable>;

fn search(problem: &Problem<'_>, choice: Choice) -> Result<FoundRecoding, NotFound> {
    Sweep { choice, ..Sweep::default() }.search(problem, &Silent).expect("an answer").found()
}

/// Returns whether all rows satisfy the requirement as one class for some generalization of each
/// sensitive value. No partition is better.
fn is_feasible(case: &Case) -> bool {
    let n = case.plain.rows.len() as u32;
    (0..3u32.pow(n)).any(|choice| {
        let value = |(at, row): (usize, &(Vec<u8>, Vec<u8>))| {
            let path = &paths()[row.1[0] as usize];
            path[2 - (choice / 3u32.pow(at as u32) % 3) as usize].clone()
        };
        let class: Vec<String> = case.plain.rows.iter().enumerate().map(value).collect();
        case.holds(&class)
    })
}

fn plain_table(n_rows: std::ops::Range<usize>) -> impl Strategy<Value = PlainTable> {
    let row = (prop::collection::vec(0..N_VALUES, 2), prop::collection::vec(0u8..4, 1));
    prop::collection::vec(row, n_rows).prop_map(|rows| PlainTable { rows })
}

fn any_case(n_rows: std::ops::Range<usize>) -> impl Strategy<Value = Case> {
    let growth = prop::sample::select(Growth::ALL.to_vec());
    let strategy = (plain_table(n_rows), 4i128..16, 2i128..9, 1u64..4, growth);
    strategy.prop_map(|(plain, tau, l, k, growth)| Case {
        plain,
        tau: Rational::new(tau, 16),
        l: match growth {
            Growth::Linear => Rational::new(l, 2),
            _ => Rational::from_integer(l / 2),
        },
        k,
        weights: None,
        growth,
    })
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "tau {} l {} k {} {:?} {:?} {:?}",
            self.tau, self.l, self.k, self.growth, self.weights, self.plain.rows
        )
    }
}

fn any_choice() -> impl Strategy<Value = Choice> {
    prop_oneof![Just(DOMINANT), any::<[u8; 32]>().prop_map(|key| Choice::Random { key })]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn sweep_results_satisfy_policy(case in any_case(1..50), choice in any_choice()) {
        let (table, policy) = case.core();
        if let Ok(found) = search(&Problem::new(&table, &policy), choice) {
            case.check(&table, &policy, &found);
        }
    }

    /// A search that is stopped at any point returns a satisfying result, if there is one.
    #[test]
    fn stopped_search_returns_valid_result(
        case in any_case(1..50),
        choice in any_choice(),
        patience in 0u64..12,
    ) {
        let (table, policy) = case.core();
        let problem = Problem::new(&table, &policy);
        let in_full = search(&problem, choice);
        let stopped = Sweep { choice, ..Sweep::default() }.search(&problem, &Impatient::after(patience));
        match stopped.expect("an answer").found() {
            Ok(found) => {
                case.check(&table, &policy, &found);
                let in_full = in_full.expect(
                    "a sweep without a limit finds a result if a stopped sweep does");
                if found.optimality == Optimality::Heuristic {
                    prop_assert_eq!(found, in_full);
                } else {
                    prop_assert_eq!(found.optimality, Optimality::STOPPED);
                }
            }
            Err(_) => prop_assert!(in_full.is_err(), "a class of all rows would be a valid result"),
        }
    }

    /// Reading E-2 for equal weights: feasibility does not depend on the choice of values.
    #[test]
    fn sweep_feasibility_matches_brute_force(
        case in any_case(1..6),
        choice in any_choice(),
    ) {
        let (table, policy) = case.core();
        let found = search(&Problem::new(&table, &policy), choice);
        prop_assert_eq!(found.is_ok(), is_feasible(&case));
        if let Err(infeasible) = found {
            prop_assert!(infeasible.is_proved);
        }
    }

    /// Reading E-3: with unequal weights, the last class may fail although the whole table
    /// satisfies the requirement; other classes then join the last class.
    #[test]
    fn table_satisfying_policy_is_feasible_with_weights(
        case in any_case(1..30),
        given in prop::array::uniform4(1u64..20),
        choice in any_choice(),
    ) {
        let case = Case { weights: Some(given), ..case };
        let (table, policy) = case.core();
        let values: Vec<String> = case.plain.rows.iter().map(|row| format!("s{}", row.1[0])).collect();
        match search(&Problem::new(&table, &policy), choice) {
            Ok(found) => case.check(&table, &policy, &found),
            Err(_) => prop_assert!(!case.holds(&values)),
        }
    }

    #[test]
    fn level_bounds_are_respected(
        case in any_case(1..40),
        percent in 0i128..60,
        levels in prop::collection::vec((0usize..3, 0usize..3), 2),
    ) {
        let (table, mut policy) = case.core();
        policy.suppression_limit = Rational::new(percent, 100);
        let mut problem = Problem::new(&table, &policy);
        problem.bounds = levels.iter().map(|&(a, b)| a.min(b)..=a.max(b)).collect();
        let Ok(found) = search(&problem, DOMINANT) else { return Ok(()) };
        certify(&table, &policy, &found.proposal.recoding).expect(
            "the certifier accepts the recoding");
        let indistinct_core::Generalization::Classes(classes) = &found.proposal.recoding.generalization else {
            panic!("the recoding has classes")
        };
        for cells in classes.cells.rows() {
            for (cell, bounds) in cells.iter().zip(&problem.bounds) {
                let indistinct_core::Cell::Label { level, .. } = cell else { panic!("a label") };
                prop_assert!(bounds.contains(level));
            }
        }
    }
}

/// Reading E-2: for {a, a, b} with tau = 0.4, no generalization is sufficient, and the sweep
/// terminates.
#[test]
fn published_sweep_loop_terminates() {
    let rows = vec![(vec![0, 0], vec![0]), (vec![1, 0], vec![0]), (vec![2, 0], vec![1])];
    let case = Case {
        plain: PlainTable { rows },
        tau: Rational::new(2, 5),
        l: Rational::from_integer(2),
        k: 1,
        weights: None,
        growth: Growth::Linear,
    };
    let (table, policy) = case.core();
    for choice in [DOMINANT, RANDOM] {
        let infeasible =
            search(&Problem::new(&table, &policy), choice).expect_err("no recoding exists");
        assert!(infeasible.is_proved);
        let needed =
            infeasible.nearest.expect("the result states the shortage").n_suppressed_needed;
        assert_eq!(needed, None);
    }
}

#[test]
fn skewed_values_are_solved_iff_feasible() {
    let (mut solved, mut refused) = (0, 0);
    for seed in 0..300 {
        let mut dice = Dice(seed);
        let n = 6 + dice.below(40);
        let rows = (0..n)
            .map(|_| {
                let codes = vec![dice.below(6) as u8, dice.below(6) as u8];
                let value = [0, 0, 0, 0, 0, 0, 1, 1, 2, 3][dice.below(10) as usize];
                (codes, vec![value])
            })
            .collect();
        let plain = PlainTable { rows };
        let occurring =
            weights(&plain, None).iter().filter(|w| **w > BigRational::default()).count();
        for tau in [Rational::new(1, 4), Rational::new(3, 10), Rational::new(1, 2)] {
            let l = Rational::from_integer(3);
            let case =
                Case { plain: plain.clone(), tau, l, k: 1, weights: None, growth: Growth::Linear };
            let (table, policy) = case.core();
            let can = occurring >= 3 && tau >= Rational::new(1, occurring as i128);
            match search(&Problem::new(&table, &policy), DOMINANT) {
                Ok(found) => {
                    case.check(&table, &policy, &found);
                    solved += 1;
                    assert!(can);
                }
                Err(_) => {
                    refused += 1;
                    assert!(!can);
                }
            }
        }
    }
    assert!(solved > 300 && refused > 50, "solved: {solved}; infeasible: {refused}");
}

#[test]
fn seed_determines_classes_for_any_thread_count() {
    let mut dice = Dice(9);
    let mut code = |n: u64| dice.below(n) as u8;
    let rows = (0..300).map(|_| (vec![code(6), code(6)], vec![code(7) % 4])).collect();
    let (tau, l) = (Rational::new(3, 10), Rational::from_integer(4));
    let case =
        Case { plain: PlainTable { rows }, tau, l, k: 1, weights: None, growth: Growth::Linear };
    let (table, policy) = case.core();
    let with = |n: usize, choice: Choice| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("a pool");
        pool.install(|| search(&Problem::new(&table, &policy), choice).expect("feasible"))
    };
    assert_eq!(with(1, RANDOM), with(2, RANDOM));
    assert_eq!(with(1, DOMINANT), with(2, DOMINANT));
}

#[test]
fn sweep_rejects_unsupported_policies() {
    let rows = vec![(vec![0, 0], vec![0]), (vec![1, 0], vec![1])];
    let (tau, l) = (Rational::new(1, 2), Rational::from_integer(2));
    let case =
        Case { plain: PlainTable { rows }, tau, l, k: 2, weights: None, growth: Growth::Linear };
    let (table, mut policy) = case.core();
    let run = |policy: &Policy| Sweep::default().search(&Problem::new(&table, policy), &Silent);
    let entropy = requirement(&table, "entropy-l-diversity", Some(0), None, &[("l", "2")]);
    policy.requirements.push(entropy);
    assert_eq!(run(&policy), Err(SearchError::NotSwept { kind: "entropy-l-diversity" }));
    policy.requirements.clear();
    assert_eq!(run(&policy), Err(SearchError::NotOneTaxonomyRequirement { n_requirements: 0 }));
}

#[test]
fn adult_sweep_is_certified() {
    for (tau, l, choice) in [("0.4", "4", DOMINANT), ("0.1", "12", DOMINANT), ("0.1", "12", RANDOM)]
    {
        let adult = Adult::new(&EIGHT, |table, taxonomy| {
            let numbers = [("tau", tau), ("l", l)];
            vec![requirement(table, "tau-l-diversity", Some(0), taxonomy, &numbers)]
        });
        let Some(adult) = adult else { return };
        let found = search(&Problem::new(&adult.table, &adult.policy), choice).expect("feasible");
        let release =
            certify(&adult.table, &adult.policy, &found.proposal.recoding).expect("certified");
        assert_eq!((release.n_suppressed(), release.claims().n_classes), (0, found.n_classes));
        assert!(found.proposal.utility > 0.4 && found.proposal.n_generalized > 0);
    }
}

/// The weights of the values of a level (p'(v)) determine the order of classes: with weights by
/// rows, a level whose rows are mostly exact comes earlier.
#[test]
fn level_weights_follow_their_definition() {
    // The values a and b are below A, and c has no inner parent: if most rows have c, that level
    // retains more information than the unweighted lattice of the other attribute.
    let leaf = |label: &str| Branch::Leaf(label.to_owned());
    let inner = Branch::Inner("A".to_owned(), vec![leaf("a"), leaf("b")]);
    let taxonomy =
        Taxonomy::of_tree(&Branch::Inner("R".to_owned(), vec![inner, leaf("c"), leaf("d")]));
    let node = |label: &str| taxonomy.node_of(label).expect("the registry contains the principle");
    let base = ["a", "b", "c"].map(node).to_vec();
    let top = vec![node("R"); 3];
    let attribute = SweptAttribute { taxonomy: &taxonomy, base, top, codes: vec![0, 1, 2, 2] };
    let rows = |level_weights| SweptRows {
        quasi_identifiers: vec![attribute.clone()],
        taxonomy: &taxonomy,
        sensitive: vec![0; 4],
        counts: vec![1, 1, 5, 2],
        level_weights,
    };
    let weights = |level_weights| rows(level_weights).weights_of(&attribute);
    assert_eq!(weights(LevelWeights::Observed), [1.0, 1.0, 1.0, 0.0]);
    assert_eq!(weights(LevelWeights::Domain), [1.0; 4]);
    assert_eq!(weights(LevelWeights::Rows), [1.0, 1.0, 7.0, 0.0]);
}
