//! Tests the estimators against naive computations and simulated populations.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

fn sample(sizes: &[(u64, u64)], fraction: f64) -> Sample {
    Sample { class_sizes: sizes.iter().copied().collect(), fraction }
}

/// Draws a sample from a population, given by its class sizes, with the same probability for each
/// person. Returns the class sizes of the sample.
fn drawn(population: &[u64], fraction: f64, random: &mut impl Rng) -> Sample {
    let mut class_sizes = BTreeMap::new();
    for &size in population {
        let n = (0..size).filter(|_| random.random::<f64>() < fraction).count() as u64;
        if n > 0 {
            *class_sizes.entry(n).or_insert(0) += 1;
        }
    }
    Sample { class_sizes, fraction }
}

/// Generates a population by Pitman's formula, person by person.
fn of_pitman(n_people: usize, theta: f64, alpha: f64, random: &mut impl Rng) -> Vec<u64> {
    let mut classes: Vec<u64> = vec![1];
    // The class of each person. Drawing a person at random then selects a class with a probability
    // proportional to its size.
    let mut class_of: Vec<usize> = vec![0];
    for n in 1..n_people {
        let is_new =
            random.random::<f64>() * (n as f64 + theta) < theta + classes.len() as f64 * alpha;
        let class = if is_new {
            classes.push(0);
            classes.len() - 1
        } else {
            // To select a class with a weight of (size - alpha), draw a person and reject the draw
            // with probability alpha / size.
            loop {
                let class = class_of[random.random_range(0..n)];
                if random.random::<f64>() >= alpha / classes[class] as f64 {
                    break class;
                }
            }
        };
        classes[class] += 1;
        class_of.push(class);
    }
    classes
}

/// Generates a population of the slide negative binomial model.
fn of_snb(n_classes: usize, alpha: u32, beta: f64, random: &mut impl Rng) -> Vec<u64> {
    let geometric = |random: &mut dyn FnMut() -> f64| (random().ln() / (1.0 - beta).ln()) as u64;
    (0..n_classes)
        .map(|_| 1 + (0..alpha).map(|_| geometric(&mut || random.random::<f64>())).sum::<u64>())
        .collect()
}

fn uniques(population: &[u64]) -> f64 {
    population.iter().filter(|size| **size == 1).count() as f64
}

fn relative(estimate: Option<f64>, truth: f64) -> f64 {
    (estimate.expect("an estimate exists") - truth) / truth
}

#[test]
fn zayatz_estimate_follows_bayes_rule() {
    // A sample of three out of five people with two classes of sizes 1 and 2, so s_1 = s_2 = 1.
    let given = sample(&[(1, 1), (2, 1)], 0.6);
    // Of the 10 possible samples, 6 contain a given person, and 2 * C(3, 2) = 6 contain exactly one
    // of two people.
    let share = 0.6 / (0.6 + 0.6);
    let expected = share / 0.6;
    assert!(((ZAYATZ.n_unique)(&given).expect("a number") - expected).abs() < 1e-10);
}

/// Computes the derivatives of the likelihood term by term.
#[test]
fn pitman_fit_solves_likelihood_equations() {
    let given = sample(&[(1, 400), (2, 120), (3, 60), (7, 20), (40, 5)], 0.05);
    let (theta, alpha) = pitman::fitted(&given).expect("a maximum");
    let (n, u) = (given.n_rows() as u64, given.n_classes() as u64);
    let sum = |to: u64, of: &dyn Fn(f64) -> f64| (1..to).map(|i| of(i as f64)).sum::<f64>();
    let by_theta = sum(u, &|i| 1.0 / (theta + i * alpha)) - sum(n, &|i| 1.0 / (theta + i));
    let of_sizes: f64 = given
        .class_sizes
        .iter()
        .map(|(size, n)| *n as f64 * sum(*size, &|i| 1.0 / (i - alpha)))
        .sum();
    let by_alpha = sum(u, &|i| i / (theta + i * alpha)) - of_sizes;
    assert!(by_theta.abs() < 1e-6 && by_alpha.abs() < 1e-3, "{by_theta} {by_alpha}");
    assert!((pitman::by_theta(&given, theta, alpha) - by_theta).abs() < 1e-8);
    assert!((pitman::by_alpha(&given, theta, alpha) - by_alpha).abs() < 1e-5);
}

