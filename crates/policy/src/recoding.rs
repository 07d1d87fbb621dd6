//! `[recoding]`.
//!
//! Reads `[recoding.domain]`.
//!
//! Reads `[recoding.masking]`.

use indistinct_core::loss::{self, Loss};
use indistinct_core::principle::NumberRange;
use indistinct_core::recoding::Center;
use indistinct_core::recoding::masking::{self, ColumnMask};
use indistinct_core::recoding::perturbation::{Grid, GridError};
use indistinct_core::{Rational, SuppressionRule};
use indistinct_diagnostics::Coded;
use num_traits::{One, Zero};
use toml_edit::Value as TomlValue;

use super::keys::ValueKind;
use super::method::{Method, REGISTRY};
use super::sections::{DomainSection, MaskingKeys};
use super::suggest::one_of;
use super::tree::in_file_order;
use super::value::{KeyValue, Value};
use super::walk::{KeyTable, Section, Walker};
use super::words::{GeneralizeTo, LevelWeights, Split, ValueSelection};
use super::{Code, Problem};

section! {
    /// The method that recodes the table to satisfy the principles, and its settings.
    RecodingSection("recoding") {
        /// The method.
        method: Method = REGISTRY[0],
        /// The maximum fraction of records that may be suppressed, inclusive. Decimal fractions are
        /// exact: 0.02 is 1/50.
        suppression_limit: Rational [ValueKind::Number(NumberRange::Within(0, 1))] = Rational::from_integer(0),
        /// The loss that the search minimizes.
        objective: &'static Loss = loss::REGISTRY[0],
        /// How suppressed records are released.
        suppression: SuppressionRule = SuppressionRule::Dropped,
        /// How to determine the released values of a class. This key applies to methods that form
        /// classes.
        generalize_to: GeneralizeTo = GeneralizeTo::Hierarchy,
        /// For the method `multidimensional`: how to choose the point at which a class is split.
        split: Split = Split::Best,
        /// For the method `sweep`: how to choose the sensitive values to generalize.
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

/// The parser resolves the method name itself, because it may support additional methods.
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

/// Reads the domain of the method `perturbation`, and reports problems.
pub(super) fn read_domain(walker: &mut Walker, recoding: &Section<'_>) -> Option<DomainSection> {
    let (section, domain) = walker.table::<DomainSection>(recoding, "domain")?;
    for key in DomainSection::SPEC.keys {
        walker.require(&section, key.name, "a domain requires min, max, and step");
    }
    let DomainSection { min, max, step } = domain;
    let is_valid = |key: &str| section.span(key).is_some();
    if let Some(span) = section.span("max").filter(|_| is_valid("min") && max < min) {
        let message = format!("'{}' is less than 'min'", section.path_of("max").join("."));
        let help = "specify the smallest number as min and the largest number as max";
        walker.wrong(Code::OutOfRange, span, message, help);
        return None;
    }
    if !DomainSection::SPEC.keys.iter().all(|key| is_valid(key.name)) {
        return None;
    }
    match Grid::new(min, max, step) {
        Ok(_) => Some(domain),
        Err(error) => {
            let code = match error {
                GridError::Step | GridError::TooManyValues => Code::OutOfRange,
                _ => Code::NotExact,
            };
            let help = error.help().unwrap_or_default();
            let span = recoding.span("domain").unwrap_or_default();
            let message = format!("'{}': {error}", recoding.path_of("domain").join("."));
            walker.wrong(code, span, message, help);
            None
        }
    }
}

/// Reads the masking operation of each column, and reports problems.
pub(super) fn read_masking(walker: &mut Walker, recoding: &Section<'_>) -> Vec<ColumnMask> {
    let mut columns = Vec::new();
    for entry in recoding.table("masking").map(in_file_order).unwrap_or_default() {
        let mut path = recoding.path_of("masking");
        path.push(entry.key.to_owned());
        walker.mark(&path, entry.key_span.clone());
        let Some(table) = entry.value.get_ref().as_table() else {
            let message = format!("'{}' is not a table", path.join("."));
            let help = format!("write {} = {{ swap = 0.05 }}", entry.key);
            walker.wrong(Code::WrongType, entry.value.span(), message, help);
            continue;
        };
        let names = MaskingKeys::SPEC.keys.iter().map(|key| key.name);
        let section = walker.section(MaskingKeys::SPEC, &path, table);
        let stated: Vec<&str> = names.clone().filter(|key| section.is_stated(key)).collect();
        let [name] = stated.as_slice() else {
            let message = match stated.len() {
                0 => format!("'{}' contains no masking operation", path.join(".")),
                _ => format!("'{}' contains several masking operations", path.join(".")),
            };
            let problem = Problem::at(Code::Contradiction, entry.value.span(), message);
            walker.report(problem.help(format!("expected exactly one of {}", one_of(names))));
            continue;
        };
        let MaskingKeys { swap, pram, noise, shuffle } = MaskingKeys::read(&section);
        let shuffled = shuffle.then(Rational::one);
        let is_useless = swap.is_some_and(|share| share.is_zero())
            || pram.is_some_and(|p| p.is_one())
            || (*name == "shuffle" && !shuffle && !section.is_bad(name));
        if is_useless {
            let span = section.span(name).unwrap_or_default();
            let message = format!("'{}.{name}' changes nothing", path.join("."));
            let help =
                "remove the column, or use a fraction above 0, a probability below 1, or true";
            walker.wrong(Code::Contradiction, span, message, help);
            continue;
        }
        let operation = masking::find(name).expect("each key is an operation of the registry");
        let parameter = swap.or(pram).or(noise).or(shuffled);
        let column = entry.key.to_owned();
        columns.extend(parameter.map(|parameter| ColumnMask { column, operation, parameter }));
    }
    columns
}
