//! Statements that create the released rows in the database of the input table.
//!
//! If every released column was counted, each distinct certified row is sent once. Otherwise, the
//! rows remain in the database. A map for each counted column and a map of tuples are sent and
//! joined with the table. Columns that were not counted are copied with their rows. The check
//! before publication detects rows whose values were not counted or occur with a different
//! frequency.
//!
//! Rows are sorted by all released values to hide the order of the rows in the table or an index.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, TimeUnit};
use indistinct_core::model::CountedColumn;
use indistinct_core::{DROPPED, Dictionary, FrequencyTable, MISSING, Observer};
use indistinct_engine::output::{CertifiedRows, ColumnSource, OutputColumn, WriteRequest};
use indistinct_engine::{EngineError, Lookup, TableError, cell_text};

use crate::dialects::{Dialect, NumberType};
use crate::source::Source;
use crate::token::typed;

/// Name of the temporary table that contains certified rows or tuples.
const ROWS: &str = "indistinct_rows";

/// Temporary tables and a query that returns the released rows.
#[derive(Debug)]
pub struct Recoding {
    /// Names and rows of the temporary tables, whose columns are strings and integers.
    pub tables: Vec<(String, RecordBatch)>,
    /// Query that returns the released rows in order.
    pub select: String,
    /// The rows that the query must return.
    pub rows: CertifiedRows,
    /// Types of the released columns that were counted; `Utf8` for text.
    pub types: Vec<DataType>,
}

/// Function that returns the distinct tokens of a column.
pub type Tokens<'a> = &'a dyn Fn(usize) -> Result<StringArray, EngineError>;

impl Recoding {
    /// Creates the statements for a release of a source. `tokens` is called only if the rows remain
    /// in the database.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the release cannot be expressed as statements or if the observer
    /// cancels the operation.
    pub fn new(
        source: &Source,
        tokens: Tokens<'_>,
        write: &WriteRequest<'_>,
        observer: &dyn Observer,
    ) -> Result<Self, EngineError> {
        let rows = CertifiedRows::from_release(write.release, &write.columns, write.order)?;
        let is_counted =
            |column: &&OutputColumn| !matches!(column.source, ColumnSource::Insensitive(_));
        let counted: Vec<&OutputColumn> = write.columns.iter().filter(is_counted).collect();
        let types = counted.iter().enumerate();
        let types: Vec<ReleasedType> =
            types.map(|(at, column)| ReleasedType::new(source, &rows, at, column)).collect();
        let (tables, select) = match counted.len() == write.columns.len() {
            true => from_counts(source.dialect, &rows, &write.columns, &types),
            false => by_maps(source, tokens, write, &rows, &types, observer)?,
        };
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let types = types.iter().map(ReleasedType::data_type).collect();
        Ok(Self { tables, select, rows, types })
    }
}

/// Temporary tables and the query that reads them.
type Parts = (Vec<(String, RecordBatch)>, String);

/// Creates the tables and the query for sending each distinct certified row to the database once.
fn from_counts(
    dialect: &Dialect,
    rows: &CertifiedRows,
    columns: &[OutputColumn],
    types: &[ReleasedType],
) -> Parts {
    let n = rows.n_tuples();
    let places: Int64Array = (0..n as i64).collect();
    let counts: Int64Array = (0..n).map(|tuple| rows.count(tuple) as i64).collect();
    let mut arrays: Vec<(String, ArrayRef)> =
        vec![("k".to_owned(), Arc::new(places)), ("n".to_owned(), Arc::new(counts))];
    for column in 0..columns.len() {
        arrays.push((format!("r{column}"), released_texts(rows, column, 0..n)));
    }
    let selected = columns.iter().zip(types).enumerate();
    let selected: Vec<String> = selected
        .map(|(at, (column, of))| of.selected(dialect, &format!("m.r{at}"), &column.name))
        .collect();
    let select =
        format!("SELECT {} FROM {} ORDER BY m.k", selected.join(", "), (dialect.repeated)(ROWS));
    (vec![(ROWS.to_owned(), batch(arrays))], select)
}

