//! Computes all risk estimates for a sample, from its classes and information about the population.

use serde::Serialize;

use super::household::{self, HouseholdRisk};
use super::individual::{self, IndividualRisk};
use super::k_map::KMap;
use super::uniqueness::{self, Sample, Uniqueness};

/// The classes of a table that is a sample of a population.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// The number of rows in each class, which is at least 1.
    pub sizes: Vec<u64>,
    /// The sum of the survey weights of each class, if rows have weights.
    pub weights: Option<Vec<f64>>,
    /// The fraction of the population in these classes, above 0 and at most 1, if known.
    pub fraction: Option<f64>,
}

/// Risk estimates for a table that is a sample of a population, or that contains households.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SampleRisk {
    /// The number of people who are unique in the population, estimated from the sampling fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniqueness: Option<Uniqueness>,
    /// The risk of rows based on survey weights or the sampling fraction (Benedetti and Franconi).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub individual: Option<IndividualRisk>,
    /// The risk that a household is re-identified through any of its members. Without weights, the
    /// risk of a row is based on the size of its class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub household: Option<HouseholdRisk>,
    /// The risk based on the table of the population.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k_map: Option<KMap>,
}

impl Sampled {
    /// Returns the number of people in the population that each class represents, based on the
    /// weights, or otherwise on the sampling fraction.
    pub fn people(&self) -> Option<Vec<f64>> {
        self.weights.clone().or_else(|| {
            let fraction = self.fraction?;
            Some(self.sizes.iter().map(|rows| *rows as f64 / fraction).collect())
        })
    }

    /// Returns the risk of a row in each class, based on the number of people that the class
    /// represents, or otherwise 1 divided by its number of rows.
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

    /// Computes all estimates. `households` contains the household and the risk of each row.
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
    fn weights_take_precedence_over_sampling_fraction() {
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
        // The estimate includes the fraction of unique rows in the sample.
        assert_eq!(all.uniqueness.map(|it| it.sample_unique_fraction), Some(1.0 / 3.0));
    }
}
