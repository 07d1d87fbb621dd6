//! # Minimality by worlds
//!
//! **Definition.** An adversary who knows the method learns more than the release itself discloses.
//! Of the possible assignments of the sensitive values of each class to its rows, only those remain
//! from which the method produces exactly this release.
//! **Formula.** A world assigns the sensitive values of each released class to the rows of that
//! class; all assignments are equally likely. Let W be the set of worlds from which the method
//! produces the same released classes with the same labels and sensitive values. The credibility of
//! sensitive value s for a person is the share of W in which that person has s, averaged over the
//! people of the class with the same quasi-identifiers, who are indistinguishable.
//! **Parameters.** [`Effort`]; the method, as a function that returns whether a table leads to the
//! release; the requirements of the policy, for the principles that define which values are near.
//! **Assumes.** The adversary knows the quasi-identifiers of everyone in the table, the class of
//! each person (Definition 3 of the (epsilon, m) paper), the policy, and the method, but has no
//! other knowledge of the sensitive values.
//! **Gets.** The share of worlds that lead to the release; the largest credibility, compared with
//! the largest share in a class; the number of rows whose credibility exceeds the largest share in
//! their own class; for principles on near values, the probability that a person's value is near
//! the true value.
//! **Exact** if the number of worlds does not exceed the limit. Otherwise worlds are drawn at
//! random and the figures are estimates. Their error bounds hold for all people simultaneously with
//! probability 95% (Hoeffding's inequality and the union bound), and a row is counted only if its
//! credibility exceeds the threshold by more than the error bound.
//! **Complexity.** One run of the method for each world.
//! **Stopped by.** Methods that do not depend on sensitive values, and randomized methods.
//! **Source.** Li, Tao, Xiao, SIGMOD 2008, Section 7, after Wong, Fu, Wang, Pei, VLDB 2007.
//! Deviation: the worlds are those of the released classes, not all tables that an adversary
//! considers possible.

use indistinct_core::Status;
use std::collections::BTreeMap;

use indistinct_core::model::{CountedColumn, Numbers, to_f64};
use indistinct_core::principle::proximity::Reach;
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::{FrequencyTable, Observer, Requirement};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde::Serialize;

use crate::assignments::{Entry, assignments};
use crate::{Attack, RiskKind, WhyUntried};

/// The registry entry of the attack `minimality-worlds`.
pub static ATTACK: Attack = Attack {
    name: "minimality-worlds",
    risk: RiskKind::Inference,
    assumes: "The adversary knows the policy, the method, and the quasi-identifiers and class of \
        each person in the table, and can run the method.",
    gets: "The fraction of possible assignments of sensitive values for which the method produces \
        exactly this release, and the information that this fraction reveals.",
    stopped_by: "No principle that is evaluated class by class prevents the attack. Randomized \
                 methods and recodings that do not depend on the sensitive values prevent it.",
    status: Status::Experimental {
        reason: "The attack enumerates all possible tables, which is feasible only for small \
            releases.",
    },
    source: "Li, Tao, Xiao, SIGMOD 2008, Section 7; Wong, Fu, Wang, Pei, VLDB 2007",
};

/// The probability that all error bounds hold simultaneously.
const CONFIDENCE: f64 = 0.95;

/// The result of the attack `minimality-worlds`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Worlds {
    /// Number of worlds on which the method ran.
    pub n_worlds: u64,
    /// Whether the method ran on all possible worlds.
    pub is_exact: bool,
    /// Number of tried worlds that lead to exactly this release.
    pub n_same: u64,
    /// The probability that a world leads to this release.
    pub same: f64,
    /// The error bound for `same`, if worlds were drawn at random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_error: Option<f64>,
    /// The largest share of a sensitive value in a released class, which the release discloses
    /// without this attack.
    pub largest_share: f64,
    /// The credibility of sensitive values in the remaining worlds; `None` if no drawn world leads
    /// to the release.
    pub credible: Option<CredibleWorlds>,
}

/// The credibility of sensitive values in the worlds that lead to the release.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CredibleWorlds {
    /// The largest credibility of any sensitive value for any person.
    pub largest: f64,
    /// The error bound for each credibility, if worlds were drawn at random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Number of rows whose people have a sensitive value with a credibility above the largest
    /// share in their own class, beyond the error bound.
    pub n_rows_beyond: u64,
    /// Results for the principles that define which values are near.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaches: Vec<BreachInWorlds>,
}

/// The credibility that a person's value is near the true value.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct BreachInWorlds {
    /// The name of the principle.
    pub kind: &'static str,
    /// The probability that the principle allows, which is 1/m or 1/l.
    pub allowed: f64,
    /// The largest credibility for any row.
    pub largest: f64,
    /// Number of rows whose credibility exceeds the allowed probability beyond the error bound.
    pub n_rows_above: u64,
}

