//! The options of `attack`: limits, regulatory thresholds, and required minima.

use std::path::Path;

use indistinct_attack::background::Limits;
use indistinct_attack::threshold::Threshold;
use indistinct_attack::{Minimum, proximity};
use indistinct_core::Rational;
use indistinct_engine::TableRef;

/// The options of `attack`.
#[derive(Debug, Clone)]
pub struct AttackRequest<'a> {
    /// The original of the release.
    pub original: Option<TableRef<'a>>,
    /// A table of people with original quasi-identifiers.
    pub register: Option<TableRef<'a>>,
    /// The prior beliefs of an adversary.
    pub prior: Option<Prior<'a>>,
    /// The policy of the release; by default the copy in the private part.
    pub policy: Option<&'a Path>,
    /// The share from which a class counts as homogeneous, or as being of one kind.
    pub homogeneous: Rational,
    /// The thresholds for near certainty and for the disclosure of a belief.
    pub limits: Limits,
    /// The probabilities of intervals for numeric sensitive attributes.
    pub probabilities: Vec<Rational>,
    /// The thresholds that class sizes are compared with.
    pub thresholds: Vec<&'static Threshold>,
    /// The required minima.
    pub minima: Vec<Minimum>,
    /// The number of assignments of sensitive values on which the method runs again, drawn at
    /// random if there are more. By default, the method runs on all assignments if there are few.
    pub worlds: Option<u64>,
}

impl Default for AttackRequest<'_> {
    fn default() -> Self {
        Self {
            original: None,
            register: None,
            prior: None,
            policy: None,
            homogeneous: Rational::new(19, 20),
            limits: Limits::default(),
            probabilities: proximity::usual(),
            thresholds: Vec::new(),
            minima: Vec::new(),
            worlds: None,
        }
    }
}

/// The prior beliefs of an adversary.
#[derive(Debug, Clone, Copy)]
pub struct Prior<'a> {
    /// A table with the original quasi-identifiers and sensitive values of a population.
    pub table: TableRef<'a>,
    /// The column with the weight of each row: a number of people, or a share of all people. By
    /// default, each row represents one person.
    pub weight: Option<&'a str>,
}
