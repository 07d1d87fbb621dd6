//! Computes the belief of an adversary by enumerating all possible worlds.

/// Returns the adversary's belief in each sensitive value of a person whose quasi-identifiers are
/// `person` and whose row is in a class with the given counts. The other rows belong to people whom
/// the class covers, independently of each other.
///
/// `joint[q][s]` contains the weights of the prior, and `covers` the quasi-identifiers of the
/// class. Returns `None` if no world is possible.
pub fn belief(
    joint: &[Vec<f64>],
    covers: &[usize],
    counts: &[usize],
    person: usize,
) -> Option<Vec<f64>> {
    let n_sensitive_values = counts.len();
    let n: usize = counts.iter().sum();
    let mut beliefs = vec![0.0; n_sensitive_values];
    for (own, sum) in beliefs.iter_mut().enumerate() {
        let mut observed = vec![0; n_sensitive_values];
        observed[own] += 1;
        *sum = joint[person][own] * others(joint, covers, counts, &mut observed, n - 1);
    }
    let total: f64 = beliefs.iter().sum();
    (total > 0.0).then(|| beliefs.iter().map(|sum| sum / total).collect())
}

/// Returns the total weight of the worlds of the remaining rows in which the class has these
/// counts.
fn others(
    joint: &[Vec<f64>],
    covers: &[usize],
    counts: &[usize],
    observed: &mut Vec<usize>,
    n_left: usize,
) -> f64 {
    if n_left == 0 {
        return if observed == counts { 1.0 } else { 0.0 };
    }
    let mut weight = 0.0;
    for &q in covers {
        for s in 0..counts.len() {
            observed[s] += 1;
            weight += joint[q][s] * others(joint, covers, counts, observed, n_left - 1);
            observed[s] -= 1;
        }
    }
    weight
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn belief_equals_class_shares_for_equal_people() {
        let joint = vec![vec![0.2, 0.3], vec![0.5, 0.0]];
        let found = belief(&joint, &[0], &[1, 3], 0).expect("possible");
        assert!((found[0] - 0.25).abs() < 1e-12);
        assert_eq!(belief(&joint, &[1], &[1, 1], 1), None);
    }
}
