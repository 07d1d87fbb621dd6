//! Tests perturbation against its oracle, and perturbed releases.

mod masking;
mod support;

use indistinct_core::model::CountedColumn;
use indistinct_core::principle::{Context, Missing, Parameters, find};
use indistinct_core::recoding::Key;
use indistinct_core::recoding::perturbation::{
    Breach, Domain, Grid, Observation, Perturbation, PerturbationProblem, Retention, reconstruction,
};
use indistinct_core::{
    ClassColumn, FrequencyTable, Hierarchy, NotCertified, Others, Policy, Rational, Release,
    Requirement, STAR, SuppressionRule, certify, certify_perturbed, check_rows,
};
use indistinct_testkit::numeric_oracles::{Neighborhood, Number, SensitiveValue, number};
use indistinct_testkit::perturbation_oracle::PerturbedValues;
use proptest::prelude::*;
use support::{check, given, int, num, table, table_of, word};

fn requirement(context: &Context<'_>, kind: &str, parameters: Parameters) -> Requirement {
    let kind = find(kind).expect("the registry contains the kind");
    Requirement::new(kind, context, parameters, Others::Ignored).expect("it fits")
}

fn proximity(table: &FrequencyTable, epsilon: u64, m: u64) -> Requirement {
    let parameters = given(&[("epsilon", int(epsilon)), ("m", int(m))]);
    requirement(&support::context(table), "epsilon-m-anonymity", parameters)
}

fn policy(table: &FrequencyTable, requirements: Vec<Requirement>) -> Policy {
    let flat = |column: &CountedColumn| Hierarchy::flat(&column.dictionary);
    Policy {
        hierarchies: table.quasi_identifiers().iter().map(flat).collect(),
        requirements,
        suppression_limit: Rational::from_integer(0),
        suppressed: SuppressionRule::Dropped,
        published: ClassColumn::Absent,
    }
}

fn grid(low: i128, high: i128) -> Domain {
    let whole = Rational::from_integer;
    Domain::Grid(Grid::new(whole(low), whole(high), whole(1)).expect("a grid"))
}

fn rows(values: &[i64]) -> Vec<(Vec<String>, Vec<String>)> {
    let row = |(at, value): (usize, &i64)| (vec![format!("q{}", at % 3)], vec![value.to_string()]);
    values.iter().enumerate().map(row).collect()
}

fn sensitive_values(values: impl IntoIterator<Item = i64>) -> Vec<SensitiveValue> {
    values.into_iter().map(|value| Some(number(value, 1))).collect()
}

/// A principle for both the library and the oracle.
#[derive(Debug, Clone)]
enum Required {
    Absolute(u64),
    Between(u64, u64),
    Relative(u64),
    DeltaL(u64),
    Stated(u64, u64),
}

impl Required {
    /// Returns the m of a principle, or an l between two integers.
    fn limit(&self, m: u64) -> Number {
        match self {
            Required::DeltaL(_) => number(2 * m as i64 + 1, 2),
            _ => number(m as i64, 1),
        }
    }

    fn requirement(&self, table: &FrequencyTable, m: u64) -> Requirement {
        let (kind, mut parameters) = match self {
            Required::DeltaL(delta) => {
                let l = ("l", num(&format!("{m}.5")));
                let parameters = given(&[("delta", int(*delta)), l]);
                return requirement(&support::context(table), "delta-l-diversity", parameters);
            }
            Required::Absolute(epsilon) => {
                ("epsilon-m-anonymity", given(&[("epsilon", int(*epsilon))]))
            }
            Required::Stated(low, high) => {
                let steps = |low: &u64, high: &u64| {
                    support::fields(&[("-6", int(*low)), ("4", int(*high)), ("9", int(1))])
                };
                let stated = [("neighborhoods", steps(low, high)), ("above", steps(high, low))];
                ("neighborhoods-m-anonymity", given(&stated))
            }
            Required::Between(e1, e2) => {
                ("e1-e2-m-anonymity", given(&[("e1", int(*e1)), ("e2", int(*e2))]))
            }
            Required::Relative(tenths) => {
                let epsilon = num(&format!("0.{tenths}"));
                let given =
                    given(&[("epsilon", epsilon), ("neighborhood", word("relative-radius"))]);
                ("epsilon-m-anonymity", given)
            }
        };
        parameters.0.insert("m".to_owned(), int(m));
        requirement(&support::context(table), kind, parameters)
    }

