//! What a table can reach at all, as the answer of `indistinct advise`: plain data, and the words for it.
//!
//! The numbers come from `indistinct_core::feasibility`. All of it is about recodings that suppress no row.

use std::collections::BTreeMap;

use indistinct_core::{Figure, PrincipleClaim};
use serde::Serialize;

use crate::words;

/// Reached figures that are the better the smaller they are.
const SMALLER_IS_BETTER: [&str; 6] = ["alpha", "c_exceeds", "max", "risk", "t", "tau"];

/// The answer of `advise`. JSON writes the fields under their names here; words such as [`Proof`] with hyphens.
///
/// ```json
/// { "title": null, "n_rows": 8, "n_suppressible": 0, "largest_k": 8, "method": "full-domain", "class_column": null,
///   "limited": [], "verdict": "not-proved",
///   "principles": [ { "kind": "epsilon-m-anonymity", "attribute": "income", "required": {"epsilon": 10, "m": 2},
///                     "best": {"m": 2, "risk": 0.5}, "best_is": "bound", "within_reach": true, "required_is": "bound",
///                     "stopped_by": {"what": "near-values", "n_rows": 3, "share": 0.375},
///                     "depends_on_released_rows": false, "generalized_secret": null } ],
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
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Advice {
    /// The title of the policy.
    pub title: Option<String>,
    /// Rows of the table.
    pub n_rows: u64,
    /// Rows that the policy allows to suppress. Nothing here makes use of that.
    pub n_suppressible: u64,
    /// The largest k: that of one class of all rows, or of the coarsest levels that the policy allows. `None` for an empty
    /// table.
    pub largest_k: Option<u64>,
    /// The policy's method of recoding.
    pub method: String,
    /// The class column of the policy's output, if there is to be one.
    pub class_column: Option<String>,
    /// Quasi-identifiers whose `max_level` keeps the table from becoming one class.
    pub limited: Vec<String>,
    /// Whether the policy as a whole can be met.
    pub verdict: Verdict,
    /// One for each principle of the policy, in its order.
    pub principles: Vec<PrincipleAdvice>,
    /// One for each sensitive attribute.
    pub attributes: Vec<AttributeAdvice>,
}

/// Whether a recoding without suppression can meet all principles together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// One recoding is known that meets all of them: all rows in one class, or the coarsest levels that the policy allows.
    Proved,
    /// Each of them is within reach or not known to be beyond it, but no recoding is known that meets all.
    NotProved,
    /// At least one is met by no recoding.
    BeyondReach,
}

/// How sure it is that a level can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// One class of all rows reaches it.
    OneClass,
    /// The classes of the coarsest levels that the policy allows reach it.
    CoarsestLevels,
    /// A partition reaches it, since the policy publishes a class column (Theorem 1 of the (epsilon, m) text).
    ClassColumn,
    /// No recoding does better; whether one does as well is not known.
    Bound,
}

/// What one principle of the policy can reach.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    pub best_is: Option<Proof>,
    /// Whether what is required is within the best.
    pub within_reach: bool,
    /// How sure it is that what is required is reachable; null where it is not within reach.
    pub required_is: Option<Proof>,
    /// What mostly stands in the way of more.
    pub stopped_by: Option<Obstacle>,
    /// Whether suppressing rows changes the level of the rows that remain, even in untouched classes.
    pub depends_on_released_rows: bool,
    /// For principles on generalized secrets: what generalizing them would reach.
    pub generalized_secret: Option<GeneralizedSecret>,
}

/// What generalizing every secret to the root reaches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GeneralizedSecret {
    /// The smallest tau at the required l.
    pub tau: f64,
    /// Whether what is required is reachable if secrets may be generalized.
    pub within_reach: bool,
    /// Whether that is certain: with unequal weights a mixture may do better, so that `within_reach = false` is not proved.
    pub is_exact: bool,
}

/// What stands in the way of a better level.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LargestL {
    /// Of distinct l-diversity.
    pub distinct: u64,
    /// Of frequency l-diversity.
    pub frequency: f64,
    /// Of entropy l-diversity.
    pub entropy: f64,
}

/// What c of recursive diversity must exceed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SmallestC {
    /// At this l.
    pub l: u64,
    /// This value itself is not reachable; null where no c would do.
    pub c_exceeds: Option<f64>,
}

