//! # Partition into regions of the hierarchies
//!
//! **Definition.** A region has one label for each quasi-identifier. The first region has the
//! labels of the highest levels. A region is divided by the labels below its label of one
//! attribute if each part that contains rows remains large enough and no random refusal prevents
//! it. A class consists of the rows in a region that is not divided. The class is released with the
//! labels of the region; they are never narrowed to the values of the rows.
//! **Formula.** A part with n > 0 rows is large enough if min(n, n + X) is at least the size below
//! which every class violates a principle. X is drawn from the two-sided geometric distribution
//! P(X = x) proportional to exp(-|x|). Because of the minimum with n, every class satisfies the
//! principles with certainty. If some label below the region's label has no rows, the division is
//! also refused with probability r = 1 / [`Partition::refuses_one_in`]. If the hierarchy does not
//! list its values, some label without rows may always exist.
//! **Order.** The attributes are examined in the given order, again and again, until no attribute
//! divides the region. Each examination draws new noise. After [`Partition::most_refusals`]
//! examinations that did not divide a label, the label is not examined again in this region or in
//! its parts.
//! **Theorem.** Let the principles concern only the number of rows of a class. Let two tables
//! differ in one attribute of one row, and let both values be below the label ℓ of the row's class.
//! If r is at most 1 / (1 + e) and the maximum number of examinations is m, the probabilities of
//! the same regions differ at most by the factor r^(-m). Proof: only examinations of ℓ in regions
//! that contain the row depend on the difference. None of them divides the region, and there are at
//! most m. Let x and y be the two tables, and consider such an examination. If some label below ℓ
//! has no rows in y, y refuses with probability at least r. If a part of y is too small, y refuses
//! with certainty. Otherwise, each part of y is large enough without noise, and at most one part is
//! larger in y than in x, by one row. If this part is too small in x, it has exactly the minimum
//! size in y, which noise rejects with probability 1 / (1 + e). Otherwise, the probability that
//! noise rejects the part decreases at most by the factor e with one more row, and the other parts
//! do not become larger. So y refuses with at least r times the probability of x
//! (test `probabilities_of_regions_differ_by_a_bounded_factor`).
//! **Supports.** Principles that merging preserves, and minimum levels. A policy may only contain
//! principles on the number of rows, because the theorem concerns only these. The first region
//! ignores maximum levels. No row is suppressed: if the whole table violates a principle, the
//! search finds no recoding.
//! **Objective.** None: the order ignores the objective.
//! **Stopping.** The remaining regions are not divided.
//! **Complexity.** O(tuples * attributes * levels of all attributes) time.
//! **Errors.** [`SearchError`].
//! **Does not protect against.** Threats that the principles do not cover. The theorem concerns one
//! row and values below a label. It does not limit what the divisions disclose about several rows,
//! or about whether a label above the minimum size has rows.
//! **Source.** Downcoding: Cohen, USENIX Security 2022. The method is new.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::{Cell, Hierarchy, Nearest, Observer, Part, Phase, Recoding};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rustc_hash::FxHashMap;

use crate::multidimensional::judge::Judge;
use crate::stop::Stop;
use crate::{FoundRecoding, NotFound, Outcome, Problem, Search, SearchError, released};

/// The probability exp(-1) as a fraction of 2^64.
const CONTINUES: u64 = 6_786_177_901_268_885_274;

/// Divides the table into regions of the hierarchies, on one thread.
#[derive(Clone)]
pub struct Partition {
    /// The indices of the quasi-identifiers, in the order in which they divide a region.
    pub order: Vec<usize>,
    /// The secret key of the noise.
    pub key: [u8; 32],
    /// One of this many divisions is refused at random if a label below that of the region may have
    /// no rows.
    pub refuses_one_in: u64,
    /// The number of examinations after which a label is not examined again.
    pub most_refusals: u8,
    /// For each quasi-identifier, whether values may be missing.
    pub may_be_missing: Vec<bool>,
}

impl std::fmt::Debug for Partition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Omit the key, which is secret.
        f.debug_struct("Partition").field("order", &self.order).finish_non_exhaustive()
    }
}

/// A region, given by its tuples and the level of its label for each attribute.
struct Region {
    tuples: Vec<u32>,
    levels: Vec<usize>,
    /// For each attribute, the number of examinations that did not divide the label.
    refusals: Vec<u8>,
    /// The position in the order of the attribute to examine next.
    next: usize,
}

