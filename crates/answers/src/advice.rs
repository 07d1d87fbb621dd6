//! The principles that a table can satisfy, as the answer of `indistinct advise`.
//!
//! The numbers come from `indistinct_core::feasibility`. All of them are about recodings that suppress no row.

use std::collections::BTreeMap;

use indistinct_core::feasibility::{Beyond, Supremum};
use indistinct_core::model::to_f64;
use indistinct_core::{Figure, Quantity, Requirement, figures_of};
use serde::Serialize;

/// The answer of `advise`. JSON writes the fields under their names here; words such as [`AdviceProof`] with hyphens.
///
/// ```json
/// { "title": null, "n_rows": 8, "n_suppressible": 0, "largest_k": 8, "method": "full-domain", "class_column": null,
///   "limited": [], "verdict": "not-proved",
///   "principles": [ { "kind": "epsilon-m-anonymity", "attribute": "income", "required": {"epsilon": 10, "m": 2},
///                     "best": {"m": 2, "risk": 0.5}, "best_is": "bound", "within_reach": true, "required_is": "bound",
///                     "stopped_by": {"what": "near-values", "n_rows": 3, "share": 0.375},
///                     "depends_on_released_rows": false, "generalized_sensitive": null } ],
///   "attributes": [ { "name": "income", "n_distinct": 8, "most_frequent": {"n_rows": 1, "share": 0.125},
///                     "largest_l": {"distinct": 8, "frequency": 8.0, "entropy": 8.0},
///                     "smallest_c": [ {"l": 2, "c_exceeds": 0.1428} ], "smallest_t": 0.0,
///                     "smallest_tau": [ {"l": 2.0, "weights": "occurring", "as_is": 0.125, "all_generalized": 0.125,
///                                        "is_exact": true} ],
///                     "dont_care": [ {"n_values": 0, "n_rows": 0, "share": 0.0, "entropy_l": 8.0, "c_exceeds": 0.1428} ],
///                     "dont_care_l": 2,
///                     "numbers": { "is": "bound", "largest_e": 49000.0, "largest_variance": 245113635.9,
///                                  "for_epsilon": [ {"epsilon": 10.0, "unit": "absolute", "largest_m": 2} ],
///                                  "required": [ {"epsilon": 10.0, "unit": "absolute", "m": 2.0} ],
///                                  "for_m": [ {"m": 2, "unit": "absolute", "epsilon_below": 23000.0} ],
///                                  "absolute": [ {"m": 1, "epsilon_below": null}, {"m": 2, "epsilon_below": 23000.0} ],
///                                  "relative": [ {"m": 1, "epsilon_below": 1.0} ] } } ] }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Advice {
    /// The title of the policy.
    pub title: Option<String>,
    /// Rows of the table.
    pub n_rows: u64,
    /// Rows that the policy allows to suppress. Nothing here makes use of that.
    pub n_suppressible: u64,
    /// The largest k: that of one class of all rows, or of the coarsest classes that the policy allows. `None` for an empty
    /// table.
    pub largest_k: Option<u64>,
    /// The policy's method of recoding.
    pub method: String,
    /// The class column of the policy's output, if there is to be one.
    pub class_column: Option<String>,
    /// Quasi-identifiers that keep the table from becoming one class.
    pub limited: Vec<String>,
    /// What keeps them from it; left out where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limited_by: Option<LimitedBy>,
    /// Whether all is about a first version of a growing table: without people of earlier ones, and without rows without a person.
    /// Left out where it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_first_version: bool,
    /// Where sensitive values are perturbed: the largest probability that a row keeps its own, the p of the (epsilon, m) text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retention: Option<f64>,
    /// Whether the policy as a whole can be met.
    pub verdict: Feasibility,
    /// One for each principle of the policy, in its order.
    pub principles: Vec<PrincipleAdvice>,
    /// One for each sensitive attribute.
    pub attributes: Vec<AttributeAdvice>,
}

/// What keeps quasi-identifiers from becoming one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LimitedBy {
    /// Their `max_level`.
    MaxLevel,
    /// The method, which keeps rows apart by them.
    Method,
}

/// Whether a recoding without suppression can meet all principles together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Feasibility {
    /// One recoding is known that meets all of them: all rows in one class, or the coarsest classes that the policy allows.
    Proved,
    /// Each of them is within reach or not known to be beyond it, but no recoding is known that meets all.
    NotProved,
    /// At least one is met by no recoding.
    BeyondReach,
}

