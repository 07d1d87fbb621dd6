//! Strings that represent a missing value.

/// Numbers that represent a missing value if all other numbers are larger and not negative.
const NUMBERS: &[&str] = &["-9", "-99", "-999", "-1", "-8", "-7", "-66", "-77", "-88"];
/// Numbers that represent a missing value if they are far above all other numbers.
const NINES: &[&str] = &["99", "999", "9999", "99999"];

/// Returns the strings that probably represent a missing value. In a column of words, `none` and
/// `unknown` are valid values, so they are treated as missing only if the other values are numbers
/// or dates.
pub fn of_values(values: &[(&str, u64)]) -> Vec<String> {
    let is_number =
        |text: &str| crate::numbers::read(text).is_some() || crate::dates::read(text).is_some();
    let is_marker = |text: &str| crate::words::named("missing-values").contains(&text);
    let n_others = values.iter().filter(|(value, _)| !is_marker(value.trim())).count();
    let n_numbers = values.iter().filter(|(value, _)| is_number(value)).count();
    let of_numbers = n_others > 0 && n_numbers * 10 >= n_others * 9;
    let is_sure = |text: &str| {
        text.len() <= 4 && !text.eq_ignore_ascii_case("none") && !text.eq_ignore_ascii_case("na")
            || text == "NA"
            || text == "k. A."
    };
    let mut found: Vec<String> = values
        .iter()
        .map(|(value, _)| value.trim())
        .filter(|text| is_marker(text) && (of_numbers || is_sure(text)))
        .map(str::to_owned)
        .collect();
    if of_numbers {
        let numbers: Vec<f64> =
            values.iter().filter_map(|(value, _)| value.trim().parse().ok()).collect();
        let has = |text: &str| values.iter().any(|(value, _)| value.trim() == text);
        let n_negative = numbers.iter().filter(|number| **number < 0.0).count();
        let markers: Vec<&str> = NUMBERS.iter().copied().filter(|text| has(text)).collect();
        let is_enough = numbers.len() >= markers.len() + 5 || are_outlying(&numbers);
        if n_negative == markers.len() && is_enough {
            found.extend(markers.iter().map(|text| (*text).to_owned()));
        }
        for text in NINES.iter().filter(|text| has(text)) {
            let marker: f64 = text.parse().unwrap_or(f64::MAX);
            let most =
                numbers.iter().copied().filter(|number| *number < marker).fold(f64::MIN, f64::max);
            let is_last = numbers.iter().all(|number| *number <= marker);
            if is_last && most > 0.0 && most * 3.0 < marker && numbers.len() > 5 {
                found.push((*text).to_owned());
            }
        }
    }
    found
}

/// Returns whether the distance between the negative numbers and the other numbers exceeds the
/// range of the other numbers, such as for -9 and values from 0 to 3. There must be at least two
/// other numbers.
fn are_outlying(numbers: &[f64]) -> bool {
    let mut numbers: Vec<f64> = numbers.iter().copied().filter(|it| it.is_finite()).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    let (negative, others): (Vec<f64>, Vec<f64>) = numbers.iter().partition(|it| **it < 0.0);
    let ends = |all: &[f64]| {
        all.iter().fold((f64::MAX, f64::MIN), |(low, high), it| (low.min(*it), high.max(*it)))
    };
    let ((_, nearest), (low, high)) = (ends(&negative), ends(&others));
    !negative.is_empty() && others.len() > 1 && low - nearest > high - low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str]) -> Vec<String> {
        let values: Vec<(&str, u64)> = values.iter().map(|value| (*value, 1)).collect();
        of_values(&values)
    }

    #[test]
    fn missing_markers_are_detected_among_numbers() {
        assert_eq!(found(&["1", "2", "3", "4", "5", "NA", "-9"]), ["NA", "-9"]);
        assert_eq!(found(&["17", "25", "31", "44", "52", "60", "999"]), ["999"]);
        // NaN does not count as a number. Equal numbers in different notations count as one number.
        for values in [&["NaN", "4", "-9"][..], &["1", "1.0", "-1"]] {
            assert!(!found(values).iter().any(|text| text.starts_with('-')), "{values:?}");
        }
        assert_eq!(found(&["0", "1", "2", "3", "-9"]), ["-9"]);
        assert_eq!(found(&["0", "1", "-1"]), Vec::<String>::new());
        assert_eq!(found(&["4", "-9"]), Vec::<String>::new());
        assert_eq!(found(&["-9", "-5", "-3", "1", "2", "3", "4"]), Vec::<String>::new());
        assert_eq!(found(&["12.5", "unknown"]), ["unknown"]);
    }

    #[test]
    fn answer_words_are_not_missing_markers() {
        assert_eq!(found(&["none", "mild", "severe"]), Vec::<String>::new());
        assert_eq!(found(&["mild", "severe", "?", "NULL"]), ["?", "NULL"]);
    }
}
