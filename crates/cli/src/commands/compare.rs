//! The command `indistinct compare`.

use indistinct::Session;
use indistinct::compare::{Choices, compare, page};
use indistinct::text::comparison::describe_comparison;

use super::{open_job, refuse_other_than_policy};
use crate::Verdict;
use crate::args::{Compare, Global};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, session: &Session, options: &Compare) -> Result<Verdict, Failure> {
    let (terminal, session) = Terminal::new(global).that_only_reads(None).observe(session);
    // Open the policy once before the comparison, to show its warnings.
    refuse_other_than_policy(&options.policy)?;
    drop(open_job(global, &session, &options.policy, None)?);
    let choices = Choices {
        k: options.k.clone(),
        methods: options.methods.clone(),
        limits: options.limit.clone(),
        varied: options.vary.clone(),
    };
    let comparison = compare(&session, &options.policy, &choices)?;
    terminal.end();
    if let Some(path) = &options.output {
        indistinct::write_new_file(path, page(&comparison).as_bytes())?;
    }
    render::answer(global, &comparison, |comparison| {
        render::document(&describe_comparison(comparison));
        options.output.iter().for_each(|path| render::holders_page("page", path));
    });
    Ok(if comparison.has_any() { Verdict::Done } else { Verdict::NotMet })
}