/// How sure it is that a level can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AdviceProof {
    /// One class of all rows reaches it.
    OneClass,
    /// The coarsest classes that the policy allows with its method reach it.
    CoarsestLevels,
    /// A partition reaches it, since the policy publishes a class column (Theorem 1 of the (epsilon, m) text).
    ClassColumn,
    /// One class of all rows reaches it, with the sensitive values as they are or all of them generalized.
    GeneralizedValues,
    /// Noise in place of all sensitive values reaches it, whatever the classes.
    Noise,
    /// No recoding does better; whether one does as well is not known.
    Bound,
}

/// What one principle of the policy can reach.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PrincipleAdvice {
    /// The principle's name in the registry.
    pub kind: String,
    /// The sensitive attribute, for the kinds that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// The parameters as required.
    pub required: BTreeMap<String, Figure>,
    /// The best level that any recoding reaches, with the names that `check` gives to reached figures. A figure is null
    /// where no value would do, all is null for an empty table.
    pub best: Option<BTreeMap<String, Option<Figure>>>,
    /// How sure it is that the best is reachable.
    pub best_is: Option<AdviceProof>,
    /// Whether what is required is within the best.
    pub within_reach: bool,
    /// How sure it is that what is required is reachable; null where it is not within reach.
    pub required_is: Option<AdviceProof>,
    /// What mostly stands in the way of more.
    pub stopped_by: Option<Obstacle>,
    /// Whether suppressing rows changes the level of the rows that remain, even in untouched classes.
    pub depends_on_released_rows: bool,
    /// For principles on generalized sensitive values: what generalizing them would reach.
    pub generalized_sensitive: Option<GeneralizedSensitive>,
    /// Other principles each of which guarantees this one where no sensitive value is generalized.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guaranteed_by: Vec<Guarantee>,
}

/// A principle that guarantees another one.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Guarantee {
    /// Its name in the registry.
    pub kind: &'static str,
    /// With these parameters: no weaker ones do, as far as is known.
    pub parameters: BTreeMap<String, Figure>,
}

/// What generalizing every sensitive value to the root reaches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GeneralizedSensitive {
    /// The smallest tau at the required l.
    pub tau: f64,
    /// Whether what is required is reachable if sensitive values may be generalized.
    pub within_reach: bool,
    /// Whether that is certain: with unequal weights a mixture may do better, so that `within_reach = false` is not proved.
    pub is_exact: bool,
}

/// What stands in the way of a better level.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Obstacle {
    /// There are only so many rows.
    Rows {
        /// The rows of the table.
        n_rows: u64,
    },
    /// Many rows have the same value of the sensitive attribute.
    MostFrequentValue(ValueShare),
    /// Many rows have a value that is near another one, on one side of it.
    NearValues {
        /// The largest number of such rows.
        n_rows: u64,
        /// Their share of all rows.
        share: f64,
    },
    /// There are only so many people in the population.
    Population {
        /// How many.
        n_people: u64,
    },
}

/// A value by how often it occurs.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ValueShare {
    /// Rows that have it.
    pub n_rows: u64,
    /// Their share of all rows: also the smallest alpha of (alpha, k)-anonymity.
    pub share: f64,
    /// The value, for the holder's eyes: only where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// What is reachable for one sensitive attribute, whatever the policy asks for.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct AttributeAdvice {
    /// The attribute.
    pub name: String,
    /// Number of its distinct values.
    pub n_distinct: u64,
    /// Its most frequent value.
    pub most_frequent: ValueShare,
    /// The largest l of each kind: that of one class of all rows.
    pub largest_l: LargestL,
    /// For some l the c of recursive diversity.
    pub smallest_c: Vec<SmallestC>,
    /// 0: one class of all rows is distributed as they are.
    pub smallest_t: f64,
    /// For some l the tau of (tau, l)-diversity.
    pub smallest_tau: Vec<SmallestTau>,
    /// What putting the most frequent values on the don't-care list does; the first step has none of them on it.
    pub dont_care: Vec<DontCare>,
    /// The l of `c_exceeds` in `dont_care`.
    pub dont_care_l: u64,
    /// For numeric attributes: how near values may be to each other.
    pub numbers: Option<NumericAdvice>,
}

/// The largest l that one class of all rows reaches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LargestL {
    /// Of distinct l-diversity.
    pub distinct: u64,
    /// Of frequency l-diversity.
    pub frequency: f64,
    /// Of entropy l-diversity.
    pub entropy: f64,
}

