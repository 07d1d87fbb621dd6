//! Reads `[[principles]]` with the registry of principles as the table of keys.

use std::ops::Range;

use indistinct_core::Rational;
use indistinct_core::principle::{
    self, Kind, ParameterError, ParameterKind, ParameterValue, Parameters, Subject,
};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::attributes::Declared;
use super::availability::Refused;
use super::value::{self, NotExact, type_name};
use super::walk::{Entry, Walker, in_file_order};
use super::{Code, PrincipleSpec, Problem, suggest};

pub(super) fn read<'t>(
    walker: &mut Walker,
    tables: &[(&'t DeTable<'t>, Range<usize>)],
    declared: &Declared,
) -> Vec<PrincipleSpec> {
    let mut specs: Vec<PrincipleSpec> = Vec::new();
    for (at, (table, span)) in tables.iter().enumerate() {
        let mut reader = Reader {
            path: vec!["principles".to_owned(), at.to_string()],
            span: span.clone(),
            walker,
            declared,
        };
        let Some(spec) = reader.principle(table) else { continue };
        let same = |other: &PrincipleSpec| {
            std::ptr::eq(other.kind, spec.kind)
                && other.attribute == spec.attribute
                && other.parameters == spec.parameters
        };
        if specs.iter().any(same) {
            let message = format!("the principle '{}' stands there twice", spec.kind.name);
            walker.report(
                Problem::at(Code::RepeatedPrinciple, span.clone(), message).help(
                    "remove one of the two, or give it another attribute or other parameters",
                ),
            );
        }
        specs.push(spec);
    }
    specs
}

struct Reader<'w> {
    path: Vec<String>,
    span: Range<usize>,
    walker: &'w mut Walker,
    declared: &'w Declared,
}

/// Where a principle says which attribute it is about.
enum Stated {
    Nowhere,
    As(String, Range<usize>),
    Wrongly,
}

