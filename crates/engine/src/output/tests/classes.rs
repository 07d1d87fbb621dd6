//! Classes with separate released values, and tuples whose rows are divided among several classes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indistinct_core::model::CountedColumn;
use indistinct_core::{
    Cell, ClassColumn, Classes, DROPPED, FrequencyTable, Generalization, Part, Policy, Rational,
    Recoding, Release, STAR, SensitiveLabels, Silent, SuppressionRule, certify,
};
use indistinct_diagnostics::platform;
use proptest::prelude::*;

use super::support::{Case, Out, TIGHT, cases, read};
use crate::output::layout::Limits;
use crate::output::rows::write_to;
use crate::output::{ColumnSource, RowOrder, WriteRequest};

const N_CLASSES: usize = 3;

/// A table with the class of each row; rows of class [`N_CLASSES`] are suppressed. The notes number
/// the rows.
#[derive(Debug, Clone)]
struct AssignedCase {
    case: Case,
    place: Vec<usize>,
    published: ClassColumn,
}

fn columns(with_notes: bool) -> Vec<ColumnSource> {
    let mut columns = vec![
        ColumnSource::QuasiIdentifier(0),
        ColumnSource::QuasiIdentifier(1),
        ColumnSource::Sensitive(0),
        ColumnSource::Class,
    ];
    if with_notes {
        columns.push(ColumnSource::Insensitive("note".to_owned()));
    }
    columns
}

fn assigned(with_notes: bool) -> impl Strategy<Value = AssignedCase> {
    let places = prop::collection::vec(0..=N_CLASSES, 60);
    (cases(columns(with_notes)), places, any::<bool>()).prop_map(|(mut case, place, published)| {
        for (at, row) in case.rows.iter_mut().enumerate() {
            row.3 = Some(at as i64);
        }
        let published = if published { ClassColumn::Published } else { ClassColumn::Absent };
        AssignedCase { case, place, published }
    })
}

impl AssignedCase {
    fn rows(&self) -> impl Iterator<Item = (&super::support::Row, usize)> {
        self.case.rows.iter().zip(self.place.iter().copied())
    }

    /// Returns the original values of a quasi-identifier in the rows of a class.
    fn values(&self, class: usize, at: usize) -> BTreeSet<&str> {
        let of_class = self.rows().filter(|(_, place)| *place == class);
        of_class.map(|(row, _)| [&row.0, &row.1][at].as_str()).collect()
    }

    fn recoding(&self, table: &FrequencyTable) -> Recoding {
        let mut counts: BTreeMap<(u32, usize), u64> = BTreeMap::new();
        for (row, class) in self.rows() {
            let raw = [&row.0, &row.1, &row.2];
            let is_same = |tuple: &usize| {
                let mut columns = table.columns().zip(raw);
                columns.all(|(column, raw)| column.dictionary.value(column.codes[*tuple]) == raw)
            };
            let tuple = (0..table.n_tuples()).find(is_same).expect("every row was counted");
            *counts.entry((tuple as u32, class)).or_default() += 1;
        }
        let cell = |class: usize, at: usize| {
            let dictionary = &table.quasi_identifiers()[at].dictionary;
            let code = |value: &str| dictionary.code_of(value).expect("it occurs");
            let mut codes: Vec<u32> = self.values(class, at).into_iter().map(code).collect();
            codes.sort_unstable();
            match codes.is_empty() {
                true => Cell::Label { level: 2, label: 0 },
                false => Cell::Set(codes),
            }
        };
        let part = |(&(tuple, _), &rows): (&(u32, usize), &u64)| Part { tuple, rows };
        Recoding {
            generalization: Generalization::Classes(Classes {
                parts: Some(counts.iter().map(part).collect()),
                class_of: counts.keys().map(|(_, class)| *class as u32).collect(),
                cells: (0..N_CLASSES).map(|class| vec![cell(class, 0), cell(class, 1)]).collect(),
                highest: None,
            }),
            suppressed: counts.keys().map(|(_, class)| *class == N_CLASSES).collect(),
            sensitive: None,
        }
    }

