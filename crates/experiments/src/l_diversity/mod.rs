//! Reproduces Section 6 of the l-diversity paper (Machanavajjhala et al., TKDD 2007). The inputs
//! are Adult and a synthetic table with the domains of the Lands End table, which is not public.

mod adult;
mod divergence;
mod homogeneity;
mod lands_end;
mod lands_end_printed;
mod performance;
#[cfg(test)]
pub(crate) mod tests;
mod utility;

pub(crate) use adult::read as adult;
pub(crate) use divergence::{FIGURE_19, FIGURE_20};
pub(crate) use homogeneity::{FIGURE_9, FIGURE_11};
pub(crate) use lands_end::{FIGURE_10, FIGURE_12, FIGURE_14};
pub(crate) use performance::FIGURE_13;
pub(crate) use utility::{FIGURE_15, FIGURE_16, FIGURE_17, FIGURE_18};

use crate::data::Table;
use crate::search::RequestedPrinciple;
use indistinct_text::words;

/// The number of rows in the table used in the paper.
const TEXT_ROWS: usize = 45_222;

/// The values of k = l in the utility figures.
const PARAMETERS: [u64; 5] = [2, 4, 6, 8, 10];

/// A function that returns the principle for a parameter.
type RequestedBy = fn(u64) -> RequestedPrinciple;

/// The three principles in the utility figures, with their names in the legends.
const PRINCIPLES: [(&str, RequestedBy); 3] = [
    ("k-anonymity", RequestedPrinciple::k),
    ("entropy l-diversity", RequestedPrinciple::entropy),
    ("recursive (3, l)-diversity", RequestedPrinciple::recursive),
];

/// States the number of rows in the available table, and the number of rows in the paper.
fn about(table: &Table) -> String {
    let rows = words::rows(table.n_rows() as u64);
    let left_out = match table.n_left_out {
        0 => String::new(),
        n => format!(" ({} rows with missing values are omitted)", words::thousands(n as u64)),
    };
    match table.n_rows() == TEXT_ROWS {
        true => {
            format!("The experiment uses the Adult table with {rows}{left_out}, as in the paper.")
        }
        false => format!(
            "The experiment uses the Adult table with {rows}{left_out}. The paper uses 45,222 rows."
        ),
    }
}

/// Words for a minimum share of the rows in a class.
fn at_least(percent: i128) -> String {
    match percent {
        100 => "all".to_owned(),
        _ => format!("at least {percent}% of"),
    }
}

/// Explains a difference in the number of rows, if there is one.
fn why_other_rows(table: &Table) -> Option<String> {
    let share = table.n_rows() as f64 / TEXT_ROWS as f64;
    (table.n_rows() != TEXT_ROWS).then(|| {
        format!(
            "The paper combines both parts of Adult (adult.data and adult.test) and removes rows \
             with missing values, which results in 45,222 rows. The available table has {}, which \
             is {} of that number.",
            words::rows(table.n_rows() as u64),
            words::percent(share),
        )
    })
}

const INFERRED_HIERARCHIES: &str = "\
    The paper uses the hierarchies of LeFevre et al. (2005), which it does not print. This \
    experiment uses hierarchies that have the heights given in Figure 7 and reproduce all numbers \
    of Figures 9 and 11 (reading B-19).";
