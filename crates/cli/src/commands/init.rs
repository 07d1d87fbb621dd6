//! The command `indistinct init`.

use indistinct::text::describe_proposal;
use indistinct::{InputSpec, Session};

use super::{input_spec, named, unsupported, write_text};
use crate::Verdict;
use crate::args::{Format, Global, Init};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, session: &Session, options: &Init) -> Result<Verdict, Failure> {
    let output = named(options.output.as_deref());
    let spec = InputSpec {
        unsupported: unsupported(options.skip_unsupported),
        ..input_spec(options.data.clone(), &options.input)?
    };
    let (terminal, session) = Terminal::new(global).that_only_reads(None).observe(session);
    let proposal =
        indistinct::init::propose_with(&session, &spec, output, options.hierarchies.as_deref())?;
    terminal.end();
    if let Some(folder) = &options.hierarchies {
        let files = proposal.hierarchies.iter().map(|it| (it.file.as_path(), it.text.as_bytes()));
        indistinct::write_new_files(folder, files)?;
    }
    if global.format == Format::Json {
        if let Some(path) = output {
            write_text(Some(path), &proposal.policy)?;
        }
        render::json(&proposal);
        return Ok(Verdict::Done);
    }
    write_text(output, &proposal.policy)?;
    if let Some(path) = output {
        render::document(&describe_proposal(&proposal, path));
    }
    Ok(Verdict::Done)
}
