//! What is reachable for a sensitive attribute, whatever the policy asks for.

use std::collections::BTreeSet;

use indistinct_core::feasibility::{DontCareStep, effect_of_dont_care};
use indistinct_core::model::{Taxonomy, to_f64};
use indistinct_core::principle::{
    self, AskedShares, Context, Growth, Kind, ParameterValue, Parameters, Principle, Weights,
    asked_shares,
};
use indistinct_core::{Others, Quantity, Rational, Requirement};
use indistinct_report::advice::{AttributeAdvice, DontCare, LargestL, SmallestC, SmallestTau};
use num_traits::ToPrimitive;

use crate::ground::Ground;

/// The l for which c and tau are told besides those of the policy.
const SOME_L: [i128; 4] = [2, 3, 5, 10];
/// The most values that are put on the don't-care list.
const MOST_DONT_CARE: usize = 5;

fn whole(number: i128) -> ParameterValue {
    ParameterValue::Number(Rational::from_integer(number))
}

fn given(parameters: &[(&str, i128)]) -> Parameters {
    let given = parameters.iter().map(|(name, number)| ((*name).to_owned(), whole(*number)));
    Parameters(given.collect())
}

impl Ground<'_> {
    pub(crate) fn attribute(&self, at: usize) -> AttributeAdvice {
        let column = &self.table.sensitive()[at];
        let entry = self.entries.most_frequent(at, |_| true).unwrap_or((0, 0));
        let numbers = self.numbers(at);
        let is_category = numbers.is_none();
        let asks_for_shares = self.about(at).any(|it| it.principle.shares().is_some());
        let takes_dont_care =
            self.about(at).filter_map(|it| principle::find(it.kind)).any(Kind::takes_dont_care);
        let recursive_l = self.stated_l(at, "c_exceeds").first().and_then(ToPrimitive::to_u64);
        let dont_care_l = recursive_l.unwrap_or(2).max(2);
        let l_of = |kind| self.level(at, kind, &[("l", 1)], "l").unwrap_or(0.0);
        let has_tree = self.context(at).taxonomy.is_some();
        AttributeAdvice {
            name: column.name.clone(),
            n_distinct: self.entries.0[at].len() as u64,
            most_frequent: self.value_share(at, entry),
            largest_l: LargestL {
                distinct: l_of("distinct-l-diversity") as u64,
                frequency: l_of("frequency-l-diversity"),
                entropy: l_of("entropy-l-diversity"),
            },
            smallest_c: self.smallest_c(at),
            smallest_t: self.level(at, "t-closeness", &[("t", 1)], "t").unwrap_or(0.0),
            smallest_tau: match is_category || has_tree || asks_for_shares {
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

    /// The principles of the policy on an attribute.
    fn about(&self, at: usize) -> impl Iterator<Item = &Requirement> {
        let name = &self.table.sensitive()[at].name;
        self.requirements.iter().filter(move |it| it.attribute.as_ref() == Some(name))
    }

    fn context(&self, at: usize) -> Context<'_> {
        let name = &self.table.sensitive()[at].name;
        self.surroundings.context_of(self.file, Some(name), self.table)
    }

    fn requirement(&self, at: usize, kind: &str, parameters: Parameters) -> Option<Requirement> {
        let kind = principle::find(kind)?;
        Requirement::new(kind, &self.context(at), parameters, Others::Ignored).ok()
    }

    /// A quantity of one class of all rows; `None` where it is not reachable, or the attribute is not fit for the kind.
    fn quantity(
        &self,
        at: usize,
        kind: &str,
        parameters: &[(&str, i128)],
        name: &str,
    ) -> Option<Quantity> {
        let requirement = self.requirement(at, kind, given(parameters))?;
        let principle = &*requirement.principle;
        let index = principle.bounds().iter().position(|bound| bound.name == name)?;
        self.with_all(|all| principle.of_class(all).quantities().nth(index).copied())
    }

    /// The same as a number.
    pub(crate) fn level(
        &self,
        at: usize,
        kind: &str,
        parameters: &[(&str, i128)],
        name: &str,
    ) -> Option<f64> {
        self.quantity(at, kind, parameters, name)?.to_f64()
    }

    /// The l of the policy's principles on the attribute whose level is this quantity at an l.
    fn stated_l(&self, at: usize, quantity: &str) -> Vec<Rational> {
        let is_bounded = |principle: &dyn Principle| {
            principle.bounds().iter().any(|bound| bound.name == quantity)
        };
        let principles = self.about(at).map(|requirement| &*requirement.principle);
        principles.filter(|it| is_bounded(*it)).filter_map(Principle::at_l).collect()
    }

    /// Some l worth telling, ascending: those of the policy, and others up to the number of values.
    fn some_l(&self, at: usize, quantity: &str, n_values: usize) -> BTreeSet<Rational> {
        let some = SOME_L.into_iter().filter(|l| *l <= n_values as i128);
        let one = Rational::from_integer(1);
        let stated = self.stated_l(at, quantity).into_iter().filter(|l| *l > one);
        some.map(Rational::from_integer).chain(stated).collect()
    }

    fn smallest_c(&self, at: usize) -> Vec<SmallestC> {
        let at_l = |l: Rational| {
            let parameters = [("c", 1), ("l", l.to_integer())];
            let c = self.quantity(at, "recursive-diversity", &parameters, "c_exceeds")?;
            Some(SmallestC { l: l.to_u64()?, c_exceeds: c.to_f64() })
        };
        self.some_l(at, "c_exceeds", self.entries.0[at].len())
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
            let asked = asked_shares(principle::find(it.kind)?, &it.parameters)?;
            matches!(asked.weights, Weights::Stated(_)).then_some(asked.weights)
        });
        weights.extend(stated.take(1));
        let n_values = self.entries.0[at].len().max(n_leaves);
        let some_l = self.some_l(at, "tau", n_values);
        let mut all = Vec::new();
        for weights in weights {
            for l in &some_l {
                let tau = Rational::from_integer(1);
                let asked =
                    AskedShares { tau, l: *l, weights: weights.clone(), growth: Growth::Linear };
                all.extend(self.tau_at(at, &asked));
            }
        }
        // The weights make no difference where all values of the domain occur.
        let figures = |tau: &SmallestTau| (tau.l.to_bits(), tau.as_is, tau.all_generalized);
        let occurring: Vec<_> =
            all.iter().filter(|tau| tau.weights == "occurring").map(figures).collect();
        let is_new =
            |tau: &SmallestTau| tau.weights != "domain" || !occurring.contains(&figures(tau));
        let is_different = all.iter().any(|tau| tau.weights == "domain" && is_new(tau));
        all.retain(|tau| tau.weights != "domain" || is_different);
        all
    }

    fn tau_at(&self, at: usize, asked: &AskedShares) -> Option<SmallestTau> {
        let requirement = self.requirement(at, "tau-l-diversity", asked.parameters())?;
        let reach = self.tau_reach(&requirement, &asked.l)?;
        // Sensitive values that are generalized in the table already have no rows of their own among the base values.
        let as_is = self.with_all(|all| requirement.principle.of_class(all));
        Some(SmallestTau {
            l: to_f64(&asked.l),
            weights: asked.weights.name().to_owned(),
            as_is: as_is.quantities().next().and_then(Quantity::to_f64)?,
            all_generalized: reach.all_generalized.to_f64()?,
            is_exact: reach.is_exact,
        })
    }

    fn dont_care(&self, at: usize, l: u64) -> Vec<DontCare> {
        let steps = |kind: &str, parameters: &[(&str, i128)]| -> Vec<DontCareStep> {
            let Some(kind) = principle::find(kind) else { return Vec::new() };
            debug_assert!(kind.takes_dont_care());
            let most = MOST_DONT_CARE;
            effect_of_dont_care(kind, &self.context(at), &given(parameters), most)
                .unwrap_or_default()
        };
        let first = |step: &DontCareStep| step.best.quantities().next().and_then(Quantity::to_f64);
        let dictionary = &self.table.sensitive()[at].dictionary;
        let mut by_frequency = self.entries.0[at].clone();
        by_frequency.sort_by_key(|&(code, rows)| (std::cmp::Reverse(rows), code));
        let entropy = steps("entropy-l-diversity", &[("l", 1)]);
        let recursive = steps("recursive-diversity", &[("c", 1), ("l", i128::from(l))]);
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
