//! Privacy principles: from a class to the level that it reaches.
//!
//! One file each; [`REGISTRY`] lists them. Nothing outside a principle's own file matches on its name.
//!
//! A principle is made in two steps, since a policy is checked before its table is read: [`Kind::check`] needs the
//! parameters alone, [`Kind::build`] also the [`Context`] of a table.

mod alpha_k_anonymity;
mod beta_likeness;
mod by_people;
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
mod parameters;
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
    ParameterError, ParameterKind, ParameterSpec, ParameterValue, Parameters, Presence,
};
pub use promise::{Companion, Condition, OfPeople, Phrase, StatedValue};
pub use proximity::Assignment;
pub use recursive_diversity::recursive_diversity;
pub use t_closeness::t_closeness;
pub use tau_l_diversity::{RequiredShares, Weights, required_shares};
pub use variance_control::variance_control;

use crate::Status;
use crate::model::{ClassView, Histogram, Population, Taxonomy};
use promise::always;

/// All kinds of principle, in the order of the documentation. A new principle is one file and one line here.
pub static REGISTRY: &[&Kind] = &[
    &k_anonymity::KIND,
    &distinct_l_diversity::KIND,
    &frequency_l_diversity::KIND,
    &entropy_l_diversity::KIND,
    &recursive_diversity::KIND,
    &alpha_k_anonymity::KIND,
    &k_e_anonymity::KIND,
    &variance_control::KIND,
    &t_closeness::KIND,
    &beta_likeness::KIND,
    &delta_disclosure::KIND,
    &delta_presence::KIND,
    &epsilon_m_anonymity::KIND,
    &e1_e2_m_anonymity::KIND,
    &neighborhoods_m_anonymity::KIND,
    &delta_l_diversity::KIND,
    &tau_l_diversity::KIND,
    &m_invariance::KIND,
];

/// The parameter that any kind on a sensitive attribute takes besides its own. It belongs to the
/// [`Requirement`](crate::Requirement), not to the principle.
pub const OTHERS: ParameterSpec = ParameterSpec {
    name: "other_sensitive",
    kind: ParameterKind::Word { one_of: &["ignored", "quasi-identifier"] },
    presence: Presence::Default("ignored"),
    doc: "how the principle treats other sensitive attributes: with \"quasi-identifier\", the adversary may know them, and classes are subdivided by their values (l-diversity text, Definition 4.6)",
};

/// The parameter of some kinds that lists values of which anybody may know who has them.
const DONT_CARE: &str = "dont_care";

/// The kind with the given name in a policy file.
pub fn find(name: &str) -> Option<&'static Kind> {
    REGISTRY.iter().copied().find(|kind| kind.name == name)
}

/// The size of classes that a policy asks for with this principle; `None` where it asks for none as such.
pub fn required_size(kind: &Kind, parameters: &Parameters) -> Option<u64> {
    let of_kinds = [k_anonymity::required, alpha_k_anonymity::required_k];
    of_kinds.iter().find_map(|required| required(kind, parameters))
}

/// What a policy asks of close numbers with this principle, for those that noise in place of sensitive values can serve: they
/// have a [`Principle::proximity`]. `None` of others.
pub fn required_of_noise(kind: &Kind, parameters: &Parameters) -> Option<proximity::NearnessBound> {
    let of_kinds = [
        epsilon_m_anonymity::required,
        e1_e2_m_anonymity::required,
        neighborhoods_m_anonymity::required,
        delta_l_diversity::required,
    ];
    of_kinds.iter().find_map(|required| required(kind, parameters))
}

