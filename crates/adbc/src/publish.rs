//! Locks, replaces, and publishes the target table of a release.

use std::sync::Arc;

use arrow_array::{RecordBatch, StringArray};
use indistinct_core::Observer;
use indistinct_engine::output::{CertifiedRows, OutputColumn, Replace, StagedRows, WrittenFile};
use indistinct_engine::{EngineError, TableError, rows_digest};
use indistinct_sql::{CERTIFICATE, TableLocation, TableName, is_certified, quoted};

use crate::connection::Connection;
use crate::place::DatabaseLocation;
use crate::step::{Step, Waypoint};
use crate::table::named;

/// Temporary table for the files of a release, used until their permanent table is created.
const FILES: &str = "indistinct_files";

/// How messages describe the publication.
const PUBLISHING: &str = "to publish the release";

/// The tables of a release in a database.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) table: TableName,
    pub(crate) certificate: TableName,
    /// Table in which the rows are created and checked.
    pub(crate) staging: TableName,
    key: i64,
}

impl Target {
    pub(crate) fn at(place: &DatabaseLocation, name: &str) -> Result<Self, TableError> {
        let named = TableLocation::new(place.dialect(), name)?;
        let staging = named.staging();
        Ok(Self { table: named.table, certificate: named.certificate, staging, key: named.key })
    }

    /// Locks the target for this transaction and checks that an existing table may be replaced.
    pub(crate) fn claim(
        &self,
        connection: &Connection,
        replace: Replace,
    ) -> Result<(), TableError> {
        let table = || self.table.sql(quoted);
        if let Some(lock) = connection.driver.lock {
            let answer = connection.texts(PUBLISHING, &lock(self.key))?;
            let is_owned = answer.first().and_then(|row| row.first()?.as_deref()) == Some("true");
            if !is_owned {
                return Err(TableError::Busy { table: table() });
            }
        }
        let (rows, certificate) =
            (connection.has_table(&self.table)?, connection.has_table(&self.certificate)?);
        if !rows && !certificate {
            return Ok(());
        }
        if replace == Replace::Forbid {
            return Err(TableError::Exists { table: table() });
        }
        let is_release = certificate && {
            let known = format!(
                "SELECT 1 AS n FROM {} AS s WHERE s.file = '{CERTIFICATE}'",
                self.certificate.sql(quoted)
            );
            connection.has_row(PUBLISHING, &known)?
        };
        if is_release { Ok(()) } else { Err(TableError::NotARelease { table: table() }) }
    }
}

/// Released rows in a transaction that has not been committed.
pub(crate) struct StagedTable {
    pub(crate) place: DatabaseLocation,
    pub(crate) connection: Arc<Connection>,
    pub(crate) target: Target,
    pub(crate) columns: Vec<OutputColumn>,
    pub(crate) rows: CertifiedRows,
    pub(crate) at: Waypoint,
}

impl StagedRows for StagedTable {
    fn file(&self) -> Option<&WrittenFile> {
        None
    }

    fn judge(&self, observer: &dyn Observer) -> Result<(), EngineError> {
        let staged = Arc::new(named(&self.connection, &self.target.staging)?);
        let name = &self.place.address;
        if !is_certified(name, staged, &self.rows, &self.columns, observer)? {
            let table = self.target.table.sql(quoted);
            return Err(TableError::NotCertified { table }.into());
        }
        self.at.pass(Step::Judged);
        Ok(())
    }

    fn digest(&self, observer: &dyn Observer) -> Result<Option<String>, EngineError> {
        let staged = named(&self.connection, &self.target.staging)?;
        let columns: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let n_rows = (0..self.rows.n_tuples()).map(|tuple| self.rows.count(tuple)).sum();
        rows_digest(&staged, &columns, n_rows, observer).map(Some)
    }

    fn publish(self: Box<Self>, files: &[(String, String)]) -> Result<(), EngineError> {
        let (connection, target) = (&self.connection, &self.target);
        let run = |sql: String| connection.execute(PUBLISHING, &sql).map_err(EngineError::from);
        let names: StringArray = files.iter().map(|(name, _)| Some(name.as_str())).collect();
        let texts: StringArray = files.iter().map(|(_, text)| Some(text.as_str())).collect();
        let batch = RecordBatch::try_from_iter([
            ("file", Arc::new(names) as _),
            ("content", Arc::new(texts) as _),
        ]);
        let batch = batch.expect("both columns have one text per file");
        connection.load(FILES, batch).map_err(EngineError::from)?;
        for old in [&target.table, &target.certificate] {
            run(format!("DROP TABLE IF EXISTS {}", old.sql(quoted)))?;
        }
        self.at.pass(Step::Cleared);
        let (staging, name) = (target.staging.sql(quoted), quoted(&target.table.name));
        run(format!("ALTER TABLE {staging} RENAME TO {name}"))?;
        self.at.pass(Step::Renamed);
        run(format!(
            "CREATE TABLE {} AS SELECT f.file, f.content FROM {FILES} AS f ORDER BY f.file",
            target.certificate.sql(quoted)
        ))?;
        self.at.pass(Step::Attested);
        connection.commit().map_err(EngineError::from)?;
        self.at.pass(Step::Committed);
        Ok(())
    }
}
