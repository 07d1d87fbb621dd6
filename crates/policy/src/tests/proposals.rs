//! Proposed policies.

use indistinct_core::Role;
use proptest::prelude::*;

use super::super::*;

fn column(name: &str, n_distinct: u64) -> ColumnProfile {
    ColumnProfile {
        name: name.to_owned(),
        n_rows: 5000,
        n_distinct,
        n_missing: 0,
        numeric: None,
        dates: false,
        same_length_codes: false,
    }
}

fn settings() -> InputSettings {
    InputSettings { path: "hospital.csv".to_owned(), ..InputSettings::default() }
}

fn hospital() -> Vec<ColumnProfile> {
    vec![
        column("name", 4800),
        ColumnProfile { numeric: Some((17.0, 93.0, true)), ..column("age", 77) },
        column("sex", 2),
        ColumnProfile {
            numeric: Some((10_115.0, 99_998.0, true)),
            same_length_codes: true,
            ..column("zip", 400)
        },
        column("nationality", 30),
        ColumnProfile { dates: true, ..column("admission", 731) },
        column("diagnosis", 22),
        ColumnProfile { numeric: Some((113.37, 98_765.43, false)), ..column("cost", 4990) },
        column("mystery", 12),
    ]
}

#[test]
fn a_hospital_table_gets_a_sensible_policy() {
    let text = propose(&settings(), &hospital());
    insta::assert_snapshot!(text);
    let policy = super::parse(&text);
    assert!(policy.warnings().is_empty(), "{}", policy.warnings());
    let roles: Vec<Role> = policy.attributes.iter().map(|it| it.role).collect();
    use Role::{Identifier as I, QuasiIdentifier as Q, Sensitive as S};
    assert_eq!(roles, [I, Q, Q, Q, Q, Q, S, S, Q]);
}

#[test]
fn no_cell_is_written() {
    let text = propose(&settings(), &hospital());
    for cell in ["17", "93", "10115", "99998", "113.37", "98765.43"] {
        assert!(!text.contains(cell), "{cell} is a cell of the table");
    }
}

#[test]
fn a_table_of_identifiers_still_gets_a_policy() {
    let columns = [column("name", 5000), column("ssn", 5000)];
    let policy = super::parse(&propose(&settings(), &columns));
    assert_eq!(policy.attributes_of(Role::QuasiIdentifier).count(), 1);
}

#[test]
fn settings_of_the_input_are_kept() {
    let input = InputSettings {
        path: "a \"b\".csv".to_owned(),
        delimiter: Some(b'\t'),
        null_values: vec!["?".to_owned(), "n/a".to_owned()],
        ..InputSettings::default()
    };
    let policy = super::parse(&propose(&input, &hospital()));
    assert_eq!(policy.input.path, Some(input.path));
    assert_eq!(policy.input.delimiter, input.delimiter);
    assert_eq!(policy.input.null_values, input.null_values);
}

fn profile() -> impl Strategy<Value = ColumnProfile> {
    let name = prop_oneof![
        "[a-z]{1,8}",
        ".{0,6}",
        prop::sample::select(vec![
            "age",
            "zip",
            "name",
            "salary",
            "diagnosis",
            "birth date",
            "id",
            "a.b"
        ])
        .prop_map(str::to_owned),
    ];
    let number = prop::option::of((any::<f64>(), any::<f64>(), any::<bool>()));
    let small = prop::option::of((-1e6..1e6f64, 0.0..1e6f64, any::<bool>()))
        .prop_map(|range| range.map(|(low, width, whole)| (low, low + width, whole)));
    (name, 0..10_000u64, 0..10_000u64, 0..10_000u64, prop_oneof![number, small], any::<[bool; 2]>())
        .prop_map(|(name, n_rows, n_distinct, n_missing, numeric, [dates, same_length_codes])| {
            ColumnProfile { name, n_rows, n_distinct, n_missing, numeric, dates, same_length_codes }
        })
}

proptest! {
    #[test]
    fn every_proposal_is_a_policy_for_its_table(columns in prop::collection::vec(profile(), 1..8)) {
        let text = propose(&settings(), &columns);
        let policy = PolicyFile::parse(&text, "p")
            .map_err(|errors| TestCaseError::fail(format!("{errors}\n{text}")))?;
        prop_assert!(policy.warnings().is_empty(), "{}", policy.warnings());
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        prop_assert_eq!(policy.bind(&names), Ok(()));
        prop_assert_eq!(policy.attributes_of(Role::Insensitive).count(), 0);
    }
}
