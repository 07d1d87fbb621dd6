//! # Individual risk (Benedetti and Franconi)
//!
//! **Definition.** A class has f rows in a sample and F people in the population. Given f, F is
//! assumed to follow a negative binomial distribution with success probability p = f / (sum of the
//! weights of the rows). The risk of a row is the mean of 1 / F.
//! **Formula.** p * integral over w from 0 to 1 of w^(f-1) / (p + (1 - p) w), which is p^f / f *
//! 2F1(f, f; f + 1; 1 - p). For f = 1, the risk is p / (1 - p) * ln(1 / p). For f = 2, the risk is
//! p / (1 - p) - (p / (1 - p))^2 ln(1 / p).
//! **Parameters.** `rows`: f, at least 1. `people`: the sum of the weights, which is the estimate
//! of F.
//! **Complexity.** O(1) for most classes; at most a few hundred terms. **Does not protect against**
//! anything, because the risk is only a mean over populations that are consistent with the weights.
//! **Source.** Benedetti and Franconi 1998; Franconi and Polettini, Individual risk estimation in
//! mu-Argus: a review, PSD 2004; sdcMicro's `indivRisk`. Deviations: sdcMicro uses p / (f - (1 -
//! p)) for f > 2 unless `method = "exact"`; here, every f is exact. A sum of weights below f is
//! treated as f.

use std::collections::BTreeMap;

use serde::Serialize;

/// Computes the risk of each row in a class, which is the mean of 1 / F.
///
/// # Panics
/// Panics if `rows` is 0, or `people` is not finite.
pub fn risk(rows: u64, people: f64) -> f64 {
    assert!(rows > 0 && people.is_finite(), "a class has at least one row and a finite weight");
    let f = rows as f64;
    let p = (f / people.max(f)).min(1.0);
    p * integral(rows, p)
}

/// The smallest number of rows for which the series converges quickly.
const MANY: u64 = 40;

/// Computes the integral over w from 0 to 1 of w^(f-1) / (p + q w), with q = 1 - p.
fn integral(rows: u64, p: f64) -> f64 {
    let q = 1.0 - p;
    if q < 0.5 || rows >= MANY {
        // With v = 1 - w, the integral is the sum over j of q^j B(j + 1, f).
        let f = rows as f64;
        let (mut term, mut sum, mut j) = (1.0 / f, 0.0, 0.0);
        while term > sum * 1e-17 {
            sum += term;
            term *= q * (j + 1.0) / (j + f + 1.0);
            j += 1.0;
        }
        return sum;
    }
    // Integrate by parts. Rounding errors do not grow, because p / q is at most 1.
    let mut value = (1.0 / p).ln() / q;
    for below in 1..rows {
        value = (1.0 / below as f64 - p * value) / q;
    }
    value
}

/// The risk of all rows together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct IndividualRisk {
    /// The sum of the risks of all rows, which is the expected number of rows that an adversary who
    /// knows the quasi-identifiers of the population re-identifies.
    pub expected_rows: f64,
    /// The expected fraction of rows that the adversary re-identifies.
    pub expected_fraction: f64,
    /// The highest risk of a row.
    pub max: f64,
    /// The sum of the weights, which estimates the number of people in the population.
    pub n_people: f64,
}

/// Computes the risks of the rows of classes, given the number of rows and the sum of the weights
/// of each class. Returns `None` for an empty list.
pub fn of_classes(classes: impl IntoIterator<Item = (u64, f64)>) -> Option<IndividualRisk> {
    let mut n_rows = 0;
    let mut known: BTreeMap<(u64, u64), f64> = BTreeMap::new();
    let mut all =
        IndividualRisk { expected_rows: 0.0, expected_fraction: 0.0, max: 0.0, n_people: 0.0 };
    for (rows, people) in classes {
        let risk = *known.entry((rows, people.to_bits())).or_insert_with(|| risk(rows, people));
        n_rows += rows;
        all.expected_rows += risk * rows as f64;
        all.max = all.max.max(risk);
        all.n_people += people;
    }
    all.expected_fraction = all.expected_rows / n_rows as f64;
    (n_rows > 0).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values: sdcMicro, tests/testthat/test_indivRisk.R: "data frame with weight,
    /// method = exact, qual = default, survey = TRUE".
    #[test]
    fn risks_match_sdcmicro_reference() {
        let rows: [(&str, f64); 8] = [
            ("231", 18.0),
            ("331", 45.5),
            ("231", 39.0),
            ("232", 17.0),
            ("331 ", 92.0),
            ("331 ", 8.0),
            ("141", 123.5),
            ("231", 51.0),
        ];
        let expected = [
            0.013_552_97,
            0.085_791_29,
            0.013_552_97,
            0.177_075_83,
            0.018_778_83,
            0.018_778_83,
            0.039_316_25,
            0.013_552_97,
        ];
        for ((class, _), expected) in rows.iter().zip(expected) {
            let of_class = || rows.iter().filter(|row| row.0 == *class);
            let risk = risk(of_class().count() as u64, of_class().map(|row| row.1).sum());
            assert!((risk - expected).abs() < 5e-9, "{class}: {risk} {expected}");
        }
        // Check sdcMicro's approximation for classes of three rows, from the same source file.
        let p: f64 = 3.0 / 108.0;
        assert!((p / (3.0 - (1.0 - p)) - 0.013_698_63).abs() < 5e-9);
    }

    /// The risk must equal the mean of 1 / F, computed by its definition with P(F = h) = C(h - 1,
    /// f - 1) p^f (1 - p)^(h - f).
    #[test]
    fn risk_equals_mean_of_inverse_population_size() {
        for rows in [1u64, 2, 3, 5, 12, 39, 40, 41, 200] {
            for p in [0.02_f64, 0.1, 0.3, 0.49, 0.5, 0.51, 0.9, 0.999] {
                let f = rows as f64;
                // Use logarithms, because the first probabilities may be too small for a double.
                let (mut mean, mut people, mut log) = (0.0, f, f * p.ln());
                for _ in 0..100_000 {
                    mean += log.exp() / people;
                    log += (people / (people - f + 1.0) * (1.0 - p)).ln();
                    people += 1.0;
                }
                let risk = risk(rows, f / p);
                assert!((risk - mean).abs() < 1e-7 * mean, "{rows} {p}: {risk} {mean}");
            }
        }
    }

    #[test]
    fn census_class_risk_is_inverse_of_size() {
        assert_eq!(risk(4, 4.0), 0.25);
        assert_eq!(risk(4, 3.0), 0.25);
        assert!(risk(1, 1e9) < 3e-8);
        assert_eq!(of_classes([]), None);
        let all = of_classes([(1, 1.0), (2, 2.0)]).expect("the table is not empty");
        assert_eq!((all.expected_rows, all.max, all.n_people), (2.0, 1.0, 3.0));
    }
}
