//! Imports an ARX certificate (`.pdf`), which documents a release for readers. A certificate
//! contains roles, levels, weights, privacy models, and the suppression limit, but neither the
//! table nor the hierarchies, which the user must provide.
//!
//! The reader follows the layout of titles, numbered subtitles, entries, and properties. Each kind
//! has a different bullet.

mod lines;
mod models;
#[cfg(test)]
mod tests;

use std::path::Path;

use indistinct_diagnostics::{FileError, words};
use lopdf::{Document, LoadOptions};

use crate::ImportError;
use crate::draft::{Column, DATA, Draft, Hierarchy, hierarchy_file, squeezed};
use lines::{Bullet, Paragraph};

/// The maximum size of a certificate, and of each of its uncompressed streams, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// The entries below a subtitle.
#[derive(Debug)]
struct Section {
    /// The subtitle, such as `Configuration`.
    name: String,
    entries: Vec<Entry>,
}

/// A title with properties.
#[derive(Debug, Clone)]
struct Entry {
    title: String,
    /// The properties as written in the certificate, in the form `name: value` or as a single word.
    properties: Vec<String>,
}

impl Entry {
    /// Returns the value of a property.
    fn get(&self, name: &str) -> Option<&str> {
        self.properties.iter().find_map(|it| it.strip_prefix(name)?.strip_prefix(": "))
    }

    /// Returns the names and values of the properties. Values must not contain `: `.
    fn named(&self) -> impl Iterator<Item = (&str, &str)> {
        self.properties.iter().filter_map(|it| it.rsplit_once(": "))
    }
}

/// Reads a certificate.
pub(crate) fn read(path: &Path) -> Result<Draft, ImportError> {
    let refused = |reason: &str| ImportError::not_of_arx(path, reason);
    let failed = |error: std::io::Error| FileError::new(path, &error);
    if path.metadata().map_err(failed)?.len() > MOST_BYTES {
        return Err(refused(&format!("the file is larger than {MOST_BYTES} bytes")));
    }
    let bytes = std::fs::read(path).map_err(failed)?;
    let options =
        LoadOptions { max_decompressed_size: Some(MOST_BYTES as usize), ..LoadOptions::default() };
    let document = Document::load_mem_with_options(&bytes, options)
        .map_err(|_| refused("the PDF file is damaged or protected by a password"))?;
    let paragraphs = lines::paragraphs(&document)
        .ok_or_else(|| refused("the text of the PDF file cannot be read"))?;
    let mut draft = Draft::default();
    let sections = sections(&paragraphs);
    let section = |name: &str| sections.iter().find(|it| it.name == name);
    let needed = |name: &str| {
        let part = format!("section '{name}'");
        section(name).ok_or_else(|| ImportError::Part { path: path.to_owned(), part })
    };
    let attributes = needed("Attributes and transformations")?;
    let configuration = needed("Configuration")?;
    if let Some(entry) = section("Properties").and_then(|it| it.entries.first()) {
        let stated =
            |name: &str| entry.get(name).filter(|it| *it != "Not specified").map(str::to_owned);
        (draft.title, draft.purpose) = (stated("Name"), stated("Description"));
    }
    draft.open.push(format!(
        "the table, which the certificate does not contain: save it as {DATA}, or change 'path' in \
         [input], and set its delimiter there"
    ));
    roles(attributes, &mut draft);
    let data = section("Input data").and_then(|it| it.entries.first());
    let n_columns: Option<usize> =
        data.and_then(|it| it.get("Attributes")).and_then(|it| it.parse().ok());
    if n_columns.is_some_and(|n| n != draft.columns.len()) {
        draft.open.push(format!(
            "the roles of some columns: only {} of {} could be read",
            draft.columns.len(),
            n_columns.unwrap_or_default()
        ));
    }
    hierarchies(attributes, &mut draft);
    configured(configuration, &mut draft);
    for entry in section("Privacy models").iter().flat_map(|it| &it.entries) {
        let named = entry.get("Attribute").and_then(|name| draft.find(name));
        draft.models.push(models::line(entry, named.map(|at| &draft.columns[at].name[..])));
    }
    if let Some(entry) = section("Data quality model").and_then(|it| it.entries.first()) {
        draft.leave_measure(&entry.title);
    }
    result(&sections, &mut draft);
    warn_of_wrapped_names(&paragraphs, &mut draft);
    Ok(draft)
}

/// Groups paragraphs by their subtitles and titles.
fn sections(paragraphs: &[Paragraph]) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for paragraph in paragraphs {
        let text = &paragraph.text;
        match paragraph.bullet {
            None => {
                // Subtitles are numbered. The titles above them contain no required information.
                let name =
                    text.split_once(". ").filter(|(number, _)| number.parse::<u32>().is_ok());
                let name = name.map_or(text.as_str(), |(_, name)| name).to_owned();
                sections.push(Section { name, entries: Vec::new() });
            }
            Some(Bullet::Entry) => {
                let entry = Entry { title: text.clone(), properties: Vec::new() };
                sections.last_mut().into_iter().for_each(|it| it.entries.push(entry.clone()));
            }
            Some(Bullet::Property) => {
                let entry = sections.last_mut().and_then(|it| it.entries.last_mut());
                entry.into_iter().for_each(|it| it.properties.push(text.clone()));
            }
        }
    }
    sections
}

