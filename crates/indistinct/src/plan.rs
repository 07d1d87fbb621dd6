//! The central agency: from a distribution of quasi-identifiers and sensitive values to a plan that releases of several
//! holders are made by, so that joining them leaves at least l sensitive values for everybody (`docs/releases.md`).
//!
//! [`plan()`] counts earlier data or reads a table of counts or probabilities, computes the whole trade-off between classes and
//! rows, and chooses. A [`PlanFile`] is what is broadcast; `recoding.method = "planned"` makes a release by it.

use std::path::Path;

pub use indistinct_core::Rational;
pub use indistinct_linkage::planned::Basis;
pub use indistinct_methods::planned::PlanProblem;
use indistinct_methods::planned::agency;
pub use indistinct_methods::planned::agency::{
    Choice, ChosenPoint, Cover, Dependence, Domain, Entropy, EqualSizeFigures, Failure, Figures,
    FurtherFigures, FurtherRequest, KAnonymity, Order, Outcome, PlanAnswer, PointFigures, Request,
    RobustnessFigures, TooFewRows, Weight, WeightedTable, WithRows, figures,
};
pub use indistinct_release::plan::{
    PlanColumn, PlanFile, PlanTexts, SharedFailure, parse_fraction,
};

use crate::error::Error;
use crate::job::Job;
use crate::session::Session;

/// What a plan is made of.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one in a run")]
pub enum Source<'a> {
    /// Earlier data, whose columns a policy describes.
    Earlier {
        /// The policy with its table.
        job: &'a Job,
        /// The sensitive attribute; the only sensitive attribute if left out.
        sensitive: Option<String>,
    },
    /// A table of counts or probabilities.
    Weighted(WeightedTable),
}

/// Makes a plan.
///
/// # Errors
/// [`Error`] if the source cannot be read; [`PlanProblem`] if the request makes no sense for its distribution.
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

/// Creates a folder for the files of a plan.
///
/// # Errors
/// [`Error::Release`] if it is there or cannot be created.
pub fn create_folder(path: &Path) -> Result<(), Error> {
    std::fs::create_dir(path).map_err(|error| Error::io(path, &error))
}
