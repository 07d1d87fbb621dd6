//! Risk where a table is a sample, and where rows are not people: what `profile` says beside the sizes of classes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indistinct_core::{FrequencyTable, Hierarchy};
use indistinct_diagnostics::words;
use indistinct_engine::output::{CountedInput, each_row};
use indistinct_engine::{CountRequest, CountedRows, Engine, Fingerprint, Input, InputSpec, placed};
use indistinct_measure::population::classes::{Classes, Known, k_map_of_release, k_map_of_table};
use indistinct_measure::population::household;
pub use indistinct_measure::population::sampled::SampleRisk;
use indistinct_methods::{BoundPolicy, Solution};
use indistinct_profiling::suda;
use indistinct_release::engine;
use indistinct_release::requirements::spec_of_population;
use serde::Serialize;

use crate::error::Error;
use crate::given;
use crate::policy::{PolicyFile, PopulationSection, Unit};
use crate::session::Session;

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
    pub(crate) fn is_requested(&self) -> bool {
        let Self { weights, sampling_fraction, population, household, of_rows } = self;
        let is_given = weights.is_some() || population.is_some() || household.is_some();
        is_given || sampling_fraction.is_some() || *of_rows == OfRows::Listed
    }

    /// With what a policy says of what is not asked otherwise.
    pub(crate) fn or_of(self, bound: &BoundPolicy) -> Self {
        let section = bound.file.population.as_ref();
        let of_people = bound.file.people.as_ref().filter(|it| it.unit() == Unit::Household);
        let column = |of: fn(&PopulationSection) -> &Option<String>| {
            section.and_then(|section| of(section).clone())
        };
        let path = || Some(placed(&bound.folder, section?.path.as_ref()?));
        let household = || {
            column(|section| &section.household).or_else(|| Some(of_people?.column().to_owned()))
        };
        Self {
            weights: self.weights.or_else(|| column(|section| &section.weights)),
            sampling_fraction: self.sampling_fraction.or_else(|| bound.file.sampling_fraction()),
            population: self.population.or_else(path),
            household: self.household.or_else(household),
            of_rows: self.of_rows,
        }
    }
}

/// Risk where the table is a sample, or rows are not people.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PopulationRisk {
    /// The estimates.
    #[serde(flatten)]
    pub sample: SampleRisk,
    /// Rows that combinations of quasi-identifiers single out.
    pub special_uniques: SpecialUniques,
    /// Of each row, where asked for; not part of the answer in JSON.
    #[serde(skip)]
    pub rows: Vec<RowRisk>,
}

/// The same of a table and of its release.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SampleBeforeAfter {
    /// By the quasi-identifiers as they were.
    pub before: SampleRisk,
    /// By the released classes; `None` where classes are not what the method makes. Where rows that are alike are in several classes, each
    /// counts as in the one with the highest risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<SampleRisk>,
}

/// Rows that combinations of quasi-identifiers single out.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SpecialUniques {
    /// Rows that are alone with all quasi-identifiers.
    pub n_unique: u64,
    /// Those of them that fewer quasi-identifiers single out as well; at least so many where not all sets were looked at.
    pub n_special: u64,
    /// The estimated probability that a match with a unique row is right (DIS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dis: Option<f64>,
    /// The highest such probability of a row (DIS-SUDA); null where not all sets were looked at.
    pub highest_dis_suda: Option<f64>,
    /// The sampling fraction that both are reckoned with.
    pub sampling_fraction: f64,
    /// For each quasi-identifier its share of all scores, by the sets that were looked at; shares overlap.
    pub contributions: BTreeMap<String, f64>,
    /// The largest sets of quasi-identifiers that were looked at: all sets were if there are no more quasi-identifiers.
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
    /// Its SUDA score, by the sets of quasi-identifiers that were looked at.
    pub suda: f64,
    /// Its DIS-SUDA score; `None` where not all sets were looked at.
    pub dis_suda: Option<f64>,
}

/// The rows of a counted table, and where they come from.
#[derive(Clone, Copy)]
struct Rows<'a> {
    input: &'a Input,
    fingerprint: &'a Fingerprint,
    table: &'a FrequencyTable,
    /// The policy of the table, if it has one: a table of the population is read as it says.
    policy: Option<&'a PolicyFile>,
    session: &'a Session,
}

