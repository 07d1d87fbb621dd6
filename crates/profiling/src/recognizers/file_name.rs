//! File names, which often contain names of people and refer to pictures of them.

use super::*;

/// Recognizes names with a common file extension.
pub static FILE_NAME: Kind = Kind {
    name: "file-name",
    plural: "file names",
    hipaa: Some(Item::Photograph),
    evidence: Evidence { alone: 0.3, named: 0.1, least: 3 },
    fits,
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    let Some((stem, extension)) = cell.text.rsplit_once('.') else { return false };
    !stem.is_empty()
        && crate::words::named("file-extensions").contains(&extension.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::super::tests::fits;
    use super::*;

    #[test]
    fn file_names_are_recognized_by_extension() {
        assert!(fits(&FILE_NAME, "scans/Mueller_Anna.DCM"));
        assert!(fits(&FILE_NAME, "photo 12.jpg"));
        assert!(!fits(&FILE_NAME, ".jpg"));
        assert!(!fits(&FILE_NAME, "12.50"));
    }
}
