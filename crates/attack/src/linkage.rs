//! # Linkage with an identified register
//!
//! **Definition.** Somebody joins the release with a table of names and raw quasi-identifiers. The risks are measured by joining, not
//! bounded by class sizes.
//! **Formula.** Prosecutor, for a person of the register: 1 / released rows that fit. Journalist, for a released row: 1 / F, with F people
//! who fit it (but at least as many as there are rows like it, f). Marketer: the expected fraction of released rows that are matched
//! rightly, sum over combinations of labels of min(f, F) / max(f, F), divided by the rows. Re-identified, with the original: for raw
//! quasi-identifiers q that r people of the register and o rows of the original have, rel of them released, min(r, o) rel / (o R)
//! people are matched rightly where each picks one of the R rows that fit.
//! Where somebody fits several combinations these look at one person, or one row, by itself. Whoever has a register of everybody can lay it
//! over all rows at once and rule people out. The rows of one combination stay alike, so that no link is right with more than 1 / f.
//! **Assumes.** The register is right and coded as the original is; no person is in it twice.
//! **Gets.** The three risks over people and rows, people who fit one row alone, and with the original how many are matched correctly.
//! **Complexity.** O(people + combinations).
//! **Stopped by.** k-anonymity limits the prosecutor; delta-presence the knowledge of who is in the table.
//! **Source.** Sweeney 2002; the names of the risks are El Emam's. Deviations: min / max covers registers that lack people.

use indistinct_core::Status;
use indistinct_core::published::{PublishedRows, ReleaseWithOriginal};
use indistinct_core::{FrequencyTable, Observer};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::{Attack, Distribution, Fits, RiskKind};

/// The attack.
pub static ATTACK: Attack = Attack {
    name: "register-linkage",
    risk: RiskKind::Linkability,
    assumes: "The adversary has a register of people with names and raw quasi-identifiers, coded as the original is, and joins it with the release.",
    gets: "How many released rows fit each person of the register, how many people fit each row, and with the original how many are matched correctly.",
    stopped_by: "k-anonymity: at least k rows fit whoever has a row in the release. delta-presence limits what can be learned about who is in it.",
    status: Status::Stable,
    source: "Sweeney, IJUFKS 2002; El Emam, Guide to the De-Identification of Personal Health Information, 2013",
};

/// What joining with a register gets.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Linkage {
    /// People of the register.
    pub n_people: u64,
    /// Those whom no row fits: they are not in the release.
    pub n_people_without_row: u64,
    /// Those whom exactly one row fits.
    pub n_people_with_one_row: u64,
    /// The prosecutor's risk of each person whom some row fits, counted as rows.
    pub prosecutor: Option<Distribution>,
    /// Released rows that nobody of the register fits.
    pub n_rows_without_person: u64,
    /// The journalist's risk of each row that somebody fits.
    pub journalist: Option<Distribution>,
    /// The expected fraction of released rows that the marketer matches rightly.
    pub marketer: f64,
    /// Where somebody fits several combinations: what no link exceeds, even if a register of everybody is laid over all rows at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_once: Option<f64>,
    /// What really is matched rightly, where the original is at hand.
    pub reidentified: Option<Reidentification>,
}

/// What really is matched rightly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Reidentification {
    /// People of the register with the raw quasi-identifiers of some row of the original.
    pub n_people_in_original: u64,
    /// Expected number of people who are matched with their own row.
    pub expected_people: f64,
    /// The same as a fraction of those in the original.
    pub expected_fraction: f64,
}

