//! The facts of a certificate in addition to its claims, as typed values with a basis. Facts
//! contain no prose.
//!
//! Other versions and other programs generate their own sentences from these facts. `derived`
//! creates the facts that follow from a policy, and `check` decides whether the facts of a
//! certificate are complete, allowed, and consistent with its policy. `docs/certificate.md`
//! specifies every fact.

mod check;
mod derived;

use std::collections::BTreeMap;

use indistinct_core::recoding::Center;
use indistinct_core::recoding::perturbation::Observation;
use indistinct_core::remaining::Measure;
use indistinct_core::{Figure, Optimality, PrincipleClaim, RowsOfPerson, SuppressionRule};
use indistinct_policy::{ReleaseContext, Unit};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

pub use check::differences;
pub use derived::{GeneralizedValues, of_policy, recoding, starred_rows};

/// A fact about a release. The JSON object has the name of the fact as `fact`, its fields, and its
/// [`Basis`] as `basis`.
#[derive(
    Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
#[schemars(transform = with_basis)]
#[serde(remote = "Self", tag = "fact", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fact {
    /// Each row of the original table describes one person, and no person has several rows.
    OneRowPerPerson {},
    /// A person or household may have several rows in the original table. The principles hold for
    /// rows and for these units.
    SeveralRowsPerPerson {
        /// The unit (person or household) that counts once, regardless of its number of rows.
        unit: Unit,
        /// Whether all rows of a unit are in one class.
        rows: RowsOfPerson,
        /// The smallest number of units in a class, if the policy requires a minimum.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        k: Option<u64>,
        /// The principles that hold for these units.
        principles: Vec<RequiredPrinciple>,
    },
    /// The quasi-identifiers: all attributes that an adversary may know about a person from other
    /// sources.
    QuasiIdentifiers {
        /// The attribute names.
        attributes: Vec<String>,
    },
    /// The background knowledge that the principles assume. The adversary knows nothing else about
    /// sensitive values.
    Adversary {
        /// The knowledge of the adversary.
        knows: Vec<Knowledge>,
        /// Other releases about the same people that the adversary may have.
        other_releases: OtherReleases,
    },
    /// The suppression rule and the suppression limit.
    Suppression {
        /// The treatment of suppressed rows.
        rule: SuppressionRule,
        /// The largest fraction of the original rows that may be suppressed, from 0 to 1.
        limit_fraction: f64,
    },
    /// The method and the optimality of the recoding.
    Recoding {
        /// The name of the method in the policy.
        method: String,
        /// The loss that the method minimizes, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        objective: Option<String>,
        /// The optimality of the recoding; absent if this information would disclose something
        /// about suppressed rows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        optimality: Option<Optimality>,
    },
    /// Full-domain recoding: except for suppressed rows (shown as `*`), all released rows have the
    /// same level of each hierarchy.
    GeneralizationLevels {
        /// The level of each quasi-identifier; 0 for original values.
        levels: BTreeMap<String, usize>,
    },
    /// Local recoding: released values may differ between classes. Each released value covers the
    /// original value of its row. Rows with equal original values may have different released
    /// values.
    LocalRecoding {},
    /// The classes are regions of the published hierarchies. They do not overlap and result from
    /// dividing the region with the highest labels in this order. The released labels are those of
    /// the regions.
    Regions {
        /// All quasi-identifiers, in the order in which they divide a region. The order is repeated
        /// until no quasi-identifier divides the region.
        order: Vec<String>,
    },
    /// Noise from a committed key influenced which regions were divided. A region was divided only
    /// if each of its parts with n > 0 rows satisfied min(n, n + X) >= k, where k is the minimum
    /// class size and the probability of X = x is proportional to exp(-|x|). If one of the lower
    /// labels may have had no rows, one of five divisions was refused at random. After three
    /// examinations that did not divide a label, the label was not examined again.
    NoisyDivisions {
        /// The SHA-256 digest of the key of the noise, which the data holder keeps.
        key_sha256: String,
    },
    /// Suppressed cells of each quasi-identifier.
    SuppressedCells {
        /// The number of rows with `*`, by attribute; 0 if all rows have `*`, because such an
        /// attribute is generalized.
        n_rows: BTreeMap<String, u64>,
    },
    /// Classes with overlapping released values. A person may match more than one such class.
    OverlappingClasses {
        /// The number of pairs of overlapping classes.
        n_pairs: u64,
    },
    /// Unique rows: rows whose combination of values occurs in no other released row. An adversary
    /// who knows a person's combination of values can find the person's row regardless of its
    /// class.
    UniqueRows {
        /// The number of rows that are unique in all attributes; for two tables, in those of the
        /// first one. Absent if the rows are in a database and the release has insensitive
        /// attributes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        n_unique: Option<u64>,
        /// The number of rows that are unique in the sensitive attributes. Absent if the release
        /// has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        n_unique_in_sensitive: Option<u64>,
        /// The number of rows that are unique in the insensitive attributes. Absent if the release
        /// has none, or if the rows are in a database.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        n_unique_in_insensitive: Option<u64>,
        /// The number of rows that are unique in a single attribute, for each attribute whose
        /// unique values the data holder accepts.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        n_unique_in_attribute: BTreeMap<String, u64>,
    },
    /// The released rows are in a database table, and have this digest as a multiset.
    TableRows {
        /// The digest of the rows, without the unchecked attributes.
        sha256: String,
        /// The insensitive attributes that the digest does not cover, because the rows were not
        /// read after they had been written. `verify` does not check their values.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unchecked_attributes: Vec<String>,
    },
    /// The belief about a generalized sensitive value that the adversary is assumed to have.
    AdversaryBelief {
        /// The distribution over the values that the generalized value covers.
        within_generalized_values: Belief,
    },
    /// Generalized sensitive values.
    GeneralizedSensitiveValues {
        /// The sensitive attribute.
        attribute: String,
        /// The number of released rows with a generalized value.
        n_rows: u64,
        /// The number of released rows.
        n_released: u64,
        /// The mean of 1 - 1/n over all released rows, where n is the number of base values that
        /// the released value covers.
        loss_fraction: f64,
    },
    /// The fraction of the information in the original quasi-identifiers and sensitive values of
    /// the released rows that the release retains. Suppressed rows have no influence.
    RetainedInformation {
        /// The retained fraction, from 0 to 1: the utility of (tau, l)-diversity, Definition 5, for
        /// the released rows.
        fraction: f64,
    },
    /// The assignment of sensitive values to rows within each class was drawn uniformly at random.
    RandomAssignment {},
    /// A claim about presence in a population table that is not part of the release.
    Presence {
        /// The principle, its requirements, and the level reached.
        claim: PrincipleClaim,
    },
    /// Numbers that were replaced by the center of their class.
    Aggregation {
        /// The attributes.
        attributes: Vec<String>,
        /// The type of center.
        center: Center,
    },
    /// Quasi-identifiers with noise. The release does not claim to satisfy any principle.
    Noise {
        /// The operation applied to each attribute.
        attributes: BTreeMap<String, AttributeNoise>,
    },
    /// Sensitive values that were retained with a fixed probability and otherwise replaced with
    /// random values.
    Perturbation {
        /// The sensitive attribute.
        attribute: String,
        /// The parameters and risks.
        noise: Noise,
    },
    /// Counterfeit rows, which do not describe a person.
    Counterfeits {
        /// The number of counterfeits.
        n_rows: u64,
        /// The number of counterfeit rows in each class with counterfeit rows, by released class
        /// number.
        n_rows_by_class: BTreeMap<String, u64>,
    },
    /// The release is a version of a growing table. Each person of an earlier version is in a class
    /// with the same set of sensitive values as before.
    TableVersion {
        /// The number of the version, counting from 1.
        version: u64,
    },
    /// The release follows a plan that was created before the data of the release were collected.
    Plan {
        /// SHA-256 digest of the plan.
        sha256: String,
        /// SHA-256 digest of the distribution for which the plan was created.
        distribution_sha256: String,
        /// The sensitive attribute.
        attribute: String,
        /// The number of sensitive values that remain for each person after joining releases that
        /// follow the plan.
        l: u64,
        /// The probability that a release does not contain all designated values, or that their
        /// numbers of rows do not guarantee `k` or `entropy_l`.
        delta: f64,
        /// The value of `delta` as an exact fraction.
        delta_exact: String,
        /// The number of records that each class has after joining releases that follow the plan.
        /// Absent if the plan does not guarantee it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        k: Option<u64>,
        /// The l of the entropy l-diversity that each class has after joining releases that follow
        /// the plan. Absent if the plan does not guarantee it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entropy_l: Option<f64>,
        /// The failure probability for one person who is known to be in the release.
        delta_of_one_person: f64,
        /// A lower bound on the probability of each designated value in its class.
        p: f64,
        /// The value of `p` as an exact fraction.
        p_exact: String,
        /// The minimum number of rows that the plan requires in a release.
        n_rows_needed: u64,
        /// The bound from which `n_rows_needed` was computed.
        n_rows_basis: String,
        /// The number of classes.
        n_classes: u64,
        /// A lower bound on the probability, over the counted rows, that `p` and `delta` hold for
        /// the true distribution. Absent if the plan was created for a known distribution, covers
        /// only counted combinations, or assumes independence.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<f64>,
    },
    /// The designated sensitive values of the classes of a plan.
    DesignatedValues {
        /// The total number of designated values in all classes.
        n_designated: u64,
        /// The number of designated values that do not occur in the class for which they
        /// are designated, or less often than the plan requires for its k.
        n_missing: u64,
        /// The number of sensitive values of classes whose number of rows differs from the expected
        /// number by more than the plan permits for its entropy. Absent if the plan guarantees no
        /// entropy.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        n_unbalanced: Option<u64>,
    },
    /// The sensitive values that remain after linkage with the earlier releases in the data
    /// holder's ledger. For a person with fewer remaining values before, the number does not
    /// decrease.
    RemainingAfterLinkage {
        /// The smallest number of sensitive values that remain for any person.
        l: f64,
        /// The measure that is used to count the remaining values.
        measure: Measure,
    },
    /// Insensitive attributes, which are published unchanged.
    UnchangedAttributes {
        /// The attribute names.
        attributes: Vec<String>,
    },
    /// Sensitive and insensitive attributes whose numbers were coarsened when the table was read.
    CoarsenedAttributes {
        /// How each attribute is coarsened.
        attributes: BTreeMap<String, CoarsenedAttribute>,
    },
    /// Published attributes whose values resemble direct identifiers.
    AcceptedIdentifiers {
        /// The data holder's reason for each attribute.
        reasons: BTreeMap<String, String>,
    },
    /// Published attributes with many values that occur in only one row.
    AcceptedUniqueValues {
        /// The data holder's reason for each attribute.
        reasons: BTreeMap<String, String>,
    },
    /// Direct identifiers of the original table, which are not in the release.
    RemovedIdentifiers {
        /// The attribute names.
        attributes: Vec<String>,
    },
    /// An apostrophe that is not part of the value precedes each column name and cell that a
    /// spreadsheet would evaluate.
    EscapedCells {},
    /// The context of the release.
    ReleaseContext {
        /// The context that the policy states.
        context: ReleaseContext,
    },
}

