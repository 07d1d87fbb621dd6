//! What a release with generalized sensitive values lost of them: the losses of recodings look at quasi-identifiers alone.

use indistinct_core::Policy;
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::{Release, model::to_f64};
use indistinct_measure::tau_l;
use indistinct_release::certificate::Statement;
use indistinct_release::certificate::about::GENERALIZED_VALUES;
use indistinct_report::words;
use serde::Serialize;

/// What generalizing sensitive values cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// What a certified release lost of its sensitive values; `None` where none of them is generalized.
    pub(crate) fn of(release: &Release<'_>, policy: &Policy) -> Option<Self> {
        let on_nodes = policy.requirements.iter().find_map(|requirement| {
            Some((requirement.attribute.as_deref()?, requirement.taxonomy.as_deref()?))
        });
        let (attribute, taxonomy) = on_nodes?;
        let mut beside = ReleaseWithOriginal::of_release(release, policy);
        let at = beside.published.rows.sensitive_index(attribute)?;
        beside.published.sensitive[at].taxonomy = Some(taxonomy.clone());
        let column = &beside.published.rows.sensitive()[at];
        let (mut n_rows, mut n_released, mut lost) = (0, 0, 0.0);
        for (&code, &rows) in column.codes.iter().zip(beside.published.rows.counts()) {
            n_released += rows;
            let node = taxonomy.node_of(column.dictionary.value(code));
            if let Some(node) = node.filter(|&node| !taxonomy.is_leaf(node)) {
                n_rows += rows;
                lost += rows as f64 * (1.0 - to_f64(&taxonomy.information(node)));
            }
        }
        (n_rows > 0).then(|| Self {
            attribute: attribute.to_owned(),
            n_rows,
            n_released,
            loss: lost / n_released as f64,
            utility: tau_l::utility(&beside).retained,
        })
    }

    /// The figures in a sentence.
    pub fn sentence(&self) -> String {
        let utility = self.utility.map_or(String::new(), |utility| {
            format!(
                " Quasi-identifiers and sensitive values together retain {} of the information of the original rows.",
                words::percent(utility)
            )
        });
        format!(
            "Of {}, {} have a generalized value of {}; the released values lost {} of their information.{utility}",
            words::rows(self.n_released),
            words::thousands(self.n_rows),
            words::label(&self.attribute),
            words::percent(self.loss)
        )
    }

    pub(crate) fn statement(&self) -> Statement {
        Statement {
            about: GENERALIZED_VALUES.to_owned(),
            text: self.sentence(),
            value: Some(serde_json::to_value(self).expect("figures are plain data")),
            rests_on: "the released rows and the holder's taxonomy; what the original rows retained, on the certifier's comparison with them"
                .to_owned(),
        }
    }
}
