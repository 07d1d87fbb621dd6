//! `indistinct anonymize`.

use indistinct::anonymize::{Infeasible, Outcome, Released, Replace};
use indistinct::words;
use indistinct::{PrincipleClaim, Risk};

use super::{open_job, warn_all};
use crate::Verdict;
use crate::args::{Anonymize, Format, Global};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, options: &Anonymize) -> Result<Verdict, Failure> {
    let job = open_job(global, &options.policy, None)?;
    let observer = Terminal::new(global);
    let replace = if options.force { Replace::Force } else { Replace::Forbid };
    let outcome = indistinct::anonymize::anonymize(&job, &options.output, replace, &observer)?;
    drop(observer);
    if global.format == Format::Json {
        render::json(&serde_json::to_value(&outcome).expect("an outcome can be written as JSON"));
    }
    match &outcome {
        Outcome::Released(released) => {
            warn_all(global, &released.warnings);
            if global.format == Format::Text {
                print_released(released);
            }
            Ok(Verdict::Done)
        }
        Outcome::Infeasible(infeasible) => {
            if global.format == Format::Text {
                print_infeasible(infeasible);
            }
            Ok(Verdict::NotMet)
        }
    }
}

fn print_released(released: &Released) {
    println!("Read {} from {}.", words::rows(released.n_rows), released.input.display());
    render::heading("Risk");
    print_risk("input", &released.risk.before);
    print_risk("release", &released.risk.after);

    let recoding = &released.recoding;
    let search = &released.search;
    render::heading("Recoding");
    let quality = if recoding.optimal {
        format!("no node of the lattice has a lower {}", recoding.objective)
    } else {
        format!(
            "the best found before the time limit, not proved to have the lowest {}",
            recoding.objective
        )
    };
    println!(
        "  {}; {quality} ({} of {} nodes evaluated, {:.2} s).",
        recoding.method,
        words::thousands(search.n_evaluated),
        words::thousands(search.n_nodes),
        search.seconds
    );
    let rows = released
        .explanation
        .iter()
        .map(|attribute| {
            vec![
                attribute.name.clone(),
                one_less(attribute, released.n_rows),
                format!("{} of {}", attribute.level, attribute.n_levels - 1),
                words::number(attribute.loss),
            ]
        })
        .collect();
    println!("{}", render::table(&["attribute", "one level less would", "level", "loss"], 2, rows));

    render::heading("Cost");
    println!(
        "  {} suppressed ({}), {} released in {}.",
        words::rows(released.n_suppressed),
        words::share(released.n_suppressed, released.n_rows),
        words::rows(released.n_released),
        words::classes(released.n_classes)
    );
    let losses: Vec<String> = released
        .loss
        .iter()
        .map(|(name, value)| format!("{name} {}", words::number(*value)))
        .collect();
    println!("  {}", losses.join(", "));

    print_principles(&released.principles);
    if let Some(nodes) = &released.minimal_nodes {
        render::heading(&format!("Minimal nodes ({})", nodes.len()));
        for node in nodes {
            let levels: Vec<String> =
                node.iter().map(|(name, level)| format!("{name} {level}")).collect();
            println!("  {}", levels.join(", "));
        }
    }
    render::heading("Written");
    println!("  release  {}", released.release.display());
    println!("  report   {}", released.release.join("report.html").display());
    println!("  private  {} (keep it: what only the holder may know)", released.private.display());
}

fn print_risk(what: &str, risk: &Risk) {
    match (risk.prosecutor_max, risk.prosecutor_mean, risk.unique_fraction) {
        (Some(highest), Some(mean), Some(unique)) => println!(
            "  {what:<8} highest {}, on average {}; {} of the rows are unique",
            words::percent(highest),
            words::percent(mean),
            words::percent(unique)
        ),
        _ => println!("  {what:<8} no rows"),
    }
}

fn one_less(attribute: &indistinct::AttributeExplanation, n_rows: u64) -> String {
    let Some(down) = &attribute.one_level_down else { return "- (released as it is)".to_owned() };
    if down.breaks.is_empty() {
        return "keep all principles".to_owned();
    }
    let kinds: Vec<&str> = down.breaks.iter().map(|broken| broken.kind.as_str()).collect();
    let limit =
        if down.within_limit { "within the limit, at a higher loss" } else { "above the limit" };
    format!(
        "fail {} for {} of the rows, {limit}",
        words::list(&kinds),
        words::share(down.n_failing_rows, n_rows)
    )
}

/// Required and reached, one line a principle.
pub fn print_principles(principles: &[PrincipleClaim]) {
    render::heading("Principles");
    for claim in principles {
        let mark = if claim.holds { "holds" } else { "FAILS" };
        println!("  {mark}  {}", words::claim(claim));
    }
}

fn print_infeasible(infeasible: &Infeasible) {
    println!("No recoding satisfies the policy; nothing was written.");
    println!(
        "  {} of {} nodes evaluated; at most {} of {} may be suppressed.",
        words::thousands(infeasible.search.n_evaluated),
        words::thousands(infeasible.search.n_nodes),
        words::thousands(infeasible.n_suppressible),
        words::rows(infeasible.n_rows)
    );
    let Some(nearest) = &infeasible.nearest else { return };
    let levels: Vec<String> =
        nearest.levels.iter().map(|(name, level)| format!("{name} {level}")).collect();
    render::heading("What comes nearest");
    println!("  levels: {}", levels.join(", "));
    match nearest.n_suppressed_needed {
        Some(needed) => println!("  {} would have to be suppressed.", words::rows(needed)),
        None => println!(
            "  {} are in classes that fail, and starred together they fail as well.",
            words::rows(nearest.n_failing_rows)
        ),
    }
    print_principles(&nearest.principles);
    println!(
        "\nWhat may help: a higher suppression_limit, weaker principles, a higher max_level, or fewer quasi-identifiers."
    );
}
