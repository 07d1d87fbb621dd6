//! # classification accuracy
//!
//! **Definition.** How often a model that was trained on the release predicts an attribute of rows that were kept apart, against
//! the same model trained on the original, and against always saying what is most frequent.
//! **Formula.** Correct predictions / rows kept apart. The rows are a random sample; a third of it is kept apart, in the
//! release as in the original. What is to be predicted is the original's value; what it is predicted from is, for the model trained on the
//! release, what the release made of the row. A suppressed row has the values that the release makes of its own everywhere, where there is
//! one, otherwise those that cover all.
//! **Parameters.** [`Options`]: `target`, an attribute (default: the first sensitive one), `most_rows`, `seed`.
//! **Level.** Accuracy in [0, 1]; higher is better. Below the most frequent value's share a model is of no use.
//! **Monotone.** No.
//! **Complexity.** O(rows * attributes * depth of the tree) and O(rows * attributes * classes) for each step of the regression.
//! **Errors.** `NoSuchAttribute`, `Cancelled`. Nothing is measured where it is not known which row became which.
//! **Source.** (tau, l) text, Figure 7 (ID3 in the text); Le Cessie and van Houwelingen, Applied Statistics 1992. Deviations: the
//! tree splits in two, and stops where leaves get small; a released value is the middle of what it covers; a generalized target
//! counts as one of the values that it covers, drawn at random; numbers with many values are predicted as quarters.

mod features;
mod logistic;
mod sample;
mod target;
mod tree;

use indistinct_core::Observer;
use indistinct_core::published::ReleaseWithOriginal;
use serde::Serialize;

use crate::Error;
use crate::axes::Axes;
use features::Features;
use sample::Sample;
use target::Target;

pub use target::TargetClasses;

/// What is to be predicted, and from how many rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The attribute to predict; the first sensitive one, or the last quasi-identifier where there is none, if not said.
    pub target: Option<String>,
    /// The most rows to train and to test with, together.
    pub most_rows: usize,
    /// Where the random choices come from.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { target: None, most_rows: 20_000, seed: 0 }
    }
}

/// How well an attribute is predicted.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Accuracy {
    /// The attribute.
    pub target: String,
    /// What was told apart: its values, or ranges of them.
    pub target_classes: TargetClasses,
    /// How many there are.
    pub n_target_classes: usize,
    /// Rows that the model of the original was trained with.
    pub n_trained: usize,
    /// Of these, rows that are in the release: what the release's model was trained with.
    pub n_trained_released: usize,
    /// Rows kept apart.
    pub n_tested: usize,
    /// Of these, rows that the release suppresses.
    pub n_tested_suppressed: usize,
    /// The share of the rows kept apart with the most frequent value of the training rows.
    pub majority: f64,
    /// A decision tree that splits by information gain.
    pub decision_tree: Comparison,
    /// A logistic regression.
    pub logistic_regression: Comparison,
}

/// The accuracy of a model, trained on the release and on the original.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Comparison {
    /// Trained on the original.
    pub original: f64,
    /// Trained on the release.
    pub released: f64,
    /// The second over the first; `None` where the first is 0.
    pub ratio: Option<f64>,
}

/// Measures how well a release serves to predict an attribute; `None` where it is not known which row became which, or there are
/// fewer than three rows.
///
/// # Errors
/// [`Error::NoSuchAttribute`] if there is no such attribute; [`Error::Cancelled`] if the observer cancels.
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

/// What [`accuracy`] has of the decision tree, without the regression, which takes most of its time.
///
/// # Errors
/// As [`accuracy`].
pub fn accuracy_of_tree(
    pair: &ReleaseWithOriginal,
    axes: &Axes,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Option<Comparison>, Error> {
    let case = Case::new(pair, axes, options)?;
    case.map(|case| case.compare(tree::predict, observer)).transpose()
}

/// What a model that was trained with some rows and their classes, of so many, predicts of others: anything after a cancel.
type Model = fn(&Features, (&[u32], usize), &features::Rows, &dyn Observer) -> Vec<u32>;

/// What is predicted, and by which rows.
struct Case<'a> {
    pair: &'a ReleaseWithOriginal,
    axes: &'a Axes,
    /// The position of what is to be predicted among the axes.
    at: usize,
    sample: Sample,
    target: Target,
    /// The classes of the rows to learn from, in the original.
    trained: Vec<u32>,
    /// The rows to learn from that are in the release, and their classes there.
    in_release: Vec<sample::Row>,
    observed: Vec<u32>,
    /// The classes of the rows kept apart.
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

    /// The accuracy of a model.
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

    /// The share of the rows kept apart of which a model says the truth that was trained with these classes: any after a cancel.
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
