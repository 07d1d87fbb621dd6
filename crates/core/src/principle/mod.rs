//! Privacy principles, which are functions that map an equivalence class to the level that the
//! class reaches.
//!
//! Each principle has its own file, and [`REGISTRY`] lists all of them. Only that file matches on
//! the name of the principle.
//!
//! Because a policy is checked before its table is read, a principle is built in two steps:
//! [`Kind::check`] requires only the parameters, and [`Kind::build`] also requires the [`Context`]
//! of a table.

#[macro_use]
mod parameters;

mod alpha_k_anonymity;
mod bayes_optimal_privacy;
mod beta_likeness;
mod by_people;
mod c_k_safety;
mod context;
mod delta_disclosure;
mod delta_l_diversity;
mod delta_presence;
mod distinct_l_diversity;
mod e1_e2_m_anonymity;
mod entropy_l_diversity;
mod epsilon_m_anonymity;
mod frequency_l_diversity;
mod induced;
mod k_anonymity;
mod k_e_anonymity;
mod level;
mod m_invariance;
mod neighborhoods_m_anonymity;
mod promise;
pub mod proximity;
mod recursive_diversity;
mod shares;
mod t_closeness;
mod tau_l_diversity;
mod variance_control;

use std::fmt::Debug;

pub use alpha_k_anonymity::alpha_k_anonymity;
pub(crate) use by_people::ByPeople;
pub use context::{BuildError, BuildWarning, Context, DataError, Missing};
pub use distinct_l_diversity::{distinct_l, distinct_l_diversity};
pub use entropy_l_diversity::{AdjustedEntropy, adjust, entropy_l_diversity};
pub use frequency_l_diversity::frequency_l_diversity;
pub use induced::{
    Growth, InducedValues, Limit, Whole, WholeWeights, limits_of_psi, psi, whole_weights,
};
pub use k_anonymity::k_anonymity;
pub use k_e_anonymity::k_e_anonymity;
pub use level::{Bound, Level, Quantity, Relation};
pub use m_invariance::{AcrossVersions, NAME as M_INVARIANCE, across_versions, invariant_m};
pub use parameters::{
    NumberRange, ParameterError, ParameterKind, ParameterSpec, ParameterValue, Parameters, Presence,
};
pub use promise::{Companion, Condition, OfPeople, Phrase, StatedValue};
pub use proximity::Assignment;
pub use recursive_diversity::recursive_diversity;
pub use t_closeness::t_closeness;
pub use tau_l_diversity::{RequiredShares, Weights, required_shares};
pub use variance_control::variance_control;

use crate::model::{ClassView, CountedColumn, Histogram, Numbers, Population, Taxonomy, to_f64};
use crate::recoding::Others;
use crate::{Rational, Status};
use promise::always;

/// All kinds of principles, in the order of the documentation. To add a principle, add a file and a
/// line in this list.
pub static REGISTRY: &[&Kind] = &[
    &k_anonymity::KIND,
    &distinct_l_diversity::KIND,
    &frequency_l_diversity::KIND,
    &entropy_l_diversity::KIND,
    &recursive_diversity::KIND,
    &alpha_k_anonymity::KIND,
    &c_k_safety::KIND,
    &k_e_anonymity::KIND,
    &variance_control::KIND,
    &t_closeness::KIND,
    &beta_likeness::KIND,
    &delta_disclosure::KIND,
    &bayes_optimal_privacy::KIND,
    &delta_presence::KIND,
    &epsilon_m_anonymity::KIND,
    &e1_e2_m_anonymity::KIND,
    &neighborhoods_m_anonymity::KIND,
    &delta_l_diversity::KIND,
    &tau_l_diversity::KIND,
    &m_invariance::KIND,
];

/// The additional parameter of every kind on a sensitive attribute. This parameter belongs to the
/// [`Requirement`](crate::Requirement), not to the principle.
pub const OTHERS: ParameterSpec = parameters! {
    /// how to treat other sensitive attributes: with "quasi-identifier", the adversary may know
    /// them, so classes are subdivided by their values (l-diversity paper, Definition 4.6)
    "other_sensitive" => Word { one_of: Others::NAMES }, Default("ignored");
}[0];

