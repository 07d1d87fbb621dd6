//! `indistinct drivers`.

use crate::answers::written::Drivers;
use crate::args::{Format, Global};
use crate::failure::Failure;
use crate::verdict::Verdict;
use crate::{render, say};

#[cfg(not(feature = "databases"))]
pub fn run(global: &Global) -> Result<Verdict, Failure> {
    match global.format {
        Format::Json => render::json(&Drivers { databases: Vec::new() }),
        Format::Text => {
            say!("This build opens files alone.");
            render::sentence(
                "",
                "Databases are a part that the default build leaves out: build it with `--features databases`, see docs/databases.md.",
            );
        }
    }
    Ok(Verdict::Done)
}

#[cfg(feature = "databases")]
pub fn run(global: &Global) -> Result<Verdict, Failure> {
    use crate::answers::written::Driver;

    let found = indistinct_sql::drivers::found();
    if global.format == Format::Json {
        let databases = found.iter().map(|one| Driver {
            database: one.database,
            schemes: one.schemes,
            driver: one.driver.as_deref(),
            package: one.package,
            install: &one.install,
        });
        render::json(&Drivers { databases: databases.collect() });
        return Ok(Verdict::Done);
    }
    for one in &found {
        match &one.driver {
            Some(path) => say!("{:<11} {}", one.database, path.display()),
            None => say!("{:<11} no driver: {}", one.database, one.install),
        }
    }
    say!();
    render::sentence("", "Drivers are looked for in:");
    for folder in indistinct_sql::drivers::folders() {
        say!("  {}", folder.display());
    }
    Ok(Verdict::Done)
}