/// A principle with its parameters.
pub trait Principle: Debug + Send + Sync {
    /// The level that a class reaches.
    ///
    /// Not called for an empty class, but by principles on a population: there a class of the population without a row
    /// of the table is a class.
    fn of_class(&self, class: &ClassView<'_>) -> Level;

    /// The level that a class reaches where people count and not rows (reading H-1), for kinds that [promise](OfPeople)
    /// something of people: the size is that of the people, and the count of a sensitive value that of the people who have it in
    /// some row, so that counts may add up to more than the size.
    fn of_people(&self, class: &ClassView<'_>) -> Level {
        self.of_class(class)
    }

    /// Whether the union of two classes that hold of people holds as well, where nobody is in both.
    fn merging_of_people(&self) -> Merging {
        self.merging()
    }

    /// What the policy requires of each quantity of the level, in the same order.
    fn bounds(&self) -> &[Bound];

    /// A size below which no class can hold, for pruning; 1 if nothing is known.
    fn smallest_size(&self) -> u64 {
        1
    }

    /// Among how many people a row must be hidden, for principles that promise this as such: a class of so many rows with
    /// equal quasi-identifiers. 1 for principles that only look at the sensitive values, however many rows that takes.
    fn hides_among(&self) -> u64 {
        1
    }

    /// Whether the union of two classes that hold holds as well.
    fn merging(&self) -> Merging;

    /// Whether a class in which it fails has no part in which it holds, so that leaving out some of its rows never helps
    /// (test `parts_of_failing_classes_fail`). `false` says nothing.
    fn fails_in_parts(&self) -> bool {
        false
    }

    /// A level that no partition of these rows exceeds in its worst part, quantity by quantity: a proof
    /// (test `no_partition_does_better`). That some partition reaches it is not said. A quantity of which nothing is
    /// proved is [`Quantity::Undefined`].
    ///
    /// For principles that merging keeps, this is the level of one class of all of them.
    fn upper_bound(&self, rows: &ClassView<'_>) -> Level {
        debug_assert_eq!(self.merging(), Merging::Keeps, "others have a bound of their own");
        self.of_class(rows)
    }

    /// The best level of which a partition of these rows is known that reaches it. A better one may exist, up to
    /// [`Principle::upper_bound`].
    fn shown_reachable(&self, rows: &ClassView<'_>) -> Level {
        debug_assert_eq!(self.merging(), Merging::Keeps, "others have a partition of their own");
        self.of_class(rows)
    }

    /// Whether it is proved that no partition of the class has only parts that hold (test
    /// `what_is_ruled_out_has_no_partition`).
    fn is_ruled_out(&self, class: &ClassView<'_>) -> bool {
        !self.upper_bound(class).meets(self.bounds())
    }

    /// A partition of the class in which every part holds. `None` where none is known, which proves nothing: that is for
    /// [`Principle::is_ruled_out`] to say.
    fn partition(&self, class: &ClassView<'_>) -> Option<Assignment> {
        debug_assert_eq!(self.merging(), Merging::Keeps, "others have a partition of their own");
        self.of_class(class).meets(self.bounds()).then_some(Assignment { n_buckets: 1 })
    }

    /// What the level of a class depends on besides its own rows.
    fn depends_on(&self) -> DependsOn {
        DependsOn::Class
    }

    /// The same principle against other released rows (one histogram for each sensitive attribute, of all of them), for
    /// principles that [depend on them](DependsOn::ReleasedRows); `None` for all others.
    ///
    /// As built, such a principle takes the whole table as the released rows.
    fn against(&self, released: &[Histogram<'_>]) -> Option<Box<dyn Principle>> {
        let _ = released;
        None
    }

    /// The taxonomy of the sensitive attribute, for principles that are judged on its nodes, generalized values among them: the
    /// declared one, or a root above the values. `None` for those that are judged on values of the table alone: a generalized
    /// one would count as one value more, which it is not.
    fn taxonomy(&self) -> Option<&Taxonomy> {
        None
    }

    /// Whether it limits how frequent a sensitive value is, given by its code: for some principles that do, a policy lists values that may
    /// be disclosed, or the only ones that may not.
    fn limits(&self, code: u32) -> bool {
        let _ = code;
        false
    }

    /// The population that the principle counts in each class, for [`ClassView::population`].
    fn population(&self) -> Option<&Population> {
        None
    }

    /// What it asks of close numbers, whatever else it asks; `None` for principles to which only equal values are the same.
    fn near(&self) -> Option<proximity::NearnessBound> {
        None
    }

    /// What it asks of the shares of base values, with the weights that they have in this table; `None` for principles that
    /// know no base values.
    fn shares(&self) -> Option<RequiredShares> {
        None
    }

    /// The l at which the level is taken, for principles with an l that is no quantity of their level.
    fn at_l(&self) -> Option<crate::Rational> {
        None
    }

    /// Which sensitive values count as the same and how much of that is too much, for principles that ask for nothing
    /// else: what [perturbation](crate::recoding::perturbation) can promise.
    fn proximity(&self) -> Option<proximity::Limit<'_>> {
        None
    }

    /// The parameters with all that was taken from the table written out, so that others can check a release with them.
    fn effective_parameters(&self, stated: &Parameters) -> Parameters {
        stated.clone()
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

/// What the level of a class depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DependsOn {
    /// Its own rows alone.
    Class,
    /// The released rows as a whole, too: suppressing rows elsewhere changes it.
    ReleasedRows,
    /// The people of a population table with the same released quasi-identifiers, too.
    Population,
}

/// What a principle is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The class as such (its size).
    Class,
    /// One sensitive attribute.
    SensitiveAttribute,
    /// The class as a part of a population.
    Population,
}

type Build = fn(&Context<'_>, &Parameters) -> Result<Box<dyn Principle>, DataError>;

/// A kind of principle: what the policy file, the schema, the documentation and the certifier need to know of it.
#[derive(Debug)]
pub struct Kind {
    /// Name in a policy file, such as `k-anonymity`.
    pub name: &'static str,
    /// The definition in one sentence.
    pub definition: &'static str,
    /// What it guarantees, with places for the parameters.
    pub promise: &'static [Phrase],
    /// What it guarantees of people who may have several rows each.
    pub of_people: OfPeople,
    /// What it is about.
    pub subject: Subject,
    /// Its parameters.
    pub parameters: &'static [ParameterSpec],
    /// What is wrong with parameters that are right each on its own.
    pub check_together: fn(&Parameters) -> Vec<ParameterError>,
    /// What the level is, in words, with the quantities' names.
    pub level: &'static str,
    /// The quantities of the level that are the safer the smaller they are; of all others more is safer.
    pub safer_below: &'static [&'static str],
    /// The quantities of the level that stand beside a parameter of another name.
    pub companions: &'static [Companion],
    /// What merging classes does to it, for some of its parameters.
    pub merging: Merging,
    /// The parameters with which merging keeps it although for others it may break it: all conditions must hold. Empty
    /// where there are none.
    pub merging_keeps_when: &'static [Condition],
    /// Whether it is stable.
    pub status: Status,
    /// What a table that satisfies it may still reveal.
    pub does_not_protect_against: &'static str,
    /// Where it is defined.
    pub source: &'static str,
    /// The readings of the texts that it takes (`docs/readings.md`).
    pub readings: &'static [&'static str],
    /// Makes the principle for a table, from parameters that [`Kind::check`] has passed.
    build: Build,
}

