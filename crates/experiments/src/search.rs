//! Policies and searches for tables in memory.

use std::time::Instant;

use indistinct_core::model::Taxonomy;
use indistinct_core::principle::{self, Context, ParameterValue, Parameters};
use indistinct_core::{
    ClassColumn, FrequencyTable, Generalization, Hierarchy, Others, Partition, Policy, Rational,
    Recoding, Requirement, Silent, SuppressionRule, loss,
};
use indistinct_search::full_domain::{FullDomain, Minimal, Node};
use indistinct_search::{FoundRecoding, Outcome, Problem, Search};

use crate::error::Error;

/// A principle with its parameters, as specified in a paper.
#[derive(Debug, Clone)]
pub(crate) struct RequestedPrinciple {
    pub(crate) kind: &'static str,
    pub(crate) numbers: Vec<(&'static str, Rational)>,
    pub(crate) words: Vec<(&'static str, &'static str)>,
}

impl RequestedPrinciple {
    /// Returns k-anonymity.
    pub(crate) fn k(k: u64) -> Self {
        Self::new("k-anonymity", &[("k", k)])
    }

    /// Returns entropy l-diversity.
    pub(crate) fn entropy(l: u64) -> Self {
        Self::new("entropy-l-diversity", &[("l", l)])
    }

    /// Returns recursive (3, l)-diversity.
    pub(crate) fn recursive(l: u64) -> Self {
        Self::new("recursive-diversity", &[("c", 3), ("l", l)])
    }

    fn new(kind: &'static str, numbers: &[(&'static str, u64)]) -> Self {
        let whole = |number: u64| Rational::from_integer(i128::from(number));
        let numbers = numbers.iter().map(|&(name, number)| (name, whole(number))).collect();
        Self { kind, numbers, words: Vec::new() }
    }

    /// Applies the principle to the first sensitive attribute of a table.
    ///
    /// # Panics
    /// Panics if the parameters are invalid or the table is unsuitable. Experiments must avoid
    /// both.
    pub(crate) fn on(&self, table: &FrequencyTable, taxonomy: Option<&Taxonomy>) -> Requirement {
        let kind = principle::find(self.kind).expect("the registry contains the principle");
        let is_on_sensitive_values = kind.subject == principle::Subject::SensitiveAttribute;
        let mut context = Context::new(table, is_on_sensitive_values.then_some(0));
        if let Some(taxonomy) = taxonomy {
            context = context.with_taxonomy(taxonomy);
        }
        let numbers = self.numbers.iter();
        let numbers = numbers.map(|(name, it)| ((*name).to_owned(), ParameterValue::Number(*it)));
        let words = self.words.iter();
        let words = words
            .map(|(name, word)| ((*name).to_owned(), ParameterValue::Text((*word).to_owned())));
        let given = Parameters(numbers.chain(words).collect());
        Requirement::new(kind, &context, given, Others::Ignored)
            .expect("the parameters of the experiment are valid")
    }
}

/// Returns a policy without suppression.
pub(crate) fn policy(hierarchies: Vec<Hierarchy>, requirements: Vec<Requirement>) -> Policy {
    Policy {
        hierarchies,
        requirements,
        suppression_limit: Rational::from_integer(0),
        suppressed: SuppressionRule::Dropped,
        published: ClassColumn::Absent,
    }
}

/// Returns the best node of the lattice without suppression, or `None` if no node satisfies the
/// policy.
pub(crate) fn best_node(
    table: &FrequencyTable,
    policy: &Policy,
    objective: &str,
    all_minimal: Minimal,
) -> Result<Option<FoundRecoding<Node>>, Error> {
    let objective = loss::find(objective).expect("the registry contains the loss");
    let problem = Problem { objective, ..Problem::new(table, policy) };
    Ok(match (FullDomain { all_minimal }).search(&problem, &Silent)? {
        Outcome::Found(found) => Some(*found),
        Outcome::NotFound(_) => None,
    })
}

/// Returns the classes of a node of the lattice.
///
/// # Panics
/// Panics if the node does not exist.
pub(crate) fn classes_of_node(
    table: &FrequencyTable,
    policy: &Policy,
    levels: &[usize],
) -> Partition {
    let recoding = Recoding {
        generalization: Generalization::of_levels(levels.to_vec()),
        suppressed: vec![false; table.n_tuples()],
        sensitive: None,
    };
    Partition::new(table, policy, &recoding).expect("the lattice contains the node")
}

/// Returns the median time of several runs in milliseconds, and the last result.
pub(crate) fn timed<T>(
    n_runs: usize,
    mut work: impl FnMut() -> Result<T, Error>,
) -> Result<(f64, T), Error> {
    let mut once = || {
        let start = Instant::now();
        let answer = work()?;
        Ok::<_, Error>((start.elapsed().as_secs_f64() * 1000.0, answer))
    };
    let (first, mut answer) = once()?;
    let mut all = vec![first];
    for _ in 1..n_runs {
        let (ms, again) = once()?;
        all.push(ms);
        answer = again;
    }
    all.sort_by(f64::total_cmp);
    Ok((all[all.len() / 2], answer))
}
