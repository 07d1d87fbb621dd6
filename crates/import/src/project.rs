//! Imports an ARX project (`.deid`), which is a zip archive. Its XML files contain the roles,
//! hierarchies, privacy models, and limits. The entries that use Java serialization (`*.dat`) are
//! ignored.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use indistinct_diagnostics::{FileError, words};
use indistinct_policy::toml_text;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::ImportError;
use crate::draft::{Column, Draft, Hierarchy, hierarchy_file};
use crate::xml::Element;

/// The maximum sizes of an XML file, a hierarchy, and the table, in bytes.
const MOST_XML: u64 = 16 << 20;
const MOST_HIERARCHY: u64 = 256 << 20;
const MOST_DATA: u64 = u32::MAX as u64;

/// Reads a project.
pub(crate) fn read(path: &Path) -> Result<Draft, ImportError> {
    let mut archive = Archive::open(path)?;
    let mut element = |part: &str| {
        let bytes = archive.read(part, MOST_XML)?;
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        let missing = || ImportError::Part { path: path.to_owned(), part: part.to_owned() };
        text.and_then(|text| Element::parse(&text)).ok_or_else(missing)
    };
    let parts = Parts {
        project: element("project.xml")?,
        config: element("input/config.xml")?,
        definition: element("input/definition.xml")?,
    };
    let data = archive.read("data/input.csv", MOST_DATA)?.ok_or_else(|| ImportError::Part {
        path: path.to_owned(),
        part: "data/input.csv".to_owned(),
    })?;
    let mut draft = Draft {
        title: parts.project.text_of("name").map(str::to_owned),
        purpose: parts.project.text_of("description").map(str::to_owned),
        input: format!(
            "delimiter = {}\nnull_values = [\"NULL\"]\n",
            toml_text(&char::from(parts.delimiter()).to_string())
        ),
        ..Draft::default()
    };
    if archive.read("data/input_subset.csv", MOST_DATA)?.is_some_and(|subset| subset != data) {
        draft.left.push("the research subset: the policy releases the whole table".to_owned());
    }
    draft.data = Some(data);
    if archive.has(|name| name.starts_with("output/") || name == "data/output.csv") {
        draft.left.push("the result of an earlier run of ARX: create a new release".to_owned());
    }
    let mut place = 0;
    for element in parts.columns() {
        let Some(mut column) = parts.column(element, &mut draft) else { continue };
        if element.get("ref").is_some() {
            let name = format!("input/hierarchies/{}.csv", column.name);
            match archive.read(&name, MOST_HIERARCHY)? {
                Some(bytes) => {
                    let text = parts.hierarchy(&column.name, &bytes, &mut draft.left);
                    let file = hierarchy_file(&column.name, place);
                    column.hierarchy = Some(Hierarchy { file, text: Some(text) });
                }
                None => draft.left.push(format!(
                    "the hierarchy of '{}', which the project does not contain",
                    column.name
                )),
            }
            place += 1;
        }
        draft.columns.push(column);
    }
    let criteria = parts.config.get("criteria").map_or(&[][..], |it| &it.inner);
    let criteria = criteria.iter().filter(|it| it.name == "criterion");
    draft.models = criteria.map(|it| it.text.clone()).collect();
    draft.suppression_limit =
        parts.config.text_of("relativeMaxOutliers").and_then(|text| text.parse().ok());
    parts.remaining(&mut draft);
    Ok(draft)
}

/// The archive of a project.
struct Archive<'a> {
    path: &'a Path,
    inner: ZipArchive<BufReader<File>>,
}

impl<'a> Archive<'a> {
    fn open(path: &'a Path) -> Result<Self, ImportError> {
        let file = File::open(path).map_err(|error| FileError::new(path, &error))?;
        let inner = ZipArchive::new(BufReader::new(file))
            .map_err(|_| ImportError::not_of_arx(path, "the file is not a valid zip archive"))?;
        Ok(Self { path, inner })
    }

    fn has(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        self.inner.file_names_raw().any(|name| is_meant(&String::from_utf8_lossy(name)))
    }

