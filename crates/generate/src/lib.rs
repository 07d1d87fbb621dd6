//! Synthetic example tables, generated from a seed: `indistinct generate`.
//!
//! The tables describe no real people. The same example, number of rows, and seed produce the same
//! bytes on every machine: all random draws are integers from one ChaCha stream, and no
//! floating-point function is used. Rows are streamed, so the memory usage does not depend on the
//! number of rows.
//!
//! This crate only generates tables and files, and treats policies as plain text.

#![deny(missing_docs)]

mod census;
mod files;
mod hospital;
mod random;
mod salary;
mod survey;

use std::io::{self, BufWriter, Write};

pub use census::MAX_DISTINCT;
pub use survey::{DEFAULT_ATTRIBUTES, MAX_ATTRIBUTES};

/// The default number of rows in an example.
pub const DEFAULT_ROWS: u64 = 5_000;

/// The default seed.
pub const DEFAULT_SEED: u64 = 7;
pub use files::{GenerateError, to_files};

/// An example table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Example {
    /// Inpatients from a fictitious region: name, age, sex, zip code, nationality, day of
    /// admission, diagnosis with a taxonomy, and cost in currency.
    Hospital,
    /// A census extract: eight quasi-identifiers and an occupation.
    Census {
        /// The number of distinct tuples of quasi-identifiers and occupation. With enough rows,
        /// each tuple occurs at least once. `None` draws every row independently. Each tuple takes
        /// about 16 bytes of memory.
        distinct: Option<u64>,
    },
    /// Incomes: age, birthplace, occupation, and income, over the domains in the (epsilon, m)
    /// paper.
    Salary,
    /// Correlated answers to many questions: a wide table in which every column is a
    /// quasi-identifier.
    Survey {
        /// The number of questions, from 1 to [`MAX_ATTRIBUTES`].
        n_attributes: usize,
    },
}

/// The policy and the hierarchies of an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedExample {
    /// The contents of a policy file that is to be stored in the same folder as the data.
    pub policy: String,
    /// The hierarchy files that the policy references, in ARX format. Each entry contains the path
    /// relative to the policy, and the contents of the file.
    pub hierarchies: Vec<(String, String)>,
}

/// Writes the rows of an example as CSV with a header, comma separators, line feeds, and no quotes.
///
/// # Errors
/// Errors from `out`, and [`io::ErrorKind::InvalidInput`] for more than [`MAX_DISTINCT`] distinct
/// tuples.
pub fn write(example: &Example, rows: u64, seed: u64, out: &mut dyn Write) -> io::Result<()> {
    let out = &mut BufWriter::with_capacity(1 << 18, out);
    match example {
        Example::Hospital => hospital::write(rows, seed, out),
        Example::Census { distinct } => census::write(rows, seed, *distinct, out),
        Example::Salary => salary::write(rows, seed, out),
        Example::Survey { n_attributes } => survey::write(rows, seed, *n_attributes, out),
    }?;
    out.flush()
}

/// Returns the policy and hierarchies of an example. The policy refers to the file `data_file_name`
/// in its own folder, which contains the rows.
pub fn companion(example: &Example, data_file_name: &str) -> GeneratedExample {
    let (policy, hierarchies): (String, _) = match example {
        Example::Hospital => (include_str!("hospital.policy.toml").into(), hospital::hierarchies()),
        Example::Census { .. } => {
            (include_str!("census.policy.toml").into(), census::hierarchies())
        }
        Example::Salary => (include_str!("salary.policy.toml").into(), salary::hierarchies()),
        Example::Survey { n_attributes } => {
            (survey::policy(*n_attributes), survey::hierarchies(*n_attributes))
        }
    };
    let path = toml::Value::String(data_file_name.to_owned()).to_string();
    GeneratedExample { policy: policy.replace("\"@DATA@\"", &path), hierarchies }
}

#[cfg(test)]
mod tests;
