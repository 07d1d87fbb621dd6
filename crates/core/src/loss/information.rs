//! The information that generalized rows retain, secrets included ((tau, l) text, Definition 5).
//!
//! A value retains 1 / (base values below it), a row the sum over its attributes, and the utility of a generalized table is
//! the share of the original's information that it retains. A row that is released as it was retains as many as it has
//! attributes; the root retains 1 / base values, never 0 (reading E-11).

use crate::model::{Rational, Taxonomy};

/// The information of one row; `None` if a label is not in its attribute's taxonomy.
pub fn of_row<'a>(cells: impl IntoIterator<Item = (&'a Taxonomy, &'a str)>) -> Option<Rational> {
    let zero = Rational::from_integer(0);
    cells.into_iter().try_fold(zero, |sum, (taxonomy, label)| {
        Some(sum + taxonomy.information(taxonomy.node_of(label)?))
    })
}

/// The share of the information of the original rows that the generalized ones retain; `None` for no rows.
pub fn utility(original: &[Rational], generalized: &[Rational]) -> Option<f64> {
    let sum = |rows: &[Rational]| rows.iter().map(crate::model::to_f64).sum::<f64>();
    let all = sum(original);
    (all > 0.0).then(|| sum(generalized) / all)
}
