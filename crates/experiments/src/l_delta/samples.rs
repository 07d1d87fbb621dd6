//! Reproduces Figures 1 and 2, which show the sample size as a function of delta, p, and l.

use indistinct_core::model::to_f64;
use indistinct_core::{Rational, parse_decimal};
use indistinct_linkage::planned::{Basis, Joint, Plan, sample_size};

use super::agency::{Diseases, classes, n_combinations, target};
use crate::comparison::{Agreement, Row};
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab};
use crate::figure::Panel;

/// Figure 1: the sample size for uniformly distributed diseases.
pub(crate) static FIGURE_1: Experiment = Experiment {
    name: "l-delta-1",
    title: "Number of records that a central agency requires if all diseases are equally likely",
    source: "(l, delta)-diversity paper, Figure 1",
    needs: &[],
    work: uniform,
};

/// Figure 2: the sample size for geometrically distributed diseases.
pub(crate) static FIGURE_2: Experiment = Experiment {
    name: "l-delta-2",
    title: "Number of records that a central agency requires if diseases are geometrically distributed",
    source: "(l, delta)-diversity paper, Figure 2",
    needs: &[],
    work: geometric,
};

const DELTAS: [&str; 13] = [
    "0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "0.9",
    "0.99",
];
const BOTH_L: [u64; 2] = [10, 30];
/// The values of beta in hundredths.
const BETAS: [u64; 2] = [1, 2];

fn decimal(text: &str) -> Rational {
    parse_decimal(text).expect("the parameters of the experiment are decimal numbers")
}

/// Returns the sample size N of Algorithm 1.
fn rows(joint: &Joint, l: u64, delta: &str, p: &Rational) -> Result<u64, Error> {
    let target = target(l, decimal(delta))?;
    Ok(sample_size(n_combinations(), &joint.marginal(), &target, p)?.n_rows)
}

type Line = (String, Vec<Option<f64>>);

fn panel(id: &str, title: &str, x: &str, labels: Vec<String>, lines: Vec<Line>) -> Panel {
    let panel = Panel::new(id, title, (x, "records N"), labels);
    lines.into_iter().fold(panel, |panel, (name, values)| panel.with(name, values))
}

/// Returns the sample size N as a function of delta, for each beta and l.
fn against_delta(sensitive_values: Diseases, joint: &Joint) -> Result<Panel, Error> {
    let mut lines = Vec::new();
    for beta in BETAS {
        for l in BOTH_L {
            let p = sensitive_values.p(l, beta);
            let n = |delta: &&str| Ok(Some(rows(joint, l, delta, &p)? as f64));
            let values = DELTAS.iter().map(n).collect::<Result<_, Error>>()?;
            lines.push((format!("beta 0.0{beta}, l = {l}"), values));
        }
    }
    let labels = DELTAS.map(str::to_owned).to_vec();
    Ok(panel("delta", "Records as a function of delta", "delta", labels, lines))
}

/// Returns the sample size N for delta = 0.01 as a function of l, for each basis. The plot shows
/// how much the actual number of classes reduces N.
fn by_basis(lab: &Lab<'_>, sensitive_values: Diseases, joint: &Joint) -> Result<Panel, Error> {
    let all_l: &[u64] = lab.by_effort(&[5, 10, 15, 20, 25, 30, 35, 40], &[5, 30]);
    let bases = [
        ("bound m of the paper", Basis::Text),
        ("actual classes", Basis::ActualClasses),
        ("actual probabilities", Basis::ActualMasses),
    ];
    let mut lines: Vec<Line> =
        bases.iter().map(|(name, _)| ((*name).to_owned(), Vec::new())).collect();
    for &l in all_l {
        let p = sensitive_values.p(l, BETAS[1]);
        let cut = classes(joint, l, &p)?;
        for ((_, values), (_, basis)) in lines.iter_mut().zip(bases) {
            let plan = Plan::of_classes(joint, &cut, &target(l, decimal("0.01"))?, &p, basis);
            values.push(Some(plan?.n_rows as f64));
        }
    }
    let labels = all_l.iter().map(u64::to_string).collect();
    let title = "Number of records required for each basis of N (beta = 0.02, delta = 0.01; not \
                 in the paper)";
    Ok(panel("basis", title, "l", labels, lines))
}

/// Returns whether values never increase.
fn falls(values: &[Option<f64>]) -> bool {
    values.windows(2).all(|pair| pair[1] <= pair[0])
}

fn decreases(panel: &Panel, statement: &str) -> Row {
    let first = panel.series.iter().map(|line| line.values[0].unwrap_or(f64::NAN));
    let last =
        panel.series.iter().map(|line| line.values[line.values.len() - 1].unwrap_or(f64::NAN));
    let ranges: Vec<String> = first.zip(last).map(|(a, b)| format!("{a} to {b}")).collect();
    Row::new(
        statement,
        ranges.join(", "),
        panel.series.iter().all(|line| falls(&line.values)),
        "N for the smallest and the largest delta on each line; N never increases between them",
    )
}

fn smaller_basis(panel: &Panel) -> Row {
    let mean_share = |line: &[Option<f64>]| {
        let shares = line.iter().zip(&panel.series[0].values);
        let sum: f64 = shares.map(|(n, of)| n.unwrap_or(0.0) / of.unwrap_or(f64::NAN)).sum();
        100.0 * sum / line.len() as f64
    };
    let [_, actual, masses] = &panel.series[..] else { unreachable!("there are three bases") };
    Row::new(
        "Not in the paper: N computed from the actual classes is sufficient",
        format!(
            "on average, {:.1}% of the N in the paper if N is computed from the number of classes, \
             and {:.1}% if N is computed from their probabilities",
            mean_share(&actual.values),
            mean_share(&masses.values)
        ),
        Agreement::NotComparable,
        "the paper uses only the bound m; for each of the three bases, the failure probability is \
         at most delta (docs/releases.md)",
    )
}

