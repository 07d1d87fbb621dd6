//! Values that a reader takes for one, and a program for several.

use std::collections::BTreeMap;

use indistinct_labels::look_alikes::{as_displayed, mixes_alphabets};

use crate::text::fold;

/// Lists of words that mean the same in columns of few values.
const SYNONYMS: [&str; 4] = ["male", "female", "yes", "no"];

/// Columns with more values are lists of words, in which short ones are no abbreviations.
const FEW: usize = 12;

/// How many values look like others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, schemars::JsonSchema)]
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

/// What a reader sees of a value: as sensitive values are compared, and here without marks, too.
fn key(value: &str, is_few: bool) -> String {
    let folded = fold(&as_displayed(value));
    let same =
        |text: &str| SYNONYMS.map(crate::words::named).into_iter().find(|it| it.contains(&text));
    // Abbreviations are known in their own alphabets.
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
