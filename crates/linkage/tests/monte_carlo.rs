//! Theorems 4.4 and 4.5 in their corrected form, and the results beyond the paper, on random
//! samples.
//!
//! Every guarantee is a failure probability of at most delta. If the guarantee holds, the number of
//! failures in T trials exceeds T delta + 5 sqrt(T delta) with probability below 1e-6. The seeds
//! are fixed.

use std::ops::Range;

use indistinct_core::Rational;
use indistinct_core::model::to_f64;
use indistinct_linkage::planned::{
    Basis, Composition, Joint, Linked, Plan, PlannedClass, Target, compose, effect_of_error,
    failure, rows_for_counts, rows_for_entropy, rows_for_linked_k,
};
use indistinct_search::planned::greedy_plan;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

const TRIALS: u32 = 2000;

/// Draws cells of a distribution.
struct Sampler {
    cells: Vec<(usize, usize)>,
    /// Cumulative sums of weights.
    sums: Vec<u64>,
    n_combinations: usize,
    n_sensitive_values: usize,
}

impl Sampler {
    fn new(joint: &Joint) -> Self {
        let (mut cells, mut sums, mut sum) = (Vec::new(), Vec::new(), 0);
        for q in 0..joint.n_combinations() {
            for (s, weight) in joint.cells(q) {
                sum += weight;
                cells.push((q, s as usize));
                sums.push(sum);
            }
        }
        let (n_combinations, n_sensitive_values) =
            (joint.n_combinations(), joint.n_sensitive_values());
        Self { cells, sums, n_combinations, n_sensitive_values }
    }

    /// Draws a sample of n rows and returns its counts by combination and sensitive value.
    fn draw(&self, rng: &mut ChaCha8Rng, n_rows: u64) -> Vec<Vec<u64>> {
        let mut counts = vec![vec![0; self.n_sensitive_values]; self.n_combinations];
        let total = *self.sums.last().expect("the list of cells is not empty");
        for _ in 0..n_rows {
            let at = rng.next_u64() % total;
            let (q, s) = self.cells[self.sums.partition_point(|&sum| sum <= at)];
            counts[q][s] += 1;
        }
        counts
    }
}

/// The counts of each class.
fn by_class(counts: &[Vec<u64>], classes: &[Range<usize>]) -> Vec<Vec<u64>> {
    let sum = |class: &Range<usize>, s: usize| counts[class.clone()].iter().map(|row| row[s]).sum();
    let n_sensitive_values = counts[0].len();
    classes.iter().map(|class| (0..n_sensitive_values).map(|s| sum(class, s)).collect()).collect()
}

/// The minimum over releases.
fn linked(samples: &[Vec<Vec<u64>>]) -> Vec<Vec<u64>> {
    let mut linked = samples[0].clone();
    for sample in &samples[1..] {
        for (class, other) in linked.iter_mut().zip(sample) {
            for (count, other) in class.iter_mut().zip(other) {
                *count = (*count).min(*other);
            }
        }
    }
    linked
}

fn distinct(class: &[u64]) -> usize {
    class.iter().filter(|count| **count > 0).count()
}

/// A distribution with twelve combinations and six sensitive values, neither uniform nor
/// independent.
fn joint() -> Joint {
    let mut entries = Vec::new();
    for q in 0..12u32 {
        for s in 0..6u32 {
            entries.push((q, s, u64::from(3 + (q * 5 + s * 7) % 11 + 4 * (5 - s))));
        }
    }
    Joint::of_counts(12, 6, &entries).expect("a distribution")
}

fn plan(l: u64, delta: Rational, basis: Basis) -> (Plan, Vec<Range<usize>>) {
    plan_for(Rational::new(1, 40), l, delta, basis)
}

fn plan_for(p: Rational, l: u64, delta: Rational, basis: Basis) -> (Plan, Vec<Range<usize>>) {
    let target = Target::new(l, delta).expect("valid");
    let plan = greedy_plan(&joint(), &target, &p, basis).expect("feasible");
    let classes = plan.classes.iter().map(|class| class.combinations.clone()).collect();
    (plan, classes)
}

fn at_most(delta: f64) -> u32 {
    let expected = f64::from(TRIALS) * delta;
    (expected + 5.0 * expected.sqrt()) as u32
}

