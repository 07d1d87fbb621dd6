//! Divides the numbers of one column into classes of at least k numbers with the minimum error.

/// Returns the classes of at least k numbers with the minimum sum of squared distances from the
/// class means, as positions in `values`. Some optimal division has classes that are consecutive in
/// the sorted order and have k to 2 k - 1 numbers each: cutting a larger class and sorting two
/// interleaved classes do not increase the error (Hansen and Mukherjee, Theorems 1 and 2). The
/// optimum is therefore a shortest path; among equal ones, the path with the shorter last class.
/// Fewer than 2 k numbers form one class.
pub fn optimal(values: &[f64], k: usize) -> Vec<Vec<u32>> {
    let k = k.max(1);
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]).then(a.cmp(&b)));
    let n = order.len();
    if n < 2 * k {
        return if n == 0 { Vec::new() } else { vec![order] };
    }
    // Prefix sums of the numbers minus their mean, which limits rounding errors.
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
