//! Plain random tables and hierarchies, and their conversion to the types of the core.

#![allow(dead_code, reason = "each test file uses only some of the functions")]

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::hierarchy::HierarchyLevel;
use indistinct_core::model::CountedColumn;
use indistinct_core::principle::{self, Context, ParameterValue, Parameters};
use indistinct_core::recoding::{Recoding, Requirement};
use indistinct_core::{
    Dictionary, FrequencyTable, Generalization, Hierarchy, Others, Rational, STAR,
};
use indistinct_testkit::principles::{Fraction, RequiredPrinciple, Row};
use proptest::prelude::*;

/// The number of levels of every plain hierarchy: the value, its group, and the top level.
pub const N_LEVELS: usize = 3;

/// A hierarchy as a list of values with the label of their group.
#[derive(Debug, Clone)]
pub struct PlainHierarchy {
    /// The values and the labels of their groups. All values in the table are listed.
    pub values: Vec<(String, String)>,
}

impl PlainHierarchy {
    /// Returns the released label of a value.
    pub fn label(&self, level: usize, value: &str) -> String {
        let (value, group) =
            self.values.iter().find(|(v, _)| v == value).expect("the hierarchy lists the value");
        [value, group, STAR][level].to_owned()
    }

    /// Returns the number of values with the label at the level.
    pub fn covered(&self, level: usize, label: &str) -> u64 {
        self.values.iter().filter(|(value, _)| self.label(level, value) == label).count() as u64
    }

    /// Creates the core's hierarchy for the values of a dictionary.
    pub fn to_core(&self, dictionary: &Dictionary) -> Hierarchy {
        let levels = (0..N_LEVELS)
            .map(|level| {
                let of = |value: &String| self.label(level, value);
                let mut labels: Vec<String> = Vec::new();
                let mut map = Vec::new();
                for label in dictionary.values().iter().map(of) {
                    let at = labels.iter().position(|known| *known == label);
                    map.push(at.unwrap_or(labels.len()) as u32);
                    if at.is_none() {
                        labels.push(label);
                    }
                }
                let covered = labels.iter().map(|label| self.covered(level, label)).collect();
                HierarchyLevel { map, labels, covered }
            })
            .collect();
        Hierarchy::new(levels, self.values.len() as u64)
            .expect("the groups of the hierarchy are nested")
    }
}

/// A table of plain rows, with a hierarchy for each quasi-identifier.
#[derive(Debug, Clone)]
pub struct PlainTable {
    /// The rows with original values.
    pub rows: Vec<Row>,
    /// One hierarchy for each quasi-identifier.
    pub hierarchies: Vec<PlainHierarchy>,
    /// The number of sensitive attributes.
    pub n_sensitive: usize,
}

impl PlainTable {
    pub fn to_core(&self) -> FrequencyTable {
        table(&self.rows, self.hierarchies.len(), self.n_sensitive)
    }

    pub fn core_hierarchies(&self, table: &FrequencyTable) -> Vec<Hierarchy> {
        let columns = table.quasi_identifiers().iter();
        self.hierarchies.iter().zip(columns).map(|(h, c)| h.to_core(&c.dictionary)).collect()
    }

    /// Returns the labels of a row at the given levels.
    pub fn labels(&self, row: &Row, levels: &[usize]) -> Vec<String> {
        let parts = self.hierarchies.iter().zip(levels).zip(&row.0);
        parts.map(|((hierarchy, &level), value)| hierarchy.label(level, value)).collect()
    }
}

/// Creates a frequency table of plain rows. Quasi-identifiers are named q0, q1, ..., and sensitive
/// attributes s0, s1, ...
///
/// The rows are counted in two halves to test that the table adds the counts of duplicate tuples.
pub fn table(rows: &[Row], n_quasi_identifiers: usize, n_sensitive: usize) -> FrequencyTable {
    let mut tuples: Vec<(&Row, u64)> = Vec::new();
    for half in rows.chunks(rows.len().div_ceil(2).max(1)) {
        let mut counts: BTreeMap<&Row, u64> = BTreeMap::new();
        for row in half {
            *counts.entry(row).or_default() += 1;
        }
        tuples.extend(counts);
    }
    let column = |name: String, cells: Vec<&String>| {
        let distinct: BTreeSet<&String> = cells.iter().copied().collect();
        let (dictionary, _) = Dictionary::from_distinct(distinct.into_iter().cloned().collect());
        let code =
            |cell: &&String| dictionary.code_of(cell).expect("the dictionary contains all cells");
        CountedColumn { name, codes: cells.iter().map(code).collect(), dictionary }
    };
    let quasi_identifiers = (0..n_quasi_identifiers)
        .map(|at| column(format!("q{at}"), tuples.iter().map(|(row, _)| &row.0[at]).collect()))
        .collect();
    let sensitive = (0..n_sensitive)
        .map(|at| column(format!("s{at}"), tuples.iter().map(|(row, _)| &row.1[at]).collect()))
        .collect();
    let counts = tuples.iter().map(|(_, count)| *count).collect();
    FrequencyTable::new(quasi_identifiers, sensitive, counts).expect("the table is valid")
}

/// Returns the original row of a tuple of a frequency table.
pub fn raw_row(table: &FrequencyTable, tuple: usize) -> Row {
    let values = |columns: &[CountedColumn]| {
        columns.iter().map(|c| c.dictionary.value(c.codes[tuple]).to_owned()).collect()
    };
    (values(table.quasi_identifiers()), values(table.sensitive()))
}