/// What c of recursive diversity must exceed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SmallestC {
    /// At this l.
    pub l: u64,
    /// This value itself is not reachable; null where no c would do.
    pub c_exceeds: Option<f64>,
}

/// The smallest tau at some l.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SmallestTau {
    /// At this l.
    pub l: f64,
    /// The weights of the base values: `occurring`, `domain` or `stated` (those of the policy).
    pub weights: String,
    /// With the sensitive values as they are.
    pub as_is: f64,
    /// With every sensitive value generalized to the root of its hierarchy.
    pub all_generalized: f64,
    /// Whether no mixture of both does better (readings E-2 and E-3).
    pub is_exact: bool,
}

/// The best levels with some of the most frequent values on the don't-care list.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct DontCare {
    /// How many of the most frequent values are on the list.
    pub n_values: u64,
    /// Rows that have one of them.
    pub n_rows: u64,
    /// Their share of all rows.
    pub share: f64,
    /// The largest l of entropy l-diversity.
    pub entropy_l: Option<f64>,
    /// What c of recursive diversity must exceed; null where no c would do.
    pub c_exceeds: Option<f64>,
    /// The value that came onto the list last, for the holder's eyes: only where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// What epsilon is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EpsilonUnit {
    /// The unit of the attribute.
    Absolute,
    /// Shares of the value.
    Relative,
}

/// What is reachable where near numbers count as the same sensitive value.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct NumericAdvice {
    /// How sure it is that all of it is reachable: class column or bound. `largest_e` and `largest_variance` are those of
    /// one class of all rows.
    pub is: AdviceProof,
    /// The largest e of (k, e)-anonymity: how far the values lie apart; null where a missing value keeps it from being
    /// computed.
    pub largest_e: Option<f64>,
    /// The largest (population) variance; null likewise.
    pub largest_variance: Option<f64>,
    /// For each epsilon of the policy, and for equal values alone, the largest m.
    pub for_epsilon: Vec<LargestM>,
    /// What the policy requires.
    pub required: Vec<RequiredEpsilon>,
    /// For each m of the policy what epsilon must stay below.
    pub for_m: Vec<EpsilonLimit>,
    /// The (epsilon, m) trade-off with absolute epsilon, by ascending m, up to the first m for which nothing is feasible.
    pub absolute: Vec<TradeOffPoint>,
    /// The same with relative epsilon; null where some values are not positive.
    pub relative: Option<Vec<TradeOffPoint>>,
}

/// The largest m for an epsilon.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LargestM {
    /// How near is near. Of (e1, e2, m)-anonymity the larger of the two, of (delta, l)-diversity twice delta.
    pub epsilon: f64,
    /// In this unit.
    pub unit: EpsilonUnit,
    /// The largest m.
    pub largest_m: u64,
}

/// What the policy requires of near numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RequiredEpsilon {
    /// How near is near, as for [`LargestM`].
    pub epsilon: f64,
    /// In this unit.
    pub unit: EpsilonUnit,
    /// The m, or the l of (delta, l)-diversity.
    pub m: f64,
}

/// What epsilon must stay below for an m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct EpsilonLimit {
    /// The m.
    pub m: u64,
    /// The unit of epsilon.
    pub unit: EpsilonUnit,
    /// This value itself is not feasible; with 0 nothing is; null where everything is.
    pub epsilon_below: Option<f64>,
}

/// One point of a trade-off curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct TradeOffPoint {
    /// The m.
    pub m: u64,
    /// This value itself is not feasible; with 0 nothing is; null where everything is.
    pub epsilon_below: Option<f64>,
}

/// The trade-off of a numeric sensitive attribute for which the policy limits the distance of sensitive values.
#[derive(Debug, Clone, PartialEq)]
pub struct TradeOff {
    /// The attribute.
    pub attribute: String,
    /// What the table can reach.
    pub numbers: NumericAdvice,
}

/// A principle that provably no recoding without suppression satisfies.
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
    /// The part of a requirement that is beyond reach.
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
    /// Whether no principle is known to be out of reach.
    pub fn is_within_reach(&self) -> bool {
        self.verdict != Feasibility::BeyondReach
    }
}

impl EpsilonUnit {
    /// The word in a policy.
    pub fn as_str(self) -> &'static str {
        match self {
            EpsilonUnit::Absolute => "absolute",
            EpsilonUnit::Relative => "relative",
        }
    }
}
