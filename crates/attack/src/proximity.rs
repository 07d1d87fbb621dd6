//! # Proximity
//!
//! **Definition.** Different numbers that are close to each other disclose a numeric sensitive
//! attribute almost as precisely as equal numbers.
//! **Formula.** For a class with n rows, the width of the shortest interval [a, b] that contains at
//! least p n of its sensitive values, divided by the difference between the largest and the
//! smallest released sensitive value. No interval contains a missing sensitive value.
//! **Parameters.** `probabilities`: p, 0 < p <= 1, no unit.
//! **Assumes.** The adversary knows the class of a person and considers all rows of the class
//! equally likely.
//! **Gets.** For principles of the policy that define a neighborhood: the share of the class in the
//! neighborhood of each row, over the rows. The width for each row, over the rows, and the width
//! for an adversary who does not know the class.
//! **Complexity.** O(histograms) for each probability. Widths are exact until the final division.
//! **Stopped by.** (epsilon, m)-anonymity, (delta, l)-diversity; partly by variance control, (k,
//! e)-anonymity, and ordered t-closeness.
//! **Source.** Li, Tao, Xiao, SIGMOD 2008 (proximity breach). Deviations: the adversary, not the
//! policy, chooses the probabilities of the intervals.

use indistinct_core::Status;
use indistinct_core::model::{Numbers, to_f64};
use indistinct_core::principle::proximity::Reach;
use indistinct_core::published::PublishedRows;
use indistinct_core::{Observer, Rational, Requirement};
use serde::Serialize;

use crate::figures::{classes, marginal};
use crate::{Attack, Distribution, RiskKind};

/// The registry entry of the attack `proximity`.
pub static ATTACK: Attack = Attack {
    name: "proximity",
    risk: RiskKind::Inference,
    assumes: "The adversary knows the quasi-identifiers of a person in the table and needs only an \
        approximate value of a numeric sensitive attribute.",
    gets: "The shortest interval that contains the sensitive value with a given probability, as a \
           fraction of the range of all released sensitive values.",
    stopped_by: "(epsilon, m)-anonymity and (delta, l)-diversity. Principles that only count \
                 distinct values do not prevent the attack.",
    status: Status::Stable,
    source: "Li, Tao, Xiao, SIGMOD 2008",
};

/// The result of the attack `proximity`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Proximity {
    /// One entry for each probability.
    pub intervals: Vec<Intervals>,
    /// The results for each principle of the policy that defines which numbers are near.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaches: Vec<Breaches>,
}

/// The probability of guessing a near number, where a principle of the policy defines the
/// neighborhood.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Breaches {
    /// The name of the principle.
    pub kind: &'static str,
    /// The required m, or the l of (delta, l)-diversity: at most a share of 1/m of a class may be
    /// near a number.
    #[serde(serialize_with = "whole_where_it_is")]
    pub m: f64,
    /// The principle's name for this parameter.
    #[serde(skip)]
    pub letter: &'static str,
    /// The distribution over rows of the share of the class whose numbers are near the row's
    /// number.
    pub probability: Option<Distribution>,
    /// Rows for which this share exceeds 1/m.
    pub n_rows_above: u64,
}

/// The shortest intervals that contain the sensitive value with a given probability.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Intervals {
    /// The probability of each interval.
    pub probability: f64,
    /// The distribution over rows of the width of the interval relative to the range of the
    /// attribute.
    pub width: Option<Distribution>,
    /// The relative width of the interval for an adversary who does not know the person's class.
    pub width_without_classes: Option<f64>,
    /// Rows of classes in which no interval reaches the probability because too many sensitive
    /// values are missing.
    pub n_rows_without_interval: u64,
}

/// Returns the default probabilities.
pub fn usual() -> Vec<Rational> {
    vec![Rational::new(1, 2), Rational::new(9, 10), Rational::new(19, 20)]
}

/// Computes the shortest intervals. Returns `None` if the sensitive attribute is not numeric.
///
/// # Panics
/// Panics if the attribute does not exist.
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
        for (entries, size) in classes(sensitive, observer) {
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

/// Returns the breach probability of each row, as defined by the policy's principles on the
/// attribute.
///
/// # Panics
/// Panics if the attribute does not exist.
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
        for (entries, size) in classes(sensitive, observer) {
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

/// Serializes integers without a decimal point.
fn whole_where_it_is<S: serde::Serializer>(m: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match m.fract() == 0.0 {
        true => serializer.serialize_u64(*m as u64),
        false => serializer.serialize_f64(*m),
    }
}

/// Returns the width of the shortest interval that contains at least the given share of the rows.
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
    /// Returns the smallest interval width of any row, for the computed probability that is closest
    /// to `probability`.
    pub fn narrowest(&self, probability: f64) -> Option<f64> {
        let of = |intervals: &&Intervals| (intervals.probability - probability).abs();
        let nearest = self.intervals.iter().min_by(|a, b| of(a).total_cmp(&of(b)))?;
        nearest.width.map(|width| width.minimum)
    }
}
