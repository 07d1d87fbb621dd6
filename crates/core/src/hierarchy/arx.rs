//! Hierarchy files in the ARX format: no header, delimiter `;`, the original value in column 0, and
//! one column for each level.

use rustc_hash::FxHashMap;

use super::listed::ListedValues;
use super::{HierarchyError, HierarchyProblem};
use crate::MISSING;

/// A parsed and valid hierarchy file: all rows have the same length, each value occurs once, and
/// levels are nested.
///
/// The domain consists of all values that the file lists. If the last column has several labels, a
/// top level `*` is added. Below the top level, `*` is an ordinary label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arx {
    pub(super) listed: ListedValues,
}

/// A row and its number in the file, starting at 1.
struct Row {
    number: u64,
    raw: String,
    /// The value and its labels. The value is empty if it represents a missing value.
    cells: Vec<String>,
}

impl Arx {
    /// Returns the listed values, in the order of the file.
    pub fn values(&self) -> &[String] {
        self.listed.values()
    }

    /// Parses a hierarchy file. Byte order marks, carriage returns, and empty lines are ignored.
    /// Quotes have the same meaning as in CSV files.
    ///
    /// An original value that `null_values` contains represents a missing value.
    ///
    /// # Errors
    /// Returns [`HierarchyError`] with all problems in the file and their row numbers: rows of
    /// different lengths, duplicate and ambiguous rows, and levels that are not nested.
    pub fn parse(
        attribute: &str,
        text: &str,
        null_values: &[String],
    ) -> Result<Arx, HierarchyError> {
        Self::of_rows(attribute, read(text, null_values))
    }

    /// Creates a hierarchy from rows. Each row contains the original value and its label at each
    /// level.
    ///
    /// # Errors
    /// Returns the same errors as [`Arx::parse`]; row numbers start at 1.
    pub fn from_rows(
        attribute: &str,
        rows: &[Vec<String>],
        null_values: &[String],
    ) -> Result<Arx, HierarchyError> {
        let row = |(cells, number): (&Vec<String>, u64)| row(cells.clone(), number, null_values);
        Self::of_rows(attribute, rows.iter().zip(1..).map(row).collect())
    }

    fn of_rows(attribute: &str, rows: Vec<Row>) -> Result<Arx, HierarchyError> {
        let error = |problems| HierarchyError { attribute: attribute.to_owned(), problems };
        let Some(expected) = rows.first().map(|row| row.cells.len()) else {
            return Err(error(vec![HierarchyProblem::Empty]));
        };
        if let Some(found) = other_delimiter(&rows) {
            return Err(error(vec![HierarchyProblem::Delimiter { found }]));
        }
        let mut problems = Vec::new();
        let ragged = |row: &&Row| row.cells.len() != expected;
        let ragged_rows: Vec<u64> = rows.iter().filter(ragged).map(|row| row.number).collect();
        if !ragged_rows.is_empty() {
            problems.push(HierarchyProblem::Ragged { expected, rows: ragged_rows });
        }
        let whole = rows.into_iter().filter(|row| row.cells.len() == expected);
        let distinct = distinct(whole.collect(), &mut problems);
        match ListedValues::new(&distinct) {
            Ok(listed) if problems.is_empty() => Ok(Arx { listed }),
            Ok(_) => Err(error(problems)),
            Err(more) => {
                problems.extend(more);
                Err(error(problems))
            }
        }
    }
}

fn read(text: &str, null_values: &[String]) -> Vec<Row> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .delimiter(b';')
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut line = LineNumbers { text: text.as_bytes(), at: 0, line: 1 };
    reader
        .records()
        .map(|record| {
            let record = record.expect(
                "reading records of any length succeeds because the text is valid \
                    UTF-8 in memory",
            );
            let start = record.position().map_or(0, csv::Position::byte);
            let cells: Vec<String> = record.iter().map(str::to_owned).collect();
            row(cells, line.of_record(start as usize), null_values)
        })
        .collect()
}

