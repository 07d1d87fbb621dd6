//! The frame of a page, and the few pieces that pages are put together from.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::plot::Picture;

pub(crate) const STYLE: &str = include_str!("style.css");

/// Nothing may be loaded or run, whatever a label of a table says.
const CONTENT_SECURITY_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A chapter of a page.
pub(crate) struct Section {
    /// Where links within the page lead.
    pub(crate) id: &'static str,
    /// Its heading.
    pub(crate) heading: &'static str,
    /// What follows the heading.
    pub(crate) body: Markup,
}

/// A whole page.
pub(crate) struct Page<'a> {
    /// What kind of report it is.
    pub(crate) kicker: &'static str,
    /// The title of the policy.
    pub(crate) title: &'a str,
    /// What stands above the chapters.
    pub(crate) opening: Markup,
    /// The chapters.
    pub(crate) sections: Vec<Section>,
    /// The last line.
    pub(crate) footer: String,
}

impl Page<'_> {
    pub(crate) fn render(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(CONTENT_SECURITY_POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="robots" content="noindex";
                    title { (self.title) " – " (self.kicker) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    a.skip href="#main" { "Skip to the content" }
                    div.page {
                        header {
                            p.kicker { (self.kicker) }
                            h1 { (self.title) }
                        }
                        nav aria-label="On this page" {
                            ul {
                                @for section in &self.sections {
                                    li { a href={ "#" (section.id) } { (section.heading) } }
                                }
                            }
                        }
                        main id="main" {
                            (self.opening)
                            @for section in &self.sections {
                                section aria-labelledby=(section.id) {
                                    h2 id=(section.id) { (section.heading) }
                                    (section.body)
                                }
                            }
                        }
                        footer { p { (self.footer) } }
                    }
                }
            }
        };
        page.into_string()
    }
}

/// A few figures in large letters: name, figure.
pub(crate) fn cards(figures: &[(&str, String)]) -> Markup {
    html! {
        div.cards {
            @for (name, figure) in figures {
                div.card { p.figure { (figure) } p.name { (name) } }
            }
        }
    }
}

/// How a column of a table is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    /// Short text.
    Plain,
    /// Sentences.
    Text,
    /// Numbers.
    Number,
}

impl Column {
    fn class(self) -> Option<&'static str> {
        match self {
            Column::Plain => None,
            Column::Text => Some("text"),
            Column::Number => Some("n"),
        }
    }
}

/// A table in a box of its own that scrolls where it is too wide. The first cell of each row is its heading.
pub(crate) fn table(caption: &str, columns: &[(&str, Column)], rows: Vec<Vec<Markup>>) -> Markup {
    html! {
        div.scroll role="region" aria-label=(caption) tabindex="0" {
            table {
                caption { (caption) }
                thead {
                    tr { @for (name, column) in columns { th scope="col" class=[column.class()] { (name) } } }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (at, (cell, (_, column))) in row.iter().zip(columns).enumerate() {
                                @if at == 0 { th scope="row" class=[column.class()] { (cell) } }
                                @else { td class=[column.class()] { (cell) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A picture with its title, one sentence on how to read it, and the numbers behind it.
pub(crate) fn figure(title: &str, how_to_read: &str, picture: &Picture, numbers: Markup) -> Markup {
    html! {
        figure {
            figcaption { strong { (title) } (how_to_read) }
            (picture)
            details { summary { "The numbers" } (numbers) }
        }
    }
}

/// A text as a cell.
pub(crate) fn cell(text: impl AsRef<str>) -> Markup {
    html! { (text.as_ref()) }
}

/// Text from a table: set apart from the direction of what stands around it.
pub(crate) fn label_cell(text: &str) -> Markup {
    html! { bdi { (crate::words::label(text)) } }
}
