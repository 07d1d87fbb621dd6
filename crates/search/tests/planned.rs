//! Tests of the choices of the central agency on distributions with many classes, with jobs in any
//! order.

use indistinct_core::Rational;
use indistinct_linkage::planned::{Basis, Joint, Plan, Target};
use indistinct_search::planned::{Choices, Detail, Job, Largest, Point, RowBound, greedy_plan};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Generates combinations with few or all of the sensitive values.
fn joint(n: u32, n_sensitive_values: u32, one_in: u32, seed: u64) -> Joint {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut entries = Vec::new();
    for combination in 0..n {
        for value in 0..n_sensitive_values {
            if rng.next_u32() % one_in == 0 {
                entries.push((combination, value, u64::from(rng.next_u32() % 30 + 1)));
            }
        }
    }
    Joint::of_counts(n as usize, n_sensitive_values as usize, &entries).expect("a distribution")
}

fn target() -> Target {
    Target::new(3, Rational::new(1, 100)).expect("a target")
}

const CASES: [(u32, u32, u32); 3] = [(300, 6, 1), (700, 12, 5), (120, 40, 2)];

/// Computes the number of classes by definition, filling one class after the other.
fn n_classes(joint: &Joint, l: usize, threshold: u64) -> u64 {
    let (mut weights, mut n) = (vec![0u64; joint.n_sensitive_values()], 0);
    for combination in 0..joint.n_combinations() {
        joint.cells(combination).for_each(|(value, weight)| weights[value as usize] += weight);
        if weights.iter().filter(|weight| **weight >= threshold).count() >= l {
            weights.fill(0);
            n += 1;
        }
    }
    n
}

fn threshold(point: &Point, joint: &Joint) -> u64 {
    let weight = &point.p * num_bigint::BigInt::from(joint.total());
    assert!(weight.is_integer());
    weight.to_integer().try_into().expect("a weight")
}

#[test]
fn every_class_count_has_its_largest_p() {
    let target = target();
    for (at, (n, n_sensitive_values, one_in)) in (0..).zip(CASES) {
        let joint = joint(n, n_sensitive_values, one_in, at);
        let choices = Choices::new(&joint, &target).expect("diverse");
        let points = choices.trade_off(Detail::Every).expect("few rows");
        assert!(points.len() > 40, "expected more than 40 points, found {}", points.len());
        assert_eq!(points.last().map(|it| it.n_classes), Some(n_classes(&joint, 3, 1)));
        for (point, next) in points.iter().zip(&points[1..]) {
            let largest = threshold(point, &joint);
            assert_eq!(n_classes(&joint, 3, largest), point.n_classes);
            // A slightly higher threshold gives fewer classes; thresholds down to the next point
            // give the same number.
            assert!(n_classes(&joint, 3, largest + 1) < point.n_classes);
            let next = threshold(next, &joint);
            assert_eq!(n_classes(&joint, 3, next + 1), point.n_classes);
            let found = choices.with_classes(point.n_classes).expect("few rows");
            assert_eq!(found.map(|it| threshold(&it, &joint)), Some(largest));
        }
    }
}

#[test]
fn workers_produce_identical_results() {
    let target = target();
    let backwards = |n: usize, job: &Job<'_>| {
        let mut found: Vec<_> = (0..n).rev().map(job).collect();
        found.reverse();
        found
    };
    for (at, (n, n_sensitive_values, one_in)) in (0..).zip(CASES) {
        let joint = joint(n, n_sensitive_values, one_in, at);
        let choices = Choices::new(&joint, &target).expect("diverse");
        for detail in [Detail::Every, Detail::Steps { every_up_to: 20, per_doubling: 3 }] {
            let alone = choices.trade_off(detail).expect("few rows");
            assert_eq!(choices.trade_off_by(detail, &backwards), Ok(alone));
        }
    }
}

#[test]
fn sampled_steps_are_trade_off_points() {
    let target = target();
    let joint = joint(2000, 6, 1, 9);
    let choices = Choices::new(&joint, &target).expect("diverse");
    let every = choices.trade_off(Detail::Every).expect("few rows");
    let steps = Detail::Steps { every_up_to: 20, per_doubling: 2 };
    let some = choices.trade_off(steps).expect("few rows");
    assert!(some.len() < every.len() / 2);
    assert_eq!(some.last().map(|it| it.n_classes), every.last().map(|it| it.n_classes));
    assert!(some.windows(2).all(|pair| pair[0].n_classes < pair[1].n_classes));
    for point in &some {
        let exact = every.iter().find(|it| it.n_classes == point.n_classes).expect("attainable");
        match point.largest {
            Largest::Proved => assert_eq!(point, exact),
            Largest::ForItsClasses => assert!(point.n_classes > 20 && point.p <= exact.p),
        }
    }
}

#[test]
fn class_and_row_choices_match_trade_off() {
    let target = target();
    let joint = joint(300, 6, 1, 1);
    let choices = Choices::new(&joint, &target).expect("diverse");
    let every = choices.trade_off(Detail::Every).expect("few rows");
    let most = choices.most_classes();
    for n in 1..=most {
        let expected = every.iter().find(|point| point.n_classes >= n);
        assert_eq!(choices.with_classes(n).expect("few rows").as_ref(), expected);
    }
    assert_eq!(choices.with_classes(most + 1), Ok(None));
    for bound in [RowBound::Text, RowBound::ActualClasses] {
        for rows in [1, 30, 100, 400, 1_000, 5_000, 1_000_000] {
            let fits = |point: &&Point| point.n_rows_by(bound) <= rows;
            let expected = every.iter().rev().find(fits).map(|point| point.n_classes);
            let got = choices.within_rows(bound, rows).expect("few rows");
            assert_eq!(got.as_ref().map(|point| point.n_classes), expected, "{rows}");
            assert!(got.is_none_or(|point| point.n_rows_by(bound) <= rows));
        }
    }
}

