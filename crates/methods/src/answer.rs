//! What a method adds to the answer of `anonymize`: one variant for each that has something to add.
//!
//! In JSON the fields of a variant stand beside those that all answers have.

use std::collections::BTreeMap;

use crate::anatomy::Separation;
use indistinct_core::Nearest;
use indistinct_release::facts::Noise;
use indistinct_release::forms::ByPlan;
use serde::Serialize;

use crate::generated::GeneratedColumn;
use crate::invariant::{Invariance, NoVersion};
use crate::perturbation::NoiseAlone;
use crate::planned::NotByPlan;

/// What a method adds about a release.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
#[non_exhaustive]
pub enum OfMethod {
    /// Of a lattice, with `search.all_minimal`.
    Lattice {
        /// The nodes that satisfy the policy while no node strictly below does.
        minimal_nodes: Vec<BTreeMap<String, usize>>,
    },
    /// Of a perturbation.
    Noise {
        /// How sensitive values were perturbed.
        perturbation: Noise,
    },
    /// Of two tables.
    TwoTables {
        /// What a reader of them can no longer tell.
        separation: Separation,
    },
    /// Of a planned release.
    ByPlan {
        /// What the plan promises, and whether its designated values occur.
        planned: ByPlan,
    },
    /// Of columns whose released values are made.
    Generated {
        /// What was lost in each.
        generated: BTreeMap<String, GeneratedColumn>,
    },
    /// Of a version of a growing table.
    Version {
        /// What it is made of.
        invariance: Invariance,
    },
}

/// What a table lacks for a release: a method answers with it where it finds none.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Shortfall<L = Vec<usize>> {
    /// Too many rows fail.
    Rows {
        /// The recoding nearest to the policy.
        nearest: Nearest<L>,
    },
    /// Perturbation: even p = 0 does not reach a principle.
    Noise {
        /// For each principle the result of noise alone.
        noise_alone: Vec<NoiseAlone>,
    },
    /// Planned release: the table does not satisfy the conditions of the plan.
    ByPlan {
        /// The conditions.
        planned: NotByPlan,
    },
    /// Growing table: there is no next version.
    Version {
        /// The reason.
        no_version: NoVersion,
    },
}

impl<L> Shortfall<L> {
    /// The recoding nearest to the policy, where rows fail.
    pub fn nearest(&self) -> Option<&Nearest<L>> {
        match self {
            Self::Rows { nearest } => Some(nearest),
            Self::Noise { .. } | Self::ByPlan { .. } | Self::Version { .. } => None,
        }
    }

    /// The same with the levels and principles of that recoding in another form.
    pub fn map_nearest<M>(self, f: impl FnOnce(Nearest<L>) -> Nearest<M>) -> Shortfall<M> {
        match self {
            Self::Rows { nearest } => Shortfall::Rows { nearest: f(nearest) },
            Self::Noise { noise_alone } => Shortfall::Noise { noise_alone },
            Self::ByPlan { planned } => Shortfall::ByPlan { planned },
            Self::Version { no_version } => Shortfall::Version { no_version },
        }
    }
}
