//! Classes of a table that is a sample, with whatever is known of its population: all estimates of this folder at once.

use serde::Serialize;

use super::household::{self, HouseholdRisk};
use super::individual::{self, IndividualRisk};
use super::k_map::KMap;
use super::uniqueness::{self, Sample, Uniqueness};

/// Classes of a table that is a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// The rows of each class, at least 1.
    pub sizes: Vec<u64>,
    /// The sum of the survey weights of each, where rows have weights.
    pub weights: Option<Vec<f64>>,
    /// The share of the population that is in these classes, above 0 and at most 1, where it is known.
    pub fraction: Option<f64>,
}

/// Risk where a table is a sample, or rows are not people.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SampleRisk {
    /// People who are unique in the population, estimated from the sampling fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniqueness: Option<Uniqueness>,
    /// The risk of rows by survey weights or the sampling fraction (Benedetti and Franconi).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub individual: Option<IndividualRisk>,
    /// The same where a household is found if any of its members is; without weights by the sizes of classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub household: Option<HouseholdRisk>,
    /// What the table of the population says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k_map: Option<KMap>,
}

impl Sampled {
    /// The people of the population that each class stands for: by the weights, else by the sampling fraction.
    pub fn people(&self) -> Option<Vec<f64>> {
        self.weights.clone().or_else(|| {
            let fraction = self.fraction?;
            Some(self.sizes.iter().map(|rows| *rows as f64 / fraction).collect())
        })
    }

    /// The risk of a row of each class: by the people that it stands for, else 1 by its rows.
    pub fn risks(&self) -> Vec<f64> {
        match self.people() {
            Some(people) => self
                .sizes
                .iter()
                .zip(people)
                .map(|(&rows, people)| individual::risk(rows, people))
                .collect(),
            None => self.sizes.iter().map(|rows| 1.0 / *rows as f64).collect(),
        }
    }

    /// All estimates; `households` has for each row its household and its risk.
    pub fn risk(&self, households: Option<&[(u32, f64)]>, k_map: Option<KMap>) -> SampleRisk {
        let mut class_sizes = std::collections::BTreeMap::new();
        self.sizes.iter().for_each(|size| *class_sizes.entry(*size).or_insert(0) += 1);
        SampleRisk {
            uniqueness: self
                .fraction
                .and_then(|fraction| uniqueness::estimate(&Sample { class_sizes, fraction })),
            individual: self
                .people()
                .and_then(|people| individual::of_classes(self.sizes.iter().copied().zip(people))),
            household: households.and_then(household::of_all),
            k_map,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_come_before_the_fraction_and_sizes_are_what_is_left() {
        let sizes = vec![1, 2];
        let of = |weights: Option<Vec<f64>>, fraction| Sampled {
            sizes: sizes.clone(),
            weights,
            fraction,
        };
        assert_eq!(of(Some(vec![5.0, 9.0]), Some(0.5)).people(), Some(vec![5.0, 9.0]));
        assert_eq!(of(None, Some(0.5)).people(), Some(vec![2.0, 4.0]));
        assert_eq!(of(None, None).people(), None);
        assert_eq!(of(None, None).risks(), [1.0, 0.5]);
        assert_eq!(of(None, Some(1.0)).risks(), [1.0, 0.5]);
        let households = [(0, 1.0), (1, 0.5), (1, 0.5)];
        let all = of(None, None).risk(Some(&households), None);
        assert_eq!(all.household.map(|it| it.expected_rows), Some(2.5));
        assert_eq!((all.uniqueness.is_none(), all.individual), (true, None));
        let all = of(None, Some(0.5)).risk(None, None);
        assert_eq!(all.individual.map(|it| it.n_people), Some(6.0));
        // What is unique in the sample, by what was estimated.
        assert_eq!(all.uniqueness.map(|it| it.sample_unique_fraction), Some(1.0 / 3.0));
    }
}
