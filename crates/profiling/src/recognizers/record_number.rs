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
    match (enough, is_distinguishing, is_long && n_rows_each <= MOST_ROWS) {
        (true, true, _) => Some(Sureness::Sure),
        (true, false, true) => Some(Sureness::Likely),
        (false, true, _) | (false, false, true) if sample.n_distinct > 3 => {
            Some(Sureness::Possible)
        }
        _ => None,
    }
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
}