    fn write(&self, threads: usize, limits: Limits, values: Option<&str>) -> Out {
        let table = self.case.table();
        let policy = Policy {
            hierarchies: Case::hierarchies(&table),
            requirements: Vec::new(),
            suppression_limit: Rational::from_integer(1),
            suppressed: self.case.suppressed,
            published: self.published,
        };
        let mut recoding = self.recoding(&table);
        recoding.sensitive = values.map(|label| SensitiveLabels {
            attribute: 0,
            labels: vec![label.to_owned()],
            of: vec![0; recoding.suppressed.len()],
        });
        let release = certify(&table, &policy, &recoding)
            .expect("a policy without requirements is satisfied");
        let scratch = tempfile::tempdir().expect("a temporary folder can be created");
        let private = tempfile::tempdir().expect("a temporary folder can be created");
        let mapping = private.path().join("rows.csv");
        let request = WriteRequest {
            release: &release,
            columns: self.case.output_columns(),
            format: self.case.format,
            order: self.case.order,
            threads,
            scratch: scratch.path(),
            mapping: Some(&mapping),
        };
        let source = self.case.source();
        let written =
            write_to(Path::new("d"), &request, Some(&source), &Silent, limits, Vec::new());
        let (bytes, written) = written.expect("the release can be written");
        let left = std::fs::read_dir(scratch.path()).expect("the folder still exists").count();
        assert_eq!(left, 0, "no temporary files remain");
        let out = read(self.case.format, bytes, written);
        self.check_mapping(&release, &mapping, &out);
        out
    }

    /// Applies the mapping to the input rows and checks that the result equals the released rows
    /// and the parts of the recoding.
    fn check_mapping(&self, release: &Release<'_>, path: &Path, out: &Out) {
        let found = std::fs::metadata(path).expect("the mapping was written");
        assert!(!platform::is_open_to_others(path, &found).expect("the access was read"));
        let text = std::fs::read_to_string(path).expect("the mapping was written");
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().expect("a header");
        let lines: Vec<Vec<&str>> = lines.collect();
        assert_eq!(header[..2], ["row", "class"]);
        assert_eq!(lines.len(), self.case.rows.len());
        let (partition, table) = (release.partition(), release.counted());
        let mut mapped: BTreeMap<(Vec<String>, Option<u32>), u64> = BTreeMap::new();
        let mut rows = Vec::new();
        for ((row, line), at) in self.case.rows.iter().zip(&lines).zip(1..) {
            assert_eq!((line[0], line.len()), (at.to_string().as_str(), header.len()));
            let class = line[1].parse::<u32>().ok().map(|class| class - 1);
            let raw = vec![row.0.clone(), row.1.clone(), row.2.clone()];
            *mapped.entry((raw, class)).or_default() += 1;
            let Some(class) = class else { continue };
            let labels = partition.classes.get(class).labels;
            let cell = |source: &ColumnSource| match source {
                ColumnSource::QuasiIdentifier(at) => {
                    partition.labels[*at][labels[*at] as usize].clone()
                }
                ColumnSource::Sensitive(_) => line.get(2).unwrap_or(&row.2.as_str()).to_string(),
                ColumnSource::Insensitive(_) => row.3.expect("the row has a number").to_string(),
                ColumnSource::Class | ColumnSource::GivenClass(_) => "?".to_owned(),
            };
            rows.push(self.case.columns.iter().map(cell).collect());
        }
        assert_eq!(self.case.multiset(&rows), self.case.multiset(&out.rows));
        let mut parts: BTreeMap<(Vec<String>, Option<u32>), u64> = BTreeMap::new();
        for (part, &class) in release.parts().expect("parts").iter().zip(&partition.class_of) {
            let value = |column: &CountedColumn| {
                column.dictionary.value(column.codes[part.tuple as usize]).to_owned()
            };
            let class = Some(class).filter(|class| *class != DROPPED);
            *parts.entry((table.columns().map(value).collect(), class)).or_default() += part.rows;
        }
        assert_eq!(mapped, parts);
    }

    /// Returns the released string of a quasi-identifier of a class; `None` represents the class of
    /// suppressed rows.
    fn text(&self, class: Option<usize>, at: usize) -> String {
        let Some(class) = class else { return STAR.to_owned() };
        let table = self.case.table();
        let values = self.values(class, at);
        let order = table.quasi_identifiers()[at].dictionary.values().iter();
        let values: Vec<&String> = order.filter(|value| values.contains(value.as_str())).collect();
        if values.len() == 1 {
            return values[0].clone();
        }
        let escaped = values.iter().map(|value| value.replace(',', "\\,"));
        format!("{{{}}}", escaped.collect::<Vec<_>>().join(", "))
    }

