//! What a policy states about the labels of a release.

use indistinct_core::published::{NarrowestLabels, StatedLabels};
use indistinct_core::{Optimality, Role, SuppressionRule};

use crate::method::ClassLabels;
use crate::model::PolicyFile;
use crate::sections::AttributeSpec;
use crate::words::{GeneralizeTo, MissingValues};

impl PolicyFile {
    /// Returns what the policy states about the labels of each quasi-identifier in a release with
    /// the given optimality.
    pub fn stated_labels(&self, optimality: Option<Optimality>) -> Vec<StatedLabels> {
        // The classes of an earlier release, whose labels cover the rows of that release, are also
        // marked as coarser classes.
        let is_of_search = optimality.is_some_and(|it| it != Optimality::CoarsenedForLinkage);
        let narrowest = match (self.recoding.method.labels, self.recoding.generalize_to) {
            _ if !is_of_search => None,
            (ClassLabels::UsuallyNarrowest(otherwise), _) => {
                Some(NarrowestLabels::UsuallyOfHierarchy(otherwise))
            }
            _ if !self.has_narrowest_labels() => None,
            (_, GeneralizeTo::Hierarchy) => Some(NarrowestLabels::OfHierarchy),
            (_, GeneralizeTo::Bounds) => Some(NarrowestLabels::Bounds),
        };
        let stated = |attribute: &AttributeSpec| StatedLabels {
            attribute: attribute.name.clone(),
            narrowest,
            lowest: attribute.min_level.unwrap_or(0),
            highest: attribute.max_level,
            may_be_missing: attribute.missing_rule() == MissingValues::SeparateValue,
        };
        self.attributes_of(Role::QuasiIdentifier).map(stated).collect()
    }

    /// Returns whether the method releases the narrowest labels that cover the rows of each class.
    pub fn has_narrowest_labels(&self) -> bool {
        self.recoding.method.labels == ClassLabels::Narrowest
            && self.recoding.suppression != SuppressionRule::Cells
            && self.people.is_none()
    }
}
