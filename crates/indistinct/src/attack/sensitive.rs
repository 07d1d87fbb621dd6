//! The attacks on the sensitive values of each sensitive attribute.

use indistinct_attack::{
    Figures, Finding, WhyUntried, background, homogeneity, implications, proximity, similarity,
    skewness, sweep_rule,
};
use indistinct_core::published::{Attachment, ReleaseWithOriginal};
use indistinct_core::{Observer, Requirement};
use indistinct_release::View;

use super::{AttackRequest, Findings, goes_on};
use crate::error::Error;
use crate::policy::ValueSelection;

fn rule_of(opened: &View) -> sweep_rule::Rule {
    match opened.policy.recoding.value_selection {
        ValueSelection::Dominant => sweep_rule::Rule::Dominant,
        ValueSelection::Random => sweep_rule::Rule::Random,
    }
}

pub(super) fn attack(
    opened: &View,
    pair: Option<&ReleaseWithOriginal>,
    request: &AttackRequest<'_>,
    requirements: &[Requirement],
    found: &mut Findings,
    observer: &dyn Observer,
) -> Result<(), Error> {
    let published = &opened.published;
    let is_noise = matches!(published.attachment, Attachment::Perturbed { .. });
    for (at, sensitive) in published.sensitive.iter().enumerate() {
        let name = Some(sensitive.name.as_str());
        let mut add = |figures| {
            found.findings.push(Finding::new(name, figures));
            goes_on(observer)
        };
        add(Figures::Homogeneity(homogeneity::attack(
            published,
            at,
            &request.homogeneous,
            observer,
        )))?;
        if is_noise {
            for attack in [
                &background::ATTACK,
                &implications::ATTACK,
                &proximity::ATTACK,
                &skewness::ATTACK,
                &similarity::ATTACK,
            ] {
                found.not_tried(attack, name, WhyUntried::Noise);
            }
            continue;
        }
        let mut known = background::attack(published, at, &request.limits, observer);
        let joint =
            pair.and_then(|it| background::with_original(it, at, &request.limits, observer));
        known.beliefs.extend(joint);
        add(Figures::Background(known))?;
        add(Figures::Implications(implications::attack(published, at, observer)))?;
        add(Figures::Skewness(skewness::attack(published, at, observer)))?;
        let near = proximity::attack(published, at, &request.probabilities, observer).map(|near| {
            let breaches = proximity::breaches(published, at, requirements, observer);
            proximity::Proximity { breaches, ..near }
        });
        let alike = similarity::attack(published, at, &request.homogeneous, observer);
        let undone = opened
            .policy
            .recoding
            .method
            .generalizes_sensitive_values()
            .then(|| {
                let rule = rule_of(opened);
                sweep_rule::attack(published, at, requirements, rule, pair, observer)
            })
            .flatten();
        for (figures, attack, why) in [
            (near.map(Figures::Proximity), &proximity::ATTACK, WhyUntried::NotNumeric),
            (alike.map(Figures::Similarity), &similarity::ATTACK, WhyUntried::NoTaxonomy),
            (undone.map(Figures::SweepRule), &sweep_rule::ATTACK, WhyUntried::NothingGeneralized),
        ] {
            match figures {
                Some(figures) => found.findings.push(Finding::new(name, figures)),
                None => found.not_tried(attack, name, why),
            }
        }
        goes_on(observer)?;
    }
    Ok(())
}
