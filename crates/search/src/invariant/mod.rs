//! # m-invariant versions of a growing table
//!
//! **Definition.** Every class has at least m rows with different sensitive values, and every
//! person who was in an earlier version is in a class with the same set of sensitive values (the
//! *signature* of the person) as before. The classes of a person in all versions therefore have
//! these sensitive values in common, and joining the versions excludes none of them.
//! **Formula.**
//! 1. *Division*: each person with a signature is assigned to the bucket of this signature.
//! 2. *Balancing*: a bucket must have equally many rows of each of its sensitive values. Missing
//!    rows are taken from the new rows as long as the new rows stay m-eligible (no sensitive value
//!    in more than 1/m of them); otherwise, they are generated (*counterfeits*).
//! 3. *Assignment*: the other new rows go to the bucket of the b >= m most frequent sensitive
//!    values. Each step takes an equal number of rows of each value, and as many rows as possible
//!    while the rest stays m-eligible.
//! 4. *Split*: buckets are halved, with the same number of rows of each sensitive value on both
//!    sides, along the attribute with the lowest loss, down to one row of each sensitive value.
//!
//! **Choice.** The key alone determines which of the new rows with one sensitive value go to which
//! bucket. The quasi-identifiers and sensitive values determine how a bucket is halved.
//! **Counterfeits.** A counterfeit has a sensitive value of the signature and the released values
//! of its class. The number of counterfeits is published.
//! **Bounds.** Minimum levels are respected. Maximum levels are not supported, because a signature
//! may bring any rows together.
//! **Suppression.** If the new rows are not m-eligible, rows with the most frequent sensitive
//! values are suppressed, within the limit. If that is not sufficient, new rows join buckets of
//! earlier versions, which may require further counterfeits. If both fail, the search returns no
//! result.
//! **Objective.** The loss.
//! **Complexity.** O(n d log n) steps and O(n) memory for n rows and d attributes, in addition to
//! O(s log s) for s sensitive values per round of assignment.
//! **Errors.** [`SearchError`].
//! **Does not protect against.** An adversary who knows the algorithm and the quasi-identifiers of
//! all people, and infers from the halving of a bucket which sensitive value belongs to whom;
//! changing sensitive values; similar sensitive values; an adversary who can rule out some
//! sensitive values.
//! **Source.** Xiao, Tao, SIGMOD 2007. Deviations: a person who returns after an absence keeps the
//! signature; new rows that are not m-eligible do not end the search (see suppression).
//!
//! The result of the search for m-invariant versions.

use indistinct_core::model::{CountedColumn, Dictionary, InvalidTable};
use indistinct_core::{Cell, FrequencyTable, Observer, Part, Recoding};

pub use crate::multidimensional::GeneralizeTo;
use crate::{Outcome, Problem, Search, SearchError, released};

mod balance;
mod plan;

/// A person of this version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The tuple of the person in the counted table.
    pub tuple: u32,
    /// The sensitive values of the person's classes in earlier versions, as ascending codes; `None`
    /// for a new person.
    pub signature: Option<Vec<u32>>,
}

/// Divides the rows of a version into classes in which every person keeps the signature, on one
/// thread.
///
/// The dictionary of the table must contain all sensitive values of the signatures. The search uses
/// the hierarchies and the suppression limit of the policy; the certifier evaluates its principles.
/// Maximum levels have no effect, and the objective is always the loss. After the time limit,
/// buckets are halved along a curve, without a search over attributes.
#[derive(Clone, Copy)]
pub struct Invariant<'a> {
    /// Minimum number of different sensitive values in a class.
    pub m: u64,
    /// One person for each row of the table.
    pub people: &'a [Person],
    /// The kind of released values.
    pub align: GeneralizeTo,
    /// The secret key that decides which new rows go to which bucket, derived from the seed and a
    /// digest of the private input.
    pub key: [u8; 32],
}

impl std::fmt::Debug for Invariant<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Omit the key, which is secret.
        f.debug_struct("Invariant").field("m", &self.m).finish_non_exhaustive()
    }
}

impl Search for Invariant<'_> {
    type Proposal = Version;
    type Nearest = Shortage;

    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Version, Shortage>, SearchError> {
        plan::invariant(problem, self, observer)
    }
}

/// A class.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundClass {
    /// The sensitive values of the class in ascending order, one for each row.
    pub signature: Vec<u32>,
    /// The released value of each quasi-identifier.
    pub cells: Vec<Cell>,
    /// The sensitive values of the counterfeits in ascending order.
    pub counterfeits: Vec<u32>,
    /// The tuple of a true row of the class.
    pub tuple: u32,
}

