//! # variance control
//!
//! **Definition.** A class satisfies variance control iff the population variance of its numeric
//! sensitive attribute is at least the required variance.
//! **Formula.** (n * sum x^2 - (sum x)^2) / n^2 >= variance.
//! **Parameters.** `attribute`: sensitive, numeric. `variance`: number, at least 0, in the square
//! of the attribute's unit.
//! **Level.** The population variance; the minimum over all classes; larger is safer.
//! **Monotone.** Merging preserves the principle, because the variance of a union is at least the
//! mean of the parts' variances (test `merging_keeps`). The sample variance does not have this
//! property (reading C-7; test `sample_variance_is_not_monotone`). Suppressing whole classes
//! preserves the principle for the remaining classes.
//! **Complexity.** O(values of the class); big integers only for numbers with very many digits.
//! **Errors.** `Missing`, `OutOfRange`, `NotNumeric`, `TooManyDigits`, `MissingNumbers`.
//! **Does not protect against.** Proximity: a single distant value results in a large variance.
//! Linkage of releases. Inference of finer values from the choice of classes and labels (attack
//! `refinement`).
//! **Source.** LeFevre, DeWitt, Ramakrishnan, KDD 2006; named in the (epsilon, m) paper.
//! Deviations: population variance (reading C-7); with `missing = "separate-value"`, the variance
//! is that of the numbers, and 0 for a class without numbers.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::*;

pub(super) static KIND: Kind = Kind {
    name: "variance-control",
    definition: "In every class, the numeric sensitive attribute has at least the required \
                 population variance.",
    promise: &always(
        "In every class, the numeric sensitive attribute has a population variance of at least \
         {variance}.",
    ),
    of_people: OfPeople::Nothing(
        "the values of a single person may account for the entire variance",
    ),
    parameters: &parameters! {
        /// minimum population variance in a class
        "variance" => Number(NumberRange::AtLeast(0)), Required;
    },
    level: "variance, the smallest population variance of a class",
    merging: Merging::Keeps,
    status: Status::Experimental {
        reason: "No other implementation or published result is available for comparison.",
    },
    does_not_protect_against: "approximate inference (a single outlier can cause a large \
        variance), inference of finer values from the choice of classes and labels, or linkage of \
        several releases",
    source: "LeFevre, DeWitt, Ramakrishnan, KDD 2006",
    readings: &["C-7"],
    ..Kind::base(build)
};

/// Returns variance control with a given variance, in the form that a policy uses.
pub fn variance_control(variance: Rational) -> (&'static Kind, Parameters) {
    (&KIND, Parameters::of_numbers([("variance", variance)]))
}

#[derive(Debug)]
struct VarianceControl {
    attribute: usize,
    numbers: Numbers,
    bounds: [Bound; 1],
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let threshold = parameters.number("variance");
    Ok(Box::new(VarianceControl {
        attribute: context.attribute(),
        numbers: context.numbers()?,
        bounds: [Bound { name: "variance", relation: Relation::AtLeast, threshold }],
    }))
}

/// Returns n * sum d^2 - (sum d)^2 for the differences d to one of the values, or `None` if the
/// result exceeds 127 bits.
fn spread(differences: impl Iterator<Item = (i128, u64)>, n: u64) -> Option<i128> {
    let (mut sum, mut squares) = (0i128, 0i128);
    for (difference, count) in differences {
        let weighted = difference.checked_mul(i128::from(count))?;
        sum = sum.checked_add(weighted)?;
        squares = squares.checked_add(weighted.checked_mul(difference)?)?;
    }
    squares.checked_mul(i128::from(n))?.checked_sub(sum.checked_mul(sum)?)
}

fn long_spread(differences: impl Iterator<Item = (i128, u64)>, n: u64) -> BigInt {
    let (mut sum, mut squares) = (BigInt::ZERO, BigInt::ZERO);
    for (difference, count) in differences {
        let weighted = BigInt::from(difference) * count;
        squares += &weighted * difference;
        sum += weighted;
    }
    squares * n - &sum * &sum
}

impl Principle for VarianceControl {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        let entries = histogram(class, self.attribute).entries;
        let first = entries.partition_point(|entry| entry.0 < self.numbers.first());
        let entries = &entries[first..];
        let threshold = &self.bounds[0].threshold;
        let Some(center) = entries.get(entries.len() / 2) else {
            let versus_required = 0.cmp(threshold.numer());
            return Level::One(self.bounds[0].decided(0.0, versus_required));
        };
        let center = self.numbers.scaled(center.0);
        let differences =
            || entries.iter().map(|&(code, count)| (self.numbers.scaled(code) - center, count));
        let n: u64 = entries.iter().map(|entry| entry.1).sum();
        let scale = self.numbers.scale();
        // The variance is the spread divided by (n * scale)^2.
        let unit = (n as f64 * scale as f64).powi(2);
        let exactly = |spread: BigInt| {
            let right = BigInt::from(*threshold.numer()) * n * n * scale * scale;
            (spread * threshold.denom()).cmp(&right)
        };
        let required = to_f64(threshold);
        let (value, versus_required) = match spread(differences(), n) {
            None => {
                let spread = long_spread(differences(), n);
                (spread.to_f64().unwrap_or(f64::INFINITY) / unit, exactly(spread))
            }
            Some(spread) => {
                let value = spread as f64 / unit;
                let is_clear = (value - required).abs() > 1e-9 * value.max(required);
                let order = || exactly(BigInt::from(spread));
                (value, if is_clear { value.total_cmp(&required) } else { order() })
            }
        };
        Level::One(self.bounds[0].decided(value, versus_required))
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    /// The variance of a single row is 0.
    fn smallest_size(&self) -> u64 {
        if *self.bounds[0].threshold.numer() > 0 { 2 } else { 1 }
    }
}
