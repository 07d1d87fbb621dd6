//! A policy to start from, proposed from a table.

use std::path::Path;

use indistinct_core::Observer;
use indistinct_engine::{Engine, InputSpec, placed, scheme};
use serde::Serialize;

use crate::error::Error;
use crate::job::engine;
use crate::policy::{self, PolicyFile};
use crate::profile::column_profiles;

/// A proposed policy.
#[derive(Debug, Clone, Serialize)]
pub struct Proposal {
    /// Rows of the table.
    pub n_rows: u64,
    /// Each column with its proposed role, in the order of the table.
    pub roles: Vec<(String, String)>,
    /// The text of the policy file, with comments.
    pub policy: String,
}

/// Looks at a table and proposes roles, hierarchies and principles.
///
/// `policy_path` is where the policy will stand: its input path is written relative to that.
///
/// # Errors
/// [`Error`] if the table cannot be read.
pub fn propose(
    spec: &InputSpec,
    policy_path: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Proposal, Error> {
    propose_in(&engine(), spec, policy_path, observer)
}

/// The same with another engine than the embedded one.
///
/// # Errors
/// As [`propose`].
pub fn propose_in(
    engine: &dyn Engine,
    spec: &InputSpec,
    policy_path: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Proposal, Error> {
    let input = engine.open(spec)?;
    let columns = column_profiles(&input, observer)?;
    let settings = policy::InputSettings {
        path: match &spec.memory {
            Some(table) => table.name().to_string_lossy().into_owned(),
            None => relative(&spec.path, policy_path),
        },
        table: spec.table.clone(),
        query: spec.query.clone(),
        delimiter: spec.delimiter,
        null_values: spec.null_values.clone(),
    };
    let text = policy::propose(&settings, &columns);
    let file = PolicyFile::parse(&text, "the proposed policy")?;
    let roles = file
        .attributes
        .iter()
        .map(|attribute| (attribute.name.clone(), attribute.role.name().to_owned()))
        .collect();
    Ok(Proposal { n_rows: columns.first().map_or(0, |column| column.n_rows), roles, policy: text })
}

/// The table's path as seen from the policy's folder, where that can be told from the texts alone.
fn relative(data: &Path, policy: Option<&Path>) -> String {
    if let (Some(address), Ok(folder)) =
        (data.to_str().filter(|it| scheme(it).is_some()), std::env::current_dir())
    {
        return placed(&folder, address).to_string_lossy().into_owned();
    }
    let folder = policy.and_then(Path::parent).unwrap_or(Path::new(""));
    let shown = match data.strip_prefix(folder) {
        Ok(inside) => inside.to_owned(),
        Err(_) if data.is_absolute() => data.to_owned(),
        Err(_) => std::path::absolute(data).unwrap_or_else(|_| data.to_owned()),
    };
    shown.to_string_lossy().into_owned()
}
