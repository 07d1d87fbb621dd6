//! # The whole trade-off between classes and sample size
//!
//! **Definition.** For every number R of classes that the greedy generalization can produce, the
//! largest p that produces it.
//! **Formula.** R(p) does not increase with p, and changes only if p is the weight of a sensitive
//! value in some class. Starting from the largest p, bisection between a p that gives more classes
//! and a p that does not finds the next p. Each pass narrows the bounds to the values of p at which
//! its own classes would change.
//! **Parameters.** `detail`: every R, or every R up to a given number and steps beyond it.
//! **Level.** Points (R, p) with their sample sizes.
//! **Complexity.** About ten greedy passes for each R; a pass with few classes reads only stored
//! sums.
//! **Errors.** `LAboveSensitiveValues`, `TooManyRows`.
//! **Source.** Step 3 of Algorithm 1 and Remark 2 of the linkage paper ("it suffices to vary p over
//! finitely many values"). Deviations: none; points beyond `every_up_to` may not have the largest
//! p, and are marked accordingly.

use indistinct_core::Rational;
use indistinct_linkage::LinkageError;
use indistinct_linkage::planned::{Joint, Marginal, Target, rows_by_union_bound, sample_size_of};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use super::greedy::{Cut, Cutter};

/// The number of points of the trade-off to compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Every attainable number of classes.
    Every,
    /// Every attainable number of classes up to `every_up_to`, then about `per_doubling` points per
    /// doubling, up to the largest attainable number.
    Steps {
        /// Up to this number of classes, every attainable number of classes is listed.
        every_up_to: u64,
        /// Number of points per doubling beyond `every_up_to`.
        per_doubling: u32,
    },
}

impl Default for Detail {
    fn default() -> Self {
        Detail::Steps { every_up_to: 256, per_doubling: 4 }
    }
}

/// Whether the value p of a point is the largest for its number of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Largest {
    /// No larger p yields at least as many classes.
    Proved,
    /// The classes of the point meet no larger p, but a different set of as many classes might.
    ForItsClasses,
}

/// One option that the central agency can choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Number of classes, R.
    pub n_classes: u64,
    /// The threshold p.
    pub p: BigRational,
    /// Whether p is the largest value for R.
    pub largest: Largest,
    /// The value m of Lemma 4.3.
    pub m: BigRational,
    /// The sample size N of the paper, computed from m.
    pub n_rows: u64,
    /// The sample size N, computed from the actual number of classes instead of m.
    pub n_rows_actual_classes: u64,
}

/// Computes the points of the trade-off, from one class to the largest possible number of classes.
///
/// # Errors
/// [`LinkageError::LAboveSensitiveValues`]; [`LinkageError::TooManyRows`].
pub fn trade_off(
    joint: &Joint,
    target: &Target,
    detail: Detail,
) -> Result<Vec<Point>, LinkageError> {
    Choices::new(joint, target)?.trade_off(detail)
}

/// The bound from which a number of rows is computed when a choice depends on it. The values of
/// both bounds fall as p rises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowBound {
    /// The value m of the paper.
    Text,
    /// The actual number of classes.
    ActualClasses,
}

impl Point {
    /// Returns N according to a bound.
    pub fn n_rows_by(&self, bound: RowBound) -> u64 {
        match bound {
            RowBound::Text => self.n_rows,
            RowBound::ActualClasses => self.n_rows_actual_classes,
        }
    }
}

/// Number of consecutive class counts that one job computes.
const EXACT_IN_A_JOB: u64 = 16;

/// Number of steps computed at once; some of them may turn out to be unnecessary.
const STEPS_AT_ONCE: usize = 8;

/// A function that returns the result of the job with the given number.
pub type Job<'a> = dyn Fn(usize) -> Vec<Cut> + Sync + 'a;

/// Runs jobs and returns their results in order.
pub type Run<'a> = dyn Fn(usize, &Job<'_>) -> Vec<Vec<Cut>> + 'a;

/// All choices for one distribution. The sums are stored once and shared by all queries.
pub struct Choices<'a> {
    joint: &'a Joint,
    target: &'a Target,
    sensitive: Marginal,
    largest: u64,
    cutter: Cutter<'a>,
}

impl<'a> Choices<'a> {
    /// Prepares the choices for a distribution and a target.
    ///
    /// # Errors
    /// [`LinkageError::LAboveSensitiveValues`].
    pub fn new(joint: &'a Joint, target: &'a Target) -> Result<Self, LinkageError> {
        let values = joint.marginal();
        let largest = values.weight_l(target.l())?;
        Ok(Self {
            joint,
            target,
            sensitive: values,
            largest,
            cutter: Cutter::new(joint, target.l()),
        })
    }

