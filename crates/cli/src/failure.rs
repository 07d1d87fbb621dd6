//! Converts errors to messages and exit statuses. No other module does this.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use indistinct::policy::{PolicyErrors, Severity};
use indistinct::words::{list, number};
use indistinct::{Coded, Error, Message, may_contain_credential};
use indistinct_diagnostics::codes;
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};

use crate::args::Global;
use crate::out;

/// A command-line error that the argument parser does not detect.
#[derive(Debug, thiserror::Error)]
pub enum UsageError {
    #[error("the answer cannot be written to standard output: {0}")]
    Output(std::io::Error),
    #[error("the delimiter is not a single ASCII character")]
    Delimiter,
    #[error("an ARX CSV file can be checked only against a column of a table")]
    NoColumn,
    #[error("a policy can have several hierarchies, and no attribute is specified")]
    WhichHierarchy,
    #[error("'{}' is not a policy: its name does not end in .toml", .0.display())]
    NotAPolicy(PathBuf),
    #[error("'{}' does not end in .csv or .parquet", .0.display())]
    ExampleFormat(PathBuf),
    #[error("the policy already specifies the table and how to read it")]
    ConflictsWithPolicy { options: &'static str },
    #[error("unknown threshold '{name}'")]
    NoThreshold { name: String, known: Vec<String> },
    #[error("{message}")]
    Plan { message: String, help: &'static str },
    #[error(
        "'{0}' was not removed: confirm the removal with --yes, because later checks will ignore \
         this release"
    )]
    NotConfirmed(String),
    #[error("{0} is not valid UTF-8")]
    Encoding(&'static str),
    #[error("the command line is invalid, and an argument may contain a password")]
    Credential,
    #[error("{message}")]
    Studio { message: String, help: String },
    #[error("a release cannot be written to standard output")]
    NoDirectory,
    #[error("the report is an HTML page, which is not printed to a terminal")]
    PageToTerminal,
    #[error("unknown term '{term}'")]
    Term { term: String, similar: Vec<String> },
    #[error("the time limit of {} s was reached; nothing was written", number(.0.as_secs_f64()))]
    TimeLimit(Duration),
}

codes! {
    UsageError {
        Self::Output(_) => "E-OUTPUT-010", "The answer cannot be written to standard output.",
            "free disk space, or redirect the output; files that have been written are complete";
        Self::Delimiter => "E-USAGE-001", "A delimiter that is not a single ASCII character.",
            "specify one character, such as --delimiter ';', or --delimiter tab";
        Self::NoColumn => "E-USAGE-002", "A hierarchy file without a column to check it against.",
            "specify --data FILE and --attribute NAME, or a policy file (.toml)";
        Self::WhichHierarchy => "E-USAGE-003", "Several hierarchies, but no selected attribute.",
            "specify the attribute with --attribute NAME";
        Self::NotAPolicy(_) => "E-USAGE-004", "A policy file without the extension .toml.",
            "specify a policy file; `indistinct init DATA -o policy.toml` proposes one";
        Self::ExampleFormat(_) => "E-USAGE-005",
            "An example table that is neither CSV nor Parquet.",
            "specify a file with the extension .csv or .parquet";
        Self::ConflictsWithPolicy { .. } => "E-USAGE-006",
            "The policy already specifies the value of an option.",
            "remove the option, or change [input] in the policy";
        Self::NoThreshold { .. } => "E-USAGE-007", "Unknown `attack` threshold.",
            "use one of the thresholds listed in the message";
        Self::Plan { .. } => "E-USAGE-008", "Incompatible options of `plan`.",
            "use the alternatives that the message suggests";
        Self::NotConfirmed(_) => "E-USAGE-010",
            "The removal of a release from a ledger is not confirmed.",
            "if no recipient has the release, confirm with --yes";
        Self::Encoding(_) => "E-USAGE-011", "A path or an argument that is not valid UTF-8.",
            "rename the file or folder, because answers and certificates contain paths as text";
        Self::Studio { .. } => "E-USAGE-012", "The studio is unavailable or cannot be started.",
            "follow the instructions in the message";
        Self::NoDirectory => "E-USAGE-014", "A release cannot be written to standard output.",
            "specify a directory, such as -o release; the rows are then in release/data.csv, next \
             to the certificate";
        Self::PageToTerminal => "E-USAGE-017", "An HTML page would be printed to a terminal.",
            "specify a file, such as -o report.html, or redirect the output; -o - prints the page";
        Self::Term { .. } => "E-USAGE-015", "Unknown term in `explain`.",
            "correct the spelling; `indistinct explain` lists the kinds of terms";
        Self::Credential => "E-USAGE-016",
            "An invalid command line with an argument that may contain a password.",
            "the message does not repeat the arguments; use an address without a password, enclose \
             it in quotation marks, and check the options with `--help`";
        Self::TimeLimit(_) => "E-USAGE-013",
            "The time limit was reached before an answer was available.",
            "increase --time-limit, or simplify the request";
    }
    help {
        Self::ConflictsWithPolicy { options } =>
            format!("remove {options}, or change [input] in the policy");
        Self::NoThreshold { known, .. } => format!("the valid thresholds are {}", list(known));
        Self::Plan { help, .. } => *help;
        Self::Studio { help, .. } => help.as_str();
        Self::Term { similar, .. } if similar.is_empty() =>
            "run `indistinct explain` for the kinds of terms";
        Self::Term { similar, .. } => format!("similar terms: '{}'", similar.join("', '"));
    }
}

/// The message after Ctrl-C.
pub const CANCELLED: &str = "cancelled; nothing was written";
/// The exit status after Ctrl-C.
pub const STATUS_CANCELLED: u8 = 130;
/// The exit status after an error.
pub const STATUS_FAILED: u8 = 2;

/// The maximum number of problems to print. Users usually fix the first problems and run the
/// command again.
const MOST_REPORTS: usize = 20;

/// Why a command ended without an answer.
#[derive(Debug)]
pub enum Failure {
    /// The library returned an error.
    Library(Box<Error>),
    /// The command line contains an invalid request, or its answer cannot be written.
    Usage(UsageError),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Library(Box::new(error))
    }
}

