//! The engine for tables on a cluster.

use std::path::Path;
use std::sync::Arc;

use indistinct_core::Observer;
use indistinct_engine::output::{Recode, StagedRows, Target};
use indistinct_engine::{EmbeddedEngine, Engine, EngineError, Input, InputSpec};
use indistinct_sql::Emit;

use crate::place::ClusterLocation;
use crate::released;
use crate::staged::StagedFolder;
use crate::table::{self, ClusterTable};

/// An engine that reads tables on a cluster, and delegates scripts and local files to other
/// engines.
#[derive(Debug, Clone)]
pub struct Cluster {
    others: Emit,
}

impl Cluster {
    /// Creates an engine that delegates local files to the given embedded engine.
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
                let table = table::open(place, spec)?;
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
