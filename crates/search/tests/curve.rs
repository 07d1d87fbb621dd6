//! Comparison of classes along the curve with naive oracles and exhaustive search on small random
//! tables.

mod classes_support;
mod microaggregation;
mod single_rows;

use classes_support::{
    Adult, Dice, EIGHT, Impatient, N_VALUES, PlainTable, released_rows, required, requirement,
};
use indistinct_core::Optimality;
use indistinct_core::{
    ClassColumn, FrequencyTable, Generalization, Observer, Phase, Policy, Rational, Recoding,
    Silent, SuppressionRule, certify,
};
use indistinct_diagnostics::Coded;
use indistinct_search::curve::{Curve, GeneralizeTo};
use indistinct_search::{NotFound, Problem, Search, SearchError};
use indistinct_testkit::principles::{RequiredPrinciple, judge};
use proptest::prelude::*;

type FoundRecoding = indistinct_search::FoundRecoding<Recoding>;

fn search(problem: &Problem<'_>, align: GeneralizeTo) -> Result<FoundRecoding, NotFound> {
    Curve { align }.search(problem, &Silent).expect("an answer").found()
}

/// Checks a found recoding with the naive oracle and with the certifier.
fn check(problem: &Problem<'_>, plain: &[RequiredPrinciple], found: &FoundRecoding) {
    let rows = released_rows(problem.table, problem.policy, &found.proposal);
    assert_eq!(rows.len() as u64 + found.n_suppressed, problem.table.n_rows());
    let judgment = judge(&rows, plain);
    assert!(judgment.verdicts.iter().all(|verdict| verdict.holds), "{judgment:?}");
    assert!(problem.policy.allows_suppressing(found.n_suppressed, problem.table));
    let release = certify(problem.table, problem.policy, &found.proposal)
        .expect("the certifier accepts the recoding");
    assert_eq!(release.n_suppressed(), found.n_suppressed);
    if problem.policy.published == ClassColumn::Absent {
        assert_eq!(judgment.class_sizes.len() as u64, found.n_classes);
    }
}

/// Returns whether suppressing at most `limit` rows makes the remaining rows satisfy the principles
/// as one class. Asserts that this is equivalent to the existence of a satisfying partition of the
/// remaining rows.
fn is_feasible(plain: &PlainTable, required: &[RequiredPrinciple], limit: usize) -> bool {
    let row = |&at: &usize, class: usize| {
        let values = plain.rows[at].1.iter().map(|code| format!("s{code}")).collect();
        (vec![class.to_string()], values)
    };
    let n = plain.rows.len();
    let mut classes = vec![0usize; n];
    // Class n contains the suppressed rows; classes are numbered by their first row.
    fn visit(
        at: usize,
        n_used: usize,
        classes: &mut Vec<usize>,
        holds: &mut dyn FnMut(&[usize]) -> bool,
    ) -> bool {
        let n = classes.len();
        if at == n {
            return holds(classes);
        }
        for class in (0..=n_used).chain([n]) {
            classes[at] = class;
            let n_used = if class == n_used { n_used + 1 } else { n_used };
            if visit(at + 1, n_used, classes, holds) {
                return true;
            }
        }
        false
    }
    visit(0, 0, &mut classes, &mut |classes| {
        let retained: Vec<usize> = (0..n).filter(|&at| classes[at] < n).collect();
        let rows: Vec<_> = retained.iter().map(|at| row(at, classes[*at])).collect();
        n - retained.len() <= limit && judge(&rows, required).verdicts.iter().all(|one| one.holds)
    })
}

fn plain_table(n_rows: std::ops::Range<usize>) -> impl Strategy<Value = PlainTable> {
    let row = (prop::collection::vec(0..N_VALUES, 2), prop::collection::vec(0u8..4, 1));
    prop::collection::vec(row, n_rows).prop_map(|rows| PlainTable { rows })
}

