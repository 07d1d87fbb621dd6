//! # discernibility
//!
//! **Definition.** The sum, over all rows, of the number of rows that are indistinguishable from
//! the row.
//! **Formula.** sum over classes of |C|^2 + suppressed rows * n.
//! **Parameters.** None.
//! **Level.** Between n and n^2, in pairs of rows; lower is better.
//! **Monotone.** Without suppression, merging classes never lowers the loss (test
//! `merging_never_lowers_class_losses`).
//! **Complexity.** O(classes).
//! **Errors.** None.
//! **Source.** Bayardo and Agrawal, ICDE 2005. Deviations: none.

use super::{Form, Loss, Sizes};
use crate::Status;

pub(super) static LOSS: Loss = Loss {
    name: "discernibility",
    definition: "the sum of the squared class sizes, where each suppressed row adds the number of \
        rows in the table",
    source: "Bayardo and Agrawal, ICDE 2005",
    status: Status::Stable,
    form: Form::Classes(discernibility),
};

fn discernibility(sizes: &Sizes) -> f64 {
    (sizes.squares + u128::from(sizes.n_suppressed) * u128::from(sizes.n_rows)) as f64
}
