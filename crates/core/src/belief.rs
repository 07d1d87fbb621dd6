//! # Bayes-optimal analysis
//!
//! **Definition.** What an adversary believes about a person in a class. The adversary knows the
//! joint distribution f of quasi-identifiers and sensitive values, and sees how often each
//! sensitive value occurs in the class (Theorem 3.1).
//! **Formula.** beta(q, s) = n_s f(s|q) / f(s|q*), divided by the sum of this expression over all
//! s, where f(s|q*) is the prior share of s among all people whose quasi-identifiers the class
//! covers.
//! **Parameters.** A [`Prior`]: a weight for each pair (quasi-identifiers, sensitive value).
//! **Complexity.** O(pairs of the class) for all people of the class together. Comparisons use
//! floating-point numbers, and exact fractions near the boundary.
//! **Errors.** [`BeliefError`]: the release contradicts the prior (reading B-12).
//! **Source.** Machanavajjhala et al., TKDD 2007, Theorem 3.1, Definitions 3.1 to 3.3. Deviations:
//! readings B-8, B-12, B-16.

use indistinct_diagnostics::{errors, words};
use num_rational::BigRational;
use num_traits::{FromPrimitive, Num, ToPrimitive};
use rustc_hash::FxHashMap;

use crate::model::{FrequencyTable, Rational, to_big};

/// The background knowledge of an adversary before the release: a weight for each pair of a
/// quasi-identifier combination and a sensitive value.
///
/// The caller assigns numbers to combinations and sensitive values. Weights are relative and need
/// not add up to 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prior {
    /// For each combination, its sensitive values with their weights, in ascending order. Weights
    /// are positive.
    weights: FxHashMap<u32, Vec<(u32, Rational)>>,
}

/// A class of a release from the perspective of an adversary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The quasi-identifier combinations that the class covers.
    pub covers: Vec<u32>,
    /// The sensitive values of the class, by their numbers, with their row counts. Each value
    /// occurs once.
    pub rows: Vec<(u32, u64)>,
}

impl Block {
    /// Creates a class with the given numbers of rows for the sensitive values 0, 1, and so on.
    pub fn of_counts(covers: &[u32], counts: &[u64]) -> Self {
        let rows = (0u32..).zip(counts.iter().copied()).filter(|(_, rows)| *rows > 0);
        Self { covers: covers.to_vec(), rows: rows.collect() }
    }
}

/// The belief of an adversary about one person and one sensitive value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Belief {
    /// The probability before the release.
    pub prior: f64,
    /// The probability after the release.
    pub posterior: f64,
    /// Whether the prior is above 1 - delta, which means that the adversary was nearly certain
    /// before the release.
    pub was_sure: bool,
    /// Whether the sensitive value was nearly excluded before the release: the prior is below
    /// epsilon.
    pub was_excluded: bool,
    /// Whether the adversary is nearly sure of the sensitive value: the posterior is above 1 -
    /// delta (Definition 3.1). The caller must check whether a person with these quasi-identifiers
    /// has the value.
    pub is_sure: bool,
    /// Whether the adversary can nearly exclude the sensitive value: the posterior is below epsilon
    /// (Definition 3.2).
    pub is_excluded: bool,
    /// Whether the belief is a (rho1, rho2)-breach (Definition 3.3).
    pub is_breach: bool,
}

/// The thresholds for disclosures and breaches. All comparisons are strict (reading B-16).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// A posterior above 1 - delta is a positive disclosure.
    pub delta: Rational,
    /// A posterior below epsilon is a negative disclosure.
    pub epsilon: Rational,
    /// Breach if the prior is below rho1 and the posterior above rho2, or if the prior is above 1 -
    /// rho1 and the posterior below 1 - rho2.
    pub rho1: Rational,
    /// The threshold that is compared with the posterior to detect breaches.
    pub rho2: Rational,
}

errors! {
    /// A contradiction between a release and a prior.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum BeliefError {
        /// The prior excludes a sensitive value of the class for all people in the class.
        #[error(
            "{} a sensitive value that the prior excludes for all people in the class",
            words::counted(*n_rows, "row has", "rows have")
        )]
        #[code("E-BELIEF-001", "add a positive weight to the prior for every sensitive value of \
                the class")]
        Excluded {
            /// The number of rows whose sensitive value the prior excludes.
            n_rows: u64,
        },
        /// The prior excludes all sensitive values of the class for the requested person.
        #[error("the prior excludes every sensitive value of the class for the person")]
        #[code("E-BELIEF-002", "add a positive weight to the prior for the person and a sensitive \
                value of the class")]
        NothingLeft,
        /// The prior does not contain the requested person.
        #[error("the prior does not contain the person's quasi-identifiers")]
        #[code("E-BELIEF-003", "add a positive weight for the person to the prior")]
        Unknown,
    }
}

