//! Evaluates all principles of a policy in a class.

use indistinct_core::principle::DependsOn;
use indistinct_core::{ClassView, FrequencyTable, Policy, Principle};

use crate::SearchError;
use crate::judge::{Requirements, holds};

/// The principles, adapted to the released rows.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    principles: Vec<JudgedPrinciple<'a>>,
    /// The sensitive attributes that any principle depends on.
    pub attributes: Vec<usize>,
    /// The size below which every class violates a principle.
    pub smallest_size: u64,
    /// Whether a principle depends on the released rows as a whole.
    pub depends_on_rows: bool,
    /// Whether the certifier requires less of each class than this evaluator.
    pub is_stricter: bool,
    requirements: Requirements<'a>,
}

#[derive(Debug)]
enum JudgedPrinciple<'a> {
    Borrowed(&'a dyn Principle),
    Rebuilt(Box<dyn Principle>),
}

impl JudgedPrinciple<'_> {
    fn get(&self) -> &dyn Principle {
        match self {
            JudgedPrinciple::Borrowed(principle) => *principle,
            JudgedPrinciple::Rebuilt(principle) => &**principle,
        }
    }
}

/// The number of rows with each value of each evaluated attribute.
#[derive(Debug, Clone)]
pub(crate) struct Counts {
    pub size: u64,
    /// For each evaluated attribute, pairs (code, count) with ascending codes and positive counts.
    by_attribute: Vec<Vec<(u32, u64)>>,
}

impl Counts {
    pub fn new(n_attributes: usize) -> Self {
        Self { size: 0, by_attribute: vec![Vec::new(); n_attributes] }
    }

    pub fn add(&mut self, codes: &[u32], rows: u64) {
        self.size += rows;
        for (entries, &code) in self.by_attribute.iter_mut().zip(codes) {
            match entries.binary_search_by_key(&code, |entry| entry.0) {
                Ok(at) => entries[at].1 += rows,
                Err(at) => entries.insert(at, (code, rows)),
            }
        }
    }

    /// Removes rows that were added earlier.
    pub fn remove(&mut self, codes: &[u32], rows: u64) {
        self.size -= rows;
        for (entries, &code) in self.by_attribute.iter_mut().zip(codes) {
            if let Ok(at) = entries.binary_search_by_key(&code, |entry| entry.0) {
                entries[at].1 -= rows;
                if entries[at].1 == 0 {
                    entries.remove(at);
                }
            }
        }
    }

    pub fn remove_all(&mut self, other: &Counts) {
        self.size -= other.size;
        for (entries, less) in self.by_attribute.iter_mut().zip(&other.by_attribute) {
            for &(code, rows) in less {
                if let Ok(at) = entries.binary_search_by_key(&code, |entry| entry.0) {
                    entries[at].1 -= rows;
                }
            }
            entries.retain(|entry| entry.1 > 0);
        }
    }

    pub fn add_all(&mut self, other: &Counts) {
        self.size += other.size;
        for (entries, more) in self.by_attribute.iter_mut().zip(&other.by_attribute) {
            for &(code, rows) in more {
                match entries.binary_search_by_key(&code, |entry| entry.0) {
                    Ok(at) => entries[at].1 += rows,
                    Err(at) => entries.insert(at, (code, rows)),
                }
            }
        }
    }
}

impl<'a> Judge<'a> {
    /// Creates an evaluator for searches that only support principles that are preserved when
    /// classes are merged.
    pub fn new(table: &'a FrequencyTable, policy: &'a Policy) -> Result<Self, SearchError> {
        let judge = Self::of_any(table, policy)?;
        match judge.requirements.each.iter().find(|requested| !requested.is_preserved) {
            Some(requested) => Err(SearchError::NotPreservedByMerging { kind: requested.kind }),
            None => Ok(judge),
        }
    }

    /// Creates an evaluator for all principles, including those that may fail when classes are
    /// merged.
    pub fn of_any(table: &'a FrequencyTable, policy: &'a Policy) -> Result<Self, SearchError> {
        let mut attributes = Vec::new();
        let mut principles = Vec::new();
        let requirements = Requirements::new(table, &policy.requirements);
        for requested in &requirements.each {
            let kind = requested.kind;
            if requested.principle.depends_on() == DependsOn::Population {
                return Err(SearchError::CountsPopulation { kind });
            }
            if requested.on_parts && table.sensitive().len() > 1 {
                return Err(SearchError::OthersNotServed { kind });
            }
            attributes.extend(requested.attributes());
            principles.push(JudgedPrinciple::Borrowed(requested.principle));
        }
        attributes.sort_unstable();
        attributes.dedup();
        Ok(Self {
            principles,
            attributes,
            smallest_size: requirements.smallest_size.max(1),
            depends_on_rows: requirements.depend_on_released,
            is_stricter: requirements.depend_on_classes,
            requirements,
        })
    }

    fn with_view<R>(&self, counts: &Counts, f: impl FnOnce(&ClassView<'_>) -> R) -> R {
        let entries = counts.by_attribute.iter().map(Vec::as_slice);
        let histograms = self.requirements.views(self.attributes.iter().copied().zip(entries));
        f(&ClassView::new(counts.size, &histograms))
    }

    /// Returns whether a class satisfies all principles. An empty class does not satisfy them.
    pub fn holds(&self, counts: &Counts) -> bool {
        counts.size >= self.smallest_size
            && self.with_view(counts, |view| {
                self.principles.iter().all(|principle| holds(principle.get(), view))
            })
    }

    /// Adapts the principles to the released rows.
    pub fn against(&mut self, released: &Counts) {
        let mut principles = std::mem::take(&mut self.principles);
        self.with_view(released, |view| {
            for held in &mut principles {
                if let Some(rebuilt) = held.get().against(view.histograms) {
                    *held = JudgedPrinciple::Rebuilt(rebuilt);
                }
            }
        });
        self.principles = principles;
    }

    /// Returns whether class `a` is closer to satisfying the principles than class `b`; the first
    /// principle in which their severity differs decides.
    pub fn is_better(&self, a: &Counts, b: &Counts) -> bool {
        let order = self.with_view(a, |a| {
            self.with_view(b, |b| {
                let of = |principle: &dyn Principle| {
                    let (a, b) = (principle.of_class(a), principle.of_class(b));
                    a.severity(&b, principle.bounds())
                };
                let mut orders = self.principles.iter().map(|principle| of(principle.get()));
                orders.find(|order| order.is_ne())
            })
        });
        order.is_some_and(|order| order.is_gt())
    }
}
