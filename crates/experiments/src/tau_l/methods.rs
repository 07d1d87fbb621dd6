//! Releases created by the three algorithms in the paper.

use std::time::Instant;

use indistinct_core::model::Taxonomy;
use indistinct_core::principle::Growth;
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::{
    FrequencyTable, Hierarchy, Policy, Rational, Recoding, Requirement, Silent, certify, claims_of,
};
use indistinct_measure::Summary;
use indistinct_measure::axes::Axes;
use indistinct_measure::classification::{self, accuracy_of_tree};
use indistinct_measure::tau_l::{TauLRequirement, excessive_protection, utility};
use indistinct_search::curve::Curve;
use indistinct_search::full_domain::Minimal;
use indistinct_search::sweep::Sweep;
use indistinct_search::{Outcome, Problem, Search};

use super::{Setting, c_l, number, simple_l, tau_l, whole};
use crate::error::Error;
use crate::experiment::Lab;
use crate::search::{RequestedPrinciple, best_node, policy};

/// The context of a run, which consists of the options, the setting, and the table.
pub(super) struct RunContext<'a> {
    pub(super) lab: &'a Lab<'a>,
    pub(super) setting: &'static Setting,
    pub(super) table: FrequencyTable,
    pub(super) hierarchies: Vec<Hierarchy>,
    pub(super) taxonomy: Taxonomy,
}

/// A release with its original table.
pub(super) struct Candidate {
    pub(super) pair: ReleaseWithOriginal,
    /// The duration of the search in milliseconds.
    pub(super) ms: f64,
    /// For each (tau, l) pair, whether the release satisfies the requirement.
    pub(super) satisfies: Vec<bool>,
}

/// The measures of a release.
#[derive(Debug, Clone)]
pub(super) struct ReleaseMeasures {
    /// The excessive protection of the classes.
    pub(super) excess: Summary,
    /// The fraction of the information that the release retains.
    pub(super) utility: f64,
    /// The accuracy of a decision tree, relative to a tree trained on the original table, for each
    /// of [`accuracy_seeds`].
    pub(super) accuracy: Vec<Option<f64>>,
}

/// Returns the seeds for the selection of test rows.
pub(super) fn accuracy_seeds(lab: &Lab<'_>) -> Vec<u64> {
    let mut seeds = lab.seeds();
    seeds.truncate(3);
    seeds
}

