//! Tests with many attributes: localities instead of boxes, and stopped searches.

use super::*;

/// A number of quasi-identifiers with three levels whose level combinations exceed the limit for
/// boxes.
const WIDE: usize = 12;

/// Generates answers that usually follow one of four patterns.
fn wide_codes(seed: u64, n_rows: usize) -> Vec<[u32; WIDE]> {
    let mut random = Random(seed);
    let answer = |pattern: u64, at: usize, random: &mut Random| match random.below(4) {
        0 => random.below(9) as u32,
        _ => ((pattern * 2 + at as u64) % 9) as u32,
    };
    let row = |_| {
        let pattern = random.below(4);
        std::array::from_fn(|at| answer(pattern, at, &mut random))
    };
    (0..n_rows).map(row).collect()
}

fn wide_table(codes: &[[u32; WIDE]]) -> FrequencyTable {
    let column = |name: String, dictionary: Dictionary, codes: Vec<u32>| CountedColumn {
        name,
        dictionary,
        codes,
    };
    let quasi_identifiers = (0..WIDE)
        .map(|at| column(format!("q{at}"), numbers(9), codes.iter().map(|row| row[at]).collect()));
    let sensitive = codes.iter().map(|row| (row[0] + row[1] + row[2]) % 5).collect();
    let sensitive = vec![column("sensitive".to_owned(), numbers(5), sensitive)];
    let counts = vec![1; codes.len()];
    FrequencyTable::new(quasi_identifiers.collect(), sensitive, counts).expect("well-formed")
}

/// Returns the minimum loss over all divisions of the rows into classes of at least two.
fn least_loss(codes: &[[u32; WIDE]]) -> f64 {
    let mut least = f64::INFINITY;
    any_partition(codes.len(), &mut |part_of| {
        let n_parts = part_of.iter().max().map_or(0, |last| last + 1);
        let mut sum = 0.0;
        for part in 0..n_parts {
            let rows: Vec<&[u32; WIDE]> =
                codes.iter().zip(part_of).filter(|(_, at)| **at == part).map(|it| it.0).collect();
            if rows.len() < 2 {
                return false;
            }
            for at in 0..WIDE {
                let all =
                    |f: &dyn Fn(u32) -> u32| rows.iter().all(|row| f(row[at]) == f(rows[0][at]));
                let share = if all(&|code| code) {
                    0.0
                } else if all(&|code| code / 3) {
                    2.0 / 8.0
                } else {
                    1.0
                };
                sum += share * rows.len() as f64;
            }
        }
        least = least.min(sum / (codes.len() * WIDE) as f64);
        false
    });
    least
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn wide_tables_lose_no_more_than_textbook_order(
        seed in 0..u64::MAX,
        n_rows in 1..200usize,
        required in 0..PRESERVED.len(),
        objective in 0..objectives().len(),
        limit in prop_oneof![Just((0, 1)), Just((1, 5))],
        suppressed in prop_oneof![Just(SuppressionRule::Dropped), Just(SuppressionRule::Starred)],
    ) {
        let table = wide_table(&wide_codes(seed, n_rows));
        let mut policy = policy(&table, PRESERVED[required], limit, ClassColumn::Absent);
        policy.suppressed = suppressed;
        let mut best = problem(&table, &policy, GeneralizeTo::Hierarchy, Split::Best);
        best.problem.objective = objectives()[objective];
        let mut median = best.clone();
        median.search.split = Split::Median;
        match (search(&best), search(&median)) {
            (Outcome::Found(found), Outcome::Found(other)) => {
                is_certified(&best, &found)?;
                let (own, other) = (found.objective.expect("minimized"), other.objective.expect("minimized"));
                prop_assert!(own <= other + 1e-9 * other.abs().max(1.0), "{own} > {other}");
            }
            (Outcome::Found(found), _) => is_certified(&best, &found)?,
            (Outcome::NotFound(_), other) => prop_assert!(matches!(other, Outcome::NotFound(_))),
        }
        let on = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build();
            pool.expect("a pool").install(|| search(&best))
        };
        prop_assert_eq!(on(1), on(2));
    }
}