/// The basis of a fact.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Basis {
    /// The fact follows from the released files; `verify` recomputes the fact.
    Recomputed,
    /// The data holder attests the fact, because the released files cannot always confirm the fact.
    Attested,
    /// The fact follows from the definition of the principles.
    Definition,
}

/// A principle of the policy with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequiredPrinciple {
    /// The kind of the principle, such as `k-anonymity`.
    pub kind: String,
    /// The sensitive attribute of the principle, if any.
    pub attribute: Option<String>,
    /// The parameters of the principle.
    pub required: BTreeMap<String, Figure>,
}

/// An item of background knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Knowledge {
    /// The quasi-identifiers of a person.
    QuasiIdentifiers,
    /// The presence of the person in the table.
    Membership,
    /// The policy.
    Policy,
    /// The method.
    Method,
}

/// The other releases about the same people that an adversary may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OtherReleases {
    /// No other releases.
    None,
    /// Any number of releases that follow the same plan.
    BySamePlan,
}

/// A distribution over the values that a generalized value covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Belief {
    /// All values are equally likely.
    Uniform,
}

/// The noise operation applied to an attribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttributeNoise {
    /// The name of the operation in the policy.
    pub operation: String,
    /// The parameter of the operation.
    pub parameter: f64,
}

