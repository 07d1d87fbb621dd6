//! Structured text: documents with sections, paragraphs, lists, tables, and verdicts.

use indistinct_diagnostics::words;

use crate::plot::Plot;

/// An answer as structured text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// The kind of page, if the document is a separate page.
    pub kind: Option<Text>,
    /// The title, if the document is a separate page.
    pub title: Option<Text>,
    /// The sections, in reading order.
    pub sections: Vec<Section>,
    /// The footer, if the document is a separate page.
    pub footer: Option<Text>,
}

/// A part of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// The heading, or `None` for an introduction or a closing remark.
    pub heading: Option<Text>,
    /// The blocks below the heading.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a document has few blocks")]
pub enum Block {
    /// One or more sentences.
    Paragraph(Text),
    /// The paragraph that introduces a page.
    Lead(Text),
    /// An important notice: one paragraph, or a list.
    Note(Vec<Text>),
    /// Key figures, each with its name.
    Cards(Vec<(Text, Text)>),
    /// A heading within a section.
    Heading(Text),
    /// An unordered list.
    List(Vec<Text>),
    /// Values in rows and columns.
    Table(Table),
    /// The outcome of a check, a description of the check, and details.
    Verdict(Verdict, Text, Vec<Text>),
    /// Pairs of a name and a value.
    Facts(Vec<(Text, Text)>),
    /// A command or an excerpt of a file, displayed verbatim.
    Code(String),
    /// A picture with its title and explanation.
    Figure(Figure),
    /// Blocks below a subheading within a section.
    Group(Text, Vec<Block>),
}

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The requirement is met.
    Holds,
    /// The requirement is not met.
    Fails,
    /// The available information is insufficient for a decision.
    Undecided,
    /// Nothing was compared.
    NotCompared,
}

/// Values in rows and columns. The first cell of each row is the row heading.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// The caption of the table.
    pub caption: Option<Text>,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, with one cell for each column.
    pub rows: Vec<Vec<Text>>,
}

/// A column of a [`Table`].
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The heading of the column.
    pub heading: Text,
    /// The alignment of the cells.
    pub align: Align,
}

/// Alignment of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Text, aligned to the left.
    Text,
    /// Sentences that are aligned to the left in a column with a minimum width.
    Sentences,
    /// Numbers, aligned to the right.
    Number,
}

/// A picture with its title and the underlying numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The title of the figure.
    pub title: Text,
    /// An explanation of how to read the picture.
    pub caption: Text,
    /// The picture, or the reason why no picture is available.
    pub content: Result<Picture, Text>,
    /// The file that contains the numbers, stored next to the document.
    pub file: Option<File>,
}

/// A picture and the underlying numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The plot to draw.
    pub plot: Plot,
    /// A description of the picture for readers who cannot see it.
    pub description: String,
    /// The underlying numbers of the picture.
    pub numbers: Table,
}

/// A file with the underlying numbers of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The path, relative to the document.
    pub path: String,
    /// The contents in CSV format, including a header.
    pub csv: String,
}

/// Text with inline markup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text(pub Vec<Span>);

/// A part of a [`Text`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Span {
    /// Fixed text from this crate.
    Plain(String),
    /// Text from a table or a policy, such as a column name, a label, or a file name.
    Name(String),
    /// A command, a policy key, or a value as entered by the user.
    Code(String),
    /// Emphasized text.
    Strong(String),
    /// A colored outcome with its text.
    Badge(Verdict, String),
}

/// Returns text from a table or a policy as a span, with invisible characters replaced by visible
/// marks.
pub fn name(text: impl AsRef<str>) -> Span {
    Span::Name(words::label(text.as_ref()))
}

/// Returns a command, a policy key, or a typed value as a span.
pub fn code(text: impl Into<String>) -> Span {
    Span::Code(text.into())
}

/// Returns emphasized text as a span.
pub fn strong(text: impl Into<String>) -> Span {
    Span::Strong(text.into())
}

/// Returns an outcome as a span that displays the given text instead of [`Verdict::words`].
pub fn badge(verdict: Verdict, text: impl Into<String>) -> Span {
    Span::Badge(verdict, text.into())
}

/// Fills the slots of a template (`{}`) with texts, [spans](Span), strings, or numbers. The number
/// of slots is checked at compile time.
///
/// ```
/// use indistinct_text::{Text, name, text};
/// let found = text!("The column {} has {} values.", name("age"), 74_u64);
/// assert_eq!(found.to_string(), "The column age has 74 values.");
/// ```
#[macro_export]
macro_rules! text {
    ($template:literal $(, $part:expr)* $(,)?) => {{
        const N_SLOTS: usize = [$(stringify!($part)),*].len();
        const { assert!($crate::Text::has_slots($template, N_SLOTS), "one part for each slot") };
        $crate::Text::filled($template, [$($crate::Text::from($part)),*])
    }};
}

