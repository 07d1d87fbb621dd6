//! Reading and counting the released rows.

use std::path::{Path, PathBuf};

use indistinct_core::model::CountedColumn;
use indistinct_core::{Dictionary, FrequencyTable, Observer, Role, TwoTables};
use indistinct_engine::{CountRequest, Engine, EngineError, Input, InputSpec};
use indistinct_labels::formulas::{guarded, unguarded};
use indistinct_policy::PolicyFile;

use crate::certificate::{Certificate, ReleasedColumn};
use crate::error::ReadProblem;
use crate::{ReleaseError, engine, files};

/// The released rows, counted.
#[derive(Debug)]
pub struct Rows {
    /// The rows, counted by the labels of the quasi-identifiers.
    pub by_labels: FrequencyTable,
    /// The information that distinguishes classes.
    pub classes: ByClass,
}

/// The information that distinguishes classes.
#[derive(Debug)]
pub enum ByClass {
    /// The labels of the quasi-identifiers.
    Labels,
    /// The rows, with the class column counted as an additional quasi-identifier in the
    /// last position.
    Column(FrequencyTable),
    /// The class column, which joins two tables.
    Tables {
        /// The joined tables.
        joined: TwoTables,
        /// The rows, counted by their quasi-identifiers and by the class column, which is the
        /// last column.
        people: FrequencyTable,
    },
}

impl Rows {
    /// Returns the rows, counted by all columns that distinguish classes.
    pub fn by_class(&self) -> &FrequencyTable {
        match &self.classes {
            ByClass::Labels => &self.by_labels,
            ByClass::Column(with_class) => with_class,
            ByClass::Tables { joined, .. } => joined.by_class(),
        }
    }

    /// Returns whether two tables were joined. If two tables were joined, only the class
    /// distinguishes their rows.
    pub fn are_joined(&self) -> bool {
        matches!(self.classes, ByClass::Tables { .. })
    }

    /// Returns the class numbers in the order of their codes. The list is empty if the release is
    /// not a single table with a class column.
    pub fn class_numbers(&self) -> Vec<String> {
        match &self.classes {
            ByClass::Column(with_class) => {
                let class = with_class.quasi_identifiers().last();
                class.map_or(Vec::new(), |class| class.dictionary.values().to_vec())
            }
            ByClass::Labels | ByClass::Tables { .. } => Vec::new(),
        }
    }
}