/// The coarsening of an attribute's numbers. At least one field is present, and at most one of the
/// first four fields.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoarsenedAttribute {
    /// The unit to which numbers are rounded, with half units rounded up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<f64>,
    /// The width of intervals that start at multiples of the width.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intervals: Option<f64>,
    /// The boundaries of intervals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boundaries: Option<Vec<f64>>,
    /// The number of intervals. Each interval contains about the same number of original rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantiles: Option<u64>,
    /// The lower limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bottom: Option<f64>,
    /// The upper limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<f64>,
}

impl Fact {
    /// Returns the name of the fact in JSON.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// Returns the basis of the fact, which is the weakest basis of its parts.
    pub fn basis(&self) -> Basis {
        Basis::of_name(self.name())
    }

    /// Returns whether two facts are equal, ignoring differences caused by rounding numbers
    /// in text.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let value = |fact: &Self| serde_json::to_value(fact).expect("every fact can be serialized");
        same_value(&value(self), &value(other))
    }
}

impl Basis {
    /// Returns the basis of a fact, given its name.
    fn of_name(fact: &str) -> Self {
        match fact {
            "suppressed-cells"
            | "unique-rows"
            | "table-rows"
            | "regions"
            | "generalized-sensitive-values"
            | "plan"
            | "designated-values" => Self::Recomputed,
            "adversary" | "adversary-belief" => Self::Definition,
            _ => Self::Attested,
        }
    }

