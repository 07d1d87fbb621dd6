//! The engine for databases.

use std::path::Path;
use std::sync::Arc;

use indistinct_core::Observer;
use indistinct_engine::output::{Recode, StagedRows, Target as Destination};
use indistinct_engine::{EmbeddedEngine, Engine, EngineError, Input, InputSpec, TableError};
use indistinct_sql::{Emit, QueriedTable, Recoding, quoted};

use crate::place::DatabaseLocation;
use crate::publish::{StagedTable, Target};
use crate::released;
use crate::step::{Step, Waypoint};
use crate::table::{self, Open, Reading};

/// Text that describes the creation of the staging table in error messages.
const STAGING: &str = "to create the released rows";

/// An engine for tables in databases. Scripts and files are delegated to other engines.
#[derive(Debug, Clone)]
pub struct Databases {
    others: Emit,
    at: Waypoint,
}

impl Databases {
    /// Creates an engine that delegates scripts to [`Emit`] and files to the embedded engine.
    pub fn over(files: EmbeddedEngine) -> Self {
        Self { others: Emit::over(files), at: Waypoint::new(|_| ()) }
    }

    /// Sets a callback that is called after each step and can stop the process to simulate a crash.
    pub fn hearing(self, at: impl Fn(Step) + Send + Sync + 'static) -> Self {
        Self { at: Waypoint::new(at), ..self }
    }
}

impl Engine for Databases {
    fn inner(&self) -> &dyn Engine {
        &self.others
    }

    fn open(&self, spec: &InputSpec) -> Result<Input, EngineError> {
        match DatabaseLocation::parse(&spec.path)? {
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
        let Destination::Table { name, replace } = &recode.target else {
            return self.others.recode(recode, observer);
        };
        let table = recode
            .input
            .input
            .table()
            .and_then(|it| it.as_any().downcast_ref::<QueriedTable<Reading>>());
        let Some(table) = table else { return self.others.recode(recode, observer) };
        let place = table.client.place.clone();
        if !place.dialect().transactions {
            let what = "writing a release without transactions; use scripts instead, see \
                        docs/databases.md";
            return Err(TableError::NotServed { what }.into());
        }
        let target = Target::at(&place, name).map_err(EngineError::from)?;
        let connection = Arc::new(table.client.to_write()?);
        self.at.pass(Step::Connected);
        target.claim(&connection, *replace).map_err(EngineError::from)?;
        self.at.pass(Step::Claimed);
        let rows = connection.watched(observer, || {
            let (source, client) = (table.source.clone(), Open(Arc::clone(&connection)));
            let written = QueriedTable { source, client };
            let tokens = |position| written.distinct(position);
            let recoding = Recoding::new(&table.source, &tokens, &recode.write, observer)?;
            for (name, batch) in recoding.tables {
                connection.load(&name, batch)?;
            }
            self.at.pass(Step::Sent);
            for statement in place.dialect().looking_up {
                connection.execute(STAGING, statement)?;
            }
            let staging_sql = target.staging.sql(quoted);
            connection
                .execute(STAGING, &format!("CREATE TABLE {staging_sql} AS {}", recoding.select))?;
            Ok(recoding.rows)
        })?;
        self.at.pass(Step::Staged);
        Ok(Box::new(StagedTable {
            place,
            connection,
            target,
            columns: recode.write.columns.clone(),
            rows,
            at: self.at.clone(),
        }))
    }

    fn released(&self, spec: &InputSpec, folder: &Path) -> Result<Input, EngineError> {
        match DatabaseLocation::parse(&spec.path)? {
            None => self.others.released(spec, folder),
            Some(place) => released::open(place, spec, folder),
        }
    }
}
