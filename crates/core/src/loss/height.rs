//! # height
//!
//! **Definition.** How many generalization steps were taken.
//! **Formula.** sum over quasi-identifiers of the level.
//! **Parameters.** None. Weights do not apply.
//! **Level.** A whole number of steps; lower is better.
//! **Monotone.** Going one level up raises it by one (test `height_counts_steps`).
//! **Complexity.** O(attributes).
//! **Errors.** None.
//! **Source.** Samarati, TKDE 2001; TKDD 2007, Section 6. Deviations: none.

use super::{Form, Loss};
use crate::Status;

pub(super) static LOSS: Loss = Loss {
    name: "height",
    definition: "the number of generalization steps, summed over the quasi-identifiers",
    source: "Samarati, IEEE TKDE 2001",
    status: Status::Stable,
    form: Form::Levels(height),
};

fn height(levels: &[usize]) -> f64 {
    levels.iter().sum::<usize>() as f64
}
