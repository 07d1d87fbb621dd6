//! Formatting of numbers, counts, nouns, and lists, shared by the terminal, the reports, and the
//! certificate.

/// Maximum number of decimals of a percentage: the first digit of the smallest positive double
/// follows 323 zeros.
const MOST_DECIMALS: usize = 330;

/// Formats an integer with commas as thousands separators.
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

/// Formats a number with four significant digits, but retains all digits of the integer part.
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

/// Formats the fraction `part / whole` as a percentage, or as 0% if `whole` is 0.
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

/// Formats a number of rows: `1 row`, `2 rows`.
pub fn rows(number: u64) -> String {
    count(number, "row")
}

/// Formats a number of classes: `1 class`, `2 classes`.
pub fn classes(number: u64) -> String {
    count(number, "class")
}

/// Formats a number of people: `1 person`, `2 people`.
pub fn people(number: u64) -> String {
    count(number, "person")
}

/// Formats a count with a noun, given in the singular: `0 rows`, `1 row`, `1,200 rows`. In a phrase
/// of several words, the noun comes last: `2 distinct values`.
pub fn count(number: u64, noun: &str) -> String {
    let noun = if number == 1 { noun.to_owned() } else { plural(noun) };
    format!("{} {noun}", thousands(number))
}

/// Formats a count with a phrase for which [`count`] does not suffice: `1 column was`, `2 columns
/// were`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), either(number, one, many))
}

/// Returns the plural of a noun.
pub fn plural(noun: &str) -> String {
    if let Some(before) = noun.strip_suffix("person") {
        return format!("{before}people");
    }
    let ends = |ends: &[&str]| ends.iter().any(|end| noun.ends_with(end));
    if let Some(before) = noun.strip_suffix('y')
        && !before.ends_with(['a', 'e', 'i', 'o', 'u'])
    {
        return format!("{before}ies");
    }
    format!("{noun}{}", if ends(&["s", "x", "z", "ch", "sh"]) { "es" } else { "s" })
}

/// Returns the first word for one item and the second word for zero or several items: `either(n,
/// "is", "are")`.
pub fn either<'a>(number: u64, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}

/// Returns a noun with its indefinite article: `a disease`, `an INCOME`, `an HIV status`, `a unit`.
pub fn a(noun: &str) -> String {
    format!("{} {noun}", if sounds_like_a_vowel(noun) { "an" } else { "a" })
}

/// Returns whether the first sound of a word is a vowel, judging by its letters. Abbreviations
/// without a vowel are assumed to be spelled out.
fn sounds_like_a_vowel(noun: &str) -> bool {
    let word: String = noun
        .chars()
        .skip_while(|c| !c.is_alphanumeric())
        .take_while(|c| c.is_alphanumeric())
        .collect();
    let lower = word.to_lowercase();
    let Some(first) = lower.chars().next() else { return false };
    let is_vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
    // Abbreviations that are spelled out letter by letter: those without a vowel, and two
    // exceptions.
    let is_spelled = word.chars().all(|c| c.is_ascii_uppercase())
        && (!lower.chars().any(|c| is_vowel(c) || c == 'y') || ["hiv", "mri"].contains(&&*lower));
    if is_spelled {
        return "aefhilmnorsx".contains(first);
    }
    let starts = |starts: &[&str]| starts.iter().any(|start| lower.starts_with(start));
    if first.is_ascii_digit() {
        return starts(&["8", "11", "18"]);
    }
    if starts(&["hour", "honest", "honor", "heir"]) {
        return true;
    }
    // Examples are "a unit", "a user", "a utility", "a European", and "a one-off", but "an
    // uninsured person".
    let is_yu = (starts(&["uni", "us", "ut", "eu"]) && !starts(&["unin", "unim", "utt", "ush"]))
        || ["one", "once"].contains(&&*lower);
    is_vowel(first) && !is_yu
}

