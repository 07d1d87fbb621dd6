//! Random choices from a key.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::RngCore;

/// Puts a list in an order in which all orders are equally likely.
pub(crate) fn shuffle(list: &mut [u32], random: &mut ChaCha20Rng) {
    for last in (1..list.len()).rev() {
        list.swap(last, below(random, last as u64 + 1) as usize);
    }
}

/// A number below `n`, all equally likely.
fn below(random: &mut ChaCha20Rng, n: u64) -> u64 {
    let smallest_fair = n.wrapping_neg() % n;
    loop {
        let product = u128::from(random.next_u64()) * u128::from(n);
        if product as u64 >= smallest_fair {
            return (product >> 64) as u64;
        }
    }
}
