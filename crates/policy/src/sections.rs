//! The sections of a policy file. Every key of a policy is declared in this module.

use std::time::Duration;

use indistinct_core::hierarchy::{DateLevel, HierarchyRule, Side};
use indistinct_core::model::Branch;
use indistinct_core::principle::{
    BuildError, Context, Kind, Missing, NumberRange, ParameterKind, ParameterValue, Parameters,
    Presence as Stated,
};
use indistinct_core::recoding::masking::ColumnMask;
use indistinct_core::recoding::perturbation::Grid;
use indistinct_core::remaining::{Measure, RemainingRequirement};
use indistinct_core::{
    Coarsening, Encoding, Format, Notation, Others, Rational, Requirement, Role, RowsOfPerson,
};

use serde::{Deserialize, Serialize};

use super::keys::{KeySpec, Presence, TableSpec, ValueKind};
use super::value::KeyValue;
use super::walk::KeyTable;
use super::words::{
    LooksLikeIdentifier, MissingValues, OutputFormat, RowOrder, SpellingVariants, Unlisted,
};

section! {
    /// The context of the release. Each key contains optional text that the data holder attests.
    /// The text appears in the certificate and the report but does not affect the rows.
    #[derive(Default, Eq, Serialize, Deserialize, schemars::JsonSchema)]
    #[serde(deny_unknown_fields)]
    ReleaseContext("release") {
        /// The purpose for which the recipient may use the release.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        purpose: Option<String>,
        /// The person or organization that receives the release.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        recipient: Option<String>,
        /// The environment in which the recipient may use the release, such as "public" or "secure
        /// research environment".
        #[serde(default, skip_serializing_if = "Option::is_none")]
        environment: Option<String>,
        /// The contact for questions about the release.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        contact: Option<String>,
        /// The license or data use agreement, such as "CC-BY-4.0".
        #[serde(default, skip_serializing_if = "Option::is_none")]
        license: Option<String>,
        /// The version of the published data set.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        /// The date of publication, such as "2025-03-31". This date is never determined by the
        /// system clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        date: Option<String>,
        /// The date after which the release must not be used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires: Option<String>,
        /// The date by which the data holder will reassess the risk of the release.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        review_by: Option<String>,
        /// The earlier release that this one replaces, such as its title or the SHA-256 of its
        /// certificate.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        supersedes: Option<String>,
        /// Why the insensitive columns may be published although their values together single out
        /// more than 5% of the rows. Without this key, no release is created in this case.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        insensitive_reason: Option<String>,
    }
}

impl ReleaseContext {
    /// Returns all items that the policy specifies, with their keys.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [
            ("purpose", &self.purpose),
            ("recipient", &self.recipient),
            ("environment", &self.environment),
            ("contact", &self.contact),
            ("license", &self.license),
            ("version", &self.version),
            ("date", &self.date),
            ("expires", &self.expires),
            ("review_by", &self.review_by),
            ("supersedes", &self.supersedes),
            ("insensitive_reason", &self.insensitive_reason),
        ];
        all.into_iter().filter_map(|(key, text)| Some((key, text.as_deref()?)))
    }
}

section! {
    /// The input table.
    InputSection("input") {
        /// A file, a folder, or a glob pattern, relative to the policy file. The path can also be
        /// an object store or web address, such as `s3://bucket/part-*.parquet`, `gs://`, `az://`,
        /// or `https://`, or a database address, such as `postgresql://host/name`, `sqlite:FILE`,
        /// `duckdb:FILE`, or `spark://host:15002`. Addresses must not contain passwords. The
        /// command `check` does not require this path.
        path: Option<String> {Required},
        /// For databases: the table, such as `visits` or `public.visits`; put case-sensitive names
        /// in double quotes. For spreadsheets with several sheets: the sheet.
        table: Option<String>,
        /// For databases: a single SELECT statement to use instead of a table.
        query: Option<String>,
        /// The column with the number of rows that each line represents, for a table that was
        /// aggregated with `GROUP BY`. This column is not an attribute.
        count_column: Option<String>,
        /// The file format. If omitted, the file extension determines the format.
        format: Option<Format>,
        /// The delimiter of a CSV file. The default is a comma, or a tab for `.tsv` files.
        delimiter: Option<u8>,
        /// The character encoding of a CSV file.
        encoding: Encoding = Encoding::Utf8,
        /// For CSV files and spreadsheets: the number of rows before the column names, such as a
        /// title. Empty rows are not counted.
        skip_rows: usize = 0,
        /// For CSV files and spreadsheets: the number of rows between the column names and the
        /// data, such as units or the texts of questions. Empty rows are not counted.
        skip_rows_after_header: usize = 0,
        /// Strings that represent a missing value in the text columns of CSV and JSON files,
        /// spreadsheets, and databases, in addition to the empty string. In files, a number such as
        /// `-9` also represents `-9.0`.
        null_values: Vec<String> = vec![String::new()],
        /// How to handle columns that the policy does not declare.
        unlisted: Unlisted = Unlisted::Error,
    }
}

