//! # Linkage with an identified register
//!
//! **Definition.** An adversary joins the release with a table of names and original
//! quasi-identifiers. The risks are measured by joining the tables instead of being bounded by
//! class sizes.
//! **Formula.** Prosecutor risk of a person in the register: 1 / released rows that fit the person.
//! Journalist risk of a released row: 1 / F, where F people fit the row (at least f, the number of
//! rows with the same labels). Marketer risk: the expected fraction of correctly matched released
//! rows, which is the sum over combinations of labels of min(f, F) / max(f, F), divided by the
//! number of rows. Re-identification, with the original: let r people of the register and o rows of
//! the original have quasi-identifiers q, and let rel be the number of released rows among the
//! latter. If one of the R fitting rows is picked for each person, min(r, o) rel / (o R) people are
//! matched correctly. If a person fits several combinations, these figures consider each person or
//! row separately. An adversary with a register of everyone can match all rows jointly and rule out
//! candidates. Because the rows of one combination remain indistinguishable, no link is correct
//! with probability above 1 / f.
//! **Assumes.** The register is correct and has the same coding as the original; every person
//! occurs in it once.
//! **Gets.** The three risks over people and rows, the people who fit exactly one row, and with the
//! original the number of correct matches.
//! **Complexity.** O(people + combinations).
//! **Stopped by.** k-anonymity limits the prosecutor risk; delta-presence limits the knowledge of
//! who is in the table.
//! **Source.** Sweeney 2002; the names of the risks are El Emam's. Deviation: min / max accounts
//! for incomplete registers.

use indistinct_core::Status;
use indistinct_core::published::{PublishedRows, ReleaseWithOriginal};
use indistinct_core::{FrequencyTable, Observer};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::{Attack, Distribution, Fits, RiskKind};

/// The registry entry of the attack `register-linkage`.
pub static ATTACK: Attack = Attack {
    name: "register-linkage",
    risk: RiskKind::Linkability,
    assumes: "The adversary joins the release with a register of names and raw quasi-identifiers, \
              which are coded like the original.",
    gets: "How many released rows match each person in the register, how many people match each \
        row, and, if the original is available, how many matches are correct.",
    stopped_by: "k-anonymity: at least k rows match each person with a row in the release. \
                 delta-presence limits what the adversary learns about a person's presence in the \
                 release.",
    status: Status::Stable,
    source: "Sweeney, IJUFKS 2002; El Emam, Guide to the De-Identification of Personal Health \
             Information, 2013",
};

/// The result of the attack `register-linkage`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Linkage {
    /// People in the register.
    pub n_people: u64,
    /// People whom no released row fits and who are therefore not in the release.
    pub n_people_without_row: u64,
    /// People whom exactly one released row fits.
    pub n_people_with_one_row: u64,
    /// The distribution of the prosecutor risk over people whom some row fits.
    pub prosecutor: Option<Distribution>,
    /// Released rows that fit no one in the register.
    pub n_rows_without_person: u64,
    /// The distribution of the journalist risk over rows that fit a person.
    pub journalist: Option<Distribution>,
    /// The expected fraction of released rows that the marketer matches correctly.
    pub marketer: f64,
    /// The upper bound on the probability of any link if a complete register is matched with all
    /// rows jointly, if a person fits several combinations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_once: Option<f64>,
    /// The correct matches, if the original is available.
    pub reidentified: Option<Reidentification>,
}

/// The correct matches between a register and the original.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Reidentification {
    /// People in the register whose original quasi-identifiers occur in the original.
    pub n_people_in_original: u64,
    /// Expected number of people who are matched with their own row.
    pub expected_people: f64,
    /// The expected fraction of `n_people_in_original` who are matched with their own row.
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

/// Joins the register with the original by original values, and counts correct matches. Returns
/// `None` if the links between original and released rows are unknown.
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
    // Maps original quasi-identifiers to their number of rows in the original, and to the number of
    // these rows that are released.
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
