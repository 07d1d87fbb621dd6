//! Adult, and requirements from strings.

#![allow(dead_code, reason = "each test uses only some of the functions")]

use indistinct_core::model::CountedColumn;
use indistinct_core::principle::{self, Context, Missing, ParameterValue, Parameters};
use indistinct_core::recoding::{ClassColumn, Others};
use indistinct_core::{
    FrequencyTable, Observer, Policy, Rational, Recoding, Requirement, SuppressionRule,
    parse_decimal,
};
use indistinct_search::multidimensional::{GeneralizeTo, Multidimensional, Split};
use indistinct_search::{Outcome, Problem, Search, SearchError};
use indistinct_testkit::adult::adult;

#[path = "../plain_columns/mod.rs"]
mod plain_columns;

pub use plain_columns::{column, hierarchy};

/// Creates a requirement from parameters as strings.
pub fn requirement(
    table: &FrequencyTable,
    kind: &str,
    attribute: Option<usize>,
    numbers: &[(&str, &str)],
    others: Others,
) -> Requirement {
    let number = |text: &str| match text.split_once('/') {
        Some((a, b)) => Rational::new(a.parse().expect("a number"), b.parse().expect("a number")),
        None => parse_decimal(text).expect("a decimal"),
    };
    let parameters = numbers
        .iter()
        .map(|(name, text)| ((*name).to_owned(), ParameterValue::Number(number(text))))
        .collect();
    let missing = Missing::default();
    let context = Context { table, attribute, taxonomy: None, population: None, missing };
    let kind = principle::find(kind).expect("the registry contains the principle");
    Requirement::new(kind, &context, Parameters(parameters), others).expect("valid parameters")
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

/// Adult with some quasi-identifiers, and occupation as the sensitive attribute unless it is one of
/// them.
pub struct Adult {
    pub table: FrequencyTable,
    pub policy: Policy,
}

impl Adult {
    /// Loads Adult; `None` if the shared folder is missing.
    pub fn new(
        names: &[&str],
        limit: Rational,
        principles: &[(&str, &[(&str, &str)])],
    ) -> Option<Self> {
        let columns = adult(names)?;
        let quasi_identifiers: Vec<CountedColumn> =
            columns.iter().map(|from| column(&from.name, &from.values)).collect();
        let hierarchies = quasi_identifiers
            .iter()
            .zip(&columns)
            .map(|(counted, plain)| hierarchy(&counted.dictionary, &plain.hierarchy))
            .collect();
        let sensitive = match names.contains(&"occupation") {
            true => Vec::new(),
            false => adult(&["occupation"])?
                .iter()
                .map(|from| column(&from.name, &from.values))
                .collect(),
        };
        let attribute = (!sensitive.is_empty()).then_some(0);
        let counts = vec![1; columns[0].values.len()];
        let table = FrequencyTable::new(quasi_identifiers, sensitive, counts).expect("well-formed");
        let requirements = principles
            .iter()
            .map(|(kind, numbers)| {
                let attribute = attribute.filter(|_| *kind != "k-anonymity");
                requirement(&table, kind, attribute, numbers, Others::Ignored)
            })
            .collect();
        let policy = Policy {
            hierarchies,
            requirements,
            suppression_limit: limit,
            suppressed: SuppressionRule::Dropped,
            published: ClassColumn::Absent,
        };
        Some(Self { table, policy })
    }

    pub fn problem(&self, align: GeneralizeTo, split: Split) -> Task<'_> {
        problem(&self.table, &self.policy, align, split)
    }
}

/// A problem and the options of the search.
#[derive(Debug, Clone)]
pub struct Task<'a> {
    pub problem: Problem<'a>,
    pub search: Multidimensional,
}

impl Task<'_> {
    pub fn run(&self, observer: &dyn Observer) -> Result<Outcome<Recoding>, SearchError> {
        self.search.search(&self.problem, observer)
    }
}

/// Creates a problem with all levels, equal weights, and the objective `loss`.
pub fn problem<'a>(
    table: &'a FrequencyTable,
    policy: &'a Policy,
    align: GeneralizeTo,
    split: Split,
) -> Task<'a> {
    Task {
        problem: Problem::new(table, policy),
        search: Multidimensional { align, split, ..Multidimensional::default() },
    }
}
