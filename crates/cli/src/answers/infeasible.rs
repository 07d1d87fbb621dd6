//! Prints the nearest recoding and suggestions if no release satisfies the policy.

use std::collections::BTreeMap;

use indistinct::anonymize::{Infeasible, NoiseAlone, NotByPlan, Shortfall};
use indistinct::text::describe_refusal;
use indistinct::{Nearest, NodeCounts, words};

use super::print_principles;
use super::versions::print_no_version;
use crate::render;
use crate::say;

/// Formats the levels of a node of the lattice.
pub fn levels(node: &BTreeMap<String, usize>) -> String {
    let levels: Vec<String> = node.iter().map(|(name, level)| format!("{name} {level}")).collect();
    levels.join(", ")
}

/// Formats the number of evaluated nodes of a lattice.
pub fn nodes_evaluated(lattice: Option<NodeCounts>) -> Option<String> {
    let NodeCounts { n_nodes, n_evaluated, .. } = lattice?;
    let nodes = words::counted(n_nodes, "node", "nodes");
    Some(format!("{} of {nodes} evaluated", words::thousands(n_evaluated)))
}

/// Explains why a table cannot be released with its plan.
fn print_not_by_plan(found: &NotByPlan) {
    if found.n_rows_missing > 0 {
        let text = format!(
            "The plan requires {}, but {} missing. With fewer rows, the failure probability \
             may exceed {}.",
            words::rows(found.n_rows_needed),
            words::counted(found.n_rows_missing, "is", "are"),
            words::number(found.delta)
        );
        render::sentence("  ", &text);
    }
    if found.is_failure {
        let text = format!(
            "At least one class has fewer than {}. {}",
            words::count(found.l, "sensitive value"),
            if found.n_rows_missing > 0 {
                "A table with more rows may satisfy the plan."
            } else {
                "The probability of this failure is at most delta if the rows follow the \
                 distribution of the plan."
            }
        );
        render::sentence("  ", &text);
    }
    if !found.failing.is_empty() {
        print_principles(&found.failing);
    }
}

fn print_noise_alone(reached: &[NoiseAlone]) {
    render::heading("Closest result");
    for principle in reached {
        let name = words::principle_name(principle.kind, principle.attribute.as_deref());
        let largest = match &principle.largest_m {
            Some(largest) => format!(
                "{} can be at most {}, even if all sensitive values are replaced by noise",
                principle.parameter,
                words::figure(largest)
            ),
            None => "the table has no rows".to_owned(),
        };
        render::sentence("  ", &format!("{name}: {largest}."));
    }
    say!();
    render::sentence("", "Try a smaller m, a smaller l, or smaller neighborhoods.");
}

/// Explains why no release was created.
pub fn print_infeasible(infeasible: &Infeasible) {
    if let Some(refusal) = &infeasible.linkage {
        return render::document(&describe_refusal(refusal));
    }
    render::sentence(
        "",
        if matches!(infeasible.shortfall, Some(Shortfall::ByPlan { .. })) {
            "The table cannot be released under its plan; nothing was written."
        } else if infeasible.is_proved {
            "No recoding satisfies the policy; nothing was written."
        } else {
            "The search found no recoding that satisfies the policy, but such a recoding may \
             exist; nothing was written."
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
    let nodes = nodes_evaluated(infeasible.search.lattice);
    render::sentence(
        "  ",
        &format!(
            "{}at most {} of {} may be suppressed.",
            nodes.map_or(String::new(), |nodes| nodes + "; "),
            words::thousands(infeasible.n_suppressible),
            words::rows(infeasible.n_rows)
        ),
    );
    if !infeasible.beyond_reach.is_empty() {
        render::heading("Infeasible requirements");
        for beyond in &infeasible.beyond_reach {
            render::sentence("  - ", &indistinct::advise::text::beyond_reach(beyond));
        }
    }
    let Some(nearest) = infeasible.nearest() else { return };
    render::heading("Closest result");
    if nearest.levels.is_empty() {
        return print_coarsest(nearest, may_help(infeasible, COARSER_NEVER));
    }
    render::sentence("  levels: ", &levels(&nearest.levels));
    let needed = match nearest.n_suppressed_needed {
        Some(needed) => format!(
            "The search would have to suppress {}.{}",
            words::rows(needed),
            if infeasible.is_proved {
                ""
            } else {
                " A different selection may require the suppression of fewer rows."
            }
        ),
        None => format!(
            "{} {}; it is unknown how many rows must be suppressed to satisfy all principles.",
            words::rows(nearest.n_failing_rows),
            words::either(
                nearest.n_failing_rows,
                "is in a failing class",
                "are in failing classes"
            )
        ),
    };
    render::sentence("  ", &needed);
    print_principles(&nearest.principles);
    say!();
    render::sentence("", &may_help(infeasible, COARSER_MAY));
}

/// Suggestions if coarser classes may help.
const COARSER_MAY: &str = ", weaker principles, a higher max_level, or fewer quasi-identifiers";
const COARSER_NEVER: &str = " or weaker principles";

/// Returns suggestions. If some requirements are unreachable, only changes that make them reachable
/// are suggested.
fn may_help(infeasible: &Infeasible, coarser: &str) -> String {
    match infeasible.beyond_reach.is_empty() {
        true => format!("Try a higher suppression_limit{coarser}."),
        false => {
            let suppression = match infeasible.beyond_reach.iter().all(|it| it.suppression_may_help)
            {
                true => ", or use a higher suppression_limit",
                false => "",
            };
            format!(
                "Change the infeasible requirements as described above{suppression}. Coarser \
                 values, a higher max_level, and fewer quasi-identifiers do not help."
            )
        }
    }
}

/// Prints the coarsest classes if the method does not assign levels to attributes.
fn print_coarsest(nearest: &Nearest<BTreeMap<String, usize>>, help: String) {
    render::sentence(
        "  ",
        "These are the coarsest classes that the policy permits; all other partitions refine these \
         classes.",
    );
    print_principles(&nearest.principles);
    say!();
    render::sentence("", &help);
}
