//! `method = "planned"`: releases that follow a plan created before their data were
//! collected.
//!
//! The classes and the released values depend only on the plan and the policy, not on the table.
//! The table determines only whether there are enough rows and whether a designated value is
//! missing.

pub mod agency;
mod not_by_plan;
mod problem;
mod recoding;

use std::path::Path;

use crate::MethodWords;
use indistinct_core::model::CountedColumn;
use indistinct_core::principle::distinct_l_diversity;
use indistinct_core::{
    Dictionary, FrequencyTable, Observer, Optimality, Others, Partition, PrincipleClaim, Recoding,
    Release, Silent, claims_of,
};
use indistinct_diagnostics::warning::Warning;
use indistinct_engine::{Input, tuples_in_order};
use indistinct_release::facts::Fact;
use indistinct_release::forms::{
    ByPlan, Hits, facts_of_plan, other_columns, place_of_sensitive_values, requires_l,
};
use indistinct_release::plan::PlanFile;
use rustc_hash::FxHashMap;

pub use not_by_plan::NotByPlan;
pub use problem::PlanProblem;

use crate::answer::{OfMethod, Shortfall};
use crate::bound::BoundPolicy;
use crate::error::Error;
use crate::policy::{self, PolicyFile, PrincipleSpec};
use crate::task::{Solution, Task};
use crate::{Answer, Method, Proposal};

/// Adds the guarantee of a plan to the principles of the policy, unless the policy already requires
/// at least that guarantee.
///
/// # Errors
/// [`PlanProblem::Columns`] if the plan is for other columns.
fn take_up(policy: &mut PolicyFile, plan: &PlanFile) -> Result<(), PlanProblem> {
    let difference = other_columns(policy, plan);
    if !difference.is_empty() {
        return Err(PlanProblem::Columns { difference });
    }
    if !requires_l(policy, plan) {
        let (kind, parameters) = distinct_l_diversity(plan.l());
        policy.principles.push(PrincipleSpec {
            kind,
            attribute: Some(plan.sensitive.clone()),
            parameters,
            others: Others::Ignored,
        });
    }
    Ok(())
}

/// Maps the combinations of a table to the classes of a plan. The columns of the table must use the
/// dictionaries of the plan.
struct Places {
    /// For each quasi-identifier of the table, its index in the plan.
    columns: Vec<usize>,
    /// The class of each combination of table codes.
    class_of: FxHashMap<Vec<u32>, u32>,
}

impl Places {
    fn new<'a>(plan: &PlanFile, names: impl Iterator<Item = &'a str>) -> Self {
        let find = |name: &str| plan.columns.iter().position(|column| column.name == name);
        let columns: Vec<usize> =
            names.map(|name| find(name).expect("the columns match the plan")).collect();
        let mut class_of = FxHashMap::default();
        class_of.reserve(plan.n_combinations());
        for (class, planned) in (0..).zip(&plan.plan.classes) {
            for at in planned.combinations.clone() {
                let key = columns.iter().map(|&column| plan.columns[column].codes[at]).collect();
                class_of.insert(key, class);
            }
        }
        Self { columns, class_of }
    }
}

fn key(table: &FrequencyTable, tuple: usize) -> Vec<u32> {
    table.quasi_identifiers().iter().map(|column| column.codes[tuple]).collect()
}

/// Returns the class of each tuple of a table with the values of the plan.
fn classes(plan: &PlanFile, table: &FrequencyTable) -> Vec<u32> {
    let names = table.quasi_identifiers().iter().map(|column| column.name.as_str());
    let places = Places::new(plan, names);
    let mut class_of = vec![0; table.n_tuples()];
    for tuples in table.groups().iter() {
        let class = places.class_of.get(&key(table, tuples.start));
        class_of[tuples].fill(*class.expect("every combination of the table is in the plan"));
    }
    class_of
}

