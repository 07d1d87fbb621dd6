//! Errors in a hierarchy. The errors contain values as data, but their messages do not show values.

use crate::Notation;
use indistinct_diagnostics::{Coded, codes, words};

/// The maximum number of values that `--show-values` shows for each problem.
const SHOWN_VALUES: usize = 5;
/// The maximum number of row numbers (or groups of row numbers) that a message lists.
const SHOWN_ROWS: usize = 10;

/// All problems in the hierarchy of one attribute.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("hierarchy of '{attribute}' {}", texts(problems))]
pub struct HierarchyError {
    /// The attribute.
    pub attribute: String,
    /// The problems; at least one.
    pub problems: Vec<HierarchyProblem>,
}

/// One problem of a hierarchy. The message continues "hierarchy of 'age' ..." and contains neither
/// values nor labels.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HierarchyProblem {
    /// The table contains the cell `*`.
    #[error("conflicts with the cell '*' of the table, because '*' denotes any value")]
    StarCell,
    /// Values in the table that the rule does not cover.
    #[error("{}", why.text(values.len(), *n_values))]
    Values {
        /// The reason.
        why: ValueProblem,
        /// The values.
        values: Vec<String>,
        /// The number of values in the table.
        n_values: usize,
    },
    /// Values with the same label at one level have different labels at the next level.
    #[error(
        "is not nested: level {level} splits {} of level {}",
        count(*n_labels, "label"), level - 1
    )]
    NotNested {
        /// The upper level.
        level: usize,
        /// The number of labels of the lower level that are split among several labels of the upper
        /// level.
        n_labels: usize,
        /// These labels, if they are known.
        labels: Vec<String>,
    },
    /// A hierarchy file or tree is empty.
    #[error("contains no values")]
    Empty,
    /// All rows have a single column, which contains a character that may be the intended
    /// delimiter.
    #[error("has a single column with '{found}' in every row, but the delimiter must be ';'")]
    Delimiter {
        /// The possible delimiter.
        found: char,
    },
    /// Some rows have more or fewer columns than the first row.
    #[error(
        "has rows with more or fewer columns than the first row ({expected}): {}",
        row_list(rows)
    )]
    Ragged {
        /// The number of columns of the first row.
        expected: usize,
        /// The numbers of the affected rows, starting at 1.
        rows: Vec<u64>,
    },
    /// A value is listed several times with the same labels.
    #[error("has duplicate rows: {}", row_groups(rows))]
    DuplicateRows {
        /// The numbers of the rows that list each value, starting at 1.
        rows: Vec<Vec<u64>>,
        /// The values.
        values: Vec<String>,
    },
    /// A value is listed several times with different labels.
    #[error("is ambiguous: rows with the same value have different labels: {}", row_groups(rows))]
    AmbiguousRows {
        /// The numbers of the rows that list each value, starting at 1.
        rows: Vec<Vec<u64>>,
        /// The values.
        values: Vec<String>,
    },
    /// A leaf occurs in several places in a tree.
    #[error("has {} in several places in the tree", count(values.len(), "value"))]
    DuplicateLeaves {
        /// The values.
        values: Vec<String>,
    },
    /// Different nodes of a tree have the same label at one level.
    #[error("uses {} of level {level} for several nodes of the tree", count(labels.len(), "label"))]
    RepeatedLabels {
        /// The level.
        level: usize,
        /// The labels.
        labels: Vec<String>,
    },
    /// A label equals a value in the table but also covers other values.
    #[error(
        "has {} of level {level} that {}",
        count(labels.len(), "label"), words::either(
            labels.len() as u64,
            "is a value in the table but also covers other values",
            "are values in the table but also cover other values",
        )
    )]
    LabelIsValue {
        /// The level.
        level: usize,
        /// The labels.
        labels: Vec<String>,
    },
    /// Labels look like values of the column but cover other values.
    #[error(
        "has {} of level {level} that {}",
        count(labels.len(), "label"), words::either(
            labels.len() as u64,
            "looks like a value of the column but covers others",
            "look like values of the column but cover others",
        )
    )]
    LabelLooksLikeValue {
        /// The level.
        level: usize,
        /// The labels.
        labels: Vec<String>,
    },
    /// The hierarchy has more levels than the limit allows.
    #[error("has {n_levels} levels, above the limit of {limit}")]
    TooManyLevels {
        /// The number of levels.
        n_levels: usize,
        /// The maximum number of levels.
        limit: usize,
    },
    /// An inner node of a tree has no values below it.
    #[error("has {} without any values below", count(labels.len(), "label"))]
    EmptyNodes {
        /// The labels of the nodes.
        labels: Vec<String>,
    },
    /// Intervals have no width.
    #[error("has intervals, but no interval width")]
    NoWidth,
    /// A width is not positive.
    #[error("has an interval width that is not positive")]
    WidthNotPositive,
    /// A width is not a multiple of the previous width.
    #[error("is not nested: width {position} is not a larger multiple of the previous width")]
    WidthsNotNested {
        /// The position of the width in the list, starting at 1.
        position: usize,
    },
    /// A rounding unit is not an odd multiple of the previous unit.
    #[error("is not nested: rounding unit {position} is an even multiple of the previous unit")]
    UnitsNotNested {
        /// The position of the unit in the list, starting at 1.
        position: usize,
    },
    /// The lower end of the range is not below the upper end.
    #[error("has a min that is not below its max")]
    EndsCrossed,
    /// A width, anchor, or end cannot be represented as a decimal number.
    #[error("has a width, anchor, or end that is not a decimal number of at most 30 digits")]
    NotDecimal,
    /// The list of date parts is empty or not ordered from finer to coarser.
    #[error("requires one or more distinct date parts, ordered from finer to coarser")]
    DateLevels,
    /// The top level has several labels.
    #[error("has {n_labels} labels at its top level, expected one label for all values")]
    Top {
        /// The number of labels.
        n_labels: usize,
    },
    /// The number of values that a level maps differs from the number of values in the column.
    #[error("maps {} at level {level}, but the column has {expected}", count(*got, "value"))]
    Length {
        /// The level.
        level: usize,
        /// The number of mapped values.
        got: usize,
        /// The number of values in the column.
        expected: usize,
    },
}

