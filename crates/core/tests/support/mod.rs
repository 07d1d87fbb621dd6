//! Small tables, parameters, and classes for tests of principles.
#![allow(dead_code, reason = "each test file uses only some of the functions")]

use std::collections::BTreeMap;

use indistinct_core::belief::{BeliefError, Block, BlockBeliefs, Limits, Prior};
use indistinct_core::model::{CountedColumn, Taxonomy};
use indistinct_core::principle::{Context, ParameterValue, Parameters, find};
use indistinct_core::{
    ClassView, Dictionary, FrequencyTable, Histogram, Level, Others, Principle, PrincipleClaim,
    Rational, Requirement, check_rows, parse_decimal,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Runs a property test that always generates the same cases.
pub fn check<S: Strategy>(
    n_cases: u32,
    strategy: &S,
    property: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let config = Config { failure_persistence: None, ..Config::with_cases(n_cases) };
    TestRunner::new_with_rng(config, rng).run(strategy, property).expect("the property holds");
}

pub fn num(text: &str) -> ParameterValue {
    ParameterValue::Number(parse_decimal(text).expect("the text is a decimal number"))
}

pub fn int(number: u64) -> ParameterValue {
    ParameterValue::Number(indistinct_core::Rational::from_integer(i128::from(number)))
}

pub fn ratio((numerator, denominator): (u64, u64)) -> ParameterValue {
    ParameterValue::Number(indistinct_core::model::from_ratio(numerator, denominator))
}

pub fn word(text: &str) -> ParameterValue {
    ParameterValue::Text(text.to_owned())
}

pub fn list(values: &[&str]) -> ParameterValue {
    ParameterValue::Values(values.iter().map(|value| (*value).to_owned()).collect())
}

pub fn fields(entries: &[(&str, ParameterValue)]) -> ParameterValue {
    ParameterValue::Table(given(entries).0)
}

pub fn given(entries: &[(&str, ParameterValue)]) -> Parameters {
    Parameters(entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

fn column(name: String, cells: &[String]) -> CountedColumn {
    let mut distinct: Vec<String> = cells.to_vec();
    distinct.sort();
    distinct.dedup();
    let (dictionary, _) = Dictionary::from_distinct(distinct);
    let code = |cell: &String| dictionary.code_of(cell).expect("the cell is in the dictionary");
    let codes = cells.iter().map(code).collect();
    CountedColumn { name, dictionary, codes }
}

/// Creates a table from rows of quasi-identifiers and sensitive values.
pub fn table_of(rows: &[(Vec<String>, Vec<String>)], n_qi: usize, n_s: usize) -> FrequencyTable {
    let column_of = |name: &str, at: usize, cell: &dyn Fn(usize) -> String| {
        column(format!("{name}{at}"), &(0..rows.len()).map(cell).collect::<Vec<_>>())
    };
    let qi = (0..n_qi).map(|at| column_of("q", at, &|row| rows[row].0[at].clone())).collect();
    let s = (0..n_s).map(|at| column_of("s", at, &|row| rows[row].1[at].clone())).collect();
    FrequencyTable::new(qi, s, vec![1; rows.len()]).expect("the table is valid")
}

/// Creates a table with one quasi-identifier and one sensitive attribute.
pub fn table(rows: &[(&str, &str)]) -> FrequencyTable {
    let rows: Vec<_> =
        rows.iter().map(|(q, s)| (vec![(*q).to_owned()], vec![(*s).to_owned()])).collect();
    table_of(&rows, 1, 1)
}

/// Creates a table whose rows form one class.
pub fn one_class<T: ToString>(values: &[T]) -> FrequencyTable {
    let rows: Vec<_> = values.iter().map(|s| (vec!["q".to_owned()], vec![s.to_string()])).collect();
    table_of(&rows, 1, 1)
}

/// Creates a table of two classes.
pub fn two_classes<T: ToString>(a: &[T], b: &[T]) -> FrequencyTable {
    let first = a.iter().map(|s| (vec!["a".to_owned()], vec![s.to_string()]));
    let second = b.iter().map(|s| (vec!["b".to_owned()], vec![s.to_string()]));
    table_of(&first.chain(second).collect::<Vec<_>>(), 1, 1)
}

/// Converts counts to the sensitive values v0, v0, ..., v1, ....
pub fn of_counts(counts: &[u64]) -> Vec<String> {
    let values = counts.iter().enumerate();
    values.flat_map(|(at, &count)| (0..count).map(move |_| format!("v{at}"))).collect()
}

pub fn context(table: &FrequencyTable) -> Context<'_> {
    Context::new(table, Some(0))
}

pub fn build(context: &Context<'_>, kind: &str, parameters: &Parameters) -> Box<dyn Principle> {
    let kind = find(kind).expect("the registry contains the kind");
    kind.build(context, parameters).expect("the parameters and data are valid")
}

/// Returns the claim of one requirement for a table.
pub fn claim(context: &Context<'_>, kind: &str, parameters: &Parameters) -> PrincipleClaim {
    claim_with(context, kind, parameters, Others::Ignored)
}

pub fn claim_with(
    context: &Context<'_>,
    kind: &str,
    parameters: &Parameters,
    others: Others,
) -> PrincipleClaim {
    let kind = find(kind).expect("the registry contains the kind");
    let requirement = Requirement::new(kind, context, parameters.clone(), others)
        .expect("the parameters and data are valid");
    check_rows(context.table, &[requirement]).claims.principles.remove(0)
}

/// Returns the reached level of a claim as a floating-point number, or `None` for null.
pub fn reached(claim: &PrincipleClaim, name: &str) -> Option<f64> {
    match claim.reached.as_ref().expect("the table has rows")[name].as_ref()? {
        indistinct_core::Figure::Count(count) => Some(*count as f64),
        indistinct_core::Figure::Real(real) => Some(*real),
        other => panic!("expected a number, got {other:?}"),
    }
}

pub fn holds(values: &[String], kind: &str, parameters: &Parameters) -> bool {
    let table = one_class(values);
    claim(&context(&table), kind, parameters).holds
}

/// Returns the histogram of the given sensitive values, with the codes of the table's only
/// sensitive attribute.
pub fn entries(table: &FrequencyTable, values: &[String]) -> Vec<(u32, u64)> {
    let dictionary = &table.sensitive()[0].dictionary;
    let mut entries: Vec<(u32, u64)> = Vec::new();
    for value in values {
        let code = dictionary.code_of(value).expect("the sensitive value is in the dictionary");
        match entries.binary_search_by_key(&code, |entry| entry.0) {
            Ok(at) => entries[at].1 += 1,
            Err(at) => entries.insert(at, (code, 1)),
        }
    }
    entries
}

/// Calls `f` with a class of the given sensitive values.
pub fn with_class<R>(
    table: &FrequencyTable,
    entries: &[(u32, u64)],
    f: impl FnOnce(&ClassView<'_>) -> R,
) -> R {
    let dictionary = &table.sensitive()[0].dictionary;
    let size = entries.iter().map(|entry| entry.1).sum();
    f(&ClassView::new(size, &[Histogram { entries, dictionary }]))
}

pub fn level(table: &FrequencyTable, principle: &dyn Principle, values: &[String]) -> Level {
    with_class(table, &entries(table, values), |view| principle.of_class(view))
}

/// Creates a taxonomy from chains that start with the base value and end with the root.
pub fn taxonomy(chains: &[&[&str]]) -> Taxonomy {
    let chains: Vec<Vec<&str>> = chains.iter().map(|chain| chain.to_vec()).collect();
    Taxonomy::of_chains(&chains).expect("the list of chains is not empty")
}

/// Generates numbers with halves and ties, including negative numbers, and sometimes a missing
/// value.
pub fn sensitive_value() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => (-8i32..30).prop_map(|x| x.to_string()),
        3 => (-8i32..30).prop_map(|x| format!("{x}.5")),
        1 => (-8i32..30).prop_map(|x| format!("{x}.0")),
        1 => Just(String::new()),
    ]
}

/// Returns the prior and posterior belief about a person for each sensitive value that is possible
/// according to the prior.
pub fn observed(
    prior: &Prior,
    block: &Block,
    person: u32,
) -> Result<BTreeMap<u32, (f64, f64)>, BeliefError> {
    let half = Rational::new(1, 2);
    let limits = Limits { delta: half, epsilon: half, rho1: half, rho2: half };
    let beliefs = BlockBeliefs::new(prior, block, &limits)?.of(person)?;
    Ok(beliefs.into_iter().map(|(value, it)| (value, (it.prior, it.posterior))).collect())
}
