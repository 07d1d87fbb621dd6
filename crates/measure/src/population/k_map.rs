//! # k-map, the journalist risk based on a population table
//!
//! **Definition.** A table satisfies k-map if each of its combinations of quasi-identifiers is
//! shared by at least k people in the population.
//! **Level.** The smallest number of people in the population who match a class of the table. The
//! journalist risk of a row is 1 divided by the number of people who match its class.
//! **Deviation.** If no person matches a class, the table cannot be a sample of the population.
//! Classes without a match are counted separately. If there are any such classes, k is 0.
//! **Source.** Sweeney, Computational disclosure control, PhD thesis, MIT 2001 (k-map); El Emam and
//! Dankar, JAMIA 15, 2008 (journalist risk).

use serde::Serialize;

/// The result of matching the classes of a table with a population.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct KMap {
    /// The smallest number of people who match a class.
    pub k: u64,
    /// The highest journalist risk, which is 1 / k. `None` if a class matches no person.
    pub journalist_max: Option<f64>,
    /// The mean journalist risk over the rows that match at least one person. `None` if no row
    /// does.
    pub journalist_mean: Option<f64>,
    /// The number of rows whose quasi-identifiers match exactly one person in the population.
    pub n_unique_rows: u64,
    /// The number of rows whose quasi-identifiers match no person in the population.
    pub n_rows_outside_population: u64,
    /// The number of people in the population.
    pub n_people: u64,
}

/// Computes k-map from the number of rows and the number of matching people of each class. Returns
/// `None` for an empty list.
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
    fn smallest_population_class_determines_k() {
        let found = k_map(&[(2, 4), (1, 1), (3, 6)], 20).expect("the table is not empty");
        assert_eq!((found.k, found.journalist_max, found.n_unique_rows), (1, Some(1.0), 1));
        assert_eq!(found.journalist_mean, Some(2.0 / 6.0));
        let wrong = k_map(&[(2, 4), (1, 0)], 20).expect("the table is not empty");
        assert_eq!((wrong.k, wrong.journalist_max, wrong.n_rows_outside_population), (0, None, 1));
        assert_eq!(wrong.journalist_mean, Some(0.25));
        assert_eq!(k_map(&[], 20), None);
    }
}
