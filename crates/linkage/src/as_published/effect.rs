//! The effect on people of linking a candidate with earlier releases, computed from the released
//! labels.

use super::{Common, LabeledRelease, People, common};
use crate::LinkageError;
use crate::post_linkage::{self, Candidate, Combinations, Effect, Options, SensitiveEffect};

/// An earlier release with its name.
pub type NamedRelease<'a> = (&'a str, &'a LabeledRelease);

/// Computes the effect on people of linking a candidate with earlier releases. Releases without a
/// common quasi-identifier or sensitive attribute are listed in the result and not linked.
///
/// # Errors
/// Returns [`LinkageError`] if the releases cannot be linked, or the observer cancels.
pub fn effect(
    earlier: &[NamedRelease<'_>],
    candidate: &LabeledRelease,
    people: Option<&People<'_>>,
    options: &Options<'_>,
) -> Result<Effect, LinkageError> {
    let (mut names, mut releases): (Vec<&str>, Vec<_>) = earlier.iter().copied().unzip();
    let mut nothing_in_common = Vec::new();
    names.push("");
    releases.push(candidate);
    let joined = loop {
        match common(&releases, people) {
            Err(
                LinkageError::NoCommonQuasiIdentifier { release }
                | LinkageError::NoCommonSensitiveAttribute { release },
            ) if release + 1 < releases.len() => {
                releases.remove(release);
                nothing_in_common.push(names.remove(release).to_owned());
            }
            // The candidate has nothing in common with any earlier release, or there is no earlier
            // release.
            Err(
                LinkageError::NoCommonQuasiIdentifier { .. }
                | LinkageError::NoCommonSensitiveAttribute { .. }
                | LinkageError::TooFewReleases { .. },
            ) => {
                nothing_in_common.extend(names.drain(..names.len() - 1).map(str::to_owned));
                break None;
            }
            Err(error) => return Err(error),
            Ok(joined) => break Some(joined),
        }
    };
    let mut answer = match &joined {
        Some(joined) => effect_of(joined, &names, options)?,
        None => by_itself(candidate, people, options)?,
    };
    answer.nothing_in_common = nothing_in_common;
    let is_missing = |name: &str| answer.sensitive.iter().all(|it| it.attribute != name);
    if candidate.sensitive.iter().any(|own| is_missing(&own.name)) {
        // The remaining sensitive attributes do not occur in any other release.
        let mut own = by_itself(candidate, people, options)?.sensitive;
        own.retain(|own| is_missing(&own.attribute));
        answer.holds &= own.iter().all(|own| own.n_classes_below == 0);
        answer.sensitive.extend(own);
    }
    Ok(answer)
}

/// Computes the effect that the last release has on people.
fn effect_of(
    joined: &Common,
    releases: &[&str],
    options: &Options<'_>,
) -> Result<Effect, LinkageError> {
    let sensitive: Vec<&str> = joined.sensitive.iter().map(|it| it.name.as_str()).collect();
    let at = joined.releases.len() - 1;
    let candidate = Candidate { at, releases, sensitive: &sensitive };
    let (setting, all) = (&joined.setting, &joined.releases);
    let effect = post_linkage::effect(setting, all, candidate, joined.candidates(), options)?;
    let n_labels_not_understood = joined.not_understood.iter().map(|it| it.n_labels as u64).sum();
    Ok(Effect { n_labels_not_understood, ..effect })
}

/// Evaluates the classes of a candidate alone: links the candidate with a copy of itself and
/// removes all results about people.
fn by_itself(
    candidate: &LabeledRelease,
    people: Option<&People<'_>>,
    options: &Options<'_>,
) -> Result<Effect, LinkageError> {
    let joined = common(&[candidate, candidate], people)?;
    let own = effect_of(&joined, &["", ""], options)?;
    let none = Combinations::none(joined.candidates());
    let alone = |own: SensitiveEffect| SensitiveEffect {
        distinct_l: None,
        frequency_l: None,
        entropy_l: None,
        harmed: none,
        harmed_with: Vec::new(),
        below_before: none,
        ..own
    };
    Ok(Effect {
        linked_with: Vec::new(),
        linked: none,
        contradictory: none,
        unclear: none,
        n_labels_not_understood: 0,
        sensitive: own.sensitive.into_iter().map(alone).collect(),
        ..own
    })
}
