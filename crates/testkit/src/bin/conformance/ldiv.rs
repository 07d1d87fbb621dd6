//! The l-diversity family.

use indistinct_core::model::ClassView;
use indistinct_core::principle::{Quantity, adjust};
use indistinct_core::{Others, Principle, Requirement, check_rows};
use serde_json::{Value, json};

use super::input::{Table, kind, names, parameters};

/// Returns the kind and the parameters of a criterion in the request format.
fn criterion(given: &Value) -> (&'static str, Value) {
    let l = &given["l"];
    let dont_care = names(&given["dont_care"]);
    match given["criterion"].as_str().unwrap_or_default() {
        "distinct" => ("distinct-l-diversity", json!({ "l": l })),
        "frequency" => ("frequency-l-diversity", json!({ "l": l })),
        "entropy" => ("entropy-l-diversity", json!({ "l": l })),
        "entropy_dont_care" => ("entropy-l-diversity", json!({ "l": l, "dont_care": dont_care })),
        "recursive" => ("recursive-diversity", json!({ "c": given["c"], "l": l })),
        "pd_recursive" => {
            ("recursive-diversity", json!({ "c": given["c"], "l": l, "dont_care": dont_care }))
        }
        "npd_recursive" => {
            let negative = json!({ "values": names(&given["no_negative"]), "c2": given["c2"] });
            let all =
                json!({ "c": given["c1"], "l": l, "dont_care": dont_care, "negative": negative });
            ("recursive-diversity", all)
        }
        other => panic!("unknown criterion {other}"),
    }
}

pub fn check(input: &Value) -> Value {
    let table = Table::parse(input);
    let (name, given) = criterion(&input["params"]);
    table.verdicts(table.requirement(name, given))
}

pub fn multi(input: &Value) -> Value {
    let table = Table::parse(input);
    let (name, given) = criterion(&input["params"]);
    let requirements: Vec<Requirement> = (0..table.counted.sensitive().len())
        .map(|attribute| {
            let context = indistinct_core::principle::Context::new(&table.counted, Some(attribute));
            let given = parameters(given.clone());
            Requirement::new(kind(name), &context, given, Others::QuasiIdentifier).expect("valid")
        })
        .collect();
    let claims = check_rows(&table.counted, &requirements).claims;
    json!({ "satisfied": claims.principles.iter().all(|claim| claim.holds) })
}

fn quantity(principle: &dyn Principle, view: &ClassView<'_>) -> Option<f64> {
    let level = principle.of_class(view);
    level.quantities().next().and_then(Quantity::to_f64)
}

pub fn measure(input: &Value) -> Value {
    let table = Table::parse(input);
    let l = &input["params"]["l"];
    let dont_care = names(&input["params"]["dont_care"]);
    let make = |name: &str, given: Value| table.requirement(name, given).principle;
    let distinct = make("distinct-l-diversity", json!({ "l": 1 }));
    let frequency = make("frequency-l-diversity", json!({ "l": 1 }));
    let entropy = make("entropy-l-diversity", json!({ "l": 1 }));
    let adjusted = make("entropy-l-diversity", json!({ "l": 1, "dont_care": dont_care }));
    let recursive = make("recursive-diversity", json!({ "c": 1, "l": l }));
    let measured = table.each(|class, view| {
        let entropy_l = quantity(&*entropy, view);
        json!({
            "key": class.key,
            "size": class.size,
            "distinct": quantity(&*distinct, view),
            "frequency_l": quantity(&*frequency, view),
            "entropy": entropy_l.map(f64::ln),
            "entropy_l": entropy_l,
            "recursive_min_c": quantity(&*recursive, view),
            "adjusted_entropy": quantity(&*adjusted, view).map(f64::ln),
        })
    });
    let minimum = |key: &str| {
        let values = measured.iter().filter_map(|class| class[key].as_f64());
        values.min_by(f64::total_cmp)
    };
    let keys = ["distinct", "frequency_l", "entropy", "entropy_l", "adjusted_entropy"];
    let minima = keys.map(|key| (key.to_owned(), json!(minimum(key))));
    json!({ "classes": measured, "table": super::input::object(minima) })
}

pub fn adjusted(input: &Value) -> Value {
    let counts = |key: &str| -> Vec<u64> {
        input["params"][key].as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
    };
    let (p, phi) = (counts("p"), counts("phi"));
    if p.iter().chain(&phi).all(|&count| count == 0) {
        return json!({ "adjusted_entropy": null });
    }
    let adjusted = adjust(&p, &phi);
    let mut answer = json!({ "adjusted_entropy": adjusted.diversity.ln() });
    if p.iter().any(|&count| count > 0) {
        let lowered = adjusted.lowered_to.unwrap_or(f64::INFINITY);
        answer["x"] = phi.iter().map(|&count| json!((count as f64).min(lowered))).collect();
    }
    answer
}
