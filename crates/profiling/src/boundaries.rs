//! Intervals between chosen boundaries, as the labels of the values of a column.

use indistinct_core::{Coarsening, MISSING};
use indistinct_labels::{Interval, Rational, decimal, parse_decimal};

/// Returns the boundaries of `n_intervals` intervals with approximately equal numbers of rows.
/// `values` contains each value with its number of rows. Returns `None` if a value is not a number,
/// or if all numbers are equal. Missing values are ignored.
pub fn quantiles(values: &[(String, u64)], n_intervals: u64) -> Option<Vec<String>> {
    let present = values.iter().filter(|(value, _)| value != MISSING);
    let present = present.map(|(value, n_rows)| (value.as_str(), *n_rows));
    let Coarsening::Boundaries(boundaries) =
        Coarsening::Quantiles(n_intervals).resolved(present)?
    else {
        return None;
    };
    boundaries.iter().map(decimal).collect()
}

/// Returns each value with its label at each level. At level 1, the labels are the half-open
/// intervals between the boundaries; each further level joins `n_joined` neighboring intervals of
/// the previous level, up to the last level with at least two intervals. If `n_joined` is less than
/// 2, there is one level.
///
/// Returns `None` if a boundary or a value is not a number, or if the boundaries are empty or not
/// ascending. Missing values are ignored.
pub fn labels(
    values: &[(String, u64)],
    boundaries: &[&str],
    n_joined: usize,
) -> Option<Vec<Vec<String>>> {
    let boundaries = boundaries.iter().map(|text| parse_decimal(text).ok());
    let boundaries = boundaries.collect::<Option<Vec<Rational>>>()?;
    let is_ascending = boundaries.windows(2).all(|pair| pair[0] < pair[1]);
    if boundaries.is_empty() || !is_ascending {
        return None;
    }
    let mut levels = vec![boundaries];
    while let Some(finer) = levels.last().filter(|_| n_joined >= 2) {
        let coarser: Vec<Rational> =
            finer.iter().skip(n_joined - 1).step_by(n_joined).copied().collect();
        if coarser.is_empty() {
            break;
        }
        levels.push(coarser);
    }
    let levels: Vec<Coarsening> = levels.into_iter().map(Coarsening::Boundaries).collect();
    let present = values.iter().map(|(value, _)| value).filter(|value| *value != MISSING);
    let row = |value: &String| {
        let labels = levels.iter().map(|level| level.apply(value));
        std::iter::once(Some(value.clone())).chain(labels).collect()
    };
    present.map(row).collect()
}

/// Returns the boundaries of the intervals that the labels describe, or `None` if a label is not an
/// interval.
pub fn of_labels<'a>(labels: impl Iterator<Item = &'a str> + Clone) -> Option<Vec<String>> {
    if !labels.clone().all(|label| Interval::read(label).is_some()) {
        return None;
    }
    // The number of quantiles has no effect.
    match Coarsening::Quantiles(0).as_released(labels)? {
        Coarsening::Boundaries(boundaries) => boundaries.iter().map(decimal).collect(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(texts: &[&str]) -> Vec<(String, u64)> {
        texts.iter().map(|text| ((*text).to_owned(), 1)).collect()
    }

    #[test]
    fn each_level_joins_neighboring_intervals() {
        let column = values(&["", "18", "20", "34.9", "35", "50", "1e2"]);
        let rows = labels(&column, &["20", "35", "50", "65"], 2).expect("labels");
        let expected: [[&str; 4]; 6] = [
            ["18", "< 20", "< 35", "< 65"],
            ["20", "[20, 35)", "< 35", "< 65"],
            ["34.9", "[20, 35)", "< 35", "< 65"],
            ["35", "[35, 50)", "[35, 65)", "< 65"],
            ["50", "[50, 65)", "[35, 65)", "< 65"],
            ["1e2", ">= 65", ">= 65", ">= 65"],
        ];
        assert_eq!(rows, expected);
        let single = labels(&column, &["20", "35"], 0).expect("labels");
        assert!(single.iter().all(|row| row.len() == 2));
        assert_eq!(labels(&column, &["20", "35"], 3).expect("labels")[0].len(), 2);
    }

    #[test]
    fn invalid_boundaries_and_values_are_rejected() {
        let column = values(&["18", "20"]);
        for boundaries in [&[][..], &["x"], &["20", "20"], &["20", "10"]] {
            assert_eq!(labels(&column, boundaries, 2), None, "{boundaries:?}");
        }
        assert_eq!(labels(&values(&["18", "old"]), &["20"], 2), None);
        assert_eq!(quantiles(&values(&["18", "old"]), 2), None);
        assert_eq!(quantiles(&values(&["18", "18.0"]), 2), None);
    }

    #[test]
    fn quantiles_have_about_equal_rows() {
        let column: Vec<(String, u64)> = (0..100).map(|n| (n.to_string(), 1)).collect();
        let boundaries = quantiles(&column, 4).expect("numbers");
        assert_eq!(boundaries, ["25", "50", "75"]);
        let skewed = [("1".to_owned(), 90), ("2".to_owned(), 5), ("3".to_owned(), 5)];
        assert_eq!(quantiles(&skewed, 2).expect("numbers"), ["2"]);
    }

    #[test]
    fn boundaries_can_be_read_from_labels() {
        let texts = ["< 20", "[20, 35)", "[20, 35)", ">= 65"];
        assert_eq!(of_labels(texts.into_iter()).expect("intervals"), ["20", "35", "65"]);
        assert_eq!(of_labels(["< 20", "young"].into_iter()), None);
        assert_eq!(of_labels([].into_iter()), None);
    }
}
