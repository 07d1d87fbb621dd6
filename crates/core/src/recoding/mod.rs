//! Recodings: what becomes of each tuple, and what a policy asks for.

mod aggregation;
mod anatomy;
mod by_person;
mod cell;
mod cells;
mod classes;
mod explanation;
pub mod masking;
pub mod perturbation;
mod sensitive;

pub use aggregation::{Aggregation, Center, SquaredError, squared_error};
pub use anatomy::{Anatomy, COLUMNS_OF_SENSITIVE};
pub use by_person::ByPerson;
pub use cell::Cell;
pub use cells::{Cells, CellsOfAttribute};
pub use classes::{Classes, Part, SuppressedCells};
pub use explanation::{
    AttributeExplanation, Break, Chosen, NotTaken, OneLevelDown, claims_of_levels,
};
pub use sensitive::SensitiveLabels;

use std::sync::Arc;

use num_bigint::BigInt;
use serde::{Deserialize, Serialize};

use crate::model::{FrequencyTable, People, Population, Rational, Taxonomy};
use crate::principle::{self, BuildError, Context, Kind, Missing, Parameters};
use crate::{Hierarchy, Principle};

/// How quasi-identifiers are generalized.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Generalization {
    /// Every attribute takes one level of its hierarchy, in the order of the table's quasi-identifiers.
    FullDomain {
        /// The levels; 0 is the raw value.
        levels: Vec<usize>,
        /// The tuples of the table in ascending order, some of them divided into several parts, so that single rows may be
        /// suppressed; `None` where every tuple stays whole.
        parts: Option<Vec<Part>>,
    },
    /// Every class has released values of its own.
    Classes(Classes),
}

impl Generalization {
    /// A level for each attribute, every tuple whole.
    pub fn of_levels(levels: Vec<usize>) -> Self {
        Self::FullDomain { levels, parts: None }
    }

    /// How tuples are divided; `None` where every tuple stays whole.
    pub fn parts(&self) -> Option<&[Part]> {
        match self {
            Self::FullDomain { parts, .. } | Self::Classes(Classes { parts, .. }) => {
                parts.as_deref()
            }
        }
    }
}

/// A proposal of a search: how tuples are generalized, and which are suppressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recoding {
    /// How the quasi-identifiers are generalized.
    pub generalization: Generalization,
    /// For each tuple of the frequency table (or for each part, where tuples are divided) whether its rows are suppressed.
    pub suppressed: Vec<bool>,
    /// What is released of a sensitive attribute, where that is generalized.
    pub sensitive: Option<SensitiveLabels>,
}

/// Whether a release tells its classes apart by a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClassColumn {
    /// It does not: rows with equal released values are one class (reading F-1).
    #[default]
    Absent,
    /// A column of class numbers is released: classes may have equal released values.
    Published,
}

/// What becomes of suppressed rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SuppressionRule {
    /// They are not written.
    Dropped,
    /// They are written with `*` for every quasi-identifier, and join the class of such rows.
    Starred,
    /// They are written with `*` for some quasi-identifiers, as few as will do. `*` is a value like others (reading S-1).
    Cells,
}

impl SuppressionRule {
    /// Whether suppressed rows are in the release.
    pub fn is_released(self) -> bool {
        self != Self::Dropped
    }
}

/// What the other sensitive attributes are to a principle on one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Others {
    /// Nothing that it looks at.
    #[default]
    Ignored,
    /// Something that an adversary may know: classes are subdivided by their values (l-diversity text, Definition 4.6).
    QuasiIdentifier,
}

impl Others {
    /// The word in a policy file.
    pub fn word(self) -> &'static str {
        match self {
            Others::Ignored => "ignored",
            Others::QuasiIdentifier => "quasi-identifier",
        }
    }

    /// What a word in a policy file means.
    pub fn of_word(word: &str) -> Option<Self> {
        [Others::Ignored, Others::QuasiIdentifier].into_iter().find(|others| others.word() == word)
    }
}

