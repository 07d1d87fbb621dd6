//! # functional (tau, l)-diversity
//!
//! **Definition.** A generalized sensitive value induces each base value below it with a frequency
//! in proportion to the weight of the base value. Let F(k) be the sum of the k largest induced
//! frequencies of a class. The class is (tau, l)-diverse iff F(k) <= psi(k) for all k.
//! **Formula.** psi(k) = tau + (1 - tau) g((k - 1) / (l - 1)) for k < l, and 1 for k >= l, with g
//! as in [`Growth`]. Decided in integers (reading E-6).
//! **Parameters.** `attribute`: sensitive; its hierarchy is the taxonomy, and without a hierarchy
//! no value is generalized. `tau`: number above 0, at most 1. `l`: number, at least 1. `weights`:
//! `occurring` (default: 1 for base values that occur in the table, otherwise 0), `domain` (1 for
//! all base values), or a table of base values and weights (0 for values that are not listed).
//! `psi`: `linear` (default), `convex`, or `concave`. The last two require an integer l of at most
//! 1,000,000 to keep the computation exact.
//! **Level.** `tau`: the smallest tau for which the class satisfies the principle with this l;
//! smaller is safer. `slack`: the minimum over k < l of psi(k) - F(k); larger is safer; undefined
//! for l = 1. Each level of a release is the worst level of any class.
//! **Monotone.** Merging preserves the principle for every psi, because F is convex in the
//! frequencies (test `merging_keeps`). Suppressing whole classes preserves the principle for the
//! remaining classes.
//! **Complexity.** O(m log m) for m base values, O(values * m) if sensitive values are generalized.
//! **Errors.** `Missing`, `OutOfRange`, `NotInTaxonomy`, `WeightOfNothing`, `NoWeight`.
//! **Does not protect against.** An adversary who knows the rule by which sensitive values were
//! generalized (reading E-13: within a generalized value, the true value is assumed to be
//! distributed according to the weights). Similar values. Linkage of releases. Inference of finer
//! values from the choice of classes and labels (attack `refinement`).
//! **Source.** Definitions 2 to 4 of the (tau, l)-diversity paper. Deviations: psi = 1 for l = 1,
//! and tau = 1 requires nothing (E-5); exact (E-6); a value whose base values all have weight 0 is
//! an error (E-4); depth as in the tree (F-3).

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::Zero;
use rustc_hash::FxHashMap;

use super::induced::{Growth, InducedValues, Limit, limits_of_psi};
use super::*;

const PARAMETERS: [ParameterSpec; 4] = parameters! {
    /// maximum share of a base value in a class
    "tau" => Number(NumberRange::AboveUpTo(0, 1)), Required;
    /// the limit for the total share of the k most frequent base values grows from tau at k = 1 to
    /// 1 at k = l
    "l" => Number(NumberRange::AtLeast(1)), Required;
    /// probabilities of the base values of a generalized value: equal for base values in the table,
    /// equal for all base values, or proportional to given weights
    "weights" => Weights { one_of: &["occurring", "domain"] }, Default("occurring");
    /// growth of the limit from tau to 1, with x = (k - 1) / (l - 1): x (linear), the square of x
    /// (convex, stricter in between), or x (2 - x) (concave, weaker in between); convex and concave
    /// require an integer l
    "psi" => Word { one_of: Growth::NAMES }, Default("linear");
};

/// The parameter `weights`.
const WEIGHTS: ParameterSpec = PARAMETERS[2];
/// The parameter `psi`.
const PSI: ParameterSpec = PARAMETERS[3];

