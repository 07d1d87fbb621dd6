//! Text about the risk in the population from which a table was sampled.

use indistinct_answers::profile::PopulationRisk;
use indistinct_measure::population::sampled::SampleRisk;
use indistinct_measure::population::uniqueness::Uniqueness;

use crate::words::{counted, list, number, people, percent, rows, thousands};

/// Describes the risk in sentences.
pub fn population_risk(risk: &PopulationRisk) -> Vec<String> {
    let mut sentences = sample_risk(&risk.sample);
    let uniques = &risk.special_uniques;
    let mut text = format!(
        "Special uniques: of {} with a unique combination of all quasi-identifiers, {}{} can be \
         singled out by fewer quasi-identifiers.",
        rows(uniques.n_unique),
        if uniques.highest_dis_suda.is_none() { "at least " } else { "" },
        thousands(uniques.n_special)
    );
    if let Some(dis) = uniques.dis {
        let of_special = uniques.highest_dis_suda.map_or(String::new(), |highest| {
            format!(", or {} for the most special row (DIS-SUDA)", percent(highest))
        });
        text += &format!(
            " A match with a unique row is correct with a probability of {} (DIS){of_special}, at \
             a sampling fraction of {}.",
            percent(dis),
            percent(uniques.sampling_fraction)
        );
    }
    if uniques.highest_dis_suda.is_none() {
        text += &format!(
            " Combinations of more than {} were not evaluated because they are too numerous. \
             DIS-SUDA is therefore unknown, and the scores are too low.",
            counted(uniques.depth as u64, "quasi-identifier", "quasi-identifiers")
        );
    }
    sentences.push(text);
    let mut contributions: Vec<(&String, &f64)> = uniques.contributions.iter().collect();
    contributions.sort_by(|a, b| b.1.total_cmp(a.1).then(a.0.cmp(b.0)));
    let each: Vec<String> = contributions
        .iter()
        .take(5)
        .filter(|(_, share)| **share > 0.0)
        .map(|(name, share)| format!("{name} {}", percent(**share)))
        .collect();
    if !each.is_empty() {
        sentences.push(format!("Contributions to the scores: {}.", list(&each)));
    }
    sentences
}

/// Describes the risk of a sample.
pub fn sample_risk(risk: &SampleRisk) -> Vec<String> {
    let mut found = risk.uniqueness.as_ref().map_or(Vec::new(), uniqueness);
    found.extend(risk.individual.as_ref().map(|it| {
        format!(
            "Individual risk: {} of the rows are expected to be re-identified ({}); the highest \
             risk of a row is {}.",
            percent(it.expected_fraction),
            number(it.expected_rows),
            percent(it.max)
        )
    }));
    found.extend(risk.household.as_ref().map(|it| {
        format!(
            "Household risk ({}; identifying one member identifies all members): {} of the rows \
             are expected to be re-identified; the highest risk of a household is {}.",
            counted(it.n_households, "household", "households"),
            percent(it.expected_fraction),
            percent(it.max)
        )
    }));
    found.extend(risk.k_map.as_ref().map(|it| match it.n_rows_outside_population {
        0 => format!(
            "k-map: each combination matches at least {} of the population; the journalist risk is \
             at most {}.",
            people(it.k),
            percent(it.journalist_max.unwrap_or(1.0))
        ),
        n => format!(
            "k-map: {} no one in the population table, so the table describes another population \
             or writes values differently.",
            counted(n, "row matches", "rows match")
        ),
    }));
    found
}

/// Describes the estimates of uniqueness in the population.
pub(crate) fn uniqueness(found: &Uniqueness) -> Vec<String> {
    let sample = format!(
        "The table is a sample: {} of a population of about {}. In the sample, {} of the rows are \
         unique.",
        percent(found.sampling_fraction),
        thousands(found.n_people.round() as u64),
        percent(found.sample_unique_fraction)
    );
    let share = |n: f64| percent(n / found.n_people);
    let estimates = found.estimates.iter();
    let each: Vec<String> = estimates
        .map(|it| {
            let share = it.n_unique.map_or("no solution".to_owned(), share);
            format!("{share} with {}", estimator(it.estimator))
        })
        .collect();
    let chosen = match (found.chosen, found.population_unique_fraction) {
        (Some(name), Some(share)) => {
            let estimator = estimator(name);
            format!(" The rule of Dankar et al. selects {estimator}: {}.", percent(share))
        }
        _ => String::new(),
    };
    let estimated =
        format!("Estimated share of the population that is unique: {}.{chosen}", list(&each));
    vec![sample, estimated]
}

/// Returns the display name of an estimator.
fn estimator(name: &str) -> &str {
    match name {
        "pitman" => "the Pitman sampling formula",
        "zayatz" => "the estimator of Zayatz",
        "snb" => "the slide negative binomial model",
        other => other,
    }
}
