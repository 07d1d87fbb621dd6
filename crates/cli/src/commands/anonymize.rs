//! The command `indistinct anonymize`.

use std::collections::BTreeMap;

use indistinct::Session;
use indistinct::anonymize::{
    ByPlan, GeneratedColumn, Noise, OfMethod, Outcome, PrivateContent, PrivateLocation, Replace,
    Separation, WrittenRelease,
};
use indistinct::ledger::Step;
use indistinct::text::{describe_linkage, without_information};
use indistinct::{CountedUnit, Risk, words};

use super::{open_job, warn_all};
use crate::Verdict;
use crate::answers::infeasible::{levels, nodes_evaluated, print_infeasible};
use crate::answers::print_principles;
use crate::answers::versions::print_version;
use crate::args::{Anonymize, Global};
use crate::failure::{Failure, UsageError};
use crate::progress::Terminal;
use crate::render::{self, Align};
use crate::say;

/// The note on the private directory.
const DO_NOT_PUBLISH: &str =
    "do not publish this folder: it contains information and a report for the data holder only";

pub fn run(global: &Global, session: &Session, options: &Anonymize) -> Result<Verdict, Failure> {
    if options.output.as_os_str() == "-" {
        return Err(UsageError::NoDirectory.into());
    }
    let (terminal, session) = Terminal::new(global).that_takes_the_best_so_far().observe(session);
    let private = options.private.clone().map(PrivateLocation::from).unwrap_or_default();
    let job = open_job(global, &session, &options.policy, options.data.as_deref())?;
    let job = job.with_private(private);
    let replace = if options.force { Replace::Force } else { Replace::Forbid };
    let outcome = match &options.ledger {
        None => indistinct::anonymize::anonymize(&job, &options.output, replace)?,
        Some(ledger) => {
            indistinct::ledger::anonymize(&job, &options.output, replace, ledger, &stop_at())?
        }
    };
    terminal.end();
    if let Outcome::Released(released) = &outcome {
        warn_all(&released.warnings);
    }
    render::answer(global, &outcome, |outcome| match outcome {
        Outcome::Released(released) => print_released(released),
        Outcome::Infeasible(infeasible) => print_infeasible(infeasible),
    });
    Ok(match outcome {
        Outcome::Released(_) => Verdict::Done,
        Outcome::Infeasible(_) => Verdict::NotMet,
    })
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
    if let Some(unique) = indistinct::text::facts::unique_values(&released.unique_rows) {
        render::sentence("  ", &unique);
    }
    if let Some(risk) = &released.population {
        render::list("Population risk of the input", &indistinct::text::sample_risk(&risk.before));
        let after = risk.after.as_ref().map(indistinct::text::sample_risk);
        render::list("Population risk of the release", &after.unwrap_or_default());
    }
    print_recoding(released);

    print_cost(released);
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
    print_written(released);
}

/// Prints the suppressed rows and cells, and the losses.
fn print_cost(released: &WrittenRelease) {
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
    if let Some(lost) = without_information(&released.attribute_loss) {
        render::sentence("  ", &lost);
    }
    if let Some(coarsened) = indistinct::text::facts::coarsening_loss(&released.coarsening_loss) {
        render::sentence("  ", &coarsened);
    }
}

fn print_written(released: &WrittenRelease) {
    render::heading("Written");
    let release = released.release.display().to_string();
    say!("  release  {release}");
    say!("  report   {}", released.release.join("report.html").display());
    match &released.private {
        Some(private) => {
            say!("  private  {}", private.display());
            render::sentence("           ", DO_NOT_PUBLISH);
        }
        None => say!("  private  none"),
    }
    if let Some(address) = &released.uploaded {
        say!("  uploaded {address}");
    }
    let without = |content: &PrivateContent| indistinct::text::private::without(*content);
    let omitted: Vec<&str> = released.omitted_private.iter().map(without).collect();
    render::list("Without the private directory", &omitted);
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
        ("attribute", Align::Text),
        ("rows changed", Align::Number),
        ("variance lost", Align::Number),
    ];
    render::table(&header, generated.iter().map(row).collect());
}

