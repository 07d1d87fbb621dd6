//! A policy with its table.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indistinct_core::hierarchy::HierarchyRule;
use indistinct_core::model::Population;
use indistinct_core::{
    ClassColumn, Coarsening, FrequencyTable, MISSING, Observer, People, Policy, Requirement, Role,
    coarsening,
};
use indistinct_diagnostics::warning::Warning;
use indistinct_engine::output::{OutputFormat as RowFormat, PrivateLocation};
use indistinct_engine::{
    CountRequest, CountedRows, Engine, EngineError, Format, Input, InputColumn, InputSpec,
    SkippedRows, TableError, TableRef, placed,
};
use indistinct_methods::{
    BoundPolicy, Key, Method, PreparedTable, Task, people_of, table_warnings,
};
use indistinct_profiling::table_profile;
use indistinct_release::requirements;
use indistinct_release::rules;

use crate::Values;
use crate::error::Error;
use crate::files;
use crate::given;
use crate::policy::{Code, Form, OutputFormat, PolicyErrors, PolicyFile, PrincipleSpec, Purpose};
use crate::session::Session;

/// A policy with its table: the input of every command that requires a policy.
#[derive(Debug)]
pub struct Job {
    session: Session,
    bound: BoundPolicy,
    /// The table without coarsening, if the policy coarsens columns.
    exact: Option<Input>,
    input_path: PathBuf,
    population: Option<PathBuf>,
    method: &'static dyn Method,
    purpose: Purpose,
    values: Values,
    private: PrivateLocation,
}

/// The text of a policy, which need not be stored in a file.
#[derive(Debug, Clone, Copy)]
pub struct PolicyText<'a> {
    /// The text of the policy.
    pub text: &'a str,
    /// The name of the policy in messages.
    pub name: &'a str,
    /// The base folder of relative paths in the policy.
    pub folder: &'a Path,
}

/// The purpose for which a policy and its table are opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// Creating a release of the table.
    Release,
    /// Evaluating the table without changing it.
    Check,
    /// Creating the plan that the policy names. The plan file need not exist yet.
    Plan,
}

/// The counted rows of a table, with the principles that were constructed for them.
#[derive(Debug)]
pub(crate) struct Counted<'a> {
    job: &'a Job,
    pub(crate) counted: CountedRows,
    population: Option<Arc<Population>>,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) warnings: Vec<Warning>,
}

/// The input of a search: the prepared table of a job, and the key for all random choices.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) table: PreparedTable,
    pub(crate) key: Key,
}

impl Prepared {
    pub(crate) fn new(job: &Job, table: PreparedTable) -> Result<Self, Error> {
        let key = Key::new(job.policy().recoding.seed, &table.counted.fingerprint)?;
        Ok(Self { table, key })
    }

    /// Returns the view that methods receive.
    pub(crate) fn task<'a>(&'a self, job: &'a Job) -> Task<'a> {
        Task { bound: &job.bound, prepared: &self.table, key: &self.key }
    }
}

pub(crate) use indistinct_release::engine;

impl Session {
    /// Reads a policy file and opens its table. If `data` is given, opens that table instead.
    ///
    /// # Errors
    /// [`Error`] with all problems in the policy, or with the reason why the table cannot be
    /// opened.
    pub fn open(&self, policy: &Path, data: Option<&Path>) -> Result<Job, Error> {
        Job::open_file(self, policy, data.map(TableRef::At), Aim::Check)
    }

    /// Reads a policy file like [`Session::open`], but accepts columns for which the data holder
    /// has not chosen a role. Columns without a role count as quasi-identifiers, to show the risk
    /// of this choice; the result contains their names.
    ///
    /// # Errors
    /// The same errors as [`Session::open`].
    pub fn open_undecided(&self, policy: &Path) -> Result<(Job, Vec<String>), Error> {
        let text = files::read_text(policy)?;
        let name = policy.display().to_string();
        let folder = policy.parent().unwrap_or(Path::new(""));
        let open = |text: &str| {
            Job::open_text(self, PolicyText { text, name: &name, folder }, None, Aim::Check)
        };
        match open(&text) {
            Err(Error::Policy(errors)) => match with_roles(&text, &errors) {
                Some((decided, undecided)) => Ok((open(&decided)?, undecided)),
                None => Err(Error::Policy(errors)),
            },
            opened => Ok((opened?, Vec::new())),
        }
    }

