//! A policy with its table.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indistinct_core::hierarchy::HierarchyRule;
use indistinct_core::loss::Loss;
use indistinct_core::model::{Population, to_f64};
use indistinct_core::principle::BuildWarning;
use indistinct_core::{
    Claims, ClassColumn, FrequencyTable, Hierarchy, Observer, Policy, Requirement, Role,
    check_rows, parse_decimal,
};
use indistinct_engine::{
    CountRequest, Counted, Engine, Input, InputSpec, MissingRule, Unified, Uniqueness, uniqueness,
};
use indistinct_release::requirements::{self, Surroundings};
use indistinct_release::rules;
use indistinct_report::words;
use indistinct_search::full_domain::Minimal;

use crate::Values;
use crate::error::Error;
use crate::files;
use crate::invariant::{NewVersion, People};
use crate::methods::{Method, Proposal, Registry};
use crate::plan::PlanFile;
use crate::planned;
use crate::policy::{
    AttributeSpec, MissingValues, PolicyErrors, PolicyFile, PrincipleSpec, Purpose,
};

/// A policy with its table: what all commands that take a policy work on.
#[derive(Debug)]
pub struct Job {
    policy: PolicyFile,
    input_path: PathBuf,
    input: Input,
    rules: Vec<(String, HierarchyRule)>,
    taxonomies: Vec<(String, HierarchyRule)>,
    population: Option<PathBuf>,
    people_key: PathBuf,
    method: &'static dyn Method,
    plan: Option<PlanFile>,
    values: Values,
}

/// Whether the plan that a policy names is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Planning {
    /// It is followed.
    Follow,
    /// It is yet to be made.
    Make,
}

/// The counted table with the principles built for it.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) counted: Counted,
    pub(crate) population: Option<Arc<Population>>,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) warnings: Vec<String>,
}

/// The counted table with the policy laid over it.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) counted: Counted,
    pub(crate) policy: Policy,
    pub(crate) population: Option<Arc<Population>>,
    pub(crate) warnings: Vec<String>,
    /// Who the rows are about, where the table is a version of a growing one.
    pub(crate) people: Option<People>,
    /// The version that was found, and then the counted table without its counterfeits.
    pub(crate) made: Option<NewVersion>,
    pub(crate) original: Option<FrequencyTable>,
}

impl Prepared {
    /// The counted table, without rows that are nobody's.
    pub(crate) fn original(&self) -> &FrequencyTable {
        self.original.as_ref().unwrap_or(&self.counted.table)
    }

    /// The same without the counterfeits of a version that was found.
    pub(crate) fn without_counterfeits(mut self) -> Self {
        if let Some(original) = self.original.take() {
            self.counted.table = original;
        }
        Self { people: None, made: None, ..self }
    }

    /// Where a proposal is for another table than the counted one: from now on that is the table.
    pub(crate) fn take_up(&mut self, proposal: &mut Proposal) {
        if let Some(version) = proposal.version.take() {
            self.original = Some(std::mem::replace(&mut self.counted.table, version.table));
            self.made = Some(version.made);
        }
    }

    /// What holds on the table as it is.
    pub(crate) fn before(&self) -> Claims {
        check_rows(self.original(), &self.policy.requirements).claims
    }
}

pub(crate) use indistinct_release::engine;

impl Job {
    /// Reads a policy file and opens its table, or another one in its place.
    ///
    /// # Errors
    /// [`Error`] with all problems of the policy at once, or why the table cannot be opened.
    pub fn open(policy: &Path, data: Option<&Path>) -> Result<Self, Error> {
        Self::open_for(&Registry::standard(), policy, data, Planning::Follow)
    }

    /// The same where the policy may name other methods than those of Indistinct.
    ///
    /// # Errors
    /// As [`Job::open`].
    pub fn open_with(
        methods: &Registry,
        policy: &Path,
        data: Option<&Path>,
    ) -> Result<Self, Error> {
        Self::open_for(methods, policy, data, Planning::Follow)
    }

    /// The same for whoever makes a plan: that which the policy names need not be there.
    ///
    /// # Errors
    /// As [`Job::open`].
    pub fn open_to_plan(policy: &Path) -> Result<Self, Error> {
        Self::open_for(&Registry::standard(), policy, None, Planning::Make)
    }

    fn open_for(
        methods: &Registry,
        policy: &Path,
        data: Option<&Path>,
        planning: Planning,
    ) -> Result<Self, Error> {
        let text = files::read_text(policy)?;
        let name = policy.display().to_string();
        let purpose = if data.is_some() { Purpose::Check } else { Purpose::Anonymize };
        let mut file = PolicyFile::parse_with(&methods.kinds(), purpose, &text, &name)?;
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
        let population = population_path(&file)?.map(|path| folder.join(path));
        let people_key = folder.join(file.linkage.key.as_deref().unwrap_or_default());
        let plan = match (planning, &file.recoding.plan) {
            (Planning::Follow, Some(path)) if file.recoding.method.reads("plan") => {
                let plan = PlanFile::read(&folder.join(path))?;
                planned::take_up(&mut file, &plan)?;
                Some(plan)
            }
            _ => None,
        };
        Ok(Self {
            method: methods.of_kind(file.recoding.method),
            policy: file,
            input_path,
            input,
            rules,
            taxonomies,
            population,
            people_key,
            plan,
            values: Values::Hidden,
        })
    }

