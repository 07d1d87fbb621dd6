//! The hierarchy that a policy declares for an attribute.
//!
//! Date hierarchies: 2024-03-05 -> 2024-03 -> 2024-Q1 -> 2024 -> 2020s.
//!
//! Masking, which replaces characters by `*` one by one: 13053 -> 1305* -> 130** -> 13*** -> 1****
//! -> `*`.

use indistinct_labels::{DateLevel, Period, Side, masked};

use super::labels::{computed, read_values};
use super::{Arx, Hierarchy, HierarchyError, HierarchyProblem, Intervals, Tree, ValueProblem};
use crate::{Dictionary, STAR};

/// A rule for generalizing the values of an attribute, as declared in a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HierarchyRule {
    /// The original value or `*`.
    Flat,
    /// A table in the ARX format.
    Arx(Arx),
    /// Intervals of numbers.
    Intervals(Intervals),
    /// Masking, which replaces characters with `*` one by one.
    Mask(Mask),
    /// Parts of dates.
    Dates(Dates),
    /// A tree that the policy contains.
    Tree(Tree),
}

impl HierarchyRule {
    /// Returns the values that the rule lists, or an empty slice if the rule computes labels from
    /// values.
    pub fn listed(&self) -> &[String] {
        match self {
            HierarchyRule::Arx(arx) => arx.listed.values(),
            HierarchyRule::Tree(tree) => tree.listed.values(),
            _ => &[],
        }
    }

    /// Applies the rule to the values of a column.
    ///
    /// # Errors
    /// Returns [`HierarchyError`] with all problems: values that the rule does not cover, and cells
    /// with the text `*`, which would look like values that are generalized to the top level.
    pub fn resolve(
        &self,
        attribute: &str,
        dictionary: &Dictionary,
    ) -> Result<Hierarchy, HierarchyError> {
        let mut problems = Vec::new();
        if dictionary.values().iter().any(|value| value == STAR) {
            problems.push(HierarchyProblem::StarCell);
        }
        let resolved = match self {
            HierarchyRule::Flat => Ok(Hierarchy::flat(dictionary)),
            HierarchyRule::Arx(arx) => arx.listed.resolve(dictionary),
            HierarchyRule::Intervals(intervals) => intervals.resolve(dictionary),
            HierarchyRule::Mask(mask) => mask.resolve(dictionary),
            HierarchyRule::Dates(dates) => dates.resolve(dictionary),
            HierarchyRule::Tree(tree) => tree.listed.resolve(dictionary),
        };
        match resolved {
            Ok(hierarchy) if problems.is_empty() => Ok(hierarchy),
            Ok(_) => Err(HierarchyError { attribute: attribute.to_owned(), problems }),
            Err(more) => {
                problems.extend(more);
                Err(HierarchyError { attribute: attribute.to_owned(), problems })
            }
        }
    }
}

/// Levels of dates, from finer to coarser, followed by the top level `*`.
///
/// Values have the form `YYYY-MM-DD`, optionally followed by `T` or a space and a time of day. A
/// time zone is allowed but ignored: dates are not converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dates {
    levels: Vec<DateLevel>,
}

impl Default for Dates {
    fn default() -> Self {
        Self { levels: DateLevel::ALL.to_vec() }
    }
}

impl Dates {
    /// Creates date levels above the original value.
    ///
    /// # Errors
    /// Returns [`HierarchyProblem::DateLevels`] if the list is empty or not ordered from finer to
    /// coarser.
    pub fn new(attribute: &str, levels: Vec<DateLevel>) -> Result<Self, HierarchyError> {
        if levels.is_empty() || levels.windows(2).any(|pair| pair[0] >= pair[1]) {
            let problems = vec![HierarchyProblem::DateLevels];
            return Err(HierarchyError { attribute: attribute.to_owned(), problems });
        }
        Ok(Self { levels })
    }

    pub(super) fn resolve(
        &self,
        dictionary: &Dictionary,
    ) -> Result<Hierarchy, Vec<HierarchyProblem>> {
        let values =
            read_values(dictionary, |value| Period::day_of(value).ok_or(ValueProblem::NotADate))?;
        computed(dictionary, &values, self.levels.len(), |level, day| {
            day.at(self.levels[level]).to_string()
        })
    }
}

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

    #[test]
    fn date_levels_support_dates_with_and_without_time() {
        let table = dictionary(&["", "1999-12-31", "2024-03-05", "2024-04-01T23:59:59"]);
        let rule = HierarchyRule::Dates(Dates::default());
        let hierarchy = rule.resolve("admission", &table).expect("dates");
        assert_valid(&hierarchy);
        assert_eq!(hierarchy.n_levels(), 7);
        assert_eq!(column(&hierarchy, 1), ["", "1999-12-31", "2024-03-05", "2024-04-01"]);
        assert_eq!(column(&hierarchy, 2), ["", "1999-12", "2024-03", "2024-04"]);
        assert_eq!(column(&hierarchy, 3), ["", "1999-Q4", "2024-Q1", "2024-Q2"]);
        assert_eq!(column(&hierarchy, 4), ["", "1999", "2024", "2024"]);
        assert_eq!(column(&hierarchy, 5), ["", "1990s", "2020s", "2020s"]);
        assert_eq!(column(&hierarchy, 6), ["*"; 4]);
    }

    #[test]
    fn date_levels_must_be_in_order() {
        let dates = Dates::new("d", vec![DateLevel::Month, DateLevel::Year]).expect("in order");
        let table = dictionary(&["2024-03-05"]);
        let hierarchy = HierarchyRule::Dates(dates).resolve("d", &table).expect("dates");
        let labels: Vec<&str> = (0..4).map(|level| hierarchy.label(level, 0)).collect();
        assert_eq!(labels, ["2024-03-05", "2024-03", "2024", "*"]);
        for wrong in
            [vec![], vec![DateLevel::Year, DateLevel::Month], vec![DateLevel::Day, DateLevel::Day]]
        {
            let error = Dates::new("d", wrong).expect_err("the levels are not in order");
            assert_eq!(error.problems, [HierarchyProblem::DateLevels]);
        }
    }

    #[test]
    fn values_that_are_not_dates_are_counted() {
        let table = dictionary(&["2024-03-05", "yesterday", "05.03.2024"]);
        let rule = HierarchyRule::Dates(Dates::default());
        let error = rule.resolve("admission", &table).expect_err("no dates");
        assert_eq!(
            error.to_string(),
            "hierarchy of 'admission' requires dates, but 2 of the 3 values in the table are not \
             dates"
        );
    }

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
            "hierarchy of 'zip' masks characters, but 1 of the 2 values in the table has more than \
             64 characters"
        );
        assert_eq!(of(Side::Right, &[&fits]).n_levels(), LONGEST + 1);
    }
}
