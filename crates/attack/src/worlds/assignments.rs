//! Enumerates the assignments of the sensitive values of a class to groups of its rows.

use crate::minimality::ln_choose;

/// One assignment.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Assignment {
    /// The sensitive values of each group, with their row counts.
    pub of_groups: Vec<Vec<(u32, u64)>>,
    /// The probability of this assignment if all orders of the rows are equally likely.
    pub probability: f64,
}

/// Returns all assignments of values with the given numbers of rows to groups of the given sizes,
/// whose sum equals the total number of rows. `None` if there are more than `most` assignments.
pub(super) fn assignments(
    values: &[(u32, u64)],
    sizes: &[u64],
    most: u64,
) -> Option<Vec<Assignment>> {
    let mut assigner = Assigner { values, sizes, most, found: Vec::new(), assigned: Vec::new() };
    let mut left: Vec<u64> = values.iter().map(|value| value.1).collect();
    assigner.groups(&mut left, 1.0)?;
    Some(assigner.found)
}

struct Assigner<'a> {
    values: &'a [(u32, u64)],
    sizes: &'a [u64],
    most: u64,
    found: Vec<Assignment>,
    assigned: Vec<Vec<(u32, u64)>>,
}

impl Assigner<'_> {
    /// Assigns the remaining rows to the groups that have no rows yet.
    fn groups(&mut self, left: &mut [u64], probability: f64) -> Option<()> {
        let Some(&size) = self.sizes.get(self.assigned.len()) else {
            let of_groups = self.assigned.clone();
            self.found.push(Assignment { of_groups, probability });
            return (self.found.len() as u64 <= self.most).then_some(());
        };
        let n_left = left.iter().sum();
        self.assigned.push(Vec::new());
        let result = self.values(left, 0, (size, n_left), probability);
        self.assigned.pop();
        result
    }

    /// Assigns rows to the last group, which needs `wanted` more rows. The pool contains `pool`
    /// rows with this value or one of the following values.
    fn values(
        &mut self,
        left: &mut [u64],
        value: usize,
        (wanted, pool): (u64, u64),
        probability: f64,
    ) -> Option<()> {
        if value == left.len() {
            return self.groups(left, probability);
        }
        let rows = left[value];
        let others = pool - rows;
        for taken in wanted.saturating_sub(others)..=rows.min(wanted) {
            // Hypergeometric probability of drawing `wanted` rows from the pool.
            let chance = (ln_choose(rows, taken) + ln_choose(others, wanted - taken)
                - ln_choose(pool, wanted))
            .exp();
            let group = self.assigned.len() - 1;
            if taken > 0 {
                self.assigned[group].push((self.values[value].0, taken));
            }
            left[value] = rows - taken;
            let next = (wanted - taken, others);
            let result = self.values(left, value + 1, next, probability * chance);
            left[value] = rows;
            if taken > 0 {
                self.assigned[group].pop();
            }
            result?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_are_distinct_and_sum_to_one() {
        let values = [(3, 3), (5, 2), (9, 1)];
        let all = assignments(&values, &[2, 3, 1], 1000)
            .expect("the number of assignments is within the limit");
        assert!((all.iter().map(|it| it.probability).sum::<f64>() - 1.0).abs() < 1e-12);
        for (at, assignment) in all.iter().enumerate() {
            let sizes: Vec<u64> = assignment
                .of_groups
                .iter()
                .map(|group| group.iter().map(|it| it.1).sum())
                .collect();
            assert_eq!(sizes, [2, 3, 1]);
            assert!(all[..at].iter().all(|other| other.of_groups != assignment.of_groups));
        }
        // All orders of aaabbc in places 12|345|6, counted by hand for the last place.
        let last = |code: u32| -> f64 {
            let has = all.iter().filter(|it| it.of_groups[2] == [(code, 1)]);
            has.map(|it| it.probability).sum()
        };
        assert!((last(3) - 0.5).abs() < 1e-12 && (last(9) - 1.0 / 6.0).abs() < 1e-12);
        let n = all.len() as u64;
        assert!(assignments(&values, &[2, 3, 1], n).is_some());
        assert_eq!(assignments(&values, &[2, 3, 1], n - 1), None);
        assert_eq!(assignments(&values, &[2, 3, 1], 0), None);
    }
}
