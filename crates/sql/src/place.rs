//! The tables of a release in a database.

use indistinct_engine::TableError;
use sha2::{Digest, Sha256};

use crate::dialects::Dialect;
use crate::name::{TableName, quoted};

/// Names of the released table, the certificate table, and the staging table of a release.
#[derive(Debug, Clone)]
pub struct TableLocation {
    /// Name of the released table.
    pub table: TableName,
    /// Name of the table that contains the certificate.
    pub certificate: TableName,
    /// Hash of the released table name, used in the names of other tables.
    pub key: i64,
}

impl TableLocation {
    /// Returns the tables of a release with the given name.
    ///
    /// # Errors
    /// Returns [`TableError`] if the name is invalid or too long.
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

    /// Returns the table in which the rows are created.
    pub fn staging(&self) -> TableName {
        self.table.sibling(format!("indistinct_staging_{:016x}", self.key as u64))
    }
}
