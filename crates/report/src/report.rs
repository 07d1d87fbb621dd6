use indistinct_text::private::PrivatePage;
use indistinct_text::release::ReleasePage;
use indistinct_text::{Document, File};

/// An HTML page with additional files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The HTML page.
    pub page: String,
    /// The files that contain the underlying numbers of the figures.
    pub files: Vec<File>,
}

impl Report {
    fn new(document: &Document) -> Self {
        let files = document.files().cloned().collect();
        Self { page: indistinct_render::page(document), files }
    }
}

/// Renders the report of a release.
pub fn release_report(input: &ReleasePage<'_>) -> Report {
    Report::new(&indistinct_text::release::describe_release(input))
}

/// Renders the data holder's report of a release.
pub fn private_report(input: &PrivatePage<'_>) -> Report {
    Report::new(&indistinct_text::private::describe_private(input))
}
