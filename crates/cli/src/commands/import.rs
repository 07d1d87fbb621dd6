//! `indistinct import`.

use indistinct::import;
use indistinct::words;

use crate::args::{Format, Global, Import};
use crate::failure::Failure;
use crate::render;
use crate::say;
use crate::verdict::Verdict;

pub fn run(global: &Global, options: &Import) -> Result<Verdict, Failure> {
    let imported = import::arx_project(&options.project, &options.output)?;
    if global.format == Format::Json {
        render::json(&imported);
        return Ok(Verdict::Done);
    }
    say!(
        "Wrote {}: {}, {}, {}.",
        imported.directory.display(),
        words::counted(imported.n_columns, "column", "columns"),
        words::counted(imported.n_hierarchies, "hierarchy", "hierarchies"),
        words::counted(imported.n_principles, "principle", "principles")
    );
    if !imported.not_carried_over.is_empty() {
        render::heading("Not carried over");
        imported.not_carried_over.iter().for_each(|text| render::sentence("  - ", text));
    }
    if !imported.open.is_empty() {
        render::heading("To be decided before the policy can be used");
        imported.open.iter().for_each(|text| render::sentence("  - ", text));
    }
    say!();
    say!("Then: indistinct profile {}", imported.directory.join(import::POLICY).display());
    Ok(Verdict::Done)
}
