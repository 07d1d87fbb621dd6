//! Converts generalization hierarchies between the policy key `hierarchy` and editable text. Trees
//! are written as indented lines, and rows as in ARX files.

use toml_edit::{Array, InlineTable, Value};

use crate::document::value_of;
use crate::place::Refusal;
use crate::texts;

/// A label with its children; values have no children.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Branch {
    label: String,
    below: Vec<Branch>,
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Parses indented lines, in which children are indented further than their parent, into a
/// declaration.
///
/// # Errors
/// [`Refusal`] if the text contains no line.
pub(crate) fn tree_of_lines(text: &str) -> Result<String, Refusal> {
    let mut root = Branch::default();
    // The indentation of each label on the path to the current line.
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
        above.below.push(Branch { label: line.trim().to_owned(), below: Vec::new() });
        columns.push(column);
    }
    if root.below.is_empty() {
        return Err(Refusal(texts::NO_LINE.to_owned()));
    }
    Ok(format!("{{ tree = {} }}", written(&root)))
}

/// Formats the children of a label: a list if all children are values, and otherwise a table. If a
/// value has labels as siblings, it becomes a label with a single value.
fn written(branch: &Branch) -> String {
    if branch.below.iter().all(|it| it.below.is_empty()) && !branch.label.is_empty() {
        let values: Vec<String> = branch.below.iter().map(|it| quoted(&it.label)).collect();
        return format!("[{}]", values.join(", "));
    }
    let each = |it: &Branch| match it.below.is_empty() {
        true => format!("{} = [{}]", quoted_key(&it.label), quoted(&it.label)),
        false => format!("{} = {}", quoted_key(&it.label), written(it)),
    };
    let all: Vec<String> = branch.below.iter().map(each).collect();
    format!("{{ {} }}", all.join(", "))
}

