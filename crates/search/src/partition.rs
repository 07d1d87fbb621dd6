//! # Partition into regions of the hierarchies
//!
//! **Definition.** A region has one label for each quasi-identifier. The first regions have the
//! labels of the highest levels. In each step of a fixed order, every region is divided by the
//! labels below its label of one attribute, if each part that contains rows remains large enough. A
//! class consists of the rows in a region that is not divided further. The class is released with
//! the label of the region, even if its rows have narrower values in common.
//! **Formula.** A part with n rows is large enough if min(n, n + X - c) is at least the size below
//! which every class violates a principle. X is drawn from the two-sided geometric distribution
//! P(X = x) proportional to exp(-|x|), and c = 1. The minimum with n makes every class satisfy the
//! principles with certainty.
//! **Order.** One step for each attribute and level. The next step belongs to the attribute with the
//! largest remaining fraction of its levels, multiplied by its weight; among equal ones, the first.
//! The order depends only on the number of levels and the weights. A region that was not divided
//! by an attribute is never divided by this attribute, nor are its parts.
//! **Supports.** Principles that depend only on the size of classes and that merging preserves, and
//! minimum levels. Regions do not end at a maximum level. No row is suppressed: if a first region
//! fails, the search finds no recoding.
//! **Objective.** None: the order ignores the objective. The loss is reported.
//! **Stopping.** The remaining regions are not divided.
//! **Complexity.** O(tuples * levels of all attributes).
//! **Errors.** [`SearchError`].
//! **Does not protect against.** Threats that the principles do not cover. Whether a part contains
//! rows is decided without noise. Nothing is claimed about what the choice of the regions
//! discloses: the noise is neither differential privacy nor a proof against downcoding.
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
#[derive(Clone, Copy)]
pub struct Partition {
    /// The secret key of the noise.
    pub key: [u8; 32],
}

impl std::fmt::Debug for Partition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Omit the key, which is secret.
        f.debug_struct("Partition").finish_non_exhaustive()
    }
}

/// The proposal of [`Partition`].
#[derive(Debug, Clone, PartialEq)]
pub struct Regions {
    /// The recoding to certify.
    pub recoding: Recoding,
    /// The steps in which some region was divided, in order: the attribute of each.
    pub splits: Vec<usize>,
}

/// A region, given by its tuples and the level of its label for each attribute.
struct Region {
    tuples: Vec<u32>,
    levels: Vec<usize>,
    /// Whether the region may still be divided by each attribute.
    is_open: Vec<bool>,
    /// The next step.
    step: usize,
}

/// The parts of a region: the level of their labels, and the tuples of each.
type Parts = (usize, Vec<Vec<u32>>);

impl Search for Partition {
    type Proposal = Regions;
    type Nearest = Nearest;

    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Regions>, SearchError> {
        problem.check()?;
        let judge = Judge::new(problem.table, &problem.policy.requirements);
        if let Some(kind) = judge.on_population {
            return Err(SearchError::CountsPopulation { kind });
        }
        if let Some(kind) = judge.broken_by_merging() {
            return Err(SearchError::NotPreservedByMerging { kind });
        }
        let stop = Stop::new(observer, problem.time_limit);
        let hierarchies = &problem.policy.hierarchies;
        let mut dividing = Dividing {
            problem,
            judge: &judge,
            ambiguous: hierarchies.iter().map(ambiguous).collect(),
            random: ChaCha20Rng::from_seed(self.key),
        };
        let mut open = dividing.first_regions();
        let rows = |region: &Region| judge.tally(&region.tuples).1;
        let failing: u64 =
            open.iter().filter(|region| !dividing.holds(&region.tuples)).map(rows).sum();
        if failing > 0 {
            let levels = hierarchies.iter().map(|it| it.n_levels() - 1).collect();
            let nearest = Nearest::new(levels, failing, None);
            return Ok(Outcome::NotFound(NotFound::new(nearest, true)));
        }
        let order = order(problem);
        let (mut used, mut classes) = (BTreeSet::new(), Vec::new());
        open.reverse();
        while let Some(region) = open.pop() {
            if observer.is_cancelled() {
                return Err(SearchError::Cancelled);
            }
            observer.progress(Phase::Search, classes.len() as u64, 0);
            let steps = if stop.is_over() { &order[..0] } else { &order[..] };
            match dividing.divide(region, steps) {
                Err(class) => classes.push(class),
                Ok((step, parts)) => {
                    used.insert(step);
                    open.extend(parts.into_iter().rev());
                }
            }
        }
        let recoding = recoding(problem, &classes);
        let objective = Some(released::loss(problem, &recoding));
        let splits = used.into_iter().map(|step| order[step]).collect();
        let proposal = Regions { recoding, splits };
        let found = FoundRecoding::new(proposal, stop.optimality(), 0, classes.len());
        Ok(Outcome::Found(Box::new(FoundRecoding { objective, ..found })))
    }
}

