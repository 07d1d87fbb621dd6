//! Conversion of problems of the oracle into problems of the search.

use indistinct_core::hierarchy::HierarchyLevel;
use indistinct_core::loss;
use indistinct_core::model::{CountedColumn, Population};
use indistinct_core::{
    Dictionary, FrequencyTable, Hierarchy, Policy, Rational, Requirement, SuppressionRule,
};
use indistinct_search::Problem;
use indistinct_testkit::lattice_oracle::{
    PlainHierarchy, PlainObjective, PlainPrinciple, PlainProblem, PlainRow, PlainSuppression,
};

use super::{Wanted, requirement};

/// The table, the policy, and the other inputs as core types.
pub struct Translated {
    pub table: FrequencyTable,
    pub policy: Policy,
    pub objective: PlainObjective,
    weights: Vec<f64>,
    bounds: Vec<(usize, usize)>,
}

fn counted(name: String, values: Vec<String>, codes: Vec<usize>) -> CountedColumn {
    let (dictionary, code) = Dictionary::from_distinct(values);
    assert!(code.is_sorted(), "the values are in the order of their codes");
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

fn principle(plain: &PlainPrinciple) -> Wanted {
    let fraction = |(a, b): (u64, u64)| format!("{a}/{b}");
    match *plain {
        PlainPrinciple::KAnonymity(k) => requirement("k-anonymity", None, &[("k", &k.to_string())]),
        PlainPrinciple::Distinct { on, l } => {
            requirement("distinct-l-diversity", Some(on), &[("l", &l.to_string())])
        }
        PlainPrinciple::Frequency { on, l } => {
            requirement("frequency-l-diversity", Some(on), &[("l", &fraction(l))])
        }
        PlainPrinciple::Entropy { on, l } => {
            requirement("entropy-l-diversity", Some(on), &[("l", &fraction(l))])
        }
        PlainPrinciple::Recursive { on, c, l } => {
            let (c, l) = (fraction(c), l.to_string());
            requirement("recursive-diversity", Some(on), &[("c", &c), ("l", &l)])
        }
        PlainPrinciple::Closeness { on, t } => {
            requirement("t-closeness", Some(on), &[("t", &fraction(t))])
        }
    }
}

fn quasi_identifiers(plain: &PlainProblem, rows: &[PlainRow]) -> Vec<CountedColumn> {
    (0..plain.hierarchies.len())
        .map(|at| {
            let n_values = plain.hierarchies[at].levels[0].labels.len();
            let values = (0..n_values).map(|value| format!("v{value:05}")).collect();
            let codes = rows.iter().map(|row| row.quasi_identifiers[at]).collect();
            counted(format!("q{at}"), values, codes)
        })
        .collect()
}

/// Creates a population with all people in the table, each `times` times, and other people.
pub fn population(
    plain: &PlainProblem,
    table: &FrequencyTable,
    times: u64,
    others: &[PlainRow],
) -> Population {
    let mut rows = plain.rows.clone();
    rows.iter_mut().for_each(|row| row.count *= times);
    rows.extend_from_slice(others);
    let counts = rows.iter().map(|row| row.count).collect();
    let people = FrequencyTable::new(quasi_identifiers(plain, &rows), Vec::new(), counts);
    let (joined, population) = Population::join(table, &people.expect("well-formed"))
        .expect("the population contains every row of the table");
    assert_eq!(&joined, table, "the table already lists all values");
    population
}

impl Translated {
    pub fn new(plain: &PlainProblem, n_sensitive: usize) -> Self {
        let wanted: Vec<Wanted> = plain.principles.iter().map(principle).collect();
        Self::with(plain, n_sensitive, |table| wanted.iter().map(|one| one.on(table)).collect())
    }

    /// Translates a problem with requirements that replace those of the plain problem. The
    /// sensitive values are the numbers 1, 2, 5, 10, ....
    pub fn with(
        plain: &PlainProblem,
        n_sensitive: usize,
        requirements: impl FnOnce(&FrequencyTable) -> Vec<Requirement>,
    ) -> Self {
        let sensitive = (0..n_sensitive)
            .map(|at| {
                let codes: Vec<usize> = plain.rows.iter().map(|row| row.sensitive[at]).collect();
                let n_values = codes.iter().max().map_or(1, |most| most + 1);
                let values = (0..n_values).map(|value| (value * value + 1).to_string()).collect();
                counted(format!("s{at}"), values, codes)
            })
            .collect();
        let counts = plain.rows.iter().map(|row| row.count).collect();
        let table = FrequencyTable::new(quasi_identifiers(plain, &plain.rows), sensitive, counts)
            .expect("well-formed");
        let policy = Policy {
            hierarchies: plain.hierarchies.iter().map(hierarchy).collect(),
            requirements: requirements(&table),
            suppression_limit: Rational::new(plain.limit.0.into(), plain.limit.1.into()),
            suppressed: match plain.suppressed {
                PlainSuppression::Dropped => SuppressionRule::Dropped,
                PlainSuppression::Starred => SuppressionRule::Starred,
            },
            published: indistinct_core::ClassColumn::Absent,
        };
        let (weights, bounds) = (plain.weights.clone(), plain.bounds.clone());
        Self { table, policy, objective: plain.objective, weights, bounds }
    }

    pub fn problem(&self) -> Problem<'_> {
        let objective = match self.objective {
            PlainObjective::Loss => "loss",
            PlainObjective::Discernibility => "discernibility",
            PlainObjective::AverageClassSize => "average-class-size",
            PlainObjective::Entropy => "entropy",
            PlainObjective::Height => "height",
            PlainObjective::Information => "information",
            PlainObjective::KlDivergence => "kl-divergence",
        };
        Problem {
            table: &self.table,
            policy: &self.policy,
            objective: loss::find(objective).expect("the registry contains the loss"),
            weights: self.weights.clone(),
            bounds: self.bounds.iter().map(|&(min, max)| min..=max).collect(),
            time_limit: None,
            most_suppressed: None,
        }
    }
}
