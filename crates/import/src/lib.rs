//! What others have: a project of ARX, as a policy with its table and hierarchies.
//!
//! A project (`.deid`) is a zip archive. Its XML has the roles, hierarchies, privacy models and limits; what it has in Java's own
//! serialization beside that (`*.dat`) is not read.
//!
//! The key decision: **everything that is not carried over is named**, in the answer and at the head of the policy.

#![deny(missing_docs)]

mod archive;
mod criteria;
mod error;
mod xml;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};

use indistinct_language::{FileError, words};
use indistinct_policy::{PolicyFile, toml_key, toml_text};
use serde::Serialize;

pub use error::ImportError;

use archive::{Archive, Flaw};
use xml::Element;

/// What came of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImportedPolicy {
    /// The folder that was made.
    pub directory: PathBuf,
    /// Columns with a role.
    pub n_columns: u64,
    /// Hierarchies.
    pub n_hierarchies: u64,
    /// Principles.
    pub n_principles: u64,
    /// What the project has and the policy has not, in sentences.
    pub not_carried_over: Vec<String>,
    /// What is still wrong with the policy, and has to be decided before it is used.
    pub open: Vec<String>,
}

/// The most bytes of an XML file, of a hierarchy and of the table.
const MOST_XML: u64 = 16 << 20;
const MOST_HIERARCHY: u64 = 256 << 20;
const MOST_DATA: u64 = u32::MAX as u64;

/// The file of the policy, and that of the table, in the folder that is made.
pub const POLICY: &str = "policy.toml";
const DATA: &str = "data.csv";

/// Reads a project of ARX and writes a folder with a policy, its table and its hierarchies: whole or not at all.
///
/// # Errors
/// [`ImportError`] if the file is no project, the folder is there already, or the operating system refuses.
pub fn arx_project(project: &Path, directory: &Path) -> Result<ImportedPolicy, ImportError> {
    let refused = |flaw: Flaw| ImportError::NotAProject {
        path: project.to_owned(),
        reason: flaw.to_string(),
    };
    let file = File::open(project).map_err(|error| FileError::new(project, &error))?;
    let mut archive = Archive::open(file).map_err(refused)?;
    let mut read = |name: &str, limit: u64| archive.read(name, limit).map_err(refused);
    let mut element = |name: &str| {
        let bytes = read(name, MOST_XML)?;
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        let part = || ImportError::Part { path: project.to_owned(), part: name.to_owned() };
        text.and_then(|text| Element::parse(&text)).ok_or_else(part)
    };
    let parts = Parts {
        project: element("project.xml")?,
        config: element("input/config.xml")?,
        definition: element("input/definition.xml")?,
    };
    let named = parts.with_hierarchy();
    let mut hierarchies = Vec::new();
    for name in named {
        let Some(bytes) = read(&format!("input/hierarchies/{name}.csv"), MOST_HIERARCHY)? else {
            continue;
        };
        hierarchies.push((name, bytes));
    }
    let data = read("data/input.csv", MOST_DATA)?.ok_or_else(|| ImportError::Part {
        path: project.to_owned(),
        part: "data/input.csv".to_owned(),
    })?;
    let subset = read("data/input_subset.csv", MOST_DATA)?;
    let mut left: Vec<String> = Vec::new();
    if subset.is_some_and(|subset| subset != data) {
        left.push("the research subset: the policy releases the whole table".to_owned());
    }
    if archive.names().any(|name| name.starts_with("output/") || name == "data/output.csv") {
        left.push("the result of an earlier run in ARX: make a release anew".to_owned());
    }
    let files: Vec<HierarchyFile> = hierarchies
        .into_iter()
        .map(|(attribute, bytes)| parts.hierarchy(attribute, &bytes, &mut left))
        .collect();
    let (policy, n_principles) = parts.policy(&files, &mut left);
    let open = PolicyFile::parse(&policy, POLICY).err().map_or(Vec::new(), |errors| {
        errors.problems.into_iter().map(|problem| problem.message).collect()
    });
    let policy = with_remarks(&policy, &left);
    let n_columns = parts.columns().count() as u64;
    write(directory, &policy, &data, &files)?;
    Ok(ImportedPolicy {
        directory: directory.to_owned(),
        n_columns,
        n_hierarchies: files.len() as u64,
        n_principles,
        not_carried_over: left,
        open,
    })
}

