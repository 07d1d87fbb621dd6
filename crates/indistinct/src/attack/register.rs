//! A register of people with raw quasi-identifiers, and what released labels cover of its values.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indistinct_attack::linkage::{self, Linkage};
use indistinct_attack::victims_of;
use indistinct_core::hierarchy::HierarchyRule;
use indistinct_core::published::{Published, ReleaseWithOriginal};
use indistinct_core::{Cell, Dictionary, FrequencyTable, Hierarchy, Observer, Role, parse_decimal};
use indistinct_engine::{CountRequest, Engine, InputSpec, TableRef};
use indistinct_language::labels::Label;
use indistinct_release::View;

use crate::engines;
use crate::error::Error;
use crate::given;
use crate::job::engine;

/// People, and for each released label the values of theirs that it covers.
pub(super) struct Register {
    people: FrequencyTable,
    cells: Vec<Vec<Cell>>,
    hierarchies: Vec<Hierarchy>,
    /// For each quasi-identifier by what its labels were read.
    pub(super) read_by: BTreeMap<String, &'static str>,
}

const BY_HIERARCHY: &str = "the holder's hierarchy";
const BY_LABEL: &str = "the labels themselves";

/// Reads a register, with the settings and hierarchies of the holder's policy where that is at hand.
pub(super) fn read(
    table: TableRef<'_>,
    opened: &View,
    policy: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Register, Error> {
    let mut known: Vec<(String, HierarchyRule)> = Vec::new();
    let mut spec = InputSpec::from(table);
    if let Some(holders) = opened.holders_policy(policy)? {
        known = holders.rules;
        spec.delimiter = holders.file.input.delimiter;
        spec.null_values = holders.file.input.null_values;
    }
    let (input, _) = given::open(engines::of_process().as_ref(), &spec)?;
    let wanted = opened.policy.names(Role::QuasiIdentifier);
    let has = |name: &&String| !input.columns().iter().any(|column| column.name == **name);
    let missing: Vec<String> = wanted.iter().filter(has).cloned().collect();
    if !missing.is_empty() {
        return Err(Error::RegisterColumns { missing });
    }
    let request = CountRequest { quasi_identifiers: wanted, ..CountRequest::default() };
    let people = engine().count(&input, &request, observer)?.table;
    let (mut cells, mut read_by) = (Vec::new(), BTreeMap::new());
    let released = opened.published.rows.quasi_identifiers().iter().zip(&opened.published.covered);
    for ((released, covered), column) in released.zip(people.quasi_identifiers()) {
        let rule = known.iter().find(|(name, _)| *name == released.name).map(|(_, rule)| rule);
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
                let codes: Vec<u32> =
                    values.filter(|(value, code)| covers(value, *code)).map(|it| it.1).collect();
                let is_value = matches!(label, Label::Value(_)) && *covered != Some(1);
                if codes.is_empty() && above.is_none() && is_value && parse_decimal(text).is_err() {
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
    let flat = |column: &indistinct_core::model::CountedColumn| Hierarchy::flat(&column.dictionary);
    let hierarchies = people.quasi_identifiers().iter().map(flat).collect();
    Ok(Register { people, cells, hierarchies, read_by })
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

impl Register {
    pub(super) fn link(
        &self,
        published: &Published,
        beside: Option<&ReleaseWithOriginal>,
    ) -> Linkage {
        let fits = victims_of(&self.people, published, &self.cells, &self.hierarchies);
        linkage::attack(published, &self.people, &fits, beside)
    }
}