section! {
    /// One table `[attributes.NAME]` for each column, with its role, its hierarchy, and the
    /// notation of its values.
    AttributeSpec("attributes.*") {
        /// The role of the column.
        role: Role,
        /// The hierarchy for generalizing the values. If omitted, a quasi-identifier is released
        /// unchanged or as `*`. For a sensitive attribute, this key specifies the taxonomy.
        hierarchy: Option<HierarchySpec> [ValueKind::Table(HierarchyKeys::SPEC)],
        /// The weight of a quasi-identifier in the computation of losses and in the ordering of
        /// rows.
        weight: Rational [ValueKind::Number(NumberRange::AtLeast(0))] = Rational::from_integer(1),
        /// The lowest level of the hierarchy at which a quasi-identifier may be released. The
        /// default is 0, the original values.
        min_level: Option<usize>,
        /// The highest level of the hierarchy at which a quasi-identifier may be released. If
        /// omitted, all levels are permitted.
        max_level: Option<usize>,
        /// Strings and numbers that represent a missing value in this column, in addition to the
        /// `null_values` of `[input]`, such as `["99", "k.A."]`. They apply to every format and
        /// type of the column. A number also represents its other spellings, such as `-9.0` for `-9`,
        /// except in text columns of databases.
        null_values: Vec<String> = Vec::new(),
        /// How to handle missing values of a quasi-identifier or a sensitive attribute. If omitted,
        /// a missing value is a separate value, or an error if a principle requires numbers.
        missing: Option<MissingValues>,
        /// How to handle spelling variants among the values of a sensitive attribute: strings that
        /// differ only in case, whitespace, invisible characters, Unicode normalization, or letters
        /// that look alike, such as `flu` and `Flu`. Numbers are always compared by value.
        spelling_variants: SpellingVariants = SpellingVariants::Distinct,
        /// The notation of numbers or dates in a text column, if it is not `1234.56` or
        /// `YYYY-MM-DD`. Values are read, counted, and released in the standard notation. Every
        /// value that is not missing must have this notation.
        notation: Option<Notation>,
        /// Required for a column that looks like a direct identifier, such as e-mail addresses, but
        /// has another role. Without this key, no release is created.
        looks_like_identifier: Option<LooksLikeIdentifier>,
        /// Why a column that looks like a direct identifier may be published. The certificate
        /// contains this reason.
        looks_like_identifier_reason: Option<String>,
        /// How the numbers of a sensitive or insensitive column are coarsened, such as `{ round =
        /// 100 }`. Values are coarsened when the table is read, before principles are evaluated.
        coarsen: Option<CoarsenKeys> [ValueKind::Table(CoarsenKeys::SPEC)],
        /// Why a sensitive or insensitive column may be published although many of its values
        /// occur in only one row. Without this key, no release is created if this applies to more
        /// than 5% of the rows, or to more than half of the rows for sensitive texts and dates. The
        /// certificate contains the reason and the number of rows.
        unique_values_reason: Option<String>,
    }
    and {
        /// The name of the column.
        name: String,
        /// The hierarchy, as it is declared in the policy.
        declared: Option<HierarchyKeys>,
    }
}

