//! # Thresholds that regulators use, by name
//!
//! A threshold is the largest probability with which somebody may be re-identified. What it asks of a release is the smallest class: the
//! thresholds are published as probabilities of two digits, and the class sizes that go with them are those of the source.

use serde::Serialize;

/// A threshold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Threshold {
    /// Its name.
    pub name: &'static str,
    /// The largest probability, as the source prints it.
    pub risk: f64,
    /// The smallest class that it asks for.
    pub class_size: u64,
    /// Where it is from.
    pub source: &'static str,
}

/// All thresholds, in the order of the documentation.
pub static THRESHOLDS: &[Threshold] = &[
    Threshold {
        name: "ema-0.09",
        risk: 0.09,
        class_size: 11,
        source: "European Medicines Agency, external guidance on Policy 0070 (EMA/90915/2016): 0.09, a class of 11",
    },
    Threshold {
        name: "health-canada-0.09",
        risk: 0.09,
        class_size: 11,
        source: "Health Canada, Public Release of Clinical Information, guidance of 2019: 0.09, a class of 11",
    },
    Threshold {
        name: "iom-0.1",
        risk: 0.1,
        class_size: 10,
        source: "El Emam and Malin for the Institute of Medicine, 2015: 0.1 where a disclosure would invade privacy little",
    },
    Threshold {
        name: "iom-0.075",
        risk: 0.075,
        class_size: 14,
        source: "El Emam and Malin for the Institute of Medicine, 2015: 0.075 in between; the smallest class with 1/n at most 0.075",
    },
    Threshold {
        name: "iom-0.05",
        risk: 0.05,
        class_size: 20,
        source: "El Emam and Malin for the Institute of Medicine, 2015: 0.05 where it would invade privacy much; a class of 20",
    },
];

/// The threshold of that name.
pub fn find(name: &str) -> Option<&'static Threshold> {
    THRESHOLDS.iter().find(|threshold| threshold.name == name)
}

/// A release held against a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ThresholdCheck {
    /// The threshold.
    #[serde(flatten)]
    pub threshold: &'static Threshold,
    /// The smallest class of the release, in people where a person may have several rows; `None` for an empty one.
    pub smallest_class: Option<u64>,
    /// Whether no class is smaller than it asks for.
    pub holds: bool,
    /// Rows in classes of fewer rows.
    pub n_rows_below: u64,
    /// The mean risk over the rows, classes / rows: what some guidance holds against the threshold instead.
    pub mean_risk: Option<f64>,
}

impl Threshold {
    /// Holds class sizes against the threshold; `fewest_people` are those of some class, where that is not the number of its rows.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_of_the_size_asked_for_is_enough() {
        let ema = find("ema-0.09").expect("known");
        let at = ema.of(&[11, 30, 0], None);
        assert!(at.holds && at.n_rows_below == 0 && at.smallest_class == Some(11));
        let below = ema.of(&[10, 30], None);
        assert!(!below.holds && below.n_rows_below == 10);
        assert_eq!(below.mean_risk, Some(0.05));
        assert!(ema.of(&[], None).holds);
        // Eleven rows of three people.
        let few = ema.of(&[11, 30], Some(3));
        assert!(!few.holds && few.smallest_class == Some(3));
    }

    #[test]
    fn a_class_of_the_size_asked_for_has_the_risk_of_the_source_to_its_digits() {
        for threshold in THRESHOLDS {
            let risk = 1.0 / threshold.class_size as f64;
            assert!(risk <= threshold.risk + 0.005, "{}", threshold.name);
        }
    }
}
