//! What goes out, what stays, and how the recipient checks it.

use indistinct::verify::{Verified, verify};
use indistinct::words;
use maud::{Markup, html};

use super::parts::{Set, answer, button, form_on, line, name, sentence, table, word};
use super::release::encoded;
use super::{Body, Context};
use crate::studio::Opened;
use crate::texts;
use crate::work::Slot;

pub(super) fn body(context: &Context<'_>, opened: &Opened) -> Body {
    let releases = context.studio.place.listing().releases;
    let chosen = context.query.text("release").filter(|it| releases.iter().any(|own| own == it));
    let chosen = chosen.or(releases.first().map(String::as_str));
    let main = html! {
        (about(context, opened))
        @match chosen {
            None => p.note { (texts::NO_RELEASES) },
            Some(release) => {
                @if releases.len() > 1 {
                    nav aria-label=(texts::A_RELEASE) { ul.releases {
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
    let release = chosen.unwrap_or("release");
    Body { main, commands: vec![format!("indistinct verify {}", word(release))] }
}

fn about(context: &Context<'_>, opened: &Opened) -> Markup {
    let document = opened.document().ok();
    let value =
        |key: &str| document.as_ref().and_then(|it| it.text_of("", key)).unwrap_or_default();
    let form = html! {
        @for (key, label) in texts::ABOUT_KEYS { (line(&format!("about-{key}"), key, label, &value(key), "")) }
        (button("about", texts::SAVE))
    };
    html! {
        details.card {
            summary { (texts::ABOUT) }
            p.soft { (texts::ABOUT_HELP) }
            (form_on(context, "hand-over", "about", &form))
        }
    }
}

fn checked(context: &Context<'_>, release: &str) -> Markup {
    let Ok(path) = context.studio.place.existing(release) else { return html! {} };
    let stamp = std::fs::metadata(path.join("certificate.json")).and_then(|it| it.modified()).ok();
    let state =
        context.studio.work.ask(Slot::Verified, &format!("{release} {stamp:?}"), move |progress| {
            verify(&path, None, progress)
        });
    html! {
        section aria-labelledby="recipient" {
            h2 id="recipient" { (texts::RECIPIENT) }
            p { (texts::RECIPIENT_HELP) }
            pre { code { "indistinct verify " (word(release)) } }
            (answer(&state, verified))
        }
    }
}

fn verified(verified: &Verified) -> Markup {
    html! {
        div.note.(if verified.holds { "done" } else { "refused" }) {
            p { (if verified.holds { texts::VERIFIED } else { texts::NOT_VERIFIED }) }
            @for check in verified.checks.iter().filter(|check| !check.holds) {
                p { (check.about) ": " (texts::differences(check.differences.len() as u64)) }
            }
        }
        @if !verified.statements.is_empty() {
            details {
                summary { (texts::STATEMENTS) " (" (verified.statements.len()) ")" }
                ul { @for statement in &verified.statements { li { (sentence(&statement.text)) " " span.soft { (sentence(&statement.rests_on)) } } } }
            }
        }
    }
}

fn files(context: &Context<'_>, release: &str) -> Markup {
    let private = format!("{release}.private");
    html! {
        section aria-labelledby="out" {
            h2 id="out" { (texts::GOES_OUT) }
            (listed(context, release, texts::GOES_OUT))
        }
        section.stays aria-labelledby="stays" {
            h2 id="stays" { (texts::STAYS) }
            p.note { (texts::STAYS_HELP) }
            (listed(context, &private, texts::STAYS))
        }
    }
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
            let size = if file.ends_with('/') { String::new() } else { words::thousands(*n_bytes) };
            vec![shown, html! { (size) }]
        })
        .collect();
    table(
        &format!("{caption}: {folder}"),
        &[(texts::FILE, Set::Plain), (texts::N_BYTES, Set::Number)],
        &rows,
    )
}
