//! # Implications
//!
//! **Definition.** The adversary knows k basic implications between people: if some people have
//! some values, then one of several people has one of several values ("if Ann has flu, Bob also has
//! flu"). A release is (c, k)-safe if and only if, for all sets of k implications, the belief in
//! any value of any person is at most c.
//! **Formula.** The worst k implications are simple and lead to the person's own value A: A_1 -> A,
//! ..., A_k -> A (Theorem 9 of the paper). The belief in A is then 1 / (1 + P(not A, not A_1, ...,
//! not A_k) / P(A)), and classes are independent. In a class of n rows, let S(j) be the number of
//! rows with one of its j most frequent values. The probability that no person has the value stated
//! for them, for m such statements, is at least min prod_i (n - i - S(k_i)) / (n - i), over k_0 >=
//! k_1 >= ... with sum m (MINIMIZE1 in the paper). The allocation of implications to classes is
//! computed class by class (MINIMIZE2).
//! **Parameters.** k = 0, ..., [`MOST_IMPLICATIONS`].
//! **Assumes.** The adversary knows the class of each person; within a class, all assignments of
//! the values are equally likely.
//! **Gets.** For each k, the largest belief, and the distribution of the largest belief about each
//! person over the rows; the smallest k that makes some value certain.
//! **Complexity.** O(classes * (k^2 + partitions of k)) after the counts are sorted.
//! **Stopped by.** (c, k)-safety; partly by recursive (c, l)-diversity, which withstands l - 2
//! statements of the form "not v".
//! **Source.** Martin, Kifer, Machanavajjhala, Gehrke, Halpern, ICDE 2007. Deviations: figures are
//! doubles, because no verdict depends on them; they are compared with all worlds and all
//! implications of small tables (test `worst_implications_match_enumeration`).

use indistinct_core::Observer;
use indistinct_core::Status;
use indistinct_core::published::PublishedRows;
use serde::Serialize;

use crate::figures::classes;
use crate::{Attack, Distribution, RiskKind};

/// The registry entry of the attack `implications`.
pub static ATTACK: Attack = Attack {
    name: "implications",
    risk: RiskKind::Inference,
    assumes: "The adversary knows the class of each person and some implications of the form \"if \
              one person has a certain value, then another person has a certain value\".",
    gets: "The largest probability that an adversary assigns to a sensitive value after learning a \
           small number of implications, in the worst case.",
    stopped_by: "(c, k)-safety. l-diversity limits statements \"not v\" about one person, but not \
                 implications between people.",
    status: Status::Experimental { reason: "No published result is available for comparison." },
    source: "Martin, Kifer, Machanavajjhala, Gehrke, Halpern, ICDE 2007",
};

/// The largest number of implications that the attack evaluates.
pub const MOST_IMPLICATIONS: usize = 5;

/// The result of the attack `implications`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Implications {
    /// The figures for each number of implications, starting with 0.
    pub by_number: Vec<OfNumber>,
    /// The smallest number of implications that makes some value certain, if the attack evaluates
    /// that number.
    pub certain_from: Option<u64>,
}

/// The figures for one number of implications.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct OfNumber {
    /// Number of implications.
    pub n_implications: u64,
    /// The largest belief in a sensitive value of a person. The release is (c, k)-safe for this c.
    pub largest: f64,
    /// The distribution over rows of the adversary's largest belief in a sensitive value.
    pub beliefs: Option<Distribution>,
}

/// Computes the effect of the worst implications.
///
/// # Panics
/// Panics if the attribute does not exist.
pub fn attack(
    published: &PublishedRows,
    attribute: usize,
    observer: &dyn Observer,
) -> Implications {
    let classes: Vec<Class> = classes(&published.sensitive[attribute], observer)
        .map(|(entries, _)| Class::from_entries(entries))
        .collect();
    let most = MOST_IMPLICATIONS;
    // The smallest probability of missing m values in the classes before each class, and in the
    // classes after it.
    let mut before = vec![one(most)];
    for class in &classes {
        let last = before.last().expect("the list starts with one element");
        before.push(joined(last, &class.missed));
    }
    let mut after = vec![one(most)];
    for class in classes.iter().rev() {
        let last = after.last().expect("the list starts with one element");
        after.push(joined(last, &class.missed));
    }
    let mut beliefs = vec![Vec::new(); most + 1];
    for (at, class) in classes.iter().enumerate().take_while(|_| !observer.is_cancelled()) {
        let others = joined(&before[at], &after[classes.len() - at - 1]);
        let odds = joined(&others, &class.against);
        for (k, against) in odds.iter().enumerate() {
            beliefs[k].push((1.0 / (1.0 + against), class.n_rows));
        }
    }
    let by_number: Vec<OfNumber> = (0u64..)
        .zip(beliefs)
        .map(|(n_implications, beliefs)| OfNumber {
            n_implications,
            largest: beliefs.iter().map(|belief| belief.0).fold(0.0, f64::max),
            beliefs: Distribution::from_figures(beliefs),
        })
        .collect();
    let certain = by_number.iter().find(|of| of.largest >= 1.0);
    let certain_from = certain.map(|of| of.n_implications);
    Implications { by_number, certain_from }
}

/// The figures of a class.
struct Class {
    n_rows: u64,
    /// For m = 0, 1, ..., the smallest probability that m guesses about sensitive values are all
    /// wrong.
    missed: Vec<f64>,
    /// For k = 0, 1, ..., the smallest probability that k + 1 guesses, including the guess of the
    /// target's value, are all wrong, divided by the probability of the target's value.
    against: Vec<f64>,
}

/// Returns the neutral element of [`joined`], which represents an empty list of classes.
fn one(most: usize) -> Vec<f64> {
    vec![1.0; most + 1]
}

/// Returns, for each total, the smallest product over all ways to split the total between `a` and
/// `b`.
fn joined(a: &[f64], b: &[f64]) -> Vec<f64> {
    let of = |m: usize| (0..=m).map(|own| a[own] * b[m - own]).fold(f64::INFINITY, f64::min);
    (0..a.len().min(b.len())).map(of).collect()
}

impl Class {
    fn from_entries(entries: &[(u32, u64)]) -> Self {
        let mut counts: Vec<u64> = entries.iter().map(|entry| entry.1).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let n_rows: u64 = counts.iter().sum();
        let top: Vec<u64> =
            (0..=MOST_IMPLICATIONS + 1).map(|values| counts.iter().take(values).sum()).collect();
        let mut missed: Vec<f64> =
            (0..=MOST_IMPLICATIONS + 1).map(|m| least(&top, n_rows, 0, m, m)).collect();
        // An additional guess never increases the probability that all guesses are wrong.
        for m in 1..missed.len() {
            missed[m] = missed[m].min(missed[m - 1]);
        }
        let share = counts[0] as f64 / n_rows as f64;
        let against = missed[1..].iter().map(|missed| missed / share).collect();
        missed.truncate(MOST_IMPLICATIONS + 1);
        Self { n_rows, missed, against }
    }
}

/// Returns the smallest probability that m values are all missed if each person from index i onward
/// has at most `most` values.
fn least(top: &[u64], n_rows: u64, i: u64, most: usize, m: usize) -> f64 {
    if m == 0 {
        return 1.0;
    }
    if i >= n_rows {
        return f64::INFINITY;
    }
    let left = n_rows - i;
    (1..=most.min(m))
        .map(|values| {
            let missed = left.saturating_sub(top[values]) as f64 / left as f64;
            if missed == 0.0 { 0.0 } else { missed * least(top, n_rows, i + 1, values, m - values) }
        })
        .fold(f64::INFINITY, f64::min)
}
