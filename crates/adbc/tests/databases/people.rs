//! Synthetic people for the tests, as a CSV file and as a table of each database.

use crate::server::{Server, quoted};

/// Columns with their types in PostgreSQL, SQLite, and DuckDB.
pub const COLUMNS: [(&str, [&str; 3]); 9] = [
    ("name", ["text", "TEXT", "VARCHAR"]),
    ("age", ["integer", "INTEGER", "INTEGER"]),
    ("zip", ["char(8)", "TEXT", "VARCHAR"]),
    ("sex", ["varchar(10)", "TEXT", "VARCHAR"]),
    ("admitted", ["date", "TEXT", "DATE"]),
    ("smoker", ["boolean", "TEXT", "BOOLEAN"]),
    ("weight", ["double precision", "REAL", "DOUBLE"]),
    ("cost", ["numeric(9,2)", "TEXT", "DECIMAL(9,2)"]),
    ("disease", ["text", "TEXT", "VARCHAR"]),
];

/// Returns the cells of a row, which depend only on its number.
pub fn row(n: usize) -> Vec<Option<String>> {
    // Multiplicative hashing is sufficient and gives the same result on all platforms.
    let draw = |salt: usize, below: usize| {
        let mixed = (n * 7919 + salt * 104_729 + 12_345).wrapping_mul(2_654_435_761) >> 7;
        mixed % below
    };
    let diseases = ["flu", "ulcer", "gastritis", "HIV", "Flu"];
    vec![
        Some(format!("person {n}")),
        Some((20 + draw(1, 60)).to_string()),
        Some(format!("0{}", 1200 + draw(2, 90))),
        (draw(3, 12) > 0).then(|| if draw(3, 2) == 0 { "f" } else { "m" }.to_owned()),
        Some(format!("2023-0{}-1{}", 1 + draw(4, 9), draw(5, 10))),
        Some((draw(6, 2) == 0).to_string()),
        Some(if draw(7, 3) == 0 { "70".to_owned() } else { format!("{}.5", 50 + draw(8, 40)) }),
        Some(format!("{}.{}0", 100 + draw(9, 900), draw(10, 10))),
        (draw(11, 20) > 0).then(|| diseases[draw(12, 5)].to_owned()),
    ]
}

/// Returns the table as CSV.
pub fn csv(n_rows: usize) -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let mut text = names.join(",") + "\n";
    for n in 0..n_rows {
        let cells: Vec<String> = row(n).into_iter().map(Option::unwrap_or_default).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

/// Creates the same table with typed columns.
pub fn load(server: &Server, table: &str, n_rows: usize) {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let raw = format!("{table}_raw");
    server.load(&raw, &names, &(0..n_rows).map(row).collect::<Vec<_>>());
    let at = ["PostgreSQL", "SQLite", "DuckDB"].iter().position(|it| *it == server.name);
    let at = at.expect("the server is one of the three");
    let cast = |(name, types): &(&str, [&str; 3])| {
        let name = quoted(name);
        format!("CAST({name} AS {}) AS {name}", types[at])
    };
    let columns = COLUMNS.iter().map(cast).collect::<Vec<_>>().join(", ");
    server.run(&[
        &format!("CREATE TABLE {} AS SELECT {columns} FROM {}", quoted(table), quoted(&raw)),
        &format!("DROP TABLE {}", quoted(&raw)),
    ]);
}

/// Returns a policy for the table. `input` and `output` contain the lines of the sections with
/// these names, and `others` is the role of columns that require no protection.
pub fn policy(input: &str, output: &str, others: &str) -> String {
    let [reason, together] = match others {
        "insensitive" => [
            "\nunique_values_reason = \"the table is synthetic\"",
            "[release]\ninsensitive_reason = \"the table is synthetic\"\n",
        ],
        _ => ["", ""],
    };
    format!(
        r#"version = 1
[input]
{input}
[attributes.name]
role = "identifier"
[attributes.age]
role = "quasi-identifier"
hierarchy = {{ intervals = [10, 20, 40] }}
[attributes.zip]
role = "quasi-identifier"
hierarchy = {{ mask = "right" }}
[attributes.sex]
role = "quasi-identifier"
[attributes.admitted]
role = "{others}"{reason}
[attributes.smoker]
role = "{others}"{reason}
[attributes.weight]
role = "{others}"{reason}
[attributes.cost]
role = "{others}"{reason}
[attributes.disease]
role = "sensitive"
[[principles]]
kind = "k-anonymity"
k = 5
[[principles]]
kind = "distinct-l-diversity"
attribute = "disease"
l = 2
[recoding]
suppression_limit = 0.05
seed = 7
{together}[output]
row_order = "sorted"
{output}
"#
    )
}