/// Joins a register with a release.
pub fn attack(
    published: &PublishedRows,
    register: &FrequencyTable,
    fits: &Fits,
    pair: Option<&ReleaseWithOriginal>,
    observer: &dyn Observer,
) -> Linkage {
    let rows_of: Vec<u64> = published
        .rows
        .groups()
        .iter()
        .map(|tuples| published.rows.counts()[tuples].iter().sum())
        .collect();
    let people: Vec<u64> =
        register.groups().iter().map(|tuples| register.counts()[tuples].iter().sum()).collect();
    let rows_of_set: Vec<u64> = fits
        .sets
        .iter()
        .map(|set| {
            let combinations = set.iter().take_while(|_| !observer.is_cancelled());
            combinations.map(|&combination| rows_of[combination as usize]).sum()
        })
        .collect();
    let mut people_of_set = vec![0u64; fits.sets.len()];
    for (&set, n) in fits.set_of.iter().zip(&people) {
        people_of_set[set as usize] += n;
    }
    let mut people_of = vec![0u64; rows_of.len()];
    let mut found = Linkage {
        n_people: people.iter().sum(),
        n_people_without_row: 0,
        n_people_with_one_row: 0,
        prosecutor: None,
        n_rows_without_person: 0,
        journalist: None,
        marketer: 0.0,
        at_once: None,
        reidentified: pair
            .and_then(|pair| reidentified(register, fits, &rows_of_set, pair, observer)),
    };
    let mut prosecutor = Vec::new();
    let sets = fits.sets.iter().zip(&people_of_set).zip(&rows_of_set);
    for ((set, &n), &rows) in sets.take_while(|_| !observer.is_cancelled()) {
        match rows {
            0 => found.n_people_without_row += n,
            _ => prosecutor.push((1.0 / rows as f64, n)),
        }
        if rows == 1 {
            found.n_people_with_one_row += n;
        }
        for &combination in set {
            people_of[combination as usize] += n;
        }
    }
    let mut journalist = Vec::new();
    let n_rows = rows_of.iter().sum::<u64>().max(1) as f64;
    for (&rows, &n) in rows_of.iter().zip(&people_of) {
        if n == 0 {
            found.n_rows_without_person += rows;
        } else {
            journalist.push((1.0 / n.max(rows) as f64, rows));
            found.marketer += n.min(rows) as f64 / n.max(rows) as f64 / n_rows;
        }
    }
    let smallest = rows_of.iter().zip(&people_of).filter(|it| *it.1 > 0).map(|it| *it.0).min();
    let mut sets = fits.sets.iter().zip(&people_of_set);
    let overlap = sets.any(|(set, people)| set.len() > 1 && *people > 0);
    found.at_once = smallest.filter(|_| overlap).map(|rows| 1.0 / rows as f64);
    found.prosecutor = Distribution::from_figures(prosecutor);
    found.journalist = Distribution::from_figures(journalist);
    found
}

/// Joins the register with the original by raw values, and counts who is matched rightly; `None` where it is not known what became of
/// the rows.
fn reidentified(
    register: &FrequencyTable,
    fits: &Fits,
    rows_of_set: &[u64],
    pair: &ReleaseWithOriginal,
    observer: &dyn Observer,
) -> Option<Reidentification> {
    let links = pair.links.as_ref()?;
    let original = &pair.original;
    let mut released = vec![0u64; original.n_tuples()];
    for link in links.iter().filter(|link| link.released.is_some()) {
        released[link.original as usize] += link.rows;
    }
    // Raw quasi-identifiers -> rows of the original, and how many of them are released.
    let mut known: FxHashMap<Vec<u32>, (u64, u64)> = FxHashMap::default();
    for tuples in original.groups().iter().take_while(|_| !observer.is_cancelled()) {
        let key =
            original.quasi_identifiers().iter().map(|column| column.codes[tuples.start]).collect();
        let rows = original.counts()[tuples.clone()].iter().sum();
        known.insert(key, (rows, released[tuples].iter().sum()));
    }
    let columns = register.quasi_identifiers().iter().zip(original.quasi_identifiers());
    let codes: Vec<Vec<Option<u32>>> = columns
        .map(|(here, there)| {
            let position: FxHashMap<&str, u32> =
                there.dictionary.values().iter().map(String::as_str).zip(0..).collect();
            let values = here.dictionary.values().iter();
            values.map(|value| position.get(value.as_str()).copied()).collect()
        })
        .collect();
    let mut found =
        Reidentification { n_people_in_original: 0, expected_people: 0.0, expected_fraction: 0.0 };
    for (group, tuples) in
        register.groups().iter().enumerate().take_while(|_| !observer.is_cancelled())
    {
        let key: Option<Vec<u32>> = register
            .quasi_identifiers()
            .iter()
            .zip(&codes)
            .map(|(column, codes)| codes[column.codes[tuples.start] as usize])
            .collect();
        let Some(&(rows, released)) = key.and_then(|key| known.get(&key)) else { continue };
        let people: u64 = register.counts()[tuples].iter().sum();
        let inside = people.min(rows);
        found.n_people_in_original += inside;
        let fitting = rows_of_set[fits.set_of[group] as usize];
        if fitting > 0 {
            found.expected_people +=
                inside as f64 * released as f64 / (rows as f64 * fitting as f64);
        }
    }
    if found.n_people_in_original > 0 {
        found.expected_fraction = found.expected_people / found.n_people_in_original as f64;
    }
    Some(found)
}
