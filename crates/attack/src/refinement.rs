//! # Refinement of labels
//!
//! **Definition.** A method that releases the narrowest label for each class states more than the
//! label itself: some finer values occur in the class. If the method also assigns most rows to the
//! cheapest class that fits them, the values of a class rarely fit a cheaper one. An adversary who
//! knows the method uses this to guess the original values below a label, and to find statements
//! that exactly one person of a class satisfies.
//! **Formula.** The prior of the values comes from the released labels (expectation maximization:
//! the rows of a label are distributed over the values that it covers in proportion to the prior,
//! and the prior is the resulting distribution). It is a mixture of products of distributions
//! (module `mixture`). From the labels alone, the rows of a class are independent draws from the
//! prior, restricted to the values that the labels cover. If few rows fit cheaper classes
//! ([`RowRule`]), combinations of values that fit them are less likely (module `cheapest`). The
//! attack then adds, for one column at a time, the condition that the label is the narrowest one
//! ([`LabelRule`](indistinct_core::published::LabelRule)): for a label of a hierarchy, at least two
//! children occur; for a range, both ends; for a set, all values. If a method refuses narrower
//! labels at random, the condition need not hold with the probability of such refusals. The
//! accuracy is the expected share of correct guesses, given this condition; the baseline guesses
//! the value that is most likely without any rule. The information of a class and a
//! quasi-identifier is the negative logarithm of the probability of the condition; the rule for
//! rows adds the negative logarithm of the mean weight of each row.
//! **Predicates.** A predicate combines a class with a finer value of one quasi-identifier: an
//! original value or a child of the label. The attack computes the probability that exactly one
//! person satisfies it.
//! **Parameters.** One rule for each quasi-identifier, which the method guarantees, and one for
//! rows, which usually holds.
//! **Assumes.** The adversary knows the policy, the hierarchies, and the method. With the original,
//! the adversary also knows the values that occur in each column; without it, the values are those
//! that the hierarchy lists, or they are derived from the labels.
//! The rows of a class are independent of each other.
//! **Gets.** The accuracy without and with the rule, the information, the cells whose multiset of
//! values is determined, the largest probability of a value, and the predicates; compared with the
//! original if the rows are known.
//! **Certain** statements follow from the rule alone, regardless of the prior. If values other than
//! the known ones are possible, nothing about the column is certain: such a value may be below a
//! label, or have the form of a range or a set. All other figures are expectations under the model.
//! **Does not use** that classes are minimal (Wong et al.), the rules for several columns at once,
//! or sensitive values. An adversary who uses them may learn more. If a method guarantees no rule,
//! the attack has no advantage over the baseline, which does not mean that the choice of labels
//! reveals nothing.
//! **Complexity.** O(rows * attributes + classes * attributes * covered values), and the complexity
//! of the modules `cheapest` and `mixture`.
//! Sets in classes of more than [`MOST_ROWS_OF_SETS`] rows are treated like labels without a rule.
//! **Stopped by.** Labels that do not depend on the rows of the class, such as those of
//! `full-domain`. Larger classes weaken the attack.
//! **Source.** Cohen, USENIX Security 2022 (downcoding); Cohen, Nissim, PNAS 2020 (predicate
//! singling out). Deviations: the rule for labels is used for one class and one column at a time.

use std::collections::BTreeMap;

use indistinct_core::hierarchy::HierarchyRule;
use indistinct_core::model::CountedColumn;
use indistinct_core::published::{PublishedRows, ReleaseWithOriginal, RowRule, StatedClasses};
use indistinct_core::{Observer, STAR, Status};
use indistinct_diagnostics::warning::CertainRefinements;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::cheapest::{Cheapest, PricedLabels, RowBeliefs};
use crate::class_beliefs::{ClassBeliefs, Event, Finer, MOST_ROWS_OF_SETS, class_beliefs};
use crate::covers::Covers;
use crate::labeled::LabeledRelease;
use crate::mixture::{Mixture, Part, of_column, shares};
use crate::{Attack, RiskKind, WhyUntried};

