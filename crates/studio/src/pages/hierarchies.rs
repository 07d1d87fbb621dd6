//! The page of generalization hierarchies, with the utility and cost of each level and forms to
//! declare hierarchies.

use indistinct::columns::ColumnKind;
use indistinct::hierarchies::{DateLevel, LevelFacts, levels};
use indistinct::{Values, words};
use maud::{Markup, html};

use super::hierarchy_picture::{Boundaries, boundaries, picture};
use super::hierarchy_tree::{self, Lines, kind_of};
use super::parts::{
    Set, answer, button, button_about, choice, form_on, line, name, problems, summary_about, table,
    word,
};
use super::{Body, Context};
use crate::document::{Attribute, declaration, value_of};
use crate::fields::Fields;
use crate::hierarchy_text::{rows_of_lines, tree_of_lines};
use crate::place::Refusal;
use crate::studio::Opened;
use crate::texts::{self, fill_name, t};
use crate::work::{Slot, State};

pub(super) fn body(context: &Context<'_>, opened: &Opened) -> Body {
    let attributes = opened.document().map(|it| it.attributes()).unwrap_or_default();
    let quasi: Vec<&Attribute> =
        attributes.iter().filter(|it| it.role == "quasi-identifier").collect();
    let main = html! {
        (problems(opened))
        @if quasi.is_empty() { p.note { (t("no_quasi_identifiers")) } }
        div.stack {
            @for (at, attribute) in quasi.iter().enumerate() { (card(context, opened, at, attribute)) }
        }
    };
    let of = |attribute: &&Attribute| {
        format!(
            "indistinct hierarchy show {} --attribute {}",
            word(&opened.name),
            word(&attribute.name)
        )
    };
    Body { main, commands: quasi.first().map(of).into_iter().collect() }
}

fn card(context: &Context<'_>, opened: &Opened, at: usize, attribute: &Attribute) -> Markup {
    let state = facts(context, opened, &attribute.name, attribute.hierarchy.clone());
    let overview = context.overview(opened);
    let (n_missing, kind) = match &overview {
        State::Done(overview) => overview
            .columns
            .iter()
            .find(|it| it.name == attribute.name)
            .map(|it| (texts::missing(it.n_missing, overview.n_rows), it.kind))
            .unzip(),
        _ => (None, None),
    };
    // A column with at most two values has no intermediate levels.
    let has_several = |facts: &[LevelFacts]| facts.first().is_some_and(|raw| raw.n_labels > 2);
    let is_all_or_nothing =
        attribute.hierarchy.is_none() && matches!(&state, State::Done(facts) if has_several(facts));
    html! {
        section.card.hierarchy aria-labelledby=(format!("hierarchy-{at}")) {
            h2 id=(format!("hierarchy-{at}")) { (name(&attribute.name)) }
            @if let Some(missing) = n_missing { p.soft.small { (missing) } }
            div id=(format!("levels-{at}")) aria-live="polite" {
                (answer(&state, |facts| level_table(&attribute.name, facts)))
            }
            @if is_all_or_nothing {
                p.help { (if kind == Some(ColumnKind::Dates) { t("dates_of_several_ways") } else { t("nothing_between") }) }
            }
            details.keep id=(format!("change-{at}")) {
                (summary_about(t("change"), &words::label(&attribute.name)))
                (editor(context, opened, at, attribute, kind))
                (bounds(context, at, attribute, &state))
                (export(context, at, attribute))
            }
            (hierarchy_tree::editor(context, opened, at, attribute))
        }
    }
}

fn facts(
    context: &Context<'_>,
    opened: &Opened,
    attribute: &str,
    declared: Option<String>,
) -> State<Vec<LevelFacts>> {
    let Some(spec) = opened.input() else { return State::None };
    let (folder, name) = (opened.folder().to_owned(), attribute.to_owned());
    let key = opened.key_of_hierarchy(declared.as_deref());
    context.ask(&Slot::Levels(name.clone()), &key, move |session| {
        levels(session, &spec, &name, declared.as_deref(), &folder, Values::Shown)
    })
}

fn level_table(attribute: &str, facts: &[LevelFacts]) -> Markup {
    let rows: Vec<Vec<Markup>> = facts
        .iter()
        .map(|level| {
            let labels = level.labels.iter().map(|(label, _)| words::label(label));
            let shown = labels.collect::<Vec<_>>().join(" · ");
            let more = if (level.labels.len() as u64) < level.n_labels { " …" } else { "" };
            vec![
                html! { (level.level) },
                html! { (texts::thousands(level.n_labels)) },
                html! { (texts::thousands(level.rarest)) },
                html!
                    { meter min="0" max="1" value=(level.loss) aria-hidden="true" {} " " (texts::percent(level.loss)) },
                html! { bdi { (shown) } (more) },
            ]
        })
        .collect();
    let header = [
        (t("level"), Set::Number),
        (t("labels"), Set::Number),
        (t("rarest"), Set::Number),
        (t("cost"), Set::Number),
        (t("for_example"), Set::Text),
    ];
    table(&fill_name("levels_of", attribute), &header, &rows)
}

