//! `indistinct-experiments`: figures of the literature, computed anew.
//!
//! One folder or file for each text, one entry of [`registry::REGISTRY`] for each figure. An experiment gives the data of its plots and,
//! for each sentence or number that the text has about them, a [`comparison::Row`]: what is printed, what came out, and whether that
//! agrees, or why it cannot be compared. Tables that are not shipped are named by the error, with where to get them.
//!
//! Everything but times is the same on each run: samples are drawn from the seed.

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

/// Computes figures of the literature anew, and compares them with what is printed.
#[derive(Debug, Parser)]
#[command(name = "indistinct-experiments", version, about, max_term_width = 100)]
struct Arguments {
    /// The experiments; `all` for all of them
    #[arg(required_unless_present = "list", value_name = "NAME")]
    names: Vec<String>,
    /// List the experiments, with the tables that they need
    #[arg(long, exclusive = true)]
    list: bool,
    /// Where to write experiments.md and experiments/
    #[arg(short, long, value_name = "DIR", required_unless_present = "list")]
    output: Option<PathBuf>,
    /// The tables that the texts are about, which are not shipped: a folder, or a file. Adult as adult.csv, or adult.data and adult.test;
    /// nursery.data; SAL as sal.csv or census.csv
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Few parameters, small tables and one run: a quick try
    #[arg(long)]
    quick: bool,
    /// Seed of samples and made-up tables
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
    println!("\nWrote {} files; read {}.", files.len(), files[0].display());
    Ok(())
}

fn print_list() {
    for experiment in registry::REGISTRY {
        let needs: Vec<&str> = experiment.needs.iter().map(|table| table.name).collect();
        let needs = match needs.is_empty() {
            true => "nothing: its table is made up".to_owned(),
            false => needs.join(", "),
        };
        println!("{:<16} {}\n{:<16} needs {needs}", experiment.name, experiment.title, "");
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
mod tests;
