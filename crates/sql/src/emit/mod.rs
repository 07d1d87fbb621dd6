//! An engine without a database connection.
//!
//! The engine writes scripts. Another person runs them with a database client and copies the
//! answers back as files. An address such as `emit+postgresql:FOLDER` specifies the dialect and the
//! folder of scripts and answers. Each run proceeds as far as the available answers allow and
//! returns [`TableError::Awaiting`] if an answer is missing. The name of a script and every line of
//! its answer contain a digest of the query. With this digest, answers to other queries are
//! detected.

mod folder;
mod render;
mod staged;
mod table;

use std::path::Path;
use std::sync::Arc;

use indistinct_core::Observer;
use indistinct_engine::output::{Recode, StagedRows, Target};
use indistinct_engine::{EmbeddedEngine, Engine, EngineError, Input, InputSpec, TableError};

use crate::place::TableLocation;
use crate::recode::Recoding;
use folder::Folder;
use staged::StagedScripts;
use table::EmitTable;

/// An engine for tables that are accessed with scripts, and for tables in files.
#[derive(Debug, Clone)]
pub struct Emit {
    files: EmbeddedEngine,
}

impl Emit {
    /// Creates an engine that delegates requests for other tables to the embedded engine.
    pub fn over(files: EmbeddedEngine) -> Self {
        Self { files }
    }
}

impl Engine for Emit {
    fn inner(&self) -> &dyn Engine {
        &self.files
    }

    fn open(&self, spec: &InputSpec) -> Result<Input, EngineError> {
        match Folder::parse(&spec.path)? {
            None => self.files.open(spec),
            Some(folder) => {
                let table = table::open(folder, spec)?;
                Ok(Input::of_table(spec.path.clone(), Arc::new(table)))
            }
        }
    }

    fn recode(
        &self,
        recode: &Recode<'_>,
        observer: &dyn Observer,
    ) -> Result<Box<dyn StagedRows>, EngineError> {
        let table =
            recode.input.input.table().and_then(|it| it.as_any().downcast_ref::<EmitTable>());
        let (Target::Table { name, replace }, Some(table)) = (&recode.target, table) else {
            return self.files.recode(recode, observer);
        };
        let place = TableLocation::new(table.source.dialect, name)?;
        let counted: Vec<String> =
            recode.write.release.counted().columns().map(|column| column.name.clone()).collect();
        // The answer to the count query contains the distinct tokens of each of its columns.
        let tokens = |position: usize| {
            let at = counted.iter().position(|name| *name == table.source.columns[position].name);
            let query = table.source.count(&table.source.positions(&counted)?);
            table.distinct_of(&query, at.expect("only counted columns are recoded"))
        };
        let recoding = Recoding::new(&table.source, &tokens, &recode.write, observer)?;
        Ok(Box::new(StagedScripts::new(
            table.client.folder.clone(),
            place,
            recoding,
            recode.write.columns.clone(),
            *replace,
        )?))
    }

    fn released(&self, spec: &InputSpec, folder: &Path) -> Result<Input, EngineError> {
        match Folder::parse(&spec.path)? {
            None => self.files.released(spec, folder),
            Some(_) => {
                let what =
                    "verifying a release through scripts; use the address of the database instead";
                Err(TableError::NotServed { what }.into())
            }
        }
    }
}
