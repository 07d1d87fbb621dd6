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
//! matched correctly; likewise if only the rows of the fitting combinations with the cheapest
//! labels are considered. The larger figure is reported, because methods prefer cheap labels.
//! Without the original, the mean of 1 / f over the released rows bounds every such average. If a
//! person fits several combinations, these figures consider each person or row separately. An
//! adversary with a register of everyone can match all rows jointly and rule out candidates.
//! Because the rows of one combination remain indistinguishable, no link is correct with
//! probability above 1 / f. If the register contains sensitive attributes, only rows with the same
//! sensitive values fit a person, so these bounds do not apply; the prosecutor risk of this
//! adversary is reported separately.
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
use indistinct_core::model::CountedColumn;
use indistinct_core::published::{PublishedRows, ReleaseWithOriginal};
use indistinct_core::{FrequencyTable, Observer};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::fits::in_codes_of;
use crate::{Attack, Distribution, Fits, RiskKind};

/// The registry entry of the attack `register-linkage`.
pub static ATTACK: Attack = Attack {
    name: "register-linkage",
    risk: RiskKind::Linkability,
    assumes: "The adversary joins the release with a register of names and quasi-identifiers, \
              which have the same format as in the original table.",
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
    /// People who fit no released row and are therefore not in the release.
    pub n_people_without_row: u64,
    /// People who fit exactly one released row.
    pub n_people_with_one_row: u64,
    /// The distribution of the prosecutor risk over people who fit at least one row.
    pub prosecutor: Option<Distribution>,
    /// Released rows that fit no one in the register.
    pub n_rows_without_person: u64,
    /// The distribution of the journalist risk over rows that fit a person.
    pub journalist: Option<Distribution>,
    /// The expected fraction of released rows that a marketer matches correctly.
    pub marketer: f64,
    /// The upper bound on the probability of any link if a complete register is matched with all
    /// rows jointly, if a person fits several combinations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_once: Option<f64>,
    /// The upper bound on the average probability that a person is matched correctly, for any rule
    /// by which the adversary chooses one of the fitting rows: the mean over the released rows of 1
    /// divided by the number of rows with the same labels.
    pub mean_bound: f64,
    /// The correct matches, if the original is available.
    pub reidentified: Option<Reidentification>,
    /// The matches by quasi-identifiers and sensitive attributes, if the register contains the
    /// latter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_sensitive: Option<SensitiveMatches>,
}

/// The matches of people by their quasi-identifiers and the sensitive values in the register.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SensitiveMatches {
    /// The sensitive attributes in the register.
    pub attributes: Vec<String>,
    /// People whom no released row fits.
    pub n_people_without_row: u64,
    /// People who fit exactly one released row.
    pub n_people_with_one_row: u64,
    /// The distribution of the prosecutor risk over people who fit at least one row.
    pub prosecutor: Option<Distribution>,
}

/// Statistics of correct matches between a register and the original.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Reidentification {
    /// People in the register whose original quasi-identifiers occur in the original.
    pub n_people_in_original: u64,
    /// Expected number of people who are matched with their own row under the better of two rules:
    /// any fitting row, or a row of the fitting combination whose labels cover the fewest values.
    pub expected_people: f64,
    /// The expected fraction of `n_people_in_original` who are matched with their own row.
    pub expected_fraction: f64,
    /// The expected fraction if one of the fitting rows is chosen at random.
    pub by_any_fitting: f64,
    /// The expected fraction if a row of the fitting combination that covers the fewest values is
    /// chosen. Methods that generalize no more than necessary prefer such combinations.
    pub by_cheapest_fitting: f64,
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
        mean_bound: 0.0,
        reidentified: pair.and_then(|pair| reidentified(register, fits, &rows_of, pair, observer)),
        with_sensitive: with_sensitive(published, register, fits, observer),
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
    found.mean_bound = rows_of.iter().filter(|rows| **rows > 0).count() as f64 / n_rows;
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

