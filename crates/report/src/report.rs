use indistinct_text::private::PrivatePage;
use indistinct_text::release::ReleasePage;
use indistinct_text::{Document, File};

/// A page and the files next to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The page, as HTML.
    pub page: String,
    /// The numbers behind its pictures.
    pub files: Vec<File>,
}

impl Report {
    fn new(document: &Document) -> Self {
        let files = document.files().cloned().collect();
        Self { page: indistinct_render::page(document), files }
    }
}

/// The report of a release.
pub fn release_report(input: &ReleasePage<'_>) -> Report {
    Report::new(&indistinct_text::release::describe_release(input))
}

/// The data holder's report of a release.
pub fn private_report(input: &PrivatePage<'_>) -> Report {
    Report::new(&indistinct_text::private::describe_private(input))
}
