//! The release page, with progress, outcome, reports, attacks, and measurements.

use indistinct::anonymize::{Infeasible, Outcome, WrittenRelease};
use indistinct::attack::AttackAnswer;
use indistinct::measure::Measurement;
use indistinct::policy::PolicyFile;
use indistinct::text::{Document, describe_warning, without_information};
use indistinct::verify::{ReleaseLocation, Verification};
use indistinct::{PolicyText, RowsOfPerson, words};
use indistinct_render::{self as render, Level};
use maud::{Markup, html};

use super::parts::{
    Set, answer, badge, button, cards, choice, failed, form_on, line, problems, table, word,
};
use super::principles::unprotected_notes;
use super::ways_out::ways;
use super::{Body, Context};
use crate::studio::Opened;
use crate::texts::{self, fill, t, t_list};
use crate::work::{Slot, State};

/// The outcome of writing a release, with the answer of `anonymize` and the verification of the
/// files.
#[derive(Debug)]
pub(crate) struct ReleaseOutcome {
    /// The release folder, relative to the workspace.
    pub(crate) directory: String,
    pub(crate) outcome: Outcome,
    pub(crate) verified: Option<Verification>,
}

impl ReleaseOutcome {
    pub(crate) fn released(&self) -> Option<&WrittenRelease> {
        match &self.outcome {
            Outcome::Released(released) => Some(released),
            Outcome::Infeasible(_) => None,
        }
    }
}

/// The verdict on the release of the current policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReleaseVerdict {
    /// All claims were verified, and most quasi-identifiers retain information.
    Useful,
    /// All claims were verified, but most quasi-identifiers contain no information.
    NearlyEmpty,
    /// A claim of the release does not hold, or no release satisfies the policy.
    Failed,
    /// No release exists for the current policy and table.
    Undecided,
}

impl ReleaseVerdict {
    /// Returns the verdict on an outcome. A release is nearly empty if at least half of its
    /// quasi-identifiers have one released value for all original values.
    pub(super) fn of_outcome(answer: &ReleaseOutcome) -> Self {
        let is_verified = answer.verified.as_ref().is_some_and(|verified| verified.holds);
        match &answer.outcome {
            Outcome::Released(_) if !is_verified => Self::Failed,
            Outcome::Released(released) => {
                let n_lost = n_without_information(released);
                let is_empty = released.n_released == 0
                    || n_lost > 0 && 2 * n_lost >= released.attribute_loss.len();
                if is_empty { Self::NearlyEmpty } else { Self::Useful }
            }
            Outcome::Infeasible(_) => Self::Failed,
        }
    }

    pub(super) fn badge(self) -> Markup {
        let (class, key) = match self {
            Self::Useful => ("holds", "verdict.useful"),
            Self::NearlyEmpty => ("fails", "verdict.nearly-empty"),
            Self::Failed => ("fails", "verdict.failed"),
            Self::Undecided => ("open", "verdict.undecided"),
        };
        html! { span.badge.(class) { (t(key)) } }
    }
}

/// Returns the number of columns in which every released value represents all original values.
pub(super) fn n_without_information(released: &WrittenRelease) -> usize {
    released.attribute_loss.values().filter(|loss| **loss >= 1.0).count()
}

