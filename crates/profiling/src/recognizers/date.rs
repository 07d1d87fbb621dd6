//! Dates of birth and dates of other events.

use super::*;
use crate::dates;

/// Recognizes dates in a column with a suitable name, or dates that span half a century.
pub static BIRTH_DATE: Kind = Kind {
    name: "birth-date",
    plural: "dates of birth",
    meaning: Meaning::Exact,
    hipaa: Some(Item::Dates),
    evidence: Evidence { alone: 0.9, named: 0.5, least: 10 },
    fits,
    fits_within,
    judge,
    ..Kind::IDENTIFIER
};

/// Recognizes dates of any kind. Dates of birth have a separate recognizer.
pub static DATE: Kind = Kind {
    name: "date",
    plural: "dates",
    meaning: Meaning::KnownToOthers,
    hipaa: Some(Item::Dates),
    evidence: Evidence { alone: 0.8, named: 2.0, least: 1 },
    fits,
    follows_from_profile: true,
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    dates::read(cell.text).is_some()
}

fn fits_within(kind: &Kind, piece: &Piece<'_>) -> Option<Clue> {
    let is_marked = piece.is_after(kind.words()) || piece.is_after(BORN);
    (is_marked && fits(&piece.cell)).then_some(Clue::Clear)
}

fn judge(kind: &Kind, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
    let share = sample.share(n_fitting);
    if sample.is_named(kind.words()) && n_fitting > 0 && share >= kind.evidence.named {
        return Some(Sureness::Sure);
    }
    let years = sample.cells().filter_map(|cell| dates::read(cell.text)).map(|date| date.year);
    let (first, last) =
        years.fold((i32::MAX, i32::MIN), |(low, high), year| (low.min(year), high.max(year)));
    let is_long = n_fitting >= kind.evidence.least
        && share >= kind.evidence.alone
        && last - first >= LIVES
        && first > 1880;
    is_long.then_some(Sureness::Likely)
}

/// The minimum number of years between the first and the last date for dates in a column without a
/// suitable name.
const LIVES: i32 = 50;

/// Words that precede a date within a string, in addition to the words in column names.
const BORN: &[&str] = &[
    "b", "geboren", "ne", "nee", "nato", "nata", "nacido", "nacida", "nascido", "nascida", "ur",
    "urodzony", "urodzona", "nar", "narozen", "narozena", "syntynyt", "род", "生",
];

#[cfg(test)]
mod tests {
    use super::super::tests::judged;
    use super::*;

    #[test]
    fn birth_dates_need_column_name_or_wide_range() {
        let near: Vec<String> = (1..=12).map(|month| format!("2024-{month:02}-05")).collect();
        let near: Vec<&str> = near.iter().map(String::as_str).collect();
        let far: Vec<String> = (0..12).map(|n| format!("05.03.{}", 1931 + n * 6)).collect();
        let far: Vec<&str> = far.iter().map(String::as_str).collect();
        assert_eq!(judged(&BIRTH_DATE, "admission", &near), None);
        assert_eq!(judged(&BIRTH_DATE, "Geburtsdatum", &near), Some(Sureness::Sure));
        assert_eq!(judged(&BIRTH_DATE, "x", &far), Some(Sureness::Likely));
        assert_eq!(judged(&BIRTH_DATE, "dob", &["yes", "no"]), None);
    }
}
