//! What comes nearest where there is no retention probability.

use std::collections::BTreeMap;

use indistinct_core::Figure;
use serde::Serialize;

/// What noise alone, with p = 0, would reach of a principle.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct NoiseAlone {
    /// The principle.
    pub kind: &'static str,
    /// Its sensitive attribute.
    pub attribute: Option<String>,
    /// Which of its parameters limits the risk: m or l.
    pub parameter: &'static str,
    /// Its parameters as required.
    pub required: BTreeMap<String, Figure>,
    /// The largest m for which there would be a p, for (delta, l)-diversity the largest l; `None` for an empty table.
    pub largest_m: Option<Figure>,
}