/// The smallest tau at some l.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SmallestTau {
    /// At this l.
    pub l: f64,
    /// The weights of the base values: `occurring`, `domain` or `stated` (those of the policy).
    pub weights: String,
    /// With the secrets as they are.
    pub as_is: f64,
    /// With every secret generalized to the root of its hierarchy.
    pub all_generalized: f64,
    /// Whether no mixture of both does better (readings E-2 and E-3).
    pub is_exact: bool,
}

/// The best levels with some of the most frequent values on the don't-care list.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EpsilonUnit {
    /// The unit of the attribute.
    Absolute,
    /// Shares of the value.
    Relative,
}

/// What is reachable where near numbers count as the same secret.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NumericAdvice {
    /// How sure it is that all of it is reachable: class column or bound. `largest_e` and `largest_variance` are those of
    /// one class of all rows.
    pub is: Proof,
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
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LargestM {
    /// How near is near. Of (e1, e2, m)-anonymity the larger of the two, of (delta, l)-diversity twice delta.
    pub epsilon: f64,
    /// In this unit.
    pub unit: EpsilonUnit,
    /// The largest m.
    pub largest_m: u64,
}

/// What the policy requires of near numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RequiredEpsilon {
    /// How near is near, as for [`LargestM`].
    pub epsilon: f64,
    /// In this unit.
    pub unit: EpsilonUnit,
    /// The m, or the l of (delta, l)-diversity.
    pub m: f64,
}

/// What epsilon must stay below for an m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EpsilonLimit {
    /// The m.
    pub m: u64,
    /// The unit of epsilon.
    pub unit: EpsilonUnit,
    /// This value itself is not feasible; with 0 nothing is; null where everything is.
    pub epsilon_below: Option<f64>,
}

/// One point of a trade-off curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TradeOffPoint {
    /// The m.
    pub m: u64,
    /// This value itself is not feasible; with 0 nothing is; null where everything is.
    pub epsilon_below: Option<f64>,
}

impl Advice {
    /// Whether every principle is within reach, as far as is known.
    pub fn is_within_reach(&self) -> bool {
        self.verdict != Verdict::BeyondReach
    }

    /// What can be said of the policy as a whole, and what to do about it, a sentence each.
    pub fn conclusions(&self) -> Vec<String> {
        let mut sentences = vec![self.verdict_in_words()];
        if !self.limited.is_empty() {
            let names: Vec<String> = self.limited.iter().map(|name| words::label(name)).collect();
            sentences.push(format!(
                "max_level of {} keeps the table from becoming one class: what is said about the policy's principles and about k \
                 takes that into account, and the ranges of the attributes, which do not, are bounds.",
                words::list(&names)
            ));
        }
        sentences.extend(self.about_class_column());
        sentences.push(match (self.verdict, self.n_suppressible) {
            (Verdict::BeyondReach, 0) => {
                "No row is suppressed here, and the policy allows none to be: a suppression_limit above 0 may change that."
                    .to_owned()
            }
            (Verdict::BeyondReach, n) => format!(
                "No row is suppressed here. The policy allows {} to be, and that may change the answer: 'indistinct anonymize' \
                 finds out.",
                words::rows(n)
            ),
            _ => "No row is suppressed here; suppression may reach more.".to_owned(),
        });
        sentences
    }

    fn verdict_in_words(&self) -> String {
        match self.verdict {
            Verdict::Proved if self.limited.is_empty() => {
                "The policy can be met: one class of all rows satisfies every principle. How much less generalization will do is \
                 what 'indistinct anonymize' searches for."
            }
            Verdict::Proved => {
                "The policy can be met: the coarsest levels that it allows satisfy every principle. How much less generalization \
                 will do is what 'indistinct anonymize' searches for."
            }
            Verdict::NotProved => {
                "Nothing rules the policy out: every principle for itself is within its bounds. That one recoding meets all of \
                 them is not proved."
            }
            Verdict::BeyondReach => {
                "The policy cannot be met by any recoding without suppression: at least one principle is beyond what the table \
                 can reach."
            }
        }
        .to_owned()
    }

