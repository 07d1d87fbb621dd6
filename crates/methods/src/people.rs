//! Determines the people in a table in which a person may have several rows.

use std::sync::Arc;

use indistinct_core::model::Meaning;
use indistinct_diagnostics::warning::Warning;

use indistinct_core::{DROPPED, Observer, People, RowsOfPerson};
use indistinct_engine::CountedRows;
use indistinct_engine::output::{CountedInput, each_row};
use indistinct_labels::look_alikes::as_displayed;
use indistinct_policy::SpellingVariants;
use rustc_hash::FxHashMap;

use crate::bound::{BoundPolicy, Bounds};
use crate::error::Error;
use crate::invariant::PeopleProblem;
use crate::task::Task;

/// The maximum number of row numbers in a message.
const MOST_ROWS: usize = 5;

/// The people of a table, and a warning about spelling variants of their identifiers.
type PeopleWithWarning = (Arc<People>, Option<Warning>);

/// Determines the people of a counted table, with a warning about spelling variants of their
/// identifiers; `None` if the policy has no `[people]`.
///
/// # Errors
/// [`Error`] if the table cannot be read again, a row has no person, identifiers have spelling
/// variants whose meaning the policy does not state, or the observer cancels.
pub fn people_of(
    bound: &BoundPolicy,
    counted: &CountedRows,
    observer: &dyn Observer,
) -> Result<Option<PeopleWithWarning>, Error> {
    let Some(section) = &bound.file.people else { return Ok(None) };
    let variants = section.spelling_variants.unwrap_or(SpellingVariants::Distinct);
    let read = read(bound, counted, section.column(), variants, observer)?;
    if !read.unidentified.is_empty() {
        let (column, n_rows) = (section.column().to_owned(), read.unidentified.len() as u64);
        // Rows that are counted by an external database have no fixed order.
        let n_shown = if bound.input.table().is_some() { 0 } else { MOST_ROWS };
        let first = read.unidentified.into_iter().take(n_shown).collect();
        return Err(PeopleProblem::UnidentifiedRows { column, n_rows, first }.into());
    }
    let (column, n_values) = (section.column().to_owned(), read.n_variants);
    let warning = match section.spelling_variants {
        _ if n_values == 0 => None,
        None => return Err(PeopleProblem::SpellingVariants { column, n_values }.into()),
        Some(SpellingVariants::Merged) => Some(Warning::UnifiedPeople { column, n_values }),
        Some(SpellingVariants::Distinct) => Some(Warning::SimilarPeople { column, n_values }),
    };
    match People::new(&counted.table, read.of_rows, section.rows) {
        Ok(people) => Ok(Some((Arc::new(people), warning))),
        Err(_) => Err(PeopleProblem::NotRowByRow { column: section.column().to_owned() }.into()),
    }
}

/// Counts the people in the class with the fewest people, using an identifier that may name people
/// and the class of each tuple of the counted table. A row without an identifier counts as a
/// separate person, and spelling variants count as one. Returns `None` if the number is unknown, or
/// if computing it would require a slow query.
///
/// # Errors
/// [`Error`] if the table cannot be read again, or the observer cancels.
pub fn fewest_in_a_class(
    bound: &BoundPolicy,
    counted: &CountedRows,
    class_of: &[u32],
    column: &str,
    observer: &dyn Observer,
) -> Result<Option<u64>, Error> {
    if bound.input.table().is_some_and(|table| !table.answers_at_once()) {
        return Ok(None);
    }
    let read = read(bound, counted, column, SpellingVariants::Merged, observer)?;
    // If some rows have no person, the rows just read may differ from the rows counted earlier.
    let Ok(people) = People::new(&counted.table, read.of_rows, RowsOfPerson::Independent) else {
        return Ok(None);
    };
    let n_classes = class_of.iter().filter(|class| **class != DROPPED).max();
    let mut members: Vec<Vec<u32>> =
        vec![Vec::new(); n_classes.map_or(0, |most| *most as usize + 1)];
    for (tuple, &class) in class_of.iter().enumerate().filter(|(_, class)| **class != DROPPED) {
        members[class as usize].extend(people.of_tuple(tuple).iter().map(|entry| entry.0));
    }
    let distinct = members.into_iter().map(|mut members| {
        members.sort_unstable();
        members.dedup();
        members.len() as u64
    });
    Ok(distinct.min())
}

