//! The conjecture at the end of Section 5: independently generalized releases retain nearly the
//! same l after linkage if the number of independent samples is large enough. The experiment varies
//! this number.

use indistinct_linkage::post_linkage::{
    Candidates, Options, PublishedRelease, SensitiveDomain, Setting, link,
};
use indistinct_text::words;

use super::agency::{DOMAINS, Diseases, N_DISEASES};
use super::hospitals::{Patients, Table};
use crate::comparison::Row;
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab};
use crate::figure::Panel;

/// The experiment that tests the conjecture.
pub(crate) static CONJECTURE: Experiment = Experiment {
    name: "l-delta-conjecture",
    title: "Number of possible diseases after linking two independently generalized releases, as a \
         function of the number of rows",
    source: "(l, delta)-diversity paper, the remark at the end of Section 5, which contains no \
         measurements",
    needs: &[],
    work: run,
};

const L: u64 = 4;
const DISEASES: Diseases = Diseases::Geometric;

/// A method for creating a release.
type Way = fn(&Table, u64) -> Result<PublishedRelease, Error>;
const WAYS: [(&str, Way); 2] = [("regions", Table::by_region), ("full-domain", Table::full_domain)];

/// Statistics about the patients in both tables: the mean and the minimum number of possible
/// diseases, and the fraction of patients with fewer than l possible diseases.
struct Left {
    mean: f64,
    least: u64,
    below: f64,
}

fn left(way: Way, n_rows: u64, n_patients: usize, seed: u64) -> Result<Left, Error> {
    let setting = Setting {
        n_codes: DOMAINS.to_vec(),
        sensitive: vec![SensitiveDomain::flat(N_DISEASES as u32)],
    };
    let patients = Patients::drawn(DISEASES, n_patients, seed);
    let (codes, people) = patients.combinations();
    let releases = (0..2)
        .map(|hospital| way(&Table::drawn(DISEASES, &patients, n_rows, seed, hospital), L))
        .collect::<Result<Vec<PublishedRelease>, Error>>()?;
    let candidates = Candidates::People { codes: &codes, people: &people };
    let found = link(&setting, &releases, candidates, &Options::default())?;
    let distribution = &found.sensitive[0].distribution;
    let sum = |of: &dyn Fn(u64) -> u64| -> u64 {
        distribution.iter().map(|&(n_left, tally)| of(n_left) * tally.n_people.unwrap_or(0)).sum()
    };
    let all = sum(&|_| 1).max(1) as f64;
    Ok(Left {
        mean: sum(&|n_left| n_left) as f64 / all,
        least: distribution.iter().map(|it| it.0).min().unwrap_or(0),
        below: sum(&|n_left| u64::from(n_left < L)) as f64 / all,
    })
}

fn run(lab: &Lab<'_>) -> Result<Findings, Error> {
    let sizes: Vec<u64> =
        lab.by_effort(vec![1_000, 3_000, 10_000, 30_000, 100_000, 300_000], vec![1_000, 20_000]);
    let n_patients = lab.by_effort(500, 100);
    let seeds = lab.seeds();
    let labels: Vec<String> = sizes.iter().map(|&n| words::thousands(n)).collect();
    let mut each = Vec::new();
    for &seed in &seeds {
        let axes = |y: &'static str| ("rows of each table", y);
        let mut mean =
            Panel::new("left", "Possible diseases", axes("diseases, mean"), labels.clone());
        let mut below = Panel::new(
            "below",
            "Patients with fewer than l possible diseases",
            axes("share of patients"),
            labels.clone(),
        );
        let mut of_seed = Vec::new();
        for (name, way) in WAYS {
            let all = sizes
                .iter()
                .map(|&n_rows| left(way, n_rows, n_patients, seed))
                .collect::<Result<Vec<Left>, Error>>()?;
            mean = mean.with(name, all.iter().map(|it| Some(it.mean)).collect());
            below = below.with(name, all.iter().map(|it| Some(it.below)).collect());
            let (first, last) = (&all[0], &all[all.len() - 1]);
            of_seed.push(Row::new(
                format!(
                    "For a large enough number of samples, the same notion of anonymity is kept, \
                     with l close to its value before linkage ({name})"
                ),
                format!(
                    "with {} rows, {} of the patients have fewer than {L} possible diseases, and \
                     the minimum is {}; with {} rows, the share is {}, and the minimum is {}",
                    words::thousands(sizes[0]),
                    words::percent(first.below),
                    first.least,
                    words::thousands(sizes[sizes.len() - 1]),
                    words::percent(last.below),
                    last.least
                ),
                last.least + 1 >= L,
                format!(
                    "criterion: with the largest number of rows, at least {} of {L} diseases \
                     remain for each patient; the paper does not specify a size or a \
                     generalization algorithm",
                    L - 1
                ),
            ));
        }
        each.push((vec![mean, below], of_seed));
    }
    let setting = format!(
        "Two tables have {n_patients} patients in common; all other patients are drawn \
         independently from the distribution in Figure 2. Each table is released independently, \
         with distinct {L}-diversity and the lowest loss. The experiment uses {} seeds, starting \
         with {}, and the plots show the means over the seeds.",
        seeds.len(),
        lab.options.seed
    );
    Ok(Findings::over_seeds(setting, &seeds, each))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use indistinct_linkage::post_linkage::Cover;

    use super::*;

    fn covers(cover: &Cover, code: u32) -> bool {
        match cover {
            Cover::Range { first, last } => (*first..=*last).contains(&code),
            Cover::Codes(codes) => codes.contains(&code),
        }
    }

    /// The diseases in the classes of a release that cover a person.
    fn diseases(release: &PublishedRelease, person: &[u32]) -> BTreeSet<u32> {
        let fits = |region: &Vec<Cover>| {
            region.iter().zip(person).all(|(cover, code)| covers(cover, *code))
        };
        let classes = release.classes.iter().filter(|class| class.regions.iter().any(fits));
        classes.flat_map(|class| class.sensitive[0].iter().map(|entry| entry.0)).collect()
    }

    #[test]
    fn remaining_diseases_match_plain_intersections() {
        let (n_rows, n_patients, seed) = (1_000, 200, 7);
        let patients = Patients::drawn(DISEASES, n_patients, seed);
        let (codes, people) = patients.combinations();
        for (name, way) in WAYS {
            let release = |hospital| {
                let table = Table::drawn(DISEASES, &patients, n_rows, seed, hospital);
                way(&table, L).expect("a release")
            };
            let [first, second] = [0, 1].map(release);
            let n_left = |person: &[u32]| {
                diseases(&first, person).intersection(&diseases(&second, person)).count() as u64
            };
            let each: Vec<(u64, u64)> = codes.chunks(3).map(n_left).zip(people.clone()).collect();
            let sum = |of: &dyn Fn(u64) -> u64| -> f64 {
                each.iter().map(|&(n_left, people)| of(n_left) * people).sum::<u64>() as f64
            };
            assert_eq!(sum(&|_| 1), n_patients as f64);
            let found = left(way, n_rows, n_patients, seed).expect("an answer");
            let (mean, below) = (sum(&|n| n) / 200.0, sum(&|n| u64::from(n < 4)) / 200.0);
            assert!((found.mean - mean).abs() < 1e-9, "{name}: {} {mean}", found.mean);
            assert!((found.below - below).abs() < 1e-9, "{name}: {} {below}", found.below);
            assert_eq!(Some(found.least), each.iter().map(|it| it.0).min(), "{name}");
            let at_4 = each.iter().any(|it| it.0 == 4);
            assert!(at_4 && found.below > 0.0, "{name}: {each:?}");
        }
    }
}
