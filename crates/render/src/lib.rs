//! Documents of the crate `text` on a terminal and as HTML.
//!
//! [`terminal`] lays a document out for a width, with or without colors; [`html()`] marks it up for the
//! style sheet of the reports and the studio. Neither adds words of its own. Texts from a table may
//! contain characters that a terminal obeys or that are markup: both renderers escape them.

#![deny(missing_docs)]

mod html;
mod page;
mod plot;
mod terminal;

pub use html::{Level, block, blocks, html, section, text};
pub use page::{STYLE, page};
pub use plot::line_plot;
pub use terminal::{Color, is_obeyed, shown, shown_lines, terminal};
