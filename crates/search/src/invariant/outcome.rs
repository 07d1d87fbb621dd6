//! What the search for m-invariant versions answers.

use indistinct_core::model::{CountedColumn, Dictionary, InvalidTable};
use indistinct_core::{Cell, Classes, FrequencyTable, Generalization, Part, Recoding};

use super::Problem;
use crate::curve::CurveError;

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Every class holds.
    Found(Box<Found>),
    /// None was found in which every class holds and everybody keeps her signature.
    Infeasible(Infeasible),
}

/// A class.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundClass {
    /// Its secrets, ascending: one row has each.
    pub signature: Vec<u32>,
    /// For each quasi-identifier the released value.
    pub cells: Vec<Cell>,
    /// The secrets of its counterfeits, ascending.
    pub counterfeits: Vec<u32>,
    /// A tuple of a true row of the class.
    pub tuple: u32,
}

/// Classes in which everybody keeps her signature.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// For each person her class; `None` where her row is suppressed.
    pub class_of: Vec<Option<u32>>,
    /// The classes.
    pub classes: Vec<FoundClass>,
    /// Whether the time was up, so that more is lost than need be.
    pub is_cut_short: bool,
}

impl Found {
    /// Rows that are suppressed.
    pub fn n_suppressed(&self) -> u64 {
        self.class_of.iter().filter(|class| class.is_none()).count() as u64
    }

    /// Rows that are nobody's.
    pub fn n_counterfeits(&self) -> u64 {
        self.classes.iter().map(|class| class.counterfeits.len() as u64).sum()
    }

    /// The table with its counterfeits, and the recoding of it to certify. A counterfeit has the quasi-identifiers of a true row
    /// of its class.
    ///
    /// # Errors
    /// [`InvalidTable`] if the problem is another one.
    pub fn with_counterfeits(
        &self,
        problem: &Problem<'_>,
    ) -> Result<(FrequencyTable, Recoding), InvalidTable> {
        let table = problem.table;
        // Equal rows of one class, and the suppressed ones, are a part.
        let true_rows = problem.people.iter().zip(&self.class_of).map(|(person, class)| {
            let secret = table.sensitive()[0].codes[person.tuple as usize];
            (person.tuple, secret, *class)
        });
        let counterfeits = self.classes.iter().zip(0..).flat_map(|(class, number)| {
            class.counterfeits.iter().map(move |&secret| (class.tuple, secret, Some(number)))
        });
        let quasi_identifiers = table.quasi_identifiers();
        let mut rows: Vec<(Vec<u32>, Option<u32>)> = true_rows
            .chain(counterfeits)
            .map(|(tuple, secret, class)| {
                let codes = quasi_identifiers.iter().map(|column| column.codes[tuple as usize]);
                (codes.chain([secret]).collect(), class)
            })
            .collect();
        rows.sort_unstable();

        let mut tuples: Vec<(&[u32], u64)> = Vec::new();
        let mut parts: Vec<Part> = Vec::new();
        let (mut class_of, mut suppressed) = (Vec::new(), Vec::new());
        for of_tuple in rows.chunk_by(|a, b| a.0 == b.0) {
            let tuple = tuples.len() as u32;
            tuples.push((&of_tuple[0].0, of_tuple.len() as u64));
            for part in of_tuple.chunk_by(|a, b| a.1 == b.1) {
                parts.push(Part { tuple, rows: part.len() as u64 });
                class_of.push(part[0].1.unwrap_or(0));
                suppressed.push(part[0].1.is_none());
            }
        }
        let column = |(at, column): (usize, &CountedColumn)| CountedColumn {
            name: column.name.clone(),
            dictionary: column.dictionary.clone(),
            codes: tuples.iter().map(|tuple| tuple.0[at]).collect(),
        };
        let n = quasi_identifiers.len();
        let extended = FrequencyTable::new(
            quasi_identifiers.iter().enumerate().map(column).collect(),
            vec![column((n, &table.sensitive()[0]))],
            tuples.iter().map(|tuple| tuple.1).collect(),
        )?;
        let is_divided = parts.len() > extended.n_tuples();
        let cells = self.classes.iter().map(|class| class.cells.clone()).collect();
        let classes = Classes { parts: is_divided.then_some(parts), class_of, cells };
        let generalization = Generalization::Classes(classes);
        Ok((extended, Recoding { generalization, suppressed, secrets: None }))
    }
}

