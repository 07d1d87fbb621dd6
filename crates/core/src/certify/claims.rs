//! Computes the claims for a table that is divided into classes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::partition::{DROPPED, PeopleInClasses};
use crate::model::{
    ClassView, CountedColumn, FrequencyTable, Histogram, People, Population, sum_by_key, to_f64,
};
use crate::principle::{Bound, DependsOn, Level, OTHERS, ParameterValue, Parameters, Principle};
use crate::recoding::{Others, Requirement};
use crate::risk::{self, Risk};

/// A figure in a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum Figure {
    /// An integer.
    Count(u64),
    /// Any other number.
    Real(f64),
    /// A string.
    Text(String),
    /// A list of values of the policy.
    Values(Vec<String>),
    /// A nested table of figures.
    Table(BTreeMap<String, Figure>),
}

/// The unit that a principle counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(schemars::JsonSchema)]
pub enum CountedUnit {
    /// Rows.
    #[default]
    Rows,
    /// People, each of whom can have several rows (reading H-1).
    People,
}

impl CountedUnit {
    /// Returns [`CountedUnit::People`] if any claim counts people, and [`CountedUnit::Rows`]
    /// otherwise.
    pub fn from_claims(claims: &[PrincipleClaim]) -> Self {
        let of_people = |claim: &&PrincipleClaim| claim.counts == CountedUnit::People;
        claims.iter().find(of_people).map_or(CountedUnit::Rows, |claim| claim.counts)
    }

    /// Returns whether the unit is [`CountedUnit::Rows`], which is the default and is not
    /// serialized.
    pub(crate) fn is_rows(&self) -> bool {
        *self == CountedUnit::Rows
    }
}

/// The level that a table reaches for one principle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrincipleClaim {
    /// The name of the principle in the registry.
    pub kind: String,
    /// The sensitive attribute, for principles that require one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// The unit that the principle counts.
    #[serde(default, skip_serializing_if = "CountedUnit::is_rows")]
    pub counts: CountedUnit,
    /// The required parameters.
    pub required: BTreeMap<String, Figure>,
    /// The best parameter values for which the table satisfies the principle. A value is null if
    /// the table satisfies the principle with no value; the whole object is null for an empty
    /// table.
    pub reached: Option<BTreeMap<String, Option<Figure>>>,
    /// Whether every class satisfies the principle.
    pub holds: bool,
    /// Number of failing classes.
    pub n_failing_classes: u64,
    /// Number of rows in failing classes.
    pub n_failing_rows: u64,
    /// Size of the class with the worst level, or `None` for an empty table.
    pub worst_class_size: Option<u64>,
}

/// All facts that can be recomputed from the rows of a table, given the requirements of a policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// Number of rows.
    pub n_released: u64,
    /// Number of classes.
    pub n_classes: u64,
    /// Size of the smallest class, or `None` for an empty table.
    pub smallest_class: Option<u64>,
    /// The number of classes of each size.
    pub class_sizes: BTreeMap<u64, u64>,
    /// One claim for each requirement, in the order of the policy.
    pub principles: Vec<PrincipleClaim>,
    /// Re-identification risk.
    pub risk: Risk,
}

impl Claims {
    /// Creates claims that treat every row as a class by itself, regardless of the rows' values,
    /// and include no principle.
    pub fn of_rows_alone(n_rows: u64) -> Self {
        let class_sizes: BTreeMap<u64, u64> =
            if n_rows > 0 { BTreeMap::from([(1, n_rows)]) } else { BTreeMap::new() };
        Self {
            n_released: n_rows,
            n_classes: n_rows,
            smallest_class: (n_rows > 0).then_some(1),
            risk: risk::of_class_sizes(&class_sizes),
            class_sizes,
            principles: Vec::new(),
        }
    }
}

/// The claims, together with details about classes that only the data holder may see.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedClaims {
    /// The claims.
    pub claims: Claims,
    /// For each requirement, the numbers and sizes of up to five classes, starting with the worst
    /// level.
    pub worst: Vec<Vec<(u32, u64)>>,
    /// For each class, whether it satisfies all requirements.
    pub class_holds: Vec<bool>,
}

