//! The command-line interface `indistinct`, for its binary and for programs that embed it. It
//! converts arguments to calls of the library, answers to text or JSON, and errors to an exit
//! status. It makes no decisions about data.

#![deny(clippy::print_stdout, clippy::print_stderr)]
#![deny(missing_docs)]

mod answers;
mod args;
mod commands;
mod failure;
mod out;
mod progress;
mod render;
#[cfg(test)]
#[path = "tests/schemas.rs"]
mod schemas;
mod version;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use args::{Arguments, Color, Command, Global};
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use failure::{Failure, UsageError};
use indistinct::{EmbeddedEngine, Engine, InputSpec, ObjectStores, Session, TableRef};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// The result of a command, which determines the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The command succeeded, and all claims hold.
    Done,
    /// The policy is violated or infeasible, or a claim does not hold.
    NotMet,
}

/// Runs the command with these arguments, starting with the program name, and returns the exit
/// status.
///
/// Call this function last in a process, because it configures signal handlers, messages, and the
/// number of threads.
pub fn main(typed: impl IntoIterator<Item = OsString>) -> u8 {
    main_with(databases, typed)
}

/// Runs the command with a custom engine. The custom engine delegates file access to the embedded
/// engine.
pub fn main_with(
    engine: impl FnOnce(EmbeddedEngine) -> Arc<dyn Engine>,
    typed: impl IntoIterator<Item = OsString>,
) -> u8 {
    let typed: Vec<OsString> = typed.into_iter().collect();
    // If a reader such as `head` closes the pipe, the program ends, as is usual. The studio ignores
    // closed connections, because a browser that disconnects must not stop the server.
    if !typed.iter().any(|word| word == "studio") {
        sigpipe::reset();
    }
    if version::printed(&typed) {
        return 0;
    }
    let matches = Arguments::command().try_get_matches_from(&typed);
    let parsed = matches.and_then(|it| Ok((paths(&it), Arguments::from_arg_matches(&it)?)));
    let (paths, arguments) = match parsed {
        Ok(parsed) => parsed,
        // Do not print the message of the parser, because it may repeat the credential.
        Err(error) if error.use_stderr() && UsageError::of_credential(&typed).is_some() => {
            out::error(&UsageError::Credential.report());
            return 2;
        }
        Err(error) => {
            let _ = error.print();
            if typed.get(1).is_some_and(|first| first == "experiment") {
                out::error(
                    "\nTo reproduce figures from the literature, use the separate program \
                     indistinct-experiments",
                );
            }
            return if error.use_stderr() { 2 } else { 0 };
        }
    };
    let global = arguments.global.clone();
    set_up_messages(&global);
    if let Some(error) = UsageError::of_encoding(&typed) {
        return Failure::from(error).report(&global);
    }
    // Check for credentials first, because the messages of all later errors may contain paths.
    let check = |path: &PathBuf| InputSpec::from(TableRef::At(path)).check_credentials().err();
    if let Some(error) = paths.iter().find_map(check) {
        return Failure::from(indistinct::Error::from(error)).report(&global);
    }
    let n_threads = global.threads.and_then(|n| NonZeroUsize::new(n.into()));
    let session = Session::new(n_threads, stores());
    let engine = engine(session.embedded());
    let done = run(&session.with_engine(engine), arguments);
    // Report write errors, because a result that was not printed is lost.
    if let Err(source) = out::finish() {
        return Failure::from(UsageError::Output(source)).report(&global);
    }
    match done {
        Ok(Verdict::Done) => 0,
        Ok(Verdict::NotMet) => 1,
        Err(failure) => failure.report(&global),
    }
}

/// Returns all paths and addresses among the arguments.
fn paths(matches: &ArgMatches) -> Vec<PathBuf> {
    let of = |id: &clap::Id| matches.try_get_many::<PathBuf>(id.as_str()).ok().flatten();
    let mut paths: Vec<PathBuf> = matches.ids().filter_map(of).flatten().cloned().collect();
    // An argument of `link` may combine a table with the release directory to which the table
    // belongs.
    let originals = matches.try_get_many::<String>("originals").ok().flatten();
    paths.extend(originals.into_iter().flatten().map(PathBuf::from));
    if let Some((_, below)) = matches.subcommand() {
        paths.extend(self::paths(below));
    }
    paths
}

