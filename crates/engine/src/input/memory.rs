//! In-memory tables: record batches that can be read repeatedly.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_cast::cast;
use arrow_row::{RowConverter, SortField};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use sha2::{Digest, Sha256};

use super::hashed::FileDigest;
use super::text::{cell_text, plain_type, typed};
use super::{Batches, Format, Input, InputColumn};
use crate::EngineError;

/// Maximum number of rows in a batch. Rows are hashed in chunks of the same size.
const BATCH_ROWS: usize = 32 * 1024;

/// An in-memory table, used instead of files. The cells of the table are shared and never copied.
#[derive(Clone)]
pub struct MemoryTable {
    name: PathBuf,
    schema: SchemaRef,
    batches: Arc<[RecordBatch]>,
}

impl fmt::Debug for MemoryTable {
    /// Formats the names and types of the columns, without any cells.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryTable")
            .field("name", &self.name)
            .field("schema", &self.schema)
            .finish()
    }
}

impl MemoryTable {
    /// Creates a table from all batches of a schema; `name` is used in messages.
    ///
    /// # Errors
    /// Returns [`EngineError::Corrupt`] if a batch is an error or its columns do not match the
    /// schema.
    pub fn new(
        name: &str,
        schema: SchemaRef,
        batches: impl IntoIterator<Item = Result<RecordBatch, ArrowError>>,
    ) -> Result<Self, EngineError> {
        let name = PathBuf::from(name);
        let corrupt = |detail: String| corrupt(&name, detail);
        let mut taken = Vec::new();
        for batch in batches {
            let batch = batch.map_err(|error| corrupt(error.to_string()))?;
            if InputColumn::of_schema(&batch.schema()) != InputColumn::of_schema(&schema) {
                return Err(corrupt(
                    "the columns of a batch differ from those of the first batch".to_owned(),
                ));
            }
            taken.push(batch);
        }
        Ok(Self { name, schema, batches: taken.into() })
    }

    /// Reads a complete table. A column that is listed in `like` is converted to the listed type if
    /// its values represent that type differently. Examples are text instead of a dictionary, and
    /// numbers from a CSV file.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the table cannot be read.
    pub fn read(name: &str, input: &Input, like: &[InputColumn]) -> Result<Self, EngineError> {
        let names: Vec<String> = input.columns().iter().map(|it| it.name.clone()).collect();
        let read: Vec<RecordBatch> = input.batches(&names)?.collect::<Result<_, _>>()?;
        let mut fields = Vec::new();
        let mut columns = Vec::new();
        for (at, column) in input.columns().iter().enumerate() {
            let parts = read.iter().map(|batch| Arc::clone(batch.column(at))).collect();
            let same = like.iter().find(|it| it.name == column.name).map(|it| &it.data_type);
            let (data_type, parts) =
                in_type_of(same.unwrap_or(&column.data_type), column, parts)
                    .map_err(|error| corrupt(Path::new(name), error.to_string()))?;
            fields.push(Field::new(&column.name, data_type, true));
            columns.push(parts);
        }
        let schema: SchemaRef = Arc::new(Schema::new(fields));
        let batch = |part: usize| {
            let columns = columns.iter().map(|parts: &Vec<ArrayRef>| Arc::clone(&parts[part]));
            RecordBatch::try_new(Arc::clone(&schema), columns.collect())
        };
        Self::new(name, Arc::clone(&schema), (0..read.len()).map(batch))
    }

    /// Returns the cells of each row in canonical text format, with an empty string for missing
    /// values.
    ///
    /// # Errors
    /// Returns [`EngineError::UnsupportedType`] if the type of a column has no plain text format.
    pub fn texts(&self) -> Result<Vec<Vec<String>>, EngineError> {
        let mut rows = Vec::new();
        for batch in self.batches.iter() {
            for row in 0..batch.num_rows() {
                let columns = batch.columns().iter().zip(self.schema.fields());
                let cell = |(array, field): (&ArrayRef, &Arc<Field>)| {
                    cell_text(array, row, field.name()).map(|text| text.into_owned())
                };
                rows.push(columns.map(cell).collect::<Result<Vec<String>, _>>()?);
            }
        }
        Ok(rows)
    }

    /// Returns the names and types of the columns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Returns the batches.
    pub fn record_batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// Returns the name for messages.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Returns the columns in order.
    pub fn columns(&self) -> Vec<InputColumn> {
        InputColumn::of_schema(&self.schema)
    }

    /// Returns the total number of rows in all batches.
    pub fn n_rows(&self) -> u64 {
        self.batches.iter().map(|batch| batch.num_rows() as u64).sum()
    }

