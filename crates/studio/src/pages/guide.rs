//! The guide for a first release: five questions about the table, followed by the proposed policy
//! with an explanation.
//!
//! The answers are stored in the policy, like the changes on all other pages. The guide stores
//! nothing else, so the user can leave it at any step, and undo each answer.

use indistinct::attack::THRESHOLDS;
use indistinct::columns::{ColumnOverview, TableOverview};
use indistinct::compare::principle_of_k;
use indistinct::principle::find;
use indistinct::words;
use maud::{Markup, html};

use super::parts::{Set, answer, badge, choice, form_on, line, name, problems, table, word};
use super::principles::{advice, unprotected_notes};
use super::{Body, Context, hierarchy_tree, is_role, role_name};
use crate::document::{Attribute, Document, UNDECIDED};
use crate::fields::{NEXT_PAGE, NEXT_STEP, role_field};
use crate::studio::Opened;
use crate::texts::{self, fill, fill_name, t, t_list};
use crate::work::State;

/// The path of the page.
pub(crate) const GUIDE: &str = "guide";

/// The questions in order. The last step shows the proposal.
const STEPS: [&str; 6] = ["table", "people", "known", "sensitive", "recipient", "proposal"];

pub(super) fn body(context: &Context<'_>, opened: &Opened) -> Body {
    let Ok(document) = opened.document() else {
        return Body { main: problems(opened), commands: Vec::new() };
    };
    let step = context.query.whole("step").unwrap_or(1).clamp(1, STEPS.len());
    let overview = context.overview(opened);
    let question = STEPS[step - 1];
    let main = html! {
        (steps(step))
        section.card.guide aria-labelledby="question" {
            h2 id="question" { (t(&format!("guide.{question}.question"))) }
            p { (t(&format!("guide.{question}.about"))) }
            (answer(&overview, |overview| match question {
                "table" => of_table(context, opened, overview, &document),
                "people" => of_people(context, overview, &document),
                "known" => of_known(context, overview, &document),
                "sensitive" => of_sensitive(context, overview, &document),
                "recipient" => of_recipient(context, &document),
                _ => proposal(context, opened, &document),
            }))
        }
    };
    let commands = vec![
        format!("indistinct init {}", word(&document.text_of("input", "path").unwrap_or_default())),
        format!("indistinct anonymize {} -o {}", word(&opened.name), word(&free_folder(context))),
    ];
    Body { main, commands }
}

/// Lists the steps as links.
fn steps(step: usize) -> Markup {
    html! {
        div.views role="group" aria-label=(t("guide_steps")) {
            @for (at, own) in (1..).zip(STEPS) {
                a href=(format!("/{GUIDE}?step={at}")) aria-current=[(at == step).then_some("step")]
                    {
                    (at) ". " (t(&format!("guide.{own}.title")))
                }
            }
        }
    }
}

/// Renders the form of a step, which continues with the next step.
fn form(context: &Context<'_>, action: &str, step: usize, fields: &Markup) -> Markup {
    let body = html! {
        input type="hidden" name="step" value=(step);
        input type="hidden" name=(NEXT_PAGE) value=(GUIDE);
        input type="hidden" name=(NEXT_STEP) value=(step + 1);
        (fields)
        div.buttons {
            button.primary type="submit" id="continue" { (t("continue")) }
            @if step > 1 { a href=(format!("/{GUIDE}?step={}", step - 1)) { (t("back")) } }
        }
    };
    form_on(context, GUIDE, action, &body)
}

/// The number of example values of a column.
const N_EXAMPLES: usize = 4;

