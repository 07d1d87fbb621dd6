//! Notations of numbers and dates that differ from the notation required by hierarchies and
//! principles. The policy and the engine use the same list.

use std::fmt;

use indistinct_diagnostics::words;
use indistinct_labels::Period;

words! {
    /// The notation of the values in a text column. The name of a number notation is an example,
    /// and the name of a date notation is its pattern.
    pub enum Notation {
        /// Numbers with a decimal comma, optionally with points as thousands separators.
        PointComma = "1.234,56",
        /// Numbers with a decimal point, optionally with commas as thousands separators.
        CommaPoint = "1,234.56",
        /// Numbers with a decimal comma, optionally with spaces as thousands separators.
        BlankComma = "1 234,56",
        /// Numbers with a decimal point, optionally with spaces as thousands separators.
        BlankPoint = "1 234.56",
        /// Numbers with a decimal point, optionally with apostrophes as thousands separators.
        ApostrophePoint = "1'234.56",
        /// Dates with the day first. All date notations allow a time of day after the date, such as
        /// 14:30.
        DayMonthYearPoints = "DD.MM.YYYY",
        /// Dates with the day first.
        DayMonthYearSlashes = "DD/MM/YYYY",
        /// Dates with the month first.
        MonthDayYearSlashes = "MM/DD/YYYY",
        /// Dates with the day first.
        DayMonthYearDashes = "DD-MM-YYYY",
        /// Dates with the month first.
        MonthDayYearDashes = "MM-DD-YYYY",
        /// Dates.
        YearMonthDaySlashes = "YYYY/MM/DD",
        /// Dates.
        YearMonthDayPoints = "YYYY.MM.DD",
        /// Dates of eight digits without separators.
        Digits = "YYYYMMDD",
        /// Codes of four digits, such as postal codes. Leading zeros that a spreadsheet program has
        /// removed are restored: 150 becomes 0150.
        FourDigits = "0000",
        /// Codes of five digits, such as postal codes. Leading zeros that a spreadsheet program has
        /// removed are restored: 1067 becomes 01067.
        FiveDigits = "00000",
    }
}

/// Spaces that are used as thousands separators: the ordinary space and several non-breaking or
/// narrow spaces.
const BLANKS: &[char] = &[' ', '\u{a0}', '\u{202f}', '\u{2009}'];

impl Notation {
    /// Returns the notations in which all strings are valid. Of several notations with the same
    /// result, only the first is returned.
    fn candidates(texts: &[String], among: impl Fn(Self) -> bool) -> Vec<Self> {
        let mut found: Vec<(Self, Vec<String>)> = Vec::new();
        for written in Self::ALL.into_iter().filter(|it| among(*it)) {
            let read: Option<Vec<String>> = texts.iter().map(|text| written.plain(text)).collect();
            if let Some(read) = read.filter(|it| found.iter().all(|(_, other)| other != it)) {
                found.push((written, read));
            }
        }
        found.into_iter().map(|(written, _)| written).collect()
    }

    /// Suggests a notation for strings that must be numbers but are written in a different
    /// notation.
    pub(crate) fn numbers(texts: &[String]) -> Option<String> {
        advice("numbers", &Self::candidates(texts, |it| it.separators().is_some()))
    }

    /// Suggests a notation for strings that are expected to be dates but have a different notation.
    pub(crate) fn dates(texts: &[String]) -> Option<String> {
        let is_date = |it: Self| it.separators().is_none() && !it.restores_zeros();
        advice("dates", &Self::candidates(texts, is_date))
    }

    /// Returns the decimal separator and the thousands separators, or `None` for dates.
    fn separators(self) -> Option<(char, &'static [char])> {
        Some(match self {
            Self::PointComma => (',', &['.']),
            Self::CommaPoint => ('.', &[',']),
            Self::BlankComma => (',', BLANKS),
            Self::BlankPoint => ('.', BLANKS),
            Self::ApostrophePoint => ('.', &['\'', '\u{2019}']),
            _ => return None,
        })
    }

