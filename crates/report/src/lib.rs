//! The two reports of a release: one page for everybody, one for the holder of the table.
//!
//! [`release_page`] is told only what the released files show, so that the page can lie beside them; [`private_page`]
//! knows the original as well. Both return one HTML page that loads nothing and runs nothing: styles are inline,
//! pictures are inline SVG, and a content security policy in the page forbids the rest, because labels come from
//! tables that nobody vouches for. The numbers behind each picture are files in a folder beside the page.
//!
//! The same input gives the same bytes: no clock, no environment, no iteration over a hash map.

#![deny(missing_docs)]

mod advice_page;
pub mod advice_text;
mod again;
mod comparison_page;
pub mod comparison_text;
mod exhibits;
mod layout;
mod limits;
mod parts;
pub mod pieces;
mod plot;
mod private_facts;
mod private_page;
mod release_page;
mod search_section;
mod separation_page;
mod why;

pub use indistinct_release::words;

pub use advice_page::advice_page;
pub use again::{check_report, in_order_of, n_levels, report_of};
pub use comparison_page::comparison_page;
pub use exhibits::{
    ClassContrast, Contrast, Group, Marginal, PlotFile, ReleaseFigures, Report, SensitiveColumn,
};
pub use plot::lines::{Line, LinePlot, line_plot};
pub use private_facts::{
    DroppedColumn, InputFacts, PrivatePage, Reason, SensitiveValues, Suppression,
};
pub use private_page::private_page;
pub use release_page::{ColumnSummary, ReleasePage, release_page};
