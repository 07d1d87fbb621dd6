//! A release as everybody sees it, and its original laid beside it: what utility measures, attacks and reports work on.
//!
//! Nothing here is part of the certifier, and nothing here makes a release.

use std::collections::BTreeSet;
use std::sync::Arc;

use indistinct_labels::{closed_ends, set_values};
use rustc_hash::FxHashMap;

use crate::certify::{DROPPED, Release};
use crate::loss::{CellMeasure, covered_share};
use crate::model::{CountedColumn, Dictionary, FrequencyTable, Order, People, Rational, Taxonomy};
use crate::recoding::perturbation::Grid;
use crate::recoding::{Cell, Policy};
use crate::{Hierarchy, MISSING, STAR};

/// The released rows, by the classes that an adversary sees.
#[derive(Debug, Clone)]
pub struct PublishedRows {
    /// The rows: released quasi-identifiers with the released sensitive values. Where sensitive values are attached to
    /// classes alone ([`Attachment::ToClasses`]) they are not in here, and quasi-identifiers are as they were.
    pub rows: FrequencyTable,
    /// For each tuple of `rows` its class, below `n_classes`.
    pub class_of: Vec<u32>,
    /// Number of classes.
    pub n_classes: usize,
    /// The sensitive attributes.
    pub sensitive: Vec<PublishedSensitive>,
    /// For each quasi-identifier and label (by its code in `rows`) the number of values of the domain that it covers; `None` where
    /// the release does not say.
    pub covered: Vec<Vec<Option<u64>>>,
    /// How the sensitive values go with the rows.
    pub attachment: Attachment,
    /// For each quasi-identifier whether its released values are made (centers, noise): they do not say what they stand for.
    pub generated: Vec<bool>,
}

/// How the sensitive values of a release go with its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attachment {
    /// Each row has its own.
    ToRows,
    /// Each class has some, and nothing says whose they are (Anatomy).
    ToClasses,
    /// Each row has its own with this probability, otherwise one of so many values by chance (perturbation).
    Perturbed {
        /// The retention probability.
        p: Rational,
        /// Number of values of the domain.
        n_domain_values: u64,
        /// The numbers that noise was drawn from; `None` for the values that occur in the original.
        grid: Option<Grid>,
    },
}

/// A released sensitive attribute.
#[derive(Debug, Clone)]
pub struct PublishedSensitive {
    /// Its name.
    pub name: String,
    /// The released values; some may be labels of a taxonomy.
    pub dictionary: Dictionary,
    /// For each class its values with their rows, in the order of codes; no rows of 0.
    pub histograms: Vec<Vec<(u32, u64)>>,
    /// What generalized values cover, where a taxonomy is declared.
    pub taxonomy: Option<Taxonomy>,
}

impl PublishedRows {
    /// The released rows where each has its own sensitive values: `class_of` says which class each tuple is in.
    ///
    /// # Panics
    /// If a tuple has no class.
    pub fn of_rows(
        rows: FrequencyTable,
        class_of: Vec<u32>,
        covered: Vec<Vec<Option<u64>>>,
        attachment: Attachment,
    ) -> Self {
        assert_eq!(class_of.len(), rows.n_tuples(), "each tuple has a class");
        let n_classes = class_of.iter().max().map_or(0, |&last| last as usize + 1);
        let of = |column: &CountedColumn| {
            PublishedSensitive::from_column(column, rows.counts(), &class_of)
        };
        let sensitive = rows.sensitive().iter().map(of).collect();
        let generated = vec![false; rows.quasi_identifiers().len()];
        Self { rows, class_of, n_classes, sensitive, covered, attachment, generated }
    }

    /// Classes by equal released labels: the tuples of `rows` that are neighbors with equal quasi-identifiers.
    pub fn classes_by_labels(rows: &FrequencyTable) -> Vec<u32> {
        let mut class_of = vec![0; rows.n_tuples()];
        for (class, tuples) in rows.groups().iter().enumerate() {
            class_of[tuples].fill(class as u32);
        }
        class_of
    }

    /// Number of rows of each class.
    pub fn class_sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.n_classes];
        for (&class, &rows) in self.class_of.iter().zip(self.rows.counts()) {
            sizes[class as usize] += rows;
        }
        sizes
    }

    /// Number of rows with each combination of released quasi-identifiers: what somebody who knows them cannot tell apart. Not the
    /// [sizes of classes](PublishedRows::class_sizes) where sensitive values are attached to these alone.
    pub fn sizes_of_equal_rows(&self) -> Vec<u64> {
        let groups = self.rows.groups();
        groups.iter().map(|tuples| self.rows.counts()[tuples].iter().sum()).collect()
    }

    /// The tuples of each class, in ascending order.
    pub fn tuples_of_classes(&self) -> Vec<Vec<u32>> {
        let mut tuples = vec![Vec::new(); self.n_classes];
        for (tuple, &class) in self.class_of.iter().enumerate() {
            tuples[class as usize].push(tuple as u32);
        }
        tuples
    }
}

