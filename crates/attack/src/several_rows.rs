//! # People with several rows
//!
//! **Definition.** If a person may have several rows, a class with many rows may contain few
//! people, and one person may have most of its rows.
//! **Formula.** Consider a class with n rows, p people, n_i rows of person i, and p_s people who
//! have sensitive value s in some row. An adversary identifies a person among the p people with
//! probability 1 / p. Person i has n_i / n of the rows, and p_s / p of the people have value s. If
//! each row is assigned a random person of its class, the expected fraction of correct assignments
//! is the sum of n / p over the classes, divided by the number of rows.
//! **Assumes.** The adversary knows the quasi-identifiers of a person who is in the table, but not
//! the person's number of rows.
//! **Gets.** The smallest number of people in a class, the largest share of a class that belongs to
//! one person, and the number of people of a class who share a sensitive value.
//! **Complexity.** O(rows log rows).
//! **Stopped by.** Principles that count people, for the attributes to which they apply. No
//! principle protects against an adversary who knows a person's number of rows.
//! **Source.** Reading H-1; Wang, Fung, KDD 2006. Deviations: none.

use indistinct_core::Status;
use indistinct_core::model::{CountedColumn, sum_by_key};
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::{DROPPED, Observer, People};
use serde::Serialize;

use crate::{Attack, Figures, Finding, RiskKind};

/// The registry entry of the attack `several-rows`.
pub static ATTACK: Attack = Attack {
    name: "several-rows",
    risk: RiskKind::SinglingOut,
    assumes: "The adversary knows the quasi-identifiers of a person in the table, but not how many \
        rows the person has.",
    gets: "The smallest number of people in a class, the largest share of the rows of a class that \
           belongs to one person, and the number of people in a class who have the same sensitive \
           value.",
    stopped_by: "With [people] in the policy, principles count people and limit these figures, but \
        only for the attributes to which they apply. No principle protects against an adversary \
        who knows how many rows a person has.",
    status: Status::Experimental {
        reason: "No other implementation or published result is available for comparison.",
    },
    source: "Reading H-1; Wang, Fung, KDD 2006",
};

/// The result of the attack `several-rows`: figures about the people in each class.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SeveralRows {
    /// Number of people with a released row.
    pub n_people: u64,
    /// The smallest number of people in a class.
    pub fewest_people: u64,
    /// The largest share of the rows in a class that belong to the same person.
    pub largest_share: f64,
    /// The expected fraction of correctly assigned rows if each row is assigned a random person of
    /// its class.
    pub marketer: f64,
    /// Figures about each sensitive attribute, in which people are counted instead of rows.
    pub values: Vec<ValuesOfPeople>,
}

/// Figures about one sensitive attribute, in which people are counted instead of rows.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ValuesOfPeople {
    /// The name of the sensitive attribute.
    pub attribute: String,
    /// The largest share of the people in a class who have the same value.
    pub largest_share: f64,
    /// People whose sensitive value is certain because everyone in their class has this value.
    pub n_people_certain: u64,
}

