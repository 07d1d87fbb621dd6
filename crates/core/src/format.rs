//! The formats and encodings of tables that can be read, and the extensions that tell formats: one list for the policy, which names a format, and
//! for the engine, which reads it.

use std::fmt;
use std::path::Path;

/// How a table is stored.
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
    /// Comma-separated values, or with another delimiter; with a header line.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// JSON lines: one flat object a line.
    Json,
    /// Arrow IPC, as a file or a stream.
    Arrow,
}

/// What there is to know of a format without reading it.
#[derive(Debug)]
pub struct FormatKind {
    /// The format.
    pub format: Format,
    /// Its name in a policy file.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub doc: &'static str,
    /// The extensions that tell it, in small letters and without the dot.
    pub extensions: &'static [&'static str],
    /// Whether its files may be compressed as a whole, and are then called `.gz` or `.zst` besides.
    pub compressible: bool,
    /// Whether it has typed columns: a release of such a table has them, too, unless the policy says otherwise.
    pub columnar: bool,
    /// Whether its records are fields with a delimiter between them, all of them texts: these have an encoding, and columns whose
    /// values are written otherwise than they are read.
    pub delimited: bool,
}

/// The endings of a file that was compressed as a whole.
const COMPRESSED: [&str; 2] = [".gz", ".zst"];

impl Format {
    /// All formats, in the order of the documentation.
    pub const ALL: &'static [FormatKind] = &[
        FormatKind {
            format: Self::Csv,
            name: "csv",
            doc: "Text, one record a line, with a header; also gzip or zstd.",
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
            doc: "JSON lines: one flat object a line.",
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

    /// What there is to know of it.
    pub fn kind(self) -> &'static FormatKind {
        let found = Self::ALL.iter().find(|kind| kind.format == self);
        found.expect("the list of formats has all of them")
    }

    /// The name in a policy file.
    pub fn name(self) -> &'static str {
        self.kind().name
    }

    /// The format that the name of a file tells, if it does.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let plain = COMPRESSED.iter().find_map(|ending| name.strip_suffix(ending));
        let (_, extension) = plain.unwrap_or(&name).rsplit_once('.')?;
        let kind = Self::ALL.iter().find(|kind| kind.extensions.contains(&extension))?;
        (plain.is_none() || kind.compressible).then_some(kind.format)
    }

    /// The extensions of all formats, for messages.
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

/// How the characters of a text file are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// UTF-8; or UTF-16, where a byte order mark says so.
    #[default]
    Utf8,
    /// Windows-1252, the code page of Western European programs on Windows.
    Windows1252,
    /// ISO 8859-1: each byte is the character of that number.
    Latin1,
}

impl Encoding {
    /// All encodings with their names in a policy file and what they are, in the order of the documentation.
    pub const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Utf8, "utf-8", "UTF-8; UTF-16 is told by its byte order mark."),
        (
            Self::Windows1252,
            "windows-1252",
            "The code page of Western European programs on Windows.",
        ),
        (Self::Latin1, "latin-1", "ISO 8859-1."),
    ];

    /// The name in a policy file.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(encoding, _, _)| *encoding == self);
        found.expect("the list of encodings has all of them").1
    }

    /// The encoding of that name.
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
    fn extensions_tell_the_format() {
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
