//! The answer of `indistinct advise`: the principles that a table can satisfy.
//!
//! The figures come from `indistinct_core::feasibility`. All figures assume that no row is
//! suppressed.

use std::collections::BTreeMap;

use indistinct_core::feasibility::{Beyond, Supremum};
use indistinct_core::model::to_f64;
use indistinct_core::{Figure, Quantity, Requirement, figures_of};
use serde::Serialize;

use indistinct_diagnostics::warning::Warning;

/// The answer of `advise`. JSON uses the field names of this type; variants such as those of
/// [`AdviceProof`] are written in kebab case.
///
/// ```json
/// { "title": null, "n_rows": 8, "n_suppressible": 0, "largest_k": 8,
///   "method": "full-domain", "class_column": null, "limited": [], "verdict": "not-proved",
///   "principles": [
///     { "kind": "epsilon-m-anonymity", "attribute": "income",
///       "required": {"epsilon": 10, "m": 2}, "best": {"m": 2, "risk": 0.5}, "best_is": "bound",
///       "within_reach": true, "required_is": "bound",
///       "stopped_by": {"what": "near-values", "n_rows": 3, "share": 0.375},
///       "depends_on_released_rows": false, "generalized_sensitive": null } ],
///   "attributes": [
///     { "name": "income", "n_distinct": 8, "most_frequent": {"n_rows": 1, "share": 0.125},
///       "largest_l": {"distinct": 8, "frequency": 8.0, "entropy": 8.0},
///       "smallest_c": [ {"l": 2, "c_exceeds": 0.1428} ], "smallest_t": 0.0,
///       "smallest_tau": [ {"l": 2.0, "weights": "occurring", "as_is": 0.125,
///                          "all_generalized": 0.125, "is_exact": true} ],
///       "dont_care": [ {"n_values": 0, "n_rows": 0, "share": 0.0, "entropy_l": 8.0,
///                       "c_exceeds": 0.1428} ],
///       "dont_care_l": 2,
///       "numbers": {
///         "is": "bound", "largest_e": 49000.0, "largest_variance": 245113635.9,
///         "for_epsilon": [ {"epsilon": 10.0, "unit": "absolute", "largest_m": 2} ],
///         "required": [ {"epsilon": 10.0, "unit": "absolute", "m": 2.0} ],
///         "for_m": [ {"m": 2, "unit": "absolute", "epsilon_below": 23000.0} ],
///         "absolute": [ {"m": 1, "epsilon_below": null}, {"m": 2, "epsilon_below": 23000.0} ],
///         "relative": [ {"m": 1, "epsilon_below": 1.0} ] } } ] }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Advice {
    /// The title of the policy.
    pub title: Option<String>,
    /// Number of rows in the table.
    pub n_rows: u64,
    /// Number of rows that may be suppressed under the policy. The advice assumes no suppression.
    pub n_suppressible: u64,
    /// The largest possible k: the size of a single class of all rows or, if the policy limits
    /// generalization, of the smallest class at the coarsest levels that it allows. `None` if the
    /// table is empty.
    pub largest_k: Option<u64>,
    /// The recoding method of the policy.
    pub method: String,
    /// The class column of the policy's output, if it has one.
    pub class_column: Option<String>,
    /// Quasi-identifiers that prevent all rows from forming a single class.
    pub limited: Vec<String>,
    /// Why the quasi-identifiers in `limited` prevent a single class; omitted if `limited` is
    /// empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limited_by: Option<LimitedBy>,
    /// Whether the advice applies to the first version of a growing table, without people in
    /// earlier versions and counterfeit rows. Omitted if `false`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_first_version: bool,
    /// Whether the advice counts only rows although the policy also counts people. A requirement
    /// that is infeasible for rows is also infeasible for people. Omitted if `false`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub counts_rows_only: bool,
    /// The largest probability with which a row keeps its original sensitive value, if sensitive
    /// values are perturbed (p in the (epsilon, m) paper).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retention: Option<f64>,
    /// Whether the policy as a whole can be satisfied.
    pub verdict: Feasibility,
    /// Settings that are accepted but probably not intended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// One entry for each principle of the policy, in the policy's order.
    pub principles: Vec<PrincipleAdvice>,
    /// One entry for each sensitive attribute.
    pub attributes: Vec<AttributeAdvice>,
}

