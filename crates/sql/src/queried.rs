//! A table that is read with queries, for any database client.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arrow_array::{
    Array, ArrayRef, Int64Array, RecordBatch, StringArray, cast::AsArray, types::Int64Type,
};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, Schema};
use indistinct_core::{Observer, Phase};
use indistinct_engine::output::{CertifiedRows, OutputColumn};
use indistinct_engine::{
    Batches, ColumnScan, CountRequest, EmbeddedEngine, Engine, EngineError, Input, InputColumn,
    Question, Scan, Table, TableError, TakeTuples, cell_text,
};

use crate::recode::certified_table;
use crate::source::{Query, Source};
use crate::token::texts;

/// Interval at which a running statement is checked for cancellation.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Runs statements. If the observer cancels the operation, `cancel` is called repeatedly until the
/// running statement ends.
///
/// # Errors
/// Returns the errors of `run`, or [`EngineError::Cancelled`] if the observer cancels the
/// operation.
pub fn watched<T>(
    observer: &dyn Observer,
    cancel: &(dyn Fn() + Sync),
    run: impl FnOnce() -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    let done = AtomicBool::new(false);
    let watch = || {
        while !done.load(Ordering::Acquire) {
            if observer.is_cancelled() {
                cancel();
            }
            std::thread::park_timeout(LOOK_EVERY);
        }
    };
    let result = std::thread::scope(|scope| {
        let watcher = scope.spawn(watch);
        let result = run();
        done.store(true, Ordering::Release);
        watcher.thread().unpark();
        result
    });
    match result {
        Err(_) if observer.is_cancelled() => Err(EngineError::Cancelled),
        result => result,
    }
}

/// A client of a database, which runs queries.
pub trait Client: std::fmt::Debug + Send + Sync + 'static {
    /// Runs a query and returns its rows.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the database reports an error.
    fn ask(&self, query: &Query) -> Result<Batches, EngineError>;

    /// Calls a function that runs queries. If the observer cancels the operation, the running query
    /// is cancelled.
    ///
    /// # Errors
    /// Returns the errors of `run`, or [`EngineError::Cancelled`] if the observer cancels the
    /// operation.
    fn watched<T>(
        &self,
        _: &dyn Observer,
        run: impl FnOnce() -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        run()
    }

    /// Announces all upcoming queries, which is required if answers must be fetched manually.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the answers have not been fetched yet.
    fn expect(&self, _: &[Query]) -> Result<(), EngineError> {
        Ok(())
    }

    /// Whether queries are answered immediately.
    const ANSWERS_AT_ONCE: bool = true;
}

/// A table or query that is read with a client.
#[derive(Debug)]
pub struct QueriedTable<C> {
    /// The statements that read the table.
    pub source: Source,
    /// The client that runs the statements.
    pub client: C,
}

impl<C: Client> QueriedTable<C> {
    /// Returns the distinct tokens of a column.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the answer is invalid.
    pub fn distinct(&self, column: usize) -> Result<StringArray, EngineError> {
        self.distinct_of(&self.source.distinct(column), 0)
    }

    /// Returns the distinct tokens in a column of an answer, in order.
    pub(crate) fn distinct_of(
        &self,
        query: &Query,
        column: usize,
    ) -> Result<StringArray, EngineError> {
        let mut all = BTreeSet::new();
        for batch in self.client.ask(query)? {
            let some = tokens(&self.source, &batch?, column)?;
            for token in some.iter().map(Option::unwrap_or_default) {
                if !all.contains(token) {
                    all.insert(token.to_owned());
                }
            }
        }
        Ok(all.into_iter().map(Some).collect())
    }
}

impl<C: Client> Table for QueriedTable<C> {
    fn columns(&self) -> &[InputColumn] {
        &self.source.columns
    }

    fn tuples(
        &self,
        columns: &[String],
        observer: &dyn Observer,
        take: TakeTuples<'_>,
    ) -> Result<(), EngineError> {
        let source = &self.source;
        let positions = source.positions(columns)?;
        let mut n_rows = 0;
        self.client.watched(observer, || {
            for batch in self.client.ask(&source.count(&positions))? {
                if observer.is_cancelled() {
                    return Err(EngineError::Cancelled);
                }
                let batch = batch?;
                let values = values(source, &batch, &positions)?;
                let counts = numbers(source, &batch, positions.len())?;
                n_rows += counts.iter().sum::<u64>();
                take(&values, &counts)?;
                observer.progress(Phase::Count, n_rows, 0);
            }
            Ok(())
        })
    }

