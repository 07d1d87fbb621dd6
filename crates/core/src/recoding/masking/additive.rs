//! # additive correlated noise
//!
//! **Definition.** Adds noise to the numbers of each row, drawn from the normal distribution with
//! mean 0 and covariances that are a share of the covariances of the columns.
//! **Formula.** With covariances `S` and the share `c_j` of column j, the noise of columns i and j
//! has covariance `sqrt(c_i c_j) S_ij`. Expected means do not change, correlations do not change if
//! the shares are equal, and the variance of column j is multiplied by `1 + c_j`. Results are
//! rounded to the digits of the column.
//! **Missing values.** Missing values do not change. Covariances are computed from the rows without
//! missing values.
//! **Parameter.** The share `c`, above 0.
//! **Source.** Kim, A method for limiting disclosure in microdata based on random noise and
//! transformation, ASA 1986. Deviation: the transformation is omitted; recipients can correct
//! variances by dividing by the published `1 + c`.

use indistinct_labels::decimal;

use super::{MaskedColumn, MaskingProblem};
use crate::model::{Numbers, to_f64};
use crate::recoding::random::Random;
use crate::{MISSING, Rational};

/// The largest absolute noise, in units, for which the addition is exact.
const MOST_UNITS: f64 = 1e30;

/// Adds correlated noise to numbers.
pub(super) fn draw(
    columns: &[MaskedColumn<'_>],
    random: &mut Random,
) -> Result<Vec<Vec<String>>, MaskingProblem> {
    let numbers: Vec<Numbers> =
        columns.iter().map(MaskedColumn::numbers).collect::<Result<_, _>>()?;
    let value = |at: usize, row: usize| {
        let code = columns[at].rows[row];
        (numbers[at].missing() != Some(code)).then(|| numbers[at].scaled(code))
    };
    let (m, n) = (columns.len(), columns.first().map_or(0, |column| column.rows.len()));
    let complete: Vec<Vec<f64>> = (0..n)
        .filter_map(|row| (0..m).map(|at| value(at, row).map(|units| units as f64)).collect())
        .collect();
    let shares = columns.iter().map(|column| to_f64(&column.parameter).sqrt()).collect::<Vec<_>>();
    let mut covariances = covariances(&complete, m);
    for (i, line) in covariances.iter_mut().enumerate() {
        for (j, covariance) in line.iter_mut().enumerate() {
            *covariance *= shares[i] * shares[j];
        }
    }
    let factor = cholesky(&covariances);
    let mut texts = vec![Vec::with_capacity(n); m];
    for row in 0..n {
        let normal: Vec<f64> = (0..m).map(|_| random.normal()).collect();
        for (at, texts) in texts.iter_mut().enumerate() {
            let Some(units) = value(at, row) else {
                texts.push(MISSING.to_owned());
                continue;
            };
            let noise: f64 = factor[at].iter().zip(&normal).map(|(f, x)| f * x).sum();
            let too_large = || MaskingProblem::TooLarge { column: columns[at].name.to_owned() };
            if !noise.is_finite() || noise.abs() > MOST_UNITS {
                return Err(too_large());
            }
            let released = Rational::new(units + noise.round() as i128, numbers[at].scale());
            texts.push(decimal(&released).ok_or_else(too_large)?);
        }
    }
    Ok(texts)
}

/// Returns the covariance matrix of points with `m` coordinates.
fn covariances(points: &[Vec<f64>], m: usize) -> Vec<Vec<f64>> {
    let n = points.len().max(1) as f64;
    let mean = |at: usize| points.iter().map(|point| point[at]).sum::<f64>() / n;
    let means: Vec<f64> = (0..m).map(mean).collect();
    let of = |i: usize, j: usize| {
        points.iter().map(|point| (point[i] - means[i]) * (point[j] - means[j])).sum::<f64>() / n
    };
    (0..m).map(|i| (0..m).map(|j| of(i, j)).collect()).collect()
}

/// Returns the Cholesky factor of a covariance matrix: the lower triangular matrix whose product
/// with its transpose is the covariance matrix. The diagonal entry of a column that is linearly
/// dependent on other columns is 0.
fn cholesky(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let m = matrix.len();
    let mut factor: Vec<Vec<f64>> = Vec::with_capacity(m);
    for (i, line) in matrix.iter().enumerate() {
        let mut own: Vec<f64> = Vec::with_capacity(m);
        for (j, covariance) in line.iter().enumerate().take(i + 1) {
            // The dot product of the known entries of the current row with the entries of row j.
            let sum: f64 = match factor.get(j) {
                Some(other) => own.iter().zip(other).map(|(a, b)| a * b).sum(),
                None => own.iter().map(|a| a * a).sum(),
            };
            let rest = covariance - sum;
            own.push(match factor.get(j).map(|other| other[j]) {
                Some(pivot) if pivot > 0.0 => rest / pivot,
                None if rest > covariance * 1e-12 => rest.sqrt(),
                Some(_) | None => 0.0,
            });
        }
        own.resize(m, 0.0);
        factor.push(own);
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cholesky_factor_reproduces_singular_covariances() {
        let points = [[1.0, 2.0, 0.0], [2.0, 4.0, 1.0], [4.0, 8.0, -3.0], [7.0, 14.0, 0.5]];
        let matrix = covariances(&points.map(|point| point.to_vec()), 3);
        let factor = cholesky(&matrix);
        for (i, line) in matrix.iter().enumerate() {
            for (j, covariance) in line.iter().enumerate() {
                let product: f64 = factor[i].iter().zip(&factor[j]).map(|(a, b)| a * b).sum();
                assert!((product - covariance).abs() < 1e-9, "{i} {j}: {product} {matrix:?}");
            }
        }
    }
}