/// Matches people by their quasi-identifiers and the sensitive attributes in the register. Returns
/// `None` if the register contains none.
fn with_sensitive(
    published: &PublishedRows,
    register: &FrequencyTable,
    fits: &Fits,
    observer: &dyn Observer,
) -> Option<SensitiveMatches> {
    let place = |column: &CountedColumn| published.rows.sensitive_index(&column.name);
    let places: Option<Vec<usize>> = register.sensitive().iter().map(place).collect();
    let places = places.filter(|places| !places.is_empty())?;
    let released: Vec<&CountedColumn> =
        places.into_iter().map(|at| &published.rows.sensitive()[at]).collect();
    let code_of = |(column, released): (&CountedColumn, &&CountedColumn)| -> Vec<Option<u32>> {
        let values = column.dictionary.values().iter();
        values.map(|value| released.dictionary.code_of(value)).collect()
    };
    let codes: Vec<_> = register.sensitive().iter().zip(&released).map(code_of).collect();
    // For each combination of sensitive values, the label combinations with their row counts.
    let mut rows_of: FxHashMap<Vec<u32>, Vec<(u32, u64)>> = FxHashMap::default();
    for (tuples, combination) in published.rows.groups().iter().zip(0u32..) {
        for tuple in tuples {
            let values = released.iter().map(|column| column.codes[tuple]).collect();
            rows_of.entry(values).or_default().push((combination, published.rows.counts()[tuple]));
        }
    }
    let mut n_rows: FxHashMap<(u32, Vec<u32>), u64> = FxHashMap::default();
    let (mut n_people_without_row, mut n_people_with_one_row) = (0, 0);
    let mut prosecutor = Vec::new();
    let groups = register.groups();
    let groups = groups.iter().zip(&fits.set_of).take_while(|_| !observer.is_cancelled());
    for (tuple, set) in groups.flat_map(|(tuples, &set)| tuples.map(move |tuple| (tuple, set))) {
        let values = register.sensitive().iter().zip(&codes);
        let values: Option<Vec<u32>> =
            values.map(|(column, codes)| codes[column.codes[tuple] as usize]).collect();
        let rows = values.map_or(0, |values| {
            *n_rows.entry((set, values)).or_insert_with_key(|(set, values)| {
                let combinations = &fits.sets[*set as usize];
                let fitting = rows_of.get(values).into_iter().flatten();
                let fitting = fitting.filter(|(it, _)| combinations.binary_search(it).is_ok());
                fitting.map(|(_, rows)| rows).sum()
            })
        });
        let people = register.counts()[tuple];
        match rows {
            0 => n_people_without_row += people,
            _ => prosecutor.push((1.0 / rows as f64, people)),
        }
        n_people_with_one_row += if rows == 1 { people } else { 0 };
    }
    Some(SensitiveMatches {
        attributes: released.iter().map(|column| column.name.clone()).collect(),
        n_people_without_row,
        n_people_with_one_row,
        prosecutor: Distribution::from_figures(prosecutor),
    })
}

/// Joins the register with the original by original values, and counts correct matches. Returns
/// `None` if the links between original and released rows are unknown.
fn reidentified(
    register: &FrequencyTable,
    fits: &Fits,
    rows_of: &[u64],
    pair: &ReleaseWithOriginal,
    observer: &dyn Observer,
) -> Option<Reidentification> {
    let links = pair.links.as_ref()?;
    let (original, published) = (&pair.original, &pair.published);
    let mut combination_of = vec![0u32; published.rows.n_tuples()];
    for (combination, tuples) in published.rows.groups().iter().enumerate() {
        combination_of[tuples].fill(combination as u32);
    }
    // For each original tuple, the label combinations and row counts of its released rows.
    let mut released: Vec<Vec<(u32, u64)>> = vec![Vec::new(); original.n_tuples()];
    for link in links {
        let combination = link.released.map(|tuple| combination_of[tuple as usize]);
        released[link.original as usize].extend(combination.map(|it| (it, link.rows)));
    }
    // Maps original quasi-identifiers to their number of rows in the original, and to the
    // combinations in which these rows are released.
    let mut known: FxHashMap<Vec<u32>, (u64, FxHashMap<u32, u64>)> = FxHashMap::default();
    let key = in_codes_of(original, original, &fits.absent);
    for tuples in original.groups().iter().take_while(|_| !observer.is_cancelled()) {
        let key = key(tuples.start).expect("the values occur in their own table");
        let (rows, of_combinations) = known.entry(key).or_default();
        *rows += original.counts()[tuples.clone()].iter().sum::<u64>();
        for &(combination, n) in released[tuples].iter().flatten() {
            *of_combinations.entry(combination).or_default() += n;
        }
    }
    let in_original = in_codes_of(original, register, &fits.absent);
    let (mut n_people_in_original, mut by_any, mut by_cheapest) = (0, 0.0, 0.0);
    for (group, tuples) in
        register.groups().iter().enumerate().take_while(|_| !observer.is_cancelled())
    {
        let key = in_original(tuples.start);
        let Some((rows, released)) = key.and_then(|key| known.get(&key)) else { continue };
        let people: u64 = register.counts()[tuples].iter().sum();
        let inside = people.min(*rows);
        n_people_in_original += inside;
        let fitting = &fits.sets[fits.set_of[group] as usize];
        let cost = |combination: &u32| fits.costs[*combination as usize];
        let least = fitting.iter().map(cost).fold(f64::INFINITY, f64::min);
        let right = |of: &dyn Fn(&u32) -> bool| {
            let chosen = || fitting.iter().filter(|it| of(it));
            let own: u64 = chosen().filter_map(|it| released.get(it)).sum();
            let all: u64 = chosen().map(|&it| rows_of[it as usize]).sum();
            inside as f64 * own as f64 / (*rows as f64 * all.max(1) as f64)
        };
        by_any += right(&|_| true);
        by_cheapest += right(&|it| cost(it) <= least + 1e-9);
    }
    let fraction = |people: f64| people / (n_people_in_original as f64).max(1.0);
    let expected_people = f64::max(by_any, by_cheapest);
    Some(Reidentification {
        n_people_in_original,
        expected_people,
        expected_fraction: fraction(expected_people),
        by_any_fitting: fraction(by_any),
        by_cheapest_fitting: fraction(by_cheapest),
    })
}