/// A hierarchy as it is written.
struct HierarchyFile {
    attribute: String,
    /// Its name in the folder `hierarchies`.
    name: String,
    text: String,
}

/// The XML of a project.
struct Parts {
    project: Element,
    config: Element,
    definition: Element,
}

impl Parts {
    /// The assignments of types to columns; the vocabulary has the word without its second s.
    fn columns(&self) -> impl Iterator<Item = &Element> {
        self.definition
            .inner
            .iter()
            .filter(|it| matches!(it.name.as_str(), "assigment" | "assignment"))
    }

    fn with_hierarchy(&self) -> Vec<String> {
        let named = self.columns().filter(|it| it.get("ref").is_some());
        named.filter_map(|it| it.text_of("name")).map(str::to_owned).collect()
    }

    fn delimiter(&self) -> u8 {
        // The text of a tab is empty once it is trimmed.
        let separator = self.project.get("separator").map_or(";", |it| it.text.as_str());
        separator.bytes().next().unwrap_or(b'\t')
    }

    /// A hierarchy in the form that policies read: `;` between fields.
    fn hierarchy(&self, attribute: String, bytes: &[u8], left: &mut Vec<String>) -> HierarchyFile {
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
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let name: String = attribute.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let place = self.with_hierarchy().iter().position(|other| *other == attribute);
        // Columns with names that differ in other characters have files of their own.
        let name = match name == attribute && !name.starts_with('.') {
            true => format!("{name}.csv"),
            false => format!("{}-{}.csv", place.unwrap_or(0) + 1, name.trim_start_matches('.')),
        };
        HierarchyFile { name, text: text.unwrap_or_default(), attribute }
    }

    /// The text of the policy, and how many principles it has.
    fn policy(&self, files: &[HierarchyFile], left: &mut Vec<String>) -> (String, u64) {
        let mut out = String::from("version = 1\n");
        if let Some(name) = self.project.text_of("name") {
            let _ = writeln!(out, "title = {}", toml_text(name));
        }
        if let Some(text) = self.project.text_of("description") {
            let _ = writeln!(out, "purpose = {}", toml_text(text));
        }
        let _ = write!(
            out,
            "\n[input]\npath = {}\ndelimiter = {}\nnull_values = [\"NULL\"]\n",
            toml_text(DATA),
            toml_text(&char::from(self.delimiter()).to_string())
        );
        for column in self.columns() {
            self.attribute(&mut out, column, files, left);
        }
        let mut n_principles = 0;
        let mut seen = BTreeSet::new();
        let criteria = self.config.get("criteria").map_or(&[][..], |it| &it.inner);
        for criterion in criteria.iter().filter(|it| it.name == "criterion") {
            match criteria::carried(&criterion.text) {
                Ok(lines) if seen.insert(lines.clone()) => {
                    let _ = write!(out, "\n{lines}");
                    n_principles += 1;
                }
                Ok(_) => {}
                Err(why) => left.push(why),
            }
        }
        out.push_str("\n[recoding]\nmethod = \"full-domain\"\n");
        match self.config.text_of("relativeMaxOutliers").and_then(|text| text.parse::<f64>().ok()) {
            Some(limit) if (0.0..=1.0).contains(&limit) => {
                let _ = writeln!(out, "suppression_limit = {limit}");
            }
            _ => left.push("the suppression limit, which cannot be read: it is 0".to_owned()),
        }
        // ARX writes suppressed rows, with a text of its own in every quasi-identifier.
        out.push_str("suppressed = \"starred\"\n");
        self.remaining(left);
        (out, n_principles)
    }

