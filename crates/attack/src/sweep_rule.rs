//! # The rule of the sweep, undone
//!
//! **Definition.** A sweep generalizes just the rows whose value is dominant in their class, so that whoever knows the rule takes each
//! generalized value for one that was dominant (reading E-13).
//! **Formula.** What a generalized label covers is known from the published weights: base values of weight 0 do not occur. With one
//! base value left it is settled. Else let F be the induced rows of the base values in the class. A generalized row had a value
//! with F >= max F - 1 then, since its value was dominant before it lost that row and no maximum rises later (test
//! `a_generalized_row_had_a_value_within_one_row_of_the_largest`). Of these the adversary takes the one that is most frequent in the table,
//! as estimated by expectation and maximization: each class's generalized rows are shared among its candidates as frequent as these are,
//! and counted again. Drawn at random, a generalized row is taken for the most frequent value of its class below the label.
//! **Parameters.** `rule`: how the rows to generalize were chosen, as the policy says.
//! **Assumes.** The adversary knows the policy, the method and the published weights.
//! **Gets.** Generalized rows, those that the weights alone settle, the largest share after undoing, rows whose class fails the principle
//! then; with the original, for how many generalized rows the guess is right, beside what a uniform guess among the values that the
//! label can stand for would get.
//! **Complexity.** O(classes with generalized rows * leaves + links).
//! **Stopped by.** Drawing the rows to generalize at random (`value_selection = "random"`); for what weights settle, weights that do not tell
//! which values occur (`weights = "domain"`).
//! **Source.** Reading E-13 on the (tau, l)-diversity text, Theorem 1. Deviations: rows that were joined to a class at last may break
//! the bound of one row; then the nearest to the largest are taken.

use indistinct_core::Status;
use indistinct_core::model::{ClassView, Histogram, Taxonomy, to_f64};
use indistinct_core::principle::Weights;
use indistinct_core::published::{PublishedRows, PublishedSensitive, ReleaseWithOriginal};
use indistinct_core::{Observer, Requirement};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::{AffectedRows, Attack, RiskKind};

/// The attack.
pub static ATTACK: Attack = Attack {
    name: "sweep-rule",
    risk: RiskKind::Inference,
    assumes: "The adversary knows the sweep's rule, which generalizes rows of the dominant value of a class, and the published weights.",
    gets: "What the classes hold if every generalized value is taken for the one that the rule makes most likely.",
    stopped_by: "Drawing the rows to generalize at random (value_selection = \"random\"). The principle itself assumes a uniform value within a generalized one.",
    status: Status::Experimental { reason: "It applies only to the experimental method sweep." },
    source: "Reading E-13 on the (tau, l)-diversity text",
};

/// How the rows to generalize were chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Those that cover the dominant value.
    Dominant,
    /// Drawn among all of the class.
    Random,
}

/// Rounds in which frequencies are estimated.
const N_ROUNDS: usize = 30;

/// What undoing the rule gets.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SweepRule {
    /// Rows whose sensitive value is generalized.
    pub n_rows_generalized: u64,
    /// Those whose label covers one base value of positive weight alone.
    pub n_rows_settled: u64,
    /// The largest share of a value in a class after undoing.
    pub largest_share: f64,
    /// Classes that fail a principle of the policy after undoing.
    pub failing: AffectedRows,
    /// How often the guess is right, where the original is at hand.
    pub guesses: Option<Guesses>,
}

/// How often guesses of generalized values are right.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Guesses {
    /// Expected fraction of the generalized rows.
    pub right_fraction: f64,
    /// The same for a guess that takes all base values that the label can stand for alike.
    pub right_by_chance: f64,
}

/// Rows of a class with one generalized label.
#[derive(Debug)]
struct LabelGroup {
    class: u32,
    code: u32,
    rows: u64,
    /// What they can be, as places among the leaves.
    candidates: Vec<u32>,
    /// How many base values of positive weight the label covers.
    n_below: usize,
}

