//! Which parameters a table can reach at all, before any search.
//!
//! What merging keeps is reached best by one class of all rows: no recoding without suppression does better. For
//! (epsilon, m)-anonymity and its relatives Theorems 1 and 2 of the (epsilon, m) text say what is reachable, but the
//! partition that proves it ignores the quasi-identifiers: it needs a published class column (reading F-1).

mod at_levels;
mod beyond;
mod dont_care;
mod generalized_sensitive;
mod guarantees;
mod proximity;

pub use at_levels::at_levels;
pub use beyond::{Beyond, SensitiveValues, beyond_reach};
pub use dont_care::{DontCareStep, effect_of_dont_care};
pub use generalized_sensitive::{TauReach, smallest_tau, tau_reach, tau_reach_of};
pub use guarantees::{largest_c, weakest_simple};
pub use proximity::{NearnessBound, Supremum, Unit, largest_m, supremum, trade_off, worthwhile_m};

use crate::model::{ClassView, FrequencyTable, Histogram};
use crate::principle::{DependsOn, Level, Quantity};
use crate::recoding::{Others, Requirement};

/// How sure it is that the best level can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReachProof {
    /// One class of all rows reaches it.
    OneClass,
    /// A known partition reaches it if a class column is published; without one it is only a bound (reading F-1).
    WithClassColumn,
    /// No recoding does better; whether one does as well is not known.
    Bound,
}

/// The best that any recoding without suppression could reach for one requirement.
#[derive(Debug, Clone, PartialEq)]
pub struct Reach {
    /// The quantities with their names.
    pub best: Vec<(&'static str, Quantity)>,
    /// Whether what is required is within the best. If not, it is proved that no recoding reaches it.
    pub is_within: bool,
    /// Whether a partition is known that reaches what is required: the class of all rows, or (reading F-1) one that needs a
    /// class column.
    pub is_shown: bool,
    /// How sure it is that the best is reachable.
    pub proof: ReachProof,
    /// The rows of the most frequent value of the sensitive attribute, of how many: what mostly stands in the way.
    pub most_frequent: Option<(u64, u64)>,
}

/// The best that any recoding without suppression could reach for a requirement; `None` for an empty table.
pub fn reach(table: &FrequencyTable, requirement: &Requirement) -> Option<Reach> {
    if table.n_rows() == 0 {
        return None;
    }
    let entries: Vec<Vec<(u32, u64)>> =
        table.sensitive().iter().map(|column| table.occurring(column)).collect();
    let histograms: Vec<Histogram<'_>> = entries
        .iter()
        .zip(table.sensitive())
        .map(|(entries, column)| Histogram { entries, dictionary: &column.dictionary })
        .collect();
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
            // The parts of the class of all rows may be worse than it; they are no better.
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

/// Whether what a principle finds feasible on a table may change when rows are suppressed, beyond the rows themselves.
pub fn depends_on_suppression(requirement: &Requirement) -> bool {
    requirement.principle.depends_on() != DependsOn::Class
}
