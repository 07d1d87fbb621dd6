//! Text formats of hierarchies: the ARX format, the format of the files in a release, and a tree
//! for display.

use std::collections::{BTreeMap, BTreeSet};

use super::{Hierarchy, HierarchyLevel};
use crate::model::{Dictionary, Rational, parse_decimal};
use crate::recoding::Cell;
use crate::{MISSING, STAR};

/// Formats a hierarchy in the ARX format: no header, delimiter `;`, and for each value the original
/// value and its label at each level.
///
/// The output contains all values of the domain: the listed values, or the values that occur if the
/// rule does not list its domain.
pub fn to_arx_csv(hierarchy: &Hierarchy) -> String {
    let n_values = hierarchy.domain_level(0).map.len();
    let labels = |value: usize| {
        (0..hierarchy.n_levels()).map(move |level| domain_label(hierarchy, level, value).to_owned())
    };
    csv_text((0..n_values).map(|value| labels(value).collect()))
}

/// Formats a hierarchy for a release: one line for each label of the released level that occurs in
/// the release, followed by the labels above it.
///
/// The header is `released;covered;above_1;covered_1;...`, for the label and the number of values
/// that it covers, followed by the same two columns for each higher level. The file does not depend
/// on values that occur only in the input:
///
/// - The file contains only labels for which `occurs` returns `true`, sorted by the first number in
///   the label, then by text.
/// - `covered` counts the values that the policy lists. The column is empty for a missing value
///   that is not listed. It is also empty if the rule does not list its domain, because the domain
///   then depends on the input.
/// - If the rule does not list its domain, the number of levels may depend on the input (for
///   masking, on the longest value). Columns that repeat the previous column in every line are
///   therefore omitted.
/// - A level that was added for a missing value is omitted if no missing value is released.
///
/// # Panics
/// Panics if the level does not exist.
pub fn released_csv(hierarchy: &Hierarchy, level: usize, occurs: impl Fn(&str) -> bool) -> String {
    let released = hierarchy.domain_level(level);
    let mut values: Vec<Option<usize>> = vec![None; released.labels.len()];
    for (value, &label) in released.map.iter().enumerate() {
        values[label as usize].get_or_insert(value);
    }
    let mut values: Vec<usize> = values
        .into_iter()
        .zip(&released.labels)
        .filter(|(_, label)| occurs(label))
        .filter_map(|(value, _)| value)
        .collect();
    values.sort_by_cached_key(|&value| order_of(domain_label(hierarchy, level, value)));

    let label = |level: usize, &value: &usize| domain_label(hierarchy, level, value);
    let repeats =
        |upper: usize| values.iter().all(|value| label(upper, value) == label(upper - 1, value));
    let is_missing_released = values.iter().any(|value| label(level, value) == MISSING);
    let above = (level + 1..n_released_levels(hierarchy, is_missing_released))
        .filter(|&upper| hierarchy.lists_domain() || !repeats(upper));
    let levels: Vec<usize> = std::iter::once(level).chain(above).collect();
    let counts: Vec<Vec<u64>> =
        levels.iter().map(|&level| listed_counts(hierarchy, level)).collect();

    let line = |&value: &usize| {
        let cells = levels.iter().zip(&counts).flat_map(|(&level, counts)| {
            let covered = counts[hierarchy.domain_level(level).map[value] as usize];
            let covered = if covered == 0 { String::new() } else { covered.to_string() };
            [label(level, &value).to_owned(), covered]
        });
        cells.collect()
    };
    csv_text(std::iter::once(header_of(levels.len())).chain(values.iter().map(line)))
}

/// Returns the number of levels that the file of a release may contain. A top level `*` above the
/// only group of listed values is omitted unless a missing value is released, because this level
/// may have been added for a missing value of the input.
fn n_released_levels(hierarchy: &Hierarchy, is_missing_released: bool) -> usize {
    let top = hierarchy.n_levels() - 1;
    if top == 0 || is_missing_released || !hierarchy.lists_domain() {
        return top + 1;
    }
    let below = &hierarchy.domain_level(top - 1).labels;
    let mut groups = below.iter().filter(|label| *label != MISSING);
    let is_only_group = groups.next().is_some_and(|label| label != STAR) && groups.next().is_none();
    if is_only_group && hierarchy.domain_level(top).labels == [STAR] { top } else { top + 1 }
}

