//! The order of points on the curve, for callers that do not need a search.

use super::hilbert;

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
/// If axes have different numbers of points, or a value has no position.
pub fn order(axes: &[Axis<'_>]) -> Vec<u32> {
    let n = axes.first().map_or(0, |axis| axis.codes.len());
    assert!(axes.iter().all(|axis| axis.codes.len() == n), "each axis has one code for each point");
    let bits = hilbert::bits_for(axes.len());
    let side = 1u64 << bits;
    // Spread the values over the side of the cube of the curve.
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
            (hilbert::position(&mut point, bits), at as u32)
        })
        .collect();
    placed.sort_unstable();
    placed.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
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
