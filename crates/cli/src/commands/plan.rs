//! The command `indistinct plan`.

use std::path::{Path, PathBuf};

use indistinct::Session;
use indistinct::plan::{
    Basis, Choice, Cover, Dependence, Failure as OfFailure, FurtherRequest, Linked, Order, Outcome,
    PlanAnswer, Request, Source, Weight, WeightedTable, compose, figures, plan, worst_case,
};
use indistinct::text::{
    describe_joint_promise, describe_plan, describe_too_few_rows, describe_worst_case,
};

use super::{input_spec, open_job_to_plan, warn_all};
use crate::Verdict;
use crate::answers::written::PlannedFiles;
use crate::args::{Format, Global, InputOptions, Plan, PlanBasis, PlanOrder};
use crate::failure::{Failure, UsageError};
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, session: &Session, options: &Plan) -> Result<Verdict, Failure> {
    if !options.compose.is_empty() {
        let promise = compose(&options.compose)?;
        match global.format {
            Format::Json => render::json(&PlannedFiles::Composed(&promise)),
            Format::Text => render::document(&describe_joint_promise(&promise)),
        }
        return Ok(if promise.holds() { Verdict::Done } else { Verdict::NotMet });
    }
    if let Some(n_sensitive_values) = options.sensitive_values {
        let found = worst_case(n_sensitive_values, options.worst_case.clone())?;
        match global.format {
            Format::Json => render::json(&PlannedFiles::WorstCase(&found)),
            Format::Text => render::document(&describe_worst_case(&found)),
        }
        return Ok(Verdict::Done);
    }
    let l = options.l.expect("the parser requires --l to create a plan");
    refuse_existing(options)?;
    let (terminal, session) =
        Terminal::new(global).that_only_reads(options.time_limit).observe(session);
    let job;
    let source = match (&options.policy, &options.counts) {
        (Some(policy), _) => {
            refuse_with_policy(options)?;
            job = open_job_to_plan(global, &session, policy)?;
            Source::Earlier { job: &job, sensitive: options.sensitive.clone() }
        }
        (None, Some(table)) => Source::Weighted(weighted(options, table)?),
        (None, None) => unreachable!("the parser requires a policy or --counts"),
    };
    let outcome = plan(&session, &source, &request(options, l)?)?;
    terminal.end();
    match outcome {
        Outcome::Planned(planned) => {
            warn_all(&planned.warnings);
            let files = write(options, &planned)?;
            match global.format {
                Format::Json => {
                    render::json(&PlannedFiles::Planned { plan: &planned, files: &files })
                }
                Format::Text => render::document(&describe_plan(&planned, &files)),
            }
            Ok(Verdict::Done)
        }
        Outcome::TooFewRows(too_few) => {
            match global.format {
                Format::Json => render::json(&PlannedFiles::TooFewRows(&too_few)),
                Format::Text => {
                    render::document(&describe_too_few_rows(l, &too_few));
                }
            }
            Ok(Verdict::NotMet)
        }
    }
}

fn usage(message: &str, help: &'static str) -> Failure {
    UsageError::Plan { message: message.to_owned(), help }.into()
}

/// Rejects existing output files before the computation, because existing files are never replaced.
fn refuse_existing(options: &Plan) -> Result<(), Failure> {
    let is_plan = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml");
    if options.output.as_ref().is_some_and(|path| !is_plan(path)) {
        let message = "the file name of the plan does not end in .toml";
        return Err(usage(message, "use a file name such as -o plan.toml"));
    }
    let written =
        [(&options.output, "specify another file"), (&options.figures, "specify another folder")];
    for (path, help) in written {
        if let Some(path) = path.as_ref().filter(|path| path.exists()) {
            let message = format!("'{}' already exists and is not replaced", path.display());
            return Err(usage(&message, help));
        }
    }
    Ok(())
}

fn refuse_with_policy(options: &Plan) -> Result<(), Failure> {
    if options.input == InputOptions::default() {
        return Ok(());
    }
    Err(UsageError::ConflictsWithPolicy { options: "--delimiter and --null-value" }.into())
}

