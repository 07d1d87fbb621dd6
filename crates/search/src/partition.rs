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
mod tests {
    use std::time::Duration;

    use indistinct_core::hierarchy::HierarchyLevel;
    use indistinct_core::model::CountedColumn;
    use indistinct_core::principle::{Context, k_anonymity};
    use indistinct_core::recoding::ClassColumn;
    use indistinct_core::{
        Classes, Dictionary, FrequencyTable, Generalization, Optimality, Others, Policy, Rational,
        Requirement, Silent, SuppressionRule,
    };

    use super::*;

    const VALUES: u32 = 8;

    /// A binary tree over eight values, with the labels `first-last`.
    fn tree(n_values: usize) -> Hierarchy {
        let levels = (0..4).map(|level| {
            let width = 1u32 << level;
            let label = |at: u32| match level {
                0 => at.to_string(),
                3 => "*".to_owned(),
                _ => format!("{}-{}", at * width, (at + 1) * width - 1),
            };
            HierarchyLevel {
                map: (0..n_values as u32).map(|code| code / width).collect(),
                labels: (0..VALUES / width).map(label).collect(),
                covered: vec![u64::from(width); (VALUES / width) as usize],
            }
        });
        Hierarchy::new(levels.collect(), u64::from(VALUES)).expect("the levels are nested")
    }

    /// The same tree, if the rule lists its values.
    fn listed_tree() -> Hierarchy {
        let tree = tree(VALUES as usize);
        let levels = (0..tree.n_levels()).map(|level| tree.level(level).clone()).collect();
        let positions: Vec<u32> = (0..VALUES).collect();
        Hierarchy::with_domain(levels, VALUES as usize, &positions).expect("the levels are nested")
    }

    fn table(rows: &[[u32; 2]]) -> FrequencyTable {
        let values = (0..VALUES).map(|value| value.to_string()).collect();
        let (dictionary, _) = Dictionary::from_distinct(values);
        let column = |at: usize| CountedColumn {
            name: ["a", "b"][at].to_owned(),
            dictionary: dictionary.clone(),
            codes: rows.iter().map(|row| row[at]).collect(),
        };
        FrequencyTable::new(vec![column(0), column(1)], Vec::new(), vec![1; rows.len()])
            .expect("columns of equal length")
    }

    fn policy(table: &FrequencyTable, k: u64) -> Policy {
        let (kind, parameters) = k_anonymity(k);
        let requirement =
            Requirement::new(kind, &Context::new(table, None), parameters, Others::Ignored);
        Policy {
            hierarchies: vec![tree(VALUES as usize); 2],
            requirements: vec![requirement.expect("a valid parameter")],
            suppression_limit: Rational::from_integer(0),
            suppressed: SuppressionRule::Dropped,
            published: ClassColumn::Absent,
        }
    }

