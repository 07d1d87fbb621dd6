//! # A recoding that retains enough sensitive values after linkage
//!
//! **Definition.** Among the recodings that satisfy the policy and leave no person below the
//! `[linkage]` minimum, the recoding with the lowest objective. The method's own recoding is tried
//! first. If it is harmful, which means that it leaves some person below the minimum, coarser
//! recodings are tried.
//! **Formula.** *Full-domain:* if a node is harmful and no row is suppressed, every node below it
//! is also harmful, because the classes of the lower node are parts of the classes of the upper
//! node and leave fewer values. After a harmful node, the search therefore continues with the best
//! of the nodes that are not below it: the nodes above the harmful node in the first attribute, the
//! nodes above in the second attribute but not in the first, and so on, each part as a separate
//! search. With suppressed rows, a lower node could be harmless because it releases fewer people;
//! such nodes are not searched. After [`MAX_CHECKS`] checks, a binary search on the path to the top
//! follows. *Methods by class:* the better result of two searches, one with the classes of earlier
//! releases ([`aligned`]), and one with larger classes, of at least 2, 4, 8, ... times the rows of
//! the smallest class (for Anatomy, with more sensitive values in each class).
//! **Parameters.** None beyond the policy. The time limit of the policy also bounds the search for
//! coarser recodings.
//! **Level.** The effect of linking.
//! **Complexity.** At most [`MAX_CHECKS`] searches and checks, plus the logarithm of the table
//! size.
//! **Errors.** The same errors as the method; additional searches that fail are skipped.
//! **Does not protect against.** Faults in the search; the release is therefore checked again from
//! the written files.
//! **Source.** None; the paper does not specify a solution.

mod aligned;

use std::time::{Duration, Instant};

use indistinct_core::model::CountedColumn;
use indistinct_core::principle::{Kind, Parameters, distinct_l_diversity, k_anonymity};
use indistinct_core::{CertifiedRelease, Observer, Optimality, Others, Rational, loss};
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

/// The maximum number of recodings to link before the binary search on the path to the top node.
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
    /// The people in the table.
    pub people: &'a People<'a>,
    /// The minimum remaining uncertainty for every person.
    pub required: Option<&'a RemainingRequirement>,
}

/// The result of the search.
pub enum LinkedOutcome {
    /// A recoding with which every person retains the minimum uncertainty.
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
    /// For every recoding that was tried, linkage violates the minimum uncertainty for a person.
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

/// A recoding with its objective and the effect of linkage.
type Checked = (CostedProposal, Effect);

impl LinkedSearch<'_> {
    /// Runs the search. If the proposal is for a different table, this table replaces the counted
    /// table; see [`PreparedTable::take_up`].
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
        let task = Task { bound: self.bound, prepared, key: self.key };
        let mut proposal = match self.method.propose(&task, observer)? {
            Answer::Found(proposal) => proposal,
            Answer::NotFound(not_found) => return Ok(LinkedOutcome::NotFound(not_found)),
        };
        prepared.take_up(&mut proposal);
        let deadline = self.bound.file.search.time_limit().map(|limit| (started, limit));
        let mut run = Run { of: *self, prepared, observer, deadline, n_tried: 1, nearest: None };
        let first = run.costed(proposal)?;
        let effect = run.effect(&first.proposal)?;
        if effect.holds {
            return Ok(LinkedOutcome::Found { proposal: first.proposal, effect, coarser: None });
        }
        run.nearest = Some(effect.clone());
        let (n_harmed_without, without) = (effect.n_violations(), first.objective);
        let found = match self.method.coarsening() {
            _ if run.is_hopeless() => None,
            Coarsening::Never => None,
            Coarsening::Levels(within) => run.above(within, first)?,
            Coarsening::LargerClasses => run.larger_classes(&first, None)?,
            Coarsening::EarlierOrLargerClasses => {
                let best = run.aligned()?;
                run.larger_classes(&first, best)?
            }
            Coarsening::MoreValues => run.more_values()?,
        };
        let n_tried = run.n_tried;
        let Some((mut tried, effect)) = found else {
            let effect = run.nearest.unwrap_or(effect);
            return Ok(LinkedOutcome::Refused(LinkageRefusal { effect, n_tried }));
        };
        tried.proposal.optimality = Optimality::CoarsenedForLinkage;
        let (objective, with) = (self.method.objective(&run.task()), tried.objective);
        let coarser = Some(Coarser { n_tried, objective, without, with, n_harmed_without });
        Ok(LinkedOutcome::Found { proposal: tried.proposal, effect, coarser })
    }
}

/// A running search.
struct Run<'a> {
    of: LinkedSearch<'a>,
    prepared: &'a mut PreparedTable,
    observer: &'a dyn Observer,
    deadline: Option<(Instant, Duration)>,
    n_tried: u64,
    /// The linkage effect with the fewest violations.
    nearest: Option<Effect>,
}