    /// Scans the given columns. Only a sample of the values is transferred.
    fn scan(
        &self,
        columns: &[String],
        together: &[String],
        observer: &dyn Observer,
    ) -> Result<Option<Scan>, EngineError> {
        let query = scan_query(&self.source, columns, together)?;
        let run = || scanned(&self.source, self.client.ask(&query)?, columns, together, observer);
        self.client.watched(observer, run).map(Some)
    }

    fn expect(&self, questions: &[Question]) -> Result<(), EngineError> {
        let source = &self.source;
        let query = |question: &Question| match question {
            Question::Tuples(columns) => Ok(source.count(&source.positions(columns)?)),
            Question::Scan { columns, together } => scan_query(source, columns, together),
        };
        self.client.expect(&questions.iter().map(query).collect::<Result<Vec<_>, EngineError>>()?)
    }

    fn answers_at_once(&self) -> bool {
        C::ANSWERS_AT_ONCE
    }

    fn batches(&self, columns: &[String]) -> Result<Batches, EngineError> {
        let source = self.source.clone();
        let positions = source.positions(columns)?;
        let field = |&at: &usize| {
            let InputColumn { name, data_type } = &source.columns[at];
            Field::new(name, data_type.clone(), true)
        };
        let schema = Arc::new(Schema::new(positions.iter().map(field).collect::<Vec<_>>()));
        let answer = self.client.ask(&source.rows(&positions))?;
        Ok(Box::new(answer.map(move |batch| {
            let arrays = values(&source, &batch?, &positions)?;
            RecordBatch::try_new(Arc::clone(&schema), arrays)
                .map_err(|_| no_answer(&source, "the columns have different lengths"))
        })))
    }

