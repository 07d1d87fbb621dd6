//! Synthetic hospital tables and their releases.

use std::collections::BTreeMap;
use std::ops::Range;

use indistinct_core::hierarchy::{Arx, HierarchyRule};
use indistinct_core::model::CountedColumn;
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::{
    Dictionary, FrequencyTable, Hierarchy, Policy, Rational, Recoding, Silent, certify,
};
use indistinct_linkage::post_linkage::{Cover, PublishedClass, PublishedRelease, Region};
use indistinct_search::full_domain::Minimal;
use indistinct_search::multidimensional::{GeneralizeTo, Multidimensional};
use indistinct_search::{Outcome, Problem, Search};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::error::Error;
use crate::l_delta::agency::{DOMAINS, Diseases};
use crate::search::{RequestedPrinciple, best_node, policy};

/// The postal code, gender, and age of a person, followed by the person's disease.
type Person = ([u32; 3], u32);

/// A generator that draws people with independent quasi-identifiers and sensitive values.
struct Draws {
    rng: ChaCha8Rng,
    /// The cumulative weights of the sensitive values.
    sums: Vec<u64>,
}

impl Draws {
    fn new(values: Diseases, seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        let mut sum = 0;
        let add = |weight: u64| {
            sum += weight;
            sum
        };
        Self { rng, sums: values.weights().into_iter().map(add).collect() }
    }

    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.rng.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    fn person(&mut self) -> Person {
        let codes = DOMAINS.map(|n| self.below(u64::from(n)) as u32);
        let drawn = self.below(self.sums[self.sums.len() - 1]);
        (codes, self.sums.partition_point(|&sum| sum <= drawn) as u32)
    }
}

/// The patients who occur in the tables of all hospitals.
pub(in crate::l_delta) struct Patients(Vec<Person>);

impl Patients {
    pub(in crate::l_delta) fn drawn(values: Diseases, n: usize, seed: u64) -> Self {
        let mut draws = Draws::new(values, seed, 0);
        Self((0..n).map(|_| draws.person()).collect())
    }

    /// Returns the distinct combinations of quasi-identifiers, concatenated, with the number of
    /// patients for each.
    pub(in crate::l_delta) fn combinations(&self) -> (Vec<u32>, Vec<u64>) {
        let mut people: BTreeMap<[u32; 3], u64> = BTreeMap::new();
        for (codes, _) in &self.0 {
            *people.entry(*codes).or_default() += 1;
        }
        (people.keys().flatten().copied().collect(), people.into_values().collect())
    }
}

/// A hospital's table over the complete domains.
pub(in crate::l_delta) struct Table {
    people: Vec<Person>,
}

const NAMES: [&str; 3] = ["postal-code", "gender", "age"];

impl Table {
    /// Draws a table with the patients in all releases and additional patients, up to `n_rows`
    /// rows.
    pub(in crate::l_delta) fn drawn(
        values: Diseases,
        patients: &Patients,
        n_rows: u64,
        seed: u64,
        hospital: u64,
    ) -> Self {
        let mut draws = Draws::new(values, seed, 1 + hospital);
        let mut people = patients.0.clone();
        while (people.len() as u64) < n_rows {
            people.push(draws.person());
        }
        Self { people }
    }

    fn counted(&self) -> FrequencyTable {
        let columns = (0..DOMAINS.len())
            .map(|at| column(NAMES[at], self.people.iter().map(|person| person.0[at]).collect()));
        let value = column("disease", self.people.iter().map(|person| person.1).collect());
        let counts = vec![1; self.people.len()];
        FrequencyTable::new(columns.collect(), vec![value], counts)
            .expect("the columns of a table have the same length")
    }

    fn policy(table: &FrequencyTable, l: u64) -> Result<Policy, Error> {
        let hierarchies = table
            .quasi_identifiers()
            .iter()
            .zip([&[5][..], &[], &[5, 10, 50]])
            .map(|(column, widths)| hierarchy(column, widths))
            .collect::<Result<Vec<Hierarchy>, Error>>()?;
        let numbers = vec![("l", Rational::from_integer(i128::from(l)))];
        let requested =
            RequestedPrinciple { kind: "distinct-l-diversity", numbers, words: Vec::new() };
        Ok(policy(hierarchies, vec![requested.on(table, None)]))
    }