/// The number of worst classes to return for each requirement.
const WORST_CLASSES: usize = 5;

/// A division of a table into classes.
pub struct Division<'a> {
    /// The class of each tuple, or [`DROPPED`].
    pub class_of: &'a [u32],
    /// The number of classes.
    pub n_classes: usize,
    /// A function that assigns the people in a population to the classes.
    pub people: Box<dyn Fn(&Population) -> PeopleInClasses + 'a>,
}

/// Computes the claims for a table that is divided into classes.
pub fn judge(
    table: &FrequencyTable,
    division: &Division<'_>,
    requirements: &[&Requirement],
) -> JudgedClaims {
    let classes = Units::of_classes(table, division);
    let released_rows = released(table, division.class_of);
    let released_rows = table.histograms(&released_rows);

    let mut class_holds = vec![true; division.n_classes];
    let mut principles = Vec::with_capacity(requirements.len());
    let mut worst = Vec::with_capacity(requirements.len());
    for requirement in requirements {
        let against = match &requirement.people {
            None => requirement.principle.against(&released_rows),
            Some(people) => against_people(table, division, people, &*requirement.principle),
        };
        let principle = against.as_deref().unwrap_or(&*requirement.principle);
        let counts =
            if requirement.people.is_some() { CountedUnit::People } else { CountedUnit::Rows };
        let verdict_of = |units: &Units<'_>| {
            let among = match principle.depends_on() {
                DependsOn::ReleasedClasses => principle.among(&units.views()),
                _ => None,
            };
            let principle = among.as_deref().unwrap_or(principle);
            PrincipleVerdict::new(principle, counts, units, &classes.sizes, division)
        };
        let verdict = match (&requirement.people, requirement.others) {
            (Some(people), _) => {
                match Units::of_people(table, division.class_of, division.n_classes, people) {
                    Some(units) => verdict_of(&units),
                    None => PrincipleVerdict::unknown(division.n_classes),
                }
            }
            (None, Others::Ignored) => verdict_of(&classes),
            (None, Others::QuasiIdentifier) => {
                let attribute = requirement.attribute.as_deref();
                let at = attribute.and_then(|name| table.sensitive_index(name));
                verdict_of(&Units::of_parts(table, division, at))
            }
        };
        for &class in &verdict.failing {
            class_holds[class as usize] = false;
        }
        let size = |class: &u32| classes.sizes[*class as usize];
        let n_failing_classes = verdict.failing.len() as u64 + verdict.n_failing_elsewhere;
        principles.push(PrincipleClaim {
            kind: requirement.kind.to_owned(),
            attribute: requirement.attribute.clone(),
            counts,
            required: figures_of(&requirement.parameters, requirement.others),
            reached: verdict.level.map(|level| reached(principle, &level)),
            holds: n_failing_classes == 0,
            n_failing_classes,
            n_failing_rows: verdict.failing.iter().map(size).sum(),
            worst_class_size: verdict.worst.first().map(size),
        });
        worst.push(verdict.worst.iter().map(|class| (*class, size(class))).collect());
    }

    let mut class_sizes = BTreeMap::new();
    for &size in &classes.sizes {
        *class_sizes.entry(size).or_insert(0) += 1;
    }
    let claims = Claims {
        n_released: classes.sizes.iter().sum(),
        n_classes: division.n_classes as u64,
        smallest_class: classes.sizes.iter().min().copied(),
        risk: risk::of_class_sizes(&class_sizes),
        class_sizes,
        principles,
    };
    JudgedClaims { claims, worst, class_holds }
}

/// Returns the principle for the released people, or `None` if it does not depend on them or the
/// people do not match the table.
fn against_people(
    table: &FrequencyTable,
    division: &Division<'_>,
    people: &People,
    principle: &dyn Principle,
) -> Option<Box<dyn Principle>> {
    if principle.depends_on() != DependsOn::ReleasedRows {
        return None;
    }
    let in_one = |class: &u32| if *class == DROPPED { DROPPED } else { 0 };
    let class_of: Vec<u32> = division.class_of.iter().map(in_one).collect();
    let units = Units::of_people(table, &class_of, 1, people)?;
    principle.against_people(&ClassView::new(units.sizes[0], &units.views()[0]))
}