    /// The same job, with cells of the table in its warnings where they are to be shown.
    pub fn with_values(self, values: Values) -> Self {
        Self { values, ..self }
    }

    /// Parts of the policy that are accepted but probably not intended.
    pub fn policy_warnings(&self) -> PolicyErrors {
        self.policy.warnings()
    }

    /// The policy as it was read.
    pub fn policy(&self) -> &PolicyFile {
        &self.policy
    }

    /// How its releases are made.
    pub(crate) fn method(&self) -> &'static dyn Method {
        self.method
    }

    /// Where the table is.
    pub fn input_path(&self) -> &Path {
        &self.input_path
    }

    /// The key under which a ledger knows the people of a growing table; ignored if the policy names none.
    pub(crate) fn people_key(&self) -> &Path {
        &self.people_key
    }

    /// Where the population table is, if the policy names one.
    pub(crate) fn population_path(&self) -> Option<&Path> {
        self.population.as_deref()
    }

    /// The plan that releases are made by, where the method is planned.
    pub(crate) fn plan(&self) -> Option<&PlanFile> {
        self.plan.as_ref()
    }

    pub(crate) fn input(&self) -> &Input {
        &self.input
    }

    pub(crate) fn names(&self, role: Role) -> Vec<String> {
        self.policy.names(role)
    }

    pub(crate) fn attributes(&self, role: Role) -> impl Iterator<Item = &AttributeSpec> {
        self.policy.attributes_of(role)
    }

    pub(crate) fn objective(&self) -> &'static Loss {
        self.policy.recoding.objective
    }

    pub(crate) fn weights(&self) -> Vec<f64> {
        self.attributes(Role::QuasiIdentifier).map(|attribute| to_f64(&attribute.weight)).collect()
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
                // A largest level has no effect where none is taken.
                let is_taken = !self.policy.recoding.method.keeps_quasi_identifiers();
                Ok(lowest..=if is_taken { highest } else { top })
            })
            .collect()
    }

    /// Pass 1: counts the distinct tuples.
    pub(crate) fn count(&self, observer: &dyn Observer) -> Result<Counted, Error> {
        let counted = |role| self.names(role);
        let missing = |attribute: &AttributeSpec| {
            let rule = match attribute.missing_rule() {
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

    /// Counts the table, lays the population over it where the policy names one, and builds the principles.
    pub(crate) fn load(&self, observer: &dyn Observer) -> Result<Loaded, Error> {
        let mut counted = self.count(observer)?;
        let mut population = None;
        if let Some(path) = &self.population {
            let section = &self.policy.input;
            let (table, joined) =
                requirements::join_population(&counted.table, path, section, observer)?;
            counted.table = table;
            population = Some(joined);
        }
        let surroundings =
            Surroundings::of(&self.policy, &counted.table, &self.taxonomies, population.clone())
                .map_err(Error::Hierarchies)?;
        let specs = self.policy.principles.iter();
        let requirements = surroundings.requirements(&self.policy, specs, &counted.table)?;
        let warnings = surroundings.warnings(&self.policy, &counted.table);
        let mut warnings: Vec<String> =
            warnings.iter().map(|warning| warning_text(warning, self.values)).collect();
        warnings.extend(spellings(&counted));
        Ok(Loaded { counted, population, requirements, warnings })
    }

    /// Counts the table and lays the policy over it.
    pub(crate) fn prepare(&self, observer: &dyn Observer) -> Result<Prepared, Error> {
        let mut loaded = self.load(observer)?;
        if let Some(plan) = &self.plan {
            loaded.counted.table = planned::lay(plan, &loaded.counted.table, &self.input)?;
        }
        let table = &loaded.counted.table;
        let policy = Policy {
            hierarchies: self.hierarchies(table)?,
            requirements: loaded.requirements,
            suppression_limit: self.policy.recoding.suppression_limit,
            suppressed: self.policy.recoding.suppressed,
            published: match self.policy.output.class_column {
                Some(_) => ClassColumn::Published,
                None => ClassColumn::Absent,
            },
        };
        self.level_bounds(&policy)?;
        let mut warnings = loaded.warnings;
        warnings.extend(self.data_warnings(observer)?);
        Ok(Prepared {
            counted: loaded.counted,
            policy,
            population: loaded.population,
            warnings,
            people: None,
            made: None,
            original: None,
        })
    }

    /// The same with a table that has further values, for which the principles are built anew.
    pub(crate) fn with_table(
        &self,
        prepared: Prepared,
        table: FrequencyTable,
    ) -> Result<Prepared, Error> {
        let Prepared { mut counted, mut policy, population, .. } = prepared;
        let surroundings =
            Surroundings::of(&self.policy, &table, &self.taxonomies, population.clone())
                .map_err(Error::Hierarchies)?;
        let specs = self.policy.principles.iter();
        policy.requirements = surroundings.requirements(&self.policy, specs, &table)?;
        counted.table = table;
        Ok(Prepared { counted, policy, population, ..prepared })
    }

    /// Takes up another text of the policy, with the same attributes and hierarchies; nothing changes after an error.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub(crate) fn reword(&mut self, methods: &Registry, text: &str) -> Result<(), PolicyErrors> {
        let name = "the policy as it was changed";
        let file = PolicyFile::parse_with(&methods.kinds(), Purpose::Anonymize, text, name)?;
        let columns: Vec<String> =
            self.input.columns().iter().map(|column| column.name.clone()).collect();
        file.bind(&columns)?;
        self.method = methods.of_kind(file.recoding.method);
        self.policy = file;
        Ok(())
    }

    /// A table that was counted for this job before its policy was [reworded](Job::reword).
    pub(crate) fn relaid(&self, prepared: Prepared) -> Result<Prepared, Error> {
        let Prepared { counted, mut policy, population, .. } = prepared;
        let table = &counted.table;
        let surroundings =
            Surroundings::of(&self.policy, table, &self.taxonomies, population.clone())
                .map_err(Error::Hierarchies)?;
        let specs = self.policy.principles.iter();
        policy.requirements = surroundings.requirements(&self.policy, specs, table)?;
        policy.suppression_limit = self.policy.recoding.suppression_limit;
        policy.suppressed = self.policy.recoding.suppressed;
        Ok(Prepared { counted, policy, population, ..prepared })
    }

    /// The hierarchies of the quasi-identifiers, laid over a table.
    pub(crate) fn hierarchies(&self, table: &FrequencyTable) -> Result<Vec<Hierarchy>, Error> {
        let (mut hierarchies, mut problems) = (Vec::new(), Vec::new());
        for (column, (name, rule)) in table.quasi_identifiers().iter().zip(&self.rules) {
            match rule.resolve(name, &column.dictionary) {
                Ok(hierarchy) => hierarchies.push(hierarchy),
                Err(error) => problems.push(error),
            }
        }
        if problems.is_empty() { Ok(hierarchies) } else { Err(Error::Hierarchies(problems)) }
    }

    fn data_warnings(&self, observer: &dyn Observer) -> Result<Vec<String>, Error> {
        let about = |spec: &PrincipleSpec, name: &str| spec.attribute.as_deref() == Some(name);
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

fn warning_text(warning: &BuildWarning, values: Values) -> String {
    match (warning, values) {
        (BuildWarning::DoesNotOccur { values: unknown, .. }, Values::Shown) => {
            let each = unknown.iter().map(|(value, near)| match near {
                Some(near) => format!("'{value}' (did you mean '{near}'?)"),
                None => format!("'{value}'"),
            });
            format!("{warning}: {}", each.collect::<Vec<_>>().join(", "))
        }
        _ => format!("{warning} (--show-values names them)"),
    }
}

/// The population table that the principles name.
fn population_path(policy: &PolicyFile) -> Result<Option<&str>, Error> {
    let mut paths: Vec<&str> =
        policy.principles.iter().filter_map(PrincipleSpec::population).collect();
    paths.dedup();
    match paths.as_slice() {
        [] => Ok(None),
        [path] => Ok(Some(path)),
        several => Err(Error::SeveralPopulations { n_files: several.len() }),
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

/// What is written in several ways: numbers have been unified, texts have not.
fn spellings(counted: &Counted) -> Vec<String> {
    let mut warnings: Vec<String> = counted
        .unified
        .iter()
        .map(|Unified { column, n_values }| {
            format!(
                "'{column}' writes numbers in several ways (such as 5 and 5.0); each is taken, and released, as one value: there \
                 are {n_values} distinct values less"
            )
        })
        .collect();
    for column in counted.table.columns() {
        let n_formulas =
            column.dictionary.values().iter().filter(|value| is_formula(value)).count();
        if n_formulas > 0 {
            warnings.push(format!(
                "'{}' has {n_formulas} distinct values that begin with =, +, - or @: a spreadsheet that opens the release may run them as \
                 formulas. Replace them in the table if the release is for spreadsheets",
                column.name
            ));
        }
    }
    for column in counted.table.sensitive() {
        let n_alike = column.dictionary.n_alike();
        if n_alike > 0 {
            warnings.push(format!(
                "'{}' has {n_alike} distinct values that differ from another one in case or blanks alone: they count as different \
                 sensitive values, and whoever reads the release may take them for one. Unify them in the table",
                column.name
            ));
        }
    }
    warnings
}

/// Whether a spreadsheet takes a cell for a formula, and not for a number.
fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && parse_decimal(cell).is_err()
}
