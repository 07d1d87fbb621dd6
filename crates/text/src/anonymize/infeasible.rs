//! Text about policies that no release satisfies: the closest recoding and suggestions.

use std::collections::BTreeMap;

use indistinct_answers::release::Infeasible;
use indistinct_core::Nearest;
use indistinct_methods::invariant::NoVersion;
use indistinct_methods::planned::NotByPlan;
use indistinct_methods::{NoiseAlone, Shortfall};

use super::levels;
use crate::messages::{Messages, plain};
use crate::{Document, Section, Text, advice, describe_refusal, principle_levels, text, words};

/// Explains why no release was created.
pub(crate) fn describe_infeasible(infeasible: &Infeasible) -> Document {
    if let Some(refusal) = &infeasible.linkage {
        return describe_refusal(refusal);
    }
    let mut document = Document::new();
    document.paragraph(plain(
        "infeasible",
        match (&infeasible.shortfall, infeasible.is_proved) {
            (Some(Shortfall::ByPlan { .. }), _) => "by-plan",
            (_, true) => "proved",
            (_, false) => "not-found",
        },
    ));
    match &infeasible.shortfall {
        Some(Shortfall::ByPlan { planned }) => not_by_plan(&mut document, planned),
        Some(Shortfall::Version { no_version }) => {
            without_version(&mut document, no_version, infeasible);
        }
        Some(Shortfall::Noise { noise_alone }) => noise_only(&mut document, noise_alone),
        _ => recoding(&mut document, infeasible),
    }
    document
}

fn recoding(document: &mut Document, infeasible: &Infeasible) {
    let nodes = words::nodes_evaluated(infeasible.search.lattice);
    document.paragraph(format!(
        "{}at most {} of {} may be suppressed.",
        nodes.map_or(String::new(), |nodes| nodes + "; "),
        words::thousands(infeasible.n_suppressible),
        words::rows(infeasible.n_rows)
    ));
    let mut beyond = Section::new("Infeasible requirements");
    beyond.list(infeasible.beyond_reach.iter().map(advice::beyond_reach));
    document.push(beyond);
    let Some(nearest) = infeasible.nearest() else { return };
    document.push(closest(nearest, infeasible.is_proved));
    document.push(principle_levels(&nearest.principles));
    document.push(suggestion(may_help(infeasible, nearest.levels.is_empty())));
}

/// Describes the recoding that is closest to satisfying the policy. A method that does not assign
/// levels reports its coarsest classes.
fn closest(nearest: &Nearest<BTreeMap<String, usize>>, is_proved: bool) -> Section {
    let mut section = Section::new("Closest result");
    if nearest.levels.is_empty() {
        section.paragraph(plain("infeasible", "coarsest"));
        return section;
    }
    section.paragraph(text!("levels: {}", levels(&nearest.levels)));
    let found = Messages::about("infeasible", nearest);
    let found = match nearest.n_suppressed_needed {
        Some(_) => found.say("needs-suppression").say_if(!is_proved, "may-need-less"),
        None => found.say("failing-rows"),
    };
    section.paragraph(found.paragraph());
    section
}

/// Returns suggestions. If some requirements are unreachable, only changes that make them reachable
/// are suggested.
fn may_help(infeasible: &Infeasible, is_coarsest: bool) -> Text {
    let helps = infeasible.beyond_reach.iter().all(|it| it.suppression_may_help);
    let key = match (infeasible.beyond_reach.is_empty(), is_coarsest, helps) {
        (true, true, _) => "try-weaker",
        (true, false, _) => "try-coarser",
        (false, _, true) => "change-or-suppress",
        (false, _, false) => "change",
    };
    plain("infeasible", key)
}

/// A suggestion, which follows an empty line.
fn suggestion(text: Text) -> Section {
    let mut section = Section::untitled();
    section.paragraph(text);
    section
}

/// Explains why a table cannot be released with its plan.
fn not_by_plan(document: &mut Document, found: &NotByPlan) {
    let is_short = found.n_rows_missing > 0;
    let rare = if is_short { "plan-more-rows" } else { "plan-rare" };
    let messages = Messages::about("infeasible", found)
        .say_if(is_short, "plan-rows-missing")
        .say_if(found.is_failure, "plan-failure")
        .say_if(found.is_failure, rare);
    document.paragraph(messages.paragraph()).push(principle_levels(&found.failing));
}

fn noise_only(document: &mut Document, reached: &[NoiseAlone]) {
    let mut section = Section::new("Closest result");
    for principle in reached {
        let key = if principle.largest_m.is_some() { "noise-largest" } else { "noise-no-rows" };
        let largest = principle.largest_m.as_ref().map(words::figure).unwrap_or_default();
        let found = Messages::about("infeasible", principle)
            .with("name", words::principle_name(principle.kind, principle.attribute.as_deref()))
            .with("largest", largest);
        section.paragraph(found.say(key).paragraph());
    }
    document.push(section).push(suggestion(plain("infeasible", "try-noise")));
}

/// Explains why a version of a growing table cannot be created.
fn without_version(document: &mut Document, none: &NoVersion, infeasible: &Infeasible) {
    let is_m = none.principles.is_empty();
    let messages = Messages::about("infeasible", none)
        .with("n_suppressible", infeasible.n_suppressible)
        .say(if is_m { "version-m" } else { "version-principle" })
        .say_if(none.n_short > 0, "version-short")
        .say_if(none.n_short == 0 && is_m, "version-frequent")
        .say_if(none.n_suppressed_needed.is_some(), "version-suppression");
    document.paragraph(messages.paragraph()).push(principle_levels(&none.principles));
    document.push(suggestion(plain("infeasible", "try-version")));
}
