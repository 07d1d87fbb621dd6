//! Evaluates all principles in a class.
//!
//! Class tables count combinations of sensitive values like the values of an additional sensitive
//! attribute.

use std::collections::BTreeMap;

use indistinct_core::model::Population;
use indistinct_core::principle::Subject;
use indistinct_core::{ClassView, FrequencyTable, Histogram, Principle, Requirement};

use super::classes::Contents;
use crate::judge::{Requirements, all_hold, combinations, holds};

/// Class sizes up to this limit are evaluated in advance for the principles that depend only on the
/// size.
const N_SIZES: u64 = 4096;

/// A principle and the data that it is evaluated on.
#[derive(Debug)]
struct JudgedPrinciple<'a> {
    principle: &'a dyn Principle,
    /// The division into parts, if the principle is evaluated on parts of a class.
    division: Option<Division>,
    /// The index of the population that the principle counts.
    population: Option<usize>,
}

/// The principles of a policy, grouped by their input and by the conclusions that their results
/// permit.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    /// The sensitive attributes that any principle depends on.
    pub attributes: Vec<usize>,
    /// The combinations of sensitive values, if any principle is evaluated on parts of classes.
    /// Class tables store the counts of combinations after the histograms of `attributes`.
    pub joint: Option<Joint>,
    /// The populations that any principle counts.
    pub populations: Vec<&'a Population>,
    /// The size below which every class violates a principle.
    pub smallest_size: u64,
    /// Whether all nodes above a node that satisfies the principles without suppression also
    /// satisfy them.
    pub is_preserved_by_merging: bool,
    requirements: Requirements<'a>,
    by_size: Vec<&'a dyn Principle>,
    size_holds: Vec<bool>,
    preserves_sizes: bool,
    /// Principles that hold in a merged class if they hold in all of its source classes.
    retained: Vec<JudgedPrinciple<'a>>,
    /// Principles that may fail in a merged class although they hold in its source classes.
    breakable: Vec<JudgedPrinciple<'a>>,
    /// For each of `attributes`, the number of rows with each value, if a principle compares
    /// classes with all released rows.
    all_rows: Option<Vec<Vec<u64>>>,
}

/// The result of the evaluation of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClassVerdict {
    /// Whether all principles hold.
    pub holds: bool,
    /// Whether all principles of `retained` hold.
    pub keeps: bool,
}

const FAILS: ClassVerdict = ClassVerdict { holds: false, keeps: false };

/// The size of a class and its people, without histograms.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'b> {
    pub size: u64,
    /// The number of people in each of `populations`.
    pub people: &'b [u64],
}

/// The histograms of a class: one for each sensitive attribute of the table, and the count of each
/// combination.
struct Views<'b> {
    histograms: Vec<Histogram<'b>>,
    joint: &'b [(u32, u64)],
}

/// Principles that compare classes with the released rows, for releases that omit rows of the
/// table.
#[derive(Debug)]
pub(super) struct Against<'a>(Vec<(&'a JudgedPrinciple<'a>, Box<dyn Principle>)>);

/// The rows that are not dropped: for each of the judge's `attributes`, the number of rows with
/// each value.
#[derive(Debug)]
pub(super) struct RemainingRows(Vec<Vec<u64>>);

impl RemainingRows {
    /// Subtracts the rows of a class.
    pub fn subtract(&mut self, contents: &Contents, class: usize, buffer: &mut Vec<(u32, u64)>) {
        for (rows, histograms) in self.0.iter_mut().zip(&contents.histograms) {
            for &(code, count) in histograms.entries(class, buffer) {
                rows[code as usize] -= count;
            }
        }
    }
}

