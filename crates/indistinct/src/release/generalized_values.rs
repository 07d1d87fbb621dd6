//! The loss of generalized sensitive values; the losses of recodings include only
//! quasi-identifiers.

use indistinct_core::Policy;
use indistinct_core::Release;
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_measure::tau_l;
use indistinct_release::facts::GeneralizedValues;

/// Returns the loss in the sensitive values of a certified release; `None` if no sensitive value is
/// generalized.
pub(crate) fn from_release(release: &Release<'_>, policy: &Policy) -> Option<GeneralizedValues> {
    let on_nodes = policy.requirements.iter().find_map(|requirement| {
        Some((requirement.attribute.as_deref()?, requirement.taxonomy.as_deref()?))
    });
    let (attribute, taxonomy) = on_nodes?;
    let mut pair = ReleaseWithOriginal::of_release(release, policy);
    let at = pair.published.rows.sensitive_index(attribute)?;
    pair.published.sensitive[at].taxonomy = Some(taxonomy.clone());
    let column = &pair.published.rows.sensitive()[at];
    let found = GeneralizedValues::new(column, pair.published.rows.counts(), taxonomy)?;
    Some(GeneralizedValues { utility: tau_l::utility(&pair).of_released, ..found })
}
