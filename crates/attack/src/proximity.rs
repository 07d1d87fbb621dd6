//! # Proximity
//!
//! **Definition.** Different numbers that are near each other give a numeric sensitive attribute away nearly as well as
//! equal ones.
//! **Formula.** For a class with n rows, the width of the shortest interval [a, b] that holds at least p n of its sensitive values;
//! divided by the difference between the largest and the smallest released sensitive value. A missing sensitive value
//! lies in no interval.
//! **Parameters.** `probabilities`: p, 0 < p <= 1, no unit.
//! **Assumes.** The adversary knows the class of a person, and believes in all of its rows alike.
//! **Gets.** For principles of the policy that say what is near: the share of its class that is near each row, over the rows. The width for each row, over the rows; beside it the width for an adversary who knows no class.
//! **Complexity.** O(histograms) for each probability. Widths are exact until they are divided.
//! **Stopped by.** (epsilon, m)-anonymity, (delta, l)-diversity; in part variance control, (k, e)-anonymity, ordered t-closeness.
//! **Source.** Li, Tao, Xiao, SIGMOD 2008 (proximity breach). Deviations: the intervals of given probability are the adversary's, not the policy's.

use indistinct_core::Status;
use indistinct_core::model::{Numbers, to_f64};
use indistinct_core::principle::proximity::Reach;
use indistinct_core::published::PublishedRows;
use indistinct_core::{Observer, Rational, Requirement};
use serde::Serialize;

use crate::homogeneity::marginal;
use crate::{Attack, Distribution, RiskKind};

/// The attack.
pub static ATTACK: Attack = Attack {
    name: "proximity",
    risk: RiskKind::Inference,
    assumes: "The adversary knows the quasi-identifiers of a person who is in the table; the sensitive attribute is numeric, and a near number is as good as the right one.",
    gets: "The shortest interval that holds the sensitive value with a given probability, as a share of the range of all released sensitive values.",
    stopped_by: "(epsilon, m)-anonymity and (delta, l)-diversity. Principles that only count different values do not stop it.",
    status: Status::Stable,
    source: "Li, Tao, Xiao, SIGMOD 2008",
};

/// Intervals for several probabilities.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Proximity {
    /// One for each probability.
    pub intervals: Vec<Intervals>,
    /// One for each principle of the policy that says which numbers are near.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaches: Vec<Breaches>,
}

/// How often a near number is right, with the neighborhood of a principle of the policy.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Breaches {
    /// The principle.
    pub kind: &'static str,
    /// No more than a share of 1/m may be near: the m, or the l of (delta, l)-diversity.
    #[serde(serialize_with = "whole_where_it_is")]
    pub m: f64,
    /// What the principle calls it.
    #[serde(skip)]
    pub letter: &'static str,
    /// For each row the share of its class that is near its own number, over the rows.
    pub probability: Option<Distribution>,
    /// Rows for which it is above 1/m.
    pub n_rows_above: u64,
}

/// The shortest intervals that hold the sensitive value with one probability.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Intervals {
    /// The probability.
    pub probability: f64,
    /// Width over the rows, relative to the range.
    pub width: Option<Distribution>,
    /// The same for an adversary who knows no class.
    pub width_without_classes: Option<f64>,
    /// Rows of classes with so many missing sensitive values that no interval holds enough.
    pub n_rows_without_interval: u64,
}

/// The probabilities that are taken if none are asked for.
pub fn usual() -> Vec<Rational> {
    vec![Rational::new(1, 2), Rational::new(9, 10), Rational::new(19, 20)]
}

