//! How many released rows have which value of an attribute.

use indistinct_release::files;
use maud::Markup;

use super::{Exhibit, PlotFile, csv};
use crate::layout::{Column, cell, label_cell, table};
use crate::parts::{self, MostFrequent};
use crate::plot::{Bar, Paint, bars, ranges};
use crate::words;

/// The most bars for one attribute; what is left over is summed up in one more.
pub(super) const MOST_BARS: usize = 20;
/// The most values in the table below a picture.
const MOST_LISTED: usize = 200;

/// The values of an attribute with their rows, in the order in which to show them.
pub(crate) fn values(attribute: &str, values: &[(&str, u64)]) -> Exhibit {
    let lines = values.iter().map(|(value, n_rows)| vec![(*value).to_owned(), n_rows.to_string()]);
    let file = PlotFile::new(&files::values(attribute), csv(&["value", "n_rows"], lines));
    let name = words::label(attribute);
    let n_rows: u64 = values.iter().map(|(_, count)| count).sum();
    let bar = |label: String, count: u64, paint| Bar {
        label,
        value: count as f64,
        text: words::thousands(count),
        paint,
    };
    let texts: Vec<&str> = values.iter().map(|(value, _)| *value).collect();
    let in_ranges = (values.len() > MOST_BARS).then(|| ranges(&texts)).flatten();
    let (drawn, how_to_read): (Vec<Bar>, &str) = match in_ranges {
        Some(ranges) => {
            let rows = |at: &Vec<usize>| at.iter().map(|&at| values[at].1).sum();
            let bars = ranges
                .into_iter()
                .map(|range| bar(range.label, rows(&range.values), Paint::Main))
                .collect();
            (bars, "Each bar shows how many released rows have a value in the range.")
        }
        None => {
            let MostFrequent { shown, rest } = parts::most_frequent(values, MOST_BARS);
            let mut drawn: Vec<Bar> = shown
                .iter()
                .map(|(label, count)| bar(words::label(label), *count, Paint::Main))
                .collect();
            match rest {
                None => (drawn, "Each bar shows how many released rows have the value."),
                Some((n_others, count)) => {
                    let label = format!("{} others", words::thousands(n_others as u64));
                    drawn.push(bar(label, count, Paint::Rest));
                    let how_to_read = "Each bar shows how many released rows have the value; the last, gray bar sums up all \
                                       values that are less frequent than those above it.";
                    (drawn, how_to_read)
                }
            }
        }
    };
    let description = format!(
        "Bar chart of the values of {name}: {} in {}.",
        words::counted(values.len() as u64, "value", "values"),
        words::rows(n_rows)
    );
    let shown = match values.is_empty() {
        true => Err("No rows were released."),
        false => Ok((bars(&drawn, 0.0, &description), numbers(&name, values, n_rows))),
    };
    Exhibit { title: name, how_to_read: how_to_read.to_owned(), shown, file }
}

fn numbers(name: &str, values: &[(&str, u64)], n_rows: u64) -> Markup {
    let MostFrequent { shown, rest } = parts::most_frequent(values, MOST_LISTED);
    let row = |label: Markup, count: u64| {
        vec![label, cell(words::thousands(count)), cell(words::share(count, n_rows))]
    };
    let mut rows: Vec<Vec<Markup>> =
        shown.iter().map(|(label, count)| row(label_cell(label), *count)).collect();
    if let Some((n_others, count)) = rest {
        rows.push(row(cell(format!("{} others", words::thousands(n_others as u64))), count));
    }
    table(
        &format!("Released values of {name}"),
        &[("Value", Column::Plain), ("Rows", Column::Number), ("Share", Column::Number)],
        rows,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_all_values_and_quotes_what_needs_it() {
        let file = values("zip", &[("[0, 5)", 3), ("", 2), ("say \"hi\"", 1)]).into_file();
        assert_eq!(file.csv, "value,n_rows\n\"[0, 5)\",3\n,2\n\"say \"\"hi\"\"\",1\n");
        assert_eq!(file.path, "report/values-zip.csv");
    }

    #[test]
    fn many_numbers_are_drawn_in_ranges() {
        let numbers: Vec<String> = (0..300).map(|at| (at * 10).to_string()).collect();
        let many: Vec<(&str, u64)> = numbers.iter().map(|it| (it.as_str(), 2)).collect();
        let page = values("cost", &many).figure().into_string();
        assert!(page.contains("200–399") && page.contains("in the range"), "{page}");
        assert_eq!(values("cost", &many).into_file().csv.lines().count(), 301);
    }
}
