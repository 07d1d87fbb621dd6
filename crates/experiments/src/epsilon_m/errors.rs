//! Reproduces Figures 4 to 6: the error of count queries as a function of epsilon, m, and the query
//! volume.

use indistinct_core::Silent;
use indistinct_core::model::to_f64;
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_measure::axes::Axes;
use indistinct_measure::queries::{self, Workload};
use indistinct_text::words;

use super::limits::{Limit, limit};
use super::{Incomes, Near, OWN_HEIGHT, requested};
use crate::comparison::{Agreement, MUCH, NOISE, Row, falls, no_change, over_seeds, rises};
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab, list};
use crate::figure::{Panel, known, mean_of};

/// The error as a function of epsilon, for generalization and perturbation.
pub(crate) static FIGURE_4: Experiment = Experiment {
    name: "epsilon-m-4",
    title: "Query error as a function of epsilon, for generalization and perturbation",
    source: "(epsilon, m)-anonymity paper (SIGMOD 2008), Figure 4",
    needs: &[],
    work: against_epsilon,
};

/// The error as a function of m.
pub(crate) static FIGURE_5: Experiment = Experiment {
    name: "epsilon-m-5",
    title: "Query error as a function of m",
    source: "(epsilon, m)-anonymity paper (SIGMOD 2008), Figure 5",
    needs: &[],
    work: against_m,
};

/// The error as a function of the query volume.
pub(crate) static FIGURE_6: Experiment = Experiment {
    name: "epsilon-m-6",
    title: "Query error as a function of the query volume",
    source: "(epsilon, m)-anonymity paper (SIGMOD 2008), Figure 6",
    needs: &[],
    work: against_volume,
};

const BOTH: [Near; 2] = [Near::Absolute, Near::Relative];
const DIMENSIONS: [usize; 3] = [2, 3, 4];

