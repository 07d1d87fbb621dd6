//! Strings that look equal to a reader but differ for a program: the shared definition for warnings
//! and for unification.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// Letters that look like Latin letters, in lower case; some look alike only as capitals. Letters
/// of units are excluded, because 5 μg differs from 5 mg.
const LETTERS: &str = "аеорсухвкмнтіѕјαβεζηικνορτυχ";
/// The Latin letters that [`LETTERS`] look like.
const LATIN: &str = "aeopcyxbkmhtisjabezhikvoptux";

/// Returns a string as a reader perceives it: without differences in case, blanks, invisible
/// characters, Unicode representations of a letter, and look-alike letters of other alphabets. The
/// result is for comparison only, not for display.
pub fn as_displayed(text: &str) -> String {
    let visible = match text.is_ascii() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.chars().filter(|c| !is_invisible(*c)).map(narrow).collect()),
    };
    let lower = visible.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    if lower.is_ascii() {
        return lower;
    }
    let composed: String = lower.nfc().collect();
    let words: Vec<Cow<'_, str>> = composed.split(' ').map(latin).collect();
    // A Latin letter and its mark may compose to one letter although the original letter and the
    // mark did not.
    words.join(" ").nfc().collect()
}

/// Returns whether a word mixes Latin letters with letters of an alphabet that looks similar.
pub fn mixes_alphabets(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_alphabetic()) && word.chars().any(is_greek_or_cyrillic)
}

fn is_greek_or_cyrillic(c: char) -> bool {
    ('\u{370}'..'\u{530}').contains(&c)
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Returns the ASCII form of a full-width letter or digit, as entered on East Asian keyboards.
fn narrow(c: char) -> char {
    let code = u32::from(c);
    let narrow = (0xff01..=0xff5e).contains(&code).then(|| char::from_u32(code - 0xfee0)).flatten();
    narrow.unwrap_or(c)
}

/// Replaces look-alike letters of a word by Latin letters, if the word mixes alphabets or if all
/// its letters look like Latin letters. A single Greek letter remains unchanged.
fn latin(word: &str) -> Cow<'_, str> {
    let like = |c: char| LETTERS.chars().zip(LATIN.chars()).find(|it| it.0 == c).map(|it| it.1);
    let is_like = |c: char| !is_greek_or_cyrillic(c) || like(c).is_some();
    let is_greek_letter =
        word.chars().count() == 1 && word.starts_with(|c| c < '\u{400}' && is_greek_or_cyrillic(c));
    match mixes_alphabets(word) || word.chars().all(is_like) && !is_greek_letter {
        true => Cow::Owned(word.chars().map(|c| like(c).unwrap_or(c)).collect()),
        false => Cow::Borrowed(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alike_texts_have_equal_display() {
        let same = [
            ("HIV", " hiv\u{a0}"),
            ("a  B", "A b"),
            // A precomposed letter, and a letter with a combining mark.
            ("\u{c9}pilepsie", "E\u{301}pilepsie"),
            ("\u{e5}", "\u{212b}"),
            // The first letters are Cyrillic.
            ("\u{41d}IV", "HIV"),
            ("\u{410}", "A"),
            ("\u{421}\u{41e}\u{420}\u{415}", "COPE"),
            // The first letter is Greek.
            ("\u{397}IV", "HIV"),
            ("flu\u{200b}", "flu"),
            ("ＦＬＵ　２", "flu 2"),
        ];
        for (one, other) in same {
            assert_eq!(as_displayed(one), as_displayed(other), "{one} {other}");
        }
    }

    #[test]
    fn distinguishable_texts_have_different_display() {
        let distinct = [
            ("Épilepsie", "Epilepsie"),
            ("5 μg", "5 mg"),
            ("α", "a"),
            ("10²", "102"),
            ("Грипп", "Gripp"),
            ("flu", "flux"),
            ("", "a"),
        ];
        for (one, other) in distinct {
            assert_ne!(as_displayed(one), as_displayed(other), "{one} {other}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

        /// A normalized text does not change when it is normalized again.
        #[test]
        fn display_normalization_is_idempotent(text in "[a-zA-Zа-яёА-ЯΑ-ωé\u{301}\u{200b} ß]{0,8}") {
            let once = as_displayed(&text);
            proptest::prop_assert_eq!(as_displayed(&once), once);
        }
    }
}
