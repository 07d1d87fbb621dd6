//! Unknown keys and values in a policy, which may be misspelled or renamed.

use super::suggest::{nearest, one_of, several};
use super::{Code, Problem};

/// Renamed keys and values. Each entry has the table or key that contains the word, the former
/// name, and the current name.
static RENAMED: &[(&str, &str, &str)] = &[
    ("input", "counts", "count_column"),
    ("attributes.*", "alike", "spelling_variants"),
    ("attributes.*", "written", "notation"),
    ("attributes.*.missing", "own-value", "separate-value"),
    ("people.rows", "together", "uniform"),
    ("people.rows", "apart", "independent"),
    ("principles", "others", "other_sensitive"),
    ("recoding", "suppressed", "suppression"),
    ("recoding.suppression", "dropped", "drop-rows"),
    ("recoding.suppression", "starred", "star-rows"),
    ("recoding.suppression", "cells", "star-cells"),
    ("recoding", "align", "generalize_to"),
    ("recoding.generalize_to", "values", "bounds"),
    ("recoding", "choice", "value_selection"),
    ("recoding.level_weights", "occurring", "observed"),
    ("recoding.method", "noise", "masking"),
    ("recoding", "noise", "masking"),
    ("recoding.masking.*", "add", "noise"),
    ("linkage", "key", "key_file"),
    ("output", "order", "row_order"),
];

/// An unknown word of a policy.
pub(super) struct UnknownWord<'a> {
    /// The table or the key that contains the word, as in [`RENAMED`].
    pub(super) place: &'a str,
    /// The unknown word.
    pub(super) word: &'a str,
    /// The kind of the word, such as `key`.
    pub(super) what: &'a str,
    /// The context of the word in the message, such as ` of 'input'`.
    pub(super) of: &'a str,
    /// The known words.
    pub(super) known: &'a [&'a str],
    /// The code of the problem.
    pub(super) code: Code,
    /// The location of the word in the file.
    pub(super) span: std::ops::Range<usize>,
}

impl UnknownWord<'_> {
    /// Returns the problem, with the most similar known word as a suggestion.
    pub(super) fn problem(self) -> Problem {
        let UnknownWord { place, word, what, of, known, code, span } = self;
        let has = one_of(known.iter().copied());
        let renamed = RENAMED.iter().find(|it| (it.0, it.1) == (place, word));
        let problem = Problem::at(code, span, format!("unknown {what} '{word}'{of}"));
        if let Some((_, _, name)) = renamed.filter(|it| known.contains(&it.2)) {
            return problem.help(format!("'{word}' was renamed to '{name}'"));
        }
        let meant = several(word, known.iter().copied());
        if !meant.is_empty() {
            return problem
                .help(format!("did you mean one of {}? (expected: {has})", one_of(meant)));
        }
        problem.help(match nearest(word, known.iter().copied()) {
            Some(near) => format!("did you mean '{near}'? (expected: {has})"),
            None => format!("expected: {has}"),
        })
    }
}