impl Rows<'_> {
    /// The tuple of each row and what `f` makes of a column, in the order of the table.
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
        let source = CountedInput { input: self.input, fingerprint: self.fingerprint };
        let mut rows = Vec::with_capacity(self.table.n_rows() as usize);
        each_row(&source, self.table, column, self.session.observer(), |tuple, text| {
            rows.push((tuple, f(text)));
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

    /// The sum of the weights of each tuple.
    fn weighed(&self, column: &str) -> Result<Vec<f64>, Error> {
        let mut sums = vec![0.0; self.table.n_tuples()];
        let mut n_rows = 0;
        for (tuple, weight) in self.column(column, |text| text.trim().parse::<f64>().ok())? {
            match weight.filter(|weight| weight.is_finite() && *weight > 0.0) {
                Some(weight) => sums[tuple as usize] += weight,
                None => n_rows += 1,
            }
        }
        match n_rows {
            0 => Ok(sums),
            n_rows => Err(Error::RowWeights { column: column.to_owned(), n_rows }),
        }
    }

    /// What the asked columns and the table of the population say.
    fn read(&self, options: &PopulationOptions) -> Result<Known, Error> {
        let n_rows = self.table.n_rows() as f64;
        let people = options.population.as_deref().map(|path| self.people(path)).transpose()?;
        let weights = options.weights.as_ref().map(|column| self.weighed(column)).transpose()?;
        let households = options.household.as_ref().map(|column| self.named(column)).transpose()?;
        let fraction = options
            .sampling_fraction
            .or_else(|| weights.as_ref().map(|sums| n_rows / sums.iter().sum::<f64>()))
            .or_else(|| people.as_ref().map(|people| n_rows / people.n_rows() as f64))
            .filter(|fraction| fraction.is_finite() && *fraction > 0.0)
            .map(|fraction| fraction.min(1.0));
        Ok(Known { weights, households, people, fraction })
    }

    /// A table of the population, counted by the quasi-identifiers.
    fn people(&self, path: &Path) -> Result<FrequencyTable, Error> {
        let spec = match self.policy {
            None => InputSpec { path: path.to_owned(), ..InputSpec::default() },
            Some(policy) => spec_of_population(path, policy),
        };
        let (input, _) = given::open(&*self.session.engine(), &spec)?;
        let names: Vec<String> =
            self.table.quasi_identifiers().iter().map(|column| column.name.clone()).collect();
        let has = |name: &&String| input.columns().iter().any(|column| column.name == **name);
        let missing: Vec<String> = names.iter().filter(|name| !has(name)).cloned().collect();
        if !missing.is_empty() {
            return Err(Error::PopulationColumns { missing });
        }
        let request = CountRequest { quasi_identifiers: names, ..CountRequest::default() };
        Ok(engine().count(&input, &request, self.session.observer())?.table)
    }
}

/// What the policy of a release says of its population and of its households, estimated for the table and for the release. `None` where it
/// says nothing, or a database would have to be asked again that does not answer at once.
///
/// # Errors
/// [`Error`] if a column or the population is not as asked, or cannot be read.
pub(crate) fn of_release(
    session: &Session,
    solution: &Solution<'_>,
) -> Result<Option<SampleBeforeAfter>, Error> {
    let Solution { task, proposal, certified } = *solution;
    let (bound, prepared) = (task.bound, task.prepared);
    let options = PopulationOptions::default().or_of(bound);
    let answers = bound.input.table().is_none_or(|table| table.answers_at_once());
    if !options.is_requested() || !answers {
        return Ok(None);
    }
    let (table, fingerprint) = (prepared.original(), &prepared.counted.fingerprint);
    let policy = Some(&bound.file);
    let known = Rows { input: &bound.input, fingerprint, table, policy, session }.read(&options)?;
    let of_table = known.people.as_ref().and_then(|people| k_map_of_table(table, people));
    let before = Classes::of_table(table).risk(table, &known, of_table);
    // Noise makes classes by chance, and a version of a growing table has rows of nobody.
    let is_of_classes = certified.perturbed().is_none()
        && !certified.claims().principles.is_empty()
        && prepared.version().is_none();
    let after = certified.rows().filter(|_| is_of_classes).map(|(release, _)| {
        let of_people = known.people.as_ref().zip(proposal.follows_levels());
        let of_people = of_people.and_then(|(people, levels)| {
            // Where hierarchies do not have what is in the population, or have other levels for it (a mask has one for each character of
            // the longest value), it is not told.
            let columns = people.quasi_identifiers().iter().zip(&bound.rules);
            let of_table = prepared.policy.hierarchies.iter();
            let hierarchies: Option<Vec<Hierarchy>> = columns
                .zip(of_table)
                .map(|((column, (name, rule)), of_table)| {
                    let relaid = rule.resolve(name, &column.dictionary).ok()?;
                    (relaid.n_levels() == of_table.n_levels()).then_some(relaid)
                })
                .collect();
            k_map_of_release(release, &hierarchies?, levels, people)
        });
        Classes::of_release(release).risk(table, &known, of_people)
    });
    Ok(Some(SampleBeforeAfter { before, after }))
}

/// What k is where the values of a column say whom rows are about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
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
    session: &Session,
    input: &Input,
    counted: &CountedRows,
    column: &str,
    unit: &'static str,
) -> Result<PeopleFacts, Error> {
    let (table, fingerprint) = (&counted.table, &counted.fingerprint);
    let mut rows = Rows { input, fingerprint, table, policy: None, session }.named(column)?;
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
    session: &Session,
    input: &Input,
    counted: &CountedRows,
    policy: Option<&PolicyFile>,
    options: &PopulationOptions,
) -> Result<Option<PopulationRisk>, Error> {
    if !options.is_requested() {
        return Ok(None);
    }
    let (table, fingerprint) = (&counted.table, &counted.fingerprint);
    let source = Rows { input, fingerprint, table, policy, session };
    let known = source.read(options)?;
    let (classes, counts) = (Classes::of_table(table), table.counts());
    let sampled = classes.sampled(table, &known);
    let (people, risks) = (sampled.people(), sampled.risks());
    let households = classes.of_households(&risks, &known);
    let columns: Vec<&[u32]> =
        table.quasi_identifiers().iter().map(|column| &column.codes[..]).collect();
    let dis_fraction = known.fraction.unwrap_or(suda::USUAL_FRACTION);
    let scored = suda::suda(&columns, counts, suda::BUDGET, dis_fraction);
    let rows = match options.of_rows {
        OfRows::LeftOut => Vec::new(),
        OfRows::Listed => {
            let household_risks = households.as_deref().map(household::of_rows);
            let first = input.columns().first().map_or("", |column| &column.name);
            let class_of = source.column(first, |_| ())?;
            let row = |(at, (class, ())): (usize, (u32, ()))| {
                let class = class as usize;
                RowRisk {
                    class_rows: counts[class],
                    class_people: people.as_ref().map(|people| people[class]),
                    risk: risks[class],
                    household_risk: household_risks.as_ref().map(|risks| risks[at]),
                    suda: scored.scores[class],
                    dis_suda: scored.dis_scores.as_ref().map(|scores| scores[class]),
                }
            };
            class_of.into_iter().enumerate().map(row).collect()
        }
    };
    let names = table.quasi_identifiers().iter().map(|column| column.name.clone());
    Ok(Some(PopulationRisk {
        sample: sampled.risk(
            households.as_deref(),
            known.people.as_ref().and_then(|people| k_map_of_table(table, people)),
        ),
        special_uniques: SpecialUniques {
            n_unique: scored.n_unique,
            n_special: scored.n_special,
            dis: scored.dis,
            highest_dis_suda: scored.highest_dis(),
            sampling_fraction: dis_fraction,
            contributions: names.zip(scored.of_column).collect(),
            depth: scored.depth,
        },
        rows,
    }))
}

