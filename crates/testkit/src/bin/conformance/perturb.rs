//! Perturbation, and count queries on its releases and on classes.

use std::collections::HashMap;

use indistinct_core::Rational;
use indistinct_core::loss::count_query::{Span, estimate_of_class};
use indistinct_core::model::to_f64;
use indistinct_core::recoding::perturbation::breach::{
    self, Ends, Interval, Nearby, largest_p_of_all, nearby_in_interval,
};
use indistinct_core::recoding::perturbation::{Retention, reconstruction};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use serde_json::{Value, json};

use super::input::{Table, exact, names, text};
use super::numeric::neighborhood;

fn big(value: &Value) -> BigRational {
    let exact = exact(value);
    BigRational::new(BigInt::from(*exact.numer()), BigInt::from(*exact.denom()))
}

fn shown(value: Option<BigRational>) -> Value {
    value.map_or(Value::Null, |value| json!(value.to_f64()))
}

fn nearby(given: &Value) -> Nearby {
    Nearby { share: big(&given["P"]), length: big(&given["L"]) }
}

fn m(given: &Value) -> u64 {
    given["m"].as_u64().expect("m is a whole number")
}

pub fn risk(input: &Value) -> Value {
    let given = &input["params"];
    json!({ "risk": shown(breach::risk(&nearby(given), &big(&given["p"]))) })
}

pub fn best_p(input: &Value) -> Value {
    let given = &input["params"];
    json!({ "best_p": shown(breach::largest_p(&nearby(given), m(given))) })
}

pub fn table_best_p(input: &Value) -> Value {
    let table = Table::of_one_class(input);
    let given = &input["params"];
    let entries = table.classes.first().map_or(&[][..], |class| &class.entries[0]);
    let ends = if given["clip"] == true { Ends::Clipped } else { Ends::Unclipped };
    let domain = &given["domain"];
    let interval = Interval { low: exact(&domain[0]), high: exact(&domain[1]), ends };
    let rows = nearby_in_interval(&table.numbers(), entries, &neighborhood(given), &interval);
    json!({ "best_p": shown(largest_p_of_all(&rows, m(given))) })
}

/// The rows of a query's table as whole numbers by column, and its ranges.
struct Query {
    columns: HashMap<String, Vec<i64>>,
    ranges: Vec<(String, Span)>,
    secret: String,
    n_rows: usize,
}

fn whole(value: &Value) -> i64 {
    value.as_i64().expect("a whole number")
}

impl Query {
    fn of(input: &Value) -> Self {
        let rows = input["table"]["rows"].as_array().cloned().unwrap_or_default();
        let column = |(at, name)| (name, rows.iter().map(|row: &Value| whole(&row[at])).collect());
        let columns = names(&input["table"]["columns"]).into_iter().enumerate().map(column);
        let ranges = input["params"]["ranges"].as_object().expect("ranges by column");
        let range = |(name, ends): (&String, &Value)| {
            (name.clone(), Span { low: whole(&ends[0]), high: whole(&ends[1]) })
        };
        Self {
            columns: columns.collect(),
            ranges: ranges.iter().map(range).collect(),
            secret: text(&input["sensitive"]),
            n_rows: rows.len(),
        }
    }

    /// The rows that match in the secret, or in all else.
    fn matching(&self, secret: bool) -> impl Fn(&usize) -> bool + '_ {
        move |&row| {
            let asked = self.ranges.iter().filter(|(name, _)| (*name == self.secret) == secret);
            asked.clone().all(|(name, range)| range.has(self.columns[name][row]))
        }
    }
}

pub fn count_uniform(input: &Value) -> Value {
    let query = Query::of(input);
    let (there, elsewhere) = (query.matching(true), query.matching(false));
    let actual = (0..query.n_rows).filter(|row| there(row) && elsewhere(row)).count();
    let groups = input["params"]["groups"].as_array().into_iter().flatten();
    let estimate: Rational = groups
        .map(|group| {
            let rows: Vec<usize> =
                group.as_array().into_iter().flatten().map(|row| whole(row) as usize).collect();
            let n_there = rows.iter().filter(|row| there(row)).count() as u64;
            let asked = query.ranges.iter().filter(|(name, _)| *name != query.secret);
            let intervals = asked.map(|(name, range)| {
                let values = || rows.iter().map(|&row| query.columns[name][row]);
                let low = values().min().expect("a group has rows");
                let high = values().max().expect("a group has rows");
                (Span { low, high }, *range)
            });
            estimate_of_class(n_there, intervals)
        })
        .sum();
    json!({ "actual": actual, "estimate": to_f64(&estimate) })
}

pub fn count_perturbed(input: &Value) -> Value {
    let query = Query::of(input);
    let given = &input["params"];
    let (there, elsewhere) = (query.matching(true), query.matching(false));
    let matching: Vec<usize> = (0..query.n_rows).filter(elsewhere).collect();
    let n_there = matching.iter().filter(|row| there(row)).count() as u64;
    let domain_size = given["domain_size"].as_i64().expect("a number of values");
    let domain = Span { low: 0, high: domain_size - 1 };
    let range = query.ranges.iter().find(|(name, _)| *name == query.secret);
    let share = range.map_or(Rational::from_integer(1), |(_, range)| domain.share_in(*range));
    let retention = Retention::new(&exact(&given["p"])).expect("a probability");
    let estimate = reconstruction::count(n_there, matching.len() as u64, share, retention);
    json!({ "estimate": estimate.as_ref().map(to_f64) })
}