impl From<UsageError> for Failure {
    fn from(error: UsageError) -> Self {
        Failure::Usage(error)
    }
}

impl UsageError {
    /// Rejects paths that are not valid UTF-8 before any work, because answers, policies, and
    /// ledgers store paths as text.
    pub fn of_encoding(typed: &[OsString]) -> Option<Self> {
        let is_text = |text: &OsString| text.to_str().is_some();
        if !typed.iter().all(is_text) {
            Some(Self::Encoding("an argument"))
        } else if !std::env::current_dir().map_or(true, |folder| is_text(&folder.into())) {
            Some(Self::Encoding("the path of the current folder"))
        } else {
            None
        }
    }

    /// Returns an error if an argument may contain a credential, which no message may repeat.
    pub fn of_credential(typed: &[OsString]) -> Option<Self> {
        let is_credential = |text: &OsString| may_contain_credential(&text.to_string_lossy());
        typed.iter().any(is_credential).then_some(Self::Credential)
    }

    /// Formats the error with its code and the remedy.
    pub fn report(&self) -> String {
        let message =
            Message { code: self.code().to_owned(), text: self.to_string(), help: self.help() };
        format!("{:?}", report(message, out::shown))
    }
}

impl Failure {
    /// Prints the failure to standard error and returns the exit status.
    pub fn report(&self, global: &Global) -> u8 {
        match self {
            Failure::Usage(error) => out::error(&error.report()),
            Failure::Library(error) if error.is_cancelled() => {
                out::error(CANCELLED);
                return STATUS_CANCELLED;
            }
            Failure::Library(error) => {
                let (reports, n_all) = reports(error, global);
                for report in &reports {
                    out::error(&format!("{report:?}"));
                }
                if n_all > reports.len() {
                    out::error(&format!("... and {} more", n_all - reports.len()));
                }
            }
        }
        STATUS_FAILED
    }
}

