//! # Anatomy
//!
//! **Definition.** Nothing is generalized. Rows are divided into classes, and two tables are
//! released: the raw quasi-identifiers with the class of each row, and the number of occurrences of
//! each sensitive value in each class.
//! **Formula.** A bucket consists of the rows with one sensitive value. A class takes one row from
//! each of the largest buckets until it satisfies the principles. The rows that remain at the end
//! join classes without their sensitive value.
//! **Choice.** The counts of the sensitive values alone determine the number of rows of each
//! sensitive value in a class; the key alone determines which rows these are and how classes are
//! numbered. Therefore, all assignments of the sensitive values of a class to its rows are equally
//! likely, even for an adversary who knows the algorithm (test `all_matchings_are_equally_likely`).
//! **Supports.** Every principle that is preserved when classes are merged, on exactly one
//! sensitive attribute. Because the remaining rows always satisfy the principles as one class, the
//! search finds classes whenever the whole table satisfies them (test
//! `anatomy_feasibility_matches_brute_force`). For frequency l-diversity with an integer l, the
//! number of classes is the maximum, n / l rounded down (test `number_of_classes_is_maximal`).
//! **Suppression.** Rows are suppressed only if the table fails as a whole. For principles that
//! depend only on the frequencies of sensitive values, the number of suppressed rows is minimal.
//! Suppressed rows are in neither table. **Objective.** None, because quasi-identifiers lose
//! nothing, and the reconstruction error of the sensitive values falls with the number of classes.
//! **Complexity.** O(n + c s) steps and O(n) memory for n rows, c classes, and s distinct sensitive
//! values.
//! **Errors.** [`SearchError`].
//! **Does not protect against.** Membership and identity disclosure, because quasi-identifiers are
//! released unchanged; similar sensitive values; linkage of releases.
//! **Source.** Xiao, Tao, VLDB 2006, Figure 3. Deviations: any principle that is preserved when
//! classes are merged replaces l-diversity, with "the remaining rows satisfy the principles as one
//! class" as the eligibility condition; a remaining row joins the next possible class instead of a
//! random one, because rows are drawn after the classes are formed.
//!
//! The classes of a counted table under a policy.

use indistinct_core::{
    Anatomy, FrequencyTable, Nearest, Observer, Optimality, Part, Phase, UnservedRequirement,
    anatomy_serves,
};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

use self::buckets::{Buckets, Continue, OfValue};
use crate::curve::judge::{Counts, Judge};
use crate::curve::suppress::{self, BlockSuppression};
use crate::random::shuffle;
use crate::stop::Stop;
use crate::{FoundRecoding, NotFound, Outcome, Problem, Search, SearchError};

mod buckets;

/// Divides the rows into classes by sensitive value, on one thread. The search ignores the
/// hierarchies of the policy, the weights, and the bounds. After the time limit, the remaining rows
/// form one class.
#[derive(Clone, Copy)]
pub struct TwoTables {
    /// The secret key that decides which rows are in one class, derived from the seed and a digest
    /// of the private input.
    pub key: [u8; 32],
}

impl std::fmt::Debug for TwoTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Omit the key, which is secret.
        f.debug_struct("TwoTables").finish_non_exhaustive()
    }
}

impl Search for TwoTables {
    type Proposal = Anatomy;
    type Nearest = indistinct_core::Nearest;

    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Anatomy>, SearchError> {
        separate(problem, self.key, observer)
    }
}

/// The stream of the random generator from which rows are drawn; the writer uses other streams.
const STREAM: u64 = u64::from_be_bytes(*b"anatomy.");

/// Number of classes between two checks of the time limit.
const CLASSES_A_LOOK: u64 = 256;

/// Converts errors of the shared evaluation into errors about two separate tables.
fn not_served(error: SearchError) -> SearchError {
    match error {
        SearchError::CountsPopulation { kind } => UnservedRequirement::Presence { kind }.into(),
        SearchError::OthersNotServed { kind } => UnservedRequirement::Others { kind }.into(),
        error => error,
    }
}

