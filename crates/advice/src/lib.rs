//! Computes, without a search, the levels that a table can reach. The result is the answer of
//! `indistinct advise` ([`indistinct_answers::advice`]); `anonymize` uses it to explain infeasible
//! policies.
//!
//! All advice assumes that no row is suppressed. For principles that are preserved when classes are
//! merged, no recoding is better than the coarsest classes that the policy allows. For principles
//! on nearby numbers, the theorems of the (epsilon, m) paper bound the feasible parameters. The
//! bound is proved to be reachable only if a class column is published (reading F-1).
//!
//! The key design decision is that **this crate performs no search.** All proven statements follow
//! from `indistinct_core::feasibility`, which the searches do not use.

#![deny(missing_docs)]

mod attribute;
mod coarsest;
mod context;
mod curves;
mod numbers;
mod principles;
mod widest;

use std::sync::Arc;

use indistinct_answers::advice::{
    Advice, AdviceProof, AttributeAdvice, BeyondReach, Feasibility, LimitedBy, PrincipleAdvice,
    TradeOff,
};
use indistinct_core::feasibility::{self, SensitiveValues};
use indistinct_core::model::Population;
use indistinct_core::recoding::max_suppressed;
use indistinct_core::{Claims, FrequencyTable, PrincipleClaim, Requirement};
use indistinct_diagnostics::Values;
use indistinct_methods::policy::{Form, InLedger, PolicyFile};
use indistinct_methods::{BoundPolicy, Error, PreparedTable, Task, table_warnings};

pub use coarsest::{Coarsest, advise_at_coarsest};
use context::{AdviceContext, Entries, NoiseReach};
use widest::Widest;
pub use widest::claims_of_widest;

/// Returns the best level that any recoding of a table could reach, for each principle of its
/// policy and for each sensitive attribute.
///
/// # Errors
/// [`Error`] if the policy does not match the table.
pub fn advise(
    bound: &BoundPolicy,
    prepared: &PreparedTable,
    values: Values,
) -> Result<Advice, Error> {
    let (table, policy) = (&prepared.counted.table, &prepared.policy);
    let widest = Widest::new(bound, table, policy)?;
    let claims = widest.claims(table, policy);
    with_context(
        bound,
        (table, policy.requirements.as_slice()),
        (prepared.population.clone(), widest.limited),
        values,
        |context| context.advice(&claims),
    )
}

/// Returns the (epsilon, m) trade-off of each sensitive attribute for which the policy requires a
/// distance between sensitive values.
///
/// # Errors
/// The same errors as [`advise`].
pub fn trade_offs(bound: &BoundPolicy, prepared: &PreparedTable) -> Result<Vec<TradeOff>, Error> {
    let (table, policy) = (&prepared.counted.table, &prepared.policy);
    if table.n_rows() == 0 {
        return Ok(Vec::new());
    }
    let limited = Widest::new(bound, table, policy)?.limited;
    let principle_context = (prepared.population.clone(), limited);
    let of_table = (table, policy.requirements.as_slice());
    with_context(bound, of_table, principle_context, Values::Hidden, |context| {
        let columns = context.table.sensitive().iter().enumerate();
        columns
            .filter(|(at, _)| context.requires_distance(*at))
            .filter_map(|(at, column)| {
                Some(TradeOff { attribute: column.name.clone(), numbers: context.numbers(at)? })
            })
            .collect()
    })
}

/// Returns the requirements that no recoding of the table can satisfy. The result is empty for
/// methods that change sensitive values or add rows.
pub fn beyond_reach(task: &Task<'_>) -> Vec<BeyondReach> {
    let method = task.recoding().method;
    if method.form == Form::Perturbed || method.ledger == InLedger::Series {
        return Vec::new();
    }
    let values = match method.generalizes_sensitive_values() {
        true => SensitiveValues::Generalized,
        false => SensitiveValues::AsTheyAre,
    };
    // A requirement that is infeasible for row counts is also infeasible for counts of people.
    let requirements = task.policy().requirements.iter().filter(|it| it.people.is_none());
    requirements
        .filter_map(|requirement| {
            let beyond = feasibility::beyond_reach(task.table(), requirement, values)?;
            Some(BeyondReach::new(requirement, &beyond))
        })
        .collect()
}

