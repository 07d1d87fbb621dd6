//! A policy with its table.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indistinct_core::hierarchy::HierarchyRule;
use indistinct_core::model::Population;
use indistinct_core::{ClassColumn, FrequencyTable, Observer, People, Policy, Requirement, Role};
use indistinct_engine::output::OutputFormat as RowFormat;
use indistinct_engine::{
    CountRequest, CountedRows, Engine, EngineError, Format, Input, InputColumn, InputSpec,
    TableError, TableRef, placed,
};
use indistinct_methods::{BoundPolicy, Method, PreparedTable, people_of, table_warnings};
use indistinct_profiling::table_profile;
use indistinct_release::requirements;
use indistinct_release::rules;

use crate::Values;
use crate::error::Error;
use crate::files;
use crate::given;
use crate::policy::{Form, OutputFormat, PolicyErrors, PolicyFile, PrincipleSpec, Purpose};
use crate::session::Session;

/// A policy with its table: what all commands that take a policy work on.
#[derive(Debug)]
pub struct Job {
    session: Session,
    bound: BoundPolicy,
    input_path: PathBuf,
    population: Option<PathBuf>,
    method: &'static dyn Method,
    purpose: Purpose,
    values: Values,
}

/// The text of a policy that need not be a file.
#[derive(Debug, Clone, Copy)]
pub struct PolicyText<'a> {
    /// The text.
    pub text: &'a str,
    /// What messages call it.
    pub name: &'a str,
    /// The folder that paths in it start from.
    pub folder: &'a Path,
}

/// What is to be done with a table that is given beside a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// A release is made of it.
    Release,
    /// It is looked at as it is.
    Check,
    /// The plan that the policy names is made of it, and need not be there yet.
    Plan,
}

/// The counted table with the principles built for it.
#[derive(Debug)]
pub(crate) struct LoadedTable {
    pub(crate) counted: CountedRows,
    pub(crate) population: Option<Arc<Population>>,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) warnings: Vec<String>,
}

pub(crate) use indistinct_release::engine;

impl Session {
    /// Reads a policy file and opens its table, or another one in its place.
    ///
    /// # Errors
    /// [`Error`] with all problems of the policy at once, or why the table cannot be opened.
    pub fn open(&self, policy: &Path, data: Option<&Path>) -> Result<Job, Error> {
        Job::open_file(self, policy, data.map(TableRef::At), Aim::Check)
    }

    /// Reads a policy file in order to make the plan that it names, and opens its table.
    ///
    /// # Errors
    /// As [`Session::open`].
    pub fn open_to_plan(&self, policy: &Path) -> Result<Job, Error> {
        Job::open_file(self, policy, None, Aim::Plan)
    }

    /// Reads a policy whose text is at hand, and opens the table that it names or another one in its place.
    ///
    /// # Errors
    /// As [`Session::open`].
    pub fn open_text(
        &self,
        policy: PolicyText<'_>,
        data: Option<TableRef<'_>>,
        aim: Aim,
    ) -> Result<Job, Error> {
        Job::open_text(self, policy, data, aim)
    }
}

impl Job {
    pub(crate) fn open_file(
        session: &Session,
        policy: &Path,
        data: Option<TableRef<'_>>,
        aim: Aim,
    ) -> Result<Self, Error> {
        let text = files::read_text(policy)?;
        let name = policy.display().to_string();
        let folder = policy.parent().unwrap_or(Path::new(""));
        Self::open_text(session, PolicyText { text: &text, name: &name, folder }, data, aim)
    }

