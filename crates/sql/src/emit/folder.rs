//! The folder with generated scripts and their answers.

use std::io::Write;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use indistinct_diagnostics::platform;
use indistinct_engine::{
    Batches, EMIT, EngineError, Input, InputSpec, TableError, cell_text, files, scheme,
};
use sha2::{Digest, Sha256};

use super::render;
use crate::dialects::{self, Dialect};
use crate::source::Query;

/// File extensions of answers, in the order in which they are tried.
const ENDINGS: [&str; 4] = ["csv", "parquet", "csv.gz", "csv.zst"];

/// The columns that a script adds to its answer. These columns contain a digest of the query and
/// the number of lines.
const ADDED: [&str; 2] = ["asked", "asked_lines"];

/// Number of bytes that are read to determine whether a file is a generated script.
const HEAD_BYTES: usize = 64;

/// A folder of scripts for a dialect.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    pub(super) dialect: &'static Dialect,
    path: PathBuf,
}

impl Folder {
    /// Parses an address, or returns `None` if the address does not denote a folder of scripts.
    pub(super) fn parse(address: &Path) -> Result<Option<Self>, EngineError> {
        let Some((scheme, path)) = address.to_str().and_then(scheme) else { return Ok(None) };
        let Some(named) = scheme.strip_prefix(EMIT) else { return Ok(None) };
        let no_engine = || TableError::NoEngine { scheme: scheme.to_owned() };
        let dialect =
            dialects::find(named).filter(|it| it.scripts.is_some()).ok_or_else(no_engine)?;
        if path.is_empty() {
            return Err(TableError::Address { database: dialect.name }.into());
        }
        Ok(Some(Self { dialect, path: path.into() }))
    }

    /// Returns the answer to the query of a step. If the answer is missing, writes the script of
    /// the query.
    pub(super) fn ask(&self, step: u8, query: &Query) -> Result<Batches, EngineError> {
        let script = self.asking(step, query)?;
        match self.answer_of(&script) {
            Some(path) => read(path, query, &digest(self.dialect, &query.sql)),
            None => Err(self.awaiting(vec![script])),
        }
    }

    /// Writes the scripts of queries without an answer and returns their paths.
    pub(super) fn unanswered(
        &self,
        step: u8,
        queries: &[Query],
    ) -> Result<Vec<PathBuf>, EngineError> {
        let mut scripts = Vec::new();
        for query in queries {
            let script = self.asking(step, query)?;
            if self.answer_of(&script).is_none() && !scripts.contains(&script) {
                scripts.push(script);
            }
        }
        Ok(scripts)
    }

    /// Returns the error that instructs the user to run scripts.
    pub(super) fn awaiting(&self, scripts: Vec<PathBuf>) -> EngineError {
        let first = scripts.last().expect("the list of scripts is not empty").clone();
        let answer = first.with_extension("csv");
        let client = self
            .dialect
            .scripts()
            .client
            .replace("{script}", &first.display().to_string())
            .replace("{answer}", &answer.display().to_string());
        TableError::Awaiting { scripts, client }.into()
    }

    /// Writes the script of a query.
    fn asking(&self, step: u8, query: &Query) -> Result<PathBuf, EngineError> {
        let (dialect, digest) = (self.dialect, digest(self.dialect, &query.sql));
        let [requested, lines] = ADDED;
        let select = match is_alone(dialect, query) {
            true => query.sql.clone(),
            false => format!(
                "SELECT '{digest}' AS {requested}, COUNT(*) OVER () AS {lines}, a.* FROM ({}) AS a",
                query.sql
            ),
        };
        self.write(&format!("{step}-{}-{digest}", query.kind), &[select])
    }

