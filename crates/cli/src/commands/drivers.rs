//! `indistinct drivers`.

use crate::args::{Format, Global};
use crate::failure::Failure;
use crate::verdict::Verdict;
use crate::{render, say};

#[cfg(not(feature = "databases"))]
pub fn run(global: &Global) -> Result<Verdict, Failure> {
    match global.format {
        Format::Json => render::json(&serde_json::json!({ "databases": [] })),
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
    let found = indistinct_sql::drivers::found();
    if global.format == Format::Json {
        let databases: Vec<_> = found
            .iter()
            .map(|one| {
                serde_json::json!({
                    "database": one.database,
                    "schemes": one.schemes,
                    "driver": one.driver,
                    "package": one.package,
                })
            })
            .collect();
        render::json(&serde_json::json!({ "databases": databases }));
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
