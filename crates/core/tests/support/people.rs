//! Tests principles on people who have several rows each: compares the certifier and the table for
//! searches with plain rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indistinct_core::Dictionary;
use indistinct_core::model::from_ratio;
use indistinct_core::model::{ClassView, Histogram};
use indistinct_core::principle::Merging;
use indistinct_core::recoding::Requirement;
use indistinct_core::{
    ByPerson, ClassColumn, CountedUnit, Figure, FrequencyTable, InvalidRecoding, NotCertified,
    Partition, People, Policy, PrincipleClaim, Rational, RowsOfPerson, SuppressionRule, certify,
    claims_of,
};
use indistinct_testkit::people_oracle::{
    RowOfPerson, ValuesOfPeople, choices, classes, diversity, enough_values, excess,
    fewest_that_reach_all_people, having, head_by_tail, numbers_of_people, people_with_values,
};
use proptest::prelude::*;

use super::common::{self, PlainTable, plain_table, raw_row, recoding, require, row};

/// Creates the people of plain rows.
fn people(
    plain: &PlainTable,
    table: &FrequencyTable,
    persons: &[u32],
    rows: RowsOfPerson,
) -> Arc<People> {
    let tuple_of: BTreeMap<_, u32> =
        (0..table.n_tuples()).map(|tuple| (raw_row(table, tuple), tuple as u32)).collect();
    let of_rows = plain.rows.iter().zip(persons).map(|(row, person)| (tuple_of[row], *person));
    Arc::new(
        People::new(table, of_rows.collect(), rows).expect("the people have the rows of the table"),
    )
}

fn whole(number: i128) -> Rational {
    Rational::from_integer(number)
}

/// Returns one requirement of each kind with a guarantee for people, first on rows and then on
/// people.
fn requirements(people: &Arc<People>) -> Vec<Requirement> {
    let each = || {
        [
            require("k-anonymity", None, &[("k", whole(2))]),
            require("distinct-l-diversity", Some(0), &[("l", whole(2))]),
            require("frequency-l-diversity", Some(0), &[("l", from_ratio(3, 2))]),
            require("alpha-k-anonymity", Some(0), &[("alpha", from_ratio(2, 3)), ("k", whole(1))]),
            require("entropy-l-diversity", Some(0), &[("l", from_ratio(3, 2))]),
            require("recursive-diversity", Some(0), &[("c", whole(2)), ("l", whole(2))]),
            require("t-closeness", Some(0), &[("t", from_ratio(1, 4))]),
        ]
    };
    let of_people = each().map(|it| {
        it.of_people(Arc::clone(people)).expect("the principle has a guarantee for people")
    });
    each().into_iter().chain(of_people).collect()
}

fn policy(plain: &PlainTable, table: &FrequencyTable, requirements: Vec<Requirement>) -> Policy {
    Policy {
        hierarchies: plain.core_hierarchies(table),
        requirements,
        suppression_limit: whole(0),
        suppressed: SuppressionRule::Dropped,
        published: ClassColumn::Absent,
    }
}

fn figure(claim: &PrincipleClaim, name: &str) -> f64 {
    match claim.reached.as_ref().expect("the table has rows")[name] {
        Some(Figure::Count(count)) => count as f64,
        Some(Figure::Real(value)) => value,
        None if name == "c_exceeds" => f64::INFINITY,
        ref other => panic!("{name}: {other:?}"),
    }
}

/// Computes the levels of the classes by definition: k, distinct l, frequency l, alpha, entropy l,
/// the value that c exceeds for l = 2, and t.
fn by_definition(rows: &[RowOfPerson]) -> [f64; 7] {
    let classes = &classes(rows);
    let all = people_with_values(rows);
    let least = |of: &dyn Fn(&ValuesOfPeople) -> f64| {
        classes.values().map(of).fold(f64::INFINITY, f64::min)
    };
    let share = |class: &ValuesOfPeople| {
        having(class).into_values().max().unwrap_or(0) as f64 / class.len() as f64
    };
    [
        least(&|class| class.len() as f64),
        least(&|class| enough_values(class) as f64),
        least(&|class| 1.0 / share(class)),
        -least(&|class| -share(class)),
        least(&|class| worst(&numbers_of_people(class))[0]),
        -least(&|class| worst(&numbers_of_people(class))[1]),
        -least(&|class| -excess(class, &all)),
    ]
}