    /// Theorems 1 and 2 need a class column (reading F-1).
    fn about_class_column(&self) -> Option<String> {
        let is_about = self.attributes.iter().any(|attribute| attribute.numbers.is_some())
            || self.principles.iter().any(|principle| principle.is_numeric_bound());
        if !is_about {
            return None;
        }
        Some(match &self.class_column {
            None => {
                "What is said about near numbers is a bound: the partition that reaches it ignores the quasi-identifiers. With \
                 output.class_column the release publishes the classes, and the bound can be reached; without it classes \
                 with equal released values are one."
                    .to_owned()
            }
            Some(column) => format!(
                "What is said about near numbers is proved for classes of any rows, published in the class column '{}'. The \
                 method '{}' need not find them.",
                words::label(column),
                self.method
            ),
        })
    }
}

impl PrincipleAdvice {
    fn is_numeric_bound(&self) -> bool {
        matches!(self.stopped_by, Some(Obstacle::NearValues { .. }))
    }

    /// The advice as a claim, for the words that claims have.
    fn as_claim(&self) -> PrincipleClaim {
        PrincipleClaim {
            kind: self.kind.clone(),
            attribute: self.attribute.clone(),
            required: self.required.clone(),
            reached: self.best.clone(),
            holds: self.within_reach,
            n_failing_classes: 0,
            n_failing_rows: 0,
            worst_class_size: None,
        }
    }

    /// Required and best figures, as words. A best one is never rounded up to what is not reachable.
    pub fn quantities(&self) -> Vec<words::Quantity> {
        let mut quantities = words::quantities(&self.as_claim());
        for quantity in &mut quantities {
            let exceeds = format!("{}_exceeds", quantity.name);
            let mut best = self.best.iter().flatten();
            let found = best.find(|(name, _)| [&quantity.name, &exceeds].contains(name));
            let (Some((name, Some(Figure::Real(value)))), Some(text)) = (found, &quantity.reached)
            else {
                continue;
            };
            let is_smaller_better = SMALLER_IS_BETTER.contains(&name.as_str());
            let shown = text.trim_start_matches("any above ").replace(',', "").parse::<f64>();
            let is_safe =
                |shown: f64| if is_smaller_better { shown >= *value } else { shown <= *value };
            if !shown.is_ok_and(is_safe) {
                quantity.reached = Some(match (is_smaller_better, *name == exceeds) {
                    (true, true) => format!("any above {}", rounded_up(*value)),
                    (true, false) => rounded_up(*value),
                    (false, _) => rounded_down(*value),
                });
            }
        }
        quantities
    }

    /// The principle's name with its attribute.
    pub fn name(&self) -> String {
        words::principle_name(&self.kind, self.attribute.as_deref())
    }

    /// `k = 5`, `l = 3 and c = 2`.
    pub fn required_in_words(&self) -> String {
        stated(&self.quantities(), |quantity| quantity.required.as_ref())
    }

    /// `k = 300`, with what `c` must exceed.
    pub fn best_in_words(&self) -> String {
        match self.best {
            None => "nothing: there are no rows".to_owned(),
            Some(_) => stated(&self.quantities(), |quantity| quantity.reached.as_ref()),
        }
    }

    /// How sure what is required is, and what stands in the way of more, as one or more sentences.
    pub fn findings(&self) -> String {
        let required = self.required_in_words();
        let mut text = match self.required_is {
            Some(proof) => format!("Required is {required} ({}).", proof.in_words()),
            None if self.best.is_none() => format!("Required is {required}."),
            None => format!("Required is {required}, which is beyond reach."),
        };
        text += &format!(" The best is {}", self.best_in_words());
        text += &match (self.best_is, self.required_is) {
            (None, _) => ".".to_owned(),
            (best, required) if best == required => ".".to_owned(),
            (Some(proof), _) => format!(" ({}).", proof.in_words()),
        };
        if let Some(obstacle) = &self.stopped_by {
            text += &format!(" {}", obstacle.in_words(self.attribute.as_deref()));
        }
        if let Some(secret) = &self.generalized_secret {
            text += &format!(" {}", secret.in_words());
        }
        if self.depends_on_released_rows {
            text += " Suppressing rows changes what the others are compared with.";
        }
        text
    }
}

