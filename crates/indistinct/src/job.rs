//! A policy with its table.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use indistinct_core::hierarchy::HierarchyRule;
use indistinct_core::loss::{self, Loss};
use indistinct_core::{Claims, ClassColumn, FrequencyTable, Observer, Policy, Role, check_rows};
use indistinct_engine::{
    CountRequest, Counted, Embedded, Engine, Input, InputSpec, MissingRule, Uniqueness, uniqueness,
};
use indistinct_report::words;
use indistinct_search::Minimal;

use crate::error::Error;
use crate::files;
use crate::policy::{AttributeSpec, MissingValues, PolicyErrors, PolicyFile, Purpose};
use crate::rules;

/// A policy with its table: what all commands that take a policy work on.
#[derive(Debug)]
pub struct Job {
    policy: PolicyFile,
    input_path: PathBuf,
    input: Input,
    rules: Vec<(String, HierarchyRule)>,
    taxonomies: Vec<(String, HierarchyRule)>,
}

/// The counted table with the policy laid over it.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) counted: Counted,
    pub(crate) policy: Policy,
    pub(crate) warnings: Vec<String>,
}

impl Prepared {
    /// What holds on the table as it is.
    pub(crate) fn before(&self) -> Claims {
        check_rows(&self.counted.table, &self.policy.requirements).claims
    }
}

pub(crate) fn engine() -> Embedded {
    Embedded { threads: rayon::current_num_threads() }
}

impl Job {
    /// Reads a policy file and opens its table, or another one in its place.
    ///
    /// # Errors
    /// [`Error`] with all problems of the policy at once, or why the table cannot be opened.
    pub fn open(policy: &Path, data: Option<&Path>) -> Result<Self, Error> {
        let text = files::read_text(policy)?;
        let name = policy.display().to_string();
        let purpose = if data.is_some() { Purpose::Check } else { Purpose::Anonymize };
        let file = PolicyFile::parse_for(purpose, &text, &name)?;
        let folder = policy.parent().unwrap_or(Path::new(""));
        let input_path = match (data, &file.input.path) {
            (Some(path), _) => path.to_owned(),
            (None, Some(path)) => folder.join(path),
            (None, None) => unreachable!("a policy to anonymize with has an input path"),
        };
        let input = Input::open(&InputSpec {
            path: input_path.clone(),
            // Another table may have another format; its name says which.
            format: if data.is_some() { None } else { file.input.format },
            delimiter: file.input.delimiter,
            null_values: file.input.null_values.clone(),
        })?;
        let columns: Vec<String> =
            input.columns().iter().map(|column| column.name.clone()).collect();
        file.bind(&columns)?;
        let (rules, taxonomies) = rules::of_policy(&file, folder)?;
        Ok(Self { policy: file, input_path, input, rules, taxonomies })
    }

    /// What of the policy is accepted but hardly meant.
    pub fn policy_warnings(&self) -> PolicyErrors {
        self.policy.warnings()
    }

    /// The policy as it was read.
    pub fn policy(&self) -> &PolicyFile {
        &self.policy
    }

    /// Where the table is.
    pub fn input_path(&self) -> &Path {
        &self.input_path
    }

    pub(crate) fn input(&self) -> &Input {
        &self.input
    }

    pub(crate) fn names(&self, role: Role) -> Vec<String> {
        self.attributes(role).map(|attribute| attribute.name.clone()).collect()
    }

    pub(crate) fn attributes(&self, role: Role) -> impl Iterator<Item = &AttributeSpec> {
        self.policy.attributes_of(role)
    }

