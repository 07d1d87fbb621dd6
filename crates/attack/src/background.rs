//! # Background knowledge
//!
//! **Definition.** An adversary may be able to rule out sensitive values of a person, with
//! statements of the form "not v". If few sensitive values remain, fewer statements are needed. An
//! adversary with prior beliefs updates these beliefs with the release.
//! **Formula.** Statements: for a row with sensitive value v in a class, the smallest number of
//! values of the sensitive attributes to exclude until the rows with v have at least the share h of
//! the remaining rows. A statement about another sensitive attribute excludes the rows with its
//! value (Section 4.3). For large classes with several sensitive attributes, a lower bound.
//! Beliefs: beta(q, s) = n_s f(s|q) / f(s|q*), divided by its sum over s (Theorem 3.1).
//! **Parameters.** `sure`: h, 0 < h <= 1; `delta`: positive disclosure above 1 - delta; `epsilon`:
//! negative disclosure if a belief falls from at least epsilon to below epsilon; both comparisons
//! are strict and exact.
//! **Assumes.** The prior of every person is the distribution of released sensitive values in the
//! whole table or, with the original, the joint distribution of quasi-identifiers and sensitive
//! values in the original.
//! **Gets.** The number of statements needed, over the rows; rows with a positive and a negative
//! disclosure; the largest belief.
//! **Complexity.** O(histograms log histogram) and a bounded number of steps for each row of a
//! small class with several sensitive attributes; with the original O(links + pairs of the
//! classes).
//! **Stopped by.** l-diversity: recursive (c, l)-diversity protects against l - 2 statements, and
//! distinct l-diversity prevents certainty after l - 2 statements.
//! **Source.** Machanavajjhala et al., TKDD 2007, Theorem 3.1, Definitions 3.1, 3.2, Section 4.
//! Deviations: readings B-8, B-12, B-16; a negative disclosure is counted only if the prior was not
//! already below epsilon.

use indistinct_core::Status;
use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::belief::{self, Block, BlockBeliefs, Prior};
use indistinct_core::model::to_f64;
use indistinct_core::published::{Attachment, PublishedRows, ReleaseWithOriginal};
use indistinct_core::{Observer, Rational};
use serde::Serialize;

use crate::figures::{classes, marginal};
use crate::statements::{EqualRows, most_steps, statements};
use crate::{AffectedRows, Attack, Distribution, RiskKind};

/// The registry entry of the attack `background-knowledge`.
pub static ATTACK: Attack = Attack {
    name: "background-knowledge",
    risk: RiskKind::Inference,
    assumes: "The adversary knows the quasi-identifiers of a person in the table, can rule out \
        some of the person's sensitive values, and has a prior belief.",
    gets: "The number of statements of the form \"not v\" that an adversary needs to be certain of \
        a sensitive value, and the adversary's beliefs after the release.",
    stopped_by: "l-diversity: with recursive (c, l)-diversity, the share of each sensitive value \
                 stays within its bound after l - 2 statements. No form of l-diversity protects \
                 against an adversary who already knows nearly everything.",
    status: Status::Stable,
    source: "Machanavajjhala et al., TKDD 2007, Sections 3 and 4",
};

/// The thresholds at which the adversary counts as sure and at which a belief counts as a
/// disclosure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The minimum share of a value in the remaining rows at which the adversary counts as sure.
    pub sure: Rational,
    /// The thresholds at which a belief counts as a disclosure or a breach.
    pub beliefs: belief::Limits,
}

impl Default for Limits {
    fn default() -> Self {
        let twentieth = Rational::new(1, 20);
        let (rho1, rho2) = (Rational::new(1, 5), Rational::new(1, 2));
        let beliefs = belief::Limits { delta: twentieth, epsilon: twentieth, rho1, rho2 };
        Self { sure: Rational::new(19, 20), beliefs }
    }
}

/// The prior beliefs of the adversary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PriorKind {
    /// For every person, the distribution of released sensitive values in the whole table.
    ReleasedSensitive,
    /// For each person, the distribution in the original
    /// among people with the same quasi-identifiers.
    Original,
}

/// Beliefs before and after the release.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Beliefs {
    /// The prior beliefs of the adversary.
    pub prior: PriorKind,
    /// The threshold delta.
    pub delta: f64,
    /// The threshold epsilon.
    pub epsilon: f64,
    /// Rows of people for whom the belief in some sensitive value exceeds 1 - delta.
    pub n_rows_positive: u64,
    /// Rows in `n_rows_positive` of people for whom no belief exceeded 1 - delta before the
    /// release.
    pub n_rows_newly_positive: u64,
    /// Rows of people for whom the belief in some sensitive value fell from at least epsilon to
    /// below epsilon.
    pub n_rows_negative: u64,
    /// The distribution over rows of the adversary's largest belief in a sensitive value before the
    /// release.
    pub before: Option<Distribution>,
    /// The distribution over rows of the adversary's largest belief in a sensitive value after the
    /// release.
    pub after: Option<Distribution>,
}