/// The reason why a rule does not cover a value in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueProblem {
    /// The value is not in the list.
    NotListed,
    /// The value is not a decimal number.
    NotANumber,
    /// The value is NaN or infinite.
    NotFinite,
    /// The value is too large or too precise for exact intervals.
    OutOfRange,
    /// The value is not an ISO 8601 date.
    NotADate,
    /// The value has more characters than masking supports.
    TooLong {
        /// The maximum number of characters.
        limit: usize,
    },
}

impl ValueProblem {
    fn text(self, n: usize, n_values: usize) -> String {
        let of_all = format!("{n} of the {} in the table", count(n_values, "value"));
        let are = if n == 1 { "is" } else { "are" };
        let have = if n == 1 { "has" } else { "have" };
        match self {
            ValueProblem::NotListed => format!("does not list {of_all}"),
            ValueProblem::NotANumber => {
                format!("requires numbers, but {of_all} {are} not numeric")
            }
            ValueProblem::NotFinite => format!("has intervals, but {of_all} {are} NaN or infinite"),
            ValueProblem::OutOfRange => {
                format!("has intervals, but {of_all} {are} too large or too precise")
            }
            ValueProblem::NotADate => {
                let dates = if n == 1 { "a date" } else { "dates" };
                format!("requires dates, but {of_all} {are} not {dates}")
            }
            ValueProblem::TooLong { limit } => {
                format!("masks characters, but {of_all} {have} more than {limit} characters")
            }
        }
    }
}

/// Uses the code of the first problem, and combines the help texts of all problems.
impl Coded for HierarchyError {
    fn code(&self) -> &'static str {
        self.problems.first().map_or("E-HIERARCHY-000", HierarchyProblem::code)
    }

    fn help(&self) -> Option<String> {
        let mut sentences: Vec<String> =
            self.problems.iter().filter_map(HierarchyProblem::help).collect();
        sentences.dedup();
        Some(sentences.join(" "))
    }
}

impl HierarchyError {
    /// Returns the message with the first few values or labels of each problem, which only the data
    /// holder may see.
    pub fn with_values(&self) -> String {
        let mut text = self.to_string();
        for problem in &self.problems {
            let values = problem.values();
            if values.is_empty() {
                continue;
            }
            let shown: Vec<String> =
                values.iter().take(SHOWN_VALUES).map(|value| format!("{value:?}")).collect();
            text.push_str(&format!("\n  {problem}: {}", shown.join(", ")));
            if values.len() > SHOWN_VALUES {
                text.push_str(&format!(" and {} more", values.len() - SHOWN_VALUES));
            }
        }
        text
    }
}