/// Returns whether a string is in the format of [`released_csv`] and [`released_cells_csv`].
///
/// The format determines the header, the delimiter, the quotes, and the order of the lines. The
/// lines must be consistent: a label covers at most as many values as a label above it. If
/// `has_levels` is `true`, each pair of columns is one level, so equal labels of a level cover the
/// same number of values and have the same labels above them, and the labels below a label together
/// cover at most its number of values.
pub fn is_released_csv(text: &str, has_levels: bool) -> bool {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(b';').has_headers(false).from_reader(text.as_bytes());
    let records = reader
        .records()
        .map(|record| record.map(|it| Vec::from_iter(it.iter().map(str::to_owned))));
    let Ok(lines) = records.collect::<Result<Vec<Vec<String>>, _>>() else { return false };
    let Some((header, lines)) = lines.split_first() else { return false };
    let sorted = lines.windows(2).all(|pair| order_of(&pair[0][0]) < order_of(&pair[1][0]));
    let columns: Option<Vec<Vec<(&str, u64)>>> = lines.iter().map(|line| pairs(line)).collect();
    let Some(columns) = columns else { return false };
    let rises = |line: &[(&str, u64)]| {
        let counts: Vec<u64> = line.iter().map(|(_, n)| *n).filter(|n| *n > 0).collect();
        counts.is_sorted()
    };
    *header == header_of(header.len() / 2)
        && sorted
        && columns.iter().all(|line| rises(line))
        && (!has_levels || are_nested(&columns))
        && csv_text(std::iter::once(header).chain(lines).cloned()) == text
}

/// Returns the labels of a line with the number of values that each covers, or 0 if the number is
/// missing.
fn pairs(line: &[String]) -> Option<Vec<(&str, u64)>> {
    let pairs = line.chunks(2).map(|pair| {
        let [label, covered] = pair else { return None };
        let n = if covered.is_empty() { 0 } else { covered.parse().ok().filter(|n| *n > 0)? };
        (n == 0 || n.to_string() == *covered).then_some((label.as_str(), n))
    });
    pairs.collect()
}

/// Returns whether equal labels of a level have the same count and the same labels above them, and
/// cover at least as many values as the labels below them.
fn are_nested(lines: &[Vec<(&str, u64)>]) -> bool {
    let mut above: BTreeMap<(usize, &str), &[(&str, u64)]> = BTreeMap::new();
    let mut below: BTreeMap<(usize, &str), u64> = BTreeMap::new();
    for line in lines {
        for (level, &(label, covered)) in line.iter().enumerate() {
            let rest = &line[level..];
            match above.insert((level, label), rest) {
                Some(known) if known != rest => return false,
                Some(_) => {}
                None => {
                    if let Some(&(upper, _)) = line.get(level + 1) {
                        *below.entry((level + 1, upper)).or_default() += covered;
                    }
                }
            }
        }
    }
    // The highest level has one label.
    lines.iter().all(|line| line.last() == lines[0].last())
        && below.iter().all(|(at, &n)| above[at][0].1 == 0 || n <= above[at][0].1)
}

fn header_of(n_levels: usize) -> Vec<String> {
    let names = (0..n_levels).flat_map(|at| match at {
        0 => ["released".to_owned(), "covered".to_owned()],
        _ => [format!("above_{at}"), format!("covered_{at}")],
    });
    names.collect()
}

/// Formats the released values of classes with their own released values: one line for each string
/// that occurs in the release.
///
/// The header is that of [`released_csv`]. Labels above a released label are listed without
/// repetitions. Ranges and sets have no labels above them. `covered` is empty for ranges; for sets,
/// it is the number of values. If several levels share a string, the line describes the highest
/// released level.
///
/// # Panics
/// Panics if a cell does not match the hierarchy.
pub fn released_cells_csv<'a>(
    hierarchy: &Hierarchy,
    dictionary: &Dictionary,
    cells: impl Iterator<Item = &'a Cell>,
    occurs: impl Fn(&str) -> bool,
) -> String {
    let mut highest: BTreeMap<String, &Cell> = BTreeMap::new();
    for cell in cells.collect::<BTreeSet<_>>() {
        let text = cell.text(dictionary, hierarchy);
        if occurs(&text) {
            // Cells are ordered by level, so each text retains the cell with the highest level.
            highest.insert(text, cell);
        }
    }
    let n_levels = n_released_levels(hierarchy, highest.contains_key(MISSING));
    let mut lines: Vec<Vec<String>> =
        highest.iter().map(|(text, cell)| line_of(hierarchy, n_levels, text, cell)).collect();
    lines.sort_by_cached_key(|line| order_of(&line[0]));
    let width = lines.iter().map(Vec::len).max().unwrap_or(2);
    for line in &mut lines {
        line.resize(width, String::new());
    }
    csv_text(std::iter::once(header_of(width / 2)).chain(lines.iter().cloned()))
}