/// The name of the parameter that lists the sensitive values that may be disclosed.
const DONT_CARE: &str = "dont_care";

/// Returns the kind with the given name in a policy file.
pub fn find(name: &str) -> Option<&'static Kind> {
    REGISTRY.iter().copied().find(|kind| kind.name == name)
}

/// Returns the class size that a policy requires with this principle, or `None` if the principle
/// does not require a class size.
pub fn required_size(kind: &Kind, parameters: &Parameters) -> Option<u64> {
    kind.size.map(|name| parameters.whole(name))
}

/// Returns the requirement on close numbers for a principle with a [`Principle::proximity`], which
/// noise on sensitive values can satisfy. Returns `None` for all other principles.
pub fn required_of_noise(kind: &Kind, parameters: &Parameters) -> Option<proximity::NearnessBound> {
    (kind.near)(parameters)
}

/// A principle with its parameters.
pub trait Principle: Debug + Send + Sync {
    /// Returns the level that a class reaches.
    ///
    /// The class is empty only for principles on a population, because a class of the population
    /// may have no row in the table.
    fn of_class(&self, class: &ClassView<'_>) -> Level;

    /// Returns the level that a class reaches if people are counted instead of rows (reading H-1),
    /// for kinds that [make a promise](OfPeople) about people. The size of the class is its number
    /// of people, and the count of a sensitive value is the number of people who have the value in
    /// some row. The counts may therefore add up to more than the size.
    fn of_people(&self, class: &ClassView<'_>) -> Level {
        self.of_class(class)
    }

    /// Returns whether the union of two classes satisfies the principle for people if both classes
    /// satisfy it and have no person in common.
    fn merging_of_people(&self) -> Merging {
        self.merging()
    }

    /// Returns the requirement on each quantity of the level, in the order of the quantities.
    fn bounds(&self) -> &[Bound];

    /// Returns a lower bound on the size of a class that satisfies the principle, for pruning.
    /// Returns 1 if no bound is known.
    fn smallest_size(&self) -> u64 {
        1
    }

    /// Returns whether the union of two classes that satisfy the principle also satisfies the
    /// principle. In debug builds, [`Kind::build`] compares the result with the registry entry.
    fn merging(&self) -> Merging {
        Merging::Keeps
    }

    /// Returns whether no part of a failing class satisfies the principle, so suppressing only some
    /// of its rows never helps (test `parts_of_failing_classes_fail`). Returns `false` if this is
    /// unknown.
    fn fails_in_parts(&self) -> bool {
        false
    }

    /// Returns an upper bound on the level of the worst part of any partition of the given rows,
    /// separately for each quantity. The bound is proved (test
    /// `no_partition_exceeds_reachable_bound`), but a partition that reaches it need not exist. A
    /// quantity without a proven bound is [`Quantity::Undefined`].
    ///
    /// For principles that are preserved when classes are merged, the bound is the level of a
    /// single class that contains all rows.
    fn upper_bound(&self, rows: &ClassView<'_>) -> Level {
        debug_assert_eq!(
            self.merging(),
            Merging::Keeps,
            "principles that merging may break need their own upper bound"
        );
        self.of_class(rows)
    }

    /// Returns the best level that a known partition of the given rows reaches. A better level may
    /// exist, up to [`Principle::upper_bound`].
    fn shown_reachable(&self, rows: &ClassView<'_>) -> Level {
        debug_assert_eq!(
            self.merging(),
            Merging::Keeps,
            "principles that merging may break need their own partition"
        );
        self.of_class(rows)
    }

    /// Returns whether it is proved that no partition of the class has only parts that satisfy the
    /// principle (test `excluded_class_has_no_valid_partition`).
    fn is_ruled_out(&self, class: &ClassView<'_>) -> bool {
        !self.upper_bound(class).meets(self.bounds())
    }

    /// Returns a partition of the class in which every part satisfies the principle, or `None` if
    /// no such partition is known. `None` is not a proof that no such partition exists; see
    /// [`Principle::is_ruled_out`].
    fn partition(&self, class: &ClassView<'_>) -> Option<Assignment> {
        debug_assert_eq!(
            self.merging(),
            Merging::Keeps,
            "principles that merging may break need their own partition"
        );
        self.of_class(class).meets(self.bounds()).then_some(Assignment { n_buckets: 1 })
    }

    /// Returns the data that the level of a class depends on in addition to the rows of the class.
    fn depends_on(&self) -> DependsOn {
        DependsOn::Class
    }

    /// Returns the same principle for other released rows, for principles that [depend on
    /// them](DependsOn::ReleasedRows), and `None` for all other principles. `released` has one
    /// histogram of all released rows for each sensitive attribute.
    ///
    /// A newly built principle assumes that the whole table is released.
    fn against(&self, released: &[Histogram<'_>]) -> Option<Box<dyn Principle>> {
        let _ = released;
        None
    }

    /// Returns the same principle for other released people, for principles that [depend on
    /// released rows](DependsOn::ReleasedRows) and make a promise about people, and `None` for all
    /// other principles. `released` contains all released people, counted as in
    /// [`Principle::of_people`], which is only called on the result.
    fn against_people(&self, released: &ClassView<'_>) -> Option<Box<dyn Principle>> {
        let _ = released;
        None
    }

    /// Returns the same principle for a release with these classes, for principles that [depend on
    /// them](DependsOn::ReleasedClasses), and `None` for all other principles. `classes` has one
    /// histogram of each sensitive attribute for each class.
    ///
    /// A newly built principle is satisfied only by classes that satisfy it among any other classes
    /// with this property.
    fn among(&self, classes: &[Vec<Histogram<'_>>]) -> Option<Box<dyn Principle>> {
        let _ = classes;
        None
    }

    /// Returns the taxonomy of the sensitive attribute, for principles that are evaluated on the
    /// nodes of a taxonomy, including generalized values. This is the declared taxonomy, or a root
    /// above the values. Principles that require original values return `None`, because they would
    /// wrongly count a generalized value as an additional value.
    fn taxonomy(&self) -> Option<&Taxonomy> {
        None
    }

    /// Returns whether the principle limits the frequency of the sensitive value with the given
    /// code. Some policies list values that may be disclosed, or the only values that must not be
    /// disclosed.
    fn limits(&self, code: u32) -> bool {
        let _ = code;
        false
    }

    /// Returns the population for [`ClassView::population`], if the principle counts people of a
    /// population.
    fn population(&self) -> Option<&Population> {
        None
    }

    /// Returns the requirement of the principle on close numbers, even if it has other
    /// requirements. Returns `None` for principles that only compare values for equality.
    fn near(&self) -> Option<proximity::NearnessBound> {
        None
    }

    /// Returns the requirement of the principle on the shares of base values, with the weights of
    /// the base values in this table. Returns `None` for principles without base values.
    fn shares(&self) -> Option<RequiredShares> {
        None
    }

    /// Returns the value of l for which the level is computed, for principles whose l is not a
    /// quantity of their level.
    fn at_l(&self) -> Option<crate::Rational> {
        None
    }

    /// For principles without other requirements, which sensitive values count as the same and how
    /// frequent they may be. Only these principles can be satisfied by
    /// [perturbation](crate::recoding::perturbation).
    fn proximity(&self) -> Option<proximity::Limit<'_>> {
        None
    }

    /// Returns the parameters with which others can check a release, including all values that were
    /// derived from the table.
    fn effective_parameters(&self, stated: &Parameters) -> Parameters {
        stated.clone()
    }
}

/// The effect of merging two classes that satisfy a principle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merging {
    /// The union satisfies the principle.
    Keeps,
    /// The union may violate the principle.
    MayBreak,
}

/// The data that the level of a class depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DependsOn {
    /// Only the rows of the class.
    Class,
    /// The level depends on all released rows, so suppressing rows of other classes changes it.
    ReleasedRows,
    /// The level depends on the sensitive values of the other released classes. Suppressing or
    /// merging whole classes never makes the level of the release worse.
    ReleasedClasses,
    /// The rows of the class, and the people in a population table with the same released
    /// quasi-identifiers.
    Population,
}

