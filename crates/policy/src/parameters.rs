//! Reads the parameters of a principle, including nested tables, according to their specifications.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use indistinct_core::Rational;
use indistinct_core::principle::{
    Kind, NumberRange, OTHERS, ParameterError, ParameterKind, ParameterSpec, ParameterValue,
    Parameters, Presence, Subject,
};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::sections::with_unnamed_files;
use super::suggest::UnknownWord;
use super::tree::{Entry, in_file_order};
use super::value::{self, NotExact, type_name};
use super::walk::Walker;
use super::write::number;
use super::{Code, Problem, Purpose};

type Given = BTreeMap<String, ParameterValue>;

/// A reader for the parameters of a principle. It ignores the keys that select the attribute.
pub(super) struct Reader<'w> {
    pub(super) walker: &'w mut Walker,
    pub(super) kind: &'static Kind,
    pub(super) purpose: Purpose,
    /// The path of the principle.
    pub(super) path: &'w [String],
    /// The location of the principle.
    pub(super) span: Range<usize>,
    /// The paths of parameters for which problems have already been reported.
    pub(super) unread: BTreeSet<Vec<String>>,
    /// Whether no error has been found so far.
    pub(super) sound: bool,
}

impl Reader<'_> {
    /// Returns the parameters, including default values, or `None` if errors were reported.
    pub(super) fn read(mut self, entries: &[Entry<'_>]) -> Option<Parameters> {
        let (kind, path) = (self.kind, self.path.to_vec());
        let parameters = Parameters(self.fields(kind.parameters, &path, entries));
        self.check(&parameters);
        if !self.sound {
            return None;
        }
        let mut parameters = parameters;
        fill(kind.parameters, &mut parameters.0);
        Some(parameters)
    }

    fn wrong(&mut self, path: &[String], problem: Problem) {
        self.sound = false;
        self.unread.insert(path.to_vec());
        self.walker.report(problem);
    }

    fn fields(
        &mut self,
        specs: &'static [ParameterSpec],
        path: &[String],
        entries: &[Entry<'_>],
    ) -> Given {
        let mut given = Given::new();
        for entry in entries {
            let mut here = path.to_vec();
            here.push(entry.key.to_owned());
            let is_table = entry.value.get_ref().is_table();
            let span = if is_table { entry.key_span.clone() } else { entry.value.span() };
            self.walker.mark(&here, span);
            let Some(spec) = specs.iter().find(|spec| spec.name == entry.key) else {
                let problem = self.unknown(specs, &here, entry);
                self.wrong(&here, problem);
                continue;
            };
            match self.value(spec, &here, entry.value) {
                Ok(value) => {
                    given.insert(entry.key.to_owned(), value);
                }
                Err(problems) => {
                    problems.into_iter().for_each(|problem| self.wrong(&here, problem));
                }
            }
        }
        given
    }

    fn unknown(&self, specs: &[ParameterSpec], path: &[String], entry: &Entry<'_>) -> Problem {
        let kind = self.kind;
        let is_nested = path.len() > self.path.len() + 1;
        let about = match kind.subject {
            Subject::Class => Some("classes as a whole"),
            Subject::Population => Some("a class and its population"),
            Subject::SensitiveAttribute => None,
        };
        if let (Some(about), false, true) =
            (about, is_nested, ["attribute", OTHERS.name].contains(&entry.key))
        {
            let message =
                format!("{} applies to {about} and has no parameter '{}'", kind.name, entry.key);
            return Problem::at(Code::UnknownParameter, entry.key_span.clone(), message)
                .help("remove it");
        }
        let mut known: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
        let of = match path {
            [.., table, _] if is_nested => format!(" in '{table}' of {}", kind.name),
            _ => format!(" of {}", kind.name),
        };
        if about.is_none() && !is_nested {
            known.extend(["attribute", OTHERS.name]);
        }
        UnknownWord {
            place: "principles",
            word: entry.key,
            what: "parameter",
            of: &of,
            known: &known,
            span: entry.key_span.clone(),
        }
        .problem()
    }

    fn value(
        &mut self,
        spec: &ParameterSpec,
        path: &[String],
        found: &Spanned<DeValue<'_>>,
    ) -> Result<ParameterValue, Vec<Problem>> {
        match (spec.kind, found.get_ref()) {
            (ParameterKind::Table { fields }, DeValue::Table(table)) => {
                let entries = in_file_order(table);
                Ok(ParameterValue::Table(self.fields(fields, path, &entries)))
            }
            (ParameterKind::Weights { .. } | ParameterKind::Steps, DeValue::Table(table)) => {
                weights(spec, table)
            }
            (ParameterKind::Values, DeValue::Array(items)) => values(spec, items),
            (
                ParameterKind::Word { one_of } | ParameterKind::Weights { one_of },
                DeValue::String(word),
            ) if !one_of.contains(&word.as_ref()) => {
                Err(vec![no_such_word(spec, one_of, word, found.span())])
            }
            (_, DeValue::String(text)) => Ok(ParameterValue::Text(text.to_string())),
            (kind, other) => match value::exact(other) {
                Some(Ok(number)) => Ok(ParameterValue::Number(number)),
                Some(Err(NotExact)) => Err(vec![value::not_exact(spec.name, found.span())]),
                None => {
                    let message = format!("parameter '{}' is {}", spec.name, type_name(other));
                    let problem = Problem::at(Code::WrongType, found.span(), message);
                    Err(vec![problem.help(format!("expected: {}", kind.expectation()))])
                }
            },
        }
    }

    /// Runs the checks of the principle on its parameters, except for parameters with reported
    /// problems.
    fn check(&mut self, parameters: &Parameters) {
        let Err(errors) = (match self.purpose {
            Purpose::Released => self.kind.check(&with_unnamed_files(self.kind, parameters)),
            Purpose::Anonymize | Purpose::Check | Purpose::Given(_) => self.kind.check(parameters),
        }) else {
            return;
        };
        for error in errors {
            let (spec, place) = find(self.kind.parameters, error.name());
            let path: Vec<String> =
                self.path.iter().cloned().chain(place.iter().map(|&it| it.to_owned())).collect();
            if self.unread.contains(&path) {
                continue;
            }
            let around = path[..path.len() - 1].to_vec();
            let mut spans = [&path, &around].into_iter().filter_map(|it| self.walker.spans.get(it));
            let span = spans.next().unwrap_or(&self.span).clone();
            let code = match error {
                ParameterError::Missing { .. } => Code::MissingParameter,
                _ => Code::ParameterOutOfRange,
            };
            let message = match place.as_slice() {
                [table, _] => format!("{}, '{table}': {error}", self.kind.name),
                _ => format!("{}: {error}", self.kind.name),
            };
            let problem = Problem::at(code, span, message);
            self.sound = false;
            self.walker.report(match spec {
                Some(spec) => problem.help(format!("{}: {}", spec.name, spec.doc)),
                None => problem,
            });
        }
    }
}

/// Returns the parameter with this name and its path. The path is the name, preceded by the name of
/// the table that contains the parameter.
pub(super) fn find(
    specs: &'static [ParameterSpec],
    name: &str,
) -> (Option<&'static ParameterSpec>, Vec<&'static str>) {
    for spec in specs {
        if spec.name == name {
            return (Some(spec), vec![spec.name]);
        }
        if let ParameterKind::Table { fields } = spec.kind
            && let Some(field) = fields.iter().find(|field| field.name == name)
        {
            return (Some(field), vec![spec.name, field.name]);
        }
    }
    (None, Vec::new())
}

/// Adds the defaults of omitted parameters.
fn fill(specs: &[ParameterSpec], given: &mut Given) {
    for spec in specs {
        match (spec.kind, spec.presence, given.get_mut(spec.name)) {
            (ParameterKind::Table { fields }, _, Some(ParameterValue::Table(below))) => {
                fill(fields, below);
            }
            (_, Presence::Default(word), None) => {
                given.insert(spec.name.to_owned(), ParameterValue::Text(word.to_owned()));
            }
            _ => {}
        }
    }
}

/// Creates the problem to report for a word that the parameter does not accept.
pub(super) fn no_such_word(
    spec: &ParameterSpec,
    words: &[&str],
    word: &str,
    span: Range<usize>,
) -> Problem {
    UnknownWord {
        place: "principles",
        word,
        what: "value",
        of: &format!(" of '{}'", spec.name),
        known: words,
        span,
    }
    .problem()
}

// Messages must not contain values of these lists and tables, because they are values of the input
// table.

fn values(
    spec: &ParameterSpec,
    items: &[Spanned<DeValue<'_>>],
) -> Result<ParameterValue, Vec<Problem>> {
    let (mut values, mut problems) = (Vec::new(), Vec::new());
    for item in items {
        match item.get_ref() {
            DeValue::String(value) => values.push(value.to_string()),
            other => {
                let message = format!("a value in '{}' is {}", spec.name, type_name(other));
                let problem = Problem::at(Code::WrongType, item.span(), message);
                problems.push(problem.help("put every value in quotes, including numbers"));
            }
        }
    }
    if problems.is_empty() { Ok(ParameterValue::Values(values)) } else { Err(problems) }
}

fn weights(spec: &ParameterSpec, table: &DeTable<'_>) -> Result<ParameterValue, Vec<Problem>> {
    let want = NumberRange::AtLeast(0).expectation();
    let (mut weights, mut problems) = (Given::new(), Vec::new());
    for entry in in_file_order(table) {
        let span = entry.value.span();
        let wrong = |code: Code, is: &str| {
            let of = if spec.kind == ParameterKind::Steps { "number" } else { "weight" };
            let message = format!("a {of} in '{}' is {is} (expected: {want})", spec.name);
            Problem::at(code, span.clone(), message)
        };
        match value::exact(entry.value.get_ref()) {
            Some(Ok(weight)) if weight >= Rational::from_integer(0) => {
                weights.insert(entry.key.to_owned(), ParameterValue::Number(weight));
            }
            Some(Ok(weight)) => {
                problems.push(wrong(Code::ParameterOutOfRange, &number(&weight)));
            }
            Some(Err(NotExact)) => problems.push(value::not_exact(spec.name, span.clone())),
            None => problems.push(wrong(Code::WrongType, type_name(entry.value.get_ref()))),
        }
    }
    if problems.is_empty() { Ok(ParameterValue::Table(weights)) } else { Err(problems) }
}