section! {
    /// The generalization of an attribute's values. Specify exactly one of `csv`, `intervals`,
    /// `round`, `boundaries`, `mask`, `dates`, `tree`, and `rows`. Alternatively, specify `top`,
    /// `bottom`, or both, optionally with `intervals` or `round`. If the top level `*` is missing,
    /// it is added.
    HierarchyKeys("attributes.*.hierarchy") {
        /// An ARX CSV file, relative to the policy file, without a header and with `;` as the
        /// separator. The first column contains the original value, and each further column
        /// contains one level. A label of numbers or dates must not look like another number or
        /// date, because programs would calculate with the label.
        csv: Option<String>,
        /// For numbers: the widths of the intervals at levels 1, 2, and so on, each a multiple of
        /// the previous one. For example, `[5, 10]` results in `[20, 25)` and `[20, 30)`.
        intervals: Option<Vec<Rational>>,
        /// For numbers: the rounding units at levels 1, 2, and so on, each an odd multiple of the
        /// previous one; halves are rounded up. For example, `[5, 15]` results in `35 +/- 2.5` and
        /// `30 +/- 7.5`.
        round: Option<Vec<Rational>>,
        /// For `intervals` and `round`: a number at which an interval starts or to which numbers
        /// can be rounded.
        anchor: Rational = Rational::from_integer(0),
        /// For `intervals` and `round`: values below this number form one interval at the lower
        /// end.
        min: Option<Rational>,
        /// For `intervals` and `round`: this number and all values above it form one interval at
        /// the upper end.
        max: Option<Rational>,
        /// For numbers: bottom coding. At level 1, values below this number become `< 18`, and
        /// other values do not change; at higher levels, this key has the meaning of `min`.
        bottom: Option<Rational>,
        /// For numbers: top coding. At level 1, this number and all values above it become `>= 90`,
        /// and other values do not change; at higher levels, this key has the meaning of `max`. If
        /// `min_level = 1`, no value in the coded range is released unchanged.
        top: Option<Rational>,
        /// For numbers: the ascending boundaries of intervals of different widths at level 1. For
        /// example, `[18, 65]` results in `< 18`, `[18, 65)`, and `>= 65`.
        boundaries: Option<Vec<Rational>> [ValueKind::Numbers(NumberRange::Any)],
        /// For `boundaries`: the number of neighboring intervals that each further level joins, at
        /// least 2. There are further levels as long as at least two intervals remain. If omitted,
        /// there is one level of intervals.
        join: Option<usize>,
        /// For codes: one more character is masked at each level, starting from this end.
        mask: Option<Side>,
        /// For dates: the levels in order from fine to coarse. The value `true` selects all levels.
        dates: Option<Vec<DateLevel>>,
        /// A tree of labels with any depth. Each label contains the values or labels below it.
        tree: Option<Vec<Branch>>,
        /// The content of an ARX CSV file, as one list for each value. A list contains the original
        /// value and its label at each level.
        rows: Option<Vec<Vec<String>>>,
    }
}

section! {
    /// The coarsening of the numbers in a sensitive or insensitive column. Specify exactly one of
    /// `round`, `intervals`, `boundaries`, and `quantiles`. Alternatively, specify `top`, `bottom`,
    /// or both, optionally with `round` or `intervals`. Tables in databases cannot be coarsened.
    CoarsenKeys("attributes.*.coarsen") {
        /// The unit to which numbers are rounded; halves are rounded up. For example, `100` rounds
        /// 1267.85 to `1300`.
        round: Option<Rational> [ValueKind::Number(NumberRange::Above(0))],
        /// The width of intervals that start at multiples of the width. For example, `500` results
        /// in `[1000, 1500)`.
        intervals: Option<Rational> [ValueKind::Number(NumberRange::Above(0))],
        /// The ascending boundaries of intervals. For example, `[100, 1000]` results in `< 100`,
        /// `[100, 1000)`, and `>= 1000`.
        boundaries: Option<Vec<Rational>> [ValueKind::Numbers(NumberRange::Any)],
        /// The number of intervals with about equal numbers of rows, from 2 to 1000. The boundaries
        /// are computed from the table and shown by the released values.
        quantiles: Option<u64>,
        /// Bottom coding: smaller numbers are replaced by this number or, with `intervals`, by a
        /// label such as `< 50`.
        bottom: Option<Rational>,
        /// Top coding: larger numbers are replaced by this number; with `intervals`, numbers of at
        /// least this number are replaced by `>= 10000`.
        top: Option<Rational>,
    }
}

impl CoarsenKeys {
    /// Returns the coarsening. The keys have already been checked when the policy was read.
    pub fn coarsening(&self) -> Coarsening {
        let Self { bottom, top, .. } = *self;
        match (self.intervals, &self.boundaries, self.quantiles) {
            (Some(width), ..) => Coarsening::Intervals { width, bottom, top },
            (_, Some(boundaries), _) => Coarsening::Boundaries(boundaries.clone()),
            (_, _, Some(n)) => Coarsening::Quantiles(n),
            _ => Coarsening::Numbers { unit: self.round, bottom, top },
        }
    }
}

