//! Runs the attacks on each sensitive attribute.

use indistinct_attack::{
    Figures, WhyUntried, background, homogeneity, implications, proximity, similarity, skewness,
    sweep_rule,
};
use indistinct_core::Requirement;
use indistinct_core::published::Attachment;

use super::{Attempt, Findings};
use crate::error::Error;
use crate::policy::ValueSelection;

impl Attempt<'_> {
    pub(super) fn on_sensitive_values(
        self,
        requirements: &[Requirement],
        found: &mut Findings<'_>,
    ) -> Result<(), Error> {
        let Attempt { opened, request, pair, observer, .. } = self;
        let published = &opened.published;
        let recoding = &opened.policy.recoding;
        let rule = match recoding.value_selection {
            ValueSelection::Dominant => sweep_rule::Rule::Dominant,
            ValueSelection::Random => sweep_rule::Rule::Random,
        };
        for (at, sensitive) in published.sensitive.iter().enumerate() {
            let name = Some(sensitive.name.as_str());
            let same = homogeneity::attack(published, at, &request.homogeneous, observer);
            found.add(&homogeneity::ATTACK, name, Ok(Figures::Homogeneity(same)))?;
            if matches!(published.attachment, Attachment::Perturbed { .. }) {
                for attack in [
                    &background::ATTACK,
                    &implications::ATTACK,
                    &proximity::ATTACK,
                    &skewness::ATTACK,
                    &similarity::ATTACK,
                ] {
                    found.add(attack, name, Err(WhyUntried::Noise))?;
                }
                continue;
            }
            let mut known = background::attack(published, at, &request.limits, observer);
            let joint =
                pair.and_then(|it| background::with_original(it, at, &request.limits, observer));
            known.beliefs.extend(joint);
            found.add(&background::ATTACK, name, Ok(Figures::Background(known)))?;
            let implied = implications::attack(published, at, observer);
            found.add(&implications::ATTACK, name, Ok(Figures::Implications(implied)))?;
            let skewed = skewness::attack(published, at, observer);
            found.add(&skewness::ATTACK, name, Ok(Figures::Skewness(skewed)))?;
            let near = proximity::attack(published, at, &request.probabilities, observer);
            let near = near.ok_or(WhyUntried::NotNumeric).map(|near| {
                let breaches = proximity::breaches(published, at, requirements, observer);
                Figures::Proximity(proximity::Proximity { breaches, ..near })
            });
            found.add(&proximity::ATTACK, name, near)?;
            let alike = similarity::attack(published, at, &request.homogeneous, observer);
            let alike = alike.map(Figures::Similarity).ok_or(WhyUntried::NoTaxonomy);
            found.add(&similarity::ATTACK, name, alike)?;
            let undone = match recoding.method.generalizes_sensitive_values() {
                true => sweep_rule::attack(published, at, requirements, rule, pair, observer),
                false => None,
            };
            let undone = undone.map(Figures::SweepRule).ok_or(WhyUntried::NothingGeneralized);
            found.add(&sweep_rule::ATTACK, name, undone)?;
        }
        Ok(())
    }
}
