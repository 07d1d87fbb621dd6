//! Tests tables with several rows per person, with results computed by hand.

mod support;

use std::sync::Arc;

use indistinct_attack::{Figures, Finding, implications, overlap, several_rows};
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::{CountedUnit, Hierarchy, People, RowsOfPerson, Silent};
use support::{Row, pair, requirement, row, tuples};

/// Returns a release of rows with a person, an original age, a disease, and a released age, which
/// is empty if the row was dropped.
fn of_people(rows: &[(u32, &str, &str, &str)]) -> ReleaseWithOriginal {
    let original: Vec<Row> = rows.iter().map(|it| row(&[it.1, it.2])).collect();
    let became = |it: &(u32, &str, &str, &str)| match it.3 {
        "" => Row::new(),
        age => row(&[age, it.2]),
    };
    let released: Vec<Row> = rows.iter().map(became).collect();
    let mut pair = pair(&["age", "disease"], 1, &original, &released, Hierarchy::flat);
    let of = tuples(&pair.original, &original).into_iter().zip(rows.iter().map(|it| it.0));
    let people = People::new(&pair.original, of.collect(), RowsOfPerson::Independent);
    pair.people = Some(Arc::new(people.expect("the people cover all rows of the table")));
    pair
}

/// One class of eight rows, including six rows of person 1, and one class of eight rows of four
/// people with two rows each.
const VISITS: &[(u32, &str, &str, &str)] = &[
    (1, "40", "flu", "40"),
    (1, "40", "ulcer", "40"),
    (1, "40", "gout", "40"),
    (1, "40", "asthma", "40"),
    (1, "40", "cold", "40"),
    (1, "40", "hiv", "40"),
    (2, "40", "flu", "40"),
    (3, "40", "gout", "40"),
    (4, "50", "ulcer", "50"),
    (4, "50", "gout", "50"),
    (5, "50", "gout", "50"),
    (5, "50", "asthma", "50"),
    (6, "50", "asthma", "50"),
    (6, "50", "cold", "50"),
    (7, "50", "cold", "50"),
    (7, "50", "hiv", "50"),
];

#[test]
fn class_of_eight_rows_contains_three_people() {
    let pair = of_people(VISITS);
    let found = several_rows::attack(&pair, &Silent).expect("the people of the rows are known");
    assert_eq!((found.n_people, found.fewest_people), (7, 3));
    assert_eq!(found.largest_share, 0.75);
    assert!((found.marketer - (8.0 / 3.0 + 8.0 / 4.0) / 16.0).abs() < 1e-12);
    // Two of three people have the flu; counted by rows, no value exceeds a quarter of a class.
    let values = &found.values[0];
    assert!((values.largest_share - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!(values.n_people_certain, 0);
}

#[test]
fn dropped_rows_are_not_attributed_to_people() {
    let mut rows = VISITS.to_vec();
    rows.iter_mut().filter(|it| it.1 == "40").for_each(|it| it.3 = "");
    let found = several_rows::attack(&of_people(&rows), &Silent).expect("half of the rows remain");
    assert_eq!((found.n_people, found.fewest_people, found.largest_share), (4, 4, 0.25));
    rows.iter_mut().for_each(|it| it.3 = "");
    assert_eq!(several_rows::attack(&of_people(&rows), &Silent), None);
}

#[test]
fn value_shared_by_whole_class_is_certain() {
    let rows = [1, 2].map(|person| ["flu", "gout"].map(|disease| (person, "40", disease, "40")));
    let found = several_rows::attack(&of_people(rows.as_flattened()), &Silent).expect("rows");
    assert_eq!((found.values[0].largest_share, found.values[0].n_people_certain), (1.0, 2));
}

/// {p: flu, q: ulcer} and {p: ulcer, q: flu}: no value is certain in either class, but in their
/// union everyone has both values (reading H-2).
#[test]
fn people_diversity_is_evaluated_on_class_unions() {
    let pair = of_people(&[
        (1, "2", "flu", "2"),
        (2, "2", "ulcer", "2"),
        (1, "3", "ulcer", "[2, 3]"),
        (2, "3", "flu", "[2, 3]"),
    ]);
    let rows = &pair.published.rows;
    let requirements = [
        requirement(rows, "frequency-l-diversity", &[("l", 2, 1)], &[]),
        requirement(rows, "k-anonymity", &[("k", 2, 1)], &[]),
        requirement(rows, "t-closeness", &[("t", 1, 4)], &[]),
    ];
    let found = overlap::attack(&pair, &requirements, &Silent);
    // Merging preserves the principles for rows. A person of age 2 fits both classes. For
    // t-closeness, everyone has both values, as in the union.
    let failing: Vec<_> =
        found.principles.iter().map(|it| (it.kind, it.counts, it.n_rows_failing)).collect();
    let people = CountedUnit::People;
    let expected = [("frequency-l-diversity", 2), ("k-anonymity", 0), ("t-closeness", 0)];
    assert_eq!(failing, expected.map(|(kind, n_rows)| (kind, people, n_rows)));
    assert!(!found.is_people_unknown);

    // No claims about people are made if the owners of the rows are unknown.
    let unknown = ReleaseWithOriginal { links: None, ..pair };
    let found = overlap::attack(&unknown, &requirements, &Silent);
    assert!(found.principles.is_empty());
    assert!(found.is_people_unknown);
}

#[test]
fn findings_state_if_rows_are_taken_for_people() {
    let found = implications::attack(&of_people(VISITS).published, 0, &Silent);
    let finding = Finding::new(Some("disease"), Figures::Implications(found));
    assert!(!finding.takes_rows_for_people);
    assert!(finding.where_people_have_several_rows().takes_rows_for_people);
}
