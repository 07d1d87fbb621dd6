//! Reads the hierarchies that a policy declares and checks everything that does not require the
//! table.

use std::path::Path;

use indistinct_core::Role;
use indistinct_core::hierarchy::{Arx, HierarchyError, HierarchyRule};
use indistinct_policy::{AttributeSpec, HierarchySpec, PolicyFile};

use crate::ReleaseError;
use crate::files;

/// The name of an attribute and the hierarchy rule for the attribute.
pub type NamedRule = (String, HierarchyRule);

/// Reads the rules of all quasi-identifiers and the taxonomies that are declared for sensitive
/// attributes. All errors are reported together.
///
/// # Errors
/// Returns [`ReleaseError::Hierarchies`] if a hierarchy is invalid, or [`ReleaseError::File`] if a
/// file cannot be read.
pub fn of_policy(
    policy: &PolicyFile,
    folder: &Path,
) -> Result<(Vec<NamedRule>, Vec<NamedRule>), ReleaseError> {
    let has_rule = |it: &&AttributeSpec| {
        it.role == Role::QuasiIdentifier || it.role == Role::Sensitive && it.hierarchy.is_some()
    };
    let attributes = policy.attributes.iter().filter(has_rule);
    let rules = rules(attributes, policy, |_, path| files::read_text(&folder.join(path)))?;
    let is_known =
        |(name, _): &NamedRule| policy.attribute(name).is_some_and(|it| it.role != Role::Sensitive);
    Ok(rules.into_iter().partition(is_known))
}

/// Reads the taxonomies that a released policy declares for sensitive attributes.
///
/// # Errors
/// The same errors as [`of_policy`].
pub fn taxonomies_of_policy(
    policy: &PolicyFile,
    directory: &Path,
) -> Result<Vec<NamedRule>, ReleaseError> {
    let sensitive = policy.attributes_of(Role::Sensitive).filter(|it| it.hierarchy.is_some());
    rules(sensitive, policy, |name, _| files::published_hierarchy(directory, name, policy))
}

/// Reads the rules of attributes. The function `text` returns the file of an attribute, given by
/// its name and by the path in the policy.
fn rules<'a>(
    attributes: impl Iterator<Item = &'a AttributeSpec>,
    policy: &PolicyFile,
    text: impl Fn(&str, &str) -> Result<String, ReleaseError>,
) -> Result<Vec<NamedRule>, ReleaseError> {
    let (mut rules, mut problems): (_, Vec<HierarchyError>) = (Vec::new(), Vec::new());
    for AttributeSpec { name, hierarchy, .. } in attributes {
        let rule = match hierarchy {
            None => Ok(HierarchyRule::Flat),
            Some(HierarchySpec::Rule(rule)) => Ok(rule.clone()),
            Some(HierarchySpec::Csv(path)) => {
                Arx::parse(name, &text(name, path)?, &policy.null_values_of(name))
                    .map(HierarchyRule::Arx)
            }
        };
        match rule {
            Ok(rule) => rules.push((name.clone(), rule)),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(rules) } else { Err(ReleaseError::Hierarchies(problems)) }
}