/// Creates the tables and the query for joining the input table with maps.
fn by_maps(
    source: &Source,
    tokens: Tokens<'_>,
    write: &WriteRequest<'_>,
    rows: &CertifiedRows,
    types: &[ReleasedType],
    observer: &dyn Observer,
) -> Result<Parts, EngineError> {
    let (release, dialect) = (write.release, source.dialect);
    if release.parts().is_some() {
        let what = "publishing original columns with a method that splits rows of equal values";
        return Err(TableError::NotServed { what }.into());
    }
    let counted = release.counted();
    let mut lookups = Lookup::of_table(counted);
    let (mut tables, mut joins) = (Vec::new(), Vec::new());
    for (at, (lookup, column)) in lookups.iter_mut().zip(counted.columns()).enumerate() {
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let position = source.position(&column.name)?;
        let tokens = tokens(position)?;
        let values = source.values(&tokens, position)?;
        let mut codes = Vec::new();
        lookup.codes(&values, &mut codes)?;
        let codes: Int64Array = codes.into_iter().map(i64::from).collect();
        let name = format!("indistinct_map_{at}");
        let arrays: Vec<(String, ArrayRef)> =
            vec![("v".to_owned(), Arc::new(tokens)), ("c".to_owned(), Arc::new(codes))];
        joins.push(format!(" JOIN {name} AS v{at} ON v{at}.v = {}", source.token("s", position)));
        tables.push((name, batch(arrays)));
    }

    let of_tuple = rows.of_counted();
    let retained: Vec<usize> =
        (0..counted.n_tuples()).filter(|&at| of_tuple[at] != DROPPED).collect();
    let mut arrays: Vec<(String, ArrayRef)> = Vec::new();
    let mut on = Vec::new();
    for (at, column) in counted.columns().enumerate() {
        let codes: Int64Array =
            retained.iter().map(|&tuple| i64::from(column.codes[tuple])).collect();
        arrays.push((format!("c{at}"), Arc::new(codes)));
        on.push(format!("m.c{at} = v{at}.c"));
    }
    let mut selected = Vec::new();
    let mut order = Vec::new();
    let mut n_released = 0;
    for column in &write.columns {
        let quoted = dialect.quoted;
        match &column.source {
            ColumnSource::Insensitive(name) => {
                selected.push(format!("s.{} AS {}", quoted(name), quoted(&column.name)));
                order.push(source.token("s", source.position(name)?));
            }
            _ => {
                let of = retained.iter().map(|&tuple| of_tuple[tuple] as usize);
                arrays.push((format!("r{n_released}"), released_texts(rows, n_released, of)));
                let expression = format!("m.r{n_released}");
                selected.push(types[n_released].selected(dialect, &expression, &column.name));
                order.push(expression);
                n_released += 1;
            }
        }
    }
    tables.push((ROWS.to_owned(), batch(arrays)));
    let on = if on.is_empty() { "1 = 1".to_owned() } else { on.join(" AND ") };
    let select = format!(
        "SELECT {} FROM {} AS s{} JOIN {ROWS} AS m ON {on} ORDER BY {}",
        selected.join(", "),
        source.from,
        joins.concat(),
        order.join(", ")
    );
    Ok((tables, select))
}

/// Returns the released strings of a column for the given tuples, with null for missing values.
fn released_texts(
    rows: &CertifiedRows,
    column: usize,
    tuples: impl IntoIterator<Item = usize>,
) -> ArrayRef {
    let text = |tuple| Some(rows.value(column, tuple)).filter(|text| *text != MISSING);
    Arc::new(tuples.into_iter().map(text).collect::<StringArray>())
}

/// The type of a released column in the database. This is the input type if it can represent the
/// released values in the same notation, and text otherwise.
enum ReleasedType {
    /// A type with a text format that all databases share; `Utf8` for text.
    Common(DataType),
    /// A numeric type whose values are read as decimal text, or as floating-point numbers.
    Number(NumberType, DataType),
}

impl ReleasedType {
    fn new(source: &Source, rows: &CertifiedRows, at: usize, column: &OutputColumn) -> Self {
        let (dialect, values) = (source.dialect, rows.values(at));
        let wanted = wider(&column.data_type);
        if (dialect.type_name)(&wanted).is_some() && fits(values, &wanted) {
            return Self::Common(wanted);
        }
        let declared = source.position(&column.name).map(|at| &*source.described[at].declared);
        let numbers = declared.map_or_else(|_| Vec::new(), dialect.numbers);
        let mut present = values.iter().filter(|it| *it != MISSING).peekable();
        let is_empty = present.peek().is_none();
        let represents = |it: &NumberType| present.clone().all(|text| it.represents(text));
        match numbers.into_iter().find(|it| !is_empty && represents(it)) {
            Some(number) => Self::Number(number, wanted),
            None => Self::Common(DataType::Utf8),
        }
    }

    /// Returns the type as which the released values are read.
    fn data_type(&self) -> DataType {
        match self {
            Self::Common(data_type) | Self::Number(_, data_type) => data_type.clone(),
        }
    }

    /// Returns the select-list expression of a released column, given the text of its values.
    fn selected(&self, dialect: &Dialect, text: &str, name: &str) -> String {
        let value = match self {
            Self::Number(number, _) => (dialect.number_of)(text, number),
            Self::Common(data_type) => {
                let named = (dialect.type_name)(data_type).unwrap_or(dialect.text);
                format!("CAST({text} AS {named})")
            }
        };
        format!("{value} AS {}", (dialect.quoted)(name))
    }
}

/// Maps all types that differ only in width to a single type of the database.
fn wider(data_type: &DataType) -> DataType {
    match data_type {
        integer if integer.is_integer() => DataType::Int64,
        float if float.is_floating() => DataType::Float64,
        DataType::Timestamp(_, zone) => DataType::Timestamp(TimeUnit::Microsecond, zone.clone()),
        DataType::Dictionary(_, values) => wider(values),
        other => other.clone(),
    }
}