fn of_table(
    context: &Context<'_>,
    opened: &Opened,
    overview: &TableOverview,
    document: &Document,
) -> Markup {
    let examples = |column: &ColumnOverview| {
        let labels = column.histogram.iter().filter_map(|bar| bar.label.as_deref());
        labels.take(N_EXAMPLES).map(words::label).collect::<Vec<_>>().join(" · ")
    };
    let row = |column: &ColumnOverview| {
        vec![
            name(&column.name),
            html! { (t(&format!("column_kind.{:?}", column.kind).to_lowercase())) },
            html! { (texts::thousands(column.n_distinct)) },
            html! { (texts::thousands(column.n_missing)) },
            html! { bdi { (examples(column)) } },
        ]
    };
    let rows: Vec<Vec<Markup>> = overview.columns.iter().map(row).collect();
    let [column, kind, distinct, missing, values] = t_list("guide_columns");
    let header = [
        (column, Set::Plain),
        (kind, Set::Text),
        (distinct, Set::Number),
        (missing, Set::Number),
        (values, Set::Text),
    ];
    let title = document.text_of("", "title").unwrap_or_default();
    let purpose = document.text_of("release", "purpose").unwrap_or_default();
    let n_columns = texts::counted("count.column", overview.columns.len() as u64);
    let fields = html! {
        (line("guide-title", "title", t("title"), &title, t("guide_title_help")))
        (line(
            "guide-purpose", "purpose", t("context_key.purpose"), &purpose,
            t("guide_purpose_help")
        ))
    };
    html! {
        p { (fill("guide_size", [&texts::counted("count.row", overview.n_rows), &n_columns])) }
        @for text in &overview.reading { p.soft lang=[texts::untranslated()] { (text) } }
        (table(&fill_name("columns_of", &opened.name), &header, &rows))
        (form(context, "about", 1, &fields))
    }
}

/// A radio button with a text and an explanation.
fn radio(field: &str, value: &str, text: &str, help: &str, is_checked: bool) -> Markup {
    html! {
        label.option {
            input type="radio" name=(field) value=(value) checked[is_checked] required
                autocomplete="off";
            span { (text) @if !help.is_empty() { " " span.help { (help) } } }
        }
    }
}

fn of_people(context: &Context<'_>, overview: &TableOverview, document: &Document) -> Markup {
    let own = |key: &str| document.text_of("people", key);
    let (id, household) = (own("id"), own("household"));
    let who = match (&id, &household) {
        (Some(_), _) => "id",
        (_, Some(_)) => "household",
        _ => "",
    };
    let chosen = id.or(household);
    // The column must be an identifier, whose values are not released.
    let repeats = |column: &&ColumnOverview| {
        let is_identifier =
            document.attribute(&column.name).is_some_and(|it| it.role == "identifier");
        is_identifier && column.n_distinct + column.n_missing < overview.n_rows
    };
    let columns: Vec<(String, String)> = overview
        .columns
        .iter()
        .filter(|it| repeats(it) || Some(&it.name) == chosen.as_ref())
        .map(|it| (it.name.clone(), words::label(&it.name)))
        .collect();
    let uniform = own("rows").map_or(who != "household", |rows| rows == "uniform");
    let fields = html! {
        fieldset {
            legend { (t("guide_who")) }
            (radio("who", "", t("guide_one_row"), t("guide_one_row_help"), who.is_empty()))
            @if !columns.is_empty() {
                (radio(
                    "who", "id", t("guide_several_rows"), t("guide_several_rows_help"),
                    who == "id"
                ))
                (radio(
                    "who", "household", t("guide_household"), t("guide_household_help"),
                    who == "household"
                ))
            }
        }
        @if !columns.is_empty() {
            (choice(
                "guide-column", "column", t("guide_id"), &columns,
                chosen.as_deref().unwrap_or_default()
            ))
            fieldset {
                legend { (t("guide_rows")) }
                (radio("rows", "uniform", t("guide_uniform"), t("guide_uniform_help"), uniform))
                (radio(
                    "rows", "independent", t("guide_independent"), t("guide_independent_help"),
                    !uniform
                ))
            }
        }
    };
    form(context, "guide-people", 2, &fields)
}

/// Renders radio buttons for the role of each column. Each option has a role and a text.
fn roles(
    columns: &[(&ColumnOverview, Attribute)],
    options: impl Fn(&Attribute) -> Vec<(String, &'static str)>,
) -> Markup {
    html! {
        div.answers {
            @for (at, (column, attribute)) in columns.iter().enumerate() {
                fieldset {
                    legend { (name(&column.name)) }
                    input type="hidden" name="column" value=(column.name);
                    div.options {
                        @for (value, text) in options(attribute) {
                            (radio(
                                &role_field(at), &value, text, "",
                                value == attribute.role && is_role(&value)
                            ))
                        }
                    }
                    @if let Some(reason) = column.reasons.first() {
                        p.help lang=[texts::untranslated()] {
                            (words::sentence(reason.trim_start_matches("CHECK: ")))
                        }
                    }
                }
            }
        }
    }
}

/// Returns the columns whose attribute satisfies a condition.
fn columns<'a>(
    overview: &'a TableOverview,
    document: &Document,
    is_wanted: impl Fn(&Attribute) -> bool,
) -> Vec<(&'a ColumnOverview, Attribute)> {
    let declared = |column: &'a ColumnOverview| {
        let attribute = document.attribute(&column.name);
        (column, attribute.unwrap_or_else(|| Attribute::undecided(&column.name)))
    };
    overview.columns.iter().map(declared).filter(|(_, it)| is_wanted(it)).collect()
}

