//! The released rows, read back and counted.

use std::path::{Path, PathBuf};

use indistinct_core::model::CountedColumn;
use indistinct_core::{Dictionary, FrequencyTable, Observer, Role, TwoTables};
use indistinct_engine::{CountRequest, Engine, EngineError, Input, InputSpec, check_plain};
use indistinct_release::certificate::{Certificate, ReleasedColumn};

use super::names;
use crate::error::Error;
use crate::files;
use crate::job::engine;
use crate::policy::{Form, PolicyFile};

/// The released rows, counted.
pub(crate) struct Rows {
    /// By the labels of the quasi-identifiers.
    pub(crate) by_labels: FrequencyTable,
    pub(crate) classes: ByClass,
}

/// What tells classes apart.
pub(crate) enum ByClass {
    /// The labels of the quasi-identifiers.
    Labels,
    /// The class column, which is counted as one more quasi-identifier, the last one.
    Column(FrequencyTable),
    /// The class column, which joins two tables.
    Tables {
        /// The tables, joined.
        joined: TwoTables,
        /// The rows by their quasi-identifiers and, as the last one, the class column.
        people: FrequencyTable,
    },
}

impl Rows {
    /// The rows by all that tells classes apart.
    pub(crate) fn by_class(&self) -> &FrequencyTable {
        match &self.classes {
            ByClass::Labels => &self.by_labels,
            ByClass::Column(with_class) => with_class,
            ByClass::Tables { joined, .. } => joined.by_class(),
        }
    }

    pub(crate) fn read(
        directory: &Path,
        certificate: &Certificate,
        policy: &PolicyFile,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let reader = Reader { directory, certificate, policy, observer };
        match policy.recoding.method.form == Form::TwoTables {
            true => reader.two_tables(),
            false => reader.one_table(),
        }
    }
}

struct Reader<'a> {
    directory: &'a Path,
    certificate: &'a Certificate,
    policy: &'a PolicyFile,
    observer: &'a dyn Observer,
}

impl Reader<'_> {
    fn one_table(&self) -> Result<Rows, Error> {
        let file = files::data(self.policy.output.format.name());
        let input = self.open(&file, &self.column_names(|_| true))?;
        let mut request = CountRequest {
            quasi_identifiers: names(self.policy, Role::QuasiIdentifier),
            sensitive: names(self.policy, Role::Sensitive),
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

    fn two_tables(&self) -> Result<Rows, Error> {
        let [people, lines] = files::tables(self.policy.output.format.name());
        let class_column = self.policy.output.class_column.clone();
        let class_column = class_column.expect("a policy with two tables has a class column");
        let secret = names(self.policy, Role::Sensitive);
        let secret = secret.first().expect("a policy with two tables has one secret");

        let columns = self.column_names(|column| column.role != Some(Role::Sensitive));
        let people = self.open(&people, &columns)?;
        let [value, count] = indistinct_core::recoding::COLUMNS_OF_SENSITIVE.map(str::to_owned);
        let lines = self.open(&lines, &[class_column.clone(), value.clone(), count.clone()])?;

        let mut request = CountRequest {
            quasi_identifiers: names(self.policy, Role::QuasiIdentifier),
            ..CountRequest::default()
        };
        let by_labels = self.count(&people, &request)?;
        request.quasi_identifiers.push(class_column.clone());
        let people = self.count(&people, &request)?;
        let request = CountRequest {
            quasi_identifiers: vec![class_column],
            sensitive: vec![value, count],
            ..CountRequest::default()
        };
        let lines = self.count(&lines, &request)?;
        let joined = TwoTables::join(&people, &lines, secret)?;
        Ok(Rows { by_labels, classes: ByClass::Tables { joined, people } })
    }

    /// The names of columns that the certificate lists.
    fn column_names(&self, is_meant: impl Fn(&ReleasedColumn) -> bool) -> Vec<String> {
        let columns = self.certificate.claims.columns.iter();
        columns.filter(|column| is_meant(column)).map(|column| column.name.clone()).collect()
    }

    /// A file of rows with these columns.
    fn open(&self, file: &str, columns: &[String]) -> Result<Input, Error> {
        if !self.certificate.claims.sha256.contains_key(file) {
            return Err(Error::NoData { path: self.directory.to_owned() });
        }
        let input = Input::open_released(&InputSpec {
            path: self.directory.join(file),
            format: None,
            delimiter: self.policy.output.delimiter,
            null_values: Vec::new(),
        })?;
        match input.columns().iter().map(|column| &column.name).eq(columns) {
            true => {
                // What is published as it was may write its values as it did.
                let is_counted = |name: &&String| {
                    let named = self.certificate.claims.columns.iter().find(|it| it.name == **name);
                    named.is_some_and(|column| {
                        matches!(column.role, Some(Role::QuasiIdentifier | Role::Sensitive))
                    })
                };
                let counted: Vec<String> = columns.iter().filter(is_counted).cloned().collect();
                check_plain(&input, &counted, self.observer)?;
                Ok(input)
            }
            false => Err(Error::ReleasedColumns { path: PathBuf::from(file) }),
        }
    }

    /// Counts released rows. That there are none is an error for an input, but not for a release.
    fn count(&self, input: &Input, request: &CountRequest) -> Result<FrequencyTable, Error> {
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
                let (known, secret) =
                    (empty(&request.quasi_identifiers), empty(&request.sensitive));
                Ok(FrequencyTable::new(known, secret, Vec::new()).expect("no codes without values"))
            }
            counted => Ok(counted?.table),
        }
    }
}