section! {
    /// Identifies the person to whom each row belongs, for tables in which a person may have
    /// several rows. If this section is present, every principle must hold both for rows and for
    /// people. Without this section, every row counts as a person.
    PeopleSection("people") {
        /// The identifier column with one value for each person. Specify either this key or
        /// `household`.
        id: Option<String>,
        /// The identifier column with one value for each household. The members of a household
        /// count as one person.
        household: Option<String>,
        /// How to recode several rows of one person. The default is `uniform` with `id` and
        /// `independent` with `household`.
        rows: RowsOfPerson {Optional},
        /// How to handle spelling variants among the identifiers: values that differ only in case,
        /// whitespace, invisible characters, Unicode normalization, or letters that look alike, and
        /// spellings of a number, such as `7`, `7.0`, and `07`. If the identifiers contain spelling
        /// variants, this key is required.
        spelling_variants: Option<SpellingVariants>,
    }
}

section! {
    /// The population from which the table was sampled, and its households. `profile`, `measure`,
    /// and the private report of `anonymize` use this information to estimate risks in the
    /// population. The principles do not depend on this information, and it is not released.
    PopulationSection("population") {
        /// The fraction of the population that the table contains. If omitted, it is estimated from
        /// the weights or from the population table.
        sampling_fraction: Option<Rational> [ValueKind::Number(NumberRange::AboveUpTo(0, 1))],
        /// The column of survey weights: the number of people that each row represents, which must
        /// be above 0.
        weights: Option<String>,
        /// A table of the population, relative to the policy file, that contains the
        /// quasi-identifiers under the same names.
        path: Option<String>,
        /// The identifier column with one value for each household. Re-identifying one member
        /// re-identifies the household. The default is the column in `[people]`.
        household: Option<String>,
    }
}

/// The table `[[principles]]`. The registry of principles defines the parameters of each kind.
pub(crate) static PRINCIPLE: TableSpec = TableSpec {
    path: "principles",
    doc: "The requirements for the release, with one `[[principles]]` table for each principle. \
          All principles must hold. At least one principle is required, except with the method \
          `masking`, which cannot guarantee any principle.",
    keys: &[
        KeySpec {
            name: "kind",
            kind: ValueKind::Text,
            presence: Presence::Required,
            doc: "The principle.",
        },
        KeySpec {
            name: "attribute",
            kind: ValueKind::Text,
            presence: Presence::Optional,
            doc: "The sensitive attribute that the principle protects. Optional if the policy has \
                  only one sensitive attribute.",
        },
    ],
};

section! {
    /// The masking operation for a quasi-identifier. Exactly one key is required.
    MaskingKeys("recoding.masking.*") {
        /// Rank swapping, for numbers: each row swaps its value with a row whose rank differs by at
        /// most this fraction of all ranks.
        swap: Option<Rational> [ValueKind::Number(NumberRange::Within(0, 1))],
        /// Post-randomization (PRAM) with an invariant matrix: each row keeps its value with this
        /// probability, and otherwise receives a value that is drawn from the column.
        pram: Option<Rational> [ValueKind::Number(NumberRange::Within(0, 1))],
        /// For numbers: adds normally distributed noise with this fraction of the variance of the
        /// column. The noise in several columns has the same correlations as these columns.
        noise: Option<Rational> [ValueKind::Number(NumberRange::Above(0))],
        /// Shuffles the values of the column among all rows.
        shuffle: bool = false,
    }
}

section! {
    /// The numbers that replace sensitive values, all with the same probability. The domain
    /// contains at most 1,000,000 numbers, including every sensitive value. The domain is public,
    /// so base it on public knowledge about the attribute, not on the table.
    DomainSection("recoding.domain") {
        /// The smallest number.
        min: Rational,
        /// The largest number. Its distance from the smallest number must be a multiple of the
        /// step.
        max: Rational,
        /// The distance between neighboring numbers.
        step: Rational [ValueKind::Number(NumberRange::Above(0))],
    }
}

section! {
    /// Settings of the search.
    SearchSection("search") {
        /// Also list all minimal nodes of the lattice: satisfying nodes that have no satisfying
        /// node strictly below them.
        all_minimal: bool = false,
        /// The time after which the search returns the best recoding found so far and marks it as
        /// possibly not optimal. If omitted, the time is unlimited. After the time has passed,
        /// full-domain recoding still lowers single levels as far as the policy permits, which can
        /// take slightly longer.
        time_limit_seconds: Option<Rational> [ValueKind::Number(NumberRange::Above(0))],
    }
}

