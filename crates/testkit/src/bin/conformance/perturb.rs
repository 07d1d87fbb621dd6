//! Operations for perturbation, and for count queries on perturbed releases and on classes.

use std::collections::HashMap;

use indistinct_core::Rational;
use indistinct_core::loss::count_query::{CoveredPlaces, Span, estimate_of_class};
use indistinct_core::model::{Numbers, from_ratio, to_big, to_f64};
use indistinct_core::principle::proximity::{Neighborhood, Reach};
use indistinct_core::recoding::perturbation::breach::{self, Nearby, largest_p_of_all};
use indistinct_core::recoding::perturbation::{Retention, reconstruction};
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use serde_json::{Value, json};

use super::input::{Table, exact, names, text};
use super::numeric::neighborhood;

fn big(value: &Value) -> BigRational {
    to_big(&exact(value))
}

fn shown(value: Option<BigRational>) -> Value {
    value.map_or(Value::Null, |value| json!(value.to_f64()))
}

fn nearby(given: &Value) -> Nearby {
    Nearby { share: big(&given["P"]), length: big(&given["L"]) }
}

fn m(given: &Value) -> Rational {
    exact(&given["m"])
}

pub fn risk(input: &Value) -> Value {
    let given = &input["params"];
    json!({ "risk": shown(breach::risk(&nearby(given), &big(&given["p"]))) })
}

pub fn best_p(input: &Value) -> Value {
    let given = &input["params"];
    json!({ "best_p": shown(breach::largest_p(&nearby(given), &m(given))) })
}

/// An interval of numbers in which noise is uniformly distributed, as assumed in the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Interval {
    /// The lower end.
    low: Rational,
    /// The upper end, which is above the lower end.
    high: Rational,
    /// The rule for neighborhoods that extend beyond the interval.
    ends: Ends,
}

/// The rule for counting a neighborhood that extends beyond the domain (reading C-11).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// Count the whole neighborhood.
    Unclipped,
    /// Count only the part of the neighborhood inside the domain.
    Clipped,
}

/// Returns the share and length of the neighborhood of each entry of a class, with lengths on the
/// number line. This function exists for comparison with the paper.
///
/// A missing value is near only missing values, and its neighborhood has length 0.
///
/// # Panics
/// Panics if the interval is empty.
fn nearby_in_interval(
    numbers: &Numbers,
    entries: &[(u32, u64)],
    neighborhood: &Neighborhood,
    interval: &Interval,
) -> Vec<Nearby> {
    let (low, high) = (to_big(&interval.low), to_big(&interval.high));
    assert!(low < high, "the interval must not be empty");
    let n: u64 = entries.iter().map(|entry| entry.1).sum();
    let near = Reach::new(numbers, neighborhood).near(entries);
    let length = |code: u32| {
        if Some(code) == numbers.missing() {
            return BigRational::zero();
        }
        let x = BigRational::new(numbers.scaled(code).into(), numbers.scale().into());
        let (below, above) = match neighborhood {
            Neighborhood::Absolute { below, above } => (to_big(below), to_big(above)),
            Neighborhood::Relative { epsilon } => {
                let radius = to_big(epsilon) * num_traits::abs(x.clone());
                (radius.clone(), radius)
            }
            Neighborhood::ByValue { below, above } => {
                let x = numbers.unscaled(numbers.scaled(code));
                (to_big(&below.width(&x)), to_big(&above.width(&x)))
            }
        };
        let (from, to) = (&x - below, &x + above);
        let (from, to) = match interval.ends {
            Ends::Unclipped => (from, to),
            Ends::Clipped => (from.max(low.clone()), to.min(high.clone())),
        };
        (to - from).max(BigRational::zero()) / (&high - &low)
    };
    let rows = entries.iter().zip(near);
    rows.map(|(&(code, _), near)| Nearby {
        share: BigRational::new(near.into(), n.into()),
        length: length(code),
    })
    .collect()
}

pub fn table_best_p(input: &Value) -> Value {
    let table = Table::of_one_class(input);
    let given = &input["params"];
    let entries = table.classes.first().map_or(&[][..], |class| &class.entries[0]);
    let ends = if given["clip"] == true { Ends::Clipped } else { Ends::Unclipped };
    let domain = &given["domain"];
    let interval = Interval { low: exact(&domain[0]), high: exact(&domain[1]), ends };
    let rows = nearby_in_interval(&table.numbers(), entries, &neighborhood(given), &interval);
    json!({ "best_p": shown(largest_p_of_all(&rows, &m(given))) })
}

