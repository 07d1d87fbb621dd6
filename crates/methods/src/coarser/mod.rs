//! # A recoding that retains enough sensitive values after linkage
//!
//! **Definition.** Among the recodings that satisfy the policy, the recoding with the smallest
//! objective that leaves no person below the `[linkage]` minimum. The method's own recoding is
//! tried first, followed by coarser recodings if the first one harms a person. **Formula.**
//! *Full-domain:* if a node harms a person and no row is suppressed, every node below also harms a
//! person, because the classes of the lower node are parts of the classes of the upper node and
//! leave fewer values. After a harmful node, the search therefore continues with the best of the
//! nodes that are not below: the nodes above the harmful node in the first attribute, the nodes
//! above in the second attribute but not in the first, and so on, each part as a separate search.
//! With suppressed rows, a lower node could be harmless because it releases fewer people; such
//! nodes are not searched. After [`MAX_CHECKS`] checks, a binary search on the path to the top
//! follows. *Methods by class:* the classes of earlier releases ([`aligned`]), and the same search
//! with larger classes, of at least 2, 4, 8, ... times the rows of the smallest class (for Anatomy,
//! with more sensitive values in each class); the better of both results. **Parameters.** None
//! beyond the policy; its time limit also bounds the search for coarser recodings. **Level.** The
//! effect of linking. **Complexity.** At most [`MAX_CHECKS`] searches and checks, plus the
//! logarithm of the table size. **Errors.** The same errors as the method; further searches that
//! fail are skipped. **Does not protect against.** Faults in the search; the release is therefore
//! checked again from the written files. **Source.** None; the text does not specify a solution.

mod aligned;

use std::time::{Duration, Instant};

use indistinct_core::model::CountedColumn;
use indistinct_core::principle::{Kind, Parameters, distinct_l_diversity, k_anonymity};
use indistinct_core::{
    CertifiedRelease, Observer, Optimality, Others, Rational, Requirement, loss,
};
use indistinct_ledger::{Coarser, EarlierReleases, LinkageRefusal};
use indistinct_linkage::as_published::People;
use indistinct_linkage::post_linkage::{Effect, RemainingRequirement};
use indistinct_release::ReleaseError;
use indistinct_release::as_published::from_certified;

use crate::bound::{BoundPolicy, Bounds};
use crate::error::Error;
use crate::key::Key;
use crate::policy::PrincipleSpec;
use crate::prepared::PreparedTable;
use crate::task::Task;
use crate::{Answer, Coarsening, Method, NotFound, Proposal};
use aligned::aligned;

/// The maximum number of linked recodings before the binary search on the path to the top.
const MAX_CHECKS: u64 = 64;

/// The number of bisection steps between an insufficient and a sufficient class size.
const HALVINGS: usize = 3;

/// The maximum number of earlier releases whose classes are tried.
const MAX_ALIGNED: usize = 8;

/// A search that takes recorded releases into account.
#[derive(Clone, Copy)]
pub struct LinkedSearch<'a> {
    /// The method of the policy.
    pub method: &'static dyn Method,
    /// The policy with its table.
    pub bound: &'a BoundPolicy,
    /// The key of all random choices.
    pub key: &'a Key,
    /// The recorded releases.
    pub earlier: &'a EarlierReleases,
    /// The people of the table.
    pub people: &'a People<'a>,
    /// The minimum that must remain for every person.
    pub required: Option<&'a RemainingRequirement>,
}

/// The result of the search.
pub enum LinkedOutcome {
    /// A recoding that harms no one.
    Found {
        /// The recoding.
        proposal: Box<Proposal>,
        /// The effect of linking.
        effect: Effect,
        /// The cost of the recoding, if it is coarser than the method's own recoding.
        coarser: Option<Coarser>,
    },
    /// The policy cannot be satisfied, independently of earlier releases.
    NotFound(Box<NotFound>),
    /// Every recoding that was tried harms a person.
    Refused(LinkageRefusal),
}

