//! Boundaries of intervals with approximately equal numbers of rows.

use indistinct_core::{Coarsening, MISSING};
use indistinct_labels::decimal;

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

#[cfg(test)]
mod tests {
    use super::*;

    fn values(texts: &[&str]) -> Vec<(String, u64)> {
        texts.iter().map(|text| ((*text).to_owned(), 1)).collect()
    }

    #[test]
    fn columns_with_other_values_have_no_quantiles() {
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
}
