//! The methods, as far as a policy knows them: name, keys, what they can do for whom, and which policies they refuse.
//!
//! How a method proposes a recoding is not known here. One file for each method, one line in [`REGISTRY`]; a caller may give
//! [`PolicyFile::parse_with`](crate::PolicyFile::parse_with) further ones.

mod anatomy;
mod check;
mod curve;
mod full_domain;
mod invariant;
mod microaggregation;
mod multidimensional;
mod noise;
mod perturbation;
mod planned;
mod sweep;

pub use anatomy::ANATOMY;
pub use check::Check;
pub(crate) use check::refuse_cells;
pub use curve::CURVE;
pub use full_domain::FULL_DOMAIN;
pub use invariant::INVARIANT;
pub use microaggregation::MICROAGGREGATION;
pub use multidimensional::MULTIDIMENSIONAL;
pub use noise::NOISE;
pub use perturbation::PERTURBATION;
pub use planned::PLANNED;
pub use sweep::SWEEP;

use super::words::ExplainedWord;

/// A method, by what a policy knows of it.
pub type Method = &'static MethodKind;

/// All methods, in the order of the documentation. The first is the one that is taken where a policy names none.
pub static REGISTRY: &[Method] = &[
    &FULL_DOMAIN,
    &MULTIDIMENSIONAL,
    &CURVE,
    &MICROAGGREGATION,
    &SWEEP,
    &ANATOMY,
    &PERTURBATION,
    &NOISE,
    &PLANNED,
    &INVARIANT,
];

/// What a policy knows of a method.
#[derive(Debug)]
pub struct MethodKind {
    /// Its name in a policy file.
    pub name: &'static str,
    /// What it does, for the documentation and the schema.
    pub summary: &'static str,
    /// Of the keys of `[recoding]` that belong to some methods only, those that it reads.
    pub keys: &'static [&'static str],
    /// Of the keys of `[recoding]` on what is lost and suppressed, those that it does not read: then their defaults count.
    pub ignores: &'static [&'static str],
    /// What becomes of quasi-identifiers.
    pub quasi_identifiers: QuasiIdentifiers,
    /// How a release is read back.
    pub form: Form,
    /// The name of the class column where the policy gives none and the method needs one.
    pub class_column: Option<&'static str>,
    /// What it has to do with a ledger of earlier releases.
    pub ledger: InLedger,
    /// What it counts in a class.
    pub counts: Counts,
    /// What it can suppress.
    pub suppresses: Suppresses,
    /// Reports what is missing in a policy, and what it cannot guarantee or follow: all that can be seen without the table.
    pub check: fn(&mut Check<'_>),
}

/// What a method does with quasi-identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuasiIdentifiers {
    /// All values of one go to the same level of its hierarchy.
    ByLevel,
    /// Every class has released values of its own.
    ByClass,
    /// They are released as they are, whatever their hierarchies say.
    Untouched,
}

/// What a method counts in a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// Rows: it serves no policy that asks for people.
    Rows,
    /// People too, where a person may have several rows.
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
    /// One table, whose rows tell the classes.
    Rows,
    /// Quasi-identifiers in one table and sensitive values in another; the number of the class joins them.
    TwoTables,
    /// One table whose sensitive values are true with a stated probability only.
    Noisy,
    /// One table whose classes are those of a plan, which lies beside it.
    Planned,
    /// A version of a growing table, with rows without a person.
    Versions,
    /// One table, in some of whose columns stand the centers of classes.
    Centers,
    /// One table with noise in quasi-identifiers, which claims no principle.
    Masked,
}

/// What a method has to do with a ledger of earlier releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InLedger {
    /// Its releases cannot be linked with others.
    Refused,
    /// Its releases can be made with a ledger or without.
    Optional,
    /// It makes versions of a growing table: the ledger knows who was in the earlier ones.
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

    /// Whether quasi-identifiers are released as they are, whatever their hierarchies say.
    pub fn keeps_quasi_identifiers(&self) -> bool {
        self.quasi_identifiers == QuasiIdentifiers::Untouched
    }

    /// Whether a largest level of a quasi-identifier has an effect: where they stay as they are none is taken, and centers have none.
    pub fn follows_max_level(&self) -> bool {
        !self.keeps_quasi_identifiers() && self.form != Form::Centers
    }

    /// Whether weights of quasi-identifiers count: where they stay as they are, nothing is lost of them.
    pub fn weighs_quasi_identifiers(&self) -> bool {
        !self.keeps_quasi_identifiers() || self.form == Form::Masked
    }

    /// Whether a key of `[recoding]` that belongs to some methods only has an effect with this one.
    pub fn reads(&self, key: &str) -> bool {
        self.keys.contains(&key)
    }

    /// Whether it may generalize sensitive values.
    pub fn generalizes_sensitive_values(&self) -> bool {
        self.reads("choice")
    }

    /// Which keys of `[recoding]` have no effect with this method.
    pub fn keys_without_effect(&self) -> impl Iterator<Item = &'static str> {
        let mut of_some: Vec<&str> = REGISTRY.iter().flat_map(|it| it.keys).copied().collect();
        of_some.sort_unstable();
        of_some.dedup();
        of_some.retain(|key| !self.reads(key));
        of_some.into_iter().chain(self.ignores.iter().copied())
    }
}

/// The names of methods with what they do.
pub(crate) fn words(methods: &[Method]) -> Vec<ExplainedWord> {
    methods.iter().map(|method| ExplainedWord { word: method.name, doc: method.summary }).collect()
}