/// A principle of a policy, as the certificate names it.
#[derive(Debug, Clone)]
pub struct Requirement {
    /// Its name in the registry.
    pub kind: &'static str,
    /// The sensitive attribute, for the kinds that have one.
    pub attribute: Option<String>,
    /// The parameters as required, in the order of the registry.
    pub parameters: Parameters,
    /// What the other sensitive attributes are.
    pub others: Others,
    /// The principle.
    pub principle: Arc<dyn Principle>,
    /// The taxonomy of the sensitive attribute, where it has a hierarchy; for principles that are
    /// [judged on its nodes](crate::Principle::taxonomy) in any case, if only of the values and what covers all.
    pub taxonomy: Option<Arc<Taxonomy>>,
    /// What a missing value of the sensitive attribute is to principles on numbers.
    pub missing: Missing,
    /// Where people count and not rows: whose the rows are.
    pub people: Option<Arc<People>>,
    population: Option<Arc<Population>>,
}

impl Requirement {
    /// The same requirement on people in place of rows; `None` where its kind promises nothing of people with its
    /// parameters.
    pub fn of_people(self, people: Arc<People>) -> Option<Self> {
        let promises = principle::find(self.kind)?.promises_of_people(&self.parameters);
        (promises && self.others == Others::Ignored).then(|| Self { people: Some(people), ..self })
    }

    /// Whether a class of so many rows can meet it, as far as its size decides: no class of a table that it does not fit into can,
    /// whichever rows are suppressed.
    pub fn fits_into(&self, n_rows: u64) -> bool {
        self.principle.smallest_size() <= n_rows
    }

    /// Whether leaving out some rows of a class in which it fails never helps: only leaving out all of them does.
    pub fn fails_in_parts(&self) -> bool {
        // The others of a class hold without a part of it, and without some of its people's rows.
        self.others == Others::Ignored && self.people.is_none() && self.principle.fails_in_parts()
    }

    /// The same requirement under other parameters in its claims; what it is judged by does not change.
    pub fn stated_as(self, parameters: Parameters) -> Self {
        Self { parameters, ..self }
    }

    /// The requirement of a principle of the given kind, built for a table.
    ///
    /// # Errors
    /// [`BuildError`] if the parameters are wrong or the table does not fit.
    ///
    /// # Panics
    /// If the kind is about a sensitive attribute and the context names none.
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

    /// The same requirement for another table with the same attributes. What was taken from the first table stays as it
    /// was, such as the weights of values that occur there.
    ///
    /// # Errors
    /// [`BuildError`] if the other table does not fit.
    pub fn rebuilt(&self, table: &FrequencyTable) -> Result<Self, Vec<BuildError>> {
        let attribute = self.attribute.as_deref();
        let context = Context {
            table,
            attribute: attribute.and_then(|name| table.sensitive_index(name)),
            taxonomy: self.taxonomy.as_deref(),
            population: self.population.clone(),
            missing: self.missing,
        };
        let kind = principle::find(self.kind).expect("a requirement is of a kind of the registry");
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

/// Hierarchies, principles and the suppression limit that a release must meet; all valid for one frequency table.
#[derive(Debug, Clone)]
pub struct Policy {
    /// One for each quasi-identifier of the table, in its order.
    pub hierarchies: Vec<Hierarchy>,
    /// All must hold.
    pub requirements: Vec<Requirement>,
    /// The largest fraction of rows that may be suppressed, inclusive; in [0, 1].
    pub suppression_limit: Rational,
    /// What becomes of suppressed rows.
    pub suppressed: SuppressionRule,
    /// Whether a class column is released.
    pub published: ClassColumn,
}

impl Policy {
    /// The most rows of a table that may be suppressed. Exact.
    pub fn max_suppressed(&self, table: &FrequencyTable) -> u64 {
        max_suppressed(&self.suppression_limit, table.n_rows())
    }

    /// Whether that many of the table's rows may be suppressed. Exact.
    pub fn allows_suppressing(&self, n_suppressed: u64, table: &FrequencyTable) -> bool {
        n_suppressed <= self.max_suppressed(table)
    }
}

/// The most of `n_rows` that a limit, a fraction in [0, 1], allows to be suppressed. Exact.
pub fn max_suppressed(limit: &Rational, n_rows: u64) -> u64 {
    // A limit may have 30 digits: beyond 128 bits where there are many rows.
    let rows = BigInt::from(*limit.numer()) * n_rows / *limit.denom();
    u64::try_from(rows).map_or(0, |rows| rows.min(n_rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_many_digits_is_exact_on_many_rows() {
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
