//! Columns and hierarchies of the core from plain strings.

use indistinct_core::hierarchy::HierarchyLevel;
use indistinct_core::model::CountedColumn;
use indistinct_core::{Dictionary, Hierarchy};

/// Creates a column from one value for each row.
pub fn column(name: &str, values: &[String]) -> CountedColumn {
    let mut distinct: Vec<String> = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let (dictionary, code) = Dictionary::from_distinct(distinct.clone());
    let codes = values
        .iter()
        .map(|value| {
            code[distinct.binary_search(value).expect("the sorted list contains every value")]
        })
        .collect();
    CountedColumn { name: name.to_owned(), dictionary, codes }
}

/// Creates a hierarchy for a dictionary from rows of labels.
pub fn hierarchy(dictionary: &Dictionary, rows: &[Vec<String>]) -> Hierarchy {
    let levels: Vec<HierarchyLevel> = (0..rows[0].len())
        .map(|level| {
            let mut labels: Vec<String> = Vec::new();
            for row in rows {
                if !labels.contains(&row[level]) {
                    labels.push(row[level].clone());
                }
            }
            let index = |label: &str| labels.iter().position(|other| other == label);
            HierarchyLevel {
                map: rows.iter().map(|row| index(&row[level]).expect("listed") as u32).collect(),
                covered: labels
                    .iter()
                    .map(|label| rows.iter().filter(|row| row[level] == *label).count() as u64)
                    .collect(),
                labels,
            }
        })
        .collect();
    let place = |value: &String| {
        rows.iter()
            .position(|row| row[0] == *value)
            .expect("the hierarchy has a row for every value") as u32
    };
    let positions: Vec<u32> = dictionary.values().iter().map(place).collect();
    Hierarchy::with_domain(levels, rows.len(), &positions).expect("the hierarchy is nested")
}
