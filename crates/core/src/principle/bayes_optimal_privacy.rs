//! # Bayes-optimal privacy (bounded change in belief)
//!
//! **Definition.** A class has Bayes-optimal privacy iff |beta_s - alpha_s| <= difference for every
//! sensitive value s. The prior belief alpha_s is the share of s in all released rows, and the
//! posterior belief beta_s is the share of s in the class. Values that do not occur in the class
//! count, too.
//! **Formula.** |n_s N - N_s |C|| / (|C| N), for n_s of |C| rows in the class and N_s of N released
//! rows; the maximum over all s.
//! **Parameters.** `attribute`: sensitive. `difference`: number from 0 to 1, no unit.
//! **Level.** `difference`: the largest change, exact; smaller is safer; the maximum over all
//! classes.
//! **Monotone.** Under merging: yes, because the share of a value in a union is between its shares
//! in the parts (test `merging_keeps`). Under suppression: no, because the released rows change.
//! **Complexity.** O(values of the attribute) for each class.
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** Identity disclosure. Adversaries with another prior belief: the
//! bound holds for an adversary whose belief about everyone is the distribution of the released
//! rows, and `attack --prior` computes the change for a given prior. Similar values. Linkage of
//! releases.
//! **Source.** Machanavajjhala et al., ACM TKDD 2007, Section 3.2: a Bayes-optimal definition that
//! bounds the difference between alpha and beta (Theorem 3.1 with a prior f(q, s) that does not
//! depend on q). Deviations: the prior is the distribution in the released rows, as for t-closeness
//! (reading G-1); (rho1, rho2)-breaches are computed by `attack`, because they are not monotone.

use super::shares::{Likeness, Rule, Shares};
use super::*;

pub(super) static KIND: Kind = Kind {
    name: "bayes-optimal-privacy",
    definition: "In every class, the share of each sensitive value differs from its share in all \
                 released rows by at most the required difference.",
    promise: &always(
        "In every class, the share of each sensitive value differs from its share in all released \
         rows by at most {difference}: an adversary who knew only the latter changes the belief in \
         a value by at most this difference.",
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
    level: "difference, the largest difference of shares in a class",
    safer_below: &["difference"],
    merging: Merging::Keeps,
    status: Status::Experimental {
        reason: "No other implementation or published result is available for comparison.",
    },
    does_not_protect_against: "identity disclosure, adversaries with other prior beliefs, \
        disclosure by values with similar meanings, information revealed by all released rows \
        together, or linkage of several releases",
    source: "Machanavajjhala et al., ACM TKDD 2007, Section 3.2",
    readings: &["G-1"],
    ..Kind::base(build)
};

/// The absolute difference of the two shares of a value.
#[derive(Debug, Clone)]
struct Difference;

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let shares = Shares::new(context.table.marginal(context.column()));
    let threshold = parameters.number("difference");
    let bound = Bound { name: "difference", relation: Relation::AtMost, threshold };
    Ok(Box::new(Likeness::new(context.attribute(), shares, &Difference, bound)))
}

impl Rule for Difference {
    fn relative_to(&self, _: &Shares) -> Self {
        Self
    }

    fn level(&self, shares: &Shares, entries: &[(u32, u64)], size: u64, _: &Bound) -> Level {
        let mut entries = entries.iter().peekable();
        let mut largest = 0;
        for code in 0..shares.rows.len() as u32 {
            let count = entries.next_if(|entry| entry.0 == code).map_or(0, |entry| entry.1);
            let pair = shares.relative_to(code, count, size);
            largest = largest.max((pair.of_class - pair.of_all).abs());
        }
        let whole = i128::from(size) * i128::from(shares.n_released);
        Level::One(Quantity::Exact(match whole {
            0 => Rational::from_integer(0),
            whole => Rational::new(largest, whole),
        }))
    }
}
