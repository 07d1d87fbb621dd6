//! A decision tree by information gain.

use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::tree::decision_tree_classifier::{
    DecisionTreeClassifier, DecisionTreeClassifierParameters, SplitCriterion,
};

use super::features::Rows;

const DEPTH: u16 = 12;
const SMALLEST_LEAF: usize = 5;

fn matrix(rows: &Rows) -> Option<DenseMatrix<f64>> {
    // Column by column.
    let values: Vec<f64> = rows.middles.iter().flatten().copied().collect();
    DenseMatrix::new(rows.n_rows, rows.middles.len(), values, true).ok()
}

/// What a tree predicts that was trained with some rows of at least two classes. Without attributes: what is most frequent.
pub(super) fn predict(training: &Rows, classes: &[u32], test: &Rows) -> Vec<u32> {
    let parameters = DecisionTreeClassifierParameters {
        criterion: SplitCriterion::Entropy,
        max_depth: Some(DEPTH),
        min_samples_leaf: SMALLEST_LEAF,
        min_samples_split: 2 * SMALLEST_LEAF,
        seed: Some(0),
    };
    let fit = || {
        let (known, asked) = (matrix(training)?, matrix(test)?);
        let tree = DecisionTreeClassifier::fit(&known, &classes.to_vec(), parameters).ok()?;
        tree.predict(&asked).ok()
    };
    fit().unwrap_or_else(|| {
        let n_classes = classes.iter().max().map_or(0, |last| *last as usize + 1);
        vec![super::most_frequent(classes, n_classes); test.n_rows]
    })
}
