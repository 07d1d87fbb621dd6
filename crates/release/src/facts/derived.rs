//! Facts that follow from a policy, and facts that require separate computations.

use std::collections::BTreeMap;

use indistinct_core::model::{self, CountedColumn, Taxonomy};
use indistinct_core::principle::required_size;
use indistinct_core::{Optimality, Rational, Role, STAR, SuppressionRule, figures_of};
use indistinct_policy::{AttributeSpec, Form, PolicyFile, PrincipleSpec, QuasiIdentifiers};
use serde::{Deserialize, Serialize};

use super::{
    AttributeNoise, CoarsenedAttribute, Fact, Knowledge, OtherReleases, RequiredPrinciple,
};

/// Returns the facts that a policy requires of every release, in order.
pub fn of_policy(policy: &PolicyFile) -> Vec<Fact> {
    let recoding = &policy.recoding;
    let attributes = |role| {
        let names = policy.names(role);
        (!names.is_empty()).then_some(names)
    };
    let reasons = |of: fn(&AttributeSpec) -> &Option<String>| -> Option<BTreeMap<String, String>> {
        let given = policy.attributes.iter();
        let given: BTreeMap<String, String> =
            given.filter_map(|it| Some((it.name.clone(), of(it).clone()?))).collect();
        (!given.is_empty()).then_some(given)
    };
    let mut facts = vec![
        people(policy),
        Fact::QuasiIdentifiers { attributes: policy.names(Role::QuasiIdentifier) },
        adversary(policy),
        Fact::Suppression {
            rule: recoding.suppression,
            limit_fraction: model::to_f64(&recoding.suppression_limit),
        },
    ];
    facts.extend(policy.linkage.minimum.as_ref().map(|minimum| Fact::RemainingAfterLinkage {
        l: model::to_f64(&minimum.l),
        measure: minimum.measure,
    }));
    facts.extend((recoding.method.form == Form::Centers).then(|| Fact::Aggregation {
        attributes: recoding.aggregate.clone(),
        center: recoding.center,
    }));
    facts.extend(noise(policy));
    let unchanged = policy.attributes_of(Role::Insensitive).filter(|it| it.coarsen.is_none());
    let unchanged: Vec<String> = unchanged.map(|it| it.name.clone()).collect();
    facts.extend(
        (!unchanged.is_empty()).then_some(Fact::UnchangedAttributes { attributes: unchanged }),
    );
    facts.extend(coarsened(policy));
    facts.extend(
        reasons(|it| &it.looks_like_identifier_reason)
            .map(|reasons| Fact::AcceptedIdentifiers { reasons }),
    );
    facts.extend(
        reasons(|it| &it.unique_values_reason)
            .map(|reasons| Fact::AcceptedUniqueValues { reasons }),
    );
    facts.extend(
        attributes(Role::Identifier).map(|attributes| Fact::RemovedIdentifiers { attributes }),
    );
    facts.extend(policy.output.spreadsheet_safe.then_some(Fact::EscapedCells {}));
    let has_context = policy.release.entries().next().is_some();
    facts.extend(has_context.then(|| Fact::ReleaseContext { context: policy.release.clone() }));
    facts
}

/// Describes the attributes that are coarsened.
fn coarsened(policy: &PolicyFile) -> Option<Fact> {
    let of_attribute = |it: &AttributeSpec| {
        let keys = it.coarsen.as_ref()?;
        let number = |number: &Option<Rational>| number.as_ref().map(model::to_f64);
        let coarsened = CoarsenedAttribute {
            round: number(&keys.round),
            intervals: number(&keys.intervals),
            boundaries: keys.boundaries.as_ref().map(|it| it.iter().map(model::to_f64).collect()),
            quantiles: keys.quantiles,
            bottom: number(&keys.bottom),
            top: number(&keys.top),
        };
        Some((it.name.clone(), coarsened))
    };
    let attributes: BTreeMap<_, _> = policy.attributes.iter().filter_map(of_attribute).collect();
    (!attributes.is_empty()).then_some(Fact::CoarsenedAttributes { attributes })
}

/// Describes the people whom the rows represent. The number of people is omitted because that
/// number depends on an unreleased column.
fn people(policy: &PolicyFile) -> Fact {
    let Some(people) = &policy.people else {
        return Fact::OneRowPerPerson {};
    };
    let k = policy.principles.iter().filter_map(|spec| required_size(spec.kind, &spec.parameters));
    let principle = |spec: &PrincipleSpec| RequiredPrinciple {
        kind: spec.kind.name.to_owned(),
        attribute: spec.attribute.clone(),
        required: figures_of(&spec.parameters, spec.others),
    };
    let (k, principles) = (k.max(), policy.principles.iter().map(principle).collect());
    Fact::SeveralRowsPerPerson { unit: people.unit(), rows: people.rows, k, principles }
}