/// Adds the columns with their roles. ARX lists the columns by role.
fn roles(attributes: &Section, draft: &mut Draft) {
    for (title, role) in [
        ("Identifying attributes", "identifier"),
        ("Quasi-identifying attributes", "quasi-identifier"),
        ("Sensitive attributes", "sensitive"),
        ("Insensitive attributes", "insensitive"),
    ] {
        let entries = attributes.entries.iter().filter(|it| it.title == title);
        for (name, kind) in entries.flat_map(Entry::named) {
            let (kind, format) = match kind.split_once('(') {
                Some((kind, rest)) => (kind, rest.strip_suffix(')')),
                None => (kind, None),
            };
            draft.leave_type(name, kind, format);
            draft.columns.push(Column { name: name.to_owned(), role, ..Column::default() });
        }
    }
}

/// Adds the levels to the draft, and lists the hierarchies that the user must provide.
fn hierarchies(attributes: &Section, draft: &mut Draft) {
    let mut missing = Vec::new();
    for entry in &attributes.entries {
        let Some(at) = entry.get("Attribute").and_then(|name| draft.find(name)) else { continue };
        let name = draft.columns[at].name.clone();
        match entry.title.as_str() {
            "Generalization hierarchy" => {
                let level = |key: &str| entry.get(key).and_then(|it| it.parse().ok());
                let column = &mut draft.columns[at];
                (column.min_level, column.max_level) =
                    (level("Minimum level"), level("Maximum level"));
                if column.has_hierarchy() {
                    let file = hierarchy_file(&name, at);
                    missing.push(format!("hierarchies/{file}"));
                    column.hierarchy = Some(Hierarchy { file, text: None });
                }
            }
            "Microaggregation function" => {
                draft.leave_aggregation(&name, entry.get("Type").unwrap_or("unknown function"));
            }
            _ => {}
        }
    }
    let responses = attributes.entries.iter().filter(|it| it.title == "Response variables");
    let responses: Vec<String> =
        responses.flat_map(Entry::named).map(|(name, _)| format!("'{name}'")).collect();
    if !responses.is_empty() {
        let named = words::list(&responses);
        draft.left.push(format!(
            "the response variables ({named}): `indistinct measure` measures how well a release \
             predicts them"
        ));
    }
    if !missing.is_empty() {
        let named = words::list(&missing);
        draft.open.push(format!(
            "the hierarchies, which the certificate does not contain: export them from ARX as \
             {named}"
        ));
    }
}

/// Adds weights and settings.
fn configured(configuration: &Section, draft: &mut Draft) {
    for entry in &configuration.entries {
        match entry.title.as_str() {
            "Weights" => {
                for (name, weight) in entry.named() {
                    if let Some(at) = draft.find(name) {
                        draft.columns[at].weight = weight.parse().ok();
                    }
                }
            }
            "Settings" => {
                draft.suppression_limit =
                    entry.get("Suppression limit").and_then(|it| it.parse().ok());
                if entry.get("Assume monotonicity") == Some("Yes") {
                    draft.leave_monotonicity();
                }
            }
            // Ignore risk thresholds, because they are determined by the privacy models.
            _ => {}
        }
    }
}

/// Adds the result of ARX, with its levels, to the remarks. It can be compared with a release of
/// the imported policy.
fn result(sections: &[Section], draft: &mut Draft) {
    let entries = sections.iter().filter(|it| it.name == "Transformation");
    let scheme = entries.flat_map(|it| &it.entries).find(|it| it.title == "Generalization scheme");
    if let Some(scheme) = scheme {
        let levels: Vec<String> =
            scheme.named().map(|(name, level)| format!("'{name}' {level}")).collect();
        let levels = words::list(&levels);
        draft
            .left
            .push(format!("the result of ARX, with the levels {levels}: create a new release"));
    }
}

/// Warns about names that span several lines, because spaces in them may have been lost or added.
fn warn_of_wrapped_names(paragraphs: &[Paragraph], draft: &mut Draft) {
    let wrapped = paragraphs.iter().filter(|it| it.is_wrapped).map(|it| squeezed(&it.text));
    let wrapped: Vec<String> = wrapped.collect();
    let is_in = |column: &&Column| {
        let name = squeezed(&column.name);
        wrapped.iter().any(|text| text.starts_with(&(name.clone() + ":")))
    };
    let names: Vec<String> =
        draft.columns.iter().filter(is_in).map(|column| format!("'{}'", column.name)).collect();
    if !names.is_empty() {
        let named = words::list(&names);
        draft.open.push(format!(
            "names that span several lines of the certificate, so their spaces may differ from \
             those in the table: {named}"
        ));
    }
}
