//! Conversion of the plain types of the test kit into core types.

#![allow(dead_code, reason = "each test uses only some of the functions")]

pub mod exhaustive;
pub mod plain;
pub mod policies;

use indistinct_core::hierarchy::HierarchyLevel;
use indistinct_core::loss;
use indistinct_core::model::{CountedColumn, parse_decimal};
use indistinct_core::principle::{self, Context, ParameterValue, Parameters};
use indistinct_core::{
    Dictionary, FrequencyTable, Hierarchy, Others, Policy, Rational, Requirement, STAR,
    SuppressionRule,
};
use indistinct_search::Problem;
use indistinct_testkit::adult::{AdultColumn, adult};

/// Creates a column from one value for each row.
pub fn column(name: &str, values: &[String]) -> CountedColumn {
    let mut distinct: Vec<String> = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let (dictionary, code) = Dictionary::from_distinct(distinct.clone());
    let codes = values
        .iter()
        .map(|value| {
            code[distinct.binary_search(value).expect("the sorted list contains every value")]
        })
        .collect();
    CountedColumn { name: name.to_owned(), dictionary, codes }
}

/// Creates a hierarchy for a dictionary from rows of labels.
pub fn hierarchy(dictionary: &Dictionary, rows: &[Vec<String>]) -> Hierarchy {
    let levels = (0..rows[0].len())
        .map(|level| {
            let mut labels: Vec<String> = match level {
                0 => dictionary.values().to_vec(),
                _ => Vec::new(),
            };
            for row in rows.iter().filter(|_| level > 0) {
                if !labels.contains(&row[level]) {
                    labels.push(row[level].clone());
                }
            }
            let index = |label: &str| labels.iter().position(|other| other == label);
            let label_of = |value: &String| {
                let row = rows
                    .iter()
                    .find(|row| row[0] == *value)
                    .expect("the hierarchy has a row for every value");
                index(&row[level]).expect("the list contains every label") as u32
            };
            HierarchyLevel {
                map: dictionary.values().iter().map(label_of).collect(),
                covered: labels
                    .iter()
                    .map(|label| rows.iter().filter(|row| row[level] == *label).count() as u64)
                    .collect(),
                labels,
            }
        })
        .collect();
    Hierarchy::new(levels, rows.len() as u64).expect("the hierarchy is nested")
}

/// A requirement that has not been built for a table yet.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub kind: &'static str,
    /// The index of the sensitive attribute.
    pub attribute: Option<usize>,
    pub parameters: Parameters,
    pub others: Others,
}

impl Wanted {
    /// Builds the requirement for the table of a context; the attribute of the context is ignored.
    pub fn within(&self, context: Context<'_>) -> Requirement {
        let kind = principle::find(self.kind).expect("the registry contains the principle");
        let context = Context { attribute: self.attribute, ..context };
        Requirement::new(kind, &context, self.parameters.clone(), self.others)
            .expect("the parameters are valid for the table")
    }

    pub fn on(&self, table: &FrequencyTable) -> Requirement {
        self.within(Context::new(table, None))
    }
}

/// Parses a decimal number or a fraction.
pub fn number(text: &str) -> ParameterValue {
    ParameterValue::Number(match text.split_once('/') {
        Some((a, b)) => Rational::new(a.parse().expect("a number"), b.parse().expect("a number")),
        None => parse_decimal(text).expect("a decimal"),
    })
}

/// Creates a requirement on the sensitive attribute at an index from parameters as strings.
pub fn requirement(
    kind: &'static str,
    attribute: Option<usize>,
    numbers: &[(&str, &str)],
) -> Wanted {
    let numbers = numbers.iter().map(|(name, text)| ((*name).to_owned(), number(text)));
    Wanted { kind, attribute, parameters: Parameters(numbers.collect()), others: Others::Ignored }
}

/// Adult with some quasi-identifiers, and occupation as the sensitive attribute unless it is one of
/// them.
pub struct Adult {
    pub table: FrequencyTable,
    pub policy: Policy,
}

pub const ALL_NINE: [&str; 9] = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "salary-class",
    "occupation",
];

impl Adult {
    /// Loads Adult; `None` if the shared folder is missing.
    pub fn new(names: &[&str], limit: &str, requirements: Vec<Wanted>) -> Option<Self> {
        let counted = |columns: &[AdultColumn]| -> Vec<CountedColumn> {
            columns.iter().map(|from| column(&from.name, &from.values)).collect()
        };
        let columns = adult(names)?;
        let quasi_identifiers = counted(&columns);
        let hierarchies = quasi_identifiers
            .iter()
            .zip(&columns)
            .map(|(counted, plain)| hierarchy(&counted.dictionary, &plain.hierarchy))
            .collect();
        let sensitive = match names.contains(&"occupation") {
            true => Vec::new(),
            false => counted(&adult(&["occupation"])?),
        };
        let counts = vec![1; columns[0].values.len()];
        let table = FrequencyTable::new(quasi_identifiers, sensitive, counts).expect("well-formed");
        let suppression_limit = parse_decimal(limit).expect("a decimal");
        let suppressed = SuppressionRule::Dropped;
        let requirements = requirements.iter().map(|wanted| wanted.on(&table)).collect();
        Some(Self {
            table,
            policy: Policy {
                hierarchies,
                requirements,
                suppression_limit,
                suppressed,
                published: indistinct_core::ClassColumn::Absent,
            },
        })
    }

    pub fn problem(&self, objective: &str) -> Problem<'_> {
        problem(&self.table, &self.policy, objective)
    }
}

/// Creates a problem with all levels and equal weights.
pub fn problem<'a>(table: &'a FrequencyTable, policy: &'a Policy, objective: &str) -> Problem<'a> {
    let objective = loss::find(objective).expect("the registry contains the loss");
    Problem { objective, ..Problem::new(table, policy) }
}

pub fn k_anonymity(k: &str) -> Wanted {
    requirement("k-anonymity", None, &[("k", k)])
}

pub fn star() -> String {
    STAR.to_owned()
}
