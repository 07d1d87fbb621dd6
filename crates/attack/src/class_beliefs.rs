//! The original values of a class below one released label, given that the label is the narrowest
//! one.
//!
//! Without a rule, the rows of a class are independent draws from the prior, restricted to the
//! values that the label covers. A rule adds one event, such as "both ends of the range occur".
//! All results are conditional probabilities given this event, in closed form.

use indistinct_core::Rational;
use indistinct_core::model::to_f64;

/// What the label of a class states about the values of its rows, in addition to covering them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Nothing, because the method may release wider labels than required.
    Nothing,
    /// At least two children of the label occur. The list contains the child of each value,
    /// numbered from 0 without gaps.
    TwoChildren(Vec<u32>),
    /// At least two children of the label occur, or a random choice with this probability prevented
    /// a lower label.
    UsuallyTwoChildren(Vec<u32>, Rational),
    /// The first and the last value of a range occur.
    BothEnds,
    /// All values of a set occur.
    AllValues,
}

/// A finer value that some people of the class may have: an original value, or a child of the
/// label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finer {
    /// The value with this position among the covered values.
    Value(usize),
    /// All values of this child.
    Child(u32),
}

/// The statement that exactly one person of the class has a finer value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Isolation {
    /// The finer value.
    pub finer: Finer,
    /// The probability that exactly one person of the class has this value.
    pub probability: f64,
    /// Whether the event implies the statement, regardless of the prior.
    pub is_certain: bool,
}

/// The beliefs about the values of a class below one label.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassBeliefs {
    /// For each covered value, the probability that a given person of the class has this value.
    pub values: Vec<f64>,
    /// The information of the event in bits: the negative logarithm of its probability.
    pub bits: f64,
    /// Whether only one multiset of values is possible.
    pub is_determined: bool,
    /// The probability of isolation for each finer value.
    pub isolations: Vec<Isolation>,
}

/// For larger classes, the event that all values of a set occur is ignored.
pub const MOST_ROWS_OF_SETS: u64 = 64;

/// The maximum number of draws for which the probability that two values occur is summed up draw by
/// draw, which is more exact for rare values.
const MOST_DRAWS: u64 = 32;

/// Computes the beliefs about a class with `n_rows` rows. `prior` contains a positive probability
/// for each covered value; the sum is 1. Returns `None` if the event cannot occur in the class.
pub fn class_beliefs(prior: &[f64], event: &Event, n_rows: u64) -> Option<ClassBeliefs> {
    match event {
        Event::Nothing => Some(without_event(prior, n_rows)),
        Event::TwoChildren(child_of) => two_children(prior, child_of, n_rows),
        Event::UsuallyTwoChildren(child_of, otherwise) => {
            let otherwise = to_f64(otherwise);
            Some(two_children(prior, child_of, n_rows)?.unless(otherwise, prior, child_of, n_rows))
        }
        Event::BothEnds => both_ends(prior, n_rows),
        Event::AllValues if n_rows > MOST_ROWS_OF_SETS => Some(without_event(prior, n_rows)),
        Event::AllValues => all_values(prior, n_rows as usize),
    }
}

/// Returns r^n for a probability r = 1 - `rest`.
fn power(rest: f64, n: u64) -> f64 {
    match (n, rest >= 1.0) {
        (0, _) => 1.0,
        (_, true) => 0.0,
        (n, false) => (n as f64 * (-rest).ln_1p()).exp(),
    }
}

/// Returns the probability that a value of probability `p` occurs in `n` draws.
fn occurs(p: f64, n: u64) -> f64 {
    match (n, p >= 1.0) {
        (0, _) => 0.0,
        (_, true) => 1.0,
        (n, false) => -(n as f64 * (-p).ln_1p()).exp_m1(),
    }
}

/// Returns the probability that two values of probabilities `a` and `b` both occur in `n` draws.
fn both_occur(a: f64, b: f64, n: u64) -> f64 {
    if n > MOST_DRAWS {
        return occurs(a, n) + occurs(b, n) - occurs(a + b, n);
    }
    // The probabilities that none, only the first, only the second, and both values have occurred.
    let rest = (1.0 - a - b).max(0.0);
    let mut so_far = [1.0, 0.0, 0.0, 0.0];
    for _ in 0..n {
        let [none, first, second, both] = so_far;
        so_far = [
            none * rest,
            none * a + first * (1.0 - b),
            none * b + second * (1.0 - a),
            first * b + second * a + both,
        ];
    }
    so_far[3]
}

