//! Converts generalization hierarchies between the policy key `hierarchy` and editable text. Trees
//! are written as indented lines, and rows as in ARX files.

use toml_edit::{Array, InlineTable, Value};

use crate::document::value_of;
use crate::place::Refusal;
use crate::texts::fill;

/// A label with its children. Values have no children.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Branch {
    label: String,
    below: Vec<Branch>,
}

impl Branch {
    fn new(label: &str, below: Vec<Branch>) -> Self {
        Self { label: label.to_owned(), below }
    }

    /// Parses the labels of a declared tree. A list that contains only its own label is a value.
    fn of_tree(tree: &InlineTable) -> Vec<Self> {
        let branch = |(label, below): (&str, &Value)| {
            let below = match below {
                Value::Array(values) => {
                    let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
                    let values = if values == [label] { Vec::new() } else { values };
                    values.into_iter().map(|value| Self::new(value, Vec::new())).collect()
                }
                Value::InlineTable(more) => Self::of_tree(more),
                _ => return None,
            };
            Some(Self::new(label, below))
        };
        tree.iter().filter_map(branch).collect()
    }

    /// Returns the children as a value of a policy: a list if all children are values, and
    /// otherwise a table. A value that has labels as siblings becomes a label with a single value.
    fn declared(&self) -> Value {
        if !self.label.is_empty() && self.below.iter().all(|it| it.below.is_empty()) {
            return self.below.iter().map(|it| it.label.as_str()).collect();
        }
        let own = |it: &Self| match it.below.is_empty() {
            true => [it.label.as_str()].into_iter().collect(),
            false => it.declared(),
        };
        self.below.iter().map(|it| (it.label.as_str(), own(it))).collect()
    }

    /// Appends the children as indented lines.
    fn write(&self, depth: usize, lines: &mut String) {
        for it in &self.below {
            lines.extend([&*"  ".repeat(depth), &*it.label, "\n"]);
            it.write(depth + 1, lines);
        }
    }
}

/// Declares a hierarchy with a single key.
fn declaration(key: &str, value: Value) -> String {
    Value::from_iter([(key, value)]).to_string()
}

/// Parses indented lines, in which children are indented further than their parent, into a
/// declaration.
///
/// # Errors
/// [`Refusal`] if the text contains no line.
pub(crate) fn tree_of_lines(text: &str) -> Result<String, Refusal> {
    let mut root = Branch::default();
    // The indentation of each label on the path from the root to the current line.
    let mut columns: Vec<usize> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let blanks = line.chars().take_while(|c| c.is_whitespace());
        let column: usize = blanks.map(|c| if c == '\t' { 4 } else { 1 }).sum();
        while columns.last().is_some_and(|last| *last >= column) {
            columns.pop();
        }
        let mut above = &mut root;
        for _ in &columns {
            above = above.below.last_mut().expect("an open label is the last child");
        }
        above.below.push(Branch::new(line.trim(), Vec::new()));
        columns.push(column);
    }
    if root.below.is_empty() {
        return Err(Refusal::new("no_line"));
    }
    Ok(declaration("tree", root.declared()))
}

/// Formats the tree that a policy declares as indented lines; `None` if the declaration is not a
/// tree.
pub(crate) fn lines_of_tree(declared: &str) -> Option<String> {
    let value = value_of(declared).ok()?;
    let tree = value.as_inline_table()?.get("tree")?.as_inline_table()?;
    let mut lines = String::new();
    Branch::new("", Branch::of_tree(tree)).write(0, &mut lines);
    Some(lines)
}

/// Parses lines in the format of an ARX file, `value;label;label`, into a declaration. All lines
/// must have the same number of fields.
///
/// # Errors
/// [`Refusal`] if the text contains no line, or if the numbers of fields differ.
pub(crate) fn rows_of_lines(text: &str) -> Result<String, Refusal> {
    let rows = rows(text);
    let first = rows.first().ok_or_else(|| Refusal::new("no_line"))?;
    if let Some(at) = rows.iter().position(|row| row.len() != first.len()) {
        let [line, own, all] = [at + 1, rows[at].len(), first.len()].map(|n| n.to_string());
        return Err(Refusal(fill("other_length", [&line, &own, &all])));
    }
    let rows: Array = rows.iter().map(|row| row.iter().collect::<Value>()).collect();
    Ok(declaration("rows", Value::Array(rows)))
}

