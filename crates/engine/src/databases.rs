//! Addresses of databases, and errors that concern database tables.
//!
//! A separate crate connects to databases; the default build does not include it.

use std::path::{Path, PathBuf};

use indistinct_diagnostics::codes;

/// Path that denotes standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// Splits an address, such as `postgresql://...` or `sqlite:FILE`, into its scheme and the part
/// after the colon. Returns `None` for the path of a file.
pub fn scheme(address: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = address.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_lowercase())
        && scheme
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "+-.".contains(c));
    let is_meant = rest.starts_with("//") || is_path(scheme);
    (is_scheme && is_meant).then_some((scheme, rest))
}

/// Schemes of databases in files. Addresses with these schemes contain a path after the colon.
const IN_FILES: [&str; 2] = ["sqlite", "duckdb"];

/// Prefix of a dialect name in addresses that generate scripts. The part after the colon is the
/// folder of the scripts.
pub const EMIT: &str = "emit+";

fn is_path(scheme: &str) -> bool {
    IN_FILES.contains(&scheme) || scheme.starts_with(EMIT)
}

/// Returns whether a path or an address may contain a credential, such as a password in a URL or in
/// the connection string of another program. Messages must not contain such a path or address.
pub fn may_contain_credential(text: &str) -> bool {
    let text = text.replace(" =", "=").replace("= ", "=");
    let rest = text.split_once("//").map_or("", |(_, rest)| rest);
    // Because a password may contain any character that is not percent-encoded, including slashes,
    // the last `@` ends the password.
    let authority = rest.split(['?', ';']).next().unwrap_or_default();
    let in_authority = authority.rsplit_once('@').is_some_and(|(user, _)| user.contains(':'));
    // Addresses such as `jdbc:oracle:thin:user/password@host` have no slashes before the user name.
    let of_jdbc = text.to_ascii_lowercase().contains("jdbc:") && text.contains('@');
    let pairs: Vec<&str> = text.split(|c: char| "?&;,".contains(c) || c.is_whitespace()).collect();
    // A folder of a partitioned table, such as `token=5/part.parquet`, is not a parameter.
    let is_folder = |value: &str| value.contains('/') && pairs.len() == 1;
    let mut parameters = pairs.iter().filter_map(|pair| pair.split_once('='));
    let in_parameters = parameters.any(|(name, value)| is_credential(name) && !is_folder(value));
    in_authority || of_jdbc || in_parameters
}

