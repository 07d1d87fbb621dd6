//! Operations for principles about close numbers.

use indistinct_core::Requirement;
use indistinct_core::feasibility::{Supremum, Unit, largest_m, supremum};
use indistinct_core::model::to_f64;
use indistinct_core::principle::Quantity;
use indistinct_core::principle::proximity::{Neighborhood, Reach};
use serde_json::{Value, json};

use super::input::{Table, exact, reached};

fn requirement(table: &Table, given: &Value) -> Requirement {
    let m = &given["m"];
    let (name, wanted) = match given["kind"].as_str().unwrap_or_default() {
        "absolute" => ("epsilon-m-anonymity", json!({ "epsilon": given["eps"], "m": m })),
        "relative" => (
            "epsilon-m-anonymity",
            json!({ "epsilon": given["eps"], "m": m, "neighborhood": "relative-radius" }),
        ),
        _ => ("e1-e2-m-anonymity", json!({ "e1": given["e1"], "e2": given["e2"], "m": m })),
    };
    table.requirement(name, wanted)
}

pub fn neighborhood(given: &Value) -> Neighborhood {
    match given["kind"].as_str().unwrap_or_default() {
        "absolute" => {
            let epsilon = exact(&given["eps"]);
            Neighborhood::Absolute { below: epsilon, above: epsilon }
        }
        "relative" => Neighborhood::Relative { epsilon: exact(&given["eps"]) },
        _ => Neighborhood::Absolute { below: exact(&given["e1"]), above: exact(&given["e2"]) },
    }
}

pub fn risk(input: &Value) -> Value {
    let table = Table::parse(input);
    let given = &input["params"];
    let reach = Reach::new(&table.numbers(), &neighborhood(given));
    let near: Vec<Vec<u64>> =
        table.classes.iter().map(|class| reach.near(&class.entries[0])).collect();
    let risks: Vec<f64> = table
        .class_of
        .iter()
        .zip(&table.codes)
        .map(|(&class, codes)| {
            let entries = &table.classes[class].entries[0];
            let at = entries
                .binary_search_by_key(&codes[0], |entry| entry.0)
                .expect("the class contains the row");
            near[class][at] as f64 / table.classes[class].size as f64
        })
        .collect();
    let claims = table.claims(requirement(&table, given));
    json!({
        "risks": risks,
        "max_risk": reached(&claims, "risk"),
        "satisfied": claims.principles[0].holds,
    })
}

pub fn feasibility(input: &Value) -> Value {
    let table = Table::of_one_class(input);
    let given = &input["params"];
    let numbers = table.numbers();
    let entries = table.classes.first().map_or(&[][..], |class| &class.entries[0]);
    let nearness = Reach::new(&numbers, &neighborhood(given)).nearness(entries);
    let principle = requirement(&table, given).principle;
    let feasible =
        table.each(|_, view| principle.partition(view).is_some()).into_iter().all(|it| it);
    let (key, unit) = match given["kind"].as_str() {
        Some("relative") => ("eps_max", Unit::Relative),
        _ => ("e_max", Unit::Absolute),
    };
    let mut answer = json!({
        "maxsize": nearness.maxsize,
        "max_m": largest_m(&nearness),
        "feasible": feasible,
    });
    let m = given["m"].as_u64().expect("m is an integer");
    answer[key] = match supremum(&numbers, entries, m, unit) {
        Supremum::Unbounded => json!("inf"),
        Supremum::Below(value) => json!(to_f64(&value)),
        // An empty table satisfies the principle for every neighborhood.
        Supremum::Undefined if entries.is_empty() && unit == Unit::Absolute => json!("inf"),
        Supremum::Undefined => Value::Null,
    };
    answer
}

pub fn delta_l_check(input: &Value) -> Value {
    let table = Table::parse(input);
    let given = &input["params"];
    let reading = if given["mode"] == "window" { "window" } else { "definition" };
    let wanted = json!({ "delta": given["delta"], "l": given["l"], "reading": reading });
    table.verdicts(table.requirement("delta-l-diversity", wanted))
}

pub fn delta_l_measure(input: &Value) -> Value {
    let table = Table::parse(input);
    let wanted = json!({ "delta": input["params"]["delta"], "l": 1 });
    let requirement = table.requirement("delta-l-diversity", wanted);
    let classes = table.each(|class, view| {
        let level = requirement.principle.of_class(view);
        let both: Vec<Option<f64>> = level.quantities().map(Quantity::to_f64).collect();
        json!({ "key": class.key, "size": class.size, "definition5": both[0], "window": both[1] })
    });
    let claims = table.claims(requirement);
    json!({
        "classes": classes,
        "definition5": reached(&claims, "definition"),
        "window": reached(&claims, "window"),
    })
}
