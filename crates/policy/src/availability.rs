//! What the policy format has and this version does not. Whoever adds one of these removes its line.

use super::suggest::{nearest, one_of, several};
use super::{Code, Problem};

/// (the table or the key, the key or the word in it).
pub(super) static NOT_YET: &[(&str, &str)] = &[];

/// The words of a place that are not available.
pub(super) fn not_yet(place: &str) -> impl Iterator<Item = &str> + Clone {
    NOT_YET.iter().filter(move |(there, _)| *there == place).map(|(_, word)| *word)
}

/// Whether a word is known but not available.
pub(super) fn is_not_yet(place: &str, word: &str) -> bool {
    not_yet(place).any(|known| known == word)
}

/// A word of a policy that none of the known ones is.
pub(super) struct UnknownWord<'a> {
    /// The table or the key that it stands in, as in [`NOT_YET`].
    pub(super) place: &'a str,
    /// The word.
    pub(super) word: &'a str,
    /// What it is, such as `key`.
    pub(super) what: &'a str,
    /// Where it stands, for the message, such as ` of 'input'`.
    pub(super) of: &'a str,
    /// What stands there in this version.
    pub(super) known: &'a [&'a str],
    /// The code if nobody knows it.
    pub(super) code: Code,
    /// Its place in the file.
    pub(super) span: std::ops::Range<usize>,
}

impl UnknownWord<'_> {
    /// The problem: not available, or unknown, with what was probably meant.
    pub(super) fn problem(self) -> Problem {
        let UnknownWord { place, word, what, of, known, code, span } = self;
        let has = one_of(known.iter().copied());
        if is_not_yet(place, word) {
            let message = format!("{what} '{word}'{of} is not available in this version");
            let instead =
                if what == "key" { "remove it" } else { "remove it or choose another one" };
            return Problem::at(Code::NotAvailable, span, message)
                .help(format!("{instead}; this version has: {has}"));
        }
        let meant = several(word, known.iter().copied());
        if !meant.is_empty() {
            return Problem::at(code, span, format!("unknown {what} '{word}'{of}"))
                .help(format!("did you mean one of {}? (expected: {has})", one_of(meant)));
        }
        let help = match nearest(word, known.iter().copied().chain(not_yet(place))) {
            Some(near) if is_not_yet(place, near) => format!(
                "did you mean '{near}'? It is not available in this version (expected: {has})"
            ),
            Some(near) => format!("did you mean '{near}'? (expected: {has})"),
            None => format!("expected: {has}"),
        };
        Problem::at(code, span, format!("unknown {what} '{word}'{of}")).help(help)
    }
}
