//! # Linkage by distance
//!
//! **Definition.** If released values are synthetic (centers of classes, noise), no label rules out
//! anyone. The adversary matches each person with the nearest released rows.
//! **Formula.** The squared distance between a person and a released row is a sum over the
//! quasi-identifiers. The term of a number is the squared difference, divided by the variance of
//! the numbers in the original. For all other values, the term is 0 if the released value covers or
//! equals the person's value, and 1 otherwise. One of the R released rows at the smallest distance
//! is chosen at random; if the person's own row is among them, the choice is correct with
//! probability 1 / R.
//! **Assumes.** The adversary knows all quasi-identifiers of people exactly, and knows that they
//! are in the table.
//! **Gets.** The share of attacked rows that are matched with their own released row, compared with
//! random guessing; the number of tried rows whose own combination is among the nearest.
//! **Complexity.** O(tried rows x released combinations); at most 2,000 evenly spaced combinations
//! of the original are tried.
//! **Stopped by.** k-anonymity: at least k rows have the nearest combination. For values with
//! noise, only more noise stops the attack.
//! **Source.** Domingo-Ferrer, Torra, in: Confidentiality, Disclosure and Data Access, 2001
//! (distance-based record linkage). Deviation: one of several nearest rows is chosen at random.

use indistinct_core::Status;
use indistinct_core::model::Numbers;
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::{Cell, MISSING, Observer};
use serde::Serialize;

use crate::{Attack, RiskKind};

/// The registry entry of the attack `distance-linkage`.
pub static ATTACK: Attack = Attack {
    name: "distance-linkage",
    risk: RiskKind::Linkability,
    assumes: "The adversary knows all quasi-identifiers of people who are in the table and chooses \
              the nearest released row for each person.",
    gets: "How often the nearest row belongs to the person, if released values contain noise or \
           are centers of classes.",
    stopped_by: "For centers of classes, k-anonymity prevents the attack, because at least k rows \
                 are equally near. For values with noise, no principle prevents the attack, but \
                 more noise weakens it.",
    status: Status::Stable,
    source: "Domingo-Ferrer, Torra, A quantitative comparison of disclosure control methods for \
             microdata, 2001",
};

/// The maximum number of combinations in the original table that the attack tries.
const MOST_TRIED: usize = 2_000;

/// The result of the attack `distance-linkage`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct DistanceLinkage {
    /// Number of original rows for which the attack was tried.
    pub n_tried: u64,
    /// Expected number of attacked rows that are matched with their own released row.
    pub expected_right: f64,
    /// The expected share of attacked rows that are matched with their own released row.
    pub share_right: f64,
    /// The expected share of correct matches if released rows are chosen at random.
    pub share_by_guessing: f64,
    /// Attacked rows whose nearest combinations include their own released values.
    pub n_own_nearest: u64,
}

/// The values of one quasi-identifier in the form required to compute distances.
struct Axis<'a> {
    cells: &'a [Cell],
    /// The number that each label represents, if any, in units of the standard deviation.
    labels: Vec<Option<f64>>,
    values: Vec<Option<f64>>,
    texts: Vec<&'a str>,
}

