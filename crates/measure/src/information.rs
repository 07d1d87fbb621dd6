//! # mutual information
//!
//! **Definition.** The fraction of the information in an original quasi-identifier that its
//! released values retain: the mutual information of original and released values, divided by the
//! entropy of the original values.
//! **Formula.** I(X; Y) / H(X), with I(X; Y) = sum over pairs of p(x, y) ln(p(x, y) / (p(x)
//! p(y))); 1 if X is constant. All rows that are not in the release share one released value.
//! **Parameters.** None. The measure depends on neither levels nor domains, so releases of one
//! table are comparable whatever their hierarchies.
//! **Level.** In [0, 1]; higher is better.
//! **Monotone.** Generalizing by one more level never increases the measure.
//! **Complexity.** O(tuples) for each attribute.
//! **Errors.** No value if the correspondence between original and released rows is unknown.
//! **Source.** Cover, Thomas, Elements of Information Theory, 2.3.

use std::collections::BTreeMap;

use indistinct_core::model::sum_by_key;
use indistinct_core::published::ReleaseWithOriginal;

/// Returns, for each quasi-identifier, the fraction of information that the released values retain.
/// Returns `None` if the correspondence between original and released rows is unknown.
pub fn normalized(pair: &ReleaseWithOriginal) -> Option<BTreeMap<String, f64>> {
    let links = pair.links.as_ref()?;
    let columns = pair.original.quasi_identifiers().iter();
    let released = pair.published.rows.quasi_identifiers();
    let of = columns.zip(released).map(|(original, released)| {
        let mut pairs: Vec<(Pair, u64)> = links
            .iter()
            .map(|link| {
                let label = link.released.map(|tuple| released.codes[tuple as usize]);
                ((original.codes[link.original as usize], label), link.rows)
            })
            .collect();
        sum_by_key(&mut pairs);
        (original.name.clone(), share(&pairs))
    });
    Some(of.collect())
}

/// An original value and its released value, which is `None` if the row is not in the release.
type Pair = (u32, Option<u32>);

/// Computes I(X; Y) / H(X) from counted pairs.
fn share(pairs: &[(Pair, u64)]) -> f64 {
    let marginal = |key: fn(&Pair) -> Option<u32>| -> Vec<u64> {
        let mut counts: Vec<(Option<u32>, u64)> =
            pairs.iter().map(|(pair, n)| (key(pair), *n)).collect();
        sum_by_key(&mut counts);
        counts.into_iter().map(|it| it.1).collect()
    };
    let of_original = entropy(&marginal(|pair| Some(pair.0)));
    if of_original <= 0.0 {
        return 1.0;
    }
    let of_release = entropy(&marginal(|pair| pair.1));
    let joint = entropy(&pairs.iter().map(|it| it.1).collect::<Vec<u64>>());
    ((of_original + of_release - joint) / of_original).clamp(0.0, 1.0)
}

fn entropy(counts: &[u64]) -> f64 {
    let n: u64 = counts.iter().sum();
    let n_log_n = |n: u64| if n == 0 { 0.0 } else { n as f64 * (n as f64).ln() };
    let sum: f64 = counts.iter().map(|&count| n_log_n(count)).sum();
    if n == 0 { 0.0 } else { ((n as f64).ln() - sum / n as f64).max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn originals_retain_all_information_and_stars_none() {
        let retained = [((0, Some(5)), 2), ((1, Some(3)), 6), ((2, Some(4)), 1)];
        assert!((share(&retained) - 1.0).abs() < 1e-12);
        let starred = [((0, Some(0)), 2), ((1, Some(0)), 6), ((2, Some(0)), 1)];
        assert!(share(&starred).abs() < 1e-12);
        assert_eq!(share(&[((4, Some(1)), 9)]), 1.0, "a constant cannot lose information");
        assert_eq!(share(&[]), 1.0);
    }

    #[test]
    fn halving_four_equal_values_retains_half() {
        let pairs = [((0, Some(0)), 3), ((1, Some(0)), 3), ((2, Some(1)), 3), ((3, Some(1)), 3)];
        assert!((share(&pairs) - 0.5).abs() < 1e-12);
        // Half of the rows are suppressed. Each released value identifies one of two values, and a
        // suppressed row has one of the two others.
        let pairs = [((0, None), 3), ((1, None), 3), ((2, Some(0)), 3), ((3, Some(1)), 3)];
        assert!((share(&pairs) - 0.75).abs() < 1e-12);
    }
}
