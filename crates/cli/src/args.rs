//! What can be typed.

mod ledger;
mod numbers;
mod plan;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use indistinct::{Encoding, generate};

pub use ledger::{Ledger, LedgerCheck, LedgerRemove};
pub use numbers::{Fraction, Rho};
pub use plan::{Plan, PlanBasis, PlanOrder};

use numbers::{probability, rho, seconds};

/// Publishes tables about people under stated privacy principles, and checks every release independently.
#[derive(Debug, Parser)]
#[command(name = "indistinct", version, about, max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 done, or the claim holds; 1 the policy is not met, cannot be met, \
or a claim does not hold; 2 the request is wrong or something failed; 130 after Ctrl-C."
)]
pub struct Arguments {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options that every command takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options for every command")]
pub struct Global {
    /// No progress and no warnings; the answer and errors only
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Show progress in words on standard error (-vv: more of them)
    #[arg(short = 'v', long = "verbose", global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Number of threads; all processors if left out
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Colors in messages; by default only on a terminal
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub color: Color,
    /// How the answer is printed to standard output
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    pub format: Format,
    /// Allow cells of the table in messages; only for the holder
    #[arg(long, global = true)]
    pub show_values: bool,
}

/// When to color messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Look at a table and write a commented policy to start from
    Init(Init),
    /// Make a policy of a project of ARX (.deid), with its table and hierarchies, or of a certificate of ARX (.pdf)
    Import(Import),
    /// Show rows, distinct values and re-identification risk of a raw table
    Profile(Profile),
    /// Show which guarantees a recoding of the table could reach, before any search, and what prevents the others
    Advise(Advise),
    /// Show what other choices of k, method and suppression limit would cost, before one is made
    Compare(Compare),
    /// Search for the recoding with the least loss, certify it and write a release directory
    Anonymize(Anonymize),
    /// Show which principles a table satisfies as it is, and the levels that it reaches
    Check(Check),
    /// Check a release directory against its certificate, from its bytes alone
    Verify(Verify),
    /// Verify a release and write its report as this version of Indistinct renders it
    Report(Report),
    /// Measure what a release lost against its original, and what it is still good for
    Measure(Measure),
    /// Try the known attacks on a release, and show what they learn and what stops them
    Attack(Box<Attack>),
    /// Plan releases of several holders before anybody has data: the classes, the rows to wait for, and the probability of failure
    Plan(Box<Plan>),
    /// Keep a record of releases, and check new ones against it
    #[command(subcommand)]
    Ledger(Ledger),
    /// Join several releases as an adversary would, and show what remains of each sensitive attribute
    Link(Link),
    /// Make, validate and print generalization hierarchies
    #[command(subcommand)]
    Hierarchy(Hierarchy),
    /// Make example tables, with policies for them
    #[command(subcommand)]
    Generate(Generate),
    /// Open a page on this machine where a release is decided step by step
    Studio(Studio),
    /// Show which databases and object stores can be opened, and how to get the drivers of the others
    Drivers,
}

#[derive(Debug, Args)]
pub struct Studio {
    /// A policy (ending in .toml) or a table to begin with
    pub file: Option<PathBuf>,
    /// Only files below this folder are shown and used; if left out the current one, or that of the file where it is elsewhere
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Where it listens, such as 127.0.0.1:8080 (a free port if left out); only addresses of this machine, since the studio does not encrypt
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<std::net::SocketAddr>,
    /// It stops after so many minutes without a request (an hour if left out)
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u64).range(1..=10_080))]
    pub idle: Option<u64>,
    /// Print the address and open no browser
    #[arg(long)]
    pub no_browser: bool,
}

#[derive(Debug, Args)]
pub struct Init {
    /// The table: a file, a folder of files, a glob, an address, or - for standard input
    pub data: PathBuf,
    /// Where to write the policy; to standard output if left out
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Also write each proposed hierarchy as a file to edit into this folder, and show what its levels keep and cost
    #[arg(long, value_name = "DIR")]
    pub hierarchies: Option<PathBuf>,
    #[command(flatten)]
    pub input: InputOptions,
}