impl<'a> Judge<'a> {
    pub fn new(table: &'a FrequencyTable, requirements: &'a [Requirement]) -> Self {
        let (mut by_size, mut retained, mut breakable) = (Vec::new(), Vec::new(), Vec::new());
        let mut attributes = Vec::new();
        let mut populations: Vec<&'a Population> = Vec::new();
        let mut joint: Option<Joint> = None;
        let requirements = Requirements::new(table, requirements);
        let (mut preserves_sizes, mut is_preserved_by_merging) = (true, requirements.are_preserved);
        for requested in &requirements.each {
            let (principle, keeps) = (requested.principle, requested.is_preserved);
            let population = principle.population().map(|population| {
                let known = populations.iter().position(|other| std::ptr::eq(*other, population));
                known.unwrap_or_else(|| {
                    populations.push(population);
                    populations.len() - 1
                })
            });
            if requested.subject == Some(Subject::Class)
                && !requested.on_parts
                && population.is_none()
            {
                by_size.push(principle);
                preserves_sizes &= keeps;
                continue;
            }
            attributes.extend(requested.attributes());
            let division = requested.on_parts.then(|| {
                joint.get_or_insert_with(|| Joint::new(table)).division(requested.attribute)
            });
            // A part of a merged class is merged from parts with the same other values, all of
            // which satisfy the principle. The same is not true for people, because people of
            // classes without rows join the merged class, and a part is not compared with only its
            // own people.
            is_preserved_by_merging &= !(requested.on_parts && population.is_some());
            let judged = JudgedPrinciple { principle, division, population };
            if keeps && population.is_none() { &mut retained } else { &mut breakable }.push(judged);
        }
        attributes.sort_unstable();
        attributes.dedup();
        let size_holds = (0..N_SIZES)
            .map(|size| size > 0 && all_hold(&by_size, &ClassView::new(size, &[])))
            .collect();
        let marginal = |&attribute: &usize| table.marginal(&table.sensitive()[attribute]);
        Self {
            all_rows: requirements
                .depend_on_released
                .then(|| attributes.iter().map(marginal).collect()),
            attributes,
            joint,
            populations,
            smallest_size: requirements.smallest_size,
            is_preserved_by_merging,
            requirements,
            by_size,
            size_holds,
            preserves_sizes,
            retained,
            breakable,
        }
    }

    /// Makes class tables count the combinations of all sensitive values, regardless of the
    /// principles.
    pub fn look_at_all_sensitive_values(&mut self, table: &FrequencyTable) {
        if table.sensitive().len() != 1 || self.attributes.is_empty() {
            self.joint.get_or_insert_with(|| Joint::new(table));
        }
    }

    /// Returns the index of the histograms in class tables that count the combinations of all
    /// sensitive values.
    pub fn all_sensitive_values(&self) -> usize {
        if self.joint.is_some() { self.attributes.len() } else { 0 }
    }

    /// Returns all rows, if a principle compares classes with the released rows.
    pub fn all_rows(&self) -> Option<RemainingRows> {
        self.all_rows.clone().map(RemainingRows)
    }

