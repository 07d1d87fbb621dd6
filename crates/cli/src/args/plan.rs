//! What can be typed of a plan.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::InputOptions;
use super::numbers::{Fraction, fraction, seconds};

/// From a distribution of quasi-identifiers and sensitive values to classes that every holder uses.
#[derive(Debug, Args)]
pub struct Plan {
    /// A policy with earlier data (ending in .toml): its quasi-identifiers and its sensitive attribute are counted
    #[arg(required_unless_present = "counts")]
    pub policy: Option<PathBuf>,
    /// Instead of a policy: a table with a line for each combination of quasi-identifiers and sensitive value
    #[arg(long, value_name = "FILE", conflicts_with = "policy", requires = "sensitive")]
    pub counts: Option<PathBuf>,
    /// End without an answer after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// With --counts: the column that says how many rows a line stands for
    #[arg(long, value_name = "COLUMN", requires = "counts", conflicts_with = "probability")]
    pub count: Option<String>,
    /// With --counts: the column that says how probable a line is; all of them sum to 1
    #[arg(long, value_name = "COLUMN", requires = "counts")]
    pub probability: Option<String>,
    /// The column of the sensitive attribute; the only sensitive attribute of the policy if left out
    #[arg(long, value_name = "COLUMN")]
    pub sensitive: Option<String>,
    /// With --counts: the columns of the quasi-identifiers; all others if left out
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', requires = "counts")]
    pub quasi_identifiers: Vec<String>,
    #[command(flatten)]
    pub input: InputOptions,
    /// How many sensitive values must remain for everybody who is in several releases
    #[arg(long, value_name = "L")]
    pub l: u64,
    /// With what probability one release may fail, such as 0.01 or 1/300
    #[arg(long, value_name = "D", value_parser = fraction, required_unless_present = "total_failure", conflicts_with_all = ["releases", "total_failure"])]
    pub delta: Option<Fraction>,
    /// Share a failure probability equally between so many releases
    #[arg(long, value_name = "T", requires = "total_failure")]
    pub releases: Option<u64>,
    /// With --releases: with what probability any of them may fail
    #[arg(long, value_name = "F", value_parser = fraction, requires = "releases")]
    pub total_failure: Option<Fraction>,
    /// The order in which classes are contiguous (space-filling if left out)
    #[arg(long, value_enum, value_name = "ORDER")]
    pub order: Option<PlanOrder>,
    /// With --order lexicographic: the quasi-identifiers, the first one to be sorted by first
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// Take this p: each class has l sensitive values of at least this probability
    #[arg(long, value_name = "P", value_parser = fraction, conflicts_with_all = ["classes", "rows"])]
    pub p: Option<Fraction>,
    /// Take the largest p that gives at least so many classes
    #[arg(long, value_name = "R", conflicts_with = "rows")]
    pub classes: Option<u64>,
    /// Take the most classes for which so many rows are enough; if nothing is chosen, as many rows as were counted, or 10,000
    /// with probabilities
    #[arg(long, value_name = "N")]
    pub rows: Option<u64>,
    /// How the number of rows is computed, from the largest number to the smallest (text if left out)
    #[arg(long, value_enum, value_name = "BASIS")]
    pub basis: Option<PlanBasis>,
    /// Also say what remains if the distribution is wrong, but the probability of no event by more than this (total variation)
    #[arg(long, value_name = "ETA", value_parser = fraction)]
    pub eta: Option<Fraction>,
    /// Also say with what probability releases of N rows by the plan's classes fail
    #[arg(long, value_name = "N")]
    pub with_rows: Option<u64>,
    /// Also say how many rows it takes until every class has K of them, in one release and after linkage
    #[arg(short, long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub k: Option<u64>,
    /// Also say how many rows it takes until every class has entropy l-diversity for this l, in one release and after linkage
    #[arg(long, value_name = "L", value_parser = fraction)]
    pub entropy: Option<Fraction>,
    /// Assume that sensitive values do not depend on quasi-identifiers, and compare with classes of equal size
    #[arg(long)]
    pub independent: bool,
    /// Give every combination of the quasi-identifiers' values a class, also those that did not occur, so that the plan serves
    /// other data; values are those that occur or that hierarchies list
    #[arg(long)]
    pub all_combinations: bool,
    /// Values that a quasi-identifier may have besides, such as age=0..120 or sex=f,m; with --all-combinations, which it implies
    #[arg(long, value_name = "COLUMN=VALUES", value_parser = domain)]
    pub domain: Vec<indistinct::plan::Domain>,
    /// The title of the plan
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Where to write the plan (.toml); a large plan has two tables beside it. If left out, nothing is written
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// A new folder for the whole trade-off: trade-off.csv and trade-off.svg
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
}

/// In what order classes of a plan are contiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlanOrder {
    SpaceFilling,
    Lexicographic,
}

/// What the rows of a plan rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlanBasis {
    Text,
    ActualClasses,
    ActualMasses,
    ExactFailure,
}

fn domain(text: &str) -> Result<indistinct::plan::Domain, String> {
    let parsed = indistinct::plan::Domain::parse(text);
    parsed.ok_or_else(|| {
        "expected a column with its values, such as age=0..120 or sex=f,m".to_owned()
    })
}