section! {
    /// Requirements of `anonymize --ledger FILE` for the sensitive values of people who also appear
    /// in earlier releases. The released policy contains only the key `minimum` of this section.
    LinkageSection("linkage") {
        /// The minimum protection that every person must retain after linkage with the releases in
        /// the ledger, such as `{ l = 3 }`.
        minimum: Option<RemainingRequirement>,
        /// The population of the table, such as "patients of the region". Releases of other
        /// populations in the ledger are not linked. If omitted, any person may be in any release.
        population: Option<String>,
        /// For the method `invariant`: the growing table to which this version belongs.
        series: Option<String>,
        /// For the method `invariant`: the identifier column that identifies the person to whom a
        /// row belongs.
        person: Option<String>,
        /// For the method `invariant`: the file with the key for recognizing people in the ledger,
        /// relative to the policy file. Do not store the key next to the ledger. `indistinct ledger
        /// init --key FILE` creates the key.
        key_file: Option<String>,
    }
}

keys! {
    /// The minimum protection that every person must retain for each sensitive attribute shared by
    /// the releases.
    RemainingRequirement("linkage.minimum") {
        /// The minimum number of remaining sensitive values, counted according to `measure`.
        l: Rational [ValueKind::Number(NumberRange::AtLeast(1))],
        /// How sensitive values are counted.
        measure: Measure = Measure::Distinct,
    }
}

section! {
    /// How the release is written.
    OutputSection("output") {
        /// The file format. The default is Parquet for Parquet or Arrow input (by `input.format` or
        /// file extension), and CSV otherwise.
        format: OutputFormat {Optional},
        /// The order of the released rows, which is never the order of the input.
        row_order: RowOrder = RowOrder::Shuffled,
        /// The name of a column with the number of each class, in random order. If omitted, the
        /// column is not written.
        class_column: Option<String>,
        /// The delimiter of a CSV file. The default is a comma.
        delimiter: Option<u8>,
        /// Whether to put an apostrophe before column names and cells of CSV files, including
        /// hierarchies, that a spreadsheet would execute as formulas, and before values that start
        /// with an apostrophe. Formulas are non-numeric values that start with `=`, `+`, `-`, or
        /// `@`.
        spreadsheet_safe: bool = false,
        /// A table for the rows in the database of the input. If omitted, rows are written to a
        /// file in the release directory. The certificate is stored in a table with the same name
        /// and the suffix `_certificate`.
        table: Option<String>,
    }
}

impl HierarchyKeys {
    /// Returns whether `top` or `bottom` is declared, so level 1 codes an end of the scale.
    pub(super) fn codes_ends(&self) -> bool {
        self.bottom.is_some() || self.top.is_some()
    }

    /// Returns the lower and the upper end of the scale, if they are declared.
    pub(super) fn ends(&self) -> (Option<Rational>, Option<Rational>) {
        if self.codes_ends() { (self.bottom, self.top) } else { (self.min, self.max) }
    }
}

/// The hierarchy of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HierarchySpec {
    /// The path of a file in the format of ARX, as written in the policy: relative to the policy
    /// file.
    Csv(String),
    /// A valid hierarchy that is declared in the policy itself.
    Rule(HierarchyRule),
}

/// The parser resolves hierarchies after it has read all keys. The writer writes the keys as
/// declared.
impl KeyValue for HierarchySpec {
    const KIND: ValueKind = ValueKind::Table(HierarchyKeys::SPEC);

    fn absent() -> Self {
        unreachable!("a hierarchy is optional")
    }

    fn read(_: &super::value::Value<'_>) -> Option<Self> {
        None
    }

    fn write(&self) -> Option<toml_edit::Value> {
        None
    }
}

impl KeyValue for Vec<ColumnMask> {
    const KIND: ValueKind = ValueKind::Each(MaskingKeys::SPEC);

    fn absent() -> Self {
        Vec::new()
    }

    fn read(_: &super::value::Value<'_>) -> Option<Self> {
        None
    }

    fn write(&self) -> Option<toml_edit::Value> {
        let operation = |mask: &ColumnMask| {
            let name = mask.operation.name;
            let value = match name {
                "shuffle" => true.into(),
                _ => super::keys::exact(&mask.parameter),
            };
            super::keys::table([(name, value)])
        };
        let columns = self.iter().map(|mask| (mask.column.as_str(), operation(mask)));
        Some(super::keys::table(columns))
    }
}

