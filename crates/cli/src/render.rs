//! Formats answers as tables and sentences for users, and as JSON for programs.

use std::path::Path;

use indistinct::text::Document;
use indistinct_render::{Color, terminal, wrapped};
use serde::Serialize;
use terminal_size::{Height, Width, terminal_size_of};

use crate::args::{Format, Global};
use crate::{out, say};

/// The maximum width of printed text, because longer lines are hard to read. Also the width if
/// there is no terminal.
const WIDEST: usize = 100;
/// The minimum width, below which wrapping makes the text harder to read.
const NARROWEST: usize = 40;

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

/// Prints an answer as JSON if requested, and with `print` otherwise.
pub fn answer<T: Serialize>(global: &Global, answer: &T, print: impl FnOnce(&T)) {
    match global.format {
        Format::Json => json(answer),
        Format::Text => print(answer),
    }
}

/// Prints an answer as JSON if requested, and as the document that describes it otherwise.
pub fn described<T: Serialize>(global: &Global, answer: &T, describe: fn(&T) -> Document) {
    self::answer(global, answer, |answer| document(&describe(answer)));
}

/// Prints a document.
pub fn document(document: &Document) {
    out::block(&terminal(document, stdout_width(), Color::Plain));
}

/// Prints the heading of a section.
pub fn heading(text: &str) {
    say!();
    say!("{text}");
}

/// Prints a sentence after `lead`, and wraps and indents it by the length of `lead`.
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

/// Prints the path of a page for the data holder.
pub fn holders_page(what: &str, path: &Path) {
    heading("Written");
    say!("  {what}  {}", path.display());
    let lead = " ".repeat(what.len() + 4);
    sentence(&lead, "do not publish it: it contains information about the original table");
}
