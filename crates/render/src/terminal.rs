//! Renders a document as lines of text.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table as Grid, presets};
use indistinct_text::{Align, Block, Document, Section, Table, Text, Verdict};

/// Whether the output may contain escape sequences for colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// Headings are bold, and verdicts are green, red, or yellow.
    Ansi,
    /// Plain text.
    Plain,
}

/// Returns whether a terminal interprets the character instead of displaying it, or the character
/// changes how adjacent characters are displayed.
pub fn is_obeyed(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// Escapes all characters that a terminal would interpret, including line breaks, as in `\u{1b}`.
pub fn shown(text: &str) -> String {
    if !text.contains(is_obeyed) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for char in text.chars() {
        if is_obeyed(char) {
            shown.extend(char.escape_default());
        } else {
            shown.push(char);
        }
    }
    shown
}

/// Escapes the same characters as [`shown`] except for line breaks.
pub fn shown_lines(text: &str) -> String {
    text.split('\n').map(shown).collect::<Vec<_>>().join("\n")
}

/// Renders a document as lines of at most `width` columns, each with a line break. Empty lines
/// separate sections, and text below a heading is indented.
pub fn terminal(document: &Document, width: usize, color: Color) -> String {
    let mut page = Page { width, color, lines: String::new() };
    if let Some(title) = &document.title {
        page.heading("", title);
    }
    for section in &document.sections {
        page.section(section);
    }
    page.lines
}

struct Page {
    width: usize,
    color: Color,
    lines: String,
}

impl Page {
    fn section(&mut self, section: &Section) {
        if !self.lines.is_empty() {
            self.lines.push('\n');
        }
        let indent = match &section.heading {
            Some(heading) => {
                self.heading("", heading);
                "  "
            }
            None => "",
        };
        self.blocks(indent, &section.blocks);
    }

    fn heading(&mut self, indent: &str, heading: &Text) {
        let lines = wrapped(indent, &flat(heading), self.width);
        let lines = lines.trim_end_matches('\n');
        match self.color {
            Color::Ansi => self.lines.push_str(&format!("\u{1b}[1m{lines}\u{1b}[0m\n")),
            Color::Plain => self.lines.push_str(&format!("{lines}\n")),
        }
    }

    fn blocks(&mut self, indent: &str, blocks: &[Block]) {
        let verdicts = blocks.iter().filter_map(|block| match block {
            Block::Verdict(verdict, ..) => Some(verdict.words().len()),
            _ => None,
        });
        let verdict_width = verdicts.max().unwrap_or(0);
        for block in blocks {
            self.block(indent, block, verdict_width);
        }
    }

    fn block(&mut self, indent: &str, block: &Block, verdict_width: usize) {
        match block {
            Block::Paragraph(text) | Block::Lead(text) | Block::Heading(text) => {
                self.sentence(indent, text);
            }
            Block::Note(items) => items.iter().for_each(|item| self.sentence(indent, item)),
            Block::List(items) => {
                let lead = format!("{indent}- ");
                items.iter().for_each(|item| self.sentence(&lead, item));
            }
            Block::Table(table) => self.table(indent, table),
            Block::Verdict(verdict, about, details) => {
                let word = verdict.words();
                let lead = format!("{indent}{word:<verdict_width$}  ");
                let lines = wrapped(&lead, &flat(about), self.width);
                match self.color {
                    Color::Ansi => {
                        let painted = format!("{}{word}\u{1b}[0m", paint(*verdict));
                        self.lines.push_str(&lines.replacen(word, &painted, 1));
                    }
                    Color::Plain => self.lines.push_str(&lines),
                }
                let below = " ".repeat(lead.len());
                details.iter().for_each(|detail| self.sentence(&below, detail));
            }
            Block::Facts(facts) | Block::Cards(facts) => {
                let names: Vec<String> = facts.iter().map(|(name, _)| shown(&flat(name))).collect();
                let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
                for (name, (_, value)) in names.iter().zip(facts) {
                    self.sentence(&format!("{indent}{name:<widest$}  "), value);
                }
            }
            Block::Code(code) => {
                for line in code.lines() {
                    self.lines.push_str(&format!("{indent}{}\n", shown(line)));
                }
            }
            Block::Figure(figure) => {
                self.sentence(indent, &figure.title);
                match &figure.content {
                    Ok(picture) => {
                        self.table(indent, &Table { caption: None, ..picture.numbers.clone() })
                    }
                    Err(why) => self.sentence(indent, why),
                }
            }
            Block::Group(heading, blocks) => {
                self.sentence(indent, heading);
                self.blocks(&format!("{indent}  "), blocks);
            }
        }
    }

    fn sentence(&mut self, lead: &str, text: &Text) {
        self.lines.push_str(&wrapped(lead, &flat(text), self.width));
    }

    fn table(&mut self, indent: &str, table: &Table) {
        if let Some(caption) = &table.caption {
            self.sentence(indent, caption);
        }
        let mut grid = Grid::new();
        // Add 1, because the preset adds a space before the first column.
        let width = self.width.saturating_sub(indent.len()) + 1;
        grid.load_preset(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(u16::try_from(width).unwrap_or(u16::MAX));
        let cell = |text: &Text, align: Align| {
            Cell::new(shown(&flat(text))).set_alignment(match align {
                Align::Text | Align::Sentences => CellAlignment::Left,
                Align::Number => CellAlignment::Right,
            })
        };
        grid.set_header(table.columns.iter().map(|column| cell(&column.heading, column.align)));
        for row in &table.rows {
            let cells = row.iter().zip(&table.columns);
            grid.add_row(cells.map(|(text, column)| cell(text, column.align)));
        }
        for line in grid.to_string().lines() {
            let line = line.strip_prefix(' ').unwrap_or(line).trim_end();
            self.lines.push_str(&format!("{indent}{line}\n"));
        }
    }
}

/// Returns the escape sequence for the color of a verdict.
fn paint(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "\u{1b}[32m",
        Verdict::Fails => "\u{1b}[31m",
        Verdict::Undecided | Verdict::NotCompared => "\u{1b}[33m",
    }
}

/// Formats a text without markup; backquotes delimit code.
fn flat(text: &Text) -> String {
    text.to_string()
}

/// Wraps a text between words, and indents continuation lines by the width of the lead.
pub fn wrapped(lead: &str, text: &str, width: usize) -> String {
    let below = " ".repeat(lead.chars().count());
    let options = textwrap::Options::new(width)
        .initial_indent(lead)
        .subsequent_indent(&below)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    // Prevent line breaks within an equation such as `k = 5`.
    let text = shown(text).replace(" = ", "\u{a0}=\u{a0}");
    textwrap::fill(&text, options).replace('\u{a0}', " ") + "\n"
}

#[cfg(test)]
mod tests {
    use indistinct_text::{code, name, text};

    use super::*;

    fn plain(section: Section, width: usize) -> String {
        let mut document = Document::new();
        document.push(section);
        terminal(&document, width, Color::Plain)
    }

    #[test]
    fn paragraphs_wrap_between_words_with_indentation() {
        let mut section = Section::new("Heading");
        section.list(["one two three four"]).paragraph("incomprehensible b");
        assert_eq!(
            plain(section, 13),
            "Heading\n  - one two\n    three\n    four\n  incomprehensible\n  b\n"
        );
        let mut section = Section::untitled();
        section.paragraph("required k = 5");
        assert_eq!(plain(section, 12), "required\nk = 5\n");
    }

    #[test]
    fn terminal_control_characters_are_escaped() {
        assert_eq!(shown("age"), "age");
        assert_eq!(shown("naïve – 数"), "naïve – 数");
        assert_eq!(shown("a\u{1b}[2Kb\r\nc"), "a\\u{1b}[2Kb\\r\\nc");
        assert_eq!(shown("\u{9b}1A\u{7f}\u{202e}x\u{2028}"), "\\u{9b}1A\\u{7f}\\u{202e}x\\u{2028}");
        assert_eq!(shown_lines("a\u{7}\nb\n"), "a\\u{7}\nb\n");
        let mut section = Section::untitled();
        section.paragraph(text!("a\u{1b}[2K\nb {}", code("c\u{7}")));
        let table = Table::new([("a", Align::Text)]);
        section.push(Block::Table(table.with_rows([vec![name("x\u{1b}").into()]])));
        assert_eq!(plain(section, 80), "a\\u{1b}[2K\\nb `c\\u{7}`\na\nx\u{fffd}\n");
    }

    #[test]
    fn table_aligns_numbers_and_fits_width() {
        let columns = [("column", Align::Text), ("rows", Align::Number), ("about", Align::Text)];
        let row = |cells: [&str; 3]| cells.map(Text::from).to_vec();
        let rows = [row(["age", "5", "a short text"]), row(["zip code", "12,345", "b"])];
        let section = || {
            let mut section = Section::new("T");
            section.push(Block::Table(Table::new(columns).with_rows(rows.clone())));
            section
        };
        assert_eq!(
            plain(section(), 80),
            "T\n  column      rows  about\n  age            5  a short text\n  zip code  12,345  b\n"
        );
        let narrow = plain(section(), 28);
        assert!(narrow.lines().all(|line| line.len() <= 28), "{narrow}");
        assert!(narrow.contains("a short\n"), "{narrow}");
    }

    #[test]
    fn verdicts_and_facts_are_aligned() {
        let mut section = Section::new("Checks");
        section.verdict(Verdict::Holds, "digests").push(Block::Verdict(
            Verdict::Undecided,
            "rows".into(),
            vec!["detail".into()],
        ));
        section.push(Block::Facts(vec![("a".into(), "b".into()), ("long".into(), "c".into())]));
        let expected = "Checks\n  holds      digests\n  undecided  rows\n             detail\n  a     b\n  long  c\n";
        assert_eq!(plain(section, 80), expected);
        let mut document = Document::new();
        let mut section = Section::untitled();
        section.verdict(Verdict::Fails, "k = 5");
        document.push(section);
        let colored = terminal(&document, 80, Color::Ansi);
        assert_eq!(colored, "\u{1b}[31mfails\u{1b}[0m  k = 5\n");
    }
}
