//! # Classes for a plan
//!
//! The central agency of (l, delta)-diversity chooses classes before any data is collected.
//! [`greedy()`] finds the largest number of classes for a threshold p, and [`trade_off()`] computes
//! every trade-off between the number of classes and the number of rows.
//! [`indistinct_linkage::planned`] defines a plan and its guarantee, and does not depend on this
//! module.

mod greedy;
mod trade_off;

pub use greedy::{Cut, greedy, greedy_plan};
pub use trade_off::{Choices, Detail, Job, Largest, Point, RowBound, Run, trade_off};
