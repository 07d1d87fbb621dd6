//! Enumerates the assignments of the sensitive values of a class to parts of its rows.

/// A sensitive value, as a code with its row count.
pub(crate) type Entry = (u32, u64);

/// A callback that receives the values assigned to the parts so far, and their probability.
type Visit<'a> = dyn FnMut(&[Vec<Entry>], f64) -> Option<bool> + 'a;

struct Assigner<'a> {
    values: &'a [Entry],
    sizes: &'a [u64],
    /// The unassigned rows of each value.
    left: Vec<u64>,
    /// For each part that already has rows in the current assignment, the assigned values.
    assigned: Vec<Vec<Entry>>,
    visit: &'a mut Visit<'a>,
}

/// Enumerates the assignments of values with the given numbers of rows to parts of the given sizes,
/// whose sum equals the total number of rows.
///
/// `visit` is called after each part, with the values of the parts so far and their probability if
/// all orders of the rows are equally likely. It returns whether to continue with the next part, or
/// `None` to stop; the result is then `None`.
pub(crate) fn assignments(values: &[Entry], sizes: &[u64], visit: &mut Visit<'_>) -> Option<()> {
    let left = values.iter().map(|value| value.1).collect();
    Assigner { values, sizes, left, assigned: Vec::new(), visit }.part(1.0)
}

impl Assigner<'_> {
    fn part(&mut self, probability: f64) -> Option<()> {
        let Some(&size) = self.sizes.get(self.assigned.len()) else { return Some(()) };
        let pool = self.left.iter().sum();
        self.assigned.push(Vec::new());
        let result = self.values(0, (size, pool), probability);
        self.assigned.pop();
        result
    }

    /// Assigns rows to the last part, which needs `wanted` more rows. The pool contains `pool` rows
    /// with this value or one of the following values.
    fn values(&mut self, value: usize, (wanted, pool): (u64, u64), probability: f64) -> Option<()> {
        let Some(&rows) = self.left.get(value) else {
            let goes_on = (self.visit)(&self.assigned, probability)?;
            return if goes_on { self.part(probability) } else { Some(()) };
        };
        let others = pool - rows;
        let part = self.assigned.len() - 1;
        for taken in wanted.saturating_sub(others)..=rows.min(wanted) {
            // The hypergeometric probability of drawing `taken` rows of this value in `wanted`
            // draws.
            let chance = (ln_choose(rows, taken) + ln_choose(others, wanted - taken)
                - ln_choose(pool, wanted))
            .exp();
            if taken > 0 {
                self.assigned[part].push((self.values[value].0, taken));
            }
            self.left[value] = rows - taken;
            let result = self.values(value + 1, (wanted - taken, others), probability * chance);
            self.left[value] = rows;
            if taken > 0 {
                self.assigned[part].pop();
            }
            result?;
        }
        Some(())
    }
}

/// Returns the logarithm of the binomial coefficient `n` over `k`.
fn ln_choose(n: u64, k: u64) -> f64 {
    let k = k.min(n - k);
    (0..k).map(|i| ((n - i) as f64 / (i + 1) as f64).ln()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_are_distinct_and_sum_to_one() {
        let (values, sizes) = ([(3, 3), (5, 2), (9, 1)], [2, 3, 1]);
        let mut all: Vec<(Vec<Vec<Entry>>, f64)> = Vec::new();
        let found = assignments(&values, &sizes, &mut |parts, probability| {
            if parts.len() == sizes.len() {
                all.push((parts.to_vec(), probability));
            }
            Some(true)
        });
        assert_eq!(found, Some(()));
        assert!((all.iter().map(|it| it.1).sum::<f64>() - 1.0).abs() < 1e-12);
        for (at, (parts, _)) in all.iter().enumerate() {
            let n_rows = |part: &Vec<Entry>| part.iter().map(|it| it.1).sum::<u64>();
            assert!(parts.iter().map(n_rows).eq(sizes));
            assert!(all[..at].iter().all(|other| other.0 != *parts));
        }
        // The expected values count all orders of aaabbc in places 12|345|6 by the value in the
        // last place.
        let last = |code: u32| -> f64 {
            all.iter().filter(|it| it.0[2] == [(code, 1)]).map(|it| it.1).sum()
        };
        assert!((last(3) - 0.5).abs() < 1e-12 && (last(9) - 1.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn visitor_skips_and_stops() {
        let mut n_visits = 0;
        let mut count = |most: u32, goes_on: bool| {
            n_visits = 0;
            let found = assignments(&[(0, 2), (1, 2)], &[2, 2], &mut |_, _| {
                n_visits += 1;
                (n_visits <= most).then_some(goes_on)
            });
            (found, n_visits)
        };
        // There are three possible first parts, and each of them determines the second part.
        assert_eq!(count(100, true), (Some(()), 6));
        assert_eq!(count(100, false), (Some(()), 3));
        assert_eq!(count(4, true), (None, 5));
    }
}