pub(super) fn body(context: &Context<'_>, opened: &Opened) -> Body {
    let state: State<ReleaseOutcome> = context.requested(&Slot::Release);
    let is_old = context.studio.work.key(&Slot::Release).is_some_and(|key| key != opened.key());
    let has_answer = matches!(state, State::Done(_) | State::Failed(_));
    let main = html! {
        (problems(opened))
        @if let Ok(document) = opened.document() { (unprotected_notes(context, "release", &document)) }
        (maker(context, opened, &state))
        @if is_old && has_answer { p.note { (t("earlier_release")) } }
        @match &state {
            State::Failed(found) => (failed(found)),
            State::Done(answer) => (shown(context, opened, answer)),
            _ => {}
        }
    };
    let directory = directory(context, &state);
    let place = &context.studio.place;
    let released = match &state {
        State::Done(answer) => answer.released().filter(|_| answer.directory == directory),
        _ => None,
    };
    let policy = PolicyText { text: &opened.text, name: &opened.name, folder: opened.folder() };
    let found = released.map_or_else(
        || ReleaseLocation::of_policy(policy, &place.root().join(&directory)),
        ReleaseLocation::of_written,
    );
    let mut command =
        format!("indistinct anonymize {} -o {}", word(&opened.name), word(&directory));
    if let Some(ledger) = context.query.text("ledger") {
        command += &format!(" --ledger {}", word(ledger));
    }
    if context.query.get("replace").is_some() {
        command += " --force";
    }
    let mut commands = vec![command, found.command_as(|path| place.shown_address(path))];
    if let (Some(released), None) = (released, found.table()) {
        let original = word(&place.shown_address(&released.input));
        for question in ["attack", "measure"] {
            commands
                .push(format!("indistinct {question} {} --original {original}", word(&directory)));
        }
    }
    Body { main, commands }
}

/// Returns the requested folder, or the folder of the displayed release.
fn directory(context: &Context<'_>, state: &State<ReleaseOutcome>) -> String {
    match (context.query.text("directory"), state) {
        (Some(requested), _) => requested.to_owned(),
        (None, State::Done(answer)) => answer.directory.clone(),
        (None, _) => "release".to_owned(),
    }
}

fn maker(context: &Context<'_>, opened: &Opened, state: &State<ReleaseOutcome>) -> Markup {
    let is_running = matches!(state, State::Running);
    let is_blocked = is_running || !opened.problems().0.is_empty();
    let directory = directory(context, state);
    let mut ledgers = vec![(String::new(), t("no_ledger").to_owned())];
    ledgers.extend(context.studio.place.listing().ledgers.into_iter().map(|it| (it.clone(), it)));
    let form = html! {
        (line("release-directory", "directory", t("directory"), &directory, ""))
        (choice("release-ledger", "ledger", t("with_ledger"), &ledgers, context.query.get("ledger").unwrap_or_default()))
        label.check { input type="checkbox" name="replace" value="yes" checked[context.query.get("replace").is_some()]; " " (t("replace")) }
        button type="submit" id="release" disabled[is_blocked] { (t("release_it")) }
    };
    html! { section.card.maker { (form_on(context, "release", "release", &form)) } }
}

fn shown(context: &Context<'_>, opened: &Opened, answer: &ReleaseOutcome) -> Markup {
    match (&answer.outcome, &answer.verified) {
        (Outcome::Released(released), Some(verified)) => html! {
            div.verdict.note.(if verified.holds { "done" } else { "refused" }) {
                p {
                    (ReleaseVerdict::of_outcome(answer).badge()) " "
                    strong { (if verified.holds { t("released") } else { t("released_fails") }) }
                }
                (protection_and_usefulness(released))
                (nothing_left(opened, released))
            }
            (remarks(released))
            @if released.table.is_some() {
                p.note { (t("rows_elsewhere")) }
            } @else {
                (attacks(context))
            }
            (columns(released))
            @if released.table.is_none() { (measures(context)) }
            section aria-labelledby="details" {
                h2 id="details" { (t("release_details")) }
                (figures(released))
                (reports(context, answer, released))
            }
        },
        (Outcome::Released(_), None) => html! { p.note { (t("released_fails")) } },
        (Outcome::Infeasible(infeasible), _) => no_release(context, opened, infeasible),
    }
}

