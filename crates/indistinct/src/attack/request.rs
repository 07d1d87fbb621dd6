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
    /// The original table of the release.
    pub original: Option<TableRef<'a>>,
    /// A table of people with original quasi-identifiers.
    pub register: Option<TableRef<'a>>,
    /// The beliefs that an adversary has before seeing the release.
    pub prior: Option<Prior<'a>>,
    /// The policy for the release; by default, the copy in the release's private directory.
    pub policy: Option<&'a Path>,
    /// The minimum share of one value, or of one kind of value, at which a class counts as
    /// homogeneous.
    pub homogeneous: Rational,
    /// The probabilities above which a belief counts as nearly certain or as disclosed.
    pub limits: Limits,
    /// For numeric sensitive attributes, the probabilities of the intervals that the attack
    /// computes.
    pub probabilities: Vec<Rational>,
    /// The thresholds to compare class sizes with.
    pub thresholds: Vec<&'static Threshold>,
    /// The required minima.
    pub minima: Vec<Minimum>,
    /// The number of possible assignments of sensitive values on which the method runs again. If
    /// there are more assignments, some are drawn at random. By default, the method runs on all
    /// assignments if there are few.
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

/// The beliefs that an adversary has before seeing the release.
#[derive(Debug, Clone, Copy)]
pub struct Prior<'a> {
    /// A table with the original quasi-identifiers and sensitive values of a population.
    pub table: TableRef<'a>,
    /// The column with the weight of each row: a number of people, or a share of all people. By
    /// default, each row represents one person.
    pub weight: Option<&'a str>,
}
