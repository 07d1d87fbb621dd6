//! The actions of forms. Each action is one function with one entry in [`ACTIONS`]. The server has
//! already checked the origin of the request.
//!
//! Every action except opening a policy requires the policy version that the page displayed. If two
//! tabs change the policy at the same time, the second change is rejected.

mod edits;
mod guide;
mod questions;

use indistinct::Values;
use indistinct::generate::{DEFAULT_ROWS, DEFAULT_SEED, Example};
use maud::Markup;
use toml_edit::Value;

use crate::document::value_of;
use crate::fields::{Fields, GUIDED, NEXT_PAGE, NEXT_STEP};
use crate::pages::{self, GUIDE};
use crate::place::Refusal;
use crate::studio::{Opened, Proposing, Studio, in_one};
use crate::texts::{Language, fill, t};
use crate::work::Patience;

/// The response to a form.
pub(crate) enum Next {
    /// Reload the same page with a message about the change.
    Stay(String),
    /// Redirect to another page.
    Go(String),
    /// Replace a part of the page.
    Fragment(Markup),
    /// Reload the page in another language.
    Speak(Language),
}

/// The reason why an action failed.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The page displayed an outdated version of the policy.
    Stale,
    Refused(Refusal),
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A field that a form must contain in addition to its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    /// The form must contain the policy version that the page displayed.
    Version,
}

/// An action and its requirements.
pub(crate) struct Action {
    name: &'static str,
    needs: Needs,
    run: fn(&Studio, &Fields) -> Result<Next, Refusal>,
}

const fn action(
    name: &'static str,
    needs: Needs,
    run: fn(&Studio, &Fields) -> Result<Next, Refusal>,
) -> Action {
    Action { name, needs, run }
}

/// All actions. To add an action, add a function and an entry in this list.
static ACTIONS: &[Action] = &[
    action("language", Needs::Nothing, language),
    action("open", Needs::Nothing, open),
    action("start", Needs::Nothing, start),
    action("start-database", Needs::Nothing, start_database),
    action("example", Needs::Nothing, example),
    action("role", Needs::Version, edits::role),
    action("guide-people", Needs::Version, guide::people),
    action("guide-recipient", Needs::Version, guide::recipient),
    action("accept", Needs::Version, edits::accept),
    action("written", Needs::Version, edits::written),
    action("null_values", Needs::Version, edits::null_values),
    action("hierarchy", Needs::Version, edits::hierarchy),
    action("hierarchy-tree", Needs::Version, edits::hierarchy_tree),
    action("hierarchy-export", Needs::Version, edits::hierarchy_export),
    action("quantiles", Needs::Nothing, edits::quantiles),
    action("preview", Needs::Nothing, edits::preview),
    action("bounds", Needs::Version, edits::bounds),
    action("principle-add", Needs::Version, edits::principle_add),
    action("principle-set", Needs::Version, edits::principle_set),
    action("principle-remove", Needs::Version, edits::principle_remove),
    action("compare", Needs::Version, questions::start_compare),
    action("lattice", Needs::Nothing, questions::draw_lattice),
    action("preview-rows", Needs::Nothing, questions::preview_rows),
    action("pin", Needs::Version, edits::pin),
    action("take", Needs::Version, edits::take),
    action("limit", Needs::Version, edits::limit),
    action("recoding", Needs::Version, edits::recoding),
    action("release", Needs::Version, questions::release),
    action("best", Needs::Nothing, questions::best),
    action("cancel", Needs::Nothing, questions::cancel),
    action("attack", Needs::Nothing, questions::start_attack),
    action("measure", Needs::Nothing, questions::start_measure),
    action("ledger-init", Needs::Nothing, questions::ledger_init),
    action("ledger-check", Needs::Nothing, questions::ledger_check),
    action("ledger-ahead", Needs::Nothing, questions::ledger_ahead),
    action("ledger-add", Needs::Nothing, questions::ledger_add),
    action("settings", Needs::Version, edits::settings),
    action("again", Needs::Nothing, questions::again),
    action("about", Needs::Version, edits::about),
    action("text", Needs::Version, edits::text),
    action("undo", Needs::Version, undo),
    action("redo", Needs::Version, redo),
    action("go", Needs::Version, go),
    action("note", Needs::Version, note),
];

/// Finds an action by its name.
pub(crate) fn find(name: &str) -> Option<&'static Action> {
    ACTIONS.iter().find(|action| action.name == name)
}

/// Runs an action.
pub(crate) fn run(studio: &Studio, action: &Action, fields: &Fields) -> Result<Next, Failed> {
    if action.needs == Needs::Version {
        let opened = studio.opened().ok_or_else(nothing_open)?;
        if fields.get("version") != Some(&opened.version) {
            return Err(Failed::Stale);
        }
    }
    Ok(continued((action.run)(studio, fields)?, fields))
}

/// Continues with the page that the form names, unless the action already chose a page.
fn continued(next: Next, fields: &Fields) -> Next {
    let page = fields.get(NEXT_PAGE).and_then(pages::find);
    match (next, page, fields.whole(NEXT_STEP)) {
        (Next::Stay(_), Some(page), None) => Next::Go(format!("/{}", page.path)),
        (Next::Stay(_), Some(page), Some(step)) => Next::Go(format!("/{}?step={step}", page.path)),
        (next, ..) => next,
    }
}

