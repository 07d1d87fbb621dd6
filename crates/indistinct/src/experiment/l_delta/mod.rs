//! The (l, delta)-diversity text: its two tables that reveal a patient (Table 2), the sample sizes of its Figures 1 and 2, and, beyond the
//! text, a simulation of hospitals with patients in common.

mod agency;
mod hospitals;
mod samples;
mod two_tables;

pub(super) use hospitals::HOSPITALS;
pub(super) use samples::{FIGURE_1, FIGURE_2};
pub(super) use two_tables::TABLE_2;
