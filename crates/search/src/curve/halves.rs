//! Division of rows after the time limit: the rows are halved in the order of the curve as long as
//! both halves satisfy the principles.
//!
//! If the rows satisfy the principles as one class, all resulting classes satisfy them. The running
//! time is O(n log n).

use super::judge::{Counts, Judge};
use super::rows::{Row, Times};

/// Divides rows into classes, provided that the rows satisfy the principles as one class. `values`
/// has the codes of each combination of evaluated sensitive values.
pub(super) fn halves(
    judge: &Judge<'_>,
    values: &[Vec<u32>],
    rows: &[Row],
    all: Vec<Times>,
) -> Vec<Vec<Times>> {
    let holds = |times: &[Times]| {
        let mut counts = Counts::new(judge.attributes.len());
        for &(row, n) in times {
            counts.add(&values[rows[row as usize].value as usize], n);
        }
        judge.holds(&counts)
    };
    let mut classes = Vec::new();
    let mut open = vec![all];
    while let Some(times) = open.pop() {
        let (first, second) = halved(&times);
        if holds(&first) && holds(&second) {
            open.extend([second, first]);
        } else if !times.is_empty() {
            classes.push(times);
        }
    }
    classes
}

/// Returns the first and the second half of some rows. Rows of one tuple may be in both halves.
fn halved(times: &[Times]) -> (Vec<Times>, Vec<Times>) {
    let n_rows: u64 = times.iter().map(|times| times.1).sum();
    let mut wanted = n_rows / 2;
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for &(row, n) in times {
        let taken = n.min(wanted);
        wanted -= taken;
        first.extend((taken > 0).then_some((row, taken)));
        second.extend((n > taken).then_some((row, n - taken)));
    }
    (first, second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_differ_by_at_most_one_row() {
        assert_eq!(halved(&[(0, 2), (1, 3), (2, 1)]), (vec![(0, 2), (1, 1)], vec![(1, 2), (2, 1)]));
        assert_eq!(halved(&[(7, 1)]), (vec![], vec![(7, 1)]));
        assert_eq!(halved(&[(7, 5)]), (vec![(7, 2)], vec![(7, 3)]));
        assert_eq!(halved(&[]), (vec![], vec![]));
    }
}
