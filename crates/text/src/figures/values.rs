//! A figure of the number of released rows for each value of an attribute.

use indistinct_release::files;

use super::{cell, file, label_cell, most_frequent, picture, table};
use crate::document::{Figure, Table, Text, left, right};
use crate::plot::{Bar, Plot, Series, ranges};
use crate::words;

/// The maximum number of bars for individual values. An additional bar combines all other values.
pub(super) const MAX_BARS: usize = 20;
/// The maximum number of values in the table of numbers.
const MAX_LISTED: usize = 200;

/// Returns a figure of the number of rows for each value of an attribute, in display order.
pub(crate) fn values(attribute: &str, values: &[(String, u64)]) -> Figure {
    let lines = values.iter().map(|(value, n_rows)| vec![value.clone(), n_rows.to_string()]);
    let file = file(&files::values(attribute), &["value", "n_rows"], lines);
    let name = words::label(attribute);
    let n_rows: u64 = values.iter().map(|(_, count)| count).sum();
    let bar = |label: String, count: u64, series| Bar {
        label,
        value: count as f64,
        text: words::thousands(count),
        series,
    };
    let texts: Vec<&str> = values.iter().map(|(value, _)| value.as_str()).collect();
    let in_ranges = (values.len() > MAX_BARS).then(|| ranges(&texts)).flatten();
    let sum = |at: &[usize]| at.iter().map(|&at| values[at].1).sum();
    let (drawn, caption): (Vec<Bar>, &str) = match in_ranges {
        Some(ranges) => {
            let bars = ranges.into_iter();
            let bars = bars.map(|it| bar(it.label, sum(&it.values), Series::Main)).collect();
            (bars, "Each bar shows the number of released rows with a value in the range.")
        }
        None => {
            let (shown, others) = most_frequent(values.iter().map(|it| it.1), MAX_BARS);
            let label = |at: usize| words::label(&values[at].0);
            let shown = shown.into_iter();
            let mut drawn: Vec<Bar> =
                shown.map(|at| bar(label(at), values[at].1, Series::Main)).collect();
            match others.len() {
                0 => (drawn, "Each bar shows the number of released rows with the value."),
                n => {
                    drawn.push(bar(other(n), sum(&others), Series::Rest));
                    let caption = "Each bar shows the number of released rows with the value; the \
                                   last, gray bar is the sum for all less frequent values.";
                    (drawn, caption)
                }
            }
        }
    };
    let description = format!(
        "Bar chart of the values of {name}: {} in {}.",
        words::counted(values.len() as u64, "value", "values"),
        words::rows(n_rows)
    );
    let content = match values.is_empty() {
        true => Err("The release contains no rows.".into()),
        false => picture(Plot::Bars(drawn, 0.0), description, numbers(&name, values, n_rows)),
    };
    Figure { title: name.into(), caption: caption.into(), content, file }
}

/// Returns the label of the bar that combines several values.
pub(super) fn other(n_values: usize) -> String {
    format!("{} others", words::thousands(n_values as u64))
}

fn numbers(name: &str, values: &[(String, u64)], n_rows: u64) -> Table {
    let (shown, others) = most_frequent(values.iter().map(|it| it.1), MAX_LISTED);
    let row = |label: Text, count: u64| {
        vec![label, cell(words::thousands(count)), cell(words::share(count, n_rows))]
    };
    let mut rows: Vec<Vec<Text>> =
        shown.into_iter().map(|at| row(label_cell(&values[at].0), values[at].1)).collect();
    if !others.is_empty() {
        let count = others.iter().map(|&at| values[at].1).sum();
        rows.push(row(cell(other(others.len())), count));
    }
    table(
        &format!("Released values of {name}"),
        &[left("Value"), right("Rows"), right("Share")],
        rows,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_file_is_complete_and_quoted() {
        let zip = [("[0, 5)", 3), ("", 2), ("say \"hi\"", 1)];
        let zip = zip.map(|(value, n)| (value.to_owned(), n));
        let file = values("zip", &zip).file.expect("a file");
        assert_eq!(file.csv, "value,n_rows\n\"[0, 5)\",3\n,2\n\"say \"\"hi\"\"\",1\n");
        assert_eq!(file.path, "report/values-zip.csv");
    }

    #[test]
    fn many_numbers_are_grouped_into_ranges() {
        let many: Vec<(String, u64)> = (0..300).map(|at| ((at * 10).to_string(), 2)).collect();
        let figure = values("cost", &many);
        let Ok(Plot::Bars(bars, _)) = figure.content.map(|it| it.plot) else { panic!("bars") };
        assert!(bars.iter().any(|bar| bar.label == "200–399"), "{bars:?}");
        assert_eq!(figure.file.expect("a file").csv.lines().count(), 301);
    }
}
