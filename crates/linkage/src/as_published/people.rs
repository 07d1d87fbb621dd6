//! The people of the original tables, as distinct combinations of original quasi-identifiers.
//!
//! Values that differ only in case, blanks, or look-alike letters count as equal, unless one
//! original contains both. It is unknown how many people several originals share. For each
//! combination, the number of people is therefore taken from the original with the most people,
//! which is a lower bound.

use std::collections::{BTreeMap, BTreeSet};

use super::spelling::{Key, Spellings};
use super::{People, PeopleColumn};
use indistinct_core::FrequencyTable;

/// The people of all originals.
#[derive(Debug)]
pub struct MergedPeople {
    names: Vec<String>,
    values: Vec<Vec<String>>,
    codes: Vec<u32>,
    counts: Vec<u64>,
}

impl MergedPeople {
    /// Returns a borrowed view of the people for mapping releases to common domains.
    pub fn borrowed(&self) -> People<'_> {
        let columns = self.names.iter().zip(&self.values);
        let columns = columns.map(|(name, values)| PeopleColumn { name, values }).collect();
        People { columns, codes: &self.codes, counts: &self.counts }
    }
}

/// Returns a single person with the given quasi-identifiers.
pub fn one_person(values: &BTreeMap<String, String>) -> MergedPeople {
    MergedPeople {
        names: values.keys().cloned().collect(),
        values: values.values().map(|value| vec![value.clone()]).collect(),
        codes: vec![0; values.len()],
        counts: vec![1],
    }
}

/// Merges the people of several originals; `None` if the list is empty, or the quasi-identifiers
/// differ.
pub fn people(originals: &[&FrequencyTable]) -> Option<MergedPeople> {
    let first = originals.first()?;
    let names: Vec<String> =
        first.quasi_identifiers().iter().map(|column| column.name.clone()).collect();
    // The position of each column in each original table.
    let places: Vec<Vec<usize>> = originals
        .iter()
        .map(|table| {
            let columns = table.quasi_identifiers();
            let place = |name: &String| columns.iter().position(|column| column.name == *name);
            let places: Vec<usize> = names.iter().map(place).collect::<Option<_>>()?;
            (columns.len() == names.len()).then_some(places)
        })
        .collect::<Option<_>>()?;
    let mut values: Vec<Vec<String>> = Vec::with_capacity(names.len());
    // The code of each value, by column and original table.
    let mut code_of: Vec<Vec<Vec<u32>>> = Vec::with_capacity(names.len());
    for at in 0..names.len() {
        let mut all: BTreeMap<&str, u32> = BTreeMap::new();
        let dictionaries = originals.iter().zip(&places);
        let dictionaries: Vec<&[String]> = dictionaries
            .map(|(table, places)| table.quasi_identifiers()[places[at]].dictionary.values())
            .collect();
        let texts = dictionaries.iter().map(|it| it.iter().map(String::as_str).collect());
        let texts: Vec<BTreeSet<&str>> = texts.collect();
        let spellings = Spellings::new(&texts, &BTreeSet::new(), Key::of_text);
        for value in dictionaries.iter().copied().flatten() {
            let next = all.len() as u32;
            all.entry(spellings.one(value)).or_insert(next);
        }
        let mut shown = vec![String::new(); all.len()];
        all.iter().for_each(|(value, code)| shown[*code as usize] = (*value).to_owned());
        let codes =
            |values: &&[String]| values.iter().map(|value| all[spellings.one(value)]).collect();
        code_of.push(dictionaries.iter().map(codes).collect());
        values.push(shown);
    }
    let mut people: Vec<(Vec<u32>, u64)> = Vec::new();
    for (original, (table, places)) in originals.iter().zip(&places).enumerate() {
        for tuples in table.groups().iter() {
            let code = |(at, place): (usize, &usize)| {
                let code = table.quasi_identifiers()[*place].codes[tuples.start];
                code_of[at][original][code as usize]
            };
            let codes = places.iter().enumerate().map(code).collect();
            people.push((codes, table.counts()[tuples.clone()].iter().sum()));
        }
    }
    people.sort_unstable();
    // Among equal combinations, the last one has the largest number of people.
    people.reverse();
    people.dedup_by(|later, retained| later.0 == retained.0);
    people.reverse();
    let counts = people.iter().map(|it| it.1).collect();
    let codes = people.into_iter().flat_map(|it| it.0).collect();
    Some(MergedPeople { names, values, codes, counts })
}
