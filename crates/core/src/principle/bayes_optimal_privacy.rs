//! # Bayes-optimal privacy (bounded change in belief)
//!
//! **Definition.** A class has Bayes-optimal privacy iff |beta_s - alpha_s| <= difference for every
//! sensitive value s. The prior belief alpha_s is the share of s in all released rows, and the
//! posterior belief beta_s is the share of s in the class. The bound also applies to values that do
//! not occur in the class.
//! **Formula.** |n_s N - N_s |C|| / (|C| N), for n_s of |C| rows in the class and N_s of N released
//! rows; the maximum over all s.
//! **Parameters.** `attribute`: sensitive. `difference`: number from 0 to 1, no unit.
//! **Level.** `difference`: the largest change, exact; smaller is safer; the maximum over all
//! classes.
//! **Monotone.** Merging preserves the principle, because the share of a value in a union is
//! between its shares in the parts, and the prior belief is the same for all classes (test
//! `merging_keeps`). With prior beliefs that depend on the quasi-identifiers, merging may break
//! the principle (Theorem 5.1, test `counterexample_to_theorem_5_1`). Suppression may break the
//! principle, because the released rows change (test `suppression_may_increase_change_in_belief`).
//! **Complexity.** O(values of the class); O(m log m) once.
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** Identity disclosure. Adversaries with other prior beliefs: the
//! bound applies to a prior belief about every person that equals the distribution of the released
//! rows; `attack --prior` computes the change for a given prior. Rare values: with a difference of
//! 0.1, a belief may increase from 0.001 to 0.101. Similar values. Linkage of releases. Inference
//! of finer values from the choice of classes and labels (attack `refinement`).
//! **Source.** Machanavajjhala et al., ACM TKDD 2007, Section 3.2, which calls any bound on the
//! difference between alpha and beta a Bayes-optimal privacy definition. beta is the belief of
//! Theorem 3.1 for a prior f in which f(s | q) does not depend on q. Deviations: alpha is the
//! distribution in the released rows, as for t-closeness (reading G-1).

use std::cmp::Reverse;

use super::shares::{Likeness, Rule, SharePair, Shares};
use super::*;

pub(super) static KIND: Kind = Kind {
    name: "bayes-optimal-privacy",
    definition: "In every class, the share of each sensitive value differs from its share in all \
                 released rows by at most the required difference.",
    promise: &always(
        "In every class, the share of each sensitive value differs from its share in all released \
         rows by at most {difference}, which bounds the change in the belief of an adversary whose \
         prior belief equals the latter share.",
    ),
    of_people: OfPeople::Nothing(
        "the principle assumes one value per person; the literature does not define the change in \
         belief for several values",
    ),
    parameters: &parameters! {
        /// maximum difference between the share of a sensitive value in a class and its share in
        /// all released rows
        "difference" => Number(NumberRange::Within(0, 1)), Required;
    },
    level: "difference, the largest difference between the two shares of a value in a class",
    safer_below: &["difference"],
    merging: Merging::Keeps,
    status: Status::Experimental {
        reason: "No other implementation or published result is available for comparison.",
    },
    does_not_protect_against: "identity disclosure, adversaries with other prior beliefs, large \
        relative changes in the belief in rare values, disclosure by values with similar meanings, \
        information revealed by all released rows together, inference of finer values from the \
        choice of classes and labels, or linkage of several releases",
    source: "Machanavajjhala et al., ACM TKDD 2007, Section 3.2",
    readings: &["G-1", "G-3"],
    ..Kind::base(build)
};

/// Limits the absolute difference between the two shares of each value.
#[derive(Debug, Clone)]
struct Difference {
    /// The codes in descending order of their released rows.
    by_rows: Vec<u32>,
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let shares = Shares::new(context.table.marginal(context.column()));
    let threshold = parameters.number("difference");
    let bound = Bound { name: "difference", relation: Relation::AtMost, threshold };
    let rule = Difference { by_rows: Vec::new() };
    Ok(Box::new(Likeness::new(context.attribute(), shares, &rule, bound)))
}

impl Rule for Difference {
    fn relative_to(&self, shares: &Shares) -> Self {
        let mut by_rows: Vec<u32> = (0..shares.rows.len() as u32).collect();
        by_rows.sort_by_key(|&code| Reverse(shares.rows[code as usize]));
        Self { by_rows }
    }

    fn level(&self, shares: &Shares, entries: &[(u32, u64)], size: u64, _: &Bound) -> Level {
        let is_absent = |code: &u32| entries.binary_search_by_key(code, |entry| entry.0).is_err();
        // Of the values that are absent from the class, the most frequent one changes most.
        let absent = self.by_rows.iter().copied().find(is_absent).map(|code| (code, 0));
        let change = |(code, count)| {
            let SharePair { of_class, of_all } = shares.relative_to(code, count, size);
            (of_class - of_all).abs()
        };
        let largest = entries.iter().copied().chain(absent).map(change).max().unwrap_or(0);
        // An empty class, or a class of a release without rows, has no change.
        let whole = (i128::from(size) * i128::from(shares.n_released)).max(1);
        Level::One(Quantity::Exact(Rational::new(largest, whole)))
    }
}
