//! Enumerates the assignments of the sensitive values of a class to its parts.

/// Statistics over all assignments.
#[derive(Debug, Clone, PartialEq)]
pub struct AssignmentFigures {
    /// The probability that all parts satisfy the principles.
    pub holds: f64,
    /// The share of each sensitive value in the class.
    pub shares: Vec<f64>,
    /// For each part and sensitive value, the expected share of the sensitive value in the part,
    /// counting only assignments in which all parts satisfy the principles.
    pub expected: Vec<Vec<f64>>,
}

/// A sensitive value, as a code with its row count.
type Entry = (u32, u64);

struct Assigner<'a> {
    sizes: &'a [u64],
    holds: &'a dyn Fn(u64, &[Entry]) -> bool,
    left_to_try: u64,
    figures: AssignmentFigures,
    /// The number of rows of each sensitive value in each part, in the current assignment.
    assigned: Vec<Vec<u64>>,
    codes: Vec<u32>,
}

/// Enumerates the assignments of `entries` to parts of the given sizes; `None` if there are more
/// than `most` assignments.
pub fn figures(
    entries: &[Entry],
    sizes: &[u64],
    most: u64,
    holds: &dyn Fn(u64, &[Entry]) -> bool,
) -> Option<AssignmentFigures> {
    let size: u64 = sizes.iter().sum();
    let n = entries.len();
    let shares = entries.iter().map(|entry| entry.1 as f64 / size as f64).collect();
    let mut assigner = Assigner {
        sizes,
        holds,
        left_to_try: most,
        figures: AssignmentFigures {
            holds: 0.0,
            shares,
            expected: vec![vec![0.0; n]; sizes.len()],
        },
        assigned: vec![vec![0; n]; sizes.len()],
        codes: entries.iter().map(|entry| entry.0).collect(),
    };
    let mut left: Vec<u64> = entries.iter().map(|entry| entry.1).collect();
    assigner.part(0, &mut left, size, 1.0)?;
    Some(assigner.figures)
}

impl Assigner<'_> {
    /// Assigns the remaining `n_left` rows to this part and the following parts.
    fn part(&mut self, at: usize, left: &mut [u64], n_left: u64, probability: f64) -> Option<()> {
        if at + 1 == self.sizes.len() {
            self.left_to_try = self.left_to_try.checked_sub(1)?;
            self.assigned[at].copy_from_slice(left);
            if self.part_holds(at) {
                self.figures.holds += probability;
                for (part, &size) in self.sizes.iter().enumerate() {
                    for (expected, &rows) in
                        self.figures.expected[part].iter_mut().zip(&self.assigned[part])
                    {
                        *expected += probability * rows as f64 / size as f64;
                    }
                }
            }
            return Some(());
        }
        self.sensitive(at, 0, self.sizes[at], left, n_left, n_left, probability)
    }

    fn part_holds(&self, at: usize) -> bool {
        let entries: Vec<Entry> = self
            .codes
            .iter()
            .zip(&self.assigned[at])
            .filter(|(_, rows)| **rows > 0)
            .map(|(&code, &rows)| (code, rows))
            .collect();
        (self.holds)(self.sizes[at], &entries)
    }

    /// Assigns rows to a part that needs `wanted` more rows. The pool contains `pool` rows with
    /// this sensitive value or one of the following values.
    #[allow(clippy::too_many_arguments, reason = "the state of two nested recursions")]
    fn sensitive(
        &mut self,
        at: usize,
        value: usize,
        wanted: u64,
        left: &mut [u64],
        pool: u64,
        n_left: u64,
        probability: f64,
    ) -> Option<()> {
        if value == left.len() {
            self.left_to_try = self.left_to_try.checked_sub(1)?;
            if !self.part_holds(at) {
                return Some(());
            }
            return self.part(at + 1, left, n_left - self.sizes[at], probability);
        }
        let rows = left[value];
        let others = pool - rows;
        let fewest = wanted.saturating_sub(others);
        for taken in fewest..=rows.min(wanted) {
            // Hypergeometric probability of drawing `wanted` rows from the pool.
            let chance = (ln_choose(rows, taken) + ln_choose(others, wanted - taken)
                - ln_choose(pool, wanted))
            .exp();
            self.assigned[at][value] = taken;
            left[value] = rows - taken;
            let result = self.sensitive(
                at,
                value + 1,
                wanted - taken,
                left,
                others,
                n_left,
                probability * chance,
            );
            left[value] = rows;
            result?;
        }
        Some(())
    }
}

/// Returns the logarithm of the binomial coefficient `n` over `k`.
pub(crate) fn ln_choose(n: u64, k: u64) -> f64 {
    let k = k.min(n - k);
    (0..k).map(|i| ((n - i) as f64 / (i + 1) as f64).ln()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unconstrained_assignments_have_probability_one() {
        let found = figures(&[(0, 3), (1, 2), (4, 4)], &[2, 3, 4], 100_000, &|_, _| true)
            .expect("the number of assignments is within the limit");
        assert!((found.holds - 1.0).abs() < 1e-9);
        for part in &found.expected {
            for (expected, share) in part.iter().zip(&found.shares) {
                assert!((expected - share).abs() < 1e-9);
            }
        }
        assert_eq!(figures(&[(0, 30), (1, 30), (2, 30)], &[30, 30, 30], 100, &|_, _| true), None);
    }

    #[test]
    fn probabilities_match_row_order_enumeration() {
        // Assign the rows 0, 0, 1, 1, 2 to parts of sizes 2 and 3. No part may contain both rows of
        // one sensitive value.
        let values = [0u32, 0, 1, 1, 2];
        let holds = |_: u64, entries: &[Entry]| entries.iter().all(|entry| entry.1 < 2);
        let found = figures(&[(0, 2), (1, 2), (2, 1)], &[2, 3], 1000, &holds)
            .expect("the number of assignments is within the limit");
        let (mut n_all, mut n_good, mut of_first) = (0, 0, [0u32; 3]);
        for a in 0..5 {
            for b in a + 1..5 {
                n_all += 1;
                let rest: Vec<u32> =
                    (0..5).filter(|at| *at != a && *at != b).map(|at| values[at]).collect();
                let twice =
                    |part: &[u32]| (0..3).any(|s| part.iter().filter(|own| **own == s).count() > 1);
                if !twice(&[values[a], values[b]]) && !twice(&rest) {
                    n_good += 1;
                    of_first[values[a] as usize] += 1;
                    of_first[values[b] as usize] += 1;
                }
            }
        }
        assert!((found.holds - f64::from(n_good) / f64::from(n_all)).abs() < 1e-12);
        for (expected, rows) in found.expected[0].iter().zip(of_first) {
            assert!((expected - f64::from(rows) / 2.0 / f64::from(n_all)).abs() < 1e-12);
        }
    }
}
