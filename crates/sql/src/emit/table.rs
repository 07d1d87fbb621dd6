//! Tables that are queried with scripts.

use indistinct_core::Observer;
use indistinct_engine::{
    Batches, EngineError, InputColumn, InputSpec, Question, Scan, Table, TableError, TakeTuples,
};

use super::folder::{COLUMNS, Folder};
use crate::answers;
use crate::dialects::{Column, common_type};
use crate::name::TableName;
use crate::source::{Query, Source};
use crate::token::texts;

/// Step in which a table is counted.
const COUNTING: u8 = 2;

/// A table that is accessed through scripts.
#[derive(Debug)]
pub(super) struct EmitTable {
    pub(super) folder: Folder,
    pub(super) source: Source,
    /// Step to which the queries for this table belong.
    step: u8,
}

impl EmitTable {
    /// Opens the table of an input specification.
    pub(super) fn open(folder: Folder, spec: &InputSpec) -> Result<Self, EngineError> {
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
                if dialect.scripts().columns_alone
                    && (column.is_empty() || column.starts_with("# "))
                {
                    break;
                }
                if columns.iter().any(|known| known.name == column) {
                    return Err(TableError::SameName { column: column.to_owned() }.into());
                }
                let arrow = (dialect.type_of)(declared);
                let type_name = if arrow == arrow_schema::DataType::Utf8 {
                    declared
                } else {
                    &arrow.to_string()
                };
                described.push(Column { declared: type_name.to_lowercase() });
                columns
                    .push(InputColumn { name: column.to_owned(), data_type: common_type(&arrow) });
            }
        }
        let from = name.sql(dialect.quoted);
        let null_values = spec.null_values.clone();
        let source = Source { dialect, from, columns, described, null_values };
        Ok(Self { folder, source, step: COUNTING })
    }

    /// Creates a table whose queries belong to the given step.
    pub(super) fn at(folder: Folder, source: Source, step: u8) -> Self {
        Self { folder, source, step }
    }

    fn query(&self, question: &Question) -> Result<Query, EngineError> {
        match question {
            Question::Tuples(columns) => Ok(self.source.count(&self.source.positions(columns)?)),
            Question::Scan { columns, together } => {
                answers::scan_query(&self.source, columns, together)
            }
        }
    }
}

impl Table for EmitTable {
    fn columns(&self) -> &[InputColumn] {
        &self.source.columns
    }

    fn tuples(
        &self,
        columns: &[String],
        observer: &dyn Observer,
        take: TakeTuples<'_>,
    ) -> Result<(), EngineError> {
        let ask = |query: &Query| self.folder.ask(self.step, query);
        answers::count(&self.source, &ask, columns, observer, take)
    }

    fn scan(
        &self,
        columns: &[String],
        together: &[String],
        observer: &dyn Observer,
    ) -> Result<Option<Scan>, EngineError> {
        let ask = |query: &Query| self.folder.ask(self.step, query);
        answers::scan(&self.source, &ask, columns, together, observer).map(Some)
    }

    fn expect(&self, questions: &[Question]) -> Result<(), EngineError> {
        let queries = questions.iter().map(|question| self.query(question));
        let queries = queries.collect::<Result<Vec<_>, _>>()?;
        match self.folder.unanswered(self.step, &queries)? {
            scripts if scripts.is_empty() => Ok(()),
            scripts => Err(self.folder.awaiting(scripts)),
        }
    }

    fn answers_at_once(&self) -> bool {
        false
    }

    fn batches(&self, _: &[String]) -> Result<Batches, EngineError> {
        let what = "reading single rows through scripts; set `table` in [output] to keep the rows \
                    in the database";
        Err(TableError::NotServed { what }.into())
    }

    fn distinguishable(&self, _: &[String]) -> Result<Option<String>, EngineError> {
        // This check only applies to releases, which are verified with a connection.
        Ok(None)
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
