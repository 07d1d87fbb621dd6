//! Finds combinations of columns that single out rows, called minimal sample uniques.
//!
//! A row is unique in a set of columns if no other row has the same values in all columns of the
//! set. The set is minimal for the row if the row is unique in none of its proper subsets. SUDA2
//! finds the same sets (Manning, Haglin and Keane, Data Mining and Knowledge Discovery 16, 2008).
//! The search examines the sets by increasing size. A row that is unique in a subset is also unique
//! in the set and need not be counted again, so fewer rows remain for each size.
//!
//! The values of a row in a set are encoded as one number in a mixed-radix system: each column is a
//! digit whose base is the number of its codes. If the numbers of a set exceed 128 bits, no set of
//! its size is examined.

use rustc_hash::FxHashMap;

/// The maximum number of columns in a combination that is described in words.
pub const MOST_COLUMNS: usize = 4;

/// The combinations that single out rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MinimalUniques {
    /// The sets of columns that are minimal for at least one row, each with the number of such
    /// rows, in ascending order of size.
    pub sets: Vec<(Vec<usize>, u64)>,
    /// The number of rows that at least one set singles out.
    pub n_rows: u64,
    /// For each column, the number of rows that have a minimal set containing the column.
    pub of_column: Vec<u64>,
    /// The size of the largest examined sets. This size is smaller than requested if the table is
    /// too large.
    pub depth: usize,
}

/// The maximum total number of examined cells.
pub const BUDGET: u64 = 400_000_000;
/// The fixed cost of a set of columns in cells, regardless of the number of rows. To examine
/// supersets, the search keeps the unique rows of each set, with one bit for each row. Together
/// with [`BUDGET`], this cost limits the number of sets in memory to 1.5 million.
const CELLS_OF_A_SET: u64 = 256;

/// Finds the minimal sample uniques in a table of distinct tuples with their counts, by sets of at
/// most `most` columns.
///
/// `columns` contains the code of each tuple for each column. The search examines at most `budget`
/// cells and ends with the largest set size for which the budget is sufficient.
///
/// # Panics
/// Panics if the number of codes of a column differs from the number of counts.
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

/// Calls `tell` with each set of columns that is minimal for at least one tuple and with these
/// tuples, in ascending order of set size. Returns the size of the largest examined sets.
///
/// # Panics
/// Panics under the same conditions as [`minimal_uniques`].
pub fn each_minimal_unique(
    columns: &[&[u32]],
    counts: &[u64],
    most: usize,
    budget: u64,
    mut tell: impl FnMut(&[usize], &[usize]),
) -> usize {
    assert!(columns.iter().all(|codes| codes.len() == counts.len()), "every tuple has a code");
    let n = counts.len();
    let most = most.min(columns.len());
    let mut alone = RowSet::new(n);
    (0..n).filter(|row| counts[*row] == 1).for_each(|row| alone.insert(row));
    let n_codes: Vec<u128> = columns
        .iter()
        .map(|codes| codes.iter().max().map_or(1, |&most| u128::from(most) + 1))
        .collect();
    // The rows that are unique in each set of the previous size.
    let mut before: FxHashMap<Vec<usize>, RowSet> = FxHashMap::default();
    let (mut spent, mut depth) = (0u64, 0);
    // The total number of non-unique rows over the sets of the previous size that could still
    // single out rows.
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

/// Returns an upper bound on the cost of examining all sets of a size, in cells.
fn cost(n_columns: usize, n: usize, size: usize, n_left: u64) -> u64 {
    let n_sets = n_subsets(n_columns, size);
    let (n_rows, of_set) = match size > MOST_COLUMNS {
        false => (n_sets.saturating_mul(n as u64), CELLS_OF_A_SET),
        // A set has at most as many non-unique rows as each of its subsets. This is the number of
        // sets that contain a given subset.
        true => {
            let n_wholes = (n_columns - size + 1) as u64;
            (n_left.saturating_mul(n_wholes) / size as u64, CELLS_OF_A_SET + n as u64 / 8)
        }
    };
    n_rows.saturating_mul(size as u64).saturating_add(n_sets.saturating_mul(of_set))
}

/// Returns the rows that are unique in the set and in none of its subsets, in ascending order.
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
    #[allow(clippy::iter_over_hash_type)] // the rows are sorted below
    for row in visited.into_values().flatten() {
        rows.push(row);
    }
    rows.sort_unstable();
    rows
}

