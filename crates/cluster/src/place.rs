//! The location of tables on a cluster, which consists of a scheduler and a shared folder.

use std::path::{Component, Path, PathBuf};

use indistinct_engine::TableError;

/// The name of the system in messages.
pub(crate) const NAME: &str = "Ballista";

/// The scheme of cluster addresses.
const SCHEME: &str = "ballista";

/// The default port of a scheduler.
pub(crate) const PORT: u16 = 50050;

/// A folder with tables, and the scheduler of the cluster that reads them.
#[derive(Debug, Clone)]
pub(crate) struct ClusterLocation {
    /// The address as entered by the user.
    pub(crate) address: String,
    /// The host and port of the scheduler.
    pub(crate) scheduler: String,
    /// The absolute path of the folder.
    folder: PathBuf,
}

impl ClusterLocation {
    /// Parses an address such as `ballista://host:50050/srv/clinic`. Returns `None` if the address
    /// does not belong to a cluster.
    pub(crate) fn parse(path: &Path) -> Result<Option<Self>, TableError> {
        let Some(address) = path.to_str() else { return Ok(None) };
        let Some((SCHEME, rest)) = indistinct_engine::scheme(address) else { return Ok(None) };
        let incomplete = || TableError::Address { database: NAME };
        let rest = rest.strip_prefix("//").ok_or_else(incomplete)?;
        let (authority, folder) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if authority.contains('@') {
            return Err(TableError::Password);
        }
        let scheduler = match authority.rsplit_once(':') {
            Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
                authority.to_owned()
            }
            None if !authority.is_empty() => format!("{authority}:{PORT}"),
            _ => return Err(incomplete()),
        };
        if folder.len() < 2 || folder.contains('\0') {
            return Err(incomplete());
        }
        Ok(Some(Self { address: address.to_owned(), scheduler, folder: folder.into() }))
    }

    /// Returns the path of the file or folder of a table, which must be below the cluster's folder.
    pub(crate) fn table(&self, name: &str) -> Result<PathBuf, TableError> {
        let is_below =
            Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        match is_below && !name.is_empty() && !name.contains('\0') && !name.ends_with('/') {
            true => Ok(self.folder.join(name)),
            false => Err(TableError::Name { name: name.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(address: &str) -> String {
        use indistinct_diagnostics::Coded;
        match ClusterLocation::parse(Path::new(address)) {
            Ok(Some(place)) => format!("{} {}", place.scheduler, place.folder.display()),
            Ok(None) => "none".to_owned(),
            Err(error) => error.code().to_owned(),
        }
    }

    #[test]
    fn addresses_contain_scheduler_and_folder() {
        assert_eq!(outcome("ballista://host:1/srv/clinic"), "host:1 /srv/clinic");
        assert_eq!(outcome("ballista://host/srv"), "host:50050 /srv");
        assert_eq!(outcome("postgresql://host/srv"), "none");
        assert_eq!(outcome("clinic.csv"), "none");
        for incomplete in
            ["ballista://host", "ballista://host/", "ballista:///srv", "ballista://host:x/srv"]
        {
            assert_eq!(outcome(incomplete), "E-DATABASE-004", "{incomplete}");
        }
        assert_eq!(outcome("ballista://me:word@host/srv"), "E-DATABASE-003");
    }

    #[test]
    fn table_path_must_be_inside_folder() {
        let place =
            ClusterLocation::parse(Path::new("ballista://host/srv")).expect("whole").expect("one");
        assert_eq!(place.table("a/b.parquet").expect("below"), Path::new("/srv/a/b.parquet"));
        for wrong in ["", "..", "../a", "/etc/passwd", "a/", "a/../../b", "."] {
            assert!(place.table(wrong).is_err(), "{wrong}");
        }
    }
}
