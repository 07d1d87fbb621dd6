//! The command `indistinct advise`.

use indistinct::Session;
use indistinct::text::advice::describe_advice;

use super::open_to_decide;
use crate::Verdict;
use crate::args::{Advise, Global};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, session: &Session, options: &Advise) -> Result<Verdict, Failure> {
    let (terminal, session) =
        Terminal::new(global).that_only_reads(options.time_limit).observe(session);
    let job = open_to_decide(global, &session, &options.policy)?;
    let advice = indistinct::advise::advise(&job, global.values())?;
    terminal.end();
    if let Some(path) = &options.report {
        indistinct::write_new_file(path, indistinct::advise::page(&advice).as_bytes())?;
    }
    render::answer(global, &advice, |advice| {
        render::document(&describe_advice(advice));
        render::heading("To compare the cost of each choice, run: indistinct compare POLICY");
        options.report.iter().for_each(|path| render::holders_page("report", path));
    });
    Ok(if advice.is_within_reach() { Verdict::Done } else { Verdict::NotMet })
}