/// Returns a string with the number of values that it covers, followed by a corresponding pair for
/// each different label above it, below level `n_levels`.
fn line_of(hierarchy: &Hierarchy, n_levels: usize, text: &str, cell: &Cell) -> Vec<String> {
    let from = match cell {
        Cell::Label { level, .. } => *level,
        Cell::Set(codes) if codes.len() > 1 => {
            return vec![text.to_owned(), codes.len().to_string()];
        }
        Cell::Range { low, high } if low != high => return vec![text.to_owned(), String::new()],
        Cell::Generated { .. } => return vec![text.to_owned(), String::new()],
        Cell::Set(_) | Cell::Range { .. } => 0,
    };
    let labels = &hierarchy.domain_level(from).labels;
    let label = labels.iter().position(|label| label == text);
    let of_label = |&&at: &&u32| Some(at as usize) == label;
    let value = hierarchy.domain_level(from).map.iter().position(|at| of_label(&at));
    let Some(value) = value else { return vec![text.to_owned(), String::new()] };
    let mut line: Vec<String> = Vec::new();
    for level in from..n_levels.max(from + 1) {
        let label = domain_label(hierarchy, level, value);
        if level > from && line[line.len() - 2] == label {
            continue;
        }
        let covered =
            listed_counts(hierarchy, level)[hierarchy.domain_level(level).map[value] as usize];
        let covered = if covered == 0 { String::new() } else { covered.to_string() };
        line.extend([label.to_owned(), covered]);
    }
    line
}

/// Formats a hierarchy as a tree, starting with the top, with the number of values that each label
/// covers.
///
/// A label that is repeated at consecutive levels is written once. After `max_lines` lines, one
/// more line states the number of omitted lines.
pub fn tree_text(hierarchy: &Hierarchy, max_lines: usize) -> String {
    let top = hierarchy.n_levels() - 1;
    let children: Vec<Vec<Vec<u32>>> = (1..=top)
        .map(|level| children(hierarchy.domain_level(level), hierarchy.domain_level(level - 1)))
        .collect();
    let mut text = String::new();
    let mut n_lines = 0;
    let roots = (0..hierarchy.domain_level(top).labels.len() as u32).rev();
    let mut open: Vec<(usize, u32, usize)> = roots.map(|label| (top, label, 0)).collect();
    while let Some((mut level, mut label, indent)) = open.pop() {
        let label_text = |level: usize, label: u32| {
            hierarchy.domain_level(level).labels[label as usize].as_str()
        };
        while let [only] = below(&children, level, label)
            && label_text(level - 1, *only) == label_text(level, label)
        {
            (level, label) = (level - 1, *only);
        }
        n_lines += 1;
        if n_lines <= max_lines {
            let shown = match label_text(level, label) {
                "" => "(missing)",
                text => text,
            };
            text.push_str(&"  ".repeat(indent));
            text.push_str(shown);
            if level > 0 {
                let covered = hierarchy.domain_level(level).covered[label as usize];
                text.push_str(&format!("  ({covered})"));
            }
            text.push('\n');
        }
        let below = below(&children, level, label).iter().rev();
        open.extend(below.map(|&child| (level - 1, child, indent + 1)));
    }
    if n_lines > max_lines {
        text.push_str(&format!("... and {} more\n", n_lines - max_lines));
    }
    text
}

fn domain_label(hierarchy: &Hierarchy, level: usize, value: usize) -> &str {
    let level = hierarchy.domain_level(level);
    &level.labels[level.map[value] as usize]
}