impl Search for Partition {
    type Proposal = Recoding;
    type Nearest = Nearest;

    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Recoding>, SearchError> {
        problem.check()?;
        let judge = Judge::new(problem.table, &problem.policy.requirements);
        judge.check_merging()?;
        let hierarchies = &problem.policy.hierarchies;
        let levels: Vec<usize> = hierarchies.iter().map(|it| it.n_levels() - 1).collect();
        let tuples: Vec<u32> = (0u32..).take(problem.table.n_tuples()).collect();
        let mut dividing = Dividing {
            problem,
            judge: &judge,
            search: self,
            ambiguous: hierarchies.iter().map(ambiguous).collect(),
            n_below: FxHashMap::default(),
            random: ChaCha20Rng::from_seed(self.key),
        };
        if !tuples.is_empty() && !dividing.holds(&tuples) {
            let nearest = Nearest::new(levels, problem.table.n_rows(), None);
            return Ok(Outcome::NotFound(NotFound::new(nearest, true)));
        }
        let stop = Stop::new(observer, problem.time_limit);
        let refusals = vec![0; levels.len()];
        let mut open = vec![Region { tuples, levels, refusals, next: 0 }];
        let mut classes = Vec::new();
        open.retain(|region| !region.tuples.is_empty());
        while let Some(region) = open.pop() {
            if observer.is_cancelled() {
                return Err(SearchError::Cancelled);
            }
            observer.progress(Phase::Search, classes.len() as u64, 0);
            let order = if stop.is_over() { &[][..] } else { &self.order[..] };
            match dividing.divide(region, order) {
                Err(class) => classes.push(class),
                Ok(parts) => open.extend(parts),
            }
        }
        let recoding = recoding(problem, &classes);
        Ok(Outcome::Found(Box::new(FoundRecoding::new(
            recoding,
            stop.optimality(),
            0,
            classes.len(),
        ))))
    }
}

/// Returns the labels that occur more than once in a hierarchy with different values below them. A
/// released label of this kind would not identify its region.
fn ambiguous(hierarchy: &Hierarchy) -> BTreeSet<&str> {
    let mut known: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    let mut ambiguous = BTreeSet::new();
    for level in (0..hierarchy.n_levels()).map(|at| hierarchy.level(at)) {
        let mut codes: Vec<Vec<u32>> = vec![Vec::new(); level.labels.len()];
        for (code, &label) in (0u32..).zip(&level.map) {
            codes[label as usize].push(code);
        }
        for (label, codes) in level.labels.iter().zip(codes) {
            if known.get(label.as_str()).is_some_and(|other| *other != codes) {
                ambiguous.insert(label.as_str());
            }
            known.insert(label, codes);
        }
    }
    ambiguous
}

struct Dividing<'a> {
    problem: &'a Problem<'a>,
    judge: &'a Judge<'a>,
    search: &'a Partition,
    ambiguous: Vec<BTreeSet<&'a str>>,
    /// The number of listed labels at a level below a label of an attribute.
    n_below: FxHashMap<(usize, usize, usize, u32), usize>,
    random: ChaCha20Rng,
}

/// The labels that would divide a region.
struct Parts {
    level: usize,
    /// The number of rows with each label.
    sizes: BTreeMap<u32, u64>,
    /// Whether each label identifies its region.
    are_clear: bool,
    /// Whether a label below that of the region may have no rows.
    may_lack_label: bool,
}

