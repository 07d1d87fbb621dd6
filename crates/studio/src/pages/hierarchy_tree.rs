//! The tree of the values in a column, which users change by grouping, moving, and dissolving
//! branches. Each change is saved in the policy as a step that can be undone.

use indistinct::hierarchies::arx_csv;
use indistinct::words;
use maud::{Markup, html};

use super::Context;
use super::hierarchy_picture::ask_counts;
use super::parts::{form_on, line, summary_about};
use crate::document::{Attribute, value_of};
use crate::fields::Fields;
use crate::hierarchy_text::{
    Branch, lines_of_rows, lines_of_tree, position, tree_in_lines, tree_lines_of_rows,
};
use crate::place::Refusal;
use crate::studio::Opened;
use crate::texts::{self, t};
use crate::work::{Slot, State};

/// The kinds of forms for a key of a declaration with the same name.
const KEYS: [&str; 7] = ["intervals", "boundaries", "mask", "dates", "csv", "tree", "rows"];

/// The kinds of hierarchies that can be changed as a tree. Other kinds are rules for all values,
/// which would be lost.
const KINDS: [&str; 4] = ["flat", "tree", "rows", "csv"];

/// Returns the kind of form for a declaration.
pub(super) fn kind_of(declared: Option<&str>) -> &'static str {
    let Some(declared) = declared else { return "flat" };
    let table = value_of(declared).ok();
    let has = |key: &str| {
        table.as_ref().and_then(|it| it.as_inline_table()).is_some_and(|it| it.contains_key(key))
    };
    // The form for intervals has no fields for `top` and `bottom`.
    if has("top") || has("bottom") {
        return "written";
    }
    KEYS.iter().find(|key| has(key)).unwrap_or(&"written")
}

/// The initial lines of the hierarchy editors, which represent the current declaration.
pub(super) struct Lines {
    pub(super) tree: Option<String>,
    pub(super) rows: Option<String>,
}

/// The maximum number of values in an editor.
const MOST_VALUES: usize = 400;

impl Lines {
    pub(super) fn new(context: &Context<'_>, opened: &Opened, attribute: &Attribute) -> Self {
        let declared = attribute.hierarchy.as_deref();
        let (tree, rows) = (declared.and_then(lines_of_tree), declared.and_then(lines_of_rows));
        let known = rows.clone().or_else(|| values(context, opened, attribute));
        let from_rows = |rows: &String| tree_lines_of_rows(rows);
        Self { tree: tree.or_else(|| known.as_ref().map(from_rows)), rows: rows.or(known) }
    }
}

/// Lists the values of a column with their labels under the current declaration, in the format of
/// ARX. Returns `None` if the values are not yet available or too numerous.
fn values(context: &Context<'_>, opened: &Opened, attribute: &Attribute) -> Option<String> {
    let overview = context.overview(opened);
    let State::Done(overview) = &overview else { return None };
    let column = overview.columns.iter().find(|it| it.name == attribute.name)?;
    if column.n_distinct > MOST_VALUES as u64 {
        return None;
    }
    let (path, name) = (opened.path.clone(), attribute.name.clone());
    let slot = Slot::Values(name.clone());
    let key = opened.key_of_hierarchy(attribute.hierarchy.as_deref());
    let state =
        context.ask(&slot, &key, move |session| arx_csv(&session.open(&path, None)?, &name));
    match state {
        State::Done(text) => Some(String::clone(&text)),
        _ => None,
    }
}