fn failures(seed: u64, mut fails: impl FnMut(&mut ChaCha8Rng) -> bool) -> u32 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..TRIALS).map(|_| u32::from(fails(&mut rng))).sum()
}

#[test]
fn theorem_4_4_holds_with_n_rounded_up() {
    let sampler = Sampler::new(&joint());
    for basis in [Basis::Text, Basis::ActualClasses, Basis::ActualMasses, Basis::ExactFailure] {
        let (plan, classes) = plan(3, Rational::new(1, 20), basis);
        assert!(classes.len() >= 3);
        let too_few = |n_rows: u64| {
            failures(1, |rng| {
                let counts = by_class(&sampler.draw(rng, n_rows), &classes);
                counts.iter().any(|class| class.iter().sum::<u64>() > 0 && distinct(class) < 3)
            })
        };
        let n_failed = too_few(plan.n_rows);
        assert!(n_failed <= at_most(0.05), "{basis:?}: {n_failed} of {TRIALS}");
        // Confirm that the trials would detect a sample size that is too small.
        assert!(too_few(plan.n_rows / 6) > at_most(0.05));
    }
}

/// Rows may depend on each other within groups (households, clinics) that are mutually independent.
/// N groups are sufficient, because one row of each group gives N independent rows, and additional
/// rows remove no sensitive value. N rows in groups are not sufficient.
#[test]
fn n_independent_groups_suffice() {
    const SIZE: u64 = 6;
    let sampler = Sampler::new(&joint());
    for basis in [Basis::Text, Basis::ActualMasses, Basis::ExactFailure] {
        let (plan, classes) = plan(3, Rational::new(1, 20), basis);
        // All rows of a group are equal: the strongest possible dependence.
        let too_few = |n_groups: u64, seed: u64| {
            failures(seed, |rng| {
                let mut counts = by_class(&sampler.draw(rng, n_groups), &classes);
                counts.iter_mut().flatten().for_each(|count| *count *= SIZE);
                let missing =
                    |(counts, class): (&Vec<u64>, &indistinct_linkage::planned::PlannedClass)| {
                        class.designated.iter().any(|&s| counts[s as usize] == 0)
                    };
                counts.iter().zip(&plan.classes).any(missing)
            })
        };
        assert!(too_few(plan.n_rows, 11) <= at_most(0.05), "{basis:?}");
        // The number of rows is that of the plan, but the rows form groups.
        assert!(too_few(plan.n_rows / SIZE, 12) > at_most(0.05), "{basis:?}");
    }
}

#[test]
fn exact_failure_probability_matches_trials() {
    let sampler = Sampler::new(&joint());
    let (plan, classes) = plan(3, Rational::new(1, 20), Basis::Text);
    for n_rows in [20, 45, 90] {
        let exact = failure(&joint(), &classes, 3, n_rows).expect("small");
        let mut visited = [0u32; 2];
        failures(2, |rng| {
            let counts = by_class(&sampler.draw(rng, n_rows), &classes);
            let missing = counts
                .iter()
                .zip(&plan.classes)
                .any(|(counts, class)| class.designated.iter().any(|&s| counts[s as usize] == 0));
            visited[0] += u32::from(missing);
            visited[1] += u32::from(counts.iter().any(|class| distinct(class) < 3));
            missing
        });
        for (visited, exact) in visited.into_iter().zip([exact.designated, exact.counting_empty]) {
            let (t, visited) = (f64::from(TRIALS), f64::from(visited));
            let within = 5.0 * (t * exact * (1.0 - exact)).sqrt() + 1.0;
            assert!(
                (visited - t * exact).abs() <= within,
                "{n_rows} rows: {visited} of {t}, {exact}"
            );
        }
    }
}

