//! The reachable levels if nearby numbers count as the same sensitive value (Theorems 1 and 2 of
//! the (epsilon, m) paper).

use indistinct_answers::advice::{
    EpsilonLimit, EpsilonUnit, LargestM, NumericAdvice, RequiredEpsilon,
};
use indistinct_core::Rational;
use indistinct_core::feasibility::{NearnessBound, Unit, largest_m, supremum};
use indistinct_core::model::{Numbers, to_f64};
use indistinct_core::principle::proximity::{Neighborhood, Reach};
use indistinct_core::principle::{k_e_anonymity, variance_control};

use crate::attribute::ONE;
use crate::context::AdviceContext;
use crate::curves::{Curves, limit};

fn word_of(unit: Unit) -> EpsilonUnit {
    match unit {
        Unit::Absolute => EpsilonUnit::Absolute,
        Unit::Relative => EpsilonUnit::Relative,
    }
}

impl AdviceContext<'_> {
    /// Returns the policy's requirements on the distance between sensitive values of an attribute.
    fn bounds(&self, attribute: usize) -> Vec<NearnessBound> {
        let name = &self.table.sensitive()[attribute].name;
        self.requirements
            .iter()
            .filter(|requirement| requirement.attribute.as_ref() == Some(name))
            .filter_map(|requirement| requirement.principle.near())
            .collect()
    }

    /// Returns whether the policy requires a distance between sensitive values of an attribute.
    pub(crate) fn requires_distance(&self, attribute: usize) -> bool {
        !self.bounds(attribute).is_empty()
    }

    /// Returns the advice on an attribute, or `None` if the attribute is not numeric.
    pub(crate) fn numbers(&self, attribute: usize) -> Option<NumericAdvice> {
        let column = &self.table.sensitive()[attribute];
        let numbers = Numbers::from_dictionary(&column.dictionary).ok()?;
        let entries = &self.entries.0[attribute];
        entries.last().filter(|entry| entry.0 >= numbers.first())?;
        let bounds = self.bounds(attribute);
        let largest = |near: &NearnessBound| {
            let (epsilon, unit) = near.epsilon()?;
            let nearness = Reach::new(&numbers, &near.neighborhood).nearness(entries);
            Some(LargestM {
                epsilon: to_f64(&epsilon),
                unit: word_of(unit),
                largest_m: largest_m(&nearness).unwrap_or(0),
            })
        };
        let zero = Rational::from_integer(0);
        let equal_values = NearnessBound {
            neighborhood: Neighborhood::Absolute { below: zero, above: zero },
            m: ONE,
        };
        let mut for_epsilon: Vec<LargestM> =
            std::iter::once(&equal_values).chain(&bounds).filter_map(largest).collect();
        for_epsilon.dedup();
        let mut for_m: Vec<EpsilonLimit> = bounds
            .iter()
            .filter(|near| near.m.is_integer())
            .filter_map(|near| {
                let m = u64::try_from(near.m.to_integer()).ok()?;
                let (_, unit) = near.epsilon()?;
                let below = supremum(&numbers, entries, m, unit);
                Some(EpsilonLimit { m, unit: word_of(unit), epsilon_below: limit(below)? })
            })
            .collect();
        for_m.dedup();
        let required = |near: &NearnessBound| {
            let (epsilon, unit) = near.epsilon()?;
            Some(RequiredEpsilon {
                epsilon: to_f64(&epsilon),
                unit: word_of(unit),
                m: to_f64(&near.m),
            })
        };
        let curves = match self.curves {
            Some(retained) => retained.get_or_init(|| Curves::new(&numbers, entries)).clone(),
            None => Curves::new(&numbers, entries),
        };
        Some(NumericAdvice {
            is: self.by_theorem(),
            largest_e: self.level(attribute, k_e_anonymity(ONE, zero)),
            largest_variance: self.level(attribute, variance_control(zero)),
            for_epsilon,
            required: bounds.iter().filter_map(required).collect(),
            for_m,
            absolute: curves.absolute?,
            relative: curves.relative,
        })
    }
}