/// The subject of a principle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The class itself (its size).
    Class,
    /// One sensitive attribute.
    SensitiveAttribute,
    /// The class as part of a population.
    Population,
}

type Build = fn(&Context<'_>, &Parameters) -> Result<Box<dyn Principle>, DataError>;

/// A kind of principle, with the data that the policy file, the schema, the documentation, and the
/// certifier need.
#[derive(Debug)]
pub struct Kind {
    /// Name in a policy file, such as `k-anonymity`.
    pub name: &'static str,
    /// The definition in one sentence.
    pub definition: &'static str,
    /// The guarantee, with placeholders for the parameters.
    pub promise: &'static [Phrase],
    /// The guarantee for people, each of whom can have several rows.
    pub of_people: OfPeople,
    /// The subject of the principle.
    pub subject: Subject,
    /// The parameters of the principle.
    pub parameters: &'static [ParameterSpec],
    /// A function that returns errors in combinations of parameters that are individually valid.
    pub check_together: fn(&Parameters) -> Vec<ParameterError>,
    /// A description of the level, with the names of its quantities.
    pub level: &'static str,
    /// The quantities of the level for which smaller values are safer; for all other quantities,
    /// larger values are safer.
    pub safer_below: &'static [&'static str],
    /// The quantities of the level that are shown next to a parameter with a different name.
    pub companions: &'static [Companion],
    /// The effect of merging classes, for at least some values of the parameters.
    pub merging: Merging,
    /// Conditions on the parameters. If all conditions hold, merging preserves the principle. The
    /// list is empty if merging may break the principle for all parameters.
    pub merging_keeps_when: &'static [Condition],
    /// Whether the principle is stable or experimental.
    pub status: Status,
    /// What a table that satisfies the principle may still reveal.
    pub does_not_protect_against: &'static str,
    /// The publication that defines the principle.
    pub source: &'static str,
    /// The readings of papers on which the principle is based (`docs/readings.md`).
    pub readings: &'static [&'static str],
    /// The name of the parameter for the required number of rows in a class, if any.
    size: Option<&'static str>,
    /// A function that returns the limit on rows with similar sensitive values, if the parameters
    /// require such a limit.
    near: fn(&Parameters) -> Option<proximity::NearnessBound>,
    build: Build,
}

