//! # A recoding that leaves enough after linking
//!
//! **Definition.** Of the recodings that satisfy the policy the one with the least objective that takes nobody below the
//! `[linkage]` minimum. The recoding that the method finds comes first; if it harms somebody, coarser ones follow.
//! **Formula.** *Full-domain:* what a node harms, every node below it harms too, if no row is suppressed: its classes are parts of
//! the other's, so less remains. So after a node that harms, the least of the nodes that are not below it is next: those above
//! it in the first attribute, those above it in the second and not in the first, and so on, each a search of its own. With
//! suppressed rows a node below could do, since it has fewer people; it is not looked for. After [`MAX_CHECKS`] checks the
//! way to the top is halved. *Methods by class:* the classes of earlier releases ([`aligned`]), and the same search with larger
//! classes, of at least 2, 4, 8, ... times the rows of the smallest (for Anatomy with more sensitive values in each); the better one
//! of both.
//! **Parameters.** None beyond the policy; its time limit ends the search of other recodings.
//! **Level.** The effect of linking.
//! **Complexity.** At most [`MAX_CHECKS`] searches and checks, and the logarithm of the table.
//! **Errors.** As the method; a further search that cannot be made is passed over.
//! **Does not protect against.** It is a search: the release is checked again from the files that are written.
//! **Source.** None; the text leaves it open what to do.

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

/// So many recodings are linked at most before the way to the top is halved.
const MAX_CHECKS: u64 = 64;

/// So often the way between a size of classes that does not do and one that does is halved.
const HALVINGS: usize = 3;

/// The classes of so many earlier releases are tried.
const MAX_ALIGNED: usize = 8;

/// A search beside recorded releases.
#[derive(Clone, Copy)]
pub struct LinkedSearch<'a> {
    /// The method of the policy.
    pub method: &'static dyn Method,
    /// The policy with its table.
    pub bound: &'a BoundPolicy,
    /// What every random choice follows from.
    pub key: &'a Key,
    /// The recorded releases.
    pub earlier: &'a EarlierReleases,
    /// The people of the table.
    pub people: &'a People<'a>,
    /// What must remain for everybody.
    pub required: Option<&'a RemainingRequirement>,
}

/// What was found.
pub enum LinkedOutcome {
    /// A recoding that harms nobody.
    Found {
        /// It.
        proposal: Box<Proposal>,
        /// What linking it does.
        effect: Effect,
        /// Whether and how much coarser it is.
        coarser: Option<Coarser>,
    },
    /// The policy cannot be met, whatever was published before.
    NotFound(Box<NotFound>),
    /// Every recoding that was tried harms somebody.
    Refused(LinkageRefusal),
}

/// How a part of the lattice is searched.
type Within = fn(&Task<'_>, &Bounds, &dyn Observer) -> Result<Answer, Error>;

/// A recoding with what it costs.
struct CostedProposal {
    proposal: Box<Proposal>,
    objective: Option<f64>,
}

/// Something to search: a part of the lattice, and the best of it.
struct Part {
    bounds: Bounds,
    tried: CostedProposal,
}

impl LinkedSearch<'_> {
    /// Searches; a proposal for another table than the counted one is [taken up](PreparedTable::take_up).
    ///
    /// # Errors
    /// [`Error`] if the search cannot be made or the releases cannot be linked, or the observer cancels. The time limit counts from
    /// `started` on.
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

    /// Whether the table has fewer different sensitive values than required, so that every class shows too little.
    fn is_hopeless(&self, prepared: &PreparedTable) -> bool {
        let is_short = |required: &RemainingRequirement, column: &CountedColumn| {
            let n_values = i128::try_from(column.dictionary.len()).unwrap_or(i128::MAX);
            // Generalized sensitive values may mean values that do not occur.
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

    /// Best first among the nodes that are not below one that harms.
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

    /// The first node that does on the way from one that does not to the top, attribute after attribute.
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
        // The top first: if it does not do, nothing does.
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

    /// The same method with more different sensitive values in each class.
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

    /// The same method with larger classes, unless there is something better.
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
        // Between the last that did not do and the first that did.
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

    /// The same method with further principles; whether that does. The better one of those that do is kept.
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

    /// The best of the recodings by the classes of an earlier release.
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
            // The certifier refuses classes in which a principle fails; then these are none for this table.
            let Ok(tried) = self.tried(prepared, proposal) else { continue };
            let effect = self.effect(prepared, &tried.proposal, observer)?;
            if trial.holds(&effect) {
                keep_better(&mut best, (tried, effect));
            }
        }
        Ok(best)
    }

    /// What the method finds with further principles; nothing where it does not take them.
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
            // The method does not serve the further principle, or finds nothing that meets it.
            Ok(_) | Err(_) => Ok(None),
        }
    }
}

/// Keeps what has the lower objective.
fn keep_better(best: &mut Option<(CostedProposal, Effect)>, other: (CostedProposal, Effect)) {
    let cost = |it: &(CostedProposal, Effect)| it.0.objective.unwrap_or(f64::INFINITY);
    if best.as_ref().is_none_or(|best| cost(&other) < cost(best)) {
        *best = Some(other);
    }
}

/// A principle beyond those of the policy.
fn more(
    (kind, parameters): (&'static Kind, Parameters),
    attribute: Option<&String>,
) -> PrincipleSpec {
    PrincipleSpec { kind, attribute: attribute.cloned(), parameters, others: Others::default() }
}

/// What was tried so far.
struct Trial {
    n_tried: u64,
    /// The effect with the fewest people in the way.
    nearest: Effect,
    deadline: Option<(Instant, Duration)>,
}

impl Trial {
    /// Whether an effect will do; counts it.
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
