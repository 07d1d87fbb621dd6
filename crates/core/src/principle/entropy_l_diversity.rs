//! # entropy l-diversity
//!
//! **Definition.** A class is entropy l-diverse iff the entropy of its sensitive attribute is at
//! least log l. With a don't-care set, the entropy must be at least log l after the counts of
//! don't-care values are lowered to maximize it.
//! **Formula.** -sum_s p_s log p_s >= log l, decided exactly as n^n >= l^n * prod_s n_s^n_s
//! (reading B-11). If u values are lowered and F are all others with T rows, the adjusted
//! exp(entropy) is exp(entropy of F) + u, decided exactly as T^T >= (l - u)^T * prod_F n_s^n_s.
//! **Parameters.** `attribute`: sensitive. `l`: number, at least 1. `dont_care`: values that may be
//! disclosed, default none.
//! **Level.** exp(entropy), adjusted; the minimum over all classes; larger is safer.
//! **Monotone.** Merging preserves the principle, because entropy is concave, and the union of
//! lowered classes is a lowered union (test `merging_keeps`). Suppressing whole classes preserves
//! the principle for the remaining classes.
//! **Complexity.** O(v log v) for v values of the class; big integers only within 1e-9 of the
//! boundary.
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** A single frequent value, which is possible despite a high entropy;
//! background knowledge; similar values; linkage of releases. Inference of finer values from the
//! choice of classes and labels (attack `refinement`).
//! **Source.** Machanavajjhala et al., TKDD 2007, Definitions 4.1 and 4.5, Algorithm 1. Deviations:
//! `>=` also with don't-care values (B-4); classes without a value to lower, and classes of
//! don't-care values only, whose adjusted entropy is the log of their number (B-5, B-6); exact at
//! the boundary (B-11); a missing value counts as a value.

use std::cmp::Ordering;

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::Pow;

use super::by_people::most_concentrated;
use super::*;

/// Floating-point numbers decide if the two sides differ by more than this value, in nats. The
/// error of the sum is much smaller.
const UNDECIDED_NATS: f64 = 1e-9;
/// The maximum relative distance from an integer at which a diversity is checked for exact
/// equality.
const WHOLE_WITHIN: f64 = 1e-9;
/// The maximum number of rows, divided by the greatest common divisor of the counts, for which
/// exact equality with an integer is checked.
const MOST_DECIDED: u64 = 20_000;

pub(super) static KIND: Kind = Kind {
    name: "entropy-l-diversity",
    definition: "In every class, the entropy of the sensitive attribute is at least log l.",
    promise: &[
        Phrase {
            when: &[Condition::LeftOut("dont_care")],
            text: "In every class, the entropy of the sensitive attribute is at least log {l}, the \
                   entropy of {l:value|equally frequent values}.",
        },
        Phrase {
            when: &[Condition::Given("dont_care")],
            text: "In every class, the entropy of the sensitive attribute is at least log {l}, \
                   which is the entropy of {l:value|equally frequent values}. Before the entropy \
                   is computed, the counts of {dont_care} are reduced to maximize it, and these \
                   values may be disclosed.",
        },
    ],
    of_people: OfPeople::Promises(&[Phrase {
        when: &[Condition::LeftOut("dont_care")],
        text: "In every class, the entropy is at least log {l}, the entropy of {l:value|equally \
               frequent values}, for every choice of one sensitive value for each person.",
    }]),
    parameters: &parameters! {
        /// the entropy of the sensitive attribute in each class is at least log l
        "l" => Number(NumberRange::AtLeast(1)), Required;
        /// sensitive values that may be disclosed, regardless of their frequency
        "dont_care" => Values, Optional;
    },
    level: "l, the exponential of the smallest entropy of a class",
    merging: Merging::Keeps,
    does_not_protect_against: "inference of a value that is much more frequent than the others, \
        adversaries who can rule out some of the values, disclosure by values with similar \
        meanings, inference of finer values from the choice of classes and labels, or linkage of \
        several releases",
    source: "Machanavajjhala et al., ACM TKDD 2007, Definitions 4.1 and 4.5",
    readings: &["B-4", "B-5", "B-6", "B-7", "B-11", "H-3"],
    ..Kind::base(build)
};

