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

use indistinct_core::feasibility::{self, SensitiveValues};
use indistinct_core::recoding::claims_of_levels;
use indistinct_core::{Claims, PrincipleClaim};
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
    with_ground(bound, prepared, values, |ground, coarsest| {
        ground.advice(&claims_of_levels(table, policy, coarsest))
    })
}

/// The (epsilon, m) trade-off of each sensitive attribute that the policy asks for sensitive values that are not near
/// each other.
///
/// # Errors
/// As [`advise`].
pub fn trade_offs(bound: &BoundPolicy, prepared: &Prepared) -> Result<Vec<TradeOff>, Error> {
    if prepared.counted.table.n_rows() == 0 {
        return Ok(Vec::new());
    }
    with_ground(bound, prepared, Values::Hidden, |ground, _| {
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
    let values = match method.reads("choice") {
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

/// Calls `f` with what advice is made from, and with the coarsest levels that the policy allows.
fn with_ground<R>(
    bound: &BoundPolicy,
    prepared: &Prepared,
    values: Values,
    f: impl FnOnce(&Ground<'_>, Vec<usize>) -> R,
) -> Result<R, Error> {
    let table = &prepared.counted.table;
    let surroundings = bound.surroundings(table, prepared.population.clone())?;
    let bounds = bound.level_bounds(&prepared.policy)?;
    let coarsest: Vec<usize> = bounds.iter().map(|levels| *levels.end()).collect();
    let limited = table
        .quasi_identifiers()
        .iter()
        .zip(&prepared.policy.hierarchies)
        .zip(&coarsest)
        .filter(|((_, hierarchy), level)| hierarchy.level(**level).labels.len() > 1)
        .map(|((column, _), _)| column.name.clone())
        .collect();
    let ground = Ground {
        table,
        policy: &prepared.policy,
        file: &bound.file,
        surroundings: &surroundings,
        entries: Entries::of(table),
        limited,
        values,
        noise: NoiseReach::of(&bound.file, table, &prepared.policy)?,
    };
    Ok(f(&ground, coarsest))
}

impl Ground<'_> {
    fn advice(&self, coarsest: &Claims) -> Advice {
        let principles: Vec<PrincipleAdvice> = self
            .policy
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
            n_suppressible: self.policy.max_suppressed(self.table),
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
