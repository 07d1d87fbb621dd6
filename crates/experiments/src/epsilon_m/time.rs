//! Reproduces Figure 7, the computation time of generalization as a function of m and epsilon.

use super::{Incomes, Near, requested};
use crate::comparison::{Row, falls, no_change, rises};
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab};
use crate::figure::{Panel, known};
use crate::search::timed;

/// The computation time as a function of m and of epsilon.
pub(crate) static FIGURE_7: Experiment = Experiment {
    name: "epsilon-m-7",
    title: "Computation time as a function of m and epsilon",
    source: "(epsilon, m)-anonymity paper (SIGMOD 2008), Figure 7",
    needs: &[],
    work: run,
};

/// Returns the median time in milliseconds, or `None` if the table cannot be generalized.
fn time(
    lab: &Lab<'_>,
    incomes: &Incomes,
    near: Near,
    epsilon: &str,
    m: u64,
) -> Result<Option<f64>, Error> {
    let policy = incomes.policy(&requested(near, epsilon, m));
    // Use a single thread, as on the machine in the paper.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (ms, found) = timed(lab.by_effort(3, 1), || {
        // Errors are converted to strings, because the error type cannot be sent between threads.
        let found = one.install(|| incomes.generalize(&policy).map_err(|error| error.to_string()));
        Ok(found?)
    })?;
    Ok(found.map(|_| ms))
}

fn run(lab: &Lab<'_>) -> Result<Findings, Error> {
    let incomes = Incomes::new(lab)?;
    let all_m: Vec<u64> = lab.by_effort((2..=7).collect(), vec![2, 7]);
    let epsilons: Vec<&str> = lab.by_effort(
        vec!["0.025", "0.05", "0.075", "0.1", "0.125", "0.15", "0.175", "0.2"],
        vec!["0.05", "0.125"],
    );
    let mut by_m = Vec::new();
    for &m in &all_m {
        by_m.push(time(lab, &incomes, Near::Absolute, Near::Absolute.middle(), m)?);
    }
    let mut by_epsilon = Vec::new();
    for epsilon in &epsilons {
        by_epsilon.push(time(lab, &incomes, Near::Relative, epsilon, 5)?);
    }
    let labels: Vec<String> = epsilons.iter().map(|it| (*it).to_owned()).collect();
    let rows = sentences(&by_m, &by_epsilon, &labels);
    let ends = |values: &[Option<f64>]| values.iter().map(|ms| ms.map(|ms| ms / 1000.0)).collect();
    let panels = vec![
        Panel::new(
            "m",
            "Time for absolute (4500, m)-anonymity",
            ("m", "seconds"),
            all_m.iter().map(u64::to_string).collect(),
        )
        .with("split and partition", ends(&by_m)),
        Panel::new(
            "epsilon",
            "Time for relative (epsilon, 5)-anonymity",
            ("epsilon", "seconds"),
            labels,
        )
        .with("split and partition", ends(&by_epsilon)),
    ];
    let setting = vec![
        incomes.about.clone(),
        format!(
            "Run times are medians of {} runs of the search on one thread, without reading the \
             input or writing the output.",
            lab.by_effort("3", "1")
        ),
    ];
    let mut differences: Vec<String> = incomes.why().into_iter().collect();
    differences.push(
        "The paper uses a 3 GHz machine with 1 GB of memory. In this experiment, the search also \
         determines which classes an adversary can distinguish. Only the shapes of the curves are \
         compared."
            .to_owned(),
    );
    Ok(Findings { setting, panels, rows, differences })
}

/// Compares the statements in the paper about Figure 7 with the times in milliseconds.
fn sentences(by_m: &[Option<f64>], by_epsilon: &[Option<f64>], epsilons: &[String]) -> Vec<Row> {
    let spelled = |values: &[Option<f64>]| {
        let one = |ms: &Option<f64>| ms.map_or("none".to_owned(), |ms| format!("{ms:.0} ms"));
        values.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let (of_m, of_epsilon) = (known(by_m), known(by_epsilon));
    let top = (0..of_epsilon.len()).max_by(|&a, &b| of_epsilon[a].total_cmp(&of_epsilon[b]));
    let slowest = of_m.iter().chain(&of_epsilon).copied().fold(0.0, f64::max);
    let rises_first =
        top.is_some_and(|top| rises(&of_epsilon[..=top]) && falls(&of_epsilon[top..]));
    vec![
        Row::new(
            "The cost drops as m grows",
            spelled(by_m),
            falls(&of_m),
            format!(
                "criterion: the time decreases overall and never increases; {}; times measured in \
                 this run",
                no_change()
            ),
        ),
        Row::new(
            "As epsilon increases, the cost initially rises but then decreases monotonically",
            format!(
                "{}; the maximum is at {}",
                spelled(by_epsilon),
                top.and_then(|top| epsilons.get(top)).map_or("none", String::as_str)
            ),
            rises_first,
            format!(
                "criterion: the time increases up to its maximum and then decreases; {}; times \
                 measured in this run",
                no_change()
            ),
        ),
        Row::new(
            "In all experiments, our algorithm terminates within a minute",
            format!("at most {slowest:.0} ms"),
            slowest < 60_000.0,
            "the largest of all medians, measured on a different machine than in the paper",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::sentences;
    use crate::page_tests::{assert_rows, stored};
    use crate::tests::run_quickly;

    #[test]
    fn verdicts_follow_from_stored_times() {
        let panels = stored("epsilon-m-7");
        let ms = |at: usize| -> Vec<Option<f64>> {
            let seconds = panels[at].values("split and partition").iter();
            seconds.map(|seconds| seconds.map(|seconds| 1000.0 * seconds)).collect()
        };
        assert_rows("epsilon-m-7", &sentences(&ms(0), &ms(1), &panels[1].labels));
    }

    #[test]
    fn cost_must_rise_and_fall_by_a_tenth() {
        let verdict = |ms: [f64; 4]| {
            let ms = ms.map(Some);
            let epsilons = ["0.1", "0.2", "0.3", "0.4"].map(str::to_owned);
            sentences(&ms, &ms, &epsilons)[1].verdict.word()
        };
        assert_eq!(verdict([100.0, 111.0, 99.0, 50.0]), "pass");
        assert_eq!(verdict([100.0, 109.0, 99.0, 50.0]), "fail", "no rise");
        assert_eq!(verdict([100.0, 120.0, 119.0, 111.0]), "fail", "no decrease");
        assert_eq!(verdict([100.0, 120.0, 80.0, 90.0]), "fail", "a second rise");
    }

    #[test]
    fn times_are_plotted_in_seconds() {
        let found = run_quickly("epsilon-m-7", None);
        for (panel, row) in found.panels.iter().zip(&found.rows) {
            let printed = row.computed.split(';').next().expect("a list of times");
            let printed: Vec<f64> = printed
                .split(", ")
                .map(|ms| ms.strip_suffix(" ms").expect("a time").parse().expect("a number"))
                .collect();
            let plotted = panel.values("split and partition");
            assert_eq!(printed.len(), plotted.len());
            for (ms, seconds) in printed.iter().zip(plotted) {
                let seconds = seconds.expect("the table can be generalized");
                assert!((1000.0 * seconds - ms).abs() <= 0.5 && *ms > 0.0, "{seconds} s, {ms} ms");
            }
        }
    }
}