/// Returns whether all values are in the canonical text format of the type.
fn fits(values: &[String], data_type: &DataType) -> bool {
    let present: Vec<&str> =
        values.iter().map(String::as_str).filter(|it| *it != MISSING).collect();
    let typed = typed(&StringArray::from(present.clone()), data_type);
    let Ok(typed) = typed else { return false };
    !present.is_empty()
        && present.iter().enumerate().all(|(row, text)| {
            typed.is_valid(row) && cell_text(&typed, row, "").is_ok_and(|again| again == *text)
        })
}

fn batch(arrays: Vec<(String, ArrayRef)>) -> RecordBatch {
    let arrays = arrays.into_iter().map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(arrays)
        .expect("the columns of a table have the same length")
}

/// Returns the certified rows as a counted table, or `None` if the release has no rows.
pub(crate) fn certified_table(
    rows: &CertifiedRows,
    columns: &[OutputColumn],
) -> Option<FrequencyTable> {
    let n = rows.n_tuples();
    if n == 0 {
        return None;
    }
    let names = rows.names(columns).into_iter().enumerate();
    let column = |(at, name)| {
        let (dictionary, code) = Dictionary::from_distinct(rows.values(at).to_vec());
        let codes = (0..n).map(|tuple| code[rows.code(at, tuple) as usize]).collect();
        CountedColumn { name, dictionary, codes }
    };
    let counts = (0..n).map(|tuple| rows.count(tuple)).collect();
    let table = FrequencyTable::new(names.map(column).collect(), Vec::new(), counts);
    Some(table.expect("every tuple has a value in each column"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_types_represent_exactly_the_texts_that_they_return() {
        let of = |scheme: &str, declared: &str| {
            let dialect = crate::dialects::find(scheme).expect("a dialect");
            (dialect.numbers)(declared)
        };
        let names = |scheme, declared| -> Vec<String> {
            of(scheme, declared).into_iter().map(|it| it.name).collect()
        };
        assert_eq!(names("postgresql", "numeric(9,2)"), ["numeric"]);
        assert_eq!(names("postgresql", "utf8"), [""; 0]);
        assert_eq!(names("duckdb", "decimal128(9, 2)"), ["DECIMAL(9, 2)"]);
        assert_eq!(names("duckdb", "decimal(9,2)"), ["DECIMAL(9, 2)"]);
        assert_eq!(names("duckdb", "hugeint"), ["HUGEINT"]);
        assert_eq!(names("spark", "decimal(9,2)"), ["DECIMAL(9, 2)"]);
        assert_eq!(names("sqlite", "bigint"), ["INTEGER", "NUMERIC"]);
        assert_eq!(names("sqlite", "real"), ["REAL"]);
        assert_eq!(names("sqlite", "varchar(9)"), [""; 0]);
        assert_eq!(names("sqlite", ""), [""; 0]);

        let represents = |number: &NumberType, texts: &[&str]| -> Vec<bool> {
            texts.iter().map(|text| number.represents(text)).collect()
        };
        let invalid = ["", "05", "[0, 5)", "*", "-0", "-0.00", ".5", "5.", "+5", "1e5", "NaN"];
        let fixed = &of("duckdb", "decimal(4,2)")[0];
        assert_eq!(represents(fixed, &["0.50", "-12.34", "0.00"]), [true; 3]);
        assert_eq!(represents(fixed, &["1", "1.5", "1.500", "123.45"]), [false; 4]);
        let any = &of("postgresql", "numeric")[0];
        assert_eq!(represents(any, &["0.50", "12345678901234567890.1", "7", "0"]), [true; 4]);
        let float = &of("sqlite", "real")[0];
        assert_eq!(represents(float, &["0.5", "123456789012345", "-7"]), [true; 3]);
        assert_eq!(represents(float, &["0.50", "1234567890.123456"]), [false; 2]);
        for number in [fixed, any, float] {
            assert_eq!(represents(number, &invalid), [false; 11], "{number:?}");
        }
    }

    #[test]
    fn type_is_preserved_if_texts_fit() {
        let fit = |values: &[&str], data_type| {
            fits(&values.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>(), &data_type)
        };
        assert!(fit(&["", "5", "-7"], DataType::Int64));
        assert!(!fit(&["05"], DataType::Int64));
        assert!(!fit(&["[0, 5)", "5"], DataType::Int64));
        assert!(!fit(&["*"], DataType::Float64));
        assert!(!fit(&[""], DataType::Int64));
        assert!(fit(&["0.5", "1e21"], DataType::Float64));
        assert!(fit(&["true", "false"], DataType::Boolean));
        assert!(!fit(&["2023"], DataType::Date32));
        let instant = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        assert!(fit(&["", "2023-01-31T12:30:00Z"], instant.clone()));
        assert!(!fit(&["2023-01"], instant));
    }
}