fn row(mut cells: Vec<String>, number: u64, null_values: &[String]) -> Row {
    let raw = cells[0].clone();
    if null_values.contains(&raw) {
        cells[0] = MISSING.to_owned();
    }
    Row { number, raw, cells }
}

/// Counts lines up to the start of each record. The reported position of a record may be that of
/// preceding line breaks.
struct LineNumbers<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
}

impl LineNumbers<'_> {
    fn of_record(&mut self, position: usize) -> u64 {
        while self.at < self.text.len()
            && (self.at < position || matches!(self.text[self.at], b'\n' | b'\r'))
        {
            self.line += u64::from(self.text[self.at] == b'\n');
            self.at += 1;
        }
        self.line
    }
}

fn other_delimiter(rows: &[Row]) -> Option<char> {
    let in_every_row =
        |found: &char| rows.iter().all(|row| row.cells.len() == 1 && row.raw.contains(*found));
    [',', '\t', '|'].into_iter().find(in_every_row)
}

/// Returns the first row of each value. A value with several rows is a problem, unless the rows are
/// different markers for a missing value and have the same labels.
fn distinct(rows: Vec<Row>, problems: &mut Vec<HierarchyProblem>) -> Vec<Vec<String>> {
    let mut index: FxHashMap<&str, usize> = FxHashMap::default();
    let mut by_value: Vec<Vec<&Row>> = Vec::new();
    for row in &rows {
        let at = *index.entry(&row.cells[0]).or_insert(by_value.len());
        match by_value.get_mut(at) {
            Some(others) => others.push(row),
            None => by_value.push(vec![row]),
        }
    }
    let (mut duplicate, mut duplicate_values) = (Vec::new(), Vec::new());
    let (mut ambiguous, mut ambiguous_values) = (Vec::new(), Vec::new());
    for same in by_value.iter().filter(|same| same.len() > 1) {
        let numbers: Vec<u64> = same.iter().map(|row| row.number).collect();
        let value = same[0].cells[0].clone();
        let mut texts: Vec<&str> = same.iter().map(|row| row.raw.as_str()).collect();
        texts.sort_unstable();
        if same.iter().any(|row| row.cells != same[0].cells) {
            ambiguous.push(numbers);
            ambiguous_values.push(value);
        } else if texts.windows(2).any(|pair| pair[0] == pair[1]) {
            duplicate.push(numbers);
            duplicate_values.push(value);
        }
    }
    if !duplicate.is_empty() {
        problems
            .push(HierarchyProblem::DuplicateRows { rows: duplicate, values: duplicate_values });
    }
    if !ambiguous.is_empty() {
        problems
            .push(HierarchyProblem::AmbiguousRows { rows: ambiguous, values: ambiguous_values });
    }
    by_value.iter().map(|same| same[0].cells.clone()).collect()
}

#[cfg(test)]
mod tests {

    use super::super::tests::{assert_valid, column, dictionary};
    use super::super::{Hierarchy, HierarchyRule, ValueProblem};
    use super::*;

    fn nulls() -> Vec<String> {
        vec!["?".to_owned(), "NA".to_owned()]
    }

    fn resolve(text: &str, values: &[&str]) -> Hierarchy {
        let arx = Arx::parse("a", text, &nulls()).expect("valid file");
        let hierarchy =
            HierarchyRule::Arx(arx).resolve("a", &dictionary(values)).expect("all listed");
        assert_valid(&hierarchy);
        hierarchy
    }

    fn problems(text: &str) -> Vec<HierarchyProblem> {
        Arx::parse("a", text, &nulls()).expect_err("not a valid file").problems
    }

    #[test]
    fn missing_value_is_not_in_only_group_of_listed_values() {
        let hierarchy = resolve("France;Europe\nSpain;Europe\n", &["", "France", "Spain"]);
        assert_eq!(hierarchy.n_levels(), 3);
        assert_eq!(column(&hierarchy, 1), ["", "Europe", "Europe"]);
        assert_eq!(column(&hierarchy, 2), ["*", "*", "*"]);
        // No level is added if the table has no missing values.
        let hierarchy = resolve("France;Europe\nSpain;Europe\n", &["France", "Spain"]);
        assert_eq!(hierarchy.n_levels(), 2);
        // If the file has a row for the missing value, the labels are taken from this row.
        let hierarchy = resolve("France;Europe\n?;Europe\n", &["", "France"]);
        assert_eq!(column(&hierarchy, 1), ["Europe", "Europe"]);
    }

