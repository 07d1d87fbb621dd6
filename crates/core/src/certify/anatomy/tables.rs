//! Verification of the two released tables of Anatomy, based only on their rows.

use indistinct_diagnostics::{errors, words};
use std::collections::BTreeMap;

use super::{reconstruction_error, sizes_of_equal_rows};
use crate::certify::check_rows;
use crate::certify::claims::JudgedClaims;
use crate::model::{CountedColumn, FrequencyTable};
use crate::recoding::Requirement;
use crate::risk;

/// The sensitive values of each class, and the sizes of groups of equal rows, from two frequency
/// tables.
#[derive(Debug, Clone, PartialEq)]
pub struct TwoTables {
    by_class: FrequencyTable,
    sizes_of_equal_rows: BTreeMap<u64, u64>,
}

/// The help text for tables that do not belong to the same release.
const OTHER_FILES: &str = "the tables were modified or belong to different releases: use the original files of the release";

errors! {
    /// The reason why two tables do not belong to the same release.
    #[derive(Clone, PartialEq, Eq)]
    pub enum TablesProblem {
        /// A table does not have the expected columns.
        #[error("the table '{table}' has {got} {what}, expected {expected}")]
        #[code("E-ANATOMY-011", OTHER_FILES)]
        Columns {
            /// The table.
            table: &'static str,
            /// The kind of columns.
            what: &'static str,
            /// The actual number of columns of this kind.
            got: usize,
            /// The expected number.
            expected: usize,
        },
        /// The class numbers are not consecutive integers starting at 1.
        #[error("the class numbers in '{table}' are not the integers from 1 to {n_classes}")]
        #[code("E-ANATOMY-012", OTHER_FILES)]
        Numbers {
            /// The table.
            table: &'static str,
            /// The number of classes.
            n_classes: usize,
        },
        /// The two tables have different numbers of classes.
        #[error(
            "the numbers of classes differ: {quasi_identifiers} in 'quasi_identifiers', \
             {sensitive} in 'sensitive'"
        )]
        #[code("E-ANATOMY-013", OTHER_FILES)]
        Classes {
            /// The number of classes in the table of quasi-identifiers.
            quasi_identifiers: usize,
            /// The number of classes in the table of sensitive values.
            sensitive: usize,
        },
        /// Counts are not positive integers.
        #[error(
            "the count is not a positive integer in {} of 'sensitive'",
            words::count(*n_lines, "line")
        )]
        #[code("E-ANATOMY-014", OTHER_FILES)]
        Counts {
            /// The number of lines with invalid counts.
            n_lines: u64,
        },
        /// Several lines have the same class and value.
        #[error(
            "'sensitive' has {} whose class and value also occur in another line",
            words::count(*n_lines, "line")
        )]
        #[code("E-ANATOMY-015", OTHER_FILES)]
        Repeated {
            /// The number of repeated lines.
            n_lines: u64,
        },
        /// The two tables have different numbers of rows for the same class.
        #[error(
            "the number of rows differs from the number of sensitive values in {}",
            words::classes(*n_classes)
        )]
        #[code("E-ANATOMY-016", OTHER_FILES)]
        Rows {
            /// The number of affected classes.
            n_classes: u64,
        },
    }
}

const QUASI_IDENTIFIERS: &str = "quasi_identifiers";
const SENSITIVE: &str = "sensitive";

fn expect(
    table: &'static str,
    what: &'static str,
    got: usize,
    expected: usize,
) -> Result<(), TablesProblem> {
    match got == expected {
        true => Ok(()),
        false => Err(TablesProblem::Columns { table, what, got, expected }),
    }
}

/// Returns the class of each code in a column of class numbers. Classes are numbered from 0.
fn classes_of(table: &'static str, column: &CountedColumn) -> Result<Vec<u32>, TablesProblem> {
    let n_classes = column.dictionary.len();
    let numbers = column.dictionary.values().iter().map(|text| {
        let number: u32 = text.parse().ok()?;
        // Class numbers with a sign or leading zeros, such as "+1" and "01", are invalid.
        let is_plain = number.to_string() == *text && (1..=n_classes).contains(&(number as usize));
        is_plain.then(|| number - 1)
    });
    numbers.collect::<Option<Vec<u32>>>().ok_or(TablesProblem::Numbers { table, n_classes })
}