    /// Returns the principles that compare classes with the released rows, prepared for the
    /// remaining rows.
    pub fn against(&self, remaining: &RemainingRows) -> Against<'_> {
        let entries: Vec<Vec<(u32, u64)>> = remaining
            .0
            .iter()
            .map(|rows| (0..).zip(rows.iter().copied()).filter(|(_, rows)| *rows > 0).collect())
            .collect();
        let of_attributes = self.attributes.iter().copied();
        let released =
            self.requirements.views(of_attributes.zip(entries.iter().map(Vec::as_slice)));
        let all = self.retained.iter().chain(&self.breakable);
        let against = all.filter_map(|judged| Some((judged, judged.principle.against(&released)?)));
        Against(against.collect())
    }

    /// Returns whether a class satisfies the principles that compare it with the currently released
    /// rows.
    pub fn holds_against(
        &self,
        against: &Against<'_>,
        rows: Rows<'_>,
        (contents, class): (&Contents, usize),
        buffers: &mut [Vec<(u32, u64)>],
    ) -> bool {
        let views = self.views_of_class(contents, class, buffers);
        let mut all = against.0.iter();
        all.all(|(judged, principle)| self.holds(&**principle, judged, rows, &views))
    }

    /// Returns the principles on populations, each with the index of its population.
    pub fn on_people(&self) -> impl Iterator<Item = (&dyn Principle, usize)> {
        self.breakable.iter().filter_map(|judged| Some((judged.principle, judged.population?)))
    }

    fn size_holds(&self, size: u64) -> bool {
        if size < self.smallest_size {
            return false;
        }
        match self.size_holds.get(size as usize) {
            Some(holds) => *holds,
            None => all_hold(&self.by_size, &ClassView::new(size, &[])),
        }
    }

    /// Evaluates a class from its entries for each of `attributes` and for `joint`.
    pub fn of_entries(&self, rows: Rows<'_>, entries: &[&[(u32, u64)]]) -> ClassVerdict {
        self.judge(rows, false, || self.views(entries.iter().copied()))
    }

    /// Evaluates a class. If `keeps` is set, all principles of `retained` are known to hold.
    pub fn of_class(
        &self,
        rows: Rows<'_>,
        (contents, class): (&Contents, usize),
        keeps: bool,
        buffers: &mut [Vec<(u32, u64)>],
    ) -> ClassVerdict {
        if keeps && self.breakable.is_empty() && self.preserves_sizes {
            return ClassVerdict { holds: true, keeps: true };
        }
        self.judge(rows, keeps, || self.views_of_class(contents, class, buffers))
    }

    fn judge<'b>(
        &'b self,
        rows: Rows<'_>,
        keeps: bool,
        views: impl FnOnce() -> Views<'b>,
    ) -> ClassVerdict {
        let size_holds = self.size_holds(rows.size);
        if !size_holds && self.preserves_sizes {
            return FAILS;
        }
        if self.retained.is_empty() && self.breakable.is_empty() {
            return ClassVerdict { holds: size_holds, keeps: true };
        }
        let views = views();
        let all_hold = |all: &[JudgedPrinciple<'_>]| {
            all.iter().all(|judged| self.holds(judged.principle, judged, rows, &views))
        };
        let keeps = keeps || all_hold(&self.retained);
        ClassVerdict { holds: keeps && size_holds && all_hold(&self.breakable), keeps }
    }

    fn views<'b>(&'b self, mut entries: impl Iterator<Item = &'b [(u32, u64)]>) -> Views<'b> {
        let of_attributes = self.attributes.iter().copied();
        let histograms = self.requirements.views(of_attributes.zip(&mut entries));
        Views { histograms, joint: entries.next().unwrap_or(&[]) }
    }

    fn views_of_class<'b>(
        &'b self,
        contents: &'b Contents,
        class: usize,
        buffers: &'b mut [Vec<(u32, u64)>],
    ) -> Views<'b> {
        let entries = contents.histograms.iter().zip(buffers);
        self.views(entries.map(move |(histograms, buffer)| histograms.entries(class, buffer)))
    }

    /// Returns whether a principle holds in a class, or in all parts of the class.
    fn holds(
        &self,
        principle: &dyn Principle,
        judged: &JudgedPrinciple<'_>,
        rows: Rows<'_>,
        views: &Views<'_>,
    ) -> bool {
        let population = judged.population.map(|at| rows.people[at]);
        let meets = |size: u64, histograms: &[Histogram<'_>]| {
            holds(principle, &ClassView { size, histograms, population })
        };
        match (&judged.division, &self.joint) {
            (Some(division), Some(joint)) => joint.all_parts(division, views.joint, |part| {
                let entries = part.entries.iter().map(Vec::as_slice).enumerate();
                meets(part.size, &self.requirements.views(entries))
            }),
            _ => meets(rows.size, &views.histograms),
        }
    }
}

/// The distinct combinations of sensitive values in a table.
#[derive(Debug)]
pub(super) struct Joint {
    /// The values of each combination; combinations are numbered in ascending order.
    combinations: Vec<Vec<u32>>,
    /// The combination of each tuple of the table.
    pub codes: Vec<u32>,
}

/// Divides classes by the values of all sensitive attributes except one.
#[derive(Debug)]
pub(super) struct Division {
    attribute: Option<usize>,
    /// The part of each combination.
    part_of: Vec<u32>,
}

