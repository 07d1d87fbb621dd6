//! The names, keys, capabilities, and incompatible settings of all methods.
//!
//! Each method has one file (or one entry below, if any other setting is compatible with it) and
//! one line in [`REGISTRY`]. How a method proposes a recoding is
//! defined in `crates/methods`. [`PolicyFile::parse_with`](crate::PolicyFile::parse_with) accepts
//! further methods.

mod anatomy;
mod check;
mod invariant;
mod masking;
mod microaggregation;
mod partition;
mod perturbation;
mod planned;
mod sweep;

pub use anatomy::ANATOMY;
pub use check::Check;
pub(crate) use check::refuse_cells;
pub use invariant::INVARIANT;
pub use masking::MASKING;
pub use microaggregation::MICROAGGREGATION;
pub use partition::{MOST_REFUSALS, PARTITION, REFUSES_ONE_IN, order_of_divisions};
pub use perturbation::PERTURBATION;
pub use planned::PLANNED;
pub use sweep::SWEEP;

use indistinct_core::{Rational, Status};

use super::words::ExplainedWord;

/// A reference to the static description of a method.
pub type Method = &'static MethodKind;

/// All methods, in the order of the documentation. The first method is the default.
pub static REGISTRY: &[Method] = &[
    &FULL_DOMAIN,
    &MULTIDIMENSIONAL,
    &CURVE,
    &PARTITION,
    &MICROAGGREGATION,
    &SWEEP,
    &ANATOMY,
    &PERTURBATION,
    &MASKING,
    &PLANNED,
    &INVARIANT,
];

/// The properties of a method that are relevant to a policy.
#[derive(Debug)]
pub struct MethodKind {
    /// The name of the method in a policy file.
    pub name: &'static str,
    /// A summary of the method, for the documentation and the schema.
    pub summary: &'static str,
    /// Whether the method is stable or experimental.
    pub status: Status,
    /// The method-specific keys of `[recoding]` that the method supports.
    pub keys: &'static [&'static str],
    /// The keys of `[recoding]` about loss and suppression that the method ignores. Their defaults
    /// apply instead.
    pub ignores: &'static [&'static str],
    /// How the method releases quasi-identifiers.
    pub quasi_identifiers: QuasiIdentifiers,
    /// What the choice of the labels of a class states about its rows.
    pub labels: ClassLabels,
    /// Whether the method usually assigns each row to the class with the lowest loss that fits the
    /// row, if merging preserves all principles.
    pub prefers_cheapest_classes: bool,
    /// The form of the files of a release.
    pub form: Form,
    /// The default name of the class column, if the method requires such a column.
    pub class_column: Option<&'static str>,
    /// Whether the method can be used with a ledger of earlier releases.
    pub ledger: InLedger,
    /// Whether the method counts only rows, or both rows and people, in a class.
    pub counts: Counts,
    /// Whether the method can suppress only whole rows, or also single cells.
    pub suppresses: Suppresses,
    /// Reports all missing and incompatible settings of a policy that can be found without the
    /// table.
    pub check: fn(&mut Check<'_>),
}

/// How a method releases quasi-identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuasiIdentifiers {
    /// All values of a quasi-identifier are generalized to the same level of its hierarchy.
    ByLevel,
    /// Every class has its own released values.
    ByClass,
    /// Quasi-identifiers are released unchanged, regardless of their hierarchies.
    Untouched,
}

/// What the choice of the labels of a class states about the rows of the class. The attack
/// `refinement` uses this, so it must hold for every class of every release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassLabels {
    /// The labels may be wider than required.
    Any,
    /// Every class has the narrowest labels (or ranges and sets) that cover its rows, unless rows
    /// are counted by person, single cells are suppressed, or the classes of an earlier release
    /// are used.
    Narrowest,
    /// Every class has the narrowest labels that cover its rows, or a random refusal kept a wider
    /// label, with at least this probability for each label.
    UsuallyNarrowest(Rational),
}

/// Whether a method counts only rows, or both rows and people, in a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// The method counts only rows. It does not support `[people]`.
    Rows,
    /// The method counts rows and, if a person can have several rows, also people.
    RowsAndPeople,
}

/// Whether a method can suppress only whole rows, or also single cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suppresses {
    /// The method can suppress only whole rows.
    Rows,
    /// The method can suppress whole rows or single cells.
    RowsOrCells,
}

