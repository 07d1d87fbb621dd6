//! The data that is required to build a principle in addition to its parameters, and the possible
//! errors.

use std::fmt;
use std::sync::Arc;

use indistinct_diagnostics::{errors, words};

use super::{ParameterError, ParameterKind, ParameterSpec, ParameterValue, Parameters};
use crate::model::{
    CountedColumn, FrequencyTable, NotNumbers, Numbers, Population, PopulationError, Taxonomy,
};
use crate::{MISSING, Notation};

/// The treatment of missing values of a numeric sensitive attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// Missing values are an error.
    #[default]
    Error,
    /// All missing values form one separate value, whose neighborhood contains only missing values.
    OwnValue,
}

/// The table for which a principle is built, and related data that the principle requires.
#[derive(Debug, Clone)]
pub struct Context<'a> {
    /// The frequency table.
    pub table: &'a FrequencyTable,
    /// The index of the sensitive attribute, for kinds that require a sensitive attribute.
    pub attribute: Option<usize>,
    /// The taxonomy of the sensitive attribute, if it has a hierarchy.
    pub taxonomy: Option<&'a Taxonomy>,
    /// The population that is matched with the table, for kinds that require a population.
    pub population: Option<Arc<Population>>,
    /// How principles for numeric attributes treat missing values of the sensitive attribute.
    pub missing: Missing,
}

errors! {
    /// An error in the data to which a principle is applied.
    #[derive(Clone, PartialEq, Eq)]
    pub enum DataError {
        /// A principle for numbers requires numeric values.
        #[error(
            "'{attribute}' has values that are not numbers in {}",
            words::count(*n_rows, "row")
        )]
        #[code("E-PRINCIPLE-001", "use a principle for categories, or add values that represent \
                missing numbers to null_values")]
        NotNumeric {
            /// The attribute.
            attribute: String,
            /// The number of affected rows.
            n_rows: u64,
            /// The distinct values that cause the error. Only the data holder may see these values.
            values: Vec<String>,
        },
        /// The numbers have too many digits for an exact comparison.
        #[error(
            "the numbers of '{attribute}' require more than 28 digits from the largest to the \
             smallest decimal place"
        )]
        #[code("E-PRINCIPLE-002", "round the numbers before you create the release")]
        TooManyDigits {
            /// The attribute.
            attribute: String,
        },
        /// The policy does not specify how to treat missing values.
        #[error("'{attribute}' has missing values in {}", words::count(*n_rows, "row"))]
        #[code("E-PRINCIPLE-003", "set missing = \"separate-value\" to treat missing values as \
                similar only to each other, or replace or remove these rows")]
        MissingNumbers {
            /// The attribute.
            attribute: String,
            /// The number of affected rows.
            n_rows: u64,
        },
        /// A relative neighborhood requires positive numbers (reading C-5).
        #[error(
            "'{attribute}' has values that are not positive in {}; such values have no relative \
             neighborhood",
            words::count(*n_rows, "row")
        )]
        #[code("E-PRINCIPLE-004", "set neighborhood = \"relative-radius\", which multiplies \
                epsilon by the absolute value, or use \"absolute\"")]
        NotPositive {
            /// The attribute.
            attribute: String,
            /// The number of affected rows.
            n_rows: u64,
        },
        /// The principle requires a taxonomy, but the attribute has no hierarchy.
        #[error("'{attribute}' has no hierarchy, but the principle requires one")]
        #[code("E-PRINCIPLE-005", "add a hierarchy to the attribute")]
        NoTaxonomy {
            /// The attribute.
            attribute: String,
        },
        /// The taxonomy does not contain all values in the table.
        #[error(
            "the hierarchy of '{attribute}' does not list {}, found in {}",
            words::count(values.len() as u64, "value"),
            words::count(*n_rows, "row")
        )]
        #[code("E-PRINCIPLE-006", "add all values to the hierarchy")]
        NotInTaxonomy {
            /// The attribute.
            attribute: String,
            /// The number of affected rows.
            n_rows: u64,
            /// The values that cause the error. Only the data holder may see these values.
            values: Vec<String>,
        },
        /// Some weights are assigned to values that are not base values of the taxonomy.
        #[error(
            "'{attribute}' has {} for values that are not base values",
            words::count(values.len() as u64, "weight")
        )]
        #[code("E-PRINCIPLE-007", "remove these weights: only base values of the hierarchy may \
                have weights")]
        WeightOfNothing {
            /// The attribute.
            attribute: String,
            /// The values that cause the error. Only the data holder may see these values.
            values: Vec<String>,
        },
        /// For some values, all base values have weight 0 (reading E-4).
        #[error(
            "no base value has a positive weight for {} of '{attribute}' in {}",
            words::count(values.len() as u64, "value"),
            words::count(*n_rows, "row")
        )]
        #[code("E-PRINCIPLE-008", "give at least one base value below each of these values a \
                positive weight, or use weights = \"domain\"")]
        NoWeight {
            /// The attribute.
            attribute: String,
            /// The number of affected rows.
            n_rows: u64,
            /// The values that cause the error. Only the data holder may see these values.
            values: Vec<String>,
        },
        /// The principle requires a population table.
        #[error("the principle requires a population table")]
        #[code("E-PRINCIPLE-009", "specify the path of the population table, such as population = \
                \"people.csv\"")]
        NoPopulation,
    }
    wraps {
        /// The population table does not match the table.
        Population(#[from] PopulationError),
    }
    help {
        Self::NotNumeric { values, .. } if Notation::numbers(values).is_some() =>
            Notation::numbers(values).unwrap_or_default();
    }
}