/// Returns the worst levels over several assignments of people to values: the minimum entropy as
/// its exponential, and the negative of the maximum ratio of head to tail.
fn worst(ways: &[Vec<u64>]) -> [f64; 2] {
    let least = |of: &dyn Fn(&Vec<u64>) -> f64| ways.iter().map(of).fold(f64::INFINITY, f64::min);
    [least(&|way| diversity(way)), least(&|way| -head_by_tail(way, 2))]
}

fn case() -> impl Strategy<Value = (PlainTable, Vec<u32>, Vec<usize>)> {
    plain_table().prop_flat_map(|table| {
        let n_rows = table.rows.len();
        let levels = prop::collection::vec(0..common::N_LEVELS, table.hierarchies.len());
        let people =
            (1..8u32).prop_flat_map(move |n_people| prop::collection::vec(0..n_people, n_rows));
        (Just(table), people, levels)
    })
}

#[test]
fn people_claims_match_plain_rows() {
    let check = |(plain, persons, levels): (PlainTable, Vec<u32>, Vec<usize>)| {
        let table = plain.to_core();
        if plain.rows.is_empty() || plain.n_sensitive == 0 {
            return Ok(());
        }
        let people = people(&plain, &table, &persons, RowsOfPerson::Independent);
        let policy = policy(&plain, &table, requirements(&people));
        let rows: Vec<RowOfPerson> = plain
            .rows
            .iter()
            .zip(&persons)
            .map(|(row, person)| (plain.labels(row, &levels), *person, row.1[0].clone()))
            .collect();
        let classes = classes(&rows);
        let expected = by_definition(&rows);
        for class in classes.values() {
            // The level is valid: with fewer values, some people have none of them.
            prop_assert!(enough_values(class) <= fewest_that_reach_all_people(class));
            let (known, real) = (worst(&numbers_of_people(class)), worst(&choices(class)));
            prop_assert!(known.iter().zip(real).all(|(known, real)| *known <= real + 1e-12));
        }

        let proposal = recoding(&levels, vec![false; table.n_tuples()]);
        let partition = Partition::new(&table, &policy, &proposal).expect("it fits");
        let claims = claims_of(&table, &partition, &policy.requirements).claims;
        let (of_rows, of_people) = claims.principles.split_at(7);
        let names = ["k", "l", "l", "alpha", "l", "c_exceeds", "t"];
        for ((claim, name), expected) in of_people.iter().zip(names).zip(expected) {
            prop_assert_eq!(claim.counts, CountedUnit::People);
            let figure = figure(claim, name);
            let is_equal = figure == expected || (figure - expected).abs() < 1e-9;
            prop_assert!(is_equal, "{}: {} {}", claim.kind, figure, expected);
        }
        let one_row_each =
            classes.values().map(|class| class.len()).sum::<usize>() == plain.rows.len();
        let is_each_in_one = persons.iter().collect::<BTreeSet<_>>().len() == persons.len();
        if one_row_each {
            // t-closeness also depends on the rows of the same people in other classes.
            let depends = |kind: &str| kind == "t-closeness" && !is_each_in_one;
            let both = of_people.iter().zip(of_rows).filter(|(claim, _)| !depends(&claim.kind));
            for (of_people, of_rows) in both {
                prop_assert_eq!(&of_people.reached, &of_rows.reached, "{}", of_rows.kind);
            }
        }
        let holds = claims.principles.iter().all(|claim| claim.holds);
        prop_assert_eq!(certify(&table, &policy, &proposal).is_ok(), holds);

        // A search computes the same levels, and merging keeps the principles for which the search
        // assumes this.
        let by_person = ByPerson::new(&table, &policy).expect("some requirements concern people");
        let marks = vec![false; by_person.table.n_tuples()];
        let applied = recoding(&levels, marks.clone());
        let partition =
            Partition::new(&by_person.table, &by_person.policy, &applied).expect("it fits");
        let observed =
            claims_of(&by_person.table, &partition, &by_person.policy.requirements).claims;
        for (observed, claim) in observed.principles.iter().zip(&claims.principles) {
            prop_assert_eq!(&observed.reached, &claim.reached, "{}", claim.kind);
            prop_assert_eq!(observed.n_failing_rows, claim.n_failing_rows);
        }
        prop_assert_eq!(observed.class_sizes, claims.class_sizes);
        prop_assert_eq!(by_person.marks(&marks), vec![false; table.n_tuples()]);
        Ok(())
    };
    super::runner(3_000).run(&case(), check).unwrap();
}

