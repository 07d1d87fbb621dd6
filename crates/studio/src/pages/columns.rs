//! The page that displays the contents and the role of each column.

use indistinct::columns::{ColumnOverview, TableOverview};
use indistinct::init::is_question;
use indistinct::{profile, words};
use maud::{Markup, html};

use super::parts::Set;
use super::parts::{
    answer, badge, button, button_about, cards, choice, form_named, form_on, histogram, line, name,
    problems, summary_about, table, word,
};
use super::{Body, Context};
use crate::document::{Attribute, Document, SPECIAL_ROLES};
use crate::studio::Opened;
use crate::texts::{self, fill, fill_name, t};
use crate::work::{Slot, State};

/// The roles, each with its keyboard shortcut.
pub(crate) const ROLES: [(&str, char); 4] =
    [("identifier", 'i'), ("quasi-identifier", 'q'), ("sensitive", 's'), ("insensitive", 'u')];

/// The keyboard shortcuts of the special roles.
const SPECIAL_KEYS: [char; SPECIAL_ROLES.len()] = ['p', 'h', 'w'];

/// Returns all roles of a column with their keyboard shortcuts.
pub(super) fn all_roles() -> impl Iterator<Item = (&'static str, char)> {
    ROLES.into_iter().chain(SPECIAL_ROLES.map(|it| it.0).into_iter().zip(SPECIAL_KEYS))
}

/// Returns whether a text is the name of a role; `?` is not.
pub(crate) fn is_role(role: &str) -> bool {
    ROLES.iter().any(|(name, _)| *name == role)
}

pub(crate) fn role_name(role: &str) -> &'static str {
    match all_roles().any(|(name, _)| name == role) {
        true => t(&format!("role.{role}")),
        false => t("not_decided"),
    }
}

pub(super) fn body(context: &Context<'_>, opened: &Opened) -> Body {
    let document = match opened.document() {
        Ok(document) => document,
        Err(_) => return Body { main: problems(opened), commands: Vec::new() },
    };
    let overview = context.overview(opened);
    let main = html! {
        (problems(opened))
        @if opened.is_in_database() {
            div.note { p { (t("in_database")) } (form_on(context, "columns", "again", &button("again", t("again")))) }
        }
        // Both steps read the table, so the column overview is displayed before the risk profile
        // starts.
        @if matches!(overview, State::Done(_)) { (risk(context, opened)) }
        (answer(&overview, |overview| columns(context, opened, overview, &document)))
    };
    let input = document.text_of("input", "path").unwrap_or_default();
    let commands = vec![
        format!("indistinct init {}", word(&input)),
        format!("indistinct profile {}", word(&opened.name)),
    ];
    Body { main, commands }
}

/// Displays the risk of the original table for the quasi-identifiers of the policy, or nothing if
/// the policy is invalid.
fn risk(context: &Context<'_>, opened: &Opened) -> Markup {
    let path = opened.path.clone();
    let state = context.ask(&Slot::Profile, &opened.key_of_columns(), move |session| {
        profile::of_policy(&session.open(&path, None)?, profile::Options::default())
    });
    let State::Done(profile) = &state else { return html! {} };
    let percent = texts::percent_or_dash;
    cards(&[
        (t("n_rows"), texts::thousands(profile.n_rows)),
        (t("n_quasi_identifiers"), texts::thousands(profile.quasi_identifiers.len() as u64)),
        (t("unique"), percent(profile.risk.unique_fraction)),
        (t("highest_risk"), percent(profile.risk.prosecutor_max)),
    ])
}