    /// Writes a script, unless the file already has the same content. A file that is not a
    /// generated script is never replaced.
    pub(super) fn write(&self, name: &str, statements: &[String]) -> Result<PathBuf, EngineError> {
        let path = self.path.join(format!("{name}.sql"));
        let text = render::script(self.dialect, name, statements);
        let fail = |source| EngineError::Read { path: path.clone(), source };
        platform::create_private_folders(&self.path).map_err(fail)?;
        if path.exists() {
            let there = files::open_given(&path, files::NO_LIMIT)?;
            let mut head = Vec::new();
            std::io::Read::read_to_end(
                &mut std::io::Read::take(there, HEAD_BYTES as u64),
                &mut head,
            )
            .map_err(fail)?;
            if !head.starts_with(render::MARK.as_bytes()) {
                let what = "a file with the name of a script was not written by Indistinct";
                return Err(TableError::NotTheAnswer { path, what }.into());
            }
        }
        let mut file = tempfile::NamedTempFile::new_in(&self.path).map_err(fail)?;
        file.write_all(text.as_bytes()).map_err(fail)?;
        file.persist(&path).map_err(|error| fail(error.error))?;
        Ok(path)
    }

    /// Returns the path of the answer to a script, if it exists.
    fn answer_of(&self, script: &Path) -> Option<PathBuf> {
        ENDINGS.iter().map(|ending| script.with_extension(ending)).find(|path| path.exists())
    }
}

/// Returns whether a query cannot be nested in another query.
fn is_alone(dialect: &Dialect, query: &Query) -> bool {
    dialect.scripts().columns_alone && query.kind == COLUMNS
}

/// Kind of the query that returns the columns of a table.
pub(super) const COLUMNS: &str = "describe";

/// Returns a digest of a query for use in file names.
pub(super) fn digest(dialect: &Dialect, text: &str) -> String {
    let mut digest = Sha256::new();
    digest.update(dialect.scheme);
    digest.update([0]);
    digest.update(text);
    digest.finalize()[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads an answer from a file and removes the columns added by the script.
fn read(path: PathBuf, query: &Query, digest: &str) -> Result<Batches, EngineError> {
    let input = Input::open_released(&InputSpec { path: path.clone(), ..InputSpec::default() })?;
    let has = |name: &str| input.columns().iter().any(|column| column.name == name);
    // A statement that describes a table cannot be nested, so its answer can lack the
    // added columns.
    let alone = query.kind == COLUMNS && !has(ADDED[0]);
    let names: Vec<String> = match alone {
        true if has("col_name") => vec!["col_name".to_owned(), "data_type".to_owned()],
        true => query.columns.clone(),
        false => ADDED.map(str::to_owned).into_iter().chain(query.columns.clone()).collect(),
    };
    let lacks = || TableError::NotTheAnswer {
        path: path.clone(),
        what: "the columns differ from those of the query",
    };
    if !names.iter().all(|name| has(name)) {
        return Err(lacks().into());
    }
    let batches = input.batches(&names)?;
    if alone {
        return Ok(batches);
    }
    Ok(Box::new(CheckedBatches {
        batches,
        path,
        digest: digest.to_owned(),
        n_lines: 0,
        promised: 0,
    }))
}

/// An iterator that validates batches while they are streamed.
struct CheckedBatches {
    batches: Batches,
    path: PathBuf,
    digest: String,
    n_lines: u64,
    promised: u64,
}

impl CheckedBatches {
    fn wrong(&self, what: &'static str) -> EngineError {
        TableError::NotTheAnswer { path: self.path.clone(), what }.into()
    }

    fn check(&mut self, batch: &RecordBatch) -> Result<RecordBatch, EngineError> {
        for row in 0..batch.num_rows() {
            if cell_text(batch.column(0), row, ADDED[0])? != self.digest {
                return Err(self.wrong("the file is the result of another script"));
            }
            let lines = cell_text(batch.column(1), row, ADDED[1])?;
            self.promised =
                lines.parse().map_err(|_| self.wrong("the number of rows is missing"))?;
        }
        self.n_lines += batch.num_rows() as u64;
        let rest: Vec<usize> = (ADDED.len()..batch.num_columns()).collect();
        batch.project(&rest).map_err(|_| self.wrong("the columns differ from those of the query"))
    }
}

impl Iterator for CheckedBatches {
    type Item = Result<RecordBatch, EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.batches.next() {
            Some(Ok(batch)) => Some(self.check(&batch)),
            Some(error) => Some(error),
            None if self.n_lines == self.promised => None,
            None => {
                self.promised = self.n_lines;
                Some(Err(self.wrong("rows are missing or duplicated")))
            }
        }
    }
}
