//! Decision trees that split by information gain, based on `smartcore`.

use std::fmt;
use std::ops::Range;

use indistinct_core::{Observer, Silent};
use smartcore::linalg::basic::arrays::{
    Array, Array2, ArrayView1, ArrayView2, MutArray, MutArrayView2,
};
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::tree::decision_tree_classifier::{
    DecisionTreeClassifier, DecisionTreeClassifierParameters, SplitCriterion,
};

use super::features::{Features, Rows};

const DEPTH: u16 = 12;
const SMALLEST_LEAF: usize = 5;

/// Trains a tree with rows of at least two classes, and predicts the classes of the test rows.
/// Without attributes, the most frequent class is predicted. The result is arbitrary after a
/// cancellation.
pub(super) fn predict(
    training: &Features,
    (classes, n_classes): (&[u32], usize),
    test: &Rows,
    observer: &dyn Observer,
) -> Vec<u32> {
    let parameters = DecisionTreeClassifierParameters {
        criterion: SplitCriterion::Entropy,
        max_depth: Some(DEPTH),
        min_samples_leaf: SMALLEST_LEAF,
        min_samples_split: 2 * SMALLEST_LEAF,
        seed: Some(0),
    };
    let fit = || {
        let (known, requested) =
            (Matrix::new(&training.rows, observer)?, Matrix::new(test, observer)?);
        let tree = DecisionTreeClassifier::fit(&known, &classes.to_vec(), parameters).ok()?;
        tree.predict(&requested).ok()
    };
    fit().unwrap_or_else(|| vec![super::most_frequent(classes, n_classes); test.n_rows])
}

/// A matrix that reports no rows after a cancellation. The tree reads this number before it
/// examines a node, so it stops splitting.
#[derive(Clone)]
struct Matrix<'a> {
    rows: DenseMatrix<f64>,
    observer: &'a dyn Observer,
}

impl<'a> Matrix<'a> {
    fn new(rows: &Rows, observer: &'a dyn Observer) -> Option<Self> {
        // The values are stored by column.
        let values: Vec<f64> = rows.middles.iter().flatten().copied().collect();
        let rows = DenseMatrix::new(rows.n_rows, rows.middles.len(), values, true).ok()?;
        Some(Self { rows, observer })
    }
}

impl fmt::Debug for Matrix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matrix").field("shape", &self.rows.shape()).finish()
    }
}

impl Array<f64, (usize, usize)> for Matrix<'_> {
    fn get(&self, at: (usize, usize)) -> &f64 {
        self.rows.get(at)
    }

    fn shape(&self) -> (usize, usize) {
        let (n_rows, n_columns) = self.rows.shape();
        (if self.observer.is_cancelled() { 0 } else { n_rows }, n_columns)
    }

    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn iterator<'b>(&'b self, axis: u8) -> Box<dyn Iterator<Item = &'b f64> + 'b> {
        self.rows.iterator(axis)
    }
}

impl MutArray<f64, (usize, usize)> for Matrix<'_> {
    fn set(&mut self, at: (usize, usize), value: f64) {
        self.rows.set(at, value);
    }

    fn iterator_mut<'b>(&'b mut self, axis: u8) -> Box<dyn Iterator<Item = &'b mut f64> + 'b> {
        self.rows.iterator_mut(axis)
    }
}

impl ArrayView2<f64> for Matrix<'_> {}
impl MutArrayView2<f64> for Matrix<'_> {}

impl Array2<f64> for Matrix<'_> {
    fn fill(n_rows: usize, n_columns: usize, value: f64) -> Self {
        Self { rows: DenseMatrix::fill(n_rows, n_columns, value), observer: &Silent }
    }

    fn slice<'b>(
        &'b self,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> Box<dyn ArrayView2<f64> + 'b> {
        Array2::slice(&self.rows, rows, columns)
    }

    fn slice_mut<'b>(
        &'b mut self,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> Box<dyn MutArrayView2<f64> + 'b> {
        Array2::slice_mut(&mut self.rows, rows, columns)
    }

    fn from_iterator<I: Iterator<Item = f64>>(
        values: I,
        n_rows: usize,
        n_columns: usize,
        axis: u8,
    ) -> Self {
        let rows = Array2::from_iterator(values, n_rows, n_columns, axis);
        Self { rows, observer: &Silent }
    }

    fn get_row<'b>(&'b self, row: usize) -> Box<dyn ArrayView1<f64> + 'b> {
        Array2::get_row(&self.rows, row)
    }

    fn get_col<'b>(&'b self, column: usize) -> Box<dyn ArrayView1<f64> + 'b> {
        Array2::get_col(&self.rows, column)
    }
}
