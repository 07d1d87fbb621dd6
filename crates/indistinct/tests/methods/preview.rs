//! The preview of the rows shows the rows that a release publishes.

use indistinct::rows::{self, RowsRecoding, Selection};

use super::*;

/// Returns the released rows of a preview, one for each row of the table.
fn previewed(rows: &rows::Rows) -> BTreeMap<Vec<String>, u64> {
    let selected = rows.select(Selection { only_released: true, ..Selection::default() });
    let mut released = BTreeMap::new();
    for group in rows.groups(&selected, 0..selected.len()) {
        let values = group.cells.iter().map(|cell| cell.released.expect("released").to_owned());
        *released.entry(values.collect()).or_default() += group.n_rows;
    }
    released
}

#[test]
fn preview_shows_released_rows() {
    each(false, |name, scene, directory, released| {
        let text = std::fs::read_to_string(private_of(released).join("policy.toml"))
            .expect("the policy of the data holder");
        let rows = opened(rows::preview(&scene.job(&text)));
        let (header, written) = read_table(&directory.join("data.csv"));
        let at = |column: &rows::Column| {
            header.iter().position(|own| *own == column.name).expect("a released column")
        };
        let order: Vec<usize> = rows.columns.iter().map(at).collect();
        let mut published: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        for row in &written {
            let values = order.iter().map(|&at| row[at].clone()).collect();
            *published.entry(values).or_default() += 1;
        }
        assert_eq!(previewed(&rows), published, "{name}");

        let RowsRecoding::Found { n_suppressed, .. } = rows.recoding else {
            panic!("{name}: no recoding")
        };
        assert_eq!(n_suppressed, released.n_suppressed, "{name}");
        let all = rows.select(Selection::default());
        let original = |group: rows::Group<'_>| {
            let values = group.cells.iter().map(|cell| cell.original.to_owned()).collect();
            (values, group.n_rows)
        };
        let mut before: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        for (values, n_rows) in rows.groups(&all, 0..all.len()).map(original) {
            *before.entry(values).or_default() += n_rows;
        }
        let (_, table) = read_table(&scene.path("table.csv"));
        let mut expected: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        table.into_iter().for_each(|row| *expected.entry(row).or_default() += 1);
        assert_eq!(before, expected, "{name}");
    });
}

#[test]
fn rows_are_sorted_and_selected_by_class() {
    let scene = scene(false);
    let job = scene.job(&policy(&[K, L], "method = \"multidimensional\"", "", ""));
    let rows = opened(rows::preview(&job));
    let age = rows.columns.iter().position(|column| column.name == "age").expect("a column");
    for is_descending in [false, true] {
        let sorted = Selection { column: Some(age), is_descending, ..Selection::default() };
        let selected = rows.select(sorted);
        let ages: Vec<u32> = rows
            .groups(&selected, 0..usize::MAX)
            .map(|group| group.cells[age].original.parse().expect("a number"))
            .collect();
        assert!(ages.is_sorted_by(|a, b| if is_descending { a >= b } else { a <= b }));
        assert!(ages.len() > 100);
    }
    let selected = rows.select(Selection { class: Some(1), ..Selection::default() });
    let groups: Vec<_> = rows.groups(&selected, 0..selected.len()).collect();
    let n_rows: u64 = groups.iter().map(|group| group.n_rows).sum();
    assert!(n_rows >= 4 && groups.iter().all(|group| group.class == Some((1, n_rows))));
    assert_eq!(rows.groups(&selected, 5_000..5_100).count(), 0);

    let original = opened(rows::original(&job));
    let selected = original.select(Selection { only_released: true, ..Selection::default() });
    let all: u64 = original.groups(&selected, 0..selected.len()).map(|group| group.n_rows).sum();
    assert_eq!(all, 400);
}

#[test]
fn two_tables_and_missing_recodings_show_original_rows() {
    let scene = scene(false);
    let l = "[[principles]]\nkind = \"distinct-l-diversity\"\nattribute = \"disease\"\nl = 2\n";
    let text = policy(&[l], "method = \"anatomy\"", "", "").replace(
        "[attributes.income]\nrole = \"sensitive\"",
        "[attributes.income]\nrole = \"insensitive\"",
    );
    let two = opened(rows::preview(&scene.job(&text)));
    assert!(matches!(two.recoding, RowsRecoding::TwoTables));
    let k = "[[principles]]\nkind = \"k-anonymity\"\nk = 401\n";
    let job = scene.job(&policy(&[k], "method = \"full-domain\"", "", ""));
    let none = opened(rows::preview(&job));
    assert!(matches!(none.recoding, RowsRecoding::NotFound(_)));
    let selected = none.select(Selection::default());
    assert!(none.groups(&selected, 0..10).all(|group| group.class.is_none()));
}