/// Returns entropy l-diversity with a given l, in the form that a policy uses.
pub fn entropy_l_diversity(l: Rational) -> (&'static Kind, Parameters) {
    (&KIND, Parameters::of_numbers([("l", l)]))
}

#[derive(Debug)]
struct EntropyLDiversity {
    attribute: usize,
    l: f64,
    dont_care: Vec<u32>,
    bounds: [Bound; 1],
    /// Precomputed values of n log n for small n, which are sufficient for most counts in most
    /// classes.
    small: Vec<f64>,
}

/// The limit on n below which the values of n log n are precomputed.
const SMALL: u64 = 4096;

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let l = parameters.number("l");
    Ok(Box::new(EntropyLDiversity {
        attribute: context.attribute(),
        l: to_f64(&l),
        dont_care: context.codes_of(parameters.values(DONT_CARE).unwrap_or_default()),
        bounds: [Bound { name: "l", relation: Relation::AtLeast, threshold: l }],
        small: (0..SMALL).map(n_log_n).collect(),
    }))
}

fn n_log_n(n: u64) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * (n as f64).ln() }
}

/// Compares T^T * den^T with num^T * prod n_s^n_s, after dividing all exponents by their greatest
/// common divisor.
fn compare_exactly(counts: &[u64], total: u64, l: &Rational) -> Ordering {
    let divisor = counts.iter().fold(total, |a, b| a.gcd(b));
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

/// Returns exp(entropy) of counts as a floating-point number, rounded to an integer only if it is
/// exactly that integer.
fn diversity(nats: f64, counts: &[u64], total: u64) -> f64 {
    let value = nats.exp();
    let whole = value.round();
    if (value - whole).abs() > WHOLE_WITHIN * whole {
        return value;
    }
    let divisor = counts.iter().fold(total, |a, b| a.gcd(b)).max(1);
    let is_decided = total / divisor <= MOST_DECIDED;
    let exactly = || compare_exactly(counts, total, &Rational::from_integer(whole as i128));
    if is_decided && exactly().is_eq() { whole } else { value }
}

/// Compares value^T with prod n_s^n_s, that is, the logarithm of a value with the mean of log n_s
/// weighted by the counts n_s, whose sum is T.
fn compare_with_mean(value: u64, counts: &[u64], total: u64) -> Ordering {
    let divisor = counts.iter().fold(total, |a, b| a.gcd(b));
    let side =
        |base: u64, count: u64| Pow::pow(BigUint::from(base), BigUint::from(count / divisor));
    let right = counts.iter().map(|&count| side(count, count)).product();
    side(value, total).cmp(&right)
}

/// The adjusted entropy of a class (Definition 4.5, Algorithm 1).
#[derive(Debug, Clone, PartialEq)]
pub struct AdjustedEntropy {
    /// The counts of sensitive values and the small counts of don't-care values, which remain
    /// unchanged, in descending order.
    pub fixed: Vec<u64>,
    /// The number of don't-care values whose counts are lowered.
    pub n_lowered: u64,
    /// The count to which don't-care values are lowered. The value is `None` if there is no
    /// sensitive value, because any equal counts then have the same entropy (reading B-5).
    pub lowered_to: Option<f64>,
    /// exp(adjusted entropy).
    pub diversity: f64,
}

/// Lowers the counts of don't-care values such that the entropy is maximal. Counts of 0 are
/// ignored.
///
/// # Panics
/// Panics if no count is above 0.
pub fn adjust(sensitive: &[u64], dont_care: &[u64]) -> AdjustedEntropy {
    adjust_with(&n_log_n, sensitive, dont_care)
}

fn adjust_with(
    n_log_n: &dyn Fn(u64) -> f64,
    sensitive: &[u64],
    dont_care: &[u64],
) -> AdjustedEntropy {
    let positive = |counts: &[u64]| {
        let mut counts: Vec<u64> = counts.iter().copied().filter(|&count| count > 0).collect();
        counts.sort_unstable();
        counts
    };
    let mut fixed = positive(sensitive);
    let changeable = positive(dont_care);
    if fixed.is_empty() {
        let n_lowered = changeable.len() as u64;
        assert!(n_lowered > 0, "the entropy of an empty class is undefined");
        return AdjustedEntropy { fixed, n_lowered, lowered_to: None, diversity: n_lowered as f64 };
    }
    let mut total: u64 = fixed.iter().sum();
    let mut sum: f64 = fixed.iter().map(|&count| n_log_n(count)).sum();
    let mut n_fixed = 0;
    for &count in &changeable {
        let difference = (count as f64).ln() - sum / total as f64;
        let is_below = if difference.abs() > UNDECIDED_NATS {
            difference < 0.0
        } else {
            compare_with_mean(count, &fixed, total).is_lt()
        };
        if !is_below {
            break;
        }
        fixed.push(count);
        total += count;
        sum += n_log_n(count);
        n_fixed += 1;
    }
    fixed.sort_unstable_by(|a, b| b.cmp(a));
    let n_lowered = (changeable.len() - n_fixed) as u64;
    let mean = fixed.iter().map(|&count| n_log_n(count)).sum::<f64>() / total as f64;
    let entropy = ((total as f64).ln() - mean).max(0.0);
    let fixed_counts = fixed.clone();
    AdjustedEntropy {
        fixed,
        n_lowered,
        lowered_to: (n_lowered > 0).then(|| mean.exp()),
        diversity: diversity(entropy, &fixed_counts, total) + n_lowered as f64,
    }
}

impl AdjustedEntropy {
    /// Compares exp(adjusted entropy) with l. The comparison is exact.
    pub fn compare(&self, l: &Rational) -> Ordering {
        let fixed = l - Rational::from_integer(i128::from(self.n_lowered));
        if self.fixed.is_empty() {
            return Rational::from_integer(0).cmp(&fixed);
        }
        if fixed <= Rational::from_integer(0) {
            return Ordering::Greater;
        }
        let difference = (self.diversity - self.n_lowered as f64).ln() - to_f64(&fixed).ln();
        if difference.abs() > UNDECIDED_NATS {
            return difference.total_cmp(&0.0);
        }
        compare_exactly(&self.fixed, self.fixed.iter().sum(), &fixed)
    }
}

impl EntropyLDiversity {
    fn term(&self, n: u64) -> f64 {
        self.small.get(n as usize).copied().unwrap_or_else(|| n_log_n(n))
    }

    fn entropy_nats(&self, counts: &[u64], total: u64) -> f64 {
        let sum: f64 = counts.iter().map(|&count| self.term(count)).sum();
        ((total as f64).ln() - sum / total as f64).max(0.0)
    }

    fn adjusted(&self, class: &ClassView<'_>) -> Level {
        let (dont_care, sensitive): (Vec<_>, Vec<_>) = histogram(class, self.attribute)
            .entries
            .iter()
            .partition(|(code, _)| self.dont_care.binary_search(code).is_ok());
        let counts = |entries: Vec<(u32, u64)>| entries.into_iter().map(|entry| entry.1).collect();
        let (sensitive, dont_care): (Vec<u64>, Vec<u64>) = (counts(sensitive), counts(dont_care));
        let adjusted = adjust_with(&|n| self.term(n), &sensitive, &dont_care);
        let versus_required = adjusted.compare(&self.bounds[0].threshold);
        Level::One(self.bounds[0].decided(adjusted.diversity, versus_required))
    }
}

impl Principle for EntropyLDiversity {
    fn limits(&self, code: u32) -> bool {
        self.dont_care.binary_search(&code).is_err()
    }

    fn of_class(&self, class: &ClassView<'_>) -> Level {
        if !self.dont_care.is_empty() {
            return self.adjusted(class);
        }
        // The counts are summed in descending order because equal counts must give the same
        // floating-point result for all codes.
        histogram(class, self.attribute).with_descending(|counts| {
            let nats = self.entropy_nats(counts, class.size);
            let difference = nats - self.l.ln();
            let versus_required = if difference.abs() > UNDECIDED_NATS {
                difference.total_cmp(&0.0)
            } else {
                compare_exactly(counts, class.size, &self.bounds[0].threshold)
            };
            let value = diversity(nats, counts, class.size);
            Level::One(self.bounds[0].decided(value, versus_required))
        })
    }

    /// Returns the lowest entropy for any choice of one value per person, which is defined only
    /// without don't-care values (reading H-3).
    fn of_people(&self, class: &ClassView<'_>) -> Level {
        match self.dont_care.is_empty() {
            true => most_concentrated(class, self.attribute, |class| self.of_class(class)),
            false => Level::One(self.bounds[0].decided(0.0, Ordering::Less)),
        }
    }

    /// The choice of values with the lowest entropy may differ between the union and the two
    /// classes.
    fn merging_of_people(&self) -> Merging {
        Merging::MayBreak
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    /// A class of n rows has at most n values, so its entropy is at most log n, with or without
    /// adjustment.
    fn smallest_size(&self) -> u64 {
        rows_at_least(&self.bounds[0].threshold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithm_1_example_is_reproduced() {
        let adjusted = adjust(&[3, 4], &[11, 10, 3, 2]);
        assert_eq!((adjusted.fixed.as_slice(), adjusted.n_lowered), (&[4, 3, 3, 2][..], 2));
        let mean = adjusted.lowered_to.expect("two counts are lowered").ln();
        assert!((mean - 1.127).abs() < 5e-4, "{mean}");
        assert!((adjusted.diversity.ln() - 1.7729711683903022).abs() < 1e-12);
    }

    #[test]
    fn input_undefined_in_printed_algorithm_is_supported() {
        let all_fixed = adjust(&[9], &[1, 1]);
        assert_eq!((all_fixed.n_lowered, all_fixed.lowered_to), (0, None));
        let only_dont_care = adjust(&[], &[5, 0, 2]);
        assert_eq!(only_dont_care.diversity, 2.0);
        assert_eq!(only_dont_care.compare(&Rational::from_integer(2)), Ordering::Equal);
        assert_eq!(only_dont_care.compare(&Rational::new(201, 100)), Ordering::Less);
    }

    #[test]
    fn diversity_is_exact_at_boundaries() {
        // Shares of 1/2 and four times 1/8: exp(entropy) is 4. The other two cases have three and
        // eight values with equal counts.
        for (counts, l) in [(&[4, 1, 1, 1, 1][..], 4.0), (&[7; 3], 3.0), (&[1; 8], 8.0)] {
            let total: u64 = counts.iter().sum();
            let terms: f64 = counts.iter().map(|&count| n_log_n(count)).sum();
            let nats = (total as f64).ln() - terms / total as f64;
            assert_eq!(diversity(nats, counts, total), l);
        }
        assert_ne!(diversity(2f64.ln() - 1e-12, &[1001, 999], 2000), 2.0);
        assert_eq!(adjust(&[1, 1, 1], &[9]).diversity, 4.0);
    }

    #[test]
    fn boundary_comparison_is_exact() {
        // 300 rows with hepatitis and 700 rows with the don't-care value healthy: the adjusted
        // entropy is exactly log 2.
        let adjusted = adjust(&[300], &[700]);
        assert_eq!(adjusted.compare(&Rational::from_integer(2)), Ordering::Equal);
        let barely = Rational::new(2_000_000_000_001, 1_000_000_000_000);
        assert_eq!(adjusted.compare(&barely), Ordering::Less);
        assert_eq!(adjust(&[7], &[7]).compare(&Rational::from_integer(2)), Ordering::Equal);
    }
}
