//! Free text, which may contain any information.

use crate::hipaa::Item;
use crate::recognizer::{Kind, Meaning, Recognizer, Sureness};
use crate::sample::Sample;
use crate::text::Cell;

/// Recognizes values of several words that differ from row to row.
pub struct FreeText;

static KIND: Kind = Kind {
    name: "free-text",
    plural: "free text",
    meaning: Meaning::Identifies,
    hipaa: Some(Item::Other),
    alone: 0.4,
    named: 0.2,
    least: 5,
};

/// The minimum number of words in a sentence.
const SENTENCE: usize = 5;

impl Recognizer for FreeText {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    fn fits(&self, cell: &Cell<'_>) -> bool {
        let n_words = cell.words().filter(|word| word.chars().any(char::is_alphabetic)).count();
        // In scripts without spaces between words, a sentence has at least twelve characters.
        let is_asian = cell.text.chars().filter(|c| *c > '\u{2e80}').count() >= 12;
        n_words >= SENTENCE || is_asian
    }

    fn judge(&self, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
        let share = sample.share(n_fitting);
        // Frequent answers, such as names of diagnoses, are entries of a code list, even if they
        // are long.
        let varies = sample.distinct_fraction() >= 0.3;
        let is_named = sample.is_named(KIND.words());
        if is_named && varies && n_fitting >= KIND.least && share >= KIND.named {
            return Some(Sureness::Sure);
        }
        (varies && n_fitting >= KIND.least && share >= KIND.alone).then_some(Sureness::Likely)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::judged;
    use super::*;

    #[test]
    fn distinct_sentences_are_free_text() {
        let notes: Vec<String> =
            (0..20).map(|n| format!("patient came on day {n} with pain in the chest")).collect();
        let notes: Vec<&str> = notes.iter().map(String::as_str).collect();
        assert_eq!(judged(&FreeText, "x", &notes), Some(Sureness::Likely));
        assert_eq!(judged(&FreeText, "notes", &notes), Some(Sureness::Sure));
        assert_eq!(judged(&FreeText, "notes", &["none", "pain", "fever"]), None);
        let values = [
            ("disease of the upper respiratory tract", 500),
            ("other and unspecified disease of skin", 500),
        ];
        let sample = Sample::of_values("diagnosis", 1000, &values);
        assert_eq!(FreeText.judge(&sample, 2), None);
    }
}
