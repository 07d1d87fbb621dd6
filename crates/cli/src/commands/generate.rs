//! `indistinct generate`.

use indistinct::generate::Example;
use indistinct::words;

use crate::Verdict;
use crate::args::{Format, Generate, Global};
use crate::failure::Failure;
use crate::render;

pub fn run(global: &Global, options: &Generate) -> Result<Verdict, Failure> {
    let (example, options) = match options {
        Generate::Hospital(options) => (Example::Hospital, options),
        Generate::Census { options, distinct } => {
            (Example::Census { distinct: *distinct }, options)
        }
    };
    let files =
        indistinct::generate::to_files(&example, options.rows, options.seed, &options.output)?;
    match global.format {
        Format::Json => render::json(&serde_json::json!({
            "n_rows": options.rows,
            "files": files,
        })),
        Format::Text => {
            println!("Wrote {}:", words::rows(options.rows));
            for file in files {
                println!("  {}", file.display());
            }
        }
    }
    Ok(Verdict::Done)
}