/// States in one sentence each how the release protects people and how useful it is.
fn protection_and_usefulness(released: &WrittenRelease) -> Markup {
    let risk = &released.risk;
    let [highest_before, highest_after] =
        [risk.before, risk.after].map(|it| texts::percent_or_dash(it.prosecutor_max));
    let n_principles = released.principles.len();
    let n_holding = released.principles.iter().filter(|claim| claim.holds).count();
    let n_columns = released.attribute_loss.len();
    let n_retaining = n_columns - n_without_information(released);
    let loss = released.loss.get("loss").map_or_else(|| "–".to_owned(), |it| texts::number(*it));
    let [principles, holding, columns, retaining] =
        [n_principles, n_holding, n_columns, n_retaining].map(|n| texts::thousands(n as u64));
    html! {
        dl.terms {
            dt { (t("protection_of_release")) }
            dd {
                @if n_principles > 0 { (fill("principles_hold", [&holding, &principles])) " " }
                (fill("risk_is", [&highest_after, &highest_before]))
            }
            dt { (t("usefulness_of_release")) }
            dd {
                @let suppressed = texts::share(released.n_suppressed, released.n_rows);
                (fill("usefulness_is", [&suppressed, &retaining, &columns, &loss]))
            }
        }
    }
}

/// Lists the columns whose information is completely lost although the release satisfies the
/// policy.
fn nothing_left(opened: &Opened, released: &WrittenRelease) -> Markup {
    let Some(lost) = without_information(&released.attribute_loss) else { return html! {} };
    let people = PolicyFile::parse(&opened.text, &opened.name).ok().and_then(|it| it.people);
    let is_together = people.is_some_and(|people| people.rows == RowsOfPerson::Uniform);
    html! {
        p lang=[texts::untranslated()] { (lost) }
        @if is_together { p { (t("rows_together")) " " a href="/settings#section-people" { (t("of_people_settings")) } } }
    }
}

fn figures(released: &WrittenRelease) -> Markup {
    let percent = texts::percent_or_dash;
    let [released_rows, left_out, classes, loss_name] = t_list("release_figures");
    let (before, after) = (&released.risk.before, &released.risk.after);
    let risk = [
        vec![
            html! { (t("highest_risk")) },
            html! { (percent(before.prosecutor_max)) },
            html! { (percent(after.prosecutor_max)) },
        ],
        vec![
            html! { (t("unique")) },
            html! { (percent(before.unique_fraction)) },
            html! { (percent(after.unique_fraction)) },
        ],
    ];
    html! {
        (cards(&[
            (released_rows, texts::thousands(released.n_released)),
            (left_out, format!("{} ({})", texts::thousands(released.n_suppressed), texts::share(released.n_suppressed, released.n_rows))),
            (classes, texts::thousands(released.n_classes)),
            (loss_name, released.loss.get("loss").map_or_else(|| "–".to_owned(), |loss| texts::number(*loss))),
        ]))
        (table(t("risk"), &[("", Set::Plain), (t("before"), Set::Number), (t("after"), Set::Number)], &risk))
        ul.claims {
            @for claim in &released.principles {
                li {
                    (badge(claim.holds, t("holds"), t("fails"))) " " span
                        lang=[texts::untranslated()] { (words::claim(claim)) }
                }
            }
        }
    }
}

/// Displays the warnings about a release, and whether its search was stopped.
fn remarks(released: &WrittenRelease) -> Markup {
    let gap = released.recoding.optimality.gap_fraction();
    let gap = gap.map_or(String::new(), |gap| fill("stopped_gap", [&texts::percent(gap)]));
    html! {
        @if released.recoding.optimality.is_stopped() {
            p.note { (fill("stopped_early", [&gap])) }
        }
        @if !released.warnings.is_empty() {
            div.note {
                ul lang=[texts::untranslated()] {
                    @for warning in &released.warnings {
                        li { (words::sentence(&describe_warning(warning))) }
                    }
                }
            }
        }
    }
}

fn reports(context: &Context<'_>, answer: &ReleaseOutcome, released: &WrittenRelease) -> Markup {
    let private = released.private.as_deref().map(|path| context.studio.place.shown(path));
    html! {
        (frame("report", t("report"), &answer.directory))
        @if let Some(private) = &private {
            (frame("private-report", t("private_report"), private))
        }
    }
}

/// Returns a report in a frame in which scripts are disabled.
fn frame(id: &str, title: &str, folder: &str) -> Markup {
    html! {
        details.report id=(id) {
            summary { (title) }
            iframe title=(title) src=(format!("/files/{}/report.html", encoded(folder))) sandbox="allow-same-origin" loading="lazy" {}
        }
    }
}