fn isolation(finer: Finer, probability: f64, is_certain: bool) -> Isolation {
    let probability = if is_certain { 1.0 } else { probability.clamp(0.0, 1.0) };
    Isolation { finer, probability, is_certain }
}

fn without_event(prior: &[f64], n_rows: u64) -> ClassBeliefs {
    let single = |(at, p): (usize, &f64)| {
        let probability = n_rows as f64 * p * power(*p, n_rows - 1);
        isolation(Finer::Value(at), probability, n_rows == 1 && prior.len() == 1)
    };
    ClassBeliefs {
        values: prior.to_vec(),
        bits: 0.0,
        is_determined: prior.len() == 1,
        isolations: prior.iter().enumerate().map(single).collect(),
    }
}

fn two_children(prior: &[f64], child_of: &[u32], n_rows: u64) -> Option<ClassBeliefs> {
    let n_children = child_of.iter().max().map_or(0, |last| *last as usize + 1);
    if n_rows < 2 || n_children < 2 {
        return None;
    }
    let (mut shares, mut n_values) = (vec![0.0; n_children], vec![0usize; n_children]);
    for (p, &child) in prior.iter().zip(child_of) {
        shares[child as usize] += p;
        n_values[child as usize] += 1;
    }
    // The probability outside each child is a sum, because 1 - share is inexact for large shares.
    let outside: Vec<f64> = (0..n_children)
        .map(|child| {
            let others = shares.iter().enumerate().filter(|(at, _)| *at != child);
            others.map(|(_, share)| share).sum()
        })
        .collect();
    // The probability that another row is in another child than a given row.
    let differs: Vec<f64> = outside.iter().map(|rest| occurs(*rest, n_rows - 1)).collect();
    let event: f64 = shares.iter().zip(&differs).map(|(share, differs)| share * differs).sum();
    // Exactly one row has the finer value of probability p, and some other row is outside its
    // child.
    let single = |p: f64, child: usize| {
        let same_child = (shares[child] - p).max(0.0);
        let others = power(p, n_rows - 1) - power(1.0 - same_child, n_rows - 1);
        n_rows as f64 * p * others / event
    };
    let is_pair = n_rows == 2 && n_children == 2;
    let of_values = prior.iter().zip(child_of).enumerate().map(|(at, (&p, &child))| {
        let is_child = n_values[child as usize] == 1;
        isolation(Finer::Value(at), single(p, child as usize), is_pair && is_child)
    });
    let inner = (0..n_children).filter(|child| n_values[*child] > 1);
    let of_children = inner
        .map(|child| isolation(Finer::Child(child as u32), single(shares[child], child), is_pair));
    let values = prior.iter().zip(child_of);
    Some(ClassBeliefs {
        values: values.map(|(p, &child)| p * differs[child as usize] / event).collect(),
        bits: -event.log2(),
        is_determined: is_pair && prior.len() == 2,
        isolations: of_values.chain(of_children).collect(),
    })
}

impl ClassBeliefs {
    /// Returns the beliefs if the event did not need to occur with the given probability.
    fn unless(self, otherwise: f64, prior: &[f64], child_of: &[u32], n_rows: u64) -> Self {
        let event = (-self.bits).exp2();
        let all = otherwise + (1.0 - otherwise) * event;
        let share = otherwise / all;
        let mixed = |with: f64, without: f64| with * (1.0 - share) + without * share;
        let single = |p: f64| n_rows as f64 * p * power(p, n_rows - 1);
        let isolations = self.isolations.into_iter().map(|it| {
            let p = match it.finer {
                Finer::Value(at) => prior[at],
                Finer::Child(child) => {
                    let own = prior.iter().zip(child_of).filter(|(_, of)| **of == child);
                    own.map(|(p, _)| p).sum()
                }
            };
            isolation(it.finer, mixed(it.probability, single(p)), false)
        });
        let values = self.values.iter().zip(prior);
        Self {
            values: values.map(|(with, without)| mixed(*with, *without)).collect(),
            bits: -all.log2(),
            is_determined: false,
            isolations: isolations.collect(),
        }
    }
}

