//! Reproduces Section IV-C: the cost of the weakest simple diversity and (c, l)-diversity that
//! guarantee (tau, l)-diversity. The paper gives neither the formulas nor figures for the cost.

use indistinct_text::words;

use super::figures::{panel, values};
use super::runs::all;
use crate::comparison::{Agreement, Row};
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

fn run(lab: &Lab<'_>) -> Result<Findings, Error> {
    let all = all(lab)?;
    let (mut panels, mut rows) = (Vec::new(), Vec::new());
    for runs in all {
        let best = values(runs, |run| Some(run.measured.utility));
        let table = runs.setting.data.name;
        let mut plot = panel(runs, "", "Share of retained information", "utility", &best);
        for (at, (name, implied)) in
            ["CLD, implied", "1DLD, implied"].into_iter().zip(&runs.implied).enumerate()
        {
            plot = plot.with(name, implied.clone());
            let chosen = &best[1 + at];
            let both =
                chosen.iter().zip(implied).filter_map(|(chosen, of)| Some(((*chosen)?, *of)));
            let both: Vec<(f64, Option<f64>)> = both.collect();
            let n_none = both.iter().filter(|(_, of)| of.is_none()).count();
            let n_worse =
                both.iter().filter(|(chosen, of)| of.is_some_and(|of| of < *chosen)).count();
            let means = both.iter().filter_map(|(chosen, of)| Some((*chosen, (*of)?)));
            let (mut of_chosen, mut of_implied, mut n) = (0.0, 0.0, 0.0f64);
            for (chosen, of) in means {
                of_chosen += chosen;
                of_implied += of;
                n += 1.0;
            }
            rows.push(Row::new(
                format!(
                    "The 'best' measures that imply (tau, l)-diversity typically cause a much \
                     greater loss of utility than that shown in Figures 6 and 7 ({name}, {table})"
                ),
                format!(
                    "of {} requirements that the method supports, the utility is lower for \
                     {n_worse}, and a result is missing for {n_none}; if both have results, the \
                     means are {} and {}",
                    both.len(),
                    words::number(of_implied / n.max(1.0)),
                    words::number(of_chosen / n.max(1.0))
                ),
                match both.is_empty() {
                    true => Agreement::NotComparable,
                    false => Agreement::from(2 * (n_worse + n_none) > both.len()),
                },
                "criterion: for more than half of the requirements, a result is missing, or the \
                 utility is lower than that of the release with the least excessive protection, \
                 which the figures show",
            ));
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