pub(super) static KIND: Kind = Kind {
    name: "tau-l-diversity",
    definition: "In every class, the share of the most frequent base value is at most tau, and the \
                 total share of the k most frequent base values is at most psi(k), which grows \
                 from tau at k = 1 to 1 at k = l (linearly by default).",
    promise: &[
        Phrase {
            when: &[Condition::AtMost("l", 1)],
            text: "With l = 1, the shares of base values are not limited; a generalized sensitive \
                   value represents ",
        },
        Phrase {
            when: &[Condition::Above("l", 1)],
            text: "In every class, the share of the most frequent base value is at most {tau:%}, \
                   and the limit for the total share of the k most frequent base values grows ",
        },
        Phrase {
            when: &[Condition::Above("l", 1), Condition::Word("psi", "linear")],
            text: "linearly to 100% at k = {l}; a generalized sensitive value represents ",
        },
        Phrase {
            when: &[Condition::Above("l", 1), Condition::Word("psi", "convex")],
            text: "with the square of k - 1 to 100% at k = {l}; a generalized sensitive value \
                   represents ",
        },
        Phrase {
            when: &[Condition::Above("l", 1), Condition::Word("psi", "concave")],
            text: "to 100% at k = {l} as the square of {l} - k decreases to 0; a generalized \
                   sensitive value represents ",
        },
        Phrase {
            when: &[Condition::Word("weights", "occurring")],
            text: "each base value below it that occurs in the table, with equal probabilities.",
        },
        Phrase {
            when: &[Condition::Word("weights", "domain")],
            text: "each base value below it, with equal probabilities.",
        },
        Phrase {
            when: &[Condition::Table("weights")],
            text: "each base value below it, with probabilities proportional to the weights in the \
                   policy.",
        },
    ],
    of_people: OfPeople::Nothing(
        "counts of people for each value do not determine how many people have a value below a \
         node",
    ),
    parameters: &PARAMETERS,
    check_together,
    level: "tau, the smallest value for which all classes satisfy the principle with the given l, \
            and slack, the smallest margin between a share and its limit",
    safer_below: &["tau"],
    merging: Merging::Keeps,
    status: Status::Experimental {
        reason: "The paper does not fully specify the definition (readings E-1 to E-13), and no \
                 other implementation is available for comparison.",
    },
    does_not_protect_against: "adversaries who know the rule by which sensitive values were \
        generalized, disclosure by values with similar meanings, inference of finer values from \
        the choice of classes and labels, or linkage of several releases",
    source: "Definitions 2 to 4 of the (tau, l)-diversity paper",
    readings: &["E-4", "E-5", "E-6", "E-13", "F-3"],
    ..Kind::base(build)
};

/// The parameters of a (tau, l)-diversity requirement.
#[derive(Debug, Clone, PartialEq)]
pub struct RequiredShares {
    /// The largest allowed share of a base value.
    pub tau: Rational,
    /// The number of base values whose shares may add up to 1.
    pub l: Rational,
    /// The probabilities of the base values of a generalized value.
    pub weights: Weights,
    /// The function by which the limit grows from tau to 1.
    pub growth: Growth,
}

/// The weights of base values.
#[derive(Debug, Clone, PartialEq)]
pub enum Weights {
    /// The weight is 1 for base values that occur in the table, and 0 for all other base values.
    Occurring,
    /// The weight is 1 for all base values.
    Domain,
    /// The weights stated in the policy.
    Stated(BTreeMap<String, Rational>),
}

impl Weights {
    /// Returns the weights that a word in a policy denotes.
    pub fn named(word: &str) -> Option<Self> {
        [Weights::Occurring, Weights::Domain].into_iter().find(|it| it.name() == word)
    }

    /// Returns the word for these weights in a policy, or `stated` if the policy states the
    /// weights.
    pub fn name(&self) -> &'static str {
        match self {
            Weights::Occurring => "occurring",
            Weights::Domain => "domain",
            Weights::Stated(_) => "stated",
        }
    }
}

impl RequiredShares {
    /// Returns the kind and parameters that express this requirement in a policy.
    pub fn required(&self) -> (&'static Kind, Parameters) {
        (&KIND, self.parameters())
    }

    /// Returns the parameters that express this requirement in a policy.
    pub fn parameters(&self) -> Parameters {
        let weights = match &self.weights {
            Weights::Stated(weights) => {
                let weights = weights.iter();
                let number = |(value, of): (&String, &Rational)| {
                    (value.clone(), ParameterValue::Number(*of))
                };
                ParameterValue::Table(weights.map(number).collect())
            }
            named => ParameterValue::Text(named.name().to_owned()),
        };
        let named = [
            ("tau", ParameterValue::Number(self.tau)),
            ("l", ParameterValue::Number(self.l)),
            (WEIGHTS.name, weights),
            (PSI.name, ParameterValue::Text(self.growth.name().to_owned())),
        ];
        Parameters(named.map(|(name, value)| (name.to_owned(), value)).into())
    }
}

