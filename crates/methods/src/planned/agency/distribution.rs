//! The distribution for a plan, from earlier data or from a table of counts or probabilities.

use indistinct_core::model::{CountedColumn, parse_decimal};
use indistinct_core::{Dictionary, FrequencyTable, MISSING, Observer, Rational, Role};
use indistinct_engine::{CountRequest, Engine, Input, InputSpec};
use indistinct_linkage::LinkageError;
use indistinct_linkage::planned::Joint;
use indistinct_release::plan::hexadecimal;
use num_traits::{CheckedMul, Signed, ToPrimitive, Zero};
use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

use super::request::{Cover, Dependence, Domain, Request};
use crate::bound::BoundPolicy;
use crate::error::Error;
use crate::planned::PlanProblem;

/// The source of the distribution for a plan.
#[derive(Debug)]
pub enum Source<'a> {
    /// Earlier data with columns described by a policy.
    Earlier {
        /// The policy with its table.
        bound: &'a BoundPolicy,
        /// The sensitive attribute; may be omitted if the policy has only one.
        sensitive: Option<&'a str>,
    },
    /// A table of counts or probabilities.
    Weighted {
        /// The path of the table and the roles of its columns.
        table: &'a WeightedTable,
        /// The engine that opens the table.
        engine: &'a dyn Engine,
    },
}

/// A table with one line for each combination and sensitive value.
#[derive(Debug, Clone)]
pub struct WeightedTable {
    /// The path of the table and its input options.
    pub input: InputSpec,
    /// The column of the sensitive attribute.
    pub sensitive: String,
    /// The columns of the quasi-identifiers; if empty, all other columns.
    pub quasi_identifiers: Vec<String>,
    /// The column with the weight of each line.
    pub weight: Weight,
}

/// The column with the weight of each line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Weight {
    /// Integer numbers of rows.
    Count(String),
    /// Probabilities that sum to 1.
    Probability(String),
}

/// A quasi-identifier of a distribution.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) values: Vec<String>,
    /// The rank of each value in the order that defines neighboring values.
    pub(super) places: Vec<u32>,
    /// The value of each combination.
    pub(super) codes: Vec<u32>,
}

/// The weight of each combination of quasi-identifiers with each sensitive value.
#[derive(Debug, Clone)]
pub(super) struct Distribution {
    pub(super) columns: Vec<Column>,
    pub(super) sensitive: String,
    /// All sensitive values, by code.
    pub(super) sensitive_values: Vec<String>,
    pub(super) joint: Joint,
    /// The number of counted rows; `None` for probabilities.
    pub(super) n_rows: Option<u64>,
}

impl Distribution {
    /// Reads the distribution, and the digest of the counted distribution before missing
    /// combinations are added.
    pub(super) fn read(
        source: &Source<'_>,
        cover: &Cover,
        observer: &dyn Observer,
    ) -> Result<(Self, String), Error> {
        let (distribution, digest) = match source {
            Source::Earlier { bound, sensitive } => of_earlier(bound, *sensitive, cover, observer)?,
            Source::Weighted { table, engine } => of_weighted(*engine, table, cover, observer)?,
        };
        Ok(match cover {
            Cover::Occurring => (distribution, digest),
            Cover::All(_) => (distribution.with_all_combinations()?, digest),
        })
    }

    /// Extends the distribution to all combinations of the column values, in the order of the
    /// values. Added combinations have probability 0.
    fn with_all_combinations(self) -> Result<Self, PlanProblem> {
        let sizes: Vec<usize> = self.columns.iter().map(|column| column.values.len()).collect();
        let n = sizes.iter().try_fold(1usize, |n, &size| n.checked_mul(size));
        let n = n.filter(|n| *n <= MOST_COMBINATIONS).ok_or_else(|| {
            let sizes = self.columns.iter().zip(&sizes);
            PlanProblem::TooManyCombinations {
                sizes: sizes.map(|(column, &size)| (column.name.clone(), size as u64)).collect(),
                limit: MOST_COMBINATIONS as u64,
            }
        })?;
        let mut entries = Vec::with_capacity(self.joint.n_cells());
        for combination in 0..self.joint.n_combinations() {
            let codes = self.columns.iter().map(|column| column.codes[combination] as usize);
            let rank = codes.zip(&sizes).fold(0, |rank, (code, size)| rank * size + code);
            let cells = self.joint.cells(combination);
            entries.extend(cells.map(|(sensitive, weight)| (rank as u32, sensitive, weight)));
        }
        let joint = Joint::of_counts(n, self.joint.n_sensitive_values(), &entries)?;
        let mut below = n;
        let columns = self.columns.into_iter().zip(sizes).map(|(column, size)| {
            below /= size;
            let code = |rank: usize| (rank / below % size) as u32;
            Column { codes: (0..n).map(code).collect(), ..column }
        });
        Ok(Self { columns: columns.collect(), joint, ..self })
    }

