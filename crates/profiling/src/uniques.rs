//! Combinations of columns that single rows out: minimal sample uniques.
//!
//! A row is unique by a set of columns if no other row has its values in all of them; the set is minimal for the row if it is unique by
//! none of the set's proper subsets. These are what SUDA2 finds (Manning, Haglin and Keane, Data Mining and Knowledge Discovery 16, 2008).
//! We go level by level over the sets: a row that is unique by a part of a set is unique by the set, so that it can be left out when the
//! set's values are counted, and with each level fewer rows are left.
//!
//! A row's values in a set are one number, with a place for each column that has as many digits as the column has codes. Sets whose
//! numbers may take more than 128 bits are not looked at, nor any other of their size.

use rustc_hash::FxHashMap;

/// The largest number of columns in a combination where what singles rows out is told in words.
pub const MOST_COLUMNS: usize = 4;

/// The combinations that single rows out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MinimalUniques {
    /// Each set of columns with the number of rows for which it is minimal, where there are some; smaller sets first.
    pub sets: Vec<(Vec<usize>, u64)>,
    /// Rows that some set singles out.
    pub n_rows: u64,
    /// For each column the rows with a minimal set that has it.
    pub of_column: Vec<u64>,
    /// The largest sets that were looked at: less than asked for where the table is too large for more.
    pub depth: usize,
}

/// Cells that are looked at in all, at most.
pub const BUDGET: u64 = 400_000_000;
/// A set of columns costs as much as so many cells, however few rows there are: what is known of it is kept for the sets that contain it, a
/// bit for each row. So with [`BUDGET`] there are never more than one and a half million sets in memory.
const CELLS_OF_A_SET: u64 = 256;

/// Finds the minimal sample uniques of a table of distinct tuples with their counts, by sets of up to `most` columns.
///
/// `columns` has for each column a code for each tuple. Looks at `budget` cells at most, and ends with the largest size of sets for
/// which that is enough.
///
/// # Panics
/// If the columns do not have as many codes as there are counts.
pub fn minimal_uniques(
    columns: &[&[u32]],
    counts: &[u64],
    most: usize,
    budget: u64,
) -> MinimalUniques {
    let n = counts.len();
    let mut found = MinimalUniques::default();
    let mut is_single = vec![false; n];
    let mut of_column: Vec<Vec<bool>> = vec![vec![false; n]; columns.len()];
    found.depth = each_minimal_unique(columns, counts, most, budget, |set, rows| {
        for row in rows {
            is_single[*row] = true;
            set.iter().for_each(|column| of_column[*column][*row] = true);
        }
        found.sets.push((set.to_vec(), rows.len() as u64));
    });
    found.n_rows = is_single.iter().filter(|single| **single).count() as u64;
    found.of_column =
        of_column.iter().map(|rows| rows.iter().filter(|row| **row).count() as u64).collect();
    found
}

/// The same, telling each set of columns with the tuples for which it is minimal, where there are some; smaller sets first. Answers with
/// the largest size of sets that was looked at.
///
/// # Panics
/// As [`minimal_uniques`].
pub fn each_minimal_unique(
    columns: &[&[u32]],
    counts: &[u64],
    most: usize,
    budget: u64,
    mut tell: impl FnMut(&[usize], &[usize]),
) -> usize {
    assert!(columns.iter().all(|codes| codes.len() == counts.len()), "a code for each tuple");
    let n = counts.len();
    let most = most.min(columns.len());
    let mut alone = RowSet::new(n);
    (0..n).filter(|row| counts[*row] == 1).for_each(|row| alone.insert(row));
    let n_codes: Vec<u128> = columns
        .iter()
        .map(|codes| codes.iter().max().map_or(1, |&most| u128::from(most) + 1))
        .collect();
    // Of the sets of the level before: which rows are unique by them.
    let mut before: FxHashMap<Vec<usize>, RowSet> = FxHashMap::default();
    let (mut spent, mut depth) = (0u64, 0);
    // Of the sets of the level before, in all: rows that are not unique, where some of them still can be.
    let mut n_left = 0;
    for size in 1..=most {
        let cost = cost(columns.len(), n, size, n_left);
        let is_too_much = spent.saturating_add(cost) > budget || !has_keys(&n_codes, size);
        if size > 1 && is_too_much {
            break;
        }
        (spent, n_left) = (spent + cost, 0);
        let mut now: FxHashMap<Vec<usize>, RowSet> = FxHashMap::default();
        let mut next: Option<Vec<usize>> = Some((0..size).collect());
        while let Some(set) = next {
            next = following(&set, columns.len());
            let mut unique = by_parts(&set, &before, n);
            if !unique.has_all(&alone) {
                let rows = rows_alone(&set, columns, &n_codes, counts, &unique);
                rows.iter().for_each(|&row| unique.insert(row));
                if !rows.is_empty() {
                    tell(&set, &rows);
                }
            }
            if !unique.has_all(&alone) {
                n_left += n as u64 - unique.len();
            }
            if size < most {
                now.insert(set, unique);
            }
        }
        before = now;
        depth = size;
    }
    depth
}

