//! Renders a document as a complete HTML page.

use std::collections::BTreeSet;

use indistinct_text::{Document, Text};
use maud::{DOCTYPE, PreEscaped, html};

use crate::html::{Level, blocks, text};

/// The style sheet of every page, with colors for light mode, dark mode, and print, and rules for
/// cards, tables, and pictures.
pub const STYLE: &str = include_str!("style.css");

/// Prevents the page from loading resources or running scripts, regardless of labels from the
/// table.
const CONTENT_SECURITY_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Renders a document as a self-contained HTML page. The style sheet and the pictures are embedded,
/// and a content security policy blocks scripts and external resources.
pub fn page(document: &Document) -> String {
    let flat = |text: &Option<Text>| text.as_ref().map(Text::to_string).unwrap_or_default();
    let ids = ids(document);
    let (opening, sections) = match document.sections.split_first() {
        Some((first, rest)) if first.heading.is_none() => (Some(first), rest),
        _ => (None, &document.sections[..]),
    };
    let sections = || ids.iter().zip(sections);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(CONTENT_SECURITY_POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { (flat(&document.title)) " – " (flat(&document.kind)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                div.page {
                    header {
                        @if let Some(kind) = &document.kind { p.kicker { (text(kind)) } }
                        @if let Some(title) = &document.title { h1 { (text(title)) } }
                    }
                    nav aria-label="On this page" {
                        ul {
                            @for (id, section) in sections() {
                                @if let Some(heading) = &section.heading {
                                    li { a href={ "#" (id) } { (text(heading)) } }
                                }
                            }
                        }
                    }
                    main id="main" {
                        @if let Some(opening) = opening { (blocks(&opening.blocks, Level::Second)) }
                        @for (id, section) in sections() {
                            section aria-labelledby=(id) {
                                @if let Some(heading) = &section.heading {
                                    h2 id=(id) { (text(heading)) }
                                }
                                (blocks(&section.blocks, Level::Second))
                            }
                        }
                    }
                    footer {
                        @if let Some(footer) = &document.footer { p { (text(footer)) } }
                    }
                }
            }
        }
    };
    page.into_string()
}

/// Assigns a unique identifier to each section with a heading. An identifier contains the letters
/// and digits of the heading, with hyphens between words.
fn ids(document: &Document) -> Vec<String> {
    let mut used = BTreeSet::from(["main".to_owned()]);
    let headings = document
        .sections
        .iter()
        .enumerate()
        .filter(|(at, section)| *at > 0 || section.heading.is_some());
    let id = |(at, section): (usize, &indistinct_text::Section)| {
        let heading = section.heading.as_ref().map(Text::to_string).unwrap_or_default();
        let words = heading.to_lowercase();
        let words = words.split(|it: char| !it.is_ascii_alphanumeric()).filter(|it| !it.is_empty());
        let id = words.collect::<Vec<_>>().join("-");
        let id = if used.contains(&id) || id.is_empty() { format!("section-{at}") } else { id };
        used.insert(id.clone());
        id
    };
    headings.map(id).collect()
}
