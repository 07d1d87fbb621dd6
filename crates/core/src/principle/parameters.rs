//! The parameters of a principle as they stand in a policy, before the principle reads them.

use std::collections::BTreeMap;

use crate::model::Rational;

/// A value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterValue {
    /// A number, exactly as written.
    Number(Rational),
    /// A text.
    Text(String),
    /// A list of values of an attribute.
    Values(Vec<String>),
}

/// The parameters of one principle, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parameters(pub BTreeMap<String, ParameterValue>);

/// What a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A whole number, at least the given one.
    Integer {
        /// The smallest allowed value.
        at_least: i64,
    },
    /// A real number, at least the given one.
    Real {
        /// The smallest allowed value.
        at_least: i64,
    },
    /// A real number above the given one.
    RealAbove {
        /// The exclusive lower limit.
        limit: i64,
    },
}

/// One parameter of a kind of principle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParameterSpec {
    /// Its name: the literature's letter.
    pub name: &'static str,
    /// What it takes.
    pub kind: ParameterKind,
    /// What it means, in one sentence.
    pub doc: &'static str,
}

/// What is wrong with a parameter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// It is not there.
    #[error("parameter '{name}' is missing (expected: {want})")]
    Missing {
        /// The parameter.
        name: &'static str,
        /// What is expected.
        want: String,
    },
    /// It has a value that the principle does not take.
    #[error("parameter '{name}' is {got} (expected: {want})")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// What was given.
        got: String,
        /// What is expected.
        want: String,
    },
}

impl ParameterError {
    /// The parameter that is meant.
    pub fn name(&self) -> &'static str {
        match self {
            ParameterError::Missing { name, .. } | ParameterError::OutOfRange { name, .. } => name,
        }
    }

    /// What is expected of it.
    pub fn want(&self) -> &str {
        match self {
            ParameterError::Missing { want, .. } | ParameterError::OutOfRange { want, .. } => want,
        }
    }
}

impl ParameterKind {
    /// What is expected, in words.
    pub fn expectation(&self) -> String {
        match self {
            ParameterKind::Integer { at_least } => format!("a whole number of at least {at_least}"),
            ParameterKind::Real { at_least } => format!("a number of at least {at_least}"),
            ParameterKind::RealAbove { limit } => format!("a number above {limit}"),
        }
    }

    fn admits(&self, value: &Rational) -> bool {
        let limit = |at: i64| Rational::from_integer(i128::from(at));
        match self {
            ParameterKind::Integer { at_least } => value.is_integer() && *value >= limit(*at_least),
            ParameterKind::Real { at_least } => *value >= limit(*at_least),
            ParameterKind::RealAbove { limit: above } => *value > limit(*above),
        }
    }
}

impl Parameters {
    /// The number that `spec` describes.
    ///
    /// # Errors
    /// [`ParameterError`] if it is missing, no number, or outside its range.
    pub fn number(&self, spec: &ParameterSpec) -> Result<Rational, ParameterError> {
        let want = spec.kind.expectation();
        match self.0.get(spec.name) {
            None => Err(ParameterError::Missing { name: spec.name, want }),
            Some(ParameterValue::Number(value)) if spec.kind.admits(value) => Ok(*value),
            Some(other) => {
                Err(ParameterError::OutOfRange { name: spec.name, got: other.to_string(), want })
            }
        }
    }

    /// All numbers that `specs` describe, or all that is wrong with them.
    ///
    /// # Errors
    /// Every [`ParameterError`] there is.
    pub fn numbers<const N: usize>(
        &self,
        specs: &[ParameterSpec; N],
    ) -> Result<[Rational; N], Vec<ParameterError>> {
        let mut values = [Rational::from_integer(0); N];
        let mut errors = Vec::new();
        for (value, spec) in values.iter_mut().zip(specs) {
            match self.number(spec) {
                Ok(number) => *value = number,
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(values) } else { Err(errors) }
    }
}

impl std::fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParameterValue::Number(value) if value.is_integer() => write!(f, "{}", value.numer()),
            ParameterValue::Number(value) => write!(f, "{}", crate::model::to_f64(value)),
            ParameterValue::Text(_) => write!(f, "a text"),
            ParameterValue::Values(values) => write!(f, "a list of {} values", values.len()),
        }
    }
}
