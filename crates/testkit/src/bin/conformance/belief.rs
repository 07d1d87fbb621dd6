//! Bayes-optimal analysis.

use indistinct_diagnostics::Coded;
use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::Rational;
use indistinct_core::belief::{Belief, BeliefError, Block, BlockBeliefs, Limits, Prior};
use serde_json::{Value, json};

use super::input::{exact, names, text};

/// Assigns numbers to names in order of first appearance.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        let at = self.0.iter().position(|known| known == name).unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        });
        at as u32
    }
}

fn prior(joint: &Value, people: &mut Names, values: &mut Names) -> Prior {
    let cells = joint.as_array().into_iter().flatten();
    let weights: Vec<_> = cells
        .map(|cell| {
            (people.number(&text(&cell[0])), values.number(&text(&cell[1])), exact(&cell[2]))
        })
        .collect();
    Prior::new(weights)
}

fn counts(pairs: impl IntoIterator<Item = (u32, u64)>) -> Vec<u64> {
    let mut counts = Vec::new();
    for (value, count) in pairs {
        let at = value as usize;
        counts.resize(counts.len().max(at + 1), 0);
        counts[at] += count;
    }
    counts
}

/// Returns the belief in each sensitive value of a person; sensitive values with prior probability
/// 0 are omitted.
fn believed(
    prior: &Prior,
    block: &Block,
    person: u32,
    limits: &Limits,
) -> Result<BTreeMap<u32, Belief>, BeliefError> {
    Ok(BlockBeliefs::new(prior, block, limits)?.of(person)?.into_iter().collect())
}

pub fn observed(input: &Value) -> Value {
    let given = &input["params"];
    let (mut people, mut values) = (Names::default(), Names::default());
    let prior = prior(&given["joint"], &mut people, &mut values);
    let stated = given["counts"].as_object().into_iter().flatten();
    let pairs: Vec<(u32, u64)> =
        stated.map(|(s, n)| (values.number(s), n.as_u64().unwrap_or(0))).collect();
    let covers: Vec<u32> = names(&given["block"]).iter().map(|q| people.number(q)).collect();
    let block = Block::of_counts(&covers, &counts(pairs));
    let person = people.number(&text(&given["q"]));
    let value = values.number(&text(&given["s"]));
    let half = Rational::new(1, 2);
    let limits = Limits { delta: half, epsilon: half, rho1: half, rho2: half };
    match believed(&prior, &block, person, &limits) {
        Ok(beliefs) => {
            let belief = beliefs.get(&value);
            let (prior, posterior) = belief.map_or((0.0, 0.0), |it| (it.prior, it.posterior));
            json!({ "prior": prior, "posterior": posterior })
        }
        Err(error) => json!({ "error": error.code() }),
    }
}

pub fn disclosure(input: &Value) -> Value {
    let given = &input["params"];
    let (mut people, mut sensitive_values) = (Names::default(), Names::default());
    let prior = prior(&given["joint"], &mut people, &mut sensitive_values);
    let columns = names(&input["table"]["columns"]);
    let at = |name: &str| columns.iter().position(|column| column == name).expect("Q and S");
    let (q_at, s_at) = (at("Q"), at("S"));
    let rows: Vec<(String, String)> = input["table"]["rows"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| (text(&row[q_at]), text(&row[s_at])))
        .collect();
    let limits = Limits {
        delta: exact(&given["delta"]),
        epsilon: exact(&given["epsilon"]),
        rho1: exact(&given["rho1"]),
        rho2: exact(&given["rho2"]),
    };
    let is_excluded = limits.epsilon > Rational::from_integer(0);
    let excluded = Belief {
        prior: 0.0,
        posterior: 0.0,
        was_sure: false,
        was_excluded: is_excluded,
        is_sure: false,
        is_excluded,
        is_breach: false,
    };
    let values = names(&given["values"]);
    let mut pairs: Vec<Value> = Vec::new();
    for class in given["classes"].as_array().into_iter().flatten().map(names) {
        let inside: Vec<&(String, String)> =
            rows.iter().filter(|row| class.contains(&row.0)).collect();
        let covers: Vec<u32> = class.iter().map(|q| people.number(q)).collect();
        let shown = inside.iter().map(|row| (sensitive_values.number(&row.1), 1));
        let block = Block::of_counts(&covers, &counts(shown.collect::<Vec<_>>()));
        let present: BTreeSet<&String> = inside.iter().map(|row| &row.0).collect();
        for q in present {
            let beliefs = match believed(&prior, &block, people.number(q), &limits) {
                Ok(beliefs) => beliefs,
                Err(error) => return json!({ "error": error.code() }),
            };
            for s in &values {
                let belief = beliefs.get(&sensitive_values.number(s)).unwrap_or(&excluded);
                let has =
                    |wanted: bool| inside.iter().any(|row| row.0 == *q && (row.1 == *s) == wanted);
                pairs.push(json!({
                    "q": q,
                    "s": s,
                    "prior": belief.prior,
                    "posterior": belief.posterior,
                    "positive": belief.is_sure && has(true),
                    "negative": belief.is_excluded && has(false),
                    "rho_breach": belief.is_breach,
                }));
            }
        }
    }
    let any = |key: &str| pairs.iter().any(|pair| pair[key] == true);
    json!({
        "positive": any("positive"),
        "negative": any("negative"),
        "rho_breach": any("rho_breach"),
        "pairs": pairs,
    })
}
