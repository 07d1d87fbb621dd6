//! Explores the lattice of a policy: the combinations of levels that satisfy the policy, with the
//! generalized table at each node. No files are written.

use indistinct_core::risk::Risk;
use indistinct_core::{
    CertifiedRelease, DROPPED, FrequencyTable, Generalization, Partition, PrincipleClaim, Recoding,
    claims_of,
};
use indistinct_methods::{Answer, full_domain};
pub use indistinct_search::full_domain::{Survey, SurveyedNode};

use crate::anonymize::describe::losses;
use crate::error::Error;
use crate::job::Job;

/// The explored part of the lattice of a policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Lattice {
    /// The quasi-identifiers, each with its number of levels.
    pub attributes: Vec<(String, usize)>,
    /// Number of rows in the table.
    pub n_rows: u64,
    /// The loss to minimize.
    pub objective: &'static str,
    /// The nodes of the lattice.
    pub survey: Survey,
}

/// A node of the lattice, with the figures of the table at its levels.
#[derive(Debug, Clone)]
pub struct Node {
    /// Whether the node satisfies the policy. If it does, the certifier has accepted the node, and
    /// the figures describe the release. Otherwise, no row is suppressed, and the figures describe
    /// the generalized table.
    pub holds: bool,
    /// Number of rows in the table.
    pub n_rows: u64,
    /// Number of rows that are suppressed or would have to be suppressed to satisfy the policy;
    /// `None` if suppression is not sufficient.
    pub n_suppressed: Option<u64>,
    /// Number of classes at this node.
    pub n_classes: u64,
    /// The loss named `loss`, in [0, 1]; present only if the node satisfies the policy.
    pub loss: Option<f64>,
    /// The re-identification risk of the rows.
    pub risk: Risk,
    /// The required and achieved parameters of each principle.
    pub principles: Vec<PrincipleClaim>,
    /// Some rows before and after recoding, for the data holder only.
    pub rows: Vec<ShownRow>,
    /// The smallest and the largest classes, for the data holder only.
    pub classes: Vec<ShownClass>,
}

/// A set of equal rows of the table, before and after recoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownRow {
    /// Number of equal rows.
    pub n_rows: u64,
    /// The original values of the quasi-identifiers.
    pub before: Vec<String>,
    /// The released labels of the quasi-identifiers; `None` if the rows are suppressed.
    pub after: Option<Vec<String>>,
}

/// A class of the release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownClass {
    /// The released labels of the quasi-identifiers.
    pub labels: Vec<String>,
    /// Number of rows in the class.
    pub n_rows: u64,
    /// Whether the class satisfies all principles.
    pub holds: bool,
}

/// Number of example rows shown for a node.
const MOST_ROWS: usize = 8;
/// Maximum number of suppressed rows among the example rows.
const MOST_LEFT_OUT: usize = 2;
/// Number of smallest classes and of largest classes shown for a node.
const MOST_CLASSES: usize = 3;

/// Explores the lattice: all nodes if there are at most `most`, and otherwise only those on a path
/// through the best node.
///
/// # Errors
/// [`Error`] if the table cannot be read or does not match the policy, or if the observer cancels.
pub fn lattice(job: &Job, most: u64) -> Result<Lattice, Error> {
    job.run(|observer| {
        let prepared = job.prepared_for_questions(observer)?;
        let survey = full_domain::survey(&prepared.task(job), most, observer)?;
        let table = &prepared.table.counted.table;
        let columns = table.quasi_identifiers().iter();
        let levels = prepared.table.policy.hierarchies.iter().map(|hierarchy| hierarchy.n_levels());
        Ok(Lattice {
            attributes: columns.map(|column| column.name.clone()).zip(levels).collect(),
            n_rows: table.n_rows(),
            objective: job.policy().recoding.objective.name,
            survey,
        })
    })
}

