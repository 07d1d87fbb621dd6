//! Random requirements of every kind that a search handles separately.

use std::sync::Arc;

use indistinct_core::model::{Branch, Taxonomy};
use indistinct_core::principle::{Context, ParameterValue, Parameters};
use indistinct_core::{FrequencyTable, Others, Requirement};
use indistinct_testkit::lattice_oracle::{PlainObjective, PlainProblem, PlainRow};
use proptest::prelude::*;
use proptest::sample::select;

use super::plain::{Translated, population};
use super::{Wanted, number, requirement};

/// A plain problem and a random policy that replaces its principles.
#[derive(Debug, Clone)]
pub struct Policies {
    pub plain: PlainProblem,
    pub wanted: Vec<Wanted>,
    /// Number of times that each person in the table is in the population.
    pub times: u64,
    /// The other people in the population.
    pub others: Vec<PlainRow>,
}

fn word(wanted: Wanted, name: &str, word: &str) -> Wanted {
    with(wanted, name, ParameterValue::Text(word.to_owned()))
}

fn with(mut wanted: Wanted, name: &str, value: ParameterValue) -> Wanted {
    wanted.parameters.0.insert(name.to_owned(), value);
    wanted
}

fn values(values: &[&str]) -> ParameterValue {
    ParameterValue::Values(values.iter().map(|value| (*value).to_owned()).collect())
}