fn reached(principle: &dyn Principle, level: &Level) -> BTreeMap<String, Option<Figure>> {
    let quantities = principle.bounds().iter().zip(level.quantities());
    quantities.map(|(bound, quantity)| (bound.name.to_owned(), figure_of(quantity))).collect()
}

/// Returns the histogram of each sensitive attribute over all released rows.
fn released(table: &FrequencyTable, class_of: &[u32]) -> Vec<Vec<(u32, u64)>> {
    let histogram = |column: &CountedColumn| {
        let mut rows = vec![0; column.dictionary.len()];
        for ((&class, &code), &count) in class_of.iter().zip(&column.codes).zip(table.counts()) {
            if class != DROPPED {
                rows[code as usize] += count;
            }
        }
        let entries = (0u32..).zip(rows);
        entries.filter(|(_, rows)| *rows > 0).collect()
    };
    table.sensitive().iter().map(histogram).collect()
}

/// The sets of rows on which a principle is evaluated: the classes, or the parts of classes in
/// which the other sensitive values are equal.
struct Units<'a> {
    /// The class to which each unit belongs. Units are sorted by class.
    classes: Vec<u32>,
    sizes: Vec<u64>,
    histograms: Vec<Histograms<'a>>,
}

impl<'a> Units<'a> {
    fn new(table: &'a FrequencyTable, unit_of: &[u32], classes: Vec<u32>) -> Self {
        let mut sizes = vec![0u64; classes.len()];
        for (&unit, &count) in unit_of.iter().zip(table.counts()) {
            if unit != DROPPED {
                sizes[unit as usize] += count;
            }
        }
        let histograms = (0..table.sensitive().len())
            .map(|attribute| Histograms::new(table, unit_of, classes.len(), attribute))
            .collect();
        Self { classes, sizes, histograms }
    }

    fn of_classes(table: &'a FrequencyTable, division: &Division<'_>) -> Self {
        Self::new(table, division.class_of, (0..division.n_classes as u32).collect())
    }

    /// Returns the histograms of each unit.
    fn views(&self) -> Vec<Vec<Histogram<'_>>> {
        let of = |unit| self.histograms.iter().map(|histogram| histogram.class(unit)).collect();
        (0..self.classes.len()).map(of).collect()
    }

    /// Counts the people in each class and the people with each sensitive value. Returns `None` if
    /// `people` does not match the table, in which case the person of each row is unknown.
    fn of_people(
        table: &'a FrequencyTable,
        class_of: &[u32],
        n_classes: usize,
        people: &People,
    ) -> Option<Self> {
        if !people.fit(table) {
            return None;
        }
        let released = || (0..table.n_tuples()).filter(|at| class_of[*at] != DROPPED);
        let mut members: Vec<(u32, u32)> = released()
            .flat_map(|tuple| {
                let class = class_of[tuple];
                people.of_tuple(tuple).iter().map(move |entry| (class, entry.0))
            })
            .collect();
        members.sort_unstable();
        members.dedup();
        let mut sizes = vec![0u64; n_classes];
        for (class, _) in members {
            sizes[class as usize] += 1;
        }
        let having = |column: &'a CountedColumn| {
            let mut having: Vec<(u32, u32, u32)> = released()
                .flat_map(|tuple| {
                    let (class, code) = (class_of[tuple], column.codes[tuple]);
                    people.of_tuple(tuple).iter().map(move |entry| (class, code, entry.0))
                })
                .collect();
            having.sort_unstable();
            having.dedup();
            let cells = having.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
            let cells = cells.map(|same| (same[0].0, same[0].1, same.len() as u64)).collect();
            Histograms::of_cells(cells, n_classes, &column.dictionary)
        };
        let histograms = table.sensitive().iter().map(having).collect();
        Some(Self { classes: (0..n_classes as u32).collect(), sizes, histograms })
    }

    /// Subdivides each class by the values of all sensitive attributes except one.
    fn of_parts(table: &'a FrequencyTable, division: &Division<'_>, but: Option<usize>) -> Self {
        let others: Vec<&[u32]> = table
            .sensitive()
            .iter()
            .enumerate()
            .filter(|(at, _)| Some(*at) != but)
            .map(|(_, column)| column.codes.as_slice())
            .collect();
        let key = |&tuple: &usize| {
            let codes = others.iter().map(|codes| codes[tuple]);
            std::iter::once(division.class_of[tuple]).chain(codes).collect::<Vec<u32>>()
        };
        let mut tuples: Vec<usize> =
            (0..table.n_tuples()).filter(|&at| division.class_of[at] != DROPPED).collect();
        tuples.sort_by_cached_key(key);
        let mut unit_of = vec![DROPPED; table.n_tuples()];
        let mut classes: Vec<u32> = Vec::new();
        let mut last: Option<Vec<u32>> = None;
        for tuple in tuples {
            let key = key(&tuple);
            if last.as_ref() != Some(&key) {
                classes.push(key[0]);
                last = Some(key);
            }
            unit_of[tuple] = classes.len() as u32 - 1;
        }
        Self::new(table, &unit_of, classes)
    }
}

