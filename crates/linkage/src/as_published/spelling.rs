//! Values that are spelled differently in different releases.
//!
//! Strings that differ only in case, blanks, or look-alike letters count as one value, unless a
//! release contains two such strings. That release distinguishes the strings. If another release
//! contains only one of them, its meaning there is unknown. Because treating strings as equal
//! increases the overlap between releases, no person in both releases is missed.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::model::folded;
use indistinct_core::{Rational, STAR, parse_decimal};

/// The key that all spellings of a value have in common.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Number(Rational),
    Text(String),
}

impl Key {
    /// Returns the key of a string that is not a number.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        (text != STAR && parse_decimal(text).is_err()).then(|| Self::Text(folded(text)))
    }

    /// Returns the key of a string or number.
    pub(super) fn of_any(text: &str) -> Option<Self> {
        parse_decimal(text).map_or_else(|_| Self::of_text(text), |it| Some(Self::Number(it)))
    }
}

/// The strings that represent one value.
#[derive(Debug, Default)]
pub(super) struct Spellings<'a> {
    one_text: BTreeMap<&'a str, &'a str>,
    /// Sets of strings that have the same key but that at least one release distinguishes.
    apart: Vec<BTreeSet<&'a str>>,
}

impl<'a> Spellings<'a> {
    /// Compares the strings of all releases. `others` contains strings from sources that do not
    /// distinguish spellings.
    pub(super) fn new(
        releases: &[BTreeSet<&'a str>],
        others: &BTreeSet<&'a str>,
        key: impl Fn(&str) -> Option<Key>,
    ) -> Self {
        let mut by_key: BTreeMap<Key, BTreeSet<&str>> = BTreeMap::new();
        for &text in releases.iter().flatten().chain(others) {
            if let Some(key) = key(text) {
                by_key.entry(key).or_default().insert(text);
            }
        }
        let mut found = Self::default();
        for same in by_key.into_values().filter(|same| same.len() > 1) {
            if releases.iter().any(|texts| same.intersection(texts).count() > 1) {
                found.apart.push(same);
            } else if let Some(&first) = same.first() {
                found.one_text.extend(same.iter().map(|text| (*text, first)));
            }
        }
        found
    }

    /// Returns the representative of a string.
    pub(super) fn one<'b>(&self, text: &'b str) -> &'b str
    where
        'a: 'b,
    {
        self.one_text.get(text).copied().unwrap_or(text)
    }

    /// Returns whether a string has other spellings that at least one release distinguishes from
    /// this string.
    pub(super) fn is_distinguished(&self, text: &str) -> bool {
        self.apart.iter().any(|same| same.contains(text))
    }

    /// Returns the strings of one source that may represent any of several strings of another
    /// source. The function `is_possible` returns whether the first source could contain a string.
    pub(super) fn open(
        &self,
        texts: &BTreeSet<&'a str>,
        is_possible: impl Fn(&str) -> bool,
    ) -> Vec<&'a str> {
        let missing = |same: &&BTreeSet<&'a str>| {
            same.iter().any(|text| !texts.contains(text) && is_possible(text))
        };
        self.apart
            .iter()
            .filter(missing)
            .flat_map(|same| same.intersection(texts).copied())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_unified_unless_release_distinguishes_them() {
        let texts = |texts: &[&'static str]| BTreeSet::from_iter(texts.iter().copied());
        let none = BTreeSet::new();
        let releases = [texts(&["flu", "1.0", "*"]), texts(&[" Flu", "1", "gout"])];
        let found = Spellings::new(&releases, &none, Key::of_any);
        assert_eq!(
            ["flu", " Flu", "1.0", "gout"].map(|it| found.one(it)),
            [" Flu", " Flu", "1", "gout"]
        );
        assert!(!found.is_distinguished("flu") && found.open(&releases[0], |_| true).is_empty());
        let found = Spellings::new(&releases, &none, Key::of_text);
        assert_eq!((found.one("1.0"), found.one("flu")), ("1.0", " Flu"));
        let both = [texts(&["flu"]), texts(&["flu", "Flu"])];
        let found = Spellings::new(&both, &none, Key::of_any);
        assert_eq!((found.one("Flu"), found.is_distinguished("flu")), ("Flu", true));
        let open = |at: usize| found.open(&both[at], |_| true);
        assert_eq!((open(0), open(1)), (vec!["flu"], vec![]));
        // A string that the source cannot contain is not a possible meaning.
        assert!(found.open(&both[0], |text| text != "Flu").is_empty());
        // Different spellings among the values of people represent the same value.
        let found = Spellings::new(&both[..1], &both[1], Key::of_any);
        assert_eq!(found.one("flu"), "Flu");
    }
}
