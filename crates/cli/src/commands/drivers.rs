//! The command `indistinct drivers`.

use std::path::PathBuf;

use crate::Verdict;
use crate::answers::written::{Driver, Drivers, Store};
use crate::args::{Format, Global};
use crate::failure::Failure;
use crate::{render, say};

pub fn run(global: &Global) -> Result<Verdict, Failure> {
    let answer = Drivers { databases: databases(), stores: stores() };
    match global.format {
        Format::Json => render::json(&answer),
        Format::Text => {
            show_databases(&answer.databases);
            say!();
            show_stores(&answer.stores);
        }
    }
    Ok(Verdict::Done)
}

fn show_databases(databases: &[Driver]) {
    if databases.is_empty() {
        return render::sentence(
            "",
            "This build has no database support. To add it, build with `--features databases`; see \
             docs/databases.md.",
        );
    }
    for one in databases {
        match &one.driver {
            Some(path) => say!("{:<11} {}", one.database, path.display()),
            None => say!("{:<11} no driver: {}", one.database, one.install),
        }
    }
    say!();
    render::sentence("", "Drivers are searched in these folders:");
    for folder in folders() {
        say!("  {}", folder.display());
    }
}

fn show_stores(stores: &[Store]) {
    if stores.is_empty() {
        return render::sentence(
            "",
            "This build has no object store support. To add it, build with `--features objects`; \
             see docs/object-stores.md.",
        );
    }
    for one in stores {
        let schemes = one.schemes.iter().map(|scheme| format!("{scheme}://"));
        let schemes = schemes.collect::<Vec<_>>().join(", ");
        let who = match one.configured_by {
            Some(variable) => format!("credentials from {variable}"),
            None => format!("credentials: {}", one.variables),
        };
        render::sentence("  ", &format!("{schemes} ({}): {who}", one.store));
    }
}

fn databases() -> Vec<Driver> {
    #[cfg(feature = "databases")]
    return indistinct_adbc::drivers::found()
        .into_iter()
        .map(|one| Driver {
            database: one.database,
            schemes: one.schemes,
            driver: one.driver,
            package: one.package,
            install: one.install,
        })
        .collect();
    #[cfg(not(feature = "databases"))]
    Vec::new()
}

/// Returns the folders that are searched for drivers.
fn folders() -> Vec<PathBuf> {
    #[cfg(feature = "databases")]
    return indistinct_adbc::drivers::folders();
    #[cfg(not(feature = "databases"))]
    Vec::new()
}

fn stores() -> Vec<Store> {
    #[cfg(feature = "objects")]
    return indistinct_objects::stores()
        .into_iter()
        .map(|one| Store {
            store: one.store,
            schemes: one.schemes,
            configured_by: one.configured_by,
            variables: one.variables,
        })
        .collect();
    #[cfg(not(feature = "objects"))]
    Vec::new()
}
