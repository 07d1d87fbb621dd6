//! # Prior beliefs from an external population
//!
//! **Definition.** An adversary who knows the joint distribution of sensitive values and
//! quasi-identifiers in some population has the belief alpha(q, s) = f(s|q) about a person with
//! quasi-identifiers q before the release, and beta(q, s) after the release.
//! **Formula.** beta(q, s) = n_s f(s|q) / f(s|q*), divided by its sum over s (Theorem 3.1), where
//! n_s is the number of rows of the class with value s, and f(s|q*) is the share of s among all
//! people in the population whom the labels of the class cover. Positive disclosure: beta > 1 -
//! delta. Negative disclosure: beta < epsilon. Breach: alpha < rho1 and beta > rho2, or alpha > 1 -
//! rho1 and beta < 1 - rho2.
//! **Parameters.** `delta`, `epsilon`, `rho1`, `rho2`; all comparisons are strict and exact.
//! **Assumes.** The rows of a class are independent draws from the people in the population whom
//! its labels cover; the prior has the same coding as the original. If the population is counted in
//! people, each row belongs to a different person: a class with more rows of a sensitive value than
//! people contradicts the prior.
//! **Gets.** The people in the population, and with the original also the rows, about whom
//! something is disclosed; the largest belief before and after the release.
//! **Complexity.** O(pairs of the population + rows of the release).
//! **Stopped by.** No principle stops every prior. l-diversity stops priors that are equal for all
//! people whom a class covers.
//! **Source.** Machanavajjhala et al., TKDD 2007, Section 3. Deviations: readings B-8, B-12, B-16.
//! If several classes cover a person, the attack skips everyone covered by these classes. Without
//! the original, membership in the table is unknown, so the attack evaluates everyone in the
//! population. A negative disclosure is counted only if the prior was not already below epsilon.

use indistinct_core::Status;
use indistinct_core::belief::{Belief, BeliefError, Block, BlockBeliefs, Limits, Prior};
use indistinct_core::model::{Rational, RowGroups, to_f64};
use indistinct_core::published::{PublishedRows, ReleaseWithOriginal};
use indistinct_core::{FrequencyTable, MISSING, Observer, parse_decimal};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::fits::in_codes_of;
use crate::{Attack, AttackError, Distribution, Fits, RiskKind};

/// The registry entry of the attack `prior-beliefs`.
pub static ATTACK: Attack = Attack {
    name: "prior-beliefs",
    risk: RiskKind::Inference,
    assumes: "The adversary knows how sensitive values depend on quasi-identifiers in the \
        population, and the quasi-identifiers of a person in the table.",
    gets: "The beliefs of the adversary about each person before and after the release (Theorem \
           3.1).",
    stopped_by: "No principle protects against every prior. l-diversity protects against priors \
                 that are equal for all people in a class.",
    status: Status::Stable,
    source: "Machanavajjhala et al., TKDD 2007, Section 3",
};

/// A population that is matched with a release.
#[derive(Debug, Clone, Copy)]
pub struct Population<'a> {
    /// Original quasi-identifiers and sensitive values.
    pub people: &'a FrequencyTable,
    /// Index of the sensitive attribute in `people`.
    pub attribute: usize,
    /// The relative frequency of each tuple of `people`.
    pub weights: &'a [Rational],
    /// The released labels that each person fits.
    pub fits: &'a Fits,
}

/// The maximum weight, which is also the maximum denominator of a weight.
const LARGEST: i128 = 1_000_000_000_000;

/// Returns the frequency of each tuple of a population: its number of rows, multiplied by its
/// weight if `column` names a weight column. The weight column must be the last sensitive
/// attribute.
///
/// # Errors
/// [`AttackError::Weights`] if the column does not contain valid weights.
pub fn weights(
    people: &FrequencyTable,
    column: Option<&str>,
) -> Result<Vec<Rational>, AttackError> {
    let times = |tuple: usize| Rational::from_integer(i128::from(people.counts()[tuple]));
    let Some(name) = column else { return Ok((0..people.n_tuples()).map(times).collect()) };
    let column = people.sensitive().last().expect("the last column contains the weights");
    let largest = Rational::from_integer(LARGEST);
    let parsed: Vec<Option<Rational>> = column
        .dictionary
        .values()
        .iter()
        .map(|text| {
            let number = parse_decimal(text).ok().filter(|_| text != MISSING)?;
            let is_one = (Rational::from_integer(0)..=largest).contains(&number);
            (is_one && *number.denom() <= LARGEST).then_some(number)
        })
        .collect();
    let of = |tuple: usize| parsed[column.codes[tuple] as usize].map(|it| it * times(tuple));
    let weights: Vec<Option<Rational>> = (0..people.n_tuples()).map(of).collect();
    let counts = weights.iter().zip(people.counts());
    let n_rows: u64 = counts.filter(|(it, _)| it.is_none()).map(|(_, rows)| *rows).sum();
    let all: Option<Vec<Rational>> = weights.into_iter().collect();
    // Limit the sum of the weights to keep fractions within 128 bits.
    let sum = all.iter().flatten().map(|it| it / largest).try_fold(0i128, |sum, it| {
        sum.checked_add(it.ceil().to_integer()).filter(|sum| *sum <= LARGEST)
    });
    match (all, sum) {
        (Some(all), Some(1..)) => Ok(all),
        _ => Err(AttackError::Weights { column: name.to_owned(), n_rows }),
    }
}

