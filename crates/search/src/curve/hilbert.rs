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
/// Panics if the bits of all coordinates together do not fit in a position.
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

/// One attribute of the points to order.
#[derive(Debug, Clone, Copy)]
pub struct Axis<'a> {
    /// For each value, its position among all values, starting at 0.
    pub places: &'a [u32],
    /// The value of each point.
    pub codes: &'a [u32],
}

/// Returns the order in which a Hilbert curve visits points: the i-th visited point is `order[i]`.
/// Points at the same position of the curve keep their order.
///
/// # Panics
/// Panics if axes have different numbers of points, or if a value has no position.
pub fn order(axes: &[Axis<'_>]) -> Vec<u32> {
    let n = axes.first().map_or(0, |axis| axis.codes.len());
    assert!(axes.iter().all(|axis| axis.codes.len() == n), "each axis has one code for each point");
    let bits = bits_for(axes.len());
    let side = 1u64 << bits;
    // Spread the values over the side of the cube that the curve fills.
    let coordinates: Vec<Vec<u32>> = axes
        .iter()
        .map(|axis| {
            let last = axis.places.iter().copied().max().unwrap_or(0).max(1);
            let spread = |&place: &u32| (u64::from(place) * (side - 1) / u64::from(last)) as u32;
            axis.places.iter().map(spread).collect()
        })
        .collect();
    let mut point = vec![0; axes.len()];
    let mut placed: Vec<(u128, u32)> = (0..n)
        .map(|at| {
            for ((part, axis), coordinates) in point.iter_mut().zip(axes).zip(&coordinates) {
                *part = coordinates[axis.codes[at] as usize];
            }
            (position(&mut point, bits), at as u32)
        })
        .collect();
    placed.sort_unstable();
    placed.into_iter().map(|(_, at)| at).collect()
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

#[cfg(test)]
mod order_tests {
    use super::*;

    #[test]
    fn consecutive_curve_points_are_close() {
        // The curve covers a grid of 8 x 8 points exactly.
        let places: Vec<u32> = (0..8).collect();
        let (x, y): (Vec<u32>, Vec<u32>) = (0..64).map(|at| (at / 8, at % 8)).unzip();
        let axes = [Axis { places: &places, codes: &x }, Axis { places: &places, codes: &y }];
        let order = order(&axes);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..64).collect::<Vec<u32>>());
        let step = |pair: &[u32]| {
            let (a, b) = (pair[0] as usize, pair[1] as usize);
            x[a].abs_diff(x[b]) + y[a].abs_diff(y[b])
        };
        // In lexicographic order, the step from the end of a row of the grid to the start of the
        // next row has length 8.
        assert!(order.windows(2).all(|pair| step(pair) <= 2), "{order:?}");
    }

    #[test]
    fn order_uses_places_instead_of_codes() {
        let axis = |places| Axis { places, codes: &[0, 1, 2] };
        assert_eq!(order(&[axis(&[2, 0, 1])]), [1, 2, 0]);
        assert_eq!(order(&[]), Vec::<u32>::new());
        assert_eq!(order(&[Axis { places: &[5], codes: &[0, 0] }]), [0, 1]);
    }
}