    /// Returns the bytes of an entry, or `None` if the entry does not exist.
    fn read(&mut self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, ImportError> {
        let refused = |reason: &str| ImportError::not_of_arx(self.path, reason);
        let entry = match self.inner.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(_)) => {
                return Err(refused("an entry has an unsupported compression method"));
            }
            Err(_) => return Err(refused("an entry is damaged")),
        };
        let mut bytes = Vec::new();
        // One byte more than the limit is read to detect entries that state a wrong size. The
        // archive library verifies the checksum.
        entry
            .take(limit + 1)
            .read_to_end(&mut bytes)
            .map_err(|_| refused("an entry is truncated or damaged"))?;
        match bytes.len() as u64 > limit {
            true => Err(refused(&format!("an entry is larger than {limit} bytes"))),
            false => Ok(Some(bytes)),
        }
    }
}

/// The XML of a project.
struct Parts {
    project: Element,
    config: Element,
    definition: Element,
}

impl Parts {
    /// Returns the assignments of types to columns. In ARX files, the name of the element is
    /// misspelled as "assigment".
    fn columns(&self) -> impl Iterator<Item = &Element> {
        self.definition
            .inner
            .iter()
            .filter(|it| matches!(it.name.as_str(), "assigment" | "assignment"))
    }

    fn delimiter(&self) -> u8 {
        // An empty separator denotes a tab, because trimming removes tabs.
        let separator = self.project.get("separator").map_or(";", |it| it.text.as_str());
        separator.bytes().next().unwrap_or(b'\t')
    }

    /// Converts a hierarchy to the format that policies support, with `;` between fields.
    fn hierarchy(&self, attribute: &str, bytes: &[u8], left: &mut Vec<String>) -> String {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(self.delimiter())
            .from_reader(bytes);
        let mut writer =
            csv::WriterBuilder::new().flexible(true).delimiter(b';').from_writer(Vec::new());
        let mut n_lost = 0;
        for record in reader.byte_records() {
            let written = record.is_ok_and(|record| writer.write_byte_record(&record).is_ok());
            n_lost += u64::from(!written);
        }
        if n_lost > 0 {
            left.push(format!(
                "{} of the hierarchy of '{attribute}' that cannot be read",
                words::counted(n_lost, "line", "lines")
            ));
        }
        let text = writer.into_inner().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        text.unwrap_or_default()
    }

    fn column(&self, element: &Element, draft: &mut Draft) -> Option<Column> {
        let name = element.text_of("name")?.to_owned();
        let role = match element.text_of("type") {
            Some("QUASI_IDENTIFYING_ATTRIBUTE") => "quasi-identifier",
            Some("SENSITIVE_ATTRIBUTE") => "sensitive",
            Some("INSENSITIVE_ATTRIBUTE") => "insensitive",
            _ => "identifier",
        };
        if let Some(function) = aggregated(element).filter(|_| role == "quasi-identifier") {
            draft.leave_aggregation(&name, function);
        }
        if let Some(kind) = element.text_of("datatype") {
            draft.leave_type(&name, kind, element.text_of("format"));
        }
        let level = |key: &str| element.text_of(key).and_then(|text| text.parse().ok());
        Some(Column {
            role,
            min_level: level("min"),
            max_level: level("max"),
            weight: self.weight(&name),
            name,
            hierarchy: None,
        })
    }

    fn weight(&self, name: &str) -> Option<f64> {
        let weights = self.config.get("attributeWeights")?;
        let own = weights.inner.iter().find(|it| it.text_of("attribute") == Some(name))?;
        own.text_of("weight")?.parse().ok()
    }

    /// Adds the remaining settings of the configuration.
    fn remaining(&self, draft: &mut Draft) {
        if let Some(metric) = self.config.text_of("metric") {
            draft.leave_measure(metric);
        }
        if self.config.text_of("practicalMonotonicity") == Some("true") {
            draft.leave_monotonicity();
        }
        if let Some(text) = self.config.text_of("suppressionString").filter(|text| *text != "*") {
            draft
                .left
                .push(format!("the text '{text}' for suppressed values: Indistinct writes '*'"));
        }
        let types = self.config.get("suppressedAttributeTypes").map_or(&[][..], |it| &it.inner);
        if types.iter().any(|it| it.text != "QUASI_IDENTIFYING_ATTRIBUTE" && !it.text.is_empty()) {
            draft.left.push(
                "the suppression of sensitive or insensitive values in suppressed rows".to_owned(),
            );
        }
    }
}

/// Returns the aggregation function of a column, if it has one.
fn aggregated(column: &Element) -> Option<&str> {
    let is_one = |it: &&Element| it.name.eq_ignore_ascii_case("microAggregationFunction");
    column.inner.iter().find(is_one).map(|it| it.text.as_str())
}
