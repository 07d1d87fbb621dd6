//! The content of a policy file that passed all checks that do not require the table.
//!
//! This module also stores the text of the policy and the locations of its keys, which are required
//! to report problems that are found after parsing. In addition, the module defines the purposes of
//! reading a policy.

use std::collections::BTreeMap;
use std::ops::Range;

use indistinct_core::model::to_f64;
use indistinct_core::published::{NarrowestLabels, StatedLabels};
use indistinct_core::{Coarsening, Format, Notation, Optimality, Role, SuppressionRule};

use super::keys::{KeySpec, Presence, TableSpec, ValueKind};
use super::method::ClassLabels;
use super::recoding::RecodingSection;
use super::sections::{
    AttributeSpec, InputSection, LinkageSection, OutputSection, PRINCIPLE, PeopleSection,
    PopulationSection, PrincipleSpec, ReleaseContext, SearchSection,
};
use super::walk::KeyTable;
use super::words::{GeneralizeTo, MissingValues, SpellingVariants};
use super::{Code, PolicyErrors, Problem};

/// A valid policy file. [`PolicyFile::bind`] checks whether the policy matches a table.
#[derive(Debug, Clone)]
pub struct PolicyFile {
    /// The version of the policy format, which is 1.
    pub version: u32,
    /// The title of the release.
    pub title: Option<String>,
    /// The context of the release.
    pub release: ReleaseContext,
    /// The input table.
    pub input: InputSection,
    /// The attributes, in the order of the file. At least one is a quasi-identifier.
    pub attributes: Vec<AttributeSpec>,
    /// The column that identifies people or households, if a person can have several rows.
    pub people: Option<PeopleSection>,
    /// The population from which the table was sampled. Released policies omit this section.
    pub population: Option<PopulationSection>,
    /// The principles that the release must satisfy.
    pub principles: Vec<PrincipleSpec>,
    /// How the table is recoded.
    pub recoding: RecodingSection,
    /// Settings of the search.
    pub search: SearchSection,
    /// The requirements that must hold after linkage with earlier releases.
    pub linkage: LinkageSection,
    /// How the release is written.
    pub output: OutputSection,
    pub(super) source: Source,
    pub(super) warnings: PolicyErrors,
}

impl PolicyFile {
    /// Returns warnings about settings that are probably unintended, in the order of the file.
    pub fn warnings(&self) -> PolicyErrors {
        self.warnings.clone()
    }

    /// Returns the fraction of the population that the table contains, if the policy specifies this
    /// fraction.
    pub fn sampling_fraction(&self) -> Option<f64> {
        Some(to_f64(self.population.as_ref()?.sampling_fraction.as_ref()?))
    }

    /// Returns the attributes with the given role, in the order of the file.
    pub fn attributes_of(&self, role: Role) -> impl Iterator<Item = &AttributeSpec> {
        self.attributes.iter().filter(move |attribute| attribute.role == role)
    }

    /// Returns the names of the attributes with the given role.
    pub fn names(&self, role: Role) -> Vec<String> {
        self.attributes_of(role).map(|attribute| attribute.name.clone()).collect()
    }

    /// Returns the names of the sensitive attributes whose spelling variants are merged.
    pub fn merged_spellings(&self) -> Vec<String> {
        let merged = self
            .attributes_of(Role::Sensitive)
            .filter(|it| it.spelling_variants == SpellingVariants::Merged);
        merged.map(|attribute| attribute.name.clone()).collect()
    }

    /// Returns the columns that have a declared notation, each with its notation.
    pub fn notations(&self) -> Vec<(String, Notation)> {
        let declared = self.attributes.iter();
        declared.filter_map(|it| Some((it.name.clone(), it.notation?))).collect()
    }

    /// Returns the columns that are coarsened.
    pub fn coarsenings(&self) -> Vec<(String, Coarsening)> {
        let declared = self.attributes.iter();
        declared
            .filter_map(|it| Some((it.name.clone(), it.coarsen.as_ref()?.coarsening())))
            .collect()
    }