impl Run<'_> {
    /// Returns whether the table has fewer distinct sensitive values than required, in which case
    /// every class has too few values.
    fn is_hopeless(&self) -> bool {
        let is_short = |required: &RemainingRequirement, column: &CountedColumn| {
            let n_values = i128::try_from(column.dictionary.len()).unwrap_or(i128::MAX);
            // A generalized sensitive value may represent values that do not occur in the table.
            let is_plain = self.of.bound.taxonomy(&column.name).is_none();
            is_plain && Rational::from_integer(n_values) < required.l
        };
        let sensitive = self.prepared.counted.table.sensitive();
        self.of.required.is_some_and(|it| sensitive.iter().any(|column| is_short(it, column)))
    }

    fn is_over(&self) -> bool {
        let late = |(started, limit): (Instant, Duration)| started.elapsed() >= limit;
        self.n_tried >= MAX_CHECKS || self.deadline.is_some_and(late)
    }

    fn task(&self) -> Task<'_> {
        Task { bound: self.of.bound, prepared: self.prepared, key: self.of.key }
    }

    fn certified<'b>(&'b self, proposal: &'b Proposal) -> Result<CertifiedRelease<'b>, Error> {
        let (table, policy) = (&self.prepared.counted.table, &self.prepared.policy);
        Ok(CertifiedRelease::from_draft(table, policy, &proposal.draft)?)
    }

    fn costed(&self, proposal: Box<Proposal>) -> Result<CostedProposal, Error> {
        let objective = match &self.certified(&proposal)? {
            CertifiedRelease::Rows(release, recoding) => {
                let (objective, weights) = (self.of.bound.objective(), self.of.bound.weights());
                loss::of_release(objective, release, &self.prepared.policy, recoding, &weights)
            }
            CertifiedRelease::Tables(release) => Some(release.reconstruction_error()),
        };
        Ok(CostedProposal { proposal, objective })
    }

    fn effect(&self, proposal: &Proposal) -> Result<Effect, Error> {
        let certified = self.certified(proposal)?;
        let (file, taxonomies) = (&self.of.bound.file, &self.of.bound.taxonomies);
        let hierarchies = &self.prepared.policy.hierarchies;
        let published = from_certified(file, taxonomies, hierarchies, &certified)
            .map_err(|problem| ReleaseError::Hierarchies(vec![problem]))?;
        let LinkedSearch { earlier, people, required, .. } = self.of;
        Ok(earlier.effect(&published, Some(people), required, self.observer)?)
    }

    /// Counts an attempt. Returns the effect of linkage if every person retains the minimum
    /// uncertainty.
    fn sufficient(&mut self, proposal: &Proposal) -> Result<Option<Effect>, Error> {
        let effect = self.effect(proposal)?;
        self.n_tried += 1;
        let n_before = self.nearest.as_ref().map_or(u64::MAX, Effect::n_violations);
        if effect.n_violations() < n_before {
            self.nearest = Some(effect.clone());
        }
        Ok(effect.holds.then_some(effect))
    }

    /// Searches a part of the lattice.
    fn within(&self, within: Within, bounds: &Bounds) -> Result<Option<Box<Proposal>>, Error> {
        Ok(match within(&self.task(), bounds, self.observer)? {
            Answer::Found(proposal) => Some(proposal),
            Answer::NotFound(_) => None,
        })
    }

    /// Runs a best-first search over the nodes that are not below an insufficient node.
    fn above(&mut self, within: Within, first: CostedProposal) -> Result<Option<Checked>, Error> {
        let whole = self.of.bound.level_bounds(&self.prepared.policy)?;
        let mut open = vec![Part { bounds: whole.clone(), tried: first }];
        let mut is_first = true;
        while !open.is_empty() {
            let cost = |part: &Part| part.tried.objective.unwrap_or(f64::INFINITY);
            let least = (0..open.len()).min_by(|a, b| cost(&open[*a]).total_cmp(&cost(&open[*b])));
            let Part { bounds, tried } = open.remove(least.unwrap_or(0));
            let levels = tried.proposal.levels().unwrap_or_default().to_vec();
            if !std::mem::take(&mut is_first)
                && let Some(effect) = self.sufficient(&tried.proposal)?
            {
                return Ok(Some((tried, effect)));
            }
            if self.is_over() {
                return self.halve(within, &whole, &levels);
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
                if let Some(proposal) = self.within(within, &part)? {
                    open.push(Part { bounds: part, tried: self.costed(proposal)? });
                }
            }
        }
        Ok(None)
    }

    /// Finds the first sufficient node on a path from an insufficient node to the top, raising one
    /// attribute after another.
    fn halve(
        &mut self,
        within: Within,
        whole: &Bounds,
        from: &[usize],
    ) -> Result<Option<Checked>, Error> {
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
            let mut effect = None;
            if let Some(proposal) = self.within(within, &node)? {
                effect = self.sufficient(&proposal)?;
                if let Some(effect) = &effect {
                    does = Some((self.costed(proposal)?, effect.clone()));
                }
            }
            match effect {
                Some(_) => high = middle,
                None => low = middle + 1,
            }
            middle = low + (high.saturating_sub(low)) / 2;
        }
        Ok(does)
    }

    /// Tries the same method with more distinct sensitive values in each class.
    fn more_values(&mut self) -> Result<Option<Checked>, Error> {
        let sensitive = self.prepared.counted.table.sensitive().iter();
        let n_values: Vec<(String, u64)> =
            sensitive.map(|column| (column.name.clone(), column.dictionary.len() as u64)).collect();
        let most = n_values.iter().map(|(_, n)| *n).max().unwrap_or(0);
        let mut best = None;
        for l in 2..=most.min(MAX_CHECKS) {
            let of = |(name, n): &(String, u64)| more(distinct_l_diversity(l.min(*n)), Some(name));
            let specs: Vec<PrincipleSpec> = n_values.iter().map(of).collect();
            if self.try_with(&specs, &mut best)? {
                break;
            }
        }
        Ok(best)
    }

    /// Tries the same method with larger classes. Returns its result or `best`, whichever is
    /// better.
    fn larger_classes(
        &mut self,
        first: &CostedProposal,
        mut best: Option<Checked>,
    ) -> Result<Option<Checked>, Error> {
        let certified = self.certified(&first.proposal)?;
        let smallest = certified.claims().smallest_class.unwrap_or(1).max(1);
        drop(certified);
        let n_rows = self.prepared.counted.table.n_rows();
        let with = |k: u64| [more(k_anonymity(k), None)];
        let (mut fails, mut holds) = (smallest, None);
        while holds.is_none() && fails < n_rows {
            let k = fails.saturating_mul(2).min(n_rows);
            match self.try_with(&with(k), &mut best)? {
                true => holds = Some(k),
                false => fails = k,
            }
        }
        // Bisect between the last insufficient size and the first sufficient size.
        for _ in 0..HALVINGS {
            let Some(k) = holds.filter(|k| k - fails > 1) else { break };
            let middle = fails + (k - fails) / 2;
            match self.try_with(&with(middle), &mut best)? {
                true => holds = Some(middle),
                false => fails = middle,
            }
        }
        Ok(best)
    }

    /// Tries the same method with additional principles and updates `best`. Returns whether the
    /// result is sufficient.
    fn try_with(
        &mut self,
        specs: &[PrincipleSpec],
        best: &mut Option<Checked>,
    ) -> Result<bool, Error> {
        if self.is_over() {
            return Ok(false);
        }
        let Some(proposal) = self.with_further(specs)? else { return Ok(false) };
        let effect = self.sufficient(&proposal)?;
        let holds = effect.is_some();
        if let Some(effect) = effect {
            keep_better(best, (self.costed(proposal)?, effect));
        }
        Ok(holds)
    }

    /// Returns the best recoding that uses the classes of an earlier release.
    fn aligned(&mut self) -> Result<Option<Checked>, Error> {
        let mut best = None;
        for earlier in self.of.earlier.latest().take(MAX_ALIGNED) {
            let Some(recoding) = aligned(self.of.bound, self.prepared, earlier) else { continue };
            let proposal = Box::new(Proposal::new(recoding, Optimality::CoarsenedForLinkage));
            // The certifier rejects classes that violate a principle, so such a recoding is not an
            // option for this table.
            let Ok(tried) = self.costed(proposal) else { continue };
            if let Some(effect) = self.sufficient(&tried.proposal)? {
                keep_better(&mut best, (tried, effect));
            }
        }
        Ok(best)
    }

    /// Returns the result of the method with additional principles, or `None` if the method does
    /// not support them.
    fn with_further(&mut self, specs: &[PrincipleSpec]) -> Result<Option<Box<Proposal>>, Error> {
        let (policy, table) = (&self.of.bound.file, &self.prepared.counted.table);
        let principle_context = self.of.bound.principle_context(table, None)?;
        let Ok(further) = principle_context.requirements(policy, specs.iter(), table) else {
            return Ok(None);
        };
        let n_own = self.prepared.policy.requirements.len();
        self.prepared.policy.requirements.extend(further);
        let answer = self.of.method.propose(&self.task(), self.observer);
        self.prepared.policy.requirements.truncate(n_own);
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
fn keep_better(best: &mut Option<Checked>, other: Checked) {
    let cost = |it: &Checked| it.0.objective.unwrap_or(f64::INFINITY);
    if best.as_ref().is_none_or(|best| cost(&other) < cost(best)) {
        *best = Some(other);
    }
}

/// Returns an additional principle.
fn more(
    (kind, parameters): (&'static Kind, Parameters),
    attribute: Option<&String>,
) -> PrincipleSpec {
    PrincipleSpec { kind, attribute: attribute.cloned(), parameters, others: Others::default() }
}
