//! Formats answers as tables and sentences for people and as JSON for programs.

use std::path::Path;

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
use indistinct::text::{Document, Section};
use indistinct_render::{Color, terminal};
use serde::Serialize;
use terminal_size::{Height, Width, terminal_size_of};

use crate::args::{Format, Global};
use crate::{out, say};

/// The maximum width of printed text, because longer lines are hard to read. Also the width if
/// there is no terminal.
const WIDEST: usize = 100;
/// The minimum width, below which wrapping makes the text harder to read.
const NARROWEST: usize = 40;

/// The alignment of the cells in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Left-aligned, for texts.
    Left,
    /// Right-aligned, for numbers.
    Right,
}

/// Returns the width of standard output in columns.
fn stdout_width() -> usize {
    width_of(terminal_size_of(std::io::stdout()))
}

/// Returns the width of standard error in columns.
pub fn stderr_width() -> usize {
    width_of(terminal_size_of(std::io::stderr()))
}

fn width_of(terminal: Option<(Width, Height)>) -> usize {
    terminal.map_or(WIDEST, |(Width(width), _)| usize::from(width)).clamp(NARROWEST, WIDEST)
}

/// Prints a JSON document to standard output.
pub fn json(answer: &impl Serialize) {
    out::json(&serde_json::to_string_pretty(answer).expect("an answer is serializable as JSON"));
}

/// Prints an answer, as JSON if requested and otherwise with `print`.
pub fn answer<T: Serialize>(global: &Global, answer: &T, print: impl FnOnce(&T)) {
    match global.format {
        Format::Json => json(answer),
        Format::Text => print(answer),
    }
}

/// Prints an answer, as JSON if requested and otherwise as the document that describes it.
pub fn described<T: Serialize>(global: &Global, answer: &T, describe: fn(&T) -> Document) {
    self::answer(global, answer, |answer| document(&describe(answer)));
}

/// Prints a document.
pub fn document(document: &Document) {
    out::block(&terminal(document, stdout_width(), Color::Plain));
}

/// Prints a section of a document after an empty line.
pub fn section(section: Section) {
    let mut found = Document::new();
    found.push(section);
    say!();
    document(&found);
}

/// Prints a table, indented by two columns.
pub fn table(header: &[(&str, Align)], rows: Vec<Vec<String>>) {
    out::block(&table_text(header, rows, stdout_width()));
}

fn table_text(header: &[(&str, Align)], rows: Vec<Vec<String>>, width: usize) -> String {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX) - 1);
    let cell = |(text, align): (&str, Align)| {
        Cell::new(text).set_alignment(match align {
            Align::Left => CellAlignment::Left,
            Align::Right => CellAlignment::Right,
        })
    };
    table.set_header(header.iter().copied().map(cell));
    for row in &rows {
        let cells = row.iter().map(|text| out::shown(text));
        table.add_row(cells.zip(header).map(|(text, (_, align))| cell((&text, *align))));
    }
    // The preset puts one space before the first column.
    table.to_string().lines().map(|line| format!(" {}\n", line.trim_end())).collect()
}

/// Prints the heading of a section.
pub fn heading(text: &str) {
    say!();
    say!("{text}");
}

/// Prints a wrapped sentence after `lead`, and indents continuation lines by the length of `lead`.
pub fn sentence(lead: &str, text: &str) {
    out::block(&wrapped(lead, text, stdout_width()));
}

/// Prints a list of sentences below a heading, or nothing if the list is empty.
pub fn list(title: &str, sentences: &[impl AsRef<str>]) {
    if !sentences.is_empty() {
        heading(title);
        sentences.iter().for_each(|text| sentence("  - ", text.as_ref()));
    }
}

/// Prints the location of a page for the data holder.
pub fn holders_page(what: &str, path: &Path) {
    heading("Written");
    say!("  {what}  {}", path.display());
    let lead = " ".repeat(what.len() + 4);
    sentence(&lead, "do not publish it: it contains information about the original table");
}

fn wrapped(lead: &str, text: &str, width: usize) -> String {
    let below = " ".repeat(lead.chars().count());
    let options = textwrap::Options::new(width)
        .initial_indent(lead)
        .subsequent_indent(&below)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    // Keep equations such as `k = 5` on one line.
    let text = out::shown(text).replace(" = ", "\u{a0}=\u{a0}");
    textwrap::fill(&text, options).replace('\u{a0}', " ") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_wraps_between_words_with_hanging_indent() {
        let text = "one two three four";
        assert_eq!(wrapped("- ", text, 11), "- one two\n  three\n  four\n");
        assert_eq!(wrapped("", text, 13), "one two three\nfour\n");
        assert_eq!(wrapped("  ", text, 80), "  one two three four\n");
        assert_eq!(wrapped("  ", "incomprehensible b", 8), "  incomprehensible\n  b\n");
        assert_eq!(wrapped("", "required k = 5", 12), "required\nk = 5\n");
    }

    #[test]
    fn control_characters_in_text_and_cells_are_escaped() {
        assert_eq!(wrapped("- ", "a\u{1b}[2K\nb", 80), "- a\\u{1b}[2K\\nb\n");
        let table = table_text(&[("a", Align::Left)], vec![vec!["x\ny\u{1b}".to_owned()]], 80);
        assert_eq!(table, "  a\n  x\\ny\\u{1b}\n");
    }

    #[test]
    fn table_aligns_numbers_and_fits_width() {
        let header = [("column", Align::Left), ("rows", Align::Right), ("about", Align::Left)];
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = vec![row(["age", "5", "a short text"]), row(["zip code", "12,345", "b"])];
        assert_eq!(
            table_text(&header, rows.clone(), 80),
            "  column      rows  about\n  age            5  a short text\n  zip code  12,345  b\n"
        );
        let narrow = table_text(&header, rows, 28);
        assert!(narrow.lines().all(|line| line.len() <= 28), "{narrow}");
        assert!(narrow.contains("a short\n"), "{narrow}");
    }
}
