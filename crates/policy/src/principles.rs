//! Reads `[[principles]]`. The registry of principles specifies the keys.

use std::collections::BTreeSet;
use std::ops::Range;

use indistinct_core::principle::{
    self, Kind, NumberRange, OTHERS, ParameterKind, ParameterSpec, ParameterValue, Parameters,
    Subject,
};
use indistinct_core::{Others, Rational};
use toml::de::DeTable;

use super::attributes::DeclaredAttributes;
use super::parameters::{self, no_such_word};
use super::suggest::UnknownWord;
use super::tree::{Entry, in_file_order};
use super::value::type_name;
use super::walk::Walker;
use super::{Code, PrincipleSpec, Problem, Purpose, suggest};

/// Returns the valid principles, each with its position in the list `[[principles]]`.
pub(super) fn read<'t>(
    walker: &mut Walker,
    purpose: Purpose,
    tables: &[(&'t DeTable<'t>, Range<usize>)],
    declared: &DeclaredAttributes,
) -> Vec<(usize, PrincipleSpec)> {
    let mut specs: Vec<(usize, PrincipleSpec)> = Vec::new();
    for (at, (table, span)) in tables.iter().enumerate() {
        let mut reader = Reader {
            path: vec!["principles".to_owned(), at.to_string()],
            span: span.clone(),
            purpose,
            walker,
            declared,
        };
        let Some(spec) = reader.principle(table) else { continue };
        if specs.iter().any(|(_, other)| *other == spec) {
            let message = format!("the principle '{}' is repeated", spec.kind.name);
            walker.wrong(
                Code::RepeatedPrinciple,
                span.clone(),
                message,
                "remove one of the two, or change its attribute or parameters",
            );
        }
        specs.push((at, spec));
    }
    specs
}

struct Reader<'w> {
    path: Vec<String>,
    span: Range<usize>,
    purpose: Purpose,
    walker: &'w mut Walker,
    declared: &'w DeclaredAttributes,
}

/// How a principle specifies its attribute.
enum StatedPlace {
    Nowhere,
    As(String, Range<usize>),
    Wrongly,
}

