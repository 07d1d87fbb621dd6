//! What a form does: one function each, one line in [`ACTIONS`]. The server has checked where the form comes from.
//!
//! Every action but those that open something needs the version of the policy that the steward saw: of two tabs that change it at the same
//! time the second is told, and nothing is done.

use std::path::{Path, PathBuf};

use indistinct::anonymize::{Outcome, Replace, anonymize};
use indistinct::attack::{Asked, attack};
use indistinct::compare::{Choices, compare};
use indistinct::generate::{DEFAULT_ROWS, DEFAULT_SEED, Example};
use indistinct::ledger::{AddOptions, CheckOptions, NoSteps};
use indistinct::measure::measure;
use indistinct::methods::Registry;
use indistinct::principle::{self, OTHERS, Subject};
use indistinct::verify::verify;
use indistinct::{Job, Silent, Values};
use maud::Markup;
use toml_edit::Value;

use crate::document::{Document, value_of};
use crate::fields::Fields;
use crate::pages::release::Made;
use crate::pages::{Context, hierarchies};
use crate::place::Refusal;
use crate::studio::{Opened, Studio, in_one};
use crate::texts;
use crate::work::{Slot, State};

/// What comes after a form.
pub(crate) enum Next {
    /// The same page, with what was done.
    Stay(String),
    /// Another page.
    Go(String),
    /// A part of the page.
    Fragment(Markup),
}

/// Why nothing was done.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The steward saw another version of the policy.
    Stale,
    Refused(Refusal),
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// What a form needs besides its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    /// The version of the policy that the page showed.
    Version,
}

/// An action.
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

/// All actions. A new one is one function and one line here.
static ACTIONS: &[Action] = &[
    action("open", Needs::Nothing, open),
    action("start", Needs::Nothing, start),
    action("example", Needs::Nothing, example),
    action("role", Needs::Version, role),
    action("accept", Needs::Version, accept),
    action("hierarchy", Needs::Version, hierarchy),
    action("preview", Needs::Nothing, preview),
    action("bounds", Needs::Version, bounds),
    action("principle-add", Needs::Version, principle_add),
    action("principle-set", Needs::Version, principle_set),
    action("principle-remove", Needs::Version, principle_remove),
    action("compare", Needs::Version, start_compare),
    action("take", Needs::Version, take),
    action("limit", Needs::Version, limit),
    action("recoding", Needs::Version, recoding),
    action("release", Needs::Version, release),
    action("best", Needs::Nothing, best),
    action("cancel", Needs::Nothing, cancel),
    action("attack", Needs::Nothing, start_attack),
    action("measure", Needs::Nothing, start_measure),
    action("ledger-init", Needs::Nothing, ledger_init),
    action("ledger-check", Needs::Nothing, ledger_check),
    action("ledger-add", Needs::Nothing, ledger_add),
    action("about", Needs::Version, about),
    action("text", Needs::Version, text),
    action("undo", Needs::Version, undo),
    action("redo", Needs::Version, redo),
    action("go", Needs::Version, go),
    action("note", Needs::Version, note),
];

/// The action of a name.
pub(crate) fn find(name: &str) -> Option<&'static Action> {
    ACTIONS.iter().find(|action| action.name == name)
}

/// Does it.
pub(crate) fn run(studio: &Studio, action: &Action, fields: &Fields) -> Result<Next, Failed> {
    if action.needs == Needs::Version {
        let opened = studio.opened().ok_or_else(nothing_open)?;
        if fields.get("version") != Some(&opened.version) {
            return Err(Failed::Stale);
        }
    }
    Ok((action.run)(studio, fields)?)
}

fn nothing_open() -> Refusal {
    Refusal(texts::NOTHING_OPEN.to_owned())
}

fn refused(error: indistinct::Error) -> Refusal {
    Refusal(in_one(&error.messages(Values::Shown)))
}

fn field<'a>(fields: &'a Fields, name: &str) -> Result<&'a str, Refusal> {
    fields.get(name).ok_or_else(|| Refusal(format!("the form has no field '{name}'")))
}

