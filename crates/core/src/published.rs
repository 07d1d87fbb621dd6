//! Types for a published release, optionally with its original table. Utility measures, attacks,
//! and reports use them.
//!
//! This module is not part of the certifier and does not create releases.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use indistinct_labels::{closed_ends, set_values};
use rustc_hash::FxHashMap;

use crate::certify::{DROPPED, Release, counted_cells};
use crate::loss::{CellMeasure, covered_share};
use crate::model::{CountedColumn, Dictionary, FrequencyTable, Order, People, Rational, Taxonomy};
use crate::recoding::perturbation::Grid;
use crate::recoding::{Cell, Policy};
use crate::{Hierarchy, MISSING, STAR};

/// The released rows, grouped by the classes that an adversary can distinguish.
#[derive(Debug, Clone)]
pub struct PublishedRows {
    /// The released quasi-identifiers and sensitive values of all rows. If sensitive values are
    /// attached to classes only ([`Attachment::ToClasses`]), this table does not contain them, and
    /// its quasi-identifiers are unchanged.
    pub rows: FrequencyTable,
    /// The class number of each tuple of `rows`. Class numbers are less than `n_classes`.
    pub class_of: Vec<u32>,
    /// The number of classes.
    pub n_classes: usize,
    /// The sensitive attributes.
    pub sensitive: Vec<PublishedSensitive>,
    /// For each quasi-identifier and label (by its code in `rows`), the number of domain values
    /// that the label covers, or `None` if the release does not contain this information.
    pub covered: Vec<Vec<Option<u64>>>,
    /// How sensitive values are attached to rows.
    pub attachment: Attachment,
    /// For each quasi-identifier, whether its released values are synthetic (centers, noise), so
    /// they do not show which original values they represent.
    pub generated: Vec<bool>,
}

/// What a method guarantees about the label of each class in one column, except for rows with `*`
/// in all columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LabelRule {
    /// The label may be wider than required.
    Any,
    /// The label is the lowest label between these levels that covers all values of the class.
    Lowest(RangeInclusive<usize>),
    /// The label is the lowest label between these levels that covers all values of the class, or a
    /// random choice with at least the given probability prevented a lower label.
    UsuallyLowest(RangeInclusive<usize>, Rational),
    /// The label is the value itself, the range between the smallest and the largest number, or
    /// the set of the values of the class.
    Bounds,
}

/// What a method usually guarantees about the class of each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowRule {
    /// Nothing.
    Any,
    /// Few rows fit labels that lose less than those of their class.
    UsuallyCheapest,
}

/// What a policy states about the classes of a release.
#[derive(Debug, Clone)]
pub struct StatedClasses {
    /// What the method usually guarantees about the class of each row.
    pub rows: RowRule,
    /// What the policy states about the labels of each quasi-identifier.
    pub labels: Vec<StatedLabels>,
}

/// What a policy states about the labels of one quasi-identifier.
#[derive(Debug, Clone)]
pub struct StatedLabels {
    /// The quasi-identifier.
    pub attribute: String,
    /// The narrowest labels that the method releases; `None` if it guarantees nothing.
    pub narrowest: Option<NarrowestLabels>,
    /// The lowest permitted level.
    pub lowest: usize,
    /// The highest permitted level; `None` if all levels are permitted.
    pub highest: Option<usize>,
    /// Whether the column may have missing values.
    pub may_be_missing: bool,
    /// The weight of the loss.
    pub weight: f64,
}

/// The labels among which a method releases the narrowest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NarrowestLabels {
    /// The labels of the hierarchy.
    OfHierarchy,
    /// The labels of the hierarchy, unless a random choice with at least this probability prevents
    /// a lower label.
    UsuallyOfHierarchy(Rational),
    /// Ranges of numbers and sets of values.
    Bounds,
}

impl StatedLabels {
    /// Returns what the method guarantees, given the number of levels of the hierarchy. In case of
    /// doubt, the method guarantees nothing.
    pub fn rule(&self, n_levels: usize) -> LabelRule {
        let top = n_levels - 1;
        let highest = self.highest.unwrap_or(top);
        match self.narrowest {
            Some(NarrowestLabels::OfHierarchy) if highest <= top => {
                LabelRule::Lowest(self.lowest..=highest)
            }
            Some(NarrowestLabels::UsuallyOfHierarchy(otherwise)) if highest <= top => {
                LabelRule::UsuallyLowest(self.lowest..=highest, otherwise)
            }
            Some(NarrowestLabels::Bounds) if (self.lowest, highest) == (0, top) => {
                LabelRule::Bounds
            }
            // With bounds on the levels, methods differ in the ranges and sets that they release.
            _ => LabelRule::Any,
        }
    }
}

