//! What the pages show in pictures: each with one sentence on how to read it, the numbers behind it, and the same numbers
//! as a file beside the page.
//!
//! The files of a release have fixed names ([`report_files`](indistinct_release::files::report_files)).

mod class_sizes;
mod contrast;
mod down;
mod file;
mod loss;
mod marginal;
mod of_release;
mod risk;
mod sensitive;
mod trade_off;
mod values;

use maud::{Markup, html};

pub(crate) use class_sizes::{class_sizes, class_sizes_before_and_after};
pub use contrast::{ClassContrast, Contrast, SensitiveColumn};
pub(crate) use down::one_level_down;
use file::{Link, csv};
pub use file::{PlotFile, Report};
pub(crate) use loss::{AttributeLoss, losses};
pub(crate) use marginal::marginal;
pub use marginal::{Group, Marginal};
pub use of_release::ReleaseFigures;
pub(crate) use risk::{risk_before_and_after, risk_distribution, risk_distributions};
pub(crate) use sensitive::{Reader, sensitive_values};
pub(crate) use trade_off::trade_off;
pub(crate) use values::values;

use crate::layout::figure;
use crate::plot::Picture;

/// Something to look at.
#[derive(Debug)]
pub(crate) struct Exhibit {
    title: String,
    how_to_read: String,
    /// The picture and a table of its numbers; or why there is none.
    shown: Result<(Picture, Markup), &'static str>,
    file: PlotFile,
}

impl Exhibit {
    /// The picture with all that goes with it.
    pub(crate) fn figure(&self) -> Markup {
        match &self.shown {
            Ok((picture, numbers)) => figure(
                &self.title,
                &self.how_to_read,
                picture,
                html! { (numbers) p { "As a file: " (Link(&self.file)) } },
            ),
            Err(nothing) => html! { p { (nothing) } },
        }
    }

    /// The same on a page that no files go with.
    pub(crate) fn alone(&self) -> Markup {
        match &self.shown {
            Ok((picture, numbers)) => {
                figure(&self.title, &self.how_to_read, picture, numbers.clone())
            }
            Err(nothing) => html! { p { (nothing) } },
        }
    }

    /// The file that goes with it.
    pub(crate) fn into_file(self) -> PlotFile {
        self.file
    }
}

/// The figures, and the files that go with them.
pub(crate) fn gathered(exhibits: Vec<Exhibit>, files: &mut Vec<PlotFile>) -> Markup {
    let figures = html! { @for exhibit in &exhibits { (exhibit.figure()) } };
    files.extend(exhibits.into_iter().map(Exhibit::into_file));
    figures
}
