//! Suggests known words in messages about unknown keys and values in a policy, which may be
//! misspelled or renamed.

use super::{Code, Problem};

/// Returns the most similar known word, or `None` if no known word is similar enough.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = plain(word);
    if wanted.is_empty() {
        return None;
    }
    known
        .into_iter()
        .filter_map(|candidate| {
            let plain = plain(candidate);
            let distance = strsim::damerau_levenshtein(&wanted, &plain);
            let longest = wanted.chars().count().max(plain.chars().count());
            let near = distance < longest && distance * 3 <= longest.max(3);
            // A prefix or another part of a known word, or a known word with an addition that is
            // not longer than the word.
            let part = wanted.chars().count() >= 3
                && (plain.contains(&wanted)
                    || plain.chars().count() * 2 >= longest && wanted.contains(&plain));
            (near || part).then_some((!near, distance, candidate))
        })
        .min()
        .map(|(_, _, candidate)| candidate)
}

/// Converts a word to lowercase and removes separators, which are most often confused.
fn plain(word: &str) -> String {
    word.chars()
        .filter(|c| !matches!(c, '-' | '_' | ' ' | '.'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Formats words as `a, b or c`, in the given order.
pub(super) fn one_of<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    match words.as_slice() {
        [] => "nothing".to_owned(),
        [only] => (*only).to_owned(),
        [first, last] => format!("{first} or {last}"),
        [init @ .., last] => format!("{}, or {last}", init.join(", ")),
    }
}

/// Returns all known words that contain the given word, if there are at least two and no known word
/// is similar to it. The intended word is then ambiguous.
pub(super) fn several<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = plain(word);
    let mut found = Vec::new();
    for candidate in known {
        let own = plain(candidate);
        let longest = wanted.chars().count().max(own.chars().count());
        if strsim::damerau_levenshtein(&wanted, &own) * 3 <= longest.max(3)
            && own.len() < wanted.len() + 2
        {
            return Vec::new();
        }
        if wanted.chars().count() >= 3 && own.contains(&wanted) {
            found.push(candidate);
        }
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// Formats a hint as `did you mean 'x'? (expected: a, b or c)`, or as `expected: a, b or c` if no
/// known word is similar.
pub(super) fn help<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let expected = one_of(known.clone());
    let meant = several(word, known.clone());
    if !meant.is_empty() {
        return format!("did you mean one of {}? (expected: {expected})", one_of(meant));
    }
    match nearest(word, known) {
        Some(near) => format!("did you mean '{near}'? (expected: {expected})"),
        None => format!("expected: {expected}"),
    }
}

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

/// Words for the omission of a column, which is the role `identifier`.
const OMITTED: [&str; 8] =
    ["omit", "omitted", "drop", "dropped", "remove", "exclude", "ignore", "suppress"];

/// An unknown word of a policy.
pub(super) struct UnknownWord<'a> {
    /// The table or key that contains the word, in the format of [`RENAMED`].
    pub(super) place: &'a str,
    /// The unknown word.
    pub(super) word: &'a str,
    /// The kind of the word, such as `key`.
    pub(super) what: &'a str,
    /// The text after the word in the message, such as ` of 'input'`.
    pub(super) of: &'a str,
    /// The known words.
    pub(super) known: &'a [&'a str],
    /// The location of the word in the file.
    pub(super) span: std::ops::Range<usize>,
}

impl UnknownWord<'_> {
    /// Returns the problem, including a suggestion of the most similar known word.
    pub(super) fn problem(self) -> Problem {
        let UnknownWord { place, word, what, of, known, span } = self;
        let code = match what {
            "key" => Code::UnknownKey,
            "parameter" => Code::UnknownParameter,
            _ => Code::UnknownWord,
        };
        let renamed = RENAMED.iter().find(|it| (it.0, it.1) == (place, word));
        let problem = Problem::at(code, span, format!("unknown {what} '{word}'{of}"));
        if let Some((_, _, name)) = renamed.filter(|it| known.contains(&it.2)) {
            return problem.help(format!("'{word}' was renamed to '{name}'"));
        }
        let is_omission = OMITTED.contains(&word.to_lowercase().as_str());
        if place == "attributes.*.role" && is_omission {
            return problem.help(
                "to omit a column from the release, set its role to 'identifier' (expected: \
                 identifier, quasi-identifier, sensitive, or insensitive)",
            );
        }
        problem.help(help(word, known.iter().copied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_and_variants_suggest_intended_word() {
        let roles = ["identifier", "quasi-identifier", "sensitive", "insensitive"];
        for (word, meant) in [
            ("sensitve", "sensitive"),
            ("Quasi_Identifier", "quasi-identifier"),
            ("quasi", "quasi-identifier"),
            ("identifer", "identifier"),
            ("insensitiv", "insensitive"),
        ] {
            assert_eq!(nearest(word, roles), Some(meant), "{word}");
        }
        assert_eq!(nearest("hidden", roles), None);
        assert_eq!(nearest("", roles), None);
        assert_eq!(nearest("k", ["c", "l"]), None);
        assert_eq!(nearest("kk", ["k"]), Some("k"));
        assert_eq!(nearest("age", ["age;sex;disease"]), Some("age;sex;disease"));
        assert_eq!(nearest("diversity-of-something", ["of"]), None);
        assert_eq!(nearest("paht", ["path", "format"]), Some("path"));
    }

    #[test]
    fn partial_word_suggests_all_matches() {
        let kinds =
            ["k-anonymity", "distinct-l-diversity", "entropy-l-diversity", "tau-l-diversity"];
        assert_eq!(several("l-diversity", kinds), kinds[1..]);
        assert_eq!(several("tau-l-diversty", kinds), [""; 0]);
        assert_eq!(several("t-closeness", kinds), [""; 0]);
        assert!(help("l-diversity", kinds).starts_with(
            "did you mean one of distinct-l-diversity, entropy-l-diversity, or tau-l-diversity?"
        ));
    }

    #[test]
    fn lists_are_joined_with_conjunctions() {
        assert_eq!(one_of([]), "nothing");
        assert_eq!(one_of(["a"]), "a");
        assert_eq!(one_of(["a", "b", "c"]), "a, b, or c");
    }
}
