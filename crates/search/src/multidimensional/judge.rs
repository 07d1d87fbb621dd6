//! Evaluates all principles in a class or in its potential parts.

use indistinct_core::principle::{DependsOn, Merging, Subject};
use indistinct_core::{ClassView, FrequencyTable, Histogram, Principle, Requirement};

use crate::SearchError;
use crate::judge::{Requirements, combinations, holds};

/// The number of rows per sensitive value in a class: pairs (sensitive value, rows) in ascending
/// order, for all slots of the judge in one list.
pub(crate) type Tally = Vec<(u32, u64)>;

/// The input for principles: a sensitive attribute, or a sensitive attribute within equal values of
/// all other sensitive attributes.
#[derive(Debug, Clone)]
struct Slot {
    attribute: usize,
    /// The sensitive value of each tuple, numbered from 0.
    values: Vec<u32>,
    n_sensitive_values: usize,
    /// For each sensitive value, its code and the number of the combination of the other sensitive
    /// values; empty if the other values are ignored.
    parts: Vec<(u32, u32)>,
}

#[derive(Debug, Clone)]
struct JudgedPrinciple<'a> {
    principle: &'a dyn Principle,
    slot: Option<usize>,
}

/// The principles of a policy.
#[derive(Debug, Clone)]
pub(crate) struct Judge<'a> {
    /// The size below which every class violates a principle.
    pub smallest_size: u64,
    /// Whether the union of two classes that satisfy all principles satisfies them too.
    pub merging_keeps: bool,
    /// Whether a principle compares classes with all released rows, so suppression changes the
    /// level of other classes.
    pub depends_on_released: bool,
    /// The kind of the first principle that refers to a population, if any.
    pub on_population: Option<&'static str>,
    slots: Vec<Slot>,
    /// The slot that counts combinations of all sensitive values, if the objective depends on them.
    joint: Option<usize>,
    judged: Vec<JudgedPrinciple<'a>>,
    requirements: Requirements<'a>,
    counts: &'a [u64],
}

impl Slot {
    fn new(table: &FrequencyTable, attribute: usize, on_parts: bool) -> Self {
        let column = &table.sensitive()[attribute];
        if !on_parts {
            let n_sensitive_values = column.dictionary.len();
            return Self {
                attribute,
                values: column.codes.clone(),
                n_sensitive_values,
                parts: Vec::new(),
            };
        }
        let (_, numbers) = combinations(table, Some(attribute));
        let pairs: Vec<(u32, u32)> =
            numbers.iter().copied().zip(column.codes.iter().copied()).collect();
        let mut distinct = pairs.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let values = pairs
            .iter()
            .map(|pair| distinct.binary_search(pair).expect("the list contains every pair") as u32)
            .collect();
        let n_sensitive_values = distinct.len();
        let parts = distinct.into_iter().map(|(number, code)| (code, number)).collect();
        Self { attribute, values, n_sensitive_values, parts }
    }
}

impl<'a> Judge<'a> {
    pub fn new(table: &'a FrequencyTable, requirements: &'a [Requirement]) -> Self {
        let mut slots: Vec<(usize, bool)> = Vec::new();
        let mut judged = Vec::new();
        let requirements = Requirements::new(table, requirements);
        for requested in &requirements.each {
            let named = requested.attribute.filter(|_| requested.subject != Some(Subject::Class));
            let slot = named.map(|attribute| {
                let wanted = (attribute, requested.on_parts);
                slots.iter().position(|slot| *slot == wanted).unwrap_or_else(|| {
                    slots.push(wanted);
                    slots.len() - 1
                })
            });
            judged.push(JudgedPrinciple { principle: requested.principle, slot });
        }
        // Principles that depend only on the size come first.
        judged.sort_by_key(|judged| judged.slot);
        let counts_people =
            |principle: &dyn Principle| principle.depends_on() == DependsOn::Population;
        let on_population = requirements.each.iter().find(|one| counts_people(one.principle));
        Self {
            smallest_size: requirements.smallest_size.max(1),
            merging_keeps: requirements.are_preserved,
            depends_on_released: requirements.depend_on_released,
            on_population: on_population.map(|requested| requested.kind),
            slots: slots.into_iter().map(|(at, others)| Slot::new(table, at, others)).collect(),
            joint: None,
            judged,
            requirements,
            counts: table.counts(),
        }
    }

    /// Returns an evaluator that also requires classes of at least `smallest_size` rows.
    pub fn for_larger(&self, smallest_size: u64) -> Self {
        Self { smallest_size: smallest_size.max(self.smallest_size), ..self.clone() }
    }

