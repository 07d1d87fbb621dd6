//! Multinomial logistic regression with a penalty on the weights.
//!
//! The L-BFGS optimizer of `smartcore` minimizes the sum over rows of -log P(class | row), plus
//! half the sum of the squared weights, except for those of the intercept. The regression of
//! `smartcore` itself requires dense rows, which would be a hundred times slower if most inputs are
//! 0.

use std::cell::Cell;

use indistinct_core::{Observer, Phase};
use smartcore::optimization::FunctionOrder;
use smartcore::optimization::first_order::FirstOrderOptimizer;
use smartcore::optimization::first_order::lbfgs::LBFGS;
use smartcore::optimization::line_search::Backtracking;

use super::features::{Features, Rows};

const STEPS: usize = 100;
const TOLERANCE: f64 = 1e-4;
const PENALTY: f64 = 1.0;
const FALL: f64 = 1e9;

/// A group of rows with equal inputs, and the number of its rows in each class.
struct Alike<'a> {
    inputs: &'a [(u32, f64)],
    rows: Vec<(u32, f64)>,
    n_rows: f64,
}

/// The model of a regression. Weights are ordered by input, with those of the intercept last, and
/// by class within each input.
struct Model<'a> {
    alike: Vec<Alike<'a>>,
    n_inputs: usize,
    n_classes: usize,
    n_rows: f64,
}

/// Computes the logarithm of the odds of each class, up to a constant.
fn scores(weights: &[f64], n_classes: usize, inputs: &[(u32, f64)], into: &mut [f64]) {
    into.copy_from_slice(&weights[weights.len() - n_classes..]);
    for &(input, value) in inputs {
        let own = &weights[input as usize * n_classes..][..n_classes];
        into.iter_mut().zip(own).for_each(|(sum, weight)| *sum += weight * value);
    }
}

/// Converts scores to probabilities, and returns the logarithm of the sum of their exponentials.
fn to_shares(scores: &mut [f64]) -> f64 {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = scores.iter().map(|score| (score - most).exp()).sum();
    let logarithm = most + sum.ln();
    scores.iter_mut().for_each(|score| *score = (*score - logarithm).exp());
    logarithm
}

impl Model<'_> {
    fn penalty(&self, weights: &[f64]) -> f64 {
        let squares: f64 = weights[..self.n_inputs * self.n_classes].iter().map(|w| w * w).sum();
        PENALTY * squares / 2.0 / self.n_rows
    }

    fn value(&self, weights: &[f64]) -> f64 {
        let mut own = vec![0.0; self.n_classes];
        let mut sum = 0.0;
        for alike in &self.alike {
            scores(weights, self.n_classes, alike.inputs, &mut own);
            let there: f64 = alike.rows.iter().map(|&(class, n)| n * own[class as usize]).sum();
            sum += alike.n_rows * to_shares(&mut own) - there;
        }
        sum / self.n_rows + self.penalty(weights)
    }

    fn gradient(&self, into: &mut [f64], weights: &[f64]) {
        let (n, last) = (self.n_classes, self.n_inputs * self.n_classes);
        into[..last].iter_mut().zip(weights).for_each(|(g, w)| *g = PENALTY * w / self.n_rows);
        into[last..].fill(0.0);
        let mut own = vec![0.0; n];
        for alike in &self.alike {
            scores(weights, n, alike.inputs, &mut own);
            to_shares(&mut own);
            own.iter_mut().for_each(|share| *share *= alike.n_rows / self.n_rows);
            for &(class, rows) in &alike.rows {
                own[class as usize] -= rows / self.n_rows;
            }
            for &(input, value) in alike.inputs {
                let g = &mut into[input as usize * n..][..n];
                g.iter_mut().zip(&own).for_each(|(g, own)| *g += own * value);
            }
            into[last..].iter_mut().zip(&own).for_each(|(g, own)| *g += own);
        }
    }
}

