//! The arguments of `indistinct plan`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{Fraction, InputOptions, fraction, seconds};

/// Derives classes for all data holders from a distribution of quasi-identifiers and sensitive
/// values.
#[derive(Debug, Args)]
pub struct Plan {
    /// A policy (ending in .toml) for earlier data, which provides the frequencies of
    /// quasi-identifiers and sensitive values
    #[arg(required_unless_present_any = ["counts", "compose", "worst_case"])]
    pub policy: Option<PathBuf>,
    /// Instead of creating a plan: compute the joint guarantee of future releases, one for each of
    /// these plans
    #[arg(long, value_name = "PLAN", num_args = 2..)]
    #[arg(conflicts_with_all = ["policy", "counts", "l", "output"])]
    pub compose: Vec<PathBuf>,
    /// Instead of creating a plan: compute how many of the --sensitive-values remain in the worst
    /// case for a person in releases with these levels of distinct l-diversity, without a common
    /// plan
    #[arg(long, value_name = "L1,L2,...", value_delimiter = ',', requires = "sensitive_values")]
    #[arg(conflicts_with_all = ["policy", "counts", "l", "output", "compose"])]
    pub worst_case: Vec<u64>,
    /// With --worst-case: the number of sensitive values in all releases
    #[arg(long, value_name = "N", requires = "worst_case")]
    pub sensitive_values: Option<u64>,
    /// Instead of a policy: a table that lists each combination of quasi-identifiers and sensitive
    /// value on one line
    #[arg(long, value_name = "FILE", conflicts_with = "policy", requires = "sensitive")]
    pub counts: Option<PathBuf>,
    /// Stop without an answer after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// With --counts: the column with the number of rows that each line represents
    #[arg(long, value_name = "COLUMN", requires = "counts", conflicts_with = "probability")]
    pub count: Option<String>,
    /// With --counts: the column with the probability of each line; all probabilities must sum to 1
    #[arg(long, value_name = "COLUMN", requires = "counts")]
    pub probability: Option<String>,
    /// The column of the sensitive attribute [default: the only sensitive attribute of the policy]
    #[arg(long, value_name = "COLUMN")]
    pub sensitive: Option<String>,
    /// With --counts: the columns of the quasi-identifiers [default: all other columns]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', requires = "counts")]
    pub quasi_identifiers: Vec<String>,
    #[command(flatten)]
    pub input: InputOptions,
    /// Number of sensitive values that must remain for every person who is in several releases
    #[arg(long, value_name = "L", required_unless_present_any = ["compose", "worst_case"])]
    pub l: Option<u64>,
    /// Also guarantee that every class has at least K records after the releases are linked; this
    /// requires more rows
    #[arg(long, value_name = "K", requires = "l")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=indistinct::plan::MAX_K))]
    pub linked_k: Option<u64>,
    /// Also guarantee entropy l-diversity with this l, at most --l, in every class after the
    /// releases are linked; this requires more rows, and --known-distribution or --probability
    #[arg(long, value_name = "L", value_parser = fraction, requires = "l")]
    pub linked_entropy: Option<Fraction>,
    /// The maximum failure probability of one release, such as 0.01 or 1/300
    #[arg(long, value_name = "D", value_parser = fraction, required_unless_present_any = ["total_failure", "compose", "worst_case"], conflicts_with_all = ["releases", "total_failure"])]
    pub delta: Option<Fraction>,
    /// Divide the failure probability of --total-failure equally among this many releases
    #[arg(long, value_name = "T", requires = "total_failure")]
    pub releases: Option<u64>,
    /// With --releases: the maximum probability that any of the releases fails
    #[arg(long, value_name = "F", value_parser = fraction, requires = "releases")]
    pub total_failure: Option<Fraction>,
    /// The order of values in which each class is contiguous [default: space-filling]
    #[arg(long, value_enum, value_name = "ORDER")]
    pub order: Option<PlanOrder>,
    /// With --order lexicographic: the quasi-identifiers in sort order, most significant first
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// Use this p: in each class, l sensitive values have at least this probability
    #[arg(long, value_name = "P", value_parser = fraction, conflicts_with_all = ["classes", "rows"])]
    pub p: Option<Fraction>,
    /// Use the largest p for which a plan has at least this many classes
    #[arg(long, value_name = "R", conflicts_with = "rows")]
    pub classes: Option<u64>,
    /// Use the largest number of classes for which this many rows suffice [default without --p and
    /// --classes: the number of counted rows, or 10,000 with --probability]
    #[arg(long, value_name = "N")]
    pub rows: Option<u64>,
    /// The formula for the number of rows, in descending order of the result [default: text]
    #[arg(long, value_enum, value_name = "BASIS")]
    pub basis: Option<PlanBasis>,
    /// With counts: the confidence level of the bounds that replace the probabilities; the plan
    /// states it with --all-combinations [default: 0.95]
    #[arg(long, value_name = "C", value_parser = fraction, conflicts_with = "known_distribution")]
    pub confidence: Option<Fraction>,
    /// Treat the counts as the distribution itself, not as a sample: use their shares as
    /// probabilities
    #[arg(long)]
    pub known_distribution: bool,
    /// Also show the guarantees if the distribution is wrong by at most this total variation
    /// distance
    #[arg(long, value_name = "ETA", value_parser = fraction)]
    pub eta: Option<Fraction>,
    /// Also show the failure probability of releases that have N rows
    #[arg(long, value_name = "N")]
    pub with_rows: Option<u64>,
    /// Also show how many rows a release needs for every class to have K rows, in one release and
    /// after linkage
    #[arg(short, long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub k: Option<u64>,
    /// Also show how many rows a release needs for entropy l-diversity with this l in every class,
    /// in one release and after linkage
    #[arg(long, value_name = "L", value_parser = fraction)]
    pub entropy: Option<Fraction>,
    /// Assume that sensitive values are independent of quasi-identifiers, and compare with classes
    /// of equal size
    #[arg(long)]
    pub independent: bool,
    /// Assign a class to every combination of known quasi-identifier values, so the plan also
    /// covers combinations that did not occur; known values occur in the data or in a hierarchy
    #[arg(long)]
    pub all_combinations: bool,
    /// Additional values of a quasi-identifier, such as age=0..120 or sex=f,m; implies
    /// --all-combinations
    #[arg(long, value_name = "COLUMN=VALUES", value_parser = domain)]
    pub domain: Vec<indistinct::plan::Domain>,
    /// The title of the plan
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Write the plan to this file (.toml), and two tables next to the file if the plan is large
    /// [default: no file is written]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write trade-off.csv and trade-off.svg, which show the whole trade-off, to this new folder
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
}

/// The order of values in which each class of a plan is contiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlanOrder {
    SpaceFilling,
    Lexicographic,
}

/// The formula for the required number of rows in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlanBasis {
    Text,
    ActualClasses,
    ActualMasses,
    ExactFailure,
}

fn domain(text: &str) -> Result<indistinct::plan::Domain, String> {
    let parsed = indistinct::plan::Domain::parse(text);
    parsed
        .ok_or_else(|| "expected a column and its values, such as age=0..120 or sex=f,m".to_owned())
}
