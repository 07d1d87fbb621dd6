//! The pages of the studio. Each page is one file with one entry in [`PAGES`]. This module contains
//! the frame of all pages.
//!
//! Invariant: pages call the façade and display the answers, but make no decisions.

mod columns;
mod explore;
pub(crate) use columns::{is_open, is_role, role_name};
pub(crate) use explore::{VARY, vary_field};
mod guide;
pub(crate) use guide::GUIDE;
mod hand_over;
pub(crate) use hand_over::CONTEXT_KEYS;
pub(crate) mod hierarchies;
pub(crate) mod hierarchy_picture;
pub(crate) mod hierarchy_tree;
mod history;
mod keyboard;
pub(crate) mod lattice;
mod lattice_picture;
pub(crate) mod ledger;
mod open;
mod parts;
mod principles;
pub(crate) use principles::unprotected;
pub(crate) mod release;
pub(crate) mod rows;
pub(crate) mod settings;
mod status;
mod steps;
mod ways_out;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use indistinct::STYLE;
use indistinct::columns::TableOverview;
use indistinct::{Message, Session, words};
use maud::{DOCTYPE, Markup, html};

use crate::fields::Fields;
use crate::studio::{Opened, Studio};
use crate::texts::{self, Language, t};
use crate::work::{Patience, Slot, State};

/// The context for rendering a page.
pub(crate) struct Context<'a> {
    pub(crate) studio: &'a Studio,
    pub(crate) opened: Option<&'a Opened>,
    /// The fields of the query string or of the form.
    pub(crate) query: &'a Fields,
    pub(crate) notice: Option<Notice>,
    /// The maximum time to wait for answers before the page is sent without the missing answers.
    pub(crate) patience: Patience,
}

impl Context<'_> {
    /// Returns the answer to a query if it is available within the time limit of the page.
    fn ask<T: Send + Sync + 'static>(
        &self,
        slot: &Slot,
        key: &str,
        question: impl FnOnce(&Session) -> Result<T, indistinct::Error> + Send + 'static,
    ) -> State<T> {
        self.studio.work.ask(slot, key, self.patience, question)
    }

    /// Returns the answer to a query that was started by a form.
    fn requested<T: Send + Sync + 'static>(&self, slot: &Slot) -> State<T> {
        self.studio.work.wait_for(slot, self.patience)
    }

    /// Returns the overview of the columns of the table.
    fn overview(&self, opened: &Opened) -> State<TableOverview> {
        self.studio.overview(opened, self.patience)
    }
}

/// The outcome of submitting a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Notice {
    Done(String),
    Refused(String),
}

/// A page of the studio.
pub(crate) struct Page {
    /// The address without the leading slash.
    pub(crate) path: &'static str,
    body: fn(&Context<'_>, &Opened) -> Body,
}

impl Page {
    /// Returns the `title` in the navigation, the `heading`, or the `lead`, which is the sentence
    /// below the heading.
    fn text(&self, part: &str) -> &'static str {
        let key = if self.path.is_empty() { "open" } else { self.path };
        t(&format!("page.{key}.{part}"))
    }

    /// Returns whether the page requires an open policy. All pages except the first page require
    /// one.
    fn needs_policy(&self) -> bool {
        !self.path.is_empty()
    }
}

/// The contents of a page.
pub(crate) struct Body {
    pub(crate) main: Markup,
    /// The equivalent commands.
    pub(crate) commands: Vec<String>,
}

/// All pages in navigation order. To add a page, add a file and an entry in this list.
pub(crate) static PAGES: &[Page] = &[
    Page { path: "", body: open::without },
    Page { path: GUIDE, body: guide::body },
    Page { path: "columns", body: columns::body },
    Page { path: "hierarchies", body: hierarchies::body },
    Page { path: "principles", body: principles::body },
    Page { path: "rows", body: rows::body },
    Page { path: "explore", body: explore::body },
    Page { path: "release", body: release::body },
    Page { path: "ledger", body: ledger::body },
    Page { path: HAND_OVER, body: hand_over::body },
    Page { path: "settings", body: settings::body },
    Page { path: "history", body: history::body },
];

/// Finds a page by its address.
pub(crate) fn find(path: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.path == path)
}

pub(crate) fn first() -> &'static Page {
    &PAGES[0]
}

const OWN_STYLE: &str = include_str!("../../assets/studio.css");
static WHOLE_STYLE: LazyLock<String> = LazyLock::new(|| format!("{STYLE}\n{OWN_STYLE}"));

/// A static file that every page loads.
pub(crate) struct Asset {
    name: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) text: &'static str,
    /// The address, which includes a hash of the contents because browsers cache static files.
    address: String,
}