impl TwoTables {
    /// Joins the two tables of a release. In the first table, the class is the *last*
    /// quasi-identifier. In the second table, the class is the only quasi-identifier, and the value
    /// and the count are the first and second sensitive attributes.
    ///
    /// `attribute` is the name of the sensitive attribute.
    ///
    /// # Errors
    /// Returns [`TablesProblem`] if the tables do not belong to one release.
    pub fn join(
        quasi_identifiers: &FrequencyTable,
        sensitive: &FrequencyTable,
        attribute: &str,
    ) -> Result<Self, TablesProblem> {
        let Some(class_column) = quasi_identifiers.quasi_identifiers().last() else {
            let (got, expected) = (0, 1);
            let what = "columns of class numbers";
            return Err(TablesProblem::Columns { table: QUASI_IDENTIFIERS, what, got, expected });
        };
        let got = quasi_identifiers.sensitive().len();
        expect(QUASI_IDENTIFIERS, "sensitive attributes", got, 0)?;
        expect(SENSITIVE, "columns of class numbers", sensitive.quasi_identifiers().len(), 1)?;
        expect(SENSITIVE, "columns of values and counts", sensitive.sensitive().len(), 2)?;
        let lines = &sensitive.quasi_identifiers()[0];
        let class_of_code = classes_of(QUASI_IDENTIFIERS, class_column)?;
        let class_of_line = classes_of(SENSITIVE, lines)?;
        let n_classes = class_of_code.len();
        if n_classes != class_of_line.len() {
            return Err(TablesProblem::Classes {
                quasi_identifiers: n_classes,
                sensitive: class_of_line.len(),
            });
        }

        let mut rows = vec![0u64; n_classes];
        for (&code, &count) in class_column.codes.iter().zip(quasi_identifiers.counts()) {
            rows[class_of_code[code as usize] as usize] += count;
        }
        let counts = counts_of(sensitive)?;
        let mut sensitive_rows = vec![0u64; n_classes];
        for (&code, &count) in lines.codes.iter().zip(&counts) {
            let class = class_of_line[code as usize] as usize;
            sensitive_rows[class] = sensitive_rows[class].saturating_add(count);
        }
        let n_differing = rows
            .iter()
            .zip(&sensitive_rows)
            .filter(|(rows, sensitive_rows)| rows != sensitive_rows);
        match n_differing.count() as u64 {
            0 => {}
            n_classes => return Err(TablesProblem::Rows { n_classes }),
        }

        let values = &sensitive.sensitive()[0];
        let value = CountedColumn { name: attribute.to_owned(), ..values.clone() };
        let by_class = FrequencyTable::new(vec![lines.clone()], vec![value], counts)
            .expect("the columns of a table have the same length");
        Ok(Self { by_class, sizes_of_equal_rows: sizes_of_equal_people(quasi_identifiers) })
    }

    /// Returns the number of occurrences of each sensitive value in each class. The class is the
    /// only quasi-identifier. Requirements must be built for this table.
    pub fn by_class(&self) -> &FrequencyTable {
        &self.by_class
    }

    /// Computes the claims for the tables, class by class. They equal the claims of the
    /// [release](super::AnatomyRelease) to which the tables belong.
    pub fn check(&self, requirements: &[Requirement]) -> JudgedClaims {
        let mut judged = check_rows(&self.by_class, requirements);
        judged.claims.risk = risk::of_class_sizes(&self.sizes_of_equal_rows);
        judged
    }

    /// Computes
    /// [`AnatomyRelease::reconstruction_error`](super::AnatomyRelease::reconstruction_error) from
    /// the tables.
    pub fn reconstruction_error(&self) -> f64 {
        reconstruction_error(&self.by_class, &self.by_class.quasi_identifiers()[0].codes)
    }
}

/// Returns the count in each line.
fn counts_of(sensitive: &FrequencyTable) -> Result<Vec<u64>, TablesProblem> {
    let column = &sensitive.sensitive()[1];
    let stated: Vec<Option<u64>> = column
        .dictionary
        .values()
        .iter()
        .map(|text| {
            text.parse().ok().filter(|count: &u64| *count > 0 && count.to_string() == *text)
        })
        .collect();
    let lines = || column.codes.iter().zip(sensitive.counts());
    let wrong = lines().filter(|(code, _)| stated[**code as usize].is_none());
    match wrong.map(|(_, lines)| lines).sum() {
        0 => {}
        n_lines => return Err(TablesProblem::Counts { n_lines }),
    }
    // Tuples are sorted by class and value, so lines that differ only in their counts are adjacent.
    let (class, value) = (&sensitive.quasi_identifiers()[0].codes, &sensitive.sensitive()[0].codes);
    let is_same = |at: &usize| class[at - 1] == class[*at] && value[at - 1] == value[*at];
    let other_counts = (1..sensitive.n_tuples()).filter(is_same).count() as u64;
    let same_counts: u64 = sensitive.counts().iter().map(|lines| lines - 1).sum();
    match other_counts + same_counts {
        0 => Ok(lines().filter_map(|(code, _)| stated[*code as usize]).collect()),
        n_lines => Err(TablesProblem::Repeated { n_lines }),
    }
}

/// Returns, for each size, the number of combinations of all quasi-identifiers but the last that
/// have this number of rows.
fn sizes_of_equal_people(table: &FrequencyTable) -> BTreeMap<u64, u64> {
    let columns = table.quasi_identifiers();
    let raw = FrequencyTable::new(
        columns[..columns.len() - 1].to_vec(),
        Vec::new(),
        table.counts().to_vec(),
    );
    let raw = raw.expect("the columns of a table have the same length");
    sizes_of_equal_rows(&raw, &vec![0; raw.n_tuples()])
}
