//! Addresses of databases and errors of their tables.
//!
//! A separate crate connects to databases; the default build does not include it.

use std::path::{Path, PathBuf};

use indistinct_diagnostics::codes;

/// Path that denotes standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// Splits an address into its scheme and the part after the colon: `postgresql://...`,
/// `sqlite:FILE`, `duckdb:FILE`. Returns `None` for the path of a file.
pub fn scheme(address: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = address.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_lowercase())
        && scheme
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "+-.".contains(c));
    let is_meant = rest.starts_with("//") || is_path(scheme);
    (is_scheme && is_meant).then_some((scheme, rest))
}

/// Schemes of databases in files, whose addresses contain a path after the colon.
const IN_FILES: [&str; 2] = ["sqlite", "duckdb"];

/// Prefix of a dialect name in addresses that generate scripts. The part after the colon is the
/// folder of the scripts.
pub const EMIT: &str = "emit+";

fn is_path(scheme: &str) -> bool {
    IN_FILES.contains(&scheme) || scheme.starts_with(EMIT)
}

/// Resolves a path or address in a policy relative to the folder of the policy; `-` denotes
/// standard input and remains unchanged.
pub fn placed(folder: &Path, named: &str) -> PathBuf {
    match scheme(named) {
        None if named == STANDARD_INPUT => named.into(),
        None => folder.join(named),
        Some((scheme, rest)) if is_path(scheme) => {
            format!("{scheme}:{}", folder.join(rest).display()).into()
        }
        Some(_) => named.into(),
    }
}

/// The reason that a table of a database cannot be read or written.
///
/// Messages contain table names, column names, and messages of the database, but never a cell of a
/// table or a credential.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The scheme of the address is unknown.
    #[error("addresses that start with '{scheme}:' are unsupported")]
    NoEngine {
        /// Scheme of the address.
        scheme: String,
    },
    /// The driver is missing or cannot be loaded.
    #[error("the driver for {database} {}", reason.as_deref().map_or("was not found".to_owned(), |it| format!("does not work: {it}")))]
    NoDriver {
        /// Kind of database.
        database: &'static str,
        /// Package that contains the driver.
        package: &'static str,
        /// Instructions for installing the driver.
        install: String,
        /// Locations that were searched.
        looked_in: String,
        /// Reason that the driver found cannot be used.
        reason: Option<String>,
    },
    /// The address contains a password.
    #[error("the address of the database holds a password")]
    Password,
    /// The address is incomplete.
    #[error("the address of the {database} database is not complete")]
    Address {
        /// Kind of database.
        database: &'static str,
    },
    /// The input specifies neither or both of `table` and `query`.
    #[error("a database needs either a `table` or a `query`")]
    TableOrQuery,
    /// The input specifies a `table` or `query`, but is not a database.
    #[error("`table` and `query` require a database, but '{}' is a file", path.display())]
    NoDatabase {
        /// Path of the input.
        path: PathBuf,
    },
    /// The name of the table is invalid.
    #[error("'{name}' is not the name of a table")]
    Name {
        /// Name of the table.
        name: String,
    },
    /// The table name exceeds the length limit of the database.
    #[error("the name of the released table has more than {limit_bytes} bytes")]
    LongName {
        /// Maximum length of a name in bytes.
        limit_bytes: usize,
    },
    /// The query is not a single `SELECT` statement.
    #[error("the query of the policy is not a single SELECT: {reason}")]
    NotOneSelect {
        /// Reason for the error.
        reason: String,
    },
    /// Two columns have the same name.
    #[error("there are several columns named '{column}'")]
    SameName {
        /// Name that occurs twice.
        column: String,
    },
    /// The database refuses an operation.
    #[error("{database} refuses {doing}: {reason}")]
    Refused {
        /// Kind of database.
        database: &'static str,
        /// Requested operation.
        doing: &'static str,
        /// Message of the database, without values.
        reason: String,
    },
    /// A column contains values that its Arrow type cannot represent, such as an infinite date.
    #[error("column '{column}' contains values that are not plain {data_type}")]
    Beyond {
        /// Name of the column.
        column: String,
        /// Type of the column.
        data_type: String,
    },
    /// The table already exists.
    #[error("{table} already exists")]
    Exists {
        /// Name of the table.
        table: String,
    },
    /// The table exists and is not a release.
    #[error("{table} is not a release of Indistinct and is not replaced")]
    NotARelease {
        /// Name of the table.
        table: String,
    },
    /// Another process is writing the table.
    #[error("another process is writing {table}")]
    Busy {
        /// Name of the table, or the kind of database.
        table: String,
    },
    /// The staged rows differ from the certified rows.
    #[error("the rows for {table} are not those that were certified")]
    NotCertified {
        /// Name of the target table.
        table: String,
    },
    /// The operation is not supported.
    #[error("this cannot be done in a database: {what}")]
    NotServed {
        /// Description of the operation.
        what: &'static str,
    },
    /// The results of scripts are missing.
    #[error("the results of {} are missing", indistinct_diagnostics::words::counted(scripts.len() as u64, "script", "scripts"))]
    Awaiting {
        /// The scripts in the order of execution.
        scripts: Vec<PathBuf>,
        /// Command that runs a script.
        client: String,
    },
    /// The file is not the answer of its script.
    #[error("'{}' is not the answer of its script: {what}", path.display())]
    NotTheAnswer {
        /// Path of the file.
        path: PathBuf,
        /// Reason that the file is not the answer.
        what: &'static str,
    },
    /// The operation is not possible or not permitted on a Ballista cluster.
    #[error("this cannot be done on the cluster: {what}")]
    NotOnCluster {
        /// Description of the operation.
        what: &'static str,
    },
    /// No release with this name exists.
    #[error("{table} is not a release: it has no certificate")]
    NoRelease {
        /// Name of the table.
        table: String,
    },
}