/// A reader for the rows of a release.
pub struct Reader<'a> {
    directory: &'a Path,
    certificate: &'a Certificate,
    policy: &'a PolicyFile,
    /// The rows, if they are in a database.
    rows: Option<&'a Input>,
    observer: &'a dyn Observer,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        directory: &'a Path,
        certificate: &'a Certificate,
        policy: &'a PolicyFile,
        rows: Option<&'a Input>,
        observer: &'a dyn Observer,
    ) -> Self {
        Self { directory, certificate, policy, rows, observer }
    }

    pub(crate) fn one_table(&self) -> Result<Rows, ReleaseError> {
        let file = files::data(self.policy.output.format.name());
        let input = self.open(&file, &self.column_names(|_| true))?;
        let mut request = CountRequest {
            quasi_identifiers: self.policy.names(Role::QuasiIdentifier),
            sensitive: self.policy.names(Role::Sensitive),
            alike: self.policy.merged_spellings(),
            ..CountRequest::default()
        };
        let by_labels = self.count(&input, &request)?;
        let classes = match &self.policy.output.class_column {
            None => ByClass::Labels,
            Some(class_column) => {
                request.quasi_identifiers.push(class_column.clone());
                ByClass::Column(self.count(&input, &request)?)
            }
        };
        Ok(Rows { by_labels, classes })
    }

    pub(crate) fn two_tables(&self) -> Result<Rows, ReleaseError> {
        let [people, lines] = files::tables(self.policy.output.format.name());
        let class_column = self.policy.output.class_column.clone();
        let class_column = class_column.expect("a policy with two tables has a class column");
        let sensitive = self.policy.names(Role::Sensitive);
        let sensitive =
            sensitive.first().expect("a policy with two tables has one sensitive attribute");

        let columns = self.column_names(|column| column.role != Some(Role::Sensitive));
        let people = self.open(&people, &columns)?;
        let [value, count] = indistinct_core::recoding::COLUMNS_OF_SENSITIVE.map(str::to_owned);
        let lines = self.open(&lines, &[class_column.clone(), value.clone(), count.clone()])?;

        let mut request = CountRequest {
            quasi_identifiers: self.policy.names(Role::QuasiIdentifier),
            ..CountRequest::default()
        };
        let by_labels = self.count(&people, &request)?;
        request.quasi_identifiers.push(class_column.clone());
        let people = self.count(&people, &request)?;
        let request = CountRequest {
            quasi_identifiers: vec![class_column],
            sensitive: vec![value.clone(), count],
            alike: if self.policy.merged_spellings().is_empty() { Vec::new() } else { vec![value] },
            ..CountRequest::default()
        };
        let lines = self.count(&lines, &request)?;
        let joined = TwoTables::join(&people, &lines, sensitive);
        let joined = joined.map_err(indistinct_core::Error::from)?;
        Ok(Rows { by_labels, classes: ByClass::Tables { joined, people } })
    }

    /// Returns the names of the certificate columns that satisfy a condition.
    fn column_names(&self, is_meant: impl Fn(&ReleasedColumn) -> bool) -> Vec<String> {
        let columns = self.certificate.claims.columns.iter();
        columns.filter(|column| is_meant(column)).map(|column| column.name.clone()).collect()
    }

    /// Opens a file of rows and checks its columns.
    fn open(&self, file: &str, columns: &[String]) -> Result<Input, ReleaseError> {
        let input = match (&self.policy.output.table, self.rows) {
            (Some(_), Some(rows)) => rows.clone(),
            (Some(table), None) => return Err(ReleaseError::InDatabase { table: table.clone() }),
            (None, _) if !self.certificate.claims.sha256.contains_key(file) => {
                return Err(ReleaseError::NoData { path: self.directory.to_owned() });
            }
            (None, _) => open_file(self.directory, self.policy, file)?,
        };
        match input.columns().iter().map(|column| &column.name).eq(columns) {
            true => {
                // Only counted columns must have plain values. Unchanged columns may use any
                // notation.
                let is_counted = |name: &&String| {
                    let named = self.certificate.claims.columns.iter().find(|it| it.name == **name);
                    named.is_some_and(|column| {
                        matches!(column.role, Some(Role::QuasiIdentifier | Role::Sensitive))
                    })
                };
                let counted: Vec<String> = columns.iter().filter(is_counted).cloned().collect();
                input.check_plain(&counted, self.observer)?;
                Ok(input)
            }
            false => Err(ReleaseError::Columns { path: PathBuf::from(file) }),
        }
    }

    /// Counts released rows. An empty table is allowed in a release, but not as an input.
    fn count(&self, input: &Input, request: &CountRequest) -> Result<FrequencyTable, ReleaseError> {
        let empty = |names: &[String]| {
            names
                .iter()
                .map(|name| CountedColumn {
                    name: name.clone(),
                    dictionary: Dictionary::from_distinct(Vec::new()).0,
                    codes: Vec::new(),
                })
                .collect()
        };
        match engine().count(input, request, self.observer) {
            Err(EngineError::NoRows { .. }) => {
                let (known, sensitive) =
                    (empty(&request.quasi_identifiers), empty(&request.sensitive));
                Ok(FrequencyTable::new(known, sensitive, Vec::new())
                    .expect("an empty table is valid"))
            }
            counted => self.as_they_were(counted?.table),
        }
    }

    /// Removes the spreadsheet escapes from the cells in a table.
    fn as_they_were(&self, table: FrequencyTable) -> Result<FrequencyTable, ReleaseError> {
        if !self.policy.output.spreadsheet_safe {
            return Ok(table);
        }
        let columns = |columns: &[CountedColumn]| -> Result<Vec<CountedColumn>, ReleaseError> {
            let column = |column: &CountedColumn| {
                let values = column.dictionary.values();
                if values.iter().any(|cell| guarded(unguarded(cell)) != *cell) {
                    return Err(not_guarded(self.directory));
                }
                let values = values.iter().map(|cell| unguarded(cell).to_owned()).collect();
                let (dictionary, place) = Dictionary::from_distinct(values);
                let codes = column.codes.iter().map(|&code| place[code as usize]).collect();
                Ok(CountedColumn { name: column.name.clone(), dictionary, codes })
            };
            columns.iter().map(column).collect()
        };
        let (known, sensitive) = (columns(table.quasi_identifiers())?, columns(table.sensitive())?);
        let counts = table.counts().to_vec();
        Ok(FrequencyTable::new(known, sensitive, counts).expect("the renamed codes are valid"))
    }
}

/// Opens a file of rows and removes the spreadsheet escapes from its column names.
pub(crate) fn open_file(
    directory: &Path,
    policy: &PolicyFile,
    file: &str,
) -> Result<Input, ReleaseError> {
    let input = Input::open_released(&InputSpec {
        path: directory.join(file),
        delimiter: policy.output.delimiter,
        ..InputSpec::default()
    })?;
    if !policy.output.spreadsheet_safe {
        return Ok(input);
    }
    if input.columns().iter().any(|column| guarded(unguarded(&column.name)) != column.name) {
        return Err(not_guarded(directory));
    }
    Ok(input.renamed(|name| unguarded(name).to_owned()))
}

fn not_guarded(directory: &Path) -> ReleaseError {
    let reason = ReadProblem::UnsafeCells;
    ReleaseError::Unreadable { path: directory.to_owned(), reason }
}
