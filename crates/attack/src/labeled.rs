//! The labels of a release, with the original values that they may cover.
//!
//! Without the original, the possible values of a column come from its hierarchy, if it lists them.
//! Otherwise, they are assumed to be the values that the labels mention and, for integers, all
//! integers between them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use indistinct_core::hierarchy::HierarchyRule;
use indistinct_core::model::{CountedColumn, Rational};
use indistinct_core::published::{
    LabelRule, PublishedRows, Reader, ReleaseWithOriginal, RowRule, StatedClasses, StatedLabels,
};
use indistinct_core::{Cell, Dictionary, Hierarchy, MISSING, STAR, parse_decimal};
use indistinct_labels::{Interval, closed_ends, set_values};

/// A release, with what an adversary knows about its labels.
pub struct LabeledRelease<'a> {
    /// The published part of the release.
    pub published: &'a PublishedRows,
    /// The labels of each quasi-identifier; `None` if the values that they cover are unknown.
    pub columns: Vec<Option<LabeledColumn<'a>>>,
    /// What the method usually guarantees about the class of each row.
    pub rule: RowRule,
    /// The release with its original, if the original is known.
    pub original: Option<&'a ReleaseWithOriginal>,
}

/// The labels of one quasi-identifier.
pub struct LabeledColumn<'a> {
    /// The possible original values.
    pub dictionary: Cow<'a, Dictionary>,
    /// The hierarchy of these values.
    pub hierarchy: Cow<'a, Hierarchy>,
    /// The values that each released label covers, by its code.
    pub cells: Cow<'a, [Cell]>,
    /// What the method guarantees about the labels.
    pub rule: LabelRule,
    /// The weight of the loss.
    pub weight: f64,
    /// Whether the dictionary contains all values that the original may contain.
    pub has_all_values: bool,
}

/// The maximum number of integers that are assumed to be possible values of a column.
const MOST_INTEGERS: i128 = 10_000;

/// The largest absolute value of these integers.
const LARGEST: u128 = 1 << 64;

impl<'a> LabeledRelease<'a> {
    /// Uses the values that occur in the original.
    ///
    /// # Panics
    /// Panics if a quasi-identifier is not among the stated labels.
    pub fn with_original(pair: &'a ReleaseWithOriginal, stated: &StatedClasses) -> Self {
        let columns = pair.original.quasi_identifiers().iter().zip(&pair.hierarchies);
        let columns = columns.zip(&pair.cells).map(|((column, hierarchy), cells)| {
            let stated = of_column(stated, column);
            Some(LabeledColumn {
                dictionary: Cow::Borrowed(&column.dictionary),
                hierarchy: Cow::Borrowed(hierarchy),
                cells: Cow::Borrowed(cells),
                rule: stated.rule(hierarchy.n_levels()),
                weight: stated.weight,
                has_all_values: true,
            })
        });
        Self {
            published: &pair.published,
            columns: columns.collect(),
            rule: stated.rows,
            original: Some(pair),
        }
    }

    /// Uses only the release and the known hierarchies, by column name.
    ///
    /// # Panics
    /// Panics if a quasi-identifier is not among the stated labels.
    pub fn without_original(
        published: &'a PublishedRows,
        stated: &StatedClasses,
        hierarchies: &[(String, HierarchyRule)],
    ) -> Self {
        let columns = published.rows.quasi_identifiers().iter().map(|column| {
            let known = hierarchies.iter().find(|(of, _)| *of == column.name);
            let known = known.map(|(_, hierarchy)| hierarchy);
            LabeledColumn::from_labels(column, of_column(stated, column), known)
        });
        Self { published, columns: columns.collect(), rule: stated.rows, original: None }
    }
}

fn of_column<'a>(stated: &'a StatedClasses, column: &CountedColumn) -> &'a StatedLabels {
    let found = stated.labels.iter().find(|it| it.attribute == column.name);
    found.expect("the policy states the labels of each quasi-identifier")
}