/// Returns the summary of a planned release, for a table with the values of the plan.
fn by_plan(plan: &PlanFile, table: &FrequencyTable) -> ByPlan {
    let column = table.sensitive().iter().find(|column| column.name == plan.sensitive);
    let column = column.expect("the columns match the plan");
    let place = place_of_sensitive_values(plan, &column.dictionary);
    let mut hits = Hits::new(plan);
    let tuples = classes(plan, table).into_iter().zip(&column.codes).zip(table.counts());
    for ((class, &code), &n_rows) in tuples {
        let value = place[code as usize];
        let value = value.expect("every sensitive value in the table is in the plan");
        hits.add(class as usize, value, n_rows);
    }
    hits.by_plan()
}

/// Replaces the values of the quasi-identifiers with the values of the plan, so all derived data
/// follows from the plan.
///
/// # Errors
/// [`PlanProblem`] if rows of the table do not occur in the plan.
fn apply(plan: &PlanFile, table: &FrequencyTable, input: &Input) -> Result<FrequencyTable, Error> {
    let names = table.quasi_identifiers().iter().map(|column| column.name.as_str());
    let places = Places::new(plan, names);
    let mut columns = Vec::new();
    for (column, &at) in table.quasi_identifiers().iter().zip(&places.columns) {
        let (dictionary, _) = Dictionary::from_distinct(plan.columns[at].values.clone());
        let code = |value: &String| dictionary.code_of(value).unwrap_or(u32::MAX);
        let of: Vec<u32> = column.dictionary.values().iter().map(code).collect();
        let codes = column.codes.iter().map(|&code| of[code as usize]).collect();
        columns.push(CountedColumn { name: column.name.clone(), dictionary, codes });
    }
    let mut is_unknown = vec![false; table.n_tuples()];
    for tuples in table.groups().iter() {
        let key: Vec<u32> = columns.iter().map(|column| column.codes[tuples.start]).collect();
        if !places.class_of.contains_key(&key) {
            is_unknown[tuples].fill(true);
        }
    }
    if let Some((n_rows, first_row)) = unknown_rows(&is_unknown, table, input)? {
        return Err(PlanProblem::UnknownCombinations { n_rows, first_row }.into());
    }
    let sensitive_value = table.sensitive().iter().find(|column| column.name == plan.sensitive);
    let sensitive_value = sensitive_value.expect("the columns match the plan");
    let values = sensitive_value.dictionary.values().iter();
    let is_sensitive: Vec<bool> =
        values.map(|value| plan.sensitive_values.contains(value)).collect();
    let is_unknown: Vec<bool> =
        sensitive_value.codes.iter().map(|&code| !is_sensitive[code as usize]).collect();
    if let Some((n_rows, first_row)) = unknown_rows(&is_unknown, table, input)? {
        return Err(PlanProblem::UnknownSensitiveValues { n_rows, first_row }.into());
    }
    let applied = FrequencyTable::new(columns, table.sensitive().to_vec(), table.counts().to_vec());
    Ok(applied.expect("a table with renamed codes is valid"))
}

/// Returns the number of rows with marked tuples, and the input row number of the first; `None` if
/// no tuple is marked.
fn unknown_rows(
    is_unknown: &[bool],
    table: &FrequencyTable,
    input: &Input,
) -> Result<Option<(u64, u64)>, Error> {
    let marked = is_unknown.iter().zip(table.counts()).filter(|(is, _)| **is);
    let n_rows: u64 = marked.map(|(_, count)| count).sum();
    if n_rows == 0 {
        return Ok(None);
    }
    let columns: Vec<&CountedColumn> = table.columns().collect();
    let rows = tuples_in_order(input, &columns, table.n_tuples(), &Silent)?;
    let first = rows.iter().position(|&tuple| is_unknown[tuple as usize]).unwrap_or(0);
    Ok(Some((n_rows, first as u64 + 1)))
}

/// The classes of a plan.
#[derive(Debug)]
pub(crate) struct PlannedMethod;