    fn distinguishable(&self, columns: &[String]) -> Result<Option<String>, EngineError> {
        for name in columns {
            let column = self.source.position(name)?;
            if let Some(kinds) = self.source.kinds(column) {
                for batch in self.client.ask(&kinds)? {
                    if batch?.num_rows() > 0 {
                        return Ok(Some(name.clone()));
                    }
                }
            }
            let spellings = self.distinct_of(&self.source.spellings(column), 0)?;
            let values = self.source.values(&spellings, column)?;
            let mut visited = HashSet::new();
            for row in 0..values.len() {
                if !visited.insert(cell_text(&values, row, name)?.into_owned()) {
                    return Ok(Some(name.clone()));
                }
            }
        }
        Ok(None)
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// Returns the values of the table columns at the given positions from the first columns of an
/// answer.
fn values(
    source: &Source,
    batch: &RecordBatch,
    positions: &[usize],
) -> Result<Vec<ArrayRef>, EngineError> {
    let values = positions.iter().enumerate();
    values.map(|(at, &column)| source.values(&tokens(source, batch, at)?, column)).collect()
}

/// Number of sampled values for each column.
const SAMPLE: u64 = 1000;

/// Returns whether the counted columns of staged rows have exactly the certified counts. The staged
/// table is counted in the same way as an input table; `name` is used in messages.
///
/// # Errors
/// Returns [`EngineError`] if the rows cannot be counted or the observer cancels the operation.
pub fn is_certified(
    name: &str,
    staged: Arc<dyn Table>,
    rows: &CertifiedRows,
    columns: &[OutputColumn],
    observer: &dyn Observer,
) -> Result<bool, EngineError> {
    let quasi_identifiers = rows.names(columns);
    let input = Input::of_table(name.into(), staged);
    let request = CountRequest { quasi_identifiers, ..CountRequest::default() };
    let counted = match EmbeddedEngine::default().count(&input, &request, observer) {
        Ok(counted) => Some(counted.table),
        Err(EngineError::NoRows { .. }) => None,
        Err(error) => return Err(error),
    };
    Ok(counted == certified_table(rows, columns))
}

/// Returns the column statistics in the answer to the query of [`scan_query`].
fn scanned(
    source: &Source,
    answer: Batches,
    columns: &[String],
    together: &[String],
    observer: &dyn Observer,
) -> Result<Scan, EngineError> {
    let empty = |column: &String| ColumnScan {
        column: column.clone(),
        n_present: 0,
        n_distinct: 0,
        n_unique: 0,
        most_rows: 0,
        sample: Vec::new(),
    };
    let mut found = Scan { columns: columns.iter().map(empty).collect(), ..Scan::default() };
    let positions = source.positions(columns)?;
    for batch in answer {
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let batch = batch?;
        let places = integers(source, &batch, 0)?;
        let all = tokens(source, &batch, 1)?;
        let figures =
            (2..7).map(|at| numbers(source, &batch, at)).collect::<Result<Vec<_>, _>>()?;
        for (row, &place) in places.values().iter().enumerate() {
            let [n, n_distinct, n_present, n_unique, most_rows] =
                [0, 1, 2, 3, 4].map(|at: usize| figures[at][row]);
            match usize::try_from(place) {
                Ok(at) if at < columns.len() => {
                    let token = StringArray::from(vec![all.value(row)]);
                    let value = source.values(&token, positions[at])?;
                    let text = cell_text(&value, 0, &columns[at])?.into_owned();
                    let visited = &mut found.columns[at];
                    (visited.n_distinct, visited.n_present) = (n_distinct, n_present);
                    (visited.n_unique, visited.most_rows) = (n_unique, most_rows);
                    if together.contains(&columns[at]) {
                        visited.sample.push((text, n));
                    }
                }
                _ if place == Source::ALL => found.n_rows = n,
                _ if place == Source::TOGETHER => found.n_unique_together = n,
                _ => return Err(no_answer(source, "a row belongs to no column")),
            }
        }
    }
    found.columns.iter_mut().for_each(|column| column.sample.sort());
    Ok(found)
}

/// Returns the query for column statistics, which requests samples only for columns that are
/// published.
fn scan_query(
    source: &Source,
    columns: &[String],
    together: &[String],
) -> Result<Query, EngineError> {
    let wanted = |name: &String| {
        let n_sampled = if together.contains(name) { SAMPLE } else { 0 };
        Ok((source.position(name)?, n_sampled))
    };
    let columns = columns.iter().map(wanted).collect::<Result<Vec<_>, EngineError>>()?;
    Ok(source.facts(&columns, &source.positions(together)?))
}

/// Returns a column of tokens.
fn tokens(source: &Source, batch: &RecordBatch, at: usize) -> Result<StringArray, EngineError> {
    let array = batch.columns().get(at).and_then(|array| texts(array).ok());
    array.ok_or_else(|| no_answer(source, "a text column is missing"))
}

/// Returns a column of integers.
fn integers(source: &Source, batch: &RecordBatch, at: usize) -> Result<Int64Array, EngineError> {
    let wrong = || no_answer(source, "an integer column is missing");
    let array = batch.columns().get(at).ok_or_else(wrong)?;
    // Parse numbers of other types from text.
    let array = match array.data_type().is_integer() {
        true => cast(array, &DataType::Int64),
        false => texts(array).and_then(|texts| cast(&texts, &DataType::Int64)),
    };
    let array = array.map_err(|_| wrong())?;
    match array.null_count() {
        0 => Ok(array.as_primitive::<Int64Type>().clone()),
        _ => Err(wrong()),
    }
}

/// Returns a column of row counts or value counts.
fn numbers(source: &Source, batch: &RecordBatch, at: usize) -> Result<Vec<u64>, EngineError> {
    let numbers = integers(source, batch, at)?;
    let numbers: Result<Vec<u64>, _> = numbers.values().iter().map(|&n| u64::try_from(n)).collect();
    numbers.map_err(|_| no_answer(source, "a count is negative"))
}

fn no_answer(source: &Source, what: &'static str) -> EngineError {
    let (database, doing) = (source.dialect.name, "to count");
    TableError::Refused { database, doing, reason: format!("the result is invalid: {what}") }.into()
}