fn columns(
    context: &Context<'_>,
    opened: &Opened,
    overview: &TableOverview,
    document: &Document,
) -> Markup {
    let spec = opened.input().unwrap_or_default();
    let mut missing: Vec<String> =
        spec.null_values.iter().filter(|text| !text.is_empty()).cloned().collect();
    for (column, values) in &spec.column_null_values {
        let shown = values.iter().map(|text| fill("missing_in_column", [text.as_str(), column]));
        missing.extend(shown);
    }
    html! {
        @if !overview.reading.is_empty() || !missing.is_empty() {
            div.note {
                @for text in &overview.reading { p lang=[texts::untranslated()] { (text) } }
                @if !missing.is_empty() {
                    p {
                        (fill("read_as_missing", [&texts::list(&missing)])) " " a
                            href="/settings#section-input" { (t("how_missing_is_read")) }
                    }
                }
            }
        }
        (filter(context, overview, document))
        p.soft.small id="keys" { (t("column_keys")) }
        (selected(context))
        div.stack.columns {
            @for (at, column) in overview.columns.iter().enumerate() {
                @if is_listed(context, document, &column.name) {
                    (card(context, at, column, document, overview.n_rows))
                }
            }
        }
        @if !overview.combinations.is_empty() {
            section aria-labelledby="combinations" {
                h2 id="combinations" { (t("singled_out")) }
                @for text in &overview.combinations { p lang=[texts::untranslated()] { (text) } }
            }
        }
    }
}

/// The name and the value of the parameter that restricts the page to columns that need a decision.
const ONLY_OPEN: (&str, &str) = ("show", "open");

fn shows_only_open(context: &Context<'_>) -> bool {
    context.query.get(ONLY_OPEN.0) == Some(ONLY_OPEN.1)
}

/// Returns whether the role of a column is undecided, or a comment requests a decision.
pub(crate) fn is_open(attribute: &Attribute) -> bool {
    attribute.has_question || !is_role(&attribute.role)
}

/// Returns whether a column of the table needs a decision.
fn needs_decision(document: &Document, column: &str) -> bool {
    document.attribute(column).is_none_or(|it| is_open(&it))
}

fn is_listed(context: &Context<'_>, document: &Document, column: &str) -> bool {
    !shows_only_open(context) || needs_decision(document, column)
}

/// Renders the links that restrict the page to columns that need a decision.
fn filter(context: &Context<'_>, overview: &TableOverview, document: &Document) -> Markup {
    let (parameter, value) = ONLY_OPEN;
    let columns = overview.columns.iter();
    let n_open = columns.filter(|it| needs_decision(document, &it.name)).count() as u64;
    let n_columns = overview.columns.len() as u64;
    let current = |is_current: bool| is_current.then_some("true");
    html! {
        div.views role="group" aria-label=(t("shown_columns")) {
            a href="/columns" aria-current=[current(!shows_only_open(context))] {
                (t("all_columns")) " (" (texts::thousands(n_columns)) ")"
            }
            a href={ "/columns?" (parameter) "=" (value) }
                aria-current=[current(shows_only_open(context))] {
                (t("open_columns")) " (" (texts::thousands(n_open)) ")"
            }
        }
        @if shows_only_open(context) && n_open == 0 { p.note { (t("no_open_columns")) } }
    }
}

/// Renders a form of this page, which preserves the filter.
fn form(context: &Context<'_>, action: &str, body: &Markup) -> Markup {
    form_on(context, "columns", action, &filtered(context, body))
}

fn filtered(context: &Context<'_>, body: &Markup) -> Markup {
    let (parameter, value) = ONLY_OPEN;
    html! {
        @if shows_only_open(context) { input type="hidden" name=(parameter) value=(value); }
        (body)
    }
}

/// The form that the checkboxes of the columns belong to.
const SELECTION: &str = "selection";

/// Renders the buttons that set the role of all selected columns.
fn selected(context: &Context<'_>) -> Markup {
    let body = html! {
        label.check {
            input type="checkbox" id="select-all" autocomplete="off"; " " (t("select_all"))
        }
        div.roles role="group" aria-label=(t("role_of_selected")) {
            span aria-hidden="true" { (t("role_of_selected")) ":" }
            @for (value, _) in ROLES {
                button type="submit" name="role" value=(value) id=(format!("selected-{value}"))
                    title=(t(&format!("role_meaning.{value}"))) { (role_name(value)) }
            }
        }
    };
    html! {
        div.selection {
            (form_named(context, "columns", "role", SELECTION, &filtered(context, &body)))
        }
    }
}

