//! The command `indistinct`, for its binary and for whoever brings it along: what was typed becomes
//! a call of the library, its answer becomes text or JSON, and its errors become an exit status. No
//! decision about data is made here.

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
mod verdict;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::sync::Arc;

use args::{Arguments, Color, Command, Global};
use clap::Parser;
use failure::Failure;
use indistinct::{EmbeddedEngine, Engine, ObjectStores, Session};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use verdict::Verdict;

/// Runs the command with what was typed, its own name first, and gives the exit status.
///
/// It is the last thing that a process does: it takes over its signals, its messages and its number
/// of threads.
pub fn main(typed: impl IntoIterator<Item = OsString>) -> u8 {
    main_with(databases, typed)
}

/// The same with an engine of the caller's, which leaves files to the embedded one.
pub fn main_with(
    engine: impl FnOnce(EmbeddedEngine) -> Arc<dyn Engine>,
    typed: impl IntoIterator<Item = OsString>,
) -> u8 {
    let typed: Vec<OsString> = typed.into_iter().collect();
    // A reader that closes the pipe, such as `head`, ends the program as it does others; a browser
    // that leaves ends no server.
    if !typed.iter().any(|word| word == "studio") {
        sigpipe::reset();
    }
    let arguments = match Arguments::try_parse_from(&typed) {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            if typed.get(1).is_some_and(|first| first == "experiment") {
                out::error(
                    "\nThe figures of the literature are a program of their own: indistinct-experiments",
                );
            }
            return if error.use_stderr() { 2 } else { 0 };
        }
    };
    let global = arguments.global.clone();
    set_up_messages(&global);
    if let Some(failure) = Failure::of_encoding(&typed) {
        return failure.report(&global);
    }
    let n_threads = global.threads.and_then(|n| NonZeroUsize::new(n.into()));
    let session = Session::new(n_threads, stores());
    let engine = engine(session.embedded());
    let done = run(&session.with_engine(engine), arguments);
    // What was found is worth nothing to whoever did not get it.
    if let Err(source) = out::finish() {
        return Failure::Output(source).report(&global);
    }
    match done {
        Ok(Verdict::Done) => 0,
        Ok(Verdict::NotMet) => 1,
        Err(failure) => failure.report(&global),
    }
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
        Command::Measure(options) => commands::measure::run(global, session, &options),
        Command::Attack(options) => commands::attack::run(global, session, &options),
        Command::Plan(options) => commands::plan::run(global, session, &options),
        Command::Ledger(command) => commands::ledger::run(global, session, &command),
        Command::Link(options) => commands::link::run(global, session, &options),
        Command::Hierarchy(options) => commands::hierarchy::run(global, session, &options),
        Command::Generate(options) => commands::generate::run(global, &options),
        Command::Studio(options) => commands::studio::run(session, &options),
        Command::Drivers => commands::drivers::run(global),
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
    // What other crates say, such as those that speak to stores, may hold addresses and answers of
    // theirs.
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
    let _ = miette::set_hook(Box::new(move |_| {
        let theme = match (color, std::io::stderr().is_terminal()) {
            (true, _) => miette::GraphicalTheme::unicode(),
            (false, true) => miette::GraphicalTheme::unicode_nocolor(),
            (false, false) => miette::GraphicalTheme::none(),
        };
        Box::new(
            miette::GraphicalReportHandler::new_themed(theme)
                .with_width(render::stderr_width())
                .with_word_separator(textwrap::WordSeparator::AsciiSpace)
                .with_word_splitter(textwrap::WordSplitter::NoHyphenation)
                .with_break_words(false),
        )
    }));
}

fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A session with everything that this build can open: files, and databases and object stores where
/// it has these parts.
pub fn session() -> Session {
    let session = Session::new(None, stores());
    let engine = databases(session.embedded());
    session.with_engine(engine)
}

/// Tables in databases, where the build has that part.
fn databases(files: EmbeddedEngine) -> Arc<dyn Engine> {
    #[cfg(feature = "databases")]
    return Arc::new(indistinct_adbc::Databases::over(files));
    #[cfg(not(feature = "databases"))]
    Session::default_engine(files)
}

/// Tables and releases in object stores, where the build has that part.
fn stores() -> Option<Arc<dyn ObjectStores>> {
    #[cfg(feature = "objects")]
    return Some(Arc::new(indistinct_objects::Stores::default()));
    #[cfg(not(feature = "objects"))]
    None
}