fn nothing_open() -> Refusal {
    Refusal::new("nothing_open")
}

fn refused(error: indistinct::Error) -> Refusal {
    Refusal(in_one(&error.messages(Values::Shown)))
}

fn field<'a>(fields: &'a Fields, name: &str) -> Result<&'a str, Refusal> {
    fields.get(name).ok_or_else(|| Refusal::about("no_field", name))
}

fn opened(studio: &Studio) -> Result<Opened, Refusal> {
    studio.opened().ok_or_else(nothing_open)
}

/// Parses a form field as a TOML value. Returns `None` if the field is empty.
fn typed(fields: &Fields, name: &str) -> Result<Option<Value>, Refusal> {
    fields.text(name).map(value_of).transpose()
}

fn language(_: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let tag = field(fields, "language")?;
    Language::named(tag).map(Next::Speak).ok_or_else(|| Refusal::about("no_language", tag))
}

fn open(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    studio.open(field(fields, "file")?)?;
    Ok(Next::Go(first_page(fields)))
}

/// Returns the address of the page to show after opening a policy.
fn first_page(fields: &Fields) -> String {
    match fields.get(GUIDED) {
        Some(_) => format!("/{GUIDE}"),
        None => "/columns".to_owned(),
    }
}

fn start(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (table, policy) = (field(fields, "table")?, field(fields, "policy")?.trim());
    let sheet = fields.text("sheet");
    Ok(after(studio.propose(table, sheet, policy, Patience::of_start())?, fields))
}

/// Redirects to the policy if it exists. If its proposal takes longer, the policy opens
/// automatically later.
fn after(proposing: Proposing, fields: &Fields) -> Next {
    match (proposing, fields.get(GUIDED)) {
        (Proposing::Opened, _) => Next::Go(first_page(fields)),
        (Proposing::UnderWay, None) => Next::Stay(String::new()),
        // The address retains the request until the proposal is ready.
        (Proposing::UnderWay, Some(_)) => Next::Go(format!("/?{GUIDED}=yes")),
    }
}

/// Proposes a policy for a database table. Passwords come from another source, because the policy
/// file contains the address.
fn start_database(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (address, policy) = (field(fields, "address")?.trim(), field(fields, "policy")?.trim());
    let table = fields.text("table");
    Ok(after(studio.propose_database(address, table, policy, Patience::of_start())?, fields))
}

/// The maximum number of rows of a generated example; larger tables require the command line, which
/// displays progress.
const MOST_ROWS: u64 = 1_000_000;

fn example(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let name = field(fields, "name")?;
    let example = match name {
        "hospital" => Example::Hospital,
        "census" => Example::Census { distinct: None },
        "salary" => Example::Salary,
        "survey" => Example::Survey { n_attributes: indistinct::generate::DEFAULT_ATTRIBUTES },
        _ => return Err(Refusal::new("no_such_example")),
    };
    let n_rows = match fields.text("rows") {
        None => DEFAULT_ROWS,
        Some(text) => text
            .parse()
            .ok()
            .filter(|n| (1..=MOST_ROWS).contains(n))
            .ok_or_else(|| Refusal::about("rows_from_one_to", &MOST_ROWS.to_string()))?,
    };
    let free = |n: u32| if n == 1 { name.to_owned() } else { format!("{name}-{n}") };
    let folder = (1..1000).map(free).find(|it| studio.place.existing(it).is_err());
    let folder = folder.ok_or_else(|| Refusal::new("too_many_examples"))?;
    let path = studio.place.fresh(&folder)?;
    std::fs::create_dir(&path)
        .map_err(|error| Refusal(fill("cannot_create", [&folder, &error.to_string()])))?;
    indistinct::generate::to_files(
        &example,
        n_rows,
        DEFAULT_SEED,
        &path.join(format!("{name}.csv")),
    )
    .map_err(|error| refused(error.into()))?;
    studio.open(&format!("{folder}/policy.toml"))?;
    Ok(Next::Go("/columns".to_owned()))
}

fn undo(studio: &Studio, _: &Fields) -> Result<Next, Refusal> {
    to_step(studio, |history| history.before())
}

fn redo(studio: &Studio, _: &Fields) -> Result<Next, Refusal> {
    to_step(studio, |history| history.after())
}

fn go(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let at = fields.whole("step");
    to_step(studio, |_| at)
}

fn to_step(
    studio: &Studio,
    step: impl FnOnce(&crate::history::History) -> Option<usize>,
) -> Result<Next, Refusal> {
    let what = studio.with_desk(|desk, place| {
        desk.go(step(&desk.history), place)?;
        Ok(desk.history.steps()[desk.history.at()].what.clone())
    })?;
    Ok(Next::Stay(fill("gone_to", [&what])))
}

fn note(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let at = fields.whole("step").unwrap_or(usize::MAX);
    let (name, note) = (fields.text("name"), field(fields, "note")?.trim());
    studio.with_desk(|desk, _| {
        if !desk.history.set_note(at, name, note) {
            return Err(Refusal::new("no_such_step"));
        }
        desk.keep()
    })?;
    Ok(Next::Stay(t("noted").to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn action_names_are_unique() {
        let mut names: Vec<&str> = ACTIONS.iter().map(|action| action.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ACTIONS.len());
        assert!(find("undo").is_some() && find("nothing").is_none());
    }
}
