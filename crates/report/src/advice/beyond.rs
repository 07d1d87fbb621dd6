//! A principle that is beyond reach, and the way out: for whoever finds no release.

use std::collections::BTreeMap;

use indistinct_core::feasibility::{Beyond, Supremum};
use indistinct_core::model::to_f64;
use indistinct_core::{Figure, PrincipleClaim, Quantity, Requirement, figures_of};
use serde::Serialize;

use super::in_words::{rounded_down, rounded_up, safe_quantities, stated};
use crate::words;

/// A principle that no recoding without suppression meets: that is proved.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct BeyondReach {
    /// The principle.
    pub kind: String,
    /// The sensitive attribute, for the kinds that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// The parameters as required.
    pub required: BTreeMap<String, Figure>,
    /// What no recoding exceeds; null where no value would do.
    pub best: BTreeMap<String, Option<Figure>>,
    /// For principles on near numbers: what epsilon (twice delta) must stay below for the required m or l; 0 where nothing would do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon_below: Option<f64>,
    /// Whether suppressing rows could help: never where a class needs more rows than there are.
    pub suppression_may_help: bool,
    /// Where sensitive values may be generalized: the smallest tau at the required l.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest_tau: Option<f64>,
}

impl BeyondReach {
    /// What is beyond reach of a requirement.
    pub fn new(requirement: &Requirement, beyond: &Beyond) -> Self {
        let figure = |quantity: &Quantity| match quantity {
            Quantity::Count(count) => Some(Figure::Count(*count)),
            Quantity::Exact(value) => Some(Figure::Real(to_f64(value))),
            other => other.to_f64().map(Figure::Real),
        };
        let best = beyond.best.iter().map(|(name, of)| ((*name).to_owned(), figure(of)));
        Self {
            kind: requirement.kind.to_owned(),
            attribute: requirement.attribute.clone(),
            required: figures_of(&requirement.parameters, requirement.others),
            best: best.collect(),
            epsilon_below: match &beyond.epsilon {
                Some(Supremum::Below(limit)) => Some(to_f64(limit)),
                _ => None,
            },
            suppression_may_help: beyond.suppression_may_help,
            smallest_tau: beyond.smallest_tau,
        }
    }

    /// What is required, what is reachable at best, and the way out.
    pub fn sentence(&self) -> String {
        let claim = PrincipleClaim {
            kind: self.kind.clone(),
            attribute: self.attribute.clone(),
            counts: Default::default(),
            required: self.required.clone(),
            reached: Some(self.best.clone()),
            holds: false,
            n_failing_classes: 0,
            n_failing_rows: 0,
            worst_class_size: None,
        };
        let quantities = safe_quantities(&claim);
        let required = stated(&quantities, |quantity| quantity.required.as_ref());
        let mut text = format!(
            "{}: required is {required}, which no recoding{} reaches.",
            words::principle_name(&self.kind, self.attribute.as_deref()),
            if self.suppression_may_help { " without suppression" } else { "" }
        );
        match self.smallest_tau {
            // With generalized values the figures of the rows as they are say nothing.
            Some(tau) => {
                text += &format!(
                    " With generalized sensitive values tau = {} is the least at this l.",
                    rounded_up(tau)
                );
            }
            None => {
                let best = stated(&quantities, |quantity| quantity.reached.as_ref());
                text += &format!(" The best is {best}.");
            }
        }
        match self.epsilon_below {
            Some(limit) if limit > 0.0 => {
                text += &format!(
                    " At what is required besides, near would have to mean a distance below {}.",
                    rounded_down(limit)
                );
            }
            Some(_) => text += " At what is required besides, no distance is small enough.",
            None => {}
        }
        text
    }
}
