//! Formats of tables, told by extension.

use std::fmt;
use std::path::Path;

/// How a table is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Comma-separated values, or with another delimiter; with a header line.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// JSON lines: one flat object a line.
    Json,
    /// Arrow IPC, as a file or a stream.
    Arrow,
}

impl Format {
    /// The extensions by which files are known, for messages.
    pub(crate) const EXTENSIONS: &str = ".csv, .tsv, .json, .jsonl, .ndjson (each also with .gz or .zst), .parquet, .arrow, .arrows, .feather, .ipc";

    /// The name in a policy file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
            Self::Json => "json",
            Self::Arrow => "arrow",
        }
    }

    /// The format that the name of a file tells, if it does.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let (stem, compressed) = match name.strip_suffix(".gz").or(name.strip_suffix(".zst")) {
            Some(stem) => (stem, true),
            None => (name.as_str(), false),
        };
        match (stem.rsplit_once('.')?.1, compressed) {
            ("csv" | "tsv", _) => Some(Self::Csv),
            ("json" | "jsonl" | "ndjson", _) => Some(Self::Json),
            ("parquet", false) => Some(Self::Parquet),
            ("arrow" | "arrows" | "feather" | "ipc", false) => Some(Self::Arrow),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