/// Percent-encodes a path for use in an address.
pub(super) fn encoded(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

fn attacks(context: &Context<'_>) -> Markup {
    let state: State<AttackAnswer> = context.requested(&Slot::Attack);
    html! {
        section aria-labelledby="attacks" {
            h2 id="attacks" { (t("attacks")) }
            @if matches!(state, State::None) { (form_on(context, "release", "attack", &button("attack", t("attack")))) }
            (answer(&state, attacked))
        }
    }
}

fn attacked(answer: &AttackAnswer) -> Markup {
    html! {
        (described(&indistinct::text::describe_worst(answer)))
        details { summary { (t("all_findings")) } (described(&indistinct::text::describe_attack(answer))) }
    }
}

/// Renders the sections of an answer within a section of the page.
fn described(document: &Document) -> Markup {
    html! {
        div lang=[texts::untranslated()] {
            @for section in &document.sections { (render::section(section, Level::Third)) }
        }
    }
}

/// Draws the values of each column before and after anonymization.
fn columns(released: &WrittenRelease) -> Markup {
    html! {
        section aria-labelledby="before-and-after" {
            h2 id="before-and-after" { (t("columns_before_and_after")) }
            @if released.marginals.is_empty() { p.note { (t("no_private_figures")) } }
            @else { (described(&indistinct::text::draw_columns(released))) }
        }
    }
}

fn measures(context: &Context<'_>) -> Markup {
    let state: State<Measurement> = context.requested(&Slot::Measure);
    html! {
        section aria-labelledby="measures" {
            h2 id="measures" { (t("measures")) }
            @if matches!(state, State::None) { (form_on(context, "release", "measure", &button("measure", t("measure")))) }
            (answer(&state, measured))
        }
    }
}

fn measured(measured: &Measurement) -> Markup {
    html! {
        (described(&indistinct::text::draw_measurement(measured)))
        details { summary { (t("all_measures")) } (described(&indistinct::text::describe_measurement(measured))) }
    }
}

pub(super) fn no_release(
    context: &Context<'_>,
    opened: &Opened,
    infeasible: &Infeasible,
) -> Markup {
    let principles = opened.document().map(|it| it.principles()).unwrap_or_default();
    let ways = ways(infeasible, &principles);
    html! {
        div.verdict.note.refused {
            p { strong { (if infeasible.is_proved { t("infeasible_proved") } else { t("infeasible") }) } }
            p {
                (fill("suppressible", [&texts::thousands(infeasible.n_suppressible), &texts::counted("count.row", infeasible.n_rows)]))
            }
            @if !infeasible.beyond_reach.is_empty() {
                ul { @for beyond in &infeasible.beyond_reach { li { (indistinct::advise::text::beyond_reach(beyond)) } } }
            }
        }
        @if let Some(nearest) = infeasible.nearest() {
            section aria-labelledby="nearest" {
                h2 id="nearest" { (t("nearest")) }
                p { (texts::needed(nearest.n_suppressed_needed, nearest.n_failing_rows, infeasible.is_proved)) }
                ul.claims {
                    @for claim in &nearest.principles {
                        li {
                            (badge(claim.holds, t("holds"), t("fails"))) " " span
                                lang=[texts::untranslated()] { (words::claim(claim)) }
                        }
                    }
                }
            }
        }
        @if !ways.is_empty() {
            section.card aria-labelledby="ways" {
                h2 id="ways" { (t("ways_out")) }
                p.soft { (t("ways_out_help")) }
                ul.choices {
                    @for (at, way) in ways.iter().enumerate() {
                        @let form = html! {
                            @for (name, value) in &way.fields { input type="hidden" name=(name) value=(value); }
                            (button(&format!("way-{at}"), &way.what))
                        };
                        li { (form_on(context, "release", way.action, &form)) }
                    }
                }
                p { a href="/principles" { (t("page.principles.heading")) } " · " a href="/hierarchies" { (t("page.hierarchies.heading")) } " · " a href="/explore" { (t("page.explore.heading")) } }
            }
        }
    }
}
