//! Comparison of claimed and recomputed values.

use std::collections::BTreeMap;

use indistinct_core::{Claims, Figure, PrincipleClaim};

use crate::certificate::Certificate;
use crate::check::{Check, Difference, Subject, same_number};
use crate::rows::{ByClass, Rows};

/// Compares the claimed counts, risks, and principles with the recomputed claims.
pub(super) fn compare(claimed: &Claims, recomputed: &Claims) -> Vec<Check> {
    let mut counts = Vec::new();
    let mut count = |what: &'static str, claimed: Option<u64>, found: Option<u64>| {
        if claimed != found {
            counts.push(Difference::Count { count: what, claimed, found });
        }
    };
    count("n_released", Some(claimed.n_released), Some(recomputed.n_released));
    count("n_classes", Some(claimed.n_classes), Some(recomputed.n_classes));
    count("smallest_class", claimed.smallest_class, recomputed.smallest_class);
    if claimed.class_sizes != recomputed.class_sizes {
        counts.push(Difference::ClassSizes);
    }
    let mut risk = Vec::new();
    for (what, claimed, found) in [
        ("prosecutor_max", claimed.risk.prosecutor_max, recomputed.risk.prosecutor_max),
        ("prosecutor_mean", claimed.risk.prosecutor_mean, recomputed.risk.prosecutor_mean),
        ("journalist_max", claimed.risk.journalist_max, recomputed.risk.journalist_max),
        ("marketer", claimed.risk.marketer, recomputed.risk.marketer),
        ("unique_fraction", claimed.risk.unique_fraction, recomputed.risk.unique_fraction),
    ] {
        let is_same = match (claimed, found) {
            (Some(claimed), Some(found)) => same_number(claimed, found),
            (claimed, found) => claimed == found,
        };
        if !is_same {
            risk.push(Difference::Risk { risk: what, claimed, found });
        }
    }
    let mut checks = vec![Check::new(Subject::Counts, counts), Check::new(Subject::Risk, risk)];
    if claimed.principles.len() != recomputed.principles.len() {
        let n = |claims: &Claims| claims.principles.len() as u64;
        let difference = Difference::PrincipleCount { claimed: n(claimed), found: n(recomputed) };
        checks.push(Check::new(Subject::Principles, vec![difference]));
    }
    for (claimed, found) in claimed.principles.iter().zip(&recomputed.principles) {
        checks.push(compare_principle(claimed, found));
    }
    checks
}

/// Compares the reconstruction error of two tables with the certificate. A release with one table
/// must not claim a reconstruction error.
pub(super) fn compare_lost(certificate: &Certificate, rows: &Rows) -> Option<Check> {
    let found = match &rows.classes {
        ByClass::Tables { joined, .. } => Some(joined.reconstruction_error()),
        ByClass::Labels | ByClass::Column(_) => None,
    };
    let claimed = certificate.claims.reconstruction_error;
    let is_same = match (claimed, found) {
        (None, None) => return None,
        (Some(claimed), Some(found)) => same_number(claimed, found),
        _ => false,
    };
    let difference = (!is_same).then_some(Difference::ReconstructionError { claimed, found });
    Some(Check::new(Subject::ReconstructionError, difference.into_iter().collect()))
}

pub(super) fn compare_principle(claimed: &PrincipleClaim, found: &PrincipleClaim) -> Check {
    let mut differences = Vec::new();
    if !found.holds {
        differences.push(Difference::PrincipleFails {
            n_classes: found.n_failing_classes,
            n_rows: found.n_failing_rows,
        });
    }
    let same_counts = (claimed.holds, claimed.n_failing_classes, claimed.n_failing_rows)
        == (found.holds, found.n_failing_classes, found.n_failing_rows)
        && claimed.worst_class_size == found.worst_class_size
        && claimed.counts == found.counts
        && claimed.required == found.required;
    if !same_counts {
        differences.push(Difference::ClaimDiffers);
    }
    let empty = BTreeMap::new();
    let (a, b) =
        (claimed.reached.as_ref().unwrap_or(&empty), found.reached.as_ref().unwrap_or(&empty));
    let same_names = claimed.reached.is_some() == found.reached.is_some() && a.keys().eq(b.keys());
    if !same_names {
        differences.push(Difference::OtherLevels);
    } else {
        for ((name, claimed), found) in a.iter().zip(b.values()) {
            if !same_figure(claimed, found) {
                differences.push(Difference::LevelDiffers { level: name.clone() });
            }
        }
    }
    Check::new(Subject::principle(found), differences)
}

fn same_figure(a: &Option<Figure>, b: &Option<Figure>) -> bool {
    let number = |figure: &Figure| match figure {
        Figure::Count(count) => Some(*count as f64),
        Figure::Real(value) => Some(*value),
        _ => None,
    };
    match (a.as_ref().and_then(number), b.as_ref().and_then(number)) {
        (Some(a), Some(b)) => same_number(a, b),
        _ => a == b,
    }
}
