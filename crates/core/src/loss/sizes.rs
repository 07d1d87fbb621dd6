//! Losses that depend only on the class sizes or only on the levels.
//!
//! ## average-class-size
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
//!
//! ## discernibility
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
//!
//! ## height
//!
//! **Definition.** The number of generalization steps.
//! **Formula.** sum of the levels over all quasi-identifiers.
//! **Parameters.** None. Weights are ignored.
//! **Level.** An integer number of steps; lower is better.
//! **Monotone.** Going one level up increases the height by one (test `height_is_sum_of_levels`).
//! **Complexity.** O(attributes).
//! **Errors.** None.
//! **Source.** Samarati, TKDE 2001; TKDD 2007, Section 6. Deviations: none.

use super::{Form, Loss, Sizes};
use crate::Status;

pub(super) static AVERAGE_CLASS_SIZE: Loss = Loss {
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

pub(super) static DISCERNIBILITY: Loss = Loss {
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

pub(super) static HEIGHT: Loss = Loss {
    name: "height",
    definition: "the number of generalization steps, summed over the quasi-identifiers",
    source: "Samarati, IEEE TKDE 2001",
    status: Status::Stable,
    form: Form::Levels(height),
};

fn height(levels: &[usize]) -> f64 {
    levels.iter().sum::<usize>() as f64
}