#[derive(Debug, Args)]
pub struct Import {
    /// A project of ARX (.deid), or a certificate of ARX (.pdf)
    pub file: PathBuf,
    /// The folder to make, with policy.toml and, of a project, data.csv and hierarchies
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

/// How to read a table that no policy describes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct InputOptions {
    /// In a database: the table, such as visits or public.visits; in a spreadsheet: the sheet
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// In a database: a single SELECT in place of a table
    #[arg(long, value_name = "SELECT", conflicts_with = "table")]
    pub query: Option<String>,
    /// Field delimiter of a CSV file
    #[arg(long, value_name = "CHAR")]
    pub delimiter: Option<String>,
    /// How the characters of a CSV file are written (UTF-8 if left out)
    #[arg(long, value_name = "ENCODING", value_parser = encoding())]
    pub encoding: Option<Encoding>,
    /// A text that stands for a missing value (may be given several times)
    #[arg(long = "null-value", value_name = "TEXT")]
    pub null_values: Vec<String>,
}

/// The encodings, by the library's list of them.
fn encoding() -> impl TypedValueParser<Value = Encoding> {
    let all = Encoding::ALL.iter().map(|(_, name, doc)| PossibleValue::new(*name).help(*doc));
    PossibleValuesParser::new(all)
        .map(|name| Encoding::named(&name).expect("one of the list of encodings"))
}

/// A rule with a list of identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Checklist {
    /// The 18 identifiers of HIPAA Safe Harbor, 45 CFR 164.514(b)(2)
    Hipaa,
}

#[derive(Debug, Args)]
pub struct Profile {
    /// A policy file (ending in .toml), or a table (- for standard input)
    pub policy_or_data: PathBuf,
    /// Also show for each identifier of a rule where it was found, and what a release by the policy does about it
    #[arg(long, value_name = "RULE")]
    pub checklist: Option<Checklist>,
    /// Survey weights: the column that says how many people of the population a row stands for
    #[arg(long, value_name = "COLUMN")]
    pub weights: Option<String>,
    /// The share of the population that is in the table, such as 0.05
    #[arg(long, value_name = "F", value_parser = sampling_fraction)]
    pub sampling_fraction: Option<f64>,
    /// A table of the population, with the quasi-identifiers under the same names
    #[arg(long, value_name = "FILE")]
    pub population: Option<PathBuf>,
    /// The column that says who lives together: a household is found if any member is
    #[arg(long, value_name = "COLUMN")]
    pub household: Option<String>,
    /// Also write the risk of each row, numbered as in the table, as a CSV file; only for the holder
    #[arg(long, value_name = "FILE.csv")]
    pub risk_of_rows: Option<PathBuf>,
    #[command(flatten)]
    pub input: InputOptions,
}

/// A number above 0, at most 1.
fn sampling_fraction(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| {
        "a sampling fraction is a number above 0, at most 1, such as 0.05".to_owned()
    })
}

