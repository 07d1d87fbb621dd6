//! The uninterpreted parameters of a principle, as written in a policy.

use std::collections::BTreeMap;

use indistinct_diagnostics::{errors, words};

use crate::model::{Rational, parse_decimal, to_f64};

/// A value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterValue {
    /// A number, exactly as written.
    Number(Rational),
    /// A string.
    Text(String),
    /// A list of values of an attribute.
    Values(Vec<String>),
    /// A nested table of values.
    Table(BTreeMap<String, ParameterValue>),
}

/// The parameters of one principle, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parameters(pub BTreeMap<String, ParameterValue>);

/// The numbers that a parameter or a key of a policy accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberRange {
    /// Any number.
    Any,
    /// Numbers that are at least the limit.
    AtLeast(i64),
    /// Numbers above the limit.
    Above(i64),
    /// Numbers from the first to the second limit, inclusive.
    Within(i64, i64),
    /// Numbers above the first limit, up to and including the second limit.
    AboveUpTo(i64, i64),
}

impl NumberRange {
    /// Returns whether the range contains a number.
    pub fn admits(self, value: &Rational) -> bool {
        let limit = |at: i64| Rational::from_integer(i128::from(at));
        match self {
            Self::Any => true,
            Self::AtLeast(low) => *value >= limit(low),
            Self::Above(low) => *value > limit(low),
            Self::Within(low, high) => *value >= limit(low) && *value <= limit(high),
            Self::AboveUpTo(low, high) => *value > limit(low) && *value <= limit(high),
        }
    }

    /// Describes a number in the range.
    pub fn expectation(self) -> String {
        match self {
            Self::Any => "a number".to_owned(),
            Self::AtLeast(limit) => format!("a number of at least {limit}"),
            Self::Above(limit) => format!("a number above {limit}"),
            Self::Within(low, high) => format!("a number from {low} to {high}"),
            Self::AboveUpTo(low, high) => format!("a number above {low} and at most {high}"),
        }
    }
}

/// The type and range of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// An integer.
    Integer {
        /// The minimum.
        at_least: i64,
    },
    /// A number.
    Number(NumberRange),
    /// One of several words.
    Word {
        /// The words.
        one_of: &'static [&'static str],
    },
    /// A list of values of the sensitive attribute.
    Values,
    /// The path of a file.
    File,
    /// A table with its own parameters.
    Table {
        /// The parameters.
        fields: &'static [ParameterSpec],
    },
    /// A table that maps numbers to nonnegative numbers.
    Steps,
    /// One of several words, or a table that maps values of the sensitive attribute to nonnegative
    /// numbers.
    Weights {
        /// The words.
        one_of: &'static [&'static str],
    },
}

/// Whether a parameter is required, optional, or has a default value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// The parameter is required.
    Required,
    /// The parameter is optional and has no default value. Omitting it has a separate meaning.
    Optional,
    /// The parameter is optional and has this default value.
    Default(&'static str),
}

/// One parameter of a kind of principle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParameterSpec {
    /// The name of the parameter, usually the letter used in the literature.
    pub name: &'static str,
    /// The type and range of the parameter.
    pub kind: ParameterKind,
    /// Whether the parameter is required.
    pub presence: Presence,
    /// The meaning of the parameter, in one sentence.
    pub doc: &'static str,
}

/// Declares parameters with their documentation, name, kind, and presence.
macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $name:literal => $kind:ident $({ $($field:tt)* })? $(($range:expr))?, $presence:ident $(($default:literal))?;)+) => {
        [$($crate::principle::ParameterSpec {
            name: $name,
            kind: $crate::principle::ParameterKind::$kind $({ $($field)* })? $(($range))?,
            presence: $crate::principle::Presence::$presence $(($default))?,
            doc: concat!($($doc),+).trim_ascii_start(),
        }),+]
    };
}