/// The unit of the counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// People, if all weights are integers.
    People,
    /// Combinations of quasi-identifiers, each counted once regardless of its probability.
    Combinations,
}

/// Numbers of people or rows for which information is disclosed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
pub struct Disclosures {
    /// Number of people or rows that were evaluated.
    pub n: u64,
    /// Number of people or rows for whom the belief in a sensitive value exceeds 1 - delta
    /// (Definition 3.1).
    pub n_positive: u64,
    /// Number of people or rows for whom no belief exceeded 1 - delta before the release but one
    /// does afterward.
    pub n_newly_positive: u64,
    /// Number of people or rows for whom the belief in a sensitive value fell below epsilon with
    /// the release (Definition 3.2).
    pub n_negative: u64,
    /// Number of people or rows with a (rho1, rho2)-breach (Definition 3.3).
    pub n_breached: u64,
}

/// The result of the attack `prior-beliefs`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PriorBeliefs {
    /// The threshold delta.
    pub delta: f64,
    /// The threshold epsilon.
    pub epsilon: f64,
    /// The threshold rho1.
    pub rho1: f64,
    /// The threshold rho2.
    pub rho2: f64,
    /// The unit in which the population is counted.
    pub unit: Unit,
    /// Size of the part of the population that no class covers.
    pub n_without_class: u64,
    /// Size of the part of the population in overlapping classes. If several classes cover a
    /// person, it is unknown which of them contains the person.
    pub n_in_overlapping_classes: u64,
    /// Size of the part of the population in classes that contradict the prior: the prior excludes
    /// a sensitive value for everyone in the class, or all sensitive values for this person, or
    /// fewer people in the population than rows of the class have a sensitive value.
    pub n_contradicted: u64,
    /// Disclosures about the part of the population for which beliefs are defined.
    pub population: Disclosures,
    /// The distribution over people of the adversary's largest belief in a sensitive value before
    /// the release.
    pub before: Option<Distribution>,
    /// The distribution over people of the adversary's largest belief in a sensitive value after
    /// the release.
    pub after: Option<Distribution>,
    /// Disclosures about the released rows, if the original is available.
    pub rows: Option<RowDisclosures>,
}

/// Disclosures about the released rows. Definitions 3.1 and 3.2 depend on whether the person has
/// the sensitive value, for which this type uses the original value of the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
pub struct RowDisclosures {
    /// Number of rows with each kind of disclosure.
    #[serde(flatten)]
    pub disclosures: Disclosures,
    /// Released rows of people who are not in the prior or were not evaluated.
    pub n_without_belief: u64,
}

/// The beliefs about a combination of quasi-identifiers, or the reason why they are undefined.
enum CombinationBeliefs {
    NoClass,
    Overlapping,
    Contradicted,
    In { class: u32, beliefs: Vec<(u32, Belief)> },
}

