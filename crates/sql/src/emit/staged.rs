//! Creates and checks released rows with scripts.

use std::path::PathBuf;
use std::sync::Arc;

use indistinct_core::Observer;
use indistinct_engine::output::{OutputColumn, Replace, StagedRows, WrittenFile};
use indistinct_engine::{EngineError, InputColumn, Question, Table, TableError};

use super::folder::{Folder, digest};
use super::render;
use super::table::{EmitTable, Scripted};
use crate::dialects::Column;
use crate::name::TableName;
use crate::place::TableLocation;
use crate::queried::{QueriedTable, is_certified};
use crate::recode::Recoding;
use crate::source::Source;

/// Step in which the rows are checked.
const JUDGING: u8 = 4;

/// Scripts for released rows.
#[derive(Debug)]
pub(super) struct StagedScripts {
    folder: Folder,
    place: TableLocation,
    recoding: Recoding,
    columns: Vec<OutputColumn>,
    replace: Replace,
    staging: TableName,
    digest: String,
    script: PathBuf,
}

impl StagedScripts {
    /// Writes the script that creates the rows.
    pub(super) fn new(
        folder: Folder,
        place: TableLocation,
        recoding: Recoding,
        columns: Vec<OutputColumn>,
        replace: Replace,
    ) -> Result<Self, EngineError> {
        let dialect = folder.dialect;
        let tables = recoding.tables.iter();
        let mut statements: Vec<String> =
            dialect.looking_up.iter().map(|it| (*it).to_owned()).collect();
        statements.extend(tables.flat_map(|(name, rows)| render::temporary(dialect, name, rows)));
        // The digest ensures that different releases of the same table have different names before
        // they are checked.
        let digest =
            digest(dialect, &format!("{}{}{}", statements.join(";"), recoding.select, place.key));
        let staging = place.table.sibling(format!("indistinct_scripted_{digest}"));
        let staging_sql = staging.sql(dialect.quoted);
        statements.push(format!("DROP TABLE IF EXISTS {staging_sql}"));
        statements.push(format!("CREATE TABLE {staging_sql} AS {}", recoding.select));
        let names = recoding.tables.iter().map(|(name, _)| name);
        statements.extend(names.map(|name| render::dropped(dialect, name)));
        let script = folder.write(&format!("3-recode-{digest}"), &statements)?;
        Ok(Self { folder, place, recoding, columns, replace, staging, digest, script })
    }

    fn publish_name(&self) -> String {
        format!("5-publish-{}", self.digest)
    }

    /// Returns a table with the counted columns of the staged rows, which is used for the check.
    fn judged(&self) -> EmitTable {
        let dialect = self.folder.dialect;
        let names = self.recoding.rows.names(&self.columns).into_iter();
        let columns: Vec<InputColumn> = names
            .zip(&self.recoding.types)
            .map(|(name, data_type)| InputColumn { name, data_type: data_type.clone() })
            .collect();
        let described = columns
            .iter()
            .map(|column| Column { declared: column.data_type.to_string().to_lowercase() })
            .collect();
        let from = self.staging.sql(dialect.quoted);
        let source = Source { dialect, from, columns, described, null_values: Vec::new() };
        let client = Scripted { folder: self.folder.clone(), step: JUDGING };
        QueriedTable { source, client }
    }
}

impl StagedRows for StagedScripts {
    fn file(&self) -> Option<&WrittenFile> {
        None
    }

    fn judge(&self, observer: &dyn Observer) -> Result<(), EngineError> {
        let judged = self.judged();
        let question = Question::Tuples(self.recoding.rows.names(&self.columns));
        judged.expect(&[question]).map_err(|error| match error {
            // The rows must be created before they are checked.
            EngineError::Table(TableError::Awaiting { mut scripts, client }) => {
                scripts.insert(0, self.script.clone());
                TableError::Awaiting { scripts, client }.into()
            }
            other => other,
        })?;
        let (name, judged) = (&self.place.table.name, Arc::new(judged));
        if !is_certified(name, judged, &self.recoding.rows, &self.columns, observer)? {
            let table = self.place.table.sql(self.folder.dialect.quoted);
            return Err(TableError::NotCertified { table }.into());
        }
        Ok(())
    }

    fn left_to_others(&self) -> Option<(String, String)> {
        let table = self.staging.sql(self.folder.dialect.quoted);
        Some((format!("{}.sql", self.publish_name()), table))
    }

    fn publish(self: Box<Self>, files: &[(String, String)]) -> Result<(), EngineError> {
        let dialect = self.folder.dialect;
        let (table, certificate) = (&self.place.table, self.place.certificate.sql(dialect.quoted));
        let mut statements = Vec::new();
        if dialect.transactions {
            statements.push("BEGIN TRANSACTION".to_owned());
        }
        if self.replace == Replace::Force {
            // Without a certificate table, the target is not a release. In that case, this
            // statement fails before any table is dropped.
            statements.push(format!("DROP TABLE {certificate}"));
            statements.push(format!("DROP TABLE {}", table.sql(dialect.quoted)));
        }
        statements.extend((dialect.scripts().moved)(&self.staging, table));
        let text = dialect.text;
        statements.push(format!("CREATE TABLE {certificate} (file {text}, content {text})"));
        for (name, content) in files {
            let literal = dialect.literal;
            let line = format!("({}, {})", literal(name), literal(content));
            statements.push(render::inserted(&certificate, &[line]));
        }
        if dialect.transactions {
            statements.push("COMMIT".to_owned());
        }
        self.folder.write(&self.publish_name(), &statements)?;
        Ok(())
    }
}
