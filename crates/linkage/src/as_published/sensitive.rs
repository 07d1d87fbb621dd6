//! The common domain of one sensitive attribute, built from the taxonomies of all releases.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::model::{Numbers, Taxonomy};
use indistinct_core::{Dictionary, STAR, parse_decimal};

use super::LabeledColumn;
use super::spelling::{Key, Spellings};
use crate::LinkageError;
use crate::post_linkage::SensitiveDomain;

/// A common domain.
#[derive(Debug)]
pub(super) struct SensitiveValues {
    pub domain: SensitiveDomain,
    pub values: Vec<String>,
    /// The number of units in 1, if all values are numbers.
    pub scale: Option<i128>,
    /// The code of each label, by release; `None` for a release without the sensitive attribute.
    pub codes: Vec<Option<Vec<u32>>>,
    /// The code that represents any value.
    pub any: u32,
}

/// Builds the common domain of a sensitive attribute.
///
/// # Errors
/// The number of labels that contradict each other.
pub(super) fn sensitive_values(
    columns: &[Option<&LabeledColumn>],
) -> Result<SensitiveValues, usize> {
    let texts = |column: &&LabeledColumn| -> BTreeSet<String> {
        column.labels.iter().chain(column.chains.iter().flatten()).cloned().collect()
    };
    let texts: Vec<BTreeSet<String>> = columns.iter().flatten().map(texts).collect();
    let borrowed = texts.iter().map(|of| of.iter().map(String::as_str).collect());
    let borrowed: Vec<BTreeSet<&str>> = borrowed.collect();
    let spellings = Spellings::new(&borrowed, &BTreeSet::new(), Key::of_any);
    let in_one_spelling = |column: &LabeledColumn| {
        let mut column = column.clone();
        for text in column.labels.iter_mut().chain(column.chains.iter_mut().flatten()) {
            *text = spellings.one(text).to_owned();
        }
        column
    };
    let columns: Vec<Option<LabeledColumn>> =
        columns.iter().map(|column| column.map(in_one_spelling)).collect();
    let columns: Vec<Option<&LabeledColumn>> = columns.iter().map(Option::as_ref).collect();
    let mut found = of_columns(&columns)?;
    let known = columns.iter().map(|column| known(*column, &found.values, &spellings)).collect();
    found.domain = found.domain.with_known(known);
    Ok(found)
}

/// For each value, whether a release that contains the value certainly shows this text. This is
/// true if the text occurs in the release and no release spells the value differently. Different
/// numbers are different values.
fn known(
    column: Option<&LabeledColumn>,
    values: &[String],
    spellings: &Spellings<'_>,
) -> Vec<bool> {
    let Some(column) = column else { return vec![true; values.len()] };
    let texts: BTreeSet<&str> =
        column.labels.iter().chain(column.chains.iter().flatten()).map(String::as_str).collect();
    let is_number = |text: &str| parse_decimal(text).is_ok();
    let finest = column.chains.iter().filter_map(|chain| chain.first());
    let has_numbers = finest.chain(&column.labels).any(|text| is_number(text));
    let is_known = |value: &String| {
        !spellings.is_distinguished(value)
            && (texts.contains(value.as_str()) || (has_numbers && is_number(value)))
    };
    values.iter().map(is_known).collect()
}

fn of_columns(columns: &[Option<&LabeledColumn>]) -> Result<SensitiveValues, usize> {
    let below = below(columns);
    let taxonomies: Vec<Option<Taxonomy>> =
        columns.iter().map(|column| column.map(|column| taxonomy(column, &below))).collect();
    let known: Vec<&Taxonomy> = taxonomies.iter().flatten().collect();
    let (mut domain, node_codes) =
        SensitiveDomain::merged(0, &known).map_err(|error| match error {
            LinkageError::TaxonomiesContradict { n_labels, .. } => n_labels,
            _ => 0,
        })?;
    let mut values: Vec<String> = Vec::new();
    let mut visited: BTreeSet<&str> = BTreeSet::new();
    for label in known.iter().flat_map(|taxonomy| taxonomy.leaf_labels()) {
        if visited.insert(label) {
            values.push(label.to_owned());
        }
    }
    let any = domain.any();
    let mut scale = None;
    let (dictionary, code_of) = Dictionary::from_distinct(values.clone());
    if let Ok(numbers) = Numbers::from_dictionary(&dictionary)
        && numbers.missing().is_none()
    {
        scale = Some(numbers.scale());
        domain = domain
            .with_numbers(code_of.iter().map(|&code| numbers.scaled(code)).collect::<Vec<i128>>());
    }
    let mut node_codes = node_codes.into_iter();
    let codes = columns
        .iter()
        .zip(&taxonomies)
        .map(|(column, taxonomy)| {
            let (column, taxonomy) = ((*column)?, taxonomy.as_ref()?);
            let nodes = node_codes.next()?;
            let code = |label: &String| {
                let node = taxonomy.node_of(label).unwrap_or(0);
                nodes[node as usize]
            };
            Some(column.labels.iter().map(code).collect())
        })
        .collect();
    Ok(SensitiveValues { domain, values, scale, codes, any })
}

/// Maps each label to its values, for labels whose values are known to at least one release.
fn below<'a>(columns: &[Option<&'a LabeledColumn>]) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut below: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for chain in columns.iter().flatten().flat_map(|column| &column.chains) {
        for label in chain.iter().skip(1).filter(|label| **label != chain[0]) {
            below.entry(label).or_default().insert(&chain[0]);
        }
    }
    below
}

/// The taxonomy of the sensitive values of one release. If the release does not show which values a
/// label covers, the values from other releases are used.
fn taxonomy(column: &LabeledColumn, below: &BTreeMap<&str, BTreeSet<&str>>) -> Taxonomy {
    let in_chains: BTreeSet<&str> =
        column.chains.iter().flatten().map(String::as_str).chain([STAR]).collect();
    let lonely = column.labels.iter().filter(|label| !in_chains.contains(label.as_str()));
    let mut chains: Vec<Vec<&str>> = Vec::new();
    let own = column.chains.iter().map(|chain| chain.iter().map(String::as_str).collect());
    for chain in own.chain(lonely.map(|label| vec![label.as_str()])) {
        let chain: Vec<&str> = chain;
        let Some(&bottom) = chain.first() else { continue };
        match below.get(bottom) {
            Some(values) if bottom != STAR => {
                chains.extend(values.iter().map(|value| [&[*value], &chain[..]].concat()))
            }
            _ if bottom == STAR => {}
            _ => chains.push(chain),
        }
    }
    let top = chains.iter().map(|chain| chain[chain.len() - 1]).collect::<BTreeSet<_>>();
    if top.len() != 1 || chains.iter().any(|chain| chain.len() < 2) {
        chains.iter_mut().for_each(|chain| chain.push(STAR));
    }
    let longest = chains.iter().map(Vec::len).max().unwrap_or(0);
    for chain in &mut chains {
        let missing = longest - chain.len();
        let bottom = chain[0];
        chain.splice(0..0, std::iter::repeat_n(bottom, missing));
    }
    chains.sort_unstable();
    chains.dedup();
    Taxonomy::of_chains(&chains).unwrap_or_else(|| Taxonomy::flat(std::iter::empty()))
}