/// The rows of a class that have equal values in all sensitive attributes except one.
#[derive(Debug)]
pub(super) struct Part {
    pub size: u64,
    /// The histogram entries of each sensitive attribute.
    pub entries: Vec<Vec<(u32, u64)>>,
}

impl Joint {
    pub fn new(table: &FrequencyTable) -> Self {
        let (combinations, codes) = combinations(table, None);
        Self { combinations, codes }
    }

    /// Returns the number of distinct combinations.
    pub fn len(&self) -> usize {
        self.combinations.len()
    }

    /// Returns the division by all attributes except the given one.
    pub fn division(&self, attribute: Option<usize>) -> Division {
        let others = |combination: &Vec<u32>| {
            let values = combination.iter().enumerate();
            let others = values.filter(|(at, _)| Some(*at) != attribute);
            others.map(|(_, value)| *value).collect::<Vec<u32>>()
        };
        let mut number: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        let part = |combination| {
            let next = number.len() as u32;
            *number.entry(others(combination)).or_insert(next)
        };
        Division { attribute, part_of: self.combinations.iter().map(part).collect() }
    }

    /// Returns whether `holds` returns true for all parts of a class, given the counts of the
    /// combinations of the class.
    pub fn all_parts(
        &self,
        division: &Division,
        entries: &[(u32, u64)],
        mut holds: impl FnMut(&Part) -> bool,
    ) -> bool {
        let mut cells = entries.to_vec();
        // Combinations are in ascending order, and so are the values of the attribute within a
        // part.
        cells.sort_unstable_by_key(|&(code, _)| (division.part_of[code as usize], code));
        let same = |a: &(u32, u64), b: &(u32, u64)| {
            division.part_of[a.0 as usize] == division.part_of[b.0 as usize]
        };
        cells.chunk_by(same).all(|cells| {
            let size = cells.iter().map(|cell| cell.1).sum();
            let shared = &self.combinations[cells[0].0 as usize];
            let of_attribute = |(at, &value): (usize, &u32)| match division.attribute {
                Some(attribute) if attribute == at => cells
                    .iter()
                    .map(|&(code, count)| (self.combinations[code as usize][at], count))
                    .collect(),
                _ => vec![(value, size)],
            };
            holds(&Part { size, entries: shared.iter().enumerate().map(of_attribute).collect() })
        })
    }
}

#[cfg(test)]
mod tests {
    use indistinct_core::Dictionary;
    use indistinct_core::model::CountedColumn;

    use super::*;

    #[test]
    fn parts_share_all_other_sensitive_values() {
        let column = |codes: &[u32]| CountedColumn {
            name: "s".to_owned(),
            dictionary: Dictionary::from_distinct(vec!["a".to_owned(), "b".to_owned()]).0,
            codes: codes.to_vec(),
        };
        let sensitive = vec![column(&[0, 0, 1, 1]), column(&[0, 1, 0, 1])];
        let table = FrequencyTable::new(Vec::new(), sensitive, vec![1; 4]).expect("valid");
        let joint = Joint::new(&table);
        assert_eq!((joint.len(), joint.codes.as_slice()), (4, [0, 1, 2, 3].as_slice()));
        let parts = |attribute| {
            let mut parts = Vec::new();
            let entries = [(0, 5), (1, 1), (2, 2)];
            assert!(joint.all_parts(&joint.division(attribute), &entries, |part| {
                parts.push((part.size, part.entries.clone()));
                true
            }));
            parts
        };
        assert_eq!(
            parts(Some(0)),
            [(7, vec![vec![(0, 5), (1, 2)], vec![(0, 7)]]), (1, vec![vec![(0, 1)], vec![(1, 1)]])]
        );
        assert_eq!(
            parts(Some(1)),
            [(6, vec![vec![(0, 6)], vec![(0, 5), (1, 1)]]), (2, vec![vec![(1, 2)], vec![(0, 2)]])]
        );
        assert_eq!(parts(None).len(), 3);
    }
}
