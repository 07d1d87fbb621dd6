//! Method-specific parts of the `anonymize` answer, with one variant for each method that adds
//! information.
//!
//! The JSON fields of a variant are merged with the fields common to all answers.

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

/// Method-specific information about a release.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
#[non_exhaustive]
pub enum OfMethod {
    /// Full-domain recoding with `search.all_minimal`.
    Lattice {
        /// The minimal nodes: satisfying nodes that have no satisfying node strictly below them.
        minimal_nodes: Vec<BTreeMap<String, usize>>,
    },
    /// Perturbation.
    Noise {
        /// The perturbation of sensitive values.
        perturbation: Noise,
    },
    /// Two tables.
    TwoTables {
        /// The information loss that results from separating the tables.
        separation: Separation,
    },
    /// Planned release.
    ByPlan {
        /// The guarantee of the plan and the number of missing designated values.
        planned: ByPlan,
    },
    /// Columns with generated values.
    Generated {
        /// The information lost in each column.
        generated: BTreeMap<String, GeneratedColumn>,
    },
    /// Version of a growing table.
    Version {
        /// The numbers of new people, retained people, and counterfeit rows.
        invariance: Invariance,
    },
}

/// The reason why a method cannot release a table.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Shortfall<L = Vec<usize>> {
    /// Too many rows violate the policy.
    Rows {
        /// The recoding that is closest to satisfying the policy.
        nearest: Nearest<L>,
    },
    /// Perturbation: even p = 0 does not satisfy a principle.
    Noise {
        /// For each principle, the level that noise alone reaches.
        noise_alone: Vec<NoiseAlone>,
    },
    /// Planned release: the table does not satisfy the conditions of the plan.
    ByPlan {
        /// The conditions.
        planned: NotByPlan,
    },
    /// Growing table: the next version cannot be created.
    Version {
        /// The reason.
        no_version: NoVersion,
    },
}

impl<L> Shortfall<L> {
    /// Returns the recoding that is closest to satisfying the policy, if rows violate the policy.
    pub fn nearest(&self) -> Option<&Nearest<L>> {
        match self {
            Self::Rows { nearest } => Some(nearest),
            Self::Noise { .. } | Self::ByPlan { .. } | Self::Version { .. } => None,
        }
    }

    /// Converts the levels and principles of the closest recoding.
    pub fn map_nearest<M>(self, f: impl FnOnce(Nearest<L>) -> Nearest<M>) -> Shortfall<M> {
        match self {
            Self::Rows { nearest } => Shortfall::Rows { nearest: f(nearest) },
            Self::Noise { noise_alone } => Shortfall::Noise { noise_alone },
            Self::ByPlan { planned } => Shortfall::ByPlan { planned },
            Self::Version { no_version } => Shortfall::Version { no_version },
        }
    }
}
