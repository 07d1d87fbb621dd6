//! What the pages show in pictures: each with one sentence on how to read it, the numbers behind it, and the same numbers
//! as a file beside the page.
//!
//! The files of a release have fixed names, so that [`release_files`] tells from the policy alone which there are.

mod class_sizes;
mod contrast;
mod down;
mod file;
mod loss;
mod marginal;
mod risk;
mod secrets;
mod trade_off;
mod values;

use maud::{Markup, html};

pub(crate) use class_sizes::{class_sizes, class_sizes_before_and_after};
pub use contrast::{ClassContrast, Contrast, SecretColumn};
pub(crate) use down::one_level_down;
use file::{Link, csv};
pub use file::{PlotFile, Report, file_stem};
pub(crate) use loss::{Lost, SuppressedRows, losses};
pub(crate) use marginal::marginal;
pub use marginal::{Group, Marginal};
pub(crate) use risk::{risk_before_and_after, risk_distribution, risk_distributions};
pub(crate) use secrets::{Reader, secrets};
pub use trade_off::TradeOff;
pub(crate) use trade_off::trade_off;
pub(crate) use values::values;

use crate::layout::figure;
use crate::plot::Picture;

/// The folder of the files, beside the page.
const FOLDER: &str = "report";

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

/// Whether the secrets of a class can be laid beside those of the whole table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretsOf {
    /// They are those of its rows.
    Classes,
    /// They are perturbed, row by row: what a class has is noise.
    Nobody,
}

/// The files beside the page of a release, for its quasi-identifiers and sensitive attributes.
pub fn release_files(
    quasi_identifiers: &[String],
    sensitive: &[String],
    secrets: SecretsOf,
) -> Vec<String> {
    let mut names = vec![class_sizes::FILE.to_owned(), risk::DISTRIBUTION_FILE.to_owned()];
    names.extend(quasi_identifiers.iter().chain(sensitive).map(|name| values::file(name)));
    if secrets == SecretsOf::Classes {
        names.extend(sensitive.iter().map(|name| secrets::file(name)));
    }
    names.iter().map(|name| format!("{FOLDER}/{name}")).collect()
}
