//! The structure of ICD-10 codes: category and chapter.

/// Returns the category of a code, which consists of its first three characters, or `None` if the
/// text does not have the form of a code.
pub fn category(code: &str) -> Option<&str> {
    let (category, rest) = code.split_at_checked(3)?;
    let rest = match rest.strip_prefix('.') {
        Some("") => return None,
        Some(rest) => rest,
        None => rest,
    };
    let is_category = matches!(
        category.as_bytes(),
        [b'A'..=b'Z', b'0'..=b'9', last] if last.is_ascii_digit() || last.is_ascii_uppercase()
    );
    let is_subcategory =
        rest.len() <= 4 && rest.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
    (is_category && is_subcategory).then_some(category)
}

/// Returns the chapter of a category as a range of categories, such as `J00-J99`.
pub fn chapter(category: &str) -> Option<&'static str> {
    let mut chapters = include_str!("../data/icd10.txt").lines().filter(|it| !it.starts_with('#'));
    chapters.find(|chapter| {
        chapter.split_once('-').is_some_and(|(first, last)| (first..=last).contains(&category))
    })
}

/// Returns a hierarchy of the codes of a column as the rows of an ARX file: the code, its category,
/// its chapter, and `*`. A value that is not a code keeps its label up to `*`.
///
/// The label of a category is `J45.-`, as in the classification, because `J45` may also be a code.
pub fn hierarchy<'a>(codes: impl Iterator<Item = &'a str>) -> Vec<[String; 4]> {
    let row = |code: &str| {
        let own = category(code.trim());
        let category = own.map_or_else(|| code.to_owned(), |category| format!("{category}.-"));
        let chapter = own.and_then(chapter).map_or_else(|| category.clone(), str::to_owned);
        [code.to_owned(), category, chapter, "*".to_owned()]
    };
    codes.map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapters_do_not_overlap() {
        let chapters: Vec<(&str, &str)> =
            include_str!("../data/icd10.txt").lines().filter_map(|it| it.split_once('-')).collect();
        assert_eq!(chapters.len(), 22);
        assert!(chapters.windows(2).all(|pair| pair[0].1 < pair[1].0));
        assert_eq!(
            ["A00", "D49", "D50", "T98", "Z99"].map(chapter),
            [Some("A00-B99"), Some("C00-D49"), Some("D50-D89"), Some("S00-T98"), Some("Z00-Z99"),]
        );
        assert_eq!(chapter("E95"), None);
    }

    #[test]
    fn hierarchy_follows_code_structure() {
        let rows = hierarchy(["J45.0", "J45", "E95.1", "unknown"].into_iter());
        assert_eq!(rows[0], ["J45.0", "J45.-", "J00-J99", "*"]);
        assert_eq!(rows[1], ["J45", "J45.-", "J00-J99", "*"]);
        assert_eq!(rows[2], ["E95.1", "E95.-", "E95.-", "*"]);
        assert_eq!(rows[3], ["unknown", "unknown", "unknown", "*"]);
    }
}