/// Returns the number of listed values that each label covers, or zeros if the rule does not list
/// its domain.
fn listed_counts(hierarchy: &Hierarchy, level: usize) -> Vec<u64> {
    let at = hierarchy.domain_level(level);
    let mut counts = vec![0; at.labels.len()];
    if hierarchy.lists_domain() {
        for &label in &at.map[..hierarchy.n_listed()] {
            counts[label as usize] += 1;
        }
    }
    counts
}

/// Returns the sort key of a label: the first number in the label, then its text. Labels without a
/// number come first.
fn order_of(label: &str) -> (Option<Rational>, String) {
    let number = label.find(|c: char| c.is_ascii_digit()).and_then(|start| {
        let digits = |c: char| c.is_ascii_digit() || c == '.';
        let end = label[start..].find(|c| !digits(c)).map_or(label.len(), |n| start + n);
        let before = label[..start].strip_suffix('-');
        let is_negative = before.is_some_and(|b| !b.ends_with(char::is_alphanumeric));
        let size = parse_decimal(&label[start..end]).ok()?;
        Some(if is_negative { -size } else { size })
    });
    (number, label.to_owned())
}

/// Returns, for each label of the upper level, the labels of the lower level that it covers, in
/// their order.
fn children(upper: &HierarchyLevel, lower: &HierarchyLevel) -> Vec<Vec<u32>> {
    let mut visited = vec![false; lower.labels.len()];
    let mut children = vec![Vec::new(); upper.labels.len()];
    for (&low, &high) in lower.map.iter().zip(&upper.map) {
        if !std::mem::replace(&mut visited[low as usize], true) {
            children[high as usize].push(low);
        }
    }
    children
}

fn below(children: &[Vec<Vec<u32>>], level: usize, label: u32) -> &[u32] {
    match level {
        0 => &[],
        _ => &children[level - 1][label as usize],
    }
}

fn csv_text(rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::WriterBuilder::new().delimiter(b';').from_writer(Vec::new());
    for row in rows {
        writer
            .write_record(&row)
            .expect("all rows have the same length, and writing to memory succeeds");
    }
    let bytes = writer.into_inner().expect("writing to memory succeeds");
    let text = String::from_utf8(bytes).expect("the written fields are valid UTF-8");
    if !text.starts_with('\u{feff}') {
        return text;
    }
    // If the first value starts with a byte order mark and is not quoted, a reader would ignore the
    // mark.
    let end = text.find([';', '\n']).unwrap_or(text.len());
    format!("\"{}\"{}", &text[..end], &text[end..])
}

#[cfg(test)]
mod tests {
    use super::super::tests::{column, dictionary};
    use super::super::{Arx, HierarchyRule, Intervals, Mask, Side};
    use super::*;

    #[test]
    fn leading_byte_order_mark_in_value_is_preserved() {
        let text = "\"\u{feff}a\";x;*\nb;x;*\n";
        let arx = Arx::parse("a", text, &[]).expect("a hierarchy");
        let (nothing, _) = Dictionary::from_distinct(Vec::new());
        let hierarchy = HierarchyRule::Arx(arx).resolve("a", &nothing).expect("nested");
        assert_eq!(to_arx_csv(&hierarchy), text);
    }

    const EDUCATION: &str =
        "HS;school;low;*\nMSc;graduate;high;*\nPhD;graduate;high;*\nnone;none;low;*\n";

    fn education(values: &[&str]) -> Hierarchy {
        let arx = Arx::parse("a", EDUCATION, &[]).expect("valid");
        HierarchyRule::Arx(arx).resolve("a", &dictionary(values)).expect("all listed")
    }

    #[test]
    fn arx_file_lists_the_domain() {
        assert_eq!(to_arx_csv(&education(&["MSc"])), EDUCATION);
        assert_eq!(to_arx_csv(&education(&["MSc", ""])), format!("{EDUCATION};;;*\n"));
        assert_eq!(to_arx_csv(&Hierarchy::flat(&dictionary(&["a;b", "c"]))), "\"a;b\";*\nc;*\n");
    }

