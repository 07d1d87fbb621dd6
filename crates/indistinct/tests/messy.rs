//! Tests of raw tables: codes for missing values and the owners of rows are detected before there
//! is a policy.

use indistinct::columns::look;
use indistinct::init::propose;
use indistinct::{InputSpec, Session, Values};

/// Writes a table to a file and calls `ask` with its input settings.
fn of<T>(text: &str, ask: impl FnOnce(&InputSpec) -> T) -> T {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.csv");
    std::fs::write(&path, text).expect("written");
    ask(&InputSpec { path, ..InputSpec::default() })
}

fn missing(text: &str) -> Vec<u64> {
    let profile = of(text, |spec| look(&Session::default(), spec, Values::Shown)).expect("read");
    profile.columns.iter().map(|it| it.n_missing).collect()
}

/// Returns a table with two numeric columns and one column with decimal commas and a marker.
fn table(size: impl Fn(usize) -> i64, other: impl Fn(usize) -> i64) -> String {
    let row = |n: usize| {
        let cost = match n % 20 {
            0 => "-9".to_owned(),
            _ => format!("{},{}", 10 + n, n % 90),
        };
        format!("{};{};{cost}\n", size(n), other(n))
    };
    format!("size;other;cost\n{}", (0..200).map(row).collect::<String>())
}

/// A marker such as -9 is not a value of a column with other numbers, unless the column has numbers
/// on both sides of the marker.
#[test]
fn missing_value_markers_are_detected() {
    let plain = |n: usize| 150 + n as i64 % 40;
    let marked = |n: usize| if n.is_multiple_of(10) { -9 } else { plain(n) };
    let days = |n: usize| 1 + n as i64 % 30;
    assert_eq!(missing(&table(marked, days)), [20, 0, 10]);
    // Only the costs reveal the marker, after they are parsed as numbers.
    assert_eq!(missing(&table(plain, days)), [0, 0, 10]);
    // Few values are sufficient if the marker is far from them.
    let children = |n: usize| if n.is_multiple_of(10) { -9 } else { n as i64 % 4 };
    assert_eq!(missing(&table(marked, children)), [20, 20, 10]);
    // For temperatures below zero, -9 may be a value; this has no effect on other columns.
    assert_eq!(missing(&table(marked, |n| n as i64 % 50 - 20)), [20, 0, 10]);
}

#[test]
fn household_identifier_is_not_person_identifier() {
    let proposed = |name: &str| {
        let row =
            |n: usize| format!("{},{},{}\n", 7000 + n / 2, 20 + n * 7 % 60, ["x", "y"][n % 2]);
        let text = format!("{name},age,state\n{}", (0..400).map(row).collect::<String>());
        of(&text, |spec| propose(&Session::default(), spec, None)).expect("proposed").policy
    };
    let (household, person) = (proposed("household id"), proposed("person id"));
    assert!(household.contains("household = \"household id\""), "{household}");
    assert!(person.contains("id = \"person id\""), "{person}");
}
