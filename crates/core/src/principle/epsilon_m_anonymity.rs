//! # (epsilon, m)-anonymity
//!
//! **Definition.** A class is (epsilon, m)-anonymous iff, for each of its rows, at most a share of
//! 1/m of the class has a sensitive value in the neighborhood of the row. Absolute neighborhood:
//! `[x - epsilon, x + epsilon]`. Relative neighborhood: `[x (1 - epsilon), x (1 + epsilon)]`.
//! **Formula.** m * |{y : y near x}| <= |C| for each x, in integers.
//! **Parameters.** `attribute`: sensitive, numeric. `epsilon`: number, at least 0, in the unit of
//! the attribute; for relative neighborhoods, from 0 to 1. `m`: integer, at least 1 (reading C-9).
//! `neighborhood`: `absolute` (default), `relative` (positive numbers only), or `relative-radius`
//! ([x - epsilon |x|, x + epsilon |x|], reading C-5).
//! **Level.** `m`: |C| divided by the maximum number of near rows, rounded down; larger is safer.
//! `risk`: its inverse before rounding, exact; smaller is safer. Each level of a release is the
//! worst level of any class.
//! **Monotone.** Merging may break the principle; a counterexample is {40, 80} and {60, 100} for
//! epsilon = 30, m = 2 (test `merging_may_break_proximity`). Suppressing whole classes preserves
//! the principle for the remaining classes.
//! **Generalizable.** Iff m * maxsize <= |C| (Theorem 1); the partition assigns the sorted rows to
//! maxsize buckets in turn (test `proximity_generalizability_matches_enumeration`).
//! **Complexity.** O(values of the class), one sweep; O(v log v) once for the v values in the
//! table.
//! **Errors.** `Missing`, `OutOfRange`, `NotNumeric`, `TooManyDigits`, `MissingNumbers`,
//! `NotPositive`.
//! **Does not protect against.** An adversary for whom the victim matches several overlapping
//! classes (reading F-2). Background knowledge that excludes values. Linkage of releases. Inference
//! of finer values from the choice of classes and labels (attack `refinement`).
//! **Source.** Li, Tao, Xiao, SIGMOD 2008, Definitions 5 to 7. Deviations: readings C-1, C-2, C-5,
//! C-6, C-9, F-1, F-2.

use super::proximity::{
    self, Assignment, Letter, Limit, NearnessBound, Neighborhood, Reach, assignment, is_feasible,
    nearness_of,
};
use super::*;

const OWN: [ParameterSpec; 2] = parameters! {
    /// sensitive values that differ by at most epsilon count as equal
    "epsilon" => Number(NumberRange::AtLeast(0)), Required;
    /// unit of epsilon: the unit of the attribute, a fraction of the value (which must be
    /// positive), or a fraction of the absolute value
    "neighborhood" => Word { one_of: &["absolute", "relative", "relative-radius"] }, Default("absolute");
};
const NEIGHBORHOOD: ParameterSpec = OWN[1];
const PARAMETERS: [ParameterSpec; 3] = [OWN[0], proximity::M, NEIGHBORHOOD];

pub(super) static KIND: Kind = Kind {
    name: "epsilon-m-anonymity",
    definition: "For every row, at most 1/m of the rows of its class have a sensitive value that \
                 differs from the row's value by at most epsilon.",
    promise: &[
        Phrase {
            when: &[Condition::Word("neighborhood", "absolute")],
            text: "For every row, at most 1/{m} of the rows of its class have a sensitive value \
                   that differs from the row's value by at most {epsilon}.",
        },
        Phrase {
            when: &[Condition::Word("neighborhood", "relative")],
            text: "For every row, at most 1/{m} of the rows of its class have a sensitive value \
                   that differs from the row's value by at most {epsilon:%} of the row's value.",
        },
        Phrase {
            when: &[Condition::Word("neighborhood", "relative-radius")],
            text: "For every row, at most 1/{m} of the rows of its class have a sensitive value \
                   that differs from the row's value by at most {epsilon:%} of the absolute value \
                   of the row's value.",
        },
    ],
    of_people: proximity::OF_PEOPLE,
    parameters: &PARAMETERS,
    check_together,
    level: proximity::LEVEL,
    safer_below: &["risk"],
    merging: Merging::MayBreak,
    does_not_protect_against: proximity::OPEN_TO,
    source: "Li, Tao, Xiao, SIGMOD 2008, Definitions 5 to 7",
    readings: &["C-1", "C-2", "C-5", "C-6", "C-9", "F-1", "F-2"],
    near,
    ..Kind::base(build)
};

