//! The arguments of the command line.

mod ledger;
mod plan;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use indistinct::{Encoding, Values, generate};

pub use ledger::{Ledger, LedgerCheck, LedgerRemove};
pub use plan::{Plan, PlanBasis, PlanOrder};

/// Publish tables about people under stated privacy principles, and verify every release
/// independently.
#[derive(Debug, Parser)]
#[command(name = "indistinct", version = env!("INDISTINCT_VERSION"), about, max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 if the command succeeded and all claims hold; 1 if the policy is \
                  violated or infeasible, or if a claim does not hold; 2 after an error; 130 after \
                  Ctrl-C."
)]
pub struct Arguments {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// The options that every command accepts.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options for every command")]
pub struct Global {
    /// Suppress progress and warnings; print only the answer and errors
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Show progress messages on standard error (-vv for more)
    #[arg(short = 'v', long = "verbose", global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Number of threads [default: the number of processors]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// When to color messages; auto colors them only on a terminal
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub color: Color,
    /// The format of the answer on standard output
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    pub format: Format,
    /// Allow messages to contain values from the table; only for the data holder
    #[arg(long, global = true)]
    pub show_values: bool,
}

impl Global {
    /// Returns whether messages may contain values from the table.
    pub fn values(&self) -> Values {
        if self.show_values { Values::Shown } else { Values::Hidden }
    }
}

/// When to color messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// The format of the answer on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Inspect a table and write a commented policy as a starting point
    Init(Init),
    /// Create a policy from an ARX project (.deid), with its table and hierarchies, or from an ARX
    /// certificate (.pdf)
    Import(Import),
    /// Show the rows, distinct values, and re-identification risk of a raw table
    Profile(Profile),
    /// Show which guarantees are possible for the table and what limits them, without a search
    Advise(Advise),
    /// Compare the cost of different values of k, methods, and suppression limits
    Compare(Compare),
    /// Search for the recoding with the least loss, certify it, and write a release directory
    Anonymize(Anonymize),
    /// Show which principles a table satisfies without recoding, and at which levels
    Check(Check),
    /// Verify a release directory against its certificate, using only its files
    Verify(Verify),
    /// Verify a release and write its report with this version of Indistinct
    Report(Report),
    /// Measure the information loss of a release compared with the original, and its remaining
    /// utility
    Measure(Measure),
    /// Run the known attacks on a release; show what they disclose and how to prevent them
    Attack(Box<Attack>),
    /// Plan the classes, the required number of rows, and the failure probability for releases of
    /// several data holders before data is collected
    Plan(Box<Plan>),
    /// Record releases, and check new releases against recorded ones
    #[command(subcommand)]
    Ledger(Ledger),
    /// Link several releases as an adversary would, and show what remains protected for each
    /// sensitive attribute
    Link(Link),
    /// Create, validate, and print generalization hierarchies
    #[command(subcommand)]
    Hierarchy(Hierarchy),
    /// Generate example tables and policies for them
    #[command(subcommand)]
    Generate(Generate),
    /// Open a local web page that helps you create a release step by step
    Studio(Studio),
    /// List the supported databases and object stores, and explain how to install missing drivers
    Drivers,
    /// Explain an error code, a principle, a method, a loss, an attack, a figure, a policy key, or
    /// a term of the glossary
    Explain(Explain),
    /// Print the completions of commands and options for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write a manual page (man 1) for each command
    Manual {
        /// The folder for the pages
        folder: PathBuf,
    },
}

#[derive(Debug, Args)]
pub struct Explain {
    /// The term, such as E-INPUT-040, t-closeness, prosecutor_max, or recoding.suppression_limit
    /// [default: list the kinds of terms]
    pub term: Option<String>,
}

#[derive(Debug, Args)]
pub struct Studio {
    /// A policy (ending in .toml) or a table to start with
    pub file: Option<PathBuf>,
    /// Show and use only files in this folder [default: the current folder, or the folder of FILE
    /// if FILE is elsewhere]
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// The local address to listen on, such as 127.0.0.1:8080; remote addresses are rejected
    /// because the studio does not encrypt its traffic [default: a free port]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<std::net::SocketAddr>,
    /// Stop after this many minutes without a request [default: 60]
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u64).range(1..=10_080))]
    pub idle: Option<u64>,
    /// Print the address without opening a browser
    #[arg(long)]
    pub no_browser: bool,
}