fn adversary(policy: &PolicyFile) -> Fact {
    let by_plan = policy.recoding.method.form == Form::Planned;
    Fact::Adversary {
        knows: vec![
            Knowledge::QuasiIdentifiers,
            Knowledge::Membership,
            Knowledge::Policy,
            Knowledge::Method,
        ],
        other_releases: if by_plan { OtherReleases::BySamePlan } else { OtherReleases::None },
    }
}

fn noise(policy: &PolicyFile) -> Option<Fact> {
    let recoding = &policy.recoding;
    let attributes = recoding.masking.iter().map(|masked| {
        let parameter = model::to_f64(&masked.parameter);
        let noise = AttributeNoise { operation: masked.operation.name.to_owned(), parameter };
        (masked.column.clone(), noise)
    });
    let attributes = attributes.collect();
    (recoding.method.form == Form::Masked).then_some(Fact::Noise { attributes })
}

/// Returns whether the optimality of a recoding would disclose information about suppressed rows. A
/// search over levels proves optimality unless single rows were suppressed. Rows may be suppressed
/// because of their sensitive values.
fn discloses_suppressed_rows(policy: &PolicyFile) -> bool {
    let recoding = &policy.recoding;
    recoding.method.quasi_identifiers == QuasiIdentifiers::ByLevel
        && recoding.suppression == SuppressionRule::Dropped
        && model::to_f64(&recoding.suppression_limit) > 0.0
        && policy.principles.iter().any(|spec| spec.attribute.is_some())
}

/// Returns the method and its optimality. For the same policy, inputs that produce the same rows
/// also produce the same fact.
pub fn recoding(policy: &PolicyFile, found: Optimality) -> Fact {
    let recoding = &policy.recoding;
    let minimizes = !recoding.method.ignores.contains(&"objective");
    let is_of_method = matches!(
        found,
        Optimality::Separated
            | Optimality::ByPlan
            | Optimality::LargestRetention
            | Optimality::AsRequested
    );
    let is_published = is_of_method || !discloses_suppressed_rows(policy);
    Fact::Recoding {
        method: recoding.method.name.to_owned(),
        objective: minimizes.then(|| recoding.objective.name.to_owned()),
        optimality: is_published.then(|| found.as_published()),
    }
}

/// Returns the number of rows with `*` in a column, given its labels and their row counts. The
/// number is 0 if all rows have `*`, because such a column is generalized.
pub fn starred_rows<'a>(rows_of: impl Iterator<Item = (&'a str, u64)>) -> u64 {
    let (mut starred, mut all) = (0, 0);
    for (label, rows) in rows_of {
        all += rows;
        starred += if label == STAR { rows } else { 0 };
    }
    if starred == all { 0 } else { starred }
}

/// The information loss from generalizing sensitive values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneralizedValues {
    /// The sensitive attribute.
    pub attribute: String,
    /// The number of released rows with a generalized value.
    pub n_rows: u64,
    /// The number of released rows.
    pub n_released: u64,
    /// The mean information loss over all released rows. The loss of a row is 1 - 1/n, where n is
    /// the number of base values that the released value covers.
    pub loss: f64,
    /// The fraction of the information in the original quasi-identifiers and sensitive values of
    /// the released rows that the release retains (the utility in Definition 5 of the (tau, l)
    /// paper, without suppressed rows). `None` for an empty release.
    pub utility: Option<f64>,
}

impl GeneralizedValues {
    /// Computes the loss from generalized values of a column, but not the utility. Returns `None`
    /// if no value is generalized.
    pub fn new(column: &CountedColumn, counts: &[u64], taxonomy: &Taxonomy) -> Option<Self> {
        let (mut n_rows, mut n_released, mut lost) = (0, 0, 0.0);
        for (&code, &rows) in column.codes.iter().zip(counts) {
            n_released += rows;
            let node = taxonomy.node_of(column.dictionary.value(code));
            if let Some(node) = node.filter(|&node| !taxonomy.is_leaf(node)) {
                n_rows += rows;
                lost += rows as f64 * (1.0 - model::to_f64(&taxonomy.information(node)));
            }
        }
        (n_rows > 0).then(|| Self {
            attribute: column.name.clone(),
            n_rows,
            n_released,
            loss: lost / n_released as f64,
            utility: None,
        })
    }

    /// Returns the facts for the certificate: the loss, which the released rows confirm, and the
    /// retained information, which they cannot confirm.
    pub fn facts(&self) -> Vec<Fact> {
        let loss = Fact::GeneralizedSensitiveValues {
            attribute: self.attribute.clone(),
            n_rows: self.n_rows,
            n_released: self.n_released,
            loss_fraction: self.loss,
        };
        let retained = self.utility.map(|fraction| Fact::RetainedInformation { fraction });
        [loss].into_iter().chain(retained).collect()
    }
}
