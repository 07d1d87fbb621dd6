//! The earth mover's distance by its definition: the minimum cost of transforming one distribution
//! into another.

use num_rational::BigRational;

/// Returns the minimum cost of moving `supply` to `demand` (with equal sums), where moving one unit
/// from i to j costs `cost[i][j]`.
///
/// The algorithm repeatedly augments the flow along the cheapest path in the residual network.
///
/// # Panics
/// Panics if the sums differ.
pub fn least_cost(supply: &[i64], demand: &[i64], cost: &[Vec<i64>]) -> i64 {
    assert_eq!(
        supply.iter().sum::<i64>(),
        demand.iter().sum::<i64>(),
        "supply and demand are equal"
    );
    let (n, m) = (supply.len(), demand.len());
    let (mut left, mut wanted) = (supply.to_vec(), demand.to_vec());
    let mut flow = vec![vec![0; m]; n];
    let mut total = 0;
    while left.iter().any(|&units| units > 0) {
        // Find the cheapest path to each node. The sources are 0..n, and the sinks are n..n + m.
        let mut reach: Vec<Option<i64>> = vec![None; n + m];
        let mut from = vec![usize::MAX; n + m];
        for i in 0..n {
            reach[i] = (left[i] > 0).then_some(0);
        }
        for _ in 0..n + m {
            for i in 0..n {
                for j in 0..m {
                    if let Some(so_far) = reach[i]
                        && reach[n + j].is_none_or(|known| so_far + cost[i][j] < known)
                    {
                        reach[n + j] = Some(so_far + cost[i][j]);
                        from[n + j] = i;
                    }
                    if let Some(so_far) = reach[n + j]
                        && flow[i][j] > 0
                        && reach[i].is_none_or(|known| so_far - cost[i][j] < known)
                    {
                        reach[i] = Some(so_far - cost[i][j]);
                        from[i] = n + j;
                    }
                }
            }
        }
        let sink = (0..m)
            .filter(|&j| wanted[j] > 0)
            .min_by_key(|&j| reach[n + j].expect("every sink is reachable"))
            .expect("the remaining demand equals the remaining supply");
        let mut units = wanted[sink];
        let mut at = n + sink;
        while from[at] != usize::MAX {
            if at < n {
                units = units.min(flow[at][from[at] - n]);
            }
            at = from[at];
        }
        units = units.min(left[at]);
        left[at] -= units;
        wanted[sink] -= units;
        let mut at = n + sink;
        while from[at] != usize::MAX {
            let before = from[at];
            if at >= n {
                flow[before][at - n] += units;
                total += units * cost[before][at - n];
            } else {
                flow[at][before - n] -= units;
                total -= units * cost[at][before - n];
            }
            at = before;
        }
    }
    total
}

/// Returns the earth mover's distance between the distributions of two lists of counts over the
/// same values. Distances are in units of `1 / unit`.
pub fn distance(class: &[u64], all: &[u64], cost: &[Vec<i64>], unit: i64) -> BigRational {
    let sum = |counts: &[u64]| counts.iter().sum::<u64>() as i64;
    let (n, total) = (sum(class), sum(all));
    let supply: Vec<i64> = class.iter().map(|&count| count as i64 * total).collect();
    let demand: Vec<i64> = all.iter().map(|&count| count as i64 * n).collect();
    let moved = least_cost(&supply, &demand, cost);
    BigRational::new(moved.into(), (n * total * unit).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cheapest_transport_is_found() {
        let line = |n: i64| (0..n).map(|i| (0..n).map(|j| (i - j).abs()).collect()).collect();
        let cost: Vec<Vec<i64>> = line(3);
        assert_eq!(least_cost(&[2, 0, 0], &[0, 1, 1], &cost), 3);
        // The optimal solution requires reverting the first greedy path.
        let cost = vec![vec![1, 2], vec![1, 9]];
        assert_eq!(least_cost(&[1, 1], &[1, 1], &cost), 3);
        let cost: Vec<Vec<i64>> = line(2);
        assert_eq!(distance(&[1, 0], &[1, 1], &cost, 1), BigRational::new(1.into(), 2.into()));
    }
}
