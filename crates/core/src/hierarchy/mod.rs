//! Generalization hierarchies: for each level, what a value becomes.
//!
//! A [`HierarchyRule`] is what a policy declares; [`HierarchyRule::resolve`] lays it over the values of a column and
//! gives a [`Hierarchy`]. Each level must be a coarsening of the one below: validated here, never assumed.
//!
//! Two kinds of rule *list* their domain ([`Arx`], [`Tree`]): every value of the table must be listed, and counts are over
//! all listed values. The others compute labels from the values; their domain is the values present.
//!
//! A missing value (the empty text) that is not listed keeps its own label at each level below the top.

mod arx;
mod dates;
mod error;
mod intervals;
mod labels;
mod listed;
mod mask;
mod render;
mod rule;
#[cfg(test)]
mod tests;
mod tree;

pub use arx::Arx;
pub use dates::{DateLevel, Dates};
pub use error::{HierarchyError, HierarchyProblem, ValueProblem};
pub use intervals::Intervals;
pub use mask::{Mask, Side};
pub use render::{released_cells_csv, released_csv, to_arx_csv, tree_text};
pub use rule::HierarchyRule;
pub use tree::{Tree, TreeNode};

use std::sync::Arc;

use crate::{Dictionary, STAR};

/// The most levels that a policy may declare.
pub const MOST_LEVELS: usize = 250;

/// One level of a hierarchy over the values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HierarchyLevel {
    /// For each code of the column's dictionary, the index of its label.
    pub map: Vec<u32>,
    /// The distinct labels of the values present; those of level 0 are the dictionary itself.
    pub labels: Vec<String>,
    /// For each label the number of domain values that it covers.
    pub covered: Vec<u64>,
}

/// A validated hierarchy of one quasi-identifier: level 0 is the raw value, the top covers all. A clone shares the levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    levels: Arc<Vec<HierarchyLevel>>,
    domain_size: u64,
    /// The levels over all values of the domain, where a rule lists them.
    domain: Option<Arc<Vec<HierarchyLevel>>>,
    /// How many values of the domain the rule lists: all but an unlisted missing one, which comes last.
    n_listed: usize,
}

impl Hierarchy {
    /// Makes a hierarchy from its levels, each a coarsening of the one before.
    ///
    /// `domain_size` is the number of values of the domain: those that the hierarchy lists, or those present where it
    /// has no list.
    ///
    /// # Errors
    /// [`HierarchyProblem`] if a level is not nested in the next, or the top does not cover all.
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

    /// Makes a hierarchy from the levels of a domain of which the first `n_listed` values are listed by a rule, and for each
    /// value present its position in the domain.
    ///
    /// # Errors
    /// [`HierarchyProblem`] if a level is not nested in the next, or the top does not cover all listed values.
    ///
    /// # Panics
    /// If a position lies beyond the domain.
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

    /// The hierarchy of an attribute that declares none: the value or `*`.
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

    /// About how many bytes it takes.
    pub fn n_bytes(&self) -> usize {
        let all = self.levels.iter().chain(self.domain.iter().flat_map(|domain| domain.iter()));
        all.map(|level| 4 * level.map.len() + 56 * level.labels.len()).sum()
    }

    /// Number of levels, the raw one included.
    pub fn n_levels(&self) -> usize {
        self.levels.len()
    }

    /// A level; 0 is the raw value.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn level(&self, level: usize) -> &HierarchyLevel {
        &self.levels[level]
    }

    /// The label of a code at a level.
    pub fn label(&self, level: usize, code: u32) -> &str {
        let level = &self.levels[level];
        &level.labels[level.map[code as usize] as usize]
    }

    /// A level over the whole domain: all listed values where the rule lists them, else the values present.
    ///
    /// The number of values that its labels cover adds up to [`Hierarchy::domain_size`].
    ///
    /// # Panics
    /// If there is no such level.
    pub fn domain_level(&self, level: usize) -> &HierarchyLevel {
        &self.domain.as_ref().unwrap_or(&self.levels)[level]
    }

    /// Whether the rule lists its domain, so that the domain does not depend on the table's values (but for a missing one).
    pub fn lists_domain(&self) -> bool {
        self.domain.is_some()
    }

    /// How many values a rule lists; 0 where it lists none. They come first in [`Hierarchy::domain_level`].
    pub fn n_listed(&self) -> usize {
        self.n_listed
    }

    /// Number of values of the domain.
    pub fn domain_size(&self) -> u64 {
        self.domain_size
    }
}

/// The labels of the lower level that have several labels at the upper one.
fn torn_labels(lower: &HierarchyLevel, upper: &HierarchyLevel) -> Vec<u32> {
    let mut parent: Vec<Option<u32>> = vec![None; lower.labels.len()];
    let mut torn = vec![false; lower.labels.len()];
    for (&low, &high) in lower.map.iter().zip(&upper.map) {
        let known = parent[low as usize].get_or_insert(high);
        torn[low as usize] |= *known != high;
    }
    (0..lower.labels.len() as u32).filter(|&label| torn[label as usize]).collect()
}