/// A function that searches part of the lattice.
type Within = fn(&Task<'_>, &Bounds, &dyn Observer) -> Result<Answer, Error>;

/// A recoding with its objective.
struct CostedProposal {
    proposal: Box<Proposal>,
    objective: Option<f64>,
}

/// A part of the lattice to search, and its best recoding.
struct Part {
    bounds: Bounds,
    tried: CostedProposal,
}

impl LinkedSearch<'_> {
    /// Runs the search. A proposal for a table other than the counted table replaces the table, see
    /// [`PreparedTable::take_up`].
    ///
    /// # Errors
    /// [`Error`] if the search fails, the releases cannot be linked, or the observer cancels. The
    /// time limit starts at `started`.
    pub fn run(
        &self,
        prepared: &mut PreparedTable,
        started: Instant,
        observer: &dyn Observer,
    ) -> Result<LinkedOutcome, Error> {
        let task = self.task(prepared);
        let first = match self.method.propose(&task, observer)? {
            Answer::Found(mut proposal) => {
                prepared.take_up(&mut proposal);
                self.tried(prepared, proposal)?
            }
            Answer::NotFound(not_found) => return Ok(LinkedOutcome::NotFound(not_found)),
        };
        let effect = self.effect(prepared, &first.proposal, observer)?;
        if effect.holds {
            return Ok(LinkedOutcome::Found { proposal: first.proposal, effect, coarser: None });
        }
        if self.is_hopeless(prepared) {
            return Ok(LinkedOutcome::Refused(LinkageRefusal { effect, n_tried: 1 }));
        }
        let deadline = self.bound.file.search.time_limit().map(|limit| (started, limit));
        let mut trial = Trial { n_tried: 1, nearest: effect.clone(), deadline };
        let (harmed, without) = (effect.n_violations(), first.objective);
        let found = match self.method.coarsening() {
            Coarsening::Never => None,
            Coarsening::Levels(within) => {
                self.above(prepared, within, first, &mut trial, observer)?
            }
            Coarsening::LargerClasses => {
                self.larger_classes(prepared, &first, None, &mut trial, observer)?
            }
            Coarsening::EarlierOrLargerClasses => {
                let best = self.aligned(prepared, &mut trial, observer)?;
                self.larger_classes(prepared, &first, best, &mut trial, observer)?
            }
            Coarsening::MoreValues => self.more_values(prepared, &mut trial, observer)?,
        };
        Ok(match found {
            None => LinkedOutcome::Refused(LinkageRefusal {
                effect: trial.nearest,
                n_tried: trial.n_tried,
            }),
            Some((mut tried, effect)) => {
                tried.proposal.optimality = Optimality::CoarsenedForLinkage;
                let coarser = Coarser {
                    n_tried: trial.n_tried,
                    objective: self.method.objective(&self.task(prepared)),
                    without,
                    with: tried.objective,
                    n_harmed_without: harmed,
                };
                LinkedOutcome::Found { proposal: tried.proposal, effect, coarser: Some(coarser) }
            }
        })
    }

    /// Whether the table has fewer distinct sensitive values than required, in which case every
    /// class has too few values.
    fn is_hopeless(&self, prepared: &PreparedTable) -> bool {
        let is_short = |required: &RemainingRequirement, column: &CountedColumn| {
            let n_values = i128::try_from(column.dictionary.len()).unwrap_or(i128::MAX);
            // Generalized sensitive values may represent values that do not occur.
            let is_plain = self.bound.taxonomy(&column.name).is_none();
            is_plain && Rational::from_integer(n_values) < required.l
        };
        let sensitive = prepared.counted.table.sensitive();
        self.required.is_some_and(|it| sensitive.iter().any(|column| is_short(it, column)))
    }

    fn task<'b>(&'b self, prepared: &'b PreparedTable) -> Task<'b> {
        Task { bound: self.bound, prepared, key: self.key }
    }

    fn tried(
        &self,
        prepared: &PreparedTable,
        proposal: Box<Proposal>,
    ) -> Result<CostedProposal, Error> {
        let table = &prepared.counted.table;
        let certified = CertifiedRelease::from_draft(table, &prepared.policy, &proposal.draft)?;
        let objective = match &certified {
            CertifiedRelease::Rows(release, recoding) => {
                let (objective, weights) = (self.bound.objective(), self.bound.weights());
                loss::of_release(objective, release, &prepared.policy, recoding, &weights)
            }
            CertifiedRelease::Tables(release) => Some(release.reconstruction_error()),
        };
        drop(certified);
        Ok(CostedProposal { proposal, objective })
    }

    fn effect(
        &self,
        prepared: &PreparedTable,
        proposal: &Proposal,
        observer: &dyn Observer,
    ) -> Result<Effect, Error> {
        let table = &prepared.counted.table;
        let certified = CertifiedRelease::from_draft(table, &prepared.policy, &proposal.draft)?;
        let (file, taxonomies) = (&self.bound.file, &self.bound.taxonomies);
        let published = from_certified(file, taxonomies, &prepared.policy.hierarchies, &certified)
            .map_err(|problem| ReleaseError::Hierarchies(vec![problem]))?;
        Ok(self.earlier.effect(&published, Some(self.people), self.required, observer)?)
    }

    /// Best-first search over the nodes that are not below a harmful node.
    fn above(
        &self,
        prepared: &PreparedTable,
        within: Within,
        first: CostedProposal,
        trial: &mut Trial,
        observer: &dyn Observer,
    ) -> Result<Option<(CostedProposal, Effect)>, Error> {
        let whole = self.bound.level_bounds(&prepared.policy)?;
        let mut open = vec![Part { bounds: whole.clone(), tried: first }];
        let mut is_first = true;
        while !open.is_empty() {
            let cost = |part: &Part| part.tried.objective.unwrap_or(f64::INFINITY);
            let least = (0..open.len()).min_by(|a, b| cost(&open[*a]).total_cmp(&cost(&open[*b])));
            let Part { bounds, tried } = open.remove(least.unwrap_or(0));
            let levels = tried.proposal.levels().unwrap_or_default().to_vec();
            if !std::mem::take(&mut is_first) {
                let effect = self.effect(prepared, &tried.proposal, observer)?;
                if trial.holds(&effect) {
                    return Ok(Some((tried, effect)));
                }
            }
            if trial.is_over() {
                return self.halve(prepared, within, (&whole, &levels), trial, observer);
            }
            for at in 0..levels.len() {
                if levels[at] >= *bounds[at].end() {
                    continue;
                }
                let mut part = bounds.clone();
                part[at] = levels[at] + 1..=*bounds[at].end();
                for (before, level) in levels.iter().enumerate().take(at) {
                    part[before] = *bounds[before].start()..=*level;
                }
                let found = within(&self.task(prepared), &part, observer)?;
                if let Answer::Found(proposal) = found {
                    let tried = self.tried(prepared, proposal)?;
                    open.push(Part { bounds: part, tried });
                }
            }
        }
        Ok(None)
    }

    /// Finds the first sufficient node on a path from an insufficient node to the top, raising one
    /// attribute after another.
    fn halve(
        &self,
        prepared: &PreparedTable,
        within: Within,
        (whole, from): (&Bounds, &[usize]),
        trial: &mut Trial,
        observer: &dyn Observer,
    ) -> Result<Option<(CostedProposal, Effect)>, Error> {
        let mut way = vec![from.to_vec()];
        for at in 0..from.len() {
            while let Some(last) = way.last()
                && last[at] < *whole[at].end()
            {
                let mut next = last.clone();
                next[at] += 1;
                way.push(next);
            }
        }
        let mut does = None;
        // Start at the top, because no node on the path is sufficient if the top is insufficient.
        let (mut low, mut high) = (1, way.len());
        let mut middle = way.len() - 1;
        while low < high {
            let node: Bounds = way[middle].iter().map(|level| *level..=*level).collect();
            let found = within(&self.task(prepared), &node, observer)?;
            let mut holds = false;
            if let Answer::Found(proposal) = found {
                let effect = self.effect(prepared, &proposal, observer)?;
                holds = trial.holds(&effect);
                if holds {
                    does = Some((self.tried(prepared, proposal)?, effect));
                }
            }
            match holds {
                true => high = middle,
                false => low = middle + 1,
            }
            middle = low + (high.saturating_sub(low)) / 2;
        }
        Ok(does)
    }

    /// Tries the same method with more distinct sensitive values in each class.
    fn more_values(
        &self,
        prepared: &mut PreparedTable,
        trial: &mut Trial,
        observer: &dyn Observer,
    ) -> Result<Option<(CostedProposal, Effect)>, Error> {
        let sensitive = prepared.counted.table.sensitive().iter();
        let n_values: Vec<(String, u64)> =
            sensitive.map(|column| (column.name.clone(), column.dictionary.len() as u64)).collect();
        let most = n_values.iter().map(|(_, n)| *n).max().unwrap_or(0);
        let mut best = None;
        for l in 2..=most.min(MAX_CHECKS) {
            let of = |(name, n): &(String, u64)| more(distinct_l_diversity(l.min(*n)), Some(name));
            let specs: Vec<PrincipleSpec> = n_values.iter().map(of).collect();
            if self.try_with(prepared, &specs, trial, &mut best, observer)? {
                break;
            }
        }
        Ok(best)
    }

    /// Tries the same method with larger classes. Returns its result or `best`, whichever is
    /// better.
    fn larger_classes(
        &self,
        prepared: &mut PreparedTable,
        first: &CostedProposal,
        mut best: Option<(CostedProposal, Effect)>,
        trial: &mut Trial,
        observer: &dyn Observer,
    ) -> Result<Option<(CostedProposal, Effect)>, Error> {
        let table = &prepared.counted.table;
        let certified =
            CertifiedRelease::from_draft(table, &prepared.policy, &first.proposal.draft)?;
        let smallest = certified.claims().smallest_class.unwrap_or(1).max(1);
        let n_rows = table.n_rows();
        drop(certified);
        let with = |k: u64| [more(k_anonymity(k), None)];
        let (mut fails, mut holds) = (smallest, None);
        while holds.is_none() && fails < n_rows {
            let k = fails.saturating_mul(2).min(n_rows);
            match self.try_with(prepared, &with(k), trial, &mut best, observer)? {
                true => holds = Some(k),
                false => fails = k,
            }
        }
        // Bisect between the last insufficient size and the first sufficient size.
        for _ in 0..HALVINGS {
            let Some(k) = holds.filter(|k| k - fails > 1) else { break };
            let middle = fails + (k - fails) / 2;
            match self.try_with(prepared, &with(middle), trial, &mut best, observer)? {
                true => holds = Some(middle),
                false => fails = middle,
            }
        }
        Ok(best)
    }

    /// Tries the same method with additional principles and updates `best`. Returns whether the
    /// result is sufficient.
    fn try_with(
        &self,
        prepared: &mut PreparedTable,
        specs: &[PrincipleSpec],
        trial: &mut Trial,
        best: &mut Option<(CostedProposal, Effect)>,
        observer: &dyn Observer,
    ) -> Result<bool, Error> {
        if trial.is_over() {
            return Ok(false);
        }
        let Some(proposal) = self.with_further(prepared, specs, observer)? else {
            return Ok(false);
        };
        let effect = self.effect(prepared, &proposal, observer)?;
        let holds = trial.holds(&effect);
        if holds {
            let tried = self.tried(prepared, proposal)?;
            keep_better(best, (tried, effect));
        }
        Ok(holds)
    }

    /// Returns the best recoding that uses the classes of an earlier release.
    fn aligned(
        &self,
        prepared: &PreparedTable,
        trial: &mut Trial,
        observer: &dyn Observer,
    ) -> Result<Option<(CostedProposal, Effect)>, Error> {
        let mut best = None;
        for earlier in self.earlier.latest().take(MAX_ALIGNED) {
            let Some(recoding) = aligned(self.bound, prepared, earlier) else { continue };
            let proposal = Box::new(Proposal::new(recoding, Optimality::CoarsenedForLinkage));
            // The certifier rejects classes that violate a principle, so such a recoding is not an
            // option for this table.
            let Ok(tried) = self.tried(prepared, proposal) else { continue };
            let effect = self.effect(prepared, &tried.proposal, observer)?;
            if trial.holds(&effect) {
                keep_better(&mut best, (tried, effect));
            }
        }
        Ok(best)
    }

    /// Returns the result of the method with additional principles, or `None` if the method does
    /// not support them.
    fn with_further(
        &self,
        prepared: &mut PreparedTable,
        specs: &[PrincipleSpec],
        observer: &dyn Observer,
    ) -> Result<Option<Box<Proposal>>, Error> {
        let (policy, table) = (&self.bound.file, &prepared.counted.table);
        let principle_context = self.bound.principle_context(table, None)?;
        let Ok(further) = principle_context.requirements(policy, specs.iter(), table) else {
            return Ok(None);
        };
        let n_own = prepared.policy.requirements.len();
        prepared.policy.requirements.extend(further);
        let answer = self.method.propose(&self.task(prepared), observer);
        let _: Vec<Requirement> = prepared.policy.requirements.drain(n_own..).collect();
        match answer {
            Ok(Answer::Found(proposal)) => Ok(Some(proposal)),
            Err(Error::Cancelled) => Err(Error::Cancelled),
            // The method does not support the additional principle, or finds no recoding that
            // satisfies it.
            Ok(_) | Err(_) => Ok(None),
        }
    }
}

