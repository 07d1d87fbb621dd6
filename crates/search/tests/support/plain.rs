//! A problem of the oracle as a problem of the search.

use indistinct_core::hierarchy::HierarchyLevel;
use indistinct_core::loss;
use indistinct_core::model::CountedColumn;
use indistinct_core::{
    Dictionary, FrequencyTable, Hierarchy, Policy, Rational, Requirement, Suppressed,
};
use indistinct_search::Problem;
use indistinct_testkit::lattice_oracle::{
    PlainHierarchy, PlainObjective, PlainPrinciple, PlainProblem, PlainSuppressed,
};

use super::requirement;

/// Table, policy and the rest, in the types of the core.
pub struct Translated {
    pub table: FrequencyTable,
    pub policy: Policy,
    objective: &'static str,
    weights: Vec<f64>,
    bounds: Vec<(usize, usize)>,
}

fn counted(name: String, n_values: usize, codes: Vec<usize>) -> CountedColumn {
    let values = (0..n_values).map(|value| format!("v{value:05}")).collect();
    let (dictionary, code) = Dictionary::from_distinct(values);
    assert!(code.is_sorted(), "values are in the order of their codes");
    CountedColumn { name, dictionary, codes: codes.into_iter().map(|code| code as u32).collect() }
}

fn hierarchy(plain: &PlainHierarchy) -> Hierarchy {
    let levels = plain
        .levels
        .iter()
        .map(|level| HierarchyLevel {
            map: level.label_of.iter().map(|label| *label as u32).collect(),
            labels: level.labels.clone(),
            covered: level.covered.iter().map(|&covered| covered.max(1)).collect(),
        })
        .collect();
    Hierarchy::new(levels, plain.domain_size).expect("generated hierarchies are nested")
}

fn principle(plain: &PlainPrinciple) -> Requirement {
    let fraction = |(a, b): (u64, u64)| format!("{a}/{b}");
    let name = |on: usize| format!("s{on}");
    match *plain {
        PlainPrinciple::KAnonymity(k) => requirement("k-anonymity", None, &[("k", &k.to_string())]),
        PlainPrinciple::Distinct { on, l } => {
            let l = l.to_string();
            requirement("distinct-l-diversity", Some((on, &name(on))), &[("l", &l)])
        }
        PlainPrinciple::Frequency { on, l } => {
            requirement("frequency-l-diversity", Some((on, &name(on))), &[("l", &fraction(l))])
        }
        PlainPrinciple::Entropy { on, l } => {
            requirement("entropy-l-diversity", Some((on, &name(on))), &[("l", &fraction(l))])
        }
        PlainPrinciple::Recursive { on, c, l } => {
            let (c, l) = (fraction(c), l.to_string());
            requirement("recursive-diversity", Some((on, &name(on))), &[("c", &c), ("l", &l)])
        }
    }
}

impl Translated {
    pub fn new(plain: &PlainProblem, n_sensitive: usize) -> Self {
        let quasi_identifiers = (0..plain.hierarchies.len())
            .map(|at| {
                let n_values = plain.hierarchies[at].levels[0].labels.len();
                let codes = plain.rows.iter().map(|row| row.quasi_identifiers[at]).collect();
                counted(format!("q{at}"), n_values, codes)
            })
            .collect();
        let sensitive = (0..n_sensitive)
            .map(|at| {
                let codes: Vec<usize> = plain.rows.iter().map(|row| row.sensitive[at]).collect();
                let n_values = codes.iter().max().map_or(1, |most| most + 1);
                counted(format!("s{at}"), n_values, codes)
            })
            .collect();
        let counts = plain.rows.iter().map(|row| row.count).collect();
        let table = FrequencyTable::new(quasi_identifiers, sensitive, counts).expect("well-formed");
        let policy = Policy {
            hierarchies: plain.hierarchies.iter().map(hierarchy).collect(),
            requirements: plain.principles.iter().map(principle).collect(),
            suppression_limit: Rational::new(plain.limit.0.into(), plain.limit.1.into()),
            suppressed: match plain.suppressed {
                PlainSuppressed::Dropped => Suppressed::Dropped,
                PlainSuppressed::Starred => Suppressed::Starred,
            }, published: indistinct_core::ClassColumn::Absent,
};
        let objective = match plain.objective {
            PlainObjective::Loss => "loss",
            PlainObjective::Discernibility => "discernibility",
            PlainObjective::AverageClassSize => "average-class-size",
            PlainObjective::Entropy => "entropy",
            PlainObjective::Height => "height",
        };
        let (weights, bounds) = (plain.weights.clone(), plain.bounds.clone());
        Self { table, policy, objective, weights, bounds }
    }

    pub fn problem(&self) -> Problem<'_> {
        Problem {
            table: &self.table,
            policy: &self.policy,
            objective: loss::find(self.objective).expect("a loss of the registry"),
            weights: self.weights.clone(),
            bounds: self.bounds.iter().map(|&(min, max)| min..=max).collect(),
        }
    }
}
