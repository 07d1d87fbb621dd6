//! Values that a reader takes for one, and a program for several.

use std::collections::BTreeMap;

use crate::text::fold;

/// Letters that look like Latin ones.
const HOMOGLYPHS: &[(char, char)] = &[
    ('а', 'a'),
    ('е', 'e'),
    ('о', 'o'),
    ('р', 'p'),
    ('с', 'c'),
    ('у', 'y'),
    ('х', 'x'),
    ('в', 'b'),
    ('к', 'k'),
    ('м', 'm'),
    ('н', 'h'),
    ('т', 't'),
    ('і', 'i'),
    ('ѕ', 's'),
    ('ј', 'j'),
    ('α', 'a'),
    ('β', 'b'),
    ('ε', 'e'),
    ('ι', 'i'),
    ('κ', 'k'),
    ('ν', 'v'),
    ('ο', 'o'),
    ('ρ', 'p'),
    ('τ', 't'),
    ('υ', 'u'),
    ('χ', 'x'),
    ('０', '0'),
    ('１', '1'),
];

/// Words that say the same, in columns of few values.
const SAME: &[&[&str]] = &[
    &[
        "m",
        "male",
        "man",
        "mannlich",
        "mann",
        "masculin",
        "homme",
        "masculino",
        "hombre",
        "maschio",
        "uomo",
        "h",
        "mand",
        "м",
        "муж",
        "мужской",
        "男",
    ],
    &[
        "f",
        "female",
        "woman",
        "weiblich",
        "w",
        "frau",
        "feminin",
        "femme",
        "femenino",
        "mujer",
        "femmina",
        "donna",
        "kvinde",
        "kvinna",
        "ж",
        "жен",
        "женский",
        "女",
    ],
    &["yes", "y", "ja", "j", "oui", "si", "true", "t", "да", "1"],
    &["no", "n", "nein", "non", "false", "нет", "nee", "0"],
];

/// Columns with more values are lists of words, in which short ones are no abbreviations.
const FEW: usize = 12;

/// How many values look like others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LookAlikes {
    /// Values that a reader takes for another one of the column.
    pub n_values: usize,
    /// Values with blanks at an end, or two in a row.
    pub n_blanks: usize,
    /// Values with letters of several alphabets in one word.
    pub n_mixed_alphabets: usize,
}

impl LookAlikes {
    /// Whether there is nothing to say.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// Looks at distinct values.
pub fn of_values<'a>(values: impl Iterator<Item = &'a str> + Clone) -> LookAlikes {
    let mut found = LookAlikes::default();
    let mut groups: BTreeMap<String, usize> = BTreeMap::new();
    let is_few = values.clone().take(FEW + 1).count() <= FEW;
    for value in values {
        found.n_blanks += usize::from(value.trim() != value || value.contains("  "));
        found.n_mixed_alphabets += usize::from(value.split_whitespace().any(mixes_alphabets));
        *groups.entry(key(value, is_few)).or_default() += 1;
    }
    found.n_values = groups.values().filter(|n| **n > 1).sum();
    found
}

/// What a reader sees of a value.
fn key(value: &str, is_few: bool) -> String {
    let words: Vec<&str> = value.split_whitespace().collect();
    let folded = fold(&words.join(" "));
    if is_few && let Some(same) = SAME.iter().find(|same| same.contains(&folded.as_str())) {
        return same[0].to_owned();
    }
    let seen =
        |c: char| HOMOGLYPHS.iter().find(|(other, _)| *other == c).map_or(c, |(_, latin)| *latin);
    // A word of another alphabet is that word; only one that mixes them looks like another.
    if folded.split(' ').any(mixes_alphabets) { folded.chars().map(seen).collect() } else { folded }
}

fn mixes_alphabets(word: &str) -> bool {
    let has = |test: fn(char) -> bool| word.chars().any(test);
    let latin = has(|c| c.is_ascii_alphabetic());
    let other = has(|c| ('\u{370}'..'\u{530}').contains(&c));
    latin && other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str]) -> LookAlikes {
        of_values(values.iter().copied())
    }

    #[test]
    fn case_blanks_marks_and_alphabets() {
        assert_eq!(
            found(&["Berlin", "berlin", "BERLIN ", "Bonn"]),
            LookAlikes { n_values: 3, n_blanks: 1, n_mixed_alphabets: 0 }
        );
        // The second has a Cyrillic letter.
        assert_eq!(
            found(&["Paris", "P\u{430}ris"]),
            LookAlikes { n_values: 2, n_blanks: 0, n_mixed_alphabets: 1 }
        );
        assert!(found(&["Москва", "Berlin"]).is_none());
    }

    #[test]
    fn abbreviations_of_few_values() {
        assert_eq!(found(&["m", "M", "male", "f"]).n_values, 3);
        assert_eq!(found(&["weiblich", "w", "männlich"]).n_values, 2);
        let letters: Vec<String> =
            ('a'..='z').map(String::from).chain(["male".to_owned()]).collect();
        assert_eq!(of_values(letters.iter().map(String::as_str)).n_values, 0);
    }
}