/// Returns the beliefs of an adversary with a prior after the release and, if the original is
/// available, the disclosures for each row.
///
/// # Panics
/// Panics if the attribute does not exist, or if the number of weights differs from the number of
/// tuples.
pub fn attack(
    published: &PublishedRows,
    attribute: usize,
    population: &Population<'_>,
    pair: Option<&ReleaseWithOriginal>,
    limits: &Limits,
    observer: &dyn Observer,
) -> PriorBeliefs {
    let Population { people, weights, .. } = *population;
    assert_eq!(weights.len(), people.n_tuples(), "every tuple has a weight");
    let values = &people.sensitive()[population.attribute];
    let groups = people.groups();
    let pairs = (0u32..)
        .zip(groups.iter())
        .flat_map(|(q, tuples)| tuples.map(move |tuple| (q, values.codes[tuple], weights[tuple])));
    let prior = Prior::new(pairs);
    let code_of: FxHashMap<&str, u32> =
        values.dictionary.values().iter().map(String::as_str).zip(0..).collect();
    // A released value that does not occur in the population gets its own code, which the prior
    // excludes.
    let of_released: Vec<u32> = (values.dictionary.len() as u32..)
        .zip(published.sensitive[attribute].dictionary.values())
        .map(|(own, value)| code_of.get(value.as_str()).copied().unwrap_or(own))
        .collect();
    let totals: Vec<Rational> =
        groups.iter().map(|tuples| weights[tuples].iter().sum::<Rational>()).collect();
    let is_whole = weights.iter().all(Rational::is_integer);
    let unit = if is_whole { Unit::People } else { Unit::Combinations };
    let question = PriorQuestion {
        limits,
        prior: &prior,
        of_released: &of_released,
        population,
        groups: &groups,
        unit,
        observer,
    };
    let judged = judged(published, attribute, &totals, &question);

    let mut found = PriorBeliefs {
        delta: to_f64(&limits.delta),
        epsilon: to_f64(&limits.epsilon),
        rho1: to_f64(&limits.rho1),
        rho2: to_f64(&limits.rho2),
        unit,
        n_without_class: 0,
        n_in_overlapping_classes: 0,
        n_contradicted: 0,
        population: Disclosures::default(),
        before: None,
        after: None,
        rows: pair.and_then(|pair| rows(pair, attribute, people, &code_of, (&judged, observer))),
    };
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (judged, total) in judged.iter().zip(&totals).take_while(|_| !observer.is_cancelled()) {
        let n = match unit {
            Unit::People => u64::try_from(total.to_integer()).unwrap_or(u64::MAX),
            Unit::Combinations => u64::from(*total > Rational::from_integer(0)),
        };
        match judged {
            CombinationBeliefs::NoClass => found.n_without_class += n,
            CombinationBeliefs::Overlapping => found.n_in_overlapping_classes += n,
            CombinationBeliefs::Contradicted => found.n_contradicted += n,
            CombinationBeliefs::In { beliefs, .. } => {
                let largest = |of: fn(&Belief) -> f64| {
                    beliefs.iter().map(|(_, belief)| of(belief)).fold(0.0, f64::max)
                };
                before.push((largest(|it| it.prior), n));
                after.push((largest(|it| it.posterior), n));
                found.population.add(n, beliefs, None);
            }
        }
    }
    found.before = Distribution::from_figures(before);
    found.after = Distribution::from_figures(after);
    found
}

/// The inputs for computing beliefs, in addition to the release.
struct PriorQuestion<'a> {
    limits: &'a Limits,
    prior: &'a Prior,
    /// For each released code, the corresponding code in the population.
    of_released: &'a [u32],
    population: &'a Population<'a>,
    /// The groups of people with equal quasi-identifiers.
    groups: &'a RowGroups,
    unit: Unit,
    observer: &'a dyn Observer,
}

/// Returns the beliefs about people for each combination of quasi-identifiers in the population.
fn judged(
    published: &PublishedRows,
    attribute: usize,
    totals: &[Rational],
    question: &PriorQuestion<'_>,
) -> Vec<CombinationBeliefs> {
    let &PriorQuestion { limits, prior, of_released, observer, .. } = question;
    let fits = question.population.fits;
    let labels = published.rows.groups();
    let classes_of_set: Vec<Vec<u32>> = fits
        .sets
        .iter()
        .map(|set| {
            let of_label =
                |&label: &u32| labels.starts[label as usize]..labels.starts[label as usize + 1];
            let tuples = set.iter().take_while(|_| !observer.is_cancelled()).flat_map(of_label);
            let mut classes: Vec<u32> =
                tuples.map(|tuple| published.class_of[tuple as usize]).collect();
            classes.sort_unstable();
            classes.dedup();
            classes
        })
        .collect();
    let mut covers: Vec<Vec<u32>> = vec![Vec::new(); published.n_classes];
    let mut overlaps = vec![false; published.n_classes];
    let of_combination = |q: usize| &classes_of_set[fits.set_of[q] as usize];
    let is_there = |q: usize| totals[q] > Rational::from_integer(0);
    for q in (0..totals.len()).filter(|&q| is_there(q)).take_while(|_| !observer.is_cancelled()) {
        let classes = of_combination(q);
        for &class in classes {
            covers[class as usize].push(q as u32);
            overlaps[class as usize] |= classes.len() > 1;
        }
    }
    let mut judged: Vec<CombinationBeliefs> = (0..totals.len())
        .map(|q| {
            if of_combination(q).is_empty() {
                CombinationBeliefs::NoClass
            } else {
                CombinationBeliefs::Overlapping
            }
        })
        .collect();
    let histograms = &published.sensitive[attribute].histograms;
    for (class, covers) in covers.into_iter().enumerate().take_while(|_| !observer.is_cancelled()) {
        if overlaps[class] || covers.is_empty() {
            continue;
        }
        let rows = histograms[class].iter().map(|&(code, n)| (of_released[code as usize], n));
        let block = Block { covers, rows: rows.collect() };
        let mut beliefs = match question.has_people(&block) {
            true => BlockBeliefs::new(prior, &block, limits),
            false => Err(BeliefError::NothingLeft),
        };
        for &q in block.covers.iter().take_while(|_| !observer.is_cancelled()) {
            let of_person = match &mut beliefs {
                Ok(beliefs) => beliefs.of(q),
                Err(_) => Err(BeliefError::NothingLeft),
            };
            judged[q as usize] = match of_person {
                Ok(beliefs) => CombinationBeliefs::In { class: class as u32, beliefs },
                Err(_) => CombinationBeliefs::Contradicted,
            };
        }
    }
    judged
}

