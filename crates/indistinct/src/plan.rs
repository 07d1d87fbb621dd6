//! The central agency, which computes a plan from a distribution of quasi-identifiers and sensitive
//! values. If several data holders create their releases with this plan, at least l sensitive
//! values remain possible for every person after the releases are joined (`docs/releases.md`).
//!
//! [`plan()`] counts earlier data, or reads a table of counts or probabilities. It then computes
//! the complete trade-off between classes and rows, and chooses a point. A [`PlanFile`] is
//! distributed to the data holders; `recoding.method = "planned"` creates a release from it.

use std::path::{Path, PathBuf};

pub use indistinct_core::Rational;
use indistinct_linkage::LinkageError;
pub use indistinct_linkage::WorstCase;
pub use indistinct_linkage::planned::{Basis, MAX_K};
pub use indistinct_methods::planned::PlanProblem;
use indistinct_methods::planned::agency;
pub use indistinct_methods::planned::agency::{
    Choice, ChosenPoint, Cover, Dependence, Domain, Entropy, EqualSizeFigures, Failure,
    FurtherFigures, FurtherRequest, KAnonymity, Linked, Order, Outcome, PlanAnswer, PointFigures,
    Request, RobustnessFigures, TooFewRows, Weight, WeightedTable, WithRows,
};
pub use indistinct_release::forms::JointPromise;
use indistinct_release::forms::composed;
pub use indistinct_release::plan::{
    PlanColumn, PlanFile, PlanTexts, SharedFailure, parse_fraction,
};

use indistinct_text::plan::{Point, trade_off};

use crate::error::Error;
use crate::job::Job;
use crate::session::Session;

/// The maximum number of points in the chart.
const MAX_DRAWN: usize = 12;

/// Returns the output files of a trade-off: a CSV file with all points, and an SVG chart of some of
/// the points.
pub fn figures(planned: &PlanAnswer) -> [(&'static str, String); 2] {
    let points: Vec<Point> = planned
        .sample(MAX_DRAWN - 1)
        .into_iter()
        .map(|at| &planned.trade_off[at])
        .map(|point| Point {
            n_classes: point.n_classes,
            n_rows_text: point.n_rows_text,
            n_rows_actual_classes: point.n_rows_actual_classes,
        })
        .collect();
    let (plot, description) = trade_off(planned.l, planned.delta, &points);
    let picture = indistinct_render::line_plot(&plot, &description);
    [("trade-off.csv", planned.trade_off_csv()), ("trade-off.svg", picture)]
}

/// The distribution from which a plan is computed.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "each run has exactly one source")]
pub enum Source<'a> {
    /// Earlier data, whose columns a policy describes.
    Earlier {
        /// The policy with its table.
        job: &'a Job,
        /// The sensitive attribute; by default, the only sensitive attribute of the policy.
        sensitive: Option<String>,
    },
    /// A table of counts or probabilities.
    Weighted(WeightedTable),
}

/// Computes a plan.
///
/// # Errors
/// [`Error`] if the source cannot be read; [`PlanProblem`] if the request is invalid for its
/// distribution.
pub fn plan(session: &Session, source: &Source<'_>, request: &Request) -> Result<Outcome, Error> {
    session.run(|observer| {
        let engine = session.engine();
        let source = match source {
            Source::Earlier { job, sensitive } => {
                agency::Source::Earlier { bound: job.bound(), sensitive: sensitive.as_deref() }
            }
            Source::Weighted(table) => agency::Source::Weighted { table, engine: &*engine },
        };
        Ok(agency::plan(&source, request, observer)?)
    })
}

/// Computes the joint guarantee of future releases, one for each plan file.
///
/// # Errors
/// [`Error::Release`] if a file is not a plan; [`Error::Plan`] for fewer than two plans.
pub fn compose(paths: &[PathBuf]) -> Result<JointPromise, Error> {
    let read = |path: &PathBuf| PlanFile::read(path);
    let plans: Vec<PlanFile> = paths.iter().map(read).collect::<Result<_, _>>()?;
    let found = composed(&plans.iter().collect::<Vec<_>>()).filter(|_| plans.len() > 1);
    let too_few = LinkageError::TooFewReleases { got: plans.len() };
    found.ok_or_else(|| PlanProblem::from(too_few).into())
}

/// Computes how many sensitive values remain in the worst case for a person in several releases
/// with these levels of distinct l-diversity, if the releases follow no common plan.
///
/// # Errors
/// [`Error::Plan`] if a level is 0 or exceeds the number of sensitive values.
pub fn worst_case(n_sensitive_values: u64, l_each: Vec<u64>) -> Result<WorstCase, Error> {
    WorstCase::new(n_sensitive_values, l_each).map_err(|error| PlanProblem::from(error).into())
}

/// Creates a folder for the files of a plan.
///
/// # Errors
/// [`Error::Release`] if the folder already exists or cannot be created.
pub fn create_folder(path: &Path) -> Result<(), Error> {
    std::fs::create_dir(path).map_err(|error| Error::io(path, &error))
}
