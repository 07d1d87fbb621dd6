//! Recognizes common notations of dates and determines the order of day and month.

use serde::Serialize;

use crate::sample::Sample;

/// A notation of dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DateFormat {
    /// `2024-03-05`, optionally with a time of day. Hierarchies can parse this notation.
    Iso,
    /// `2024/03/05` or `2024.03.05`.
    YearFirst,
    /// `20240305`.
    Compact,
    /// `05.03.2024`: the day is first, because countries that use dots always write the day before
    /// the month.
    Dotted,
    /// `05/03/2024` or `05-03-2024`: either the day or the month is first.
    Slashed,
    /// `5 Mar 2024` or `March 5, 2024`.
    Named,
}

impl DateFormat {
    /// Returns the pattern of the notation. The pattern contains no cell from the table.
    pub fn pattern(self) -> &'static str {
        match self {
            DateFormat::Iso => "YYYY-MM-DD",
            DateFormat::YearFirst => "YYYY/MM/DD",
            DateFormat::Compact => "YYYYMMDD",
            DateFormat::Dotted => "DD.MM.YYYY",
            DateFormat::Slashed => "DD/MM/YYYY or MM/DD/YYYY",
            DateFormat::Named => "with month names",
        }
    }
}

/// A parsed date. If the order of day and month is ambiguous, the date contains the first and the
/// second part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Date {
    /// The notation of the date.
    pub format: DateFormat,
    /// The year. Two digits are interpreted as a year from 1930 to 2029.
    pub year: i32,
    /// The first and the second part of a date with slashes.
    parts: Option<(u32, u32)>,
}

/// Parses a date in any notation.
pub fn read(text: &str) -> Option<Date> {
    // The lower limit is the length of the shortest supported date. The upper limit leaves room for
    // a time of day and a time zone.
    if text.len() < 6
        || text.len() > 40
        || !text.is_ascii()
        || !text.bytes().any(|b| b.is_ascii_digit())
    {
        return None;
    }
    let day = text.split(['T', ' ']).next().unwrap_or_default();
    for separator in ['-', '.', '/'] {
        let parts: Vec<&str> = day.split(separator).collect();
        if let [first, second, third] = parts.as_slice() {
            return three(first, second, third, separator);
        }
    }
    if text.len() == 8 && text.bytes().all(|b| b.is_ascii_digit()) {
        let (year, month, day) = (number(&text[..4])?, number(&text[4..6])?, number(&text[6..])?);
        let is_one = (1880..=2100).contains(&year) && is_day(day, month);
        return is_one.then_some(Date {
            format: DateFormat::Compact,
            year: year as i32,
            parts: None,
        });
    }
    named(text)
}

fn number(text: &str) -> Option<u32> {
    let is_one = !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| is_one)
}

fn is_day(day: u32, month: u32) -> bool {
    (1..=31).contains(&day) && (1..=12).contains(&month)
}

fn year_of(text: &str) -> Option<i32> {
    let year = number(text)? as i32;
    match text.len() {
        4 => (1800..=2200).contains(&year).then_some(year),
        2 => Some(if year < 30 { 2000 + year } else { 1900 + year }),
        _ => None,
    }
}

fn three(first: &str, second: &str, third: &str, separator: char) -> Option<Date> {
    if first.len() == 4 {
        let format = if separator == '-' { DateFormat::Iso } else { DateFormat::YearFirst };
        let (year, month, day) = (year_of(first)?, number(second)?, number(third)?);
        let is_iso = second.len() == 2 && third.len() == 2;
        let format = if is_iso { format } else { DateFormat::YearFirst };
        return is_day(day, month).then_some(Date { format, year, parts: None });
    }
    let (a, b, year) = (number(first)?, number(second)?, year_of(third)?);
    if first.len() > 2 || second.len() > 2 {
        return None;
    }
    if separator == '.' {
        return is_day(a, b).then_some(Date { format: DateFormat::Dotted, year, parts: None });
    }
    let is_one = is_day(a, b) || is_day(b, a);
    is_one.then_some(Date { format: DateFormat::Slashed, year, parts: Some((a, b)) })
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Returns whether a word is the name of a month or starts with its abbreviation.
pub fn is_month(word: &str) -> bool {
    word.is_ascii()
        && (3..=9).contains(&word.len())
        && MONTHS.iter().any(|month| word[..3].eq_ignore_ascii_case(month))
}

fn named(text: &str) -> Option<Date> {
    let lower = text.to_ascii_lowercase();
    let parts: Vec<&str> = lower.split([' ', ',', '-']).filter(|part| !part.is_empty()).collect();
    let [a, b, year, ..] = parts.as_slice() else { return None };
    let is_number = |part: &str| number(part).is_some_and(|day| (1..=31).contains(&day));
    let is_one = is_month(a) && is_number(b) || is_number(a) && is_month(b);
    let year = year_of(year)?;
    is_one.then_some(Date { format: DateFormat::Named, year, parts: None })
}

/// The notations of the dates in a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DatesFound {
    /// The notations that occur, each with the number of sampled values.
    pub formats: Vec<(DateFormat, usize)>,
    /// The position of the day in dates with slashes, if it can be determined.
    pub order: DayOrder,
}

