//! Suggests changes to an unsatisfiable policy. According to the answer, each suggested change is
//! the smallest sufficient one.

use std::collections::BTreeMap;

use indistinct::Figure;
use indistinct::anonymize::Infeasible;
use indistinct::words;

use crate::document::Principle;
use crate::texts::{self, t};

/// A suggested change of the policy.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WayOut {
    /// A short description of the change.
    pub(super) what: String,
    /// The action of the form that makes the change.
    pub(super) action: &'static str,
    pub(super) fields: Vec<(&'static str, String)>,
}

/// Parameters whose larger values are stricter. The suggested value is the largest integer that the
/// table reaches.
const RISING: [&str; 3] = ["k", "l", "m"];

/// Returns the changes that are sufficient according to the answer, starting with the mildest.
pub(super) fn ways(infeasible: &Infeasible, principles: &[Principle]) -> Vec<WayOut> {
    let mut ways = Vec::new();
    for beyond in &infeasible.beyond_reach {
        ways.extend(weaker(&beyond.kind, beyond.attribute.as_deref(), &beyond.best, principles));
    }
    let Some(nearest) = infeasible.nearest() else { return ways };
    if let (Some(needed), true) = (nearest.n_suppressed_needed, infeasible.n_rows > 0)
        && needed < infeasible.n_rows
        && needed > infeasible.n_suppressible
    {
        // Round the limit up, because it must allow the required suppression.
        let limit = (needed as f64 / infeasible.n_rows as f64 * 10_000.0).ceil() / 10_000.0;
        ways.push(WayOut {
            what: format!(
                "{}: {} ({})",
                t("way_suppress"),
                texts::counted("count.row", needed),
                texts::share(needed, infeasible.n_rows)
            ),
            action: "limit",
            fields: vec![("limit", limit.to_string())],
        });
    }
    for claim in nearest.principles.iter().filter(|claim| !claim.holds) {
        let Some(reached) = &claim.reached else { continue };
        ways.extend(weaker(&claim.kind, claim.attribute.as_deref(), reached, principles));
    }
    let mut visited = Vec::new();
    ways.retain(|way| {
        let is_new = !visited.contains(&way.what);
        visited.push(way.what.clone());
        is_new
    });
    ways
}

fn weaker(
    kind: &str,
    attribute: Option<&str>,
    best: &BTreeMap<String, Option<Figure>>,
    principles: &[Principle],
) -> Vec<WayOut> {
    let is_it = |it: &Principle| {
        it.kind == kind && (it.attribute.is_none() || it.attribute.as_deref() == attribute)
    };
    let Some(at) = principles.iter().position(is_it) else { return Vec::new() };
    let rising = |name: &'static str| {
        let reached = match best.get(name)?.as_ref()? {
            Figure::Count(n) => *n,
            Figure::Real(x) if *x >= 0.0 => x.floor() as u64,
            _ => return None,
        };
        let required = principles[at].parameters.iter().find(|(key, _)| key == name)?;
        let is_weaker = required.1.parse::<f64>().is_ok_and(|required| (reached as f64) < required);
        (is_weaker && reached >= 1).then(|| WayOut {
            what: format!("{}: {name} = {reached}", words::principle_name(kind, attribute)),
            action: "principle-set",
            fields: vec![("at", at.to_string()), (name, reached.to_string())],
        })
    };
    RISING.into_iter().filter_map(rising).collect()
}
