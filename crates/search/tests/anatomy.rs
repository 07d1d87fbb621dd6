//! Comparison of Anatomy with naive oracles and exhaustive search on small random tables.

mod classes_support;

use indistinct_diagnostics::Coded;
use std::collections::BTreeMap;
use std::time::Duration;

use classes_support::{Adult, EIGHT, N_VALUES, PlainTable, required, requirement};
use indistinct_core::Optimality;
use indistinct_core::principle::{Context, ParameterValue, Parameters, find};
use indistinct_core::{
    Anatomy, FrequencyTable, Observer, Others, Phase, Policy, Rational, Requirement, Silent,
    SuppressionRule, UnservedRequirement, certify_anatomy,
};
use indistinct_search::anatomy::TwoTables;
use indistinct_search::{NotFound, Problem, Search, SearchError};
use indistinct_testkit::principles::{RequiredPrinciple, Row, judge};
use proptest::prelude::*;

type FoundRecoding = indistinct_search::FoundRecoding<Anatomy>;

fn keyed(key: u64) -> TwoTables {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&key.to_le_bytes());
    TwoTables { key: bytes }
}

fn search(table: &FrequencyTable, policy: &Policy, key: u64) -> Result<FoundRecoding, NotFound> {
    keyed(key).search(&Problem::new(table, policy), &Silent).expect("an answer").found()
}

fn refused(table: &FrequencyTable, policy: &Policy) -> SearchError {
    keyed(0)
        .search(&Problem::new(table, policy), &Silent)
        .expect_err("the search rejects the requirement")
}

/// Returns the tuple and the class of each released row, and checks that every row is in exactly
/// one class or suppressed.
fn places(table: &FrequencyTable, recoding: &Anatomy) -> Vec<(u32, u32)> {
    let parts: Vec<(u32, u64)> = match &recoding.parts {
        Some(parts) => parts.iter().map(|part| (part.tuple, part.rows)).collect(),
        None => (0u32..).zip(table.counts().iter().copied()).collect(),
    };
    assert_eq!((parts.len(), parts.len()), (recoding.class_of.len(), recoding.suppressed.len()));
    let mut observed: BTreeMap<u32, u64> = BTreeMap::new();
    let mut places = Vec::new();
    for (at, &(tuple, rows)) in parts.iter().enumerate() {
        *observed.entry(tuple).or_default() += rows;
        if !recoding.suppressed[at] {
            let place = (tuple, recoding.class_of[at]);
            places.extend(std::iter::repeat_n(place, rows as usize));
        }
    }
    let counted = (0u32..).zip(table.counts().iter().copied()).collect();
    assert_eq!(observed, counted, "every row is in exactly one class");
    places
}

/// Returns rows with the class as their only label.
fn by_class(table: &FrequencyTable, recoding: &Anatomy) -> Vec<Row> {
    let value = |tuple: u32| {
        let column = &table.sensitive()[0];
        column.dictionary.value(column.codes[tuple as usize]).to_owned()
    };
    let places = places(table, recoding);
    places.iter().map(|&(tuple, class)| (vec![class.to_string()], vec![value(tuple)])).collect()
}

/// Checks a found recoding with the naive oracle and with the certifier.
fn check(
    table: &FrequencyTable,
    policy: &Policy,
    wanted: &[RequiredPrinciple],
    found: &FoundRecoding,
) {
    let rows = by_class(table, &found.proposal);
    assert_eq!(rows.len() as u64 + found.n_suppressed, table.n_rows());
    let judgment = judge(&rows, wanted);
    assert!(judgment.verdicts.iter().all(|verdict| verdict.holds), "{judgment:?}");
    assert_eq!(judgment.class_sizes.len() as u64, found.n_classes);
    let release = certify_anatomy(table, policy, &found.proposal)
        .expect("the certifier accepts the recoding");
    assert_eq!(release.n_suppressed(), found.n_suppressed);
    assert_eq!(release.n_classes(), found.n_classes);
}