    /// Returns the age, city, sensitive value, and class of each released row, for any order of
    /// columns; `None` represents suppressed rows.
    fn expected(&self) -> Vec<(String, String, String, Option<usize>)> {
        let mut rows = Vec::new();
        for (row, class) in self.rows() {
            let class = Some(class).filter(|class| *class < N_CLASSES);
            if class.is_none() && self.case.suppressed == SuppressionRule::Dropped {
                continue;
            }
            rows.push((self.text(class, 0), self.text(class, 1), row.2.clone(), class));
        }
        rows
    }

    fn cell<'a>(&self, row: &'a [String], source: &ColumnSource) -> &'a str {
        let at = self.case.columns.iter().position(|column| column == source);
        &row[at.expect("the column is released")]
    }

    fn counted(&self, row: &[String]) -> (String, String, String, String) {
        let cell = |source| self.cell(row, &source).to_owned();
        (
            cell(ColumnSource::QuasiIdentifier(0)),
            cell(ColumnSource::QuasiIdentifier(1)),
            cell(ColumnSource::Sensitive(0)),
            cell(ColumnSource::Class),
        )
    }
}

/// Groups the rows of a release by class, in ascending order, and discards the class keys.
fn by_class<K: Ord, R: Ord>(rows: impl Iterator<Item = (K, R)>) -> Vec<Vec<R>> {
    let mut classes: BTreeMap<K, Vec<R>> = BTreeMap::new();
    for (class, row) in rows {
        classes.entry(class).or_default().push(row);
    }
    let mut classes: Vec<Vec<R>> = classes.into_values().collect();
    classes.iter_mut().for_each(|rows| rows.sort());
    classes.sort();
    classes
}

fn check_counted(assigned: &AssignedCase, out: &Out) -> Result<(), TestCaseError> {
    let expected = by_class(assigned.expected().into_iter().map(|(age, city, value, class)| {
        // Without a class column, classes with equal strings cannot be distinguished.
        let class = if assigned.published == ClassColumn::Published { class } else { None };
        ((age.clone(), city.clone(), class), (age, city, value))
    }));
    let rows = out.rows.iter().map(|row| assigned.counted(row));
    let got = by_class(rows.map(|(age, city, value, class)| (class, (age, city, value))));
    prop_assert_eq!(got, expected);
    prop_assert_eq!(out.written.n_rows, out.rows.len() as u64);
    if assigned.case.order == RowOrder::Sorted {
        assigned.case.check_sorted(&out.rows);
    }
    let numbers: BTreeSet<u64> =
        out.rows.iter().map(|row| assigned.counted(row).3.parse().expect("a number")).collect();
    prop_assert!(numbers.iter().copied().eq(1..=numbers.len() as u64));
    Ok(())
}