impl PriorQuestion<'_> {
    /// Returns whether the population has enough people for the rows of a class.
    fn has_people(&self, block: &Block) -> bool {
        if self.unit == Unit::Combinations {
            return true;
        }
        let Population { people, attribute, weights, .. } = *self.population;
        let codes = &people.sensitive()[attribute].codes;
        let starts = &self.groups.starts;
        let tuples = |&q: &u32| starts[q as usize] as usize..starts[q as usize + 1] as usize;
        let mut n_people: FxHashMap<u32, Rational> = FxHashMap::default();
        for tuple in block.covers.iter().flat_map(tuples) {
            *n_people.entry(codes[tuple]).or_default() += weights[tuple];
        }
        let has = |&(value, n): &(u32, u64)| {
            n_people.get(&value).is_some_and(|it| *it >= Rational::from_integer(i128::from(n)))
        };
        block.rows.iter().all(has)
    }
}

impl Disclosures {
    /// Adds `n` people with these beliefs; `own` is their sensitive value, if it is known.
    fn add(&mut self, n: u64, beliefs: &[(u32, Belief)], own: Option<u32>) {
        let counted = |is: bool| if is { n } else { 0 };
        let may_be = |value: u32| own.is_none_or(|own| own == value);
        let may_not_be = |value: u32| own != Some(value);
        let is_positive = beliefs.iter().any(|&(value, it)| it.is_sure && may_be(value));
        let was_positive = beliefs.iter().any(|&(value, it)| it.was_sure && may_be(value));
        let is_negative =
            |&(value, it): &(u32, Belief)| it.is_excluded && !it.was_excluded && may_not_be(value);
        self.n += n;
        self.n_positive += counted(is_positive);
        self.n_newly_positive += counted(is_positive && !was_positive);
        self.n_negative += counted(beliefs.iter().any(is_negative));
        self.n_breached += counted(beliefs.iter().any(|(_, it)| it.is_breach));
    }
}

/// Returns the disclosures about the released rows; `None` if the links between original and
/// released rows are unknown.
fn rows(
    pair: &ReleaseWithOriginal,
    attribute: usize,
    people: &FrequencyTable,
    code_of: &FxHashMap<&str, u32>,
    (judged, observer): (&[CombinationBeliefs], &dyn Observer),
) -> Option<RowDisclosures> {
    let links = pair.links.as_ref()?;
    let original = &pair.original;
    let groups = people.groups();
    // The index of each combination of the population, keyed by the original's codes. Combinations
    // that cannot occur in the original are skipped.
    let combination_of = in_codes_of(original, people, &[]);
    let known: FxHashMap<Vec<u32>, usize> = groups
        .iter()
        .enumerate()
        .take_while(|_| !observer.is_cancelled())
        .filter_map(|(q, tuples)| Some((combination_of(tuples.start)?, q)))
        .collect();
    let values = &original.sensitive()[attribute];
    let own = |tuple: usize| {
        let value = values.dictionary.value(values.codes[tuple]);
        // No belief is defined for a value that does not occur in the population.
        code_of.get(value).copied().unwrap_or(u32::MAX)
    };
    let mut found = RowDisclosures::default();
    for link in links.iter().take_while(|_| !observer.is_cancelled()) {
        let Some(released) = link.released else { continue };
        let class = pair.published.class_of[released as usize];
        let tuple = link.original as usize;
        let combination: Vec<u32> =
            original.quasi_identifiers().iter().map(|column| column.codes[tuple]).collect();
        match known.get(&combination).map(|&q| &judged[q]) {
            Some(CombinationBeliefs::In { class: its, beliefs }) if *its == class => {
                found.disclosures.add(link.rows, beliefs, Some(own(tuple)));
            }
            _ => found.n_without_belief += link.rows,
        }
    }
    Some(found)
}
