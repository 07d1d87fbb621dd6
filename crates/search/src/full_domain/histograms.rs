//! Counts of the sensitive values in the classes of a node.

/// The histograms of all classes of a node.
#[derive(Debug)]
pub(super) enum Histograms {
    /// A count for each value of the domain, class by class.
    Dense { width: usize, counts: Vec<u32> },
    /// Pairs (code, count) with ascending codes, class by class.
    Sparse { starts: Vec<u32>, entries: Vec<(u32, u64)> },
}

/// The parameters that determine whether a histogram is dense or sparse.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// Number of values of the attribute.
    pub width: usize,
    /// The maximum number of counts in dense histograms.
    pub most_dense: usize,
}

impl Shape {
    /// Returns a shape whose dense histograms may take twice the memory of the sparse histograms of
    /// the base table, or of a table with 1024 tuples if the base table is smaller.
    pub fn new(width: usize, n_tuples: usize, n_rows: u64) -> Self {
        let fits = u32::try_from(n_rows).is_ok() && width <= 256;
        // An empty table may have no values.
        let width = width.max(1);
        Self { width, most_dense: if fits { 8 * n_tuples.max(1024) } else { 0 } }
    }
}

impl Histograms {
    /// Adds up the histograms of merged classes.
    pub fn merged(&self, class_of: &[u32], n_classes: usize, shape: &Shape) -> Self {
        let width = shape.width;
        let fits = n_classes.checked_mul(width).is_some_and(|n| n <= shape.most_dense);
        match self {
            Histograms::Dense { counts, .. } => {
                let mut merged = vec![0; n_classes * width];
                for (counts, &class) in counts.chunks_exact(width).zip(class_of) {
                    let at = class as usize * width;
                    for (sum, count) in merged[at..at + width].iter_mut().zip(counts) {
                        *sum += count;
                    }
                }
                Histograms::Dense { width, counts: merged }
            }
            Histograms::Sparse { starts, entries } if fits => {
                let mut merged = vec![0; n_classes * width];
                for (range, &class) in starts.windows(2).zip(class_of) {
                    let at = class as usize * width;
                    for &(code, count) in &entries[range[0] as usize..range[1] as usize] {
                        merged[at + code as usize] += count as u32;
                    }
                }
                Histograms::Dense { width, counts: merged }
            }
            Histograms::Sparse { starts, entries } => {
                merge_sparse(starts, entries, class_of, n_classes)
            }
        }
    }

    /// Returns the entries of a class, stored in `buffer` if necessary.
    pub fn entries<'a>(
        &'a self,
        class: usize,
        buffer: &'a mut Vec<(u32, u64)>,
    ) -> &'a [(u32, u64)] {
        match self {
            Histograms::Dense { width, counts } => {
                buffer.clear();
                let counts = &counts[class * width..(class + 1) * width];
                buffer.extend(counts.iter().enumerate().filter_map(|(code, &count)| {
                    (count > 0).then_some((code as u32, u64::from(count)))
                }));
                buffer
            }
            Histograms::Sparse { starts, entries } => {
                &entries[starts[class] as usize..starts[class + 1] as usize]
            }
        }
    }

    /// Returns the memory in bytes.
    pub fn n_bytes(&self) -> usize {
        match self {
            Histograms::Dense { counts, .. } => size_of_val(counts.as_slice()),
            Histograms::Sparse { starts, entries } => {
                size_of_val(starts.as_slice()) + size_of_val(entries.as_slice())
            }
        }
    }
}

fn merge_sparse(
    starts: &[u32],
    entries: &[(u32, u64)],
    class_of: &[u32],
    n_classes: usize,
) -> Histograms {
    let mut next = vec![0u32; n_classes + 1];
    for (range, &class) in starts.windows(2).zip(class_of) {
        next[class as usize + 1] += range[1] - range[0];
    }
    for class in 0..n_classes {
        next[class + 1] += next[class];
    }
    let ends: Vec<u32> = next[1..].to_vec();
    let mut scattered = vec![(0, 0); entries.len()];
    for (range, &class) in starts.windows(2).zip(class_of) {
        let range = range[0] as usize..range[1] as usize;
        let at = &mut next[class as usize];
        scattered[*at as usize..*at as usize + range.len()]
            .copy_from_slice(&entries[range.clone()]);
        *at += range.len() as u32;
    }
    let mut merged: Vec<(u32, u64)> = Vec::with_capacity(scattered.len());
    let mut merged_starts = Vec::with_capacity(n_classes + 1);
    merged_starts.push(0);
    let mut start = 0;
    for end in ends {
        let class = &mut scattered[start..end as usize];
        class.sort_unstable_by_key(|entry| entry.0);
        let first = merged.len();
        for &(code, count) in class.iter() {
            match merged[first..].last_mut() {
                Some(last) if last.0 == code => last.1 += count,
                _ => merged.push((code, count)),
            }
        }
        merged_starts.push(merged.len() as u32);
        start = end as usize;
    }
    Histograms::Sparse { starts: merged_starts, entries: merged }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sparse_sums_are_equal() {
        let base = Histograms::Sparse {
            starts: vec![0, 2, 3, 5],
            entries: vec![(0, 1), (2, 4), (2, 1), (1, 7), (2, 2)],
        };
        let class_of = [1, 0, 1];
        let sparse = base.merged(&class_of, 2, &Shape { width: 3, most_dense: 0 });
        let dense = base.merged(&class_of, 2, &Shape { width: 3, most_dense: 6 });
        assert!(matches!(dense, Histograms::Dense { .. }));
        assert!(matches!(sparse, Histograms::Sparse { .. }));
        let expected: [&[(u32, u64)]; 2] = [&[(2, 1)], &[(0, 1), (1, 7), (2, 6)]];
        for (class, expected) in expected.iter().enumerate() {
            let (mut a, mut b) = (Vec::new(), Vec::new());
            assert_eq!(sparse.entries(class, &mut a), *expected);
            assert_eq!(dense.entries(class, &mut b), *expected);
        }
        let twice = dense.merged(&[0, 0], 1, &Shape { width: 3, most_dense: 6 });
        assert_eq!(twice.entries(0, &mut Vec::new()), [(0, 1), (1, 7), (2, 7)]);
    }
}
