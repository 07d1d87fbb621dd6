//! The status bar of all pages, with the figures of the policy and its release, and the verdict.

use std::sync::Arc;

use indistinct::profile::ProfileAnswer;
use maud::{Markup, html};

use super::release::{ReleaseOutcome, ReleaseVerdict, n_without_information};
use super::{Context, is_open};
use crate::studio::Opened;
use crate::texts::{self, t};
use crate::work::{Slot, State};

/// Returns the outcome of the release, if the policy and the table have not changed since.
fn current(context: &Context<'_>, opened: &Opened) -> Option<Arc<ReleaseOutcome>> {
    let work = &context.studio.work;
    let is_current = work.key(&Slot::Release).is_some_and(|key| key == opened.key());
    match work.state::<ReleaseOutcome>(&Slot::Release) {
        State::Done(answer) if is_current => Some(answer),
        _ => None,
    }
}

/// Returns the verdict on the release of the current policy.
pub(super) fn verdict(context: &Context<'_>, opened: &Opened) -> ReleaseVerdict {
    verdict_of(current(context, opened).as_deref())
}

fn verdict_of(outcome: Option<&ReleaseOutcome>) -> ReleaseVerdict {
    outcome.map_or(ReleaseVerdict::Undecided, ReleaseVerdict::of_outcome)
}

/// Renders the bar. Each figure links to the page that explains it.
pub(super) fn bar(context: &Context<'_>, opened: &Opened) -> Markup {
    let work = &context.studio.work;
    let outcome = current(context, opened);
    let released = outcome.as_ref().and_then(|answer| answer.released());
    let profile = match work.state::<ProfileAnswer>(&Slot::Profile) {
        State::Done(profile) => Some(profile),
        _ => None,
    };
    let none = || "–".to_owned();
    let risk = released.map(|it| it.risk.after).or(profile.as_ref().map(|it| it.risk));
    let percent = |fraction: Option<f64>| fraction.map_or_else(none, texts::percent);
    let n_rows = released.map(|it| it.n_released).or(profile.as_ref().map(|it| it.n_rows));
    let attributes = opened.document().map(|it| it.attributes()).unwrap_or_default();
    let n_open = attributes.iter().filter(|it| is_open(it)).count();
    let loss = released.and_then(|it| it.loss.get("loss"));
    let n_problems = opened.problems().0.len();
    let figures = [
        ("rows", "/columns", n_rows.map_or_else(none, texts::thousands)),
        ("highest", "/columns", percent(risk.and_then(|it| it.prosecutor_max))),
        ("mean", "/columns", percent(risk.and_then(|it| it.prosecutor_mean))),
        ("loss", "/explore", loss.map_or_else(none, |loss| texts::number(*loss))),
        (
            "suppressed",
            "/release",
            released.map_or_else(none, |it| texts::thousands(it.n_suppressed)),
        ),
        (
            "masked",
            "/release",
            released.map_or_else(none, |it| n_without_information(it).to_string()),
        ),
        ("questions", "/columns?show=open", n_open.to_string()),
    ];
    html! {
        section.status aria-label=(t("status_bar")) {
            dl {
                @for (name, page, figure) in figures {
                    div { dt { (t(&format!("status.{name}"))) } dd { a href=(page) { (figure) } } }
                }
            }
            p.verdict-line { a href="/release" { (verdict_of(outcome.as_deref()).badge()) } }
            @if n_problems == 0 { p.good { (t("policy_in_order")) } }
            @else { p { a href="/history" { (t("problems")) " (" (n_problems) ")" } } }
        }
    }
}
