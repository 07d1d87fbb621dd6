//! One column: the division into classes of at least k with the least error.

/// Classes of at least k numbers whose sum of squared distances from the means of their classes is the least of all divisions, as
/// positions in `values`. Some such division has classes that are consecutive in the sorted order, of k to 2 k - 1 numbers each: a
/// larger one can be cut, and two that interlace can be sorted, and neither has more error (Hansen and Mukherjee, Theorem 1 and 2).
/// So it is a shortest path; of equal ones that with the shorter last class. One class of all where there are fewer than 2 k.
pub fn optimal(values: &[f64], k: usize) -> Vec<Vec<u32>> {
    let k = k.max(1);
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]).then(a.cmp(&b)));
    let n = order.len();
    if n < 2 * k {
        return if n == 0 { Vec::new() } else { vec![order] };
    }
    // Sums over the first so many numbers, from their mean to lose few digits.
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
    // The least error of the first so many numbers, and where their last class begins.
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
