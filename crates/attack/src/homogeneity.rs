//! # Homogeneity
//!
//! **Definition.** If (nearly) all rows of a class have the same sensitive value, the class
//! discloses this value for everyone who fits the class. The adversary need not match a row with a
//! person.
//! **Formula.** A class is affected at a threshold h iff max over s of P(s) >= h, with P(s) = n_s /
//! n. If sensitive values are perturbed with noise, P(s) = mean over the rows y of the class of P(s
//! | y), with P(s | y) = f(s) (p [s = y] + (1 - p) / m) / Z_y and Z_y = p f(y) + (1 - p) / m, where
//! f is the distribution of sensitive values estimated by removing the noise from the released
//! marginal.
//! **Parameters.** `threshold`: h, 0 < h <= 1, no unit.
//! **Assumes.** The adversary knows the quasi-identifiers of a person who is in the table.
//! **Gets.** The affected classes and rows, with complete homogeneity and at the threshold; the
//! probability that a guess of the most frequent sensitive value is right.
//! **Complexity.** O(rows of the histograms).
//! **Stopped by.** l-diversity in any form (complete homogeneity); for a threshold, the parameter
//! of l-diversity or alpha of (alpha, k)-anonymity.
//! **Source.** Machanavajjhala et al., TKDD 2007, Section 1 and Figures 9, 11. Deviations: a
//! generalized sensitive value counts as one value; [similarity](crate::similarity) considers the
//! values that it covers.

use indistinct_core::Status;
use indistinct_core::model::{Histogram, to_f64};
use indistinct_core::published::{Attachment, PublishedRows};
use indistinct_core::risk::is_homogeneous;
use indistinct_core::{Observer, Rational};
use serde::Serialize;

use crate::figures::{classes, marginal};
use crate::{AffectedRows, Attack, RiskKind};

/// The registry entry of the attack `homogeneity`.
pub static ATTACK: Attack = Attack {
    name: "homogeneity",
    risk: RiskKind::Inference,
    assumes: "The adversary knows only the quasi-identifiers of a person who is in the table.",
    gets: "Classes in which all or nearly all rows have the same sensitive value, and how often \
        guessing the most frequent value is correct.",
    stopped_by: "Every form of l-diversity prevents classes with a single sensitive value; (alpha, \
                 k)-anonymity and frequency l-diversity limit the fraction of the most frequent \
                 value. k-anonymity does not prevent the attack.",
    status: Status::Stable,
    source: "Machanavajjhala et al., TKDD 2007, Section 1",
};

/// The result of the attack `homogeneity`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Homogeneity {
    /// Number of classes.
    pub n_classes: u64,
    /// Number of rows.
    pub n_rows: u64,
    /// Classes in which all rows have the same sensitive value.
    pub complete: AffectedRows,
    /// The minimum share of a sensitive value at which a class is counted.
    pub threshold: f64,
    /// Classes in which the share of one sensitive value reaches the threshold.
    pub at_threshold: AffectedRows,
    /// The largest share of a sensitive value in a class.
    pub largest_share: f64,
    /// Expected fraction of rows whose sensitive value the adversary guesses correctly by choosing
    /// the most frequent value of each class.
    pub guessed_fraction: f64,
    /// The expected fraction if the adversary does not know the class and guesses the most frequent
    /// value in the table.
    pub guessed_without_classes: f64,
    /// Whether the sensitive values are perturbed with noise. If so, the shares are the beliefs of
    /// an adversary who accounts for the noise.
    pub is_noise: bool,
}

