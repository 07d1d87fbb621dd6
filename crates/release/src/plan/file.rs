//! A plan in the form in which the agency publishes it, with all data that is required to create
//! and verify a release that follows the plan.

use std::path::Path;

use indistinct_core::Rational;
use indistinct_core::model::to_f64;
use indistinct_linkage::LinkageError;
use indistinct_linkage::planned::{Basis, Linked, Plan, SLACK_PARTS};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

use super::hexadecimal;
use crate::error::PlanFault;
use crate::{PlanParameter, ReleaseError};

/// A plan, including the values of its columns.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFile {
    /// A human-readable title.
    pub title: Option<String>,
    /// The quasi-identifiers, in order.
    pub columns: Vec<PlanColumn>,
    /// The sensitive attribute.
    pub sensitive: String,
    /// The sensitive values with positive probability, in order. Designated values are indexes into
    /// this list.
    pub sensitive_values: Vec<String>,
    /// The number of releases that share the failure probability and their total failure
    /// probability.
    pub shared: Option<SharedFailure>,
    /// The confidence level of the probabilities, if they were estimated from counts.
    pub confidence: Option<PlanConfidence>,
    /// The order of the combinations, which is `space-filling` or `lexicographic`. The combinations
    /// of each class are contiguous in this order.
    pub order: String,
    /// The divisor that converts weights to probabilities.
    pub total: u64,
    /// SHA-256 of the distribution.
    pub distribution: String,
    /// The classes, designated values, and parameters l, delta, p, and N.
    pub plan: Plan,
}

/// A quasi-identifier of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanColumn {
    /// The column name.
    pub name: String,
    /// The distinct values.
    pub values: Vec<String>,
    /// The index of the value of this column in each combination, in the order of the plan.
    pub codes: Vec<u32>,
}

/// The failure probability that several releases share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedFailure {
    /// The number of releases.
    pub releases: u64,
    /// The maximum probability that any of the releases fails.
    pub total_failure: Rational,
}

/// The confidence level of probabilities that were estimated from counts. With a probability of at
/// least `level` over the counted rows, every designated value has at least the stated probability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanConfidence {
    /// The confidence level, between 0 and 1.
    pub level: Rational,
    /// The number of counted rows.
    pub n_counted: u64,
}

impl PlanFile {
    /// Returns the number of combinations of quasi-identifiers.
    pub fn n_combinations(&self) -> usize {
        self.columns.first().map_or(0, |column| column.codes.len())
    }

    /// Returns the values of a combination.
    pub fn combination(&self, at: usize) -> impl Iterator<Item = &str> + Clone {
        self.columns.iter().map(move |column| column.values[column.codes[at] as usize].as_str())
    }

    /// Returns the parameter l.
    pub fn l(&self) -> u64 {
        self.plan.target.l()
    }

    /// Returns the failure probability delta, as a double.
    pub fn delta(&self) -> f64 {
        to_f64(&self.plan.target.delta())
    }

    /// Returns the lower bound p, as a double.
    pub fn p(&self) -> f64 {
        self.plan.p.to_f64().unwrap_or(f64::NAN)
    }

    /// Returns the weight of a designated value.
    pub(super) fn weight(&self, probability: &BigRational) -> u64 {
        let weight = probability * num_bigint::BigInt::from(self.total);
        weight.to_integer().to_u64().expect("the weight is at most the total")
    }