    /// Returns whether the notation restores leading zeros of codes.
    pub fn restores_zeros(self) -> bool {
        matches!(self, Self::FourDigits | Self::FiveDigits)
    }

    /// Converts a value to the notation required by hierarchies and principles: `1234.56`,
    /// `2024-03-05`, `2024-03-05T14:30:00`. Returns `None` if the string is not in this notation. A
    /// text that is already in the required notation is accepted only if it is also valid in this
    /// notation.
    pub fn plain(self, text: &str) -> Option<String> {
        let text = text.trim();
        if let Some((decimal, thousands)) = self.separators() {
            return number(text, decimal, thousands);
        }
        if self.restores_zeros() {
            let width = self.name().len();
            return digits(text, 1..=width).map(|_| format!("{text:0>width$}"));
        }
        let (day, time) = day_and_time(text)?;
        let parts: Vec<(&str, &str)> = match self.name().chars().find(|c| !c.is_alphabetic()) {
            Some(separator) => {
                let texts: Vec<&str> = day.split(separator).collect();
                let names = self.name().split(separator);
                (texts.len() == 3).then(|| names.zip(texts).collect())?
            }
            None => {
                digits(day, 8..=8)?;
                vec![("YYYY", &day[..4]), ("MM", &day[4..6]), ("DD", &day[6..])]
            }
        };
        let part = |name: &str| {
            let (_, text) = parts.iter().find(|part| part.0 == name)?;
            digits(text, if name == "YYYY" { 4..=4 } else { 1..=2 })
        };
        date(part("YYYY")?, part("MM")?, part("DD")?, time)
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn advice(what: &str, ways: &[Notation]) -> Option<String> {
    let ways: Vec<String> = ways.iter().map(|way| format!("notation = \"{way}\"")).collect();
    match ways.as_slice() {
        [] => None,
        [way] => {
            Some(format!("the values seem to be {what}: set {way} in the section of the attribute"))
        }
        ways => Some(format!(
            "the values seem to be {what} in one of several notations: set the correct one in the \
             section of the attribute, {}",
            ways.join(" or ")
        )),
    }
}

/// Rewrites a number with a decimal point and without thousands separators.
fn number(text: &str, decimal: char, thousands: &[char]) -> Option<String> {
    let (sign, body) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(body) => ("-", body),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = match body.split_once(decimal) {
        Some((whole, part)) => (whole, Some(part)),
        None => (body, None),
    };
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if part.is_some_and(|part| !all_digits(part)) {
        return None;
    }
    let groups: Vec<&str> = whole.split(thousands).collect();
    let is_grouped = groups.len() == 1
        || (1..=3).contains(&groups[0].len()) && groups[1..].iter().all(|group| group.len() == 3);
    if !is_grouped || !groups.iter().all(|group| all_digits(group)) {
        return None;
    }
    let part = part.map_or(String::new(), |part| format!(".{part}"));
    Some(format!("{sign}{}{part}", groups.concat()))
}

fn digits(text: &str, lengths: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let is_one = lengths.contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit());
    text.parse().ok().filter(|_| is_one)
}

/// Splits a string into a date and an optional time (hours, minutes, and seconds).
fn day_and_time(text: &str) -> Option<(&str, Option<[u32; 3]>)> {
    let Some((day, time)) = text.split_once([' ', 'T']) else { return Some((text, None)) };
    let parts: Vec<&str> = time.split(':').collect();
    let (hour, minute) = (parts.first()?, parts.get(1)?);
    let second = match parts.as_slice() {
        [_, _] => 0,
        [_, _, second] => digits(second, 2..=2)?,
        _ => return None,
    };
    let (hour, minute) = (digits(hour, 1..=2)?, digits(minute, 2..=2)?);
    (hour < 24 && minute < 60 && second < 60).then_some((day, Some([hour, minute, second])))
}

/// Formats a date, or returns `None` if the date does not exist.
fn date(year: u32, month: u32, day: u32, time: Option<[u32; 3]>) -> Option<String> {
    let day = format!("{year:04}-{month:02}-{day:02}");
    Period::read(&day)?;
    Some(match time {
        None => day,
        Some([hour, minute, second]) => format!("{day}T{hour:02}:{minute:02}:{second:02}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_notations_produce_a_hint() {
        let texts = |values: &[&str]| values.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let numbers = |values: &[&str]| Notation::numbers(&texts(values)).unwrap_or_default();
        let dates = |values: &[&str]| Notation::dates(&texts(values)).unwrap_or_default();
        assert!(numbers(&["31,5", "2"]).contains("set notation = \"1.234,56\" in"));
        assert!(numbers(&["1,234"]).contains("notation = \"1.234,56\" or notation = \"1,234.56\""));
        assert_eq!(numbers(&["31,5", "none"]), "");
        assert!(dates(&["25.03.2024"]).contains("set notation = \"DD.MM.YYYY\" in"));
        assert!(dates(&["05/03/2024"]).contains("\"DD/MM/YYYY\" or notation = \"MM/DD/YYYY\""));
        assert_eq!(dates(&["5 March 2024"]), "");
        assert_eq!(dates(&["1067", "10115"]), "");
    }

    #[test]
    fn values_are_parsed_in_declared_notation() {
        let read = [
            ("1.234,56", "1.234,56", "1234.56"),
            ("1.234,56", "1234,5", "1234.5"),
            ("1.234,56", "1.234", "1234"),
            ("1.234,56", "-12.345.678", "-12345678"),
            ("1,234.56", "1,234.56", "1234.56"),
            ("1,234.56", "+7", "7"),
            ("1 234,56", "1 234,56", "1234.56"),
            ("1 234,56", "1\u{202f}234", "1234"),
            ("1'234.56", "1'234.5", "1234.5"),
            ("DD.MM.YYYY", "5.3.2024", "2024-03-05"),
            ("DD.MM.YYYY", "05.03.2024 14:30", "2024-03-05T14:30:00"),
            ("DD/MM/YYYY", "12/11/2020", "2020-11-12"),
            ("MM/DD/YYYY", "12/11/2020", "2020-12-11"),
            ("MM-DD-YYYY", "02-29-2024", "2024-02-29"),
            ("YYYY/MM/DD", "2024/03/05", "2024-03-05"),
            ("YYYYMMDD", "20240305", "2024-03-05"),
            ("0000", "150", "0150"),
            ("00000", "1067", "01067"),
            ("00000", "01067", "01067"),
            ("00000", "501", "00501"),
        ];
        for (name, text, plain) in read {
            let written = Notation::named(name).expect("the notation has this name");
            assert_eq!(written.plain(text).as_deref(), Some(plain), "{name} {text}");
            assert_eq!(written.name(), name);
        }
    }

    /// Values that do not exactly match a notation are rejected.
    #[test]
    fn near_matches_of_notation_are_rejected() {
        let not_so = [
            ("1.234,56", "1.23"),
            ("1.234,56", "1,234.56"),
            ("1.234,56", "1.234,"),
            ("1.234,56", ",5"),
            ("1.234,56", "1..234"),
            ("1.234,56", "1 234"),
            ("1.234,56", "NA"),
            ("1.234,56", "1e5"),
            ("1,234.56", "12,34"),
            ("DD.MM.YYYY", "31.02.2024"),
            ("DD.MM.YYYY", "29.02.2023"),
            ("DD.MM.YYYY", "05.03.24"),
            ("DD.MM.YYYY", "2024-03-05"),
            ("DD.MM.YYYY", "05.03.2024 25:00"),
            ("DD/MM/YYYY", "12/13/2020"),
            ("MM/DD/YYYY", "13/12/2020"),
            ("YYYYMMDD", "2024305"),
            ("YYYYMMDD", "20241332"),
            ("0000", "10115"),
            ("00000", "10115-1"),
            ("00000", "1067.0"),
            ("00000", "-1067"),
            ("00000", ""),
            ("YYYYMMDD", "\u{661}\u{662}\u{663}\u{664}"),
        ];
        for (name, text) in not_so {
            let written = Notation::named(name).expect("the notation has this name");
            assert_eq!(written.plain(text), None, "{name} {text}");
        }
    }
}
