//! Releases with perturbed sensitive values.
//!
//! Principles are not defined for perturbed rows, because the guarantee is a probability over the
//! draws. The certifier therefore checks p and draws the values itself.

use std::borrow::Cow;

use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::claims::judge;
use super::invalid::{InvalidRecoding, expect_length};
use super::partition::Partition;
use super::{NotCertified, Release, division};
use crate::Hierarchy;
use crate::model::{CountedColumn, FrequencyTable, to_f64};
use crate::recoding::perturbation::breach::{Breach, Observation, limits};
use crate::recoding::perturbation::{Perturbation, PerturbationProblem, PerturbationRecord, draw};
use crate::recoding::{Cell, Classes, Generalization, Part, Policy, Recoding};

/// Perturbs the only sensitive attribute of a table if the risk of every row is within the limits
/// of the policy.
///
/// Returns the release, which [states the perturbation](Release::perturbed), and its recoding of
/// quasi-identifiers, in which all values are unchanged and no row is suppressed. The claims
/// contain no principle, only facts that the rows show.
///
/// # Errors
/// Returns [`NotCertified`] if the policy has a requirement that perturbation cannot meet, the
/// domain is not suitable, or p exceeds [`Breach::largest_p`].
pub fn certify_perturbed<'a>(
    table: &'a FrequencyTable,
    policy: &Policy,
    perturbation: &Perturbation,
) -> Result<(Release<'a>, Recoding), NotCertified> {
    let limits = limits(table, &policy.requirements)?;
    let n_attributes = table.quasi_identifiers().len();
    expect_length("hierarchies", policy.hierarchies.len(), n_attributes)?;
    let values = perturbation.domain.values(table, &table.sensitive()[0])?;
    let breach = Breach::of_values(&limits, &values);
    let p = perturbation.retention.exact();
    let largest = breach.largest_p(perturbation.given);
    if largest.as_ref().is_none_or(|largest| p > *largest) {
        let largest = largest.as_ref().map(to_double);
        let p = to_f64(&perturbation.retention.p());
        return Err(PerturbationProblem::TooLarge { p, largest }.into());
    }

    let drawn = draw(table, &values, perturbation.retention, &perturbation.key);
    let perturbed = PerturbationRecord {
        attribute: 0,
        retention: perturbation.retention,
        n_domain_values: values.dictionary.len() as u64,
        given: perturbation.given,
        risk: to_double(&breach.risk(&p, Observation::Neighborhood)),
        risk_given_value: to_double(&breach.risk(&p, Observation::Value)),
        by_principle: breach
            .risks(&p, Observation::Neighborhood)
            .iter()
            .zip(&breach.risks(&p, Observation::Value))
            .map(|(risk, of_value)| [to_double(risk), to_double(of_value)])
            .collect(),
        n_changed: drawn.n_changed,
    };
    let recoding = as_they_are(table, policy, drawn.parts);
    let Generalization::Classes(Classes { parts: Some(parts), .. }) = &recoding.generalization
    else {
        unreachable!("perturbation divides each tuple into parts")
    };
    let rows = table.divided(parts).map_err(InvalidRecoding::Parts)?;
    let partition = Partition::new(&rows, policy, &recoding)?;
    let rows = rows.with_sensitive(0, values.dictionary, drawn.codes);
    let claims = judge(&rows, &division(&partition), &[]).claims;
    let release = Release {
        counted: table,
        parts: Some(parts.clone()),
        table: Cow::Owned(rows),
        partition,
        claims,
        n_suppressed: 0,
        cells: None,
        perturbed: Some(perturbed),
        generated: vec![false; n_attributes],
        private: (),
    };
    Ok((release, recoding))
}

fn to_double(value: &BigRational) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

/// Creates a recoding in which each quasi-identifier combination forms a class with unchanged
/// values.
fn as_they_are(table: &FrequencyTable, policy: &Policy, parts: Vec<Part>) -> Recoding {
    let groups = table.groups();
    let columns = || table.quasi_identifiers().iter().zip(&policy.hierarchies);
    let cells = groups.iter().map(|tuples| {
        let label = |(column, hierarchy): (&CountedColumn, &Hierarchy)| Cell::Label {
            level: 0,
            label: hierarchy.level(0).map[column.codes[tuples.start] as usize],
        };
        columns().map(label).collect()
    });
    let cells = cells.collect();
    let class_of_tuple = groups.of_tuples();
    let class_of = parts.iter().map(|part| class_of_tuple[part.tuple as usize]).collect();
    let suppressed = vec![false; parts.len()];
    let classes = Classes { parts: Some(parts), class_of, cells, highest: None };
    Recoding { generalization: Generalization::Classes(classes), suppressed, sensitive: None }
}
