//! Operations for functional (tau, l)-diversity.

use indistinct_core::Rational;
use indistinct_core::loss::information;
use indistinct_core::model::{Taxonomy, to_f64};
use indistinct_core::principle::{Context, Growth, InducedValues, psi};
use serde_json::{Value, json};

use super::input::{Table, exact, kind, names, object, parameters, taxonomy, text};

pub fn check(input: &Value) -> Value {
    let table = Table::parse(input);
    let given = &input["params"];
    let tree = taxonomy(&input["taxonomies"][text(&input["sensitive"])]);
    let weights: Vec<Rational> = tree
        .leaf_labels()
        .map(|leaf| given["weights"].get(leaf).map_or_else(|| Rational::from_integer(0), exact))
        .collect();
    let dictionary = &table.counted.sensitive()[0].dictionary;
    let induced =
        InducedValues::new(dictionary, &tree, &weights).expect("the taxonomy contains all values");
    let (tau, l) = (exact(&given["tau"]), exact(&given["l"]));
    let limits = psi(&tau, &l, Growth::Linear, tree.n_leaves());
    let context: Context<'_> = table.context().with_taxonomy(&tree);
    let requirement = Table::require(kind("tau-l-diversity"), &context, parameters(given.clone()));
    let principle = &requirement.principle;
    let classes = table.each(|class, view| {
        let frequencies = induced.frequencies(view.histograms[0].entries);
        let by_leaf = tree.leaf_labels().map(str::to_owned).zip(&frequencies.by_leaf);
        json!({
            "key": class.key,
            "size": class.size,
            "induced": object(by_leaf.map(|(leaf, frequency)| (leaf, json!(frequency)))),
            "cumulative": frequencies.cumulative,
            "satisfied": principle.of_class(view).meets(principle.bounds()),
            "excessive": frequencies.excessive_protection(&limits),
        })
    });
    let excessive = classes.iter().filter_map(|class| class["excessive"].as_f64());
    let excessive = excessive.min_by(f64::total_cmp);
    json!({
        "classes": classes,
        "psi": limits.iter().map(to_f64).collect::<Vec<_>>(),
        "excessive": excessive,
        "satisfied": table.claims(requirement).principles[0].holds,
    })
}

/// Returns the information content of a row of labels.
pub fn information<'a>(cells: impl Iterator<Item = (&'a Taxonomy, &'a str)>) -> f64 {
    information::of_row(cells.map(|(taxonomy, label)| {
        let node = taxonomy.node_of(label).expect("the taxonomies contain all values");
        information::retained(taxonomy.leaves(node).len() as u64)
    }))
}

pub fn utility(input: &Value) -> Value {
    let information = |table: &Value| -> Vec<f64> {
        let columns = names(&table["columns"]);
        let trees: Vec<Taxonomy> =
            columns.iter().map(|column| taxonomy(&input["taxonomies"][column])).collect();
        let rows = table["rows"].as_array().into_iter().flatten().map(names);
        rows.map(|row| information(trees.iter().zip(row.iter().map(String::as_str)))).collect()
    };
    let (original, generalized) =
        (information(&input["table"]), information(&input["generalized"]));
    json!({
        "tuple_information": generalized,
        "utility": information::utility(original.iter().sum(), generalized.iter().sum()),
    })
}