/// Replaces `best` if `other` has a smaller objective.
fn keep_better(best: &mut Option<(CostedProposal, Effect)>, other: (CostedProposal, Effect)) {
    let cost = |it: &(CostedProposal, Effect)| it.0.objective.unwrap_or(f64::INFINITY);
    if best.as_ref().is_none_or(|best| cost(&other) < cost(best)) {
        *best = Some(other);
    }
}

/// An additional principle.
fn more(
    (kind, parameters): (&'static Kind, Parameters),
    attribute: Option<&String>,
) -> PrincipleSpec {
    PrincipleSpec { kind, attribute: attribute.cloned(), parameters, others: Others::default() }
}

/// The progress of the search.
struct Trial {
    n_tried: u64,
    /// The linkage effect with the fewest violations.
    nearest: Effect,
    deadline: Option<(Instant, Duration)>,
}

impl Trial {
    /// Counts an attempt and returns whether its effect is sufficient.
    fn holds(&mut self, effect: &Effect) -> bool {
        self.n_tried += 1;
        if effect.n_violations() < self.nearest.n_violations() {
            self.nearest = effect.clone();
        }
        effect.holds
    }

    fn is_over(&self) -> bool {
        let late = |(started, limit): (Instant, Duration)| started.elapsed() >= limit;
        self.n_tried >= MAX_CHECKS || self.deadline.is_some_and(late)
    }
}
