//! Operations for losses and homogeneity.

use indistinct_core::loss::{self, Form, Sizes};
use indistinct_core::risk;
use serde_json::{Value, json};

use super::input::{Table, exact};

pub fn homogeneity(input: &Value) -> Value {
    let table = Table::parse(input);
    let found = risk::homogeneity(&table.counted, 0, &exact(&input["params"]["threshold"]));
    json!({ "affected_groups": found.n_classes, "affected_tuples": found.n_rows })
}

fn of_sizes(name: &str, sizes: &Sizes) -> f64 {
    match loss::find(name).map(|loss| loss.form) {
        Some(Form::Classes(of_sizes)) => of_sizes(sizes),
        _ => unreachable!("the loss is computed from class sizes"),
    }
}

pub fn size(input: &Value) -> Value {
    let table = Table::parse(input);
    let n_suppressed = input["params"]["suppressed"].as_u64().unwrap_or(0);
    let sizes = Sizes {
        n_rows: table.counted.n_rows() + n_suppressed,
        n_suppressed,
        n_classes: table.classes.len() as u64,
        squares: table.classes.iter().map(|class| u128::from(class.size).pow(2)).sum(),
    };
    let average = (sizes.n_classes > 0).then(|| of_sizes("average-class-size", &sizes));
    json!({
        "average_group_size": average,
        "discernibility": of_sizes("discernibility", &sizes),
    })
}

pub fn height(input: &Value) -> Value {
    let levels: Vec<usize> = input["params"]["levels"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|level| level.as_u64().map(|level| level as usize))
        .collect();
    match loss::find("height").map(|loss| loss.form) {
        Some(Form::Levels(height)) => json!({ "height": height(&levels) }),
        _ => unreachable!("height is computed from levels"),
    }
}