impl Reader<'_> {
    fn principle<'t>(&mut self, table: &'t DeTable<'t>) -> Option<PrincipleSpec> {
        self.walker.mark(&self.path, self.span.clone());
        let entries = in_file_order(table);
        for entry in &entries {
            let mut path = self.path.clone();
            path.push(entry.key.to_owned());
            self.walker.mark(&path, entry.value.span());
        }
        let kind = self.kind(&entries)?;
        let mut sound = true;
        let mut stated = Stated::Nowhere;
        let mut parameters = Parameters::default();
        let mut unread: Vec<&str> = Vec::new();
        for entry in entries.iter().filter(|entry| entry.key != "kind") {
            if entry.key == "attribute" && kind.subject == Subject::SensitiveAttribute {
                stated = self.attribute(entry);
            } else if kind.parameters.iter().any(|spec| spec.name == entry.key) {
                match self.parameter(entry) {
                    Some(value) => {
                        parameters.0.insert(entry.key.to_owned(), value);
                    }
                    None => unread.push(entry.key),
                }
            } else {
                sound = false;
                let problem = self.unknown(kind, entry);
                self.walker.report(problem);
            }
        }
        sound &= self.validate(kind, &parameters, &unread);
        let attribute = match kind.subject {
            Subject::Class => None,
            Subject::SensitiveAttribute => Some(self.resolve(kind, stated)?),
        };
        if !sound {
            return None;
        }
        self.warn(kind, &parameters);
        Some(PrincipleSpec { kind, attribute, parameters })
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
                "'kind' is {} (expected: a text in quotes)",
                type_name(entry.value.get_ref())
            );
            self.walker.report(Problem::at(Code::WrongType, span, message));
            return None;
        };
        let kind = principle::find(word);
        if kind.is_none() {
            let refused = Refused {
                place: "principles.kind",
                word,
                what: "kind of principle",
                of: "",
                known: &known,
                code: Code::UnknownWord,
                span,
            };
            self.walker.report(refused.problem());
        }
        kind
    }

    fn attribute(&mut self, entry: &Entry<'_>) -> Stated {
        match entry.value.get_ref().as_str() {
            Some(name) => Stated::As(name.to_owned(), entry.value.span()),
            None => {
                let found = type_name(entry.value.get_ref());
                let message =
                    format!("'attribute' is {found} (expected: the name of a sensitive attribute)");
                self.walker.report(Problem::at(Code::WrongType, entry.value.span(), message));
                Stated::Wrongly
            }
        }
    }

    fn parameter(&mut self, entry: &Entry<'_>) -> Option<ParameterValue> {
        let read = read_parameter(entry.value);
        read.map_err(|reason| {
            let span = entry.value.span();
            let problem = match reason {
                Unread::NotExact => value::not_exact(entry.key, span),
                Unread::Type => {
                    let found = type_name(entry.value.get_ref());
                    let message = format!("parameter '{}' is {found}", entry.key);
                    Problem::at(Code::WrongType, span, message)
                        .help("expected: a number, a text or a list of values in quotes")
                }
            };
            self.walker.report(problem);
        })
        .ok()
    }

    fn unknown(&self, kind: &Kind, entry: &Entry<'_>) -> Problem {
        if entry.key == "attribute" {
            let message =
                format!("{} is about the class as such and takes no attribute", kind.name);
            return Problem::at(Code::UnknownParameter, entry.key_span.clone(), message)
                .help("remove it");
        }
        let mut known: Vec<&str> = kind.parameters.iter().map(|spec| spec.name).collect();
        if kind.subject == Subject::SensitiveAttribute {
            known.push("attribute");
        }
        let refused = Refused {
            place: "principles",
            word: entry.key,
            what: "parameter",
            of: &format!(" of {}", kind.name),
            known: &known,
            code: Code::UnknownParameter,
            span: entry.key_span.clone(),
        };
        refused.problem()
    }

    /// Lets the kind read its parameters; those that were unread are reported already.
    fn validate(&mut self, kind: &'static Kind, parameters: &Parameters, unread: &[&str]) -> bool {
        // The index stands for the attribute, which is resolved apart from the parameters.
        let index = (kind.subject == Subject::SensitiveAttribute).then_some(0);
        let Err(errors) = (kind.build)(index, parameters) else { return unread.is_empty() };
        for error in errors.iter().filter(|error| !unread.contains(&error.name())) {
            let mut path = self.path.clone();
            path.push(error.name().to_owned());
            let span = self.walker.spans.get(&path).unwrap_or(&self.span).clone();
            let doc = kind.parameters.iter().find(|spec| spec.name == error.name());
            let problem = match error {
                ParameterError::Missing { .. } => {
                    Problem::at(Code::MissingParameter, span, format!("{}: {error}", kind.name))
                }
                _ => {
                    Problem::at(Code::ParameterOutOfRange, span, format!("{}: {error}", kind.name))
                }
            };
            self.walker.report(match doc {
                Some(spec) => problem.help(format!("{}: {}", spec.name, spec.doc)),
                None => problem,
            });
        }
        false
    }

    fn resolve(&mut self, kind: &Kind, stated: Stated) -> Option<String> {
        let sensitive = self.declared.sensitive();
        let (code, span, message, help) = match stated {
            Stated::Wrongly => return None,
            Stated::As(name, _) if sensitive.contains(&name.as_str()) => return Some(name),
            Stated::As(name, _) if self.declared.unsettled.contains(&name) => return None,
            Stated::As(name, span) if self.declared.has(&name) => (
                Code::NotSensitive,
                span,
                format!("{} is about '{name}', which is not a sensitive attribute", kind.name),
                format!("name a sensitive attribute, or give [attributes.{name}] role = \"sensitive\""),
            ),
            Stated::As(name, span) => {
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
            Stated::Nowhere => match sensitive.as_slice() {
                [only] => return Some((*only).to_owned()),
                _ if !self.declared.unsettled.is_empty() => return None,
                [] => (
                    Code::NoSensitive,
                    self.span.clone(),
                    format!("{} is about a sensitive attribute, and there is none", kind.name),
                    "give role = \"sensitive\" to the attribute that nobody may learn about a person"
                        .to_owned(),
                ),
                several => (
                    Code::AmbiguousSensitive,
                    self.span.clone(),
                    format!("{} does not say which sensitive attribute it is about", kind.name),
                    format!(
                        "name one: attribute = \"{}\" (there are: {})",
                        several[0],
                        several.join(", ")
                    ),
                ),
            },
        };
        self.walker.report(Problem::at(code, span, message).help(help));
        None
    }

    fn warn(&mut self, kind: &Kind, parameters: &Parameters) {
        for spec in kind.parameters {
            let (ParameterKind::Integer { at_least } | ParameterKind::Real { at_least }) =
                spec.kind
            else {
                continue;
            };
            let weakest = Rational::from_integer(i128::from(at_least));
            if parameters.0.get(spec.name) != Some(&ParameterValue::Number(weakest)) {
                continue;
            }
            let mut path = self.path.clone();
            path.push(spec.name.to_owned());
            let span = self.walker.spans.get(&path).unwrap_or(&self.span).clone();
            let message = format!("{} with {} = {at_least} asks for nothing", kind.name, spec.name);
            self.walker.report(
                Problem::at(Code::AsksForNothing, span, message)
                    .help(format!("every table meets it; ask for more than {at_least}")),
            );
        }
    }
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

enum Unread {
    NotExact,
    Type,
}

fn read_parameter(found: &Spanned<DeValue<'_>>) -> Result<ParameterValue, Unread> {
    match found.get_ref() {
        DeValue::String(text) => Ok(ParameterValue::Text(text.to_string())),
        DeValue::Array(items) => items
            .iter()
            .map(|item| item.get_ref().as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>()
            .map(ParameterValue::Values)
            .ok_or(Unread::Type),
        number => match value::exact(number) {
            Some(Ok(number)) => Ok(ParameterValue::Number(number)),
            Some(Err(NotExact)) => Err(Unread::NotExact),
            None => Err(Unread::Type),
        },
    }
}
