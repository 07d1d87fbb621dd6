//! The logarithm of the gamma function and its derivative, for positive arguments.

/// The smallest argument for which Stirling's series is more precise than a double.
const LARGE: f64 = 12.0;

/// Computes ln Gamma(x). The error is below 1e-13, relative to the result if it is above 1, and
/// absolute otherwise.
///
/// # Panics
/// Panics if x is not positive.
pub(super) fn ln_gamma(x: f64) -> f64 {
    assert!(x > 0.0, "the argument of the gamma function is positive");
    let (mut at, mut below) = (x, 0.0);
    while at < LARGE {
        below += at.ln();
        at += 1.0;
    }
    let square = 1.0 / (at * at);
    let series = (1.0 / 12.0
        - square
            * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0))))
        / at;
    (at - 0.5) * at.ln() - at + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - below
}

/// Computes the derivative of ln Gamma.
///
/// # Panics
/// Panics if x is not positive.
pub(super) fn digamma(x: f64) -> f64 {
    assert!(x > 0.0, "the argument of the gamma function is positive");
    let (mut at, mut below) = (x, 0.0);
    while at < LARGE {
        below += 1.0 / at;
        at += 1.0;
    }
    let square = 1.0 / (at * at);
    let series = square
        * (1.0 / 12.0
            - square
                * (1.0 / 120.0 - square * (1.0 / 252.0 - square * (1.0 / 240.0 - square / 132.0))));
    at.ln() - 0.5 / at - series - below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ln_gamma_and_digamma_match_integer_sums() {
        let (mut factorials, mut harmonic) = (0.0, -0.577_215_664_901_532_9);
        for n in 1..60 {
            let x = f64::from(n);
            assert!((ln_gamma(x) - factorials).abs() < 1e-11 * factorials.max(1.0), "{n}");
            assert!((digamma(x) - harmonic).abs() < 1e-12, "{n}");
            factorials += x.ln();
            harmonic += 1.0 / x;
        }
        assert!((ln_gamma(0.5) - 0.5 * std::f64::consts::PI.ln()).abs() < 1e-12);
        assert!((digamma(0.5) + 1.963_510_026_021_423_5).abs() < 1e-12);
    }
}
