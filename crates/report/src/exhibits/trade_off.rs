//! The (epsilon, m) trade-off: how near sensitive values may be told for how many of them to be left.

use indistinct_answers::advice::{EpsilonUnit, NumericAdvice, TradeOffPoint};
use indistinct_release::files;

use super::{Exhibit, PlotFile, csv};
use crate::advice_text::{epsilon_below, few_points};
use crate::layout::{Column, cell, table};
use crate::plot::{Curve, curve};
use crate::words;

/// What epsilon must stay below for each m.
pub(crate) fn trade_off(
    attribute: &str,
    numbers: &NumericAdvice,
    unit: EpsilonUnit,
    points: &[TradeOffPoint],
) -> Exhibit {
    let name = words::label(attribute);
    let lines = points.iter().map(|point| {
        let below = point.epsilon_below.map_or_else(String::new, |limit| limit.to_string());
        vec![point.m.to_string(), below]
    });
    let file = PlotFile::new(
        &format!("trade-off-{}-{}.csv", unit.as_str(), files::file_stem(attribute)),
        csv(&["m", "epsilon_below"], lines),
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
        points: &drawn,
        marks: &marks,
        names: ["within the bound", "required by the policy"],
        axes: ["m", "epsilon"],
    };
    let at = |m| format!("for m = {}", words::number(m));
    let shown = match given.ends("Curve of what epsilon must stay below", at) {
        Some(description) => {
            let rows = few_points(points).into_iter().map(|point| {
                vec![cell(words::thousands(point.m)), cell(epsilon_below(point.epsilon_below))]
            });
            let numbers = table(
                &format!("{name}: what epsilon must stay below, {}", unit.as_str()),
                &[("m", Column::Number), ("epsilon", Column::Number)],
                rows.collect(),
            );
            Ok((curve(&given, &description), numbers))
        }
        None => Err("No m above 1 is reachable, however small epsilon is."),
    };
    Exhibit {
        title: format!("{name}: epsilon against m, {}", unit.as_str()),
        how_to_read:
            "What lies below the edge of the area is reachable, the edge itself is not: the larger m, the smaller epsilon must be. \
             Scales that cover a wide range are logarithmic."
                .to_owned(),
        shown,
        file,
    }
}
