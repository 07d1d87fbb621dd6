//! The common domain of one sensitive attribute, built from the taxonomies of all releases.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::model::{Numbers, Taxonomy};
use indistinct_core::{Dictionary, STAR, parse_decimal};

use super::LabeledColumn;
use super::spelling::{Key, Spellings};
use crate::post_linkage::SensitiveDomain;

/// A common domain.
#[derive(Debug)]
pub(super) struct SensitiveValues {
    pub domain: SensitiveDomain,
    /// The text of each code.
    pub texts: Vec<String>,
    /// The number of width units in an interval of width 1, if all values are numbers.
    pub scale: Option<i128>,
    /// The code of each label, by release, or `None` for a release without the sensitive attribute.
    pub codes: Vec<Option<Vec<u32>>>,
    /// The code that represents any value.
    pub any: u32,
}

/// Builds the common domain of a sensitive attribute.
///
/// # Errors
/// Returns the number of contradictory labels.
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
    let values = &found.texts[..found.domain.n_values() as usize];
    let known = columns.iter().map(|column| known(*column, values, &spellings)).collect();
    found.domain = found.domain.with_known(known);
    Ok(found)
}

/// Returns, for each value, whether a release that contains the value is certain to use this
/// spelling. This is true if the text occurs in the release and no release spells the value
/// differently. Different numbers are different values.
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
    let (mut domain, node_codes) = SensitiveDomain::merged(&known)?;
    let mut values: Vec<String> = Vec::new();
    let mut visited: BTreeSet<&str> = BTreeSet::new();
    for label in known.iter().flat_map(|taxonomy| taxonomy.leaf_labels()) {
        if visited.insert(label) {
            values.push(label.to_owned());
        }
    }
    let mut each = node_codes.into_iter();
    let mut of_release = |it: &Option<Taxonomy>| it.as_ref().and_then(|_| each.next());
    let node_codes: Vec<Option<Vec<u32>>> = taxonomies.iter().map(&mut of_release).collect();
    let value_of: BTreeMap<&str, u32> = values.iter().map(String::as_str).zip(0..).collect();
    let shown_as = columns.iter().zip(taxonomies.iter().zip(&node_codes)).map(|(column, of)| {
        let (Some(column), (Some(taxonomy), Some(codes))) = (column, of) else { return Ok(None) };
        shown_as(column, taxonomy, &below, codes, &value_of)
    });
    let shown_as: Vec<Option<Vec<u32>>> = shown_as.collect::<Result<_, usize>>()?;
    domain = domain.with_shown_as(shown_as);
    let any = domain.any();
    let mut texts = values.clone();
    texts.resize(domain.n_codes() as usize, STAR.to_owned());
    for (taxonomy, codes) in known.iter().zip(node_codes.iter().flatten()) {
        for (node, &code) in (0..).zip(codes) {
            let text = &mut texts[code as usize];
            if text == STAR {
                *text = taxonomy.label(node).to_owned();
            }
        }
    }
    let mut scale = None;
    let (dictionary, code_of) = Dictionary::from_distinct(values);
    if let Ok(numbers) = Numbers::from_dictionary(&dictionary)
        && numbers.missing().is_none()
    {
        scale = Some(numbers.scale());
        domain = domain
            .with_numbers(code_of.iter().map(|&code| numbers.scaled(code)).collect::<Vec<i128>>());
    }
    let codes = columns.iter().zip(taxonomies.iter().zip(&node_codes)).map(|(column, of)| {
        let (Some(column), (Some(taxonomy), Some(nodes))) = (column, of) else { return None };
        let code = |label: &String| nodes[taxonomy.node_of(label).unwrap_or(0) as usize];
        Some(column.labels.iter().map(code).collect())
    });
    let codes = codes.collect();
    Ok(SensitiveValues { domain, texts, scale, codes, any })
}

/// Maps labels to the finest values that they cover, for all labels whose values at least one
/// release shows.
fn below<'a>(columns: &[Option<&'a LabeledColumn>]) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut below: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for chain in columns.iter().flatten().flat_map(|column| &column.chains) {
        for label in chain.iter().skip(1).filter(|label| **label != chain[0]) {
            below.entry(label).or_default().insert(&chain[0]);
        }
    }
    // A value of one release may be a label in another release.
    let finest = |label: &&'a str| {
        let (mut found, mut open) = (BTreeSet::new(), vec![*label]);
        let mut visited = BTreeSet::new();
        while let Some(text) = open.pop() {
            match below.get(text) {
                _ if !visited.insert(text) => {}
                Some(values) => open.extend(values),
                None => drop(found.insert(text)),
            }
        }
        if found.is_empty() {
            found.insert(*label);
        }
        (*label, found)
    };
    below.keys().map(finest).collect()
}

/// Returns the code by which a release shows each value, if some value of the release covers
/// several values of other releases.
///
/// # Errors
/// Returns the number of values that the release distinguishes although one covers the other
/// according to another release.
fn shown_as(
    column: &LabeledColumn,
    taxonomy: &Taxonomy,
    below: &BTreeMap<&str, BTreeSet<&str>>,
    codes: &[u32],
    value_of: &BTreeMap<&str, u32>,
) -> Result<Option<Vec<u32>>, usize> {
    let mut shown_as: Vec<u32> = (0..value_of.len() as u32).collect();
    let (mut n_contradictions, mut is_merged) = (0, false);
    let mut taken = BTreeSet::new();
    for label in finest_labels(column).collect::<BTreeSet<_>>() {
        let Some(values) = below.get(label) else {
            n_contradictions += usize::from(!taken.insert(label));
            continue;
        };
        is_merged = true;
        n_contradictions += usize::from(values.iter().any(|value| !taken.insert(*value)));
        let code = taxonomy.node_of(label).map(|node| codes[node as usize]);
        for value in values.iter().filter_map(|value| value_of.get(value)) {
            shown_as[*value as usize] = code.unwrap_or(*value);
        }
    }
    match n_contradictions {
        0 => Ok(is_merged.then_some(shown_as)),
        n_labels => Err(n_labels),
    }
}

/// Returns the finest labels of a release, which are the first label of each chain and all labels
/// without a chain.
fn finest_labels(column: &LabeledColumn) -> impl Iterator<Item = &str> {
    let in_chains: BTreeSet<&str> =
        column.chains.iter().flatten().map(String::as_str).chain([STAR]).collect();
    let lonely = column.labels.iter().map(String::as_str);
    let lonely = lonely.filter(move |label| !in_chains.contains(label));
    let bottoms = column.chains.iter().filter_map(|chain| Some(chain.first()?.as_str()));
    bottoms.filter(|label| *label != STAR).chain(lonely)
}

/// Returns the taxonomy of the sensitive values of one release. If the release does not show which
/// values a label covers, the values from other releases are used.
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
