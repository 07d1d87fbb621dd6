//! Named lists of folded words, in languages that are common in tables.

use std::collections::BTreeMap;
use std::sync::LazyLock;

static LISTS: LazyLock<BTreeMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut lists: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let lines = include_str!("../data/words.txt").lines().filter(|line| !line.starts_with('#'));
    for (name, words) in lines.filter_map(|line| line.split_once(": ")) {
        lists.entry(name).or_default().extend(words.split(", "));
    }
    lists
});

/// Returns the list with this name in `data/words.txt`, or an empty list if the name is unknown.
pub fn named(name: &str) -> &'static [&'static str] {
    LISTS.get(name).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_name_words_are_folded() {
        let unfolded = ["file-extensions", "missing-values", "streets", "titles"];
        for (name, words) in LISTS.iter().filter(|(name, _)| !unfolded.contains(name)) {
            for word in words {
                assert_eq!(crate::text::fold(word), *word, "{name}");
            }
        }
    }
}
