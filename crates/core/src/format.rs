//! The supported formats and encodings of tables, and the file extensions of each format. The
//! policy and the engine use the same list.

use std::fmt;
use std::path::Path;

use indistinct_diagnostics::words;

words! {
    /// The format in which a table is stored.
    #[derive(Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum Format {
        /// Delimited text with a header line and one record per line; may be compressed with gzip
        /// or zstd.
        Csv = "csv",
        /// Apache Parquet.
        Parquet = "parquet",
        /// JSON Lines with one flat object per line, optionally compressed with gzip or zstd.
        Json = "json",
        /// Apache Arrow IPC, as a file or a stream.
        Arrow = "arrow",
    }

    /// The character encoding of a text file.
    #[derive(Default)]
    pub enum Encoding {
        /// UTF-8, or UTF-16 if the file starts with a UTF-16 byte order mark.
        Utf8 = "utf-8" {default},
        /// The Windows code page for Western European languages.
        Windows1252 = "windows-1252",
        /// ISO 8859-1.
        Latin1 = "latin-1",
    }
}

/// The extensions of compressed files.
const COMPRESSED: [&str; 2] = [".gz", ".zst"];

impl Format {
    /// Returns the file extensions of the format, in lowercase and without the dot.
    fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Csv => &["csv", "tsv"],
            Self::Parquet => &["parquet", "pq"],
            Self::Json => &["json", "jsonl", "ndjson"],
            Self::Arrow => &["arrow", "arrows", "feather", "ipc"],
        }
    }

    /// Returns whether files may be compressed as a whole, with an additional extension `.gz` or
    /// `.zst`.
    pub fn is_compressible(self) -> bool {
        matches!(self, Self::Csv | Self::Json)
    }

    /// Returns whether the format has typed columns. By default, the release keeps the column types
    /// of the input.
    pub fn is_columnar(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow)
    }

    /// Returns whether records consist of text fields separated by a delimiter. Such files have a
    /// character encoding, and their numbers and dates may use a notation that differs from the
    /// internal one.
    pub fn is_delimited(self) -> bool {
        self == Self::Csv
    }

    /// Returns the format for the file name extension of a path, if the extension is known.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let plain = COMPRESSED.iter().find_map(|ending| name.strip_suffix(ending));
        let (_, extension) = plain.unwrap_or(&name).rsplit_once('.')?;
        let format = Self::ALL.into_iter().find(|it| it.extensions().contains(&extension))?;
        (plain.is_none() || format.is_compressible()).then_some(format)
    }

    /// Returns the extensions of all formats, for use in messages.
    pub fn all_extensions() -> String {
        let dotted = |compressible: bool| {
            let formats = Self::ALL.into_iter().filter(|it| it.is_compressible() == compressible);
            let all: Vec<String> =
                formats.flat_map(Self::extensions).map(|it| format!(".{it}")).collect();
            all.join(", ")
        };
        format!("{} (each also with {}), {}", dotted(true), COMPRESSED.join(" or "), dotted(false))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extension_determines_format() {
        for (name, format) in [
            ("t.csv", Some(Format::Csv)),
            ("T.TSV", Some(Format::Csv)),
            ("t.csv.gz", Some(Format::Csv)),
            ("data/*.ndjson.zst", Some(Format::Json)),
            ("t.pq", Some(Format::Parquet)),
            ("t.arrows", Some(Format::Arrow)),
            ("t.parquet.gz", None),
            ("t.gz", None),
            ("t.txt", None),
            ("csv", None),
        ] {
            assert_eq!(Format::of_path(Path::new(name)), format, "{name}");
        }
        assert_eq!(
            Format::all_extensions(),
            ".csv, .tsv, .json, .jsonl, .ndjson (each also with .gz or .zst), .parquet, .pq, .arrow, .arrows, .feather, .ipc"
        );
    }
}
