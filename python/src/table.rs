//! Tables in memory, which are imported and exported through the Arrow PyCapsule interface.

use indistinct::{MemoryTable, Values};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::PyTable;
use pyo3_arrow::input::AnyRecordBatch;

use crate::raised::raised;

/// A table in memory, which other libraries can read through the Arrow PyCapsule interface without
/// copying.
#[pyclass(frozen, module = "indistinct._native")]
pub(crate) struct Table(MemoryTable);

impl Table {
    pub(crate) fn of_memory(table: MemoryTable) -> Self {
        Self(table)
    }

    pub(crate) fn inner(&self) -> &MemoryTable {
        &self.0
    }
}

#[pymethods]
impl Table {
    /// Imports an object with `__arrow_c_stream__` or `__arrow_c_array__`; `name` appears in
    /// messages.
    #[new]
    fn new(py: Python<'_>, data: AnyRecordBatch, name: &str) -> PyResult<Self> {
        let reader = data.into_reader()?;
        let schema = reader.schema();
        let batches = py.detach(|| reader.collect::<Result<Vec<_>, _>>());
        // Omit the error message of the other library, because it may quote a cell.
        let batches =
            batches.map_err(|_| PyValueError::new_err("a batch of the rows is unavailable"))?;
        let table = MemoryTable::new(name, schema, batches.into_iter().map(Ok));
        table.map(Self).map_err(|error| raised(&error.into(), Values::Hidden))
    }

    /// The name of the table.
    #[getter]
    fn name(&self) -> String {
        self.0.name().display().to_string()
    }

    /// The names and Arrow types of the columns.
    #[getter]
    fn columns(&self) -> Vec<(String, String)> {
        let columns = self.0.columns().into_iter();
        columns.map(|column| (column.name, column.data_type.to_string())).collect()
    }

    /// The cells of each row as text, in the library's representation; a missing cell is an empty
    /// text.
    fn texts(&self) -> PyResult<Vec<Vec<String>>> {
        self.0.texts().map_err(|error| raised(&error.into(), Values::Hidden))
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.0.n_rows()).unwrap_or(usize::MAX)
    }

    fn __repr__(&self) -> String {
        format!(
            "<Table '{}': {} rows, {} columns>",
            self.name(),
            self.0.n_rows(),
            self.columns().len()
        )
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arrow(py)?.call_method0("__arrow_c_schema__")
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.arrow(py)?.call_method1("__arrow_c_stream__", (requested_schema,))
    }
}

impl Table {
    fn arrow<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let batches = self.0.record_batches().to_vec();
        let table = PyTable::try_new(batches, self.0.schema().clone())?;
        Ok(Bound::new(py, table)?.into_any())
    }
}
