//! Determines which original values in other tables of people the released labels cover.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::hierarchy::HierarchyRule;
use indistinct_core::model::CountedColumn;
use indistinct_core::published::PublishedRows;
use indistinct_core::{Cell, Dictionary, FrequencyTable, Hierarchy, Observer, parse_decimal};
use indistinct_labels::Label;
use serde::Serialize;

use crate::{AttackError, Fits, victims_of};

/// The values in a table of people that each released label covers.
#[derive(Debug)]
pub struct Labels {
    cells: Vec<Vec<Cell>>,
    hierarchies: Vec<Hierarchy>,
    /// For each quasi-identifier, how its labels were interpreted.
    pub read_by: BTreeMap<String, LabelsReadBy>,
}

/// How released labels of a quasi-identifier were compared with original values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LabelsReadBy {
    /// The labels were interpreted with the data holder's hierarchy.
    Hierarchy,
    /// The labels were interpreted by their text.
    Labels,
    /// The labels were not compared, because synthetic values rule out no one.
    Nothing,
}

impl Labels {
    /// Matches the labels of a release with the quasi-identifiers of some people, which have the
    /// same names in the same order. `rules` contains the known hierarchies of the data holder, by
    /// column name.
    ///
    /// # Errors
    /// [`AttackError::Labels`] if labels cannot be interpreted without a hierarchy that is unknown.
    pub fn read(
        people: &FrequencyTable,
        published: &PublishedRows,
        rules: &[(String, HierarchyRule)],
        observer: &dyn Observer,
    ) -> Result<Self, AttackError> {
        let (mut cells, mut read_by) = (Vec::new(), BTreeMap::new());
        let released = published.rows.quasi_identifiers().iter().zip(&published.covered);
        let released = released.zip(&published.generated);
        for (((released, covered), is_generated), column) in
            released.zip(people.quasi_identifiers())
        {
            if *is_generated {
                // A synthetic value does not show which people it represents, so it rules out no
                // one.
                let all: Vec<u32> = (0..column.dictionary.len() as u32).collect();
                cells.push(vec![Cell::Set(all); released.dictionary.len()]);
                read_by.insert(released.name.clone(), LabelsReadBy::Nothing);
                continue;
            }
            let rule = rules.iter().find(|(name, _)| *name == released.name).map(|(_, rule)| rule);
            let above = rule.map(|rule| labels_of(rule, &column.name, &column.dictionary));
            let by = if above.is_some() { LabelsReadBy::Hierarchy } else { LabelsReadBy::Labels };
            let mut n_unknown = 0;
            let of_column: Vec<Cell> = released
                .dictionary
                .values()
                .iter()
                .zip(covered)
                .take_while(|_| !observer.is_cancelled())
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
                let attribute = released.name.clone();
                return Err(AttackError::Labels { attribute, n_labels: n_unknown });
            }
            cells.push(of_column);
            read_by.insert(released.name.clone(), by);
        }
        let flat = |column: &CountedColumn| Hierarchy::flat(&column.dictionary);
        let hierarchies = people.quasi_identifiers().iter().map(flat).collect();
        Ok(Self { cells, hierarchies, read_by })
    }

    /// Returns the released combinations that the people fit.
    pub fn fits(
        &self,
        people: &FrequencyTable,
        published: &PublishedRows,
        observer: &dyn Observer,
    ) -> Fits {
        victims_of(people, published, &self.cells, &self.hierarchies, observer)
    }
}

/// Returns the labels of each value at all levels; a value that the hierarchy rejects has no
/// labels.
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
