//! Builds the principles of a policy for a table, with the taxonomies of sensitive attributes and
//! the population, if any.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use indistinct_core::hierarchy::{HierarchyError, HierarchyRule};
use indistinct_core::model::{CountedColumn, Population, Taxonomy};
use indistinct_core::principle::{BuildWarning, Context, Subject};
use indistinct_core::{Dictionary, FrequencyTable, Hierarchy, MISSING, Observer, Requirement};
use indistinct_engine::{CountRequest, Engine, Format, InputSpec};
use indistinct_policy::{PolicyFile, PrincipleSpec};

use crate::rules::NamedRule;
use crate::{PrincipleError, ReleaseError};

/// The data that principles use in addition to the counted table.
#[derive(Debug, Default)]
pub struct PrincipleContext {
    /// The taxonomies of sensitive attributes, by name.
    taxonomies: Vec<(String, Taxonomy)>,
    /// The population, joined with the table.
    population: Option<Arc<Population>>,
}

impl PrincipleContext {
    /// Applies the declared taxonomies to the sensitive values in a table.
    ///
    /// # Errors
    /// Returns an error for each taxonomy that lacks values of the table.
    pub fn new(
        policy: &PolicyFile,
        table: &FrequencyTable,
        rules: &[NamedRule],
        population: Option<Arc<Population>>,
    ) -> Result<Self, Vec<HierarchyError>> {
        let (mut taxonomies, mut problems) = (Vec::new(), Vec::new());
        for (name, rule) in rules {
            let Some(column) = table.sensitive().iter().find(|column| column.name == *name) else {
                continue;
            };
            match taxonomy(policy, rule, column) {
                Ok(taxonomy) => taxonomies.extend(taxonomy.map(|it| (name.clone(), it))),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() { Ok(Self { taxonomies, population }) } else { Err(problems) }
    }

    fn context<'a>(
        &'a self,
        policy: &PolicyFile,
        spec: &PrincipleSpec,
        table: &'a FrequencyTable,
    ) -> Context<'a> {
        self.context_of(policy, spec.attribute.as_deref(), table)
    }

    /// Returns the context for building principles with the given sensitive attribute, if any.
    pub fn context_of<'a>(
        &'a self,
        policy: &PolicyFile,
        name: Option<&str>,
        table: &'a FrequencyTable,
    ) -> Context<'a> {
        let mut context = Context::new(table, name.and_then(|name| table.sensitive_index(name)));
        if let Some(attribute) = name.and_then(|name| policy.attribute(name)) {
            context = context.with_missing(attribute.missing_numbers());
        }
        if let Some((_, taxonomy)) =
            self.taxonomies.iter().find(|(of, _)| Some(of.as_str()) == name)
        {
            context = context.with_taxonomy(taxonomy);
        }
        if let Some(population) = &self.population {
            context = context.with_population(Arc::clone(population));
        }
        context
    }

    /// Builds the principles of a policy for a table.
    ///
    /// # Errors
    /// Returns [`ReleaseError::Principles`] with all errors that prevent applying the principles to
    /// the table.
    pub fn requirements<'a>(
        &self,
        policy: &PolicyFile,
        specs: impl Iterator<Item = &'a PrincipleSpec>,
        table: &FrequencyTable,
    ) -> Result<Vec<Requirement>, ReleaseError> {
        let (mut requirements, mut problems) = (Vec::new(), Vec::new());
        for spec in specs {
            match spec.requirement(&self.context(policy, spec, table)) {
                Ok(requirement) => requirements.push(requirement),
                Err(errors) => problems.extend(errors.into_iter().map(|error| PrincipleError {
                    kind: spec.kind.name,
                    attribute: spec.attribute.clone(),
                    error,
                })),
            }
        }
        if problems.is_empty() { Ok(requirements) } else { Err(ReleaseError::Principles(problems)) }
    }

    /// Returns warnings about values in the policy that do not occur in the table.
    pub fn warnings(&self, policy: &PolicyFile, table: &FrequencyTable) -> Vec<BuildWarning> {
        let of = |spec: &PrincipleSpec| {
            let context = self.context(policy, spec, table);
            spec.kind.warnings(&context, &spec.parameters)
        };
        policy.principles.iter().flat_map(of).collect()
    }
}

