//! Reads the hierarchies that a policy declares and checks everything that does not require the
//! table.

use std::path::Path;

use indistinct_core::Role;
use indistinct_core::hierarchy::{Arx, HierarchyError, HierarchyRule};
use indistinct_policy::{AttributeSpec, HierarchySpec, PolicyFile};

use crate::ReleaseError;
use crate::files;

/// A hierarchy rule with the name of its attribute.
pub type NamedRule = (String, HierarchyRule);

/// Reads the rules of all quasi-identifiers and the taxonomies that are declared for sensitive
/// attributes. All errors are reported together.
///
/// # Errors
/// [`ReleaseError::Hierarchies`] if a hierarchy is invalid; [`ReleaseError::File`] if a file cannot
/// be read.
pub fn of_policy(
    policy: &PolicyFile,
    folder: &Path,
) -> Result<(Vec<NamedRule>, Vec<NamedRule>), ReleaseError> {
    let (mut rules, mut taxonomies, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for attribute in &policy.attributes {
        let rules = match attribute.role {
            Role::QuasiIdentifier => &mut rules,
            Role::Sensitive if attribute.hierarchy.is_some() => &mut taxonomies,
            _ => continue,
        };
        match rule(attribute, folder, &policy.input.null_values)? {
            Ok(rule) => rules.push((attribute.name.clone(), rule)),
            Err(error) => problems.push(error),
        }
    }
    if problems.is_empty() {
        Ok((rules, taxonomies))
    } else {
        Err(ReleaseError::Hierarchies(problems))
    }
}

/// Reads the taxonomies that a released policy declares for sensitive attributes.
///
/// # Errors
/// The same errors as [`of_policy`].
pub fn taxonomies_of_policy(
    policy: &PolicyFile,
    directory: &Path,
) -> Result<Vec<NamedRule>, ReleaseError> {
    let (mut taxonomies, mut problems) = (Vec::new(), Vec::new());
    for attribute in policy.attributes_of(Role::Sensitive).filter(|it| it.hierarchy.is_some()) {
        let rule = match &attribute.hierarchy {
            Some(HierarchySpec::Csv(_)) => {
                let text = files::published_hierarchy(directory, &attribute.name, policy)?;
                Arx::parse(&attribute.name, &text, &policy.input.null_values)
                    .map(HierarchyRule::Arx)
            }
            _ => rule(attribute, directory, &policy.input.null_values)?,
        };
        match rule {
            Ok(rule) => taxonomies.push((attribute.name.clone(), rule)),
            Err(error) => problems.push(error),
        }
    }
    if problems.is_empty() { Ok(taxonomies) } else { Err(ReleaseError::Hierarchies(problems)) }
}

fn rule(
    attribute: &AttributeSpec,
    folder: &Path,
    null_values: &[String],
) -> Result<Result<HierarchyRule, HierarchyError>, ReleaseError> {
    Ok(match &attribute.hierarchy {
        None => Ok(HierarchyRule::Flat),
        Some(HierarchySpec::Rule(rule)) => Ok(rule.clone()),
        Some(HierarchySpec::Csv(path)) => {
            let text = files::read_text(&folder.join(path))?;
            Arx::parse(&attribute.name, &text, null_values).map(HierarchyRule::Arx)
        }
    })
}