/// Returns the tested values of epsilon. The scales in the paper are illegible. These values extend
/// beyond 4k and 0.15, the limits for perturbation.
fn epsilons(lab: &Lab<'_>, near: Near) -> Vec<&'static str> {
    match near {
        Near::Absolute => lab.by_effort(
            vec!["1000", "2000", "3000", "4000", "4500", "5000", "6000", "7000"],
            vec!["1000", "4500"],
        ),
        Near::Relative => lab.by_effort(
            vec!["0.025", "0.05", "0.075", "0.1", "0.125", "0.15", "0.175", "0.2"],
            vec!["0.05", "0.125"],
        ),
    }
}

/// Computes the mean relative error of a workload in percent, or `None` if no query has an
/// estimate.
fn error(
    (lab, seed): (&Lab<'_>, u64),
    pair: &ReleaseWithOriginal,
    axes: &Axes,
    dimension: usize,
    volume: f64,
) -> Option<f64> {
    let n_queries = lab.by_effort(1_000, 100);
    let workload = Workload { dimension, volume, n_queries, seed };
    let errors = queries::errors(pair, axes, &workload, &Silent)
        .expect("the parameters of the workload are valid");
    errors.relative.map(|relative| 100.0 * relative.mean)
}

/// The errors by seed, dimension, and parameter.
type BySeed = Vec<[Vec<Option<f64>>; 3]>;

fn means(each: &BySeed) -> [Vec<Option<f64>>; 3] {
    let of_dimension = |at: usize| {
        let values: Vec<Vec<Option<f64>>> = each.iter().map(|lines| lines[at].clone()).collect();
        mean_of(&values)
    };
    [0, 1, 2].map(of_dimension)
}

fn percent(value: f64) -> String {
    format!("{}%", words::number(value))
}

fn largest(values: &[Option<f64>]) -> f64 {
    values.iter().flatten().copied().fold(0.0, f64::max)
}

const GENERALIZATION: &str = "(epsilon, m)-anonymity";
const PERTURBATION: &str = "perturbation";
/// The dimension of the workload for Figure 4. The paper does not specify this dimension.
const DIMENSION: usize = 3;

fn against_epsilon(lab: &Lab<'_>) -> Result<Findings, Error> {
    let incomes = Incomes::new(lab)?;
    let seeds = lab.seeds();
    let (mut panels, mut rows) = (Vec::new(), Vec::new());
    for near in BOTH {
        let epsilons = epsilons(lab, near);
        let mut retained = Vec::new();
        let mut generalized = vec![Vec::new(); seeds.len()];
        let mut perturbed = generalized.clone();
        for epsilon in &epsilons {
            let of = requested(near, epsilon, 5);
            let pair = incomes.generalized(&of)?;
            let axes = pair.as_ref().map(Axes::new);
            for (values, &seed) in generalized.iter_mut().zip(&seeds) {
                let both = pair.as_ref().zip(axes.as_ref());
                values
                    .push(both.and_then(|(it, axes)| error((lab, seed), it, axes, DIMENSION, 0.1)));
            }
            let mut p = None;
            for (values, &seed) in perturbed.iter_mut().zip(&seeds) {
                let pair = incomes.perturbed(seed, &of)?;
                p = pair.as_ref().map(|(_, retention)| to_f64(&retention.p()));
                values.push(
                    pair.and_then(|(it, _)| {
                        error((lab, seed), &it, &Axes::new(&it), DIMENSION, 0.1)
                    }),
                );
            }
            retained.push(p);
        }
        let limit = limit(&incomes, near)?;
        let labels: Vec<String> = epsilons.iter().map(|it| (*it).to_owned()).collect();
        let word = near.word();
        let each = generalized.iter().zip(&perturbed).map(|(generalized, perturbed)| {
            of_epsilon(
                &incomes,
                near,
                &labels,
                [generalized.as_slice(), perturbed, &retained],
                &limit,
            )
        });
        rows.extend(over_seeds(&seeds, each.collect()));
        panels.push(
            Panel::new(
                word,
                format!("Mean query error, {word} (epsilon, 5)-anonymity"),
                ("epsilon", "% error"),
                labels.clone(),
            )
            .with(GENERALIZATION, mean_of(&generalized))
            .with(PERTURBATION, mean_of(&perturbed)),
        );
        panels.push(
            Panel::new(
                format!("{word}-retention"),
                format!(
                    "Largest retention probability for perturbation, {word} (epsilon, 5)-anonymity"
                ),
                ("epsilon", "probability"),
                labels,
            )
            .with(PERTURBATION, retained),
        );
    }
    let setting = vec![
        incomes.about.clone(),
        format!(
            "The parameter m is 5. Each workload has {} queries with {DIMENSION} attributes and \
             volume s = 0.1. Queries and noise are drawn with {} seeds, starting with {}, and the \
             plots show the means over the seeds. Generalization uses the split-and-partition \
             algorithm from the paper, with ranges of values and a class column. Perturbation uses \
             the largest retention probability for which Equation 3 is at most 1/m for each row, \
             and draws noise from all integer incomes in the domain.",
            lab.by_effort("1,000", "100"),
            seeds.len(),
            lab.options.seed
        ),
    ];
    Ok(Findings { setting, panels, rows, differences: differences(&incomes) })
}

fn differences(incomes: &Incomes) -> Vec<String> {
    let mut differences: Vec<String> = incomes.why().into_iter().collect();
    differences.push(
        "The income ranges of queries are drawn from the incomes that occur in the table, not from \
         all integers in the domain. The relative error of queries that match no rows is \
         undefined, so these queries are omitted (reading C-12)."
            .to_owned(),
    );
    differences
}

fn of_epsilon(
    incomes: &Incomes,
    near: Near,
    labels: &[String],
    [generalized, perturbed, retained]: [&[Option<f64>]; 3],
    limit: &Limit,
) -> Vec<Row> {
    let word = near.word();
    let end = match near {
        Near::Absolute => "4k",
        Near::Relative => "0.15",
    };
    let pairs: Vec<(f64, f64)> =
        generalized.iter().zip(perturbed).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    let better = pairs.iter().filter(|(own, other)| *own <= (1.0 - MUCH) * other).count();
    let without: Vec<String> = labels
        .iter()
        .zip(retained)
        .filter(|(_, p)| p.is_none())
        .map(|(it, _)| it.clone())
        .collect();
    let results: Vec<f64> = perturbed.iter().flatten().copied().collect();
    let drastic = match (results.first(), results.last()) {
        (Some(first), Some(last)) if results.len() > 1 => Some(last / first),
        _ => None,
    };
    let deteriorates = format!(
        "The accuracy of perturbation deteriorates drastically as epsilon approaches {end}"
    );
    vec![
        Row::new(
            format!("Perturbation has no result for epsilon > {end} ({word})"),
            format!(
                "the limit is between {} and {}; at the upper value, {} of the rows are in one \
                 neighborhood; {}",
                words::number(limit.served),
                words::number(limit.refused),
                words::percent(limit.share),
                match without.is_empty() {
                    true => "every plotted epsilon has a result".to_owned(),
                    false => format!("no result for {}", list(&without)),
                }
            ),
            incomes.on_height(limit.is_at(near)),
            format!(
                "criterion: the limits differ by less than {}. Perturbation has no result if and \
                 only if a neighborhood contains more than 1/m of the rows (reading C-11; test \
                 `experiments/src/epsilon_m/limits.rs: \
                 perturbation_limit_is_one_fifth_near_value`). This depends only on the \
                 distribution of incomes and is therefore not comparable for synthetic incomes.",
                words::percent(NOISE)
            ),
        )
        .printed(end),
        Row::new(
            format!(
                "Beyond a limit, perturbation cannot provide the privacy control, but \
                 generalization can ({word})"
            ),
            format!(
                "generalization has a result for {} of {} values of epsilon",
                generalized.iter().flatten().count(),
                generalized.len()
            ),
            match perturbed.iter().all(Option::is_some) {
                true => Agreement::NotComparable,
                false => Agreement::from(generalized.iter().all(Option::is_some)),
            },
            "criterion: generalization has a result for every plotted epsilon, including those \
             beyond the limit of perturbation",
        ),
        Row::new(
            format!(
                "(epsilon, m)-anonymity produces significantly more useful data than perturbation \
                 ({word})"
            ),
            format!(
                "error lower by at least {} in {better} of {} cases with results for both methods",
                words::percent(MUCH),
                pairs.len()
            ),
            match pairs.is_empty() {
                true => Agreement::NotComparable,
                false => Agreement::from(better == pairs.len()),
            },
            format!(
                "criterion: mean error lower by at least {} in all cases with results for both \
                 methods",
                words::percent(MUCH)
            ),
        ),
        Row::new(
            format!("Both techniques incur higher error as epsilon increases ({word})"),
            format!(
                "generalization: {}; perturbation: {}",
                spelled(generalized),
                spelled(perturbed)
            ),
            rises(&known(generalized)) && (pairs.len() < 2 || rises(&known(perturbed))),
            format!("criterion: both errors increase overall and never decrease; {}", no_change()),
        ),
        Row::new(
            format!("The error of (epsilon, m)-anonymity is always below 15% ({word})"),
            format!("at most {}", percent(largest(generalized))),
            incomes.on_height(largest(generalized) < 15.0),
            format!(
                "criterion: the mean error of the workload is below 15% for every plotted epsilon; \
                 {OWN_HEIGHT}"
            ),
        )
        .printed("15%"),
        match drastic {
            Some(factor) => Row::new(
                deteriorates,
                format!(
                    "the error increases by a factor of {}, and the last retention probability is \
                     {}",
                    words::number(factor),
                    words::number(retained.iter().flatten().last().copied().unwrap_or(0.0))
                ),
                factor >= 2.0,
                "criterion: the error for the last epsilon with a result is at least twice that \
                 for the smallest epsilon",
            ),
            None => Row::new(
                deteriorates,
                "fewer than two results",
                Agreement::NotComparable,
                "the run used few parameters, or perturbation has no result for the synthetic \
                 table",
            ),
        },
    ]
}

fn spelled(values: &[Option<f64>]) -> String {
    let one = |value: &Option<f64>| value.map_or("none".to_owned(), percent);
    values.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn against_m(lab: &Lab<'_>) -> Result<Findings, Error> {
    let incomes = Incomes::new(lab)?;
    let seeds = lab.seeds();
    let all: Vec<u64> = lab.by_effort((2..=7).collect(), vec![2, 5]);
    let (mut panels, mut rows) = (Vec::new(), Vec::new());
    for (near, most) in [(Near::Absolute, 20.0), (Near::Relative, 8.0)] {
        let mut each: BySeed = vec![Default::default(); seeds.len()];
        for &m in &all {
            let pair = incomes.generalized(&requested(near, near.middle(), m))?;
            let axes = pair.as_ref().map(Axes::new);
            for (lines, &seed) in each.iter_mut().zip(&seeds) {
                for (values, dimension) in lines.iter_mut().zip(DIMENSIONS) {
                    let both = pair.as_ref().zip(axes.as_ref());
                    values.push(
                        both.and_then(|(it, axes)| error((lab, seed), it, axes, dimension, 0.1)),
                    );
                }
            }
        }
        let (word, epsilon) = (near.word(), near.middle());
        let of_seed = |errors: &[Vec<Option<f64>>; 3]| {
            let highest = errors.iter().map(|values| largest(values)).fold(0.0, f64::max);
            vec![
                Row::new(
                    format!("The error grows with m ({word})"),
                    errors.iter().map(|values| spelled(values)).collect::<Vec<_>>().join(" | "),
                    errors.iter().all(|values| rises(&known(values))),
                    format!(
                        "criterion: for each dimension, the error increases overall and never \
                         decreases; {}",
                        no_change()
                    ),
                ),
                Row::new(
                    format!("Even for the greatest m, the error is no more than {most}% ({word})"),
                    format!("at most {}", percent(highest)),
                    incomes.on_height(highest <= most),
                    format!("the largest mean error of all workloads; {OWN_HEIGHT}"),
                )
                .printed(format!("{most}%")),
            ]
        };
        rows.extend(over_seeds(&seeds, each.iter().map(of_seed).collect()));
        let labels = all.iter().map(u64::to_string).collect();
        let title = format!("Mean query error, {word} ({epsilon}, m)-anonymity");
        let panel = Panel::new(word, title, ("m", "% error"), labels);
        panels.push(of_dimensions(panel, means(&each)));
    }
    let setting = vec![
        incomes.about.clone(),
        format!(
            "The parameter epsilon is 4500 (absolute) or 0.125 (relative). Each workload has {} \
             queries with 2, 3, or 4 attributes and volume s = 0.1. The experiment uses {} seeds, \
             starting with {}, and the plots show the means over the seeds.",
            lab.by_effort("1,000", "100"),
            seeds.len(),
            lab.options.seed
        ),
    ];
    Ok(Findings { setting, panels, rows, differences: differences(&incomes) })
}

fn of_dimensions(panel: Panel, errors: [Vec<Option<f64>>; 3]) -> Panel {
    let names = DIMENSIONS.map(|dimension| format!("{dimension}D"));
    names.into_iter().zip(errors).fold(panel, |panel, (name, values)| panel.with(name, values))
}

fn against_volume(lab: &Lab<'_>) -> Result<Findings, Error> {
    let incomes = Incomes::new(lab)?;
    let seeds = lab.seeds();
    let volumes: Vec<f64> = lab.by_effort(vec![0.01, 0.05, 0.1, 0.15, 0.2], vec![0.05, 0.2]);
    let (mut panels, mut rows) = (Vec::new(), Vec::new());
    for near in BOTH {
        let (word, epsilon) = (near.word(), near.middle());
        let pair = incomes.generalized(&requested(near, epsilon, 5))?;
        let axes = pair.as_ref().map(Axes::new);
        let mut each: BySeed = vec![Default::default(); seeds.len()];
        for (lines, &seed) in each.iter_mut().zip(&seeds) {
            for (values, dimension) in lines.iter_mut().zip(DIMENSIONS) {
                for &volume in &volumes {
                    let both = pair.as_ref().zip(axes.as_ref());
                    values.push(
                        both.and_then(|(it, axes)| error((lab, seed), it, axes, dimension, volume)),
                    );
                }
            }
        }
        let of_seed = |errors: &[Vec<Option<f64>>; 3]| {
            let at_least = errors.iter().filter_map(|values| values[0]).fold(0.0, f64::max);
            vec![
                Row::new(
                    format!("The error decreases as s increases ({word})"),
                    errors.iter().map(|values| spelled(values)).collect::<Vec<_>>().join(" | "),
                    errors.iter().all(|values| falls(&known(values))),
                    format!(
                        "criterion: for each dimension, the error decreases overall and never \
                         increases; {}",
                        no_change()
                    ),
                ),
                Row::new(
                    format!(
                        "The query error remains small even for the lowest value of s ({word})"
                    ),
                    format!("at most {}", percent(at_least)),
                    incomes.on_height(at_least < 50.0),
                    format!(
                        "criterion: the error is below 50% for each dimension, because the paper \
                         does not specify a number; {OWN_HEIGHT}"
                    ),
                ),
            ]
        };
        rows.extend(over_seeds(&seeds, each.iter().map(of_seed).collect()));
        let labels = volumes.iter().map(|volume| format!("{}%", 100.0 * volume)).collect();
        let title = format!("Mean query error, {word} ({epsilon}, 5)-anonymity");
        panels.push(of_dimensions(Panel::new(word, title, ("s", "% error"), labels), means(&each)));
    }
    let setting = vec![
        incomes.about.clone(),
        format!(
            "The parameter epsilon is 4500 (absolute) or 0.125 (relative), and m is 5. Each \
             workload has {} queries with 2, 3, or 4 attributes. The experiment uses {} seeds, \
             starting with {}, and the plots show the means over the seeds.",
            lab.by_effort("1,000", "100"),
            seeds.len(),
            lab.options.seed
        ),
    ];
    Ok(Findings { setting, panels, rows, differences: differences(&incomes) })
}
