//! Risk where a table is a sample, and where rows are not people: what `profile` says beside the sizes of classes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use indistinct_columns::suda;
use indistinct_columns::uniques;
use indistinct_core::{FrequencyTable, Observer};
use indistinct_engine::output::{CountedInput, each_row};
use indistinct_engine::{CountRequest, Counted, Engine, Input, InputSpec};
use indistinct_language::words;
use indistinct_measure::population::household::{self, HouseholdRisk};
use indistinct_measure::population::individual::{self, IndividualRisk};
use indistinct_measure::population::k_map::{self, KMap};
use indistinct_measure::population::uniqueness::{self, Sample, Uniqueness};
use indistinct_release::engine;
use serde::Serialize;

use crate::engines;
use crate::error::Error;
use crate::given;

/// What is known of the population that a table is a sample of, and what else is asked of its rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PopulationOptions {
    /// The column of survey weights: how many people a row stands for.
    pub weights: Option<String>,
    /// The share of the population that is in the table, above 0 and at most 1.
    pub sampling_fraction: Option<f64>,
    /// A table of the population, with the quasi-identifiers under the same names.
    pub population: Option<PathBuf>,
    /// The column that says who lives together.
    pub household: Option<String>,
    /// Whether the risk of each row is wanted, for the holder's eyes.
    pub of_rows: OfRows,
}

/// Whether the risk of each row is wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OfRows {
    /// In total alone.
    #[default]
    LeftOut,
    /// Of each row, in the order of the table.
    Listed,
}

impl PopulationOptions {
    pub(crate) fn is_asked(&self) -> bool {
        let Self { weights, sampling_fraction, population, household, of_rows } = self;
        let is_given = weights.is_some() || population.is_some() || household.is_some();
        is_given || sampling_fraction.is_some() || *of_rows == OfRows::Listed
    }
}

/// Risk where the table is a sample, or rows are not people.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PopulationRisk {
    /// People who are unique in the population, estimated from the sampling fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniqueness: Option<Uniqueness>,
    /// The risk of rows by survey weights or the sampling fraction (Benedetti and Franconi).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub individual: Option<IndividualRisk>,
    /// The same where a household is found if any of its members is; without weights by the sizes of classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub household: Option<HouseholdRisk>,
    /// What the table of the population says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k_map: Option<KMap>,
    /// Rows that combinations of quasi-identifiers single out.
    pub special_uniques: SpecialUniques,
    /// Of each row, where asked for; not part of the answer in JSON.
    #[serde(skip)]
    pub rows: Vec<RowRisk>,
}

/// Rows that combinations of quasi-identifiers single out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpecialUniques {
    /// Rows that are alone with all quasi-identifiers.
    pub n_unique: u64,
    /// Those of them that fewer quasi-identifiers single out as well.
    pub n_special: u64,
    /// The estimated probability that a match with a unique row is right (DIS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dis: Option<f64>,
    /// The highest such probability of a row (DIS-SUDA).
    pub highest_dis_suda: f64,
    /// The sampling fraction that both are reckoned with.
    pub sampling_fraction: f64,
    /// For each quasi-identifier its share of all scores; shares overlap.
    pub contributions: BTreeMap<String, f64>,
    /// The largest sets of quasi-identifiers that were looked at.
    pub depth: usize,
}

/// The risk of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowRisk {
    /// Rows of its class.
    pub class_rows: u64,
    /// People of the population that its class stands for, as far as is known.
    pub class_people: Option<f64>,
    /// The probability that it is re-identified: by weights or the sampling fraction, else 1 by the rows of its class.
    pub risk: f64,
    /// That of its household.
    pub household_risk: Option<f64>,
    /// Its SUDA score.
    pub suda: f64,
    /// Its DIS-SUDA score.
    pub dis_suda: f64,
}