    fn point(&self, cut: Cut, largest: Largest) -> Result<Point, LinkageError> {
        let Cut { n_classes, met } = cut;
        let (joint, target) = (self.joint, self.target);
        let p = joint.share(met);
        let size = sample_size_of(joint.n_combinations(), &self.sensitive, target, &p)?;
        let cells = BigRational::from_integer(BigInt::from(n_classes) * BigInt::from(target.l()));
        let n_rows_actual_classes = rows_by_union_bound(&cells, target, &p)?;
        Ok(Point { n_classes, p, largest, m: size.m, n_rows: size.n_rows, n_rows_actual_classes })
    }

    /// Computes the points of the trade-off, from one class to the largest possible number of
    /// classes.
    ///
    /// # Errors
    /// [`LinkageError::TooManyRows`].
    pub fn trade_off(&self, detail: Detail) -> Result<Vec<Point>, LinkageError> {
        self.trade_off_by(detail, &|n, job| (0..n).map(job).collect())
    }

    /// Like [`Self::trade_off`], with jobs executed by `run`: it receives the number of jobs and
    /// the job function, and returns the results in the order of the jobs, in whatever order the
    /// jobs finished.
    ///
    /// # Errors
    /// [`LinkageError::TooManyRows`].
    pub fn trade_off_by(&self, detail: Detail, run: &Run<'_>) -> Result<Vec<Point>, LinkageError> {
        let most = self.most_classes();
        let exact_up_to = match detail {
            Detail::Every => most,
            Detail::Steps { every_up_to, .. } => every_up_to.clamp(1, most),
        };
        // Compute every number of classes up to `exact_up_to`, several in each job.
        let n_jobs = usize::try_from(exact_up_to.div_ceil(EXACT_IN_A_JOB)).unwrap_or(usize::MAX);
        let found = run(n_jobs, &|job| {
            let from = job as u64 * EXACT_IN_A_JOB + 1;
            self.every(from, (from + EXACT_IN_A_JOB).min(exact_up_to))
        });
        let mut cuts: Vec<Cut> = found.into_iter().flatten().collect();
        cuts.dedup_by_key(|cut| cut.n_classes);
        // A lower confidence bound can be 0.
        cuts.retain(|cut| !self.joint.share(cut.met).is_zero());
        let n_exact = cuts.len();
        if let Detail::Steps { per_doubling, .. } = detail {
            self.steps(per_doubling.max(1), most, &mut cuts, run);
        }
        cuts.retain(|cut| !self.joint.share(cut.met).is_zero());
        let proved =
            |at: usize| if at < n_exact { Largest::Proved } else { Largest::ForItsClasses };
        cuts.into_iter().enumerate().map(|(at, cut)| self.point(cut, proved(at))).collect()
    }

    /// Returns, for each attainable number of classes from `from` on, the cut with the largest p,
    /// up to the first cut with at least `to` classes.
    fn every(&self, from: u64, to: u64) -> Vec<Cut> {
        let met = match from {
            0 | 1 => self.largest,
            _ => self.largest_threshold(from),
        };
        let (mut at, mut same_above) = self.cutter.cut_with_bound(met);
        let mut cuts = vec![at];
        while at.n_classes < to {
            (at, same_above) = next_exactly(&self.cutter, at, same_above);
            cuts.push(at);
        }
        cuts
    }

    /// Adds cuts with falling thresholds, from the last existing cut to the first cut with the
    /// largest number of classes.
    fn steps(&self, per_doubling: u32, most: u64, cuts: &mut Vec<Cut>, run: &Run<'_>) {
        let Some(&first) = cuts.last() else { return };
        let ratio = 2f64.powf(-1.0 / f64::from(per_doubling));
        let mut threshold = first.met;
        let mut next = || {
            threshold = ((threshold as f64 * ratio) as u64).clamp(1, (threshold - 1).max(1));
            threshold
        };
        let mut at = first;
        while at.n_classes < most {
            let thresholds: Vec<u64> = (0..STEPS_AT_ONCE).map(|_| next()).collect();
            let found = run(thresholds.len(), &|job| vec![self.cutter.cut(thresholds[job])]);
            for cut in found.into_iter().flatten() {
                if cut.n_classes > at.n_classes {
                    cuts.push(cut);
                    at = cut;
                }
            }
        }
    }

