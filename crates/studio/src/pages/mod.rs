//! The pages: one file each, one line in [`PAGES`]. Here is the frame that all have.
//!
//! Invariant: a page asks the façade and shows its answers; it never decides.

mod columns;
mod explore;
pub(crate) use explore::{VARY, vary_field};
mod hand_over;
pub(crate) mod hierarchies;
mod history;
pub(crate) mod lattice;
mod lattice_picture;
mod ledger;
mod open;
mod parts;
mod principles;
pub(crate) mod release;
pub(crate) mod settings;
mod ways_out;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use indistinct::columns::TableOverview;
use indistinct::pieces::STYLE;
use indistinct::{Message, Session};
use maud::{DOCTYPE, Markup, html};

use crate::fields::Fields;
use crate::studio::{Opened, Studio};
use crate::texts;
use crate::work::{Patience, Slot, State};

/// What a page is made from.
pub(crate) struct Context<'a> {
    pub(crate) studio: &'a Studio,
    pub(crate) opened: Option<&'a Opened>,
    /// What the address or the form says.
    pub(crate) query: &'a Fields,
    pub(crate) notice: Option<Notice>,
    /// How long whoever asked waits for answers.
    pub(crate) patience: Patience,
}

impl Context<'_> {
    /// The answer to a question, as far as the page may wait for it.
    fn ask<T: Send + Sync + 'static>(
        &self,
        slot: &Slot,
        key: &str,
        question: impl FnOnce(&Session) -> Result<T, indistinct::Error> + Send + 'static,
    ) -> State<T> {
        self.studio.work.ask(slot, key, self.patience, question)
    }

    /// The answer to a question that a form asked.
    fn requested<T: Send + Sync + 'static>(&self, slot: &Slot) -> State<T> {
        self.studio.work.wait_for(slot, self.patience)
    }

    /// The columns of the table.
    fn overview(&self, opened: &Opened) -> State<TableOverview> {
        self.studio.overview(opened, self.patience)
    }
}

/// What became of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Notice {
    Done(String),
    Refused(String),
}

/// A page.
pub(crate) struct Page {
    /// Its address, without the slash.
    pub(crate) path: &'static str,
    /// Title in the navigation, heading, and the sentence below it.
    texts: [&'static str; 3],
    /// Whether it shows a policy that is open.
    needs_policy: bool,
    body: fn(&Context<'_>, &Opened) -> Body,
}

/// What a page shows.
pub(crate) struct Body {
    pub(crate) main: Markup,
    /// The commands that do the same.
    pub(crate) commands: Vec<String>,
}

/// All pages, in the order of the way. A new page is one file and one line here.
pub(crate) static PAGES: &[Page] = &[
    Page { path: "", texts: texts::page::OPEN, needs_policy: false, body: open::without },
    Page { path: "columns", texts: texts::page::COLUMNS, needs_policy: true, body: columns::body },
    Page {
        path: "hierarchies",
        texts: texts::page::HIERARCHIES,
        needs_policy: true,
        body: hierarchies::body,
    },
    Page {
        path: "principles",
        texts: texts::page::PRINCIPLES,
        needs_policy: true,
        body: principles::body,
    },
    Page { path: "explore", texts: texts::page::EXPLORE, needs_policy: true, body: explore::body },
    Page { path: "release", texts: texts::page::RELEASE, needs_policy: true, body: release::body },
    Page { path: "ledger", texts: texts::page::LEDGER, needs_policy: true, body: ledger::body },
    Page {
        path: HAND_OVER,
        texts: texts::page::HAND_OVER,
        needs_policy: true,
        body: hand_over::body,
    },
    Page {
        path: "settings",
        texts: texts::page::SETTINGS,
        needs_policy: true,
        body: settings::body,
    },
    Page { path: "history", texts: texts::page::HISTORY, needs_policy: true, body: history::body },
];

/// The page of an address.
pub(crate) fn find(path: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.path == path)
}

pub(crate) fn first() -> &'static Page {
    &PAGES[0]
}

const OWN_STYLE: &str = include_str!("../../assets/studio.css");
static WHOLE_STYLE: LazyLock<String> = LazyLock::new(|| format!("{STYLE}\n{OWN_STYLE}"));

/// A file that every page loads.
pub(crate) struct Asset {
    name: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) text: &'static str,
    /// Changes with the text: a browser keeps what stands at an address, another version has another one.
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

/// A file that every page loads, by its name.
pub(crate) fn asset(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

/// Where it is.
fn address(name: &str) -> &'static str {
    asset(name).map_or("", |asset| &asset.address)
}

/// Nothing of a page is kept in the browser, nothing is evaluated, and refusals are shown like any other page.
/// Without a delay to settle, a new page hears keys and clicks at once: htmx takes its forms over when the page has
/// settled, and a key that came before sent the form as a browser does, so that the focus was lost with the page.
/// No style is carried from the old page to the new: no page has one, but what looks at a page (a checker, an extension)
/// may set one for a moment, and the policy of the page then refuses the copy.
const HTMX: &str = r#"{"defaultSettleDelay":0,"attributesToSettle":["class","width","height"],"historyEnabled":false,"historyCacheSize":0,"refreshOnHistoryMiss":true,"includeIndicatorStyles":false,"allowEval":false,"allowScriptTags":false,"selfRequestsOnly":true,"responseHandling":[{"code":"204","swap":false},{"code":"...","swap":true}]}"#;

fn head(title: &str, more: &Markup) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="robots" content="noindex";
            meta name="htmx-config" content=(HTMX);
            title { (title) " – " (texts::NAME) }
            link rel="stylesheet" href=(address("studio.css"));
            link rel="icon" href=(address("icon.svg"));
            (more)
        }
    }
}

