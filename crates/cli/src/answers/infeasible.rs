//! Prints answers without a release: the nearest recoding, and suggestions.

use std::collections::BTreeMap;

use indistinct::anonymize::{Infeasible, NoiseAlone, NotByPlan, Shortfall};
use indistinct::text::describe_refusal;
use indistinct::{Nearest, NodeCounts, words};

use super::principles::print_principles;
use super::versions::print_no_version;
use crate::render;
use crate::say;

/// Formats the levels of a node of the lattice.
pub fn levels(node: &BTreeMap<String, usize>) -> String {
    let levels: Vec<String> = node.iter().map(|(name, level)| format!("{name} {level}")).collect();
    levels.join(", ")
}

/// Explains why a table cannot be released with its plan.
fn print_not_by_plan(found: &NotByPlan) {
    if found.n_rows_missing > 0 {
        let text = format!(
            "The plan waits for {}; {} are missing. With fewer, nothing shows that a release fails with a probability of at most {}.",
            words::rows(found.n_rows_needed),
            words::thousands(found.n_rows_missing),
            words::number(found.delta)
        );
        render::sentence("  ", &text);
    }
    if found.is_failure {
        let text = format!(
            "Some class has fewer than {}. {}",
            words::count(found.l, "sensitive value"),
            if found.n_rows_missing > 0 {
                "More rows may help."
            } else {
                "This is the failure that delta speaks of, or the rows are not drawn from the plan's distribution."
            }
        );
        render::sentence("  ", &text);
    }
    if !found.failing.is_empty() {
        print_principles(&found.failing);
    }
}

fn print_noise_alone(reached: &[NoiseAlone]) {
    render::heading("What comes nearest");
    for principle in reached {
        let name = words::principle_name(principle.kind, principle.attribute.as_deref());
        let largest = match &principle.largest_m {
            Some(largest) => format!(
                "even if all sensitive values were noise, {} could be no more than {}",
                principle.parameter,
                words::figure(largest)
            ),
            None => "the table has no rows".to_owned(),
        };
        render::sentence("  ", &format!("{name}: {largest}."));
    }
    say!();
    render::sentence("", "What may help: a smaller m or l, or smaller neighborhoods.");
}

/// Explains why no release was created.
pub fn print_infeasible(infeasible: &Infeasible) {
    if let Some(refusal) = &infeasible.linkage {
        return render::document(&describe_refusal(refusal));
    }
    render::sentence(
        "",
        if matches!(infeasible.shortfall, Some(Shortfall::ByPlan { .. })) {
            "The table cannot be released by its plan; nothing was written."
        } else if infeasible.is_proved {
            "No recoding satisfies the policy; nothing was written."
        } else {
            "No recoding was found that satisfies the policy, which does not prove that there is none; nothing was written."
        },
    );
    match &infeasible.shortfall {
        Some(Shortfall::ByPlan { planned }) => return print_not_by_plan(planned),
        Some(Shortfall::Version { no_version }) => {
            return print_no_version(no_version, infeasible);
        }
        Some(Shortfall::Noise { noise_alone }) => return print_noise_alone(noise_alone),
        _ => {}
    }
    let search = &infeasible.search;
    let lattice = search.lattice.map(|NodeCounts { n_nodes, n_evaluated, .. }| {
        format!(
            "{} of {} evaluated; ",
            words::thousands(n_evaluated),
            words::counted(n_nodes, "node", "nodes")
        )
    });
    render::sentence(
        "  ",
        &format!(
            "{}at most {} of {} may be suppressed.",
            lattice.unwrap_or_default(),
            words::thousands(infeasible.n_suppressible),
            words::rows(infeasible.n_rows)
        ),
    );
    if !infeasible.beyond_reach.is_empty() {
        render::heading("What no recoding reaches");
        for beyond in &infeasible.beyond_reach {
            render::sentence("  - ", &indistinct::advise::text::beyond_reach(beyond));
        }
    }
    let Some(nearest) = infeasible.nearest() else { return };
    render::heading("What comes nearest");
    if nearest.levels.is_empty() {
        return print_coarsest(nearest, may_help(infeasible, COARSER_NEVER));
    }
    render::sentence("  levels: ", &levels(&nearest.levels));
    let needed = match nearest.n_suppressed_needed {
        Some(needed) => format!(
            "The search would have to suppress {}.{}",
            words::rows(needed),
            if infeasible.is_proved { "" } else { " Whether fewer others would do is unknown." }
        ),
        None => format!(
            "{} {}; no number of suppressed rows is known with which every principle would hold.",
            words::rows(nearest.n_failing_rows),
            words::either(
                nearest.n_failing_rows,
                "is in a class that fails",
                "are in classes that fail"
            )
        ),
    };
    render::sentence("  ", &needed);
    print_principles(&nearest.principles);
    say!();
    render::sentence("", &may_help(infeasible, COARSER_MAY));
}

/// Suggestions for cases in which coarser classes may help, and for cases in which they never do.
const COARSER_MAY: &str = "weaker principles, a higher max_level, or fewer quasi-identifiers";
const COARSER_NEVER: &str = "or weaker principles";

/// Returns suggestions. If some requirements are unreachable, the suggestions include only changes
/// that make them reachable.
fn may_help(infeasible: &Infeasible, coarser: &str) -> String {
    match infeasible.beyond_reach.is_empty() {
        true => format!("What may help: a higher suppression_limit, {coarser}."),
        false => {
            let suppression = match infeasible.beyond_reach.iter().all(|it| it.suppression_may_help)
            {
                true => "; or a higher suppression_limit",
                false => "",
            };
            format!(
                "What may help: what is said above of what is in reach{suppression}. Coarser values, a higher max_level or fewer \
                 quasi-identifiers do not."
            )
        }
    }
}

/// Prints the coarsest classes, for methods that do not assign levels to attributes.
fn print_coarsest(nearest: &Nearest<BTreeMap<String, usize>>, help: String) {
    render::sentence(
        "  ",
        "The coarsest classes that the policy allows; every other division refines them.",
    );
    print_principles(&nearest.principles);
    say!();
    render::sentence("", &help);
}
