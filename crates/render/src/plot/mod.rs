//! Pictures as inline SVG.
//!
//! Shapes have CSS classes instead of colors. The style sheet of the page defines their colors in
//! light mode, in dark mode, and in print.

mod bars;
mod canvas;
mod curve;
mod heat;
mod histogram;
mod lines;
mod steps;

use indistinct_text::{Picture, Plot};
use maud::{Markup, PreEscaped};

pub use canvas::ticks;
pub use lines::line_plot;

/// Draws a picture as an `svg` element.
pub(crate) fn draw(picture: &Picture) -> Markup {
    let description = &picture.description;
    match &picture.plot {
        Plot::Bars(bars, full) => bars::bars(bars, *full, description),
        Plot::Pairs(pairs) => bars::paired_bars(pairs, description),
        Plot::Histogram(plot) => histogram::histogram(plot, description),
        Plot::Heat(plot) => heat::heat(plot, description),
        Plot::Curve(plot) => curve::curve(plot, description),
        Plot::Steps(series) => steps::steps(series, description),
        Plot::Lines(plot) => PreEscaped(line_plot(plot, description)),
    }
}
