//! Bounds on the levels that a table can reach, computed before any search.
//!
//! If merging preserves a principle, a single class of all rows has the best level that is
//! reachable without suppression. For (epsilon, m)-anonymity and related principles, Theorems 1 and
//! 2 of the (epsilon, m) paper determine the reachable levels. The partition in their proofs
//! ignores the quasi-identifiers, so it requires a published class column (reading F-1).

mod beyond;
mod generalized_sensitive;
mod proximity;

pub use beyond::{
    Beyond, DontCareStep, SensitiveValues, at_levels, beyond_reach, effect_of_dont_care,
};
pub use generalized_sensitive::{
    TauReach, largest_c, smallest_tau, tau_reach, tau_reach_of, weakest_simple,
};
pub use proximity::{NearnessBound, Supremum, Unit, largest_m, supremum, trade_off, worthwhile_m};

use crate::model::{ClassView, FrequencyTable};
use crate::principle::{DependsOn, Level, Quantity};
use crate::recoding::{Others, Requirement};

/// The proof, if any, that the best level is reachable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReachProof {
    /// A single class that contains all rows reaches the level.
    OneClass,
    /// A known partition reaches the level if a class column is published. Otherwise, the level is
    /// only a bound (reading F-1).
    WithClassColumn,
    /// No recoding reaches a better level, but it is unknown whether any recoding reaches this
    /// level.
    Bound,
}

/// The best level that any recoding without suppression could reach for one requirement.
#[derive(Debug, Clone, PartialEq)]
pub struct Reach {
    /// The names and values of the quantities of the level.
    pub best: Vec<(&'static str, Quantity)>,
    /// Whether the best level meets the requirement. If not, it is proved that no recoding meets
    /// it.
    pub is_within: bool,
    /// Whether a partition is known that meets the requirement: a single class of all rows, or a
    /// partition that requires a class column (reading F-1).
    pub is_shown: bool,
    /// The proof, if any, that the best level is reachable.
    pub proof: ReachProof,
    /// The number of rows with the most frequent value of the sensitive attribute, and the number
    /// of all rows. A frequent value is the most common obstacle.
    pub most_frequent: Option<(u64, u64)>,
}

/// Returns the best level that any recoding without suppression could reach for a requirement, or
/// `None` for an empty table.
pub fn reach(table: &FrequencyTable, requirement: &Requirement) -> Option<Reach> {
    if table.n_rows() == 0 {
        return None;
    }
    let entries = table.all_occurring();
    let histograms = table.histograms(&entries);
    let principle = &*requirement.principle;
    let population = principle.population().map(|population| population.n_people());
    let all = ClassView { size: table.n_rows(), histograms: &histograms, population };
    let best = principle.upper_bound(&all);
    let bounds = principle.bounds();
    let attribute = requirement.attribute.as_deref().and_then(|name| table.sensitive_index(name));
    Some(Reach {
        best: bounds.iter().map(|bound| bound.name).zip(best.quantities().copied()).collect(),
        is_within: !principle.is_ruled_out(&all),
        is_shown: requirement.others == Others::Ignored && principle.partition(&all).is_some(),
        proof: match requirement.others {
            // The level of the class of all rows is a bound for the levels of its parts, which may
            // be worse.
            Others::QuasiIdentifier => ReachProof::Bound,
            Others::Ignored if is_reached_by(principle.of_class(&all), best, bounds) => {
                ReachProof::OneClass
            }
            Others::Ignored if is_reached_by(principle.shown_reachable(&all), best, bounds) => {
                ReachProof::WithClassColumn
            }
            Others::Ignored => ReachProof::Bound,
        },
        most_frequent: attribute.map(|at| (histograms[at].largest(), table.n_rows())),
    })
}

fn is_reached_by(shown: Level, best: Level, bounds: &[crate::Bound]) -> bool {
    shown.worst(best, bounds).severity(&best, bounds).is_eq()
}

/// Returns whether suppressing rows can make an infeasible requirement feasible for the remaining
/// rows.
pub fn depends_on_suppression(requirement: &Requirement) -> bool {
    requirement.principle.depends_on() != DependsOn::Class
}
