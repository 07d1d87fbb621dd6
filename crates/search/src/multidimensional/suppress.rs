//! Suppresses rows if releasing them costs their class more than suppressing them.
//!
//! If suppressed rows are shown as `*`, they form a class, which must also satisfy the principles.
//! If the level bounds allow the cells that cover all these rows, the rows are released with these
//! cells instead of `*` and do not count as suppressed.

use indistinct_core::SuppressionRule;

use super::aim::Change;
use super::clusters::{Cluster, Context};
use super::resolve::LEAST_GAIN;

/// The remaining suppression.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    pub treatment: SuppressionRule,
    /// Number of rows that may still be suppressed.
    pub left: u64,
    /// Tuples that are already suppressed, in ascending order if they are shown as `*`.
    pub before: Vec<u32>,
}

impl Budget {
    /// Returns a budget that permits no further suppression.
    pub fn used_up(&self) -> Self {
        Self { left: 0, ..self.clone() }
    }
}

/// Removes tuples from their classes as long as the objective falls.
pub(super) fn suppress(context: &Context<'_>, clusters: &mut Vec<Cluster>, budget: &Budget) {
    if budget.left == 0 {
        return;
    }
    match budget.treatment {
        SuppressionRule::Dropped => {
            drop_rows(context, clusters, budget.left);
        }
        SuppressionRule::Starred | SuppressionRule::Cells => star_rows(context, clusters, budget),
    }
}

/// Drops tuples and returns them.
fn drop_rows(context: &Context<'_>, clusters: &mut [Cluster], mut budget: u64) -> Vec<u32> {
    let (judge, aim) = (context.judge, context.aim);
    let mut gains: Vec<(f64, usize, u32)> = Vec::new();
    for (at, cluster) in clusters.iter().enumerate() {
        // Skip classes for which removing rows saves nothing or violates the minimum size.
        if cluster.size <= judge.smallest_size || aim.urgency(judge, cluster) == 0.0 {
            continue;
        }
        let covers = context.covers_without_each(cluster);
        for (&tuple, cover) in cluster.tuples.iter().zip(covers) {
            let rows = judge.rows(tuple);
            let Some(cover) = cover.filter(|_| rows <= budget) else { continue };
            let left =
                aim.total_with(judge, cluster, Change::Without(tuple), context.space.cost(&cover));
            let gain = cluster.total - left - aim.suppressed * rows as f64;
            if gain > LEAST_GAIN {
                gains.push((gain / rows as f64, at, tuple));
            }
        }
    }
    gains.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut is_changed = vec![false; clusters.len()];
    let mut dropped = Vec::new();
    for (_, at, tuple) in gains {
        let rows = judge.rows(tuple);
        if is_changed[at] || rows > budget {
            continue;
        }
        let rest = clusters[at].tuples.iter().copied().filter(|other| *other != tuple).collect();
        let rest = context.cluster(rest);
        if rest.holds {
            clusters[at] = rest;
            is_changed[at] = true;
            budget -= rows;
            dropped.push(tuple);
        }
    }
    dropped
}

/// Suppresses tuples and shows them as `*`, if that lowers the objective including the class of
/// these tuples.
fn star_rows(context: &Context<'_>, clusters: &mut Vec<Cluster>, budget: &Budget) {
    let (judge, aim) = (context.judge, context.aim);
    let rows_of = |tuples: &[u32]| tuples.iter().map(|&tuple| judge.rows(tuple)).sum::<u64>();
    let total = |clusters: &[Cluster]| clusters.iter().map(|cluster| cluster.total).sum::<f64>();
    let mut rest = clusters.clone();
    let dropped = drop_rows(context, &mut rest, budget.left);
    if dropped.is_empty() {
        return;
    }
    let mut left = budget.left - rows_of(&dropped);
    let mut tuples = [&budget.before[..], &dropped].concat();
    tuples.sort_unstable();
    let mut starred = context.cluster(tuples);
    // Whole classes join the suppressed rows, starting with the classes for which suppression adds
    // the least loss.
    let mut classes: Vec<(f64, usize)> = rest
        .iter()
        .enumerate()
        .map(|(at, class)| (aim.suppressed * class.size as f64 - class.total, at))
        .collect();
    classes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut is_starred = vec![false; rest.len()];
    for (_, at) in classes {
        if starred.holds {
            break;
        }
        if rest[at].size <= left {
            left -= rest[at].size;
            starred = context.union(&starred, &rest[at]);
            is_starred[at] = true;
        }
    }
    if !starred.holds {
        return;
    }
    let mut at = 0;
    rest.retain(|_| {
        at += 1;
        !is_starred[at - 1]
    });
    let n_starred = starred.size - rows_of(&budget.before);
    let as_stars = total(&rest) + aim.suppressed * n_starred as f64;
    if budget.before.is_empty() && starred.total < aim.suppressed * starred.size as f64 {
        rest.push(starred);
    }
    if total(&rest).min(as_stars) < total(clusters) - LEAST_GAIN {
        *clusters = rest;
    }
}
