//! Counts the statements "the person does not have this sensitive value" after which an adversary
//! is sure of a sensitive value. A statement about another sensitive attribute may exclude rows,
//! too.

use std::collections::BTreeMap;

use indistinct_core::Rational;
use rustc_hash::FxHashMap;

/// The values of all sensitive attributes, and the number of rows in a class that have these
/// values.
pub(crate) type EqualRows = (Vec<u32>, u64);

/// The maximum number of distinct rows of a class for which an exact search is run.
const MOST_SEARCHED: usize = 64;

/// The maximum number of steps per search.
const MOST_STEPS: usize = 500;

/// The maximum number of steps for all people in a release.
const MOST_STEPS_OF_RELEASE: usize = 5_000_000;

/// Returns the maximum number of steps for each of the given number of searches.
pub(crate) fn most_steps(n_searches: usize) -> usize {
    (MOST_STEPS_OF_RELEASE / n_searches.max(1)).clamp(1, MOST_STEPS)
}

/// Returns, for each entry of `rows`, the number of statements after which the rows with the same
/// value of attribute `target` have at least the share `sure` of the remaining rows.
///
/// The number is exact if the class has one sensitive attribute, or few different rows. Otherwise
/// it is a lower bound, because statements about different attributes may exclude the same rows. It
/// is also a lower bound for people whose search has more than `most_steps` steps.
pub(crate) fn statements(
    rows: &[EqualRows],
    target: usize,
    sure: &Rational,
    most_steps: usize,
) -> Vec<u64> {
    let class = Class::new(rows, target, sure);
    (0..rows.len()).map(|own| class.fewest(own, most_steps)).collect()
}

/// An attribute and one of its values.
type Value = (usize, u32);

struct Class<'a> {
    rows: &'a [EqualRows],
    target: usize,
    sure: &'a Rational,
    /// The number of rows with each value, in descending order.
    counts: Vec<(u64, Value)>,
    position: FxHashMap<Value, usize>,
    /// The maximum number of rows that a given number of statements can exclude.
    excluded: Vec<u64>,
    n_rows: u64,
}

impl<'a> Class<'a> {
    fn new(rows: &'a [EqualRows], target: usize, sure: &'a Rational) -> Self {
        let mut counts: BTreeMap<Value, u64> = BTreeMap::new();
        for (values, n) in rows {
            for (attribute, &value) in values.iter().enumerate() {
                *counts.entry((attribute, value)).or_default() += n;
            }
        }
        let mut counts: Vec<(u64, Value)> = counts.into_iter().map(|(it, n)| (n, it)).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let position = counts.iter().map(|it| it.1).zip(0..).collect();
        let mut excluded = vec![0];
        excluded.extend(counts.iter().scan(0, |sum, (n, _)| {
            *sum += n;
            Some(*sum)
        }));
        let n_rows = rows.iter().map(|it| it.1).sum();
        Self { rows, target, sure, counts, position, excluded, n_rows }
    }

    fn is_sure(&self, own: u64, others: u64) -> bool {
        let n = |rows: u64| Rational::from_integer(i128::from(rows));
        n(own) >= self.sure * n(own + others)
    }

    fn fewest(&self, own: usize, most_steps: usize) -> u64 {
        let values = &self.rows[own].0;
        let mut at: Vec<usize> = values
            .iter()
            .enumerate()
            .map(|(attribute, it)| self.position[&(attribute, *it)])
            .collect();
        let n_own = self.counts[at[self.target]].0;
        at.sort_unstable();
        // The maximum number of rows that `n` statements exclude if none concerns the person's own
        // values.
        let most = |n: usize| {
            let mut end = n;
            let mut of_own = 0;
            for &at in &at {
                if at < end {
                    end += 1;
                    of_own += self.counts[at].0;
                }
            }
            self.excluded[end] - of_own
        };
        let others = self.n_rows - n_own;
        let n_values = self.counts.iter().filter(|(_, value)| value.0 == self.target).count();
        let (mut low, mut high) = (0, n_values - 1);
        while low < high {
            let middle = (low + high) / 2;
            let is_sure = self.is_sure(n_own, others.saturating_sub(most(middle)));
            if is_sure { high = middle } else { low = middle + 1 }
        }
        if values.len() > 1 && self.rows.len() <= MOST_SEARCHED {
            let mut search = Search::new(self, own, most_steps);
            let all = u64::MAX >> (MOST_SEARCHED - self.rows.len());
            while low + 1 < n_values && !search.suffices(low, all, 0) {
                low += 1;
            }
        }
        low as u64
    }

    /// Returns the rows that have a value, as a set of bits.
    fn rows_with(&self, (attribute, value): Value) -> u64 {
        let rows = self.rows.iter().zip(0..);
        rows.filter(|((values, _), _)| values[attribute] == value).map(|(_, at)| 1 << at).sum()
    }

    /// Returns the number of rows in a set of bits.
    fn n_rows(&self, mut set: u64) -> u64 {
        let mut n_rows = 0;
        while set != 0 {
            n_rows += self.rows[set.trailing_zeros() as usize].1;
            set &= set - 1;
        }
        n_rows
    }
}

