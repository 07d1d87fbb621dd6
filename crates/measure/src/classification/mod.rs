//! # classification accuracy
//!
//! **Definition.** How often a model that is trained on the release correctly predicts an attribute
//! of test rows, compared with the same model trained on the original and with a constant
//! prediction of the most frequent value.
//! **Formula.** Correct predictions / test rows. The rows are a random sample. One third of the
//! sample is used for testing, with the same rows for the release and the original. The target is
//! always the original value. The model that is trained on the release predicts it from the
//! released values of the row. A value of a suppressed row is replaced by its released value if all
//! released rows with this value share the same released value, and otherwise by a value that
//! covers the whole domain.
//! **Parameters.** [`Options`]: `target`, an attribute (default: the first sensitive attribute),
//! `most_rows`, `seed`.
//! **Level.** Accuracy in [0, 1]; higher is better. A model with an accuracy below the fraction of
//! the most frequent value is useless.
//! **Monotone.** No.
//! **Complexity.** O(rows * attributes * depth of the tree) and O(rows * attributes * classes) for
//! each step of the regression.
//! **Errors.** `NoSuchAttribute`, `Cancelled`. Nothing is measured if the correspondence between
//! original and released rows is unknown.
//! **Source.** (tau, l) paper, Figure 7 (ID3 in the paper); Le Cessie and van Houwelingen, Applied
//! Statistics 1992. Deviations: the tree uses binary splits, and stops at small leaves. A released
//! value is represented by the middle of the covered values. A generalized target counts as one of
//! the covered values, drawn at random. Numbers with many values are predicted as quarters.

mod features;
mod logistic;
mod sample;
mod target;
mod tree;

use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::{Observer, Phase};
use serde::Serialize;

use crate::Error;
use crate::axes::Axes;
use features::Features;
use sample::Sample;
use target::Target;

pub use target::TargetClasses;

/// The target of the prediction, and the number of sampled rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The attribute to predict. The default is the first sensitive attribute, or the last
    /// quasi-identifier if there is no sensitive attribute.
    pub target: Option<String>,
    /// The maximum total number of training and test rows.
    pub most_rows: usize,
    /// The seed of the random choices.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { target: None, most_rows: 20_000, seed: 0 }
    }
}

/// The accuracy of predictions of an attribute.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Accuracy {
    /// The predicted attribute.
    pub target: String,
    /// The kind of the predicted classes, which are values or ranges of values.
    pub target_classes: TargetClasses,
    /// The number of classes.
    pub n_target_classes: usize,
    /// The number of rows on which the model for the original was trained.
    pub n_trained: usize,
    /// The number of training rows that are in the release, on which the release's model was
    /// trained.
    pub n_trained_released: usize,
    /// The number of test rows.
    pub n_tested: usize,
    /// The number of test rows that the release suppresses.
    pub n_tested_suppressed: usize,
    /// The fraction of test rows that have the most frequent value of the training rows.
    pub majority: f64,
    /// The accuracy of a decision tree that splits by information gain.
    pub decision_tree: Comparison,
    /// The accuracy of a logistic regression.
    pub logistic_regression: Comparison,
}

/// The accuracy of a model that was trained on the release and on the original.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Comparison {
    /// The accuracy of the model that was trained on the original.
    pub original: f64,
    /// The accuracy of the model that was trained on the release.
    pub released: f64,
    /// The accuracy on the release divided by the accuracy on the original. `None` if the latter
    /// is 0.
    pub ratio: Option<f64>,
}

