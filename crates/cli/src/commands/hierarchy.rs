//! The command `indistinct hierarchy`.

use indistinct::Session;
use indistinct::hierarchies::{self, CheckedHierarchy};
use indistinct::words;

use super::{input_spec, is_policy, named, open_job, refuse_with_policy, write_text};
use crate::Verdict;
use crate::answers::written::{BuiltHierarchy, ShownHierarchy};
use crate::args::{Format, Global, Hierarchy, HierarchyBuild, HierarchyCheck, HierarchyShow};
use crate::failure::{Failure, UsageError};
use crate::out;
use crate::progress::Terminal;
use crate::render;
use crate::say;

pub fn run(global: &Global, session: &Session, options: &Hierarchy) -> Result<Verdict, Failure> {
    match options {
        Hierarchy::Build(options) => build(global, session, options),
        Hierarchy::Check(options) => check(global, session, options),
        Hierarchy::Show(options) => show(global, session, options),
    }
}

fn build(global: &Global, session: &Session, options: &HierarchyBuild) -> Result<Verdict, Failure> {
    let (terminal, session) = Terminal::new(global).that_only_reads(None).observe(session);
    let job = open_job(global, &session, &options.policy, None)?;
    let text = hierarchies::arx_csv(&job, &options.attribute)?;
    terminal.end();
    let output = named(options.output.as_deref());
    if let Some(path) = output {
        write_text(Some(path), &text)?;
    }
    match (global.format, output) {
        (Format::Json, path) => {
            render::json(&BuiltHierarchy { attribute: &options.attribute, file: path, csv: &text })
        }
        (Format::Text, None) => out::file(&text),
        (Format::Text, Some(path)) => say!(
            "Wrote {} of '{}' to {}.",
            words::counted(text.lines().count() as u64, "value", "values"),
            options.attribute,
            path.display()
        ),
    }
    Ok(Verdict::Done)
}

fn check(global: &Global, session: &Session, options: &HierarchyCheck) -> Result<Verdict, Failure> {
    let (terminal, session) = Terminal::new(global).that_only_reads(None).observe(session);
    let checked = if is_policy(&options.policy_or_file) {
        refuse_with_policy(options.data.as_deref(), &options.input)?;
        let job = open_job(global, &session, &options.policy_or_file, None)?;
        hierarchies::check(&job, options.attribute.as_deref(), global.values())?
    } else {
        let (Some(data), Some(attribute)) = (&options.data, &options.attribute) else {
            return Err(UsageError::NoColumn.into());
        };
        let spec = input_spec(data.clone(), &options.input)?;
        hierarchies::check_file(
            &session,
            &options.policy_or_file,
            &spec,
            attribute,
            global.values(),
        )?
    };
    terminal.end();
    match global.format {
        Format::Json => render::json(&checked),
        Format::Text => checked.iter().for_each(print),
    }
    let all = checked.iter().all(|checked| checked.problems.is_empty());
    Ok(if all { Verdict::Done } else { Verdict::NotMet })
}

fn print(checked: &CheckedHierarchy) {
    if checked.problems.is_empty() {
        say!(
            "holds  {}: {} over {}",
            checked.attribute,
            words::counted(checked.n_levels.unwrap_or(0) as u64, "level", "levels"),
            words::counted(checked.n_values, "value", "values")
        );
    } else {
        say!("fails  {}", checked.attribute);
        for problem in &checked.problems {
            render::sentence("         ", problem);
        }
    }
}

fn show(global: &Global, session: &Session, options: &HierarchyShow) -> Result<Verdict, Failure> {
    let (terminal, session) = Terminal::new(global).that_only_reads(None).observe(session);
    let text = if is_policy(&options.policy_or_file) {
        let Some(attribute) = &options.attribute else {
            return Err(UsageError::WhichHierarchy.into());
        };
        let job = open_job(global, &session, &options.policy_or_file, None)?;
        hierarchies::tree(&job, attribute, options.lines)?
    } else {
        hierarchies::tree_of_file(&options.policy_or_file, options.lines)?
    };
    terminal.end();
    match global.format {
        Format::Json => render::json(&ShownHierarchy { tree: &text }),
        Format::Text => out::block(&format!("{}\n", text.trim_end())),
    }
    Ok(Verdict::Done)
}