/// A page without a session, such as a refusal.
pub(crate) fn bare(title: &str, text: &str) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(texts::LANGUAGE) {
            (head(title, &html! {}))
            body { div.page id="page" { main id="main" { h1 { (title) } p { (text) } } } }
        }
    }
}

/// The page that a one-time address shows for a moment, on the way to the first page or to that of the policy that is open.
pub(crate) fn enter(is_open: bool) -> Markup {
    let first = PAGES.iter().find(|page| page.needs_policy == is_open).unwrap_or_else(|| first());
    let to = format!("/{}", first.path);
    html! {
        (DOCTYPE)
        html lang=(texts::LANGUAGE) {
            (head(texts::ENTERING, &html! { meta http-equiv="refresh" content=(format!("0;url={to}")); }))
            body { div.page { main { h1 { (texts::ENTERING) } p { a href=(to) { (texts::ENTER) } } } } }
        }
    }
}

/// A whole page.
pub(crate) fn render(context: &Context<'_>, page: &Page) -> Markup {
    let [title, heading, lead] = page.texts;
    // Read before the page is made: what is answered while it is made makes it old.
    let (sequence, answers) = (context.studio.sequence(), context.studio.work.n_answers());
    let body = match (context.opened, page.needs_policy) {
        (Some(opened), true) => (page.body)(context, opened),
        (_, false) => open::body(context),
        (None, true) => Body {
            main: html! {
                div.note { p { (parts::sentence(texts::NOTHING_OPEN)) } }
                p { a href="/" { (texts::page::OPEN[1]) } }
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
        html lang=(texts::LANGUAGE) {
            (head(title, &scripts))
            body data-changed=(texts::CHANGED_ELSEWHERE) data-show=(texts::SHOW_CHANGES) data-stopped=(texts::STOPPED) {
                a.skip href="#main" { (texts::SKIP) }
                div.live id="live" role="status" aria-live="polite" {}
                div.page.studio id="page" data-sequence=(sequence) data-answers=(answers) {
                    (top(context, page))
                    main id="main" tabindex="-1" {
                        h1 { (heading) }
                        p.lead { (lead) }
                        (notice(context.notice.as_ref()))
                        (running(context, page))
                        (body.main)
                        @if let Some(next) = next(context, page) {
                            p.next { a href={ "/" (next.path) } { (texts::NEXT) ": " (next.texts[0]) " →" } }
                        }
                        @if !body.commands.is_empty() {
                            section.command aria-labelledby="command" {
                                h2 id="command" { (texts::COMMAND) }
                                @for command in &body.commands { pre { code { (command) } } }
                            }
                        }
                    }
                    footer { p { (texts::FOOTER) } }
                }
            }
        }
    }
}

/// The page that comes after this one on the way.
fn next(context: &Context<'_>, page: &Page) -> Option<&'static Page> {
    let at = PAGES.iter().position(|it| it.path == page.path)?;
    let next = PAGES.get(at + 1).filter(|_| page.path != HAND_OVER)?;
    context.opened.map(|_| next)
}

/// The last page of the way.
const HAND_OVER: &str = "hand-over";

fn top(context: &Context<'_>, page: &Page) -> Markup {
    html! {
        header.top {
            p.brand { (texts::NAME) @if let Some(opened) = context.opened { " · " span.file { (opened.name) } } }
            @if let Some(opened) = context.opened {
                div.steps-back {
                    (step_back(context, page, "undo", texts::UNDO, opened.undo.as_deref(), texts::NOTHING_TO_UNDO))
                    (step_back(context, page, "redo", texts::REDO, opened.redo.as_deref(), texts::NOTHING_TO_REDO))
                }
            }
        }
        nav.way aria-label=(texts::STEPS) {
            ol {
                @for each in PAGES {
                    li {
                        @let current = (each.path == page.path).then_some("page");
                        @if context.opened.is_none() && each.needs_policy { span.later { (each.texts[0]) } }
                        @else { a href={ "/" (each.path) } aria-current=[current] { (each.texts[0]) } }
                    }
                }
            }
        }
    }
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
            Some(Notice::Refused(text)) => div.note.refused role="alert" { p { (parts::sentence(text)) } },
            _ => {}
        }
    }
}

/// What is under way, with a way to stop it.
fn running(context: &Context<'_>, page: &Page) -> Markup {
    let Some((slot, progress)) = context.studio.work.running() else { return html! {} };
    let now = progress.now();
    let button = |action: &str, name: &str| {
        let button = html! { button type="submit" id=(action) { (name) } };
        parts::form_on(context, page.path, action, &button)
    };
    html! {
        section.card.running aria-labelledby="running" {
            h2 id="running" { (texts::RUNNING) ": " (texts::question(&slot)) }
            progress id="progress" aria-labelledby="running" value=[texts::share_done(&now)] max="1" {}
            p id="progress-text" { (texts::progress(&now)) }
            div.buttons {
                @if slot == crate::work::Slot::Release { (button("best", texts::STOP_WITH_BEST)) }
                (button("cancel", texts::CANCEL))
            }
        }
    }
}

/// What keeps a policy from being used, as a list.
pub(crate) fn messages(messages: &[Message]) -> Markup {
    html! {
        ul.messages {
            @for message in messages {
                li {
                    (parts::sentence(&message.text)) @if !message.code.is_empty() { " " code { (message.code) } }
                    @if let Some(help) = texts::help(message) { p.help { (parts::sentence(help)) } }
                }
            }
        }
    }
}
