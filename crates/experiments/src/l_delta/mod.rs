//! The (l, delta)-diversity text: its two tables that reveal a patient (Table 2), the sample sizes of its Figures 1 and 2, and, beyond the
//! text, a simulation of hospitals with patients in common.

mod agency;
mod hospitals;
mod samples;
mod two_tables;

pub(crate) use hospitals::HOSPITALS;
pub(crate) use samples::{FIGURE_1, FIGURE_2};
pub(crate) use two_tables::TABLE_2;
