//! The hierarchy that a policy declares for an attribute.

use super::{Arx, Dates, Hierarchy, HierarchyError, HierarchyProblem, Intervals, Mask, Tree};
use crate::{Dictionary, STAR};

/// A rule for generalizing the values of an attribute, as declared in a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HierarchyRule {
    /// The original value or `*`.
    Flat,
    /// A table in the ARX format.
    Arx(Arx),
    /// Intervals of numbers.
    Intervals(Intervals),
    /// Masking: characters are replaced by `*` one by one.
    Mask(Mask),
    /// Parts of dates.
    Dates(Dates),
    /// A tree that is part of the policy.
    Tree(Tree),
}

impl HierarchyRule {
    /// Returns the values that the rule lists, or an empty slice if the rule computes labels from
    /// values.
    pub fn listed(&self) -> &[String] {
        match self {
            HierarchyRule::Arx(arx) => arx.listed.values(),
            HierarchyRule::Tree(tree) => tree.listed.values(),
            _ => &[],
        }
    }

    /// Applies the rule to the values of a column.
    ///
    /// # Errors
    /// [`HierarchyError`] with all problems: values that the rule does not cover, and cells with
    /// the text `*`, which would look like values that are generalized to the top level.
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
