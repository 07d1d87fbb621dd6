//! Releases created by generalization and by perturbation, together with the original table.

use indistinct_core::published::{Attachment, ReleaseWithOriginal};
use indistinct_core::recoding::Key;
use indistinct_core::recoding::perturbation::{
    Breach, Domain, Grid, Observation, Perturbation, Retention,
};
use indistinct_core::{
    ClassColumn, Policy, Rational, Recoding, Silent, certify, certify_perturbed,
};
use indistinct_search::multidimensional::{GeneralizeTo, Multidimensional, Split};
use indistinct_search::{Outcome, Problem, Search};

use super::Incomes;
use crate::error::Error;
use crate::search::{RequestedPrinciple, policy};

impl Incomes {
    /// Returns a policy that publishes the class column, because the groups in the paper are
    /// distinguishable.
    pub(super) fn policy(&self, requested: &RequestedPrinciple) -> Policy {
        let requirements = vec![requested.on(&self.table, None)];
        let published = ClassColumn::Published;
        Policy { published, ..policy(self.hierarchies.clone(), requirements) }
    }

    /// Runs the algorithm in the paper, which splits at medians and then assigns rows to classes.
    /// Returns `None` if the table cannot be generalized.
    pub(super) fn generalize(&self, policy: &Policy) -> Result<Option<Recoding>, Error> {
        let search = Multidimensional {
            align: GeneralizeTo::Bounds,
            split: Split::Median,
            ..Multidimensional::default()
        };
        Ok(match search.search(&Problem::new(&self.table, policy), &Silent)? {
            Outcome::Found(found) => Some(found.proposal),
            Outcome::NotFound(_) => None,
        })
    }

    /// Generalizes and certifies the table, and returns the release with its original table.
    pub(super) fn generalized(
        &self,
        requested: &RequestedPrinciple,
    ) -> Result<Option<ReleaseWithOriginal>, Error> {
        let policy = self.policy(requested);
        let Some(recoding) = self.generalize(&policy)? else { return Ok(None) };
        let release = certify(&self.table, &policy, &recoding)?;
        Ok(Some(ReleaseWithOriginal::of_release(&release, &policy)))
    }

    /// Returns all integer incomes in the domain that the paper uses.
    fn domain() -> Domain {
        let whole = |number: i128| Rational::from_integer(number);
        let grid = Grid::new(whole(1_000), whole(100_000), whole(1));
        Domain::Grid(grid.expect("the domain of the paper is a grid"))
    }

    /// Returns the largest retention probability, or `None` if even pure noise violates the
    /// principle.
    pub(super) fn retention(
        &self,
        requested: &RequestedPrinciple,
    ) -> Result<Option<Retention>, Error> {
        let requirements = [requested.on(&self.table, None)];
        let breach = Breach::new(&self.table, &requirements, &Self::domain())?;
        Ok(breach.largest_retention(Observation::Neighborhood))
    }

    /// Perturbs the table with the largest retention probability, and returns the release with its
    /// original; `None` if no retention probability exists.
    pub(super) fn perturbed(
        &self,
        seed: u64,
        requested: &RequestedPrinciple,
    ) -> Result<Option<(ReleaseWithOriginal, Retention)>, Error> {
        let Some(retention) = self.retention(requested)? else { return Ok(None) };
        let policy = policy(self.hierarchies.clone(), vec![requested.on(&self.table, None)]);
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let domain = Self::domain();
        let perturbation = Perturbation {
            domain: domain.clone(),
            given: Observation::Neighborhood,
            retention,
            key: Key(key),
        };
        let (release, _) = certify_perturbed(&self.table, &policy, &perturbation)?;
        let n_domain_values = release.perturbed().map_or(0, |it| it.n_domain_values);
        let mut pair = ReleaseWithOriginal::of_release(&release, &policy);
        let grid = match domain {
            Domain::Grid(grid) => Some(grid),
            Domain::Occurring => None,
        };
        pair.published.attachment =
            Attachment::Perturbed { p: retention.p(), n_domain_values, grid };
        Ok(Some((pair, retention)))
    }
}