impl Text {
    /// Returns the title of a policy, with invisible characters replaced by visible marks, or a
    /// default title.
    pub fn title(title: Option<&str>, default: &str) -> Text {
        title.map_or_else(|| default.into(), |title| words::label(title).into())
    }

    /// Returns whether a template has the given number of slots.
    #[doc(hidden)]
    pub const fn has_slots(template: &str, n_slots: usize) -> bool {
        let (bytes, mut at, mut n_found) = (template.as_bytes(), 1, 0);
        while at < bytes.len() {
            n_found += (bytes[at - 1] == b'{' && bytes[at] == b'}') as usize;
            at += 1;
        }
        n_found == n_slots
    }

    /// Fills the slots of a template; see [`text!`].
    #[doc(hidden)]
    pub fn filled<const N: usize>(template: &str, parts: [Text; N]) -> Text {
        let mut pieces = template.split("{}");
        let mut filled = Text::default();
        filled.push(pieces.next().unwrap_or_default());
        for (part, piece) in parts.into_iter().zip(pieces) {
            filled.push(part);
            filled.push(piece);
        }
        filled
    }

    /// Appends a text, a span, or a string.
    pub fn push(&mut self, part: impl Into<Text>) {
        for span in part.into().0 {
            match (self.0.last_mut(), span) {
                (_, Span::Plain(more)) if more.is_empty() => {}
                (Some(Span::Plain(before)), Span::Plain(more)) => before.push_str(&more),
                (_, span) => self.0.push(span),
            }
        }
    }

    /// Joins texts with a separator. The last separator may differ, as in `a, b, and c`.
    fn joined(items: impl ExactSizeIterator<Item = Text>, separator: &str, last: &str) -> Text {
        let n_items = items.len();
        let mut joined = Text::default();
        for (at, item) in items.enumerate() {
            match at {
                0 => {}
                _ if at + 1 == n_items => joined.push(last),
                _ => joined.push(separator),
            }
            joined.push(item);
        }
        joined
    }

    /// Joins items with commas: `a, b, c`.
    pub fn comma_separated<T: Into<Text>>(items: impl IntoIterator<Item = T>) -> Text {
        let items: Vec<Text> = items.into_iter().map(Into::into).collect();
        Text::joined(items.into_iter(), ", ", ", ")
    }

    /// Joins items with commas and "and": `a and b`, or `a, b, and c`.
    pub fn list<T: Into<Text>>(items: impl IntoIterator<Item = T>) -> Text {
        let items: Vec<Text> = items.into_iter().map(Into::into).collect();
        let last = if items.len() > 2 { ", and " } else { " and " };
        Text::joined(items.into_iter(), ", ", last)
    }

    /// Parses text in which backquotes delimit code, as in registry documentation and error help.
    pub fn with_code(text: &str) -> Text {
        let mut found = Text::default();
        for (at, part) in text.split('`').enumerate().filter(|(_, part)| !part.is_empty()) {
            match at % 2 {
                0 => found.push(part),
                _ => found.push(code(part)),
            }
        }
        found
    }

    /// Returns whether the text contains no characters.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl std::fmt::Display for Text {
    /// Formats the text without markup; backquotes delimit code.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|span| match span {
            Span::Plain(text) | Span::Name(text) | Span::Strong(text) => f.write_str(text),
            Span::Badge(_, text) => write!(f, "({text})"),
            Span::Code(text) => write!(f, "`{text}`"),
        })
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text(vec![Span::Plain(text.to_owned())])
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text(vec![Span::Plain(text)])
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<u64> for Text {
    fn from(number: u64) -> Self {
        number.to_string().into()
    }
}

impl From<f64> for Text {
    fn from(number: f64) -> Self {
        number.to_string().into()
    }
}

impl From<usize> for Text {
    fn from(number: usize) -> Self {
        number.to_string().into()
    }
}

impl From<Span> for Text {
    fn from(span: Span) -> Self {
        Text(vec![span])
    }
}

impl From<Option<Text>> for Text {
    fn from(text: Option<Text>) -> Self {
        text.unwrap_or_default()
    }
}

impl Verdict {
    /// Returns [`Verdict::Holds`] if `holds` is true, and otherwise [`Verdict::Fails`].
    pub fn of_check(holds: bool) -> Self {
        if holds { Verdict::Holds } else { Verdict::Fails }
    }

    /// Describes the outcome in one or two words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Undecided => "undecided",
            Verdict::NotCompared => "not compared",
        }
    }
}

/// Returns a column of short texts.
pub(crate) fn left<T>(heading: T) -> (T, Align) {
    (heading, Align::Text)
}

/// Returns a column of numbers.
pub(crate) fn right<T>(heading: T) -> (T, Align) {
    (heading, Align::Number)
}

/// Returns a column of sentences.
pub(crate) fn wide<T>(heading: T) -> (T, Align) {
    (heading, Align::Sentences)
}

