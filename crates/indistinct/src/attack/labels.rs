//! What released labels cover of the raw values of other people's tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indistinct_attack::{Fits, victims_of};
use indistinct_core::hierarchy::HierarchyRule;
use indistinct_core::published::Published;
use indistinct_core::{Cell, Dictionary, FrequencyTable, Hierarchy, parse_decimal};
use indistinct_engine::{Input, InputSpec, TableRef};
use indistinct_language::labels::Label;
use indistinct_release::View;

use crate::engines;
use crate::error::Error;
use crate::given;

/// The hierarchies of quasi-identifiers, by their names.
pub(super) type Rules = Vec<(String, HierarchyRule)>;

/// For each released label the values of a table of people that it covers.
pub(super) struct Labels {
    cells: Vec<Vec<Cell>>,
    hierarchies: Vec<Hierarchy>,
    /// For each quasi-identifier by what its labels were read.
    pub(super) read_by: BTreeMap<String, &'static str>,
}

const BY_HIERARCHY: &str = "the holder's hierarchy";
const BY_LABEL: &str = "the labels themselves";
const BY_NOTHING: &str = "nothing: centers and noise rule nobody out";

/// Opens a table of people as the holder's policy says, where that is at hand; with the hierarchies of that policy.
pub(super) fn open(
    table: TableRef<'_>,
    opened: &View,
    policy: Option<&Path>,
) -> Result<(Input, Rules), Error> {
    let mut known = Vec::new();
    let mut spec = InputSpec::from(table);
    if let Some(holders) = opened.holders_policy(policy)? {
        known = holders.rules;
        spec.delimiter = holders.file.input.delimiter;
        spec.null_values = holders.file.input.null_values;
    }
    let (input, _) = given::open(engines::of_process().as_ref(), &spec)?;
    Ok((input, known))
}

impl Labels {
    /// Lays the labels of a release over the quasi-identifiers of some people, which have the same names in the same order.
    pub(super) fn read(
        people: &FrequencyTable,
        opened: &View,
        rules: &Rules,
    ) -> Result<Self, Error> {
        let (mut cells, mut read_by) = (Vec::new(), BTreeMap::new());
        let published = &opened.published;
        let released = published.rows.quasi_identifiers().iter().zip(&published.covered);
        let released = released.zip(&published.made);
        for (((released, covered), is_made), column) in released.zip(people.quasi_identifiers()) {
            if *is_made {
                // A made value does not say whom it stands for: it rules out nobody.
                let all: Vec<u32> = (0..column.dictionary.len() as u32).collect();
                cells.push(vec![Cell::Set(all); released.dictionary.len()]);
                read_by.insert(released.name.clone(), BY_NOTHING);
                continue;
            }
            let rule = rules.iter().find(|(name, _)| *name == released.name).map(|(_, rule)| rule);
            let above = rule.map(|rule| labels_of(rule, &column.name, &column.dictionary));
            let by = if above.is_some() { BY_HIERARCHY } else { BY_LABEL };
            let mut n_unknown = 0;
            let of_column: Vec<Cell> = released
                .dictionary
                .values()
                .iter()
                .zip(covered)
                .map(|(text, covered)| {
                    let label = Label::read(text);
                    let values = column.dictionary.values().iter().zip(0u32..);
                    let covers = |value: &str, code: u32| {
                        label.fits(value)
                            || above.as_ref().is_some_and(|it| it[code as usize].contains(text))
                    };
                    let codes: Vec<u32> = values
                        .filter(|(value, code)| covers(value, *code))
                        .map(|it| it.1)
                        .collect();
                    let is_value = matches!(label, Label::Value(_)) && *covered != Some(1);
                    let is_unknown = codes.is_empty() && above.is_none() && is_value;
                    if is_unknown && parse_decimal(text).is_err() {
                        n_unknown += 1;
                    }
                    Cell::Set(codes)
                })
                .collect();
            if n_unknown > 0 {
                return Err(Error::RegisterLabels {
                    attribute: released.name.clone(),
                    n_labels: n_unknown,
                });
            }
            cells.push(of_column);
            read_by.insert(released.name.clone(), by);
        }
        let flat =
            |column: &indistinct_core::model::CountedColumn| Hierarchy::flat(&column.dictionary);
        let hierarchies = people.quasi_identifiers().iter().map(flat).collect();
        Ok(Self { cells, hierarchies, read_by })
    }

    /// The released combinations that the people fit.
    pub(super) fn fits(&self, people: &FrequencyTable, published: &Published) -> Fits {
        victims_of(people, published, &self.cells, &self.hierarchies)
    }
}

/// For each value its labels at all levels; a value that the hierarchy does not take has none but itself.
fn labels_of(rule: &HierarchyRule, name: &str, dictionary: &Dictionary) -> Vec<BTreeSet<String>> {
    let of = |hierarchy: &Hierarchy, code: u32| -> BTreeSet<String> {
        (0..hierarchy.n_levels()).map(|level| hierarchy.label(level, code).to_owned()).collect()
    };
    if let Ok(hierarchy) = rule.resolve(name, dictionary) {
        return (0..dictionary.len() as u32).map(|code| of(&hierarchy, code)).collect();
    }
    let alone = |value: &String| {
        let (one, _) = Dictionary::from_distinct(vec![value.clone()]);
        rule.resolve(name, &one).map(|hierarchy| of(&hierarchy, 0)).unwrap_or_default()
    };
    dictionary.values().iter().map(alone).collect()
}
