//! What a figure shows, as data: the renderer decides how it is drawn.

mod bins;
mod ranges;

pub(crate) use bins::note;
pub use bins::{Bin, bins};
pub(crate) use ranges::{Range, ranges};

use crate::words;

/// A picture, to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Plot {
    /// Horizontal bars; a full bar has at least the given value.
    Bars(Vec<Bar>, f64),
    /// Pairs of horizontal bars.
    Pairs(Pairs),
    /// Vertical bars over bins.
    Histogram(Histogram),
    /// Shares by class, compared with the shares in all rows.
    Heat(Heat),
    /// The area below a falling curve.
    Curve(Curve),
    /// Step functions of risk.
    Steps(Vec<Steps>),
    /// Lines over a parameter.
    Lines(LinePlot),
}

/// The series that a shape belongs to; the style sheet gives it a color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Series {
    /// The release, or the only series.
    Main,
    /// The original table.
    Before,
    /// The sum of all values that are not shown.
    Rest,
}

/// One horizontal bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The label to the left of the bar.
    pub label: String,
    /// The length.
    pub value: f64,
    /// The value as text, to the right of the bar.
    pub text: String,
    /// The series.
    pub series: Series,
}

/// Pairs of horizontal bars: before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// The names of both series.
    pub names: [&'static str; 2],
    /// The least value of a full bar.
    pub full: f64,
}

/// Two bars for one thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The label to the left of both bars.
    pub label: String,
    /// The length of each bar and its value as text.
    pub values: [(f64, String); 2],
}

/// Vertical bars over bins of class sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// The bins.
    pub bins: Vec<Bin>,
    /// One series, or two side by side: the name, the color, and a value for each bin.
    pub series: Vec<(&'static str, Series, Vec<f64>)>,
    /// The unit of the vertical axis.
    pub unit: Unit,
    /// The name of the horizontal axis.
    pub axis: &'static str,
}

/// The unit of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A number.
    Number,
    /// A fraction, written as a percentage.
    Fraction,
}

impl Unit {
    /// A value of the axis.
    pub fn format(self, value: f64) -> String {
        match self {
            Unit::Number => words::number(value),
            Unit::Fraction => words::percent(value),
        }
    }
}

/// Shares by class, compared with the shares in all rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Heat {
    /// The label of each row, and its share in all rows.
    pub rows: Vec<(String, f64)>,
    /// For each column the share of each row.
    pub columns: Vec<Vec<f64>>,
    /// The name of the shares in all rows.
    pub whole: &'static str,
    /// The name of the horizontal axis.
    pub axis: &'static str,
    /// The name of a share without a difference, and the unit of the others.
    pub legend: [&'static str; 2],
}

/// The area below a falling curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The points, in ascending order of x, all above 0.
    pub points: Vec<(f64, f64)>,
    /// Further points, above 0.
    pub marks: Vec<(f64, f64)>,
    /// The names of the area and of the further points.
    pub names: [&'static str; 2],
    /// The names of both axes.
    pub axes: [&'static str; 2],
}

impl Curve {
    /// Both ends in words; `None` if there is no point. `at` describes an x.
    pub fn ends(&self, what: &str, at: impl Fn(f64) -> String) -> Option<String> {
        let ((first_x, first), (last_x, last)) = (self.points.first()?, self.points.last()?);
        let (first, last) = (words::number(*first), words::number(*last));
        Some(format!("{what}: {first} {}, {last} {}.", at(*first_x), at(*last_x)))
    }
}

/// A step function of risk.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps {
    /// The name, for the legend of several.
    pub name: &'static str,
    /// The series.
    pub series: Series,
    /// The risk, above 0 and at most 1, in descending order, with the share of rows at or above it.
    pub points: Vec<(f64, f64)>,
}

/// Lines over a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct LinePlot {
    /// The values of the parameter.
    pub labels: Vec<String>,
    /// The lines; up to five have a color and a shape each, up to 25 a combination of both.
    pub lines: Vec<Line>,
    /// The names of both axes.
    pub axes: [String; 2],
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The name in the legend.
    pub name: String,
    /// A value for each value of the parameter, at least 0; `None` if there is none.
    pub values: Vec<Option<f64>>,
}