impl Table {
    /// Creates a table without rows.
    pub fn new<T: Into<Text>>(columns: impl IntoIterator<Item = (T, Align)>) -> Self {
        let column = |(heading, align): (T, Align)| Column { heading: heading.into(), align };
        Table { columns: columns.into_iter().map(column).collect(), ..Table::default() }
    }

    /// Replaces the rows of the table.
    pub fn with_rows(mut self, rows: impl IntoIterator<Item = Vec<Text>>) -> Self {
        self.rows = rows.into_iter().collect();
        self
    }
}

impl Section {
    /// Creates an empty section with a heading.
    pub fn new(heading: impl Into<Text>) -> Self {
        Section { heading: Some(heading.into()), blocks: Vec::new() }
    }

    /// Creates a section without a heading.
    pub fn untitled() -> Self {
        Section::default()
    }

    /// Appends a paragraph.
    pub fn paragraph(&mut self, text: impl Into<Text>) -> &mut Self {
        self.push(Block::Paragraph(text.into()))
    }

    /// Appends a list unless it is empty.
    pub fn list<T: Into<Text>>(&mut self, items: impl IntoIterator<Item = T>) -> &mut Self {
        let items: Vec<Text> = items.into_iter().map(Into::into).collect();
        if items.is_empty() { self } else { self.push(Block::List(items)) }
    }

    /// Appends figures.
    pub fn figures(&mut self, figures: impl IntoIterator<Item = Figure>) -> &mut Self {
        self.blocks.extend(figures.into_iter().map(Block::Figure));
        self
    }

    /// Appends the outcome of a check.
    pub fn verdict(&mut self, verdict: Verdict, about: impl Into<Text>) -> &mut Self {
        self.push(Block::Verdict(verdict, about.into(), Vec::new()))
    }

    /// Appends a block.
    pub fn push(&mut self, block: Block) -> &mut Self {
        self.blocks.push(block);
        self
    }
}

/// Returns a paragraph.
pub(crate) fn paragraph(text: impl Into<Text>) -> Block {
    Block::Paragraph(text.into())
}

/// Figures as blocks.
pub(crate) fn figures(figures: impl IntoIterator<Item = Figure>) -> Vec<Block> {
    figures.into_iter().map(Block::Figure).collect()
}

impl Block {
    /// Creates a block of named key figures.
    pub fn cards<'a>(cards: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        let cards = cards.into_iter().map(|(name, figure)| (name.into(), figure.into()));
        Block::Cards(cards.collect())
    }
}

impl Document {
    /// Creates a document without a title or sections.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a section unless the section is empty.
    pub fn push(&mut self, section: Section) -> &mut Self {
        if !section.blocks.is_empty() {
            self.sections.push(section);
        }
        self
    }

    /// Appends a section with a heading unless the section is empty.
    pub(crate) fn add(&mut self, heading: &str, blocks: Vec<Block>) -> &mut Self {
        self.push(Section { heading: Some(heading.into()), blocks })
    }

    /// Appends a paragraph without a heading.
    pub fn paragraph(&mut self, text: impl Into<Text>) -> &mut Self {
        if self.sections.last().is_none_or(|section| section.heading.is_some()) {
            self.sections.push(Section::untitled());
        }
        self.sections.last_mut().expect("a section was just appended").paragraph(text);
        self
    }

    /// Returns the files that contain the numbers of the figures.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        self.sections.iter().flat_map(|section| &section.blocks).filter_map(|block| match block {
            Block::Figure(figure) => figure.file.as_ref(),
            _ => None,
        })
    }

    /// Appends the sections of another document.
    pub fn append(&mut self, other: Document) -> &mut Self {
        self.sections.extend(other.sections);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_concatenate_and_preserve_spans() {
        let list = Text::list([name("age"), name(""), code("k")]);
        assert_eq!(list.to_string(), "age, (missing), and `k`");
        let found = text!("a b {}{}", list, None::<Text>);
        assert_eq!(found.0.len(), 6);
        assert_eq!(found.0[0], Span::Plain("a b ".to_owned()));
        let parsed = Text::with_code("run `indistinct verify` or not");
        assert_eq!(parsed.0[1], code("indistinct verify"));
        assert_eq!(parsed.to_string(), "run `indistinct verify` or not");
    }

    #[test]
    fn titles_contain_no_invisible_characters() {
        let title = |title| Text::title(title, "No title").to_string();
        assert_eq!(title(Some("a\u{1b}[2J\u{202e}b")), "a\u{fffd}[2J\u{fffd}b");
        assert_eq!((title(Some("Röntgen")), title(None)), ("Röntgen".into(), "No title".into()));
    }

    #[test]
    fn empty_sections_and_lists_are_omitted() {
        let mut document = Document::new();
        let mut section = Section::new("Nothing");
        section.list(Vec::<Text>::new());
        document.push(section).paragraph("one").paragraph("two");
        assert_eq!(document.sections.len(), 1);
        assert_eq!(document.sections[0].blocks.len(), 2);
    }
}
