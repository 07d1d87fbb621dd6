//! The figures of the pages, each with an explanation, the underlying numbers, and a file that
//! contains these numbers.
//!
//! The files of a release have fixed names
//! ([`report_files`](indistinct_release::files::report_files)).

mod attributes;
mod class_sizes;
mod marginal;
mod risk;
mod sensitive;
mod trade_off;
mod utility;
mod values;

use indistinct_labels::formulas::guarded;
use indistinct_release::files::{self, REPORT_FOLDER};

pub(crate) use attributes::{AttributeLoss, losses, one_level_down};
pub(crate) use class_sizes::{class_sizes, class_sizes_before_and_after};
pub(crate) use marginal::marginal;
pub(crate) use risk::{risk_before_and_after, risk_distribution, risk_distributions};
pub(crate) use sensitive::{Reader, sensitive_values};
pub(crate) use trade_off::trade_off;
pub(crate) use utility::{accuracy, associations};
pub(crate) use values::values;

use crate::document::{Align, File, Picture, Table, Text, name};
use crate::plot::Plot;
use crate::words;

/// Writes the underlying numbers of a picture as CSV with a header, escaped to prevent
/// spreadsheet programs from evaluating cells.
fn file(name: &str, header: &[&str], lines: impl IntoIterator<Item = Vec<String>>) -> Option<File> {
    let header = header.iter().map(|name| (*name).to_owned()).collect();
    let guarded = |line: Vec<String>| line.iter().map(|cell| guarded(cell).into_owned()).collect();
    let lines = lines.into_iter().map(guarded);
    let csv = files::csv_text(std::iter::once(header).chain(lines));
    Some(File { path: format!("{REPORT_FOLDER}/{name}"), csv })
}

/// Returns a picture with its description and numbers.
fn picture(plot: Plot, description: String, numbers: Table) -> Result<Picture, Text> {
    Ok(Picture { plot, description, numbers })
}

/// Returns a table in which the first cell of each row is the row heading.
pub(crate) fn table(caption: &str, columns: &[(&str, Align)], rows: Vec<Vec<Text>>) -> Table {
    let table = Table::new(columns.iter().copied()).with_rows(rows);
    Table { caption: Some(caption.into()), ..table }
}

/// Converts a text to a cell.
pub(crate) fn cell(text: impl AsRef<str>) -> Text {
    text.as_ref().into()
}

/// Converts a text from a table to a cell.
pub(crate) fn label_cell(text: &str) -> Text {
    name(text).into()
}

/// Formats a fraction as a percentage, or as a dash if the table is empty.
pub(crate) fn fraction(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), words::percent)
}

/// Returns the positions of the `most` most frequent values and of all other values, each in the
/// given order. Of equally frequent values, the earlier one is preferred.
fn most_frequent(rows: impl Iterator<Item = u64>, most: usize) -> (Vec<usize>, Vec<usize>) {
    let rows: Vec<u64> = rows.collect();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut others = Vec::new();
    if order.len() > most {
        order.sort_by_key(|&at| (std::cmp::Reverse(rows[at]), at));
        others = order.split_off(most);
        order.sort_unstable();
    }
    (order, others)
}