    #[test]
    fn released_file_starts_at_released_level() {
        let hierarchy = education(&["", "HS", "MSc", "PhD"]);
        let occurs = |label: &str| ["", "graduate", "*"].contains(&label);
        assert_eq!(
            released_csv(&hierarchy, 1, occurs),
            "released;covered;above_1;covered_1;above_2;covered_2\n;;;;*;4\ngraduate;2;high;2;*;4\n"
        );
        assert_eq!(released_csv(&hierarchy, 3, |_| true), "released;covered\n*;4\n");
    }

    #[test]
    fn level_added_for_missing_value_is_released_only_with_missing_value() {
        let resolve = |values: &[&str]| {
            let arx = Arx::parse("a", "France;Europe\nSpain;Europe\n", &[]).expect("valid");
            let values = dictionary(values);
            (HierarchyRule::Arx(arx).resolve("a", &values).expect("all listed"), values)
        };
        let (without, _) = resolve(&["France", "Spain"]);
        let (with, values) = resolve(&["", "France", "Spain"]);
        assert_eq!((without.n_levels(), with.n_levels()), (2, 3));
        for level in 0..2 {
            let is_listed = |label: &str| !label.is_empty();
            assert_eq!(
                released_csv(&with, level, is_listed),
                released_csv(&without, level, is_listed)
            );
        }
        let file = |cells: &[Cell]| released_cells_csv(&with, &values, cells.iter(), |_| true);
        let label = |level, label| Cell::Label { level, label };
        let listed = [label(1, 1)];
        assert_eq!(file(&listed), "released;covered\nEurope;2\n");
        assert_eq!(
            file(&[label(1, 0), label(1, 1)]),
            "released;covered;above_1;covered_1\n;;*;2\nEurope;2;*;2\n"
        );
        assert_eq!(file(&[label(2, 0)]), "released;covered\n*;2\n");
    }

    #[test]
    fn released_file_of_computed_labels_has_no_counts() {
        let numbers = |widths: &[i128]| widths.iter().map(|&w| Rational::from_integer(w)).collect();
        let zero = Rational::from_integer(0);
        let eighty = Some(Rational::from_integer(80));
        let rule = Intervals::new("a", numbers(&[5, 10]), zero, None, eighty).expect("valid");
        let table = dictionary(&["3", "12", "23", "99"]);
        let hierarchy = HierarchyRule::Intervals(rule).resolve("a", &table).expect("numbers");
        assert_eq!(
            released_csv(&hierarchy, 1, |label| label != "[20, 25)"),
            "released;covered;above_1;covered_1;above_2;covered_2\n\
             [0, 5);;[0, 10);;*;\n[10, 15);;[10, 20);;*;\n>= 80;;>= 80;;*;\n"
        );
    }

    #[test]
    fn released_file_hides_length_of_unreleased_values() {
        let rule = HierarchyRule::Mask(Mask { side: Side::Right });
        let with_long = rule.resolve("a", &dictionary(&["123", "9", "4567890"])).expect("short");
        assert_eq!(column(&with_long, 1), ["9", "12*", "456789*"]);
        assert_eq!(
            released_csv(&with_long, 1, |label| label.len() < 4),
            "released;covered;above_1;covered_1;above_2;covered_2\n9;;9;;*;\n12*;;1**;;*;\n"
        );
    }

    #[test]
    fn released_labels_are_sorted_by_first_number() {
        let mut labels =
            ["[10, 15)", "5-9", "b", "10-14", "[-5, 0)", "< 2.5", "a", "2024-Q2", "2024-Q1"];
        labels.sort_by_cached_key(|label| order_of(label));
        let sorted =
            ["a", "b", "[-5, 0)", "< 2.5", "5-9", "10-14", "[10, 15)", "2024-Q1", "2024-Q2"];
        assert_eq!(labels, sorted);
    }

    #[test]
    fn tree_text_starts_at_top_without_repeated_labels() {
        let hierarchy = education(&["", "HS"]);
        assert_eq!(
            tree_text(&hierarchy, 100),
            "*  (5)\n  low  (2)\n    school  (1)\n      HS\n    none\n  high  (2)\n    graduate  (2)\n      MSc\n      PhD\n  (missing)\n"
        );
        assert_eq!(tree_text(&hierarchy, 2), "*  (5)\n  low  (2)\n... and 8 more\n");
        assert_eq!(tree_text(&Hierarchy::flat(&dictionary(&[])), 5), "*  (0)\n");
    }
}
