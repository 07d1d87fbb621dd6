//! Compares Figures 4 to 6 with counts of incomes and with single workloads of queries.

use indistinct_core::Silent;
use indistinct_measure::axes::Axes;
use indistinct_measure::queries::{self, Workload};

use super::{Incomes, Near, requested};
use crate::comparison::Agreement;
use crate::experiment::Lab;
use crate::tests::{panel_of, quick, run_quickly};

const SEEDS: [u64; 2] = [7, 8];

/// Returns the mean error of a workload in percent, over both seeds.
fn error(
    incomes: &Incomes,
    (near, epsilon, m): (Near, &str, u64),
    dimension: usize,
    volume: f64,
) -> f64 {
    let pair = incomes.generalized(&requested(near, epsilon, m)).expect("an answer");
    let pair = pair.expect("the table can be generalized");
    let axes = Axes::new(&pair);
    let of_seed = |seed: u64| {
        let workload = Workload { dimension, volume, n_queries: 100, seed };
        let errors = queries::errors(&pair, &axes, &workload, &Silent).expect("a workload");
        100.0 * errors.relative.expect("some query has an estimate").mean
    };
    SEEDS.map(of_seed).iter().sum::<f64>() / SEEDS.len() as f64
}

fn assert_near(shown: Option<f64>, expected: f64) {
    assert!(shown.is_some_and(|it| (it - expected).abs() < 1e-9), "{shown:?}, not {expected}");
}

/// Returns the largest retention probability for m = 5 according to Equation 3, or `None` if more
/// than a fifth of the rows are near one row. `thousandths` is epsilon, as a number of units or a
/// fraction of the income.
fn retention(incomes: &Incomes, near: Near, thousandths: u64) -> Option<f64> {
    let column = &incomes.table.sensitive()[0];
    let number = |text: &String| text.parse::<u64>().expect("an income");
    let values: Vec<u64> = column.dictionary.values().iter().map(number).collect();
    let rows: Vec<(u64, u64)> =
        values.into_iter().zip(incomes.table.marginal(column)).filter(|row| row.1 > 0).collect();
    let n = incomes.table.n_rows() as f64;
    let of_row = |&(income, _): &(u64, u64)| {
        let radius = match near {
            Near::Absolute => thousandths / 1000,
            Near::Relative => thousandths * income / 1000,
        };
        let within = income.saturating_sub(radius)..=income + radius;
        let near: u64 = rows.iter().filter(|row| within.contains(&row.0)).map(|row| row.1).sum();
        let (low, high) = (1_000.max(*within.start()), 100_000.min(*within.end()));
        let (share, length) = (near as f64 / n, (high - low + 1) as f64 / 99_001.0);
        let (kept, breached) = (length * (1.0 - 5.0 * share), share * 4.0);
        (5.0 * share <= 1.0).then(|| kept / (kept + breached))
    };
    let each: Option<Vec<f64>> = rows.iter().map(of_row).collect();
    each?.into_iter().reduce(f64::min)
}

#[test]
fn figure_4_compares_generalization_with_perturbation() {
    let options = quick(None);
    let incomes = Incomes::new(&Lab::new(&options)).expect("the table is generated");
    let found = run_quickly("epsilon-m-4", None);
    for (near, epsilons, thousandths) in [
        (Near::Absolute, ["1000", "4500"], [1_000_000, 4_500_000]),
        (Near::Relative, ["0.05", "0.125"], [50, 125]),
    ] {
        let word = near.word();
        let errors = panel_of(&found, word);
        assert_eq!(errors.labels, epsilons);
        let retained = panel_of(&found, &format!("{word}-retention")).values("perturbation");
        let [of_classes, of_noise] =
            ["(epsilon, m)-anonymity", "perturbation"].map(|name| errors.values(name));
        for at in 0..2 {
            let expected = error(&incomes, (near, epsilons[at], 5), 3, 0.1);
            assert_near(of_classes[at], expected);
            let p = retention(&incomes, near, thousandths[at]);
            assert_eq!(
                (retained[at].is_some(), of_noise[at].is_some()),
                (p.is_some(), p.is_some())
            );
            if let (Some(p), Some(shown)) = (p, retained[at]) {
                // The published probability is rounded down to millionths.
                assert!((-1e-9..1e-6 + 1e-9).contains(&(p - shown)), "{word}: {shown}, not {p}");
            }
        }
        let statement = format!(
            "(epsilon, m)-anonymity produces significantly more useful data than perturbation \
             ({word})"
        );
        let row = found.rows.iter().find(|row| row.statement == statement).expect("a comparison");
        let pairs = || of_classes.iter().zip(of_noise).filter_map(|(a, b)| Some(((*a)?, (*b)?)));
        assert!(pairs().count() > 0 && pairs().all(|(a, b)| a < b), "{errors:?}");
        assert_eq!(row.verdict, Agreement::Pass, "{row:?}");
    }
}

#[test]
fn figures_5_and_6_show_errors_by_m_and_volume() {
    let options = quick(None);
    let incomes = Incomes::new(&Lab::new(&options)).expect("the table is generated");
    let (of_m, of_volume) = (run_quickly("epsilon-m-5", None), run_quickly("epsilon-m-6", None));
    for near in [Near::Absolute, Near::Relative] {
        let (by_m, by_volume) = (panel_of(&of_m, near.word()), panel_of(&of_volume, near.word()));
        assert_eq!(
            (&by_m.labels[..], &by_volume.labels[..]),
            (&["2".to_owned(), "5".to_owned()][..], &["5%".to_owned(), "20%".to_owned()][..],)
        );
        for dimension in 2..=4 {
            let line = format!("{dimension}D");
            for (at, m) in [2, 5].into_iter().enumerate() {
                let expected = error(&incomes, (near, near.middle(), m), dimension, 0.1);
                assert_near(by_m.values(&line)[at], expected);
            }
            for (at, volume) in [0.05, 0.2].into_iter().enumerate() {
                let expected = error(&incomes, (near, near.middle(), 5), dimension, volume);
                assert_near(by_volume.values(&line)[at], expected);
            }
        }
    }
}
