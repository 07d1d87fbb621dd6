//! The dynamic program that cuts the order into the cheapest consecutive classes, for principles
//! that only depend on class sizes.
//!
//! A class of 2k rows or more costs no less than its two halves, so classes have k to 2k - 1 rows
//! (Ghinita et al., Lemma 2). A neighboring class takes fewer than k rows of a run of equal rows,
//! so 3k - 2 rows represent the whole run.

use super::space::Space;
use crate::stop::Stop;

/// Number of rows that are processed between two checks of the time limit.
const PATIENCE: usize = 1 << 12;

/// A number of rows from one group with equal quasi-identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TakenRows {
    /// The position of the group in the order.
    pub at: u32,
    /// Number of rows.
    pub rows: u64,
}

/// Cuts groups of rows, given in order, into classes of at least k rows.
///
/// There must be at least k rows. If the search is stopped, the rows that were not processed are
/// cut into classes of k.
pub(super) fn cut(
    space: &Space,
    points: &[&[u32]],
    counts: &[u64],
    k: u64,
    stop: &Stop<'_>,
) -> Vec<Vec<TakenRows>> {
    let k = k.max(1);
    let most = 3 * k - 2;
    let mut rows: Vec<u32> = Vec::new();
    for (at, &count) in (0u32..).zip(counts) {
        rows.extend(std::iter::repeat_n(at, count.min(most) as usize));
    }
    let (n, k) = (rows.len(), k as usize);
    let mut best = vec![f64::INFINITY; n + 1];
    let mut size_of_last = vec![0u32; n + 1];
    best[0] = 0.0;
    for end in k..=n {
        if end % PATIENCE == 0 && stop.is_requested() {
            cut_evenly(&mut size_of_last, end - 1, k);
            break;
        }
        let mut hull = space.hull(points[rows[end - 1] as usize]);
        for size in 1..=(2 * k - 1).min(end) {
            let start = end - size;
            if size > 1 && rows[start] != rows[start + 1] {
                space.grow(&mut hull, points[rows[start] as usize]);
            }
            if size < k || best[start].is_infinite() {
                continue;
            }
            let cost = best[start] + size as f64 * space.cost(&hull);
            if cost < best[end] {
                best[end] = cost;
                size_of_last[end] = size as u32;
            }
        }
    }
    let mut classes: Vec<Vec<TakenRows>> = Vec::new();
    let mut end = n;
    while end > 0 {
        let start = end - (size_of_last[end] as usize).clamp(1, end);
        let mut class: Vec<TakenRows> = Vec::new();
        for &at in &rows[start..end] {
            match class.last_mut() {
                Some(last) if last.at == at => last.rows += 1,
                _ => class.push(TakenRows { at, rows: 1 }),
            }
        }
        classes.push(class);
        end = start;
    }
    classes.reverse();
    give_back(&mut classes, counts, most);
    classes
}

/// Cuts the unprocessed rows into classes of k rows; the last class has up to 2k - 1 rows.
fn cut_evenly(size_of_last: &mut [u32], reached: usize, k: usize) {
    let n = size_of_last.len() - 1;
    // A cut must not leave fewer than k rows before or after it.
    let mut start = if reached < k { 0 } else { reached.min(n - k) };
    start = if start < k { 0 } else { start };
    while n - start >= 2 * k {
        start += k;
        size_of_last[start] = k as u32;
    }
    size_of_last[n] = (n - start) as u32;
}

/// For each long run, adds the omitted rows to the class with the fewest rows from other runs.
fn give_back(classes: &mut [Vec<TakenRows>], counts: &[u64], most: u64) {
    let others = |class: &[TakenRows], at: u32| -> u64 {
        class.iter().filter(|taken| taken.at != at).map(|taken| taken.rows).sum()
    };
    let mut from = 0;
    for (at, &count) in (0u32..).zip(counts) {
        if count <= most {
            continue;
        }
        while !classes[from].iter().any(|taken| taken.at == at) {
            from += 1;
        }
        let with_it =
            (from..classes.len()).take_while(|&class| classes[class].iter().any(|t| t.at == at));
        let purest = with_it.min_by_key(|&class| others(&classes[class], at)).unwrap_or(from);
        if let Some(taken) = classes[purest].iter_mut().find(|taken| taken.at == at) {
            taken.rows += count - most;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unprocessed_rows_form_classes_of_k() {
        for k in 1..6 {
            for n in k..40 {
                for reached in 0..n {
                    let mut size_of_last = vec![0; n + 1];
                    // The program has found a valid last class for every number of rows up to
                    // `reached`.
                    (k..=reached).for_each(|end| size_of_last[end] = end.min(2 * k - 1) as u32);
                    let first_cut = |end: usize| end > reached || end > n - k;
                    cut_evenly(&mut size_of_last, reached, k);
                    let mut end = n;
                    while end > 0 && first_cut(end) {
                        let size = size_of_last[end] as usize;
                        assert!(
                            (k..2 * k).contains(&size),
                            "k = {k}, n = {n}, reached {reached}: a group has {size} rows"
                        );
                        end -= size;
                    }
                    assert!(
                        end == 0 || end >= k,
                        "k = {k}, n = {n}, reached {reached}: {end} rows remain"
                    );
                }
            }
        }
    }
}