fn stated(
    quantities: &[words::Quantity],
    value: impl Fn(&words::Quantity) -> Option<&String>,
) -> String {
    let items: Vec<String> = quantities
        .iter()
        .filter_map(|quantity| {
            let value = value(quantity)?;
            Some(match value.starts_with("any ") || value.starts_with("no ") {
                true => format!("{}: {value}", quantity.name),
                false => format!("{} = {value}", quantity.name),
            })
        })
        .collect();
    words::list(&items)
}

impl Proof {
    /// The proof in a few words.
    pub fn in_words(self) -> &'static str {
        match self {
            Proof::OneClass => "proved: one class of all rows",
            Proof::CoarsestLevels => "proved: the coarsest levels that the policy allows",
            Proof::ClassColumn => "proved with a class column",
            Proof::Bound => "bound: no recoding does better, and none is known that does as well",
        }
    }

    /// The proof in one or two words.
    pub fn word(self) -> &'static str {
        match self {
            Proof::Bound => "bound",
            _ => "proved",
        }
    }
}

impl ValueShare {
    /// `the most frequent value` with the value where it is shown.
    fn named(&self) -> String {
        match &self.value {
            Some(value) => format!("the most frequent value ({})", words::label(value)),
            None => "the most frequent value".to_owned(),
        }
    }
}

impl Obstacle {
    fn in_words(&self, attribute: Option<&str>) -> String {
        let of = attribute.map_or(String::new(), |name| format!(" of {}", words::label(name)));
        match self {
            Obstacle::Rows { n_rows } => {
                format!("What stops it: there are {}.", words::rows(*n_rows))
            }
            Obstacle::MostFrequentValue(value) => format!(
                "What stops it: {} of the rows share {}{of}.",
                words::percent(value.share),
                value.named()
            ),
            Obstacle::NearValues { share, .. } => format!(
                "What stops it: {} of the rows have a value{of} that is near one value, on one side of it.",
                words::percent(*share)
            ),
            Obstacle::Population { n_people } => format!(
                "What stops it: the population has {}.",
                words::counted(*n_people, "person", "people")
            ),
        }
    }
}

impl GeneralizedSecret {
    fn in_words(&self) -> String {
        let verdict = match (self.within_reach, self.is_exact) {
            (true, _) => "what is required is within reach",
            (false, true) => "what is required stays beyond reach",
            (false, false) => {
                "what is required stays beyond reach, unless a mixture of generalized and original secrets does better: the \
                 weights are not equal"
            }
        };
        format!(
            "Were secrets generalized, too: tau = {} with all of them at the root, and {verdict}.",
            words::number(self.tau)
        )
    }
}

impl AttributeAdvice {
    /// The most frequent value in one sentence.
    pub fn most_frequent_in_words(&self) -> String {
        format!(
            "{}; {} of the rows share {}.",
            words::counted(self.n_distinct, "distinct value", "distinct values"),
            words::percent(self.most_frequent.share),
            self.most_frequent.named()
        )
    }

    /// The ranges of the parameters that are a single figure: name and text.
    pub fn ranges(&self) -> Vec<(&'static str, String)> {
        let LargestL { distinct, frequency, entropy } = self.largest_l;
        let mut ranges = vec![
            ("distinct-l-diversity", format!("l up to {}", words::thousands(distinct))),
            ("frequency-l-diversity", format!("l up to {}", rounded_down(frequency))),
            ("entropy-l-diversity", format!("l up to {}", rounded_down(entropy))),
            ("alpha-k-anonymity", format!("alpha from {}", rounded_up(self.most_frequent.share))),
            (
                "t-closeness",
                "t from 0: one class of all rows is distributed as they are".to_owned(),
            ),
        ];
        if let Some(numbers) = &self.numbers {
            let e = numbers
                .largest_e
                .map(|e| ("k-e-anonymity", format!("e up to {}", rounded_down(e))));
            let variance = numbers
                .largest_variance
                .map(|v| ("variance-control", format!("variance up to {}", rounded_down(v))));
            ranges.extend(e.into_iter().chain(variance));
        }
        ranges
    }
}

