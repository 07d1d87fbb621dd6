//! The command `indistinct plan`.

use std::path::{Path, PathBuf};

use indistinct::Session;
use indistinct::plan::{
    Basis, Choice, Cover, Dependence, Failure as OfFailure, FurtherFigures, FurtherRequest, Order,
    Outcome, PlanAnswer, Request, Source, TooFewRows, Weight, WeightedTable, figures, plan,
};
use indistinct::words;

use super::{input_spec, open_job_to_plan, warn_all};
use crate::Verdict;
use crate::answers::written::PlannedFiles;
use crate::args::{Format, Global, InputOptions, Plan, PlanBasis, PlanOrder};
use crate::failure::{Failure, UsageError};
use crate::progress::Terminal;
use crate::render::{self, Align};
use crate::say;

/// The maximum number of points of the trade-off curve to print.
const MOST_SHOWN: usize = 14;

pub fn run(global: &Global, session: &Session, options: &Plan) -> Result<Verdict, Failure> {
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
    let outcome = plan(&session, &source, &request(options)?)?;
    terminal.end();
    match outcome {
        Outcome::Planned(planned) => {
            warn_all(&planned.warnings);
            let files = write(options, &planned)?;
            match global.format {
                Format::Json => {
                    render::json(&PlannedFiles::Planned { plan: &planned, files: &files })
                }
                Format::Text => print(&planned, &files),
            }
            Ok(Verdict::Done)
        }
        Outcome::TooFewRows(too_few) => {
            match global.format {
                Format::Json => render::json(&PlannedFiles::TooFewRows(&too_few)),
                Format::Text => print_too_few(options, too_few),
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

fn request(options: &Plan) -> Result<Request, Failure> {
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
        l: options.l,
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

fn print_too_few(options: &Plan, too_few: TooFewRows) {
    render::sentence(
        "",
        &format!(
            "No plan exists for {}: even a single class requires {} to contain {} with the \
             given failure probability. Nothing was written.",
            words::rows(too_few.n_rows),
            words::rows(too_few.n_rows_needed),
            words::count(options.l, "sensitive value")
        ),
    );
    say!();
    render::sentence(
        "",
        "Try more rows for each release (--rows), a larger delta, a smaller l, or another --basis.",
    );
}

fn print(planned: &PlanAnswer, files: &[PathBuf]) {
    say!(
        "{} of {}, {} of {}.",
        words::counted(planned.n_combinations, "combination", "combinations"),
        planned.quasi_identifiers.join(", "),
        words::counted(planned.n_sensitive_values, "sensitive value", "sensitive values"),
        planned.sensitive
    );
    let shared = match planned.releases {
        Some(releases) => {
            let releases = words::counted(releases, "release", "releases");
            format!(" (an equal share of the failure probability of {releases})")
        }
        None => String::new(),
    };
    render::heading("Choices");
    render::sentence(
        "  ",
        &format!(
            "l = {}, delta = {}{shared}. More classes preserve more detail but require more rows, \
             because each class must contain l sensitive values with probability p or more.",
            planned.l,
            words::number(planned.delta)
        ),
    );
    say!();
    print_trade_off(planned);
    print_chosen(planned);
    print_rests_on(planned);
    if let Some(further) = &planned.further {
        print_further(planned, further);
    }
    if !files.is_empty() {
        render::heading("Written");
        for file in files {
            say!("  {}", file.display());
        }
    }
}

fn print_trade_off(planned: &PlanAnswer) {
    let row = |at: usize| {
        let point = &planned.trade_off[at];
        let mark = if point.n_classes == planned.chosen.n_classes { "chosen" } else { "" };
        let about = if point.is_largest { "" } else { "at least " };
        vec![
            words::thousands(point.n_classes),
            format!("{about}{}", words::number(point.p)),
            words::thousands(point.n_rows_text),
            words::thousands(point.n_rows_actual_classes),
            mark.to_owned(),
        ]
    };
    let header = [
        ("classes", Align::Number),
        ("largest p", Align::Number),
        ("rows (text)", Align::Number),
        ("rows (actual classes)", Align::Number),
        ("", Align::Text),
    ];
    render::table(&header, planned.sample(MOST_SHOWN).into_iter().map(row).collect());
    if planned.trade_off.len() > MOST_SHOWN {
        render::sentence(
            "  ",
            &format!(
                "Showing {} of {} points. To write all points, use --figures DIR.",
                planned.sample(MOST_SHOWN).len(),
                words::thousands(planned.trade_off.len() as u64)
            ),
        );
    }
}

fn print_chosen(planned: &PlanAnswer) {
    let chosen = &planned.chosen;
    render::heading("The plan");
    render::sentence(
        "  ",
        &format!(
            "The plan has {}, each contiguous in the {} order, with p = {}. Every release requires \
             {} ({}).",
            words::classes(chosen.n_classes),
            planned.order,
            words::number(chosen.p),
            words::rows(chosen.n_rows),
            chosen.basis
        ),
    );
    say!();
    let exact = chosen.n_rows_exact_failure.map_or("takes too long".to_owned(), words::thousands);
    let rows = [
        ("text", "an upper bound on the number of classes", words::thousands(chosen.n_rows_text)),
        ("actual-classes", "the number of classes", words::thousands(chosen.n_rows_actual_classes)),
        (
            "actual-masses",
            "the probability of every designated value",
            words::thousands(chosen.n_rows_actual_masses),
        ),
        ("exact-failure", "the exact failure probability", exact),
    ];
    let header =
        [("basis", Align::Text), ("computed from", Align::Text), ("rows required", Align::Number)];
    let cells = |(name, on, rows): (&str, &str, String)| vec![name.to_owned(), on.to_owned(), rows];
    render::table(&header, rows.into_iter().map(cells).collect());
    if let Some(equal) = planned.equal_size {
        render::sentence(
            "  ",
            &format!(
                "If sensitive values are independent of quasi-identifiers, classes of {} would \
                 yield {}; this plan has {}.",
                words::counted(equal.size, "combination", "combinations"),
                words::classes(equal.n_classes),
                words::thousands(chosen.n_classes)
            ),
        );
    }
}

fn print_further(planned: &PlanAnswer, further: &FurtherFigures) {
    render::heading("Other guarantees of these classes");
    let delta = words::number(planned.delta);
    let mut sentences = Vec::new();
    if let Some(with) = &further.with_rows {
        let exact =
            with.exact.map_or("a closer bound takes too long to compute".to_owned(), |exact| {
                format!("a closer bound is {}", words::number(exact))
            });
        sentences.push(format!(
            "With {}, the probability that a designated value is missing is at most {}; {exact}.",
            words::rows(with.n_rows),
            words::number(with.at_most)
        ));
    }
    if let Some(found) = &further.k_anonymity {
        sentences.push(format!(
            "With {}, every class of a release has at least {}, with a failure probability of \
             {delta}; with {}, the same holds after linkage of releases with these classes.",
            words::rows(found.n_rows),
            words::rows(found.k),
            words::rows(found.n_rows_linked)
        ));
    }
    if let Some(found) = &further.entropy {
        let l = words::number(found.l);
        sentences.push(match found.n_rows {
            Some(n_rows) => format!(
                "With {}, every class has entropy l-diversity for l = {l} in one release and after \
                 linkage, with a failure probability of {delta}.",
                words::rows(n_rows)
            ),
            None => format!(
                "For any number of rows, the known bound does not guarantee entropy l-diversity \
                 for l = {l}, because a sensitive value has a share of about 1/l or more in at \
                 least one class."
            ),
        });
    }
    for sentence in sentences {
        render::sentence("  - ", &sentence);
    }
}

fn print_rests_on(planned: &PlanAnswer) {
    let chosen = &planned.chosen;
    render::heading("Guarantees and assumptions");
    let delta = words::number(planned.delta);
    let mut sentences = vec![
        format!(
            "A release of this plan contains all {} designated values of each class, with a \
             failure probability of {delta} (t times {delta} for t releases). If no release fails, \
             at least {} remain for every person after the releases are linked.",
            planned.l,
            words::count(planned.l, "sensitive value")
        ),
        format!(
            "For a person who is known to be in a release, the failure probability is at most {}.",
            words::number(chosen.delta_of_one_person)
        ),
        "These guarantees assume that rows are drawn independently from this distribution and that \
         every release follows this plan exactly."
            .to_owned(),
    ];
    if let Some(level) = planned.confidence {
        sentences.push(format!(
            "The probabilities of the distribution are lower bounds from the counted rows. The \
             bounds, and therefore these guarantees, hold with a confidence of {} if the counted \
             rows are an independent sample of the distribution of the releases, and if the values \
             of the quasi-identifiers were not chosen because they occur in the counted rows. If \
             the counts are the distribution itself, use --known-distribution.",
            words::percent(level)
        ));
    }
    if let Some(found) = planned.robustness {
        let rows = match found.n_rows {
            Some(rows) => format!("{} would preserve both guarantees", words::rows(rows)),
            None => "no number of rows would preserve both guarantees".to_owned(),
        };
        let l = match found.l {
            0 => "nothing is guaranteed".to_owned(),
            l => format!("l = {l} remains"),
        };
        sentences.push(format!(
            "If the assumed distribution differs from the true one by a total variation distance \
             of at most {}, then for l = {}, delta is {}, and for delta = {delta}, {l}; {rows}.",
            words::number(found.eta),
            planned.l,
            words::number(found.delta)
        ));
    }
    for sentence in sentences {
        render::sentence("  - ", &sentence);
    }
}
