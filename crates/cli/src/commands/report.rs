//! `indistinct report`.

use indistinct::Session;
use indistinct::text::describe_verification;
use indistinct::verify::ReleaseLocation;

use super::{named, write_text};
use crate::Verdict;
use crate::args::{Global, Report};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, session: &Session, options: &Report) -> Result<Verdict, Failure> {
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
