//! What holds on a table that is divided into classes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::partition::DROPPED;
use crate::model::{ClassView, FrequencyTable, Histogram, to_f64};
use crate::principle::{Level, ParameterValue, Parameters};
use crate::recoding::Requirement;
use crate::risk::{self, Risk};

/// A figure in a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Figure {
    /// A whole number.
    Count(u64),
    /// Any other number.
    Real(f64),
    /// A text.
    Text(String),
    /// A list of values of the policy.
    Values(Vec<String>),
}

/// What one principle reaches on a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrincipleClaim {
    /// The principle's name in the registry.
    pub kind: String,
    /// The sensitive attribute, for the kinds that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// The parameters as required.
    pub required: BTreeMap<String, Figure>,
    /// The best values for which the table would still hold; a value is null where none would do, all is null for an
    /// empty table.
    pub reached: Option<BTreeMap<String, Option<Figure>>>,
    /// Whether every class holds.
    pub holds: bool,
    /// Number of classes that do not.
    pub n_failing_classes: u64,
    /// Number of rows in them.
    pub n_failing_rows: u64,
    /// Size of the class with the worst level; `None` for an empty table.
    pub worst_class_size: Option<u64>,
}

/// Everything that can be recomputed from the rows of a table and the requirements of a policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// Number of rows.
    pub n_released: u64,
    /// Number of classes.
    pub n_classes: u64,
    /// Size of the smallest class; `None` for an empty table.
    pub smallest_class: Option<u64>,
    /// For each size the number of classes that have it.
    pub class_sizes: BTreeMap<u64, u64>,
    /// One for each requirement, in its order.
    pub principles: Vec<PrincipleClaim>,
    /// Re-identification risk.
    pub risk: Risk,
}

/// Claims, and for the holder's eyes the worst classes behind them.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The claims.
    pub claims: Claims,
    /// For each requirement up to five classes with the worst levels, the worst first: class number and
    /// its size.
    pub worst: Vec<Vec<(u32, u64)>>,
    /// For each class whether all requirements hold in it.
    pub class_holds: Vec<bool>,
}

/// How many of the worst classes are kept for each requirement.
const WORST_CLASSES: usize = 5;

/// Judges a table whose tuple `i` is in class `class_of[i]`.
pub fn judge(
    table: &FrequencyTable,
    class_of: &[u32],
    n_classes: usize,
    requirements: &[Requirement],
) -> Judged {
    let mut sizes = vec![0u64; n_classes];
    for (&class, &count) in class_of.iter().zip(table.counts()) {
        if class != DROPPED {
            sizes[class as usize] += count;
        }
    }
    let histograms: Vec<Histograms> = (0..table.sensitive().len())
        .map(|attribute| Histograms::of(table, class_of, n_classes, attribute))
        .collect();

    let mut class_holds = vec![true; n_classes];
    let mut principles = Vec::with_capacity(requirements.len());
    let mut worst = Vec::with_capacity(requirements.len());
    for requirement in requirements {
        let principle = &*requirement.principle;
        let bounds = principle.bounds();
        let mut table_level: Option<Level> = None;
        // Ties go to the smaller class, so that the answer does not depend on how classes are numbered.
        let mut worst_here: Vec<(Level, u32)> = Vec::new();
        let (mut n_failing_classes, mut n_failing_rows) = (0, 0);
        for class in 0..n_classes {
            let views: Vec<Histogram<'_>> =
                histograms.iter().map(|histogram| histogram.class(class)).collect();
            let level = principle.of_class(&ClassView { size: sizes[class], histograms: &views });
            if !level.meets(bounds) {
                class_holds[class] = false;
                n_failing_classes += 1;
                n_failing_rows += sizes[class];
            }
            table_level = Some(table_level.map_or(level, |before| before.worst(level, bounds)));
            let at = worst_here.partition_point(|(other, number)| {
                if other.equals(&level) {
                    sizes[*number as usize] <= sizes[class]
                } else {
                    other.worst(level, bounds) == *other
                }
            });
            if at < WORST_CLASSES {
                worst_here.insert(at, (level, class as u32));
                worst_here.truncate(WORST_CLASSES);
            }
        }
        principles.push(PrincipleClaim {
            kind: requirement.kind.to_owned(),
            attribute: requirement.attribute.clone(),
            required: figures_of(&requirement.parameters),
            reached: table_level.map(|level| {
                bounds
                    .iter()
                    .zip(level.quantities())
                    .map(|(bound, quantity)| (bound.name.to_owned(), figure(quantity)))
                    .collect()
            }),
            holds: n_failing_classes == 0,
            n_failing_classes,
            n_failing_rows,
            worst_class_size: worst_here.first().map(|(_, class)| sizes[*class as usize]),
        });
        worst.push(worst_here.iter().map(|(_, class)| (*class, sizes[*class as usize])).collect());
    }

    let mut class_sizes = BTreeMap::new();
    for &size in &sizes {
        *class_sizes.entry(size).or_insert(0) += 1;
    }
    let claims = Claims {
        n_released: sizes.iter().sum(),
        n_classes: n_classes as u64,
        smallest_class: sizes.iter().min().copied(),
        risk: risk::of_class_sizes(&class_sizes),
        class_sizes,
        principles,
    };
    Judged { claims, worst, class_holds }
}

/// The histograms of one sensitive attribute, class by class in one list.
struct Histograms<'a> {
    starts: Vec<usize>,
    entries: Vec<(u32, u64)>,
    dictionary: &'a crate::Dictionary,
}

impl<'a> Histograms<'a> {
    fn of(table: &'a FrequencyTable, class_of: &[u32], n_classes: usize, attribute: usize) -> Self {
        let column = &table.sensitive()[attribute];
        let mut cells: Vec<(u32, u32, u64)> = class_of
            .iter()
            .zip(&column.codes)
            .zip(table.counts())
            .filter(|((class, _), _)| **class != DROPPED)
            .map(|((&class, &code), &count)| (class, code, count))
            .collect();
        cells.sort_unstable_by_key(|&(class, code, _)| (class, code));
        cells.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        let mut starts = vec![0; n_classes + 1];
        for cell in &cells {
            starts[cell.0 as usize + 1] += 1;
        }
        for class in 0..n_classes {
            starts[class + 1] += starts[class];
        }
        let entries = cells.into_iter().map(|(_, code, count)| (code, count)).collect();
        Self { starts, entries, dictionary: &column.dictionary }
    }

    fn class(&self, class: usize) -> Histogram<'_> {
        Histogram {
            entries: &self.entries[self.starts[class]..self.starts[class + 1]],
            dictionary: self.dictionary,
        }
    }
}

/// Parameters as a claim states them.
pub fn figures_of(parameters: &Parameters) -> BTreeMap<String, Figure> {
    let figure = |value: &ParameterValue| match value {
        ParameterValue::Number(value) if value.is_integer() && *value.numer() >= 0 => {
            Figure::Count(u64::try_from(*value.numer()).unwrap_or(u64::MAX))
        }
        ParameterValue::Number(value) => Figure::Real(to_f64(value)),
        ParameterValue::Text(text) => Figure::Text(text.clone()),
        ParameterValue::Values(values) => Figure::Values(values.clone()),
    };
    parameters.0.iter().map(|(name, value)| (name.clone(), figure(value))).collect()
}

fn figure(quantity: &crate::Quantity) -> Option<Figure> {
    match quantity {
        crate::Quantity::Count(count) => Some(Figure::Count(*count)),
        other => other.to_f64().map(Figure::Real),
    }
}
