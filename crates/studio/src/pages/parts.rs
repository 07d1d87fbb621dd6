//! Components that several pages share.

use indistinct::Message;
use indistinct::columns::Bar;
use indistinct::words;
pub(super) use indistinct::words::in_shell as word;
use maud::{Markup, html};

use super::{Context, messages};
use crate::guard::FIELD;
use crate::studio::Opened;
use crate::texts::t;
use crate::work::State;

/// Renders a form that changes the policy and returns to the page that contains the form.
pub(super) fn form_on(context: &Context<'_>, page: &str, action: &str, body: &Markup) -> Markup {
    form(context, page, action, None, None, body)
}

/// Renders a form that a change of a field submits.
pub(super) fn form_on_change(
    context: &Context<'_>,
    page: &str,
    action: &str,
    body: &Markup,
) -> Markup {
    form(context, page, action, None, Some("change"), body)
}

/// Renders a form that fields outside the form can belong to, by its id.
pub(super) fn form_named(
    context: &Context<'_>,
    page: &str,
    action: &str,
    id: &str,
    body: &Markup,
) -> Markup {
    form(context, page, action, Some(id), None, body)
}

/// Renders a form on the first page that the given trigger submits automatically.
pub(super) fn form_by(context: &Context<'_>, action: &str, trigger: &str, body: &Markup) -> Markup {
    form(context, "", action, None, Some(trigger), body)
}

fn form(
    context: &Context<'_>,
    page: &str,
    action: &str,
    id: Option<&str>,
    trigger: Option<&str>,
    body: &Markup,
) -> Markup {
    let version = context.opened.map_or("", |opened| opened.version.as_str());
    let to = format!("/do/{action}");
    html! {
        form id=[id] method="post" action=(to) hx-post=(to) hx-trigger=[trigger] hx-target="#page"
            hx-select="#page" hx-swap="outerHTML show:none" {
            input type="hidden" name=(FIELD) value=(context.studio.guard.form_token());
            input type="hidden" name="version" value=(version);
            input type="hidden" name="page" value=(page);
            (body)
        }
    }
}

/// Isolates a text of the table, so its writing direction does not affect the surrounding
/// text.
pub(super) fn name(text: &str) -> Markup {
    html! { bdi { (words::label(text)) } }
}

/// Returns a submit button.
pub(super) fn button(id: &str, text: &str) -> Markup {
    html! { button type="submit" id=(id) { (text) } }
}

/// Returns a submit button with an accessible label that states its target, for pages with several
/// similar buttons.
pub(super) fn button_about(id: &str, text: &str, about: &str) -> Markup {
    html! { button type="submit" id=(id) aria-label={ (text) " " (about) } { (text) } }
}

/// Returns the summary of a collapsible section with a label that states its subject, for pages
/// with several similar sections.
pub(super) fn summary_about(text: &str, about: &str) -> Markup {
    html! { summary { (text) span.live { " " (about) } } }
}

/// Returns a labeled text field.
pub(super) fn line(id: &str, field: &str, label: &str, value: &str, help: &str) -> Markup {
    let described = (!help.is_empty()).then(|| format!("{id}-help"));
    let help = html! { @if let Some(described) = &described { p.help id=(described) { (help) } } };
    line_of(id, field, label, value, described.as_deref(), &help)
}

/// Returns a labeled text field that is described by the element with the id `about`, for pages
/// with several similar fields.
pub(super) fn line_about(id: &str, field: &str, label: &str, value: &str, about: &str) -> Markup {
    line_of(id, field, label, value, Some(about), &html! {})
}

fn line_of(
    id: &str,
    field: &str,
    label: &str,
    value: &str,
    described: Option<&str>,
    help: &Markup,
) -> Markup {
    html! {
        div.field {
            label for=(id) { (label) }
            input type="text" id=(id) name=(field) value=(value) autocomplete="off" spellcheck="false" aria-describedby=[described];
            (help)
        }
    }
}