    /// Returns the confidence level of the bounds that replace the probabilities, or `None` if the
    /// probabilities are the distribution itself or the joint distribution was not counted.
    pub(super) fn confidence(&self, request: &Request) -> Option<Rational> {
        let is_counted = self.n_rows.is_some() && request.dependence == Dependence::Dependent;
        request.confidence.filter(|_| is_counted)
    }

    /// Returns the confidence level that the plan states. Combinations that were selected because
    /// they occur in the counted rows are more frequent in these rows than in the distribution, so
    /// the bounds do not hold for them.
    pub(super) fn stated_confidence(&self, request: &Request) -> Option<Rational> {
        self.confidence(request).filter(|_| request.cover != Cover::Occurring)
    }

    /// Returns the SHA-256 of the distribution, in hexadecimal digits. Combinations are hashed in
    /// the order of their values.
    pub(super) fn digest(&self) -> String {
        let mut hash = Sha256::new();
        let mut text = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        };
        text("indistinct: a distribution, format 1");
        for column in &self.columns {
            text(&column.name);
            text(&column.values.len().to_string());
            column.values.iter().for_each(|value| text(value));
        }
        text(&self.sensitive);
        text(&self.sensitive_values.len().to_string());
        self.sensitive_values.iter().for_each(|value| text(value));
        text(&self.joint.total().to_string());
        let mut bytes = Vec::new();
        for combination in 0..self.joint.n_combinations() {
            bytes.clear();
            for column in &self.columns {
                bytes.extend(column.codes[combination].to_le_bytes());
            }
            for (sensitive, weight) in self.joint.cells(combination) {
                bytes.extend(sensitive.to_le_bytes());
                bytes.extend(weight.to_le_bytes());
            }
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(&bytes);
        }
        hexadecimal(&hash.finalize())
    }

    /// Returns the distribution with the same marginals in which sensitive values are independent
    /// of quasi-identifiers.
    pub(super) fn independent(&self) -> Result<Self, PlanProblem> {
        let (n, n_sensitive_values) =
            (self.joint.n_combinations(), self.joint.n_sensitive_values());
        let of_value = self.joint.weights_in(0..n);
        let mut entries = Vec::with_capacity(n * n_sensitive_values);
        for combination in 0..n {
            let own: u64 = self.joint.cells(combination).map(|cell| cell.1).sum();
            for (sensitive, &weight) in of_value.iter().enumerate() {
                let both = own.checked_mul(weight).ok_or(LinkageError::TooLarge)?;
                entries.push((combination as u32, sensitive as u32, both));
            }
        }
        let joint = Joint::of_counts(n, n_sensitive_values, &entries)?;
        Ok(Self { joint, ..self.clone() })
    }

    /// Returns the distribution with reordered combinations: position i contains combination
    /// `order[i]`.
    pub(super) fn reordered(&self, order: &[u32]) -> Self {
        let joint = self.joint.reordered(order);
        let column = |column: &Column| Column {
            codes: order.iter().map(|&at| column.codes[at as usize]).collect(),
            ..column.clone()
        };
        Self { columns: self.columns.iter().map(column).collect(), joint, ..self.clone() }
    }
}

/// The maximum number of combinations in a plan that covers all combinations.
const MOST_COMBINATIONS: usize = 1_000_000;

/// Returns the SHA-256 of the distribution of a table, equal to the result of
/// [`Distribution::digest`].
pub(crate) fn digest_of(table: &FrequencyTable, sensitive: &str) -> Option<String> {
    let column = &table.sensitive()[table.sensitive_index(sensitive)?];
    let places = vec![Vec::new(); table.quasi_identifiers().len()];
    Some(counted(table, places, column).ok()?.digest())
}

/// Adds possible values to the quasi-identifiers of a table.
fn extended(table: &FrequencyTable, more: impl Fn(&str) -> Vec<String>) -> FrequencyTable {
    let column = |column: &CountedColumn| {
        let mut values = column.dictionary.values().to_vec();
        let mut known: FxHashSet<String> = values.iter().cloned().collect();
        values.extend(more(&column.name).into_iter().filter(|value| known.insert(value.clone())));
        let (dictionary, place) = Dictionary::from_distinct(values);
        let codes = column.codes.iter().map(|&code| place[code as usize]).collect();
        CountedColumn { name: column.name.clone(), dictionary, codes }
    };
    let columns = table.quasi_identifiers().iter().map(column).collect();
    FrequencyTable::new(columns, table.sensitive().to_vec(), table.counts().to_vec())
        .expect("a table with longer dictionaries is valid")
}

