//! The rules that the labels of a release follow, which an adversary can use to refine them.

use indistinct_attack::{Figures, LabelRule, WhyUntried, refinement};
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::{Optimality, SuppressionRule};

use super::{Attempt, Tried};
use crate::policy::{ClassLabels, GeneralizeTo};

impl Attempt<'_> {
    pub(super) fn refinement(self) -> Tried {
        if self.opened.policy.recoding.method.keeps_quasi_identifiers() {
            return Err(WhyUntried::NoLabels);
        }
        let pair = self.pair.ok_or(WhyUntried::NoOriginal)?;
        let figures = refinement::attack(pair, &self.label_rules(pair), self.observer);
        figures.map(Figures::Refinement).ok_or(WhyUntried::TooManyValues)
    }

    /// Returns what the method guarantees about the labels of each quasi-identifier. In case of
    /// doubt, the method guarantees nothing.
    fn label_rules(self, pair: &ReleaseWithOriginal) -> Vec<LabelRule> {
        let policy = &self.opened.policy;
        let recoding = &policy.recoding;
        // The classes of an earlier release, whose labels cover the rows of that release, are also
        // marked as coarser classes.
        let optimality = self.opened.certificate.optimality();
        let is_of_search = optimality.is_some_and(|it| it != Optimality::CoarsenedForLinkage);
        let is_narrowest = recoding.method.labels == ClassLabels::Narrowest
            && recoding.suppression != SuppressionRule::Cells
            && policy.people.is_none()
            && is_of_search;
        let columns = pair.published.rows.quasi_identifiers().iter().zip(&pair.hierarchies);
        let rules = columns.map(|(column, hierarchy)| {
            let attribute = policy.attribute(&column.name);
            let top = hierarchy.n_levels() - 1;
            let lowest = attribute.and_then(|it| it.min_level).unwrap_or(0);
            let highest = attribute.and_then(|it| it.max_level).unwrap_or(top);
            match recoding.generalize_to {
                _ if !is_narrowest || highest > top => LabelRule::Any,
                GeneralizeTo::Hierarchy => LabelRule::Lowest(lowest..=highest),
                // With bounds on the levels, methods differ in the values that they release.
                GeneralizeTo::Bounds if (lowest, highest) == (0, top) => LabelRule::Bounds,
                GeneralizeTo::Bounds => LabelRule::Any,
            }
        });
        rules.collect()
    }
}
