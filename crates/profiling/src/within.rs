//! Finds identifiers within strings by splitting values at separators and passing words and
//! sequences of numbers to the recognizers.
//!
//! A piece is part of a longer value; [`Kind::fits`] handles whole values.

use crate::dates;
use crate::recognizer::{Clue, Kind, Piece, Sureness};
use crate::recognizers::registry;
use crate::sample::Sample;
use crate::text::{Cell, fold};

/// The maximum number of examined words in a value, because further words rarely contain new
/// evidence.
const MOST_WORDS: usize = 200;
/// The maximum number of words in a window. An account number in groups of four digits can have
/// nine words.
const LONGEST_WINDOW: usize = 9;
/// The minimum number of digits in a number that may identify a person.
const LONG: usize = 6;
/// The minimum fraction of values that must contain a kind of identifier.
const SOME: f64 = 0.01;
/// The minimum fraction for names. This fraction is higher because many names are also
/// ordinary words.
const MANY: f64 = 0.2;
/// The minimum number of values that match the format of a kind, to exclude chance matches.
const SEVERAL: usize = 3;
/// The maximum average number of rows for each code. Entries of a code list occur in more rows.
const MOST_ROWS: u64 = 20;
/// The minimum number of distinct codes. Fewer codes can be entries of a code list.
const MANY_CODES: usize = 10;

/// Separators between unrelated parts of a value.
const SEPARATORS: &str = "|;,\t\r\n，；、。\"{}[]<>";
/// Punctuation before and after words.
const AROUND: &str = ".:;,!?'\"#*=()";

/// The evidence that one recognizer found within the values of a column.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    /// The number of values for each kind of evidence.
    n: [usize; Clue::ALL.len()],
    /// The number of rows for each kind of evidence.
    n_rows: [u64; Clue::ALL.len()],
}

impl Tally {
    fn of(&self, clue: Clue) -> (usize, u64) {
        (self.n[clue as usize], self.n_rows[clue as usize])
    }
}

/// Returns, for each recognizer, the number of sampled values that contain its kind, and the
/// certainty. Returns `None` for kinds that the column does not contain.
pub fn look(sample: &Sample<'_>) -> Vec<Option<(usize, Sureness)>> {
    let mut tallies = vec![Tally::default(); registry().count()];
    let mut n_numbered = 0;
    for (value, n_rows) in &sample.values {
        let pieces = pieces(value);
        n_numbered += usize::from(pieces.iter().any(|piece| is_long_number(&piece.cell)));
        for (tally, kind) in tallies.iter_mut().zip(registry()) {
            if pieces.is_empty() {
                break;
            }
            if let Some(clue) = pieces.iter().filter_map(|it| (kind.fits_within)(kind, it)).min() {
                tally.n[clue as usize] += 1;
                tally.n_rows[clue as usize] += n_rows;
            }
        }
    }
    let judged = tallies.iter().zip(registry());
    judged.map(|(tally, kind)| judge(kind, tally, sample, n_numbered)).collect()
}

fn judge(
    kind: &Kind,
    tally: &Tally,
    sample: &Sample<'_>,
    n_numbered: usize,
) -> Option<(usize, Sureness)> {
    let some = |n: usize| sample.share(n) >= SOME;
    let (n_clear, _) = tally.of(Clue::Clear);
    let (n_form, n_form_rows) = tally.of(Clue::Form);
    let (n_checked, _) = tally.of(Clue::CheckDigit);
    let (n_names, _) = tally.of(Clue::Name);
    let (n_codes, n_code_rows) = tally.of(Clue::Code);
    // Each value from a code list occurs in many rows.
    let is_of_people = |n: usize, n_rows: u64| n_rows <= n as u64 * MOST_ROWS;
    let n_by_form = n_clear + n_form;
    let n_by_digit = n_clear + n_checked;
    if n_by_form >= SEVERAL && is_of_people(n_form, n_form_rows) && some(n_by_form) {
        return Some((n_by_form, Sureness::Likely));
    }
    if n_by_digit >= kind.evidence.least
        && some(n_by_digit)
        && n_by_digit as f64 >= kind.evidence.alone * n_numbered as f64
    {
        return Some((n_by_digit, Sureness::Likely));
    }
    if n_names >= kind.evidence.least && sample.share(n_names) >= MANY {
        return Some((n_names, Sureness::Likely));
    }
    // Nearly every code must occur in only one row.
    if n_codes >= MANY_CODES && some(n_codes) && n_code_rows * 9 <= n_codes as u64 * 10 {
        return Some((n_codes + n_form, Sureness::Likely));
    }
    (n_clear > 0 && some(n_clear)).then_some((n_clear, Sureness::Likely))
}

/// Returns whether a number has as many digits as an identification number and is not a date.
fn is_long_number(cell: &Cell<'_>) -> bool {
    cell.n_digits >= LONG && dates::read(cell.text).is_none()
}

/// A word with its position.
struct Word<'a> {
    start: usize,
    text: &'a str,
}

