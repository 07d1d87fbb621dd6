//! # Implications between people
//!
//! **Definition.** The adversary knows the class of each person and k basic implications: if some
//! people have some values, then one of several people has one of several values. The result is the
//! largest belief in any value of any person over all sets of k implications.
//! **Formula.** The worst k implications are simple and lead to the person's own value A: A_1 -> A,
//! ..., A_k -> A (Theorem 9 of the paper). The belief in A is then 1 / (1 + P(not A, not A_1, ...,
//! not A_k) / P(A)), and classes are independent. In a class of n rows, let S(j) be the number of
//! rows with one of its j most frequent values. The probability that m guesses about people of the
//! class are all wrong is at least f(m) = min prod_i (n - i - S(k_i)) / (n - i), over k_0 >= k_1 >=
//! ... with sum m (MINIMIZE1 in the paper). The guesses are allocated to classes one class at a
//! time (MINIMIZE2).
//! **Several guesses in one class.** f(a + b) <= f(a) f(b), because the values of people in a class
//! are drawn without replacement (test `guesses_about_one_class_are_submultiplicative`). Guesses in
//! a second copy of a class are therefore never worse than guesses in the class itself, so the
//! allocation may include the class of the person among the other classes.
//! **Source.** Martin, Kifer, Machanavajjhala, Gehrke, Halpern, ICDE 2007.

use num_bigint::BigUint;
use num_rational::Ratio;
use num_traits::{One, Zero};

/// A nonnegative number that represents a probability or odds: a double or an exact fraction.
pub trait Number: Clone + PartialOrd + One + Zero {
    /// Returns a fraction of two counts.
    fn of_counts(numerator: u64, denominator: u64) -> Self;
}

impl Number for f64 {
    fn of_counts(numerator: u64, denominator: u64) -> Self {
        numerator as f64 / denominator as f64
    }
}

impl Number for Ratio<BigUint> {
    fn of_counts(numerator: u64, denominator: u64) -> Self {
        Ratio::new(BigUint::from(numerator), BigUint::from(denominator))
    }
}

/// The probabilities that guesses about people of one class are wrong.
#[derive(Debug, Clone)]
pub struct Guesses<N> {
    /// For m = 0, 1, ..., the smallest probability that m guesses are all wrong.
    pub missed: Vec<N>,
    /// For k = 0, 1, ..., the smallest probability that k + 1 guesses, including the guess of the
    /// target's value, are all wrong, divided by the probability of the target's value.
    pub against: Vec<N>,
}

impl<N: Number> Guesses<N> {
    /// Computes the probabilities for up to `k` implications from the counts of the sensitive
    /// values in descending order. At most the first k + 1 counts are used.
    ///
    /// # Panics
    /// Panics if the list of counts is empty or starts with 0.
    pub fn new(counts: &[u64], n_rows: u64, k: usize) -> Self {
        let (mut top, mut sum) = (vec![0], 0);
        for value in 0..=k {
            sum += counts.get(value).copied().unwrap_or(0);
            top.push(sum);
        }
        let mut missed = vec![N::one()];
        for m in 1..=k + 1 {
            let last = missed[m - 1].clone();
            // An additional guess never increases the probability that all guesses are wrong.
            missed.push(match least::<N>(&top, n_rows, 0, m, m) {
                Some(least) if least < last => least,
                _ => last,
            });
        }
        let odds = N::of_counts(n_rows, counts[0]);
        let against = missed[1..].iter().map(|missed| missed.clone() * odds.clone()).collect();
        missed.truncate(k + 1);
        Self { missed, against }
    }
}

/// Returns the smallest probability that m guesses are all wrong if the adversary guesses at most
/// `most` values of each person from index i onward, or `None` if there are too few people.
fn least<N: Number>(top: &[u64], n_rows: u64, i: u64, most: usize, m: usize) -> Option<N> {
    if m == 0 {
        return Some(N::one());
    }
    let left = n_rows.checked_sub(i).filter(|left| *left > 0)?;
    let products = (1..=most.min(m)).filter_map(|values| match left.saturating_sub(top[values]) {
        0 => Some(N::zero()),
        missed => {
            let rest = least::<N>(top, n_rows, i + 1, values, m - values)?;
            Some(N::of_counts(missed, left) * rest)
        }
    });
    products.reduce(smaller)
}

fn smaller<N: PartialOrd>(a: N, b: N) -> N {
    if b < a { b } else { a }
}

/// Returns the neutral element of [`joined`], which represents an empty list of classes.
pub fn no_class<N: Number>(k: usize) -> Vec<N> {
    vec![N::one(); k + 1]
}

/// Returns, for each total, the smallest product over all ways to split the total between `a` and
/// `b`.
pub fn joined<N: Number>(a: &[N], b: &[N]) -> Vec<N> {
    let product = |m: usize, own: usize| a[own].clone() * b[m - own].clone();
    let of = |m: usize| (1..=m).map(|own| product(m, own)).fold(product(m, 0), smaller);
    (0..a.len().min(b.len())).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_about_one_class_are_submultiplicative() {
        let classes: [&[u64]; 7] = [
            &[1],
            &[3, 2, 1],
            &[9, 1, 1, 1, 1, 1, 1, 1],
            &[5, 5, 5, 1, 1, 1, 1],
            &[45, 45, 4, 2, 2, 2],
            &[60, 8, 8, 8, 8, 8],
            &[1; 12],
        ];
        for counts in classes {
            let guesses: Guesses<Ratio<BigUint>> = Guesses::new(counts, counts.iter().sum(), 7);
            let f = &guesses.missed;
            for (a, b) in (0..f.len()).flat_map(|a| (0..f.len() - a).map(move |b| (a, b))) {
                assert!(f[a + b] <= f[a].clone() * f[b].clone(), "{counts:?} {a} {b}");
            }
            assert_eq!(joined(f, f), *f, "{counts:?}");
        }
    }

    #[test]
    fn doubles_equal_fractions() {
        let counts = [9, 7, 4, 4, 1];
        let exact: Guesses<Ratio<BigUint>> = Guesses::new(&counts, 25, 3);
        let doubles: Guesses<f64> = Guesses::new(&counts, 25, 3);
        let close = |exact: &Ratio<BigUint>, double: f64| {
            let scaled = exact * Ratio::from_integer(BigUint::from(10u64.pow(12)));
            (scaled.to_integer().to_string().parse::<f64>().expect("digits") / 1e12 - double).abs()
        };
        let pairs = exact.missed.iter().zip(doubles.missed);
        let pairs = pairs.chain(exact.against.iter().zip(doubles.against));
        assert!(pairs.into_iter().all(|(exact, double)| close(exact, double) < 1e-11));
    }
}
