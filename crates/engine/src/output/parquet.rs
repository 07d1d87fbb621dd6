//! Parquet output with row groups of fixed size. Columns are encoded in parallel, and the output
//! does not depend on the number of threads.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use indistinct_core::Observer;
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::arrow::{
    ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata, parquet_to_arrow_schema,
};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::SchemaDescriptor;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::columns::{ColumnSource, Palette};
use super::layout::{Layout, Progress, RowSink, Slot};
use super::permutation::Permutation;
use crate::EngineError;
use crate::input::text::plain_type;

/// Number of rows in a row group.
const GROUP_ROWS: usize = 1 << 20;

/// Number of rows that are converted to arrays at a time.
const SLICE_ROWS: usize = 1 << 16;

/// Returns the properties of all released files.
pub(crate) fn properties() -> Result<WriterPropertiesBuilder, ParquetError> {
    Ok(WriterProperties::builder()
        .set_created_by(concat!("indistinct ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_data_page_row_count_limit(GROUP_ROWS))
}

/// Returns whether the footer must contain the Arrow schema. It preserves types that Parquet does
/// not have, such as timestamps in seconds.
pub(crate) fn needs_arrow_schema(
    schema: &Schema,
    descriptor: &SchemaDescriptor,
) -> Result<bool, ParquetError> {
    Ok(parquet_to_arrow_schema(descriptor, None)?.fields() != schema.fields())
}

/// Writer of a Parquet file. [`crate::input::released_parquet`] validates such files when reading a
/// release.
pub(super) struct ParquetRows<'a, W: Write + Send> {
    path: &'a Path,
    layout: &'a Layout<'a>,
    palettes: Vec<Palette>,
    encoded: SchemaRef,
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    group: Vec<ArrowColumnWriter>,
    n_groups: usize,
    n_group_rows: usize,
    pool: ThreadPool,
}

impl<'a, W: Write + Send> ParquetRows<'a, W> {
    /// Starts a file with the columns of a layout.
    pub(super) fn new(
        path: &'a Path,
        layout: &'a Layout<'a>,
        n_threads: usize,
        out: W,
    ) -> Result<Self, EngineError> {
        let fail = |error| EngineError::parquet(path, error);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads.max(1))
            .build()
            .map_err(|error| EngineError::write(path, std::io::Error::other(error)))?;
        let mut palettes = Vec::new();
        let mut fields = Vec::new();
        let mut encoded = Vec::new();
        for (column, slot) in layout.columns.iter().zip(&layout.slots) {
            let field = match slot {
                Slot::Counted(counted) => {
                    let data_type = match column.source {
                        ColumnSource::Class | ColumnSource::GivenClass(_) => &DataType::Int64,
                        _ => &column.data_type,
                    };
                    let palette = Palette::new(&layout.tuples.columns[*counted].values, data_type);
                    let field = palette.field(&column.name);
                    encoded.push(field.clone().with_data_type(palette.encoded_type()));
                    palettes.push(palette);
                    field
                }
                Slot::Extra(_) => {
                    let field = Field::new(&column.name, plain_type(&column.data_type), true);
                    encoded.push(field.clone());
                    field
                }
            };
            fields.push(field);
        }
        let schema = Schema::new(fields);
        let descriptor = ArrowSchemaConverter::new().convert(&schema).map_err(fail)?;
        let mut properties = properties().map_err(fail)?.build();
        if needs_arrow_schema(&schema, &descriptor).map_err(fail)? {
            add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
        }
        let file = SerializedFileWriter::new(out, descriptor.root_schema_ptr(), properties.into())
            .map_err(fail)?;
        let encoded: SchemaRef = Arc::new(Schema::new(encoded));
        let factory = ArrowRowGroupWriterFactory::new(&file, Arc::clone(&encoded));
        Ok(Self {
            path,
            layout,
            palettes,
            encoded,
            file,
            factory,
            group: Vec::new(),
            n_groups: 0,
            n_group_rows: 0,
            pool,
        })
    }

    fn encode(&mut self, tuples: &[u32], extras: &[ArrayRef]) -> Result<(), ParquetError> {
        if self.n_group_rows == 0 {
            self.group = self.factory.create_column_writers(self.n_groups)?;
        }
        let (layout, palettes, fields) = (self.layout, &self.palettes, self.encoded.fields());
        let encode = |(at, writer): (usize, &mut ArrowColumnWriter)| -> Result<(), ParquetError> {
            let mut write = |array: &ArrayRef| -> Result<(), ParquetError> {
                for leaf in compute_leaves(&fields[at], array)? {
                    writer.write(&leaf)?;
                }
                Ok(())
            };
            match layout.slots[at] {
                Slot::Extra(column) => write(&extras[column]),
                Slot::Counted(column) => tuples.chunks(SLICE_ROWS).try_for_each(|tuples| {
                    let codes = tuples.iter().map(|&tuple| layout.tuples.code(column, tuple));
                    write(&palettes[column].pick(codes.collect())?)
                }),
            }
        };
        let group = &mut self.group;
        self.pool.install(|| group.par_iter_mut().enumerate().try_for_each(encode))
    }

    fn end_group(&mut self) -> Result<(), ParquetError> {
        let writers = std::mem::take(&mut self.group);
        let chunks = self.pool.install(|| {
            writers.into_par_iter().map(ArrowColumnWriter::close).collect::<Result<Vec<_>, _>>()
        })?;
        let mut group = self.file.next_row_group()?;
        for chunk in chunks {
            chunk.append_to_row_group(&mut group)?;
        }
        group.close()?;
        self.n_groups += 1;
        self.n_group_rows = 0;
        Ok(())
    }
}

impl<W: Write + Send> RowSink<W> for ParquetRows<'_, W> {
    fn layout(&self) -> &Layout<'_> {
        self.layout
    }

    fn write_counted(
        &mut self,
        order: &Permutation,
        observer: &dyn Observer,
    ) -> Result<(), EngineError> {
        let tuples = self.layout.tuples;
        let n_rows = tuples.n_rows();
        let mut progress = Progress::new(observer, n_rows);
        let mut picked: Vec<u32> = Vec::new();
        for first in (0..n_rows).step_by(GROUP_ROWS) {
            let n = (n_rows - first).min(GROUP_ROWS as u64);
            self.pool.install(|| {
                let positions = (0..n as usize).into_par_iter();
                positions
                    .map(|at| tuples.of_rank(order.of(first + at as u64)))
                    .collect_into_vec(&mut picked);
            });
            self.push(&picked, &[])?;
            progress.advance(n)?;
        }
        Ok(())
    }

    fn push(&mut self, tuples: &[u32], extras: &[ArrayRef]) -> Result<(), EngineError> {
        let mut start = 0;
        while start < tuples.len() {
            let n = (tuples.len() - start).min(GROUP_ROWS - self.n_group_rows);
            let extras: Vec<ArrayRef> = extras.iter().map(|array| array.slice(start, n)).collect();
            let encoded = self.encode(&tuples[start..start + n], &extras);
            encoded.map_err(|error| EngineError::parquet(self.path, error))?;
            self.n_group_rows += n;
            if self.n_group_rows == GROUP_ROWS {
                self.end_group().map_err(|error| EngineError::parquet(self.path, error))?;
            }
            start += n;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<W, EngineError> {
        let path = self.path;
        if self.n_group_rows > 0 {
            self.end_group().map_err(|error| EngineError::parquet(path, error))?;
        }
        self.file.into_inner().map_err(|error| EngineError::parquet(path, error))
    }
}