    /// Reads a policy file and opens its table, to create the plan that the policy names.
    ///
    /// # Errors
    /// The same errors as [`Session::open`].
    pub fn open_to_plan(&self, policy: &Path) -> Result<Job, Error> {
        Job::open_file(self, policy, None, Aim::Plan)
    }

    /// Reads a policy from its text and opens its table. If `data` is given, opens that table
    /// instead.
    ///
    /// # Errors
    /// The same errors as [`Session::open`].
    pub fn open_text(
        &self,
        policy: PolicyText<'_>,
        data: Option<TableRef<'_>>,
        aim: Aim,
    ) -> Result<Job, Error> {
        Job::open_text(self, policy, data, aim)
    }
}

/// Assigns the quasi-identifier role to columns without a role, and returns the names of the
/// changed columns. Returns `None` if the policy has other problems.
fn with_roles(text: &str, errors: &PolicyErrors) -> Option<(String, Vec<String>)> {
    let mut decided = text.to_owned();
    let mut spans = Vec::new();
    for problem in &errors.problems {
        spans.push(problem.span.clone().filter(|_| problem.code == Code::Unanswered)?);
    }
    spans.sort_by_key(|span| std::cmp::Reverse(span.start));
    spans.dedup();
    for span in spans {
        decided.replace_range(span, "\"quasi-identifier\"");
    }
    let table: toml::Table = text.parse().ok()?;
    let attributes = table.get("attributes")?.as_table()?.iter();
    let is_undecided =
        |attribute: &toml::Value| attribute.get("role").and_then(toml::Value::as_str) == Some("?");
    let undecided = attributes.filter(|(_, it)| is_undecided(it)).map(|(name, _)| name.clone());
    Some((decided, undecided.collect()))
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
        let named = || file.input.path.as_ref().expect("the policy was opened with a table");
        let table = match data {
            // A table passed by the caller may have a different format, which its file name
            // determines.
            Some(table) => InputSpec::from(table),
            None => InputSpec {
                path: placed(folder, named()),
                format: file.input.format,
                ..InputSpec::default()
            },
        };
        let input_path = table.path.clone();
        // A table that replaces the table of the policy may have no rows around the column names.
        let may_skip = data.is_none() || table.has_header();
        // The keys `table` and `query` do not apply to a file that replaces a database table.
        let in_database = data.is_none() || table.is_address() || table.is_spreadsheet();
        let spec = InputSpec {
            table: file.input.table.clone().filter(|_| in_database),
            query: file.input.query.clone().filter(|_| in_database),
            counts: file.input.count_column.clone(),
            delimiter: file.input.delimiter,
            encoding: file.input.encoding,
            skipped_rows: if may_skip { skipped_rows(&file) } else { SkippedRows::default() },
            null_values: file.input.null_values.clone(),
            column_null_values: file.column_null_values(),
            written: file.notations(),
            ..table
        };
        spec.check_for_database()?;
        // The delimiter in the policy does not apply to another table.
        let input = match data {
            Some(_) => given::open_by_policy(engine.as_ref(), spec)?,
            None => engine.open(&spec)?,
        };
        let columns: Vec<String> =
            input.columns().iter().map(|column| column.name.clone()).collect();
        file.bind(&columns)?;
        let (input, exact) = coarsened(input, &file, session.observer())?;
        let (rules, taxonomies) = rules::of_policy(&file, folder)?;
        let population = population_path(&file)?.map(|path| folder.join(path));
        let method = methods.of_kind(file.recoding.method);
        let plan = match aim {
            Aim::Release | Aim::Check => method.read_plan(&mut file, folder)?,
            Aim::Plan => None,
        };
        let folder = folder.to_owned();
        let bound = BoundPolicy { file, folder, input, rules, taxonomies, plan };
        Ok(Self {
            session: session.clone(),
            bound,
            exact,
            input_path,
            population,
            method,
            purpose,
            values: Values::Hidden,
            private: PrivateLocation::default(),
        })
    }

    /// Sets whether the warnings of this job may contain cells from the table.
    pub fn with_values(self, values: Values) -> Self {
        Self { values, ..self }
    }

    /// Sets the location of the private directory of the release.
    #[must_use]
    pub fn with_private(self, private: PrivateLocation) -> Self {
        Self { private, ..self }
    }

    /// Returns the location of the private directory of the release.
    pub(crate) fn private(&self) -> &PrivateLocation {
        &self.private
    }

    /// Replaces the seed of the policy if `seed` is set.
    ///
    /// # Panics
    /// If `seed` exceeds `i64::MAX`, which a policy cannot represent.
    pub fn with_seed(mut self, seed: Option<u64>) -> Self {
        assert!(
            seed.is_none_or(|seed| i64::try_from(seed).is_ok()),
            "a policy can represent the seed"
        );
        let recoding = &mut self.bound.file.recoding;
        recoding.seed = seed.or(recoding.seed);
        self
    }

    /// Returns the columns of the table, in order.
    pub fn columns(&self) -> &[InputColumn] {
        self.bound.input.columns()
    }

    /// Returns warnings about parts of the policy that are accepted but probably not intended.
    pub fn policy_warnings(&self) -> PolicyErrors {
        self.bound.file.warnings()
    }

    /// Returns the parsed policy.
    pub fn policy(&self) -> &PolicyFile {
        &self.bound.file
    }

    /// Returns the recoding method of the policy.
    pub(crate) fn method(&self) -> &'static dyn Method {
        self.method
    }

    /// Returns the session of this job.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Moves this job to another session without opening its table again.
    #[must_use]
    pub fn in_session(self, session: &Session) -> Self {
        Self { session: session.clone(), ..self }
    }

    /// Runs a request about this job.
    pub(crate) fn run<T: Send>(
        &self,
        question: impl FnOnce(&dyn Observer) -> Result<T, Error> + Send,
    ) -> Result<T, Error> {
        self.session.run(question)
    }

    /// Returns the database table for the released rows, if the policy names such a table. Returns
    /// an error if the rows cannot be written to the table.
    pub(crate) fn output_table(&self) -> Result<Option<&str>, Error> {
        let Some(table) = &self.policy().output.table else { return Ok(None) };
        let what = match self.policy().recoding.method.form {
            _ if self.bound.input.table().is_none() => "an output table for an input in files",
            Form::TwoTables => "a release of two tables",
            Form::Versions => "a version of a growing table",
            Form::Perturbed | Form::Masked
                if self.policy().attributes_of(Role::Insensitive).next().is_some() =>
            {
                "a method with random values for a table with insensitive columns"
            }
            _ => return Ok(Some(table)),
        };
        Err(EngineError::Table(TableError::NotServed { what }).into())
    }

    /// Returns the format of the released data files.
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

    /// Checks that the output format supports the given number of rows, which is `None` if it is
    /// not known yet.
    pub(crate) fn check_output(&self, n_rows: Option<u64>) -> Result<(), Error> {
        match self.output_table()? {
            Some(_) => Ok(()),
            None => Ok(self.output_format().check(n_rows.unwrap_or(0))?),
        }
    }

    /// Returns the path of the table.
    pub fn input_path(&self) -> &Path {
        &self.input_path
    }

    /// Returns the path of the population table, if the policy names one.
    pub(crate) fn population_path(&self) -> Option<&Path> {
        self.population.as_deref()
    }

    /// Returns the policy and its table in the form that methods use.
    pub(crate) fn bound(&self) -> &BoundPolicy {
        &self.bound
    }

    /// Counts the table, joins the population if the policy names one, and constructs the
    /// principles.
    pub(crate) fn count(&self, observer: &dyn Observer) -> Result<Counted<'_>, Error> {
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
        let mut of_identifiers = None;
        if let Some((people, warning)) = people_of(&self.bound, &counted, observer)? {
            of_identifiers = warning;
            let specs = policy.principles.iter();
            let again = principle_context.requirements(policy, specs, &counted.table)?;
            requirements.extend(of_people(again, &people));
        }
        let warnings = principle_context.warnings(policy, &counted.table);
        let of_principle = |it| table_warnings::of_principle(it, self.values);
        let mut warnings: Vec<Warning> = warnings.into_iter().map(of_principle).collect();
        // Spreadsheet programs interpret only cells in CSV files as formulas.
        let output = &policy.output;
        let is_csv = output.format == OutputFormat::Csv && output.table.is_none();
        let is_safe = output.spreadsheet_safe || !is_csv;
        warnings.extend(table_warnings::spellings(&counted, is_safe));
        warnings.extend(of_identifiers);
        warnings.extend(table_warnings::second_header(&self.bound.input));
        let smallest_sizes = requirements.iter().map(|it| it.principle.smallest_size());
        warnings.extend(table_warnings::revealing_labels(policy, smallest_sizes));
        Ok(Counted { job: self, counted, population, requirements, warnings })
    }

    /// Announces all upcoming queries to a table in a database, optionally including those for
    /// column profiles.
    fn expect(&self, with_profiles: bool) -> Result<(), Error> {
        let Some(table) = self.bound.input.table() else { return Ok(()) };
        let mut questions = self.bound.questions();
        if with_profiles {
            questions.extend(table_profile::question(&self.bound.input, self.policy()));
        }
        Ok(table.expect(&questions)?)
    }

    /// Counts the table and applies the policy to it.
    pub(crate) fn prepare(&self, observer: &dyn Observer) -> Result<PreparedTable, Error> {
        self.expect(true)?;
        self.count(observer)?.prepare(observer)
    }

    fn class_column(&self) -> ClassColumn {
        match self.policy().output.class_column {
            Some(_) => ClassColumn::Published,
            None => ClassColumn::Absent,
        }
    }

    /// Prepares the table like [`Job::prepare`], for several requests about one table. With a
    /// cache, the prepared table is cached by its columns and hierarchies. A cached table may have
    /// the principles and the suppression limit of another policy. Its warnings were reported
    /// earlier.
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

    /// Returns the cached prepared table with the principles and the suppression limit of this
    /// policy.
    pub(crate) fn prepared_for_questions(
        &self,
        observer: &dyn Observer,
    ) -> Result<Prepared, Error> {
        let mut prepared = self.prepared(observer)?.again();
        self.relay(&mut prepared)?;
        Prepared::new(self, prepared)
    }

    /// Returns a cache key that covers all settings of the table, its hierarchies, and its people,
    /// but not the content of files.
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

    /// Replaces the text of the policy with text that has the same attributes and hierarchies. If
    /// an error occurs, nothing changes.
    ///
    /// # Errors
    /// Returns the problems found in the text.
    pub(crate) fn reword(&mut self, text: &str) -> Result<(), PolicyErrors> {
        let (name, methods) = ("the changed policy", self.session.methods());
        let file = PolicyFile::parse_with(&methods.kinds(), self.purpose, text, name)?;
        let columns: Vec<String> =
            self.bound.input.columns().iter().map(|column| column.name.clone()).collect();
        file.bind(&columns)?;
        self.method = methods.of_kind(file.recoding.method);
        self.bound.file = file;
        Ok(())
    }

    /// Applies this policy to a table that was counted for a policy with the same attributes and
    /// hierarchies.
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

    /// Returns the policy's hierarchy declaration of a quasi-identifier.
    pub(crate) fn rule(&self, attribute: &str) -> Result<&HierarchyRule, Error> {
        let found = self.bound.rules.iter().find(|(name, _)| name == attribute);
        found.map(|(_, rule)| rule).ok_or_else(|| Error::NoSuchAttribute {
            name: attribute.to_owned(),
            known: self.bound.rules.iter().map(|(name, _)| name.clone()).collect(),
        })
    }

    /// Returns the loss of each column that the policy coarsens.
    pub(crate) fn coarsening_loss(
        &self,
        observer: &dyn Observer,
    ) -> Result<BTreeMap<String, f64>, Error> {
        let Some(exact) = &self.exact else { return Ok(BTreeMap::new()) };
        let mut losses = BTreeMap::new();
        for (name, coarsening) in self.policy().coarsenings() {
            let table = count_column(exact, &name, observer)?;
            let values = numbers_of(&table);
            let coarsening = coarsening.resolved(values.iter().copied());
            let loss = coarsening.and_then(|it| coarsening::loss(values.iter().copied(), &it));
            losses.extend(loss.map(|loss| (name, loss)));
        }
        Ok(losses)
    }

    /// Counts the values of one column.
    pub(crate) fn count_column(
        &self,
        column: &str,
        observer: &dyn Observer,
    ) -> Result<FrequencyTable, Error> {
        count_column(&self.bound.input, column, observer)
    }
}