impl Kind {
    /// A kind on one sensitive attribute of which nothing is promised: the base of all kinds.
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
            build,
        }
    }

    /// Checks parameters without any table.
    ///
    /// # Errors
    /// Every [`ParameterError`] there is.
    pub fn check(&'static self, parameters: &Parameters) -> Result<(), Vec<ParameterError>> {
        let mut errors = Vec::new();
        parameters::check_all(self.name, self.parameters, &parameters.0, &mut errors);
        if errors.is_empty() {
            errors = (self.check_together)(parameters);
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Whether it guarantees anything of people with these parameters.
    pub fn promises_of_people(&self, parameters: &Parameters) -> bool {
        let holds = |when: &Condition| when.holds(self.parameters, |name| parameters.stated(name));
        self.of_people.phrases().iter().any(|phrase| phrase.when.iter().all(holds))
    }

    /// Makes the principle for a table.
    ///
    /// # Errors
    /// Every [`ParameterError`] there is; else what keeps the principle from being used on this table.
    ///
    /// # Panics
    /// If the kind is about a sensitive attribute and the context names none.
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

    /// What merging classes does to the principle with these parameters: what [`Principle::merging`] of the built one says.
    pub fn merging_with(&self, parameters: &Parameters) -> Merging {
        let conditions = self.merging_keeps_when;
        let holds = |when: &Condition| when.holds(self.parameters, |name| parameters.stated(name));
        match !conditions.is_empty() && conditions.iter().all(holds) {
            true => Merging::Keeps,
            false => self.merging,
        }
    }

    /// The files that the parameters name.
    pub fn files<'a>(&self, parameters: &'a Parameters) -> impl Iterator<Item = &'a str> {
        let files = self.parameters.iter().filter(|spec| spec.kind == ParameterKind::File);
        files.filter_map(|spec| match parameters.0.get(spec.name) {
            Some(ParameterValue::Text(path)) => Some(path.as_str()),
            _ => None,
        })
    }

    /// The values that the parameters give a weight.
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

    /// Whether a policy may list values of which anybody may know who has them.
    pub fn takes_dont_care(&self) -> bool {
        self.parameters.iter().any(|spec| spec.name == DONT_CARE)
    }

    /// The parameters with these values as the only ones of which anybody may know who has them.
    ///
    /// A kind that takes no such list refuses the parameters when it is built.
    pub fn with_dont_care(&self, parameters: &Parameters, values: Vec<String>) -> Parameters {
        let mut parameters = parameters.clone();
        parameters.0.insert(DONT_CARE.to_owned(), ParameterValue::Values(values));
        parameters
    }

    /// The parameters as a release shows them: without the names of files, and of weights those alone that are kept.
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

    /// Parameters that are accepted for a table but probably not intended.
    pub fn warnings(&self, context: &Context<'_>, parameters: &Parameters) -> Vec<BuildWarning> {
        let mut warnings = Vec::new();
        context::unknown_values(context, self.parameters, parameters, "", &mut warnings);
        warnings
    }
}

/// For kinds whose parameters do not depend on each other.
fn nothing_together(_: &Parameters) -> Vec<ParameterError> {
    Vec::new()
}

/// The histogram that a principle on sensitive attribute `attribute` looks at.
fn histogram<'a>(class: &ClassView<'a>, attribute: usize) -> Histogram<'a> {
    class.histograms[attribute]
}

/// The smallest whole number that is not below a threshold, as a number of rows.
fn rows_at_least(threshold: &crate::Rational) -> u64 {
    u64::try_from(threshold.ceil().to_integer()).unwrap_or(u64::MAX)
}
