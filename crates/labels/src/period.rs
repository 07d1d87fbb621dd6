//! Parts of dates: `2024-03-05`, `2024-03`, `2024-Q1`, `2024`, `2020s`; and the dates and moments
//! that they contain.
//!
//! Positions are days, with a fraction for the time of day. Time zones are permitted but ignored,
//! so dates are used as written.

use std::fmt;

use chrono::{Datelike, NaiveDate, NaiveTime, Timelike};
use indistinct_diagnostics::words;

use super::{Cut, Rational, Stretch};

words! {
    /// The part of a date that remains at a level, from finest to coarsest.
    #[derive(Hash)]
    pub enum DateLevel {
        /// The day, for values with a time of day.
        Day = "day",
        /// Month and year.
        Month = "month",
        /// Quarter and year.
        Quarter = "quarter",
        /// The year.
        Year = "year",
        /// Ten years.
        Decade = "decade",
    }
}

/// A day, month, quarter, year, or decade in the years 0000 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The level of the period.
    pub level: DateLevel,
    /// The first day of the period.
    first: NaiveDate,
}

impl Period {
    /// Parses the day of a date, with or without a time of day: `2024-03-05`,
    /// `2024-03-05T08:30:00Z`; `None` for any other text.
    pub fn day_of(date: &str) -> Option<Self> {
        let (first, _) = read_date(date)?;
        Some(Self { level: DateLevel::Day, first })
    }

    /// Returns the period at the given level that contains the first day of this period.
    pub fn at(self, level: DateLevel) -> Self {
        let (year, month) = (self.first.year(), self.first.month());
        let first = match level {
            DateLevel::Day => Some(self.first),
            DateLevel::Month => self.first.with_day(1),
            DateLevel::Quarter => NaiveDate::from_ymd_opt(year, (month - 1) / 3 * 3 + 1, 1),
            DateLevel::Year => NaiveDate::from_ymd_opt(year, 1, 1),
            DateLevel::Decade => NaiveDate::from_ymd_opt(year - year % 10, 1, 1),
        };
        Self { level, first: first.unwrap_or(self.first) }
    }

    /// Parses a part of a date. Returns `None` for any other text. Four digits denote a year.
    pub fn read(text: &str) -> Option<Self> {
        let year = i32::try_from(digits(text.get(..4)?)?).ok()?;
        let of = |level, month, day| {
            Some(Self { level, first: NaiveDate::from_ymd_opt(year, month, day)? })
        };
        match text.get(4..)? {
            "" => of(DateLevel::Year, 1, 1),
            "s" if year % 10 == 0 => of(DateLevel::Decade, 1, 1),
            "-Q1" => of(DateLevel::Quarter, 1, 1),
            "-Q2" => of(DateLevel::Quarter, 4, 1),
            "-Q3" => of(DateLevel::Quarter, 7, 1),
            "-Q4" => of(DateLevel::Quarter, 10, 1),
            rest if rest.len() == 3 => of(DateLevel::Month, digits(rest.strip_prefix('-')?)?, 1),
            rest if rest.len() == 6 => {
                let (month, day) = rest.strip_prefix('-')?.split_once('-')?;
                let is_two = month.len() == 2;
                is_two.then(|| of(DateLevel::Day, digits(month)?, digits(day)?)).flatten()
            }
            _ => None,
        }
    }

    /// Returns the days of the period, from its first day up to the day after its last day,
    /// exclusively.
    pub fn stretch(&self) -> Stretch {
        let n_months = match self.level {
            DateLevel::Day => 0,
            DateLevel::Month => 1,
            DateLevel::Quarter => 3,
            DateLevel::Year => 12,
            DateLevel::Decade => 120,
        };
        let next = match n_months {
            0 => self.first.succ_opt(),
            n => self.first.checked_add_months(chrono::Months::new(n)),
        };
        let from = Cut::Before(day(self.first));
        let to = next.map_or(Cut::Last, |next| Cut::Before(day(next)));
        Stretch { from, to }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month) = (self.first.year(), self.first.month());
        match self.level {
            DateLevel::Day => write!(f, "{year:04}-{month:02}-{:02}", self.first.day()),
            DateLevel::Month => write!(f, "{year:04}-{month:02}"),
            DateLevel::Quarter => write!(f, "{year:04}-Q{}", month / 3 + 1),
            DateLevel::Year => write!(f, "{year:04}"),
            DateLevel::Decade => write!(f, "{year:04}s"),
        }
    }
}

