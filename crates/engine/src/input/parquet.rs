//! Parquet files: columns, row groups, and readers that preserve dictionary pages.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::ChunkReader;

use super::guard::{GuardedBatches, guarded};
use super::opened::{FetchedParts, Sources};
use super::{Format, InputColumn};
use crate::EngineError;
use crate::objects::{Object, ObjectError};

pub(super) fn corrupt(path: &Path, error: ParquetError) -> EngineError {
    let error = match error {
        ParquetError::External(inner) => match inner.downcast::<ObjectError>() {
            Ok(error) => return (*error).into(),
            Err(inner) => ParquetError::External(inner),
        },
        other => other,
    };
    EngineError::Corrupt {
        path: path.to_owned(),
        format: Format::Parquet,
        detail: error.to_string(),
    }
}

/// A file whose metadata has been read.
#[derive(Debug, Clone)]
pub(crate) struct ParquetFile {
    sources: Sources,
    path: PathBuf,
    /// The object, if the file is not local.
    object: Option<Object>,
    metadata: ArrowReaderMetadata,
}

/// The data to read from a file.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    /// Column indices in ascending order.
    pub(crate) columns: Vec<usize>,
    /// Selected text columns that are returned as dictionaries.
    pub(crate) dictionaries: Vec<usize>,
    /// Number of rows in a batch.
    pub(crate) batch_rows: usize,
}

/// Iterator over the batches of a file.
pub(crate) type Batches =
    GuardedBatches<Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>>;

impl ParquetFile {
    pub(crate) fn open(sources: &Sources, path: &Path) -> Result<Self, EngineError> {
        let object = sources.object(path)?;
        let options = ArrowReaderOptions::new();
        let metadata = guarded(path, Format::Parquet, || {
            let metadata = match &object {
                Some(object) => {
                    ArrowReaderMetadata::load(&FetchedParts::end_of(sources, object)?, options)
                }
                None => ArrowReaderMetadata::load(&sources.random(path)?, options),
            };
            metadata
                .and_then(|it| check_counts(it.metadata()).map(|()| it))
                .map_err(|error| corrupt(path, error))
        })?;
        Ok(Self { sources: sources.clone(), path: path.to_owned(), object, metadata })
    }

    /// Returns the size in bytes of each row group.
    pub(crate) fn row_groups(&self) -> Vec<u64> {
        let bytes = |group: &RowGroupMetaData| u64::try_from(group.compressed_size()).unwrap_or(0);
        self.metadata.metadata().row_groups().iter().map(bytes).collect()
    }

    /// Reads the selected columns of one row group, or of all row groups. For objects, only these
    /// columns are fetched, one row group at a time.
    pub(crate) fn reader(
        &self,
        selection: &Selection,
        row_group: Option<usize>,
    ) -> Result<Batches, EngineError> {
        let reader: Box<dyn Iterator<Item = _> + Send> = match (self.object.clone(), row_group) {
            (None, group) => Box::new(guarded(&self.path, Format::Parquet, || {
                self.build(self.sources.random(&self.path)?, selection, group)
            })?),
            (Some(object), Some(group)) => Box::new(self.group(&object, selection, group)?),
            (Some(object), None) => {
                let (file, selection) = (self.clone(), selection.clone());
                let groups = 0..self.metadata.metadata().num_row_groups();
                Box::new(groups.flat_map(move |group| {
                    let (batches, failure) = match file.group(&object, &selection, group) {
                        Ok(batches) => (Some(batches), None),
                        Err(error) => (None, Some(ArrowError::ExternalError(Box::new(error)))),
                    };
                    batches.into_iter().flatten().chain(failure.map(Err))
                }))
            }
        };
        let groups = self.metadata.metadata().row_groups().iter().enumerate();
        let read = groups.filter(|(at, _)| row_group.is_none_or(|wanted| wanted == *at));
        let n_rows = read.map(|(_, group)| group.num_rows()).sum();
        Ok(GuardedBatches::new(&self.path, Format::Parquet, Box::new(counted(reader, n_rows))))
    }

