//! Releases with two tables that are joined only by class numbers.

use indistinct_diagnostics::Coded;
use std::collections::BTreeMap;
use std::path::Path;

use arrow_schema::DataType;
use indistinct_core::{
    Anatomy, AnatomyRelease, ClassColumn, FrequencyTable, Part, Policy, Rational, Silent,
    SuppressionRule, TwoTables, certify_anatomy,
};
use proptest::prelude::*;

use super::support::{Case, Out, Row, TIGHT, cases, read};
use crate::output::OutputError;
use crate::output::anatomy::write_to;
use crate::output::layout::Limits;
use crate::output::{AnatomyRequest, ColumnSource, OutputFormat, RowOrder, write_anatomy};
use crate::{CountRequest, EmbeddedEngine, Engine, EngineError, Input, InputSpec};

const N_CLASSES: usize = 4;

/// A table with the class of each row; rows of class [`N_CLASSES`] are suppressed. The notes number
/// the rows.
#[derive(Debug, Clone)]
struct Separated {
    case: Case,
    place: Vec<usize>,
    key: [u8; 32],
}

fn columns(with_notes: bool) -> Vec<ColumnSource> {
    let mut columns = vec![
        ColumnSource::QuasiIdentifier(0),
        ColumnSource::QuasiIdentifier(1),
        ColumnSource::Class,
    ];
    if with_notes {
        columns.push(ColumnSource::Insensitive("note".to_owned()));
    }
    columns
}

fn separated(with_notes: bool) -> impl Strategy<Value = Separated> {
    let places = prop::collection::vec(0..=N_CLASSES, 60);
    (cases(columns(with_notes)), places, any::<u8>()).prop_map(|(mut case, place, key)| {
        for (at, row) in case.rows.iter_mut().enumerate() {
            row.3 = Some(at as i64);
        }
        Separated { case, place, key: [key; 32] }
    })
}

/// Sorted quasi-identifiers and sorted sensitive values of a class, with repetitions.
type Content = (Vec<(String, String)>, Vec<String>);

impl Separated {
    fn rows(&self) -> impl Iterator<Item = (&Row, usize)> {
        self.case.rows.iter().zip(self.place.iter().copied())
    }

    fn released(&self) -> impl Iterator<Item = (&Row, usize)> {
        self.rows().filter(|(_, class)| *class < N_CLASSES)
    }

    fn recoding(&self, table: &FrequencyTable) -> Anatomy {
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
        let part = |(&(tuple, _), &rows): (&(u32, usize), &u64)| Part { tuple, rows };
        Anatomy {
            parts: Some(counts.iter().map(part).collect()),
            class_of: counts.keys().map(|(_, class)| *class as u32).collect(),
            suppressed: counts.keys().map(|(_, class)| *class == N_CLASSES).collect(),
        }
    }

    fn request<'a>(
        &self,
        release: &'a AnatomyRelease<'a>,
        threads: usize,
        scratch: &'a Path,
    ) -> AnatomyRequest<'a> {
        AnatomyRequest {
            release,
            columns: self.case.output_columns(),
            sensitive_type: DataType::Utf8,
            format: self.case.format,
            order: self.case.order,
            key: self.key,
            threads,
            scratch,
            mapping: None,
        }
    }

    /// Calls `f` with the release.
    fn with_release<R>(&self, f: impl FnOnce(&AnatomyRelease<'_>) -> R) -> R {
        let table = self.case.table();
        let policy = Policy {
            hierarchies: Vec::new(),
            requirements: Vec::new(),
            suppression_limit: Rational::from_integer(1),
            suppressed: SuppressionRule::Dropped,
            published: ClassColumn::Absent,
        };
        let recoding = self.recoding(&table);
        f(&certify_anatomy(&table, &policy, &recoding)
            .expect("a policy without requirements is satisfied"))
    }

    fn write(&self, threads: usize, limits: Limits) -> (Out, Out) {
        self.with_release(|release| {
            let scratch = tempfile::tempdir().expect("a temporary folder can be created");
            let request = self.request(release, threads, scratch.path());
            let source = self.case.source();
            let paths = [Path::new("q"), Path::new("s")];
            let files = (paths, Vec::new(), Vec::new());
            let written = write_to(files, &request, Some(&source), &Silent, limits);
            let (rows, lines, written) = written.expect("the release can be written");
            let left = std::fs::read_dir(scratch.path()).expect("the folder still exists").count();
            assert_eq!(left, 0, "no temporary files remain");
            let format = self.case.format;
            (read(format, rows, written.quasi_identifiers), read(format, lines, written.sensitive))
        })
    }

    fn cell<'a>(&self, row: &'a [String], source: &ColumnSource) -> &'a str {
        let at = self.case.columns.iter().position(|column| column == source);
        &row[at.expect("the column is released")]
    }

    fn class(&self, row: &[String]) -> usize {
        self.cell(row, &ColumnSource::Class).parse().expect("a number")
    }

    fn person(&self, row: &[String]) -> (String, String) {
        let cell = |at| self.cell(row, &ColumnSource::QuasiIdentifier(at)).to_owned();
        (cell(0), cell(1))
    }

    /// Returns the content of each class in the order of the released numbers.
    fn contents(&self, rows: &Out, lines: &Out) -> Vec<Content> {
        let mut contents: BTreeMap<usize, Content> = BTreeMap::new();
        for row in &rows.rows {
            contents.entry(self.class(row)).or_default().0.push(self.person(row));
        }
        for line in &lines.rows {
            let class = contents.get_mut(&line[0].parse().expect("a number"));
            let n: usize = line[2].parse().expect("a count");
            assert!(n > 0);
            let values = std::iter::repeat_n(line[1].clone(), n);
            class.expect("the class has rows").1.extend(values);
        }
        let mut pairs: Vec<_> = lines.rows.iter().map(|line| &line[..2]).collect();
        pairs.sort();
        assert!(
            pairs.windows(2).all(|pair| pair[0] != pair[1]),
            "each value of a class has one line"
        );
        assert!(
            contents.keys().copied().eq(1..=contents.len()),
            "the class numbers are consecutive"
        );
        contents.into_values().map(sorted).collect()
    }

    fn expected(&self) -> Vec<Content> {
        let mut contents: BTreeMap<usize, Content> = BTreeMap::new();
        for (row, class) in self.released() {
            let (people, values) = contents.entry(class).or_default();
            people.push((row.0.clone(), row.1.clone()));
            values.push(row.2.clone());
        }
        contents.into_values().map(sorted).collect()
    }
}

