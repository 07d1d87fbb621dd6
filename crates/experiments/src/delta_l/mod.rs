//! Evaluates the claims in the (delta, l)-diversity paper on random classes. The paper contains no
//! experiments.

use indistinct_text::words;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::comparison::{Agreement, Row};
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab};
use crate::figure::Panel;

/// The experiment that evaluates the merging of classes, the algorithm in Figure 3, and reading
///
pub(crate) static CLAIMS: Experiment = Experiment {
    name: "delta-l-claims",
    title: "(delta, l)-diversity of random classes: merging, the algorithm, and the advantage over \
         (epsilon, m)-anonymity",
    source: "(delta, l)-diversity paper, Sections 3 to 5, which contain no measurements",
    needs: &[],
    work: run,
};

/// The maximum of the random values. The minimum is 0.
const DOMAIN: u64 = 100;
/// The sizes of the random classes.
const SIZES: [usize; 6] = [2, 3, 4, 6, 8, 12];

/// Returns the maximum number of rows that are similar to one row. Rows are similar if their
/// delta-intervals overlap (Definition 5).
fn most_similar(class: &[i64], delta: i64) -> usize {
    let similar = |x: &i64| class.iter().filter(|y| (x - *y).abs() <= 2 * delta).count();
    class.iter().map(similar).max().unwrap_or(0)
}

/// Returns the maximum number of rows within epsilon of one row, as in (epsilon, m)-anonymity.
fn most_near(class: &[i64], epsilon: i64) -> usize {
    let near = |x: &i64| class.iter().filter(|y| (x - *y).abs() <= epsilon).count();
    class.iter().map(near).max().unwrap_or(0)
}

/// Runs the algorithm in Figure 3 as printed, with real-valued quotients (reading A-4). `None`
/// represents infinity, the initial value.
fn as_printed(class: &[i64], delta: i64) -> Option<f64> {
    let mut t = class.to_vec();
    t.sort_unstable();
    let (mut i, mut j, mut x) = (0, 1, 0);
    let mut least: Option<f64> = None;
    while j < t.len() {
        while t[i] + delta < t[x] - delta {
            i += 1;
        }
        while j < t.len() && t[j] - delta <= t[i] + delta {
            j += 1;
        }
        let next = t.len() as f64 / (j - i) as f64;
        least = Some(least.map_or(next, |least| least.min(next)));
        x += 1;
    }
    least
}

/// Returns the maximum number of rows in a closed window of width 2 delta.
fn most_in_window(class: &[i64], delta: i64) -> usize {
    let within = |x: &i64| class.iter().filter(|y| (*x..=x + 2 * delta).contains(*y)).count();
    class.iter().map(within).max().unwrap_or(0)
}

/// Statistics of pairs of classes with the same size.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    pairs: u64,
    /// The number of pairs whose union is less diverse than both classes, according to Definition 5
    /// and according to windows.
    broken: [u64; 2],
    /// The number of classes for which Figure 3 and Definition 5 yield different values of l.
    other_l: u64,
    /// The number of classes for which Definition 5 differs from (2 delta, l)-anonymity, or for
    /// which Figure 3 differs from the window.
    not_as_read: u64,
    /// The number of classes that become less diverse if a value between two of their values is
    /// added.
    worse_with_more: u64,
}

fn tally(n_rows: usize, n_pairs: u64, delta: i64, rng: &mut ChaCha8Rng) -> Tally {
    let mut tally = Tally { pairs: n_pairs, ..Tally::default() };
    let class = |rng: &mut ChaCha8Rng| -> Vec<i64> {
        (0..n_rows).map(|_| (rng.next_u64() % (DOMAIN + 1)) as i64).collect()
    };
    for _ in 0..n_pairs {
        let (first, second) = (class(rng), class(rng));
        let union = [first.clone(), second.clone()].concat();
        let counts: [fn(&[i64], i64) -> usize; 2] = [most_similar, most_in_window];
        for (broken, most) in tally.broken.iter_mut().zip(counts) {
            let is_below = |part: &Vec<i64>| {
                union.len() * most(part, delta) < part.len() * most(&union, delta)
            };
            *broken += u64::from(is_below(&first) && is_below(&second));
        }
        let l = n_rows as f64 / most_similar(&first, delta) as f64;
        let printed = as_printed(&first, delta);
        tally.other_l += u64::from(printed.is_none_or(|printed| (printed - l).abs() > 1e-9));
        let window = n_rows as f64 / most_in_window(&first, delta) as f64;
        let is_window = printed.is_some_and(|printed| (printed - window).abs() < 1e-9);
        let is_proximity = most_similar(&first, delta) == most_near(&first, 2 * delta);
        tally.not_as_read += u64::from(!is_window || !is_proximity);
        let (low, high) = (first.iter().min(), first.iter().max());
        if let (Some(low), Some(high)) = (low, high) {
            let more = [first.clone(), vec![(low + high) / 2]].concat();
            let before = most_similar(&first, delta) * more.len();
            tally.worse_with_more += u64::from(most_similar(&more, delta) * first.len() > before);
        }
    }
    tally
}

