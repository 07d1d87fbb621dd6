//! The (epsilon, m)-anonymity text (Li, Tao, Xiao, SIGMOD 2008), Section 6, on made-up incomes over the domains of its table.

mod errors;
mod limits;
mod release;
mod time;

pub(crate) use errors::{FIGURE_4, FIGURE_5, FIGURE_6};
pub(crate) use time::FIGURE_7;

use indistinct_core::{FrequencyTable, Hierarchy, parse_decimal};
use indistinct_report::words;

use crate::data::salary;
use crate::error::Error;
use crate::experiment::Lab;
use crate::search::Asked;

/// Rows of the text's table.
const TEXT_ROWS: u64 = 500_000;

/// What a neighborhood is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Near {
    /// Within epsilon.
    Absolute,
    /// Within a share of epsilon.
    Relative,
}

impl Near {
    fn word(self) -> &'static str {
        match self {
            Near::Absolute => "absolute",
            Near::Relative => "relative",
        }
    }

    /// The neighborhood of the text's Figures 5 and 6.
    fn middle(self) -> &'static str {
        match self {
            Near::Absolute => "4500",
            Near::Relative => "0.125",
        }
    }
}

/// (epsilon, m)-anonymity of the income.
fn asked(near: Near, epsilon: &str, m: u64) -> Asked {
    let epsilon = parse_decimal(epsilon).expect("an epsilon of the experiment is a decimal");
    Asked {
        kind: "epsilon-m-anonymity",
        numbers: vec![
            ("epsilon", epsilon),
            ("m", indistinct_core::Rational::from_integer(i128::from(m))),
        ],
        words: vec![("neighborhood", near.word())],
    }
}

/// The made-up table.
struct Incomes {
    table: FrequencyTable,
    hierarchies: Vec<Hierarchy>,
}

impl Incomes {
    fn new(lab: &Lab<'_>) -> Result<Self, Error> {
        let n_rows = lab.by_effort(TEXT_ROWS, 5_000);
        let (table, hierarchies) = salary(n_rows, lab.options.seed)?;
        Ok(Self { table, hierarchies })
    }

    fn about(&self, lab: &Lab<'_>) -> String {
        format!(
            "Synthetic: {} made up by `generate salary` from seed {} over the domains of the text (age 16 to 93, birthplace 1 to 710, \
             occupation 1 to 983, income 1,000 to 100,000). Nobody in them exists; the text has 500,000 rows of a census.",
            words::rows(self.table.n_rows()),
            lab.options.seed
        )
    }
}

const WHY_SYNTHETIC: &str = "The text's table SAL is not public. The made-up incomes have its domains, not its distribution: people round \
     incomes, some occupations pay more, and so on. Only the sentences of the text can be compared, not its plots, of which no number \
     survives.";
