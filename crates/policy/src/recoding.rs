//! `[recoding]`.

use indistinct_core::loss::{self, Loss};
use indistinct_core::recoding::Center;
use indistinct_core::recoding::masking::ColumnMask;
use indistinct_core::{Rational, SuppressionRule};
use toml_edit::Value as TomlValue;

use super::keys::{Range, ValueKind};
use super::method::{Method, REGISTRY};
use super::sections::{DomainSection, MaskingKeys};
use super::value::{KeyValue, Value};
use super::words::{GeneralizeTo, LevelWeights, Split, ValueSelection};

section! {
    /// How the table is recoded until the principles hold.
    RecodingSection("recoding") {
        /// The method.
        method: Method = REGISTRY[0],
        /// The maximum fraction of records that may be suppressed, inclusive. Decimal fractions are
        /// exact: 0.02 is 1/50.
        suppression_limit: Rational [ValueKind::Number(Range::Within(0, 1))] = Rational::from_integer(0),
        /// The loss that the search minimizes.
        objective: &'static Loss = loss::REGISTRY[0],
        /// How suppressed records are released.
        suppression: SuppressionRule = SuppressionRule::Dropped,
        /// How the released values of a class are determined, for methods that form classes.
        generalize_to: GeneralizeTo = GeneralizeTo::Hierarchy,
        /// For the method `multidimensional`: how the point is chosen at which a class is split.
        split: Split = Split::Best,
        /// For the method `sweep`: which sensitive values are generalized.
        value_selection: ValueSelection = ValueSelection::Dominant,
        /// For the method `sweep`: how values are weighted in the average information of a level,
        /// which determines the order of classes.
        level_weights: LevelWeights = LevelWeights::Observed,
        /// For the method `perturbation`, which requires it: the numbers that replace sensitive
        /// values, such as `{ min = 1000, max = 100000, step = 1 }`.
        domain: Option<DomainSection>,
        /// The seed of random choices, for repeatable results. The seed is private and never
        /// released. If omitted, the operating system provides one.
        seed: Option<u64>,
        /// For the method `planned`, which requires it: the plan that `indistinct plan -o
        /// plan.toml` wrote, relative to the policy file.
        plan: Option<String>,
        /// For the method `masking`, which requires it: the operation for each column, such as
        /// `{ age = { swap = 0.05 }, income = { noise = 0.1 } }`.
        masking: Vec<ColumnMask> {Optional} [ValueKind::Each(MaskingKeys::SPEC)],
        /// For the method `microaggregation`, which requires it: the quasi-identifiers whose
        /// numbers are replaced by the center of their class.
        aggregate: Vec<String> {Optional},
        /// For the method `microaggregation`: the statistic that replaces the numbers of a class,
        /// rounded to the precision of the column.
        center: Center = Center::Mean,
    }
}

/// The parser may support additional methods, so it resolves the name itself.
impl KeyValue for Method {
    const KIND: ValueKind = ValueKind::Method;

    fn absent() -> Self {
        REGISTRY[0]
    }

    fn read(value: &Value<'_>) -> Option<Self> {
        let word = value.word()?;
        REGISTRY.iter().copied().find(|method| method.name == word)
    }

    fn write(&self) -> Option<TomlValue> {
        Some(self.name.into())
    }
}
