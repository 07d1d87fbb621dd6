//! The workspace folder, which contains all files that the studio reads or writes.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use indistinct::InputSpec;

use crate::texts::{fill, t};

/// The reason for refusing a request, as displayed on the page. The text contains no cells from a
/// table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

impl Refusal {
    /// Creates a refusal with the text for the given key.
    pub(crate) fn new(key: &str) -> Self {
        Self(t(key).to_owned())
    }

    /// Creates a refusal with a text about a name, a path, or a number.
    pub(crate) fn about(key: &str, name: &str) -> Self {
        Self(fill(key, [name]))
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A folder and all its subfolders.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    /// Database addresses that the user has typed. The studio does not connect to other servers,
    /// even if a policy from another person names them.
    addresses: Mutex<BTreeSet<String>>,
}

/// The contents of the folder, as relative paths.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) tables: Vec<String>,
    pub(crate) policies: Vec<String>,
    pub(crate) databases: Vec<String>,
    pub(crate) ledgers: Vec<String>,
    pub(crate) releases: Vec<String>,
}

/// File extensions of databases.
const DATABASES: [&str; 4] = [".sqlite", ".sqlite3", ".db", ".duckdb"];
const TABLES: [&str; 10] = [
    ".csv", ".tsv", ".csv.gz", ".csv.zst", ".parquet", ".arrow", ".feather", ".json", ".ndjson",
    ".dta",
];
/// The maximum depth of subfolders in a listing.
const DEPTH: usize = 3;
/// The maximum number of files in a listing.
const MOST_FILES: usize = 2_000;
/// The file that identifies a release folder.
const CERTIFICATE: &str = "certificate.json";
const PRIVATE: &str = ".private";

