//! Naive oracles for additional principles on categorical attributes.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The number of rows with a sensitive value in a class, and whether it is a don't-care value.
pub type CountedValue = (u64, bool);

fn fraction((numerator, denominator): (u64, u64)) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// pd-recursive (c, l)-diversity according to the motivation of Definition 4.3: whichever l - 2
/// other values an adversary eliminates, the most frequent value that is not a don't-care value
/// occurs less than c times as often as the remaining values.
pub fn pd_recursive(class: &[CountedValue], c: (u64, u64), l: usize) -> bool {
    let mattering = class.iter().enumerate().filter(|(_, (count, free))| !free && *count > 0);
    let Some((y, &(most, _))) = mattering.max_by_key(|(_, (count, _))| *count) else { return true };
    if l == 1 {
        return true;
    }
    let others: Vec<u64> = (0..class.len()).filter(|&at| at != y).map(|at| class[at].0).collect();
    // Try all sets of up to l - 2 other values, because eliminating rows never weakens the
    // adversary.
    (0u32..1 << others.len()).filter(|set| set.count_ones() as usize <= l - 2).all(|set| {
        let left: u64 =
            (0..others.len()).filter(|at| set >> at & 1 == 0).map(|at| others[at]).sum();
        BigRational::from_integer(most.into())
            < fraction(c) * BigRational::from_integer(left.into())
    })
}

/// Returns whether each count is at least c2 percent of the rows.
pub fn no_negative_disclosure(counts: &[u64], n_rows: u64, c2: (u64, u64)) -> bool {
    let least = fraction(c2) * BigRational::new(n_rows.into(), 100.into());
    counts.iter().all(|&count| BigRational::from_integer(count.into()) >= least)
}

/// (alpha, k)-anonymity, where `limited` contains the counts of the restricted values.
pub fn alpha_k(limited: &[u64], n_rows: u64, alpha: (u64, u64), k: u64) -> bool {
    let most = fraction(alpha) * BigRational::from_integer(n_rows.into());
    n_rows >= k && limited.iter().all(|&count| BigRational::from_integer(count.into()) <= most)
}

/// Returns the relative gain in frequency from all rows to the class, with the frequency in all
/// rows, for each value with a positive gain.
fn gains<'a>(
    class: &'a [u64],
    all: &'a [u64],
) -> impl Iterator<Item = (BigRational, BigRational)> + 'a {
    let share = |counts: &[u64], at: usize| {
        BigRational::new(counts[at].into(), counts.iter().sum::<u64>().into())
    };
    (0..class.len()).filter_map(move |at| {
        let (q, p) = (share(class, at), share(all, at));
        (q > p).then(|| ((q - &p) / &p, p))
    })
}

/// Returns whether a class satisfies basic beta-likeness, so no gain relative to all rows exceeds
/// beta.
pub fn basic_beta(class: &[u64], all: &[u64], beta: (u64, u64)) -> bool {
    gains(class, all).all(|(gain, _)| gain <= fraction(beta))
}

/// Enhanced beta-likeness: no gain exceeds the minimum of beta and -ln p. Floating-point comparison
/// is safe because the gains of small counts are never close to -ln p.
pub fn enhanced_beta(class: &[u64], all: &[u64], beta: (u64, u64)) -> bool {
    let near = |number: &BigRational| number.to_f64().unwrap_or(f64::NAN);
    basic_beta(class, all, beta) && gains(class, all).all(|(gain, p)| near(&gain) <= -near(&p).ln())
}

/// Returns the largest change in belief |beta - alpha| about any value, where the prior belief
/// alpha is the share of the value in all rows, and the posterior belief beta its share in the
/// class.
pub fn largest_change(class: &[u64], all: &[u64]) -> BigRational {
    let sizes = [class, all].map(|rows| BigInt::from(rows.iter().sum::<u64>()));
    let share = |rows: u64, of: &BigInt| BigRational::new(rows.into(), of.clone());
    let change = |(&n, &of): (&u64, &u64)| (share(n, &sizes[0]) - share(of, &sizes[1])).abs();
    class.iter().zip(all).map(change).max().unwrap_or_default()
}

/// Returns the largest gain, or 0 if no value has a gain.
pub fn largest_gain(class: &[u64], all: &[u64]) -> f64 {
    gains(class, all).map(|(gain, _)| gain.to_f64().unwrap_or(f64::NAN)).fold(0.0, f64::max)
}

/// Returns the largest |ln(q / p)| over the values of all rows; infinite if a value does not occur
/// in the class.
pub fn largest_logarithm(class: &[u64], all: &[u64]) -> f64 {
    let share = |counts: &[u64], at: usize| counts[at] as f64 / counts.iter().sum::<u64>() as f64;
    (0..all.len()).map(|at| (share(class, at) / share(all, at)).ln().abs()).fold(0.0, f64::max)
}

/// Returns the entropy of counts in nats. The counts are not necessarily integers.
pub fn entropy(counts: &[f64]) -> f64 {
    let n: f64 = counts.iter().sum();
    let share = counts.iter().filter(|&&count| count > 0.0).map(|count| count / n);
    share.map(|p| -p * p.ln()).sum()
}