impl Counted<'_> {
    /// Checks the columns of the table, and applies the method and the hierarchies of the policy.
    fn prepare(self, observer: &dyn Observer) -> Result<PreparedTable, Error> {
        let Counted { job, mut counted, population, requirements, mut warnings } = self;
        let (bound, file) = (&job.bound, job.policy());
        let scanned = table_profile::scan_uncounted(&bound.input, file, observer)?;
        table_profile::gate(file, &counted.table, &scanned)?;
        warnings.extend(job.method.table_warnings(bound, &counted.table));
        counted.table = job.method.apply(bound, counted.table)?;
        let policy = Policy {
            hierarchies: bound.hierarchies(&counted.table)?,
            requirements,
            suppression_limit: file.recoding.suppression_limit,
            suppressed: file.recoding.suppression,
            published: job.class_column(),
        };
        bound.level_bounds(&policy)?;
        warnings.extend(table_warnings::not_limited(bound));
        warnings.extend(table_profile::warnings(file, &scanned));
        let mut prepared = PreparedTable::new(counted, policy, population, warnings);
        prepared.repeated = table_profile::repeated(file, &scanned);
        Ok(prepared)
    }
}

/// Converts requirements that count rows to requirements that count people.
fn of_people(
    requirements: Vec<Requirement>,
    people: &Arc<People>,
) -> impl Iterator<Item = Requirement> {
    let of_people = requirements.into_iter().map(|it| it.of_people(Arc::clone(people)));
    of_people.map(|it| it.expect("all requirements of the policy can count people"))
}