/// Creates rows of one quasi-identifier with a sensitive value.
fn plain(rows: &[(&str, &str)]) -> PlainTable {
    let groups = ["a1", "a2", "b1", "b2"].map(|value| (value.to_owned(), value[..1].to_owned()));
    PlainTable {
        rows: rows.iter().map(|(q, s)| row(&[q], &[s])).collect(),
        hierarchies: vec![common::PlainHierarchy { values: groups.to_vec() }],
        n_sensitive: 1,
    }
}

#[test]
fn class_of_one_person_has_k_1() {
    let plain = plain(&[("a1", "flu"); 6]);
    let table = plain.to_core();
    let people = people(&plain, &table, &[0; 6], RowsOfPerson::Uniform);
    let k = || require("k-anonymity", None, &[("k", whole(5))]);
    let certified = |requirement| {
        let policy = policy(&plain, &table, vec![requirement]);
        certify(&table, &policy, &recoding(&[0], vec![false])).map(|_| ())
    };
    assert!(certified(k()).is_ok(), "the table has six rows");
    let of_people = k().of_people(people).expect("k-anonymity has a guarantee for people");
    assert!(matches!(certified(of_people), Err(NotCertified::Fails { n_failing_rows: 6, .. })));
}

#[test]
fn people_with_all_values_break_diversity() {
    // Five people have the same five diagnoses: each row has one of five values, but each person
    // has all of them.
    let values = ["a", "b", "c", "d", "e"];
    let rows: Vec<(&str, &str)> = (0..25).map(|at| ("a1", values[at % 5])).collect();
    let persons: Vec<u32> = (0..25).map(|at| at / 5).collect();
    let plain = plain(&rows);
    let table = plain.to_core();
    let people = people(&plain, &table, &persons, RowsOfPerson::Uniform);
    let policy = policy(&plain, &table, requirements(&people));
    let proposal = recoding(&[0], vec![false; table.n_tuples()]);
    let partition = Partition::new(&table, &policy, &proposal).expect("it fits");
    let claims = claims_of(&table, &partition, &policy.requirements).claims.principles;
    let names = ["k", "l", "l", "alpha", "l", "c_exceeds", "t"].iter().cycle();
    let reached: Vec<f64> =
        claims.iter().zip(names).map(|(claim, name)| figure(claim, name)).collect();
    assert_eq!(reached[..7], [25.0, 5.0, 5.0, 0.2, 5.0, 0.25, 0.0]);
    assert_eq!(reached[7..], [5.0, 1.0, 1.0, 1.0, 1.0, f64::INFINITY, 0.0]);
}

#[test]
fn divided_rows_of_person_are_rejected() {
    let plain = plain(&[("a1", "x"), ("a2", "y"), ("b1", "x"), ("b1", "y")]);
    let table = plain.to_core();
    let certified = |rows: RowsOfPerson, level: usize| {
        let people = people(&plain, &table, &[0, 0, 1, 2], rows);
        let k = require("k-anonymity", None, &[("k", whole(1))]).of_people(people);
        let policy =
            policy(&plain, &table, vec![k.expect("the principle has a guarantee for people")]);
        certify(&table, &policy, &recoding(&[level], vec![false; table.n_tuples()])).map(|_| ())
    };
    assert!(certified(RowsOfPerson::Independent, 0).is_ok());
    let divided = NotCertified::Invalid(InvalidRecoding::NotTogether { n_people: 1 });
    assert_eq!(certified(RowsOfPerson::Uniform, 0), Err(divided));
    assert!(certified(RowsOfPerson::Uniform, 1).is_ok());
}

#[test]
fn people_of_another_table_are_rejected() {
    let (this, other) = (plain(&[("a1", "x"); 4]), plain(&[("a1", "x"); 5]));
    let table = this.to_core();
    let people = people(&other, &other.to_core(), &[0, 1, 2, 3, 4], RowsOfPerson::Independent);
    let k = require("k-anonymity", None, &[("k", whole(1))]).of_people(people);
    let policy = policy(&this, &table, vec![k.expect("the principle has a guarantee for people")]);
    let proposal = recoding(&[0], vec![false]);
    let refused = certify(&table, &policy, &proposal).map(|_| ());
    assert_eq!(refused, Err(NotCertified::Invalid(InvalidRecoding::People)));
    let partition = Partition::new(&table, &policy, &proposal).expect("it fits");
    let claims = claims_of(&table, &partition, &policy.requirements);
    assert_eq!((claims.claims.principles[0].holds, claims.class_holds), (false, vec![false]));
}

