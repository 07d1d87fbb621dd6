//! Walks a table of the TOML tree according to its key specification.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use toml::de::DeTable;
use toml_edit::Value as TomlValue;

use super::keys::TableSpec;
use super::suggest::UnknownWord;
use super::tree::in_file_order;
use super::value::{self, KeyValue, Value};
use super::words::ExplainedWord;
use super::{Code, Problem};

/// A struct that is read from a table of keys and can be written to such a table.
pub(crate) trait KeyTable: Sized {
    /// The specification of the table.
    const SPEC: &'static TableSpec;

    /// Reads the keys. Missing and invalid keys have their default values.
    fn read(section: &Section<'_>) -> Self;

    /// Returns the keys that are set, with their values.
    fn entries(&self) -> Vec<(&'static str, TomlValue)>;
}

/// A collector of problems and of the locations of keys.
pub(crate) struct Walker {
    /// The methods that a policy may name.
    methods: Vec<ExplainedWord>,
    pub(super) problems: Vec<Problem>,
    pub(crate) spans: BTreeMap<Vec<String>, Range<usize>>,
}

/// A table with its valid keys and values. All invalid keys have been reported.
#[derive(Clone)]
pub(super) struct Section<'t> {
    spec: &'static TableSpec,
    path: Vec<String>,
    values: BTreeMap<&'static str, (Value<'t>, Range<usize>)>,
    bad: BTreeSet<&'static str>,
}

impl Walker {
    pub(super) fn new(methods: Vec<ExplainedWord>) -> Self {
        Self { methods, problems: Vec::new(), spans: BTreeMap::new() }
    }

    pub(crate) fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Reports a problem with its help.
    pub(crate) fn wrong(
        &mut self,
        code: Code,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report(Problem::at(code, span, message).help(help));
    }

    pub(super) fn mark(&mut self, path: &[String], span: Range<usize>) {
        self.spans.insert(path.to_vec(), span);
    }

    /// Checks the keys of a table and the types of their values.
    pub(super) fn section<'t>(
        &mut self,
        spec: &'static TableSpec,
        path: &[String],
        table: &'t DeTable<'t>,
    ) -> Section<'t> {
        let mut section = Section::new(spec, path.to_vec());
        for entry in in_file_order(table) {
            let Some(key) = spec.key(entry.key) else {
                let known: Vec<&str> = spec.keys.iter().map(|key| key.name).collect();
                let of = if path.is_empty() {
                    String::new()
                } else {
                    format!(" of '{}'", path.join("."))
                };
                self.report(
                    UnknownWord {
                        place: spec.path,
                        word: entry.key,
                        what: "key",
                        of: &of,
                        known: &known,
                        span: entry.key_span,
                    }
                    .problem(),
                );
                continue;
            };
            let mut here = path.to_vec();
            here.push(entry.key.to_owned());
            let is_table = entry.value.get_ref().is_table();
            let span = if is_table { entry.key_span } else { entry.value.span() };
            self.mark(&here, span.clone());
            let place = format!("{}.{}", spec.path, key.name);
            let reader = value::Reader {
                kind: key.kind,
                path: &here.join("."),
                place: &place,
                methods: &self.methods,
            };
            match reader.read(entry.value) {
                Ok(value) => {
                    section.values.insert(key.name, (value, span));
                }
                Err(problems) => {
                    self.problems.extend(problems);
                    section.bad.insert(key.name);
                }
            }
        }
        section
    }

    /// Reads a section of the document, if the file contains this section.
    pub(super) fn table<'t, T: KeyTable>(
        &mut self,
        parent: &Section<'t>,
        key: &str,
    ) -> Option<(Section<'t>, T)> {
        let section = self.section(T::SPEC, &parent.path_of(key), parent.table(key)?);
        let read = T::read(&section);
        Some((section, read))
    }

    /// Reads a section of the document, or returns the defaults if the file does not have the
    /// section.
    pub(super) fn table_or_default<'t, T: KeyTable>(
        &mut self,
        parent: &Section<'t>,
        key: &str,
    ) -> (Section<'t>, T) {
        self.table(parent, key).unwrap_or_else(|| {
            let absent = Section::new(T::SPEC, parent.path_of(key));
            let read = T::read(&absent);
            (absent, read)
        })
    }

    /// Reports a required key that is missing.
    pub(super) fn require(&mut self, section: &Section<'_>, key: &str, help: impl Into<String>) {
        if !section.is_stated(key) {
            let mut here = section.path.clone();
            here.push(key.to_owned());
            let span = self.spans.get(&section.path).cloned();
            let message = format!("'{}' is missing", here.join("."));
            let problem = Problem { span, ..Problem::of_file(Code::MissingKey, message) };
            self.report(problem.help(help));
        }
    }
}

impl<'t> Section<'t> {
    fn new(spec: &'static TableSpec, path: Vec<String>) -> Self {
        Self { spec, path, values: BTreeMap::new(), bad: BTreeSet::new() }
    }

    /// Returns the section without the given keys, which then have their default values.
    pub(super) fn without(&self, keys: &[&str]) -> Self {
        let mut section = self.clone();
        section.values.retain(|key, _| !keys.contains(key));
        section
    }

    /// Returns the path of a key of this table.
    pub(super) fn path_of(&self, key: &str) -> Vec<String> {
        let mut path = self.path.clone();
        path.push(key.to_owned());
        path
    }

    /// Returns whether the file contains the key with a valid or invalid value.
    pub(super) fn is_stated(&self, key: &str) -> bool {
        self.values.contains_key(key) || self.bad.contains(key)
    }

    /// Returns whether the file contains the key with an invalid value.
    pub(super) fn is_bad(&self, key: &str) -> bool {
        self.bad.contains(key)
    }

    /// Returns the location of the value of a key, if the value is valid.
    pub(super) fn span(&self, key: &str) -> Option<Range<usize>> {
        self.values.get(key).map(|(_, span)| span.clone())
    }

    fn value(&self, key: &str) -> Option<&Value<'t>> {
        debug_assert!(self.spec.key(key).is_some(), "no key '{key}'");
        self.values.get(key).map(|(value, _)| value)
    }

    /// Returns the value of a key, if the file contains a valid value.
    pub(super) fn read<T: KeyValue>(&self, key: &str) -> Option<T> {
        self.value(key).and_then(T::read)
    }

    pub(super) fn word(&self, key: &str) -> Option<&str> {
        self.value(key)?.word()
    }

    pub(super) fn any(&self, key: &str) -> Option<&Value<'t>> {
        self.value(key)
    }

    pub(super) fn table(&self, key: &str) -> Option<&'t DeTable<'t>> {
        match self.value(key)? {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }
}
