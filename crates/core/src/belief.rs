//! # Bayes-optimal analysis
//!
//! **Definition.** What an adversary who knows the joint distribution f of quasi-identifiers and sensitive values
//! believes about a person in a class, after seeing how often each sensitive value occurs in the class (Theorem 3.1).
//! **Formula.** beta(q, s) = n_s f(s|q) / f(s|q*) divided by the sum of the same over all s, where f(s|q*) is the prior share
//! of s among all people with quasi-identifiers that the class covers.
//! **Parameters.** A [`Prior`]: a weight for each pair (quasi-identifiers, sensitive value).
//! **Complexity.** O(pairs of the class). Doubles decide where they are clear, exact fractions at the boundary.
//! **Errors.** [`BeliefError`]: the release contradicts the prior (reading B-12).
//! **Source.** Machanavajjhala et al., TKDD 2007, Theorem 3.1, Definitions 3.1 to 3.3. Deviations: readings B-8, B-12, B-16.

use indistinct_language::{codes, words};
use num_rational::BigRational;
use num_traits::{FromPrimitive, Num, ToPrimitive};
use rustc_hash::FxHashMap;

use crate::model::{FrequencyTable, Rational};

/// What an adversary knows before the release: a weight for each pair of a quasi-identifier combination and a sensitive
/// value.
///
/// Both are numbers that the caller gives them. Weights are relative to each other and need not add up to 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prior {
    weights: FxHashMap<(u32, u32), Rational>,
    n_sensitive_values: u32,
}

/// A class as the adversary sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The quasi-identifier combinations that it covers.
    pub covers: Vec<u32>,
    /// Rows with each sensitive value, by its number; further sensitive values have none.
    pub counts: Vec<u64>,
}

/// What an adversary believes about one person and one sensitive value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Belief {
    /// Before the release.
    pub prior: f64,
    /// After it.
    pub posterior: f64,
    /// The adversary may be nearly sure that it is the sensitive value: above 1 - delta (Definition 3.1). Whether
    /// somebody with these quasi-identifiers has it is for the caller to know.
    pub is_sure: bool,
    /// The adversary may nearly exclude the sensitive value: below epsilon (Definition 3.2).
    pub is_excluded: bool,
    /// A (rho1, rho2)-breach (Definition 3.3).
    pub is_breach: bool,
}

/// When a belief is a disclosure. All comparisons are strict (reading B-16).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Positive disclosure above 1 - delta.
    pub delta: Rational,
    /// Negative disclosure below epsilon.
    pub epsilon: Rational,
    /// Breach if the prior is below rho1 and the posterior above rho2, or above 1 - rho1 and below 1 - rho2.
    pub rho1: Rational,
    /// The other end.
    pub rho2: Rational,
}

/// A release and a prior that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BeliefError {
    /// The class has rows with a sensitive value that nobody it covers can have by the prior.
    #[error(
        "{} a sensitive value that the prior excludes for everybody in the class",
        words::counted(*n_rows, "row has", "rows have")
    )]
    Excluded {
        /// Number of rows.
        n_rows: u64,
    },
    /// The prior excludes all sensitive values of the class for the person asked about.
    #[error("the prior excludes every sensitive value of the class for the person")]
    NothingLeft,
    /// The prior has no weight for the person.
    #[error("the prior does not know the person's quasi-identifiers")]
    Unknown,
    /// The person is not in the class.
    #[error("the class does not cover the person's quasi-identifiers")]
    NotCovered,
}

codes! {
    BeliefError {
        Self::Excluded { .. } => "E-BELIEF-001", "the class has rows with a sensitive value that nobody it covers can have by the prior",
            "give the prior a weight for every sensitive value that the class has";
        Self::NothingLeft => "E-BELIEF-002", "the prior excludes all sensitive values of the class for the person asked about",
            "give the person a weight for a sensitive value of the class";
        Self::Unknown => "E-BELIEF-003", "the prior has no weight for the person",
            "give the prior a weight for the person";
        Self::NotCovered => "E-BELIEF-004", "the person is not in the class",
            "name a person whom the class covers";
    }
}

impl Prior {
    /// A prior from its weights; weights of the same pair add up.
    ///
    /// # Panics
    /// If a weight is negative.
    pub fn new(weights: impl IntoIterator<Item = (u32, u32, Rational)>) -> Self {
        let mut prior = Self::default();
        for (q, s, weight) in weights {
            assert!(weight >= Rational::from_integer(0), "weights are not negative");
            *prior.weights.entry((q, s)).or_insert_with(|| Rational::from_integer(0)) += weight;
            prior.n_sensitive_values = prior.n_sensitive_values.max(s + 1);
        }
        prior
    }

