//! The command `indistinct anonymize`.

use std::collections::BTreeMap;

use indistinct::Session;
use indistinct::anonymize::{
    ByPlan, GeneratedColumn, Noise, OfMethod, Outcome, Replace, Separation, WrittenRelease,
};
use indistinct::ledger::Step;
use indistinct::text::describe_linkage;
use indistinct::{CountedUnit, NodeCounts, Risk, words};

use super::{open_job, warn_all};
use crate::answers::infeasible::{levels, print_infeasible};
use crate::answers::principles::print_principles;
use crate::answers::versions::print_version;
use crate::args::{Anonymize, Format, Global};
use crate::failure::{Failure, usage};
use crate::progress::Terminal;
use crate::render::{self, Align};
use crate::say;
use crate::verdict::Verdict;

pub fn run(global: &Global, session: &Session, options: &Anonymize) -> Result<Verdict, Failure> {
    if options.output.as_os_str() == "-" {
        return Err(Failure::Usage {
            code: usage::NO_DIRECTORY.code,
            message: "a release cannot be written to standard output".to_owned(),
            help: usage::NO_DIRECTORY.what_to_do.to_owned(),
        });
    }
    let (terminal, session) = Terminal::new(global).that_takes_the_best_so_far().observe(session);
    let job = open_job(global, &session, &options.policy, None)?;
    let replace = if options.force { Replace::Force } else { Replace::Forbid };
    let outcome = match &options.ledger {
        None => indistinct::anonymize::anonymize(&job, &options.output, replace)?,
        Some(ledger) => {
            indistinct::ledger::anonymize(&job, &options.output, replace, ledger, &stop_at())?
        }
    };
    terminal.end();
    if global.format == Format::Json {
        render::json(&outcome);
    }
    match &outcome {
        Outcome::Released(released) => {
            warn_all(&released.warnings);
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

/// Simulates a crash at a step of the ledger protocol. Only tests use this function, and only debug
/// builds contain it.
fn stop_at() -> impl Fn(Step) + Sync {
    let stop_at = std::env::var("INDISTINCT_STOP_AT").ok().filter(|_| cfg!(debug_assertions));
    move |step| {
        if stop_at.as_deref() == Some(step.name()) {
            std::process::abort();
        }
    }
}

fn print_released(released: &WrittenRelease) {
    say!("Read {} from {}.", words::rows(released.n_rows), released.input.display());
    render::heading(match CountedUnit::from_claims(&released.principles) {
        CountedUnit::Rows => "Risk",
        CountedUnit::People => {
            "Risk of a single row; a person with several rows is easier to identify"
        }
    });
    print_risk("input", &released.risk.before);
    print_risk("release", &released.risk.after);
    if let Some(risk) = &released.population {
        render::list("Population risk of the input", &indistinct::text::sample_risk(&risk.before));
        let after = risk.after.as_ref().map(indistinct::text::sample_risk);
        render::list("Population risk of the release", &after.unwrap_or_default());
    }
    print_recoding(released);

    render::heading("Cost");
    let suppressed = format!(
        "{} {} ({}), {} released in {}.",
        words::rows(released.n_suppressed),
        match released.suppressed_cells {
            Some(_) => "with suppressed cells",
            None => "suppressed",
        },
        words::share(released.n_suppressed, released.n_rows),
        words::rows(released.n_released),
        words::classes(released.n_classes)
    );
    render::sentence("  ", &suppressed);
    if let Some(cells) = &released.suppressed_cells {
        let any = cells.iter().filter(|(_, rows)| **rows > 0);
        let any: Vec<String> =
            any.map(|(name, rows)| format!("{name} {}", words::thousands(*rows))).collect();
        if !any.is_empty() {
            render::sentence("  ", &format!("Suppressed cells, by column: {}.", any.join(", ")));
        }
    }
    let losses: Vec<String> = released
        .loss
        .iter()
        .map(|(name, value)| format!("{name} {}", words::number(*value)))
        .collect();
    render::sentence("  ", &losses.join(", "));

    match &released.of_method {
        Some(OfMethod::Noise { perturbation }) => print_noise(perturbation),
        _ => print_principles(&released.principles),
    }
    if let Some(generalized) = &released.generalized_values {
        render::heading("Generalized values");
        let sentence = indistinct::text::facts::generalized_values(generalized);
        render::sentence("  ", &sentence.to_string());
    }
    match &released.of_method {
        Some(OfMethod::Version { invariance }) => {
            print_version(invariance, released.n_released);
        }
        Some(OfMethod::TwoTables { separation }) => print_separation(separation),
        Some(OfMethod::ByPlan { planned }) => print_by_plan(planned),
        Some(OfMethod::Generated { generated }) => print_generated(generated),
        _ => {}
    }
    if let Some(linkage) = &released.linkage {
        render::section(describe_linkage(linkage));
    }
    if let Some(nodes) = released.minimal_nodes() {
        render::heading(&format!("Minimal nodes ({})", words::thousands(nodes.len() as u64)));
        for node in nodes {
            render::sentence("  ", &levels(node));
        }
    }
    render::heading("Written");
    let release = released.release.display().to_string();
    say!("  release  {release}");
    say!("  report   {}", released.release.join("report.html").display());
    say!("  private  {}", released.private.display());
    render::sentence(
        "           ",
        "do not publish this folder: it contains information and a report for the data holder only",
    );
    if let Some(address) = &released.uploaded {
        say!("  uploaded {address}");
    }
    let checks = released.location().command();
    render::heading(&format!("To verify the release, anyone can run: {checks}"));
}

/// Prints the information loss in columns with generated values.
fn print_generated(generated: &BTreeMap<String, GeneratedColumn>) {
    render::heading("Generated values");
    let row = |(name, column): (&String, &GeneratedColumn)| {
        let lost = column.variance_lost.map_or("-".to_owned(), words::percent);
        vec![name.clone(), words::thousands(column.n_changed), lost]
    };
    let header = [
        ("attribute", Align::Left),
        ("rows changed", Align::Right),
        ("variance lost", Align::Right),
    ];
    render::table(&header, generated.iter().map(row).collect());
}

fn print_recoding(released: &WrittenRelease) {
    let (recoding, search) = (&released.recoding, &released.search);
    render::heading("Recoding");
    let lattice = search.lattice.map(|NodeCounts { n_nodes, n_evaluated, .. }| {
        format!(
            "{} of {} evaluated, ",
            words::thousands(n_evaluated),
            words::counted(n_nodes, "node", "nodes")
        )
    });
    let by_search = || match (recoding.optimality.is_proved(), &lattice) {
        (true, _) => format!("no node of the lattice has a lower {}", recoding.objective),
        (false, _) if recoding.optimality.is_stopped() => {
            match recoding.optimality.gap_fraction() {
                Some(gap) => format!(
                    "the best recoding found before the search was stopped, which is at most {} \
                     above the lowest {}",
                    words::percent(gap),
                    recoding.objective
                ),
                None => "the best recoding found before the search was stopped; a better one may \
                         exist"
                    .to_owned(),
            }
        }
        (false, _) if recoding.optimality.is_proved_for_levels() => format!(
            "these levels minimize the {}, provided that failing classes are suppressed as a whole",
            recoding.objective
        ),
        (false, Some(_)) if released.linkage.is_none() => format!(
            "not proved to have the lowest {}, because suppressing other rows might be better",
            recoding.objective
        ),
        (false, Some(_)) => format!("not proved to have the lowest {}", recoding.objective),
        (false, None) => {
            "every class has its own released values; not all recodings were tried".to_owned()
        }
    };
    let quality = match &released.of_method {
        Some(OfMethod::Noise { .. }) => {
            "original quasi-identifiers; sensitive values with noise".to_owned()
        }
        Some(OfMethod::ByPlan { .. }) => "classes and released values from the plan".to_owned(),
        Some(OfMethod::Generated { .. }) => format!(
            "released values are generated for each class or row{}",
            if recoding.optimality.is_stopped() { "; the search was stopped" } else { "" }
        ),
        Some(OfMethod::TwoTables { .. }) => format!(
            "original quasi-identifiers; sensitive values in a separate table{}",
            if recoding.optimality.is_stopped() {
                "; the search was stopped, and more classes may be possible"
            } else {
                ""
            }
        ),
        _ => by_search(),
    };
    let found = format!(
        "{}; {quality} ({}{:.2} s).",
        recoding.method,
        lattice.unwrap_or_default(),
        search.seconds.unwrap_or_default()
    );
    render::sentence("  ", &found);
    say!();
    if released.explanation.is_empty() {
        let rows = released
            .attribute_loss
            .iter()
            .map(|(name, loss)| vec![name.clone(), words::number(*loss)])
            .collect();
        render::table(&[("attribute", Align::Left), ("loss", Align::Right)], rows);
        return;
    }
    let rows = released
        .explanation
        .iter()
        .map(|attribute| {
            vec![
                attribute.name.clone(),
                format!("{} of {}", attribute.level, attribute.n_levels - 1),
                words::number(attribute.loss),
                one_less(attribute, released),
            ]
        })
        .collect();
    let header = [
        ("attribute", Align::Left),
        ("level", Align::Right),
        ("loss", Align::Right),
        ("one level lower", Align::Left),
    ];
    render::table(&header, rows);
}

fn print_risk(what: &str, risk: &Risk) {
    match (risk.prosecutor_max, risk.prosecutor_mean, risk.unique_fraction) {
        (Some(highest), Some(mean), Some(unique)) => say!(
            "  {what:<8} highest {}, on average {}; {} of the rows are unique",
            words::percent(highest),
            words::percent(mean),
            words::percent(unique)
        ),
        _ => say!("  {what:<8} no rows"),
    }
}

fn one_less(attribute: &indistinct::AttributeExplanation, released: &WrittenRelease) -> String {
    let Some(down) = &attribute.one_level_down else { return "- (original values)".to_owned() };
    let why = down.not_taken.map(words::not_taken).unwrap_or_default();
    if down.breaks.is_empty() {
        return format!("satisfies all principles: {why}");
    }
    let kinds: Vec<&str> = down.breaks.iter().map(|broken| broken.kind.as_str()).collect();
    let limit = match down.within_limit {
        false => "above the suppression limit".to_owned(),
        true => format!("within the suppression limit: {why}"),
    };
    format!(
        "violates {} in {} of rows, {limit}",
        words::list(&kinds),
        words::share(down.n_failing_rows, released.n_rows)
    )
}

/// Prints how the perturbation affects the sensitive values and how much it protects them.
fn print_noise(noise: &Noise) {
    render::heading("Perturbation");
    let sentences = [
        format!(
            "A row keeps its sensitive value with probability {}; noise is drawn from {}",
            noise.p,
            words::counted(noise.n_domain_values, "value", "values")
        ),
        format!(
            "The risk of every row is at most {}; for an adversary who knows the released value, \
             it is at most {}",
            noise.risk, noise.risk_given_value
        ),
        "Neither membership in the table nor the identity of rows is protected".to_owned(),
    ];
    for sentence in sentences {
        render::sentence("  ", &format!("{sentence}."));
    }
}

/// Prints how much the separation into two tables protects, and its limits.
fn print_separation(separation: &Separation) {
    render::heading("Separation");
    let per_row = separation.reconstruction_error_per_row.map(|error| {
        format!(
            "The mean error of reconstructing a sensitive value from the distribution in its class \
             is {} (0 means that all sensitive values are disclosed)",
            words::number(error)
        )
    });
    let membership = "Original quasi-identifiers are published, so neither membership in the table \
                      nor the identity of rows is protected";
    for sentence in per_row.into_iter().chain([membership.to_owned()]) {
        render::sentence("  ", &format!("{sentence}."));
    }
}

/// Prints the plan's guarantees for this release and for others that use the same plan.
fn print_by_plan(planned: &ByPlan) {
    render::heading("Plan");
    let event = match planned.n_designated_missing {
        0 => format!(
            "All {} designated values occur in their classes, as required for linkage with other \
             releases of the plan",
            words::thousands(planned.n_designated)
        ),
        missing => format!(
            "{} of {} designated values {}. This release satisfies its principles, but fewer than \
             {} may remain after linkage with other releases of the plan",
            words::thousands(missing),
            words::thousands(planned.n_designated),
            words::either(missing, "does not occur in its class", "do not occur in their classes"),
            words::count(planned.l, "sensitive value")
        ),
    };
    let promise = format!(
        "After linkage of t releases of this plan, at least {} remain for every person, with a \
         failure probability of t times {}, provided that rows are drawn independently from the \
         distribution of the plan and every release follows this plan exactly",
        words::count(planned.l, "sensitive value"),
        words::number(planned.delta)
    );
    for sentence in [event, promise] {
        render::sentence("  ", &format!("{sentence}."));
    }
}
