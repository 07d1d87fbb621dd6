//! # height
//!
//! **Definition.** The number of generalization steps.
//! **Formula.** sum of the levels over all quasi-identifiers.
//! **Parameters.** None. Weights are ignored.
//! **Level.** An integer number of steps; lower is better.
//! **Monotone.** Going one level up increases the height by one (test `height_is_sum_of_levels`).
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
