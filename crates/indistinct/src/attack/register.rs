//! A register of people with original quasi-identifiers.

use std::path::Path;

use indistinct_attack::AttackError;
use indistinct_engine::{Input, TableRef};
use indistinct_release::View;

use super::people::{People, missing};
use crate::error::Error;
use crate::session::Session;

/// Reads a register, which may lack some quasi-identifiers, with the settings and hierarchies of the data holder's policy if available.
pub(super) fn read(
    session: &Session,
    table: TableRef<'_>,
    opened: &View,
    policy: Option<&Path>,
) -> Result<People, Error> {
    let sensitive = |input: &Input, quasi_identifiers: &[String]| {
        let missing = missing(input, quasi_identifiers);
        match missing.len() < quasi_identifiers.len().max(1) {
            true => Ok(Vec::new()),
            false => Err(AttackError::RegisterColumns { missing }.into()),
        }
    };
    People::read(session, table, opened, policy, sensitive)
}
