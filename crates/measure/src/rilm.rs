//! # revised information loss metric (RILM)
//!
//! **Definition.** How narrow the classes are in a column of numbers: 1 minus the range of a class's original numbers as a share of the
//! range of all, on average over the released rows.
//! **Formula.** sum over classes of n (1 - (max_C - min_C) / (max - min)) / sum of n, over classes with numbers and their rows n; max and min
//! over the released rows. 1 where all have one number.
//! **Parameters.** None: neither levels nor domains, so that releases of one table can be compared whatever hierarchies they were made with.
//! **Level.** In [0, 1]; higher is better.
//! **Monotone.** Merging classes never raises it.
//! **Complexity.** O(tuples) for each attribute.
//! **Errors.** None where it is not known which row became which, or no quasi-identifier has numbers.
//! **Source.** Bloomston and others, Measuring Data Quality for Project Lighthouse, arXiv:2510.06121; after Byun, Sohn, Bertino, Li, SDM
//! 2006. Deviations: for categories their figure is counted on the tree of values, so that it is left out here: `loss` has it.

use std::collections::BTreeMap;

use indistinct_core::model::Numbers;
use indistinct_core::published::ReleaseWithOriginal;
use rustc_hash::FxHashMap;

/// For each quasi-identifier with numbers how narrow classes are; `None` where it is not known which row became which.
pub fn rilm(pair: &ReleaseWithOriginal) -> Option<BTreeMap<String, f64>> {
    let links = pair.links.as_ref()?;
    let mut found = BTreeMap::new();
    for column in pair.original.quasi_identifiers() {
        let Ok(numbers) = Numbers::from_dictionary(&column.dictionary) else { continue };
        // For each class the lowest and the highest number, and its rows with one.
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
        // In whole units, so that the order of the classes does not matter.
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
