//! Parts of dates: 2024-03-05 -> 2024-03 -> 2024-Q1 -> 2024 -> 2020s.

use chrono::{Datelike, NaiveDate, NaiveTime};

use super::labels::{computed, read_values};
use super::{Hierarchy, HierarchyError, HierarchyProblem, ValueProblem};
use crate::Dictionary;

/// What is left of a date at a level; from finer to coarser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DateLevel {
    /// `2024-03-05`: for values with a time of day.
    Day,
    /// `2024-03`.
    Month,
    /// `2024-Q1`.
    Quarter,
    /// `2024`.
    Year,
    /// `2020s`.
    Decade,
}

impl DateLevel {
    /// All parts, from finer to coarser.
    pub const ALL: [DateLevel; 5] =
        [Self::Day, Self::Month, Self::Quarter, Self::Year, Self::Decade];

    /// The name in a policy.
    pub fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
            Self::Decade => "decade",
        }
    }

    fn label(self, date: NaiveDate) -> String {
        let year = date.year();
        match self {
            Self::Day => format!("{year:04}-{:02}-{:02}", date.month(), date.day()),
            Self::Month => format!("{year:04}-{:02}", date.month()),
            Self::Quarter => format!("{year:04}-Q{}", date.quarter()),
            Self::Year => format!("{year:04}"),
            Self::Decade => format!("{:04}s", year - year % 10),
        }
    }
}

/// Levels of dates, from finer to coarser, with a top `*` above them.
///
/// Values are `YYYY-MM-DD`, or that with a time of day behind `T` or a space. A time zone is allowed and ignored: the date
/// is the one that is written.
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
    /// Dates with the given levels above the raw value.
    ///
    /// # Errors
    /// [`HierarchyProblem::DateLevels`] if there is none or they are not from finer to coarser.
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
        let values = read_values(dictionary, |value| date(value).ok_or(ValueProblem::NotADate))?;
        computed(dictionary, &values, self.levels.len(), |level, date| {
            self.levels[level].label(*date)
        })
    }
}

fn date(text: &str) -> Option<NaiveDate> {
    let (day, rest) = text.split_at_checked(10)?;
    let digits = |range: std::ops::Range<usize>| {
        let part = &day.as_bytes()[range];
        part.iter()
            .all(u8::is_ascii_digit)
            .then(|| part.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
    };
    if day.as_bytes()[4] != b'-' || day.as_bytes()[7] != b'-' {
        return None;
    }
    let year = i32::try_from(digits(0..4)?).ok()?;
    let date = NaiveDate::from_ymd_opt(year, digits(5..7)?, digits(8..10)?)?;
    let is_time = rest.is_empty() || rest.strip_prefix(['T', ' ']).is_some_and(is_time);
    is_time.then_some(date)
}

/// Whether a text is a time of day: `HH:MM`, with seconds, a fraction of them, `Z` or an offset such as `+02:00`.
fn is_time(text: &str) -> bool {
    let (time, offset) = match text.find(['Z', '+', '-']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let is_offset = match offset.strip_prefix(['+', '-']) {
        Some(hours) => NaiveTime::parse_from_str(hours, "%H:%M").is_ok(),
        None => offset.is_empty() || offset == "Z",
    };
    let is_clock = ["%H:%M:%S%.f", "%H:%M"]
        .iter()
        .any(|format| NaiveTime::parse_from_str(time, format).is_ok());
    is_offset && is_clock
}

#[cfg(test)]
mod tests {
    use super::super::HierarchyRule;
    use super::super::tests::{assert_valid, column, dictionary};
    use super::*;

    #[test]
    fn all_levels_of_dates_with_and_without_time() {
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
    fn levels_can_be_chosen_in_order() {
        let dates = Dates::new("d", vec![DateLevel::Month, DateLevel::Year]).expect("in order");
        let table = dictionary(&["2024-03-05"]);
        let hierarchy = HierarchyRule::Dates(dates).resolve("d", &table).expect("dates");
        let labels: Vec<&str> = (0..4).map(|level| hierarchy.label(level, 0)).collect();
        assert_eq!(labels, ["2024-03-05", "2024-03", "2024", "*"]);
        for wrong in
            [vec![], vec![DateLevel::Year, DateLevel::Month], vec![DateLevel::Day, DateLevel::Day]]
        {
            let error = Dates::new("d", wrong).expect_err("not in order");
            assert_eq!(error.problems, [HierarchyProblem::DateLevels]);
        }
    }

    #[test]
    fn only_days_that_exist_are_dates() {
        for text in [
            "2024-02-29",
            "2024-01-01 08:30",
            "2024-01-01T08:30:00.123456Z",
            "0001-01-01T00:00:00+02:00",
        ] {
            assert!(date(text).is_some(), "{text}");
        }
        for text in [
            "2023-02-29",
            "2024-13-01",
            "2024-1-01",
            "24-01-01",
            "2024/01/01",
            "20240101",
            "2024-01-01x",
            "2024-01-01T",
            "2024-01-01T25:00:00",
            "2024-01-01T08:30:00+2",
            "+024-01-01",
            "2024-01-é1",
            "né en 2024",
            "2024-01-01T08:30:00ZZ",
        ] {
            assert!(date(text).is_none(), "{text}");
        }
    }

    #[test]
    fn other_texts_are_counted() {
        let table = dictionary(&["2024-03-05", "yesterday", "05.03.2024"]);
        let rule = HierarchyRule::Dates(Dates::default());
        let error = rule.resolve("admission", &table).expect_err("no dates");
        assert_eq!(
            error.to_string(),
            "hierarchy of 'admission' has dates, but 2 of the 3 values of the table are not a date like 2024-03-05"
        );
    }
}