/// The reason why quasi-identifiers cannot be generalized to a single value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LimitedBy {
    /// The `max_level` of the quasi-identifiers limits their generalization.
    MaxLevel,
    /// The method does not merge rows that differ in the quasi-identifiers in `limited`.
    Method,
}

/// Whether a recoding without suppression can satisfy all principles together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Feasibility {
    /// A single class of all rows, or the coarsest classes that the policy allows, satisfies all
    /// principles.
    Proved,
    /// No principle is known to be infeasible, but no recoding is known to satisfy all principles.
    NotProved,
    /// No recoding satisfies at least one of the principles.
    BeyondReach,
}

/// The proof that a level is reachable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AdviceProof {
    /// A single class of all rows reaches the level.
    OneClass,
    /// The coarsest classes that the policy allows with its method reach the level.
    CoarsestLevels,
    /// A partition reaches the level if its classes are published in a class column (Theorem 1 of
    /// the (epsilon, m) paper).
    ClassColumn,
    /// A single class of all rows reaches the level, with all sensitive values either unchanged or
    /// generalized.
    GeneralizedValues,
    /// Replacing all sensitive values with noise reaches the level, regardless of the classes.
    Noise,
    /// No recoding exceeds the level, but no recoding is known to reach it.
    Bound,
}

/// The level that one principle of the policy can reach.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PrincipleAdvice {
    /// The principle's name in the registry.
    pub kind: String,
    /// The sensitive attribute, if the principle has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// The required parameters.
    pub required: BTreeMap<String, Figure>,
    /// The best level that any recoding can reach, with the same names as the levels in the answer
    /// of `check`. A figure is null if no value is sufficient. The whole field is null if the table
    /// is empty.
    pub best: Option<BTreeMap<String, Option<Figure>>>,
    /// The proof that the best level is reachable.
    pub best_is: Option<AdviceProof>,
    /// Whether the best level satisfies the requirement.
    pub within_reach: bool,
    /// The proof that the requirement can be satisfied; null if the best level does not satisfy it.
    pub required_is: Option<AdviceProof>,
    /// The main obstacle to a better level.
    pub stopped_by: Option<Obstacle>,
    /// Whether suppressing rows may help if the best level does not satisfy the requirement. It
    /// never helps if the required class size exceeds the number of rows.
    pub suppression_may_help: bool,
    /// Whether suppressing rows changes the level of the remaining rows, even in classes without
    /// suppressed rows.
    pub depends_on_released_rows: bool,
    /// The level that is reachable by generalizing sensitive values, if the principle supports
    /// them.
    pub generalized_sensitive: Option<GeneralizedSensitive>,
    /// Other principles, each of which guarantees this principle if no sensitive value is
    /// generalized.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guaranteed_by: Vec<Guarantee>,
}

/// A principle that guarantees another principle.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Guarantee {
    /// The registry name of the principle that provides the guarantee.
    pub kind: &'static str,
    /// The weakest parameters that are known to be sufficient.
    pub parameters: BTreeMap<String, Figure>,
}

/// The level reached by generalizing every sensitive value to the root.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GeneralizedSensitive {
    /// The smallest tau at the required l.
    pub tau: f64,
    /// Whether the requirement is reachable if sensitive values may be generalized.
    pub within_reach: bool,
    /// Whether `within_reach` is certain. With unequal weights, a mixture of original and
    /// generalized values may reach more, so `within_reach = false` is not proved.
    pub is_exact: bool,
}