/// Measures the accuracy with which an attribute can be predicted from a release. Returns `None` if
/// the correspondence between original and released rows is unknown, or if there are fewer than
/// three rows.
///
/// # Errors
/// Returns [`Error::NoSuchAttribute`] if the attribute does not exist, and [`Error::Cancelled`] if
/// the observer cancels the operation.
pub fn accuracy(
    pair: &ReleaseWithOriginal,
    axes: &Axes,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Option<Accuracy>, Error> {
    let Some(case) = Case::new(pair, axes, options)? else { return Ok(None) };
    let (decision_tree, logistic_regression) = rayon::join(
        || case.compare(tree::predict, observer),
        || case.compare(logistic::predict, observer),
    );
    let Case { at, sample, target, trained, in_release, tested, .. } = &case;
    let majority = most_frequent(trained, target.n_classes);
    Ok(Some(Accuracy {
        target: axes.axes[*at].name.clone(),
        target_classes: target.classes,
        n_target_classes: target.n_classes,
        n_trained: trained.len(),
        n_trained_released: in_release.len(),
        n_tested: tested.len(),
        n_tested_suppressed: sample.test.iter().filter(|row| row.released.is_none()).count(),
        majority: share_of_equal(&vec![majority; tested.len()], tested),
        decision_tree: decision_tree?,
        logistic_regression: logistic_regression?,
    }))
}

/// Returns only the decision tree's part of [`accuracy`], because the regression takes most of the
/// time.
///
/// # Errors
/// Returns the same errors as [`accuracy`].
pub fn accuracy_of_tree(
    pair: &ReleaseWithOriginal,
    axes: &Axes,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Option<Comparison>, Error> {
    let case = Case::new(pair, axes, options)?;
    case.map(|case| case.compare(tree::predict, observer)).transpose()
}

/// A function that trains a model with rows, their classes, and the number of classes, and predicts
/// the classes of other rows. The result is arbitrary after a cancellation.
type Model = fn(&Features, (&[u32], usize), &features::Rows, &dyn Observer) -> Vec<u32>;

/// The target and the rows of a prediction.
struct Case<'a> {
    pair: &'a ReleaseWithOriginal,
    axes: &'a Axes,
    /// The index of the axis of the target.
    at: usize,
    sample: Sample,
    target: Target,
    /// The classes of the training rows in the original.
    trained: Vec<u32>,
    /// The training rows that occur in the release. Their released classes are in `observed`.
    in_release: Vec<sample::Row>,
    observed: Vec<u32>,
    /// The classes of the test rows.
    tested: Vec<u32>,
}

impl<'a> Case<'a> {
    fn new(
        pair: &'a ReleaseWithOriginal,
        axes: &'a Axes,
        options: &Options,
    ) -> Result<Option<Self>, Error> {
        let at = match &options.target {
            Some(name) => {
                axes.position(name).ok_or_else(|| Error::NoSuchAttribute { name: name.clone() })?
            }
            None => axes.n_quasi_identifiers.min(axes.axes.len().saturating_sub(1)),
        };
        let Some(sample) = Sample::draw(pair, options).filter(Sample::is_enough) else {
            return Ok(None);
        };
        if axes.axes.is_empty() {
            return Ok(None);
        }
        let target = Target::new(pair, axes, at);
        let truth = |rows: &[sample::Row]| -> Vec<u32> {
            rows.iter().map(|row| target.of_original(pair, row.original)).collect()
        };
        let (trained, tested) = (truth(&sample.training), truth(&sample.test));
        let in_release: Vec<sample::Row> =
            sample.training.iter().copied().filter(|row| row.released.is_some()).collect();
        let observed = target.of_released(pair, axes, &in_release, options.seed);
        Ok(Some(Self { pair, axes, at, sample, target, trained, in_release, observed, tested }))
    }

    /// Computes the accuracy of a model.
    fn compare(&self, model: Model, observer: &dyn Observer) -> Result<Comparison, Error> {
        let Self { pair, axes, at, sample, .. } = self;
        let (original, released) = rayon::join(
            || {
                let features = Features::of_original(pair, axes, *at, &sample.training);
                let test = features.rows_of_original(pair, &sample.test);
                self.share_right(model, &features, &self.trained, &test, observer)
            },
            || {
                let features = Features::of_release(pair, axes, *at, &self.in_release);
                let test = features.rows_of_release(pair, &sample.test);
                self.share_right(model, &features, &self.observed, &test, observer)
            },
        );
        if observer.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let ratio = (original > 0.0).then(|| released / original);
        Ok(Comparison { original, released, ratio })
    }

    /// Returns the fraction of correct predictions for the test rows, by a model that was trained
    /// with these classes. The result is arbitrary after a cancellation.
    fn share_right(
        &self,
        model: Model,
        features: &Features,
        classes: &[u32],
        test: &features::Rows,
        observer: &dyn Observer,
    ) -> f64 {
        let first = classes.first().copied().unwrap_or(0);
        let predicted = match classes.iter().all(|class| *class == first) {
            true => vec![first; test.n_rows],
            false => model(features, (classes, self.target.n_classes), test, observer),
        };
        observer.progress(Phase::Measure, 1, 1);
        share_of_equal(&predicted, &self.tested)
    }
}

fn most_frequent(classes: &[u32], n_classes: usize) -> u32 {
    let mut rows = vec![0u64; n_classes];
    for &class in classes {
        rows[class as usize] += 1;
    }
    let best = (0..n_classes).max_by_key(|&class| (rows[class], std::cmp::Reverse(class)));
    best.unwrap_or(0) as u32
}

fn share_of_equal(predicted: &[u32], truth: &[u32]) -> f64 {
    let equal = predicted.iter().zip(truth).filter(|(a, b)| a == b).count();
    equal as f64 / truth.len().max(1) as f64
}
