//! # The rule of the sweep, undone
//!
//! **Definition.** A sweep generalizes just the secrets that cover the dominant base value, so that whoever knows the rule takes each
//! generalized secret for the dominant value below it (reading E-13).
//! **Formula.** In each class a released label of an inner node stands for the base value below it that has most rows in the class
//! (where none has any: most rows in the release; ties: the first). Shares are counted again with these values.
//! **Assumes.** The adversary knows the policy and the method; secrets were generalized by the dominant choice.
//! **Gets.** Generalized rows, the largest share after undoing, rows whose class fails the principle then; with the original, for how many
//! generalized rows the guess is right, beside what a uniform guess below the label would get.
//! **Complexity.** O(histograms + links).
//! **Stopped by.** Drawing the secrets to generalize at random (`choice = "random"`).
//! **Source.** Reading E-13 on the (tau, l)-diversity text, Theorem 1. Deviations: the adversary's guess of which value was dominant is the
//! most frequent released one.

use indistinct_core::Requirement;
use indistinct_core::model::{ClassView, Histogram, Taxonomy};
use indistinct_core::published::{Beside, Published, PublishedSecret};
use indistinct_language::words;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::{Affected, Attack, Risk};

/// The attack.
pub static ATTACK: Attack = Attack {
    name: "sweep-rule",
    risk: Risk::Inference,
    assumes: "The adversary knows that secrets were generalized by the sweep's rule: just those that cover the dominant value of their class.",
    gets: "What the classes hold if every generalized secret is taken for the dominant value below it.",
    stopped_by: "Drawing the secrets to generalize at random (choice = \"random\"). The principle itself assumes a uniform value within a generalized secret.",
    source: "Reading E-13 on the (tau, l)-diversity text",
};

/// What undoing the rule gets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SweepRule {
    /// Rows whose secret is generalized.
    pub n_rows_generalized: u64,
    /// The largest share of a value in a class after undoing.
    pub largest_share: f64,
    /// Classes that fail a principle of the policy after undoing.
    pub failing: Affected,
    /// How often the guess is right, where the original is at hand.
    pub guesses: Option<Guesses>,
}

/// How often guesses of generalized secrets are right.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Guesses {
    /// Expected fraction of the generalized rows.
    pub right_fraction: f64,
    /// The same for a guess that takes all base values below the label alike.
    pub right_by_chance: f64,
}