/// Groups rows with equal inputs.
fn alike<'a>(rows: &'a Rows, classes: &[u32]) -> Vec<Alike<'a>> {
    let inputs = |row: usize| &rows.sparse[row];
    let order = |a: &usize, b: &usize| {
        let key = |&(input, value): &(u32, f64)| (input, value.to_bits());
        let (left, right) = (inputs(*a).iter().map(key), inputs(*b).iter().map(key));
        left.cmp(right).then(classes[*a].cmp(&classes[*b]))
    };
    let mut sorted: Vec<usize> = (0..rows.n_rows).collect();
    sorted.sort_unstable_by(order);
    let equal = sorted.chunk_by(|&a, &b| inputs(a) == inputs(b));
    equal
        .map(|same| Alike {
            inputs: inputs(same[0]),
            rows: same
                .chunk_by(|&a, &b| classes[a] == classes[b])
                .map(|same| (classes[same[0]], same.len() as f64))
                .collect(),
            n_rows: same.len() as f64,
        })
        .collect()
}

/// Trains a regression and predicts the classes of the test rows. The result is arbitrary after a
/// cancellation.
pub(super) fn predict(
    training: &Features,
    (classes, n_classes): (&[u32], usize),
    test: &Rows,
    observer: &dyn Observer,
) -> Vec<u32> {
    let n_inputs = training.n_inputs as usize;
    let n_rows = training.rows.n_rows.max(1) as f64;
    let model = Model { alike: alike(&training.rows, classes), n_inputs, n_classes, n_rows };
    let start = vec![0.0; (n_inputs + 1) * n_classes];
    let optimizer =
        LBFGS { max_iter: STEPS, g_atol: TOLERANCE, g_rtol: TOLERANCE, ..LBFGS::default() };
    let search: Backtracking<f64> =
        Backtracking { order: FunctionOrder::THIRD, ..Default::default() };
    // After a cancellation, every gradient is 0 to end the optimizer, and every value is far below
    // the previous one to end a line search.
    let last = Cell::new(0.0);
    let value = |weights: &Vec<f64>| {
        if !observer.is_cancelled() {
            return model.value(weights);
        }
        last.set(last.get() - FALL);
        last.get()
    };
    let n_done = Cell::new(0);
    let gradient = |into: &mut Vec<f64>, weights: &Vec<f64>| match observer.is_cancelled() {
        true => into.fill(0.0),
        false => {
            model.gradient(into, weights);
            n_done.set(n_done.get() + 1);
            observer.progress(Phase::Measure, n_done.get(), 0);
        }
    };
    let weights = optimizer.optimize(&value, &gradient, &start, &search).x;
    let mut own = vec![0.0; n_classes];
    let best = |inputs: &Vec<(u32, f64)>| {
        scores(&weights, n_classes, inputs, &mut own);
        let best = (0..n_classes).max_by(|&a, &b| own[a].total_cmp(&own[b]).then(b.cmp(&a)));
        best.unwrap_or(0) as u32
    };
    test.sparse.iter().map(best).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gradient must equal the numeric derivative of the value, at some point and in each
    /// direction.
    #[test]
    fn gradient_matches_numeric_derivative() {
        let sparse = vec![
            vec![(0, 1.0), (2, 0.5)],
            vec![(1, 1.0), (2, -1.5)],
            vec![(0, 1.0), (2, 0.5)],
            vec![],
        ];
        let rows = Rows { n_rows: 4, middles: Vec::new(), sparse };
        let classes = [0, 1, 2, 1];
        let model = Model { alike: alike(&rows, &classes), n_inputs: 3, n_classes: 3, n_rows: 4.0 };
        assert_eq!(model.alike.len(), 3);
        let at: Vec<f64> = (0..12).map(|i| f64::from(i * 7 % 5) / 3.0 - 0.6).collect();
        let mut gradient = vec![9.0; 12];
        model.gradient(&mut gradient, &at);
        for (direction, slope) in gradient.iter().enumerate() {
            let step = |h: f64| {
                let mut near = at.clone();
                near[direction] += h;
                model.value(&near)
            };
            let expected = (step(1e-5) - step(-1e-5)) / 2e-5;
            assert!((slope - expected).abs() < 1e-8, "{slope} != {expected}");
        }
    }
}