fn sorted((mut people, mut values): Content) -> Content {
    people.sort();
    values.sort();
    (people, values)
}

fn multiset(mut contents: Vec<Content>) -> Vec<Content> {
    contents.sort();
    contents
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn anatomy_tables_contain_release_classes(separated in separated(false)) {
        let (rows, lines) = separated.write(2, Limits::default());
        prop_assert_eq!(&lines.header, &["class", "value", "count"]);
        let contents = separated.contents(&rows, &lines);
        prop_assert_eq!(multiset(contents), multiset(separated.expected()));
        prop_assert_eq!(rows.written.n_rows, separated.released().count() as u64);
        prop_assert_eq!(lines.written.n_rows, lines.rows.len() as u64);
        if separated.case.order == RowOrder::Sorted {
            separated.case.check_sorted(&rows.rows);
        }
    }

    /// Every note remains with the quasi-identifiers of its row, and belongs to the class of a row
    /// with the same sensitive value.
    #[test]
    fn uncounted_columns_stay_with_rows(separated in separated(true)) {
        let (rows, lines) = separated.write(2, TIGHT);
        let contents = separated.contents(&rows, &lines);
        let note = ColumnSource::Insensitive("note".to_owned());
        let mut classes: BTreeMap<(&str, &str, &str), Vec<&Content>> = BTreeMap::new();
        let mut notes = Vec::new();
        for row in &rows.rows {
            let number: usize = separated.cell(row, &note).parse().expect("a number");
            let (age, city, value, _) = &separated.case.rows[number];
            prop_assert_eq!(separated.person(row), (age.clone(), city.clone()));
            let content = &contents[separated.class(row) - 1];
            classes.entry((age, city, value)).or_default().push(content);
            notes.push(number);
        }
        notes.sort_unstable();
        prop_assert!(notes.windows(2).all(|pair| pair[0] != pair[1]), "no row is released twice");
        let by_class: BTreeMap<usize, Content> = {
            let numbers = separated.released().map(|(_, class)| class);
            let numbers: std::collections::BTreeSet<usize> = numbers.collect();
            numbers.into_iter().zip(separated.expected()).collect()
        };
        let mut wanted: BTreeMap<(&str, &str, &str), Vec<&Content>> = BTreeMap::new();
        for (row, class) in separated.released() {
            wanted.entry((&row.0, &row.1, &row.2)).or_default().push(&by_class[&class]);
        }
        classes.values_mut().chain(wanted.values_mut()).for_each(|list| list.sort());
        prop_assert_eq!(classes, wanted);
    }

    #[test]
    fn threads_and_memory_do_not_change_bytes(separated in separated(true)) {
        let (rows, lines) = separated.write(1, Limits::default());
        let (others, other_lines) = separated.write(2, Limits::default());
        prop_assert_eq!((&rows.bytes, &lines.bytes), (&others.bytes, &other_lines.bytes));
        if separated.case.order == RowOrder::Sorted {
            let (tight, tight_lines) = separated.write(3, TIGHT);
            prop_assert_eq!((rows.bytes, lines.bytes), (tight.bytes, tight_lines.bytes));
        }
    }

    /// Sorted tables do not depend on the original class numbers or the key.
    #[test]
    fn sorted_tables_depend_only_on_released_data(
        separated in separated(false),
        key in any::<u8>(),
    ) {
        let mut separated = separated;
        separated.case.order = RowOrder::Sorted;
        let (rows, lines) = separated.write(1, Limits::default());
        separated.key = [key; 32];
        for class in &mut separated.place {
            *class = if *class < N_CLASSES { N_CLASSES - 1 - *class } else { *class };
        }
        let (others, other_lines) = separated.write(1, Limits::default());
        prop_assert_eq!((rows.bytes, lines.bytes), (others.bytes, other_lines.bytes));
    }

    /// The files read by `verify` match the certified values.
    #[test]
    fn written_tables_match_certified_claims(separated in separated(false)) {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        separated.with_release(|release| {
            if release.n_classes() == 0 {
                return; // an input must have rows
            }
            let request = separated.request(release, 2, folder.path());
            let written = write_anatomy(folder.path(), &request, None, &Silent);
            written.expect("the release can be written");
            let extension = separated.case.format.extension();
            let count = |name: &str, quasi_identifiers: &[&str], sensitive: &[&str]| {
                let spec = InputSpec {
                    path: folder.path().join(format!("{name}.{extension}")),
                    ..InputSpec::default()
                };
                let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
                let request = CountRequest {
                    quasi_identifiers: owned(quasi_identifiers),
                    sensitive: owned(sensitive),
                    ..CountRequest::default()
                };
                let input = Input::open(&spec).expect("the released file can be opened");
                let counted = EmbeddedEngine::new(1).count(&input, &request, &Silent);
                counted.expect("the released file can be counted").table
            };
            let rows = count("quasi_identifiers", &["released age", "city", "class"], &[]);
            let lines = count("sensitive", &["class"], &["value", "count"]);
            let tables = TwoTables::join(&rows, &lines, "disease")
                .expect("the tables belong to the same release");
            assert_eq!(tables.check(&[]).claims, *release.claims());
            assert_eq!(tables.reconstruction_error(), release.reconstruction_error());
            assert_eq!(tables.by_class().sensitive()[0].name, "disease");
        });
    }
}

