//! Verifies a release directory against its certificate from its bytes alone; see
//! [`indistinct_release::verify`]. If the same version wrote the report, it is rendered again and
//! compared.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use indistinct_answers::release::WrittenRelease;
use indistinct_core::Observer;
use indistinct_engine::output::{fetch_release, private_dir};
use indistinct_engine::{EMIT, Input, InputSpec};
use indistinct_release::forms::ReadBack;
use indistinct_release::verify::{self as release, Question};
pub use indistinct_release::verify::{Check, Difference, Subject, Verification};
use indistinct_report::{check_report, report_of};
use indistinct_text::words;

use crate::PolicyText;
use crate::columns::input_of;
use crate::error::Error;
use crate::files;
use crate::session::Session;

/// A function that checks the report of a release.
type ReportCheck<'a> = dyn Fn(&ReadBack<'_>, &dyn Observer) -> Check + Sync + 'a;

/// The location of the rows of a release, which is required to verify the release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseLocation {
    directory: PathBuf,
    /// The database table that contains the rows; `None` if the rows are in the directory.
    table: Option<String>,
    /// The address of the data holder's database, if known.
    address: Option<PathBuf>,
}

impl ReleaseLocation {
    /// Returns the location of a release in a directory. The policy of the release names the table,
    /// and the private directory, if present, names the database.
    ///
    /// # Errors
    /// [`Error`] if the directory cannot have a private directory.
    pub fn in_directory(directory: &Path) -> Result<Self, Error> {
        let private = private_dir(directory)?;
        let text =
            |folder: &Path| files::read_text(&folder.join(files::POLICY)).unwrap_or_default();
        let of = |text: &str, folder: &Path| {
            Self::of_policy(PolicyText { text, name: files::POLICY, folder }, directory)
        };
        let (released, held) = (of(&text(directory), directory), of(&text(&private), &private));
        Ok(Self { address: held.address, ..released })
    }

    /// Returns the location for a user-supplied path: a release directory, a prefix of an object
    /// store, or a database with a table name.
    pub fn at(path: &Path, table: Option<&str>) -> Self {
        let (directory, address) = (path.to_owned(), Some(path.to_owned()));
        Self { directory, table: table.map(str::to_owned), address }
    }

    /// Returns the location of the release that a policy would create. Other parts of the policy
    /// may be missing or invalid.
    pub fn of_policy(policy: PolicyText<'_>, directory: &Path) -> Self {
        let table: toml::Table = policy.text.parse().unwrap_or_default();
        let table = table.get("output").and_then(|output| output.get("table")?.as_str());
        let address = input_of(policy).filter(InputSpec::is_address).map(|spec| spec.path);
        Self { directory: directory.to_owned(), table: table.map(str::to_owned), address }
    }

    /// Returns the location of a release that was just written.
    pub fn of_written(released: &WrittenRelease) -> Self {
        let directory = released.uploaded.as_ref().map(PathBuf::from);
        Self {
            directory: directory.unwrap_or_else(|| released.release.clone()),
            table: released.table.clone(),
            address: Some(released.input.clone()),
        }
    }

    /// Returns the database table that contains the rows.
    pub fn table(&self) -> Option<&str> {
        self.table.as_deref()
    }

    /// Returns the address of the database, if known.
    pub fn address(&self) -> Option<&Path> {
        self.table.as_ref().and(self.address.as_deref())
    }

    /// Returns the command that verifies the release. The command contains `ADDRESS` if the address
    /// of the database is unknown.
    pub fn command(&self) -> String {
        self.command_as(|path| path.display().to_string())
    }

    /// Returns the command that verifies the release. The caller decides how paths and addresses
    /// are displayed.
    pub fn command_as(&self, shown: impl Fn(&Path) -> String) -> String {
        let Some(name) = &self.table else {
            return format!("indistinct verify {}", words::in_shell(&shown(&self.directory)));
        };
        // With an `emit` address, the engine writes scripts and does not connect to a database.
        let address = self.address().filter(|it| !it.to_string_lossy().starts_with(EMIT));
        let address = address.map_or("ADDRESS".to_owned(), |it| words::in_shell(&shown(it)));
        format!("indistinct verify {address} --table {}", words::in_shell(name))
    }

    /// Verifies the release at its location: in a directory; in a database, which also stores the
    /// certificate; or at a prefix of an object store, from which the release is downloaded first.
    ///
    /// # Errors
    /// The errors of [`verify`]; [`Error`] if the release does not exist or if the address of its
    /// database is unknown.
    pub fn verify(
        &self,
        session: &Session,
        population: Option<&Path>,
    ) -> Result<Verification, Error> {
        self.verify_with(session, population, &check_report)
    }

    /// Verifies the release and renders its report with this version. Returns no report if the
    /// release does not match its certificate.
    ///
    /// # Errors
    /// The errors of [`ReleaseLocation::verify`].
    pub fn report(&self, session: &Session) -> Result<(Verification, Option<String>), Error> {
        let page = OnceLock::new();
        let render = |read: &ReadBack<'_>, observer: &dyn Observer| {
            let differences = match report_of(read, observer) {
                Ok(report) => {
                    page.get_or_init(|| report.page);
                    Vec::new()
                }
                Err(difference) => vec![difference],
            };
            Check::new(Subject::Report, differences)
        };
        let verified = self.verify_with(session, None, &render)?;
        let page = page.into_inner().filter(|_| verified.holds);
        Ok((verified, page))
    }

    fn verify_with(
        &self,
        session: &Session,
        population: Option<&Path>,
        report: &ReportCheck<'_>,
    ) -> Result<Verification, Error> {
        let (address, table) = (self.address(), self.table.clone());
        let spec = InputSpec {
            path: address.unwrap_or(&self.directory).to_owned(),
            table: address.and(table),
            ..InputSpec::default()
        };
        spec.check_credentials()?;
        if spec.table.is_none() && !spec.is_address() && !spec.is_object() {
            return verify_rows(session, &self.directory, None, population, report);
        }
        let engine = session.engine();
        let folder = tempfile::tempdir().map_err(|error| Error::io(Path::new("."), &error))?;
        let rows = match spec.path.to_str().filter(|_| spec.is_object()) {
            Some(address) => {
                fetch_release(engine.sources(), address, folder.path())?;
                None
            }
            None => Some(engine.released(&spec, folder.path())?),
        };
        verify_rows(session, folder.path(), rows.as_ref(), population, report)
    }
}

/// Verifies a release directory against its certificate.
///
/// `population` is a population table whose quasi-identifiers have the released labels, like the
/// file in the private directory. With this table, the data holder's statements about presence are
/// verified as well.
///
/// # Errors
/// [`Error`] if the directory or its certificate is missing or unreadable, or if the rows are in a
/// database (use [`ReleaseLocation::verify`] instead). A false claim is an answer, not an error.
pub fn verify(
    session: &Session,
    directory: &Path,
    population: Option<&Path>,
) -> Result<Verification, Error> {
    verify_rows(session, directory, None, population, &check_report)
}

fn verify_rows(
    session: &Session,
    directory: &Path,
    rows: Option<&Input>,
    population: Option<&Path>,
    report: &ReportCheck<'_>,
) -> Result<Verification, Error> {
    let (engine, kinds) = (session.without_cache().engine(), session.methods().kinds());
    let methods = &kinds[..];
    let question = Question { directory, engine: &*engine, methods, rows, population, report };
    session.run(|observer| Ok(release::verify(&question, observer)?))
}
