//! The command `indistinct verify`.

use indistinct::Session;
use indistinct::text::describe_verification;
use indistinct::verify::ReleaseLocation;

use crate::Verdict;
use crate::args::{Global, Verify};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, session: &Session, options: &Verify) -> Result<Verdict, Failure> {
    let (terminal, session) = Terminal::new(global).that_only_reads(None).observe(session);
    let found = ReleaseLocation::at(&options.directory, options.table.as_deref());
    let verified = found.verify(&session, options.population.as_deref())?;
    terminal.end();
    render::described(global, &verified, describe_verification);
    Ok(if verified.holds { Verdict::Done } else { Verdict::NotMet })
}
