//! The command `indistinct check`.

use indistinct::Session;
use indistinct::text::describe_checked;

use super::{open_job, warn_all};
use crate::Verdict;
use crate::args::{Check, Global};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, session: &Session, options: &Check) -> Result<Verdict, Failure> {
    let (terminal, session) = Terminal::new(global).that_only_reads(None).observe(session);
    let job = open_job(global, &session, &options.policy, Some(&options.data))?;
    let checked = indistinct::check::check(&job, global.values())?;
    terminal.end();
    warn_all(&checked.warnings);
    render::described(global, &checked, describe_checked);
    Ok(if checked.holds() { Verdict::Done } else { Verdict::NotMet })
}
