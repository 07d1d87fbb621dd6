//! Naive oracles for the principles, on counts and on plain rows.
//!
//! A list of counts contains the number of rows with each sensitive value that occurs in a class.

use std::collections::BTreeMap;

use num_bigint::BigUint;

/// A positive fraction, represented by its numerator and denominator.
pub type Fraction = (u64, u64);

/// Returns whether the class has at least k rows.
pub fn k_anonymity(counts: &[u64], k: u64) -> bool {
    counts.iter().sum::<u64>() >= k
}

/// Returns whether the class has at least l distinct sensitive values.
pub fn distinct(counts: &[u64], l: u64) -> bool {
    counts.len() as u64 >= l
}

/// Returns whether the frequency of the most frequent value is at most 1/l.
pub fn frequency(counts: &[u64], l: Fraction) -> bool {
    let n = BigUint::from(counts.iter().sum::<u64>());
    counts.iter().all(|&count| BigUint::from(count) * l.0 <= &n * l.1)
}

/// Returns whether the entropy is at least log l. With p_s = n_s / n, multiplying by n and
/// exponentiating transforms -sum p_s log p_s >= log l into n^n >= l^n * prod n_s^n_s.
pub fn entropy(counts: &[u64], l: Fraction) -> bool {
    let power = |base: u64, exponent: u64| {
        (0..exponent).fold(BigUint::from(1u8), |product, _| product * base)
    };
    let n = counts.iter().sum();
    let product = counts.iter().fold(BigUint::from(1u8), |product, &c| product * power(c, c));
    power(n, n) * power(l.1, n) >= power(l.0, n) * product
}

/// Recursive (c, l)-diversity by elimination, as the paper introduces this principle. For l = 2,
/// the most frequent value occurs less than c times as often as all others together. For larger l,
/// after the elimination of any value the remaining values are recursive (c, l - 1)-diverse. For l
/// = 1, the principle always holds.
pub fn recursive(counts: &[u64], c: Fraction, l: u64) -> bool {
    match l {
        0 | 1 => true,
        2 => {
            let largest = counts.iter().copied().max().unwrap_or(0);
            let others = counts.iter().sum::<u64>() - largest;
            BigUint::from(largest) * c.1 < BigUint::from(others) * c.0
        }
        _ if counts.is_empty() => false,
        _ => (0..counts.len()).all(|eliminated| {
            let mut rest = counts.to_vec();
            rest.remove(eliminated);
            recursive(&rest, c, l - 1)
        }),
    }
}

/// Computes exp(-sum p_s log p_s) in double precision.
pub fn entropy_l(counts: &[u64]) -> f64 {
    let n = counts.iter().sum::<u64>() as f64;
    let entropy: f64 = counts.iter().map(|&count| count as f64 / n).map(|p| -p * p.ln()).sum();
    entropy.exp()
}

/// Returns the bound that c must exceed, r_1 / (r_l + ... + r_m), or `None` if no c is sufficient.
pub fn recursive_c(counts: &[u64], l: u64) -> Option<f64> {
    if l == 1 {
        return Some(0.0);
    }
    let mut descending = counts.to_vec();
    descending.sort();
    descending.reverse();
    let tail: u64 = descending.iter().skip(l as usize - 1).sum();
    (tail > 0).then(|| descending[0] as f64 / tail as f64)
}

/// A principle with its parameters, where `attribute` is the index of the sensitive attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum RequiredPrinciple {
    /// k-anonymity.
    KAnonymity {
        /// The minimum number of rows.
        k: u64,
    },
    /// Distinct l-diversity.
    Distinct {
        /// The index of the sensitive attribute.
        attribute: usize,
        /// The minimum number of distinct values.
        l: u64,
    },
    /// Frequency l-diversity.
    Frequency {
        /// The index of the sensitive attribute.
        attribute: usize,
        /// The reciprocal of the largest frequency.
        l: Fraction,
    },
    /// Entropy l-diversity.
    Entropy {
        /// The index of the sensitive attribute.
        attribute: usize,
        /// The exponential of the entropy.
        l: Fraction,
    },
    /// Recursive (c, l)-diversity.
    Recursive {
        /// The index of the sensitive attribute.
        attribute: usize,
        /// The factor c.
        c: Fraction,
        /// The rank l.
        l: u64,
    },
}

/// The strictest parameter that a table satisfies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReachedLevel {
    /// The table has no rows.
    Empty,
    /// No parameter value is satisfied.
    Nothing,
    /// The table satisfies this parameter value.
    Value(f64),
}

/// The verdict of one principle for a table.
#[derive(Debug, Clone, PartialEq)]
pub struct OracleVerdict {
    /// Whether all classes satisfy the principle.
    pub holds: bool,
    /// The level of the worst class.
    pub reached: ReachedLevel,
    /// The number of classes that violate the principle.
    pub n_failing_classes: u64,
    /// The number of rows in classes that violate the principle.
    pub n_failing_rows: u64,
}

/// The verdicts of all principles for a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgment {
    /// The class sizes in ascending order.
    pub class_sizes: Vec<u64>,
    /// The verdict of each requirement.
    pub verdicts: Vec<OracleVerdict>,
    /// For each row, whether its class satisfies all requirements.
    pub row_holds: Vec<bool>,
}

/// A released row: the labels of the quasi-identifiers, and the sensitive values.
pub type Row = (Vec<String>, Vec<String>);

impl RequiredPrinciple {
    fn counts(&self, class: &[&Row]) -> Vec<u64> {
        let attribute = match self {
            RequiredPrinciple::KAnonymity { .. } => return vec![class.len() as u64],
            RequiredPrinciple::Distinct { attribute, .. }
            | RequiredPrinciple::Frequency { attribute, .. }
            | RequiredPrinciple::Entropy { attribute, .. }
            | RequiredPrinciple::Recursive { attribute, .. } => *attribute,
        };
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for (_, sensitive) in class {
            *counts.entry(&sensitive[attribute]).or_default() += 1;
        }
        counts.into_values().collect()
    }