#[derive(Debug, Args)]
pub struct Init {
    /// The table: a file, a folder of files, a glob pattern, an address, or - for standard input
    pub data: PathBuf,
    /// Write the policy to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Also write each proposed hierarchy to this folder as an editable file, and show the detail
    /// and loss of its levels
    #[arg(long, value_name = "DIR")]
    pub hierarchies: Option<PathBuf>,
    /// Skip columns with unsupported types, such as lists; the policy declares them as identifiers
    #[arg(long)]
    pub skip_unsupported: bool,
    #[command(flatten)]
    pub input: InputOptions,
}

#[derive(Debug, Args)]
pub struct Import {
    /// An ARX project (.deid) or an ARX certificate (.pdf)
    pub file: PathBuf,
    /// The folder to create, with policy.toml and, for a project, data.csv and the hierarchies
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

/// Options for reading a table without a policy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct InputOptions {
    /// For a database: the table, such as visits or public.visits; for a spreadsheet: the sheet
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// For a database: a single SELECT statement instead of a table
    #[arg(long, value_name = "SELECT", conflicts_with = "table")]
    pub query: Option<String>,
    /// The field delimiter of a CSV file
    #[arg(long, value_name = "CHAR")]
    pub delimiter: Option<String>,
    /// The character encoding of a CSV file [default: UTF-8]
    #[arg(long, value_name = "ENCODING", value_parser = encoding())]
    pub encoding: Option<Encoding>,
    /// The number of rows before the column names of a CSV file or a spreadsheet [default: 0]
    #[arg(long, value_name = "N")]
    pub skip_rows: Option<usize>,
    /// The number of rows between the column names and the data, such as units [default: 0]
    #[arg(long, value_name = "N")]
    pub skip_rows_after_header: Option<usize>,
    /// A string that represents missing values (can be repeated)
    #[arg(long = "null-value", value_name = "TEXT")]
    pub null_values: Vec<String>,
}

/// Returns a parser for the encodings that the library supports.
fn encoding() -> impl TypedValueParser<Value = Encoding> {
    let all = Encoding::ALL.map(|it| PossibleValue::new(it.name()).help(it.doc()));
    PossibleValuesParser::new(all)
        .map(|name| Encoding::named(&name).expect("the parser accepts only known encodings"))
}

/// A regulation that lists identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Checklist {
    /// The 18 identifiers of HIPAA Safe Harbor, 45 CFR 164.514(b)(2)
    Hipaa,
}

#[derive(Debug, Args)]
pub struct Profile {
    /// A policy file (ending in .toml), or a table (- for standard input)
    pub policy_or_data: PathBuf,
    /// Also show which columns contain the identifiers that a regulation lists, and how the policy
    /// treats these columns
    #[arg(long, value_name = "RULE")]
    pub checklist: Option<Checklist>,
    /// The column of survey weights, the number of people in the population that each row
    /// represents
    #[arg(long, value_name = "COLUMN")]
    pub weights: Option<String>,
    /// The fraction of the population that the table contains, such as 0.05
    #[arg(long, value_name = "F", value_parser = sampling_fraction)]
    pub sampling_fraction: Option<f64>,
    /// A table of the population that contains the quasi-identifiers under the same names
    #[arg(long, value_name = "FILE")]
    pub population: Option<PathBuf>,
    /// The column that identifies households; re-identifying one member re-identifies the household
    #[arg(long, value_name = "COLUMN")]
    pub household: Option<String>,
    /// Also write the risk of each row, with the row's number in the table, to a CSV file; only for
    /// the data holder
    #[arg(long, value_name = "FILE.csv")]
    pub risk_of_rows: Option<PathBuf>,
    /// Skip columns with unsupported types, such as lists, in a table without a policy
    #[arg(long)]
    pub skip_unsupported: bool,
    #[command(flatten)]
    pub input: InputOptions,
}

/// Parses a number greater than 0 and at most 1.
fn sampling_fraction(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "expected a number greater than 0 and at most 1, such as 0.05".to_owned())
}

