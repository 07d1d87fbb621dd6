//! The data of a plot. The renderer determines the graphical representation.

mod bins;
mod ranges;

pub(crate) use bins::note;
pub use bins::{Bin, bins};
pub(crate) use ranges::{Range, ranges};

use crate::words;

/// A plot, independent of the output format.
#[derive(Debug, Clone, PartialEq)]
pub enum Plot {
    /// Horizontal bars, and the lower bound on the value that the full width represents.
    Bars(Vec<Bar>, f64),
    /// Pairs of horizontal bars.
    Pairs(Pairs),
    /// Vertical bars with one bar for each bin of class sizes.
    Histogram(Histogram),
    /// Frequencies by class, compared with the frequencies in all rows.
    Heat(Heat),
    /// The area below a falling curve.
    Curve(Curve),
    /// Step functions of the risk.
    Steps(Vec<Steps>),
    /// Lines as functions of a parameter.
    Lines(LinePlot),
}

/// The series to which a shape belongs. The style sheet assigns a color to each series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Series {
    /// The release, or the only series of a plot.
    Main,
    /// The original table.
    Before,
    /// The combination of all values without a separate bar.
    Rest,
}

/// One horizontal bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The label to the left of the bar.
    pub label: String,
    /// The length of the bar.
    pub value: f64,
    /// The value as text, on the right of the bar.
    pub text: String,
    /// The series of the bar.
    pub series: Series,
}

/// Pairs of horizontal bars, before and after anonymization.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// The names of the two series.
    pub names: [&'static str; 2],
    /// The lower bound on the value that the full width represents.
    pub full: f64,
}

/// Two bars for the same category.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The label to the left of the two bars.
    pub label: String,
    /// The length of each bar, and its value as text.
    pub values: [(f64, String); 2],
}

/// Vertical bars with one bar for each bin of class sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// The bins.
    pub bins: Vec<Bin>,
    /// One or two series, each with a name, a color, and a value for each bin.
    pub series: Vec<(&'static str, Series, Vec<f64>)>,
    /// The unit of the vertical axis.
    pub unit: Unit,
    /// The title of the horizontal axis.
    pub axis: &'static str,
}

/// The unit of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A number.
    Number,
    /// A fraction, displayed as a percentage.
    Fraction,
}

impl Unit {
    /// Formats a value of the axis.
    pub fn format(self, value: f64) -> String {
        match self {
            Unit::Number => words::number(value),
            Unit::Fraction => words::percent(value),
        }
    }
}

/// Frequencies by class, compared with the frequencies in all rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Heat {
    /// The label of each row, and its fraction in the whole table.
    pub rows: Vec<(String, f64)>,
    /// For each column, the fraction in each row.
    pub columns: Vec<Vec<f64>>,
    /// The heading of the column that contains the fractions in the whole table.
    pub whole: &'static str,
    /// The title of the horizontal axis.
    pub axis: &'static str,
    /// The label for zero deviation and the unit of the deviations in the legend.
    pub legend: [&'static str; 2],
}

/// The area below a falling curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The points in ascending order of x, with positive coordinates.
    pub points: Vec<(f64, f64)>,
    /// Additional points with positive coordinates.
    pub marks: Vec<(f64, f64)>,
    /// The names of the area and of the additional points in the legend.
    pub names: [&'static str; 2],
    /// The titles of both axes.
    pub axes: [&'static str; 2],
}

impl Curve {
    /// Describes both ends of the curve, or returns `None` if the curve has no points. `at`
    /// describes an x.
    pub fn ends(&self, what: &str, at: impl Fn(f64) -> String) -> Option<String> {
        let ((first_x, first), (last_x, last)) = (self.points.first()?, self.points.last()?);
        let (first, last) = (words::number(*first), words::number(*last));
        Some(format!("{what}: {first} {}, {last} {}.", at(*first_x), at(*last_x)))
    }
}

/// A step function of the risk.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps {
    /// The name in the legend, if the plot contains several functions.
    pub name: &'static str,
    /// The series of the function.
    pub series: Series,
    /// Pairs of a risk and the fraction of rows at or above it, in descending order of risk. Risks
    /// are above 0 and at most 1.
    pub points: Vec<(f64, f64)>,
}

/// Lines as functions of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct LinePlot {
    /// The parameter values.
    pub labels: Vec<String>,
    /// The lines. Up to five lines have distinct colors and shapes; up to 25 have distinct
    /// combinations.
    pub lines: Vec<Line>,
    /// The titles of both axes.
    pub axes: [String; 2],
}

/// One line of a [`LinePlot`].
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The name of the line in the legend.
    pub name: String,
    /// A nonnegative value for each parameter value, or `None` if a value is unavailable.
    pub values: Vec<Option<f64>>,
}