    fn oracle(&self) -> Neighborhood {
        let whole = |x: &u64| number(*x as i64, 1);
        match self {
            Required::Absolute(epsilon) => Neighborhood::Between(whole(epsilon), whole(epsilon)),
            Required::Between(e1, e2) => Neighborhood::Between(whole(e1), whole(e2)),
            Required::Relative(tenths) => Neighborhood::Relative(number(*tenths as i64, 10)),
            Required::Stated(low, high) => Neighborhood::Stated(vec![
                (number(-6, 1), whole(low), whole(high)),
                (number(4, 1), whole(high), whole(low)),
                (number(9, 1), number(1, 1), number(1, 1)),
            ]),
            Required::DeltaL(delta) => {
                Neighborhood::Between(whole(&(2 * delta)), whole(&(2 * delta)))
            }
        }
    }
}

fn required_principle() -> impl Strategy<Value = Required> {
    prop_oneof![
        (0..5u64).prop_map(Required::Absolute),
        (0..4u64, 0..4u64).prop_map(|(e1, e2)| Required::Between(e1, e2)),
        (0..10u64).prop_map(Required::Relative),
        (0..3u64).prop_map(Required::DeltaL),
        (0..9u64, 0..9u64).prop_map(|(low, high)| Required::Stated(low, high)),
    ]
}

/// Returns a domain for the library and for the oracle.
fn domains(values: &[i64]) -> [(Domain, Vec<SensitiveValue>); 2] {
    let mut occurring = values.to_vec();
    occurring.sort_unstable();
    occurring.dedup();
    [(Domain::Occurring, sensitive_values(occurring)), (grid(-6, 14), sensitive_values(-6..=14))]
}

#[test]
fn perturbation_risks_match_bayes_rule() {
    let values = prop::collection::vec(-6..15i64, 1..9);
    check(
        250,
        &(values, required_principle(), 0..11i64),
        |(values, required_principle, tenths)| {
            let table = table_of(&rows(&values), 1, 1);
            let requirements = [required_principle.requirement(&table, 2)];
            let (near, p) = (required_principle.oracle(), number(tenths, 10));
            for (domain, all) in domains(&values) {
                let breach = Breach::new(&table, &requirements, &domain).expect("it fits");
                let oracle =
                    PerturbedValues { rows: sensitive_values(values.clone()), domain: all };
                prop_assert_eq!(breach.risk(&p, Observation::Neighborhood), oracle.risk(&near, &p));
                prop_assert_eq!(
                    breach.risk(&p, Observation::Value),
                    oracle.risk_given_value(&near, &p)
                );
            }
            Ok(())
        },
    );
}

#[test]
fn largest_p_is_maximal() {
    let values = prop::collection::vec(-6..15i64, 1..9);
    check(250, &(values, required_principle(), 1..5u64), |(values, required_principle, m)| {
        let table = table_of(&rows(&values), 1, 1);
        let requirements = [required_principle.requirement(&table, m)];
        let near = required_principle.oracle();
        let (limit, little) = (required_principle.limit(m).recip(), number(1, 1_000_000_000));
        for (domain, all) in domains(&values) {
            let breach = Breach::new(&table, &requirements, &domain).expect("it fits");
            let oracle = PerturbedValues { rows: sensitive_values(values.clone()), domain: all };
            type Risk = fn(&PerturbedValues, &Neighborhood, &Number) -> Number;
            let of_value: Risk = PerturbedValues::risk_given_value;
            for (given, risk) in [
                (Observation::Neighborhood, PerturbedValues::risk as Risk),
                (Observation::Value, of_value),
            ] {
                let risk = |p: &Number| risk(&oracle, &near, p);
                let Some(p) = breach.largest_p(given) else {
                    prop_assert!(risk(&number(0, 1)) > limit, "pure noise should exceed the limit");
                    let reached = breach.largest_m()[0].and_then(|it| it.to_rational());
                    let reached = reached.expect("the table has rows");
                    let reached = number(*reached.numer() as i64, *reached.denom() as i64);
                    prop_assert!(
                        reached < required_principle.limit(m)
                            && risk(&number(0, 1)) <= reached.recip()
                    );
                    let is_most = matches!(required_principle, Required::DeltaL(_))
                        && given == Observation::Neighborhood;
                    prop_assert!(!is_most || risk(&number(0, 1)) == reached.recip());
                    continue;
                };
                prop_assert!(risk(&p) <= limit);
                let more = &p + &little;
                prop_assert!(more > number(1, 1) || risk(&more) > limit);
                let published = breach
                    .largest_retention(given)
                    .expect("the largest retention probability exists")
                    .exact();
                prop_assert!(published <= p && &published + number(1, 1_000_000) > p);
            }
        }
        Ok(())
    });
}