fn both_ends(prior: &[f64], n_rows: u64) -> Option<ClassBeliefs> {
    let [low, .., high] = *prior else { return None };
    if n_rows < 2 {
        return None;
    }
    let n_others = n_rows - 1;
    let event = both_occur(low, high, n_rows);
    let both = both_occur(low, high, n_others);
    let last = prior.len() - 1;
    let value = |(at, p): (usize, &f64)| {
        let others = match at {
            0 => occurs(high, n_others),
            at if at == last => occurs(low, n_others),
            _ => both,
        };
        p * others / event
    };
    let single = |(at, p): (usize, &f64)| {
        let rest = 1.0 - p;
        let others = match at {
            0 => power(*p, n_others) * occurs(high / rest, n_others),
            at if at == last => power(*p, n_others) * occurs(low / rest, n_others),
            _ => power(*p, n_others) * both_occur(low / rest, high / rest, n_others),
        };
        let is_end = at == 0 || at == last;
        let probability = n_rows as f64 * p * others / event;
        isolation(Finer::Value(at), probability, n_rows == 2 && is_end)
    };
    Some(ClassBeliefs {
        values: prior.iter().enumerate().map(value).collect(),
        bits: -event.log2(),
        is_determined: n_rows == 2,
        isolations: prior.iter().enumerate().map(single).collect(),
    })
}

/// The coefficients of a power series, up to the number of rows.
type Series = Vec<f64>;

/// Multiplies by exp(p x) - 1, whose coefficient of x^n is the weight of n rows with a value.
fn with_value(series: &Series, p: f64) -> Series {
    let mut product = vec![0.0; series.len()];
    for (at, own) in series.iter().enumerate() {
        let mut weight = 1.0;
        for n in 1..series.len() - at {
            weight *= p / n as f64;
            product[at + n] += own * weight;
        }
    }
    product
}

