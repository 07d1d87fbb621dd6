//! Staging: the released rows, made in the database within the transaction that will publish them.
//!
//! Where every released column was counted, the certified rows themselves are sent, each distinct one once. Otherwise the rows stay
//! where they are: a map for each counted column and one of tuples are sent and joined, and the columns that were not counted go
//! with their rows. Rows whose values were not counted, or not as often, are found by the judge.
//!
//! Rows are written in the order of their released values, all of them: what order the table had, or its index, does not show.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, TimeUnit};
use indistinct_core::{DROPPED, MISSING, Observer};
use indistinct_engine::output::{CertifiedRows, ColumnSource, OutputColumn, Recode};
use indistinct_engine::{EngineError, Lookup, TableError, cell_text};

use crate::connection::Connection;
use crate::name::{TableName, quoted};
use crate::table::SqlTable;
use crate::token::typed;

/// What making the staging table asks for, in messages.
const STAGING: &str = "to make the released rows";

/// The temporary table of certified rows or tuples.
const ROWS: &str = "indistinct_rows";

/// Makes the staging table and returns the certified rows that it must have.
pub(crate) fn stage(
    connection: &Connection,
    table: &SqlTable,
    recode: &Recode<'_>,
    staging: &TableName,
    observer: &dyn Observer,
) -> Result<CertifiedRows, EngineError> {
    let write = &recode.write;
    let rows = CertifiedRows::of(write.release, &write.columns, write.order)?;
    let is_counted = |column: &OutputColumn| !matches!(column.source, ColumnSource::Insensitive(_));
    let sql = match write.columns.iter().all(is_counted) {
        true => from_counts(connection, &rows, write.columns.as_slice(), staging)?,
        false => by_maps(connection, table, recode, &rows, staging, observer)?,
    };
    if observer.is_cancelled() {
        return Err(EngineError::Cancelled);
    }
    connection.execute(STAGING, &sql).map_err(EngineError::from)?;
    Ok(rows)
}

/// Sends the certified rows, each distinct one once; returns the statement that makes the staging table of them.
fn from_counts(
    connection: &Connection,
    rows: &CertifiedRows,
    columns: &[OutputColumn],
    staging: &TableName,
) -> Result<String, EngineError> {
    let dialect = connection.dialect;
    let n = rows.n_tuples();
    let places: Int64Array = (0..n as i64).collect();
    let counts: Int64Array = (0..n).map(|tuple| rows.count(tuple) as i64).collect();
    let mut arrays: Vec<(String, ArrayRef)> =
        vec![("k".to_owned(), Arc::new(places)), ("n".to_owned(), Arc::new(counts))];
    for column in 0..columns.len() {
        arrays.push((format!("r{column}"), released_texts(rows, column, 0..n)));
    }
    load(connection, ROWS, arrays)?;
    let selected = columns
        .iter()
        .enumerate()
        .map(|(at, column)| released(connection, &format!("m.r{at}"), rows, at, column));
    let selected: Vec<String> = selected.collect();
    Ok(format!(
        "CREATE TABLE {} AS SELECT {} FROM {} ORDER BY m.k",
        staging.sql(),
        selected.join(", "),
        (dialect.repeated)(ROWS)
    ))
}

