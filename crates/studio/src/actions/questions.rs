//! Processes forms that start long computations, and forms that write releases and ledgers.

use std::path::{Path, PathBuf};

use indistinct::Session;
use indistinct::anonymize::{Outcome, Replace, anonymize};
use indistinct::attack::{AttackRequest, attack};
use indistinct::compare::{Choices, Variation, compare, variable};
use indistinct::ledger::{AddOptions, CheckOptions};
use indistinct::measure::measure;
use indistinct::verify::ReleaseLocation;

use super::{Next, field, opened, refused};
use crate::fields::Fields;
use crate::pages::release::ReleaseOutcome;
use crate::pages::{lattice, ledger, rows, vary_field};
use crate::place::Refusal;
use crate::studio::{Opened, Studio};
use crate::texts::t;
use crate::work::{Slot, State};

/// Parses comma-separated numbers.
fn numbers<T: std::str::FromStr>(fields: &Fields, name: &str) -> Result<Vec<T>, Refusal> {
    let parts = fields.get(name).unwrap_or_default().split(',').map(str::trim);
    let wrong = || Refusal::about("not_numbers", name);
    parts.filter(|it| !it.is_empty()).map(|it| it.parse().map_err(|_| wrong())).collect()
}

/// Returns the parameters of other principles for which the form contains values to compare.
fn varied(opened: &Opened, fields: &Fields) -> Result<Vec<Variation>, Refusal> {
    let Ok(document) = opened.document() else { return Ok(Vec::new()) };
    let all = variable(&document.text());
    let typed = all.iter().filter_map(|name| Some((name, fields.text(&vary_field(name))?)));
    typed.map(|(name, values)| format!("{name}={values}").parse().map_err(Refusal)).collect()
}

pub(super) fn start_compare(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let opened = opened(studio)?;
    let choices = Choices {
        k: numbers(fields, "k")?,
        methods: fields.all("method").map(str::to_owned).collect(),
        limits: numbers(fields, "limits")?,
        varied: varied(&opened, fields)?,
    };
    if choices.k.contains(&0) || choices.limits.iter().any(|it| !(0.0..=1.0).contains(it)) {
        return Err(Refusal::new("choices_out_of_range"));
    }
    let path = opened.path.clone();
    studio.work.forget(&Slot::Comparison);
    let question = move |session: &Session| compare(session, &path, &choices);
    studio.changed();
    studio.work.start(&Slot::Comparison, &opened.comparison_key(), question);
    Ok(Next::Stay(String::new()))
}

pub(super) fn release(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let opened = opened(studio)?;
    let name = field(fields, "directory")?.trim().trim_end_matches('/').to_owned();
    let directory = studio.place.fresh(&name)?;
    let ledger = fields.text("ledger").map(|it| studio.place.existing(it)).transpose()?;
    let replace = if fields.get("replace").is_some() { Replace::Force } else { Replace::Forbid };
    let path = opened.path.clone();
    for slot in [Slot::Release, Slot::Attack, Slot::Measure] {
        studio.work.forget(&slot);
    }
    let question = move |session: &Session| {
        // Bypass the cache, because a release must reflect the current table.
        let job = session.without_cache().open(&path, None)?;
        let outcome = match &ledger {
            None => anonymize(&job, &directory, replace)?,
            Some(ledger) => {
                indistinct::ledger::anonymize(&job, &directory, replace, ledger, &|_| {})?
            }
        };
        let verified = match &outcome {
            Outcome::Released(released) => {
                Some(ReleaseLocation::of_written(released).verify(session, None)?)
            }
            Outcome::Infeasible(_) => None,
        };
        Ok(ReleaseOutcome { directory: name, outcome, verified })
    };
    studio.changed();
    studio.work.start(&Slot::Release, &opened.key(), question);
    Ok(Next::Stay(String::new()))
}

pub(super) fn best(studio: &Studio, _: &Fields) -> Result<Next, Refusal> {
    studio.work.take_best(&Slot::Release);
    Ok(Next::Stay(t("best_so_far").to_owned()))
}

pub(super) fn cancel(studio: &Studio, _: &Fields) -> Result<Next, Refusal> {
    if let Some((slot, _)) = studio.work.running() {
        studio.work.forget(&slot);
    }
    Ok(Next::Stay(t("cancelled").to_owned()))
}

