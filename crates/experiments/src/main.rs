//! `indistinct-experiments` reproduces published figures.
//!
//! Each paper has its own module, and each figure has an entry in [`registry::REGISTRY`]. An
//! experiment returns the data for its plots, and a [`comparison::Row`] for each sentence or number
//! in the paper. A row contains the printed value, the computed value, and the result of the
//! comparison. If a comparison is not possible, the row contains the reason. If a table is not
//! included in the repository, the error message states where to download it.
//!
//! All results except running times are reproducible, because samples depend only on the seed.

mod comparison;
mod data;
mod delta_l;
mod epsilon_m;
mod error;
mod experiment;
mod figure;
mod l_delta;
mod l_diversity;
mod left_out;
mod registry;
mod search;
mod tau_l;
mod writing;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use indistinct_diagnostics::Coded;

use error::{Error, ExperimentError};
use experiment::{Effort, Options, Reproduction};

/// Reproduces published figures and compares the results with the printed values.
#[derive(Debug, Parser)]
#[command(name = "indistinct-experiments", version, about, max_term_width = 100)]
struct Arguments {
    /// The experiments to run, or `all`
    #[arg(required_unless_present = "list", value_name = "NAME")]
    names: Vec<String>,
    /// List the experiments and the tables that they require
    #[arg(long, exclusive = true)]
    list: bool,
    /// The directory for experiments.md and experiments/
    #[arg(short, long, value_name = "DIR", required_unless_present = "list")]
    output: Option<PathBuf>,
    /// The tables used in the papers, which are not included: a folder or a single file. File
    /// names: adult.csv, or adult.data and adult.test (Adult); nursery.data (Nursery); sal.csv or
    /// census.csv (SAL)
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// For a quick test, use few parameters, small tables, and a single run
    #[arg(long)]
    quick: bool,
    /// The seed for samples and synthetic tables
    #[arg(long, value_name = "S", default_value_t = indistinct_generate::DEFAULT_SEED)]
    seed: u64,
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            match error.downcast_ref::<ExperimentError>() {
                Some(known) => {
                    eprintln!(
                        "{}: {known}\n  help: {}",
                        known.code(),
                        known.help().unwrap_or_default()
                    );
                }
                None => eprintln!("{error}"),
            }
            ExitCode::from(2)
        }
    }
}

fn run(Arguments { names, list, output, data, quick, seed }: Arguments) -> Result<(), Error> {
    let (Some(output), false) = (output, list) else {
        print_list();
        return Ok(());
    };
    let effort = if quick { Effort::Quick } else { Effort::Full };
    let (all, files) = registry::to_files(&names, &Options { data, effort, seed }, &output)?;
    all.iter().for_each(print);
    println!("\nWrote {} files, including the report {}.", files.len(), files[0].display());
    Ok(())
}

fn print_list() {
    for experiment in registry::REGISTRY {
        let needs: Vec<&str> = experiment.needs.iter().map(|table| table.name).collect();
        let needs = match needs.is_empty() {
            true => "no file, because the table is synthetic".to_owned(),
            false => needs.join(", "),
        };
        println!("{:<16} {}\n{:<16} requires {needs}", experiment.name, experiment.title, "");
    }
}

fn print(one: &Reproduction) {
    println!("\n{}: {}", one.name, one.title);
    for row in &one.rows {
        let printed = match row.printed.as_str() {
            "" => String::new(),
            printed => format!(" (printed: {printed})"),
        };
        println!("  {}: {}{printed} – {}", row.verdict.word(), row.statement, row.computed);
    }
}

#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod tests;