/// How the sensitive values of a release are attached to its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attachment {
    /// Each row has its own sensitive values.
    ToRows,
    /// Each class has a set of sensitive values that cannot be assigned to its rows (Anatomy).
    ToClasses,
    /// Each row has its own sensitive value with probability `p`, and a random value from the
    /// domain otherwise (perturbation).
    Perturbed {
        /// The retention probability.
        p: Rational,
        /// The number of values of the domain.
        n_domain_values: u64,
        /// The numbers from which noise was drawn, or `None` if noise was drawn from the values
        /// that occur in the original table.
        grid: Option<Grid>,
    },
}

/// A released sensitive attribute.
#[derive(Debug, Clone)]
pub struct PublishedSensitive {
    /// The name of the attribute.
    pub name: String,
    /// The released values, some of which may be labels of a taxonomy.
    pub dictionary: Dictionary,
    /// For each class, its sensitive values with their positive row counts, in ascending order of
    /// codes.
    pub histograms: Vec<Vec<(u32, u64)>>,
    /// The taxonomy that defines which values a generalized value covers, if the attribute has one.
    pub taxonomy: Option<Taxonomy>,
}

impl PublishedRows {
    /// Creates the released rows if each row has its own sensitive values. `class_of` contains the
    /// class of each tuple.
    ///
    /// # Panics
    /// Panics if a tuple has no class.
    pub fn of_rows(
        rows: FrequencyTable,
        class_of: Vec<u32>,
        covered: Vec<Vec<Option<u64>>>,
        attachment: Attachment,
    ) -> Self {
        assert_eq!(class_of.len(), rows.n_tuples(), "each tuple must have a class");
        let n_classes = class_of.iter().max().map_or(0, |&last| last as usize + 1);
        let of = |column: &CountedColumn| {
            PublishedSensitive::from_column(column, rows.counts(), &class_of)
        };
        let sensitive = rows.sensitive().iter().map(of).collect();
        let generated = vec![false; rows.quasi_identifiers().len()];
        Self { rows, class_of, n_classes, sensitive, covered, attachment, generated }
    }

    /// Returns the number of rows of each class.
    pub fn class_sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.n_classes];
        for (&class, &rows) in self.class_of.iter().zip(self.rows.counts()) {
            sizes[class as usize] += rows;
        }
        sizes
    }

    /// Returns the number of rows with each combination of released quasi-identifiers. An adversary
    /// who knows the quasi-identifiers cannot distinguish the rows of one combination. The result
    /// differs from the [class sizes](PublishedRows::class_sizes) if sensitive values are attached
    /// to classes only.
    pub fn sizes_of_equal_rows(&self) -> Vec<u64> {
        let groups = self.rows.groups();
        groups.iter().map(|tuples| self.rows.counts()[tuples].iter().sum()).collect()
    }

    /// Returns the tuples of each class. The tuples are in ascending order.
    pub fn tuples_of_classes(&self) -> Vec<Vec<u32>> {
        let mut tuples = vec![Vec::new(); self.n_classes];
        for (tuple, &class) in self.class_of.iter().enumerate() {
            tuples[class as usize].push(tuple as u32);
        }
        tuples
    }

    /// Returns the class of rows with `*` for every quasi-identifier.
    pub(crate) fn star_class(&self) -> Option<usize> {
        let columns = self.rows.quasi_identifiers();
        let stars: Option<Vec<u32>> =
            columns.iter().map(|column| column.dictionary.code_of(STAR)).collect();
        let stars = stars.filter(|stars| !stars.is_empty())?;
        let is_star = |tuple: &usize| {
            columns.iter().zip(&stars).all(|(column, star)| column.codes[*tuple] == *star)
        };
        let tuple = (0..self.rows.n_tuples()).find(is_star)?;
        Some(self.class_of[tuple] as usize)
    }
}

impl PublishedSensitive {
    /// Creates a sensitive attribute without a taxonomy from a column, the number of rows of each
    /// tuple, and the class of each tuple.
    pub fn from_column(column: &CountedColumn, counts: &[u64], class_of: &[u32]) -> Self {
        let n_classes = class_of.iter().max().map_or(0, |&last| last as usize + 1);
        Self {
            name: column.name.clone(),
            dictionary: column.dictionary.clone(),
            histograms: histograms(&column.codes, counts, class_of, n_classes),
            taxonomy: None,
        }
    }
}

