//! The trade-off between classes and rows in a plan for several releases.

use crate::plot::{Line, LinePlot};
use crate::words;

/// A point of the trade-off between classes and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The number of classes per release.
    pub n_classes: u64,
    /// The number of rows per release according to the published formula.
    pub n_rows_text: u64,
    /// The number of rows per release for the actual number of classes.
    pub n_rows_actual_classes: u64,
}

/// Returns the plot and the description of the trade-off for a plan with the given `l` and `delta`.
pub fn trade_off(l: u64, delta: f64, points: &[Point]) -> (LinePlot, String) {
    let line = |name: &str, of: fn(&Point) -> u64| Line {
        name: name.to_owned(),
        values: points.iter().map(|point| Some(of(point) as f64)).collect(),
    };
    let plot = LinePlot {
        labels: points.iter().map(|point| words::thousands(point.n_classes)).collect(),
        lines: vec![
            line("N by the formula", |it| it.n_rows_text),
            line("N for the actual number of classes", |it| it.n_rows_actual_classes),
        ],
        axes: ["classes", "rows needed"].map(str::to_owned),
    };
    let of_point = points.iter().map(|point| {
        format!(
            "{} {}, or {} for their actual number",
            words::counted(point.n_classes, "class needs", "classes need"),
            words::rows(point.n_rows_text),
            words::thousands(point.n_rows_actual_classes)
        )
    });
    let description = format!(
        "Number of rows that a release requires, by number of classes, for l = {l} and delta = {}. \
         {}.",
        words::number(delta),
        of_point.collect::<Vec<_>>().join("; ")
    );
    (plot, description)
}
