//! Operations for the sequential sweep.

use indistinct_core::Rational;
use indistinct_core::loss::information;
use indistinct_core::model::Taxonomy;
use indistinct_core::principle::Growth;
use indistinct_search::sweep::{
    Choice, LevelWeights, SweptAttribute, SweptRows, TauL, level_information, level_vectors,
    sweep_chain, sweep_rows,
};
use serde_json::{Value, json};

use super::input::{exact, names, taxonomy, text};
use super::tau::information as information_of;

pub fn order(input: &Value) -> Value {
    let params = &input["params"];
    let attributes = names(&input["qi"]);
    let information: Vec<Vec<f64>> = attributes
        .iter()
        .map(|attribute| {
            let tree = taxonomy(&input["taxonomies"][attribute]);
            let present = params["present"].get(attribute).map(names);
            let is_present = |leaf: &str| match &present {
                None => true,
                Some(present) => present.iter().any(|other| other == leaf),
            };
            let weight = |leaf: &str| f64::from(u8::from(is_present(leaf)));
            let weights: Vec<f64> = tree.leaf_labels().map(weight).collect();
            level_information(&tree, &weights)
        })
        .collect();
    let vectors = level_vectors(&information).expect("few vectors");
    let base: Vec<u32> = params["base_levels"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|level| level.as_u64().expect("the levels are integers") as u32)
        .collect();
    let shown = |vector: &indistinct_search::sweep::LevelVector| {
        let mut shown = vec![json!(vector.information)];
        shown.extend(vector.levels.iter().map(|level| json!(level)));
        Value::Array(shown)
    };
    json!({
        "vectors": vectors.iter().map(shown).collect::<Vec<_>>(),
        "sweep_chain": sweep_chain(&vectors, &base).collect::<Vec<_>>(),
    })
}

pub fn sweep(input: &Value) -> Value {
    let columns = names(&input["table"]["columns"]);
    let table: Vec<Vec<String>> =
        input["table"]["rows"].as_array().into_iter().flatten().map(names).collect();
    let attributes = names(&input["qi"]);
    let value = text(&input["sensitive"]);
    let trees: Vec<Taxonomy> =
        attributes.iter().map(|name| taxonomy(&input["taxonomies"][name])).collect();
    let sensitive_tree = taxonomy(&input["taxonomies"][&value]);
    let nodes = |name: &String, tree: &Taxonomy| -> Vec<u32> {
        let at = columns
            .iter()
            .position(|column| column == name)
            .expect("the table contains the column");
        table
            .iter()
            .map(|row| tree.node_of(&row[at]).expect("the tree contains all values"))
            .collect()
    };
    let quasi_identifiers = attributes
        .iter()
        .zip(&trees)
        .map(|(name, tree)| {
            // Each row has a distinct code, and the root is node 0.
            let (base, top) = (nodes(name, tree), vec![0; table.len()]);
            SweptAttribute { taxonomy: tree, base, top, codes: (0..table.len() as u32).collect() }
        })
        .collect();
    let values = nodes(&value, &sensitive_tree);
    let weight = |leaf: usize| {
        let occurs = values.iter().any(|&node| sensitive_tree.leaves(node) == (leaf..leaf + 1));
        Rational::from_integer(i128::from(occurs))
    };
    let required = TauL {
        tau: exact(&input["params"]["tau"]),
        l: exact(&input["params"]["l"]),
        weights: (0..sensitive_tree.n_leaves()).map(weight).collect(),
        growth: Growth::Linear,
    };
    let rows = SweptRows {
        quasi_identifiers,
        taxonomy: &sensitive_tree,
        counts: vec![1; table.len()],
        level_weights: LevelWeights::Observed,
        sensitive: values.clone(),
    };
    let swept = sweep_rows(&rows, &required, Choice::Dominant).expect("the request is valid");
    let Some(swept) = swept else { return json!({ "feasible": false }) };
    let labels: Vec<Vec<&str>> = swept
        .iter()
        .map(|row| {
            let parts = trees.iter().zip(&row.quasi_identifiers);
            let labels = parts.map(|(tree, &node)| tree.label(node));
            labels.chain([sensitive_tree.label(row.sensitive)]).collect()
        })
        .collect();
    let all_trees: Vec<&Taxonomy> = trees.iter().chain([&sensitive_tree]).collect();
    let retained =
        |cells: &[&str]| information_of(all_trees.iter().copied().zip(cells.iter().copied()));
    let released: f64 = labels.iter().map(|row| retained(row)).sum();
    let original: f64 = table
        .iter()
        .map(|row| {
            let named = attributes.iter().chain([&value]);
            let cells: Vec<&str> = named
                .map(|name| {
                    let at = columns.iter().position(|column| column == name);
                    row[at.expect("the table contains the column")].as_str()
                })
                .collect();
            retained(&cells)
        })
        .sum();
    json!({
        "feasible": true,
        "rows": labels,
        "utility": information::utility(original, released),
    })
}