/// Returns the rows around the column names that the policy skips.
fn skipped_rows(policy: &PolicyFile) -> SkippedRows {
    SkippedRows {
        before_header: policy.input.skip_rows,
        after_header: policy.input.skip_rows_after_header,
    }
}

/// Returns the path of the population table that the principles name.
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

/// Counts the values of one column of a table.
pub(crate) fn count_column(
    input: &Input,
    column: &str,
    observer: &dyn Observer,
) -> Result<FrequencyTable, Error> {
    let request =
        CountRequest { quasi_identifiers: vec![column.to_owned()], ..CountRequest::default() };
    Ok(engine().count(input, &request, observer)?.table)
}

/// Coarsens the columns of a table as the policy declares. Returns the table and, if the policy
/// coarsens a column, the table without coarsening.
fn coarsened(
    input: Input,
    policy: &PolicyFile,
    observer: &dyn Observer,
) -> Result<(Input, Option<Input>), Error> {
    let mut declared = policy.coarsenings();
    if declared.is_empty() {
        return Ok((input, None));
    }
    // Before counting, check whether the table can be coarsened.
    input.clone().coarsened(&declared)?;
    for (column, coarsening) in &mut declared {
        if matches!(coarsening, Coarsening::Quantiles(_)) {
            let table = count_column(&input, column, observer)?;
            let resolved = coarsening.resolved(numbers_of(&table).into_iter());
            *coarsening =
                resolved.ok_or_else(|| EngineError::NoQuantiles { column: column.clone() })?;
        }
    }
    Ok((input.clone().coarsened(&declared)?, Some(input)))
}

/// Returns the values of a table with one column, each with its number of rows.
fn numbers_of(table: &FrequencyTable) -> Vec<(&str, u64)> {
    let column = &table.quasi_identifiers()[0];
    let values = column.codes.iter().map(|&code| column.dictionary.value(code));
    values.zip(table.counts().iter().copied()).filter(|(value, _)| *value != MISSING).collect()
}