/// Returns a one-line summary of a column.
fn facts(column: &ColumnOverview, n_rows: u64) -> String {
    let kind = t(&format!("column_kind.{:?}", column.kind).to_lowercase());
    let unique = match column.n_unique {
        0 => t("none_unique").to_owned(),
        n => fill("some_unique", [&texts::thousands(n)]),
    };
    let missing = texts::missing(column.n_missing, n_rows);
    fill("column_facts", [kind, &texts::thousands(column.n_distinct), &unique, &missing])
}

fn card(
    context: &Context<'_>,
    at: usize,
    column: &ColumnOverview,
    document: &Document,
    n_rows: u64,
) -> Markup {
    let attribute = document.attribute(&column.name);
    let attribute = attribute.as_ref();
    let special = document.special_role(&column.name);
    let people = (t("of_people_settings"), "/settings#section-people");
    let remark = match special {
        Some("person") => Some((t("of_people"), people)),
        Some("household") => Some((t("of_households"), people)),
        Some(_) => {
            Some((t("of_weights"), (t("of_weights_settings"), "/settings#section-population")))
        }
        None => None,
    };
    let role = attribute.map_or("", |it| it.role.as_str());
    let is_decided = is_role(role);
    let accepted = attribute.and_then(|it| it.accepted.as_deref());
    let has_question = needs_decision(document, &column.name);
    let reasons = column.reasons.iter().filter(|reason| has_question || !is_question(reason));
    let is_stopped = column.stopped_by.is_some() && role != "identifier" && accepted.is_none();
    html! {
        article.column aria-labelledby=(format!("column-{at}")) data-column=(at) {
            div.name {
                input type="checkbox" name="column" value=(column.name) form=(SELECTION)
                    id=(format!("select-{at}"))
                    aria-label=(fill_name("select_column", &column.name)) autocomplete="off";
                h2 id=(format!("column-{at}")) {
                    (name(&column.name)) " "
                    @if !is_decided { (badge(false, "", t("not_decided"))) }
                    @if is_decided && has_question { (badge(false, "", t("to_confirm"))) }
                }
            }
            (roles(context, at, column, special.unwrap_or(role)))
            p.facts { (facts(column, n_rows)) }
            div.picture {
                @if !column.histogram.is_empty() {
                    (histogram(&column.histogram, &fill("histogram", [&words::label(&column.name), &column.histogram.len().to_string()])))
                }
            }
            @if let Some(what) = &column.stopped_by {
                p.flag { span.flag-mark aria-hidden="true" { "⚑ " } (words::sentence(&fill("looks_like", [what]))) }
            }
            @if role == "insensitive" {
                p.flag { span.flag-mark aria-hidden="true" { "⚑ " } (t("untouched")) }
            }
            @if let Some((text, (link, to))) = remark {
                p.small { (text) " " a href=(to) { (link) } }
            }
            details.more open[has_question || accepted.is_some()] {
                (summary_about(t("reasons"), &words::label(&column.name)))
                ul.reasons {
                    @for reason in reasons {
                        li lang=[texts::untranslated()] {
                            (words::sentence(reason.trim_start_matches("CHECK: ")))
                        }
                    }
                    @if is_decided && has_question { li { (t("confirm")) } }
                }
                @if attribute.is_none() { p.soft { (t("not_named")) } }
                (null_values(context, at, column, attribute))
                (written(context, at, column, attribute))
                @if is_stopped || accepted.is_some() { (acceptance(context, at, column, accepted)) }
                @if !column.histogram.is_empty() { (numbers(column)) }
            }
        }
    }
}

