//! What is asked of `attack`: limits, thresholds of regulators, and minima that must hold.

use std::path::Path;

use indistinct_attack::background::Limits;
use indistinct_attack::threshold::Threshold;
use indistinct_attack::{Minimum, proximity};
use indistinct_core::Rational;
use indistinct_engine::TableRef;

/// What is asked of `attack`.
#[derive(Debug, Clone)]
pub struct AttackRequest<'a> {
    /// The original.
    pub original: Option<TableRef<'a>>,
    /// A table of people with raw quasi-identifiers.
    pub register: Option<TableRef<'a>>,
    /// What an adversary believes beforehand.
    pub prior: Option<Prior<'a>>,
    /// The policy that the release was made with; by default the copy in the private part.
    pub policy: Option<&'a Path>,
    /// The share from which a class counts as homogeneous, or of one kind.
    pub homogeneous: Rational,
    /// When the adversary is sure, and when a belief is a disclosure.
    pub limits: Limits,
    /// Probabilities for intervals of numeric sensitive attributes.
    pub probabilities: Vec<Rational>,
    /// Thresholds to hold class sizes against.
    pub thresholds: Vec<&'static Threshold>,
    /// What must hold.
    pub minima: Vec<Minimum>,
    /// On how many ways to deal the sensitive values the method is run again, drawn at random where there are more; if left out on all where
    /// there are few.
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

/// What an adversary believes beforehand.
#[derive(Debug, Clone, Copy)]
pub struct Prior<'a> {
    /// A table with the raw quasi-identifiers and sensitive values of a population.
    pub table: TableRef<'a>,
    /// The column that says how many people, or what share of all, a line stands for; each line for one person if left out.
    pub weight: Option<&'a str>,
}
