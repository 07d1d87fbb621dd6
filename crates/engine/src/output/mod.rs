//! Writes the directories of a release, and its rows in CSV, Parquet, or a spreadsheet.
//!
//! [`write_rows`] writes the rows of a certified [`Release`](indistinct_core::Release). If every
//! released column was counted, the rows follow from the counts and the input is not read again.
//! With insensitive columns, the input is streamed a second time ([`SecondPass`]). In both cases,
//! the order of the released rows does not depend on the order of the input. Rows are sorted by all
//! released columns or shuffled with a key, in bounded memory.
//!
//! [`Staging`] creates a release directory and its private directory ([`PrivateLocation`])
//! atomically.

mod anatomy;
mod assignment;
mod cells;
mod choices;
mod columns;
mod convert;
mod csv;
mod directory;
mod error;
mod file;
mod journal;
mod layout;
mod mapping;
mod output_error;
mod ownership;
pub(crate) mod parquet;
mod permutation;
mod pipeline;
mod rows;
mod second_pass;
mod shuffle;
mod sort;
mod spill;
mod staged;
mod target;
mod tuples;
mod uploaded;
#[cfg(feature = "excel")]
mod xlsx;

pub use anatomy::{
    AnatomyRequest, COUNT, QUASI_IDENTIFIERS, SENSITIVE, VALUE, WrittenTables, write_anatomy,
};
pub use choices::{OutputFormat, RowOrder};
pub use columns::{ColumnSource, OutputColumn};
pub use convert::to_parquet;
pub use directory::{Placing, Residue, Staging, is_private_of, private_dir, recover, residue};
pub use file::{sha256_of_file, stream_private_file, write_private_file};
pub use output_error::{OutputError, Recovery};
pub use ownership::PRIVATE_NOTE_FILE;
pub use rows::{WriteRequest, WrittenFile, write_rows};
pub use second_pass::{CountedInput, SecondPass, each_row};
pub(crate) use staged::StagedFile;
pub use staged::{CertifiedRows, Recode, StagedRows, Target};
pub use target::{PrivateLocation, Replace};
pub use tuples::class_numbers;
pub use uploaded::{Destination, fetch_release};

#[cfg(test)]
mod tests;
