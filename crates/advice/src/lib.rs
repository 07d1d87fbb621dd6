//! What a table can reach at all, before any search: the answer of `indistinct advise`, which is data of
//! [`indistinct_report::advice`], and what `anonymize` says where a policy cannot be met.
//!
//! Everything is about recodings that suppress no row. For principles that merging keeps nothing is better than the
//! coarsest classes that the policy allows; for those on near numbers the theorems of the (epsilon, m) text say what is
//! feasible, which is proved only where a class column is published (reading F-1).
//!
//! The key decision: **nothing is searched here.** What is said to be proved follows from `indistinct_core::feasibility`, which the
//! searches do not share.

#![deny(missing_docs)]

mod attribute;
mod ground;
mod numbers;
mod principles;

use std::sync::Arc;

use indistinct_core::feasibility::{self, SensitiveValues};
use indistinct_core::model::Population;
use indistinct_core::recoding::{claims_of_levels, max_suppressed};
use indistinct_core::{Claims, FrequencyTable, Policy, PrincipleClaim, Requirement, check_rows};
use indistinct_language::Values;
use indistinct_methods::policy::{Form, InLedger};
use indistinct_methods::{BoundPolicy, Error, Prepared, Task};
use indistinct_report::TradeOff;
use indistinct_report::advice::{Advice, BeyondReach, PrincipleAdvice, Proof, Verdict};

use ground::{Entries, Ground, NoiseReach};

/// Tells what any recoding of a table could reach: for each principle of its policy, and for each sensitive attribute beyond that.
///
/// # Errors
/// [`Error`] if the policy does not fit the table.
pub fn advise(bound: &BoundPolicy, prepared: &Prepared, values: Values) -> Result<Advice, Error> {
    let (table, policy) = (&prepared.counted.table, &prepared.policy);
    let coarsest = coarsest(bound, policy)?;
    let limited = limited(table, policy, &coarsest);
    let population = prepared.population.clone();
    with_ground(
        bound,
        (table, policy.requirements.as_slice()),
        (population, limited),
        values,
        |ground| ground.advice(&claims_of_levels(table, policy, coarsest)),
    )
}

/// What advice takes from a table: its rows at the coarsest levels that a policy allows. They are few, and the same whatever the
/// principles ask.
#[derive(Debug)]
pub struct Coarsest {
    table: FrequencyTable,
    limited: Vec<String>,
}

impl Coarsest {
    /// The rows of a table at the coarsest levels.
    ///
    /// # Errors
    /// [`Error::Level`] if the policy names a level that a hierarchy does not have.
    pub fn of(bound: &BoundPolicy, prepared: &Prepared) -> Result<Self, Error> {
        let (table, policy) = (&prepared.counted.table, &prepared.policy);
        let coarsest = coarsest(bound, policy)?;
        let limited = limited(table, policy, &coarsest);
        Ok(Self { table: feasibility::at_levels(table, &policy.hierarchies, &coarsest), limited })
    }

    /// About how many bytes it takes.
    pub fn n_bytes(&self) -> usize {
        let of_values: usize = self.table.columns().map(|it| 48 * it.dictionary.len()).sum();
        of_values + self.table.n_tuples() * (8 + 4 * self.table.columns().count())
    }
}

/// As [`advise`], of a table of which no more is at hand; not where the policy names a population.
///
/// # Errors
/// As [`advise`].
pub fn advise_at_coarsest(
    bound: &BoundPolicy,
    coarsest: &Coarsest,
    values: Values,
) -> Result<Advice, Error> {
    let table = &coarsest.table;
    let requirements = bound.requirements(table, None)?;
    let surroundings = (None, coarsest.limited.clone());
    with_ground(bound, (table, requirements.as_slice()), surroundings, values, |ground| {
        ground.advice(&check_rows(table, &requirements).claims)
    })
}

