//! The style of the reports and some of their pictures, for pages that are put together elsewhere.

use indistinct_answers::comparison::Comparison;

use crate::comparison_page;

/// The style of every page: colors for light, dark and paper, cards, tables, figures and pictures.
pub const STYLE: &str = crate::layout::STYLE;

/// The picture of least loss at each risk with its numbers, as HTML; `None` where no choice gives a release.
pub fn frontier(comparison: &Comparison) -> Option<String> {
    comparison.has_any().then(|| comparison_page::frontier(comparison).into_string())
}