/// What looking at all sets of a size costs at most, in cells.
fn cost(n_columns: usize, n: usize, size: usize, n_left: u64) -> u64 {
    let n_sets = n_subsets(n_columns, size);
    let (n_rows, of_set) = match size > MOST_COLUMNS {
        false => (n_sets.saturating_mul(n as u64), CELLS_OF_A_SET),
        // A set leaves no more rows than any part of it does, and a part is one of so many sets.
        true => {
            let n_wholes = (n_columns - size + 1) as u64;
            (n_left.saturating_mul(n_wholes) / size as u64, CELLS_OF_A_SET + n as u64 / 8)
        }
    };
    n_rows.saturating_mul(size as u64).saturating_add(n_sets.saturating_mul(of_set))
}

/// Those of the rows that are not unique by a part of the set that are unique by the set, ascending.
fn rows_alone(
    set: &[usize],
    columns: &[&[u32]],
    n_codes: &[u128],
    counts: &[u64],
    by_parts: &RowSet,
) -> Vec<usize> {
    let mut visited: FxHashMap<u128, Option<usize>> = FxHashMap::default();
    by_parts.each_other(|row| {
        let key = set
            .iter()
            .fold(0u128, |key, &column| key * n_codes[column] + u128::from(columns[column][row]));
        let alone = (counts[row] == 1).then_some(row);
        visited.entry(key).and_modify(|other| *other = None).or_insert(alone);
    });
    let mut rows: Vec<usize> = Vec::new();
    #[allow(clippy::iter_over_hash_type)] // Sorted right after.
    for row in visited.into_values().flatten() {
        rows.push(row);
    }
    rows.sort_unstable();
    rows
}

/// Whether the values of every set of so many columns make a number: one place for each column, as high as it has codes.
fn has_keys(n_codes: &[u128], size: usize) -> bool {
    let mut most: Vec<u128> = n_codes.to_vec();
    most.sort_unstable_by(|a, b| b.cmp(a));
    most[..size].iter().try_fold(1u128, |product, n| product.checked_mul(*n)).is_some()
}

/// The rows that are unique by a part of the set.
fn by_parts(set: &[usize], before: &FxHashMap<Vec<usize>, RowSet>, n: usize) -> RowSet {
    let mut unique = RowSet::new(n);
    for without in set {
        let part: Vec<usize> = set.iter().copied().filter(|column| column != without).collect();
        if let Some(of_part) = before.get(&part) {
            unique.add(of_part);
        }
    }
    unique
}

/// Some of the rows, a bit for each.
struct RowSet {
    words: Vec<u64>,
    n: usize,
}

impl RowSet {
    fn new(n: usize) -> Self {
        Self { words: vec![0; n.div_ceil(64)], n }
    }

    fn insert(&mut self, row: usize) {
        self.words[row / 64] |= 1 << (row % 64);
    }

    fn has_all(&self, others: &Self) -> bool {
        self.words.iter().zip(&others.words).all(|(own, other)| other & !own == 0)
    }

    fn len(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    fn add(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(own, other)| *own |= other);
    }

