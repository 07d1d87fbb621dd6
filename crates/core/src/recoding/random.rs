//! Random draws from a secret key.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::Rational;

/// The key that determines all random draws. The `Debug` implementation does not print the key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key(pub [u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
}

/// A random number generator.
#[derive(Debug)]
pub(crate) struct Random(ChaCha20Rng);

impl Random {
    pub(crate) fn new(key: &Key, stream: u64) -> Self {
        let mut random = ChaCha20Rng::from_seed(key.0);
        random.set_stream(stream);
        Self(random)
    }

    /// Returns a uniformly distributed integer below `n`, which must be at least 1.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        let rounds = u64::MAX - u64::MAX % n;
        loop {
            let x = self.0.next_u64();
            if x < rounds {
                return x % n;
            }
        }
    }

    /// Returns a uniformly distributed number in (0, 1].
    fn unit(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// Returns a normally distributed number with mean 0 and variance 1 (Box-Muller transform).
    pub(crate) fn normal(&mut self) -> f64 {
        let (radius, angle) =
            ((-2.0 * self.unit().ln()).sqrt(), std::f64::consts::TAU * self.unit());
        radius * angle.cos()
    }

    /// Returns `true` with the given exact probability.
    pub(crate) fn happens(&mut self, probability: &Rational) -> bool {
        let (n, d) = (*probability.numer(), *probability.denom());
        match u64::try_from(d) {
            Ok(d) => i128::from(self.below(d)) < n,
            Err(_) => self.unit() <= n as f64 / d as f64,
        }
    }

    /// Shuffles a list such that all permutations are equally likely.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_hidden_in_debug_output() {
        assert_eq!(format!("{:?}", Key([7; 32])), "Key(..)");
    }
}
