//! Counts values that look the same to a reader but that programs distinguish.

use std::collections::BTreeMap;

use indistinct_labels::look_alikes::{as_displayed, mixes_alphabets};

use crate::text::fold;

/// Names of synonym lists. In columns with few values, all words in a list have the same meaning.
const SYNONYMS: [&str; 4] = ["male", "female", "yes", "no"];

/// The maximum number of distinct values of a column whose short words are treated as
/// abbreviations.
const FEW: usize = 12;

/// The number of values that look like another value of the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, schemars::JsonSchema)]
pub struct LookAlikes {
    /// The number of values that a reader would confuse with another value of the column.
    pub n_values: usize,
    /// The number of values with leading, trailing, or repeated spaces.
    pub n_blanks: usize,
    /// The number of values that mix letters of several alphabets in one word.
    pub n_mixed_alphabets: usize,
}

impl LookAlikes {
    /// Returns whether no such values were found.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// Counts the distinct values that look alike.
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

/// Returns the form in which values are compared. Sensitive values are compared in the same form,
/// but with diacritics.
fn key(value: &str, is_few: bool) -> String {
    let folded = fold(&as_displayed(value));
    let same =
        |text: &str| SYNONYMS.map(crate::words::named).into_iter().find(|it| it.contains(&text));
    // Abbreviations are written in the alphabet of their language, so the original text is looked
    // up first.
    match same(&fold(value)).or_else(|| same(&folded)).filter(|_| is_few) {
        Some(same) => same[0].to_owned(),
        None => folded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str]) -> LookAlikes {
        of_values(values.iter().copied())
    }

    #[test]
    fn variants_in_case_blanks_and_alphabets_are_counted() {
        assert_eq!(
            found(&["Berlin", "berlin", "BERLIN ", "Bonn"]),
            LookAlikes { n_values: 3, n_blanks: 1, n_mixed_alphabets: 0 }
        );
        // The second value contains a Cyrillic letter.
        assert_eq!(
            found(&["Paris", "P\u{430}ris"]),
            LookAlikes { n_values: 2, n_blanks: 0, n_mixed_alphabets: 1 }
        );
        assert!(found(&["Москва", "Berlin"]).is_none());
    }

    #[test]
    fn abbreviations_are_counted_among_few_values() {
        assert_eq!(found(&["m", "M", "male", "f"]).n_values, 3);
        assert_eq!(found(&["weiblich", "w", "männlich"]).n_values, 2);
        let letters: Vec<String> =
            ('a'..='z').map(String::from).chain(["male".to_owned()]).collect();
        assert_eq!(of_values(letters.iter().map(String::as_str)).n_values, 0);
    }
}
