//! Strings that represent a missing value.

use indistinct_core::model::number_of;
use indistinct_diagnostics::words;
use indistinct_engine::{Format, InputSpec, NullValues};

/// Numbers that represent a missing value if all other numbers are larger and not negative.
const NUMBERS: &[&str] = &["-9", "-99", "-999", "-1", "-8", "-7", "-66", "-77", "-88"];
/// The numbers 99, 999, and so on, and the two numbers before each of them, such as 97 and 98, often
/// represent a missing value if they are far above all other numbers.
const NINES: &[u32] = &[99, 999, 9_999, 99_999];

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
        let numbers = values.iter().filter_map(|(value, _)| value.trim().parse().ok());
        let mut numbers: Vec<f64> = numbers.filter(|number: &f64| number.is_finite()).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        let has = |text: &str| text.parse().is_ok_and(|marker: f64| numbers.contains(&marker));
        let n_negative = numbers.iter().filter(|number| **number < 0.0).count();
        let markers: Vec<&str> = NUMBERS.iter().copied().filter(|text| has(text)).collect();
        let is_enough = numbers.len() >= markers.len() + 5 || are_outlying(&numbers);
        if n_negative == markers.len() && is_enough {
            found.extend(markers.iter().map(|text| (*text).to_owned()));
        }
        for nines in NINES {
            let codes = [nines - 2, nines - 1, *nines].map(f64::from);
            let (markers, others): (Vec<f64>, Vec<f64>) =
                numbers.iter().partition(|number| codes.contains(number));
            let most = others.iter().copied().fold(f64::MIN, f64::max);
            if most > 0.0 && most * 3.0 < codes[0] && others.len() >= 5 {
                found.extend(markers.iter().map(f64::to_string));
            }
        }
    }
    found
}

/// Declares the strings that probably represent a missing value in each column, and returns whether
/// any of them was undeclared. In text formats, words apply to all columns. Numbers apply only to
/// the columns that contain them, because the same number may be a value in another column.
pub fn declare<'a>(
    spec: &mut InputSpec,
    format: Format,
    columns: impl Iterator<Item = (&'a str, &'a [String])>,
) -> bool {
    let mut has_added = false;
    for (column, texts) in columns {
        for text in texts {
            let declared = spec.null_values.iter().chain(spec.own_null_values(column));
            if NullValues::new(declared).contains(text) {
                continue;
            }
            has_added = true;
            if !format.is_columnar() && number_of(text).is_none() {
                spec.null_values.push(text.clone());
                continue;
            }
            let all = &mut spec.column_null_values;
            match all.iter_mut().find(|(name, _)| name == column) {
                Some((_, values)) => values.push(text.clone()),
                None => all.push((column.to_owned(), vec![text.clone()])),
            }
        }
    }
    has_added
}

/// Describes the strings that [`declare`] has added to the given declarations.
pub fn added(given: &InputSpec, spec: &InputSpec) -> Vec<String> {
    let new = |all: &[String], known: &[String]| -> Vec<String> {
        all.iter().filter(|it| !known.contains(it)).map(|text| format!("\"{text}\"")).collect()
    };
    let seems = |texts: &[String]| {
        let verb = words::either(texts.len() as u64, "seems to represent", "seem to represent");
        format!("{} {verb} a missing value", words::list(texts))
    };
    let is = |texts: &[String]| words::either(texts.len() as u64, "is", "are");
    let in_all = new(&spec.null_values, &given.null_values);
    let mut sentences = Vec::new();
    if !in_all.is_empty() {
        sentences.push(format!(
            "{} in some columns and {} read as missing in all columns: check null_values.",
            seems(&in_all),
            is(&in_all)
        ));
    }
    for (column, values) in &spec.column_null_values {
        let own = new(values, given.own_null_values(column));
        if !own.is_empty() {
            sentences.push(format!(
                "In the column {}, {} and {} read as missing: check null_values of the column.",
                words::label(column),
                seems(&own),
                is(&own)
            ));
        }
    }
    sentences
}

/// Returns whether the distance between the negative numbers and the other numbers exceeds the
/// range of the other numbers, such as for -9 and values from 0 to 3. There must be at least two
/// other numbers. The numbers are distinct.
fn are_outlying(numbers: &[f64]) -> bool {
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
        assert_eq!(found(&["0.5", "1.0", "2.5", "3.0", "-9.0"]), ["-9"]);
        assert_eq!(found(&["1.5", "2.0", "3.0", "4.0", "5.0", "6.0", "99.0"]), ["99"]);
        assert_eq!(found(&["1", "2", "5", "8", "12", "17", "98", "99"]), ["98", "99"]);
        assert_eq!(found(&["0", "1", "2", "3", "4", "10", "98"]), ["98"]);
        for top in ["33", "96", "98.5", "100"] {
            let values = ["0", "1", "2", "3", "4", "10", "98", top];
            assert_eq!(found(&values), Vec::<String>::new(), "{top}");
        }
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
