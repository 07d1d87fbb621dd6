//! The (epsilon, m) trade-off between the distance and the number of sensitive values.

use indistinct_answers::advice::{EpsilonUnit, NumericAdvice, TradeOffPoint};
use indistinct_release::files;

use super::{cell, file, picture, table};
use crate::advice::findings::{epsilon_below, few_points};
use crate::document::{Figure, right};
use crate::plot::{Curve, Plot};
use crate::words;

/// Returns a plot of the upper limit of epsilon for each m.
pub(crate) fn trade_off(
    attribute: &str,
    numbers: &NumericAdvice,
    unit: EpsilonUnit,
    points: &[TradeOffPoint],
) -> Figure {
    let name = words::label(attribute);
    let lines = points.iter().map(|point| {
        let below = point.epsilon_below.map_or_else(String::new, |limit| limit.to_string());
        vec![point.m.to_string(), below]
    });
    let file = file(
        &format!("trade-off-{}-{}.csv", unit.as_str(), files::file_stem(attribute)),
        &["m", "epsilon_below"],
        lines,
    );
    let drawn: Vec<(f64, f64)> = points
        .iter()
        .filter_map(|point| {
            Some((point.m as f64, point.epsilon_below.filter(|limit| *limit > 0.0)?))
        })
        .collect();
    let marks: Vec<(f64, f64)> = numbers
        .required
        .iter()
        .filter(|required| required.unit == unit && required.epsilon > 0.0)
        .map(|required| (required.m, required.epsilon))
        .collect();
    let given = Curve {
        points: drawn,
        marks,
        names: ["within the bound", "required by the policy"],
        axes: ["m", "epsilon"],
    };
    let at = |m| format!("for m = {}", words::number(m));
    let content = match given.ends("Curve of the upper limit of epsilon", at) {
        Some(description) => {
            let rows = few_points(points).into_iter().map(|point| {
                vec![cell(words::thousands(point.m)), cell(epsilon_below(point.epsilon_below))]
            });
            let numbers = table(
                &format!("{name}: feasible epsilon, {}", unit.as_str()),
                &[right("m"), right("epsilon")],
                rows.collect(),
            );
            picture(Plot::Curve(given), description, numbers)
        }
        None => Err("No m above 1 is feasible, even for small epsilon.".into()),
    };
    Figure {
        title: format!("{name}: epsilon against m, {}", unit.as_str()).into(),
        caption:
            "Combinations below the edge of the area are feasible; those on the edge are not. A \
             larger m requires a smaller epsilon. Axes with a wide range are logarithmic."
                .into(),
        content,
        file,
    }
}