    /// Returns the largest threshold that gives at least `n_classes` classes; `n_classes` must be
    /// attainable.
    fn largest_threshold(&self, n_classes: u64) -> u64 {
        let mut low = 1;
        let mut high = self.largest;
        // Start with the threshold at which `n_classes` classes of equal weight would fit.
        let mut middle = (self.joint.total() / n_classes.max(1)).clamp(1, high);
        while low < high {
            let found = self.cutter.cut(middle);
            if found.n_classes >= n_classes {
                low = found.met.max(middle);
            } else {
                high = middle - 1;
            }
            middle = low + (high - low.min(high)).div_ceil(2);
        }
        low
    }

    /// Returns the largest number of classes that is attainable with any p.
    pub fn most_classes(&self) -> u64 {
        self.cutter.cut(1).n_classes
    }

    /// Returns the largest p that yields at least `n_classes` classes, or `None` if no p does so.
    ///
    /// # Errors
    /// [`LinkageError::TooManyRows`].
    pub fn with_classes(&self, n_classes: u64) -> Result<Option<Point>, LinkageError> {
        if self.most_classes() < n_classes {
            return Ok(None);
        }
        let found = self.cutter.cut(self.largest_threshold(n_classes));
        match self.point(found, Largest::Proved) {
            Err(LinkageError::POutOfRange { .. }) => Ok(None),
            point => point.map(Some),
        }
    }

    /// Returns the values below `p` at which the classes change, in falling order, at most `most`
    /// of them.
    pub fn below(&self, p: &Rational, most: usize) -> Vec<BigRational> {
        let mut threshold = self.joint.weight_of(p).min(self.largest);
        let mut below = Vec::new();
        while below.len() < most {
            threshold = self.cutter.cut_with_bound(threshold).1;
            if threshold == 0 {
                break;
            }
            let met = self.cutter.cut(threshold).met;
            below.push(self.joint.share(met));
        }
        below
    }

    /// Returns the choice with the most classes whose N is at most `n_rows`, and among choices with
    /// equally many classes the one with the fewest rows; `None` if even a single class needs more
    /// rows.
    ///
    /// # Errors
    /// [`LinkageError::TooManyRows`].
    pub fn within_rows(&self, bound: RowBound, n_rows: u64) -> Result<Option<Point>, LinkageError> {
        let of = |threshold: u64| {
            let point = self.point(self.cutter.cut(threshold), Largest::ForItsClasses);
            match point {
                // A number of rows that overflows exceeds `n_rows`.
                Err(LinkageError::TooManyRows { .. } | LinkageError::POutOfRange { .. }) => {
                    Ok(None)
                }
                point => point.map(|point| Some(point).filter(|it| it.n_rows_by(bound) <= n_rows)),
            }
        };
        let Some(mut found) = of(self.largest)? else { return Ok(None) };
        // Invariant: the number of rows is within the limit at `high` and exceeds it at `low`.
        let (mut low, mut high) = (0, self.largest);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            match of(middle)? {
                Some(point) => (found, high) = (point, middle),
                None => low = middle,
            }
        }
        // The smallest p is not the best one: the same number of classes may meet a larger p, which
        // requires fewer rows.
        self.with_classes(found.n_classes)
    }
}

/// Estimates a threshold below `at.met` that results in about `wanted` classes.
fn guess(at: Cut, wanted: u64) -> u64 {
    let scaled = u128::from(at.met) * u128::from(at.n_classes) / u128::from(wanted);
    (scaled as u64).clamp(1, (at.met - 1).max(1))
}

/// Returns the cut with the largest threshold that gives more classes than `at`, and the threshold
/// above which other thresholds give the same cut. At least one such cut must exist. Thresholds
/// above `same_above` give no more classes than `at`.
fn next_exactly(cutter: &Cutter<'_>, at: Cut, same_above: u64) -> (Cut, u64) {
    let mut high = same_above;
    let mut low: Option<(Cut, u64)> = None;
    let mut try_at = guess(at, at.n_classes + 1).min(high);
    let mut step = (at.met / at.n_classes.max(1) / 16).max(1);
    loop {
        let (found, same_above) = cutter.cut_with_bound(try_at);
        if found.n_classes > at.n_classes {
            low = Some((found, same_above));
        } else {
            high = same_above;
        }
        match low {
            Some((cut, same_above)) if cut.met >= high => return (cut, same_above),
            Some((cut, _)) => try_at = cut.met + (high - cut.met).div_ceil(2),
            None => {
                try_at = high.saturating_sub(step).max(1);
                step = step.saturating_mul(2);
            }
        }
    }
}
