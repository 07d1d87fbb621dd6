//! The distribution of the values of a column.

use indistinct_diagnostics::{Values, words};
use serde::Serialize;

use crate::column::ColumnProfile;
use crate::numbers;

/// The kind of values that a column contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnKind {
    /// The values are numbers, except for markers of missing values.
    Numbers,
    /// The values are mostly dates.
    Dates,
    /// Each value consists of the same number of digits.
    Codes,
    /// The values are other strings.
    Texts,
    /// The column has no values.
    Nothing,
}

/// A bar of a histogram.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bar {
    /// A value or a range of numbers. Labels are for the data holder only, so they are `None`
    /// unless requested. The bar for the remaining values has no label.
    pub label: Option<String>,
    /// The number of rows that the bar represents.
    pub n_rows: u64,
    /// Whether the bar represents all values that have no separate bar.
    pub is_rest: bool,
}

/// The maximum number of bars in a histogram.
pub const MOST_BARS: usize = 16;

impl ColumnKind {
    /// Determines the kind of values from the profile of the column.
    pub fn from_profile(profile: &ColumnProfile) -> Self {
        match profile {
            profile if profile.n_present() == 0 => Self::Nothing,
            ColumnProfile { dates: Some(_), .. } => Self::Dates,
            ColumnProfile { same_length_digits: true, .. } => Self::Codes,
            ColumnProfile { numbers: Some(_), .. } => Self::Numbers,
            _ => Self::Texts,
        }
    }
}

/// Returns the bars, which are ranges of numbers in increasing order, or the most frequent values
/// followed by one bar for all other values.
pub fn bars_of(profile: &ColumnProfile, present: &[(&str, u64)], values: Values) -> Vec<Bar> {
    match (ColumnKind::from_profile(profile), &profile.numbers) {
        (ColumnKind::Numbers, Some(found)) if profile.n_distinct > MOST_BARS as u64 => {
            of_numbers(present, found.range, values)
        }
        _ => of_values(present, values),
    }
}

fn of_numbers(present: &[(&str, u64)], (low, high): (f64, f64), values: Values) -> Vec<Bar> {
    let width = (high - low) / MOST_BARS as f64;
    let mut rows = vec![0; MOST_BARS];
    for (text, n) in present {
        if let Some((number, _)) = numbers::read(text) {
            let at = if width > 0.0 { ((number - low) / width) as usize } else { 0 };
            rows[at.min(MOST_BARS - 1)] += n;
        }
    }
    let label = |at: usize| {
        let end = |at: usize| words::number(low + width * at as f64);
        format!("{} to {}", end(at), end(at + 1))
    };
    let bar = |(at, n_rows): (usize, u64)| Bar {
        label: (values == Values::Shown).then(|| label(at)),
        n_rows,
        is_rest: false,
    };
    rows.into_iter().enumerate().map(bar).collect()
}

fn of_values(present: &[(&str, u64)], values: Values) -> Vec<Bar> {
    let mut order: Vec<&(&str, u64)> = present.iter().collect();
    order.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let n_own = if order.len() <= MOST_BARS { order.len() } else { MOST_BARS - 1 };
    let (own, rest) = order.split_at(n_own);
    let bar = |(value, n_rows): &&(&str, u64)| Bar {
        label: (values == Values::Shown).then(|| (*value).to_owned()),
        n_rows: *n_rows,
        is_rest: false,
    };
    let n_rest: u64 = rest.iter().map(|(_, n)| n).sum();
    let rest = (n_rest > 0).then_some(Bar { label: None, n_rows: n_rest, is_rest: true });
    own.iter().map(bar).chain(rest).collect()
}
