//! Determines the people in a table in which a person may have several rows.

use std::sync::Arc;

use indistinct_core::{DROPPED, Observer, People, RowsOfPerson};
use indistinct_engine::CountedRows;
use indistinct_engine::output::{CountedInput, each_row};
use rustc_hash::FxHashMap;

use crate::bound::{BoundPolicy, Bounds};
use crate::error::Error;
use crate::invariant::PeopleProblem;
use crate::task::Task;

/// The maximum number of row numbers in a message.
const MOST_ROWS: usize = 5;

/// Determines the people of a counted table; `None` if the policy has no `[people]`.
///
/// # Errors
/// [`Error`] if the table cannot be read again, a row has no person, or the observer cancels.
pub fn people_of(
    bound: &BoundPolicy,
    counted: &CountedRows,
    observer: &dyn Observer,
) -> Result<Option<Arc<People>>, Error> {
    let Some(section) = &bound.file.people else { return Ok(None) };
    let read = read(bound, counted, section.column(), observer)?;
    if !read.unidentified.is_empty() {
        let (column, n_rows) = (section.column().to_owned(), read.unidentified.len() as u64);
        // Rows that are counted by an external database have no fixed order.
        let n_shown = if bound.input.table().is_some() { 0 } else { MOST_ROWS };
        let first = read.unidentified.into_iter().take(n_shown).collect();
        return Err(PeopleProblem::UnidentifiedRows { column, n_rows, first }.into());
    }
    match People::new(&counted.table, read.of_rows, section.rows) {
        Ok(people) => Ok(Some(Arc::new(people))),
        Err(_) => Err(PeopleProblem::NotRowByRow { column: section.column().to_owned() }.into()),
    }
}

/// Counts the people in the class with the fewest people, using an identifier that may name people
/// and the class of each tuple of the counted table. A row without an identifier counts as a
/// separate person. Returns `None` if the number is unknown, or if computing it would require a
/// slow query.
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
    let read = read(bound, counted, column, observer)?;
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

/// The people of the rows, numbered in order of appearance.
struct PeopleOfRows {
    /// The tuple and the person of each row.
    of_rows: Vec<(u32, u32)>,
    /// The numbers of rows without an identifier, counting from 1. In `of_rows`, each row without
    /// an identifier is a separate person.
    unidentified: Vec<u64>,
}

fn read(
    bound: &BoundPolicy,
    counted: &CountedRows,
    column: &str,
    observer: &dyn Observer,
) -> Result<PeopleOfRows, Error> {
    let source = CountedInput { input: &bound.input, fingerprint: &counted.fingerprint };
    let mut of_rows = Vec::with_capacity(counted.table.n_rows() as usize);
    let mut unidentified = Vec::new();
    let mut number_of: FxHashMap<String, u32> = FxHashMap::default();
    let mut n_people = 0;
    each_row(&source, &counted.table, column, observer, |tuple, text| {
        let text = text.trim();
        let known = if text.is_empty() { None } else { number_of.get(text).copied() };
        let person = known.unwrap_or_else(|| {
            n_people += 1;
            n_people - 1
        });
        if text.is_empty() {
            unidentified.push(of_rows.len() as u64 + 1);
        } else if known.is_none() {
            number_of.insert(text.to_owned(), person);
        }
        of_rows.push((tuple, person));
    })?;
    Ok(PeopleOfRows { of_rows, unidentified })
}