/// The registry entry of the attack `refinement`.
pub static ATTACK: Attack = Attack {
    name: "refinement",
    risk: RiskKind::SinglingOut,
    assumes: "The adversary knows the policy, the hierarchies, and that the method releases the \
              narrowest labels of each class and usually assigns each row to the cheapest class \
              that fits it. With the original, the adversary also knows the values that occur in \
              each column.",
    gets: "How much better the original values below labels can be guessed, and how many \
           combinations of a class and one finer value describe exactly one person.",
    stopped_by: "No principle prevents the attack. Labels that do not depend on the rows of the \
                 class, as with `full-domain`, prevent it, and larger classes weaken it.",
    status: Status::Experimental {
        reason: "The attack considers the columns one at a time, so a stronger adversary may learn \
            more. The expected accuracy is often too high.",
    },
    source: "Cohen, USENIX Security 2022; Cohen, Nissim, PNAS 2020",
};

/// A predicate counts as isolating if its probability exceeds this limit.
const LIKELY: f64 = 0.9;

/// The result of the attack `refinement`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, schemars::JsonSchema)]
pub struct Refinement {
    /// Number of released cells of quasi-identifiers that are not synthetic.
    pub n_cells: u64,
    /// Number of these cells whose label covers at least two original values.
    pub n_generalized: u64,
    /// Number of generalized cells for which the method guarantees the narrowest label, or usually
    /// releases it.
    pub n_narrowest: u64,
    /// The expected share of generalized cells whose original value is guessed correctly by an
    /// adversary who guesses the most likely value from the label alone; `None` if no cell is
    /// generalized.
    pub baseline: Option<f64>,
    /// The expected share of correct guesses by an adversary who uses the rules of the method.
    pub attack: Option<f64>,
    /// The information of the rules in bits, over all classes, columns, and rows.
    pub bits: f64,
    /// The quasi-identifier whose labels provide the most information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<RefinedColumn>,
    /// Number of generalized cells in classes for which only one multiset of original values is
    /// possible in the column of the cell.
    pub n_determined: u64,
    /// The largest probability of an original value of a generalized cell, with the rules.
    pub largest: f64,
    /// The predicates that describe exactly one person.
    pub predicates: Predicates,
    /// Quasi-identifiers that the figures omit, because the original values that their labels cover
    /// are unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// Quasi-identifiers whose possible original values were derived from the released labels. No
    /// statement about them is certain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<String>,
    /// The comparison with the original; `None` if it is unknown which rows belong together.
    pub right: Option<RightGuesses>,
}

/// The information of the rule for the labels of one quasi-identifier.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RefinedColumn {
    /// The quasi-identifier.
    pub attribute: String,
    /// The information in bits, over all classes.
    pub bits: f64,
}

/// Predicates that combine a class with one finer value.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, schemars::JsonSchema)]
pub struct Predicates {
    /// Number of predicates that describe exactly one person with probability above 0.9.
    pub n_likely: u64,
    /// Number of predicates that describe exactly one person with certainty.
    pub n_certain: u64,
    /// Number of rows in classes with a certain predicate.
    pub n_rows_certain: u64,
    /// The largest probability that a predicate describes exactly one person.
    pub largest: f64,
    /// The largest probability without the rules of the method.
    pub largest_baseline: f64,
}

/// The statements of the attack that are true in the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
pub struct RightGuesses {
    /// Number of generalized cells whose value was guessed correctly from the label alone.
    pub n_baseline: u64,
    /// Number of generalized cells whose value was guessed correctly with the rules.
    pub n_attack: u64,
    /// Number of predicates with probability above 0.9 that describe exactly one person.
    pub n_likely: u64,
    /// Number of certain predicates that describe exactly one person.
    pub n_certain: u64,
    /// Number of cells whose determined multiset is correct.
    pub n_determined: u64,
}

/// Rows of one class with equal labels.
struct Unit {
    /// A tuple with these labels.
    tuple: usize,
    n_rows: u64,
    /// Whether all labels are `*`, so the rows may be suppressed rows.
    is_starred: bool,
}

/// Tries the attack with the original. `stated` contains what the policy states about the labels of
/// each quasi-identifier.
///
/// # Errors
/// [`WhyUntried`] if labels cover too many values.
pub fn attack_with_original(
    pair: &ReleaseWithOriginal,
    stated: &StatedClasses,
    observer: &dyn Observer,
) -> Result<Refinement, WhyUntried> {
    attack(&LabeledRelease::with_original(pair, stated), Sought::Everything, observer)
}

