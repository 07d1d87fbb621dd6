//! The command `indistinct import`.

use indistinct::Error;
use indistinct::import::{self, ImportedPolicy};
use indistinct::words;

use crate::Verdict;
use crate::args::{Global, Import};
use crate::failure::Failure;
use crate::render;
use crate::say;

pub fn run(global: &Global, options: &Import) -> Result<Verdict, Failure> {
    let imported = import::arx(&options.file, &options.output).map_err(Error::from)?;
    render::answer(global, &imported, print);
    Ok(Verdict::Done)
}

fn print(imported: &ImportedPolicy) {
    say!(
        "Wrote {}: {}, {}, {}.",
        imported.directory.display(),
        words::counted(imported.n_columns, "column", "columns"),
        words::counted(imported.n_hierarchies, "hierarchy", "hierarchies"),
        words::counted(imported.n_principles, "principle", "principles")
    );
    render::list("Not imported", &imported.not_carried_over);
    render::list("Required changes before you can use the policy", &imported.open);
    say!();
    say!("Next: indistinct profile {}", imported.directory.join(import::POLICY).display());
}
