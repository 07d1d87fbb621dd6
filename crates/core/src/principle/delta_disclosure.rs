//! # delta-disclosure privacy
//!
//! **Definition.** A class is delta-disclosure-private iff |ln(q_s / p_s)| < delta for every
//! sensitive value s of the released rows, where q is the distribution of the sensitive attribute
//! in the class and p its distribution in all released rows.
//! **Formula.** max_s max(q_s / p_s, p_s / q_s) < e^delta; q_s / p_s = (n_s * N) / (N_s * |C|), for
//! n_s of |C| rows in the class and N_s of N released rows.
//! **Parameters.** `attribute`: sensitive. `delta`: number above 0, no unit.
//! **Level.** `delta_exceeds`: the largest |ln(q_s / p_s)|, which delta must exceed; smaller is
//! safer; the maximum over all classes. The level is unreachable if a class lacks a value, because
//! no delta is sufficient.
//! **Monotone.** Merging preserves the principle, because the share of a value in a union is
//! between its shares in the parts (test `merging_keeps`). Suppression may break the principle,
//! because the released rows change.
//! **Complexity.** O(values of the class); O(m) once.
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** Identity disclosure. Similar values. Information that all released
//! rows together reveal. Linkage of releases. Inference of finer values from the choice of classes
//! and labels (attack `refinement`).
//! **Source.** Brickell, Shmatikov, KDD 2008, Definition 3. Deviations: the paper does not state
//! the base of its logarithm; we use e (reading G-2). p is the distribution in the released rows
//! (reading G-1). e^delta is rounded down, which makes the check stricter.

use super::shares::{Likeness, OUT_OF_REACH, Rule, SharePair, Shares};
use super::*;
use std::cmp::Ordering;

pub(super) static KIND: Kind = Kind {
    name: "delta-disclosure",
    definition: "Every class contains every released sensitive value, and |ln(q / p)| is below \
                 delta for each value, where q is its share in the class and p its share in all \
                 released rows.",
    promise: &always(
        "Every class contains every released sensitive value, and the share of each value in the \
         class differs from its share in all released rows by a factor of less than e^{delta}.",
    ),
    of_people: OfPeople::Nothing(
        "the principle assumes one value per person; the literature does not define the gain in \
         belief for several values",
    ),
    parameters: &parameters! {
        /// strict upper bound on |ln(q / p)| for each sensitive value, where q is its share in a
        /// class and p its share in all released rows
        "delta" => Number(NumberRange::Above(0)), Required;
    },
    level: "delta_exceeds, the largest |ln(q / p)| of a value in a class, which delta must exceed",
    safer_below: &["delta_exceeds"],
    companions: &[Companion { quantity: "delta_exceeds", parameter: "delta", when: &[] }],
    merging: Merging::Keeps,
    does_not_protect_against: "identity disclosure, disclosure by values with similar meanings, \
        information revealed by all released rows together, inference of finer values from the \
        choice of classes and labels, or linkage of several releases",
    source: "Brickell, Shmatikov, KDD 2008, Definition 3",
    readings: &["G-1", "G-2"],
    ..Kind::base(build)
};

/// Limits the factor by which the share of each released value in a class differs from its share in
/// all released rows.
#[derive(Debug, Clone)]
struct Factor {
    n_values: usize,
    /// The value e^delta, rounded down. Because e^delta is irrational, every factor within this
    /// limit is strictly below e^delta.
    largest: Rational,
}

/// The largest relevant delta. For larger values, the factor between any two row counts is within
/// the limit.
const LARGEST_DELTA: f64 = 44.0;

/// Returns e^delta rounded down.
fn factor(delta: &Rational) -> Rational {
    let delta = to_f64(delta);
    if delta > LARGEST_DELTA {
        return Rational::from_integer(i128::from(u64::MAX));
    }
    // The relative rounding error is less than 1e-14. Multiplying by a power of two causes no
    // rounding error.
    let scale = 1i128 << 60;
    let scaled = (delta.exp() * (1.0 - 1e-13) * scale as f64).floor();
    // The limit must be at least 1, because equal shares satisfy the principle for every delta.
    Rational::new((scaled as i128).max(scale), scale)
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let shares = Shares::new(context.table.marginal(context.column()));
    let threshold = parameters.number("delta");
    let rule = Factor { n_values: 0, largest: factor(&threshold) };
    let bound = Bound { name: "delta_exceeds", relation: Relation::Below, threshold };
    Ok(Box::new(Likeness::new(context.attribute(), shares, &rule, bound)))
}

impl Rule for Factor {
    fn relative_to(&self, shares: &Shares) -> Self {
        let n_values = shares.rows.iter().filter(|&&rows| rows > 0).count();
        Self { n_values, largest: self.largest }
    }

    fn level(&self, shares: &Shares, entries: &[(u32, u64)], size: u64, bound: &Bound) -> Level {
        let is_released = |&(code, _): &(u32, u64)| shares.rows[code as usize] > 0;
        if entries.len() != self.n_values || !entries.iter().all(is_released) {
            return OUT_OF_REACH;
        }
        let mut largest = Rational::from_integer(1);
        for &(code, count) in entries {
            let SharePair { of_class, of_all } = shares.relative_to(code, count, size);
            let (more, less) = (of_class.max(of_all), of_class.min(of_all));
            largest = largest.max(Rational::new(more, less));
        }
        let versus = match largest <= self.largest {
            true => Ordering::Less,
            false => Ordering::Greater,
        };
        Level::One(bound.decided(to_f64(&largest).ln(), versus))
    }
}
