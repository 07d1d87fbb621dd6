//! What a policy declares for an attribute.

use super::{Arx, Dates, Hierarchy, HierarchyError, HierarchyProblem, Intervals, Mask, Tree};
use crate::{Dictionary, STAR};

/// How the values of an attribute are generalized, as a policy declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HierarchyRule {
    /// The value or `*`.
    Flat,
    /// A table in the format of ARX.
    Arx(Arx),
    /// Intervals of numbers.
    Intervals(Intervals),
    /// Characters replaced by `*` one by one.
    Mask(Mask),
    /// Parts of dates.
    Dates(Dates),
    /// A tree in the policy.
    Tree(Tree),
}

impl HierarchyRule {
    /// The values that the rule lists; none where it covers values by what they look like.
    pub fn listed(&self) -> &[String] {
        match self {
            HierarchyRule::Arx(arx) => arx.listed.values(),
            HierarchyRule::Tree(tree) => tree.listed.values(),
            _ => &[],
        }
    }

    /// Lays the rule over the values of a column.
    ///
    /// # Errors
    /// [`HierarchyError`] with all problems: values that the rule does not cover, and a cell `*`, which could not be told
    /// from a value generalized to the top.
    pub fn resolve(
        &self,
        attribute: &str,
        dictionary: &Dictionary,
    ) -> Result<Hierarchy, HierarchyError> {
        let mut problems = Vec::new();
        if dictionary.values().iter().any(|value| value == STAR) {
            problems.push(HierarchyProblem::StarCell);
        }
        let resolved = match self {
            HierarchyRule::Flat => Ok(Hierarchy::flat(dictionary)),
            HierarchyRule::Arx(arx) => arx.listed.resolve(dictionary),
            HierarchyRule::Intervals(intervals) => intervals.resolve(dictionary),
            HierarchyRule::Mask(mask) => mask.resolve(dictionary),
            HierarchyRule::Dates(dates) => dates.resolve(dictionary),
            HierarchyRule::Tree(tree) => tree.listed.resolve(dictionary),
        };
        match resolved {
            Ok(hierarchy) if problems.is_empty() => Ok(hierarchy),
            Ok(_) => Err(HierarchyError { attribute: attribute.to_owned(), problems }),
            Err(more) => {
                problems.extend(more);
                Err(HierarchyError { attribute: attribute.to_owned(), problems })
            }
        }
    }
}