    /// Returns the given columns in small slices to let threads share the work for any batch size.
    pub(super) fn batches(&self, columns: &[usize]) -> Batches {
        let (batches, columns) = (Arc::clone(&self.batches), columns.to_vec());
        let slices = (0..batches.len()).flat_map(move |at| {
            let starts = (0..batches[at].num_rows()).step_by(BATCH_ROWS);
            let (batches, columns) = (Arc::clone(&batches), columns.clone());
            starts.map(move |start| {
                let n = BATCH_ROWS.min(batches[at].num_rows() - start);
                let slice = batches[at].slice(start, n);
                Ok(slice.project(&columns).expect("the columns occur in the schema"))
            })
        });
        Box::new(slices)
    }

    /// Computes a digest of names, types, and cells that does not depend on the division into
    /// batches. `poll` is called after each step and can stop the computation.
    ///
    /// For columns that cannot be released, such as lists, the digest includes only the type.
    pub(crate) fn digest(
        &self,
        poll: &mut dyn FnMut(u64) -> Result<(), EngineError>,
    ) -> Result<FileDigest, EngineError> {
        let mut hash = Sha256::new();
        let mut n_bytes = 0;
        let mut add = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
            n_bytes += bytes.len() as u64;
        };
        let mut readable = Vec::new();
        for (at, field) in self.schema.fields().iter().enumerate() {
            add(field.name().as_bytes());
            add(field.data_type().to_string().as_bytes());
            if super::text::is_supported(field.data_type()) {
                readable.push(at);
            }
        }
        let sort = |at: &usize| SortField::new(self.schema.field(*at).data_type().clone());
        let refused = |error: ArrowError| corrupt(&self.name, error.to_string());
        let converter = RowConverter::new(readable.iter().map(sort).collect()).map_err(refused)?;
        for batch in self.batches.iter().filter(|_| !readable.is_empty()) {
            for start in (0..batch.num_rows()).step_by(BATCH_ROWS) {
                let n = BATCH_ROWS.min(batch.num_rows() - start);
                let columns: Vec<ArrayRef> =
                    readable.iter().map(|at| batch.column(*at).slice(start, n)).collect();
                let rows = converter.convert_columns(&columns).map_err(refused)?;
                rows.iter().for_each(|row| add(row.as_ref()));
                poll(n as u64)?;
            }
        }
        Ok(FileDigest { sha256: hash.finalize().into(), n_bytes })
    }
}

fn corrupt(name: &Path, detail: String) -> EngineError {
    EngineError::Corrupt { path: name.to_owned(), format: Format::Arrow, detail }
}

/// Converts the parts of a column to the type `wanted` if this type can represent their values.
/// Otherwise, returns the parts unchanged.
fn in_type_of(
    wanted: &DataType,
    column: &InputColumn,
    parts: Vec<ArrayRef>,
) -> Result<(DataType, Vec<ArrayRef>), ArrowError> {
    let plain = plain_type(wanted);
    if plain == plain_type(&column.data_type) {
        let data_type = match wanted {
            // The key type is widened because there may be more labels than original values.
            DataType::Dictionary(_, values) => {
                DataType::Dictionary(Box::new(DataType::Int32), values.clone())
            }
            other => other.clone(),
        };
        let parts = parts.iter().map(|part| cast(part, &data_type)).collect::<Result<_, _>>()?;
        return Ok((data_type, parts));
    }
    let of_values = |part: &ArrayRef| typed(part.as_string_opt::<i32>()?, &plain);
    match parts.iter().map(of_values).collect::<Option<Vec<ArrayRef>>>() {
        Some(typed) => Ok((plain, typed)),
        None => Ok((column.data_type.clone(), parts)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Int64Array, StringArray};

    fn table(parts: &[&[i64]], text: &str) -> MemoryTable {
        let fields =
            vec![Field::new("n", DataType::Int64, true), Field::new("s", DataType::Utf8, true)];
        let schema = Arc::new(Schema::new(fields));
        let batch = |part: &&[i64]| {
            let numbers: ArrayRef = Arc::new(Int64Array::from(part.to_vec()));
            let texts: ArrayRef = Arc::new(StringArray::from(vec![text; part.len()]));
            RecordBatch::try_new(Arc::clone(&schema), vec![numbers, texts])
        };
        MemoryTable::new("data", Arc::clone(&schema), parts.iter().map(batch)).expect("it fits")
    }

    fn digest(table: &MemoryTable) -> [u8; 32] {
        table.digest(&mut |_| Ok(())).expect("the table can be hashed").sha256
    }

    #[test]
    fn digest_does_not_depend_on_batches() {
        let whole = digest(&table(&[&[1, 2, 3]], "a"));
        assert_eq!(whole, digest(&table(&[&[1], &[], &[2, 3]], "a")));
        for other in [
            table(&[&[1, 3, 2]], "a"),
            table(&[&[1, 2]], "a"),
            table(&[&[1, 2, 4]], "a"),
            table(&[&[1, 2, 3]], "b"),
        ] {
            assert_ne!(whole, digest(&other));
        }
    }

    #[test]
    fn debug_output_contains_no_cells() {
        assert!(!format!("{:?}", table(&[&[12_345]], "Grete")).contains("Grete"));
    }
}
