//! # beta-likeness
//!
//! **Definition.** A class has beta-likeness iff the gain of every sensitive value is at most beta:
//! (q_s - p_s) / p_s <= beta for every value s with q_s > p_s, where q is the distribution of the
//! sensitive attribute in the class and p its distribution in all released rows. Enhanced: the gain
//! of s is at most min(beta, -ln p_s).
//! **Formula.** gain(s) = (n_s * N) / (N_s * |C|) - 1, for n_s of |C| rows in the class and N_s of
//! N released rows.
//! **Parameters.** `attribute`: sensitive. `beta`: number above 0, no unit. `gain`: `basic`
//! (default) or `enhanced`.
//! **Level.** `beta`: the largest gain, exact; smaller is safer; the maximum over all classes. In
//! the enhanced variant, the level is unreachable if a gain is above -ln p_s, because no beta is
//! sufficient.
//! **Monotone.** Merging preserves the principle, because the share of a value in a union is
//! between its shares in the parts (test `merging_keeps`). Suppression may break the principle,
//! because the released rows change.
//! **Complexity.** O(values of the class); O(m) once.
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** Identity disclosure; values that become rarer in a class (only
//! gains count). Similar values. Information that all released rows together reveal. Linkage of
//! releases. Inference of finer values from the choice of classes and labels (attack `refinement`).
//! **Source.** Cao, Karras, PVLDB 5(11), 2012, Definitions 2 and 3. Deviations: p is the
//! distribution in the released rows, as for t-closeness (reading G-1); -ln p_s is not a fraction
//! unless p_s is 1, and is rounded down in the 12th decimal place, which makes the check stricter.

use super::shares::{Likeness, OUT_OF_REACH, Rule, SharePair, Shares};
use super::*;

const PARAMETERS: [ParameterSpec; 2] = parameters! {
    /// maximum relative gain of a sensitive value: its share in a class minus its share in all
    /// released rows, divided by the latter
    "beta" => Number(NumberRange::Above(0)), Required;
    /// basic: limits the gain to beta; enhanced: also limits the gain of a value with share p to
    /// -ln p
    "gain" => Word { one_of: &["basic", "enhanced"] }, Default("basic");
};

/// The parameter `gain`.
const GAIN: ParameterSpec = PARAMETERS[1];

pub(super) static KIND: Kind = Kind {
    name: "beta-likeness",
    definition: "In every class, the share of each sensitive value exceeds its share p in all \
                 released rows by at most beta times p.",
    promise: &[
        Phrase {
            when: &[Condition::Word("gain", "basic")],
            text: "In every class, the share of each sensitive value exceeds its share p in all \
                   released rows by at most {beta} times p.",
        },
        Phrase {
            when: &[Condition::Word("gain", "enhanced")],
            text: "In every class, the share of each sensitive value exceeds its share p in all \
                   released rows by at most {beta} times p and at most -ln(p) times p.",
        },
    ],
    of_people: OfPeople::Nothing(
        "the principle assumes one value per person; the literature does not define the gain in \
         belief for several values",
    ),
    parameters: &PARAMETERS,
    level: "beta, the largest gain of a value in a class",
    safer_below: &["beta"],
    merging: Merging::Keeps,
    does_not_protect_against: "identity disclosure, disclosure by values that are rarer in a class \
        or have similar meanings, information revealed by all released rows together, inference of \
        finer values from the choice of classes and labels, or linkage of several releases",
    source: "Cao, Karras, PVLDB 5(11), 2012, Definitions 2 and 3",
    readings: &["G-1"],
    ..Kind::base(build)
};

/// The variant of beta-likeness, which determines the limits on gains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gain {
    Basic,
    Enhanced,
}

/// The limits on gains: beta and, for the enhanced variant, a cap for each value.
#[derive(Debug, Clone)]
struct Gains {
    gain: Gain,
    /// The value -ln p for the share p of each code. The list is empty for the basic variant.
    caps: Vec<Rational>,
}

/// The precision of -ln p: 12 decimal places.
const DECIMALS: f64 = 1e12;

/// Returns -ln p rounded down. A gain within this cap is therefore also within the exact cap.
fn cap(rows: u64, n_released: u64) -> Rational {
    let exact = -(rows as f64 / n_released as f64).ln();
    // Subtract one unit, which exceeds any possible rounding error.
    let units = (exact * DECIMALS).floor() - 1.0;
    Rational::new(units.max(0.0) as i128, DECIMALS as i128)
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let shares = Shares::new(context.table.marginal(context.column()));
    let gain = match parameters.word(&GAIN) {
        "enhanced" => Gain::Enhanced,
        _ => Gain::Basic,
    };
    let threshold = parameters.number("beta");
    let bound = Bound { name: "beta", relation: Relation::AtMost, threshold };
    let gains = Gains { gain, caps: Vec::new() };
    Ok(Box::new(Likeness::new(context.attribute(), shares, &gains, bound)))
}

impl Rule for Gains {
    fn relative_to(&self, shares: &Shares) -> Self {
        let cap = |&rows: &u64| cap(rows.max(1), shares.n_released);
        let caps = match self.gain {
            Gain::Basic => Vec::new(),
            Gain::Enhanced => shares.rows.iter().map(cap).collect(),
        };
        Self { gain: self.gain, caps }
    }

    fn level(&self, shares: &Shares, entries: &[(u32, u64)], size: u64, _: &Bound) -> Level {
        let mut largest = Rational::from_integer(0);
        for &(code, count) in entries {
            let SharePair { of_class, of_all } = shares.relative_to(code, count, size);
            if of_class <= of_all {
                continue;
            }
            if of_all == 0 {
                return OUT_OF_REACH;
            }
            let gain = Rational::new(of_class - of_all, of_all);
            if self.caps.get(code as usize).is_some_and(|cap| gain > *cap) {
                return OUT_OF_REACH;
            }
            largest = largest.max(gain);
        }
        Level::One(Quantity::Exact(largest))
    }
}