/// A search for statements about one person. Sets of different rows are bits of an integer.
struct Search<'a> {
    class: &'a Class<'a>,
    n_steps: usize,
    most_steps: usize,
    /// The rows with the same value of the target attribute.
    same: u64,
    /// The rows with each value that the person does not have.
    excludable: Vec<u64>,
    /// For each row, the rows with each of its values that the person does not have.
    of_row: Vec<Vec<u64>>,
}

impl<'a> Search<'a> {
    fn new(class: &'a Class<'a>, own: usize, most_steps: usize) -> Self {
        let own = &class.rows[own].0;
        let other = |value: &Value| own[value.0] != value.1;
        let known = class.counts.iter().map(|it| it.1);
        let of_row = class.rows.iter().map(|(values, _)| {
            let values = values.iter().copied().enumerate().filter(other);
            values.map(|value| class.rows_with(value)).collect()
        });
        Self {
            class,
            n_steps: 0,
            most_steps,
            same: class.rows_with((class.target, own[class.target])),
            excludable: known.filter(other).map(|value| class.rows_with(value)).collect(),
            of_row: of_row.collect(),
        }
    }

    /// Returns whether `n` additional statements may suffice if the rows in `left` are not
    /// excluded. No further statement is chosen for the rows in `kept`. After the maximum number of
    /// steps, the answer is always yes.
    fn suffices(&mut self, n: usize, left: u64, kept: u64) -> bool {
        self.n_steps += 1;
        let others = left & !self.same;
        let (n_same, n_others) = (self.class.n_rows(left & self.same), self.class.n_rows(others));
        if self.class.is_sure(n_same, n_others) || self.n_steps > self.most_steps {
            return true;
        }
        let gains = self.excludable.iter().map(|rows| self.class.n_rows(rows & others));
        let mut gains: Vec<u64> = gains.collect();
        gains.sort_unstable_by(|a, b| b.cmp(a));
        let most: u64 = gains.iter().take(n).sum();
        if !self.class.is_sure(n_same, n_others.saturating_sub(most)) {
            return false;
        }
        let open = others & !kept;
        if open == 0 {
            return false;
        }
        let row = open.trailing_zeros() as usize;
        for at in 0..self.of_row[row].len() {
            let excluded = self.of_row[row][at];
            if self.suffices(n - 1, left & !excluded, kept) {
                return true;
            }
        }
        self.suffices(n, left, kept | 1 << row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the minimum number of statements by enumerating all sets of statements.
    fn naive(rows: &[EqualRows], target: usize, own: usize, sure: &Rational) -> u64 {
        let mut values: Vec<Value> = Vec::new();
        for (row, _) in rows {
            values.extend(row.iter().copied().enumerate().filter(|it| rows[own].0[it.0] != it.1));
        }
        values.sort_unstable();
        values.dedup();
        let is_enough = |chosen: &u32| {
            let is_stated = |value: &Value| {
                values.iter().position(|it| it == value).is_some_and(|at| chosen >> at & 1 == 1)
            };
            let left = rows
                .iter()
                .filter(|row| !row.0.iter().copied().enumerate().any(|it| is_stated(&it)));
            let (mut same, mut all) = (0, 0);
            for (row, n) in left {
                all += i128::from(*n);
                same += if row[target] == rows[own].0[target] { i128::from(*n) } else { 0 };
            }
            Rational::new(same, all) >= *sure
        };
        let fewest = (0u32..1 << values.len()).filter(is_enough).map(u32::count_ones).min();
        u64::from(fewest.expect("all other values can be excluded"))
    }

    #[test]
    fn statements_about_other_attributes_count() {
        // The example in Section 4.3 of the l-diversity paper: four rows with three values of s.
        let rows = [(vec![1, 1], 1), (vec![1, 2], 1), (vec![2, 3], 1), (vec![3, 3], 1)];
        let certain = Rational::from_integer(1);
        assert_eq!(statements(&rows, 1, &certain, MOST_STEPS), [2, 2, 1, 1]);
        // Two statements are necessary if statements about the other attribute are not available.
        let alone = [(vec![1], 1), (vec![2], 1), (vec![3], 2)];
        assert_eq!(statements(&alone, 0, &certain, MOST_STEPS), [2, 2, 2]);
    }

    #[test]
    fn statement_counts_match_enumeration() {
        let mut state = 1u32;
        let mut draw = |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % n
        };
        for case in 0..300 {
            let n_attributes = 1 + case % 3;
            let mut rows: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
            for _ in 0..1 + draw(7) {
                let values = (0..n_attributes).map(|_| draw(4)).collect();
                *rows.entry(values).or_default() += u64::from(1 + draw(3));
            }
            let rows: Vec<EqualRows> = rows.into_iter().collect();
            for sure in [Rational::new(1, 2), Rational::new(19, 20), Rational::from_integer(1)] {
                for target in 0..n_attributes {
                    let found = statements(&rows, target, &sure, MOST_STEPS);
                    let bounds = statements(&rows, target, &sure, 1);
                    assert!(bounds.iter().zip(&found).all(|(bound, exact)| bound <= exact));
                    assert_eq!(found.len(), rows.len());
                    for (own, found) in found.iter().enumerate() {
                        let expected = naive(&rows, target, own, &sure);
                        assert_eq!(*found, expected, "{rows:?} {target} {own} {sure}");
                    }
                }
            }
        }
    }
}
