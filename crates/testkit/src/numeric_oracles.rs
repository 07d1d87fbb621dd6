//! Naive oracles for the principles on numeric sensitive attributes.
//!
//! A class is a list with one sensitive value per row, in any order. `None` is a missing value,
//! which is close only to other missing values.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// An exact number.
pub type Number = BigRational;

/// A sensitive value.
pub type SensitiveValue = Option<Number>;

/// Returns numerator / denominator.
pub fn number(numerator: i64, denominator: i64) -> Number {
    Number::new(numerator.into(), denominator.into())
}

/// The neighborhood of a row's sensitive value.
#[derive(Debug, Clone, PartialEq)]
pub enum Neighborhood {
    /// The interval [x - e1, x + e2] (Definition 8).
    Between(Number, Number),
    /// The interval [x - epsilon |x|, x + epsilon |x|].
    Relative(Number),
    /// The interval [x - e1, x + e2], where e1 and e2 belong to the largest listed number that does
    /// not exceed x, or to the smallest listed number otherwise (Definition 4).
    Stated(Vec<(Number, Number, Number)>),
}

impl Neighborhood {
    /// Returns whether `other` is in the neighborhood of `own`.
    pub fn holds(&self, own: &SensitiveValue, other: &SensitiveValue) -> bool {
        match (own, other) {
            (None, None) => true,
            (Some(x), Some(y)) => match self {
                Neighborhood::Between(e1, e2) => &(x - e1) <= y && y <= &(x + e2),
                Neighborhood::Relative(epsilon) => {
                    let radius = epsilon * x.abs();
                    &(x - &radius) <= y && y <= &(x + &radius)
                }
                Neighborhood::Stated(steps) => {
                    let smallest = steps.iter().min_by_key(|step| &step.0);
                    let below = steps.iter().filter(|step| step.0 <= *x).max_by_key(|step| &step.0);
                    let (_, e1, e2) =
                        below.or(smallest).expect("at least one neighborhood is specified");
                    &(x - e1) <= y && y <= &(x + e2)
                }
            },
            _ => false,
        }
    }
}

fn count(class: &[SensitiveValue], is_meant: impl Fn(&SensitiveValue) -> bool) -> usize {
    class.iter().filter(|value| is_meant(value)).count()
}

/// Returns the number of rows in the neighborhood of each row, which determines the risk of a
/// proximity breach (Definition 5).
pub fn near(class: &[SensitiveValue], neighborhood: &Neighborhood) -> Vec<usize> {
    class.iter().map(|own| count(class, |other| neighborhood.holds(own, other))).collect()
}

/// (epsilon, m)- or (e1, e2, m)-anonymity: the risk of each row is at most 1/m.
pub fn proximity(class: &[SensitiveValue], neighborhood: &Neighborhood, m: usize) -> bool {
    near(class, neighborhood).iter().all(|near| near * m <= class.len())
}

/// Returns the largest l for which a class has (delta, l)-diversity by Definition 5: the interval
/// [x - delta, x + delta] of each row intersects the intervals of at most a fraction 1/l of the
/// class.
pub fn delta_l_definition(class: &[SensitiveValue], delta: &Number) -> Number {
    let meets = |a: &SensitiveValue, b: &SensitiveValue| match (a, b) {
        (Some(a), Some(b)) => a - delta <= b + delta && b - delta <= a + delta,
        (a, b) => a == b,
    };
    let most = class.iter().map(|own| count(class, |other| meets(own, other))).max();
    Number::new(class.len().into(), most.expect("a class has at least one row").into())
}

/// Returns the largest l for which a class has (delta, l)-diversity by windows: each closed
/// interval of width 2 delta contains at most a fraction 1/l of the class.
pub fn delta_l_window(class: &[SensitiveValue], delta: &Number) -> Number {
    let within = |a: &SensitiveValue, b: &SensitiveValue| match (a, b) {
        (Some(a), Some(b)) => a <= b && *b <= a + delta + delta,
        (a, b) => a == b,
    };
    let most = class.iter().map(|own| count(class, |other| within(own, other))).max();
    Number::new(class.len().into(), most.expect("a class has at least one row").into())
}

/// Returns the number of distinct values. A missing value counts as a value.
pub fn different(class: &[SensitiveValue]) -> usize {
    (0..class.len()).filter(|&at| !class[..at].contains(&class[at])).count()
}