/// The obstacle to a better level.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Obstacle {
    /// The number of rows in the table.
    Rows {
        /// Number of rows in the table.
        n_rows: u64,
    },
    /// The most frequent value of the sensitive attribute occurs in many rows.
    MostFrequentValue(ValueShare),
    /// For many rows, the value is within the required distance of a single value, and on the same
    /// side of it.
    NearValues {
        /// The largest number of rows whose values are near a single value, and on the same side of
        /// it.
        n_rows: u64,
        /// `n_rows` as a fraction of the number of rows in the table.
        share: f64,
    },
    /// The number of people in the population.
    Population {
        /// Number of people in the population.
        n_people: u64,
    },
}

/// A value and its frequency.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ValueShare {
    /// Number of rows that have the value.
    pub n_rows: u64,
    /// The share of rows with the value, which is also the smallest alpha of (alpha, k)-anonymity.
    pub share: f64,
    /// The value itself, for the data holder only; present only if values were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// The reachable levels for one sensitive attribute, regardless of the policy's requirements.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct AttributeAdvice {
    /// The name of the attribute.
    pub name: String,
    /// Number of distinct values of the attribute.
    pub n_distinct: u64,
    /// The most frequent value of the attribute.
    pub most_frequent: ValueShare,
    /// The largest l that a single class of all rows reaches, for each kind of l-diversity.
    pub largest_l: LargestL,
    /// The lower bound on c of recursive (c, l)-diversity for several values of l.
    pub smallest_c: Vec<SmallestC>,
    /// The smallest t of t-closeness: 0, because a single class of all rows has the distribution of
    /// the table.
    pub smallest_t: f64,
    /// The smallest tau of (tau, l)-diversity for several values of l.
    pub smallest_tau: Vec<SmallestTau>,
    /// The best levels if the most frequent values are on the don't-care list. The list of the
    /// first entry is empty.
    pub dont_care: Vec<DontCare>,
    /// The l to which `c_exceeds` in `dont_care` refers.
    pub dont_care_l: u64,
    /// The best reachable levels of the principles based on distances between values, for numeric
    /// attributes.
    pub numbers: Option<NumericAdvice>,
}

/// The largest l that a single class of all rows reaches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LargestL {
    /// The largest l of distinct l-diversity.
    pub distinct: u64,
    /// The largest l of frequency l-diversity.
    pub frequency: f64,
    /// The largest l of entropy l-diversity.
    pub entropy: f64,
}

/// A bound on c of recursive (c, l)-diversity.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SmallestC {
    /// The l to which the bound applies.
    pub l: u64,
    /// The exclusive lower bound on c; null if no c is sufficient.
    pub c_exceeds: Option<f64>,
}

/// The smallest tau for one l.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SmallestTau {
    /// The l to which tau applies.
    pub l: f64,
    /// The weights of the base values: `occurring`, `domain`, or `stated` (the weights in the
    /// policy).
    pub weights: String,
    /// The smallest tau if the sensitive values are unchanged.
    pub as_is: f64,
    /// The smallest tau if every sensitive value is generalized to the root of its hierarchy.
    pub all_generalized: f64,
    /// Whether no mixture of original and generalized values has a smaller tau (readings E-2 and
    /// E-3).
    pub is_exact: bool,
}

/// The best levels that are reachable if the most frequent values are on the don't-care list.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct DontCare {
    /// Number of most frequent values on the list.
    pub n_values: u64,
    /// Number of rows with a value on the list.
    pub n_rows: u64,
    /// The share of all rows that have a value on the list.
    pub share: f64,
    /// The largest l of entropy l-diversity.
    pub entropy_l: Option<f64>,
    /// The exclusive lower bound on c of recursive (c, l)-diversity; null if no c is sufficient.
    pub c_exceeds: Option<f64>,
    /// The value most recently added to the list, for the data holder only; present only if values
    /// were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// The unit of epsilon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EpsilonUnit {
    /// Epsilon is a distance in the unit of the attribute.
    Absolute,
    /// Epsilon is a fraction of the sensitive value.
    Relative,
}

