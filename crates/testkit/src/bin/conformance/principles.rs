//! Operations for principles whose papers have no separate module.

use indistinct_diagnostics::Coded;
use std::sync::Arc;

use indistinct_core::model::{CountedColumn, Population};
use indistinct_core::principle::Context;
use indistinct_core::{Dictionary, FrequencyTable, check_rows};
use serde_json::{Value, json};

use super::input::{Table, kind, parameters, reached, taxonomy};

pub fn k(input: &Value) -> Value {
    let table = Table::parse(input);
    let claims = table.claims(table.requirement("k-anonymity", input["params"].clone()));
    json!({ "k": reached(&claims, "k"), "satisfied": claims.principles[0].holds })
}

pub fn alpha_k(input: &Value) -> Value {
    let table = Table::parse(input);
    let given = &input["params"];
    let mut wanted = json!({ "alpha": given["alpha"], "k": given["k"] });
    if !given["only"].is_null() {
        wanted["values"] = given["only"].clone();
    }
    table.verdicts(table.requirement("alpha-k-anonymity", wanted))
}

pub fn k_e(input: &Value) -> Value {
    let table = Table::parse(input);
    table.verdicts(table.requirement("k-e-anonymity", input["params"].clone()))
}

pub fn variance(input: &Value) -> Value {
    let table = Table::parse(input);
    let wanted = json!({ "variance": input["params"]["t"] });
    let claims = table.claims(table.requirement("variance-control", wanted));
    json!({ "min_variance": reached(&claims, "variance"), "satisfied": claims.principles[0].holds })
}

pub fn t_closeness(input: &Value) -> Value {
    let table = Table::parse(input);
    let given = &input["params"];
    let wanted = parameters(json!({ "t": given["t"], "distance": given["distance"] }));
    let tree = (!given["taxonomy"].is_null()).then(|| taxonomy(&given["taxonomy"]));
    let context = Context { taxonomy: tree.as_ref(), ..table.context() };
    let claims = table.claims(Table::require(kind("t-closeness"), &context, wanted));
    let max_emd = match reached(&claims, "t") {
        Value::Null => json!(0),
        t => t,
    };
    json!({ "max_emd": max_emd, "satisfied": claims.principles[0].holds })
}

pub fn delta_presence(input: &Value) -> Value {
    let given = &input["params"];
    let pairs: Vec<(u64, u64)> = given["classes"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|pair| (pair[0].as_u64().unwrap_or(0), pair[1].as_u64().unwrap_or(0)))
        .collect();
    let counted = |counts: Vec<u64>| {
        let rows: Vec<(String, u64)> = counts
            .into_iter()
            .enumerate()
            .filter(|(_, count)| *count > 0)
            .map(|(class, count)| (class.to_string(), count))
            .collect();
        let (labels, counts): (Vec<String>, Vec<u64>) = rows.into_iter().unzip();
        let (dictionary, codes) = Dictionary::from_distinct(labels);
        let column = CountedColumn { name: "class".to_owned(), dictionary, codes };
        FrequencyTable::new(vec![column], Vec::new(), counts).expect("every class has a code")
    };
    let released = counted(pairs.iter().map(|pair| pair.0).collect());
    let people = counted(pairs.iter().map(|pair| pair.1).collect());
    let (released, people) = match Population::join(&released, &people) {
        Ok(joined) => joined,
        Err(error) => return json!({ "error": error.code() }),
    };
    let wanted = json!({
        "min": given["delta_min"], "max": given["delta_max"], "population": "standard input",
    });
    let context = Context::new(&released, None).with_population(Arc::new(people));
    let requirement = Table::require(kind("delta-presence"), &context, parameters(wanted));
    let claims = check_rows(&released, &[requirement]).claims;
    json!({ "satisfied": claims.principles[0].holds })
}