/// Returns the taxonomy of a sensitive attribute. The base values of the taxonomy are the values in
/// the rule and the values to which a principle assigns a weight. Released rows cannot replace
/// these lists, because some values may occur only in generalized or suppressed rows. If neither
/// the rule nor a principle lists values, the values in the table are used.
///
/// # Errors
/// Returns [`HierarchyError`] if the rule lacks values.
pub fn taxonomy(
    policy: &PolicyFile,
    rule: &HierarchyRule,
    column: &CountedColumn,
) -> Result<Option<Taxonomy>, HierarchyError> {
    let values = column.dictionary.values();
    let weighed = weighed(policy, &column.name);
    let dictionary_of =
        |values: BTreeSet<String>| Dictionary::from_distinct(values.into_iter().collect()).0;
    let resolve = |values: BTreeSet<String>| rule.resolve(&column.name, &dictionary_of(values));
    let is_missing = |value: &&String| *value == MISSING;
    let missing = values.iter().chain(&weighed).filter(is_missing).cloned().collect();
    let listed = resolve(missing).ok().filter(Hierarchy::lists_domain);
    let stated = match &listed {
        Some(hierarchy) => Taxonomy::of_hierarchy(hierarchy),
        None if weighed.is_empty() => None,
        None => Taxonomy::of_hierarchy(&resolve(weighed.clone())?),
    };
    let Some(taxonomy) = stated else {
        let hierarchy = rule.resolve(&column.name, &column.dictionary)?;
        return Ok(Taxonomy::of_hierarchy(&hierarchy));
    };
    let node = |value: &String| taxonomy.node_of(value);
    if values.iter().all(|value| node(value).is_some()) {
        return Ok(Some(taxonomy));
    }
    let is_base = |value: &&String| node(value).is_none_or(|node| taxonomy.is_leaf(node));
    let base: BTreeSet<String> = values.iter().filter(is_base).cloned().collect();
    if listed.is_some() {
        // The error states the number of missing values. Labels of higher levels do not count as
        // missing.
        resolve(base)?;
        return Ok(Some(taxonomy));
    }
    Ok(Taxonomy::of_hierarchy(&resolve(base.union(&weighed).cloned().collect())?))
}

/// Returns the values of a sensitive attribute to which principles assign a weight.
fn weighed(policy: &PolicyFile, attribute: &str) -> BTreeSet<String> {
    let about = policy.principles.iter().filter(|it| it.attribute.as_deref() == Some(attribute));
    about.flat_map(|spec| spec.kind.weighed(&spec.parameters)).cloned().collect()
}

/// Returns the input specification of a population table, which is read with the input options of
/// the policy.
pub fn spec_of_population(path: &Path, policy: &PolicyFile) -> InputSpec {
    let section = &policy.input;
    // Columnar formats store typed values, so the text notation is irrelevant.
    let has_types = Format::of_path(path).is_some_and(|it| it.is_columnar());
    InputSpec {
        path: path.to_owned(),
        delimiter: section.delimiter,
        encoding: section.encoding,
        null_values: section.null_values.clone(),
        column_null_values: policy.column_null_values(),
        written: if has_types { Vec::new() } else { policy.notations() },
        ..InputSpec::default()
    }
}

/// Counts the rows of a population table for each combination of quasi-identifiers of a table, and
/// joins the two tables.
///
/// # Errors
/// Returns [`ReleaseError`] if the population table cannot be read or the table is not a subset of
/// it.
pub fn join_population(
    engine: &dyn Engine,
    table: &FrequencyTable,
    path: &Path,
    policy: &PolicyFile,
    observer: &dyn Observer,
) -> Result<(FrequencyTable, Arc<Population>), ReleaseError> {
    let input = engine.open(&spec_of_population(path, policy))?;
    let names = table.quasi_identifiers().iter().map(|column| column.name.clone());
    let has = |name: &String| input.columns().iter().any(|column| column.name == *name);
    // The join below reports missing columns.
    let request =
        CountRequest { quasi_identifiers: names.filter(has).collect(), ..CountRequest::default() };
    let people = engine.count(&input, &request, observer)?.table;
    let (joined, population) =
        Population::join(table, &people).map_err(indistinct_core::Error::from)?;
    Ok((joined, Arc::new(population)))
}

/// Returns whether evaluating a principle requires a population table.
pub fn needs_population(spec: &PrincipleSpec) -> bool {
    spec.kind.subject == Subject::Population
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "version = 1\n[input]\npath = \"visits.csv\"\nnull_values = [\"k.A.\"]\n\
        [attributes.visit]\nrole = \"quasi-identifier\"\nnotation = \"DD.MM.YYYY\"\n\
        hierarchy = { dates = [\"month\"] }\n[[principles]]\nkind = \"k-anonymity\"\nk = 2\n";

    #[test]
    fn population_uses_policy_notation_unless_typed() {
        let policy = PolicyFile::parse(POLICY, "policy.toml").expect("the policy is valid");
        let text = spec_of_population(Path::new("people.csv"), &policy);
        assert_eq!(text.null_values, ["k.A."]);
        assert_eq!(text.written.len(), 1);
        let typed = spec_of_population(Path::new("people.parquet"), &policy);
        assert!(typed.written.is_empty());
    }
}