/// Returns whether the values of a row in every set of this size fit into one 128-bit number.
fn has_keys(n_codes: &[u128], size: usize) -> bool {
    let mut most: Vec<u128> = n_codes.to_vec();
    most.sort_unstable_by(|a, b| b.cmp(a));
    most[..size].iter().try_fold(1u128, |product, n| product.checked_mul(*n)).is_some()
}

/// Returns the rows that are unique in a proper subset of the set.
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

/// A set of rows, stored as one bit for each row.
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

    /// Calls `f` with each row outside the set, in ascending order.
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

/// Returns the number of subsets of `0..n` that have this size.
fn n_subsets(n: usize, size: usize) -> u64 {
    (0..size as u64)
        .fold(1, |sets: u64, at| sets.saturating_mul((n as u64).saturating_sub(at)) / (at + 1))
}

/// Returns the next subset of `0..n` with the same size, in lexicographic order.
fn following(set: &[usize], n: usize) -> Option<Vec<usize>> {
    let size = set.len();
    let at = (0..size).rev().find(|&at| set[at] + size - at < n)?;
    let first = set[at] + 1;
    Some(set[..at].iter().copied().chain(first..first + size - at).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By sex and town, only the woman in town B is unique. By all three columns, every row is
    /// unique.
    #[test]
    fn unique_column_sets_are_minimal() {
        let sex = [0, 0, 1, 1, 0];
        let town = [0, 0, 0, 0, 1];
        let age = [0, 1, 0, 1, 0];
        let found = minimal_uniques(&[&sex, &town, &age], &[1; 5], 4, BUDGET);
        // Row 4 is unique by its town.
        assert_eq!(found.sets[0], (vec![1], 1));
        // Rows 1, 2, and 3 are unique in sex and age, but rows 0 and 4 have the same values.
        assert!(found.sets.contains(&(vec![0, 2], 3)));
        assert!(found.sets.contains(&(vec![0, 1, 2], 1)));
        assert_eq!(found.n_rows, 5);
        assert_eq!(found.of_column, [4, 2, 4]);
    }

    #[test]
    fn duplicate_rows_are_not_unique() {
        let found = minimal_uniques(&[&[0, 1]], &[2, 1], 4, BUDGET);
        assert_eq!(found.sets, [(vec![0], 1)]);
    }

    #[test]
    fn exceeded_budget_limits_set_size() {
        let codes: Vec<u32> = (0..100).map(|n| n % 10).collect();
        let columns: Vec<&[u32]> = (0..6).map(|_| codes.as_slice()).collect();
        assert_eq!(minimal_uniques(&columns, &[1; 100], 4, 10_000).depth, 2);
        assert_eq!(minimal_uniques(&columns, &[1; 100], 4, BUDGET).depth, 4);
    }

    /// Two rows with 22 million sets of three columns have few cells, but too many sets to keep in
    /// memory.
    #[test]
    fn many_column_sets_stop_before_memory_exhaustion() {
        let columns: Vec<&[u32]> = (0..512).map(|_| [0, 0].as_slice()).collect();
        assert_eq!(minimal_uniques(&columns, &[1; 2], 4, BUDGET).depth, 2);
    }

    /// The values of seven columns with 100,000 codes each fit into one number, but the values of
    /// eight do not.
    #[test]
    fn code_overflow_limits_search_depth() {
        let codes = [0, 0, 99_999];
        let columns: Vec<&[u32]> = (0..8).map(|_| codes.as_slice()).collect();
        let mut n_found = 0;
        let depth = each_minimal_unique(&columns, &[1; 3], 8, BUDGET, |_, rows| {
            n_found += rows.len();
        });
        assert_eq!((depth, n_found), (7, 8), "each column singles out the last row");
    }

    #[test]
    fn subsets_are_enumerated_once_in_order() {
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