/// A table whose quasi-identifiers are counted: each tuple is a class.
struct Classes<'a> {
    input: &'a Input,
    counted: &'a Counted,
    observer: &'a dyn Observer,
}

impl Classes<'_> {
    fn table(&self) -> &FrequencyTable {
        &self.counted.table
    }

    /// The class of each row and what `f` makes of a column, in the order of the table.
    fn column<T>(
        &self,
        column: &str,
        mut f: impl FnMut(&str) -> T,
    ) -> Result<Vec<(u32, T)>, Error> {
        let columns = self.input.columns();
        if columns.iter().all(|it| it.name != column) {
            let known = columns.iter().map(|it| it.name.clone()).collect();
            return Err(Error::NoSuchColumn { name: column.to_owned(), known });
        }
        let source = CountedInput { input: self.input, fingerprint: &self.counted.fingerprint };
        let mut rows = Vec::with_capacity(self.table().n_rows() as usize);
        each_row(&source, self.table(), column, self.observer, |class, text| {
            rows.push((class, f(text)));
        })?;
        Ok(rows)
    }

    /// Whom the rows are about by a column: a number for each of its values, and one of its own for a row without.
    fn named(&self, column: &str) -> Result<Vec<(u32, u32)>, Error> {
        let mut number_of: BTreeMap<String, u32> = BTreeMap::new();
        let mut next = 0;
        self.column(column, |text| {
            let text = text.trim();
            let known = number_of.get(text).copied().filter(|_| !text.is_empty());
            known.unwrap_or_else(|| {
                next += 1;
                number_of.insert(text.to_owned(), next - 1);
                next - 1
            })
        })
    }

    /// The sum of the weights of each class.
    fn weighed(&self, column: &str) -> Result<Vec<f64>, Error> {
        let mut sums = vec![0.0; self.table().n_tuples()];
        let mut n_rows = 0;
        for (class, weight) in self.column(column, |text| text.trim().parse::<f64>().ok())? {
            match weight.filter(|weight| weight.is_finite() && *weight > 0.0) {
                Some(weight) => sums[class as usize] += weight,
                None => n_rows += 1,
            }
        }
        match n_rows {
            0 => Ok(sums),
            n_rows => Err(Error::RowWeights { column: column.to_owned(), n_rows }),
        }
    }
}

/// What k is where the values of a column say whom rows are about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PeopleFacts {
    /// The column.
    pub column: String,
    /// What it names: `person` or `household`.
    pub unit: &'static str,
    /// How many there are.
    pub n_people: u64,
    /// The most rows of one of them.
    pub most_rows: u64,
    /// The fewest of them in a class; `None` for an empty table.
    pub k: Option<u64>,
}

/// Counts the people of each class by a column.
///
/// # Errors
/// [`Error`] if the table has no such column, or cannot be read again.
pub(crate) fn people(
    input: &Input,
    counted: &Counted,
    column: &str,
    unit: &'static str,
    observer: &dyn Observer,
) -> Result<PeopleFacts, Error> {
    let mut rows = Classes { input, counted, observer }.named(column)?;
    let mut rows_of: BTreeMap<u32, u64> = BTreeMap::new();
    rows.iter().for_each(|(_, person)| *rows_of.entry(*person).or_insert(0) += 1);
    rows.sort_unstable();
    rows.dedup();
    let k = rows.chunk_by(|a, b| a.0 == b.0).map(|class| class.len() as u64).min();
    Ok(PeopleFacts {
        column: column.to_owned(),
        unit,
        n_people: rows_of.len() as u64,
        most_rows: rows_of.into_values().max().unwrap_or(0),
        k,
    })
}