/// Matches people of the original with their nearest released rows. Returns `None` if the links
/// between original and released rows are unknown, if no row was released, or if the observer
/// cancels.
pub fn attack(pair: &ReleaseWithOriginal, observer: &dyn Observer) -> Option<DistanceLinkage> {
    let (published, original) = (&pair.published, &pair.original);
    let links = pair.links.as_ref()?;
    let groups: Vec<_> = published.rows.groups().iter().collect();
    let mut group_of = vec![0u32; published.rows.n_tuples()];
    let mut combinations: Vec<(Vec<u32>, u64)> = Vec::with_capacity(groups.len());
    for (number, tuples) in groups.into_iter().enumerate() {
        let labels =
            published.rows.quasi_identifiers().iter().map(|column| column.codes[tuples.start]);
        let rows = published.rows.counts()[tuples.clone()].iter().sum();
        combinations.push((labels.collect(), rows));
        group_of[tuples].fill(number as u32);
    }
    let retained: Vec<_> = links.iter().filter(|link| link.released.is_some()).collect();
    if retained.is_empty() {
        return None;
    }
    let axes: Vec<Axis<'_>> =
        (0..original.quasi_identifiers().len()).map(|at| axis(pair, at)).collect();
    let step = retained.len().div_ceil(MOST_TRIED);
    let mut found = DistanceLinkage {
        n_tried: 0,
        expected_right: 0.0,
        share_right: 0.0,
        share_by_guessing: 1.0 / published.rows.n_rows().max(1) as f64,
        n_own_nearest: 0,
    };
    for link in retained.into_iter().step_by(step) {
        if observer.is_cancelled() {
            return None;
        }
        let person = link.original as usize;
        let far: Vec<Vec<f64>> = axes
            .iter()
            .enumerate()
            .map(|(at, axis)| {
                let code = original.quasi_identifiers()[at].codes[person];
                (0..axis.cells.len()).map(|label| axis.distance(pair, at, code, label)).collect()
            })
            .collect();
        let distance = |labels: &[u32]| -> f64 {
            labels.iter().zip(&far).map(|(&label, far)| far[label as usize]).sum()
        };
        let own = link.released.map_or(0, |tuple| group_of[tuple as usize]) as usize;
        let least = combinations
            .iter()
            .map(|(labels, _)| distance(labels))
            .min_by(f64::total_cmp)
            .unwrap_or_default();
        let is_nearest = |labels: &[u32]| distance(labels) <= least + 1e-9;
        found.n_tried += link.rows;
        if is_nearest(&combinations[own].0) {
            let near = combinations.iter().filter(|(labels, _)| is_nearest(labels));
            let rows: u64 = near.map(|(_, rows)| rows).sum();
            found.n_own_nearest += link.rows;
            found.expected_right += link.rows as f64 / rows.max(1) as f64;
        }
    }
    found.share_right = found.expected_right / found.n_tried.max(1) as f64;
    Some(found)
}

fn axis(pair: &ReleaseWithOriginal, at: usize) -> Axis<'_> {
    let (original, released) =
        (&pair.original.quasi_identifiers()[at], &pair.published.rows.quasi_identifiers()[at]);
    let texts: Vec<&str> = released.dictionary.values().iter().map(String::as_str).collect();
    let (mut labels, mut values) = (vec![None; texts.len()], vec![None; original.dictionary.len()]);
    let numbers = Numbers::from_dictionary(&original.dictionary)
        .ok()
        .filter(|_| pair.published.generated[at]);
    if let Some(numbers) = numbers {
        let scale = numbers.scale() as f64;
        let of_code = |code: u32| numbers.scaled(code) as f64 / scale;
        let is_number = |code: &u32| numbers.missing() != Some(*code);
        let rows = || {
            let rows = original.codes.iter().zip(pair.original.counts());
            rows.filter(|row| is_number(row.0)).map(|(&code, &n)| (of_code(code), n as f64))
        };
        let n: f64 = rows().map(|row| row.1).sum();
        let mean = rows().map(|(x, n)| x * n).sum::<f64>() / n.max(1.0);
        let variance = rows().map(|(x, n)| (x - mean).powi(2) * n).sum::<f64>() / n.max(1.0);
        let unit = if variance > 0.0 { variance.sqrt() } else { 1.0 };
        for (code, value) in (0..).zip(&mut values) {
            *value = Some(code).filter(is_number).map(|code| of_code(code) / unit);
        }
        for (label, text) in labels.iter_mut().zip(&texts) {
            *label = text.parse::<f64>().ok().filter(|x| x.is_finite()).map(|x| x / unit);
        }
    }
    Axis { cells: &pair.cells[at], labels, values, texts }
}

impl Axis<'_> {
    fn distance(&self, pair: &ReleaseWithOriginal, at: usize, code: u32, label: usize) -> f64 {
        if let (Some(value), Some(label)) = (self.values[code as usize], self.labels[label]) {
            return (value - label).powi(2);
        }
        let value = pair.original.quasi_identifiers()[at].dictionary.value(code);
        let is_like = match &self.cells[label] {
            // A generated value covers only the value that equals its text.
            Cell::Generated { .. } => value == self.texts[label] && value != MISSING,
            cell => cell.covers(&pair.hierarchies[at], code),
        };
        if is_like { 0.0 } else { 1.0 }
    }
}