/// Classes in which every person keeps their signature.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// The class of each person; `None` if the row of the person is suppressed.
    pub class_of: Vec<Option<u32>>,
    /// The classes.
    pub classes: Vec<FoundClass>,
}

impl Version {
    /// Returns the number of suppressed rows.
    pub fn n_suppressed(&self) -> u64 {
        self.class_of.iter().filter(|class| class.is_none()).count() as u64
    }

    /// Returns the number of counterfeit rows.
    pub fn n_counterfeits(&self) -> u64 {
        self.classes.iter().map(|class| class.counterfeits.len() as u64).sum()
    }

    /// Returns the table with its counterfeits, and the recoding to certify. A counterfeit has the
    /// quasi-identifiers of a true row of its class.
    ///
    /// # Errors
    /// [`InvalidTable`] if the table or the people differ from those of the search.
    pub fn with_counterfeits(
        &self,
        table: &FrequencyTable,
        people: &[Person],
    ) -> Result<(FrequencyTable, Recoding), InvalidTable> {
        // Equal rows of a class form a part, as do equal suppressed rows.
        let true_rows = people.iter().zip(&self.class_of).map(|(person, class)| {
            let value = table.sensitive()[0].codes[person.tuple as usize];
            (person.tuple, value, *class)
        });
        let counterfeits = self.classes.iter().zip(0..).flat_map(|(class, number)| {
            class.counterfeits.iter().map(move |&value| (class.tuple, value, Some(number)))
        });
        let quasi_identifiers = table.quasi_identifiers();
        let mut rows: Vec<(Vec<u32>, Option<u32>)> = true_rows
            .chain(counterfeits)
            .map(|(tuple, value, class)| {
                let codes = quasi_identifiers.iter().map(|column| column.codes[tuple as usize]);
                (codes.chain([value]).collect(), class)
            })
            .collect();
        rows.sort_unstable();

        let mut tuples: Vec<(&[u32], u64)> = Vec::new();
        let mut parts: Vec<(Part, Option<u32>)> = Vec::new();
        for of_tuple in rows.chunk_by(|a, b| a.0 == b.0) {
            let tuple = tuples.len() as u32;
            tuples.push((&of_tuple[0].0, of_tuple.len() as u64));
            for part in of_tuple.chunk_by(|a, b| a.1 == b.1) {
                parts.push((Part { tuple, rows: part.len() as u64 }, part[0].1));
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
        let cells = self.classes.iter().map(|class| class.cells.clone()).collect();
        let recoding = released::recoding(&extended, parts.into_iter(), cells);
        Ok((extended, recoding))
    }
}

/// The reason why no version preserves the signatures of all people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
    /// Number of new people.
    pub n_new: u64,
    /// Number of people whose signature in earlier versions has fewer than m sensitive values.
    pub n_short: u64,
    /// The largest m for which a version exists.
    pub largest_m: u64,
    /// Number of new rows that would have to be suppressed; `None` if suppression does not help.
    pub n_suppressed_needed: Option<u64>,
}

/// Adds the sensitive values of earlier signatures that do not occur in a table to its dictionary.
/// The tuples of the result may be in a different order.
///
/// # Panics
/// Panics if the table has no sensitive attribute.
pub fn with_sensitive_values<'a>(
    table: &FrequencyTable,
    values: impl IntoIterator<Item = &'a str>,
) -> FrequencyTable {
    let column = &table.sensitive()[0];
    let before = column.dictionary.values();
    let mut all: Vec<String> = before.to_vec();
    all.extend(values.into_iter().map(str::to_owned));
    all.sort_unstable();
    all.dedup();
    if all.len() == before.len() {
        return table.clone();
    }
    let (dictionary, code_of) = Dictionary::from_distinct(all.clone());
    let code = |&code: &u32| {
        let at = all.binary_search_by(|text| text.as_str().cmp(column.dictionary.value(code)));
        code_of[at.expect("the merged dictionary contains the value")]
    };
    let mut sensitive = table.sensitive().to_vec();
    sensitive[0].codes = column.codes.iter().map(code).collect();
    sensitive[0].dictionary = dictionary;
    let quasi_identifiers = table.quasi_identifiers().to_vec();
    FrequencyTable::new(quasi_identifiers, sensitive, table.counts().to_vec())
        .expect("the columns of a table have the same length")
}
