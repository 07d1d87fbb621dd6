//! Detects requirements that no recoding of a table can meet, and suggests the best reachable
//! levels.
//!
//! All messages about infeasible policies use this module, so no suggestion contradicts a theorem.
//! The module also computes the effect of adding frequent values to the don't-care list, and
//! generalizes tables to given levels, such as the coarsest levels that a policy allows.

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::{Supremum, reach, tau_reach_of};
use crate::Hierarchy;
use crate::model::{ClassView, CountedColumn, Dictionary, FrequencyTable, Numbers};
use crate::principle::{BuildError, Context, Kind, Level, Parameters, Quantity};
use crate::recoding::Requirement;

/// How a method treats sensitive values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SensitiveValues {
    /// Sensitive values are released unchanged.
    AsTheyAre,
    /// Sensitive values may be generalized.
    Generalized,
}

/// A requirement that cannot be met without suppression.
#[derive(Debug, Clone, PartialEq)]
pub struct Beyond {
    /// The best level that might be reachable, as the names and values of its quantities.
    pub best: Vec<(&'static str, Quantity)>,
    /// For principles on close numbers, the supremum of the feasible epsilon for the required m or
    /// l. For delta, epsilon is twice delta.
    pub epsilon: Option<Supremum>,
    /// Whether suppression may help. Suppression does not help if a class needs more rows than the
    /// table has.
    pub suppression_may_help: bool,
    /// The smallest reachable tau for the required l if sensitive values are generalized.
    pub smallest_tau: Option<f64>,
}

/// Returns the reachable levels if it is proved that no recoding without suppression meets a
/// requirement, and `None` otherwise.
pub fn beyond_reach(
    table: &FrequencyTable,
    requirement: &Requirement,
    values: SensitiveValues,
) -> Option<Beyond> {
    let reach = reach(table, requirement).filter(|reach| !reach.is_within)?;
    let mut smallest_tau = None;
    if values == SensitiveValues::Generalized
        && let Some(required) = requirement.principle.shares()
    {
        let generalized = tau_reach_of(table, requirement, &required.l)?;
        if generalized.holds_generalized(&required.tau) || !generalized.is_exact {
            return None;
        }
        smallest_tau = generalized.as_is.min(generalized.all_generalized).to_f64();
    }
    Some(Beyond {
        best: reach.best,
        epsilon: epsilon(table, requirement),
        suppression_may_help: requirement.fits_into(table.n_rows()),
        smallest_tau,
    })
}

/// Returns the supremum of the feasible epsilon according to Theorem 2 of the (epsilon, m) paper.
fn epsilon(table: &FrequencyTable, requirement: &Requirement) -> Option<Supremum> {
    let near = requirement.principle.near()?;
    let column = &table.sensitive()[table.sensitive_index(requirement.attribute.as_deref()?)?];
    let numbers = Numbers::from_dictionary(&column.dictionary).ok()?;
    near.supremum(&numbers, &table.occurring(column))
}

/// Replaces the values of each quasi-identifier by their labels at one level. For the resulting
/// table, [`check_rows`](crate::check_rows) therefore returns the same claims as
/// [`claims_of_levels`](crate::recoding::claims_of_levels) does for the levels, except for
/// principles on a population, whose people have original values.
///
/// # Panics
/// Panics if the hierarchies or levels do not match the table.
pub fn at_levels(
    table: &FrequencyTable,
    hierarchies: &[Hierarchy],
    levels: &[usize],
) -> FrequencyTable {
    let columns = table.quasi_identifiers().iter().zip(hierarchies.iter().zip(levels));
    // The labels of each quasi-identifier, and the code of the label for each original code.
    let (dictionaries, label_of): (Vec<Dictionary>, Vec<Vec<u32>>) = columns
        .map(|(_, (hierarchy, &level))| {
            let level = hierarchy.level(level);
            let mut texts = level.labels.clone();
            texts.sort_unstable();
            texts.dedup();
            let (dictionary, _) = Dictionary::from_distinct(texts);
            let code = |label: &String| {
                dictionary.code_of(label).expect("the dictionary contains all labels of the level")
            };
            let codes: Vec<u32> = level.labels.iter().map(code).collect();
            let of_code = level.map.iter().map(|&label| codes[label as usize]).collect();
            (dictionary, of_code)
        })
        .unzip();

    let n_known = label_of.len();
    let mut key = vec![0; table.columns().count()];
    let mut rows: FxHashMap<Vec<u32>, u64> = FxHashMap::default();
    for (tuple, &count) in table.counts().iter().enumerate() {
        for (at, (place, column)) in key.iter_mut().zip(table.columns()).enumerate() {
            let code = column.codes[tuple];
            *place = label_of.get(at).map_or(code, |labels| labels[code as usize]);
        }
        match rows.get_mut(&key) {
            Some(rows) => *rows += count,
            None => drop(rows.insert(key.clone(), count)),
        }
    }
    let mut rows: Vec<(Vec<u32>, u64)> = rows.into_iter().collect();
    rows.sort_unstable();

    let mut dictionaries = dictionaries.into_iter();
    let mut columns = table.columns().enumerate().map(|(at, column)| CountedColumn {
        name: column.name.clone(),
        dictionary: dictionaries.next().unwrap_or_else(|| column.dictionary.clone()),
        codes: rows.iter().map(|(key, _)| key[at]).collect(),
    });
    let quasi_identifiers = columns.by_ref().take(n_known).collect();
    let counts = rows.iter().map(|(_, rows)| *rows).collect();
    FrequencyTable::new(quasi_identifiers, columns.collect(), counts)
        .expect("every code has a label")
}

/// The best level that can be reached if some of the most frequent values are put on the don't-care
/// list.
#[derive(Debug, Clone, PartialEq)]
pub struct DontCareStep {
    /// The number of values on the list, which contains the most frequent values.
    pub n_values: usize,
    /// The number of rows with a value on the list.
    pub n_rows: u64,
    /// The level of the class of all rows, which is the best that any recoding without suppression
    /// could reach.
    pub best: Level,
}

/// Returns the best level that can be reached if the 0, 1, ..., `most` most frequent values are put
/// on the don't-care list, which replaces any list in the parameters. At least one value is always
/// left off the list.
///
/// # Errors
/// Returns [`BuildError`] if the parameters are invalid or the kind has no don't-care list.
///
/// # Panics
/// Panics if the context has no sensitive attribute.
pub fn effect_of_dont_care(
    kind: &'static Kind,
    context: &Context<'_>,
    parameters: &Parameters,
    most: usize,
) -> Result<Vec<DontCareStep>, Vec<BuildError>> {
    let attribute = context.attribute.expect("a don't-care list requires a sensitive attribute");
    let columns = context.table.sensitive();
    let rows = context.table.all_occurring();
    let histograms = context.table.histograms(&rows);
    let mut by_frequency = rows[attribute].clone();
    by_frequency.sort_by_key(|&(code, rows)| (std::cmp::Reverse(rows), code));
    let mut steps = Vec::new();
    for n_values in 0..by_frequency.len().min(most + 1) {
        let chosen = &by_frequency[..n_values];
        let value = |entry: &(u32, u64)| columns[attribute].dictionary.value(entry.0).to_owned();
        let with_list = kind.with_dont_care(parameters, chosen.iter().map(value).collect());
        let principle = kind.build(context, &with_list)?;
        steps.push(DontCareStep {
            n_values,
            n_rows: chosen.iter().map(|entry| entry.1).sum(),
            best: principle.of_class(&ClassView::new(context.table.n_rows(), &histograms)),
        });
    }
    Ok(steps)
}