/// Counts the people in each class. Returns `None` if the owners of the rows or the links between
/// original and released rows are unknown, or if the release has no rows.
pub fn attack(pair: &ReleaseWithOriginal, observer: &dyn Observer) -> Option<SeveralRows> {
    let ByClass { people, class_of } = ByClass::new(pair)?;
    let mut members: Vec<((u32, u32), u64)> = Vec::new();
    for (tuple, &class) in class_of.iter().enumerate().take_while(|_| !observer.is_cancelled()) {
        let own = people.of_tuple(tuple).iter().filter(|_| class != DROPPED);
        members.extend(own.map(|&(person, rows)| ((class, person), rows)));
    }
    sum_by_key(&mut members);
    let mut known: Vec<u32> = members.iter().map(|((_, person), _)| *person).collect();
    known.sort_unstable();
    known.dedup();
    let mut found = SeveralRows {
        n_people: known.len() as u64,
        fewest_people: u64::MAX,
        largest_share: 0.0,
        marketer: 0.0,
        values: Vec::new(),
    };
    let n_rows: u64 = members.iter().map(|(_, rows)| rows).sum();
    for of_class in members.chunk_by(|a, b| a.0.0 == b.0.0) {
        let rows: u64 = of_class.iter().map(|(_, rows)| rows).sum();
        let most = of_class.iter().map(|(_, rows)| *rows).max().unwrap_or(0);
        found.fewest_people = found.fewest_people.min(of_class.len() as u64);
        found.largest_share = found.largest_share.max(most as f64 / rows as f64);
        found.marketer += rows as f64 / of_class.len() as f64 / n_rows as f64;
    }
    let values = |column: &CountedColumn| values(column, people, &class_of, &members);
    found.values = pair.original.sensitive().iter().map(values).collect();
    (n_rows > 0).then_some(found)
}

/// Returns the smallest number of people in a class: the counted number if available, otherwise the
/// number that the certificate guarantees, otherwise 1.
pub fn fewest_people(findings: &[Finding], promised: Option<u64>) -> u64 {
    let counted = findings.iter().find_map(|finding| match &finding.figures {
        Figures::SeveralRows(found) => Some(found.fewest_people),
        _ => None,
    });
    counted.or(promised).unwrap_or(1)
}

/// The owners of the rows of each class.
pub(crate) struct ByClass<'a> {
    pub(crate) people: &'a People,
    /// The class of each tuple of the original, or [`DROPPED`].
    pub(crate) class_of: Vec<u32>,
}

impl<'a> ByClass<'a> {
    /// Returns `None` if the owner or the class of some row is unknown. If rows of one tuple are in
    /// several classes, it is unknown which owner is in which class.
    pub(crate) fn new(pair: &'a ReleaseWithOriginal) -> Option<Self> {
        let people = pair.people.as_deref().filter(|it| it.fit(&pair.original))?;
        let mut class_of = vec![None; pair.original.n_tuples()];
        for link in pair.links.as_ref()? {
            let released = link.released.map(|at| pair.published.class_of[at as usize]);
            let class = released.unwrap_or(DROPPED);
            let known = class_of[link.original as usize].get_or_insert(class);
            if *known != class {
                return None;
            }
        }
        Some(Self { people, class_of: class_of.into_iter().collect::<Option<_>>()? })
    }
}

/// Counts the people of each class who share a value; `members` contains all pairs of class and
/// person in ascending order.
fn values(
    column: &CountedColumn,
    people: &People,
    class_of: &[u32],
    members: &[((u32, u32), u64)],
) -> ValuesOfPeople {
    let released = class_of.iter().enumerate().filter(|(_, class)| **class != DROPPED);
    let mut having: Vec<(u32, u32, u32)> = released
        .flat_map(|(tuple, &class)| {
            let of = move |entry: &(u32, u64)| (class, column.codes[tuple], entry.0);
            people.of_tuple(tuple).iter().map(of)
        })
        .collect();
    having.sort_unstable();
    having.dedup();
    let mut largest_share = 0.0f64;
    let mut certain: Vec<u32> = Vec::new();
    let mut values = having.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).peekable();
    for of_class in members.chunk_by(|a, b| a.0.0 == b.0.0) {
        let class = of_class[0].0.0;
        let mut most = 0;
        while let Some(value) = values.next_if(|value| value[0].0 == class) {
            most = most.max(value.len());
        }
        largest_share = largest_share.max(most as f64 / of_class.len() as f64);
        if most == of_class.len() {
            certain.extend(of_class.iter().map(|((_, person), _)| *person));
        }
    }
    certain.sort_unstable();
    certain.dedup();
    let n_people_certain = certain.len() as u64;
    ValuesOfPeople { attribute: column.name.clone(), largest_share, n_people_certain }
}
