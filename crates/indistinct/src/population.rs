//! Risks that `profile` reports in addition to class sizes, for tables that are samples of a
//! population or whose rows do not correspond to people.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indistinct_answers::profile::{
    PeopleFacts, PopulationRisk, RowRisk, SampleBeforeAfter, SpecialUniques,
};
use indistinct_core::{FrequencyTable, Hierarchy};
use indistinct_engine::output::{CountedInput, each_row};
use indistinct_engine::{CountRequest, CountedRows, Engine, Fingerprint, Input, InputSpec, placed};
use indistinct_measure::population::classes::{Classes, Known, k_map_of_release, k_map_of_table};
use indistinct_measure::population::household;
use indistinct_methods::{BoundPolicy, Identifiers, Solution};
use indistinct_profiling::suda;
use indistinct_release::engine;
use indistinct_release::requirements::spec_of_population;

use crate::error::Error;
use crate::given;
use crate::policy::{PolicyFile, PopulationSection, SpellingVariants, Unit};
use crate::session::Session;

/// Information about the population from which a table is sampled, with options for the risk of its
/// rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PopulationOptions {
    /// The name of the column with survey weights. A weight is the number of people that a row
    /// represents.
    pub weights: Option<String>,
    /// The share of the population that is in the table, above 0 and at most 1.
    pub sampling_fraction: Option<f64>,
    /// A table of the population, with the same names for the quasi-identifiers.
    pub population: Option<PathBuf>,
    /// The column that identifies households.
    pub household: Option<String>,
    /// Whether to compute the risk of each row, for the data holder only.
    pub of_rows: OfRows,
}

/// Whether to compute the risk of each row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OfRows {
    /// Compute only the total risk.
    #[default]
    LeftOut,
    /// Compute the risk of each row, in the order of the table.
    Listed,
}

impl PopulationOptions {
    pub(crate) fn is_requested(&self) -> bool {
        let Self { weights, sampling_fraction, population, household, of_rows } = self;
        let is_given = weights.is_some() || population.is_some() || household.is_some();
        is_given || sampling_fraction.is_some() || *of_rows == OfRows::Listed
    }

    /// Sets missing options to the settings of the policy.
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

/// The rows of a counted table, and the input from which they can be read again.
#[derive(Clone, Copy)]
struct Rows<'a> {
    input: &'a Input,
    fingerprint: &'a Fingerprint,
    table: &'a FrequencyTable,
    /// The policy of the table, if any. Its settings are also used to read a population table.
    policy: Option<&'a PolicyFile>,
    session: &'a Session,
}

impl Rows<'_> {
    /// Returns, in the order of the table, the tuple number of each row and the result of `f` for
    /// its value in a column.
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

    /// Returns the tuple and the owner of each row. Each value of the column has its own number,
    /// and each row without a value has a unique number. Spelling variants have the same number,
    /// unless the policy states that they identify different people.
    fn named(&self, column: &str) -> Result<Vec<(u32, u32)>, Error> {
        let of_policy = self.policy.and_then(|policy| policy.people.as_ref());
        let of_column = of_policy.filter(|people| people.column() == column);
        let variants = of_column.and_then(|people| people.spelling_variants);
        let mut identifiers = Identifiers::new(variants.unwrap_or(SpellingVariants::Merged));
        self.column(column, |text| {
            identifiers.number(text).unwrap_or_else(|| identifiers.unidentified())
        })
    }

    /// Returns the sum of the weights of each tuple.
    fn weighed(&self, column: &str) -> Result<Vec<f64>, Error> {
        let coarsened = self.policy.map(PolicyFile::coarsenings).unwrap_or_default();
        if coarsened.iter().any(|(name, _)| name == column) {
            return Err(Error::CoarsenedWeights { column: column.to_owned() });
        }
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

    /// Reads the requested columns of the table, and the population table.
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

    /// Counts the rows of a population table by the quasi-identifiers.
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

/// Estimates the population and household risk of the table and of the release, with the settings
/// of the policy. `None` if the policy has no such settings, or if a database must be queried again
/// and cannot answer immediately.
///
/// # Errors
/// [`Error`] if a column or the population is invalid or cannot be read.
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
    // Classes of perturbed rows are formed by chance, and a version of a growing table contains
    // counterfeit rows.
    let is_of_classes = certified.perturbed().is_none()
        && !certified.claims().principles.is_empty()
        && prepared.version().is_none();
    let after = certified.rows().filter(|_| is_of_classes).map(|(release, _)| {
        let of_people = known.people.as_ref().zip(proposal.follows_levels());
        let of_people = of_people.and_then(|(people, levels)| {
            // No estimate is possible if a hierarchy does not contain a value of the population, or
            // has a different number of levels for this value. For example, a mask has one level
            // for each character of the longest value.
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

/// Counts the people or households in each class by the column that identifies them.
///
/// # Errors
/// [`Error`] if the table has no such column, or cannot be read again.
pub(crate) fn people(
    session: &Session,
    input: &Input,
    counted: &CountedRows,
    policy: Option<&PolicyFile>,
    (column, unit): (&str, &'static str),
) -> Result<PeopleFacts, Error> {
    let (table, fingerprint) = (&counted.table, &counted.fingerprint);
    let mut rows = Rows { input, fingerprint, table, policy, session }.named(column)?;
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

/// Estimates the risk of a table that is a sample; `None` if no option is set. The table must have
/// been counted by its quasi-identifiers only.
///
/// # Errors
/// [`Error`] if a column or the population is invalid or cannot be read.
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