errors! {
    /// An error in a parameter.
    #[derive(Clone, PartialEq, Eq)]
    pub enum ParameterError {
        /// A parameter is missing.
        #[error("parameter '{name}' is missing (expected: {want})")]
        #[code("E-PRINCIPLE-011", "add the parameter; the message describes the expected value")]
        Missing {
            /// The parameter.
            name: &'static str,
            /// The expected value.
            want: String,
        },
        /// A parameter is out of range.
        #[error("parameter '{name}' is {got} (expected: {want})")]
        #[code("E-PRINCIPLE-012", "use a value within the range given in the message")]
        OutOfRange {
            /// The parameter.
            name: &'static str,
            /// The given value.
            got: String,
            /// The expected value.
            want: String,
        },
        /// The principle has no such parameter.
        #[error("'{name}' has no parameter '{unknown}' (expected: {want})")]
        #[code("E-PRINCIPLE-013", "remove the parameter; the message lists the valid ones")]
        Unknown {
            /// The name of the principle or table that contains the parameter.
            name: &'static str,
            /// The unknown name.
            unknown: String,
            /// The expected names.
            want: String,
        },
    }
}

impl ParameterError {
    /// Returns the name of the invalid parameter, or of the table or principle that lacks the
    /// parameter.
    pub fn name(&self) -> &'static str {
        match self {
            ParameterError::Missing { name, .. }
            | ParameterError::OutOfRange { name, .. }
            | ParameterError::Unknown { name, .. } => name,
        }
    }

    /// Returns a description of the expected value.
    pub fn want(&self) -> &str {
        match self {
            ParameterError::Missing { want, .. }
            | ParameterError::OutOfRange { want, .. }
            | ParameterError::Unknown { want, .. } => want,
        }
    }
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" or ")
}

impl ParameterKind {
    /// Returns a description of the expected value.
    pub fn expectation(&self) -> String {
        match self {
            ParameterKind::Integer { at_least } => format!("an integer of at least {at_least}"),
            ParameterKind::Number(range) => range.expectation(),
            ParameterKind::Word { one_of } => quoted(one_of),
            ParameterKind::Values => "a list of values of the sensitive attribute".to_owned(),
            ParameterKind::File => "the path of a file".to_owned(),
            ParameterKind::Table { fields } => {
                let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
                format!("a table with {}", names.join(" and "))
            }
            ParameterKind::Steps => {
                "a table that maps numbers to numbers of at least 0, such as { 0 = 100, 10000 = \
                 500 }"
                    .to_owned()
            }
            ParameterKind::Weights { one_of } => {
                format!("{} or a table that maps values to weights of at least 0", quoted(one_of))
            }
        }
    }

    fn admits(&self, value: &ParameterValue) -> bool {
        match (self, value) {
            (ParameterKind::Integer { at_least }, ParameterValue::Number(number)) => {
                number.is_integer() && NumberRange::AtLeast(*at_least).admits(number)
            }
            (ParameterKind::Number(range), ParameterValue::Number(number)) => range.admits(number),
            (
                ParameterKind::Word { one_of } | ParameterKind::Weights { one_of },
                ParameterValue::Text(word),
            ) => one_of.contains(&word.as_str()),
            (ParameterKind::File, ParameterValue::Text(path)) => !path.is_empty(),
            (ParameterKind::Values, ParameterValue::Values(_)) => true,
            (ParameterKind::Weights { .. }, ParameterValue::Table(weights)) => {
                are_not_negative(weights)
            }
            (ParameterKind::Steps, ParameterValue::Table(steps)) => {
                let are_numbers = steps.keys().all(|from| parse_decimal(from).is_ok());
                !steps.is_empty() && are_numbers && are_not_negative(steps)
            }
            _ => false,
        }
    }
}

fn are_not_negative(numbers: &BTreeMap<String, ParameterValue>) -> bool {
    let zero = Rational::from_integer(0);
    numbers.values().all(|number| match number {
        ParameterValue::Number(number) => *number >= zero,
        _ => false,
    })
}