impl Kind {
    /// Returns a base for all kinds, with one sensitive attribute and no guarantee.
    const fn base(build: Build) -> Self {
        Self {
            name: "",
            definition: "",
            promise: &[],
            of_people: OfPeople::Nothing(""),
            subject: Subject::SensitiveAttribute,
            parameters: &[],
            check_together: nothing_together,
            level: "",
            safer_below: &[],
            companions: &[],
            merging: Merging::MayBreak,
            merging_keeps_when: &[],
            status: Status::Stable,
            does_not_protect_against: "",
            source: "",
            readings: &[],
            size: None,
            near: |_| None,
            build,
        }
    }

    /// Checks the parameters without a table.
    ///
    /// # Errors
    /// Returns all [`ParameterError`]s.
    pub fn check(&'static self, parameters: &Parameters) -> Result<(), Vec<ParameterError>> {
        let mut errors = Vec::new();
        parameters::check_all(self.name, self.parameters, &parameters.0, &mut errors);
        if errors.is_empty() {
            errors = (self.check_together)(parameters);
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Returns whether the principle guarantees anything for people if it has these parameters.
    pub fn promises_of_people(&self, parameters: &Parameters) -> bool {
        let holds = |when: &Condition| when.holds(self.parameters, |name| parameters.stated(name));
        self.of_people.phrases().iter().any(|phrase| phrase.when.iter().all(holds))
    }

    /// Builds the principle for a table.
    ///
    /// # Errors
    /// Returns all [`ParameterError`]s. If there are none, returns the reason why the principle
    /// cannot be used on this table.
    ///
    /// # Panics
    /// Panics if the kind requires a sensitive attribute and the context has none.
    pub fn build(
        &'static self,
        context: &Context<'_>,
        parameters: &Parameters,
    ) -> Result<Box<dyn Principle>, Vec<BuildError>> {
        self.check(parameters)
            .map_err(|errors| errors.into_iter().map(BuildError::Parameter).collect::<Vec<_>>())?;
        let built = (self.build)(context, parameters);
        let agrees = |bound: &Bound| {
            (bound.relation != Relation::AtLeast) == self.safer_below.contains(&bound.name)
        };
        debug_assert!(built.iter().all(|it| it.bounds().iter().all(agrees)), "{}", self.name);
        built.map_err(|error| vec![BuildError::Data(error)])
    }

    /// Returns the effect of merging classes with these parameters, the same as
    /// [`Principle::merging`] of the built principle.
    pub fn merging_with(&self, parameters: &Parameters) -> Merging {
        let conditions = self.merging_keeps_when;
        let holds = |when: &Condition| when.holds(self.parameters, |name| parameters.stated(name));
        match !conditions.is_empty() && conditions.iter().all(holds) {
            true => Merging::Keeps,
            false => self.merging,
        }
    }

    /// Returns the paths of the files in the parameters.
    pub fn files<'a>(&self, parameters: &'a Parameters) -> impl Iterator<Item = &'a str> {
        let files = self.parameters.iter().filter(|spec| spec.kind == ParameterKind::File);
        files.filter_map(|spec| match parameters.0.get(spec.name) {
            Some(ParameterValue::Text(path)) => Some(path.as_str()),
            _ => None,
        })
    }

