//! Computes the divergence of a release in which each class is a box of integers.

use std::collections::BTreeMap;

use indistinct_core::loss::kl_divergence::{Boxes, of_release};
use indistinct_core::model::CountedColumn;
use indistinct_core::{
    Cell, ClassColumn, Classes, Dictionary, FrequencyTable, Generalization, Hierarchy, Part,
    Policy, Rational, Recoding, SuppressionRule, certify,
};
use serde_json::{Value, json};

use super::input::{column, names, text};

fn whole(value: &Value) -> i64 {
    value.as_i64().expect("the ends of boxes are integers")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn code(column: &CountedColumn, number: &Value) -> u32 {
    column
        .dictionary
        .code_of(&number.to_string())
        .expect("the dictionary contains all numbers between the ends")
}

/// Returns a quasi-identifier that contains all integers in the range of its rows and boxes.
fn numbers(name: &str, cells: &[&Value], released: &[Value]) -> CountedColumn {
    let ends = released.iter().flat_map(|class| list(&class["box"][name]));
    let all = || cells.iter().copied().chain(ends.clone()).map(whole);
    let (low, high) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let (dictionary, _) =
        Dictionary::from_distinct((low..=high).map(|number| number.to_string()).collect());
    let mut column = CountedColumn { name: name.to_owned(), dictionary, codes: Vec::new() };
    column.codes = cells.iter().map(|cell| code(&column, cell)).collect();
    column
}

pub fn kl(input: &Value) -> Value {
    let boxes = match input["params"]["mode"].as_str() {
        None | Some("mixture") => Boxes::Covering,
        Some("printed") => Boxes::Own,
        Some(_) => return json!({ "unsupported": true }),
    };
    let qi = names(&input["qi"]);
    let released = list(&input["params"]["release"]);
    let columns = names(&input["table"]["columns"]);
    let rows = list(&input["table"]["rows"]);
    let cells = |name: &String| -> Vec<&Value> {
        let at = columns
            .iter()
            .position(|column| column == name)
            .expect("the table contains the column");
        rows.iter().map(|row| &row[at]).collect()
    };
    let quasi_identifiers: Vec<CountedColumn> =
        qi.iter().map(|name| numbers(name, &cells(name), released)).collect();
    let sensitive: Vec<CountedColumn> = names(&input["sensitive"])
        .iter()
        .map(|name| column(name, &cells(name).into_iter().map(text).collect::<Vec<_>>()))
        .collect();

    // Rows in no class are suppressed.
    let mut class_of_row = vec![None; rows.len()];
    for (class, rows) in released.iter().enumerate() {
        for row in list(&rows["rows"]) {
            class_of_row[whole(row) as usize] = Some(class as u32);
        }
    }
    let mut tuples: BTreeMap<Vec<u32>, BTreeMap<Option<u32>, u64>> = BTreeMap::new();
    for (row, class) in class_of_row.into_iter().enumerate() {
        let codes = quasi_identifiers.iter().chain(&sensitive).map(|column| column.codes[row]);
        *tuples.entry(codes.collect()).or_default().entry(class).or_default() += 1;
    }
    let (mut parts, mut class_of, mut suppressed) = (Vec::new(), Vec::new(), Vec::new());
    for (tuple, classes) in (0..).zip(tuples.values()) {
        for (class, &rows) in classes {
            parts.push(Part { tuple, rows });
            class_of.push(class.unwrap_or(0));
            suppressed.push(class.is_none());
        }
    }
    let released_values = |class: &Value| -> Vec<Cell> {
        let columns = quasi_identifiers.iter();
        let ends = columns.map(|column| (column, list(&class["box"][&column.name])));
        let cell = |(column, ends): (&CountedColumn, &[Value])| Cell::Range {
            low: code(column, &ends[0]),
            high: code(column, &ends[1]),
        };
        ends.map(cell).collect()
    };
    let cells = released.iter().map(released_values).collect();
    let table = FrequencyTable::new(quasi_identifiers, sensitive, vec![1; rows.len()])
        .expect("columns have a code for each row");
    let flat = |column: &CountedColumn| Hierarchy::flat(&column.dictionary);
    let policy = Policy {
        hierarchies: table.quasi_identifiers().iter().map(flat).collect(),
        requirements: Vec::new(),
        suppression_limit: Rational::from_integer(1),
        suppressed: SuppressionRule::Dropped,
        published: ClassColumn::Published,
    };
    let classes = Classes { parts: Some(parts), class_of, cells, highest: None };
    let generalization = Generalization::Classes(classes);
    let recoding = Recoding { generalization, suppressed, sensitive: None };
    let release = certify(&table, &policy, &recoding).expect("every row is in its box");
    json!({ "kl": of_release(&release, &policy, &recoding, boxes) })
}