pub fn recoding(levels: &[usize], suppressed: Vec<bool>) -> Recoding {
    Recoding {
        generalization: Generalization::of_levels(levels.to_vec()),
        suppressed,
        sensitive: None,
    }
}

/// Creates a row of strings.
pub fn row(quasi_identifiers: &[&str], sensitive: &[&str]) -> Row {
    let owned = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
    (owned(quasi_identifiers), owned(sensitive))
}

/// Creates the rows of one class whose only sensitive attribute has the given counts.
pub fn class_of_counts(label: &str, counts: &[u64]) -> Vec<Row> {
    let values = counts.iter().enumerate();
    values.flat_map(|(at, &n)| (0..n).map(move |_| row(&[label], &[&format!("v{at}")]))).collect()
}

fn rational(value: Fraction) -> Rational {
    Rational::new(value.0.into(), value.1.into())
}

/// Creates a requirement by its name in the registry.
pub fn require(
    name: &str,
    attribute: Option<usize>,
    parameters: &[(&str, Rational)],
) -> Requirement {
    let kind = principle::find(name).expect("the registry contains this name");
    let numbers = parameters.iter();
    let parameters = Parameters(
        numbers.map(|(name, v)| ((*name).to_owned(), ParameterValue::Number(*v))).collect(),
    );
    // These kinds do not use the table except for its classes.
    let no_rows = table(&[], 0, attribute.map_or(0, |at| at + 1));
    let context = Context::new(&no_rows, attribute);
    Requirement::new(kind, &context, parameters, Others::Ignored).expect("the parameters are valid")
}

/// Converts a principle of the test kit to the core's requirement.
pub fn to_requirement(required: &RequiredPrinciple) -> Requirement {
    let whole = |l: u64| Rational::from_integer(l.into());
    match *required {
        RequiredPrinciple::KAnonymity { k } => require("k-anonymity", None, &[("k", whole(k))]),
        RequiredPrinciple::Distinct { attribute, l } => {
            require("distinct-l-diversity", Some(attribute), &[("l", whole(l))])
        }
        RequiredPrinciple::Frequency { attribute, l } => {
            require("frequency-l-diversity", Some(attribute), &[("l", rational(l))])
        }
        RequiredPrinciple::Entropy { attribute, l } => {
            require("entropy-l-diversity", Some(attribute), &[("l", rational(l))])
        }
        RequiredPrinciple::Recursive { attribute, c, l } => {
            let parameters = [("c", rational(c)), ("l", whole(l))];
            require("recursive-diversity", Some(attribute), &parameters)
        }
    }
}

fn plain_hierarchy() -> impl Strategy<Value = PlainHierarchy> {
    // Group 0 is sometimes named `*`, which is allowed below the top level of a hierarchy.
    (prop::collection::vec(0..3usize, 1..6), any::<bool>()).prop_map(|(groups, starred)| {
        let values = groups.into_iter().enumerate().map(|(at, group)| {
            let value = if at == 0 { String::new() } else { format!("v{at}") };
            let label = if group == 0 && starred { STAR.to_owned() } else { format!("g{group}") };
            (value, label)
        });
        PlainHierarchy { values: values.collect() }
    })
}

/// Generates up to 24 rows with one to three quasi-identifiers and one or two sensitive attributes.
/// Some values are missing, and the hierarchies may list values that do not occur.
pub fn plain_table() -> impl Strategy<Value = PlainTable> {
    let cells = (prop::array::uniform3(0..60usize), prop::array::uniform2(0..4usize));
    let rows = prop::collection::vec(cells, 0..25);
    (prop::collection::vec(plain_hierarchy(), 1..4), 1..3usize, rows).prop_map(
        |(hierarchies, n_sensitive, picks)| {
            let rows = picks
                .iter()
                .map(|(quasi_identifiers, sensitive)| {
                    let values = hierarchies.iter().zip(quasi_identifiers);
                    let values = values.map(|(h, &at)| h.values[at % h.values.len()].0.clone());
                    let sensitive_values = sensitive.iter().take(n_sensitive);
                    let sensitive_value = |&at: &usize| ["", "1", "2", "10"][at].to_owned();
                    (values.collect(), sensitive_values.map(sensitive_value).collect())
                })
                .collect();
            PlainTable { rows, hierarchies, n_sensitive }
        },
    )
}

/// Generates any principle on any sensitive attribute, usually with weak parameters.
pub fn required(n_sensitive: usize) -> impl Strategy<Value = RequiredPrinciple> {
    let real = || prop::sample::select(vec![(1, 1), (3, 2), (19, 10), (2, 1), (5, 2), (3, 1)]);
    let factor = prop::sample::select(vec![(1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (9, 1)]);
    let attribute = move || 0..n_sensitive;
    prop_oneof![
        (1..6u64).prop_map(|k| RequiredPrinciple::KAnonymity { k }),
        (attribute(), 1..4u64)
            .prop_map(|(attribute, l)| RequiredPrinciple::Distinct { attribute, l }),
        (attribute(), real())
            .prop_map(|(attribute, l)| RequiredPrinciple::Frequency { attribute, l }),
        (attribute(), real())
            .prop_map(|(attribute, l)| RequiredPrinciple::Entropy { attribute, l }),
        (attribute(), factor, 1..4u64).prop_map(|(attribute, c, l)| RequiredPrinciple::Recursive {
            attribute,
            c,
            l
        }),
    ]
}
