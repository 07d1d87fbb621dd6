//! The profile of a column, computed from its distinct values.

use indistinct_diagnostics::words;
use indistinct_engine::NullValues;
use serde::Serialize;

use crate::dates::{self, DatesFound};
use crate::hipaa::Item;
use crate::look_alikes::{self, LookAlikes};
use crate::missing;
use crate::numbers::{self, Numbers};
use crate::postal::{self, PostalFormat};
use crate::recognizer::{Finding, Meaning, Sureness};
use crate::recognizers::registry;
use crate::sample::Sample;
use crate::text::name_words;
use crate::within;

/// The profile of a column. A profile contains no values except for strings such as `NA` that
/// represent a missing value.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct ColumnProfile {
    /// The name of the column.
    pub name: String,
    /// The number of rows of the table.
    pub n_rows: u64,
    /// The number of distinct values, without missing values.
    pub n_distinct: u64,
    /// The number of rows without a value.
    pub n_missing: u64,
    /// The number of values that occur in exactly one row.
    pub n_once: u64,
    /// The kinds of values, most certain first.
    pub findings: Vec<Finding>,
    /// Statistics of the numbers, if all values except for markers of missing values are numbers.
    pub numbers: Option<Numbers>,
    /// The formats of the dates, if nearly all values are dates.
    pub dates: Option<DatesFound>,
    /// The format of the postal codes, if nearly all values are in the same postal code format.
    pub postal: Option<PostalFormat>,
    /// Whether all values consist of the same number of digits.
    pub same_length_digits: bool,
    /// Strings that probably represent a missing value.
    pub missing_texts: Vec<String>,
    /// The number of values that look like another value of the column.
    pub look_alikes: LookAlikes,
    /// The fraction of non-missing values that equal the most frequent value, in [0, 1].
    pub most_frequent_fraction: f64,
    /// The fraction of distinct values that are numbers, in (0, 1). `None` unless the column
    /// contains both numbers and other strings.
    pub numbers_among_texts_fraction: Option<f64>,
}

/// The maximum number of distinct values that are compared with each other.
const MOST_COMPARED: usize = 20_000;
/// The maximum number of distinct values that are parsed as numbers.
const MOST_READ: usize = 1_000_000;
/// A column is nearly constant if a single value occurs in at least this fraction of the rows.
const NEARLY_CONSTANT: f64 = 0.99;

/// Computes the profile of a column.
///
/// `values` contains all distinct values with their row counts, in any fixed order, without
/// the empty string.
pub fn examine(name: &str, n_rows: u64, values: &[(&str, u64)]) -> ColumnProfile {
    let sample = Sample::of_values(name, n_rows, values);
    let missing_texts = missing::of_values(values);
    let null_values = NullValues::new(&missing_texts);
    let is_there = |value: &str| !null_values.contains(value.trim());
    let present: Vec<(&str, u64)> = values
        .iter()
        .copied()
        .filter(|(value, _)| is_there(value) && !value.trim().is_empty())
        .collect();
    let present_sample = Sample::of_values(name, n_rows, &present);
    let n_digits = present.first().map_or(0, |(value, _)| value.len());
    let is_code =
        |value: &str| value.len() == n_digits && value.bytes().all(|b| b.is_ascii_digit());
    let most = values.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let compared = &values[..values.len().min(MOST_COMPARED)];
    let read = if present.len() <= MOST_READ { numbers::of_values(&present) } else { None };
    let n_numbers =
        present_sample.cells().filter(|cell| numbers::read(cell.text).is_some()).count();
    let share = present_sample.share(n_numbers);
    ColumnProfile {
        name: name.to_owned(),
        n_rows,
        n_distinct: values.len() as u64,
        n_missing: n_rows.saturating_sub(sample.n_present),
        n_once: values.iter().filter(|(_, count)| *count == 1).count() as u64,
        findings: findings(&present_sample),
        dates: dates::of_column(&present_sample),
        postal: postal::of_column(&present_sample),
        same_length_digits: n_digits >= 3 && present.iter().all(|(value, _)| is_code(value)),
        look_alikes: look_alikes::of_values(compared.iter().map(|(value, _)| *value)),
        most_frequent_fraction: if sample.n_present == 0 {
            0.0
        } else {
            most as f64 / sample.n_present as f64
        },
        numbers_among_texts_fraction: (read.is_none() && n_numbers > 0 && share < 1.0)
            .then_some(share),
        numbers: read,
        missing_texts,
    }
}

/// Returns the kinds of values of a column, most certain first.
pub fn findings(sample: &Sample<'_>) -> Vec<Finding> {
    let cells: Vec<_> = sample.cells().collect();
    let mut found: Vec<Finding> = registry()
        .zip(within::look(sample))
        .filter_map(|(kind, within)| {
            let n = cells.iter().filter(|cell| (kind.fits)(cell)).count();
            let whole = if n == 0 { None } else { (kind.judge)(kind, sample, n) };
            let whole = whole.map(|sureness| (n, sureness));
            let is_within = within.map(|it| it.1) > whole.map(|it| it.1);
            let (n, sureness) = if is_within { within } else { whole }?;
            Some(Finding { kind, share_fraction: sample.share(n), sureness, is_within })
        })
        .collect();
    // The sort is stable, so findings with equal certainty remain in the order of the registry.
    found.sort_by_key(|finding| std::cmp::Reverse(finding.sureness));
    found
}