impl Prior {
    /// Creates a prior from its weights. If a pair occurs several times, the weights of all its
    /// occurrences are added.
    ///
    /// # Panics
    /// Panics if a weight is negative.
    pub fn new(weights: impl IntoIterator<Item = (u32, u32, Rational)>) -> Self {
        let none = Rational::from_integer(0);
        let mut pairs: Vec<(u32, u32, Rational)> = weights.into_iter().collect();
        pairs.sort_by_key(|&(q, s, _)| (q, s));
        let mut prior = Self::default();
        for of_pair in pairs.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            assert!(of_pair.iter().all(|pair| pair.2 >= none), "all weights must be nonnegative");
            let (q, s) = (of_pair[0].0, of_pair[0].1);
            let weight: Rational = of_pair.iter().map(|pair| pair.2).sum();
            if weight > none {
                prior.weights.entry(q).or_default().push((s, weight));
            }
        }
        prior
    }

    /// Creates a prior from the joint distribution of a table. This is the worst case: the
    /// adversary's background knowledge is the table itself.
    ///
    /// A quasi-identifier combination has the number of its group in [`FrequencyTable::groups`],
    /// and a sensitive value is identified by its code.
    ///
    /// # Panics
    /// Panics if the sensitive attribute does not exist.
    pub fn of_table(table: &FrequencyTable, attribute: usize) -> Self {
        let values = &table.sensitive()[attribute].codes;
        let groups = table.groups();
        let pairs = (0u32..).zip(groups.iter()).flat_map(|(q, tuples)| {
            tuples.map(move |tuple| {
                let rows = Rational::from_integer(i128::from(table.counts()[tuple]));
                (q, values[tuple], rows)
            })
        });
        Self::new(pairs)
    }

    fn of(&self, q: u32) -> &[(u32, Rational)] {
        self.weights.get(&q).map_or(&[], Vec::as_slice)
    }

    /// Returns n_s / f(s|q*) for each sensitive value of the class, up to a common factor that
    /// cancels.
    fn ratios<T: Amount>(&self, block: &Block) -> Result<FxHashMap<u32, T>, BeliefError> {
        let mut within: FxHashMap<u32, T> =
            block.rows.iter().map(|&(value, _)| (value, T::zero())).collect();
        for &(value, weight) in block.covers.iter().flat_map(|&q| self.of(q)) {
            if let Some(sum) = within.get_mut(&value) {
                *sum = sum.clone() + T::from_rational(&weight);
            }
        }
        let mut n_excluded = 0;
        for &(value, rows) in &block.rows {
            let share = within
                .get_mut(&value)
                .expect("the map has an entry for each sensitive value of the class");
            if share.is_zero() {
                n_excluded += rows;
            } else {
                *share = T::from_u64(rows).expect("every count is representable as a number")
                    / share.clone();
            }
        }
        if n_excluded > 0 {
            return Err(BeliefError::Excluded { n_rows: n_excluded });
        }
        Ok(within)
    }

    /// Returns the sensitive values that are possible for the person according to the prior, with
    /// their prior and posterior probabilities.
    fn of_person<T: Amount>(
        &self,
        ratios: &FxHashMap<u32, T>,
        person: u32,
    ) -> Result<Vec<(u32, T, T)>, BeliefError> {
        let own: Vec<(u32, T)> = self
            .of(person)
            .iter()
            .map(|(value, weight)| (*value, T::from_rational(weight)))
            .collect();
        if own.is_empty() {
            return Err(BeliefError::Unknown);
        }
        let total = own.iter().fold(T::zero(), |sum, (_, weight)| sum + weight.clone());
        let given = own.into_iter().map(|(value, weight)| (value, weight / total.clone()));
        let terms: Vec<(u32, T, T)> = given
            .map(|(value, prior)| {
                let ratio = ratios.get(&value).cloned().unwrap_or_else(T::zero);
                let term = ratio * prior.clone();
                (value, prior, term)
            })
            .collect();
        let sum = terms.iter().fold(T::zero(), |sum, (_, _, term)| sum + term.clone());
        if sum.is_zero() {
            return Err(BeliefError::NothingLeft);
        }
        let posterior = |(value, prior, term)| (value, prior, term / sum.clone());
        Ok(terms.into_iter().map(posterior).collect())
    }
}

