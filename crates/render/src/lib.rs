//! Renders documents of the crate `text` for terminals and as HTML.
//!
//! [`terminal`] formats a document for a given width, with or without colors. [`html()`] adds
//! markup for the style sheet of the reports and the studio. Neither renderer adds text. Strings
//! from a table may contain terminal control characters or markup; both renderers escape them.

#![deny(missing_docs)]

mod html;
mod page;
mod plot;
mod terminal;

pub use html::{Level, block, blocks, html, section, text};
pub use page::{STYLE, page};
pub use plot::{line_plot, ticks};
pub use terminal::{Color, is_obeyed, shown, shown_lines, terminal, wrapped};