impl Reader<'_> {
    fn principle<'t>(&mut self, table: &'t DeTable<'t>) -> Option<PrincipleSpec> {
        self.walker.mark(&self.path, self.span.clone());
        let entries = in_file_order(table);
        let kind = self.kind(&entries)?;
        let is_on_sensitive_attribute = kind.subject == Subject::SensitiveAttribute;
        let mut stated = StatedPlace::Nowhere;
        let mut others = Some(Others::default());
        let mut rest = Vec::new();
        for entry in entries {
            match entry.key {
                "kind" => self.mark(&entry),
                "attribute" if is_on_sensitive_attribute => stated = self.attribute(&entry),
                name if is_on_sensitive_attribute && name == OTHERS.name => {
                    others = self.others(&entry)
                }
                _ => rest.push(entry),
            }
        }
        let parameters = parameters::Reader {
            walker: self.walker,
            kind,
            purpose: self.purpose,
            path: &self.path,
            span: self.span.clone(),
            unread: BTreeSet::new(),
            sound: true,
        };
        let parameters = parameters.read(&rest);
        let attribute =
            if is_on_sensitive_attribute { Some(self.resolve(kind, stated)?) } else { None };
        let spec = PrincipleSpec { kind, attribute, parameters: parameters?, others: others? };
        self.warn(&spec);
        Some(spec)
    }

    fn path_of(&self, name: &str) -> Vec<String> {
        let mut path = self.path.clone();
        path.push(name.to_owned());
        path
    }

    fn span_of(&self, name: &str) -> Range<usize> {
        self.walker.spans.get(&self.path_of(name)).unwrap_or(&self.span).clone()
    }

    fn mark(&mut self, entry: &Entry<'_>) {
        self.walker.mark(&self.path_of(entry.key), entry.value.span());
    }

    fn kind(&mut self, entries: &[Entry<'_>]) -> Option<&'static Kind> {
        let known: Vec<&str> = principle::REGISTRY.iter().map(|kind| kind.name).collect();
        let Some(entry) = entries.iter().find(|entry| entry.key == "kind") else {
            let problem = Problem::at(Code::MissingKey, self.span.clone(), "'kind' is missing")
                .help(format!("expected: {}", suggest::one_of(known)));
            self.walker.report(problem);
            return None;
        };
        let span = entry.value.span();
        let Some(word) = entry.value.get_ref().as_str() else {
            let message = format!(
                "'kind' is {} (expected: a string in quotes)",
                type_name(entry.value.get_ref())
            );
            self.walker.report(Problem::at(Code::WrongType, span, message));
            return None;
        };
        let kind = principle::find(word);
        if kind.is_none() {
            self.walker.report(
                UnknownWord {
                    place: "principles.kind",
                    word,
                    what: "kind of principle",
                    of: "",
                    known: &known,
                    span,
                }
                .problem(),
            );
        }
        kind
    }

    fn attribute(&mut self, entry: &Entry<'_>) -> StatedPlace {
        self.mark(entry);
        match entry.value.get_ref().as_str() {
            Some(name) => StatedPlace::As(name.to_owned(), entry.value.span()),
            None => {
                let found = type_name(entry.value.get_ref());
                let message =
                    format!("'attribute' is {found} (expected: the name of a sensitive attribute)");
                self.walker.report(Problem::at(Code::WrongType, entry.value.span(), message));
                StatedPlace::Wrongly
            }
        }
    }

    fn others(&mut self, entry: &Entry<'_>) -> Option<Others> {
        self.mark(entry);
        let span = entry.value.span();
        let ParameterKind::Word { one_of } = OTHERS.kind else {
            unreachable!("'{}' takes a word", OTHERS.name)
        };
        let Some(word) = entry.value.get_ref().as_str() else {
            let found = type_name(entry.value.get_ref());
            let want = OTHERS.kind.expectation();
            let message = format!("'{}' is {found} (expected: {want})", OTHERS.name);
            self.walker.report(Problem::at(Code::WrongType, span, message));
            return None;
        };
        let others = Others::named(word);
        if others.is_none() {
            self.walker.report(no_such_word(&OTHERS, one_of, word, span));
        }
        others
    }

    fn resolve(&mut self, kind: &Kind, stated: StatedPlace) -> Option<String> {
        let sensitive = self.declared.sensitive();
        let (code, span, message, help) = match stated {
            StatedPlace::Wrongly => return None,
            StatedPlace::As(name, _) if sensitive.contains(&name.as_str()) => return Some(name),
            StatedPlace::As(name, _) if self.declared.unsettled.contains(&name) => return None,
            StatedPlace::As(name, span) if self.declared.has(&name) => (
                Code::NotSensitive,
                span,
                format!("{} applies to '{name}', which is not a sensitive attribute", kind.name),
                format!(
                    "name a sensitive attribute, or give [attributes.{name}] role = \"sensitive\""
                ),
            ),
            StatedPlace::As(name, span) => {
                let known = self.declared.attributes.iter().map(|it| it.name.as_str());
                let near = suggest::nearest(&name, sensitive.iter().copied())
                    .or_else(|| suggest::nearest(&name, known));
                let help = match near {
                    Some(near) => format!("did you mean '{near}'?"),
                    None => format!("the sensitive attributes are: {}", list(&sensitive)),
                };
                let message = format!("the policy has no attribute '{name}'");
                (Code::UnknownAttribute, span, message, help)
            }
            StatedPlace::Nowhere => match sensitive.as_slice() {
                [only] => return Some((*only).to_owned()),
                _ if !self.declared.unsettled.is_empty() => return None,
                [] => (
                    Code::NoSensitive,
                    self.span.clone(),
                    format!("{} requires a sensitive attribute, but none is declared", kind.name),
                    "set role = \"sensitive\" for the attribute that must not be disclosed"
                        .to_owned(),
                ),
                several => (
                    Code::AmbiguousSensitive,
                    self.span.clone(),
                    format!("{} must specify which sensitive attribute it protects", kind.name),
                    format!(
                        "name the attribute, such as attribute = \"{}\" (sensitive attributes: {})",
                        several[0],
                        several.join(", ")
                    ),
                ),
            },
        };
        self.walker.wrong(code, span, message, help);
        None
    }

    fn warn(&mut self, spec: &PrincipleSpec) {
        for (parameter, help) in idle(spec.kind, &spec.parameters) {
            let name = parameter.name;
            let message = match spec.parameters.0.get(name) {
                Some(value) => format!("{}: {name} = {value} has no effect", spec.kind.name),
                None => continue,
            };
            let span = self.span_of(name);
            self.walker.wrong(Code::RequiresNothing, span, message, help);
        }
        let is_alone = self.declared.unsettled.is_empty() && self.declared.sensitive().len() == 1;
        if is_alone && spec.others != Others::Ignored {
            let message = format!(
                "{}: '{}' has no effect with a single sensitive attribute",
                spec.kind.name, OTHERS.name
            );
            let span = self.span_of(OTHERS.name);
            self.walker.wrong(Code::NoEffect, span, message, "remove it");
        }
    }
}

/// Returns the parameters with values that every table satisfies, together with advice on each
/// parameter.
///
/// Integers, numbers of at least 1, and fractions are counts and fractions of rows or values: every
/// class has a count of at least 1 and a fraction of at most 1. The limit of any other number has
/// no effect only if the principle has no other number; epsilon = 0, for example, is still a
/// requirement. A test checks this for every kind of principle.
fn idle(kind: &Kind, parameters: &Parameters) -> Vec<(&'static ParameterSpec, String)> {
    let is_number = |spec: &&ParameterSpec| {
        matches!(spec.kind, ParameterKind::Integer { .. } | ParameterKind::Number(_))
    };
    let is_alone = kind.parameters.iter().filter(is_number).count() == 1;
    let idle = kind.parameters.iter().filter_map(|spec| {
        let (limit, instead) = match spec.kind {
            ParameterKind::Integer { at_least: 1 } => (1, "more"),
            ParameterKind::Number(NumberRange::AtLeast(low)) if low >= 1 || is_alone => {
                (low, "more")
            }
            ParameterKind::Number(NumberRange::AboveUpTo(_, high)) => (high, "less"),
            ParameterKind::Number(NumberRange::Within(_, high)) if is_alone => (high, "less"),
            _ => return None,
        };
        let idle = ParameterValue::Number(Rational::from_integer(i128::from(limit)));
        (parameters.0.get(spec.name) == Some(&idle)).then(|| {
            (
                spec,
                format!(
                    "require {instead} than {limit}, because every table satisfies the current \
                     value"
                ),
            )
        })
    });
    idle.collect()
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