/// Sends the maps; returns the statement that makes the staging table by them.
fn by_maps(
    connection: &Connection,
    table: &SqlTable,
    recode: &Recode<'_>,
    rows: &CertifiedRows,
    staging: &TableName,
    observer: &dyn Observer,
) -> Result<String, EngineError> {
    let (release, outputs) = (recode.write.release, &recode.write.columns);
    if release.parts().is_some() {
        let what = "a method that divides rows of equal values, with columns that are published as they are";
        return Err(TableError::NotServed { what }.into());
    }
    let counted = release.counted();
    let mut lookups = Lookup::of_table(counted);
    let mut joins = Vec::new();
    for (at, (lookup, column)) in lookups.iter_mut().zip(counted.columns()).enumerate() {
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let position = table.position(&column.name)?;
        let tokens = table.distinct_tokens(connection, position)?;
        let tokens: ArrayRef = Arc::new(tokens);
        let values = table.values(&tokens, position)?;
        let mut codes = Vec::new();
        lookup.codes(&values, &mut codes)?;
        let codes: Int64Array = codes.into_iter().map(i64::from).collect();
        let name = format!("indistinct_map_{at}");
        load(connection, &name, vec![("v".to_owned(), tokens), ("c".to_owned(), Arc::new(codes))])?;
        joins.push(format!(" JOIN {name} AS v{at} ON v{at}.v = {}", table.token("s", position)));
    }

    let of_tuple = rows.of_counted();
    let kept: Vec<usize> = (0..counted.n_tuples()).filter(|&at| of_tuple[at] != DROPPED).collect();
    let mut arrays: Vec<(String, ArrayRef)> = Vec::new();
    let mut on = Vec::new();
    for (at, column) in counted.columns().enumerate() {
        let codes: Int64Array = kept.iter().map(|&tuple| i64::from(column.codes[tuple])).collect();
        arrays.push((format!("c{at}"), Arc::new(codes)));
        on.push(format!("m.c{at} = v{at}.c"));
    }
    let mut selected = Vec::new();
    let mut order = Vec::new();
    let mut n_released = 0;
    for column in outputs {
        let name = quoted(&column.name);
        match &column.source {
            ColumnSource::Insensitive(source) => {
                selected.push(format!("s.{} AS {name}", quoted(source)));
                order.push(table.token("s", table.position(source)?));
            }
            _ => {
                let of = kept.iter().map(|&tuple| of_tuple[tuple] as usize);
                arrays.push((format!("r{n_released}"), released_texts(rows, n_released, of)));
                let expression = format!("m.r{n_released}");
                selected.push(released(connection, &expression, rows, n_released, column));
                order.push(expression);
                n_released += 1;
            }
        }
    }
    load(connection, ROWS, arrays)?;
    let on = if on.is_empty() { "1 = 1".to_owned() } else { on.join(" AND ") };
    Ok(format!(
        "CREATE TABLE {} AS SELECT {} FROM {} AS s{} JOIN {ROWS} AS m ON {on} ORDER BY {}",
        staging.sql(),
        selected.join(", "),
        table.source,
        joins.concat(),
        order.join(", ")
    ))
}

/// The released texts of a column for some tuples; a missing value is null.
fn released_texts(
    rows: &CertifiedRows,
    column: usize,
    tuples: impl IntoIterator<Item = usize>,
) -> ArrayRef {
    let text = |tuple| Some(rows.value(column, tuple)).filter(|text| *text != MISSING);
    Arc::new(tuples.into_iter().map(text).collect::<StringArray>())
}

/// A released column, in a type of the database where all its values are written as that type writes them.
fn released(
    connection: &Connection,
    expression: &str,
    rows: &CertifiedRows,
    at: usize,
    column: &OutputColumn,
) -> String {
    let dialect = connection.dialect;
    let wanted = wider(&column.data_type);
    let named = (dialect.type_name)(&wanted).filter(|_| fits(rows.values(at), &wanted));
    format!("CAST({expression} AS {}) AS {}", named.unwrap_or(dialect.text), quoted(&column.name))
}

/// The one type of the database for types that differ in their width.
fn wider(data_type: &DataType) -> DataType {
    match data_type {
        integer if integer.is_integer() => DataType::Int64,
        float if float.is_floating() => DataType::Float64,
        DataType::Timestamp(_, zone) => DataType::Timestamp(TimeUnit::Microsecond, zone.clone()),
        DataType::Dictionary(_, values) => wider(values),
        other => other.clone(),
    }
}

/// Whether all values are texts of the type, as it writes them.
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

fn load(
    connection: &Connection,
    name: &str,
    arrays: Vec<(String, ArrayRef)>,
) -> Result<(), EngineError> {
    let batch = RecordBatch::try_from_iter_with_nullable(
        arrays.into_iter().map(|(name, array)| (name, array, true)),
    );
    let batch = batch.expect("columns of one table are of one length");
    Ok(connection.load(name, batch)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_kept_where_its_texts_are_the_values() {
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