/// Returns the values of each class with their row counts, in ascending order of codes. Tuples with
/// class [`DROPPED`] are not counted.
pub fn histograms(
    codes: &[u32],
    counts: &[u64],
    class_of: &[u32],
    n_classes: usize,
) -> Vec<Vec<(u32, u64)>> {
    let mut histograms: Vec<Vec<(u32, u64)>> = vec![Vec::new(); n_classes];
    for (class, code, rows) in counted_cells(class_of, codes, counts) {
        histograms[class as usize].push((code, rows));
    }
    histograms
}

/// Parses released strings of one quasi-identifier into the values that they cover. A string may be
/// a value, a label of the hierarchy, a range `[low, high]`, or a set `{a, b}`.
#[derive(Debug)]
pub struct Reader<'a> {
    hierarchy: &'a Hierarchy,
    dictionary: &'a Dictionary,
    codes: FxHashMap<&'a str, u32>,
    labels: FxHashMap<&'a str, (usize, u32)>,
}

impl<'a> Reader<'a> {
    /// Creates a reader for an attribute of the original table.
    pub fn new(hierarchy: &'a Hierarchy, dictionary: &'a Dictionary) -> Self {
        let values = dictionary.values().iter().zip(0..);
        let codes = values.map(|(value, code)| (value.as_str(), code)).collect();
        let mut labels = FxHashMap::default();
        for level in 0..hierarchy.n_levels() {
            for (text, label) in hierarchy.level(level).labels.iter().zip(0..) {
                // If several levels share a label, the label covers the values of the highest of
                // these levels.
                labels.insert(text.as_str(), (level, label));
            }
        }
        Self { hierarchy, dictionary, codes, labels }
    }

    /// Returns the values that a released string covers, or `None` if the string cannot be parsed.
    /// If the string is a label at several levels, the highest level is used.
    pub fn cell(&self, text: &str) -> Option<Cell> {
        if let Some(&(level, label)) = self.labels.get(text) {
            return Some(Cell::Label { level, label });
        }
        if let Some(&code) = self.codes.get(text) {
            return Some(Cell::Set(vec![code]));
        }
        if text == STAR {
            return Some(Cell::Label { level: self.hierarchy.n_levels() - 1, label: 0 });
        }
        self.range(text).or_else(|| self.set(text))
    }

    fn range(&self, text: &str) -> Option<Cell> {
        let (low, high) = closed_ends(text)?;
        if self.dictionary.order() != Order::Numeric {
            return None;
        }
        let (&low, &high) = (self.codes.get(low)?, self.codes.get(high)?);
        let is_missing = self.dictionary.value(low) == MISSING;
        (low < high && !is_missing).then_some(Cell::Range { low, high })
    }

    fn set(&self, text: &str) -> Option<Cell> {
        let values = set_values(text)?;
        let codes = values.iter().map(|value| self.codes.get(value.as_str()).copied());
        let mut codes: Vec<u32> = codes.collect::<Option<_>>()?;
        codes.sort_unstable();
        codes.dedup();
        Some(Cell::Set(codes))
    }
}

/// A link from rows of an original tuple to the released tuple that contains these rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// The tuple of the original table.
    pub original: u32,
    /// The tuple of [`PublishedRows::rows`], or `None` if the rows are not released.
    pub released: Option<u32>,
    /// The number of rows.
    pub rows: u64,
}

/// A release together with its original table.
#[derive(Debug)]
pub struct ReleaseWithOriginal {
    /// The published part of the release.
    pub published: PublishedRows,
    /// The original table: original quasi-identifiers and sensitive values, with the same
    /// attributes in the same order.
    pub original: FrequencyTable,
    /// The hierarchies of the quasi-identifiers, applied to the original values.
    pub hierarchies: Vec<Hierarchy>,
    /// For each quasi-identifier and released label (by its code in `published.rows`), the original
    /// values that the label covers.
    pub cells: Vec<Vec<Cell>>,
    /// The links from original tuples to released tuples, in ascending order of original tuples, or
    /// `None` if the links are unknown.
    pub links: Option<Vec<Link>>,
    /// The person of each original row, if a person can have several rows.
    pub people: Option<Arc<People>>,
}