impl RunContext<'_> {
    fn policy(&self, requested: &RequestedPrinciple) -> Policy {
        policy(self.hierarchies.clone(), vec![requested.on(&self.table, Some(&self.taxonomy))])
    }

    fn bounds(&self) -> Vec<std::ops::RangeInclusive<usize>> {
        self.hierarchies.iter().map(|it| 0..=it.n_levels() - 1).collect()
    }

    fn candidate(&self, policy: &Policy, recoding: &Recoding, ms: f64) -> Result<Candidate, Error> {
        let release = certify(&self.table, policy, recoding)?;
        let required = self.setting.required.iter();
        let satisfies = required
            .map(|&(tau, l)| {
                // Values that are derived from the original table, such as weights, remain
                // unchanged.
                let requirement = tau_l(tau, l).on(&self.table, Some(&self.taxonomy));
                let Ok(requirement) = requirement.rebuilt(release.table()) else { return false };
                let judged = claims_of(
                    release.table(),
                    release.partition(),
                    &[requirement] as &[Requirement],
                );
                judged.claims.principles.iter().all(|claim| claim.holds)
            })
            .collect();
        let mut pair = ReleaseWithOriginal::of_release(&release, policy);
        pair.published.sensitive[0].taxonomy = Some(self.taxonomy.clone());
        Ok(Candidate { pair, ms, satisfies })
    }

    /// Runs the sequential sweep for one (tau, l) pair, and measures the median duration.
    pub(super) fn sweep(&self, tau: &str, l: u64) -> Result<Option<Candidate>, Error> {
        let policy = self.policy(&tau_l(tau, l));
        let problem = Problem { bounds: self.bounds(), ..Problem::new(&self.table, &policy) };
        let n_runs = self.lab.by_effort(3, 1);
        let (ms, outcome) =
            crate::search::timed(n_runs, || Ok(Sweep::default().search(&problem, &Silent)?))?;
        match outcome {
            Outcome::Found(found) => {
                self.candidate(&policy, &found.proposal.recoding, ms).map(Some)
            }
            Outcome::NotFound(_) => Ok(None),
        }
    }

    /// Runs full-domain (c, l)-diversity for all values of l and several values of c. Returns the
    /// distinct releases and the total time.
    pub(super) fn full_domain(&self) -> Result<(Vec<Candidate>, f64), Error> {
        let all_c = self.lab.by_effort(vec!["1", "1.5", "2", "3", "5", "10"], vec!["3"]);
        let n_sensitive_values = self.taxonomy.n_leaves() as u64;
        let (mut found, mut levels, mut all_ms) = (Vec::new(), Vec::new(), 0.0);
        for l in 2..=n_sensitive_values {
            for c in &all_c {
                let policy = self.policy(&c_l(number(c), l));
                let start = Instant::now();
                let best = best_node(&self.table, &policy, "information", Minimal::Skip)?;
                let ms = start.elapsed().as_secs_f64() * 1000.0;
                all_ms += ms;
                let Some(best) = best else { continue };
                if !levels.contains(&best.proposal.levels) {
                    found.push(self.candidate(&policy, &best.proposal.recoding, ms)?);
                    levels.push(best.proposal.levels);
                }
            }
        }
        Ok((found, all_ms))
    }

    /// Returns the best node for one (c, l) pair, or `None` if no node satisfies the principle.
    pub(super) fn node_for(&self, c: Rational, l: u64) -> Result<Option<Candidate>, Error> {
        let policy = self.policy(&c_l(c, l));
        match best_node(&self.table, &policy, "information", Minimal::Skip)? {
            Some(best) => self.candidate(&policy, &best.proposal.recoding, 0.0).map(Some),
            None => Ok(None),
        }
    }

    /// Runs the Hilbert curve method for simple l-diversity, and measures the duration of the
    /// search.
    pub(super) fn curve_for(&self, l: Rational) -> Result<Option<Candidate>, Error> {
        let policy = self.policy(&simple_l(l));
        let problem = Problem { bounds: self.bounds(), ..Problem::new(&self.table, &policy) };
        let start = Instant::now();
        let outcome = Curve::default().search(&problem, &Silent)?;
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        match outcome {
            Outcome::Found(best) => self.candidate(&policy, &best.proposal, ms).map(Some),
            Outcome::NotFound(_) => Ok(None),
        }
    }

    /// Runs simple l-diversity with the Hilbert curve method for l = 2, 3, ..., and returns all
    /// results.
    pub(super) fn curve(&self) -> Result<Vec<Candidate>, Error> {
        let mut found = Vec::new();
        for l in 2..=self.taxonomy.n_leaves() as u64 {
            match self.curve_for(whole(l))? {
                Some(candidate) => found.push(candidate),
                None => break,
            }
        }
        Ok(found)
    }

    /// Returns the fraction of information retained by a release, or `None` if there is no release.
    pub(super) fn retained(candidate: Option<Candidate>) -> Option<f64> {
        utility(&candidate?.pair).retained
    }

    /// By how much the protection of the classes in a release exceeds the requirement, or `None` if
    /// there are no classes.
    pub(super) fn excess(&self, candidate: &Candidate, (tau, l): (&str, u64)) -> Option<Summary> {
        let required = TauLRequirement {
            tau: number(tau),
            l: whole(l),
            taxonomy: self.taxonomy.clone(),
            weights: vec![whole(1); self.taxonomy.n_leaves()],
            growth: Growth::Linear,
        };
        excessive_protection(&candidate.pair.published, 0, &required)
    }

    pub(super) fn measure(
        &self,
        candidate: &Candidate,
        excess: Summary,
    ) -> Result<ReleaseMeasures, Error> {
        let axes = Axes::new(&candidate.pair);
        let of_seed = |&seed: &u64| {
            let options = classification::Options {
                target: Some(self.setting.sensitive.to_owned()),
                seed,
                ..classification::Options::default()
            };
            accuracy_of_tree(&candidate.pair, &axes, &options, &Silent)
                .expect("the release contains the target attribute")
                .and_then(|tree| tree.ratio)
        };
        let accuracy = accuracy_seeds(self.lab).iter().map(of_seed).collect();
        let utility = utility(&candidate.pair).retained.unwrap_or(0.0);
        Ok(ReleaseMeasures { excess, utility, accuracy })
    }
}