impl Method for PlannedMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::PLANNED
    }

    fn words(&self) -> MethodWords {
        MethodWords {
            done: Some(
                "The values of {attributes} were generalized class by class, according to the plan.",
            ),
            chosen: Some(
                "The plan and the policy alone determine the combinations of quasi-identifiers in \
                 each class and the released values of the class. This protects people who are in \
                 several releases, because all releases of the plan have the same classes with the \
                 same designated values. The plan states the small probability that a designated \
                 value is missing. A release without a plan could have had smaller classes.",
            ),
            ..MethodWords::NONE
        }
    }

    fn read_plan(&self, policy: &mut PolicyFile, folder: &Path) -> Result<Option<PlanFile>, Error> {
        let Some(path) = &policy.recoding.plan else { return Ok(None) };
        let plan = PlanFile::read(&folder.join(path))?;
        take_up(policy, &plan)?;
        Ok(Some(plan))
    }

    fn table_warnings(&self, bound: &BoundPolicy, table: &FrequencyTable) -> Vec<Warning> {
        let is_own = |plan: &PlanFile| {
            let own = agency::digest_of(table, &plan.sensitive);
            own.as_deref() == Some(plan.distribution.as_str())
        };
        let plan = bound.plan.as_ref().filter(|plan| is_own(plan));
        plan.map(|_| Warning::PlanOfThisTable).into_iter().collect()
    }

    fn apply(&self, bound: &BoundPolicy, table: FrequencyTable) -> Result<FrequencyTable, Error> {
        match &bound.plan {
            Some(plan) => apply(plan, &table, &bound.input),
            None => Ok(table),
        }
    }

    /// Returns the recoding of the plan, or the reasons why the table cannot be released with the
    /// plan.
    fn propose(&self, task: &Task<'_>, _observer: &dyn Observer) -> Result<Answer, Error> {
        let plan = task.bound.plan.as_ref().expect("a policy for a planned release has a plan");
        let table = task.table();
        let recoding = recoding::by_plan(task, plan)?;
        let partition = Partition::new(table, task.policy(), &recoding)?;
        let claims = claims_of(table, &partition, &task.policy().requirements).claims;
        let failing: Vec<PrincipleClaim> =
            claims.principles.into_iter().filter(|claim| !claim.holds).collect();
        let n_rows_needed = plan.plan.n_rows;
        if table.n_rows() >= n_rows_needed && failing.is_empty() {
            let adds = Some(OfMethod::ByPlan { planned: by_plan(plan, table) });
            return Ok(Answer::found(Proposal {
                adds,
                ..Proposal::new(recoding, Optimality::ByPlan)
            }));
        }
        let (promised, _) = distinct_l_diversity(plan.l());
        let is_promised = |claim: &PrincipleClaim| {
            claim.kind == promised.name && claim.attribute.as_deref() == Some(&plan.sensitive)
        };
        let planned = NotByPlan {
            n_rows_needed,
            n_rows_missing: n_rows_needed.saturating_sub(table.n_rows()),
            l: plan.l(),
            delta: plan.delta(),
            is_failure: failing.iter().any(|claim| is_promised(claim) && reached_less(claim, plan)),
            failing,
        };
        Ok(Answer::because(Shortfall::ByPlan { planned }, true))
    }

    fn facts(&self, solution: &Solution<'_>) -> Vec<Fact> {
        match (&solution.task.bound.plan, &solution.proposal.adds) {
            (Some(plan), Some(OfMethod::ByPlan { planned })) => facts_of_plan(plan, planned).into(),
            _ => Vec::new(),
        }
    }

    fn class_numbers(&self, release: &Release<'_>, recoding: &Recoding) -> Option<Vec<u32>> {
        recoding::class_numbers(release, recoding)
    }
}

/// Returns whether a class has fewer sensitive values than the plan guarantees, regardless of
/// further requirements of the policy.
fn reached_less(claim: &PrincipleClaim, plan: &PlanFile) -> bool {
    // The claim has exactly one quantity.
    let reached = claim.reached.as_ref().and_then(|reached| reached.values().next()?.as_ref());
    match reached {
        Some(indistinct_core::Figure::Count(l)) => *l < plan.l(),
        _ => true,
    }
}