fn no_numbers() -> Row {
    Row::new(
        "The plotted values",
        "see the CSV file",
        Agreement::NotComparable,
        "the paper does not list the plotted numbers; the statements about the plots are compared \
         instead",
    )
}

fn setting(values: &str) -> Vec<String> {
    vec![
        "The distribution has 10 postal codes, 3 genders, and 100 ages; all 3,000 combinations are \
         equally likely. The distribution of the 50 diseases is the same for all combinations."
            .to_owned(),
        format!("{values}, and p = beta p_l."),
    ]
}

fn uniform(lab: &Lab<'_>) -> Result<Findings, Error> {
    let sensitive_values = Diseases::Uniform;
    let joint = sensitive_values.joint()?;
    let by_delta = against_delta(sensitive_values, &joint)?;
    let all_p =
        ["0.001", "0.002", "0.003", "0.004", "0.006", "0.008", "0.01", "0.012", "0.016", "0.02"];
    let mut lines = Vec::new();
    for delta in ["0.01", "0.001"] {
        for l in BOTH_L {
            let n = |p: &&str| Ok(Some(rows(&joint, l, delta, &decimal(p))? as f64));
            let values = all_p.iter().map(n).collect::<Result<_, Error>>()?;
            lines.push((format!("delta {delta}, l = {l}"), values));
        }
    }
    let by_p =
        panel("p", "Records as a function of p", "p", all_p.map(str::to_owned).to_vec(), lines);
    let basis = by_basis(lab, sensitive_values, &joint)?;
    let p = [1, 2].map(|beta| to_f64(&sensitive_values.p(10, beta)));
    let n = BOTH_L.map(|l| rows(&joint, l, "0.01", &sensitive_values.p(l, 1)));
    let [ten, thirty] = n;
    let (ten, thirty) = (ten?, thirty?);
    let same = |panel: &Panel| panel.series.chunks(2).all(|pair| pair[0].values == pair[1].values);
    let rows = vec![
        Row::new(
            "beta = 0.01 and 0.02 lead to p = 2 x 10^-4 and 4 x 10^-4",
            format!("{} and {}", p[0], p[1]),
            p == [0.0002, 0.0004],
            "p_l = 1/50 for each l",
        ),
        Row::new(
            "m l = 1/p is independent of l; the plots for fixed beta or delta do not vary with l",
            format!("N for p = 0.0002 and delta = 0.01: {ten} for l = 10, {thirty} for l = 30"),
            same(&by_delta) && same(&by_p) && ten == thirty,
            "the two lines in each pair are equal everywhere; reading D-12 gives the same value, \
             65,606",
        ),
        decreases(&by_delta, "The number of samples required decreases as delta increases"),
        Row::new(
            "Smaller values of p require more samples",
            format!(
                "{} at p = 0.001, {} at p = 0.02, for delta = 0.01",
                by_p.series[0].values[0].unwrap_or(0.0),
                by_p.series[0].values[9].unwrap_or(0.0)
            ),
            by_p.series.iter().all(|line| falls(&line.values)),
            "N decreases with p in each line",
        ),
        smaller_basis(&basis),
        no_numbers(),
    ];
    let panels = vec![by_delta, by_p, basis];
    Ok(Findings {
        setting: setting("All diseases are equally likely"),
        panels,
        rows,
        differences: Vec::new(),
    })
}

fn geometric(lab: &Lab<'_>) -> Result<Findings, Error> {
    let sensitive_values = Diseases::Geometric;
    let joint = sensitive_values.joint()?;
    let by_delta = against_delta(sensitive_values, &joint)?;
    let all_l: &[u64] = lab.by_effort(&[5, 10, 15, 20, 25, 30, 35, 40], &[5, 40]);
    let mut lines = Vec::new();
    for beta in BETAS {
        for delta in ["0.01", "0.001"] {
            let n =
                |&l: &u64| Ok(Some(rows(&joint, l, delta, &sensitive_values.p(l, beta))? as f64));
            let values = all_l.iter().map(n).collect::<Result<_, Error>>()?;
            lines.push((format!("beta 0.0{beta}, delta {delta}"), values));
        }
    }
    let labels = all_l.iter().map(u64::to_string).collect();
    let by_l = panel("l", "Records as a function of l", "l", labels, lines);
    let basis = by_basis(lab, sensitive_values, &joint)?;
    let p_1 = to_f64(&sensitive_values.p(1, 100));
    let rises = |values: &[Option<f64>]| values.windows(2).all(|pair| pair[1] >= pair[0]);
    let ends: Vec<String> = by_l
        .series
        .iter()
        .map(|line| {
            let n = |at: usize| line.values[at].unwrap_or(f64::NAN);
            format!("{} to {}", n(0), n(line.values.len() - 1))
        })
        .collect();
    let rows = vec![
        Row::new(
            "rho = 0.95 gives rise to p_1 of about 0.054",
            format!("{p_1:.4}"),
            format!("{p_1:.3}") == "0.054",
            "0.05 / (1 - 0.95^50)",
        ),
        decreases(&by_delta, "N decreases with delta"),
        Row::new(
            "Larger values of l require more samples",
            ends.join(", "),
            by_l.series.iter().all(|line| rises(&line.values)),
            "N for the smallest and the largest l, for each line",
        ),
        smaller_basis(&basis),
        no_numbers(),
    ];
    let setting = setting("Each disease has 0.95 times the probability of the previous one");
    Ok(Findings { setting, panels: vec![by_delta, by_l, basis], rows, differences: Vec::new() })
}