fn weighted(options: &Plan, table: &Path) -> Result<WeightedTable, Failure> {
    let weight = match (&options.count, &options.probability) {
        (Some(column), _) => Weight::Count(column.clone()),
        (None, Some(column)) => Weight::Probability(column.clone()),
        (None, None) => {
            return Err(usage(
                "the frequencies of the lines in the table are missing",
                "specify the column with counts (--count COLUMN) or probabilities (--probability \
                 COLUMN)",
            ));
        }
    };
    Ok(WeightedTable {
        input: input_spec(table.to_owned(), &options.input)?,
        sensitive: options
            .sensitive
            .clone()
            .expect("the parser requires --sensitive with --counts"),
        quasi_identifiers: options.quasi_identifiers.clone(),
        weight,
    })
}

fn request(options: &Plan, l: u64) -> Result<Request, Failure> {
    let order = match (options.order, options.columns.as_slice()) {
        (None, []) => Request::DEFAULT_ORDER,
        (Some(PlanOrder::SpaceFilling), []) => Order::SpaceFilling,
        (None | Some(PlanOrder::SpaceFilling), _) => {
            return Err(usage(
                "--columns applies only to a lexicographic order",
                "remove --columns, or add --order lexicographic",
            ));
        }
        (Some(PlanOrder::Lexicographic), columns) => Order::Lexicographic(columns.to_vec()),
    };
    let failure = match (options.delta, options.releases, options.total_failure) {
        (Some(delta), _, _) => OfFailure::OfEach(delta.0),
        (None, Some(releases), Some(total)) => OfFailure::OfAny { releases, total: total.0 },
        _ => unreachable!("the parser requires --delta or --releases"),
    };
    Ok(Request {
        title: options.title.clone(),
        l,
        linked: Linked { k: options.linked_k, entropy_l: options.linked_entropy.map(|l| l.0) },
        failure,
        order,
        choice: match (options.p, options.classes, options.rows) {
            (Some(p), _, _) => Choice::P(p.0),
            (None, Some(classes), _) => Choice::Classes(classes),
            (None, None, Some(rows)) => Choice::Rows(rows),
            (None, None, None) => Choice::Default,
        },
        basis: match options.basis {
            None => Request::DEFAULT_BASIS,
            Some(PlanBasis::Text) => Basis::Text,
            Some(PlanBasis::ActualClasses) => Basis::ActualClasses,
            Some(PlanBasis::ActualMasses) => Basis::ActualMasses,
            Some(PlanBasis::ExactFailure) => Basis::ExactFailure,
        },
        confidence: Request::confidence(
            options.known_distribution,
            options.confidence.map(|level| level.0),
        ),
        eta: options.eta.map(|eta| eta.0),
        dependence: if options.independent {
            Dependence::Independent
        } else {
            Dependence::Dependent
        },
        also: FurtherRequest {
            with_rows: options.with_rows,
            k: options.k,
            entropy_l: options.entropy.map(|l| l.0),
        },
        cover: match (options.all_combinations, options.domain.as_slice()) {
            (false, []) => Request::DEFAULT_COVER,
            (_, domains) => Cover::All(domains.to_vec()),
        },
    })
}

fn write(options: &Plan, planned: &PlanAnswer) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    if let Some(path) = &options.output {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let texts = planned.plan.texts(&name.unwrap_or_default());
        // Write the plan last, so its existence implies that all other files are complete.
        for (name, text) in texts.files.into_iter().rev() {
            let path = path.with_file_name(name);
            indistinct::write_new_file(&path, text.as_bytes())?;
            files.push(path);
        }
    }
    if let Some(folder) = &options.figures {
        indistinct::plan::create_folder(folder)?;
        for (name, text) in figures(planned) {
            let path = folder.join(name);
            indistinct::write_new_file(&path, text.as_bytes())?;
            files.push(path);
        }
    }
    Ok(files)
}