/// Creates `n` people in classes of two, optionally with notes.
fn pairs(n: usize, order: RowOrder, with_notes: bool) -> Separated {
    let row = |at: usize| {
        let value = ["flu", "ulcer"][at % 2].to_owned();
        ((at / 2).to_string(), "x".to_owned(), value, Some(at as i64))
    };
    let case = Case {
        rows: (0..n).map(row).collect(),
        levels: vec![0, 0],
        suppress: vec![],
        suppressed: SuppressionRule::Dropped,
        columns: columns(with_notes),
        format: OutputFormat::Csv { delimiter: b',' },
        order,
    };
    Separated { case, place: (0..n).map(|at| at / 2).collect(), key: [7; 32] }
}

/// The classes of the rows and of the lines in order, the class of each pair of people, and whether
/// rows and lines have the same order.
type Observed = (Vec<usize>, Vec<usize>, Vec<usize>, bool);

/// The order of one table and the class numbers disclose nothing about the order of the other
/// table.
#[test]
fn shuffled_tables_have_independent_orders() {
    let n = 8;
    let orders = |key: u8| {
        let mut separated = pairs(n, RowOrder::Shuffled { key: [key; 32] }, false);
        separated.key = [key; 32];
        let (rows, lines) = separated.write(1, Limits::default());
        let classes = rows.rows.iter().map(|row| separated.class(row)).collect::<Vec<_>>();
        let of_lines: Vec<usize> =
            lines.rows.iter().map(|line| line[0].parse().expect("a number")).collect();
        let mut numbers = vec![0; n / 2];
        for row in &rows.rows {
            numbers[separated.person(row).0.parse::<usize>().expect("a number")] =
                separated.class(row);
        }
        let of_pairs = rows.rows.iter().map(|row| separated.person(row).0);
        let ranks = of_lines.iter().map(|class| (class - 1).to_string());
        let is_same = of_pairs.eq(ranks);
        (classes, of_lines, numbers, is_same)
    };
    let all: Vec<_> = (0..60).map(orders).collect();
    let first = |pick: fn(&Observed) -> usize| {
        let picked = all.iter().map(pick);
        (1..=n / 2)
            .map(|class| picked.clone().filter(|at| *at == class).count())
            .collect::<Vec<_>>()
    };
    for counts in [first(|all| all.0[0]), first(|all| all.1[0]), first(|all| all.2[0])] {
        assert!(counts.iter().all(|times| (4..30).contains(times)), "{counts:?}");
    }
    let same = all.iter().filter(|(rows, lines, ..)| rows[0] == lines[0]).count();
    assert!((4..30).contains(&same), "{same}");
    assert!(
        all.iter().filter(|all| all.3).count() < 10,
        "the orders of the two tables are independent"
    );
}