fn run(lab: &Lab<'_>) -> Result<Findings, Error> {
    let n_pairs = lab.by_effort(20_000, 500);
    let seeds = lab.seeds();
    let delta = 5;
    let mut each = Vec::new();
    for &seed in &seeds {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let all = SIZES.map(|size| tally(size, n_pairs, delta, &mut rng));
        let share = |of: fn(&Tally) -> u64| -> Vec<Option<f64>> {
            all.iter().map(|it| Some(100.0 * of(it) as f64 / it.pairs as f64)).collect()
        };
        let labels = SIZES.iter().map(usize::to_string).collect();
        let axes = ("rows in a class", "% of the classes or pairs");
        let panel = Panel::new("claims", "Violations of the claims in the paper", axes, labels)
            .with(
                "the union is less diverse than both classes (Definition 5)",
                share(|it| it.broken[0]),
            )
            .with("the union is less diverse than both classes (window)", share(|it| it.broken[1]))
            .with("Figure 3 and Definition 5 give different values of l", share(|it| it.other_l));
        each.push((vec![panel], of_seed(&all)));
    }
    let setting = format!(
        "For each class size and each of {} seeds, starting with {}, the experiment draws {} pairs \
         of classes with values from 0 to {DOMAIN}; delta is {delta}. The classes are evaluated \
         row by row, without the code that implements the principles in Indistinct. The plot shows \
         the means over all seeds.",
        seeds.len(),
        lab.options.seed,
        words::thousands(n_pairs),
    );
    Ok(Findings::over_seeds(setting, &seeds, each))
}

fn of_seed(all: &[Tally]) -> Vec<Row> {
    let sum = |of: fn(&Tally) -> u64| all.iter().map(of).sum::<u64>();
    let pairs = sum(|it| it.pairs);
    let [by_definition, by_window] = [sum(|it| it.broken[0]), sum(|it| it.broken[1])];
    vec![
        Row::new(
            "(delta, l)-diversity honors monotonicity",
            format!(
                "the union is less diverse than both classes in {by_definition} of {pairs} pairs"
            ),
            by_definition == 0,
            "criterion: no union is less diverse than both classes, measured by Definition 5",
        )
        .because(
            "the definition is not monotone (reading A-1)",
            "core/tests/readings.rs: a1_merging_may_break_the_definition",
        ),
        Row::new(
            "Not in the paper: the window in Figure 3 satisfies monotonicity",
            format!("the union is less diverse than both classes in {by_window} of {pairs} pairs"),
            by_window == 0,
            "the algorithm in Figure 3 does not check Definition 5 but counts the values in a \
             window (reading A-2); to use the window in a policy, set reading = \"window\"",
        ),
        Row::new(
            "Figure 3 checks (delta, l)-diversity",
            format!("l differs for {} of {pairs} classes", sum(|it| it.other_l)),
            sum(|it| it.other_l) == 0,
            "criterion: the l from Figure 3 equals the l from Definition 5 for each class",
        )
        .because(
            "Figure 3 counts the values in a window (reading A-2)",
            "core/tests/readings.rs: a2_algorithm_and_definition_differ",
        ),
        Row::new(
            "Readings A-1 and A-2: Definition 5 is absolute (2 delta, l)-anonymity, and Figure 3 \
             counts the values in a window",
            format!("violated by {} of {pairs} classes", sum(|it| it.not_as_read)),
            sum(|it| it.not_as_read) == 0,
            "tested on classes with at least two rows",
        ),
        Row::new(
            "In contrast to (epsilon, m)-anonymity, (delta, l)-diversity does not decrease if an \
             intermediate value is added to a class",
            format!(
                "{} of {pairs} classes are less diverse with the additional value",
                sum(|it| it.worse_with_more)
            ),
            match pairs {
                0 => Agreement::NotComparable,
                _ => Agreement::from(sum(|it| it.worse_with_more) == 0),
            },
            "criterion: no class is less diverse with the midpoint between its smallest and its \
             largest value; the paper compares {40, 60} with {40, 50, 60}",
        )
        .because(
            "the definition has the defect that the paper criticizes (reading A-5)",
            "core/tests/readings.rs: a5_intermediate_value_lowers_delta_l",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counterexamples_of_readings() {
        // Tests the example in reading A-1.
        assert_eq!(most_similar(&[40, 80], 15), 1);
        assert_eq!(most_similar(&[40, 60, 80, 100], 15), 3);
        // Tests the example in reading A-2.
        assert_eq!(most_similar(&[40, 60, 80], 10), 3);
        assert_eq!(as_printed(&[40, 60, 80], 10), Some(1.5));
        assert_eq!(most_in_window(&[40, 60, 80], 10), 2);
        // Tests the example in reading A-3.
        assert_eq!(as_printed(&[5], 10), None);
    }
}
