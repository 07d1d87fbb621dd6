//! An answer as text with structure: sections with paragraphs, lists, tables, and verdicts.

use indistinct_diagnostics::words;

use crate::plot::Plot;

/// An answer in words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// What kind of page it is, if the document is a page of its own.
    pub kind: Option<Text>,
    /// The title, if the document is a page of its own.
    pub title: Option<Text>,
    /// The sections, in reading order.
    pub sections: Vec<Section>,
    /// The last line of a page of its own.
    pub footer: Option<Text>,
}

/// A part of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// The heading; a part without one is an introduction or a closing remark.
    pub heading: Option<Text>,
    /// What follows the heading.
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
    /// Key figures: the name and the figure of each.
    Cards(Vec<(Text, Text)>),
    /// A heading within a section.
    Heading(Text),
    /// Items without an order.
    List(Vec<Text>),
    /// Values in rows and columns.
    Table(Table),
    /// The outcome of a check: the outcome, what was checked, and details.
    Verdict(Verdict, Text, Vec<Text>),
    /// Names with their values.
    Facts(Vec<(Text, Text)>),
    /// A command or a text of a file, line by line, as it is.
    Code(String),
    /// A picture.
    Figure(Figure),
    /// Blocks below a heading of their own, within a section.
    Group(Text, Vec<Block>),
}

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The requirement is met.
    Holds,
    /// The requirement is not met.
    Fails,
    /// The available information does not decide it.
    Undecided,
    /// Nothing was compared.
    NotCompared,
}

/// Values in rows and columns. The first cell of a row names the row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// What the table shows.
    pub caption: Option<Text>,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, with a cell for each column.
    pub rows: Vec<Vec<Text>>,
}

/// A column of a [`Table`].
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its heading.
    pub heading: Text,
    /// Which side its cells are aligned to.
    pub align: Align,
}

/// Alignment of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Text, to the left.
    Text,
    /// Sentences, to the left: the column needs a minimum width.
    Sentences,
    /// Numbers, to the right.
    Number,
}

/// A picture with its title and the numbers behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The title.
    pub title: Text,
    /// How to read the picture.
    pub caption: Text,
    /// The picture; or why there is none.
    pub content: Result<Picture, Text>,
    /// The file next to the document that contains the numbers, if there is one.
    pub file: Option<File>,
}

/// A picture and the numbers behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The picture, to be drawn.
    pub plot: Plot,
    /// What the picture shows, for readers who cannot see it.
    pub description: String,
    /// The numbers behind the picture.
    pub numbers: Table,
}

/// The numbers behind a picture as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The path, relative to the document.
    pub path: String,
    /// CSV with a header.
    pub csv: String,
}

/// A text with inline markup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text(pub Vec<Span>);

/// A part of a [`Text`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Span {
    /// Words of this crate.
    Plain(String),
    /// A text from a table or a policy: a column name, a label, a file name.
    Name(String),
    /// A command, a key of the policy, or a value as it is typed.
    Code(String),
    /// Words that stand out.
    Strong(String),
    /// An outcome: its color, and its words.
    Badge(Verdict, String),
}

/// A text from a table or a policy, with marks instead of invisible characters.
pub fn name(text: impl AsRef<str>) -> Span {
    Span::Name(words::label(text.as_ref()))
}

/// A command, a key of the policy, or a value as it is typed.
pub fn code(text: impl Into<String>) -> Span {
    Span::Code(text.into())
}

/// Words that stand out.
pub fn strong(text: impl Into<String>) -> Span {
    Span::Strong(text.into())
}

/// An outcome within a text, in other words than those of [`Verdict::words`].
pub fn badge(verdict: Verdict, text: impl Into<String>) -> Span {
    Span::Badge(verdict, text.into())
}

/// Joins texts, [spans](Span), and strings to a [`Text`].
///
/// ```
/// use indistinct_text::{Text, name, text};
/// let found = text!["The column ", name("age"), format!(" has {} values.", 74)];
/// assert_eq!(found.to_string(), "The column age has 74 values.");
/// ```
#[macro_export]
macro_rules! text {
    ($($part:expr),* $(,)?) => {{
        #[allow(unused_mut)]
        let mut joined = $crate::Text::default();
        $(joined.push($part);)*
        joined
    }};
}