/// The bound of the paper is a mean over the values of a neighborhood.
#[test]
fn single_value_observation_is_stricter() {
    // 40 of 100 rows have the sensitive value 10, one row each has 9 and 11, and all other values
    // are distant.
    let mut values = vec![10; 40];
    values.extend([9, 11]);
    values.extend((0..58).map(|at| 20 + at));
    let table = table_of(&rows(&values), 1, 1);
    let breach = Breach::new(&table, &[proximity(&table, 1, 2)], &grid(0, 99)).expect("it fits");
    let [mean, each] = [Observation::Neighborhood, Observation::Value].map(|it| {
        breach.largest_p(it).expect("a retention probability exists, because 0.42 < 1/2")
    });
    // The parameters are L = 3/100, P = 42/100, and F = 40/100.
    assert_eq!(mean, number(3 * 16, 3 * 16 + 100 * 42));
    assert_eq!(each, number(16, 16 + 100 * 40));
    assert!(breach.risk(&mean, Observation::Value) > number(1, 2));
    check(100, &(prop::collection::vec(0..15i64, 1..12), 0..4u64), |(values, epsilon)| {
        let table = table_of(&rows(&values), 1, 1);
        let breach =
            Breach::new(&table, &[proximity(&table, epsilon, 2)], &grid(0, 14)).expect("it fits");
        prop_assert!(
            breach.largest_p(Observation::Value) <= breach.largest_p(Observation::Neighborhood)
        );
        Ok(())
    });
}

fn perturbation(domain: Domain, p: Rational, key: u8) -> Perturbation {
    let retention = Retention::new(&p).expect("a probability");
    Perturbation { domain, given: Observation::Neighborhood, retention, key: Key([key; 32]) }
}

/// Returns the released rows as strings, in ascending order.
fn released(release: &Release<'_>) -> Vec<(String, String, u64)> {
    let table = release.table();
    let (quasi, value) = (&table.quasi_identifiers()[0], &table.sensitive()[0]);
    let mut rows: Vec<_> = (0..table.n_tuples())
        .map(|tuple| {
            let class = release.partition().classes.get(release.partition().class_of[tuple]);
            let label = &release.partition().labels[0][class.labels[0] as usize];
            assert_eq!(
                label,
                quasi.dictionary.value(quasi.codes[tuple]),
                "the quasi-identifier is released unchanged"
            );
            let value = value.dictionary.value(value.codes[tuple]);
            (label.clone(), value.to_owned(), table.counts()[tuple])
        })
        .collect();
    rows.sort();
    rows
}

