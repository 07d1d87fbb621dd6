//! Computes how many new rows of each sensitive value each bucket receives, based only on counts.

use std::collections::BTreeMap;

/// A bucket, which contains the rows with one signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bucket {
    /// For each sensitive value of the signature, the number of rows of people who were in earlier
    /// versions.
    pub old: Vec<u64>,
    /// For each sensitive value of the signature, the number of new rows.
    pub new: Vec<u64>,
}

/// Buckets by signature.
pub(super) type Buckets = BTreeMap<Vec<u32>, Bucket>;

/// The distribution of the new rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BalancedRows {
    pub buckets: Buckets,
    /// The number of suppressed new rows for each sensitive value.
    pub suppressed: Vec<u64>,
}

/// New rows without a bucket.
#[derive(Debug, Clone)]
struct LeftRows {
    m: u64,
    of_value: Vec<u64>,
    n: u64,
}

impl Bucket {
    pub(super) fn empty(n_sensitive_values: usize) -> Self {
        Self { old: vec![0; n_sensitive_values], new: vec![0; n_sensitive_values] }
    }

    fn has(&self, at: usize) -> u64 {
        self.old[at] + self.new[at]
    }

    /// Returns the number of classes that the bucket is split into.
    pub fn n_classes(&self) -> u64 {
        (0..self.old.len()).map(|at| self.has(at)).max().unwrap_or(0)
    }

    /// Returns whether a new row with this sensitive value replaces a counterfeit.
    fn lacks(&self, at: usize) -> bool {
        self.has(at) < self.n_classes()
    }
}

impl LeftRows {
    /// Returns the most frequent sensitive value; in case of a tie, the first one.
    fn largest(&self) -> Option<(u32, u64)> {
        let all = (0u32..).zip(self.of_value.iter().copied()).filter(|entry| entry.1 > 0);
        all.max_by_key(|&(value, rows)| (rows, std::cmp::Reverse(value)))
    }

    /// Returns by how much these rows violate m-eligibility, or a number of at most 0 if they
    /// satisfy it.
    fn excess(&self) -> i128 {
        let largest = self.largest().map_or(0, |entry| entry.1);
        i128::from(self.m) * i128::from(largest) - i128::from(self.n)
    }

    fn take(&mut self, value: u32, rows: u64) {
        self.of_value[value as usize] -= rows;
        self.n -= rows;
    }
}

/// Distributes new rows over the buckets to make all buckets divisible into classes. Returns `None`
/// if this is impossible with at most `max_suppressed` suppressed rows.
pub(super) fn balance(
    buckets: &Buckets,
    new: &[u64],
    m: u64,
    max_suppressed: u64,
) -> Option<BalancedRows> {
    if buckets.keys().any(|signature| (signature.len() as u64) < m) {
        return None;
    }
    let mut left = LeftRows { m, of_value: new.to_vec(), n: new.iter().sum() };
    let mut balanced = BalancedRows { buckets: buckets.clone(), suppressed: vec![0; new.len()] };
    let mut may_suppress = max_suppressed;
    // For each sensitive value, the existing signatures that contain it, before new ones are
    // created.
    let mut with_value: Vec<Vec<(&Vec<u32>, usize)>> = vec![Vec::new(); new.len()];
    for signature in buckets.keys() {
        for (at, &value) in signature.iter().enumerate() {
            with_value[value as usize].push((signature, at));
        }
    }
    fill(&mut balanced.buckets, &with_value, &mut left);
    while left.excess() > 0 {
        let (value, _) = left.largest()?;
        if may_suppress > 0 {
            may_suppress -= 1;
            balanced.suppressed[value as usize] += 1;
        } else {
            // Prefer a bucket with a gap, otherwise the bucket with the smallest signature.
            let places = with_value[value as usize].iter();
            let (signature, at) = places.min_by_key(|(signature, at)| {
                let needs_others = !balanced.buckets[*signature].lacks(*at);
                (needs_others, signature.len())
            })?;
            let bucket =
                balanced.buckets.get_mut(*signature).expect("the signature already has a bucket");
            bucket.new[*at] += 1;
        }
        left.take(value, 1);
        fill(&mut balanced.buckets, &with_value, &mut left);
    }
    assign(&mut balanced.buckets, &mut left);
    Some(balanced)
}

/// Fills gaps with new rows, starting with the most frequent sensitive values, as long as the other
/// rows stay m-eligible.
fn fill(buckets: &mut Buckets, with_value: &[Vec<(&Vec<u32>, usize)>], left: &mut LeftRows) {
    // For each sensitive value, the first position that may have a gap; earlier positions have
    // none.
    let mut next = vec![0; with_value.len()];
    let mut open: Vec<u32> =
        (0..with_value.len() as u32).filter(|&value| left.of_value[value as usize] > 0).collect();
    loop {
        open.retain(|&value| {
            let (places, next) = (&with_value[value as usize], &mut next[value as usize]);
            while places.get(*next).is_some_and(|(signature, at)| !buckets[*signature].lacks(*at)) {
                *next += 1;
            }
            *next < places.len() && left.of_value[value as usize] > 0
        });
        let rows_of = |value: &u32| left.of_value[*value as usize];
        let chosen = open.iter().copied().max_by_key(|at| (rows_of(at), std::cmp::Reverse(*at)));
        let Some(value) = chosen else { return };
        let most = left.excess().max(0);
        left.take(value, 1);
        if left.excess() > most {
            left.of_value[value as usize] += 1;
            left.n += 1;
            return;
        }
        let (signature, at) = with_value[value as usize][next[value as usize]];
        buckets.get_mut(signature).expect("the signature already has a bucket").new[at] += 1;
    }
}