/// Renders a labeled list for selecting one option. Each option has a value and a text.
pub(super) fn choice(
    id: &str,
    field: &str,
    label: &str,
    options: &[(String, String)],
    chosen: &str,
) -> Markup {
    html! {
        div.field {
            label for=(id) { (label) }
            select id=(id) name=(field) autocomplete="off" {
                @for (value, shown) in options {
                    option value=(value) selected[value == chosen] { (shown) }
                }
            }
        }
    }
}

/// The alignment of a table column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Set {
    Plain,
    Text,
    Number,
}

/// Returns a table in a box that scrolls horizontally if the table is too wide.
pub(super) fn table(caption: &str, columns: &[(&str, Set)], rows: &[Vec<Markup>]) -> Markup {
    let class = |set: Set| match set {
        Set::Plain => None,
        Set::Text => Some("text"),
        Set::Number => Some("n"),
    };
    html! {
        div.scroll role="region" aria-label=(caption) tabindex="0" {
            table {
                caption { (caption) }
                thead { tr { @for (name, set) in columns {
                    @if name.is_empty() { td {} } @else { th scope="col" class=[class(*set)] { (name) } }
                } } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (at, (cell, (_, set))) in row.iter().zip(columns).enumerate() {
                                @if at == 0 { th scope="row" class=[class(*set)] { (cell) } }
                                @else { td class=[class(*set)] { (cell) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Key figures in large type.
pub(super) fn cards(figures: &[(&str, String)]) -> Markup {
    html! {
        dl.cards {
            @for (name, figure) in figures {
                div.card { dt.name { (name) } dd.figure { (figure) } }
            }
        }
    }
}

/// Renders a badge that indicates an outcome by both text and color.
pub(super) fn badge(holds: bool, yes: &str, no: &str) -> Markup {
    html! { @if holds { span.badge { (yes) } } @else { span.badge.fails { (no) } } }
}

/// Renders a small histogram without labels. A separate table contains the numbers.
pub(super) fn histogram(bars: &[Bar], description: &str) -> Markup {
    const HEIGHT: f64 = 44.0;
    const SLOT: usize = 10;
    // The bar of all other values is truncated at the top, because its length could make the other
    // bars too small.
    let own = bars.iter().filter(|bar| !bar.is_rest).map(|bar| bar.n_rows);
    let highest = own.max().unwrap_or(0).max(1) as f64;
    let width = SLOT * indistinct::columns::MOST_BARS;
    html! {
        svg.bars viewBox={ "0 0 " (width) " 46" } role="img" aria-label=(description) {
            @for (at, bar) in bars.iter().enumerate() {
                @let height = (bar.n_rows as f64 / highest * HEIGHT).min(HEIGHT).max(if bar.n_rows > 0 { 1.0 } else { 0.0 });
                rect class=(if bar.is_rest { "rest" } else { "main" })
                    x=(at * SLOT) y=(format!("{:.1}", 45.0 - height)) width=(SLOT - 2) height=(format!("{height:.1}")) {}
            }
            line.axis x1="0" x2=(width) y1="45.5" y2="45.5" {}
        }
    }
}

/// Displays an answer, or the progress of its computation.
pub(super) fn answer<T>(state: &State<T>, show: impl FnOnce(&T) -> Markup) -> Markup {
    match state {
        State::Done(answer) => show(answer),
        State::Failed(found) => failed(found),
        State::Running => html! { p.waiting { (t("running")) "…" } },
        State::None => html! {},
    }
}

pub(super) fn failed(found: &[Message]) -> Markup {
    html! { div.note.refused { (messages(found)) } }
}

/// Displays the errors and warnings of the policy.
pub(super) fn problems(opened: &Opened) -> Markup {
    let found = opened.problems();
    let (problems, warnings) = &*found;
    html! {
        @if !problems.is_empty() {
            section.note.refused aria-labelledby="problems" {
                h2 id="problems" { (t("problems")) " (" (problems.len()) ")" }
                (messages(problems))
            }
        }
        @if !warnings.is_empty() {
            section.note aria-labelledby="warnings" {
                h2 id="warnings" { (t("warnings")) }
                (messages(warnings))
            }
        }
    }
}