/// The number of ways to assign rows to values such that all values occur is a coefficient of the
/// product of exp(p x) - 1 over all values.
fn all_values(prior: &[f64], n_rows: usize) -> Option<ClassBeliefs> {
    if n_rows < prior.len() {
        return None;
    }
    // A common factor of all probabilities does not change the results and avoids underflows.
    let scaled: Vec<f64> = prior.iter().map(|p| p * n_rows as f64).collect();
    let unit: Series = (0..=n_rows).map(|at| if at == 0 { 1.0 } else { 0.0 }).collect();
    let mut before = vec![unit.clone()];
    for p in &scaled {
        let next = with_value(&before[before.len() - 1], *p);
        before.push(next);
    }
    let mut behind = vec![unit; prior.len() + 1];
    for at in (0..prior.len()).rev() {
        behind[at] = with_value(&behind[at + 1], scaled[at]);
    }
    let event = before[prior.len()][n_rows];
    let is_determined = n_rows == prior.len();
    let mut found =
        ClassBeliefs { values: Vec::new(), bits: 0.0, is_determined, isolations: Vec::new() };
    for (at, p) in scaled.iter().enumerate() {
        // The weight of the other values in the remaining rows, for each number of rows with this
        // value.
        let (mut expected, mut single, mut weight) = (0.0, 0.0, 1.0);
        for n in 1..=n_rows {
            weight *= p / n as f64;
            let rest = n_rows - n;
            let others: f64 = (0..=rest).map(|i| before[at][i] * behind[at + 1][rest - i]).sum();
            expected += n as f64 * weight * others;
            single += if n == 1 { weight * others } else { 0.0 };
        }
        let (value, single) = match is_determined {
            true => (1.0 / n_rows as f64, 1.0),
            false => (expected / event / n_rows as f64, single / event),
        };
        found.values.push(value);
        found.isolations.push(isolation(Finer::Value(at), single, is_determined));
    }
    let factorial: f64 = (1..=n_rows).map(|n| (n as f64).log2()).sum();
    found.bits = -(event.log2() + factorial - n_rows as f64 * (n_rows as f64).log2());
    let is_finite = found.bits.is_finite() && found.values.iter().all(|value| value.is_finite());
    is_finite.then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        }
    }

    fn single(found: &ClassBeliefs) -> Vec<f64> {
        found.isolations.iter().map(|it| it.probability).collect()
    }

    #[test]
    fn two_rows_below_two_leaves_have_one_of_each() {
        let event = Event::TwoChildren(vec![0, 1]);
        let found = class_beliefs(&[0.9, 0.1], &event, 2).expect("possible");
        close(&found.values, &[0.5, 0.5]);
        close(&[found.bits], &[-(0.18f64).log2()]);
        assert!(found.is_determined && found.isolations.iter().all(|it| it.is_certain));
        // With three rows, the multisets {a, a, b} and {a, b, b} are possible: 3 p^2 q and 3 p q^2.
        let found = class_beliefs(&[0.75, 0.25], &event, 3).expect("possible");
        close(&found.values, &[(0.75 * 2.0 + 0.25) / 3.0, (0.75 + 0.25 * 2.0) / 3.0]);
        close(&single(&found), &[0.25, 0.75]);
        assert!(!found.is_determined && !found.isolations.iter().any(|it| it.is_certain));
        assert_eq!(class_beliefs(&[0.5, 0.5], &event, 1), None);
    }

    #[test]
    fn child_with_several_values_is_isolated_without_its_values() {
        // Children {a, b} and {c}, two rows: the pairs (a, c) and (b, c), with weights 1 and 3.
        let event = Event::TwoChildren(vec![0, 0, 1]);
        let found = class_beliefs(&[0.125, 0.375, 0.5], &event, 2).expect("possible");
        close(&found.values, &[0.125, 0.375, 0.5]);
        close(&single(&found), &[0.25, 0.75, 1.0, 1.0]);
        let certain: Vec<Finer> =
            found.isolations.iter().filter(|it| it.is_certain).map(|it| it.finer).collect();
        assert_eq!(certain, [Finer::Value(2), Finer::Child(0)]);
        assert!(!found.is_determined);
    }

    #[test]
    fn ends_of_range_occur() {
        let found = class_beliefs(&[0.25, 0.5, 0.25], &Event::BothEnds, 2).expect("possible");
        close(&found.values, &[0.5, 0.0, 0.5]);
        close(&single(&found), &[1.0, 0.0, 1.0]);
        assert!(found.is_determined && !found.isolations[1].is_certain);
        // Three rows: {a, a, c}, {a, c, c}, and {a, b, c} with the weights 3/64, 3/64, and 12/64.
        let found = class_beliefs(&[0.25, 0.5, 0.25], &Event::BothEnds, 3).expect("possible");
        close(&[found.bits], &[-(18.0f64 / 64.0).log2()]);
        close(&found.values, &[7.0 / 18.0, 4.0 / 18.0, 7.0 / 18.0]);
        close(&single(&found), &[15.0 / 18.0, 12.0 / 18.0, 15.0 / 18.0]);
    }

    #[test]
    fn all_values_of_set_occur() {
        let found = class_beliefs(&[0.6, 0.3, 0.1], &Event::AllValues, 3).expect("possible");
        close(&found.values, &[1.0 / 3.0; 3]);
        close(&[found.bits], &[-(6.0 * 0.018f64).log2()]);
        assert!(found.is_determined && found.isolations.iter().all(|it| it.is_certain));
        // For two values, this event and the event that two children occur are the same.
        for n_rows in [2, 3, 7, 40] {
            let set = class_beliefs(&[0.7, 0.3], &Event::AllValues, n_rows).expect("possible");
            let label = class_beliefs(&[0.7, 0.3], &Event::TwoChildren(vec![0, 1]), n_rows);
            let (label, range) =
                (label.expect("possible"), class_beliefs(&[0.7, 0.3], &Event::BothEnds, n_rows));
            for other in [label, range.expect("possible")] {
                close(&set.values, &other.values);
                close(&single(&set), &single(&other));
                close(&[set.bits], &[other.bits]);
            }
        }
        assert_eq!(class_beliefs(&[0.6, 0.3, 0.1], &Event::AllValues, 2), None);
    }

    #[test]
    fn rare_values_do_not_lose_precision() {
        let event = Event::TwoChildren(vec![0, 1]);
        let found = class_beliefs(&[1.0 - 1e-12, 1e-12], &event, 2).expect("possible");
        close(&found.values, &[0.5, 0.5]);
        let found =
            class_beliefs(&[1e-9, 1.0 - 2e-9, 1e-9], &Event::BothEnds, 3).expect("possible");
        let third = 1.0 / 3.0;
        for (found, expected) in found.values.iter().zip([third, third, third]) {
            assert!((found - expected).abs() < 1e-6);
        }
    }

    #[test]
    fn without_rule_prior_does_not_change() {
        let found = class_beliefs(&[0.5, 0.25, 0.25], &Event::Nothing, 4).expect("possible");
        close(&found.values, &[0.5, 0.25, 0.25]);
        close(&single(&found), &[4.0 * 0.0625, 27.0 / 64.0, 27.0 / 64.0]);
        assert!(found.bits == 0.0 && !found.is_determined);
    }
}
