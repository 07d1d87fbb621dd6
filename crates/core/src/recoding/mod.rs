//! Recodings, which specify how each tuple of a table is generalized or suppressed, and the
//! requirements of a policy.

mod aggregation;
mod by_person;
mod cells;
mod explanation;
pub mod masking;
pub mod perturbation;
mod random;

pub use aggregation::{Aggregation, Center, SquaredError, squared_error};
pub use by_person::ByPerson;
pub use cells::{
    Anatomy, COLUMNS_OF_SENSITIVE, Cell, Cells, CellsOfAttribute, Classes, Part, SensitiveLabels,
    SuppressedCells,
};
pub use explanation::{
    AttributeExplanation, Break, Chosen, NotTaken, OneLevelDown, claims_of_levels,
};
pub use random::Key;

use std::sync::Arc;

use indistinct_diagnostics::words;
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};

use crate::model::{FrequencyTable, People, Population, Rational, Taxonomy};
use crate::principle::{self, BuildError, Context, Kind, Missing, Parameters};
use crate::{Hierarchy, Principle};

/// How quasi-identifiers are generalized.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Generalization {
    /// Each attribute is generalized to one level of its hierarchy. Levels are in the order of the
    /// quasi-identifiers of the table.
    FullDomain {
        /// The levels; 0 means original values.
        levels: Vec<usize>,
        /// The parts into which tuples are divided, in ascending order of tuples, or `None` if no
        /// tuple is divided. Dividing a tuple allows some of its rows to be suppressed.
        parts: Option<Vec<Part>>,
    },
    /// Every class has its own released values.
    Classes(Classes),
}

impl Generalization {
    /// Creates a generalization with one level for each attribute. No tuple is divided.
    pub fn of_levels(levels: Vec<usize>) -> Self {
        Self::FullDomain { levels, parts: None }
    }

    /// Returns the parts into which tuples are divided, or `None` if no tuple is divided.
    pub fn parts(&self) -> Option<&[Part]> {
        match self {
            Self::FullDomain { parts, .. } | Self::Classes(Classes { parts, .. }) => {
                parts.as_deref()
            }
        }
    }
}

/// A recoding that a search proposes. It specifies how tuples are generalized and which tuples are
/// suppressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recoding {
    /// How the quasi-identifiers are generalized.
    pub generalization: Generalization,
    /// For each tuple of the frequency table (or each part, if tuples are divided), whether its
    /// rows are suppressed.
    pub suppressed: Vec<bool>,
    /// The released labels of the generalized sensitive attribute, if any.
    pub sensitive: Option<SensitiveLabels>,
}

/// Whether a released column identifies the class of each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClassColumn {
    /// No class column is released, so rows with equal released values form one class (reading
    /// F-1).
    #[default]
    Absent,
    /// A column with class numbers is released, so several classes may have equal released values.
    Published,
}

words! {
    /// How suppressed rows are treated.
    #[derive(Serialize, Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum SuppressionRule {
        /// Suppressed rows are omitted from the release.
        Dropped = "drop-rows",
        /// Suppressed rows are released with `*` for every quasi-identifier.
        Starred = "star-rows",
        /// Suppressed rows are released with `*` for as few quasi-identifiers as possible, starting
        /// with those of the lowest weight. This rule requires the method `full-domain` or
        /// `multidimensional`.
        Cells = "star-cells",
    }

    /// How a principle on one sensitive attribute treats the other sensitive attributes.
    #[derive(Default)]
    pub enum Others {
        /// The principle ignores the other sensitive attributes.
        Ignored = "ignored" {default},
        /// The adversary may know the other sensitive attributes: classes are subdivided by their
        /// values (l-diversity paper, Definition 4.6).
        QuasiIdentifier = "quasi-identifier",
    }
}

impl SuppressionRule {
    /// Returns whether suppressed rows are part of the release.
    pub fn is_released(self) -> bool {
        self != Self::Dropped
    }
}

/// A requirement of a policy, which is a principle with parameters and options.
#[derive(Debug, Clone)]
pub struct Requirement {
    /// The name of the principle in the registry.
    pub kind: &'static str,
    /// The sensitive attribute, for kinds that require one.
    pub attribute: Option<String>,
    /// The required parameters, in the order of the registry.
    pub parameters: Parameters,
    /// How the principle treats the other sensitive attributes.
    pub others: Others,
    /// The principle.
    pub principle: Arc<dyn Principle>,
    /// The taxonomy of the sensitive attribute, if it has a hierarchy. There is always a taxonomy
    /// for principles that are [evaluated on taxonomy nodes](crate::Principle::taxonomy), but it
    /// may consist of only the values and a root.
    pub taxonomy: Option<Arc<Taxonomy>>,
    /// How principles on numbers treat missing values of the sensitive attribute.
    pub missing: Missing,
    /// The assignment of rows to people, if people are counted instead of rows.
    pub people: Option<Arc<People>>,
    population: Option<Arc<Population>>,
}

impl Requirement {
    /// Returns the same requirement on people instead of rows, or `None` if its kind makes no
    /// guarantee about people with these parameters.
    pub fn of_people(self, people: Arc<People>) -> Option<Self> {
        let promises = principle::find(self.kind)?.promises_of_people(&self.parameters);
        (promises && self.others == Others::Ignored).then(|| Self { people: Some(people), ..self })
    }