/// Returns the position of a date with a time of day, or `None` for any other text.
pub fn moment(text: &str) -> Option<Rational> {
    let (date, time) = read_date(text)?;
    // Treat a leap second as the end of the previous second, so it belongs to the same day.
    let nanoseconds = |time: NaiveTime| {
        1_000_000_000 * i128::from(time.num_seconds_from_midnight())
            + i128::from(time.nanosecond().min(999_999_999))
    };
    Some(day(date) + Rational::new(nanoseconds(time?), 86_400 * 1_000_000_000))
}

fn day(date: NaiveDate) -> Rational {
    Rational::from_integer(i128::from(date.num_days_from_ce()))
}

fn read_date(text: &str) -> Option<(NaiveDate, Option<NaiveTime>)> {
    let (day, rest) = text.split_at_checked(10)?;
    let date = Period::read(day)?.first;
    match rest {
        "" => Some((date, None)),
        _ => Some((date, Some(time(rest.strip_prefix(['T', ' '])?)?))),
    }
}

/// Parses a time of day: `HH:MM`, optionally with seconds, a fraction of a second, and `Z` or an
/// offset such as `+02:00`.
fn time(text: &str) -> Option<NaiveTime> {
    let (time, offset) = match text.find(['Z', '+', '-']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let is_offset = match offset.strip_prefix(['+', '-']) {
        Some(hours) => NaiveTime::parse_from_str(hours, "%H:%M").is_ok(),
        None => offset.is_empty() || offset == "Z",
    };
    let formats = ["%H:%M:%S%.f", "%H:%M"];
    let clock = formats.iter().find_map(|format| NaiveTime::parse_from_str(time, format).ok());
    clock.filter(|_| is_offset)
}

fn digits(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_parts_round_trip_and_are_nested() {
        let texts = ["2024-02-29", "2024-02", "2024-Q1", "2024", "2020s"];
        let periods = texts.map(|text| Period::read(text).expect("the text is a period"));
        for (at, inner) in periods.iter().enumerate() {
            assert_eq!(inner.to_string(), texts[at]);
            assert_eq!(inner.level, DateLevel::ALL[at]);
            for (above, outer) in periods.iter().enumerate() {
                assert_eq!(inner.stretch().is_within(&outer.stretch()), at <= above);
            }
        }
        let day = Period::day_of("1999-12-31T23:59:59.5Z").expect("a date");
        let parts = DateLevel::ALL.map(|level| day.at(level).to_string());
        assert_eq!(parts, ["1999-12-31", "1999-12", "1999-Q4", "1999", "1990s"]);
        for text in [
            "2023-02-29",
            "2024-13",
            "2024-Q5",
            "2024-00",
            "2024-01-00",
            "2024-1",
            "2024-1-01",
            "2021s",
            "24-01-01",
            "2024-01-é1",
            "né en 2024",
            "20240101",
            "+024",
            "",
        ] {
            assert_eq!(Period::read(text), None, "{text}");
        }
        assert!(Period::read("9999").is_some() && Period::read("0000s").is_some());
    }

    #[test]
    fn timestamps_are_within_their_day() {
        let day = Period::read("1999-12-31").expect("a day").stretch();
        let point = |text: &str| Stretch::point(moment(text).expect("a moment"));
        for text in ["1999-12-31 00:00", "1999-12-31T23:59:59.5Z", "1999-12-31T23:59:60+02:00"] {
            assert!(point(text).is_within(&day), "{text}");
        }
        assert!(!point("2000-01-01 00:00").meets(&day));
        assert!(moment("1999-12-31 08:00") < moment("1999-12-31 08:00:00.25"));
        assert_eq!(moment("1999-12-31"), None);
    }

    #[test]
    fn only_valid_dates_and_times_are_accepted() {
        for text in [
            "2024-02-29",
            "2024-01-01 08:30",
            "2024-01-01T08:30:00.123456Z",
            "0001-01-01T00:00:00+02:00",
        ] {
            assert!(Period::day_of(text).is_some(), "{text}");
        }
        for text in [
            "2023-02-29",
            "2024-13-01",
            "2024-1-01",
            "2024/01/01",
            "2024-01-01x",
            "2024-01-01T",
            "2024-01-01T24:00",
            "2024-01-01T08:30:00+2",
            "2024-01-01T08:30:00ZZ",
            "2024-Q1",
            "2024",
        ] {
            assert!(Period::day_of(text).is_none(), "{text}");
        }
    }
}
