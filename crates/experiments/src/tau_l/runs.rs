//! The runs of the three algorithms on which all four figures are based.

use indistinct_measure::Summary;

use super::guarantees::{largest_c, simple};
use super::methods::{Candidate, ReleaseMeasures, RunContext};
use super::{SETTINGS, Setting, number, whole};
use crate::error::Error;
use crate::experiment::Lab;

/// The runs on a table.
#[derive(Debug)]
pub(crate) struct Runs {
    pub(super) setting: &'static Setting,
    pub(super) n_rows: u64,
    /// The (tau, l) pairs of the setting for which the algorithms were run.
    pub(super) required: &'static [(&'static str, u64)],
    /// For each method and (tau, l), the release that the paper would report, or `None` if there is
    /// none.
    pub(super) of_methods: [Vec<Option<Run>>; 3],
    /// For full-domain recoding and the Hilbert curve method, the fraction of retained information
    /// under the weakest requirement that guarantees each (tau, l).
    pub(super) implied: [Vec<Option<f64>>; 2],
}

/// The release that the paper would report.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) measured: ReleaseMeasures,
    /// The time in milliseconds. For 1DLD, the total time for l = 2, 3, ... up to the first
    /// satisfying release; for CLD, the total time for all c and l.
    pub(super) ms: f64,
}

/// Returns the runs on each available table.
pub(super) fn all<'a>(lab: &'a Lab<'_>) -> Result<&'a [Runs], Error> {
    let runs = lab.once(|| {
        let data = lab.options.data.as_deref();
        let there: Vec<&'static Setting> =
            SETTINGS.iter().filter(|setting| setting.data.find(data).is_ok()).collect();
        if there.is_empty() {
            SETTINGS[0].data.find(data)?;
        }
        let runs = there.into_iter().map(|setting| on(lab, setting));
        runs.collect::<Result<Vec<Runs>, Error>>()
    })?;
    Ok(runs)
}

fn on(lab: &Lab<'_>, setting: &'static Setting) -> Result<Runs, Error> {
    let table = setting.data.read(lab.options.data.as_deref())?;
    let sample = lab.by_effort(table.all(), table.one_in(20, lab.options.seed));
    let required = lab.by_effort(setting.required, &setting.required[..3]);
    let context = RunContext {
        lab,
        setting,
        table: table.counted(setting.quasi_identifiers, &[setting.sensitive], &sample),
        hierarchies: table.hierarchies(setting.quasi_identifiers),
        taxonomy: table.taxonomy(setting.sensitive),
    };
    let mut swept = Vec::new();
    for &(tau, l) in required {
        let run = match context.sweep(tau, l)? {
            Some(candidate) => match context.excess(&candidate, (tau, l)) {
                Some(excess) => {
                    let measured = context.measure(&candidate, excess)?;
                    Some(Run { measured, ms: candidate.ms })
                }
                None => None,
            },
            None => None,
        };
        swept.push(run);
    }
    let (nodes, all_ms) = context.full_domain()?;
    let along = context.curve()?;
    let mut of_nodes = Vec::new();
    let mut of_curve = Vec::new();
    for at in 0..required.len() {
        of_nodes.push(best(&context, &nodes, at)?.map(|measured| Run { measured, ms: all_ms }));
        let first = along.iter().position(|candidate| candidate.satisfies[at]);
        let ms = first.map_or(0.0, |first| along[..=first].iter().map(|it| it.ms).sum());
        of_curve.push(best(&context, &along, at)?.map(|measured| Run { measured, ms }));
    }
    let mut implied: [Vec<Option<f64>>; 2] = Default::default();
    for &(tau, l) in required {
        let node = match largest_c(number(tau), l) {
            Some(c) => context.node_for(c, l)?,
            None => None,
        };
        implied[0].push(RunContext::retained(node));
        implied[1].push(RunContext::retained(context.curve_for(simple(number(tau), whole(l)))?));
    }
    let n_rows = context.table.n_rows();
    Ok(Runs { setting, n_rows, required, of_methods: [swept, of_nodes, of_curve], implied })
}

/// Among the releases that satisfy the requirement, selects the one with the least excessive
/// protection. The minimum over classes is compared first, as in the paper, and then the mean.
fn best(
    context: &RunContext<'_>,
    candidates: &[Candidate],
    at: usize,
) -> Result<Option<ReleaseMeasures>, Error> {
    let required = context.setting.required[at];
    let satisfying = candidates.iter().filter(|candidate| candidate.satisfies[at]);
    let with_excess =
        satisfying.filter_map(|candidate| Some((context.excess(candidate, required)?, candidate)));
    let order = |a: &(Summary, &Candidate), b: &(Summary, &Candidate)| {
        a.0.min.total_cmp(&b.0.min).then(a.0.mean.total_cmp(&b.0.mean))
    };
    match with_excess.min_by(order) {
        Some((excess, candidate)) => context.measure(candidate, excess).map(Some),
        None => Ok(None),
    }
}