    #[test]
    fn counts_are_over_all_listed_values() {
        let hierarchy = resolve("x;u;*\ny;u;*\nz;v;*\n", &["z", "x"]);
        assert_eq!(hierarchy.n_levels(), 3);
        assert_eq!(hierarchy.level(0).labels, ["x", "z"]);
        assert_eq!(hierarchy.level(1).labels, ["u", "v"]);
        assert_eq!(hierarchy.level(1).covered, [2, 1]);
        assert_eq!((hierarchy.level(2).covered[0], hierarchy.domain_size()), (3, 3));
    }

    #[test]
    fn rows_in_memory_match_parsed_file() {
        let rows = |rows: &[&[&str]]| -> Vec<Vec<String>> {
            rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
        };
        let text = "x;u;*\n\"y;1\";u;*\n?;v;*\n";
        let same = rows(&[&["x", "u", "*"], &["y;1", "u", "*"], &["?", "v", "*"]]);
        let (parsed, given) =
            (Arx::parse("a", text, &nulls()), Arx::from_rows("a", &same, &nulls()));
        assert_eq!(parsed.expect("valid"), given.expect("valid"));
        let wrong = rows(&[&["x", "u"], &["y"], &["x", "v"]]);
        let problems = Arx::from_rows("a", &wrong, &nulls()).expect_err("not valid").problems;
        assert_eq!(problems.len(), 2, "{problems:?}");
    }

    #[test]
    fn excessive_level_count_is_rejected() {
        let labels = vec!["u"; 100_000].join(";");
        let found = problems(&format!("x;{labels}\ny;{labels}\n"));
        assert!(matches!(found[..], [HierarchyProblem::TooManyLevels { n_levels: 100_001, .. }]));
    }

    #[test]
    fn byte_order_mark_and_quotes_are_accepted() {
        let text = "\u{feff}\"x;1\";\"u \"\"q\"\"\";*\r\n\r\ny;v;*\r\n\r\n";
        let hierarchy = resolve(text, &["x;1", "y"]);
        assert_eq!(column(&hierarchy, 1), ["u \"q\"", "v"]);
    }

    #[test]
    fn star_is_added_above_several_top_labels() {
        assert_eq!(column(&resolve("x;u\ny;v", &["x", "y"]), 2), ["*", "*"]);
        assert_eq!(column(&resolve("x\ny", &["x", "y"]), 1), ["*", "*"]);
        assert_eq!(column(&resolve("x", &["x"]), 1), ["*"]);
        let named = resolve("x;any\ny;any", &["x", "y"]);
        assert_eq!((named.n_levels(), column(&named, 1)), (2, vec!["any", "any"]));
    }

    #[test]
    fn row_numbers_match_file_lines() {
        for end in ["\n", "\r\n"] {
            let lines = ["x;u;*", "", "y;u", "x;u;*", "z;v;*", "z;w;*", "", "\"q", "q\";v", "y"];
            assert_eq!(
                problems(&lines.join(end)),
                [
                    HierarchyProblem::Ragged { expected: 3, rows: vec![3, 8, 10] },
                    HierarchyProblem::DuplicateRows {
                        rows: vec![vec![1, 4]],
                        values: vec!["x".to_owned()]
                    },
                    HierarchyProblem::AmbiguousRows {
                        rows: vec![vec![5, 6]],
                        values: vec!["z".to_owned()]
                    },
                ]
            );
        }
    }

    #[test]
    fn non_nested_levels_are_reported_with_other_problems() {
        assert_eq!(
            problems("x;u;a;*\ny;u;b;*\nz;v;b;*\nz;v;b;*"),
            [
                HierarchyProblem::DuplicateRows {
                    rows: vec![vec![3, 4]],
                    values: vec!["z".to_owned()]
                },
                HierarchyProblem::NotNested { level: 2, n_labels: 1, labels: vec!["u".to_owned()] },
            ]
        );
    }