    /// Calls `f` with each row that is not among them, ascending.
    fn each_other(&self, mut f: impl FnMut(usize)) {
        for (at, word) in self.words.iter().enumerate() {
            let mut others = !word;
            while others != 0 {
                let row = at * 64 + others.trailing_zeros() as usize;
                if row >= self.n {
                    break;
                }
                f(row);
                others &= others - 1;
            }
        }
    }
}

/// How many sets of so many of the first `n` numbers there are.
fn n_subsets(n: usize, size: usize) -> u64 {
    (0..size as u64)
        .fold(1, |sets: u64, at| sets.saturating_mul((n as u64).saturating_sub(at)) / (at + 1))
}

/// The next set of as many of the first `n` numbers, in order.
fn following(set: &[usize], n: usize) -> Option<Vec<usize>> {
    let size = set.len();
    let at = (0..size).rev().find(|&at| set[at] + size - at < n)?;
    let first = set[at] + 1;
    Some(set[..at].iter().copied().chain(first..first + size - at).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By sex and town nobody is alone but the woman of B; by all three columns everybody is.
    #[test]
    fn sets_are_minimal() {
        let sex = [0, 0, 1, 1, 0];
        let town = [0, 0, 0, 0, 1];
        let age = [0, 1, 0, 1, 0];
        let found = minimal_uniques(&[&sex, &town, &age], &[1; 5], 4, BUDGET);
        // Row 4 is alone by its town.
        assert_eq!(found.sets[0], (vec![1], 1));
        // Sex and age: rows 1, 2 and 3; row 0 shares them with row 4.
        assert!(found.sets.contains(&(vec![0, 2], 3)));
        assert!(found.sets.contains(&(vec![0, 1, 2], 1)));
        assert_eq!(found.n_rows, 5);
        assert_eq!(found.of_column, [4, 2, 4]);
    }

    #[test]
    fn rows_that_occur_twice_are_not_unique() {
        let found = minimal_uniques(&[&[0, 1]], &[2, 1], 4, BUDGET);
        assert_eq!(found.sets, [(vec![0], 1)]);
    }

    #[test]
    fn what_is_too_much_ends_with_smaller_sets() {
        let codes: Vec<u32> = (0..100).map(|n| n % 10).collect();
        let columns: Vec<&[u32]> = (0..6).map(|_| codes.as_slice()).collect();
        assert_eq!(minimal_uniques(&columns, &[1; 100], 4, 10_000).depth, 2);
        assert_eq!(minimal_uniques(&columns, &[1; 100], 4, BUDGET).depth, 4);
    }

    /// Two rows and 22 million sets of three columns: few cells, but too many sets to be kept.
    #[test]
    fn sets_of_very_many_columns_end_before_memory_does() {
        let columns: Vec<&[u32]> = (0..512).map(|_| [0, 0].as_slice()).collect();
        assert_eq!(minimal_uniques(&columns, &[1; 2], 4, BUDGET).depth, 2);
    }

    /// Eight columns with 100,000 codes each: seven of them make a number, eight do not.
    #[test]
    fn sets_whose_values_make_no_number_end_the_depth() {
        let codes = [0, 0, 99_999];
        let columns: Vec<&[u32]> = (0..8).map(|_| codes.as_slice()).collect();
        let mut n_found = 0;
        let depth = each_minimal_unique(&columns, &[1; 3], 8, BUDGET, |_, rows| {
            n_found += rows.len();
        });
        assert_eq!((depth, n_found), (7, 8), "each column singles the last row out");
    }

    #[test]
    fn every_set_comes_once_and_in_order() {
        let all = |n: usize, size: usize| {
            let first = (size <= n).then(|| (0..size).collect());
            std::iter::successors(first, |set: &Vec<usize>| following(set, n)).collect::<Vec<_>>()
        };
        assert_eq!(all(4, 2), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        for (n, size) in [(1, 1), (5, 3), (7, 4), (4, 4)] {
            assert_eq!(all(n, size).len() as u64, n_subsets(n, size));
            assert!(all(n, size).is_sorted());
        }
    }
}
