//! Answers as text: tables and sentences for people, JSON for programs.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
use serde_json::Value;

/// Prints a JSON document to standard output.
pub fn json(value: &Value) {
    println!("{}", serde_json::to_string_pretty(value).expect("a JSON value can be printed"));
}

/// A table with the given header; the columns behind the first `n_texts` are numbers.
pub fn table(header: &[&str], n_texts: usize, rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let align = |column: usize, text: &str| {
        let alignment = if column < n_texts { CellAlignment::Left } else { CellAlignment::Right };
        Cell::new(text).set_alignment(alignment)
    };
    table.set_header(header.iter().enumerate().map(|(at, text)| align(at, text)));
    for row in rows {
        table.add_row(row.iter().enumerate().map(|(at, text)| align(at, text)));
    }
    indent(&table.to_string())
}

/// Each line two columns further in, without trailing spaces.
pub fn indent(text: &str) -> String {
    text.lines().map(|line| format!("  {}", line.trim_end())).collect::<Vec<_>>().join("\n")
}

/// A heading of a section.
pub fn heading(text: &str) {
    println!("\n{text}");
}
