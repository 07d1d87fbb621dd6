//! # Reversing the rule of the `sweep` method
//!
//! **Definition.** The `sweep` method generalizes only rows whose value is dominant in their class.
//! An adversary who knows this rule infers that each generalized value was a dominant value
//! (reading E-13).
//! **Formula.** The published weights show which base values a generalized label can stand for,
//! because base values of weight 0 do not occur. If one base value remains, the true value is
//! known. Otherwise let F be the induced number of rows of each base value in the class. A
//! generalized row had a value with F >= max F - 1, because its value was dominant before the class
//! lost that row, and no maximum rises later (test
//! `sweep_generalizes_only_near_dominant_values`). Among these candidates the
//! adversary guesses the value that is most frequent in the table. Its frequency is estimated by
//! expectation maximization: the generalized rows of each class are distributed among their
//! candidates in proportion to the current frequencies, which are then recomputed. If rows were
//! drawn at random, the guess is the most frequent value of the class below the label.
//! **Parameters.** `rule`: how the rows to generalize were chosen, according to the policy.
//! **Assumes.** The adversary knows the policy, the method, and the published weights.
//! **Gets.** Generalized rows; the generalized rows whose true value follows from the weights
//! alone; the largest share after the rule is reversed; the rows whose class then violates the
//! principle; with the original, the fraction of generalized rows for which the guess is right,
//! compared with a uniform guess among the values that the label can stand for.
//! **Complexity.** O(classes with generalized rows * leaves + links).
//! **Stopped by.** Drawing the rows to generalize at random (`value_selection = "random"`); for
//! labels whose true value follows from the weights, weights that do not reveal which values occur
//! (`weights = "domain"`).
//! **Source.** Reading E-13 of Theorem 1 in the (tau, l)-diversity paper. Deviation: rows that were
//! added to a class at the end may break the bound of one row; the values nearest to the largest
//! are then the candidates.

use indistinct_core::Status;
use indistinct_core::model::{ClassView, Histogram, Taxonomy, to_f64};
use indistinct_core::principle::Weights;
use indistinct_core::published::{PublishedRows, PublishedSensitive, ReleaseWithOriginal};
use indistinct_core::{Observer, Requirement};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::{AffectedRows, Attack, RiskKind};

/// The registry entry of the attack `sweep-rule`.
pub static ATTACK: Attack = Attack {
    name: "sweep-rule",
    risk: RiskKind::Inference,
    assumes: "The adversary knows the published weights and the rule by which the `sweep` method \
        generalizes rows that have the dominant value of their class.",
    gets: "The shares of sensitive values in each class after replacing each generalized value \
        with the most likely original value.",
    stopped_by: "Random selection of the rows to generalize (value_selection = \"random\") \
                 prevents the attack. The principle itself assumes that all values below a \
                 generalized value are equally likely.",
    status: Status::Experimental {
        reason: "The attack applies only to the experimental `sweep` method.",
    },
    source: "Reading E-13 of the (tau, l)-diversity paper",
};

/// The rule that selected the rows to generalize.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Rows whose value covers the dominant value.
    Dominant,
    /// Rows drawn at random from the whole class.
    Random,
}

/// Number of rounds of expectation maximization.
const N_ROUNDS: usize = 30;

/// The result of the attack `sweep-rule`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SweepRule {
    /// Rows whose sensitive value is generalized.
    pub n_rows_generalized: u64,
    /// Number of rows whose label covers exactly one base value of positive weight.
    pub n_rows_settled: u64,
    /// The largest share of a value in a class after the rule is reversed.
    pub largest_share: f64,
    /// Classes that violate a principle of the policy after the rule is reversed.
    pub failing: AffectedRows,
    /// The accuracy of the guesses, if the original is available.
    pub guesses: Option<Guesses>,
}

/// The accuracy of guesses of generalized values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Guesses {
    /// The fraction of generalized rows for which the guess is correct.
    pub right_fraction: f64,
    /// The expected fraction if the guess is uniform among all base values that the label may
    /// represent.
    pub right_by_chance: f64,
}

/// The rows of a class with the same generalized label.
#[derive(Debug)]
struct LabelGroup {
    class: u32,
    code: u32,
    rows: u64,
    /// The candidate base values, as indices of leaves.
    candidates: Vec<u32>,
    /// Number of base values of positive weight that the label covers.
    n_below: usize,
}

/// Reverses the rule. Returns `None` if no released value is an inner node of its taxonomy. The
/// `requirements` are those of the policy, constructed for the released rows.
///
/// # Panics
/// Panics if the attribute does not exist.
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

/// The base values of a taxonomy, identified by their index.
struct Leaves<'a> {
    taxonomy: &'a Taxonomy,
    /// The inner node of each released code.
    node_of: Vec<Option<u32>>,
    /// The leaf of each released code.
    leaf_of: Vec<Option<u32>>,
    /// The released code of each leaf.
    code_of: Vec<Option<u32>>,
    /// Prefix sums of the weights of the leaves; the last entry is the sum of all weights.
    weight_before: Vec<f64>,
    /// The leaves of positive weight, in ascending order.
    weighty: Vec<u32>,
}

impl<'a> Leaves<'a> {
    /// Returns the guessed base value of each generalized label in each class, and the number of
    /// base values below the label.
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
        // Without published weights, only the released values are known to occur.
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

    /// Returns the leaves of positive weight below a node.
    fn below(&self, node: u32) -> &[u32] {
        let covered = self.taxonomy.leaves(node);
        let from = self.weighty.partition_point(|&leaf| (leaf as usize) < covered.start);
        let to = self.weighty.partition_point(|&leaf| (leaf as usize) < covered.end);
        &self.weighty[from..to]
    }

    fn weight(&self, from: usize, to: usize) -> f64 {
        self.weight_before[to] - self.weight_before[from]
    }

    /// Returns the generalized rows of a class with their candidate values.
    fn generalized(&self, class: u32, entries: &[(u32, u64)], rule: Rule) -> Vec<LabelGroup> {
        let node = |code: u32| self.node_of[code as usize];
        if entries.iter().all(|entry| node(entry.0).is_none()) {
            return Vec::new();
        }
        // Accumulate the induced number of rows of each leaf from the differences between adjacent
        // leaves.
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

    /// Returns the number of rows of each base value in the table, with the generalized rows
    /// distributed among their candidates.
    fn frequencies(
        &self,
        sensitive: &PublishedSensitive,
        generalized: &[LabelGroup],
        observer: &dyn Observer,
    ) -> Vec<f64> {
        let marginal = crate::figures::marginal(sensitive);
        let exact: Vec<f64> = self
            .code_of
            .iter()
            .map(|code| code.map_or(0.0, |code| marginal[code as usize] as f64))
            .collect();
        // Add one row to each value, because a value without rows would otherwise be excluded.
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
    // Count the generalized rows, the correctly guessed rows, and the expected correct guesses by
    // chance.
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