/// The number of worlds on which to run the method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// All worlds if their number does not exceed this limit, and no worlds otherwise.
    AllUpTo(u64),
    /// All worlds if their number does not exceed this limit, and this number of random worlds
    /// otherwise.
    Drawn(u64),
}

/// The outcome of trying the attack.
#[derive(Debug, Clone, PartialEq)]
pub enum WorldsAnswer {
    /// The attack ran and produced these figures.
    Found(Worlds),
    /// The attack did not run, for this reason.
    Not(WhyUntried),
}

/// People in a class who have the same quasi-identifiers.
struct Group {
    class: usize,
    codes: Vec<u32>,
    /// The sensitive values in the group, with their row counts.
    own: Vec<Entry>,
}

impl Group {
    fn size(&self) -> u64 {
        self.own.iter().map(|entry| entry.1).sum()
    }
}

/// A class, with the indices of its groups and the row counts of its sensitive values.
#[derive(Default)]
struct Class {
    groups: Vec<usize>,
    values: BTreeMap<u32, u64>,
}

/// An assignment of the sensitive values of a class to its groups.
struct Assignment {
    /// The sensitive values of each group, with their row counts.
    of_groups: Vec<Vec<Entry>>,
    /// The probability of this assignment if all orders of the rows are equally likely.
    probability: f64,
}

struct Groups<'a> {
    observer: &'a dyn Observer,
    table: &'a FrequencyTable,
    groups: Vec<Group>,
    classes: Vec<Class>,
}

/// Runs a method on possible worlds. `leads` returns whether the method turns a table into the
/// release.
///
/// # Errors
/// Returns the errors of `leads`.
pub fn attack<E>(
    pair: &ReleaseWithOriginal,
    requirements: &[Requirement],
    effort: Effort,
    leads: &mut dyn FnMut(FrequencyTable) -> Result<bool, E>,
    observer: &dyn Observer,
) -> Result<WorldsAnswer, E> {
    let context = match Groups::new(pair, observer) {
        Ok(context) => context,
        Err(why) => return Ok(WorldsAnswer::Not(why)),
    };
    let (Effort::AllUpTo(most) | Effort::Drawn(most)) = effort;
    let assignments = context.all(most);
    if assignments.is_none() && effort == Effort::AllUpTo(most) {
        return Ok(WorldsAnswer::Not(WhyUntried::TooManyWorlds));
    }
    let own: Vec<&[Entry]> = context.groups.iter().map(|group| &group.own[..]).collect();
    if !leads(context.world(&own))? {
        return Ok(WorldsAnswer::Not(WhyUntried::NotReproducible));
    }
    let mut tally = Tally::new(&context);
    let is_exact = match assignments {
        Some(assignments) => {
            let mut at = vec![0; assignments.len()];
            loop {
                let chosen: Vec<&Assignment> =
                    assignments.iter().zip(&at).map(|(all, &at)| &all[at]).collect();
                let mut world: Vec<&[Entry]> = own.clone();
                for (class, assignment) in context.classes.iter().zip(&chosen) {
                    for (&group, assigned) in class.groups.iter().zip(&assignment.of_groups) {
                        world[group] = assigned;
                    }
                }
                let probability = chosen.iter().map(|assignment| assignment.probability).product();
                tally.add(&world, probability, leads(context.world(&world))?);
                // Advance to the next combination; the index of the first class changes fastest.
                if observer.is_cancelled() {
                    break;
                }
                let next = (0..at.len()).find(|&class| at[class] + 1 < assignments[class].len());
                let Some(class) = next else { break };
                at[..class].fill(0);
                at[class] += 1;
            }
            true
        }
        None => {
            let mut rng = ChaCha8Rng::seed_from_u64(0);
            for _ in (0..most).take_while(|_| !observer.is_cancelled()) {
                let assigned = context.drawn(&mut rng);
                let world: Vec<&[Entry]> = assigned.iter().map(|group| &group[..]).collect();
                tally.add(&world, 1.0, leads(context.world(&world))?);
            }
            false
        }
    };
    Ok(WorldsAnswer::Found(tally.found(is_exact, requirements)))
}