/// The (epsilon, m) trade-off of each sensitive attribute that the policy asks for sensitive values that are not near
/// each other.
///
/// # Errors
/// As [`advise`].
pub fn trade_offs(bound: &BoundPolicy, prepared: &Prepared) -> Result<Vec<TradeOff>, Error> {
    let (table, policy) = (&prepared.counted.table, &prepared.policy);
    if table.n_rows() == 0 {
        return Ok(Vec::new());
    }
    let limited = limited(table, policy, &coarsest(bound, policy)?);
    let surroundings = (prepared.population.clone(), limited);
    let of_table = (table, policy.requirements.as_slice());
    with_ground(bound, of_table, surroundings, Values::Hidden, |ground| {
        let columns = ground.table.sensitive().iter().enumerate();
        columns
            .filter(|(at, _)| ground.asks_for_distance(*at))
            .filter_map(|(at, column)| {
                Some(TradeOff { attribute: column.name.clone(), numbers: ground.numbers(at)? })
            })
            .collect()
    })
}

/// What no recoding of the table reaches. Nothing is said of methods that change sensitive values or add rows.
pub fn beyond_reach(task: &Task<'_>) -> Vec<BeyondReach> {
    let method = task.recoding().method;
    if method.form == Form::Noisy || method.ledger == InLedger::Series {
        return Vec::new();
    }
    let values = match method.generalizes_sensitive_values() {
        true => SensitiveValues::Generalized,
        false => SensitiveValues::AsTheyAre,
    };
    // What rows do not reach, people do not reach either.
    let requirements = task.policy().requirements.iter().filter(|it| it.people.is_none());
    requirements
        .filter_map(|requirement| {
            let beyond = feasibility::beyond_reach(task.table(), requirement, values)?;
            Some(BeyondReach::of(requirement, &beyond))
        })
        .collect()
}

/// The coarsest levels that the policy allows.
fn coarsest(bound: &BoundPolicy, policy: &Policy) -> Result<Vec<usize>, Error> {
    Ok(bound.level_bounds(policy)?.iter().map(|levels| *levels.end()).collect())
}

/// The quasi-identifiers that the policy keeps from becoming one value.
fn limited(table: &FrequencyTable, policy: &Policy, coarsest: &[usize]) -> Vec<String> {
    let columns = table.quasi_identifiers().iter().zip(&policy.hierarchies).zip(coarsest);
    columns
        .filter(|((_, hierarchy), level)| hierarchy.level(**level).labels.len() > 1)
        .map(|((column, _), _)| column.name.clone())
        .collect()
}

/// Calls `f` with what advice is made from.
fn with_ground<R>(
    bound: &BoundPolicy,
    (table, requirements): (&FrequencyTable, &[Requirement]),
    (population, limited): (Option<Arc<Population>>, Vec<String>),
    values: Values,
    f: impl FnOnce(&Ground<'_>) -> R,
) -> Result<R, Error> {
    let surroundings = bound.surroundings(table, population)?;
    let ground = Ground {
        table,
        requirements,
        file: &bound.file,
        surroundings: &surroundings,
        entries: Entries::of(table),
        limited,
        values,
        noise: NoiseReach::of(&bound.file, table, requirements)?,
    };
    Ok(f(&ground))
}

impl Ground<'_> {
    fn advice(&self, coarsest: &Claims) -> Advice {
        let principles: Vec<PrincipleAdvice> = self
            .requirements
            .iter()
            .zip(&coarsest.principles)
            .enumerate()
            .map(|(at, (requirement, claim))| self.principle(at, requirement, claim))
            .collect();
        let is_met = |(principle, claim): (&PrincipleAdvice, &PrincipleClaim)| match self.noise {
            Some(_) => principle.required_is == Some(Proof::Noise),
            None => claim.holds || principle.required_is == Some(Proof::GeneralizedValues),
        };
        let verdict = if principles.iter().any(|principle| !principle.within_reach) {
            Verdict::BeyondReach
        } else if principles.iter().zip(&coarsest.principles).all(is_met) {
            Verdict::Proved
        } else {
            Verdict::NotProved
        };
        let n_attributes = if self.table.n_rows() == 0 { 0 } else { self.table.sensitive().len() };
        Advice {
            title: self.file.title.clone(),
            n_rows: self.table.n_rows(),
            n_suppressible: max_suppressed(
                &self.file.recoding.suppression_limit,
                self.table.n_rows(),
            ),
            largest_k: coarsest.smallest_class,
            method: self.file.recoding.method.name.to_owned(),
            class_column: self.file.output.class_column.clone(),
            limited: self.limited.clone(),
            retention: self.noise.as_ref().and_then(|noise| noise.retention),
            verdict,
            principles,
            attributes: (0..n_attributes).map(|at| self.attribute(at)).collect(),
        }
    }
}