/// Tries the attack on a release alone. `hierarchies` contains the known hierarchies, by column
/// name.
///
/// # Errors
/// [`WhyUntried`] if the values that labels cover are unknown or too many.
pub fn attack_without_original(
    published: &PublishedRows,
    stated: &StatedClasses,
    hierarchies: &[(String, HierarchyRule)],
    observer: &dyn Observer,
) -> Result<Refinement, WhyUntried> {
    let release = LabeledRelease::without_original(published, stated, hierarchies);
    attack(&release, Sought::Everything, observer)
}

/// The figures that the attack is to compute.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sought {
    /// All figures.
    Everything,
    /// Only the certain statements, which do not depend on the distribution of values. The
    /// expectations are only rough.
    Certain,
}

fn attack(
    release: &LabeledRelease<'_>,
    sought: Sought,
    observer: &dyn Observer,
) -> Result<Refinement, WhyUntried> {
    let published = release.published;
    let (units, unit_of) = units(published);
    let links = release.original.and_then(|pair| pair.links.as_ref());
    let mut found =
        Refinement { right: links.map(|_| RightGuesses::default()), ..Default::default() };
    let mut columns = Vec::new();
    let all = published.rows.quasi_identifiers().iter().zip(&published.generated);
    for (at, (column, _)) in all.enumerate().filter(|(_, (_, is_generated))| !**is_generated) {
        let Some(labeled) = &release.columns[at] else {
            found.unknown.push(column.name.clone());
            continue;
        };
        if !labeled.has_all_values {
            found.assumed.push(column.name.clone());
        }
        let covers =
            Covers::new(labeled, column.dictionary.values()).ok_or(WhyUntried::TooManyValues)?;
        let prior = covers.prior(&published.rows.marginal(column), observer);
        let values = |pair| values_of_units(pair, at, &unit_of, units.len());
        let values = release.original.and_then(values);
        columns.push(Column { column, covers, prior, values, weight: labeled.weight });
    }
    if columns.is_empty() && !found.unknown.is_empty() {
        return Err(WhyUntried::ValuesUnknown);
    }
    let mut beliefs = Beliefs::new(&columns, &units, release.rule, sought, observer);
    let mut sums = Sums { bits: vec![0.0; columns.len()], ..Sums::default() };
    for (number, unit) in units.iter().enumerate().take_while(|_| !observer.is_cancelled()) {
        found.add(number, unit, &mut beliefs, &mut sums);
    }
    for (column, bits) in columns.iter().zip(sums.bits) {
        found.bits += bits;
        if bits > found.worst.as_ref().map_or(0.0, |worst| worst.bits) {
            found.worst = Some(RefinedColumn { attribute: column.column.name.clone(), bits });
        }
    }
    found.bits += sums.bits_of_rows;
    let share = |n: f64| (found.n_generalized > 0).then(|| n / found.n_generalized as f64);
    (found.baseline, found.attack) = (share(sums.n_right), share(sums.n_right_with_rules));
    Ok(found)
}

/// A quasi-identifier whose labels cover known values.
struct Column<'a> {
    column: &'a CountedColumn,
    covers: Covers,
    prior: Vec<f64>,
    /// The original values of each unit, if they are known.
    values: Option<Vec<Values>>,
    weight: f64,
}

/// Sums over all units.
#[derive(Default)]
struct Sums {
    n_right: f64,
    n_right_with_rules: f64,
    /// The information about each column.
    bits: Vec<f64>,
    bits_of_rows: f64,
}

