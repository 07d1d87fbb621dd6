//! # entropy l-diversity
//!
//! **Definition.** A class is entropy l-diverse iff the entropy of its sensitive attribute is at least log l.
//! **Formula.** -sum_s p_s log p_s >= log l, decided exactly as n^n >= l^n * prod_s n_s^n_s (reading B-11).
//! **Parameters.** `attribute`: sensitive. `l`: number, at least 1.
//! **Level.** exp(entropy); the smallest over all classes; larger is safer.
//! **Monotone.** Under merging: yes, entropy is concave [merging_keeps]. Under suppression of whole classes: yes for the classes that remain.
//! **Complexity.** O(values of the class); big integers only within 1e-9 of the boundary.
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** A single frequent value (the entropy may be high in spite of it). Background knowledge. Similar values. Linkage of releases.
//! **Source.** Machanavajjhala et al., TKDD 2007, Definition 4.1. Deviations: exact at the boundary (reading B-11); a missing value counts as a value.

use std::cmp::Ordering;

use num_bigint::BigUint;
use num_traits::Pow;

use super::{
    Bound, Kind, Level, Merging, ParameterError, ParameterKind, ParameterSpec, Parameters,
    Principle, Quantity, Relation, Subject, histogram,
};
use crate::model::{ClassView, Rational, to_f64};

/// Doubles decide where the two sides differ by more than this (in nats); the error of the sum is far below it.
const UNDECIDED_NATS: f64 = 1e-9;

const PARAMETERS: [ParameterSpec; 1] = [ParameterSpec {
    name: "l",
    kind: ParameterKind::Real { at_least: 1 },
    doc: "the entropy of the sensitive attribute in a class is at least log l",
}];

pub(super) static KIND: Kind = Kind {
    name: "entropy-l-diversity",
    definition: "The entropy of the sensitive attribute is at least log l in every class.",
    subject: Subject::SensitiveAttribute,
    parameters: &PARAMETERS,
    merging: Merging::Keeps,
    does_not_protect_against: "one value that is much more frequent than the others, an adversary who can exclude some of the values, values that mean nearly the same, and joining several releases",
    source: "Machanavajjhala et al., ACM TKDD 2007, Definition 4.1",
    build,
};

#[derive(Debug)]
struct EntropyLDiversity {
    attribute: usize,
    log_l: f64,
    bounds: [Bound; 1],
    /// n log n for small n: most counts of most classes.
    small: Vec<f64>,
}

/// Counts up to this have their n log n ready.
const SMALL: u64 = 4096;

fn build(
    attribute: Option<usize>,
    parameters: &Parameters,
) -> Result<Box<dyn Principle>, Vec<ParameterError>> {
    let [l] = parameters.numbers(&PARAMETERS)?;
    let attribute = attribute.expect("the policy gives kinds on a sensitive attribute one");
    let bounds = [Bound { name: "l", relation: Relation::AtLeast, threshold: l }];
    let small = (0..SMALL).map(n_log_n).collect();
    Ok(Box::new(EntropyLDiversity { attribute, log_l: to_f64(&l).ln(), bounds, small }))
}

fn n_log_n(n: u64) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * (n as f64).ln() }
}

/// n^n * den^n against num^n * prod n_s^n_s, after dividing all exponents by their greatest common divisor.
fn compare_exactly(counts: &[u64], total: u64, l: &Rational) -> Ordering {
    let divisor = counts.iter().fold(total, |a, &b| gcd(a, b));
    let exponent = |count: u64| BigUint::from(count / divisor);
    let side = |base: u64, count: u64| Pow::pow(BigUint::from(base), exponent(count));
    let numerator = BigUint::try_from(*l.numer()).expect("l is positive");
    let denominator = BigUint::try_from(*l.denom()).expect("denominators are positive");
    let left = side(total, total) * Pow::pow(denominator, exponent(total));
    let right = counts
        .iter()
        .fold(Pow::pow(numerator, exponent(total)), |product, &count| product * side(count, count));
    left.cmp(&right)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl EntropyLDiversity {
    fn entropy_nats(&self, counts: &[u64], total: u64) -> f64 {
        let term = |n: u64| self.small.get(n as usize).copied().unwrap_or_else(|| n_log_n(n));
        let sum: f64 = counts.iter().map(|&count| term(count)).sum();
        ((total as f64).ln() - sum / total as f64).max(0.0)
    }
}

impl Principle for EntropyLDiversity {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        // In descending order, so that the same counts give the same double whatever their codes are.
        histogram(class, self.attribute).with_descending(|counts| {
            let nats = self.entropy_nats(counts, class.size);
            let versus_required = if (nats - self.log_l).abs() > UNDECIDED_NATS {
                nats.total_cmp(&self.log_l)
            } else {
                compare_exactly(counts, class.size, &self.bounds[0].threshold)
            };
            Level::One(Quantity::Real { value: nats.exp(), versus_required })
        })
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    /// A class of n rows has at most n values and so at most entropy log n.
    fn smallest_size(&self) -> u64 {
        u64::try_from(self.bounds[0].threshold.ceil().to_integer()).unwrap_or(u64::MAX)
    }

    fn merging(&self) -> Merging {
        Merging::Keeps
    }
}