fn print_recoding(released: &WrittenRelease) {
    let (recoding, search) = (&released.recoding, &released.search);
    let is_stopped = recoding.optimality.is_stopped();
    render::heading("Recoding");
    let quality = match &released.of_method {
        Some(OfMethod::Noise { .. }) => {
            "original quasi-identifiers; sensitive values with noise".to_owned()
        }
        Some(OfMethod::ByPlan { .. }) => "classes and released values from the plan".to_owned(),
        Some(OfMethod::Generated { .. }) => format!(
            "released values are generated for each class or row{}",
            if is_stopped { "; the search was stopped" } else { "" }
        ),
        Some(OfMethod::TwoTables { .. }) => format!(
            "original quasi-identifiers; sensitive values in a separate table{}",
            if is_stopped {
                "; the search was stopped, and more classes may be possible"
            } else {
                ""
            }
        ),
        _ => quality_of_search(released),
    };
    let nodes = nodes_evaluated(search.lattice).map_or(String::new(), |nodes| nodes + ", ");
    let seconds = search.seconds.unwrap_or_default();
    let found = format!("{}; {quality} ({nodes}{seconds:.2} s).", recoding.method);
    render::sentence("  ", &found);
    say!();
    print_attributes(released);
}

/// Describes the quality of the recoding that the search found.
fn quality_of_search(released: &WrittenRelease) -> String {
    let (optimality, objective) = (&released.recoding.optimality, &released.recoding.objective);
    if optimality.is_proved() {
        return format!("no node of the lattice has a lower {objective}");
    }
    if optimality.is_stopped() {
        let best = "the best recoding found before the search was stopped";
        return match optimality.gap_fraction() {
            Some(gap) => format!(
                "{best}; its {objective} is at most {} above the lowest possible {objective}",
                words::percent(gap)
            ),
            None => format!("{best}; a better one may exist"),
        };
    }
    if optimality.is_proved_for_levels() {
        return format!(
            "these levels minimize the {objective}, provided that failing classes are suppressed \
             as a whole"
        );
    }
    match (released.search.lattice, &released.linkage) {
        (Some(_), None) => format!(
            "not proved to have the lowest {objective}, because suppressing other rows might be \
             better"
        ),
        (Some(_), Some(_)) => format!("not proved to have the lowest {objective}"),
        (None, _) => {
            "every class has its own released values; not all recodings were tried".to_owned()
        }
    }
}

/// Prints the loss of each attribute and, if attributes have levels, the effect of a lower level.
fn print_attributes(released: &WrittenRelease) {
    if released.explanation.is_empty() {
        let row = |(name, loss): (&String, &f64)| vec![name.clone(), words::number(*loss)];
        let rows = released.attribute_loss.iter().map(row).collect();
        return render::table(&[("attribute", Align::Text), ("loss", Align::Number)], rows);
    }
    let row = |attribute: &indistinct::AttributeExplanation| {
        vec![
            attribute.name.clone(),
            format!("{} of {}", attribute.level, attribute.n_levels - 1),
            words::number(attribute.loss),
            one_less(attribute, released),
        ]
    };
    let header = [
        ("attribute", Align::Text),
        ("level", Align::Number),
        ("loss", Align::Number),
        ("one level lower", Align::Text),
    ];
    render::table(&header, released.explanation.iter().map(row).collect());
}

fn print_risk(what: &str, risk: &Risk) {
    match (risk.prosecutor_max, risk.prosecutor_mean, risk.unique_fraction) {
        (Some(highest), Some(mean), Some(unique)) => say!(
            "  {what:<8} highest {}, on average {}; {} of the rows are unique by quasi-identifiers",
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

/// Prints the effect of perturbation on the sensitive values and the resulting protection.
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
        "Neither membership in the table nor the identities of the people behind the rows are \
         protected"
            .to_owned(),
    ];
    for sentence in sentences {
        render::sentence("  ", &format!("{sentence}."));
    }
}

/// Prints the protection that the separation into two tables provides, and its limits.
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
                      nor the identities of the people behind the rows are protected";
    for sentence in per_row.into_iter().chain([membership.to_owned()]) {
        render::sentence("  ", &format!("{sentence}."));
    }
}

/// Prints the guarantees of the plan for this release and for other releases that follow the plan.
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