/// The reachable levels for principles that treat nearby numbers as the same sensitive value.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct NumericAdvice {
    /// How it is known that the figures are reachable: class column or bound. A single class of all
    /// rows has `largest_e` and `largest_variance`.
    pub is: AdviceProof,
    /// The largest e of (k, e)-anonymity: the range of the values; null if a missing value makes it
    /// undefined.
    pub largest_e: Option<f64>,
    /// The largest (population) variance; null if a missing value makes it undefined.
    pub largest_variance: Option<f64>,
    /// The largest m for each epsilon in the policy and for epsilon = 0 (equal values).
    pub for_epsilon: Vec<LargestM>,
    /// The requirements of the policy on nearby numbers.
    pub required: Vec<RequiredEpsilon>,
    /// The bound on epsilon for each m in the policy.
    pub for_m: Vec<EpsilonLimit>,
    /// The (epsilon, m) trade-off with absolute epsilon, in ascending order of m, up to the first m
    /// that is infeasible for every epsilon.
    pub absolute: Vec<TradeOffPoint>,
    /// The (epsilon, m) trade-off with relative epsilon; null if some values are not positive.
    pub relative: Option<Vec<TradeOffPoint>>,
}

/// The largest m for one epsilon.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LargestM {
    /// The distance within which values count as near. It is the larger of e1 and e2 for (e1, e2,
    /// m)-anonymity, and twice delta for (delta, l)-diversity.
    pub epsilon: f64,
    /// The unit of epsilon.
    pub unit: EpsilonUnit,
    /// The largest reachable m.
    pub largest_m: u64,
}

/// A requirement of the policy that defines a distance between nearby numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RequiredEpsilon {
    /// The maximum distance between values that count as near, as in [`LargestM`].
    pub epsilon: f64,
    /// The unit of epsilon.
    pub unit: EpsilonUnit,
    /// The required m, or the required l for (delta, l)-diversity.
    pub m: f64,
}

/// The bound on epsilon for one m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct EpsilonLimit {
    /// The m to which the bound applies.
    pub m: u64,
    /// The unit of epsilon.
    pub unit: EpsilonUnit,
    /// The exclusive upper bound on epsilon; 0 if no epsilon is feasible,
    /// null if every epsilon is feasible.
    pub epsilon_below: Option<f64>,
}

/// One point of a trade-off curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct TradeOffPoint {
    /// The m of this point.
    pub m: u64,
    /// The exclusive upper bound on epsilon; 0 if no epsilon is feasible,
    /// null if every epsilon is feasible.
    pub epsilon_below: Option<f64>,
}

/// The trade-off curve of a numeric sensitive attribute for which the policy limits the distance
/// between sensitive values.
#[derive(Debug, Clone, PartialEq)]
pub struct TradeOff {
    /// The name of the attribute.
    pub attribute: String,
    /// The reachable levels.
    pub numbers: NumericAdvice,
}

/// A principle that has been proved infeasible for all recodings without suppression.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct BeyondReach {
    /// The name of the principle.
    pub kind: String,
    /// The sensitive attribute, if the principle has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// The required parameters.
    pub required: BTreeMap<String, Figure>,
    /// The bound that no recoding exceeds; null if no value is sufficient.
    pub best: BTreeMap<String, Option<Figure>>,
    /// The exclusive upper bound on epsilon (twice delta) for the required m or l, for principles
    /// on nearby numbers; 0 if no epsilon is sufficient.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon_below: Option<f64>,
    /// Whether suppressing rows may help. It never helps if the required class size exceeds the
    /// number of rows.
    pub suppression_may_help: bool,
    /// The smallest tau at the required l, if sensitive values may be generalized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest_tau: Option<f64>,
}

impl BeyondReach {
    /// Creates the entry for an infeasible requirement.
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
}

impl Advice {
    /// Returns whether no principle is known to be infeasible.
    pub fn is_within_reach(&self) -> bool {
        self.verdict != Feasibility::BeyondReach
    }
}

impl EpsilonUnit {
    /// Returns the name of the unit as written in a policy.
    pub fn as_str(self) -> &'static str {
        match self {
            EpsilonUnit::Absolute => "absolute",
            EpsilonUnit::Relative => "relative",
        }
    }
}