    pub(crate) fn open_text(
        session: &Session,
        policy: PolicyText<'_>,
        data: Option<TableRef<'_>>,
        aim: Aim,
    ) -> Result<Self, Error> {
        let (engine, methods) = (session.engine(), session.methods());
        let PolicyText { text, name, folder } = policy;
        let purpose = match (data, aim) {
            (None, _) => Purpose::Anonymize,
            (Some(_), Aim::Check) => Purpose::Check,
            (Some(TableRef::At(path)), _) => Purpose::Given(Format::of_path(path)),
            (Some(TableRef::InMemory(_)), _) => Purpose::Given(Some(Format::Arrow)),
        };
        let mut file = PolicyFile::parse_with(&methods.kinds(), purpose, text, name)?;
        let named =
            || file.input.path.as_ref().expect("a policy to anonymize with names its table");
        let table = match data {
            // Another table may have another format; its name says which.
            Some(table) => InputSpec::from(table),
            None => InputSpec {
                path: placed(folder, named()),
                format: file.input.format,
                ..InputSpec::default()
            },
        };
        let input_path = table.path.clone();
        // A file in place of a table of a database is read as a file.
        let in_database = data.is_none() || table.is_address() || table.is_spreadsheet();
        let spec = InputSpec {
            table: file.input.table.clone().filter(|_| in_database),
            query: file.input.query.clone().filter(|_| in_database),
            counts: file.input.count_column.clone(),
            delimiter: file.input.delimiter,
            encoding: file.input.encoding,
            null_values: file.input.null_values.clone(),
            written: file.notations(),
            ..table
        };
        spec.check_written()?;
        // Nor does the policy say what divides the fields of another table.
        let input = match data {
            Some(_) => given::open_by_policy(engine.as_ref(), spec)?,
            None => engine.open(&spec)?,
        };
        let columns: Vec<String> =
            input.columns().iter().map(|column| column.name.clone()).collect();
        file.bind(&columns)?;
        let (rules, taxonomies) = rules::of_policy(&file, folder)?;
        let population = population_path(&file)?.map(|path| folder.join(path));
        let method = methods.of_kind(file.recoding.method);
        let plan = match aim {
            Aim::Release | Aim::Check => method.read_plan(&mut file, folder)?,
            Aim::Plan => None,
        };
        let folder = folder.to_owned();
        let bound = BoundPolicy { file, folder, input, rules, taxonomies, plan };
        let (session, values) = (session.clone(), Values::Hidden);
        Ok(Self { session, bound, input_path, population, method, purpose, values })
    }

    /// The same job, with cells of the table in its warnings where they are to be shown.
    pub fn with_values(self, values: Values) -> Self {
        Self { values, ..self }
    }

    /// The same job with this seed, if there is one, in place of the policy's.
    ///
    /// # Panics
    /// If it is above `i64::MAX`: no policy could say it.
    pub fn with_seed(mut self, seed: Option<u64>) -> Self {
        assert!(seed.is_none_or(|seed| i64::try_from(seed).is_ok()), "a seed of a policy");
        let recoding = &mut self.bound.file.recoding;
        recoding.seed = seed.or(recoding.seed);
        self
    }

    /// The columns of the table, in their order.
    pub fn columns(&self) -> &[InputColumn] {
        self.bound.input.columns()
    }

    /// Parts of the policy that are accepted but probably not intended.
    pub fn policy_warnings(&self) -> PolicyErrors {
        self.bound.file.warnings()
    }

    /// The policy as it was read.
    pub fn policy(&self) -> &PolicyFile {
        &self.bound.file
    }