#[test]
fn theorem_4_5_holds_for_equal_plans() {
    let sampler = Sampler::new(&joint());
    let (plan, classes) = plan(3, Rational::new(1, 50), Basis::ExactFailure);
    let composed = compose(&[&plan, &plan, &plan]).expect("three plans");
    assert_eq!(
        composed,
        Composition::Holds { l: 3, delta: Rational::new(3, 50), linked: Linked::default() }
    );
    let n_failed = failures(3, |rng| {
        let samples: Vec<Vec<Vec<u64>>> =
            (0..3).map(|_| by_class(&sampler.draw(rng, plan.n_rows), &classes)).collect();
        linked(&samples).iter().any(|class| distinct(class) < 3)
    });
    assert!(n_failed <= at_most(0.06), "{n_failed} of {TRIALS}");
    // Without designated values, composition would be false: each sample is 3-diverse, but the
    // linked sample is not.
    let n_broken = failures(4, |rng| {
        let samples: Vec<Vec<Vec<u64>>> =
            (0..3).map(|_| by_class(&sampler.draw(rng, plan.n_rows / 4), &classes)).collect();
        samples.iter().flatten().all(|class| distinct(class) >= 3)
            && linked(&samples).iter().any(|class| distinct(class) < 3)
    });
    assert!(n_broken > 0);
}

#[test]
fn sample_size_yields_k_anonymity_after_linkage() {
    let sampler = Sampler::new(&joint());
    let (plan, classes) = plan(3, Rational::new(1, 50), Basis::Text);
    let (delta, p) = (Rational::new(1, 20), Rational::new(1, 40));
    let smallest: u64 = classes
        .iter()
        .map(|class| joint().weights_in(class.clone()).iter().sum())
        .min()
        .expect("the list of classes is not empty");
    let mass = Rational::new(i128::from(smallest), i128::from(joint().total()));
    let n_rows = rows_for_counts(classes.len() as u64, &mass, 10, &delta).expect("some N");
    let below = |n_rows: u64, seed: u64| {
        failures(seed, |rng| {
            let counts = by_class(&sampler.draw(rng, n_rows), &classes);
            counts.iter().any(|class| class.iter().sum::<u64>() < 10)
        })
    };
    assert!(below(n_rows, 5) <= at_most(0.05));
    assert!(below(n_rows / 2, 5) > at_most(0.05));
    let n_rows = rows_for_linked_k(classes.len() as u64, 3, &p, 10, &delta).expect("some N");
    let n_failed = failures(6, |rng| {
        let samples: Vec<Vec<Vec<u64>>> =
            (0..2).map(|_| by_class(&sampler.draw(rng, n_rows), &classes)).collect();
        linked(&samples).iter().zip(&plan.classes).any(|(linked, class)| {
            linked.iter().sum::<u64>() < 10
                || class.designated.iter().any(|&s| linked[s as usize] < 4)
        })
    });
    assert!(n_failed <= at_most(0.1), "{n_failed} of {TRIALS}");
}

fn entropy_l(class: &[u64]) -> f64 {
    let total: u64 = class.iter().sum();
    let share = |&n: &u64| n as f64 / total as f64;
    class.iter().filter(|n| **n > 0).map(|n| -share(n) * share(n).ln()).sum::<f64>().exp()
}

#[test]
fn sample_size_yields_entropy_l_after_linkage() {
    let sampler = Sampler::new(&joint());
    let classes = [0..3, 3..6, 6..9, 9..12];
    let (l, delta) = (Rational::new(5, 2), Rational::new(1, 20));
    let size = rows_for_entropy(&joint(), &classes, &l, &delta).expect("diverse");
    let n_failed = failures(7, |rng| {
        let samples: Vec<Vec<Vec<u64>>> =
            (0..2).map(|_| by_class(&sampler.draw(rng, size.n_rows), &classes)).collect();
        let one = samples[0].iter().any(|class| entropy_l(class) < 2.5);
        one || linked(&samples).iter().any(|class| entropy_l(class) < 2.5)
    });
    assert!(n_failed <= at_most(0.1), "{n_failed} of {TRIALS}");
    let few = failures(8, |rng| {
        let sample = by_class(&sampler.draw(rng, 20), &classes);
        sample.iter().any(|class| entropy_l(class) < 2.5)
    });
    assert!(few > at_most(0.05));
    let diverse = rows_for_entropy(&joint(), &classes, &Rational::new(6, 1), &delta);
    assert!(diverse.is_err());
}