fn of_known(context: &Context<'_>, overview: &TableOverview, document: &Document) -> Markup {
    let columns = columns(overview, document, |_| true);
    let options = |attribute: &Attribute| {
        let is_other = ["sensitive", "insensitive"].contains(&attribute.role.as_str());
        let other = if is_other { attribute.role.as_str() } else { UNDECIDED };
        vec![
            ("quasi-identifier".to_owned(), t("guide_known_yes")),
            (other.to_owned(), t("guide_known_no")),
            ("identifier".to_owned(), t("guide_known_identifier")),
        ]
    };
    form(context, "role", 3, &roles(&columns, options))
}

fn of_sensitive(context: &Context<'_>, overview: &TableOverview, document: &Document) -> Markup {
    let is_left = |it: &Attribute| !["identifier", "quasi-identifier"].contains(&it.role.as_str());
    let columns = columns(overview, document, is_left);
    let options = |_: &Attribute| {
        vec![
            ("sensitive".to_owned(), t("guide_sensitive_yes")),
            ("insensitive".to_owned(), t("guide_sensitive_no")),
            ("identifier".to_owned(), t("guide_sensitive_omit")),
        ]
    };
    if columns.is_empty() {
        let to = format!("/{GUIDE}?step=5");
        return html! { p { (t("guide_no_columns_left")) } p { a href=(to) { (t("continue")) } } };
    }
    let fields = html! {
        input type="hidden" name="protect" value="yes";
        (roles(&columns, options))
    };
    form(context, "role", 4, &fields)
}

fn of_recipient(context: &Context<'_>, document: &Document) -> Markup {
    let own = |key: &str| document.text_of("release", key).unwrap_or_default();
    let (kind, parameter) = principle_of_k();
    let principles = document.principles();
    let current = principles.iter().find(|it| it.kind == kind);
    let current = current.and_then(|it| it.parameters.iter().find(|(key, _)| key == parameter));
    let current = current.map(|(_, value)| value.clone()).unwrap_or_default();
    let mut options = Vec::new();
    if !current.is_empty() {
        options.push((current.clone(), fill("guide_k_current", [&current])));
    }
    for threshold in THRESHOLDS {
        let k = threshold.class_size.to_string();
        if k != current {
            options.push((k.clone(), fill("guide_k_threshold", [&k, threshold.source])));
        }
    }
    // Several thresholds have the same class size.
    options.dedup_by(|a, b| a.0 == b.0);
    let fields = html! {
        (line(
            "guide-recipient", "recipient", t("context_key.recipient"), &own("recipient"),
            t("guide_recipient_help")
        ))
        (line(
            "guide-environment", "environment", t("context_key.environment"), &own("environment"),
            t("guide_environment_help")
        ))
        div.field {
            (choice("guide-k", "k", t("guide_k"), &options, &current))
            p.help { (t("guide_k_help")) }
        }
    };
    form(context, "guide-recipient", 5, &fields)
}

/// Returns an unused name for the folder of the release.
fn free_folder(context: &Context<'_>) -> String {
    let is_free = |name: &String| context.studio.place.existing(name).is_err();
    let others = (2..100).map(|n| format!("release-{n}"));
    std::iter::once("release".to_owned()).chain(others).find(is_free).unwrap_or_default()
}