codes! {
    HierarchyProblem {
        Self::StarCell => "E-HIERARCHY-001", "The table contains the cell `*`.",
            "Replace '*' in the table, or add it to null_values if it represents a missing value.";
        Self::Values { why: ValueProblem::NotListed, .. } => "E-HIERARCHY-002",
            "The hierarchy does not list all values in the table.",
            "Add the values to the hierarchy (--show-values lists the first few), or to \
             null_values if they represent missing values.";
        Self::Values { why: ValueProblem::NotANumber, .. } => "E-HIERARCHY-003",
            "Intervals require numbers.",
            "Correct these values, add them to null_values, or use a hierarchy for text.";
        Self::Values { why: ValueProblem::NotFinite, .. } => "E-HIERARCHY-004",
            "Intervals do not support NaN or infinite values.",
            "Correct these values, add them to null_values, or use a hierarchy for text.";
        Self::Values { why: ValueProblem::OutOfRange, .. } => "E-HIERARCHY-005",
            "Intervals do not support numbers that are too large or too precise.",
            "Correct these values, add them to null_values, or use a hierarchy for text.";
        Self::Values { why: ValueProblem::NotADate, .. } => "E-HIERARCHY-006",
            "A hierarchy of dates requires values that are dates.",
            "Write dates as YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS, or add these values to null_values.";
        Self::Values { why: ValueProblem::TooLong { .. }, .. } => "E-HIERARCHY-007",
            "The values are too long for masking.",
            "Masking is intended for codes. For free text, use a hierarchy file, a tree, or no \
             hierarchy.";
        Self::NotNested { .. } => "E-HIERARCHY-008",
            "Values with the same label at one level have different labels at a higher level.",
            "Correct the labels: values that share a label must share all labels at higher levels.";
        Self::Empty => "E-HIERARCHY-009", "The hierarchy file or tree contains no values.",
            "Add at least one value with its labels.";
        Self::Delimiter { .. } => "E-HIERARCHY-010",
            "The hierarchy file has a single column that contains a possible delimiter.",
            "Separate the columns of a hierarchy file with ';'.";
        Self::Ragged { .. } => "E-HIERARCHY-011",
            "The rows of the hierarchy file have different numbers of columns.",
            "Write one column for each level in every row.";
        Self::DuplicateRows { .. } => "E-HIERARCHY-012",
            "A value is listed several times with the same labels.",
            "List every value once. All values in null_values count as the same missing value.";
        Self::AmbiguousRows { .. } => "E-HIERARCHY-013",
            "A value is listed several times with different labels.",
            "List every value once. All values in null_values count as the same missing value.";
        Self::DuplicateLeaves { .. } => "E-HIERARCHY-014",
            "A value occurs in several places in the tree.",
            "List every value in only one place in the tree.";
        Self::RepeatedLabels { .. } => "E-HIERARCHY-015",
            "Several nodes of the tree have the same label at one level.",
            "Give the nodes of the tree distinct labels.";
        Self::EmptyNodes { .. } => "E-HIERARCHY-016",
            "An inner node of the tree has no values below it.",
            "Remove the label, or add values below it.";
        Self::WidthNotPositive => "E-HIERARCHY-017", "An interval width is not positive.",
            "List the widths in ascending order, such as [5, 10, 20].";
        Self::WidthsNotNested { .. } => "E-HIERARCHY-018",
            "An interval width is not a multiple of the previous width.",
            "List the widths in ascending order, such as [5, 10, 20].";
        Self::UnitsNotNested { .. } => "E-HIERARCHY-026",
            "A rounding unit is an even multiple of the previous unit.",
            "Use odd multiples, such as [5, 15]: with [5, 10], a value rounded to 5 is equally \
             close to 0 and 10. For even multiples, use intervals.";
        Self::EndsCrossed => "E-HIERARCHY-019",
            "The lower end of a hierarchy is not below its upper end.",
            "Set min to a value below max.";
        Self::NotDecimal => "E-HIERARCHY-020",
            "A width, anchor, or end is not a valid decimal number.",
            "Use a decimal number of at most 30 digits.";
        Self::DateLevels => "E-HIERARCHY-021",
            "The date parts are missing or not ordered from finer to coarser.",
            "Use one or more of day, month, quarter, year, and decade, in this order.";
        Self::NoWidth => "E-HIERARCHY-022", "The interval widths are missing.",
            "List the widths in ascending order, such as [5, 10, 20].";
        Self::Top { .. } | Self::Length { .. } => "E-HIERARCHY-023",
            "The top level has several labels, or a level has the wrong number of values.",
            "Please report this bug in Indistinct.";
        Self::LabelIsValue { .. } => "E-HIERARCHY-024", "A label equals a value in the table.",
            "Rename the label, because recipients would confuse it with the value.";
        Self::LabelLooksLikeValue { .. } => "E-HIERARCHY-027",
            "A label looks like a value of the column.",
            "Rename the label, such as 100-150 instead of 125, because programs would calculate \
             with the label as with a value.";
        Self::TooManyLevels { .. } => "E-HIERARCHY-025", "The hierarchy has too many levels.",
            "Remove levels that are only slightly coarser than the level below.";
    }
    help {
        Self::Values { why: ValueProblem::NotANumber, values, .. } if Notation::numbers(values).is_some() => sentence(Notation::numbers(values));
        Self::Values { why: ValueProblem::NotADate, values, .. } if Notation::dates(values).is_some() => sentence(Notation::dates(values));
    }
}

