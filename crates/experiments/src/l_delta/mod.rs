//! Experiments for the (l, delta)-diversity paper: two tables that together reveal a patient (Table
//! 2), and the sample sizes in Figures 1 and 2. Two experiments go beyond the paper: a simulation
//! of hospitals that share patients, and a test of the conjecture in Section 5 for varying numbers
//! of rows.

mod agency;
mod conjecture;
mod hospitals;
mod samples;
mod two_tables;

pub(crate) use conjecture::CONJECTURE;
pub(crate) use hospitals::HOSPITALS;
pub(crate) use samples::{FIGURE_1, FIGURE_2};
pub(crate) use two_tables::TABLE_2;
