//! The registry of experiments, and functions that run experiments and write the results.

use std::path::{Path, PathBuf};

use crate::error::{Error, ExperimentError};
use crate::experiment::{Experiment, Lab, Options, Reproduction};
use crate::{delta_l, epsilon_m, l_delta, l_diversity, tau_l, writing};

/// All experiments, in the order in which `all` runs them.
pub static REGISTRY: &[&Experiment] = &[
    &l_diversity::FIGURE_9,
    &l_diversity::FIGURE_11,
    &l_diversity::FIGURE_10,
    &l_diversity::FIGURE_12,
    &l_diversity::FIGURE_13,
    &l_diversity::FIGURE_14,
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
    &epsilon_m::BREACHES,
    &tau_l::FIGURE_5,
    &tau_l::FIGURE_6,
    &tau_l::FIGURE_7,
    &tau_l::FIGURE_8,
    &tau_l::IMPLIED,
    &l_delta::TABLE_2,
    &l_delta::FIGURE_1,
    &l_delta::FIGURE_2,
    &l_delta::HOSPITALS,
    &l_delta::CONJECTURE,
    &delta_l::CLAIMS,
];

/// Finds an experiment by its name; `all` selects every experiment.
///
/// # Errors
/// [`ExperimentError::NoSuchExperiment`] if the name is unknown.
pub fn named(name: &str) -> Result<Vec<&'static Experiment>, ExperimentError> {
    if name == "all" {
        return Ok(REGISTRY.to_vec());
    }
    let found = REGISTRY.iter().find(|experiment| experiment.name == name);
    let Some(&experiment) = found else {
        let known = REGISTRY.iter().map(|experiment| experiment.name).collect();
        return Err(ExperimentError::NoSuchExperiment { name: name.to_owned(), known });
    };
    Ok(vec![experiment])
}

/// Runs each named experiment once and writes the results. The report is `experiments.md`. For each
/// figure, the folder `experiments/` contains the data and the comparison as CSV files, and the
/// plots as SVG files. Existing files are never replaced.
///
/// # Errors
/// [`ExperimentError`] if a table is missing or is not the expected table, or if a file cannot be
/// written.
pub fn to_files(
    names: &[impl AsRef<str>],
    options: &Options,
    directory: &Path,
) -> Result<(Vec<Reproduction>, Vec<PathBuf>), Error> {
    let mut experiments: Vec<&'static Experiment> = Vec::new();
    for name in names {
        let others = named(name.as_ref())?;
        let is_new = |other: &&'static Experiment| {
            experiments.iter().all(|experiment| experiment.name != other.name)
        };
        let others: Vec<&'static Experiment> = others.into_iter().filter(is_new).collect();
        experiments.extend(others);
    }
    for experiment in &experiments {
        experiment.check_data(options.data.as_deref())?;
    }
    writing::check(directory)?;
    let lab = Lab::new(options);
    let all = experiments.into_iter().map(|experiment| experiment.run(&lab));
    let all = all.collect::<Result<Vec<Reproduction>, Error>>()?;
    let written = writing::write(&all, directory)?;
    Ok((all, written))
}
