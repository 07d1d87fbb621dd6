//! Minimum requirements on the figures of the attacks.

use std::str::FromStr;

use indistinct_core::{model, parse_decimal};
use serde::Serialize;

use crate::threshold::{THRESHOLDS, Threshold, find};
use crate::{AttackError, Figures, Finding};

/// The probability that defines the interval to compare with a minimum.
const INTERVAL: f64 = 0.9;

/// A minimum requirement on a release.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Minimum {
    /// Every class has at least this many rows.
    Class(u64),
    /// An adversary needs at least this many statements to be sure of any person's sensitive value.
    Statements(u64),
    /// Every interval that contains a numeric sensitive value with probability 0.9 is at least this
    /// wide, as a share of the range.
    Interval(f64),
    /// At least this fraction of the rows is not unique in the sensitive attributes, nor in the
    /// insensitive attributes.
    Shared(f64),
    /// Every class has at least the size that the threshold requires.
    Threshold(&'static Threshold),
}

impl FromStr for Minimum {
    type Err = AttackError;

    fn from_str(text: &str) -> Result<Self, AttackError> {
        let known = || THRESHOLDS.iter().map(|threshold| threshold.name).collect();
        let wrong = || AttackError::NotAMinimum { got: text.to_owned(), known: known() };
        if let Some(threshold) = find(text) {
            return Ok(Minimum::Threshold(threshold));
        }
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        let count = || value.parse::<u64>().map_err(|_| wrong());
        let share = || {
            let share = parse_decimal(value).map_err(|_| wrong())?;
            let share = Some(model::to_f64(&share)).filter(|it| (0.0..=1.0).contains(it));
            share.ok_or_else(wrong)
        };
        match name {
            "class" => Ok(Minimum::Class(count()?)),
            "statements" => Ok(Minimum::Statements(count()?)),
            "interval" => Ok(Minimum::Interval(share()?)),
            "shared" => Ok(Minimum::Shared(share()?)),
            _ => Err(wrong()),
        }
    }
}

/// The result of comparing a release with a minimum.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct MinimumMet {
    /// The name of the required figure.
    pub about: &'static str,
    /// The required figure.
    pub required: f64,
    /// The actual figure; `None` if the release has no such figure.
    pub found: Option<f64>,
    /// Whether the minimum is met. If the figure is missing, the minimum is met only by an empty
    /// release.
    pub holds: bool,
}

impl Minimum {
    /// Compares the minimum with a release. If a person may have several rows, `smallest_class` is
    /// the smallest number of people in a class.
    pub fn of(&self, smallest_class: Option<u64>, findings: &[Finding]) -> MinimumMet {
        let (about, required) = match self {
            Minimum::Class(size) => ("class", *size as f64),
            Minimum::Threshold(threshold) => (threshold.name, threshold.class_size as f64),
            Minimum::Statements(n) => ("statements", *n as f64),
            Minimum::Interval(share) => ("interval", *share),
            Minimum::Shared(share) => ("shared", *share),
        };
        let least = |of: &dyn Fn(&Figures) -> Option<f64>| {
            findings.iter().filter_map(|finding| of(&finding.figures)).reduce(f64::min)
        };
        let found = match self {
            Minimum::Class(_) | Minimum::Threshold(_) => smallest_class.map(|size| size as f64),
            Minimum::Statements(_) => least(&|figures| match figures {
                Figures::Background(it) => it.nearly.map(|nearly| nearly.minimum),
                _ => None,
            }),
            Minimum::Interval(_) => least(&|figures| match figures {
                Figures::Proximity(it) => it.narrowest(INTERVAL),
                _ => None,
            }),
            Minimum::Shared(_) => least(&|figures| match figures {
                Figures::UniqueRows(it) => it.shared_fraction(),
                _ => None,
            }),
        };
        let holds = match found {
            Some(found) => found >= required,
            None => smallest_class.is_none(),
        };
        MinimumMet { about, required, found, holds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_minima_are_parsed() {
        let read = |text: &str| text.parse::<Minimum>().expect("a minimum");
        assert_eq!(read("class=11"), Minimum::Class(11));
        assert_eq!(read("interval=0.05"), Minimum::Interval(0.05));
        assert_eq!(read("statements=2"), Minimum::Statements(2));
        assert_eq!(read("shared=0.95"), Minimum::Shared(0.95));
        let threshold = find("ema-0.09").expect("known");
        assert_eq!(read("ema-0.09"), Minimum::Threshold(threshold));
        for wrong in ["", "class", "class=x", "class=-1", "interval=2", "shared=-1", "l=3", "ema"] {
            assert!(wrong.parse::<Minimum>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn missing_figures_fail_minimum_of_nonempty_release() {
        assert!(Minimum::Class(5).of(Some(5), &[]).holds);
        assert!(!Minimum::Class(6).of(Some(5), &[]).holds);
        assert!(!Minimum::Interval(0.0).of(Some(5), &[]).holds);
        assert!(Minimum::Statements(3).of(None, &[]).holds);
    }
}
