//! Free text, which may contain any information.

use super::*;

/// Recognizes values that consist of several words and differ from row to row.
pub static FREE_TEXT: Kind = Kind {
    name: "free-text",
    plural: "free text",
    hipaa: Some(Item::Other),
    evidence: Evidence { alone: 0.4, named: 0.2, least: 5 },
    fits,
    judge,
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    let n_words = cell.words().filter(|word| word.chars().any(char::is_alphabetic)).count();
    // In scripts without spaces between words, text of at least twelve characters counts as
    // a sentence.
    let is_asian = cell.text.chars().filter(|c| *c > '\u{2e80}').count() >= 12;
    n_words >= SENTENCE || is_asian
}

fn judge(kind: &Kind, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
    let share = sample.share(n_fitting);
    // Frequent answers, such as names of diagnoses, are entries of a code list, even if they
    // are long. Texts that people write mostly occur once, even if a few answers, such as "no
    // further remarks", have most of the rows.
    let n_once = sample.values.iter().filter(|(_, count)| *count == 1).count();
    let are_mostly_once = sample.n_distinct >= VARIED && sample.share(n_once) >= 0.5;
    let varies = sample.distinct_fraction() >= 0.3 || are_mostly_once;
    let is_named = sample.is_named(kind.words());
    if is_named && varies && n_fitting >= kind.evidence.least && share >= kind.evidence.named {
        return Some(Sureness::Sure);
    }
    (varies && n_fitting >= kind.evidence.least && share >= kind.evidence.alone)
        .then_some(Sureness::Likely)
}

/// The minimum number of words for text to count as a sentence.
const SENTENCE: usize = 5;

/// The minimum number of distinct texts for the fraction of texts that occur once to be informative.
const VARIED: u64 = 30;

#[cfg(test)]
mod tests {
    use super::super::tests::judged;
    use super::*;

    #[test]
    fn distinct_sentences_are_free_text() {
        let notes: Vec<String> =
            (0..20).map(|n| format!("patient came on day {n} with pain in the chest")).collect();
        let notes: Vec<&str> = notes.iter().map(String::as_str).collect();
        assert_eq!(judged(&FREE_TEXT, "x", &notes), Some(Sureness::Likely));
        assert_eq!(judged(&FREE_TEXT, "notes", &notes), Some(Sureness::Sure));
        assert_eq!(judged(&FREE_TEXT, "notes", &["none", "pain", "fever"]), None);
        // Most rows have the same answer, and the other answers are sentences.
        let mut answers = vec![("no further remarks by this patient", 400)];
        answers.extend(notes.iter().map(|note| (*note, 1)));
        let others: Vec<String> =
            (0..20).map(|n| format!("asked for a call after {n} days of work")).collect();
        answers.extend(others.iter().map(|note| (note.as_str(), 1)));
        let sample = Sample::of_values("anlass", 440, &answers);
        assert!(sample.distinct_fraction() < 0.1);
        assert_eq!(judge(&FREE_TEXT, &sample, answers.len()), Some(Sureness::Likely));
        let codes: Vec<(&str, u64)> = answers.iter().map(|(text, _)| (*text, 10)).collect();
        let sample = Sample::of_values("anlass", 410, &codes);
        assert_eq!(judge(&FREE_TEXT, &sample, codes.len()), None);
        let values = [
            ("disease of the upper respiratory tract", 500),
            ("other and unspecified disease of skin", 500),
        ];
        let sample = Sample::of_values("diagnosis", 1000, &values);
        assert_eq!(judge(&FREE_TEXT, &sample, 2), None);
    }
}