#[derive(Debug, Args)]
pub struct Advise {
    /// The policy file (ending in .toml)
    pub policy: PathBuf,
    /// Stop without an answer after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// Also write a page with charts of the trade-offs; only for the data holder
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Compare {
    /// The policy file (ending in .toml)
    pub policy: PathBuf,
    /// The values of k for k-anonymity to try, separated by commas, such as 3,5
    #[arg(short, long, value_name = "K", value_delimiter = ',', default_values_t = indistinct::compare::DEFAULT_K, value_parser = clap::value_parser!(u64).range(1..))]
    pub k: Vec<u64>,
    /// The methods to try, separated by commas [default: all methods that support the policy]
    #[arg(long, value_name = "METHODS", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// The suppression limits to try, separated by commas [default: the limit of the policy]
    #[arg(long, value_name = "FRACTIONS", value_delimiter = ',', value_parser = share)]
    pub limit: Vec<f64>,
    /// Values to try for a parameter of another required principle, such as
    /// entropy-l-diversity.l=2,3,4 (can be repeated)
    #[arg(long, value_name = "PRINCIPLE.PARAMETER=VALUES")]
    pub vary: Vec<indistinct::compare::Variation>,
    /// Also write a page with a chart of risk against loss; only for the data holder
    #[arg(short, long, value_name = "FILE.html")]
    pub output: Option<PathBuf>,
}

/// Parses a number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1, such as 0.04".to_owned())
}

