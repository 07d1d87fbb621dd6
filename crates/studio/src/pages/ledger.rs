//! The page that lists earlier releases about the same people and checks their linkage with the
//! current release.

use indistinct::Values;
use indistinct::ledger::{CheckedLinkage, Listing, State as Recorded, list};
use indistinct::text::{describe_coarser, describe_warning};
use maud::{Markup, html};

use super::parts::{Set, answer, button, choice, failed, form_on, line, name, table, word};
use super::{Body, Context};
use crate::studio::Opened;
use crate::texts::{self, fill, t, t_list};
use crate::work::{Slot, State};

/// The key of the query about a release that does not exist yet.
pub(crate) const AHEAD: &str = "ahead";

pub(super) fn body(context: &Context<'_>, opened: &Opened) -> Body {
    let listing = context.studio.place.listing();
    let make = html! {
        (line("ledger-file", "path", t("ledger_file"), "releases.ledger", ""))
        (button("ledger-init", t("new_ledger")))
    };
    let main = html! {
        section aria-labelledby="ledgers" {
            h2 id="ledgers" { (t("ledgers")) }
            @if listing.ledgers.is_empty() { p.soft { (t("no_ledgers")) } }
            @for ledger in &listing.ledgers { (one(context, ledger)) }
        }
        @if !listing.ledgers.is_empty() { (ahead(context, opened, &listing.ledgers)) }
        @if !listing.ledgers.is_empty() && !listing.releases.is_empty() { (joining(context, &listing.ledgers, &listing.releases)) }
        section.card aria-labelledby="new" { h2 id="new" { (t("new_ledger")) } (form_on(context, "ledger", "ledger-init", &make)) }
    };
    let ledger = listing.ledgers.first().map_or("releases.ledger", String::as_str);
    let release = listing.releases.first().map_or("release", String::as_str);
    let commands = vec![
        format!("indistinct ledger list {}", word(ledger)),
        format!("indistinct ledger check {} {}", word(ledger), word(release)),
        format!("indistinct ledger check {} {}", word(ledger), word(&opened.name)),
    ];
    Body { main, commands }
}

fn one(context: &Context<'_>, ledger: &str) -> Markup {
    let listed = context.studio.place.existing(ledger).map(|path| list(&path));
    html! {
        section.card {
            h3 { (name(ledger)) }
            @match &listed {
                Ok(Ok(listing)) => (records(ledger, listing)),
                Ok(Err(error)) => (failed(&error.messages(Values::Shown))),
                Err(refusal) => p { (refusal.0) },
            }
        }
    }
}

fn records(ledger: &str, listing: &Listing) -> Markup {
    let rows: Vec<Vec<Markup>> = listing
        .releases
        .iter()
        .map(|record| {
            let state =
                if record.state == Recorded::Pending { t("pending") } else { t("published") };
            vec![
                name(&record.name),
                html! { (record.added_at) },
                html! { (state) },
                html! { (record.population.as_deref().unwrap_or(t("anybody"))) },
                html! { (texts::thousands(record.n_rows)) },
                html! { (texts::thousands(record.n_classes)) },
            ]
        })
        .collect();
    let [release, recorded, state, population, rows_name, classes] = t_list("ledger_columns");
    let header = [
        (release, Set::Plain),
        (recorded, Set::Plain),
        (state, Set::Plain),
        (population, Set::Plain),
        (rows_name, Set::Number),
        (classes, Set::Number),
    ];
    html! {
        @for warning in &listing.warnings { p.note { (describe_warning(warning)) } }
        @if rows.is_empty() { p.soft { (t("ledger_empty")) } } @else { (table(ledger, &header, &rows)) }
    }
}

fn choices(all: &[String]) -> Vec<(String, String)> {
    all.iter().map(|it| (it.clone(), it.clone())).collect()
}

/// Returns the form for a linkage check before the release exists; its answer replaces the check of
/// a release.
fn ahead(context: &Context<'_>, opened: &Opened, ledgers: &[String]) -> Markup {
    let is_usable = opened.problems().0.is_empty();
    let own = context.query.get("ledger").unwrap_or_default();
    let form = html! {
        (choice("ahead-ledger", "ledger", t("ledger_file"), &choices(ledgers), own))
        button type="submit" id="ledger-ahead" disabled[!is_usable] { (t("ledger_ahead")) }
    };
    let state: State<CheckedLinkage> = context.requested(&Slot::Linkage);
    html! {
        section.card aria-labelledby="ahead" {
            h2 id="ahead" { (t("ledger_ahead")) }
            p.soft { (t("ledger_ahead_help")) }
            (form_on(context, "ledger", "ledger-ahead", &form))
            @if context.studio.work.key(&Slot::Linkage).as_deref() == Some(AHEAD) {
                (answer(&state, checked))
            }
        }
    }
}

fn joining(context: &Context<'_>, ledgers: &[String], releases: &[String]) -> Markup {
    let fields = |prefix: &str| {
        html! {
            (choice(&format!("{prefix}-ledger"), "ledger", t("ledger_file"), &choices(ledgers), context.query.get("ledger").unwrap_or_default()))
            (choice(&format!("{prefix}-release"), "release", t("a_release"), &choices(releases), context.query.get("release").unwrap_or_default()))
        }
    };
    let check = html! { (fields("check")) (button("ledger-check", t("ledger_check"))) };
    let add = html! { (fields("add")) (button("ledger-add", t("ledger_add"))) };
    let state: State<CheckedLinkage> = context.requested(&Slot::Linkage);
    html! {
        section.card aria-labelledby="joining" {
            h2 id="joining" { (t("ledger_check")) }
            (form_on(context, "ledger", "ledger-check", &check))
            @if context.studio.work.key(&Slot::Linkage).as_deref() == Some("") { (answer(&state, checked)) }
        }
        section.card aria-labelledby="recording" {
            h2 id="recording" { (t("ledger_add")) }
            (form_on(context, "ledger", "ledger-add", &add))
        }
    }
}

fn checked(checked: &CheckedLinkage) -> Markup {
    if checked.infeasible.is_some() && checked.effect.is_none() {
        return html! { p.note.refused { (t("nothing_to_join")) } };
    }
    let Some(effect) = &checked.effect else { return html! { p { (t("too_little_remains")) } } };
    let verdict = match (checked.holds, &effect.required) {
        (true, None) => t("nothing_required"),
        (true, Some(_)) => t("enough_remains"),
        (false, _) => t("too_little_remains"),
    };
    let who = match effect.unclear.n_people.unwrap_or(0) {
        0 => texts::counted("count.combination", effect.unclear.n_combinations),
        n => texts::counted("count.person", n),
    };
    html! {
        div.note.(if checked.holds { "done" } else { "refused" }) { p { (verdict) } }
        @if let Some(coarser) = &checked.coarser { p { (describe_coarser(coarser)) } }
        @match effect.linked_with.as_slice() {
            [] => p { (t("linked_with_none")) },
            names => p { (fill("linked_with", [&texts::list(names)])) },
        }
        @if !effect.unclear.is_empty() {
            p { (fill("unclear", [&who])) }
        }
        ul {
            @for sensitive in &effect.sensitive {
                @if let Some(distinct) = sensitive.distinct_l {
                    li {
                        (name(&sensitive.attribute)) ": "
                            (fill("remain", [&texts::counted("count.remaining_value", distinct)]))
                    }
                }
                @if !sensitive.harmed.is_empty() {
                    li {
                        (name(&sensitive.attribute)) ": "
                            (fill("harmed", [&texts::counted("count.person", sensitive.harmed.n_people.unwrap_or(0))]))
                    }
                }
            }
        }
    }
}
