//! Enumerates the places of a JSON document and false values for each place.

#![allow(dead_code, reason = "no test file uses all functions")]

use serde_json::{Value, json};

/// The path of a place in a JSON document.
pub type JsonPath = Vec<String>;

/// Returns the value at a place.
///
/// # Panics
/// If the place does not exist.
pub fn at<'v>(document: &'v mut Value, place: &[String]) -> &'v mut Value {
    place.iter().fold(document, |value, key| match value {
        Value::Array(items) => &mut items[key.parse::<usize>().expect("an index")],
        other => &mut other[key.as_str()],
    })
}

/// Collects all places below a value.
pub fn places(value: &Value, here: &JsonPath, found: &mut Vec<JsonPath>) {
    let below = |key: String| here.iter().cloned().chain([key]).collect::<JsonPath>();
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                found.push(below(key.clone()));
                places(value, &below(key.clone()), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                found.push(below(index.to_string()));
                places(value, &below(index.to_string()), found);
            }
        }
        _ => {}
    }
}

/// Returns false values for one place of the claims.
pub fn lies(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!(0), json!(1), json!(0.5)],
        Value::Bool(is) => vec![json!(!is)],
        Value::Number(number) => {
            let mut lies = Vec::new();
            if let Some(n) = number.as_u64() {
                lies.extend([json!(n + 1), json!(n * 10 + 7)]);
                lies.extend(n.checked_sub(1).map(|less| json!(less)));
            }
            let n = number.as_f64().expect("a number");
            lies.extend([
                json!(n * 1.0001 + 0.0001),
                json!(n / 2.0 - 1.0),
                json!("1"),
                json!(null),
            ]);
            lies
        }
        Value::String(text) => {
            let roles = ["identifier", "quasi-identifier", "sensitive", "insensitive"];
            let mut lies = vec![json!(format!("{text}x")), json!(null), json!(7)];
            if roles.contains(&text.as_str()) {
                lies.extend(roles.iter().filter(|role| *role != text).map(|role| json!(role)));
            }
            lies
        }
        Value::Array(items) => {
            let mut lies = vec![json!([])];
            if !items.is_empty() {
                lies.push(items[1..].iter().cloned().collect());
                lies.push(items.iter().chain(&items[..1]).cloned().collect());
                lies.push(items.iter().rev().cloned().collect());
            }
            lies.retain(|lie| lie != value);
            lies
        }
        Value::Object(entries) => {
            let mut lies = vec![json!(null)];
            for key in entries.keys() {
                let mut fewer = entries.clone();
                let gone = fewer.remove(key).expect("the object contains the key");
                let mut renamed = fewer.clone();
                // An absent value and null are equivalent.
                if !gone.is_null() {
                    lies.push(Value::Object(fewer));
                }
                let number = key.parse::<u64>().ok().map(|n| (n + 1).to_string());
                let name = number.unwrap_or_else(|| format!("{key}x"));
                if renamed.insert(name, gone).is_none() {
                    lies.push(Value::Object(renamed));
                }
            }
            let mut more = entries.clone();
            more.insert("99".to_owned(), json!(1));
            lies.push(Value::Object(more));
            lies
        }
    }
}
