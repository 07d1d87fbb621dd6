//! Numeric ranges of equal width.

use crate::words;

/// The maximum number of ranges.
const MOST: f64 = 16.0;

/// A group of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Range {
    /// The label of the group.
    pub(crate) label: String,
    /// The indices of the values in the group.
    pub(crate) values: Vec<usize>,
}

/// Groups values into adjacent ranges of a round width. Missing values form a separate group.
/// Returns `None` if a value is not a number.
pub(crate) fn ranges(values: &[&str]) -> Option<Vec<Range>> {
    let numbers: Vec<Option<f64>> = values
        .iter()
        .map(|value| match *value {
            "" => Some(None),
            text => text.trim().parse::<f64>().ok().filter(|it| it.is_finite()).map(Some),
        })
        .collect::<Option<_>>()?;
    let present = || numbers.iter().flatten().copied();
    let (low, high) = (present().fold(f64::INFINITY, f64::min), present().fold(f64::MIN, f64::max));
    if low >= high {
        return None;
    }
    let width = widths((high - low) / MOST)
        .find(|width| ((high / width).floor() - (low / width).floor()) < MOST)?;
    let whole = width >= 1.0 && present().all(|number| number.fract() == 0.0);
    let first = (low / width).floor();
    let n = ((high / width).floor() - first) as usize + 1;
    let mut ranges: Vec<Range> = (0..n)
        .map(|at| {
            let (from, to) = ((first + at as f64) * width, (first + at as f64 + 1.0) * width);
            let label = match whole {
                true if width == 1.0 => words::number(from),
                true => format!("{}–{}", words::number(from), words::number(to - 1.0)),
                false => format!("{} to <{}", words::number(from), words::number(to)),
            };
            Range { label, values: Vec::new() }
        })
        .collect();
    let mut missing = Vec::new();
    for (at, number) in numbers.iter().enumerate() {
        match number {
            Some(number) => {
                let range = ((number / width).floor() - first) as usize;
                ranges[range.min(n - 1)].values.push(at);
            }
            None => missing.push(at),
        }
    }
    if !missing.is_empty() {
        ranges.insert(0, Range { label: words::label(""), values: missing });
    }
    Some(ranges)
}

/// Returns round widths in ascending order, starting near `smallest`.
fn widths(smallest: f64) -> impl Iterator<Item = f64> {
    let power = smallest.log10().floor() as i32;
    (power..power + 4).flat_map(|power| [1.0, 2.0, 5.0].map(|factor| factor * 10f64.powi(power)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_round_and_contiguous() {
        let ages: Vec<String> =
            (17..=90).filter(|age| *age != 50).map(|it| it.to_string()).collect();
        let ages: Vec<&str> = ages.iter().map(String::as_str).collect();
        let ranges = ranges(&ages).unwrap();
        assert_eq!(ranges[0], Range { label: "15–19".into(), values: vec![0, 1, 2] });
        assert_eq!(ranges.len(), 16);
        let all: Vec<usize> = ranges.iter().flat_map(|it| it.values.clone()).collect();
        assert_eq!(all, (0..ages.len()).collect::<Vec<_>>());
    }

    #[test]
    fn missing_values_are_separate_texts_have_no_ranges() {
        let found = ranges(&["", "0.5", "1.75", "3"]).unwrap();
        assert_eq!(found[0], Range { label: "(missing)".into(), values: vec![0] });
        assert!(found[1].label.contains(" to <"), "{found:?}");
        assert_eq!(ranges(&["1", "many"]), None);
        assert_eq!(ranges(&["7", "7.0"]), None);
        assert_eq!(ranges(&[]), None);
    }

    #[test]
    fn number_of_ranges_is_limited() {
        for (low, high) in [(0.0, 1.0), (-3.5, 1e9), (1e6, 1e6 + 1.0), (0.0, 15.9), (0.0, 16.0)] {
            let (low, high): (f64, f64) = (low, high);
            let texts = [low.to_string(), high.to_string()];
            let found = ranges(&[&texts[0], &texts[1]]).unwrap();
            assert!((2..=16).contains(&found.len()), "{low} to {high}: {}", found.len());
        }
    }
}
