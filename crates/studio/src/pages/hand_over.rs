//! The page that lists the files to publish, the confidential files, and the instructions with
//! which recipients verify the release.

use indistinct::text::{facts, subject};
use indistinct::verify::{ReleaseLocation, Verification};
use indistinct::words;
use maud::{Markup, html};

use super::parts::{Set, answer, button, form_on, line, name, table, word};
use super::release::encoded;
use super::{Body, Context};
use crate::studio::Opened;
use crate::texts::{self, fill_name, t};
use crate::work::Slot;

/// The keys of the section `[release]`.
pub(crate) const CONTEXT_KEYS: [&str; 10] = [
    "purpose",
    "recipient",
    "environment",
    "contact",
    "license",
    "version",
    "date",
    "expires",
    "review_by",
    "supersedes",
];

pub(super) fn body(context: &Context<'_>, opened: &Opened) -> Body {
    let releases = context.studio.place.listing().releases;
    let chosen = context.query.text("release").filter(|it| releases.iter().any(|own| own == it));
    let chosen = chosen.or(releases.first().map(String::as_str));
    let main = html! {
        (about(context, opened))
        @match chosen {
            None => p.note { (t("no_releases")) },
            Some(release) => {
                @if releases.len() > 1 {
                    nav aria-label=(t("a_release")) { ul.releases {
                        @for each in &releases {
                            li { a href=(format!("/hand-over?release={}", encoded(each))) aria-current=[(each == release).then_some("true")] { bdi { (each) } } }
                        }
                    } }
                }
                (checked(context, release))
                (files(context, release))
            }
        }
    };
    let command = match chosen.and_then(|release| location(context, release)) {
        Some(found) => shown_command(context, &found),
        None => format!("indistinct verify {}", word(chosen.unwrap_or("release"))),
    };
    Body { main, commands: vec![command] }
}

fn location(context: &Context<'_>, release: &str) -> Option<ReleaseLocation> {
    let path = context.studio.place.existing(release).ok()?;
    ReleaseLocation::in_directory(&path).ok()
}

fn shown_command(context: &Context<'_>, found: &ReleaseLocation) -> String {
    found.command_as(|path| context.studio.place.shown_address(path))
}

fn about(context: &Context<'_>, opened: &Opened) -> Markup {
    let document = opened.document().ok();
    let value = |section: &str, key: &str| {
        document.as_ref().and_then(|it| it.text_of(section, key)).unwrap_or_default()
    };
    let form = html! {
        (line("about-title", "title", t("title"), &value("", "title"), ""))
        @for key in CONTEXT_KEYS {
            (line(&format!("about-{key}"), key, t(&format!("context_key.{key}")), &value("release", key), ""))
        }
        (button("about", t("save")))
    };
    html! {
        details.card {
            summary { (t("about")) }
            p.soft { (t("about_help")) }
            (form_on(context, "hand-over", "about", &form))
        }
    }
}

fn checked(context: &Context<'_>, release: &str) -> Markup {
    let Some(found) = location(context, release) else { return html! {} };
    let place = &context.studio.place;
    let certificate = place.root().join(release).join("certificate.json");
    let stamp = std::fs::metadata(certificate).and_then(|it| it.modified()).ok();
    let key = format!("{release} {found:?} {stamp:?}");
    // Check the address, because the release may come from another person and may name any
    // database.
    let allowed = found.address().map_or(Ok(()), |address| place.check_address(address));
    let command = shown_command(context, &found);
    html! {
        section aria-labelledby="recipient" {
            h2 id="recipient" { (t("recipient")) }
            p { (if found.table().is_some() { t("recipient_of_table") } else { t("recipient_help") }) }
            pre { code { (command) } }
            @match allowed {
                Err(refusal) => p.note { (words::sentence(&refusal.0)) },
                Ok(()) => {
                    @let is_in_database = found.address().is_some();
                    @let state = context.ask(&Slot::Verified, &key, move |session| found.verify(session, None));
                    (answer(&state, verified))
                    @if is_in_database { (form_on(context, "hand-over", "again", &button("again", t("again")))) }
                },
            }
        }
    }
}

fn verified(verified: &Verification) -> Markup {
    html! {
        div.note.(if verified.holds { "done" } else { "refused" }) {
            p { (if verified.holds { t("verified") } else { t("not_verified") }) }
            @for check in verified.checks.iter().filter(|check| !check.holds) {
                p {
                    (subject(&check.about).to_string()) ": "
                        (texts::counted("count.difference", check.differences.len() as u64))
                }
            }
        }
        @if !verified.facts.is_empty() {
            details {
                summary { (t("facts")) " (" (verified.facts.len()) ")" }
                ul {
                    @for fact in &verified.facts {
                        li {
                            (facts::sentence(fact).to_string()) " "
                            span.soft { (fact.basis().name()) "; " (facts::rests_on(fact)) }
                        }
                    }
                }
            }
        }
    }
}

fn files(context: &Context<'_>, release: &str) -> Markup {
    let private = format!("{release}.private");
    html! {
        section aria-labelledby="out" {
            h2 id="out" { (t("goes_out")) }
            @if let Some(table) = location(context, release).as_ref().and_then(ReleaseLocation::table) {
                p.note { (fill_name("rows_in_table", table)) }
            }
            (listed(context, release, t("goes_out")))
            @if let Some(policy) = released_policy(context, release) {
                details { summary { (t("released_policy")) } pre.policy tabindex="0" { code { (policy) } } }
            }
        }
        section.stays aria-labelledby="stays" {
            h2 id="stays" { (t("stays")) }
            p.note { (t("stays_help")) }
            (listed(context, &private, t("stays")))
        }
    }
}

fn released_policy(context: &Context<'_>, release: &str) -> Option<String> {
    let path = context.studio.place.existing(&format!("{release}/policy.toml")).ok()?;
    std::fs::read_to_string(path).ok()
}

fn listed(context: &Context<'_>, folder: &str, caption: &str) -> Markup {
    let Ok(path) = context.studio.place.existing(folder) else { return html! {} };
    let mut found: Vec<(String, u64)> = Vec::new();
    for entry in std::fs::read_dir(&path).into_iter().flatten().flatten() {
        let Ok(facts) = entry.metadata() else { continue };
        let mark = if facts.is_dir() { "/" } else { "" };
        found.push((format!("{}{mark}", entry.file_name().to_string_lossy()), facts.len()));
    }
    found.sort();
    let rows: Vec<Vec<Markup>> = found
        .iter()
        .map(|(file, n_bytes)| {
            let is_page = file.ends_with(".html");
            let address = format!("/files/{}/{}", encoded(folder), encoded(file));
            let shown =
                html! { @if is_page { a href=(address) { (name(file)) } } @else { (name(file)) } };
            let size = if file.ends_with('/') { String::new() } else { texts::thousands(*n_bytes) };
            vec![shown, html! { (size) }]
        })
        .collect();
    table(
        &format!("{caption}: {folder}"),
        &[(t("file"), Set::Plain), (t("n_bytes"), Set::Number)],
        &rows,
    )
}