/// Finds the shortest intervals; `None` where the sensitive attribute is not numeric.
///
/// # Panics
/// If there is no such attribute.
pub fn attack(
    published: &PublishedRows,
    attribute: usize,
    probabilities: &[Rational],
    observer: &dyn Observer,
) -> Option<Proximity> {
    let sensitive = &published.sensitive[attribute];
    let numbers = Numbers::from_dictionary(&sensitive.dictionary).ok()?;
    let all: Vec<(u32, u64)> =
        (0u32..).zip(marginal(sensitive)).filter(|&(_, rows)| rows > 0).collect();
    let with_number: Vec<u32> =
        all.iter().map(|entry| entry.0).filter(|&code| code >= numbers.first()).collect();
    let range = match (with_number.first(), with_number.last()) {
        (Some(&low), Some(&high)) => numbers.scaled(high) - numbers.scaled(low),
        _ => return None,
    };
    let relative = |width: i128| if range == 0 { 0.0 } else { width as f64 / range as f64 };
    let intervals = probabilities.iter().map(|probability| {
        let (mut widths, mut n_rows_without_interval) = (Vec::new(), 0);
        let classes = sensitive.histograms.iter().filter(|entries| !entries.is_empty());
        for entries in classes.take_while(|_| !observer.is_cancelled()) {
            let size = entries.iter().map(|entry| entry.1).sum();
            match shortest(entries, &numbers, probability) {
                Some(width) => widths.push((relative(width), size)),
                None => n_rows_without_interval += size,
            }
        }
        Intervals {
            probability: to_f64(probability),
            width: Distribution::from_figures(widths),
            width_without_classes: shortest(&all, &numbers, probability).map(relative),
            n_rows_without_interval,
        }
    });
    Some(Proximity { intervals: intervals.collect(), breaches: Vec::new() })
}

/// The probability of a breach of each row, as the principles of the policy on the attribute define it.
///
/// # Panics
/// If there is no such attribute.
pub fn breaches(
    published: &PublishedRows,
    attribute: usize,
    requirements: &[Requirement],
    observer: &dyn Observer,
) -> Vec<Breaches> {
    let sensitive = &published.sensitive[attribute];
    let Ok(numbers) = Numbers::from_dictionary(&sensitive.dictionary) else { return Vec::new() };
    let of = |requirement: &Requirement| {
        let limit = requirement.principle.proximity()?;
        let reach = Reach::new(&numbers, limit.neighborhood);
        let (mut shares, mut n_rows_above) = (Vec::new(), 0);
        for entries in sensitive.histograms.iter().take_while(|_| !observer.is_cancelled()) {
            let size: u64 = entries.iter().map(|entry| entry.1).sum();
            for (&(_, rows), near) in entries.iter().zip(reach.near(entries)) {
                shares.push((near as f64 / size as f64, rows));
                let allowed = Rational::from_integer(i128::from(size));
                let is_above = limit.m * Rational::from_integer(i128::from(near)) > allowed;
                n_rows_above += if is_above { rows } else { 0 };
            }
        }
        Some(Breaches {
            kind: requirement.kind,
            m: to_f64(&limit.m),
            letter: limit.letter.name(),
            probability: Distribution::from_figures(shares),
            n_rows_above,
        })
    };
    let own = |requirement: &&Requirement| requirement.attribute.as_ref() == Some(&sensitive.name);
    requirements.iter().filter(own).filter_map(of).collect()
}

/// Whole numbers without a decimal point.
fn whole_where_it_is<S: serde::Serializer>(m: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match m.fract() == 0.0 {
        true => serializer.serialize_u64(*m as u64),
        false => serializer.serialize_f64(*m),
    }
}

/// The width of the shortest interval that holds at least that share of the rows.
fn shortest(entries: &[(u32, u64)], numbers: &Numbers, probability: &Rational) -> Option<i128> {
    let size: u64 = entries.iter().map(|entry| entry.1).sum();
    let wanted = (probability * Rational::from_integer(i128::from(size))).ceil().to_integer();
    let wanted = u64::try_from(wanted).ok()?.max(1);
    let missing = entries.iter().take_while(|entry| entry.0 < numbers.first()).count();
    let entries = &entries[missing..];
    let (mut from, mut held, mut best) = (0, 0u64, None::<i128>);
    for &(code, rows) in entries {
        held += rows;
        while held - entries[from].1 >= wanted {
            held -= entries[from].1;
            from += 1;
        }
        if held >= wanted {
            let width = numbers.scaled(code) - numbers.scaled(entries[from].0);
            best = Some(best.map_or(width, |best| best.min(width)));
        }
    }
    best
}

impl Proximity {
    /// The narrowest interval of any row for the probability nearest to the one given.
    pub fn narrowest(&self, probability: f64) -> Option<f64> {
        let of = |intervals: &&Intervals| (intervals.probability - probability).abs();
        let nearest = self.intervals.iter().min_by(|a, b| of(a).total_cmp(&of(b)))?;
        nearest.width.map(|width| width.minimum)
    }
}