/// Raises the minimum levels until all rows of each person have the same labels, if the policy
/// requires a person's rows to be in one class.
pub(crate) fn together(task: &Task<'_>, bounds: &mut Bounds) -> Result<(), Error> {
    let mut all = task.policy().requirements.iter().filter_map(|it| it.people.as_ref());
    let Some(people) = all.find(|people| people.rows() == RowsOfPerson::Uniform) else {
        return Ok(());
    };
    let table = task.table();
    let levels = people.levels_together(table, &task.policy().hierarchies);
    for ((column, allowed), level) in table.quasi_identifiers().iter().zip(bounds).zip(levels) {
        if level > *allowed.end() {
            let (attribute, highest) = (column.name.clone(), *allowed.end());
            return Err(PeopleProblem::NotTogether { attribute, level, highest }.into());
        }
        *allowed = level.max(*allowed.start())..=*allowed.end();
    }
    Ok(())
}

/// Numbers for the identifiers of people or households, in order of appearance.
#[derive(Debug)]
pub struct Identifiers {
    variants: SpellingVariants,
    number_of: FxHashMap<String, u32>,
    /// The number of the first identifier with this meaning.
    first_of: FxHashMap<Meaning, u32>,
    next: u32,
    /// Number of identifiers that are spelling variants of an earlier one.
    pub n_variants: u64,
}

impl Identifiers {
    /// Creates an empty list. Merged spelling variants have the same number.
    pub fn new(variants: SpellingVariants) -> Self {
        let (number_of, first_of) = (FxHashMap::default(), FxHashMap::default());
        Self { variants, number_of, first_of, next: 0, n_variants: 0 }
    }

    /// Returns the number of an identifier; `None` if it has no visible character.
    pub fn number(&mut self, text: &str) -> Option<u32> {
        let text = text.trim();
        if let Some(&known) = self.number_of.get(text) {
            return Some(known);
        }
        if as_displayed(text).is_empty() {
            return None;
        }
        let meaning = Meaning::new(text);
        let first = self.first_of.get(&meaning).copied();
        self.n_variants += u64::from(first.is_some());
        let number = first.filter(|_| self.variants == SpellingVariants::Merged);
        let number = number.unwrap_or_else(|| self.unidentified());
        self.first_of.entry(meaning).or_insert(number);
        self.number_of.insert(text.to_owned(), number);
        Some(number)
    }

    /// Returns a new number for a row without an identifier.
    pub fn unidentified(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }
}

/// The people of the rows, numbered in order of appearance.
struct PeopleOfRows {
    /// The tuple and the person of each row.
    of_rows: Vec<(u32, u32)>,
    /// The numbers of rows without an identifier, counting from 1. In `of_rows`, each row without
    /// an identifier is a separate person.
    unidentified: Vec<u64>,
    /// Number of identifiers that are spelling variants of another one.
    n_variants: u64,
}

fn read(
    bound: &BoundPolicy,
    counted: &CountedRows,
    column: &str,
    variants: SpellingVariants,
    observer: &dyn Observer,
) -> Result<PeopleOfRows, Error> {
    let source = CountedInput { input: &bound.input, fingerprint: &counted.fingerprint };
    let mut of_rows = Vec::with_capacity(counted.table.n_rows() as usize);
    let mut unidentified = Vec::new();
    let mut identifiers = Identifiers::new(variants);
    each_row(&source, &counted.table, column, observer, |tuple, text| {
        let person = identifiers.number(text).unwrap_or_else(|| {
            unidentified.push(of_rows.len() as u64 + 1);
            identifiers.unidentified()
        });
        of_rows.push((tuple, person));
    })?;
    Ok(PeopleOfRows { of_rows, unidentified, n_variants: identifiers.n_variants })
}
