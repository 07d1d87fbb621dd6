//! Formatting of numbers.

/// Maximum number of decimals of a percentage: the first digit of the smallest positive double
/// follows 323 zeros.
const MOST_DECIMALS: usize = 330;

/// Formats an integer with a comma every three digits.
pub fn thousands(number: u64) -> String {
    group(&number.to_string())
}

fn group(digits: &str) -> String {
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Formats a number with four significant digits; all digits of the integer part are shown.
pub fn number(value: f64) -> String {
    significant(value, 4)
}

fn significant(value: f64, digits: i32) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let decimals = usize::try_from(digits - 1 - magnitude).unwrap_or(0);
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = fraction.trim_end_matches('0');
    let zero = whole == "0" && fraction.is_empty();
    let sign = if value < 0.0 && !zero { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", group(whole))
}

/// Formats a number with enough digits that it compares with `other` in the same way as the exact
/// number: a level just below a requirement is never rounded up to the requirement.
pub fn number_next_to(value: f64, other: f64) -> String {
    (4..17)
        .map(|digits| significant(value, digits))
        .find(|text| {
            text.replace(',', "")
                .parse::<f64>()
                .is_ok_and(|shown| shown.partial_cmp(&other) == value.partial_cmp(&other))
        })
        .unwrap_or_else(|| value.to_string())
}

/// Formats a fraction as a percentage: `50%`, `16.7%`, `0.42%`. A nonzero fraction is never shown
/// as 0%, and a fraction other than 1 is never shown as 100%: more digits are shown instead, so the
/// text fits any sentence (`at most 0.002%`).
pub fn percent(fraction: f64) -> String {
    let value = fraction * 100.0;
    let usual = if value.abs() < 1.0 { 2 } else { 1 };
    let rounded = |decimals: usize| format!("{value:.decimals$}");
    let hides = |text: &str| {
        let shown: f64 = text.parse().unwrap_or(value);
        shown != value && (shown == 0.0 || shown == 100.0)
    };
    let text = (usual..MOST_DECIMALS).map(rounded).find(|text| !hides(text));
    let text = text.unwrap_or_else(|| value.to_string());
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let decimals = decimals.trim_end_matches('0');
    let zero = whole.trim_start_matches('-') == "0" && decimals.is_empty();
    let sign = if whole.starts_with('-') && !zero { "-" } else { "" };
    let point = if decimals.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{decimals}%", group(whole.trim_start_matches('-')))
}

/// Formats a number with all its digits, as in a policy.
pub fn exact(value: f64) -> String {
    let text = value.to_string();
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return text;
    }
    let sign = if digits.len() < text.len() { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", group(whole))
}

/// Formats a fraction as a percentage with all its digits.
pub fn percent_exact(fraction: f64) -> String {
    let text = fraction.to_string();
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let rest = format!("{rest:0<2}");
    let (moved, rest) = rest.split_at(2);
    let digits = format!("{whole}{moved}");
    let digits = match digits.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let point = if rest.is_empty() { "" } else { "." };
    format!("{digits}{point}{rest}%")
}

/// Formats the fraction `part / whole` as a percentage; 0% if `whole` is 0.
pub fn share(part: u64, whole: u64) -> String {
    percent(if whole == 0 { 0.0 } else { part as f64 / whole as f64 })
}

/// Formats a probability as odds: `1 in 5`, `about 1 in 19`; `None` if odds are not informative (0,
/// or between one half and 1).
pub fn odds(probability: f64) -> Option<String> {
    if probability <= 0.0 || (probability > 0.5 && probability < 1.0) {
        return None;
    }
    let one_in = 1.0 / probability;
    let rounded = one_in.round();
    let about = if (one_in - rounded).abs() > 1e-9 * one_in { "about " } else { "" };
    Some(format!("{about}1 in {}", number(rounded)))
}

/// Formats a rank: `1st`, `2nd`.
pub fn ordinal(number: u64) -> String {
    let ending = match (number % 10, number % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{}{ending}", thousands(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_rounded() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(thousands(30_162), "30,162");
        assert_eq!(thousands(u64::MAX), "18,446,744,073,709,551,615");
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (2.0, "2"),
            (2.828_427, "2.828"),
            (0.292_81, "0.2928"),
            (-1_234.56, "-1,235"),
            (53_291_920.0, "53,291,920"),
            (0.000_012_345, "0.00001234"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn level_below_requirement_is_not_rounded_up() {
        assert_eq!(number_next_to(3.999_99, 4.0), "3.99999");
        assert_eq!(number_next_to(4.0, 4.0), "4");
        assert_eq!(number_next_to(4.000_01, 4.0), "4.00001");
        assert_eq!(number_next_to(3.1, 4.0), "3.1");
    }

    #[test]
    fn percentages_preserve_nonzero_and_incomplete_fractions() {
        for (fraction, text) in [
            (0.0, "0%"),
            (1.0, "100%"),
            (0.2, "20%"),
            (1.0 / 6.0, "16.7%"),
            (0.004_2, "0.42%"),
            (0.000_01, "0.001%"),
            (0.000_012_6, "0.001%"),
            (0.999_5, "99.95%"),
            (0.999_96, "99.996%"),
            (0.999_999_9, "99.99999%"),
            (2.5, "250%"),
            (12.345, "1,234.5%"),
            (-0.25, "-25%"),
            (-0.000_001, "-0.0001%"),
            (-0.0, "0%"),
            (f64::NAN, "NaN%"),
        ] {
            assert_eq!(percent(fraction), text);
        }
        assert_eq!([share(1, 0), share(0, 7), share(7, 7)], ["0%", "0%", "100%"]);
    }

    #[test]
    fn policy_numbers_preserve_all_digits() {
        for (value, text) in [
            (5.0, "5"),
            (2.000_05, "2.00005"),
            (1_234_567.25, "1,234,567.25"),
            (-1_000.5, "-1,000.5"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(exact(value), text);
        }
        for (fraction, text) in [
            (0.0, "0%"),
            (1.0, "100%"),
            (0.07, "7%"),
            (0.5, "50%"),
            (0.123_45, "12.345%"),
            (0.000_1, "0.01%"),
            (2.5, "250%"),
        ] {
            assert_eq!(percent_exact(fraction), text);
        }
    }

    #[test]
    fn odds_are_whole_numbers() {
        assert_eq!(odds(0.2).as_deref(), Some("1 in 5"));
        assert_eq!(odds(1.0 / 49.0).as_deref(), Some("1 in 49"));
        assert_eq!(odds(0.3).as_deref(), Some("about 1 in 3"));
        assert_eq!(odds(1.0).as_deref(), Some("1 in 1"));
        assert_eq!((odds(0.0), odds(0.7)), (None, None));
    }

    #[test]
    fn ordinals_have_correct_suffixes() {
        let ranks = [1, 2, 3, 4, 11, 12, 13, 21, 102, 1_113].map(ordinal);
        assert_eq!(
            ranks,
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "1,113th"]
        );
    }
}