fn any_required() -> impl Strategy<Value = Vec<RequiredPrinciple>> {
    let one = prop_oneof![
        (1u64..4).prop_map(|k| RequiredPrinciple::KAnonymity { k }),
        (1u64..4).prop_map(|l| RequiredPrinciple::Distinct { attribute: 0, l }),
        (2u64..7).prop_map(|l| RequiredPrinciple::Frequency { attribute: 0, l: (l, 2) }),
        (2u64..7).prop_map(|l| RequiredPrinciple::Entropy { attribute: 0, l: (l, 2) }),
        (1u64..7, 2u64..4).prop_map(|(c, l)| RequiredPrinciple::Recursive {
            attribute: 0,
            c: (c, 2),
            l
        }),
    ];
    prop::collection::vec(one, 1..3)
}

fn any_align() -> impl Strategy<Value = GeneralizeTo> {
    prop_oneof![Just(GeneralizeTo::Hierarchy), Just(GeneralizeTo::Bounds)]
}

fn of_plain(
    plain: &PlainTable,
    wanted: &[RequiredPrinciple],
    limit: Rational,
) -> (FrequencyTable, Policy) {
    let table = plain.table();
    let requirements = wanted.iter().map(|one| required(&table, one)).collect();
    let policy = plain.policy(&table, requirements, limit);
    (table, policy)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn valid_result_exists_if_table_satisfies_policy(
        plain in plain_table(1..60),
        wanted in any_required(),
        align in any_align(),
        is_published in any::<bool>(),
    ) {
        let (table, mut policy) = of_plain(&plain, &wanted, Rational::from_integer(0));
        policy.published = if is_published { ClassColumn::Published } else { ClassColumn::Absent };
        let problem = Problem::new(&table, &policy);
        let whole = judge(
            &plain.rows.iter().map(|row| (Vec::new(), vec![row.1[0].to_string()])).collect::<Vec<_>>(),
            &wanted,
        );
        let holds = whole.verdicts.iter().all(|verdict| verdict.holds);
        match search(&problem, align) {
            Ok(found) => check(&problem, &wanted, &found),
            Err(infeasible) => prop_assert!(!holds && infeasible.is_proved, "{infeasible:?}"),
        }
    }

    /// A search that is stopped at any point returns a satisfying result, if the table has one.
    #[test]
    fn stopped_search_returns_valid_result(
        plain in plain_table(1..60),
        wanted in any_required(),
        align in any_align(),
        patience in 0u64..12,
        percent in 0i128..30,
    ) {
        let (table, policy) = of_plain(&plain, &wanted, Rational::new(percent, 100));
        let problem = Problem::new(&table, &policy);
        let in_full = search(&problem, align);
        let stopped = Curve { align }.search(&problem, &Impatient::after(patience)).expect(
            "an answer");
        match stopped.found() {
            Ok(found) => {
                check(&problem, &wanted, &found);
                let in_full = in_full.expect(
                    "a search without a limit finds a result if a stopped search does");
                if found.optimality == Optimality::Heuristic {
                    prop_assert_eq!(found, in_full);
                } else {
                    prop_assert_eq!(found.optimality, Optimality::STOPPED);
                }
            }
            Err(_) => prop_assert!(in_full.is_err()),
        }
    }

    #[test]
    fn level_bounds_and_stars_are_respected(
        plain in plain_table(1..40),
        wanted in any_required(),
        align in any_align(),
        percent in 0i128..60,
        is_starred in any::<bool>(),
        levels in prop::collection::vec((0usize..3, 0usize..3), 2),
    ) {
        let (table, mut policy) = of_plain(&plain, &wanted, Rational::new(percent, 100));
        policy.suppressed = if is_starred { SuppressionRule::Starred } else { SuppressionRule::Dropped };
        let mut problem = Problem::new(&table, &policy);
        problem.bounds = levels.iter().map(|&(a, b)| a.min(b)..=a.max(b)).collect();
        let Ok(found) = search(&problem, align) else { return Ok(()) };
        certify(&table, &policy, &found.proposal).expect("the certifier accepts the recoding");
        let Generalization::Classes(classes) = &found.proposal.generalization else {
            panic!("the recoding has classes")
        };
        let tuple = |at: usize| classes.parts.as_ref().map_or(at, |parts| parts[at].tuple as usize);
        let parts = (0..classes.class_of.len()).filter(|&at| !found.proposal.suppressed[at]);
        for (a, b) in parts.clone().flat_map(|a| parts.clone().map(move |b| (a, b))) {
            if classes.class_of[a] != classes.class_of[b] {
                continue;
            }
            for (at, hierarchy) in policy.hierarchies.iter().enumerate() {
                let highest = hierarchy.level(*problem.bounds[at].end());
                let label = |part| highest.map[table.quasi_identifiers()[at].codes[tuple(part)] as usize];
                prop_assert_eq!(label(a), label(b),
                    "a class crosses the boundary of a label at the highest level");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// The principles depend only on the frequencies of one attribute, so the suppression is
    /// optimal.
    #[test]
    fn curve_feasibility_matches_brute_force(
        plain in plain_table(1..7),
        wanted in any_required(),
        limit in 0usize..3,
    ) {
        let n = plain.rows.len();
        let limit = limit.min(n);
        let fraction = Rational::new(limit as i128, n as i128);
        let (table, policy) = of_plain(&plain, &wanted, fraction);
        let problem = Problem::new(&table, &policy);
        let found = search(&problem, GeneralizeTo::Hierarchy);
        if let Ok(found) = &found {
            check(&problem, &wanted, found);
        }
        prop_assert_eq!(found.is_ok(), is_feasible(&plain, &wanted, limit));
    }
}

/// Regression tables on which a library returned classes that violate the request, or no classes
/// although some exist: four sensitive values with very different frequencies, recursive (c,
/// 2)-diversity.
#[test]
fn skewed_values_are_solved_iff_feasible() {
    let (mut solved, mut refused) = (0, 0);
    for seed in 0..300 {
        let mut dice = Dice(seed);
        let n = 8 + dice.below(60);
        let skewed = |dice: &mut Dice| match dice.below(20) {
            0 => 3,
            1 | 2 => 2,
            3..=8 => 1,
            _ => 0u8,
        };
        let rows = (0..n)
            .map(|_| {
                let value = |dice: &mut Dice| dice.below(u64::from(N_VALUES)) as u8;
                (vec![value(&mut dice), value(&mut dice)], vec![skewed(&mut dice)])
            })
            .collect();
        let plain = PlainTable { rows };
        let largest = (0..4)
            .map(|code| plain.rows.iter().filter(|row| row.1[0] == code).count() as u64)
            .max()
            .expect("the table has four sensitive values");
        for c in 1..=3 {
            let wanted = [RequiredPrinciple::Recursive { attribute: 0, c: (c, 1), l: 2 }];
            let (table, policy) = of_plain(&plain, &wanted, Rational::from_integer(0));
            let problem = Problem::new(&table, &policy);
            match search(&problem, GeneralizeTo::Hierarchy) {
                Ok(found) => {
                    check(&problem, &wanted, &found);
                    solved += 1;
                    assert!(largest < c * (n - largest));
                }
                Err(infeasible) => {
                    refused += 1;
                    assert!(infeasible.is_proved && largest >= c * (n - largest));
                }
            }
        }
    }
    assert!(solved > 200 && refused > 100, "solved: {solved}; infeasible: {refused}");
}

/// Comparison of the dynamic program with every cut of the same order.
#[test]
fn dynamic_program_finds_cheapest_cut() {
    for seed in 0..200 {
        let mut dice = Dice(seed);
        let n = 2 + dice.below(9);
        let k = 2 + dice.below(2);
        // With one attribute, the order is that of the values.
        let rows: Vec<_> =
            (0..n).map(|_| (vec![dice.below(u64::from(N_VALUES)) as u8], vec![0])).collect();
        let plain = PlainTable { rows };
        let (table, policy) =
            of_plain(&plain, &[RequiredPrinciple::KAnonymity { k }], Rational::from_integer(0));
        let problem = Problem::new(&table, &policy);
        let mut values: Vec<u8> = plain.rows.iter().map(|row| row.0[0]).collect();
        values.sort_unstable();
        // The hierarchy lists all values (0, 10, ...), so a range covers the difference.
        let cost = |class: &[u8]| {
            class.len() as f64 * f64::from(class[class.len() - 1] - class[0])
                / f64::from(N_VALUES - 1)
        };
        let cheapest = (0..1u32 << (n - 1))
            .filter_map(|cuts| {
                let mut classes: Vec<Vec<u8>> = vec![Vec::new()];
                for (at, &value) in values.iter().enumerate() {
                    if at > 0 && cuts >> (at - 1) & 1 == 1 {
                        classes.push(Vec::new());
                    }
                    classes.last_mut().expect("the list is not empty").push(value);
                }
                let fits = classes.iter().all(|class| class.len() as u64 >= k);
                fits.then(|| classes.iter().map(|class| cost(class)).sum::<f64>() / n as f64)
            })
            .min_by(f64::total_cmp);
        match (search(&problem, GeneralizeTo::Bounds), cheapest) {
            (Ok(found), Some(cheapest)) => assert!(
                (found.objective.expect("the search minimizes an objective") - cheapest).abs()
                    < 1e-9,
                "{seed}"
            ),
            (Err(_), None) => {}
            other => panic!("{seed}: {other:?}"),
        }
    }
}

#[test]
fn thread_count_does_not_change_recoding() {
    let wanted = [RequiredPrinciple::Entropy { attribute: 0, l: (2, 1) }];
    let mut dice = Dice(5);
    let mut code = |n: u64| dice.below(n) as u8;
    let rows = (0..400).map(|_| (vec![code(6), code(6)], vec![code(4)])).collect();
    let (table, policy) = of_plain(&PlainTable { rows }, &wanted, Rational::from_integer(0));
    let problem = Problem::new(&table, &policy);
    let with = |n: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("a pool");
        pool.install(|| search(&problem, GeneralizeTo::Hierarchy).expect("feasible"))
    };
    assert_eq!(with(1), with(2));
}

struct Cancels;

impl Observer for Cancels {
    fn is_cancelled(&self) -> bool {
        true
    }

    fn progress(&self, _: Phase, _: u64, _: u64) {}
}

#[test]
fn curve_is_cancellable_and_rejects_unsupported_policy() {
    let plain = PlainTable { rows: vec![(vec![0, 0], vec![0]), (vec![1, 0], vec![1])] };
    let (table, mut policy) = of_plain(
        &plain,
        &[RequiredPrinciple::Distinct { attribute: 0, l: 2 }],
        Rational::from_integer(0),
    );
    let run = |policy: &Policy, observer: &dyn Observer| {
        Curve::default().search(&Problem::new(&table, policy), observer)
    };
    assert_eq!(run(&policy, &Cancels), Err(SearchError::Cancelled));
    let mut bounded = Problem::new(&table, &policy);
    bounded.bounds[0] = 1..=3;
    let error = Curve::default()
        .search(&bounded, &Silent)
        .expect_err("the hierarchy does not have level 3");
    assert_eq!(error.code(), "E-SEARCH-006");
    let on_numbers = classes_support::column("s0", &["1".to_owned(), "2".to_owned()]);
    let table =
        FrequencyTable::new(table.quasi_identifiers().to_vec(), vec![on_numbers], vec![1, 1])
            .expect("well-formed");
    policy.requirements = vec![requirement(
        &table,
        "epsilon-m-anonymity",
        Some(0),
        None,
        &[("epsilon", "1"), ("m", "1")],
    )];
    let error = Curve::default().search(&Problem::new(&table, &policy), &Silent);
    assert_eq!(error, Err(SearchError::NotPreservedByMerging { kind: "epsilon-m-anonymity" }));
}

/// The time limit is checked every few thousand rows: the rows that were not processed are cut into
/// more than one class.
#[test]
fn many_rows_are_cut_despite_time_limit() {
    let mut dice = Dice(11);
    let mut code = || dice.below(u64::from(N_VALUES)) as u8;
    let rows = (0..20_000).map(|_| (vec![code(), code()], vec![0])).collect();
    let wanted = [RequiredPrinciple::KAnonymity { k: 300 }];
    let (table, policy) = of_plain(&PlainTable { rows }, &wanted, Rational::from_integer(0));
    let problem = Problem::new(&table, &policy);
    let in_full = search(&problem, GeneralizeTo::Bounds).expect("feasible");
    for patience in [0, 1, 3] {
        let stopped =
            Curve { align: GeneralizeTo::Bounds }.search(&problem, &Impatient::after(patience));
        let stopped = stopped.expect("an answer").found().expect("feasible");
        check(&problem, &wanted, &stopped);
        assert_eq!(stopped.optimality, Optimality::STOPPED);
        let loss =
            |found: &FoundRecoding| found.objective.expect("the search minimizes an objective");
        assert!(
            loss(&stopped) < 0.7,
            "a loss of {} is close to that of a single class",
            loss(&stopped)
        );
        assert!(
            loss(&in_full) <= loss(&stopped) + 1e-9,
            "a search without a limit has at most the loss of a stopped search"
        );
    }
}

#[test]
fn adult_is_certified_with_both_generalizations() {
    let adult = Adult::new(&EIGHT, |table, _| {
        vec![requirement(table, "frequency-l-diversity", Some(0), None, &[("l", "4")])]
    });
    let Some(adult) = adult else { return };
    for align in [GeneralizeTo::Hierarchy, GeneralizeTo::Bounds] {
        let found = search(&Problem::new(&adult.table, &adult.policy), align).expect("feasible");
        let release = certify(&adult.table, &adult.policy, &found.proposal).expect("certified");
        assert_eq!(release.claims().n_classes, found.n_classes);
        let loss = indistinct_core::loss::find("loss").expect("the registry contains the loss");
        let weights = [1.0; 8];
        let measured = indistinct_core::loss::of_release(
            loss,
            &release,
            &adult.policy,
            &found.proposal,
            &weights,
        );
        assert!(
            (measured.expect("the loss is defined for classes")
                - found.objective.expect("the search minimizes an objective"))
            .abs()
                < 1e-9
        );
    }
}

/// A missing value is in no range, so a missing value and numbers are released as a set.
#[test]
fn missing_number_is_released_in_set() {
    let ages: Vec<String> = ["", "30", "10", "12", "", ""].map(str::to_owned).to_vec();
    let chain = |value: &str| vec![value.to_owned(), "*".to_owned()];
    for (rows, expected) in
        [(vec![0, 1, 2, 3], vec!["[12, 30]", "{, 10}"]), (vec![0, 4, 5], vec![""])]
    {
        let own: Vec<String> = rows.iter().map(|&row: &usize| ages[row].clone()).collect();
        let counted = classes_support::column("age", &own);
        let listed =
            classes_support::hierarchy(&counted.dictionary, &["", "10", "12", "30"].map(chain));
        let table = FrequencyTable::new(vec![counted], Vec::new(), vec![1; rows.len()])
            .expect("well-formed");
        let policy = Policy {
            hierarchies: vec![listed],
            requirements: vec![required(&table, &RequiredPrinciple::KAnonymity { k: 2 })],
            suppression_limit: Rational::from_integer(0),
            suppressed: SuppressionRule::Dropped,
            published: ClassColumn::Absent,
        };
        let found = search(&Problem::new(&table, &policy), GeneralizeTo::Bounds).expect("feasible");
        certify(&table, &policy, &found.proposal).expect("the certifier accepts the recoding");
        let mut cells: Vec<String> = released_rows(&table, &policy, &found.proposal)
            .into_iter()
            .map(|row| row.0[0].clone())
            .collect();
        cells.sort();
        cells.dedup();
        assert_eq!(cells, expected);
    }
}
