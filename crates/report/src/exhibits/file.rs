//! The numbers of a picture as a file.

use indistinct_labels::formulas::guarded;
use indistinct_release::files::REPORT_FOLDER;
use maud::{Markup, Render, html};

/// A page, and the files that lie in a folder beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The page, as HTML.
    pub page: String,
    /// The numbers behind its pictures.
    pub files: Vec<PlotFile>,
}

/// The numbers behind one picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlotFile {
    /// Its path beside the page.
    pub path: String,
    /// CSV with a header.
    pub csv: String,
}

impl PlotFile {
    pub(crate) fn new(name: &str, csv: String) -> Self {
        Self { path: format!("{REPORT_FOLDER}/{name}"), csv }
    }
}

/// A link from the page to a file.
pub(super) struct Link<'a>(pub(super) &'a PlotFile);

impl Render for Link<'_> {
    fn render(&self) -> Markup {
        let Self(file) = self;
        // The name of a file has `%XX` in it where that of an attribute has other letters.
        html! { a href=(file.path.replace('%', "%25")) { (file.path) } }
    }
}

/// Lines with a header as CSV. Whoever opens it in a spreadsheet runs none of its cells.
pub(super) fn csv(header: &[&str], lines: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).expect("memory takes a line");
    for line in lines {
        let cells = line.iter().map(|cell| guarded(cell).into_owned());
        writer.write_record(cells).expect("memory takes lines of one length");
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts were written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_the_file_that_is_there() {
        let file = PlotFile::new("values-a%2Fb.csv", String::new());
        assert_eq!(
            Link(&file).render().into_string(),
            "<a href=\"report/values-a%252Fb.csv\">report/values-a%2Fb.csv</a>"
        );
    }
}
