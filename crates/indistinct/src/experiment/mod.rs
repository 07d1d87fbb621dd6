//! Figures of the literature, computed anew: `indistinct experiment`.
//!
//! One folder or file for each text, one entry of [`REGISTRY`] for each figure. An experiment gives the data of its plots and, for each
//! sentence or number that the text has about them, a [`Row`]: what is printed, what came out, and whether that agrees, or why it
//! cannot be compared. Tables that the product does not ship are named by the error, with where to get them.
//!
//! Everything but times is the same on each run: samples are drawn from the seed.

mod comparison;
mod data;
mod epsilon_m;
mod figure;
mod l_delta;
mod l_diversity;
mod search;
mod tau_l;
mod writing;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use indistinct_core::Observer;
use serde::Serialize;

pub use comparison::{Row, Verdict};
pub use data::{ADULT, DataSet, NURSERY};
pub use figure::{Panel, Series};

use crate::error::Error;

/// A figure of a text.
#[derive(Debug)]
pub struct Experiment {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Where it is printed.
    pub source: &'static str,
    /// The tables that it is about; each is left out where it is not there, if another one is.
    pub needs: &'static [&'static DataSet],
    /// What it does.
    work: Work,
}

type Work = fn(&Lab<'_>) -> Result<Findings, Error>;

/// All experiments, in the order of `all`.
pub static REGISTRY: &[&Experiment] = &[
    &l_diversity::FIGURE_9,
    &l_diversity::FIGURE_11,
    &l_diversity::FIGURE_13,
    &l_diversity::FIGURE_15,
    &l_diversity::FIGURE_16,
    &l_diversity::FIGURE_17,
    &l_diversity::FIGURE_18,
    &l_diversity::FIGURE_19,
    &l_diversity::FIGURE_20,
    &epsilon_m::FIGURE_4,
    &epsilon_m::FIGURE_5,
    &epsilon_m::FIGURE_6,
    &epsilon_m::FIGURE_7,
    &tau_l::FIGURE_5,
    &tau_l::FIGURE_6,
    &tau_l::FIGURE_7,
    &tau_l::FIGURE_8,
    &l_delta::TABLE_2,
    &l_delta::FIGURE_1,
    &l_delta::FIGURE_2,
    &l_delta::HOSPITALS,
];

impl Experiment {
    /// Whether one of the tables is there that it is about, before anything is computed.
    fn check_data(&self, data: Option<&Path>) -> Result<(), Error> {
        let mut missing = None;
        for table in self.needs {
            match table.find(data) {
                Ok(_) => return Ok(()),
                Err(error) => missing = missing.or(Some(error)),
            }
        }
        missing.map_or(Ok(()), Err)
    }
}

/// How much is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// As much as the text, where that is known.
    #[default]
    Full,
    /// Few parameters, small tables and one run: to see whether it works.
    Quick,
}

/// How experiments are run.
#[derive(Debug, Clone)]
pub struct Options {
    /// A file, or a folder in which the tables are looked for.
    pub data: Option<PathBuf>,
    /// How much is computed.
    pub effort: Effort,
    /// What samples are drawn from.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { data: None, effort: Effort::Full, seed: 7 }
    }
}

/// What several experiments compute once.
#[derive(Debug, Default)]
struct Shared {
    tau_l: OnceCell<Vec<tau_l::Runs>>,
}

/// What an experiment works with.
struct Lab<'a> {
    options: &'a Options,
    observer: &'a dyn Observer,
    shared: &'a Shared,
}

impl Lab<'_> {
    /// One of two, by the effort.
    fn by_effort<T>(&self, full: T, quick: T) -> T {
        match self.options.effort {
            Effort::Full => full,
            Effort::Quick => quick,
        }
    }

    fn check(&self) -> Result<(), Error> {
        if self.observer.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

/// What came out of an experiment.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Findings {
    setting: Vec<String>,
    panels: Vec<Panel>,
    rows: Vec<Row>,
    differences: Vec<String>,
}

/// What came out of an experiment, and what it was.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reproduction {
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Where it is printed.
    pub source: &'static str,
    /// On which table, with which parameters: sentences.
    pub setting: Vec<String>,
    /// The data of the plots.
    pub panels: Vec<Panel>,
    /// What the text says, against what came out.
    pub rows: Vec<Row>,
    /// Why what came out differs from what is printed: sentences.
    pub differences: Vec<String>,
}

/// The experiments of a name, or all that are there.
///
/// # Errors
/// [`Error::NoSuchExperiment`].
pub fn named(name: &str) -> Result<Vec<&'static Experiment>, Error> {
    if name == "all" {
        return Ok(REGISTRY.to_vec());
    }
    let found = REGISTRY.iter().find(|experiment| experiment.name == name);
    let Some(&experiment) = found else {
        let known = REGISTRY.iter().map(|experiment| experiment.name.to_owned()).collect();
        return Err(Error::NoSuchExperiment { name: name.to_owned(), known });
    };
    Ok(vec![experiment])
}

/// Runs an experiment.
///
/// # Errors
/// [`Error`] if a table is missing or is not the one meant, or the observer cancels.
pub fn run(
    experiment: &'static Experiment,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Reproduction, Error> {
    run_in(&Lab { options, observer, shared: &Shared::default() }, experiment)
}

fn run_in(lab: &Lab<'_>, experiment: &'static Experiment) -> Result<Reproduction, Error> {
    let Findings { setting, panels, rows, differences } = (experiment.work)(lab)?;
    let Experiment { name, title, source, .. } = *experiment;
    Ok(Reproduction { name, title, source, setting, panels, rows, differences })
}

/// Runs all experiments of a name and writes what came out: `experiments.md`, and beside it in `experiments/` for each figure its data
/// and its comparison as CSV and its plots as SVG. Nothing that is there is replaced.
///
/// # Errors
/// [`Error`] as for [`run`]; [`Error::Release`] if a file cannot be written.
pub fn to_files(
    name: &str,
    options: &Options,
    directory: &Path,
    observer: &dyn Observer,
) -> Result<(Vec<Reproduction>, Vec<PathBuf>), Error> {
    let experiments = named(name)?;
    for experiment in &experiments {
        experiment.check_data(options.data.as_deref())?;
    }
    writing::check(directory)?;
    let shared = Shared::default();
    let lab = Lab { options, observer, shared: &shared };
    let all = experiments.into_iter().map(|experiment| run_in(&lab, experiment));
    let all = all.collect::<Result<Vec<Reproduction>, Error>>()?;
    let written = writing::write(&all, directory)?;
    Ok((all, written))
}

#[cfg(test)]
mod tests;