/// Returns the difference between the largest and the smallest number, or 0 without numbers.
pub fn range(class: &[SensitiveValue]) -> Number {
    let largest = class.iter().flatten().max();
    let smallest = class.iter().flatten().min();
    largest.zip(smallest).map_or_else(Number::zero, |(a, b)| a - b)
}

/// Returns the population variance of the numbers, or 0 without numbers.
pub fn variance(class: &[SensitiveValue]) -> Number {
    let numbers: Vec<&Number> = class.iter().flatten().collect();
    if numbers.is_empty() {
        return Number::zero();
    }
    let n = Number::from_integer(numbers.len().into());
    let mean = numbers.iter().copied().sum::<Number>() / &n;
    let squares = numbers.iter().map(|x| (*x - &mean) * (*x - &mean));
    squares.sum::<Number>() / n
}

/// Returns the sample variance, whose denominator n - 1 differs from the definition (reading C-7).
pub fn sample_variance(class: &[SensitiveValue]) -> Number {
    let n = Number::from_integer(class.len().into());
    variance(class) * &n / (n - Number::one())
}

/// Calls `f` with every partition of 0..n, given as the part of each element, until `f` returns
/// true. Returns whether `f` returned true.
pub fn any_partition(n: usize, f: &mut dyn FnMut(&[usize]) -> bool) -> bool {
    fn extend(part_of: &mut Vec<usize>, n: usize, f: &mut dyn FnMut(&[usize]) -> bool) -> bool {
        if part_of.len() == n {
            return f(part_of);
        }
        let n_parts = part_of.iter().max().map_or(0, |last| last + 1);
        (0..=n_parts).any(|part| {
            part_of.push(part);
            let found = extend(part_of, n, f);
            part_of.pop();
            found
        })
    }
    extend(&mut Vec::new(), n, f)
}

/// Tries all partitions of a class to find a partition in which every part satisfies `holds`.
pub fn is_generalizable<T: Clone>(class: &[T], holds: impl Fn(&[T]) -> bool) -> bool {
    any_partition(class.len(), &mut |part_of| {
        let n_parts = part_of.iter().max().map_or(0, |last| last + 1);
        (0..n_parts).all(|part| {
            let rows = class.iter().zip(part_of).filter(|(_, at)| **at == part);
            holds(&rows.map(|(row, _)| row.clone()).collect::<Vec<_>>())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(values: &[i64]) -> Vec<SensitiveValue> {
        values.iter().map(|&value| Some(number(value, 1))).collect()
    }

    #[test]
    fn partition_count_equals_bell_number() {
        for (n, bell) in [(0, 1), (1, 1), (4, 15), (6, 203)] {
            let mut n_found = 0;
            any_partition(n, &mut |_| {
                n_found += 1;
                false
            });
            assert_eq!(n_found, bell);
        }
    }

    #[test]
    fn oracle_definitions_hold_on_small_classes() {
        let twenty = number(20, 1);
        let near_twenty = Neighborhood::Between(twenty.clone(), twenty);
        assert!(proximity(&class(&[0, 21]), &near_twenty, 2));
        assert!(!proximity(&class(&[0, 20]), &near_twenty, 2));
        assert!(is_generalizable(&class(&[0, 20, 50, 70]), |part| proximity(
            part,
            &near_twenty,
            2
        )));
        assert!(!is_generalizable(&class(&[0, 20, 50]), |part| proximity(part, &near_twenty, 2)));
        assert_eq!(delta_l_definition(&class(&[40, 60, 80]), &number(10, 1)), number(1, 1));
        assert_eq!(delta_l_window(&class(&[40, 60, 80]), &number(10, 1)), number(3, 2));
        assert_eq!(variance(&class(&[0, 2])), number(1, 1));
        assert_eq!(sample_variance(&class(&[0, 2])), number(2, 1));
        assert_eq!((different(&class(&[3, 3, 5])), range(&class(&[3, 3, 5]))), (2, number(2, 1)));
        let relative = Neighborhood::Relative(number(1, 5));
        assert_eq!(near(&class(&[12, 15]), &relative), [1, 2]);
        assert_eq!(near(&class(&[-100, -80]), &relative), [2, 1]);
        assert_eq!(near(&[None, None, Some(number(0, 1))], &relative), [2, 2, 1]);
    }
}
