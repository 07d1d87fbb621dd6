//! Renders a document as HTML with the CSS classes of the style sheet for reports.

use indistinct_text::{Align, Block, Document, Figure, Section, Span, Table, Text, Verdict};
use maud::{Markup, html};

use crate::plot::draw;

/// Renders a document without the surrounding HTML page.
pub fn html(document: &Document) -> Markup {
    html! {
        @if let Some(title) = &document.title { h1 { (text(title)) } }
        @for part in &document.sections { (section(part, Level::Second)) }
    }
}

/// The heading level of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// A section of the page, with `h2`.
    Second,
    /// A subsection, with `h3`.
    Third,
}

/// Renders a section of a document.
pub fn section(section: &Section, level: Level) -> Markup {
    html! {
        section {
            @match (&section.heading, level) {
                (None, _) => {}
                (Some(heading), Level::Second) => { h2 { (text(heading)) } }
                (Some(heading), Level::Third) => { h3 { (text(heading)) } }
            }
            (blocks(&section.blocks, level))
        }
    }
}

/// Renders blocks within a section whose heading has the given level. Consecutive figures and
/// groups are arranged in a grid.
pub fn blocks(all: &[Block], level: Level) -> Markup {
    let container = |block: &Block| match block {
        Block::Figure(figure) if figure.content.is_ok() => Some("grid"),
        Block::Group(..) => Some("stack"),
        _ => None,
    };
    html! {
        @for together in all.chunk_by(|a, b| container(a) == container(b)) {
            @match together.first().and_then(container) {
                Some(class) => div class=(class) { @for part in together { (block(part, level)) } },
                None => @for part in together { (block(part, level)) },
            }
        }
    }
}

/// Renders a block of a section.
pub fn block(block: &Block, level: Level) -> Markup {
    match block {
        Block::Paragraph(paragraph) => html! { p { (text(paragraph)) } },
        Block::Lead(paragraph) => html! { p.lead { (text(paragraph)) } },
        Block::Note(items) => html! {
            div.note {
                @match &items[..] {
                    [only] => p { (text(only)) },
                    items => ul { @for item in items { li { (text(item)) } } },
                }
            }
        },
        Block::Cards(cards) => html! {
            div.cards {
                @for (name, figure) in cards {
                    div.card { p.figure { (text(figure)) } p.name { (text(name)) } }
                }
            }
        },
        Block::Heading(heading) => below(level, heading),
        Block::List(items) => html! { ul { @for item in items { li { (text(item)) } } } },
        Block::Table(found) => table(found),
        Block::Verdict(verdict, about, details) => html! {
            p.verdict { (text(about)) (badge(*verdict, verdict.words())) }
            @if !details.is_empty() { ul { @for detail in details { li { (text(detail)) } } } }
        },
        Block::Facts(facts) => html! {
            dl.terms { @for (name, value) in facts { dt { (text(name)) } dd { (text(value)) } } }
        },
        Block::Code(code) => html! { pre { code { (code) } } },
        Block::Figure(found) => figure(found),
        Block::Group(heading, parts) => html! {
            div.card {
                (below(level, heading))
                (blocks(parts, level))
            }
        },
    }
}

/// Renders a subheading within a section.
fn below(level: Level, heading: &Text) -> Markup {
    match level {
        Level::Second => html! { h3 { (text(heading)) } },
        Level::Third => html! { h4 { (text(heading)) } },
    }
}

/// Renders a picture with its title, its explanation, the underlying numbers, and a link to their
/// file.
fn figure(figure: &Figure) -> Markup {
    match &figure.content {
        Err(nothing) => html! { p { (text(nothing)) } },
        Ok(picture) => html! {
            figure {
                figcaption { strong { (text(&figure.title)) } (text(&figure.caption)) }
                (draw(picture))
                details {
                    summary { "Data" }
                    (table(&picture.numbers))
                    @if let Some(file) = &figure.file {
                        // In file names, `%XX` represents a special character of an attribute name.
                        p { "File: " a href=(file.path.replace('%', "%25")) { (file.path) } }
                    }
                }
            }
        },
    }
}

