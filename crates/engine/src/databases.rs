//! Addresses of databases, and errors that concern database tables.
//!
//! A separate crate connects to databases; the default build does not include it.

use std::path::{Path, PathBuf};

use indistinct_diagnostics::errors;

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
    // A folder name of a partitioned table, such as `token=5/part.parquet`, is not a parameter.
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

errors! {
    /// The reason that a database table cannot be read or written.
    ///
    /// Messages contain table names, column names, and messages of the database, but never a cell
    /// of a table or a credential.
    #[non_exhaustive]
    pub enum TableError {
        /// The address has an unknown scheme.
        #[error("addresses that start with '{scheme}:' are not supported")]
        #[code("E-DATABASE-001", "builds with `--features databases` support postgresql://, \
                sqlite:, duckdb:, spark://, and script folders such as emit+postgresql:FOLDER; \
                indistinct-cluster supports ballista://; see docs/databases.md")]
        NoEngine {
            /// Scheme of the address.
            scheme: String,
        },
        /// The database driver is missing or cannot be loaded.
        #[error(
            "the driver for {database} {}",
            match reason {
                Some(reason) => format!("cannot be used: {reason}"),
                None => "was not found".to_owned(),
            }
        )]
        #[code("E-DATABASE-002", "run `indistinct drivers` to list the installed drivers and \
                instructions for installing others")]
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
        /// The address of the table contains a credential.
        #[error("the address of the table contains a password or another credential")]
        #[code("E-DATABASE-003", "use an address without a password, such as \
                postgresql://user@host/database; set the password in the environment (PGPASSWORD), \
                ~/.pgpass, or a service file")]
        Password,
        /// The database address is incomplete.
        #[error("the address of the {database} database is incomplete")]
        #[code("E-DATABASE-004", "use an address such as postgresql://user@host/database, \
                sqlite:FILE, or duckdb:FILE")]
        Address {
            /// Kind of database.
            database: &'static str,
        },
        /// A database input does not specify exactly one of `table` and `query`.
        #[error("a database input requires exactly one of `table` and `query`")]
        #[code("E-DATABASE-005", "set either `table`, such as \"schema.name\", or `query` with a \
                single SELECT statement")]
        TableOrQuery,
        /// `table` or `query` is set, but the input is not a database.
        #[error("`table` and `query` require a database, but '{}' is a file", path.display())]
        #[code("E-DATABASE-006", "remove `table` and `query`, or set `path` to the address of a \
                database")]
        NoDatabase {
            /// Path of the input.
            path: PathBuf,
        },
        /// The table name is invalid.
        #[error("'{name}' is not a valid table name")]
        #[code("E-DATABASE-007", "use a name such as visits, public.visits, or \
                \"Schema.with.dots\".visits")]
        Name {
            /// Name of the table.
            name: String,
        },
        /// The table name exceeds the length limit of the database.
        #[error("the name of the released table is longer than {limit_bytes} bytes")]
        #[code("E-DATABASE-008", "use a shorter name, because the certificate is stored in a table \
                with this name and the suffix `_certificate`")]
        LongName {
            /// Maximum length of a name in bytes.
            limit_bytes: usize,
        },
        /// The query is not a single SELECT statement.
        #[error("the query in the policy is not a single SELECT statement: {reason}")]
        #[code("E-DATABASE-009", "use one SELECT statement; if a name or text contains a \
                semicolon, create a view in the database")]
        NotOneSelect {
            /// Reason for the error.
            reason: String,
        },
        /// Two columns of the query have the same name.
        #[error("the query returns several columns named '{column}'")]
        #[code("E-DATABASE-010", "give each column a distinct alias")]
        SameName {
            /// Name that occurs twice.
            column: String,
        },
        /// The database rejected the operation.
        #[error("{database} failed {doing}: {reason}")]
        #[code("E-DATABASE-011", "nothing was published; docs/databases.md lists the required \
                privileges")]
        Refused {
            /// Kind of database.
            database: &'static str,
            /// Requested operation.
            doing: &'static str,
            /// Message of the database, without values.
            reason: String,
        },
        /// The database cannot be opened.
        #[error("the {database} database cannot be opened: {reason}")]
        #[code("E-DATABASE-022", "check the address; a server must be running and accept \
                connections from this machine, and a database file must exist")]
        Unreachable {
            /// Kind of database.
            database: &'static str,
            /// Message of the database, without values.
            reason: String,
        },
        /// The file was written by a newer version of the database than the driver supports.
        #[error("the driver for {database} is too old for the database: {reason}")]
        #[code("E-DATABASE-023", "install a driver of the same version as the program that wrote \
                the file; see docs/databases.md")]
        OldDriver {
            /// Kind of database.
            database: &'static str,
            /// Message of the database, without values.
            reason: String,
            /// Path of the driver.
            driver: PathBuf,
        },
        /// Other objects, such as views, depend on the table that would be replaced.
        #[error("{database} cannot replace the table: {reason}")]
        #[code("E-DATABASE-024", "nothing was published; drop the dependent objects and create \
                them again afterward, or choose another table name")]
        HasDependents {
            /// Kind of database.
            database: &'static str,
            /// Message of the database, without values.
            reason: String,
        },
        /// A query or a view accesses files or servers outside the database.
        #[error("{database} rejected access to files outside the database")]
        #[code("E-DATABASE-025", "a policy from an untrusted source could read other files on this \
                machine; if you trust the query and the views, permit the access in the \
                environment (see docs/databases.md)")]
        ExternalAccess {
            /// Kind of database.
            database: &'static str,
            /// Environment variable that permits the access.
            variable: &'static str,
        },
        /// A column contains values that are invalid in other databases.
        #[error("column '{column}' contains values that the type {data_type} cannot represent")]
        #[code("E-DATABASE-012", "exclude these rows, or cast the column to text in a `query`")]
        Beyond {
            /// Name of the column.
            column: String,
            /// Type of the column.
            data_type: String,
        },
        /// The table already exists.
        #[error("{table} already exists")]
        #[code("E-DATABASE-013", "choose another name, or replace the existing release with \
                `--force`")]
        Exists {
            /// Name of the table.
            table: String,
        },
        /// The existing table is not a release, so it is not replaced.
        #[error("{table} is not a release of Indistinct, so it was not replaced")]
        #[code("E-DATABASE-014", "choose another table name; only a table with a certificate is \
                replaced")]
        NotARelease {
            /// Name of the table.
            table: String,
        },
        /// Another process is writing the same release or has locked the database.
        #[error("another process is writing {table}")]
        #[code("E-DATABASE-015", "nothing was published; try again after the other process has \
                finished")]
        Busy {
            /// Name of the table, or the kind of database.
            table: String,
        },
        /// The rows written in the database differ from the certified rows.
        #[error("the rows for {table} differ from the certified rows")]
        #[code("E-DATABASE-016", "nothing was published; run the command again while no other \
                process writes to the table")]
        NotCertified {
            /// Name of the target table.
            table: String,
        },
        /// The operation is not supported for databases.
        #[error("this operation is not supported for databases: {what}")]
        #[code("E-DATABASE-017", "remove `table` from [output] to write the release to files")]
        NotServed {
            /// Description of the operation.
            what: &'static str,
        },
        /// The scripts have not been run in the database.
        #[error(
            "the results of {} are missing",
            indistinct_diagnostics::words::counted(scripts.len() as u64, "script", "scripts")
        )]
        #[code("E-DATABASE-019", "run the scripts in this order, store the result of each SELECT \
                next to its script under the same name as .csv or .parquet, and run the command \
                again")]
        Awaiting {
            /// The scripts, in execution order.
            scripts: Vec<PathBuf>,
            /// Command that runs a script.
            client: String,
        },
        /// The file does not contain the result of its script.
        #[error("'{}' is not the result of its script: {what}", path.display())]
        #[code("E-DATABASE-020", "remove the file, run the script again, and store all rows with \
                the column names")]
        NotTheAnswer {
            /// Path of the file.
            path: PathBuf,
            /// Reason that the file is not accepted as the result of the script.
            what: &'static str,
        },
        /// The operation is not supported on a Ballista cluster.
        #[error("this operation is not supported on the cluster: {what}")]
        #[code("E-DATABASE-021", "see docs/cluster.md for supported operations; `indistinct` can \
                read the same files on one machine")]
        NotOnCluster {
            /// Description of the operation.
            what: &'static str,
        },
        /// The table has no certificate.
        #[error("{table} is not a release: its certificate is missing")]
        #[code("E-DATABASE-018", "specify the name of the released table, which is `table` in \
                [output] of the policy")]
        NoRelease {
            /// Name of the table.
            table: String,
        },
    }
    help {
        Self::ExternalAccess { variable, .. } =>
            format!("a policy from an untrusted source could read other files on this machine; if \
                     you trust the query and the views, set {variable}=1 in the environment");
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

/// Returns the paths as a comma-separated list.
fn shown(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
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