/// Returns the pieces of a value that may match, which are windows of consecutive numbers, web
/// addresses, and names.
pub fn pieces(value: &str) -> Vec<Piece<'_>> {
    let whole = value.trim();
    let mut pieces = Vec::new();
    let mut n_words = 0;
    for part in whole.split(|c| SEPARATORS.contains(c)) {
        let words = words_of(part);
        n_words += words.len();
        if n_words > MOST_WORDS {
            break;
        }
        let has_digit = |at: usize| {
            words.get(at).is_some_and(|word| word.text.bytes().any(|b| b.is_ascii_digit()))
        };
        let mut add = |from: usize, to: usize| {
            let last = &words[to - 1];
            let text = trimmed(&part[words[from].start..last.start + last.text.len()]);
            let is_numbered = words[from].text.starts_with('#');
            let Some(cell) = Cell::new(text).filter(|cell| cell.text != whole) else { return };
            let before = |n: usize| match from.checked_sub(n) {
                Some(at) => fold(words[at].text.trim_matches(|c| AROUND.contains(c))),
                None => String::new(),
            };
            let is_cut = from.checked_sub(1).is_some_and(has_digit) || has_digit(to);
            pieces.push(Piece { cell, before: [before(1), before(2)], is_cut, is_numbered });
        };
        runs(&words, is_numeric, |from, to| {
            for start in from..to {
                for end in start + 1..=to.min(start + LONGEST_WINDOW) {
                    add(start, end);
                }
            }
        });
        runs(&words, is_capitalized, |from, to| {
            for start in from..to {
                for end in start + 1..=to.min(start + 3) {
                    add(start, end);
                }
            }
        });
    }
    pieces
}

/// Splits a part into words. The string before a colon is a separate word, unless it starts a web
/// address.
fn words_of(part: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    for text in part.split_whitespace() {
        let start = text.as_ptr() as usize - part.as_ptr() as usize;
        let head = text.find([':', '=']).filter(|at| {
            let (head, rest) = text.split_at(*at);
            head.chars().all(char::is_alphabetic) && !rest[1..].starts_with("//") && rest.len() > 1
        });
        match head {
            Some(at) => {
                words.push(Word { start, text: &text[..at] });
                words.push(Word { start: start + at + 1, text: &text[at + 1..] });
            }
            None => words.push(Word { start, text }),
        }
    }
    words
}

