//! Runs the method again on the possible original tables ("worlds") that are consistent with a
//! release.

use std::cell::Cell;
use std::collections::BTreeMap;

use indistinct_attack::worlds::{Effort, WorldsAnswer, attack as try_worlds};
use indistinct_attack::{Figures, WhyUntried};
use indistinct_core::published::{Attachment, PublishedRows};
use indistinct_core::{CertifiedRelease, DROPPED, FrequencyTable, Observer, Release};
use indistinct_methods::{Answer, Task};

use super::{Attempt, Tried, goes_on};
use crate::error::Error;
use crate::job::{Aim, Job, Prepared};
use crate::requirements::needs_population;

/// By default, the number of worlds times the number of rows is at most this number, and the number
/// of worlds is at most [`MOST_WORLDS`].
const MOST_ROWS: u64 = 20_000;
const MOST_WORLDS: u64 = 1_000;

/// The published content of a release: the labels and sensitive values of each class, in ascending
/// order.
type Visible = Vec<(Vec<String>, BTreeMap<String, u64>)>;

/// An observer that ignores progress but forwards cancellation.
struct Quiet<'a>(&'a dyn Observer);

impl Observer for Quiet<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

impl Attempt<'_> {
    pub(super) fn worlds(self) -> Result<Tried, Error> {
        let Attempt { session, opened, request, observer, .. } = self;
        let policy = &opened.policy;
        let n_rows = opened.published.rows.n_rows().max(1);
        let effort = match request.worlds {
            Some(worlds) => Effort::Drawn(worlds),
            None => Effort::AllUpTo(MOST_WORLDS.min(MOST_ROWS / n_rows)),
        };
        let (Some(pair), Some(data)) = (self.pair, request.original) else {
            return Ok(Err(WhyUntried::NoOriginal));
        };
        let method = session.methods().of_kind(policy.recoding.method);
        if !method.follows_from_the_table(&policy.recoding) {
            return Ok(Err(WhyUntried::NotByTableAlone));
        }
        if opened.published.attachment != Attachment::ToRows {
            return Ok(Err(WhyUntried::SensitiveValuesApart));
        }
        if policy.people.is_some() || policy.principles.iter().any(needs_population) {
            return Ok(Err(WhyUntried::CountsPeople));
        }
        let policy = opened.holders_policy_path(request.policy)?;
        let job = Job::open_file(session, &policy, Some(data), Aim::Check)?;
        let runs = Runs {
            job: &job,
            prepared: &Prepared::new(&job, job.prepare(observer)?)?,
            released: of_published(&opened.published),
            observer: Quiet(observer),
            is_stopped: Cell::new(false),
        };
        let requirements = job.bound().requirements(&pair.original, None)?;
        let mut leads = |world| runs.leads(world);
        Ok(match try_worlds(pair, &requirements, effort, &mut leads, observer)? {
            _ if runs.is_stopped.get() => Err(WhyUntried::TimeLimit),
            WorldsAnswer::Not(why) => Err(why),
            WorldsAnswer::Found(figures) => Ok(Figures::Worlds(figures)),
        })
    }
}

/// The inputs for running the method again.
struct Runs<'a> {
    job: &'a Job,
    prepared: &'a Prepared,
    released: Visible,
    observer: Quiet<'a>,
    is_stopped: Cell<bool>,
}

impl Runs<'_> {
    /// Returns whether the method, applied to a table, produces the given release.
    fn leads(&self, world: FrequencyTable) -> Result<bool, Error> {
        goes_on(&self.observer)?;
        let prepared = &self.prepared.table.of_table(self.job.bound(), world)?;
        let task = Task { prepared, ..self.prepared.task(self.job) };
        let Answer::Found(proposal) = self.job.method().propose(&task, &self.observer)? else {
            return Ok(false);
        };
        self.is_stopped.set(self.is_stopped.get() || proposal.optimality.is_stopped());
        let certified = CertifiedRelease::from_draft(task.table(), task.policy(), &proposal.draft)?;
        let rows = certified.rows();
        Ok(rows.is_some_and(|(release, _)| of_release(release) == self.released))
    }
}

/// The published content of classes, including the class number, because several classes may have
/// the same labels.
type ByClass = BTreeMap<(u32, Vec<String>), BTreeMap<String, u64>>;

fn visible(classes: ByClass) -> Visible {
    let mut visible: Visible =
        classes.into_iter().map(|((_, labels), values)| (labels, values)).collect();
    visible.sort();
    visible
}

fn of_published(published: &PublishedRows) -> Visible {
    let rows = &published.rows;
    let mut classes = ByClass::new();
    for (tuple, &class) in published.class_of.iter().enumerate() {
        let text = |column: &indistinct_core::model::CountedColumn| {
            column.dictionary.value(column.codes[tuple]).to_owned()
        };
        let labels = rows.quasi_identifiers().iter().map(text).collect();
        let value = rows.sensitive().first().map(text).unwrap_or_default();
        let values = classes.entry((class, labels)).or_default();
        *values.entry(value).or_default() += rows.counts()[tuple];
    }
    visible(classes)
}

fn of_release(release: &Release<'_>) -> Visible {
    let (table, partition) = (release.table(), release.partition());
    let mut classes = ByClass::new();
    for (tuple, &class) in partition.class_of.iter().enumerate() {
        if class == DROPPED {
            continue;
        }
        let of_class = partition.classes.get(class);
        let labels = partition.labels.iter().zip(of_class.labels);
        let labels = labels.map(|(labels, &label)| labels[label as usize].clone()).collect();
        let column = table.sensitive().first();
        let value = column.map(|column| column.dictionary.value(column.codes[tuple]).to_owned());
        let values = classes.entry((class, labels)).or_default();
        *values.entry(value.unwrap_or_default()).or_default() += table.counts()[tuple];
    }
    visible(classes)
}
