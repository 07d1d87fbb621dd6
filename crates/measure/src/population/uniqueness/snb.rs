//! # The slide negative binomial estimate of population uniques
//!
//! **Definition.** The size of a class in the population, minus 1, has a negative binomial
//! distribution with parameters alpha and beta. Alpha and beta are chosen so that the expected
//! numbers of classes with one and with two rows equal those in the sample. The number K of classes
//! in the population is estimated first.
//! **Formula.** With q = (1 - f)(1 - beta), where f is the sampling fraction: s_1 = K f (beta /
//! (1 - q))^alpha (alpha q / (1 - q) + 1); s_2 = K alpha beta^alpha f^2 (1 - beta) / (2 (1 -
//! q)^(alpha + 2)) (2 - (1 - alpha) q); uniques = K beta^alpha. K = u + s_1 [sum_i i f^2 (1 -
//! f^2)^(i-1) s_i / sum_i (1 - f)^i ((1 + f)^i - 1) s_i] [sum_i (1 - f)^i s_i / sum_i i f (1 -
//! f)^(i-1) s_i]^2.
//! **Source.** Chen and McNulty, Estimation of identification disclosure risk in microdata, JOS 14,
//! 1998; K by Shlosser as in Haas and Stokes, JASA 93, 1998. Deviations: bisection instead of
//! Newton's method. In contrast to its own derivatives and to these papers, ARX 3 (`ModelSNB.java`)
//! multiplies by (1 - q)^(alpha + 2) in the second equation and separates (1 + f)^i - 1 in K, so
//! its figures differ.

use super::{Estimator, Sample};

/// The registry entry of the estimator.
pub(super) static SNB: Estimator = Estimator {
    name: "snb",
    source: "Chen and McNulty, Journal of Official Statistics 14, 1998",
    n_unique,
};

fn n_unique(sample: &Sample) -> Option<f64> {
    let classes = classes_of_population(sample)?;
    let (alpha, beta) = fitted(sample, classes)?;
    Some(classes * beta.powf(alpha))
}

/// Computes Shlosser's estimate of the number of classes in the population.
pub(super) fn classes_of_population(sample: &Sample) -> Option<f64> {
    let f = sample.fraction;
    let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
        sample.class_sizes.iter().map(|(size, n)| of(*size as f64) * *n as f64).sum()
    };
    let first = sum(&|i| i * f * f * (1.0 - f * f).powf(i - 1.0))
        / sum(&|i| (1.0 - f).powf(i) * ((1.0 + f).powf(i) - 1.0));
    let second = sum(&|i| (1.0 - f).powf(i)) / sum(&|i| i * f * (1.0 - f).powf(i - 1.0));
    let classes = sample.n_classes() + sample.classes_of(1) * first * second * second;
    classes.is_finite().then_some(classes)
}

/// Returns the expected numbers of classes with one row and with two rows, each divided by K.
pub(super) fn expected(f: f64, alpha: f64, beta: f64) -> (f64, f64) {
    let q = (1.0 - f) * (1.0 - beta);
    let ln_power = alpha * (beta / (1.0 - q)).ln();
    let one = f * ln_power.exp() * (alpha * q / (1.0 - q) + 1.0);
    let two = alpha * f * f * (1.0 - beta) / (2.0 * (1.0 - q) * (1.0 - q))
        * ln_power.exp()
        * (2.0 - (1.0 - alpha) * q);
    (one, two)
}

/// The number of bisection steps, after which the interval has the precision of a double.
const HALVINGS: u32 = 100;
/// The number of intervals that the search checks for a change of sign.
const PLACES: u32 = 400;

/// Returns the alpha and beta that yield the observed numbers of classes with one and two rows.
fn fitted(sample: &Sample, classes: f64) -> Option<(f64, f64)> {
    let f = sample.fraction;
    let (one, two) = (sample.classes_of(1) / classes, sample.classes_of(2) / classes);
    // For each beta, choose the alpha that yields the classes with one row. The difference in
    // classes with two rows changes its sign at the solution.
    let missing = |beta: f64| {
        let alpha = alpha_of(f, beta, one)?;
        Some((alpha, expected(f, alpha, beta).1 - two))
    };
    // The tested values of beta range from nearly 0 to nearly 1 and are denser near 0 and 1.
    let place = |at: u32| 1.0 / (1.0 + (-(f64::from(at) / f64::from(PLACES) * 40.0 - 20.0)).exp());
    let mut before: Option<(f64, f64)> = None;
    for at in 0..=PLACES {
        let beta = place(at);
        let now = missing(beta).map(|(_, value)| (beta, value));
        if let (Some((low, below)), Some((_, value))) = (before, now)
            && below.signum() != value.signum()
        {
            let (mut low, mut high) = (low, beta);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                match missing(middle) {
                    Some((_, value)) if value.signum() == below.signum() => low = middle,
                    Some(_) => high = middle,
                    None => return None,
                }
            }
            return missing(low).map(|(alpha, _)| (alpha, low));
        }
        before = now;
    }
    None
}

/// Returns the alpha that yields the given fraction of classes with one row for the given beta.
fn alpha_of(f: f64, beta: f64, wanted: f64) -> Option<f64> {
    // As a function of alpha, the fraction increases, or increases and then decreases. The larger
    // solution is on the decreasing side.
    let value = |ln: f64| expected(f, ln.exp(), beta).0 - wanted;
    let (mut low, mut high) = (-30.0, 30.0);
    let mut top = low;
    for at in 0..=240 {
        let ln = -30.0 + f64::from(at) * 0.25;
        if value(ln) > value(top) {
            top = ln;
        }
    }
    if value(top) < 0.0 || value(high) > 0.0 {
        return None;
    }
    low = low.max(top);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if value(middle) > 0.0 { low = middle } else { high = middle }
    }
    Some(low.exp())
}