fn run(session: &Session, arguments: Arguments) -> Result<Verdict, Failure> {
    let global = &arguments.global;
    match arguments.command {
        Command::Init(options) => commands::init::run(global, session, &options),
        Command::Import(options) => commands::import::run(global, &options),
        Command::Profile(options) => commands::profile::run(global, session, &options),
        Command::Advise(options) => commands::advise::run(global, session, &options),
        Command::Compare(options) => commands::compare::run(global, session, &options),
        Command::Anonymize(options) => commands::anonymize::run(global, session, &options),
        Command::Check(options) => commands::check::run(global, session, &options),
        Command::Verify(options) => commands::verify::run(global, session, &options),
        Command::Report(options) => commands::report::run(global, session, &options),
        Command::Measure(options) => commands::measure::run(global, session, &options),
        Command::Attack(options) => commands::attack::run(global, session, &options),
        Command::Plan(options) => commands::plan::run(global, session, &options),
        Command::Ledger(command) => commands::ledger::run(global, session, &command),
        Command::Link(options) => commands::link::run(global, session, &options),
        Command::Hierarchy(options) => commands::hierarchy::run(global, session, &options),
        Command::Generate(options) => commands::generate::run(global, &options),
        Command::Studio(options) => commands::studio::run(session, &options),
        Command::Drivers => commands::drivers::run(global),
        Command::Explain(options) => commands::explain::run(global, &options),
        Command::Completions { shell } => commands::manual::completions(shell),
        Command::Manual { folder } => commands::manual::pages(&folder),
    }
}

fn colors(global: &Global) -> bool {
    match global.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    }
}

fn set_up_messages(global: &Global) {
    let level = match (global.quiet, global.verbose) {
        (true, _) => tracing::Level::ERROR,
        (false, 0) => tracing::Level::WARN,
        (false, 1) => tracing::Level::INFO,
        (false, _) => tracing::Level::DEBUG,
    };
    // Messages of other crates, such as clients of object stores, may contain addresses and
    // responses.
    let own_targets = tracing_subscriber::filter::Targets::new().with_target("indistinct", level);
    let shown = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(colors(global))
        .with_target(false)
        .without_time();
    tracing_subscriber::registry().with(shown.with_filter(own_targets)).init();
    tracing::debug!(
        "indistinct {}, {} threads",
        env!("CARGO_PKG_VERSION"),
        global.threads.map_or_else(default_threads, usize::from)
    );
    let color = colors(global);
    let is_terminal = std::io::stderr().is_terminal();
    let _ = miette::set_hook(Box::new(move |diagnostic| {
        let theme = match (color, is_terminal) {
            (true, _) => miette::GraphicalTheme::unicode(),
            (false, true) => miette::GraphicalTheme::unicode_nocolor(),
            (false, false) => miette::GraphicalTheme::none(),
        };
        let handler = miette::GraphicalReportHandler::new_themed(theme)
            .with_width(render::stderr_width())
            .with_word_separator(textwrap::WordSeparator::AsciiSpace)
            .with_word_splitter(textwrap::WordSplitter::NoHyphenation)
            .with_break_words(false);
        Box::new(match diagnostic.code() {
            Some(code) if is_terminal => {
                handler.with_footer(format!("For details, run: indistinct explain {code}"))
            }
            _ => handler,
        })
    }));
}

fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Creates a session that can open files and, if this build supports them, databases and object
/// stores.
pub fn session() -> Session {
    let session = Session::new(None, stores());
    let engine = databases(session.embedded());
    session.with_engine(engine)
}

/// Adds support for tables in databases, if this build includes it.
fn databases(files: EmbeddedEngine) -> Arc<dyn Engine> {
    #[cfg(feature = "databases")]
    return Arc::new(indistinct_adbc::Databases::over(files));
    #[cfg(not(feature = "databases"))]
    Session::default_engine(files)
}

/// Adds support for tables and releases in object stores, if this build includes it.
fn stores() -> Option<Arc<dyn ObjectStores>> {
    #[cfg(feature = "objects")]
    return Some(Arc::new(indistinct_objects::Stores::default()));
    #[cfg(not(feature = "objects"))]
    None
}