/// Returns the values that are declared for a column.
fn declared(domains: &[Domain], column: &str) -> Vec<String> {
    let own = domains.iter().filter(|domain| domain.column == column);
    own.flat_map(|domain| domain.values.iter().cloned()).collect()
}

fn check_domains(cover: &Cover, table: &FrequencyTable) -> Result<(), PlanProblem> {
    let Cover::All(domains) = cover else { return Ok(()) };
    let is_one = |name: &str| table.quasi_identifiers().iter().any(|column| column.name == name);
    match domains.iter().find(|domain| !is_one(&domain.column)) {
        Some(domain) => Err(PlanProblem::NoColumn { column: domain.column.clone() }),
        None => Ok(()),
    }
}

/// Ranks values in dictionary order.
fn in_order(dictionary: &Dictionary) -> Vec<u32> {
    (0..dictionary.len() as u32).collect()
}

fn of_earlier(
    bound: &BoundPolicy,
    sensitive: Option<&str>,
    cover: &Cover,
    observer: &dyn Observer,
) -> Result<(Distribution, String), Error> {
    let known = bound.names(Role::Sensitive);
    let sensitive = match (sensitive, known.as_slice()) {
        (Some(name), _) if known.iter().any(|known| known == name) => name.to_owned(),
        (None, [only]) => only.clone(),
        _ => return Err(PlanProblem::WhichSensitiveAttribute { known }.into()),
    };
    let mut table = bound.count(observer)?.table;
    let digest = digest_of(&table, &sensitive).ok_or(LinkageError::TooLarge);
    let digest = digest.map_err(PlanProblem::from)?;
    check_domains(cover, &table)?;
    if let Cover::All(domains) = cover {
        table = extended(&table, |name| {
            let rule = bound.rules.iter().find(|(of, _)| of == name);
            let listed = rule.map_or(&[][..], |(_, rule)| rule.listed()).iter().cloned();
            listed.chain(declared(domains, name)).collect()
        });
    }
    let at = table.sensitive_index(&sensitive).expect("the sensitive attribute was counted");
    let hierarchies = bound.hierarchies(&table)?;
    let places = hierarchies.iter().map(|hierarchy| {
        // Use the order of the hierarchy's leaves, in which values with a common label are close to
        // each other.
        let n = hierarchy.level(0).map.len();
        let path = |code: &u32| {
            let levels = (1..hierarchy.n_levels()).rev();
            let labels = levels.map(|level| hierarchy.level(level).map[*code as usize]);
            (labels.collect::<Vec<u32>>(), *code)
        };
        let mut codes: Vec<u32> = (0..n as u32).collect();
        codes.sort_by_cached_key(path);
        let mut places = vec![0; n];
        for (place, code) in codes.into_iter().enumerate() {
            places[code as usize] = place as u32;
        }
        places
    });
    let places = places.collect();
    Ok((counted(&table, places, &table.sensitive()[at])?, digest))
}

/// Returns the distribution of a table.
fn counted(
    table: &FrequencyTable,
    places: Vec<Vec<u32>>,
    sensitive: &CountedColumn,
) -> Result<Distribution, PlanProblem> {
    let weights = table.counts();
    let distribution = assemble(table, places, sensitive, |n, entries| {
        let counted: Vec<(u32, u32, u64)> =
            entries.iter().map(|entry| (entry.0, entry.1, weights[entry.2])).collect();
        Joint::of_counts(n, sensitive.dictionary.len(), &counted)
    })?;
    Ok(Distribution { n_rows: Some(table.n_rows()), ..distribution })
}

/// Numbers the combinations of a table; `joint` computes weights from (combination, sensitive
/// value, tuple).
fn assemble(
    table: &FrequencyTable,
    places: Vec<Vec<u32>>,
    sensitive: &CountedColumn,
    joint: impl FnOnce(usize, &[(u32, u32, usize)]) -> Result<Joint, LinkageError>,
) -> Result<Distribution, PlanProblem> {
    let groups = table.groups();
    let (mut entries, mut first) = (Vec::with_capacity(table.n_tuples()), Vec::new());
    for (combination, tuples) in groups.iter().enumerate() {
        first.push(tuples.start);
        entries.extend(tuples.map(|tuple| (combination as u32, sensitive.codes[tuple], tuple)));
    }
    let columns = table.quasi_identifiers().iter().zip(places).map(|(column, places)| Column {
        name: column.name.clone(),
        values: column.dictionary.values().to_vec(),
        places,
        codes: first.iter().map(|&tuple| column.codes[tuple]).collect(),
    });
    Ok(Distribution {
        columns: columns.collect(),
        sensitive: sensitive.name.clone(),
        sensitive_values: sensitive.dictionary.values().to_vec(),
        joint: joint(groups.len(), &entries)?,
        n_rows: None,
    })
}

