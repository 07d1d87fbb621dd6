//! The features from which models predict an attribute.
//!
//! In a decision tree, the midpoint of the covered numbers or places represents a value; values
//! with the same label are adjacent on the axis. In a regression, a number is represented by its
//! standardized midpoint, and each other value by a separate indicator.

use indistinct_core::published::{Attachment, ReleaseWithOriginal};

use super::sample::Row;
use crate::axes::{Axes, Axis, CoveredPlaces};

/// The maximum number of indicators per attribute. Indicators represent the most frequent values.
const MOST_INDICATORS: usize = 100;

/// The rows in the format that models require.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    pub n_rows: usize,
    /// For each attribute and row, the midpoint of the covered places or numbers.
    pub middles: Vec<Vec<f64>>,
    /// For each row, the positions and values of the nonzero inputs of a regression.
    pub sparse: Vec<Vec<(u32, f64)>>,
}

/// An attribute that is used for prediction.
#[derive(Debug, Clone)]
struct Feature {
    /// The index of the axis of the attribute.
    at: usize,
    /// For each code, the midpoint of the covered places or numbers.
    middles: Vec<f64>,
    /// The midpoint of the whole domain.
    middle_of_all: f64,
    input: Input,
    /// For each code of the original, the released code if all rows with the original code share
    /// it, and `None` otherwise.
    released_as: Vec<Option<u32>>,
}

/// The representation of an attribute in the input of a regression.
#[derive(Debug, Clone)]
enum Input {
    Number {
        position: u32,
        mean: f64,
        deviation: f64,
    },
    /// The indicator of each code.
    Indicators(Vec<Option<u32>>),
}

/// The attributes that are used for prediction, and the rows that are used for training.
#[derive(Debug, Clone)]
pub(super) struct Features {
    features: Vec<Feature>,
    /// The number of inputs of a regression.
    pub n_inputs: u32,
    pub rows: Rows,
}

fn middle(axis: &Axis, covered: &CoveredPlaces) -> f64 {
    let Some(numbers) = &axis.numbers else { return covered.middle() };
    let first = covered.places().find_map(|place| numbers[place as usize]);
    let last = covered
        .spans
        .iter()
        .rev()
        .find_map(|span| (span.from..span.to).rev().find_map(|place| numbers[place as usize]));
    match (first, last) {
        (Some(first), Some(last)) => (first + last) / 2.0,
        // The midpoint of the domain represents a missing number.
        _ => middle_of_all(axis),
    }
}

fn middle_of_all(axis: &Axis) -> f64 {
    let Some(numbers) = &axis.numbers else {
        return f64::from(axis.n_places.saturating_sub(1)) / 2.0;
    };
    let mut known = numbers.iter().flatten();
    let first = known.next().copied().unwrap_or(0.0);
    (first + known.next_back().copied().unwrap_or(first)) / 2.0
}

/// The codes of the rows in one attribute. `None` represents a value that covers the whole domain.
type Codes = Vec<Option<u32>>;

impl Features {
    /// Creates features for all attributes except the target, with the values in the original.
    pub(super) fn of_original(
        pair: &ReleaseWithOriginal,
        axes: &Axes,
        target: usize,
        rows: &[Row],
    ) -> Self {
        let exact = |axis: &Axis| -> Vec<f64> {
            let of = |&place: &u32| {
                let span = crate::axes::Span { from: place, to: place + 1 };
                middle(axis, &CoveredPlaces { spans: vec![span], n_places: 1 })
            };
            axis.place_of.iter().map(of).collect()
        };
        let each = pair.original.columns().zip(&axes.axes).enumerate();
        let each = each.filter(|(at, _)| *at != target);
        let each = each.map(|(at, (column, axis))| {
            let codes: Codes =
                rows.iter().map(|row| Some(column.codes[row.original as usize])).collect();
            (at, axis, exact(axis), codes, Vec::new())
        });
        Self::new(each, rows.len())
    }

    /// Creates features for all attributes except the target, with the values in the released rows.
    pub(super) fn of_release(
        pair: &ReleaseWithOriginal,
        axes: &Axes,
        target: usize,
        rows: &[Row],
    ) -> Self {
        let published = &pair.published;
        let n_attributes = match published.attachment {
            Attachment::ToClasses => axes.n_quasi_identifiers,
            _ => axes.axes.len(),
        };
        let each = published.rows.columns().zip(&axes.axes).enumerate().take(n_attributes);
        let each = each.filter(|(at, _)| *at != target);
        let each = each.map(|(at, (column, axis))| {
            let code = |row: &Row| row.released.map(|tuple| column.codes[tuple as usize]);
            let middles = axis.released.iter().map(|covered| middle(axis, covered)).collect();
            (at, axis, middles, rows.iter().map(code).collect(), released_as(pair, at))
        });
        Self::new(each, rows.len())
    }

