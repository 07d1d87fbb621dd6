//! # Partition into regions of the hierarchies
//!
//! **Definition.** A region has one label for each quasi-identifier. The first region has the
//! labels of the highest levels. A region is divided by the labels below its label of one
//! attribute if each part that contains rows remains large enough. A class consists of the rows in
//! a region that is not divided. The class is released with the labels of the region; they are
//! never narrowed to the values of the rows.
//! **Formula.** A part with n rows is large enough if min(n, n + X - c) is at least the size below
//! which every class violates a principle. X is drawn from the two-sided geometric distribution
//! P(X = x) proportional to exp(-|x|), and c = 1. Because of the minimum with n, every class
//! satisfies the principles with certainty.
//! **Order.** The attributes are examined in the given order, again and again, until no attribute
//! divides the region. Each examination draws new noise.
//! **Supports.** Principles that merging preserves, and minimum levels. The first region ignores
//! maximum levels. No row is suppressed: if the whole table violates a principle, the search finds
//! no recoding.
//! **Objective.** None: the order ignores the objective.
//! **Stopping.** The remaining regions are not divided.
//! **Complexity.** O(tuples * attributes * levels of all attributes) time.
//! **Errors.** [`SearchError`].
//! **Does not protect against.** Threats that the principles do not cover. Whether a part contains
//! rows is decided without noise, so a label may be the narrowest label that covers the rows. No
//! theorem states what the choice of the regions discloses.
//! **Source.** Downcoding: Cohen, USENIX Security 2022. The method is new.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::{Cell, Hierarchy, Nearest, Observer, Part, Phase, Recoding};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rustc_hash::FxHashMap;

use crate::multidimensional::judge::Judge;
use crate::stop::Stop;
use crate::{FoundRecoding, NotFound, Outcome, Problem, Search, SearchError, released};

/// The number of rows c that is subtracted in addition to the noise.
const OFFSET: i128 = 1;

/// The probability exp(-1) as a fraction of 2^64.
const CONTINUES: u64 = 6_786_177_901_268_885_274;

/// Divides the table into regions of the hierarchies, on one thread.
#[derive(Clone)]
pub struct Partition {
    /// The indices of the quasi-identifiers, in the order in which they divide a region.
    pub order: Vec<usize>,
    /// The secret key of the noise.
    pub key: [u8; 32],
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
        if let Some(kind) = judge.on_population {
            return Err(SearchError::CountsPopulation { kind });
        }
        if let Some(kind) = judge.broken_by_merging() {
            return Err(SearchError::NotPreservedByMerging { kind });
        }
        let hierarchies = &problem.policy.hierarchies;
        let levels: Vec<usize> = hierarchies.iter().map(|it| it.n_levels() - 1).collect();
        let tuples: Vec<u32> = (0u32..).take(problem.table.n_tuples()).collect();
        let mut dividing = Dividing {
            problem,
            judge: &judge,
            ambiguous: hierarchies.iter().map(ambiguous).collect(),
            random: ChaCha20Rng::from_seed(self.key),
        };
        if !tuples.is_empty() && !dividing.holds(&tuples) {
            let nearest = Nearest::new(levels, problem.table.n_rows(), None);
            return Ok(Outcome::NotFound(NotFound::new(nearest, true)));
        }
        let stop = Stop::new(observer, problem.time_limit);
        let (mut open, mut classes) = (vec![Region { tuples, levels, next: 0 }], Vec::new());
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
    ambiguous: Vec<BTreeSet<&'a str>>,
    random: ChaCha20Rng,
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
        let noise = self.geometric() - self.geometric() - OFFSET;
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

    /// Divides a region by the first attribute in the order, starting with the region's next one,
    /// that permits it. The error is a region that no attribute divides.
    fn divide(&mut self, region: Region, order: &[usize]) -> Result<Vec<Region>, Region> {
        for step in region.next..region.next + order.len() {
            let at = order[step % order.len()];
            let Some((level, sizes)) = self.parts(&region, at) else { continue };
            // Every part draws noise, so the draws do not depend on earlier results.
            let n_too_small = sizes.values().filter(|it| !self.is_large_enough(**it)).count();
            if n_too_small > 0 {
                continue;
            }
            let mut parts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for &tuple in &region.tuples {
                parts.entry(self.label(at, level, tuple)).or_default().push(tuple);
            }
            if !parts.values().all(|tuples| self.holds(tuples)) {
                continue;
            }
            let mut levels = region.levels;
            levels[at] = level;
            let next = (step + 1) % order.len();
            let part = |tuples| Region { tuples, levels: levels.clone(), next };
            return Ok(parts.into_values().map(part).collect());
        }
        Err(region)
    }

    /// Returns the next lower level of an attribute and the number of rows with each of its labels;
    /// `None` if there is no lower level, if a part is too small without noise, or if a lower label
    /// does not identify its region.
    fn parts(&self, region: &Region, at: usize) -> Option<(usize, BTreeMap<u32, u64>)> {
        let hierarchy = &self.problem.policy.hierarchies[at];
        let first = region.tuples[0];
        let text =
            |level: usize, label: u32| hierarchy.level(level).labels[label as usize].as_str();
        let own = text(region.levels[at], self.label(at, region.levels[at], first));
        for level in (*self.problem.bounds[at].start()..region.levels[at]).rev() {
            let mut sizes: BTreeMap<u32, u64> = BTreeMap::new();
            for &tuple in &region.tuples {
                *sizes.entry(self.label(at, level, tuple)).or_default() += self.judge.rows(tuple);
            }
            if sizes.len() == 1 && text(level, self.label(at, level, first)) == own {
                continue;
            }
            let is_clear = |&label: &u32| {
                text(level, label) != own && !self.ambiguous[at].contains(text(level, label))
            };
            let is_possible = sizes.keys().all(is_clear)
                && sizes.values().all(|n_rows| *n_rows >= self.judge.smallest_size);
            return is_possible.then_some((level, sizes));
        }
        None
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

    fn found(table: &FrequencyTable, k: u64, key: u8) -> Option<Classes> {
        let policy = policy(table, k);
        let search = Partition { order: vec![1, 0], key: [key; 32] };
        let outcome = search.search(&Problem::new(table, &policy), &Silent).expect("supported");
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
            let classes = found(&counted(&rows, &counts), k, turn as u8).expect("enough rows");
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

    type Partitions = BTreeSet<BTreeSet<[(u32, u32); 2]>>;

    #[test]
    fn regions_are_reachable_in_an_enumeration_of_all_divisions() {
        let mut random = ChaCha20Rng::seed_from_u64(11);
        let mut n_distinct = BTreeSet::new();
        for turn in 0..200u32 {
            let (rows, counts) = drawn(&mut random, 3 + turn % 8);
            let k = u64::from(turn % 3 + 1);
            let classes = found(&counted(&rows, &counts), k, turn as u8).expect("enough rows");
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
        let is_divided = |key: &u8| {
            let classes = found(&table, 4, *key).expect("eight rows");
            classes.cells.n_classes() == 2
        };
        // Both halves have exactly four rows, and the offset requires positive noise in both. Up to
        // four examinations draw noise, because the single value of `b` is divided three times.
        let n_divided = (0..100).filter(is_divided).count();
        assert!((5..60).contains(&n_divided), "{n_divided}");
        assert!(found(&table, 9, 0).is_none());
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
        let search = Partition { order: vec![0, 1], key: [1; 32] };
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