/// The main kinds of requirements of a policy, as numbers of `wanted`.
const ALL_KINDS: [usize; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const PRESENCE: [usize; 4] = [1, 1, 0, 13];
const CLOSENESS: [usize; 4] = [3, 3, 3, 13];
const PROXIMITY: [usize; 4] = [5, 5, 7, 10];

/// Generates a requirement on one of `n_sensitive` attributes, or on none.
fn wanted(n_sensitive: usize, kinds: &[usize]) -> impl Strategy<Value = Wanted> + use<> {
    let on = (0..n_sensitive).prop_map(Some);
    let fraction = select(vec!["1/10", "1/4", "1/3", "1/2", "2/3", "3/4", "1"]);
    let l = select(vec!["1", "3/2", "2", "5/2", "3"]);
    let whole = select(vec!["1", "2", "2", "3"]);
    let distance = select(vec!["0", "1", "3", "5"]);
    let value = select(vec!["1", "2", "5"]);
    let others = select(vec![Others::Ignored, Others::Ignored, Others::QuasiIdentifier]);
    (select(kinds.to_vec()), on, (fraction, l, distance), (whole, value), others, 0..4usize)
        .prop_map(|(kind, on, (fraction, l, distance), (whole, value), others, variant)| {
            let built = match kind {
                0 => requirement("k-anonymity", None, &[("k", whole)]),
                1 | 2 => {
                    let min = ["0", "0", "1/4", "1/2"][variant];
                    let max = ["1", "3/4", "2/3", "1/2"][(variant + l.len()) % 4];
                    let numbers = [("min", min), ("max", max)];
                    let built = requirement("delta-presence", None, &numbers);
                    word(built, "population", "people.csv")
                }
                3 | 4 => {
                    let built = requirement("t-closeness", on, &[("t", fraction)]);
                    word(built, "distance", ["equal", "equal", "ordered", "hierarchical"][variant])
                }
                5 | 6 => {
                    let neighborhood = ["absolute", "absolute", "relative", "relative-radius"];
                    let epsilon = if variant < 2 { distance } else { fraction };
                    let numbers = [("epsilon", epsilon), ("m", whole)];
                    let built = requirement("epsilon-m-anonymity", on, &numbers);
                    word(built, "neighborhood", neighborhood[variant])
                }
                7 => requirement(
                    "e1-e2-m-anonymity",
                    on,
                    &[("e1", distance), ("e2", "1"), ("m", whole)],
                ),
                8 => requirement("k-e-anonymity", on, &[("k", whole), ("e", l)]),
                9 => {
                    let built =
                        requirement("alpha-k-anonymity", on, &[("alpha", fraction), ("k", whole)]);
                    if variant < 2 { built } else { with(built, "values", values(&[value])) }
                }
                10 => {
                    let built =
                        requirement("delta-l-diversity", on, &[("delta", distance), ("l", l)]);
                    word(built, "reading", ["definition", "window"][variant % 2])
                }
                11 => {
                    let built = requirement("tau-l-diversity", on, &[("tau", fraction), ("l", l)]);
                    word(built, "weights", ["occurring", "domain"][variant % 2])
                }
                12 => requirement("variance-control", on, &[("variance", l)]),
                13 => requirement("distinct-l-diversity", on, &[("l", whole)]),
                14 => {
                    let built = requirement("entropy-l-diversity", on, &[("l", l)]);
                    if variant < 2 { built } else { with(built, "dont_care", values(&[value])) }
                }
                _ => {
                    let built = requirement("recursive-diversity", on, &[("c", l), ("l", whole)]);
                    let built = match variant {
                        0 | 1 => built,
                        _ => with(built, "dont_care", values(&[value])),
                    };
                    let negative = || {
                        let fields = [("values", values(&["1", "5"])), ("c2", number("20"))];
                        let fields = fields.map(|(name, value)| (name.to_owned(), value));
                        ParameterValue::Table(Parameters(fields.into()).0)
                    };
                    if variant % 2 == 0 { built } else { with(built, "negative", negative()) }
                }
            };
            Wanted { others, ..built }
        })
}

/// Generates problems with policies of every kind. The exhaustive search supports the objective.
pub fn policies(plain: impl Strategy<Value = PlainProblem>) -> impl Strategy<Value = Policies> {
    plain.prop_flat_map(|plain| {
        let n_sensitive = plain.rows.first().map_or(2, |row| row.sensitive.len());
        let domains = plain.hierarchies.iter().map(|h| 0..h.levels[0].labels.len());
        let other = (domains.collect::<Vec<_>>(), 1..4u64).prop_map(|(codes, count)| PlainRow {
            quasi_identifiers: codes,
            sensitive: Vec::new(),
            count,
        });
        let others = proptest::collection::vec(other, 0..4);
        let of_kinds =
            |kinds: &[usize]| proptest::collection::vec(wanted(n_sensitive, kinds), 1..=2);
        let wanted = prop_oneof![
            2 => of_kinds(&ALL_KINDS),
            1 => of_kinds(&PRESENCE),
            1 => of_kinds(&CLOSENESS),
            1 => of_kinds(&PROXIMITY),
        ];
        // Use more values than the plain problem, so merging can break the principles that it may
        // break.
        let n_cells = plain.rows.len() * n_sensitive;
        let cells = proptest::collection::vec(0..5usize, n_cells);
        let all = (Just(plain), wanted, 1..3u64, others, cells);
        all.prop_map(move |(mut plain, wanted, times, others, cells)| {
            for (row, cells) in plain.rows.iter_mut().zip(cells.chunks(n_sensitive)) {
                row.sensitive = cells.to_vec();
            }
            if [PlainObjective::Entropy, PlainObjective::Information].contains(&plain.objective) {
                plain.objective = PlainObjective::Loss;
            }
            Policies { plain, wanted, times, others }
        })
    })
}

impl Policies {
    /// Translates the problem into core types.
    pub fn translate(&self) -> Translated {
        let n_sensitive = self.plain.rows.first().map_or(2, |row| row.sensitive.len());
        Translated::with(&self.plain, n_sensitive, |table| self.requirements(table))
    }

    fn requirements(&self, table: &FrequencyTable) -> Vec<Requirement> {
        let population = Arc::new(population(&self.plain, table, self.times, &self.others));
        let build = |wanted: &Wanted| {
            let taxonomy = wanted.attribute.map(|at| {
                let leaf = |value: &str| Branch::Leaf(value.to_owned());
                let values = table.sensitive()[at].dictionary.values().iter();
                let known = values.map(|value| leaf(value)).collect();
                Taxonomy::of_tree(&Branch::Inner("any".to_owned(), known))
            });
            let context = Context::new(table, None).with_population(Arc::clone(&population));
            match &taxonomy {
                Some(taxonomy) => wanted.within(context.with_taxonomy(taxonomy)),
                None => wanted.within(context),
            }
        };
        self.wanted.iter().map(build).collect()
    }
}