#[test]
fn releases_change_only_sensitive_values() {
    let strategy = (prop::collection::vec(0..15i64, 1..40), any::<u8>());
    check(100, &strategy, |(values, key)| {
        let mut raw = rows(&values);
        let table = table_of(&raw, 1, 1);
        let policy = policy(&table, vec![proximity(&table, 1, 1)]);
        let required_principle = perturbation(grid(0, 14), Rational::new(3, 10), key);
        let (release, recoding) = certify_perturbed(&table, &policy, &required_principle)
            .expect("every perturbation satisfies the principle for m = 1");
        let rows_of = |rows: &[(String, String, u64)], q: &str| -> u64 {
            rows.iter().filter(|row| row.0 == q).map(|row| row.2).sum()
        };
        let written = released(&release);
        for q in ["q0", "q1", "q2"] {
            let n = raw.iter().filter(|row| row.0[0] == q).count() as u64;
            prop_assert_eq!(rows_of(&written, q), n);
        }
        // A recipient with only the released rows computes the same claims.
        let observed: Vec<_> = written
            .iter()
            .flat_map(|(q, s, n)| (0..*n).map(move |_| (vec![q.clone()], vec![s.clone()])))
            .collect();
        prop_assert_eq!(&check_rows(&table_of(&observed, 1, 1), &[]).claims, release.claims());
        prop_assert_eq!(release.n_suppressed(), 0);
        prop_assert_eq!(release.n_overlapping_pairs(&policy, &recoding), 0);
        prop_assert!(recoding.sensitive.is_none() && release.counted() == &table);

        // The result depends on the key, but not on the order of rows.
        raw.reverse();
        let reversed = table_of(&raw, 1, 1);
        let (again, _) =
            certify_perturbed(&reversed, &policy, &required_principle).expect("as before");
        prop_assert_eq!(released(&again), written);
        Ok(())
    });
}

/// With 40,000 rows of two values, 3/10 of the rows keep their value, and the others get each of
/// five values with equal frequency.
#[test]
fn draws_match_stated_probabilities() {
    let columns = |name: &str, values: &[&str], codes: Vec<u32>| CountedColumn {
        name: name.to_owned(),
        dictionary: indistinct_core::Dictionary::from_distinct(
            values.iter().map(|v| (*v).to_owned()).collect(),
        )
        .0,
        codes,
    };
    let quasi = columns("q", &["a", "b"], vec![0, 1]);
    let sensitive_value = columns("s", &["1", "4"], vec![0, 1]);
    let n = [30_000u64, 10_000];
    let table =
        FrequencyTable::new(vec![quasi], vec![sensitive_value], n.to_vec()).expect("a table");
    let policy = policy(&table, vec![proximity(&table, 0, 1)]);
    let required_principle = perturbation(grid(0, 4), Rational::new(3, 10), 1);
    let (release, _) = certify_perturbed(&table, &policy, &required_principle)
        .expect("every perturbation satisfies the principle for m = 1");
    let written = released(&release);
    let mut n_changed = 0;
    for (q, own, n) in [("a", "1", n[0]), ("b", "4", n[1])] {
        for value in ["0", "1", "2", "3", "4"] {
            let rows =
                written.iter().find(|row| row.0 == q && row.1 == value).map_or(0, |row| row.2);
            let p = if value == own { 0.3 + 0.7 / 5.0 } else { 0.7 / 5.0 };
            let deviation = (n as f64 * p * (1.0 - p)).sqrt();
            let expected = n as f64 * p;
            assert!(
                (rows as f64 - expected).abs() < 5.0 * deviation,
                "{q} {value}: {rows}, {expected}"
            );
            n_changed += if value == own { 0 } else { rows };
        }
    }
    let perturbed = release.perturbed().expect("the release is perturbed");
    assert_eq!((perturbed.n_changed, perturbed.n_domain_values), (n_changed, 5));

    let column = &release.table().sensitive()[0];
    let counts = release.table().marginal(column);
    let estimated = reconstruction::histogram(&counts, required_principle.retention)
        .expect("the retention probability is positive");
    for ((estimate, &there), original) in
        estimated.iter().zip(&counts).zip([0, 30_000, 0, 0, 10_000])
    {
        let (share, p) = (there as f64 / 40_000.0, required_principle.retention.p());
        let retained = *p.numer() as f64 / *p.denom() as f64;
        let error = (40_000.0 * share * (1.0 - share)).sqrt() / retained;
        let estimate = *estimate.numer() as f64 / *estimate.denom() as f64;
        assert!(
            (estimate - f64::from(original)).abs() < 5.0 * error,
            "{estimate}, {original}, {error}"
        );
    }

    let other = perturbation(grid(0, 4), Rational::new(3, 10), 2);
    let (other, _) = certify_perturbed(&table, &policy, &other).expect("as before");
    assert_ne!(released(&other), written);
}