/// Creates a report in which `shown` escapes external strings.
fn report(message: Message, shown: fn(&str) -> String) -> Report {
    let mut diagnostic = MietteDiagnostic::new(shown(&message.text)).with_code(message.code);
    diagnostic.help = message.help.as_deref().map(out::shown);
    Report::new(diagnostic)
}

/// Returns the first reports about an error, and the total number of reports.
fn reports(error: &Error, global: &Global) -> (Vec<Report>, usize) {
    if let Error::Policy(errors) = error {
        let n_all = errors.problems.len() + errors.n_more;
        return (policy_reports(errors).take(MOST_REPORTS).collect(), n_all);
    }
    // With `--show-values`, the message already lists each problem and its values on a separate
    // line.
    let shown = if global.show_values { out::shown_lines } else { out::shown };
    let messages = error.messages(global.values());
    let n_all = messages.len();
    let reports = messages.into_iter().take(MOST_REPORTS).map(|message| report(message, shown));
    (reports.collect(), n_all)
}

/// Returns one report for each problem in a policy, with an excerpt of the file. Each report
/// contains its own copy of the text.
pub fn policy_reports(errors: &PolicyErrors) -> impl Iterator<Item = Report> {
    errors.problems.iter().map(|problem| {
        let mut diagnostic =
            MietteDiagnostic::new(out::shown(&problem.message)).with_code(problem.code.as_str());
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
}

// The experiments crate is a binary without a library. Its error module does not depend on its
// other modules, so it can be included here.
#[cfg(test)]
#[allow(dead_code)]
#[path = "../../experiments/src/error.rs"]
mod experiments;

#[cfg(test)]
#[path = "tests/errors_page.rs"]
mod errors_page;

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::{Path, PathBuf};

    use indistinct_diagnostics::CANCELLED;

    use super::experiments::ExperimentError;
    use super::{UsageError, errors_page};

    /// `docs/errors.md` lists the codes of all crates with remedies. `UPDATE_DOCS=1` writes this
    /// page.
    #[test]
    fn errors_page_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors.md");
        let page = errors_page::errors_page(UsageError::CODES, ExperimentError::CODES);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(path, &page).expect("docs/errors.md is writable");
        }
        assert!(
            std::fs::read_to_string(path).unwrap_or_default() == page,
            "docs/errors.md is not up to date: UPDATE_DOCS=1 cargo test -p indistinct-cli errors"
        );
    }

    /// Returns the source files of each crate, without comments and without tests at the end of a
    /// file.
    fn sources() -> BTreeMap<String, Vec<String>> {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut sources: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for entry in std::fs::read_dir(crates).expect("the parent folder contains the crates") {
            let folder = entry.expect("the folder is readable").path();
            let name =
                folder.file_name().expect("the folder has a name").to_string_lossy().into_owned();
            let mut open: Vec<PathBuf> = vec![folder.join("src")];
            open.retain(|path| path.is_dir());
            while let Some(path) = open.pop() {
                if path.is_dir() {
                    let entries = std::fs::read_dir(&path).expect("the folder is readable");
                    open.extend(
                        entries.map(|entry| entry.expect("the folder entry is readable").path()),
                    );
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = std::fs::read_to_string(&path).expect("the source file is readable");
                    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
                    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
                    let code = lines.collect::<Vec<_>>().join("\n");
                    sources.entry(name.clone()).or_default().push(code);
                }
            }
        }
        sources
    }

    /// Returns the error codes that occur in the source files.
    fn codes_in_sources() -> BTreeSet<String> {
        let sources = sources();
        let texts = sources.values().flatten().flat_map(|text| text.split('"'));
        texts.filter(|text| is_code(text)).map(str::to_owned).collect()
    }

    /// Returns the error types of a crate, each with the source text of its definition.
    fn error_types(files: &[String]) -> Vec<(String, String)> {
        let after = |mark| files.iter().flat_map(move |text| text.split(mark).skip(1));
        let derived = after("thiserror::Error").chain(after("\nerrors! {"));
        let definition = |after: &str| {
            let starts = ["pub enum ", "pub struct "].map(|it| after.find(it));
            let start = starts.into_iter().flatten().min()?;
            let after = &after[start..];
            let name = after.split(|c: char| !c.is_alphanumeric()).nth(2)?.to_owned();
            let ends = ["\n}", ";\n"].map(|it| after.find(it));
            let end = ends.into_iter().flatten().min()?;
            Some((name, after[..end].to_owned()))
        };
        derived.filter_map(definition).collect()
    }

    fn names(definition: &str, name: &str) -> bool {
        definition.split(|c: char| !c.is_alphanumeric()).any(|word| word == name)
    }

    /// Types that describe the reason for another error. The code belongs to the outer error.
    const REASONS: [&str; 7] = [
        "CellProblem",
        "Damage",
        "MappingFault",
        "PlanColumnMismatch",
        "PlanFault",
        "ReadProblem",
        "SensitiveProblem",
    ];

    /// Each crate must have one `Error` type that includes all errors of the crate. Each error must
    /// have a code.
    #[test]
    fn every_crate_has_one_error_type_with_codes() {
        let mut n_types = 0;
        for (crate_name, files) in sources() {
            let types = error_types(&files);
            n_types += types.len();
            for (name, _) in &types {
                let is_coded = files.iter().any(|text| {
                    text.contains(&format!("codes! {{\n    {name} {{"))
                        || text.contains(&format!("Coded for {name} {{"))
                        || text.split("errors! {").skip(1).any(|declared| {
                            declared.split_once('{').is_some_and(|(head, _)| {
                                head.trim_end().ends_with(&format!("enum {name}"))
                            })
                        })
                });
                let is_coded = is_coded || REASONS.contains(&name.as_str());
                assert!(is_coded, "{name} of {crate_name} has no codes");
            }
            let is_part = |name: &str| {
                types.iter().any(|(other, definition)| other != name && names(definition, name))
            };
            let whole: Vec<&String> = types
                .iter()
                .map(|(name, _)| name)
                .filter(|name| !is_part(name))
                .filter(|name| !REASONS.contains(&name.as_str()))
                .collect();
            assert!(whole.len() <= 1, "{crate_name} has several top-level error types: {whole:?}");
        }
        assert!(n_types > 30, "only {n_types} error types were found");
    }

    fn is_code(text: &str) -> bool {
        let parts: Vec<&str> = text.split('-').collect();
        let [kind, area, number] = parts[..] else { return false };
        matches!(kind, "E" | "W")
            && area.bytes().all(|it| it.is_ascii_uppercase())
            && number.len() == 3
            && number.bytes().all(|it| it.is_ascii_digit())
    }

    #[test]
    fn every_code_is_documented_with_remedy() {
        let page = errors_page::errors_page(UsageError::CODES, ExperimentError::CODES);
        let in_sources = codes_in_sources();
        assert!(in_sources.len() > 200, "only {} codes", in_sources.len());
        for code in in_sources {
            assert!(page.contains(&format!("| {code} | ")), "{code} is not in docs/errors.md");
        }
        let without: Vec<&str> = page.lines().filter(|line| line.ends_with("|  |")).collect();
        assert!(without.is_empty(), "these codes have no remedy: {without:#?}");
    }

    #[test]
    fn codes_are_unique_and_well_formed() {
        let mut codes: Vec<&str> = errors_page::codes().map(|entry| entry.code).collect();
        codes.extend(UsageError::CODES.iter().map(|entry| entry.code));
        codes.extend(ExperimentError::CODES.iter().map(|entry| entry.code));
        for code in codes.iter().filter(|code| **code != CANCELLED.code) {
            assert!(is_code(code), "{code}");
        }
        let n = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), n, "a code is not unique");
        assert!(n > 200, "only {n} codes");
    }
}
