//! The central agency: from a distribution of quasi-identifiers and sensitive values to a plan that releases of several
//! holders are made by, so that joining them leaves at least l sensitive values for everybody (`docs/releases.md`).
//!
//! [`plan()`] counts earlier data or reads a table of counts or probabilities, computes the whole trade-off between classes and
//! rows, and chooses.

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
pub use request::{Choice, Cover, Dependence, Domain, Failure, FurtherRequest, Order, Request};