    fn new<'a>(
        each: impl Iterator<Item = (usize, &'a Axis, Vec<f64>, Codes, Vec<Option<u32>>)>,
        n_rows: usize,
    ) -> Self {
        let (mut features, mut all_codes) = (Vec::new(), Vec::new());
        let mut n_inputs = 0u32;
        for (at, axis, middles, codes, released_as) in each {
            let middle_of_all = middle_of_all(axis);
            let input = match axis.numbers {
                Some(_) => number(n_inputs, &middles, &codes, middle_of_all),
                None => indicators(n_inputs, middles.len(), &codes),
            };
            n_inputs += match &input {
                Input::Number { .. } => 1,
                Input::Indicators(of) => of.iter().flatten().count() as u32,
            };
            features.push(Feature { at, middles, middle_of_all, input, released_as });
            all_codes.push(codes);
        }
        let mut all = Self { features, n_inputs, rows: Rows::default() };
        all.rows = all.rows_of(&all_codes, n_rows);
        all
    }

    /// Returns the test rows with their values in the original.
    pub(super) fn rows_of_original(&self, pair: &ReleaseWithOriginal, rows: &[Row]) -> Rows {
        let codes = |feature: &Feature| {
            let column =
                pair.original.columns().nth(feature.at).expect("every feature is a column");
            rows.iter().map(|row| Some(column.codes[row.original as usize])).collect()
        };
        let codes: Vec<Codes> = self.features.iter().map(codes).collect();
        self.rows_of(&codes, rows.len())
    }

    /// Returns the test rows with their released values. Suppressed rows get the values that they
    /// would have if they were released.
    pub(super) fn rows_of_release(&self, pair: &ReleaseWithOriginal, rows: &[Row]) -> Rows {
        let codes = |feature: &Feature| -> Codes {
            let released =
                pair.published.rows.columns().nth(feature.at).expect("every feature is a column");
            let raw = pair.original.columns().nth(feature.at).expect("every feature is a column");
            let code = |row: &Row| match row.released {
                Some(tuple) => Some(released.codes[tuple as usize]),
                None => feature.released_as[raw.codes[row.original as usize] as usize],
            };
            rows.iter().map(code).collect()
        };
        let codes: Vec<Codes> = self.features.iter().map(codes).collect();
        self.rows_of(&codes, rows.len())
    }

    fn rows_of(&self, codes: &[Codes], n_rows: usize) -> Rows {
        let middle_of = |feature: &Feature, code: Option<u32>| match code {
            Some(code) => feature.middles[code as usize],
            None => feature.middle_of_all,
        };
        let middles =
            self.features.iter().zip(codes).map(|(feature, codes)| {
                codes.iter().map(|&code| middle_of(feature, code)).collect()
            });
        let input = |(feature, codes): (&Feature, &Codes), row: usize| match &feature.input {
            Input::Number { position, mean, deviation } => {
                Some((*position, (middle_of(feature, codes[row]) - mean) / deviation))
            }
            Input::Indicators(of) => Some((of[codes[row]? as usize]?, 1.0)),
        };
        let sparse = |row: usize| {
            self.features.iter().zip(codes).filter_map(|feature| input(feature, row)).collect()
        };
        Rows { n_rows, middles: middles.collect(), sparse: (0..n_rows).map(sparse).collect() }
    }
}

fn number(position: u32, middles: &[f64], codes: &Codes, middle_of_all: f64) -> Input {
    let of = |code: &Option<u32>| code.map_or(middle_of_all, |code| middles[code as usize]);
    let n = codes.len().max(1) as f64;
    let mean = codes.iter().map(of).sum::<f64>() / n;
    let variance = codes.iter().map(|code| (of(code) - mean).powi(2)).sum::<f64>() / n;
    let deviation = if variance > 0.0 { variance.sqrt() } else { 1.0 };
    Input::Number { position, mean, deviation }
}

fn indicators(first: u32, n_codes: usize, codes: &Codes) -> Input {
    let mut rows = vec![0u64; n_codes];
    for &code in codes.iter().flatten() {
        rows[code as usize] += 1;
    }
    let mut order: Vec<usize> = (0..n_codes).filter(|&code| rows[code] > 0).collect();
    order.sort_by_key(|&code| (std::cmp::Reverse(rows[code]), code));
    let mut of = vec![None; n_codes];
    for (position, code) in (first..).zip(order.into_iter().take(MOST_INDICATORS)) {
        of[code] = Some(position);
    }
    Input::Indicators(of)
}

/// Returns, for each code of an original column, the released code if all rows with the original
/// code share it.
fn released_as(pair: &ReleaseWithOriginal, at: usize) -> Vec<Option<u32>> {
    let (Some(raw), Some(released)) =
        (pair.original.columns().nth(at), pair.published.rows.columns().nth(at))
    else {
        return Vec::new();
    };
    let mut known: Vec<Option<u32>> = vec![None; raw.dictionary.len()];
    let mut differs = vec![false; raw.dictionary.len()];
    for link in pair.links.iter().flatten() {
        let Some(tuple) = link.released else { continue };
        let (code, label) = (raw.codes[link.original as usize], released.codes[tuple as usize]);
        let first = *known[code as usize].get_or_insert(label);
        differs[code as usize] |= first != label;
    }
    known.into_iter().zip(differs).map(|(known, differs)| known.filter(|_| !differs)).collect()
}
