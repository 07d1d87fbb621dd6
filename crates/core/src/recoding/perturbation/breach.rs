//! The risk of a proximity breach under perturbation, and the largest retention probability that
//! bounds it.
//!
//! All computations use exact fractions. The [parent module](super) documents the formulas.

use std::collections::VecDeque;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use serde::{Deserialize, Serialize};

use super::{Domain, DomainValues, PerturbationProblem, Retention};
use crate::Rational;
use crate::model::{FrequencyTable, to_big};
use crate::principle::Quantity;
use crate::principle::proximity::{Letter, Limit, Reach};
use crate::recoding::Requirement;

/// The information that the adversary obtains from the released sensitive value of a row.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Observation {
    /// The adversary learns only that the released value is in the neighborhood of the row's
    /// original sensitive value (Equation 3 of the paper).
    #[default]
    Neighborhood,
    /// The adversary learns the released value itself, which results in stricter limits.
    Value,
}

/// The quantities that, together with p, determine the risk of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearby {
    /// P, the share of rows with a sensitive value in the neighborhood.
    pub share: BigRational,
    /// L, the length of the neighborhood as a fraction of the length of the domain.
    pub length: BigRational,
}

/// Returns the risk of a row (Equation 3), or `None` if the risk is 0/0.
pub fn risk(nearby: &Nearby, p: &BigRational) -> Option<BigRational> {
    let Nearby { share, length } = nearby;
    let noise = BigRational::one() - p;
    let released_there = share * p + &noise * length;
    (!released_there.is_zero()).then(|| share * (p + noise * length) / released_there)
}

/// Returns the largest p for which the risk of a row is at most 1/m, or `None` if the risk of pure
/// noise is already higher.
///
/// # Panics
/// Panics if m is below 1.
pub fn largest_p(nearby: &Nearby, m: &Rational) -> Option<BigRational> {
    let m = to_big(m);
    assert!(m >= BigRational::one(), "m must be at least 1");
    let Nearby { share, length } = nearby;
    let spare = BigRational::one() - share * &m;
    if spare < BigRational::zero() {
        return None;
    }
    let retained = length * spare;
    let breached = share * (m - BigRational::one());
    if breached.is_zero() {
        return Some(BigRational::one());
    }
    Some(&retained / (&retained + breached))
}

/// Returns the largest p that is valid for all rows: the minimum over the rows, or 1 if there are
/// no rows. Returns `None` if any row has no valid p.
///
/// # Panics
/// Panics if m is below 1.
pub fn largest_p_of_all(rows: &[Nearby], m: &Rational) -> Option<BigRational> {
    let all: Option<Vec<BigRational>> = rows.iter().map(|nearby| largest_p(nearby, m)).collect();
    Some(all?.into_iter().min().unwrap_or_else(BigRational::one))
}

