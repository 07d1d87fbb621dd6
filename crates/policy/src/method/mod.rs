//! The methods as far as a policy is concerned: names, keys, capabilities, and incompatible settings.
//!
//! One file for each method, one line in [`REGISTRY`]. How a method proposes a recoding is defined in
//! `crates/methods`. [`PolicyFile::parse_with`](crate::PolicyFile::parse_with) accepts further methods.

mod anatomy;
mod check;
mod curve;
mod full_domain;
mod invariant;
mod masking;
mod microaggregation;
mod multidimensional;
mod perturbation;
mod planned;
mod sweep;

pub use anatomy::ANATOMY;
pub use check::Check;
pub(crate) use check::refuse_cells;
pub use curve::CURVE;
pub use full_domain::FULL_DOMAIN;
pub use invariant::INVARIANT;
pub use masking::MASKING;
pub use microaggregation::MICROAGGREGATION;
pub use multidimensional::MULTIDIMENSIONAL;
pub use perturbation::PERTURBATION;
pub use planned::PLANNED;
pub use sweep::SWEEP;

use indistinct_core::Status;

use super::words::ExplainedWord;

/// A method, as far as a policy is concerned.
pub type Method = &'static MethodKind;

/// All methods, in the order of the documentation. The first is the default.
pub static REGISTRY: &[Method] = &[
    &FULL_DOMAIN,
    &MULTIDIMENSIONAL,
    &CURVE,
    &MICROAGGREGATION,
    &SWEEP,
    &ANATOMY,
    &PERTURBATION,
    &MASKING,
    &PLANNED,
    &INVARIANT,
];

/// The properties of a method that concern a policy.
#[derive(Debug)]
pub struct MethodKind {
    /// Its name in a policy file.
    pub name: &'static str,
    /// What it does, for the documentation and the schema.
    pub summary: &'static str,
    /// Whether it is stable.
    pub status: Status,
    /// Of the keys of `[recoding]` for certain methods only, those that it reads.
    pub keys: &'static [&'static str],
    /// Of the keys of `[recoding]` on loss and suppression, those that it ignores: their defaults apply.
    pub ignores: &'static [&'static str],
    /// How it releases quasi-identifiers.
    pub quasi_identifiers: QuasiIdentifiers,
    /// How a release is read back.
    pub form: Form,
    /// The default name of the class column, if the method needs one.
    pub class_column: Option<&'static str>,
    /// Whether it works with a ledger of earlier releases.
    pub ledger: InLedger,
    /// What it counts in a class.
    pub counts: Counts,
    /// What it can suppress.
    pub suppresses: Suppresses,
    /// Reports missing and incompatible settings of a policy, as far as possible without the table.
    pub check: fn(&mut Check<'_>),
}

/// What a method does with quasi-identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuasiIdentifiers {
    /// All values of one go to the same level of its hierarchy.
    ByLevel,
    /// Every class has released values of its own.
    ByClass,
    /// They are released unchanged, regardless of their hierarchies.
    Untouched,
}

/// What a method counts in a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// Rows. It does not support `[people]`.
    Rows,
    /// Rows, and people if a person may have several rows.
    RowsAndPeople,
}

/// What a method can suppress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suppresses {
    /// Rows.
    Rows,
    /// Rows, or single cells of them.
    RowsOrCells,
}

/// How the files of a release are read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One table, whose rows determine the classes.
    Rows,
    /// Quasi-identifiers in one table and sensitive values in another; the number of the class joins them.
    TwoTables,
    /// One table whose sensitive values are original with a stated probability only.
    Perturbed,
    /// One table whose classes are those of a plan, which is released with it.
    Planned,
    /// A version of a growing table, with counterfeit rows.
    Versions,
    /// One table, some of whose columns contain the centers of classes.
    Centers,
    /// One table with masked quasi-identifiers, which claims no principle.
    Masked,
}

/// Whether a method works with a ledger of earlier releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InLedger {
    /// Its releases cannot be linked with others.
    Refused,
    /// Its releases can be created with a ledger or without.
    Optional,
    /// It creates versions of a growing table: the ledger stores the people of earlier versions.
    Series,
}

impl PartialEq for MethodKind {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for MethodKind {}

impl MethodKind {
    /// A method that publishes plain rows, in classes with released values of their own, and reads no key of its own: the base
    /// of all kinds.
    pub const ROWS: Self = Self {
        name: "",
        summary: "",
        status: Status::Stable,
        keys: &[],
        ignores: &[],
        quasi_identifiers: QuasiIdentifiers::ByClass,
        form: Form::Rows,
        class_column: None,
        ledger: InLedger::Optional,
        counts: Counts::Rows,
        suppresses: Suppresses::Rows,
        check: |_| {},
    };

    /// Whether quasi-identifiers are released unchanged, regardless of their hierarchies.
    pub fn keeps_quasi_identifiers(&self) -> bool {
        self.quasi_identifiers == QuasiIdentifiers::Untouched
    }

    /// Whether `max_level` of a quasi-identifier has an effect: unchanged values and centers have no level.
    pub fn follows_max_level(&self) -> bool {
        !self.keeps_quasi_identifiers() && self.form != Form::Centers
    }

    /// Whether weights of quasi-identifiers have an effect: unchanged values lose nothing.
    pub fn weighs_quasi_identifiers(&self) -> bool {
        !self.keeps_quasi_identifiers() || self.form == Form::Masked
    }

    /// Whether a key of `[recoding]` for certain methods only has an effect with this one.
    pub fn reads(&self, key: &str) -> bool {
        self.keys.contains(&key)
    }

    /// Whether it may generalize sensitive values.
    pub fn generalizes_sensitive_values(&self) -> bool {
        self.reads("value_selection")
    }

    /// The keys of `[recoding]` that have no effect with this method.
    pub fn keys_without_effect(&self) -> impl Iterator<Item = &'static str> {
        let mut of_some: Vec<&str> = REGISTRY.iter().flat_map(|it| it.keys).copied().collect();
        of_some.sort_unstable();
        of_some.dedup();
        of_some.retain(|key| !self.reads(key));
        of_some.into_iter().chain(self.ignores.iter().copied())
    }
}

/// The names of methods with their summaries.
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