impl Workspace {
    /// Opens a workspace.
    ///
    /// # Errors
    /// [`Refusal`] if the folder does not exist.
    pub(crate) fn new(root: &Path) -> Result<Self, Refusal> {
        let found = root.canonicalize().ok().filter(|root| root.is_dir());
        match found {
            Some(root) => Ok(Self { root, addresses: Mutex::default() }),
            None => Err(Refusal::about("not_a_folder", &root.display().to_string())),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns a path relative to the workspace.
    pub(crate) fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned()
    }

    /// Returns a database address, relative to the workspace if the database is a file.
    pub(crate) fn shown_address(&self, path: &Path) -> String {
        let text = path.to_string_lossy();
        match text.split_once(':') {
            Some((scheme, file)) if in_file(&text) == file => {
                format!("{scheme}:{}", self.shown(Path::new(file)))
            }
            _ => self.shown(path),
        }
    }

    /// Resolves an existing path. Symbolic links are followed, and must not lead outside the
    /// workspace.
    pub(crate) fn existing(&self, path: &str) -> Result<PathBuf, Refusal> {
        let outside = || Refusal::about("outside", path);
        let inside = self.plain(path).ok_or_else(outside)?;
        let real = inside.canonicalize().map_err(|_| Refusal::about("not_there", path))?;
        if real.starts_with(&self.root) { Ok(real) } else { Err(outside()) }
    }

    /// Resolves the path of a new file, whose parent folder must exist.
    pub(crate) fn fresh(&self, path: &str) -> Result<PathBuf, Refusal> {
        let outside = || Refusal::about("outside", path);
        let inside = self.plain(path).ok_or_else(outside)?;
        let name = inside.file_name().ok_or_else(outside)?.to_owned();
        let parent = inside.parent().ok_or_else(outside)?;
        let folder = parent.canonicalize().map_err(|_| Refusal::about("no_folder_for", path))?;
        let place = folder.join(name);
        let leads_out = place.canonicalize().is_ok_and(|real| !real.starts_with(&self.root));
        if folder.starts_with(&self.root) && !leads_out { Ok(place) } else { Err(outside()) }
    }

    /// Normalizes a path within the workspace without access to the file system. Rejects `..`.
    fn plain(&self, path: &str) -> Option<PathBuf> {
        let path = Path::new(path);
        let path = path.strip_prefix(&self.root).unwrap_or(path);
        let is_plain =
            path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let is_text = path.to_str().is_some_and(|text| !text.is_empty() && !text.contains('\0'));
        (is_plain && is_text).then(|| self.root.join(path))
    }

    /// Allows policies to use a database address.
    pub(crate) fn allow(&self, address: &str) {
        self.addresses.lock().expect("no panic").insert(address.to_owned());
    }

    /// Allows a policy to use the addresses that it names, because the user passed this policy
    /// explicitly.
    pub(crate) fn allow_those_of(&self, text: &str) {
        let Ok(document) = text.parse::<toml_edit::DocumentMut>() else { return };
        let mut paths = Vec::new();
        collect(document.as_item(), "", &mut paths);
        paths.iter().filter(|path| is_server(path)).for_each(|path| self.allow(path));
    }

    fn allows(&self, address: &str) -> bool {
        self.addresses.lock().expect("no panic").contains(address)
    }

    /// Checks whether the studio may connect to the database of a release. A release folder from
    /// another person must not make the studio connect to a server.
    pub(crate) fn check_address(&self, address: &Path) -> Result<(), Refusal> {
        let address = toml_edit::Value::from(address.to_string_lossy().as_ref());
        self.check_policy(&format!("path = {address}"), &self.root)
            .map_err(|_| Refusal::new("release_elsewhere"))
    }

    /// Checks whether all files that a policy names are within the workspace. `folder` contains the
    /// policy.
    pub(crate) fn check_policy(&self, text: &str, folder: &Path) -> Result<(), Refusal> {
        let Ok(document) = text.parse::<toml_edit::DocumentMut>() else { return Ok(()) };
        let mut paths = Vec::new();
        collect(document.as_item(), "", &mut paths);
        for path in paths {
            if is_server(&path) {
                if self.allows(&path) {
                    continue;
                }
                return Err(Refusal::new("address_not_allowed"));
            }
            if self.leads_out(&folder.join(in_file(&path))) {
                return Err(Refusal::new("outside_of_policy"));
            }
        }
        Ok(())
    }

    /// Returns whether a path, a file that matches it as a pattern, or a file in it as a folder, is
    /// outside the workspace. Symbolic links are followed. If a path does not exist, only the
    /// existing part is checked.
    fn leads_out(&self, path: &Path) -> bool {
        let is_outside = |path: &Path| {
            let real = path.ancestors().find_map(|part| part.canonicalize().ok());
            real.is_none_or(|real| !real.starts_with(&self.root))
        };
        // The operating system resolves `..` after symbolic links, and reports an error for missing
        // folders.
        if is_outside(path) || is_outside(&resolved(path)) {
            return true;
        }
        let matches = glob::glob(&path.to_string_lossy()).into_iter().flatten().flatten();
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        matches.chain(entries.map(|entry| entry.path())).any(|file| is_outside(&file))
    }

    /// Lists the files that can be opened.
    pub(crate) fn listing(&self) -> Listing {
        let mut listing = Listing::default();
        let mut left = MOST_FILES;
        self.list(&self.root, DEPTH, &mut left, &mut listing);
        for list in [
            &mut listing.tables,
            &mut listing.policies,
            &mut listing.databases,
            &mut listing.ledgers,
            &mut listing.releases,
        ] {
            list.sort();
        }
        listing
    }

    fn list(&self, folder: &Path, depth: usize, left: &mut usize, listing: &mut Listing) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            let Ok(kind) = entry.file_type() else { continue };
            if *left == 0 || name.starts_with('.') || kind.is_symlink() {
                continue;
            }
            *left -= 1;
            let shown = self.shown(&path);
            if kind.is_dir() {
                if path.join(CERTIFICATE).is_file() {
                    listing.releases.push(shown);
                } else if depth > 0
                    && !name.ends_with(PRIVATE)
                    && name != "target"
                    && name != "node_modules"
                {
                    self.list(&path, depth - 1, left, listing);
                }
            } else if name.ends_with(".toml") {
                let is_policy = std::fs::read_to_string(&path)
                    .is_ok_and(|text| text.lines().any(|line| line.starts_with("[attributes.")));
                if is_policy {
                    listing.policies.push(shown);
                }
            } else if name.ends_with(".ledger") {
                listing.ledgers.push(shown);
            } else if DATABASES.iter().any(|ending| name.ends_with(ending)) {
                listing.databases.push(shown);
            } else if (TABLES.iter().any(|ending| name.ends_with(ending)) || is_spreadsheet(&name))
                && !name.ends_with(crate::history::ENDING)
            {
                listing.tables.push(shown);
            }
        }
    }

    /// Resolves a file of a release or of its private directory. `path` is relative to the
    /// workspace.
    pub(crate) fn of_release(&self, path: &str) -> Result<PathBuf, Refusal> {
        let real = self.existing(path)?;
        let is_release = |folder: &Path| {
            let public = match folder.to_string_lossy().strip_suffix(PRIVATE) {
                Some(public) => PathBuf::from(public),
                None => folder.to_owned(),
            };
            folder.starts_with(&self.root) && public.join(CERTIFICATE).is_file()
        };
        let is_part = real.ancestors().skip(1).any(is_release);
        if real.is_file() && is_part {
            return Ok(real);
        }
        Err(Refusal::about("not_of_a_release", path))
    }
}