#[test]
fn principles_without_people_guarantee_return_none() {
    let plain = plain(&[("a1", "x")]);
    let table = plain.to_core();
    let people = people(&plain, &table, &[0], RowsOfPerson::Independent);
    let none = require("delta-disclosure", Some(0), &[("delta", whole(2))]);
    assert!(none.of_people(people).is_none());
}

/// Generates a class of people; each person has some of four values.
fn class_of_people() -> impl Strategy<Value = Vec<Vec<bool>>> {
    let values = prop::collection::vec(prop::bool::weighted(0.4), 4);
    prop::collection::vec(
        values.prop_filter("every person has a value", |own| own.contains(&true)),
        1..7,
    )
}

/// Calls `f` with a class of people who have some of four values.
fn with_view<R>(people: &[Vec<bool>], f: impl FnOnce(&ClassView<'_>) -> R) -> R {
    let values = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    let dictionary = Dictionary::from_distinct(values).0;
    let having = |value: usize| people.iter().filter(|own| own[value]).count() as u64;
    let entries: Vec<(u32, u64)> =
        (0..4u32).map(|value| (value, having(value as usize))).filter(|it| it.1 > 0).collect();
    let histograms = [Histogram { entries: &entries, dictionary: &dictionary }];
    f(&ClassView::new(people.len() as u64, &histograms))
}

/// Returns whether a class of people satisfies a principle.
fn holds(requirement: &Requirement, people: &[Vec<bool>]) -> bool {
    let principle = &requirement.principle;
    with_view(people, |view| principle.of_people(view).meets(principle.bounds()))
}

/// Merging classes of different people keeps the principles that declare it. For entropy there is a
/// counterexample (reading H-3).
#[test]
fn merging_preserves_people_principles() {
    let class = |text: &str| -> Vec<Vec<bool>> {
        text.split(' ')
            .map(|own| "abcd".chars().map(|value| own.contains(value)).collect())
            .collect()
    };
    let released = class("a a a ab bc d");
    let mut close = require("t-closeness", Some(0), &[("t", from_ratio(1, 4))]);
    let against = with_view(&released, |released| close.principle.against_people(released));
    close.principle = against.expect("a principle on people").into();
    let all = || {
        [
            require("distinct-l-diversity", Some(0), &[("l", whole(2))]),
            require("frequency-l-diversity", Some(0), &[("l", from_ratio(3, 2))]),
            require("alpha-k-anonymity", Some(0), &[("alpha", from_ratio(2, 3)), ("k", whole(1))]),
            require("recursive-diversity", Some(0), &[("c", whole(2)), ("l", whole(2))]),
            require("recursive-diversity", Some(0), &[("c", whole(3)), ("l", whole(3))]),
            close.clone(),
        ]
    };
    let n_declared = std::cell::Cell::new(0);
    let check = |(first, second): (Vec<Vec<bool>>, Vec<Vec<bool>>)| {
        let union = [first.clone(), second.clone()].concat();
        for requirement in all() {
            prop_assert_eq!(requirement.principle.merging_of_people(), Merging::Keeps);
            if holds(&requirement, &first) && holds(&requirement, &second) {
                n_declared.set(n_declared.get() + 1);
                prop_assert!(holds(&requirement, &union), "{}", requirement.kind);
            }
        }
        Ok(())
    };
    super::runner(3_000).run(&(class_of_people(), class_of_people()), check).unwrap();
    assert!(n_declared.get() > 500, "only {} cases were tested", n_declared.get());
    // In the class of five people, three have a, one has b, and three have c. In the class of six
    // people, four have a, one has b, and one has c.
    let (first, second) = (class("ac ac a b c"), class("a a a a b c"));
    let entropy = require("entropy-l-diversity", Some(0), &[("l", from_ratio(195, 100))]);
    assert_eq!(entropy.principle.merging_of_people(), Merging::MayBreak);
    assert!(holds(&entropy, &first) && holds(&entropy, &second));
    assert!(!holds(&entropy, &[first, second].concat()));
}
