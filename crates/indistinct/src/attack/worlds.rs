//! Runs the method again on the possible original tables ("worlds") that are consistent with a
//! release.

use std::cell::Cell;
use std::collections::BTreeMap;

use indistinct_attack::worlds::{ATTACK, Effort, WorldsAnswer, attack as try_worlds};
use indistinct_attack::{Figures, Finding, WhyUntried};
use indistinct_core::published::{Attachment, PublishedRows, ReleaseWithOriginal};
use indistinct_core::{CertifiedRelease, DROPPED, FrequencyTable, Observer, Release};
use indistinct_methods::{Answer, Key, PreparedTable, Task};
use indistinct_release::View;

use super::{AttackRequest, Findings, goes_on};
use crate::error::Error;
use crate::job::{Aim, Job};
use crate::requirements::needs_population;
use crate::session::Session;

/// By default, the method runs on at most this many rows (worlds times rows), and on at most
/// [`MOST_WORLDS`] worlds.
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

pub(super) fn attack(
    session: &Session,
    opened: &View,
    pair: Option<&ReleaseWithOriginal>,
    request: &AttackRequest<'_>,
    observer: &dyn Observer,
    found: &mut Findings,
) -> Result<(), Error> {
    let policy = &opened.policy;
    let n_rows = opened.published.rows.n_rows().max(1);
    let effort = match request.worlds {
        Some(worlds) => Effort::Drawn(worlds),
        None => Effort::AllUpTo(MOST_WORLDS.min(MOST_ROWS / n_rows)),
    };
    let mut not = |why: WhyUntried| found.not_tried(&ATTACK, None, why);
    let (Some(pair), Some(data)) = (pair, request.original) else {
        not(WhyUntried::NoOriginal);
        return Ok(());
    };
    let method = session.methods().of_kind(policy.recoding.method);
    if !method.follows_from_the_table(&policy.recoding) {
        not(WhyUntried::NotByTableAlone);
    } else if opened.published.attachment != Attachment::ToRows {
        not(WhyUntried::SensitiveValuesApart);
    } else if policy.people.is_some() || policy.principles.iter().any(needs_population) {
        not(WhyUntried::CountsPeople);
    } else {
        let job = Job::open_file(
            session,
            &opened.holders_policy_path(request.policy)?,
            Some(data),
            Aim::Check,
        )?;
        let prepared = job.prepare(observer)?;
        let key = Key::new(job.policy().recoding.seed, &prepared.counted.fingerprint)?;
        let runs = Runs {
            job: &job,
            prepared: &prepared,
            key: &key,
            released: of_published(&opened.published),
            observer: Quiet(observer),
            is_stopped: Cell::new(false),
        };
        let requirements = job.bound().requirements(&pair.original, None)?;
        let mut leads = |world| runs.leads(world);
        let tried = try_worlds(pair, &requirements, effort, &mut leads, observer)?;
        match tried {
            _ if runs.is_stopped.get() => {
                not(WhyUntried::TimeLimit);
            }
            WorldsAnswer::Not(why) => not(why),
            WorldsAnswer::Found(figures) => {
                found.findings.push(Finding::new(None, Figures::Worlds(figures)));
            }
        }
    }
    Ok(())
}

/// The inputs for running the method again.
struct Runs<'a> {
    job: &'a Job,
    prepared: &'a PreparedTable,
    key: &'a Key,
    released: Visible,
    observer: Quiet<'a>,
    is_stopped: Cell<bool>,
}

impl Runs<'_> {
    /// Whether the method produces the given release if it runs on a table.
    fn leads(&self, world: FrequencyTable) -> Result<bool, Error> {
        goes_on(&self.observer)?;
        let (bound, key) = (self.job.bound(), self.key);
        let prepared = &self.prepared.of_table(bound, world)?;
        let task = Task { bound, prepared, key };
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
