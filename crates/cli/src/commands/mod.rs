//! One file a command: calls the library and prints its answer.

pub mod anonymize;
pub mod check;
pub mod generate;
pub mod hierarchy;
pub mod init;
pub mod profile;
pub mod verify;

use std::path::{Path, PathBuf};

use indistinct::{InputSpec, Job};

use crate::args::{Global, InputOptions};
use crate::failure::{Failure, policy_reports};

/// Opens the policy and shows its warnings.
fn open_job(global: &Global, policy: &Path, data: Option<&Path>) -> Result<Job, Failure> {
    let job = Job::open(policy, data)?;
    if !global.quiet {
        for report in policy_reports(&job.policy_warnings()) {
            eprintln!("{report:?}");
        }
    }
    Ok(job)
}

fn values(global: &Global) -> indistinct::Values {
    if global.show_values { indistinct::Values::Shown } else { indistinct::Values::Hidden }
}

fn is_policy(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

fn input_spec(path: PathBuf, options: &InputOptions) -> Result<InputSpec, Failure> {
    let delimiter = match options.delimiter.as_deref() {
        None => None,
        Some("\\t" | "tab") => Some(b'\t'),
        Some(text) => match text.as_bytes() {
            [byte] if byte.is_ascii() => Some(*byte),
            _ => {
                return Err(Failure::Usage {
                    code: "E-USAGE-001",
                    message: "the delimiter is not one ASCII character".to_owned(),
                    help: "give one character, such as --delimiter ';', or --delimiter tab"
                        .to_owned(),
                });
            }
        },
    };
    Ok(InputSpec { path, format: None, delimiter, null_values: options.null_values.clone() })
}

/// Writes a text to a new file, or to standard output.
fn write_text(output: Option<&Path>, text: &str) -> Result<(), Failure> {
    match output {
        Some(path) => Ok(indistinct::write_new_file(path, text.as_bytes())?),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

fn warn_all(global: &Global, warnings: &[String]) {
    if !global.quiet {
        for warning in warnings {
            tracing::warn!("{warning}");
        }
    }
}