/// Undoes the rule; `None` where no released value is an inner node of its taxonomy. `requirements` are those of the policy, built for
/// the released rows.
///
/// # Panics
/// If there is no such attribute.
pub fn attack(
    published: &PublishedRows,
    attribute: usize,
    requirements: &[Requirement],
    rule: Rule,
    pair: Option<&ReleaseWithOriginal>,
    observer: &dyn Observer,
) -> Option<SweepRule> {
    let sensitive = &published.sensitive[attribute];
    let taxonomy = sensitive.taxonomy.as_ref()?;
    let own: Vec<&Requirement> = requirements
        .iter()
        .filter(|requirement| requirement.attribute.as_deref() == Some(sensitive.name.as_str()))
        .collect();
    let leaves = Leaves::new(sensitive, taxonomy, &own);
    let generalized: Vec<LabelGroup> = (0u32..)
        .zip(&sensitive.histograms)
        .take_while(|_| !observer.is_cancelled())
        .flat_map(|(class, entries)| leaves.generalized(class, entries, rule))
        .collect();
    if generalized.is_empty() {
        return None;
    }
    let frequent = leaves.frequencies(sensitive, &generalized, observer);
    let mut found = SweepRule {
        n_rows_generalized: generalized.iter().map(|it| it.rows).sum(),
        n_rows_settled: generalized.iter().filter(|it| it.n_below == 1).map(|it| it.rows).sum(),
        largest_share: 0.0,
        failing: AffectedRows::default(),
        guesses: None,
    };
    let taken = leaves.guessed(sensitive, &generalized, &frequent, rule);
    for (class, entries) in
        (0u32..).zip(&sensitive.histograms).take_while(|_| !observer.is_cancelled())
    {
        let size: u64 = entries.iter().map(|entry| entry.1).sum();
        let mut by_leaf: FxHashMap<u32, u64> = FxHashMap::default();
        let mut by_code: FxHashMap<u32, u64> = FxHashMap::default();
        for &(code, rows) in entries {
            let guess = taken.get(&(class, code)).map(|guess| guess.0);
            if let Some(leaf) = guess.or(leaves.leaf_of[code as usize]) {
                *by_leaf.entry(leaf).or_insert(0) += rows;
            }
            let guessed = guess.and_then(|leaf| leaves.code_of[leaf as usize]);
            *by_code.entry(guessed.unwrap_or(code)).or_insert(0) += rows;
        }
        let largest = by_leaf.values().copied().max().unwrap_or(0);
        found.largest_share = found.largest_share.max(largest as f64 / size.max(1) as f64);
        let mut undone: Vec<(u32, u64)> = by_code.into_iter().collect();
        undone.sort_unstable();
        let histograms: Vec<Histogram<'_>> = published
            .sensitive
            .iter()
            .enumerate()
            .map(|(at, other)| Histogram {
                entries: if at == attribute { &undone } else { &other.histograms[class as usize] },
                dictionary: &other.dictionary,
            })
            .collect();
        let view = ClassView::new(size, &histograms);
        let fails = |requirement: &&&Requirement| {
            let principle = &requirement.principle;
            !principle.of_class(&view).meets(principle.bounds())
        };
        if size > 0 && own.iter().any(|requirement| fails(&requirement)) {
            found.failing.add(size);
        }
    }
    found.guesses = pair.and_then(|pair| guesses(pair, attribute, taxonomy, &taken));
    Some(found)
}

/// The base values of a taxonomy, by their places.
struct Leaves<'a> {
    taxonomy: &'a Taxonomy,
    /// For each released code the inner node that it is.
    node_of: Vec<Option<u32>>,
    /// For each released code the leaf that it is.
    leaf_of: Vec<Option<u32>>,
    /// For each leaf its released code.
    code_of: Vec<Option<u32>>,
    /// For each leaf the sum of the weights before it; at last of all.
    weight_before: Vec<f64>,
    /// The leaves of positive weight, ascending.
    weighty: Vec<u32>,
}