/// No classes were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Infeasible {
    /// New people.
    pub n_new: u64,
    /// People whose signature of earlier versions has fewer than m secrets.
    pub n_short: u64,
    /// The largest m for which there are classes.
    pub largest_m: u64,
    /// How many of the new rows would have to be suppressed; `None` where that does not help.
    pub n_suppressed_needed: Option<u64>,
    /// Whether it is proved that there are none: certain for a first version without suppression.
    pub is_proved: bool,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvariantError {
    /// The observer cancelled.
    #[error("the search was cancelled")]
    Cancelled,
    /// Not exactly one sensitive attribute.
    #[error("there are {got} sensitive attributes, expected one")]
    SensitiveAttributes {
        /// How many there are.
        got: usize,
    },
    /// Suppressed rows that are to be written.
    #[error("starred rows would make a class in which secrets repeat")]
    Starred,
    /// People whose secret is not the one that they had.
    #[error(
        "the secret of {n_people} people is not among those of their classes in earlier versions"
    )]
    SecretChanged {
        /// How many people.
        n_people: u64,
    },
    /// Not one person for each row.
    #[error("there are {got} people for {expected} rows")]
    People {
        /// People.
        got: u64,
        /// Rows.
        expected: u64,
    },
    /// Hierarchies, weights or bounds that do not fit the table.
    #[error(transparent)]
    Misfit(CurveError),
}

impl InvariantError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            InvariantError::Cancelled => "E-CANCELLED",
            InvariantError::SensitiveAttributes { .. } => "E-INVARIANT-001",
            InvariantError::Starred => "E-INVARIANT-002",
            InvariantError::SecretChanged { .. } => "E-INVARIANT-003",
            InvariantError::People { .. } => "E-INVARIANT-004",
            InvariantError::Misfit(error) => error.code(),
        }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            InvariantError::SensitiveAttributes { .. } => {
                Some("give one attribute the role \"sensitive\", or take another method")
            }
            InvariantError::Starred => Some("take suppressed = \"dropped\""),
            InvariantError::SecretChanged { .. } => Some(
                "a secret must not change from version to version: correct the table, leave these people out, or begin a new series",
            ),
            InvariantError::Misfit(error) => error.help(),
            InvariantError::Cancelled | InvariantError::People { .. } => None,
        }
    }
}

/// The same table with further secrets in its dictionary: those of earlier signatures that nobody has now. Its tuples may be in another order.
///
/// # Panics
/// If the table has no sensitive attribute.
pub fn with_secrets<'a>(
    table: &FrequencyTable,
    secrets: impl IntoIterator<Item = &'a str>,
) -> FrequencyTable {
    let column = &table.sensitive()[0];
    let before = column.dictionary.values();
    let mut all: Vec<String> = before.to_vec();
    all.extend(secrets.into_iter().map(str::to_owned));
    all.sort_unstable();
    all.dedup();
    if all.len() == before.len() {
        return table.clone();
    }
    let (dictionary, code_of) = Dictionary::from_distinct(all.clone());
    let code = |&code: &u32| {
        let at = all.binary_search_by(|text| text.as_str().cmp(column.dictionary.value(code)));
        code_of[at.expect("it is among all")]
    };
    let mut sensitive = table.sensitive().to_vec();
    sensitive[0].codes = column.codes.iter().map(code).collect();
    sensitive[0].dictionary = dictionary;
    let quasi_identifiers = table.quasi_identifiers().to_vec();
    FrequencyTable::new(quasi_identifiers, sensitive, table.counts().to_vec())
        .expect("columns of one table are of one length")
}
