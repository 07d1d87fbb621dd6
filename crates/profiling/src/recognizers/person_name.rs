//! Names of people, based on a list of frequent given and family names in many languages
//! (`data/names.txt`).

use std::sync::OnceLock;

use super::*;
use crate::text::fold;

/// Recognizes a given name, a family name, or both.
pub static PERSON_NAME: Kind = Kind {
    name: "person-name",
    plural: "names of people",
    hipaa: Some(Item::Name),
    evidence: Evidence { alone: 0.5, named: 0.2, least: 10 },
    fits,
    fits_within,
    judge,
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    if cell.n_digits > 0 || cell.n_letters < 2 {
        return false;
    }
    let words = words_of(cell);
    let n = words.n_known + words.n_initials + words.n_others;
    // Accept a known name with at most one other word, or a single known name.
    words.n_known > 0 && n <= 5 && words.n_others <= 1 && (n > 1 || words.n_known == 1)
}

/// Accepts a given and a family name without other words, or a known name after a form of
/// address.
fn fits_within(_: &Kind, piece: &Piece<'_>) -> Option<Clue> {
    if !piece.cell.text.starts_with(char::is_uppercase) || piece.cell.n_digits > 0 {
        return None;
    }
    let words = words_of(&piece.cell);
    if words.n_known == 0 || words.n_others > 0 {
        return None;
    }
    if piece.is_after_next(ADDRESSED) {
        return Some(Clue::Form);
    }
    let is_full = words.n_known >= 2 && words.n_given > 0 && words.n_family > 0;
    is_full.then_some(Clue::Name)
}

/// Returns the certainty of a column. Many names are also ordinary words, so a column requires many
/// different names or a suitable column name.
fn judge(kind: &Kind, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
    let full = |cell: &Cell<'_>| {
        let words = words_of(cell);
        fits(cell) && words.n_known >= 2 && words.n_given > 0 && words.n_others <= 1
    };
    let n_full = sample.cells().filter(full).count();
    let (share, full_share) = (sample.share(n_fitting), sample.share(n_full));
    let is_named = sample.is_named(kind.words());
    // A column with such a name contains names even if the list does not contain most of them.
    let is_certain = sample.is_named(crate::words::named("name-column"))
        && sample.cells().filter(is_word).count() * 2 > sample.values.len();
    if is_certain && n_fitting > 0 && share < 0.5 {
        return Some(Sureness::Likely);
    }
    if is_named && share >= 0.5 && n_fitting >= 3 {
        return Some(Sureness::Sure);
    }
    // A column requires full names in many of its values, or single names in most of a large
    // number of values.
    if n_full >= kind.evidence.least && full_share >= 0.4 {
        return Some(if full_share >= 0.7 { Sureness::Sure } else { Sureness::Likely });
    }
    if n_fitting >= 3 * kind.evidence.least && share >= 0.7 {
        return Some(Sureness::Likely);
    }
    let some = n_full >= 3 && full_share >= 0.3
        || n_fitting >= kind.evidence.least && share >= kind.evidence.alone;
    (some || is_named && n_fitting >= 2 && share >= kind.evidence.named)
        .then_some(Sureness::Possible)
}

/// Returns whether a value consists of letters, as names do.
fn is_word(cell: &Cell<'_>) -> bool {
    cell.n_digits == 0 && cell.n_letters >= 2
}

/// Forms of address that precede a name.
const ADDRESSED: &[&str] = &[
    "mr", "mrs", "miss", "herr", "herrn", "frau", "mme", "mlle", "monsieur", "madame", "senor",
    "senora", "mevrouw", "mevr", "meneer", "dhr", "signor", "signora", "pani", "fru",
];

const GIVEN: u8 = 1;
const FAMILY: u8 = 2;

/// Returns folded names in byte order, each with flags for given and family names.
fn names() -> &'static [(&'static str, u8)] {
    static NAMES: OnceLock<Vec<(&str, u8)>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let lines =
            include_str!("../../data/names.txt").lines().filter(|line| !line.starts_with('#'));
        let mut names: Vec<(&str, u8)> = lines
            .filter_map(|line| line.split_once(' '))
            .map(|(kind, name)| {
                let kind = match kind {
                    "g" => GIVEN,
                    "f" => FAMILY,
                    _ => GIVEN | FAMILY,
                };
                (name, kind)
            })
            .collect();
        names.sort_unstable();
        names
    })
}

