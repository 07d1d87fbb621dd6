//! A policy with its table, as the methods see it.

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

/// For each quasi-identifier the levels that are allowed.
pub type Bounds = Vec<RangeInclusive<usize>>;

/// A policy that is bound to its table: what is declared, and where the rows are.
#[derive(Debug)]
pub struct BoundPolicy {
    /// The policy.
    pub file: PolicyFile,
    /// The folder that its paths are relative to.
    pub folder: PathBuf,
    /// The table.
    pub input: Input,
    /// What is declared for the quasi-identifiers, in their order.
    pub rules: Vec<NamedRule>,
    /// What is declared for sensitive attributes.
    pub taxonomies: Vec<NamedRule>,
    /// The plan that releases are made by, where the method follows one.
    pub plan: Option<PlanFile>,
}

/// A hierarchy with the values that it was laid over.
struct CachedHierarchy {
    dictionary: Dictionary,
    hierarchy: Hierarchy,
}

impl BoundPolicy {
    /// The names of the attributes with a role.
    pub fn names(&self, role: Role) -> Vec<String> {
        self.file.names(role)
    }

    /// The attributes with a role.
    pub fn attributes(&self, role: Role) -> impl Iterator<Item = &AttributeSpec> {
        self.file.attributes_of(role)
    }

    /// The loss that is to be small.
    pub fn objective(&self) -> &'static Loss {
        self.file.recoding.objective
    }

    /// The weights of the quasi-identifiers.
    pub fn weights(&self) -> Vec<f64> {
        self.attributes(Role::QuasiIdentifier).map(|attribute| to_f64(&attribute.weight)).collect()
    }

    /// A file that the policy names.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(Path::new(name))
    }

    /// The levels that the policy allows for each quasi-identifier.
    ///
    /// # Errors
    /// [`Error::Level`] if it names one that a hierarchy does not have.
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

    /// What counting asks of a table that is not in files, whom its rows are about included.
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

    /// The hierarchies of the quasi-identifiers, laid over a table. One that was laid over the same values before is kept where counts
    /// are: whoever changes the hierarchy of one column waits for no other.
    ///
    /// # Errors
    /// [`ReleaseError::Hierarchies`] if they do not fit it.
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
                // Of a table with other values, such as that of a plan.
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

    /// What principles look at besides a table.
    ///
    /// # Errors
    /// [`ReleaseError::Hierarchies`] if a taxonomy misses values.
    pub fn principle_context(
        &self,
        table: &FrequencyTable,
        population: Option<Arc<Population>>,
    ) -> Result<PrincipleContext, Error> {
        let applied = PrincipleContext::new(&self.file, table, &self.taxonomies, population);
        Ok(applied.map_err(ReleaseError::Hierarchies)?)
    }

    /// The principles of the policy, built for a table.
    ///
    /// # Errors
    /// As [`BoundPolicy::principle_context`]; [`ReleaseError::Principles`] if one cannot be used on it.
    pub fn requirements(
        &self,
        table: &FrequencyTable,
        population: Option<Arc<Population>>,
    ) -> Result<Vec<Requirement>, Error> {
        let principle_context = self.principle_context(table, population)?;
        Ok(principle_context.requirements(&self.file, self.file.principles.iter(), table)?)
    }

    /// What the policy declares for a sensitive attribute.
    pub fn taxonomy(&self, attribute: &str) -> Option<&HierarchyRule> {
        self.taxonomies.iter().find(|(name, _)| name == attribute).map(|(_, rule)| rule)
    }
}
