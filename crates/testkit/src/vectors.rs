//! The published test vectors from the files in `vectors/` (format: `vectors/FORMAT.md`).

use serde_json::Value;

use crate::principles::Row;

/// A test vector.
#[derive(Debug, Clone)]
pub struct Vector {
    /// The identifier of the test vector.
    pub id: String,
    /// The operation, such as `ldiv.check`.
    pub op: String,
    /// The parameters of the operation.
    pub params: Value,
    /// The rows in file order. The sensitive values of a row are in the order of `sensitive`.
    pub rows: Vec<Row>,
    /// The expected result.
    pub expect: Value,
    /// The tolerance. Numbers a and b agree if |a - b| <= tolerance * max(1, |a|).
    pub tolerance: f64,
}

impl Vector {
    /// Returns whether a computed number agrees with the expected number.
    pub fn agrees(&self, got: f64, expected: f64) -> bool {
        (got - expected).abs() <= self.tolerance * expected.abs().max(1.0)
    }
}

/// Returns the test vectors of the l-diversity family.
///
/// # Panics
/// Panics if the file is invalid.
pub fn ldiv() -> Vec<Vector> {
    let file: Value = serde_json::from_str(include_str!("../vectors/ldiv.json"))
        .expect("the file of test vectors is valid JSON");
    file["vectors"].as_array().expect("`vectors` is a list").iter().map(vector).collect()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Converts a name or a list of names.
fn names(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(names) => names.iter().map(text).collect(),
        name => vec![text(name)],
    }
}

fn vector(value: &Value) -> Vector {
    let input = &value["input"];
    let columns = names(&input["table"]["columns"]);
    let at = |name: &String| {
        columns.iter().position(|column| column == name).expect("the table contains the column")
    };
    let quasi_identifiers: Vec<usize> = names(&input["qi"]).iter().map(at).collect();
    let sensitive: Vec<usize> = names(&input["sensitive"]).iter().map(at).collect();
    let pick = |row: &Value, columns: &[usize]| columns.iter().map(|&at| text(&row[at])).collect();
    let rows = input["table"]["rows"].as_array().map(Vec::as_slice).unwrap_or_default();
    Vector {
        id: text(&value["id"]),
        op: text(&value["op"]),
        params: input["params"].clone(),
        rows: rows
            .iter()
            .map(|row| (pick(row, &quasi_identifiers), pick(row, &sensitive)))
            .collect(),
        expect: value["expect"].clone(),
        tolerance: value["tol"].as_f64().expect("every vector has a tolerance"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_vector_file_is_read_completely() {
        let vectors = ldiv();
        assert!(vectors.len() >= 70);
        let first =
            vectors.iter().find(|vector| vector.id == "ldiv-0003").expect("the test vector exists");
        assert_eq!(first.rows.len(), 12);
        assert_eq!(first.rows[0], (vec!["a".to_owned()], vec!["HD".to_owned()]));
        assert!(first.agrees(1.0 + 1e-10, 1.0) && !first.agrees(1.0 + 1e-8, 1.0));
    }
}
