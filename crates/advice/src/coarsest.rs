//! Advice on a table of which only the coarsest classes are at hand, for whoever asks again and again: what was said of a sensitive
//! attribute and of the principles about it is kept, until one of these principles is another one.

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

/// What advice takes from a table: its rows at the coarsest levels that a policy allows. They are few, or have at least no
/// quasi-identifiers worth speaking of, and are the same whatever the principles ask.
#[derive(Debug)]
pub struct Coarsest {
    table: FrequencyTable,
    limited: Vec<String>,
    largest_k: Option<u64>,
    /// By the name of a sensitive attribute; the rows without any under none.
    about: BTreeMap<Option<String>, About>,
}

/// What is known about a sensitive attribute, or about the classes by themselves.
#[derive(Debug, Default)]
struct About {
    /// The rows with no other sensitive attribute.
    table: OnceLock<FrequencyTable>,
    curves: OnceLock<Curves>,
    /// What was said, by all that it depends on.
    judged: Mutex<BTreeMap<String, Arc<AttributeJudgments>>>,
}

/// What is said of the principles about an attribute, in their order, and of the attribute.
#[derive(Debug)]
struct AttributeJudgments {
    judgments: Vec<Judgment>,
    attribute: Option<AttributeAdvice>,
}

impl Coarsest {
    /// The rows of a table at the coarsest levels.
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

    /// Changes with what of a policy it depends on besides the table and its attributes.
    pub fn key(bound: &BoundPolicy) -> String {
        let recoding = &bound.file.recoding;
        format!("{} {:?}", recoding.method.name, recoding.aggregate)
    }

    /// About how many bytes it takes, what may be made of it included.
    pub fn n_bytes(&self) -> usize {
        2 * self.table.n_bytes()
    }

    /// What is said of the principles about a sensitive attribute, and of it; or of those about none.
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

/// As [`advise`](crate::advise), of a table of which no more is at hand; not where the policy names a population.
///
/// # Errors
/// As [`advise`](crate::advise).
pub fn advise_at_coarsest(
    bound: &BoundPolicy,
    coarsest: &Coarsest,
    values: Values,
) -> Result<Advice, Error> {
    // Noise is about all attributes at once; and of several principles that cannot be used each is to be told.
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

/// Advice from what is said of each attribute; `None` where a principle cannot be used.
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
