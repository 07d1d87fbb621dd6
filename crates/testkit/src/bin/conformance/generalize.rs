//! Split-and-partition. A second sensitive attribute with the row number makes each row a distinct
//! tuple.

use indistinct_core::model::CountedColumn;
use indistinct_core::principle::{self, Context, ParameterValue, Parameters};
use indistinct_core::recoding::Others;
use indistinct_core::{Dictionary, FrequencyTable, Requirement, parse_decimal};
use indistinct_search::multidimensional::split_and_partition;
use serde_json::{Value, json};

fn column(name: &str, values: &[String]) -> CountedColumn {
    let mut distinct = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let (dictionary, code) = Dictionary::from_distinct(distinct.clone());
    let code = |value: &String| code[distinct.binary_search(value).expect("listed")];
    CountedColumn { name: name.to_owned(), dictionary, codes: values.iter().map(code).collect() }
}

/// Returns groups of row numbers and the loss of the grouping, if a solution exists.
pub fn generalize(input: &Value) -> Value {
    match run(input) {
        Some((groups, loss)) => json!({ "feasible": true, "groups": groups, "loss": loss }),
        None => json!({ "feasible": false }),
    }
}

fn run(input: &Value) -> Option<(Vec<Vec<u64>>, f64)> {
    let params = &input["params"];
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let columns: Vec<String> =
        input["table"]["columns"].as_array().expect("columns").iter().map(text).collect();
    let rows = input["table"]["rows"].as_array().expect("rows");
    let values = |name: &str| -> Vec<String> {
        let at = columns.iter().position(|column| column == name).expect("a column");
        rows.iter().map(|row| text(&row[at])).collect()
    };
    let names: Vec<String> = input["qi"].as_array().expect("names").iter().map(text).collect();
    let quasi_identifiers = names.iter().map(|name| column(name, &values(name))).collect();
    let sensitive_value = text(&input["sensitive"]);
    let numbers: Vec<String> = (0..rows.len()).map(|row| row.to_string()).collect();
    let sensitive =
        vec![column(&sensitive_value, &values(&sensitive_value)), column("row", &numbers)];
    let table = FrequencyTable::new(quasi_identifiers, sensitive, vec![1; rows.len()]);
    let table = table.expect("well-formed");
    let number = |name: &str| {
        (
            name.to_owned(),
            ParameterValue::Number(parse_decimal(&params[name].to_string()).expect("a number")),
        )
    };
    let (kind, parameters) = match params["kind"].as_str() {
        Some("e1e2") => ("e1-e2-m-anonymity", vec![number("e1"), number("e2"), number("m")]),
        kind => {
            let epsilon = ("epsilon".to_owned(), number("eps").1);
            let relative = kind == Some("relative");
            let word = if relative { "relative-radius" } else { "absolute" };
            let word = ("neighborhood".to_owned(), ParameterValue::Text(word.to_owned()));
            ("epsilon-m-anonymity", vec![epsilon, number("m"), word])
        }
    };
    let context = Context::new(&table, Some(0));
    let kind = principle::find(kind).expect("the registry contains the principle");
    let parameters = Parameters(parameters.into_iter().collect());
    let requirement = Requirement::new(kind, &context, parameters, Others::Ignored);
    let requirements = [requirement.expect("valid parameters")];
    let sizes: Vec<f64> =
        names.iter().map(|name| params["domain_sizes"][name].as_f64().expect("a size")).collect();
    let row_of = |tuple: usize| -> u32 {
        let column = &table.sensitive()[1];
        column.dictionary.value(column.codes[tuple]).parse().expect("the value is a row number")
    };
    let order = (0..table.n_tuples()).map(row_of).collect();
    let found = split_and_partition(&table, &requirements, &sizes, order)?;
    let mut groups: Vec<Vec<u64>> = found
        .groups
        .iter()
        .map(|group| {
            let mut rows: Vec<u64> =
                group.iter().map(|&tuple| u64::from(row_of(tuple as usize))).collect();
            rows.sort_unstable();
            rows
        })
        .collect();
    groups.sort_unstable();
    Some((groups, found.loss))
}