    /// Returns the name of the basis in JSON.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl Serialize for Fact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct WithBasis<'a> {
            #[serde(flatten, serialize_with = "Fact::serialize")]
            fact: &'a Fact,
            basis: Basis,
        }
        Serialize::serialize(&WithBasis { fact: self, basis: self.basis() }, serializer)
    }
}

/// Deserialization is strict because a fact has exactly one JSON form. At any depth, an unknown
/// field, a `null` field, or a different basis is an error.
impl<'de> Deserialize<'de> for Fact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Map::deserialize(deserializer)?;
        let mut fields = read.clone();
        fields.remove("basis");
        let fact = Fact::deserialize(Value::Object(fields)).map_err(serde::de::Error::custom)?;
        let written = serde_json::to_value(&fact).map_err(serde::de::Error::custom)?;
        match same_value(&Value::Object(read), &written) {
            true => Ok(fact),
            false => Err(serde::de::Error::custom("non-canonical fact")),
        }
    }
}

fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (a.as_f64(), b.as_f64()) {
            (Some(x), Some(y)) => a == b || crate::check::same_number(x, y),
            _ => a == b,
        },
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(key, a): (&String, &Value)| b.get(key).is_some_and(|b| same_value(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        (a, b) => a == b,
    }
}

/// Adds the basis of the fact to each variant of the schema.
fn with_basis(schema: &mut schemars::Schema) {
    let variants = schema.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten();
    for variant in variants {
        let name = variant["properties"]["fact"]["const"].as_str().map(str::to_owned);
        let basis = Basis::of_name(&name.expect("every variant has a name")).name();
        variant["properties"]["basis"] = serde_json::json!({ "type": "string", "const": basis });
        if let Some(required) = variant["required"].as_array_mut() {
            required.push("basis".into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Fact> {
        serde_json::from_str(text).ok()
    }

    #[test]
    fn fact_has_single_json_form() {
        let text =
            r#"{"fact":"suppression","rule":"dropped","limit_fraction":0.1,"basis":"attested"}"#;
        let fact = read(text).expect("a fact");
        assert_eq!(fact, Fact::Suppression { rule: SuppressionRule::Dropped, limit_fraction: 0.1 });
        assert_eq!(serde_json::to_string(&fact).expect("JSON"), text);
        for (from, to) in [
            (r#""basis":"attested""#, r#""basis":"recomputed""#),
            (r#","basis":"attested""#, ""),
            ("suppression", "differential-privacy"),
            ("dropped", "erased"),
            (r#""limit_fraction":0.1,"#, ""),
            (r#""rule""#, r#""epsilon":1,"rule""#),
        ] {
            assert_eq!(read(&text.replacen(from, to, 1)), None, "{to}");
        }
        let nested = r#"{"fact":"recoding","method":"m","optimality":{"status":"proved"},"basis":"attested"}"#;
        assert!(read(nested).is_some());
        assert_eq!(read(&nested.replace(r#""proved""#, r#""proved","by":"verify""#)), None);
        assert_eq!(read(&nested.replace(r#""m","#, r#""m","objective":null,"#)), None);
        assert!(read(r#"{"fact":"local-recoding","basis":"attested"}"#).is_some());
        assert_eq!(read(r#"{"fact":"local-recoding","by":1,"basis":"attested"}"#), None);
    }
}

/// The perturbation of sensitive values, as attested by the data holder. Risks are rounded up to
/// millionths, because exact values would disclose the number of rows with similar values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Noise {
    /// The probability that a row retains its sensitive value, which is a multiple of one
    /// millionth.
    pub p: f64,
    /// The number of values from which noise was drawn.
    pub n_domain_values: u64,
    /// The observation by the adversary that was assumed when p was bounded.
    pub given: Observation,
    /// The highest risk of any row if the adversary learns that the released sensitive value is
    /// near the true value; at most 1/m.
    pub risk: f64,
    /// The highest risk of any row if the adversary learns the released sensitive value.
    pub risk_given_value: f64,
    /// The principles for which p was bounded.
    pub principles: Vec<BoundedFor>,
}

/// A principle of the policy, with its required parameters and risks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BoundedFor {
    /// The kind of the principle.
    pub kind: String,
    /// The sensitive attribute of the principle.
    pub attribute: Option<String>,
    /// The parameters of the principle.
    pub required: BTreeMap<String, Figure>,
    /// The risk defined in [`Noise::risk`], for the neighborhood of this principle. It is at most
    /// 1/m.
    pub risk: f64,
    /// The risk defined in [`Noise::risk_given_value`], for the neighborhood of this principle.
    pub risk_given_value: f64,
}
