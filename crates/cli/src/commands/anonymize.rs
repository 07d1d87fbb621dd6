//! The command `indistinct anonymize`.

use indistinct::Session;
use indistinct::anonymize::{Outcome, PrivateLocation, Replace};
use indistinct::ledger::Step;
use indistinct::text::describe_outcome;
use indistinct::verify::ReleaseLocation;
use indistinct::warning::Warning;

use super::{open_job, warn_all};
use crate::Verdict;
use crate::args::{Anonymize, Format, Global};
use crate::failure::{Failure, UsageError};
use crate::progress::Terminal;
use crate::render;

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
        // The described answer contains the step that publishes the rows.
        let is_described = |it: &Warning| {
            global.format == Format::Text && matches!(it, Warning::RowsNotPublished { .. })
        };
        warn_all(released.warnings.iter().filter(|it| !is_described(it)));
    }
    let verify = match &outcome {
        Outcome::Released(released) => ReleaseLocation::of_written(released).command(),
        Outcome::Infeasible(_) => String::new(),
    };
    render::answer(global, &outcome, |outcome| {
        render::document(&describe_outcome(outcome, &verify));
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