#[derive(Debug, Args)]
pub struct Advise {
    /// The policy file (ending in .toml)
    pub policy: PathBuf,
    /// End without an answer after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// Also write a page that shows the trade-offs as pictures; only for the holder
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Compare {
    /// The policy file (ending in .toml)
    pub policy: PathBuf,
    /// The k of k-anonymity to try, with commas between them, such as 3,5
    #[arg(short, long, value_name = "K", value_delimiter = ',', default_values_t = indistinct::compare::DEFAULT_K, value_parser = clap::value_parser!(u64).range(1..))]
    pub k: Vec<u64>,
    /// The methods to try; all that go with the policy if left out
    #[arg(long, value_name = "METHODS", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// The suppression limits to try; the policy's if left out
    #[arg(long, value_name = "FRACTIONS", value_delimiter = ',', value_parser = share)]
    pub limit: Vec<f64>,
    /// Values to try of a parameter of the policy's other principles, such as entropy-l-diversity.l=2,3,4; may be given several times
    #[arg(long, value_name = "PRINCIPLE.PARAMETER=VALUES")]
    pub vary: Vec<indistinct::compare::Variation>,
    /// Also write a page with the picture of risk against loss; only for the holder
    #[arg(short, long, value_name = "FILE.html")]
    pub output: Option<PathBuf>,
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a suppression limit is a number from 0 to 1, such as 0.04".to_owned())
}

#[derive(Debug, Args)]
pub struct Anonymize {
    /// The policy file (ending in .toml)
    pub policy: PathBuf,
    /// The release directory to write, or a prefix of an object store to upload it to; what only the holder may know goes to DIR.private
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Replace an earlier release in DIR
    #[arg(long)]
    pub force: bool,
    /// The ledger of earlier releases: links this one with them before it is written, and records it
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Check {
    /// The table; replaces the input path of the policy
    pub data: PathBuf,
    /// The policy file (ending in .toml)
    #[arg(long, value_name = "FILE")]
    pub policy: PathBuf,
}

#[derive(Debug, Args)]
pub struct Verify {
    /// The release directory, its prefix in an object store, or the address of the database that the rows are in
    pub directory: PathBuf,
    /// In a database: the released table
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// The population table with released labels: `population.csv` of the private part. Also checks the statements about
    /// presence in it
    #[arg(long, value_name = "FILE")]
    pub population: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Report {
    /// The release directory, its prefix in an object store, or the address of the database with its rows
    pub directory: PathBuf,
    /// In a database: the released table
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// The page to write; standard output if omitted
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
    /// End without an answer after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// The policy that the release was made with; the copy in DIR.private if left out
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Number of count queries (1000 if left out)
    #[arg(long, value_name = "N")]
    pub queries: Option<usize>,
    /// Attributes in each query, the sensitive one included (3 if left out)
    #[arg(long, value_name = "W")]
    pub dimension: Option<usize>,
    /// The share of all combinations of values that a query asks for, above 0 and at most 1 (0.1 if left out)
    #[arg(long, value_name = "S")]
    pub volume: Option<f64>,
    /// Seed of queries and samples: the same seed gives the same figures
    #[arg(long, value_name = "SEED", default_value_t = indistinct::measure::DEFAULT_SEED)]
    pub seed: u64,
    /// The attribute to predict (the first sensitive one if left out)
    #[arg(long, value_name = "ATTRIBUTE")]
    pub target: Option<String>,
    /// The share of the population that is in the original, such as 0.05: estimates how many people are unique with their released values
    #[arg(long, value_name = "F", value_parser = sampling_fraction)]
    pub sampling_fraction: Option<f64>,
}

#[derive(Debug, Args)]
pub struct Attack {
    /// The release directory
    pub directory: PathBuf,
    /// The table that the release was made from: figures are then measured instead of bounded, and more attacks are tried
    #[arg(long, value_name = "DATA")]
    pub original: Option<PathBuf>,
    /// End without an answer after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// A table of people with the raw quasi-identifiers, to be joined with the release
    #[arg(long, value_name = "FILE")]
    pub register: Option<PathBuf>,
    /// A table with the raw quasi-identifiers and sensitive values of a population: what an adversary believes beforehand
    #[arg(long, value_name = "FILE")]
    pub prior: Option<PathBuf>,
    /// With --prior: the column that says how many people, or what share of all, a line stands for
    #[arg(long, value_name = "COLUMN", requires = "prior")]
    pub prior_weight: Option<String>,
    /// A belief above 1 - D is a positive disclosure (0.05 if left out)
    #[arg(long, value_name = "D", value_parser = probability)]
    pub delta: Option<Fraction>,
    /// A belief below E is a negative disclosure (0.05 if left out)
    #[arg(long, value_name = "E", value_parser = probability)]
    pub epsilon: Option<Fraction>,
    /// A belief that rises from below RHO1 to above RHO2, or falls from above 1 - RHO1 to below 1 - RHO2, is a breach (0.2,0.5 if left
    /// out)
    #[arg(long, value_name = "RHO1,RHO2", value_parser = rho)]
    pub rho: Option<Rho>,
    /// The policy that the release was made with; the copy in DIR.private if left out
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// With --original: on how many ways to deal the sensitive values the method is run again, drawn at random where there are more; on all
    /// where there are few if left out
    #[arg(long, value_name = "N", requires = "original", value_parser = clap::value_parser!(u64).range(1..))]
    pub worlds: Option<u64>,
    /// A threshold to compare class sizes with: ema-0.09, health-canada-0.09, iom-0.1, iom-0.075, iom-0.05 (may be given
    /// several times)
    #[arg(long = "threshold", value_name = "NAME")]
    pub thresholds: Vec<String>,
    /// What must hold, or the exit status is 1: class=N, statements=N, interval=SHARE or a threshold (may be given several
    /// times)
    #[arg(long = "minimum", value_name = "WHAT")]
    pub minima: Vec<String>,
}

#[derive(Debug, Args)]
pub struct Link {
    /// The release directories
    #[arg(value_name = "DIR", required = true)]
    pub directories: Vec<PathBuf>,
    /// The table that a release was made from, in the order of the directories (may be given several times): then only people of
    /// these tables are linked
    #[arg(long = "original", value_name = "[DIR=]DATA")]
    pub originals: Vec<String>,
    /// End without an answer after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<Duration>,
    /// Only this sensitive attribute; all that the releases share if left out
    #[arg(long, value_name = "NAME")]
    pub sensitive: Option<String>,
    /// What must remain for everybody, or the exit status is 1: l=N, or l=N,measure=distinct|frequency|entropy
    #[arg(long, value_name = "WHAT")]
    pub minimum: Option<String>,
    /// How many of the worst combinations are listed for each sensitive attribute, with --show-values (10 if left out)
    #[arg(long, value_name = "N")]
    pub worst: Option<usize>,
}

#[derive(Debug, Subcommand)]
pub enum Hierarchy {
    /// Write the hierarchy of an attribute of a policy as ARX CSV
    Build(HierarchyBuild),
    /// Test the hierarchies of a policy, or one ARX CSV file, against a table
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
    /// Where to write it; to standard output if left out
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct HierarchyCheck {
    /// A policy file (ending in .toml), or an ARX CSV file
    pub policy_or_file: PathBuf,
    /// For an ARX CSV file: the table to test it against
    #[arg(long, value_name = "DATA")]
    pub data: Option<PathBuf>,
    /// For an ARX CSV file: the column of the table. For a policy: only this attribute
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
    /// A hospital's admissions: name, age, sex, zip code, nationality, admission date, diagnosis, cost
    Hospital(GenerateOptions),
    /// Census-like: eight quasi-identifiers and an occupation
    Census {
        #[command(flatten)]
        options: GenerateOptions,
        /// About how many distinct tuples to draw from
        #[arg(long, value_name = "N")]
        distinct: Option<u64>,
    },
    /// Incomes over the domains of the (epsilon, m) text: age, birthplace, occupation, income
    Salary(GenerateOptions),
    /// Correlated answers to many questions, all of them quasi-identifiers: a wide table
    Survey {
        #[command(flatten)]
        options: GenerateOptions,
        /// How many questions
        #[arg(long, value_name = "A", default_value_t = generate::DEFAULT_ATTRIBUTES as u64, value_parser = clap::value_parser!(u64).range(1..=generate::MAX_ATTRIBUTES as u64))]
        attributes: u64,
    },
}

#[derive(Debug, Args)]
pub struct GenerateOptions {
    /// Number of rows
    #[arg(long, value_name = "N", default_value_t = generate::DEFAULT_ROWS, value_parser = clap::value_parser!(u64).range(1..))]
    pub rows: u64,
    /// Seed: the same seed gives the same table
    #[arg(long, value_name = "S", default_value_t = generate::DEFAULT_SEED)]
    pub seed: u64,
    /// The table to write (.csv or .parquet); policy.toml and hierarchies/ are written beside it
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}