/// Returns the path of the most recent release in this studio, and the path of its table.
fn latest_release(studio: &Studio) -> Result<(PathBuf, PathBuf), Refusal> {
    let none = || Refusal::new("no_release_yet");
    let State::Done(latest_release) = studio.work.state::<ReleaseOutcome>(&Slot::Release) else {
        return Err(none());
    };
    let Outcome::Released(released) = &latest_release.outcome else { return Err(none()) };
    Ok((released.release.clone(), released.input.clone()))
}

pub(super) fn start_attack(studio: &Studio, _: &Fields) -> Result<Next, Refusal> {
    let (release, original) = latest_release(studio)?;
    let question = move |session: &Session| {
        let request = AttackRequest {
            original: Some(Path::new(&original).into()),
            ..AttackRequest::default()
        };
        attack(session, &release, &request)
    };
    studio.work.start(&Slot::Attack, "", question);
    Ok(Next::Stay(String::new()))
}

pub(super) fn start_measure(studio: &Studio, _: &Fields) -> Result<Next, Refusal> {
    let (release, original) = latest_release(studio)?;
    let question = move |session: &Session| {
        let options = indistinct::measure::Options::default();
        measure(session, &release, Path::new(&original), None, &options)
    };
    studio.work.start(&Slot::Measure, "", question);
    Ok(Next::Stay(String::new()))
}

pub(super) fn ledger_init(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let path = studio.place.fresh(field(fields, "path")?.trim())?;
    if path.extension().is_none_or(|it| it != "ledger") {
        return Err(Refusal::new("name_of_ledger"));
    }
    indistinct::ledger::init(&path).map_err(refused)?;
    studio.changed();
    Ok(Next::Stay(t("ledger_created").to_owned()))
}

fn ledger_and_release(studio: &Studio, fields: &Fields) -> Result<(PathBuf, PathBuf), Refusal> {
    let path = |name| studio.place.existing(field(fields, name)?);
    Ok((path("ledger")?, path("release")?))
}

pub(super) fn ledger_check(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (ledger, release) = ledger_and_release(studio, fields)?;
    studio.work.forget(&Slot::Linkage);
    let question = move |session: &Session| {
        let options = CheckOptions { minimum: None, original: None, population: None };
        indistinct::ledger::check_release(session, &ledger, &release, &options)
    };
    studio.work.start(&Slot::Linkage, "", question);
    Ok(Next::Stay(String::new()))
}

pub(super) fn ledger_add(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (ledger, release) = ledger_and_release(studio, fields)?;
    let options = AddOptions { name: None, population: None };
    indistinct::ledger::add(studio.session(), &ledger, &release, &options).map_err(refused)?;
    studio.changed();
    Ok(Next::Stay(t("ledger_added").to_owned()))
}

/// Computes, before a release is created, the effect of linking it with the releases in the ledger.
pub(super) fn ledger_ahead(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let ledger = studio.place.existing(field(fields, "ledger")?)?;
    let opened = opened(studio)?;
    let path = opened.path.clone();
    studio.work.forget(&Slot::Linkage);
    let question = move |session: &Session| {
        let options = CheckOptions { minimum: None, original: None, population: None };
        indistinct::ledger::check_policy(&ledger, &session.open(&path, None)?, &options)
    };
    studio.work.start(&Slot::Linkage, ledger::AHEAD, question);
    Ok(Next::Stay(String::new()))
}

/// Starts the search for the recoding of the rows, which is then repeated whenever the policy
/// changes.
pub(super) fn preview_rows(studio: &Studio, _: &Fields) -> Result<Next, Refusal> {
    rows::start(studio, &opened(studio)?);
    Ok(Next::Stay(String::new()))
}

/// Starts a survey of the lattice, which is then updated whenever the policy changes.
pub(super) fn draw_lattice(studio: &Studio, _: &Fields) -> Result<Next, Refusal> {
    lattice::start(studio, &opened(studio)?);
    Ok(Next::Stay(String::new()))
}

/// Discards all answers, because changes of a table outside the file system cannot be detected.
pub(super) fn again(studio: &Studio, _: &Fields) -> Result<Next, Refusal> {
    studio.forget_all();
    studio.changed();
    Ok(Next::Stay(t("counted_again").to_owned()))
}
