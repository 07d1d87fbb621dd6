//! Tests of the method: regions, refusals, and the bounded influence of a value.

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
            let permitted: f64 = parts().map(|half| self.is_large_enough(half.1.len())).product();
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
            assert!((n - mean).abs() <= limit, "{n} instead of {mean} for {regions:?} {rows:?}");
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
