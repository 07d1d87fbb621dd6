//! What a policy file says, checked as far as that goes without the table.

use std::ops::Range;

use indistinct_core::loss::Loss;
use indistinct_core::model::to_f64;
use indistinct_core::recoding::Center;
use indistinct_core::recoding::masking::ColumnMask;
use indistinct_core::{Notation, Rational, Role, SuppressionRule};

use super::method::Method;
use super::sections::{
    AttributeSpec, DomainSection, InputSection, LinkageSection, OutputSection, PeopleSection,
    PopulationSection, PrincipleSpec, ReleaseContext, SearchSection,
};
use super::source::Source;
use super::words::{Align, Alike, Choice, LevelWeights, Split};
use super::{Code, PolicyErrors, Problem};

/// A policy file that is right in itself.
///
/// Whether it fits a table is asked by [`PolicyFile::bind`].
#[derive(Debug, Clone)]
pub struct PolicyFile {
    /// Version of the format: 1.
    pub version: u32,
    /// The title of the release, for readers.
    pub title: Option<String>,
    /// The context of the release.
    pub release: ReleaseContext,
    /// The table to be released.
    pub input: InputSection,
    /// The attributes, in the order of the file. At least one is a quasi-identifier.
    pub attributes: Vec<AttributeSpec>,
    /// Whom rows are about, where a person may have several.
    pub people: Option<PeopleSection>,
    /// What is known of the population that the table is a sample of; never released.
    pub population: Option<PopulationSection>,
    /// What must hold; at least one.
    pub principles: Vec<PrincipleSpec>,
    /// How the table is recoded.
    pub recoding: RecodingSection,
    /// Settings of the search.
    pub search: SearchSection,
    /// What is asked about earlier releases.
    pub linkage: LinkageSection,
    /// How the release is written.
    pub output: OutputSection,
    pub(super) source: Source,
    pub(super) warnings: PolicyErrors,
}

/// `[recoding]`.
#[derive(Debug, Clone)]
pub struct RecodingSection {
    /// The method.
    pub method: Method,
    /// The largest fraction of rows that may be suppressed, inclusive; in [0, 1].
    pub suppression_limit: Rational,
    /// The loss that is made small.
    pub objective: &'static Loss,
    /// What becomes of suppressed rows.
    pub suppressed: SuppressionRule,
    /// What the values of a class are generalized to, for recodings by region or class.
    pub align: Align,
    /// Where a class is split.
    pub split: Split,
    /// Which sensitive values the sweep generalizes.
    pub choice: Choice,
    /// What values count in the order of classes, for the sweep.
    pub level_weights: LevelWeights,
    /// The holder's seed; never released.
    pub seed: Option<u64>,
    /// What noise is drawn from, where the method is a perturbation.
    pub domain: Option<DomainSection>,
    /// The plan of the planned recoding, as written: relative to the policy file.
    pub plan: Option<String>,
    /// What becomes of columns that get noise.
    pub noise: Vec<ColumnMask>,
    /// The quasi-identifiers whose numbers microaggregation replaces.
    pub aggregate: Vec<String>,
    /// By what.
    pub center: Center,
}

impl PolicyFile {
    /// What is probably not intended, in the order of the file.
    pub fn warnings(&self) -> PolicyErrors {
        self.warnings.clone()
    }

    /// The share of the population that is in the table, where the file says it.
    pub fn sampling_fraction(&self) -> Option<f64> {
        Some(to_f64(self.population.as_ref()?.sampling_fraction.as_ref()?))
    }

    /// The attributes of one role, in the order of the file.
    pub fn attributes_of(&self, role: Role) -> impl Iterator<Item = &AttributeSpec> {
        self.attributes.iter().filter(move |attribute| attribute.role == role)
    }

    /// Their names.
    pub fn names(&self, role: Role) -> Vec<String> {
        self.attributes_of(role).map(|attribute| attribute.name.clone()).collect()
    }

    /// The names of sensitive attributes of which texts that a reader takes for one are one value.
    pub fn alike(&self) -> Vec<String> {
        let alike = self.attributes_of(Role::Sensitive).filter(|it| it.alike == Alike::OneValue);
        alike.map(|attribute| attribute.name.clone()).collect()
    }

    /// The columns whose values are written otherwise than they are read, with how.
    pub fn written(&self) -> Vec<(String, Notation)> {
        let declared = self.attributes.iter();
        declared.filter_map(|it| Some((it.name.clone(), it.written?))).collect()
    }

    /// The attribute with the given name.
    pub fn attribute(&self, name: &str) -> Option<&AttributeSpec> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The text that the policy was read from.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// Where a key stands, as byte offsets, by its path such as `["attributes", "age", "hierarchy"]` or
    /// `["principles", "0", "k"]`. A key that is left out is at the table that would hold it.
    pub fn span_of(&self, path: &[&str]) -> Option<Range<usize>> {
        self.source.span(path)
    }

    /// A problem that shows up only later, at the place of a key (see [`PolicyFile::span_of`]).
    pub fn problem_at(&self, path: &[&str], code: Code, message: impl Into<String>) -> Problem {
        Problem { code, message: message.into(), help: None, span: self.span_of(path) }
    }

    /// Problems that show up only later, as errors of this file.
    pub fn errors(&self, problems: Vec<Problem>) -> PolicyErrors {
        PolicyErrors::new(&self.source.name, &self.source.text, problems)
    }
}