static ASSETS: LazyLock<[Asset; 4]> = LazyLock::new(|| {
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    let asset = |name: &'static str, kind, text: &'static str| {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Asset { name, kind, text, address: format!("/assets/{name}?{:016x}", hasher.finish()) }
    };
    [
        asset("studio.css", "text/css; charset=utf-8", WHOLE_STYLE.as_str()),
        asset("studio.js", SCRIPT, include_str!("../../assets/studio.js")),
        asset("icon.svg", "image/svg+xml", include_str!("../../assets/icon.svg")),
        asset("htmx.min.js", SCRIPT, include_str!("../../assets/htmx.min.js")),
    ]
});

/// Finds a static file by its name.
pub(crate) fn asset(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

/// Returns the address of a static file.
fn address(name: &str) -> &'static str {
    asset(name).map_or("", |asset| &asset.address)
}

/// These settings disable the page history and the evaluation of scripts, and display error
/// responses like pages. A settle delay of 0 makes a new page respond to keys and clicks
/// immediately. With a delay, htmx attaches to forms only after settling, and an early key press
/// would submit a form without htmx and lose the focus. The `style` attribute is excluded from
/// settling: browser extensions and accessibility checkers may set this attribute, and the content
/// security policy would reject a copy.
const HTMX: &str = r#"{"defaultSettleDelay":0,"attributesToSettle":["class","width","height"],"historyEnabled":false,"historyCacheSize":0,"refreshOnHistoryMiss":true,"includeIndicatorStyles":false,"allowEval":false,"allowScriptTags":false,"selfRequestsOnly":true,"responseHandling":[{"code":"204","swap":false},{"code":"...","swap":true}]}"#;

fn head(title: &str, more: &Markup) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="robots" content="noindex";
            meta name="htmx-config" content=(HTMX);
            title { (title) " – " (t("name")) }
            link rel="stylesheet" href=(address("studio.css"));
            link rel="icon" href=(address("icon.svg"));
            (more)
        }
    }
}

/// Renders a page without a session, such as an error page.
pub(crate) fn bare(title: &str, text: &str) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(t("language")) {
            (head(title, &html! {}))
            body { div.page id="page" { main id="main" { h1 { (title) } p { (text) } } } }
        }
    }
}

/// Renders the page behind a one-time address, which immediately redirects to the first page or to
/// the page of the open policy.
pub(crate) fn enter(is_open: bool) -> Markup {
    let to = if is_open { "/columns" } else { "/" };
    html! {
        (DOCTYPE)
        html lang=(t("language")) {
            (head(t("entering"), &html! { meta http-equiv="refresh" content=(format!("0;url={to}")); }))
            body { div.page { main { h1 { (t("entering")) } p { a href=(to) { (t("enter")) } } } } }
        }
    }
}

/// Renders a complete page.
pub(crate) fn render(context: &Context<'_>, page: &Page) -> Markup {
    let [title, heading, lead] = ["title", "heading", "lead"].map(|part| page.text(part));
    // These counters are read before rendering, because an answer that arrives during rendering
    // makes the page outdated.
    let (sequence, answers) = (context.studio.sequence(), context.studio.work.n_answers());
    let body = match (context.opened, page.needs_policy()) {
        (Some(opened), true) => (page.body)(context, opened),
        (_, false) => open::body(context),
        (None, true) => Body {
            main: html! {
                div.note { p { (words::sentence(t("nothing_open"))) } }
                p { a href="/" { (t("page.open.heading")) } }
            },
            commands: Vec::new(),
        },
    };
    let scripts = html! {
        link rel="preload" as="script" href=(address("htmx.min.js"));
        script src=(address("studio.js")) data-htmx=(address("htmx.min.js")) defer {}
    };
    html! {
        (DOCTYPE)
        html lang=(t("language")) {
            (head(title, &scripts))
            body data-changed=(t("changed_elsewhere")) data-show=(t("show_changes")) data-stopped=(t("stopped")) {
                a.skip href="#main" { (t("skip")) }
                div.live id="live" role="status" aria-live="polite" {}
                div.page.studio id="page" data-sequence=(sequence) data-answers=(answers) {
                    (top(context, page))
                    @if let Some(opened) = context.opened { (status::bar(context, opened)) }
                    main id="main" tabindex="-1" {
                        h1 { (heading) }
                        p.lead { (lead) }
                        (notice(context.notice.as_ref()))
                        (running(context, page))
                        (body.main)
                        @if context.opened.is_some() && WITH_ROWS.contains(&page.path) {
                            (rows::pane(page.path))
                        }
                        @if let Some(next) = next(context, page) {
                            p.next { a href={ "/" (next.path) } { (t("next")) ": " (next.text("title")) " →" } }
                        }
                        @if !body.commands.is_empty() {
                            section.command aria-labelledby="command" {
                                h2 id="command" { (t("command")) }
                                @for command in &body.commands { pre { code { (command) } } }
                            }
                        }
                    }
                    footer { p { (t("footer")) } }
                }
                (keyboard::dialog(context, page))
            }
        }
    }
}