    /// The joint distribution of a table itself: the worst case, an adversary who knows as much as the table says.
    ///
    /// The number of a quasi-identifier combination is that of its group in [`FrequencyTable::groups`]; the number of a
    /// sensitive value is its code.
    ///
    /// # Panics
    /// If there is no such sensitive attribute.
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

    fn weight<T: Amount>(&self, q: u32, s: u32) -> T {
        self.weights.get(&(q, s)).map_or_else(T::zero, T::of)
    }

    /// f(s|q) for all s; `None` where the prior does not know q.
    fn given<T: Amount>(&self, q: u32, n_sensitive_values: u32) -> Option<Vec<T>> {
        let weights: Vec<T> = (0..n_sensitive_values).map(|s| self.weight(q, s)).collect();
        let total = weights.iter().cloned().fold(T::zero(), |sum, weight| sum + weight);
        (!total.is_zero()).then(|| weights.into_iter().map(|w| w / total.clone()).collect())
    }

    /// Prior and posterior of one person for all sensitive values. Both have one entry for each sensitive value of
    /// prior and class.
    ///
    /// # Errors
    /// [`BeliefError`] if the class contradicts the prior.
    pub fn observed(&self, block: &Block, person: u32) -> Result<Vec<(f64, f64)>, BeliefError> {
        self.beliefs::<f64>(block, person)
    }

    /// The same in exact fractions.
    ///
    /// # Errors
    /// [`BeliefError`] if the class contradicts the prior.
    pub fn observed_exactly(
        &self,
        block: &Block,
        person: u32,
    ) -> Result<Vec<(BigRational, BigRational)>, BeliefError> {
        self.beliefs::<BigRational>(block, person)
    }

    fn beliefs<T: Amount>(&self, block: &Block, person: u32) -> Result<Vec<(T, T)>, BeliefError> {
        if !block.covers.contains(&person) {
            return Err(BeliefError::NotCovered);
        }
        let n_sensitive_values = self.n_sensitive_values.max(block.counts.len() as u32);
        let given: Vec<T> = self.given(person, n_sensitive_values).ok_or(BeliefError::Unknown)?;
        let count = |s: u32| block.counts.get(s as usize).copied().unwrap_or(0);
        // f(s|q*) up to a factor that all s share and that cancels.
        let within =
            |s: u32| block.covers.iter().fold(T::zero(), |sum, &q| sum + self.weight::<T>(q, s));
        let mut terms: Vec<T> = Vec::with_capacity(n_sensitive_values as usize);
        let mut n_excluded = 0;
        for (s, given) in (0..n_sensitive_values).zip(&given) {
            let (rows, share) = (count(s), within(s));
            if share.is_zero() {
                n_excluded += rows;
                terms.push(T::zero());
            } else {
                terms.push(T::from_u64(rows).expect("a count is a number") * given.clone() / share);
            }
        }
        if n_excluded > 0 {
            return Err(BeliefError::Excluded { n_rows: n_excluded });
        }
        let total = terms.iter().cloned().fold(T::zero(), |sum, term| sum + term);
        if total.is_zero() {
            return Err(BeliefError::NothingLeft);
        }
        Ok(given.into_iter().zip(terms.into_iter().map(|term| term / total.clone())).collect())
    }

    /// What an adversary believes about one person, sensitive value by sensitive value, held against limits. Exact at
    /// the boundary.
    ///
    /// # Errors
    /// [`BeliefError`] if the class contradicts the prior.
    pub fn analyze(
        &self,
        block: &Block,
        person: u32,
        limits: &Limits,
    ) -> Result<Vec<Belief>, BeliefError> {
        let doubles = self.beliefs::<f64>(block, person)?;
        let one = Rational::from_integer(1);
        let thresholds = [
            one - limits.delta,
            limits.epsilon,
            limits.rho1,
            limits.rho2,
            one - limits.rho1,
            one - limits.rho2,
        ];
        let is_near = |value: f64| thresholds.iter().any(|t| (value - f64::of(t)).abs() < 1e-9);
        let near = doubles.iter().any(|&(prior, posterior)| is_near(prior) || is_near(posterior));
        let verdicts: Vec<[bool; 3]> = if near {
            let exact = self.beliefs::<BigRational>(block, person)?;
            exact.iter().map(|(prior, posterior)| verdicts(prior, posterior, &thresholds)).collect()
        } else {
            doubles
                .iter()
                .map(|(prior, posterior)| verdicts(prior, posterior, &thresholds))
                .collect()
        };
        let belief = |((prior, posterior), verdicts): ((f64, f64), [bool; 3])| {
            let [is_sure, is_excluded, is_breach] = verdicts;
            Belief { prior, posterior, is_sure, is_excluded, is_breach }
        };
        Ok(doubles.into_iter().zip(verdicts).map(belief).collect())
    }
}