    /// How its releases are made.
    pub(crate) fn method(&self) -> &'static dyn Method {
        self.method
    }

    /// What the questions about this job are asked with.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The same job, for questions of another session: its table stays the one that was opened.
    #[must_use]
    pub fn in_session(self, session: &Session) -> Self {
        Self { session: session.clone(), ..self }
    }

    /// Answers a question about this job.
    pub(crate) fn run<T: Send>(
        &self,
        question: impl FnOnce(&dyn Observer) -> Result<T, Error> + Send,
    ) -> Result<T, Error> {
        self.session.run(question)
    }

    /// The table of a database that the rows of the release go to; an error if they cannot.
    pub(crate) fn output_table(&self) -> Result<Option<&str>, Error> {
        let Some(table) = &self.policy().output.table else { return Ok(None) };
        let what = match self.policy().recoding.method.form {
            _ if self.bound.input.table().is_none() => {
                "a released table of rows that come from files"
            }
            Form::TwoTables => "a release of two tables",
            Form::Versions => "a version of a growing table",
            Form::Perturbed | Form::Masked
                if self.policy().attributes_of(Role::Insensitive).next().is_some() =>
            {
                "a method that divides rows of equal values, with columns that are published as they are"
            }
            _ => return Ok(Some(table)),
        };
        Err(EngineError::Table(TableError::NotServed { what }).into())
    }

    /// The format of the files that the rows of the release go to.
    pub(crate) fn output_format(&self) -> RowFormat {
        let output = &self.policy().output;
        match output.format {
            OutputFormat::Csv => {
                let delimiter = output.delimiter.unwrap_or(b',');
                match output.spreadsheet_safe {
                    true => RowFormat::SpreadsheetCsv { delimiter },
                    false => RowFormat::Csv { delimiter },
                }
            }
            OutputFormat::Parquet => RowFormat::Parquet,
            OutputFormat::Xlsx => RowFormat::Xlsx,
        }
    }

    /// Whether so many rows can be written as the policy says; none where they are not known yet.
    pub(crate) fn check_output(&self, n_rows: Option<u64>) -> Result<(), Error> {
        match self.output_table()? {
            Some(_) => Ok(()),
            None => Ok(self.output_format().check(n_rows.unwrap_or(0))?),
        }
    }

    /// Where the table is.
    pub fn input_path(&self) -> &Path {
        &self.input_path
    }

    /// Where the population table is, if the policy names one.
    pub(crate) fn population_path(&self) -> Option<&Path> {
        self.population.as_deref()
    }

    /// The policy with its table, as methods see it.
    pub(crate) fn bound(&self) -> &BoundPolicy {
        &self.bound
    }

    /// Counts the table, lays the population over it where the policy names one, and builds the principles.
    pub(crate) fn load(&self, observer: &dyn Observer) -> Result<LoadedTable, Error> {
        self.expect(false)?;
        let mut counted = self.bound.count(observer)?;
        let policy = self.policy();
        let mut population = None;
        if let Some(path) = &self.population {
            let (table, joined) = requirements::join_population(
                &*self.session.engine(),
                &counted.table,
                path,
                policy,
                observer,
            )?;
            counted.table = table;
            population = Some(joined);
        }
        let principle_context = self.bound.principle_context(&counted.table, population.clone())?;
        let specs = policy.principles.iter();
        let mut requirements = principle_context.requirements(policy, specs, &counted.table)?;
        if let Some(people) = people_of(&self.bound, &counted, observer)? {
            let specs = policy.principles.iter();
            let again = principle_context.requirements(policy, specs, &counted.table)?;
            requirements.extend(of_people(again, &people));
        }
        let warnings = principle_context.warnings(policy, &counted.table);
        let mut warnings: Vec<String> =
            warnings.iter().map(|it| table_warnings::in_words(it, self.values)).collect();
        // What is no CSV file, a spreadsheet reads as what it is.
        let output = &policy.output;
        let is_csv = output.format == OutputFormat::Csv && output.table.is_none();
        let is_safe = output.spreadsheet_safe || !is_csv;
        warnings.extend(table_warnings::spellings(&counted, is_safe));
        Ok(LoadedTable { counted, population, requirements, warnings })
    }

    /// Tells a table that is not in files what it is going to be asked, with or without what is looked at besides the counts.
    fn expect(&self, with_profiles: bool) -> Result<(), Error> {
        let Some(table) = self.bound.input.table() else { return Ok(()) };
        let mut questions = self.bound.questions();
        if with_profiles {
            questions.extend(table_profile::question(&self.bound.input, self.policy()));
        }
        Ok(table.expect(&questions)?)
    }

    /// Counts the table and lays the policy over it.
    pub(crate) fn prepare(&self, observer: &dyn Observer) -> Result<PreparedTable, Error> {
        self.expect(true)?;
        let LoadedTable { mut counted, population, requirements, mut warnings } =
            self.load(observer)?;
        let scanned = table_profile::scan_uncounted(&self.bound.input, self.policy(), observer)?;
        table_profile::gate(self.policy(), &counted.table, &scanned)?;
        warnings.extend(self.method.table_warnings(&self.bound, &counted.table));
        counted.table = self.method.apply(&self.bound, counted.table)?;
        let file = self.policy();
        let policy = Policy {
            hierarchies: self.bound.hierarchies(&counted.table)?,
            requirements,
            suppression_limit: file.recoding.suppression_limit,
            suppressed: file.recoding.suppression,
            published: self.class_column(),
        };
        self.bound.level_bounds(&policy)?;
        warnings.extend(table_warnings::not_limited(&self.bound));
        warnings.extend(table_profile::warnings(self.policy(), &scanned));
        let repeated = table_profile::repeated(self.policy(), &scanned);
        let mut prepared = PreparedTable::new(counted, policy, population, warnings);
        prepared.repeated = repeated;
        Ok(prepared)
    }

    fn class_column(&self) -> ClassColumn {
        match self.policy().output.class_column {
            Some(_) => ClassColumn::Published,
            None => ClassColumn::Absent,
        }
    }

    /// As [`Job::prepare`], for questions of which several are asked about a table: where counts are kept, so is what was prepared for the
    /// same columns and hierarchies. Its principles and its limit may be those of another policy, and its warnings were told.
    pub(crate) fn prepared(&self, observer: &dyn Observer) -> Result<Arc<PreparedTable>, Error> {
        if self.population.is_some() {
            return Ok(Arc::new(self.prepare(observer)?));
        }
        self.bound.input.cached_answer(format!("prepared {}", self.key_of_prepared()), || {
            let prepared = self.prepare(observer)?;
            let n_bytes = prepared.n_bytes();
            Ok((prepared, n_bytes))
        })
    }

    /// The same with the principles and the limit of this policy.
    pub(crate) fn prepared_for_questions(
        &self,
        observer: &dyn Observer,
    ) -> Result<PreparedTable, Error> {
        let mut prepared = self.prepared(observer)?.again();
        self.relay(&mut prepared)?;
        Ok(prepared)
    }

    /// Changes with everything that the table, its hierarchies and the people in it depend on besides the bytes of the files.
    pub(crate) fn key_of_prepared(&self) -> String {
        let (bound, policy) = (&self.bound, self.policy());
        format!(
            "{:?} {:?} {:?} {:?} {:?} {:?}",
            policy.input,
            policy.attributes,
            policy.people,
            bound.rules,
            bound.taxonomies,
            bound.plan
        )
    }

    /// Takes up another text of the policy, with the same attributes and hierarchies; nothing changes after an error.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub(crate) fn reword(&mut self, text: &str) -> Result<(), PolicyErrors> {
        let (name, methods) = ("the policy as it was changed", self.session.methods());
        let file = PolicyFile::parse_with(&methods.kinds(), self.purpose, text, name)?;
        let columns: Vec<String> =
            self.bound.input.columns().iter().map(|column| column.name.clone()).collect();
        file.bind(&columns)?;
        self.method = methods.of_kind(file.recoding.method);
        self.bound.file = file;
        Ok(())
    }

    /// Lays this policy over a table that was counted for one with the same attributes and hierarchies.
    pub(crate) fn relay(&self, prepared: &mut PreparedTable) -> Result<(), Error> {
        let (policy, table) = (&mut prepared.policy, &prepared.counted.table);
        let build = || self.bound.requirements(table, prepared.population.clone());
        let people = policy.requirements.iter().find_map(|it| it.people.clone());
        policy.requirements = build()?;
        if let Some(people) = people {
            policy.requirements.extend(of_people(build()?, &people));
        }
        policy.suppression_limit = self.policy().recoding.suppression_limit;
        policy.suppressed = self.policy().recoding.suppression;
        policy.published = self.class_column();
        Ok(())
    }

    /// What the policy declares for a quasi-identifier.
    pub(crate) fn rule(&self, attribute: &str) -> Result<&HierarchyRule, Error> {
        let found = self.bound.rules.iter().find(|(name, _)| name == attribute);
        found.map(|(_, rule)| rule).ok_or_else(|| Error::NoSuchAttribute {
            name: attribute.to_owned(),
            known: self.bound.rules.iter().map(|(name, _)| name.clone()).collect(),
        })
    }

    /// The values of one column.
    pub(crate) fn count_column(
        &self,
        column: &str,
        observer: &dyn Observer,
    ) -> Result<FrequencyTable, Error> {
        count_column(&self.bound.input, column, observer)
    }
}

/// Requirements on people in place of rows.
fn of_people(
    requirements: Vec<Requirement>,
    people: &Arc<People>,
) -> impl Iterator<Item = Requirement> {
    let of_people = requirements.into_iter().map(|it| it.of_people(Arc::clone(people)));
    of_people.map(|it| it.expect("a policy asks for no other of people"))
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