    /// Returns the attribute with the given name.
    pub fn attribute(&self, name: &str) -> Option<&AttributeSpec> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Returns what the policy states about the labels of each quasi-identifier in a release with
    /// the given optimality.
    pub fn stated_labels(&self, optimality: Option<Optimality>) -> Vec<StatedLabels> {
        // The classes of an earlier release, whose labels cover the rows of that release, are also
        // marked as coarser classes.
        let is_of_search = optimality.is_some_and(|it| it != Optimality::CoarsenedForLinkage);
        let narrowest = match self.recoding.generalize_to {
            _ if !self.has_narrowest_labels() || !is_of_search => None,
            GeneralizeTo::Hierarchy => Some(NarrowestLabels::OfHierarchy),
            GeneralizeTo::Bounds => Some(NarrowestLabels::Bounds),
        };
        let stated = |attribute: &AttributeSpec| StatedLabels {
            attribute: attribute.name.clone(),
            narrowest,
            lowest: attribute.min_level.unwrap_or(0),
            highest: attribute.max_level,
            may_be_missing: attribute.missing_rule() == MissingValues::SeparateValue,
        };
        self.attributes_of(Role::QuasiIdentifier).map(stated).collect()
    }

    /// Returns whether the method releases the narrowest labels that cover the rows of each class.
    pub fn has_narrowest_labels(&self) -> bool {
        self.recoding.method.labels == ClassLabels::Narrowest
            && self.recoding.suppression != SuppressionRule::Cells
            && self.people.is_none()
    }

    /// Returns the text from which the policy was parsed.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// Returns the location of a key as byte offsets, by its path, such as `["attributes", "age",
    /// "hierarchy"]` or `["principles", "0", "k"]`. An omitted key has the location of the table
    /// that would contain it.
    pub fn span_of(&self, path: &[&str]) -> Option<Range<usize>> {
        self.source.span(path)
    }

    /// Creates a problem at the location of a key (see [`PolicyFile::span_of`]), for problems found
    /// after parsing.
    pub fn problem_at(&self, path: &[&str], code: Code, message: impl Into<String>) -> Problem {
        Problem { code, message: message.into(), help: None, span: self.span_of(path) }
    }

    /// Converts problems that were found after parsing to errors in this policy file.
    pub fn errors(&self, problems: Vec<Problem>) -> PolicyErrors {
        PolicyErrors::new(&self.source.name, &self.source.text, problems)
    }
}

/// The document.
pub(crate) static ROOT: TableSpec = TableSpec {
    path: "",
    doc: "A policy specifies the input table, the roles of its columns, the requirements for the \
          release, and the recoding.",
    keys: &[
        KeySpec {
            name: "version",
            kind: ValueKind::Whole,
            presence: Presence::Required,
            doc: "The version of this format: 1.",
        },
        text("title", "The title of the release."),
        section_key("release", ReleaseContext::SPEC),
        section_key("input", InputSection::SPEC),
        KeySpec {
            name: "attributes",
            kind: ValueKind::Each(AttributeSpec::SPEC),
            presence: Presence::Required,
            doc: AttributeSpec::SPEC.doc,
        },
        section_key("people", PeopleSection::SPEC),
        section_key("population", PopulationSection::SPEC),
        KeySpec {
            name: "principles",
            kind: ValueKind::Principles,
            presence: Presence::Optional,
            doc: PRINCIPLE.doc,
        },
        section_key("recoding", RecodingSection::SPEC),
        section_key("search", SearchSection::SPEC),
        section_key("linkage", LinkageSection::SPEC),
        section_key("output", OutputSection::SPEC),
    ],
};

const fn text(name: &'static str, doc: &'static str) -> KeySpec {
    KeySpec { name, kind: ValueKind::Text, presence: Presence::Optional, doc }
}

const fn section_key(name: &'static str, spec: &'static TableSpec) -> KeySpec {
    KeySpec { name, kind: ValueKind::Table(spec), presence: Presence::Optional, doc: spec.doc }
}

/// The text of a policy and the locations of its keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
    /// The location of each value, or of the name of a table, by path, such as `["attributes",
    /// "age", "hierarchy"]`.
    pub(super) spans: BTreeMap<Vec<String>, Range<usize>>,
}

impl Source {
    /// Returns the location of a key or, if the key is missing, of the innermost table that would
    /// contain the key.
    pub(super) fn span(&self, path: &[&str]) -> Option<Range<usize>> {
        (1..=path.len()).rev().find_map(|length| {
            let path: Vec<String> = path[..length].iter().map(|part| (*part).to_owned()).collect();
            self.spans.get(&path).cloned()
        })
    }
}

/// The purpose of reading a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The policy is used to create a release of the input. The key `input.path` is required.
    Anonymize,
    /// The policy is used to check a table that is specified elsewhere. The key `input.path` may be
    /// omitted.
    Check,
    /// The policy is used to create a release of a table that is passed separately, with its format
    /// if known. The key `input.path` is ignored.
    Given(Option<Format>),
    /// To verify a release: reads the effective policy of a release directory, which does not
    /// describe the input.
    Released,
}
