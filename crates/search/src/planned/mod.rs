//! # Classes for a plan
//!
//! The central agency of (l, delta)-diversity chooses classes before anybody has data. [`greedy()`] finds the most classes for a
//! threshold p, [`trade_off()`] every choice between classes and rows. What a plan is and promises is
//! [`indistinct_linkage::planned`]; it needs none of this.

mod greedy;
mod trade_off;

pub use greedy::{Cut, greedy, greedy_plan};
pub use trade_off::{Choices, Detail, Job, Largest, Point, RowBound, Run, trade_off};
