//! Reproduces Section 6 of the (epsilon, m)-anonymity paper (Li, Tao, Xiao, SIGMOD 2008). The input
//! is a file that contains the table SAL used in the paper, if available, and otherwise synthetic
//! incomes over the same domains.

mod breaches;
mod errors;
mod limits;
mod release;
#[cfg(test)]
mod tests;
mod time;

pub(crate) use breaches::BREACHES;
pub(crate) use errors::{FIGURE_4, FIGURE_5, FIGURE_6};
pub(crate) use time::FIGURE_7;

use indistinct_core::{FrequencyTable, Hierarchy, parse_decimal};
use indistinct_text::words;

use crate::comparison::Agreement;
use crate::data::{Salaries, salaries};
use crate::error::Error;
use crate::experiment::Lab;
use crate::search::RequestedPrinciple;

/// The number of rows in the table used in the paper.
const TEXT_ROWS: u64 = 500_000;

/// The kind of neighborhood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Near {
    /// An absolute distance of at most epsilon.
    Absolute,
    /// A relative distance of at most epsilon.
    Relative,
}

impl Near {
    fn word(self) -> &'static str {
        match self {
            Near::Absolute => "absolute",
            Near::Relative => "relative",
        }
    }

    /// Returns the value of epsilon in Figures 5 and 6 of the paper.
    fn middle(self) -> &'static str {
        match self {
            Near::Absolute => "4500",
            Near::Relative => "0.125",
        }
    }
}

/// Returns (epsilon, m)-anonymity for the income.
fn requested(near: Near, epsilon: &str, m: u64) -> RequestedPrinciple {
    let epsilon = parse_decimal(epsilon).expect("an epsilon of the experiment is a decimal number");
    RequestedPrinciple {
        kind: "epsilon-m-anonymity",
        numbers: vec![
            ("epsilon", epsilon),
            ("m", indistinct_core::Rational::from_integer(i128::from(m))),
        ],
        words: vec![("neighborhood", near.word())],
    }
}

/// The table SAL, or a synthetic table.
struct Incomes {
    table: FrequencyTable,
    hierarchies: Vec<Hierarchy>,
    /// Whether the incomes come from a file.
    is_real: bool,
    about: String,
}

impl Incomes {
    fn new(lab: &Lab<'_>) -> Result<Self, Error> {
        let n_rows = lab.by_effort(TEXT_ROWS, 5_000);
        let seed = lab.options.seed;
        Ok(Self::from_salaries(salaries(lab.options.data.as_deref(), n_rows, seed)?, seed))
    }

    fn from_salaries(salaries: Salaries, seed: u64) -> Self {
        let Salaries { table, hierarchies, file, n_left_out } = salaries;
        let rows = words::rows(table.n_rows());
        let domains =
            "age 16 to 93, birthplace 1 to 710, occupation 1 to 983, income 1,000 to 100,000";
        let about = match &file {
            Some(file) => format!(
                "The table contains {rows} from the file '{}' ({domains}). {} outside these \
                 domains are omitted. The paper uses 500,000 rows.",
                file.file_name()
                    .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
                words::rows(n_left_out)
            ),
            None => format!(
                "The table is synthetic: `generate salary` creates {rows} with seed {seed} over \
                 the domains given in the paper ({domains}). The paper uses 500,000 rows from a \
                 census."
            ),
        };
        Self { table, hierarchies, is_real: file.is_some(), about }
    }

    /// Returns the verdict on the magnitude of a result. Magnitudes are not comparable for
    /// synthetic incomes.
    fn on_height(&self, agrees: bool) -> Agreement {
        if self.is_real { Agreement::from(agrees) } else { Agreement::NotComparable }
    }

    /// Explains differences from the paper if the incomes are synthetic.
    fn why(&self) -> Option<String> {
        (!self.is_real).then(|| WHY_SYNTHETIC.to_owned())
    }
}

/// The reason stated in verdicts about the magnitude of results for synthetic incomes.
const OWN_HEIGHT: &str = "\
    the result depends on the distribution of incomes and is therefore not comparable for \
    synthetic incomes";

const WHY_SYNTHETIC: &str = "\
    The table SAL used in the paper is not included. If the --data folder contains this table \
    (sal.csv or census.csv, with age, birthplace, occupation, and income), the figures are \
    computed from it. The synthetic incomes have the same domains as SAL but a different \
    distribution, in which people round incomes and some occupations pay more. Only the statements \
    in the paper about shapes can be compared, because the paper does not list the plotted \
    numbers.";
