//! Addresses of databases, and what can go wrong with a table there.
//!
//! Who speaks to databases is a crate of its own, which the default build leaves out.

use std::path::{Path, PathBuf};

use indistinct_diagnostics::codes;

/// What is written in the place of a path where standard input is meant.
pub(crate) const STANDARD_INPUT: &str = "-";

/// The scheme of an address that is no file's, and what follows its colon: `postgresql://...`, `sqlite:FILE`, `duckdb:FILE`.
pub fn scheme(address: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = address.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_lowercase())
        && scheme
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "+-.".contains(c));
    let is_meant = rest.starts_with("//") || is_path(scheme);
    (is_scheme && is_meant).then_some((scheme, rest))
}

/// Databases in files: what follows the colon is a path.
const IN_FILES: [&str; 2] = ["sqlite", "duckdb"];

/// What precedes the name of a dialect where scripts are written for it: what follows the colon is their folder.
pub const EMIT: &str = "emit+";

fn is_path(scheme: &str) -> bool {
    IN_FILES.contains(&scheme) || scheme.starts_with(EMIT)
}

/// Where something is that a policy names, which lies in a folder; `-`, which is standard input, lies in none.
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

/// Why a table of a database cannot be read or written.
///
/// Messages name tables and columns, and what the database says of them; never a cell of a table, and no credentials.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The address has an unknown scheme.
    #[error("addresses that start with '{scheme}:' are unsupported")]
    NoEngine {
        /// The scheme.
        scheme: String,
    },
    /// The driver is not there, or cannot be loaded.
    #[error("the driver for {database} {}", reason.as_deref().map_or("was not found".to_owned(), |it| format!("does not work: {it}")))]
    NoDriver {
        /// The kind of database.
        database: &'static str,
        /// What brings the driver.
        package: &'static str,
        /// How that is put where it is looked for.
        install: String,
        /// The places that were searched.
        looked_in: String,
        /// Why what was found does not do.
        reason: Option<String>,
    },
    /// A password in an address.
    #[error("the address of the database holds a password")]
    Password,
    /// The address is incomplete.
    #[error("the address of the {database} database is not complete")]
    Address {
        /// The kind of database.
        database: &'static str,
    },
    /// An input that names neither or both.
    #[error("a database needs either a `table` or a `query`")]
    TableOrQuery,
    /// A `table` or a `query` of something that has none.
    #[error("`table` and `query` require a database, but '{}' is a file", path.display())]
    NoDatabase {
        /// The path.
        path: PathBuf,
    },
    /// A name of a table that cannot be read.
    #[error("'{name}' is not the name of a table")]
    Name {
        /// The name.
        name: String,
    },
    /// A name beyond what the database keeps of it.
    #[error("the name of the released table has more than {limit_bytes} bytes")]
    LongName {
        /// The longest name.
        limit_bytes: usize,
    },
    /// A query that does not only read, or may not.
    #[error("the query of the policy is not a single SELECT: {reason}")]
    NotOneSelect {
        /// The reason.
        reason: String,
    },
    /// Two columns with one name.
    #[error("there are several columns named '{column}'")]
    SameName {
        /// The name.
        column: String,
    },
    /// The database refuses.
    #[error("{database} refuses {doing}: {reason}")]
    Refused {
        /// The kind of database.
        database: &'static str,
        /// The requested operation.
        doing: &'static str,
        /// Its message, without values.
        reason: String,
    },
    /// Values of a column's type that have no place in it here, such as an infinite date.
    #[error("column '{column}' contains values that are not plain {data_type}")]
    Beyond {
        /// The column.
        column: String,
        /// The type.
        data_type: String,
    },
    /// There is such a table already.
    #[error("{table} already exists")]
    Exists {
        /// The table.
        table: String,
    },
    /// The table exists and is not a release.
    #[error("{table} is not a release of Indistinct and is not replaced")]
    NotARelease {
        /// The table.
        table: String,
    },
    /// Another process is writing it.
    #[error("another process is writing {table}")]
    Busy {
        /// The table, or the kind of database.
        table: String,
    },
    /// The staged rows differ from the certified ones.
    #[error("the rows for {table} are not those that were certified")]
    NotCertified {
        /// The target.
        table: String,
    },
    /// An unsupported operation.
    #[error("this cannot be done in a database: {what}")]
    NotServed {
        /// What, in words.
        what: &'static str,
    },
    /// Scripts whose results are missing.
    #[error("the results of {} are missing", indistinct_diagnostics::words::counted(scripts.len() as u64, "script", "scripts"))]
    Awaiting {
        /// The scripts, in the order in which they are run.
        scripts: Vec<PathBuf>,
        /// How one is run.
        client: String,
    },
    /// A file that is not the answer of its script.
    #[error("'{}' is not the answer of its script: {what}", path.display())]
    NotTheAnswer {
        /// The file.
        path: PathBuf,
        /// Why.
        what: &'static str,
    },
    /// What a cluster of Ballista cannot do, or is not asked to.
    #[error("this cannot be done on the cluster: {what}")]
    NotOnCluster {
        /// What, in words.
        what: &'static str,
    },
    /// No release of that name.
    #[error("{table} is not a release: it has no certificate")]
    NoRelease {
        /// The table.
        table: String,
    },
}

/// Paths, one after the other.
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
