//! Reproduces Section IV-C: the cost of the weakest simple diversity and (c, l)-diversity that
//! guarantee (tau, l)-diversity. The paper gives neither the formulas nor figures for the cost.

use indistinct_text::words;

use super::figures::{panel, values};
use super::runs::all;
use crate::comparison::{Agreement, MUCH, Row};
use crate::data::{ADULT, NURSERY};
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab};

/// The cost of the weakest requirements.
pub(crate) static IMPLIED: Experiment = Experiment {
    name: "tau-l-implied",
    title: "Utility of CLD and 1DLD with the weakest requirements that imply (tau, l)-diversity",
    source: "(tau, l)-diversity paper, Section IV-C, which has no plots",
    needs: &[&ADULT, &NURSERY],
    work: run,
};

/// The series for the weakest requirements, in the order of the methods.
const IMPLIED_NAMES: [&str; 2] = ["CLD, implied", "1DLD, implied"];

fn run(lab: &Lab<'_>) -> Result<Findings, Error> {
    let all = all(lab)?;
    let (mut panels, mut rows) = (Vec::new(), Vec::new());
    for runs in all {
        let best = values(runs, |run| Some(run.measured.utility));
        let mut plot = panel(runs, "", "Share of retained information", "utility", &best);
        for ((name, implied), chosen) in
            IMPLIED_NAMES.into_iter().zip(&runs.implied).zip(&best[1..])
        {
            plot = plot.with(name, implied.clone());
            rows.push(greater_loss(name, runs.setting.data.name, chosen, implied));
        }
        panels.push(plot);
    }
    let setting = vec![
        "This experiment extends tau-l-6 with two requirements: simple l'-diversity for l' = \
         max(l, 1/tau), and (c, l)-diversity for the largest sufficient c. The paper states that \
         both kinds of requirements can imply (tau, l)-diversity. The requirements were derived \
         for this experiment, and a test checks them on all small classes."
            .to_owned(),
    ];
    Ok(Findings { setting, panels, rows, differences: Vec::new() })
}

/// Compares the utility of the releases in the figures with the utility for the weakest requirement
/// that implies each (tau, l).
fn greater_loss(name: &str, table: &str, chosen: &[Option<f64>], implied: &[Option<f64>]) -> Row {
    let pairs = chosen.iter().zip(implied);
    let pairs: Vec<(f64, Option<f64>)> =
        pairs.filter_map(|(chosen, of)| Some(((*chosen)?, *of))).collect();
    let both: Vec<(f64, f64)> =
        pairs.iter().filter_map(|(chosen, of)| Some((*chosen, (*of)?))).collect();
    let n_none = pairs.len() - both.len();
    let n_greater = both.iter().filter(|(chosen, of)| of < chosen).count();
    // The utility is the fraction of retained information, so the loss is the other fraction.
    let n_much = both
        .iter()
        .filter(|(chosen, of)| of < chosen && 1.0 - of >= (1.0 + MUCH) * (1.0 - chosen))
        .count();
    let mean =
        |of: fn(&(f64, f64)) -> f64| both.iter().map(of).sum::<f64>() / both.len().max(1) as f64;
    Row::new(
        format!(
            "The 'best' measures that imply (tau, l)-diversity typically cause a much greater loss \
             of utility than that shown in Figures 6 and 7 ({name}, {table})"
        ),
        format!(
            "of {} requirements that the method supports, the loss of utility is greater for \
             {n_greater} (by at least {} for {n_much}), and a result is missing for {n_none}; if \
             both have results, the mean utilities are {} and {}",
            pairs.len(),
            words::percent(MUCH),
            words::number(mean(|pair| pair.1)),
            words::number(mean(|pair| pair.0))
        ),
        match pairs.is_empty() {
            true => Agreement::NotComparable,
            false => Agreement::from(2 * (n_much + n_none) > pairs.len()),
        },
        format!(
            "criterion: for more than half of the requirements, a result is missing, or the loss \
             of utility is at least {} greater than that of the release with the least excessive \
             protection, which the figures show",
            words::percent(MUCH)
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_tests::{assert_rows, stored};
    use crate::tau_l::METHODS;

    #[test]
    fn verdicts_follow_from_stored_utilities() {
        let mut rows = Vec::new();
        for (table, panel) in ["Adult", "Nursery"].into_iter().zip(stored("tau-l-implied")) {
            for (name, method) in IMPLIED_NAMES.into_iter().zip(&METHODS[1..]) {
                rows.push(greater_loss(name, table, panel.values(method), panel.values(name)));
            }
        }
        assert_rows("tau-l-implied", &rows);
    }
}
