//! What an experiment is, what it works with, and what comes out of it.

use std::any::Any;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use crate::comparison::{Row, over_seeds};
use crate::data::DataSet;
use crate::error::{Error, ExperimentError};
use crate::figure::{Panel, mean_panels};

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
    pub work: Work,
}

/// How an experiment is computed.
pub type Work = fn(&Lab<'_>) -> Result<Findings, Error>;

impl Experiment {
    /// Whether one of the tables is there that it is about, before anything is computed.
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
    /// [`Error`] if a table is missing or is not the one meant.
    pub fn run(&self, lab: &Lab<'_>) -> Result<Reproduction, Error> {
        let Findings { setting, panels, rows, differences } = (self.work)(lab)?;
        let Experiment { name, title, source, .. } = *self;
        Ok(Reproduction { name, title, source, setting, panels, rows, differences })
    }
}

/// How much is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// As much as the text, where that is known.
    #[default]
    Full,
    /// Few parameters, small tables and one run: a quick try.
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

/// What an experiment works with.
pub struct Lab<'a> {
    /// How it is run.
    pub options: &'a Options,
    /// What the experiments of one text compute once.
    shared: OnceCell<Box<dyn Any>>,
}

impl<'a> Lab<'a> {
    /// A lab in which nothing is computed yet.
    pub fn new(options: &'a Options) -> Self {
        Self { options, shared: OnceCell::new() }
    }

    /// One of two, by the effort.
    pub fn by_effort<T>(&self, full: T, quick: T) -> T {
        match self.options.effort {
            Effort::Full => full,
            Effort::Quick => quick,
        }
    }

    /// The seeds of what is drawn: a verdict on a draw rests on several.
    pub fn seeds(&self) -> Vec<u64> {
        (0..self.by_effort(5, 2)).map(|more| self.options.seed.wrapping_add(more)).collect()
    }

    /// What the figures of one text share: computed by the first of them.
    ///
    /// # Panics
    /// If the figures of two texts share something: then this takes a map.
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
        Ok(shared.downcast_ref().expect("the figures of one text alone share something"))
    }
}

/// What came out of an experiment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// On which table, with which parameters: sentences.
    pub setting: Vec<String>,
    /// The data of the plots.
    pub panels: Vec<Panel>,
    /// What the text says, against what came out.
    pub rows: Vec<Row>,
    /// Why what came out differs from what is printed: sentences.
    pub differences: Vec<String>,
}

impl Findings {
    /// What came out with each seed, as one: the means of the plots, and a verdict on all of them.
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

/// What came out of an experiment, and what it was.
#[derive(Debug, Clone, PartialEq)]
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
