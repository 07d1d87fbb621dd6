//! What each principle of the policy can reach.

use std::collections::BTreeMap;

use indistinct_core::feasibility::{self, TauReach, reach, tau_reach};
use indistinct_core::model::{Numbers, to_f64};
use indistinct_core::principle::{self, DependsOn, Merging, ParameterValue, Subject, proximity};
use indistinct_core::{Figure, PrincipleClaim, Quantity, Rational, Requirement};
use num_traits::ToPrimitive;

use super::numbers::{Near, number};
use super::{GeneralizedSensitive, Ground, Obstacle, PrincipleAdvice, Proof};

/// Quantities that the most frequent value stands in the way of.
const BY_FREQUENCY: [&str; 4] = ["l", "c_exceeds", "alpha", "tau"];

/// What a requirement reaches at best, and how sure that is.
struct Best {
    figures: BTreeMap<String, Option<Figure>>,
    is: Proof,
    /// Not proved to be beyond reach.
    is_within: bool,
    /// A partition is known that reaches what is required.
    is_shown: bool,
}

impl Ground<'_> {
    /// `claim` says what the coarsest classes that the policy allows reach.
    pub(super) fn principle(
        &self,
        requirement: &Requirement,
        claim: &PrincipleClaim,
    ) -> PrincipleAdvice {
        let best = self.best(requirement, claim);
        let required_is = match &best {
            Some(best) if best.is_within && claim.holds => Some(self.by_coarsest()),
            Some(best) if best.is_shown => Some(self.by_theorem()),
            Some(best) if best.is_within => Some(Proof::Bound),
            _ => None,
        };
        PrincipleAdvice {
            kind: requirement.kind.to_owned(),
            attribute: requirement.attribute.clone(),
            required: claim.required.clone(),
            within_reach: best.as_ref().is_none_or(|best| best.is_within),
            required_is,
            stopped_by: best.as_ref().and_then(|_| self.obstacle(requirement)),
            depends_on_released_rows: feasibility::depends_on_suppression(requirement),
            generalized_sensitive: best
                .as_ref()
                .and_then(|_| generalized_sensitive(self, requirement)),
            best_is: best.as_ref().map(|best| best.is),
            best: best.map(|best| best.figures),
        }
    }

    fn best(&self, requirement: &Requirement, claim: &PrincipleClaim) -> Option<Best> {
        let reach = reach(self.table, requirement)?;
        if requirement.principle.merging() == Merging::Keeps {
            // Nothing is better than the coarsest classes, and they are known: also where the other sensitive
            // attributes divide them.
            return Some(Best {
                figures: claim.reached.clone()?,
                is: self.by_coarsest(),
                is_within: claim.holds,
                is_shown: claim.holds,
            });
        }
        let is = match reach.proof {
            feasibility::Proof::OneClass if self.limited.is_empty() => Proof::OneClass,
            feasibility::Proof::WithClassColumn => self.by_theorem(),
            _ => Proof::Bound,
        };
        let figures =
            reach.best.iter().map(|(name, quantity)| ((*name).to_owned(), figure(quantity)));
        let (is_within, is_shown) = (reach.is_within, reach.is_shown);
        Some(Best { figures: figures.collect(), is, is_within, is_shown })
    }

    fn obstacle(&self, requirement: &Requirement) -> Option<Obstacle> {
        let principle = &*requirement.principle;
        match principle::find(requirement.kind)?.subject {
            Subject::Class => return Some(Obstacle::Rows { n_rows: self.table.n_rows() }),
            Subject::Population => {
                let n_people = principle.population()?.n_people();
                return Some(Obstacle::Population { n_people });
            }
            Subject::SensitiveAttribute => {}
        }
        let at = self.table.sensitive_index(requirement.attribute.as_deref()?)?;
        let dictionary = &self.table.sensitive()[at].dictionary;
        if let Some(near) = Near::of(&requirement.parameters) {
            let numbers = Numbers::of(dictionary).ok()?;
            let reach = proximity::Reach::new(&numbers, &near.neighborhood);
            let nearness = reach.nearness(&self.entries.0[at]);
            return Some(Obstacle::NearValues {
                n_rows: nearness.maxsize,
                share: nearness.maxsize as f64 / nearness.n_rows.max(1) as f64,
            });
        }
        let is_by_frequency =
            principle.bounds().iter().any(|bound| BY_FREQUENCY.contains(&bound.name));
        if !is_by_frequency || principle.depends_on() != DependsOn::Class {
            return None;
        }
        let most_frequent = self.entries.most_frequent(at, |code| principle.limits(code));
        most_frequent.map(|entry| Obstacle::MostFrequentValue(self.value_share(at, entry)))
    }

    /// What the smallest tau is at an l, with the weights of a requirement.
    pub(super) fn tau_reach(&self, requirement: &Requirement, l: &Rational) -> Option<TauReach> {
        let effective = requirement.principle.effective_parameters(&requirement.parameters);
        let Some(ParameterValue::Table(weights)) = effective.0.get("weights") else { return None };
        let at = self.table.sensitive_index(requirement.attribute.as_deref()?)?;
        let dictionary = &self.table.sensitive()[at].dictionary;
        let marginal = self.table.marginal(&self.table.sensitive()[at]);
        let rows =
            |label: &String| dictionary.code_of(label).map_or(0, |code| marginal[code as usize]);
        let weight = |weight: &ParameterValue| match weight {
            ParameterValue::Number(weight) => *weight,
            _ => Rational::from_integer(0),
        };
        let rows: Vec<u64> = weights.keys().map(rows).collect();
        let weights: Vec<Rational> = weights.values().map(weight).collect();
        Some(tau_reach(&rows, &weights, l))
    }
}

fn generalized_sensitive(
    ground: &Ground<'_>,
    requirement: &Requirement,
) -> Option<GeneralizedSensitive> {
    let tau = number(&requirement.parameters, "tau")?;
    let reach = ground.tau_reach(requirement, &number(&requirement.parameters, "l")?)?;
    Some(GeneralizedSensitive {
        tau: reach.all_generalized.to_f64().unwrap_or(f64::NAN),
        within_reach: reach.holds_generalized(&tau),
        is_exact: reach.is_exact,
    })
}

/// A quantity as `check` writes it.
pub(super) fn figure(quantity: &Quantity) -> Option<Figure> {
    match quantity {
        Quantity::Count(count) => Some(Figure::Count(*count)),
        Quantity::Exact(value) => Some(Figure::Real(to_f64(value))),
        other => other.to_f64().map(Figure::Real),
    }
}