impl Refinement {
    fn add(&mut self, number: usize, unit: &Unit, beliefs: &mut Beliefs<'_>, sums: &mut Sums) {
        let n_rows = unit.n_rows as f64;
        let joint = beliefs.joint(unit);
        let bits = joint.as_ref().and_then(|it| it.rows.as_ref()).map_or(0.0, |it| it.bits);
        sums.bits_of_rows += bits * n_rows;
        let mut is_certain = false;
        for (at, column) in beliefs.columns.iter().enumerate() {
            self.n_cells += unit.n_rows;
            let label = column.column.codes[unit.tuple];
            if column.covers.values[label as usize].len() < 2 {
                continue;
            }
            let of_unit;
            let belief = match &joint {
                Some(joint) => {
                    of_unit = column.belief(label, unit, &joint.prior(at), joint.of_rows(at));
                    &of_unit
                }
                None => {
                    let key = (at, label, unit.n_rows, unit.is_starred);
                    let known = beliefs.known.entry(key);
                    known.or_insert_with(|| {
                        let values = &column.covers.values[label as usize];
                        let prior =
                            shares(values.iter().map(|&it| column.prior[it as usize]).collect());
                        column.belief(label, unit, &prior, None)
                    })
                }
            };
            self.n_generalized += unit.n_rows;
            self.n_narrowest += if belief.has_rule { unit.n_rows } else { 0 };
            sums.n_right += n_rows * belief.baseline.1;
            sums.n_right_with_rules += n_rows * belief.attack.1;
            sums.bits[at] += belief.bits;
            self.n_determined += if belief.determined.is_some() { unit.n_rows } else { 0 };
            self.largest = self.largest.max(belief.attack.1);
            is_certain |= self.predicates.add(belief);
            if let (Some(right), Some(values)) = (&mut self.right, &column.values) {
                right.add(belief, &values[number]);
            }
        }
        self.predicates.n_rows_certain += if is_certain { unit.n_rows } else { 0 };
    }
}

/// Returns what is certain about the original, given the original. This takes less time than the
/// attack.
///
/// # Errors
/// [`WhyUntried`] if labels cover too many values.
pub fn certain(
    pair: &ReleaseWithOriginal,
    stated: &StatedClasses,
    observer: &dyn Observer,
) -> Result<CertainRefinements, WhyUntried> {
    let release = LabeledRelease::with_original(pair, stated);
    let found = attack(&release, Sought::Certain, observer)?;
    Ok(CertainRefinements {
        n_generalized: found.n_generalized,
        n_determined: found.n_determined,
        n_predicates: found.predicates.n_certain,
        n_rows: found.predicates.n_rows_certain,
    })
}

impl Refinement {
    /// Returns the increase in the expected accuracy, or `None` if no cell is generalized.
    pub fn lift(&self) -> Option<f64> {
        Some(self.attack? - self.baseline?)
    }
}

/// Groups the released tuples by class and labels. The second result contains the unit of each
/// tuple.
fn units(published: &PublishedRows) -> (Vec<Unit>, Vec<u32>) {
    let columns = published.rows.quasi_identifiers();
    let is_starred = |tuple: usize| {
        columns
            .iter()
            .all(|column: &CountedColumn| column.dictionary.value(column.codes[tuple]) == STAR)
    };
    let (mut units, mut unit_of) = (Vec::new(), vec![0; published.rows.n_tuples()]);
    for tuples in published.rows.groups().iter() {
        let mut of_class: FxHashMap<u32, u32> = FxHashMap::default();
        for tuple in tuples {
            let unit = *of_class.entry(published.class_of[tuple]).or_insert_with(|| {
                units.push(Unit { tuple, n_rows: 0, is_starred: is_starred(tuple) });
                units.len() as u32 - 1
            });
            units[unit as usize].n_rows += published.rows.counts()[tuple];
            unit_of[tuple] = unit;
        }
    }
    (units, unit_of)
}

/// The original values of a unit in one column, as ascending codes with their row counts.
type Values = Vec<(u32, u64)>;

/// Returns the original values of each unit, or `None` if the links are unknown.
fn values_of_units(
    pair: &ReleaseWithOriginal,
    at: usize,
    unit_of: &[u32],
    n_units: usize,
) -> Option<Vec<Values>> {
    let codes = &pair.original.quasi_identifiers()[at].codes;
    let mut values: Vec<Values> = vec![Vec::new(); n_units];
    for link in pair.links.as_ref()? {
        let Some(tuple) = link.released else { continue };
        let unit = unit_of[tuple as usize] as usize;
        values[unit].push((codes[link.original as usize], link.rows));
    }
    for own in &mut values {
        own.sort_unstable();
        own.dedup_by(|next, before| {
            let is_same = next.0 == before.0;
            before.1 += if is_same { next.1 } else { 0 };
            is_same
        });
    }
    Some(values)
}