/// The beliefs of an adversary about the people of one class, computed one person at a time.
pub struct BlockBeliefs<'a> {
    prior: &'a Prior,
    block: &'a Block,
    thresholds: Thresholds,
    ratios: FxHashMap<u32, f64>,
    /// The exact ratios, which are computed the first time that a belief is close to a limit.
    exact: Option<FxHashMap<u32, BigRational>>,
}

impl<'a> BlockBeliefs<'a> {
    /// Prepares the computation of beliefs about a class and their comparison with limits.
    ///
    /// # Errors
    /// Returns [`BeliefError::Excluded`] if the class contradicts the prior.
    pub fn new(prior: &'a Prior, block: &'a Block, limits: &Limits) -> Result<Self, BeliefError> {
        let thresholds = Thresholds::from_limits(limits);
        Ok(Self { prior, block, thresholds, ratios: prior.ratios(block)?, exact: None })
    }

    fn judge<T: Amount>(&self, prior: T, posterior: T) -> Belief {
        self.thresholds.judge(&prior, &posterior)
    }

    /// Returns the beliefs about a person whom the class covers: one for each sensitive value with
    /// a positive prior, in ascending order. All other values have probability 0 before and after
    /// the release. Comparisons are exact at the boundary.
    ///
    /// # Errors
    /// Returns [`BeliefError::Unknown`] and [`BeliefError::NothingLeft`].
    pub fn of(&mut self, person: u32) -> Result<Vec<(u32, Belief)>, BeliefError> {
        let doubles = self.prior.of_person::<f64>(&self.ratios, person)?;
        let is_near = |value: f64| self.thresholds.is_near(value);
        if !doubles.iter().any(|&(_, prior, posterior)| is_near(prior) || is_near(posterior)) {
            let judged = doubles.iter().map(|&(value, a, b)| (value, self.judge(a, b)));
            return Ok(judged.collect());
        }
        if self.exact.is_none() {
            self.exact = Some(self.prior.ratios(self.block)?);
        }
        let ratios = self.exact.as_ref().expect("the exact ratios were computed above");
        let exact = self.prior.of_person::<BigRational>(ratios, person)?;
        Ok(exact.into_iter().map(|(value, a, b)| (value, self.judge(a, b))).collect())
    }
}

/// The thresholds for beliefs.
struct Thresholds {
    sure: Rational,
    excluded: Rational,
    rho1: Rational,
    rho2: Rational,
    not_rho1: Rational,
    not_rho2: Rational,
}

impl Thresholds {
    fn from_limits(limits: &Limits) -> Self {
        let one = Rational::from_integer(1);
        Self {
            sure: one - limits.delta,
            excluded: limits.epsilon,
            rho1: limits.rho1,
            rho2: limits.rho2,
            not_rho1: one - limits.rho1,
            not_rho2: one - limits.rho2,
        }
    }

    fn is_near(&self, value: f64) -> bool {
        let Self { sure, excluded, rho1, rho2, not_rho1, not_rho2 } = self;
        let all = [sure, excluded, rho1, rho2, not_rho1, not_rho2];
        all.into_iter().any(|limit| (value - f64::from_rational(limit)).abs() < 1e-9)
    }

    fn judge<T: Amount>(&self, prior: &T, posterior: &T) -> Belief {
        let above = |value: &T, limit: &Rational| *value > T::from_rational(limit);
        let below = |value: &T, limit: &Rational| *value < T::from_rational(limit);
        let rises = below(prior, &self.rho1) && above(posterior, &self.rho2);
        let falls = above(prior, &self.not_rho1) && below(posterior, &self.not_rho2);
        Belief {
            prior: prior.to_f64().unwrap_or(f64::NAN),
            posterior: posterior.to_f64().unwrap_or(f64::NAN),
            was_sure: above(prior, &self.sure),
            was_excluded: below(prior, &self.excluded),
            is_sure: above(posterior, &self.sure),
            is_excluded: below(posterior, &self.excluded),
            is_breach: rises || falls,
        }
    }
}

/// A number type for computing beliefs: floating-point numbers or exact fractions.
trait Amount: Num + Clone + PartialOrd + FromPrimitive + ToPrimitive {
    fn from_rational(value: &Rational) -> Self;
}