    /// Reads a row group of an object.
    fn group(
        &self,
        object: &Object,
        selection: &Selection,
        group: usize,
    ) -> Result<ParquetRecordBatchReader, EngineError> {
        guarded(&self.path, Format::Parquet, || {
            let roots = self.metadata.parquet_schema();
            let columns = self.metadata.metadata().row_group(group).columns().iter().enumerate();
            let selected = columns
                .filter(|(leaf, _)| selection.columns.contains(&roots.get_column_root_idx(*leaf)));
            let range = |(start, n): (u64, u64)| start..start.saturating_add(n);
            let ranges = selected.map(|(_, column)| range(column.byte_range())).collect();
            self.build(FetchedParts::new(&self.sources, object, ranges)?, selection, Some(group))
        })
    }

    fn build<R: ChunkReader + 'static>(
        &self,
        reader: R,
        selection: &Selection,
        row_group: Option<usize>,
    ) -> Result<ParquetRecordBatchReader, EngineError> {
        let metadata = with_dictionaries(&self.metadata, &selection.dictionaries)
            .unwrap_or_else(|| self.metadata.clone());
        let columns = selection.columns.iter().copied();
        let mask = ProjectionMask::roots(metadata.parquet_schema(), columns);
        let mut builder = ParquetRecordBatchReaderBuilder::new_with_metadata(reader, metadata)
            .with_projection(mask)
            .with_batch_size(selection.batch_rows);
        if let Some(row_group) = row_group {
            builder = builder.with_row_groups(vec![row_group]);
        }
        builder.build().map_err(|error| corrupt(&self.path, error))
    }
}

/// Returns the given batches, followed by an error if they do not have the declared number of rows.
/// Other programs could find different rows in such a file.
fn counted(
    mut batches: impl Iterator<Item = Result<RecordBatch, ArrowError>> + Send,
    n_rows: i64,
) -> impl Iterator<Item = Result<RecordBatch, ArrowError>> + Send {
    let mut n_left = n_rows;
    std::iter::from_fn(move || match batches.next() {
        Some(batch) => {
            n_left -= batch.as_ref().map_or(0, |batch| batch.num_rows() as i64);
            Some(batch)
        }
        None if std::mem::take(&mut n_left) != 0 => {
            let reason = "the pages do not have the number of rows that the metadata declares";
            Some(Err(ArrowError::ParquetError(reason.to_owned())))
        }
        None => None,
    })
}

/// Checks that the counts in the metadata are consistent.
pub(super) fn check_counts(metadata: &ParquetMetaData) -> Result<(), ParquetError> {
    let groups = metadata.row_groups();
    let n_rows = groups.iter().fold(0, |sum: i64, group| sum.saturating_add(group.num_rows()));
    let is_flat = |chunk: &&ColumnChunkMetaData| chunk.column_descr().max_rep_level() == 0;
    let agree = |group: &RowGroupMetaData| {
        group.columns().iter().filter(is_flat).all(|it| it.num_values() == group.num_rows())
    };
    match n_rows == metadata.file_metadata().num_rows() && groups.iter().all(agree) {
        true => Ok(()),
        false => Err(ParquetError::General("the counts of rows contradict each other".to_owned())),
    }
}

/// Returns the columns of a file.
pub(super) fn read_columns(
    sources: &Sources,
    path: &Path,
) -> Result<Vec<InputColumn>, EngineError> {
    Ok(InputColumn::of_schema(ParquetFile::open(sources, path)?.metadata.schema()))
}

/// Requests dictionaries for the given text columns; returns `None` if the file does not support
/// them.
pub(super) fn with_dictionaries(
    native: &ArrowReaderMetadata,
    dictionaries: &[usize],
) -> Option<ArrowReaderMetadata> {
    let fields =
        native.schema().fields().iter().enumerate().map(|(at, field)| match field.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
                if dictionaries.contains(&at) =>
            {
                let codes =
                    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
                Arc::new(field.as_ref().clone().with_data_type(codes))
            }
            _ => Arc::clone(field),
        });
    let schema =
        Schema::new_with_metadata(fields.collect::<Vec<_>>(), native.schema().metadata().clone());
    let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
    ArrowReaderMetadata::try_new(Arc::clone(native.metadata()), options).ok()
}
