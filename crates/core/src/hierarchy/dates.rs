//! Date hierarchies: 2024-03-05 -> 2024-03 -> 2024-Q1 -> 2024 -> 2020s.

pub use indistinct_labels::DateLevel;
use indistinct_labels::Period;

use super::labels::{computed, read_values};
use super::{Hierarchy, HierarchyError, HierarchyProblem, ValueProblem};
use crate::Dictionary;

/// Levels of dates, from finer to coarser, with a top level `*`.
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
    /// [`HierarchyProblem::DateLevels`] if the list is empty or not ordered from finer to coarser.
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
            "hierarchy of 'admission' requires dates, but 2 of the 3 values of the table are not \
             dates"
        );
    }
}
