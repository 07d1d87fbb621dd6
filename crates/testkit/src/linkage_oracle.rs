//! Oracles for linkage and the central agency that enumerate all people, all partitions, and all
//! samples.

/// A class of a release, with the people that it covers and the count of each sensitive value.
#[derive(Debug, Clone)]
pub struct PlainClass {
    /// For each combination, in numerical order, whether the class covers the combination.
    pub covers: Vec<bool>,
    /// The counts of the original values, followed by the counts of the generalized values.
    pub counts: Vec<u64>,
}

/// Returns the linked counts of each sensitive value for one person: the minimum, over the releases
/// that cover the person, of the number of rows that may have the value. Returns `None` if fewer
/// than two releases cover the person. `may_mean[v]` contains the sensitive values that released
/// value v may stand for.
pub fn linked_counts(
    releases: &[Vec<PlainClass>],
    may_mean: &[Vec<usize>],
    n_sensitive_values: usize,
    person: usize,
) -> Option<Vec<u64>> {
    let mut linked: Option<Vec<u64>> = None;
    let mut n_covering = 0;
    for classes in releases {
        let fitting: Vec<&PlainClass> =
            classes.iter().filter(|class| class.covers[person]).collect();
        if fitting.is_empty() {
            continue;
        }
        n_covering += 1;
        let possible = |sensitive_value: usize| -> u64 {
            let mut sum = 0;
            for class in &fitting {
                for (value, count) in class.counts.iter().enumerate() {
                    if may_mean[value].contains(&sensitive_value) {
                        sum += count;
                    }
                }
            }
            sum
        };
        let here: Vec<u64> = (0..n_sensitive_values).map(possible).collect();
        linked = Some(match linked {
            None => here,
            Some(before) => before.iter().zip(&here).map(|(a, b)| *a.min(b)).collect(),
        });
    }
    linked.filter(|_| n_covering >= 2)
}

/// Returns the minimum number of sensitive values in the intersection of t sets, each with l of n
/// sensitive values and all with a common value, by enumerating all sets.
pub fn worst_case(n: u32, l: u32, t: u32) -> u32 {
    let sets: Vec<u32> =
        (0..1u32 << n).filter(|set| set.count_ones() >= l && set & 1 == 1).collect();
    let mut reachable = vec![(1u32 << n) - 1];
    for _ in 0..t {
        let mut next: Vec<u32> =
            reachable.iter().flat_map(|a| sets.iter().map(move |b| a & b)).collect();
        next.sort_unstable();
        next.dedup();
        reachable = next;
    }
    reachable.into_iter().map(u32::count_ones).min().expect("the set of all values is reachable")
}

/// Returns the l-th largest weight of a sensitive value in the combinations from..to, or 0 if there
/// are fewer than l sensitive values.
pub fn l_th(weights: &[Vec<u64>], from: usize, to: usize, l: usize) -> u64 {
    let n_sensitive_values = weights.first().map_or(0, Vec::len);
    let mut sums: Vec<u64> =
        (0..n_sensitive_values).map(|s| weights[from..to].iter().map(|row| row[s]).sum()).collect();
    sums.sort_unstable();
    sums.reverse();
    sums.get(l - 1).copied().unwrap_or(0)
}

/// For each number of classes, starting at 1, the largest weight that l sensitive values of every
/// class reach, by enumerating all partitions into consecutive classes.
pub fn largest_thresholds(weights: &[Vec<u64>], l: usize) -> Vec<u64> {
    let n = weights.len();
    let mut largest = vec![0; n];
    for cuts in 0..1u32 << (n - 1) {
        let mut from = 0;
        let mut smallest = u64::MAX;
        for to in 1..=n {
            if to == n || cuts >> (to - 1) & 1 == 1 {
                smallest = smallest.min(l_th(weights, from, to, l));
                from = to;
            }
        }
        let n_classes = cuts.count_ones() as usize;
        largest[n_classes] = largest[n_classes].max(smallest);
    }
    largest
}

/// Returns the failure probabilities of a sample of n rows, by enumerating all samples: some
/// nonempty class has fewer than l sensitive values; some class has fewer than l; some class lacks
/// one of its designated values. `cells` are triples (class, sensitive value, probability).
pub fn failure(
    cells: &[(usize, usize, f64)],
    designated: &[Vec<usize>],
    l: usize,
    n_rows: usize,
) -> [f64; 3] {
    let mut failed = [0.0; 3];
    let mut sample = vec![0; n_rows];
    loop {
        let probability: f64 = sample.iter().map(|&cell| cells[cell].2).product();
        let mut fails = [false; 3];
        for (class, wanted) in designated.iter().enumerate() {
            let mut observed: Vec<usize> = sample
                .iter()
                .filter(|&&cell| cells[cell].0 == class)
                .map(|&cell| cells[cell].1)
                .collect();
            observed.sort_unstable();
            observed.dedup();
            fails[0] |= !observed.is_empty() && observed.len() < l;
            fails[1] |= observed.len() < l;
            fails[2] |= wanted.len() < l || wanted.iter().any(|value| !observed.contains(value));
        }
        for (sum, fails) in failed.iter_mut().zip(fails) {
            *sum += if fails { probability } else { 0.0 };
        }
        // Advance to the next sample. A sample is represented as a number in which each digit is a
        // cell.
        let Some(at) = sample.iter().position(|&cell| cell + 1 < cells.len()) else {
            return failed;
        };
        sample[at] += 1;
        sample[..at].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        assert_eq!(worst_case(5, 4, 2), 3);
        let weights = [vec![1, 1], vec![1, 1], vec![1, 1], vec![1, 1], vec![1, 1]];
        assert_eq!(largest_thresholds(&weights, 2), [5, 2, 1, 1, 1]);
        let coin = [(0, 0, 0.5), (0, 1, 0.5)];
        assert_eq!(failure(&coin, &[vec![0, 1]], 2, 4), [0.125; 3]);
    }
}