/// Formats a list: `a`, `a and b`, `a, b, and c`.
pub fn list<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first, last] => format!("{} and {}", first.as_ref(), last.as_ref()),
        [init @ .., last] => {
            let init: Vec<&str> = init.iter().map(AsRef::as_ref).collect();
            format!("{}, and {}", init.join(", "), last.as_ref())
        }
    }
}

/// Formats the first `most` items as a list, followed by the number of remaining items.
pub fn list_some<T: AsRef<str>>(items: &[T], most: usize) -> String {
    if items.len() <= most.saturating_add(1) {
        return list(items);
    }
    let mut shown: Vec<String> =
        items[..most].iter().map(|item| item.as_ref().to_owned()).collect();
    shown.push(count((items.len() - most) as u64, "other"));
    list(&shown)
}

/// Formats a cell text for display: `(missing)` for an empty string, and marks for characters that
/// are invisible or reorder adjacent text.
pub fn label(text: &str) -> String {
    if text.is_empty() {
        return "(missing)".to_owned();
    }
    if text.trim().is_empty() {
        return "(spaces)".to_owned();
    }
    text.chars().map(|c| if is_invisible(c) { '\u{fffd}' } else { c }).collect()
}

/// Returns whether a character is invisible, controls a terminal, or reorders adjacent text.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
        || matches!(c, '\u{feff}' | '\u{61c}' | '\u{fffe}' | '\u{ffff}')
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

    #[test]
    fn labels_replace_invisible_characters() {
        assert_eq!(label(""), "(missing)");
        assert_eq!(label("  "), "(spaces)");
        assert_eq!(label("a\u{202e}b\u{0}"), "a\u{fffd}b\u{fffd}");
        assert_eq!(label("São Tomé, 東京"), "São Tomé, 東京");
    }

    #[test]
    fn only_one_is_singular() {
        assert_eq!([0, 1, 2, 2_000].map(rows), ["0 rows", "1 row", "2 rows", "2,000 rows"]);
        assert_eq!([0, 1, 2].map(classes), ["0 classes", "1 class", "2 classes"]);
        assert_eq!([0, 1, 2].map(people), ["0 people", "1 person", "2 people"]);
        let others = [0, 1, 2].map(|n| count(n, "query"));
        assert_eq!(others, ["0 queries", "1 query", "2 queries"]);
        assert_eq!([0, 1, 2].map(|n| either(n, "is", "are")), ["are", "is", "are"]);
        for (one, many) in [
            ("hierarchy", "hierarchies"),
            ("key", "keys"),
            ("index", "indexes"),
            ("match", "matches"),
            ("distinct value", "distinct values"),
            ("sensitive attribute", "sensitive attributes"),
        ] {
            assert_eq!(plural(one), many);
        }
    }

    #[test]
    fn article_matches_pronunciation() {
        for noun in [
            "INCOME",
            "income",
            "age",
            "HIV status",
            "X-ray",
            "MRI",
            "hour",
            "8th value",
            "uninsured person",
            "ICD code",
            "'education'",
            "answer",
            "ID",
            "SSN",
        ] {
            assert_eq!(a(noun), format!("an {noun}"));
        }
        for noun in [
            "disease",
            "DISEASE",
            "SEX",
            "ZIP",
            "unit",
            "user_id",
            "zip",
            "house",
            "1st value",
            "10th",
            "BMI",
            "UTC",
            "_x",
            "",
        ] {
            assert_eq!(a(noun), format!("a {noun}"));
        }
    }

    #[test]
    fn lists_are_joined_with_conjunctions() {
        assert_eq!(list::<&str>(&[]), "");
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b"]), "a and b");
        assert_eq!(list(&["a", "b", "c"]), "a, b, and c");
        assert_eq!(list_some(&["a", "b", "c"], 2), "a, b, and c");
        assert_eq!(list_some(&["a", "b", "c", "d"], 2), "a, b, and 2 others");
    }
}
