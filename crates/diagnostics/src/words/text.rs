//! Formatting of nouns, lists, and cell texts.

use super::numbers::thousands;

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
    // A unit, a user, a utility, a European, and a one-off, but an uninsured person.
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

/// Formats the first `most` items as a list, followed by the number of other items.
pub fn list_some<T: AsRef<str>>(items: &[T], most: usize) -> String {
    if items.len() <= most.saturating_add(1) {
        return list(items);
    }
    let mut shown: Vec<String> =
        items[..most].iter().map(|item| item.as_ref().to_owned()).collect();
    shown.push(count((items.len() - most) as u64, "other"));
    list(&shown)
}

/// Formats a cell text for display: `(missing)` for an empty text, and marks for characters that
/// are invisible or reorder adjacent text.
pub fn label(text: &str) -> String {
    if text.is_empty() {
        return "(missing)".to_owned();
    }
    if text.trim().is_empty() {
        return "(spaces)".to_owned();
    }
    let invisible = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
            || matches!(c, '\u{feff}' | '\u{61c}' | '\u{fffe}' | '\u{ffff}')
    };
    text.chars().map(|c| if invisible(c) { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
