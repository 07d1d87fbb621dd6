//! The reachable levels for a sensitive attribute, regardless of the policy's requirements.

use std::collections::BTreeSet;

use indistinct_answers::advice::{AttributeAdvice, DontCare, LargestL, SmallestC, SmallestTau};
use indistinct_core::feasibility::{DontCareStep, effect_of_dont_care};
use indistinct_core::model::{Taxonomy, to_f64};
use indistinct_core::principle::{
    self, Context, Growth, Kind, Parameters, RequiredShares, Weights, distinct_l_diversity,
    entropy_l_diversity, frequency_l_diversity, recursive_diversity, required_shares, t_closeness,
};
use indistinct_core::{Others, Quantity, Rational, Requirement};
use num_traits::ToPrimitive;

use crate::context::AdviceContext;

/// The values of l for which the advice reports c and tau, in addition to the values in the policy.
const SOME_L: [i128; 4] = [2, 3, 5, 10];
/// The maximum number of values added to the don't-care list.
const MOST_DONT_CARE: usize = 5;

/// A principle and its parameters in the form used by a policy.
type KindAndParameters = (&'static Kind, Parameters);

/// The minimum of most parameters, used as a placeholder if only the reached level matters.
pub(crate) const ONE: Rational = Rational::new_raw(1, 1);

impl AdviceContext<'_> {
    pub(crate) fn attribute(&self, at: usize) -> AttributeAdvice {
        let column = &self.table.sensitive()[at];
        let entry = self.entries.most_frequent(at, |_| true).unwrap_or((0, 0));
        let numbers = self.numbers(at);
        let is_category = numbers.is_none();
        let requires_shares = self.about(at).any(|it| it.principle.shares().is_some());
        let takes_dont_care =
            self.about(at).filter_map(|it| principle::find(it.kind)).any(Kind::takes_dont_care);
        let recursive_l = self
            .stated_l(at, recursive_diversity(ONE, ONE).0)
            .first()
            .and_then(ToPrimitive::to_u64);
        let dont_care_l = recursive_l.unwrap_or(2).max(2);
        let level = |required| self.level(at, required).unwrap_or(0.0);
        let has_tree = self.context(at).taxonomy.is_some();
        AttributeAdvice {
            name: column.name.clone(),
            n_distinct: self.entries.0[at].len() as u64,
            most_frequent: self.value_share(at, entry),
            largest_l: LargestL {
                distinct: level(distinct_l_diversity(1)) as u64,
                frequency: level(frequency_l_diversity(ONE)),
                entropy: level(entropy_l_diversity(ONE)),
            },
            smallest_c: self.smallest_c(at),
            smallest_t: level(t_closeness(ONE)),
            smallest_tau: match is_category || has_tree || requires_shares {
                true => self.smallest_tau(at),
                false => Vec::new(),
            },
            dont_care: match is_category || takes_dont_care {
                true => self.dont_care(at, dont_care_l),
                false => Vec::new(),
            },
            dont_care_l,
            numbers,
        }
    }

    /// Returns the policy's principles on an attribute.
    fn about(&self, at: usize) -> impl Iterator<Item = &Requirement> {
        let name = &self.table.sensitive()[at].name;
        self.requirements.iter().filter(move |it| it.attribute.as_ref() == Some(name))
    }

    fn context(&self, at: usize) -> Context<'_> {
        let name = &self.table.sensitive()[at].name;
        self.principle_context.context_of(self.file, Some(name), self.table)
    }

    fn requirement(&self, at: usize, (kind, parameters): KindAndParameters) -> Option<Requirement> {
        Requirement::new(kind, &self.context(at), parameters, Others::Ignored).ok()
    }

    /// Returns the last quantity of the level that a single class of all rows reaches. Returns
    /// `None` if the level is unreachable or the attribute is invalid for the principle.
    fn quantity(&self, at: usize, required: KindAndParameters) -> Option<Quantity> {
        let requirement = self.requirement(at, required)?;
        self.with_all(|all| requirement.principle.of_class(all).quantities().last().copied())
    }

    /// Returns the level of [`Self::quantity`] as a number.
    pub(crate) fn level(&self, at: usize, required: KindAndParameters) -> Option<f64> {
        self.quantity(at, required)?.to_f64()
    }

    /// Returns the values of l in the policy's principles of this kind on the attribute.
    fn stated_l(&self, at: usize, kind: &Kind) -> Vec<Rational> {
        let own = self.about(at).filter(|requirement| requirement.kind == kind.name);
        own.filter_map(|requirement| requirement.principle.at_l()).collect()
    }

    /// Returns the values of l to report, in ascending order: all values in the policy, and common
    /// values up to the number of distinct sensitive values.
    fn some_l(&self, at: usize, kind: &Kind, n_values: usize) -> BTreeSet<Rational> {
        let some = SOME_L.into_iter().filter(|l| *l <= n_values as i128);
        let stated = self.stated_l(at, kind).into_iter().filter(|l| *l > ONE);
        some.map(Rational::from_integer).chain(stated).collect()
    }

    fn smallest_c(&self, at: usize) -> Vec<SmallestC> {
        let at_l = |l: Rational| {
            let c = self.quantity(at, recursive_diversity(ONE, l.trunc()))?;
            Some(SmallestC { l: l.to_u64()?, c_exceeds: c.to_f64() })
        };
        self.some_l(at, recursive_diversity(ONE, ONE).0, self.entries.0[at].len())
            .into_iter()
            .filter_map(at_l)
            .collect()
    }

    fn smallest_tau(&self, at: usize) -> Vec<SmallestTau> {
        let mut weights = vec![Weights::Occurring];
        let n_leaves = self.context(at).taxonomy.map_or(0, Taxonomy::n_leaves);
        if n_leaves > 0 {
            weights.push(Weights::Domain);
        }
        let stated = self.about(at).filter_map(|it| {
            let required = required_shares(principle::find(it.kind)?, &it.parameters)?;
            matches!(required.weights, Weights::Stated(_)).then_some(required.weights)
        });
        weights.extend(stated.take(1));
        let n_values = self.entries.0[at].len().max(n_leaves);
        let at_l = |l: Rational, weights: &Weights| RequiredShares {
            tau: ONE,
            l,
            weights: weights.clone(),
            growth: Growth::Linear,
        };
        let some_l = self.some_l(at, at_l(ONE, &Weights::Occurring).required().0, n_values);
        let mut all = Vec::new();
        for weights in weights {
            for l in &some_l {
                all.extend(self.tau_at(at, &at_l(*l, &weights)));
            }
        }
        // If all values of the domain occur, weights for the domain and for occurring values yield
        // the same figures.
        let figures = |tau: &SmallestTau| (tau.l.to_bits(), tau.as_is, tau.all_generalized);
        let occurring: Vec<_> =
            all.iter().filter(|tau| tau.weights == "occurring").map(figures).collect();
        let is_new =
            |tau: &SmallestTau| tau.weights != "domain" || !occurring.contains(&figures(tau));
        let is_different = all.iter().any(|tau| tau.weights == "domain" && is_new(tau));
        all.retain(|tau| tau.weights != "domain" || is_different);
        all
    }

    fn tau_at(&self, at: usize, required: &RequiredShares) -> Option<SmallestTau> {
        let requirement = self.requirement(at, required.required())?;
        let reach = self.tau_reach(&requirement, &required.l)?;
        // A sensitive value that is already generalized in the table is not a base value.
        let as_is = self.with_all(|all| requirement.principle.of_class(all));
        Some(SmallestTau {
            l: to_f64(&required.l),
            weights: required.weights.name().to_owned(),
            as_is: as_is.quantities().next().and_then(Quantity::to_f64)?,
            all_generalized: reach.all_generalized.to_f64()?,
            is_exact: reach.is_exact,
        })
    }

    fn dont_care(&self, at: usize, l: u64) -> Vec<DontCare> {
        let steps = |(kind, parameters): KindAndParameters| -> Vec<DontCareStep> {
            debug_assert!(kind.takes_dont_care());
            effect_of_dont_care(kind, &self.context(at), &parameters, MOST_DONT_CARE)
                .unwrap_or_default()
        };
        let first = |step: &DontCareStep| step.best.quantities().next().and_then(Quantity::to_f64);
        let dictionary = &self.table.sensitive()[at].dictionary;
        let mut by_frequency = self.entries.0[at].clone();
        by_frequency.sort_by_key(|&(code, rows)| (std::cmp::Reverse(rows), code));
        let entropy = steps(entropy_l_diversity(ONE));
        let recursive = steps(recursive_diversity(ONE, Rational::from_integer(i128::from(l))));
        entropy
            .iter()
            .zip(&recursive)
            .map(|(entropy, recursive)| DontCare {
                n_values: entropy.n_values as u64,
                n_rows: entropy.n_rows,
                share: entropy.n_rows as f64 / self.table.n_rows().max(1) as f64,
                entropy_l: first(entropy),
                c_exceeds: first(recursive),
                value: entropy
                    .n_values
                    .checked_sub(1)
                    .and_then(|last| self.shown(dictionary.value(by_frequency[last].0))),
            })
            .collect()
    }
}
