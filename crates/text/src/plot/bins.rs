//! Bins of class sizes.

use std::collections::BTreeMap;

use crate::words;

/// The maximum number of class sizes for which each size has a separate bin.
const MOST_SINGLE: u64 = 16;
/// The ratio of the largest to the smallest class size at which larger sizes have wider bins.
const VARIES_A_LOT: u64 = 20;

/// A range of class sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bin {
    /// The smallest size in the bin.
    pub from: u64,
    /// The largest size in the bin.
    pub to: u64,
}

impl Bin {
    /// Returns the entries of a map from class sizes to numbers of classes that are in this bin.
    pub(crate) fn entries(self, sizes: &BTreeMap<u64, u64>) -> impl Iterator<Item = (u64, u64)> {
        sizes.range(self.from..=self.to).map(|(&size, &classes)| (size, classes))
    }

    /// Formats the range of sizes: `5` or `10–19`.
    pub fn label(self) -> String {
        match self.from == self.to {
            true => words::thousands(self.from),
            false => format!("{}–{}", words::thousands(self.from), words::thousands(self.to)),
        }
    }

    /// Returns the number of classes with sizes in this bin.
    pub(crate) fn n_classes(self, sizes: &BTreeMap<u64, u64>) -> u64 {
        self.entries(sizes).map(|(_, classes)| classes).sum()
    }

    /// Returns the number of rows in classes with sizes in this bin.
    pub(crate) fn n_rows(self, sizes: &BTreeMap<u64, u64>) -> u64 {
        self.entries(sizes).map(|(size, classes)| size * classes).sum()
    }
}

/// Returns bins that cover all sizes from `smallest` to `largest`. If there are few sizes, each has
/// its own bin; if the sizes are similar, all bins have the same width. Otherwise, the bins are 1,
/// 2, 3 to 4, 5 to 9, 10 to 19, 20 to 49, 50 to 99, and so on.
pub fn bins(smallest: u64, largest: u64) -> Vec<Bin> {
    let span = largest.saturating_sub(smallest).saturating_add(1);
    if span <= MOST_SINGLE {
        return (smallest..=largest).map(|size| Bin { from: size, to: size }).collect();
    }
    if largest / smallest.max(1) >= VARIES_A_LOT {
        return growing(smallest, largest);
    }
    let width = steps().find(|width| span / width < MOST_SINGLE).unwrap_or(span);
    let mut bins = Vec::new();
    let mut from = smallest - smallest % width;
    loop {
        let to = from.saturating_add(width - 1);
        bins.push(Bin { from, to });
        if to >= largest {
            return bins;
        }
        from = to + 1;
    }
}

/// Returns a note if the bins have different widths, and an empty string otherwise.
pub(crate) fn note(bins: &[Bin]) -> &'static str {
    let mut widths = bins.iter().map(|bin| bin.to - bin.from);
    let first = widths.next();
    if widths.all(|width| Some(width) == first) {
        ""
    } else {
        " The bins become wider to the right because class sizes vary widely."
    }
}

fn growing(smallest: u64, largest: u64) -> Vec<Bin> {
    let edges: Vec<u64> = [1, 2, 3].into_iter().chain(steps().skip(2)).collect();
    edges
        .iter()
        .enumerate()
        .map(|(at, &from)| Bin { from, to: edges.get(at + 1).map_or(u64::MAX, |next| next - 1) })
        .filter(|bin| bin.to >= smallest && bin.from <= largest)
        .collect()
}

/// Returns the sequence 1, 2, 5, 10, 20, 50, and so on.
fn steps() -> impl Iterator<Item = u64> {
    (0..19).flat_map(|power| [1, 2, 5].map(|factor| factor * 10u64.pow(power)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(smallest: u64, largest: u64) -> Vec<(u64, u64)> {
        bins(smallest, largest).into_iter().map(|bin| (bin.from, bin.to)).collect()
    }

    #[test]
    fn few_sizes_have_individual_bins() {
        assert_eq!(pairs(5, 8), [(5, 5), (6, 6), (7, 7), (8, 8)]);
        assert_eq!(pairs(3_000_000, 3_000_000), [(3_000_000, 3_000_000)]);
    }

    #[test]
    fn similar_sizes_have_equal_width_bins() {
        assert_eq!(pairs(50, 90).first(), Some(&(50, 54)));
        assert_eq!(pairs(50, 90).last(), Some(&(90, 94)));
        assert_eq!(pairs(50, 90).len(), 9);
    }

    #[test]
    fn wide_size_ranges_have_growing_bins() {
        assert_eq!(
            pairs(1, 120),
            [(1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, 199)]
        );
        assert!(pairs(1, u64::MAX).len() < 60);
        assert!(!note(&bins(1, 120)).is_empty());
        assert!(note(&bins(50, 90)).is_empty() && note(&bins(5, 8)).is_empty());
    }

    #[test]
    fn every_size_is_in_exactly_one_bin() {
        for (smallest, largest) in
            [(1, 1), (1, 16), (1, 17), (1, 10_000), (5, 99), (7, 8_000), (300, 900)]
        {
            let bins = bins(smallest, largest);
            for size in smallest..=largest {
                let n = bins.iter().filter(|bin| (bin.from..=bin.to).contains(&size)).count();
                assert_eq!(n, 1, "{size} of {smallest} to {largest}");
            }
            assert!(bins.len() <= 17, "{smallest} to {largest}: {}", bins.len());
        }
    }

    #[test]
    fn bin_counts_are_summed() {
        let sizes = BTreeMap::from([(5, 2), (6, 1), (40, 3)]);
        let bin = Bin { from: 5, to: 9 };
        assert_eq!((bin.n_classes(&sizes), bin.n_rows(&sizes)), (3, 16));
    }
}
