//! The combinations of classes that a person can match.
//!
//! If the relevant combinations are known (those of people, or the exact combinations of an Anatomy
//! table linked with one other release) and the releases can be indexed, each combination is looked
//! up. Otherwise, the codes of each quasi-identifier are divided into segments that the remaining
//! regions do not distinguish. A segment retains the regions that contain it, and segments that
//! fewer than two releases cover are dropped immediately. Two regions that an earlier
//! quasi-identifier separates are never compared.

use std::hash::{Hash, Hasher};

use indistinct_core::{Observer, Phase};
use rustc_hash::{FxHashMap, FxHasher};

use super::Candidates;
use super::locate::{Locator, Regions};
use super::release::{Cover, PublishedRelease};
use crate::LinkageError;

/// The maximum number of (person, region) pairs that are compared directly.
const FEW: usize = 256;

/// Regions of one release that have the same cover of the current quasi-identifier.
struct Group<'a> {
    release: usize,
    cover: &'a Cover,
    regions: Vec<u32>,
}

/// Codes that no group distinguishes.
struct Segment {
    groups: Vec<u32>,
    first_code: u32,
    people: Vec<u32>,
}

struct Search<'a, 'b> {
    regions: Vec<Regions<'a>>,
    candidates: Candidates<'b>,
    found: Patterns,
    codes: Vec<u32>,
    fitting: FittingClasses,
    observer: &'b dyn Observer,
}

/// The number of lookups between two checks for cancellation.
pub(super) const TURN: usize = 4096;

/// Finds all combinations of classes, up to the given limits.
pub(super) fn patterns(
    releases: &[PublishedRelease],
    n_codes: &[u32],
    candidates: Candidates<'_>,
    limits: Limits,
    observer: &dyn Observer,
) -> Result<Patterns, LinkageError> {
    let n_attributes = n_codes.len();
    let regions: Vec<Regions<'_>> =
        releases.iter().map(|release| Regions::new(release, n_attributes, n_codes)).collect();
    let mut found = Patterns::new(releases.len(), n_attributes, limits);
    let is_looked_up = match candidates {
        Candidates::People { codes, people } => locators(&regions, n_codes)
            .map(|locators| look_up(&locators, codes, |at| people[at], &mut found, observer)),
        Candidates::Anybody if releases.len() == 2 => {
            locators(&regions, n_codes).and_then(|locators| {
                let points = locators.iter().filter_map(Locator::points).min_by_key(Vec::len)?;
                Some(look_up(&locators, &points, |_| 0, &mut found, observer))
            })
        }
        Candidates::Anybody => None,
    };
    if let Some(looked_up) = is_looked_up {
        return looked_up.map(|()| found);
    }
    let active: Vec<Vec<u32>> =
        regions.iter().map(|regions| (0..regions.class.len() as u32).collect()).collect();
    let people: Vec<u32> = match candidates {
        Candidates::People { people, .. } => (0..people.len() as u32).collect(),
        Candidates::Anybody => Vec::new(),
    };
    let mut search = Search {
        regions,
        candidates,
        found,
        codes: vec![0; n_attributes],
        fitting: FittingClasses::default(),
        observer,
    };
    search.divide(0, active, people)?;
    Ok(search.found)
}

