//! The commands `indistinct completions` and `indistinct manual`.

use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::Verdict;
use crate::args::Arguments;
use crate::failure::Failure;
use crate::out;

/// Prints the completions for a shell.
pub fn completions(shell: Shell) -> Result<Verdict, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "indistinct", &mut script);
    out::file(&String::from_utf8_lossy(&script));
    Ok(Verdict::Done)
}

/// Writes a manual page for each command to a new file in a folder.
pub fn pages(folder: &Path) -> Result<Verdict, Failure> {
    let mut command = Arguments::command();
    command.build();
    let mut pages = Vec::new();
    collect(&command, folder, &mut pages);
    indistinct::write_new_files(folder, pages.iter().map(|(path, page)| (&**path, &**page)))?;
    Ok(Verdict::Done)
}

fn collect(command: &Command, folder: &Path, pages: &mut Vec<(PathBuf, Vec<u8>)>) {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let mut page = Vec::new();
    Man::new(command.clone())
        .title(&name)
        .render(&mut page)
        .expect("writing to memory cannot fail");
    pages.push((folder.join(format!("{name}.1")), page));
    for below in command.get_subcommands().filter(|it| it.get_name() != "help") {
        collect(below, folder, pages);
    }
}