    /// Returns the values to which the parameters assign a weight.
    pub fn weighed<'a>(&self, parameters: &'a Parameters) -> impl Iterator<Item = &'a String> {
        let is_weights = |spec: &&ParameterSpec| matches!(spec.kind, ParameterKind::Weights { .. });
        let tables = self.parameters.iter().filter(is_weights).filter_map(|spec| match parameters
            .0
            .get(spec.name)
        {
            Some(ParameterValue::Table(weights)) => Some(weights.keys()),
            _ => None,
        });
        tables.flatten()
    }

    /// Returns whether the policy can specify a list of sensitive values that may be disclosed.
    pub fn takes_dont_care(&self) -> bool {
        self.parameters.iter().any(|spec| spec.name == DONT_CARE)
    }

    /// Returns the parameters with `values` as the list of sensitive values that may be disclosed.
    ///
    /// If the kind does not support such a list, building a principle with these parameters fails.
    pub fn with_dont_care(&self, parameters: &Parameters, values: Vec<String>) -> Parameters {
        let mut parameters = parameters.clone();
        parameters.0.insert(DONT_CARE.to_owned(), ParameterValue::Values(values));
        parameters
    }

    /// Returns the parameters as they appear in a release: without file names, and with only those
    /// weights for which `is_retained` returns `true`.
    pub fn for_release(
        &self,
        mut parameters: Parameters,
        is_retained: impl Fn(&str) -> bool,
    ) -> Parameters {
        for spec in self.parameters {
            match (spec.kind, parameters.0.get_mut(spec.name)) {
                (ParameterKind::File, _) => drop(parameters.0.remove(spec.name)),
                (ParameterKind::Weights { .. }, Some(ParameterValue::Table(weights))) => {
                    weights.retain(|value, _| is_retained(value));
                }
                _ => {}
            }
        }
        parameters
    }

    /// Returns warnings for parameters that are valid for a table but probably not intended.
    pub fn warnings(&self, context: &Context<'_>, parameters: &Parameters) -> Vec<BuildWarning> {
        let mut warnings = Vec::new();
        context::unknown_values(context, self.parameters, parameters, "", &mut warnings);
        warnings
    }
}

/// Returns no errors. This check is for kinds whose parameters do not depend on each other.
fn nothing_together(_: &Parameters) -> Vec<ParameterError> {
    Vec::new()
}

/// Returns the histogram of the given sensitive attribute in a class.
fn histogram<'a>(class: &ClassView<'a>, attribute: usize) -> Histogram<'a> {
    class.histograms[attribute]
}

/// Returns the smallest integer number of rows that is at least `threshold`.
fn rows_at_least(threshold: &crate::Rational) -> u64 {
    u64::try_from(threshold.ceil().to_integer()).unwrap_or(u64::MAX)
}