fn growth(parameters: &Parameters) -> Growth {
    Growth::named(parameters.word(&PSI)).unwrap_or_default()
}

/// The maximum l for a nonlinear psi. For larger values of l, the squares of fractions would
/// overflow.
const LARGEST_L: i64 = 1_000_000;

fn check_together(parameters: &Parameters) -> Vec<ParameterError> {
    let l = parameters.number("l");
    let is_short = l.is_integer() && l <= Rational::from_integer(i128::from(LARGEST_L));
    if growth(parameters) == Growth::Linear || is_short {
        return Vec::new();
    }
    vec![ParameterError::OutOfRange {
        name: "l",
        got: to_f64(&l).to_string(),
        want: format!("an integer of at most {LARGEST_L} if psi is not linear"),
    }]
}

/// Returns the parameters of a (tau, l)-diversity requirement, or `None` for any other kind.
pub fn required_shares(kind: &Kind, parameters: &Parameters) -> Option<RequiredShares> {
    std::ptr::eq(kind, &KIND).then(|| {
        let weight = |value: &ParameterValue| match value {
            ParameterValue::Number(weight) => *weight,
            _ => Rational::zero(),
        };
        let weights = match parameters.table(WEIGHTS.name) {
            Some(stated) => {
                let stated = stated.0.iter();
                Weights::Stated(stated.map(|(value, of)| (value.clone(), weight(of))).collect())
            }
            None if parameters.word(&WEIGHTS) == "domain" => Weights::Domain,
            None => Weights::Occurring,
        };
        RequiredShares {
            tau: parameters.number("tau"),
            l: parameters.number("l"),
            weights,
            growth: growth(parameters),
        }
    })
}

/// Creates a taxonomy with a root above all values that occur or have a weight, for attributes
/// without a declared taxonomy. In a release, some values may be generalized to the root, and
/// others may be missing.
fn flat(column: &CountedColumn, parameters: &Parameters) -> Taxonomy {
    let stated = parameters.table(WEIGHTS.name).unwrap_or_default();
    let occurring = column.dictionary.values().iter();
    let leaves: BTreeSet<&String> = occurring.chain(stated.0.keys()).collect();
    Taxonomy::flat(leaves.into_iter().map(String::as_str).filter(|value| *value != crate::STAR))
}

#[derive(Debug)]
struct TauLDiversity {
    attribute: usize,
    l: Rational,
    growth: Growth,
    induced: InducedValues,
    taxonomy: Taxonomy,
    smallest_size: u64,
    short: Option<Vec<Limit<i128>>>,
    long: Vec<Limit<BigInt>>,
    bounds: [Bound; 2],
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let column = context.column();
    let attribute = || column.name.clone();
    let taxonomy = context.taxonomy.cloned().unwrap_or_else(|| flat(column, parameters));
    let weights = weights(context, &taxonomy, parameters)?;
    let induced = InducedValues::new(&column.dictionary, &taxonomy, &weights).map_err(|codes| {
        let (n_rows, values) = context.rows_with(&codes);
        DataError::NotInTaxonomy { attribute: attribute(), n_rows, values }
    })?;
    let without = induced.without_weight();
    let (n_rows, values) = context.rows_with(&without);
    if n_rows > 0 {
        return Err(DataError::NoWeight { attribute: attribute(), n_rows, values });
    }
    let (tau, l) = (parameters.number("tau"), parameters.number("l"));
    // The condition k < l means k = 1, ..., ceil(l) - 1.
    let below_l = (rows_at_least(&l) - 1).min(weights.len() as u64) as usize;
    let growth = growth(parameters);
    let limits = limits_of_psi(&tau, &l, growth, below_l);
    let is_generalized = induced.leaves.iter().any(|below| below.len() > 1);
    let needed = rows_at_least(&tau.recip());
    let zero = Rational::from_integer(0);
    Ok(Box::new(TauLDiversity {
        attribute: context.attribute(),
        l,
        growth,
        smallest_size: if is_generalized || below_l == 0 { 1 } else { needed },
        short: induced.short.as_ref().and_then(|_| limits.iter().map(Limit::short).collect()),
        long: limits,
        taxonomy,
        induced,
        bounds: [
            Bound { name: "tau", relation: Relation::AtMost, threshold: tau },
            Bound { name: "slack", relation: Relation::AtLeast, threshold: zero },
        ],
    }))
}