/// Formats the rows that a policy declares as lines; `None` if the declaration does not consist of
/// rows.
pub(crate) fn lines_of_rows(declared: &str) -> Option<String> {
    let value = value_of(declared).ok()?;
    let rows = value.as_inline_table()?.get("rows")?.as_array()?;
    let mut lines =
        csv::WriterBuilder::new().delimiter(b';').flexible(true).from_writer(Vec::new());
    for row in rows.iter().filter_map(Value::as_array) {
        lines.write_record(row.iter().filter_map(Value::as_str)).ok()?;
    }
    String::from_utf8(lines.into_inner().ok()?).ok()
}

/// Parses lines of an ARX file.
fn rows(text: &str) -> Vec<csv::StringRecord> {
    let mut lines = csv::ReaderBuilder::new();
    lines.delimiter(b';').has_headers(false).flexible(true);
    let is_blank = |row: &csv::StringRecord| row.len() == 1 && row[0].trim().is_empty();
    let rows = lines.from_reader(text.as_bytes()).into_records().filter_map(Result::ok);
    rows.filter(|row| !is_blank(row)).collect()
}

/// Converts lines of an ARX file into the lines of an editable tree. A last column of stars is
/// omitted.
pub(crate) fn tree_lines_of_rows(text: &str) -> String {
    let mut root = Branch::default();
    for row in rows(text) {
        let is_star = row.len() > 1 && &row[row.len() - 1] == "*";
        let mut here = &mut root;
        for label in
            row.iter().take(row.len() - usize::from(is_star)).collect::<Vec<_>>().into_iter().rev()
        {
            if here.label == label {
                // Write a value that is its own label at several levels on a single line.
                continue;
            }
            let at = here.below.iter().position(|it| it.label == label).unwrap_or_else(|| {
                here.below.push(Branch::new(label, Vec::new()));
                here.below.len() - 1
            });
            here = &mut here.below[at];
        }
    }
    let mut lines = String::new();
    root.write(0, &mut lines);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indented_lines_round_trip_as_tree() {
        let lines = "north\n  lung\n    flu\n    asthma\n  stomach\n    ulcer\n\
                     south\n  other\n    \"odd\"\n";
        let declared = tree_of_lines(lines).expect("a tree");
        assert_eq!(
            declared,
            "{ tree = { north = { lung = [\"flu\", \"asthma\"], stomach = [\"ulcer\"] }, south = { \
             other = ['\"odd\"'] } } }"
        );
        assert_eq!(lines_of_tree(&declared).as_deref(), Some(lines));
        let tabs = tree_of_lines("a\n\tx\n\n\ty\nb\n\tz").expect("a tree");
        assert_eq!(tabs, "{ tree = { a = [\"x\", \"y\"], b = [\"z\"] } }");
    }

    #[test]
    fn top_level_value_becomes_its_own_label() {
        let declared = tree_of_lines("a\n  x\n  y\nz\n").expect("a tree");
        assert_eq!(declared, "{ tree = { a = [\"x\", \"y\"], z = [\"z\"] } }");
        assert_eq!(lines_of_tree(&declared).as_deref(), Some("a\n  x\n  y\nz\n"));
    }

    #[test]
    fn invalid_tree_is_rejected() {
        assert!(tree_of_lines(" \n").is_err());
        let refusal = tree_of_lines("a\n    x\n  y\n  b").expect("y is below a");
        assert_eq!(refusal, "{ tree = { a = [\"x\", \"y\", \"b\"] } }");
        assert!(lines_of_tree("{ intervals = [5] }").is_none());
    }

    #[test]
    fn arx_lines_round_trip_as_rows() {
        let lines = "1;low;*\n\"a;b\";\"say \"\"hi\"\"\";*\n;missing;*\n";
        let declared = rows_of_lines(lines).expect("rows");
        assert_eq!(lines_of_rows(&declared).as_deref(), Some(lines));
        assert!(rows_of_lines("1;low;*\n2;low\n").is_err_and(|it| it.0.contains("line 2")));
        assert!(rows_of_lines("").is_err());
    }

    #[test]
    fn rows_convert_to_equivalent_tree() {
        let rows = "1;low;all;*\n2;low;all;*\n9;high;all;*\n?;?;?;*\n";
        let lines = tree_lines_of_rows(rows);
        assert_eq!(lines, "all\n  low\n    1\n    2\n  high\n    9\n?\n");
        assert!(tree_of_lines(&lines).is_ok());
    }
}
