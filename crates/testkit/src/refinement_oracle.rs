//! An oracle for the attack `refinement` by its definition: all assignments of the covered values
//! to the rows of a class.

/// What a label states about the values of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stated {
    /// The values are among the covered ones.
    Covered,
    /// The values are in at least two groups. The list contains the group of each covered value.
    TwoGroups(Vec<usize>),
    /// The same, except that assignments within one group are one of this many times as likely as
    /// without the statement.
    UsuallyTwoGroups(Vec<usize>, u32),
    /// The first and the last covered value occur.
    Ends,
    /// All covered values occur.
    All,
}

/// The possible values of a class.
#[derive(Debug, Clone)]
pub struct Worlds {
    /// The probability of what the label states.
    pub probability: f64,
    /// The expected share of each covered value.
    pub shares: Vec<f64>,
    /// The number of possible multisets.
    pub n_multisets: usize,
    /// For each covered value and each group of several values: the probability that exactly one
    /// row has this value or a value of this group, and whether this is true for every possible
    /// multiset.
    pub single: Vec<(f64, bool)>,
}

/// Enumerates the values of a class whose rows are independent draws from the prior.
pub fn worlds(prior: &[f64], stated: &Stated, n_rows: usize) -> Worlds {
    let n = prior.len();
    let mut sets: Vec<Vec<usize>> = (0..n).map(|value| vec![value]).collect();
    if let Stated::TwoGroups(group_of) | Stated::UsuallyTwoGroups(group_of, _) = stated {
        let n_groups = group_of.iter().max().map_or(0, |last| last + 1);
        let groups = (0..n_groups)
            .map(|group| (0..n).filter(|value| group_of[*value] == group).collect::<Vec<_>>());
        sets.extend(groups.filter(|values| values.len() > 1));
    }
    let mut found = Worlds {
        probability: 0.0,
        shares: vec![0.0; n],
        n_multisets: 0,
        single: vec![(0.0, true); sets.len()],
    };
    let mut multisets = std::collections::BTreeSet::new();
    let mut assigned = vec![0; n_rows];
    loop {
        let mut counts = vec![0usize; n];
        assigned.iter().for_each(|value: &usize| counts[*value] += 1);
        let is_possible = match stated {
            Stated::Covered | Stated::UsuallyTwoGroups(..) => true,
            Stated::TwoGroups(group_of) => {
                assigned.iter().any(|value| group_of[*value] != group_of[assigned[0]])
            }
            Stated::Ends => counts[0] > 0 && counts[n - 1] > 0,
            Stated::All => counts.iter().all(|count| *count > 0),
        };
        if is_possible {
            let mut weight: f64 = assigned.iter().map(|value| prior[*value]).product();
            if let Stated::UsuallyTwoGroups(group_of, one_in) = stated {
                let is_one = assigned.iter().all(|it| group_of[*it] == group_of[assigned[0]]);
                weight /= if is_one { f64::from(*one_in) } else { 1.0 };
            }
            found.probability += weight;
            for (share, count) in found.shares.iter_mut().zip(&counts) {
                *share += weight * *count as f64 / n_rows as f64;
            }
            for (values, single) in sets.iter().zip(&mut found.single) {
                let is_single = values.iter().map(|value| counts[*value]).sum::<usize>() == 1;
                single.0 += if is_single { weight } else { 0.0 };
                single.1 &= is_single;
            }
            multisets.insert(counts);
        }
        // Advance to the next assignment.
        let Some(at) = assigned.iter().position(|value| value + 1 < n) else { break };
        assigned[..at].fill(0);
        assigned[at] += 1;
    }
    found.n_multisets = multisets.len();
    for share in &mut found.shares {
        *share /= found.probability;
    }
    for single in &mut found.single {
        single.0 /= found.probability;
    }
    found
}

/// Estimates the distribution of the values of a column from the values that the label of each row
/// covers: `n_steps` steps of expectation maximization, with `added` rows for each value.
pub fn prior(covered: &[Vec<usize>], n_values: usize, n_steps: usize, added: f64) -> Vec<f64> {
    let mut prior = vec![1.0 / n_values as f64; n_values];
    for _ in 0..n_steps {
        let mut rows = vec![added; n_values];
        for values in covered {
            let sum: f64 = values.iter().map(|value| prior[*value]).sum();
            values.iter().for_each(|value| rows[*value] += prior[*value] / sum);
        }
        let all: f64 = rows.iter().sum();
        prior = rows.iter().map(|rows| rows / all).collect();
    }
    prior
}
