//! # (c, k)-safety
//!
//! **Definition.** A release is (c, k)-safe iff the belief in any value of any person is at most c
//! for every adversary who knows the class of each person and k basic implications ("if Ann has
//! flu, Bob also has flu").
//! **Formula.** Let f_C(m) be the smallest probability that m guesses about people of class C are
//! all wrong, and s_C the share of its most frequent value. The odds against the worst belief about
//! a person of C are the minimum of f_C(j + 1) / s_C * prod_B f_B(m_B) over all j and m_B with sum
//! k ([`implications`](crate::implications)), and must be at least (1 - c) / c.
//! **Parameters.** `attribute`: sensitive. `c`: number above 0, at most 1, no unit. `k`: integer
//! from 0 to 10.
//! **Level.** `c`: the largest belief; smaller is safer. The belief depends on the other classes,
//! because implications can connect people of several classes.
//! **A class alone.** For k <= 1, the largest belief in a release is the largest belief in any of
//! its classes alone (test `one_implication_is_worst_within_one_class`). For k >= 2, it can be
//! larger (test `worst_implications_span_several_classes`). The certifier therefore evaluates each
//! class [among all released classes](Principle::among). Before the other classes are known, a
//! class meets the requirement only if it remains safe among arbitrary classes that meet the
//! requirement: f_C(m) >= rho^m for m <= k, where rho^(k + 1) / (1 - rho) = (1 - c) / c, and the
//! class alone is safe. Searches use this stricter condition, so a release of theirs is always
//! certified (test `classes_that_are_safe_alone_are_safe_together`), but they may miss a safe
//! release, and prove neither an optimum nor that no recoding is safe.
//! **Monotone.** Merging classes of a safe release results in a safe release (Theorem 14 of the
//! paper; test `merging_keeps_safety_of_release`), and merging preserves the condition for a class
//! whose other classes are unknown (test `merging_keeps`). Suppressing whole classes preserves the
//! principle, because the adversary loses guesses.
//! **Complexity.** O(v log v) for v values of a class, and the number of partitions of the integers
//! up to k + 1.
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** Other knowledge, such as statistics about a population. Identity
//! disclosure. Similar values. Linkage of releases. Inference of finer values from the choice of
//! classes and labels (attack `refinement`).
//! **Source.** Martin, Kifer, Machanavajjhala, Gehrke, Halpern, ICDE 2007; named in Section 3.1.1
//! of the (epsilon, m) paper, which requires a belief of at most c. Deviations: the comparison with
//! c is exact; a missing value counts as a value.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use num_bigint::BigUint;
use num_rational::Ratio;

use super::*;
use crate::implications::{Guesses, Number, joined, no_class};

/// The largest number of implications. The number of allocations of guesses to the people of a
/// class grows with the number of partitions of this number.
const LARGEST_K: u64 = 10;

/// Floating-point numbers decide if the belief differs from c by more than this value. The error of
/// the belief is much smaller.
const UNDECIDED: f64 = 1e-9;

pub(super) static KIND: Kind = Kind {
    name: "c-k-safety",
    definition: "For every adversary who knows k implications between people, the belief in each \
                 sensitive value of each person is at most c.",
    promise: &always(
        "An adversary who knows the class of each person and {k:implication|implications} of the \
         form \"if one person has a certain value, then another person has a certain value\" \
         believes in each sensitive value of each person with a probability of at most {c}.",
    ),
    of_people: OfPeople::Nothing(
        "the belief assumes one value per person; the literature does not define implications \
         between people with several values",
    ),
    parameters: &parameters! {
        /// maximum probability of a sensitive value of a person
        "c" => Number(NumberRange::AboveUpTo(0, 1)), Required;
        /// number of implications that the adversary knows, at most 10
        "k" => Integer { at_least: 0 }, Required;
    },
    check_together,
    level: "c, the largest belief in a value of a person after the worst k implications, which can \
        involve people of several classes",
    safer_below: &["c"],
    merging: Merging::Keeps,
    status: Status::Experimental { reason: "No other implementation is available for comparison." },
    does_not_protect_against: "adversaries with other knowledge, such as the exact values of other \
        people, identity disclosure, disclosure by values with similar meanings, inference of \
        finer values from the choice of classes and labels, or linkage of several releases",
    source: "Martin, Kifer, Machanavajjhala, Gehrke, Halpern, ICDE 2007",
    readings: &["G-4"],
    ..Kind::base(build)
};

fn check_together(parameters: &Parameters) -> Vec<ParameterError> {
    let k = parameters.number("k");
    if k <= Rational::from_integer(i128::from(LARGEST_K)) {
        return Vec::new();
    }
    let want = format!("an integer of at most {LARGEST_K}");
    vec![ParameterError::OutOfRange { name: "k", got: to_f64(&k).to_string(), want }]
}

/// The counts that determine the beliefs about a class: the number of rows, and the counts of the
/// k + 1 most frequent values in descending order.
type Profile = (u64, Vec<u64>);

/// All released classes.
#[derive(Debug)]
struct Everybody {
    profiles: BTreeSet<Profile>,
    /// For each m up to k, the smallest probability that m guesses about anybody are all wrong.
    missed: Vec<f64>,
    exactly: OnceLock<Vec<Ratio<BigUint>>>,
}

