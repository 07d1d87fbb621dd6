//! The level that each principle of the policy can reach.

use std::collections::BTreeMap;

use indistinct_answers::advice::{
    AdviceProof, GeneralizedSensitive, Guarantee, Obstacle, PrincipleAdvice,
};
use indistinct_core::feasibility::{
    self, TauReach, largest_c, reach, tau_reach_of, weakest_simple,
};
use indistinct_core::model::{Numbers, to_f64};
use indistinct_core::principle::{
    self, DependsOn, Kind, Merging, ParameterValue, Parameters, Subject, frequency_l_diversity,
    proximity, recursive_diversity,
};
use indistinct_core::{Figure, PrincipleClaim, Quantity, Rational, Requirement, figure_of};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::context::AdviceContext;

/// The best reachable level for a requirement, and the proof of this level.
struct Best {
    figures: BTreeMap<String, Option<Figure>>,
    is: AdviceProof,
    /// Whether the requirement might be feasible; `false` if it is proved infeasible.
    is_within: bool,
    /// The proof that the requirement is feasible, if known.
    shown_by: Option<AdviceProof>,
}

/// Returns the level that noise alone reaches, regardless of the classes. Keeping original values
/// with a higher probability never increases m.
fn by_noise(largest_m: Option<&Quantity>, requirement: &Requirement) -> Option<Best> {
    let bound = requirement.principle.bounds().first()?;
    let is_within = largest_m.is_some_and(|largest| bound.is_met_by(largest));
    Some(Best {
        figures: BTreeMap::from([(bound.name.to_owned(), largest_m.and_then(figure_of))]),
        is: AdviceProof::Noise,
        is_within,
        shown_by: is_within.then_some(AdviceProof::Noise),
    })
}

impl AdviceContext<'_> {
    /// Returns the advice on a requirement. `at` is the requirement's index in the policy; `claim`
    /// contains the level that the coarsest classes reach.
    pub(crate) fn principle(
        &self,
        at: usize,
        requirement: &Requirement,
        claim: &PrincipleClaim,
    ) -> PrincipleAdvice {
        let best = match &self.noise {
            Some(noise) => by_noise(noise.largest_m[at].as_ref(), requirement),
            None => self.best(requirement, claim),
        };
        let required_is = match &best {
            Some(best) if best.is_within && claim.holds && self.noise.is_none() => {
                Some(self.by_coarsest())
            }
            Some(best) if best.is_within => Some(best.shown_by.unwrap_or(AdviceProof::Bound)),
            _ => None,
        };
        PrincipleAdvice {
            kind: requirement.kind.to_owned(),
            attribute: requirement.attribute.clone(),
            required: claim.required.clone(),
            within_reach: best.as_ref().is_none_or(|best| best.is_within),
            required_is,
            stopped_by: best.as_ref().and_then(|_| self.obstacle(requirement)),
            suppression_may_help: requirement.fits_into(self.table.n_rows()),
            depends_on_released_rows: feasibility::depends_on_suppression(requirement),
            generalized_sensitive: best
                .as_ref()
                .and_then(|_| generalized_sensitive(self, requirement)),
            guaranteed_by: guaranteed_by(requirement),
            best_is: best.as_ref().map(|best| best.is),
            best: best.map(|best| best.figures),
        }
    }

    fn best(&self, requirement: &Requirement, claim: &PrincipleClaim) -> Option<Best> {
        let reach = reach(self.table, requirement)?;
        if self.generalizes_values()
            && let Some(best) = self.by_generalizing(requirement, &reach)
        {
            return Some(best);
        }
        if requirement.principle.merging() == Merging::Keeps {
            // No recoding is better than the coarsest classes, whose level is known. This also
            // holds if other sensitive attributes divide the classes.
            return Some(Best {
                figures: claim.reached.clone()?,
                is: self.by_coarsest(),
                is_within: claim.holds,
                shown_by: claim.holds.then(|| self.by_coarsest()),
            });
        }
        let is = match reach.proof {
            feasibility::ReachProof::OneClass if self.is_free() => AdviceProof::OneClass,
            feasibility::ReachProof::WithClassColumn => self.by_theorem(),
            _ => AdviceProof::Bound,
        };
        let figures =
            reach.best.iter().map(|(name, quantity)| ((*name).to_owned(), figure_of(quantity)));
        let shown_by = reach.is_shown.then(|| self.by_theorem());
        Some(Best { figures: figures.collect(), is, is_within: reach.is_within, shown_by })
    }

    /// Returns whether the method may generalize sensitive values.
    fn generalizes_values(&self) -> bool {
        self.file.recoding.method.generalizes_sensitive_values()
    }

    /// Returns the best level for a principle on the taxonomy of sensitive values if these may be
    /// generalized. All rows form one class, and the sensitive values are either unchanged or all
    /// at the root.
    fn by_generalizing(
        &self,
        requirement: &Requirement,
        reach: &feasibility::Reach,
    ) -> Option<Best> {
        let required = requirement.principle.shares()?;
        let generalized = self.tau_reach(requirement, &required.l)?;
        let is_reached = generalized.holds_generalized(&required.tau);
        let smallest = generalized.all_generalized.clone().min(generalized.as_is.clone());
        let mut figures: BTreeMap<String, Option<Figure>> =
            reach.best.iter().map(|(name, of)| ((*name).to_owned(), figure_of(of))).collect();
        let share = requirement.principle.bounds().first()?.name;
        figures.insert(share.to_owned(), smallest.to_f64().map(Figure::Real));
        let by = match self.is_free() {
            true => AdviceProof::GeneralizedValues,
            false => AdviceProof::Bound,
        };
        Some(Best {
            figures,
            is: if generalized.is_exact { by } else { AdviceProof::Bound },
            is_within: is_reached || !generalized.is_exact,
            shown_by: is_reached.then_some(by),
        })
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
        if let Some(near) = principle.near() {
            let numbers = Numbers::from_dictionary(dictionary).ok()?;
            let reach = proximity::Reach::new(&numbers, &near.neighborhood);
            let nearness = reach.nearness(&self.entries.0[at]);
            return Some(Obstacle::NearValues {
                n_rows: nearness.inseparable,
                share: nearness.inseparable as f64 / nearness.n_rows.max(1) as f64,
            });
        }
        if principle.depends_on() != DependsOn::Class {
            return None;
        }
        let most_frequent = self.entries.most_frequent(at, |code| principle.limits(code));
        most_frequent.map(|entry| Obstacle::MostFrequentValue(self.value_share(at, entry)))
    }

    /// Returns the smallest reachable tau for the given l and the weights of the requirement.
    pub(crate) fn tau_reach(&self, requirement: &Requirement, l: &Rational) -> Option<TauReach> {
        tau_reach_of(self.table, requirement, l)
    }
}