#[test]
fn pitman_estimates_uniques_of_pitman_populations() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for (theta, alpha) in [(50.0, 0.5), (500.0, 0.3), (20.0, 0.8)] {
        let population = of_pitman(100_000, theta, alpha, &mut random);
        let sample = drawn(&population, 0.05, &mut random);
        let error = relative((PITMAN.n_unique)(&sample), uniques(&population));
        assert!(error.abs() < 0.15, "{theta} {alpha}: {error}");
    }
}

/// Computes the expected numbers of classes as sums over the class sizes of the population.
#[test]
fn snb_equations_match_expected_class_counts() {
    for (f, alpha, beta) in [(0.2, 1.0, 0.3), (0.5, 2.0, 0.6), (0.1, 3.0, 0.1)] {
        let (mut one, mut two) = (0.0, 0.0);
        // The probability P(F = j), where j - 1 has a negative binomial distribution.
        let mut probability = f64::powf(beta, alpha);
        for j in 1..2_000 {
            let size = f64::from(j);
            one += probability * size * f * f64::powf(1.0 - f, size - 1.0);
            two += probability * size * (size - 1.0) / 2.0 * f * f * f64::powf(1.0 - f, size - 2.0);
            probability *= (size - 1.0 + alpha) / size * (1.0 - beta);
        }
        let expected = snb::expected(f, alpha, beta);
        assert!((expected.0 - one).abs() < 1e-10 && (expected.1 - two).abs() < 1e-10);
    }
}

#[test]
fn snb_estimates_uniques_of_snb_populations() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for (alpha, beta, fraction) in [(1, 0.3, 0.3), (2, 0.5, 0.5), (1, 0.6, 0.5)] {
        let population = of_snb(60_000, alpha, beta, &mut random);
        let sample = drawn(&population, fraction, &mut random);
        let classes = snb::classes_of_population(&sample).expect("a number");
        assert!((classes / 60_000.0 - 1.0).abs() < 0.25, "{classes}");
        let error = relative((SNB.n_unique)(&sample), uniques(&population));
        assert!(error.abs() < 0.35, "{alpha} {beta} {fraction}: {error}");
    }
}

#[test]
fn estimator_choice_depends_on_sampling_fraction() {
    let sizes = [(1, 400), (2, 120), (3, 60), (7, 20), (40, 5)];
    let small = estimate(&sample(&sizes, 0.05)).expect("the sample is not empty");
    assert_eq!(small.chosen, Some("pitman"));
    let large = estimate(&sample(&sizes, 0.4)).expect("the sample is not empty");
    let of = |name: &str| {
        large.estimates.iter().find(|it| it.estimator == name).and_then(|it| it.n_unique)
    };
    let (zayatz, snb) = (of("zayatz").expect("a number"), of("snb").unwrap_or(f64::INFINITY));
    let chosen = if zayatz < snb { "zayatz" } else { "snb" };
    assert_eq!(large.chosen, Some(chosen));
    assert_eq!(large.population_unique_fraction, Some(zayatz.min(snb) / large.n_people));
}

#[test]
fn census_and_samples_without_uniques_need_no_estimate() {
    let whole = estimate(&sample(&[(1, 3), (4, 1)], 1.0)).expect("the sample is not empty");
    assert_eq!((whole.chosen, whole.population_unique_fraction), (None, Some(3.0 / 7.0)));
    let none_alone = estimate(&sample(&[(2, 3)], 0.1)).expect("the sample is not empty");
    assert_eq!((none_alone.chosen, none_alone.population_unique_fraction), (None, Some(0.0)));
    assert_eq!(estimate(&sample(&[], 0.1)), None);
}

#[test]
fn degenerate_samples_have_valid_estimates_or_none() {
    for sizes in [&[(1, 1)][..], &[(1, 10)], &[(1, 1), (100_000, 1)], &[(1, 5), (2, 1)]] {
        for fraction in [1e-6, 0.01, 0.1, 0.11, 0.5, 0.999] {
            let found = estimate(&sample(sizes, fraction)).expect("the sample is not empty");
            for estimate in &found.estimates {
                let is_sound =
                    estimate.n_unique.is_none_or(|n| (0.0..=found.n_people).contains(&n));
                assert!(is_sound, "{sizes:?} {fraction} {estimate:?}");
            }
        }
    }
}
