//! # Named regulatory thresholds, and minimum requirements on the figures of the attacks
//!
//! A threshold is the largest probability with which a person may be re-identified. The requirement
//! on a release is the size of its smallest class. The sources publish both the probabilities,
//! rounded to two digits, and the class sizes.

use std::str::FromStr;

use indistinct_core::{model, parse_decimal};
use serde::Serialize;

use crate::{AttackError, Figures, Finding};

/// A regulatory threshold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Threshold {
    /// The name of the threshold.
    pub name: &'static str,
    /// The maximum acceptable probability, as printed in the source.
    pub risk: f64,
    /// The required size of the smallest class.
    pub class_size: u64,
    /// The source of the threshold.
    pub source: &'static str,
}

/// All thresholds, in the order of the documentation.
pub static THRESHOLDS: &[Threshold] = &[
    Threshold {
        name: "ema-0.09",
        risk: 0.09,
        class_size: 11,
        source: "European Medicines Agency, external guidance on Policy 0070 (EMA/90915/2016): \
                 risk 0.09, class size 11",
    },
    Threshold {
        name: "health-canada-0.09",
        risk: 0.09,
        class_size: 11,
        source: "Health Canada, Public Release of Clinical Information, guidance of 2019: risk \
                 0.09, class size 11",
    },
    Threshold {
        name: "iom-0.1",
        risk: 0.1,
        class_size: 10,
        source: "El Emam and Malin for the Institute of Medicine, 2015: risk 0.1 for a low \
                 invasion of privacy",
    },
    Threshold {
        name: "iom-0.075",
        risk: 0.075,
        class_size: 14,
        source: "El Emam and Malin for the Institute of Medicine, 2015: risk 0.075 for a medium \
                 invasion of privacy; the smallest class size n with 1/n at most 0.075",
    },
    Threshold {
        name: "iom-0.05",
        risk: 0.05,
        class_size: 20,
        source: "El Emam and Malin for the Institute of Medicine, 2015: risk 0.05 for a high \
                 invasion of privacy; class size 20",
    },
];

/// Returns the threshold with this name.
pub fn find(name: &str) -> Option<&'static Threshold> {
    THRESHOLDS.iter().find(|threshold| threshold.name == name)
}

/// The result of comparing a release with a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ThresholdCheck {
    /// The threshold that the release is compared with.
    #[serde(flatten)]
    pub threshold: &'static Threshold,
    /// The size of the smallest class of the release, counted in people if a person may have
    /// several rows; `None` if the release is empty.
    pub smallest_class: Option<u64>,
    /// Whether every class has at least the required size.
    pub holds: bool,
    /// Rows in classes that are smaller than the required size.
    pub n_rows_below: u64,
    /// The mean risk over the rows, classes / rows. Some guidance compares this figure with the
    /// threshold.
    pub mean_risk: Option<f64>,
}

impl Threshold {
    /// Compares class sizes with the threshold. `fewest_people` is the smallest number of people in
    /// a class, if it differs from the number of rows.
    pub fn of(&'static self, class_sizes: &[u64], fewest_people: Option<u64>) -> ThresholdCheck {
        let present = || class_sizes.iter().copied().filter(|&size| size > 0);
        let n_rows: u64 = present().sum();
        let smallest_class = present().chain(fewest_people.filter(|_| n_rows > 0)).min();
        ThresholdCheck {
            threshold: self,
            smallest_class,
            holds: smallest_class.is_none_or(|size| size >= self.class_size),
            n_rows_below: present().filter(|&size| size < self.class_size).sum(),
            mean_risk: (n_rows > 0).then(|| present().count() as f64 / n_rows as f64),
        }
    }
}

/// The probability of the interval whose width is compared with a minimum.
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
    /// At most this many combinations of a class and a finer value describe exactly one person with
    /// probability above 0.9.
    Predicates(u64),
    /// The choice of labels increases the share of correctly guessed original values by at most
    /// this much.
    Lift(f64),
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
            "predicates" => Ok(Minimum::Predicates(count()?)),
            "lift" => Ok(Minimum::Lift(share()?)),
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
    /// The actual figure; `None` if this figure is undefined for the release.
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
            Minimum::Predicates(n) => ("predicates", *n as f64),
            Minimum::Lift(share) => ("lift", *share),
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
            Minimum::Predicates(_) => least(&|figures| match figures {
                Figures::Refinement(it) => Some(it.predicates.n_likely as f64),
                _ => None,
            }),
            Minimum::Lift(_) => least(&|figures| match figures {
                Figures::Refinement(it) => Some(it.lift().unwrap_or(0.0)),
                _ => None,
            }),
        };
        let is_maximum = matches!(self, Minimum::Predicates(_) | Minimum::Lift(_));
        let holds = match found {
            Some(found) if is_maximum => found <= required,
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
    fn class_of_required_size_meets_threshold() {
        let ema = find("ema-0.09").expect("known");
        let at = ema.of(&[11, 30, 0], None);
        assert!(at.holds && at.n_rows_below == 0 && at.smallest_class == Some(11));
        let below = ema.of(&[10, 30], None);
        assert!(!below.holds && below.n_rows_below == 10);
        assert_eq!(below.mean_risk, Some(0.05));
        assert!(ema.of(&[], None).holds);
        // A class with eleven rows of three people.
        let few = ema.of(&[11, 30], Some(3));
        assert!(!few.holds && few.smallest_class == Some(3));
    }

    #[test]
    fn required_class_size_matches_published_risk() {
        for threshold in THRESHOLDS {
            let risk = 1.0 / threshold.class_size as f64;
            assert!(risk <= threshold.risk + 0.005, "{}", threshold.name);
        }
    }

    #[test]
    fn only_valid_minima_are_parsed() {
        let read = |text: &str| text.parse::<Minimum>().expect("a minimum");
        assert_eq!(read("class=11"), Minimum::Class(11));
        assert_eq!(read("interval=0.05"), Minimum::Interval(0.05));
        assert_eq!(read("statements=2"), Minimum::Statements(2));
        assert_eq!(read("shared=0.95"), Minimum::Shared(0.95));
        assert_eq!(read("predicates=0"), Minimum::Predicates(0));
        assert_eq!(read("lift=0.02"), Minimum::Lift(0.02));
        let threshold = find("ema-0.09").expect("known");
        assert_eq!(read("ema-0.09"), Minimum::Threshold(threshold));
        for wrong in ["", "class", "class=x", "class=-1", "interval=2", "lift=2", "l=3", "ema"] {
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