/// Divides the rows of a table into classes that satisfy the principles.
pub(super) fn separate(
    problem: &Problem<'_>,
    key: [u8; 32],
    observer: &dyn Observer,
) -> Result<Outcome<Anatomy>, SearchError> {
    let (table, policy) = (problem.table, problem.policy);
    let stop = Stop::new(observer, problem.time_limit);
    anatomy_serves(table, policy)?;
    let mut judge = Judge::new(table, policy).map_err(not_served)?;
    let n_rows = table.n_rows();
    let mut left = table.marginal(&table.sensitive()[0]);
    // If no principle refers to the sensitive values, no codes are evaluated.
    let is_judged = !judge.attributes.is_empty();
    let codes: Vec<Vec<u32>> = (0..left.len() as u32)
        .map(|code| if is_judged { vec![code] } else { Vec::new() })
        .collect();
    let Some(dropped) = suppress_where_needed(problem, &mut judge, &codes, &mut left) else {
        let is_proved = problem.policy.max_suppressed(problem.table) == 0 && !judge.is_stricter;
        let nearest = Nearest::new(Vec::new(), n_rows, None);
        return Ok(Outcome::NotFound(NotFound::new(nearest, is_proved)));
    };
    let mut n_checks = 0;
    let next = |n_left: u64| {
        n_checks += 1;
        if n_checks % CLASSES_A_LOOK != 1 {
            return Continue::Yes;
        }
        observer.progress(Phase::Search, n_rows - n_left, n_rows);
        match (observer.is_cancelled(), stop.is_over()) {
            (true, _) => Continue::Cancelled,
            (false, true) => Continue::TimeIsUp,
            (false, false) => Continue::Yes,
        }
    };
    let built = Buckets::new(&judge, &codes, left).classes(next).ok_or(SearchError::Cancelled)?;
    let n_suppressed = dropped.iter().map(|(_, rows)| rows).sum();
    let optimality = if built.is_cut_short { Optimality::STOPPED } else { Optimality::Separated };
    let proposal = drawn(table, &built.classes, &dropped, key);
    let found = FoundRecoding::new(proposal, optimality, n_suppressed, built.classes.len());
    Ok(Outcome::Found(Box::new(found)))
}

/// Maximum number of rounds of suppression. Each round may change the principles that depend on the
/// released rows as a whole.
const MOST_ROUNDS: usize = 8;

/// Removes rows from the buckets within the limit until the remaining rows satisfy the principles
/// as one class.
fn suppress_where_needed(
    problem: &Problem<'_>,
    judge: &mut Judge<'_>,
    codes: &[Vec<u32>],
    left: &mut [u64],
) -> Option<OfValue> {
    let counts_of = |left: &[u64], n_attributes: usize| {
        let mut counts = Counts::new(n_attributes);
        for (codes, &rows) in codes.iter().zip(left).filter(|(_, rows)| **rows > 0) {
            counts.add(codes, rows);
        }
        counts
    };
    let n_attributes = judge.attributes.len();
    let before = left.to_vec();
    let mut most = problem.policy.max_suppressed(problem.table);
    for _ in 0..MOST_ROUNDS {
        let counts = counts_of(left, n_attributes);
        if counts.size == 0 || judge.holds(&counts) {
            let taken = (0u32..).zip(before.iter().zip(left.iter()));
            let taken = taken.map(|(value, (before, left))| (value, before - left));
            return Some(taken.filter(|(_, rows)| *rows > 0).collect());
        }
        match suppress::choose(judge, codes, left, most)? {
            BlockSuppression::All => left.fill(0),
            BlockSuppression::Rows(rows) => {
                for (left, rows) in left.iter_mut().zip(rows) {
                    *left -= rows;
                    most -= rows;
                }
            }
        }
        if judge.depends_on_rows {
            judge.against(&counts_of(left, n_attributes));
        }
    }
    None
}

/// Draws the rows of each class and the class numbers.
fn drawn(table: &FrequencyTable, classes: &[OfValue], dropped: &OfValue, key: [u8; 32]) -> Anatomy {
    let mut random = ChaCha20Rng::from_seed(key);
    random.set_stream(STREAM);
    let values = &table.sensitive()[0];
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); values.dictionary.len()];
    for (tuple, (&code, &count)) in (0u32..).zip(values.codes.iter().zip(table.counts())) {
        buckets[code as usize].extend(std::iter::repeat_n(tuple, count as usize));
    }
    for bucket in &mut buckets {
        shuffle(bucket, &mut random);
    }
    let mut numbers: Vec<u32> = (0..classes.len() as u32).collect();
    shuffle(&mut numbers, &mut random);

    let mut places: Vec<(u32, Option<u32>)> = Vec::with_capacity(table.n_rows() as usize);
    let numbered = numbers.iter().map(|&number| Some(number)).zip(classes);
    for (class, of_value) in numbered.chain([(None, dropped)]) {
        for &(value, rows) in of_value {
            let bucket = &mut buckets[value as usize];
            let rows = bucket.drain(bucket.len() - rows as usize..);
            places.extend(rows.map(|tuple| (tuple, class)));
        }
    }
    places.sort_unstable();
    let parts: Vec<(Part, Option<u32>)> = places
        .chunk_by(|a, b| a == b)
        .map(|same| (Part { tuple: same[0].0, rows: same.len() as u64 }, same[0].1))
        .collect();
    let is_divided = parts.len() > table.n_tuples();
    Anatomy {
        parts: is_divided.then(|| parts.iter().map(|(part, _)| *part).collect()),
        class_of: parts.iter().map(|(_, class)| class.unwrap_or(0)).collect(),
        suppressed: parts.iter().map(|(_, class)| class.is_none()).collect(),
    }
}