    pub(crate) fn objective(&self) -> &'static Loss {
        self.policy.recoding.objective
    }

    pub(crate) fn weights(&self) -> Vec<f64> {
        self.attributes(Role::QuasiIdentifier)
            .map(|attribute| loss::weight_to_f64(&attribute.weight))
            .collect()
    }

    pub(crate) fn minimal_nodes(&self) -> Minimal {
        if self.policy.search.all_minimal { Minimal::List } else { Minimal::Skip }
    }

    /// The levels that the policy allows for each quasi-identifier.
    pub(crate) fn level_bounds(
        &self,
        policy: &Policy,
    ) -> Result<Vec<RangeInclusive<usize>>, Error> {
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
                Ok(lowest..=highest)
            })
            .collect()
    }

    /// Pass 1: counts the distinct tuples.
    pub(crate) fn count(&self, observer: &dyn Observer) -> Result<Counted, Error> {
        let counted = |role| self.names(role);
        let missing = |attribute: &AttributeSpec| {
            let rule = match attribute.missing {
                MissingValues::OwnValue => MissingRule::OwnValue,
                MissingValues::Error => MissingRule::Error,
            };
            (attribute.name.clone(), rule)
        };
        let request = CountRequest {
            quasi_identifiers: counted(Role::QuasiIdentifier),
            sensitive: counted(Role::Sensitive),
            missing: self
                .attributes(Role::QuasiIdentifier)
                .chain(self.attributes(Role::Sensitive))
                .map(missing)
                .collect(),
        };
        Ok(engine().count(&self.input, &request, observer)?)
    }

    /// Counts the table and lays the policy over it.
    pub(crate) fn prepare(&self, observer: &dyn Observer) -> Result<Prepared, Error> {
        let counted = self.count(observer)?;
        let (mut hierarchies, mut problems) = (Vec::new(), Vec::new());
        for (column, (name, rule)) in counted.table.quasi_identifiers().iter().zip(&self.rules) {
            match rule.resolve(name, &column.dictionary) {
                Ok(hierarchy) => hierarchies.push(hierarchy),
                Err(error) => problems.push(error),
            }
        }
        for (name, rule) in &self.taxonomies {
            let column = counted.table.sensitive().iter().find(|column| column.name == *name);
            let fits = column.map(|column| rule.resolve(name, &column.dictionary));
            problems.extend(fits.and_then(Result::err));
        }
        if !problems.is_empty() {
            return Err(Error::Hierarchies(problems));
        }
        let policy = Policy {
            hierarchies,
            requirements: self.policy.requirements(),
            suppression_limit: self.policy.recoding.suppression_limit,
            suppressed: self.policy.recoding.suppressed,
            published: match self.policy.output.class_column {
                Some(_) => ClassColumn::Published,
                None => ClassColumn::Absent,
            },
        };
        self.level_bounds(&policy)?;
        let warnings = self.data_warnings(observer)?;
        Ok(Prepared { counted, policy, warnings })
    }

    fn data_warnings(&self, observer: &dyn Observer) -> Result<Vec<String>, Error> {
        let about = |spec: &crate::policy::PrincipleSpec, name: &str| {
            spec.attribute.as_deref() == Some(name)
        };
        let mut warnings: Vec<String> = self
            .names(Role::Sensitive)
            .into_iter()
            .filter(|name| !self.policy.principles.iter().any(|spec| about(spec, name)))
            .map(|name| {
                format!(
                    "no principle is about the sensitive attribute '{name}': nothing limits what a class reveals of it"
                )
            })
            .collect();
        let insensitive = self.names(Role::Insensitive);
        if !insensitive.is_empty() {
            for Uniqueness { column, n_unique } in uniqueness(&self.input, &insensitive, observer)?
            {
                let rows = match n_unique {
                    Some(0) => continue,
                    Some(n) => words::rows(n),
                    None => "a great many rows".to_owned(),
                };
                warnings.push(format!(
                    "the insensitive column '{column}' is published untouched, and its value alone singles out {rows}: is it a quasi-identifier?"
                ));
            }
        }
        Ok(warnings)
    }

    /// What the policy declares for a quasi-identifier.
    pub(crate) fn rule(&self, attribute: &str) -> Result<&HierarchyRule, Error> {
        let found = self.rules.iter().find(|(name, _)| name == attribute);
        found.map(|(_, rule)| rule).ok_or_else(|| Error::NoSuchAttribute {
            name: attribute.to_owned(),
            known: self.rules.iter().map(|(name, _)| name.clone()).collect(),
        })
    }

    pub(crate) fn rules(&self) -> &[(String, HierarchyRule)] {
        &self.rules
    }

    /// What the policy declares for sensitive attributes.
    pub(crate) fn taxonomies(&self) -> &[(String, HierarchyRule)] {
        &self.taxonomies
    }

    /// The values of one column.
    pub(crate) fn count_column(
        &self,
        column: &str,
        observer: &dyn Observer,
    ) -> Result<FrequencyTable, Error> {
        count_column(&self.input, column, observer)
    }
}

/// The values of one column of a table.
pub(crate) fn count_column(
    input: &Input,
    column: &str,
    observer: &dyn Observer,
) -> Result<FrequencyTable, Error> {
    let request =
        CountRequest { quasi_identifiers: vec![column.to_owned()], ..CountRequest::default() };
    Ok(engine().count(input, &request, observer)?.table)
}
