//! Advice on the coarsest classes of a table, for callers that request advice repeatedly. The
//! advice about a sensitive attribute and its principles is cached until a principle changes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use indistinct_answers::advice::{Advice, AttributeAdvice};
use indistinct_core::feasibility::at_levels;
use indistinct_core::{FrequencyTable, Others, check_rows};
use indistinct_diagnostics::Values;
use indistinct_methods::policy::{Form, PrincipleSpec};
use indistinct_methods::{BoundPolicy, Error, PreparedTable};

use crate::context::{AdviceContext, Entries};
use crate::curves::Curves;
use crate::widest::Widest;
use crate::{Frame, Judgment, with_context};

/// The part of a table on which advice depends: its rows at the coarsest levels that a policy
/// allows. These rows are few, or have few quasi-identifiers, and do not depend on the parameters
/// of the principles.
#[derive(Debug)]
pub struct Coarsest {
    table: FrequencyTable,
    limited: Vec<String>,
    largest_k: Option<u64>,
    /// The cache for each sensitive attribute, by name; `None` is the key for principles without a
    /// sensitive attribute.
    about: BTreeMap<Option<String>, About>,
}

/// The cache for one sensitive attribute, or for the principles without a sensitive attribute.
#[derive(Debug, Default)]
struct About {
    /// The frequency table without the other sensitive attributes.
    table: OnceLock<FrequencyTable>,
    curves: OnceLock<Curves>,
    /// The cached judgments. Each key contains all inputs of its judgment.
    judged: Mutex<BTreeMap<String, Arc<AttributeJudgments>>>,
}

/// The judgments of the principles about an attribute, in policy order, and the advice about the
/// attribute.
#[derive(Debug)]
struct AttributeJudgments {
    judgments: Vec<Judgment>,
    attribute: Option<AttributeAdvice>,
}

impl Coarsest {
    /// Counts the rows of a table at the coarsest levels.
    ///
    /// # Errors
    /// [`Error::Level`] if the policy names a level that a hierarchy does not have.
    pub fn new(bound: &BoundPolicy, prepared: &PreparedTable) -> Result<Self, Error> {
        let (table, policy) = (&prepared.counted.table, &prepared.policy);
        let Widest { hierarchies, levels, limited } = Widest::new(bound, table, policy)?;
        let table = at_levels(table, &hierarchies, &levels);
        let names = table.sensitive().iter().map(|column| Some(column.name.clone()));
        let about = names.chain([None]).map(|name| (name, About::default())).collect();
        let largest_k = check_rows(&table, &[]).claims.smallest_class;
        Ok(Self { table, limited, largest_k, about })
    }

    /// Returns a key of all parts of the policy on which a [`Coarsest`] depends, apart from the
    /// table and its attributes.
    pub fn key(bound: &BoundPolicy) -> String {
        let recoding = &bound.file.recoding;
        format!("{} {:?}", recoding.method.name, recoding.aggregate)
    }

    /// Returns the approximate size in bytes, including cached results.
    pub fn n_bytes(&self) -> usize {
        2 * self.table.n_bytes()
    }

    /// Returns the advice about a sensitive attribute and the judgments of its principles, or the
    /// judgments of the principles without an attribute.
    fn judged(
        &self,
        bound: &BoundPolicy,
        name: Option<&str>,
        about: &About,
        values: Values,
    ) -> Result<Arc<AttributeJudgments>, Error> {
        let specs: Vec<&PrincipleSpec> =
            bound.file.principles.iter().filter(|it| it.attribute.as_deref() == name).collect();
        let key = format!("{values:?} {:?} {specs:?}", bound.file.output.class_column);
        let known = about.judged.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let needs_all = specs.iter().any(|spec| spec.others == Others::QuasiIdentifier);
        let table = match needs_all {
            true => &self.table,
            false => about.table.get_or_init(|| self.table.with_one_sensitive(name)),
        };
        let principle_context = bound.principle_context(table, None)?;
        let requirements =
            principle_context.requirements(&bound.file, specs.iter().copied(), table)?;
        let context = AdviceContext {
            table,
            requirements: &requirements,
            file: &bound.file,
            principle_context: &principle_context,
            entries: Entries::from_table(table),
            limited: self.limited.clone(),
            values,
            noise: None,
            curves: Some(&about.curves),
        };
        let at = name.and_then(|name| table.sensitive_index(name));
        let judged = Arc::new(AttributeJudgments {
            judgments: context.judgments(&check_rows(table, &requirements).claims),
            attribute: at.filter(|_| table.n_rows() > 0).map(|at| context.attribute(at)),
        });
        about
            .judged
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(key, Arc::clone(&judged));
        Ok(judged)
    }
}

/// Computes the same answer as [`advise`](crate::advise) from the coarsest classes. The policy must
/// not use a population.
///
/// # Errors
/// The same errors as [`advise`](crate::advise).
pub fn advise_at_coarsest(
    bound: &BoundPolicy,
    coarsest: &Coarsest,
    values: Values,
) -> Result<Advice, Error> {
    // The effect of noise depends on all attributes together. If several principles are invalid,
    // all of them must be reported.
    let is_noisy = bound.file.recoding.method.form == Form::Perturbed;
    let by_parts = (!is_noisy).then(|| by_parts(bound, coarsest, values)).flatten();
    if let Some(advice) = by_parts {
        return Ok(advice);
    }
    let table = &coarsest.table;
    let requirements = bound.requirements(table, None)?;
    let principle_context = (None, coarsest.limited.clone());
    with_context(bound, (table, requirements.as_slice()), principle_context, values, |context| {
        context.advice(&check_rows(table, &requirements).claims)
    })
}

/// Combines the cached advice for all attributes. Returns `None` if a principle is invalid.
fn by_parts(bound: &BoundPolicy, coarsest: &Coarsest, values: Values) -> Option<Advice> {
    let mut judged = BTreeMap::new();
    for (name, about) in &coarsest.about {
        let name = name.as_deref();
        judged.insert(name, (coarsest.judged(bound, name, about, values).ok()?, 0));
    }
    let attributes = coarsest.table.sensitive().iter();
    let attributes =
        attributes.filter_map(|column| judged[&Some(column.name.as_str())].0.attribute.clone());
    let attributes = attributes.collect();
    let mut judgments = Vec::with_capacity(bound.file.principles.len());
    for spec in &bound.file.principles {
        let of = judged.get_mut(&spec.attribute.as_deref())?;
        judgments.push(of.0.judgments[of.1].clone());
        of.1 += 1;
    }
    let frame = Frame {
        file: &bound.file,
        n_rows: coarsest.table.n_rows(),
        largest_k: coarsest.largest_k,
        limited: &coarsest.limited,
        retention: None,
    };
    Some(frame.advice(judgments, attributes))
}
