//! Storage for the distinct combinations of classes, in contiguous arrays.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use crate::LinkageError;

/// All patterns, in order of discovery.
#[derive(Debug)]
pub(super) struct Patterns {
    n_releases: usize,
    n_attributes: usize,
    limits: Limits,
    classes: Vec<u32>,
    /// The end of the classes of each pattern and release.
    ends: Vec<usize>,
    codes: Vec<u32>,
    people: Vec<u64>,
    /// The last pattern with each hash, and for each pattern the previous pattern with the same
    /// hash.
    by_hash: FxHashMap<u64, u32>,
    before: Vec<Option<u32>>,
    /// The number of people whom fewer than two releases cover.
    pub n_not_linked: u64,
}

/// Limits on the computation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// The maximum number of combinations of classes.
    pub n_patterns: usize,
    /// The maximum total number of classes in all combinations.
    pub n_fits: usize,
}

/// A distinct combination of classes, with the people who match it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pattern<'a> {
    all: &'a Patterns,
    at: usize,
}

/// The matching classes of each release, in ascending order.
#[derive(Debug, Clone, Default)]
pub(super) struct FittingClasses {
    pub classes: Vec<u32>,
    pub ends: Vec<usize>,
}

impl FittingClasses {
    pub(super) fn clear(&mut self) {
        self.classes.clear();
        self.ends.clear();
    }

    /// Ends the list of a release, and sorts and deduplicates its classes.
    pub(super) fn close(&mut self) {
        let start = self.ends.last().copied().unwrap_or(0);
        self.classes[start..].sort_unstable();
        let mut end = start;
        for at in start..self.classes.len() {
            if at == start || self.classes[at] != self.classes[end - 1] {
                self.classes[end] = self.classes[at];
                end += 1;
            }
        }
        self.classes.truncate(end);
        self.ends.push(end);
    }

    /// The number of releases with a matching class.
    pub(super) fn n_covering(&self) -> usize {
        let start = |at: usize| if at == 0 { 0 } else { self.ends[at - 1] };
        (0..self.ends.len()).filter(|&at| start(at) < self.ends[at]).count()
    }
}

impl Patterns {
    pub(super) fn new(n_releases: usize, n_attributes: usize, limits: Limits) -> Self {
        Self {
            n_releases,
            n_attributes,
            limits,
            classes: Vec::new(),
            ends: Vec::new(),
            codes: Vec::new(),
            people: Vec::new(),
            by_hash: FxHashMap::default(),
            before: Vec::new(),
            n_not_linked: 0,
        }
    }

    pub(super) fn n_attributes(&self) -> usize {
        self.n_attributes
    }

    /// The number of combinations.
    pub(super) fn len(&self) -> usize {
        self.people.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Pattern<'_>> {
        (0..self.people.len()).map(|at| Pattern { all: self, at })
    }

    /// Adds people to the pattern of their classes, with the quasi-identifiers of one of them.
    pub(super) fn add(
        &mut self,
        fitting: &FittingClasses,
        codes: &[u32],
        people: u64,
    ) -> Result<(), LinkageError> {
        let mut hasher = FxHasher::default();
        (&fitting.ends, &fitting.classes).hash(&mut hasher);
        let hash = hasher.finish();
        let last = self.by_hash.get(&hash).copied();
        let mut known = last;
        while let Some(at) = known {
            if self.is(at as usize, fitting) {
                self.people[at as usize] += people;
                return Ok(());
            }
            known = self.before[at as usize];
        }
        let Limits { n_patterns, n_fits } = self.limits;
        if self.people.len() == n_patterns {
            return Err(LinkageError::TooManyPatterns { limit: n_patterns });
        }
        if self.classes.len() + fitting.classes.len() > n_fits {
            return Err(LinkageError::TooManyFits { limit: n_fits });
        }
        self.by_hash.insert(hash, self.people.len() as u32);
        self.before.push(last);
        let start = self.classes.len();
        self.classes.extend(&fitting.classes);
        self.ends.extend(fitting.ends.iter().map(|end| start + end));
        self.codes.extend(codes);
        self.people.push(people);
        Ok(())
    }

    fn start(&self, pattern: usize) -> usize {
        match pattern {
            0 => 0,
            _ => self.ends[pattern * self.n_releases - 1],
        }
    }

    fn is(&self, pattern: usize, fitting: &FittingClasses) -> bool {
        let start = self.start(pattern);
        let ends = &self.ends[pattern * self.n_releases..(pattern + 1) * self.n_releases];
        ends.iter().zip(&fitting.ends).all(|(end, other)| end - start == *other)
            && self.classes[start..start + fitting.classes.len()] == fitting.classes[..]
    }
}

impl<'a> Pattern<'a> {
    /// The matching classes of a release, in ascending order.
    pub(super) fn classes(&self, release: usize) -> &'a [u32] {
        let at = self.at * self.all.n_releases + release;
        let start = if at == 0 { 0 } else { self.all.ends[at - 1] };
        &self.all.classes[start..self.all.ends[at]]
    }

    /// A combination of quasi-identifiers in all classes of the pattern.
    pub(super) fn codes(&self) -> &'a [u32] {
        let n = self.all.n_attributes;
        &self.all.codes[self.at * n..(self.at + 1) * n]
    }

    /// The number of people; 0 if the people are unknown.
    pub(super) fn people(&self) -> u64 {
        self.all.people[self.at]
    }
}
