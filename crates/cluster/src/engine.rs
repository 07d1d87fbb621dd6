//! The engine of a cluster.

use std::path::Path;
use std::sync::Arc;

use indistinct_core::Observer;
use indistinct_engine::output::{Recode, StagedRows, Target};
use indistinct_engine::{EmbeddedEngine, Engine, EngineError, Input, InputSpec};
use indistinct_sql::Emit;

use crate::place::ClusterLocation;
use crate::released;
use crate::staged::StagedFolder;
use crate::table::ClusterTable;

/// Tables on a cluster; those behind scripts and in files of this machine by others.
#[derive(Debug, Clone)]
pub struct Cluster {
    others: Emit,
}

impl Cluster {
    /// An engine that passes on what is on no cluster: scripts, and files to the embedded engine.
    pub fn over(files: EmbeddedEngine) -> Self {
        Self { others: Emit::over(files) }
    }
}

impl Engine for Cluster {
    fn inner(&self) -> &dyn Engine {
        &self.others
    }

    fn open(&self, spec: &InputSpec) -> Result<Input, EngineError> {
        match ClusterLocation::parse(&spec.path)? {
            None => self.others.open(spec),
            Some(place) => {
                let table = ClusterTable::open(place, spec)?;
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
            recode.input.input.table().and_then(|it| it.as_any().downcast_ref::<ClusterTable>());
        match (&recode.target, table) {
            (Target::Table { name, replace }, Some(table)) => {
                Ok(Box::new(StagedFolder::make(table, name, *replace, recode, observer)?))
            }
            _ => self.others.recode(recode, observer),
        }
    }

    fn released(&self, spec: &InputSpec, folder: &Path) -> Result<Input, EngineError> {
        match ClusterLocation::parse(&spec.path)? {
            None => self.others.released(spec, folder),
            Some(place) => released::open(place, spec, folder),
        }
    }
}
