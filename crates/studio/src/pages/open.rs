//! The first page: what can be opened.

use indistinct::generate::DEFAULT_ROWS;
use maud::{Markup, html};

use super::parts::{button, form_on, line, word};
use super::{Body, Context};
use crate::studio::{Opened, policy_beside};
use crate::texts;

/// The made-up tables that can be made, by the names of `indistinct generate`.
pub(crate) const EXAMPLES: [(&str, &str); 4] = [
    ("hospital", "inpatients: age, sex, zip code, nationality, admission, diagnosis, cost"),
    ("census", "a census extract: eight quasi-identifiers and an occupation"),
    ("salary", "incomes: age, birthplace, occupation, income"),
    ("survey", "answers to many questions: a wide table"),
];

/// Never asked with a policy: [`body`] shows the page with one and without.
pub(super) fn without(context: &Context<'_>, _: &Opened) -> Body {
    body(context)
}

pub(super) fn body(context: &Context<'_>) -> Body {
    let listing = context.studio.place.listing();
    let open_name = context.opened.map(|opened| opened.name.as_str());
    let main = html! {
        section aria-labelledby="policies" {
            h2 id="policies" { (texts::POLICIES) }
            @if listing.policies.is_empty() { p.soft { (texts::NO_POLICIES) } }
            ul.choices {
                @for (at, policy) in listing.policies.iter().enumerate() {
                    li {
                        @let id = format!("open-{at}");
                        span id=(format!("{id}-name")) { bdi { (policy) } }
                        @if open_name == Some(policy.as_str()) { span.badge { (texts::OPEN_NOW) } }
                        (opener(context, &id, policy))
                    }
                }
            }
        }
        section aria-labelledby="tables" {
            h2 id="tables" { (texts::TABLES) }
            @if listing.tables.is_empty() { p.soft { (texts::NO_TABLES) } }
            ul.choices {
                @for (at, table) in listing.tables.iter().enumerate() {
                    li {
                        span { bdi { (table) } }
                        (starter(context, at, table))
                    }
                }
            }
        }
        section aria-labelledby="examples" {
            h2 id="examples" { (texts::EXAMPLES) }
            p.soft { (texts::EXAMPLES_HELP) }
            ul.choices { @for (name, about) in EXAMPLES { li { span { strong { (name) } ": " (about) } (example(context, name)) } } }
        }
    };
    let table = listing.tables.first().map_or("TABLE.csv", String::as_str);
    let commands = match context.opened {
        Some(opened) => vec![format!("indistinct studio {}", word(&opened.name))],
        None => vec![format!("indistinct init {} -o {}", word(table), word(&policy_beside(table)))],
    };
    Body { main, commands }
}

fn opener(context: &Context<'_>, id: &str, policy: &str) -> Markup {
    let body = html! {
        input type="hidden" name="file" value=(policy);
        button type="submit" id=(id) aria-describedby=(format!("{id}-name")) { (texts::OPEN_IT) }
    };
    form_on(context, "", "open", &body)
}

/// A policy that is there is not written over: another name is proposed.
fn starter(context: &Context<'_>, at: usize, table: &str) -> Markup {
    let beside = policy_beside(table);
    let stem = beside.trim_end_matches(".toml");
    let is_free = |name: &String| context.studio.place.existing(name).is_err();
    let others = (2..100).map(|n| format!("{stem}-{n}.toml"));
    let policy =
        std::iter::once(beside.clone()).chain(others).find(is_free).unwrap_or(beside.clone());
    let id = format!("start-{at}");
    let body = html! {
        input type="hidden" name="table" value=(table);
        (line(&format!("{id}-policy"), "policy", texts::POLICY_FILE, &policy, ""))
        (button(&id, texts::START))
    };
    form_on(context, "", "start", &body)
}

fn example(context: &Context<'_>, name: &str) -> Markup {
    let id = format!("example-{name}");
    let body = html! {
        input type="hidden" name="name" value=(name);
        (line(&format!("{id}-rows"), "rows", texts::ROWS, &DEFAULT_ROWS.to_string(), ""))
        (button(&id, texts::MAKE))
    };
    form_on(context, "", "example", &body)
}