impl DataError {
    /// Returns the values that cause the error. Only the data holder may see these values.
    pub fn values(&self) -> &[String] {
        match self {
            DataError::NotNumeric { values, .. }
            | DataError::NotInTaxonomy { values, .. }
            | DataError::WeightOfNothing { values, .. }
            | DataError::NoWeight { values, .. } => values,
            _ => &[],
        }
    }
}

errors! {
    /// The reason why a principle cannot be built.
    #[derive(Clone, PartialEq, Eq)]
    pub enum BuildError {
    }
    wraps {
        /// A parameter is invalid for every table.
        Parameter(#[from] ParameterError),
        /// The table is not suitable.
        Data(#[from] DataError),
    }
}

/// A combination of a principle and a table that is valid but probably not intended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuildWarning {
    /// A value that the policy names does not occur in the table.
    DoesNotOccur {
        /// The parameter.
        parameter: String,
        /// The attribute.
        attribute: String,
        /// The number of such values.
        n_values: usize,
        /// Each value, paired with the most similar value in the table; only the data holder may
        /// see them.
        values: Vec<(String, Option<String>)>,
    },
}

impl fmt::Display for BuildWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::DoesNotOccur { parameter, attribute, n_values, .. } = self;
        let values = words::count(*n_values as u64, "value");
        write!(f, "'{parameter}' has {values} that '{attribute}' does not contain")
    }
}

impl<'a> Context<'a> {
    /// Creates a context that has no taxonomy or population and treats missing numbers as errors.
    pub fn new(table: &'a FrequencyTable, attribute: Option<usize>) -> Self {
        Self { table, attribute, taxonomy: None, population: None, missing: Missing::Error }
    }

    /// Sets the taxonomy of the sensitive attribute.
    pub fn with_taxonomy(self, taxonomy: &'a Taxonomy) -> Self {
        Self { taxonomy: Some(taxonomy), ..self }
    }

    /// Sets the population table.
    pub fn with_population(self, population: Arc<Population>) -> Self {
        Self { population: Some(population), ..self }
    }

    /// Sets the treatment of missing numbers.
    pub fn with_missing(self, missing: Missing) -> Self {
        Self { missing, ..self }
    }

    pub(super) fn attribute(&self) -> usize {
        self.attribute.expect("the policy assigns a sensitive attribute to this kind")
    }

