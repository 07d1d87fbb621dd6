//! Converts generalization hierarchies between the policy key `hierarchy` and editable text. Trees
//! are written as indented lines, and rows as in ARX files.

use toml_edit::{Array, InlineTable, Value};

use crate::document::value_of;
use crate::place::Refusal;
use crate::texts::fill;

/// A label with its children. Values have no children. The root has no label.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Branch {
    pub(crate) label: String,
    pub(crate) below: Vec<Branch>,
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

    /// Returns the tree as the value of `hierarchy` in a policy.
    pub(crate) fn declaration(&self) -> String {
        declaration_of("tree", self.declared())
    }

    /// Returns the sum of a figure over the values of this branch.
    pub(crate) fn total(&self, of_value: &impl Fn(&str) -> u64) -> u64 {
        match self.below.as_slice() {
            [] => of_value(&self.label),
            below => below.iter().map(|it| it.total(of_value)).sum(),
        }
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
fn declaration_of(key: &str, value: Value) -> String {
    Value::from_iter([(key, value)]).to_string()
}

/// Parses indented lines, in which children are indented further than their parent, into a
/// declaration.
///
/// # Errors
/// [`Refusal`] if the text contains no line.
pub(crate) fn tree_of_lines(text: &str) -> Result<String, Refusal> {
    tree_in_lines(text).map(|root| root.declaration())
}

/// Parses indented lines into a tree.
///
/// # Errors
/// [`Refusal`] if the text contains no line.
pub(crate) fn tree_in_lines(text: &str) -> Result<Branch, Refusal> {
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
    Ok(root)
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
    Ok(declaration_of("rows", Value::Array(rows)))
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

/// A position in a tree: the index of a child at each level.
pub(crate) type Position = Vec<usize>;

/// Parses a position such as `0.2.1`.
pub(crate) fn position(text: &str) -> Result<Position, Refusal> {
    let index = |part: &str| part.parse().map_err(|_| Refusal::new("no_such_branch"));
    text.split('.').map(index).collect()
}

/// The maximum length of a label that is generated from the labels that it covers.
const LONGEST_LABEL: usize = 60;

impl Branch {
    fn at(&self, position: &[usize]) -> Result<&Self, Refusal> {
        position.iter().try_fold(self, |branch, at| {
            branch.below.get(*at).ok_or_else(|| Refusal::new("no_such_branch"))
        })
    }

    fn at_mut(&mut self, position: &[usize]) -> Result<&mut Self, Refusal> {
        position.iter().try_fold(self, |branch, at| {
            branch.below.get_mut(*at).ok_or_else(|| Refusal::new("no_such_branch"))
        })
    }

    /// Groups branches under a new label at the position of the first branch. Without a label, the
    /// label consists of the labels of the branches. Groups without remaining values are removed.
    ///
    /// # Errors
    /// [`Refusal`] if a position does not exist, the list is empty, or the label is too long.
    pub(crate) fn group(
        &mut self,
        positions: &[Position],
        label: Option<&str>,
    ) -> Result<(), Refusal> {
        let positions = outermost(positions);
        let first = positions.first().ok_or_else(|| Refusal::new("no_branch_selected"))?;
        // The common ancestor of all branches contains the new label.
        let n_shared = positions.iter().fold(first.len() - 1, |n_shared, it| {
            let n_equal = it.iter().zip(first).take_while(|(a, b)| a == b).count();
            n_shared.min(n_equal)
        });
        let place = first[..=n_shared].to_vec();
        self.regroup(&positions, &place, label)
    }

    /// Moves branches into a group. If the target is a value, the branches and the value form a new
    /// group.
    ///
    /// # Errors
    /// [`Refusal`] if a position does not exist, if the target is part of a moved branch, or if the
    /// label is too long.
    pub(crate) fn move_into(
        &mut self,
        positions: &[Position],
        target: &Position,
        label: Option<&str>,
    ) -> Result<(), Refusal> {
        let mut positions = outermost(positions);
        if positions.iter().any(|it| target.starts_with(it)) {
            return Err(Refusal::new("target_is_moved"));
        }
        if self.at(target)?.below.is_empty() {
            positions.push(target.clone());
            return self.regroup(&outermost(&positions), target, label);
        }
        self.at_mut(target)?.below.push(Self::default());
        let mut taken = Some(self.take(&mut Vec::new(), &positions));
        self.replace_placeholder(&mut taken);
        Ok(())
    }

    /// Groups branches under a new label at a place, which is a position before or at the first
    /// branch.
    fn regroup(
        &mut self,
        positions: &[Position],
        place: &Position,
        label: Option<&str>,
    ) -> Result<(), Refusal> {
        let labels = positions.iter().map(|it| Ok(self.at(it)?.label.as_str()));
        let labels = labels.collect::<Result<Vec<&str>, Refusal>>()?.join(" / ");
        if label.is_none() && labels.chars().count() > LONGEST_LABEL {
            return Err(Refusal::new("label_too_long"));
        }
        let label = label.map_or(labels, str::to_owned);
        let (at, parent) = place.split_last().ok_or_else(|| Refusal::new("no_such_branch"))?;
        let below = &mut self.at_mut(parent)?.below;
        below.insert((*at).min(below.len()), Self::default());
        // The placeholder shifts the following branches of its parent.
        let shifted = |position: &Position| {
            let mut position = position.clone();
            let is_after = position.starts_with(parent) && position[parent.len()] >= *at;
            position[parent.len()..].iter_mut().take(usize::from(is_after)).for_each(|it| *it += 1);
            position
        };
        let positions: Vec<Position> = positions.iter().map(shifted).collect();
        let taken = self.take(&mut Vec::new(), &positions);
        self.replace_placeholder(&mut Some(vec![Self::new(&label, taken)]));
        Ok(())
    }

    /// Replaces groups with the branches that they contain.
    ///
    /// # Errors
    /// [`Refusal`] if a position does not exist or is not a group.
    pub(crate) fn dissolve(&mut self, positions: &[Position]) -> Result<(), Refusal> {
        if positions.is_empty() {
            return Err(Refusal::new("no_branch_selected"));
        }
        let mut positions = positions.to_vec();
        // Later positions first, because each replacement shifts the following branches.
        positions.sort_unstable();
        for position in positions.iter().rev() {
            let (at, parent) = position.split_last().expect("a position is not empty");
            if self.at(position)?.below.is_empty() {
                return Err(Refusal::new("not_a_group"));
            }
            let parent = self.at_mut(parent)?;
            let below = std::mem::take(&mut parent.below[*at].below);
            parent.below.splice(*at..=*at, below);
        }
        Ok(())
    }

    /// Changes the label of a group.
    ///
    /// # Errors
    /// [`Refusal`] if there is not exactly one position, or if it is not a group.
    pub(crate) fn rename(&mut self, positions: &[Position], label: &str) -> Result<(), Refusal> {
        let [position] = positions else { return Err(Refusal::new("one_group")) };
        let group = self.at_mut(position)?;
        if group.below.is_empty() {
            return Err(Refusal::new("not_a_group"));
        }
        label.clone_into(&mut group.label);
        Ok(())
    }

    /// Removes the branches at the positions, and groups without remaining values. Returns the
    /// removed branches in document order.
    fn take(&mut self, here: &mut Position, positions: &[Position]) -> Vec<Self> {
        let mut taken = Vec::new();
        for (at, mut branch) in std::mem::take(&mut self.below).into_iter().enumerate() {
            here.push(at);
            if positions.contains(here) {
                taken.push(branch);
            } else {
                let was_group = !branch.below.is_empty();
                taken.extend(branch.take(here, positions));
                if !was_group || !branch.below.is_empty() {
                    self.below.push(branch);
                }
            }
            here.pop();
        }
        taken
    }

    /// Replaces the placeholder, a value without a label, with branches.
    fn replace_placeholder(&mut self, branches: &mut Option<Vec<Self>>) {
        let is_placeholder = |it: &Self| it.label.is_empty() && it.below.is_empty();
        if let Some(at) = self.below.iter().position(is_placeholder) {
            self.below.splice(at..=at, branches.take().unwrap_or_default());
            return;
        }
        for child in &mut self.below {
            if branches.is_some() {
                child.replace_placeholder(branches);
            }
        }
    }
}

/// Returns the positions in document order, without those inside another one.
fn outermost(positions: &[Position]) -> Vec<Position> {
    let mut sorted = positions.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut outer: Vec<Position> = Vec::new();
    for position in sorted {
        if outer.last().is_none_or(|last| !position.starts_with(last)) {
            outer.push(position);
        }
    }
    outer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(texts: &[&str]) -> Vec<Position> {
        texts.iter().map(|text| position(text).expect("a position")).collect()
    }

    /// Applies an edit to a tree in indented lines.
    fn edited(
        lines: &str,
        edit: impl FnOnce(&mut Branch) -> Result<(), Refusal>,
    ) -> Result<String, Refusal> {
        let mut root = tree_in_lines(lines).expect("a tree");
        let before = root.clone();
        edit(&mut root)?;
        let n_values = |root: &Branch| root.total(&|_| 1);
        assert_eq!(n_values(&root), n_values(&before), "no value is lost");
        Ok(lines_of_tree(&root.declaration()).expect("a tree"))
    }

    #[test]
    fn branches_can_be_grouped() {
        let flat = "a\nb\nc\nd\n";
        let group = |lines: &str, at: &[&str], label: Option<&str>| {
            edited(lines, |root| root.group(&positions(at), label)).expect("grouped")
        };
        assert_eq!(group(flat, &["1", "3"], Some("x")), "a\nx\n  b\n  d\nc\n");
        assert_eq!(group(flat, &["2", "0"], None), "a / c\n  a\n  c\nb\nd\n");
        // Branches of different groups move to the common ancestor, and emptied groups disappear.
        let tree = "all\n  x\n    a\n    b\n  y\n    c\nz\n  d\n  e\n";
        let moved = group(tree, &["0.1.0", "0.0.1"], Some("w"));
        assert_eq!(moved, "all\n  w\n    b\n    c\n  x\n    a\nz\n  d\n  e\n");
        assert_eq!(
            group(tree, &["0.1.0", "1.0"], Some("w")),
            "w\n  c\n  d\nall\n  x\n    a\n    b\nz\n  e\n"
        );
        // A branch inside another selected branch moves with it.
        assert_eq!(
            group(tree, &["0.0", "0.0.0", "1"], Some("w")),
            "w\n  x\n    a\n    b\n  z\n    d\n    e\nall\n  y\n    c\n"
        );
        let long = format!("{}\nb\n", "a".repeat(LONGEST_LABEL));
        assert!(edited(&long, |root| root.group(&positions(&["0", "1"]), None)).is_err());
        assert!(edited(flat, |root| root.group(&[], Some("x"))).is_err());
        assert!(edited(flat, |root| root.group(&positions(&["4"]), Some("x"))).is_err());
        assert!(position("1.x").is_err() && position("").is_err());
    }

    #[test]
    fn branches_can_be_moved_dissolved_and_renamed() {
        let tree = "x\n  a\n  b\ny\n  c\nd\n";
        let into = |at: &[&str], target: &str| {
            let target = position(target).expect("a position");
            edited(tree, |root| root.move_into(&positions(at), &target, None))
        };
        assert_eq!(into(&["0.0"], "1").expect("moved"), "x\n  b\ny\n  c\n  a\nd\n");
        assert_eq!(into(&["2"], "0").expect("moved"), "x\n  a\n  b\n  d\ny\n  c\n");
        assert_eq!(into(&["1.0"], "0").expect("moved"), "x\n  a\n  b\n  c\nd\n");
        assert_eq!(into(&["0.0"], "2").expect("moved"), "x\n  b\ny\n  c\na / d\n  a\n  d\n");
        assert_eq!(into(&["2"], "0.1").expect("moved"), "x\n  a\n  b / d\n    b\n    d\ny\n  c\n");
        assert!(into(&["0"], "0.1").is_err() && into(&["0"], "0").is_err());
        assert!(into(&["0"], "7").is_err());
        let dissolve = |at: &[&str]| edited(tree, |root| root.dissolve(&positions(at)));
        assert_eq!(dissolve(&["0", "1"]).expect("dissolved"), "a\nb\nc\nd\n");
        assert!(dissolve(&["2"]).is_err() && dissolve(&[]).is_err());
        let rename = |at: &[&str]| edited(tree, |root| root.rename(&positions(at), "new"));
        assert_eq!(rename(&["1"]).expect("renamed"), "x\n  a\n  b\nnew\n  c\nd\n");
        assert!(rename(&["2"]).is_err() && rename(&["0", "1"]).is_err());
    }

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
