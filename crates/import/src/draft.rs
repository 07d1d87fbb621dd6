//! A draft of an imported policy, with its table and hierarchies, and the output folder.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use indistinct_diagnostics::FileError;
use indistinct_policy::{PolicyFile, toml_key, toml_text};

use crate::{ImportError, ImportedPolicy, criteria};

/// The file name of the policy in the output folder.
pub const POLICY: &str = "policy.toml";
/// The file name of the table in the output folder.
pub(crate) const DATA: &str = "data.csv";

/// The content of an imported policy.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub title: Option<String>,
    pub purpose: Option<String>,
    /// The lines of `[input]` after the path.
    pub input: String,
    pub columns: Vec<Column>,
    /// The privacy models, with one line for each model in the notation of ARX.
    pub models: Vec<String>,
    pub suppression_limit: Option<f64>,
    /// The table, if the source contains one.
    pub data: Option<Vec<u8>>,
    /// Sentences about settings that the policy cannot represent.
    pub left: Vec<String>,
    /// Decisions and files that are required before the policy can be used.
    pub open: Vec<String>,
}

/// A column with its role.
#[derive(Debug, Default)]
pub(crate) struct Column {
    pub name: String,
    pub role: &'static str,
    pub hierarchy: Option<Hierarchy>,
    pub min_level: Option<u32>,
    pub max_level: Option<u32>,
    /// The weight in ARX, for which the default is 0.5.
    pub weight: Option<f64>,
}

/// A hierarchy, without text if the user must provide the file.
#[derive(Debug)]
pub(crate) struct Hierarchy {
    /// The file name in the folder `hierarchies`.
    pub file: String,
    pub text: Option<String>,
}

impl Column {
    /// Returns whether a policy supports hierarchies for columns with this role.
    pub fn has_hierarchy(&self) -> bool {
        matches!(self.role, "quasi-identifier" | "sensitive")
    }
}

/// Removes all whitespace from a string.
#[cfg(feature = "pdf")]
pub(crate) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Returns the file name of a hierarchy. Columns whose names differ only in special characters have
/// different file names.
pub(crate) fn hierarchy_file(attribute: &str, place: usize) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name: String = attribute.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    match name == attribute && !name.starts_with('.') {
        true => format!("{name}.csv"),
        false => format!("{}-{}.csv", place + 1, name.trim_start_matches('.')),
    }
}

impl Draft {
    /// Returns the column with the given name, ignoring whitespace.
    #[cfg(feature = "pdf")]
    pub fn find(&self, name: &str) -> Option<usize> {
        let name = squeezed(name);
        self.columns.iter().position(|column| squeezed(&column.name) == name)
    }

    pub fn leave_measure(&mut self, name: &str) {
        self.left.push(format!(
            "the utility measure '{name}': the search minimizes 'loss'; see objective in [recoding]"
        ));
    }

    pub fn leave_monotonicity(&mut self) {
        self.left
            .push("practical monotonicity: the search does not require this assumption".to_owned());
    }

    pub fn leave_aggregation(&mut self, attribute: &str, function: &str) {
        self.left.push(format!(
            "the microaggregation of '{attribute}' ({function}): the attribute is generalized \
             instead"
        ));
    }

    /// Records the properties of a data type that the policy cannot represent.
    pub fn leave_type(&mut self, attribute: &str, kind: &str, format: Option<&str>) {
        match (kind, format) {
            (kind, Some(format)) => self.left.push(format!(
                "the format of '{attribute}' ({kind}, {format}): only values in standard notation \
                 are read as numbers or dates"
            )),
            ("Ordinal" | "Ordered string" | "OrderedString", None) => {
                self.left.push(format!("the order of the values of '{attribute}'"));
            }
            _ => {}
        }
    }

    /// Writes the output folder atomically.
    pub fn write(
        mut self,
        source_name: &str,
        directory: &Path,
    ) -> Result<ImportedPolicy, ImportError> {
        let (policy, n_principles) = self.policy();
        if let Err(errors) = PolicyFile::parse(&policy, POLICY) {
            self.open.extend(errors.problems.into_iter().map(|problem| problem.message));
        }
        self.write_files(&with_remarks(source_name, &policy, &self.left), directory)?;
        let written =
            |column: &&Column| column.hierarchy.as_ref().is_some_and(|it| it.text.is_some());
        Ok(ImportedPolicy {
            directory: directory.to_owned(),
            n_columns: self.columns.len() as u64,
            n_hierarchies: self.columns.iter().filter(written).count() as u64,
            n_principles,
            not_carried_over: self.left,
            open: self.open,
        })
    }

