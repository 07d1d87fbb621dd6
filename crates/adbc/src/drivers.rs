//! Locates and loads ADBC drivers, which are shared libraries.
//!
//! Drivers are loaded by [`ManagedDriver::load_dynamic_from_filename`], which is a safe function,
//! so this crate contains no unsafe code. Because the behavior of a loaded library cannot be
//! controlled, drivers are loaded only from folders that the user specified or owns, never from the
//! current directory.

use std::path::{Path, PathBuf};

use adbc_core::options::AdbcVersion;
use adbc_driver_manager::ManagedDriver;
use indistinct_engine::TableError;

use crate::driver::{Driver, REGISTRY};

/// Environment variable that lists the folders to search first.
pub const VARIABLE: &str = "INDISTINCT_DRIVERS";

/// A kind of database and its installed driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverEntry {
    /// Kind of database.
    pub database: &'static str,
    /// Schemes of database addresses.
    pub schemes: &'static [&'static str],
    /// Path of the driver, if installed.
    pub driver: Option<PathBuf>,
    /// Package that contains the driver.
    pub package: &'static str,
    /// Instructions for installing the driver.
    pub install: String,
}

/// Returns the installed driver of each kind of database, without loading it.
pub fn found() -> Vec<DriverEntry> {
    let describe = |driver: &&'static Driver| DriverEntry {
        database: driver.dialect().name,
        schemes: driver.schemes,
        driver: find(driver),
        package: driver.package,
        install: install(driver),
    };
    REGISTRY.iter().map(describe).collect()
}

/// Returns the folders in search order.
pub fn folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = std::env::var_os(VARIABLE)
        .map(|named| std::env::split_paths(&named).filter(|folder| folder.is_absolute()).collect())
        .unwrap_or_default();
    folders.extend(own_folder());
    if let Some(environment) = absolute("VIRTUAL_ENV") {
        let pattern = environment.join("lib/python3*/site-packages");
        let found = glob_of(&pattern);
        folders.extend(found);
    }
    folders.extend(["/usr/local/lib", "/usr/lib"].map(PathBuf::from));
    folders
}

/// Returns the folder for the user's drivers.
fn own_folder() -> Option<PathBuf> {
    let data =
        absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))?;
    Some(data.join("indistinct/drivers"))
}

fn absolute(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Returns the folders `lib/python3*/site-packages` of a virtual environment.
fn glob_of(pattern: &Path) -> Vec<PathBuf> {
    let Some(lib) = pattern.parent().and_then(Path::parent) else { return Vec::new() };
    let Ok(entries) = std::fs::read_dir(lib) else { return Vec::new() };
    let is_python = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("python3"))
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_python);
    let mut found: Vec<PathBuf> = paths.map(|path| path.join("site-packages")).collect();
    found.sort();
    found
}

fn find(driver: &Driver) -> Option<PathBuf> {
    let folders = folders();
    let paths =
        folders.iter().flat_map(|folder| driver.libraries.iter().map(|name| folder.join(name)));
    paths.into_iter().find(|path| path.is_file())
}

fn install(driver: &Driver) -> String {
    let folder = own_folder().map_or_else(|| "FOLDER".to_owned(), |it| it.display().to_string());
    driver.install.replace("{}", &folder)
}

/// Loads a driver and returns it with its path.
pub(crate) fn load(driver: &'static Driver) -> Result<(ManagedDriver, PathBuf), TableError> {
    let missing = |reason: Option<String>| {
        let shown = folders().iter().map(|it| format!("'{}'", it.display())).collect::<Vec<_>>();
        TableError::NoDriver {
            database: driver.dialect().name,
            package: driver.package,
            install: install(driver),
            looked_in: shown.join(", "),
            reason,
        }
    };
    let path = find(driver).ok_or_else(|| missing(None))?;
    let loaded =
        ManagedDriver::load_dynamic_from_filename(&path, driver.entrypoint, AdbcVersion::V110);
    match loaded {
        Ok(loaded) => Ok((loaded, path)),
        Err(error) => {
            Err(missing(Some(format!("'{}' failed to load: {}", path.display(), error.message))))
        }
    }
}