#[derive(Debug, Args)]
pub struct Anonymize {
    /// The policy file (ending in .toml)
    pub policy: PathBuf,
    /// The release directory to write, or its prefix in an object store
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// The directory for confidential files of the data holder, which may be on another disk, or
    /// `none` to write no such files [default: DIR.private]
    #[arg(long, value_name = "DIR|none")]
    pub private: Option<PathBuf>,
    /// The table; overrides the input path of the policy
    #[arg(long, value_name = "DATA")]
    pub data: Option<PathBuf>,
    /// Replace an earlier release in DIR
    #[arg(long)]
    pub force: bool,
    /// The ledger of earlier releases, with which the new release is linked and in which it is
    /// recorded
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Check {
    /// The table; overrides the input path of the policy
    pub data: PathBuf,
    /// The policy file (ending in .toml)
    #[arg(long, value_name = "FILE")]
    pub policy: PathBuf,
}

#[derive(Debug, Args)]
pub struct Verify {
    /// The release directory, its prefix in an object store, or the address of the database that
    /// contains the rows
    pub directory: PathBuf,
    /// For a database: the released table
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// The population table with released labels (`population.csv` in the private directory of the
    /// release), to also verify statements about presence in the population
    #[arg(long, value_name = "FILE")]
    pub population: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Report {
    /// The release directory, its prefix in an object store, or the address of the database that
    /// contains the rows
    pub directory: PathBuf,
    /// For a database: the released table
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// The page to write; standard output if omitted, unless it is a terminal
    #[arg(short, long, value_name = "FILE.html")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Measure {
    /// The release directory
    pub directory: PathBuf,
    /// The original table
    #[arg(long, value_name = "DATA")]
    pub original: PathBuf,
    /// Stop without an answer after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// The policy of the release [default: the copy in DIR.private]
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Number of count queries [default: 1000]
    #[arg(long, value_name = "N")]
    pub queries: Option<usize>,
    /// Number of attributes in each query, including the sensitive attribute [default: 3]
    #[arg(long, value_name = "W")]
    pub dimension: Option<usize>,
    /// The fraction of all combinations of values that a query selects, greater than 0 and at most
    /// 1 [default: 0.1]
    #[arg(long, value_name = "S")]
    pub volume: Option<f64>,
    /// Seed for queries and samples; the same seed yields the same figures
    #[arg(long, value_name = "SEED", default_value_t = indistinct::measure::DEFAULT_SEED)]
    pub seed: u64,
    /// The attribute to predict [default: the first sensitive attribute]
    #[arg(long, value_name = "ATTRIBUTE")]
    pub target: Option<String>,
    /// Also measure how far each class exceeds this (tau, l)-diversity requirement:
    /// tau=T,l=L[,psi=WORD][,attribute=NAME][,weights=occurring|domain] or, instead of weights,
    /// weight:VALUE=W for each base value (can be repeated)
    #[arg(long, value_name = "REQUIREMENT")]
    pub excess: Vec<indistinct::measure::ExcessRequest>,
    /// The fraction of the population in the original table, such as 0.05; used to estimate how
    /// many people are unique in their released values
    #[arg(long, value_name = "F", value_parser = sampling_fraction)]
    pub sampling_fraction: Option<f64>,
}

#[derive(Debug, Args)]
pub struct Attack {
    /// The release directory
    pub directory: PathBuf,
    /// The original table of the release, which allows more attacks and exact figures instead of
    /// bounds
    #[arg(long, value_name = "DATA")]
    pub original: Option<PathBuf>,
    /// Stop without an answer after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// A table of people with raw quasi-identifiers to link with the release
    #[arg(long, value_name = "FILE")]
    pub register: Option<PathBuf>,
    /// A table with raw quasi-identifiers and sensitive values of a population, from which the
    /// adversary's prior beliefs are computed
    #[arg(long, value_name = "FILE")]
    pub prior: Option<PathBuf>,
    /// With --prior: the column with the number of people, or the fraction of all people, that each
    /// line represents
    #[arg(long, value_name = "COLUMN", requires = "prior")]
    pub prior_weight: Option<String>,
    /// Report a confidence above 1 - D as a positive disclosure [default: 0.05]
    #[arg(long, value_name = "D", value_parser = probability)]
    pub delta: Option<Fraction>,
    /// Report a confidence below E as a negative disclosure [default: 0.05]
    #[arg(long, value_name = "E", value_parser = probability)]
    pub epsilon: Option<Fraction>,
    /// Report a breach if the confidence in a value rises from below RHO1 to above RHO2, or falls
    /// from above 1 - RHO1 to below 1 - RHO2 [default: 0.2,0.5]
    #[arg(long, value_name = "RHO1,RHO2", value_parser = rho)]
    pub rho: Option<Rho>,
    /// The policy of the release [default: the copy in DIR.private]
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// With --original: run the method again on at most N assignments of the sensitive values,
    /// drawn at random if necessary [default: all assignments if there are few]
    #[arg(long, value_name = "N", requires = "original", value_parser = clap::value_parser!(u64).range(1..))]
    pub worlds: Option<u64>,
    /// A threshold for class sizes: ema-0.09, health-canada-0.09, iom-0.1, iom-0.075, iom-0.05 (can
    /// be repeated)
    #[arg(long = "threshold", value_name = "NAME")]
    pub thresholds: Vec<String>,
    /// Show all findings and the attacks that were not tried, not only the three worst findings
    #[arg(long)]
    pub all: bool,
    /// A requirement (class=N, statements=N, interval=SHARE, shared=SHARE, predicates=N,
    /// lift=SHARE, or a threshold); exit with status 1 if it does not hold (can be repeated)
    #[arg(long = "minimum", value_name = "WHAT")]
    pub minima: Vec<String>,
}

#[derive(Debug, Args)]
pub struct Link {
    /// The release directories
    #[arg(value_name = "DIR", required = true)]
    pub directories: Vec<PathBuf>,
    /// The original table of each release, in the order of the directories; only people in these
    /// tables are linked (can be repeated)
    #[arg(long = "original", value_name = "[DIR=]DATA")]
    pub originals: Vec<String>,
    /// Link only the person with this value (repeat the option for each quasi-identifier); your
    /// shell may record the values
    #[arg(long, value_name = "COLUMN=VALUE")]
    pub person: Vec<String>,
    /// Stop without an answer after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// Report only this sensitive attribute [default: all shared sensitive attributes]
    #[arg(long, value_name = "NAME")]
    pub sensitive: Option<String>,
    /// The required minimum for every person, l=N or l=N,measure=distinct|frequency|entropy; exit
    /// with status 1 if it does not hold
    #[arg(long, value_name = "WHAT")]
    pub minimum: Option<String>,
    /// With --show-values: the number of worst combinations to list for each sensitive attribute
    /// [default: 10]
    #[arg(long, value_name = "N")]
    pub worst: Option<usize>,
}

#[derive(Debug, Subcommand)]
pub enum Hierarchy {
    /// Write the hierarchy of an attribute of a policy as ARX CSV
    Build(HierarchyBuild),
    /// Check the hierarchies of a policy, or an ARX CSV file, against a table
    Check(HierarchyCheck),
    /// Print a hierarchy as a tree
    Show(HierarchyShow),
}

#[derive(Debug, Args)]
pub struct HierarchyBuild {
    /// The policy file (ending in .toml)
    pub policy: PathBuf,
    /// The attribute
    #[arg(long, value_name = "NAME")]
    pub attribute: String,
    /// Write the hierarchy to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct HierarchyCheck {
    /// A policy file (ending in .toml), or an ARX CSV file
    pub policy_or_file: PathBuf,
    /// For an ARX CSV file: the table to check it against
    #[arg(long, value_name = "DATA")]
    pub data: Option<PathBuf>,
    /// For an ARX CSV file: the column to check it against. For a policy: check only this attribute
    #[arg(long, value_name = "NAME")]
    pub attribute: Option<String>,
    #[command(flatten)]
    pub input: InputOptions,
}

#[derive(Debug, Args)]
pub struct HierarchyShow {
    /// A policy file (ending in .toml), or an ARX CSV file
    pub policy_or_file: PathBuf,
    /// For a policy: the attribute
    #[arg(long, value_name = "NAME")]
    pub attribute: Option<String>,
    /// Print at most this many lines
    #[arg(long, value_name = "N", default_value_t = indistinct::hierarchies::DEFAULT_LINES)]
    pub lines: usize,
}

#[derive(Debug, Subcommand)]
pub enum Generate {
    /// Hospital admissions with name, age, sex, zip code, nationality, admission date, diagnosis,
    /// and cost
    Hospital(GenerateOptions),
    /// Census-like data with eight quasi-identifiers and an occupation
    Census {
        #[command(flatten)]
        options: GenerateOptions,
        /// The approximate number of distinct rows to draw from
        #[arg(long, value_name = "N")]
        distinct: Option<u64>,
    },
    /// Incomes, with the domains of the (epsilon, m)-anonymity paper: age, birthplace, occupation,
    /// income
    Salary(GenerateOptions),
    /// A wide table of correlated answers to many questions, all of which are quasi-identifiers
    Survey {
        #[command(flatten)]
        options: GenerateOptions,
        /// Number of questions
        #[arg(long, value_name = "A", default_value_t = generate::DEFAULT_ATTRIBUTES as u64, value_parser = clap::value_parser!(u64).range(1..=generate::MAX_ATTRIBUTES as u64))]
        attributes: u64,
    },
}

#[derive(Debug, Args)]
pub struct GenerateOptions {
    /// Number of rows
    #[arg(long, value_name = "N", default_value_t = generate::DEFAULT_ROWS, value_parser = clap::value_parser!(u64).range(1..))]
    pub rows: u64,
    /// Random seed; the same seed yields the same table
    #[arg(long, value_name = "S", default_value_t = generate::DEFAULT_SEED)]
    pub seed: u64,
    /// The table to write (.csv or .parquet); policy.toml and hierarchies/ are written to the same
    /// folder
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// An exact fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fraction(pub indistinct::plan::Rational);

fn probability(text: &str) -> Result<Fraction, String> {
    let zero_to_one = Fraction(0.into())..=Fraction(1.into());
    let parsed = fraction(text).ok().filter(|it| zero_to_one.contains(it));
    parsed.ok_or_else(|| "expected a number from 0 to 1, such as 0.05 or 1/20".to_owned())
}

/// The thresholds rho1 and rho2 that define a privacy breach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rho(pub Fraction, pub Fraction);

fn rho(text: &str) -> Result<Rho, String> {
    let both = text.split_once(',').and_then(|(rho1, rho2)| {
        Some(Rho(probability(rho1.trim()).ok()?, probability(rho2.trim()).ok()?))
    });
    both.filter(|it| it.0 <= it.1).ok_or_else(|| {
        "expected two numbers from 0 to 1, the lower one first, such as 0.2,0.5".to_owned()
    })
}

fn fraction(text: &str) -> Result<Fraction, String> {
    let parsed = indistinct::plan::parse_fraction(text);
    parsed.map(Fraction).ok_or_else(|| "expected a number such as 0.01 or 1/300".to_owned())
}

/// Parses a positive number of seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|it| Duration::try_from_secs_f64(it).ok());
    seconds
        .filter(|it| !it.is_zero())
        .ok_or_else(|| "expected a positive number of seconds, such as 30 or 0.5".to_owned())
}