impl Dividing<'_> {
    fn label(&self, at: usize, level: usize, tuple: u32) -> u32 {
        let code = self.problem.table.quasi_identifiers()[at].codes[tuple as usize];
        self.problem.policy.hierarchies[at].level(level).map[code as usize]
    }

    fn holds(&self, tuples: &[u32]) -> bool {
        let (tally, size) = self.judge.tally(tuples);
        self.judge.holds(size, &tally)
    }

    /// Returns whether a part with this number of rows is large enough despite the noise.
    fn is_large_enough(&mut self, n_rows: u64) -> bool {
        let noise = self.geometric() - self.geometric();
        i128::from(n_rows) + noise.min(0) >= i128::from(self.judge.smallest_size)
    }

    /// Draws the number of successes before the first failure.
    fn geometric(&mut self) -> i128 {
        let mut n = 0;
        while self.random.next_u64() < CONTINUES {
            n += 1;
        }
        n
    }

    /// Returns whether noise and random refusals permit a division.
    fn permits(&mut self, parts: &Parts) -> bool {
        let is_refused = self.random.next_u64() < u64::MAX / self.search.refuses_one_in;
        // Every part draws noise, so the draws do not depend on earlier results.
        let n_too_small = parts.sizes.values().filter(|it| !self.is_large_enough(**it)).count();
        parts.are_clear && n_too_small == 0 && !(is_refused && parts.may_lack_label)
    }

    /// Divides a region by the first attribute in the order, starting with the region's next one,
    /// that permits it. The error is a region that no attribute divides.
    fn divide(&mut self, mut region: Region, order: &[usize]) -> Result<Vec<Region>, Region> {
        for step in region.next..region.next + order.len() {
            let at = order[step % order.len()];
            if region.refusals[at] >= self.search.most_refusals {
                continue;
            }
            let Some(found) = self.parts(&region, at) else { continue };
            let level = found.level;
            region.refusals[at] += 1;
            if !self.permits(&found) {
                continue;
            }
            let mut parts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for &tuple in &region.tuples {
                parts.entry(self.label(at, level, tuple)).or_default().push(tuple);
            }
            if !parts.values().all(|tuples| self.holds(tuples)) {
                continue;
            }
            let Region { mut levels, mut refusals, .. } = region;
            levels[at] = level;
            refusals[at] = 0;
            let next = (step + 1) % order.len();
            let part = |tuples| {
                let (levels, refusals) = (levels.clone(), refusals.clone());
                Region { tuples, levels, refusals, next }
            };
            return Ok(parts.into_values().map(part).collect());
        }
        Err(region)
    }

    /// Returns the labels of an attribute at the next lower level that has other labels; `None` if
    /// there is no such level.
    fn parts(&mut self, region: &Region, at: usize) -> Option<Parts> {
        let hierarchy = &self.problem.policy.hierarchies[at];
        let (first, upper) = (region.tuples[0], region.levels[at]);
        let text =
            |level: usize, label: u32| hierarchy.level(level).labels[label as usize].as_str();
        let own_label = self.label(at, upper, first);
        let own = text(upper, own_label);
        let mut may_lack_label = false;
        for level in (*self.problem.bounds[at].start()..upper).rev() {
            let mut sizes: BTreeMap<u32, u64> = BTreeMap::new();
            for &tuple in &region.tuples {
                *sizes.entry(self.label(at, level, tuple)).or_default() += self.judge.rows(tuple);
            }
            if sizes.len() == 1 && text(level, self.label(at, level, first)) == own {
                may_lack_label = true;
                continue;
            }
            let is_clear = |&label: &u32| {
                text(level, label) != own && !self.ambiguous[at].contains(text(level, label))
            };
            let are_clear = sizes.keys().all(is_clear);
            let n_below = self.n_below(at, upper, level, own_label);
            may_lack_label |= n_below.is_none_or(|n_below| n_below > sizes.len());
            return Some(Parts { level, sizes, are_clear, may_lack_label });
        }
        None
    }

    /// Returns the number of labels at a level below a label, or `None` if the hierarchy does not
    /// list its values. A missing value counts as one more label below the highest labels.
    fn n_below(&mut self, at: usize, upper: usize, lower: usize, label: u32) -> Option<usize> {
        let hierarchy = &self.problem.policy.hierarchies[at];
        if !hierarchy.lists_domain() {
            return None;
        }
        let text = &hierarchy.level(upper).labels[label as usize];
        let may_be_missing = self.search.may_be_missing[at] && upper + 1 == hierarchy.n_levels();
        let n_listed = *self.n_below.entry((at, upper, lower, label)).or_insert_with(|| {
            let [high, low] = [upper, lower].map(|level| hierarchy.domain_level(level));
            let listed = high.map.iter().zip(&low.map).take(hierarchy.n_listed());
            let below =
                listed.filter(|(high_label, _)| high.labels[**high_label as usize] == *text);
            below.map(|(_, low_label)| low_label).collect::<BTreeSet<_>>().len()
        });
        Some(n_listed + usize::from(may_be_missing))
    }
}

/// Creates the recoding in which each region is a class with the labels of the region.
fn recoding(problem: &Problem<'_>, classes: &[Region]) -> Recoding {
    let table = problem.table;
    let mut class_of = vec![0; table.n_tuples()];
    for (class, region) in (0u32..).zip(classes) {
        region.tuples.iter().for_each(|&tuple| class_of[tuple as usize] = class);
    }
    let cells = classes.iter().map(|region| {
        let first = region.tuples[0] as usize;
        let columns = table.quasi_identifiers().iter().zip(&problem.policy.hierarchies);
        let cells = columns.zip(&region.levels).map(|((column, hierarchy), &level)| {
            let label = hierarchy.level(level).map[column.codes[first] as usize];
            Cell::Label { level, label }
        });
        cells.collect::<Vec<Cell>>()
    });
    let entries = (0u32..).zip(table.counts()).zip(&class_of);
    let entries = entries.map(|((tuple, &rows), &class)| (Part { tuple, rows }, Some(class)));
    released::recoding(table, entries, cells.collect())
}

#[cfg(test)]
mod tests;