/// Returns whether all but at most `limit` rows can be divided into classes that satisfy the
/// principles, by exhaustive search.
fn is_feasible(plain: &PlainTable, wanted: &[RequiredPrinciple], limit: usize) -> bool {
    /// Classes are numbered by their first row; class n contains the suppressed rows.
    fn visit(classes: &mut Vec<usize>, n: usize, holds: &dyn Fn(&[usize]) -> bool) -> bool {
        if classes.len() == n {
            return holds(classes);
        }
        let n_used = classes.iter().filter(|class| **class < n).max().map_or(0, |most| most + 1);
        (0..=n_used.min(n - 1)).chain([n]).any(|class| {
            classes.push(class);
            let is_found = visit(classes, n, holds);
            classes.pop();
            is_found
        })
    }
    let n = plain.rows.len();
    visit(&mut Vec::new(), n, &|classes| {
        let places = plain.rows.iter().zip(classes).filter(|(_, class)| **class < n);
        let rows: Vec<Row> = places
            .map(|(row, class)| (vec![class.to_string()], vec![row.1[0].to_string()]))
            .collect();
        n - rows.len() <= limit && judge(&rows, wanted).verdicts.iter().all(|one| one.holds)
    })
}

fn plain_table(n_rows: std::ops::Range<usize>) -> impl Strategy<Value = PlainTable> {
    let row = (prop::collection::vec(0..N_VALUES, 2), prop::collection::vec(0u8..5, 1));
    prop::collection::vec(row, n_rows).prop_map(|rows| PlainTable { rows })
}

