//! The first page, which lists the policies and tables to open.

use indistinct::generate::DEFAULT_ROWS;
use maud::{Markup, html};

use super::parts::{button, failed, form_by, form_on, line, line_about, word};
use super::{Body, Context};
use crate::fields::GUIDED;
use crate::place::is_spreadsheet;
use crate::studio::{Opened, ProposedPolicy, policy_path_for};
use crate::texts::{fill_name, t};
use crate::work::{Slot, State};

/// The names of the example tables in `indistinct generate`.
const EXAMPLES: [&str; 4] = ["hospital", "census", "salary", "survey"];

/// [`body`] renders the page both with and without a policy, so the policy is unused.
pub(super) fn without(context: &Context<'_>, _: &Opened) -> Body {
    body(context)
}

pub(super) fn body(context: &Context<'_>) -> Body {
    let listing = context.studio.place.listing();
    let open_name = context.opened.map(|opened| opened.name.as_str());
    let main = html! {
        (proposed(context))
        section aria-labelledby="policies" {
            h2 id="policies" { (t("policies")) }
            @if listing.policies.is_empty() { p.soft { (t("no_policies")) } }
            ul.choices {
                @for (at, policy) in listing.policies.iter().enumerate() {
                    li {
                        @let id = format!("open-{at}");
                        span id=(format!("{id}-name")) { bdi { (policy) } }
                        @if open_name == Some(policy.as_str()) { span.badge { (t("open_now")) } }
                        (opener(context, &id, policy))
                    }
                }
            }
        }
        section aria-labelledby="tables" {
            h2 id="tables" { (t("tables")) }
            @if listing.tables.is_empty() { p.soft { (t("no_tables")) } }
            ul.choices {
                @for (at, table) in listing.tables.iter().enumerate() {
                    li {
                        span id=(format!("start-{at}-name")) { bdi { (table) } }
                        (starter(context, at, table))
                    }
                }
            }
        }
        (recent(context))
        section aria-labelledby="database" {
            h2 id="database" { (t("database")) }
            p.soft { (t("database_help")) }
            (database(context, &listing.databases))
        }
        section aria-labelledby="examples" {
            h2 id="examples" { (t("examples")) }
            p.soft { (t("examples_help")) }
            ul.choices { @for name in EXAMPLES { li { span id=(format!("example-{name}-name")) { strong { (name) } ": " (t(&format!("example_table.{name}"))) } (example(context, name)) } } }
        }
    };
    let table = listing.tables.first().map_or("TABLE.csv", String::as_str);
    let commands = match context.opened {
        Some(opened) => vec![format!("indistinct studio {}", word(&opened.name))],
        None => {
            vec![format!("indistinct init {} -o {}", word(table), word(&policy_path_for(table)))]
        }
    };
    Body { main, commands }
}

/// Displays a proposal that exceeded the time limit of its form. The proposal opens automatically
/// if no other policy is open. If the proposal failed, the reason is displayed.
fn proposed(context: &Context<'_>) -> Markup {
    // Do not replace an open policy, because the user may be editing it.
    let opens_by = if context.opened.is_none() { "load, submit" } else { "submit" };
    match context.requested::<ProposedPolicy>(&Slot::Proposal) {
        State::Done(proposed) => html! {
            div.note.done {
                p { (fill_name("proposed_ready", &proposed.name)) }
                (form_by(context, "open", opens_by, &html! {
                    input type="hidden" name="file" value=(proposed.name);
                    @if context.query.get(GUIDED).is_some() {
                        input type="hidden" name=(GUIDED) value="yes";
                    }
                    (button("open-proposed", t("open_it")))
                }))
            }
        },
        State::Failed(found) => failed(&found),
        // The frame of the page displays the progress.
        State::Running | State::None => html! {},
    }
}