fn quoted_key(text: &str) -> String {
    // TOML escapes a quoted key like a basic string.
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Formats the tree that a policy declares as indented lines; `None` if the declaration is not a
/// tree.
pub(crate) fn lines_of_tree(declared: &str) -> Option<String> {
    let value = value_of(declared).ok()?;
    let tree = value.as_inline_table()?.get("tree")?.as_inline_table()?;
    let mut lines = String::new();
    lines_below(tree, 0, &mut lines);
    Some(lines)
}

fn lines_below(table: &InlineTable, depth: usize, lines: &mut String) {
    let mut line = |depth: usize, text: &str| {
        lines.push_str(&"  ".repeat(depth));
        lines.push_str(text);
        lines.push('\n');
    };
    for (label, below) in table.iter() {
        match below {
            Value::Array(values) => {
                let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
                line(depth, label);
                // A value that is its own label is written on a single line.
                if values != [label] {
                    values.iter().for_each(|value| line(depth + 1, value));
                }
            }
            Value::InlineTable(more) => {
                line(depth, label);
                let mut deeper = String::new();
                lines_below(more, depth + 1, &mut deeper);
                lines_push(&mut line, &deeper);
            }
            _ => {}
        }
    }
}

/// Appends lines that are already indented.
fn lines_push(line: &mut impl FnMut(usize, &str), all: &str) {
    all.lines().for_each(|text| line(0, text));
}

/// Parses lines in the format of an ARX file, `value;label;label`, into a declaration. All lines
/// must have the same number of fields.
///
/// # Errors
/// [`Refusal`] if the text contains no line, or if the numbers of fields differ.
pub(crate) fn rows_of_lines(text: &str) -> Result<String, Refusal> {
    let rows: Vec<Vec<String>> =
        text.lines().filter(|line| !line.trim().is_empty()).map(fields).collect();
    let first = rows.first().ok_or_else(|| Refusal(texts::NO_LINE.to_owned()))?;
    if let Some(at) = rows.iter().position(|row| row.len() != first.len()) {
        return Err(Refusal(texts::other_length(at + 1, rows[at].len(), first.len())));
    }
    let row = |row: &Vec<String>| {
        let fields: Vec<String> = row.iter().map(|field| quoted(field)).collect();
        format!("[{}]", fields.join(", "))
    };
    let all: Vec<String> = rows.iter().map(row).collect();
    Ok(format!("{{ rows = [{}] }}", all.join(", ")))
}

/// Formats the rows that a policy declares as lines; `None` if the declaration does not consist of
/// rows.
pub(crate) fn lines_of_rows(declared: &str) -> Option<String> {
    let value = value_of(declared).ok()?;
    let rows = value.as_inline_table()?.get("rows")?.as_array()?;
    let line = |row: &Array| {
        let fields: Vec<String> = row.iter().filter_map(Value::as_str).map(field).collect();
        fields.join(";")
    };
    Some(rows.iter().filter_map(Value::as_array).map(|row| line(row) + "\n").collect())
}

fn field(text: &str) -> String {
    match text.contains([';', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// Splits a line into fields, which may be quoted.
fn fields(line: &str) -> Vec<String> {
    let (mut all, mut own, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                own.push('"');
            }
            '"' if is_quoted || own.trim().is_empty() => {
                is_quoted = !is_quoted;
                if is_quoted {
                    own.clear();
                }
            }
            ';' if !is_quoted => all.push(std::mem::take(&mut own)),
            c => own.push(c),
        }
    }
    all.push(own);
    all
}

/// Converts lines of an ARX file into the lines of an editable tree. A last column of stars is
/// omitted.
pub(crate) fn tree_lines_of_rows(rows: &str) -> String {
    let mut root = Branch::default();
    for line in rows.lines().filter(|line| !line.trim().is_empty()) {
        let mut chain = fields(line);
        if chain.len() > 1 && chain.last().is_some_and(|label| label == "*") {
            chain.pop();
        }
        let mut here = &mut root;
        for label in chain.into_iter().rev() {
            if here.label == label {
                // A value that is its own label on several levels is written on a single line.
                continue;
            }
            let at = here.below.iter().position(|it| it.label == label).unwrap_or_else(|| {
                here.below.push(Branch { label, below: Vec::new() });
                here.below.len() - 1
            });
            here = &mut here.below[at];
        }
    }
    let mut lines = String::new();
    indent(&root, 0, &mut lines);
    lines
}

fn indent(branch: &Branch, depth: usize, lines: &mut String) {
    for it in &branch.below {
        lines.push_str(&"  ".repeat(depth));
        lines.push_str(&it.label);
        lines.push('\n');
        indent(it, depth + 1, lines);
    }
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
            "{ tree = { \"north\" = { \"lung\" = [\"flu\", \"asthma\"], \"stomach\" = [\"ulcer\"] \
             }, \"south\" = { \"other\" = ['\"odd\"'] } } }"
        );
        assert_eq!(lines_of_tree(&declared).as_deref(), Some(lines));
        let tabs = tree_of_lines("a\n\tx\n\n\ty\nb\n\tz").expect("a tree");
        assert_eq!(tabs, "{ tree = { \"a\" = [\"x\", \"y\"], \"b\" = [\"z\"] } }");
    }

    #[test]
    fn top_level_value_becomes_its_own_label() {
        let declared = tree_of_lines("a\n  x\n  y\nz\n").expect("a tree");
        assert_eq!(declared, "{ tree = { \"a\" = [\"x\", \"y\"], \"z\" = [\"z\"] } }");
        assert_eq!(lines_of_tree(&declared).as_deref(), Some("a\n  x\n  y\nz\n"));
    }

    #[test]
    fn invalid_tree_is_rejected() {
        assert!(tree_of_lines(" \n").is_err());
        let refusal = tree_of_lines("a\n    x\n  y\n  b").expect("y is below a");
        assert_eq!(refusal, "{ tree = { \"a\" = [\"x\", \"y\", \"b\"] } }");
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