    pub(super) fn column(&self) -> &'a CountedColumn {
        &self.table.sensitive()[self.attribute()]
    }

    /// Returns the number of rows with any of the given codes, and the values of these codes.
    pub(super) fn rows_with(&self, codes: &[u32]) -> (u64, Vec<String>) {
        let column = self.column();
        let marginal = self.table.marginal(column);
        let n_rows = codes.iter().map(|&code| marginal[code as usize]).sum();
        let value = |&code: &u32| column.dictionary.value(code).to_owned();
        (n_rows, codes.iter().map(value).collect())
    }

    /// Returns the sensitive values as numbers.
    pub(super) fn numbers(&self) -> Result<Numbers, DataError> {
        let column = self.column();
        let attribute = || column.name.clone();
        match Numbers::from_dictionary(&column.dictionary) {
            Err(NotNumbers::Text { codes }) => {
                let (n_rows, values) = self.rows_with(&codes);
                Err(DataError::NotNumeric { attribute: attribute(), n_rows, values })
            }
            Err(NotNumbers::TooManyDigits) => {
                Err(DataError::TooManyDigits { attribute: attribute() })
            }
            Ok(numbers) => match (numbers.missing(), self.missing) {
                (Some(code), Missing::Error) => {
                    let (n_rows, _) = self.rows_with(&[code]);
                    match n_rows {
                        0 => Ok(numbers),
                        _ => Err(DataError::MissingNumbers { attribute: attribute(), n_rows }),
                    }
                }
                _ => Ok(numbers),
            },
        }
    }

    /// Returns the codes of those values that occur. If `values` is empty, the context need not
    /// have a sensitive attribute.
    pub(super) fn codes_of(&self, values: &[String]) -> Vec<u32> {
        if values.is_empty() {
            return Vec::new();
        }
        let dictionary = &self.column().dictionary;
        let mut codes: Vec<u32> =
            values.iter().filter_map(|value| dictionary.code_of(value)).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }
}

/// Adds a warning for each parameter with values that do not occur in the table.
pub(super) fn unknown_values(
    context: &Context<'_>,
    specs: &[ParameterSpec],
    parameters: &Parameters,
    within: &str,
    warnings: &mut Vec<BuildWarning>,
) {
    for spec in specs {
        let name = format!("{within}{}", spec.name);
        match (spec.kind, parameters.0.get(spec.name)) {
            (ParameterKind::Values, Some(ParameterValue::Values(values))) => {
                does_not_occur(context, name, &mut values.iter(), warnings);
            }
            // If there is a taxonomy, weights are assigned to its base values, which need not occur
            // in the table.
            (ParameterKind::Weights { .. }, Some(ParameterValue::Table(weights)))
                if context.taxonomy.is_none() =>
            {
                does_not_occur(context, name, &mut weights.keys(), warnings);
            }
            (ParameterKind::Table { fields }, Some(ParameterValue::Table(given))) => {
                let given = Parameters(given.clone());
                unknown_values(context, fields, &given, &format!("{name}."), warnings);
            }
            _ => {}
        }
    }
}

fn does_not_occur(
    context: &Context<'_>,
    parameter: String,
    values: &mut dyn Iterator<Item = &String>,
    warnings: &mut Vec<BuildWarning>,
) {
    let column = context.column();
    let unknown: Vec<(String, Option<String>)> = values
        .filter(|value| column.dictionary.code_of(value).is_none())
        .map(|value| (value.clone(), nearest(value, column.dictionary.values())))
        .collect();
    if !unknown.is_empty() {
        warnings.push(BuildWarning::DoesNotOccur {
            parameter,
            attribute: column.name.clone(),
            n_values: unknown.len(),
            values: unknown,
        });
    }
}

/// Returns the value with the smallest edit distance from `wanted`, if the distance is less than
/// half its length.
fn nearest(wanted: &str, values: &[String]) -> Option<String> {
    let most = wanted.chars().count().div_ceil(2);
    let distances = values.iter().filter(|value| *value != MISSING).map(|value| {
        let distance = strsim::levenshtein(&wanted.to_lowercase(), &value.to_lowercase());
        (distance, value)
    });
    distances.min().filter(|(distance, _)| *distance < most).map(|(_, value)| value.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_value_is_suggested() {
        let values: Vec<String> =
            ["", "healthy", "hepatitis"].iter().map(|v| (*v).to_owned()).collect();
        assert_eq!(nearest("Helthy", &values), Some("healthy".to_owned()));
        assert_eq!(nearest("flu", &values), None);
    }
}
