//! What the judges of all searches have in common: the requirements of a policy laid over a table, and what principles see.
//!
//! Each search counts the sensitive values of its classes in its own way, since that is where its time goes (merged
//! histograms of whole nodes, tallies of a few tuples, counts that rows are added to and removed from). What is asked is the same.

use indistinct_core::model::Numbers;
use indistinct_core::principle::proximity::Reach;
use indistinct_core::principle::{DependsOn, Merging, Subject, find};
use indistinct_core::{
    ClassView, Dictionary, FrequencyTable, Histogram, Others, Policy, Principle, Requirement,
};

/// A requirement, laid over a table.
#[derive(Debug, Clone)]
pub(crate) struct RequirementOnTable<'a> {
    pub kind: &'static str,
    pub principle: &'a dyn Principle,
    pub subject: Option<Subject>,
    /// The sensitive attribute that it names.
    pub attribute: Option<usize>,
    /// Whether it is judged on the parts of a class that share all other sensitive values.
    pub on_parts: bool,
    /// Whether it holds in the union of classes in which it holds.
    pub is_preserved: bool,
    /// How many sensitive attributes the table has.
    n_sensitive: usize,
}

impl RequirementOnTable<'_> {
    /// The sensitive attributes that it looks at.
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
    /// No smaller class holds.
    pub smallest_size: u64,
    /// Whether each of them is kept by merging.
    pub are_preserved: bool,
    /// Whether any compares classes with all released rows.
    pub depend_on_released: bool,
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
        Self {
            smallest_size: each.iter().map(|one| one.principle.smallest_size()).max().unwrap_or(1),
            are_preserved: each.iter().all(|one| one.is_preserved),
            depend_on_released: each
                .iter()
                .any(|one| one.principle.depends_on() == DependsOn::ReleasedRows),
            dictionaries: table.sensitive().iter().map(|column| &column.dictionary).collect(),
            each,
        }
    }

    /// Histograms of all sensitive attributes, with entries for those that are given.
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

    /// The dictionary of the one sensitive attribute, where there is one.
    pub fn only_dictionary(&self) -> Option<&'a Dictionary> {
        match self.dictionaries[..] {
            [dictionary] => Some(dictionary),
            _ => None,
        }
    }
}

/// Which numbers a principle of a policy calls near, and of which sensitive attribute.
pub(crate) fn neighborhoods(table: &FrequencyTable, policy: &Policy) -> Option<(usize, Reach)> {
    policy.requirements.iter().find_map(|requirement| {
        let near = requirement.principle.near()?;
        let at = table.sensitive_index(requirement.attribute.as_deref()?)?;
        let numbers = Numbers::from_dictionary(&table.sensitive()[at].dictionary).ok()?;
        Some((at, Reach::new(&numbers, &near.neighborhood)))
    })
}

/// Whether a principle holds in a class.
pub(crate) fn holds(principle: &dyn Principle, view: &ClassView<'_>) -> bool {
    principle.of_class(view).meets(principle.bounds())
}

/// Whether all principles hold in a class.
pub(crate) fn all_hold(principles: &[&dyn Principle], view: &ClassView<'_>) -> bool {
    principles.iter().all(|principle| holds(*principle, view))
}

/// The distinct combinations of the values of all sensitive attributes but one (or of all), in ascending order, and for each
/// tuple of the table the number of its combination.
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
