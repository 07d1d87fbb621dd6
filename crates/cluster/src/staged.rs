//! Staging of released rows, which are checked before they are published.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, cast::AsArray, types::Int64Type};
use datafusion::arrow::compute::take;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use indistinct_core::Observer;
use indistinct_engine::output::{
    CertifiedRows, OutputColumn, Recode, Replace, StagedRows, WrittenFile,
};
use indistinct_engine::{EngineError, InputSpec, TableError};
use indistinct_sql::{Client, Recoding, is_certified, literal};
use parquet::arrow::ArrowWriter;

use crate::place::ClusterLocation;
use crate::session::address_of;
use crate::table::{self, ClusterTable};
use crate::target::Target;

/// The description of the staging operation in messages.
const STAGING: &str = "to write the released rows";

/// The maximum number of released rows per certified row, because an executor generates them in a
/// single batch.
const AT_ONCE: i64 = 1 << 14;

/// Released rows under a temporary name.
pub(crate) struct StagedFolder {
    place: ClusterLocation,
    target: Target,
    columns: Vec<OutputColumn>,
    rows: CertifiedRows,
}

impl StagedFolder {
    /// Instructs the executors to write the released rows.
    pub(crate) fn make(
        table: &ClusterTable,
        name: &str,
        replace: Replace,
        recode: &Recode<'_>,
        observer: &dyn Observer,
    ) -> Result<Self, EngineError> {
        let target = Target::claim(&table.client.place, name, replace)?;
        let session = &table.client;
        let rows = session.watched(observer, || {
            let tokens = |position| table.distinct(position);
            let recoding = Recoding::new(&table.source, &tokens, &recode.write, observer)?;
            for (name, batch) in &recoding.tables {
                let path = target.maps().join(format!("{name}.parquet"));
                let batch = in_pieces(batch);
                write(&path, &batch)?;
                let format = Arc::new(ParquetFormat::default());
                session.register(name, &[path], format, batch.schema())?;
            }
            let to = literal(&address_of(&target.rows()));
            let select = &recoding.select;
            session.execute(
                STAGING,
                format!(
                    "COPY ({select}) TO {to} STORED AS PARQUET OPTIONS ('format.compression' \
                     'zstd(3)')"
                ),
            )?;
            Ok(recoding.rows)
        })?;
        let columns = recode.write.columns.clone();
        Ok(Self { place: table.client.place.clone(), target, columns, rows })
    }
}

/// Splits rows with counts into rows whose counts do not exceed the maximum batch size.
fn in_pieces(batch: &RecordBatch) -> RecordBatch {
    let Some(counts) = batch.column_by_name("n") else { return batch.clone() };
    let counts = counts.as_primitive::<Int64Type>();
    let (mut from, mut pieces) = (Vec::new(), Vec::new());
    for (row, &n) in counts.values().iter().enumerate() {
        let mut left = n;
        while left > 0 {
            from.push(row as u64);
            pieces.push(left.min(AT_ONCE));
            left -= AT_ONCE;
        }
    }
    let from = arrow_array::UInt64Array::from(from);
    let schema = batch.schema();
    let column = |(at, array): (usize, &ArrayRef)| -> ArrayRef {
        match schema.field(at).name() == "n" {
            true => Arc::new(Int64Array::from(pieces.clone())),
            false => take(array, &from, None).expect("all row indices are within the batch"),
        }
    };
    let arrays = batch.columns().iter().enumerate().map(column).collect();
    RecordBatch::try_new(Arc::clone(&schema), arrays).expect("the columns match the schema")
}

/// Writes a map to a file that the executors can access.
fn write(path: &Path, batch: &RecordBatch) -> Result<(), EngineError> {
    let fail = |source| EngineError::Read { path: path.to_owned(), source };
    let file = File::create_new(path).map_err(fail)?;
    let written = ArrowWriter::try_new(file, batch.schema(), None).and_then(|mut writer| {
        writer.write(batch)?;
        writer.close().map(drop)
    });
    written.map_err(|error| fail(std::io::Error::other(error)))
}

impl StagedRows for StagedFolder {
    fn file(&self) -> Option<&WrittenFile> {
        None
    }

    fn judge(&self, observer: &dyn Observer) -> Result<(), EngineError> {
        let not_certified = || TableError::NotCertified { table: self.target.name.clone() };
        let path = self.target.rows();
        if !path.exists() {
            let what = match self.rows.n_tuples() {
                0 => "a release without rows",
                _ => {
                    "an executor that writes to another folder; mount the folder at the same path \
                     on all machines"
                }
            };
            return Err(TableError::NotOnCluster { what }.into());
        }
        let spec = InputSpec { path, ..InputSpec::default() };
        let staged = Arc::new(table::over(self.place.clone(), &spec)?);
        match is_certified(&self.target.name, staged, &self.rows, &self.columns, observer)? {
            true => Ok(()),
            false => Err(not_certified().into()),
        }
    }

    fn publish(self: Box<Self>, files: &[(String, String)]) -> Result<(), EngineError> {
        self.target.publish(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_rows_are_split_into_bounded_pieces() {
        let counts = [1, AT_ONCE, AT_ONCE + 1, 3 * AT_ONCE];
        let column = |values: Vec<i64>| Arc::new(Int64Array::from(values)) as ArrayRef;
        let batch = RecordBatch::try_from_iter([
            ("k", column(vec![0, 1, 2, 3])),
            ("n", column(counts.to_vec())),
        ]);
        let pieces = in_pieces(&batch.expect("a batch"));
        let of = |at: usize| pieces.column(at).as_primitive::<Int64Type>().values().to_vec();
        assert_eq!(of(0), [0, 1, 2, 2, 3, 3, 3]);
        assert!(of(1).iter().all(|&n| n <= AT_ONCE));
        for (key, &n) in counts.iter().enumerate() {
            let all = of(0).into_iter().zip(of(1)).filter(|(k, _)| *k == key as i64);
            assert_eq!(all.map(|(_, n)| n).sum::<i64>(), n);
        }
    }
}
