//! Adult with the hierarchies of the l-diversity paper, as inferred from its Figures 9 and 11
//! (reading B-19).

use crate::data::{ADULT, Table, tree};
use crate::error::Error;
use crate::experiment::Lab;

/// The two groups of marital status, each with its values.
const MARITAL_STATUS: &[(&str, &[&str])] = &[
    ("single", &["Divorced", "Never-married", "Widowed"]),
    (
        "with spouse",
        &["Married-civ-spouse", "Married-AF-spouse", "Married-spouse-absent", "Separated"],
    ),
];

/// Groups of education levels: the upper group, the lower group, and the values of the lower group.
const EDUCATION: &[(&str, &str, &[&str])] = &[
    ("school", "up to 8th grade", &["Preschool", "1st-4th", "5th-6th", "7th-8th"]),
    ("school", "high school", &["9th", "10th", "11th", "12th", "HS-grad"]),
    ("college", "undergraduate", &["Some-college", "Assoc-voc", "Assoc-acdm", "Bachelors"]),
    ("college", "graduate", &["Masters", "Prof-school", "Doctorate"]),
];

/// Reads Adult.
///
/// # Errors
/// Returns an error if the table is missing or unreadable, or if the file contains a different
/// table.
pub(crate) fn read(lab: &Lab<'_>) -> Result<Table, Error> {
    let education = EDUCATION.iter().flat_map(|(upper, lower, values)| {
        values.iter().map(move |value| format!("{value};{lower};{upper};*\n"))
    });
    ADULT.read(lab.options.data.as_deref())?.with_hierarchies(&[
        ("age", ages()),
        ("marital-status", tree(MARITAL_STATUS)),
        ("education", education.collect()),
    ])
}

/// Age ranges of 5, 10, and 20 years that start at multiples of their width.
fn ages() -> String {
    let range = |age: u32, width: u32| {
        let from = age / width * width;
        format!("{from}-{}", from + width - 1)
    };
    let line = |age| format!("{age};{};{};{};*\n", range(age, 5), range(age, 10), range(age, 20));
    (0..=100).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn age_ranges_start_at_multiples_of_their_width() {
        let text = ages();
        let line = |age: &str| text.lines().find(|line| line.starts_with(age)).expect("an age");
        assert_eq!(line("20;"), "20;20-24;20-29;20-39;*");
        assert_eq!(line("39;"), "39;35-39;30-39;20-39;*");
    }
}
