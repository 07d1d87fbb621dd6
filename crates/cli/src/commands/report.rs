//! `indistinct report`.

use std::io::IsTerminal as _;

use indistinct::Session;
use indistinct::text::describe_verification;
use indistinct::verify::ReleaseLocation;

use super::{named, write_text};
use crate::Verdict;
use crate::args::{Global, Report};
use crate::failure::{Failure, UsageError};
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, session: &Session, options: &Report) -> Result<Verdict, Failure> {
    refuse_terminal(options, std::io::stdout().is_terminal())?;
    let (terminal, session) = Terminal::new(global).that_only_reads(None).observe(session);
    let location = ReleaseLocation::at(&options.directory, options.table.as_deref());
    let (verified, page) = location.report(&session)?;
    terminal.end();
    let Some(page) = page else {
        render::described(global, &verified, describe_verification);
        return Ok(Verdict::NotMet);
    };
    write_text(named(options.output.as_deref()), &page)?;
    Ok(Verdict::Done)
}

/// Rejects a call that would print a page to a terminal, unless the user requests it with `-`.
fn refuse_terminal(options: &Report, is_terminal: bool) -> Result<(), Failure> {
    match options.output.is_none() && is_terminal {
        true => Err(UsageError::PageToTerminal.into()),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use indistinct::Coded as _;

    use super::*;
    use crate::args::{Arguments, Command};

    #[test]
    fn page_is_not_printed_to_terminal() {
        let refused = |arguments: &[&str], is_terminal: bool| {
            let all = ["indistinct", "report", "release"].iter().chain(arguments);
            let parsed = Arguments::try_parse_from(all).expect("a valid call");
            let Command::Report(options) = parsed.command else { panic!("another command") };
            match refuse_terminal(&options, is_terminal) {
                Err(Failure::Usage(error)) => Some(error.code()),
                _ => None,
            }
        };
        assert_eq!(refused(&[], true), Some("E-USAGE-017"));
        assert_eq!(refused(&[], false), None);
        assert_eq!(refused(&["-o", "report.html"], true), None);
        assert_eq!(refused(&["-o", "-"], true), None);
    }
}