/// The risk of a table as a sample; `None` where nothing is asked. The table was counted by its quasi-identifiers alone.
///
/// # Errors
/// [`Error`] if a column or the population is not as asked, or cannot be read.
pub(crate) fn risk(
    input: &Input,
    counted: &Counted,
    options: &PopulationOptions,
    observer: &dyn Observer,
) -> Result<Option<PopulationRisk>, Error> {
    if !options.is_asked() {
        return Ok(None);
    }
    let classes = Classes { input, counted, observer };
    let table = classes.table();
    let (n_rows, counts) = (table.n_rows(), table.counts());
    let k_map = options.population.as_ref().map(|path| population(table, path, observer));
    let k_map = k_map.transpose()?.flatten();
    let weights = options.weights.as_ref().map(|column| classes.weighed(column)).transpose()?;
    let fraction = options
        .sampling_fraction
        .or_else(|| weights.as_ref().map(|sums| n_rows as f64 / sums.iter().sum::<f64>()))
        .or_else(|| k_map.map(|it| n_rows as f64 / it.n_people as f64))
        .filter(|fraction| *fraction > 0.0 && n_rows > 0)
        .map(|fraction| fraction.min(1.0));
    // Each row stands for as many as its weight says, or as the sampling fraction says of all.
    let people: Option<Vec<f64>> = weights.or_else(|| {
        let fraction = fraction?;
        Some(counts.iter().map(|count| *count as f64 / fraction).collect())
    });
    let risks: Vec<f64> = match &people {
        Some(people) => counts
            .iter()
            .zip(people)
            .map(|(&rows, &people)| individual::risk(rows, people))
            .collect(),
        None => counts.iter().map(|count| 1.0 / *count as f64).collect(),
    };
    let households = options.household.as_ref().map(|column| classes.named(column)).transpose()?;
    let of_rows: Option<Vec<(u32, f64)>> = households.map(|rows| {
        rows.into_iter().map(|(class, household)| (household, risks[class as usize])).collect()
    });
    let columns: Vec<&[u32]> =
        table.quasi_identifiers().iter().map(|column| &column.codes[..]).collect();
    let dis_fraction = fraction.unwrap_or(suda::USUAL_FRACTION);
    let scored = suda::suda(&columns, counts, uniques::MOST_COLUMNS, uniques::BUDGET, dis_fraction);
    let mut class_sizes = BTreeMap::new();
    counts.iter().for_each(|count| *class_sizes.entry(*count).or_insert(0) += 1);
    let rows = match options.of_rows {
        OfRows::LeftOut => Vec::new(),
        OfRows::Listed => {
            let household_risks = of_rows.as_deref().map(household::of_rows);
            let first = input.columns().first().map_or("", |column| &column.name);
            let class_of = classes.column(first, |_| ())?;
            let row = |(at, (class, ())): (usize, (u32, ()))| {
                let class = class as usize;
                RowRisk {
                    class_rows: counts[class],
                    class_people: people.as_ref().map(|people| people[class]),
                    risk: risks[class],
                    household_risk: household_risks.as_ref().map(|risks| risks[at]),
                    suda: scored.scores[class],
                    dis_suda: scored.dis_scores[class],
                }
            };
            class_of.into_iter().enumerate().map(row).collect()
        }
    };
    let names = table.quasi_identifiers().iter().map(|column| column.name.clone());
    Ok(Some(PopulationRisk {
        uniqueness: fraction
            .and_then(|fraction| uniqueness::estimate(&Sample { class_sizes, fraction })),
        individual: people
            .and_then(|people| individual::of_classes(counts.iter().copied().zip(people))),
        household: of_rows.as_deref().and_then(household::of_all),
        k_map,
        special_uniques: SpecialUniques {
            n_unique: scored.n_unique,
            n_special: scored.n_special,
            dis: scored.dis,
            highest_dis_suda: scored.dis_scores.iter().copied().fold(0.0, f64::max),
            sampling_fraction: dis_fraction,
            contributions: names.zip(scored.of_column).collect(),
            depth: scored.depth,
        },
        rows,
    }))
}