fn locators(regions: &[Regions<'_>], n_codes: &[u32]) -> Option<Vec<Locator>> {
    regions.iter().map(|regions| Locator::new(regions, n_codes)).collect()
}

/// Looks up the patterns of the given combinations.
fn look_up(
    locators: &[Locator],
    codes: &[u32],
    people: impl Fn(usize) -> u64,
    found: &mut Patterns,
    observer: &dyn Observer,
) -> Result<(), LinkageError> {
    let mut fitting = FittingClasses::default();
    for (at, codes) in codes.chunks(found.n_attributes()).enumerate() {
        if at.is_multiple_of(TURN) {
            goes_on(observer)?;
        }
        fitting.clear();
        for locator in locators {
            locator.find(codes, &mut fitting.classes);
            fitting.close();
        }
        if fitting.n_covering() < 2 {
            found.n_not_linked += people(at);
        } else {
            found.add(&fitting, codes, people(at))?;
        }
    }
    Ok(())
}

fn goes_on(observer: &dyn Observer) -> Result<(), LinkageError> {
    if observer.is_cancelled() { Err(LinkageError::Cancelled) } else { Ok(()) }
}

impl<'a> Search<'a, '_> {
    fn n_attributes(&self) -> usize {
        self.codes.len()
    }

    fn person(&self, at: u32) -> (&[u32], u64) {
        match self.candidates {
            Candidates::People { codes, people } => {
                let n = self.n_attributes();
                let at = at as usize;
                (&codes[at * n..(at + 1) * n], people[at])
            }
            Candidates::Anybody => (&[], 0),
        }
    }

    fn count(&self, people: &[u32]) -> u64 {
        people.iter().map(|&at| self.person(at).1).sum()
    }

    fn divide(
        &mut self,
        attribute: usize,
        active: Vec<Vec<u32>>,
        people: Vec<u32>,
    ) -> Result<(), LinkageError> {
        goes_on(self.observer)?;
        let knows_people = matches!(self.candidates, Candidates::People { .. });
        if active.iter().filter(|regions| !regions.is_empty()).count() < 2 {
            self.found.n_not_linked += self.count(&people);
            return Ok(());
        }
        if attribute == self.n_attributes() {
            let codes = match people.first() {
                Some(&first) => self.person(first).0.to_vec(),
                None => self.codes.clone(),
            };
            let n_people = self.count(&people);
            return self.emit(&active, codes, n_people);
        }
        let n_active: usize = active.iter().map(Vec::len).sum();
        if knows_people && people.len() * n_active <= FEW {
            return people
                .into_iter()
                .try_for_each(|person| self.place(attribute, &active, person));
        }
        if !knows_people && n_active == 2 {
            return self.meet(attribute, &active);
        }
        let groups = self.groups(attribute, &active);
        for segment in self.segments(attribute, &groups, people) {
            if knows_people && segment.people.is_empty() {
                continue;
            }
            let mut within: Vec<Vec<u32>> = vec![Vec::new(); active.len()];
            for &group in &segment.groups {
                let group = &groups[group as usize];
                within[group.release].extend(&group.regions);
            }
            self.codes[attribute] = segment.first_code;
            self.divide(attribute + 1, within, segment.people)?;
        }
        Ok(())
    }

    /// Finds the pattern of one person if there are few regions.
    fn place(&mut self, from: usize, active: &[Vec<u32>], person: u32) -> Result<(), LinkageError> {
        let (codes, people) = self.person(person);
        let codes = codes.to_vec();
        let fits: Vec<Vec<u32>> = active
            .iter()
            .zip(&self.regions)
            .map(|(active, regions)| {
                active.iter().copied().filter(|&region| regions.has(region, &codes, from)).collect()
            })
            .collect();
        if fits.iter().filter(|regions| !regions.is_empty()).count() < 2 {
            self.found.n_not_linked += people;
            return Ok(());
        }
        self.emit(&fits, codes, people)
    }

    /// Finds the pattern of two regions, one in each of two releases.
    fn meet(&mut self, from: usize, active: &[Vec<u32>]) -> Result<(), LinkageError> {
        let mut codes = self.codes.clone();
        let present: Vec<(usize, u32)> = active
            .iter()
            .enumerate()
            .flat_map(|(release, regions)| regions.iter().map(move |&region| (release, region)))
            .collect();
        for (attribute, into) in codes.iter_mut().enumerate().skip(from) {
            let [a, b] = [present[0], present[1]]
                .map(|(release, region)| self.regions[release].cover(region, attribute));
            match a.first_common(b) {
                Some(code) => *into = code,
                None => return Ok(()),
            }
        }
        self.emit(active, codes, 0)
    }

    fn groups(&self, attribute: usize, active: &[Vec<u32>]) -> Vec<Group<'a>> {
        let mut groups = Vec::new();
        for (release, regions) in active.iter().enumerate() {
            let known = &self.regions[release];
            let mut by_cover: Vec<(u32, u32)> = regions
                .iter()
                .map(|&region| (known.cover_code(region, attribute), region))
                .collect();
            by_cover.sort_unstable();
            for same in by_cover.chunk_by(|a, b| a.0 == b.0) {
                groups.push(Group {
                    release,
                    cover: known.covers[attribute][same[0].0 as usize],
                    regions: same.iter().map(|entry| entry.1).collect(),
                });
            }
        }
        groups
    }

    /// Returns the segments in the order of their first codes.
    fn segments(
        &self,
        attribute: usize,
        groups: &[Group<'_>],
        mut people: Vec<u32>,
    ) -> Vec<Segment> {
        // The codes at which groups start and end.
        let mut events: Vec<(u32, u32)> = Vec::new();
        for (group, known) in groups.iter().enumerate() {
            known.cover.runs(|from, to| events.extend([(from, group as u32), (to, group as u32)]));
        }
        events.sort_unstable();
        let code_of = |at: &u32| self.person(*at).0[attribute];
        if matches!(self.candidates, Candidates::People { .. }) {
            people.sort_unstable_by_key(|at| (code_of(at), *at));
        }
        let mut people = people.into_iter().peekable();
        let mut segments: Vec<Segment> = Vec::new();
        let mut by_groups: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        let mut open: Vec<u32> = Vec::new();
        let mut nowhere = Segment { groups: Vec::new(), first_code: 0, people: Vec::new() };
        let mut at = 0;
        let mut code = 0;
        loop {
            let next = events.get(at).map_or(u32::MAX, |event| event.0);
            if next > code || at == events.len() {
                let mut here = Vec::new();
                while let Some(person) =
                    people.next_if(|person| code_of(person) < next || at == events.len())
                {
                    here.push(person);
                }
                if open.is_empty() {
                    nowhere.people.extend(here);
                } else {
                    let segment = *by_groups.entry(open.clone()).or_insert_with(|| {
                        let groups = open.clone();
                        segments.push(Segment { groups, first_code: code, people: Vec::new() });
                        segments.len() - 1
                    });
                    segments[segment].people.extend(here);
                }
            }
            if at == events.len() {
                break;
            }
            code = next;
            while let Some(&(_, group)) = events.get(at).filter(|event| event.0 == code) {
                match open.binary_search(&group) {
                    Ok(position) => drop(open.remove(position)),
                    Err(position) => open.insert(position, group),
                }
                at += 1;
            }
        }
        if !nowhere.people.is_empty() {
            segments.push(nowhere);
        }
        segments
    }

    fn emit(
        &mut self,
        active: &[Vec<u32>],
        codes: Vec<u32>,
        people: u64,
    ) -> Result<(), LinkageError> {
        self.fitting.clear();
        for (active, regions) in active.iter().zip(&self.regions) {
            let classes = active.iter().map(|&region| regions.class[region as usize]);
            self.fitting.classes.extend(classes);
            self.fitting.close();
        }
        self.found.add(&self.fitting, &codes, people)?;
        let n_found = self.found.len();
        if n_found.is_multiple_of(TURN) {
            self.observer.progress(Phase::Link, n_found as u64, 0);
        }
        Ok(())
    }
}