/// Calls `f` with the context that is required to compute advice.
fn with_context<R>(
    bound: &BoundPolicy,
    (table, requirements): (&FrequencyTable, &[Requirement]),
    (population, limited): (Option<Arc<Population>>, Vec<String>),
    values: Values,
    f: impl FnOnce(&AdviceContext<'_>) -> R,
) -> Result<R, Error> {
    let principle_context = bound.principle_context(table, population)?;
    let context = AdviceContext {
        table,
        requirements,
        file: &bound.file,
        principle_context: &principle_context,
        entries: Entries::from_table(table),
        limited,
        values,
        curves: None,
        noise: NoiseReach::new(&bound.file, table, requirements)?,
    };
    Ok(f(&context))
}

/// The advice on one principle, and whether the coarsest classes satisfy this principle.
#[derive(Debug, Clone)]
struct Judgment {
    advice: PrincipleAdvice,
    is_met_by_coarsest: bool,
    /// The smallest class size that the principle permits.
    smallest_size: u64,
}

impl AdviceContext<'_> {
    /// Returns the judgment of each requirement.
    fn judgments(&self, coarsest: &Claims) -> Vec<Judgment> {
        let of = |at: usize, requirement: &Requirement, claim: &PrincipleClaim| {
            let advice = self.principle(at, requirement, claim);
            let is_met_by_coarsest = match self.noise {
                Some(_) => advice.required_is == Some(AdviceProof::Noise),
                None => {
                    let is_generated = claim.holds && self.makes_coarsest();
                    is_generated || advice.required_is == Some(AdviceProof::GeneralizedValues)
                }
            };
            let smallest_size = requirement.principle.smallest_size();
            Judgment { advice, is_met_by_coarsest, smallest_size }
        };
        // A requirement that is infeasible for row counts is also infeasible for counts of people.
        let pairs = self.requirements.iter().zip(&coarsest.principles);
        let of_rows = pairs.filter(|(requirement, _)| requirement.people.is_none()).enumerate();
        of_rows.map(|(at, (requirement, claim))| of(at, requirement, claim)).collect()
    }

    fn advice(&self, coarsest: &Claims) -> Advice {
        let n_attributes = if self.table.n_rows() == 0 { 0 } else { self.table.sensitive().len() };
        let frame = Frame {
            file: self.file,
            n_rows: self.table.n_rows(),
            largest_k: coarsest.smallest_class,
            limited: &self.limited,
            retention: self.noise.as_ref().and_then(|noise| noise.retention),
        };
        let attributes = (0..n_attributes).map(|at| self.attribute(at)).collect();
        frame.advice(self.judgments(coarsest), attributes)
    }
}

/// The parts of the advice other than its principles and attributes.
struct Frame<'a> {
    file: &'a PolicyFile,
    n_rows: u64,
    largest_k: Option<u64>,
    limited: &'a [String],
    retention: Option<f64>,
}

impl Frame<'_> {
    fn advice(self, judgments: Vec<Judgment>, attributes: Vec<AttributeAdvice>) -> Advice {
        let recoding = &self.file.recoding;
        let verdict = if judgments.iter().any(|judgment| !judgment.advice.within_reach) {
            Feasibility::BeyondReach
        } else if self.file.people.is_none()
            && judgments.iter().all(|judgment| judgment.is_met_by_coarsest)
        {
            Feasibility::Proved
        } else {
            Feasibility::NotProved
        };
        let limited_by = match recoding.method.follows_max_level() {
            true => LimitedBy::MaxLevel,
            false => LimitedBy::Method,
        };
        let smallest_sizes = judgments.iter().map(|judgment| judgment.smallest_size);
        let warning = table_warnings::revealing_labels(self.file, smallest_sizes);
        Advice {
            title: self.file.title.clone(),
            n_rows: self.n_rows,
            n_suppressible: max_suppressed(&recoding.suppression_limit, self.n_rows),
            largest_k: self.largest_k,
            method: recoding.method.name.to_owned(),
            class_column: self.file.output.class_column.clone(),
            limited: self.limited.to_vec(),
            limited_by: (!self.limited.is_empty()).then_some(limited_by),
            is_first_version: recoding.method.ledger == InLedger::Series,
            counts_rows_only: self.file.people.is_some(),
            retention: self.retention,
            verdict,
            warnings: warning.into_iter().collect(),
            principles: judgments.into_iter().map(|judgment| judgment.advice).collect(),
            attributes,
        }
    }
}