#[derive(Debug, Clone)]
struct CKSafety {
    attribute: usize,
    k: usize,
    /// The value of rho; see the description of the principle.
    rho: f64,
    smallest_size: u64,
    bounds: [Bound; 1],
    /// The released classes, if they are known.
    everybody: Option<Arc<Everybody>>,
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let (c, k) = (parameters.number("c"), parameters.whole("k"));
    // If c < 1, no guess may be certain to be right: neither the guess of one value for each person
    // nor the guess of all values for one person.
    let rows = if c < Rational::from_integer(1) { k + 2 } else { 1 };
    let k = k as usize;
    Ok(Box::new(CKSafety {
        attribute: context.attribute(),
        k,
        rho: rho(to_f64(&c), k),
        smallest_size: rows.max(rows_at_least(&c.recip())),
        bounds: [Bound { name: "c", relation: Relation::AtMost, threshold: c }],
        everybody: None,
    }))
}

/// Returns the smallest double with rho^(k + 1) / (1 - rho) >= (1 - c) / c.
fn rho(c: f64, k: usize) -> f64 {
    if c >= 1.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            return high;
        }
        let power = (0..=k).fold(1.0, |power, _| power * middle);
        if power * c < (1.0 - c) * (1.0 - middle) { low = middle } else { high = middle }
    }
}

impl Everybody {
    fn new(classes: &[Vec<Histogram<'_>>], attribute: usize, k: usize) -> Self {
        let histograms = classes.iter().map(|class| &class[attribute]);
        let profiles = histograms.filter(|histogram| histogram.total() > 0).map(|histogram| {
            histogram.with_descending(|counts| {
                (counts.iter().sum(), counts.iter().take(k + 1).copied().collect())
            })
        });
        let mut everybody =
            Self { profiles: profiles.collect(), missed: Vec::new(), exactly: OnceLock::new() };
        everybody.missed = everybody.missed(k);
        everybody
    }

    fn missed<N: Number>(&self, k: usize) -> Vec<N> {
        self.profiles.iter().fold(no_class(k), |all, (n_rows, counts)| {
            joined(&all, &Guesses::new(counts, *n_rows, k).missed)
        })
    }
}

impl CKSafety {
    /// Returns the largest belief about the people of a class, and its exact comparison with c.
    fn belief(&self, counts: &[u64], size: u64, everybody: Option<&Everybody>) -> (f64, Ordering) {
        let guesses: Guesses<f64> = Guesses::new(counts, size, self.k);
        let odds = match everybody {
            Some(everybody) => joined(&everybody.missed, &guesses.against)[self.k],
            None => guesses.against[self.k],
        };
        // Equal beliefs in classes of different sizes must have equal doubles.
        let belief = (1e12 / (1.0 + odds)).round() / 1e12;
        let c = &self.bounds[0].threshold;
        let difference = belief - to_f64(c);
        if difference.abs() > UNDECIDED {
            return (belief, difference.total_cmp(&0.0));
        }
        let guesses: Guesses<Ratio<BigUint>> = Guesses::new(counts, size, self.k);
        let odds = match everybody {
            Some(everybody) => {
                let missed = everybody.exactly.get_or_init(|| everybody.missed(self.k));
                joined(missed, &guesses.against).swap_remove(self.k)
            }
            None => guesses.against[self.k].clone(),
        };
        let whole = |n: i128| BigUint::try_from(n).expect("c is above 0 and at most 1");
        let required = Ratio::new(whole(c.denom() - c.numer()), whole(*c.numer()));
        (belief, required.cmp(&odds))
    }

    /// Returns whether the class remains safe among other classes for which this function also
    /// returns true, provided that it is safe alone.
    fn is_safe_among_others(&self, counts: &[u64], size: u64) -> bool {
        if self.k < 2 {
            return true;
        }
        // The margin exceeds the rounding errors of both sides.
        let mut least = 1.0 + 1e-12;
        let missed = Guesses::<f64>::new(counts, size, self.k).missed;
        missed[1..].iter().all(|missed| {
            least *= self.rho;
            *missed >= least
        })
    }

    fn of_one_class(&self, rows: &ClassView<'_>) -> Level {
        histogram(rows, self.attribute).with_descending(|counts| {
            let (belief, order) = self.belief(counts, rows.size, None);
            Level::One(self.bounds[0].decided(belief, order))
        })
    }
}

impl Principle for CKSafety {
    fn limits(&self, _code: u32) -> bool {
        self.bounds[0].threshold < Rational::from_integer(1)
    }

    fn of_class(&self, class: &ClassView<'_>) -> Level {
        histogram(class, self.attribute).with_descending(|counts| {
            let (belief, order) = self.belief(counts, class.size, self.everybody.as_deref());
            let is_safe = self.everybody.is_some() || self.is_safe_among_others(counts, class.size);
            let order = if is_safe { order } else { Ordering::Greater };
            Level::One(self.bounds[0].decided(belief, order))
        })
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn smallest_size(&self) -> u64 {
        self.smallest_size
    }

    /// No partition of the rows is safer than a single class.
    fn upper_bound(&self, rows: &ClassView<'_>) -> Level {
        self.of_one_class(rows)
    }

    fn shown_reachable(&self, rows: &ClassView<'_>) -> Level {
        self.of_one_class(rows)
    }

    fn depends_on(&self) -> DependsOn {
        if self.k < 2 { DependsOn::Class } else { DependsOn::ReleasedClasses }
    }

    fn among(&self, classes: &[Vec<Histogram<'_>>]) -> Option<Box<dyn Principle>> {
        if self.depends_on() == DependsOn::Class {
            return None;
        }
        let everybody = Everybody::new(classes, self.attribute, self.k);
        Some(Box::new(Self { everybody: Some(Arc::new(everybody)), ..self.clone() }))
    }
}
