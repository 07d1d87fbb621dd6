//! Section 3 of the paper: the number of rows with a proximity breach in releases that satisfy
//! other principles.

use indistinct_core::Rational;
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_text::words;

use super::{Incomes, Near, requested};
use crate::comparison::{Agreement, Row};
use crate::data::salaries;
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab};
use crate::figure::Panel;
use crate::search::RequestedPrinciple;

/// The fraction of rows with a proximity breach, by principle.
pub(crate) static BREACHES: Experiment = Experiment {
    name: "epsilon-m-breaches",
    title: "Rows with proximity breaches in releases that satisfy other principles",
    source: "(epsilon, m)-anonymity paper (SIGMOD 2008), Section 3.1, which has no measurements",
    needs: &[],
    work: run,
};

/// A belief above 1/m counts as a breach.
const M: u64 = 5;
/// The values of epsilon, in units of income.
const EPSILONS: [u64; 4] = [500, 1_000, 2_000, 4_500];

fn with(kind: &'static str, numbers: &[(&'static str, Rational)]) -> RequestedPrinciple {
    RequestedPrinciple { kind, numbers: numbers.to_vec(), words: Vec::new() }
}

/// Returns the principles in Section 3.1, with parameters comparable to (epsilon, 5)-anonymity
/// where possible.
fn principles() -> Vec<(&'static str, RequestedPrinciple)> {
    let whole = |number: u64| Rational::from_integer(i128::from(number));
    let t = Rational::new(1, 5);
    vec![
        ("5-anonymity", RequestedPrinciple::k(5)),
        ("distinct 5-diversity", with("distinct-l-diversity", &[("l", whole(5))])),
        ("frequency 5-diversity", with("frequency-l-diversity", &[("l", whole(5))])),
        ("recursive (3, 5)-diversity", RequestedPrinciple::recursive(5)),
        (
            "(5, 20000)-anonymity (k, e)",
            with("k-e-anonymity", &[("k", whole(5)), ("e", whole(20_000))]),
        ),
        ("variance control", with("variance-control", &[("variance", whole(100_000_000))])),
        (
            "0.2-closeness",
            RequestedPrinciple {
                words: vec![("distance", "ordered")],
                ..with("t-closeness", &[("t", t)])
            },
        ),
        ("(4500, 5)-anonymity", requested(Near::Absolute, "4500", M)),
    ]
}

/// Counts the rows with a breach around their own income, the rows with a breach around any number,
/// and all rows. A breach means that more than 1/m of the rows in a class are within epsilon. The
/// number need not occur in the table ((delta, l) paper, Section 3.1).
fn in_danger(pair: &ReleaseWithOriginal, epsilon: u64) -> (u64, u64, u64) {
    let sensitive = &pair.published.sensitive[0];
    let value = |code: u32| -> i64 {
        sensitive.dictionary.values()[code as usize].parse().expect("incomes are integers")
    };
    let radius = epsilon as i64;
    let (mut own, mut any, mut all) = (0, 0, 0);
    for histogram in &sensitive.histograms {
        let mut rows: Vec<(i64, u64)> =
            histogram.iter().map(|&(code, rows)| (value(code), rows)).collect();
        rows.sort_unstable();
        let n: u64 = rows.iter().map(|row| row.1).sum();
        let within = |from: i64, to: i64| -> u64 {
            let first = rows.partition_point(|row| row.0 < from);
            let last = rows.partition_point(|row| row.0 <= to);
            rows[first..last].iter().map(|row| row.1).sum()
        };
        let breached = |near: u64| near * M > n;
        let is_own = |&&(x, _): &&(i64, u64)| breached(within(x - radius, x + radius));
        own += rows.iter().filter(is_own).map(|row| row.1).sum::<u64>();
        // Each interval has the same length and begins at the value of a row. A breach affects all
        // rows in a dense interval.
        let dense: Vec<i64> =
            rows.iter().map(|row| row.0).filter(|&x| breached(within(x, x + 2 * radius))).collect();
        let is_any = |&&(x, _): &&(i64, u64)| {
            dense.iter().any(|&from| (from..=from + 2 * radius).contains(&x))
        };
        any += rows.iter().filter(is_any).map(|row| row.1).sum::<u64>();
        all += n;
    }
    (own, any, all)
}

fn run(lab: &Lab<'_>) -> Result<Findings, Error> {
    let seed = lab.options.seed;
    let incomes = Incomes::from_salaries(
        salaries(lab.options.data.as_deref(), lab.by_effort(20_000, 1_500), seed)?,
        seed,
    );
    let labels: Vec<String> = EPSILONS.iter().map(u64::to_string).collect();
    let axes = ("epsilon", "% of the rows");
    let mut panels = [
        Panel::new(
            "own",
            "Rows whose income is close to the incomes of more than a fifth of their class",
            axes,
            labels.clone(),
        ),
        Panel::new(
            "any",
            "Rows in an income interval of length 2 epsilon that contains more than a fifth of \
             their class",
            axes,
            labels,
        ),
    ];
    let mut rows = Vec::new();
    for (name, requested) in principles() {
        let Some(pair) = incomes.generalized(&requested)? else {
            panels = panels.map(|panel| panel.with(name, vec![None; EPSILONS.len()]));
            continue;
        };
        let found = EPSILONS.map(|epsilon| in_danger(&pair, epsilon));
        let share = |rows: u64, all: u64| 100.0 * rows as f64 / all.max(1) as f64;
        let [own, any] = panels;
        panels = [
            own.with(name, found.iter().map(|it| Some(share(it.0, it.2))).collect()),
            any.with(name, found.iter().map(|it| Some(share(it.1, it.2))).collect()),
        ];
        let (breached, _, all) = found[EPSILONS.len() - 1];
        let text = format!(
            "{} of {} rows ({}) with epsilon = 4500, and {} of the rows with epsilon = 500",
            words::thousands(breached),
            words::thousands(all),
            words::percent(breached as f64 / all.max(1) as f64),
            words::percent(found[0].0 as f64 / all.max(1) as f64)
        );
        rows.push(match name.starts_with("(4500") {
            true => Row::new(
                "(epsilon, m)-anonymity has no proximity breach",
                text,
                breached == 0,
                "breaches were counted independently in the released classes, for the required \
                 epsilon",
            ),
            false => Row::new(
                format!("Section 3.1: a proximity breach may still occur even if {name} holds"),
                text,
                Agreement::from(breached > 0),
                "criterion: for at least one row, more than a fifth of its class is within epsilon",
            ),
        });
    }
    let setting = vec![
        incomes.about.clone(),
        "With m = 5, a breach is a belief above 20%. Each release is created by the algorithm in \
         the paper, with splits at medians and a class column, and without suppression. The second \
         plot uses the adversary in Section 3.1 of the (delta, l) paper, who considers all \
         numbers, not only those that occur."
            .to_owned(),
    ];
    let differences = incomes.why().into_iter().collect();
    Ok(Findings { setting, panels: panels.to_vec(), rows, differences })
}
