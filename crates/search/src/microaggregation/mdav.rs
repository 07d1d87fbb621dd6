//! Maximum distance to average vector (MDAV): classes of k rows around the most distant rows.
//!
//! For a single column, divides the numbers into classes of at least k numbers with the minimum
//! error.

/// Returns classes of at least k points, as ascending positions. Each class has fewer than 2 k
/// points; fewer than 2 k points in total form one class. If `is_over` returns true, the remaining
/// points are cut into classes along the first coordinate.
///
/// All points must have the same dimension, at least 1.
pub fn mdav(points: &[&[f64]], k: usize, is_over: &dyn Fn() -> bool) -> Vec<Vec<u32>> {
    let k = k.max(1);
    let mut left: Vec<u32> = (0..points.len() as u32).collect();
    let mut classes = Vec::new();
    while left.len() >= 3 * k {
        if is_over() {
            left.sort_by(|&a, &b| {
                points[a as usize][0].total_cmp(&points[b as usize][0]).then(a.cmp(&b))
            });
            while left.len() >= 2 * k {
                let rest = left.split_off(k);
                classes.push(std::mem::replace(&mut left, rest));
            }
            break;
        }
        let outmost = farthest(points, &left, &mean(points, &left));
        classes.push(take_nearest(points, &mut left, points[outmost as usize], k));
        let opposite = farthest(points, &left, points[outmost as usize]);
        classes.push(take_nearest(points, &mut left, points[opposite as usize], k));
    }
    if left.len() >= 2 * k {
        let outmost = farthest(points, &left, &mean(points, &left));
        classes.push(take_nearest(points, &mut left, points[outmost as usize], k));
    }
    if !left.is_empty() {
        classes.push(left);
    }
    for class in &mut classes {
        class.sort_unstable();
    }
    classes
}

/// Returns the mean of some points.
pub(super) fn mean(points: &[&[f64]], of: &[u32]) -> Vec<f64> {
    let mut mean = vec![0.0; points.first().map_or(0, |point| point.len())];
    for &at in of {
        for (sum, x) in mean.iter_mut().zip(points[at as usize]) {
            *sum += x;
        }
    }
    mean.iter_mut().for_each(|sum| *sum /= of.len().max(1) as f64);
    mean
}

/// Returns the squared distance between two points.
pub(super) fn squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Returns the point that is farthest from `from`; in case of a tie, the first one.
fn farthest(points: &[&[f64]], among: &[u32], from: &[f64]) -> u32 {
    let mut best = (f64::NEG_INFINITY, 0);
    for &at in among {
        let distance = squared(points[at as usize], from);
        if distance > best.0 || distance == best.0 && at < best.1 {
            best = (distance, at);
        }
    }
    best.1
}

/// Removes and returns the `k` points nearest to `to`; ties are resolved in favor of the first
/// points.
fn take_nearest(points: &[&[f64]], left: &mut Vec<u32>, to: &[f64], k: usize) -> Vec<u32> {
    let mut near: Vec<(f64, u32)> =
        left.iter().map(|&at| (squared(points[at as usize], to), at)).collect();
    let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let (_, last, _) = near.select_nth_unstable_by(k - 1, order);
    let last = *last;
    let is_near = |at: u32| {
        order(&(squared(points[at as usize], to), at), &last) != std::cmp::Ordering::Greater
    };
    let (taken, rest) = left.iter().copied().partition(|&at| is_near(at));
    *left = rest;
    taken
}

/// Returns the classes of at least k numbers with the minimum sum of squared distances from the
/// class means, as positions in `values`. Some optimal division has classes that are consecutive in
/// the sorted order and have k to 2 k - 1 numbers each: cutting a larger class and sorting two
/// interleaved classes do not increase the error (Hansen and Mukherjee, Theorems 1 and 2). The
/// optimum is therefore a shortest path. In case of a tie, the path with the shorter last class is
/// chosen. Fewer than 2 k numbers form one class.
pub fn optimal(values: &[f64], k: usize) -> Vec<Vec<u32>> {
    let k = k.max(1);
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]).then(a.cmp(&b)));
    let n = order.len();
    if n < 2 * k {
        return if n == 0 { Vec::new() } else { vec![order] };
    }
    // Prefix sums of the numbers after subtracting their mean, which limits rounding errors.
    let middle = values.iter().sum::<f64>() / n as f64;
    let (mut sums, mut squares) = (vec![0.0], vec![0.0]);
    for (at, &position) in order.iter().enumerate() {
        let x = values[position as usize] - middle;
        sums.push(sums[at] + x);
        squares.push(squares[at] + x * x);
    }
    let error = |from: usize, to: usize| {
        let sum: f64 = sums[to] - sums[from];
        (squares[to] - squares[from] - sum * sum / (to - from) as f64).max(0.0)
    };
    // For each prefix of the numbers, the minimum error and the start of the last class.
    let mut best = vec![(f64::INFINITY, 0); n + 1];
    best[0] = (0.0, 0);
    for to in k..=n {
        for from in to.saturating_sub(2 * k - 1)..=to - k {
            let total = best[from].0 + error(from, to);
            if total <= best[to].0 {
                best[to] = (total, from);
            }
        }
    }
    let (mut classes, mut to) = (Vec::new(), n);
    while to > 0 {
        let from = best[to].1;
        classes.push(order[from..to].to_vec());
        to = from;
    }
    classes.reverse();
    classes
}