fn verdicts<T: Amount>(prior: &T, posterior: &T, thresholds: &[Rational; 6]) -> [bool; 3] {
    let [sure, excluded, rho1, rho2, not_rho1, not_rho2] = thresholds.each_ref().map(T::of);
    let rises = *prior < rho1 && *posterior > rho2;
    let falls = *prior > not_rho1 && *posterior < not_rho2;
    [*posterior > sure, *posterior < excluded, rises || falls]
}

/// Doubles and exact fractions.
trait Amount: Num + Clone + PartialOrd + FromPrimitive {
    fn of(value: &Rational) -> Self;
}

impl Amount for f64 {
    fn of(value: &Rational) -> Self {
        value.to_f64().unwrap_or(f64::NAN)
    }
}

impl Amount for BigRational {
    fn of(value: &Rational) -> Self {
        BigRational::new((*value.numer()).into(), (*value.denom()).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prior(weights: &[(u32, u32, i128)]) -> Prior {
        Prior::new(weights.iter().map(|&(q, s, w)| (q, s, Rational::new(w, 100))))
    }

    #[test]
    fn the_counterexample_of_theorem_5_1() {
        let prior = prior(&[(0, 0, 15), (0, 1, 35), (1, 0, 25), (1, 1, 25)]);
        let block = Block { covers: vec![0, 1], counts: vec![36, 16] };
        let first = prior.observed(&block, 0).expect("no contradiction");
        assert!(
            (first[0].0 - 0.3).abs() < 1e-12 && (first[0].1 - 0.5912408759124088).abs() < 1e-12
        );
        let second = prior.observed_exactly(&block, 1).expect("no contradiction");
        assert_eq!(second[0].1, BigRational::new(27.into(), 35.into()));
        let limits = Limits {
            delta: Rational::new(1, 10),
            epsilon: Rational::new(1, 10),
            rho1: Rational::new(31, 100),
            rho2: Rational::new(58, 100),
        };
        let beliefs = prior.analyze(&block, 0, &limits).expect("no contradiction");
        assert_eq!(beliefs.iter().map(|b| b.is_breach).collect::<Vec<_>>(), [true, true]);
    }

    #[test]
    fn contradictions_are_errors_and_zero_terms_are_not() {
        let prior = prior(&[(0, 0, 10), (0, 1, 0), (1, 0, 10), (1, 1, 10)]);
        let alone = Block { covers: vec![0], counts: vec![2, 1] };
        assert_eq!(prior.observed(&alone, 0), Err(BeliefError::Excluded { n_rows: 1 }));
        let fine = Block { covers: vec![0], counts: vec![2, 0] };
        assert_eq!(prior.observed(&fine, 0), Ok(vec![(1.0, 1.0), (0.0, 0.0)]));
        let none = Block { covers: vec![0, 1], counts: vec![0, 4] };
        assert_eq!(prior.observed(&none, 0), Err(BeliefError::NothingLeft));
        assert_eq!(prior.observed(&fine, 1), Err(BeliefError::NotCovered));
        let stranger = Block { covers: vec![7], counts: vec![1] };
        assert_eq!(prior.observed(&stranger, 7), Err(BeliefError::Unknown));
    }

    #[test]
    fn limits_are_strict_and_exact() {
        let prior = prior(&[(0, 0, 1), (0, 1, 2)]);
        let block = Block { covers: vec![0], counts: vec![1, 9] };
        let limits = |delta, epsilon| Limits {
            delta,
            epsilon,
            rho1: Rational::new(0, 1),
            rho2: Rational::new(1, 1),
        };
        let at = prior.analyze(&block, 0, &limits(Rational::new(1, 10), Rational::new(1, 10)));
        let at = at.expect("no contradiction");
        assert!(!at[1].is_sure && !at[0].is_excluded);
        let by_a_bit = Rational::new(100_000_000_001, 1_000_000_000_000);
        let above = prior.analyze(&block, 0, &limits(by_a_bit, by_a_bit)).expect("fine");
        assert!(above[1].is_sure && above[0].is_excluded);
    }
}