    /// Returns whether a class with `n_rows` rows is large enough to meet the requirement. If a
    /// whole table is too small, no class can meet the requirement, whichever rows are suppressed.
    pub fn fits_into(&self, n_rows: u64) -> bool {
        self.principle.smallest_size() <= n_rows
    }

    /// Returns whether suppressing only some rows of a failing class never helps, so the whole
    /// class must be suppressed.
    pub fn fails_in_parts(&self) -> bool {
        // If classes are subdivided by the other sensitive attributes or if people are counted,
        // removing some rows of a failing class may help.
        self.others == Others::Ignored && self.people.is_none() && self.principle.fails_in_parts()
    }

    /// Returns the same requirement with other parameters in its claims. The evaluated principle
    /// does not change.
    pub fn stated_as(self, parameters: Parameters) -> Self {
        Self { parameters, ..self }
    }

    /// Builds a requirement for a table from a principle of the given kind.
    ///
    /// # Errors
    /// Returns [`BuildError`] if the parameters are invalid or the table is not suitable.
    ///
    /// # Panics
    /// Panics if the kind requires a sensitive attribute and the context has none.
    pub fn new(
        kind: &'static Kind,
        context: &Context<'_>,
        parameters: Parameters,
        others: Others,
    ) -> Result<Self, Vec<BuildError>> {
        let principle = kind.build(context, &parameters)?;
        let column = context.attribute.map(|at| &context.table.sensitive()[at]);
        let taxonomy = context.taxonomy.or_else(|| principle.taxonomy()).cloned();
        Ok(Self {
            kind: kind.name,
            attribute: column.map(|column| column.name.clone()),
            parameters,
            others,
            taxonomy: taxonomy.map(Arc::new),
            principle: principle.into(),
            missing: context.missing,
            people: None,
            population: context.population.clone(),
        })
    }

    /// Builds the same requirement for another table with the same attributes. Values that were
    /// derived from the first table, such as the weights of its values, do not change.
    ///
    /// # Errors
    /// Returns [`BuildError`] if the other table is not suitable.
    pub fn rebuilt(&self, table: &FrequencyTable) -> Result<Self, Vec<BuildError>> {
        let attribute = self.attribute.as_deref();
        let context = Context {
            table,
            attribute: attribute.and_then(|name| table.sensitive_index(name)),
            taxonomy: self.taxonomy.as_deref(),
            population: self.population.clone(),
            missing: self.missing,
        };
        let kind =
            principle::find(self.kind).expect("the kind of a requirement is in the registry");
        let effective = self.principle.effective_parameters(&self.parameters);
        Ok(Self {
            kind: self.kind,
            attribute: self.attribute.clone(),
            parameters: self.parameters.clone(),
            others: self.others,
            principle: kind.build(&context, &effective)?.into(),
            taxonomy: self.taxonomy.clone(),
            missing: self.missing,
            people: self.people.clone(),
            population: self.population.clone(),
        })
    }
}

/// The hierarchies, requirements, and suppression limit for the release of one frequency table.
#[derive(Debug, Clone)]
pub struct Policy {
    /// One hierarchy for each quasi-identifier of the table, in the same order.
    pub hierarchies: Vec<Hierarchy>,
    /// The requirements, all of which must hold.
    pub requirements: Vec<Requirement>,
    /// The largest fraction of rows that may be suppressed, from 0 to 1.
    pub suppression_limit: Rational,
    /// How suppressed rows are treated.
    pub suppressed: SuppressionRule,
    /// Whether a class column is released.
    pub published: ClassColumn,
}

impl Policy {
    /// Returns the maximum number of rows of a table that may be suppressed. The result is exact.
    pub fn max_suppressed(&self, table: &FrequencyTable) -> u64 {
        max_suppressed(&self.suppression_limit, table.n_rows())
    }

    /// Returns whether `n_suppressed` rows of the table may be suppressed. The result is exact.
    pub fn allows_suppressing(&self, n_suppressed: u64, table: &FrequencyTable) -> bool {
        n_suppressed <= self.max_suppressed(table)
    }
}

/// Returns how many of `n_rows` rows may be suppressed according to a limit, which is a fraction in
/// [0, 1]. The result is exact.
pub fn max_suppressed(limit: &Rational, n_rows: u64) -> u64 {
    // A limit may have 30 digits. For tables with many rows, the product may therefore exceed 128
    // bits.
    let rows = BigInt::from(*limit.numer()) * n_rows / *limit.denom();
    u64::try_from(rows).map_or(0, |rows| rows.min(n_rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suppression_limit_is_exact_for_many_digits() {
        let many = 3_000_000_000;
        let table = FrequencyTable::new(Vec::new(), Vec::new(), vec![many]).expect("valid");
        let most = |numerator: i128, denominator: i128| {
            let policy = Policy {
                hierarchies: Vec::new(),
                requirements: Vec::new(),
                suppression_limit: Rational::new(numerator, denominator),
                suppressed: SuppressionRule::Dropped,
                published: ClassColumn::Absent,
            };
            let most = policy.max_suppressed(&table);
            assert!(policy.allows_suppressing(most, &table));
            assert!(most == many || !policy.allows_suppressing(most + 1, &table));
            most
        };
        let digits = 10i128.pow(30);
        assert_eq!(most(digits / 3, digits), 999_999_999);
        assert_eq!(most(1, 3), 1_000_000_000);
        assert_eq!((most(0, 1), most(1, 1)), (0, many));
    }
}
