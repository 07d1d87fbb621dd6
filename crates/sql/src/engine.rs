//! The engine of databases.

use std::path::Path;
use std::sync::Arc;

use indistinct_core::Observer;
use indistinct_engine::output::{Recode, Staged, Target as Destination};
use indistinct_engine::{
    CountRequest, Counted, Embedded, Engine, EngineError, Input, InputSpec, TableError,
};

use crate::connection::Connection;
use crate::dialect::Access;
use crate::place::Place;
use crate::publish::{StagedTable, Target};
use crate::step::{Step, Waypoint};
use crate::table::SqlTable;
use crate::{recode, released};

/// Tables in databases, and those in files by the embedded engine.
#[derive(Debug, Clone)]
pub struct Databases {
    files: Embedded,
    at: Waypoint,
}

impl Databases {
    /// An engine that passes on to the embedded one what is no database.
    pub fn over(files: Embedded) -> Self {
        Self { files, at: Waypoint::new(|_| ()) }
    }

    /// The same, telling of each step; whoever hears it can stop there as a crash would.
    pub fn hearing(self, at: impl Fn(Step) + Send + Sync + 'static) -> Self {
        Self { at: Waypoint::new(at), ..self }
    }
}

impl Engine for Databases {
    fn open(&self, spec: &InputSpec) -> Result<Input, EngineError> {
        match Place::of(&spec.path)? {
            None => self.files.open(spec),
            Some(place) => {
                let table = SqlTable::open(place, spec)?;
                Ok(Input::of_table(spec.path.clone(), Arc::new(table)))
            }
        }
    }

    fn count(
        &self,
        input: &Input,
        request: &CountRequest,
        observer: &dyn Observer,
    ) -> Result<Counted, EngineError> {
        self.files.count(input, request, observer)
    }

    fn recode(
        &self,
        recode: &Recode<'_>,
        observer: &dyn Observer,
    ) -> Result<Box<dyn Staged>, EngineError> {
        let Destination::Table { name, replace } = &recode.target else {
            return self.files.recode(recode, observer);
        };
        let table =
            recode.input.input.table().and_then(|it| it.as_any().downcast_ref::<SqlTable>());
        let Some(table) = table else {
            let what = "a table of a database for rows that come from files";
            return Err(TableError::NotServed { what }.into());
        };
        let place = table.place.clone();
        let target = Target::of(&place, name).map_err(EngineError::from)?;
        table.close();
        let connection = Connection::open(&place, Access::Write).map_err(EngineError::from)?;
        self.at.pass(Step::Connected);
        target.claim(&connection, *replace).map_err(EngineError::from)?;
        self.at.pass(Step::Claimed);
        let rows = recode::stage(&connection, table, recode, &target.staging, observer)?;
        self.at.pass(Step::Staged);
        Ok(Box::new(StagedTable {
            place,
            connection: Arc::new(connection),
            target,
            columns: recode.write.columns.clone(),
            rows,
            at: self.at.clone(),
        }))
    }

    fn released(&self, spec: &InputSpec, folder: &Path) -> Result<Input, EngineError> {
        match Place::of(&spec.path)? {
            None => self.files.released(spec, folder),
            Some(place) => released::open(place, spec, folder),
        }
    }
}