fn kind_of(word: &str) -> u8 {
    let names = names();
    let found = names.binary_search_by(|(name, _)| (*name).cmp(word));
    found.map_or(0, |at| names[at].1)
}

/// The numbers of known names, initials, and other words in a value.
struct Words {
    n_given: usize,
    n_family: usize,
    n_known: usize,
    n_initials: usize,
    n_others: usize,
}

fn words_of(cell: &Cell<'_>) -> Words {
    let mut words = Words { n_given: 0, n_family: 0, n_known: 0, n_initials: 0, n_others: 0 };
    let folded = fold(cell.text);
    if folded.chars().all(|c| c > '\u{2e80}') {
        // Chinese, Japanese, and Korean names have no space between the family name and the given
        // name.
        let chars: Vec<char> = folded.chars().collect();
        let has_family = (1..chars.len().min(4)).any(|n| {
            let family: String = chars[..n].iter().collect();
            kind_of(&family) & FAMILY != 0
        });
        if has_family && (2..=6).contains(&chars.len()) {
            return Words { n_given: 1, n_family: 1, n_known: 2, ..words };
        }
    }
    for word in folded.split(|c: char| c.is_whitespace() || ",;.-–/()".contains(c)) {
        if word.is_empty() || crate::words::named("titles").contains(&word) {
            continue;
        }
        let kind = kind_of(word);
        words.n_given += usize::from(kind & GIVEN != 0);
        words.n_family += usize::from(kind & FAMILY != 0);
        words.n_known += usize::from(kind != 0);
        let is_initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        words.n_initials += usize::from(is_initial);
        words.n_others += usize::from(kind == 0 && !is_initial);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fits, judged};
    use super::*;

    #[test]
    fn name_list_is_sorted_and_folded() {
        assert!(names().len() > 20_000);
        assert!(names().windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (name, _) in names().iter().step_by(97) {
            assert_eq!(fold(name), *name);
        }
    }

    #[test]
    fn names_in_several_languages_are_recognized() {
        for value in [
            "Anna Müller",
            "MÜLLER, Anna",
            "Dr. Hans von Berg",
            "J. Smith",
            "María García López",
            "Иван Петров",
            "王伟",
            "佐藤 健",
            "김민준",
            "Ewa Kowalska",
            "Giulia Rossi",
            "محمد",
        ] {
            assert!(fits(&PERSON_NAME, value), "{value}");
        }
        for value in ["12 Main Street", "no known allergies to anything at all", "A", "2nd Smith"] {
            assert!(!fits(&PERSON_NAME, value), "{value}");
        }
    }

    /// Most of these names are not in the list.
    #[test]
    fn column_name_is_sufficient_for_unlisted_names() {
        let names = ["jhezane", "maerie", "brienne", "arya", "ygritte", "gilly", "anna", "talisa"];
        assert_eq!(judged(&PERSON_NAME, "fake_first_name", &names), Some(Sureness::Likely));
        assert_eq!(judged(&PERSON_NAME, "lastName_x", &names), Some(Sureness::Likely));
        assert_eq!(judged(&PERSON_NAME, "clinic_name", &names), Some(Sureness::Possible));
        let codes = ["A1", "A2", "B3", "anna"];
        assert_eq!(judged(&PERSON_NAME, "first name", &codes), None);
    }

    #[test]
    fn common_words_do_not_indicate_person_names() {
        let races = ["White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other"];
        assert_eq!(judged(&PERSON_NAME, "race", &races), None);
        let countries = [
            "China", "India", "Jordan", "Cuba", "Germany", "France", "Peru", "Israel", "Georgia",
            "Poland", "Iran", "Haiti",
        ];
        assert_eq!(judged(&PERSON_NAME, "native-country", &countries), None);
        let people = ["Anna Müller", "Peter Schmidt", "Maria Weber", "Paul Wagner", "Laura Becker"];
        assert_eq!(judged(&PERSON_NAME, "name", &people), Some(Sureness::Sure));
    }
}