/// Returns the next page in navigation order.
fn next(context: &Context<'_>, page: &Page) -> Option<&'static Page> {
    let at = PAGES.iter().position(|it| it.path == page.path)?;
    // The guide leads to the release by itself.
    let next = PAGES.get(at + 1).filter(|_| ![HAND_OVER, GUIDE].contains(&page.path))?;
    context.opened.map(|_| next)
}

/// The pages that also show the rows.
const WITH_ROWS: [&str; 4] = ["columns", "hierarchies", "principles", "explore"];

/// The last page in navigation order.
const HAND_OVER: &str = "hand-over";

fn top(context: &Context<'_>, page: &Page) -> Markup {
    html! {
        header.top {
            p.brand { (t("name")) @if let Some(opened) = context.opened { " · " span.file { (opened.name) } } }
            @if let Some(opened) = context.opened {
                div.steps-back {
                    (step_back(context, page, "undo", t("undo"), opened.undo.as_deref(), t("nothing_to_undo")))
                    (step_back(context, page, "redo", t("redo"), opened.redo.as_deref(), t("nothing_to_redo")))
                }
            }
            (keyboard::button())
            (languages(context, page))
        }
        nav.way aria-label=(t("steps")) {
            ol {
                @for each in PAGES {
                    li {
                        @let current = (each.path == page.path).then_some("page");
                        @if context.opened.is_none() && each.needs_policy() { span.later { (each.text("title")) } }
                        @else { a href={ "/" (each.path) } aria-current=[current] {
                            (each.text("title")) (steps::mark(context, each))
                        } }
                    }
                }
            }
        }
    }
}

/// Offers the other languages, each in its own words.
fn languages(context: &Context<'_>, page: &Page) -> Markup {
    let others = Language::ALL.into_iter().filter(|it| *it != Language::current());
    let buttons = html! {
        @for other in others {
            button.quiet type="submit" name="language" id=(format!("language-{}", other.tag()))
                value=(other.tag()) lang=(other.tag()) { (other.name()) }
        }
    };
    parts::form_on(context, page.path, "language", &buttons)
}

fn step_back(
    context: &Context<'_>,
    page: &Page,
    action: &str,
    name: &str,
    what: Option<&str>,
    nothing: &str,
) -> Markup {
    let label = format!("{name}: {}", what.unwrap_or(nothing));
    let button = html! {
        button.quiet type="submit" id=(action) disabled[what.is_none()] aria-label=(label) title=(label) { (name) }
    };
    parts::form_on(context, page.path, action, &button)
}

fn notice(notice: Option<&Notice>) -> Markup {
    html! {
        @match notice {
            Some(Notice::Done(text)) if !text.is_empty() => div.note.done role="status" { p { (text) } },
            Some(Notice::Refused(text)) => div.note.refused role="alert" { p { (words::sentence(text)) } },
            _ => {}
        }
    }
}

/// Displays the running computation with a button to cancel it.
fn running(context: &Context<'_>, page: &Page) -> Markup {
    let Some((slot, progress)) = context.studio.work.displayed() else { return html! {} };
    let now = progress.now();
    let button = |action: &str, name: &str| {
        let button = html! { button type="submit" id=(action) { (name) } };
        parts::form_on(context, page.path, action, &button)
    };
    html! {
        section.card.running aria-labelledby="running" {
            h2 id="running" { (t("running")) ": " (slot.name()) }
            progress id="progress" aria-labelledby="running" value=[now.fraction()] max="1" {}
            p id="progress-text" { (now.text()) }
            div.buttons {
                @if slot == crate::work::Slot::Release { (button("best", t("stop_with_best"))) }
                (button("cancel", t("cancel")))
            }
        }
    }
}

/// Lists the errors of a policy.
pub(crate) fn messages(messages: &[Message]) -> Markup {
    html! {
        ul.messages lang=[texts::untranslated()] {
            @for message in messages {
                li {
                    (words::sentence(&message.text)) @if !message.code.is_empty() { " " code { (message.code) } }
                    @if let Some(help) = texts::help(message) { p.help { (words::sentence(help)) } }
                }
            }
        }
    }
}