/// Returns the quasi-identifiers of a table with weights, and its weight column.
fn columns_of_weighted<'a>(
    weighted: &'a WeightedTable,
    input: &Input,
) -> Result<(Vec<String>, &'a String), Error> {
    let names: Vec<String> = input.columns().iter().map(|column| column.name.clone()).collect();
    let (Weight::Count(weight) | Weight::Probability(weight)) = &weighted.weight;
    let quasi_identifiers = match weighted.quasi_identifiers.as_slice() {
        [] => {
            let others =
                names.iter().filter(|name| **name != weighted.sensitive && *name != weight);
            others.cloned().collect()
        }
        named => named.to_vec(),
    };
    let needed = quasi_identifiers.iter().chain([&weighted.sensitive, weight]);
    if let Some(column) = needed.into_iter().find(|name| !names.contains(name)) {
        return Err(PlanProblem::NoColumn { column: column.clone() }.into());
    }
    if quasi_identifiers.is_empty() {
        return Err(PlanProblem::from(LinkageError::NoCombinations).into());
    }
    Ok((quasi_identifiers, weight))
}

/// Parses the distinct weights of a table; the weight column is last.
fn parsed_weights(table: &FrequencyTable, kind: &Weight) -> Result<Vec<Option<Rational>>, Error> {
    let (what, is_count) = match kind {
        Weight::Count(_) => ("counts", true),
        Weight::Probability(_) => ("probabilities", false),
    };
    let weights = &table.sensitive()[1];
    let parsed: Vec<Option<Rational>> = weights
        .dictionary
        .values()
        .iter()
        .map(|text| {
            let number = parse_decimal(text).ok().filter(|_| text != MISSING)?;
            let is_one = !number.is_negative() && (!is_count || number.is_integer());
            is_one.then_some(number)
        })
        .collect();
    let rows = weights.codes.iter().zip(table.counts());
    let n_rows =
        rows.filter(|(code, _)| parsed[**code as usize].is_none()).map(|(_, count)| count).sum();
    if n_rows > 0 {
        let column = weights.name.clone();
        return Err(PlanProblem::NotWeights { column, n_rows, what }.into());
    }
    Ok(parsed)
}

fn of_weighted(
    engine: &dyn Engine,
    weighted: &WeightedTable,
    cover: &Cover,
    observer: &dyn Observer,
) -> Result<(Distribution, String), Error> {
    let input = engine.open(&weighted.input)?;
    let (quasi_identifiers, weight) = columns_of_weighted(weighted, &input)?;
    let request = CountRequest {
        quasi_identifiers,
        sensitive: vec![weighted.sensitive.clone(), weight.clone()],
        ..CountRequest::default()
    };
    let table = engine.count(&input, &request, observer)?.table;
    // The columns are in the order of the request.
    let sensitive = &table.sensitive()[0];
    let parsed = parsed_weights(&table, &weighted.weight)?;
    let is_count = matches!(weighted.weight, Weight::Count(_));
    // A line may occur several times.
    let of = |table: &FrequencyTable, tuple: usize| {
        let code = table.sensitive()[1].codes[tuple];
        let number = parsed[code as usize].unwrap_or_else(Rational::zero);
        let times = Rational::from_integer(i128::from(table.counts()[tuple]));
        number.checked_mul(&times).ok_or(LinkageError::TooLarge)
    };
    check_domains(cover, &table)?;
    let n_sensitive_values = sensitive.dictionary.len();
    let assembled = |table: &FrequencyTable| {
        let places = table.quasi_identifiers().iter().map(|it| in_order(&it.dictionary)).collect();
        assemble(table, places, &table.sensitive()[0], |n, entries| {
            if is_count {
                let counted = entries.iter().map(|&(combination, sensitive, tuple)| {
                    let count =
                        of(table, tuple)?.to_integer().to_u64().ok_or(LinkageError::TooLarge)?;
                    Ok((combination, sensitive, count))
                });
                let counted = counted.collect::<Result<Vec<_>, _>>()?;
                Joint::of_counts(n, n_sensitive_values, &counted)
            } else {
                let entries = entries.iter().map(|&(combination, sensitive, tuple)| {
                    Ok((combination, sensitive, of(table, tuple)?))
                });
                let entries = entries.collect::<Result<Vec<_>, LinkageError>>()?;
                Joint::of_probabilities(n, n_sensitive_values, &entries)
            }
        })
    };
    let mut distribution = assembled(&table)?;
    let digest = distribution.digest();
    if let Cover::All(domains) = cover {
        distribution = assembled(&extended(&table, |name| declared(domains, name)))?;
    }
    distribution.n_rows = is_count.then(|| distribution.joint.total());
    Ok((distribution, digest))
}