impl LabeledColumn<'static> {
    fn from_labels(
        column: &CountedColumn,
        stated: &StatedLabels,
        known: Option<&HierarchyRule>,
    ) -> Option<Self> {
        let (name, labels) = (&column.name, column.dictionary.values());
        // Without bounds on the levels, the rule for ranges and sets does not depend on the number
        // of levels.
        let releases_bounds = stated.rule(usize::MAX) == LabelRule::Bounds;
        let (hierarchy, values, is_listed) = match known {
            Some(rule) if !rule.listed().is_empty() => {
                let mut values: BTreeSet<String> = rule.listed().iter().cloned().collect();
                values.extend(stated.may_be_missing.then(|| MISSING.to_owned()));
                (rule, values, true)
            }
            _ if releases_bounds => (&HierarchyRule::Flat, ends(labels), false),
            Some(rule @ HierarchyRule::Flat) => {
                let values = labels.iter().filter(|label| *label != STAR).cloned().collect();
                (rule, values, false)
            }
            Some(rule @ HierarchyRule::Intervals(_)) => (rule, numbers(labels)?, false),
            Some(_) | None => return None,
        };
        let (dictionary, _) = Dictionary::from_distinct(values.into_iter().collect());
        let hierarchy = hierarchy.resolve(name, &dictionary).ok()?;
        let reader = Reader::new(&hierarchy, &dictionary);
        let cells: Vec<Cell> =
            labels.iter().map(|label| reader.cell(label)).collect::<Option<_>>()?;
        // Values that the release does not mention may be below a label with fewer values.
        let covers_two = |cell: &Cell| match cell {
            Cell::Range { low, high } => low < high,
            Cell::Set(codes) => codes.len() > 1,
            cell => {
                let codes = 0..dictionary.len() as u32;
                codes.filter(|&code| cell.covers(&hierarchy, code)).nth(1).is_some()
            }
        };
        let is_known = |(label, cell): (&String, &Cell)| {
            dictionary.code_of(label).is_some() || covers_two(cell)
        };
        if !is_listed && !labels.iter().zip(&cells).all(is_known) {
            return None;
        }
        let rule = stated.rule(hierarchy.n_levels());
        let (dictionary, hierarchy) = (Cow::Owned(dictionary), Cow::Owned(hierarchy));
        let cells = Cow::Owned(cells);
        let weight = stated.weight;
        Some(Self { dictionary, hierarchy, cells, rule, weight, has_all_values: is_listed })
    }
}

/// Returns the values that labels of values, ranges, and sets mention. If all of them are integers,
/// the result contains all integers between them.
fn ends(labels: &[String]) -> BTreeSet<String> {
    if let Some(numbers) = numbers(labels) {
        return numbers;
    }
    let values = labels.iter().filter(|label| *label != STAR).flat_map(|label| {
        let is_number = |end: &str| parse_decimal(end).is_ok();
        match (closed_ends(label), set_values(label)) {
            (Some((low, high)), _) if is_number(low) && is_number(high) => {
                vec![low.to_owned(), high.to_owned()]
            }
            (_, Some(values)) => values,
            _ => vec![label.clone()],
        }
    });
    values.collect()
}

/// Returns all integers between the numbers that the labels mention, or `None` if the labels are
/// not numbers or intervals with integer ends. An open end covers at least two integers.
fn numbers(labels: &[String]) -> Option<BTreeSet<String>> {
    let whole = |number: Rational| {
        let is_small = number.is_integer() && number.to_integer().unsigned_abs() <= LARGEST;
        is_small.then(|| number.to_integer())
    };
    let (mut values, mut known) = (BTreeSet::new(), BTreeSet::new());
    for label in labels.iter().filter(|label| *label != STAR) {
        if label == MISSING {
            values.insert(label.clone());
            continue;
        }
        if let Ok(number) = parse_decimal(label) {
            // A number in another notation would be a different value.
            known.insert(whole(number).filter(|number| number.to_string() == *label)?);
            continue;
        }
        known.extend(match Interval::read(label)? {
            Interval::HalfOpen(low, high) => [whole(low)?, whole(high)? - 1],
            Interval::Closed(low, high) => [whole(low)?, whole(high)?],
            Interval::Below(high) => [whole(high)? - 2, whole(high)? - 1],
            Interval::From(low) => [whole(low)?, whole(low)? + 1],
            Interval::Around(..) => return None,
        });
    }
    let (low, high) = (*known.first()?, *known.last()?);
    if high - low >= MOST_INTEGERS {
        return None;
    }
    values.extend((low..=high).map(|integer| integer.to_string()));
    Some(values)
}