/// The result of evaluating a principle on a table that is divided into classes.
struct PrincipleVerdict {
    /// The worst level of any unit, or `None` for an empty table.
    level: Option<Level>,
    /// The classes that contain a failing unit, in ascending order.
    failing: Vec<u32>,
    /// The number of failing classes that match people in the population but have no released rows.
    n_failing_elsewhere: u64,
    /// Up to [`WORST_CLASSES`] classes, starting with the worst.
    worst: Vec<u32>,
}

impl PrincipleVerdict {
    /// Returns a result in which every class fails, because the people of the table are unknown.
    fn unknown(n_classes: usize) -> Self {
        let failing: Vec<u32> = (0..n_classes as u32).collect();
        let worst = failing.iter().take(WORST_CLASSES).copied().collect();
        Self { level: None, failing, n_failing_elsewhere: 0, worst }
    }

    fn new(
        principle: &dyn Principle,
        counts: CountedUnit,
        units: &Units<'_>,
        class_sizes: &[u64],
        division: &Division<'_>,
    ) -> Self {
        let bounds = principle.bounds();
        let people = principle.population().map(|population| (division.people)(population));
        let mut verdict =
            Self { level: None, failing: Vec::new(), n_failing_elsewhere: 0, worst: Vec::new() };
        // Of two classes with equal levels, the smaller comes first, so the result does not depend
        // on class numbers.
        let mut worst: Vec<(Level, u32)> = Vec::new();
        let mut add = |class: u32, level: Level| {
            let size = class_sizes[class as usize];
            let at = worst.partition_point(|(other, number)| {
                let order = other.severity(&level, bounds);
                order.then(class_sizes[*number as usize].cmp(&size)).is_le()
            });
            if at < WORST_CLASSES {
                worst.insert(at, (level, class));
                worst.truncate(WORST_CLASSES);
            }
        };
        let mut of_class: Option<(u32, Level)> = None;
        let mut views: Vec<Histogram<'_>> = Vec::with_capacity(units.histograms.len());
        for (unit, &class) in units.classes.iter().enumerate() {
            views.clear();
            views.extend(units.histograms.iter().map(|histogram| histogram.class(unit)));
            let population = people.as_ref().map(|people| people.of_class[class as usize]);
            let view = ClassView { size: units.sizes[unit], histograms: &views, population };
            let level = match counts {
                CountedUnit::Rows => principle.of_class(&view),
                CountedUnit::People => principle.of_people(&view),
            };
            if !level.meets(bounds) && verdict.failing.last() != Some(&class) {
                verdict.failing.push(class);
            }
            verdict.take(level, bounds);
            of_class = Some(match of_class {
                Some((last, so_far)) if last == class => (class, so_far.worst(level, bounds)),
                Some((last, so_far)) => {
                    add(last, so_far);
                    (class, level)
                }
                None => (class, level),
            });
        }
        if let Some((class, level)) = of_class {
            add(class, level);
        }
        for &people in people.iter().flat_map(|people| &people.elsewhere) {
            let view = ClassView { size: 0, histograms: &[], population: Some(people) };
            let level = principle.of_class(&view);
            verdict.n_failing_elsewhere += u64::from(!level.meets(bounds));
            verdict.take(level, bounds);
        }
        verdict.worst = worst.into_iter().map(|(_, class)| class).collect();
        verdict
    }