/// The result of the attack `background-knowledge`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Background {
    /// The distribution over rows of the number of statements needed for certainty. Statements
    /// about all sensitive attributes are considered; for large classes and for many people, the
    /// number is a lower bound.
    pub certain: Option<Distribution>,
    /// The minimum share of a value at which the adversary counts as sure.
    pub sure: f64,
    /// The distribution over rows of the number of statements needed to reach the share `sure`.
    pub nearly: Option<Distribution>,
    /// For each number of statements, the number of rows that need this number to reach the share
    /// `sure`.
    pub rows_by_statements: BTreeMap<u64, u64>,
    /// Classes that contain a row for which the adversary needs no statement.
    pub without_statement: AffectedRows,
    /// The beliefs of the adversary, with one entry for each prior.
    pub beliefs: Vec<Beliefs>,
}

/// Counts statements, and computes beliefs with the distribution of released sensitive values as
/// the prior.
///
/// # Panics
/// Panics if the attribute does not exist.
pub fn attack(
    published: &PublishedRows,
    attribute: usize,
    limits: &Limits,
    observer: &dyn Observer,
) -> Background {
    let (mut certain, mut by_statements) = (Vec::new(), BTreeMap::new());
    let mut without_statement = AffectedRows::default();
    let (target, classes) = rows_of_classes(published, attribute);
    let one = Rational::from_integer(1);
    let most_steps = most_steps(2 * classes.iter().map(Vec::len).sum::<usize>());
    for rows in classes.iter().take_while(|_| !observer.is_cancelled()) {
        let for_certainty = statements(rows, target, &one, most_steps);
        certain.extend(for_certainty.iter().zip(rows).map(|(&needed, row)| (needed as f64, row.1)));
        let needed = statements(rows, target, &limits.sure, most_steps);
        for (&needed, (_, n)) in needed.iter().zip(rows) {
            *by_statements.entry(needed).or_insert(0) += n;
        }
        if needed.contains(&0) {
            without_statement.add(rows.iter().map(|row| row.1).sum());
        }
    }
    let nearly = by_statements.iter().map(|(&needed, &rows)| (needed as f64, rows)).collect();
    Background {
        certain: Distribution::from_figures(certain),
        sure: to_f64(&limits.sure),
        nearly: Distribution::from_figures(nearly),
        rows_by_statements: by_statements,
        without_statement,
        beliefs: vec![of_released_sensitive(published, attribute, limits, observer)],
    }
}

/// Returns the position of an attribute in the rows, and the rows of each class that has any. If
/// the sensitive values of a row are known together, the rows contain all sensitive attributes.
fn rows_of_classes(published: &PublishedRows, attribute: usize) -> (usize, Vec<Vec<EqualRows>>) {
    let columns = published.rows.sensitive();
    if published.sensitive.len() == 1 || columns.len() < published.sensitive.len() {
        let rows =
            |entries: &Vec<(u32, u64)>| entries.iter().map(|it| (vec![it.0], it.1)).collect();
        let classes = published.sensitive[attribute].histograms.iter();
        return (0, classes.filter(|entries| !entries.is_empty()).map(rows).collect());
    }
    let mut classes: Vec<BTreeMap<Vec<u32>, u64>> = vec![BTreeMap::new(); published.n_classes];
    for (tuple, &class) in published.class_of.iter().enumerate() {
        let values = columns.iter().map(|column| column.codes[tuple]).collect();
        *classes[class as usize].entry(values).or_default() += published.rows.counts()[tuple];
    }
    let classes = classes.into_iter().filter(|rows| !rows.is_empty());
    (attribute, classes.map(|rows| rows.into_iter().collect()).collect())
}

/// Accumulates beliefs over the rows.
struct BeliefSums {
    beliefs: Beliefs,
    before: Vec<(f64, u64)>,
    after: Vec<(f64, u64)>,
}

/// The largest belief in a sensitive value of a person, and the resulting disclosures.
#[derive(Debug, Clone, Copy, Default)]
struct Largest {
    before: f64,
    after: f64,
    was_sure: bool,
    is_sure: bool,
    is_negative: bool,
}

impl BeliefSums {
    fn new(prior: PriorKind, limits: &Limits) -> Self {
        let beliefs = Beliefs {
            prior,
            delta: to_f64(&limits.beliefs.delta),
            epsilon: to_f64(&limits.beliefs.epsilon),
            n_rows_positive: 0,
            n_rows_newly_positive: 0,
            n_rows_negative: 0,
            before: None,
            after: None,
        };
        Self { beliefs, before: Vec::new(), after: Vec::new() }
    }

    fn add(&mut self, rows: u64, it: Largest) {
        if it.is_sure {
            self.beliefs.n_rows_positive += rows;
            self.beliefs.n_rows_newly_positive += if it.was_sure { 0 } else { rows };
        }
        self.beliefs.n_rows_negative += if it.is_negative { rows } else { 0 };
        self.before.push((it.before, rows));
        self.after.push((it.after, rows));
    }