    /// Returns the text of the policy and the number of its principles.
    fn policy(&mut self) -> (String, u64) {
        let mut out = String::from("version = 1\n");
        if let Some(title) = &self.title {
            let _ = writeln!(out, "title = {}", toml_text(title));
        }
        if let Some(purpose) = &self.purpose {
            let _ = write!(out, "\n[release]\npurpose = {}\n", toml_text(purpose));
        }
        let _ = write!(out, "\n[input]\npath = {}\n{}", toml_text(DATA), self.input);
        for column in &self.columns {
            attribute(&mut out, column);
        }
        let mut visited = BTreeSet::new();
        for model in &self.models {
            match criteria::carried(model) {
                Ok(lines) => {
                    if visited.insert(lines.clone()) {
                        let _ = write!(out, "\n{lines}");
                    }
                }
                Err(why) => self.left.push(why),
            }
        }
        out.push_str("\n[recoding]\nmethod = \"full-domain\"\n");
        match self.suppression_limit {
            Some(limit) if (0.0..=1.0).contains(&limit) => {
                let _ = writeln!(out, "suppression_limit = {limit}");
            }
            _ => self
                .left
                .push("the suppression limit, which cannot be read and is set to 0".to_owned()),
        }
        // ARX retains suppressed rows in the release, with a special text in each quasi-identifier.
        out.push_str("suppression = \"star-rows\"\n");
        (out, visited.len() as u64)
    }

    fn write_files(&self, policy: &str, directory: &Path) -> Result<(), ImportError> {
        let taken = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
        if directory.symlink_metadata().is_ok() {
            return Err(FileError::new(directory, &taken).into());
        }
        let parent =
            directory.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let failed = |error: std::io::Error| FileError::new(directory, &error);
        let imported_policy =
            tempfile::Builder::new().prefix(".import-").tempdir_in(parent).map_err(failed)?;
        std::fs::write(imported_policy.path().join(POLICY), policy).map_err(failed)?;
        if let Some(data) = &self.data {
            std::fs::write(imported_policy.path().join(DATA), data).map_err(failed)?;
        }
        let folder = imported_policy.path().join("hierarchies");
        std::fs::create_dir(&folder).map_err(failed)?;
        for hierarchy in self.columns.iter().filter_map(|column| column.hierarchy.as_ref()) {
            if let Some(text) = &hierarchy.text {
                std::fs::write(folder.join(&hierarchy.file), text).map_err(failed)?;
            }
        }
        std::fs::rename(imported_policy.path(), directory).map_err(failed)?;
        // The temporary folder was moved to its destination, so it must not be removed.
        let _ = imported_policy.keep();
        Ok(())
    }
}

fn attribute(out: &mut String, column: &Column) {
    let _ = write!(
        out,
        "\n[attributes.{}]\nrole = {}\n",
        toml_key(&column.name),
        toml_text(column.role)
    );
    if let Some(hierarchy) = column.hierarchy.as_ref().filter(|_| column.has_hierarchy()) {
        let path = toml_text(&format!("hierarchies/{}", hierarchy.file));
        let _ = writeln!(out, "hierarchy = {{ csv = {path} }}");
    }
    if column.role == "quasi-identifier" {
        for (key, level) in [("min_level", column.min_level), ("max_level", column.max_level)] {
            if let Some(level) = level {
                let _ = writeln!(out, "{key} = {level}");
            }
        }
        // The default weight of ARX, 0.5, corresponds to 1 in a policy.
        let is_own = |weight: &f64| weight.is_finite() && *weight >= 0.0 && *weight != 0.5;
        if let Some(weight) = column.weight.filter(is_own) {
            let _ = writeln!(out, "weight = {}", weight * 2.0);
        }
    }
}

/// Adds comments on omitted settings to the policy, to inform the user who edits it.
fn with_remarks(source_name: &str, policy: &str, left: &[String]) -> String {
    let mut out = format!(
        "# Created from {source_name} by `indistinct import`. Review every line before you create \
         a release.\n",
    );
    if !left.is_empty() {
        out.push_str("# Not imported:\n");
    }
    for sentence in left {
        let plain: String =
            sentence.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(out, "# - {plain}");
    }
    out + "\n" + policy
}