/// Displays the values of the histogram as a table for users of screen readers.
fn numbers(column: &ColumnOverview) -> Markup {
    let rows: Vec<Vec<Markup>> = column
        .histogram
        .iter()
        .map(|bar| {
            let label = match &bar.label {
                Some(label) => name(label),
                None => html! { em { (t("all_others")) } },
            };
            vec![label, html! { (texts::thousands(bar.n_rows)) }]
        })
        .collect();
    table(
        &fill_name("values_of", &column.name),
        &[(t("value"), Set::Plain), (t("n_rows"), Set::Number)],
        &rows,
    )
}

fn roles(context: &Context<'_>, at: usize, column: &ColumnOverview, role: &str) -> Markup {
    let proposed = column.role.map(|role| role.name());
    let body = html! {
        input type="hidden" name="column" value=(column.name);
        div.roles role="group" aria-labelledby=(format!("column-{at}")) aria-describedby="keys" {
            @for (value, key) in all_roles() {
                button type="submit" name="role" value=(value) id=(format!("role-{at}-{value}")) data-key=(key.to_string())
                    aria-pressed=(if role == value { "true" } else { "false" }) title=(t(&format!("role_meaning.{value}"))) {
                    (role_name(value))
                    @if proposed == Some(value) {
                        span.proposed title=(t("proposed")) aria-hidden="true" { " •" }
                        span.live { " (" (t("proposed")) ")" }
                    }
                }
            }
        }
    };
    form(context, "role", &body)
}

/// Displays the notation of the values if several notations match or the policy declares a
/// notation.
fn written(
    context: &Context<'_>,
    at: usize,
    column: &ColumnOverview,
    attribute: Option<&Attribute>,
) -> Markup {
    let own = attribute.and_then(|it| it.written.as_deref());
    let known = own.into_iter().chain(column.ways.iter().copied().filter(|way| Some(*way) != own));
    let mut options = vec![(String::new(), t("written_plainly").to_owned())];
    options.extend(known.map(|way| (way.to_owned(), way.to_owned())));
    if options.len() == 1 || attribute.is_none_or(|it| it.role == "identifier") {
        return html! {};
    }
    let id = format!("written-{at}");
    let body = html! {
        input type="hidden" name="column" value=(column.name);
        div.row {
            (choice(&id, "written", t("written_as"), &options, own.unwrap_or_default()))
            (button_about(&format!("{id}-set"), t("save"), &words::label(&column.name)))
        }
    };
    form(context, "written", &body)
}

/// Displays the values that represent a missing value only in this column.
fn null_values(
    context: &Context<'_>,
    at: usize,
    column: &ColumnOverview,
    attribute: Option<&Attribute>,
) -> Markup {
    let Some(attribute) = attribute.filter(|it| it.role != "identifier") else { return html! {} };
    let id = format!("null-values-{at}");
    let own = attribute.null_values.join(", ");
    let body = html! {
        input type="hidden" name="column" value=(column.name);
        div.row {
            (line(&id, "null_values", t("null_values_of_column"), &own, t("null_values_help")))
            (button_about(&format!("{id}-set"), t("save_missing"), &words::label(&column.name)))
        }
    };
    form(context, "null_values", &body)
}

/// Displays the reason for publishing a column that resembles an identifier. The reason is visible
/// to all recipients.
fn acceptance(
    context: &Context<'_>,
    at: usize,
    column: &ColumnOverview,
    accepted: Option<&str>,
) -> Markup {
    let id = format!("accept-{at}");
    let body = html! {
        input type="hidden" name="column" value=(column.name);
        (line(&id, "reason", t("accept_label"), accepted.unwrap_or_default(), t("accept_help")))
        (button(&format!("{id}-set"), t("accept")))
    };
    html! {
        details.accept open[accepted.is_some()] {
            summary { (t("accept_label")) } (form(context, "accept", &body))
        }
    }
}
