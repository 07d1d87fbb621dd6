//! Where a release goes.

use indistinct_engine::TableError;
use sha2::{Digest, Sha256};

use crate::dialects::Dialect;
use crate::name::{TableName, quoted};

/// Where a release goes: the table, the one with its certificate, and the one where the rows are judged before.
#[derive(Debug, Clone)]
pub struct TableLocation {
    /// The released table.
    pub table: TableName,
    /// The table with its certificate.
    pub certificate: TableName,
    /// What stands for the released table in names of others.
    pub key: i64,
}

impl TableLocation {
    /// The place of a name.
    ///
    /// # Errors
    /// Returns [`TableError`] if it is none, or too long.
    pub fn new(dialect: &Dialect, name: &str) -> Result<Self, TableError> {
        let table = TableName::parse(name)?;
        let certificate = table.certificate();
        let limit_bytes = dialect.name_limit_bytes;
        if certificate.name.len() > limit_bytes {
            return Err(TableError::LongName { limit_bytes: limit_bytes - "_certificate".len() });
        }
        let digest = Sha256::digest(table.sql(quoted));
        let mut key = [0; 8];
        key.copy_from_slice(&digest[..8]);
        Ok(Self { table, certificate, key: i64::from_be_bytes(key) })
    }

    /// The table where the rows are made.
    pub fn staging(&self) -> TableName {
        self.table.sibling(format!("indistinct_staging_{:016x}", self.key as u64))
    }
}