/// Assigns m-eligible rows to buckets whose balance stays the same.
fn assign(buckets: &mut Buckets, left: &mut LeftRows) {
    while left.n > 0 {
        let mut order: Vec<(u64, u32)> = (0u32..)
            .zip(left.of_value.iter().copied())
            .filter(|entry| entry.1 > 0)
            .map(|(value, rows)| (rows, value))
            .collect();
        order.sort_unstable_by_key(|&(rows, value)| (std::cmp::Reverse(rows), value));
        let (n_sensitive_values, rows_each) = share(&order, left.n, left.m).expect(
            "m-eligible rows can be distributed such that the remaining rows are m-eligible",
        );
        let mut signature: Vec<u32> =
            order[..n_sensitive_values].iter().map(|entry| entry.1).collect();
        signature.sort_unstable();
        signature.iter().for_each(|&value| left.take(value, rows_each));
        let bucket = buckets.entry(signature).or_insert_with(|| Bucket::empty(n_sensitive_values));
        bucket.new.iter_mut().for_each(|rows| *rows += rows_each);
    }
}

/// Returns the number of most frequent sensitive values, and the number of rows of each, that can
/// be taken at once: the fewest sensitive values, then the most rows.
///
/// With b sensitive values and a rows each, the other rows are m-eligible if and only if m (c_1 -
/// a) <= n - a b and m c_{b+1} <= n - a b.
fn share(order: &[(u64, u32)], n: u64, m: u64) -> Option<(usize, u64)> {
    let (n, m) = (u128::from(n), u128::from(m));
    let rows = |at: usize| order.get(at).map_or(0, |entry| u128::from(entry.0));
    (usize::try_from(m).ok()?..=order.len()).find_map(|n_sensitive_values| {
        let b = n_sensitive_values as u128;
        let of_next = n.checked_sub(m * rows(n_sensitive_values))? / b;
        let of_first = n.checked_sub(m * rows(0))?.checked_div(b - m);
        let most = rows(n_sensitive_values - 1).min(of_next).min(of_first.unwrap_or(u128::MAX));
        (most > 0).then_some((n_sensitive_values, most as u64))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all lists of `n` counts up to `most`.
    fn all_counts(n: usize, most: u64) -> Vec<Vec<u64>> {
        (0..n).fold(vec![Vec::new()], |lists, _| {
            let longer = |list: &Vec<u64>| {
                (0..=most).map(|rows| [list.as_slice(), &[rows]].concat()).collect::<Vec<_>>()
            };
            lists.iter().flat_map(longer).collect()
        })
    }

    #[test]
    fn only_eligible_rows_can_be_balanced() {
        for counts in all_counts(5, 4) {
            let (n, most): (u64, u64) = (counts.iter().sum(), *counts.iter().max().unwrap_or(&0));
            for m in 1..=5 {
                let balanced = balance(&Buckets::new(), &counts, m, 0);
                assert_eq!(balanced.is_some(), m * most <= n, "{counts:?} {m}");
                let Some(balanced) = balanced else { continue };
                let mut there = vec![0; counts.len()];
                for (signature, bucket) in &balanced.buckets {
                    assert!(signature.len() as u64 >= m);
                    assert!(bucket.new.iter().all(|rows| *rows == bucket.new[0]), "{counts:?} {m}");
                    for (&value, &rows) in signature.iter().zip(&bucket.new) {
                        there[value as usize] += rows;
                    }
                }
                assert_eq!(there, counts);
            }
        }
    }

    #[test]
    fn gaps_are_filled_while_others_stay_eligible() {
        let gap = Bucket { old: vec![3, 0], new: vec![0, 0] };
        let buckets = Buckets::from([(vec![0, 1], gap)]);
        let counterfeits = |new: &[u64]| {
            let balanced = balance(&buckets, new, 2, 0).expect("the rows can be balanced");
            let bucket = &balanced.buckets[&vec![0, 1]];
            2 * bucket.n_classes() - bucket.has(0) - bucket.has(1)
        };
        // Of five rows with sensitive value 1 and three with sensitive value 2, two may be used. A
        // third would leave 3 of 5 rows with sensitive value 2.
        assert_eq!(counterfeits(&[0, 5, 3]), 1);
        assert_eq!(counterfeits(&[0, 5, 5]), 3);
        assert_eq!(counterfeits(&[0, 3, 0]), 0);
        assert_eq!(counterfeits(&[0, 0, 0]), 3);
    }

    #[test]
    fn ineligible_rows_are_suppressed_or_use_existing_buckets() {
        let full = Bucket { old: vec![1, 1], new: vec![0, 0] };
        let buckets = Buckets::from([(vec![0, 1], full)]);
        let balanced = balance(&buckets, &[3, 0, 1], 2, 1).expect("sensitive value 0 has a bucket");
        assert_eq!(balanced.suppressed, [1, 0, 0]);
        assert_eq!(balanced.buckets[&vec![0, 1]].new, [1, 0]);
        assert_eq!(balanced.buckets[&vec![0, 2]].new, [1, 1]);
        assert_eq!(balance(&buckets, &[0, 0, 3], 2, 2), None);
        assert_eq!(balance(&buckets, &[0, 0, 3], 3, 9), None);
        assert_eq!(
            balance(&buckets, &[0, 0, 3], 2, 3).expect("all rows may be suppressed").suppressed,
            [0, 0, 3]
        );
    }
}
