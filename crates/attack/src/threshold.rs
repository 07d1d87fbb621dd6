//! # Named regulatory thresholds
//!
//! A threshold is the largest probability with which a person may be re-identified. The requirement
//! on a release is the size of its smallest class. The sources publish both the probabilities,
//! rounded to two digits, and the class sizes.

use serde::Serialize;

/// A regulatory threshold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Threshold {
    /// The name of the threshold.
    pub name: &'static str,
    /// The largest probability, as printed in the source.
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
    /// The smallest class of the release, counted in people if a person may have several rows;
    /// `None` if the release is empty.
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
}
