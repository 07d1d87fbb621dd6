//! What the search for m-invariant versions answers.

use indistinct_core::model::{CountedColumn, Dictionary, InvalidTable};
use indistinct_core::{Cell, Classes, FrequencyTable, Generalization, Part, Recoding};

use super::Person;

/// A class.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundClass {
    /// Its sensitive values, ascending: one row has each.
    pub signature: Vec<u32>,
    /// For each quasi-identifier the released value.
    pub cells: Vec<Cell>,
    /// The sensitive values of its counterfeits, ascending.
    pub counterfeits: Vec<u32>,
    /// A tuple of a true row of the class.
    pub tuple: u32,
}

/// Classes in which everybody keeps her signature.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// For each person her class; `None` where her row is suppressed.
    pub class_of: Vec<Option<u32>>,
    /// The classes.
    pub classes: Vec<FoundClass>,
}

impl Version {
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
    /// [`InvalidTable`] if table and people are others than those that were searched with.
    pub fn with_counterfeits(
        &self,
        table: &FrequencyTable,
        people: &[Person],
    ) -> Result<(FrequencyTable, Recoding), InvalidTable> {
        // Equal rows of one class, and the suppressed ones, are a part.
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

/// Why there is no version in which everybody keeps her signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
    /// New people.
    pub n_new: u64,
    /// People whose signature of earlier versions has fewer than m sensitive values.
    pub n_short: u64,
    /// The largest m for which there are classes.
    pub largest_m: u64,
    /// How many of the new rows would have to be suppressed; `None` where that does not help.
    pub n_suppressed_needed: Option<u64>,
}

/// The same table with further sensitive values in its dictionary: those of earlier signatures that nobody has now. Its tuples may be in
/// another order.
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
        code_of[at.expect("it is among all")]
    };
    let mut sensitive = table.sensitive().to_vec();
    sensitive[0].codes = column.codes.iter().map(code).collect();
    sensitive[0].dictionary = dictionary;
    let quasi_identifiers = table.quasi_identifiers().to_vec();
    FrequencyTable::new(quasi_identifiers, sensitive, table.counts().to_vec())
        .expect("columns of one table are of one length")
}
