//! The page that lists earlier releases about the same people and checks their linkage with the
//! current release.

use indistinct::ledger::{CheckedLinkage, Listing, State as Recorded, list};
use indistinct::text::{describe_coarser, describe_warning};
use indistinct::{Values, words};
use maud::{Markup, html};

use super::parts::{Set, answer, button, choice, failed, form_on, line, name, table, word};
use super::{Body, Context};
use crate::studio::Opened;
use crate::texts;
use crate::work::{Slot, State};

pub(super) fn body(context: &Context<'_>, opened: &Opened) -> Body {
    let listing = context.studio.place.listing();
    let make = html! {
        (line("ledger-file", "path", texts::LEDGER_FILE, "releases.ledger", ""))
        (button("ledger-init", texts::NEW_LEDGER))
    };
    let main = html! {
        section aria-labelledby="ledgers" {
            h2 id="ledgers" { (texts::LEDGERS) }
            @if listing.ledgers.is_empty() { p.soft { (texts::NO_LEDGERS) } }
            @for ledger in &listing.ledgers { (one(context, ledger)) }
        }
        @if !listing.ledgers.is_empty() { (ahead(context, opened, &listing.ledgers)) }
        @if !listing.ledgers.is_empty() && !listing.releases.is_empty() { (joining(context, &listing.ledgers, &listing.releases)) }
        section.card aria-labelledby="new" { h2 id="new" { (texts::NEW_LEDGER) } (form_on(context, "ledger", "ledger-init", &make)) }
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
                if record.state == Recorded::Pending { texts::PENDING } else { texts::PUBLISHED };
            vec![
                name(&record.name),
                html! { (record.added_at) },
                html! { (state) },
                html! { (record.population.as_deref().unwrap_or(texts::ANYBODY)) },
                html! { (words::thousands(record.n_rows)) },
                html! { (words::thousands(record.n_classes)) },
            ]
        })
        .collect();
    let [release, recorded, state, population, rows_name, classes] = texts::LEDGER_COLUMNS;
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
        @if rows.is_empty() { p.soft { (texts::LEDGER_EMPTY) } } @else { (table(ledger, &header, &rows)) }
    }
}

fn choices(all: &[String]) -> Vec<(String, String)> {
    all.iter().map(|it| (it.clone(), it.clone())).collect()
}

/// The form for a linkage check before the release exists; its answer replaces the check of a
/// release.
fn ahead(context: &Context<'_>, opened: &Opened, ledgers: &[String]) -> Markup {
    let is_usable = opened.problems().0.is_empty();
    let own = context.query.get("ledger").unwrap_or_default();
    let form = html! {
        (choice("ahead-ledger", "ledger", texts::LEDGER_FILE, &choices(ledgers), own))
        button type="submit" id="ledger-ahead" disabled[!is_usable] { (texts::LEDGER_AHEAD) }
    };
    let state: State<CheckedLinkage> = context.requested(&Slot::Linkage);
    html! {
        section.card aria-labelledby="ahead" {
            h2 id="ahead" { (texts::LEDGER_AHEAD) }
            p.soft { (texts::LEDGER_AHEAD_HELP) }
            (form_on(context, "ledger", "ledger-ahead", &form))
            @if context.studio.work.key(&Slot::Linkage).as_deref() == Some(texts::LEDGER_AHEAD) { (answer(&state, checked)) }
        }
    }
}

fn joining(context: &Context<'_>, ledgers: &[String], releases: &[String]) -> Markup {
    let fields = |prefix: &str| {
        html! {
            (choice(&format!("{prefix}-ledger"), "ledger", texts::LEDGER_FILE, &choices(ledgers), context.query.get("ledger").unwrap_or_default()))
            (choice(&format!("{prefix}-release"), "release", texts::A_RELEASE, &choices(releases), context.query.get("release").unwrap_or_default()))
        }
    };
    let check = html! { (fields("check")) (button("ledger-check", texts::LEDGER_CHECK)) };
    let add = html! { (fields("add")) (button("ledger-add", texts::LEDGER_ADD)) };
    let state: State<CheckedLinkage> = context.requested(&Slot::Linkage);
    html! {
        section.card aria-labelledby="joining" {
            h2 id="joining" { (texts::LEDGER_CHECK) }
            (form_on(context, "ledger", "ledger-check", &check))
            @if context.studio.work.key(&Slot::Linkage).as_deref() == Some("") { (answer(&state, checked)) }
        }
        section.card aria-labelledby="recording" {
            h2 id="recording" { (texts::LEDGER_ADD) }
            (form_on(context, "ledger", "ledger-add", &add))
        }
    }
}

fn checked(checked: &CheckedLinkage) -> Markup {
    if checked.infeasible.is_some() && checked.effect.is_none() {
        return html! { p.note.refused { (texts::NOTHING_TO_JOIN) } };
    }
    let Some(effect) = &checked.effect else { return html! { p { (texts::TOO_LITTLE_REMAINS) } } };
    let verdict = match (checked.holds, &effect.required) {
        (true, None) => texts::NOTHING_REQUIRED,
        (true, Some(_)) => texts::ENOUGH_REMAINS,
        (false, _) => texts::TOO_LITTLE_REMAINS,
    };
    html! {
        div.note.(if checked.holds { "done" } else { "refused" }) { p { (verdict) } }
        @if let Some(coarser) = &checked.coarser { p { (describe_coarser(coarser)) } }
        @match effect.linked_with.as_slice() {
            [] => p { (texts::LINKED_WITH_NONE) },
            names => p { (texts::linked_with(names)) },
        }
        @if !effect.unclear.is_empty() {
            p { (texts::unclear(effect.unclear.n_people.unwrap_or(0), effect.unclear.n_combinations)) }
        }
        ul {
            @for sensitive in &effect.sensitive {
                @if let Some(distinct) = sensitive.distinct_l {
                    li { (name(&sensitive.attribute)) ": " (texts::remain(distinct)) }
                }
                @if !sensitive.harmed.is_empty() {
                    li { (name(&sensitive.attribute)) ": " (texts::harmed(sensitive.harmed.n_people.unwrap_or(0))) }
                }
            }
        }
    }
}
