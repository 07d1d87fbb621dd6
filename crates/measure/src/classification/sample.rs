//! Which rows are learned from, and which are kept apart.

use indistinct_core::published::ReleaseWithOriginal;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::Options;

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    /// Its tuple of the original.
    pub original: u32,
    /// What it became; `None` where it is suppressed.
    pub released: Option<u32>,
}

/// A random sample of all rows, divided by chance.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub training: Vec<Row>,
    pub test: Vec<Row>,
}

/// One of so many rows is kept apart.
const TEST: usize = 3;

impl Sample {
    /// `None` where it is not known which row became which.
    pub(super) fn draw(pair: &ReleaseWithOriginal, options: &Options) -> Option<Self> {
        let links = pair.links.as_ref()?;
        let mut ends = Vec::with_capacity(links.len());
        let mut n_rows = 0u64;
        for link in links {
            n_rows += link.rows;
            ends.push(n_rows);
        }
        let mut random = ChaCha8Rng::seed_from_u64(options.seed);
        let n_all = usize::try_from(n_rows).ok()?;
        let n = n_all.min(options.most_rows);
        let mut chosen = rand::seq::index::sample(&mut random, n_all, n).into_vec();
        // In one order, whatever way they were drawn in; then divided by chance.
        chosen.sort_unstable();
        chosen.shuffle(&mut random);
        let row = |&at: &usize| {
            let link = &links[ends.partition_point(|&end| end <= at as u64)];
            Row { original: link.original, released: link.released }
        };
        let (test, training) = chosen.split_at(n / TEST);
        Some(Self {
            training: training.iter().map(row).collect(),
            test: test.iter().map(row).collect(),
        })
    }

    /// Whether there is something to learn and to test.
    pub(super) fn is_enough(&self) -> bool {
        !self.test.is_empty() && !self.training.is_empty()
    }
}
