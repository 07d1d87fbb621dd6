//! The supported formats and encodings of tables, and the file extensions of each format. The
//! policy and the engine use the same list.

use std::fmt;
use std::path::Path;

/// The format in which a table is stored.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Comma-separated values with a header line; other delimiters are possible.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// JSON lines: one flat object per line.
    Json,
    /// Arrow IPC, as a file or a stream.
    Arrow,
}

/// The properties of a format.
#[derive(Debug)]
pub struct FormatKind {
    /// The format.
    pub format: Format,
    /// The name of the format in a policy file.
    pub name: &'static str,
    /// A description of the format in one sentence.
    pub doc: &'static str,
    /// The file extensions of the format, in lowercase and without the dot.
    pub extensions: &'static [&'static str],
    /// Whether files may be compressed as a whole, with an additional extension `.gz` or `.zst`.
    pub compressible: bool,
    /// Whether the format has typed columns. By default, the release keeps the column types of the
    /// input.
    pub columnar: bool,
    /// Whether records consist of text fields separated by a delimiter. Such files have a character
    /// encoding, and their numbers and dates may use a notation that differs from the internal one.
    pub delimited: bool,
}

/// The extensions of compressed files.
const COMPRESSED: [&str; 2] = [".gz", ".zst"];

impl Format {
    /// All formats, in the order of the documentation.
    pub const ALL: &'static [FormatKind] = &[
        FormatKind {
            format: Self::Csv,
            name: "csv",
            doc: "Delimited text with a header line and one record per line; may be compressed \
                  with gzip or zstd.",
            extensions: &["csv", "tsv"],
            compressible: true,
            columnar: false,
            delimited: true,
        },
        FormatKind {
            format: Self::Parquet,
            name: "parquet",
            doc: "Apache Parquet.",
            extensions: &["parquet", "pq"],
            compressible: false,
            columnar: true,
            delimited: false,
        },
        FormatKind {
            format: Self::Json,
            name: "json",
            doc: "JSON Lines: one flat object per line; may be compressed with gzip or zstd.",
            extensions: &["json", "jsonl", "ndjson"],
            compressible: true,
            columnar: false,
            delimited: false,
        },
        FormatKind {
            format: Self::Arrow,
            name: "arrow",
            doc: "Apache Arrow IPC, as a file or a stream.",
            extensions: &["arrow", "arrows", "feather", "ipc"],
            compressible: false,
            columnar: true,
            delimited: false,
        },
    ];

    /// Returns the properties of the format.
    pub fn kind(self) -> &'static FormatKind {
        let found = Self::ALL.iter().find(|kind| kind.format == self);
        found.expect("the list contains every format")
    }

    /// Returns the name of the format in a policy file.
    pub fn name(self) -> &'static str {
        self.kind().name
    }

    /// Returns the format for a file name extension, if the extension is known.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let plain = COMPRESSED.iter().find_map(|ending| name.strip_suffix(ending));
        let (_, extension) = plain.unwrap_or(&name).rsplit_once('.')?;
        let kind = Self::ALL.iter().find(|kind| kind.extensions.contains(&extension))?;
        (plain.is_none() || kind.compressible).then_some(kind.format)
    }

    /// Returns the extensions of all formats, for use in messages.
    pub fn extensions() -> String {
        let dotted = |compressible: bool| {
            let kinds = Self::ALL.iter().filter(move |kind| kind.compressible == compressible);
            let all: Vec<String> =
                kinds.flat_map(|kind| kind.extensions).map(|it| format!(".{it}")).collect();
            all.join(", ")
        };
        format!("{} (each also with {}), {}", dotted(true), COMPRESSED.join(" or "), dotted(false))
    }
}

/// The character encoding of a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// UTF-8, or UTF-16 if the file starts with a UTF-16 byte order mark.
    #[default]
    Utf8,
    /// Windows-1252, the code page of Western European programs on Windows.
    Windows1252,
    /// ISO 8859-1: each byte is the code point of a character.
    Latin1,
}

impl Encoding {
    /// All encodings with their names in a policy file and their descriptions, in the order of the
    /// documentation.
    pub const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Utf8, "utf-8", "UTF-8, or UTF-16 if the file starts with a UTF-16 byte order mark."),
        (
            Self::Windows1252,
            "windows-1252",
            "The Windows code page for Western European languages.",
        ),
        (Self::Latin1, "latin-1", "ISO 8859-1."),
    ];

    /// Returns the name of the encoding in a policy file.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(encoding, _, _)| *encoding == self);
        found.expect("the list contains every encoding").1
    }

    /// Returns the encoding with the given name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(encoding, _, _)| *encoding)
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
            Format::extensions(),
            ".csv, .tsv, .json, .jsonl, .ndjson (each also with .gz or .zst), .parquet, .pq, .arrow, .arrows, .feather, .ipc"
        );
    }
}