/// Returns whether a file may contain several sheets.
pub(crate) fn is_spreadsheet(name: &str) -> bool {
    InputSpec { path: name.into(), ..InputSpec::default() }.is_spreadsheet()
}

/// The address schemes of databases in files. A path follows each scheme.
const IN_FILES: [&str; 2] = ["sqlite:", "duckdb:"];

/// Returns the path of a database file. Returns other addresses unchanged.
fn in_file(text: &str) -> &str {
    IN_FILES.iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or(text)
}

/// Returns whether a text is a server address such as `postgresql://host/name` instead of a path.
fn is_server(text: &str) -> bool {
    let is_of_scheme = |c: char| c.is_ascii_alphanumeric() || "+.-".contains(c);
    let has_scheme = text
        .split_once(':')
        .is_some_and(|(scheme, _)| scheme.len() > 1 && scheme.chars().all(is_of_scheme));
    has_scheme && in_file(text) == text
}

/// Removes `..` components lexically, without access to the file system.
fn resolved(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

/// The policy keys whose values are paths.
const PATH_KEYS: [&str; 5] = ["path", "csv", "plan", "population", "key_file"];

/// Returns the files that a policy names, except for databases on servers.
pub(crate) fn named_files(text: &str) -> Vec<String> {
    let Ok(document) = text.parse::<toml_edit::DocumentMut>() else { return Vec::new() };
    let mut paths = Vec::new();
    collect(document.as_item(), "", &mut paths);
    paths.retain(|path| !is_server(path));
    paths.iter().map(|path| in_file(path).to_owned()).collect()
}

fn collect(item: &toml_edit::Item, key: &str, paths: &mut Vec<String>) {
    if let Some(table) = item.as_table_like() {
        for (key, item) in table.iter() {
            collect(item, key, paths);
        }
    } else if let Some(tables) = item.as_array_of_tables() {
        for table in tables.iter() {
            for (key, item) in table.iter() {
                collect(item, key, paths);
            }
        }
    } else if let Some(array) = item.as_array() {
        for value in array.iter() {
            collect(&toml_edit::Item::Value(value.clone()), key, paths);
        }
    } else if let Some(text) = item.as_str()
        && PATH_KEYS.contains(&key)
    {
        paths.push(text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = folder.path().join("in");
        std::fs::create_dir_all(inside.join("sub")).expect("made");
        std::fs::write(folder.path().join("other.csv"), "a\n1\n").expect("written");
        std::fs::write(inside.join("table.csv"), "a\n1\n").expect("written");
        let place = Workspace::new(&inside).expect("a folder");
        (folder, place)
    }

    #[test]
    fn paths_outside_workspace_are_rejected() {
        let (folder, place) = place();
        assert!(place.existing("table.csv").is_ok());
        assert!(place.fresh("sub/new.toml").is_ok());
        let absolute = folder.path().join("other.csv");
        for path in [
            "../other.csv",
            "sub/../../other.csv",
            "/etc/passwd",
            "",
            "a\0b",
            &absolute.to_string_lossy(),
        ] {
            assert!(place.existing(path).is_err(), "{path}");
            assert!(place.fresh(path).is_err(), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn symlinks_outside_workspace_are_rejected() {
        let (folder, place) = place();
        let link = place.root().join("link.csv");
        std::os::unix::fs::symlink(folder.path().join("other.csv"), link).expect("linked");
        assert!(place.existing("link.csv").is_err());
        assert!(place.fresh("link.csv").is_err());
        assert!(place.listing().tables.iter().all(|table| table != "link.csv"));
    }

    #[test]
    fn policy_paths_must_be_within_workspace() {
        let (_folder, place) = place();
        let check = |text: &str| place.check_policy(text, &place.root().join("sub"));
        assert!(check("[input]\npath = \"../table.csv\"").is_ok());
        assert!(check("[input]\npath = \"parts/*.csv\"").is_ok());
        for text in [
            "[input]\npath = \"../../other.csv\"",
            "[input]\npath = \"/etc/passwd\"",
            "[input]\npath = \"../../*.csv\"",
            "[attributes.a]\nhierarchy = { csv = \"../../other.csv\" }",
            "[[principles]]\nkind = \"delta-presence\"\npopulation = \"../../other.csv\"",
            "[input]\npath = \"sqlite:../../other.db\"",
            "[input]\npath = \"duckdb:/tmp/other.db\"",
            "[input]\npath = \"sqlite://host/name\"",
            "[input]\npath = \"file:///etc/passwd\"",
            "[input]\npath = \"postgresql://host/name\"",
            "[recoding]\nplan = \"/tmp/plan.toml\"",
        ] {
            assert!(check(text).is_err(), "{text}");
        }
        assert!(check("[input]\npath = \"sqlite:../table.db\"").is_ok());
    }

    /// Patterns and folders can match files outside the workspace through `..` or symbolic links.
    #[cfg(unix)]
    #[test]
    fn path_patterns_cannot_match_outside_workspace() {
        let (folder, place) = place();
        let link = |from: &Path, name: &str| {
            std::os::unix::fs::symlink(from, place.root().join(name)).expect("linked");
        };
        link(&folder.path().join("other.csv"), "link.csv");
        link(folder.path(), "shared");
        let check =
            |path: &str| place.check_policy(&format!("[input]\npath = \"{path}\""), place.root());
        for path in [
            "s*/../../other.csv",
            "sqlite:s*/../../other.db",
            "none/../../other.csv",
            "lin*.csv",
            "*.csv",
            "sh*/other.csv",
            "shared",
            "shared/../other.csv",
            ".",
        ] {
            assert!(check(path).is_err(), "{path}");
        }
        for path in ["t*.csv", "sub/*.csv", "sub", "none.csv", "sub/../table.csv"] {
            assert!(check(path).is_ok(), "{path}");
        }
    }

    #[test]
    fn policy_connects_only_to_allowed_databases() {
        let (_folder, place) = place();
        let text = "[input]\npath = \"postgresql://host/name\"";
        let check = || place.check_policy(text, place.root());
        assert!(check().is_err());
        place.allow("postgresql://host/other");
        assert!(check().is_err());
        place.allow("postgresql://host/name");
        assert!(check().is_ok());
        let (_folder, place) = self::place();
        place.allow_those_of(text);
        assert!(place.check_policy(text, place.root()).is_ok());
    }
}
