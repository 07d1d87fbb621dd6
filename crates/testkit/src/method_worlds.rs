//! A naive oracle for an adversary who knows the method: all orders of the sensitive values within
//! the classes are enumerated.

/// The sensitive value of each person in a possible world.
pub type World<'a> = [&'a str];

/// Statistics of the worlds for which a method produces the same release.
#[derive(Debug, Clone, PartialEq)]
pub struct Remaining {
    /// The fraction of all worlds that produce the same release.
    pub same: f64,
    /// For each person, the fraction of these worlds in which the person has each value, in the
    /// order of `values`.
    pub credible: Vec<Vec<f64>>,
}

/// Enumerates all orders of the sensitive values within each class. Returns `None` if the method
/// produces the release for none of them. `values` contains all sensitive values.
pub fn remaining(
    classes: &[u32],
    own: &[&str],
    values: &[&str],
    leads: &mut dyn FnMut(&World<'_>) -> bool,
) -> Option<Remaining> {
    let (mut n_worlds, mut n_same) = (0u64, 0u64);
    let mut credible = vec![vec![0u64; values.len()]; own.len()];
    let mut order: Vec<usize> = (0..own.len()).collect();
    permutations(&mut order, 0, classes, &mut |order| {
        let world: Vec<&str> = order.iter().map(|&at| own[at]).collect();
        n_worlds += 1;
        if leads(&world) {
            n_same += 1;
            for (person, value) in world.iter().enumerate() {
                let at =
                    values.iter().position(|it| it == value).expect("the list contains all values");
                credible[person][at] += 1;
            }
        }
    });
    let share = |n: u64| n as f64 / n_same as f64;
    (n_same > 0).then(|| Remaining {
        same: n_same as f64 / n_worlds as f64,
        credible: credible.iter().map(|of| of.iter().map(|&n| share(n)).collect()).collect(),
    })
}

/// Enumerates all permutations within classes.
fn permutations(order: &mut Vec<usize>, from: usize, classes: &[u32], f: &mut dyn FnMut(&[usize])) {
    if from == order.len() {
        return f(order);
    }
    for other in from..order.len() {
        if classes[order[other]] == classes[from] {
            order.swap(from, other);
            permutations(order, from + 1, classes, f);
            order.swap(from, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_orders_within_classes_are_enumerated() {
        let mut observed = Vec::new();
        let found = remaining(
            &[0, 1, 0, 1, 1],
            &["a", "b", "c", "d", "b"],
            &["a", "b", "c", "d"],
            &mut |world| {
                observed.push(world.concat());
                world[0] == "c"
            },
        );
        assert_eq!(observed.len(), 2 * 6);
        observed.sort();
        observed.dedup();
        assert_eq!(observed, ["abcbd", "abcdb", "adcbb", "cbabd", "cbadb", "cdabb"]);
        let found = found.expect("the belief is one half");
        assert_eq!(found.same, 0.5);
        assert_eq!(found.credible[2], [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(found.credible[1], [0.0, 2.0 / 3.0, 0.0, 1.0 / 3.0]);
        assert_eq!(remaining(&[0], &["a"], &["a"], &mut |_| false), None);
    }
}