/// Returns about the smallest number of rows that fails in at most a twentieth of the trials.
fn rows_by_trials(joint: &Joint, classes: &[Range<usize>], l: f64) -> u64 {
    let sampler = Sampler::new(joint);
    let fails = |n_rows: u64| {
        failures(10, |rng| {
            let sample = by_class(&sampler.draw(rng, n_rows), classes);
            sample.iter().any(|class| entropy_l(class) < l)
        }) > TRIALS / 20
    };
    let mut n_rows = 4;
    while fails(n_rows) {
        n_rows += (n_rows / 8).max(1);
    }
    n_rows
}

/// The bound also covers linked releases, in contrast to the trials, and needs several times as
/// many rows.
#[test]
fn entropy_bound_is_within_a_factor() {
    let one = |weights: &[u64]| {
        let entries: Vec<(u32, u32, u64)> =
            (0..).zip(weights).map(|(s, &weight)| (0, s, weight)).collect();
        Joint::of_counts(1, weights.len(), &entries).expect("a distribution")
    };
    let delta = Rational::new(1, 20);
    // A value with nearly half of the rows does not prevent an entropy of log 2.
    for (weights, l) in [
        (&[49, 20, 20, 11][..], Rational::new(2, 1)),
        (&[40, 25, 20, 15], Rational::new(3, 1)),
        (&[60, 20, 10, 10], Rational::new(5, 2)),
        (&[10, 10, 10, 10, 10, 10, 10, 10, 10, 10], Rational::new(5, 1)),
    ] {
        let (joint, class) = (one(weights), Range { start: 0, end: 1 });
        let size = rows_for_entropy(&joint, std::slice::from_ref(&class), &l, &delta);
        let bound = size.expect("diverse").n_rows;
        let trials = rows_by_trials(&joint, &[class], to_f64(&l));
        assert!(bound >= trials && bound <= 16 * trials, "{weights:?} {l}: {bound} {trials}");
    }
    let classes = [0..3, 3..6, 6..9, 9..12];
    let bound = rows_for_entropy(&joint(), &classes, &Rational::new(7, 2), &delta);
    let (bound, trials) = (bound.expect("diverse").n_rows, rows_by_trials(&joint(), &classes, 3.5));
    assert!(bound >= trials && bound <= 16 * trials, "{bound} {trials}");
}

fn linked_plan(linked: Linked, basis: Basis) -> (Plan, Vec<Range<usize>>) {
    let target = Target::new(3, Rational::new(1, 20)).expect("valid").with_linked(linked);
    let plan = greedy_plan(&joint(), &target.expect("valid"), &Rational::new(1, 40), basis);
    let plan = plan.expect("feasible");
    let classes = plan.classes.iter().map(|class| class.combinations.clone()).collect();
    (plan, classes)
}

#[test]
fn planned_k_holds_after_linkage() {
    let sampler = Sampler::new(&joint());
    let linked_k = Linked { k: Some(10), entropy_l: None };
    for basis in [Basis::Text, Basis::ActualClasses, Basis::ActualMasses, Basis::ExactFailure] {
        let (plan, classes) = linked_plan(linked_k, basis);
        assert_eq!(plan.target.times(), 4);
        let too_few = |n_rows: u64| {
            failures(21, |rng| {
                let samples: Vec<Vec<Vec<u64>>> =
                    (0..2).map(|_| by_class(&sampler.draw(rng, n_rows), &classes)).collect();
                let linked = linked(&samples);
                linked.iter().any(|class| class.iter().sum::<u64>() < 10 || distinct(class) < 3)
            })
        };
        let n_failed = too_few(plan.n_rows);
        assert!(n_failed <= at_most(0.1), "{basis:?}: {n_failed} of {TRIALS}");
        let (without, _) = linked_plan(Linked::default(), basis);
        assert!(without.n_rows < plan.n_rows, "{basis:?}");
        assert!(too_few(without.n_rows / 2) > at_most(0.1), "{basis:?}");
    }
    let (plan, classes) = linked_plan(linked_k, Basis::ExactFailure);
    let holds = |plans: &[&Plan]| match compose(plans).expect("plans") {
        Composition::Holds { l, linked, .. } => (l, linked.k),
        Composition::Refused { .. } => panic!("the classes are equal"),
    };
    assert_eq!(holds(&[&plan, &plan]), (3, Some(12)));
    assert_eq!(holds(&[&plan, &linked_plan(Linked::default(), Basis::Text).0]), (3, None));
    for n_rows in [plan.n_rows / 2, plan.n_rows] {
        let exact = plan.exact_failure(n_rows).expect("few rows").expect("no entropy");
        let n_failed = failures(22, |rng| {
            let counts = by_class(&sampler.draw(rng, n_rows), &classes);
            let is_rare = |(counts, class): (&Vec<u64>, &PlannedClass)| {
                class.designated.iter().any(|&s| counts[s as usize] < 4)
            };
            counts.iter().zip(&plan.classes).any(is_rare)
        });
        let (t, n_failed) = (f64::from(TRIALS), f64::from(n_failed));
        let within = 5.0 * (t * exact * (1.0 - exact)).sqrt() + 1.0;
        assert!((n_failed - t * exact).abs() <= within, "{n_rows}: {n_failed} of {t}, {exact}");
    }
}

