//! `indistinct init`.

use indistinct::words;

use super::{input_spec, write_text};
use crate::args::{Format, Global, Init};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;
use crate::say;
use crate::verdict::Verdict;

pub fn run(global: &Global, options: &Init) -> Result<Verdict, Failure> {
    let spec = input_spec(options.data.clone(), &options.input)?;
    let observer = Terminal::new(global).that_only_reads(None);
    let proposal = indistinct::init::propose(&spec, options.output.as_deref(), &observer)?;
    drop(observer);
    if global.format == Format::Json {
        if let Some(path) = &options.output {
            write_text(Some(path), &proposal.policy)?;
        }
        render::json(&proposal);
        return Ok(Verdict::Done);
    }
    write_text(options.output.as_deref(), &proposal.policy)?;
    if let Some(path) = &options.output {
        say!(
            "Looked at {} and {}; wrote {}.",
            words::rows(proposal.n_rows),
            words::counted(proposal.roles.len() as u64, "column", "columns"),
            path.display()
        );
        for sentence in &proposal.reading {
            render::sentence("", sentence);
        }
        for (column, role) in &proposal.roles {
            say!("  {role:<17} {column}");
        }
        say!();
        render::sentence(
            "",
            "The roles are a proposal from names and values, not a decision: read the file before you use it.",
        );
        if proposal.n_questions > 0 {
            render::sentence(
                "",
                &format!(
                    "{}: a role of \"?\" has to be decided before anything can be released.",
                    words::counted(proposal.n_questions, "question is open", "questions are open")
                ),
            );
        }
        say!("Then: indistinct anonymize {} -o release", path.display());
    }
    Ok(Verdict::Done)
}
