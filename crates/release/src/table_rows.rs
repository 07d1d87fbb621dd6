//! The digest of released rows in a database.
//!
//! The digest covers changes that no claim covers, such as changes of insensitive attributes. It is
//! computed from the values that the database returns, so all databases have the same digest.

use indistinct_core::{Observer, Role};
use indistinct_engine::{EngineError, Input, rows_digest};
use indistinct_policy::PolicyFile;

use crate::ReleaseError;
use crate::certificate::Certificate;
use crate::check::{Check, Difference, Subject};
use crate::facts::Fact;

/// Returns the fact about rows in a database. `complete` is the digest of all columns, if the rows
/// can be read, and `counted` returns the digest of the other columns than insensitive attributes.
pub fn fact(policy: &PolicyFile, complete: Option<String>, counted: impl Fn() -> String) -> Fact {
    match complete {
        Some(sha256) => Fact::TableRows { sha256, unchecked_attributes: Vec::new() },
        None => Fact::TableRows {
            sha256: counted(),
            unchecked_attributes: policy.names(Role::Insensitive),
        },
    }
}

/// Compares the digest in the certificate with rows in a database. The check names the columns that
/// no digest covers, which are all columns if an earlier version wrote the certificate.
///
/// # Errors
/// Returns [`ReleaseError::Cancelled`] if the observer cancels the operation.
pub(crate) fn check(
    policy: &PolicyFile,
    certificate: &Certificate,
    rows: Option<&Input>,
    observer: &dyn Observer,
) -> Result<Option<Check>, ReleaseError> {
    let table = match (&policy.output.table, rows.and_then(Input::table)) {
        (Some(_), Some(table)) => table,
        _ => return Ok(None),
    };
    let columns = certificate.claims.columns.iter().map(|column| column.name.clone());
    let Some((claimed, unchecked)) = certificate.table_rows() else {
        return Ok(Some(Check::unchecked(Subject::TableRows, columns.collect())));
    };
    let checked: Vec<String> = columns.filter(|name| !unchecked.contains(name)).collect();
    let n_rows = certificate.claims.rows.n_released;
    let differences = match rows_digest(table, &checked, n_rows, observer) {
        Err(EngineError::Cancelled) => return Err(ReleaseError::Cancelled),
        Err(error) => Difference::errors(&error.into()),
        Ok(found) if found == claimed => Vec::new(),
        Ok(_) => vec![Difference::RowsChanged],
    };
    Ok(Some(match differences.is_empty() {
        true => Check::unchecked(Subject::TableRows, unchecked.to_vec()),
        false => Check::new(Subject::TableRows, differences),
    }))
}
