//! # average-class-size
//!
//! **Definition.** The mean number of rows in a class. Suppressed rows are excluded, and so is the
//! class of suppressed rows that are shown as `*`.
//! **Formula.** (rows that are not suppressed) / (classes of these rows), or the number of rows if
//! all rows are suppressed.
//! **Parameters.** None.
//! **Level.** Between 1 and n, in rows; lower is better.
//! **Monotone.** Without suppression, merging classes never lowers the loss (test
//! `merging_never_lowers_class_losses`).
//! **Complexity.** O(1), given the number of classes.
//! **Errors.** None.
//! **Source.** LeFevre et al., ICDE 2006 (without their division by k). Deviations: none.

use super::{Form, Loss, Sizes};
use crate::Status;

pub(super) static LOSS: Loss = Loss {
    name: "average-class-size",
    definition: "the mean number of rows in a class, excluding suppressed rows",
    source: "LeFevre, DeWitt, Ramakrishnan, ICDE 2006",
    status: Status::Stable,
    form: Form::Classes(average_class_size),
};

fn average_class_size(sizes: &Sizes) -> f64 {
    match sizes.n_classes {
        0 => sizes.n_rows as f64,
        classes => (sizes.n_rows - sizes.n_suppressed) as f64 / classes as f64,
    }
}