fn fraction(numerator: u64, denominator: u64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// The data that determines the risks of all rows of a table for one principle.
#[derive(Debug, Clone)]
struct RiskQuestion {
    m: Rational,
    letter: Letter,
    /// The rows that may have the highest risk, first for an adversary who observes the
    /// neighborhood, then for one who observes the value.
    worst: [Vec<Nearby>; 2],
}

/// The guarantees that the perturbation of a table can achieve with a given domain.
#[derive(Debug, Clone)]
pub struct Breach {
    questions: Vec<RiskQuestion>,
}

impl Breach {
    /// Counts the rows and the domain values that are near each sensitive value of a table.
    ///
    /// # Errors
    /// Returns [`PerturbationProblem`] if the table does not have exactly one sensitive attribute,
    /// a principle is not supported, or the domain is not suitable.
    pub fn new(
        table: &FrequencyTable,
        requirements: &[Requirement],
        domain: &Domain,
    ) -> Result<Self, PerturbationProblem> {
        let limits = limits(table, requirements)?;
        let values = domain.values(table, &table.sensitive()[0])?;
        Ok(Self::of_values(&limits, &values))
    }

    pub(crate) fn of_values(limits: &[Limit<'_>], values: &DomainValues) -> Self {
        let questions = limits.iter().map(|limit| RiskQuestion {
            m: limit.m,
            letter: limit.letter,
            worst: worst(values, &Reach::new(&values.numbers, limit.neighborhood)),
        });
        Self { questions: questions.collect() }
    }

    /// Returns the largest p for which the risk of every row is within the limits of all
    /// principles, or `None` if pure noise already exceeds a limit.
    pub fn largest_p(&self, given: Observation) -> Option<BigRational> {
        let each = self
            .questions
            .iter()
            .map(|questions| largest_p_of_all(&questions.worst[given as usize], &questions.m));
        let all: Option<Vec<BigRational>> = each.collect();
        Some(all?.into_iter().min().unwrap_or_else(BigRational::one))
    }

    /// Returns [`Breach::largest_p`], rounded down to the published precision.
    pub fn largest_retention(&self, given: Observation) -> Option<Retention> {
        self.largest_p(given).map(|p| Retention::rounded_down(&p))
    }

    /// Returns the highest risk of any row under any principle, or 0 for an empty table.
    pub fn risk(&self, p: &BigRational, given: Observation) -> BigRational {
        // The quotient 0/0 would require a row without near rows, or p = 0 and a domain that does
        // not contain the row's value.
        self.risks(p, given).into_iter().max().unwrap_or_else(BigRational::zero)
    }

    /// Returns the risk of the worst row for each principle, in the same order, or 0 for an empty
    /// table.
    pub fn risks(&self, p: &BigRational, given: Observation) -> Vec<BigRational> {
        let of = |questions: &RiskQuestion| {
            let rows = questions.worst[given as usize].iter();
            rows.filter_map(|nearby| risk(nearby, p)).max().unwrap_or_else(BigRational::zero)
        };
        self.questions.iter().map(of).collect()
    }

    /// Returns, for each principle in the order of the policy, the largest m (or l) that pure noise
    /// would reach. If no p is valid, this is the best possible level. Returns `None` for an empty
    /// table.
    pub fn largest_m(&self) -> Vec<Option<Quantity>> {
        let largest = |questions: &RiskQuestion| {
            let share = questions.worst[0].iter().map(|nearby| &nearby.share).max()?;
            questions.letter.largest(share.numer().to_u64()?, share.denom().to_u64()?)
        };
        self.questions.iter().map(largest).collect()
    }
}

/// Returns the limits imposed by the principles of a policy.
pub(crate) fn limits<'a>(
    table: &FrequencyTable,
    requirements: &'a [Requirement],
) -> Result<Vec<Limit<'a>>, PerturbationProblem> {
    let n_sensitive = table.sensitive().len();
    if n_sensitive != 1 {
        return Err(PerturbationProblem::NotOneSensitive { n_sensitive });
    }
    if requirements.is_empty() {
        return Err(PerturbationProblem::NoPrinciple);
    }
    let limit = |requirement: &'a Requirement| {
        let kind = requirement.kind;
        requirement.principle.proximity().ok_or(PerturbationProblem::NotServed { kind })
    };
    requirements.iter().map(limit).collect()
}