fn any_required() -> impl Strategy<Value = Vec<RequiredPrinciple>> {
    let one = prop_oneof![
        (1u64..4).prop_map(|l| RequiredPrinciple::Distinct { attribute: 0, l }),
        (2u64..8).prop_map(|l| RequiredPrinciple::Frequency { attribute: 0, l: (l, 2) }),
        (2u64..8).prop_map(|l| RequiredPrinciple::Entropy { attribute: 0, l: (l, 2) }),
        (1u64..7, 2u64..4).prop_map(|(c, l)| RequiredPrinciple::Recursive {
            attribute: 0,
            c: (c, 2),
            l
        }),
    ];
    prop::collection::vec(one, 1..3)
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

/// Creates a table with one row for each sensitive value, whose first quasi-identifier is its
/// position modulo [`N_VALUES`].
fn of_sensitive_values(values: &[u8]) -> PlainTable {
    let rows = values.iter().zip(0u8..);
    let row = |(value, at): (&u8, u8)| (vec![at % N_VALUES, at / N_VALUES], vec![*value]);
    PlainTable { rows: rows.map(row).collect() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn valid_result_exists_if_table_satisfies_policy(
        plain in plain_table(0..60),
        wanted in any_required(),
        key in any::<u64>(),
    ) {
        let (table, policy) = of_plain(&plain, &wanted, Rational::from_integer(0));
        let whole: Vec<Row> =
            plain.rows.iter().map(|row| (Vec::new(), vec![row.1[0].to_string()])).collect();
        let holds = judge(&whole, &wanted).verdicts.iter().all(|verdict| verdict.holds);
        match search(&table, &policy, key) {
            Ok(found) => {
                check(&table, &policy, &wanted, &found);
                prop_assert_eq!(found.n_suppressed, 0);
                prop_assert_eq!(search(&table, &policy, key), Ok(found));
            }
            Err(infeasible) => prop_assert!(!holds && infeasible.is_proved, "{infeasible:?}"),
        }
    }

    /// For an integer l, the number of classes is n / l, rounded down, which is the maximum.
    #[test]
    fn number_of_classes_is_maximal(plain in plain_table(1..80), l in 1u64..5) {
        let wanted = [RequiredPrinciple::Frequency { attribute: 0, l: (l, 1) }];
        let (table, policy) = of_plain(&plain, &wanted, Rational::from_integer(0));
        if let Ok(found) = search(&table, &policy, 1) {
            prop_assert_eq!(found.n_classes, table.n_rows() / l);
            let release = certify_anatomy(&table, &policy, &found.proposal)
                .expect("the certifier accepts the recoding");
            // No class has a repeated sensitive value, so the error of each row is 1 - 1 / (size of
            // its class).
            let n = table.n_rows() as f64;
            prop_assert!(
                (release.reconstruction_error() - (n - found.n_classes as f64)).abs() < 1e-9
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn anatomy_feasibility_matches_brute_force(
        plain in plain_table(1..7),
        wanted in any_required(),
        limit in 0usize..3,
    ) {
        let n = plain.rows.len();
        let limit = limit.min(n);
        let (table, policy) = of_plain(&plain, &wanted, Rational::new(limit as i128, n as i128));
        let found = search(&table, &policy, 5);
        match &found {
            Ok(found) => check(&table, &policy, &wanted, found),
            Err(infeasible) => prop_assert_eq!(infeasible.is_proved, limit == 0),
        }
        prop_assert_eq!(found.is_ok(), is_feasible(&plain, &wanted, limit));
    }
}

/// The content of the two tables: the quasi-identifiers and the sensitive values of each class, in
/// the order of class numbers.
type View = Vec<(Vec<u32>, Vec<u32>)>;

/// Counts each view over `n_keys` keys. Tuples are in the order of the quasi-identifiers, which are
/// all different.
fn views(values: &[u8], l: u64, n_keys: u64) -> BTreeMap<View, u64> {
    let plain = of_sensitive_values(values);
    let wanted = [RequiredPrinciple::Frequency { attribute: 0, l: (l, 1) }];
    let (table, policy) = of_plain(&plain, &wanted, Rational::from_integer(0));
    let mut views = BTreeMap::new();
    for key in 0..n_keys {
        let found = search(&table, &policy, key).expect("the search finds a recoding");
        let mut view: View = vec![Default::default(); found.n_classes as usize];
        for (tuple, class) in places(&table, &found.proposal) {
            let (people, values) = &mut view[class as usize];
            people.push(tuple);
            values.push(table.sensitive()[0].codes[tuple as usize]);
        }
        view.iter_mut().for_each(|class| class.1.sort_unstable());
        *views.entry(view).or_default() += 1;
    }
    views
}

/// An adversary who knows the algorithm and has both tables learns nothing from the way in which
/// they were generated: a view is equally likely for all tables that are consistent with it.
#[test]
fn all_matchings_are_equally_likely() {
    let tables: [&[u8]; 4] =
        [&[0, 0, 1, 1, 2], &[1, 0, 0, 1, 2], &[2, 1, 0, 1, 0], &[0, 1, 2, 0, 1]];
    let n_keys = 12_000;
    let observed: Vec<BTreeMap<View, u64>> =
        tables.iter().map(|values| views(values, 2, n_keys)).collect();
    let fits = |view: &View, values: &[u8]| {
        view.iter().all(|(people, shown)| {
            let mut own: Vec<u32> =
                people.iter().map(|person| values[*person as usize].into()).collect();
            own.sort_unstable();
            own == *shown
        })
    };
    let mut n_compared = 0;
    for (a, of_a) in tables.iter().zip(&observed) {
        for (view, &times) in of_a {
            assert!(fits(view, a));
            for (b, of_b) in tables.iter().zip(&observed).filter(|(b, _)| fits(view, b)) {
                let other = of_b.get(view).copied().unwrap_or(0);
                let spread = 6.0 * ((times + other) as f64).sqrt();
                assert!((times.abs_diff(other) as f64) < spread, "{view:?} {a:?} {b:?}");
                n_compared += usize::from(a != b);
            }
        }
    }
    assert!(n_compared > 20, "{n_compared}");
}

/// The number of a class does not depend on its rows.
#[test]
fn classes_are_numbered_at_random() {
    let n_keys = 4000;
    let views = views(&[0, 0, 0, 1, 1, 1], 2, n_keys);
    let of_first_person = |view: &View| view.iter().position(|class| class.0.contains(&0));
    for number in 0..3 {
        let times: u64 = views
            .iter()
            .filter(|(view, _)| of_first_person(view) == Some(number))
            .map(|(_, times)| times)
            .sum();
        assert!(times.abs_diff(n_keys / 3) < 200, "{times}");
    }
}

/// Remaining rows are spread evenly over the classes, starting with classes without their sensitive
/// value.
#[test]
fn remaining_rows_are_spread_over_classes() {
    let values: Vec<u8> = [vec![0; 20], vec![1, 2, 3]].concat();
    let wanted = [RequiredPrinciple::Distinct { attribute: 0, l: 2 }];
    let (table, policy) =
        of_plain(&of_sensitive_values(&values), &wanted, Rational::from_integer(0));
    let found = search(&table, &policy, 0).expect("the search finds a recoding");
    check(&table, &policy, &wanted, &found);
    let sizes = judge(&by_class(&table, &found.proposal), &wanted).class_sizes;
    assert_eq!(sizes, [7, 8, 8]);

    // Every class accepts one more row; the remaining row joins the class without its sensitive
    // value.
    let values = [0, 0, 1, 1, 2, 2, 2];
    let (table, policy) =
        of_plain(&of_sensitive_values(&values), &wanted, Rational::from_integer(0));
    let found = search(&table, &policy, 0).expect("the search finds a recoding");
    let mut rows = by_class(&table, &found.proposal);
    rows.sort();
    assert!(rows.windows(2).all(|pair| pair[0] != pair[1]), "{rows:?}");

    // There are two classes of three rows; the remaining row joins a class without its sensitive
    // value.
    let wanted = [RequiredPrinciple::Frequency { attribute: 0, l: (3, 1) }];
    let values = [0, 0, 1, 1, 2, 3, 4];
    let (table, policy) =
        of_plain(&of_sensitive_values(&values), &wanted, Rational::from_integer(0));
    let found = search(&table, &policy, 0).expect("the search finds a recoding");
    check(&table, &policy, &wanted, &found);
    assert_eq!(judge(&by_class(&table, &found.proposal), &wanted).class_sizes, [3, 4]);

    // Two rows remain, one for each class.
    let values = [0, 0, 1, 1, 2, 2, 3, 4];
    let (table, policy) =
        of_plain(&of_sensitive_values(&values), &wanted, Rational::from_integer(0));
    let found = search(&table, &policy, 0).expect("the search finds a recoding");
    assert_eq!(judge(&by_class(&table, &found.proposal), &wanted).class_sizes, [4, 4]);
}

/// The minimum number of rows is suppressed, and both tables omit these rows.
#[test]
fn frequent_values_are_suppressed_within_limit() {
    let values = [0, 0, 0, 0, 0, 1, 2, 3];
    let wanted = [RequiredPrinciple::Frequency { attribute: 0, l: (2, 1) }];
    let eighths = |n| of_plain(&of_sensitive_values(&values), &wanted, Rational::new(n, 8));
    let (table, policy) = eighths(1);
    let infeasible = search(&table, &policy, 0).expect_err("at least two rows must be suppressed");
    assert!(!infeasible.is_proved);
    assert_eq!(infeasible.nearest.map(|nearest| nearest.n_failing_rows), Some(8));
    let (table, policy) = eighths(2);
    let found = search(&table, &policy, 0).expect("two rows may be suppressed");
    check(&table, &policy, &wanted, &found);
    assert_eq!((found.n_suppressed, found.n_classes), (2, 3));

    // After the suppression of any one row, one sensitive value still has two fifths of the rows;
    // only by suppressing the two frequent values do four different values remain.
    let wanted = [RequiredPrinciple::Frequency { attribute: 0, l: (7, 2) }];
    let values = of_sensitive_values(&[0, 1, 1, 2, 3, 3]);
    let (table, policy) = of_plain(&values, &wanted, Rational::new(2, 6));
    assert_eq!(search(&table, &policy, 0).map(|found| found.n_suppressed), Ok(2));
}

#[test]
fn unsupported_policies_are_rejected() {
    let plain = of_sensitive_values(&[0, 1, 2, 3, 0, 1]);
    let table = plain.table();
    let of = |kind: &str, attribute, numbers: &[(&str, &str)]| {
        let one = requirement(&table, kind, attribute, None, numbers);
        plain.policy(&table, vec![one], Rational::from_integer(0))
    };
    let kind = "k-anonymity";
    let required = refused(&table, &of(kind, None, &[("k", "2")]));
    assert_eq!(required, UnservedRequirement::Identity { kind }.into());
    assert_eq!(required.code(), "E-ANATOMY-001");
    let kind = "alpha-k-anonymity";
    let required = refused(&table, &of(kind, Some(0), &[("alpha", "0.5"), ("k", "2")]));
    assert_eq!(required, UnservedRequirement::Identity { kind }.into());
    let policy = of(kind, Some(0), &[("alpha", "0.5"), ("k", "1")]);
    assert!(search(&table, &policy, 0).is_ok(), "k = 1 is always satisfied");

    let mut policy = of("distinct-l-diversity", Some(0), &[("l", "2")]);
    policy.suppressed = SuppressionRule::Starred;
    assert_eq!(refused(&table, &policy), UnservedRequirement::Starred.into());
    policy.suppressed = SuppressionRule::Dropped;
    policy.requirements[0].others = Others::QuasiIdentifier;
    let kind = "distinct-l-diversity";
    assert_eq!(refused(&table, &policy), UnservedRequirement::Others { kind }.into());

    let rows = vec![(vec![0, 0], vec![0, 0]), (vec![0, 1], vec![1, 1])];
    let two = PlainTable { rows };
    let policy = two.policy(&two.table(), Vec::new(), Rational::from_integer(0));
    assert_eq!(
        refused(&two.table(), &policy),
        UnservedRequirement::SensitiveAttributes { got: 2 }.into()
    );

    let numbers = PlainTable { rows: vec![(vec![0, 0], Vec::new()), (vec![1, 0], Vec::new())] };
    let policy = numbers.policy(&numbers.table(), Vec::new(), Rational::from_integer(0));
    assert_eq!(
        refused(&numbers.table(), &policy),
        UnservedRequirement::SensitiveAttributes { got: 0 }.into()
    );
}

/// A principle on numeric sensitive values that merging may break is rejected.
#[test]
fn proximity_principle_is_rejected() {
    let table = numbers();
    let kind = "epsilon-m-anonymity";
    let numbers = [("epsilon", "1"), ("m", "2")];
    let policy = policy_of(requirement(&table, kind, Some(0), None, &numbers));
    assert_eq!(refused(&table, &policy), SearchError::NotPreservedByMerging { kind });
}

fn numbers() -> FrequencyTable {
    let values: Vec<String> = (0..40u32).map(|at| (at * at % 23).to_string()).collect();
    let column = classes_support::column("s0", &values);
    let counts = vec![1; values.len()];
    FrequencyTable::new(Vec::new(), vec![column], counts).expect("well-formed")
}

/// Parameters by name.
type Numbers<'a> = &'a [(&'a str, &'a str)];

/// Principles on the spread of values and on the whole table are supported.
#[test]
fn principles_preserved_by_merging_are_supported() {
    let table = numbers();
    let principles: [(&str, Numbers<'_>); 4] = [
        ("k-e-anonymity", &[("k", "3"), ("e", "10")]),
        ("variance-control", &[("variance", "20")]),
        ("t-closeness", &[("t", "0.3")]),
        ("alpha-k-anonymity", &[("alpha", "0.25"), ("k", "1")]),
    ];
    for (kind, numbers) in principles {
        let found = serve(&table, kind, numbers);
        assert!(found.n_classes > 1, "{kind}: {}", found.n_classes);
    }
}

/// Whether merging preserves a principle depends on its parameters, not only on its kind.
#[test]
fn window_reading_is_supported_but_definition_is_not() {
    let table = numbers();
    let kind = "delta-l-diversity";
    let read = |reading: &str| {
        let whole = |n| ParameterValue::Number(Rational::from_integer(n));
        let reading = ParameterValue::Text(reading.to_owned());
        let given = [("delta", whole(1)), ("l", whole(3)), ("reading", reading)];
        let given = given.map(|(name, value)| (name.to_owned(), value));
        let context = Context::new(&table, Some(0));
        let kind = find(kind).expect("the registry contains the principle");
        Requirement::new(kind, &context, Parameters(given.into()), Others::Ignored).expect("valid")
    };
    assert!(serve_one(&table, read("window")).n_classes > 1);
    let policy = policy_of(read("definition"));
    assert_eq!(refused(&table, &policy), SearchError::NotPreservedByMerging { kind });
}

fn policy_of(requirement: Requirement) -> Policy {
    Policy {
        hierarchies: Vec::new(),
        requirements: vec![requirement],
        suppression_limit: Rational::from_integer(0),
        suppressed: SuppressionRule::Dropped,
        published: indistinct_core::ClassColumn::Absent,
    }
}

fn serve(table: &FrequencyTable, kind: &str, numbers: Numbers<'_>) -> FoundRecoding {
    serve_one(table, requirement(table, kind, Some(0), None, numbers))
}

fn serve_one(table: &FrequencyTable, requirement: Requirement) -> FoundRecoding {
    let kind = requirement.kind;
    let policy = policy_of(requirement);
    let found = search(table, &policy, 3).unwrap_or_else(|_| panic!("{kind} holds"));
    certify_anatomy(table, &policy, &found.proposal).unwrap_or_else(|e| panic!("{kind}: {e}"));
    found
}

struct Cancelled;

impl Observer for Cancelled {
    fn progress(&self, _: Phase, _: u64, _: u64) {}

    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn search_is_cancellable_and_time_limited() {
    let wanted = [RequiredPrinciple::Frequency { attribute: 0, l: (2, 1) }];
    let (table, policy) =
        of_plain(&of_sensitive_values(&[0, 1, 0, 1, 0, 1]), &wanted, Rational::from_integer(0));
    let problem = Problem::new(&table, &policy);
    let cancelled = keyed(0).search(&problem, &Cancelled);
    assert_eq!(cancelled, Err(SearchError::Cancelled));
    let in_no_time = Problem { time_limit: Some(Duration::ZERO), ..problem };
    let found = keyed(0).search(&in_no_time, &Silent).expect("an answer").found();
    let found = found.expect("the search finds a recoding");
    assert_eq!(found.optimality, Optimality::STOPPED);
    check(&table, &policy, &wanted, &found);
}

/// Adult with occupation as the sensitive attribute: the result is certified and has the maximum
/// number of classes.
#[test]
fn adult_anatomy_is_certified_with_maximum_classes() {
    let wanted: [(&str, Numbers<'_>, u64); 4] = [
        ("frequency-l-diversity", &[("l", "4")], 7540),
        ("distinct-l-diversity", &[("l", "6")], 5027),
        ("entropy-l-diversity", &[("l", "4")], 7000),
        ("recursive-diversity", &[("c", "3"), ("l", "4")], 7000),
    ];
    for (kind, numbers, least) in wanted {
        let adult =
            Adult::new(&EIGHT, |table, _| vec![requirement(table, kind, Some(0), None, numbers)]);
        let Some(Adult { table, policy }) = adult else { return };
        let found = search(&table, &policy, 1).expect("the search finds a recoding");
        let release = certify_anatomy(&table, &policy, &found.proposal)
            .expect("the certifier accepts the recoding");
        assert_eq!(release.n_suppressed(), 0);
        assert!(found.n_classes >= least, "{kind}: {}", found.n_classes);
    }
}

/// A table of 400,000 different sensitive values is divided long before the time limit. If every
/// class examined all values, the search would stop at the limit and form fewer classes.
#[test]
fn classes_do_not_examine_all_sensitive_values() {
    let n: u32 = 400_000;
    let values: Vec<String> = (0..n).map(|at| format!("s{at:06}")).collect();
    let column = classes_support::column("s0", &values);
    let table = FrequencyTable::new(Vec::new(), vec![column], vec![1; n as usize]);
    let table = table.expect("well-formed");
    let policy =
        policy_of(requirement(&table, "distinct-l-diversity", Some(0), None, &[("l", "3")]));
    let limit = Some(Duration::from_secs(120));
    let problem = Problem { time_limit: limit, ..Problem::new(&table, &policy) };
    let found = keyed(3).search(&problem, &Silent).expect("an answer").found();
    let found = found.expect("the search finds a recoding");
    assert_ne!(found.optimality, Optimality::STOPPED);
    assert_eq!((found.n_classes, found.n_suppressed), (u64::from(n) / 3, 0));
}
