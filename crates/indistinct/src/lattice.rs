//! The lattice of a policy: which levels together satisfy it, and what becomes of the table at any of them. Nothing is written.

use indistinct_core::risk::Risk;
use indistinct_core::{
    CertifiedRelease, DROPPED, FrequencyTable, Generalization, Observer, Partition, PrincipleClaim,
    Recoding, claims_of,
};
use indistinct_methods::{Answer, Key, PreparedTable, Task, full_domain};
pub use indistinct_search::full_domain::{Survey, SurveyedNode};

use crate::anonymize::describe::losses;
use crate::error::Error;
use crate::job::Job;

/// The lattice of a policy, as far as it was looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Lattice {
    /// The quasi-identifiers, each with the number of its levels.
    pub attributes: Vec<(String, usize)>,
    /// Rows of the table.
    pub n_rows: u64,
    /// The loss that is to be least.
    pub objective: &'static str,
    /// Its nodes.
    pub survey: Survey,
}

/// A node of the lattice: what the table would be with these levels.
#[derive(Debug, Clone)]
pub struct Node {
    /// Whether it satisfies the policy; then the certifier has passed it, and the figures are those of the release. Else nothing is
    /// suppressed, and the figures say what is there.
    pub holds: bool,
    /// Rows of the table.
    pub n_rows: u64,
    /// Rows that are suppressed, or would have to be; `None` if suppressing rows does not help.
    pub n_suppressed: Option<u64>,
    /// Its classes.
    pub n_classes: u64,
    /// The loss named `loss`, in [0, 1]; of a release only.
    pub loss: Option<f64>,
    /// What the rows risk.
    pub risk: Risk,
    /// Required and reached.
    pub principles: Vec<PrincipleClaim>,
    /// Some rows before and after, for the holder's eyes.
    pub rows: Vec<ShownRow>,
    /// The smallest and the largest classes, for the holder's eyes.
    pub classes: Vec<ShownClass>,
}

/// Rows of the table that are alike, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownRow {
    /// How many.
    pub n_rows: u64,
    /// The values of the quasi-identifiers.
    pub before: Vec<String>,
    /// Their released labels; `None` where the rows are left out.
    pub after: Option<Vec<String>>,
}

/// A class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownClass {
    /// The released labels of the quasi-identifiers.
    pub labels: Vec<String>,
    /// Its rows.
    pub n_rows: u64,
    /// Whether all principles hold in it.
    pub holds: bool,
}

/// Rows that are shown of a node.
const MOST_ROWS: usize = 8;
/// Of these at the most so many that are left out.
const MOST_LEFT_OUT: usize = 2;
/// Classes that are shown from either end.
const MOST_CLASSES: usize = 3;

/// Looks at the lattice: at all nodes if there are at most `most`, else at those on the way through the best one.
///
/// # Errors
/// [`Error`] if the table cannot be read or does not fit the policy, or the observer cancels.
pub fn lattice(job: &Job, most: u64) -> Result<Lattice, Error> {
    job.run(|observer| {
        let prepared = job.prepared_for_questions(observer)?;
        let survey =
            full_domain::survey(&task(job, &prepared, &key(job, &prepared)?), most, observer)?;
        let columns = prepared.counted.table.quasi_identifiers().iter();
        let levels = prepared.policy.hierarchies.iter().map(|hierarchy| hierarchy.n_levels());
        Ok(Lattice {
            attributes: columns.map(|column| column.name.clone()).zip(levels).collect(),
            n_rows: prepared.counted.table.n_rows(),
            objective: job.policy().recoding.objective.name,
            survey,
        })
    })
}

/// What becomes of the table with these levels, one for each quasi-identifier.
///
/// # Errors
/// As [`lattice`]; also if there are no such levels.
pub fn node(job: &Job, levels: &[usize]) -> Result<Node, Error> {
    job.run(|observer| node_at(job, levels, observer))
}

fn node_at(job: &Job, levels: &[usize], observer: &dyn Observer) -> Result<Node, Error> {
    let prepared = job.prepared_for_questions(observer)?;
    let key = key(job, &prepared)?;
    let task = task(job, &prepared, &key);
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
                .expect("the search has looked at these levels");
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
    let (release, recoding) = certified.rows().expect("the lattice gives one table of rows");
    let claims = certified.claims();
    Ok(Node {
        holds: true,
        n_rows: table.n_rows(),
        n_suppressed: Some(certified.n_suppressed()),
        n_classes: claims.n_classes,
        loss: losses(release, &prepared, recoding, &job.bound().weights()).get("loss").copied(),
        risk: claims.risk,
        principles: claims.principles.clone(),
        rows: rows(release.table(), release.partition()),
        classes: classes(release.partition(), |_| true),
    })
}

fn key(job: &Job, prepared: &PreparedTable) -> Result<Key, Error> {
    Ok(Key::new(job.policy().recoding.seed, &prepared.counted.fingerprint)?)
}

fn task<'a>(job: &'a Job, prepared: &'a PreparedTable, key: &'a Key) -> Task<'a> {
    Task { bound: job.bound(), prepared, key }
}

/// At most `n` of them, from the first to the last.
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
    fn a_few_of_many_are_spread() {
        assert_eq!(spread(&[1, 2, 3, 4, 5], 3), [1, 3, 5]);
        assert_eq!(spread(&[1, 2], 3), [1, 2]);
        assert_eq!(spread(&[1, 2], 1), [1]);
        assert!(spread::<u8>(&[], 3).is_empty());
    }
}
