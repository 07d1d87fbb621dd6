//! The result of the search for m-invariant versions.

use indistinct_core::model::{CountedColumn, Dictionary, InvalidTable};
use indistinct_core::{Cell, Classes, FrequencyTable, Generalization, Part, Recoding};

use super::Person;

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

/// Classes in which every person keeps the signature.
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
        let classes =
            Classes { parts: is_divided.then_some(parts), class_of, cells, highest: None };
        let generalization = Generalization::Classes(classes);
        Ok((extended, Recoding { generalization, suppressed, sensitive: None }))
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
/// If the table has no sensitive attribute.
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
