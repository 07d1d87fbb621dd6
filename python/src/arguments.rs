//! Converts Python arguments to types of the library.

use std::path::{Path, PathBuf};

use indistinct::{Aim, InputSpec, Job, PolicyText, Session, TableRef, Values};
use pyo3::prelude::*;

use crate::table::Table;

/// An input table.
#[derive(FromPyObject)]
pub(crate) enum Data {
    /// A table in memory.
    Table(Py<Table>),
    /// A file, a folder, or a pattern.
    Path(PathBuf),
}

impl Data {
    pub(crate) fn table(&self) -> TableRef<'_> {
        match self {
            Self::Table(table) => table.get().inner().into(),
            Self::Path(path) => path.into(),
        }
    }

    /// Returns the location of the table; `table` and `query` name a table of a database, or
    /// `table` names a sheet of a spreadsheet.
    pub(crate) fn spec(&self, table: Option<String>, query: Option<String>) -> InputSpec {
        InputSpec { table, query, ..self.table().into() }
    }
}

/// A policy with its text, its name in messages, and the base folder of relative paths.
#[derive(FromPyObject)]
pub(crate) struct Policy(String, String, PathBuf);

impl Policy {
    pub(crate) fn text(&self) -> PolicyText<'_> {
        PolicyText { text: &self.0, name: &self.1, folder: &self.2 }
    }

    pub(crate) fn job(
        &self,
        session: &Session,
        data: Option<&Data>,
        aim: Aim,
    ) -> Result<Job, indistinct::Error> {
        session.open_text(self.text(), data.map(Data::table), aim)
    }
}

/// Rejects the path of a release that may contain a credential, because messages contain paths.
pub(crate) fn check_path(path: &Path) -> Result<(), indistinct::Error> {
    InputSpec::from(TableRef::At(path)).check_credentials().map_err(indistinct::Error::from)
}

pub(crate) fn values(show_values: bool) -> Values {
    if show_values { Values::Shown } else { Values::Hidden }
}