/// What was found, in sentences.
pub fn sentences(risk: &PopulationRisk) -> Vec<String> {
    let mut sentences = indistinct_text::sample_risk(&risk.sample);
    let uniques = &risk.special_uniques;
    let mut text = format!(
        "Special uniques: of {} alone with all quasi-identifiers, fewer of them single out {}{}.",
        words::rows(uniques.n_unique),
        if uniques.highest_dis_suda.is_none() { "at least " } else { "" },
        words::thousands(uniques.n_special)
    );
    if let Some(dis) = uniques.dis {
        let of_special = uniques.highest_dis_suda.map_or(String::new(), |highest| {
            format!(", with the most special one of {} (DIS-SUDA)", words::percent(highest))
        });
        text += &format!(
            " A match with one of them is right with a probability of {} (DIS){of_special}, at a sampling fraction of {}.",
            words::percent(dis),
            words::percent(uniques.sampling_fraction)
        );
    }
    if uniques.highest_dis_suda.is_none() {
        text += &format!(
            " Sets of more than {} were not looked at, there are too many: DIS-SUDA is unknown, and scores are too low by the terms of these sets.",
            words::counted(uniques.depth as u64, "quasi-identifier", "quasi-identifiers")
        );
    }
    sentences.push(text);
    let mut contributions: Vec<(&String, &f64)> = uniques.contributions.iter().collect();
    contributions.sort_by(|a, b| b.1.total_cmp(a.1).then(a.0.cmp(b.0)));
    let each: Vec<String> = contributions
        .iter()
        .take(5)
        .filter(|(_, share)| **share > 0.0)
        .map(|(name, share)| format!("{name} {}", words::percent(**share)))
        .collect();
    if !each.is_empty() {
        sentences
            .push(format!("What singles out, by the share of all scores: {}.", words::list(&each)));
    }
    sentences
}
