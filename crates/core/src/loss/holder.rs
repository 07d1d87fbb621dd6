//! What only the holder of a release knows of its rows.

use crate::STAR;
use crate::published::PublishedRows;

/// What released rows do not say, but their holder knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HolderKnowledge {
    /// For each quasi-identifier its level, where each has one for all rows.
    pub levels: Option<Vec<usize>>,
    /// Suppressed rows that are among the released ones, with `*` for every quasi-identifier.
    pub n_starred: u64,
}

/// The class of rows with `*` for every quasi-identifier.
pub(super) fn star_class(published: &PublishedRows) -> Option<usize> {
    let columns = published.rows.quasi_identifiers();
    let stars: Option<Vec<u32>> =
        columns.iter().map(|column| column.dictionary.code_of(STAR)).collect();
    let stars = stars.filter(|stars| !stars.is_empty())?;
    let is_star = |tuple: &usize| {
        columns.iter().zip(&stars).all(|(column, star)| column.codes[*tuple] == *star)
    };
    let tuple = (0..published.rows.n_tuples()).find(is_star)?;
    Some(published.class_of[tuple] as usize)
}
