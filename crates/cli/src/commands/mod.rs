//! The commands of the program. Each command is in one file, calls the library, and prints the
//! answer.

pub mod advise;
pub mod anonymize;
pub mod attack;
pub mod check;
pub mod compare;
pub mod drivers;
pub mod explain;
pub mod generate;
pub mod hierarchy;
pub mod import;
pub mod init;
pub mod ledger;
pub mod link;
pub mod manual;
pub mod measure;
pub mod plan;
pub mod profile;
pub mod report;
pub mod studio;
pub mod verify;

use std::path::{Path, PathBuf};

use indistinct::text::describe_warning;
use indistinct::warning::Warning;
use indistinct::{InputSpec, Job, Session, SkippedRows, Unsupported, words};

use crate::args::{Global, InputOptions};
use crate::failure::{Failure, UsageError, policy_reports};
use crate::out;

/// Opens the policy and shows its warnings.
fn open_job(
    global: &Global,
    session: &Session,
    policy: &Path,
    data: Option<&Path>,
) -> Result<Job, Failure> {
    refuse_other_than_policy(policy)?;
    let job = session.open(policy, data)?;
    shown(global, job)
}

fn refuse_other_than_policy(policy: &Path) -> Result<(), Failure> {
    if !is_policy(policy) {
        // Error messages for a policy quote its text. If a table were parsed as a policy, these
        // messages would disclose values from the table.
        return Err(UsageError::NotAPolicy(policy.to_owned()).into());
    }
    Ok(())
}

/// Opens a policy whose roles may be undecided, and shows its warnings and the undecided columns.
fn open_to_decide(global: &Global, session: &Session, policy: &Path) -> Result<Job, Failure> {
    refuse_other_than_policy(policy)?;
    let (job, undecided) = session.open_undecided(policy)?;
    if !undecided.is_empty() {
        let columns = words::list_some(&undecided, 10);
        let columns = out::shown(&columns);
        tracing::warn!(
            "the roles of {columns} are undecided; they count as quasi-identifiers here"
        );
    }
    shown(global, job)
}

/// Opens a policy whose plan does not exist yet, and shows its warnings.
fn open_job_to_plan(global: &Global, session: &Session, policy: &Path) -> Result<Job, Failure> {
    refuse_other_than_policy(policy)?;
    shown(global, session.open_to_plan(policy)?)
}

fn shown(global: &Global, job: Job) -> Result<Job, Failure> {
    let job = job.with_values(global.values());
    if !global.quiet {
        for report in policy_reports(&job.policy_warnings()) {
            out::error(&format!("{report:?}"));
        }
    }
    tracing::info!("table {}", out::shown(&job.input_path().display().to_string()));
    Ok(job)
}

fn is_policy(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// Rejects input options if a policy is given, because the policy specifies the table and how to
/// read it.
fn refuse_with_policy(data: Option<&Path>, options: &InputOptions) -> Result<(), Failure> {
    if data.is_none() && *options == InputOptions::default() {
        return Ok(());
    }
    let options = "--data, --table, --query, --delimiter, --encoding, --skip-rows, \
                   --skip-rows-after-header, and --null-value";
    Err(UsageError::ConflictsWithPolicy { options }.into())
}

fn input_spec(path: PathBuf, options: &InputOptions) -> Result<InputSpec, Failure> {
    let delimiter = match options.delimiter.as_deref() {
        None => None,
        Some("\\t" | "tab") => Some(b'\t'),
        Some(text) => match text.as_bytes() {
            [byte] if byte.is_ascii() => Some(*byte),
            _ => return Err(UsageError::Delimiter.into()),
        },
    };
    Ok(InputSpec {
        path,
        table: options.table.clone(),
        query: options.query.clone(),
        delimiter,
        encoding: options.encoding.unwrap_or_default(),
        skipped_rows: SkippedRows {
            before_header: options.skip_rows.unwrap_or(0),
            after_header: options.skip_rows_after_header.unwrap_or(0),
        },
        null_values: options.null_values.clone(),
        ..InputSpec::default()
    })
}

/// Returns how columns with unsupported types are treated.
fn unsupported(skip: bool) -> Unsupported {
    if skip { Unsupported::Skipped } else { Unsupported::Rejected }
}

/// Returns the output file, or `None` for standard output.
fn named(output: Option<&Path>) -> Option<&Path> {
    output.filter(|path| path.as_os_str() != "-")
}

/// Writes a string to a new file (see [`named`]) or to standard output.
fn write_text(file: Option<&Path>, text: &str) -> Result<(), Failure> {
    match file {
        Some(path) => Ok(indistinct::write_new_file(path, text.as_bytes())?),
        None => {
            out::file(text);
            Ok(())
        }
    }
}

/// Shows warnings unless `--quiet` is set.
fn warn_all<'a>(warnings: impl IntoIterator<Item = &'a Warning>) {
    for warning in warnings {
        tracing::warn!("{}", out::shown(&describe_warning(warning)));
    }
}
