//! A naive oracle for perturbation: Bayes' rule over all pairs of an original and a released
//! sensitive value.
//!
//! The oracle enumerates all original sensitive values and all released values, without any formula
//! of the paper.

use num_traits::{One, Zero};

use crate::numeric_oracles::{Neighborhood, Number, SensitiveValue};

/// The sensitive value of each row in a table, and the values from which noise is drawn.
#[derive(Debug, Clone)]
pub struct PerturbedValues {
    /// The sensitive value of each row.
    pub rows: Vec<SensitiveValue>,
    /// The distinct values of the domain, including the values in the rows.
    pub domain: Vec<SensitiveValue>,
}

impl PerturbedValues {
    /// Returns the probability that a row with the sensitive value `own` is released with
    /// `released`.
    fn transition(&self, own: &SensitiveValue, released: &SensitiveValue, p: &Number) -> Number {
        let noise = (Number::one() - p) / Number::from_integer(self.domain.len().into());
        if own == released { p + noise } else { noise }
    }

    /// Returns the probability that the sensitive value of a random row is in the neighborhood of
    /// `own`, given that its released value is in `observed`. Returns `None` if no released value
    /// is in `observed`.
    fn posterior(
        &self,
        own: &SensitiveValue,
        near: &Neighborhood,
        observed: &[&SensitiveValue],
        p: &Number,
    ) -> Option<Number> {
        let (mut all, mut inside) = (Number::zero(), Number::zero());
        for row in &self.rows {
            for released in observed {
                let probability = self.transition(row, released, p);
                if near.holds(own, row) {
                    inside += &probability;
                }
                all += probability;
            }
        }
        (!all.is_zero()).then(|| inside / all)
    }

    /// Returns the largest risk of any row, given that its released value is in its neighborhood.
    pub fn risk(&self, near: &Neighborhood, p: &Number) -> Number {
        let risks = self.rows.iter().filter_map(|own| {
            let observed: Vec<&SensitiveValue> =
                self.domain.iter().filter(|released| near.holds(own, released)).collect();
            self.posterior(own, near, &observed, p)
        });
        risks.max().unwrap_or_else(Number::zero)
    }

    /// Returns the largest risk of any row, given its released value, over all released values.
    pub fn risk_given_value(&self, near: &Neighborhood, p: &Number) -> Number {
        let each = self.rows.iter().flat_map(|own| {
            self.domain.iter().filter_map(move |released| self.posterior(own, near, &[released], p))
        });
        each.max().unwrap_or_else(Number::zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric_oracles::number;

    /// There are four equally frequent values, and each neighborhood contains only the row's own
    /// value. With p = 1/2, a row keeps its value with probability 5/8.
    #[test]
    fn perturbation_risk_matches_counting() {
        let values: Vec<SensitiveValue> = (0..4).map(|value| Some(number(value, 1))).collect();
        let table = PerturbedValues { rows: values.clone(), domain: values };
        let near = Neighborhood::Relative(Number::zero());
        assert_eq!(table.risk(&near, &number(1, 2)), number(5, 8));
        assert_eq!(table.risk_given_value(&near, &number(1, 2)), number(5, 8));
        assert_eq!(table.risk(&near, &Number::zero()), number(1, 4));
    }
}
