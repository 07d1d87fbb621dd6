//! The sections of a policy file that say nothing of the method.

use std::time::Duration;

use indistinct_core::hierarchy::{DateLevel, HierarchyRule, Side, TreeNode};
use indistinct_core::principle::{
    BuildError, Context, Kind, Missing, ParameterKind, ParameterValue, Parameters, Presence,
};
use indistinct_core::recoding::perturbation::Grid;
use indistinct_core::remaining::RemainingRequirement;
use indistinct_core::{
    Encoding, Format, Notation, Others, Rational, Requirement, Role, RowsOfPerson,
};

use serde::{Deserialize, Serialize};

use super::words::{Alike, MissingValues, OutputFormat, RowOrder, Unlisted};

/// `[release]`: the context of a release, as the data holder attests it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseContext {
    /// What the recipient may use the release for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Who receives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// Where the recipient may work with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// Who answers questions about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// Its license or data use agreement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// The version of the published data set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The date of publication.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The date after which it must not be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
    /// The date by which the data holder assesses its risk again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_by: Option<String>,
    /// The earlier release that it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
}

impl ReleaseContext {
    /// The names of its keys.
    pub const KEYS: [&str; 10] = [
        "purpose",
        "recipient",
        "environment",
        "contact",
        "license",
        "version",
        "date",
        "expires",
        "review_by",
        "supersedes",
    ];

    /// The context that a function gives, key by key.
    pub fn new(text_of: impl Fn(&str) -> Option<String>) -> Self {
        Self {
            purpose: text_of("purpose"),
            recipient: text_of("recipient"),
            environment: text_of("environment"),
            contact: text_of("contact"),
            license: text_of("license"),
            version: text_of("version"),
            date: text_of("date"),
            expires: text_of("expires"),
            review_by: text_of("review_by"),
            supersedes: text_of("supersedes"),
        }
    }

    /// The entries that are given, with the names of their keys.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [
            &self.purpose,
            &self.recipient,
            &self.environment,
            &self.contact,
            &self.license,
            &self.version,
            &self.date,
            &self.expires,
            &self.review_by,
            &self.supersedes,
        ];
        Self::KEYS.into_iter().zip(all).filter_map(|(key, text)| Some((key, text.as_deref()?)))
    }
}

/// `[input]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputSection {
    /// A file, a folder or a pattern, as written: relative to the policy file. `None` only where the policy was
    /// parsed for a purpose that needs none.
    pub path: Option<String>,
    /// In a database the table.
    pub table: Option<String>,
    /// In a database a single SELECT in its place.
    pub query: Option<String>,
    /// The column that says how many rows each line stands for.
    pub counts: Option<String>,
    /// The format; by extension if `None`.
    pub format: Option<Format>,
    /// The delimiter of a CSV file; if `None` the usual one of the format.
    pub delimiter: Option<u8>,
    /// How its characters are written.
    pub encoding: Encoding,
    /// Texts that stand for a missing value; the empty text always does.
    pub null_values: Vec<String>,
    /// What to do with columns that the policy does not name.
    pub unlisted: Unlisted,
}

/// `[attributes.NAME]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeSpec {
    /// Its name, which is that of the column.
    pub name: String,
    /// What it is to the person behind a row.
    pub role: Role,
    /// How its values are generalized, if declared.
    pub hierarchy: Option<HierarchySpec>,
    /// Importance in losses and orders; at least 0.
    pub weight: Rational,
    /// Never finer than this level; not above `max_level`.
    pub min_level: Option<usize>,
    /// Never coarser than this level.
    pub max_level: Option<usize>,
    /// What becomes of missing values, where the file says so.
    pub missing: Option<MissingValues>,
    /// What texts are that a reader takes for one.
    pub alike: Alike,
    /// How its values are written in the table, where the file says so.
    pub written: Option<Notation>,
    /// Why it is published although it looks like an identifier, where that is accepted.
    pub accepted: Option<String>,
    pub(super) declared: Option<DeclaredHierarchy>,
}

/// `hierarchy` of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HierarchySpec {
    /// A file in the format of ARX, as written: relative to the policy file.
    Csv(String),
    /// Declared in the policy itself, and valid.
    Rule(HierarchyRule),
}

/// A hierarchy as it was written, to be written again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DeclaredHierarchy {
    Csv,
    Numbers(DeclaredNumbers),
    Mask(Side),
    Dates(Vec<DateLevel>),
    Tree(Vec<TreeNode>),
    Rows(Vec<Vec<String>>),
}

/// `intervals`, `round`, `top` and `bottom`, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DeclaredNumbers {
    /// The widths or units; none where the ends alone are coded.
    pub(super) widths: Vec<Rational>,
    pub(super) is_rounding: bool,
    pub(super) anchor: Rational,
    pub(super) min: Option<Rational>,
    pub(super) max: Option<Rational>,
    /// Whether the ends are `bottom` and `top`, and not `min` and `max`.
    pub(super) ends_first: bool,
}