/// Returns the paths as a comma-separated list.
fn shown(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

codes! {
    TableError {
        Self::NoEngine { .. } => "E-DATABASE-001", "the address has an unknown scheme",
            "tables may be in postgresql://, sqlite:, duckdb: and spark:// where the program was built with `--features databases`, on ballista:// with the program indistinct-cluster, behind scripts in emit+postgresql:FOLDER and its like, see docs/databases.md; all else is in files";
        Self::NoDriver { .. } => "E-DATABASE-002", "the driver of a database is not there",
            "`indistinct drivers` shows which drivers there are, and how to get the others";
        Self::Password => "E-DATABASE-003", "a password in an address",
            "leave it out: it is taken from the environment (PGPASSWORD), ~/.pgpass or a service file";
        Self::Address { .. } => "E-DATABASE-004", "the address is incomplete",
            "such as postgresql://user@host/database, sqlite:FILE or duckdb:FILE";
        Self::TableOrQuery => "E-DATABASE-005", "an input of a database that names no table, or two things at once",
            "name a `table`, such as \"schema.name\", or a `query` that is a single SELECT";
        Self::NoDatabase { .. } => "E-DATABASE-006", "`table` or `query` is set, but the input is not a database",
            "leave `table` and `query` out, or name a database as `path`";
        Self::Name { .. } => "E-DATABASE-007", "a text that is not the name of a table",
            "such as visits, public.visits or \"Schema.with.dots\".visits";
        Self::LongName { .. } => "E-DATABASE-008", "a name beyond what the database keeps of it",
            "use a shorter name: the certificate is stored in a table with this name and the suffix `_certificate`";
        Self::NotOneSelect { .. } => "E-DATABASE-009", "a query that is not a single SELECT",
            "give one SELECT without a semicolon; a name or text that needs one goes into a view of the database";
        Self::SameName { .. } => "E-DATABASE-010", "two columns of a query with one name",
            "give each column a distinct alias";
        Self::Refused { .. } => "E-DATABASE-011", "the database refuses",
            "nothing was published; docs/databases.md lists the rights that are needed";
        Self::Beyond { .. } => "E-DATABASE-012", "values are invalid for the type of their column in other databases",
            "leave them out, or cast the column to a text in a `query`";
        Self::Exists { .. } => "E-DATABASE-013", "there is such a table already",
            "name another one, or replace the release that is there with `--force`";
        Self::NotARelease { .. } => "E-DATABASE-014", "the existing table is not a release, so it is not replaced",
            "name another table: only a table with a certificate is replaced";
        Self::Busy { .. } => "E-DATABASE-015", "another process is writing the same release, or has the database",
            "nothing was published; wait for the other one to end";
        Self::NotCertified { .. } => "E-DATABASE-016", "the rows that were made in the database are not those that were certified",
            "nothing was published; run the command again while no other process writes to the table";
        Self::NotServed { .. } => "E-DATABASE-017", "what cannot be done in a database",
            "leave `table` out of [output]: the release is then written to files";
        Self::NoRelease { .. } => "E-DATABASE-018", "a table without a certificate",
            "name the released table, as `table` in [output] of the policy did";
        Self::Awaiting { .. } => "E-DATABASE-019", "the scripts have not been run in the database",
            "run them there in this order, store the result of each SELECT next to its script under the same name as .csv or .parquet, and give the same command again";
        Self::NotTheAnswer { .. } => "E-DATABASE-020", "a file that is not the answer of its script",
            "remove it, run the script again, and take all of its rows, with the names of the columns";
        Self::NotOnCluster { .. } => "E-DATABASE-021", "what cannot be done on a cluster of Ballista",
            "docs/cluster.md says what is; `indistinct` itself reads the same files on one machine";
    }
    help {
        Self::NoDriver { package, install, looked_in, .. } =>
            format!("it is in the package {package}: `{install}`; looked for in {looked_in}");
        Self::Awaiting { scripts, client } =>
            format!("{}; run them in this order, store the result of each SELECT next to its script, and run the same command again: {client}", shown(scripts));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_are_told_apart() {
        assert_eq!(scheme("postgresql://h/d"), Some(("postgresql", "//h/d")));
        assert_eq!(scheme("sqlite:a/b.db"), Some(("sqlite", "a/b.db")));
        for path in ["a.csv", "C:\\data\\a.csv", "a:b.csv", "-", "Sqlite:a", "folder/x://y"] {
            assert_eq!(scheme(path), None, "{path}");
        }
        let folder = Path::new("policies");
        assert_eq!(placed(folder, "a.csv"), folder.join("a.csv"));
        assert_eq!(placed(folder, "sqlite:a.db"), Path::new("sqlite:policies/a.db"));
        assert_eq!(placed(folder, "duckdb:/x/a.db"), Path::new("duckdb:/x/a.db"));
        assert_eq!(placed(folder, "-"), Path::new("-"));
        assert_eq!(placed(folder, "s3://bucket/a.csv"), Path::new("s3://bucket/a.csv"));
        assert_eq!(placed(folder, "postgresql://h/d"), Path::new("postgresql://h/d"));
    }
}