impl PublishedSensitive {
    /// A column of sensitive values with the number of rows of each code and the class that these are in; without a
    /// taxonomy.
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

/// For each class its values with their rows, in the order of codes. Tuples that are [`DROPPED`] are in none.
pub fn histograms(
    codes: &[u32],
    counts: &[u64],
    class_of: &[u32],
    n_classes: usize,
) -> Vec<Vec<(u32, u64)>> {
    let mut entries: Vec<(u32, u32, u64)> = class_of
        .iter()
        .zip(codes)
        .zip(counts)
        .filter(|((class, _), _)| **class != DROPPED)
        .map(|((&class, &code), &rows)| (class, code, rows))
        .collect();
    entries.sort_unstable();
    let mut histograms: Vec<Vec<(u32, u64)>> = vec![Vec::new(); n_classes];
    for (class, code, rows) in entries {
        let histogram = &mut histograms[class as usize];
        match histogram.last_mut() {
            Some((last, sum)) if *last == code => *sum += rows,
            _ => histogram.push((code, rows)),
        }
    }
    histograms
}

/// Reads released texts of one quasi-identifier as what they cover: labels of its hierarchy, `[low, high]`, `{a, b}` and values.
#[derive(Debug)]
pub struct Reader<'a> {
    hierarchy: &'a Hierarchy,
    dictionary: &'a Dictionary,
    codes: FxHashMap<&'a str, u32>,
    labels: FxHashMap<&'a str, (usize, u32)>,
}

impl<'a> Reader<'a> {
    /// A reader for an attribute of the original.
    pub fn new(hierarchy: &'a Hierarchy, dictionary: &'a Dictionary) -> Self {
        let values = dictionary.values().iter().zip(0..);
        let codes = values.map(|(value, code)| (value.as_str(), code)).collect();
        let mut labels = FxHashMap::default();
        for level in 0..hierarchy.n_levels() {
            for (text, label) in hierarchy.level(level).labels.iter().zip(0..) {
                // A text that is the label of several levels covers what the highest of them covers.
                labels.insert(text.as_str(), (level, label));
            }
        }
        Self { hierarchy, dictionary, codes, labels }
    }

    /// What a released text covers; `None` if it is none of these. A text that is the label of several levels is that of the
    /// highest one.
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

/// Some rows of an original tuple, and what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// The tuple of the original.
    pub original: u32,
    /// The tuple of [`PublishedRows::rows`]; `None` where the rows are suppressed and dropped.
    pub released: Option<u32>,
    /// How many rows.
    pub rows: u64,
}

/// A release with its original beside it.
#[derive(Debug)]
pub struct ReleaseWithOriginal {
    /// What everybody sees.
    pub published: PublishedRows,
    /// The original: raw quasi-identifiers and sensitive values, with the same attributes in the same order.
    pub original: FrequencyTable,
    /// The hierarchies of the quasi-identifiers, laid over the original's values.
    pub hierarchies: Vec<Hierarchy>,
    /// For each quasi-identifier and released label (by its code in `published.rows`) what it covers of the original.
    pub cells: Vec<Vec<Cell>>,
    /// What became of each original tuple, in ascending order; `None` where that is not known.
    pub links: Option<Vec<Link>>,
    /// Whose the rows of the original are, where a person may have several.
    pub people: Option<Arc<People>>,
}

impl ReleaseWithOriginal {
    /// A certified release beside the table it was made of, without a way over files.
    ///
    /// # Panics
    /// If the policy is not the one that was certified.
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
        // The class is one more column for a moment, so that classes with equal labels stay apart.
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
            .expect("columns of one table are of one length");
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
            .expect("certified values are those of the hierarchies");
        let covered = covered(&cells, &policy.hierarchies, &original);
        let published = PublishedRows::of_rows(rows, class.codes, covered, Attachment::ToRows);
        let published = PublishedRows { generated, ..published };
        let hierarchies = policy.hierarchies.clone();
        let links = Some(links);
        Self { published, original, hierarchies, cells, links, people: None }.with_origins()
    }

    /// The same where a released value that was made stands for what its rows come from, as far as the links tell: otherwise it may stand
    /// for anything.
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

/// What values come from: the range of them where they are numbers, otherwise the values themselves.
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

/// Reads the released labels of all quasi-identifiers as what they cover of an original; those that were made may stand for any
/// value, and are read as such where `generated` says so.
///
/// # Errors
/// The position of the first quasi-identifier with labels that are not read, and how many there are of them.
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

/// For each quasi-identifier and label the number of domain values that it covers.
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
    fn what_a_cell_is_released_as_is_read_as_the_cell() {
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
                let read = reader.cell(&text).expect("it is read");
                for code in 0..n {
                    assert_eq!(read.covers(&hierarchy, code), cell.covers(&hierarchy, code));
                }
            }
            assert_eq!(reader.cell("unknown"), None);
            assert_eq!(reader.cell("{7, unknown}"), None);
        }
    }

    #[test]
    fn histograms_count_the_rows_of_each_class() {
        let column = |name: &str, values: &[&str], codes: Vec<u32>| CountedColumn {
            name: name.to_owned(),
            dictionary: Dictionary::from_distinct(owned(values)).0,
            codes,
        };
        let age = column("age", &["[1, 2]", "[3, 4]"], vec![0, 0, 1]);
        let disease = column("disease", &["flu", "ulcer"], vec![0, 1, 0]);
        let rows = FrequencyTable::new(vec![age], vec![disease], vec![2, 1, 4]).expect("valid");
        let class_of = PublishedRows::classes_by_labels(&rows);
        let published =
            PublishedRows::of_rows(rows, class_of, vec![vec![Some(2); 2]], Attachment::ToRows);
        assert_eq!(published.n_classes, 2);
        assert_eq!(published.sensitive[0].histograms, [vec![(0, 2), (1, 1)], vec![(0, 4)]]);
        assert_eq!(published.class_sizes(), [3, 4]);
        assert_eq!(published.tuples_of_classes(), [vec![0, 1], vec![2]]);
    }
}
