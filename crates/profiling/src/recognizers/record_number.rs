//! Record, license, and account numbers, based on the name of the column and the pattern of its
//! values.

use super::*;
use crate::dates;

/// Recognizes record numbers of patients, cases, customers, members, and other people.
pub static RECORD_NUMBER: Kind = Kind {
    fits_within: |kind, piece| {
        let code = code_within(piece)?;
        match piece.is_after_next(kind.words()) {
            true => Some(Clue::Form),
            false => (code == Code::Long).then_some(Clue::Code),
        }
    },
    ..kind("record-number", "record numbers", Item::MedicalRecord)
};
/// Recognizes license, certificate, and identity document numbers.
pub static LICENSE: Kind = kind("license", "license or identity document numbers", Item::License);
/// Recognizes numbers of accounts, contracts, and insurance policies.
pub static ACCOUNT: Kind = kind("account", "account or insurance numbers", Item::Account);

const fn kind(name: &'static str, plural: &'static str, item: Item) -> Kind {
    Kind {
        name,
        plural,
        hipaa: Some(item),
        evidence: Evidence { alone: 2.0, named: 0.7, least: 10 },
        fits: is_code,
        fits_within: |kind, piece| {
            let is_marked = code_within(piece).is_some() && piece.is_after(kind.words());
            is_marked.then_some(Clue::Form)
        },
        judge,
        ..Kind::IDENTIFIER
    }
}

/// A column nearly identifies its rows if at least this fraction of its values is distinct.
const NEARLY_ALL: f64 = 0.9;
/// The maximum average number of rows with the same number, if the number identifies a person or a
/// case.
const MOST_ROWS: f64 = 20.0;

/// Words that denote numbers of people, together with other words.
const NUMBER_WORDS: &[&str] = &["id", "number", "no", "nr", "nummer", "numero", "code"];

/// The minimum number of numbers in a sequence. Short sequences also number visits or categories.
const LEAST_IN_SEQUENCE: u64 = 50;

/// Returns whether a value consists of digits, or of letters and digits as in record numbers,
/// without decimals and words.
fn is_code(cell: &Cell<'_>) -> bool {
    cell.n_digits > 0
        && cell.n_letters <= 6
        && cell.text.len() <= 40
        && cell.text.chars().all(|c| c.is_alphanumeric() || "-/_# .:".contains(c))
        && !(cell.n_letters == 0 && cell.text.matches('.').count() == 1)
        && cell.words().count() <= 4
}

fn judge(kind: &Kind, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
    if !sample.is_named(kind.words()) || sample.share(n_fitting) < kind.evidence.named {
        return None;
    }
    let n_rows_each = sample.n_present as f64 / sample.n_distinct.max(1) as f64;
    let is_distinguishing = sample.distinct_fraction() >= NEARLY_ALL;
    let is_long =
        sample.cells().filter(|cell| cell.text.len() >= 4).count() * 2 > sample.values.len();
    let enough = sample.n_distinct >= kind.evidence.least as u64;
    let is_code = is_long || are_consecutive(sample);
    match (enough, is_distinguishing, is_code && n_rows_each <= MOST_ROWS) {
        (true, true, _) => Some(Sureness::Sure),
        (true, false, true) => Some(Sureness::Likely),
        (false, true, _) | (false, false, true) if sample.n_distinct > 3 => {
            Some(Sureness::Possible)
        }
        _ => None,
    }
}

/// Returns whether the values are numbers that were probably assigned in sequence, such as 1 to
/// 312. At least five of six numbers between the smallest and the largest must occur. Names such as
/// "patient age" do not denote numbers of people.
fn are_consecutive(sample: &Sample<'_>) -> bool {
    if sample.name_words.len() > 1 && !sample.is_named(NUMBER_WORDS) {
        return false;
    }
    let numbers: Option<Vec<u64>> = sample.cells().map(|cell| cell.text.parse().ok()).collect();
    let numbers = numbers.unwrap_or_default();
    let (Some(least), Some(most)) = (numbers.iter().min(), numbers.iter().max()) else {
        return false;
    };
    sample.n_distinct >= LEAST_IN_SEQUENCE && most - least < sample.n_distinct / 5 * 6
}

