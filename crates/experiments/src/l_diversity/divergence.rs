//! Reproduces Figures 19 and 20: the KL-divergence of the best tables, on a 5% sample and on the
//! complete table.

use indistinct_core::FrequencyTable;
use indistinct_search::full_domain::Minimal;
use indistinct_text::words;

use super::{INFERRED_HIERARCHIES, PARAMETERS, PRINCIPLES, about, adult, why_other_rows};
use crate::comparison::{Agreement, Row, over_seeds};
use crate::data::{ADULT, Sample, Table};
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab, list};
use crate::figure::{Panel, mean_panels};
use crate::search::{RequestedPrinciple, best_node, policy};

/// The divergence on the sample.
pub(crate) static FIGURE_19: Experiment = Experiment {
    name: "l-diversity-19",
    title: "KL-divergence of the best tables on a 5% sample of Adult",
    source: "l-diversity paper (TKDD 2007), Figure 19",
    needs: &[&ADULT],
    work: |lab| run(lab, Rows::Sample),
};

/// The divergence on the complete table.
pub(crate) static FIGURE_20: Experiment = Experiment {
    name: "l-diversity-20",
    title: "KL-divergence of the best tables on the whole Adult table",
    source: "l-diversity paper (TKDD 2007), Figure 20",
    needs: &[&ADULT],
    work: |lab| run(lab, Rows::All),
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rows {
    Sample,
    All,
}

const PANELS: [(&str, &[&str]); 3] = [
    ("three", &["age", "sex", "race"]),
    ("four", &["age", "sex", "marital-status", "race"]),
    ("five", &["age", "education", "sex", "marital-status", "race"]),
];

const BASELINE: &str = "baseline (all suppressed)";

fn run(lab: &Lab<'_>, which: Rows) -> Result<Findings, Error> {
    let table = adult(lab)?;
    let parameters = &PARAMETERS[..lab.by_effort(PARAMETERS.len(), 2)];
    // A single seed suffices for the complete table, because this table is not sampled.
    let seeds = match which {
        Rows::Sample => lab.seeds(),
        Rows::All => vec![lab.options.seed],
    };
    let (mut each, mut rows, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for &seed in &seeds {
        let sample = match which {
            Rows::Sample => table.one_in(20, seed),
            Rows::All => table.all(),
        };
        let panels = panels_of(&table, &sample, parameters)?;
        let mut of_seed = match which {
            Rows::Sample => of_sample(&table, &sample, &panels, parameters),
            Rows::All => of_all(&panels, parameters),
        };
        of_seed.push(base_of_logarithm(&panels, which));
        rows.push(of_seed);
        sizes.push(words::thousands(sample.len() as u64));
        each.push(panels);
    }
    let rows = over_seeds(&seeds, rows);
    let panels = mean_panels(&each);
    let mut differences: Vec<String> = why_other_rows(&table).into_iter().collect();
    differences.push(INFERRED_HIERARCHIES.to_owned());
    differences.push(
        "Logarithms have base 2, which agrees with the axes of Figure 20 (reading B-14). Like the \
         domain sizes in Figure 7 of the paper, areas count only the values that occur in the \
         table. The paper does not list the values of the bars."
            .to_owned(),
    );
    let of = match which {
        Rows::Sample => format!(
            "The {} Bernoulli samples with a sampling rate of 5% (seeds starting at {}) have {} \
             rows. The plots show the means over the samples. The sensitive attribute is \
             occupation, and no row is suppressed.",
            seeds.len(),
            lab.options.seed,
            list(&sizes)
        ),
        Rows::All => {
            "The experiment uses all rows, with occupation as the sensitive attribute and without \
             suppression."
                .to_owned()
        }
    };
    let setting = vec![
        about(&table),
        format!(
            "{of} The divergence is the minimum over all nodes of the lattice. In the baseline, \
             every quasi-identifier is suppressed."
        ),
    ];
    Ok(Findings { setting, panels, rows, differences })
}

/// Returns the three plots for one sample.
fn panels_of(table: &Table, sample: &Sample, parameters: &[u64]) -> Result<Vec<Panel>, Error> {
    let labels: Vec<String> = parameters.iter().map(u64::to_string).collect();
    let mut panels = Vec::new();
    for (id, names) in PANELS {
        let counted = table.counted(names, &["occupation"], sample);
        let title = format!("Quasi-identifiers: {}", list(names));
        let mut panel = Panel::new(id, title, ("k = l", "bits"), labels.clone());
        for (name, principle) in PRINCIPLES {
            let mut values = Vec::new();
            for &parameter in parameters {
                values.push(least(table, names, &counted, &principle(parameter))?);
            }
            panel = panel.with(name, values);
        }
        // The baseline is a single class that contains all rows.
        let base = least(table, names, &counted, &RequestedPrinciple::k(counted.n_rows()))?;
        panels.push(panel.with(BASELINE, vec![base; parameters.len()]));
    }
    Ok(panels)
}

fn least(
    table: &Table,
    names: &[&str],
    counted: &FrequencyTable,
    requested: &RequestedPrinciple,
) -> Result<Option<f64>, Error> {
    let policy = policy(table.hierarchies(names), vec![requested.on(counted, None)]);
    let found = best_node(counted, &policy, "kl-divergence", Minimal::Skip)?;
    // Convert nats to bits, because bits are the unit of the printed axes.
    Ok(found.and_then(|found| found.objective).map(|nats| nats / std::f64::consts::LN_2))
}

/// For each plot, the end of the vertical axis and the distance between its ticks.
fn axes(which: Rows) -> [(f64, f64); 3] {
    match which {
        Rows::Sample => [(4.0, 0.5), (6.0, 1.0), (10.0, 2.0)],
        Rows::All => [(3.0, 0.5), (4.5, 0.5), (7.0, 1.0)],
    }
}

/// Returns whether the printed axes match logarithms to base 2 or base e, assuming that each axis
/// ends at the next tick above the highest bar.
fn base_of_logarithm(panels: &[Panel], which: Rows) -> Row {
    let bits: Vec<f64> =
        panels.iter().map(|panel| panel.values(BASELINE)[0].unwrap_or(f64::NAN)).collect();
    let fits = |scale: f64| {
        let both = bits.iter().zip(axes(which));
        both.filter(|(bits, (end, tick))| {
            let bar = **bits * scale;
            end - tick < bar && bar <= *end
        })
        .count()
    };
    let (of_2, of_e) = (fits(1.0), fits(std::f64::consts::LN_2));
    let number =
        |values: Vec<f64>| values.into_iter().map(words::number).collect::<Vec<_>>().join(", ");
    Row::new(
        "The vertical axes end at the next tick above the baseline",
        format!(
            "the baselines are {} bits; {of_2} of 3 axes match with the binary logarithm, and \
             {of_e} with the natural logarithm",
            number(bits.clone())
        ),
        of_2 == 3,
        "criterion: all three axes match; the paper does not specify the base of the logarithm \
         (reading B-14)",
    )
    .printed(number(axes(which).iter().map(|axis| axis.0).collect()))
}

/// The bars for one value of l, scaled to range from 0 (the original table) to 1 (the baseline).
struct Bar {
    l: u64,
    k_anonymous: f64,
    entropy: Option<f64>,
    recursive: Option<f64>,
}

fn bars(panels: &[Panel], parameters: &[u64]) -> Vec<Bar> {
    let [k, entropy, recursive] = PRINCIPLES.map(|principle| principle.0);
    let of_panel = |panel: &Panel| -> Vec<Bar> {
        let base = panel.values(BASELINE)[0].unwrap_or(f64::INFINITY);
        let share = |name: &str, at: usize| panel.values(name)[at].map(|value| value / base);
        let bar = |(at, &l): (usize, &u64)| {
            let k_anonymous = share(k, at)?;
            Some(Bar {
                l,
                k_anonymous,
                entropy: share(entropy, at),
                recursive: share(recursive, at),
            })
        };
        parameters.iter().enumerate().filter_map(bar).collect()
    };
    panels.iter().flat_map(of_panel).collect()
}

/// The maximum difference between values that are considered close, as a fraction of the baseline.
const VERY_CLOSE: f64 = 0.1;

fn of_all(panels: &[Panel], parameters: &[u64]) -> Vec<Row> {
    let bars = bars(panels, parameters);
    // If no table satisfies the principle, the divergence is undefined and counts as not close.
    let best = |bar: &Bar| [bar.entropy, bar.recursive].into_iter().flatten().reduce(f64::min);
    let farther = |bars: &[&Bar]| {
        let gaps =
            bars.iter().map(|bar| best(bar).map_or(f64::INFINITY, |it| it - bar.k_anonymous));
        gaps.fold(0.0, f64::max)
    };
    let small: Vec<&Bar> = bars.iter().filter(|bar| bar.l <= 6).collect();
    let is_near = |bar: &&&Bar| best(bar).is_some_and(|it| it - bar.k_anonymous <= VERY_CLOSE);
    let near = small.iter().filter(is_near).count();
    let large: Vec<&Bar> = bars.iter().filter(|bar| bar.l > 6).collect();
    let (gap, gap_of_large) = (farther(&small), farther(&large));
    let mean = |bars: &[&Bar]| {
        let gaps: Vec<f64> =
            bars.iter().filter_map(|bar| Some(best(bar)? - bar.k_anonymous)).collect();
        gaps.iter().sum::<f64>() / gaps.len().max(1) as f64
    };
    let both: Vec<f64> =
        bars.iter().filter_map(|bar| Some((bar.entropy? - bar.recursive?).abs())).collect();
    let similar = both.iter().filter(|gap| **gap <= VERY_CLOSE).count();
    let larger = "For larger values of l, the utility of l-diverse tables is lower";
    vec![
        Row::new(
            "The KL-divergence to the best l-diverse table (entropy or recursive) is very close to \
             the KL-divergence to the best k-anonymous table for k = l = 2, 4, 6",
            format!(
                "within 10% of the baseline in {near} of {} cases, and at most {} above the \
                 k-anonymous table",
                small.len(),
                words::percent(gap)
            ),
            gap <= VERY_CLOSE,
            "criterion: in all cases in all three plots, the better l-diverse table exceeds the \
             k-anonymous table by at most 10% of the baseline",
        ),
        match large.is_empty() {
            true => Row::new(
                larger,
                "not run",
                Agreement::NotComparable,
                "the run used only the first parameters",
            ),
            false => Row::new(
                larger,
                format!(
                    "on average, {} of the baseline above the k-anonymous table, compared with {} \
                     for small l; the maximum is {}",
                    words::percent(mean(&large)),
                    words::percent(mean(&small).max(0.0)),
                    words::percent(gap_of_large)
                ),
                mean(&large) > mean(&small),
                "criterion: for l = 8 and 10, the mean distance from the k-anonymous table is \
                 larger than for l = 2, 4, and 6",
            ),
        },
        Row::new(
            "The best tables for the entropy and recursive variants of the definition often have \
             similar utility",
            format!("within 10% of the baseline in {similar} of {} cases", both.len()),
            2 * similar > both.len(),
            "criterion: within 10% of the baseline in more than half of the cases",
        ),
    ]
}

fn of_sample(table: &Table, sample: &Sample, panels: &[Panel], parameters: &[u64]) -> Vec<Row> {
    let bars = bars(panels, parameters);
    let occupations = table.rows_by_value("occupation", sample);
    let occurring = occupations.iter().filter(|(_, rows)| *rows > 0).count();
    let few = occupations.iter().filter(|(_, rows)| *rows < 10).count();
    let of_all = table.rows_by_value("occupation", &table.all());
    let rarest = of_all.iter().map(|(_, rows)| *rows).min().unwrap_or(0);
    let large: Vec<&Bar> = bars.iter().filter(|bar| bar.l >= 8).collect();
    let nearest = large
        .iter()
        .flat_map(|bar| [bar.entropy, bar.recursive])
        .map(|share| share.unwrap_or(1.0))
        .fold(f64::INFINITY, f64::min);
    let at_6: Vec<&Bar> = bars.iter().filter(|bar| bar.l == 6).collect();
    let pairs: Vec<(f64, f64)> =
        at_6.iter().map(|bar| (bar.recursive.unwrap_or(1.0), bar.entropy.unwrap_or(1.0))).collect();
    let better = pairs.iter().filter(|(recursive, entropy)| recursive < entropy).count();
    let worse = pairs.iter().filter(|(recursive, entropy)| recursive > entropy).count();
    let not_run = |statement: &str| {
        Row::new(
            statement,
            "not run",
            Agreement::NotComparable,
            "the run used only the first parameters",
        )
    };
    let near = "Hence, for l = 8 and l = 10, the best tables were very close to the baseline";
    let six = "For l = 6, the recursive definition performs better than the entropy definition";
    vec![
        Row::new(
            "When a sample of the table was used, some of the sensitive values with small counts \
             were eliminated",
            format!(
                "{occurring} of {} occupations occur; occupations with fewer than 10 rows: {few}",
                occupations.len()
            ),
            occurring < occupations.len(),
            format!(
                "criterion: at least one occupation does not occur. The rarest occupation has \
                 {rarest} rows in the available table, so {} of all samples do not contain it",
                words::percent(0.95f64.powi(rarest as i32))
            ),
        )
        .because(
            "each row is sampled independently with probability 1/20, and the seed determines \
             whether the rarest occupation occurs",
            "experiments/src/l_diversity/divergence.rs: half_of_samples_lack_rarest_occupation",
        ),
        match large.is_empty() {
            true => not_run(near),
            false => Row::new(
                near,
                format!("every divergence is at least {} of the baseline", words::percent(nearest)),
                nearest >= 1.0 - VERY_CLOSE,
                "criterion: at least 90% of the baseline, for both kinds of diversity and all \
                 three plots; if no table is l-diverse, the baseline itself is used",
            ),
        },
        match at_6.is_empty() {
            true => not_run(six),
            false => Row::new(
                six,
                format!("better in {better} of {} plots, worse in {worse}", pairs.len()),
                better > 0 && worse == 0,
                "criterion: the recursive definition is better in at least one plot and worse in \
                 none",
            ),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_tests::{assert_rows, stored};

    /// With independent draws, 0.95^14 = 48.8% of all samples lack the rarest occupation. The test
    /// permits a deviation of four standard deviations.
    #[test]
    fn half_of_samples_lack_rarest_occupation() {
        let Some(shared) = crate::tests::shared() else { return };
        let table = ADULT.read(Some(&shared.join("adult-45222/adult.csv"))).expect("Adult");
        let rows = |sample: &Sample| table.rows_by_value("occupation", sample);
        assert_eq!(rows(&table.all()).into_iter().map(|(_, rows)| rows).min(), Some(14));
        let lacks_one = |&seed: &u64| rows(&table.one_in(20, seed)).iter().any(|(_, n)| *n == 0);
        let n_lacking = (7..107).filter(lacks_one).count();
        assert!((29..=68).contains(&n_lacking), "{n_lacking} of 100 samples");
    }

    #[test]
    fn verdicts_follow_from_stored_divergences() {
        let panels = stored("l-diversity-20");
        let mut rows = of_all(&panels, &PARAMETERS);
        rows.push(base_of_logarithm(&panels, Rows::All));
        assert_rows("l-diversity-20", &rows);
    }
}