    /// Returns the SHA-256 of the plan's guarantee and of everything on which the guarantee
    /// depends, in hexadecimal digits. The title is not included.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        let mut text = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        };
        let linked = self.plan.target.linked();
        text(match linked == Linked::default() {
            true => "indistinct: a plan, format 1",
            false => "indistinct: plan, linked, format 1",
        });
        if linked != Linked::default() {
            let stated = |it: Option<Rational>| it.map_or("none".to_owned(), |it| it.to_string());
            text(&stated(linked.k.map(|k| Rational::from_integer(k.into()))));
            text(&stated(linked.entropy_l));
            text(&stated(self.plan.slack));
        }
        text(&self.columns.len().to_string());
        self.columns.iter().for_each(|column| text(&column.name));
        text(&self.sensitive);
        text(&self.sensitive_values.len().to_string());
        self.sensitive_values.iter().for_each(|value| text(value));
        let plan = &self.plan;
        for number in [
            plan.target.l().to_string(),
            plan.target.delta().to_string(),
            plan.p.to_string(),
            plan.n_rows.to_string(),
            plan.classes.len().to_string(),
            self.total.to_string(),
        ] {
            text(&number);
        }
        text(basis_name(plan.basis));
        text(&self.order);
        if let Some(shared) = &self.shared {
            text(&shared.releases.to_string());
            text(&shared.total_failure.to_string());
        }
        if let Some(confidence) = &self.confidence {
            text("confidence");
            text(&confidence.level.to_string());
            text(&confidence.n_counted.to_string());
        }
        text(&self.distribution);
        for class in &plan.classes {
            text(&class.combinations.len().to_string());
            for at in class.combinations.clone() {
                self.combination(at).for_each(&mut text);
            }
            for (value, probability) in class.designated.iter().zip(&class.probabilities) {
                text(&self.sensitive_values[*value as usize]);
                text(&self.weight(probability).to_string());
            }
        }
        hexadecimal(&hash.finalize())
    }

    /// Checks that all parts of the plan are consistent, as far as possible without the
    /// distribution.
    ///
    /// # Errors
    /// Returns [`ReleaseError`] that describes the first inconsistency.
    pub(super) fn check(&self, path: &Path) -> Result<(), ReleaseError> {
        let plan = &self.plan;
        let contradiction =
            |what: PlanFault| ReleaseError::PlanContradiction { path: path.to_owned(), what };
        let expect = |holds: bool, what| if holds { Ok(()) } else { Err(contradiction(what)) };
        let l = plan.target.l();
        if l > plan.n_sensitive_values {
            return Err(PlanParameter(LinkageError::LAboveSensitiveValues {
                l,
                n_sensitive_values: plan.n_sensitive_values,
            })
            .into());
        }
        let zero = BigRational::from_integer(0.into());
        let one = BigRational::from_integer(1.into());
        if plan.p <= zero || plan.p > one {
            return Err(PlanParameter(LinkageError::POutOfRange { got: self.p() }).into());
        }
        if let Some(confidence) = &self.confidence {
            let range = Rational::from_integer(0)..Rational::from_integer(1);
            let is_level = range.contains(&confidence.level) && confidence.level > range.start;
            expect(is_level && confidence.n_counted > 0, PlanFault::Confidence)?;
        }
        expect(!plan.classes.is_empty(), PlanFault::NoClass)?;
        expect(plan.n_rows > 0, PlanFault::NoRows)?;
        let names: FxHashSet<&str> = self
            .columns
            .iter()
            .map(|column| column.name.as_str())
            .chain([&*self.sensitive])
            .collect();
        expect(names.len() == self.columns.len() + 1, PlanFault::RepeatedColumn)?;
        let values: FxHashSet<&String> = self.sensitive_values.iter().collect();
        expect(values.len() == self.sensitive_values.len(), PlanFault::RepeatedValue)?;
        let mut known: FxHashSet<Vec<u32>> = FxHashSet::default();
        for at in 0..self.n_combinations() {
            let codes = self.columns.iter().map(|column| column.codes[at]).collect();
            expect(known.insert(codes), PlanFault::RepeatedCombination)?;
        }
        let (mut sum, mut smallest) = (zero, one.clone());
        for class in &plan.classes {
            expect(!class.combinations.is_empty(), PlanFault::EmptyClass)?;
            let ascending = class.designated.windows(2).all(|pair| pair[0] < pair[1]);
            expect(ascending && class.designated.len() as u64 == l, PlanFault::DesignatedCount)?;
            for probability in &class.probabilities {
                sum += probability;
                if *probability < smallest {
                    smallest = probability.clone();
                }
            }
        }
        if plan.p > smallest {
            let largest = smallest.to_f64().unwrap_or(f64::NAN);
            return Err(PlanParameter(LinkageError::PTooLarge { l, got: self.p(), largest }).into());
        }
        if sum > one {
            let sum = sum.to_f64().unwrap_or(f64::INFINITY);
            return Err(PlanParameter(LinkageError::SumIsNotOne { sum, tolerance: 0.0 }).into());
        }
        let is_small = plan.slack.is_none_or(|slack| *slack.denom() <= SLACK_PARTS.into());
        expect(is_small && plan.slack_guarantees_entropy(), PlanFault::Slack)?;
        // The exact failure probability requires the whole distribution. All other bases require
        // only the plan.
        if plan.basis != Basis::ExactFailure || plan.slack.is_some() {
            let bound = plan.union_bound(plan.n_rows);
            expect(bound <= self.delta() * (1.0 + 1e-6), PlanFault::TooFewRows)?;
        }
        Ok(())
    }
}

/// Returns the name of a basis in plan files.
pub fn basis_name(basis: Basis) -> &'static str {
    match basis {
        Basis::Text => "text",
        Basis::ActualClasses => "actual-classes",
        Basis::ActualMasses => "actual-masses",
        Basis::ExactFailure => "exact-failure",
    }
}

pub(super) fn basis_of_name(name: &str) -> Option<Basis> {
    [Basis::Text, Basis::ActualClasses, Basis::ActualMasses, Basis::ExactFailure]
        .into_iter()
        .find(|basis| basis_name(*basis) == name)
}
