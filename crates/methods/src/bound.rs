//! A policy bound to its table, as input for the methods.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indistinct_core::hierarchy::{HierarchyError, HierarchyRule};
use indistinct_core::loss::Loss;
use indistinct_core::model::{Population, to_f64};
use indistinct_core::{Dictionary, FrequencyTable, Hierarchy, Observer, Policy, Requirement, Role};
use indistinct_engine::{CountRequest, CountedRows, Engine, Input, MissingRule, Question};
use indistinct_release::plan::PlanFile;
use indistinct_release::requirements::PrincipleContext;
use indistinct_release::rules::NamedRule;
use indistinct_release::{ReleaseError, engine};

use crate::error::Error;
use crate::policy::{AttributeSpec, MissingValues, PolicyFile};

/// The allowed levels of each quasi-identifier.
pub type Bounds = Vec<RangeInclusive<usize>>;

/// A policy bound to its table: the declarations and the input.
#[derive(Debug)]
pub struct BoundPolicy {
    /// The policy.
    pub file: PolicyFile,
    /// The base folder of relative paths in the policy.
    pub folder: PathBuf,
    /// The table.
    pub input: Input,
    /// The rules of the quasi-identifiers, in the order of the quasi-identifiers.
    pub rules: Vec<NamedRule>,
    /// The rules of the sensitive attributes.
    pub taxonomies: Vec<NamedRule>,
    /// The plan for the release, if the method requires a plan.
    pub plan: Option<PlanFile>,
}

/// A hierarchy with the values to which it was applied.
struct CachedHierarchy {
    dictionary: Dictionary,
    hierarchy: Hierarchy,
}

impl BoundPolicy {
    /// Returns the names of the attributes with a given role.
    pub fn names(&self, role: Role) -> Vec<String> {
        self.file.names(role)
    }

    /// Returns the attributes with a given role.
    pub fn attributes(&self, role: Role) -> impl Iterator<Item = &AttributeSpec> {
        self.file.attributes_of(role)
    }

    /// Returns the loss to minimize.
    pub fn objective(&self) -> &'static Loss {
        self.file.recoding.objective
    }

    /// Returns the weights of the quasi-identifiers.
    pub fn weights(&self) -> Vec<f64> {
        self.attributes(Role::QuasiIdentifier).map(|attribute| to_f64(&attribute.weight)).collect()
    }

    /// Resolves the path of a file in the policy.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(Path::new(name))
    }

    /// Returns the levels that the policy allows for each quasi-identifier.
    ///
    /// # Errors
    /// [`Error::Level`] if the policy names a level that the hierarchy does not have.
    pub fn level_bounds(&self, policy: &Policy) -> Result<Bounds, Error> {
        self.attributes(Role::QuasiIdentifier)
            .zip(&policy.hierarchies)
            .map(|(attribute, hierarchy)| {
                let top = hierarchy.n_levels() - 1;
                let lowest = attribute.min_level.unwrap_or(0);
                let highest = attribute.max_level.unwrap_or(top);
                if lowest.max(highest) > top {
                    let attribute = attribute.name.clone();
                    return Err(Error::Level { attribute, level: lowest.max(highest), top });
                }
                let is_followed = self.file.recoding.method.follows_max_level();
                Ok(lowest..=if is_followed { highest } else { top })
            })
            .collect()
    }

    /// Returns the queries that count the rows of a database table and the people in these rows.
    pub fn questions(&self) -> Vec<Question> {
        let mut counted = self.names(Role::QuasiIdentifier);
        counted.extend(self.names(Role::Sensitive));
        let mut questions = vec![Question::Tuples(counted.clone())];
        if let Some(people) = &self.file.people {
            if !counted.iter().any(|it| it == people.column()) {
                counted.push(people.column().to_owned());
            }
            questions.push(Question::Tuples(counted));
        }
        questions
    }

    /// Pass 1: counts the distinct tuples.
    ///
    /// # Errors
    /// [`Error`] if the table cannot be read, or the observer cancels.
    pub fn count(&self, observer: &dyn Observer) -> Result<CountedRows, Error> {
        let missing = |attribute: &AttributeSpec| {
            let rule = match attribute.missing_rule() {
                MissingValues::SeparateValue => MissingRule::OwnValue,
                MissingValues::Error => MissingRule::Error,
            };
            (attribute.name.clone(), rule)
        };
        let request = CountRequest {
            quasi_identifiers: self.names(Role::QuasiIdentifier),
            sensitive: self.names(Role::Sensitive),
            missing: self
                .attributes(Role::QuasiIdentifier)
                .chain(self.attributes(Role::Sensitive))
                .map(missing)
                .collect(),
            alike: self.file.merged_spellings(),
        };
        Ok(engine().count(&self.input, &request, observer)?)
    }

    /// Applies the hierarchies of the quasi-identifiers to a table. Results are cached with the
    /// counts, so changing the hierarchy of one column does not recompute the results of other
    /// columns.
    ///
    /// # Errors
    /// [`ReleaseError::Hierarchies`] if the hierarchies are incompatible with the table.
    pub fn hierarchies(&self, table: &FrequencyTable) -> Result<Vec<Hierarchy>, Error> {
        let (mut hierarchies, mut problems) = (Vec::new(), Vec::new());
        for (column, (name, rule)) in table.quasi_identifiers().iter().zip(&self.rules) {
            let resolve = || rule.resolve(name, &column.dictionary);
            let applied = self.input.cached_answer(format!("hierarchy {name} {rule:?}"), || {
                let hierarchy = resolve()?;
                let n_bytes = hierarchy.n_bytes();
                let dictionary = column.dictionary.clone();
                Ok::<_, HierarchyError>((CachedHierarchy { dictionary, hierarchy }, n_bytes))
            });
            match applied {
                Ok(applied) if applied.dictionary == column.dictionary => {
                    hierarchies.push(applied.hierarchy.clone());
                }
                // The cached result is for a table with different values, such as the table of a
                // plan.
                Ok(_) => match resolve() {
                    Ok(hierarchy) => hierarchies.push(hierarchy),
                    Err(error) => problems.push(error),
                },
                Err(error) => problems.push(error),
            }
        }
        match problems.is_empty() {
            true => Ok(hierarchies),
            false => Err(ReleaseError::Hierarchies(problems).into()),
        }
    }

    /// Returns the data that principles use in addition to a table.
    ///
    /// # Errors
    /// [`ReleaseError::Hierarchies`] if a taxonomy lacks values.
    pub fn principle_context(
        &self,
        table: &FrequencyTable,
        population: Option<Arc<Population>>,
    ) -> Result<PrincipleContext, Error> {
        let applied = PrincipleContext::new(&self.file, table, &self.taxonomies, population);
        Ok(applied.map_err(ReleaseError::Hierarchies)?)
    }

    /// Returns the principles of the policy, built for a table.
    ///
    /// # Errors
    /// The same errors as [`BoundPolicy::principle_context`]; [`ReleaseError::Principles`] if a
    /// principle cannot be applied to the table.
    pub fn requirements(
        &self,
        table: &FrequencyTable,
        population: Option<Arc<Population>>,
    ) -> Result<Vec<Requirement>, Error> {
        let principle_context = self.principle_context(table, population)?;
        Ok(principle_context.requirements(&self.file, self.file.principles.iter(), table)?)
    }

    /// Returns the taxonomy that the policy declares for a sensitive attribute.
    pub fn taxonomy(&self, attribute: &str) -> Option<&HierarchyRule> {
        self.taxonomies.iter().find(|(name, _)| name == attribute).map(|(_, rule)| rule)
    }
}