/// The table rows of a query, as positions in each column, and the ranges of the query.
struct Query {
    columns: HashMap<String, Vec<u32>>,
    ranges: Vec<(String, Span)>,
    value: String,
    n_rows: usize,
    /// The position of the number 0 in each column with a range.
    zero: HashMap<String, u32>,
}

fn whole(value: &Value) -> i64 {
    value.as_i64().expect("the value is an integer")
}

/// Returns the difference between a number and the minimum of its column.
fn place(number: i64, lowest: i64) -> u32 {
    u32::try_from(number - lowest).expect("the range of a column fits into 32 bits")
}

impl Query {
    fn parse(input: &Value) -> Self {
        let rows = input["table"]["rows"].as_array().cloned().unwrap_or_default();
        let given = input["params"]["ranges"].as_object().expect("`ranges` is an object");
        let (mut columns, mut ranges, mut zero) = (HashMap::new(), Vec::new(), HashMap::new());
        for (at, name) in names(&input["table"]["columns"]).into_iter().enumerate() {
            let Some(ends) = given.get(&name) else { continue };
            let numbers: Vec<i64> = rows.iter().map(|row| whole(&row[at])).collect();
            let (low, high) = (whole(&ends[0]), whole(&ends[1]));
            let lowest = numbers.iter().copied().fold(low.min(0), i64::min);
            let span = Span { from: place(low, lowest), to: place(high + 1, lowest) };
            ranges.push((name.clone(), span));
            zero.insert(name.clone(), place(0, lowest));
            columns.insert(name, numbers.into_iter().map(|it| place(it, lowest)).collect());
        }
        Self { columns, ranges, value: text(&input["sensitive"]), n_rows: rows.len(), zero }
    }

    /// Selects the rows that match the range of the sensitive attribute if `value` is true, and the
    /// rows that match all other ranges otherwise.
    fn matching(&self, value: bool) -> impl Fn(&usize) -> bool + '_ {
        move |&row| {
            let mut requested =
                self.ranges.iter().filter(|(name, _)| (*name == self.value) == value);
            requested.all(|(name, range)| (range.from..range.to).contains(&self.columns[name][row]))
        }
    }
}

pub fn count_uniform(input: &Value) -> Value {
    let query = Query::parse(input);
    let (there, elsewhere) = (query.matching(true), query.matching(false));
    let actual = (0..query.n_rows).filter(|row| there(row) && elsewhere(row)).count();
    let groups = input["params"]["groups"].as_array().into_iter().flatten();
    let estimate: f64 = groups
        .map(|group| {
            let rows: Vec<usize> =
                group.as_array().into_iter().flatten().map(|row| whole(row) as usize).collect();
            let n_there = rows.iter().filter(|row| there(row)).count();
            let requested = query.ranges.iter().filter(|(name, _)| *name != query.value);
            let shares = requested.map(|(name, range)| {
                let places = || rows.iter().map(|&row| query.columns[name][row]);
                let from = places().min().expect("a group has at least one row");
                let to = places().max().expect("a group has at least one row") + 1;
                CoveredPlaces::of_span(Span { from, to }).share_in(*range)
            });
            estimate_of_class(n_there as f64, shares)
        })
        .sum();
    json!({ "actual": actual, "estimate": estimate })
}

pub fn count_perturbed(input: &Value) -> Value {
    let query = Query::parse(input);
    let given = &input["params"];
    let (there, elsewhere) = (query.matching(true), query.matching(false));
    let matching: Vec<usize> = (0..query.n_rows).filter(elsewhere).collect();
    let n_there = matching.iter().filter(|row| there(row)).count() as u64;
    let n_values = given["domain_size"].as_u64().expect("`domain_size` is an integer");
    let range = query.ranges.iter().find(|(name, _)| *name == query.value);
    let share = range.map_or(Rational::from_integer(1), |(name, range)| {
        let from = query.zero[name];
        let domain =
            Span { from, to: from + u32::try_from(n_values).expect("the domain is small") };
        from_ratio(domain.n_shared(*range).into(), n_values)
    });
    let retention = Retention::new(&exact(&given["p"])).expect("a probability");
    let estimate = reconstruction::count(n_there, matching.len() as u64, share, retention);
    json!({ "estimate": estimate.as_ref().map(to_f64) })
}