/// Counts homogeneous classes of a sensitive attribute.
///
/// # Panics
/// Panics if the attribute does not exist.
pub fn attack(
    published: &PublishedRows,
    attribute: usize,
    threshold: &Rational,
    observer: &dyn Observer,
) -> Homogeneity {
    let sensitive = &published.sensitive[attribute];
    let marginal = marginal(sensitive);
    let n_rows: u64 = marginal.iter().sum();
    let noise = Noise::from_published(published, &marginal);
    let mut found = Homogeneity {
        n_classes: 0,
        n_rows,
        complete: AffectedRows::default(),
        threshold: to_f64(threshold),
        at_threshold: AffectedRows::default(),
        largest_share: 0.0,
        guessed_fraction: 0.0,
        guessed_without_classes: share(marginal.iter().copied().max().unwrap_or(0), n_rows),
        is_noise: noise.is_some(),
    };
    let one = Rational::from_integer(1);
    for (entries, size) in classes(sensitive, observer) {
        let histogram = Histogram { entries, dictionary: &sensitive.dictionary };
        let (largest, complete, at_threshold) = match &noise {
            None => (
                share(histogram.largest(), size),
                is_homogeneous(&histogram, &one),
                is_homogeneous(&histogram, threshold),
            ),
            Some(noise) => {
                let largest = noise.largest_belief(entries);
                (largest, largest >= 1.0, largest >= found.threshold)
            }
        };
        found.n_classes += 1;
        if complete {
            found.complete.add(size);
        }
        if at_threshold {
            found.at_threshold.add(size);
        }
        found.largest_share = found.largest_share.max(largest);
        found.guessed_fraction += largest * size as f64;
    }
    found.guessed_fraction /= (n_rows as f64).max(1.0);
    if let Some(noise) = &noise {
        found.guessed_without_classes = noise.prior.iter().copied().fold(0.0, f64::max);
    }
    found
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The parameters of a perturbation, and the distribution of sensitive values estimated from the
/// released marginal.
struct Noise {
    /// The probability p that a row keeps its original value.
    p: f64,
    /// (1 - p) divided by the number of values in the domain.
    by_chance: f64,
    /// f, the estimated distribution, by code.
    prior: Vec<f64>,
    /// Z, the probability of observing each value, by code.
    observed: Vec<f64>,
    most_frequent: usize,
}

impl Noise {
    fn from_published(published: &PublishedRows, marginal: &[u64]) -> Option<Self> {
        let Attachment::Perturbed { p, n_domain_values, .. } = &published.attachment else {
            return None;
        };
        let p = to_f64(p);
        let by_chance = (1.0 - p) / *n_domain_values as f64;
        let n_rows: u64 = marginal.iter().sum();
        let mut prior: Vec<f64> = marginal
            .iter()
            .map(
                |&rows| {
                    if p > 0.0 { ((share(rows, n_rows) - by_chance) / p).max(0.0) } else { 1.0 }
                },
            )
            .collect();
        let sum: f64 = prior.iter().sum();
        if sum > 0.0 {
            prior.iter_mut().for_each(|share| *share /= sum);
        }
        let observed = prior.iter().map(|share| p * share + by_chance).collect();
        let most_frequent =
            (0..prior.len()).reduce(|a, b| if prior[b] > prior[a] { b } else { a }).unwrap_or(0);
        Some(Self { p, by_chance, prior, observed, most_frequent })
    }

    /// Returns the largest belief in any sensitive value for a person to whom one of the rows
    /// belongs.
    fn largest_belief(&self, entries: &[(u32, u64)]) -> f64 {
        let size: u64 = entries.iter().map(|&(_, rows)| rows).sum();
        let weight = |&(code, rows): &(u32, u64)| {
            rows as f64 / size as f64 / self.observed[code as usize].max(f64::MIN_POSITIVE)
        };
        // The belief that each row adds to every sensitive value, regardless of the row's released
        // value.
        let spread: f64 = self.by_chance * entries.iter().map(weight).sum::<f64>();
        let shown = entries
            .iter()
            .map(|entry| self.prior[entry.0 as usize] * (self.p * weight(entry) + spread));
        let elsewhere = self.prior.get(self.most_frequent).map_or(0.0, |share| share * spread);
        shown.fold(elsewhere, f64::max)
    }
}