impl<'a> Leaves<'a> {
    /// The base value that each generalized label is taken for, class by class, and the number of those below it.
    fn guessed(
        &self,
        sensitive: &PublishedSensitive,
        generalized: &[LabelGroup],
        frequent: &[f64],
        rule: Rule,
    ) -> FxHashMap<(u32, u32), (u32, usize)> {
        let of_class = |class: u32, leaf: u32| {
            let entries = &sensitive.histograms[class as usize];
            let code = self.code_of[leaf as usize];
            let at = code.and_then(|code| entries.binary_search_by_key(&code, |it| it.0).ok());
            at.map_or(0, |at| entries[at].1)
        };
        let mut taken: FxHashMap<(u32, u32), (u32, usize)> = FxHashMap::default();
        for it in generalized {
            let key = |leaf: u32| {
                let (here, everywhere) = (of_class(it.class, leaf) as f64, frequent[leaf as usize]);
                if rule == Rule::Random { (here, everywhere) } else { (everywhere, here) }
            };
            let guess =
                it.candidates.iter().copied().reduce(|a, b| if key(b) > key(a) { b } else { a });
            if let Some(guess) = guess {
                taken.insert((it.class, it.code), (guess, it.n_below));
            }
        }
        taken
    }

    fn new(sensitive: &PublishedSensitive, taxonomy: &'a Taxonomy, own: &[&Requirement]) -> Self {
        let nodes: Vec<Option<u32>> =
            sensitive.dictionary.values().iter().map(|value| taxonomy.node_of(value)).collect();
        let is_leaf = |node: &u32| taxonomy.is_leaf(*node);
        let leaf_of: Vec<Option<u32>> = nodes
            .iter()
            .map(|node| Some(taxonomy.leaves(node.filter(is_leaf)?).start as u32))
            .collect();
        let labels: Vec<&str> = taxonomy.leaf_labels().collect();
        let mut code_of = vec![None; labels.len()];
        for (code, leaf) in (0u32..).zip(&leaf_of) {
            if let Some(leaf) = leaf {
                code_of[*leaf as usize] = Some(code);
            }
        }
        // Without published weights the released values alone are known to occur.
        let stated = own.iter().find_map(|it| match it.principle.shares()?.weights {
            Weights::Stated(weights) => Some(weights),
            Weights::Occurring | Weights::Domain => None,
        });
        let weight = |(leaf, label): (usize, &&str)| match &stated {
            None => f64::from(u8::from(code_of[leaf].is_some())),
            Some(weights) => weights.get(*label).map_or(0.0, to_f64),
        };
        let weights: Vec<f64> = labels.iter().enumerate().map(weight).collect();
        let weighty = (0u32..).zip(&weights).filter(|it| *it.1 > 0.0).map(|it| it.0).collect();
        let weight_before = std::iter::once(0.0)
            .chain(weights.iter().scan(0.0, |sum, weight| {
                *sum += weight;
                Some(*sum)
            }))
            .collect();
        let node_of = nodes.into_iter().map(|node| node.filter(|node| !is_leaf(node))).collect();
        Self { taxonomy, node_of, leaf_of, code_of, weight_before, weighty }
    }

    /// The leaves of positive weight below a node.
    fn below(&self, node: u32) -> &[u32] {
        let covered = self.taxonomy.leaves(node);
        let from = self.weighty.partition_point(|&leaf| (leaf as usize) < covered.start);
        let to = self.weighty.partition_point(|&leaf| (leaf as usize) < covered.end);
        &self.weighty[from..to]
    }

    fn weight(&self, from: usize, to: usize) -> f64 {
        self.weight_before[to] - self.weight_before[from]
    }