impl DontCare {
    /// `none`, `the most frequent`, `the 3 most frequent`; where it was asked for with the value that came last.
    pub fn in_words(&self) -> String {
        let list = match self.n_values {
            0 => return "none".to_owned(),
            1 => "the most frequent".to_owned(),
            n => format!("the {n} most frequent"),
        };
        match &self.value {
            Some(value) => format!("{list} (with {})", words::label(value)),
            None => list,
        }
    }
}

impl EpsilonUnit {
    /// The word in a policy.
    pub fn word(self) -> &'static str {
        match self {
            EpsilonUnit::Absolute => "absolute",
            EpsilonUnit::Relative => "relative",
        }
    }
}

/// What epsilon must stay below, in words.
pub fn epsilon_below(limit: Option<f64>) -> String {
    match limit {
        None => "any".to_owned(),
        Some(limit) if limit <= 0.0 => "none".to_owned(),
        Some(limit) => format!("below {}", rounded_down(limit)),
    }
}

/// What c must exceed, in words.
pub fn above(limit: Option<f64>) -> String {
    limit.map_or_else(|| "none would do".to_owned(), |limit| format!("above {}", rounded_up(limit)))
}

/// A number with four significant digits that is not above the value.
pub fn rounded_down(value: f64) -> String {
    rounded(value, |shown| shown <= value, -0.5)
}

/// A number with four significant digits that is not below the value.
pub fn rounded_up(value: f64) -> String {
    rounded(value, |shown| shown >= value, 0.5)
}

fn rounded(value: f64, is_safe: impl Fn(f64) -> bool, half_a_digit: f64) -> String {
    let text = words::number(value);
    let shown = text.replace(',', "").parse::<f64>();
    if value == 0.0 || shown.is_ok_and(is_safe) {
        return text;
    }
    let digit = 10f64.powf(value.abs().log10().floor().min(3.0) - 3.0);
    words::number(value + half_a_digit * digit)
}

/// The points of a trade-off curve worth a line in a table: few, the first and the last among them.
pub fn few_points(points: &[TradeOffPoint]) -> Vec<TradeOffPoint> {
    const WANTED: [u64; 15] = [1, 2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 200, 500, 1_000, 10_000];
    let feasible = |point: &&TradeOffPoint| point.epsilon_below != Some(0.0);
    let last = points.iter().rfind(feasible).map(|point| point.m);
    let mut kept: Vec<TradeOffPoint> = Vec::new();
    for wanted in WANTED {
        let nearest = points.iter().filter(feasible).find(|point| point.m >= wanted);
        kept.extend(nearest.filter(|point| kept.last().is_none_or(|last| last.m < point.m)));
    }
    kept.extend(
        points
            .iter()
            .filter(|point| {
                Some(point.m) == last && kept.last().is_none_or(|kept| kept.m < point.m)
            })
            .copied()
            .collect::<Vec<_>>(),
    );
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_rounded_to_the_safe_side() {
        assert_eq!([rounded_down(19.996), rounded_up(19.991)], ["19.99", "20"]);
        assert_eq!([rounded_down(20.0), rounded_up(20.0)], ["20", "20"]);
        assert_eq!([rounded_down(0.999_96), rounded_up(0.333_33)], ["0.9999", "0.3334"]);
        assert_eq!(
            [rounded_down(1_234_567.6), rounded_up(1_234_567.4)],
            ["1,234,567", "1,234,568"]
        );
        assert_eq!(rounded_down(0.0), "0");
    }

    #[test]
    fn a_limit_of_nothing_is_none_and_no_limit_is_any() {
        let texts = [None, Some(0.0), Some(20.0)].map(epsilon_below);
        assert_eq!(texts, ["any", "none", "below 20"]);
        assert_eq!([above(None), above(Some(9.0))], ["none would do", "above 9"]);
    }

    #[test]
    fn few_points_keep_both_ends_and_leave_out_what_is_not_feasible() {
        let point = |m: u64| TradeOffPoint {
            m,
            epsilon_below: Some(if m < 35 { 70.0 - m as f64 } else { 0.0 }),
        };
        let points: Vec<TradeOffPoint> = (1..40).map(point).collect();
        let kept: Vec<u64> = few_points(&points).iter().map(|point| point.m).collect();
        assert_eq!(kept, [1, 2, 3, 4, 5, 6, 8, 10, 20, 34]);
        assert!(few_points(&[point(50)]).is_empty());
    }
}