fn weights(
    context: &Context<'_>,
    taxonomy: &Taxonomy,
    parameters: &Parameters,
) -> Result<Vec<Rational>, DataError> {
    let column = context.column();
    let (zero, one) = (Rational::from_integer(0), Rational::from_integer(1));
    if let Some(Parameters(stated)) = parameters.table("weights") {
        let leaves: Vec<&str> = taxonomy.leaf_labels().collect();
        let strangers: Vec<String> =
            stated.keys().filter(|label| !leaves.contains(&label.as_str())).cloned().collect();
        if !strangers.is_empty() {
            let attribute = column.name.clone();
            return Err(DataError::WeightOfNothing { attribute, values: strangers });
        }
        let weight = |label: &&str| match stated.get(*label) {
            Some(ParameterValue::Number(weight)) => *weight,
            _ => zero,
        };
        return Ok(leaves.iter().map(weight).collect());
    }
    if parameters.word(&WEIGHTS) == "domain" {
        return Ok(vec![one; taxonomy.n_leaves()]);
    }
    let occurring: FxHashMap<&str, u64> = column
        .dictionary
        .values()
        .iter()
        .map(String::as_str)
        .zip(context.table.marginal(column))
        .collect();
    let occurs = |label: &str| occurring.get(label).is_some_and(|&rows| rows > 0);
    Ok(taxonomy.leaf_labels().map(|label| if occurs(label) { one } else { zero }).collect())
}

impl TauLDiversity {
    /// Returns the requirement with an explicit weight for each base value.
    fn required(&self) -> RequiredShares {
        let labels = self.taxonomy.leaf_labels().map(str::to_owned);
        let weights = Weights::Stated(labels.zip(self.induced.weights.iter().copied()).collect());
        let tau = self.bounds[0].threshold;
        RequiredShares { tau, l: self.l, weights, growth: self.growth }
    }
}

impl Principle for TauLDiversity {
    fn limits(&self, _code: u32) -> bool {
        true
    }

    fn of_class(&self, class: &ClassView<'_>) -> Level {
        let entries = histogram(class, self.attribute).entries;
        let (leaves, n) = (&self.induced.leaves, class.size);
        let (worst, tau, slack) = match (&self.induced.short, &self.short) {
            (Some(shares), Some(limits)) => shares.judge(leaves, entries, n, limits),
            _ => self.induced.long.judge(leaves, entries, n, &self.long),
        };
        // If F equals psi, a rounding error must not cause tau to exceed its threshold.
        let tau = if worst.is_gt() { tau } else { tau.min(to_f64(&self.bounds[0].threshold)) };
        let tau = Quantity::Real { value: tau, versus_required: worst };
        let slack = match self.long.is_empty() {
            true => Quantity::Undefined,
            false => Quantity::Real { value: slack, versus_required: worst.reverse() },
        };
        Level::Two(tau, slack)
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn shares(&self) -> Option<RequiredShares> {
        Some(self.required())
    }

    fn at_l(&self) -> Option<Rational> {
        Some(self.l)
    }

    fn smallest_size(&self) -> u64 {
        self.smallest_size
    }

    fn taxonomy(&self) -> Option<&Taxonomy> {
        Some(&self.taxonomy)
    }

    /// Returns the parameters with explicit weights, because the weights may be derived from the
    /// occurring values.
    fn effective_parameters(&self, _stated: &Parameters) -> Parameters {
        self.required().parameters()
    }
}