/// The oracle tries every division.
#[test]
fn wide_tables_approach_optimal_division() {
    let (mut n_best, mut lost, mut least) = (0, 0.0, 0.0);
    for seed in 0..60 {
        let codes = wide_codes(seed, 4 + seed as usize % 4);
        let table = wide_table(&codes);
        let two: &[RequiredPrinciple<'_>] = &[("k-anonymity", &[("k", "2")])];
        let policy = policy(&table, two, (0, 1), ClassColumn::Absent);
        let task = problem(&table, &policy, GeneralizeTo::Hierarchy, Split::Best);
        let Outcome::Found(found) = search(&task) else {
            panic!("a single class satisfies the policy")
        };
        is_certified(&task, &found).expect("certified");
        let (own, optimum) = (found.objective.expect("minimized"), least_loss(&codes));
        assert!(own >= optimum - 1e-9, "loss {own} is below the optimum {optimum} of the oracle");
        n_best += u32::from(own < optimum + 1e-9);
        (lost, least) = (lost + own, least + optimum);
    }
    assert!(
        n_best > 30 && lost < 1.1 * least,
        "{n_best} of 60 cases are optimal; total loss {lost}, optimum {least}"
    );
}

/// An observer that requests the best result so far as soon as a search reports progress beyond its
/// start.
struct Content(std::sync::atomic::AtomicU64);

impl Observer for Content {
    fn progress(&self, _: Phase, _: u64, _: u64) {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }

    fn wants_best_so_far(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Relaxed) > 1
    }
}

#[test]
fn stopped_search_is_no_worse_than_textbook_order() {
    let table = wide_table(&wide_codes(3, 3_000));
    let policy = policy(&table, PRESERVED[0], (1, 20), ClassColumn::Absent);
    let task = problem(&table, &policy, GeneralizeTo::Hierarchy, Split::Best);
    let mut median = task.clone();
    median.search.split = Split::Median;
    let objective = |outcome: Outcome<Recoding>| {
        let Outcome::Found(found) = outcome else { panic!("the search finds a recoding") };
        is_certified(&task, &found).expect("certified");
        (found.objective.expect("minimized"), found.optimality)
    };
    let (whole, optimality) = objective(search(&task));
    assert_eq!(optimality, Optimality::Heuristic);
    let (textbook, _) = objective(search(&median));
    assert!(whole < 0.9 * textbook, "{whole} {textbook}");
    let content = Content(0.into());
    let (stopped, optimality) = objective(task.run(&content).expect("an answer"));
    assert_eq!(optimality, Optimality::STOPPED);
    assert!(whole < stopped && stopped < textbook, "{whole} {stopped} {textbook}");
    // Without any time, not even the textbook regions are split.
    let mut in_no_time = task.clone();
    in_no_time.problem.time_limit = Some(std::time::Duration::ZERO);
    let (at_once, optimality) = objective(search(&in_no_time));
    assert_eq!(optimality, Optimality::STOPPED);
    assert!(at_once >= textbook);
}

/// Enough tuples for several threads to cut regions; principles that merging may break are
/// supported by regions only.
#[test]
fn thread_count_does_not_change_regions() {
    let mut random = Random(23);
    let n = 12_000;
    let sizes = [400u32, 40, 7];
    let mut column = |name: &str, size: u32| CountedColumn {
        name: name.to_owned(),
        dictionary: numbers(size),
        codes: (0..n).map(|_| random.below(u64::from(size)) as u32).collect(),
    };
    let columns = sizes.iter().enumerate().map(|(at, &size)| column(&format!("q{at}"), size));
    let columns: Vec<CountedColumn> = columns.collect();
    let sensitive = vec![column("sensitive", 9)];
    let table = FrequencyTable::new(columns, sensitive, vec![1; n]).expect("well-formed");
    for required in [NUMERIC[0], PRESERVED[0]] {
        let policy = policy(&table, required, (0, 1), ClassColumn::Published);
        let mut task = problem(&table, &policy, GeneralizeTo::Bounds, Split::Best);
        if required == PRESERVED[0] {
            task.search.split = Split::Median;
        }
        let on = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build();
            pool.expect("a pool").install(|| search(&task))
        };
        let found = on(1);
        assert!(matches!(&found, Outcome::Found(found) if found.n_classes > 1_000));
        assert_eq!(found, on(2));
        assert_eq!(found, on(3));
    }
}
