//! # m-anonymity of private neighborhoods
//!
//! **Definition.** Each sensitive value has a private neighborhood, a range that contains the value
//! and whose ends the policy states in steps of the value. A class has m-anonymity of private
//! neighborhoods iff, for each of its rows, at most a share of 1/m of the class has a sensitive
//! value in the neighborhood of the row.
//! **Formula.** m * |{y : x - below(x) <= y <= x + above(x)}| <= |C| for each x, in integers.
//! below(x) and above(x) are the distances stated for the largest number that is not above x, or
//! for the smallest number if x is below all of them.
//! **Parameters.** `attribute`: sensitive, numeric. `neighborhoods`: a table from numbers to
//! distances of at least 0, all in the unit of the attribute, on both sides of the value. `above`:
//! a table of the same form for the distances to larger values; `neighborhoods` then applies only
//! to smaller values. `m`: integer, at least 1 (reading C-9). A table with a step for every value
//! expresses any ranges of Definition 4.
//! **Level.** `m`: |C| divided by the maximum number of near rows, rounded down; larger is safer.
//! `risk`: its inverse before rounding, exact; smaller is safer. Each level of a release is the
//! worst level of any class.
//! **Monotone.** Merging may break the principle, as for (epsilon, m)-anonymity (test
//! `merging_may_break_proximity`). Suppressing whole classes preserves the principle for the
//! remaining classes.
//! **Generalizable.** Ruled out iff more than a share of 1/m of the rows are inseparable: in any
//! subset of the inseparable rows, the neighborhood of the last row, or that of the first row,
//! contains all others. Proved possible by the class itself, or by an assignment to as many buckets
//! as rows are near one row on one side. If the neighborhoods of small and large numbers differ,
//! there is a gap between the two conditions (test
//! `own_neighborhoods_may_be_undecided`).
//! **Complexity.** O(values of the class + steps of the neighborhoods * values), one sweep.
//! **Errors.** `Missing`, `OutOfRange`, `NotNumeric`, `TooManyDigits`, `MissingNumbers`.
//! **Does not protect against.** The same attacks as for (epsilon, m)-anonymity. Two rows with the
//! same sensitive value have the same neighborhood: separate neighborhoods for rows would require a
//! column that is not released, and recipients could not verify the principle.
//! **Source.** Li, Tao, Xiao, SIGMOD 2008, Definitions 4 and 5. Deviations: readings C-1, C-9, F-1,
//! F-2.

use num_traits::Zero;

use super::epsilon_m_anonymity::proximity_to;
use super::proximity::{self, NearnessBound, Neighborhood, Steps};
use super::*;
use crate::model::parse_decimal;

const OWN: [ParameterSpec; 2] = parameters! {
    /// the distance within which values count as equal, for each range of values, given by the
    /// range's lower end; the first distance also applies to all lower values
    "neighborhoods" => Steps, Required;
    /// the distance within which larger values count as equal, in the same form; if absent,
    /// `neighborhoods` applies to larger and smaller values, and otherwise only to smaller values
    "above" => Steps, Optional;
};

pub(super) static KIND: Kind = Kind {
    name: "neighborhoods-m-anonymity",
    definition: "For every row, at most 1/m of the rows of its class have a sensitive value in the \
                 row's neighborhood. The ends of a neighborhood depend on the row's value.",
    promise: &[
        Phrase {
            when: &[Condition::LeftOut("above")],
            text: "For every row, at most 1/{m} of the rows of its class have a sensitive value \
                   within the distance defined for the row's value (distances for value ranges, \
                   listed by their lower ends: {neighborhoods}).",
        },
        Phrase {
            when: &[Condition::Given("above")],
            text: "For every row, at most 1/{m} of the rows of its class have a sensitive value \
                   within the distances defined for the row's value (distances for value ranges, \
                   listed by their lower ends: below the value {neighborhoods}; above the value \
                   {above}).",
        },
    ],
    of_people: proximity::OF_PEOPLE,
    parameters: &[OWN[0], OWN[1], proximity::M],
    check_together,
    level: proximity::LEVEL,
    safer_below: &["risk"],
    merging: Merging::MayBreak,
    status: Status::Experimental {
        reason: "No published result is available for comparison, because neighborhoods are \
            specific to each policy.",
    },
    does_not_protect_against: proximity::OPEN_TO,
    source: "Li, Tao, Xiao, SIGMOD 2008, Definitions 4 and 5",
    readings: &["C-1", "C-9", "F-1", "F-2"],
    near,
    ..Kind::base(build)
};

/// Rejects tables that define different neighborhoods for two spellings of the same number.
fn check_together(parameters: &Parameters) -> Vec<ParameterError> {
    let is_repeated = |spec: &&ParameterSpec| {
        parameters.table(spec.name).is_some_and(|stated| steps(&stated).len() < stated.0.len())
    };
    let repeated = OWN.iter().filter(is_repeated).map(|spec| ParameterError::OutOfRange {
        name: spec.name,
        got: "a table with a duplicate number".to_owned(),
        want: spec.kind.expectation(),
    });
    repeated.collect()
}

fn steps(stated: &Parameters) -> Steps {
    let step = |(from, epsilon): (&String, &ParameterValue)| {
        let epsilon = match epsilon {
            ParameterValue::Number(epsilon) => *epsilon,
            _ => Rational::zero(),
        };
        parse_decimal(from).ok().map(|from| (from, epsilon))
    };
    Steps::new(stated.0.iter().filter_map(step))
}

fn near(parameters: &Parameters) -> Option<NearnessBound> {
    let below = steps(&parameters.table("neighborhoods")?);
    let above = parameters.table("above").map_or_else(|| below.clone(), |stated| steps(&stated));
    let neighborhood = Neighborhood::ByValue { below, above };
    Some(NearnessBound { neighborhood, m: parameters.number("m") })
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    proximity_to(near, context, parameters)
}
