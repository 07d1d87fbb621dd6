//! Facts about released rows that only the data holder knows.

use crate::STAR;
use crate::published::PublishedRows;

/// Facts about a release that its rows do not show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HolderKnowledge {
    /// The level of each quasi-identifier, if each has the same level for all rows.
    pub levels: Option<Vec<usize>>,
    /// The number of suppressed rows that are released with `*` for every quasi-identifier.
    pub n_starred: u64,
}

/// Returns the class of rows with `*` for every quasi-identifier.
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
