//! The result closest to the policy, reported if no retention probability satisfies the policy.

use std::collections::BTreeMap;

use indistinct_core::Figure;
use serde::Serialize;

/// The level of a principle with noise alone (p = 0).
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct NoiseAlone {
    /// The principle.
    pub kind: &'static str,
    /// The sensitive attribute of the principle.
    pub attribute: Option<String>,
    /// The parameter that limits the risk: m or l.
    pub parameter: &'static str,
    /// The required parameters.
    pub required: BTreeMap<String, Figure>,
    /// The largest feasible m, or l for (delta, l)-diversity; `None` for an empty table.
    pub largest_m: Option<Figure>,
}