    fn take(&mut self, level: Level, bounds: &[Bound]) {
        self.level = Some(self.level.map_or(level, |before| before.worst(level, bounds)));
    }
}

/// Counts the rows of each class and code: triples in ascending order. Dropped rows are not
/// counted.
pub(crate) fn counted_cells(
    class_of: &[u32],
    codes: &[u32],
    counts: &[u64],
) -> Vec<(u32, u32, u64)> {
    let tuples = class_of.iter().zip(codes).zip(counts);
    let released = tuples.filter(|((class, _), _)| **class != DROPPED);
    let mut cells: Vec<_> =
        released.map(|((&class, &code), &count)| ((class, code), count)).collect();
    sum_by_key(&mut cells);
    cells.into_iter().map(|((class, code), count)| (class, code, count)).collect()
}

/// The histograms of one sensitive attribute for all classes, stored in a single list.
struct Histograms<'a> {
    starts: Vec<usize>,
    entries: Vec<(u32, u64)>,
    dictionary: &'a crate::Dictionary,
}

impl<'a> Histograms<'a> {
    fn new(
        table: &'a FrequencyTable,
        class_of: &[u32],
        n_classes: usize,
        attribute: usize,
    ) -> Self {
        let column = &table.sensitive()[attribute];
        let cells = counted_cells(class_of, &column.codes, table.counts());
        Self::of_cells(cells, n_classes, &column.dictionary)
    }

    /// Creates histograms from (class, code, count), sorted by class and code. The counts of equal
    /// pairs (class, code) are added.
    fn of_cells(
        cells: Vec<(u32, u32, u64)>,
        n_classes: usize,
        dictionary: &'a crate::Dictionary,
    ) -> Self {
        let mut starts = vec![0; n_classes + 1];
        for cell in &cells {
            starts[cell.0 as usize + 1] += 1;
        }
        for class in 0..n_classes {
            starts[class + 1] += starts[class];
        }
        let entries = cells.into_iter().map(|(_, code, count)| (code, count)).collect();
        Self { starts, entries, dictionary }
    }

    fn class(&self, class: usize) -> Histogram<'_> {
        Histogram {
            entries: &self.entries[self.starts[class]..self.starts[class + 1]],
            dictionary: self.dictionary,
        }
    }
}

/// Converts parameters to the figures in a claim.
pub fn figures_of(parameters: &Parameters, others: Others) -> BTreeMap<String, Figure> {
    let figures = parameters.0.iter().map(|(name, value)| (name.clone(), stated(value)));
    let word = (others != Others::Ignored)
        .then(|| (OTHERS.name.to_owned(), Figure::Text(others.name().to_owned())));
    figures.chain(word).collect()
}

fn stated(value: &ParameterValue) -> Figure {
    match value {
        ParameterValue::Number(value) if value.is_integer() && *value.numer() >= 0 => {
            Figure::Count(u64::try_from(*value.numer()).unwrap_or(u64::MAX))
        }
        ParameterValue::Number(value) => Figure::Real(to_f64(value)),
        ParameterValue::Text(text) => Figure::Text(text.clone()),
        ParameterValue::Values(values) => Figure::Values(values.clone()),
        ParameterValue::Table(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.clone(), stated(value)));
            Figure::Table(fields.collect())
        }
    }
}

/// Converts a quantity to a figure in a claim, or returns `None` if the quantity is undefined.
pub fn figure_of(quantity: &crate::Quantity) -> Option<Figure> {
    match quantity {
        crate::Quantity::Count(count) => Some(Figure::Count(*count)),
        other => other.to_f64().map(Figure::Real),
    }
}