fn quoted(text: &str) -> Value {
    Value::from(text)
}

fn opened(studio: &Studio) -> Result<Opened, Refusal> {
    studio.opened().ok_or_else(nothing_open)
}

/// A value where something was typed, as it would stand in the file.
fn typed(fields: &Fields, name: &str) -> Result<Option<Value>, Refusal> {
    fields.text(name).map(value_of).transpose()
}

fn open(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    studio.open(field(fields, "file")?)?;
    Ok(Next::Go("/columns".to_owned()))
}

fn start(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    studio.propose(field(fields, "table")?, field(fields, "policy")?.trim())?;
    Ok(Next::Go("/columns".to_owned()))
}

/// The most rows of an example that a page makes: more are for the command line, which shows how far it is.
const MOST_ROWS: u64 = 1_000_000;

fn example(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let name = field(fields, "name")?;
    let example = match name {
        "hospital" => Example::Hospital,
        "census" => Example::Census { distinct: None },
        "salary" => Example::Salary,
        "survey" => Example::Survey { n_attributes: indistinct::generate::DEFAULT_ATTRIBUTES },
        _ => return Err(Refusal("there is no such example".to_owned())),
    };
    let n_rows = match fields.text("rows") {
        None => DEFAULT_ROWS,
        Some(text) => text
            .parse()
            .ok()
            .filter(|n| (1..=MOST_ROWS).contains(n))
            .ok_or_else(|| Refusal(format!("rows is a whole number from 1 to {MOST_ROWS}")))?,
    };
    let free = |n: u32| if n == 1 { name.to_owned() } else { format!("{name}-{n}") };
    let folder = (1..1000).map(free).find(|it| studio.place.existing(it).is_err());
    let folder = folder.ok_or_else(|| Refusal("there are too many examples here".to_owned()))?;
    let path = studio.place.fresh(&folder)?;
    std::fs::create_dir(&path)
        .map_err(|error| Refusal(format!("'{folder}' cannot be made: {error}")))?;
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

fn role(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (column, role) = (field(fields, "column")?, field(fields, "role")?);
    if !texts::ROLES.iter().any(|it| it.0 == role) {
        return Err(Refusal(format!("there is no role '{role}'")));
    }
    let proposed = match studio.looks(&opened(studio)?) {
        State::Done(looks) => {
            looks.columns.iter().find(|it| it.name == column).and_then(|it| it.hierarchy.clone())
        }
        _ => None,
    };
    let what = texts::role_set(column, role);
    studio.change(&what, |document| document.set_role(column, role, proposed.as_deref()))?;
    Ok(Next::Stay(texts::saved(&what)))
}

fn accept(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let column = field(fields, "column")?;
    let reason = fields.text("reason");
    let keys = vec![
        ("looks_like_identifier", reason.map(|_| quoted("accepted"))),
        ("looks_like_identifier_reason", reason.map(quoted)),
    ];
    let what = texts::accepted(column);
    studio.change(&what, |document| document.set_of_attribute(column, keys))?;
    Ok(Next::Stay(texts::saved(&what)))
}

fn hierarchy(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let column = field(fields, "column")?;
    let declared = hierarchies::declared(fields)?;
    let what = texts::hierarchy_set(column);
    studio.change(&what, |document| document.set_hierarchy(column, declared.as_deref()))?;
    Ok(Next::Stay(texts::saved(&what)))
}

fn preview(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let opened = opened(studio)?;
    let context = Context { studio, opened: Some(&opened), query: fields, notice: None };
    Ok(Next::Fragment(hierarchies::preview(&context, fields)))
}

fn bounds(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let column = field(fields, "column")?;
    let keys = vec![
        ("min_level", typed(fields, "min_level")?),
        ("max_level", typed(fields, "max_level")?),
    ];
    let what = texts::bounds_set(column);
    studio.change(&what, |document| document.set_of_attribute(column, keys))?;
    Ok(Next::Stay(texts::saved(&what)))
}

/// The parameters of a kind as a form has them; what was left empty is `None`.
fn parameters(
    kind: &'static principle::Kind,
    fields: &Fields,
) -> Result<Vec<(&'static str, Option<Value>)>, Refusal> {
    let specs = kind
        .parameters
        .iter()
        .chain((kind.subject == Subject::SensitiveAttribute).then_some(&OTHERS));
    let given = specs.filter(|spec| fields.get(spec.name).is_some());
    given
        .map(|spec| {
            let value = fields.text(spec.name).map(|text| match spec.kind {
                // Words and names of files are typed without quotes.
                principle::ParameterKind::Word { .. } | principle::ParameterKind::File
                    if !text.starts_with('"') =>
                {
                    Ok(quoted(text))
                }
                principle::ParameterKind::Weights { one_of } if one_of.contains(&text) => {
                    Ok(quoted(text))
                }
                _ => value_of(text),
            });
            Ok((spec.name, value.transpose()?))
        })
        .collect()
}

fn principle_add(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let name = field(fields, "kind")?;
    let kind =
        principle::find(name).ok_or_else(|| Refusal(format!("there is no principle '{name}'")))?;
    let given = parameters(kind, fields)?;
    let given = given.into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
    let attribute = fields.text("attribute");
    let what = texts::principle_added(name);
    studio.change(&what, |document| document.add_principle(name, attribute, given))?;
    Ok(Next::Stay(texts::saved(&what)))
}

/// The principle at the place that the form names.
fn principle_at(document: &Document, fields: &Fields) -> Result<(usize, String), Refusal> {
    let at = fields.whole("at").unwrap_or(usize::MAX);
    let found = document.principles().into_iter().nth(at);
    found
        .map(|it| (at, it.kind))
        .ok_or_else(|| Refusal("there is no such principle any more".to_owned()))
}

fn principle_set(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (at, name) = principle_at(&opened(studio)?.document()?, fields)?;
    let kind =
        principle::find(&name).ok_or_else(|| Refusal(format!("there is no principle '{name}'")))?;
    let keys = parameters(kind, fields)?;
    let what = texts::principle_changed(&name);
    studio.change(&what, |document| document.set_parameters(at, keys))?;
    Ok(Next::Stay(texts::saved(&what)))
}

fn principle_remove(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (at, name) = principle_at(&opened(studio)?.document()?, fields)?;
    let what = texts::principle_removed(&name);
    studio.change(&what, |document| document.remove_principle(at))?;
    Ok(Next::Stay(texts::saved(&what)))
}

/// Numbers with commas between.
fn numbers<T: std::str::FromStr>(fields: &Fields, name: &str) -> Result<Vec<T>, Refusal> {
    let parts = fields.get(name).unwrap_or_default().split(',').map(str::trim);
    let wrong = || Refusal(format!("'{name}' is a list of numbers with commas between"));
    parts.filter(|it| !it.is_empty()).map(|it| it.parse().map_err(|_| wrong())).collect()
}

fn start_compare(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let opened = opened(studio)?;
    let choices = Choices {
        k: numbers(fields, "k")?,
        methods: fields.all("method").map(str::to_owned).collect(),
        limits: numbers(fields, "limits")?,
    };
    if choices.k.contains(&0) || choices.limits.iter().any(|it| !(0.0..=1.0).contains(it)) {
        return Err(Refusal("k is at least 1, and a limit is from 0 to 1".to_owned()));
    }
    let path = opened.path.clone();
    studio.work.forget(&Slot::Comparison);
    let question = move |progress: &crate::work::Progress| compare(&path, &choices, progress);
    studio.changed();
    let _: State<_> = studio.work.ask(Slot::Comparison, &opened.comparison_key(), question);
    Ok(Next::Stay(String::new()))
}

/// Another method, without the keys that it does not read.
fn set_method(document: &mut Document, name: &str) -> Result<(), Refusal> {
    let kinds = Registry::standard().kinds();
    let kind = kinds.iter().find(|kind| kind.name == name);
    let kind = kind.ok_or_else(|| Refusal(format!("there is no method '{name}'")))?;
    document.set("recoding", "method", Some(quoted(name)));
    for key in kind.keys_without_effect() {
        document.set("recoding", key, None);
    }
    Ok(())
}

fn take(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (k, method, limit) =
        (field(fields, "k")?, field(fields, "method")?, field(fields, "limit")?);
    let (k_value, limit_value) = (value_of(k)?, value_of(limit)?);
    let what = texts::choice_taken(method, k, limit);
    studio.change(&what, |document| {
        set_method(document, method)?;
        document.set("recoding", "suppression_limit", Some(limit_value));
        let at = document.principles().iter().position(|it| it.kind == "k-anonymity");
        match at {
            Some(at) => document.set_parameters(at, vec![("k", Some(k_value))]),
            None => document.add_principle("k-anonymity", None, vec![("k", k_value)]),
        }
    })?;
    Ok(Next::Stay(texts::saved(&what)))
}

fn limit(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let limit = field(fields, "limit")?;
    let value = value_of(limit)?;
    let what = texts::way_limit(limit);
    studio.change(&what, |document| {
        document.set("recoding", "suppression_limit", Some(value));
        Ok(())
    })?;
    Ok(Next::Stay(texts::saved(&what)))
}

fn recoding(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let method = field(fields, "method")?;
    let (limit, seed) = (typed(fields, "limit")?, typed(fields, "seed")?);
    studio.change(texts::RECODING_SET, |document| {
        document.set("recoding", "suppression_limit", limit);
        document.set("recoding", "seed", seed);
        set_method(document, method)
    })?;
    Ok(Next::Stay(texts::saved(texts::RECODING_SET)))
}

fn release(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let opened = opened(studio)?;
    let name = field(fields, "directory")?.trim().trim_end_matches('/').to_owned();
    let directory = studio.place.fresh(&name)?;
    let ledger = fields.text("ledger").map(|it| studio.place.existing(it)).transpose()?;
    let replace = if fields.get("replace").is_some() { Replace::Force } else { Replace::Forbid };
    let path = opened.path.clone();
    for slot in [Slot::Release, Slot::Attack, Slot::Measure] {
        studio.work.forget(&slot);
    }
    let question = move |progress: &crate::work::Progress| {
        let job = Job::open(&path, None)?;
        let outcome = match &ledger {
            None => anonymize(&job, &directory, replace, progress)?,
            Some(ledger) => indistinct::ledger::anonymize(
                &job, &directory, replace, ledger, &NoSteps, progress,
            )?,
        };
        let verified = match &outcome {
            Outcome::Released(_) => Some(verify(&directory, None, progress)?),
            Outcome::Infeasible(_) => None,
        };
        Ok(Made { directory: name, outcome, verified })
    };
    studio.changed();
    let _: State<Made> = studio.work.ask(Slot::Release, &opened.key(), question);
    Ok(Next::Stay(String::new()))
}

fn best(studio: &Studio, _: &Fields) -> Result<Next, Refusal> {
    studio.work.take_best(&Slot::Release);
    Ok(Next::Stay(texts::BEST_ASKED.to_owned()))
}

fn cancel(studio: &Studio, _: &Fields) -> Result<Next, Refusal> {
    if let Some((slot, _)) = studio.work.running() {
        studio.work.forget(&slot);
    }
    Ok(Next::Stay(texts::CANCELLED.to_owned()))
}

/// The release that was made here, with the table that it was made of.
fn made(studio: &Studio) -> Result<(PathBuf, PathBuf), Refusal> {
    let none = || Refusal("no release was made here yet".to_owned());
    let State::Done(made) = studio.work.state::<Made>(&Slot::Release) else { return Err(none()) };
    let Outcome::Released(released) = &made.outcome else { return Err(none()) };
    Ok((released.release.clone(), released.input.clone()))
}

fn start_attack(studio: &Studio, _: &Fields) -> Result<Next, Refusal> {
    let (release, original) = made(studio)?;
    let question = move |progress: &crate::work::Progress| {
        let asked = Asked { original: Some(Path::new(&original).into()), ..Asked::default() };
        attack(&release, &asked, progress)
    };
    let _: State<_> = studio.work.ask(Slot::Attack, "", question);
    Ok(Next::Stay(String::new()))
}

fn start_measure(studio: &Studio, _: &Fields) -> Result<Next, Refusal> {
    let (release, original) = made(studio)?;
    let question = move |progress: &crate::work::Progress| {
        measure(
            &release,
            Path::new(&original),
            None,
            &indistinct::measure::Options::default(),
            progress,
        )
    };
    let _: State<_> = studio.work.ask(Slot::Measure, "", question);
    Ok(Next::Stay(String::new()))
}

fn ledger_init(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let path = studio.place.fresh(field(fields, "path")?.trim())?;
    if path.extension().is_none_or(|it| it != "ledger") {
        return Err(Refusal("the name of a ledger ends in .ledger".to_owned()));
    }
    indistinct::ledger::init(&path).map_err(refused)?;
    studio.changed();
    Ok(Next::Stay(texts::LEDGER_MADE.to_owned()))
}

fn ledger_and_release(studio: &Studio, fields: &Fields) -> Result<(PathBuf, PathBuf), Refusal> {
    let path = |name| studio.place.existing(field(fields, name)?);
    Ok((path("ledger")?, path("release")?))
}

fn ledger_check(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (ledger, release) = ledger_and_release(studio, fields)?;
    studio.work.forget(&Slot::Linkage);
    let question = move |progress: &crate::work::Progress| {
        let options = CheckOptions { minimum: None, original: None, population: None };
        indistinct::ledger::check_release(&ledger, &release, &options, progress)
    };
    let _: State<_> = studio.work.ask(Slot::Linkage, "", question);
    Ok(Next::Stay(String::new()))
}

fn ledger_add(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (ledger, release) = ledger_and_release(studio, fields)?;
    let options = AddOptions { name: None, population: None };
    indistinct::ledger::add(&ledger, &release, &options, &Silent).map_err(refused)?;
    studio.changed();
    Ok(Next::Stay(texts::LEDGER_ADDED.to_owned()))
}

fn about(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    studio.change(texts::ABOUT_SET, |document| {
        for (key, _) in texts::ABOUT_KEYS {
            document.set("", key, fields.text(key).map(quoted));
        }
        Ok(())
    })?;
    Ok(Next::Stay(texts::saved(texts::ABOUT_SET)))
}

fn text(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    // A browser sends lines with the ends of other systems.
    let text = field(fields, "text")?.replace("\r\n", "\n");
    Document::parse(&text)?;
    studio.with_desk(|desk, place| {
        let folder = desk.folder().to_owned();
        desk.replace(texts::TEXT_SET, text, |text| place.check_policy(text, &folder))
    })?;
    Ok(Next::Stay(texts::saved(texts::TEXT_SET)))
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
        let folder = desk.folder().to_owned();
        desk.go(step(&desk.history), |text| place.check_policy(text, &folder))?;
        Ok(desk.history.steps()[desk.history.at()].what.clone())
    })?;
    Ok(Next::Stay(texts::gone_to(&what)))
}

fn note(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let at = fields.whole("step").unwrap_or(usize::MAX);
    let note = field(fields, "note")?.trim();
    studio.with_desk(|desk, _| {
        if !desk.history.set_note(at, note) {
            return Err(Refusal("there is no such step".to_owned()));
        }
        desk.keep()
    })?;
    Ok(Next::Stay(texts::NOTED.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_has_a_name_of_its_own() {
        let mut names: Vec<&str> = ACTIONS.iter().map(|action| action.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ACTIONS.len());
        assert!(find("undo").is_some() && find("nothing").is_none());
    }
}