    /// Returns an evaluator that also counts combinations of all sensitive values.
    pub fn with_joint(mut self, table: &FrequencyTable) -> Self {
        let attribute = match table.sensitive() {
            [] => return self,
            [_] => 0,
            _ => table.sensitive().len(),
        };
        let same = |slot: &Slot| slot.attribute == attribute && slot.parts.is_empty();
        self.joint = self.slots.iter().position(same).or_else(|| {
            let values = match table.sensitive() {
                [column] => column.codes.clone(),
                _ => combinations(table, None).1,
            };
            let n_sensitive_values = values.iter().max().map_or(0, |most| *most as usize + 1);
            self.slots.push(Slot { attribute, values, n_sensitive_values, parts: Vec::new() });
            Some(self.slots.len() - 1)
        });
        self
    }

    /// Returns the part of a tally that counts all sensitive values together; `None` if there is
    /// none.
    #[inline]
    pub fn joint<'b>(&self, tally: &'b Tally) -> Option<&'b [(u32, u64)]> {
        let slot = self.joint?;
        if self.slots.len() == 1 {
            return Some(tally);
        }
        let base = self.base(slot);
        let from = tally.partition_point(|entry| entry.0 < base);
        let to = tally.partition_point(|entry| entry.0 < base + self.n_sensitive_values(slot));
        Some(&tally[from..to])
    }

    /// Returns the key of a tuple in a tally of all sensitive values together.
    pub fn joint_sensitive_value(&self, tuple: u32) -> u32 {
        self.joint.map_or(0, |slot| self.base(slot) + self.slots[slot].values[tuple as usize])
    }

    /// Returns the number of the first sensitive value of a slot.
    fn base(&self, slot: usize) -> u32 {
        self.slots[..slot].iter().map(|slot| slot.n_sensitive_values as u32).sum()
    }

    /// Returns an error if a principle refers to a population, or if the union of two classes may
    /// violate a principle that both classes satisfy.
    pub fn check_merging(&self) -> Result<(), SearchError> {
        if let Some(kind) = self.on_population {
            return Err(SearchError::CountsPopulation { kind });
        }
        let broken = self.requirements.each.iter().find(|requested| !requested.is_preserved);
        match broken {
            Some(requested) => Err(SearchError::NotPreservedByMerging { kind: requested.kind }),
            None => Ok(()),
        }
    }

    /// Returns whether all principles ignore sensitive values.
    pub fn is_on_sizes(&self) -> bool {
        self.judged.iter().all(|judged| judged.slot.is_none())
    }

    pub fn rows(&self, tuple: u32) -> u64 {
        self.counts[tuple as usize]
    }

    pub fn n_slots(&self) -> usize {
        self.slots.len()
    }

    /// Returns the number of sensitive values of a slot.
    pub fn n_sensitive_values(&self, slot: usize) -> u32 {
        self.slots[slot].n_sensitive_values as u32
    }

    /// Returns whether there is exactly one principle and it is not evaluated on parts, so the
    /// assignment that it proposes satisfies the policy.
    pub fn is_alone(&self) -> bool {
        matches!(&self.judged[..], [judged] if judged.slot.is_none_or(|slot| self.slots[slot].parts.is_empty()))
    }

    /// Returns the sensitive value of each tuple in a slot.
    pub fn values(&self, slot: usize) -> &[u32] {
        &self.slots[slot].values
    }

    /// Adds some rows of a tuple to a tally.
    pub fn add(&self, tally: &mut Tally, tuple: u32, rows: u64) {
        let mut base = 0;
        for slot in &self.slots {
            let key = base + slot.values[tuple as usize];
            match tally.binary_search_by_key(&key, |entry| entry.0) {
                Ok(at) => tally[at].1 += rows,
                Err(at) => tally.insert(at, (key, rows)),
            }
            base += slot.n_sensitive_values as u32;
        }
    }

    /// Removes rows of a tuple from a tally.
    pub fn remove(&self, tally: &mut Tally, tuple: u32, rows: u64) {
        let mut base = 0;
        for slot in &self.slots {
            let key = base + slot.values[tuple as usize];
            let at = tally
                .binary_search_by_key(&key, |entry| entry.0)
                .expect("the rows were added earlier");
            tally[at].1 -= rows;
            if tally[at].1 == 0 {
                tally.remove(at);
            }
            base += slot.n_sensitive_values as u32;
        }
    }

    /// Returns the tally and the number of rows for the given tuples.
    pub fn tally(&self, tuples: &[u32]) -> (Tally, u64) {
        let mut tally: Tally = Vec::with_capacity(tuples.len() * self.slots.len());
        let mut base = 0;
        for slot in &self.slots {
            let value = |&tuple: &u32| (base + slot.values[tuple as usize], self.rows(tuple));
            tally.extend(tuples.iter().map(value));
            base += slot.n_sensitive_values as u32;
        }
        if base as usize <= tally.len() {
            return (counted(&tally, base), tuples.iter().map(|&tuple| self.rows(tuple)).sum());
        }
        if !tally.is_sorted_by_key(|entry| entry.0) {
            tally.sort_unstable_by_key(|entry| entry.0);
        }
        add_up(&mut tally);
        (tally, tuples.iter().map(|&tuple| self.rows(tuple)).sum())
    }

    /// Returns whether a class satisfies all principles.
    pub fn holds(&self, size: u64, tally: &[(u32, u64)]) -> bool {
        size >= self.smallest_size && self.all(size, tally, holds)
    }

    /// Returns whether, for each principle separately, a partition of the class is known in which
    /// all parts satisfy the principle.
    pub fn is_generalizable(&self, size: u64, tally: &[(u32, u64)]) -> bool {
        size >= self.smallest_size
            && self.all(size, tally, |principle, view| principle.partition(view).is_some())
    }

    /// Returns whether it is proved that no partition of the class satisfies the principles in all
    /// parts.
    pub fn is_ruled_out(&self, size: u64, tally: &[(u32, u64)]) -> bool {
        size < self.smallest_size
            || !self.all(size, tally, |principle, view| !principle.is_ruled_out(view))
    }

    /// Returns, in ascending order, the number of parts into which each principle would divide the
    /// class, and the slot that defines the order of the rows.
    pub fn assignments(&self, size: u64, tally: &[(u32, u64)]) -> Vec<(u64, usize)> {
        let mut assignments = Vec::new();
        for (at, judged) in self.judged.iter().enumerate() {
            let (Some(slot), Merging::MayBreak) = (judged.slot, judged.principle.merging()) else {
                continue;
            };
            let mut most = 1;
            self.each(at, size, tally, |principle, view| {
                most = most
                    .max(principle.partition(view).map_or(1, |assignment| assignment.n_buckets));
                true
            });
            if most > 1 {
                assignments.push((most, slot));
            }
        }
        assignments.sort_unstable();
        assignments.dedup();
        assignments
    }

    fn all(
        &self,
        size: u64,
        tally: &[(u32, u64)],
        holds: impl Fn(&dyn Principle, &ClassView<'_>) -> bool,
    ) -> bool {
        (0..self.judged.len()).all(|at| self.each(at, size, tally, &holds))
    }

    /// Evaluates `holds` for a principle on each of its views of a class: the class itself, or the
    /// part for each combination of the other sensitive values.
    fn each(
        &self,
        at: usize,
        size: u64,
        tally: &[(u32, u64)],
        mut holds: impl FnMut(&dyn Principle, &ClassView<'_>) -> bool,
    ) -> bool {
        let JudgedPrinciple { principle, slot } = &self.judged[at];
        let Some(slot) = *slot else {
            return holds(*principle, &ClassView::new(size, &[]));
        };
        let base: usize = self.slots[..slot].iter().map(|slot| slot.n_sensitive_values).sum();
        let Slot { attribute, n_sensitive_values, parts, .. } = &self.slots[slot];
        let entries = match self.slots.len() {
            1 => tally,
            _ => {
                let from = tally.partition_point(|entry| (entry.0 as usize) < base);
                let to =
                    tally.partition_point(|entry| (entry.0 as usize) < base + n_sensitive_values);
                &tally[from..to]
            }
        };
        let mut ask = |entries: &[(u32, u64)], size: u64| {
            if let Some(dictionary) = self.requirements.only_dictionary() {
                return holds(
                    *principle,
                    &ClassView::new(size, &[Histogram { entries, dictionary }]),
                );
            }
            let views = self.requirements.views([(*attribute, entries)]);
            holds(*principle, &ClassView::new(size, &views))
        };
        if base == 0 && parts.is_empty() {
            return ask(entries, size);
        }
        let value = |entry: &(u32, u64)| entry.0 as usize - base;
        if parts.is_empty() {
            let own: Tally = entries.iter().map(|entry| (value(entry) as u32, entry.1)).collect();
            return ask(&own, size);
        }
        entries.chunk_by(|a, b| parts[value(a)].1 == parts[value(b)].1).all(|part| {
            let own: Tally = part.iter().map(|entry| (parts[value(entry)].0, entry.1)).collect();
            ask(&own, own.iter().map(|entry| entry.1).sum())
        })
    }
}

/// Sums the rows of each of the `n` sensitive values.
fn counted(entries: &[(u32, u64)], n: u32) -> Tally {
    let mut rows = vec![0; n as usize];
    for &(value, count) in entries {
        rows[value as usize] += count;
    }
    (0..n).zip(rows).filter(|entry| entry.1 > 0).collect()
}

/// Sums adjacent entries of the same sensitive value.
pub(super) fn add_up(tally: &mut Tally) {
    tally.dedup_by(|next, retained| {
        let same = next.0 == retained.0;
        retained.1 += if same { next.1 } else { 0 };
        same
    });
}

/// Returns the tally of the union of two classes.
pub(super) fn merged(a: &[(u32, u64)], b: &[(u32, u64)]) -> Tally {
    let mut tally = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => {
                tally.push(a[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                tally.push(b[j]);
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                tally.push((a[i].0, a[i].1 + b[j].1));
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    tally.extend_from_slice(&a[i..]);
    tally.extend_from_slice(&b[j..]);
    tally
}