impl<'a> Groups<'a> {
    fn new(pair: &'a ReleaseWithOriginal, observer: &'a dyn Observer) -> Result<Self, WhyUntried> {
        let (table, published) = (&pair.original, &pair.published);
        let unknown = WhyUntried::RowsUnknown;
        let ([sensitive], [released]) = (table.sensitive(), published.rows.sensitive()) else {
            return Err(WhyUntried::NotOneSensitiveAttribute);
        };
        let links = pair.links.as_ref().ok_or(unknown)?;
        let mut groups: BTreeMap<(u32, Vec<u32>), BTreeMap<u32, u64>> = BTreeMap::new();
        for link in links.iter().take_while(|_| !observer.is_cancelled()) {
            let Some(tuple) = link.released else {
                return Err(WhyUntried::SuppressedRows);
            };
            let (own, tuple) = (link.original as usize, tuple as usize);
            let code = sensitive.codes[own];
            if sensitive.dictionary.value(code) != released.dictionary.value(released.codes[tuple])
            {
                return Err(WhyUntried::GeneralizedSensitiveValues);
            }
            let codes = table.quasi_identifiers().iter().map(|column| column.codes[own]).collect();
            let values = groups.entry((published.class_of[tuple], codes)).or_default();
            *values.entry(code).or_default() += link.rows;
        }
        if groups.is_empty() {
            return Err(WhyUntried::Empty);
        }
        let mut context = Self { observer, table, groups: Vec::new(), classes: Vec::new() };
        let mut last = None;
        for ((number, codes), own) in groups {
            if last != Some(number) {
                context.classes.push(Class::default());
                last = Some(number);
            }
            let class = context.classes.len() - 1;
            let of_class = &mut context.classes[class];
            of_class.groups.push(context.groups.len());
            for (&code, rows) in &own {
                *of_class.values.entry(code).or_default() += rows;
            }
            context.groups.push(Group { class, codes, own: own.into_iter().collect() });
        }
        Ok(context)
    }

    /// Returns the table in which each group has the given sensitive values.
    fn world(&self, values: &[&[Entry]]) -> FrequencyTable {
        let rows = || {
            self.groups
                .iter()
                .zip(values)
                .flat_map(|(group, assigned)| assigned.iter().map(move |entry| (group, entry)))
        };
        let with = |column: &CountedColumn, codes: Vec<u32>| CountedColumn {
            name: column.name.clone(),
            dictionary: column.dictionary.clone(),
            codes,
        };
        let quasi = self.table.quasi_identifiers().iter().enumerate();
        let quasi = quasi
            .map(|(at, column)| with(column, rows().map(|(group, _)| group.codes[at]).collect()))
            .collect();
        let codes = rows().map(|(_, entry)| entry.0).collect();
        let sensitive = vec![with(&self.table.sensitive()[0], codes)];
        let counts = rows().map(|(_, entry)| entry.1).collect();
        FrequencyTable::new(quasi, sensitive, counts)
            .expect("the codes refer to the same dictionaries")
    }

    /// Returns all assignments of each class, or `None` if there are more than `most` worlds.
    fn all(&self, most: u64) -> Option<Vec<Vec<Assignment>>> {
        let (mut all, mut n_worlds) = (Vec::new(), 1u64);
        for class in &self.classes {
            let values: Vec<Entry> =
                class.values.iter().map(|(&code, &rows)| (code, rows)).collect();
            let sizes: Vec<u64> =
                class.groups.iter().map(|&group| self.groups[group].size()).collect();
            let (mut of_class, most) = (Vec::new(), most / n_worlds);
            assignments(&values, &sizes, &mut |parts, probability| {
                if parts.len() == sizes.len() {
                    of_class.push(Assignment { of_groups: parts.to_vec(), probability });
                }
                (of_class.len() as u64 <= most).then_some(true)
            })?;
            n_worlds *= of_class.len() as u64;
            all.push(of_class);
        }
        Some(all)
    }

    /// Returns one assignment, drawn uniformly at random.
    fn drawn(&self, rng: &mut ChaCha8Rng) -> Vec<Vec<Entry>> {
        let mut assigned = vec![Vec::new(); self.groups.len()];
        for class in &self.classes {
            let mut values: Vec<u32> = Vec::new();
            for (&code, &rows) in &class.values {
                values.extend(std::iter::repeat_n(code, rows as usize));
            }
            for left in (1..values.len()).rev() {
                values.swap(left, below(rng, left as u64 + 1) as usize);
            }
            let mut values = values.into_iter();
            for &group in &class.groups {
                let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
                for code in values.by_ref().take(self.groups[group].size() as usize) {
                    *counts.entry(code).or_default() += 1;
                }
                assigned[group] = counts.into_iter().collect();
            }
        }
        assigned
    }
}

/// Returns a uniformly distributed integer in 0..n.
fn below(rng: &mut ChaCha8Rng, n: u64) -> u64 {
    let rounds = u64::MAX - u64::MAX % n;
    loop {
        let x = rng.next_u64();
        if x < rounds {
            return x % n;
        }
    }
}