/// All patterns, in order of discovery.
#[derive(Debug)]
pub(super) struct Patterns {
    n_releases: usize,
    n_attributes: usize,
    limits: Limits,
    classes: Vec<u32>,
    /// The end of the list of classes for each pattern and release.
    ends: Vec<usize>,
    codes: Vec<u32>,
    people: Vec<u64>,
    /// The last pattern with each hash, and for each pattern the previous pattern with the same
    /// hash.
    by_hash: FxHashMap<u64, u32>,
    before: Vec<Option<u32>>,
    /// The number of people who are covered by fewer than two releases.
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

/// A combination of classes and the people who match it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pattern<'a> {
    all: &'a Patterns,
    at: usize,
}

/// The matching classes of each release. The classes of a release are in ascending order.
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

    /// Ends the list of classes of a release, and sorts and deduplicates this list.
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

    /// Returns the number of releases with a matching class.
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

    /// Returns the number of combinations.
    pub(super) fn len(&self) -> usize {
        self.people.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Pattern<'_>> {
        (0..self.people.len()).map(|at| Pattern { all: self, at })
    }

    /// Adds people to the pattern of their classes, and stores the quasi-identifiers of one of
    /// these people.
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
    /// Returns the matching classes of a release, in ascending order.
    pub(super) fn classes(&self, release: usize) -> &'a [u32] {
        let at = self.at * self.all.n_releases + release;
        let start = if at == 0 { 0 } else { self.all.ends[at - 1] };
        &self.all.classes[start..self.all.ends[at]]
    }

    /// Returns a combination of quasi-identifiers that all classes of the pattern contain.
    pub(super) fn codes(&self) -> &'a [u32] {
        let n = self.all.n_attributes;
        &self.all.codes[self.at * n..(self.at + 1) * n]
    }

    /// Returns the number of people in the pattern, or 0 if the people are unknown.
    pub(super) fn people(&self) -> u64 {
        self.all.people[self.at]
    }
}
