//! Section IV-C: the cost of the weakest simple diversity and (c, l)-diversity that guarantee (tau,
//! l)-diversity. The text gives neither the formulas nor figures for the cost.

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
    title: "Utility of CLD and 1DLD with the weakest requirements that guarantee (tau, l)",
    source: "(tau, l)-diversity text, Section IV-C, which plots nothing",
    needs: &[&ADULT, &NURSERY],
    work: run,
};

fn run(lab: &Lab<'_>) -> Result<Findings, Error> {
    let all = all(lab)?;
    let (mut panels, mut rows) = (Vec::new(), Vec::new());
    for runs in all {
        let best = values(runs, |run| Some(run.measured.utility));
        let table = runs.setting.data.name;
        let mut plot =
            panel(runs, "", "Share of the information that is retained", "utility", &best);
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
                format!("Such 'best' measures typically cause much worse loss of utility than that shown in Figures 6 and 7 ({name}, {table})"),
                format!(
                    "of {} requirements that the method serves, worse for {n_worse} and no result for {n_none}; where both have one, on average {} against {}",
                    both.len(),
                    words::number(of_implied / n.max(1.0)),
                    words::number(of_chosen / n.max(1.0))
                ),
                match both.is_empty() {
                    true => Agreement::NotComparable,
                    false => Agreement::from(2 * (n_worse + n_none) > both.len()),
                },
                "taken as: a lower utility, or no result at all, for more than half of the requirements; against the release with the least excess, as in the \
                 figures",
            ));
        }
        panels.push(plot);
    }
    let setting = vec![
        "As tau-l-6, and beside it simple diversity with l' = max(l, 1/tau), and (c, l)-diversity with the largest c for which it is enough; both were \
         derived here (the text says that it can be done) and are held against all small classes by a test."
            .to_owned(),
    ];
    Ok(Findings { setting, panels, rows, differences: Vec::new() })
}
