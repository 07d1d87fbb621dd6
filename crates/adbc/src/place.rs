//! Addresses of databases.

use std::path::Path;

use indistinct_engine::objects::is_object;
use indistinct_engine::{EMIT, TableError, may_contain_credential};
use indistinct_sql::Dialect;

use crate::driver::{Driver, REGISTRY};

/// The address of a database. The address contains no password, because addresses with a password
/// are rejected before any connection.
#[derive(Debug, Clone)]
pub(crate) struct DatabaseLocation {
    pub(crate) driver: &'static Driver,
    /// Address as specified by the user.
    pub(crate) address: String,
    /// Part of the address after the scheme and its colon.
    pub(crate) rest: String,
}

impl DatabaseLocation {
    /// Parses an address; returns `None` for addresses of files, objects, and scripts.
    pub(crate) fn parse(path: &Path) -> Result<Option<Self>, TableError> {
        let Some(address) = path.to_str() else { return Ok(None) };
        let Some((scheme, rest)) = indistinct_engine::scheme(address) else { return Ok(None) };
        if scheme.starts_with(EMIT) || is_object(address) {
            return Ok(None);
        }
        let known = REGISTRY.iter().copied().find(|driver| driver.schemes.contains(&scheme));
        let Some(driver) = known else {
            return Err(TableError::NoEngine { scheme: scheme.to_owned() });
        };
        if may_contain_credential(address) {
            return Err(TableError::Password);
        }
        if address.contains('\0') || (driver.is_file && rest.is_empty()) {
            return Err(TableError::Address { database: driver.dialect().name });
        }
        Ok(Some(Self { driver, address: address.to_owned(), rest: rest.to_owned() }))
    }
}

impl DatabaseLocation {
    /// Returns the SQL dialect of the database.
    pub(crate) fn dialect(&self) -> &'static Dialect {
        self.driver.dialect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(address: &str) -> &'static str {
        use indistinct_diagnostics::Coded;
        match DatabaseLocation::parse(Path::new(address)) {
            Ok(Some(place)) => place.dialect().name,
            Ok(None) => "a file",
            Err(error) => error.code(),
        }
    }

    #[test]
    fn scheme_determines_location_type() {
        assert_eq!(code("postgresql://me@host:5432/clinic?sslmode=require"), "PostgreSQL");
        assert_eq!(code("postgresql:///?service=clinic"), "PostgreSQL");
        assert_eq!(code("postgres:///clinic"), "PostgreSQL");
        assert_eq!(code("sqlite:/data/clinic.db"), "SQLite");
        assert_eq!(code("duckdb:clinic.duckdb"), "DuckDB");
        assert_eq!(code("spark://host:15002/;use_ssl=true"), "Spark");
        assert_eq!(code("emit+spark:scripts"), "a file");
        assert_eq!(code("clinic.csv"), "a file");
        assert_eq!(code("s3://bucket/clinic.csv"), "a file");
        assert_eq!(code("folder/part-*.parquet"), "a file");
        assert_eq!(code("sqlite:"), "E-DATABASE-004");
        assert_eq!(code("oracle://host/clinic"), "E-DATABASE-001");
    }

    #[test]
    fn address_password_is_rejected_and_not_echoed() {
        for address in [
            "postgresql://me:hunter2@host/clinic",
            "postgresql://me:hun/ter@2@host/clinic",
            "postgresql://host/clinic?user=me&password=hunter2",
            "postgresql://host/clinic?sslpassword=hunter2",
            "spark://host:15002/;use_ssl=true;token=hunter2",
        ] {
            let error =
                DatabaseLocation::parse(Path::new(address)).expect_err("the address is rejected");
            assert!(matches!(error, TableError::Password), "{address}");
            assert!(!format!("{error} {error:?}").contains("hunter"));
        }
        assert_eq!(code("postgresql://host:5432/clinic?passfile=/etc/pass"), "PostgreSQL");
    }
}