    fn search(order: Vec<usize>, key: u32) -> Partition {
        let may_be_missing = vec![false; 2];
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&key.to_le_bytes());
        Partition { order, key: bytes, refuses_one_in: 5, most_refusals: 3, may_be_missing }
    }

    fn found(table: &FrequencyTable, k: u64, key: u32) -> Option<Classes> {
        found_with(table, &policy(table, k), key)
    }

    fn found_with(table: &FrequencyTable, policy: &Policy, key: u32) -> Option<Classes> {
        let search = search(vec![1, 0], key);
        let outcome = search.search(&Problem::new(table, policy), &Silent).expect("supported");
        match outcome.found().ok()?.proposal.generalization {
            Generalization::Classes(classes) => Some(classes),
            Generalization::FullDomain { .. } => panic!("regions are classes"),
        }
    }

    /// Returns the values that a cell covers: from the first up to the last, exclusive.
    fn span(cell: &Cell) -> (u32, u32) {
        let Cell::Label { level, label } = cell else { panic!("a region has labels") };
        (label << level, (label + 1) << level)
    }

    /// Returns rows with skewed values and the number of rows with each combination.
    fn drawn(random: &mut ChaCha20Rng, n_rows: u32) -> (Vec<[u32; 2]>, Vec<u64>) {
        let mut counts: BTreeMap<[u32; 2], u64> = BTreeMap::new();
        for _ in 0..n_rows {
            let row = [(); 2].map(|()| random.next_u32() % VALUES * (random.next_u32() % 4) / 3);
            *counts.entry(row).or_default() += 1;
        }
        counts.into_iter().unzip()
    }

    fn counted(rows: &[[u32; 2]], counts: &[u64]) -> FrequencyTable {
        let columns = table(rows).quasi_identifiers().to_vec();
        FrequencyTable::new(columns, Vec::new(), counts.to_vec()).expect("the same columns")
    }

    #[test]
    fn regions_are_disjoint_large_enough_and_cover_their_rows() {
        let mut random = ChaCha20Rng::seed_from_u64(7);
        let mut n_divided = 0;
        for turn in 0..300u32 {
            let (rows, counts) = drawn(&mut random, 20 + turn % 60);
            let k = u64::from(turn % 6 + 1);
            let classes = found(&counted(&rows, &counts), k, turn).expect("enough rows");
            let n = classes.cells.n_classes();
            n_divided += usize::from(n > 1);
            let spans: Vec<Vec<(u32, u32)>> =
                (0..n).map(|class| classes.cells.of_class(class).map(span).collect()).collect();
            let mut sizes = vec![0; n];
            for ((row, &class), count) in rows.iter().zip(&classes.class_of).zip(&counts) {
                sizes[class as usize] += count;
                for (value, span) in row.iter().zip(&spans[class as usize]) {
                    assert!((span.0..span.1).contains(value), "{row:?} {span:?}");
                }
            }
            assert!(sizes.iter().all(|size| *size >= k), "{sizes:?}");
            for (at, one) in spans.iter().enumerate() {
                for other in &spans[..at] {
                    let overlap = one.iter().zip(other).all(|(a, b)| a.0 < b.1 && b.0 < a.1);
                    assert!(!overlap, "{one:?} {other:?}");
                }
            }
        }
        assert!(n_divided > 200, "{n_divided}");
    }

    /// Returns all partitions of the rows into regions that divisions can produce: the region
    /// itself, or the products of the partitions of its parts with at least `k` rows each. The
    /// hierarchies are binary, so the parts of an interval are its halves.
    fn reachable(rows: &[([u32; 2], u64)], spans: [(u32, u32); 2], k: u64) -> Partitions {
        let mut all = Partitions::from([BTreeSet::from([spans])]);
        for at in 0..2 {
            let (first, end) = spans[at];
            if end - first == 1 {
                continue;
            }
            let middle = first.midpoint(end);
            let mut products = Partitions::from([BTreeSet::new()]);
            for half in [(first, middle), (middle, end)] {
                let inside = |row: &&([u32; 2], u64)| (half.0..half.1).contains(&row.0[at]);
                let part: Vec<_> = rows.iter().filter(inside).copied().collect();
                if part.is_empty() {
                    continue;
                }
                let mut below = Partitions::new();
                if part.iter().map(|row| row.1).sum::<u64>() >= k {
                    let mut spans = spans;
                    spans[at] = half;
                    below = reachable(&part, spans, k);
                }
                products = products
                    .iter()
                    .flat_map(|one| below.iter().map(move |other| one | other))
                    .collect();
            }
            all.extend(products);
        }
        all
    }

    type Partitions = BTreeSet<Regions>;

    #[test]
    fn regions_are_reachable_in_an_enumeration_of_all_divisions() {
        let mut random = ChaCha20Rng::seed_from_u64(11);
        let mut n_distinct = BTreeSet::new();
        for turn in 0..200u32 {
            let (rows, counts) = drawn(&mut random, 3 + turn % 8);
            let k = u64::from(turn % 3 + 1);
            let classes = found(&counted(&rows, &counts), k, turn).expect("enough rows");
            let cells = &classes.cells;
            let regions: BTreeSet<[(u32, u32); 2]> = (0..cells.n_classes())
                .map(|class| cells.of_class(class).map(span).collect::<Vec<_>>())
                .map(|spans| [spans[0], spans[1]])
                .collect();
            let rows: Vec<([u32; 2], u64)> = rows.into_iter().zip(counts).collect();
            let all = reachable(&rows, [(0, VALUES); 2], k);
            assert!(all.contains(&regions), "{regions:?} {rows:?}");
            n_distinct.insert(regions);
        }
        assert!(n_distinct.len() > 20, "{}", n_distinct.len());
    }

    #[test]
    fn noise_prevents_divisions_at_the_limit() {
        let rows: Vec<[u32; 2]> = (0..8).map(|at| [at, 0]).collect();
        let table = table(&rows);
        let is_divided = |key: &u32| {
            let classes = found(&table, 4, *key).expect("eight rows");
            classes.cells.n_classes() == 2
        };
        // Both halves of `a` have exactly four rows, and the single value of `b` is divided first.
        let n_divided = (0..100).filter(is_divided).count();
        assert!((50..95).contains(&n_divided), "{n_divided}");
        assert!(found(&table, 9, 0).is_none());
    }

    /// The regions of a partition, as spans of both attributes.
    type Regions = BTreeSet<[(u32, u32); 2]>;

    /// Computes the probability of each partition from the definition, for the binary tree.
    struct Exact {
        k: u64,
        is_listed: bool,
    }

    impl Exact {
        /// Returns the probability that a part with rows is large enough.
        fn is_large_enough(&self, n_rows: usize) -> f64 {
            let q = (-1.0f64).exp();
            match (n_rows as u64).checked_sub(self.k) {
                None => 0.0,
                Some(above) => 1.0 - q.powi(above as i32 + 1) / (1.0 + q),
            }
        }

        fn probabilities(
            &self,
            rows: &[[u32; 2]],
            spans: [(u32, u32); 2],
            mut refusals: [u32; 2],
            next: usize,
        ) -> BTreeMap<Regions, f64> {
            let (mut all, mut remaining) = (BTreeMap::new(), 1.0);
            for at in [[1, 0], [0, 1]][next] {
                let (first, end) = spans[at];
                if end - first == 1 || refusals[at] == 3 {
                    continue;
                }
                let middle = first.midpoint(end);
                let halves = [(first, middle), (middle, end)].map(|half| {
                    let inside = |row: &&[u32; 2]| (half.0..half.1).contains(&row[at]);
                    (half, rows.iter().filter(inside).copied().collect::<Vec<_>>())
                });
                let parts = || halves.iter().filter(|half| !half.1.is_empty());
                let may_lack_label = !self.is_listed || parts().count() < 2;
                let permitted: f64 =
                    parts().map(|half| self.is_large_enough(half.1.len())).product();
                let divided = permitted * if may_lack_label { 0.8 } else { 1.0 };
                let mut below = BTreeMap::from([(Regions::new(), remaining * divided)]);
                for (half, part) in parts().filter(|_| divided > 0.0) {
                    let (mut spans, mut refusals) = (spans, refusals);
                    spans[at] = *half;
                    refusals[at] = 0;
                    let of_part = self.probabilities(part, spans, refusals, usize::from(at == 1));
                    let mut product = BTreeMap::new();
                    for (one, p) in &below {
                        for (other, q) in &of_part {
                            *product.entry(one | other).or_default() += p * q;
                        }
                    }
                    below = product;
                }
                for (regions, p) in below.into_iter().filter(|_| divided > 0.0) {
                    *all.entry(regions).or_default() += p;
                }
                remaining *= 1.0 - divided;
                refusals[at] += 1;
            }
            *all.entry(Regions::from([spans])).or_default() += remaining;
            all
        }

        fn of_table(&self, rows: &[[u32; 2]]) -> BTreeMap<Regions, f64> {
            self.probabilities(rows, [(0, VALUES); 2], [0; 2], 0)
        }
    }

    fn small_rows(random: &mut ChaCha20Rng, n_rows: usize) -> Vec<[u32; 2]> {
        let value = |random: &mut ChaCha20Rng| random.next_u32() % 4 * (random.next_u32() % 3);
        (0..n_rows).map(|_| [value(random), value(random)]).collect()
    }

    #[test]
    fn frequencies_of_regions_match_exact_probabilities() {
        const RUNS: u32 = 1_000;
        let mut random = ChaCha20Rng::seed_from_u64(5);
        for turn in 0..8 {
            let rows = small_rows(&mut random, 6 + turn);
            let (k, is_listed) = (1 + turn as u64 % 4, turn % 2 == 0);
            let mut counts: BTreeMap<[u32; 2], u64> = BTreeMap::new();
            rows.iter().for_each(|row| *counts.entry(*row).or_default() += 1);
            let (distinct, counts): (Vec<_>, Vec<_>) = counts.into_iter().unzip();
            let table = counted(&distinct, &counts);
            let mut policy = policy(&table, k);
            if is_listed {
                policy.hierarchies = vec![listed_tree(); 2];
            }
            let mut observed: BTreeMap<Regions, u32> = BTreeMap::new();
            for key in 0..RUNS {
                let cells = found_with(&table, &policy, key).expect("enough rows").cells;
                let regions = (0..cells.n_classes()).map(|class| {
                    let spans: Vec<(u32, u32)> = cells.of_class(class).map(span).collect();
                    [spans[0], spans[1]]
                });
                *observed.entry(regions.collect()).or_default() += 1;
            }
            let expected = Exact { k, is_listed }.of_table(&rows);
            assert!((expected.values().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(observed.keys().all(|regions| expected.contains_key(regions)), "{rows:?}");
            for (regions, p) in expected {
                let n = f64::from(observed.get(&regions).copied().unwrap_or(0));
                let (mean, n_runs) = (p * f64::from(RUNS), f64::from(RUNS));
                let limit = 4.5 * (n_runs * p * (1.0 - p)).sqrt() + 3.0;
                assert!(
                    (n - mean).abs() <= limit,
                    "{n} instead of {mean} for {regions:?} {rows:?}"
                );
            }
        }
    }

    /// The theorem in the documentation of this module, with r = 1/5 and m = 3.
    #[test]
    fn probabilities_of_regions_differ_by_a_bounded_factor() {
        let mut random = ChaCha20Rng::seed_from_u64(13);
        let (mut largest, mut n_compared) = (0.0f64, 0);
        // The first row is the only one in the upper half. `b` is divided between the examinations.
        let mut extreme = vec![[0, 0]; 9];
        extreme[0][0] = 4;
        let mut cases = vec![(extreme, 2, 0, 0)];
        for turn in 0..40 {
            let rows = small_rows(&mut random, 4 + turn % 4);
            let (at, value) = (random.next_u32() as usize % 2, random.next_u32() % VALUES);
            cases.push((rows, 1 + turn as u64 % 3, at, value));
        }
        for (turn, (rows, k, at, value)) in cases.into_iter().enumerate() {
            let exact = Exact { k, is_listed: turn % 2 == 0 };
            let mut other_rows = rows.clone();
            other_rows[0][at] = value;
            let other = exact.of_table(&other_rows);
            for (regions, p) in exact.of_table(&rows) {
                let contains = |row: &[u32; 2]| {
                    let inside = |region: &&[(u32, u32); 2]| {
                        region.iter().zip(row).all(|(span, it)| (span.0..span.1).contains(it))
                    };
                    regions.iter().find(inside)
                };
                let own = contains(&rows[0]).expect("a class");
                if own[at].0 > value || own[at].1 <= value {
                    continue;
                }
                let q = other.get(&regions).copied().unwrap_or(0.0);
                assert!(p <= 125.0 * q * (1.0 + 1e-9), "{p} {q} {regions:?} {rows:?}");
                largest = largest.max(p / q);
                n_compared += 1;
            }
        }
        assert!(n_compared > 500 && largest > 115.0, "{n_compared} {largest}");
    }

    #[test]
    fn key_determines_the_regions() {
        let mut random = ChaCha20Rng::seed_from_u64(3);
        let (rows, counts) = drawn(&mut random, 60);
        let table = counted(&rows, &counts);
        let regions = |key| found(&table, 3, key).expect("enough rows").class_of;
        assert_eq!(regions(1), regions(1));
        assert!((2..40).any(|key| regions(key) != regions(1)));
    }

    #[test]
    fn cancellation_is_an_error_and_the_time_limit_leaves_regions_undivided() {
        let (rows, counts) = drawn(&mut ChaCha20Rng::seed_from_u64(3), 60);
        let table = counted(&rows, &counts);
        let policy = policy(&table, 3);
        let search = search(vec![0, 1], 1);
        let limited = Problem { time_limit: Some(Duration::ZERO), ..Problem::new(&table, &policy) };
        let found = search.search(&limited, &Silent).expect("supported").found().expect("one");
        assert_eq!((found.n_classes, found.optimality), (1, Optimality::STOPPED));
        struct Cancelled;
        impl Observer for Cancelled {
            fn is_cancelled(&self) -> bool {
                true
            }
        }
        let outcome = search.search(&Problem::new(&table, &policy), &Cancelled);
        assert_eq!(outcome.expect_err("cancelled"), SearchError::Cancelled);
    }

    #[test]
    fn labels_with_two_meanings_are_not_released() {
        // The value `1-2` looks like a label of the level above, but covers other values.
        let level = |map: Vec<u32>, labels: &[&str]| HierarchyLevel {
            covered: labels.iter().map(|_| 1).collect(),
            labels: labels.iter().map(|it| (*it).to_owned()).collect(),
            map,
        };
        let levels = vec![
            level(vec![0, 1, 2, 3], &["1", "2", "1-2", "4"]),
            level(vec![0, 0, 1, 1], &["1-2", "3-4"]),
            level(vec![0; 4], &["*"]),
        ];
        let hierarchy = Hierarchy::new(levels, 4).expect("the levels are nested");
        assert_eq!(ambiguous(&hierarchy), BTreeSet::from(["1-2"]));
    }
}
