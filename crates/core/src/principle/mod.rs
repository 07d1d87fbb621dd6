//! Privacy principles: from a class to the level that it reaches.
//!
//! One file each; [`REGISTRY`] lists them. Nothing outside a principle's own file matches on its name.

mod distinct_l_diversity;
mod entropy_l_diversity;
mod frequency_l_diversity;
mod k_anonymity;
mod level;
mod parameters;
mod recursive_diversity;

use std::fmt::Debug;

pub use level::{Bound, Level, Quantity, Relation};
pub use parameters::{ParameterError, ParameterKind, ParameterSpec, ParameterValue, Parameters};

use crate::model::ClassView;

/// All kinds of principle, in the order of the documentation. A new principle is one file and one line here.
pub static REGISTRY: &[&Kind] = &[
    &k_anonymity::KIND,
    &distinct_l_diversity::KIND,
    &frequency_l_diversity::KIND,
    &entropy_l_diversity::KIND,
    &recursive_diversity::KIND,
];

/// The kind with the given name in a policy file.
pub fn find(name: &str) -> Option<&'static Kind> {
    REGISTRY.iter().copied().find(|kind| kind.name == name)
}

/// A principle with its parameters.
pub trait Principle: Debug + Send + Sync {
    /// The level that a class reaches. Not called for an empty class.
    fn of_class(&self, class: &ClassView<'_>) -> Level;

    /// What the policy requires of each quantity of the level, in the same order.
    fn bounds(&self) -> &[Bound];

    /// A size below which no class can hold, for pruning; 1 if nothing is known.
    fn smallest_size(&self) -> u64 {
        1
    }

    /// Whether the union of two classes that hold holds as well.
    fn merging(&self) -> Merging;

    /// Whether the class could be partitioned so that every part holds.
    ///
    /// For principles that merging keeps, this is the principle itself.
    fn is_generalizable(&self, class: &ClassView<'_>) -> bool {
        debug_assert_eq!(self.merging(), Merging::Keeps, "others have a question of their own");
        self.of_class(class).meets(self.bounds())
    }
}

/// What merging two classes that satisfy a principle does to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merging {
    /// The union satisfies the principle.
    Keeps,
    /// The union may violate it.
    MayBreak,
}

/// What a principle is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The class as such (its size).
    Class,
    /// One sensitive attribute.
    SensitiveAttribute,
}

/// A kind of principle: what the policy file, the schema, the documentation and the certifier need to know of it.
#[derive(Debug)]
pub struct Kind {
    /// Name in a policy file, such as `k-anonymity`.
    pub name: &'static str,
    /// The definition in one sentence.
    pub definition: &'static str,
    /// What it is about.
    pub subject: Subject,
    /// Its parameters.
    pub parameters: &'static [ParameterSpec],
    /// Merging classes, as documentation.
    pub merging: Merging,
    /// What a table that satisfies it may still reveal.
    pub does_not_protect_against: &'static str,
    /// Where it is defined.
    pub source: &'static str,
    /// Reads the parameters; `attribute` is the index of the sensitive attribute in the table, for the kinds that have one.
    pub build: Build,
}

/// Makes a principle on the sensitive attribute with the given index, or says all that is wrong with its parameters.
pub type Build = fn(Option<usize>, &Parameters) -> Result<Box<dyn Principle>, Vec<ParameterError>>;

/// The histogram that a principle on sensitive attribute `attribute` looks at.
fn histogram<'a>(class: &ClassView<'a>, attribute: usize) -> crate::model::Histogram<'a> {
    class.histograms[attribute]
}
