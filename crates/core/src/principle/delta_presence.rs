//! # delta-presence
//!
//! **Definition.** A table satisfies (min, max)-presence with respect to a population iff, for
//! every person in the population, the probability of being in the table, given the released rows,
//! is at least min and at most max.
//! **Formula.** min <= |C| / |{people with the class's released quasi-identifiers}| <= max; for
//! people without a class, the probability is 0.
//! **Parameters.** `min`, `max`: from 0 to 1, inclusive, min <= max. `population`: a file that
//! contains the people in the table.
//! **Level.** `min` and `max`: the smallest and the largest share over all classes, exact.
//! **Monotone.** Merging preserves the principle, because the share in a union is between the
//! shares in the parts (test `merging_keeps`). Suppression may break the principle, because shares
//! decrease and may fall below min (test `suppression_lowers_presence`).
//! **Complexity.** O(1) for each class; O(population) for a partition.
//! **Errors.** `Missing`, `OutOfRange`, `NoPopulation`, `NoColumn`, `NotContained`.
//! **Does not protect against.** Disclosure of the sensitive value of a person who is known to be
//! in the table. Linkage of releases. An adversary with another population table. Inference of
//! finer values from the choice of classes and labels (attack `refinement`).
//! **Source.** Nergiz, Atzori, Clifton, SIGMOD 2007; named in the (epsilon, m) paper. Deviations:
//! suppressed rows that are shown as `*` form a separate class without people, so the principle
//! rejects them.

use std::sync::Arc;

use super::*;

pub(super) static KIND: Kind = Kind {
    name: "delta-presence",
    definition: "For every person in a population, the probability of being in the table, given \
                 the released rows, is between min and max.",
    promise: &always(
        "For every person in the population, the probability of being in the table, given the \
         released rows, is between {min:%} and {max:%}.",
    ),
    of_people: OfPeople::Nothing(
        "the principle compares rows with people in the population, but a person may have several \
         rows",
    ),
    subject: Subject::Population,
    parameters: &parameters! {
        /// minimum probability that a person in the population is in the table
        "min" => Number(NumberRange::Within(0, 1)), Required;
        /// maximum probability that a person in the population is in the table
        "max" => Number(NumberRange::Within(0, 1)), Required;
        /// table of all people who may be in the table, with the same quasi-identifiers
        "population" => File, Required;
    },
    check_together,
    level: "min and max, the smallest and the largest ratio of the rows of a class to the matching \
            people in the population",
    safer_below: &["max"],
    merging: Merging::Keeps,
    does_not_protect_against: "disclosure of the sensitive value of a person who is known to be in \
        the table, inference of finer values from the choice of classes and labels, or linkage of \
        several releases",
    source: "Nergiz, Atzori, Clifton, SIGMOD 2007",
    ..Kind::base(build)
};

fn check_together(parameters: &Parameters) -> Vec<ParameterError> {
    let (min, max) = (parameters.number("min"), parameters.number("max"));
    if min <= max {
        return Vec::new();
    }
    let got = to_f64(&min).to_string();
    let want = "a number of at most max".to_owned();
    vec![ParameterError::OutOfRange { name: "min", got, want }]
}

#[derive(Debug)]
struct DeltaPresence {
    population: Arc<Population>,
    bounds: [Bound; 2],
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let population = context.population.clone().ok_or(DataError::NoPopulation)?;
    let bound = |name, relation| Bound { name, relation, threshold: parameters.number(name) };
    let bounds = [bound("min", Relation::AtLeast), bound("max", Relation::AtMost)];
    Ok(Box::new(DeltaPresence { population, bounds }))
}

/// Returns the level of a class with `rows` rows, given the number of people with its released
/// quasi-identifiers.
fn presence(rows: u64, people: Option<u64>) -> Level {
    let share = match people {
        Some(people) if people > 0 => Quantity::Ratio { numerator: rows, denominator: people },
        _ => Quantity::Unreachable,
    };
    Level::Two(share, share)
}

impl Principle for DeltaPresence {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        presence(class.size, class.population)
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn depends_on(&self) -> DependsOn {
        DependsOn::Population
    }

    fn population(&self) -> Option<&Population> {
        Some(&self.population)
    }
}