/// Returns the figures of the table at these levels, one for each quasi-identifier.
///
/// # Errors
/// Returns the errors of [`lattice`], and [`Error`] if the levels do not exist.
pub fn node(job: &Job, levels: &[usize]) -> Result<Node, Error> {
    job.run(|observer| {
        let prepared = job.prepared_for_questions(observer)?;
        let task = prepared.task(job);
        let (table, policy) = (task.table(), task.policy());
        let bounds = levels.iter().map(|&level| level..=level).collect();
        let proposal = match full_domain::within(&task, &bounds, observer)? {
            Answer::Found(proposal) => proposal,
            Answer::NotFound(not_found) => {
                let recoding = Recoding {
                    generalization: Generalization::of_levels(levels.to_vec()),
                    suppressed: vec![false; table.n_tuples()],
                    sensitive: None,
                };
                let partition = Partition::new(table, policy, &recoding)
                    .expect("the search has evaluated these levels");
                let judged = claims_of(table, &partition, &policy.requirements);
                return Ok(Node {
                    holds: false,
                    n_rows: table.n_rows(),
                    n_suppressed: not_found
                        .nearest
                        .as_ref()
                        .and_then(|it| it.nearest()?.n_suppressed_needed),
                    n_classes: partition.classes.len() as u64,
                    loss: None,
                    risk: judged.claims.risk,
                    principles: judged.claims.principles,
                    rows: rows(table, &partition),
                    classes: classes(&partition, |class| judged.class_holds[class]),
                });
            }
        };
        let certified = CertifiedRelease::from_draft(table, policy, &proposal.draft)?;
        let (release, recoding) =
            certified.rows().expect("each node of the lattice produces a single table");
        let claims = certified.claims();
        Ok(Node {
            holds: true,
            n_rows: table.n_rows(),
            n_suppressed: Some(certified.n_suppressed()),
            n_classes: claims.n_classes,
            loss: losses(release, &prepared.table, recoding, &job.bound().weights())
                .get("loss")
                .copied(),
            risk: claims.risk,
            principles: claims.principles.clone(),
            rows: rows(release.table(), release.partition()),
            classes: classes(release.partition(), |_| true),
        })
    })
}

/// Returns at most `n` evenly spaced elements, including the first and the last.
fn spread<T: Copy>(all: &[T], n: usize) -> Vec<T> {
    let n = n.min(all.len());
    (0..n).map(|at| all[at * (all.len() - 1) / (n - 1).max(1)]).collect()
}

fn labels(partition: &Partition, class: u32) -> Vec<String> {
    let labels = partition.classes.get(class).labels.iter().zip(&partition.labels);
    labels.map(|(&label, all)| all[label as usize].clone()).collect()
}

fn rows(table: &FrequencyTable, partition: &Partition) -> Vec<ShownRow> {
    let is_left_out = |tuple: &usize| partition.class_of[*tuple] == DROPPED;
    let (left_out, retained): (Vec<usize>, Vec<usize>) =
        (0..table.n_tuples()).partition(is_left_out);
    let left_out = spread(&left_out, MOST_LEFT_OUT);
    let mut shown = spread(&retained, MOST_ROWS - left_out.len());
    shown.extend(left_out);
    let of = |tuple: usize| ShownRow {
        n_rows: table.counts()[tuple],
        before: table
            .quasi_identifiers()
            .iter()
            .map(|column| column.dictionary.value(column.codes[tuple]).to_owned())
            .collect(),
        after: (!is_left_out(&tuple)).then(|| labels(partition, partition.class_of[tuple])),
    };
    shown.into_iter().map(of).collect()
}

fn classes(partition: &Partition, holds: impl Fn(usize) -> bool) -> Vec<ShownClass> {
    let mut all: Vec<usize> = (0..partition.classes.len()).collect();
    all.sort_by_key(|&class| (partition.classes.sizes()[class], class));
    if all.len() > 2 * MOST_CLASSES {
        all.drain(MOST_CLASSES..all.len() - MOST_CLASSES);
    }
    let of = |class: usize| ShownClass {
        labels: labels(partition, class as u32),
        n_rows: partition.classes.sizes()[class],
        holds: holds(class),
    };
    all.into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampled_nodes_are_evenly_spread() {
        assert_eq!(spread(&[1, 2, 3, 4, 5], 3), [1, 3, 5]);
        assert_eq!(spread(&[1, 2], 3), [1, 2]);
        assert_eq!(spread(&[1, 2], 1), [1]);
        assert!(spread::<u8>(&[], 3).is_empty());
    }
}
