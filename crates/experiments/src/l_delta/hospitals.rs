//! An extension of the paper: hospitals that share patients publish releases independently or
//! according to a common plan.

mod tables;

use std::ops::Range;

use indistinct_core::Rational;
use indistinct_linkage::planned::{Basis, Plan};
use indistinct_linkage::post_linkage::{
    Candidates, Options, PublishedRelease, SensitiveDomain, Setting, link,
};
use indistinct_text::words;

pub(super) use self::tables::{Patients, Table};
use super::agency::{DOMAINS, Diseases, N_DISEASES, classes, target};
use crate::comparison::{Agreement, Row};
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab};
use crate::figure::Panel;

/// The simulation of several hospitals.
pub(crate) static HOSPITALS: Experiment = Experiment {
    name: "l-delta-hospitals",
    title: "\
        Patients whose disease is revealed by linking releases from several hospitals, with and \
        without a common plan",
    source: "Not in the paper; based on the setting of Section 5 of the (l, delta)-diversity \
             paper, with geometrically distributed diseases",
    needs: &[],
    work: hospitals,
};

const L: u64 = 4;
/// beta in hundredths, where p = beta p_l.
const BETA: u64 = 4;
const DISEASES: Diseases = Diseases::Geometric;
const WAYS: [Way; 3] = [Way::Regions, Way::FullDomain, Way::Planned];

/// The publication method of a hospital.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Each hospital publishes independently, with the smallest l-diverse regions.
    Regions,
    /// Each hospital publishes independently, with the best node of the lattice.
    FullDomain,
    /// Each hospital publishes according to the common plan.
    Planned,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::Regions => "independent, regions",
            Way::FullDomain => "independent, full-domain",
            Way::Planned => "common plan",
        }
    }

    fn publish(self, table: &Table, plan: &[Range<usize>]) -> Result<PublishedRelease, Error> {
        match self {
            Way::Regions => table.by_region(L),
            Way::FullDomain => table.full_domain(L),
            Way::Planned => Ok(table.planned(plan)),
        }
    }
}

/// Statistics of the patients who appear in all releases, for each number of linked hospitals.
#[derive(Debug, Clone, Default)]
struct Left {
    /// The number of patients for whom exactly one disease remains possible.
    revealed: Vec<u64>,
    /// The number of patients for whom fewer than l diseases remain possible.
    below: Vec<u64>,
    /// The total number of possible diseases over all patients.
    diseases: Vec<u64>,
    /// The total number of classes, and the number of releases.
    classes: (u64, u64),
}

/// Runs the simulation once, and links the releases of the hospitals successively.
fn one_run(
    way: Way,
    tables: &[Table],
    patients: &Patients,
    plan: &[Range<usize>],
    left: &mut Left,
) -> Result<(), Error> {
    let setting = Setting {
        n_codes: DOMAINS.to_vec(),
        sensitive: vec![SensitiveDomain::flat(N_DISEASES as u32)],
    };
    let (codes, people) = patients.combinations();
    let mut releases = Vec::new();
    for table in tables {
        let release = way.publish(table, plan)?;
        left.classes.0 += release.classes.len() as u64;
        left.classes.1 += 1;
        releases.push(release);
    }
    // If there is only one hospital, link its release with itself.
    for t in 1..=tables.len() {
        let mut linked = releases[..t].to_vec();
        if t == 1 {
            linked.push(releases[0].clone());
        }
        let candidates = Candidates::People { codes: &codes, people: &people };
        let found = link(&setting, &linked, candidates, &Options::default())?;
        for &(n_left, combinations) in &found.sensitive[0].distribution {
            let people = combinations.n_people.unwrap_or(0);
            left.revealed[t - 1] += if n_left == 1 { people } else { 0 };
            left.below[t - 1] += if n_left < L { people } else { 0 };
            left.diseases[t - 1] += n_left * people;
        }
    }
    Ok(())
}