/// If the counts of all releases satisfy the conditions, linked classes have the entropy with
/// certainty, and the conditions fail with at most the stated probability.
#[test]
fn planned_entropy_holds_after_linkage() {
    let sampler = Sampler::new(&joint());
    let l = Rational::new(5, 2);
    let linked_entropy = Linked { k: None, entropy_l: Some(l) };
    let (plan, classes) = linked_plan(linked_entropy, Basis::ActualMasses);
    let slack = to_f64(&plan.slack.expect("a slack"));
    let share = |p: &BigRational| p.to_f64().expect("a number");
    let holds = |counts: &[Vec<u64>], n_rows: u64| {
        counts.iter().zip(&plan.classes).all(|(counts, class)| {
            let least = class.probabilities.iter().map(share).fold(1.0, f64::min);
            counts.iter().enumerate().all(|(s, &n)| {
                let at = class.designated.iter().position(|it| *it as usize == s);
                let (low, high) = match at {
                    Some(at) => {
                        let p = share(&class.probabilities[at]);
                        (p - slack * p.sqrt(), p + slack * p.sqrt())
                    }
                    None => (0.0, least + slack * least.sqrt()),
                };
                (low..=high).contains(&(n as f64 / n_rows as f64))
            })
        })
    };
    let (mut n_linked, mut n_low) = (0, 0);
    let n_failed = failures(23, |rng| {
        // The releases have different numbers of rows, all of them sufficient.
        let sizes = [plan.n_rows, plan.n_rows + 7, plan.n_rows * 2];
        let samples = sizes.map(|n_rows| by_class(&sampler.draw(rng, n_rows), &classes));
        let are_balanced = samples.iter().zip(sizes).all(|(counts, n)| holds(counts, n));
        let has_entropy = linked(&samples).iter().all(|class| entropy_l(class) >= 2.5);
        n_linked += u32::from(are_balanced);
        assert!(has_entropy || !are_balanced);
        !are_balanced
    });
    assert!(n_failed <= at_most(0.15) && n_linked > 0, "{n_failed} of {TRIALS}");
    // Far fewer rows satisfy the conditions less often, and do not have the entropy.
    let few = plan.n_rows / 40;
    let n_failed = failures(24, |rng| {
        let samples = [few; 3].map(|n_rows| by_class(&sampler.draw(rng, n_rows), &classes));
        let are_balanced = samples.iter().all(|counts| holds(counts, few));
        let has_entropy = linked(&samples).iter().all(|class| entropy_l(class) >= 2.5);
        assert!(has_entropy || !are_balanced);
        n_low += u32::from(!has_entropy);
        !are_balanced
    });
    assert!(n_failed > at_most(0.15) && n_low > 0, "{n_failed} {n_low}");
    // One row of a person is certain: the stated probability is an upper bound.
    let cells: Vec<(usize, usize)> = (0..12).flat_map(|q| (0..6).map(move |s| (q, s))).collect();
    for (turn, (q, s)) in cells.into_iter().enumerate().step_by(11) {
        let n_failed = failures(30 + turn as u64, |rng| {
            let mut counts = sampler.draw(rng, plan.n_rows - 1);
            counts[q][s] += 1;
            !holds(&by_class(&counts, &classes), plan.n_rows)
        });
        assert!(n_failed <= at_most(plan.delta_of_one_person()), "{n_failed} of {TRIALS}");
    }
    let composed = |plans: &[&Plan]| match compose(plans).expect("plans") {
        Composition::Holds { linked, .. } => linked.entropy_l,
        Composition::Refused { .. } => panic!("the classes are equal"),
    };
    assert_eq!(composed(&[&plan, &plan, &plan]), Some(l));
    assert_eq!(composed(&[&plan, &linked_plan(Linked::default(), Basis::Text).0]), None);
    let target = Target::new(3, Rational::new(1, 20)).expect("valid");
    for entropy_l in [Rational::new(1, 2), Rational::new(4, 1)] {
        let linked = Linked { k: None, entropy_l: Some(entropy_l) };
        assert!(target.clone().with_linked(linked).is_err());
    }
}

