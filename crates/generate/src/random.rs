//! Draws random values from a seeded stream with integers only, so all machines draw the same
//! values.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Returns the random stream for an example. The key consists of the seed and the name of the
/// example.
pub(super) fn stream(example: &[u8; 8], seed: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(example);
    ChaCha8Rng::from_seed(key)
}

/// Returns a random integer below `bound`, which is nearly uniform if `bound` is far below 2^64.
pub(super) fn below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    scale(rng.next_u64(), bound)
}

/// Maps a 64-bit number, interpreted as a fraction of 2^64, to an integer in `0..bound`.
pub(super) fn scale(fraction: u64, bound: u64) -> u64 {
    ((u128::from(fraction) * u128::from(bound)) >> 64) as u64
}

/// Weighted draws from a small number of values, using a table with slots in proportion to the
/// weights.
pub(super) struct Draw {
    slots: Box<[u8]>,
}

impl Draw {
    /// The number of random bits per draw.
    pub(super) const BITS: u32 = 12;

    /// Creates a draw with the given weights. Each value with a positive weight has at least one
    /// slot.
    pub(super) fn by(weights: &[u32]) -> Self {
        let n_slots = 1u64 << Self::BITS;
        let total: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        let mut slots = Vec::with_capacity(n_slots as usize);
        let mut sum = 0;
        for (value, &weight) in weights.iter().enumerate() {
            sum += u64::from(weight);
            let end = (sum * n_slots / total) as usize;
            let value = u8::try_from(value).expect("a list has at most 256 values");
            let end = if weight > 0 { end.max(slots.len() + 1) } else { end };
            slots.resize(end.max(slots.len()), value);
        }
        slots.resize(n_slots as usize, slots[slots.len() - 1]);
        Self { slots: slots.into() }
    }

    /// Returns the value encoded by the lowest [`Draw::BITS`] bits of a random number.
    pub(super) fn pick(&self, bits: u64) -> u8 {
        self.slots[(bits & ((1 << Self::BITS) - 1)) as usize]
    }

    /// Draws a value with the next random number from a stream.
    pub(super) fn next(&self, rng: &mut ChaCha8Rng) -> usize {
        usize::from(self.pick(rng.next_u64()))
    }
}
