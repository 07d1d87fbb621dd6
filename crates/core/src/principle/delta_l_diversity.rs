//! # (delta, l)-diversity
//!
//! **Definition.** Two numbers are similar iff their delta-intervals overlap, that is, iff they
//! differ by at most 2 delta. Reading `definition`: a class is (delta, l)-diverse iff, for each of
//! its rows, at most a share of 1/l of the class is similar to the row. Reading `window`: a class
//! is (delta, l)-diverse iff at most a share of 1/l of the class is in any interval of width 2
//! delta.
//! **Formula.** l * |{y : |x - y| <= 2 delta}| <= |C| for each x; l * |{y : x <= y <= x + 2 delta}|
//! <= |C| for each x.
//! **Parameters.** `attribute`: sensitive, numeric. `delta`: number, at least 0, in the unit of the
//! attribute. `l`: number, at least 1. `reading`: `definition` (default) or `window`.
//! **Level.** `definition` and `window`: |C| divided by the maximum number of such rows, exact; the
//! minimum of each over all classes; larger is safer. The levels satisfy definition <= window < 2
//! definition.
//! **Monotone.** Merging preserves the principle for the reading `window` (test `merging_keeps`).
//! Merging may break it for the reading `definition`; a counterexample is {40, 80} and {60, 100}
//! for delta = 15, l = 2 (reading A-1; test `merging_may_break_proximity`). Suppressing whole
//! classes preserves the principle for the remaining classes.
//! **Generalizable.** `definition`: ruled out iff l > |C| / window; proved possible by the class
//! itself, or by the assignment to buckets if floor(|C| / window) >= l. For integer l, these
//! conditions are complementary (test `delta_l_generalizability_matches_enumeration`). For
//! fractional l there is a gap: {0, 1, 4} and {0, 2, 5} satisfy the principle with delta = 1, l =
//! 1.5 (test `fractional_l_is_excluded_only_by_proof`).
//! **Complexity.** O(values of the class), one sweep for both readings.
//! **Errors.** `Missing`, `OutOfRange`, `NotNumeric`, `TooManyDigits`, `MissingNumbers`.
//! **Does not protect against.** An adversary for whom the victim matches several overlapping
//! classes (reading F-2, only `definition`). Background knowledge that excludes values. Linkage of
//! releases. Inference of finer values from the choice of classes and labels (attack `refinement`).
//! **Source.** Definition 5 and Figure 3 of the (delta, l)-diversity paper. Deviations: Figure 3
//! does not check Definition 5 and accepts every single row, so it is a separate
//! reading; real quotients; touching intervals overlap.

use super::proximity::{
    Assignment, Letter, Limit, Nearness, NearnessBound, Neighborhood, Reach, assignment,
    nearness_of,
};
use super::*;

const PARAMETERS: [ParameterSpec; 3] = parameters! {
    /// sensitive values that differ by at most 2 delta are similar
    "delta" => Number(NumberRange::AtLeast(0)), Required;
    /// at most 1/l of the rows of a class may have similar sensitive values
    "l" => Number(NumberRange::AtLeast(1)), Required;
    /// definition: limits the rows that are similar to any row; window: limits the rows in any
    /// interval of width 2 delta (weaker, but preserved when classes are merged)
    "reading" => Word { one_of: &["definition", "window"] }, Default("definition");
};

/// The parameter `reading`.
const READING: ParameterSpec = PARAMETERS[2];

pub(super) static KIND: Kind = Kind {
    name: "delta-l-diversity",
    definition: "For every row, at most 1/l of the rows of its class have a sensitive value that \
                 differs from the row's value by at most 2 delta.",
    promise: &[
        Phrase {
            when: &[Condition::Word("reading", "definition")],
            text: "For every row, at most 1/{l} of the rows of its class have a sensitive value \
                   that differs from the row's value by at most 2 * {delta}.",
        },
        Phrase {
            when: &[Condition::Word("reading", "window")],
            text: "In every class, each interval of width 2 * {delta} contains the sensitive \
                   values of at most 1/{l} of the rows.",
        },
    ],
    of_people: OfPeople::Nothing(
        "the number of people with each value does not determine how many people have similar \
         values",
    ),
    parameters: &PARAMETERS,
    level: "definition and window, the largest l that all classes reach in each reading",
    companions: &[
        Companion {
            quantity: "definition",
            parameter: "l",
            when: &[Condition::Word("reading", "definition")],
        },
        Companion {
            quantity: "window",
            parameter: "l",
            when: &[Condition::Word("reading", "window")],
        },
    ],
    merging: Merging::MayBreak,
    merging_keeps_when: &[Condition::Word("reading", "window")],
    status: Status::Experimental {
        reason: "The paper permits several readings of the definition, and no other implementation \
                 is available for comparison.",
    },
    does_not_protect_against: "adversaries who cannot tell which of several classes contains the \
        victim (with reading = \"definition\"), adversaries who can rule out some of the values, \
        inference of finer values from the choice of classes and labels, or linkage of several \
        releases",
    source: "Definition 5 and Figure 3 of the (delta, l)-diversity paper",
    readings: &["A-1", "A-2", "A-3", "A-4", "A-5", "A-7"],
    near,
    ..Kind::base(build)
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Definition,
    Window,
}

