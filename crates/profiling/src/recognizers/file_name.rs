//! File names, which often contain names of people and refer to pictures of them.

use crate::hipaa::Item;
use crate::recognizer::{Kind, Meaning, Recognizer};
use crate::text::Cell;

/// Recognizes names with a common file extension.
pub struct FileName;

static KIND: Kind = Kind {
    name: "file-name",
    plural: "file names",
    meaning: Meaning::Identifies,
    hipaa: Some(Item::Photograph),
    alone: 0.3,
    named: 0.1,
    least: 3,
};

impl Recognizer for FileName {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    fn fits(&self, cell: &Cell<'_>) -> bool {
        let Some((stem, extension)) = cell.text.rsplit_once('.') else { return false };
        !stem.is_empty()
            && crate::words::named("file-extensions")
                .contains(&extension.to_ascii_lowercase().as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::fits;
    use super::*;

    #[test]
    fn file_names_are_recognized_by_extension() {
        assert!(fits(&FileName, "scans/Mueller_Anna.DCM"));
        assert!(fits(&FileName, "photo 12.jpg"));
        assert!(!fits(&FileName, ".jpg"));
        assert!(!fits(&FileName, "12.50"));
    }
}