/// Lists recently opened policies, including those in other folders.
fn recent(context: &Context<'_>) -> Markup {
    let all = context.studio.recent.all();
    let place = &context.studio.place;
    let here = |path: &std::path::Path| {
        let shown = path.strip_prefix(place.root()).ok()?.to_str()?;
        place.existing(shown).ok().map(|_| shown.to_owned())
    };
    html! {
        @if !all.is_empty() {
            section aria-labelledby="recent" {
                h2 id="recent" { (t("recent")) }
                p.soft { (t("recent_help")) }
                ul.choices {
                    @for (at, path) in all.iter().enumerate() {
                        @let id = format!("recent-{at}");
                        li {
                            @match here(path) {
                                Some(policy) => {
                                    span id=(format!("{id}-name")) { bdi { (policy) } }
                                    (opener(context, &id, &policy))
                                },
                                None => code { "indistinct studio " (word(&path.to_string_lossy())) },
                            }
                        }
                    }
                }
            }
        }
    }
}

fn database(context: &Context<'_>, files: &[String]) -> Markup {
    let known = files.first().map(|file| match file.ends_with(".duckdb") {
        true => format!("duckdb:{file}"),
        false => format!("sqlite:{file}"),
    });
    let typed = |name: &str| context.query.get(name).unwrap_or_default().to_owned();
    let address = context.query.text("address").map(str::to_owned).or(known).unwrap_or_default();
    let body = html! {
        (line("database-address", "address", t("address"), &address, t("address_help")))
        (line("database-table", "table", t("database_table"), &if context.query.get("address").is_some() { typed("table") } else { String::new() }, ""))
        (line("database-policy", "policy", t("policy_file"), &free_policy(context, "database"), ""))
        (button("start-database", t("start")))
    };
    html! { div.card.maker { (form_on(context, "", "start-database", &body)) } }
}

fn opener(context: &Context<'_>, id: &str, policy: &str) -> Markup {
    let body = html! {
        input type="hidden" name="file" value=(policy);
        (button_of(id, t("open_it")))
    };
    form_on(context, "", "open", &body)
}

/// Renders a button that screen readers announce with the adjacent name (`aria-describedby`).
fn button_of(id: &str, text: &str) -> Markup {
    html! { button type="submit" id=(id) aria-describedby=(format!("{id}-name")) { (text) } }
}

/// Proposes an unused policy name to avoid overwriting existing policies.
fn free_policy(context: &Context<'_>, stem: &str) -> String {
    let is_free = |name: &String| context.studio.place.existing(name).is_err();
    let first = format!("{stem}.toml");
    let others = (2..100).map(|n| format!("{stem}-{n}.toml"));
    std::iter::once(first.clone()).chain(others).find(is_free).unwrap_or(first)
}

fn starter(context: &Context<'_>, at: usize, table: &str) -> Markup {
    let default_policy = policy_path_for(table);
    let policy = free_policy(context, default_policy.trim_end_matches(".toml"));
    let id = format!("start-{at}");
    let body = html! {
        input type="hidden" name="table" value=(table);
        @if is_spreadsheet(table) {
            (line(&format!("{id}-sheet"), "sheet", t("sheet"), "", t("sheet_help")))
        }
        (line_about(&format!("{id}-policy"), "policy", t("policy_file"), &policy, &format!("{id}-name")))
        button.primary type="submit" name=(GUIDED) value="yes" id=(format!("guided-{at}"))
            aria-describedby=(format!("{id}-name")) { (t("start_guided")) }
        (button_of(&id, t("start")))
    };
    form_on(context, "", "start", &body)
}

fn example(context: &Context<'_>, name: &str) -> Markup {
    let id = format!("example-{name}");
    let body = html! {
        input type="hidden" name="name" value=(name);
        (line_about(&format!("{id}-rows"), "rows", t("rows"), &DEFAULT_ROWS.to_string(), &format!("{id}-name")))
        (button_of(&id, t("make")))
    };
    form_on(context, "", "example", &body)
}
