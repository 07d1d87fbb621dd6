//! The attack on the labels of a release.

use indistinct_attack::refinement::{attack_with_original, attack_without_original};
use indistinct_attack::{Figures, WhyUntried};

use super::{Attempt, Tried};
use crate::error::Error;

impl Attempt<'_> {
    pub(super) fn refinement(self) -> Result<Tried, Error> {
        let Attempt { opened, observer, request, .. } = self;
        if opened.policy.recoding.method.keeps_quasi_identifiers() {
            return Ok(Err(WhyUntried::NoLabels));
        }
        let stated = opened.policy.stated_classes(opened.certificate.optimality());
        if let Some(pair) = self.pair {
            return Ok(attack_with_original(pair, &stated, observer).map(Figures::Refinement));
        }
        // An adversary who has only the release does not know the private directory.
        let named = request.policy.map(|path| opened.holders_policy(Some(path))).transpose()?;
        let hierarchies = named.flatten().map_or_else(Vec::new, |it| it.rules);
        let published = &opened.published;
        let found = attack_without_original(published, &stated, &hierarchies, observer);
        Ok(found.map(Figures::Refinement))
    }
}