/// Undoes the rule; `None` where no released secret is an inner node of its taxonomy. `requirements` are those of the policy, built for
/// the released rows.
///
/// # Panics
/// If there is no such attribute.
pub fn attack(
    published: &Published,
    attribute: usize,
    requirements: &[Requirement],
    beside: Option<&Beside>,
) -> Option<SweepRule> {
    let secret = &published.secrets[attribute];
    let taxonomy = secret.taxonomy.as_ref()?;
    let below = values_below(secret, taxonomy);
    below.iter().any(Option::is_some).then_some(())?;
    let marginal = crate::homogeneity::marginal(secret);
    let mut found = SweepRule {
        n_rows_generalized: 0,
        largest_share: 0.0,
        failing: Affected::default(),
        guesses: None,
    };
    let own: Vec<&Requirement> = requirements
        .iter()
        .filter(|requirement| requirement.attribute.as_deref() == Some(secret.name.as_str()))
        .collect();
    // What each generalized label is taken for, class by class.
    let mut taken: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for (class, entries) in (0u32..).zip(&secret.histograms) {
        let size: u64 = entries.iter().map(|entry| entry.1).sum();
        let mut undone: FxHashMap<u32, u64> = FxHashMap::default();
        for &(code, rows) in entries {
            let guess = below[code as usize].as_deref().and_then(|values| {
                let of = |value: u32| {
                    let here = entries.binary_search_by_key(&value, |entry| entry.0);
                    (here.map_or(0, |at| entries[at].1), marginal[value as usize])
                };
                values.iter().copied().reduce(|a, b| if of(b) > of(a) { b } else { a })
            });
            if below[code as usize].is_some() {
                found.n_rows_generalized += rows;
            }
            if let Some(guess) = guess {
                taken.insert((class, code), guess);
            }
            *undone.entry(guess.unwrap_or(code)).or_insert(0) += rows;
        }
        let mut undone: Vec<(u32, u64)> = undone.into_iter().collect();
        undone.sort_unstable();
        let largest = undone.iter().map(|entry| entry.1).max().unwrap_or(0);
        found.largest_share = found.largest_share.max(largest as f64 / size.max(1) as f64);
        let histograms: Vec<Histogram<'_>> = published
            .secrets
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
    found.guesses = beside.and_then(|beside| guesses(beside, attribute, taxonomy, &taken));
    Some(found)
}

/// For each released value the released base values below it, if it is an inner node.
fn values_below(secret: &PublishedSecret, taxonomy: &Taxonomy) -> Vec<Option<Vec<u32>>> {
    let nodes: Vec<Option<u32>> =
        secret.dictionary.values().iter().map(|value| taxonomy.node_of(value)).collect();
    let leaves: Vec<(usize, u32)> = nodes
        .iter()
        .zip(0u32..)
        .filter_map(|(node, code)| {
            let node = node.filter(|&node| taxonomy.is_leaf(node))?;
            Some((taxonomy.leaves(node).start, code))
        })
        .collect();
    let below = |node: &Option<u32>| {
        let node = node.filter(|&node| !taxonomy.is_leaf(node))?;
        let covered = taxonomy.leaves(node);
        Some(leaves.iter().filter(|leaf| covered.contains(&leaf.0)).map(|leaf| leaf.1).collect())
    };
    nodes.iter().map(below).collect()
}

fn guesses(
    beside: &Beside,
    attribute: usize,
    taxonomy: &Taxonomy,
    taken: &FxHashMap<(u32, u32), u32>,
) -> Option<Guesses> {
    let published = &beside.published;
    let released = &published.rows.sensitive().get(attribute)?;
    let raw = &beside.original.sensitive()[attribute];
    // Of the generalized rows of each released tuple, how many there are and how many are what they are taken for.
    let (mut rows, mut right, mut by_chance) = (0u64, 0u64, 0f64);
    for link in beside.links.as_ref()? {
        let Some(tuple) = link.released.map(|tuple| tuple as usize) else { continue };
        let code = released.codes[tuple];
        let label = released.dictionary.value(code);
        let Some(node) = taxonomy.node_of(label).filter(|&node| !taxonomy.is_leaf(node)) else {
            continue;
        };
        rows += link.rows;
        by_chance += link.rows as f64 / taxonomy.leaves(node).len().max(1) as f64;
        let guess = taken.get(&(published.class_of[tuple], code));
        let truth = raw.dictionary.value(raw.codes[link.original as usize]);
        if guess.is_some_and(|&guess| released.dictionary.value(guess) == truth) {
            right += link.rows;
        }
    }
    (rows > 0).then(|| Guesses {
        right_fraction: right as f64 / rows as f64,
        right_by_chance: by_chance / rows as f64,
    })
}

impl SweepRule {
    pub(crate) fn sentences(&self) -> Vec<String> {
        let mut got = vec![format!(
            "{} have a generalized secret. Taken for the dominant value below, a secret has a share of {} in some class.",
            words::rows(self.n_rows_generalized),
            words::percent(self.largest_share)
        )];
        got.push(format!(
            "Then {} with {} fail a principle of the policy.",
            words::classes(self.failing.n_classes),
            words::rows(self.failing.n_rows)
        ));
        if let Some(guesses) = &self.guesses {
            got.push(format!(
                "Measured with the original: the guess is right for {} of the generalized rows, a uniform one below the label for {}.",
                words::percent(guesses.right_fraction),
                words::percent(guesses.right_by_chance)
            ));
        }
        got
    }
}
