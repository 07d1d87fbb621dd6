//! Generalization hierarchies, which define the label of each value at each level.
//!
//! A [`HierarchyRule`] is declared in a policy; [`HierarchyRule::resolve`] applies it to the values
//! of a column and returns a [`Hierarchy`]. Each level must be a coarsening of the level below.
//! This module always validates the nesting.
//!
//! Two kinds of rules *list* their domain ([`Arx`], [`Tree`]): they must list every value in the
//! table, and counts refer to all listed values. The other rules compute labels from values, and
//! their domain consists of the values in the table.
//!
//! A missing value (the empty string) that is not listed keeps its own label at each level below
//! the top.

mod arx;
mod error;
mod intervals;
mod labels;
mod listed;
mod render;
mod rule;
#[cfg(test)]
mod tests;
mod tree;

pub use arx::Arx;
pub use error::{HierarchyError, HierarchyProblem, ValueProblem};
pub use indistinct_labels::{DateLevel, Side};
pub use intervals::Intervals;
pub use render::{is_released_csv, released_cells_csv, released_csv, to_arx_csv, tree_text};
pub use rule::{Dates, HierarchyRule, Mask};
pub use tree::Tree;

use std::sync::Arc;

use crate::{Dictionary, STAR};

/// The maximum number of levels that a policy may declare.
pub const MOST_LEVELS: usize = 250;

/// One level of a hierarchy over the values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HierarchyLevel {
    /// The index of the label for each code of the column's dictionary.
    pub map: Vec<u32>,
    /// The distinct labels of the values that occur. At level 0, these are the values of the
    /// dictionary.
    pub labels: Vec<String>,
    /// The number of domain values that each label covers.
    pub covered: Vec<u64>,
}

/// A validated hierarchy of one quasi-identifier. Level 0 contains the original values, and the top
/// level has a single label. Clones share the levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    levels: Arc<Vec<HierarchyLevel>>,
    domain_size: u64,
    /// The levels for all values of the domain, if the rule lists these values.
    domain: Option<Arc<Vec<HierarchyLevel>>>,
    /// The number of domain values that the rule lists. An unlisted missing value comes last in the
    /// domain.
    n_listed: usize,
}

impl Hierarchy {
    /// Creates a hierarchy from its levels. Each level must be a coarsening of the previous level.
    ///
    /// `domain_size` is the number of values of the domain: the listed values, or the occurring
    /// values if the rule does not list its domain.
    ///
    /// # Errors
    /// Returns [`HierarchyProblem`] if a level is not nested in the next level, or the top level
    /// does not cover all values.
    pub fn new(levels: Vec<HierarchyLevel>, domain_size: u64) -> Result<Self, HierarchyProblem> {
        let expected = levels.first().map_or(0, |level| level.map.len());
        for (at, level) in levels.iter().enumerate() {
            if level.map.len() != expected {
                return Err(HierarchyProblem::Length { level: at, got: level.map.len(), expected });
            }
        }
        for (at, pair) in levels.windows(2).enumerate() {
            let n_labels = torn_labels(&pair[0], &pair[1]).len();
            if n_labels > 0 {
                return Err(HierarchyProblem::NotNested {
                    level: at + 1,
                    n_labels,
                    labels: Vec::new(),
                });
            }
        }
        let top = levels.last().map_or(0, |level| level.labels.len());
        if top > 1 {
            return Err(HierarchyProblem::Top { n_labels: top });
        }
        Ok(Self { levels: Arc::new(levels), domain_size, domain: None, n_listed: 0 })
    }

    /// Creates a hierarchy from the levels over a domain and the position of each occurring value
    /// in the domain. The rule lists the first `n_listed` values of the domain.
    ///
    /// # Errors
    /// Returns [`HierarchyProblem`] if a level is not nested in the next level, or the top level
    /// does not cover all listed values.
    ///
    /// # Panics
    /// Panics if a position is outside the domain.
    pub fn with_domain(
        domain: Vec<HierarchyLevel>,
        n_listed: usize,
        positions: &[u32],
    ) -> Result<Self, HierarchyProblem> {
        let domain_size = domain.first().map_or(0, |level| level.map.len() as u64);
        let Self { levels: domain, .. } = Self::new(domain, domain_size)?;
        let levels = domain.iter().map(|level| labels::restrict(level, positions)).collect();
        Ok(Self { levels: Arc::new(levels), domain_size, domain: Some(domain), n_listed })
    }

    /// Creates the hierarchy of an attribute without a declared hierarchy: the original value or
    /// `*`.
    pub fn flat(dictionary: &Dictionary) -> Self {
        let n = dictionary.len();
        let raw = HierarchyLevel {
            map: (0..n as u32).collect(),
            labels: dictionary.values().to_vec(),
            covered: vec![1; n],
        };
        let top = HierarchyLevel {
            map: vec![0; n],
            labels: vec![STAR.to_owned()],
            covered: vec![n as u64],
        };
        let levels = Arc::new(vec![raw, top]);
        Self { levels, domain_size: n as u64, domain: None, n_listed: 0 }
    }

    /// Estimates the size of the hierarchy in bytes.
    pub fn n_bytes(&self) -> usize {
        let all = self.levels.iter().chain(self.domain.iter().flat_map(|domain| domain.iter()));
        all.map(|level| 4 * level.map.len() + 56 * level.labels.len()).sum()
    }

    /// Returns the number of levels, including level 0.
    pub fn n_levels(&self) -> usize {
        self.levels.len()
    }

    /// Returns the level with the given number. Level 0 contains the original values.
    ///
    /// # Panics
    /// Panics if the level does not exist.
    pub fn level(&self, level: usize) -> &HierarchyLevel {
        &self.levels[level]
    }

    /// Returns the label of a code at a level.
    pub fn label(&self, level: usize, code: u32) -> &str {
        let level = &self.levels[level];
        &level.labels[level.map[code as usize] as usize]
    }

    /// Returns a level over the whole domain: all listed values if the rule lists its domain, and
    /// the occurring values otherwise.
    ///
    /// The labels of this level together cover [`Hierarchy::domain_size`] values.
    ///
    /// # Panics
    /// Panics if the level does not exist.
    pub fn domain_level(&self, level: usize) -> &HierarchyLevel {
        &self.domain.as_ref().unwrap_or(&self.levels)[level]
    }

    /// Returns whether the rule lists its domain. If so, the domain does not depend on the values
    /// in the table, except for a missing value.
    pub fn lists_domain(&self) -> bool {
        self.domain.is_some()
    }

    /// Returns the number of values that the rule lists, or 0 if it does not list its domain. The
    /// listed values come first in [`Hierarchy::domain_level`].
    pub fn n_listed(&self) -> usize {
        self.n_listed
    }

    /// Returns the number of values of the domain.
    pub fn domain_size(&self) -> u64 {
        self.domain_size
    }
}

/// Returns the labels of the lower level that are split among several labels of the upper level.
fn torn_labels(lower: &HierarchyLevel, upper: &HierarchyLevel) -> Vec<u32> {
    let mut parent: Vec<Option<u32>> = vec![None; lower.labels.len()];
    let mut torn = vec![false; lower.labels.len()];
    for (&low, &high) in lower.map.iter().zip(&upper.map) {
        let known = parent[low as usize].get_or_insert(high);
        torn[low as usize] |= *known != high;
    }
    (0..lower.labels.len() as u32).filter(|&label| torn[label as usize]).collect()
}
