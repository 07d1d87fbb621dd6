//! Tests of the suppression of single rows of a class: the full-domain and multidimensional
//! searches are compared with all sets of suppressed rows.

use indistinct_core::{
    Generalization, Policy, Rational, Recoding, Requirement, Silent, SuppressionRule, certify,
};
use indistinct_search::full_domain::FullDomain;
use indistinct_search::multidimensional::Multidimensional;
use indistinct_search::{Problem, Recodes, Search, with_single_rows};
use indistinct_testkit::principles::{RequiredPrinciple, judge};
use proptest::prelude::*;

use super::classes_support::{PlainTable, requirement};
use super::{any_required, of_plain, plain_table};

/// Returns the number of suppressed rows with and without the suppression of single rows; the
/// certifier checks the results.
fn found<S>(search: &S, problem: &Problem<'_>) -> [Option<u64>; 2]
where
    S: Search<Nearest = indistinct_core::Nearest>,
    S::Proposal: Recodes,
{
    let with = with_single_rows(search, problem, &Silent).expect("an answer").found();
    let without = search.search(problem, &Silent).expect("an answer").found();
    [with, without].map(|found| {
        let mut found = found.ok()?;
        let recoding: &mut Recoding = found.proposal.recoding_mut();
        let release = certify(problem.table, problem.policy, recoding)
            .expect("the certifier accepts the recoding");
        assert_eq!(release.n_suppressed(), found.n_suppressed);
        if let Generalization::FullDomain { levels, .. } = &recoding.generalization {
            let within = levels.iter().zip(&problem.bounds).all(|(it, bounds)| bounds.contains(it));
            assert!(within, "{levels:?}");
        }
        Some(found.n_suppressed)
    })
}

fn of_both(problem: &Problem<'_>) -> [[Option<u64>; 2]; 2] {
    [found(&FullDomain::default(), problem), found(&Multidimensional::default(), problem)]
}

/// Returns the minimum number of suppressed rows for which the remaining rows satisfy the
/// principles at these levels, over all sets that leave at least one row.
fn fewest(
    plain: &PlainTable,
    policy: &Policy,
    wanted: &[RequiredPrinciple],
    levels: &[usize],
) -> Option<u64> {
    let table = plain.table();
    let columns = table.quasi_identifiers();
    // The tuples of the table are in a different order than the plain rows.
    let rows: Vec<(Vec<String>, Vec<String>)> = (0..table.n_tuples())
        .flat_map(|tuple| {
            let labels = columns.iter().enumerate().map(|(at, column)| {
                policy.hierarchies[at].label(levels[at], column.codes[tuple]).to_owned()
            });
            let value = |at: usize| {
                let column = &table.sensitive()[at];
                column.dictionary.value(column.codes[tuple]).to_owned()
            };
            let row = (labels.collect(), vec![value(0)]);
            std::iter::repeat_n(row, table.counts()[tuple] as usize)
        })
        .collect();
    let n = rows.len();
    (1u32..1 << n)
        .filter(|retained| {
            let of_set: Vec<_> =
                (0..n).filter(|at| retained >> at & 1 == 1).map(|at| rows[at].clone()).collect();
            judge(&of_set, wanted).verdicts.iter().all(|verdict| verdict.holds)
        })
        .map(|retained| n as u64 - u64::from(retained.count_ones()))
        .min()
}

/// Class x has the values a, a, b, and class y has a, b. One row may be suppressed, and each class
/// must contain two values equally often.
#[test]
fn single_row_is_suppressed_if_sufficient() {
    let rows = [(0, 0), (0, 0), (0, 1), (1, 0), (1, 1)];
    let plain = PlainTable { rows: rows.iter().map(|&(q, s)| (vec![2 * q, 0], vec![s])).collect() };
    let wanted = [RequiredPrinciple::Frequency { attribute: 0, l: (2, 1) }];
    let (table, policy) = of_plain(&plain, &wanted, Rational::new(1, 5));
    let mut problem = Problem::new(&table, &policy);
    assert_eq!(found(&FullDomain::default(), &problem), [Some(1), None]);
    // If both values stay separate classes, no whole tuple can be dropped.
    problem.bounds = vec![0..=0, 0..=0];
    assert_eq!(of_both(&problem), [[Some(1), None], [Some(1), None]]);
    assert_eq!(fewest(&plain, &policy, &wanted, &[0, 0]), Some(1));
    // Starred rows form a class, and a single row does not satisfy the policy as a class.
    let mut starred = of_plain(&plain, &wanted, Rational::new(1, 5)).1;
    starred.suppressed = SuppressionRule::Starred;
    let problem = Problem { policy: &starred, ..problem.clone() };
    assert_eq!(found(&FullDomain::default(), &problem), [None, None]);
}

/// Returns whether full-domain proves infeasibility, with and without the suppression of single
/// rows.
fn proofs(problem: &Problem<'_>) -> [bool; 2] {
    let search = FullDomain::default();
    let with = with_single_rows(&search, problem, &Silent).expect("an answer").found();
    let without = search.search(problem, &Silent).expect("an answer").found();
    [with, without].map(|found| found.err().is_some_and(|it| it.is_proved))
}

/// Four rows with two values; one row may be suppressed.
#[test]
fn class_proofs_do_not_apply_to_rows() {
    let rows = [(0, 0), (0, 0), (0, 1), (1, 0)];
    let plain = PlainTable { rows: rows.iter().map(|&(q, s)| (vec![2 * q, 0], vec![s])).collect() };
    let of = |l: u64, limit: i128| {
        let wanted = [RequiredPrinciple::Frequency { attribute: 0, l: (l, 1) }];
        let (table, policy) = of_plain(&plain, &wanted, Rational::new(limit, 4));
        proofs(&Problem::new(&table, &policy))
    };
    // No class has three equally frequent values. An examination of whole classes does not prove
    // that the suppression of single rows fails.
    assert_eq!(of(3, 1), [false; 2]);
    // Five distinct values require five rows.
    assert_eq!(of(5, 1), [true; 2]);
    assert_eq!(of(3, 0), [true; 2]);
    // Two rows may be suppressed, after which two rows with each value remain.
    assert_eq!(of(2, 2), [false; 2]);
}

/// The numbers are 0, 100, ..., 500 and 1000 to 1003. The suppressed row is taken from the densest
/// neighborhood, not from the most frequent number.
#[test]
fn densest_neighborhood_loses_suppressed_row() {
    let numbers = [0, 100, 200, 300, 400, 500, 1000, 1001, 1002, 1003];
    let column = |name: &str, cells: &[String]| super::classes_support::column(name, cells);
    let of = |numbers: &[i32]| {
        let cells: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        let same = vec!["x".to_owned(); cells.len()];
        let counts = vec![1; cells.len()];
        indistinct_core::FrequencyTable::new(
            vec![column("q", &same)],
            vec![column("s", &cells)],
            counts,
        )
        .expect("well-formed")
    };
    let policy = |table: &indistinct_core::FrequencyTable, limit: Rational| {
        let numbers = [("epsilon", "5"), ("m", "3")];
        let requirement: Requirement =
            requirement(table, "epsilon-m-anonymity", Some(0), None, &numbers);
        let dictionary = &table.quasi_identifiers()[0].dictionary;
        let hierarchies = vec![indistinct_core::Hierarchy::flat(dictionary)];
        let (requirements, suppressed) = (vec![requirement], SuppressionRule::Dropped);
        let published = indistinct_core::ClassColumn::Absent;
        Policy { hierarchies, requirements, suppression_limit: limit, suppressed, published }
    };
    let table = of(&numbers);
    for tenths in 1..=3 {
        let policy = policy(&table, Rational::new(tenths, 10));
        let problem = Problem::new(&table, &policy);
        let [full_domain, multidimensional] = of_both(&problem);
        assert_eq!((full_domain[0], multidimensional[0]), (Some(1), Some(1)), "{tenths}");
    }
    let none = policy(&table, Rational::from_integer(0));
    assert_eq!(of_both(&Problem::new(&table, &none)), [[None; 2]; 2]);
    // Two dense neighborhoods of four: one row of each must be suppressed, and no third row.
    let two = of(&[0, 100, 200, 1000, 1001, 1002, 1003, 2000, 2001, 2002, 2003]);
    let policy = policy(&two, Rational::new(2, 11));
    assert_eq!(found(&FullDomain::default(), &Problem::new(&two, &policy))[0], Some(2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// If any set of suppressed rows is sufficient at any levels, the searches find a recoding
    /// within the limit.
    #[test]
    fn row_suppression_is_found_if_one_exists(
        plain in plain_table(4..9),
        wanted in any_required(),
        limit in 0i128..4,
        highest in prop::collection::vec(0usize..3, 2),
    ) {
        let n = plain.rows.len() as i128;
        let (table, policy) = of_plain(&plain, &wanted, Rational::new(limit, n));
        let mut problem = Problem::new(&table, &policy);
        problem.bounds = highest.iter().map(|&level| 0..=level).collect();
        // Merging preserves these principles, so the highest levels need the fewest suppressed
        // rows.
        let least = fewest(&plain, &policy, &wanted, &highest);
        let is_feasible = least.is_some_and(|rows| rows <= limit as u64);
        for [with, without] in of_both(&problem) {
            prop_assert_eq!(with.is_some(), is_feasible, "{:?}", least);
            prop_assert!(without.is_none() || with == without);
            prop_assert!(with.is_none_or(|rows| rows <= limit as u64));
        }
        if is_feasible {
            prop_assert_eq!(proofs(&problem), [false; 2]);
        }
        let nodes = (0..=highest[0]).flat_map(|a| (0..=highest[1]).map(move |b| vec![a, b]));
        for levels in nodes {
            let here = fewest(&plain, &policy, &wanted, &levels);
            prop_assert!(here.is_none() || here >= least, "{:?}", levels);
        }
    }
}