/// A code within a string.
#[derive(PartialEq, Eq)]
enum Code {
    /// A short code, which counts as evidence only if it follows a word for record numbers.
    Short,
    /// A code with enough digits to count as evidence even without a preceding word.
    Long,
}

/// Classifies a single word of digits with optional leading letters. Dates and amounts are
/// excluded.
fn code_within(piece: &Piece<'_>) -> Option<Code> {
    let cell = &piece.cell;
    let is_one = is_code(cell)
        && cell.n_digits >= 5
        && cell.words().count() == 1
        && !piece.is_cut
        && !cell.text.contains(['.', ':', '/'])
        && dates::read(cell.text).is_none();
    let is_written_so = cell.n_letters > 0 || cell.text.starts_with('0') || piece.is_numbered;
    let is_long = cell.n_digits >= 8 || cell.n_digits >= 6 && is_written_so;
    is_one.then_some(if is_long { Code::Long } else { Code::Short })
}

#[cfg(test)]
mod tests {
    use super::super::tests::judged;
    use super::*;

    #[test]
    fn record_numbers_require_name_and_pattern() {
        let codes: Vec<String> = (0..30).map(|n| format!("P-{:05}", n * 37)).collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        assert_eq!(judged(&RECORD_NUMBER, "MRN", &codes), Some(Sureness::Sure));
        assert_eq!(judged(&LICENSE, "passport no", &codes), Some(Sureness::Sure));
        assert_eq!(judged(&ACCOUNT, "konto", &codes), Some(Sureness::Sure));
        assert_eq!(judged(&RECORD_NUMBER, "ward", &codes), None);
    }

    #[test]
    fn counts_and_decimals_are_not_record_numbers() {
        let sample =
            Sample::of_values("number of children", 300, &[("0", 100), ("1", 100), ("2", 100)]);
        assert_eq!(judge(&RECORD_NUMBER, &sample, 3), None);
        assert_eq!(judged(&RECORD_NUMBER, "no", &["1.5", "2.5", "3.25", "4.75"]), None);
    }

    #[test]
    fn repeated_record_numbers_are_recognized() {
        let codes: Vec<String> = (0..100).map(|n| format!("{}", 100_000 + n * 37)).collect();
        let values: Vec<(&str, u64)> = codes.iter().map(|code| (code.as_str(), 6)).collect();
        let sample = Sample::of_values("patient", 600, &values);
        assert_eq!(judge(&RECORD_NUMBER, &sample, 100), Some(Sureness::Likely));
    }

    /// Studies often number their participants from 1.
    #[test]
    fn repeated_consecutive_numbers_are_record_numbers() {
        let judged = |name: &str, numbers: &[u32]| {
            let codes: Vec<String> = numbers.iter().map(u32::to_string).collect();
            let values: Vec<(&str, u64)> = codes.iter().map(|code| (code.as_str(), 6)).collect();
            let sample = Sample::of_values(name, 6 * values.len() as u64, &values);
            judge(&RECORD_NUMBER, &sample, values.len())
        };
        let sequence: Vec<u32> = (1..=60).collect();
        assert_eq!(judged("id", &sequence), Some(Sureness::Likely));
        assert_eq!(judged("idcode", &sequence), Some(Sureness::Likely));
        assert_eq!(judged("visit no", &sequence[..12]), None);
        assert_eq!(judged("platelet", &sequence), None);
        assert_eq!(judged("patient age", &sequence), None);
        let sparse: Vec<u32> = (1..=60).map(|n| n * 3).collect();
        assert_eq!(judged("id", &sparse), None);
    }
}