/// The kinds of forms that declare a hierarchy.
const KINDS: [&str; 9] =
    ["flat", "intervals", "boundaries", "mask", "dates", "csv", "tree", "rows", "written"];
fn name_of_kind(kind: &str) -> &'static str {
    t(&format!("hierarchy_kind.{kind}"))
}

/// Returns a part of a declaration as written in the file.
fn part(declared: Option<&str>, key: &str) -> String {
    let value = declared.and_then(|it| value_of(it).ok());
    let part = value.as_ref().and_then(|it| it.as_inline_table()).and_then(|it| it.get(key));
    part.map(|it| it.to_string().trim().to_owned()).unwrap_or_default()
}

/// Returns the CSV files that a hierarchy can use, relative to the folder of the policy.
fn csv_files(context: &Context<'_>) -> Vec<(String, String)> {
    let folder = context.opened.map(|it| it.folder().to_owned()).unwrap_or_default();
    context
        .studio
        .place
        .listing()
        .tables
        .into_iter()
        .filter(|name| name.ends_with(".csv"))
        .filter_map(|name| {
            let path = context.studio.place.root().join(&name);
            let relative = path.strip_prefix(&folder).ok()?.to_string_lossy().into_owned();
            Some((relative.clone(), relative))
        })
        .collect()
}

fn editor(
    context: &Context<'_>,
    opened: &Opened,
    at: usize,
    attribute: &Attribute,
    column: Option<ColumnKind>,
) -> Markup {
    let declared = attribute.hierarchy.as_deref();
    let kind = kind_of(declared);
    let id = |part: &str| format!("h{at}-{part}");
    let widths = part(declared, "intervals");
    let widths = widths.trim_matches(['[', ']']).trim();
    let unquoted = |key: &str| part(declared, key).trim_matches('"').to_owned();
    let kinds = KINDS.map(|kind| (kind.to_owned(), name_of_kind(kind).to_owned()));
    let sides =
        [("right".to_owned(), t("right").to_owned()), ("left".to_owned(), t("left").to_owned())];
    let files = csv_files(context);
    let dates = part(declared, "dates");
    let lines = Lines::new(context, opened, attribute);
    let body = html! {
        input type="hidden" name="column" value=(attribute.name);
        input type="hidden" name="at" value=(at);
        (choice(&id("kind"), "kind", t("kind_of_hierarchy"), &kinds, kind))
        fieldset.for-intervals {
            legend { (name_of_kind("intervals")) }
            (line(&id("widths"), "widths", t("widths"), widths, t("widths_help")))
            (line(&id("min"), "min", t("from"), &part(declared, "min"), ""))
            (line(&id("max"), "max", t("to"), &part(declared, "max"), ""))
            (picture(context, opened, attribute, column, "intervals"))
        }
        fieldset.for-boundaries {
            legend { (name_of_kind("boundaries")) }
            (boundaries(context, opened, at, attribute, column))
        }
        fieldset.for-mask {
            legend { (name_of_kind("mask")) }
            (choice(&id("side"), "side", t("side"), &sides, &unquoted("mask")))
        }
        fieldset.for-dates {
            legend { (t("date_levels")) }
            @for level in DateLevel::ALL {
                @let checked = dates == "true" || dates.contains(&format!("\"{}\"", level.name()));
                label.check { input type="checkbox" name="date" value=(level.name()) checked[checked]; " " (level.name()) }
            }
        }
        fieldset.for-csv {
            legend { (name_of_kind("csv")) }
            (choice(&id("csv"), "csv", t("csv_file"), &files, &unquoted("csv")))
        }
        @for (own, name, label, help, text) in [
            ("tree", "tree", t("tree"), t("tree_help"), lines.tree),
            ("rows", "rows", t("arx_rows"), t("arx_rows_help"), lines.rows),
            ("written", "written", t("written"), "", (kind == "written").then(|| declared.unwrap_or_default().to_owned())),
        ] {
            fieldset class=(format!("for-{own}")) {
                legend { (name_of_kind(own)) }
                div.field {
                    label for=(id(own)) { (label) }
                    @if !help.is_empty() { p.help id=(id(&format!("{own}-help"))) { (help) } }
                    textarea id=(id(own)) name=(name) rows="10" spellcheck="false" autocomplete="off" aria-describedby=[(!help.is_empty()).then(|| id(&format!("{own}-help")))] { "\n" (text.unwrap_or_default()) }
                }
            }
        }
        (button(&id("save"), t("save")))
    };
    html! {
        div.editor hx-post="/do/preview" hx-trigger="input delay:250ms, change delay:50ms" hx-include="find form" hx-disinherit="hx-include" hx-target=(format!("#levels-{at}")) hx-swap="innerHTML" {
            (form_on(context, "hierarchies", "hierarchy", &body))
        }
    }
}

