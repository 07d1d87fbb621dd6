//! What a method adds to the answer of `anonymize`: one variant for each that has something to add.
//!
//! In JSON the fields of a variant stand beside those that all answers have.

use std::collections::BTreeMap;

use crate::anatomy::Separation;
use indistinct_release::forms::{ByPlan, Noise};
use serde::Serialize;

use crate::generated::GeneratedColumn;
use crate::invariant::{Invariance, NoVersion};
use crate::perturbation::NoiseAlone;
use crate::planned::NotByPlan;

/// What a method adds about a release.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// What a method says where there is no release.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
#[non_exhaustive]
pub enum NotPossible {
    /// Of a lattice, with `search.all_minimal`.
    Lattice {
        /// None.
        minimal_nodes: Vec<BTreeMap<String, usize>>,
    },
    /// Of a perturbation.
    Noise {
        /// What comes nearest: for each principle what noise alone would reach.
        noise_alone: Vec<NoiseAlone>,
    },
    /// Of a planned release.
    ByPlan {
        /// What keeps the table from being one.
        planned: NotByPlan,
    },
    /// Of a version of a growing table.
    Version {
        /// Why there is none.
        no_version: NoVersion,
    },
}