/// Converts a principle with numeric parameters to a guarantee.
fn guarantee((kind, parameters): (&'static Kind, Parameters)) -> Guarantee {
    let figure = |value: &ParameterValue| match value {
        ParameterValue::Number(number) if number.is_integer() => {
            u64::try_from(number.to_integer()).ok().map(Figure::Count)
        }
        ParameterValue::Number(number) => Some(Figure::Real(to_f64(number))),
        _ => None,
    };
    let figures =
        parameters.0.into_iter().filter_map(|(name, value)| Some((name, figure(&value)?)));
    Guarantee { kind: kind.name, parameters: figures.collect() }
}

/// Returns the principles that guarantee a requirement on the shares of base values. Parameters are
/// rounded to the stricter side in millionths, which a policy can express exactly.
fn guaranteed_by(requirement: &Requirement) -> Vec<Guarantee> {
    let Some(required) = requirement.principle.shares() else { return Vec::new() };
    let million = || BigInt::from(1_000_000);
    let millionths = |n: BigInt| n.to_i128().map(|n| Rational::new(n, 1_000_000));
    let l = weakest_simple(&required).and_then(|l| millionths((l * million()).ceil().to_integer()));
    let c = largest_c(&required).and_then(|c| millionths((c * million()).floor().to_integer()));
    let positive = c.filter(|c| *c.numer() > 0);
    let recursive = positive.map(|c| guarantee(recursive_diversity(c, required.l.ceil())));
    l.map(|l| guarantee(frequency_l_diversity(l))).into_iter().chain(recursive).collect()
}

fn generalized_sensitive(
    context: &AdviceContext<'_>,
    requirement: &Requirement,
) -> Option<GeneralizedSensitive> {
    let required = requirement.principle.shares()?;
    let reach = context.tau_reach(requirement, &required.l)?;
    Some(GeneralizedSensitive {
        tau: reach.all_generalized.to_f64().unwrap_or(f64::NAN),
        within_reach: reach.holds_generalized(&required.tau),
        is_exact: reach.is_exact,
    })
}
