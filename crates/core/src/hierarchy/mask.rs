//! Masking, which replaces characters by `*` one by one: 13053 -> 1305* -> 130** -> 13*** -> 1****
//! -> `*`.

pub use indistinct_labels::Side;
use indistinct_labels::masked;

use super::labels::{computed, read_values};
use super::{Hierarchy, HierarchyProblem, ValueProblem};
use crate::Dictionary;

/// The maximum length of a masked value, in characters, because each character requires a level.
const LONGEST: usize = 64;

/// A rule that masks one more character at each level.
///
/// The last remaining character of a value is masked only at the top level, so no label below the
/// top level is `*`. A value that is shorter than others therefore keeps its label at several
/// levels, and values of different lengths have different labels below the top level. The number of
/// levels is the number of characters of the longest value plus 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mask {
    /// The side from which characters are masked.
    pub side: Side,
}

impl Mask {
    pub(super) fn resolve(
        self,
        dictionary: &Dictionary,
    ) -> Result<Hierarchy, Vec<HierarchyProblem>> {
        let values = read_values(dictionary, |value| match value.chars().count() {
            n if n > LONGEST => Err(ValueProblem::TooLong { limit: LONGEST }),
            _ => Ok(value.to_owned()),
        })?;
        let longest = values.iter().flatten().map(|value| value.chars().count()).max().unwrap_or(0);
        computed(dictionary, &values, longest.saturating_sub(1), |level, value| {
            masked(value, self.side, level + 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::HierarchyRule;
    use super::super::tests::{assert_valid, column, dictionary};
    use super::*;

    fn of(side: Side, values: &[&str]) -> Hierarchy {
        let rule = HierarchyRule::Mask(Mask { side });
        let hierarchy = rule.resolve("zip", &dictionary(values)).expect("short enough");
        assert_valid(&hierarchy);
        hierarchy
    }

    #[test]
    fn each_level_masks_one_digit() {
        let hierarchy = of(Side::Right, &["13053", "13068", "14850"]);
        assert_eq!(hierarchy.n_levels(), 6);
        let labels: Vec<&str> = (0..6).map(|level| hierarchy.label(level, 0)).collect();
        assert_eq!(labels, ["13053", "1305*", "130**", "13***", "1****", "*"]);
        assert_eq!(hierarchy.level(2).covered, [2, 1]);
        let hierarchy = of(Side::Left, &["13053"]);
        let labels: Vec<&str> = (0..6).map(|level| hierarchy.label(level, 0)).collect();
        assert_eq!(labels, ["13053", "*3053", "**053", "***53", "****3", "*"]);
    }

    #[test]
    fn shorter_values_remain_distinct_below_top() {
        let hierarchy = of(Side::Right, &["", "a", "äb", "äbc", "äbd"]);
        assert_eq!(column(&hierarchy, 1), ["", "a", "ä*", "äb*", "äb*"]);
        assert_eq!(column(&hierarchy, 2), ["", "a", "ä*", "ä**", "ä**"]);
        assert_eq!(column(&hierarchy, 3), ["*"; 5]);
        assert_eq!(hierarchy.n_levels(), 4);
    }

    #[test]
    fn empty_tables_and_single_characters_have_two_levels() {
        assert_eq!(of(Side::Right, &[]).n_levels(), 2);
        assert_eq!(of(Side::Right, &[""]).n_levels(), 2);
        assert_eq!(of(Side::Left, &["a", "b"]).n_levels(), 2);
    }

    #[test]
    fn long_texts_are_rejected() {
        let (fits, long) = ("x".repeat(LONGEST), "y".repeat(LONGEST + 1));
        let rule = HierarchyRule::Mask(Mask { side: Side::Right });
        let error = rule.resolve("zip", &dictionary(&[&fits, &long])).expect_err("too long");
        assert_eq!(
            error.to_string(),
            "hierarchy of 'zip' masks characters, but 1 of the 2 values of the table has more than \
             64 characters"
        );
        assert_eq!(of(Side::Right, &[&fits]).n_levels(), LONGEST + 1);
    }
}