#[derive(Debug)]
struct DeltaLDiversity {
    attribute: usize,
    reading: Reading,
    l: Rational,
    neighborhood: Neighborhood,
    reach: Reach,
    bounds: [Bound; 2],
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let l = parameters.number("l");
    let width = parameters.number("delta") * Rational::from_integer(2);
    let reading = match parameters.word(&READING) {
        "window" => Reading::Window,
        _ => Reading::Definition,
    };
    // The reading `window` does not limit the quantity `definition`. The reading `definition`
    // implies the requirement of `window`.
    let of_definition = if reading == Reading::Definition { l } else { Rational::from_integer(0) };
    let neighborhood = Neighborhood::Absolute { below: width, above: width };
    Ok(Box::new(DeltaLDiversity {
        attribute: context.attribute(),
        reading,
        l,
        reach: Reach::new(&context.numbers()?, &neighborhood),
        neighborhood,
        bounds: [
            Bound { name: "definition", relation: Relation::AtLeast, threshold: of_definition },
            Bound { name: "window", relation: Relation::AtLeast, threshold: l },
        ],
    }))
}

fn near(parameters: &Parameters) -> Option<NearnessBound> {
    let width = parameters.number("delta") * Rational::from_integer(2);
    let neighborhood = Neighborhood::Absolute { below: width, above: width };
    (parameters.word(&READING) == "definition")
        .then(|| NearnessBound { neighborhood, m: parameters.number("l") })
}

fn level(nearness: &Nearness) -> Level {
    let l = |rows: u64| Quantity::Ratio { numerator: nearness.n_rows, denominator: rows.max(1) };
    Level::Two(l(nearness.largest), l(nearness.maxsize))
}

impl DeltaLDiversity {
    fn assignment(&self, nearness: &Nearness) -> Option<Assignment> {
        if level(nearness).meets(&self.bounds) {
            return Some(Assignment { n_buckets: 1 });
        }
        if self.reading == Reading::Window || nearness.maxsize == 0 {
            return None;
        }
        // The minimum number of rows in a bucket. No two rows in a bucket are similar.
        let rows = Rational::from_integer(i128::from(nearness.n_rows / nearness.maxsize));
        (rows >= self.l).then(|| assignment(nearness))
    }
}

impl Principle for DeltaLDiversity {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        level(&nearness_of(&self.reach, class, self.attribute))
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn near(&self) -> Option<NearnessBound> {
        Some(NearnessBound { neighborhood: self.neighborhood.clone(), m: self.l })
    }

    /// Equation 3 does not apply to the reading `window`, whose intervals need not contain the
    /// value of a row.
    fn proximity(&self) -> Option<Limit<'_>> {
        let limit = Limit { neighborhood: &self.neighborhood, m: self.l, letter: Letter::L };
        (self.reading == Reading::Definition).then_some(limit)
    }

    fn smallest_size(&self) -> u64 {
        rows_at_least(&self.l)
    }

    fn merging(&self) -> Merging {
        match self.reading {
            Reading::Definition => Merging::MayBreak,
            Reading::Window => Merging::Keeps,
        }
    }

    /// In every part, the level `definition` is at most the level `window`, and merging preserves
    /// `window`.
    fn upper_bound(&self, rows: &ClassView<'_>) -> Level {
        let Level::Two(_, window) = self.of_class(rows) else { unreachable!("two quantities") };
        Level::Two(window, window)
    }

    fn shown_reachable(&self, rows: &ClassView<'_>) -> Level {
        let nearness = nearness_of(&self.reach, rows, self.attribute);
        let Level::Two(one_class, window) = level(&nearness) else { return level(&nearness) };
        let assigned = Quantity::Count(nearness.n_rows / nearness.maxsize.max(1));
        let by_assignment = one_class.to_rational() < assigned.to_rational();
        match (self.reading, by_assignment) {
            (Reading::Definition, true) => Level::Two(assigned, assigned),
            _ => Level::Two(one_class, window),
        }
    }

    fn partition(&self, class: &ClassView<'_>) -> Option<Assignment> {
        self.assignment(&nearness_of(&self.reach, class, self.attribute))
    }
}
