//! The command `indistinct generate`.

use std::ffi::OsStr;

use indistinct::generate::{Example, to_files};
use indistinct::words;

use crate::Verdict;
use crate::answers::written::GeneratedFiles;
use crate::args::{Format, Generate, Global};
use crate::failure::{Failure, UsageError};
use crate::render;
use crate::say;

pub fn run(global: &Global, options: &Generate) -> Result<Verdict, Failure> {
    let (example, options) = match options {
        Generate::Hospital(options) => (Example::Hospital, options),
        Generate::Salary(options) => (Example::Salary, options),
        Generate::Census { options, distinct } => {
            (Example::Census { distinct: *distinct }, options)
        }
        Generate::Survey { options, attributes } => {
            (Example::Survey { n_attributes: *attributes as usize }, options)
        }
    };
    let known = |extension: &OsStr| extension == "csv" || extension == "parquet";
    if !options.output.extension().is_some_and(known) {
        return Err(UsageError::ExampleFormat(options.output.clone()).into());
    }
    let files = to_files(&example, options.rows, options.seed, &options.output)
        .map_err(indistinct::Error::from)?;
    match global.format {
        Format::Json => render::json(&GeneratedFiles { n_rows: options.rows, files: &files }),
        Format::Text => {
            say!("Wrote {}:", words::rows(options.rows));
            for file in &files {
                say!("  {}", file.display());
            }
            let policy = options.output.with_file_name("policy.toml");
            say!("Next: indistinct anonymize {} -o release", policy.display());
        }
    }
    Ok(Verdict::Done)
}