/// Returns whether an address parameter with this name contains a credential.
fn is_credential(name: &str) -> bool {
    let parts = [
        "password",
        "passwd",
        "pwd",
        "token",
        "secret",
        "credential",
        "signature",
        "accountkey",
        "accesskey",
        "access_key",
        "apikey",
        "api_key",
    ];
    // A relative path in a policy is prefixed with the folder of the policy.
    let name = name.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let is_short = ["sig", "pass", "pw"].contains(&name.as_str());
    is_short || parts.iter().any(|part| name.contains(part))
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

/// The reason that a database table cannot be read or written.
///
/// Messages contain table names, column names, and messages of the database, but never a cell from
/// a table or a credential.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The scheme of the address is unknown.
    #[error("addresses that start with '{scheme}:' are not supported")]
    NoEngine {
        /// Scheme of the address.
        scheme: String,
    },
    /// The driver is missing or cannot be loaded.
    #[error(
        "the driver for {database} {}",
        reason.as_deref().map_or("was not found".to_owned(), |it| format!("cannot be used: {it}"))
    )]
    NoDriver {
        /// Kind of database.
        database: &'static str,
        /// Package that contains the driver.
        package: &'static str,
        /// Instructions for installing the driver.
        install: String,
        /// Locations that were searched.
        looked_in: String,
        /// Reason that the detected driver cannot be used.
        reason: Option<String>,
    },
    /// The address contains a password.
    #[error("the address of the table contains a password or another credential")]
    Password,
    /// The address is incomplete.
    #[error("the address of the {database} database is incomplete")]
    Address {
        /// Kind of database.
        database: &'static str,
    },
    /// The input specifies neither `table` nor `query`, or both of them.
    #[error("a database input requires exactly one of `table` and `query`")]
    TableOrQuery,
    /// The input specifies a `table` or `query` but is not a database.
    #[error("`table` and `query` require a database, but '{}' is a file", path.display())]
    NoDatabase {
        /// Path of the input.
        path: PathBuf,
    },
    /// The name of the table is invalid.
    #[error("'{name}' is not a valid table name")]
    Name {
        /// Name of the table.
        name: String,
    },
    /// The table name exceeds the length limit of the database.
    #[error("the name of the released table is longer than {limit_bytes} bytes")]
    LongName {
        /// Maximum length of a name in bytes.
        limit_bytes: usize,
    },
    /// The query is not a single `SELECT` statement.
    #[error("the query in the policy is not a single SELECT statement: {reason}")]
    NotOneSelect {
        /// Reason for the error.
        reason: String,
    },
    /// Two columns have the same name.
    #[error("the query returns several columns named '{column}'")]
    SameName {
        /// Name that occurs twice.
        column: String,
    },
    /// The database rejects an operation.
    #[error("{database} failed {doing}: {reason}")]
    Refused {
        /// Kind of database.
        database: &'static str,
        /// Requested operation.
        doing: &'static str,
        /// Message of the database, without values.
        reason: String,
    },
    /// The server or the file of the database cannot be opened.
    #[error("the {database} database cannot be opened: {reason}")]
    Unreachable {
        /// Kind of database.
        database: &'static str,
        /// Message of the database, without values.
        reason: String,
    },
    /// A newer version of the database, which the driver does not support, has written the file.
    #[error("the driver for {database} is too old for the database: {reason}")]
    OldDriver {
        /// Kind of database.
        database: &'static str,
        /// Message of the database, without values.
        reason: String,
        /// Path of the driver.
        driver: PathBuf,
    },
    /// Other objects in the database depend on the table that would be replaced.
    #[error("{database} cannot replace the table: {reason}")]
    HasDependents {
        /// Kind of database.
        database: &'static str,
        /// Message of the database, without values.
        reason: String,
    },
    /// A query or a view accesses files or servers outside the database.
    #[error("{database} rejected access to files outside the database")]
    ExternalAccess {
        /// Kind of database.
        database: &'static str,
        /// Environment variable that permits the access.
        variable: &'static str,
    },
    /// A column contains values that its Arrow type cannot represent, such as an infinite date.
    #[error("column '{column}' contains values that the type {data_type} cannot represent")]
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
    /// The existing table is not a release.
    #[error("{table} is not a release of Indistinct, so it was not replaced")]
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
    #[error("the rows for {table} differ from the certified rows")]
    NotCertified {
        /// Name of the target table.
        table: String,
    },
    /// The operation is not supported.
    #[error("this operation is not supported for databases: {what}")]
    NotServed {
        /// Description of the operation.
        what: &'static str,
    },
    /// The results of scripts are missing.
    #[error(
        "the results of {} are missing",
        indistinct_diagnostics::words::counted(scripts.len() as u64, "script", "scripts")
    )]
    Awaiting {
        /// The scripts, in execution order.
        scripts: Vec<PathBuf>,
        /// Command that runs a script.
        client: String,
    },
    /// The file is not the result of its script.
    #[error("'{}' is not the result of its script: {what}", path.display())]
    NotTheAnswer {
        /// Path of the file.
        path: PathBuf,
        /// Reason that the file is not accepted as the result.
        what: &'static str,
    },
    /// The operation is not possible or not permitted on a Ballista cluster.
    #[error("this operation is not supported on the cluster: {what}")]
    NotOnCluster {
        /// Description of the operation.
        what: &'static str,
    },
    /// No release with this name exists.
    #[error("{table} is not a release: its certificate is missing")]
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
            "builds with `--features databases` support postgresql://, sqlite:, duckdb:, spark://, \
             and script folders such as emit+postgresql:FOLDER; indistinct-cluster supports \
             ballista://; see docs/databases.md";
        Self::NoDriver { .. } => "E-DATABASE-002",
            "the database driver is missing or cannot be loaded",
            "run `indistinct drivers` to list the installed drivers and instructions for \
             installing others";
        Self::Password => "E-DATABASE-003", "the address of the table contains a credential",
            "use an address without a password, such as postgresql://user@host/database; set the \
             password in the environment (PGPASSWORD), ~/.pgpass, or a service file";
        Self::Address { .. } => "E-DATABASE-004", "the database address is incomplete",
            "use an address such as postgresql://user@host/database, sqlite:FILE, or duckdb:FILE";
        Self::TableOrQuery => "E-DATABASE-005",
            "a database input does not specify exactly one of `table` and `query`",
            "set either `table`, such as \"schema.name\", or `query` with a single SELECT \
             statement";
        Self::NoDatabase { .. } => "E-DATABASE-006",
            "`table` or `query` is set, but the input is not a database",
            "remove `table` and `query`, or set `path` to the address of a database";
        Self::Name { .. } => "E-DATABASE-007", "the table name is invalid",
            "use a name such as visits, public.visits, or \"Schema.with.dots\".visits";
        Self::LongName { .. } => "E-DATABASE-008",
            "the table name exceeds the length limit of the database",
            "use a shorter name; the certificate is stored in a table with this name and the \
             suffix `_certificate`";
        Self::NotOneSelect { .. } => "E-DATABASE-009", "the query is not a single SELECT statement",
            "use one SELECT statement; if a name or text contains a semicolon, create a view in \
             the database";
        Self::SameName { .. } => "E-DATABASE-010", "two columns of the query have the same name",
            "give each column a distinct alias";
        Self::Refused { .. } => "E-DATABASE-011", "the database rejected the operation",
            "nothing was published; docs/databases.md lists the required privileges";
        Self::Beyond { .. } => "E-DATABASE-012",
            "a column contains values that are invalid in other databases",
            "exclude these rows, or cast the column to text in a `query`";
        Self::Exists { .. } => "E-DATABASE-013", "the table already exists",
            "choose another name, or replace the existing release with `--force`";
        Self::NotARelease { .. } => "E-DATABASE-014",
            "the existing table is not a release, so it is not replaced",
            "choose another table name; only a table with a certificate is replaced";
        Self::Busy { .. } => "E-DATABASE-015",
            "another process is writing the same release or has locked the database",
            "nothing was published; try again after the other process has finished";
        Self::NotCertified { .. } => "E-DATABASE-016",
            "the rows written in the database differ from the certified rows",
            "nothing was published; run the command again while no other process writes to the \
             table";
        Self::NotServed { .. } => "E-DATABASE-017", "the operation is not supported for databases",
            "remove `table` from [output] to write the release to files";
        Self::NoRelease { .. } => "E-DATABASE-018", "the table has no certificate",
            "specify the name of the released table, which is `table` in [output] of the policy";
        Self::Awaiting { .. } => "E-DATABASE-019", "the scripts have not been run in the database",
            "run the scripts in this order, store the result of each SELECT next to its script \
             under the same name as .csv or .parquet, and run the command again";
        Self::NotTheAnswer { .. } => "E-DATABASE-020", "the file is not the result of its script",
            "remove the file, run the script again, and store all rows with the column names";
        Self::NotOnCluster { .. } => "E-DATABASE-021",
            "the operation is not supported on a Ballista cluster",
            "see docs/cluster.md for supported operations; `indistinct` can read the same files on \
             one machine";
        Self::Unreachable { .. } => "E-DATABASE-022", "the database cannot be opened",
            "check the address; a server must be running and accept connections from this machine, \
             and a database file must exist";
        Self::OldDriver { .. } => "E-DATABASE-023",
            "a newer version of the database than the driver supports has written the file",
            "install a driver of the same version as the program that wrote the file; see \
             docs/databases.md";
        Self::HasDependents { .. } => "E-DATABASE-024",
            "other objects, such as views, depend on the table that would be replaced",
            "nothing was published; drop the dependent objects and create them again afterward, or \
             choose another table name";
        Self::ExternalAccess { .. } => "E-DATABASE-025",
            "a query or a view accesses files or servers outside the database",
            "a policy from someone else could read other files on this machine; if you trust the \
             query and the views, permit the access in the environment (see docs/databases.md)";
    }
    help {
        Self::ExternalAccess { variable, .. } =>
            format!("a policy from someone else could read other files on this machine; if you \
                     trust the query and the views, set {variable}=1 in the environment");
        Self::OldDriver { driver, .. } =>
            format!("the driver is '{}'; install a driver of the same version as the program that \
                     wrote the file, see docs/databases.md", driver.display());
        Self::NoDriver { package, install, looked_in, .. } =>
            format!("install the package {package}: `{install}`; searched in {looked_in}");
        Self::Awaiting { scripts, client } =>
            format!("{}; run the scripts in this order, store the result of each SELECT next to \
                     its script, and run the command again: {client}", shown(scripts));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_recognized_in_addresses_of_other_programs() {
        for address in [
            "POSTGRESQL://u:hunter2@h/db",
            "jdbc:postgresql://h/db?user=u&password=hunter2",
            "user=u password=hunter2 host=h",
            "Server=h;Database=d;Uid=u;Pwd=hunter2",
            "s3://KEY:hunter2@bucket/table",
            "https://h/x.csv?X-Amz-Signature=hunter2",
            "mysql://h/d?access_token=hunter2",
            "password = hunter2 user = u",
            "/policies/password=hunter2 user=u",
            "jdbc:oracle:thin:u/hunter2@h:1521/db",
            "https://h/x.csv?sv=2022&sig=hunter2",
        ] {
            assert!(may_contain_credential(address), "{address}");
        }
        for path in [
            "data/token=5/part.parquet",
            "postgresql://me@host:5432/clinic?sslmode=require&passfile=/etc/pass",
            "a:b@c.csv",
            "s3://bucket/2023/people.csv",
            "passwords.csv",
        ] {
            assert!(!may_contain_credential(path), "{path}");
        }
    }

    #[test]
    fn addresses_are_distinguished_from_paths() {
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