#[test]
fn retention_probabilities_0_and_1_are_supported() {
    let table = table(&[("a", "1"), ("a", "1"), ("a", "2"), ("b", "7")]);
    let policy = policy(&table, vec![proximity(&table, 0, 1)]);
    let with = |p| perturbation(Domain::Occurring, Rational::from_integer(p), 9);
    let (all, _) = certify_perturbed(&table, &policy, &with(1))
        .expect("every perturbation satisfies the principle for m = 1");
    let row = |q: &str, s: &str, n| (q.to_owned(), s.to_owned(), n);
    assert_eq!(released(&all), [row("a", "1", 2), row("a", "2", 1), row("b", "7", 1)]);
    assert_eq!(all.perturbed().map(|it| (it.n_changed, it.risk)), Some((0, 1.0)));
    let (none, _) = certify_perturbed(&table, &policy, &with(0)).expect("noise alone");
    assert_eq!(
        none.perturbed().map(|it| it.risk),
        Some(0.5),
        "the risk is the share of the most frequent value"
    );

    let empty = table_of(&[], 1, 1);
    let no_rows = self::policy(&empty, vec![proximity(&empty, 3, 4)]);
    let (release, _) =
        certify_perturbed(&empty, &no_rows, &with(1)).expect("perturbation accepts an empty table");
    assert_eq!((release.claims().n_released, release.claims().smallest_class), (0, None));
}

#[test]
fn excessive_p_is_rejected() {
    // Uniform on 0 to 9: P = L = 2/10 at the ends and 3/10 in between, so the largest p for m = 3
    // is 1/21.
    let values: Vec<i64> = (0..10).collect();
    let alone = |value: &i64| (vec![format!("q{value}")], vec![value.to_string()]);
    let table = table_of(&values.iter().map(alone).collect::<Vec<_>>(), 1, 1);
    let policy = policy(&table, vec![proximity(&table, 1, 3)]);
    let breach = Breach::new(&table, &policy.requirements, &grid(0, 9)).expect("it fits");
    assert_eq!(breach.largest_p(Observation::Neighborhood), Some(number(1, 21)));
    let largest = breach
        .largest_retention(Observation::Neighborhood)
        .expect("the largest retention probability exists")
        .p();
    assert_eq!(largest, Rational::new(47_619, 1_000_000));
    let (release, recoding) =
        certify_perturbed(&table, &policy, &perturbation(grid(0, 9), largest, 3))
            .expect("the largest retention probability is allowed");
    let perturbed = release.perturbed().expect("the release is perturbed");
    assert!(perturbed.risk <= 1.0 / 3.0 && perturbed.risk > 0.333_333);
    assert!(release.claims().principles.is_empty(), "the released rows cannot confirm a principle");
    assert_eq!(release.parts().map(<[_]>::len), Some(recoding.suppressed.len()));
    // The original rows do not satisfy the policy.
    assert!(matches!(certify(&table, &policy, &recoding), Err(NotCertified::Fails { .. })));

    let more = largest + Rational::new(1, 1_000_000);
    let refused =
        certify_perturbed(&table, &policy, &perturbation(grid(0, 9), more, 3)).unwrap_err();
    let expected = PerturbationProblem::TooLarge { p: 0.04762, largest: Some(1.0 / 21.0) };
    assert_eq!(refused, NotCertified::Perturbation(expected));
    let never = self::policy(&table, vec![proximity(&table, 1, 4)]);
    let none = perturbation(grid(0, 9), Rational::from_integer(0), 3);
    let refused = certify_perturbed(&table, &never, &none).unwrap_err();
    assert_eq!(
        refused,
        NotCertified::Perturbation(PerturbationProblem::TooLarge { p: 0.0, largest: None })
    );
}

