//! # masking
//!
//! **Definition.** Values of some quasi-identifiers are exchanged between rows or randomized. An
//! operation applies to one column or to several columns together. All other values are unchanged,
//! and no row is suppressed.
//! **Operations.** [`REGISTRY`] lists the operations. Each operation has its own file and
//! is one [`Operation`].
//! **Claims.** None: principles are not defined for rows whose quasi-identifiers may belong to
//! another person, and no probabilistic guarantee is computed. The certificate states the
//! operations with their parameters, but never the seed.
//! **Randomness.** ChaCha20 from a key, with one stream for each column and operation. Adding a
//! column therefore does not change the draws for other columns, except if both columns receive
//! additive noise. The draws depend only on the key and the frequency table. The certifier draws
//! the values.
//! **Complexity.** O(n log n) for n rows and each column; O(n m^2) for additive noise on m columns.
//! **Errors.** [`MaskingProblem`].
//! **Does not protect against.** An adversary who knows a person's exact values finds the nearest
//! row, which is often the correct row (`attack`, distance-linkage). Columns that are not masked
//! are exact. Over several releases of one table, noise averages out.

mod additive;
mod pram;
mod rank_swap;
mod shuffle;

use indistinct_diagnostics::errors;

use crate::Rational;
use crate::model::{CountedColumn, Dictionary, FrequencyTable, NotNumbers, Numbers};
use crate::recoding::random::{Key, Random};

/// An operation that randomizes values.
#[derive(Debug)]
pub struct Operation {
    /// The name of the operation, which is its key in a policy.
    pub name: &'static str,
    /// Whether the operation requires numbers.
    pub needs_numbers: bool,
    /// Whether the operation applies to all its columns jointly instead of to each column
    /// separately.
    is_joint: bool,
    /// Draws the released strings.
    draw: fn(&[MaskedColumn<'_>], &mut Random) -> Result<ReleasedTexts, MaskingProblem>,
}

/// The released strings, by column and row.
type ReleasedTexts = Vec<Vec<String>>;

impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Operation {}

/// All masking operations, in the order of the documentation.
pub static REGISTRY: &[Operation] = &[
    Operation { name: "swap", needs_numbers: true, is_joint: false, draw: rank_swap::draw },
    Operation { name: "pram", needs_numbers: false, is_joint: false, draw: pram::draw },
    Operation { name: "noise", needs_numbers: true, is_joint: true, draw: additive::draw },
    Operation { name: "shuffle", needs_numbers: false, is_joint: false, draw: shuffle::draw },
];

/// Returns the operation with the given name.
pub fn find(name: &str) -> Option<&'static Operation> {
    REGISTRY.iter().find(|operation| operation.name == name)
}

/// A column with the value of each row.
#[derive(Debug)]
pub struct MaskedColumn<'a> {
    /// The name of the column.
    pub name: &'a str,
    /// The distinct values of the column.
    pub dictionary: &'a Dictionary,
    /// The code of the value in each row.
    pub rows: Vec<u32>,
    /// The parameter of the operation.
    pub parameter: Rational,
}

impl MaskedColumn<'_> {
    fn numbers(&self) -> Result<Numbers, MaskingProblem> {
        Numbers::from_dictionary(self.dictionary)
            .map_err(|problem| MaskingProblem::Numbers { column: self.name.to_owned(), problem })
    }

    fn texts(&self, codes: &[u32]) -> Vec<String> {
        codes.iter().map(|&code| self.dictionary.value(code).to_owned()).collect()
    }
}

/// The masking of one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnMask {
    /// The column.
    pub column: String,
    /// The operation.
    pub operation: &'static Operation,
    /// The parameter, whose meaning depends on the operation.
    pub parameter: Rational,
}

/// The masking operations for some columns of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masking {
    /// The masked columns, each listed once.
    pub columns: Vec<ColumnMask>,
    /// The key, derived from the seed *and* a digest of the private input, so a guessed seed does
    /// not reveal the draws.
    pub key: Key,
}

