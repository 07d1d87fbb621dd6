//! The largest epsilon for which perturbation is feasible.

use indistinct_core::FrequencyTable;

use super::{Incomes, Near, requested};
use crate::comparison::{is_higher, is_lower};
use crate::error::Error;

/// The limit for perturbation with m = 5.
pub(super) struct Limit {
    /// The largest tested epsilon for which a retention probability exists, or 0 if no such epsilon
    /// exists.
    pub(super) served: f64,
    /// The smallest tested epsilon for which no retention probability exists, or infinity if no
    /// such epsilon exists.
    pub(super) refused: f64,
    /// The largest fraction of rows in a single neighborhood at the first infeasible epsilon.
    pub(super) share: f64,
}

impl Limit {
    /// Returns whether the limit differs from the limit in the paper by less than a tenth.
    pub(super) fn is_at(&self, near: Near) -> bool {
        let printed = match near {
            Near::Absolute => 4_000.0,
            Near::Relative => 0.15,
        };
        !is_higher(self.served, printed) && !is_lower(self.refused, printed)
    }
}

/// Converts a number of steps to a decimal epsilon.
fn epsilon(near: Near, steps: u32) -> String {
    match near {
        Near::Absolute => (50 * steps).to_string(),
        Near::Relative => (f64::from(25 * steps) / 10_000.0).to_string(),
    }
}

/// Finds the limit by bisection. This is valid because neighborhoods, and therefore risks, grow
/// with epsilon.
pub(super) fn limit(incomes: &Incomes, near: Near) -> Result<Limit, Error> {
    let (mut served, mut refused) = (0, 401);
    while refused - served > 1 {
        let middle = (served + refused) / 2;
        match incomes.retention(&requested(near, &epsilon(near, middle), 5))? {
            Some(_) => served = middle,
            None => refused = middle,
        }
    }
    let number = |steps: u32| epsilon(near, steps).parse().unwrap_or(f64::NAN);
    Ok(Limit {
        served: number(served),
        refused: if refused > 400 { f64::INFINITY } else { number(refused) },
        share: densest(&incomes.table, near, number(refused)),
    })
}

/// Returns the largest fraction of rows within epsilon of one income.
fn densest(table: &FrequencyTable, near: Near, epsilon: f64) -> f64 {
    let sensitive_values = &table.sensitive()[0];
    let value = |text: &String| text.parse::<f64>().unwrap_or(f64::NAN);
    let incomes: Vec<f64> = sensitive_values.dictionary.values().iter().map(value).collect();
    let mut before = vec![0];
    for rows in table.marginal(sensitive_values) {
        before.push(before[before.len() - 1] + rows);
    }
    let near_one = |&income: &f64| {
        let radius = match near {
            Near::Absolute => epsilon,
            Near::Relative => epsilon * income,
        };
        let from = incomes.partition_point(|&other| other < income - radius);
        let to = incomes.partition_point(|&other| other <= income + radius);
        before[to] - before[from]
    };
    let most = incomes.iter().map(near_one).max().unwrap_or(0);
    most as f64 / table.n_rows().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::salary;

    #[test]
    fn perturbation_limit_is_one_fifth_near_value() {
        let incomes = Incomes::from_salaries(salary(2_000, 7).expect("the table is generated"), 7);
        for near in [Near::Absolute, Near::Relative] {
            let limit = limit(&incomes, near).expect("an answer");
            assert!(limit.served < limit.refused && limit.refused.is_finite());
            assert!(densest(&incomes.table, near, limit.served) <= 0.2);
            assert!(limit.share > 0.2);
        }
    }
}