    fn done(mut self) -> Beliefs {
        self.beliefs.before = Distribution::from_figures(self.before);
        self.beliefs.after = Distribution::from_figures(self.after);
        self.beliefs
    }
}

/// Returns the beliefs for a prior that is the same for everyone. The belief in a sensitive value
/// is then its share in the class.
fn of_released_sensitive(
    published: &PublishedRows,
    attribute: usize,
    limits: &Limits,
    observer: &dyn Observer,
) -> Beliefs {
    let sensitive = &published.sensitive[attribute];
    let marginal = marginal(sensitive);
    let n_rows = marginal.iter().sum::<u64>().max(1);
    let share = |rows: u64, of: u64| Rational::new(i128::from(rows), i128::from(of));
    let (sure, epsilon) =
        (Rational::from_integer(1) - limits.beliefs.delta, limits.beliefs.epsilon);
    let before = share(marginal.iter().copied().max().unwrap_or(0), n_rows);
    let mut gathered = BeliefSums::new(PriorKind::ReleasedSensitive, limits);
    let is_frequent: Vec<bool> =
        marginal.iter().map(|&rows| share(rows, n_rows) >= epsilon).collect();
    let n_frequent = is_frequent.iter().filter(|it| **it).count();
    for (entries, size) in classes(sensitive, observer) {
        let remains =
            |entry: &&(u32, u64)| is_frequent[entry.0 as usize] && share(entry.1, size) >= epsilon;
        let n_remaining = entries.iter().filter(remains).count();
        let after = share(entries.iter().map(|entry| entry.1).max().unwrap_or(0), size);
        let largest = Largest {
            before: to_f64(&before),
            after: to_f64(&after),
            was_sure: before > sure,
            is_sure: after > sure,
            // No belief is below 0.
            is_negative: n_remaining < n_frequent && epsilon > Rational::from_integer(0),
        };
        gathered.add(size, largest);
    }
    gathered.done()
}

/// Returns the beliefs of an adversary who knows the original's joint distribution of
/// quasi-identifiers and sensitive values, and the class of each person. `None` if the links
/// between original and released rows are unknown, or if the released sensitive values differ from
/// those of the original.
///
/// # Panics
/// Panics if the attribute does not exist.
pub fn with_original(
    pair: &ReleaseWithOriginal,
    attribute: usize,
    limits: &Limits,
    observer: &dyn Observer,
) -> Option<Beliefs> {
    let (published, original) = (&pair.published, &pair.original);
    let links = pair.links.as_ref()?;
    let column = &original.sensitive()[attribute];
    let released = &published.sensitive[attribute].dictionary;
    let known = column.dictionary.values().iter().collect::<BTreeSet<_>>();
    let all_known = released.values().iter().all(|value| known.contains(value));
    if matches!(published.attachment, Attachment::Perturbed { .. }) || !all_known {
        return None;
    }
    let groups = original.groups();
    let mut group_of = vec![0u32; original.n_tuples()];
    for (group, tuples) in groups.iter().enumerate() {
        group_of[tuples].fill(group as u32);
    }
    // Each entry contains a class, a combination of quasi-identifiers, a sensitive value, and a row
    // count.
    let mut rows: Vec<(u32, u32, u32, u64)> = links
        .iter()
        .filter_map(|link| {
            let class = published.class_of[link.released? as usize];
            let tuple = link.original as usize;
            Some((class, group_of[tuple], column.codes[tuple], link.rows))
        })
        .collect();
    rows.sort_unstable();
    let prior = Prior::of_table(original, attribute);
    let mut gathered = BeliefSums::new(PriorKind::Original, limits);
    for class in rows.chunk_by(|a, b| a.0 == b.0).take_while(|_| !observer.is_cancelled()) {
        let mut values: BTreeMap<u32, u64> = BTreeMap::new();
        for &(_, _, value, n) in class {
            *values.entry(value).or_default() += n;
        }
        let people: Vec<(u32, u64)> = class
            .chunk_by(|a, b| a.1 == b.1)
            .map(|rows| (rows[0].1, rows.iter().map(|row| row.3).sum()))
            .collect();
        let block = Block {
            covers: people.iter().map(|person| person.0).collect(),
            rows: values.into_iter().collect(),
        };
        let mut beliefs = BlockBeliefs::new(&prior, &block, &limits.beliefs)
            .expect("a table is consistent with its own prior");
        for (person, n) in people.into_iter().take_while(|_| !observer.is_cancelled()) {
            let own = beliefs.of(person).expect("a table is consistent with its own prior");
            let mut largest = Largest::default();
            for (_, belief) in own {
                largest = Largest {
                    before: largest.before.max(belief.prior),
                    after: largest.after.max(belief.posterior),
                    was_sure: largest.was_sure || belief.was_sure,
                    is_sure: largest.is_sure || belief.is_sure,
                    is_negative: largest.is_negative
                        || (belief.is_excluded && !belief.was_excluded),
                };
            }
            gathered.add(n, largest);
        }
    }
    Some(gathered.done())
}