/// One entry of `[[principles]]`.
#[derive(Debug, Clone)]
pub struct PrincipleSpec {
    /// The kind of the principle, from the registry of principles.
    pub kind: &'static Kind,
    /// The sensitive attribute, for kinds that require one. If the policy omits the attribute, this
    /// is the only sensitive attribute.
    pub attribute: Option<String>,
    /// The parameters with their defaults, which are valid for the kind. The path of a file is
    /// relative to the policy file, as written; a released policy contains no paths.
    pub parameters: Parameters,
    /// How the principle treats the other sensitive attributes.
    pub others: Others,
}

impl PopulationSection {
    /// Returns the columns to which the section refers.
    pub fn columns(&self) -> impl Iterator<Item = &String> {
        self.weights.iter().chain(&self.household)
    }
}

/// The unit that is counted once, regardless of its number of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A person.
    Person,
    /// The members of a household.
    Household,
}

impl PeopleSection {
    /// Returns the column that identifies the person or household to whom a row belongs.
    ///
    /// # Panics
    /// Panics if the section does not specify a column. A valid policy always specifies a column.
    pub fn column(&self) -> &str {
        self.id.as_ref().or(self.household.as_ref()).expect("a valid section names a column")
    }

    /// Returns the kind of unit that the values of the column identify.
    pub fn unit(&self) -> Unit {
        if self.id.is_some() { Unit::Person } else { Unit::Household }
    }
}

impl DomainSection {
    /// Returns the numbers of the domain.
    ///
    /// # Panics
    /// Panics if the domain is invalid. A valid policy always has a valid domain.
    pub fn grid(&self) -> Grid {
        Grid::new(self.min, self.max, self.step).expect("the parser has checked the domain")
    }
}

impl AttributeSpec {
    /// Returns how missing values are handled when rows are counted.
    pub fn missing_rule(&self) -> MissingValues {
        self.missing.unwrap_or(MissingValues::SeparateValue)
    }

    /// Returns how principles on numbers treat a missing value: as an error, unless the policy
    /// states otherwise.
    pub fn missing_numbers(&self) -> Missing {
        match self.missing {
            Some(MissingValues::SeparateValue) => Missing::OwnValue,
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
    /// Builds the requirement that the certifier checks for a table.
    ///
    /// # Errors
    /// Returns the reasons why the principle cannot be used on this table.
    ///
    /// # Panics
    /// Panics if the principle requires a sensitive attribute but the context does not specify one.
    pub fn requirement(&self, context: &Context<'_>) -> Result<Requirement, Vec<BuildError>> {
        let complete = with_unnamed_files(self.kind, &self.parameters);
        let built = Requirement::new(self.kind, context, complete, self.others)?;
        Ok(built.stated_as(self.parameters.clone()))
    }

    /// Returns the path of the population table of the principle, relative to the policy file, as
    /// written.
    pub fn population(&self) -> Option<&str> {
        self.kind.files(&self.parameters).next()
    }
}

/// The placeholder for the path of a file if the policy does not contain the path.
const UNNAMED: &str = "not named";

/// Adds a placeholder path for each required file that the parameters do not name. Released
/// policies contain no paths; the principle takes the content of the file from the context.
pub(super) fn with_unnamed_files(kind: &Kind, parameters: &Parameters) -> Parameters {
    let mut complete = parameters.clone();
    for spec in kind.parameters {
        if spec.kind == ParameterKind::File && spec.presence == Stated::Required {
            let path = complete.0.entry(spec.name.to_owned());
            path.or_insert_with(|| ParameterValue::Text(UNNAMED.to_owned()));
        }
    }
    complete
}

impl SearchSection {
    /// Returns the time limit as a duration, which is at most [`Duration::MAX`].
    pub fn time_limit(&self) -> Option<Duration> {
        self.time_limit_seconds.as_ref().map(|seconds| {
            Duration::try_from_secs_f64(indistinct_core::model::to_f64(seconds))
                .unwrap_or(Duration::MAX)
        })
    }
}

#[cfg(test)]
mod tests {
    use indistinct_core::recoding::masking;

    use super::*;

    #[test]
    fn each_masking_operation_has_a_key() {
        let keys = MaskingKeys::SPEC.keys.iter().map(|key| key.name);
        let operations = masking::REGISTRY.iter().map(|operation| operation.name);
        assert_eq!(keys.collect::<Vec<_>>(), operations.collect::<Vec<_>>());
    }
}