/// A distribution of 60 combinations and 12 sensitive values, as weights.
fn true_weights() -> Vec<u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    (0..60 * 12).map(|_| u64::from(rng.next_u32() % 40 + 10)).collect()
}

/// Counts independent rows of a distribution.
fn sample(weights: &[u64], n_rows: usize, rng: &mut ChaCha8Rng) -> Joint {
    let total: u64 = weights.iter().sum();
    let mut counts = vec![0u64; weights.len()];
    for _ in 0..n_rows {
        let mut drawn = rng.next_u64() % total;
        let cell = weights.iter().position(|&weight| {
            let is_it = drawn < weight;
            drawn = drawn.saturating_sub(weight);
            is_it
        });
        counts[cell.expect("the draw is below the total")] += 1;
    }
    let cell = |(at, count): (usize, u64)| (at as u32 / 12, at as u32 % 12, count);
    let entries: Vec<_> = counts.into_iter().enumerate().map(cell).collect();
    Joint::of_counts(60, 12, &entries).expect("a distribution")
}

/// Returns the probability that a release by a plan lacks a designated value, for the true
/// distribution.
fn true_failure(plan: &Plan, weights: &[u64]) -> f64 {
    let total: u64 = weights.iter().sum();
    let missing = |class: &indistinct_linkage::planned::PlannedClass| -> f64 {
        let of_value = |value: u32| {
            let weight: u64 = class
                .combinations
                .clone()
                .map(|combination| weights[combination * 12 + value as usize])
                .sum();
            (1.0 - weight as f64 / total as f64).powf(plan.n_rows as f64)
        };
        class.designated.iter().map(|&value| of_value(value)).sum()
    };
    plan.classes.iter().map(missing).sum()
}

#[test]
fn plans_from_counts_keep_their_failure_probability_for_the_true_distribution() {
    let weights = true_weights();
    let target = target();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut failures = [Vec::new(), Vec::new()];
    for _ in 0..12 {
        let counted = sample(&weights, 6_000, &mut rng);
        let bounded = counted.clone().with_confidence(&Rational::new(19, 20)).expect("a level");
        for (failures, joint) in failures.iter_mut().zip([&counted, &bounded]) {
            let choices = Choices::new(joint, &target).expect("diverse");
            let point = choices.within_rows(RowBound::ActualClasses, 6_000).expect("few rows");
            let point = point.expect("6,000 rows suffice for a class");
            let p = Rational::new(
                point.p.numer().try_into().expect("a small number"),
                point.p.denom().try_into().expect("a small number"),
            );
            let plan = greedy_plan(joint, &target, &p, Basis::ExactFailure).expect("feasible");
            assert!(plan.classes.len() > 1, "expected several classes");
            failures.push(true_failure(&plan, &weights));
        }
    }
    let [of_counts, of_bounds] = failures;
    assert!(of_bounds.iter().all(|failure| *failure <= 0.01), "{of_bounds:?}");
    // Without bounds, the plans promise too much.
    assert!(of_counts.iter().any(|failure| *failure > 0.01), "{of_counts:?}");
}

/// Half of the rows are spread evenly over 20,000 rare combinations. Only a tenth of these occur in
/// 4,000 rows, where each is about ten times as frequent as in the distribution.
#[test]
fn bounds_do_not_hold_for_combinations_chosen_from_the_counts() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut counts = vec![0u64; 20_000];
    let mut n_common = 0;
    for _ in 0..4_000 {
        match rng.next_u32() % 2 {
            0 => n_common += 1,
            _ => counts[rng.next_u32() as usize % 20_000] += 1,
        }
    }
    let chosen: Vec<u64> = counts.into_iter().filter(|count| *count > 0).collect();
    let truth = 0.5 * chosen.len() as f64 / 20_000.0;
    let mut entries = vec![(0, 0, n_common)];
    entries.extend(chosen.iter().zip(1..).map(|(&count, at)| (at, 0, count)));
    let joint = Joint::of_counts(entries.len(), 1, &entries).expect("a distribution");
    let joint = joint.with_confidence(&Rational::new(19, 20)).expect("a level");
    let bound = joint.share(chosen.iter().sum());
    let bound = num_traits::ToPrimitive::to_f64(&bound).expect("a number");
    assert!(truth < 0.06 && bound > 0.4, "{truth} {bound}");
}

#[test]
fn exact_failure_of_many_cells_is_computed_from_few_evaluations() {
    let counted = sample(&true_weights(), 6_000, &mut ChaCha8Rng::seed_from_u64(2));
    let started = std::time::Instant::now();
    let p = Rational::new(1, 1_000);
    let plan = greedy_plan(&counted, &target(), &p, Basis::ExactFailure).expect("feasible");
    assert!(
        plan.exact_failure(plan.n_rows).expect("few steps").expect("no entropy")
            <= 0.01 * (1.0 + 1e-9)
    );
    assert!(
        plan.exact_failure(plan.n_rows - 1).expect("few steps").expect("no entropy")
            > 0.01 * (1.0 - 1e-9)
    );
    assert!(started.elapsed().as_secs() < 30, "took {:?}", started.elapsed());
}