/// Searches for the adjusted entropy. All don't-care counts are truncated at a common height. The
/// optimal height is located with a coarse grid and then with successively finer grids.
pub fn adjusted_entropy(sensitive: &[u64], dont_care: &[u64]) -> f64 {
    let cut = |height: f64| {
        let fixed = sensitive.iter().map(|&count| count as f64);
        let lowered = dont_care.iter().map(|&count| (count as f64).min(height));
        entropy(&fixed.chain(lowered).collect::<Vec<_>>())
    };
    let top = dont_care.iter().copied().max().unwrap_or(1).max(1) as f64;
    let (mut low, mut high) = (top * 1e-6, top);
    for _ in 0..60 {
        let step = (high - low) / 100.0;
        let heights = (0..=100).map(|at| low + step * f64::from(at));
        let best = heights
            .max_by(|a, b| cut(*a).total_cmp(&cut(*b)))
            .expect("the grid has at least one point");
        (low, high) = ((best - step).max(low), (best + step).min(high));
    }
    cut((low + high) / 2.0)
}

/// The path to a base value in the taxonomy, from the root to the value itself.
pub type Path = Vec<String>;

/// Returns the induced frequency in a class (Definition 2) of each base value, identified by its
/// path.
pub fn induced(class: &[String], leaves: &[Path], weights: &[BigRational]) -> Vec<BigRational> {
    let covers = |value: &String, leaf: &Path| leaf.contains(value);
    let n = BigRational::from_integer(class.len().into());
    let share = |value: &String, at: usize| {
        if !covers(value, &leaves[at]) {
            return BigRational::zero();
        }
        let all: BigRational = (0..leaves.len())
            .filter(|&other| covers(value, &leaves[other]))
            .map(|other| weights[other].clone())
            .sum();
        &weights[at] / all
    };
    (0..leaves.len())
        .map(|at| class.iter().map(|value| share(value, at)).sum::<BigRational>() / &n)
        .collect()
}

/// (tau, l)-diversity of induced frequencies with linear psi.
pub fn tau_l(frequencies: &[BigRational], tau: &BigRational, l: &BigRational) -> bool {
    tau_l_by(frequencies, tau, l, BigRational::clone)
}

/// (tau, l)-diversity of induced frequencies (Definition 4): F(k) <= psi(k) for every k, where psi
/// grows from tau to 1 as `growth` grows from 0 to 1.
pub fn tau_l_by(
    frequencies: &[BigRational],
    tau: &BigRational,
    l: &BigRational,
    growth: impl Fn(&BigRational) -> BigRational,
) -> bool {
    let mut sorted = frequencies.to_vec();
    sorted.sort();
    sorted.reverse();
    let one = BigRational::one();
    (1..=sorted.len()).all(|k| {
        let sum: BigRational = sorted[..k].iter().sum();
        let k = BigRational::from_integer(k.into());
        if k >= *l {
            return sum <= one;
        }
        sum <= tau + (&one - tau) * growth(&((k - &one) / (l - &one)))
    })
}

/// Returns the largest m for which a class is m-unique: the number of rows if all sensitive values
/// are distinct, and 0 otherwise.
pub fn m_unique(values: &[String]) -> u64 {
    let equal = |a: usize| (0..a).any(|b| values[a] == values[b]);
    if (0..values.len()).any(equal) { 0 } else { values.len() as u64 }
}

/// The person in a row of a version, or `None` for a counterfeit, and the sensitive value.
pub type OfPerson = (Option<u64>, String);

/// Returns whether a history of versions, each a list of classes, satisfies m-invariance.
pub fn m_invariant(versions: &[Vec<Vec<OfPerson>>], m: u64) -> bool {
    let values =
        |class: &[OfPerson]| -> Vec<String> { class.iter().map(|row| row.1.clone()).collect() };
    let are_unique = versions.iter().flatten().all(|class| m_unique(&values(class)) >= m);
    let mut observed: Vec<(u64, Vec<String>)> = Vec::new();
    for class in versions.iter().flatten() {
        let mut signature = values(class);
        signature.sort();
        observed.extend(class.iter().filter_map(|row| Some((row.0?, signature.clone()))));
    }
    are_unique && observed.iter().all(|a| observed.iter().all(|b| a.0 != b.0 || a.1 == b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oracle_definitions_hold_on_small_classes() {
        // The class has 10 healthy people and 4 sick people, and 4 < 0.5 * 10.
        assert!(pd_recursive(&[(10, true), (4, false)], (1, 2), 2));
        assert!(!pd_recursive(&[(8, true), (4, false)], (1, 2), 2));
        assert!(pd_recursive(&[(8, true)], (1, 2), 3));
        assert!(!pd_recursive(&[(2, false), (1, false), (1, false)], (2, 1), 3));
        assert!(
            no_negative_disclosure(&[1], 10, (10, 1)) && !no_negative_disclosure(&[0], 1, (1, 1))
        );
        assert!(alpha_k(&[1, 1], 2, (1, 2), 2) && !alpha_k(&[2, 1], 3, (1, 2), 2));
        assert!((adjusted_entropy(&[3, 4], &[11, 10, 3, 2]) - 1.7729711683903022).abs() < 1e-9);
    }

    #[test]
    fn generalized_values_induce_base_values() {
        let path = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Path>();
        let leaves = [path(&["r", "x", "a"]), path(&["r", "x", "b"]), path(&["r", "c"])];
        let one = BigRational::one();
        let class = ["x", "c"].map(str::to_owned);
        let found = induced(&class, &leaves, &[one.clone(), one.clone(), one.clone()]);
        let quarter = BigRational::new(1.into(), 4.into());
        let half = BigRational::new(1.into(), 2.into());
        assert_eq!(found, [quarter.clone(), quarter, half.clone()]);
        assert!(tau_l(&found, &half, &BigRational::from_integer(3.into())));
        assert!(!tau_l(&found, &half, &BigRational::from_integer(4.into())));
    }
}
