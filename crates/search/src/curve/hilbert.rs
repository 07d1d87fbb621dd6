//! Positions on a Hilbert curve in any number of dimensions.
//!
//! Skilling's transform is implemented here because the existing crates for more than three
//! dimensions are not maintained (`hilbert` 0.1.2 dates from 2021 and returns big integers), and
//! `fast_hilbert` supports two dimensions.
//!
//! **Source.** John Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707, 381
//! (2004).

/// Number of bits of a position.
const POSITION_BITS: u32 = u128::BITS;

/// Maximum number of bits of a coordinate.
const MOST_BITS: u32 = 16;

/// Returns the number of bits for each of `n` coordinates; 0 if `n` is 0 or too large.
pub(super) fn bits_for(n: usize) -> u32 {
    match u32::try_from(n) {
        Ok(n) => POSITION_BITS.checked_div(n).unwrap_or(0).min(MOST_BITS),
        Err(_) => 0,
    }
}

/// Returns the position of a point on the curve. Coordinates must be below 2^bits; the function
/// overwrites them.
///
/// # Panics
/// If all coordinates together have more bits than a position.
pub(super) fn position(point: &mut [u32], bits: u32) -> u128 {
    assert!(
        point.len() as u32 * bits <= POSITION_BITS,
        "a position has enough bits for all coordinates"
    );
    if bits == 0 {
        return 0;
    }
    to_transposed(point, bits);
    (0..bits).rev().fold(0, |position, bit| {
        point.iter().fold(position, |position, &x| position << 1 | u128::from(x >> bit & 1))
    })
}

/// Transforms coordinates into the bits of the position, distributed over the coordinates.
fn to_transposed(x: &mut [u32], bits: u32) {
    let highest = 1u32 << (bits - 1);
    let mut q = highest;
    while q > 1 {
        let p = q - 1;
        for i in 0..x.len() {
            if x[i] & q != 0 {
                x[0] ^= p;
            } else {
                let t = (x[0] ^ x[i]) & p;
                x[0] ^= t;
                x[i] ^= t;
            }
        }
        q >>= 1;
    }
    for i in 1..x.len() {
        x[i] ^= x[i - 1];
    }
    let last = x.last().copied().unwrap_or(0);
    let mut t = 0;
    let mut q = highest;
    while q > 1 {
        if last & q != 0 {
            t ^= q - 1;
        }
        q >>= 1;
    }
    x.iter_mut().for_each(|x| *x ^= t);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The defining properties of a Hilbert curve: it visits every point once, and consecutive
    /// points are neighbors.
    #[test]
    fn hilbert_curve_visits_adjacent_points_once() {
        for (n, bits) in [(1, 4), (2, 1), (2, 4), (3, 3), (4, 2), (5, 2)] {
            let side = 1u32 << bits;
            let mut walk: Vec<(u128, Vec<u32>)> = (0..side.pow(n))
                .map(|at| {
                    let point: Vec<u32> = (0..n).map(|i| at / side.pow(i) % side).collect();
                    (position(&mut point.clone(), bits), point)
                })
                .collect();
            walk.sort_unstable();
            assert!((0u128..).zip(&walk).all(|(at, (position, _))| at == *position));
            for pair in walk.windows(2) {
                let steps: u32 =
                    pair[0].1.iter().zip(&pair[1].1).map(|(a, b)| a.abs_diff(*b)).sum();
                assert_eq!(steps, 1, "{n} dimensions, {bits} bits: {pair:?}");
            }
        }
    }

    #[test]
    fn coordinates_share_available_bits() {
        assert_eq!((bits_for(1), bits_for(9), bits_for(128), bits_for(200)), (16, 14, 1, 0));
        assert_eq!((bits_for(0), position(&mut [], 0)), (0, 0));
    }
}