impl ReleaseWithOriginal {
    /// Combines a certified release with its original table without reading any files.
    ///
    /// # Panics
    /// Panics if the policy is not the one that was certified.
    pub fn of_release(release: &Release<'_>, policy: &Policy) -> Self {
        let (table, partition) = (release.table(), release.partition());
        let retained: Vec<usize> =
            (0..table.n_tuples()).filter(|&at| partition.class_of[at] != DROPPED).collect();
        let class_of = |tuple: usize| partition.class_of[tuple];
        let mut columns = Vec::new();
        for (attribute, labels) in partition.labels.iter().enumerate() {
            let (dictionary, code_of) = Dictionary::from_distinct(labels.clone());
            let label = |&tuple: &usize| {
                let class = partition.classes.get(class_of(tuple));
                code_of[class.labels[attribute] as usize]
            };
            columns.push(CountedColumn {
                name: table.quasi_identifiers()[attribute].name.clone(),
                dictionary,
                codes: retained.iter().map(label).collect(),
            });
        }
        let mut sensitive: Vec<CountedColumn> = table
            .sensitive()
            .iter()
            .map(|column| CountedColumn {
                name: column.name.clone(),
                dictionary: column.dictionary.clone(),
                codes: retained.iter().map(|&tuple| column.codes[tuple]).collect(),
            })
            .collect();
        // The class is added as a temporary column, which keeps classes with equal labels separate.
        let classes = (0..partition.classes.len()).map(|class| format!("{class:010}")).collect();
        sensitive.push(CountedColumn {
            name: String::new(),
            dictionary: Dictionary::from_distinct(classes).0,
            codes: retained.iter().map(|&tuple| class_of(tuple)).collect(),
        });
        let key = |table: &[&CountedColumn], at: usize| -> Vec<u32> {
            table.iter().map(|column| column.codes[at]).collect()
        };
        let all: Vec<&CountedColumn> = columns.iter().chain(&sensitive).collect();
        let keys: Vec<Vec<u32>> = (0..retained.len()).map(|at| key(&all, at)).collect();
        let counts = retained.iter().map(|&tuple| table.counts()[tuple]).collect();
        let with_class = FrequencyTable::new(columns, sensitive, counts)
            .expect("the columns of a table have the same length");
        let all: Vec<&CountedColumn> = with_class.columns().collect();
        let at_of: FxHashMap<Vec<u32>, u32> =
            (0..with_class.n_tuples()).map(|at| (key(&all, at), at as u32)).collect();
        let mut released = vec![None; table.n_tuples()];
        for (&tuple, key) in retained.iter().zip(&keys) {
            released[tuple] = Some(at_of[key]);
        }
        let tuple_of = |at: usize| release.parts().map_or(at as u32, |parts| parts[at].tuple);
        let links = released.iter().enumerate().map(|(at, &released)| Link {
            original: tuple_of(at),
            released,
            rows: table.counts()[at],
        });
        let links = links.collect();

        let original = release.counted().clone();
        let (rows, class) = with_class.split_off_sensitive();
        let generated = release.generated().to_vec();
        let cells = cells(&rows, &generated, &policy.hierarchies, &original)
            .expect("certified values are values of the hierarchies");
        let covered = covered(&cells, &policy.hierarchies, &original);
        let published = PublishedRows::of_rows(rows, class.codes, covered, Attachment::ToRows);
        let published = PublishedRows { generated, ..published };
        let hierarchies = policy.hierarchies.clone();
        let links = Some(links);
        Self { published, original, hierarchies, cells, links, people: None }.with_origins()
    }

    /// Restricts each synthetic released value to the original values of its rows, which the links
    /// identify. Without links, a synthetic value may represent any original value.
    #[must_use]
    pub fn with_origins(mut self) -> Self {
        let Some(links) = &self.links else { return self };
        for attribute in (0..self.cells.len()).filter(|&at| self.published.generated[at]) {
            let released = &self.published.rows.quasi_identifiers()[attribute];
            let original = &self.original.quasi_identifiers()[attribute];
            let mut from = vec![BTreeSet::new(); released.dictionary.len()];
            for link in links {
                let Some(tuple) = link.released else { continue };
                let code = released.codes[tuple as usize] as usize;
                from[code].insert(original.codes[link.original as usize]);
            }
            let is_number = |code: &u32| original.dictionary.value(*code) != MISSING;
            for (cell, codes) in self.cells[attribute].iter_mut().zip(from) {
                let Cell::Generated { of, .. } = cell else { continue };
                if let Some(origin) = origin(&original.dictionary, &codes, is_number) {
                    **of = origin;
                }
            }
        }
        self
    }
}

/// Returns the original values as a range if all values are numbers, and as a set otherwise.
fn origin(
    dictionary: &Dictionary,
    codes: &BTreeSet<u32>,
    is_number: impl Fn(&u32) -> bool,
) -> Option<Cell> {
    let (&low, &high) = (codes.first()?, codes.last()?);
    match dictionary.order() == Order::Numeric && codes.iter().all(is_number) {
        true => Some(Cell::Range { low, high }),
        false => Some(Cell::Set(codes.iter().copied().collect())),
    }
}

