//! The command `indistinct init`.

use indistinct::Session;
use indistinct::init::HierarchyPreview;
use indistinct::words;

use super::{input_spec, named, write_text};
use crate::Verdict;
use crate::args::{Format, Global, Init};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render::{self, Align};
use crate::say;

pub fn run(global: &Global, session: &Session, options: &Init) -> Result<Verdict, Failure> {
    let output = named(options.output.as_deref());
    let spec = input_spec(options.data.clone(), &options.input)?;
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
        say!(
            "Examined {} and {}. Wrote {}.",
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
            "The proposed roles are based only on names and values: review the file before you use \
             it.",
        );
        if proposal.n_questions > 0 {
            render::sentence(
                "",
                &format!(
                    "{}: before you create a release, replace every role \"?\".",
                    words::counted(proposal.n_questions, "question is open", "questions are open")
                ),
            );
        }
        print_hierarchies(&proposal.hierarchies);
        let policy = words::in_shell(&path.display().to_string());
        say!("Next: indistinct anonymize {policy} -o release");
    }
    Ok(Verdict::Done)
}

/// Prints the detail and the loss of each level of every hierarchy.
fn print_hierarchies(hierarchies: &[HierarchyPreview]) {
    for hierarchy in hierarchies {
        render::heading(&format!("{} ({})", hierarchy.attribute, hierarchy.file.display()));
        let rows = hierarchy.levels.iter().map(|level| {
            vec![
                level.level.to_string(),
                words::thousands(level.n_labels),
                words::thousands(level.rarest),
                words::number(level.loss),
            ]
        });
        let header = [
            ("level", Align::Number),
            ("classes", Align::Number),
            ("rarest, rows", Align::Number),
            ("loss", Align::Number),
        ];
        render::table(&header, rows.collect());
    }
    if !hierarchies.is_empty() {
        say!();
    }
}
