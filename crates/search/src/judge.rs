//! The requirements of a policy, applied to a table, and the input of principles. All searches use
//! this module to evaluate classes.
//!
//! Each search has its own way of counting the sensitive values of its classes, because counting
//! dominates the running time. The evaluated requirements are the same in all searches.

use indistinct_core::model::Numbers;
use indistinct_core::principle::proximity::Reach;
use indistinct_core::principle::{DependsOn, Merging, Subject, find};
use indistinct_core::{
    ClassView, Dictionary, FrequencyTable, Histogram, Others, Policy, Principle, Requirement,
};

/// A requirement applied to a table.
#[derive(Debug, Clone)]
pub(crate) struct RequirementOnTable<'a> {
    pub kind: &'static str,
    pub principle: &'a dyn Principle,
    pub subject: Option<Subject>,
    /// The index of the sensitive attribute that the requirement names.
    pub attribute: Option<usize>,
    /// Whether the requirement is evaluated on the parts of a class with equal values of all other
    /// sensitive attributes.
    pub on_parts: bool,
    /// Whether the union of classes that satisfy the requirement also satisfies it.
    pub is_preserved: bool,
    /// Number of sensitive attributes of the table.
    n_sensitive: usize,
}

impl RequirementOnTable<'_> {
    /// Returns the sensitive attributes that the requirement depends on.
    pub fn attributes(&self) -> impl Iterator<Item = usize> {
        let needs_no_attribute = matches!(self.subject, Some(Subject::Class | Subject::Population));
        match self.attribute {
            Some(attribute) => attribute..attribute + 1,
            None if needs_no_attribute => 0..0,
            None => 0..self.n_sensitive,
        }
    }
}

/// All requirements of a policy.
#[derive(Debug, Clone)]
pub(crate) struct Requirements<'a> {
    pub each: Vec<RequirementOnTable<'a>>,
    /// The size below which every class violates a requirement.
    pub smallest_size: u64,
    /// Whether merging preserves all requirements.
    pub are_preserved: bool,
    /// Whether any requirement compares classes with all released rows.
    pub depend_on_released: bool,
    /// Whether any requirement depends on the other released classes, so the condition for a class
    /// is stricter than the requirement.
    pub depend_on_classes: bool,
    dictionaries: Vec<&'a Dictionary>,
}

impl<'a> Requirements<'a> {
    pub fn new(table: &'a FrequencyTable, requirements: &'a [Requirement]) -> Self {
        let required = |requirement: &'a Requirement| {
            let principle = &*requirement.principle;
            let named = requirement.attribute.as_deref();
            RequirementOnTable {
                kind: requirement.kind,
                principle,
                subject: find(requirement.kind).map(|kind| kind.subject),
                attribute: named.and_then(|name| table.sensitive_index(name)),
                on_parts: requirement.others == Others::QuasiIdentifier,
                is_preserved: principle.merging() == Merging::Keeps,
                n_sensitive: table.sensitive().len(),
            }
        };
        let each: Vec<RequirementOnTable<'a>> = requirements.iter().map(required).collect();
        let depend_on = |what| each.iter().any(|one| one.principle.depends_on() == what);
        Self {
            smallest_size: each.iter().map(|one| one.principle.smallest_size()).max().unwrap_or(1),
            are_preserved: each.iter().all(|one| one.is_preserved),
            depend_on_released: depend_on(DependsOn::ReleasedRows),
            depend_on_classes: depend_on(DependsOn::ReleasedClasses),
            dictionaries: table.sensitive().iter().map(|column| &column.dictionary).collect(),
            each,
        }
    }

    /// Returns histograms of all sensitive attributes. The histogram of an attribute without given
    /// entries is empty.
    pub fn views<'b>(
        &'b self,
        of_attributes: impl IntoIterator<Item = (usize, &'b [(u32, u64)])>,
    ) -> Vec<Histogram<'b>> {
        let empty = |dictionary: &&'b Dictionary| Histogram { entries: &[], dictionary };
        let mut views: Vec<Histogram<'b>> = self.dictionaries.iter().map(empty).collect();
        for (attribute, entries) in of_attributes {
            views[attribute].entries = entries;
        }
        views
    }

    /// Returns the dictionary of the sensitive attribute if the table has exactly one.
    pub fn only_dictionary(&self) -> Option<&'a Dictionary> {
        match self.dictionaries[..] {
            [dictionary] => Some(dictionary),
            _ => None,
        }
    }
}

/// Returns the sensitive attribute of the first principle in a policy that defines a neighborhood
/// of numbers, and the extent of the neighborhood.
pub(crate) fn neighborhoods(table: &FrequencyTable, policy: &Policy) -> Option<(usize, Reach)> {
    policy.requirements.iter().find_map(|requirement| {
        let near = requirement.principle.near()?;
        let at = table.sensitive_index(requirement.attribute.as_deref()?)?;
        let numbers = Numbers::from_dictionary(&table.sensitive()[at].dictionary).ok()?;
        Some((at, Reach::new(&numbers, &near.neighborhood)))
    })
}

/// Returns whether a class satisfies a principle.
pub(crate) fn holds(principle: &dyn Principle, view: &ClassView<'_>) -> bool {
    principle.of_class(view).meets(principle.bounds())
}

/// Returns whether a class satisfies all principles.
pub(crate) fn all_hold(principles: &[&dyn Principle], view: &ClassView<'_>) -> bool {
    principles.iter().all(|principle| holds(*principle, view))
}

/// Returns the distinct combinations of the values of all sensitive attributes except `but` (or of
/// all of them) in ascending order, and the index of each tuple's combination.
pub(crate) fn combinations(
    table: &FrequencyTable,
    but: Option<usize>,
) -> (Vec<Vec<u32>>, Vec<u32>) {
    let columns = table.sensitive().iter().enumerate();
    let columns: Vec<&[u32]> =
        columns.filter(|(at, _)| Some(*at) != but).map(|(_, column)| &column.codes[..]).collect();
    let key = |tuple: usize| columns.iter().map(|codes| codes[tuple]).collect::<Vec<u32>>();
    let mut keys: Vec<(Vec<u32>, usize)> =
        (0..table.n_tuples()).map(|tuple| (key(tuple), tuple)).collect();
    keys.sort_unstable();
    let mut distinct: Vec<Vec<u32>> = Vec::new();
    let mut numbers = vec![0; table.n_tuples()];
    for (key, tuple) in keys {
        if distinct.last() != Some(&key) {
            distinct.push(key);
        }
        numbers[tuple] = distinct.len() as u32 - 1;
    }
    (distinct, numbers)
}
