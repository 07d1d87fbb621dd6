//! The central agency, which computes a plan from a distribution of quasi-identifiers and sensitive
//! values. Several data holders can release tables with this plan. At least l sensitive values
//! remain for every person after the releases are joined (`docs/releases.md`).
//!
//! [`plan()`] counts earlier data or reads a table of counts or probabilities, computes the whole
//! trade-off between classes and rows, and chooses a point.

mod answer;
mod choose;
mod distribution;
mod figures;
mod further;
mod request;

pub use answer::{
    ChosenPoint, EqualSizeFigures, Outcome, PlanAnswer, PointFigures, RobustnessFigures, TooFewRows,
};
pub use choose::plan;
pub(crate) use distribution::digest_of;
pub use distribution::{Source, Weight, WeightedTable};
pub use further::{Entropy, FurtherFigures, KAnonymity, WithRows};
pub use indistinct_linkage::planned::Linked;
pub use request::{Choice, Cover, Dependence, Domain, Failure, FurtherRequest, Order, Request};