/// The beliefs about one label in classes of one size, with values as original codes.
struct Belief {
    has_rule: bool,
    /// The value that is most likely from the label alone, and its probability with the rule.
    baseline: (u32, f64),
    /// The value that is most likely with the rule, and its probability.
    attack: (u32, f64),
    bits: f64,
    /// The values that occur once each, if the multiset is determined.
    determined: Option<Vec<u32>>,
    /// The values of each predicate with a probability above the limit, and whether it is certain.
    likely: Vec<(Vec<u32>, bool)>,
    largest: f64,
    largest_baseline: f64,
}

/// The beliefs about the labels of the classes.
struct Beliefs<'a> {
    columns: &'a [Column<'a>],
    mixture: Option<Mixture<'a>>,
    cheapest: Option<Cheapest<'a>>,
    /// The beliefs about each column, label, and number of rows, if they do not depend on the
    /// labels of other columns; the last part states whether all labels are `*`.
    known: FxHashMap<(usize, u32, u64, bool), Belief>,
}

/// The beliefs about the rows of one unit in all columns.
struct Joint {
    /// The distribution of the values that the labels cover.
    parts: Vec<Part>,
    /// The distribution, given the rule for rows.
    rows: Option<RowBeliefs>,
}

impl<'a> Beliefs<'a> {
    fn new(
        columns: &'a [Column<'a>],
        units: &[Unit],
        rule: RowRule,
        sought: Sought,
        observer: &dyn Observer,
    ) -> Self {
        let mut found =
            Self { columns, mixture: None, cheapest: None, known: FxHashMap::default() };
        if sought == Sought::Certain || columns.is_empty() {
            return found;
        }
        let classes: BTreeMap<Vec<u32>, u64> =
            units.iter().filter(|it| !it.is_starred).fold(BTreeMap::new(), |mut all, unit| {
                *all.entry(found.labels(unit)).or_default() += unit.n_rows;
                all
            });
        if rule == RowRule::UsuallyCheapest {
            let priced =
                columns.iter().map(|it| PricedLabels { covers: &it.covers, weight: it.weight });
            found.cheapest = Cheapest::new(priced.collect(), classes.keys().map(Vec::as_slice));
        }
        let classes: Vec<_> = classes.into_iter().collect();
        let covers = columns.iter().map(|it| &it.covers).collect();
        let marginals: Vec<&[f64]> = columns.iter().map(|it| it.prior.as_slice()).collect();
        let mixture = Mixture::fit(covers, &marginals, &classes, observer);
        let is_used = mixture.n_components() > 1 || found.cheapest.is_some();
        found.mixture = is_used.then_some(mixture);
        found
    }

    fn labels(&self, unit: &Unit) -> Vec<u32> {
        self.columns.iter().map(|it| it.column.codes[unit.tuple]).collect()
    }

    /// Returns the joint beliefs about a unit, or `None` if they are those about each column alone.
    fn joint(&self, unit: &Unit) -> Option<Joint> {
        let labels = self.labels(unit);
        let covers_any = |(column, label): (&Column<'_>, &u32)| {
            !column.covers.values[*label as usize].is_empty()
        };
        let covers_all = self.columns.iter().zip(&labels).all(covers_any);
        let parts = self.mixture.as_ref().filter(|_| covers_all)?.within(&labels);
        let cheapest = self.cheapest.as_ref().filter(|_| !unit.is_starred);
        let rows = cheapest.map(|it| it.beliefs(&labels, &parts));
        Some(Joint { parts, rows })
    }
}

impl Joint {
    fn prior(&self, at: usize) -> Vec<f64> {
        of_column(&self.parts, at)
    }

    fn of_rows(&self, at: usize) -> Option<&[f64]> {
        self.rows.as_ref().map(|rows| rows.columns[at].as_slice())
    }
}

impl Column<'_> {
    /// Returns the beliefs about a unit. `prior` contains the probabilities of the covered values,
    /// and `rows` those for a row of the unit, if they differ.
    fn belief(&self, label: u32, unit: &Unit, prior: &[f64], rows: Option<&[f64]>) -> Belief {
        let values = &self.covers.values[label as usize];
        // Suppressed rows are released with labels that are wider than required.
        let event =
            if unit.is_starred { &Event::Nothing } else { &self.covers.events[label as usize] };
        let belief = Belief::new(values, prior, rows.unwrap_or(prior), event, unit.n_rows);
        if self.covers.is_conclusive { belief } else { belief.without_certainty() }
    }
}