/// Renders text with its markup. Names are isolated from the direction of the surrounding text.
pub fn text(text: &Text) -> Markup {
    html! {
        @for span in &text.0 {
            @match span {
                Span::Plain(words) => { (words) }
                Span::Name(name) => { bdi { (name) } }
                Span::Code(words) => { code { (words) } }
                Span::Strong(words) => { strong { (words) } }
                Span::Badge(verdict, words) => { (badge(*verdict, words)) }
            }
        }
    }
}

/// Renders an outcome as colored text.
fn badge(verdict: Verdict, words: &str) -> Markup {
    let class = match verdict {
        Verdict::Holds => "badge",
        Verdict::Fails => "badge fails",
        Verdict::Undecided | Verdict::NotCompared => "badge open",
    };
    html! { span class=(class) { (words) } }
}

/// Renders a table in a box that scrolls horizontally if the table is too wide.
fn table(table: &Table) -> Markup {
    let class = |at: usize| match table.columns[at].align {
        Align::Text => None,
        Align::Sentences => Some("text"),
        Align::Number => Some("n"),
    };
    let label = table.caption.as_ref().map(Text::to_string);
    html! {
        div.scroll role=[label.as_ref().map(|_| "region")] aria-label=[&label] tabindex="0" {
            table {
                @if let Some(caption) = &table.caption { caption { (text(caption)) } }
                thead {
                    tr {
                        @for (at, column) in table.columns.iter().enumerate() {
                            @if column.heading.to_string().is_empty() { td class=[class(at)] {} }
                            @else { th scope="col" class=[class(at)] { (text(&column.heading)) } }
                        }
                    }
                }
                tbody {
                    @for row in &table.rows {
                        tr {
                            @for (at, cell) in row.iter().take(table.columns.len()).enumerate() {
                                @if at == 0 { th scope="row" class=[class(at)] { (text(cell)) } }
                                @else { td class=[class(at)] { (text(cell)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use indistinct_text::{Bar, File, Picture, Plot, Series, code, name, text};

    use super::*;

    #[test]
    fn markup_is_escaped_and_names_are_isolated() {
        let mut document = Document::new();
        document.title = Some("Title".into());
        document.paragraph(text!("The column {} has {}.", name("<b>"), code("k = 5")));
        let found = html(&document).into_string();
        assert_eq!(
            found,
            "<h1>Title</h1><section><p>The column <bdi>&lt;b&gt;</bdi> has \
             <code>k = 5</code>.</p></section>"
        );
    }

    #[test]
    fn tables_align_numbers_and_figures_link_data() {
        let mut section = Section::new("Heading");
        let columns = [("column", Align::Text), ("rows", Align::Number)];
        let table = Table::new(columns).with_rows([vec!["age".into(), "5".into()]]);
        let bar = Bar { label: "age".into(), value: 5.0, text: "5".into(), series: Series::Main };
        let picture = Picture {
            plot: Plot::Bars(vec![bar], 0.0),
            description: "one bar".to_owned(),
            numbers: table,
        };
        let file = File { path: "report/values-a%2Fb.csv".to_owned(), csv: String::new() };
        section.figures([Figure {
            title: "Loss".into(),
            caption: "Lower is better.".into(),
            content: Ok(picture),
            file: Some(file),
        }]);
        section.verdict(Verdict::Undecided, "k");
        let found = super::section(&section, Level::Third).into_string();
        assert!(found.contains("<td class=\"n\">5</td>"), "{found}");
        assert!(found.contains("</figcaption><svg "), "{found}");
        let link = "<a href=\"report/values-a%252Fb.csv\">report/values-a%2Fb.csv</a>";
        assert!(found.contains(link), "{found}");
        assert!(found.contains("<span class=\"badge open\">undecided</span>"), "{found}");
    }
}
