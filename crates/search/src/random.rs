//! Random choices from a seeded generator.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::RngCore;

/// Shuffles a list into a uniformly random order.
pub(crate) fn shuffle(list: &mut [u32], random: &mut ChaCha20Rng) {
    for last in (1..list.len()).rev() {
        list.swap(last, below(random, last as u64 + 1) as usize);
    }
}

/// Returns a uniformly random number below `n`.
fn below(random: &mut ChaCha20Rng, n: u64) -> u64 {
    let smallest_fair = n.wrapping_neg() % n;
    loop {
        let product = u128::from(random.next_u64()) * u128::from(n);
        if product as u64 >= smallest_fair {
            return (product >> 64) as u64;
        }
    }
}
