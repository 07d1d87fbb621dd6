//! Experiments, their context, and their results.

use std::any::Any;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use indistinct_text::words;

use crate::comparison::{Row, over_seeds};
use crate::data::DataSet;
use crate::error::{Error, ExperimentError};
use crate::figure::{Panel, mean_panels};

/// An experiment that reproduces a figure from a paper.
#[derive(Debug)]
pub struct Experiment {
    /// The name on the command line.
    pub name: &'static str,
    /// The subject of the figure.
    pub title: &'static str,
    /// The location of the figure in the paper.
    pub source: &'static str,
    /// The tables that the experiment analyzes. A missing table is skipped if another table is
    /// available.
    pub needs: &'static [&'static DataSet],
    /// The function that computes the figure.
    pub work: Work,
}

/// A function that computes an experiment.
pub type Work = fn(&Lab<'_>) -> Result<Findings, Error>;

impl Experiment {
    /// Checks that at least one required table is available, before the computation starts.
    pub fn check_data(&self, data: Option<&Path>) -> Result<(), ExperimentError> {
        let mut missing = None;
        for table in self.needs {
            match table.find(data) {
                Ok(_) => return Ok(()),
                Err(error) => missing = missing.or(Some(error)),
            }
        }
        missing.map_or(Ok(()), Err)
    }

    /// Computes the figure.
    ///
    /// # Errors
    /// [`Error`] if a table is missing or is not the expected table.
    pub fn run(&self, lab: &Lab<'_>) -> Result<Reproduction, Error> {
        let Findings { setting, panels, rows, differences } = (self.work)(lab)?;
        let Experiment { name, title, source, .. } = *self;
        Ok(Reproduction { name, title, source, setting, panels, rows, differences })
    }
}

/// The extent of the computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// The same parameters and table sizes as in the paper, if known.
    #[default]
    Full,
    /// Few parameters, small tables, and a single run for a quick test.
    Quick,
}

/// Options for running experiments.
#[derive(Debug, Clone)]
pub struct Options {
    /// The path to a table, or to the folder that contains the tables.
    pub data: Option<PathBuf>,
    /// The extent of the computation.
    pub effort: Effort,
    /// The seed for samples.
    pub seed: u64,
}

/// The context of an experiment.
pub struct Lab<'a> {
    /// The options for running experiments.
    pub options: &'a Options,
    /// Results that all experiments on the same paper share.
    shared: OnceCell<Box<dyn Any>>,
}

impl<'a> Lab<'a> {
    /// Creates a context without shared results.
    pub fn new(options: &'a Options) -> Self {
        Self { options, shared: OnceCell::new() }
    }

    /// Selects one of two values, depending on the effort.
    pub fn by_effort<T>(&self, full: T, quick: T) -> T {
        match self.options.effort {
            Effort::Full => full,
            Effort::Quick => quick,
        }
    }

    /// Returns the seeds for random draws. A verdict on random draws requires several seeds.
    pub fn seeds(&self) -> Vec<u64> {
        (0..self.by_effort(5, 2)).map(|more| self.options.seed.wrapping_add(more)).collect()
    }

    /// Returns a result that all figures from one paper share. The first figure that needs the
    /// result computes it.
    ///
    /// # Panics
    /// Panics if figures from different papers store shared results, which is not supported.
    pub fn once<T: 'static>(
        &self,
        compute: impl FnOnce() -> Result<T, Error>,
    ) -> Result<&T, Error> {
        let shared = match self.shared.get() {
            Some(shared) => shared,
            None => {
                let computed = compute()?;
                self.shared.get_or_init(|| Box::new(computed))
            }
        };
        Ok(shared.downcast_ref().expect("only figures of the same paper share data"))
    }
}

/// The results of an experiment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// Sentences about the table and the parameters.
    pub setting: Vec<String>,
    /// The data for the plots.
    pub panels: Vec<Panel>,
    /// The comparison of the paper with the computed results.
    pub rows: Vec<Row>,
    /// Sentences about the differences between this experiment and the experiment in the paper.
    pub differences: Vec<String>,
}

impl Findings {
    /// Merges the results for all seeds: the mean of each plotted value, and a common verdict for
    /// each row.
    pub(crate) fn over_seeds(
        setting: String,
        seeds: &[u64],
        each: impl IntoIterator<Item = (Vec<Panel>, Vec<Row>)>,
    ) -> Self {
        let (panels, rows): (Vec<Vec<Panel>>, Vec<Vec<Row>>) = each.into_iter().unzip();
        Self {
            setting: vec![setting],
            panels: mean_panels(&panels),
            rows: over_seeds(seeds, rows),
            differences: Vec::new(),
        }
    }
}

/// The description and the results of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Reproduction {
    /// The name of the experiment.
    pub name: &'static str,
    /// The subject of the figure.
    pub title: &'static str,
    /// The location of the figure in the paper.
    pub source: &'static str,
    /// Sentences about the table and the parameters.
    pub setting: Vec<String>,
    /// The data for the plots.
    pub panels: Vec<Panel>,
    /// The comparison of the paper with the computed results.
    pub rows: Vec<Row>,
    /// Sentences about the differences between this experiment and the experiment in the paper.
    pub differences: Vec<String>,
}

/// Formats a list with a comma before `and`: `a`, `a and b`, `a, b, and c`.
pub(crate) fn list<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [init @ .., last] if init.len() > 1 => {
            let init: Vec<&str> = init.iter().map(AsRef::as_ref).collect();
            format!("{}, and {}", init.join(", "), last.as_ref())
        }
        _ => words::list(items),
    }
}
