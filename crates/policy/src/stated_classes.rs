//! What a policy states about the classes of a release.

use indistinct_core::model::to_f64;
use indistinct_core::principle::Merging;
use indistinct_core::published::{NarrowestLabels, RowRule, StatedClasses, StatedLabels};
use indistinct_core::{Optimality, Role, SuppressionRule};

use crate::method::ClassLabels;
use crate::model::PolicyFile;
use crate::sections::{AttributeSpec, PrincipleSpec};
use crate::words::{GeneralizeTo, MissingValues, Split};

impl PolicyFile {
    /// Returns what the policy states about the classes of a release with the given optimality.
    pub fn stated_classes(&self, optimality: Option<Optimality>) -> StatedClasses {
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
            weight: to_f64(&attribute.weight),
        };
        let rows = match is_of_search && self.prefers_cheapest_classes() {
            true => RowRule::UsuallyCheapest,
            false => RowRule::Any,
        };
        StatedClasses {
            rows,
            labels: self.attributes_of(Role::QuasiIdentifier).map(stated).collect(),
        }
    }

    /// Returns whether the method usually assigns each row to the class with the lowest loss that
    /// fits the row.
    fn prefers_cheapest_classes(&self) -> bool {
        let recoding = &self.recoding;
        let keeps =
            |spec: &PrincipleSpec| spec.kind.merging_with(&spec.parameters) == Merging::Keeps;
        recoding.method.prefers_cheapest_classes
            && recoding.split == Split::Best
            && self.has_narrowest_labels()
            && self.principles.iter().all(keeps)
    }

    /// Returns whether the method releases the narrowest labels that cover the rows of each class.
    pub fn has_narrowest_labels(&self) -> bool {
        self.recoding.method.labels == ClassLabels::Narrowest
            && self.recoding.suppression != SuppressionRule::Cells
            && self.people.is_none()
    }
}