/// The exact probability that at least one of the cells is missing in n rows, by inclusion and
/// exclusion.
fn some_missing(cells: &[f64], n_rows: u64) -> f64 {
    (1u32..1 << cells.len())
        .map(|set| {
            let mass: f64 =
                (0..cells.len()).filter(|at| set >> at & 1 == 1).map(|at| cells[at]).sum();
            let sign = if set.count_ones() % 2 == 1 { 1.0 } else { -1.0 };
            sign * (1.0 - mass).max(0.0).powf(n_rows as f64)
        })
        .sum()
}

#[test]
fn distribution_error_stays_within_stated_effect() {
    let (plan, classes) =
        plan_for(Rational::new(1, 16), 3, Rational::new(1, 20), Basis::ActualMasses);
    let total = joint().total() as f64;
    let mut cells: Vec<(usize, f64)> = Vec::new();
    for (at, (class, range)) in plan.classes.iter().zip(&classes).enumerate() {
        let weights = joint().weights_in(range.clone());
        cells.extend(class.designated.iter().map(|&s| (at, weights[s as usize] as f64 / total)));
    }
    assert!(cells.len() <= 16);
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for (numerator, keeps_l) in [(0, 3), (1, 2), (8, 1), (90, 0)] {
        let eta = Rational::new(numerator, 1000);
        let effect = effect_of_error(&plan, &eta).expect("valid");
        assert!(effect.l >= keeps_l, "{numerator}: {effect:?}");
        let eta = numerator as f64 / 1000.0;
        for round in 0..200 {
            // Take eta from designated cells: first from the least probable cells, in later rounds
            // from random cells.
            let mut true_cells = cells.clone();
            if round == 0 {
                true_cells.sort_by(|a, b| a.1.total_cmp(&b.1));
            } else {
                for at in (1..true_cells.len()).rev() {
                    true_cells.swap(at, rng.next_u32() as usize % (at + 1));
                }
            }
            let mut left = eta;
            for (_, p) in &mut true_cells {
                let share =
                    if round % 2 == 0 { 1.0 } else { f64::from(rng.next_u32() % 100) / 100.0 };
                let shift = (left * share).min(*p);
                *p -= shift;
                left -= shift;
            }
            let all: Vec<f64> = true_cells.iter().map(|cell| cell.1).collect();
            let failing = some_missing(&all, plan.n_rows);
            assert!(failing <= effect.delta + 1e-9, "{eta}: {failing} above {}", effect.delta);
            if effect.l > 0 {
                let mut fewer: Vec<f64> = Vec::new();
                for class in 0..classes.len() {
                    let own = true_cells.iter().filter(|cell| cell.0 == class);
                    let mut own: Vec<f64> = own.map(|cell| cell.1).collect();
                    own.sort_by(|a, b| b.total_cmp(a));
                    fewer.extend(&own[..effect.l as usize]);
                }
                let failing = some_missing(&fewer, plan.n_rows);
                assert!(failing <= 0.05 + 1e-9, "{eta}, l = {}: {failing}", effect.l);
            }
            if let Some(n_rows) = effect.n_rows {
                assert!(some_missing(&all, n_rows) <= 0.05 + 1e-9);
                assert!(n_rows >= plan.n_rows);
            }
        }
    }
    let none = effect_of_error(&plan, &Rational::new(0, 1)).expect("valid");
    assert!((none.l, none.n_rows) == (3, Some(plan.n_rows)) && none.delta <= 0.05);
    assert!(effect_of_error(&plan, &Rational::new(9, 8)).is_err());
}
