//! # revised information loss metric (RILM)
//!
//! **Definition.** The narrowness of the classes in a numeric column: 1 minus the range of the
//! original numbers in a class, divided by the range of all numbers, averaged over the released
//! rows.
//! **Formula.** sum over classes of n (1 - (max_C - min_C) / (max - min)) / sum of n, over classes
//! with numbers, where n is their number of rows; max and min over the released rows. The result
//! is 1 if all numbers are equal.
//! **Parameters.** None. The measure depends on neither levels nor domains, so releases of one
//! table are comparable whatever their hierarchies.
//! **Level.** In [0, 1]; higher is better.
//! **Monotone.** Merging classes never increases the measure.
//! **Complexity.** O(tuples) for each attribute.
//! **Errors.** No value if the correspondence between original and released rows is unknown, or if
//! no quasi-identifier is numeric.
//! **Source.** Bloomston and others, Measuring Data Quality for Project Lighthouse,
//! arXiv:2510.06121; after Byun, Sohn, Bertino, Li, SDM 2006. Deviations: the measure for
//! categories in this paper uses the tree of values and is omitted, because `loss` serves the same
//! purpose.

use std::collections::BTreeMap;

use indistinct_core::model::Numbers;
use indistinct_core::published::ReleaseWithOriginal;
use rustc_hash::FxHashMap;

/// Returns the narrowness of the classes for each numeric quasi-identifier, or `None` if the
/// correspondence between original and released rows is unknown.
pub fn rilm(pair: &ReleaseWithOriginal) -> Option<BTreeMap<String, f64>> {
    let links = pair.links.as_ref()?;
    let mut found = BTreeMap::new();
    for column in pair.original.quasi_identifiers() {
        let Ok(numbers) = Numbers::from_dictionary(&column.dictionary) else { continue };
        // For each class, the smallest number, the largest number, and the number of rows with a
        // number.
        let mut classes: FxHashMap<u32, (i128, i128, u64)> = FxHashMap::default();
        for link in links {
            let code = column.codes[link.original as usize];
            let Some(released) = link.released.filter(|_| Some(code) != numbers.missing()) else {
                continue;
            };
            let number = numbers.scaled(code);
            let class = pair.published.class_of[released as usize];
            let (low, high, rows) = classes.entry(class).or_insert((number, number, 0));
            (*low, *high, *rows) = ((*low).min(number), (*high).max(number), *rows + link.rows);
        }
        // Use integers, because the result must not depend on the order of the classes.
        let ends = classes.values().fold(None, |ends, &(low, high, _)| match ends {
            None => Some((low, high)),
            Some((least, most)) => Some((low.min(least), high.max(most))),
        });
        let Some((least, most)) = ends else { continue };
        let n: u64 = classes.values().map(|class| class.2).sum();
        let mut each: Vec<(i128, u64)> =
            classes.values().map(|&(low, high, rows)| (high - low, rows)).collect();
        each.sort_unstable();
        let width = (most - least) as f64;
        let share = |&(range, rows): &(i128, u64)| range as f64 / width * rows as f64 / n as f64;
        let lost = if most > least { each.iter().map(share).sum() } else { 0.0 };
        found.insert(column.name.clone(), (1.0 - lost).clamp(0.0, 1.0));
    }
    Some(found)
}
