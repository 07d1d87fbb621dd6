//! The facts that follow from a policy, and those that a release computes with functions of its own.

use std::collections::BTreeMap;

use indistinct_core::model::{self, CountedColumn, Taxonomy};
use indistinct_core::principle::required_size;
use indistinct_core::{Optimality, Role, STAR, SuppressionRule, figures_of};
use indistinct_policy::{Form, PolicyFile, PrincipleSpec, QuasiIdentifiers};
use serde::{Deserialize, Serialize};

use super::{AttributeNoise, Fact, Knowledge, OtherReleases, RequiredPrinciple};

/// The facts that a policy requires of every release, in their order.
pub fn of_policy(policy: &PolicyFile) -> Vec<Fact> {
    let recoding = &policy.recoding;
    let attributes = |role| {
        let names = policy.names(role);
        (!names.is_empty()).then_some(names)
    };
    let reasons = policy.attributes.iter();
    let reasons: BTreeMap<String, String> = reasons
        .filter_map(|it| Some((it.name.clone(), it.looks_like_identifier_reason.clone()?)))
        .collect();
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
    facts.extend(
        attributes(Role::Insensitive).map(|attributes| Fact::UnchangedAttributes { attributes }),
    );
    facts.extend((!reasons.is_empty()).then_some(Fact::AcceptedIdentifiers { reasons }));
    facts.extend(
        attributes(Role::Identifier).map(|attributes| Fact::RemovedIdentifiers { attributes }),
    );
    facts.extend(policy.output.spreadsheet_safe.then_some(Fact::EscapedCells {}));
    let has_context = policy.release.entries().next().is_some();
    facts.extend(has_context.then(|| Fact::ReleaseContext { context: policy.release.clone() }));
    facts
}

/// Whom the rows are about. The number of people reached is not among the fields: it depends on a column that is not released.
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
        let noise = AttributeNoise { operation: masked.operation.name().to_owned(), parameter };
        (masked.column.clone(), noise)
    });
    let attributes = attributes.collect();
    (recoding.method.form == Form::Masked).then_some(Fact::Noise { attributes })
}

/// Whether the optimality of a recoding would disclose information on rows that are not in the release: if levels were searched,
/// it is proved unless single rows were suppressed, which happens because of their sensitive values.
fn discloses_suppressed_rows(policy: &PolicyFile) -> bool {
    let recoding = &policy.recoding;
    recoding.method.quasi_identifiers == QuasiIdentifiers::ByLevel
        && recoding.suppression == SuppressionRule::Dropped
        && model::to_f64(&recoding.suppression_limit) > 0.0
        && policy.principles.iter().any(|spec| spec.attribute.is_some())
}

/// The method, and what is known about better recodings. Inputs that give the same rows by the same policy give the same fact.
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

/// Of the rows of a column those that are `*`, given its labels with their rows; 0 if all of them are, which is generalization.
pub fn starred_rows<'a>(rows_of: impl Iterator<Item = (&'a str, u64)>) -> u64 {
    let (mut starred, mut all) = (0, 0);
    for (label, rows) in rows_of {
        all += rows;
        starred += if label == STAR { rows } else { 0 };
    }
    if starred == all { 0 } else { starred }
}

/// The loss by the generalization of sensitive values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneralizedValues {
    /// The sensitive attribute.
    pub attribute: String,
    /// Released rows whose value is generalized.
    pub n_rows: u64,
    /// All released rows.
    pub n_released: u64,
    /// The mean share of information that a released row's value lost: 1 - 1 / the base values that it covers.
    pub loss: f64,
    /// The share of the information of the original rows, quasi-identifiers and sensitive values, that the release retains: the
    /// utility of the (tau, l) text, Definition 5. `None` for an empty table.
    pub utility: Option<f64>,
}

impl GeneralizedValues {
    /// The loss of the released values of a column, by its taxonomy, without the utility. `None` if no value is generalized.
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

    /// The facts of a certificate: the loss, which the released rows show, and the retained information, which they do not.
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