/// The form of the files of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One table. Its rows determine the classes.
    Rows,
    /// One table with quasi-identifiers and one table with sensitive values, which the class number
    /// joins.
    TwoTables,
    /// One table in which each sensitive value is the original value only with a published
    /// probability.
    Perturbed,
    /// One table with the classes of a plan. The plan is released with the table.
    Planned,
    /// A version of a growing table, with counterfeit rows.
    Versions,
    /// One table in which some columns contain the centers of classes.
    Centers,
    /// One table with masked quasi-identifiers. The release does not claim to satisfy any
    /// principle.
    Masked,
    /// One table whose classes are regions of the published hierarchies.
    Regions,
}

/// Whether a method can be used with a ledger of earlier releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InLedger {
    /// Releases that the method creates cannot be linked with other releases.
    Refused,
    /// The method can create releases with or without a ledger.
    Optional,
    /// The method creates versions of a growing table, and the ledger stores the people of earlier
    /// versions.
    Series,
}

impl PartialEq for MethodKind {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for MethodKind {}

impl MethodKind {
    /// The default properties: the method publishes plain rows in classes with their own released
    /// values, and has no method-specific keys.
    pub const ROWS: Self = Self {
        name: "",
        summary: "",
        status: Status::Stable,
        keys: &[],
        ignores: &[],
        quasi_identifiers: QuasiIdentifiers::ByClass,
        labels: ClassLabels::Any,
        prefers_cheapest_classes: false,
        form: Form::Rows,
        class_column: None,
        ledger: InLedger::Optional,
        counts: Counts::Rows,
        suppresses: Suppresses::Rows,
        check: |_| {},
    };

    /// Returns whether quasi-identifiers are released unchanged, regardless of their hierarchies.
    pub fn keeps_quasi_identifiers(&self) -> bool {
        self.quasi_identifiers == QuasiIdentifiers::Untouched
    }

    /// Returns whether `max_level` of a quasi-identifier has an effect. Unchanged values and
    /// centers do not have levels.
    pub fn follows_max_level(&self) -> bool {
        !self.keeps_quasi_identifiers() && self.form != Form::Centers
    }

    /// Returns whether weights of quasi-identifiers have an effect. Unchanged values have no loss
    /// that weights could change.
    pub fn weighs_quasi_identifiers(&self) -> bool {
        !self.keeps_quasi_identifiers() || self.form == Form::Masked
    }

    /// Returns whether the method supports the given method-specific key of `[recoding]`.
    pub fn reads(&self, key: &str) -> bool {
        self.keys.contains(&key)
    }

    /// Returns whether the method can generalize sensitive values.
    pub fn generalizes_sensitive_values(&self) -> bool {
        self.reads("value_selection")
    }

    /// Returns the keys of `[recoding]` that have no effect with this method.
    pub fn keys_without_effect(&self) -> impl Iterator<Item = &'static str> {
        let mut of_some: Vec<&str> = REGISTRY.iter().flat_map(|it| it.keys).copied().collect();
        of_some.sort_unstable();
        of_some.dedup();
        of_some.retain(|key| !self.reads(key));
        of_some.into_iter().chain(self.ignores.iter().copied())
    }
}

/// The method that generalizes each attribute to a single level.
pub static FULL_DOMAIN: MethodKind = MethodKind {
    name: "full-domain",
    summary: "All values of an attribute are generalized to the same level of its hierarchy. The \
              search finds the best combination of levels.",
    quasi_identifiers: QuasiIdentifiers::ByLevel,
    counts: Counts::RowsAndPeople,
    suppresses: Suppresses::RowsOrCells,
    ..MethodKind::ROWS
};

/// The method that divides the table into regions or recodes single records.
pub static MULTIDIMENSIONAL: MethodKind = MethodKind {
    name: "multidimensional",
    summary: "Every class has its own generalized values. Classes are regions of the table, or are \
              formed record by record if this lowers the loss.",
    keys: &["generalize_to", "split"],
    labels: ClassLabels::Narrowest,
    prefers_cheapest_classes: true,
    counts: Counts::RowsAndPeople,
    suppresses: Suppresses::RowsOrCells,
    ..MethodKind::ROWS
};

/// The method that forms classes of neighboring rows along a Hilbert curve.
pub static CURVE: MethodKind = MethodKind {
    name: "curve",
    summary: "Rows that are close to each other on a Hilbert curve through the quasi-identifiers \
              form a class.",
    keys: &["generalize_to"],
    labels: ClassLabels::Narrowest,
    ..MethodKind::ROWS
};

/// Returns the names and the summaries of methods.
pub(crate) fn words(methods: &[Method]) -> Vec<ExplainedWord> {
    methods
        .iter()
        .map(|method| ExplainedWord {
            word: method.name,
            doc: method.summary,
            status: method.status,
        })
        .collect()
}