fn hospitals(lab: &Lab<'_>) -> Result<Findings, Error> {
    let (n_hospitals, n_runs) = (lab.by_effort(10, 3), lab.by_effort(5, 1));
    let n_patients = lab.by_effort(1_000, 200);
    let delta = Rational::new(1, 100);
    let joint = DISEASES.joint()?;
    let p = DISEASES.p(L, BETA);
    let cut = classes(&joint, L, &p)?;
    let plan = Plan::of_classes(&joint, &cut, &target(L, delta)?, &p, Basis::ActualMasses)?;
    let zero = Left {
        revealed: vec![0; n_hospitals],
        below: vec![0; n_hospitals],
        diseases: vec![0; n_hospitals],
        ..Left::default()
    };
    let mut all = vec![zero; WAYS.len()];
    for run in 0..n_runs {
        let seed = lab.options.seed.wrapping_add(run as u64);
        let patients = Patients::drawn(DISEASES, n_patients, seed);
        let tables: Vec<Table> = (0..n_hospitals)
            .map(|hospital| Table::drawn(DISEASES, &patients, plan.n_rows, seed, hospital as u64))
            .collect();
        for (way, left) in WAYS.into_iter().zip(&mut all) {
            one_run(way, &tables, &patients, &cut, left)?;
        }
    }
    let n_people = (n_patients * n_runs) as f64;
    let labels: Vec<String> = (1..=n_hospitals).map(|t| t.to_string()).collect();
    let panel = |id: &str, title: &str, y: &str, of: &dyn Fn(&Left) -> Vec<f64>| {
        let panel = Panel::new(id, title, ("linked hospitals", y), labels.clone());
        WAYS.iter().zip(&all).fold(panel, |panel, (way, left)| {
            panel.with(way.name(), of(left).into_iter().map(Some).collect())
        })
    };
    let share = |counts: &[u64]| counts.iter().map(|&n| n as f64 / n_people).collect::<Vec<f64>>();
    let panels = vec![
        panel(
            "revealed",
            "Patients in all releases whose disease is revealed",
            "share of patients",
            &|left| share(&left.revealed),
        ),
        panel(
            "below",
            "Patients in all releases with fewer than l possible diseases",
            "share of patients",
            &|left| share(&left.below),
        ),
        panel("left", "Possible diseases", "diseases, mean", &|left| share(&left.diseases)),
    ];
    let last = n_hospitals - 1;
    let n_classes = |left: &Left| left.classes.0 as f64 / left.classes.1 as f64;
    let of_two = |left: &Left, t: usize| words::percent(left.revealed[t] as f64 / n_people);
    let [regions, full_domain, planned] = &all[..] else {
        unreachable!("there are three kinds of releases")
    };
    let rows = vec![
        Row::new(
            "Section 3: linking releases can reveal the sensitive value even if each release is \
             l-diverse",
            format!(
                "share of revealed patients with 2 and {n_hospitals} hospitals: {} and {} \
                 (regions), {} and {} (full-domain)",
                of_two(regions, 1),
                of_two(regions, last),
                of_two(full_domain, 1),
                of_two(full_domain, last)
            ),
            regions.revealed[last] + full_domain.revealed[last] > 0,
            "counts the patients in all releases with exactly one possible disease; no single \
             release reveals a patient's disease",
        ),
        Row::new(
            "Theorem 4.5: with a common plan, l diseases remain for every patient, except with a \
             probability of t delta",
            format!(
                "patients with fewer than {L} possible diseases: {}",
                planned.below.iter().sum::<u64>()
            ),
            planned.below.iter().all(|&n| n == 0),
            "a run with another seed can fail, with a probability of at most t delta",
        ),
        Row::new(
            "Section 5: independently generalized releases are expected to retain nearly the same \
             l if the tables are sufficiently large",
            format!(
                "mean number of possible diseases with {n_hospitals} hospitals: {} (regions), {} \
                 (full-domain)",
                words::number(regions.diseases[last] as f64 / n_people),
                words::number(full_domain.diseases[last] as f64 / n_people)
            ),
            Agreement::NotComparable,
            "the paper does not specify a size or a generalization algorithm; l-delta-conjecture \
             varies the size",
        ),
        Row::new(
            "Not in the paper: the cost of the plan",
            format!(
                "mean number of classes in a release: {} (regions), {} (full-domain), {} (plan)",
                words::number(n_classes(regions)),
                words::number(n_classes(full_domain)),
                words::number(n_classes(planned))
            ),
            Agreement::NotComparable,
            "the paper measures utility by the number of classes; a release with fewer classes is \
             coarser",
        ),
    ];
    let setting = vec![
        format!(
            "There are {n_hospitals} hospitals with {} each, drawn independently from the \
             distribution in Figure 2. The hospitals have {} patients in common, and the disease \
             of each of these patients is the same at every hospital. The experiment consists of \
             {}, with seeds starting at {}.",
            words::rows(plan.n_rows),
            words::thousands(n_patients as u64),
            words::counted(n_runs as u64, "run", "runs"),
            lab.options.seed
        ),
        format!(
            "Independent releases satisfy distinct {L}-diversity with the lowest loss, either as \
             regions with bounding intervals or with full-domain recoding. The plan has l = {L}, \
             delta = 0.01, p = 0.0{BETA} p_l, and {} of equal size; N is computed from the \
             probabilities of these classes.",
            words::classes(cut.len() as u64)
        ),
    ];
    Ok(Findings { setting, panels, rows, differences: Vec::new() })
}