/// Classes with equal people are numbered in the order of their sensitive values.
#[test]
fn sorted_classes_of_equal_people_follow_sensitive_values() {
    for key in 0..8 {
        let mut separated = pairs(8, RowOrder::Sorted, false);
        separated.key = [key; 32];
        for (at, row) in separated.case.rows.iter_mut().enumerate() {
            (row.0, row.2) = ("7".to_owned(), ["a", "b", "c", "d"][at / 2].to_owned());
        }
        let (_, lines) = separated.write(1, Limits::default());
        let lines: Vec<String> = lines.rows.iter().map(|line| line.join(" ")).collect();
        assert_eq!(lines, ["1 a 2", "2 b 2", "3 c 2", "4 d 2"]);
    }
}

/// A tuple includes its sensitive value, so the assignment of its rows to classes is random even in
/// sorted tables.
#[test]
fn key_determines_class_assignment_of_equal_rows() {
    let n = 400;
    let first_class = |key: u8| {
        let mut separated = pairs(0, RowOrder::Sorted, true);
        let row = |at| ("7".to_owned(), "x".to_owned(), "flu".to_owned(), Some(at as i64));
        separated.case.rows = (0..n).map(row).collect();
        separated.place = (0..n).map(|at| usize::from(at >= n / 4)).collect();
        separated.key = [key; 32];
        let (rows, _) = separated.write(1, Limits::default());
        let small = |row: &&Vec<String>| separated.class(row) == 1;
        rows.rows.iter().filter(small).map(|row| row[3].clone()).collect::<Vec<_>>()
    };
    let (one, other) = (first_class(1), first_class(2));
    assert_eq!((one.len(), other.len()), (n / 4, n / 4));
    assert_ne!(one, other);
    assert_eq!(first_class(1), one);
}

#[test]
fn linking_or_colliding_columns_are_rejected() {
    let separated = pairs(8, RowOrder::Sorted, true);
    separated.with_release(|release| {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let refused = |change: &dyn Fn(&mut AnatomyRequest<'_>)| {
            let mut request = separated.request(release, 1, folder.path());
            change(&mut request);
            let source = separated.case.source();
            let error = write_anatomy(folder.path(), &request, Some(&source), &Silent);
            let left = std::fs::read_dir(folder.path()).expect("the folder still exists").count();
            assert_eq!(left, 0, "no files are left behind");
            match error {
                Err(EngineError::Output(OutputError::InvalidColumn { column, reason })) => {
                    (column, reason)
                }
                other => panic!("{other:?}"),
            }
        };
        let with_value = refused(&|request| request.columns[0].source = ColumnSource::Sensitive(0));
        assert_eq!(with_value.1, "sensitive values are written to a separate table");
        let twice = refused(&|request| request.columns[1].source = ColumnSource::Class);
        assert_eq!(twice.1, "the release already has a class column");
        let without =
            refused(&|request| request.columns.retain(|c| c.source != ColumnSource::Class));
        assert_eq!(without.1, "a class column is required to join the two tables");
        let collides = refused(&|request| request.columns[2].name = "count".to_owned());
        assert_eq!(collides.0, "count");
        let beyond =
            refused(&|request| request.columns[0].source = ColumnSource::QuasiIdentifier(9));
        assert_eq!(beyond.1, "the quasi-identifier does not exist");

        let request = separated.request(release, 1, folder.path());
        let uncounted = write_anatomy(folder.path(), &request, None, &Silent);
        assert!(
            matches!(uncounted, Err(EngineError::Output(OutputError::InvalidColumn { .. }))),
            "{uncounted:?}"
        );
        let there = folder.path().join("sensitive.csv");
        std::fs::write(&there, "mine").expect("the file is writable");
        let source = separated.case.source();
        let error = write_anatomy(folder.path(), &request, Some(&source), &Silent);
        assert_eq!(error.expect_err("an existing file is not replaced").code(), "E-OUTPUT-006");
        assert_eq!(std::fs::read(&there).expect("the existing file is unchanged"), b"mine");
        assert!(!folder.path().join("quasi_identifiers.csv").exists());
    });
}