impl ParameterSpec {
    /// Checks the value of this parameter.
    fn check(&self, value: Option<&ParameterValue>, errors: &mut Vec<ParameterError>) {
        let want = self.kind.expectation();
        match (value, self.kind) {
            (None, _) if self.presence == Presence::Required => {
                errors.push(ParameterError::Missing { name: self.name, want });
            }
            (None, _) => {}
            (Some(ParameterValue::Table(given)), ParameterKind::Table { fields }) => {
                check_all(self.name, fields, given, errors);
            }
            (Some(value), kind) if kind.admits(value) => {}
            (Some(value), _) => {
                let got = value.to_string();
                errors.push(ParameterError::OutOfRange { name: self.name, got, want });
            }
        }
    }
}

/// Checks each parameter of a principle, or each parameter in a nested table.
pub(super) fn check_all(
    name: &'static str,
    specs: &'static [ParameterSpec],
    given: &BTreeMap<String, ParameterValue>,
    errors: &mut Vec<ParameterError>,
) {
    for spec in specs {
        spec.check(given.get(spec.name), errors);
    }
    for unknown in given.keys().filter(|key| specs.iter().all(|spec| spec.name != key.as_str())) {
        let names: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
        let want = names.join(", ");
        errors.push(ParameterError::Unknown { name, unknown: unknown.clone(), want });
    }
}

/// Accessors for parameters that were checked against their specifications.
impl Parameters {
    /// Creates parameters from numbers.
    pub(super) fn of_numbers<const N: usize>(numbers: [(&str, Rational); N]) -> Self {
        let given = numbers.map(|(name, number)| (name.to_owned(), ParameterValue::Number(number)));
        Self(given.into())
    }

    /// Creates a single integer parameter.
    pub(super) fn of_whole(name: &str, number: u64) -> Self {
        Self::of_numbers([(name, Rational::from_integer(i128::from(number)))])
    }

    fn value(&self, name: &str) -> Option<&ParameterValue> {
        self.0.get(name)
    }

    /// Returns a required number.
    pub(super) fn number(&self, name: &str) -> Rational {
        match self.value(name) {
            Some(ParameterValue::Number(number)) => *number,
            _ => unreachable!("the parameter '{name}' was checked to be a number"),
        }
    }

    /// Returns a required integer, saturating at `u64::MAX`.
    pub(super) fn whole(&self, name: &str) -> u64 {
        u64::try_from(self.number(name).to_integer()).unwrap_or(u64::MAX)
    }

    /// Returns a word, or its default.
    pub(super) fn word(&self, spec: &ParameterSpec) -> &str {
        match (self.value(spec.name), spec.presence) {
            (Some(ParameterValue::Text(word)), _) => word,
            (None, Presence::Default(word)) => word,
            _ => unreachable!("the parameter '{}' was checked to be a word", spec.name),
        }
    }

    /// Returns a list of values, or `None` if the parameter is missing.
    pub(super) fn values(&self, name: &str) -> Option<&[String]> {
        match self.value(name) {
            Some(ParameterValue::Values(values)) => Some(values),
            None => None,
            _ => unreachable!("the parameter '{name}' was checked to be a list of values"),
        }
    }

    /// Returns a table, or `None` if the parameter is missing.
    pub(super) fn table(&self, name: &str) -> Option<Parameters> {
        match self.value(name) {
            Some(ParameterValue::Table(fields)) => Some(Parameters(fields.clone())),
            _ => None,
        }
    }
}

impl std::fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParameterValue::Number(value) if value.is_integer() => write!(f, "{}", value.numer()),
            ParameterValue::Number(value) => write!(f, "{}", to_f64(value)),
            ParameterValue::Text(_) => write!(f, "a text"),
            ParameterValue::Values(values) => {
                write!(f, "a list of {}", words::count(values.len() as u64, "value"))
            }
            ParameterValue::Table(fields) => {
                write!(f, "a table of {}", words::counted(fields.len() as u64, "entry", "entries"))
            }
        }
    }
}
