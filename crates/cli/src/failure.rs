//! Errors become a message and an exit status here, and nowhere else.

use std::process::ExitCode;

use indistinct::Error;
use indistinct::policy::{PolicyErrors, Severity};
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};

use crate::args::Global;
use crate::out;

/// Nobody reads more than these at once.
const MOST_REPORTS: usize = 20;

/// Why a command ended without an answer.
#[derive(Debug)]
pub enum Failure {
    /// The library says so.
    Library(Box<Error>),
    /// The command line asks for something that cannot be.
    Usage {
        /// A stable code.
        code: &'static str,
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
    /// Standard output did not take the answer.
    Output(std::io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Library(Box::new(error))
    }
}

impl Failure {
    /// Refuses paths that are not UTF-8 before any work: answers, policies and ledgers write them down as texts.
    pub fn of_encoding() -> Option<Self> {
        let is_text = |text: &std::ffi::OsString| text.to_str().is_some();
        let message = if !std::env::args_os().all(|argument| is_text(&argument)) {
            "an argument is not valid UTF-8"
        } else if !std::env::current_dir().map_or(true, |folder| is_text(&folder.into())) {
            "the path of the current folder is not valid UTF-8"
        } else {
            return None;
        };
        Some(Failure::Usage {
            code: "E-USAGE-011",
            message: message.to_owned(),
            help: "paths are written down in answers and certificates as texts: rename the file or folder".to_owned(),
        })
    }

    /// Prints the failure to standard error and gives the exit status.
    pub fn report(&self, global: &Global) -> ExitCode {
        match self {
            Failure::Library(error) => {
                if error.is_cancelled() {
                    out::error("cancelled; nothing was written");
                    return ExitCode::from(130);
                }
                let reports = reports(error, global);
                for report in reports.iter().take(MOST_REPORTS) {
                    out::error(&format!("{report:?}"));
                }
                if reports.len() > MOST_REPORTS {
                    out::error(&format!("... and {} more", reports.len() - MOST_REPORTS));
                }
            }
            Failure::Output(source) => {
                let message = format!("standard output did not take the answer: {source}");
                let diagnostic = MietteDiagnostic::new(message)
                    .with_code("E-OUTPUT-010")
                    .with_help("make room, or send the answer elsewhere; what was written to files is complete");
                out::error(&format!("{:?}", Report::new(diagnostic)));
            }
            Failure::Usage { code, message, help } => {
                let diagnostic = MietteDiagnostic::new(out::shown(message))
                    .with_code(*code)
                    .with_help(out::shown(help));
                out::error(&format!("{:?}", Report::new(diagnostic)));
            }
        }
        ExitCode::from(2)
    }
}

fn reports(error: &Error, global: &Global) -> Vec<Report> {
    if let Error::Policy(problems) = error {
        return policy_reports(problems);
    }
    // With values, a message has a line for each problem; the values in it are shown already.
    let shown = if global.show_values { out::shown_lines } else { out::shown };
    error
        .messages(if global.show_values {
            indistinct::Values::Shown
        } else {
            indistinct::Values::Hidden
        })
        .into_iter()
        .map(|message| {
            let mut diagnostic =
                MietteDiagnostic::new(shown(&message.text)).with_code(message.code);
            diagnostic.help = message.help.as_deref().map(out::shown);
            Report::new(diagnostic)
        })
        .collect()
}

/// One report with a picture of the place for each problem of a policy.
pub fn policy_reports(errors: &PolicyErrors) -> Vec<Report> {
    errors
        .problems
        .iter()
        .map(|problem| {
            let mut diagnostic = MietteDiagnostic::new(out::shown(&problem.message))
                .with_code(problem.code.as_str());
            diagnostic.help = problem.help.as_deref().map(out::shown);
            diagnostic.severity = Some(match problem.severity() {
                Severity::Error => miette::Severity::Error,
                Severity::Warning => miette::Severity::Warning,
            });
            if let Some(span) = &problem.span {
                diagnostic.labels = Some(vec![LabeledSpan::underline(span.clone())]);
            }
            let source =
                NamedSource::new(out::shown(&errors.source_name), out::masked(&errors.source_text));
            Report::new(diagnostic).with_source_code(source)
        })
        .collect()
}
