//! Pictures as inline SVG.
//!
//! Shapes have CSS classes in place of colors, so that the style sheet of the page decides how they look in light mode, in
//! dark mode, and on paper.

mod bars;
mod bins;
mod canvas;
mod curve;
mod heat;
mod histogram;
pub(crate) mod lines;
mod ranges;
mod steps;

pub(crate) use bars::{Bar, Pair, bars, paired_bars};
pub(crate) use bins::{Bin, bins, note};
pub(crate) use canvas::Paint;
pub(crate) use curve::{Curve, curve};
pub(crate) use heat::{Heat, heat};
pub(crate) use histogram::{Series, histogram, range};
pub(crate) use ranges::{Range, ranges};
pub(crate) use steps::{Steps, steps};

/// A picture: an `svg` element, for the page to embed as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture(pub(crate) String);
