//! Samples rows and divides them into training and test rows.

use indistinct_core::published::ReleaseWithOriginal;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::Options;

/// A sampled row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    /// The tuple of the row in the original.
    pub original: u32,
    /// The tuple of the row in the release, or `None` if the row is suppressed.
    pub released: Option<u32>,
}

/// A random sample of all rows, divided randomly into training and test rows.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub training: Vec<Row>,
    pub test: Vec<Row>,
}

/// The ratio of sampled rows to test rows.
const TEST: usize = 3;

impl Sample {
    /// Draws a sample. Returns `None` if the correspondence between original and released rows is
    /// unknown.
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
        // Sort the rows to be independent of the order in which they were drawn, and then divide
        // them at random.
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

    /// Returns whether the sample contains both training and test rows.
    pub(super) fn is_enough(&self) -> bool {
        !self.test.is_empty() && !self.training.is_empty()
    }
}
