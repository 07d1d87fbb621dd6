//! # (e1, e2, m)-anonymity
//!
//! **Definition.** A class is (e1, e2, m)-anonymous iff, for each of its rows, at most a share of
//! 1/m of the class has a sensitive value from e1 below to e2 above the value of the row.
//! **Formula.** m * |{y : x - e1 <= y <= x + e2}| <= |C| for each x, in integers.
//! **Parameters.** `attribute`: sensitive, numeric. `e1`, `e2`: numbers, at least 0, in the unit of
//! the attribute. `m`: integer, at least 1 (reading C-9).
//! **Level.** `m`: |C| divided by the maximum number of near rows, rounded down; larger is safer.
//! `risk`: its inverse before rounding, exact; smaller is safer. Each level of a release is the
//! worst level of any class.
//! **Monotone.** Merging may break the principle, as for (epsilon, m)-anonymity (test
//! `merging_may_break_proximity`). Suppressing whole classes preserves the principle for the
//! remaining classes.
//! **Generalizable.** Iff m * maxsize <= |C| (Theorem 1), regardless of the smaller of e1 and e2
//! (Lemma 3) (test `proximity_generalizability_matches_enumeration`).
//! **Complexity.** O(values of the class), one sweep; O(v log v) once for the v values in the
//! table.
//! **Errors.** `Missing`, `OutOfRange`, `NotNumeric`, `TooManyDigits`, `MissingNumbers`.
//! **Does not protect against.** The same attacks as for (epsilon, m)-anonymity.
//! **Source.** Li, Tao, Xiao, SIGMOD 2008, Definitions 8 and 9. Deviations: readings C-1, C-9, F-1,
//! F-2.

use super::epsilon_m_anonymity::proximity_to;
use super::proximity::{self, NearnessBound, Neighborhood};
use super::*;

const OWN: [ParameterSpec; 2] = parameters! {
    /// sensitive values that are smaller by at most e1 count as equal
    "e1" => Number(NumberRange::AtLeast(0)), Required;
    /// sensitive values that are larger by at most e2 count as equal
    "e2" => Number(NumberRange::AtLeast(0)), Required;
};

pub(super) static KIND: Kind = Kind {
    name: "e1-e2-m-anonymity",
    definition: "For every row with sensitive value x, at most 1/m of the rows of its class have a \
                 value from x - e1 to x + e2.",
    promise: &always(
        "For every row with sensitive value x, at most 1/{m} of the rows of its class have a value \
         from x - {e1} to x + {e2}.",
    ),
    of_people: proximity::OF_PEOPLE,
    parameters: &[OWN[0], OWN[1], proximity::M],
    level: proximity::LEVEL,
    safer_below: &["risk"],
    merging: Merging::MayBreak,
    status: Status::Experimental {
        reason: "No other implementation or published result is available for comparison.",
    },
    does_not_protect_against: proximity::OPEN_TO,
    source: "Li, Tao, Xiao, SIGMOD 2008, Definitions 8 and 9",
    readings: &["C-1", "C-9", "F-1", "F-2"],
    near,
    ..Kind::base(build)
};

fn near(parameters: &Parameters) -> Option<NearnessBound> {
    let (below, above) = (parameters.number("e1"), parameters.number("e2"));
    let neighborhood = Neighborhood::Absolute { below, above };
    Some(NearnessBound { neighborhood, m: parameters.number("m") })
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    proximity_to(near, context, parameters)
}