errors! {
    /// The reason why a table cannot be masked with the requested settings.
    #[derive(Clone, PartialEq, Eq)]
    pub enum MaskingProblem {
        /// Masking quasi-identifiers cannot guarantee a principle.
        #[error("'{kind}' cannot be guaranteed if the quasi-identifiers are masked")]
        #[code("E-NOISE-001", "remove the principle from the policy, or use a method that supports \
                it")]
        Principle {
            /// The principle.
            kind: &'static str,
        },
        /// Masking requires distinct quasi-identifiers.
        #[error("'{column}' is not a quasi-identifier, or is listed twice")]
        #[code("E-NOISE-002", "list only quasi-identifiers in [recoding.masking], each once")]
        Column {
            /// The column.
            column: String,
        },
        /// The operation requires numbers, but the column also contains other values.
        #[error("'{column}' does not support this kind of masking: {problem}")]
        #[code("E-NOISE-003", "use pram or shuffle for this column, or add the non-numeric values \
                to null_values if they represent missing values")]
        Numbers {
            /// The column.
            column: String,
            /// The reason.
            problem: NotNumbers,
        },
        /// Adding the noise exceeds the range of numbers that can be represented exactly.
        #[error("the noise of '{column}' exceeds the range of exact numbers")]
        #[code("E-NOISE-004", "use a smaller share, or a larger unit for the numbers")]
        TooLarge {
            /// The column.
            column: String,
        },
    }
    help {
        Self::Numbers { problem: NotNumbers::TooManyDigits, .. } =>
            "round the numbers, or use a larger unit";
    }
}

/// The drawn values of each masked column, in the order of quasi-identifiers: the index of the
/// quasi-identifier and the string of each row. Rows are in the order of the tuples.
pub(crate) type DrawnRows = Vec<(usize, Vec<String>)>;

/// Draws the released values.
pub(crate) fn draw(table: &FrequencyTable, masking: &Masking) -> Result<DrawnRows, MaskingProblem> {
    let mut columns: Vec<(usize, &CountedColumn, &ColumnMask)> = Vec::new();
    for masked in &masking.columns {
        let known = table.quasi_identifiers().iter().enumerate();
        let found = known.into_iter().find(|(_, column)| column.name == masked.column);
        match found.filter(|(at, _)| columns.iter().all(|other| other.0 != *at)) {
            Some((at, column)) => columns.push((at, column, masked)),
            None => return Err(MaskingProblem::Column { column: masked.column.clone() }),
        }
    }
    let rows_of = |(_, column, masked): &(usize, &'_ CountedColumn, &ColumnMask)| {
        let tuples = column.codes.iter().zip(table.counts());
        let rows = tuples.flat_map(|(&code, &n)| std::iter::repeat_n(code, n as usize)).collect();
        (rows, masked.parameter)
    };
    let mut drawn = Vec::with_capacity(columns.len());
    for (number, operation) in (0u64..).zip(REGISTRY) {
        let own: Vec<_> = columns.iter().filter(|it| it.2.operation == operation).collect();
        let together = if operation.is_joint { own.len().max(1) } else { 1 };
        for part in own.chunks(together) {
            let masked: Vec<MaskedColumn<'_>> = part
                .iter()
                .map(|it| {
                    let (rows, parameter) = rows_of(it);
                    let (name, dictionary) = (it.1.name.as_str(), &it.1.dictionary);
                    MaskedColumn { name, dictionary, rows, parameter }
                })
                .collect();
            let stream = number << 32 | part[0].0 as u64;
            let mut random = Random::new(&masking.key, STREAM.wrapping_add(stream));
            let texts = (operation.draw)(&masked, &mut random)?;
            drawn.extend(part.iter().map(|it| it.0).zip(texts));
        }
    }
    drawn.sort_by_key(|(at, _)| *at);
    Ok(drawn)
}

/// The number of the first random stream. Each column and operation uses a separate stream.
const STREAM: u64 = u64::from_be_bytes(*b"masking.");
