//! # Pitman's estimate of population uniques
//!
//! **Definition.** The sizes of classes follow Pitman's sampling formula with theta and alpha. Both
//! parameters are estimated from the sample by maximum likelihood. The estimate is the expected
//! number of uniques in a population of N people.
//! **Formula.** ln L = sum_{i=1}^{u-1} ln(theta + i alpha) - sum_{i=1}^{n-1} ln(theta + i) + sum_j
//! s_j sum_{i=1}^{j-1} ln(i - alpha); uniques = Gamma(theta + 1) / Gamma(theta + alpha) N^alpha.
//! **Complexity.** O(distinct class sizes) for each step. The best theta for each alpha is found by
//! bisection, and the best alpha by bisection of the derivative of the profile likelihood.
//! **Source.** Hoshino, Applying Pitman's sampling formula to microdata disclosure risk assessment,
//! JOS 17, 2001. Deviation: bisection instead of Newton's method, which depends on the initial
//! guess; alpha from 0 to 1 and theta above 0.

use super::super::special::{digamma, ln_gamma};
use super::{Estimator, Sample};

/// The registry entry of the estimator.
pub(super) static PITMAN: Estimator = Estimator {
    name: "pitman",
    source: "Hoshino, Journal of Official Statistics 17, 2001",
    n_unique,
};

/// The number of bisection steps, after which the interval has the precision of a double.
const HALVINGS: u32 = 90;
/// The search intervals of the parameters.
const ALPHA: (f64, f64) = (1e-6, 1.0 - 1e-9);
const THETA: (f64, f64) = (1e-9, 1e13);

fn n_unique(sample: &Sample) -> Option<f64> {
    let (theta, alpha) = fitted(sample)?;
    let ln = ln_gamma(theta + 1.0) - ln_gamma(theta + alpha) + alpha * sample.n_people().ln();
    Some(ln.exp())
}

/// Returns theta and alpha with the maximum likelihood, or `None` if the maximum is at a bound of
/// the search interval.
pub(super) fn fitted(sample: &Sample) -> Option<(f64, f64)> {
    let (low, high) = ALPHA;
    // The derivative with respect to alpha, at the best theta for the given alpha.
    let slope = |alpha: f64| {
        let theta = theta_of(sample, alpha)?;
        Some(by_alpha(sample, theta, alpha))
    };
    if slope(low)? <= 0.0 || slope(high).is_some_and(|slope| slope >= 0.0) {
        return None;
    }
    let (mut low, mut high) = (low, high);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        match slope(middle) {
            Some(slope) if slope > 0.0 => low = middle,
            _ => high = middle,
        }
    }
    Some((theta_of(sample, low)?, low))
}

/// Returns the theta at which the derivative with respect to theta is 0 and decreasing. Returns
/// `None` if this theta is outside the search interval.
fn theta_of(sample: &Sample, alpha: f64) -> Option<f64> {
    let (low, high) = (THETA.0.ln(), THETA.1.ln());
    let slope = |ln: f64| by_theta(sample, ln.exp(), alpha);
    if slope(low) <= 0.0 || slope(high) >= 0.0 {
        return None;
    }
    let (mut low, mut high) = (low, high);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    Some(low.exp())
}

/// Computes sum_{i=1}^{u-1} 1 / (theta + i alpha) - sum_{i=1}^{n-1} 1 / (theta + i).
pub(super) fn by_theta(sample: &Sample, theta: f64, alpha: f64) -> f64 {
    let (n, u) = (sample.n_rows(), sample.n_classes());
    let of_classes = (digamma(u + theta / alpha) - digamma(1.0 + theta / alpha)) / alpha;
    of_classes - (digamma(n + theta) - digamma(1.0 + theta))
}

/// Computes sum_{i=1}^{u-1} i / (theta + i alpha) - sum_j s_j sum_{i=1}^{j-1} 1 / (i - alpha).
pub(super) fn by_alpha(sample: &Sample, theta: f64, alpha: f64) -> f64 {
    let u = sample.n_classes();
    let of_classes = (digamma(u + theta / alpha) - digamma(1.0 + theta / alpha)) / alpha;
    let of_sizes: f64 = sample
        .class_sizes
        .iter()
        .filter(|(size, _)| **size > 1)
        .map(|(size, n)| *n as f64 * (digamma(*size as f64 - alpha) - digamma(1.0 - alpha)))
        .sum();
    (u - 1.0 - theta * of_classes) / alpha - of_sizes
}