    /// Returns whether a class with the given counts satisfies the principle.
    pub fn holds(&self, counts: &[u64]) -> bool {
        match *self {
            RequiredPrinciple::KAnonymity { k } => k_anonymity(counts, k),
            RequiredPrinciple::Distinct { l, .. } => distinct(counts, l),
            RequiredPrinciple::Frequency { l, .. } => frequency(counts, l),
            RequiredPrinciple::Entropy { l, .. } => entropy(counts, l),
            RequiredPrinciple::Recursive { c, l, .. } => recursive(counts, c, l),
        }
    }

    /// Returns the level of a class with the given counts, or `None` if no parameter is sufficient.
    fn level(&self, counts: &[u64]) -> Option<f64> {
        let n = counts.iter().sum::<u64>() as f64;
        match *self {
            RequiredPrinciple::KAnonymity { .. } => Some(n),
            RequiredPrinciple::Distinct { .. } => Some(counts.len() as f64),
            RequiredPrinciple::Frequency { .. } => {
                counts.iter().map(|&count| n / count as f64).min_by(f64::total_cmp)
            }
            RequiredPrinciple::Entropy { .. } => Some(entropy_l(counts)),
            RequiredPrinciple::Recursive { l, .. } => recursive_c(counts, l),
        }
    }

    fn reached(&self, classes: &[Vec<u64>]) -> ReachedLevel {
        let levels: Option<Vec<f64>> = classes.iter().map(|counts| self.level(counts)).collect();
        let Some(levels) = levels else { return ReachedLevel::Nothing };
        let worst = match self {
            RequiredPrinciple::Recursive { .. } => levels.into_iter().max_by(f64::total_cmp),
            _ => levels.into_iter().min_by(f64::total_cmp),
        };
        worst.map_or(ReachedLevel::Empty, ReachedLevel::Value)
    }
}

/// Evaluates the principles on released rows. Rows with equal labels form a class.
pub fn judge(rows: &[Row], required: &[RequiredPrinciple]) -> Judgment {
    let mut classes: BTreeMap<&[String], Vec<&Row>> = BTreeMap::new();
    for row in rows {
        classes.entry(&row.0).or_default().push(row);
    }
    let mut row_holds = vec![true; rows.len()];
    let verdicts = required
        .iter()
        .map(|required| {
            let counts: Vec<Vec<u64>> =
                classes.values().map(|class| required.counts(class)).collect();
            for (row, holds) in rows.iter().zip(&mut row_holds) {
                *holds &= required.holds(&required.counts(&classes[&row.0[..]]));
            }
            let failing =
                || classes.values().zip(&counts).filter(|(_, counts)| !required.holds(counts));
            OracleVerdict {
                holds: failing().next().is_none(),
                reached: required.reached(&counts),
                n_failing_classes: failing().count() as u64,
                n_failing_rows: failing().map(|(class, _)| class.len() as u64).sum(),
            }
        })
        .collect();
    let mut class_sizes: Vec<u64> = classes.values().map(|class| class.len() as u64).collect();
    class_sizes.sort();
    Judgment { class_sizes, verdicts, row_holds }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, value: &str) -> Row {
        (vec![label.to_owned()], vec![value.to_owned()])
    }

    #[test]
    fn definitions_hold_at_small_counts() {
        assert!(entropy(&[2, 2, 2, 2], (4, 1)) && !entropy(&[2, 2, 2, 3], (4, 1)));
        assert!(entropy(&[5], (1, 1)) && !entropy(&[5], (1001, 1000)));
        assert!(frequency(&[2, 3], (5, 3)) && !frequency(&[2, 3], (2, 1)));
        assert!(distinct(&[1, 9], 2) && !distinct(&[1, 9], 3));
        assert!(recursive(&[9, 1], (10, 1), 2) && !recursive(&[9, 1], (9, 1), 2));
        assert!(recursive(&[2, 1, 1], (5, 2), 3) && !recursive(&[2, 1, 1], (2, 1), 3));
        assert!(!recursive(&[1, 1], (1000, 1), 3) && recursive(&[7], (1, 1), 1));
    }

    #[test]
    fn elimination_agrees_with_the_closed_form() {
        for counts in [vec![3, 1], vec![1, 1, 1, 1], vec![6, 3, 3, 2, 1], vec![4, 4, 1]] {
            for l in 1..=6 {
                for c in 1..=24 {
                    let closed =
                        recursive_c(&counts, l).is_some_and(|bound| bound < c as f64 / 4.0);
                    assert_eq!(recursive(&counts, (c, 4), l), closed, "{counts:?} {l} {c}");
                }
            }
        }
    }

    #[test]
    fn rows_with_equal_labels_form_a_class() {
        let rows = [row("a", "x"), row("b", "x"), row("a", "y"), row("b", "x")];
        let required = [
            RequiredPrinciple::KAnonymity { k: 2 },
            RequiredPrinciple::Distinct { attribute: 0, l: 2 },
        ];
        let judgment = judge(&rows, &required);
        assert_eq!(judgment.class_sizes, [2, 2]);
        assert!(judgment.verdicts[0].holds);
        assert_eq!(judgment.verdicts[1].n_failing_rows, 2);
        assert_eq!(judgment.verdicts[1].reached, ReachedLevel::Value(1.0));
        assert_eq!(judgment.row_holds, [true, false, true, false]);
        assert_eq!(judge(&[], &required).verdicts[0].reached, ReachedLevel::Empty);
    }
}
