//! What linking with the releases in a ledger does to people, in words.

use indistinct::ledger::{Coarser, Effect, Linkage, LinkageRefusal, SensitiveEffect};
use indistinct::words;

use crate::render;
use crate::say;

/// What linking does to people, under a heading.
pub fn print_linkage(linkage: &Linkage) {
    render::heading("Linked with the releases in the ledger");
    print_effect(&linkage.effect);
    if let Some(coarser) = &linkage.coarser {
        print_coarser(coarser);
    }
    if let Some(name) = &linkage.name {
        render::sentence("  ", &format!("It is recorded as '{name}'."));
    }
}

/// That the recoding was made coarser, and what that costs.
pub fn print_coarser(coarser: &Coarser) {
    let cost = match (coarser.without, coarser.with) {
        (Some(without), Some(with)) => format!(
            ": {} {} instead of {}",
            coarser.objective,
            words::number(with),
            words::number(without)
        ),
        _ => String::new(),
    };
    let text = format!(
        "The recoding was made coarser for this{cost}. {} tried.",
        words::counted(coarser.n_tried, "recoding was", "recodings were")
    );
    render::sentence("  ", &text);
}

/// Why there is no release.
pub fn print_refusal(refusal: &LinkageRefusal) {
    let tried = match refusal.n_tried {
        1 => String::new(),
        n => {
            format!(" {} recodings were tried; of the one that comes nearest:", words::thousands(n))
        }
    };
    render::sentence(
        "",
        &format!(
            "The policy can be met, but linked with the releases in the ledger less than required would be sure to remain; nothing was written.{tried}"
        ),
    );
    say!();
    print_effect(&refusal.effect);
    say!();
    render::sentence(
        "",
        "What may help: fewer or coarser quasi-identifiers, a higher level allowed (max_level), a stronger principle on the sensitive \
         attribute, a smaller [linkage] minimum; or not to publish.",
    );
}

/// What linking does to people.
pub fn print_effect(effect: &Effect) {
    let with = match effect.linked_with.as_slice() {
        [] => "It was linked with no recorded release.".to_owned(),
        names => format!("It was linked with {}.", some(names)),
    };
    render::sentence("  ", &with);
    if !effect.nothing_in_common.is_empty() {
        let names = some(&effect.nothing_in_common);
        render::sentence(
            "  ",
            &format!("Without a common quasi-identifier or sensitive attribute: {names}."),
        );
    }
    if !effect.linked_with.is_empty() {
        let who = match effect.people_known {
            true => format!(
                "{} of the table may be in one of them too, by their quasi-identifiers and sensitive values",
                words::counted(effect.n_people, "person", "people")
            ),
            false => format!(
                "who the people are is not known: {} of classes could be somebody's",
                words::counted(effect.n_combinations, "combination", "combinations")
            ),
        };
        render::sentence("  ", &format!("{who}."));
    }
    print_contradictory(effect);
    if effect.n_labels_not_understood > 0 {
        let text = format!(
            "Of {} it is not known what they cover; anything, to be safe.",
            words::counted(effect.n_labels_not_understood, "released label", "released labels")
        );
        render::sentence("  ", &text);
    }
    for sensitive in &effect.sensitive {
        print_sensitive(effect, sensitive);
    }
}

/// Whose quasi-identifiers fit, while sensitive values contradict each other.
fn print_contradictory(effect: &Effect) {
    let who = |people: u64, combinations: u64| match effect.people_known {
        true => words::counted(people, "person", "people"),
        false => words::counted(combinations, "combination of classes", "combinations of classes"),
    };
    let n_unclear = effect.n_unclear_combinations;
    let n_others = effect.n_contradictory - effect.n_unclear;
    if effect.people_known && n_others > 0 {
        let text = format!(
            "For {} only the quasi-identifiers fit: their classes share no sensitive value, so that they are not in all of them.",
            words::counted(n_others, "person", "people")
        );
        render::sentence("  ", &text);
    }
    if n_unclear > 0 {
        let lead = if effect.required.is_some() { "  FAILS  " } else { "  - " };
        let text = format!(
            "For {} the quasi-identifiers fit and the sensitive values contradict each other as they are written: either they are in one \
             release only, or values are written in two ways; then it is not known what remains.",
            who(effect.n_unclear, n_unclear)
        );
        render::sentence(lead, &text);
    }
}

/// So many names are written out.
const MOST_NAMES: usize = 8;

/// Names, of which the JSON answer has all.
fn some(names: &[String]) -> String {
    match names.len().checked_sub(MOST_NAMES) {
        None | Some(0) => words::list(names),
        Some(more) => {
            let mut shown = names[..MOST_NAMES].to_vec();
            shown.push(format!("{more} more"));
            words::list(&shown)
        }
    }
}

fn print_sensitive(effect: &Effect, sensitive: &SensitiveEffect) {
    let name = &sensitive.attribute;
    if let (Some(distinct), Some(frequency), Some(entropy)) =
        (sensitive.distinct_l, sensitive.frequency_l, sensitive.entropy_l)
    {
        let text = format!(
            "{name}: for everybody at least {} (by frequency {}, by entropy {}).",
            words::counted(distinct, "sensitive value remains", "sensitive values remain"),
            words::number(frequency),
            words::number(entropy)
        );
        render::sentence("  - ", &text);
    }
    let Some(required) = &effect.required else { return };
    let wanted = format!("{} by the measure {}", words::number(required.l), required.measure);
    if sensitive.n_harmed_combinations > 0 {
        let who = match effect.people_known {
            true => words::counted(sensitive.n_harmed, "person", "people"),
            false => words::counted(
                sensitive.n_harmed_combinations,
                "combination of classes",
                "combinations of classes",
            ),
        };
        let text = format!(
            "{name}: {who} would be left with less than {wanted}, through this release together with {}.",
            some(&sensitive.harmed_with)
        );
        render::sentence("  FAILS  ", &text);
    }
    if sensitive.n_classes_below > 0 {
        let text = format!(
            "{name}: {} of this release with {} alone show less than {wanted}.",
            words::classes(sensitive.n_classes_below),
            words::rows(sensitive.n_rows_below)
        );
        render::sentence("  FAILS  ", &text);
    }
    if sensitive.n_below_before > 0 {
        let text = format!(
            "{name}: {} had less than {wanted} before, through earlier releases; this release takes nothing more from them.",
            words::counted(sensitive.n_below_before, "person", "people")
        );
        render::sentence("  - ", &text);
    }
}