fn check_together(parameters: &Parameters) -> Vec<ParameterError> {
    let epsilon = parameters.number("epsilon");
    let at_most_one = ParameterKind::Number(NumberRange::Within(0, 1));
    if parameters.word(&NEIGHBORHOOD) == "absolute" || epsilon <= Rational::from_integer(1) {
        return Vec::new();
    }
    vec![ParameterError::OutOfRange {
        name: "epsilon",
        got: to_f64(&epsilon).to_string(),
        want: format!("{} for a relative neighborhood", at_most_one.expectation()),
    }]
}

fn near(parameters: &Parameters) -> Option<NearnessBound> {
    let epsilon = parameters.number("epsilon");
    let neighborhood = match parameters.word(&NEIGHBORHOOD) {
        "absolute" => Neighborhood::Absolute { below: epsilon, above: epsilon },
        _ => Neighborhood::Relative { epsilon },
    };
    Some(NearnessBound { neighborhood, m: parameters.number("m") })
}

/// The shared implementation of (epsilon, m)-anonymity, (e1, e2, m)-anonymity, and m-anonymity of
/// private neighborhoods, which differ only in the neighborhood.
#[derive(Debug)]
struct Proximity {
    attribute: usize,
    m: u64,
    neighborhood: Neighborhood,
    reach: Reach,
    bounds: [Bound; 2],
}

/// Creates the principle for the neighborhood that the parameters define.
pub(super) fn proximity_to(
    near: fn(&Parameters) -> Option<NearnessBound>,
    context: &Context<'_>,
    parameters: &Parameters,
) -> Result<Box<dyn Principle>, DataError> {
    let NearnessBound { neighborhood, m } =
        near(parameters).expect("the parameters require a neighborhood");
    Ok(Box::new(Proximity {
        attribute: context.attribute(),
        m: parameters.whole("m"),
        reach: Reach::new(&context.numbers()?, &neighborhood),
        neighborhood,
        bounds: [
            Bound { name: "m", relation: Relation::AtLeast, threshold: m },
            Bound { name: "risk", relation: Relation::AtMost, threshold: m.recip() },
        ],
    }))
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    if parameters.word(&NEIGHBORHOOD) == "relative" {
        let numbers = context.numbers()?;
        let from = numbers.first();
        let codes: Vec<u32> = (from..from + numbers.n_not_positive() as u32).collect();
        let (n_rows, _) = context.rows_with(&codes);
        if n_rows > 0 {
            let attribute = context.column().name.clone();
            return Err(DataError::NotPositive { attribute, n_rows });
        }
    }
    proximity_to(near, context, parameters)
}

impl Principle for Proximity {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        let nearness = nearness_of(&self.reach, class, self.attribute);
        let (largest, n) = (nearness.largest.max(1), nearness.n_rows.max(1));
        let risk = Quantity::Ratio { numerator: largest, denominator: n };
        Level::Two(Quantity::Count(n / largest), risk)
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    /// A class must have at least m rows, because each row is near itself.
    fn smallest_size(&self) -> u64 {
        self.m
    }

    fn merging(&self) -> Merging {
        Merging::MayBreak
    }

    /// In some part, the share of inseparable rows is at least their share in the whole class
    /// (Theorem 1).
    fn upper_bound(&self, rows: &ClassView<'_>) -> Level {
        let nearness = nearness_of(&self.reach, rows, self.attribute);
        let (inseparable, n) = (nearness.inseparable.max(1), nearness.n_rows.max(1));
        let risk = Quantity::Ratio { numerator: inseparable, denominator: n };
        Level::Two(Quantity::Count(n / inseparable), risk)
    }

    fn shown_reachable(&self, rows: &ClassView<'_>) -> Level {
        let nearness = nearness_of(&self.reach, rows, self.attribute);
        let (maxsize, n) = (nearness.maxsize.max(1), nearness.n_rows.max(1));
        let largest = nearness.largest.max(1);
        // Each bucket has at least m rows, and no two of its rows are near each other.
        let m = n / maxsize;
        let risk = match n / largest == m {
            true => Quantity::Ratio { numerator: largest, denominator: n },
            false => Quantity::Ratio { numerator: 1, denominator: m },
        };
        Level::Two(Quantity::Count(m), risk)
    }

    fn near(&self) -> Option<NearnessBound> {
        let m = self.bounds[0].threshold;
        Some(NearnessBound { neighborhood: self.neighborhood.clone(), m })
    }

    fn proximity(&self) -> Option<Limit<'_>> {
        Some(Limit {
            neighborhood: &self.neighborhood,
            m: self.bounds[0].threshold,
            letter: Letter::M,
        })
    }

    fn partition(&self, class: &ClassView<'_>) -> Option<Assignment> {
        let nearness = nearness_of(&self.reach, class, self.attribute);
        if u128::from(nearness.largest) * u128::from(self.m) <= u128::from(nearness.n_rows) {
            return Some(Assignment { n_buckets: 1 });
        }
        is_feasible(&nearness, self.m).then(|| assignment(&nearness))
    }
}
