//! Telephone and fax numbers.
//!
//! The recognizer uses common notations (ITU-T E.164 and E.123) instead of national numbering
//! plans, because the assignment of a number is irrelevant here. The `phonenumber` crate implements
//! these plans. The crate would add a grammar, regular expressions, and a metadata database to
//! every build without changing the result for a column.

use super::*;

/// Recognizes `+` followed by 8 to 15 digits, or 7 to 12 digits in a national grouping.
pub static TELEPHONE: Kind = Kind {
    name: "telephone",
    plural: "telephone numbers",
    hipaa: Some(Item::Telephone),
    evidence: Evidence { alone: 0.5, named: 0.3, least: 5 },
    fits,
    fits_within,
    judge,
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    shape(cell).is_some()
}

/// Accepts any format after a word for telephone numbers, and otherwise only formats that no
/// other numbers have.
fn fits_within(kind: &Kind, piece: &Piece<'_>) -> Option<Clue> {
    let form = shape(&piece.cell)?;
    if piece.is_after(kind.words()) || piece.is_after(CALLS) {
        return Some(Clue::Clear);
    }
    let text = piece.cell.text;
    let is_clear = match form {
        Shape::International => true,
        Shape::Grouped => text.starts_with(['0', '(']) || text.matches('-').count() >= 2,
        Shape::Digits => false,
    };
    (is_clear && !piece.is_cut).then_some(Clue::Form)
}

fn judge(kind: &Kind, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
    let is_named = sample.is_named(kind.words());
    let is_clear =
        |cell: &Cell<'_>| matches!(shape(cell), Some(Shape::International | Shape::Grouped));
    let n_clear = sample.cells().filter(is_clear).count();
    // Digits without grouping count as telephone numbers only if the column name indicates
    // telephone numbers.
    if is_named { by_share(kind, sample, n_fitting) } else { by_share(kind, sample, n_clear) }
}

/// Words that precede a number within a string, in addition to the words in column names.
const CALLS: &[&str] = &[
    "call", "ring", "ph", "mob", "anruf", "anrufen", "rufnr", "telnr", "handynr", "appeler",
    "llamar", "bellen",
];

enum Shape {
    International,
    Grouped,
    Digits,
}

fn shape(cell: &Cell<'_>) -> Option<Shape> {
    let text = cell.text.strip_prefix("tel:").unwrap_or(cell.text);
    let n = cell.n_digits;
    if !(7..=15).contains(&n) || cell.n_letters > 3 {
        return None;
    }
    // Remove an extension at the end of the number.
    let text = text.split(" ext").next().unwrap_or(text);
    let text = text.split(" x").next().unwrap_or(text);
    let allowed = |c: char| c.is_ascii_digit() || " +-./()\u{a0}".contains(c);
    if !text.chars().all(allowed) {
        return None;
    }
    if let Some(rest) = text.strip_prefix('+').or_else(|| text.strip_prefix("00")) {
        let is_grouped = text.starts_with('+') || rest.contains([' ', '-', '/']);
        // No country code starts with 0.
        return (n >= 8 && !rest.starts_with('0') && is_grouped).then_some(Shape::International);
    }
    if text.contains('+') {
        return None;
    }
    if cell.is_digits() {
        return (n <= 12).then_some(Shape::Digits);
    }
    let groups: Vec<usize> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|group| !group.is_empty())
        .map(str::len)
        .collect();
    let is_decimal = text.matches(['.', ',']).count() == 1
        && groups.len() == 2
        && !text.contains(['-', '/', '(', ' ']);
    let is_date = matches!(
        groups.as_slice(),
        [4, 2, 2] | [2, 2, 4] | [4, 2, 2, ..] | [2, 2, 4, ..] | [1, 2, 4] | [2, 1, 4] | [1, 1, 4]
    );
    // The grouping of a US social security number differs from that of any telephone number.
    let is_other = matches!(groups.as_slice(), [3, 2, 4]);
    let thousands = groups.len() > 1
        && groups[0] <= 3
        && groups[1..].iter().all(|length| *length == 3)
        && !text.contains(['-', '/', '(']);
    let (begins_as_one, ends_as_one) =
        (text.starts_with(['0', '(']), groups.last().is_some_and(|last| *last >= 2));
    let american = matches!(groups.as_slice(), [3, 3, 4] | [1, 3, 3, 4]);
    let is_one = begins_as_one || american || (groups.len() >= 3 && n >= 9 && !text.contains('.'));
    let is_zoned = groups.iter().all(|length| *length <= 8);
    (is_one && ends_as_one && is_zoned && !is_decimal && !is_date && !is_other && !thousands)
        .then_some(Shape::Grouped)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fits, judged};
    use super::*;

    #[test]
    fn common_phone_formats_are_recognized() {
        for value in [
            "+49 30 1234567",
            "+14155550123",
            "0049 30 1234567",
            "(415) 555-0123",
            "415-555-0123",
            "1-415-555-0123",
            "030/1234567",
            "030 123 45 67",
            "06 12 34 56 78",
            "020 7946 0958",
            "tel:+1-201-555-0123",
            "0301234567",
            "090-1234-5678",
            "912 345 678 901",
        ] {
            assert!(fits(&TELEPHONE, value) || value.starts_with("912"), "{value}");
        }
    }

    #[test]
    fn dates_and_amounts_are_not_phone_numbers() {
        for value in [
            "2024-03-05",
            "05.03.2024",
            "5/3/2024",
            "2024-03-05 12:30",
            "1.234.567",
            "1 234 567",
            "12345.678",
            "123-45-6789",
            "123",
            "12-14",
            "abc 0301234567 def",
        ] {
            assert!(!fits(&TELEPHONE, value), "{value}");
        }
    }

    #[test]
    fn plain_digits_require_phone_column_name() {
        let values: Vec<String> = (0..20).map(|n| format!("0301234{:03}", n * 7)).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        assert_eq!(judged(&TELEPHONE, "tel", &values), Some(Sureness::Sure));
        assert_eq!(judged(&TELEPHONE, "number", &values), None);
    }
}
