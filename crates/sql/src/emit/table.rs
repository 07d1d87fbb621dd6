//! Tables that are queried with scripts.

use indistinct_engine::{Batches, EngineError, InputColumn, InputSpec, TableError};

use super::folder::{COLUMNS, Folder};
use crate::dialects::{Column, common_type};
use crate::name::TableName;
use crate::queried::{Client, QueriedTable};
use crate::source::{Query, ROWS, Source};
use crate::token::texts;

/// Step in which a table is counted.
const COUNTING: u8 = 2;

/// A client that writes query scripts and reads their answers.
#[derive(Debug)]
pub(super) struct Scripted {
    pub(super) folder: Folder,
    /// Step to which the queries belong.
    pub(super) step: u8,
}

impl Client for Scripted {
    const ANSWERS_AT_ONCE: bool = false;

    fn ask(&self, query: &Query) -> Result<Batches, EngineError> {
        if query.kind == ROWS {
            let what = "reading single rows through scripts; set `table` in [output] to keep the \
                        rows in the database";
            return Err(TableError::NotServed { what }.into());
        }
        self.folder.ask(self.step, query)
    }

    fn expect(&self, queries: &[Query]) -> Result<(), EngineError> {
        match self.folder.unanswered(self.step, queries)? {
            scripts if scripts.is_empty() => Ok(()),
            scripts => Err(self.folder.awaiting(scripts)),
        }
    }
}

/// A table that is accessed through scripts.
pub(super) type EmitTable = QueriedTable<Scripted>;

/// Opens the table that an input specification names.
pub(super) fn open(folder: Folder, spec: &InputSpec) -> Result<EmitTable, EngineError> {
    let name = match (&spec.table, &spec.query) {
        (Some(name), None) => TableName::parse(name)?,
        (None, Some(_)) => {
            let what = "using a query as the input of scripts; create a view of the query, and \
                    set `table` to its name";
            return Err(TableError::NotServed { what }.into());
        }
        _ => return Err(TableError::TableOrQuery.into()),
    };
    let dialect = folder.dialect;
    let query = Query {
        kind: COLUMNS,
        columns: vec!["name".to_owned(), "type".to_owned()],
        sql: (dialect.scripts().columns)(&name),
    };
    let (mut columns, mut described): (Vec<InputColumn>, _) = (Vec::new(), Vec::new());
    for batch in folder.ask(1, &query)? {
        let batch = batch?;
        let plain = |at: usize| texts(batch.column(at)).map_err(|_| TableError::TableOrQuery);
        let (names, types) = (plain(0)?, plain(1)?);
        for (column, declared) in names.iter().zip(&types) {
            let (column, declared) = (column.unwrap_or_default(), declared.unwrap_or_default());
            // Spark lists partitions after the columns.
            if dialect.scripts().columns_alone && (column.is_empty() || column.starts_with("# ")) {
                break;
            }
            if columns.iter().any(|known| known.name == column) {
                return Err(TableError::SameName { column: column.to_owned() }.into());
            }
            let arrow = (dialect.type_of)(declared);
            let type_name =
                if arrow == arrow_schema::DataType::Utf8 { declared } else { &arrow.to_string() };
            described.push(Column { declared: type_name.to_lowercase() });
            columns.push(InputColumn { name: column.to_owned(), data_type: common_type(&arrow) });
        }
    }
    let from = name.sql(dialect.quoted);
    let null_values = spec.null_values.clone();
    let source = Source { dialect, from, columns, described, null_values };
    let source = source.without_null_values(spec);
    Ok(QueriedTable { source, client: Scripted { folder, step: COUNTING } })
}