/// With several principles, the strictest principle determines p.
#[test]
fn strictest_principle_determines_p() {
    let values: Vec<i64> = (0..10).collect();
    let table = table_of(&rows(&values), 1, 1);
    let largest = |requirements: &[Requirement]| {
        let breach = Breach::new(&table, requirements, &grid(0, 9)).expect("it fits");
        breach.largest_p(Observation::Neighborhood)
    };
    let (one, other) = (proximity(&table, 1, 3), proximity(&table, 0, 4));
    let (first, second) = (largest(&[one]), largest(&[other]));
    assert_eq!(second, Some(number(6, 6 + 30)));
    let both = [proximity(&table, 1, 3), proximity(&table, 0, 4)];
    assert_eq!(largest(&both), first.min(second));
}

fn problem(
    table: &FrequencyTable,
    requirements: Vec<Requirement>,
    domain: Domain,
) -> PerturbationProblem {
    let required_principle = perturbation(domain.clone(), Rational::from_integer(0), 0);
    let policy = policy(table, requirements);
    let refused = match certify_perturbed(table, &policy, &required_principle) {
        Err(NotCertified::Perturbation(problem)) => problem,
        other => panic!("{other:?}"),
    };
    assert_eq!(Breach::new(table, &policy.requirements, &domain).unwrap_err(), refused);
    refused
}

#[test]
fn unsupported_perturbations_are_rejected() {
    let rows = table(&[("a", "1"), ("b", "2"), ("b", "40")]);
    assert_eq!(problem(&rows, Vec::new(), Domain::Occurring), PerturbationProblem::NoPrinciple);
    let k = requirement(&Context::new(&rows, None), "k-anonymity", given(&[("k", int(1))]));
    let refused = problem(&rows, vec![proximity(&rows, 1, 1), k], Domain::Occurring);
    assert_eq!(refused, PerturbationProblem::NotServed { kind: "k-anonymity" });
    let window = given(&[("delta", int(1)), ("l", int(1)), ("reading", word("window"))]);
    let window = requirement(&support::context(&rows), "delta-l-diversity", window);
    let refused = problem(&rows, vec![window], Domain::Occurring);
    assert_eq!(refused, PerturbationProblem::NotServed { kind: "delta-l-diversity" });
    let refused = problem(&rows, vec![proximity(&rows, 1, 1)], grid(0, 9));
    assert_eq!(refused, PerturbationProblem::OutsideDomain { n_rows: 1 });
    let two = table_of(&[(vec!["a".to_owned()], vec!["1".to_owned(), "x".to_owned()])], 1, 2);
    let refused = problem(&two, vec![proximity(&two, 1, 1)], Domain::Occurring);
    assert_eq!(refused, PerturbationProblem::NotOneSensitive { n_sensitive: 2 });
}

/// A missing sensitive value is a separate value, also in the noise. All numbers are released in
/// the notation of the grid.
#[test]
fn missing_values_and_other_notations_are_perturbed() {
    let rows = table(&[("a", ""), ("a", "1.0"), ("b", "2"), ("b", "+2")]);
    let context = support::context(&rows).with_missing(Missing::OwnValue);
    let required_principle = given(&[("epsilon", int(0)), ("m", int(2))]);
    let policy =
        policy(&rows, vec![requirement(&context, "epsilon-m-anonymity", required_principle)]);
    let breach = Breach::new(&rows, &policy.requirements, &grid(0, 3)).expect("it fits");
    // Half of the rows have the value 2.
    assert_eq!(breach.largest_p(Observation::Neighborhood), Some(number(0, 1)));
    let open = self::policy(
        &rows,
        vec![requirement(
            &context,
            "epsilon-m-anonymity",
            given(&[("epsilon", int(0)), ("m", int(1))]),
        )],
    );
    let retained = perturbation(grid(0, 3), Rational::from_integer(1), 0);
    let (release, _) = certify_perturbed(&rows, &open, &retained)
        .expect("every perturbation satisfies the principle for m = 1");
    let texts: Vec<_> = released(&release).into_iter().map(|row| row.1).collect();
    assert_eq!(texts, ["", "1", "2", "2"]);
    assert_eq!(release.perturbed().map(|it| it.n_domain_values), Some(5));
    assert!(!texts.contains(&STAR.to_owned()));
}