/// One of `[[principles]]`.
#[derive(Debug, Clone)]
pub struct PrincipleSpec {
    /// Its kind, from the registry.
    pub kind: &'static Kind,
    /// The sensitive attribute, for the kinds that have one: the only one there is where the file names none.
    pub attribute: Option<String>,
    /// Its parameters with their defaults, valid for the kind. The path of a file is as written: relative to the policy
    /// file; a released policy names none.
    pub parameters: Parameters,
    /// What the other sensitive attributes are to it.
    pub others: Others,
}

/// `[recoding.domain]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DomainSection {
    /// The smallest number.
    pub min: Rational,
    /// The largest number.
    pub max: Rational,
    /// The distance from one to the next.
    pub step: Rational,
    /// All of them.
    pub grid: Grid,
}

/// `[search]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchSection {
    /// Also list every minimal node.
    pub all_minimal: bool,
    /// Then the best found so far; above 0.
    pub time_limit_seconds: Option<Rational>,
}

/// `[linkage]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkageSection {
    /// What must remain for everybody after linking with the earlier releases.
    pub minimum: Option<RemainingRequirement>,
    /// Whom the release is about: releases about other populations are not linked with it.
    pub population: Option<String>,
    /// The growing table that the release is a version of.
    pub series: Option<String>,
    /// The identifier that says who a row is about.
    pub person: Option<String>,
    /// The file with the key of the people, as written: relative to the policy file.
    pub key: Option<String>,
}

/// `[people]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeopleSection {
    /// The identifier that says whom a row is about.
    pub column: String,
    /// What has one value of it.
    pub unit: Unit,
    /// What becomes of several rows of one person; the rows of a household are apart.
    pub rows: RowsOfPerson,
}

/// `[population]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PopulationSection {
    /// The share of the population that is in the table, above 0 and at most 1.
    pub sampling_fraction: Option<Rational>,
    /// The column of survey weights.
    pub weights: Option<String>,
    /// A table of the population, as written: relative to the policy file.
    pub path: Option<String>,
    /// The identifier that says who lives together.
    pub household: Option<String>,
}

impl PopulationSection {
    /// The columns that it names.
    pub fn columns(&self) -> impl Iterator<Item = &String> {
        self.weights.iter().chain(&self.household)
    }
}

/// What counts once, however many rows it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A person.
    Person,
    /// The people of a household.
    Household,
}

/// `[output]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputSection {
    /// The format; where the file names none, what follows from the input.
    pub format: OutputFormat,
    /// The order of the rows.
    pub order: RowOrder,
    /// Name of the column with the number of each row's class, if there is to be one.
    pub class_column: Option<String>,
    /// The delimiter of a CSV file; a comma if `None`.
    pub delimiter: Option<u8>,
    /// Whether cells that a spreadsheet would run get an apostrophe.
    pub spreadsheet_safe: bool,
    /// The table for the rows, in the database of the input; they go to a file if `None`.
    pub table: Option<String>,
}

impl AttributeSpec {
    /// What becomes of missing values when the table is counted.
    pub fn missing_rule(&self) -> MissingValues {
        self.missing.unwrap_or(MissingValues::OwnValue)
    }

    /// What a missing value is to principles on numbers: an error unless the file says otherwise.
    pub fn missing_numbers(&self) -> Missing {
        match self.missing {
            Some(MissingValues::OwnValue) => Missing::OwnValue,
            Some(MissingValues::Error) | None => Missing::Error,
        }
    }
}

impl PartialEq for PrincipleSpec {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.kind, other.kind)
            && self.attribute == other.attribute
            && self.parameters == other.parameters
            && self.others == other.others
    }
}

impl PrincipleSpec {
    /// The principle as the certifier takes it, built for a table.
    ///
    /// # Errors
    /// What keeps it from being used on this table.
    ///
    /// # Panics
    /// If the context names no attribute for a kind that is about a sensitive one.
    pub fn requirement(&self, context: &Context<'_>) -> Result<Requirement, Vec<BuildError>> {
        let complete = with_unnamed_files(self.kind, &self.parameters);
        let built = Requirement::new(self.kind, context, complete, self.others)?;
        Ok(built.stated_as(self.parameters.clone()))
    }

    /// The population table that the principle names, as written: relative to the policy file.
    pub fn population(&self) -> Option<&str> {
        self.kind.files(&self.parameters).next()
    }
}

/// Stands for a file that is not named.
const UNNAMED: &str = "not named";

/// Parameters with a text for each required file that they do not name, as those of released policies: the principle
/// itself takes the file's content from the context.
pub(super) fn with_unnamed_files(kind: &Kind, parameters: &Parameters) -> Parameters {
    let mut complete = parameters.clone();
    for spec in kind.parameters {
        if spec.kind == ParameterKind::File && spec.presence == Presence::Required {
            let path = complete.0.entry(spec.name.to_owned());
            path.or_insert_with(|| ParameterValue::Text(UNNAMED.to_owned()));
        }
    }
    complete
}

impl SearchSection {
    /// The time limit as a duration; the longest there is where it is longer than that.
    pub fn time_limit(&self) -> Option<Duration> {
        self.time_limit_seconds.as_ref().map(|seconds| {
            Duration::try_from_secs_f64(indistinct_core::model::to_f64(seconds))
                .unwrap_or(Duration::MAX)
        })
    }
}