proptest! {
    #[test]
    fn file_contains_released_rows(assigned in assigned(false)) {
        let out = assigned.write(2, Limits::default(), None);
        check_counted(&assigned, &out)?;
        let again = assigned.write(1, TIGHT, None);
        prop_assert!(out.bytes == again.bytes);
    }

    /// Every row is written once, with cells that cover its values.
    #[test]
    fn uncounted_columns_stay_with_rows(assigned in assigned(true)) {
        for limits in [Limits::default(), TIGHT] {
            let out = assigned.write(2, limits, None);
            check_counted(&assigned, &out)?;
            let mut visited = BTreeSet::new();
            for row in &out.rows {
                let note = assigned.cell(row, &ColumnSource::Insensitive("note".to_owned()));
                let at: usize = note.parse().expect("the note is a row number");
                let raw = &assigned.case.rows[at];
                prop_assert!(visited.insert(note));
                let (age, city, value, _) = assigned.counted(row);
                prop_assert_eq!(&value, &raw.2);
                let could_be = (0..=N_CLASSES).any(|class| {
                    let class = Some(class).filter(|class| *class < N_CLASSES);
                    let covers = class.is_none_or(|class| {
                        assigned.values(class, 0).contains(raw.0.as_str())
                            && assigned.values(class, 1).contains(raw.1.as_str())
                    });
                    covers && assigned.text(class, 0) == age && assigned.text(class, 1) == city
                });
                prop_assert!(could_be, "{:?} {:?}", row, raw);
            }
        }
    }

    #[test]
    fn thread_count_does_not_change_bytes(assigned in assigned(true)) {
        prop_assert!(assigned.write(1, TIGHT, None).bytes == assigned.write(2, TIGHT, None).bytes);
    }

    /// A sorted release depends on the rows, but not on their order in the input. Classes with
    /// equal rows may be exchanged, which does not change the output.
    #[test]
    fn input_order_does_not_change_sorted_release(mut assigned in assigned(true)) {
        assigned.case.order = RowOrder::Sorted;
        assigned.published = ClassColumn::Absent;
        let one = assigned.write(1, Limits::default(), None);
        assigned.case.rows.reverse();
        let n_rows = assigned.case.rows.len();
        assigned.place[..n_rows].reverse();
        let two = assigned.write(2, TIGHT, None);
        prop_assert!(one.bytes == two.bytes);
    }

    /// A sorted release does not depend on the class numbers of a search, even for classes that
    /// only the class column distinguishes.
    #[test]
    fn search_class_numbers_are_not_released(mut assigned in assigned(false)) {
        assigned.case.order = RowOrder::Sorted;
        assigned.published = ClassColumn::Published;
        // All rows have the same quasi-identifiers, so the labels are equal.
        for row in &mut assigned.case.rows {
            (row.0, row.1) = ("7".to_owned(), "x".to_owned());
        }
        let one = assigned.write(1, Limits::default(), None);
        for place in assigned.place.iter_mut().filter(|place| **place < N_CLASSES) {
            *place = (*place + 1) % N_CLASSES;
        }
        let two = assigned.write(1, Limits::default(), None);
        prop_assert!(one.bytes == two.bytes);
    }

    /// The second pass finds rows by their original sensitive values, and writes the released
    /// values.
    #[test]
    fn sensitive_values_are_released_as_generalized(assigned in assigned(true)) {
        let out = assigned.write(2, TIGHT, Some(STAR));
        for row in &out.rows {
            prop_assert_eq!(assigned.cell(row, &ColumnSource::Sensitive(0)), STAR);
        }
        let n_retained = assigned.rows().filter(|(_, class)| *class < N_CLASSES).count();
        let n_released = match assigned.case.suppressed {
            SuppressionRule::Dropped => n_retained,
            SuppressionRule::Starred | SuppressionRule::Cells => assigned.case.rows.len(),
        };
        prop_assert_eq!(out.rows.len(), n_released);
    }
}

/// Many rows of one tuple belong to two classes: their assignment depends on the key, but not on
/// the notes or the order of the input.
#[test]
fn rows_are_assigned_to_classes_at_random() {
    let n = 4000;
    let case = |order| Case {
        rows: (0..n)
            .map(|at| {
                let age = if at < 2 { "9" } else { "7" };
                (age.to_owned(), "x".to_owned(), "flu".to_owned(), Some(at as i64))
            })
            .collect(),
        levels: vec![0, 0],
        suppress: vec![],
        suppressed: SuppressionRule::Dropped,
        columns: columns(true),
        format: crate::output::OutputFormat::Parquet,
        order,
    };
    let first_half = |order| {
        let place = (0..n).map(|at| usize::from(at >= n / 2)).collect();
        let assigned = AssignedCase { case: case(order), place, published: ClassColumn::Absent };
        let out = assigned.write(2, Limits::default(), None);
        let rows = out.rows.iter().filter(|row| row[0] == "{7, 9}");
        rows.map(|row| row[4].parse().unwrap()).collect::<BTreeSet<usize>>()
    };
    let key = |key| RowOrder::Shuffled { key: [key; 32] };
    let chosen = [RowOrder::Sorted, key(1), key(2)].map(first_half);
    for (at, notes) in chosen.iter().enumerate() {
        assert_eq!(notes.len(), n / 2);
        let low = notes.iter().filter(|note| **note < n / 2).count();
        assert!(low.abs_diff(n / 4) < n / 20, "{low}");
        assert!(chosen[..at].iter().all(|other| other != notes), "each key chooses other rows");
    }
    assert_eq!(first_half(key(1)), chosen[1]);
}