/// Parses the released labels of all quasi-identifiers into the original values that they cover. If
/// `generated` is set for a quasi-identifier, its released values may represent any original value.
///
/// # Errors
/// Returns the index of the first quasi-identifier with unreadable labels, and the number of such
/// labels.
pub fn cells(
    rows: &FrequencyTable,
    generated: &[bool],
    hierarchies: &[Hierarchy],
    original: &FrequencyTable,
) -> Result<Vec<Vec<Cell>>, (usize, usize)> {
    let columns = rows.quasi_identifiers().iter().zip(original.quasi_identifiers());
    let columns = columns.zip(hierarchies).enumerate();
    columns
        .map(|(attribute, ((column, raw), hierarchy))| {
            let reader = Reader::new(hierarchy, &raw.dictionary);
            let is_number = |code: &u32| raw.dictionary.value(*code) != MISSING;
            let any: BTreeSet<u32> = (0..raw.dictionary.len() as u32).collect();
            let any = origin(&raw.dictionary, &any, is_number);
            let read = |text: &String| match generated[attribute] && text != STAR {
                true => Some(Cell::Generated { text: text.clone(), of: Box::new(any.clone()?) }),
                false => reader.cell(text),
            };
            let cells: Vec<Option<Cell>> = column.dictionary.values().iter().map(read).collect();
            let n_unknown = cells.iter().filter(|cell| cell.is_none()).count();
            cells.into_iter().collect::<Option<_>>().ok_or((attribute, n_unknown))
        })
        .collect()
}

/// Returns the number of domain values that each label of each quasi-identifier covers.
pub fn covered(
    cells: &[Vec<Cell>],
    hierarchies: &[Hierarchy],
    original: &FrequencyTable,
) -> Vec<Vec<Option<u64>>> {
    let measures = CellMeasure::of_table(covered_share::costs, original, hierarchies);
    let columns = cells.iter().zip(&measures);
    let values = |measure: &CellMeasure, cell: &Cell| Some(measure.coverage(cell).values);
    columns
        .map(|(cells, measure)| cells.iter().map(|cell| values(measure, cell)).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(values: &[&str]) -> Vec<String> {
        values.iter().map(|value| (*value).to_owned()).collect()
    }

    #[test]
    fn released_cells_round_trip() {
        for values in [&["7", "9", "10", ""][..], &["a,b", "{c}", "\\", "", " ", "a, b"]] {
            let (dictionary, _) = Dictionary::from_distinct(owned(values));
            let hierarchy = Hierarchy::flat(&dictionary);
            let reader = Reader::new(&hierarchy, &dictionary);
            let n = dictionary.len() as u32;
            let sets = (1u32..1 << n)
                .map(|chosen| Cell::Set((0..n).filter(|code| chosen >> code & 1 == 1).collect()));
            let star = Cell::Label { level: 1, label: 0 };
            let numeric = dictionary.order() == Order::Numeric;
            let ranges = (1..n).flat_map(|low| (low..n).map(move |high| Cell::Range { low, high }));
            let ranges = ranges.filter(|_| numeric);
            for cell in sets.chain(ranges).chain([star]) {
                let text = cell.text(&dictionary, &hierarchy);
                let read = reader.cell(&text).expect("the reader recognizes every released cell");
                for code in 0..n {
                    assert_eq!(read.covers(&hierarchy, code), cell.covers(&hierarchy, code));
                }
            }
            assert_eq!(reader.cell("unknown"), None);
            assert_eq!(reader.cell("{7, unknown}"), None);
        }
    }

    #[test]
    fn histograms_count_rows_per_class() {
        let column = |name: &str, values: &[&str], codes: Vec<u32>| CountedColumn {
            name: name.to_owned(),
            dictionary: Dictionary::from_distinct(owned(values)).0,
            codes,
        };
        let age = column("age", &["[1, 2]", "[3, 4]"], vec![0, 0, 1]);
        let disease = column("disease", &["flu", "ulcer"], vec![0, 1, 0]);
        let rows = FrequencyTable::new(vec![age], vec![disease], vec![2, 1, 4]).expect("valid");
        let class_of = rows.groups().of_tuples();
        let published =
            PublishedRows::of_rows(rows, class_of, vec![vec![Some(2); 2]], Attachment::ToRows);
        assert_eq!(published.n_classes, 2);
        assert_eq!(published.sensitive[0].histograms, [vec![(0, 2), (1, 1)], vec![(0, 4)]]);
        assert_eq!(published.class_sizes(), [3, 4]);
        assert_eq!(published.tuples_of_classes(), [vec![0, 1], vec![2]]);
    }
}
