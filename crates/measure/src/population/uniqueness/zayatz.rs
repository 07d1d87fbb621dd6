//! # Zayatz's estimate of population uniques
//!
//! **Definition.** The probability that a class with one row in the sample has one person in the
//! population. This follows from Bayes' rule, if class sizes have the same distribution in the
//! population and in the sample.
//! **Formula.** With s_j classes of j rows and h_j = C(j, 1) C(N - j, n - 1) / C(N, n): P = s_1 h_1
//! / sum_j s_j h_j; uniques = s_1 P N / n.
//! **Source.** Zayatz, Estimation of the number of unique population elements using a sample, 1991;
//! Dankar and others 2012, appendix A. Deviations: N is rounded to an integer.

use super::super::special::ln_gamma;
use super::{Estimator, Sample};

/// The registry entry of the estimator.
pub(super) static ZAYATZ: Estimator =
    Estimator { name: "zayatz", source: "Zayatz, US Bureau of the Census, 1991", n_unique };

fn n_unique(sample: &Sample) -> Option<f64> {
    let (n, people) = (sample.n_rows(), sample.n_people().round());
    let ln_choose = |a: f64, b: f64| ln_gamma(a + 1.0) - ln_gamma(b + 1.0) - ln_gamma(a - b + 1.0);
    // The probability that exactly one person from a class of the given size is drawn.
    let one_of = |size: u64| {
        let size = size as f64;
        if people - size < n - 1.0 {
            return 0.0;
        }
        (size.ln() + ln_choose(people - size, n - 1.0) - ln_choose(people, n)).exp()
    };
    let all: f64 =
        sample.class_sizes.iter().map(|(size, classes)| *classes as f64 * one_of(*size)).sum();
    let alone = sample.classes_of(1);
    let share = alone * one_of(1) / all;
    share.is_finite().then(|| alone * share / sample.fraction)
}