    /// Returns the published part of a certified recoding.
    fn publish(
        table: &FrequencyTable,
        policy: &Policy,
        recoding: &Recoding,
    ) -> Result<PublishedRelease, Error> {
        let release = certify(table, policy, recoding)?;
        let pair = ReleaseWithOriginal::of_release(&release, policy);
        let covers: Vec<Vec<Cover>> = (0..DOMAINS.len())
            .map(|at| {
                let dictionary = &pair.original.quasi_identifiers()[at].dictionary;
                let code = |value: &String| value.parse().expect("the values are integers");
                let codes: Vec<u32> = dictionary.values().iter().map(code).collect();
                let cover = |cell: &indistinct_core::recoding::Cell| {
                    let of = 0..codes.len() as u32;
                    let covered = of.filter(|&it| cell.covers(&pair.hierarchies[at], it));
                    Cover::Codes(covered.map(|it| codes[it as usize]).collect())
                };
                pair.cells[at].iter().map(cover).collect()
            })
            .collect();
        let sensitive_values = &pair.published.sensitive[0];
        let code = |value: &str| value.parse::<u32>().expect("the values are integers");
        let tuples = pair.published.tuples_of_classes();
        let classes = tuples.iter().zip(&sensitive_values.histograms).map(|(tuples, histogram)| {
            let columns = pair.published.rows.quasi_identifiers().iter().zip(&covers);
            let of = |(column, covers): (&CountedColumn, &Vec<Cover>)| {
                covers[column.codes[tuples[0] as usize] as usize].clone()
            };
            let region: Region = columns.map(of).collect();
            let counts = histogram.iter().map(|&(value, rows)| {
                (code(&sensitive_values.dictionary.values()[value as usize]), rows)
            });
            PublishedClass { regions: vec![region], sensitive: vec![counts.collect()] }
        });
        Ok(PublishedRelease { classes: classes.collect() })
    }

    /// Publishes the smallest l-diverse regions.
    pub(in crate::l_delta) fn by_region(&self, l: u64) -> Result<PublishedRelease, Error> {
        let table = self.counted();
        let policy = Self::policy(&table, l)?;
        let search =
            Multidimensional { align: GeneralizeTo::Bounds, ..Multidimensional::default() };
        match search.search(&Problem::new(&table, &policy), &Silent)? {
            Outcome::Found(found) => Self::publish(&table, &policy, &found.proposal),
            Outcome::NotFound(_) => Ok(PublishedRelease::default()),
        }
    }

    /// Publishes the best node of the lattice.
    pub(in crate::l_delta) fn full_domain(&self, l: u64) -> Result<PublishedRelease, Error> {
        let table = self.counted();
        let policy = Self::policy(&table, l)?;
        match best_node(&table, &policy, "loss", Minimal::Skip)? {
            Some(found) => Self::publish(&table, &policy, &found.proposal.recoding),
            None => Ok(PublishedRelease::default()),
        }
    }

    /// Publishes the classes of a plan.
    pub(in crate::l_delta) fn planned(&self, plan: &[Range<usize>]) -> PublishedRelease {
        let mut counts: Vec<BTreeMap<u32, u64>> = vec![BTreeMap::new(); plan.len()];
        for (codes, value) in &self.people {
            let place = codes.iter().zip(DOMAINS).fold(0, |place, (&code, n)| place * n + code);
            let class = plan.partition_point(|class| class.end <= place as usize);
            *counts[class].entry(*value).or_default() += 1;
        }
        let region = |place: usize| -> Region {
            let (rest, age) = (place as u32 / DOMAINS[2], place as u32 % DOMAINS[2]);
            [rest / DOMAINS[1], rest % DOMAINS[1], age].map(Cover::one).to_vec()
        };
        let classes = plan.iter().zip(counts).filter(|(_, counts)| !counts.is_empty());
        let classes = classes.map(|(class, counts)| PublishedClass {
            regions: class.clone().map(region).collect(),
            sensitive: vec![counts.into_iter().collect()],
        });
        PublishedRelease { classes: classes.collect() }
    }
}

/// Returns a column of integers.
fn column(name: &str, values: Vec<u32>) -> CountedColumn {
    let mut distinct = values.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let (dictionary, code) =
        Dictionary::from_distinct(distinct.iter().map(u32::to_string).collect());
    let place = |value: &u32| {
        code[distinct.binary_search(value).expect("the sorted list contains the value")]
    };
    CountedColumn { name: name.to_owned(), dictionary, codes: values.iter().map(place).collect() }
}

/// Returns a hierarchy of intervals with the given widths.
fn hierarchy(column: &CountedColumn, widths: &[u32]) -> Result<Hierarchy, Error> {
    let line = |value: &String| {
        let number: u32 = value.parse().expect("the values are integers");
        let interval = |width: &u32| {
            let low = number / width * width;
            format!("{low} to {};", low + width - 1)
        };
        format!("{value};{}*", widths.iter().map(interval).collect::<String>())
    };
    let lines: Vec<String> = column.dictionary.values().iter().map(line).collect();
    Arx::parse(&column.name, &lines.join("\n"), &[])
        .and_then(|arx| HierarchyRule::Arx(arx).resolve(&column.name, &column.dictionary))
        .map_err(Error::from)
}