impl Amount for f64 {
    fn from_rational(value: &Rational) -> Self {
        value.to_f64().unwrap_or(f64::NAN)
    }
}

impl Amount for BigRational {
    fn from_rational(value: &Rational) -> Self {
        to_big(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prior(weights: &[(u32, u32, i128)]) -> Prior {
        Prior::new(weights.iter().map(|&(q, s, w)| (q, s, Rational::new(w, 100))))
    }

    fn believed(
        prior: &Prior,
        block: &Block,
        person: u32,
        limits: &Limits,
    ) -> Result<Vec<(u32, Belief)>, BeliefError> {
        BlockBeliefs::new(prior, block, limits)?.of(person)
    }

    fn limits(delta: Rational, epsilon: Rational) -> Limits {
        Limits { delta, epsilon, rho1: Rational::new(31, 100), rho2: Rational::new(58, 100) }
    }

    #[test]
    fn counterexample_to_theorem_5_1() {
        let prior = prior(&[(0, 0, 15), (0, 1, 35), (1, 0, 25), (1, 1, 25)]);
        let block = Block::of_counts(&[0, 1], &[36, 16]);
        let tenth = Rational::new(1, 10);
        let first = believed(&prior, &block, 0, &limits(tenth, tenth)).expect("no contradiction");
        assert!((first[0].1.prior - 0.3).abs() < 1e-12);
        assert!((first[0].1.posterior - 0.5912408759124088).abs() < 1e-12);
        assert_eq!(first.iter().map(|(_, b)| b.is_breach).collect::<Vec<_>>(), [true, true]);
        let second = believed(&prior, &block, 1, &limits(tenth, tenth)).expect("no contradiction");
        assert!((second[0].1.posterior - 27.0 / 35.0).abs() < 1e-12);
        let exact = prior.of_person::<BigRational>(&prior.ratios(&block).expect("fine"), 1);
        assert_eq!(exact.expect("fine")[0].2, BigRational::new(27.into(), 35.into()));
        // Before the two blocks are merged, the belief of each person changes by exactly 1/5, so
        // merging also breaks a bound of 1/5 on the change in belief.
        for (person, counts) in [(0, [1, 1]), (1, [35, 15])] {
            let block = Block::of_counts(&[person], &counts);
            let all = believed(&prior, &block, person, &limits(tenth, tenth)).expect("fine");
            assert!(
                all.iter().all(|(_, it)| ((it.posterior - it.prior).abs() - 0.2).abs() < 1e-12)
            );
        }
        assert!(first[0].1.posterior - first[0].1.prior > 0.29);
    }

    #[test]
    fn contradictions_are_errors_and_zero_terms_are_not() {
        let prior = prior(&[(0, 0, 10), (0, 1, 0), (1, 0, 10), (1, 1, 10)]);
        let of = |block: &Block, person| {
            let tenth = Rational::new(1, 10);
            let all = believed(&prior, block, person, &limits(tenth, tenth))?;
            Ok(all.iter().map(|(value, it)| (*value, it.prior, it.posterior)).collect::<Vec<_>>())
        };
        let alone = Block::of_counts(&[0], &[2, 1]);
        assert_eq!(of(&alone, 0), Err(BeliefError::Excluded { n_rows: 1 }));
        let fine = Block::of_counts(&[0], &[2, 0]);
        assert_eq!(of(&fine, 0), Ok(vec![(0, 1.0, 1.0)]));
        let none = Block::of_counts(&[0, 1], &[0, 4]);
        assert_eq!(of(&none, 0), Err(BeliefError::NothingLeft));
        assert_eq!(of(&fine, 7), Err(BeliefError::Unknown));
    }

    #[test]
    fn limits_are_strict_and_exact() {
        let prior = prior(&[(0, 0, 1), (0, 1, 2)]);
        let block = Block::of_counts(&[0], &[1, 9]);
        let tenth = Rational::new(1, 10);
        let at = believed(&prior, &block, 0, &limits(tenth, tenth)).expect("no contradiction");
        assert!(!at[1].1.is_sure && !at[0].1.is_excluded);
        let by_a_bit = Rational::new(100_000_000_001, 1_000_000_000_000);
        let above = believed(&prior, &block, 0, &limits(by_a_bit, by_a_bit)).expect("fine");
        assert!(above[1].1.is_sure && above[0].1.is_excluded);
    }
}
