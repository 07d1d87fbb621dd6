//! The original values that the labels of one quasi-identifier cover, and what the choice of each
//! label states about the values of its class.

use std::ops::RangeInclusive;

use indistinct_core::published::LabelRule;
use indistinct_core::{Cell, Dictionary, Hierarchy, Observer};
use indistinct_labels::{closed_ends, set_values};
use rustc_hash::FxHashMap;

use crate::class_beliefs::Event;
use crate::labeled::LabeledColumn;

/// The labels of one quasi-identifier.
pub(crate) struct Covers {
    /// The covered original values of each label, as ascending codes.
    pub values: Vec<Vec<u32>>,
    /// For each label, what occurs in every class with this label.
    pub events: Vec<Event>,
    /// The number of original values.
    pub n_values: usize,
    /// Whether the events imply statements about the original. If other values are possible, they
    /// may be below a third child of a label, or have the form of a range or a set.
    pub is_conclusive: bool,
}

/// The maximum number of covered values, added up over all labels of a column.
const MOST_COVERED: usize = 20_000_000;

/// The number of steps of expectation maximization.
const N_STEPS: usize = 30;

/// The number of rows that are added to each value, so no occurring value has probability 0.
const ADDED: f64 = 0.5;

impl Covers {
    /// Returns `None` if the labels cover too many values. `texts` contains the labels by code.
    pub fn new(column: &LabeledColumn<'_>, texts: &[String]) -> Option<Self> {
        let LabeledColumn { dictionary, hierarchy, cells, rule, has_all_values, .. } = column;
        let n_values = dictionary.len();
        let labels = match rule {
            LabelRule::Lowest(levels) | LabelRule::UsuallyLowest(levels, _) => {
                labels_by_text(hierarchy, levels.clone())
            }
            LabelRule::Any | LabelRule::Bounds => FxHashMap::default(),
        };
        let (mut values, mut events, mut n_covered) = (Vec::new(), Vec::new(), 0);
        for (cell, text) in cells.iter().zip(texts) {
            let (covered, event) = match rule {
                LabelRule::Any => (covered(cell, hierarchy, n_values), Event::Nothing),
                LabelRule::Bounds => {
                    let values = covered(cell, hierarchy, n_values);
                    let event = event_of_bounds(cell, text, &values, dictionary);
                    (values, event)
                }
                LabelRule::Lowest(levels) | LabelRule::UsuallyLowest(levels, _) => {
                    match labels.get(text.as_str()) {
                        Some(own) => below(own, hierarchy, *levels.start()),
                        None => (covered(cell, hierarchy, n_values), Event::Nothing),
                    }
                }
            };
            let event = match (event, rule) {
                (Event::TwoChildren(child_of), LabelRule::UsuallyLowest(_, otherwise)) => {
                    Event::UsuallyTwoChildren(child_of, *otherwise)
                }
                (event, _) => event,
            };
            n_covered += covered.len();
            if n_covered > MOST_COVERED {
                return None;
            }
            values.push(covered);
            events.push(event);
        }
        Some(Self { values, events, n_values, is_conclusive: *has_all_values })
    }

    #[cfg(test)]
    pub fn of_values(values: Vec<Vec<u32>>, events: Vec<Event>, n_values: usize) -> Self {
        Self { values, events, n_values, is_conclusive: true }
    }

    /// Estimates the distribution of the original values, given the number of rows of each label.
    pub fn prior(&self, rows: &[u64], observer: &dyn Observer) -> Vec<f64> {
        let n_values = self.n_values as f64;
        let n_rows = rows.iter().sum::<u64>() as f64 + ADDED * n_values;
        let mut prior = vec![1.0 / n_values; self.n_values];
        for _ in (0..N_STEPS).take_while(|_| !observer.is_cancelled()) {
            let mut expected = vec![ADDED; self.n_values];
            let all = self.values.iter().zip(rows);
            for (values, &rows) in all.filter(|(values, _)| !values.is_empty()) {
                let sum: f64 = values.iter().map(|&code| prior[code as usize]).sum();
                for &code in values {
                    expected[code as usize] += rows as f64 * prior[code as usize] / sum;
                }
            }
            prior = expected.into_iter().map(|rows| rows / n_rows).collect();
        }
        prior
    }
}

fn covered(cell: &Cell, hierarchy: &Hierarchy, n_values: usize) -> Vec<u32> {
    match cell.stands_for() {
        Cell::Set(codes) => codes.clone(),
        Cell::Range { low, high } => (*low..=*high).collect(),
        cell => (0..n_values as u32).filter(|&code| cell.covers(hierarchy, code)).collect(),
    }
}

/// Returns the event for a range or a set. Its text may also be a label of the hierarchy that
/// covers the same values.
fn event_of_bounds(cell: &Cell, text: &str, covered: &[u32], dictionary: &Dictionary) -> Event {
    let values = || covered.iter().map(|&code| dictionary.value(code));
    let ends = || values().next().zip(values().next_back());
    match cell {
        Cell::Range { .. } => Event::BothEnds,
        Cell::Set(_) => Event::AllValues,
        Cell::Label { .. } if closed_ends(text).is_some_and(|own| Some(own) == ends()) => {
            Event::BothEnds
        }
        Cell::Label { .. } if set_values(text).is_some_and(|own| values().eq(own)) => {
            Event::AllValues
        }
        _ => Event::Nothing,
    }
}

/// A label of a hierarchy: its level and its number.
type LabelAt = (usize, u32);

/// Returns the labels with each text at the given levels, from the lowest level to the highest.
fn labels_by_text(
    hierarchy: &Hierarchy,
    levels: RangeInclusive<usize>,
) -> FxHashMap<&str, Vec<LabelAt>> {
    let mut labels: FxHashMap<&str, Vec<LabelAt>> = FxHashMap::default();
    for level in levels {
        for (text, label) in hierarchy.level(level).labels.iter().zip(0..) {
            labels.entry(text).or_default().push((level, label));
        }
    }
    labels
}

/// Returns the values that labels with the same text cover, and the event for these labels.
fn below(labels: &[LabelAt], hierarchy: &Hierarchy, lowest: usize) -> (Vec<u32>, Event) {
    let is_below =
        |&(level, label): &LabelAt, code: usize| hierarchy.level(level).map[code] == label;
    let n_values = hierarchy.level(0).map.len();
    let values: Vec<u32> = (0..n_values as u32)
        .filter(|code| labels.iter().any(|label| is_below(label, *code as usize)))
        .collect();
    let covers_all = |label: &LabelAt| values.iter().all(|code| is_below(label, *code as usize));
    // Several labels with the same text are distinguishable only if they cover the same values. In
    // that case, the lowest one is released.
    let (level, _) = labels[0];
    if level <= lowest || !labels.iter().all(covers_all) {
        return (values, Event::Nothing);
    }
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let child_of = values.iter().map(|&code| {
        let next = numbers.len() as u32;
        *numbers.entry(hierarchy.level(level - 1).map[code as usize]).or_insert(next)
    });
    let child_of: Vec<u32> = child_of.collect();
    (values, Event::TwoChildren(child_of))
}
