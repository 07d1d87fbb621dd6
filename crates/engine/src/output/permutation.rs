//! Keyed permutations of `0..n` whose memory use grows with the square root of `n`.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Maximum number of positions for which the permutation is stored as a shuffled list.
const LARGEST_LIST: u64 = 1 << 16;

/// Number of rounds of the network for larger permutations.
const N_ROUNDS: usize = 10;

/// Purpose of random numbers. The numbers for each purpose come from a separate stream of
/// the generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Order of rows that are written from their counts.
    Rows,
    /// Class numbers.
    Classes,
    /// Assignment of the rows of a divided tuple to its parts.
    Parts,
    /// Order of the rows in a table of sensitive values.
    SensitiveValues,
    /// Step of a shuffle that uses temporary files.
    Spill {
        /// Number of the step.
        step: u64,
    },
}

/// Returns the random number generator for a key and a purpose.
pub(super) fn random(key: [u8; 32], purpose: Purpose) -> ChaCha20Rng {
    let mut random = ChaCha20Rng::from_seed(key);
    random.set_stream(match purpose {
        Purpose::Rows => 1,
        Purpose::Classes => 2,
        Purpose::Parts => 3,
        Purpose::SensitiveValues => 4,
        Purpose::Spill { step } => 16 + step,
    });
    random
}

/// Draws a uniformly distributed number below `n`.
///
/// The algorithm is implemented here because its results must not change with the version of a
/// dependency.
pub(super) fn below(random: &mut impl RngCore, n: u64) -> u64 {
    debug_assert!(n > 0);
    let smallest_fair = n.wrapping_neg() % n;
    loop {
        let product = u128::from(random.next_u64()) * u128::from(n);
        if product as u64 >= smallest_fair {
            return (product >> 64) as u64;
        }
    }
}

/// Returns a uniformly shuffled list of `0..n`.
pub(super) fn shuffled(n: u32, random: &mut impl RngCore) -> Vec<u32> {
    let mut list: Vec<u32> = (0..n).collect();
    for last in (1..list.len()).rev() {
        list.swap(last, below(random, last as u64 + 1) as usize);
    }
    list
}

/// A permutation of `0..n`.
///
/// For few positions, the permutation is a shuffled list. For many positions, each position is a
/// pair (left, right) with about `sqrt(n)` values each, and an alternating Feistel network permutes
/// the pairs: each round shifts one part by a random function of the other part. The functions are
/// tables of ChaCha20 output. Pairs beyond `n` are permuted again (cycle walking).
#[derive(Debug)]
pub(super) enum Permutation {
    /// The identity permutation.
    Identity,
    /// The image of each position.
    List(Vec<u32>),
    /// A Feistel network.
    Network {
        /// Number of positions.
        n: u64,
        /// Number of left values.
        n_left: u64,
        /// Number of right values.
        n_right: u64,
        /// For each round and each value of one half, the shift of the other half.
        rounds: Vec<Vec<u32>>,
    },
}

impl Permutation {
    /// Creates the permutation of `0..n` for a key.
    pub(super) fn keyed(n: u64, key: [u8; 32], purpose: Purpose) -> Self {
        let mut random = random(key, purpose);
        if n <= LARGEST_LIST {
            return Self::List(shuffled(n as u32, &mut random));
        }
        let n_right = n.isqrt() + u64::from(n.isqrt() * n.isqrt() < n);
        let n_left = n.div_ceil(n_right);
        let rounds = (0..N_ROUNDS)
            .map(|round| {
                let (by, moved) =
                    if round % 2 == 0 { (n_right, n_left) } else { (n_left, n_right) };
                (0..by).map(|_| below(&mut random, moved) as u32).collect()
            })
            .collect();
        Self::Network { n, n_left, n_right, rounds }
    }

    /// Returns the image of a position.
    pub(super) fn of(&self, position: u64) -> u64 {
        match self {
            Self::Identity => position,
            Self::List(list) => u64::from(list[position as usize]),
            Self::Network { n, n_left, n_right, rounds } => {
                let mut at = position;
                loop {
                    let (mut left, mut right) = (at / n_right, at % n_right);
                    for pair in rounds.chunks_exact(2) {
                        left += u64::from(pair[0][right as usize]);
                        left -= if left >= *n_left { *n_left } else { 0 };
                        right += u64::from(pair[1][left as usize]);
                        right -= if right >= *n_right { *n_right } else { 0 };
                    }
                    at = left * n_right + right;
                    if at < *n {
                        return at;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn images(n: u64, key: u8) -> Vec<u64> {
        let permutation = Permutation::keyed(n, [key; 32], Purpose::Rows);
        (0..n).map(|position| permutation.of(position)).collect()
    }

    #[test]
    fn permutation_hits_every_position_once() {
        let large = [65_536, 65_537, 65_792, 65_793, 66_049, 66_050, 99_856, 100_003, 1_000_000];
        for n in (0..300).chain(large) {
            let mut hit = vec![false; n as usize];
            for image in images(n, 3) {
                assert!(!std::mem::replace(&mut hit[image as usize], true), "twice, n = {n}");
            }
        }
    }

    #[test]
    fn permutation_depends_on_key() {
        for n in [50, 100_000] {
            assert_eq!(images(n, 1), images(n, 1));
            assert_ne!(images(n, 1), images(n, 2));
        }
    }

    #[test]
    fn purposes_have_different_permutations() {
        let of = |purpose| match Permutation::keyed(50, [1; 32], purpose) {
            Permutation::List(list) => list,
            _ => unreachable!("fifty positions are stored as a list"),
        };
        assert_ne!(of(Purpose::Rows), of(Purpose::Classes));
    }

    /// Checks the rank correlation of position and image, the share of neighbors that remain
    /// neighbors, and the distribution of the images of a block of positions.
    #[test]
    fn permutation_does_not_preserve_order() {
        for n in [5_000u64, 200_000, 1_000_003] {
            let images = images(n, 9);
            let mean = (n - 1) as f64 / 2.0;
            let covariance: f64 = images
                .iter()
                .enumerate()
                .map(|(position, &image)| (position as f64 - mean) * (image as f64 - mean))
                .sum();
            let variance: f64 = (0..n).map(|at| (at as f64 - mean).powi(2)).sum();
            let bound = 5.0 / (n as f64).sqrt();
            assert!((covariance / variance).abs() < bound, "n = {n}");
            let neighbors = images.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) == 1).count();
            assert!(neighbors < 20, "n = {n}: {neighbors}");
            let block = (n / 100) as usize;
            for images in images.chunks_exact(block) {
                let mut tenths = [0f64; 10];
                for &image in images {
                    tenths[(image * 10 / n) as usize] += 1.0;
                }
                let expected = block as f64 / 10.0;
                let chi_squared: f64 =
                    tenths.iter().map(|count| (count - expected).powi(2) / expected).sum();
                assert!(chi_squared < 45.0, "n = {n}: {chi_squared}");
            }
        }
    }

    #[test]
    fn random_below_is_bounded_and_uniform() {
        let mut random = random([5; 32], Purpose::Rows);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[below(&mut random, 7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 500), "{counts:?}");
        assert_eq!(below(&mut random, 1), 0);
    }
}
