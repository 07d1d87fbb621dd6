//! # k-map: the journalist's risk from the population itself
//!
//! **Definition.** A table has k-map if every combination of quasi-identifiers in it is that of at least k people of the population.
//! **Level.** The smallest number of people behind a class of the table; the journalist's risk of a row is 1 by that of its class.
//! **Deviation.** A class that no person of the population fits shows that the population is not that of the table: it is counted apart,
//! and k is then 0.
//! **Source.** Sweeney, Computational disclosure control, PhD thesis, MIT 2001 (k-map); El Emam and Dankar, JAMIA 15, 2008 (journalist risk).

use serde::Serialize;

/// What a population says of the classes of a table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct KMap {
    /// The smallest number of people behind a class.
    pub k: u64,
    /// The journalist's highest risk: 1 by that; `None` where a class fits nobody.
    pub journalist_max: Option<f64>,
    /// The journalist's mean risk over the rows that fit somebody; `None` where none does.
    pub journalist_mean: Option<f64>,
    /// Rows whose combination is that of one person of the population.
    pub n_unique_rows: u64,
    /// Rows whose combination is nobody's in the population.
    pub n_rows_outside_population: u64,
    /// People of the population.
    pub n_people: u64,
}

/// From the rows of each class and the people of the population that fit it. `None` without rows.
pub fn k_map(classes: &[(u64, u64)], n_people: u64) -> Option<KMap> {
    let k = classes.iter().map(|class| class.1).min()?;
    let rows = |of: fn(u64) -> bool| -> u64 {
        classes.iter().filter(|class| of(class.1)).map(|class| class.0).sum()
    };
    let fitting = rows(|people| people > 0);
    let sum: f64 = classes
        .iter()
        .filter(|class| class.1 > 0)
        .map(|(rows, people)| *rows as f64 / *people as f64)
        .sum();
    Some(KMap {
        k,
        journalist_max: (k > 0).then(|| 1.0 / k as f64),
        journalist_mean: (fitting > 0).then(|| sum / fitting as f64),
        n_unique_rows: rows(|people| people == 1),
        n_rows_outside_population: rows(|people| people == 0),
        n_people,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_class_of_the_population_decides() {
        let found = k_map(&[(2, 4), (1, 1), (3, 6)], 20).expect("there are rows");
        assert_eq!((found.k, found.journalist_max, found.n_unique_rows), (1, Some(1.0), 1));
        assert_eq!(found.journalist_mean, Some(2.0 / 6.0));
        let wrong = k_map(&[(2, 4), (1, 0)], 20).expect("there are rows");
        assert_eq!((wrong.k, wrong.journalist_max, wrong.n_rows_outside_population), (0, None, 1));
        assert_eq!(wrong.journalist_mean, Some(0.25));
        assert_eq!(k_map(&[], 20), None);
    }
}