/// Whether the day or the month is first in dates with slashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DayOrder {
    /// The column has no dates with slashes, or all such dates have the same order.
    Clear,
    /// The first and second parts of all dates are at most 12, so the order cannot be determined.
    Unclear,
    /// Some dates are valid only with the day first, and others only with the month first.
    Both,
}

impl DatesFound {
    /// Returns whether date hierarchies can parse the values without conversion.
    pub fn is_plain(&self) -> bool {
        self.formats.iter().all(|(format, _)| *format == DateFormat::Iso)
    }
}

/// Returns the date notations of a column, or `None` unless nearly all values are dates.
pub fn of_column(sample: &Sample<'_>) -> Option<DatesFound> {
    let dates: Vec<Date> = sample.cells().filter_map(|cell| read(cell.text)).collect();
    if dates.is_empty() || sample.share(dates.len()) < 0.9 {
        return None;
    }
    let mut formats: Vec<(DateFormat, usize)> = Vec::new();
    for date in &dates {
        match formats.iter_mut().find(|(format, _)| *format == date.format) {
            Some((_, n)) => *n += 1,
            None => formats.push((date.format, 1)),
        }
    }
    // Eight-digit integers count as dates only if the column name indicates a date.
    let is_compact = formats.len() == 1 && formats[0].0 == DateFormat::Compact;
    if is_compact
        && !sample.is_named(&[
            "date",
            "datum",
            "fecha",
            "data",
            "day",
            "birth",
            "dob",
            "geburtsdatum",
        ])
        && dates.len() < 20
    {
        return None;
    }
    formats.sort_unstable_by_key(|(format, _)| *format);
    let slashed: Vec<(u32, u32)> = dates.iter().filter_map(|date| date.parts).collect();
    let day_first = slashed.iter().any(|(first, _)| *first > 12);
    let month_first = slashed.iter().any(|(_, second)| *second > 12);
    let order = match (slashed.is_empty(), day_first, month_first) {
        (true, ..) | (false, true, false) | (false, false, true) => DayOrder::Clear,
        (false, false, false) => DayOrder::Unclear,
        (false, true, true) => DayOrder::Both,
    };
    Some(DatesFound { formats, order })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_date_formats_are_parsed() {
        use DateFormat::*;
        let cases = [
            ("2024-03-05", Iso, 2024),
            ("2024-03-05T12:30:00Z", Iso, 2024),
            ("2024/3/5", YearFirst, 2024),
            ("20240305", Compact, 2024),
            ("5.3.2024", Dotted, 2024),
            ("05.03.71", Dotted, 1971),
            ("3/25/2024", Slashed, 2024),
            ("25-03-2024", Slashed, 2024),
            ("5 Mar 2024", Named, 2024),
            ("March 5, 2024", Named, 2024),
        ];
        for (text, format, year) in cases {
            let date = read(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((date.format, date.year), (format, year), "{text}");
        }
        for text in [
            "2024",
            "13.13.2024",
            "1.2.3",
            "12345678",
            "415-555-0123",
            "192.0.2.17",
            "march",
            "2024-13-05",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    fn found(values: &[&str]) -> Option<DatesFound> {
        let values: Vec<(&str, u64)> = values.iter().map(|value| (*value, 1)).collect();
        of_column(&Sample::of_values("date", values.len() as u64, &values))
    }

    #[test]
    fn day_month_order_is_detected_or_ambiguous() {
        let order = |values: &[&str]| found(values).map(|found| found.order);
        assert_eq!(order(&["03/25/2024", "03/05/2024"]), Some(DayOrder::Clear));
        assert_eq!(order(&["03/04/2024", "03/05/2024"]), Some(DayOrder::Unclear));
        assert_eq!(order(&["25/03/2024", "03/25/2024"]), Some(DayOrder::Both));
        assert_eq!(order(&["a", "b"]), None);
        assert!(found(&["2024-03-05"]).is_some_and(|found| found.is_plain()));
        assert!(found(&["2024-03-05", "05.03.2024"]).is_some_and(|found| !found.is_plain()));
    }
}
