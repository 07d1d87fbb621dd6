//! A naive oracle for perturbation: Bayes' rule over all pairs of an original and a released sensitive value.
//!
//! It enumerates who has which sensitive value and what is released instead of it. No formula of the text is used.

use num_traits::{One, Zero};

use crate::numeric_oracles::{Neighborhood, Number, SensitiveValue};

/// A table's sensitive values, one for each row, and the values that noise is drawn from.
#[derive(Debug, Clone)]
pub struct PerturbedValues {
    /// The sensitive attributes.
    pub rows: Vec<SensitiveValue>,
    /// Each once, those of the rows among them.
    pub domain: Vec<SensitiveValue>,
}

impl PerturbedValues {
    /// The probability that a row with one sensitive value is released with another one.
    fn transition(&self, own: &SensitiveValue, released: &SensitiveValue, p: &Number) -> Number {
        let noise = (Number::one() - p) / Number::from_integer(self.domain.len().into());
        if own == released { p + noise } else { noise }
    }

    /// The probability that the sensitive value of a row drawn at random lies in the neighborhood of `own`, given that
    /// its released one is among `observed`. `None` if that does not happen.
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

    /// The largest risk of a row, given that its released sensitive value lies in its neighborhood.
    pub fn risk(&self, near: &Neighborhood, p: &Number) -> Number {
        let risks = self.rows.iter().filter_map(|own| {
            let observed: Vec<&SensitiveValue> =
                self.domain.iter().filter(|released| near.holds(own, released)).collect();
            self.posterior(own, near, &observed, p)
        });
        risks.max().unwrap_or_else(Number::zero)
    }

    /// The largest risk of a row, given its released sensitive value, whatever that is.
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

    /// Four equally frequent values, of which one is near each row: with p = 1/2 a row keeps its value with probability 5/8.
    #[test]
    fn the_risk_by_counting() {
        let values: Vec<SensitiveValue> = (0..4).map(|value| Some(number(value, 1))).collect();
        let table = PerturbedValues { rows: values.clone(), domain: values };
        let near = Neighborhood::Relative(Number::zero());
        assert_eq!(table.risk(&near, &number(1, 2)), number(5, 8));
        assert_eq!(table.risk_given_value(&near, &number(1, 2)), number(5, 8));
        assert_eq!(table.risk(&near, &Number::zero()), number(1, 4));
    }
}
