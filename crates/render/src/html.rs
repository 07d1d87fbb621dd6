//! A document as HTML, with the classes of the reports' style sheet.

use indistinct_text::{Align, Block, Document, Figure, Section, Span, Table, Text, Verdict};
use maud::{Markup, html};

/// A document. A picture is supplied by `picture`; where it supplies none, the reference is left out.
pub fn html(document: &Document, picture: &dyn Fn(&Figure) -> Option<Markup>) -> Markup {
    html! {
        @if let Some(title) = &document.title { h1 { (text(title)) } }
        @for part in &document.sections { (section(part, picture)) }
    }
}

/// A section of a document.
pub fn section(section: &Section, picture: &dyn Fn(&Figure) -> Option<Markup>) -> Markup {
    html! {
        section {
            @if let Some(heading) = &section.heading { h2 { (text(heading)) } }
            @for part in &section.blocks { (block(part, picture)) }
        }
    }
}

/// A block of a section.
pub fn block(block: &Block, picture: &dyn Fn(&Figure) -> Option<Markup>) -> Markup {
    match block {
        Block::Paragraph(paragraph) => html! { p { (text(paragraph)) } },
        Block::List(items) => html! { ul { @for item in items { li { (text(item)) } } } },
        Block::Table(found) => table(found),
        Block::Verdict(verdict, about, details) => html! {
            p.verdict { (text(about)) (badge(*verdict)) }
            @if !details.is_empty() { ul { @for detail in details { li { (text(detail)) } } } }
        },
        Block::Facts(facts) => html! {
            dl.terms { @for (name, value) in facts { dt { (text(name)) } dd { (text(value)) } } }
        },
        Block::Code(code) => html! { pre { code { (code) } } },
        Block::Figure(figure) => html! {
            @if let Some(picture) = picture(figure) {
                figure {
                    figcaption { strong { (text(&figure.title)) } (text(&figure.caption)) }
                    (picture)
                }
            }
        },
        Block::Group(heading, blocks) => html! {
            div.card {
                h3 { (text(heading)) }
                @for part in blocks { (self::block(part, picture)) }
            }
        },
    }
}

/// A text with its markup. Names are isolated from the direction of the surrounding text.
pub fn text(text: &Text) -> Markup {
    html! {
        @for span in &text.0 {
            @match span {
                Span::Plain(words) => { (words) }
                Span::Name(name) => { bdi { (name) } }
                Span::Code(words) => { code { (words) } }
            }
        }
    }
}

/// An outcome in words and in color.
fn badge(verdict: Verdict) -> Markup {
    let class = match verdict {
        Verdict::Holds => "badge",
        Verdict::Fails => "badge fails",
        Verdict::Undecided | Verdict::NotCompared => "badge open",
    };
    html! { span class=(class) { (verdict.words()) } }
}

/// A table in a box of its own that scrolls if it is too wide.
fn table(table: &Table) -> Markup {
    let class = |at: usize| (table.columns[at].align == Align::Number).then_some("n");
    let label = table.caption.as_ref().map(Text::to_string);
    html! {
        div.scroll role="region" aria-label=[label] tabindex="0" {
            table {
                @if let Some(caption) = &table.caption { caption { (text(caption)) } }
                thead {
                    tr {
                        @for (at, column) in table.columns.iter().enumerate() {
                            th scope="col" class=[class(at)] { (text(&column.heading)) }
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
    use indistinct_text::{code, name, text};

    use super::*;

    #[test]
    fn markup_from_outside_is_escaped_and_names_are_isolated() {
        let mut document = Document::new();
        document.title = Some("Title".into());
        document.paragraph(text!["The column ", name("<b>"), " has ", code("k = 5"), "."]);
        let found = html(&document, &|_| None).into_string();
        assert_eq!(
            found,
            "<h1>Title</h1><section><p>The column <bdi>&lt;b&gt;</bdi> has <code>k = 5</code>.</p></section>"
        );
    }

    #[test]
    fn tables_align_numbers_and_figures_come_from_outside() {
        let mut section = Section::new("Heading");
        let columns = [("column", Align::Text), ("rows", Align::Number)];
        let table = Table::new(columns).with_rows([vec!["age".into(), "5".into()]]);
        let figure = Figure {
            id: "loss".to_owned(),
            title: "Loss".into(),
            caption: "Lower is better.".into(),
        };
        section.push(Block::Table(table)).push(Block::Figure(figure));
        section.verdict(Verdict::Undecided, "k");
        let found = super::section(&section, &|figure| Some(html! { (figure.id) })).into_string();
        assert!(found.contains("<td class=\"n\">5</td>"), "{found}");
        assert!(found.contains("</figcaption>loss</figure>"), "{found}");
        assert!(found.contains("<span class=\"badge open\">undecided</span>"), "{found}");
    }
}