    /// The generalized rows of a class, with what they can be.
    fn generalized(&self, class: u32, entries: &[(u32, u64)], rule: Rule) -> Vec<LabelGroup> {
        let node = |code: u32| self.node_of[code as usize];
        if entries.iter().all(|entry| node(entry.0).is_none()) {
            return Vec::new();
        }
        // Induced rows of each leaf, by what changes from one to the next.
        let n_leaves = self.code_of.len();
        let (mut exact, mut change) = (vec![0.0; n_leaves], vec![0.0; n_leaves + 1]);
        for &(code, rows) in entries {
            if let Some(leaf) = self.leaf_of[code as usize] {
                exact[leaf as usize] += rows as f64;
            }
            let covered = node(code).map(|node| self.taxonomy.leaves(node));
            let weight = covered.clone().map_or(0.0, |it| self.weight(it.start, it.end));
            if let Some(covered) = covered.filter(|_| weight > 0.0) {
                change[covered.start] += rows as f64 / weight;
                change[covered.end] -= rows as f64 / weight;
            }
        }
        let mut density = 0.0;
        let induced: Vec<f64> = (0..n_leaves)
            .map(|leaf| {
                density += change[leaf];
                exact[leaf] + density * self.weight(leaf, leaf + 1)
            })
            .collect();
        let most = induced.iter().copied().fold(0.0, f64::max);
        let of = |&(code, rows): &(u32, u64)| {
            let below = self.below(node(code)?);
            let most_below = below.iter().map(|&leaf| induced[leaf as usize]).fold(0.0, f64::max);
            let least = (most - 1.0).min(most_below) - 1e-9;
            let is_likely = |leaf: &&u32| rule == Rule::Random || induced[**leaf as usize] >= least;
            let candidates = below.iter().filter(is_likely).copied().collect();
            Some(LabelGroup { class, code, rows, candidates, n_below: below.len() })
        };
        entries.iter().filter_map(of).collect()
    }

    /// How many rows each base value has in the table, with the generalized ones shared among what they can be.
    fn frequencies(
        &self,
        sensitive: &PublishedSensitive,
        generalized: &[LabelGroup],
        observer: &dyn Observer,
    ) -> Vec<f64> {
        let marginal = crate::homogeneity::marginal(sensitive);
        let exact: Vec<f64> = self
            .code_of
            .iter()
            .map(|code| code.map_or(0.0, |code| marginal[code as usize] as f64))
            .collect();
        // No value is ruled out by having no row.
        let mut rows: Vec<f64> = exact.iter().map(|rows| rows + 1.0).collect();
        for _ in (0..N_ROUNDS).take_while(|_| !observer.is_cancelled()) {
            let mut next = exact.clone();
            for it in generalized {
                let all: f64 = it.candidates.iter().map(|&leaf| rows[leaf as usize]).sum();
                for &leaf in &it.candidates {
                    let share = if all > 0.0 { rows[leaf as usize] / all } else { 0.0 };
                    next[leaf as usize] += it.rows as f64 * share;
                }
            }
            rows = next;
        }
        rows
    }
}

fn guesses(
    pair: &ReleaseWithOriginal,
    attribute: usize,
    taxonomy: &Taxonomy,
    taken: &FxHashMap<(u32, u32), (u32, usize)>,
) -> Option<Guesses> {
    let published = &pair.published;
    let released = &published.rows.sensitive().get(attribute)?;
    let raw = &pair.original.sensitive()[attribute];
    let labels: Vec<&str> = taxonomy.leaf_labels().collect();
    // Of the generalized rows of each released tuple, how many there are and how many are what they are taken for.
    let (mut rows, mut right, mut by_chance) = (0u64, 0u64, 0f64);
    for link in pair.links.as_ref()? {
        let Some(tuple) = link.released.map(|tuple| tuple as usize) else { continue };
        let code = released.codes[tuple];
        let label = released.dictionary.value(code);
        if taxonomy.node_of(label).is_none_or(|node| taxonomy.is_leaf(node)) {
            continue;
        }
        rows += link.rows;
        let Some(&(guess, n_below)) = taken.get(&(published.class_of[tuple], code)) else {
            continue;
        };
        by_chance += link.rows as f64 / n_below.max(1) as f64;
        let truth = raw.dictionary.value(raw.codes[link.original as usize]);
        right += if labels[guess as usize] == truth { link.rows } else { 0 };
    }
    (rows > 0).then(|| Guesses {
        right_fraction: right as f64 / rows as f64,
        right_by_chance: by_chance / rows as f64,
    })
}