/// Renders the tree with its forms, or nothing if the hierarchy is a rule or has too many values.
pub(super) fn editor(
    context: &Context<'_>,
    opened: &Opened,
    at: usize,
    attribute: &Attribute,
) -> Markup {
    if !KINDS.contains(&kind_of(attribute.hierarchy.as_deref())) {
        return html! {};
    }
    let Some(root) = tree(context, opened, attribute) else { return html! {} };
    let counts = match ask_counts(context, opened, &attribute.name) {
        State::Done(counts) => counts,
        State::Running => return html! { p.waiting { (t("running")) "…" } },
        State::Failed(_) | State::None => return html! {},
    };
    let n_rows = |value: &str| counts.iter().filter(|(own, _)| own == value).map(|(_, n)| *n).sum();
    let id = |part: &str| format!("tree-{at}-{part}");
    let action = |name: &str, text: &str| {
        html! { button type="submit" name="edit" value=(name) id=(id(name)) { (text) } }
    };
    let body = html! {
        input type="hidden" name="column" value=(attribute.name);
        input type="hidden" name="target" value="" data-target="";
        div.scroll role="region" tabindex="0"
            aria-label={ (t("tree")) ": " (words::label(&attribute.name)) } {
            (branches(&root, &id("item"), &mut Vec::new(), &n_rows))
        }
        div.row {
            (line(&id("label"), "label", t("label_of_group"), "", t("label_of_group_help")))
            (action("group", t("group_selected")))
            (action("rename", t("rename_group")))
            (action("dissolve", t("dissolve_group")))
            button type="submit" name="edit" value="move" hidden data-move="" {
                (t("move_selected"))
            }
        }
    };
    html! {
        details.keep.by-hand id=(id("details")) {
            (summary_about(t("group_by_hand"), &words::label(&attribute.name)))
            p.help { (t("group_by_hand_help")) }
            (form_on(context, "hierarchies", "hierarchy-tree", &body))
        }
    }
}

/// Returns the tree of the current declaration, or `None` if it is not available.
fn tree(context: &Context<'_>, opened: &Opened, attribute: &Attribute) -> Option<Branch> {
    let lines = Lines::new(context, opened, attribute).tree?;
    tree_in_lines(&lines).ok()
}

/// Renders the branches below a branch as a nested list.
fn branches(
    branch: &Branch,
    prefix: &str,
    here: &mut Vec<usize>,
    n_rows: &impl Fn(&str) -> u64,
) -> Markup {
    let mut items = Vec::new();
    for (at, child) in branch.below.iter().enumerate() {
        here.push(at);
        let parts: Vec<String> = here.iter().map(usize::to_string).collect();
        let position = parts.join(".");
        let rows = texts::counted("count.row", child.total(n_rows));
        let figures = match child.total(&|_| 1) {
            _ if child.below.is_empty() => rows,
            n_values => format!("{}, {rows}", texts::counted("count.value", n_values)),
        };
        items.push(html! {
            li draggable="true" data-position=(position)
                class=[(!child.below.is_empty()).then_some("branch")] {
                label.check {
                    input type="checkbox" name="item" value=(position)
                        id=(format!("{prefix}-{position}")) autocomplete="off";
                    " " bdi { (words::label(&child.label)) } " " span.soft { "(" (figures) ")" }
                }
                @if !child.below.is_empty() { (branches(child, prefix, here, n_rows)) }
            }
        });
        here.pop();
    }
    html! { ul.tree { @for item in &items { (item) } } }
}

/// Applies the edit of a form to the tree of a column, and returns the declaration.
///
/// # Errors
/// [`Refusal`] if the tree is not available, or if the edit is not possible.
pub(crate) fn edited(context: &Context<'_>, fields: &Fields) -> Result<String, Refusal> {
    let opened = context.opened.ok_or_else(|| Refusal::new("nothing_open"))?;
    let column = fields.get("column").unwrap_or_default();
    let attribute = opened.document()?.attribute(column);
    let attribute = attribute.ok_or_else(|| Refusal::about("no_attribute", column))?;
    let mut root =
        tree(context, opened, &attribute).ok_or_else(|| Refusal::new("not_counted_yet"))?;
    let items = fields.all("item").map(position).collect::<Result<Vec<_>, Refusal>>()?;
    let label = fields.text("label");
    match fields.get("edit").unwrap_or_default() {
        "group" => root.group(&items, label)?,
        "rename" => {
            let label = label.ok_or_else(|| Refusal::new("no_label"))?;
            root.rename(&items, label)?;
        }
        "dissolve" => root.dissolve(&items)?,
        "move" => {
            root.move_into(&items, &position(fields.get("target").unwrap_or_default())?, label)?;
        }
        other => return Err(Refusal::about("no_field", other)),
    }
    Ok(root.declaration())
}
