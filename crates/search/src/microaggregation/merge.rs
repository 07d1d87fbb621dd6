//! Merges each class that violates a principle with the nearest class.

use indistinct_core::FrequencyTable;

use super::counts;
use super::groups::Group;
use super::mdav::squared;
use crate::curve::judge::{Counts, Judge};

struct OpenClass {
    rows: Vec<u32>,
    counts: Counts,
    sums: Vec<f64>,
    holds: bool,
}

impl OpenClass {
    fn mean(&self) -> Vec<f64> {
        self.sums.iter().map(|sum| sum / self.rows.len().max(1) as f64).collect()
    }
}

/// Merges the classes of one group, given by the tuples of their rows, until all classes satisfy
/// the principles. In each step, the first failing class is merged with the class whose mean is
/// nearest. The procedure terminates because the group satisfies the principles as a whole.
pub(super) fn until_all_hold(
    table: &FrequencyTable,
    judge: &Judge<'_>,
    group: &Group,
    classes: Vec<Vec<u32>>,
) -> Vec<Vec<u32>> {
    let with_counts = |rows: Vec<u32>| {
        let mut sums = vec![0.0; group.dimensions()];
        for &tuple in &rows {
            for (sum, x) in sums.iter_mut().zip(group.point(tuple)) {
                *sum += x;
            }
        }
        let counts = counts(table, judge, &rows);
        OpenClass { holds: judge.holds(&counts), rows, counts, sums }
    };
    let mut open: Vec<OpenClass> = classes.into_iter().map(with_counts).collect();
    let mut from = 0;
    while let Some(at) = (from..open.len()).find(|&at| !open[at].holds) {
        let mean = open[at].mean();
        let distances = open.iter().enumerate().filter(|(other, _)| *other != at);
        let nearest = distances
            .map(|(other, class)| (squared(&mean, &class.mean()), other))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let Some((_, other)) = nearest else { break };
        // Merge the later class into the earlier one: all classes before the failing one satisfy
        // the principles, except possibly the merged one.
        let taken = open.remove(at.max(other));
        let retained = &mut open[at.min(other)];
        retained.rows.extend(taken.rows);
        retained.counts.add_all(&taken.counts);
        for (sum, more) in retained.sums.iter_mut().zip(&taken.sums) {
            *sum += more;
        }
        retained.holds = judge.holds(&retained.counts);
        from = at.min(other);
    }
    open.into_iter().map(|class| class.rows).collect()
}