    #[test]
    fn empty_files_and_other_delimiters_are_rejected() {
        assert_eq!(problems("\u{feff}\r\n"), [HierarchyProblem::Empty]);
        assert_eq!(problems("x,u,*\ny,v,*"), [HierarchyProblem::Delimiter { found: ',' }]);
        assert_eq!(problems("x\tu\ny\tv"), [HierarchyProblem::Delimiter { found: '\t' }]);
        assert_eq!(resolve("x,u\ny", &["y"]).n_levels(), 2);
    }

    #[test]
    fn unlisted_values_are_counted() {
        let arx = Arx::parse("education", "x;u\ny;v", &[]).expect("valid file");
        let error = HierarchyRule::Arx(arx)
            .resolve("education", &dictionary(&["x", "hidden1", "hidden2", ""]))
            .expect_err("two values are missing from the hierarchy");
        assert_eq!(
            error.to_string(),
            "hierarchy of 'education' does not list 2 of the 4 values in the table"
        );
        assert!(error.with_values().contains("hidden2"));
        let [HierarchyProblem::Values { why: ValueProblem::NotListed, values, .. }] =
            &*error.problems
        else {
            panic!("expected a single problem: {error}")
        };
        assert_eq!(values, &["hidden1", "hidden2"]);
    }

    #[test]
    fn unlisted_missing_value_is_unchanged_below_top() {
        let hierarchy = resolve("x;u;*\ny;v;*", &["", "x"]);
        assert_eq!(column(&hierarchy, 1), ["", "u"]);
        assert_eq!(column(&hierarchy, 2), ["*", "*"]);
        assert_eq!((hierarchy.domain_size(), hierarchy.n_listed()), (3, 2));
    }

    #[test]
    fn null_values_are_read_as_missing_value() {
        let hierarchy = resolve("x;u;*\n?;unknown;*\nNA;unknown;*\n;unknown;*", &["", "x"]);
        assert_eq!(column(&hierarchy, 1), ["unknown", "u"]);
        assert_eq!(hierarchy.domain_size(), 2);
        assert_eq!(
            problems("x;u\n?;a\nNA;b"),
            [HierarchyProblem::AmbiguousRows {
                rows: vec![vec![2, 3]],
                values: vec![String::new()]
            }]
        );
        assert_eq!(
            problems("x;u\n?;a\n?;a"),
            [HierarchyProblem::DuplicateRows {
                rows: vec![vec![2, 3]],
                values: vec![String::new()]
            }]
        );
    }

    #[test]
    fn label_equal_to_missing_value_is_rejected() {
        let label_is_value =
            |level| HierarchyProblem::LabelIsValue { level, labels: vec!["".into()] };
        assert_eq!(problems("x;;u;*\ny;v;v;*"), [label_is_value(1)]);
        assert_eq!(column(&resolve(";;u\ny;v;u", &["", "y"]), 1), ["", "v"]);
    }

    #[test]
    fn numeric_labels_of_numbers_are_rejected() {
        let looks = |level, labels: &[&str]| HierarchyProblem::LabelLooksLikeValue {
            level,
            labels: labels.iter().map(|it| (*it).to_owned()).collect(),
        };
        assert_eq!(problems("98;100;*\n99;128;*\n97;90s;*"), [looks(1, &["100", "128"])]);
        // The label of a missing value reads as a number, too.
        assert_eq!(problems("98;98;*\n;0;*"), [looks(1, &["0"])]);
        assert_eq!(problems("2024-03-05;2024-03-01;*"), [looks(1, &["2024-03-01"])]);
        for text in ["7;07;*\n8;8.0;*", "98;95-99;*", "x;1;*\n2;2;*", "2024-03-05;2024-03;*"] {
            assert!(Arx::parse("a", text, &[]).is_ok(), "{text}");
        }
    }
}