/// Returns the position of the most likely value, or of the first of several. Rounding errors do
/// not affect the choice.
fn most_likely(probabilities: &[f64]) -> usize {
    let all = probabilities.iter().enumerate();
    let best = all.reduce(|best, next| if *next.1 > best.1 * (1.0 + 1e-9) { next } else { best });
    best.map_or(0, |(at, _)| at)
}

fn largest(beliefs: &ClassBeliefs) -> f64 {
    beliefs.isolations.iter().map(|it| it.probability).fold(0.0, f64::max)
}

impl Belief {
    fn new(values: &[u32], prior: &[f64], rows: &[f64], event: &Event, n_rows: u64) -> Self {
        let none = class_beliefs(prior, &Event::Nothing, n_rows).expect("any rows are possible");
        let by_rows = class_beliefs(rows, &Event::Nothing, n_rows).expect("any rows are possible");
        let is_used = match event {
            Event::Nothing => false,
            Event::AllValues => n_rows <= MOST_ROWS_OF_SETS,
            Event::TwoChildren(_) | Event::UsuallyTwoChildren(..) | Event::BothEnds => true,
        };
        let with_rule = is_used.then(|| class_beliefs(rows, event, n_rows)).flatten();
        let has_rule = with_rule.is_some();
        let all = with_rule.as_ref().unwrap_or(&by_rows);
        let guess = |at: usize| (values[at], all.values[at]);
        let ends = || vec![values[0], values[values.len() - 1]];
        let determined = all.is_determined.then(|| match event {
            Event::BothEnds => ends(),
            _ => values.to_vec(),
        });
        let finer = |finer: Finer| match (finer, event) {
            (
                Finer::Child(child),
                Event::TwoChildren(child_of) | Event::UsuallyTwoChildren(child_of, _),
            ) => {
                let own = values.iter().zip(child_of).filter(|(_, of)| **of == child);
                own.map(|(value, _)| *value).collect()
            }
            (Finer::Value(at), _) => vec![values[at]],
            (Finer::Child(_), _) => Vec::new(),
        };
        let likely = all.isolations.iter().filter(|it| it.probability > LIKELY);
        Self {
            has_rule,
            baseline: guess(most_likely(prior)),
            attack: guess(most_likely(&all.values)),
            bits: all.bits,
            determined,
            likely: likely.map(|it| (finer(it.finer), it.is_certain)).collect(),
            largest: largest(all),
            largest_baseline: largest(&none),
        }
    }
}

impl Belief {
    fn without_certainty(mut self) -> Self {
        self.determined = None;
        self.likely.iter_mut().for_each(|(_, is_certain)| *is_certain = false);
        self
    }
}

impl Predicates {
    /// Adds the predicates of a class and one column. Returns whether any predicate is certain.
    fn add(&mut self, belief: &Belief) -> bool {
        let n_certain = belief.likely.iter().filter(|(_, is_certain)| *is_certain).count() as u64;
        self.n_likely += belief.likely.len() as u64;
        self.n_certain += n_certain;
        self.largest = self.largest.max(belief.largest);
        self.largest_baseline = self.largest_baseline.max(belief.largest_baseline);
        n_certain > 0
    }
}

impl RightGuesses {
    /// Compares the beliefs about a class and one column with its original values.
    fn add(&mut self, belief: &Belief, values: &[(u32, u64)]) {
        let rows = |code: u32| {
            let at = values.binary_search_by_key(&code, |value| value.0);
            at.map_or(0, |at| values[at].1)
        };
        self.n_baseline += rows(belief.baseline.0);
        self.n_attack += rows(belief.attack.0);
        for (codes, is_certain) in &belief.likely {
            let is_right = codes.iter().map(|&code| rows(code)).sum::<u64>() == 1;
            self.n_likely += u64::from(is_right);
            self.n_certain += u64::from(is_right && *is_certain);
        }
        if let Some(codes) = &belief.determined {
            let is_right = values.iter().all(|value| value.1 == 1)
                && values.iter().map(|value| value.0).eq(codes.iter().copied());
            self.n_determined += if is_right { codes.len() as u64 } else { 0 };
        }
    }
}
