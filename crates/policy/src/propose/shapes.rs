//! What the shape of a column tells about its hierarchy.

use super::ColumnProfile;

/// The smallest intervals divide the range into at most this many.
const MOST_INTERVALS: f64 = 20.0;

/// Beyond ten to this power, up or down, widths are not proposed.
const LARGEST_EXPONENT: i32 = 12;

/// Codes of same length that are smaller than this are more likely ages or years.
const SMALLEST_CODE: f64 = 10_000.0;

/// The `hierarchy` line with its comment.
pub(super) fn hierarchy(column: &ColumnProfile) -> String {
    if column.dates {
        return "hierarchy = { dates = [\"month\", \"quarter\", \"year\", \"decade\"] }\n"
            .to_owned();
    }
    if column.same_length_codes && is_code(column) {
        return "hierarchy = { mask = \"right\" }    # hides one digit more at each level\n"
            .to_owned();
    }
    let flat = "# no hierarchy: the value or \"*\"; hierarchy = { csv = \"FILE\" } or { tree = { ... } } keep more\n";
    let Some((smallest, largest, whole)) = column.numeric else { return flat.to_owned() };
    match widths(largest - smallest, whole) {
        Some(widths) => format!("hierarchy = {{ intervals = [{}] }}\n", widths.join(", ")),
        None => flat.to_owned(),
    }
}

fn is_code(column: &ColumnProfile) -> bool {
    let name = column.name.to_lowercase();
    let named =
        ["zip", "post", "plz", "code", "fips", "area"].iter().any(|word| name.contains(word));
    // Numbers whose digits have one length begin with a digit above 0 unless the column is text.
    named || column.numeric.is_none_or(|(smallest, _, _)| smallest >= SMALLEST_CODE)
}

/// Round widths for a range: 5, 10 and 20 for 73. They tell no more of the values than the order of magnitude of the range.
fn widths(range: f64, whole: bool) -> Option<Vec<String>> {
    if !range.is_finite() || range <= 0.0 || (whole && range <= 4.0) {
        return None;
    }
    let wanted = range / MOST_INTERVALS;
    let exponent = wanted.log10().floor() as i32;
    if exponent.abs() > LARGEST_EXPONENT {
        return None;
    }
    let unit = 10f64.powi(exponent);
    // (mantissa, the next widths in units of its power of ten)
    let (widths, exponent): ([u32; 3], i32) = if whole && exponent < 0 {
        ([2, 10, 20], 0)
    } else if wanted <= unit {
        ([1, 5, 10], exponent)
    } else if wanted <= 2.0 * unit {
        ([2, 10, 20], exponent)
    } else if wanted <= 5.0 * unit {
        ([5, 10, 20], exponent)
    } else {
        ([10, 50, 100], exponent)
    };
    let literals: Vec<String> = widths
        .iter()
        .enumerate()
        .filter(|(at, width)| *at == 0 || f64::from(**width) * 10f64.powi(exponent) < range)
        .filter(|(_, width)| !(whole && exponent == 0 && **width == 1))
        .map(|(_, width)| literal(*width, exponent))
        .collect();
    (!literals.is_empty()).then_some(literals)
}

/// `width * 10^exponent` without an exponent.
fn literal(width: u32, exponent: i32) -> String {
    let zeros = |n: i32| "0".repeat(usize::try_from(n).unwrap_or(0));
    if exponent >= 0 {
        return format!("{width}{}", zeros(exponent));
    }
    let digits = width.to_string();
    let places = usize::try_from(-exponent).unwrap_or(0);
    let padded = format!("{}{digits}", "0".repeat((places + 1).saturating_sub(digits.len())));
    let (before, after) = padded.split_at(padded.len() - places);
    let after = after.trim_end_matches('0');
    if after.is_empty() { before.to_owned() } else { format!("{before}.{after}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_fit_the_range() {
        let list = |range, whole| widths(range, whole).map(|widths| widths.join(" "));
        assert_eq!(list(73.0, true).as_deref(), Some("5 10 20"));
        assert_eq!(list(12.0, true).as_deref(), Some("2 10"));
        assert_eq!(list(20.0, true).as_deref(), Some("5 10"));
        assert_eq!(list(0.7, false).as_deref(), Some("0.05 0.1 0.2"));
        assert_eq!(list(123_456.0, true).as_deref(), Some("10000 50000 100000"));
        assert_eq!(list(3.0, true), None);
        assert_eq!(list(f64::NAN, false), None);
        assert_eq!(list(1e300, false), None);
        assert_eq!(list(0.0, false), None);
    }

    #[test]
    fn digits_are_masked_where_they_are_a_code() {
        let column = |name: &str, smallest: f64| ColumnProfile {
            name: name.to_owned(),
            n_rows: 100,
            n_distinct: 50,
            n_missing: 0,
            numeric: Some((smallest, smallest + 900.0, true)),
            dates: false,
            same_length_codes: true,
        };
        assert!(hierarchy(&column("zip", 213.0)).contains("mask"));
        assert!(hierarchy(&column("xyz", 13_053.0)).contains("mask"));
        assert!(hierarchy(&column("year", 1950.0)).contains("intervals"));
    }
}