/// Renders the form that writes the hierarchy to a file.
fn export(context: &Context<'_>, at: usize, attribute: &Attribute) -> Markup {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let plain: String = attribute.name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let (id, file) = (format!("h{at}-export"), format!("{plain}-hierarchy.csv"));
    let body = html! {
        input type="hidden" name="column" value=(attribute.name);
        fieldset.bounds {
            legend { (t("export_hierarchy")) }
            (line(&id, "file", t("export_file"), &file, t("export_help")))
            (button_about(&format!("{id}-set"), t("export"), &words::label(&attribute.name)))
        }
    };
    form_on(context, "hierarchies", "hierarchy-export", &body)
}

fn bounds(
    context: &Context<'_>,
    at: usize,
    attribute: &Attribute,
    state: &State<Vec<LevelFacts>>,
) -> Markup {
    let top = match state {
        State::Done(facts) => facts.len().saturating_sub(1),
        _ => 0,
    };
    let shown = |level: Option<i64>| level.map(|level| level.to_string()).unwrap_or_default();
    let options: Vec<(String, String)> = std::iter::once((String::new(), "–".to_owned()))
        .chain((0..=top).map(|level| (level.to_string(), level.to_string())))
        .collect();
    let missing = [("", "default"), ("separate-value", "separate-value"), ("error", "error")]
        .map(|(value, key)| (value.to_owned(), t(&format!("missing_rule.{key}")).to_owned()));
    let body = html! {
        input type="hidden" name="column" value=(attribute.name);
        fieldset.bounds {
            legend { (t("level_bounds")) }
            (choice(&format!("h{at}-lowest"), "min_level", t("lowest"), &options, &shown(attribute.min_level)))
            (choice(&format!("h{at}-highest"), "max_level", t("highest"), &options, &shown(attribute.max_level)))
            (choice(&format!("h{at}-missing"), "missing", t("missing_values"), &missing, attribute.missing.as_deref().unwrap_or_default()))
            (button(&format!("h{at}-bounds"), t("save")))
        }
    };
    form_on(context, "hierarchies", "bounds", &body)
}

/// Parses the declaration that a form describes; `None` denotes the default hierarchy, whose only
/// generalization is `*`.
pub(crate) fn declared(fields: &Fields) -> Result<Option<String>, Refusal> {
    let quoted = |text: &str| toml_edit::Value::from(text).to_string();
    match fields.get("kind").unwrap_or_default() {
        "flat" => Ok(None),
        "intervals" => {
            let widths = format!("[{}]", fields.text("widths").unwrap_or_default());
            let mut parts = vec![("intervals", widths.as_str())];
            parts.extend(
                ["min", "max"].into_iter().filter_map(|key| Some((key, fields.text(key)?))),
            );
            declaration(&parts).map(Some)
        }
        "boundaries" => Boundaries::of_form(fields).declaration().map(Some),
        "mask" => {
            declaration(&[("mask", &quoted(fields.get("side").unwrap_or_default()))]).map(Some)
        }
        "dates" => {
            let levels: Vec<String> = fields.all("date").map(quoted).collect();
            declaration(&[("dates", &format!("[{}]", levels.join(", ")))]).map(Some)
        }
        "csv" => declaration(&[("csv", &quoted(fields.get("csv").unwrap_or_default()))]).map(Some),
        "tree" => tree_of_lines(fields.get("tree").unwrap_or_default()).map(Some),
        "rows" => rows_of_lines(fields.get("rows").unwrap_or_default()).map(Some),
        "written" => Ok(Some(fields.text("written").unwrap_or("{}").replace(['\r', '\n'], " "))),
        _ => Err(Refusal::new("no_such_hierarchy")),
    }
}

/// Displays the levels of an unsaved declaration, or its errors.
pub(crate) fn preview(context: &Context<'_>, fields: &Fields) -> Markup {
    match previewed(context, fields) {
        Ok(markup) => markup,
        Err(refusal) => html! { p.note.refused { (words::sentence(&refusal.0)) } },
    }
}

fn previewed(context: &Context<'_>, fields: &Fields) -> Result<Markup, Refusal> {
    let opened = context.opened.ok_or_else(|| Refusal::new("nothing_open"))?;
    let attribute = fields.get("column").unwrap_or_default();
    let declared = declared(fields)?;
    if let Some(text) = &declared {
        value_of(text)?;
        context.studio.place.check_policy(&format!("hierarchy = {text}"), opened.folder())?;
    }
    let state = facts(context, opened, attribute, declared);
    Ok(html! {
        p.note.small { (t("not_saved")) }
        (answer(&state, |facts| level_table(attribute, facts)))
    })
}
