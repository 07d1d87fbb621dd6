//! What a released text says by itself: numbers, intervals, parts of dates, sets, masks.
//!
//! A position on an axis is a number, or for dates a number of days. Whether a text really means what it looks like is for
//! [`words`](super::words) to decide, which also knows what stands above and below it.

use indistinct_core::{Rational, parse_decimal};

/// A place between positions: before or behind one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cut {
    /// Before everything.
    First,
    Before(Rational),
    Behind(Rational),
    /// Behind everything.
    Last,
}

/// What lies from one cut to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub from: Cut,
    pub to: Cut,
}

impl Cut {
    /// Before and behind one position, as an order: (position, behind).
    fn key(self) -> (u8, Option<Rational>, u8) {
        match self {
            Cut::First => (0, None, 0),
            Cut::Before(at) => (1, Some(at), 0),
            Cut::Behind(at) => (1, Some(at), 1),
            Cut::Last => (2, None, 0),
        }
    }

    pub(super) fn order(self, other: Cut) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl Span {
    pub(super) fn point(at: Rational) -> Self {
        Self { from: Cut::Before(at), to: Cut::Behind(at) }
    }

    fn between(from: Cut, to: Cut) -> Option<Self> {
        from.order(to).is_lt().then_some(Self { from, to })
    }

    pub(super) fn is_within(&self, other: &Span) -> bool {
        self.from.order(other.from).is_ge() && self.to.order(other.to).is_le()
    }
}

/// What the positions of an attribute are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Numbers,
    Dates,
}

/// The position of a value, where it has one.
pub(super) fn position(text: &str, axis: Axis) -> Option<Rational> {
    match axis {
        Axis::Numbers => parse_decimal(text).ok(),
        Axis::Dates => moment(text),
    }
}

/// What a generalized text covers of an axis; of dates also a day, which may stand for moments of it.
pub(super) fn span(text: &str, axis: Axis) -> Option<Span> {
    let at = |text: &str| match axis {
        Axis::Numbers => parse_decimal(text).ok(),
        Axis::Dates => None,
    };
    if let Some(inner) = text.strip_prefix('[') {
        let (low, high) = inner.split_once(", ")?;
        let from = Cut::Before(at(low)?);
        let to = match (high.strip_suffix(')'), high.strip_suffix(']')) {
            (Some(high), _) => Cut::Before(at(high)?),
            (_, Some(high)) => Cut::Behind(at(high)?),
            _ => return None,
        };
        return Span::between(from, to);
    }
    if let Some(high) = text.strip_prefix("< ") {
        return Span::between(Cut::First, Cut::Before(at(high)?));
    }
    if let Some(low) = text.strip_prefix(">= ") {
        return Span::between(Cut::Before(at(low)?), Cut::Last);
    }
    match axis {
        Axis::Numbers => None,
        Axis::Dates => days(text),
    }
}

/// Whether a text can only be a part of a date: more than a year, which may be any number.
pub(super) fn is_of_a_date(text: &str) -> bool {
    text.len() > 4 && (days(text).is_some() || moment(text).is_some())
}

/// The days of a part of a date.
fn days(text: &str) -> Option<Span> {
    let year = number(text.get(..4)?)?;
    let (first, last) = match text.get(4..)? {
        "" => ((year, 1), (year + 1, 1)),
        "s" if year % 10 == 0 => ((year, 1), (year + 10, 1)),
        "-Q1" => ((year, 1), (year, 4)),
        "-Q2" => ((year, 4), (year, 7)),
        "-Q3" => ((year, 7), (year, 10)),
        "-Q4" => ((year, 10), (year + 1, 1)),
        rest => {
            let rest = rest.strip_prefix('-')?;
            let month = number(rest.get(..2)?).filter(|month| (1..=12).contains(month))?;
            let next = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
            let first = day_number(year, month, 1);
            let end = day_number(next.0, next.1, 1);
            let (from, to) = match rest.get(2..)? {
                "" => (first, end),
                day => {
                    let day = day.strip_prefix('-').filter(|day| day.len() == 2)?;
                    let day = first + number(day)?.checked_sub(1).filter(|day| *day >= 0)?;
                    (day, day + 1)
                }
            };
            let whole = |day: i128| Cut::Before(Rational::from_integer(day));
            return if to <= end { Span::between(whole(from), whole(to)) } else { None };
        }
    };
    let start = |(year, month)| Cut::Before(Rational::from_integer(day_number(year, month, 1)));
    Span::between(start(first), start(last))
}

/// A day with a time of day; an offset from universal time is ignored, as hierarchies of dates do.
fn moment(text: &str) -> Option<Rational> {
    let (day, time) = text.split_at_checked(10)?;
    let Span { from: Cut::Before(day), .. } = days(day).filter(|_| day.len() == 10)? else {
        return None;
    };
    let time = time.strip_prefix(['T', ' '])?;
    let end = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let mut parts = time[..end].split(':');
    let hour = number(parts.next()?).filter(|hour| *hour < 24)?;
    let minute = number(parts.next()?).filter(|minute| *minute < 60)?;
    let seconds = match parts.next() {
        Some(seconds) => parse_decimal(seconds).ok()?,
        None => Rational::from_integer(0),
    };
    if parts.next().is_some() || seconds < Rational::from_integer(0) {
        return None;
    }
    let whole = Rational::from_integer(3600 * hour + 60 * minute);
    Some(day + (whole + seconds) / Rational::from_integer(86_400))
}