/// What a table of the population says of the classes.
fn population(
    table: &FrequencyTable,
    path: &std::path::Path,
    observer: &dyn Observer,
) -> Result<Option<KMap>, Error> {
    let spec = InputSpec { path: path.to_owned(), ..InputSpec::default() };
    let (input, _) = given::open(engines::of_process().as_ref(), &spec)?;
    let names: Vec<String> =
        table.quasi_identifiers().iter().map(|column| column.name.clone()).collect();
    let has = |name: &&String| input.columns().iter().any(|column| column.name == **name);
    let missing: Vec<String> = names.iter().filter(|name| !has(name)).cloned().collect();
    if !missing.is_empty() {
        return Err(Error::PopulationColumns { missing });
    }
    let request = CountRequest { quasi_identifiers: names, ..CountRequest::default() };
    let people = engine().count(&input, &request, observer)?.table;
    let values = |of: &FrequencyTable, tuple: usize| -> Vec<String> {
        let columns = of.quasi_identifiers().iter();
        columns.map(|it| it.dictionary.value(it.codes[tuple]).to_owned()).collect()
    };
    let fitting: BTreeMap<Vec<String>, u64> =
        (0..people.n_tuples()).map(|at| (values(&people, at), people.counts()[at])).collect();
    let classes: Vec<(u64, u64)> = (0..table.n_tuples())
        .map(|at| (table.counts()[at], fitting.get(&values(table, at)).copied().unwrap_or(0)))
        .collect();
    Ok(k_map::k_map(&classes, people.n_rows()))
}

/// What was found, in sentences.
pub fn sentences(risk: &PopulationRisk) -> Vec<String> {
    let mut said = risk.uniqueness.as_ref().map_or(Vec::new(), Uniqueness::sentences);
    if let Some(found) = &risk.individual {
        said.push(format!(
            "Individual risk: {} of the rows are expected to be re-identified ({}); the highest risk of a row is {}.",
            words::percent(found.expected_fraction),
            words::number(found.expected_rows),
            words::percent(found.max)
        ));
    }
    if let Some(found) = &risk.household {
        said.push(format!(
            "Household risk: with {}, of which one is found if any member is, {} of the rows; the highest is {}.",
            words::counted(found.n_households, "household", "households"),
            words::percent(found.expected_fraction),
            words::percent(found.max)
        ));
    }
    if let Some(found) = &risk.k_map {
        said.push(match found.n_rows_of_nobody {
            0 => format!(
                "k-map: every combination is that of at least {} of the population; the journalist's risk is at most {}.",
                words::people(found.k),
                words::percent(found.journalist_max.unwrap_or(1.0))
            ),
            n => format!(
                "k-map: {} nobody in the population, so that it is not that of the table, or other values are written in it.",
                words::counted(n, "row fits", "rows fit")
            ),
        });
    }
    let uniques = &risk.special_uniques;
    let mut text = format!(
        "Special uniques: of {} alone with all quasi-identifiers, fewer of them single out {}.",
        words::rows(uniques.n_unique),
        words::thousands(uniques.n_special)
    );
    if let Some(dis) = uniques.dis {
        text += &format!(
            " A match with one of them is right with a probability of {} (DIS), with the most special one of {} (DIS-SUDA), at a sampling fraction of {}.",
            words::percent(dis),
            words::percent(uniques.highest_dis_suda),
            words::percent(uniques.sampling_fraction)
        );
    }
    said.push(text);
    let mut contributions: Vec<(&String, &f64)> = uniques.contributions.iter().collect();
    contributions.sort_by(|a, b| b.1.total_cmp(a.1).then(a.0.cmp(b.0)));
    let each: Vec<String> = contributions
        .iter()
        .take(5)
        .filter(|(_, share)| **share > 0.0)
        .map(|(name, share)| format!("{name} {}", words::percent(**share)))
        .collect();
    if !each.is_empty() {
        said.push(format!("What singles out, by the share of all scores: {}.", words::list(&each)));
    }
    said
}