impl HierarchyProblem {
    /// Returns the affected values or labels, if they are known. They must not appear in messages,
    /// logs, or certificates.
    pub fn values(&self) -> &[String] {
        match self {
            Self::Values { values, .. }
            | Self::DuplicateRows { values, .. }
            | Self::AmbiguousRows { values, .. }
            | Self::DuplicateLeaves { values } => values,
            Self::NotNested { labels, .. }
            | Self::RepeatedLabels { labels, .. }
            | Self::LabelIsValue { labels, .. }
            | Self::LabelLooksLikeValue { labels, .. }
            | Self::EmptyNodes { labels } => labels,
            _ => &[],
        }
    }
}

/// Formats a help text as a sentence.
fn sentence(advice: Option<String>) -> String {
    let advice = advice.unwrap_or_default();
    format!("{}{}.", advice[..1].to_uppercase(), &advice[1..])
}

fn texts(problems: &[HierarchyProblem]) -> String {
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    match texts.len() {
        1 => texts.join(""),
        n => format!("has {n} problems: it {}", texts.join("; it ")),
    }
}

fn count(n: usize, noun: &str) -> String {
    words::count(n as u64, noun)
}

/// Formats row numbers as `row 3`, `rows 3 and 7`, or `rows 3, 7 and 9`, and truncates long lists.
fn row_list(rows: &[u64]) -> String {
    let shown: Vec<String> = rows.iter().take(SHOWN_ROWS).map(ToString::to_string).collect();
    let more = rows.len().saturating_sub(SHOWN_ROWS);
    let name = if rows.len() == 1 { "row" } else { "rows" };
    match shown.split_last() {
        Some((last, before)) if more == 0 && !before.is_empty() => {
            let comma = if before.len() > 1 { "," } else { "" };
            format!("{name} {}{comma} and {last}", before.join(", "))
        }
        _ if more > 0 => format!("{name} {} and {more} more", shown.join(", ")),
        _ => format!("{name} {}", shown.join("")),
    }
}

fn row_groups(groups: &[Vec<u64>]) -> String {
    let mut shown: Vec<String> =
        groups.iter().take(SHOWN_ROWS).map(|rows| row_list(rows)).collect();
    if groups.len() > SHOWN_ROWS {
        let more = count(groups.len() - SHOWN_ROWS, "more value");
        shown.push(format!("and {more}"));
    }
    shown.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts_of(values: &[&str]) -> Vec<String> {
        values.iter().map(|v| (*v).to_owned()).collect()
    }

    fn absent(values: &[&str], n_values: usize) -> HierarchyProblem {
        HierarchyProblem::Values {
            why: ValueProblem::NotListed,
            values: texts_of(values),
            n_values,
        }
    }

    #[test]
    fn single_problem_is_formatted_as_sentence() {
        let error = HierarchyError {
            attribute: "education".to_owned(),
            problems: vec![absent(&["x", "y", "z"], 16)],
        };
        assert_eq!(
            error.to_string(),
            "hierarchy of 'education' does not list 3 of the 16 values in the table"
        );
        assert_eq!(error.code(), "E-HIERARCHY-002");
    }

    #[test]
    fn message_lists_problems_and_hides_values() {
        let error = HierarchyError {
            attribute: "age".to_owned(),
            problems: vec![
                HierarchyProblem::StarCell,
                absent(&["s1", "s2", "s3", "s4", "s5", "s6"], 9),
            ],
        };
        assert_eq!(
            error.to_string(),
            "hierarchy of 'age' has 2 problems: it conflicts with the cell '*' of the table, \
             because '*' denotes any value; it does not list 6 of the 9 values in the table"
        );
        assert!(!error.to_string().contains("s1"));
        assert!(error.with_values().ends_with(r#""s1", "s2", "s3", "s4", "s5" and 1 more"#));
        let help = error.help().expect("every problem has a help text");
        assert!(help.contains("--show-values") && help.contains("null_values"));
    }

    #[test]
    fn row_number_list_is_truncated() {
        assert_eq!(row_list(&[3]), "row 3");
        assert_eq!(row_list(&[3, 7]), "rows 3 and 7");
        assert_eq!(row_list(&[3, 7, 9]), "rows 3, 7, and 9");
        let many: Vec<u64> = (1..=12).collect();
        assert_eq!(row_list(&many), "rows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more");
        assert_eq!(row_groups(&[vec![1, 2], vec![4, 9]]), "rows 1 and 2; rows 4 and 9");
        let groups: Vec<Vec<u64>> = (1..=12).map(|row| vec![row, row + 20]).collect();
        assert!(row_groups(&groups).ends_with("rows 10 and 30; and 2 more values"));
    }
}
