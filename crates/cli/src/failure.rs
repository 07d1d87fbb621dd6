//! Errors become a message and an exit status here, and nowhere else.

use std::process::ExitCode;

use indistinct::Error;
use indistinct::policy::{PolicyErrors, Severity};
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};

use crate::args::Global;

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
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Library(Box::new(error))
    }
}

impl Failure {
    /// Prints the failure to standard error and gives the exit status.
    pub fn report(&self, global: &Global) -> ExitCode {
        match self {
            Failure::Library(error) => {
                if error.is_cancelled() {
                    eprintln!("cancelled; nothing was written");
                    return ExitCode::from(130);
                }
                for report in reports(error, global) {
                    eprintln!("{report:?}");
                }
            }
            Failure::Usage { code, message, help } => {
                let diagnostic =
                    MietteDiagnostic::new(message).with_code(*code).with_help(help.clone());
                eprintln!("{:?}", Report::new(diagnostic));
            }
        }
        ExitCode::from(2)
    }
}

fn reports(error: &Error, global: &Global) -> Vec<Report> {
    if let Error::Policy(problems) = error {
        return policy_reports(problems);
    }
    error
        .messages(if global.show_values {
            indistinct::Values::Shown
        } else {
            indistinct::Values::Hidden
        })
        .into_iter()
        .map(|message| {
            let mut diagnostic = MietteDiagnostic::new(message.text).with_code(message.code);
            diagnostic.help = message.help;
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
            let mut diagnostic =
                MietteDiagnostic::new(problem.message.clone()).with_code(problem.code.as_str());
            diagnostic.help = problem.help.clone();
            diagnostic.severity = Some(match problem.severity() {
                Severity::Error => miette::Severity::Error,
                Severity::Warning => miette::Severity::Warning,
            });
            if let Some(span) = &problem.span {
                diagnostic.labels = Some(vec![LabeledSpan::underline(span.clone())]);
            }
            Report::new(diagnostic)
                .with_source_code(NamedSource::new(&errors.source_name, errors.source_text.clone()))
        })
        .collect()
}