impl Text {
    /// Appends a text, a span, or a string.
    pub fn push(&mut self, part: impl Into<Text>) {
        for span in part.into().0 {
            match (self.0.last_mut(), span) {
                (Some(Span::Plain(before)), Span::Plain(more)) => before.push_str(&more),
                (_, span) => self.0.push(span),
            }
        }
    }

    /// Texts with a separator between them; the last one may have another.
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

    /// `a, b, c`.
    pub fn comma_separated<T: Into<Text>>(items: impl IntoIterator<Item = T>) -> Text {
        let items: Vec<Text> = items.into_iter().map(Into::into).collect();
        Text::joined(items.into_iter(), ", ", ", ")
    }

    /// `a, b and c`.
    pub fn list<T: Into<Text>>(items: impl IntoIterator<Item = T>) -> Text {
        let items: Vec<Text> = items.into_iter().map(Into::into).collect();
        Text::joined(items.into_iter(), ", ", " and ")
    }

    /// A text in which code stands between backquotes, as registry documentation and error help have it.
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

    /// Whether it has no characters.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl std::fmt::Display for Text {
    /// Without markup; code stands between backquotes.
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
    /// Whether a requirement is met.
    pub fn of_check(holds: bool) -> Self {
        if holds { Verdict::Holds } else { Verdict::Fails }
    }

    /// The outcome in one or two words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Undecided => "undecided",
            Verdict::NotCompared => "not compared",
        }
    }
}

impl Table {
    /// A table with these columns.
    pub fn new<T: Into<Text>>(columns: impl IntoIterator<Item = (T, Align)>) -> Self {
        let column = |(heading, align): (T, Align)| Column { heading: heading.into(), align };
        Table { columns: columns.into_iter().map(column).collect(), ..Table::default() }
    }

    /// The same table with these rows.
    pub fn with_rows(mut self, rows: impl IntoIterator<Item = Vec<Text>>) -> Self {
        self.rows = rows.into_iter().collect();
        self
    }
}

impl Section {
    /// A section with a heading and nothing below it yet.
    pub fn new(heading: impl Into<Text>) -> Self {
        Section { heading: Some(heading.into()), blocks: Vec::new() }
    }

    /// A section without a heading.
    pub fn untitled() -> Self {
        Section::default()
    }

    /// Appends a paragraph.
    pub fn paragraph(&mut self, text: impl Into<Text>) -> &mut Self {
        self.push(Block::Paragraph(text.into()))
    }

    /// Appends a list; nothing if there are no items.
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

impl Block {
    /// Key figures: the name and the figure of each.
    pub fn cards<'a>(cards: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        let cards = cards.into_iter().map(|(name, figure)| (name.into(), figure.into()));
        Block::Cards(cards.collect())
    }
}

impl Document {
    /// A document without a title and without sections.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a section; nothing if it has no blocks.
    pub fn push(&mut self, section: Section) -> &mut Self {
        if !section.blocks.is_empty() {
            self.sections.push(section);
        }
        self
    }

    /// Appends a paragraph without a heading.
    pub fn paragraph(&mut self, text: impl Into<Text>) -> &mut Self {
        if self.sections.last().is_none_or(|section| section.heading.is_some()) {
            self.sections.push(Section::untitled());
        }
        self.sections.last_mut().expect("it was just appended").paragraph(text);
        self
    }

    /// The files that belong to the figures.
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
    fn texts_join_and_keep_their_spans() {
        let list = Text::list([name("age"), name(""), code("k")]);
        assert_eq!(list.to_string(), "age, (missing) and `k`");
        let found = text!["a ", "b ", list, None::<Text>];
        assert_eq!(found.0.len(), 6);
        assert_eq!(found.0[0], Span::Plain("a b ".to_owned()));
        let parsed = Text::with_code("run `indistinct verify` or not");
        assert_eq!(parsed.0[1], code("indistinct verify"));
        assert_eq!(parsed.to_string(), "run `indistinct verify` or not");
    }

    #[test]
    fn empty_sections_and_lists_are_left_out() {
        let mut document = Document::new();
        let mut section = Section::new("Nothing");
        section.list(Vec::<Text>::new());
        document.push(section).paragraph("one").paragraph("two");
        assert_eq!(document.sections.len(), 1);
        assert_eq!(document.sections[0].blocks.len(), 2);
    }
}