fn number(digits: &str) -> Option<i128> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// Days since the first of March of year 0, in the Gregorian calendar.
fn day_number(year: i128, month: i128, day: i128) -> i128 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + (153 * month + 2) / 5 + day - 1
}

/// The values of a set `{a, b}`, with `\` before each `\`, `,`, `{` and `}` of a value.
pub(super) fn set(text: &str) -> Option<Vec<String>> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    let (mut values, mut value, mut characters) = (Vec::new(), String::new(), inner.chars());
    while let Some(character) = characters.next() {
        match character {
            '\\' => value.push(characters.next()?),
            ',' => {
                characters.next().filter(|blank| *blank == ' ')?;
                values.push(std::mem::take(&mut value));
            }
            '{' | '}' => return None,
            other => value.push(other),
        }
    }
    values.push(value);
    Some(values)
}

/// The side of a text whose characters are replaced by `*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Left,
    Right,
}

/// Whether a text looks like one with masked characters: stars at one end, and something else.
pub(super) fn masked_side(text: &str) -> Option<Side> {
    let shown = text.trim_end_matches('*');
    if shown.len() < text.len() && !shown.is_empty() && !shown.contains('*') {
        return Some(Side::Right);
    }
    let shown = text.trim_start_matches('*');
    (shown.len() < text.len() && !shown.is_empty() && !shown.contains('*')).then_some(Side::Left)
}

/// The texts with one more character masked at a time, as long as one is left.
pub(super) fn masks(text: &str, side: Side) -> Vec<String> {
    let mut characters: Vec<char> = text.chars().collect();
    let n = characters.len();
    let mut masks = Vec::new();
    for masked in 1..n {
        let at = if side == Side::Right { n - masked } else { masked - 1 };
        if characters[at] != '*' {
            characters[at] = '*';
            masks.push(characters.iter().collect());
        }
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, axis: Axis) -> Option<(Cut, Cut)> {
        span(text, axis).map(|span| (span.from, span.to))
    }

    #[test]
    fn intervals_are_those_of_hierarchies_and_regions() {
        let at = |n| Rational::from_integer(n);
        let (before, behind) = (|n| Cut::Before(at(n)), |n| Cut::Behind(at(n)));
        assert_eq!(shown("[20, 30)", Axis::Numbers), Some((before(20), before(30))));
        assert_eq!(shown("[20, 29]", Axis::Numbers), Some((before(20), behind(29))));
        assert_eq!(shown("[-5, -5]", Axis::Numbers), Some((before(-5), behind(-5))));
        assert_eq!(shown("< 18", Axis::Numbers), Some((Cut::First, before(18))));
        assert_eq!(shown(">= 85", Axis::Numbers), Some((before(85), Cut::Last)));
        for text in ["20", "[20, 20)", "[30, 20]", "[a, b]", "20-29", "[20, 30[", "<18", "*"] {
            assert_eq!(shown(text, Axis::Numbers), None, "{text}");
        }
    }

    #[test]
    fn parts_of_dates_lie_within_each_other() {
        let order = ["2024-02-29", "2024-02", "2024-Q1", "2024", "2020s"];
        for (at, inner) in order.iter().enumerate() {
            for (above, outer) in order.iter().enumerate() {
                let [inner, outer] =
                    [inner, outer].map(|text| span(text, Axis::Dates).expect("a part of a date"));
                assert_eq!(inner.is_within(&outer), at <= above);
            }
        }
        for text in ["2023-02-29", "2024-13", "2024-Q5", "2024-00", "2024-01-00", "2024-1", "2021s"]
        {
            assert_eq!(shown(text, Axis::Dates), None, "{text}");
        }
        let day = span("1999-12-31", Axis::Dates).expect("a day");
        let late = moment("1999-12-31T23:59:59.5Z").expect("a moment");
        assert!(Span::point(late).is_within(&day));
        assert!(!Span::point(moment("2000-01-01 00:00").expect("a moment")).is_within(&day));
        assert!(is_of_a_date("2024-02") && !is_of_a_date("2024") && !is_of_a_date("13053"));
        assert_eq!(moment("1999-12-31T24:00"), None);
    }

    #[test]
    fn sets_are_read_as_they_are_written() {
        let values = |text: &str| set(text).map(|values| values.join("|"));
        assert_eq!(values(r"{\\, a\,b, \{c\}}").as_deref(), Some(r"\|a,b|{c}"));
        assert_eq!(values("{, a}").as_deref(), Some("|a"));
        for text in ["{a,b}", "a, b", "{a", "{{a}}"] {
            assert_eq!(values(text), None, "{text}");
        }
    }

    #[test]
    fn masks_hide_from_one_side() {
        assert_eq!(masked_side("130**"), Some(Side::Right));
        assert_eq!(masked_side("**053"), Some(Side::Left));
        for text in ["*", "**", "13053", "1*3", "*1*", ""] {
            assert_eq!(masked_side(text), None, "{text}");
        }
        assert_eq!(masks("1305", Side::Right), ["130*", "13**", "1***"]);
        assert_eq!(masks("*äb", Side::Left), ["**b"]);
        assert_eq!(masks("1", Side::Right), [""; 0]);
    }
}