impl ColumnProfile {
    /// Describes the evidence for a Safe Harbor identifier, without any value. Returns `None` if
    /// the column has no such evidence.
    pub fn identifier(&self, item: Item) -> Option<String> {
        let finding = self.findings.iter().find(|finding| {
            finding.kind.hipaa == Some(item) && finding.sureness >= Sureness::Possible
        });
        if let Some(finding) = finding {
            let share = words::percent(finding.share_fraction);
            return Some(format!(
                "{} ({share} of the values, {})",
                finding.what(),
                finding.sureness.name()
            ));
        }
        let name = name_words(&self.name);
        let says = item.words().iter().any(|word| name.iter().any(|own| own == word));
        if says && item == Item::Dates && self.numbers.is_none() {
            return None;
        }
        says.then(|| "indicated by the column name".to_owned())
    }

    /// Returns the most certain finding with one of the meanings, if it has at least this
    /// certainty.
    pub fn finding(&self, meanings: &[Meaning], at_least: Sureness) -> Option<&Finding> {
        self.findings
            .iter()
            .find(|finding| finding.sureness >= at_least && meanings.contains(&finding.meaning()))
    }

    /// Returns the number of rows with a value.
    pub fn n_present(&self) -> u64 {
        self.n_rows - self.n_missing
    }

    /// Returns whether all rows that have a value share the same value.
    pub fn is_constant(&self) -> bool {
        self.n_distinct <= 1
    }

    /// Returns whether nearly all rows have the same value.
    pub fn is_nearly_constant(&self) -> bool {
        !self.is_constant() && self.most_frequent_fraction >= NEARLY_CONSTANT
    }

    /// Returns the number of distinct values divided by the number of rows with a value, in [0, 1].
    pub fn distinct_fraction(&self) -> f64 {
        if self.n_present() == 0 { 0.0 } else { self.n_distinct as f64 / self.n_present() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(name: &str, values: &[&str]) -> ColumnProfile {
        let mut counted: Vec<(&str, u64)> = Vec::new();
        for value in values {
            match counted.iter_mut().find(|(other, _)| other == value) {
                Some((_, n)) => *n += 1,
                None => counted.push((value, 1)),
            }
        }
        examine(name, values.len() as u64, &counted)
    }

    #[test]
    fn numbers_with_missing_markers_are_numeric() {
        let found = profile("age", &["31", "42", "53", "64", "75", "NA", "36"]);
        assert_eq!(found.missing_texts, ["NA"]);
        assert!(found.numbers.is_some());
        assert_eq!(found.numbers_among_texts_fraction, None);
    }

    #[test]
    fn constants_and_mixed_types_are_detected() {
        assert!(profile("a", &["x", "x"]).is_constant());
        let mut nearly = vec!["x"; 199];
        nearly.push("y");
        assert!(profile("a", &nearly).is_nearly_constant());
        assert_eq!(profile("a", &["1", "2", "x", "y"]).numbers_among_texts_fraction, Some(0.5));
    }

    #[test]
    fn empty_column_has_no_findings() {
        let found = profile("a", &[]);
        assert!(found.findings.is_empty() && found.is_constant() && found.numbers.is_none());
    }

    /// Typical columns of a table about people are not recognized as identifiers.
    #[test]
    fn ordinary_columns_are_not_identifiers() {
        let of = |n: u32, make: &dyn Fn(u32) -> String| (0..n).map(make).collect::<Vec<String>>();
        let columns: [(&str, Vec<String>); 8] = [
            ("age", of(400, &|n| (17 + n % 77).to_string())),
            ("zip", of(400, &|n| (10_115 + n * 37).to_string())),
            ("cost", of(400, &|n| format!("{}.{:02}", 100 + n * 13, n % 100))),
            ("sex", of(400, &|n| if n % 2 == 0 { "female" } else { "male" }.to_owned())),
            ("admission", of(400, &|n| format!("2023-{:02}-{:02}", n % 12 + 1, n % 28 + 1))),
            ("hours-per-week", of(400, &|n| (n % 99).to_string())),
            ("capital-gain", of(400, &|n| (n * 297 % 99_999).to_string())),
            ("score", of(400, &|n| format!("0.{:04}", n * 7))),
        ];
        for (name, values) in &columns {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let found = profile(name, &values);
            let finding = found.finding(&[Meaning::Identifies, Meaning::Exact], Sureness::Possible);
            assert!(finding.is_none(), "{name}: {finding:?}");
        }
    }
}