/// Accumulates statistics of the worlds that lead to the release.
struct Tally<'a> {
    context: &'a Groups<'a>,
    n_worlds: u64,
    n_same: u64,
    all: f64,
    same: f64,
    /// For each group, the accumulated share of each sensitive value.
    shares: Vec<BTreeMap<u32, f64>>,
}

impl<'a> Tally<'a> {
    fn new(context: &'a Groups<'a>) -> Self {
        let shares = vec![BTreeMap::new(); context.groups.len()];
        Self { context, n_worlds: 0, n_same: 0, all: 0.0, same: 0.0, shares }
    }

    fn add(&mut self, world: &[&[Entry]], probability: f64, leads: bool) {
        self.n_worlds += 1;
        self.all += probability;
        if !leads {
            return;
        }
        self.n_same += 1;
        self.same += probability;
        for ((assigned, shares), group) in
            world.iter().zip(&mut self.shares).zip(&self.context.groups)
        {
            let size = group.size() as f64;
            for &(code, rows) in *assigned {
                *shares.entry(code).or_default() += probability * rows as f64 / size;
            }
        }
    }

    /// Returns the groups with their accumulated shares.
    fn groups(&self) -> impl Iterator<Item = (&Group, &BTreeMap<u32, f64>)> {
        self.context
            .groups
            .iter()
            .zip(&self.shares)
            .take_while(move |_| !self.context.observer.is_cancelled())
    }

    fn found(&self, is_exact: bool, requirements: &[Requirement]) -> Worlds {
        let classes = || self.context.classes.iter();
        let largest_in: Vec<f64> = classes()
            .map(|class| {
                let size: u64 = class.values.values().sum();
                let largest = class.values.values().max().copied().unwrap_or(0);
                largest as f64 / size as f64
            })
            .collect();
        // The estimates are one credibility and one breach probability per requirement, for each
        // group and value.
        let of_group = |group: &Group| self.context.classes[group.class].values.len();
        let n_values: usize = self.context.groups.iter().map(of_group).sum();
        let n_estimates = n_values * (1 + requirements.len());
        let error = |n_estimates: usize, n: u64| {
            let ln = (2.0 * n_estimates as f64 / (1.0 - CONFIDENCE)).ln();
            (!is_exact).then(|| (ln / (2.0 * n as f64)).sqrt().min(1.0))
        };
        Worlds {
            n_worlds: self.n_worlds,
            is_exact,
            n_same: self.n_same,
            same: self.same / self.all,
            same_error: error(1, self.n_worlds),
            largest_share: largest_in.iter().copied().fold(0.0, f64::max),
            credible: (self.n_same > 0).then(|| {
                let error = error(n_estimates, self.n_same);
                self.credible(&largest_in, error, requirements)
            }),
        }
    }

    fn credible(
        &self,
        largest_in: &[f64],
        error: Option<f64>,
        requirements: &[Requirement],
    ) -> CredibleWorlds {
        // The margin that covers rounding errors and the error bound of estimates.
        let surely = error.unwrap_or(0.0) + 1e-9;
        let (mut largest, mut n_rows_beyond) = (0.0f64, 0);
        for (group, shares) in self.groups() {
            let most = shares.values().map(|share| share / self.same).fold(0.0, f64::max);
            largest = largest.max(most);
            if most - surely > largest_in[group.class] {
                n_rows_beyond += group.size();
            }
        }
        let numbers = Numbers::from_dictionary(&self.context.table.sensitive()[0].dictionary).ok();
        let near = |requirement: &Requirement| {
            let limit = requirement.principle.proximity()?;
            let reach = Reach::new(numbers.as_ref()?, limit.neighborhood);
            let allowed = to_f64(&limit.m.recip());
            let mut breach =
                BreachInWorlds { kind: requirement.kind, allowed, largest: 0.0, n_rows_above: 0 };
            for (group, shares) in self.groups() {
                for &(own, rows) in &group.own {
                    let (from, to) = reach.of(own);
                    let near: f64 = shares.range(from..to).map(|(_, share)| share).sum();
                    let near = near / self.same;
                    breach.largest = breach.largest.max(near);
                    breach.n_rows_above += if near - surely > allowed { rows } else { 0 };
                }
            }
            Some(breach)
        };
        let breaches = requirements.iter().filter_map(near).collect();
        CredibleWorlds { largest, error, n_rows_beyond, breaches }
    }
}

impl Worlds {
    /// Returns whether knowledge of the method discloses more than the release alone.
    pub fn tells(&self) -> bool {
        self.credible.as_ref().is_some_and(|it| it.n_rows_beyond > 0)
    }
}