/// Returns the rows that may have the highest risk for some p and m. For every other row, one of
/// these rows has at least as many near rows within at most the same share of the domain.
fn worst(values: &DomainValues, reach: &Reach) -> [Vec<Nearby>; 2] {
    let n: u64 = values.rows.iter().sum();
    let d = values.rows.len() as u64;
    let before: Vec<u64> = std::iter::once(0)
        .chain(values.rows.iter().scan(0, |sum, rows| {
            *sum += rows;
            Some(*sum)
        }))
        .collect();
    let most = most_frequent(values, reach);
    let mut near_and_length: [Vec<(u64, u64)>; 2] = Default::default();
    for code in (0..d as u32).filter(|&code| values.rows[code as usize] > 0) {
        let (from, to) = reach.of(code);
        let near = before[to as usize] - before[from as usize];
        near_and_length[0].push((near, u64::from(to - from)));
        near_and_length[1].push((near, most[code as usize]));
    }
    let [lengths, mosts] = near_and_length;
    let by_length = undominated(lengths, |a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
    let by_most = undominated(mosts, |a, b| b.1.cmp(&a.1).then(b.0.cmp(&a.0)));
    let share = |near| fraction(near, n);
    [
        by_length
            .into_iter()
            .map(|(near, to)| Nearby { share: share(near), length: fraction(to, d) })
            .collect(),
        by_most
            .into_iter()
            .map(|(near, most)| {
                // The length assumes that every value of the neighborhood is as frequent as the
                // most frequent one.
                let length = BigRational::new(near.into(), BigInt::from(most) * d);
                Nearby { share: share(near), length }
            })
            .collect(),
    ]
}

/// Sorts the pairs, and retains each pair whose first component is larger than in all previous
/// pairs. The given `order` sorts pairs by the risk of the second component, starting with the
/// highest risk.
fn undominated(
    mut pairs: Vec<(u64, u64)>,
    order: impl Fn(&(u64, u64), &(u64, u64)) -> std::cmp::Ordering,
) -> Vec<(u64, u64)> {
    pairs.sort_unstable_by(order);
    let mut most = 0;
    pairs.retain(|&(near, _)| {
        let more = near > most;
        most = most.max(near);
        more
    });
    pairs
}

/// Returns, for each value, the row count of the most frequent value near it.
fn most_frequent(values: &DomainValues, reach: &Reach) -> Vec<u64> {
    let mut window: VecDeque<u32> = VecDeque::new();
    let (mut end, mut before) = (0, (0, 0));
    (0..values.rows.len() as u32)
        .map(|code| {
            let (from, to) = reach.of(code);
            // The window moves back only if the width of a neighborhood depends on the value.
            if from < before.0 || to < before.1 {
                window.clear();
                end = from;
            }
            before = (from, to);
            while end < to {
                let rows = values.rows[end as usize];
                while window.back().is_some_and(|&last| values.rows[last as usize] <= rows) {
                    window.pop_back();
                }
                window.push_back(end);
                end += 1;
            }
            while window.front().is_some_and(|&first| first < from) {
                window.pop_front();
            }
            window.front().map_or(0, |&first| values.rows[first as usize])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(m: i128) -> Rational {
        Rational::from_integer(m)
    }

    fn nearby(share: (u64, u64), length: (u64, u64)) -> Nearby {
        Nearby { share: fraction(share.0, share.1), length: fraction(length.0, length.1) }
    }

    /// Uniform on [0, 1], absolute (0.1, 4): I(t) has length 0.2 (reading C-2), so p = 1/16. For m
    /// = 5, no value is kept.
    #[test]
    fn published_example_is_reproduced() {
        let uniform = nearby((1, 5), (1, 5));
        assert_eq!(largest_p(&uniform, &whole(4)), Some(fraction(1, 16)));
        assert_eq!(risk(&uniform, &fraction(1, 16)), Some(fraction(1, 4)));
        assert_eq!(largest_p(&uniform, &whole(5)), Some(BigRational::zero()));
        assert_eq!(largest_p(&uniform, &whole(6)), None);
        // The length that is printed in the paper would produce a different result.
        assert_eq!(largest_p(&nearby((1, 10), (1, 10)), &whole(4)), Some(fraction(1, 6)));
        assert_eq!(largest_p(&nearby((1, 10), (1, 10)), &whole(5)), Some(fraction(1, 9)));
    }

    #[test]
    fn equation_3_boundary_cases() {
        let nothing_near = nearby((0, 1), (1, 10));
        assert_eq!(largest_p(&nothing_near, &whole(3)), Some(BigRational::one()));
        assert_eq!(risk(&nothing_near, &BigRational::one()), None, "0/0");
        assert_eq!(risk(&nearby((1, 2), (0, 1)), &BigRational::zero()), None, "0/0");
        assert_eq!(largest_p(&nearby((1, 3), (0, 1)), &whole(2)), Some(BigRational::zero()));
        assert_eq!(largest_p(&nearby((1, 1), (0, 1)), &whole(1)), Some(BigRational::one()));
        assert_eq!(largest_p(&nearby((1, 1), (1, 1)), &whole(2)), None);
        assert_eq!(largest_p_of_all(&[], &whole(7)), Some(BigRational::one()));
    }

    #[test]
    fn dominated_rows_are_removed() {
        let shortest_first = |a: &(u64, u64), b: &(u64, u64)| a.1.cmp(&b.1).then(b.0.cmp(&a.0));
        let pairs = vec![(3, 5), (2, 4), (2, 5), (4, 9), (1, 4), (3, 9)];
        assert_eq!(undominated(pairs, shortest_first), [(2, 4), (3, 5), (4, 9)]);
    }
}
