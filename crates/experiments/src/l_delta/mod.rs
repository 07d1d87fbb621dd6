//! The (l, delta)-diversity text: its two tables that reveal a patient (Table 2), the sample sizes of its Figures 1 and 2, and, beyond the
//! text, a simulation of hospitals with patients in common, and a sweep over the number of rows
//! for the conjecture of its Section 5.

mod agency;
mod conjecture;
mod hospitals;
mod samples;
mod two_tables;

pub(crate) use conjecture::CONJECTURE;
pub(crate) use hospitals::HOSPITALS;
pub(crate) use samples::{FIGURE_1, FIGURE_2};
pub(crate) use two_tables::TABLE_2;