/// Explains the policy, and offers to create the release.
fn proposal(context: &Context<'_>, opened: &Opened, document: &Document) -> Markup {
    let is_blocked = !opened.problems().0.is_empty();
    let body = html! {
        input type="hidden" name="step" value=(STEPS.len());
        input type="hidden" name=(NEXT_PAGE) value="release";
        (line("guide-directory", "directory", t("directory"), &free_folder(context), ""))
        div.buttons {
            button.primary type="submit" id="release" disabled[is_blocked] { (t("release_it")) }
            a href=(format!("/{GUIDE}?step={}", STEPS.len() - 1)) { (t("back")) }
        }
    };
    html! {
        (problems(opened))
        (unprotected_notes(context, GUIDE, document))
        (treatments(document))
        (people(document))
        (requirements(context, opened, document))
        p.soft {
            (t("guide_adjust")) " "
            @for (at, page) in
                ["columns", "hierarchies", "principles", "explore"].iter().enumerate() {
                @if at > 0 { " · " }
                a href={ "/" (page) } { (t(&format!("page.{page}.title"))) }
            }
        }
        (form_on(context, GUIDE, "release", &body))
    }
}

/// Explains what happens to each column.
fn treatments(document: &Document) -> Markup {
    let principles = document.principles();
    let treatment = |attribute: &Attribute| match attribute.role.as_str() {
        "identifier" => t("treatment.identifier").to_owned(),
        "quasi-identifier" => {
            let kind = hierarchy_tree::kind_of(attribute.hierarchy.as_deref());
            let kind = texts::in_sentence(t(&format!("hierarchy_kind.{kind}")));
            fill("treatment.quasi-identifier", [&kind])
        }
        "sensitive" => {
            let own =
                principles.iter().filter(|it| it.attribute.as_deref() == Some(&attribute.name));
            let own: Vec<&str> = own.map(|it| it.kind.as_str()).collect();
            match own.as_slice() {
                [] => t("treatment.sensitive").to_owned(),
                own => fill("treatment.protected", [&texts::list(own)]),
            }
        }
        "insensitive" => t("treatment.insensitive").to_owned(),
        _ => t("treatment.undecided").to_owned(),
    };
    let row = |attribute: &Attribute| {
        vec![
            name(&attribute.name),
            html! { (role_name(&attribute.role)) },
            html! { (treatment(attribute)) },
        ]
    };
    let rows: Vec<Vec<Markup>> = document.attributes().iter().map(row).collect();
    let [column, role, treatment] = t_list("treatment_columns");
    let header = [(column, Set::Plain), (role, Set::Text), (treatment, Set::Text)];
    table(t("guide_treatment"), &header, &rows)
}

fn people(document: &Document) -> Markup {
    let own = |key: &str| document.text_of("people", key);
    let text = match (own("id"), own("household")) {
        (Some(column), _) => fill_name("guide_counts_people", &column),
        (_, Some(column)) => fill_name("guide_counts_households", &column),
        _ => t("guide_counts_rows").to_owned(),
    };
    let is_uniform = own("id").is_some() && own("rows").is_none_or(|rows| rows == "uniform");
    html! { p { (text) @if is_uniform { " " (t("rows_together")) } } }
}

fn requirements(context: &Context<'_>, opened: &Opened, document: &Document) -> Markup {
    let state = advice(context, opened);
    let found = match &state {
        State::Done(advice) => advice.principles.as_slice(),
        _ => &[],
    };
    html! {
        h3 { (t("required")) }
        ul.claims {
            @for (at, principle) in document.principles().iter().enumerate() {
                @let parameters =
                    principle.parameters.iter().map(|(key, value)| format!("{key} = {value}"));
                li {
                    @if let Some(found) = found.get(at) {
                        (badge(found.within_reach, t("within_reach"), t("beyond_reach"))) " "
                    }
                    strong {
                        (words::principle_name(&principle.kind, principle.attribute.as_deref()))
                    }
                    ": " (parameters.collect::<Vec<_>>().join(", ")) ". "
                    @if let Some(kind) = find(&principle.kind) {
                        span lang=[texts::untranslated()] { (words::sentence(kind.definition)) }
                    }
                }
            }
        }
        @if matches!(state, State::Running) { p.waiting { (t("running")) "…" } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page without texts for one of its steps would panic.
    #[test]
    fn every_step_has_texts() {
        for step in STEPS {
            for part in ["title", "question", "about"] {
                assert!(!t(&format!("guide.{step}.{part}")).is_empty());
            }
        }
    }
}