/// Returns the attribute of each step. The order depends only on the number of levels and the
/// weights.
fn order(problem: &Problem<'_>) -> Vec<usize> {
    let heights: Vec<usize> = problem
        .policy
        .hierarchies
        .iter()
        .zip(&problem.bounds)
        .map(|(hierarchy, bounds)| hierarchy.n_levels() - 1 - bounds.start())
        .collect();
    let mut left = heights.clone();
    let urgency = |left: &[usize], at: usize| {
        left[at] as f64 / heights[at].max(1) as f64 * problem.weights[at]
    };
    let mut order = Vec::with_capacity(heights.iter().sum());
    loop {
        let open = (0..left.len()).filter(|&at| left[at] > 0);
        let next =
            open.max_by(|&a, &b| urgency(&left, a).total_cmp(&urgency(&left, b)).then(b.cmp(&a)));
        let Some(at) = next else { return order };
        left[at] -= 1;
        order.push(at);
    }
}

/// Returns the labels that occur more than once in a hierarchy with different values below them. A
/// region with such a label could not be told from another one.
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

    /// Returns the regions with the labels of the highest levels.
    fn first_regions(&self) -> Vec<Region> {
        let hierarchies = &self.problem.policy.hierarchies;
        let levels: Vec<usize> = hierarchies.iter().map(|it| it.n_levels() - 1).collect();
        let mut regions: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
        for tuple in 0..self.problem.table.n_tuples() as u32 {
            let labels = levels.iter().enumerate().map(|(at, &level)| self.label(at, level, tuple));
            regions.entry(labels.collect()).or_default().push(tuple);
        }
        let region = |tuples| {
            let is_open = vec![true; levels.len()];
            Region { tuples, levels: levels.clone(), is_open, step: 0 }
        };
        regions.into_values().map(region).collect()
    }

    fn holds(&self, tuples: &[u32]) -> bool {
        let (tally, size) = self.judge.tally(tuples);
        self.judge.holds(size, &tally)
    }

    /// Returns whether a part is large enough despite the noise.
    fn is_large_enough(&mut self, tuples: &[u32]) -> bool {
        let noise = self.geometric() - self.geometric() - OFFSET;
        let (tally, size) = self.judge.tally(tuples);
        let counted = i128::from(size) + noise.min(0);
        self.judge.holds(size, &tally) && counted >= i128::from(self.judge.smallest_size)
    }

    /// Draws the number of successes before the first failure.
    fn geometric(&mut self) -> i128 {
        let mut n = 0;
        while self.random.next_u64() < CONTINUES {
            n += 1;
        }
        n
    }

    /// Divides a region in the first possible step, and returns the step and the parts. The error
    /// is a region that cannot be divided.
    fn divide(
        &mut self,
        mut region: Region,
        order: &[usize],
    ) -> Result<(usize, Vec<Region>), Region> {
        for (step, &at) in order.iter().enumerate().skip(region.step) {
            if !region.is_open[at] {
                continue;
            }
            let parts = self.parts(&region, at);
            let parts = parts.filter(|(_, parts)| {
                // Draw the noise of every part, so the decision takes the same time.
                let enough: Vec<bool> = parts.iter().map(|it| self.is_large_enough(it)).collect();
                enough.into_iter().all(|is_enough| is_enough)
            });
            let Some((level, parts)) = parts else {
                region.is_open[at] = false;
                continue;
            };
            region.levels[at] = level;
            let part = |tuples| Region {
                tuples,
                levels: region.levels.clone(),
                is_open: region.is_open.clone(),
                step: step + 1,
            };
            return Ok((step, parts.into_iter().map(part).collect()));
        }
        Err(region)
    }

    /// Returns the parts of a region with the next labels of an attribute; `None` if there are no
    /// lower labels, or if a lower label does not identify its region.
    fn parts(&self, region: &Region, at: usize) -> Option<Parts> {
        let hierarchy = &self.problem.policy.hierarchies[at];
        let text = |level: usize, tuple: u32| {
            hierarchy.level(level).labels[self.label(at, level, tuple) as usize].as_str()
        };
        let own = text(region.levels[at], region.tuples[0]);
        for level in (*self.problem.bounds[at].start()..region.levels[at]).rev() {
            let mut parts: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
            for &tuple in &region.tuples {
                parts.entry(text(level, tuple)).or_default().push(tuple);
            }
            if parts.len() == 1 && parts.contains_key(own) {
                continue;
            }
            let is_clear = |label: &&str| *label != own && !self.ambiguous[at].contains(label);
            return parts.keys().all(is_clear).then(|| (level, parts.into_values().collect()));
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
    use indistinct_core::hierarchy::HierarchyLevel;
    use indistinct_core::model::CountedColumn;
    use indistinct_core::principle::{Context, k_anonymity};
    use indistinct_core::recoding::ClassColumn;
    use indistinct_core::{
        Dictionary, FrequencyTable, Generalization, Others, Policy, Rational, Requirement, Silent,
        SuppressionRule,
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

    fn found(table: &FrequencyTable, k: u64, key: u8) -> Option<Regions> {
        let (kind, parameters) = k_anonymity(k);
        let requirement =
            Requirement::new(kind, &Context::new(table, None), parameters, Others::Ignored);
        let policy = Policy {
            hierarchies: vec![tree(VALUES as usize); 2],
            requirements: vec![requirement.expect("a valid parameter")],
            suppression_limit: Rational::from_integer(0),
            suppressed: SuppressionRule::Dropped,
            published: ClassColumn::Absent,
        };
        let search = Partition { key: [key; 32] };
        let outcome = search.search(&Problem::new(table, &policy), &Silent).expect("supported");
        outcome.found().ok().map(|found| found.proposal)
    }

    /// The values that a cell covers: from the first up to the last, exclusive.
    fn span(cell: &Cell) -> (u32, u32) {
        let Cell::Label { level, label } = cell else { panic!("a region has labels") };
        (label << level, (label + 1) << level)
    }

    #[test]
    fn regions_are_disjoint_large_enough_and_cover_their_rows() {
        let mut random = ChaCha20Rng::seed_from_u64(7);
        let mut n_divided = 0;
        for turn in 0..300u32 {
            let mut rows: Vec<[u32; 2]> = (0..20 + turn % 60)
                .map(|_| [(); 2].map(|()| random.next_u32() % VALUES * (random.next_u32() % 4) / 3))
                .collect();
            rows.sort_unstable();
            let k = u64::from(turn % 6 + 1);
            let mut counted: Vec<[u32; 2]> = rows.clone();
            counted.dedup();
            let counts: Vec<u64> = counted
                .iter()
                .map(|row| rows.iter().filter(|other| *other == row).count() as u64)
                .collect();
            let of_rows = table(&counted);
            let table = FrequencyTable::new(
                of_rows.quasi_identifiers().to_vec(),
                Vec::new(),
                counts.clone(),
            )
            .expect("the same columns");
            let regions = found(&table, k, turn as u8).expect("the whole table is large enough");
            let Generalization::Classes(classes) = &regions.recoding.generalization else {
                panic!("regions are classes");
            };
            let n = classes.cells.n_classes();
            n_divided += usize::from(n > 1);
            let spans: Vec<Vec<(u32, u32)>> =
                (0..n).map(|class| classes.cells.of_class(class).map(span).collect()).collect();
            let mut sizes = vec![0; n];
            for ((row, &class), count) in counted.iter().zip(&classes.class_of).zip(&counts) {
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

    #[test]
    fn noise_prevents_divisions_at_the_limit() {
        let rows: Vec<[u32; 2]> = (0..8).map(|at| [at, 0]).collect();
        let table = table(&rows);
        let n_classes = |key| {
            let regions = found(&table, 4, key).expect("eight rows");
            let Generalization::Classes(classes) = &regions.recoding.generalization else {
                panic!("regions are classes");
            };
            classes.cells.n_classes()
        };
        // Both halves have exactly four rows, and the offset requires positive noise in both.
        let divided = (0..100).filter(|key| n_classes(*key) == 2).count();
        assert!((1..40).contains(&divided), "{divided}");
        assert!(found(&table, 9, 0).is_none());
    }
}