/// Calls `with` for each maximal sequence of words that satisfy the predicate.
fn runs(words: &[Word<'_>], is_one: fn(&str) -> bool, mut with: impl FnMut(usize, usize)) {
    let mut from = 0;
    for at in 0..=words.len() {
        if words.get(at).is_none_or(|word| !is_one(word.text)) {
            if from < at {
                with(from, at);
            }
            from = at + 1;
        }
    }
}

/// Returns whether a word is a number, a part of a number, a month, or a web address.
fn is_numeric(word: &str) -> bool {
    let bare = word.trim_matches(|c| AROUND.contains(c));
    let is_code =
        bare.len() <= 2 && !bare.is_empty() && bare.bytes().all(|b| b.is_ascii_uppercase());
    word.bytes().any(|b| b.is_ascii_digit())
        || is_code
        || dates::is_month(bare)
        || bare.contains("://")
        || bare.starts_with("www.")
}

fn is_capitalized(word: &str) -> bool {
    let bare = word.trim_matches(|c| AROUND.contains(c));
    bare.starts_with(char::is_uppercase)
        && bare.chars().all(|c| c.is_alphabetic() || "-.'’".contains(c))
}

/// Removes punctuation around a string. A bracket is retained if the string also contains the other
/// bracket of the pair.
fn trimmed(text: &str) -> &str {
    let mut text = text.trim_start_matches(|c| AROUND.contains(c) && c != '(');
    text = text.trim_end_matches(|c| AROUND.contains(c) && c != ')');
    loop {
        let (opens, closes) = (text.matches('(').count(), text.matches(')').count());
        let bare = match (text.strip_prefix('('), text.strip_suffix(')')) {
            (Some(rest), Some(_)) if opens == 1 && closes == 1 => rest.strip_suffix(')'),
            (Some(rest), _) if opens > closes => Some(rest),
            (_, Some(rest)) if closes > opens => Some(rest),
            _ => None,
        };
        match bare {
            Some(rest) => text = rest.trim_matches(|c| AROUND.contains(c) && !"()".contains(c)),
            None => return text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::findings;

    fn texts(value: &str) -> Vec<&str> {
        pieces(value).iter().map(|piece| piece.cell.text).collect()
    }

    #[test]
    fn pieces_exclude_complete_text() {
        assert_eq!(texts("tel: 0170 683 (Fall 12)"), ["0170", "0170 683", "683", "12", "Fall"]);
        assert_eq!(texts("10001|Emma Smith|asthma"), ["10001", "Emma", "Emma Smith", "Smith"]);
        assert_eq!(texts("call (415) 555-0123."), ["415", "(415) 555-0123", "555-0123"]);
        assert!(texts("0170 683").iter().all(|text| *text != "0170 683"));
        assert!(pieces("influenza").is_empty() && pieces("").is_empty());
    }

    #[test]
    fn preceding_words_are_recorded() {
        let pieces = pieces("née le 27.09.1950");
        let born = pieces.iter().find(|piece| piece.cell.text == "27.09.1950").expect("it");
        assert_eq!(born.before, ["le", "nee"]);
    }

    /// Returns the kinds found in a column of 200 diagnoses, some of which contain additional text.
    fn found(column: &str, every: usize, more: impl Fn(usize) -> String) -> Vec<&'static str> {
        let diseases = ["flu", "asthma", "ulcer", "migraine", "fracture of the hip"];
        let mut counted: Vec<(String, u64)> = Vec::new();
        for n in 0..200 {
            let more = if n % every == 0 { more(n) } else { String::new() };
            let value = format!("{}{more}", diseases[n % 7 % 5]);
            match counted.iter_mut().find(|(other, _)| *other == value) {
                Some((_, rows)) => *rows += 1,
                None => counted.push((value, 1)),
            }
        }
        let values: Vec<(&str, u64)> =
            counted.iter().map(|(text, n)| (text.as_str(), *n)).collect();
        let found = findings(&Sample::of_values(column, 200, &values));
        let within = found.iter().filter(|finding| finding.is_within);
        within.map(|finding| finding.kind.name).collect()
    }

    #[test]
    fn identifiers_are_detected_within_texts() {
        let digits = |n: usize| 1_000_000 + n * 7919 % 9_000_000;
        let given = ["Emma", "Peter", "Olga", "Lucas", "Karl"];
        let family = ["Smith", "Müller", "Rossi", "Novak"];
        let name = |n: usize| format!("{} {}", given[n % 5], family[n / 5 % 4]);
        type More<'a> = &'a dyn Fn(usize) -> String;
        let cases: [(&str, usize, More<'_>); 16] = [
            ("telephone", 10, &|n| format!(" tel 0170 {}", digits(n))),
            ("telephone", 10, &|n| format!(" call +49 151 {}", digits(n))),
            ("telephone", 10, &|n| format!(" (415) 555-0{:03}", n)),
            ("telephone", 50, &|n| format!(", phone: 1{}", digits(n))),
            ("us-ssn", 100, &|n| format!(" SSN 275-80-8{:03}", n + 1)),
            ("birth-date", 20, &|n| format!(", geb. {:02}.09.1950", n % 28 + 1)),
            ("birth-date", 20, &|n| format!(", née le {:02}/09/1950", n % 28 + 1)),
            ("birth-date", 20, &|n| format!(" (born {} March 1950)", n % 28 + 1)),
            ("iban", 100, &|_| " IBAN DE89 3704 0044 0532 0130 00".to_owned()),
            ("ip", 10, &|n| format!(" 10.1.2.{n}")),
            ("url", 50, &|n| format!(" https://example.org/v/{n}")),
            ("uuid", 50, &|n| format!(" f81d4fae-7dec-11d0-a765-00a0c91e6{n:03}")),
            ("record-number", 10, &|n| format!(" (Fall {})", digits(n))),
            ("record-number", 10, &|n| format!(" #{}", digits(n))),
            ("person-name", 3, &|n| format!("|{}|x", name(n / 3))),
            ("person-name", 3, &|n| format!(", {{\"name\": \"{}\"}}", name(n / 3))),
        ];
        for (kind, every, more) in cases {
            let found = found("diagnosis", every, more);
            assert!(found.contains(&kind), "{kind} in {:?}: {found:?}", more(0));
        }
    }

    #[test]
    fn texts_without_identifiers_have_no_findings() {
        type More<'a> = &'a dyn Fn(usize) -> String;
        let cases: [More<'_>; 10] = [
            &|n| format!(" since 2023-{:02}-{:02}", n % 12 + 1, n % 28 + 1),
            &|n| format!(" {:02}.{:02}.2023 14:{:02}", n % 28 + 1, n % 12 + 1, n % 60),
            &|n| format!(", {} mg 3x daily", n * 5),
            &|n| format!(", cost 1.{:03},50 EUR", n * 3),
            &|n| format!(" RR {}/{} P {}", 100 + n % 60, 60 + n % 30, 50 + n % 40),
            &|n| format!(" ({}00100{})", 195 + n % 3, n % 4),
            &|n| format!(" J{}.{}", n % 90 + 10, n % 9),
            &|n| format!(" v1.2.{n}"),
            &|n| format!(" paid {} in all", 100_000 + n * 4241),
            &|n| format!(", Crohn Disease Type {}", ["A", "B", "C"][n % 3]),
        ];
        for more in cases {
            let found = found("diagnosis", 2, more);
            assert_eq!(found, [""; 0], "{:?}", more(0));
        }
    }
}