    fn attribute(
        &self,
        out: &mut String,
        column: &Element,
        files: &[HierarchyFile],
        left: &mut Vec<String>,
    ) {
        let Some(name) = column.text_of("name") else { return };
        let role = match column.text_of("type") {
            Some("QUASI_IDENTIFYING_ATTRIBUTE") => "quasi-identifier",
            Some("SENSITIVE_ATTRIBUTE") => "sensitive",
            Some("INSENSITIVE_ATTRIBUTE") => "insensitive",
            _ => "identifier",
        };
        let _ = write!(out, "\n[attributes.{}]\nrole = {}\n", toml_key(name), toml_text(role));
        let file = files.iter().find(|file| file.attribute == name);
        let is_used = matches!(role, "quasi-identifier" | "sensitive");
        if let Some(file) = file.filter(|_| is_used) {
            let path = toml_text(&format!("hierarchies/{}", file.name));
            let _ = writeln!(out, "hierarchy = {{ csv = {path} }}");
        }
        if role == "quasi-identifier" {
            for (key, element) in [("min_level", "min"), ("max_level", "max")] {
                if let Some(level) =
                    column.text_of(element).and_then(|text| text.parse::<u32>().ok())
                {
                    let _ = writeln!(out, "{key} = {level}");
                }
            }
            if let Some(weight) = self.weight(name) {
                let _ = writeln!(out, "weight = {weight}");
            }
            if let Some(function) = aggregated(column) {
                left.push(format!(
                    "the microaggregation of '{name}' ({function}): it is generalized instead"
                ));
            }
        }
        match (column.text_of("datatype"), column.text_of("format")) {
            (Some(kind), Some(format)) => left.push(format!(
                "the format of '{name}' ({kind}, {format}): values are texts, or numbers and dates where they are written plainly"
            )),
            (Some("Ordinal" | "Ordered string" | "OrderedString"), None) => {
                left.push(format!("the order of the values of '{name}'"));
            }
            _ => {}
        }
    }

    /// The weight of an attribute, where it is another than ARX's own 0.5.
    fn weight(&self, name: &str) -> Option<f64> {
        let weights = self.config.get("attributeWeights")?;
        let own = weights.inner.iter().find(|it| it.text_of("attribute") == Some(name))?;
        let weight: f64 = own.text_of("weight")?.parse().ok()?;
        // The usual weight of 0.5 is 1 here.
        (weight.is_finite() && weight >= 0.0 && weight != 0.5).then_some(weight * 2.0)
    }

    /// What the configuration says besides.
    fn remaining(&self, left: &mut Vec<String>) {
        if let Some(metric) = self.config.text_of("metric") {
            left.push(format!("the utility measure '{metric}': the search minimizes 'loss'; see objective in [recoding]"));
        }
        if self.config.text_of("practicalMonotonicity") == Some("true") {
            left.push("practical monotonicity: the search needs no such assumption".to_owned());
        }
        if let Some(text) = self.config.text_of("suppressionString").filter(|text| *text != "*") {
            left.push(format!("the text '{text}' for suppressed values: it is '*'"));
        }
        let types = self.config.get("suppressedAttributeTypes").map_or(&[][..], |it| &it.inner);
        if types.iter().any(|it| it.text != "QUASI_IDENTIFYING_ATTRIBUTE" && !it.text.is_empty()) {
            left.push(
                "that sensitive or insensitive values of suppressed rows are suppressed, too"
                    .to_owned(),
            );
        }
    }
}

/// The function by which a column was aggregated, where it was.
fn aggregated(column: &Element) -> Option<&str> {
    let is_one = |it: &&Element| it.name.eq_ignore_ascii_case("microAggregationFunction");
    column.inner.iter().find(is_one).map(|it| it.text.as_str())
}

/// The policy with what was left behind, for whoever edits it.
fn with_remarks(policy: &str, left: &[String]) -> String {
    let mut out = String::from(
        "# Made from a project of ARX by `indistinct import`. Read every line before you release anything.\n",
    );
    if !left.is_empty() {
        out.push_str("# Not carried over:\n");
    }
    for sentence in left {
        let plain: String =
            sentence.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(out, "# - {plain}");
    }
    out + "\n" + policy
}

fn write(
    directory: &Path,
    policy: &str,
    data: &[u8],
    files: &[HierarchyFile],
) -> Result<(), ImportError> {
    let taken = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
    if directory.symlink_metadata().is_ok() {
        return Err(FileError::new(directory, &taken).into());
    }
    let parent =
        directory.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error: std::io::Error| FileError::new(directory, &error);
    let made = tempfile::Builder::new().prefix(".import-").tempdir_in(parent).map_err(failed)?;
    std::fs::write(made.path().join(POLICY), policy).map_err(failed)?;
    std::fs::write(made.path().join(DATA), data).map_err(failed)?;
    let folder = made.path().join("hierarchies");
    std::fs::create_dir(&folder).map_err(failed)?;
    for file in files {
        std::fs::write(folder.join(&file.name), &file.text).map_err(failed)?;
    }
    std::fs::rename(made.path(), directory).map_err(failed)?;
    // What was moved is not there to be removed.
    let _ = made.keep();
    Ok(())
}

#[cfg(test)]
mod tests;
